"""Part of what SQL of an agent gives, as JSON has it, made in a process of its own: this module, started for it.

What is handed over is small whatever was asked, and the memory of that process is bounded by the system.
"""

from __future__ import annotations

import json
import os
import select
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import attrs

from loreweave.errors import BadRequest, LoreError
from loreweave.reports.question import Sql
from loreweave.store.apart import SPENT, Apart
from loreweave.times import Moment, read_time

if TYPE_CHECKING:
    from loreweave.store.limit import Room
    from loreweave.store.session import Session

MEMORY = "512MB"
"""How much memory a query has, as the database counts it; with all that it does not count it has twice as much."""

_LONG = 100_000
_MOST, _WIDE = 5_000, 2_000
"""Of how many rows, and items of one list, an answer is made at most, and from how long on a list becomes a text."""

_COUNTED = 100_000
"""Up to so many rows are counted of an answer; of more it is told that there are more."""

_AT_ONCE = 100
"""How many rows are taken from the database at a time, so that few long ones are held at once."""

_LOOK = 100
"""Milliseconds after which it is looked again how much memory is taken."""

_IDLE = 120.0
"""Seconds without a question after which the process ends; the next question starts another."""


@attrs.frozen
class Part:
    """Some rows of an answer: ``columns`` as name and type, and ``of`` rows in all, None for too many to count."""

    columns: list[list[str]]
    rows: list[list[Any]]
    of: int | None


class AsksApart(ABC):
    """SQL that is not to be trusted with the memory and the time of this process."""

    apart: Apart
    _scope_key: str | None

    @abstractmethod
    def on_disk(self, scope_key: str | None) -> AbstractContextManager[Path]:
        """Give the index on disk, brought up to date first."""

    def query_apart(self, sql: str, *, offset: int = 0, limit: int = 100, **said: Unpack[Sql]) -> Part:
        """Answer one SELECT over the index in a process of its own with ``limit`` rows from ``offset`` on, for JSON.

        Long texts and lists in them are cut. Raises BadRequest with the database's message and position.
        """
        seconds = said.get("timeout", 60.0)
        question: dict[str, object] = {
            "sql": sql,
            "parameters": said.get("parameters") or None,
            "moment": [read_time("as_of", said.get("as_of")), read_time("as_known_at", said.get("as_known_at"))],
            "seconds": seconds,
            "from": offset,
            "limit": min(limit, _MOST),
        }
        with self.on_disk(self._scope_key) as index:
            question |= {"index": str(index), "scope": self._scope_key}
            answer = self.apart.ask(__name__, question, seconds)
            if "wrong" in answer:
                kind, message, hint = answer["wrong"]
                raise _kind_named(kind)(message, hint)
        return Part(**answer)


def _kind_named(name: str) -> type[LoreError]:
    from loreweave.errors import StoreError
    from loreweave.store.opening import MissingIndex, NewerIndex, UnusableIndex

    kinds: tuple[type[LoreError], ...] = StoreError, MissingIndex, NewerIndex, UnusableIndex
    return {kind.__name__: kind for kind in kinds}.get(name, BadRequest)


def main() -> None:
    """Answer questions, one a line of standard input, until there are none for long or whoever asks has gone."""
    answering = _Answering()
    threading.Thread(target=_watch, args=(answering,), daemon=True).start()
    while select.select([sys.stdin], [], [], _IDLE)[0]:
        asked = sys.stdin.buffer.readline()
        sys.stdout.buffer.write(json.dumps(answering.answer(json.loads(asked))).encode() + b"\n")
        sys.stdout.buffer.flush()
    os._exit(0)


def _watch(answering: _Answering) -> None:
    """End as soon as nobody can ask any more, in the middle of an answer too, or more memory is taken than may be."""
    waiting = select.poll()
    waiting.register(sys.stdin, 0)  # that the other end is closed is told in any case
    while not waiting.poll(_LOOK):
        if answering.room is not None and answering.room.is_full:
            os._exit(1)
    os._exit(0)


class _Answering:
    """Questions answered from the index that stands now."""

    def __init__(self) -> None:
        self._place: tuple[str, str | None] | None = None
        self._session: Session | None = None
        self.room: Room | None = None

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Give part of an answer, or what is wrong; ``spent`` says that this process is no good for another one."""
        from loreweave.store.limit import Spent

        try:
            answer = self._part(asked)
        except LoreError as failed:
            wrong = [type(failed).__name__, failed.message, failed.hint]
            return {"wrong": wrong, SPENT: isinstance(failed, Spent) or self._is_used}
        except (MemoryError, RuntimeError):  # what no thread can be started for
            told = f"The query needs more memory than the {MEMORY} that it may have."
            return {"wrong": ["BadRequest", told, "ask for less, or give it more: --memory-limit"], SPENT: True}
        return answer | {SPENT: self._is_used}

    @property
    def _is_used(self) -> bool:
        return self.room is not None and self.room.is_used

    def _part(self, asked: dict[str, Any]) -> dict[str, Any]:
        session = self._session_on(asked["index"], asked["scope"])
        moment = Moment(*asked["moment"])
        with session.ask_guarded(asked["sql"], asked["parameters"], moment=moment, seconds=asked["seconds"]) as answer:
            rows, count = _page(answer.batches(_AT_ONCE), asked["from"], asked["limit"])
            return {"columns": answer.columns, "rows": rows, "of": count}

    def _session_on(self, index: str, scope: str | None) -> Session:
        from loreweave.store.limit import Room
        from loreweave.store.session import Session

        if self._session is None or (index, scope) != self._place or self._session.stale:
            if self._session is not None:
                self._session.close()
                self._session = None
            if self.room is not None:
                self.room.lift()
                self.room = None
            self._session = Session(Path(index), scope=scope, memory=MEMORY)
            self._place = index, scope
            self.room = Room(MEMORY)
        return self._session


def _page(batches: Iterable[list[tuple[Any, ...]]], offset: int, limit: int) -> tuple[list[list[Any]], int | None]:
    """Give the rows asked for, as far as they could be shown, and how many there are; None for too many to count."""
    rows: list[list[Any]] = []
    count = size = 0
    for batch in batches:
        for row in batch[max(0, offset - count) : max(0, offset + limit - count)]:
            if size < _LONG:
                rows.append([_cell(value) for value in row])
                size += len(_written(rows[-1]))
        count += len(batch)
        if count > max(_COUNTED, offset + limit):
            return rows, None
    return rows, count


def _cell(value: Any) -> Any:
    """Give a value as JSON has it, of a huge one no more than could be shown."""
    from loreweave.reports.rows import as_plain

    if isinstance(value, str | bytes):
        return as_plain(value if len(value) <= _LONG else value[:_LONG])
    made = as_plain(_beginning(value))
    return text if isinstance(made, list | dict) and len(text := _written(made)) > _WIDE else made


def _beginning(value: Any) -> Any:
    """Give the first items of a list, and of lists in it."""
    if isinstance(value, list | tuple):
        return [_beginning(each) for each in value[:_MOST]]
    return {name: _beginning(each) for name, each in value.items()} if isinstance(value, dict) else value


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
