"""A line read by the grammar: a ``Line``, or findings that tell what is wrong with it and how to write it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from loreweave.errors import ERROR, Finding
from loreweave.events.attributes import Block, read_block
from loreweave.events.escapes import read_field
from loreweave.events.grammar import grammar
from loreweave.events.misses import missing, near_miss, stray_braces, tag_of, unreadable
from loreweave.events.model import KINDS, SLOT_KINDS, Line
from loreweave.notes.visible import is_blank

if TYPE_CHECKING:
    from lark import Lark, Token, UnexpectedInput

_NO_BLOCK = Block({}, (), is_known=True)
_GUARDED = ("invalidate", "retract", "withdrawn")
_EXAMPLES = (("subject", ""), ("predicate", "a"), ("object", "a :: b"))
"""What each example of fields lacks."""


class Reading(NamedTuple):
    """What a line says, and what there is to say about it; ``(None, ())`` is an ordinary bullet or prose.

    Findings carry a column, from 1, and no path or line. With an error among them ``line`` is None.
    """

    line: Line | None
    findings: tuple[Finding, ...] = ()


class Written(NamedTuple):
    """The parts of a line as they are written; None where there is none."""

    subject: str | None
    predicate: str | None
    object: str | None
    block: str | None


def parse_by_grammar(text: str) -> Reading:
    """Read one line, given without its end: the definition of what a line says. Nothing is raised."""
    kind = tag_of(text)
    if kind is None:
        finding = near_miss(text)
        return Reading(None, (finding,) if finding else ())
    from lark import UnexpectedInput

    try:
        written: Any = parser().parse(text)
    except UnexpectedInput as error:
        return Reading(None, (_diagnosis(kind, text, error),))
    return _reading(kind, text, written)


@cache
def parser() -> Lark:
    """Build the parser of one line, which gives it as ``Written``."""
    from lark import Lark, Transformer

    class Parts(Transformer[Any, Written]):
        def text(self, pieces: list[str | None]) -> str:
            return "".join(filter(None, pieces))

        def claim(self, pieces: list[Any]) -> Written:
            _, subject, predicate, named, more, block = pieces
            return Written(subject, predicate[2:], named[2:] + (more or ""), block)

        def close(self, pieces: list[Any]) -> Written:
            _, subject, predicate, more, guard, block = pieces
            return Written(subject, predicate[2:] + (more or ""), guard and guard[2:], block)

        def naming(self, pieces: list[Any]) -> Written:
            return Written(None, None, *pieces[1:])

        more_text = more_words = guard = text
        fact = observed = claim
        invalidate = retract = withdrawn = proposed = close
        rejected = used = session = walked = naming

    return Lark(grammar(), parser="lalr", maybe_placeholders=True, transformer=Parts())


def _reading(kind: str, text: str, written: Written) -> Reading:
    start = len(text) - len(written.block or "")
    block = read_block(kind, written.block, start + 1) if written.block else _NO_BLOCK
    if not block.is_known:
        block, written, start = _NO_BLOCK, _without_block(kind, written), len(text)
    field, ending = ("predicate", written.predicate) if written.object is None else ("object", written.object)
    stray = stray_braces(field, ending or "", start + 1)
    line = Line(kind, *map(_value, written[:3]), **block.values)  # type: ignore[arg-type]
    lacking = _lacking(line)
    if stray is None and lacking is None and not block.findings:
        return Reading(_without_blank_guard(line))
    findings = (
        *([stray] if stray else []),
        *block.findings,
        *([missing(kind, lacking, text, start + 1)] if lacking else []),
    )
    is_read = all(finding.severity != ERROR for finding in findings)
    return Reading(_without_blank_guard(line) if is_read else None, findings)


def _without_block(kind: str, written: Written) -> Written:
    """Give a block in which no name is known back to the field before it."""
    subject, predicate, named, block = written
    if named is None and kind in SLOT_KINDS:
        return Written(subject, (predicate or "") + (block or ""), None, None)
    return Written(subject, predicate, (named or "") + (block or ""), None)


def _value(raw: str | None) -> str | None:
    return None if raw is None else read_field(raw.strip(" \t"))


def _lacking(line: Line) -> str | None:
    if line.kind not in SLOT_KINDS:
        return None if line.object else "name"
    if not line.predicate:
        return "predicate"
    needs_object = line.kind == "proposed" and line.proposed not in _GUARDED
    return "object" if needs_object and line.object is None else None


def _without_blank_guard(line: Line) -> Line:
    if line.object is None or not is_blank(line.object):
        return line
    return line._replace(object=None) if line.kind in _GUARDED or line.proposed in _GUARDED else line


def _diagnosis(kind: str, text: str, error: UnexpectedInput) -> Finding:
    """Name what is missing by the state in which the parser stopped: an example that lacks it stops there too."""
    token: Token | None = getattr(error, "token", None)
    at_end = token is not None and token.type == "$END"
    column = len(text.rstrip(" \t")) + 1 if at_end else cast(int, error.pos_in_stream) + 1
    lacking = None if "\n" in text or "\r" in text else _stops().get(_state(error))
    if lacking == "object" and text.rstrip(" \t").endswith("::"):
        lacking = "predicate"
    return missing(kind, lacking, text, column) if lacking else unreadable(kind, text, column)


@cache
def _stops() -> dict[int, str]:
    from lark import UnexpectedInput

    stops = {}
    for kind in KINDS:
        for lacking, fields in _EXAMPLES:
            try:
                parser().parse(f"- [{kind}] {fields}")
            except UnexpectedInput as error:
                stops[_state(error)] = lacking
    return stops


def _state(error: UnexpectedInput) -> int:
    state: Any = error.state
    return int(state.position)
