"""What models want before questions and passages, known by their names as servers and folders have them."""

from __future__ import annotations

import pytest

from loreweave.providers.prefixes import prefixes

ASKED = "Represent this sentence for searching relevant passages: "
TOLD = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"


@pytest.mark.parametrize(
    ("model", "query", "document"),
    [
        ("intfloat/e5-small-v2", "query: ", "passage: "),
        ("jeffh/intfloat-multilingual-e5-large:f16", "query: ", "passage: "),
        ("multilingual-e5-large-instruct", f"{TOLD} ", ""),
        ("nomic-embed-text:latest", "search_query: ", "search_document: "),
        ("text-embedding-nomic-embed-text-v1.5", "search_query: ", "search_document: "),
        ("nomic-embed-code", "Represent this query for searching relevant code: ", ""),
        ("BAAI/bge-small-en-v1.5", ASKED, ""),
        ("bge-large", ASKED, ""),
        ("bge_base_en", ASKED, ""),
        ("bge-large-zh-v1.5", "为这个句子生成表示以用于检索相关文章：", ""),
        ("bge-m3:567m", "", ""),
        ("mxbai-embed-large", ASKED, ""),
        ("snowflake-arctic-embed:22m", ASKED, ""),
        ("Snowflake/snowflake-arctic-embed-l-v2.0", "query: ", ""),
        ("snowflake-arctic-embed2", "query: ", ""),
        ("embeddinggemma:300m", "task: search result | query: ", "title: none | text: "),
        ("Qwen/Qwen3-Embedding-0.6B", TOLD, ""),
        ("~/models/all-MiniLM-L6-v2", "", ""),
        ("gte-base", "", ""),
        ("text-embedding-3-small", "", ""),
        ("voyage-code5", "", ""),
        ("", "", ""),
    ],
)
def test_a_family_is_known_by_the_name_of_the_model(model: str, query: str, document: str) -> None:
    assert prefixes(model) == (query, document)
