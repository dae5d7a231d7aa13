"""The timeline of an entity: changes of belief in valid time, and the dated passages that name it, in one order."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import loreweave
from loreweave.reports.entity import numbers, singulars
from typed import answer, refused, screen, typed, vault

JOURNAL = """\
- [fact] Atlas :: status :: planning {valid_from=2024-02-01, recorded_at=2024-02-02, by=priya}
- [fact] Atlas :: status :: active {valid_from=2024-09-01, recorded_at=2024-09-02, by=priya}
- [fact] Atlas :: budget :: 5 {valid_from=2024-03-01, valid_until=2024-05-01, recorded_at=2024-09-02}
- [fact] Vendor :: supplies :: Atlas {valid_from=2024-04-01, recorded_at=2024-09-02}
- [fact] Atlas :: member :: Ana {valid_from=2024-04-01, valid_until=2024-06-01, many, recorded_at=2024-09-02}
- [fact] Atlas :: member :: Bo {valid_from=2024-06-01, many, recorded_at=2024-09-02}
- [fact] Atlas :: status :: secret {valid_from=2024-05-01, recorded_at=2024-09-02, scope=alice}
"""
NOTES = {
    "lore/journal/2024-02-02.md": JOURNAL,
    "kickoff.md": "# Kickoff\n\n2024-02-10: we met about Atlas.\n",
    "undated.md": "# Ideas\n\nAtlas might be larger.\n",
}


def entries(at: Path, *words: str) -> list[Any]:
    found: list[Any] = json.loads(typed(at, "timeline", *words, "--json").stdout)["entries"]
    return found


def told(at: Path, *words: str) -> list[tuple[str, ...]]:
    return [
        (each["at"][:10], each["text"])
        if each["kind"] == "passage"
        else (each["at"][:10], each["change"], each["subject"], each["predicate"], each["object"])
        for each in entries(at, *words)
    ]


def test_changes_of_belief_and_dated_passages_stand_in_the_order_of_time(tmp_path: Path) -> None:
    assert told(vault(tmp_path, NOTES), "Atlas") == [
        ("2024-02-01", "began", "Atlas", "status", "planning"),
        ("2024-02-10", "2024-02-10: we met about Atlas."),
        ("2024-03-01", "began", "Atlas", "budget", "5"),
        ("2024-04-01", "began", "Atlas", "member", "Ana"),
        ("2024-04-01", "began", "Vendor", "supplies", "Atlas"),
        ("2024-05-01", "ended", "Atlas", "budget", "5"),
        ("2024-06-01", "ended", "Atlas", "member", "Ana"),
        ("2024-06-01", "began", "Atlas", "member", "Bo"),
        ("2024-09-01", "changed", "Atlas", "status", "active"),
    ]


def test_a_change_names_the_value_before_and_has_an_open_end_while_it_is_current(tmp_path: Path) -> None:
    at = vault(tmp_path, NOTES)
    first, *_, last = entries(at, "atlas")
    assert (first["object"], first["previous"], first["valid_until"]) == ("planning", None, "2024-09-01T00:00:00Z")
    assert (last["object"], last["previous"], last["valid_until"]) == ("active", "planning", None)
    assert (last["source"], last["recorded_by"], last["known_from"]) == ("stated", "priya", "2024-09-02T00:00:00Z")
    assert (last["path"], last["line"]) == ("lore/journal/2024-02-02.md", 2)
    assert [each["previous"] for each in entries(at, "atlas") if each.get("predicate") == "member"] == [None] * 3


def test_a_value_that_is_closed_and_stated_again_later_follows_no_other(tmp_path: Path) -> None:
    lines = """\
