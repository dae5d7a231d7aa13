"""``lore why`` and ``lore diff``: the history of the record, told so that a reader can tell it again."""

from __future__ import annotations

from pathlib import Path

import pytest

from typed import answer, refused, screen, typed, vault

JOURNAL = "lore/journal/2024-01-10.md"
LEDGER = "lore/ledger/2023-12-01-0001.md"
IDLE = "This close ends nothing of Vendor :: reliability: no claim on record then reaches beyond that instant."
FILES = {
    JOURNAL: """\
- [fact] Vendor :: reliability :: fair {valid_from=2024-01-01, recorded_at=2024-01-10, by=ana, because="first audit"}
- [fact] Vendor :: reliability :: good {valid_from=2024-01-01, recorded_at=2024-02-10, by=ana, because="misread"}
- [invalidate] Vendor :: reliability {valid_until=2024-06-01, recorded_at=2025-03-05T14:00:00Z, by=ben}
- [invalidate] Vendor :: reliability {valid_until=2025-06-01, recorded_at=2025-03-06T14:00:00Z, by=ben}
- [fact] Vendor :: reliability :: poor {valid_from=2025-02-01, recorded_at=2025-04-01}
- [retract] Vendor :: reliability :: poor {recorded_at=2025-05-01, because="wrong vendor"}
""",
    "old.md": "# Vendor\n\n- reliability:: shaky {valid_from=2024-02-01}\n",
    LEDGER: """\
- [observed] Vendor :: reliability :: unknown {note=vendors.md, valid_from=2023-12-01, recorded_at=2023-12-01T10:00:00Z}
- [observed] Vendor :: reliability :: shaky {note=old.md, valid_from=2024-02-01, recorded_at=2024-03-01T10:00:00Z}
- [withdrawn] Vendor :: reliability {note=vendors.md, recorded_at=2025-10-01T10:00:00Z}
""",
}

HISTORY = f"""\
Vendor :: reliability  (nothing is believed)

recorded 2023-12-01T10:00:00Z
  {LEDGER}:1: vendors.md says "unknown" from 2023-12-01 (confidence 0.9)
    "unknown" holds 2023-12-01 → now
    the answer for 2024-09-01 was nothing, becomes "unknown"

recorded 2024-01-10T00:00:00Z
  {JOURNAL}:1 · by ana: states "fair" from 2024-01-01
    because "first audit"
    "fair" holds 2024-01-01 → now
    "unknown" from 2023-12-01 is masked from 2024-01-01; it was open
    the answer for 2024-09-01 was "unknown", becomes "fair"

recorded 2024-02-10T00:00:00Z
  {JOURNAL}:2 · by ana: states "good" from 2024-01-01
    because "misread"
    "good" holds 2024-01-01 → now, a correction of "fair"
    the answer for 2024-09-01 was "fair", becomes "good"

recorded 2024-03-01T10:00:00Z
  {LEDGER}:2: old.md says "shaky" from 2024-02-01 (confidence 0.9)
    without effect: masked by "good" ({JOURNAL}:2); what a note says from before the end of a statement stays out
    the answer for 2024-09-01 stays "good"

recorded 2025-03-05T14:00:00Z
  {JOURNAL}:3 · by ben: closes what holds, from 2024-06-01 on
    "good" from 2024-01-01 is closed at 2024-06-01; it was open
    the answer for 2024-09-01 was "good", becomes nothing

recorded 2025-03-06T14:00:00Z
  {JOURNAL}:4 · by ben: closes what holds, from 2025-06-01 on
    without effect: {IDLE}
    the answer for 2024-09-01 stays nothing

recorded 2025-04-01T00:00:00Z
  {JOURNAL}:5: states "poor" from 2025-02-01
    "poor" holds 2025-02-01 → now
    the answer for 2024-09-01 stays nothing

recorded 2025-05-01T00:00:00Z
  {JOURNAL}:6: unsays "poor"
    because "wrong vendor"
    "poor" 2025-02-01 → now is unsaid
    the answer for 2024-09-01 stays nothing

recorded 2025-10-01T10:00:00Z
  {LEDGER}:3: vendors.md no longer says so
    "unknown" 2023-12-01 → 2024-01-01 is withdrawn
    the answer for 2024-09-01 stays nothing

as of 2024-09-01T00:00:00Z, as best known
"""


