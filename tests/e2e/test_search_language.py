"""A question is stemmed as the notes were."""

from __future__ import annotations

from pathlib import Path

from loreweave.library import Lore
from typed import vault

NOTE = {"a.md": "# Wald\n\nDie Häuser stehen im Wald.\n", "b.md": "# Meer\n\nEin Boot liegt im Hafen.\n"}
SETTINGS = "lore/config.toml"


def found(at: Path, wording: str) -> list[str]:
    with Lore(at) as lore:
        return [result.path for result in lore.search(wording).results]


def test_words_of_another_language_are_found_in_other_forms_where_the_settings_name_it(tmp_path: Path) -> None:
    at = vault(tmp_path, NOTE | {SETTINGS: '[search]\nstemmer = "german"\n'})
    assert found(at, "Hauses") == ["a.md"]


def test_an_index_follows_when_the_language_of_the_settings_changes(tmp_path: Path) -> None:
    at = vault(tmp_path, NOTE)
    assert found(at, "Hauses") == []
    vault(tmp_path, {SETTINGS: '[search]\nstemmer = "german"\n'})
    assert found(at, "Hauses") == ["a.md"]


def test_without_a_stemmer_words_are_found_as_they_stand(tmp_path: Path) -> None:
    at = vault(tmp_path, NOTE | {SETTINGS: '[search]\nstemmer = "none"\n'})
    assert (found(at, "boote"), found(at, "BOOT")) == ([], ["b.md"])
