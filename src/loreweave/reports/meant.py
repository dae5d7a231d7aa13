"""What may be meant by links that lead to no note: the notes whose names are most like theirs."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from loreweave.notes.model import Link
from loreweave.projections.faults import as_written
from loreweave.projections.links import NO_NOTE
from loreweave.projections.names import SUFFIX
from loreweave.reports.nearest import Nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from loreweave.store.session import Session

SHOWN = 10
ASKED = 1_000
"""How many names of no note are looked up, those that most links have first."""

_BROKEN = f"""
    select path, line, target, style, heading, alias from links where reason = '{NO_NOTE}'
    qualify row_number() over (partition by target order by path, line) = 1
    order by count(*) over (partition by target) desc, target limit {ASKED}
"""


def meant(session: Session) -> tuple[str, ...]:
    """Give the first of the links that lead to no note, each with the notes that it may mean."""
    return tuple(islice(_meant(session), SHOWN))


def _meant(session: Session) -> Iterator[str]:
    broken = session.ask(_BROKEN).fetchall()
    nearest = Nearest(session.ask("select path, name from names").fetchall()) if broken else None
    for path, line, *rest in broken:
        link = Link(line, *rest)
        likely = nearest.to(link.target) if nearest and _is_named(link.target) else ()
        if likely:
            yield f"{path}:{line} {as_written(link)} may mean {' or '.join(likely)}"


def _is_named(target: str) -> bool:
    """Tell whether a target has a letter in its last part: of a day, the day before is not what is meant."""
    return any(char.isalpha() for char in target.rpartition("/")[2].removesuffix(SUFFIX))
