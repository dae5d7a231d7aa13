"""The laws of the observer: what notes state becomes lines once, and their record times never move."""

from __future__ import annotations

from typing import Any

import attrs
from hypothesis import given
from hypothesis import strategies as st

import histories
from histories import day
from loreweave.events.holdings import Holdings
from loreweave.events.model import Line
from loreweave.events.observe import differing, observe
from loreweave.events.statements import Stated
from noted import Ledger, gone, note, statement, values_of
from observer_oracle import NoteOracle

RUN = 10
"""The day of the first run; each further one is a day later."""

VALUES = ("a", "b", "c", "A")
STARTS = (1, 2, 3, 5, 9, 10, 11, 12, 13, 15, 40)
ENDS = (4, 8, 12, 14, 30, 50)
PATHS = ("atlas.md", "old/atlas.md")
SLOTS = ("status", "owner", "Vendor.rating")
POINTS = [day(n) + step for n in range(1, 52) for step in (-1, 0)]

values = st.sampled_from(VALUES)
starts = st.sampled_from(STARTS)


# What notes say ------------------------------------------------------------------------------------------


def times(start: int | None, end: int | None = None) -> str:
    return "" if start is None and end is None else f" {start or ''}{'' if end is None else f'-{end}'}"


def ends(after: int | None) -> st.SearchStrategy[int | None]:
    return st.sampled_from([None, None, None, *(end for end in ENDS if after is None or end > after)])


@st.composite
def one_value(draw: st.DrawFn) -> list[str]:
    """A single value, mostly undated."""
    start = draw(st.none() | starts)
    return [draw(values) + times(start, draw(ends(start)))]


@st.composite
def history(draw: st.DrawFn) -> list[str]:
    """Values with starts of their own, of which the last may have an end."""
    begun = sorted(draw(st.lists(starts, min_size=2, max_size=3, unique=True)))
    end = draw(ends(begun[-1]))
    said = [draw(values) + times(start, end if start == begun[-1] else None) for start in begun]
    return draw(st.permutations(said))


@st.composite
def several(draw: st.DrawFn) -> list[str]:
    """A list of values, which may have starts."""
    named = draw(st.lists(st.sampled_from(VALUES[:3]), min_size=1, max_size=3, unique=True))
    return [f"{name}{times(draw(st.sampled_from([None, None, 3, 12])))} many" for name in named]


said = st.just([]) | one_value() | one_value() | one_value() | history() | several()


@st.composite
def contents(draw: st.DrawFn) -> tuple[str, ...]:
    """What a note states: of itself and of another subject."""
    slots = {slot: draw(said) for slot in SLOTS}
    return ("kind=plan", *(f"{slot}={value}" for slot, of_slot in slots.items() for value in of_slot))


@st.composite
def edited(draw: st.DrawFn, texts: tuple[str, ...], slots: tuple[str, ...] = SLOTS) -> tuple[str, ...]:
    """The same note with something else in one of these slots."""
    slot = draw(st.sampled_from(slots))
    return (*without(texts, slot), *(f"{slot}={value}" for value in draw(said)))


def without(texts: tuple[str, ...], slot: str) -> tuple[str, ...]:
    return tuple(text for text in texts if not text.startswith(f"{slot}="))


@attrs.frozen
class Day:
    """What a note says on a day, and where; None while it is gone."""

    texts: tuple[str, ...] | None
    path: str = PATHS[0]

    @property
    def stated(self) -> Stated:
        return gone(self.path) if self.texts is None else note(*self.texts, path=self.path)


@st.composite
def lives(draw: st.DrawFn, slots: tuple[str, ...] = SLOTS, most: int = 9) -> list[Day]:
    """The days of one note: it is edited, goes and comes back, moves, and stays as it is."""
    texts, path = draw(contents()), PATHS[0]
    found = [Day(texts)]
    for _ in range(draw(st.integers(1, most))):
        does = draw(st.sampled_from(("edit", "edit", "edit", "rewrite", "gone", "move", "move and edit", "stay")))
        if "move" in does:
            path = PATHS[path == PATHS[0]]
        if "edit" in does:
            texts = draw(edited(texts, slots))
        if does == "rewrite" and slots == SLOTS:
            texts = draw(contents())
        found.append(Day(None if does == "gone" else texts, path))
    return found