- [fact] Atlas :: status :: draft {valid_from=2024-01-01, valid_until=2024-02-01, recorded_at=2024-01-01}
- [fact] Atlas :: status :: done {valid_from=2024-03-01, recorded_at=2024-03-01}
"""
    found = entries(vault(tmp_path, {"lore/journal/2024-01-01.md": lines}), "Atlas")
    assert [(each["at"][:10], each["change"], each["object"], each["previous"]) for each in found] == [
        ("2024-01-01", "began", "draft", None),
        ("2024-02-01", "ended", "draft", None),
        ("2024-03-01", "began", "done", None),
    ]


def test_each_interval_of_one_line_says_since_when_it_is_believed(tmp_path: Path) -> None:
    lines = """\
- [fact] Atlas :: status :: a {valid_from=2024-01-01, valid_until=2024-12-01, recorded_at=2024-01-01}
- [fact] Atlas :: status :: b {valid_from=2024-03-01, valid_until=2024-04-01, recorded_at=2024-05-01}
- [fact] Atlas :: status :: c {valid_from=2024-06-01, valid_until=2024-07-01, recorded_at=2024-08-01}
"""
    at = vault(tmp_path, {"lore/journal/2024-01-01.md": lines})
    assert [(each["object"], each["valid_from"][5:7], each["known_from"][5:7]) for each in entries(at, "Atlas")] == [
        ("a", "01", "05"),
        ("b", "03", "05"),
        ("a", "04", "08"),
        ("c", "06", "08"),
        ("a", "07", "08"),
        ("a", "07", "08"),
    ]


def test_of_another_the_change_away_from_an_entity_is_told_too(tmp_path: Path) -> None:
    lines = """\
- [fact] Atlas :: owner :: [[Priya Rao]] {valid_from=2024-01-01, recorded_at=2024-01-01}
- [fact] Atlas :: owner :: Bo {valid_from=2024-03-01, recorded_at=2024-03-01}
- [fact] Atlas :: owner :: Cy {valid_from=2024-04-01, recorded_at=2024-04-01}
"""
    found = entries(vault(tmp_path, {"lore/journal/2024-01-01.md": lines}), "priya_rao")
    assert [(each["change"], each["object"], each["previous"]) for each in found] == [
        ("began", "[[Priya Rao]]", None),
        ("changed", "Bo", "[[Priya Rao]]"),
    ]


def test_the_names_of_a_note_and_their_plurals_are_one_entity(tmp_path: Path) -> None:
    lines = """\
- [fact] Ledger Format :: status :: draft {valid_from=2024-01-01, recorded_at=2024-01-01}
- [fact] ledger formats :: owner :: Bo {valid_from=2024-01-02, recorded_at=2024-01-01}
- [fact] LF2 :: colour :: blue {valid_from=2024-01-03, recorded_at=2024-01-01}
- [fact] The Format :: size :: 3 {valid_from=2024-01-04, recorded_at=2024-01-01}
- [fact] Vendor :: uses :: Ledger Formats {valid_from=2024-01-05, recorded_at=2024-01-01}
"""
    note = "---\ntitle: Ledger Format\naliases: [The Format, LF2]\n---\nx\n"
    at = vault(tmp_path, {"lore/journal/2024-01-01.md": lines, "specs/lf.md": note})
    for name in ("Ledger Format", "Ledger Formats", "lf2", "The Formats", "specs/lf.md", "[[Ledger-Format]]"):
        found = answer(at, "timeline", name)
        assert (len(found["entries"]), found["path"], found["near"]) == (5, "specs/lf.md", []), name
        assert found["names"] == ["Ledger Format", "lf", "LF2", "The Format"]


def test_two_notes_of_which_one_has_the_plural_name_stay_two(tmp_path: Path) -> None:
    lines = """\
