"""``lore facts`` and ``lore count``: what a reader of the screen, or of the JSON, is told."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import loreweave
from loreweave.reports.entity import entity_of
from loreweave.reports.joined import groups_sql
from typed import answer, refused, screen, typed, vault

JOURNAL = """\
- [fact] Vendor :: reliability :: good {valid_from=2024-01-01, recorded_at=2024-01-05}
- [fact] Vendor :: reliability :: poor {valid_from=2024-06-01, recorded_at=2025-03-02, confidence=0.8, source=inferred}
- [fact] Atlas :: member :: Ana {valid_from=2024-02-01, recorded_at=2024-02-01T09:30:00Z, many}
- [fact] Atlas :: member :: Bo {valid_from=2025-02-01, recorded_at=2025-02-01, many}
- [fact] Vendor :: reliability :: grey {valid_from=2024-01-01, recorded_at=2024-01-06, scope=audit}
"""


@pytest.fixture
def lore(tmp_path: Path) -> Path:
    return vault(tmp_path, {"lore/journal/2024-01-05.md": JOURNAL})


def test_a_fact_is_two_lines_and_the_instants_close_the_answer(lore: Path) -> None:
    assert screen(lore, "facts", "--subject", "vendor", "--as-of", "2024-09-01", "--as-known-at", "2024-06-01") == [
        "Vendor :: reliability :: good  (2024-01-01 → now)",
        "    stated · lore/journal/2024-01-05.md:1 · known 2024-01-05 → 2025-03-02",
        "as of 2024-09-01T00:00:00Z, as known at 2024-06-01T00:00:00Z",
    ]


def test_what_is_less_than_sure_and_what_is_one_of_several_is_marked(lore: Path) -> None:
    assert screen(lore, "facts", "--as-of", "2024-09-01") == [
        "Atlas :: member :: Ana  (2024-02-01 → now)",
        "    stated, many · lore/journal/2024-01-05.md:3 · known 2024-02-01T09:30:00Z → now",
        "Vendor :: reliability :: poor  (2024-06-01 → now)",
        "    inferred, confidence 0.8 · lore/journal/2024-01-05.md:2 · known 2025-03-02 → now",
        "as of 2024-09-01T00:00:00Z, as best known",
    ]


def test_now_is_the_clock_and_a_scope_is_asked_alone(lore: Path) -> None:
    told = answer(lore, "--scope", "Audit", "facts")
    assert (told["as_of"], told["as_known_at"], told["scope"]) == ("2025-12-01T00:00:00Z", None, "Audit")
    assert [fact["object"] for fact in told["facts"]] == ["grey"]


def test_history_is_all_valid_time_as_it_was_known(lore: Path) -> None:
    def spans(*words: str) -> list[tuple[str, str, str | None]]:
        told = answer(lore, "facts", "--history", "--subject", "Vendor", *words)
        assert told["as_of"] is None
        return [(fact["object"], fact["valid_from"][:10], fact["valid_until"]) for fact in told["facts"]]

    assert spans() == [("good", "2024-01-01", "2024-06-01T00:00:00Z"), ("poor", "2024-06-01", None)]
    assert spans("--as-known-at", "2025-01-01") == [("good", "2024-01-01", None)]


@pytest.mark.parametrize(
    ("words", "objects"),
    [
        (("--object", " GOOD ", "--as-of", "2024-02-01"), ["good"]),
        (("--predicate", "Reliability"), ["poor"]),
        (("--source", "inferred"), ["poor"]),
        (("--subject", "atlas"), ["Ana", "Bo"]),
    ],
)
def test_filters_match_by_key(lore: Path, words: tuple[str, ...], objects: list[str]) -> None:
    assert [fact["object"] for fact in answer(lore, "facts", *words)["facts"]] == objects


def test_a_cut_list_says_so(lore: Path) -> None:
    assert screen(lore, "facts", "--limit", "2")[-2] == "showing 2 of 3"
    told = answer(lore, "facts", "--limit", "2")
    assert (told["shown"], told["of"], len(told["facts"])) == (2, 3, 2)


def test_a_fact_in_json_carries_both_intervals_and_its_origin(lore: Path) -> None:
    told = answer(lore, "facts", "--source", "inferred")
    assert told == {
        "as_of": "2025-12-01T00:00:00Z",
        "as_known_at": None,
        "scope": "default",
        "facts": [
            {
                "scope": "default",
                "subject": "Vendor",
                "predicate": "reliability",
                "object": "poor",
                "valid_from": "2024-06-01T00:00:00Z",
                "valid_until": None,
                "known_from": "2025-03-02T00:00:00Z",
                "known_until": None,
                "source": "inferred",
                "confidence": 0.8,
                "many": False,
                "recorded_by": None,
                "path": "lore/journal/2024-01-05.md",
                "line": 2,
                "event_id": told["facts"][0]["event_id"],
            }
        ],
        "shown": 1,
        "of": 1,
    }


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (("--subject", "Vendr"), 'no subject is called "Vendr"; did you mean Vendor?'),
        (("--subject", "Vendor", "--predicate", "owner"), "Vendor is known under reliability"),
        (
            ("--subject", "Vendor", "--predicate", "reliability", "--as-of", "1999-01-01"),
            "`lore why Vendor reliability` tells what was believed when",
        ),
        (("--predicate", "membr"), 'no predicate is called "membr"; did you mean member?'),
        (("--as-of", "1999-01-01"), "`lore facts --history` shows all valid time"),
        (("--scope", "elsewhere"), 'the scope "elsewhere" holds none; --scope may be audit, default'),
    ],
)
def test_no_facts_is_said_with_what_to_ask_instead(lore: Path, words: tuple[str, ...], advice: str) -> None:
    told = typed(lore, "facts", *words)
    assert told.exit_code == 0
    assert told.stdout.splitlines()[0] == "no facts"
    assert told.stderr == f"hint: {advice}\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--as-of", "2025-13-01"), '--as-of: "2025-13-01" is not in the calendar.'),
        (("--as-known-at", "yesterday"), '--as-known-at: "yesterday" is not a time.'),
        (("--source", "rumour"), 'source: "rumour" is none of stated, inferred, extracted.'),
        (("--history", "--as-of", "2024-01-01"), "A history is of all valid time."),
        (("--limit", "many"), "Invalid value for '--limit': 'many' is not a valid integer range."),
    ],
)
def test_what_cannot_be_read_is_named_and_ends_with_2(lore: Path, words: tuple[str, ...], message: str) -> None:
    code, said = refused(lore, "facts", *words)
    assert (code, said[0]) == (2, f"error: {message}")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("facts", "--subject", ""), 'subject: "" normalises to nothing.'),
        (("facts", "--subject", "_-_"), 'subject: "_-_" normalises to nothing.'),
        (("facts", "--object", " "), 'object: " " is blank.'),
        (("--scope", "_", "facts"), 'scope: "_" normalises to nothing.'),
        (("why", "", "p"), 'subject: "" normalises to nothing.'),
        (
            ("count", "--since", "2024-02-01", "--until", "2024-01-01"),
            "until: 2024-01-01T00:00:00Z is not after 2024-02-01T00:00:00Z.",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_and_ends_with_1(lore: Path, words: tuple[str, ...], message: str) -> None:
    code, said = refused(lore, *words)
    assert (code, said[0]) == (1, f"error: {message}")


def test_control_characters_are_shown_and_json_is_left_alone(tmp_path: Path) -> None:
    line = "- [fact] Vendor :: note :: a\x1b[31mb\\nc\u202ed {valid_from=2024-01-01}\n"
    lore = vault(tmp_path, {"lore/journal/2024-01-05.md": line})
    assert screen(lore, "facts")[0] == "Vendor :: note :: a�[31mb�c�d  (2024-01-01 → now)"
    assert answer(lore, "facts")["facts"][0]["object"] == "a\x1b[31mb\nc\u202ed"


def test_the_index_as_it_stands_is_not_refreshed(lore: Path) -> None:
    before = screen(lore, "facts")
    (lore / "lore" / "journal" / "2024-01-05.md").write_text("", "utf-8")
    assert screen(lore, "facts", "--no-refresh") == before
    assert typed(lore, "facts").stdout.splitlines()[0] == "no facts"


# ------------------------------------------------------------------------------------------------- count

TRIPS = """\
- [fact] Ana :: visited :: Japan {valid_from=2025-03-01, recorded_at=2026-01-01, many}
- [fact] Bo :: visited :: japan {valid_from=2025-09-01, recorded_at=2026-01-01, many}
- [fact] Ana :: visited :: Peru {valid_from=2026-02-01, recorded_at=2026-02-02, many}
"""


@pytest.fixture
def trips(tmp_path: Path) -> Path:
    return vault(tmp_path, {"lore/journal/2026-01-01.md": TRIPS})


def test_spells_that_began_in_a_window_are_counted_by_key(trips: Path) -> None:
    assert screen(trips, "count", "--since", "2025", "--until", "January 2026") == [
        "     2  Japan",
        "1 group, 2 spells that began from 2025-01-01T00:00:00Z on and before 2026-01-01T00:00:00Z, as best known",
    ]


def test_the_true_number_of_groups_is_told(trips: Path) -> None:
    assert screen(trips, "count", "--limit", "1") == [
        "     2  Japan",
        "showing 1 of 2 groups, 3 spells that began at any time, as best known",
    ]
    told = answer(trips, "count", "--limit", "1")
    assert (told["groups"], told["shown"], told["of"], told["total"]) == ([{"group": "Japan", "count": 2}], 1, 2, 3)


NAMES = """\
- [fact] Vendors :: region :: north {valid_from=2025-01-01, recorded_at=2025-01-01}
- [fact] Vendor :: uses :: Ledger Formats {valid_from=2025-01-02, recorded_at=2025-01-02}
- [fact] Ana :: uses :: LF2 {valid_from=2025-01-03, recorded_at=2025-01-03}
- [fact] Bo :: uses :: ledger-format {valid_from=2025-01-04, recorded_at=2025-01-04}
- [fact] Bo :: member of :: RWB {valid_from=2025-01-04, recorded_at=2025-01-04}
- [fact] Ana :: member of :: Regional Water Board {valid_from=2025-01-05, recorded_at=2025-01-05}
- [fact] Bo :: status :: news {valid_from=2025-01-06, recorded_at=2025-01-06}
- [fact] Ana :: status :: new {valid_from=2025-01-07, recorded_at=2025-01-07}
- [fact] Cy :: friend :: William {valid_from=2025-01-08, recorded_at=2025-01-08}
- [fact] Ana :: friend :: Williams {valid_from=2025-01-09, recorded_at=2025-01-09}
- [fact] Bo :: reads :: Companies {valid_from=2025-01-10, recorded_at=2025-01-10}
- [fact] Cy :: reads :: Company {valid_from=2025-01-11, recorded_at=2025-01-11}
- [fact] Cy :: knows :: Twin {valid_from=2025-01-12, recorded_at=2025-01-12}
- [fact] Bo :: knows :: Twins {valid_from=2025-01-13, recorded_at=2025-01-13}
"""
NOTES = {
    "lf.md": "---\ntitle: Ledger Format\naliases: [LF2]\n---\n",
    "Regional Water Board.md": "x\n",
    "William.md": "x\n",
    "Williams.md": "x\n",
    "a/Twin.md": "x\n",
    "b/Twin.md": "x\n",
}


def test_names_of_one_note_and_one_name_in_either_number_are_one_group(tmp_path: Path) -> None:
    at = vault(tmp_path, {"lore/journal/2025-01-01.md": NAMES, **NOTES})
    told = answer(at, "count", "--group-by", "object")
    assert {group["group"]: group["count"] for group in told["groups"]} == {
        "Ledger Formats": 3,
        "RWB": 2,
        "Companies": 2,
        "Twin": 1,
        "Twins": 1,
        "William": 1,
        "Williams": 1,
        "new": 1,
        "news": 1,
        "north": 1,
    }
    assert (told["of"], told["total"]) == (10, 14)
    subjects = answer(at, "count", "--group-by", "subject", "--until", "2025-01-04")["groups"]
    assert subjects == [{"group": "Vendors", "count": 2}, {"group": "Ana", "count": 1}]


def test_two_names_are_in_one_group_just_where_the_timeline_takes_them_for_one(tmp_path: Path) -> None:
    at = vault(tmp_path, {"lore/journal/2025-01-01.md": NAMES, **NOTES})
    with loreweave.open(at) as lore, lore.asking() as session:
        given = {"scope_key": "default", "known": None, "since": None, "until": None, "limit": 100}
        for column in ("subject", "object"):
            rows = session.ask(groups_sql(column, "scope_key = $scope_key"), given).fetchall()
            group_of = {name: number for number, (members, *_) in enumerate(rows) for name in members}
            for one, other in product(group_of.keys() - {"new", "news"}, repeat=2):
                is_one = entity_of(session, one.upper() if one == "rwb" else one, "default").is_called(other.upper())
                assert is_one == (group_of[one] == group_of[other]), (one, other)


def test_months_and_years_come_in_their_order(trips: Path) -> None:
    assert [group["group"] for group in answer(trips, "count", "--group-by", "month")["groups"]] == [
        "2025-03",
        "2025-09",
        "2026-02",
    ]
    assert answer(trips, "count", "--group-by", "year", "--as-known-at", "2026-01-15")["groups"] == [
        {"group": "2025", "count": 2}
    ]


def test_a_hundred_groups_are_shown_unless_more_are_asked_for(tmp_path: Path) -> None:
    lines = "".join(f"- [fact] S{n} :: visited :: place {n} {{valid_from=2024-01-01}}\n" for n in range(150))
    lore = vault(tmp_path, {"lore/journal/2024-01-05.md": lines})
    told = answer(lore, "count")
    assert (told["shown"], told["of"]) == (100, 150)
    assert answer(lore, "count", "--limit", "500")["shown"] == 150


def test_an_unknown_grouping_is_named_with_those_there_are(trips: Path) -> None:
    code, said = refused(trips, "count", "--group-by", "zzz")
    assert code == 2
    assert said[0] == 'error: group-by must be one of subject, predicate, object, source, month, year, not "zzz".'
