"""What no line could mean is refused before a byte is written, with the reason and a hint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import loreweave
from loreweave.errors import BadRequest, LoreError, Refused
from loreweave.library import Lore
from told import GOOD, NOW, TODAY, believed, journal, write


@pytest.fixture
def lore(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lore:
    monkeypatch.setenv("LORE_NOW", NOW)
    return loreweave.open(tmp_path)


@pytest.mark.parametrize(
    ("subject", "predicate", "object_", "said", "message"),
    [
        ("__", "owner", "Priya", {}, 'The subject "__" has an empty key'),
        ("Atlas", "\u200b", "Priya", {}, 'The predicate "<U+200B>" has an empty key'),
        ("", "owner", "Priya", {}, 'The subject "" has an empty key'),
        ("Atlas", "owner", " \t", {}, "The object"),
        ("Atlas", "owner", "\u200d", {}, 'The object "<U+200D>" is blank'),
        ("Atlas", "owner", "x" * 2001, {}, "has 2,001 characters; at most 2,000"),
        ("Atlas", "owner", "Priya", {"because": "y" * 2001}, "The because"),
        ("Atlas", "owner", "caf\udce9", {}, "is not UTF-8"),
        ("Atlas", "owner", "q\0q\0", {}, "holds U+0000"),
        ("Atlas", "owner", "Priya", {"because": "q\0é"}, "holds U+0000"),
        ("Atlas", "owner", "Priya", {"valid_from": "2024-06-01", "valid_until": "2024-06-01"}, "is not after"),
        ("Atlas", "owner", "Priya", {"valid_until": "2024-06-01"}, "is not after the start"),
        ("Atlas", "owner", "Priya", {"confidence": 1.5}, 'The confidence "1.5" is not from 0 to 1'),
        ("Atlas", "owner", "Priya", {"confidence": 10**5_000}, 'The confidence "inf" is not from 0 to 1'),
        ("Atlas", "owner", "Priya", {"confidence": float("nan")}, 'The confidence "nan" is not from 0 to 1'),
    ],
)
def test_what_a_line_could_not_mean_is_refused(
    lore: Lore, subject: str, predicate: str, object_: str, said: dict[str, Any], message: str
) -> None:
    with pytest.raises(Refused) as refused:
        lore.assert_fact(subject, predicate, object_, **said)
    assert message in refused.value.message
    assert refused.value.hint
    assert not (lore.engine.root / "lore").exists()


@pytest.mark.parametrize("at", [0, 1, 2])
@pytest.mark.parametrize("verb", ["assert_fact", "invalidate_fact", "retract_fact"])
def test_what_is_not_utf_8_is_refused_before_anything_is_opened(lore: Lore, verb: str, at: int) -> None:
    words = ["Atlas", "owner", "Priya"]
    words[at] = "\udcff"
    with pytest.raises(Refused, match=r'"<U\+DCFF>" is not UTF-8') as refused:
        getattr(lore, verb)(*words)
    assert refused.value.exit_code == 1
    assert list(lore.engine.root.iterdir()) == []


@pytest.mark.parametrize("name", ["subject", "predicate", "object"])
def test_what_is_not_utf_8_is_no_question(lore: Lore, name: str) -> None:
    with pytest.raises(BadRequest, match=rf'^{name}: "caf<U\+DCE9>" is not UTF-8\.$'):
        lore.facts(**{name: "caf\udce9"})


@pytest.mark.parametrize(
    "said",
    [
        {"valid_from": "2024-02-30"},
        {"valid_until": "March 5"},
        {"source": "extracted"},
        {"confidence": "high"},
        {"confidence": True},
        {"because": 7},
        {"recorded_at": "2020-01-01"},
        {"proposal": "0123abcd"},
    ],
)
def test_what_cannot_be_read_is_a_bad_request(lore: Lore, said: dict[str, Any]) -> None:
    with pytest.raises(BadRequest):
        lore.assert_fact("Atlas", "owner", "Priya", **said)


def test_two_thousand_characters_are_written(lore: Lore) -> None:
    lore.assert_fact("Atlas", "text", "é" * 2000)
    assert believed(lore, "Atlas", "text") == ["é" * 2000]


def test_a_journal_that_ends_in_a_fence_takes_no_line(lore: Lore) -> None:
    write(lore, "```\n", TODAY)
    with pytest.raises(Refused, match="code fence"):
        lore.assert_fact("Atlas", "status", "draft")
    assert journal(lore) == ["```"]


@pytest.mark.parametrize("place", ["lore/journal/2025-03-05.md", "lore/journal", "lore", ".lore/index.duckdb", ".lore"])
def test_what_is_read_only_is_left_alone(lore: Lore, place: str) -> None:
    lore.assert_fact("Atlas", "status", "draft")
    path = lore.engine.root / place
    path.chmod(path.stat().st_mode & ~0o222)
    try:
        with pytest.raises(Refused, match=f'"{path}" is read-only'):
            lore.assert_fact("Atlas", "status", "final")
        with pytest.raises(Refused, match="read-only"):
            lore.invalidate_fact("Atlas", "status")
        assert len(journal(lore)) == 1
    finally:
        path.chmod(path.stat().st_mode | 0o200)


def test_a_journal_that_leads_out_of_the_vault_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LORE_NOW", NOW)
    outside = tmp_path / "log.md"
    outside.write_text("", "utf-8")
    (tmp_path / "vault").mkdir()
    lore = loreweave.open(tmp_path / "vault")
    write(lore, GOOD)
    (lore.engine.root / TODAY).symlink_to(outside)
    with pytest.raises(LoreError, match="leads out of the vault"):
        lore.assert_fact("Atlas", "status", "draft")
    assert outside.read_text("utf-8") == ""
