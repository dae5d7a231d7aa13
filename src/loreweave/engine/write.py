"""Writing is reading: a line is rendered, read back, judged by what it would change, appended and replayed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import attrs

from loreweave.engine import replay
from loreweave.engine.reading import read_file, read_text, tail_of
from loreweave.errors import ERROR, Refused, VaultError
from loreweave.events.model import EventRow, Line
from loreweave.events.parse import parse_line
from loreweave.events.read import Record, can_follow
from loreweave.events.render import render
from loreweave.notes.visible import as_name
from loreweave.projections.refold import Refold, refold
from loreweave.store.draft import Draft, Slot
from loreweave.store.sources import Source
from loreweave.times import DAY, Instant, read_instant, show_instant
from loreweave.vault.read import decode, ends_line, read_bytes
from loreweave.vault.root import JOURNAL, refuse_outside
from loreweave.vault.walk import stamp_of

LAST = read_instant("9999-12-31T23:59:59.999999Z")
"""The last instant that can be written."""


@attrs.frozen
class Before:
    """What a writer may look at: the slot's event rows as they stand, and the record time it will get."""

    rows: list[EventRow]
    recorded_at: Instant


@attrs.frozen
class Written:
    """Lines written, or with ``dry`` about to be: where, and what the slot came to before and after."""

    path: str
    line: int
    lines: tuple[str, ...]
    events: tuple[EventRow, ...]
    recorded_at: Instant
    before: Refold
    after: Refold
    dry: bool = False


Compose = Callable[[Before], Sequence[Line]]
"""Gives the lines to write, without record times; raises Refused."""

Judge = Callable[[Written], None]
"""Looks at what the lines would change; raises Refused where they would mean nothing."""


@attrs.frozen
class Request:
    """What is asked to be written: how its lines are made, how what they would change is judged, and when."""

    compose: Compose
    judge: Judge
    now: Instant
    dry: bool = False


def prepare(root: Path, draft: Draft, slot: Slot, request: Request) -> Written:
    """Compose and judge lines of one slot for today's journal; raises Refused. Nothing is written yet."""
    recorded_at = record_time(draft, request.now)
    rows = draft.rows_of([slot])
    lines = [line._replace(recorded_at=recorded_at) for line in request.compose(Before(rows, recorded_at))]
    path = journal_of(recorded_at)
    texts = tuple(rendered(line) for line in lines)
    foreseen = foresee(root, draft, path, texts)
    written = Written(
        path,
        min((int(str(row[-1])) for row in foreseen), default=0),
        texts,
        tuple(foreseen),
        recorded_at,
        refold(rows),
        refold(rows + foreseen),
        request.dry,
    )
    request.judge(written)
    return written


def journal_of(recorded_at: Instant) -> str:
    """Give the file of the journal for lines recorded at an instant."""
    return f"{JOURNAL}/{show_instant(recorded_at)[:10]}.md"


def follow(root: Path, draft: Draft, path: str, before: Source | None) -> None:
    """Replay in the draft what was appended to a file, of which ``before`` was known."""
    stamp = stamp_of(root / path)
    if stamp is None:
        raise VaultError(f'"{path}" vanished after it was written.', "look for what else writes to the vault")
    replay.follow(draft, read_file(root, path, stamp, before))
    read_text.cache_clear()


def rendered(line: Line) -> str:
    """Render a line and read it back; raise Refused where that does not give the same line."""
    text = render(line)
    back = parse_line(text)
    if back.line != line:
        finding = back.findings[0] if back.findings else None
        reason = finding.message if finding else f"it would be read as {back.line}"
        raise Refused(f"The line {text!r} cannot be written: {reason}", finding.hint if finding else "", finding)
    return text


def record_time(draft: Draft, now: Instant) -> Instant:
    """Give the next record time: now, or just after the last one; never more than a day ahead of now."""
    last = draft.last_recorded()
    if last is None or now > last:
        return now
    if last - now > DAY:
        place = as_name(draft.place_of(last))
        raise Refused(
            f"The last record time in this vault is {show_instant(last)} ({place}), more than a day ahead of now, "
            f"{show_instant(now)}: everything written would follow it.",
            "correct that line, or the clock",
        )
    if last == LAST:
        place = as_name(draft.place_of(last))
        raise Refused(f"The last record time in this vault ({place}) is the last there is.", "correct that line")
    return last + 1


def foresee(root: Path, draft: Draft, path: str, texts: Sequence[str]) -> list[EventRow]:
    """Read lines as they will stand at the end of a file of the record; raise Refused where they would not be read."""
    try:
        record = _read_ahead(root, draft, path, "".join(f"{text}\n" for text in texts))
    except OSError as failed:
        raise VaultError(f'"{path}" cannot be read: {failed.strerror}.', "put a regular file in its place") from None
    first = record.lines - len(texts) + 1
    errors = [finding for finding in record.findings if finding.severity == ERROR and finding.line >= first]
    new = [row for row in record.rows if int(str(row[-1])) >= first]
    if len(new) == len(texts):
        return new
    if errors:
        raise Refused(errors[-1].message, errors[-1].hint, errors[-1])
    raise Refused(
        f'"{path}" ends within a code fence or comment, so that what is appended would not be read.',
        "close it with a line of its own",
    )


def _read_ahead(root: Path, draft: Draft, path: str, tail: str) -> Record:
    refuse_outside(root, path)
    source = draft.source(path)
    if source is None and not (root / path).exists():
        return read_text(path, tail)
    after = tail_of(source)
    if can_follow(after, tail) and ends_line(root, path):
        return read_text(path, tail, after)
    text, _ = decode(path, read_bytes(root, path))
    return read_text(path, text + ("" if not text or text.endswith(("\n", "\r")) else "\n") + tail)