- [fact] Williams :: role :: editor {valid_from=2024-01-01, recorded_at=2024-01-01}
- [fact] William :: role :: author {valid_from=2024-01-02, recorded_at=2024-01-01}
"""
    at = vault(tmp_path, {"lore/journal/2024-01-01.md": lines, "William.md": "x\n", "Williams.md": "x\n"})
    assert [each["object"] for each in entries(at, "William")] == ["author"]
    assert [each["object"] for each in entries(at, "Williams")] == ["editor"]
    os.unlink(at / "Williams.md")
    assert [each["object"] for each in entries(at, "Williams")] == ["editor", "author"]


def test_a_title_that_is_the_file_name_of_another_note_lends_no_plural(tmp_path: Path) -> None:
    lines = "- [fact] Clipping :: size :: 3 {valid_from=2024-01-01, recorded_at=2024-01-01}\n"
    at = vault(tmp_path, {"lore/journal/2024-01-01.md": lines, "Clippings.md": "x\n", "Kelly.md": "# Clippings\n"})
    assert [each["object"] for each in entries(at, "Clippings")] == ["3"]
    assert entries(at, "Kelly") == []


def test_a_name_that_two_notes_have_is_the_name_alone(tmp_path: Path) -> None:
    lines = "- [fact] Atlas :: status :: draft {valid_from=2024-01-01, recorded_at=2024-01-01}\n"
    at = vault(
        tmp_path,
        {
            "lore/journal/2024-01-01.md": lines,
            "a/Atlas.md": "## 2024-02-01\n\nhere\n",
            "b/Atlas.md": "## 2024-03-01\n\nthere\n",
        },
    )
    found = answer(at, "timeline", "Atlas")
    assert (found["path"], [each["kind"] for each in found["entries"]]) == (None, ["belief"])
    assert [each["text"] for each in entries(at, "a/Atlas.md")] == ["here"]


def test_a_passage_counts_by_link_tag_and_name_and_in_the_note_of_the_entity_by_a_date_of_its_own(
    tmp_path: Path,
) -> None:
    at = vault(
        tmp_path,
        {
            "Atlas.md": "---\ncreated: 2023-01-01\n---\n# Atlas\n\nOf no date.\n\n## 2024-01-01\n\nBegun.\n",
            "2024-01-02.md": "See [[Atlas|it]].\n",
            "2024-01-03.md": "Shipped #atlas today.\n",
            "2024-01-04.md": "Then Atlas broke.\n",
            "2024-01-05.md": "Nothing of the atlas of the world.\n",
            "2024-01-06.md": "---\nabout: '[[Atlas]]'\n---\nA note whose property names it.\n",
        },
    )
    assert told(at, "Atlas") == [
        ("2024-01-01", "Begun."),
        ("2024-01-02", "See [[Atlas|it]]."),
        ("2024-01-03", "Shipped #atlas today."),
        ("2024-01-04", "Then Atlas broke."),
    ]


def test_an_end_is_told_with_the_line_that_ended_the_value(tmp_path: Path) -> None:
    lines = "- [fact] Atlas :: owner :: Bo {valid_from=2024-01-01, recorded_at=2024-01-01, by=priya}\n"
    lines += "- [fact] Atlas :: member :: Ana {valid_from=2024-01-01, valid_until=2024-03-01, recorded_at=2024-01-02}\n"
    lines += "- [invalidate] Atlas :: owner {valid_until=2024-02-01, recorded_at=2024-05-01, by=tom}\n"
    found = entries(vault(tmp_path, {"lore/journal/2024-01-01.md": lines}), "Atlas")
    ended = [each for each in found if each.get("change") == "ended"]
    assert [(each["object"], each["line"], each["recorded_by"]) for each in ended] == [
        ("Bo", 3, "tom"),
        ("Ana", 2, None),
    ]


def test_of_a_passage_about_several_days_the_lines_that_name_the_entity_count(tmp_path: Path) -> None:
    text = """\
# Log

- 2024-01-05 nothing
- 2024-01-09 spoke of Atlas,
  and of Atlas again
