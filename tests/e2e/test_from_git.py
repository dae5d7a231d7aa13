"""``lore index --from-git``: what the notes said at each commit, known since the commit was made."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
from pathlib import Path
from random import Random

import pytest

import loreweave
from commit_histories import History
from note_histories import OF_NOTES, step
from program import lore
from repositories import Repository
from walks import ATLAS, NOW, believed, edited, index, last_at, lines, record, walk


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LORE_NOW", NOW)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository.new(tmp_path / "vault")


@pytest.mark.parametrize("seed", range(3))
def test_what_was_known_at_a_commit_is_what_its_notes_said(repository: Repository, seed: int) -> None:
    told = edited(repository, 50, seed)

    made = walk(repository.folder)

    assert made["commits"] == len(lines(repository.folder, "walked"))
    for commit in Random(seed).sample(list(last_at(told).values()), 10):
        after = commit.at.replace("00Z", "00.000009Z")
        assert believed(repository.folder, after) == commit.facts, commit


def test_what_was_known_at_a_commit_is_what_an_index_of_its_checkout_says(
    repository: Repository, tmp_path: Path
) -> None:
    told = edited(repository, 30, seed=7)
    walk(repository.folder)

    for commit in Random(7).sample(list(last_at(told).values()), 5):
        after = commit.at.replace("00Z", "00.000009Z")
        checkout = tmp_path / commit.hash
        repository.git("worktree", "add", "--quiet", "--detach", str(checkout), commit.hash)
        index(checkout, now=after)
        assert believed(checkout, after) == believed(repository.folder, after) == commit.facts


def test_the_ledger_says_when_each_value_was_committed_and_in_which_commit(repository: Repository) -> None:
    first = repository.commit({"atlas.md": ATLAS.format("draft")}, at="2024-01-10T09:00:00+02:00")
    second = repository.commit(
        {"atlas.md": ATLAS.format("final"), "priya.md": "role:: lead\n"}, at="2024-03-01T12:00:00Z"
    )
    third = repository.commit({"atlas.md": "# Atlas\n"}, at="2024-03-01T18:00:00Z")

    made = walk(repository.folder)

    assert (made["commits"], made["observed"], made["withdrawn"], made["raised"]) == (3, 3, 1, 0)
    assert (made["first"], made["last"]) == ("2024-01-10T07:00:00Z", "2024-03-01T18:00:00Z")
    assert list(record(repository.folder)) == ["2024-01-10-0001.md", "2024-03-01-0001.md"]
    in_first, in_second, in_third = (f"by=git:{commit[:12]}" for commit in (first, second, third))
    assert [_without(line, "valid_from", "confidence") for line in lines(repository.folder)] == [
        f"- [observed] Atlas :: status :: draft {{recorded_at=2024-01-10T07:00:00Z, {in_first}, note=atlas.md}}",
        f"- [walked] {first} {{recorded_at=2024-01-10T07:00:00Z}}",
        f"- [observed] Atlas :: status :: final {{recorded_at=2024-03-01T12:00:00Z, {in_second}, note=atlas.md}}",
        f"- [observed] priya :: role :: lead {{recorded_at=2024-03-01T12:00:00Z, {in_second}, note=priya.md}}",
        f"- [walked] {second} {{recorded_at=2024-03-01T12:00:00Z}}",
        f"- [withdrawn] Atlas :: status {{recorded_at=2024-03-01T18:00:00Z, {in_third}, note=atlas.md}}",
        f"- [walked] {third} {{recorded_at=2024-03-01T18:00:00Z}}",
    ]


def _without(line: str, *names: str) -> str:
    """Leave attributes out of a line, and put the others in one order."""
    head, _, block = line.rstrip("}").partition(" {")
    kept = [part for part in block.split(", ") if part.partition("=")[0] not in names]
    order = ("recorded_at", "by", "note", "many")
    return f"{head} {{{', '.join(sorted(kept, key=lambda part: order.index(part.partition('=')[0])))}}}"


def test_a_walk_of_what_was_walked_writes_nothing_and_one_of_more_goes_on(repository: Repository) -> None:
    history = History(repository, Random(3))
    told = [history.commit() for _ in range(12)]
    walk(repository.folder)
    before = record(repository.folder)

    made = walk(repository.folder)
    assert (made["commits"], made["observed"], made["first"]) == (0, 0, None)
    assert record(repository.folder) == before

    told += [history.commit() for _ in range(12)]
    assert walk(repository.folder)["commits"]
    after = record(repository.folder)
    assert all(after[name].startswith(text) for name, text in before.items())
    assert believed(repository.folder, NOW) == told[-1].facts


def test_a_walk_in_parts_writes_what_a_walk_at_once_writes(repository: Repository, tmp_path: Path) -> None:
    told = edited(repository, 24, seed=5)
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    for folder in (whole, parts):
        repository.git("clone", "--quiet", str(repository.folder), str(folder))
    walk(whole)
    for commit in told[::5] + told[-1:]:
        Repository(parts).git("checkout", "--quiet", commit.hash)
        walk(parts)

    assert record(parts) == record(whole)


def test_a_clean_checkout_has_nothing_left_to_record_and_an_edit_is_recorded_when_it_is_indexed(
    repository: Repository,
) -> None:
    told = edited(repository, 20, seed=2)
    walk(repository.folder)
    before = record(repository.folder)

    assert index(repository.folder)["observed"] == 0
    assert record(repository.folder) == before

    repository.put({"Note.md": "owner:: Bo\n"})
    assert walk(repository.folder)["commits"] == 0
    assert believed(repository.folder, NOW) == told[-1].facts
    assert index(repository.folder)["observed"] == 1
    assert believed(repository.folder, "2026-12-01") == told[-1].facts | {("Note", "owner", "Bo")}
    assert believed(repository.folder, "2026-12-01", known="2026-11-30T11:59:59Z") == told[-1].facts


def test_an_edit_of_prose_moves_no_record_time_and_leaves_only_the_commit(repository: Repository) -> None:
    repository.commit({"atlas.md": ATLAS.format("draft")}, at="2024-01-10T09:00:00Z")
    prose = repository.commit({"atlas.md": ATLAS.format("draft") + "\nMore.\n"}, at="2024-01-11T09:00:00Z")

    assert walk(repository.folder)["observed"] == 1
    assert (
        record(repository.folder)["2024-01-11-0001.md"] == f"- [walked] {prose} {{recorded_at=2024-01-11T09:00:00Z}}\n"
    )


def test_a_rename_ends_no_belief_and_begins_none(repository: Repository) -> None:
    repository.commit({"atlas.md": ATLAS.format("draft")}, at="2024-01-10T09:00:00Z")
    repository.commit({"atlas.md": None, "deep/project.md": ATLAS.format("draft")}, at="2024-01-11T09:00:00Z")
    walk(repository.folder)

    (fact,) = json.loads(lore(repository.folder, "facts", "--as-of", NOW, "--json"))["facts"]
    assert (fact["valid_from"], fact["object"]) == ("2024-01-10T09:00:00Z", "draft")
    assert len(lines(repository.folder, "withdrawn")) == 1
    assert believed(repository.folder, "2024-01-10T10:00:00Z", known=NOW) == {("Atlas", "status", "draft")}


def test_commits_of_one_second_and_of_a_clock_that_went_back_keep_their_order(repository: Repository) -> None:
    times = ["2024-01-10T09:00:00Z", "2024-01-10T09:00:00Z", "2024-01-09T00:00:00Z", "2024-01-10T09:00:01Z"]
    for number, at in enumerate(times):
        repository.commit({"atlas.md": ATLAS.format(f"version {number}")}, at=at)

    assert walk(repository.folder)["raised"] == 2
    assert re.findall(r"recorded_at=(\S+?)[,}]", "\n".join(lines(repository.folder, "walked"))) == [
        "2024-01-10T09:00:00Z",
        "2024-01-10T09:00:00.000001Z",
        "2024-01-10T09:00:00.000002Z",
        "2024-01-10T09:00:01Z",
    ]
    assert list(record(repository.folder)) == ["2024-01-10-0001.md"]


def test_what_a_branch_brings_is_known_since_it_was_merged(repository: Repository) -> None:
    repository.commit({"atlas.md": ATLAS.format("draft")}, at="2024-01-10T09:00:00Z")
    repository.git("checkout", "--quiet", "-b", "side")
    repository.commit({"vendor.md": "status:: new\n"}, at="2024-01-11T09:00:00Z")
    repository.git("checkout", "--quiet", "main")
    repository.commit({"atlas.md": ATLAS.format("final")}, at="2024-01-12T09:00:00Z")
    repository.git("merge", "--quiet", "--no-ff", "--message", "Merge", "side", at="2024-01-13T09:00:00Z")
    walk(repository.folder)

    assert believed(repository.folder, "2024-01-12T10:00:00Z") == {("Atlas", "status", "final")}
    assert believed(repository.folder, "2024-01-13T10:00:00Z") == {
        ("Atlas", "status", "final"),
        ("vendor", "status", "new"),
    }


def test_two_people_who_walked_their_own_branches_agree_once_these_are_merged(
    repository: Repository, tmp_path: Path
) -> None:
    repository.commit({"atlas.md": ATLAS.format("draft"), "lore/.gitattributes": "ledger/*.md merge=union\n"})
    walk(repository.folder)
    repository.commit({}, at="2024-01-11T09:00:00Z")
    theirs = Repository(tmp_path / "theirs")
    repository.git("clone", "--quiet", str(repository.folder), str(theirs.folder))
    for person, name, day in ((repository, "atlas", 12), (theirs, "vendor", 13)):
        person.commit({f"{name}.md": "owner:: Bo\n"}, at=f"2024-01-{day}T09:00:00Z")
        walk(person.folder)
        person.commit({}, at=f"2024-01-{day}T10:00:00Z")
    repository.git("fetch", "--quiet", str(theirs.folder), "main")
    repository.git("merge", "--quiet", "--message", "Merge", "FETCH_HEAD", at="2024-01-14T09:00:00Z")

    made = walk(repository.folder)
    assert (made["commits"], made["observed"], made["withdrawn"]) == (1, 0, 0)
    assert believed(repository.folder, NOW) == {("atlas", "owner", "Bo"), ("vendor", "owner", "Bo")}
    assert index(repository.folder)["observed"] == 0


def test_what_the_journal_says_later_moves_no_commit(repository: Repository) -> None:
    repository.commit({"atlas.md": ATLAS.format("draft")}, at="2024-01-10T09:00:00Z")
    fact = "- [fact] Atlas :: status :: final {valid_from=2024-06-01, recorded_at=2025-03-05T14:00:00Z}\n"
    repository.put({"lore/journal/2025-03-05.md": fact})
    walk(repository.folder)

    assert believed(repository.folder, "2024-01-11") == {("Atlas", "status", "draft")}
    assert believed(repository.folder, "2024-06-02", known="2025-03-01") == {("Atlas", "status", "draft")}
    assert believed(repository.folder, "2024-06-02", known=NOW) == {("Atlas", "status", "final")}


def test_a_file_of_the_ledger_that_is_full_is_followed_by_another_before_a_commit(repository: Repository) -> None:
    many = "".join(f"field {number}:: value\n\n" for number in range(1_999))
    repository.commit({"a.md": many}, at="2024-01-10T09:00:00Z")
    repository.commit({"b.md": "owner:: Bo\n", "c.md": "owner:: Bo\n"}, at="2024-01-10T10:00:00Z")
    repository.commit({"b.md": "owner:: Ana\n"}, at="2024-01-10T11:00:00Z")
    walk(repository.folder)

    counts = {name: text.count("\n") for name, text in record(repository.folder).items()}
    assert counts == {"2024-01-10-0001.md": 2_000, "2024-01-10-0002.md": 5}


@pytest.mark.parametrize("killed", [1, 2, 4, 9])
def test_a_walk_that_is_killed_leaves_whole_commits_and_the_next_one_goes_on(
    repository: Repository, tmp_path: Path, killed: int
) -> None:
    edited(repository, 12, seed=6)
    whole = tmp_path / "whole"
    repository.git("clone", "--quiet", str(repository.folder), str(whole))
    walk(whole)

    assert _killed_at_sync(repository.folder, killed)

    left = record(repository.folder)
    assert left != record(whole)
    assert all(record(whole)[name].startswith(text) for name, text in left.items())
    walk(repository.folder)
    assert record(repository.folder) == record(whole)


def _killed_at_sync(vault: Path, number: int) -> bool:
    """Walk in a fork that dies when it puts something on disk for the n-th time; tell whether it did."""
    process = os.fork()
    if process == 0:
        left, sync = number, os.fsync

        def dying(handle: int) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            sync(handle)

        os.fsync = dying
        try:
            with loreweave.open(vault) as opened:
                opened.index_from_git()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == -signal.SIGKILL


def test_deleting_the_index_after_a_walk_loses_nothing(repository: Repository) -> None:
    told = edited(repository, 10)
    walk(repository.folder)
    before = lore(repository.folder, "--quiet", "replay", "--digest", "all")
    shutil.rmtree(repository.folder / ".lore")

    assert lore(repository.folder, "--quiet", "replay", "--digest", "all") == before
    assert believed(repository.folder, NOW) == told[-1].facts


def test_the_command_says_what_it_walked(repository: Repository) -> None:
    repository.commit({"atlas.md": ATLAS.format("draft")}, at="2024-01-10T09:00:00Z")
    repository.commit({"atlas.md": ATLAS.format("final")}, at="2024-01-09T09:00:00Z")

    assert lore(repository.folder, "index", "--from-git", LORE_NOW=NOW).splitlines()[:3] == [
        "walked 2 commits, recorded from 2024-01-10T09:00:00Z to 2024-01-10T09:00:00.000001Z",
        "not dated after the commit before, and so recorded just after it: 1 commit",
        "observed 2 values",
    ]
    again = lore(repository.folder, "index", "--from-git", LORE_NOW=NOW)
    assert again.splitlines()[0] == "no commit to walk since the last one"


@pytest.mark.parametrize("seed", range(2))
def test_after_a_commit_of_any_notes_nothing_in_its_checkout_waits_to_be_recorded(
    repository: Repository, tmp_path: Path, seed: int
) -> None:
    chance, commits = Random(seed), []
    for number in range(40):
        step(repository.folder, chance, number, OF_NOTES)
        commits.append(repository.commit({}, at=f"2024-01-{1 + number // 2:02}T09:00:00Z"))
    walk(repository.folder)

    written = lines(repository.folder)
    walked = {line.split()[2]: number for number, line in enumerate(written, 1) if line.startswith("- [walked]")}
    for commit in {*chance.sample([commit for commit in commits if commit in walked], 6), list(walked)[-1]}:
        checkout = tmp_path / commit
        repository.git("worktree", "add", "--quiet", "--detach", str(checkout), commit)
        Repository(checkout).put({"lore/ledger/2024-01-01-0001.md": "\n".join([*written[: walked[commit]], ""])})
        made = index(checkout)
        assert (made["observed"], made["withdrawn"]) == (0, 0), commit
