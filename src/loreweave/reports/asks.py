"""What all questions to a vault stand on: the scope they are asked in, and a session on the index."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loreweave.store.session import Session


class Asks(ABC):
    """What asks one vault, in one scope."""

    scope: str

    @abstractmethod
    def asking(self) -> AbstractContextManager[Session]:
        """Give a session on the index, brought up to date first."""
