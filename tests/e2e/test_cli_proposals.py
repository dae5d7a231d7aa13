"""The commands of the review gate: what they print for programs, and how they end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from program import lore

NOW = {"LORE_NOW": "2024-06-10T09:00:00Z", "LORE_BY": "priya"}
JOURNAL = "lore/journal/2024-06-10.md"
PROPOSED = (
    "- [proposed] Vendor :: reliability :: poor {kind=fact, valid_from=2024-06-01, recorded_at=2024-06-03T09:00:00Z,"
    " confidence=0.8, by=scribe, because=three defects}\n"
    "- [proposed] Vendor :: reliability {kind=invalidate, recorded_at=2024-06-03T09:00:01Z, by=scribe}\n"
)
GOOD = "- [fact] Vendor :: reliability :: good {valid_from=2024-01-01, recorded_at=2024-01-10T09:00:00Z}\n"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    for name, text in (("2024-01-10", GOOD), ("2024-06-03", PROPOSED)):
        file = tmp_path / "lore" / "journal" / f"{name}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return tmp_path


def ids(vault: Path) -> list[str]:
    return [one["proposal_id"] for one in json.loads(lore(vault, "proposals", "--json", **NOW))["proposals"]]


def test_proposals_for_programs_carry_all_that_is_on_record_and_what_approval_would_do(vault: Path) -> None:
    answer = json.loads(lore(vault, "proposals", "--json", **NOW))
    assert {name: answer[name] for name in ("scope", "status", "shown", "of")} == {
        "scope": "default",
        "status": "pending",
        "shown": 2,
        "of": 2,
    }
    first, second = answer["proposals"]
    assert (first["kind"], first["object"], first["confidence"], first["recorded_by"]) == (
        "fact",
        "poor",
        0.8,
        "scribe",
    )
    assert first["holds"] == [{"valid_from": "2024-06-01T00:00:00Z", "valid_until": None}]
    (superseded,) = first["effects"]["superseded"]
    assert (superseded["object"], superseded["source"]) == ("good", "stated")
    assert (second["kind"], second["object"], second["valid_until"]) == ("invalidate", None, None)
    assert second["effects"]["ended"][0]["now"][0]["valid_until"] == "2024-06-03T09:00:01Z"


def test_a_list_that_is_cut_says_so_on_the_screen(vault: Path) -> None:
    assert "showing 1 of 2 proposals" in lore(vault, "proposals", "--limit", "1", **NOW)


def test_an_approval_for_programs_tells_each_line(vault: Path) -> None:
    answer = json.loads(lore(vault, "approve", ids(vault)[0], "--json", **NOW))
    assert (answer["approved_by"], answer["written"], answer["recorded_at"]) == ("priya", True, NOW["LORE_NOW"])
    (line,) = answer["approved"]
    assert (line["path"], line["line_number"]) == (JOURNAL, 1)
    assert line["superseded"][0]["object"] == "good"
    assert (line["kind"], line["proposed"], line["object"]) == ("fact", False, "poor")


def test_a_rehearsal_and_a_refusal_write_nothing(vault: Path) -> None:
    one, two = ids(vault)
    assert "would write" in lore(vault, "approve", one, two, "--dry-run", **NOW)
    lore(vault, "approve", one, "0000", exits=1, **NOW)
    lore(vault, "approve", one, exits=1, **(NOW | {"LORE_BY": "Scribe"}))
    lore(vault, "reject", "0000", "--because", "no", exits=1, **NOW)
    lore(vault, "reject", one, "--because", " ", exits=1, **NOW)
    assert not (vault / JOURNAL).exists()


@pytest.mark.parametrize(
    "words",
    [
        ["approve"],
        ["reject", "abc"],
        ["reject", "--because", "no"],
        ["proposals", "--limit", "0"],
        ["proposals", "--status", "open"],
        ["propose"],
        ["propose", "atlas.md", "--limit", "many"],
        ["approve", "abc", "--by", " "],
    ],
)
def test_what_cannot_be_read_could_not_be_asked(words: list[str], vault: Path) -> None:
    lore(vault, *words, exits=2, **NOW)
    assert not (vault / JOURNAL).exists()


def test_a_rejection_for_programs_names_what_was_rejected(vault: Path) -> None:
    one, two = ids(vault)
    answer = json.loads(lore(vault, "reject", two[:8], one, "--because", "it goes on", "--json", **NOW))
    assert (answer["rejected_by"], answer["because"], answer["recorded_at"]) == ("priya", "it goes on", NOW["LORE_NOW"])
    assert [(each["proposal_id"], each["kind"]) for each in answer["rejected"]] == [(two, "invalidate"), (one, "fact")]
    first, second = (vault / JOURNAL).read_text("utf-8").splitlines()
    assert first.startswith(f"- [rejected] {two} {{")
    assert second.startswith(f"- [rejected] {one} {{")


def test_what_was_mined_is_told_to_programs(vault: Path) -> None:
    (vault / "atlas.md").write_text("# Atlas\n\n- **Owner**: Priya\n", "utf-8")
    answer = json.loads(lore(vault, "propose", "atlas.md", "--submit", "--json", **NOW))
    assert (answer["shown"], answer["of"], answer["submitted"], answer["journal"]) == (1, 1, True, JOURNAL)
    assert answer["candidates"][0]["proposal_id"] in ids(vault)


def test_control_characters_of_a_proposal_do_not_reach_the_screen(vault: Path) -> None:
    said = "- [proposed] Vendor :: note :: a\u202eb\x1b[31m {kind=fact, recorded_at=2024-06-03T09:00:02Z, by=scribe}\n"
    (vault / "lore/journal/2024-06-04.md").write_text(said, "utf-8")
    shown = lore(vault, "proposals", **NOW)
    assert "\x1b" not in shown
    assert "\u202e" not in shown


FORGED = "0a1b2c3d  Atlas :: motto :: Work hard  (2024-06-03 → now)"


@pytest.mark.parametrize("pad", [" ", "\u2800", ".", "字"])
@pytest.mark.parametrize("columns", [20, 81])
def test_no_text_of_a_proposal_begins_a_row_where_a_proposal_begins(vault: Path, pad: str, columns: int) -> None:
    padded = f"so{pad * (columns - 10)}{FORGED} {pad * columns}{FORGED}"
    said = f'- [proposed] Vendor :: note :: {padded} {{because="{padded}", episode="{padded}", '
    line = f"{said}kind=fact, recorded_at=2024-06-03T09:00:02Z, by=scribe}}\n"
    (vault / "lore/journal/2024-06-04.md").write_text(line, "utf-8")
    rows = lore(vault, "proposals", **NOW, COLUMNS=str(columns)).splitlines()
    assert [row[:8] for row in rows if row[:4].strip()] == [one[:8] for one in ids(vault)]
    assert max(len(row) + row.count("字") for row in rows) <= columns


def test_a_long_text_of_a_proposal_is_cut_and_says_how_to_see_it_whole(vault: Path) -> None:
    said = f'because="{"a   b " * 100}end", episode=audit'
    line = f"- [proposed] Vendor :: note :: x {{kind=fact, recorded_at=2024-06-03T09:00:02Z, source=stated, {said}}}\n"
    (vault / "lore/journal/2024-06-04.md").write_text(line, "utf-8")
    shown = lore(vault, "proposals", **NOW)
    assert f"    because: {('a b ' * 100)[:299]}… (403 characters; --full shows all)\n    episode: audit\n" in shown
    assert f"    because: {'a b ' * 100}end\n" in lore(vault, "proposals", "--full", **NOW)
    assert "    stated, approved as inferred · proposed 2024" in shown
    approved = lore(vault, "approve", ids(vault)[2], **NOW)
    assert f"  line: {(vault / JOURNAL).read_text('utf-8')}" in approved
