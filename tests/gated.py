"""The review gate set up: a vault in which agents only propose, a person in it, and an agent."""

from __future__ import annotations

from loreweave.engine.pending import Proposal
from loreweave.library import Lore
from told import believed

AGENT = "note-taker"
GATED = '[agents]\nwrites = "propose"\n'
OPEN = '[agents]\nwrites = "journal"\n'


def pending(lore: Lore) -> list[Proposal]:
    """The proposals that wait."""
    return list(lore.proposals().proposals)


def values(lore: Lore) -> list[str]:
    """What is believed of the slot that most of these tests are about."""
    return believed(lore, "Vendor", "reliability", as_of="2025-03-07")