def lived(days: list[Day], ledger: Ledger | None = None) -> Ledger:
    """Run the observer on each day that the ledger has not seen yet."""
    ledger = ledger or Ledger()
    for number, (yesterday, today) in enumerate(zip([days[0], *days], days, strict=False)):
        if number >= len(ledger.runs):
            notes = [today.stated, *([gone(yesterday.path)] if yesterday.path != today.path else [])]
            ledger.run(day(RUN + number), *notes)
            assert ledger.is_done(*notes)
    return ledger


# Laws ----------------------------------------------------------------------------------------------------


@given(lives())
def test_what_is_believed_is_what_the_life_of_the_note_tells(days: list[Day]) -> None:
    ledger, oracle = lived(days), NoteOracle()
    beliefs = ledger.refold()
    for at, today, before in zip(ledger.runs, days, [days[0], *days], strict=False):
        oracle.run(today.stated, at, moved=today.path != before.path)
        for v in POINTS:
            assert values_of(beliefs, v, at) == oracle.values(v), (at, v)


@given(lives())
def test_the_date_of_a_note_dates_what_is_seen_with_it_first(days: list[Day]) -> None:
    days = [attrs.evolve(today, path=PATHS[0]) for today in days]
    ledger, oracle = Ledger(), NoteOracle()
    for number, today in enumerate(days, RUN):
        stated = today.stated._replace(dated=day(4))
        ledger.run(day(number), stated)
        oracle.run(stated, day(number))
        beliefs = ledger.refold()
        for v in POINTS:
            assert values_of(beliefs, v, day(number)) == oracle.values(v), (number, v)


@st.composite
def acts(draw: st.DrawFn) -> Line | None:
    """What a person may say of a slot of the note, or of a value in it."""
    word = draw(st.sampled_from((None, "invalidate", "invalidate", "retract")))
    if word is None:
        return None
    subject, _, predicate = draw(st.sampled_from(SLOTS)).rpartition(".")
    until = draw(st.none() | starts.map(day)) if word == "invalidate" else None
    return Line(word, subject or "Atlas", predicate, draw(st.none() | values), valid_until=until)


@given(lives(), acts(), st.sampled_from(("old/atlas.md", "atlas.md", "plan.md")))
def test_a_note_that_moves_changes_no_belief(days: list[Day], act: Line | None, path: str) -> None:
    ledger = lived(days)
    if act is not None:
        ledger.state(act._replace(recorded_at=ledger.runs[-1] + 1))
        ledger.runs.append(ledger.runs[-1] + 1)
    assert_no_news(ledger, days[-1].stated, path, "Atlas")


@given(lives(), st.sampled_from(("old/atlas.md", "log.md")))
def test_nor_does_one_that_speaks_of_others_and_has_another_title(days: list[Day], path: str) -> None:
    days = [attrs.evolve(today, texts=today.texts and tuple(map(of_vendor, today.texts))) for today in days]
    assert_no_news(lived(days), days[-1].stated, path, "Log")


def of_vendor(text: str) -> str:
    return text if "." in text else f"Vendor.{text}"


def assert_no_news(ledger: Ledger, stated: Stated, path: str, title: str) -> None:
    """A note moves to a path under a title, and what is believed stays."""
    before = ledger.beliefs(ledger.runs[-1])
    moved = stated._replace(path=path, title_key=title.lower() if stated.statements else "")
    left = [gone(stated.path)] if path != stated.path else []
    ledger.run(ledger.runs[-1] + 1, moved, *left)
    assert ledger.beliefs(ledger.runs[-1]) == before


@given(lives(), st.booleans())
def test_a_note_that_is_gone_for_a_while_is_no_news(days: list[Day], moves: bool) -> None:
    ledger = lived(days)
    before, last = ledger.beliefs(ledger.runs[-1]), days[-1]
    ledger.run(ledger.runs[-1] + 1, gone(last.path))
    assert ledger.beliefs(ledger.runs[-1]) == set()
    ledger.run(ledger.runs[-1] + 1, attrs.evolve(last, path="new/atlas.md" if moves else last.path).stated)
    assert ledger.beliefs(ledger.runs[-1]) == before


@given(lives(), st.data())
def test_an_edit_writes_of_its_own_slot_alone(days: list[Day], data: st.DataObject) -> None:
    ledger, last = lived(days), days[-1]
    if last.texts is not None:
        slot = data.draw(st.sampled_from(SLOTS))
        seen = ledger.run(ledger.runs[-1] + 1, note(*data.draw(edited(last.texts, (slot,))), path=last.path))
        assert {line.predicate for line in seen.lines} <= {slot.rpartition(".")[2]}


