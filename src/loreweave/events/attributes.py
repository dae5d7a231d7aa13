"""The attribute block of a line: which names it may carry, and how their values read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from loreweave import times
from loreweave.errors import WARNING, Finding
from loreweave.events.escapes import read_value
from loreweave.events.grammar import ATTRIBUTES, terminal
from loreweave.notes.visible import reveal

_ANY = ["recorded_at", "scope", "by"]
_STATED = [*_ANY, "because", "episode", "proposal"]
_CLAIM = ["valid_from", "valid_until", "confidence", "source", "many"]
MEANINGFUL = {
    "fact": frozenset([*_STATED, *_CLAIM]),
    "invalidate": frozenset([*_STATED, "valid_until"]),
    "retract": frozenset([*_STATED, "valid_from"]),
    "proposed": frozenset([*_STATED, *_CLAIM, "kind"]),
    "rejected": frozenset([*_ANY, "because"]),
    "observed": frozenset([*_ANY, *_CLAIM, "note", "episode"]),
    "withdrawn": frozenset([*_ANY, "source", "many", "note"]),
    "used": frozenset([*_ANY, "hash"]),
    "session": frozenset(_ANY),
    "walked": frozenset(_ANY),
}
"""The attributes that say something on a line of each kind (``source`` in the ledger: so that it is noticed)."""

PROPOSABLE = ("fact", "invalidate", "retract")
_FIELDS = {"kind": "proposed"}
_HINTS = dict.fromkeys(ATTRIBUTES, "") | {
    "valid_from": times.HINT,
    "valid_until": times.HINT,
    "recorded_at": times.HINT,
    "confidence": "write a number from 0 to 1, such as confidence=0.9",
    "many": "write the word many by itself",
    "kind": "write kind=fact, kind=invalidate or kind=retract",
}
_fraction = re.compile("[0-9]+").fullmatch
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_MEMO_SIZE = 100_000


class Block(NamedTuple):
    """The values of a block by the field of ``Line`` they fill, what is wrong with it, and whether a name is known."""

    values: dict[str, object]
    findings: tuple[Finding, ...]
    is_known: bool


def read_block(kind: str, text: str, column: int) -> Block:
    """Read ``{name=value, …}`` as it ends a line of ``kind``; ``column`` is where it begins, from 1."""
    values: dict[str, object] = {}
    findings = []
    names = set()
    for part in _parts()(text):
        name, place = part[1] or "many", column + part.start()
        if name not in MEANINGFUL[kind]:
            findings.append(_unknown(kind, name, place))
        elif name in names:
            findings.append(_bad(name, "it is given twice", "keep the one that is meant", place))
        else:
            try:
                values[_FIELDS.get(name, name)] = _READERS[name](part[2])
            except ValueError as wrong:
                findings.append(_bad(name, str(wrong), _HINTS[name], place))
        names.add(name)
    return Block(values, tuple(findings), is_known=not names.isdisjoint(ATTRIBUTES))


def _unknown(kind: str, name: str, column: int) -> Finding:
    if name in ATTRIBUTES:
        message, hint = f'"{name}" says nothing on a [{kind}] line and is ignored.', "leave it out"
    else:
        import difflib

        message = f'"{name}" is not an attribute and is ignored.'
        near = difflib.get_close_matches(name, ATTRIBUTES, 1)
        hint = f"write {near[0]}" if near else f"the attributes are {', '.join(ATTRIBUTES)}"
    return Finding("unknown-attribute", message, hint, column=column, severity=WARNING)


def _bad(name: str, wrong: str, hint: str, column: int) -> Finding:
    return Finding("bad-attribute", f'The attribute "{name}" cannot be read: {wrong}.', hint, column=column)


@cache
def _parts() -> Callable[[str], Iterator[re.Match[str]]]:
    part = rf"{terminal('MANY')}|({terminal('NAME')}){terminal('IS')}({terminal('VALUE')})"
    return re.compile(part).finditer


@lru_cache(maxsize=_MEMO_SIZE)
def _day(text: str) -> int:
    return times.read_instant(text)


@lru_cache(maxsize=_MEMO_SIZE)
def _clock(text: str) -> int:
    return times.read_instant("2000-01-01" + text) - times.read_instant("2000-01-01")


def instant(text: str) -> int:
    """Read a time as ``times.read_instant`` does, faster where days and times of day repeat."""
    size = len(text)
    try:
        if size == 10:
            return _day(text)
        if size == 20 and text[19] == "Z":
            return _day(text[:10]) + _clock(text[10:])
        if 21 < size < 28 and text[19] == "." and text[-1] == "Z" and _fraction(text[20:-1]):
            return _day(text[:10]) + _clock(text[10:19] + "Z") + int(text[20:-1].ljust(6, "0"))
    except ValueError:
        pass
    return times.read_instant(text)


@lru_cache(maxsize=_MEMO_SIZE)
def confidence(text: str) -> float:
    """Read a number from 0 to 1; raise ValueError otherwise."""
    if _NUMBER.fullmatch(text):
        number = float(text) + 0.0
        if 0.0 <= number <= 1.0:
            return number
    raise ValueError(f"{reveal(text)} is not a number from 0 to 1")


@lru_cache(maxsize=_MEMO_SIZE)
def text_or_none(text: str) -> str | None:
    """Read a text; an empty one is like none."""
    return read_value(text) or None


def _quoted_instant(text: str) -> int:
    return instant(read_value(text))


def _quoted_confidence(text: str) -> float:
    return confidence(read_value(text))


@lru_cache(maxsize=_MEMO_SIZE)
def proposable(text: str) -> str:
    """Read the kind of line that a proposal proposes; raise ValueError otherwise."""
    if (kind := read_value(text)) not in PROPOSABLE:
        raise ValueError(f"{reveal(kind)} is not one of {', '.join(PROPOSABLE)}")
    return kind


def _many(text: str | None) -> bool:
    if text is not None:
        raise ValueError("it takes no value")
    return True


_READERS: dict[str, Callable[[str], object]] = dict.fromkeys(ATTRIBUTES, text_or_none) | {
    "valid_from": _quoted_instant,
    "valid_until": _quoted_instant,
    "recorded_at": _quoted_instant,
    "confidence": _quoted_confidence,
    "scope": read_value,
    "many": _many,
    "kind": proposable,
}
