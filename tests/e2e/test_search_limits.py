"""How many spans are asked for: the first are the same however many, and what cannot be meant is refused."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from loreweave.errors import BadRequest, Refused
from loreweave.library import Lore
from program import lore as run
from typed import vault


@pytest.fixture
def equals(tmp_path: Path) -> Path:
    """A vault of many notes that a word finds alike, and one that links to them."""
    notes = {f"n{at}.md": f"# Part {at}\nglacier number{at} x{at * 7}\n" for at in range(90)}
    return vault(tmp_path, notes | {"hub.md": "\n".join(f"[[n{at}]]" for at in range(90))})


@pytest.mark.parametrize("wordings", [["glacier"], ["glacier part", "number7"]])
def test_the_first_spans_are_the_same_however_many_are_asked_for(equals: Path, wordings: list[str]) -> None:
    with Lore(equals) as lore:
        found = [lore.search(*wordings, limit=limit).results for limit in (1, 3, 5, 6, 10, 20, 50)]
    for fewer, more in pairwise(found):
        assert [one.address for one in fewer] == [one.address for one in more[: len(fewer)]]


def test_a_limit_beyond_all_numbers_of_the_machine_gives_all(equals: Path) -> None:
    assert run(equals, "search", "glacier", "-k", "9" * 40).count("matches glacier") == 90


@pytest.mark.parametrize("said", [{"limit": 2.5}, {"limit": "5"}, {"tag": ["project"]}, {"scope": "lab"}])
def test_what_search_does_not_take_is_refused_and_not_passed_over(equals: Path, said: dict[str, Any]) -> None:
    with Lore(equals) as lore, pytest.raises(BadRequest):
        lore.search("glacier", **said)


@pytest.mark.parametrize("tag", ["", "#", "/", "-/", "-#/", " - "])
def test_a_tag_that_names_nothing_is_refused(equals: Path, tag: str) -> None:
    with Lore(equals) as lore, pytest.raises(Refused):
        lore.search("glacier", tags=[tag])


def test_of_very_many_copies_the_first_are_named_on_the_screen(tmp_path: Path) -> None:
    notes = vault(tmp_path, {f"{at:02}.md": "Gratitude: none today\n" for at in range(40)})
    assert "the same at 01.md:1-1, 02.md:1-1, 03.md:1-1, 04.md:1-1, 05.md:1-1, and at 34 more" in run(
        notes, "search", "gratitude"
    )
    assert run(notes, "search", "gratitude", "--full").count(".md:1-1") == 40


def test_a_line_cut_into_many_like_passages_is_one_address(tmp_path: Path) -> None:
    with Lore(vault(tmp_path, {"long.md": "glacier " * 9_000})) as lore:
        (result,) = lore.search("glacier").results
    assert (result.address, len(result.also)) == ("long.md:1-1", 0)
