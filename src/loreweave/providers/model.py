"""What a provider is: whoever turns texts into vectors, and what can go wrong with it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol

import attrs

from loreweave.errors import LoreError

Vector = list[float]
"""As many numbers as the model has dimensions, of length 1."""


class ProviderError(LoreError):
    """A provider gave no vectors."""


class TextsRefused(ProviderError):
    """A provider will not take these texts; it may take others."""


class Settings(Protocol):
    """Who is asked, and how; ``timeout_s`` is in seconds, a prefix of None leaves it to the model's family."""

    @property
    def provider(self) -> str:
        """``none``, ``ollama``, ``openai`` or ``onnx``."""

    @property
    def url(self) -> str:
        """The address of a server."""

    @property
    def model(self) -> str:
        """The name of the model."""

    @property
    def path(self) -> str:
        """The folder of a local model."""

    @property
    def batch_size(self) -> int:
        """How many texts are sent at once."""

    @property
    def timeout_s(self) -> float:
        """How long one answer may take."""

    @property
    def retries(self) -> int:
        """How often a text is sent again."""

    @property
    def query_prefix(self) -> str | None:
        """What stands before a question."""

    @property
    def document_prefix(self) -> str | None:
        """What stands before a passage."""

    @property
    def api_key_env(self) -> str:
        """The environment variable that holds the key."""


@attrs.frozen
class Provider:
    """A model that can be asked. ``name`` tells its vectors from those of any other; close it when done.

    ``make`` gives a vector of any length for each text, or raises ProviderError.
    """

    name: str
    query_prefix: str
    document_prefix: str
    make: Callable[[Sequence[str]], Sequence[Sequence[float]]]
    close: Callable[[], None]

    def of_documents(self, texts: Sequence[str]) -> list[Vector]:
        """Give the vectors of passages, in their order; raise ProviderError, or TextsRefused where others may do."""
        return self._of(self.document_prefix, texts)

    def of_queries(self, texts: Sequence[str]) -> list[Vector]:
        """Give the vectors of questions, in their order; raise ProviderError."""
        return self._of(self.query_prefix, texts)

    def _of(self, prefix: str, texts: Sequence[str]) -> list[Vector]:
        sent = [(prefix + text).encode("utf-8", "replace").decode() for text in texts]
        return checked(self.make(sent), len(sent)) if sent else []


def checked(made: Sequence[Sequence[float]], wanted: int) -> list[Vector]:
    """Give vectors at length 1; raise ProviderError where they are not one a text, of one dimension, and finite."""
    if len(made) != wanted:
        raise ProviderError(f"The embedding model gave {len(made):,} vectors for {wanted:,} texts.", _OTHER)
    sizes = sorted({len(vector) for vector in made})
    if len(sizes) > 1 or not all(sizes):
        shown = " and ".join(f"{size:,}" for size in sizes)
        raise ProviderError(f"The embedding model gave vectors of {shown} numbers at once.", _OTHER)
    return [_at_length_one(vector) for vector in made]


def _at_length_one(vector: Sequence[float]) -> Vector:
    length = math.hypot(*vector)
    if not 0 < length < math.inf:
        what = "only zeros" if length == 0 else "a number that is none"
        raise ProviderError(f"The embedding model gave a vector with {what} in it.", _OTHER)
    return [number / length for number in vector]


_OTHER = "see that [embedding] model is one that makes embeddings, or take another"
