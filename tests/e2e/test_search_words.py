"""Words of every script and of code find the passages they stand in, through the index and all."""

from __future__ import annotations

from pathlib import Path

import pytest

from loreweave.library import Lore
from loreweave.notes import words
from typed import vault

NOTES = {
    "river.md": "南方冰川的消融改变了河流的流量。\n",
    "tokyo.md": "来週の会議は東京で開かれます。\n",
    "kyoto.md": "京都は古い都です。京東とは書きません。\n",
    "seoul.md": "서울에서 만나요.\n",
    "mixed.md": "重跑gen-itgc后再看结果。\n",
    "fa.md": "من می‌خواهم به خانه بروم.\n",
    "bom.md": "The gla\ufeffcier melts.\n",
    "hindi.md": "नमस्ते दुनिया\n",
    "cafe.md": "Un café près du pont.\n",
    "code.md": "`consumerLease` is renewed by `renew_lease()` in C++ 2.0.1.\n",
    "mail.md": "Send the e-mail to Priya.\n",
}


@pytest.fixture(scope="module")
def lore(tmp_path_factory: pytest.TempPathFactory) -> Lore:
    return Lore(vault(tmp_path_factory.mktemp("words"), NOTES))


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("冰川", "river.md"),
        ("流量", "river.md"),
        ("東京", "tokyo.md"),
        ("会議", "tokyo.md"),
        ("서울", "seoul.md"),
        ("itgc", "mixed.md"),
        ("重跑", "mixed.md"),
        ("冰", "river.md"),
        ("میخواهم", "fa.md"),
        ("می‌خواهم", "fa.md"),
        ("glacier", "bom.md"),
        ("नमस्ते", "hindi.md"),
        ("cafe", "cafe.md"),
        ("consumer lease", "code.md"),
        ("consumerlease", "code.md"),
        ("renewLease", "code.md"),
        ("C++", "code.md"),
        ("2.0.1", "code.md"),
        ("email", "mail.md"),
        ("Who was sent e-mails?", "mail.md"),
    ],
)
def test_a_question_in_any_script_finds_its_note_first(lore: Lore, question: str, path: str) -> None:
    assert lore.search(question).results[0].path == path


def test_a_pair_of_characters_turned_round_is_not_found(lore: Lore) -> None:
    assert [result.path for result in lore.search("東京").results] == ["tokyo.md"]


def test_nothing_stands_beside_the_one_passage_of_a_note(tmp_path: Path) -> None:
    best = {f"best-{number}.md": f"The vendor sent ledger paper by train {number}.\n" for number in range(15)}
    more = {f"more-{number}.md": f"A vendor of maps, {number}.\n" for number in range(60)}
    with Lore(vault(tmp_path, best | more)) as opened:
        found = opened.search("vendor sent ledger paper by train", limit=40).results
    assert [result.path[:4] for result in found] == ["best"] * 15 + ["more"] * 25


def test_an_emoji_of_several_characters_is_found_whole_in_names_headings_and_tags(tmp_path: Path) -> None:
    notes = {
        "👨‍👩‍👧 family.md": "Who comes on Sunday.\n",
        "tools.md": "## 🛠️ Development\n\nHammers, and a 👨 with a saw.\n",
        "lab.md": "Notes from the lab. #👩‍🔬\n",
        "trip.md": "From 🇩🇪 to 🇫🇷.\n",
    }
    with Lore(vault(tmp_path, notes)) as lore:
        found = {
            asked: [found.path for found in lore.search(asked).results]
            for asked in ("👨‍👩‍👧", "👨", "🛠", "👩🏽‍🔬", "👩", "🇫🇷", "🇪🇫")
        }
    assert found == {
        "👨‍👩‍👧": ["👨‍👩‍👧 family.md"],
        "👨": ["tools.md"],
        "🛠": ["tools.md"],
        "👩🏽‍🔬": ["lab.md"],
        "👩": [],
        "🇫🇷": ["trip.md"],
        "🇪🇫": [],
    }


def test_an_index_of_other_rules_for_words_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at = vault(tmp_path, {"river.md": "The river.\n", "kettle.md": "The kettle.\n"})
    monkeypatch.setattr(words, "VERSION", words.VERSION - 1)
    with Lore(at) as lore:
        lore.index()
    monkeypatch.undo()
    with Lore(at) as lore:
        assert lore.engine.refresh().read == 2
        assert lore.engine.refresh().read == 0
