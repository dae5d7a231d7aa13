"""Resuming a session: exactly what changed since last time, each thing once, and nothing lost."""

from __future__ import annotations

import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import loreweave
from loreweave.projections.changed import Kept, NoteChange, note_changes
from loreweave.vault.kept import KEPT, keep, kept_of
from typed import refused, typed, vault

MONDAY, TUESDAY, WEDNESDAY = "2025-12-01T09:00:00Z", "2025-12-02T09:00:00Z", "2025-12-03T09:00:00Z"
JOURNAL = """\
- [fact] Atlas :: status :: planning {valid_from=2025-01-01, recorded_at=2025-01-02, by=priya}
- [fact] Atlas :: owner :: Bo {valid_from=2025-11-01, recorded_at=2025-11-28T10:00:00Z, by=priya}
"""
FILES = {"lore/journal/2025-11-28.md": JOURNAL, "a.md": "# A\n", "b.md": "# B\n", "c.md": "# C\n"}


def resumed(at: Path, now: str, *words: str) -> Any:
    result = typed(at, "resume", *words, "--json", LORE_NOW=now)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def notes(found: Any) -> list[tuple[str, str]] | None:
    return None if found["notes"] is None else [(each["change"], each["path"]) for each in found["notes"]["notes"]]


def beliefs(found: Any) -> list[tuple[str, str, str]]:
    return [
        (slot["subject"], change["change"], change["object"])
        for slot in found["beliefs"]["slots"]
        for change in slot["changes"]
    ]


def sessions(at: Path) -> list[str]:
    files = sorted((at / "lore/ledger").glob("*.md")) if (at / "lore/ledger").exists() else []
    return [line for file in files for line in file.read_text("utf-8").splitlines() if "[session]" in line]


def test_the_first_time_shows_the_last_seven_days_and_knows_of_no_note(tmp_path: Path) -> None:
    at = vault(tmp_path, FILES)
    found = resumed(at, MONDAY)
    assert (found["since"], found["last"], found["marked"]) == ("2025-11-24T09:00:00Z", None, True)
    assert (beliefs(found), notes(found), found["late"]) == ([("Atlas", "began", "Bo")], None, None)
    assert sessions(at) == [f"- [session] priya {{recorded_at={MONDAY}}}"]


def test_the_next_time_shows_what_came_between_and_then_no_more(tmp_path: Path) -> None:
    at = vault(tmp_path, FILES)
    resumed(at, MONDAY)
    typed(at, "assert", "Atlas", "status", "active", LORE_NOW=TUESDAY)
    typed(at, "invalidate", "Atlas", "owner", LORE_NOW=TUESDAY)
    (at / "a.md").write_text("# A\n\nmore\n")
    (at / "b.md").unlink()
    (at / "c.md").rename(at / "moved.md")
    (at / "d.md").write_text("# D\n")
    found = resumed(at, WEDNESDAY)
    assert (found["since"], found["until"], found["last"]) == (MONDAY, WEDNESDAY, MONDAY)
    assert notes(found) == [("changed", "a.md"), ("removed", "b.md"), ("added", "d.md"), ("moved", "moved.md")]
    assert beliefs(found) == [
        ("Atlas", "superseded", "planning"),
        ("Atlas", "began", "active"),
        ("Atlas", "closed", "Bo"),
    ]
    (line,) = found["beliefs"]["slots"][0]["lines"]
    assert (line["path"], line["line"], line["recorded_by"]) == ("lore/journal/2025-12-02.md", 1, "priya")
    assert found["beliefs"]["slots"][0]["changes"][0]["now"][0]["ended_by"] == line["event_id"]
    again = resumed(at, WEDNESDAY)
    assert (beliefs(again), notes(again), again["late"]["lines"]) == ([], [], [])
    assert "nothing changed" in typed(at, "resume", LORE_NOW=WEDNESDAY).stdout


def test_a_session_with_since_is_a_pure_read(tmp_path: Path) -> None:
    at = vault(tmp_path, FILES)
    resumed(at, MONDAY)
    before = {path: path.read_bytes() for path in at.rglob("*") if path.is_file()}
    found = resumed(at, TUESDAY, "--since", "2025-01-01")
    assert (found["marked"], found["last"], found["until"]) == (False, MONDAY, None)
    assert beliefs(found) == [("Atlas", "began", "planning"), ("Atlas", "began", "Bo")]
    assert {path: path.read_bytes() for path in at.rglob("*") if path.is_file()} == before
    assert resumed(at, WEDNESDAY)["since"] == MONDAY


