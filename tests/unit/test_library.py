"""The library: every question and verb as a method, typed answers, many threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import pytest

import loreweave
from loreweave.errors import BadRequest
from loreweave.reports.facts import Fact
from typed import NOW, vault

LINES = """\
- [fact] Atlas :: status :: draft {valid_from=2026-01-01, recorded_at=2026-01-02}
- [fact] Atlas :: status :: shipped {valid_from=2026-03-01, recorded_at=2026-06-02}
- [fact] Atlas :: status :: secret {valid_from=2026-03-01, recorded_at=2026-06-02, scope=alice}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LORE_NOW", NOW.replace("2025", "2026"))
    return vault(tmp_path, {"lore/journal/2026-01-02.md": LINES})


def test_facts_are_frozen_and_aware(folder: Path) -> None:
    with loreweave.open(folder) as lore:
        (fact,) = lore.facts(subject="atlas", as_of="2026-04-01", as_known_at="2026-05-01")
    assert isinstance(fact, Fact)
    assert (fact.object, fact.valid_from, fact.valid_until) == ("draft", datetime(2026, 1, 1, tzinfo=UTC), None)
    assert fact.known_until == datetime(2026, 6, 2, tzinfo=UTC)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        fact.object = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    "moment",
    [
        "2026-03-01",
        "2026-03-01T02:00:00+02:00",
        date(2026, 3, 1),
        datetime(2026, 3, 1),  # noqa: DTZ001 - a naive one is UTC
        datetime(2026, 3, 1, 5, 30, tzinfo=timezone(timedelta(hours=5, minutes=30))),
    ],
)
def test_a_time_may_be_a_text_a_date_or_a_datetime(folder: Path, moment: str | date) -> None:
    with loreweave.open(folder) as lore:
        answer = lore.facts(as_of=moment)
        assert [fact.object for fact in answer] == ["shipped"]
        assert answer.as_of == datetime(2026, 3, 1, tzinfo=UTC)
        assert [fact.object for fact in lore.facts(as_of=datetime(2026, 2, 28, 23, 59, 59, 999_999, UTC))] == ["draft"]


def test_what_cannot_be_read_is_a_bad_request(folder: Path) -> None:
    with loreweave.open(folder) as lore:
        with pytest.raises(loreweave.BadRequest, match='as_of: "2026-02-30" is not in the calendar'):
            lore.facts(as_of="2026-02-30")
        with pytest.raises(loreweave.BadRequest, match="group-by must be one of"):
            lore.count(group_by="colour")
    with pytest.raises(loreweave.Refused, match="normalises to nothing"):
        loreweave.open(folder, scope=" ")
    with pytest.raises(loreweave.VaultError):
        loreweave.open(folder / "missing")


@pytest.mark.parametrize("limit", [0, -1, 2.5, "3", True, None])
def test_what_is_no_number_of_items_is_refused_by_every_question(folder: Path, limit: Any) -> None:
    with loreweave.open(folder) as lore:
        for question in (
            partial(lore.facts),
            partial(lore.facts, history=True),
            partial(lore.why, "Atlas", "status"),
            partial(lore.diff, "2026-01-01"),
            partial(lore.count),
            partial(lore.search, "Atlas"),
            partial(lore.ask, "Atlas"),
            partial(lore.resume),
            partial(lore.timeline, "Atlas"),
            partial(lore.review),
            partial(lore.dream),
        ):
            with pytest.raises(loreweave.BadRequest, match=r"limit: .* is not a whole number"):
                question(limit=limit)


def test_more_items_than_there_can_be_are_all_of_them(folder: Path) -> None:
    most = 10**5000
    with loreweave.open(folder) as lore:
        assert lore.facts(limit=most).items == lore.facts().items
        assert lore.facts(history=True, limit=most).shown == 2
        assert lore.count(limit=most) == lore.count()
        assert lore.why("Atlas", "status", limit=most) == lore.why("Atlas", "status")


def test_sql_is_an_arrow_table_of_every_scope_or_of_one(folder: Path) -> None:
    asked = "select object from belief_at($v, $k) order by object"
    with loreweave.open(folder) as lore:
        assert lore.sql(asked, v="2026-04-01", k=None)["object"].to_pylist() == ["secret", "shipped"]
        assert lore.sql("select object from facts", as_of=date(2026, 2, 1))["object"].to_pylist() == ["draft"]
        with pytest.raises(loreweave.BadRequest, match="Parser Error"):
            lore.sql("selec 1")
    with loreweave.open(folder, scope="Alice") as lore:
        assert lore.sql(asked, v=datetime(2026, 4, 1, tzinfo=UTC), k=None)["object"].to_pylist() == ["secret"]
        assert [fact.object for fact in lore.facts()] == ["secret"]


def test_an_answer_follows_the_files(folder: Path) -> None:
    with loreweave.open(folder) as lore:
        assert len(lore.facts()) == 1
        more = "- [fact] Atlas :: owner :: Priya {valid_from=2026-01-01, recorded_at=2026-07-01}\n"
        vault(folder, {"lore/journal/2026-07-01.md": more})
        assert [fact.object for fact in lore.facts()] == ["Priya", "shipped"]
        lore.close()
        assert len(lore.facts()) == 2


def test_threads_share_a_vault_while_it_is_written(folder: Path) -> None:
    def ask(_: int) -> set[str]:
        return {fact.object for fact in lore.facts(subject="Atlas", predicate="status")}

    def write(number: int) -> int:
        lore.assert_fact("Atlas", f"part {number}", "made")
        return number

    with loreweave.open(folder) as lore, ThreadPoolExecutor(6) as pool:
        written = pool.map(write, range(4))
        assert list(pool.map(ask, range(24))) == [{"shipped"}] * 24
        assert sorted(written) == [0, 1, 2, 3]
        assert len(lore.facts(as_of="2027-01-01")) == 5


def test_the_pure_core_needs_no_vault() -> None:
    from loreweave.events import parse
    from loreweave.projections import project

    tables = project(parse(LINES))
    assert tables["beliefs"].num_rows == 4


def test_public_names_are_there() -> None:
    assert [name for name in loreweave.__all__ if not hasattr(loreweave, name)] == []
    with pytest.raises(AttributeError):
        _ = loreweave.nothing


@pytest.mark.parametrize(
    "ask",
    [
        lambda lore: lore.assert_fact(5, "owner", "Priya"),
        lambda lore: lore.assert_fact("Atlas", "owner", 5),
        lambda lore: lore.assert_fact("Atlas", "owner", "Priya", because=5),
        lambda lore: lore.invalidate_fact("Atlas", b"owner"),
        lambda lore: lore.facts(subject=5),
        lambda lore: lore.why("Atlas", ["owner"]),
    ],
)
def test_what_is_no_text_is_refused_in_one_sentence(tmp_path: Path, ask: Callable[[loreweave.Lore], object]) -> None:
    with loreweave.open(tmp_path) as lore, pytest.raises(BadRequest, match=r"is not a text\.$"):
        ask(lore)
    assert not (tmp_path / "lore").exists()
