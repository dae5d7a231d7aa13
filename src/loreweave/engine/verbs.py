"""The verbs of a vault as methods: what may be written, and what comes of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from loreweave.engine.writer import Writer
from loreweave.errors import BadRequest, Refused
from loreweave.events.model import Line
from loreweave.events.proposals import CONCLUDED, quotes_a_person
from loreweave.times import Time, read_time

if TYPE_CHECKING:
    from loreweave.engine.importing import Imported
    from loreweave.engine.outcome import Outcome
    from loreweave.engine.stating import Statement


class Who(TypedDict, total=False):
    """Who says it, why, and what it was heard in."""

    by: str | None
    because: str | None
    episode: str | None


class OfFact(Who, total=False):
    """What may be said of a statement beside its value.

    ``source`` is ``stated`` or ``inferred``; ``many`` None leaves it to the slot; ``then_resume`` restates from
    ``valid_until`` on what held before ``valid_from``.
    """

    valid_from: Time
    valid_until: Time
    confidence: float | None
    source: str
    many: bool | None
    then_resume: bool


class OfClose(Who, total=False):
    """What may be said of a close beside its slot: when it ended."""

    valid_until: Time


class OfRetraction(Who, total=False):
    """What may be said of a retraction beside its slot: the start it is meant for."""

    valid_from: Time


_SAYABLE = {
    "fact": OfFact.__annotations__.keys(),
    "invalidate": OfClose.__annotations__.keys(),
    "retract": OfRetraction.__annotations__.keys(),
}
"""What may be said with a line of each kind."""


class Verbs(Writer):
    """Writes to one vault, in one scope. What would mean nothing is Refused before a byte is written.

    What an agent says is inferred unless it quotes a person; where the settings say so, it is only proposed.
    """

    def assert_fact(
        self,
        subject: str,
        predicate: str,
        object: str,  # noqa: A002 - the word of the column, the flag and the glossary
        *,
        dry_run: bool = False,
        **said: Unpack[OfFact],
    ) -> Outcome:
        """State a value of a slot, from ``valid_from`` or else from now on; ``dry_run`` only tells what it would do.

        Raises BadRequest for a time that cannot be read.
        """
        from loreweave.engine.stating import Statement, assert_fact

        many, then_resume = said.pop("many", None), said.pop("then_resume", False)
        source = "stated" if self.agent is None else CONCLUDED
        line = self._line("fact", (subject, predicate, object), {"source": source, **said})
        return self._write(assert_fact, Statement(line, many, then_resume), dry_run)

    def invalidate_fact(
        self,
        subject: str,
        predicate: str,
        object: str | None = None,  # noqa: A002 - see above
        *,
        dry_run: bool = False,
        **said: Unpack[OfClose],
    ) -> Outcome:
        """End what a slot holds, or one object of it, at ``valid_until`` or else now."""
        from loreweave.engine.closing import invalidate_fact

        line = self._line("invalidate", (subject, predicate, object), {**said})
        return self._write(invalidate_fact, line, dry_run)

    def retract_fact(
        self,
        subject: str,
        predicate: str,
        object: str | None = None,  # noqa: A002 - see above
        *,
        dry_run: bool = False,
        **said: Unpack[OfRetraction],
    ) -> Outcome:
        """Unsay what a slot was said to hold, or the object and the start given: it was never right."""
        from loreweave.engine.closing import retract_fact

        line = self._line("retract", (subject, predicate, object), {**said})
        return self._write(retract_fact, line, dry_run)

    def import_facts(
        self,
        rows: str | os.PathLike[str] | Iterable[Mapping[str, object]],
        *,
        format: str | None = None,  # noqa: A002 - the word of the flag
        columns: Mapping[str, str] | None = None,
        dry_run: bool = False,
        **said: Unpack[Who],
    ) -> Imported:
        """Assert every row of a CSV, JSON lines or Parquet file (``-``: standard input), or of mappings, or none.

        ``columns`` names for a field the column that holds it; a record time is taken only where it is named there.
        ``by``, ``because`` and ``episode`` are for rows that have none. Raises BadRequest for an unreadable file.
        """
        self.refuse_agent("Importing")
        from loreweave.engine.importing import Order, import_facts
        from loreweave.engine.rowfiles import given_rows, read_rows

        found = read_rows(os.fspath(rows), format) if isinstance(rows, str | os.PathLike) else given_rows(rows)
        defaults = {"scope": self.written_scope(), **said}
        return import_facts(self.engine, Order(found, columns or {}, defaults, dry_run))

    def _write(self, write: Callable[..., Outcome], asked: Statement | Line, dry: bool) -> Outcome:
        """Write what is asked for, or only propose it."""
        if not self.only_proposes():
            return write(self.engine, asked, dry=dry)
        from loreweave.engine.proposing import propose

        return propose(self.engine, asked, dry=dry)

    def _line(self, kind: str, fields: tuple[str, str, str | None], said: dict[str, Any]) -> Line:
        """Make the line that is asked for, without a record time; raise BadRequest for what is no text."""
        texts = dict(zip(("subject", "predicate", "object"), fields, strict=True))
        _refuse_unreadable(kind, texts, said)
        for name in ("valid_from", "valid_until"):
            said[name] = read_time(name, said.get(name))
        if self.agent is not None:
            said["by"] = self.signed(said.get("by"))
            _refuse_unquoted(said)
            for name in ("subject", "predicate", "object", "because", "episode"):
                self.refuse_obeyed(name, texts.get(name) or said.get(name))
        return Line(kind, *fields)._replace(scope=self.written_scope(), **said)


def _refuse_unreadable(kind: str, texts: Mapping[str, object], said: Mapping[str, Any]) -> None:
    """Raise BadRequest for what may not be said with a line of a kind, and for what is no text or number."""
    unknown = said.keys() - _SAYABLE[kind]
    if unknown:
        raise BadRequest(f'"{min(unknown)}" is nothing that may be said with it.', "leave it out")
    for name, text in {**texts, **{name: said.get(name) for name in ("source", *Who.__annotations__)}}.items():
        if text is not None and not isinstance(text, str):
            raise BadRequest(f"{name}: {text!r} is not a text.", "give it as a str")
    confidence = said.get("confidence")
    if confidence is not None and (not isinstance(confidence, int | float) or isinstance(confidence, bool)):
        raise BadRequest(f"confidence: {confidence!r} is not a number.", "give a number such as 0.9")


def _refuse_unquoted(said: Mapping[str, Any]) -> None:
    """Raise Refused where an agent says that somebody stated something, and does not say in which words."""
    source = said.get("source")
    if source == "stated" and not quotes_a_person(source, said.get("because")):
        told = "An agent states what a person said by quoting that person in because; anything else is inferred."
        raise Refused(told, "give because='Priya: \"we shipped on Monday\"', or source=inferred")
