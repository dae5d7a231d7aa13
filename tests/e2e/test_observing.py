"""What notes state, seen over days: record times that stay, closes that stand, and notes that nobody writes to."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

import loreweave
from loreweave.errors import Refused
from loreweave.library import Lore

NOTE = "---\nstatus: draft\n---\n# Atlas\n\nowner:: Priya\n\nSome words.\n"

Day = Callable[[str], None]


@attrs.frozen
class Vault:
    """A vault and its clock."""

    root: Path
    day: Day

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, "utf-8")

    def index(self) -> tuple[int, int]:
        with self.open() as lore:
            made = lore.index()
        return made.observed, made.withdrawn

    def open(self) -> Lore:
        return loreweave.open(self.root)

    def value(self, predicate: str, subject: str = "Atlas", **moment: str) -> list[str]:
        with self.open() as lore:
            return sorted(fact.object for fact in lore.facts(subject=subject, predicate=predicate, **moment).items)

    def beliefs(self) -> list[tuple[object, ...]]:
        """Every belief but for where its line stands."""
        with self.open() as lore:
            lore.refresh()
            with lore.engine.session() as session:
                columns = "subject, predicate, object, valid_from, valid_until, known_from, known_until"
                return session.ask(f"select {columns} from beliefs order by all").fetchall()

    def ledger(self) -> str:
        return "".join(path.read_text("utf-8") for path in sorted(self.root.glob("lore/ledger/*.md")))


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Vault:
    def day(text: str) -> None:
        monkeypatch.setenv("LORE_NOW", text)

    made = Vault(tmp_path / "vault", day)
    made.root.mkdir()
    made.day("2026-03-01T08:00:00Z")
    made.write("Atlas.md", NOTE)
    made.write("Other.md", "# Vendor\n\nreliability:: good\n")
    assert made.index() == (3, 0)
    return made


def test_a_note_seen_unchanged_writes_nothing(vault: Vault) -> None:
    before = vault.ledger()
    vault.day("2026-03-02T08:00:00Z")
    assert vault.index() == (0, 0)
    assert vault.ledger() == before


def test_an_unrelated_edit_moves_no_record_time(vault: Vault) -> None:
    before = vault.beliefs()
    vault.day("2026-03-02T08:00:00Z")
    vault.write("Atlas.md", NOTE.replace("Some words.", "Other words.\n\nAnd a paragraph."))
    vault.write("Third.md", "nothing stated")
    assert vault.index() == (0, 0)
    assert vault.beliefs() == before


def test_an_edited_value_supersedes_from_the_edit_on(vault: Vault) -> None:
    vault.day("2026-04-01T08:00:00Z")
    vault.write("Atlas.md", NOTE.replace("draft", "final"))
    assert vault.index() == (1, 0)
    assert vault.value("status", as_of="2026-03-15") == ["draft"]
    assert vault.value("status", as_of="2026-04-01T08:00:00Z") == ["final"]
    assert vault.value("status", as_of="2026-05-01", as_known_at="2026-03-20") == ["draft"]


def test_a_value_that_leaves_its_note_is_withdrawn_from_then_on(vault: Vault) -> None:
    vault.day("2026-04-01T08:00:00Z")
    vault.write("Atlas.md", NOTE.replace("owner:: Priya\n", ""))
    assert vault.index() == (0, 1)
    assert vault.value("owner", as_of="2026-03-15") == []
    assert vault.value("owner", as_of="2026-03-15", as_known_at="2026-03-20") == ["Priya"]


def test_a_renamed_note_changes_no_belief(vault: Vault) -> None:
    vault.write("Atlas.md", NOTE + "\n- [fact] Vendor :: colour :: red\n")
    vault.index()
    before = [row[:4] for row in vault.beliefs()]
    vault.day("2026-04-01T08:00:00Z")
    (vault.root / "plans").mkdir()
    (vault.root / "Atlas.md").rename(vault.root / "plans/Renamed.md")
    assert vault.index() == (3, 3)
    for known in ("2026-03-20", "2026-04-02"):
        assert vault.value("status", as_of="2026-03-15", as_known_at=known) == ["draft"]
        assert vault.value("colour", "Vendor", as_of="2026-03-15", as_known_at=known) == ["red"]
    assert {row[:4] for row in vault.beliefs()} == set(before)


def _edit_another(vault: Vault) -> None:
    vault.write("Other.md", "# Vendor\n\nreliability:: poor\n")


def _edit_elsewhere(vault: Vault) -> None:
    vault.write("Atlas.md", NOTE.replace("Some words.", "More words.\n\nbudget:: 100"))


def _be_absent_a_day(vault: Vault) -> None:
    kept = vault.root / "Atlas.md"
    text = kept.read_text("utf-8")
    kept.unlink()
    vault.day("2026-05-02T08:00:00Z")
    vault.index()
    vault.day("2026-05-03T08:00:00Z")
    kept.write_text(text, "utf-8")


def _rename(vault: Vault) -> None:
    (vault.root / "Atlas.md").rename(vault.root / "Renamed.md")


def _delete_the_index(vault: Vault) -> None:
    shutil.rmtree(vault.root / ".lore")


DISTURBED = [lambda vault: None, _edit_another, _edit_elsewhere, _be_absent_a_day, _rename, _delete_the_index]


@pytest.mark.parametrize("disturb", DISTURBED)
@pytest.mark.parametrize("how", ["close", "retract"])
def test_a_close_and_a_retraction_of_a_noted_value_stand(
    vault: Vault, how: str, disturb: Callable[[Vault], None]
) -> None:
    vault.day("2026-04-01T08:00:00Z")
    with vault.open() as lore:
        if how == "close":
            lore.invalidate_fact("Atlas", "owner", valid_until="2026-03-20")
        else:
            lore.retract_fact("Atlas", "owner")
    vault.day("2026-05-01T08:00:00Z")
    disturb(vault)
    vault.index()
    vault.day("2026-05-10T08:00:00Z")
    vault.index()
    assert vault.value("owner") == []
    assert vault.value("owner", as_of="2026-03-10") == (["Priya"] if how == "close" else [])
    assert vault.value("owner", as_of="2026-03-10", as_known_at="2026-03-30") == ["Priya"]


def test_a_clipped_page_that_claims_who_said_it_and_when_gets_neither(vault: Vault) -> None:
    line = "- [fact] Vendor :: owner :: Bo {valid_from=2020-01-01, recorded_at=2020-01-01, source=stated, by=priya}\n"
    vault.write("clipped.md", f"# A page\n\n{line}")
    vault.index()
    with vault.open() as lore:
        (fact,) = lore.facts(subject="Vendor", predicate="owner").items
        assert fact.source == "extracted"
        assert fact.known_from.isoformat() > "2026-03-01"
        codes = {finding.code for finding in lore.doctor().findings}
    assert {"forged-source", "forged-record-time"} <= codes


def test_a_lost_ledger_is_not_rewritten_in_silence(vault: Vault) -> None:
    (ledger,) = vault.root.glob("lore/ledger/*.md")
    text = ledger.read_text("utf-8")
    ledger.unlink()
    vault.value("owner")
    with pytest.raises(Refused, match="lost lines"):
        vault.index()
    assert not ledger.exists()
    ledger.write_text(text, "utf-8")
    assert vault.index() == (0, 0)
    ledger.unlink()
    with vault.open() as lore:
        made = lore.index(start_over=True)
    assert (made.observed, made.withdrawn) == (3, 0)
    assert vault.index() == (0, 0)


def test_another_machine_replays_and_does_not_observe(vault: Vault) -> None:
    vault.write("lore/config.toml", '[observe]\nmachine = "another-host"\n')
    vault.write("Atlas.md", NOTE.replace("draft", "final"))
    with vault.open() as lore:
        made = lore.index()
    assert (made.observed, made.elsewhere) == (0, "another-host")


def test_reading_commands_bring_the_index_up_to_date_and_write_nothing_under_lore(vault: Vault) -> None:
    before = vault.ledger()
    vault.write("Atlas.md", NOTE.replace("draft", "final"))
    assert vault.value("status") == ["draft"]
    with vault.open() as lore:
        assert lore.replay().unrecorded == 1
    assert vault.ledger() == before


def test_a_note_left_out_by_a_setting_is_withdrawn(vault: Vault) -> None:
    vault.write("lore/config.toml", '[vault]\nignore = ["Atlas.md"]\n')
    assert vault.index() == (0, 2)
    vault.write("lore/config.toml", "")
    assert vault.index() == (2, 0)
    assert vault.value("owner", as_of="2026-03-02") == ["Priya"]
    vault.write("lore/config.toml", '[extract]\nmode = "off"\n')
    assert vault.index() == (0, 3)


def test_a_note_that_cannot_be_read_for_a_while_is_not_taken_for_one_that_is_gone(vault: Vault) -> None:
    note = vault.root / "Atlas.md"
    text = note.read_bytes()
    note.write_bytes(b"\0" * 4096)
    assert vault.index() == (0, 0)
    note.unlink()
    os.mkfifo(note)
    assert vault.index() == (0, 0)
    assert vault.value("owner") == ["Priya"]
    note.unlink()
    note.write_bytes(text)
    assert vault.index() == (0, 0)
    note.unlink()
    assert vault.index() == (0, 2)


def test_a_copy_of_a_note_is_no_news_and_opens_nothing_that_was_closed(vault: Vault) -> None:
    with vault.open() as lore:
        lore.invalidate_fact("Atlas", "owner", valid_until="2026-03-20")
    vault.day("2026-05-01T08:00:00Z")
    shutil.copyfile(vault.root / "Atlas.md", vault.root / "Atlas 1.md")
    vault.index()
    assert vault.value("owner") == []
    assert vault.value("status", as_of="2026-03-02") == ["draft"]
    (vault.root / "Atlas.md").unlink()
    vault.index()
    assert vault.value("owner") == []
    assert vault.value("owner", as_of="2026-03-10") == ["Priya"]
    assert vault.value("status", as_of="2026-03-02") == ["draft"]


def test_a_line_of_the_ledger_that_was_edited_and_put_back_is_not_lost(vault: Vault) -> None:
    (ledger,) = vault.root.glob("lore/ledger/*.md")
    text = ledger.read_text("utf-8")
    ledger.write_text(text.replace("Priya", "Ana"), "utf-8")
    assert vault.value("owner") == ["Ana"]
    ledger.write_text(text, "utf-8")
    assert vault.index() == (0, 0)
    ledger.write_text("".join(text.splitlines(keepends=True)[1:]), "utf-8")
    vault.value("owner")
    with pytest.raises(Refused, match="lost lines"):
        vault.index()
