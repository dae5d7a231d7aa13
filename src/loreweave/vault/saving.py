"""Settings that are being saved: written in place they are empty for an instant, and replaced they are not there.

What says nothing is taken at its word only once it has said nothing for a moment. What lets agents only propose is
remembered: it ends by a word of its own, and not by silence.
"""

from __future__ import annotations

from pathlib import Path
from time import sleep

from loreweave.vault.read import read_bytes
from loreweave.vault.root import CONFIG
from loreweave.vault.walk import Stamp, stamp_of

MOMENT = 0.05
"""Seconds for which settings that say nothing are looked at again."""

MOMENTS = 20
"""How many of these are waited for at most."""

proposing: set[Path] = set()
"""The vaults whose settings, as last heard in this process, let agents only propose."""

_said: set[Path] = set()
"""The vaults that have had settings in this process."""

_still: dict[Path, Stamp | None] = {}
"""The settings that have been the same for a moment."""


def heard(root: Path, writes: str) -> None:
    """Remember what the settings of a vault say of its agents; nothing said changes nothing."""
    if writes == "propose":
        proposing.add(root)
    elif writes:
        proposing.discard(root)


def read_settled(root: Path) -> bytes:
    """Read the settings, blank or missing ones again until they have been so for a moment; raise OSError."""
    for _ in range(MOMENTS):
        stamp = stamp_of(root / CONFIG)
        try:
            content = read_bytes(root, CONFIG)
        except FileNotFoundError:
            if root not in _said or is_still(root, stamp):
                raise
            continue
        if content.strip():
            _said.add(root)
            if _still.get(root, stamp) != stamp:
                _still.pop(root, None)
            return content
        if is_still(root, stamp):
            return content
    return read_bytes(root, CONFIG)


def is_still(root: Path, stamp: Stamp | None) -> bool:
    """Tell whether the settings stay as they were when they had this stamp; once it is known, nothing is waited for."""
    if root not in _still or _still[root] != stamp:
        sleep(MOMENT)
        if stamp_of(root / CONFIG) == stamp:
            _still[root] = stamp
    return stamp_of(root / CONFIG) == stamp
