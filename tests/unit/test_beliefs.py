"""Which beliefs a question is about: those that share its words, and no others."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from loreweave.notes.words import asked
from loreweave.search.beliefs import FACTS, choose, facts
from loreweave.search.candidates import Held, Sought, candidates
from loreweave.search.found import Question
from loreweave.store.session import Session
from loreweave.times import read_instant
from stored import index, journal

RECORDED = {"recorded_at": "2024-01-10"}
LINES: list[tuple[str, dict[str, object]]] = [
    ("fact Vendor :: contact :: Marta", {}),
    ("fact Vendor :: country :: Spain", {}),
    ("fact Vendor :: reliability :: good", {"valid_until": "2024-06-01"}),
    ("fact Atlas :: owner :: Priya", {}),
    ("fact Atlas :: budget :: 90,000 EUR", {}),
    ("fact Atlas :: member :: Ana", {"many": True}),
    ("fact Atlas :: member :: Bo", {"many": True}),
    ("fact Atlas II :: owner :: Tom", {}),
    ("fact Ledger Format :: status :: final", {}),
    ("fact consumerLease :: lasts :: two hours", {}),
    ("fact Café Zürich :: öffnet :: 08:30", {}),
    ("fact 東京 :: 天気 :: 晴れ", {}),
    ("fact I :: live in :: Porto", {}),
    ("fact Priya :: lives in :: Leeds", {}),
    ("fact Vendor :: contact :: Tom", {"scope": "audit"}),
    ("fact Harbour :: depth :: 12 m", {"recorded_at": "2025-01-10"}),
]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    lines = journal(*((text, {"valid_from": "2024-01-01", **RECORDED, **given}) for text, given in LINES))
    with Session(index(tmp_path_factory.mktemp("index") / "index.duckdb", lines)) as opened:
        yield opened


def about(session: Session, text: str, **held: object) -> list[tuple[str, str, str]]:
    return [one[:3] for one in choose(session, text, Held(scope_key="default", **held)).values]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "slots"),
    [
        ("who is Vendor's contact?", ["vendor :: contact"]),
        ("VENDORS: the countries", ["vendor :: country"]),
        ("how reliable is the vendor", ["vendor :: reliability"]),
        ("who owns Atlas?", ["atlas :: owner"]),
        ("owner of Atlas II", ["atlas ii :: owner"]),
        ("Atlas budget, and the status of the Ledger Format", ["ledger format :: status", "atlas :: budget"]),
        ("what did Priya say of the budget of Atlas in the last round", ["atlas :: budget", "atlas :: owner"]),
        ("consumer lease", ["consumerlease :: lasts"]),
        ("how long does a consumerLease last", ["consumerlease :: lasts"]),
        ("cafe zurich", ["café zürich :: öffnet"]),
        ("東京の天気", ["東京 :: 天気"]),
        ("京東", []),
        ("where do I live?", ["i :: live in"]),
        ("where does Priya live?", ["priya :: lives in"]),
        ("streaming compaction", []),
        ("the budget meeting in the harbour house about paper and ink", ["harbour :: depth"]),
        ("", []),
        ("???", []),
        ("'; drop table beliefs; --", []),
    ],
)
def test_a_question_is_about_what_shares_its_words_and_nothing_less(
    session: Session, question: str, slots: list[str]
) -> None:
    found = dict.fromkeys(" :: ".join(keys[:2]) for keys in about(session, question))
    assert sorted(found) == sorted(slots)


def test_of_many_values_the_one_that_is_named_is_meant(session: Session) -> None:
    assert about(session, "is Bo a member of Atlas?") == [("atlas", "member", "bo")]
    assert about(session, "members of Atlas") == [("atlas", "member", "ana"), ("atlas", "member", "bo")]


def test_what_shares_most_of_a_question_comes_first_and_of_as_much_a_subject_that_is_named(session: Session) -> None:
    def slots(question: str) -> list[str]:
        return list(dict.fromkeys(" :: ".join(keys[:2]) for keys in about(session, question)))

    assert slots("Atlas budget, and the status of the Ledger Format") == ["ledger format :: status", "atlas :: budget"]
    assert slots("depth of Atlas") == ["atlas :: budget", "atlas :: member", "atlas :: owner", "harbour :: depth"]
    assert slots("the good owner") == ["atlas :: owner", "atlas ii :: owner", "vendor :: reliability"]
    places = {one.slot[0]: one.place for one in choose(session, "depth of Atlas", Held(scope_key="default")).values}
    assert places == {"atlas": 0, "harbour": 2}


def test_a_value_tells_by_what_it_is_found(session: Session) -> None:
    (by_object,) = choose(session, "is Bo a member of Atlas?", Held(scope_key="default")).values
    (by_slot,) = choose(session, "Atlas budget", Held(scope_key="default")).values
    assert (by_object.by_slot, by_object.by_object, by_slot.by_slot, by_slot.by_object) == (True, True, True, False)
    assert by_slot.shared == {"atlas", "budget"}


def test_a_scope_and_a_record_instant_bound_what_is_looked_at(session: Session) -> None:
    assert [one.object_key for one in choose(session, "Vendor contact", Held(scope_key="audit")).values] == ["tom"]
    assert about(session, "depth of the harbour", known=read_instant("2024-06-01")) == []
    assert about(session, "depth of the harbour", known=read_instant("2025-06-01")) == [("harbour", "depth", "12 m")]


def test_a_very_long_question_is_answered_by_its_first_words(session: Session) -> None:
    padding = " ".join(f"word{number}" for number in range(10_000))
    assert about(session, f"Vendor contact {padding}") == [("vendor", "contact", "marta")]


def test_wordings_are_looked_for_together_and_each_finds_what_it_finds_alone(session: Session) -> None:
    held = Held(scope_key="default", stemmer="english")
    texts = ("who owns Atlas", "", "Vendor contact", "天気 of 東京", "owner", "???", "Atlas budget and the cafe")
    wordings = [[Sought(each.term, each.word) for each in asked(text)] for text in texts]
    together = candidates(session, wordings, held)
    assert [sorted(found) for found in together] == [sorted(candidates(session, [one], held)[0]) for one in wordings]
    assert [len(found) > 0 for found in together] == [True, False, True, True, True, False, True]


def test_a_question_of_very_many_words_in_many_wordings_is_answered(session: Session) -> None:
    wordings = tuple(" ".join(f"w{at}é{word}" for word in range(47)) + " Vendor" for at in range(32))
    found = facts(session, Question(wordings=("Vendor contact", *wordings), now=read_instant("2025-06-01")))
    assert found[0].object == "Marta"


def test_facts_hold_now_and_come_from_each_wording_in_turn(session: Session) -> None:
    def told(*wordings: str, now: str | None = "2025-06-01") -> list[str]:
        question = Question(wordings=wordings, now=None if now is None else read_instant(now))
        return [f"{fact.subject} :: {fact.predicate} :: {fact.object}" for fact in facts(session, question)]

    assert told("Vendor reliability") == ["Vendor :: country :: Spain", "Vendor :: contact :: Marta"][::-1]
    assert told("Vendor reliability", now="2024-03-01") == ["Vendor :: reliability :: good"]
    assert told("Vendor reliability", now=None) == ["Vendor :: contact :: Marta", "Vendor :: country :: Spain"]
    assert told("Atlas", "Vendor contact")[1] == "Vendor :: contact :: Marta"
    assert len(told("Atlas")) == FACTS
    assert told("streaming compaction") == []


def test_a_fact_says_on_whose_word_and_where(session: Session) -> None:
    (fact,) = facts(session, Question(wordings=("Vendor country",), now=read_instant("2025-06-01")))
    assert (fact.source, fact.confidence, fact.recorded_by) == ("stated", 1.0, None)
    assert (fact.path, fact.line) == ("lore/journal/2024-01-01.md", 2)
    assert fact.known_from == datetime(2024, 1, 10, tzinfo=UTC)


def test_a_fact_beside_a_search_shares_two_words_or_half_of_them(session: Session) -> None:
    def told(wording: str) -> list[str]:
        found = facts(session, Question(wordings=(wording,), now=read_instant("2025-06-01")))
        return [f"{fact.subject} :: {fact.predicate}" for fact in found]

    assert told("the depth of the harbour at low tide in a storm") == ["Harbour :: depth"]
    assert told("boats in the harbour at low tide in a storm") == []
    assert told("harbour boats") == ["Harbour :: depth"]
