"""What one line says: a ``Line``, or findings that tell what is wrong with it and how to write it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from loreweave.errors import ERROR, Finding
from loreweave.events.attributes import Block, read_block
from loreweave.events.escapes import read_field
from loreweave.events.grammar import grammar
from loreweave.events.matcher import match
from loreweave.events.misses import missing, near_miss, stray_braces, tag_of, unreadable
from loreweave.events.model import KINDS, SLOT_KINDS, Line
from loreweave.events.slots import is_blank

if TYPE_CHECKING:
    from lark import Lark, Token, UnexpectedInput

_NO_BLOCK = Block({}, [], True)
_GUARDED = ("invalidate", "retract", "withdrawn")
_EXAMPLES = (("subject", ""), ("predicate", "a"), ("predicate", "a ::"), ("object", "a :: b"))


class Reading(NamedTuple):
    """What a line says, and what there is to say about it; ``(None, ())`` is an ordinary bullet or prose.

    Findings carry a column, from 1, and no path or line. With an error among them ``line`` is None.
    """

    line: Line | None
    findings: tuple[Finding, ...] = ()


def parse_line(text: str) -> Reading:
    """Read one line, given without its end; nothing is raised."""
    line = match(text)
    return Reading(line) if line is not None else parse_by_grammar(text)


def parse_by_grammar(text: str) -> Reading:
    """Read one line with the grammar alone: the definition of what ``parse_line`` gives."""
    kind = tag_of(text)
    if kind is None:
        finding = near_miss(text)
        return Reading(None, (finding,) if finding else ())
    from lark import UnexpectedInput

    try:
        fields = parser().parse(text)
    except UnexpectedInput as error:
        return Reading(None, (_diagnosis(kind, text, error),))
    return _reading(kind, text, *fields)  # type: ignore[misc]


@cache
def parser() -> Lark:
    """Build the parser: it gives subject, predicate, object and attribute block as written, None where there is none."""
    from lark import Lark, Transformer

    class Fields(Transformer[Any, Any]):
        def object(self, pieces: list[str]) -> str:
            return "".join(pieces)

        def value(self, pieces: list[str | None]) -> str:
            return pieces[0] or ""

        def claim(self, pieces: list[Any]) -> list[Any]:
            return pieces[1:]

        def naming(self, pieces: list[Any]) -> list[Any]:
            return [None, None, *pieces[1:]]

        words = object
        fact = observed = invalidate = retract = withdrawn = proposed = claim
        rejected = used = session = walked = naming

    return Lark(grammar(), parser="lalr", maybe_placeholders=True, transformer=Fields())


def _reading(
    kind: str, text: str, subject: str | None, predicate: str | None, named: str | None, block: Token | None
) -> Reading:
    read, end = _NO_BLOCK, len(text)
    if block is not None:
        read, end = read_block(kind, block, block.start_pos + 1), block.start_pos
    if block is not None and not read.is_known:
        read, end = _NO_BLOCK, len(text)
        if named is None and kind in SLOT_KINDS:
            predicate = (predicate or "") + block
        else:
            named = (named or "") + block
    field, ending = ("predicate", predicate or "") if named is None else ("object", named)
    stray = stray_braces(field, ending, end - len(ending) + 1)
    findings = [*([] if stray is None else [stray]), *read.findings]
    line = Line(kind, _value(subject), _value(predicate), _value(named), **read.values)  # type: ignore[arg-type]
    lacking = _lacking(line)
    if lacking:
        findings.append(missing(kind, lacking, text, end + 1))
    if any(finding.severity == ERROR for finding in findings):
        return Reading(None, tuple(findings))
    return Reading(_without_blank_guard(line), tuple(findings))


def _value(raw: str | None) -> str | None:
    return None if raw is None else read_field(raw.strip(" \t"))


def _lacking(line: Line) -> str | None:
    if line.kind not in SLOT_KINDS:
        return None if line.object else "name"
    if not line.predicate:
        return "predicate"
    return "object" if line.kind == "proposed" and line.proposed in (None, "fact") and line.object is None else None


def _without_blank_guard(line: Line) -> Line:
    guards = line.kind in _GUARDED or line.proposed in _GUARDED
    return line._replace(object=None) if guards and line.object is not None and is_blank(line.object) else line


def _diagnosis(kind: str, text: str, error: UnexpectedInput) -> Finding:
    """Name what is missing: the state in which the parser stopped is the one in which an example stops that lacks it."""
    at_end = getattr(error, "token", None) is not None
    column = len(text.rstrip(" \t")) + 1 if at_end else (error.pos_in_stream or 0) + 1
    lacking = None if "\n" in text or "\r" in text else _stops().get(_state(error))
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
