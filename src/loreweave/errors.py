"""What can go wrong: findings about content are data, errors about a request are exceptions."""

from __future__ import annotations

import attrs

ERROR = "error"
WARNING = "warning"


@attrs.frozen
class Finding:
    """One thing wrong with one place in the vault, and how to put it right.

    ``line`` and ``column`` count from 1; ``column`` counts characters. ``scope_key`` is the scope of
    the line where one could be read. Never raised: folded into the ``findings`` table.
    """

    code: str
    message: str
    hint: str = ""
    path: str = ""
    line: int = 0
    column: int = 0
    severity: str = ERROR
    scope_key: str | None = None


class LoreError(Exception):
    """The root of every error about a request: a full sentence, and a hint that says what to do."""

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Refused(LoreError):
    """The request would write something meaningless; ``finding`` is what a hand-written line would get."""

    exit_code = 1

    def __init__(self, message: str, hint: str = "", finding: Finding | None = None) -> None:
        super().__init__(message, hint)
        self.finding = finding


class BadRequest(LoreError):
    """A flag, date or SQL text that cannot be read."""


class VaultError(LoreError):
    """The files of the vault cannot be read or written."""


class StoreError(LoreError):
    """The index cannot be opened, built or asked."""
