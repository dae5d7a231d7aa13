"""``lore ask``: beliefs at the date that a question names, then the spans that speak of it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from house.tree import ROOT
from typed import answer, refused, screen, typed, vault

EXAMPLE = ROOT / "examples" / "vault"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("desk") / "vault"
    return Path(shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns(".lore")))


def ask(at: Path, question: str, *words: str) -> Any:
    return answer(at, "ask", question, *words)


def held(told: Any) -> list[str]:
    return [f"{fact['subject']} :: {fact['predicate']} :: {fact['object']}" for fact in told["facts"]]


def spells(told: Any) -> list[tuple[str, str, str | None]]:
    return [
        (one["object"], one["valid_from"][:10], one["valid_until"] and one["valid_until"][:10])
        for one in told["spells"]
    ]


@pytest.mark.parametrize(
    ("question", "as_of", "facts"),
    [
        ("Who was Vendor's contact before August 2025?", "2025-07-31T23:59:59.999999Z", ["Vendor :: contact :: Marta"]),
        (
            "How reliable was the vendor in March 2024?",
            "2024-03-31T23:59:59.999999Z",
            ["Vendor :: reliability :: good"],
        ),
        ("Who owned Atlas on 15 August 2024?", "2024-08-15T23:59:59.999999Z", ["Atlas :: owner :: Tom"]),
        ("who owns Atlas", "2025-12-01T00:00:00Z", ["Atlas :: owner :: Priya"]),
        (
            "What was the status of the Ledger Format as of 2024-07-31?",
            "2024-07-31T23:59:59.999999Z",
            ["Ledger Format :: status :: draft"],
        ),
        ("budget of Atlas in 2024", "2024-12-31T23:59:59.999999Z", ["Atlas :: budget :: 120,000 EUR"]),
        (
            "Who were the members of Atlas before 2025?",
            "2024-12-31T23:59:59.999999Z",
            ["Atlas :: member :: Ana", "Atlas :: member :: Marta"],
        ),
        ("Who was the keeper of the desk in Q3 2024?", "2024-09-30T23:59:59.999999Z", ["Desk :: keeper :: Tom"]),
        (
            "Which version of the ledger format will hold on January 2, 2026?",
            "2026-01-02T23:59:59.999999Z",
            ["Ledger Format :: version :: 2.0"],
        ),
        ("What was Atlas' status by June 2024?", "2024-06-30T23:59:59.999999Z", ["Atlas :: status :: planned"]),
    ],
)
def test_a_question_with_a_date_is_answered_with_the_belief_at_that_date(
    desk: Path, question: str, as_of: str, facts: list[str]
) -> None:
    told = ask(desk, question)
    assert (told["as_of"], held(told)) == (as_of, facts)


def test_what_was_known_then_is_another_question(desk: Path) -> None:
    asked = "Was the reliability of the vendor good in September 2024?"
    assert held(ask(desk, asked, "--as-known-at", "2024-12-01")) == ["Vendor :: reliability :: good"]
    told = ask(desk, asked, "--as-known-at", "2025-04-01")
    assert (held(told), told["as_known_at"]) == ([], "2025-04-01T00:00:00Z")


def test_the_date_of_a_flag_overrules_that_of_the_question(desk: Path) -> None:
    told = ask(desk, "Who owned Atlas in 2025?", "--as-of", "2024-08-01")
    assert (told["as_of"], told["read"], held(told)) == ("2024-08-01T00:00:00Z", "", ["Atlas :: owner :: Tom"])
    assert told["spells"] == []


def test_where_nothing_is_believed_at_the_date_what_was_before_and_is_after_is_told(desk: Path) -> None:
    lines = screen(desk, "ask", "How reliable was the vendor on 2024-09-01?")
    assert lines[0] == "Vendor :: reliability  (not believed as of the end of 2024-09-01)"
    assert lines[1].startswith(
        '    before: "good" 2024-01-01 → 2024-06-01 · stated, by priya · lore/journal/2024-01-10.md:5'
    )
    assert lines[2].startswith('    after: "fair" 2025-04-01 → now · stated, by priya · lore/journal/2025-04-10.md:1')
    (gap,) = ask(desk, "Is Bo a member of Atlas?")["gaps"]
    assert (gap["object"], gap["before"]["valid_until"], gap["after"]) == ("Bo", "2024-12-20T00:00:00Z", None)


CERTIFICATE = "Was the ISO 27001 certificate valid in June 2024?"
ONCE = (
    '    once: "ISO 27001" 2023-05-01 → now · withdrawn on 2024-09-12T13:20:00Z by ana,'
    ' because "the certificate was another company\'s" · lore/journal/2024-09-12.md:1'
)


def test_of_what_was_retracted_it_is_told_who_did_so_and_where_and_nothing_else(desk: Path) -> None:
    named = "Vendor :: certificate :: ISO 27001  (not believed as of the end of 2024-06-30)"
    assert screen(desk, "ask", CERTIFICATE)[:3] == [named, ONCE, ""]
    assert screen(desk, "ask", "Since when has Vendor a certificate?")[:3] == [
        "Vendor :: certificate  (not believed)",
        ONCE,
        "",
    ]
    (gap,) = ask(desk, CERTIFICATE)["gaps"]
    assert (gap["once"]["known_until"], gap["once"]["recorded_by"]) == ("2024-09-12T13:20:00Z", "ana")


def test_what_was_believed_before_it_was_retracted_is_told_to_who_asks_with_what_was_known_then(desk: Path) -> None:
    told = ask(desk, CERTIFICATE, "--as-known-at", "2024-08-01")
    assert (held(told), told["gaps"]) == (["Vendor :: certificate :: ISO 27001"], [])
    told = ask(desk, CERTIFICATE, "--as-known-at", "2024-03-01")
    assert (held(told), told["gaps"]) == ([], [])


@pytest.mark.parametrize(
    ("question", "once"),
    [
        ("Is Bo a member of Atlas?", ("FactInvalidated", "lore/journal/2025-01-13.md", 1)),
        ("Is the vendor in Portugal?", ("FactAsserted", "lore/journal/2024-08-01.md", 2)),
        ("Who was the keeper of the desk on 10 January 2025?", ("FactRetracted", "lore/journal/2025-11-03.md", 1)),
        ("Who was the keeper of the desk in 2023?", None),
        ("Was the ISO 27001 certificate valid in 2020?", ("FactRetracted", "lore/journal/2024-09-12.md", 1)),
    ],
)
def test_the_line_that_ended_a_belief_is_named(desk: Path, question: str, once: tuple[str, str, int] | None) -> None:
    (gap,) = ask(desk, question)["gaps"]
    assert (gap["once"] and tuple(gap["once"][name] for name in ("kind", "path", "line"))) == once


def test_a_proposal_ends_no_belief_where_a_line_of_its_instant_does(tmp_path: Path) -> None:
    lines = (
        "- [proposed] Atlas :: status :: draft {kind=invalidate, by=scout}\n"
        "- [retract] Atlas :: status :: draft {by=priya}\n"
    )
    stated = "- [fact] Atlas :: status :: draft\n"
    at = vault(tmp_path, {"lore/journal/2025-01-01.md": stated, "lore/journal/2025-02-01.md": lines})
    (gap,) = ask(at, "What is the status of Atlas?")["gaps"]
    assert (gap["once"]["kind"], gap["once"]["recorded_by"]) == ("FactRetracted", "priya")


def test_who_asks_for_a_subject_alone_is_told_what_holds_and_not_what_does_no_longer(desk: Path) -> None:
    told = ask(desk, "Tell me about the vendor")
    assert (len(told["facts"]), told["gaps"]) == (5, [])
    told = ask(desk, "Tell me about the vendor", "--as-of", "2020-01-01")
    assert (told["facts"], len(told["gaps"]), told["gaps_of"]) == ([], 3, 7)


def test_a_value_that_a_note_says_no_longer_is_told_with_the_note(tmp_path: Path) -> None:
    at = vault(tmp_path, {"lore/config.toml": ""})
    for text in ("# Depot\n\nkeeper:: Ana\n", "# Depot\n"):
        vault(at, {"depot.md": text})
        assert typed(at, "index").exit_code == 0
    (gap,) = ask(at, "Who is the keeper of the depot?")["gaps"]
    assert (gap["once"]["kind"], gap["once"]["note"]) == ("ValueWithdrawn", "depot.md")
    assert any(", no longer in depot.md · lore/ledger/" in line for line in screen(at, "ask", "keeper of the depot?"))


@pytest.mark.parametrize(
    ("flags", "shown"),
    [
        ((), "as of 2025-12-01T00:00:00Z"),
        (("--as-of", "2024-06-30T23:59:59.999999Z"), "as of 2024-06-30T23:59:59.999999Z"),
    ],
)
def test_an_instant_that_was_given_is_told_to_the_microsecond(desk: Path, flags: tuple[str, ...], shown: str) -> None:
    assert screen(desk, "ask", "Who owns Atlas?", *flags)[-1] == f"{shown}, as best known"


def test_now_is_told_to_the_second_and_is_exact_in_json(desk: Path) -> None:
    now = "2025-12-01T10:11:12.345678Z"
    told = typed(desk, "ask", "Who owns Atlas?", LORE_NOW=now).stdout.splitlines()
    assert told[-1] == "as of 2025-12-01T10:11:12Z, as best known"
    assert json.loads(typed(desk, "ask", "Who owns Atlas?", "--json", LORE_NOW=now).stdout)["as_of"] == now


@pytest.mark.parametrize(
    ("question", "found"),
    [
        (
            "history of the owner of Atlas",
            [("Priya", "2024-02-01", "2024-07-01"), ("Tom", "2024-07-01", "2024-09-01"), ("Priya", "2024-09-01", None)],
        ),
        ("Since when is the Ledger Format final?", [("final", "2024-08-01", None)]),
        ("Until when was the Ledger Format a draft?", [("draft", "2024-01-08", "2024-08-01")]),
        ("How long did Tom own Atlas?", [("Tom", "2024-07-01", "2024-09-01")]),
        ("When was Bo a member of Atlas?", [("Bo", "2024-02-01", "2024-12-20")]),
        (
            "How has the status of Atlas changed over time?",
            [
                ("planned", "2024-03-01", "2024-09-16"),
                ("pilot", "2024-09-16", "2025-06-10"),
                ("live", "2025-06-10", None),
            ],
        ),
    ],
)
def test_when_and_history_ask_for_all_valid_time(
    desk: Path, question: str, found: list[tuple[str, str, str | None]]
) -> None:
    told = ask(desk, question)
    assert (told["as_of"], told["facts"], spells(told)) == (None, [], found)
    assert screen(desk, "ask", question)[-1] == "all valid time, as best known"


def test_a_stretch_tells_what_else_held_in_it(desk: Path) -> None:
    lines = screen(desk, "ask", "Who owned Atlas in 2024?")
    assert lines[0] == "Atlas :: owner :: Priya  (2024-09-01 → now)"
    assert lines[2] == "also in 2024:"
    assert lines[3] == "Atlas :: owner :: Priya  (2024-02-01 → 2024-07-01)"
    assert lines[5] == "Atlas :: owner :: Tom  (2024-07-01 → 2024-09-01)"
    assert lines[-1] == 'as of the end of 2024-12-31 ("in 2024"), as best known'


def test_below_the_beliefs_stand_the_spans(desk: Path) -> None:
    lines = screen(desk, "ask", "Who takes over Atlas for July?", "--as-of", "2024-07-02", "-k", "1")
    assert lines[0].startswith("Atlas :: ")
    assert any(line.startswith("meetings/2024-05-14.md#Meeting of 14 May 2024:") for line in lines)
    assert lines[-2].startswith("1 span")
    told = ask(desk, "Who takes over Atlas for July?", "--as-of", "2024-07-02", "-k", "1")
    assert [found["path"] for found in told["results"]] == ["meetings/2024-05-14.md"]


def test_a_scope_answers_for_itself(desk: Path) -> None:
    assert held(answer(desk, "--scope", "audit", "ask", "reliability of the vendor")) == [
        "Vendor :: reliability :: under review"
    ]


def test_nothing_believed_is_said(desk: Path) -> None:
    told = typed(desk, "ask", "quantum chromodynamics?")
    assert told.stdout.splitlines() == ["no beliefs", "", "no spans", "as of 2025-12-01T00:00:00Z, as best known"]
    assert told.stderr == "hint: ask in other words: `lore search` takes several wordings, each in quotes\n"


def test_a_fact_in_json_is_that_of_lore_facts(desk: Path) -> None:
    asked = answer(desk, "ask", "Vendor country")["facts"]
    assert asked == answer(desk, "facts", "--subject", "Vendor", "--predicate", "country")["facts"]


def test_a_cut_list_says_so(tmp_path: Path) -> None:
    lines = "".join(f"- [fact] Depot {n} :: keeper :: Ana {{valid_from=2024-01-01}}\n" for n in range(14))
    at = vault(tmp_path, {"lore/journal/2024-01-05.md": lines})
    assert "showing 10 of 14" in screen(at, "ask", "keeper of a depot", "--as-of", "2024-02-01")
    told = answer(at, "ask", "keeper of a depot", "--as-of", "2023-02-01")
    assert (len(told["gaps"]), told["gaps_of"], told["shown"], told["of"]) == (3, 14, 0, 0)
    assert "nothing is believed then of 11 more" in screen(at, "ask", "keeper of a depot", "--as-of", "2023-02-01")


def test_where_there_are_too_many_to_look_at_the_number_is_not_taken_for_the_whole(tmp_path: Path) -> None:
    lines = "".join(f"- [fact] Depot {n} :: keeper :: Ana {{valid_from=2024-01-01}}\n" for n in range(400))
    at = vault(tmp_path, {"lore/journal/2024-01-05.md": lines})
    assert "showing 10 of 300 or more" in screen(at, "ask", "keeper of a depot", "--as-of", "2024-02-01")
    assert answer(at, "ask", "keeper of a depot", "--as-of", "2024-02-01")["exhausted"]
    told = answer(at, "ask", "keeper of Depot 399", "--as-of", "2024-02-01")
    assert (held(told), told["exhausted"]) == (["Depot 399 :: keeper :: Ana"], False)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "Missing argument 'QUESTION'."),
        (("",), "The question is empty."),
        (("Who owns Atlas?", "--as-of", "soon"), '--as-of: "soon" is not a time.'),
        (("Who owns Atlas?", "-k", "0"), "Invalid value for '-k' / '--limit': 0 is not in the range x>=1."),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(desk: Path, words: tuple[str, ...], message: str) -> None:
    code, said = refused(desk, "ask", *words)
    assert (code, said[0]) == (2, f"error: {message}")


def test_a_date_that_is_in_no_calendar_is_said(desk: Path) -> None:
    told = typed(desk, "ask", "Who owned Atlas on 2024-02-30?")
    assert told.exit_code == 0
    assert '"2024-02-30"' in told.stderr
