"""Notes of one title that fall silent one after the other: each goes on from what it said itself."""

from __future__ import annotations

from histories import day
from loreweave.events.model import Line
from loreweave.events.statements import Stated
from noted import Ledger, gone, note, shown

RUN = 10


def after(*runs: list[Stated]) -> tuple[Ledger, list[str]]:
    """Run the observer day by day; give the ledger and the lines of the last day, each with its note."""
    ledger, lines = Ledger(), []
    for number, notes in enumerate(runs, RUN):
        lines = [f"{line.note}: {shown(line)}" for line in ledger.run(day(number), *notes).lines]
    return ledger, lines


def at(path: str, *texts: str) -> Stated:
    return note(*texts, path=path, title="Atlas")


ONE, TWO = at("a.md", "s=x"), at("b.md", "s=y")
BESIDE = [ONE], [ONE, TWO], [ONE, gone("b.md")]
"""A note, beside which there was another of its title for a day."""


def test_a_flap_after_another_note_went_is_no_news_and_a_close_stands() -> None:
    ledger, _ = after(*BESIDE)
    ledger.state(Line("invalidate", "Atlas", "s", valid_until=day(12), recorded_at=day(12) + 1))
    before = ledger.beliefs(day(12) + 2)
    ledger.run(day(13), gone("a.md"))
    ledger.run(day(14), ONE)
    assert ledger.beliefs(day(14)) == before


def test_a_note_renamed_and_edited_goes_on_from_itself_and_not_from_one_that_went_before() -> None:
    _, lines = after(*BESIDE, [gone("a.md"), at("c.md", "s=z")])
    assert lines == ["a.md: - s", "c.md: + s=x 10 from a.md", "c.md: + s=z 13"]


def test_a_renamed_note_has_its_own_start_where_another_that_went_said_the_same_later() -> None:
    other = at("b.md", "s=x")
    _, lines = after([ONE], [ONE, other], [ONE, gone("b.md")], [gone("a.md"), at("c.md", "s=x")])
    assert lines == ["a.md: - s", "c.md: + s=x 10"]


def test_notes_of_one_title_that_are_renamed_in_one_run_take_each_its_own_past() -> None:
    first, second = [at("m.md", "s=p"), at("n.md", "s=x")], [at("m.md", "s=q"), at("n.md", "s=y")]
    renamed = [gone("m.md"), gone("n.md"), at("m2.md", "s=q"), at("n2.md", "s=y")]
    _, lines = after(first, second, renamed)
    assert lines[2:4] == ["m2.md: + s=p 10 from m.md", "m2.md: + s=q 11"]
    assert lines[4:] == ["n2.md: + s=x 10 from n.md", "n2.md: + s=y 11"]
