"""``lore search``: what a reader of the screen, or of the JSON, is told."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import loreweave
from house.tree import PACKAGE
from loreweave.errors import BadRequest, Refused
from typed import ENVIRONMENT, NOW, answer, process, refused, screen, typed, vault

LONG = "\n".join(f"Paragraph {number} speaks of nothing in particular.\n" for number in range(12))
NOTES = {
    "lore/journal/2024-01-10.md": (
        "- [fact] Vendor :: reliability :: good {valid_from=2024-01-01, recorded_at=2024-01-10T09:00:00Z}\n"
        "- [fact] Atlas :: owner :: Priya {valid_from=2024-02-01, recorded_at=2024-01-10T09:00:00Z}\n"
    ),
    "vendors/vendor.md": (
        "---\ntags: [supplier]\ndate: 2024-03-05\n---\n\n# Vendor\n\nThe vendor delivers exchange rates before nine.\n"
    ),
    "projects/atlas.md": f"# Atlas\n\nThe monthly report.\n\n{LONG}\nIt reads the exchange rates of the [[Vendor]].\n",
    "projects/copy.md": "# Copy\n\nIt reads the ledger of last year.\n",
    "audit/copy.md": "# Copy\n\nIt reads the ledger of last year.\n",
}


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return vault(tmp_path_factory.mktemp("notes"), NOTES)


def places(at: Path, *words: str) -> list[str]:
    return [found["path"] for found in answer(at, "search", *words)["results"]]


def test_a_span_is_its_address_and_why_and_the_lines_that_answer(notes: Path) -> None:
    lines = screen(notes, "search", "who delivers the exchange rates", "-k", "2")
    assert lines[0].startswith("vendors/vendor.md#Vendor:6-8  0.")
    assert " · matches delivers, exchange, rates" in lines[0]
    assert lines[1:3] == ["    The vendor delivers exchange rates before nine.", ""]
    assert lines[3].startswith("projects/atlas.md#Atlas:")
    assert "    It reads the exchange rates of the [[Vendor]]." in lines
    assert "2 spans, 1 of them cut: --full shows it whole" in lines


def test_what_is_believed_stands_apart_below(notes: Path) -> None:
    lines = screen(notes, "search", "reliability of the vendor")
    assert lines[-2:] == [
        "believed now:",
        "    Vendor :: reliability :: good  (2024-01-01 → now)  stated · lore/journal/2024-01-10.md:1",
    ]


def test_full_shows_every_line(notes: Path) -> None:
    lines = screen(notes, "search", "exchange rates of the report", "--folder", "projects", "--full")
    assert [line for line in lines if "Paragraph" in line] == [
        f"    Paragraph {number} speaks of nothing in particular." for number in range(12)
    ]
    assert not any("…" in line or "cut" in line for line in lines)


def test_copies_are_one_result_that_names_the_others(notes: Path) -> None:
    (found,) = answer(notes, "search", "ledger of last year")["results"]
    assert {found["path"], *(place.partition("#")[0] for place in found["also"])} == {
        "projects/copy.md",
        "audit/copy.md",
    }
    assert sum("    the same at " in line for line in screen(notes, "search", "ledger of last year")) == 1


def test_json_has_the_text_whole_and_nothing_of_the_screen(notes: Path) -> None:
    told = answer(notes, "search", "exchange rates", "what is delivered before nine", "-k", "1")
    (found,) = told.pop("results")
    assert told == {
        "query": "exchange rates",
        "queries": ["exchange rates", "what is delivered before nine"],
        "vault": str(notes),
        "exhausted": False,
        "degraded": None,
        "count": 1,
        "undated": 0,
        "facts": [],
    }
    assert set(found) == {"path", "anchor", "start_line", "end_line", "score", "text", "why", "also", "copies"}
    assert (found["path"], found["anchor"]) == ("vendors/vendor.md", "Vendor")
    assert found["text"].endswith("The vendor delivers exchange rates before nine.")
    assert "found by 2 of 2 wordings" in found["why"]


def test_a_fact_in_json_says_on_whose_word_and_since_when(notes: Path) -> None:
    (fact,) = answer(notes, "search", "owner of atlas")["facts"]
    assert fact == {
        "subject": "Atlas",
        "predicate": "owner",
        "object": "Priya",
        "valid_from": "2024-02-01T00:00:00Z",
        "valid_until": None,
        "known_from": "2024-01-10T09:00:00Z",
        "source": "stated",
        "confidence": 1.0,
        "recorded_by": None,
        "path": "lore/journal/2024-01-10.md",
        "line": 2,
    }


def test_facets_bound_what_is_found(notes: Path) -> None:
    assert places(notes, "exchange rates", "--tag", "#Supplier") == ["vendors/vendor.md"]
    assert places(notes, "exchange rates", "--tag", "-supplier") == ["projects/atlas.md"]
    assert places(notes, "exchange rates", "--folder", "projects/") == ["projects/atlas.md"]
    assert places(notes, "exchange rates", "--since", "2024-03-01", "--until", "2024-04-01") == ["vendors/vendor.md"]
    assert places(notes, "exchange rates", "--until", "2024-03-05") == []


def test_spans_without_a_date_are_counted_where_dates_are_asked_for(notes: Path) -> None:
    lines = screen(notes, "search", "exchange rates", "--since", "2024-01-01")
    assert "left out without a date: 1 span" in lines
    assert answer(notes, "search", "exchange rates", "--since", "2024-01-01")["undated"] == 1


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (("quantum",), "ask in other words: `lore search` takes several wordings, each in quotes"),
        (("rates", "--tag", "Nosuch"), 'no note has the tag "Nosuch"'),
        (("rates", "--folder", "nowhere"), "ask in other words, or with fewer conditions"),
        (("rates", "--folder", "../.."), "ask in other words, or with fewer conditions"),
        (("rates", "--scope", "elsewhere"), "the scope has no note"),
    ],
)
def test_nothing_found_is_said_with_what_to_try(notes: Path, words: tuple[str, ...], advice: str) -> None:
    told = typed(notes, "search", *words)
    assert (told.exit_code, told.stdout) == (0, "no spans\n")
    assert told.stderr == f"hint: {advice}\n"
    assert answer(notes, "search", *words)["results"] == []


def test_a_vault_without_notes_says_so(tmp_path: Path) -> None:
    assert typed(vault(tmp_path, {}), "search", "anything").stderr == "hint: the vault has no note\n"


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((), 2, "Missing argument 'WORDING…'."),
        (("",), 2, "The question is empty."),
        ((" \t", "\n"), 2, "The question is empty."),
        (("rates", "-k", "0"), 2, "Invalid value for '-k' / '--limit': 0 is not in the range x>=1."),
        (("rates", "-k", "-1"), 2, "Invalid value for '-k' / '--limit': -1 is not in the range x>=1."),
        (("rates", "-k", "abc"), 2, "Invalid value for '-k' / '--limit': 'abc' is not a valid integer range."),
        (("rates", "--since", "soon"), 2, '--since: "soon" is not a date.'),
        (("rates", "--until", "2024-02-30"), 2, '--until: "2024-02-30" is not in the calendar.'),
        (("rates", "--tag", "#"), 1, 'tag: "#" names no tag.'),
        (("w",) * 33, 2, "33 wordings are more than 32."),
        (
            ("rates", "--since", "2024-02-01", "--until", "2024-02-01"),
            1,
            "until: 2024-02-01T00:00:00Z is not after 2024-02-01T00:00:00Z.",
        ),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(notes: Path, words: tuple[str, ...], code: int, message: str) -> None:
    found, said = refused(notes, "search", *words)
    assert (found, said[0]) == (code, f"error: {message}")
    assert said[1].startswith("hint: ")


HOSTILE = (
    '"',
    "'",
    '"rates',
    "a OR b",
    "NOT",
    "rates*",
    "(rates",
    "rates)",
    "^~:",
    "NEAR(rates, 2)",
    "the of and",
    "?",
)
STRANGE = ("--", "'; drop table spans; --", "%", "_", "\\", "$1", "{{rates}}", "rates\x00\x1b[31m", "\u202erates", "😀")


@pytest.mark.parametrize("wording", [*HOSTILE, *STRANGE])
def test_a_hostile_wording_is_words_like_any_other(notes: Path, wording: str) -> None:
    told = typed(notes, "search", "--json", "--", wording)
    assert told.exit_code == 0, told.stderr
    assert json.loads(told.stdout)["queries"] == [wording]
    assert not set(typed(notes, "search", "--", wording).stdout) & {"\x1b", "\x00", "\u202e"}


def test_ten_thousand_words_are_answered_quickly(notes: Path) -> None:
    wording = "exchange rates " + " ".join(f"word{number}" for number in range(10_000))
    began = time.process_time()
    assert places(notes, wording)[0] == "vendors/vendor.md"
    assert time.process_time() - began < 5


def test_bytes_that_are_no_text_are_refused_by_name(notes: Path) -> None:
    with process(notes, "search", "rates \udcff") as started:
        out, err = started.communicate()
    assert (started.returncode, out) == (2, "")
    assert err.startswith('error: wording: "rates <U+DCFF>" is not UTF-8.\nhint: ')


def test_quiet_prints_the_answer_alone(notes: Path) -> None:
    assert typed(notes, "--quiet", "search", "quantum").stderr == ""


def test_the_index_as_it_stands_is_not_refreshed(tmp_path: Path) -> None:
    at = vault(tmp_path, {"a.md": "# A\n\nThe ledger.\n"})
    assert places(at, "ledger") == ["a.md"]
    (at / "b.md").write_text("# B\n\nAnother ledger.\n", "utf-8")
    assert places(at, "ledger", "--no-refresh") == ["a.md"]
    assert sorted(places(at, "ledger")) == ["a.md", "b.md"]


def test_five_results_are_half_of_the_notes_behind_them_or_less(tmp_path: Path) -> None:
    section = "## Part {n}.{m}\n\n" + "The office counted the papers and sent the older copies on. " * 4 + "\n\n"
    files = {
        f"note-{n}.md": f"# Note {n}\n\n"
        + "".join(section.format(n=n, m=m) + ("The ledger was closed.\n\n" if m == 2 else "") for m in range(5))
        for n in range(5)
    }
    told = typed(vault(tmp_path, files), "search", "ledger closed", "--json").stdout
    found = json.loads(told)["results"]
    behind = sum((tmp_path / path).stat().st_size for path in {one["path"] for one in found})
    assert len(found) == 5
    assert behind / len(told.encode()) >= 2.0


# ------------------------------------------------------------------------------------------------- on a terminal


def on_terminal(at: Path, *words: str, **environment: str) -> str:
    """Run the program on a terminal of its own, and give what it shows."""
    ours, theirs = pty.openpty()
    settings = {name: value for name, value in ENVIRONMENT.items() if value is not None}
    given = {"PYTHONPATH": str(PACKAGE.parent), "PATH": os.environ["PATH"], "TERM": "xterm-256color", **settings}
    command = [sys.executable, "-m", "loreweave", "--vault", str(at), *words]
    subprocess.run(command, env=given | environment, stdout=theirs, stderr=theirs, check=True)
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 1 << 16)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    return shown.decode().replace("\r\n", "\n")


def test_on_a_terminal_words_are_marked_and_places_open(notes: Path) -> None:
    shown = on_terminal(notes, "search", "exchange rates", TERM_PROGRAM="vscode")
    target = f"vscode://file{notes}/vendors/vendor.md:6"
    assert f"\x1b]8;;{target}\x1b\\\x1b[36m\x1b[1mvendors/vendor.md:6-8\x1b[0m\x1b]8;;\x1b\\" in shown
    assert "The vendor delivers \x1b[33m\x1b[1mexchange\x1b[0m \x1b[33m\x1b[1mrates\x1b[0m before nine." in shown


def test_without_colour_a_terminal_shows_plain_text(notes: Path) -> None:
    shown = on_terminal(notes, "search", "exchange rates", NO_COLOR="1")
    assert "\x1b" not in shown
    assert "vendors/vendor.md:6-8  Vendor  0." in shown


# ------------------------------------------------------------------------------------------------- the library


@pytest.fixture
def opened(notes: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("LORE_NOW", NOW)
    with loreweave.open(notes) as lore:
        yield lore


def test_the_library_finds_what_the_command_finds(opened: Any) -> None:
    found = opened.search("exchange rates", limit=1)
    assert [result.address for result in found.results] == ["vendors/vendor.md#Vendor:6-8"]
    assert opened.search("exchange rates", tags=["supplier"], folder="vendors").results == found.results


@pytest.mark.parametrize(
    ("wordings", "facets", "kind", "message"),
    [
        ((), {}, BadRequest, "The question is empty."),
        (("rates",), {"limit": 0}, BadRequest, "limit: 0 is not a whole number from 1 on."),
        ((7,), {}, BadRequest, "wording: 7 is not a text."),
        (("rates",), {"tags": "supplier"}, BadRequest, 'tags: "supplier" is not a list.'),
        (("rates",), {"since": "soon"}, BadRequest, 'since: "soon" is not a date.'),
        (
            ("rates",),
            {"since": "2024-01-02", "until": "2024-01-01"},
            Refused,
            "until: 2024-01-01T00:00:00Z is not after",
        ),
    ],
)
def test_what_the_library_cannot_be_asked_is_one_sentence(
    opened: Any, wordings: tuple[Any, ...], facets: dict[str, Any], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind) as failed:
        opened.search(*wordings, **facets)
    assert str(failed.value).startswith(message) or failed.value.message.startswith(message)  # type: ignore[attr-defined]


def test_of_very_many_copies_json_names_the_first_and_says_how_many_there_are(tmp_path: Path) -> None:
    days = {f"days/{number:02}.md": "# Day\n\nWater the plants.\n" for number in range(30)}
    (found,) = answer(vault(tmp_path, days), "search", "water")["results"]
    assert (len(found["also"]), found["also"][0], found["copies"]) == (10, "days/01.md#Day:1-3", 29)
