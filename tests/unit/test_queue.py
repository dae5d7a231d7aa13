"""The review queue: what a person ticked or wrote is never lost, and what is found no more goes."""

from __future__ import annotations

from datetime import UTC, datetime

import attrs

from loreweave.reports.disagreements import Contradiction, Side
from loreweave.reports.duplicates import Duplicate
from loreweave.reports.queue import ENTRIES, Entry, merge
from loreweave.reports.review import Fading, Standing
from loreweave.reports.told import marks

FIRST, LATER = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC)
FADING = Fading("a.md", "A", 1, 9, "a.md#A:1-9", "Of the harbour.", 0.5, 0.2, 1.0, 1, FIRST)
SIDE = Side("draft", FIRST, FIRST, "lore/journal/2026-01-01.md", 1)
STANDING = Standing(
    "default",
    "Vendor",
    "fee",
    "2 %",
    FIRST,
    None,
    FIRST,
    "stated",
    1.0,
    FIRST,
    None,
    "lore/journal/2026-01-01.md",
    1,
    1.0,
)


def entry(number: int, text: str = "") -> Entry:
    return Entry(f"{number:010x}", lambda: text or f"finding {number}")


def waiting(*numbers: int) -> dict[str, list[Entry]]:
    return {"duplicates": [entry(number) for number in numbers], "orphans": []}


def entries(page: str) -> list[str]:
    return [line for line in page.splitlines() if line.startswith("- [")]


def test_each_finding_is_an_entry_with_its_mark_below_the_heading_of_its_list() -> None:
    lines = merge(waiting(1, 2), "").splitlines()
    at = lines.index("## Duplicates")
    assert lines[at + 2 : at + 4] == ["- [ ] finding 1 ^lore-0000000001", "- [ ] finding 2 ^lore-0000000002"]
    assert "## Orphans" not in lines
    assert "## Resolved earlier" not in lines


def test_brought_up_to_date_with_the_same_findings_it_stays_as_it_is() -> None:
    page = merge(waiting(*range(60)), "").replace("[ ] finding 3", "[x] finding 3") + "A word of mine.\n"
    once = merge(waiting(*range(60)), page)
    assert merge(waiting(*range(60)), once) == once


def test_a_ticked_entry_stays_ticked_while_it_is_found_and_stands_last() -> None:
    page = merge(waiting(1, 2), "").replace("[ ] finding 1", "[x] finding 1")
    assert entries(merge(waiting(1, 2), page)) == [
        "- [ ] finding 2 ^lore-0000000002",
        "- [x] finding 1 ^lore-0000000001",
    ]


def test_a_ticked_entry_that_is_found_no_more_is_resolved_and_comes_back_ticked() -> None:
    page = merge(waiting(1, 2), "").replace("[ ] finding 1", "[x] finding 1")
    resolved = merge(waiting(2), page)
    assert resolved.endswith("## Resolved earlier\n\n- [x] finding 1 ^lore-0000000001\n")
    assert merge(waiting(2), resolved) == resolved
    again = merge(waiting(1, 2), resolved)
    assert "Resolved earlier" not in again
    assert "- [x] finding 1 ^lore-0000000001" in again


def test_an_entry_that_is_not_ticked_goes_when_it_is_found_no_more() -> None:
    assert entries(merge(waiting(2), merge(waiting(1, 2), ""))) == ["- [ ] finding 2 ^lore-0000000002"]


def test_what_is_told_of_an_entry_follows_what_is_found() -> None:
    page = merge({"duplicates": [entry(1, "2 notes")]}, "").replace("[ ] 2 notes", "[X] 2 notes")
    assert entries(merge({"duplicates": [entry(1, "3 notes")]}, page)) == ["- [x] 3 notes ^lore-0000000001"]


