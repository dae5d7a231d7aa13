"""Watching, told of changes that a test makes up: what matters of them, and what a refresh for each is told of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import attrs
import pytest

from loreweave.engine.observing import Indexed
from loreweave.engine.plan import Notes
from loreweave.engine.watching import Begun, Seen, follow
from loreweave.errors import LoreError, VaultError
from loreweave.vault.watch import LOOK_AFTER, Batch, Told, changes, gathered, polled

NOTHING = Indexed(Notes(0, 0, 0, 3), 0, 0, None, None, (), ())
EDITED = attrs.evolve(NOTHING, notes=Notes(0, 1, 0, 2), observed=1, path="lore/ledger/2025-12-01-0001.md")
LOOK, OWN, EDIT = Batch(), Batch(frozenset({"lore", str(EDITED.path)})), Batch(frozenset({"a.md"}))


# What matters --------------------------------------------------------------------------------------------


def told(root: Path, *paths: str) -> Told:
    return {("modified", str(root / path)) for path in paths}


def paths(root: Path, *each: Told) -> list[set[str]]:
    first, *rest = gathered(root, [set(), *each])
    assert first == LOOK
    return [set(batch.paths) for batch in rest]


def test_notes_lines_settings_and_folders_matter(tmp_path: Path) -> None:
    matter = ("a.md", "in/B.MD", "lore/journal/2024-01-10.md", "lore/config.toml", "in", "gone", "v1.2")
    (tmp_path / "in").mkdir()
    assert paths(tmp_path, told(tmp_path, *matter), told(tmp_path, "a.md")) == [set(matter), {"a.md"}]


def test_nothing_of_the_engines_own_folder_matters_nor_what_is_hidden_or_no_note(tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(b"x")
    own = (".lore/index.duckdb", ".lore", ".git/index", "in/.a.md.swp", "node_modules/a/README.md", "picture.png")
    assert paths(tmp_path, told(tmp_path, *own), {("deleted", str(tmp_path)), ("added", "/elsewhere/a.md")}) == []


def test_it_is_time_to_look_after_half_a_minute_of_quiet(tmp_path: Path) -> None:
    quiet: list[Told] = LOOK_AFTER * [frozenset()]
    assert paths(tmp_path, *quiet) == []
    assert paths(tmp_path, *quiet, set()) == [set()]
    assert paths(tmp_path, *quiet, told(tmp_path, "a.md"), *quiet, told(tmp_path, ".lore")) == [{"a.md"}, set()]


def test_a_vault_that_is_gone_is_not_watched(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    for batches in (gathered(gone, [set()]), polled(gone, Event(), ""), changes(gone, Event())):
        with pytest.raises(VaultError, match=r'The vault ".*gone" is gone'):
            list(batches)


def test_looking_says_why_and_ends_when_told(tmp_path: Path) -> None:
    stop = Event()
    batches = changes(tmp_path, stop, poll=True)
    assert next(batches) == Batch(polling="as asked")
    stop.set()
    assert list(batches) == []


@pytest.mark.parametrize(
    "failed", [OSError('OS file watch limit reached. about ["/a"] (Error)'), RuntimeError("Too many open files")]
)
def test_where_the_system_cannot_tell_changes_are_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failed: Exception
) -> None:
    def watch(*_: object, **__: object) -> Iterator[Told]:
        raise failed
        yield set()

    monkeypatch.setattr("watchfiles.watch", watch)
    assert next(changes(tmp_path, Event())) == Batch(polling=str(failed).removesuffix(' about ["/a"] (Error)'))


def test_a_folder_that_may_not_be_read_does_not_keep_the_others_from_being_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def watch(*_: object, ignore_permission_denied: bool, **__: object) -> Iterator[Told]:
        if not ignore_permission_denied:
            raise PermissionError("Permission denied")
        yield frozenset()

    monkeypatch.setattr("watchfiles.watch", watch)
    assert next(changes(tmp_path, Event())) == LOOK


def test_the_first_batch_comes_when_watching_has_begun_so_that_no_change_is_missed(tmp_path: Path) -> None:
    stop = Event()
    batches = changes(tmp_path, stop)
    assert next(batches) == LOOK
    (tmp_path / "a.md").write_bytes(b"x")
    assert next(batches) == EDIT
    stop.set()
    assert list(batches) == []


# What is told --------------------------------------------------------------------------------------------


def seen(*steps: tuple[Batch, Indexed | LoreError]) -> list[Seen]:
    """Play batches, and what the refresh for each comes to."""
    outcomes: Iterator[Indexed | LoreError] = iter([outcome for _, outcome in steps])

    def refresh() -> Indexed:
        outcome = next(outcomes)
        if isinstance(outcome, LoreError):
            raise outcome
        return outcome

    begun, *rest = follow("/vault", refresh, [batch for batch, _ in steps])
    assert begun == Begun("/vault", steps[0][0].polling)
    assert list(outcomes) == []
    return rest


def test_every_change_is_followed_by_a_refresh_that_is_told() -> None:
    assert seen((LOOK, NOTHING), (EDIT, EDITED), (EDIT, NOTHING)) == [NOTHING, EDITED, NOTHING]


def test_what_the_engine_writes_itself_is_not_told_of() -> None:
    assert seen((LOOK, NOTHING), (EDIT, EDITED), (OWN, NOTHING), (LOOK, NOTHING)) == [NOTHING, EDITED]


def test_what_a_look_finds_is_told() -> None:
    added = attrs.evolve(NOTHING, notes=Notes(1, 0, 0, 3))
    assert seen((LOOK, NOTHING), (LOOK, added), (OWN, EDITED)) == [NOTHING, added, EDITED]


def test_a_refresh_that_fails_is_told_and_watching_goes_on() -> None:
    wrong = VaultError("bad")
    assert seen((LOOK, wrong), (EDIT, wrong), (EDIT, EDITED)) == [wrong, wrong, EDITED]


def test_a_look_does_not_repeat_what_fails_and_tells_when_it_no_longer_does() -> None:
    wrong, other = VaultError("bad"), VaultError("worse")
    steps = ((LOOK, NOTHING), (EDIT, wrong), (LOOK, wrong), (LOOK, other), (LOOK, NOTHING), (LOOK, NOTHING))
    assert seen(*steps) == [NOTHING, wrong, other, NOTHING]


def test_only_errors_of_a_request_are_survived() -> None:
    def refresh() -> Indexed:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(follow("/vault", refresh, [LOOK]))


def test_why_changes_are_looked_for_is_told_at_once() -> None:
    assert next(follow("/vault", lambda: NOTHING, [Batch(polling="no watches left")])) == Begun(
        "/vault", "no watches left"
    )