- 2024-02-20 rain
- 2024-03-20 [[Atlas]] shipped
"""
    found = entries(vault(tmp_path, {"log.md": text}), "Atlas", "--since", "2024-01-06", "--until", "2024-04")
    assert [(each["at"][:10], each["address"], each["text"]) for each in found] == [
        ("2024-01-09", "log.md#Log:4-4", "2024-01-09 spoke of Atlas,"),
        ("2024-03-20", "log.md#Log:7-7", "2024-03-20 [[Atlas]] shipped"),
    ]
    with loreweave.open(tmp_path) as lore:
        assert lore.read_note(found[0]["address"]).text == "- 2024-01-09 spoke of Atlas,"


def test_what_is_told_of_a_passage_says_when_too(tmp_path: Path) -> None:
    notes = {
        "one.md": "# One\n\nAtlas came with the second release.\n\n- [ ] take the bins out 2024-04-09\n",
        "two.md": "# Two\n\nAtlas is large.\nAtlas was moved on 2024-05-09.\n",
        "three.md": f"# Three\n\n{'x' * 200} Atlas\n2024-06-09\n",
        "four.md": "# Four\n\nAtlas reads dates such as `2024-07-09`.\n\n```\nAtlas: 2024-08-09\n```\n",
        "five.md": "# Five\n\nAtlas left on 2024-09-09.\nAtlas reads `2024-07-09`.\nAtlas is back on 2024-10-09.\n",
    }
    assert told(vault(tmp_path, notes), "Atlas") == [
        ("2024-04-09", "Atlas came with the second release. … take the bins out 2024-04-09"),
        ("2024-05-09", "Atlas was moved on 2024-05-09."),
        ("2024-06-09", f"{'x' * 120}… 2024-06-09"),
        ("2024-09-09", "Atlas left on 2024-09-09."),
        ("2024-10-09", "Atlas is back on 2024-10-09."),
    ]


def test_lines_that_only_state_facts_are_not_told_again_and_date_nothing(tmp_path: Path) -> None:
    note = """\
# Day

## Facts

- [fact] Atlas :: colour :: blue {valid_from=2024-02-14}
- owner:: Atlas

## Prose

