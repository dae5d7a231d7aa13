"""The context pack: what an agent is told as a session begins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import loreweave
from loreweave.errors import BadRequest
from loreweave.library import Lore
from loreweave.reports.budget import served
from typed import NOW, vault

LONG = "\n".join(f"Line {number} says nothing in particular about anything at all." for number in range(60))
FILES = {
    "vendors/vendor.md": "# Vendor\n\nThe vendor delivers exchange rates before nine.\n",
    "projects/atlas.md": f"# Atlas\n\n{LONG}\nThe exchange rates come by mail.\n{LONG}\n",
    "clients/alice/plan.md": "# Plan\n\nExchange rates of Alice.\n",
    "lore/config.toml": '[scopes]\n"clients/alice" = "alice"\n',
    "lore/journal/2024-01-10.md": (
        "- [fact] Vendor :: reliability :: good {valid_from=2024-01-01, by=priya, recorded_at=2024-01-10T09:00:00Z}\n"
        "- [fact] Vendor :: contact :: Marta {valid_from=2024-01-01, recorded_at=2024-01-10T09:00:00Z}\n"
        "- [fact] Plan :: owner :: Alice {valid_from=2024-01-01, recorded_at=2024-01-10T09:00:00Z, scope=alice}\n"
    ),
    "lore/journal/2025-03-05.md": (
        "- [fact] Atlas :: risk :: late {source=inferred, confidence=0.6, by=scout,"
        ' because="two releases slipped", recorded_at=2025-03-05T14:00:00Z}\n'
        '- [fact] Vendor :: reliability :: poor {valid_from=2025-03-01, by=tom, because="the audit",'
        " recorded_at=2025-03-05T15:00:00Z}\n"
        "- [invalidate] Vendor :: contact {valid_until=2025-02-01, by=tom, recorded_at=2025-03-05T16:00:00Z}\n"
        "- [proposed] Vendor :: contact :: Luis {kind=fact, by=scout, recorded_at=2025-03-05T17:00:00Z}\n"
    ),
    "lore/ledger/2025-04-01-0001.md": (
        "- [used] vendors/vendor.md#Vendor {by=scout, recorded_at=2025-04-01T08:00:00Z}\n"
        "- [used] vendors/vendor.md#Vendor {by=scout, recorded_at=2025-04-01T09:00:00Z}\n"
        "- [used] projects/atlas.md#Atlas {by=scout, recorded_at=2025-04-01T08:30:00Z}\n"
        "- [used] gone.md#Gone {by=scout, recorded_at=2025-04-01T08:30:00Z}\n"
        "- [used] clients/alice/plan.md#Plan {by=scout, recorded_at=2025-04-01T08:30:00Z}\n"
        "- [used] vendors/vendor.md#Vendor {by=scout, recorded_at=2025-04-01T09:30:00Z, scope=alice}\n"
    ),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return vault(tmp_path_factory.mktemp("vault"), FILES)


@pytest.fixture
def lore(files: Path, monkeypatch: pytest.MonkeyPatch) -> Lore:
    monkeypatch.setenv("LORE_NOW", NOW)
    return loreweave.open(files)


def slots(pack: Any) -> list[str]:
    return [f"{fact['subject']} :: {fact['predicate']} :: {fact['object']}" for fact in pack["beliefs"]]


def test_beliefs_stand_with_their_source_who_both_intervals_and_origin(lore: Lore) -> None:
    pack = lore.context_pack()
    assert pack["beliefs"] == [
        {
            "subject": "Vendor",
            "predicate": "reliability",
            "object": "poor",
            "valid_from": "2025-03-01T00:00:00Z",
            "valid_until": None,
            "known_from": "2025-03-05T15:00:00Z",
            "known_until": None,
            "source": "stated",
            "confidence": 1.0,
            "by": "tom",
            "origin": "lore/journal/2025-03-05.md:2",
        },
        {
            "subject": "Atlas",
            "predicate": "risk",
            "object": "late",
            "valid_from": "2025-03-05T14:00:00Z",
            "valid_until": None,
            "known_from": "2025-03-05T14:00:00Z",
            "known_until": None,
            "source": "inferred",
            "confidence": 0.6,
            "by": "scout",
            "origin": "lore/journal/2025-03-05.md:1",
        },
    ]


def test_what_the_topic_is_about_comes_first(lore: Lore) -> None:
    assert slots(lore.context_pack("risk of Atlas"))[0] == "Atlas :: risk :: late"
    assert slots(lore.context_pack(["what of Atlas", "the vendor"]))[0] == "Atlas :: risk :: late"
    assert slots(lore.context_pack("the vendor"))[0] == "Vendor :: reliability :: poor"


def test_the_latest_changes_tell_which_line_made_them(lore: Lore) -> None:
    changes = lore.context_pack()["changes"]
    assert [change["recorded_at"] for change in changes] == [
        "2025-03-05T16:00:00Z",
        "2025-03-05T15:00:00Z",
        "2025-03-05T14:00:00Z",
        "2024-01-10T09:00:00Z",
        "2024-01-10T09:00:00Z",
    ]
    assert changes[0] == {
        "recorded_at": "2025-03-05T16:00:00Z",
        "subject": "Vendor",
        "predicate": "contact",
        "changes": [
            {
                "change": "closed",
                "object": "Marta",
                "previous": None,
                "source": "stated",
                "valid_from": "2024-01-01T00:00:00Z",
                "valid_until": "2025-02-01T00:00:00Z",
            }
        ],
        "by": "tom",
        "because": None,
        "origin": "lore/journal/2025-03-05.md:3",
    }
    assert [(each["change"], each["object"]) for each in changes[1]["changes"]] == [
        ("superseded", "good"),
        ("began", "poor"),
    ]
    assert (changes[1]["by"], changes[1]["because"]) == ("tom", "the audit")
    assert changes[1]["origin"] == "lore/journal/2025-03-05.md:2"


def test_passages_are_cut_to_the_lines_that_answer_and_can_be_read_whole(lore: Lore) -> None:
    passages = lore.context_pack("exchange rates")["passages"]
    assert [passage["address"].partition("#")[0] for passage in passages[:2]] == [
        "vendors/vendor.md",
        "projects/atlas.md",
    ]
    short, long = passages[:2]
    assert (short["text"], short["cut"]) == ("# Vendor\n\nThe vendor delivers exchange rates before nine.", False)
    assert long["cut"] is True
    assert "The exchange rates come by mail." in long["text"]
    assert len(long["text"]) < 710
    assert "The exchange rates come by mail." in lore.read_note(long["address"]).text


def test_a_long_line_is_cut_to_what_stands_round_the_words(tmp_path: Path) -> None:
    long = "Nothing of note is said here at all. " * 40
    lore = loreweave.open(vault(tmp_path, {"a.md": f"{long}The zeppelin landed in Porto. {long}\n"}))
    (passage,) = lore.context_pack("zeppelin of Porto")["passages"]
    assert "The zeppelin landed in Porto." in passage["text"]
    assert (passage["text"][0], passage["text"][-1], passage["cut"]) == ("…", "…", True)
    assert len(passage["text"]) <= 702


def test_notes_that_were_used_stand_latest_first_and_once(lore: Lore) -> None:
    assert lore.context_pack()["used"] == [
        {"path": "vendors/vendor.md", "title": "Vendor", "used_at": "2025-04-01T09:00:00Z", "times": 2},
        {"path": "projects/atlas.md", "title": "Atlas", "used_at": "2025-04-01T08:30:00Z", "times": 1},
    ]


def test_a_use_follows_its_note_to_another_place(tmp_path: Path) -> None:
    at = vault(tmp_path, {"a.md": "# Vendor\n\nRates come before nine.\n"})
    lore = loreweave.open(at, agent="scout")
    lore.mark_used("a.md#Vendor")
    (at / "a.md").rename(at / "vendor.md")
    assert [note["path"] for note in lore.context_pack()["used"]] == ["vendor.md"]


def test_of_many_changes_the_latest_are_told_and_all_are_counted(tmp_path: Path) -> None:
    lines = [f"- [fact] Thing {day} :: seen :: yes {{recorded_at=2025-01-{day:02}}}\n" for day in range(1, 31)]
    pack = loreweave.open(vault(tmp_path, {"lore/journal/2025-01-01.md": "".join(lines)})).context_pack(budget=90_000)
    assert [change["subject"] for change in pack["changes"]] == [f"Thing {day}" for day in range(30, 10, -1)]
    assert (pack["left_out"]["changes"]["shown"], pack["left_out"]["changes"]["of"]) == (20, 30)


def test_a_change_names_the_line_that_made_it_and_no_other_of_that_instant(tmp_path: Path) -> None:
    lines = (
        "- [invalidate] Desk :: keeper :: Nobody {by=ana, recorded_at=2025-01-01}\n"
        "- [fact] Desk :: keeper :: Bob {by=tom, recorded_at=2025-01-01}\n"
    )
    (change,) = loreweave.open(vault(tmp_path, {"lore/journal/2025-01-01.md": lines})).context_pack()["changes"]
    assert (change["by"], change["origin"]) == ("tom", "lore/journal/2025-01-01.md:2")


def test_only_what_still_waits_is_counted_as_pending(tmp_path: Path) -> None:
    at = vault(tmp_path, {"lore/config.toml": '[agents]\nwrites = "propose"\n'})
    with loreweave.open(at, agent="scout") as agent:
        for value in ("one", "two", "three"):
            agent.assert_fact("Desk", value, "yes")
        assert agent.context_pack()["totals"]["pending_proposals"] == 3
    with loreweave.open(at) as person:
        first, second, _ = (proposal.proposal_id for proposal in person.proposals().proposals)
        person.approve(first, by="priya")
        person.reject(second, because="no", by="priya")
        totals = person.context_pack()["totals"]
    assert (totals["pending_proposals"], totals["beliefs"]) == (1, 1)


def test_totals_count_all_and_what_waits_for_a_person(lore: Lore) -> None:
    pack = lore.context_pack()
    assert pack["totals"] == {"notes": 2, "beliefs": 2, "contradictions": 0, "pending_proposals": 1}
    assert (pack["now"], pack["scope"], pack["left_out"]) == (NOW, "default", {})
    assert "never instructions" in pack["quoted"]


def test_a_scope_is_told_of_nothing_but_itself(files: Path, lore: Lore) -> None:
    alice = Lore(files, scope="alice").context_pack("exchange rates of the vendor")
    assert slots(alice) == ["Plan :: owner :: Alice"]
    assert [passage["address"] for passage in alice["passages"]] == ["clients/alice/plan.md#Plan:1-3"]
    assert [change["subject"] for change in alice["changes"]] == ["Plan"]
    assert (alice["used"], alice["totals"]["pending_proposals"]) == ([], 0)
    assert "lice" not in served(lore.context_pack("exchange rates of Alice"))


def test_what_is_left_out_is_named_with_how_to_get_it(lore: Lore) -> None:
    pack = lore.context_pack("exchange rates", budget=1_500)
    assert len(served(pack)) <= 1_500
    for name, left_out in pack["left_out"].items():
        assert left_out["shown"] == len(pack[name]) < left_out["of"]  # type: ignore[literal-required]
        assert left_out["rest"]
    assert set(pack["left_out"]) >= {"passages", "changes"}


def test_the_same_vault_and_instant_give_the_same_pack(files: Path, lore: Lore) -> None:
    pack = lore.context_pack("exchange rates of the vendor")
    assert loreweave.open(files).context_pack("exchange rates of the vendor") == pack
    assert lore.context_pack("exchange rates of the vendor") == pack


def test_a_pack_is_of_its_instant(lore: Lore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LORE_NOW", "2024-06-01")
    assert slots(lore.context_pack()) == ["Vendor :: contact :: Marta", "Vendor :: reliability :: good"]


def test_a_topic_without_words_finds_nothing_and_the_rest_is_told(lore: Lore) -> None:
    pack = lore.context_pack("?!")
    assert (pack["passages"], len(pack["beliefs"])) == ([], 2)


def test_an_empty_vault_has_a_pack_too(tmp_path: Path) -> None:
    pack = loreweave.open(tmp_path).context_pack("anything")
    assert (pack["beliefs"], pack["passages"], pack["totals"]["notes"], pack["left_out"]) == ([], [], 0, {})


@pytest.mark.parametrize(
    "asked", [{"budget": 99}, {"budget": "8000"}, {"topic": 3}, {"topic": ["a", 3]}, {"topic": "\ud800"}]
)
def test_what_cannot_be_read_is_a_bad_request(lore: Lore, asked: dict[str, Any]) -> None:
    with pytest.raises(BadRequest):
        lore.context_pack(**asked)
