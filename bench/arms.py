"""Ways to answer: the product as it is, the product with a part of it switched off, and the plain BM25 of `bm25s`.

All of them answer over the same passages, those of the product's index.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from loreweave.library import Lore
from trials import Place, Question

Ask = Callable[[Question, int], list[Place]]
"""Answer a question with so many passages, best first."""


class Arm(NamedTuple):
    """A way to answer, opened once for each vault."""

    name: str
    open: Callable[[Lore], Ask]


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


ARMS = {arm.name: arm for arm in (Arm("bm25s", plain),)}
