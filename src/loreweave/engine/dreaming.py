"""Writing what was dreamt: the digest of a day, once, and the review queue, brought up to date."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from loreweave.engine.writer import Writer
from loreweave.vault.append import vault_lock
from loreweave.vault.digests import page, replace_page


class Pages(Protocol):
    """What is to be written: a digest where there is none yet, and the queue, made from the one that is there."""

    @property
    def digest_path(self) -> str:
        """Where the digest of the day stands."""

    @property
    def digest(self) -> str:
        """The digest."""

    @property
    def queue_path(self) -> str:
        """Where the queue stands."""

    @property
    def queue(self) -> Callable[[str], str]:
        """Makes the queue from the one that is there."""


class Dreaming(Writer):
    """Writes the pages of reports, the only files that are ever replaced."""

    def put(self, pages: Pages) -> tuple[str, ...]:
        """Write the pages of a report and give the files that changed; both are looked at before either is written.

        Raises Refused or VaultError where one of them leads elsewhere, is read-only or cannot be written.
        """
        self.refuse_agent("Writing the pages of a report")
        root = self.engine.root
        with vault_lock(root):
            digest, queue = page(root, pages.digest_path), page(root, pages.queue_path)
            wanted = {pages.queue_path: pages.queue(queue or "")}
            if digest is None:
                wanted[pages.digest_path] = pages.digest
            changed = [path for path, text in wanted.items() if text != (queue if path == pages.queue_path else None)]
            for path in changed:
                replace_page(root, path, wanted[path])
        return tuple(sorted(changed))