@pytest.fixture(scope="module")
def lore(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return vault(tmp_path_factory.mktemp("vault"), FILES)


def test_the_whole_history_can_be_retold(lore: Path) -> None:
    assert screen(lore, "why", "vendor", "reliability", "--as-of", "2024-09-01") == HISTORY.splitlines()


def test_what_was_not_known_yet_is_not_told(lore: Path) -> None:
    told = screen(lore, "why", "Vendor", "reliability", "--as-of", "2024-09-01", "--as-known-at", "2024-12-01")
    assert told[:2] == [
        "Vendor :: reliability :: good  (2024-01-01 → now)",
        f"    stated · {JOURNAL}:2 · known 2024-02-10 → 2025-03-05T14:00:00Z",
    ]
    assert [line for line in told if line.startswith("recorded 2025")] == []


def test_a_name_is_spelt_as_it_was_by_then(tmp_path: Path) -> None:
    lines = "- [fact] Atlas :: status :: draft {recorded_at=2025-01-01}\n"
    lines += "- [fact] ATLAS :: STATUS :: final {recorded_at=2025-02-01}\n"
    at = vault(tmp_path, {"lore/journal/2025-01-01.md": lines})
    for known_at, spelt in (("2025-01-15", "Atlas"), ("2025-02-15", "ATLAS")):
        told = answer(at, "why", "aTLAS", "sTATUS", "--as-known-at", known_at)
        assert told["subject"] == spelt


def test_in_json_each_step_has_lines_changes_and_the_answer_before_and_after(lore: Path) -> None:
    told = answer(lore, "why", "Vendor", "reliability", "--as-of", "2024-09-01")
    assert (told["facts"], told["shown"], told["of"]) == ([], 9, 9)
    close = told["steps"][4]
    assert (close["before"], close["after"]) == (["good"], [])
    assert [(line["kind"], line["recorded_by"], line["path"], line["line"]) for line in close["lines"]] == [
        ("FactInvalidated", "ben", JOURNAL, 3)
    ]
    assert [(change["change"], change["object"]) for change in close["changes"]] == [("closed", "good")]
    assert [step["lines"][0]["effect"] for step in told["steps"] if step["lines"][0]["effect"]] == [
        f'masked by "good" ({JOURNAL}:2); what a note says from before the end of a statement stays out',
        IDLE,
    ]


def test_of_a_long_history_the_steps_that_touch_the_answer_come_first(lore: Path) -> None:
    told = answer(lore, "why", "Vendor", "reliability", "--as-of", "2024-09-01", "--limit", "4")
    assert [step["recorded_at"][:10] for step in told["steps"]] == [
        "2023-12-01",
        "2024-01-10",
        "2024-02-10",
        "2025-03-05",
    ]
    cut = screen(lore, "why", "Vendor", "reliability", "--as-of", "2024-09-01", "--limit", "4")
    assert cut[-2] == "showing 4 of 9 record instants, those that touch the answer first"


def test_a_slot_nobody_wrote_of_is_no_error(lore: Path) -> None:
    told = typed(lore, "why", "Nobody", "owner", "--as-of", "2024-09-01")
    assert (told.exit_code, told.stdout.splitlines()) == (
        0,
        [
            "Nobody :: owner  (nothing is believed)",
            "    no line of the record is about it",
            "as of 2024-09-01T00:00:00Z, as best known",
        ],
    )
    assert told.stderr == 'hint: no subject is called "Nobody"\n'


# -------------------------------------------------------------------------------------------------- diff


def test_a_difference_is_told_by_slot_and_record_instant(lore: Path) -> None:
    assert screen(lore, "diff", "--from", "2025-03-01", "--to", "2025-05-01") == [
        "Vendor :: reliability  recorded 2025-03-05T14:00:00Z",
        f"  {JOURNAL}:3 · by ben",
        '    "good" from 2024-01-01 is closed at 2024-06-01; it was open',
        "Vendor :: reliability  recorded 2025-04-01T00:00:00Z",
        f"  {JOURNAL}:5",
        '    "poor" holds 2025-02-01 → now',
        "Vendor :: reliability  recorded 2025-05-01T00:00:00Z",
        f'  {JOURNAL}:6: "wrong vendor"',
        '    "poor" 2025-02-01 → now is unsaid',
        "recorded after 2025-03-01T00:00:00Z, up to 2025-05-01T00:00:00Z",
    ]


def test_what_was_recorded_at_the_earlier_instant_counts_as_known(lore: Path) -> None:
    told = answer(lore, "diff", "--from", "2025-04-01")
    assert [slot["recorded_at"] for slot in told["changes"]] == ["2025-05-01T00:00:00Z", "2025-10-01T10:00:00Z"]
    assert [change["change"] for slot in told["changes"] for change in slot["changes"]] == ["unsaid", "withdrawn"]


def test_a_difference_is_cut_and_filtered(lore: Path) -> None:
    told = screen(lore, "diff", "--from", "2023-01-01", "--limit", "2", "--subject", "vendor")
    assert told[-2:] == ["showing 2 of 7 changed slots", "recorded after 2023-01-01T00:00:00Z, up to the last"]
    assert screen(lore, "diff", "--from", "2023-01-01", "--predicate", "owner")[0] == "nothing changed"


def test_a_difference_needs_a_beginning_and_an_order(lore: Path) -> None:
    assert typed(lore, "diff").exit_code == 2
    code, said = refused(lore, "diff", "--from", "2025-01-01", "--to", "2024-01-01")
    assert (code, said[0]) == (1, "error: to: 2024-01-01T00:00:00Z is before 2025-01-01T00:00:00Z.")
