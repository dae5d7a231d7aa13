"""Ways to answer: the product as it is, the product with a part of it switched off, and the plain BM25 of `bm25s`.

All of them answer over the same passages, those of the product's index. A part is switched off by giving a constant of
``search`` another value in every module that has it; what reads it afterwards reads the other one.
"""

from __future__ import annotations

import atexit
import importlib.util
import os
import pkgutil
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import loreweave.search
from dense import INSTALL, PACKAGES, minilm, setting
from loreweave.library import Lore
from trials import Place, Question

Ask = Callable[[Question, int], list[Place]]
"""Answer a question with so many passages, best first."""


class Arm(NamedTuple):
    """A way to answer, opened once for each vault; ``needs`` are packages without which it is left out."""

    name: str
    open: Callable[[Lore], Ask]
    needs: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """Give the packages it needs that are not installed."""
        return tuple([name for name in self.needs if importlib.util.find_spec(name) is None])


def product(switched: Mapping[str, object] | None = None, wordings: int | None = None) -> Callable[[Lore], Ask]:
    """Search as the library does, with other constants, or in the first wordings alone."""

    def opened(lore: Lore) -> Ask:
        def ask(question: Question, limit: int) -> list[Place]:
            given = dict(question.given)
            with now(given.pop("now", None)), other_constants(switched or {}):
                found = lore.search(*question.wordings[:wordings], limit=limit, **given)  # type: ignore[arg-type]
            return [(result.path, result.anchor, result.start_line) for result in found.results]

        return ask

    return opened


def dense(lore: Lore) -> Ask:
    """Search with the vectors of a local model; from here on the vault is set up with it."""
    settings = lore.engine.root / "lore" / "config.toml"
    settings.parent.mkdir(exist_ok=True)
    with settings.open("a", encoding="utf-8") as file:
        file.write(f"\n{setting(model())}")
    made = lore.embed()
    if made is None or made.failed:
        raise RuntimeError(made.failed if made else "the settings name no model")
    return product()(lore)


@cache
def model() -> Path:
    """Put the model together in a temporary folder that goes with the bench."""
    folder = Path(tempfile.mkdtemp(prefix="lore-bench-model-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if minilm(folder) is None:
        raise RuntimeError(f"install it first: {INSTALL}")
    return folder


@contextmanager
def now(instant: object) -> Iterator[None]:
    """Let the program take an instant for the present."""
    if instant:
        os.environ["LORE_NOW"] = str(instant)
    try:
        yield
    finally:
        os.environ.pop("LORE_NOW", None)


@contextmanager
def other_constants(values: Mapping[str, object]) -> Iterator[None]:
    """Give constants of the search other values for a while; raise KeyError for one that is not there."""
    places = [(module, name) for name in values for module in parts() if hasattr(module, name)]
    if missing := set(values) - {name for _, name in places}:
        raise KeyError(*missing)
    before = [(module, name, getattr(module, name)) for module, name in places]
    for module, name in places:
        setattr(module, name, values[name])
    try:
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)


@cache
def parts() -> tuple[ModuleType, ...]:
    """Give the modules of the search."""
    found = pkgutil.iter_modules(loreweave.search.__path__, "loreweave.search.")
    return tuple([importlib.import_module(module.name) for module in found])


SPANS = "select path, anchor, start_line, text from spans order by path, start_line"


def plain(lore: Lore) -> Ask:
    """Rank by `bm25s` as it comes, with its English stop words and a stemmer; of several wordings the best counts."""
    import bm25s
    import Stemmer

    spans = [(row["path"], row["anchor"], row["start_line"], row["text"]) for row in lore.sql(SPANS).to_pylist()]
    stemmer = Stemmer.Stemmer("english")

    def words(texts: list[str]) -> list[list[str]]:
        told: list[list[str]] = bm25s.tokenize(
            texts, stopwords="english", stemmer=stemmer, return_ids=False, show_progress=False
        )
        return told

    index = bm25s.BM25()
    index.index(words([span[3] for span in spans]), show_progress=False)

    def ask(question: Question, limit: int) -> list[Place]:
        scores = [0.0] * len(spans)
        for asked in words(list(question.wordings)):
            if asked:
                scores = [max(pair) for pair in zip(scores, index.get_scores(asked).tolist(), strict=True)]
        order = sorted((at for at, score in enumerate(scores) if score > 0), key=lambda at: (-scores[at], at))
        return [spans[at][:3] for at in order[:limit]]

    return ask


ARMS = {
    arm.name: arm
    for arm in (
        Arm("lore", product()),
        Arm("no graph", product({"LEAST": 2.0})),
        Arm("no metadata", product({"METADATA": 0.0})),
        Arm("no surroundings", product({"SURROUNDINGS": 0.0})),
        Arm("no neighbours", product({"SURROUNDINGS": 0.0, "BESIDE": {}})),
        Arm("no order of words", product({"PHRASE": 0.0})),
        Arm("no time", product({"IN_WINDOW": 0.0, "OLDER": 0.0})),
        Arm("one wording", product(wordings=1)),
        Arm("dense", dense, ("onnxruntime", "tokenizers", *PACKAGES)),
        Arm("bm25s", plain, ("bm25s", "Stemmer")),
    )
}
