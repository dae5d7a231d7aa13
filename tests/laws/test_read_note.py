"""Laws of reading notes: every address is answered or refused, and parts put together are the whole."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import loreweave
from loreweave.errors import LoreError
from loreweave.library import Lore
from typed import vault

LINES = st.lists(
    st.text(st.sampled_from('aé界👩\u200d🔬\x07\u2028# -`|"\\'), max_size=30)
    | st.sampled_from(["", "# A", "## B", "---"]),
    max_size=30,
)
ADDRESS = st.lists(
    st.sampled_from(["a.md", "#", ":", "-", "A", "B", "0", "7", "99999999999", "../", "/", "lore/", "\x00", "界", " "]),
    max_size=8,
).map("".join)


@pytest.fixture(scope="module")
def lore(tmp_path_factory: pytest.TempPathFactory) -> Lore:
    """The index knows that there is a note, and what is in it is read from the file."""
    at = vault(tmp_path_factory.mktemp("vault"), {"a.md": "# A\n\nOne.\n\n## B\n\nTwo.\n"})
    loreweave.open(at).refresh()
    return Lore(at, refresh=False)


def rewritten(lore: Lore, lines: list[str]) -> list[str]:
    """Write the note anew, and give its lines as they are counted."""
    text = "".join(f"{line}\n" for line in lines)
    (lore.engine.root / "a.md").write_text(text, "utf-8", newline="")
    return text.split("\n")[:-1]


@given(LINES, st.integers(1, 9), st.integers(10, 400))
def test_parts_put_together_are_the_note(lore: Lore, lines: list[str], limit: int, characters: int) -> None:
    written = rewritten(lore, lines)
    read = lore.read_note("a.md", limit=limit, characters=characters)
    parts, places, cut = ([read.text] if read.shown else []), [(read.start_line, read.end_line)], read.cut
    while read.rest:
        read = lore.read_note(read.rest, limit=limit, characters=characters)
        assert read.shown >= 1, "each part takes one line at least"
        parts.append(read.text)
        places.append((read.start_line, read.end_line))
        cut = cut or read.cut
    assert places[0][0] == 1
    assert all(end + 1 == start for (_, end), (start, _) in pairwise(places))
    assert places[-1][1] == len(written)
    if not cut:
        assert "\n".join(parts).split("\n") == (written or [""])


@given(LINES, st.integers(1, 300))
def test_a_part_never_exceeds_its_characters(lore: Lore, lines: list[str], characters: int) -> None:
    rewritten(lore, lines)
    assert len(json.dumps(lore.read_note("a.md", characters=characters).text, ensure_ascii=False)) - 2 <= characters


@given(LINES)
def test_every_line_stands_in_the_passage_it_names(lore: Lore, lines: list[str]) -> None:
    written = rewritten(lore, lines)
    for line in range(1, len(written) + 1):
        read = lore.read_note(f"a.md:{line}")
        assert read.start_line <= line <= read.end_line
        assert read.text == "\n".join(written[read.start_line - 1 : read.end_line])


@given(ADDRESS)
def test_every_address_is_read_or_refused(lore: Lore, address: str) -> None:
    told = ""
    try:
        assert lore.read_note(address).path == "a.md"
    except LoreError as refusal:
        told = refusal.message
    assert told == "" or told.endswith(".")
    assert str(lore.engine.root) not in told