def test_a_session_that_is_not_to_be_marked_writes_nothing(tmp_path: Path) -> None:
    at = vault(tmp_path, FILES)
    typed(at, "replay")
    found = resumed(at, MONDAY, "--no-refresh")
    assert (found["marked"], beliefs(found)) == (False, [("Atlas", "began", "Bo")])
    with loreweave.open(at) as lore:
        assert not lore.resume(mark=False).marked
    assert (sessions(at), (at / ".lore/sessions").exists()) == ([], False)


def test_without_the_index_facts_and_sessions_return_exactly_and_notes_are_unknown_before_it(tmp_path: Path) -> None:
    at = vault(tmp_path, FILES)
    resumed(at, MONDAY)
    typed(at, "assert", "Atlas", "status", "active", LORE_NOW=TUESDAY)
    (at / "a.md").write_text("# A\n\nmore\n")
    shutil.rmtree(at / ".lore")
    told = typed(at, "resume", "--since", MONDAY, LORE_NOW=TUESDAY).stdout
    assert "changed notes: unknown, as nothing was kept before to compare them with\n" in told
    found = resumed(at, TUESDAY)
    assert (found["since"], found["notes"], found["late"]) == (MONDAY, None, None)
    assert beliefs(found) == [("Atlas", "superseded", "planning"), ("Atlas", "began", "active")]
    (at / "c.md").write_text("# C\n\nmore\n")
    assert notes(resumed(at, WEDNESDAY)) == [("changed", "c.md")]


@pytest.mark.parametrize("damage", ["", "{}", "[1]", '{"scope": "default"}', "\0"])
def test_what_was_kept_and_cannot_be_read_is_as_if_it_were_gone(tmp_path: Path, damage: str) -> None:
    at = vault(tmp_path, FILES)
    resumed(at, MONDAY)
    (kept,) = (at / ".lore/sessions").iterdir()
    kept.write_text(damage)
    assert resumed(at, TUESDAY)["notes"] is None
    assert notes(resumed(at, WEDNESDAY)) == []


def test_an_edit_that_the_index_had_not_seen_is_told_once_and_later(tmp_path: Path) -> None:
    at = vault(tmp_path, FILES)
    resumed(at, MONDAY)
    (at / "a.md").write_text("# A\n\nmore\n")
    with loreweave.open(at) as lore:
        assert notes(resumed(at, MONDAY, "--no-refresh")) == []
        lore.refresh()
    assert notes(resumed(at, TUESDAY, "--no-refresh")) == [("changed", "a.md")]
    assert notes(resumed(at, TUESDAY)) == [("changed", "a.md")]
    assert notes(resumed(at, WEDNESDAY)) == []


def test_an_edit_that_keeps_size_and_time_of_a_file_is_told(tmp_path: Path) -> None:
    at = vault(tmp_path, FILES)
    resumed(at, MONDAY)
    stood = os.stat(at / "a.md")
    (at / "a.md").write_text("# Z\n")
    os.utime(at / "a.md", ns=(stood.st_atime_ns, stood.st_mtime_ns))
    assert notes(resumed(at, TUESDAY)) == [("changed", "a.md")]


def test_a_line_that_was_recorded_before_and_came_later_is_told_once(tmp_path: Path) -> None:
    at = vault(tmp_path, FILES)
    resumed(at, MONDAY)
    late = "- [fact] Vendor :: status :: late {recorded_at=2025-11-30T10:00:00Z, by=bo}\n"
    (at / "lore/journal/2025-11-30.md").write_text(late)
    found = resumed(at, TUESDAY)
    assert beliefs(found) == []
    (line,) = found["late"]["lines"]
    assert (line["subject"], line["object"], line["recorded_by"]) == ("Vendor", "late", "bo")
    assert (line["path"], line["line"], line["recorded_at"]) == (
        "lore/journal/2025-11-30.md",
        1,
        "2025-11-30T10:00:00Z",
    )
    assert resumed(at, WEDNESDAY)["late"]["lines"] == []


