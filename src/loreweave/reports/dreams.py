"""The report on what might be tidied up, as a method: made of the index, and written as pages where asked for."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

import attrs

from loreweave import clock
from loreweave.reports.asks import Asks
from loreweave.reports.question import limit_of
from loreweave.times import Time, read_time

if TYPE_CHECKING:
    from loreweave.reports.digest import Pages
    from loreweave.reports.dream import Dream

LIMIT = 50
"""How many items of each list are given where nothing is said."""


class Dreams(Asks):
    """The report on one vault, in one scope."""

    @abstractmethod
    def put(self, pages: Pages) -> tuple[str, ...]:
        """Write the pages of a report under ``lore/`` and give the files that changed."""

    def dream(self, *, apply: bool = False, now: Time = None, limit: int = LIMIT) -> Dream:
        """Report what might be tidied up, at an instant or now: ``limit`` items at most of each kind.

        ``apply`` writes the digest of the day, if there is none yet, and brings the review queue up to date. Raises
        BadRequest for a time or a limit that cannot be read, VaultError where one of the two files leads elsewhere.
        """
        from loreweave.reports.digest import pages
        from loreweave.reports.dream import cut, dream

        limit = limit_of(limit)
        instant = read_time("now", now)
        instant = clock.now() if instant is None else instant
        with self.asking() as session:
            whole = dream(session, self.scope, instant)
        report = cut(whole, limit)
        return attrs.evolve(report, written=self.put(pages(whole, instant))) if apply else report
