"""Proposals chosen by their ids, or by as much of them as tells them apart."""

from __future__ import annotations

from collections.abc import Sequence

from loreweave.errors import Refused
from loreweave.events.model import Event
from loreweave.notes.visible import excerpt
from loreweave.store import proposed as stored
from loreweave.store.proposed import APPROVED, PENDING, Proposed
from loreweave.times import show_day

LISTED = 3
"""Proposals that are named where the beginning of an id fits several."""

LEAST = 4
"""Digits of an id that have to be given, so that a number in a list is not taken for one."""

SHORT = 8
"""Digits of an id that are shown to people."""


def named(ask: stored.Ask, scope_key: str, ids: Sequence[str]) -> dict[str, list[Proposed]]:
    """Give for each id, or beginning of one, the proposals of a scope that it may name."""
    wanted = {given: given.strip().lower() for given in ids}
    found = stored.beginning(ask, scope_key, [prefix for prefix in wanted.values() if prefix])
    return {
        given: [one for one in found if prefix and one.event.event_id.startswith(prefix)]
        for given, prefix in wanted.items()
    }


def only(given: str, found: Sequence[Proposed]) -> Proposed:
    """Give the one proposal that an id names; raise Refused where it names none, or several."""
    if not found:
        raise Refused(f"There is no proposal {excerpt(given)}.", "`lore proposals` shows those that wait")
    if len(found) > 1:
        shown = ", ".join(each.event.event_id for each in found[:LISTED])
        more = f" and {len(found) - LISTED:,} more" if len(found) > LISTED else ""
        raise Refused(f"{excerpt(given)} begins {len(found):,} proposals: {shown}{more}.", "give more of the id")
    if len(given.strip()) < LEAST:
        told = f"{excerpt(given)} is too little of an id to be sure that {short(found[0].event)} is meant."
        raise Refused(told, f"give {LEAST} digits or more")
    return found[0]


def refuse_decided(found: Proposed) -> None:
    """Raise Refused for a proposal that is approved or rejected already."""
    if found.status == PENDING:
        return
    by = f" by {found.decided_by}" if found.decided_by else ""
    on = f" on {show_day(found.decided_at)}" if found.decided_at is not None else ""
    told = f"{short(found.event)} was {found.status}{by}{on} already."
    hint = "`lore retract` unsays it" if found.status == APPROVED else "a person may assert it all the same"
    raise Refused(told, hint)


def short(proposal: Event) -> str:
    """Give as much of a proposal's id as people are shown."""
    return proposal.event_id[:SHORT]
