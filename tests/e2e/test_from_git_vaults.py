"""``lore index --from-git``: which commits and notes count, under which settings, and what is refused."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import loreweave
from loreweave.errors import LoreError
from repositories import Repository
from walks import ATLAS, NOW, believed, edited, index, lines, record, walk


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LORE_NOW", NOW)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository.new(tmp_path / "vault")


def refused(vault: Path, exits: int = 1) -> str:
    """Give what is said where nothing is written."""
    before = record(vault)
    with loreweave.open(vault) as opened, pytest.raises(LoreError) as caught:
        opened.index_from_git()
    assert caught.value.exit_code == exits
    assert caught.value.hint
    assert record(vault) == before
    return caught.value.message


def test_a_ledger_that_the_engine_keeps_itself_is_refused(repository: Repository) -> None:
    repository.commit({"atlas.md": ATLAS.format("draft")})
    index(repository.folder)

    assert "The ledger has observations already that no walk left" in refused(repository.folder)


def test_a_ledger_that_lost_its_lines_of_commits_is_refused(repository: Repository) -> None:
    repository.commit({"atlas.md": ATLAS.format("draft")}, at="2024-01-10T09:00:00Z")
    walk(repository.folder)
    file = repository.folder / "lore" / "ledger" / "2024-01-10-0001.md"
    file.write_text(file.read_text("utf-8").partition("- [walked]")[0], "utf-8")
    shutil.rmtree(repository.folder / ".lore")

    assert "(lore/ledger/2024-01-10-0001.md:1)" in refused(repository.folder)


def test_a_commit_that_claims_to_come_from_the_future_is_refused_before_anything_is_written(
    repository: Repository,
) -> None:
    repository.commit({"atlas.md": ATLAS.format("draft")}, at="2024-01-10T09:00:00Z")
    claims = repository.commit({"atlas.md": ATLAS.format("final")}, at="2026-12-01T13:00:00Z")

    told = refused(repository.folder)
    assert claims[:12] in told
    assert "2026-12-01T13:00:00Z" in told
    assert walk(repository.folder, now="2026-11-30T14:00:00Z")["commits"] == 2


def test_a_commit_of_the_far_future_is_refused_too(repository: Repository) -> None:
    repository.commit({"atlas.md": ATLAS.format("draft")}, at="@999999999999 +0000")

    assert "9999-12-31T23:59:59Z" in refused(repository.folder)


def test_a_rewritten_history_is_refused(repository: Repository) -> None:
    repository.commit({"atlas.md": ATLAS.format("draft")})
    walk(repository.folder)
    repository.git("commit", "--quiet", "--amend", "--message", "Other words", at="2024-01-12T09:00:00Z")

    assert "is not in the history of the commit checked out now" in refused(repository.folder)
    assert index(repository.folder)["observed"] == 0


def test_a_vault_without_a_history_is_refused_in_a_sentence(tmp_path: Path, repository: Repository) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    assert "lies in no git repository" in refused(plain, exits=2)
    assert "has no commit yet" in refused(repository.folder, exits=2)


def test_a_vault_in_a_folder_of_a_repository_is_walked_by_its_own_paths(repository: Repository) -> None:
    told = edited(repository, 15, seed=4, folder="my vault/")
    repository.commit({"outside.md": "owner:: Nobody\n"}, at="2025-01-01T00:00:00Z")
    vault = repository.folder / "my vault"

    walk(vault)

    assert believed(vault, NOW) == told[-1].facts
    assert not any("my vault" in line or "outside" in line for line in lines(vault))
    assert index(vault)["observed"] == 0


def test_commits_that_touch_no_note_leave_nothing_so_that_committing_the_ledger_ends(repository: Repository) -> None:
    repository.commit({"atlas.md": ATLAS.format("draft"), "node_modules/x.md": "owner:: Bo\n"})
    repository.commit({"picture.png": b"\x89PNG", "node_modules/x.md": "owner:: Ana\n"}, at="2024-01-11T09:00:00Z")
    assert walk(repository.folder)["commits"] == 1
    before = record(repository.folder)
    repository.commit({}, at="2024-01-12T09:00:00Z")

    assert repository.git("show", "--stat").count("lore/ledger/")
    assert walk(repository.folder)["commits"] == 0
    assert record(repository.folder) == before


def test_old_commits_are_read_with_the_present_settings(repository: Repository) -> None:
    repository.commit({"atlas.md": "- **Owner:** Priya\n- status:: draft\n", "old/x.md": "status:: draft\n"})
    repository.commit({"clients/acme/a.md": "status:: final\n"}, at="2024-01-11T09:00:00Z")
    settings = '[extract]\nmode = "all"\n[vault]\nignore = ["old/"]\n[scopes]\n"clients/acme" = "acme"\n'
    repository.put({"lore/config.toml": settings})
    walk(repository.folder)

    assert [re.sub(r" \{.*", "", line) for line in lines(repository.folder, "observed")] == [
        "- [observed] atlas :: Owner :: Priya",
        "- [observed] atlas :: status :: draft",
        "- [observed] a :: status :: final",
    ]
    assert "scope=acme" in lines(repository.folder, "observed")[2]


def test_settings_changed_between_two_walks_take_effect_at_the_next_commit(repository: Repository) -> None:
    repository.commit({"atlas.md": "status:: draft\n", "old/x.md": "status:: draft\n"})
    walk(repository.folder)
    repository.put({"lore/config.toml": '[vault]\nignore = ["old/"]\n'})
    assert walk(repository.folder)["commits"] == 0

    repository.commit({"atlas.md": "status:: final\n"}, at="2024-01-11T09:00:00Z")
    made = walk(repository.folder)
    assert (made["commits"], made["observed"], made["withdrawn"]) == (1, 1, 1)
    assert believed(repository.folder, NOW) == {("atlas", "status", "final")}
    assert index(repository.folder)["observed"] == 0


def test_notes_are_what_they_are_on_disk_in_any_encoding_and_conflict_copies_are_none(repository: Repository) -> None:
    repository.commit(
        {
            "utf16.md": "owner:: Zoë\r\n".encode("utf-16"),
            "crlf.md": "owner:: Ana\r\nphase:: pilot\r\n",
            "broken.md": b"---\na: [\n---\nowner:: \xff Bo\n",
            "crlf (conflicted copy 2024-01-10).md": "owner:: Nobody\n",
            ".hidden/x.md": "owner:: Nobody\n",
        }
    )
    (repository.folder / "link.md").symlink_to("crlf.md")
    repository.commit({}, at="2024-01-11T09:00:00Z")
    walk(repository.folder)

    assert believed(repository.folder, NOW) == {
        ("utf16", "owner", "Zoë"),
        ("crlf", "owner", "Ana"),
        ("crlf", "phase", "pilot"),
        ("broken", "owner", "\ufffd Bo"),
    }
    assert index(repository.folder)["observed"] == 0


def test_notes_are_not_changed_by_one_byte_and_nothing_is_written_outside_lore(repository: Repository) -> None:
    edited(repository, 5)
    walk(repository.folder)

    assert repository.git("status", "--porcelain", "--untracked-files=all", "--", ":!lore") == ""
    assert not (repository.folder / ".git" / "index.lock").exists()


def test_where_another_machine_observes_nothing_is_walked(repository: Repository) -> None:
    repository.commit({"atlas.md": ATLAS.format("draft")})
    repository.put({"lore/config.toml": '[observe]\nmachine = "another host"\n'})

    made = walk(repository.folder)
    assert (made["elsewhere"], made["commits"]) == ("another host", 0)
    assert record(repository.folder) == {}