def test_each_name_and_each_scope_has_its_own_watermark(tmp_path: Path) -> None:
    at = vault(tmp_path, FILES)
    resumed(at, MONDAY)
    assert resumed(at, TUESDAY, "--name", "bo")["last"] is None
    assert resumed(at, WEDNESDAY, "--name", "Priya")["last"] == MONDAY
    assert resumed(at, WEDNESDAY, "--scope", "alice")["last"] is None
    found = resumed(at, WEDNESDAY, "--scope", "alice")
    assert (beliefs(found), notes(found)) == ([], [])
    assert found["last"] is not None


def test_a_new_session_is_told_of_notes_as_far_as_others_kept_them(tmp_path: Path) -> None:
    at = vault(tmp_path, FILES)
    resumed(at, MONDAY)
    (at / "a.md").write_text("# A\n\nmore\n")
    found = resumed(at, TUESDAY, "--name", "bo")
    assert (found["notes"]["since"], notes(found)) == (MONDAY, [("changed", "a.md")])


def test_an_agent_that_makes_up_names_fills_no_disk_and_takes_nothing_from_others(tmp_path: Path) -> None:
    def of(number: int) -> Kept:
        return Kept(number, {"a.md": f"{number}"}, 0, frozenset())

    keep(tmp_path, "default", "priya", of(1))
    keep(tmp_path, "alice", "one\0scout", of(2))
    for number in range(3, KEPT + 13):
        keep(tmp_path, "default", f"{number}\0scout", of(number))
    assert len(list((tmp_path / ".lore/sessions").iterdir())) == KEPT + 2
    assert kept_of(tmp_path, "default", "priya") == (of(1),)
    assert kept_of(tmp_path, "alice", "one\0scout") == (of(2),)
    assert kept_of(tmp_path, "default", f"{KEPT + 12}\0scout") == (of(KEPT + 12),)
    assert len(kept_of(tmp_path, "default", "3\0scout")) == KEPT + 1


def test_an_agent_marks_no_session_but_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at = vault(tmp_path, FILES)
    monkeypatch.setenv("LORE_NOW", MONDAY)
    resumed(at, MONDAY)
    with loreweave.open(at, agent="field-agent") as lore:
        assert lore.resume().session == "field-agent"
        assert lore.resume(name="priya").session == "field-agent/priya"
    assert resumed(at, TUESDAY)["last"] == MONDAY
    assert [line.split(" {")[0] for line in sessions(at)] == [
        "- [session] priya",
        "- [session] field-agent",
        "- [session] field-agent/priya",
        "- [session] priya",
    ]


def test_a_name_that_an_agent_gives_itself_takes_no_mark_from_anybody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = vault(tmp_path, FILES)
    resumed(at, MONDAY)
    monkeypatch.setenv("LORE_NOW", TUESDAY)
    with loreweave.open(at, agent="Priya") as lore:
        assert lore.resume().last is None
    with loreweave.open(at, agent="a/b") as lore:
        assert lore.resume().last is None
    with loreweave.open(at, agent="a") as lore:
        assert lore.resume(name="b").last is None
    assert resumed(at, WEDNESDAY)["last"] == MONDAY


def test_long_lists_are_cut_and_say_so(tmp_path: Path) -> None:
    at = vault(tmp_path, FILES)
    resumed(at, MONDAY)
    for number in range(4):
        typed(at, "assert", f"Vendor {number}", "status", "new", LORE_NOW=TUESDAY)
        (at / f"n{number}.md").write_text("# N\n")
    found = resumed(at, TUESDAY, "--since", MONDAY, "--limit", "3")
    assert (found["beliefs"]["shown"], found["beliefs"]["of"]) == (3, 4)
    assert [slot["subject"] for slot in found["beliefs"]["slots"]] == ["Vendor 1", "Vendor 2", "Vendor 3"]
    assert (found["notes"]["shown"], found["notes"]["of"]) == (3, 4)
    shown = typed(at, "resume", "--limit", "3", LORE_NOW=WEDNESDAY).stdout
    assert "showing 3 of 4 changed notes" in shown
    assert "showing the latest 3 of 4 changed slots" in shown


