"""The two ways in which servers are asked for vectors: that of Ollama, and that of OpenAI and all who speak like it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from loreweave.providers.model import ProviderError, Settings
from loreweave.providers.wire import Patience, Wire

OLLAMA = "http://localhost:11434"
"""Where Ollama listens unless told otherwise."""

BYTES, BYTES_OF_VECTOR = 1_000_000, 300_000
"""How long an answer may be: so many bytes, and so many more for each vector, which 8,192 numbers fit in."""

Make = Callable[[Sequence[str]], list[list[float]]]


def ollama(settings: Settings, patience: Patience) -> tuple[Make, Wire]:
    """Give what makes vectors of texts by ``/api/embed``."""
    wire = _wire(settings, patience, _under(settings.url or OLLAMA, "/api/embed"))

    def make(texts: Sequence[str]) -> list[list[float]]:
        answer = wire.post({"model": settings.model, "input": list(texts)}, _most(texts))
        return [_numbers(vector) for vector in _list(answer, "embeddings")]

    return make, wire


def openai(settings: Settings, patience: Patience) -> tuple[Make, Wire]:
    """Give what makes vectors of texts by ``/embeddings``; the order of an answer is that of its indexes."""
    wire = _wire(settings, patience, _under(settings.url, "/embeddings"))

    def make(texts: Sequence[str]) -> list[list[float]]:
        answer = wire.post({"model": settings.model, "input": list(texts)}, _most(texts))
        found = _list(answer, "data")
        try:
            indexes = [item.get("index", place) for place, item in enumerate(found)]
            if sorted(indexes) != list(range(len(found))):
                raise _unknown("its indexes are not those of the texts")
            return [_numbers(item["embedding"]) for _, item in sorted(zip(indexes, found, strict=True), key=_first)]
        except (AttributeError, KeyError, TypeError):
            raise _unknown('"data" is no list of embeddings') from None

    return make, wire


def _wire(settings: Settings, patience: Patience, url: str) -> Wire:
    return Wire(url, patience, _key(settings.api_key_env), settings.api_key_env)


def _under(url: str, ending: str) -> str:
    """Give the address that is asked, whether or not the ending stands in the settings already."""
    url = url.rstrip("/")
    return url if url.endswith(ending) else url + ending


def _key(name: str) -> str:
    """Give the key that an environment variable holds, none where none is named; raise ProviderError for no key."""
    if not name:
        return ""
    key = os.environ.get(name, "").strip()
    if not key:
        told = f'[embedding] api_key_env names the environment variable "{name}", which is not set.'
        raise ProviderError(told, f"export {name}=… before, or take api_key_env out of lore/config.toml")
    if not (key.isascii() and key.isprintable()):
        told = f'The environment variable "{name}" holds what cannot be a key: other characters than of ASCII.'
        raise ProviderError(told, "set it to the key alone")
    return key


def _most(texts: Sequence[str]) -> int:
    return BYTES + BYTES_OF_VECTOR * len(texts)


def _first(pair: tuple[int, Any]) -> int:
    return pair[0]


def _list(answer: object, name: str) -> list[Any]:
    found = answer.get(name) if isinstance(answer, dict) else None
    if not isinstance(found, list):
        raise _unknown(f'it has no list "{name}"')
    return found


def _numbers(vector: object) -> list[float]:
    try:
        return [float(number) for number in vector]  # type: ignore[attr-defined]
    except (TypeError, ValueError, OverflowError):
        raise _unknown("a vector in it has other things than numbers") from None


def _unknown(what: str) -> ProviderError:
    hint = "see that [embedding] provider in lore/config.toml is the one that this server speaks like: ollama or openai"
    return ProviderError(f"The embedding server answered what cannot be read: {what}.", hint)
