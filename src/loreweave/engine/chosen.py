"""Proposals chosen by their ids, or by as much of them as tells them apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from loreweave.errors import BadRequest, LoreError, Refused
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

Faults = list[tuple[str, LoreError]]
"""What is wrong with each proposal that was named, by its id or as it was named."""


def chosen(
    ask: stored.Ask, scope_key: str, ids: Sequence[str], refuse: Callable[[Proposed], None]
) -> tuple[list[Proposed], Faults]:
    """Give the proposals of a scope that ids name, each once, and what is wrong with those that ``refuse`` refuses."""
    found: dict[str, Proposed] = {}
    faults: Faults = []
    for given, fitting in _named(ask, scope_key, ids).items():
        try:
            proposal = _only(given, fitting)
            refuse(proposal)
            found.setdefault(proposal.event.event_id, proposal)
        except Refused as wrong:
            faults.append((given, wrong))
    return list(found.values()), faults


def joined(faults: Faults, of: int, decided: str) -> Refused:
    """Make one refusal of all that is wrong."""
    if of == 1:
        return Refused(faults[0][1].message, faults[0][1].hint)
    told = [f"{given}: {wrong.message}" for given, wrong in faults]
    head = f"{len(faults):,} of {of:,} proposals cannot be {decided}, so nothing was written:"
    return Refused("\n  ".join([head, *told]), "name the others by themselves")


def refuse_none(ids: Sequence[str]) -> None:
    """Raise BadRequest where no id is given."""
    if not ids:
        raise BadRequest("No proposal is named.", "give the ids that `lore proposals` shows")


def _named(ask: stored.Ask, scope_key: str, ids: Sequence[str]) -> dict[str, list[Proposed]]:
    """Give for each id, or beginning of one, the proposals of a scope that it may name."""
    wanted = {given: given.strip().lower() for given in ids}
    found = stored.beginning(ask, scope_key, [prefix for prefix in wanted.values() if prefix])
    return {
        given: [one for one in found if prefix and one.event.event_id.startswith(prefix)]
        for given, prefix in wanted.items()
    }


def _only(given: str, found: Sequence[Proposed]) -> Proposed:
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
