"""Making vectors: what passages say is sent to the model that the settings name, and what it makes of them is kept.

Only ``lore index`` and ``lore watch`` do so, after the index is up to date. A passage that has a vector is not sent
again, so a run that was killed or failed half-way is gone on with by the next one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import attrs

from loreweave.errors import LoreError
from loreweave.providers import open_provider
from loreweave.providers.model import Provider, ProviderError, TextsRefused, Vector
from loreweave.search.dense import kind, sent
from loreweave.store.embedding import Passage, VectorDraft
from loreweave.vault.append import VECTORS, vectors_lock
from loreweave.vault.config import read_config

if TYPE_CHECKING:
    from loreweave.engine import Engine

T = TypeVar("T")

SHORTEST = 250
"""Characters down to which a text that a model refuses is cut; the model's window may be shorter than the text."""

IN_A_ROW = 20
"""How many passages a model may refuse one after another until it is asked no more."""

PLACES = 3

Told = Callable[[int, int], None]
"""Is told how many vectors were made, and of how many."""


@attrs.frozen
class Embedded:
    """What making vectors came to: how many were made, for how many passages there still is none, who made them.

    ``refused`` are the first places of passages that the model would not take; ``failed`` and ``hint`` say why
    making them ended early, and what to do. ``notes`` says what became of vectors that were kept.
    """

    made: int
    left: int
    model: str
    refused: tuple[str, ...] = ()
    failed: str = ""
    hint: str = ""
    notes: tuple[str, ...] = ()


def embed(engine: Engine, *, told: Told | None = None, seconds: float | None = None) -> Embedded | None:
    """Make the vectors that passages lack; None where the settings name no provider.

    What goes wrong is told in the result, for the index is true to the files without vectors too. With ``seconds`` it
    ends after about so long, and a provider that fails is not asked again. Raises VaultError for settings that have no
    meaning.
    """
    settings = read_config(engine.root).embedding
    if settings.provider == "none":
        return None
    if seconds is not None:
        settings = attrs.evolve(settings, retries=0)
    run = _Run(told, None if seconds is None else time.monotonic() + seconds)
    try:
        engine.publish()  # passages are read from the index on disk
        with closing(open_provider(settings, engine.root)) as provider, vectors_lock(engine.root):
            run.make(provider, settings.batch_size, (engine.index, engine.root / VECTORS))
    except LoreError as failed:
        run.failed = failed
    return run.result(f"{settings.provider} {settings.model or Path(settings.path).name}")


class _Run:
    """One run over the passages that have no vector, and what came of it so far."""

    def __init__(self, told: Told | None, until: float | None) -> None:
        self._told, self._until = told, until
        self._made = self._of = self._in_a_row = 0
        self._refused: list[str] = []
        self._notes: tuple[str, ...] = ()
        self.failed: LoreError | None = None

    def result(self, model: str) -> Embedded:
        """Tell what came of it."""
        failed, hint = (self.failed.message, self.failed.hint) if self.failed else ("", "")
        left, refused = self._of - self._made, tuple(self._refused[:PLACES])
        return Embedded(self._made, left, model, refused, failed, hint, self._notes)

    def make(self, provider: Provider, size: int, files: tuple[Path, Path]) -> None:
        """Make the vectors that are lacking, the longest texts first, and put them in their place whatever happens."""
        with VectorDraft(*files, kind(provider)) as draft:
            self._notes = tuple(draft.told)
            found = [(each, sent(each.title, each.heading_path, each.text)) for each in draft.passages()]
            texts = sorted((pair for pair in found if pair[1]), key=lambda pair: (-len(pair[1]), pair[0].number))
            self._of = len(texts)
            try:
                for batch in batched(texts, size):
                    vectors = self._vectors(provider, batch)
                    if vectors:
                        draft.add(vectors)
                    self._count(len(vectors))
                    if self._until is not None and time.monotonic() > self._until:
                        break
                draft.silence([each.number for each, text in found if not text])
                draft.prune()
            finally:
                draft.swap()

    def _count(self, made: int) -> None:
        self._made += made
        if self._told is not None:
            self._told(self._made, self._of)

    def _vectors(self, provider: Provider, texts: Sequence[tuple[Passage, str]]) -> dict[int, Vector]:
        """Give the vectors of some texts by their numbers; where they are refused together, of each by itself."""
        try:
            made = provider.of_documents([text for _, text in texts])
        except TextsRefused as failed:
            if len(texts) == 1:
                return self._shortened(provider, *texts[0], failed)
            half = len(texts) // 2
            return self._vectors(provider, texts[:half]) | self._vectors(provider, texts[half:])
        self._in_a_row = 0
        return {each.number: vector for (each, _), vector in zip(texts, made, strict=True)}

    def _shortened(self, provider: Provider, passage: Passage, text: str, failed: TextsRefused) -> dict[int, Vector]:
        """Give the vector of the beginning of a text, as long as the model takes it."""
        while len(text) >= 2 * SHORTEST:
            text = text[: len(text) // 2]
            try:
                return {passage.number: provider.of_documents([text])[0]}
            except TextsRefused as again:
                failed = again
        self._refused.append(f"{passage.path}:{passage.line}")
        self._in_a_row += 1
        if self._in_a_row == IN_A_ROW:
            raise ProviderError(failed.message, failed.hint)
        return {}


def batched(texts: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Cut a sequence into parts of a size; the last may be shorter."""
    return (texts[at : at + size] for at in range(0, len(texts), size))
