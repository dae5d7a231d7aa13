"""What notes are called in text and facts."""

from __future__ import annotations

import pytest

from loreweave.notes.read import read_note
from loreweave.projections.called import called, entity_key, initials
from loreweave.projections.names import names_of


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Regional Water Board", "RWB"),
        ("Ledger format", "LF"),
        ("The Old Mill", "OM"),
        ("General Data-Protection Regulation", "GDPR"),
        ("Ledger", None),
        ("Vendor 00971", None),
        ("Ilse Trent", None),
        ("机器 学习", None),
        ("a b c d e f g h i j k", None),
        ("the of", None),
    ],
)
def test_initials_are_those_of_the_words_that_tell(name: str, found: str | None) -> None:
    assert initials(name) == found


@pytest.mark.parametrize("name", ["Amara-Osei", "amara_osei", "AMARA OSEI.md", "Amara Osei.md.md", "[[Amara Osei]]"])
def test_spellings_of_a_name_are_one_and_never_end_like_a_file(name: str) -> None:
    assert entity_key(name) == "amara osei"


def test_a_note_is_called_by_file_title_and_alias_each_key_once() -> None:
    read = read_note("people/amara-osei.md", "---\ntitle: Amara Osei\naliases: [Amara, AMARA, Dr. Osei]\n---\nText.\n")
    rows = list(called(names_of(read), "default"))
    assert [(row.entity_key, row.kind, row.name, row.initials) for row in rows] == [
        ("amara osei", "name", "amara-osei", "AO"),
        ("amara", "alias", "Amara", None),
        ("dr. osei", "alias", "Dr. Osei", "DO"),
    ]
