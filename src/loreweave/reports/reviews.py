"""Looking again, as methods of a vault: what fades, what has long been open, and the passage that an address names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loreweave import clock
from loreweave.errors import BadRequest
from loreweave.projections.memory import FADED
from loreweave.reports.asks import Asks
from loreweave.reports.question import limit_of
from loreweave.times import Time, read_time

if TYPE_CHECKING:
    from loreweave.reports.addresses import Rows
    from loreweave.reports.review import Review
    from loreweave.search.passages import Passage

LIMIT = 20
"""How many of each kind are shown where nothing is said."""


class Reviews(Asks):
    """What to look at again in one vault, in one scope."""

    def review(self, *, threshold: float = FADED, limit: int = LIMIT, now: Time = None) -> Review:
        """Give the passages that were used and fade, and the beliefs that have long been open, at an instant or now.

        A passage fades where less of it than ``threshold``, from 0 to 1, is left; ``limit`` is how many of each kind.
        """
        from loreweave.reports.review import review

        at = read_time("now", now)
        _refuse_no_share(threshold)
        limit = limit_of(limit)
        with self.asking() as session:
            return review(session, self.scope, clock.now() if at is None else at, threshold=threshold, limit=limit)

    def passage(self, rows: Rows, address: str) -> Passage:
        """Find in an index the passage that an address names; raise BadRequest or Refused."""
        from loreweave.reports.passage import passage_at

        return passage_at(rows, address, self.scope)


def _refuse_no_share(threshold: object) -> None:
    is_number = isinstance(threshold, int | float) and not isinstance(threshold, bool)
    if not is_number or not 0 <= threshold <= 1:  # type: ignore[operator]
        raise BadRequest(f"threshold: {threshold!r} is not a number from 0 to 1.", f"give one such as {FADED}")