def test_lines_below_an_entry_stay_with_it_wherever_it_goes() -> None:
    page = merge(waiting(1, 2), "").replace("^lore-0000000001", "^lore-0000000001\n  asked Priya\n\n\t- on Monday")
    kept = ["- [ ] finding 1 ^lore-0000000001", "  asked Priya", "", "\t- on Monday"]
    lines = merge(waiting(2, 1), page).splitlines()
    at = lines.index(kept[0])
    assert lines[at : at + 4] == kept
    gone = merge(waiting(2), page)
    assert gone.endswith("## Resolved earlier\n\n" + "\n".join(kept) + "\n")


def test_what_a_person_wrote_elsewhere_is_kept_as_it_is() -> None:
    plan = "## Plan\n\nCall the archive.\n\n---\n\n```\nrun\n\nand 5 more.\n```\n"
    mine = f"{plan}- [x] buy a shelf\n  of oak\x0c\u2028or elm\n"
    page = merge(waiting(1), "") + f"\n{mine}"
    once = merge(waiting(2), page.replace("\n", "\r\n"))
    assert once.endswith(f"\n## Added by hand\n\n{mine}")
    assert merge(waiting(2), once) == once
    between = page.replace("## Duplicates\n", "## Duplicates\n\nA word of mine.\n")
    assert merge(waiting(1), between).endswith(f"\n## Added by hand\n\nA word of mine.\n\n{mine}")


def test_of_many_findings_as_many_as_a_page_holds_stand_in_it_and_the_rest_is_counted() -> None:
    many = range(ENTRIES + 5)
    page = merge(waiting(*many), "")
    assert len(entries(page)) == ENTRIES
    assert "and 5 more." in page.splitlines()
    ticked = page.replace("[ ] finding 0 ", "[x] finding 0 ")
    after = merge(waiting(*many), ticked)
    assert len(entries(after)) == ENTRIES + 1
    assert "and 4 more." in after.splitlines()


def test_a_ticked_entry_beyond_what_a_page_holds_is_not_taken_for_resolved() -> None:
    page = merge(waiting(*range(5)), "").replace("[ ] finding 4", "[x] finding 4")
    after = merge(waiting(*range(100, 200), 4), page)
    assert "Resolved earlier" not in after
    assert "- [x] finding 4 ^lore-0000000004" in after


def test_an_entry_that_a_syncer_doubled_is_one_again_ticked_if_either_was_and_keeps_what_stands_below_each() -> None:
    page = (
        merge(waiting(1), "")
        + "  mine\n- [x] finding 1 ^lore-0000000001\n  yours\n- [ ] finding 1 ^lore-0000000001\n  mine\n"
    )
    kept = ["- [x] finding 1 ^lore-0000000001", "  mine", "  yours"]
    for found in ((1,), (2,)):
        lines = merge(waiting(*found), page).splitlines()
        at = lines.index(kept[0])
        assert lines[at:] == [*kept]


def test_no_two_findings_have_one_mark() -> None:
    copies = [Duplicate(1.0, (*"abc", last), 4, 1, 1, 20, "x", 0) for last in "de"]
    at_odds = Contradiction("interval-overridden", "Atlas", "status", SIDE, (SIDE,), 1)
    other = attrs.evolve(at_odds, one=attrs.evolve(SIDE, valid_from=LATER, line=2))
    fading = [FADING, attrs.evolve(FADING, begins="Of the mill."), FADING]
    for name, items in (("duplicates", copies), ("contradictions", [at_odds, other]), ("fading", fading)):
        assert len({*marks(name, items)}) == len(items)


def test_a_finding_keeps_its_mark_from_day_to_day_and_what_is_found_anew_has_another() -> None:
    (used,), (said,) = marks("fading", [FADING]), marks("open", [STANDING])
    assert [*marks("fading", [attrs.evolve(FADING, start_line=5, retrievability=0.1)])] == [used]
    assert [*marks("open", [attrs.evolve(STANDING, line=5, importance=0.1)])] == [said]
    assert [*marks("fading", [attrs.evolve(FADING, last_used=LATER)])] != [used]
    assert [*marks("open", [attrs.evolve(STANDING, recorded_at=LATER)])] != [said]
