"""What looks the same to a reader: more than what has one key, and asked for only where somebody has said no before.

The law of keys keeps apart whatever may be meant apart. Who reads two values cannot tell them apart by what is
invisible, by how a mark is written, or by letters of another alphabet that have the same shape.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from loreweave.events.slots import key

_CYRILLIC = "АВЕЅІЈКМНОРСТУХԚԜѴҮҺӀаеорсухіјѕһԁԛԝѵүӏ", "ABESIJKMHOPCTYXQWVYHIaeopcyxijshdqwvyl"
_GREEK = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορυχ", "ABEZHIKMNOPTYXayiknopux"
_OTHER = "ıɑɡɩ", "iagi"
_LATIN = {ord(letter): shape for table in (_CYRILLIC, _GREEK, _OTHER) for letter, shape in zip(*table, strict=True)}

_IGNORABLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2065\u3164\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]+")
"""Letters and marks that show nothing, and are of no category that says so."""

_BLANK = re.compile("[\x00-\x1f\x7f-\x9f\u2800]+")
_DASHES = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
_sign = re.compile(r"(?<!\w)-(?=\W?\d)").sub
_MINUS = "\u2212"
_MARKS = " \"'*`~()[]"
_ENDS = ".,;:!" + _MARKS
_MEMO_SIZE = 50_000


@lru_cache(maxsize=_MEMO_SIZE)
def looks(text: str) -> tuple[str, str]:
    """Give how a text looks, whatever its case, blanks, marks round it and dashes: as written, and in Latin letters.

    What looks like another in either way may be taken for it. The sign of a number is kept.
    """
    if text.isascii():
        only = _plain(text)
        return only, only
    seen = _IGNORABLE.sub("", unicodedata.normalize("NFKC", _IGNORABLE.sub("", text)))
    return _plain(seen), _plain(seen.translate(_LATIN))


def is_alike(one: str | None, other: str | None) -> bool:
    """Tell whether a reader may take one text for another."""
    if one is None or other is None:
        return one is other
    return one == other or any(a == b for a, b in zip(looks(one), looks(other), strict=True))


def _plain(text: str) -> str:
    folded = key(_sign(_MINUS, _DASHES.sub("-", _BLANK.sub(" ", text))))
    return folded.lstrip(_MARKS).rstrip(_ENDS) or text.strip()
