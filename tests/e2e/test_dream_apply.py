"""``lore dream --apply``: two files of the engine's own, written whole, and nothing else touched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import loreweave
from loreweave.errors import Refused, VaultError
from loreweave.vault.watch import gathered
from typed import screen, typed, vault

SAID = "The rates are delivered by the vendor every morning before nine and nobody asks for them twice a day."
QUEUE, DIGEST = "lore/review-queue.md", "lore/digests/2025-12-01.md"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    files = {
        "a.md": f"# A\n\n{SAID}\n",
        "b.md": f"# B\n\n{SAID}\n",
        "c.md": "# C\n\nSee [[d]].\n",
        "d.md": "# D\n\nSeen.\n",
        "lore/journal/2025-11-28.md": (
            "- [fact] Vendor :: status :: draft {valid_from=2025-11-01, recorded_at=2025-11-27T09:00:00Z}\n"
            "- [fact] Vendor :: status :: final {valid_from=2025-11-20, recorded_at=2025-11-28T09:00:00Z}\n"
        ),
    }
    return vault(tmp_path / "vault", files)


def contents(folder: Path) -> dict[str, bytes]:
    """Give what stands in the vault, but for the index."""
    files = [path for path in folder.rglob("*") if path.is_file() and ".lore" not in path.parts]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_the_digest_and_the_queue_are_written_and_no_other_file(place: Path) -> None:
    before = contents(place)
    lines = screen(place, "dream", "--apply")
    assert lines[-2:] == [f"wrote {DIGEST}", f"wrote {QUEUE}"]
    after = contents(place)
    assert {path: text for path, text in after.items() if path in before} == before
    assert after.keys() - before.keys() == {DIGEST, QUEUE}
    assert "`Vendor` :: `status`: `draft` → `final` (from 2025-11-20, recorded 2025-11-28)" in (
        place / DIGEST
    ).read_text("utf-8")
    assert "- [ ] [[a#A]] and [[b#B]] have the same 19 words `The rates" in (place / QUEUE).read_text("utf-8")


def test_a_second_time_nothing_is_written(place: Path) -> None:
    screen(place, "dream", "--apply")
    before = contents(place)
    assert screen(place, "dream", "--apply")[-1] == "the digest and the review queue are up to date"
    assert contents(place) == before


def test_the_digest_of_a_day_is_the_first_of_that_day(place: Path) -> None:
    screen(place, "dream", "--apply")
    digest = (place / DIGEST).read_bytes()
    (place / "b.md").unlink()
    assert screen(place, "dream", "--apply")[-1] == f"wrote {QUEUE}"
    assert (place / DIGEST).read_bytes() == digest
    typed(place, "dream", "--apply", LORE_NOW="2025-12-02T00:00:00Z")
    assert (place / "lore/digests/2025-12-02.md").is_file()


def test_what_is_ticked_stays_ticked_and_is_kept_when_it_is_resolved(place: Path) -> None:
    screen(place, "dream", "--apply")
    queue = place / QUEUE
    queue.write_text(queue.read_text("utf-8").replace("- [ ] [[a#A]] and", "- [x] [[a#A]] and"), "utf-8")
    screen(place, "dream", "--apply")
    assert "- [x] [[a#A]] and [[b#B]] have the same 19 words" in queue.read_text("utf-8")
    (place / "b.md").unlink()
    screen(place, "dream", "--apply")
    resolved = queue.read_text("utf-8").partition("## Resolved earlier")[2]
    assert "- [x] [[a#A]] and [[b#B]] have the same 19 words" in resolved


def test_neither_is_indexed_or_complained_of(place: Path) -> None:
    screen(place, "dream", "--apply")
    with loreweave.open(place, scope="alice") as lore:
        lore.dream(apply=True, now="2025-12-01")
    assert (place / "lore/review-queue-alice.md").is_file()
    with loreweave.open(place) as lore:
        assert lore.sql("select path from notes where starts_with(path, 'lore/')").num_rows == 0
        assert lore.sql("select code from findings").num_rows == 0


@pytest.mark.parametrize("path", [QUEUE, DIGEST])
def test_a_link_out_of_the_vault_is_refused_and_nothing_is_written(place: Path, path: str, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("mine\n", "utf-8")
    (place / path).parent.mkdir(exist_ok=True)
    (place / path).symlink_to(outside)
    with loreweave.open(place) as lore, pytest.raises(VaultError, match="leads out of the vault"):
        lore.dream(apply=True, now="2025-12-01")
    assert outside.read_text("utf-8") == "mine\n"
    assert {QUEUE, DIGEST} & {path for path in contents(place) if not (place / path).is_symlink()} == set()


@pytest.mark.parametrize("target", ["../a.md", "journal/2025-11-28.md"])
def test_a_link_to_a_note_or_to_the_record_is_refused(place: Path, target: str) -> None:
    (place / QUEUE).symlink_to(target)
    before = contents(place)
    with loreweave.open(place) as lore, pytest.raises(Refused, match=r'"lore/review-queue\.md" leads to'):
        lore.dream(apply=True, now="2025-12-01")
    assert contents(place) == before


def test_a_folder_of_digests_that_leads_to_notes_is_refused(place: Path) -> None:
    (place / "pages").mkdir()
    (place / "lore/digests").symlink_to(place / "pages")
    with loreweave.open(place) as lore, pytest.raises(Refused, match=r'"lore/digests/2025-12-01\.md" leads to'):
        lore.dream(apply=True, now="2025-12-01")
    assert not [*(place / "pages").iterdir()]


def test_a_read_only_queue_is_refused_before_the_digest_is_written(place: Path) -> None:
    (place / QUEUE).write_text("mine\n", "utf-8")
    os.chmod(place / QUEUE, 0o444)
    with loreweave.open(place) as lore, pytest.raises(Refused, match="is read-only"):
        lore.dream(apply=True, now="2025-12-01")
    assert not (place / DIGEST).exists()


def test_a_queue_that_is_no_text_is_left_as_it_is(place: Path) -> None:
    (place / QUEUE).write_bytes(b"\xff\xfe\xfa")
    with loreweave.open(place) as lore, pytest.raises(VaultError, match="is not UTF-8"):
        lore.dream(apply=True, now="2025-12-01")
    assert (place / QUEUE).read_bytes() == b"\xff\xfe\xfa"


def test_what_notes_say_cannot_add_an_entry_or_a_link(place: Path) -> None:
    line = (
        "- [fact] Desk :: note :: `x` [[d]] ^lore-0000000000 {valid_from=2020-01-01, recorded_at=2020-01-02T09:00:00Z}"
    )
    (place / "lore/journal/2020-01-02.md").write_text(f"{line}\n", "utf-8")
    screen(place, "dream", "--apply")
    (entry,) = [each for each in (place / QUEUE).read_text("utf-8").splitlines() if "Desk" in each]
    assert "`'x' [[d]] ^lore-0000000000`" in entry
    before = (place / QUEUE).read_bytes()
    screen(place, "dream", "--apply")
    assert (place / QUEUE).read_bytes() == before


def test_names_that_no_link_can_have_stand_as_code_and_break_no_line(place: Path) -> None:
    for name in ("a|b", "c#d", "e[f]", "g\u2028h", "i\u202ej"):
        (place / f"{name}.md").write_text(f"## one\u2028 two\n\n{SAID}\n", "utf-8")
    screen(place, "dream", "--apply", "--limit", "1")
    before = (place / QUEUE).read_text("utf-8")
    assert "`a|b.md" in before
    assert all(line.isprintable() for line in before.split("\n"))
    screen(place, "dream", "--apply")
    assert (place / QUEUE).read_text("utf-8") == before


def test_a_tick_is_no_change_that_a_watch_has_to_look_at(place: Path) -> None:
    screen(place, "dream", "--apply")
    told = [{(2, str(place / path)) for path in paths} for paths in (("a.md", QUEUE), (QUEUE, DIGEST))]
    assert [batch.paths for batch in gathered(place, told)] == [{"a.md"}]
