"""``lore index``, and what every other command says while values of notes wait for it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from typed import answer, screen, typed, vault

ATLAS = "---\nstatus: pilot\n---\n\n# Atlas\n\n- owner:: Priya\n"
LATER = {"LORE_NOW": "2025-12-05T00:00:00Z"}
LEDGER = "lore/ledger/2025-12-01-0001.md"
WAITS = "2 values of notes wait to be recorded: lore index\n"


@pytest.fixture
def lore(tmp_path: Path) -> Path:
    return vault(tmp_path / "vault", {"projects/atlas.md": ATLAS})


def test_what_the_notes_state_is_recorded_once(lore: Path) -> None:
    assert screen(lore, "index") == [
        "notes: +1 ~0 -0 =0",
        f"observed 2 values: {LEDGER}",
        "findings: 0 errors, 0 warnings",
    ]
    written = (lore / LEDGER).read_bytes()
    assert screen(lore, "index")[:2] == ["notes: +0 ~0 -0 =1", "nothing to record"]
    assert (lore / LEDGER).read_bytes() == written
    assert sorted(path.name for path in (lore / "lore").rglob("*.md")) == ["2025-12-01-0001.md"]


def test_notes_that_are_new_changed_and_gone_are_counted(lore: Path) -> None:
    vault(lore, {"a.md": "# A\n", "b.md": "# B\n"})
    screen(lore, "index")
    vault(lore, {"a.md": "# A\n\n- owner:: Bo\n", "c.md": "# C\n"})
    (lore / "b.md").unlink()
    assert screen(lore, "index")[0] == "notes: +1 ~1 -1 =1"
    os.utime(lore / "c.md", (1, 1))
    assert screen(lore, "index")[:2] == ["notes: +0 ~0 -0 =3", "nothing to record"]


def test_every_file_is_read_anew_when_that_is_asked(lore: Path) -> None:
    screen(lore, "index")
    assert screen(lore, "index", "--full")[:2] == ["notes: +0 ~0 -0 =1", "nothing to record"]


def test_a_new_title_is_told_of(lore: Path) -> None:
    screen(lore, "index")
    vault(lore, {"projects/atlas.md": ATLAS.replace("# Atlas", "# Atlas II")})
    assert screen(lore, "index")[1:3] == [
        f"observed 2 values, withdrew 2 values: {LEDGER}",
        "Atlas is now Atlas II: 2 beliefs ended, 2 began (projects/atlas.md)",
    ]


def test_an_answer_in_json_has_all_of_it(lore: Path) -> None:
    told = answer(lore, "index")
    assert told == {
        "notes": {"added": 1, "changed": 0, "removed": 0, "unchanged": 0},
        "observed": 2,
        "withdrawn": 0,
        "path": LEDGER,
        "recorded_at": "2025-12-01T00:00:00Z",
        "renamed": [],
        "refused": [],
        "elsewhere": None,
        "errors": 0,
        "warnings": 0,
    }


def test_a_lost_ledger_is_refused_until_it_is_let_go(lore: Path) -> None:
    screen(lore, "index")
    written = (lore / LEDGER).read_bytes()
    (lore / LEDGER).unlink()
    told = typed(lore, "index", **LATER)
    assert (told.exit_code, told.stdout) == (1, "")
    assert told.stderr.startswith(f"error: The ledger has lost lines that it had: {LEDGER}:1, {LEDGER}:2.")
    assert not (lore / LEDGER).exists()
    (lore / LEDGER).write_bytes(written)
    assert screen(lore, "index")[1] == "nothing to record"
    (lore / LEDGER).unlink()
    assert typed(lore, "index", "--start-over", **LATER).exit_code == 0
    assert "recorded_at=2025-12-05" in (lore / "lore/ledger/2025-12-05-0001.md").read_text("utf-8")


def test_another_machine_observes(lore: Path) -> None:
    vault(lore, {"lore/config.toml": '[observe]\nmachine = "the desk"\n'})
    assert typed(lore, "index").stdout.splitlines()[1] == "the desk observes this vault; nothing was recorded here"
    assert typed(lore, "facts").stderr.splitlines()[1] == (
        "2 values of notes wait to be recorded: the desk observes this vault"
    )
    assert not (lore / "lore" / "ledger").exists()
    vault(lore, {"lore/config.toml": f'[observe]\nmachine = "{os.uname().nodename}"\n'})
    assert screen(lore, "index")[1].startswith("observed 2 values")


@pytest.mark.parametrize(
    "words",
    [
        ("facts",),
        ("facts", "--json"),
        ("why", "Atlas", "owner"),
        ("diff", "--from", "2025-01-01"),
        ("count",),
        ("query", "select 1"),
        ("replay",),
    ],
)
def test_every_answer_says_what_waits_to_be_recorded(lore: Path, words: tuple[str, ...]) -> None:
    told = typed(lore, *words)
    assert told.exit_code == 0
    assert WAITS in told.stderr
    assert WAITS not in typed(lore, "--quiet", *words).stderr
    screen(lore, "index")
    assert "lore index" not in typed(lore, *words).stderr


def test_an_export_says_so_too(lore: Path, tmp_path: Path) -> None:
    assert typed(lore, "export", str(tmp_path / "out")).stderr == WAITS


def test_what_left_its_note_waits_too(lore: Path) -> None:
    screen(lore, "index")
    vault(lore, {"projects/atlas.md": "# Atlas\n\n- budget:: 12\n"})
    assert typed(lore, "facts").stderr == (
        "1 value of notes waits to be recorded, 2 are stated no longer: lore index\n"
    )
    (lore / "projects" / "atlas.md").unlink()
    assert typed(lore, "facts").stderr == "2 values of the ledger are stated no longer: lore index\n"


def test_a_question_in_a_scope_counts_what_waits_in_it(lore: Path) -> None:
    vault(
        lore, {"lore/config.toml": '[scopes]\n"clients/acme" = "acme"\n', "clients/acme/x.md": "# X\n\n- owner:: Bo\n"}
    )
    assert "1 value of notes waits" in typed(lore, "--scope", "acme", "facts").stderr
    assert "3 values of notes wait" in typed(lore, "facts").stderr


def test_facts_that_are_not_recorded_yet_are_pointed_at(lore: Path) -> None:
    told = typed(lore, "facts", "--subject", "atlas", "--predicate", "Owner")
    assert told.stdout.splitlines()[0] == "no facts"
    assert told.stderr.splitlines() == [
        "hint: not recorded yet: Atlas :: owner :: Priya (projects/atlas.md:7)",
        WAITS.strip(),
    ]
    assert typed(lore, "why", "Atlas", "owner").stderr.splitlines()[0].startswith("hint: not recorded yet")


def test_a_check_ends_with_1_while_values_wait(lore: Path) -> None:
    assert typed(lore, "replay", "--check").exit_code == 1
    assert typed(lore, "replay").exit_code == 0
    screen(lore, "index")
    assert typed(lore, "replay", "--check").exit_code == 0
    (lore / "projects" / "atlas.md").unlink()
    assert typed(lore, "replay", "--check").exit_code == 1


def test_the_doctor_lists_what_waits(lore: Path) -> None:
    told = json.loads(typed(lore, "doctor", "--json").stdout)
    assert [(one["code"], one["count"], one["places"]) for one in told["findings"]] == [
        ("unrecorded-values", 2, ["projects/atlas.md:2", "projects/atlas.md:7"])
    ]
    assert told["rows"]["unrecorded"] == 2
    screen(lore, "index")
    (lore / "projects" / "atlas.md").unlink()
    told = json.loads(typed(lore, "doctor", "--json").stdout)
    assert [(one["code"], one["count"], one["places"]) for one in told["findings"]] == [
        ("departed-values", 2, ["projects/atlas.md (owner)", "projects/atlas.md (status)"])
    ]


def test_a_close_that_a_new_title_left_behind_is_offered(lore: Path) -> None:
    dated = ATLAS + "- budget:: 12 {valid_from=2025-01-01}\n"
    vault(lore, {"projects/atlas.md": dated})
    screen(lore, "index")
    for words in (("invalidate", "Atlas", "budget", "--valid-until", "2025-06-01"), ("retract", "Atlas", "owner")):
        assert typed(lore, *words, **LATER).exit_code == 0
    vault(lore, {"projects/atlas.md": dated.replace("# Atlas", "# Atlas II")})
    assert typed(lore, "index", LORE_NOW="2025-12-06T00:00:00Z").exit_code == 0
    (told,) = json.loads(typed(lore, "doctor", "--json").stdout)["findings"]
    assert (told["code"], told["count"]) == ("close-left-behind", 2)
    assert told["offers"] == [
        "lore invalidate 'Atlas II' budget --valid-until 2025-06-01",
        "lore retract 'Atlas II' owner Priya",
    ]
    for offer in told["offers"]:
        import shlex

        assert typed(lore, *shlex.split(offer)[1:], LORE_NOW="2025-12-07T00:00:00Z").exit_code == 0
    assert json.loads(typed(lore, "doctor", "--json").stdout)["findings"] == []
