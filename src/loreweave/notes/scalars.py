"""A scalar of YAML as JSON: with the core types of YAML 1.2 where it stands plain, as text otherwise.

Numbers are decimal and finite, and keep their digits. What begins with a zero that is not needed (``010``, ``0x1F``)
is text, and so is what YAML 1.1 took for something else: ``yes``, ``1_000``, ``12:30:00``, a date.
"""

from __future__ import annotations

import re
from json import JSONEncoder
from math import isfinite

NULL = "null"

_WORDS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), NULL),
    **dict.fromkeys(("true", "True", "TRUE"), "true"),
    **dict.fromkeys(("false", "False", "FALSE"), "false"),
}
_LONGEST = 400
_number = re.compile(r"[-+]?(?:(?:0|[1-9][0-9]*+)(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][-+]?[0-9]++)?").fullmatch
_json_number = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?").fullmatch
_lone_surrogates = re.compile("[\ud800-\udfff]").sub
_encode = JSONEncoder(ensure_ascii=False).encode


def json_text(text: str) -> str:
    """Write a text as JSON; half of a surrogate pair becomes U+FFFD, as it has no UTF-8."""
    return _encode(text if text.isascii() else _lone_surrogates("\ufffd", text))


def json_scalar(text: str) -> str:
    """Write a plain scalar as JSON."""
    if (word := _WORDS.get(text)) is not None:
        return word
    if len(text) <= _LONGEST and _number(text) and isfinite(value := float(text)):
        digits = text.removeprefix("+")
        return digits if _json_number(digits) else repr(value)
    return json_text(text)
