"""``lore review``: passages that fade though they were of use, beliefs long open, and what each is worth."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import loreweave
from loreweave.errors import BadRequest
from typed import answer, refused, screen, typed, vault

FACT = "- [fact] {slot} :: {value} {{valid_from={start}, recorded_at={recorded}T09:00:00Z, by=Priya{more}}}\n"


def fact(slot: str, value: str, start: str, recorded: str, more: str = "") -> str:
    return FACT.format(slot=slot, value=value, start=start, recorded=recorded, more=more)


NOTES = {
    "hub.md": "---\npriority: high\n---\n# Hub\n\nWhere all begins.\n",
    "plain.md": "# Plain\n\nOf no weight.\n",
    "other.md": "# Other\n\nSpeaks of the [[hub]].\n",
    "third.md": "# Third\n\nSpeaks of the [[hub]] and of the [[hub|centre]].\n",
    "old.md": "# Old\n\nOf no weight either.\n",
    "lore/config.toml": '[extract]\nignore_keys = ["priority"]\n',
}
RECORD = {
    "lore/journal/2025-01-10.md": (
        fact("Vendor :: reliability", "good", "2024-07-01", "2025-01-10")
        + fact("Hub :: owner", "Priya", "2024-01-01", "2025-01-10")
        + fact("Vendor :: city", "Ghent", "2020-01-01", "2025-01-10", ", valid_until=2026-01-01")
        + fact("Vendor :: tier", "gold", "2019-01-01", "2025-01-10")
    ),
    "lore/journal/2025-11-01.md": (
        fact("Atlas :: status", "draft", "2020-01-01", "2025-11-01")
        + fact("Vendor :: tier", "gold", "2019-01-01", "2025-11-01")
    ),
}


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return vault(tmp_path, NOTES)


@pytest.fixture
def record(notes: Path) -> Path:
    return vault(notes, RECORD)


def _use(at: Path, address: str, when: str) -> None:
    typed(at, "mark-used", address, LORE_NOW=when)


def _at(at: Path, when: str, *words: str) -> Any:
    import json

    return json.loads(typed(at, "review", "--json", *words, LORE_NOW=when).stdout)


def _fading(at: Path, when: str, *words: str) -> list[str]:
    return [each["path"] for each in _at(at, when, *words)["fading"]["passages"]]


def test_what_was_used_once_fades_and_a_further_use_brings_it_back(notes: Path) -> None:
    _use(notes, "plain.md", "2025-06-01")
    assert _fading(notes, "2025-07-29") == []
    assert _fading(notes, "2025-08-01") == ["plain.md"]
    _use(notes, "plain.md", "2025-12-01")
    assert _fading(notes, "2025-12-02") == []
    assert _fading(notes, "2026-06-01") == []
    assert _fading(notes, "2035-06-01") == ["plain.md"]


def test_what_is_recorded_one_after_the_other_at_one_instant_counts_at_that_instant(notes: Path) -> None:
    _use(notes, "plain.md", "2025-06-01")
    for path in ("other.md", "plain.md"):
        _use(notes, path, "2025-12-01")
    assert _fading(notes, "2025-12-01") == []


def test_what_was_never_used_is_not_told_however_much_it_matters(notes: Path) -> None:
    assert _fading(notes, "2035-01-01") == []


def test_the_more_important_comes_first_and_says_why(notes: Path) -> None:
    for path in ("hub.md", "plain.md"):
        _use(notes, path, "2025-06-01")
    first, second = _at(notes, "2025-12-01")["fading"]["passages"]
    assert (first["path"], second["path"]) == ("hub.md", "plain.md")
    assert first["importance"] == pytest.approx(0.15 + 0.1 * 1.585 + 0.3 * 0.8, abs=0.001)
    assert second["importance"] == 0.15
    assert (first["uses"], first["last_used"]) == (1, "2025-06-01T00:00:00Z")


def test_of_equally_important_ones_the_most_faded_comes_first(notes: Path) -> None:
    _use(notes, "plain.md", "2025-01-01")
    _use(notes, "old.md", "2025-02-01")
    assert _fading(notes, "2025-12-01") == ["plain.md", "old.md"]


def test_the_threshold_is_a_part_of_the_memory_and_the_limit_is_told(notes: Path) -> None:
    for path in ("plain.md", "hub.md", "other.md"):
        _use(notes, path, "2025-06-01")
    assert _fading(notes, "2025-06-03") == []
    told = _at(notes, "2025-06-03", "--threshold", "0.95", "--limit", "2")["fading"]
    assert ([each["path"] for each in told["passages"]], told["shown"], told["of"]) == (["hub.md", "other.md"], 2, 3)
    assert _fading(notes, "2025-06-03", "--threshold", "0") == []


def test_a_report_of_an_earlier_instant_knows_no_later_use(notes: Path) -> None:
    _use(notes, "plain.md", "2025-06-01")
    before = _at(notes, "2025-09-01")
    _use(notes, "plain.md", "2025-09-02")
    assert _at(notes, "2025-09-01") == before
    assert _fading(notes, "2025-09-02") == []
    with loreweave.open(notes) as lore:
        assert [each.path for each in lore.review(now="2025-09-01").fading.passages] == ["plain.md"]


def _open(at: Path, when: str = "2025-12-01", *words: str) -> list[str]:
    beliefs = _at(at, when, *words)["open"]["beliefs"]
    return [f"{each['subject']} :: {each['predicate']}" for each in beliefs]


def test_a_belief_is_long_open_half_a_year_after_it_was_last_said_whenever_it_began(record: Path) -> None:
    assert _open(record, "2025-12-01") == ["Hub :: owner", "Vendor :: reliability"]
    assert _open(record, "2025-07-09") == []
    assert _open(record, "2026-05-15") == ["Hub :: owner", "Vendor :: reliability", "Vendor :: tier", "Atlas :: status"]


def test_the_belief_about_the_weightier_note_comes_first_then_the_one_said_longest_ago(record: Path) -> None:
    hub, vendor = _at(record, "2025-12-01")["open"]["beliefs"]
    assert (hub["importance"], vendor["importance"]) == (pytest.approx(0.5485, abs=0.0001), 0.15)
    assert vendor == {
        "scope": "default",
        "subject": "Vendor",
        "predicate": "reliability",
        "object": "good",
        "valid_from": "2024-07-01T00:00:00Z",
        "valid_until": None,
        "known_from": "2025-01-10T09:00:00Z",
        "source": "stated",
        "confidence": 1.0,
        "recorded_at": "2025-01-10T09:00:00Z",
        "recorded_by": "Priya",
        "path": "lore/journal/2025-01-10.md",
        "line": 1,
        "importance": 0.15,
    }


def test_a_belief_is_known_from_when_it_came_to_be_believed_though_it_was_said_before(record: Path) -> None:
    day = record / "lore/journal/2025-05-01.md"
    day.write_text(
        FACT.format(slot="Vendor :: reliability", value="fair", start="2024-07-01", recorded="2025-01-11", more="")
        + "- [retract] Vendor :: reliability :: fair {recorded_at=2025-05-01T09:00:00Z, by=Priya}\n",
        "utf-8",
    )
    (vendor,) = (each for each in _at(record, "2025-12-01")["open"]["beliefs"] if each["subject"] == "Vendor")
    said = vendor["object"], vendor["recorded_at"], vendor["known_from"]
    assert said == ("good", "2025-01-10T09:00:00Z", "2025-05-01T09:00:00Z")
    shutil.rmtree(record / ".lore")
    assert vendor in _at(record, "2025-12-01")["open"]["beliefs"]


def test_to_say_it_again_answers_the_question_and_so_does_its_end(record: Path) -> None:
    typed(record, "assert", "Vendor", "reliability", "good")
    assert _open(record) == ["Hub :: owner"]
    typed(record, "invalidate", "Hub", "owner", "--valid-until", "2025-11-01")
    assert _open(record) == []


def test_what_a_note_states_counts_only_where_values_of_its_predicate_have_changed(record: Path) -> None:
    (record / "old.md").write_text("---\nstatus: open\nshape: round\n---\n# Old\n", "utf-8")
    (record / "lore/journal/2025-11-01.md").unlink()
    typed(record, "index", LORE_NOW="2025-01-11")
    assert "Old :: status" not in _open(record)
    journal = record / "lore/journal/2025-02-01.md"
    change = fact("Ferry :: status", "late", "2024-01-01", "2025-02-01")
    journal.write_text(change + fact("Ferry :: status", "sunk", "2024-06-01", "2025-02-01"), "utf-8")
    told = _open(record)
    assert told.index("Ferry :: status") < told.index("Vendor :: reliability")
    assert "Old :: status" in told
    assert "Old :: shape" not in told


def test_what_is_over_by_its_own_words_is_counted_and_not_asked_about(tmp_path: Path) -> None:
    over = [
        "Door :: state :: closed",
        "Rent :: paid :: yes",
        "Atlas :: due :: 2025-02-01",
        "Bo :: left :: 2025-03-01 09:30",
    ]
    asked = [
        "Atlas :: next review :: 2025-02-01",
        "Game :: publisher :: Epoch",
        "Bo :: due :: 2025-2-1",
        "Fee :: paid :: 3",
    ]
    line = "- [fact] {said} {{recorded_at=2025-01-01}}\n"
    at = vault(tmp_path, {"lore/journal/2025-01-01.md": "".join(line.format(said=said) for said in over + asked)})
    found = answer(at, "review", "--limit", "1")["open"]
    assert (found["shown"], found["of"], found["over"]) == (1, 4, 4)
    lines = typed(at, "review").stdout.splitlines()
    assert [line.strip() for line in lines if " :: " in line] == sorted(asked)
    assert lines[-2] == "not asked of 4 beliefs that are over by their words"


def test_the_screen_asks_whether_it_is_still_true(notes: Path) -> None:
    _use(notes, "hub.md", "2025-06-01")
    vault(notes, RECORD)
    assert screen(notes, "review") == [
        "fading:",
        "  hub.md#Hub:4-6",
        "      Where all begins.",
        "      17% remembered · importance 0.55 · used 1 time, last on 2025-06-01",
        "long open:",
        "  Hub :: owner :: Priya",
        "      since 2024-01-01: still true? · stated by Priya, last said 2025-01-10 · lore/journal/2025-01-10.md:2",
        "  Vendor :: reliability :: good",
        "      since 2024-07-01: still true? · stated by Priya, last said 2025-01-10 · lore/journal/2025-01-10.md:1",
        "as of 2025-12-01T00:00:00Z, as best known",
    ]
    assert "showing 1 of 2 beliefs long open" in screen(notes, "review", "--limit", "1")


def test_an_empty_vault_has_nothing_to_review(tmp_path: Path) -> None:
    vault(tmp_path, {"lore/journal/2025-01-01.md": ""})
    result = typed(tmp_path, "review")
    assert result.stdout.splitlines()[:2] == ["no passage was marked as used", "no belief has long been open"]
    assert "lore mark-used ADDRESS" in result.stderr


@pytest.mark.parametrize("threshold", ["x", "nan", "-0.1", "1.1", "inf"])
def test_a_threshold_that_is_no_part_is_said_to_be_none(notes: Path, threshold: str) -> None:
    code, said = refused(notes, "review", "--threshold", threshold)
    assert code == 2
    assert threshold in said[0]


@pytest.mark.parametrize(("name", "value"), [("threshold", "0.3"), ("threshold", True), ("limit", 0), ("limit", "20")])
def test_the_library_says_so_too(notes: Path, name: str, value: Any) -> None:
    with loreweave.open(notes) as lore, pytest.raises(BadRequest, match=name):
        lore.review(**{name: value})


def test_after_fifty_uses_the_decay_is_that_of_the_vault(notes: Path) -> None:
    at, lines = "lore/ledger/2025-01-01-0001.md", []
    for number in range(30):
        vault(notes, {f"log/{number:02}.md": f"# Day {number}\n\nEntry {number}.\n"})
        for day in (1 + number % 28,) * 2:
            month = 1 + len(lines) % 2 * 9
            lines.append(
                f"- [used] log/{number:02}.md#Day {number} {{recorded_at=2025-{month:02}-{day:02}T00:00:00Z}}\n"
            )
    vault(notes, {at: "".join(lines[:49])})
    few = answer(notes, "review")
    vault(notes, {at: "".join(lines)})
    many = answer(notes, "review")
    assert (few["uses"], few["decay"], few["fitted"]) == (49, 0.5, False)
    assert (many["uses"], many["fitted"]) == (60, True)
    assert many["decay"] < 0.5


@pytest.mark.parametrize(
    ("said", "importance"),
    [
        ("priority: 1", 0.45),
        ("Importance: 5", 0.3),
        ("priority: low\nimportance: high", 0.39),
        ("priority: [urgent]", 0.45),
        ("priority: 0", 0.15),
        ("priority: " + "9" * 5_000, 0.15),
        ("priority: {a: [1, {b: 2}]}", 0.15),
        ("priority: -1e400", 0.15),
        ("priority: ٣", 0.24),
    ],
)
def test_a_note_says_how_much_it_matters_in_any_form(notes: Path, said: str, importance: float) -> None:
    vault(notes, {"said.md": f"---\n{said}\n---\n# Said\n\nText.\n"})
    _use(notes, "said.md", "2025-01-01")
    (found,) = _at(notes, "2025-12-01")["fading"]["passages"]
    assert found["importance"] == pytest.approx(importance)


def test_a_passage_is_told_by_its_address_and_its_first_line(notes: Path) -> None:
    texts = {
        "a.md": "# A\n\n## Only a heading\n",
        "b.md": "word " * 50,
        "c.md": "# C\n\n\n- a list\x07\n",
        "d.md": "# D\n\n#tag\n",
    }
    vault(notes, texts)
    for path in texts:
        _use(notes, path, "2025-01-01")
    found = {each["path"]: each for each in _at(notes, "2025-12-01")["fading"]["passages"]}
    assert [found[path]["begins"] for path in texts if path != "b.md"] == ["A", "- a list\x07", "#tag"]
    assert found["b.md"]["begins"] == ("word " * 50)[:119] + "…"
    assert found["c.md"]["address"] == "c.md#C:1-4"
    assert "      - a list\ufffd" in screen(notes, "review")
    with loreweave.open(notes) as lore:
        assert lore.mark_used(found["c.md"]["address"]).uses == 2
