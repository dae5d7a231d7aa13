"""``Lore``: a vault opened. Every question and every verb is a method; the commands are thin layers over these."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from copy import copy
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Unpack

import attrs

from loreweave import clock
from loreweave.engine.capturing import Capturing
from loreweave.engine.dreaming import Dreaming
from loreweave.engine.gate import Gate
from loreweave.engine.opened import Opened
from loreweave.engine.reinforcing import Reinforces
from loreweave.engine.sessions import Sessions
from loreweave.engine.verbs import Verbs
from loreweave.engine.writer import agent_named
from loreweave.errors import BadRequest
from loreweave.events.model import DEFAULT_SCOPE
from loreweave.reports.apart import AsksApart
from loreweave.reports.dreams import Dreams
from loreweave.reports.pack import Packs
from loreweave.reports.question import Sql, named
from loreweave.reports.reading import ReadsNotes
from loreweave.reports.resume import Resumes
from loreweave.reports.reviews import Reviews
from loreweave.reports.timeline import Timelines
from loreweave.times import Moment, Time, read_time

if TYPE_CHECKING:
    import pyarrow as pa

    from loreweave.engine.embedding import Embedded, Told
    from loreweave.engine.exporting import Exported
    from loreweave.engine.history import Walked
    from loreweave.engine.observing import Indexed
    from loreweave.engine.watching import Seen
    from loreweave.errors import Finding
    from loreweave.reports.doctor import Examination
    from loreweave.reports.graph import Graph
    from loreweave.reports.redactions import Redactions
    from loreweave.reports.stats import Stats
    from loreweave.reports.tally import Tally
    from loreweave.reports.waiting import Waiting
    from loreweave.search.dense import Ask, Nearest
    from loreweave.store.session import Answer as Rows
    from loreweave.store.session import Session
    from loreweave.vault.embedding import Embedding
    from loreweave.vault.founding import Founded

EXPORTS = ("parquet", "csv", "jsonl")
LONGEST_SECONDS = 86_400.0
"""How long a query may be let run."""

EXPORT_SECONDS = 3_600.0
"""How long one table may take to be exported."""

_MEMORY = re.compile(r"[0-9]+(\.[0-9]+)? ?([KMGT]i?)?B", re.IGNORECASE).fullmatch


class Lore(
    Opened,
    AsksApart,
    Dreaming,
    Packs,
    ReadsNotes,
    Reviews,
    Timelines,
    Dreams,
    Sessions,
    Resumes,
    Capturing,
    Reinforces,
    Gate,
    Verbs,
):
    """A vault, and the scope that questions and verbs are for. Safe from several threads; close it, or use ``with``."""

    def __init__(
        self,
        vault: str | os.PathLike[str] | None = None,
        *,
        scope: str | None = None,
        agent: str | None = None,
        refresh: bool = True,
        live: bool = False,
    ) -> None:
        """Open a vault; with ``refresh`` False answers come from the index as it stands.

        ``agent`` is the name of an agent it is opened for: it writes under that name, and the review gate holds for it.
        ``live`` is for who stays: the index is held open and patched, which is quick, until it is closed.
        """
        super().__init__(vault, refresh=refresh, live=live)
        self.scope = DEFAULT_SCOPE if scope is None else scope
        self.agent = agent_named(agent)
        self._scope_key = None if scope is None else named("scope", scope)
        self._near_lock = threading.Lock()
        self._nearest: dict[tuple[Path, Embedding], Nearest] = {}

    def close(self) -> None:
        """Let go of the index. The vault may be asked again: it is opened anew."""
        with self._near_lock:
            self._forget_nearest()
        super().close()

    def _forget_nearest(self) -> None:
        while self._nearest:
            self._nearest.popitem()[1].close()

    def for_agent(self, name: str) -> Lore:
        """Give the same vault for an agent of that name: what is held open is shared, and closed with this one.

        An agent gets it under no other name than its own.
        """
        if name is None:
            raise BadRequest("agent: no name is given.", "give one such as scout")
        shared = copy(self)
        shared.agent = agent_named(name)
        self.signed(shared.agent)
        return shared

    # -------------------------------------------------------------------------------------------- SQL

    @contextmanager
    def query(self, sql: str, **said: Unpack[Sql]) -> Iterator[Rows]:
        """Answer one SELECT over the index: ``columns``, and ``batches()`` of rows as they come.

        Raises BadRequest with the database's message and position.
        """
        with self._asking_sql(said) as (session, moment, seconds):
            parameters = said.get("parameters") or None
            with session.ask_guarded(sql, parameters, moment=moment, seconds=seconds) as rows:
                yield rows

    def query_to(self, file: IO[bytes], format: str, sql: str, **said: Unpack[Sql]) -> int:  # noqa: A002 - see above
        """Answer as ``query`` does, written to a file as ``parquet`` or ``arrow``; give the number of rows."""
        from loreweave.engine.exporting import write_batches

        with self._asking_sql(said) as (session, moment, seconds):
            parameters = said.get("parameters") or None
            reader = session.ask_arrow(sql, parameters, moment=moment, seconds=seconds)
            return write_batches(reader, format, file)

    def sql(self, sql: str, *, as_of: Time = None, as_known_at: Time = None, **parameters: object) -> pa.Table:
        """Answer one SELECT over the index with an Arrow table; ``$name`` in it is the parameter of that name."""
        with self._asking_sql({"as_of": as_of, "as_known_at": as_known_at}) as (session, moment, seconds):
            return session.ask_arrow(sql, parameters or None, moment=moment, seconds=seconds).read_all()

    def output(self, path: str, *, force: bool = False) -> AbstractContextManager[IO[bytes]]:
        """Give a file outside the record to write to, put in its place once it is whole."""
        self.refuse_agent("Writing a file")
        from loreweave.vault.output import output_file

        return output_file(self.engine.root, path, force=force)

    # -------------------------------------------------------------------------------------- the record

    def init(self) -> Founded:
        """Write ``lore/config.toml`` and what git is to know of the record, where they are not there yet."""
        self.refuse_agent("Setting a vault up")
        from loreweave.vault.founding import found

        return found(self.engine.root)

    def index(self, *, full: bool = False, start_over: bool = False) -> Indexed:
        """Record what the notes state now and what they state no longer, then bring the index up to date.

        ``full`` reads every file anew; ``start_over`` goes on where lines of the ledger are lost. Raises Refused where
        they are, and nothing is written. An agent in a scope is told of what that came to in it, and of nothing else.
        """
        if start_over:
            self.refuse_agent("Letting lines of the ledger go")
        from loreweave.engine.observing import index
        from loreweave.engine.within import index_within

        if self.agent is None or self._scope_key is None:
            return index(self.engine, whole=full, start_over=start_over)
        return index_within(self.engine, self._scope_key, whole=full)

    def index_from_git(self, *, start_over: bool = False) -> Walked:
        """Record what the notes stated at each commit of the vault's repository that was not walked yet.

        Raises Refused where the ledger has observations of its own or the history is another than the one walked so
        far, VaultError where there is none.
        """
        self.refuse_agent("Recording the history of the notes")
        from loreweave.engine.history import index_history

        return index_history(self.engine, start_over=start_over)

    def embed(self, *, told: Told | None = None) -> Embedded | None:
        """Make the vectors that passages of the index lack, where the settings name a provider of embeddings.

        ``told`` is called with how many were made and of how many, as it goes on.
        """
        from loreweave.engine.embedding import embed

        return embed(self.engine, told=told)

    def watch(self, stop: threading.Event, *, poll: bool = False) -> Iterator[Seen]:
        """Do what ``index`` does whenever something in the vault changes, until told to stop; tell what came of it.

        ``poll`` looks every two seconds instead of being told by the system.
        """
        from loreweave.engine.watching import watch

        return watch(self.engine, stop, poll=poll)

    def replay(self, *, cold: bool = False, digest: str | None = None) -> Tally:
        """Make the index from the files, what changed or with ``cold`` everything; count what came of it.

        ``digest`` is ``all`` or ``answers``, and costs a pass over the tables.
        """
        self.refresh(whole=cold)
        return self.tally(digest=digest)

    def tally(self, *, digest: str | None = None) -> Tally:
        """Count what the index holds as it stands, whatever the files say by now; ``digest`` as in ``replay``."""
        from loreweave.reports.tally import tally, with_digest
        from loreweave.store.digest import digest as digest_of

        self.engine.publish()
        with self._healing():
            session = self._session(None)
            made = tally(session)
            return with_digest(made, digest_of(session, digest)) if digest else made

    def waiting(self) -> Waiting:
        """Count the values of notes that wait to be recorded, and those that wait to be withdrawn."""
        from loreweave.reports.waiting import waiting

        with self.asking() as session:
            found = waiting(session, self._scope_key)
        return attrs.evolve(found, observer=self.observer()) if found else found

    def observer(self) -> str | None:
        """Give the machine that observes this vault, where that is another than this one."""
        from loreweave.engine.examining import observer

        return observer(self.engine.root)

    def errors(self, *, limit: int = 20) -> tuple[Finding, ...]:
        """Give the first findings that leave a line without effect."""
        from loreweave.reports.tally import errors

        with self.asking() as session:
            return errors(session, limit)

    def doctor(self, *, against: str | None = None) -> Examination:
        """Examine index and record; ``against`` another index file or a git revision, list lines gone or changed."""
        from loreweave.engine import examining
        from loreweave.reports import doctor

        with self.asking(heed_settings=False, is_shut=True) as session:
            undated = examining.undated(self.engine.root, doctor.origins(session))
            return doctor.Examination(
                faults=examining.faults(self.engine.root, session),
                settings=examining.settings_fault(self.engine.root),
                findings=doctor.complaints(session),
                record_times=doctor.record_times(session, clock.now()),
                undated=len(undated),
                undated_places=undated[: doctor.PLACES],
                rows=doctor.sizes(session),
                bytes=examining.weights(self.engine.root, self.engine.index),
                by_alias=doctor.by_alias(session),
                redactions=None if against is None else self._redactions(session, against),
            )

    def stats(self) -> Stats:
        """Count what the index holds of the scope, name what is spoken of most, and weigh the files."""
        from loreweave.engine.examining import weights
        from loreweave.reports.stats import stats

        with self.asking() as session:
            return stats(session, self.scope, clock.now(), weights(self.engine.root, self.engine.index))

    def export(self, format: str, folder: str, *, force: bool = False) -> Exported:  # noqa: A002 - see above
        """Write every table as ``parquet``, ``csv`` or ``jsonl`` files with a manifest that carries the digest."""
        from loreweave.engine.exporting import export
        from loreweave.vault.output import output_folder

        self.refuse_agent("Exporting to files")
        if format not in EXPORTS:
            raise BadRequest(f'format must be one of {", ".join(EXPORTS)}, not "{format}".')
        with self._asking_sql({}) as (session, _, _), output_folder(self.engine.root, folder, force=force) as target:
            return export(session, format, target, partial(_write_table, session, format))

    def graph_export(self, file: IO[bytes], format: str = "json") -> Graph:  # noqa: A002 - see above
        """Write the graph of entities of the scope to a file as ``json``, ``graphml`` or ``dot``; count what it has."""
        from loreweave.reports.graph import FORMATS, write

        if format not in FORMATS:
            raise BadRequest(f'format must be one of {", ".join(FORMATS)}, not "{format}".')
        with self.asking() as session:
            return write(session, named("scope", self.scope), format, file)

    # ------------------------------------------------------------------------------------------- below

    def lines_named(self, session: Session, address: str) -> tuple[str, tuple[int, int] | None]:
        """Give the path and the lines that an address names, None for all; raise Refused for what is not there."""
        from loreweave.reports.addresses import place_of
        from loreweave.reports.reading import lines_named

        place = place_of(session.rows, address, self.scope)
        whole = not place.anchor and place.start is None
        return place.path, None if whole else lines_named(place, self.note_text(place.path))

    def note_text(self, path: str) -> str:
        """Give the text of a note as its file has it now; raise VaultError where it cannot be read."""
        from loreweave.engine.reading import note_text

        return note_text(self.engine.root, path)

    def dense(self, session: Session) -> Ask | None:
        """Give what compares questions with spans by their meaning, where the settings name a provider."""
        from loreweave.vault.append import VECTORS
        from loreweave.vault.config import read_config

        settings = read_config(self.engine.root).embedding
        if settings.provider == "none":
            return None
        from loreweave.search.dense import Nearest
        from loreweave.vault.root import refuse_outside

        refuse_outside(self.engine.root, VECTORS)
        with self._near_lock:
            place = self.engine.index, settings
            if place not in self._nearest:
                self._forget_nearest()
                files = self.engine.index, self.engine.root / VECTORS
                self._nearest[place] = Nearest(files, settings, self.engine.root)
            return partial(self._nearest[place].ask, session)

    @contextmanager
    def _asking_sql(self, said: Sql) -> Iterator[tuple[Session, Moment, float]]:
        """Give a session that holds the scope alone, or every scope, and what was said of the question."""
        from loreweave.store.session import MEMORY, SECONDS, Session

        moment = Moment(read_time("as_of", said.get("as_of")), read_time("as_known_at", said.get("as_known_at")))
        memory, seconds = said.get("memory_limit", MEMORY), said.get("timeout", SECONDS)
        if not 0 < seconds <= LONGEST_SECONDS:
            told = f'timeout: "{seconds}" is not above 0 and up to {LONGEST_SECONDS:,.0f} seconds.'
            raise BadRequest(told, "give one such as 60")
        if not _MEMORY(memory):
            raise BadRequest(f'memory-limit: "{memory}" is not an amount of memory.', "give one such as 500MB or 4GB")
        with self.asking(self._scope_key, is_shut=True) as session:
            if memory == MEMORY:
                yield session, moment, seconds
                return
            with Session(self.engine.index, scope=self._scope_key, memory=memory) as roomy:
                yield roomy, moment, seconds

    def _redactions(self, session: Session, against: str) -> Redactions:
        from loreweave.reports.redactions import redactions, said_by, said_in

        if os.path.isfile(against):
            from loreweave.engine.examining import earlier_index

            with earlier_index(against) as old:
                before = said_in(old)
        else:
            from loreweave.engine.examining import rows_at

            before = said_by(rows_at(self.engine.root, against))
        return redactions(against, before, said_in(session))


def _write_table(session: Session, format_: str, file: IO[bytes], sql: str) -> int:
    """Write the answer to one question of our own to a file; give the number of rows."""
    if format_ == "parquet":
        from loreweave.engine.exporting import write_batches

        return write_batches(session.ask_arrow(sql, seconds=EXPORT_SECONDS), format_, file)
    from loreweave.reports import rows

    with session.ask_guarded(sql, seconds=EXPORT_SECONDS) as answer:
        return rows.write(file, answer.columns, answer.batches(), rows.TEXTS[format_])
