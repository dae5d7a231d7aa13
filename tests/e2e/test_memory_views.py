"""The views over what was used, resumed and proposed: they follow the lines of the record, whatever the index was."""

from __future__ import annotations

from pathlib import Path

import loreweave

NOTE = "# Atlas\n\nOne passage.\n\n## Plan\n\nShip it in May.\n"
LEDGER, JOURNAL = "lore/ledger/2026-01-01-0001.md", "lore/journal/2026-01-01.md"


def _vault(root: Path, **files: str) -> loreweave.Lore:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    return loreweave.Lore(root)


def _hash(lore: loreweave.Lore, anchor: str) -> str:
    (row,) = lore.sql("select left(hash, 16) as hash from spans where anchor = $anchor", anchor=anchor).to_pylist()
    return str(row["hash"])


def _used(lore: loreweave.Lore) -> list[str | None]:
    sql = "select spans.anchor from uses left join spans using (span_id) order by recorded_at"
    return [row["anchor"] for row in lore.sql(sql).to_pylist()]


def _line(address: str, hashed: str, hour: int) -> str:
    return f"- [used] {address} {{hash={hashed}, recorded_at=2026-01-01T0{hour}:00:00Z, by=Priya}}\n"


def test_a_use_follows_its_passage_by_address_and_text_else_by_text_else_by_address(tmp_path: Path) -> None:
    with _vault(tmp_path, **{"atlas.md": NOTE}) as lore:
        plan = _hash(lore, "Plan")
        lines = [_line("atlas.md#Plan", plan, 1), _line("gone.md#Plan", plan, 2), _line("atlas.md#Atlas", plan, 3)]
        lines += [_line("atlas.md#Atlas", "0123456789abcdef", 4), _line("gone.md#Plan", "0123456789abcdef", 5)]
        with _vault(tmp_path, **{LEDGER: "".join(lines)}):
            assert _used(lore) == ["Plan", "Plan", "Plan", "Atlas", None]
        with _vault(tmp_path, **{"atlas.md": NOTE.replace("May", "June").replace("## Plan", "## Route")}):
            assert _used(lore) == [None, None, "Atlas", "Atlas", None]


def test_a_passage_that_stands_twice_is_followed_where_it_was_used(tmp_path: Path) -> None:
    with _vault(tmp_path, **{"a.md": NOTE, "b.md": NOTE}) as lore:
        (hashed,) = {row["hash"] for row in lore.sql("select hash from spans where anchor = 'Plan'").to_pylist()}
        with _vault(tmp_path, **{LEDGER: _line("b.md#Plan", hashed[:16], 1)}):
            sql = "select spans.path from uses join spans using (span_id)"
            assert lore.sql(sql).to_pylist() == [{"path": "b.md"}]


def test_a_use_in_one_scope_follows_no_passage_of_another(tmp_path: Path) -> None:
    with _vault(tmp_path, **{"atlas.md": NOTE}) as lore:
        line = _line("atlas.md#Plan", _hash(lore, "Plan"), 1).replace("by=Priya", "scope=alice, by=Priya")
        with _vault(tmp_path, **{LEDGER: line}):
            assert lore.sql("select span_id, scope from uses").to_pylist() == [{"span_id": None, "scope": "alice"}]


def test_a_session_is_told_by_its_line(tmp_path: Path) -> None:
    line = "- [session] morning {recorded_at=2026-01-01T08:00:00Z, by=Priya}\n"
    with _vault(tmp_path, **{LEDGER: line}) as lore:
        assert lore.sql("select name, recorded_by, scope from sessions").to_pylist() == [
            {"name": "morning", "recorded_by": "Priya", "scope": "default"}
        ]


def _proposed(lore: loreweave.Lore) -> list[tuple[str, str, str | None]]:
    sql = "select object, status, decided_by from proposals order by recorded_at"
    return [(row["object"], row["status"], row["decided_by"]) for row in lore.sql(sql).to_pylist()]


def test_a_proposal_is_pending_until_it_is_approved_or_rejected(tmp_path: Path) -> None:
    lines = [
        f"- [proposed] Vendor :: status :: {value} {{kind=fact, by=helper, recorded_at=2026-01-01T0{hour}:00:00Z}}\n"
        for hour, value in enumerate(("open", "closed", "sold"), 1)
    ]
    with _vault(tmp_path, **{JOURNAL: "".join(lines)}) as lore:
        assert _proposed(lore) == [("open", "pending", None), ("closed", "pending", None), ("sold", "pending", None)]
        assert lore.sql("from beliefs").num_rows == 0
        one, two, _ = (row["proposal_id"] for row in lore.sql("from proposals order by recorded_at").to_pylist())
        decided = f"- [fact] Vendor :: status :: open {{proposal={one}, by=Priya, recorded_at=2026-01-02T01:00:00Z}}\n"
        decided += f"- [rejected] {two} {{by=Priya, because=not yet, recorded_at=2026-01-02T02:00:00Z}}\n"
        with _vault(tmp_path, **{"lore/journal/2026-01-02.md": decided}):
            assert _proposed(lore) == [
                ("open", "approved", "Priya"),
                ("closed", "rejected", "Priya"),
                ("sold", "pending", None),
            ]
            (row,) = lore.sql("select events.object, detail from beliefs join events using (event_id)").to_pylist()
            assert row == {"object": "open", "detail": one}


def test_a_decision_of_another_scope_decides_nothing(tmp_path: Path) -> None:
    line = "- [proposed] Vendor :: status :: open {kind=fact, by=helper, recorded_at=2026-01-01T01:00:00Z}\n"
    with _vault(tmp_path, **{JOURNAL: line}) as lore:
        (row,) = lore.sql("from proposals").to_pylist()
        said = f"- [rejected] {row['proposal_id']} {{scope=alice, by=Priya, recorded_at=2026-01-02T01:00:00Z}}\n"
        with _vault(tmp_path, **{"lore/journal/2026-01-02.md": said}):
            assert _proposed(lore) == [("open", "pending", None)]
