"""A note read by its address: what is given, where to go on, and what is no note of the scope."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import loreweave
from loreweave.errors import BadRequest, Refused, VaultError
from loreweave.library import Lore
from loreweave.reports.codec import plain
from typed import vault

ATLAS = """\
---
owner: Priya
---
# Atlas

The monthly report.

## Log

### 2024

It was begun.

### 2025

It was shipped.

## Sources

Rates of the vendor.

## Log

A second one.
"""
NOTES = {
    "projects/atlas.md": ATLAS,
    "odd/a#b:3-4.md": "# Odd\n\nA path with everything in it.\n",
    "clients/alice/plan.md": "# Plan of Alice\n\nSecret.\n",
    "lore/config.toml": '[scopes]\n"clients/alice" = "alice"\n',
    "lore/journal/2024-01-10.md": "- [fact] Vendor :: reliability :: good {valid_from=2024-01-01, scope=alice}\n",
    "lore/inbox.md": "- call the vendor\n",
    "lines.md": "one\r\ntwo\rthree\nfour",
    "empty.md": "",
    "big.md": "".join(f"line {number}\n" for number in range(1, 2001)),
    "long.md": "界" * 100_000 + "\nshort\n",
}


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return vault(tmp_path_factory.mktemp("notes"), NOTES)


@pytest.fixture(scope="module")
def lore(notes: Path) -> Lore:
    return loreweave.open(notes)


def lines(text: str, start: int, end: int) -> str:
    return "\n".join(text.splitlines()[start - 1 : end])


def test_a_path_names_the_whole_note_with_its_frontmatter(lore: Lore) -> None:
    read = lore.read_note("projects/atlas.md")
    assert read.text == ATLAS.rstrip("\n")
    assert (read.title, read.start_line, read.end_line, read.shown, read.of, read.rest) == (
        "Atlas",
        1,
        24,
        24,
        24,
        None,
    )


@pytest.mark.parametrize(
    ("address", "start", "end"),
    [
        ("projects/atlas.md#Log", 8, 17),
        ("projects/atlas.md#2024", 10, 13),
        ("projects/atlas.md#atlas", 4, 24),
        ("projects/atlas.md#Log:22-24", 22, 24),
        ("projects/atlas.md#Log:24", 22, 24),
        ("projects/atlas.md:16", 14, 16),
        ("projects/atlas.md:2", 1, 3),
        ("projects/atlas.md:5-6", 5, 6),
        ("projects/atlas.md:20-9999", 20, 24),
        ("./projects/atlas.md#Sources", 18, 21),
    ],
)
def test_an_address_names_a_section_a_passage_or_lines(lore: Lore, address: str, start: int, end: int) -> None:
    read = lore.read_note(address)
    assert (read.start_line, read.end_line, read.text) == (start, end, lines(ATLAS, start, end))


def test_what_search_prints_is_read_as_it_stands_there(lore: Lore) -> None:
    found = lore.search("monthly report", "second log", "rates of the vendor", limit=5)
    assert found.results
    for result in found.results:
        assert lore.read_note(result.address).text == result.text.rstrip("\n")


def test_an_address_of_before_an_edit_finds_its_heading_again(tmp_path: Path) -> None:
    at = vault(tmp_path, {"a.md": "# A\n\nFirst.\n\n## Log\n\nBegun.\n"})
    lore = loreweave.open(at)
    address = next(result.address for result in lore.search("begun").results)
    (at / "a.md").write_text("# A\n\n" + "More.\n\n" * 20 + "## Log\n\nBegun.\n", "utf-8")
    assert lore.read_note(address).text == "## Log\n\nBegun."


def test_every_character_may_stand_in_a_path(lore: Lore) -> None:
    whole = lore.read_note("odd/a#b:3-4.md")
    assert whole.title == "Odd"
    assert lore.read_note("odd/a#b:3-4.md#Odd:3-3").text == "A path with everything in it."


def test_lines_end_as_they_do_everywhere(lore: Lore) -> None:
    assert lore.read_note("lines.md").text == "one\ntwo\nthree\nfour"
    assert lore.read_note("lines.md:2-3").text == "two\nthree"


def test_an_empty_note_has_no_lines(lore: Lore) -> None:
    read = lore.read_note("empty.md")
    assert (read.text, read.shown, read.of, read.lines, read.rest) == ("", 0, 0, 0, None)


def test_the_rest_of_a_long_note_is_read_part_by_part(lore: Lore) -> None:
    read = lore.read_note("big.md")
    assert (read.shown, read.of, read.rest) == (500, 2000, "big.md:501-2000")
    parts = [read.text]
    while read.rest:
        read = lore.read_note(read.rest)
        parts.append(read.text)
    assert "\n".join(parts) == NOTES["big.md"].rstrip("\n")


def test_offset_and_limit_count_lines_of_what_is_named(lore: Lore) -> None:
    read = lore.read_note("big.md:100-200", offset=10, limit=5)
    assert (read.start_line, read.end_line, read.of, read.rest) == (110, 114, 101, "big.md:115-200")


def test_a_part_has_no_more_characters_than_asked_for(lore: Lore) -> None:
    for characters in (20, 100, 1_000):
        read = lore.read_note("big.md", characters=characters)
        assert len(json.dumps(read.text)) <= characters
        assert read.rest == f"big.md:{read.end_line + 1}-2000"


def test_a_line_too_long_is_cut_and_says_so(lore: Lore) -> None:
    read = lore.read_note("long.md", characters=1_000)
    assert (read.cut, read.shown, read.rest) == (True, 1, "long.md:2-2")
    assert len(read.text) == 1_000
    assert lore.read_note("long.md:2").cut is False


@pytest.mark.parametrize(
    "address",
    [
        "../secret.md",
        "/etc/passwd",
        "projects/../projects/atlas.md",
        "projects//atlas.md",
        ".lore/index.duckdb",
        "lore/config.toml",
        "lore/journal/2024-01-10.md:1",
        "clients/alice/plan.md",
        "clients/alice/plan.md#Plan of Alice",
        "projects/atlas.md\x00",
        "PROJECTS/ATLAS.MD",
        "projects",
    ],
)
def test_only_a_note_of_the_scope_is_read(lore: Lore, address: str) -> None:
    with pytest.raises(Refused, match="is no note of the scope"):
        lore.read_note(address)


def test_what_is_refused_tells_nothing_of_other_scopes(lore: Lore) -> None:
    with pytest.raises(Refused) as refusal:
        lore.read_note("clients/alice/plans.md")
    assert "plan.md" not in refusal.value.hint


def test_a_scope_reads_its_own_notes_and_no_others(notes: Path) -> None:
    alice = Lore(notes, scope="alice")
    assert alice.read_note("clients/alice/plan.md").title == "Plan of Alice"
    for address in ("projects/atlas.md", "lore/inbox.md"):
        with pytest.raises(Refused, match='is no note of the scope "alice"'):
            alice.read_note(address)


def test_the_inbox_is_a_note(lore: Lore) -> None:
    assert lore.read_note("lore/inbox.md").text == "- call the vendor"


@pytest.mark.parametrize(
    ("address", "hint"),
    [
        ("Atlas", 'did you mean "projects/atlas.md"?'),
        ("atlas.md", 'did you mean "projects/atlas.md"?'),
        ("quite different", "search tells the addresses of notes"),
        ("lore/journal/2024-01-10.md:1", "lines of the record are told by `lore why`, each with who wrote it and why"),
        ("projects/atlas.md#Lgo", 'it has "Atlas", "Log", "2024", "2025", "Sources", "Log"'),
        ("projects/atlas.md:90", "leave the lines out to read all"),
        ("projects/atlas.md:9-4", "leave the lines out to read all"),
        ("projects/atlas.md:9-0", "leave the lines out to read all"),
        ("projects/atlas.md:0", "leave the lines out to read all"),
    ],
)
def test_what_is_not_there_is_told_with_what_may_be_meant(lore: Lore, address: str, hint: str) -> None:
    with pytest.raises(Refused) as refusal:
        lore.read_note(address)
    assert refusal.value.hint == hint


@pytest.mark.parametrize(
    "asked",
    [
        {"address": " "},
        {"address": 3},
        {"address": "\ud800"},
        {"address": "#" * 100_000},
        {"offset": -1},
        {"limit": 0},
        {"limit": "5"},
    ],
)
def test_what_cannot_be_read_is_a_bad_request(lore: Lore, asked: dict[str, object]) -> None:
    with pytest.raises(BadRequest):
        lore.read_note(**{"address": "big.md", **asked})  # type: ignore[arg-type]


def test_an_offset_past_the_end_is_refused(lore: Lore) -> None:
    with pytest.raises(Refused, match="leaves nothing of 2,000 lines"):
        lore.read_note("big.md", offset=2000)


def test_a_link_out_of_the_vault_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("# Secret\n", "utf-8")
    at = vault(tmp_path / "vault", {"a.md": "# A\n", "inside/b.md": "# B\n"})
    (at / "out.md").symlink_to(tmp_path / "secret.md")
    lore = loreweave.open(at)
    (at / "away").symlink_to(tmp_path)
    for address, told in (("out.md", "out.md"), ("away/secret.md#Secret", "away")):
        with pytest.raises(Refused, match=f'"{told}" leads out of the vault'):
            lore.read_note(address)
    (at / "inside").rename(at / "gone")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "b.md").write_text("# Secret\n", "utf-8")
    (at / "inside").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(VaultError, match="leads out of the vault"):
        Lore(at, refresh=False).read_note("inside/b.md")


def test_it_is_json_with_what_is_shown_and_of_how_many(lore: Lore) -> None:
    told = plain(lore.read_note("projects/atlas.md#2024"))
    assert list(told) == [
        *("path", "title", "anchor", "start_line", "end_line", "text", "shown", "of", "lines", "rest", "cut"),
    ]
    assert (told["anchor"], told["shown"], told["of"]) == ("2024", 4, 4)
