"""What is remembered of the passages that were used: read from the index, and what it does to the scores of spans.

Where two spans answer about as well, the one that was of use before comes first, the more so the less it has faded and
the more its note matters. A vault in which nothing was used is asked one small question for it, and answers as ever.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

import attrs

from loreweave.projections.memory import DECAY, Memory, fit, fold, importance, priority
from loreweave.search.constants import FITTED, RECALLED, WEIGHTY
from loreweave.times import DAY, Instant, shifted

if TYPE_CHECKING:
    from loreweave.store.session import Session

_ONE_INSTANT = 1_000_000

_ANY = "select 1 from events where kind = 'SpanUsed' and scope_key = ? limit 1"
_USES = """
    with used as (
        select span_id, list(epoch_us(recorded_at) order by recorded_at) as uses
        from uses where scope_key = $1 and span_id is not null group by span_id
    ),
    known as (select span_id, uses, path, start_line, end_line from used join spans using (span_id)),
    parts as (
        select path, start_line, list(span_id order by span_id) as parts
        from spans semi join (from known where start_line = end_line) using (path, start_line, end_line) group by all
    )
    select span_id, path, uses, coalesce(parts, [])
    from known left join parts using (path, start_line) order by span_id
"""
_WEIGHTS = """
    with asked as (select unnest($2::varchar[]) as path),
    led as (
        select path as source, target_path as goal from links
        where scope_key = $1 and target_path is not null and target_path <> path
            and (path in (from asked) or target_path in (from asked))
    ),
    linked as (select goal as path, count(distinct source) as linked from led group by goal),
    linking as (select source as path, count(distinct goal) as linking from led group by source)
    select path, coalesce(linked, 0), coalesce(linking, 0),
        case when regexp_matches(frontmatter, 'priority|importance', 'i') then frontmatter end
    from notes semi join asked using (path) left join linked using (path) left join linking using (path)
    where scope_key = $1
"""
_SAID = ("importance", "priority")
"""The properties by which a note says how much it matters; the greater counts."""


class Use(NamedTuple):
    """A passage that was used: its note, how much that matters, from 0 to 1, and when it was used.

    ``parts`` are all passages of its line, where that is one alone: a very long one is cut, and has one address.
    """

    path: str
    importance: float
    at: tuple[Instant, ...]
    parts: tuple[int, ...] = ()


@attrs.frozen
class Known:
    """The passages of a scope that were used up to an instant, by their numbers, and the decay by which they fade.

    ``fitted`` tells that the decay is that of the vault's own uses.
    """

    uses: Mapping[int, Use]
    now: Instant
    decay: float = DECAY
    fitted: bool = False

    def memory(self, span_id: int) -> Memory | None:
        """Give what is remembered of a passage; None where it was not used."""
        use = self.uses.get(span_id)
        return fold(use.at, self.decay) if use else None


@attrs.frozen
class Recalled:
    """A span that was used: by what its score is multiplied, how often it was used, and when the last time."""

    factor: float
    uses: int
    last: Instant


def recorded_by(now: Instant) -> Instant:
    """Give the instant up to which what is recorded counts as recorded at another: a second later.

    Of what is recorded at one instant each line is put a microsecond after the one before.
    """
    return shifted(now, _ONE_INSTANT)


def known(session: Session, scope_key: str, now: Instant) -> Known:
    """Read which passages of a scope were used up to an instant."""
    uses = _up_to(_uses(session, scope_key), recorded_by(now))
    if not uses:
        return Known({}, now)
    about = f"{now // DAY} {scope_key}"
    decay = session.kept(_decay, about)
    if decay is None:
        decay = _decay(session, about)
    return Known(uses, now, decay or DECAY, fitted=bool(decay))


def recalled(session: Session, scope_key: str, now: Instant | None, spans: Collection[int]) -> dict[int, Recalled]:
    """Tell which of some spans were used, and what that does to their scores; without ``now`` nothing is remembered."""
    if now is None or not spans or not session.rows_once(_ANY, scope_key):
        return {}
    found, there = {}, known(session, scope_key, now)
    used = {part: one for one, use in there.uses.items() if len(use.parts) > 1 for part in use.parts}
    used.update((one, one) for one in there.uses)
    for span_id in spans:
        memory = there.memory(used[span_id]) if span_id in used else None
        if memory is not None:
            use = there.uses[used[span_id]]
            factor = 1 + memory.left(now, there.decay) * (RECALLED + WEIGHTY * use.importance)
            found[span_id] = Recalled(factor, len(use.at), memory.last)
    return found


def importances(session: Session, scope_key: str, paths: Collection[str]) -> dict[str, float]:
    """Tell how much notes matter, from 0 to 1, by their paths."""
    rows = session.rows(_WEIGHTS, [scope_key, sorted(paths)]) if paths else []
    return {path: importance(linked, linking, _priority(said)) for path, linked, linking, said in rows}


def _uses(session: Session, scope_key: str) -> Mapping[int, Use]:
    if not session.rows_once(_ANY, scope_key):
        return {}
    kept = session.kept(_read, scope_key)
    return _read(session, scope_key) if kept is None else kept


def _read(session: Session, scope_key: str) -> Mapping[int, Use]:
    """Read all uses of a scope; one of a passage that is gone is kept by the record, and read here no more."""
    rows = session.rows(_USES, [scope_key])
    weights = importances(session, scope_key, {path for _, path, *_ in rows})
    return {span_id: Use(path, weights[path], tuple(at), tuple(parts)) for span_id, path, at, parts in rows}


def _up_to(uses: Mapping[int, Use], now: Instant) -> Mapping[int, Use]:
    """Leave out what was recorded later than an instant."""
    if all(use.at[-1] <= now for use in uses.values()):
        return uses
    earlier = {span_id: tuple(at for at in use.at if at <= now) for span_id, use in uses.items()}
    return {span_id: uses[span_id]._replace(at=at) for span_id, at in earlier.items() if at}


def _decay(session: Session, about: str) -> float:
    """Fit the decay as of the first instant of a day: one for all questions of that day; 0 where there is none.

    Of very many uses those of some passages are taken, by their numbers, which say nothing of when they were used.
    """
    day, _, scope_key = about.partition(" ")
    midnight, taken, count = int(day) * DAY, list[tuple[Instant, ...]](), 0
    for use in _up_to(_uses(session, scope_key), midnight).values():
        if count < FITTED:
            taken.append(use.at)
            count += len(use.at)
    return fit(taken, midnight) or 0.0


def _priority(frontmatter: str | None) -> float | None:
    """Read how much a note says that it matters."""
    said = json.loads(frontmatter, parse_int=float) if frontmatter else {}
    read = (priority(value) for name, value in said.items() if name.strip().casefold() in _SAID)
    return max((value for value in read if value is not None), default=None)
