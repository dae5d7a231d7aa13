"""The vaults that the bench measures on are what they say, and the same everywhere."""

from __future__ import annotations

import hashlib
import re

import pytest

from house.tree import ROOT

SIZE = 500

Notes = list[tuple[str, str]]


@pytest.fixture(scope="module")
def notes() -> Notes:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "bench"))
        import notes

        return list(notes.notes(SIZE))


@pytest.fixture(scope="module")
def history() -> list[list[tuple[str, str | None]]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "bench"))
        import commits

        return list(commits.changes(SIZE, SIZE))


def digest(parts: list[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def test_notes_are_the_same_bytes_everywhere(notes: Notes) -> None:
    assert digest([part for note in notes for part in note]) == "478cf551c00cd73e"


def test_notes_have_the_size_and_the_parts_that_are_documented(notes: Notes) -> None:
    keys = {len(re.findall(r"^\w+: ", text.split("---\n")[1], re.MULTILINE)) for _, text in notes}
    assert keys == {3, 4, 5, 6}
    assert 1_100 <= sum(len(text) for _, text in notes) / SIZE <= 1_300
    assert {text.count("\n#") for _, text in notes} == {3}
    assert {text.count("[[") for _, text in notes} == {2}
    assert {len(re.findall(r"^(?:status|owner): |^- \w+:: ", text, re.MULTILINE)) for _, text in notes} == {3}


def test_links_lead_to_notes_that_are_there(notes: Notes) -> None:
    names = {path.rpartition("/")[2].removesuffix(".md") for path, _ in notes}
    linked = {name for _, text in notes for name in re.findall(r"\[\[(.*?)[|\]]", text)}
    assert len(names) == SIZE
    assert linked <= names


def test_a_history_is_the_same_everywhere(history: list[list[tuple[str, str | None]]]) -> None:
    assert digest([f"{path}\n{text}" for changes in history for path, text in changes]) == "f2f651dfca0942e4"


def test_a_history_takes_away_only_what_is_there_and_never_writes_the_same_again(
    history: list[list[tuple[str, str | None]]],
) -> None:
    stands: dict[str, str] = {}
    for changes in history:
        assert changes
        for path, text in changes:
            if text is None:
                del stands[path]
            else:
                assert stands.get(path) != text
                stands[path] = text
    assert len(history) == SIZE
    assert 0.9 * SIZE <= len(stands) <= 1.4 * SIZE


def test_a_history_has_the_mix_that_is_documented(history: list[list[tuple[str, str | None]]]) -> None:
    later = history[1:]
    written = [(path, text) for changes in later for path, text in changes if text is not None]
    again = sum("Written again" in text for _, text in written)
    moved = sum(path.startswith("archive/") for path, _ in written)
    gone = sum(text is None for changes in later for _, text in changes)
    assert 2 <= len(written) / len(later) <= 3.5
    assert 0.04 <= moved / len(written) <= 0.15
    assert 0.1 <= again / len(written) <= 0.2
    assert 0.05 <= gone / len(written) <= 0.15