- owner:: Atlas
- we like Atlas
"""
    at = vault(tmp_path, {"2024-02-14.md": note})
    assert [each["text"] for each in entries(at, "Atlas")] == ["owner:: Atlas"]
    typed(at, "index")
    assert [(each["kind"], each.get("predicate")) for each in entries(at, "Atlas")] == [
        ("belief", "colour"),
        ("belief", "owner"),
        ("passage", None),
    ]
    said = "Priya went home.\n- [fact] Gadget :: place :: attic {valid_from=2024-07-01}\n- met [[Bo]] [mood:: good]\n"
    vault(at, {"2024-07-07.md": said})
    assert told(at, "Priya") == [("2024-07-07", "Priya went home.")]
    assert told(at, "Gadget") == []
    assert told(at, "Bo") == [("2024-07-07", "met [[Bo]] [mood:: good]")]


def test_of_a_very_long_line_the_first_part_that_names_the_entity_is_told(tmp_path: Path) -> None:
    said = f"Atlas began. {'Nothing else was said of it there. ' * 300} Atlas ended."
    assert [each[1][:12] for each in told(vault(tmp_path, {"2024-07-07.md": said}), "Atlas")] == ["Atlas began."]


def test_what_a_note_said_without_a_date_when_it_was_first_seen_is_no_change_and_an_edit_is(tmp_path: Path) -> None:
    at = vault(tmp_path, {"Atlas.md": "status:: planning\n"})
    typed(at, "index", LORE_NOW="2024-01-01")
    assert entries(at, "Atlas") == []
    (at / "Atlas.md").write_text("status:: active\nowner:: Bo\n")
    typed(at, "index", LORE_NOW="2024-02-01")
    assert [(each["at"][:10], each["change"], each["previous"], each["object"]) for each in entries(at, "Atlas")] == [
        ("2024-02-01", "began", None, "Bo"),
        ("2024-02-01", "changed", "planning", "active"),
    ]


def test_a_property_that_is_a_day_stands_at_that_day_recorded_or_not(tmp_path: Path) -> None:
    front = "---\nstart: 2023-09-12\nfinish: 30 September 2023\nyear: 2023\nsize: 12\nmodified: 2024-01-01\n---\n"
    files = {"Journey.md": f"{front}By sea.\n\nback:: 2023-10-02\n", "else.md": "---\nstart: 2020-01-01\n---\n"}
    at = vault(tmp_path, files)
    days = [
        ("2023-09-12", "start: 2023-09-12"),
        ("2023-09-30", "finish: 30 September 2023"),
        ("2023-10-02", "back:: 2023-10-02"),
    ]
    assert told(at, "Journey") == days
    typed(at, "index")
    assert told(at, "Journey") == days
    assert told(at, "Journey", "--since", "2023-09-13", "--until", "2023-10") == days[1:2]


def test_a_window_takes_changes_by_their_instant_and_passages_by_what_they_speak_of(tmp_path: Path) -> None:
    at = vault(tmp_path, NOTES | {"month.md": "# Month\n\nIn March 2024 Atlas grew.\n"})
    found = told(at, "Atlas", "--since", "2024-03-15", "--until", "2024-05")
    assert found == [
        ("2024-03-01", "In March 2024 Atlas grew."),
        ("2024-04-01", "began", "Atlas", "member", "Ana"),
        ("2024-04-01", "began", "Vendor", "supplies", "Atlas"),
    ]


def test_a_long_timeline_shows_the_latest_entries_and_says_how_many_there_are(tmp_path: Path) -> None:
    at = vault(tmp_path, NOTES)
    found = answer(at, "timeline", "Atlas", "--limit", "2")
    assert ([each["at"][:10] for each in found["entries"]], found["shown"], found["of"]) == (
        ["2024-06-01", "2024-09-01"],
        2,
        9,
    )
    result = typed(at, "timeline", "Atlas", "--limit", "2")
    assert "showing the latest 2 of 9 entries" in result.stdout
    assert "--until 2024-06-01" in result.stderr


def test_an_unknown_entity_has_no_entries_and_names_like_it_are_told(tmp_path: Path) -> None:
    at = vault(tmp_path, NOTES)
    found = answer(at, "timeline", "Atlass")
    assert (found["entries"], found["near"], found["of"]) == ([], ["Atlas"], 0)
    result = typed(at, "timeline", "Atlass")
    assert (result.exit_code, result.stdout) == (0, 'nothing is called "Atlass"\n')
    assert "did you mean Atlas?" in result.stderr
    assert screen(at, "timeline", "Ideas") == ["nothing dated"]


def test_a_scope_has_its_own_timeline(tmp_path: Path) -> None:
    at = vault(tmp_path, NOTES)
    with loreweave.open(at, scope="alice") as lore:
        (only,) = lore.timeline("Atlas").entries
        assert getattr(only, "object", None) == "secret"
    assert "secret" not in [each.get("object") for each in entries(at, "Atlas")]


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (("Atlas", "--since", "2024-02-30"), 2, "since"),
        (("Atlas", "--since", "soon"), 2, '"soon" is not a date'),
        (("Atlas", "--since", "2024-02", "--until", "2024-01"), 1, "is not after"),
        (("--limit", "0", "Atlas"), 2, "0"),
        (("--", "-"), 1, "normalises to nothing"),
        (("ab" * 1_001,), 2, "has 2,002 characters; a name has 2,000 at most"),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path: Path, words: tuple[str, ...], code: int, why: str) -> None:
    found = refused(vault(tmp_path, NOTES), "timeline", *words)
    assert (found[0], why in found[1][0]) == (code, True)


def test_words_in_the_plural_are_told_by_their_ends() -> None:
    assert {
        word: singulars(word) for word in ("vendors", "companies", "boxes", "atlas", "status", "glass", "mars")
    } == {
        "vendors": ["vendor"],
        "companies": ["companie", "company"],
        "boxes": ["boxe", "box"],
        "atlas": [],
        "status": [],
        "glass": [],
        "mars": ["mar"],
    }
    assert all(
        name in numbers(form) for name in ("vendor", "company", "box", "ledger format") for form in numbers(name)
    )
