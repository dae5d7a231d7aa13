"""The history of a vault's repository: which commits there are to walk, and what each changed."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from subprocess import Popen

import pytest

from loreweave.errors import LoreError, Refused, VaultError
from loreweave.times import read_instant
from loreweave.vault.git import lacks_lines, objects
from loreweave.vault.history import Commit, Tree, changes, commits, files_at
from repositories import OWN, Repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository.new(tmp_path / "repository")


def hashes(root: Path, *walked: str) -> list[str]:
    return [commit.hash for commit in commits(root, walked)]


def changed(root: Path, *walked: str) -> list[set[str]]:
    return [{name for name, content in files.items() if content} for _, files in changes(root, commits(root, walked))]


def gone(root: Path) -> list[set[str]]:
    return [{name for name, content in files.items() if not content} for _, files in changes(root, commits(root))]


def said(root: Path, *walked: str) -> str:
    with pytest.raises(LoreError) as caught:
        commits(root, walked)
    assert caught.value.hint
    return caught.value.message


def test_commits_come_oldest_first_with_the_time_of_the_committer_and_not_the_author(repository: Repository) -> None:
    first = repository.commit({"a.md": "one"}, at="2024-01-10T09:00:00Z")
    second = repository.commit({"a.md": "two"}, at="2024-01-11T10:00:00+02:00")

    assert commits(repository.folder) == (
        Commit(first, "", read_instant("2024-01-10T09:00:00Z")),
        Commit(second, first, read_instant("2024-01-11T08:00:00Z")),
    )


def test_a_commit_whose_time_is_before_that_of_its_parent_keeps_its_place_and_its_time(repository: Repository) -> None:
    repository.commit({"a.md": "one"}, at="2024-01-10T09:00:00Z")
    repository.commit({"a.md": "two"}, at="2020-01-01T00:00:00Z")

    assert [commit.committed_at for commit in commits(repository.folder)] == [
        read_instant("2024-01-10T09:00:00Z"),
        read_instant("2020-01-01T00:00:00Z"),
    ]


def test_the_first_commit_changes_all_it_holds_and_each_later_one_what_it_changed(repository: Repository) -> None:
    repository.commit({"a.md": "one", "deep/er/b.md": "one"})
    repository.commit({"a.md": "two"})
    repository.commit({"deep/er/b.md": None, "c.md": "new"})

    assert changed(repository.folder) == [{"a.md", "deep/er/b.md"}, {"a.md"}, {"c.md"}]
    assert gone(repository.folder) == [set(), set(), {"deep/er/b.md"}]


def test_a_rename_is_one_file_gone_and_one_that_came_with_the_same_content(repository: Repository) -> None:
    repository.commit({"a.md": "the same text"})
    repository.commit({"a.md": None, "b.md": "the same text"})

    (_, before), (_, after) = changes(repository.folder, commits(repository.folder))
    assert after == {"a.md": "", "b.md": before["a.md"]}


def test_only_markdown_outside_the_record_makes_a_commit_one_to_walk(repository: Repository) -> None:
    note = repository.commit({"a.md": "one", "b.txt": "one"})
    repository.commit({"b.txt": "two", "picture.png": b"\x89PNG"})
    repository.commit({"lore/ledger/2024-01-10-0001.md": "- [walked] abc", "lore/config.toml": ""})
    repository.commit({})
    other = repository.commit({"UPPER.MD": "one"})

    assert hashes(repository.folder) == [note, other]
    assert changed(repository.folder) == [{"a.md"}, {"UPPER.MD"}]


def test_a_merge_is_one_change_against_its_first_parent(repository: Repository) -> None:
    first = repository.commit({"a.md": "one", "b.md": "one"})
    repository.git("checkout", "--quiet", "-b", "side")
    repository.commit({"b.md": "two"})
    repository.commit({"c.md": "new"})
    repository.git("checkout", "--quiet", "main")
    third = repository.commit({"a.md": "two"})
    repository.git("merge", "--quiet", "--no-ff", "--message", "Merge", "side")
    merge = repository.git("rev-parse", "HEAD")

    assert hashes(repository.folder) == [first, third, merge]
    assert changed(repository.folder) == [{"a.md", "b.md"}, {"a.md"}, {"b.md", "c.md"}]


def test_a_merge_that_keeps_only_its_own_side_changes_nothing(repository: Repository) -> None:
    first = repository.commit({"a.md": "one"})
    repository.git("checkout", "--quiet", "-b", "side")
    repository.commit({"a.md": "two"})
    repository.git("checkout", "--quiet", "main")
    repository.git("merge", "--quiet", "--no-ff", "--strategy", "ours", "--message", "Merge", "side")

    assert hashes(repository.folder) == [first]


def test_a_link_is_no_file_and_a_file_that_became_a_link_is_gone(repository: Repository) -> None:
    repository.commit({"a.md": "one", "b.md": "one"})
    (repository.folder / "b.md").unlink()
    (repository.folder / "b.md").symlink_to("a.md")
    repository.commit({})

    assert changed(repository.folder) == [{"a.md", "b.md"}, set()]
    assert gone(repository.folder) == [set(), {"b.md"}]


def test_a_repository_within_is_no_file(repository: Repository, tmp_path: Path) -> None:
    inner = Repository.new(tmp_path / "inner")
    inner.commit({"a.md": "one"})
    repository.commit({"a.md": "one"})
    repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.folder), "inner.md")
    repository.commit({})

    assert changed(repository.folder) == [{"a.md"}, set()]


def test_names_come_as_they_are_and_those_that_are_not_utf_8_are_left_out(repository: Repository) -> None:
    names = ["line\nend.md", 'quote".md', "tab\t.md", "emoji 🧶.md", "-dash.md", ":(top)x.md", "*.md"]
    repository.put(dict.fromkeys(names, "one"))
    (repository.folder / os.fsdecode(b"latin \xe9.md")).write_text("one")
    repository.commit({})

    assert changed(repository.folder) == [set(names)]


@pytest.mark.parametrize("name", ["vault", "a [b] *? vault", "-vault", "ва ult"])
def test_a_vault_in_a_folder_of_the_repository_has_the_commits_and_paths_of_that_folder(
    repository: Repository, name: str
) -> None:
    repository.commit({"outside.md": "one"})
    first = repository.commit({f"{name}/a.md": "one", f"{name}/deep/b.md": "one", "outside.md": "two"})
    repository.commit({"outside.md": "three", f"{name}2/c.md": "one"})
    last = repository.commit({f"{name}/a.md": "two"})

    root = repository.folder / name
    assert hashes(root) == [first, last]
    assert changed(root) == [{"a.md", "deep/b.md"}, {"a.md"}]


def test_the_files_of_a_commit_are_all_it_holds(repository: Repository) -> None:
    repository.commit({"a.md": "one", "b.md": "one"})
    repository.commit({"b.md": None, "deep/c.md": "one"})
    last = repository.commit({"d.md": "one", "lore/journal/2024-01-10.md": "", "e.txt": ""})

    found = files_at(repository.folder, commits(repository.folder)[-1])
    assert set(found) == {"a.md", "deep/c.md", "d.md"}
    assert found["d.md"] == repository.git("rev-parse", f"{last}:d.md")


def test_what_was_walked_is_not_walked_again(repository: Repository) -> None:
    first = repository.commit({"a.md": "one"})
    second = repository.commit({"a.md": "two"})
    third = repository.commit({"a.md": "three"})

    assert hashes(repository.folder, first) == [second, third]
    assert hashes(repository.folder, first, second, third) == []


def test_commits_that_both_sides_walked_before_they_were_merged_are_not_walked_again(repository: Repository) -> None:
    first = repository.commit({"a.md": "one"})
    repository.git("checkout", "--quiet", "-b", "side")
    theirs = repository.commit({"b.md": "one"})
    repository.git("checkout", "--quiet", "main")
    ours = repository.commit({"a.md": "two"})
    repository.git("merge", "--quiet", "--no-ff", "--message", "Merge", "side")

    for walked in ([first, ours, theirs], [first, theirs, ours]):
        assert hashes(repository.folder, *walked) == [repository.git("rev-parse", "HEAD")]


def test_a_history_that_no_longer_holds_the_last_commit_walked_is_refused(repository: Repository) -> None:
    first = repository.commit({"a.md": "one"})
    walked = repository.commit({"a.md": "two"})
    repository.git("reset", "--quiet", "--hard", first)
    repository.commit({"a.md": "three"})

    assert f"The last commit walked, {walked[:12]}, is not in the history" in said(repository.folder, first, walked)
    with pytest.raises(Refused):
        commits(repository.folder, [first, walked])


@pytest.mark.parametrize("walked", ["0" * 40, "--output=x", "HEAD", ""])
def test_a_commit_walked_that_git_does_not_know_is_refused(repository: Repository, walked: str) -> None:
    repository.commit({"a.md": "one"})

    assert "is not in the history" in said(repository.folder, walked)
    assert not (repository.folder / "x").exists()


def test_a_detached_head_is_walked_as_it_stands(repository: Repository) -> None:
    first = repository.commit({"a.md": "one"})
    repository.commit({"a.md": "two"})
    repository.git("checkout", "--quiet", "--detach", first)

    assert hashes(repository.folder) == [first]


def test_what_is_not_committed_plays_no_part(repository: Repository) -> None:
    repository.commit({"a.md": "one"})
    repository.put({"a.md": "two", "b.md": "new"})
    repository.git("add", "--all")

    assert changed(repository.folder) == [{"a.md"}]


def test_a_clone_whose_history_was_cut_off_is_refused_unless_what_is_missing_was_walked(
    repository: Repository, tmp_path: Path
) -> None:
    repository.commit({"a.md": "one"})
    second = repository.commit({"a.md": "two"})
    third = repository.commit({"a.md": "three"})
    clone = tmp_path / "clone"
    repository.git("clone", "--quiet", "--depth", "2", f"file://{repository.folder}", str(clone))

    assert "This clone is shallow" in said(clone)
    assert hashes(clone, second) == [third]


def test_a_folder_without_a_history_is_refused_in_a_sentence(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    assert "lies in no git repository" in said(plain)

    empty = Repository.new(tmp_path / "empty")
    assert "has no commit yet" in said(empty.folder)

    empty.commit({"picture.png": b"\x89PNG"})
    assert "No commit of the repository holds a note" in said(empty.folder)


def test_a_machine_without_git_is_told_so(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit({"a.md": "one"})
    monkeypatch.setenv("PATH", str(repository.folder))

    assert said(repository.folder) == "There is no git to be run here."


def test_a_broken_repository_is_told_in_the_words_of_git(repository: Repository) -> None:
    repository.commit({"a.md": "one"})
    (repository.folder / ".git" / "config").write_text("[core", "utf-8")

    assert "bad config line" in said(repository.folder)


def test_a_broken_history_is_told_in_the_words_of_git(repository: Repository) -> None:
    repository.commit({"a.md": "one"})
    last = repository.commit({"a.md": "two"})
    tree = repository.git("rev-parse", f"{last}^{{tree}}")
    (repository.folder / ".git" / "objects" / tree[:2] / tree[2:]).unlink()

    assert "git cannot read the history" in said(repository.folder)


def test_a_hook_of_another_repository_does_not_change_whose_history_is_read(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = repository.commit({"vault/a.md": "one"})
    other = Repository.new(tmp_path / "other")
    other.commit({"b.md": "one"})
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.folder))
    monkeypatch.setenv("GIT_INDEX_FILE", "nowhere")
    monkeypatch.setenv("GIT_LITERAL_PATHSPECS", "1")

    assert hashes(repository.folder / "vault") == [first]


def test_settings_of_the_user_do_not_change_what_is_read(repository: Repository) -> None:
    repository.commit({"a.md": "one\n" * 20, "vault/x.md": "one"})
    last = repository.commit({"a.md": None, "b.md": "one\n" * 20})
    for name, value in (
        ("log.showSignature", "true"),
        ("diff.renames", "copies"),
        ("color.ui", "always"),
        ("core.quotePath", "true"),
        ("core.abbrev", "4"),
        ("diff.relative", "false"),
        ("diff.noprefix", "true"),
    ):
        repository.git("config", name, value)

    assert hashes(repository.folder)[-1] == last
    assert changed(repository.folder)[-1] == {"b.md"}
    assert changed(repository.folder / "vault") == [{"x.md"}]


def test_programs_that_the_repository_names_are_not_started(repository: Repository) -> None:
    repository.commit({"lore/ledger/a.md": "one\ntwo\n", ".gitattributes": "*.md diff=own\n"})
    started = repository.folder.parent / "started"
    for setting in ("core.fsmonitor", "diff.own.textconv", "diff.own.command", "diff.external"):
        repository.git("config", setting, f"touch {started} && cat")
    repository.put({"lore/ledger/a.md": "one\n"})

    assert lacks_lines(repository.folder, "lore/ledger")
    assert not started.exists()


def test_objects_are_read_one_after_another_whatever_their_size(repository: Repository) -> None:
    contents = [b"", b"one\n", b"\0" * 300_000, "é".encode() * 70_000]
    repository.commit({f"{number}.md": content for number, content in enumerate(contents)})
    (_, found), *_ = changes(repository.folder, commits(repository.folder))

    with objects(repository.folder) as content:
        for number, expected in [*enumerate(contents), *enumerate(contents)]:
            assert content(found[f"{number}.md"]) == expected


def test_an_object_that_is_not_there_is_told_and_the_next_one_is_read(repository: Repository) -> None:
    repository.commit({"a.md": "one"})
    (_, found), *_ = changes(repository.folder, commits(repository.folder))

    with objects(repository.folder) as content:
        with pytest.raises(VaultError, match="lacks the object"):
            content("0" * 40)
        assert content(found["a.md"]) == b"one"


def test_a_clone_that_left_objects_out_fetches_none_of_them(repository: Repository, tmp_path: Path) -> None:
    repository.commit({"a.md": "one"})
    repository.commit({"a.md": "two"})
    for setting in ("allowFilter", "allowAnySHA1InWant"):
        repository.git("config", f"uploadpack.{setting}", "true")
    clone = tmp_path / "clone"
    source = f"file://{repository.folder}"
    repository.git("clone", "--quiet", "--no-checkout", "--filter=blob:none", source, str(clone))
    packs = sorted(os.listdir(clone / ".git" / "objects" / "pack"))

    (_, found), *_ = changes(clone, commits(clone))
    with pytest.raises(VaultError, match="lacks the object"), objects(clone) as content:
        content(found["a.md"])
    assert sorted(os.listdir(clone / ".git" / "objects" / "pack")) == packs


def test_a_long_history_left_half_way_leaves_no_process_behind(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = "".join(
        f"commit refs/heads/main\ncommitter P <p@example.org> {1_700_000_000 + number} +0000\ndata 0\n"
        f"M 100644 inline {'x' * 90}{number}.md\ndata 1\n{number % 10}\n"
        for number in range(3_000)
    )
    command = ["git", "-C", str(repository.folder), "fast-import", "--quiet"]
    subprocess.run(command, input=stream.encode(), env={**os.environ, **OWN}, check=True)

    started: list[subprocess.Popen[bytes]] = []
    walk = changes(repository.folder, commits(repository.folder))
    monkeypatch.setattr(
        subprocess, "Popen", lambda *given, **named: started.append(Popen(*given, **named)) or started[-1]
    )
    next(walk)
    assert [process.poll() for process in started] == [None]
    walk.close()
    assert [process.returncode for process in started] == [-signal.SIGPIPE]


def test_a_tree_gives_the_notes_that_came_changed_or_went() -> None:
    tree = Tree(lambda path: not path.startswith("drafts/"))

    assert tree.turn({"b.md": "1", "a.md": "2", "drafts/c.md": "3"}) == {"a.md": "2", "b.md": "1"}
    assert tree.turn({"b.md": "4", "drafts/c.md": ""}) == {"b.md": "4"}
    assert tree.turn({"a.md": "", "never.md": ""}) == {"a.md": "", "never.md": ""}
    assert tree.is_touched({"drafts/c.md": "5", "a.md": ""})
    assert not tree.is_touched({"drafts/c.md": "5"})


def test_a_conflict_copy_is_no_note_while_the_note_it_belongs_to_stands_beside_it() -> None:
    copy = "a (conflicted copy 2024-01-10).md"
    tree = Tree(lambda path: True)

    assert tree.turn({copy: "1"}) == {copy: "1"}
    assert tree.turn({"a.md": "2"}) == {copy: "", "a.md": "2"}
    assert tree.turn({copy: "3"}) == {copy: ""}
    assert tree.turn({"b.md": "4"}) == {"b.md": "4"}
    assert tree.turn({"a.md": ""}) == {copy: "3", "a.md": ""}
    assert tree.turn({copy: ""}) == {copy: ""}
