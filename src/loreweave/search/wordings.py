"""The wordings of a question, read as terms; wordings of the same terms are one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from loreweave.errors import BadRequest
from loreweave.notes.words import Asked, asked


class Wording(NamedTuple):
    """A wording as written, and the terms it asks for, in their order and each once."""

    text: str
    terms: tuple[Asked, ...]


def read(texts: Iterable[str], stemmer: str) -> tuple[Wording, ...]:
    """Read wordings, each once; one without a word is kept and finds nothing. Raise BadRequest where there is none."""
    found: dict[tuple[str, ...], Wording] = {}
    for text in texts:
        if text.strip():
            terms = asked(text, stemmer)
            found.setdefault(tuple(term for term, _ in terms) or (text,), Wording(text, terms))
    if not found:
        raise BadRequest("The question is empty.", "ask in words, such as `lore search 'ledger format'`")
    return tuple(found.values())