@given(lives())
def test_all_lines_of_a_run_have_its_instant_and_withdrawals_come_first(days: list[Day]) -> None:
    ledger = lived(days)
    recorded = [row[12] for row in ledger.rows]
    assert recorded == sorted(recorded)
    assert set(recorded) <= set(ledger.runs)
    for at in ledger.runs:
        kinds = [str(row[1]) for row in ledger.rows if row[12] == at]
        assert kinds == sorted(kinds, reverse=True)


@given(lives(SLOTS[1:]), one_value(), st.sampled_from(("invalidate", "retract")), st.booleans())
def test_what_was_ended_stays_so_whatever_becomes_of_the_rest(
    days: list[Day], said: list[str], word: str, named: bool
) -> None:
    kept = f"status={said[0]}"
    days = [attrs.evolve(d, texts=d.texts and (*without(d.texts, "status"), kept)) for d in days]
    ledger = lived(days[:1])
    if not any(row[4] == "status" for row in ledger.rows):
        return
    until = ledger.runs[0] + 2 if word == "invalidate" else None
    named_one = said[0].split()[0] if named else None
    recorded = ledger.runs[0] + 1
    ledger.state(Line(word, "Atlas", "status", named_one, valid_until=until, recorded_at=recorded))
    ended = of_status(ledger, recorded)
    lived(days, ledger)
    assert of_status(ledger, ledger.runs[-1]) == (set() if days[-1].texts is None else ended)


def of_status(ledger: Ledger, k: int) -> set[tuple[Any, ...]]:
    return {belief for belief in ledger.beliefs(k) if belief[1] == "status"}


# More than one note --------------------------------------------------------------------------------------


@st.composite
def vaults(draw: st.DrawFn) -> list[list[Stated]]:
    """The days of a vault of three notes, two of one title; on each day every note is given."""
    notes = [draw(lives(most=4)) for _ in range(3)]
    titles = (("a.md", "Atlas"), ("b/a.md", "Atlas"), ("c.md", "Log"))
    found = []
    for number in range(min(map(len, notes))):
        texts = [life[number].texts for life in notes]
        found.append([note(*(said or ()), path=p, title=t) for said, (p, t) in zip(texts, titles, strict=True)])
    return found


@given(vaults(), st.randoms(use_true_random=False))
def test_the_order_of_notes_and_of_lines_has_no_effect(days: list[list[Stated]], chance: Any) -> None:
    ledger = Ledger()
    for number, notes in enumerate(days, RUN):
        rows, mixed = list(ledger.rows), list(notes)
        chance.shuffle(rows)
        chance.shuffle(mixed)
        other = Holdings()
        for row in rows:
            other.take([row, row])
            for slot in list(other.slots(notes[0].path)):
                other.spoken(notes[0].path, slot)
        assert observe(mixed, other, day(number)) == ledger.run(day(number), *notes)


@given(vaults())
def test_to_look_at_the_notes_that_differ_is_to_look_at_all(days: list[list[Stated]]) -> None:
    ledger: Ledger = Ledger()
    for number, notes in enumerate(days, RUN):
        changed = [one for one in notes if any(differing(one, ledger.holdings))]
        some = observe(changed, ledger.holdings, day(number))
        seen = ledger.run(day(number), *notes)
        assert (some.lines, some.renamed) == (seen.lines, seen.renamed)
        assert seen.refused or ledger.is_done(*notes)


@given(histories.histories(histories.NOTED), st.lists(contents(), min_size=2, max_size=2))
def test_any_ledger_is_brought_to_what_notes_state_in_one_run(placed: Any, texts: list[tuple[str, ...]]) -> None:
    ledger, events = Ledger(), histories.events_of(placed)
    ledger.take([attrs.astuple(event, recurse=False) for event in events], max(e.recorded_at for e in events))
    notes = [
        Stated(path, "atlas", None, tuple(_of_colour(statement(text, path)) for text in said))
        for path, said in zip(histories.NOTES, texts, strict=True)
    ]
    ledger.run(ledger.runs[-1] + 1, *notes)
    assert ledger.is_done(*notes)


def _of_colour(one: Any) -> Any:
    colour = {"a": "red", "b": "green"}.get(one.object_key, one.object_key)
    return one._replace(predicate="colour", predicate_key="colour", object=colour, object_key=colour)