def test_of_resumes_at_once_one_alone_has_the_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at = vault(tmp_path, FILES)
    resumed(at, MONDAY)
    typed(at, "assert", "Atlas", "status", "active", LORE_NOW=TUESDAY)

    def one(_: int) -> int:
        with loreweave.open(at) as lore:
            return lore.resume(name="priya").beliefs.of

    monkeypatch.setenv("LORE_NOW", WEDNESDAY)
    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(one, range(4))) == [0, 0, 0, 1]


def test_over_many_sessions_each_change_is_told_once_and_none_is_left_out(tmp_path: Path) -> None:
    at = vault(tmp_path, FILES)
    told = [resumed(at, MONDAY)]
    for hour in range(10, 16):
        typed(at, "assert", "Atlas", "status", f"s{hour}", LORE_NOW=f"2025-12-01T{hour}:00:00Z")
        typed(at, "assert", f"Vendor {hour}", "status", "new", LORE_NOW=f"2025-12-01T{hour}:00:00Z")
        if hour % 2:
            told.append(resumed(at, f"2025-12-01T{hour}:00:00Z"))
    told.append(resumed(at, TUESDAY))
    slots = [(slot["recorded_at"], slot["subject"]) for found in told for slot in found["beliefs"]["slots"]]
    whole = resumed(at, TUESDAY, "--since", told[0]["since"], "--limit", "100")
    assert slots == [(slot["recorded_at"], slot["subject"]) for slot in whole["beliefs"]["slots"]]
    assert len(set(slots)) == len(slots) == 13


def test_a_session_that_ended_before_its_notes_were_kept_has_them_told_again(tmp_path: Path) -> None:
    at = vault(tmp_path, FILES)
    resumed(at, MONDAY)
    (kept,) = (at / ".lore/sessions").iterdir()
    before = kept.read_bytes()
    (at / "a.md").write_text("# A\n\nmore\n")
    resumed(at, TUESDAY)
    kept.write_bytes(before)
    (at / "b.md").write_text("# B\n\nmore\n")
    found = resumed(at, WEDNESDAY)
    assert (found["since"], found["notes"]["since"]) == (TUESDAY, MONDAY)
    assert notes(found) == [("changed", "a.md"), ("changed", "b.md")]


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (("--since", "yesterday"), 2, '"yesterday" is not a time'),
        (("--since", "2025-02-30"), 2, "is not in the calendar"),
        (("--limit", "0"), 2, "0"),
        (("--name", " "), 1, "normalises to nothing"),
    ],
)
def test_what_cannot_be_read_is_refused_and_marks_nothing(
    tmp_path: Path, words: tuple[str, ...], code: int, why: str
) -> None:
    at = vault(tmp_path, FILES)
    found = refused(at, "resume", *words)
    assert (found[0], why in found[1][0], sessions(at)) == (code, True, [])


def test_a_folder_that_leads_out_of_the_vault_is_not_written_to(tmp_path: Path) -> None:
    at = vault(tmp_path / "vault", FILES)
    typed(at, "replay")
    (tmp_path / "out").mkdir()
    os.symlink(tmp_path / "out", at / ".lore/sessions")
    code, told = refused(at, "resume")
    assert (code, ".lore/sessions" in told[0], sessions(at)) == (2, True, [])
    assert list((tmp_path / "out").iterdir()) == []


def test_where_nothing_can_be_kept_the_answer_is_not_lost_and_more_is_told_the_next_time(tmp_path: Path) -> None:
    at = vault(tmp_path, FILES)
    resumed(at, MONDAY)
    (at / "a.md").write_text("# A\n\nmore\n")
    shutil.rmtree(at / ".lore/sessions")
    (at / ".lore/sessions").write_text("")
    assert resumed(at, TUESDAY)["notes"] is None
    assert len(sessions(at)) == 2


def test_notes_are_told_apart_by_path_and_by_what_they_say() -> None:
    before = {"a": "1", "b": "2", "c": "3", "d": "4", "e": "4"}
    now = {"a": "1", "b": "9", "x": "3", "y": "4", "z": "7"}
    assert note_changes(before, now) == (
        NoteChange("changed", "b"),
        NoteChange("removed", "e"),
        NoteChange("moved", "x", "c"),
        NoteChange("moved", "y", "d"),
        NoteChange("added", "z"),
    )
    assert note_changes(now, now) == ()
