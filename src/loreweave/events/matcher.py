"""The fast way to read a line as it is usually written; whatever it does not take is left to the grammar.

It is composed from the grammar's own terminals, each in an atomic group. The law, held for any text: a line it takes
reads exactly as the grammar reads it, without a finding.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from loreweave.events.attributes import MEANINGFUL, confidence, instant, proposable, text_or_none
from loreweave.events.escapes import read_field, read_value
from loreweave.events.grammar import ATTRIBUTES, terminal
from loreweave.events.model import KINDS, Line
from loreweave.notes.visible import is_blank

_ABSENT = "((?!))?"
_new = tuple.__new__


def match(text: str) -> Line | None:
    """Read a line as the engine writes it: ``- [kind] …`` and known attributes in their order; None is not decided."""
    kind = text[3 : text.find("]", 3)]
    if kind not in KINDS or (taken := _taker(kind)(text)) is None:
        return None
    try:
        return _line(kind, taken.groups())
    except ValueError:
        return None


def _line(kind: str, taken: tuple[str | None, ...]) -> Line | None:
    subject, predicate, named, note, start, end, recorded, number, source, scope, many, by, because, *rest = taken
    subject = subject and read_field(subject.rstrip(" \t"))
    predicate = predicate and read_field(predicate.rstrip(" \t"))
    named = named and read_field(named.rstrip(" \t"))
    if (named is None and kind == "proposed") or (named is not None and is_blank(named)):
        return None
    episode, digest, proposal, proposed = rest
    fields = (
        kind,
        subject,
        predicate,
        named,
        start if start is None else instant(start),
        end if end is None else instant(end),
        recorded if recorded is None else instant(recorded),
        number if number is None else confidence(number),
        source if source is None else text_or_none(source),
        scope if scope is None else read_value(scope),
        many is not None,
        by if by is None else text_or_none(by),
        because if because is None else text_or_none(because),
        episode if episode is None else text_or_none(episode),
        note if note is None else text_or_none(note),
        digest if digest is None else text_or_none(digest),
        proposal if proposal is None else text_or_none(proposal),
        proposed if proposed is None else proposable(proposed),
    )
    return _new(Line, fields)


@cache
def _taker(kind: str) -> Callable[[str], re.Match[str] | None]:
    """Compile what takes lines of a kind; each costs 5 ms, and a command seldom needs more than one."""
    return re.compile(_pattern(kind)).match


def _pattern(kind: str) -> str:
    return terminal(kind.upper()) + _fields(kind) + rf"(?:\{{(?!\}}){_attributes(kind)}\}})?\Z"


def _fields(kind: str) -> str:
    subject, words, text = (f"({terminal(name)})" for name in ("SUBJECT", "WORDS", "TEXT"))
    between = terminal("SEPARATOR")
    if kind in ("fact", "observed"):
        return subject + between + subject + between + text
    if kind in ("invalidate", "retract", "withdrawn", "proposed"):
        return subject + between + words + f"(?:{between}{text})?"
    return _ABSENT + _ABSENT + text


def _attributes(kind: str) -> str:
    return "".join(_attribute(name) if name in MEANINGFUL[kind] else _ABSENT for name in ATTRIBUTES)


def _attribute(name: str) -> str:
    part = "(many)" if name == "many" else f"{name}=({terminal('VALUE')})"
    return rf"(?:{part}(?:, (?!\}})|(?=\}})))?"
