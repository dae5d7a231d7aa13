"""The verbs of a vault as methods: what may be written, and what comes of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from loreweave.errors import BadRequest
from loreweave.events.model import DEFAULT_SCOPE, Line
from loreweave.events.slots import key
from loreweave.times import Time, read_time

if TYPE_CHECKING:
    from loreweave.engine import Engine
    from loreweave.engine.importing import Imported
    from loreweave.engine.outcome import Outcome


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


class Verbs:
    """Writes to one vault, in one scope. What would mean nothing is Refused before a byte is written."""

    engine: Engine
    scope: str

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
        line = self._line("fact", (subject, predicate, object), {"source": "stated", **said})
        return assert_fact(self.engine, Statement(line, many, then_resume), dry=dry_run)

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
        return invalidate_fact(self.engine, line, dry=dry_run)

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
        return retract_fact(self.engine, line, dry=dry_run)

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
        from loreweave.engine.importing import Order, import_facts
        from loreweave.engine.rowfiles import given_rows, read_rows

        found = read_rows(os.fspath(rows), format) if isinstance(rows, str | os.PathLike) else given_rows(rows)
        defaults = {"scope": self._written_scope(), **said}
        return import_facts(self.engine, Order(found, columns or {}, defaults, dry_run))

    def _line(self, kind: str, fields: tuple[str, str, str | None], said: dict[str, Any]) -> Line:
        """Make the line that is asked for, without a record time; raise BadRequest for what is no text."""
        texts = dict(zip(("subject", "predicate", "object"), fields, strict=True))
        for name, text in (texts | {name: said.get(name) for name in ("source", *Who.__annotations__)}).items():
            if text is not None and not isinstance(text, str):
                raise BadRequest(f"{name}: {text!r} is not a text.", "give it as a str")
        for name in ("valid_from", "valid_until"):
            said[name] = read_time(name, said.get(name))
        return Line(kind, *fields)._replace(scope=self._written_scope(), **said)

    def _written_scope(self) -> str | None:
        """Give the scope to write, None for the one that needs no word."""
        return None if key(self.scope) == DEFAULT_SCOPE else self.scope
