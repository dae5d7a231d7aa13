"""Loreweave: a bitemporal knowledge engine over Markdown. ``open`` a vault, then ask it or write to it.

Importing this package imports nothing heavy; what a name needs comes with its first use.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

from loreweave.errors import BadRequest, Finding, LoreError, Refused, StoreError, VaultError

if TYPE_CHECKING:
    from loreweave.library import Lore

__version__ = "0.40.0"
__all__ = ["BadRequest", "Finding", "Lore", "LoreError", "Refused", "StoreError", "VaultError", "__version__", "open"]


def open(  # noqa: A001 - its name
    vault: str | os.PathLike[str] | None = None, *, scope: str | None = None, agent: str | None = None
) -> Lore:
    """Open a vault: a folder, or None for the nearest one that has ``lore/`` or ``.lore/``, else the current folder.

    Questions and verbs are for ``scope``, or for ``default``; ``sql`` sees that scope alone, or every scope.
    ``agent`` names an agent that it is opened for, which writes under that name and decides on no proposal.
    Raises VaultError where there is no such folder.
    """
    from loreweave.library import Lore

    return Lore(vault, scope=scope, agent=agent)


def __getattr__(name: str) -> object:
    if name == "Lore":
        return import_module("loreweave.library").Lore
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
