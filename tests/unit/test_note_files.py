"""Which files are notes, what is told of those that are none, and that asking for one path answers as the listing."""

from __future__ import annotations

import errno
import os
import shutil
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from loreweave.vault.config import Config
from loreweave.vault.root import LISTED, is_note, note_files, note_names

DEFAULT = Config()
OUT = Config(follow_external_symlinks=True)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    root.mkdir()
    return root


def lay(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(b"x")


def link(root: Path, path: str, target: Path | str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).symlink_to(target)


def listed(root: Path, config: Config = DEFAULT) -> tuple[list[str], list[tuple[str, str]]]:
    stamps, findings = note_files(root, config)
    assert {finding.code for finding in findings} <= set(LISTED)
    return list(stamps), [(finding.path, finding.code) for finding in findings]


# What is a note ------------------------------------------------------------------------------------------


def test_markdown_in_any_case_is_a_note_where_no_folder_is_hidden(vault: Path) -> None:
    lay(vault, "a.md", "B.MD", "in/c.Md", "in/.hidden/d.md", ".obsidian/e.md", ".f.md", "g.markdown", "md", "in/h.mdx")
    lay(vault, "node_modules/i.md", "in/node_modules/j.md", "node_modules.md", "x.md/k.md", ".trash/l.md")
    assert listed(vault) == (["B.MD", "a.md", "in/c.Md", "node_modules.md", "x.md/k.md"], [])


def test_of_the_record_only_the_inboxes_are_notes(vault: Path) -> None:
    lay(vault, "lore/inbox.md", "lore/inbox-acme.md", "lore/journal/2024-01-10.md", "lore/ledger/2024-01-10-0001.md")
    lay(vault, "lore/digests/2024-01-10.md", "lore/review-queue.md", "lore/journal/inbox.md", ".lore/a.md", "a.md")
    assert listed(vault) == (["a.md", "lore/inbox-acme.md", "lore/inbox.md"], [])


def test_notes_that_a_user_keeps_in_the_records_folder_are_told_of_once(vault: Path) -> None:
    lay(vault, "lore/gods.md", "lore/places/mill.md", "lore/places/inn.md", "lore/map.png", "lore/journal/a.md")
    assert listed(vault) == ([], [("lore/gods.md", "reserved-folder")])
    assert '"lore/gods.md" and 2 more stand in lore/' in note_files(vault, DEFAULT)[1][0].message
    assert listed(vault, Config(ignore=("lore/",))) == ([], [])


def test_a_folder_called_lore_within_the_vault_is_a_folder_of_notes_unless_it_is_a_record(vault: Path) -> None:
    lay(vault, "world/lore/gods.md", "world/lore/journal/one.md")
    lay(vault, "old/lore/journal/2024-01-10.md", "old/lore/ledger/a.md", "old/note.md")
    lay(vault, "new/lore/config.toml", "new/lore/journal/2024-01-10.md", "new/note.md")
    lay(vault, "bare/.lore/index", "bare/lore/journal/2024-01-10.md", "Lore/x.md")
    notes = ["Lore/x.md", "new/note.md", "old/note.md", "world/lore/gods.md", "world/lore/journal/one.md"]
    assert listed(vault) == (notes, [])


def test_the_backups_that_logseq_keeps_are_no_notes(vault: Path) -> None:
    lay(vault, "logseq/bak/pages/a/1.md", "logseq/version-files/b.md", "logseq/c.md", "bak/d.md", "mylogseq/bak/e.md")
    assert listed(vault) == (["bak/d.md", "logseq/c.md", "mylogseq/bak/e.md"], [])


def test_what_the_settings_leave_out_is_no_note(vault: Path) -> None:
    lay(vault, "a.md", "drafts/b.md", "drafts/keep.md", "in/drafts/c.md", "x.tmp.md", "old/d.md", "old/e.md")
    ignore = ("drafts/", "!drafts/keep.md", "*.tmp.md", "/old/*", "!/old/e.md", "# a comment", "")
    assert listed(vault, Config(ignore=ignore)) == (["a.md", "old/e.md"], [])


def test_a_pattern_finds_a_name_in_either_normal_form(vault: Path) -> None:
    lay(vault, unicodedata.normalize("NFD", "privé/a.md"))
    assert listed(vault, Config(ignore=("privé/",))) == ([], [])
    assert listed(vault, Config(ignore=(unicodedata.normalize("NFD", "PRIVÉ/"), "priv*/")))[0] == []


STRANGE = ["new\nline.md", 'quo"te.md', "it's.md", "back\\slash.md", "🚀 launch.md", "שלום.md", "a\u202eb.md", "CON.md"]


def test_a_name_may_hold_whatever_a_disk_takes(vault: Path) -> None:
    lay(vault, *STRANGE, " .md", "trailing .md", "a:b?.md", "-x.md", "%20.md", "#tag [[x]].md", "日記/今日.md")
    notes, findings = listed(vault)
    assert (len(notes), findings) == (len(STRANGE) + 7, [])
    assert notes == sorted(notes)


def test_two_names_that_differ_only_in_case_or_normal_form_are_two_notes(vault: Path) -> None:
    names = ["Config.md", "config.md", "Straße.md", "STRASSE.md", "café.md", unicodedata.normalize("NFD", "CAFÉ.md")]
    lay(vault, *names, "in/config.md")
    notes, findings = listed(vault)
    assert notes == sorted([*names, "in/config.md"])
    assert [code for _, code in findings] == ["case-twin"] * 3
    told = note_files(vault, DEFAULT)[1][-1]
    assert told.path == "config.md"
    assert '"Config.md" and "config.md"' in told.message


def test_ten_thousand_notes_may_stand_in_one_folder(vault: Path) -> None:
    for number in range(10_000):
        os.close(os.open(f"{vault}/{number}.md", os.O_CREAT | os.O_WRONLY))
    notes, findings = listed(vault)
    assert (len(notes), findings) == (10_000, [])


@pytest.fixture
def deep(vault: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Folders within folders, more than a program may call itself; made and taken away step by step."""
    levels = 1100
    monkeypatch.chdir(vault)
    for _ in range(levels):
        os.mkdir("d")
        os.chdir("d")
    Path("deep.md").write_bytes(b"x")
    yield levels
    Path("deep.md").unlink()
    for _ in range(levels):
        os.chdir("..")
        os.rmdir("d")


def test_folders_may_be_nested_as_deep_as_the_disk_takes(vault: Path, deep: int) -> None:
    assert listed(vault) == (["d/" * deep + "deep.md"], [])
    assert is_note(vault, DEFAULT, "d/" * deep + "deep.md")


# What cannot be read -------------------------------------------------------------------------------------


def test_what_is_no_file_is_told_of_and_holds_nobody(vault: Path) -> None:
    os.mkfifo(vault / "pipe.md")
    link(vault, "null.md", "/dev/null")
    lay(vault, "a.md")
    assert listed(vault) == (["a.md"], [("null.md", "outside-vault"), ("pipe.md", "unreadable-file")])
    assert listed(vault, OUT) == (["a.md"], [("null.md", "unreadable-file"), ("pipe.md", "unreadable-file")])


def test_a_name_that_is_no_utf_8_is_told_of(vault: Path) -> None:
    lay(vault, os.fsdecode(b"caf\xe9.md"), os.fsdecode(b"\xff/inside.md"), os.fsdecode(b"\xfe.txt"), "a.md")
    assert listed(vault) == (["a.md"], [("caf\ufffd.md", "unreadable-file"), ("\ufffd", "unreadable-file")])


def test_a_folder_that_may_not_be_read_is_told_of_and_the_rest_is_listed(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(vault, "a.md", "shut/b.md", "z/c.md")
    scandir = os.scandir

    def shut(path: str) -> object:
        if path.endswith("/shut"):
            raise PermissionError(errno.EACCES, "Permission denied")
        return scandir(path)

    monkeypatch.setattr("loreweave.vault.walk.os.scandir", shut)
    assert listed(vault) == (["a.md", "z/c.md"], [("shut", "unreadable-file")])
    assert not is_note(vault, DEFAULT, "shut/b.md")


def test_what_vanishes_while_it_is_walked_is_not_there(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(vault, "a.md", "in/b.md", "c.md")
    scandir = os.scandir

    def late(path: str) -> object:
        if path.endswith("/in"):
            (vault / "in" / "b.md").unlink()
            (vault / "in").rmdir()
        return scandir(path)

    monkeypatch.setattr("loreweave.vault.walk.os.scandir", late)
    assert listed(vault) == (["a.md", "c.md"], [])


# Links ---------------------------------------------------------------------------------------------------


def test_a_link_to_a_note_is_that_note(vault: Path) -> None:
    lay(vault, "real.md", "in/note.md")
    link(vault, "0.md", "real.md")
    link(vault, "0", "in")
    link(vault, "deeper/again.md", "../0.md")
    link(vault, "lore/inbox.md", "../real.md")
    assert listed(vault) == (["in/note.md", "real.md"], [])


def test_a_link_to_what_is_no_note_by_its_own_path_is_read_once_at_the_first_link(vault: Path) -> None:
    lay(vault, ".store/a.md", ".store/deep/b.md", "plain.txt", ".store/.git/c.md")
    link(vault, "z", ".store")
    link(vault, "first.md", ".store/a.md")
    link(vault, "second.md", ".store/a.md")
    link(vault, "text.md", "plain.txt")
    assert listed(vault) == (["first.md", "text.md", "z/deep/b.md"], [])


def test_no_link_makes_a_note_of_the_record_or_of_what_is_left_out(vault: Path) -> None:
    lay(vault, "lore/journal/2024-01-10.md", "private/a.md", ".lore/b.md", "x.tmp.md")
    link(vault, "day.md", "lore/journal/2024-01-10.md")
    link(vault, "days", "lore/journal")
    link(vault, "own", ".lore")
    link(vault, "open.md", "private/a.md")
    link(vault, "opened", "private")
    link(vault, "y.md", "x.tmp.md")
    assert listed(vault, Config(ignore=("private/", "*.tmp.md"))) == ([], [])


def test_a_record_that_a_link_has_elsewhere_in_the_vault_is_no_place_of_notes(vault: Path) -> None:
    lay(vault, "rec/journal/2024-01-10.md", "rec/inbox.md", "a.md")
    link(vault, "lore", "rec")
    assert listed(vault) == (["a.md", "lore/inbox.md"], [])


def test_a_link_that_leads_back_or_nowhere_is_told_of(vault: Path) -> None:
    lay(vault, "sub/n.md")
    link(vault, "sub/up", "..")
    link(vault, "sub/here", ".")
    link(vault, "selfie.md", "selfie.md")
    link(vault, "dangling.md", "nowhere.md")
    link(vault, "nowhere", "gone")
    link(vault, "one", "two")
    link(vault, "two", "one")
    around = [(path, "circular-link") for path in ("one", "selfie.md", "sub/here", "sub/up", "two")]
    assert listed(vault) == (["sub/n.md"], [("dangling.md", "unreadable-file"), *around])
    told = {finding.path: finding.message for finding in note_files(vault, DEFAULT)[1]}
    assert told["dangling.md"] == (
        '"dangling.md" is a link to "nowhere.md", which cannot be read: No such file or directory.'
    )


def test_a_link_out_of_the_vault_is_told_of_and_read_only_where_the_settings_let_it(vault: Path) -> None:
    outside = vault.parent / "outside"
    lay(outside, "secret.md", "deep/more.md", ".git/x.md")
    link(vault, "leak.md", outside / "secret.md")
    link(vault, "dir", outside)
    link(vault, "picture.png", outside / "secret.md")
    link(vault, "back", outside.parent)
    link(outside, "home", vault)
    told = [("back", "outside-vault"), ("dir", "outside-vault"), ("leak.md", "outside-vault")]
    assert listed(vault) == ([], told)
    assert listed(vault, OUT) == (["dir/deep/more.md", "dir/secret.md"], [("back", "circular-link")])
    assert "secret" not in note_files(vault, DEFAULT)[1][2].message.replace("leak.md", "")


# Conflict copies -----------------------------------------------------------------------------------------


def test_a_conflict_copy_beside_its_note_is_no_note(vault: Path) -> None:
    copy = "in/ledger.sync-conflict-20260112-003022-ABCDEF7.md"
    lay(vault, "in/ledger.md", copy, "ledger (conflicted copy 2026-01-12).md", "Conflict resolution.md")
    notes, findings = listed(vault)
    assert notes == ["Conflict resolution.md", "in/ledger.md", "ledger (conflicted copy 2026-01-12).md"]
    assert findings == [(copy, "conflict-copy")]
    assert f'"{copy}" is a conflict copy of "in/ledger.md"' in note_files(vault, DEFAULT)[1][0].message


def test_a_conflict_copy_of_an_inbox_is_no_inbox(vault: Path) -> None:
    copy = "lore/inbox (conflicted copy 2026-01-12).md"
    lay(vault, "lore/inbox.md", copy)
    assert listed(vault) == (["lore/inbox.md"], [(copy, "conflict-copy")])


# One path ------------------------------------------------------------------------------------------------

NAMES = ["a.md", "B.MD", "note.txt", "a (conflicted copy 2026-01-12).md", ".dot.md", "x.tmp.md", "inbox.md", "é.md"]
FOLDERS = ["in", "node_modules", ".dot", "lore", "lore/journal", "drafts", "in/lore", "in/deep", "logseq/bak"]


def anything(random: Random, root: Path, outside: Path) -> None:
    """Lay files and links of every sort, in any place, leading anywhere."""
    places = [root / folder for folder in random.sample(FOLDERS, 5)] + [root, outside, outside / "deep"]
    for place in places:
        place.mkdir(parents=True, exist_ok=True)
        for name in random.sample(NAMES, 4):
            (place / name).write_text("x", "utf-8")
    targets = [path for top in (root, outside) for path in (top, *top.rglob("*"))] + [root / "gone.md"]
    for number in range(12):
        path = random.choice(places) / random.choice([f"link{number}.md", f"link{number}", "inbox-x.md"])
        if not path.is_symlink() and path.parent.is_dir():
            path.symlink_to(random.choice([*targets, path]))


IGNORING = Config(ignore=("drafts/", "*.tmp.md", "in/d*"))


@pytest.mark.parametrize("config", [DEFAULT, OUT, IGNORING], ids=["as it is", "out", "ignoring"])
def test_asking_for_a_path_answers_as_the_listing_in_any_tree(tmp_path: Path, config: Config) -> None:
    for seed in range(12):
        root, outside = tmp_path / str(seed) / "vault", tmp_path / str(seed) / "outside"
        anything(Random(seed), root, outside)
        notes = set(note_files(root, config)[0])
        reals = [os.path.realpath(root / note) for note in notes]
        assert notes
        assert len(set(reals)) == len(reals)
        assert config.follow_external_symlinks or all(Path(real).is_relative_to(root) for real in reals)
        paths = {os.path.relpath(path, root) for path in (*root.rglob("*"), *outside.rglob("*"))}
        through = {f"{path}/{name}" for path in paths if (root / path).is_symlink() for name in (*NAMES[:2], "in/a.md")}
        for path in {*paths, *notes, *through, "", ".", "..", "/", "a.md/", "./a.md", "in//a.md", "gone.md"}:
            assert is_note(root, config, path) == (path in notes), (seed, path)


@pytest.mark.parametrize("config", [DEFAULT, IGNORING], ids=["as it is", "ignoring"])
def test_a_name_alone_is_judged_as_the_listing_judges_it_though_nothing_is_there_any_more(
    tmp_path: Path, config: Config
) -> None:
    for seed in range(12):
        root = tmp_path / str(seed) / "vault"
        anything(Random(seed), root, tmp_path / str(seed) / "outside")
        stamps, findings = note_files(root, config)
        named = {*stamps, *(finding.path for finding in findings if finding.code == "conflict-copy")}
        plain = [path for path in root.rglob("*") if path.is_file() and not _linked(root, path)]
        judged = {path: path in named for path in (str(path.relative_to(root)) for path in plain)}
        if not (root / "in" / "lore").exists():
            shutil.rmtree(root)
        is_named = note_names(root, config)
        assert {path: is_named(path) for path in judged if not path.startswith("lore/")} == {
            path: told for path, told in judged.items() if not path.startswith("lore/")
        }


def _linked(root: Path, path: Path) -> bool:
    return any(place.is_symlink() for place in (path, *path.parents) if place.is_relative_to(root))


def test_a_name_in_a_folder_that_is_gone_or_differs_from_the_records_in_case_is_judged(vault: Path) -> None:
    is_named = note_names(vault, DEFAULT)
    (vault / "lore").mkdir()
    names = ("Lore/a.md", "lore/a.md", "lore/journal/2024-01-10.md", "a/b.md/c.md", "a/b.txt")
    assert [is_named(name) for name in names] == [True, False, False, True, False]
