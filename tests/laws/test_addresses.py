"""Laws of addresses: what is shown for a passage names that passage, and no text that is typed as one does harm."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from loreweave.errors import BadRequest, Refused
from loreweave.library import Lore
from loreweave.reports.passage import address_of, passage_at
from loreweave.search.passages import Passage
from loreweave.store.session import Session
from typed import vault

HEADINGS = (
    "Plan",
    "Plan",
    "At 10:30",
    "At 10:30-11:00",
    "C# and F#",
    "# Hash",
    "a.md#Plan",
    "",
    "7-9",
    "計画",
    "Plan:3",
)
SPANS = "select span_id, path, anchor, start_line, end_line, text, hash, null, null from spans"


def _note(order: int) -> str:
    turned = HEADINGS[order:] + HEADINGS[:order]
    return "Before all.\n\n" + "\n".join(
        f"## {heading}\n\nText {at} of {order}.\n" for at, heading in enumerate(turned)
    )


@pytest.fixture(scope="module")
def lore(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lore]:
    paths = ("a.md", "a.md:3.md", "b#c.md", "b#c.md#d.md", "folder/e 1-2.md", "b.md")
    folder = vault(tmp_path_factory.mktemp("notes"), {path: _note(at) for at, path in enumerate(paths)})
    with Lore(folder) as opened, opened.settled():
        yield opened


def test_the_address_of_every_passage_names_it_and_no_other(lore: Lore) -> None:
    with lore.asking() as session:
        passages = [Passage(*row) for row in session.rows(SPANS)]
        assert len(passages) > 50
        for passage in passages:
            assert passage_at(session.rows, address_of(passage), "default") == passage


PARTS = st.sampled_from(
    ["a.md", "b#c.md", "b.md", "#", ":", "-", "1", "3", "99999999999", "Plan", "At 10:30", " ", "\x00", "é"]
)


@given(st.lists(PARTS, min_size=1, max_size=8).map("".join) | st.text(max_size=40))
@example("a.md:0")
@example("a.md:9-3")
@example("a.md#:3")
@example("#" * 200)
def test_whatever_is_typed_is_a_passage_or_a_sentence(lore: Lore, address: str) -> None:
    with lore.asking() as session:
        assert _answer(session, address).endswith((".md", "."))


def _answer(session: Session, address: str) -> str:
    try:
        return passage_at(session.rows, address, "default").path
    except (BadRequest, Refused) as told:
        return told.message
