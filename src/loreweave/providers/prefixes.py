"""What models of one family were trained to see before a question and before a passage.

Without it, or with that of another family, they find worse. Each is taken from what its makers publish with the model;
a family that is not listed here wants none.
"""

from __future__ import annotations

import re

_ASKED = "Represent this sentence for searching relevant passages: "
_TOLD = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"

_FAMILIES = (
    (r"e5.*instruct", f"{_TOLD} ", ""),
    (r"e5", "query: ", "passage: "),
    (r"nomic-embed-code", "Represent this query for searching relevant code: ", ""),
    (r"nomic", "search_query: ", "search_document: "),
    (r"bge-m3", "", ""),
    (r"bge.*zh", "为这个句子生成表示以用于检索相关文章：", ""),
    (r"bge", _ASKED, ""),
    (r"mxbai", _ASKED, ""),
    (r"arctic-embed(?:2|.*v2)", "query: ", ""),
    (r"arctic-embed", _ASKED, ""),
    (r"embeddinggemma", "task: search result | query: ", "title: none | text: "),
    (r"qwen3-embedding", _TOLD, ""),
)
"""What the name of a family holds, and what stands before a question and before a passage; the first that fits."""


def prefixes(model: str) -> tuple[str, str]:
    """Give what a model wants before a question and before a passage, by its name; both empty where that is unknown."""
    name = re.sub(r"[\s_]+", "-", model.rpartition("/")[2].lower())
    for family, query, document in _FAMILIES:
        if re.search(rf"(?<![a-z0-9]){family}", name):
            return query, document
    return "", ""
