"""The time that a question asks about, from the notes to the order of the answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from loreweave.library import Lore
from loreweave.search import timing
from typed import vault

NOTES = {
    "ledger.md": "# Ledger\n\nThe ledger has one line for each entry.\n",
    "log/2024-02-01.md": "# Talk\n\nThe ledger was an idea then.\n",
    "log/june.md": "---\ndate: 2026-06-10\n---\n# Talk\n\nThe ledger was a draft then.\n",
    "log/july.md": "---\ndate: 2026-07-08\n---\n# Talk\n\nThe ledger was read then.\n",
    "old.md": "---\ndate: 2019-01-01\n---\n# Kettle\n\nThe kettle whistles.\n",
    "days/2022-10-14.md": "---\ndate: 2022-10-14\nmodified: 2023-03-14\n---\n# 2022-10-14\n",
    "kettle.md": "# Kettle\n\nThe kettle whistles.\nIt is the kettle on the stove.\n",
    "desk/a.md": "# A\n\nWho keeps the desk.\n\n- [fact] Desk :: keeper :: Priya {valid_from=2024-02-01}\n",
    "desk/b.md": "# B\n\nWho keeps the desk.\n\n- [fact] Desk :: keeper :: Marek {valid_from=2025-02-01}\n",
    "desk/c.md": "# C\n\nWho keeps the desk.\n\n- [fact] Bench :: keeper :: Ana {valid_from=2020-02-01}\n",
}


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    at = vault(tmp_path_factory.mktemp("notes"), NOTES)
    with Lore(at) as lore:
        lore.index()
    return at


@pytest.fixture
def lore(notes: Path, monkeypatch: pytest.MonkeyPatch) -> Lore:
    monkeypatch.setenv("LORE_NOW", "2026-11-30T09:00:00Z")
    return Lore(notes)


def paths(lore: Lore, *wordings: str, since: str | None = None, until: str | None = None) -> list[str]:
    return [found.path for found in lore.search(*wordings, since=since, until=until, limit=20).results]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("ledger July 2026", "log/july.md"),
        ("ledger in June", "log/june.md"),
        ("ledger in the second quarter of 2026", "log/june.md"),
        ("ledger before 2025", "log/2024-02-01.md"),
        ("ledger since 2026-07-01", "log/july.md"),
        ("2026年6月 ledger", "log/june.md"),
    ],
)
def test_what_is_about_the_time_in_the_question_comes_first_and_all_else_is_still_there(
    lore: Lore, question: str, first: str
) -> None:
    found = paths(lore, question)
    assert found[0] == first
    assert set(found) >= {"ledger.md", "log/2024-02-01.md", "log/june.md", "log/july.md"}


def test_the_latest_is_the_newest_that_bears_a_date(lore: Lore) -> None:
    found = [path for path in paths(lore, "what is the latest on the ledger") if path.startswith("log/")]
    assert found == ["log/july.md", "log/june.md", "log/2024-02-01.md"]


def test_a_lone_old_note_is_not_put_above_the_page_without_a_date(lore: Lore) -> None:
    for question in ("the kettle", "the latest on the kettle", "the kettle as it is now"):
        assert paths(lore, question) == ["kettle.md", "old.md"]


def test_without_the_gain_the_order_is_that_of_words_alone(lore: Lore, monkeypatch: pytest.MonkeyPatch) -> None:
    words_alone = paths(lore, "ledger then")
    monkeypatch.setattr(timing, "IN_WINDOW", 0.0)
    monkeypatch.setattr(timing, "OLDER", 0.0)
    assert paths(lore, "ledger then in 2026") == words_alone
    assert paths(lore, "ledger then now") == words_alone


def test_bounds_overrule_the_time_in_the_question(lore: Lore) -> None:
    assert paths(lore, "ledger in July 2026", since="2026-06", until="2026-07") == ["log/june.md"]
    assert paths(lore, "ledger July 2026", until="Q2 2026") == ["log/2024-02-01.md"]
    found = lore.search("the latest ledger", since="last year", until="this month")
    assert {result.path for result in found.results} == {"log/june.md", "log/july.md"}
    assert found.undated > 0


def why(at: Path, *wordings: str, **facets: str) -> dict[str, tuple[str, ...]]:
    with Lore(at) as lore:
        return {found.path: found.why for found in lore.search(*wordings, **facets).results}  # type: ignore[arg-type]


def test_words_that_say_the_time_are_told_as_its_date_and_not_as_words_that_match(tmp_path: Path) -> None:
    at = vault(
        tmp_path,
        {
            "june.md": "---\ndate: 2024-06-11\n---\n# Harbour\n\nDredged in June 2024.\n",
            "later.md": "---\ndate: 2025-01-11\n---\n# Later\n\nThe room of June has 2024 chairs.\n",
            "name.md": "# June\n\nJune Harbour is a person.\n",
        },
    )
    found = why(at, "the harbour in June 2024")
    assert found["june.md"] == ("matches harbour", "dated 2024-06")
    assert found["later.md"] == ("mentions June, 2024",)
    assert found["name.md"] == ("matches harbour",)
    assert why(at, "harbour in June 2024", "Dredged in June 2024")["june.md"][0] == "matches harbour, Dredged"
    assert why(at, "the harbour of June in June 2024")["name.md"] == ("matches harbour, June",)
    assert why(at, "harbour in June 2024", "June harbour")["name.md"][0] == "matches harbour, June"
    assert "2024" in why(at, "the harbour in June 2024", since="2023")["june.md"][0]


def test_a_passage_that_states_what_held_in_the_window_gains_too(lore: Lore) -> None:
    assert paths(lore, "who keeps the desk in May 2024")[0] == "desk/a.md"
    assert paths(lore, "who keeps the desk in May 2025")[0] == "desk/b.md"


def test_what_held_before_and_still_does_is_no_news(lore: Lore) -> None:
    assert paths(lore, "who keeps the desk since January 2025")[0] == "desk/b.md"


def test_dates_that_cannot_be_read_are_told_beside_the_answer(lore: Lore) -> None:
    found = lore.search("ledger on 06/07/2026")
    assert found.results
    assert found.degraded == ('"06/07/2026" may be 2026-07-06 or 2026-06-07, so the question was asked without it.',)


def test_the_properties_of_a_bare_note_are_about_its_date_alone(lore: Lore) -> None:
    rows = lore.search("modified", since="2022-10-14").results
    assert [row.path for row in rows] == ["days/2022-10-14.md"]
    assert not lore.search("modified", since="2022-10-15").results
