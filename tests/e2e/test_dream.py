"""``lore dream``: each detector finds what was planted and nothing beside it, and the report is the same every time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import attrs
import pytest

import loreweave
from loreweave.errors import BadRequest
from loreweave.library import Lore
from loreweave.reports.dream import Dream, Found
from loreweave.reports.duplicates import Duplicate
from planted import NOW, Planted, planted, scored
from typed import answer, screen, typed, vault

PERFECT = (1.0, 1.0)


@pytest.fixture(scope="module")
def truth() -> Planted:
    return planted()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, truth: Planted) -> Iterator[Path]:
    folder = vault(tmp_path_factory.mktemp("planted"), truth.files)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LORE_NOW", NOW)
        with loreweave.open(folder) as lore:
            lore.index()
        yield folder


@pytest.fixture(scope="module")
def report(place: Path) -> Dream:
    with loreweave.open(place) as lore:
        return lore.dream(limit=10_000)


def notes_of(found: Iterable[Duplicate], exact: int) -> set[frozenset[str]]:
    """Give the notes of each duplicate with so many passages in the same words."""
    return {frozenset(place.partition("#")[0] for place in each.places) for each in found if each.exact == exact}


def test_passages_in_the_same_words_are_found_and_headings_and_footers_are_none(report: Dream, truth: Planted) -> None:
    assert scored(notes_of(report.duplicates.items, 1), truth.exact) == PERFECT


def test_passages_in_nearly_the_same_words_are_found(report: Dream, truth: Planted) -> None:
    assert scored(notes_of(report.duplicates.items, 0), truth.near) == PERFECT
    assert all(0.45 <= each.likeness < 1 for each in report.duplicates.items if not each.exact)


def test_claims_at_odds_are_found_and_what_follows_upon_another_is_none(report: Dream, truth: Planted) -> None:
    found = {(each.subject, each.predicate) for each in report.contradictions.items}
    assert scored(found, truth.contradictions) == PERFECT


def test_what_changed_lately_is_found_by_when_it_was_learned(report: Dream, truth: Planted) -> None:
    assert scored(((each.subject, each.predicate) for each in report.changes.items), truth.changes) == PERFECT
    assert {(each.previous, each.object) for each in report.changes.items} == {("draft", "final")}


def test_beliefs_that_were_last_said_long_ago_are_found_and_a_backdated_one_is_none(
    report: Dream, truth: Planted
) -> None:
    fees = {(each.subject, each.predicate) for each in report.open.items if each.predicate == "fee"}
    assert scored(fees, truth.standing) == PERFECT
    assert not [each for each in report.open.items if each.subject == "Ledger"]
    at_odds = {each.subject for each in report.contradictions.items if each.subject.startswith("Lane")}
    assert at_odds
    assert not [each for each in report.open.items if each.subject in at_odds], "asked already"


def test_notes_that_speak_of_the_same_rare_things_are_found_where_no_link_joins_them(
    report: Dream, truth: Planted
) -> None:
    found = {frozenset((each.one, each.other)) for each in report.missing_links.items}
    assert scored(found, truth.missing_links) == PERFECT


def test_notes_that_stand_alone_are_found_by_where_links_lead(report: Dream, truth: Planted) -> None:
    assert scored((each.path for each in report.orphans.items), truth.orphans) == PERFECT


def test_a_detector_without_anything_to_look_at_says_so(report: Dream) -> None:
    assert report.fading == Found((), 0, "no passage was marked as used")
    assert report.proposals == Found((), 0, "nothing was proposed")


def test_the_report_is_the_same_after_the_index_is_made_anew(place: Path, report: Dream) -> None:
    with loreweave.open(place) as lore:
        lore.refresh(whole=True)
        assert lore.dream(limit=10_000) == report


def test_a_list_is_cut_to_the_limit_and_says_how_long_it_is(place: Path, report: Dream) -> None:
    with loreweave.open(place) as lore:
        short = lore.dream(limit=2)
    assert (short.duplicates.shown, short.duplicates.of) == (2, report.duplicates.of)
    assert short.duplicates.items == report.duplicates.items[:2]


def test_now_is_an_argument(place: Path) -> None:
    with loreweave.open(place) as lore:
        earlier = lore.dream(now="2026-06-10", limit=10_000)
    assert earlier.as_of is not None
    assert earlier.as_of.isoformat() == "2026-06-10T00:00:00+00:00"
    assert earlier.changes.of == 0
    assert ("Old 0", "fee") in {(each.subject, each.predicate) for each in earlier.open.items}
    assert ("Rate 0", "fee") not in {(each.subject, each.predicate) for each in earlier.open.items}


def test_what_was_recorded_later_changes_no_report_of_an_earlier_instant(tmp_path: Path) -> None:
    files = {
        "lore/ledger/2026-01-01.md": (
            "- [observed] Atlas :: status :: draft {note=atlas.md, recorded_at=2026-01-01}\n"
            "- [observed] Atlas :: status :: final {note=atlas.md, recorded_at=2026-01-03, valid_from=2026-01-03}\n"
        ),
        "lore/journal/2026-01-05.md": (
            "- [fact] Atlas :: status :: shipped {valid_from=2026-01-04, recorded_at=2026-01-05}\n"
            "- [proposed] Atlas :: size :: 3 {recorded_at=2026-01-05, by=agent}\n"
        ),
    }
    later = (
        "- [retract] Atlas :: status :: shipped {recorded_at=2026-02-01}\n"
        "- [fact] Atlas :: status :: maybe {valid_from=2026-01-04, source=inferred, recorded_at=2026-02-01}\n"
        "- [fact] Atlas :: owner :: Bo {valid_from=2026-01-02, recorded_at=2026-02-01}\n"
        "- [proposed] Atlas :: size :: 4 {recorded_at=2026-02-01, by=agent}\n"
    )
    with loreweave.open(vault(tmp_path, files)) as lore:
        before = lore.dream(now="2026-01-06")
        vault(tmp_path, {"lore/journal/2026-02-01.md": later})
        lore.reject(before.proposals.items[0].proposal_id, because="wrong", by="Priya")
        after = lore.dream(now="2026-01-06")
        assert attrs.evolve(after, contradictions=before.contradictions) == before
        assert before.contradictions.of == 1
        assert after.contradictions.of == 0, "settled since"
        assert [change.object for change in before.changes.items] == ["shipped", "final"]
        assert [each.object for each in lore.dream(now="2026-02-02").proposals.items] == ["3", "4"]


def test_a_value_said_from_the_same_instant_as_the_one_before_is_a_correction_and_no_other(tmp_path: Path) -> None:
    lines = (
        "- [fact] Atlas :: status :: a {valid_from=2026-01-01, valid_until=2026-12-01, recorded_at=2026-01-01}\n"
        "- [fact] Atlas :: status :: b {valid_from=2026-03-01, valid_until=2026-04-01, recorded_at=2026-03-01}\n"
        "- [fact] Atlas :: status :: c {valid_from=2026-04-01, recorded_at=2026-06-05}\n"
        "- [fact] Atlas :: status :: d {valid_from=2026-04-01, recorded_at=2026-06-06}\n"
    )
    with loreweave.open(vault(tmp_path, {"lore/journal/2026-01-01.md": lines})) as lore:
        told = [lore.dream(now=now).changes.items[0] for now in ("2026-06-05", "2026-06-06")]
    assert [(each.previous, each.object, each.corrected) for each in told] == [("a", "c", False), ("c", "d", True)]


@pytest.mark.parametrize("now", ["0001-03-01", "9999-12-31T23:59:59.5Z"])
def test_there_is_a_report_at_the_ends_of_time(place: Path, now: str) -> None:
    with loreweave.open(place) as lore:
        assert lore.dream(now=now).counts["notes"]
        assert lore.review(now=now).fading.of == 0


@pytest.mark.parametrize("limit", [0, -1, "ten", True, None])
def test_a_limit_that_is_no_number_is_refused(place: Path, limit: object) -> None:
    with loreweave.open(place) as lore, pytest.raises(BadRequest, match="is not a whole number from 1 on"):
        lore.dream(limit=limit)  # type: ignore[arg-type]


def test_the_report_writes_nothing(place: Path) -> None:
    before = {path: path.read_bytes() for path in place.rglob("*.md")}
    typed(place, "dream", LORE_NOW=NOW)
    assert {path: path.read_bytes() for path in place.rglob("*.md")} == before


def test_json_has_each_list_with_how_many_are_shown_and_how_many_there_are(place: Path) -> None:
    told = answer(place, "dream", "--limit", "3")
    assert [*told["duplicates"]] == ["items", "shown", "of", "unavailable"]
    assert (told["duplicates"]["shown"], told["duplicates"]["of"]) == (3, 29)
    assert told["fading"]["unavailable"] == "no passage was marked as used"


def test_an_empty_vault_has_nothing_to_look_at(tmp_path: Path) -> None:
    assert [line for line in screen(tmp_path, "dream", "--quiet") if "n/a" not in line] == [
        "0 notes, 0 spans, 0 facts now",
        "as of 2025-12-01T00:00:00Z, as best known",
    ]


def test_copies_in_the_same_words_are_no_reason_to_link_and_templates_are_left_alone(tmp_path: Path) -> None:
    said = "We met [[Amara Osei]] and [[Tove Lind]] at the harbour to speak of the ledger and of who keeps it now."
    files = {f"{name}.md": f"# {name}\n\n{said}\n\n[[Home]]\n" for name in ("one", "two")}
    files |= {f"Templates/{name}.md": f"# {name}\n\n[[Amara Osei]] and [[Tove Lind]].\n" for name in ("visit", "call")}
    files |= {"Home.md": "# Home\n", "Templates/plain.md": "# Plain\n"}
    with loreweave.open(vault(tmp_path, files)) as lore:
        made = lore.dream(now=NOW)
    assert made.duplicates.of == 1
    assert made.missing_links.of == 0
    assert made.orphans.of == 0


def test_a_vault_of_equal_pairs_is_silent_on_missing_links(tmp_path: Path) -> None:
    files = {
        f"{pair:02}{side}.md": f"On [[Thing {pair} of oak]] and [[Thing {pair} of elm]].\n"
        for pair in range(25)
        for side in "ab"
    }
    with loreweave.open(vault(tmp_path, files)) as lore:
        assert lore.dream(now=NOW).missing_links == Found((), 0)


def test_an_inbox_is_no_orphan_and_of_two_notes_of_one_name_the_one_that_is_meant_is_none(tmp_path: Path) -> None:
    said = " ".join(f"word{number}" for number in range(30))
    files = {"here/Pier.md": said, "there/Pier.md": said, "there/log.md": "See [[Pier]].\n"}
    captured = {"lore/inbox.md": f"- 2025-11-30 09:00 — {said}\n"}
    with loreweave.open(vault(tmp_path, files | captured)) as lore:
        assert [each.path for each in lore.dream(now=NOW).orphans.items] == ["here/Pier.md"]


def test_where_most_notes_stand_alone_one_line_says_so(tmp_path: Path) -> None:
    said = " ".join(f"word{number}" for number in range(30))
    files = {f"{number:02}.md": f"{said} {number}\n" for number in range(21)} | {"a.md": "[[b]]\n", "b.md": "# B\n"}
    with loreweave.open(vault(tmp_path, files)) as lore:
        assert lore.dream(now=NOW).orphans == Found((), 0, "21 of 23 notes stand alone")
        (tmp_path / "00.md").unlink()
        assert lore.dream(now=NOW).orphans.of == 20


def test_scopes_are_reported_apart(tmp_path: Path) -> None:
    said = "The rates are delivered by the vendor every morning before nine and nobody asks for them twice a day."
    files = {f"{folder}/{name}.md": f"# {name}\n\n{said}\n" for folder in ("team", "other") for name in ("a", "b")}
    files["lore/config.toml"] = '[scopes]\nother = "alice"\n'
    place = vault(tmp_path, files)
    for scope, folder in (("default", "team"), ("alice", "other")):
        with loreweave.open(place, scope=scope) as lore:
            (found,) = lore.dream(now=NOW).duplicates.items
        assert found.places == (f"{folder}/a.md#a:1-3", f"{folder}/b.md#b:1-3")


def test_of_notes_that_all_speak_of_the_same_things_one_pair_is_told(tmp_path: Path) -> None:
    files = {f"kinds/{name}.md": "A [[Thing of use]] and a [[Class of words]].\n" for name in ("noun", "verb", "name")}
    files |= {f"talks/{name}.md": f"On the [[Quay]], the [[Old Mill]] and {name}.\n" for name in ("march", "april")}
    four = "The [[Ridge]], the [[Dock]], the [[Pier]] and"
    files |= {f"walks/{name}.md": f"{four} the [[Gate]] of {name}.\n" for name in ("one", "two")}
    files |= {f"walks/{name}.md": f"{four} the [[Weir]] of {name}.\n" for name in ("three", "four")}
    files |= {
        f"at {name} {day}.md": f"[[{name}]] at {day}.\n" for name in ("Gate", "Weir") for day in ("noon", "six", "ten")
    }
    with loreweave.open(vault(tmp_path, files)) as lore:
        found = lore.dream(now=NOW).missing_links.items
    assert {(each.one, each.other) for each in found} == {
        ("kinds/name.md", "kinds/noun.md"),
        ("talks/april.md", "talks/march.md"),
        ("walks/one.md", "walks/two.md"),
        ("walks/four.md", "walks/three.md"),
        ("walks/four.md", "walks/one.md"),
    }


def test_code_and_properties_that_stand_in_many_notes_are_no_copy(tmp_path: Path) -> None:
    rows = "\n\n".join(
        f"row {row}: a value that is the same in each of these notes, with a colour" for row in range(60)
    )
    files = {f"{name}.md": f"# {name}\n\n```yaml\n{rows}\n```\n" for name in ("one", "two")}
    said = "of the desk and of nobody else, as it was in every year before this one"
    files |= {f"card {name}.md": f"---\norigin: {said}\nkeeper: {said}\n---\n" for name in ("one", "two")}
    with loreweave.open(vault(tmp_path, files)) as lore:
        assert lore.sql("select path from spans").num_rows > 2
        assert lore.dream(now=NOW).duplicates.of == 0


def test_all_that_is_said_against_one_claim_is_one_contradiction(tmp_path: Path) -> None:
    files = {f"{folder}/Gate.md": f"# Gate\n\nstate:: {folder}\n" for folder in ("a", "b", "c", "d", "e")}
    with loreweave.open(vault(tmp_path, files)) as lore:
        lore.index()
        (found,) = lore.dream(now=NOW).contradictions.items
    assert found.kind == "noted-against-noted"
    assert (found.shown, found.of) == (3, 4)
    assert {found.one.object, *(side.object for side in found.others)} <= {"a", "b", "c", "d", "e"}


def test_values_from_a_date_of_their_own_follow_each_other_and_do_not_disagree(tmp_path: Path) -> None:
    files = {
        "2024-01-05.md": "- [fact] Fleet :: ships :: 3\n",
        "2025-01-05.md": "- [fact] Fleet :: ships :: 4\n",
        "east/Gate.md": "---\ncreated: 2024-01-05\n---\n# Gate\n\nstate:: open\n",
        "west/Gate.md": "---\ncreated: 2025-01-05\n---\n# Gate\n\nstate:: shut\n",
    }
    with loreweave.open(vault(tmp_path, files)) as lore:
        lore.index()
        found = lore.dream(now=NOW).contradictions.items
    assert [(each.subject, each.predicate) for each in found] == [("Gate", "state")]


def test_two_notes_disagree_before_either_is_recorded(tmp_path: Path) -> None:
    files = {f"{folder}/Gate.md": f"# Gate\n\nstate:: {folder}\n" for folder in ("east", "west")}
    with loreweave.open(vault(tmp_path, files)) as lore:
        (found,) = lore.dream(now=NOW).contradictions.items
    assert (found.kind, found.one.recorded_at, found.one.path) == ("notes-disagree", None, "east/Gate.md")
    assert [side.path for side in found.others] == ["west/Gate.md"]


def test_what_fades_and_what_was_proposed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = vault(tmp_path, {"a.md": "---\npriority: high\n---\n# A\n\nSee [[b]].\n", "b.md": "# B\n\nSee [[a]].\n"})
    place.joinpath("lore").mkdir()
    place.joinpath("lore/config.toml").write_text('[agents]\nwrites = "propose"\n', "utf-8")
    monkeypatch.setenv("LORE_NOW", "2024-01-01T00:00:00Z")
    with loreweave.open(place) as lore:
        lore.mark_used("a.md#A")
    with loreweave.open(place, agent="desk-agent") as lore:
        lore.assert_fact("Vendor", "status", "final")
    with loreweave.open(place) as lore:
        made = lore.dream(now=NOW)
    assert [(each.path, each.anchor) for each in made.fading.items] == [("a.md", "A")]
    assert [(each.object, each.recorded_by) for each in made.proposals.items] == [("final", "desk-agent")]
    lines = screen(place, "dream", "--quiet")
    assert any(line.startswith("  a.md#A:4-6 is ") for line in lines)
    assert any(line.startswith("  Vendor :: status :: final, proposed by desk-agent on 2024-01-01") for line in lines)


def test_what_two_notes_have_in_common_is_one_row(tmp_path: Path) -> None:
    first = "The rates are delivered by the vendor every morning before nine and nobody asks for them twice a day."
    second = "Each office keeps the papers of a year in one folder and sends the older ones to the archive in spring."
    edited = second.replace("spring", "autumn")
    files = {
        "one.md": f"# One\n\n## Rates\n\n{first}\n\n## Papers\n\n{second}\n",
        "two.md": f"# Two\n\n## Of rates\n\n<b>{first}</b>\n\n## Of papers\n\n{edited}\n",
    }
    with loreweave.open(vault(tmp_path, files)) as lore:
        (found,) = lore.dream(now=NOW).duplicates.items
    assert (found.passages, found.exact, found.notes) == (2, 1, 2)
    assert found.places == ("one.md#Rates:3-5", "two.md#Of rates:3-5")
    told = [line for line in screen(tmp_path, "dream", "--quiet") if line.startswith("  one.md and two.md have ")]
    assert told[0].startswith("  one.md and two.md have 2 passages in common, 1 the same and 1 nearly (")


def test_what_some_of_them_have_in_common_beside_is_counted(tmp_path: Path) -> None:
    said = {name: " ".join(f"{name}{number}" for number in range(words)) for name, words in (("all", 120), ("two", 58))}
    files = {f"{name}.md": f"# {name}\n\n## Of all\n\n{said['all']}\n" for name in "abcd"}
    for name in "ab":
        files[f"{name}.md"] += f"\n## Of two\n\n{said['two']}\n"
    with loreweave.open(vault(tmp_path, files)) as lore:
        (found,) = lore.dream(now=NOW).duplicates.items
    assert (found.notes, found.passages, found.others) == (4, 1, 1)
    assert [place.partition("#")[0] for place in found.places] == ["a.md", "b.md", "c.md", "d.md"]
    (line,) = [
        line for line in screen(tmp_path, "dream", "--quiet") if " and d.md:3-5 have the same 120 words " in line
    ]
    assert line.endswith('", and some of them 1 passage more')


def test_what_most_have_in_common_with_further_notes_is_counted_and_these_are_named(tmp_path: Path) -> None:
    words = {"few": 200, "more": 100, "last": 30}
    of = {"few": "abc", "more": "abcd", "last": "bcd"}
    files = {
        f"{name}.md": "\n\n".join(
            f"## {part} {name}\n\n{' '.join(f'{part}{number}' for number in range(words[part]))}"
            for part in words
            if name in of[part]
        )
        for name in "abcd"
    }
    with loreweave.open(vault(tmp_path, files)) as lore:
        (found,) = lore.dream(now=NOW).duplicates.items
    assert (found.notes, found.passages, found.others, found.beside) == (3, 1, 2, ("d.md",))
    (line,) = [line for line in screen(tmp_path, "dream", "--quiet") if " have the same 200 words " in line]
    assert line.endswith('", and some of them and d.md 2 passages more')


def test_what_is_quoted_of_passages_that_are_nearly_the_same_stands_in_both(tmp_path: Path) -> None:
    shared = "The rates are delivered by the vendor every morning before nine and nobody asks for them twice a day."
    files = {
        "one.md": f"# One\n\nFor years the desk kept one rule. {shared}\n",
        "two.md": f"# Two\n\n{shared} So it was agreed.\n",
    }
    with loreweave.open(vault(tmp_path, files)) as lore:
        (found,) = lore.dream(now=NOW).duplicates.items
    assert shared.startswith(found.text.rstrip("…"))
    assert found.likeness < 1


def test_two_notes_of_the_same_links_are_one_too_many_and_no_missing_link(tmp_path: Path) -> None:
    listed = "\n".join(f"- [[Cast {name} of the harbour]]" for name in "abcd")
    files = {f"{folder}/Casts.md": f"# Casts\n\n{listed}\n" for folder in ("old", "new")}
    with loreweave.open(vault(tmp_path, files)) as lore:
        made = lore.dream(now=NOW)
    assert [each.places for each in made.duplicates.items] == [("new/Casts.md#Casts:1-6", "old/Casts.md#Casts:1-6")]
    assert made.missing_links.of == 0


def test_an_index_held_open_gives_the_same_report(place: Path, report: Dream) -> None:
    with Lore(place, live=True) as lore:
        assert lore.dream(now=NOW, limit=10_000) == report
