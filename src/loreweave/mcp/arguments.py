"""What a tool takes: each argument by name, as JSON Schema tells it and as it is read.

Models write numbers, lists and booleans as texts at times. What means one thing is read as that; anything else is
told in one sentence that quotes it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from loreweave.errors import BadRequest
from loreweave.notes.visible import excerpt

TEXT, TEXTS, WORDS, WHOLE, NUMBER, FLAG, VALUES = "text", "texts", "words", "whole", "number", "flag", "values"
"""One text; several; several words without commas in them; a whole number; a number; yes or no; values by name."""

_TYPES: dict[str, dict[str, Any]] = {
    TEXT: {"type": "string"},
    TEXTS: {"type": "array", "items": {"type": "string"}},
    WORDS: {"type": "array", "items": {"type": "string"}},
    WHOLE: {"type": "integer"},
    NUMBER: {"type": "number"},
    FLAG: {"type": "boolean"},
    VALUES: {"type": "object"},
}
_YES, _NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")
_SHOWN = 60
_NOTHING = object()

_MANY = 1_000_000_000
"""More than a vault has of anything, so that whoever asks for more asks for all."""

_LARGEST = 2**53
"""The largest whole number that every number up to it can be told from."""


@attrs.frozen
class Argument:
    """One argument: its name, what it holds and what it is for.

    ``choices`` are the values, ``least`` the least number it may have; ``longest`` the characters that a text may.
    """

    name: str
    kind: str = TEXT
    told: str = ""
    required: bool = False
    choices: tuple[str, ...] = ()
    least: int | None = None
    longest: int = 2_000

    def schema(self) -> dict[str, Any]:
        """Give its JSON Schema."""
        made = dict(_TYPES[self.kind])
        if self.choices:
            made["enum"] = list(self.choices)
        if self.least is not None:
            made["minimum"] = self.least
        return made | ({"description": self.told} if self.told else {})


def schema(arguments: Sequence[Argument]) -> dict[str, Any]:
    """Give the JSON Schema of all arguments of a tool."""
    made: dict[str, Any] = {"type": "object", "properties": {each.name: each.schema() for each in arguments}}
    required = [each.name for each in arguments if each.required]
    return made | ({"required": required} if required else {})


def read(arguments: Sequence[Argument], given: Mapping[str, Any]) -> dict[str, Any]:
    """Read what was given; what is null counts as not given. Raises BadRequest with one sentence."""
    known = {each.name: each for each in arguments}
    found: dict[str, Any] = {}
    for said, value in given.items():
        name = _snake(said)
        if name not in known:
            raise BadRequest(f"There is no argument {_quoted(said)}.", _takes(known))
        if name in found:
            raise BadRequest(f'The argument "{name}" is given twice.', "give it once")
        if value is not None:
            found[name] = _read(known[name], value)
    lacking = [each.name for each in arguments if each.required and each.name not in found]
    if lacking:
        raise BadRequest(f'The argument "{lacking[0]}" is missing.', _takes(known))
    return found


def _takes(known: Mapping[str, Argument]) -> str:
    names = [f"{name} (required)" if each.required else name for name, each in known.items()]
    return f"the tool takes {', '.join(names)}" if names else "the tool takes none"


def _snake(name: str) -> str:
    """Give the name as it stands in the schema: ``asKnownAt`` and ``as-known-at`` mean ``as_known_at``."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower().replace("-", "_")


def _read(argument: Argument, value: Any) -> Any:
    made = _READERS[argument.kind](value)
    if made is _NOTHING:
        wanted = {TEXT: "text", FLAG: "true or false", WHOLE: "whole number", VALUES: "object"}.get(argument.kind)
        wanted = wanted or ("number" if argument.kind == NUMBER else "list of texts")
        article = "" if argument.kind == FLAG else "an " if wanted == "object" else "a "
        raise BadRequest(f"{argument.name}: {_quoted(value)} is not {article}{wanted}.", _example(argument))
    long = [text for text in (made if isinstance(made, list) else [made]) if _is_longer(text, argument.longest)]
    if long:
        told = f"{argument.name}: {_quoted(long[0])} has {len(long[0]):,} characters; {argument.longest:,} are read."
        raise BadRequest(told, "make it shorter")
    if argument.choices and made not in argument.choices:
        told = f"{argument.name}: {_quoted(value)} is none of {', '.join(argument.choices)}."
        raise BadRequest(told, "give one of them")
    if argument.least is not None and made < argument.least:
        told = f"{argument.name}: {_quoted(value)} is less than {argument.least}."
        raise BadRequest(told, f"give {argument.least} or more")
    return made


def _is_longer(text: Any, longest: int) -> bool:
    return isinstance(text, str) and len(text) > longest


def _example(argument: Argument) -> str:
    several = '["first", "second"]'
    given = {TEXT: '"Vendor"', FLAG: "true", WHOLE: "20", NUMBER: "0.5", VALUES: '{"name": "Vendor"}'}
    return f"give one such as {given.get(argument.kind, several)}"


def _quoted(value: Any) -> str:
    """Write a value as JSON, on one line that stays short; say so where it is too large to be written."""
    text = value if isinstance(value, str) else _written(value)
    return "a value too large to be quoted" if text is None else excerpt(text)


def _written(value: Any) -> str | None:
    """Write a value as JSON; None for a number of thousands of digits, and for what is nested too deep."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        return None


# -------------------------------------------------------------------------------------------- by kind


def _text(value: Any) -> Any:
    if isinstance(value, str):
        return value
    text = _written(value) if isinstance(value, bool | int | float) else None
    return _NOTHING if text is None else text


def _texts(value: Any) -> Any:
    """Read a list, a list written as JSON in a text, or one text."""
    if isinstance(value, str):
        listed = _parsed(value) if value.lstrip().startswith("[") else None
        value = listed if isinstance(listed, list) else [value]
    texts = [_text(each) for each in value] if isinstance(value, list) else [_NOTHING]
    return _NOTHING if _NOTHING in texts else texts


def _words(value: Any) -> Any:
    """Read the same, where one text may also be several words with commas between."""
    found = _texts(value)
    if isinstance(value, str) and isinstance(found, list) and found == [value]:
        return [word.strip() for word in value.split(",") if word.strip()]
    return found


def _whole(value: Any) -> Any:
    number = _any_number(value)
    return min(int(number), _MANY) if number is not _NOTHING and number == int(number) else _NOTHING


def _number(value: Any) -> Any:
    number = _any_number(value)
    return _NOTHING if isinstance(number, int) and abs(number) > _LARGEST else number


def _any_number(value: Any) -> Any:
    if isinstance(value, str) and len(value) <= _SHOWN:
        value = _parsed(value.strip().removeprefix("+"))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _NOTHING
    return value if isinstance(value, int) or math.isfinite(value) else _NOTHING


def _flag(value: Any) -> Any:
    word = value.strip().lower() if isinstance(value, str) else _written(value)
    return True if word in _YES else False if word in _NO else _NOTHING


def _values(value: Any) -> Any:
    found = _parsed(value) if isinstance(value, str) else value
    return found if isinstance(found, dict) and _written(found) is not None else _NOTHING


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


_READERS = {TEXT: _text, TEXTS: _texts, WORDS: _words, WHOLE: _whole, NUMBER: _number, FLAG: _flag, VALUES: _values}
