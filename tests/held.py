"""A vault held open, and what others see of it."""

from __future__ import annotations

from pathlib import Path

from loreweave import Lore

NOTICED = 30.0
"""Seconds after which a change of a note that was not noticed is a fault."""


def held(vault: Path, subject: str = "Vendor") -> list[str]:
    """Give what another program believes of a subject."""
    with Lore(vault) as lore:
        return objects(lore, subject)


def objects(lore: Lore, subject: str = "Vendor") -> list[str]:
    """Give what is believed of a subject."""
    return [fact.object for fact in lore.facts(subject=subject).items]
