"""Values that stand side by side, and values that return after another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import loreweave
from loreweave.errors import Refused, VaultError
from loreweave.library import Lore
from told import BOB, NOW, believed, journal, told, write


@pytest.fixture
def lore(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lore:
    monkeypatch.setenv("LORE_NOW", NOW)
    return loreweave.open(tmp_path)


def test_a_slot_of_many_values_takes_another(lore: Lore) -> None:
    write(lore, "- [fact] Atlas :: member :: Ana {valid_from=2024-01-01, recorded_at=2024-01-10, many}\n")
    made = lore.assert_fact("Atlas", "member", "Bo", valid_from="2024-02-01")
    assert (made.many, "many-valued" in made.many_because, told(made)) == (True, True, {})
    assert sorted(believed(lore, "Atlas", "member")) == ["Ana", "Bo"]


def test_one_single_value_keeps_a_slot_single(lore: Lore) -> None:
    write(
        lore,
        "- [fact] Atlas :: member :: Ana {valid_from=2024-01-01, recorded_at=2024-01-10, many}\n"
        "- [fact] Atlas :: member :: Cy {valid_from=2024-01-02, recorded_at=2024-01-10}\n",
    )
    assert not lore.assert_fact("Atlas", "member", "Bo", valid_from="2024-02-01").many


@pytest.mark.parametrize(("many", "expected"), [(None, True), (False, False), (True, True)])
def test_the_settings_declare_many_and_a_flag_overrules(lore: Lore, many: bool | None, expected: bool) -> None:
    write(lore, '[facts]\nmany = ["Team_Member"]\n', "lore/config.toml")
    assert lore.assert_fact("Atlas", "team member", "Bo", many=many).many is expected
    assert not lore.assert_fact("Atlas", "owner", "Bo").many


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("[facts]\nmany = 3\n", "lore/config.toml:2: "),
        ("[facts]\nmnay = []\n", 'lore/config.toml:2: "mnay"'),
        ("[fact]\n", '"fact" is not a section'),
        ("[facts\n", "is not TOML"),
    ],
)
def test_settings_that_cannot_be_read_stop_a_write(lore: Lore, settings: str, message: str) -> None:
    write(lore, settings, "lore/config.toml")
    with pytest.raises(VaultError) as wrong:
        lore.assert_fact("Atlas", "owner", "Bo")
    assert message in wrong.value.message
    assert journal(lore) == []


STAND_IN = {"valid_from": "2024-06-01", "valid_until": "2024-09-01", "then_resume": True}


def test_what_held_before_resumes_with_its_own_end(lore: Lore) -> None:
    write(lore, BOB + "- [invalidate] Desk :: keeper {valid_until=2024-12-01, recorded_at=2024-01-11}\n")
    made = lore.assert_fact("Desk", "keeper", "Carol", **STAND_IN)  # type: ignore[arg-type]
    assert told(made) == {
        "superseded": ["Bob: 2024-06-01 → 2024-12-01"],
        "resumed": ["Bob: 2024-09-01 → 2024-12-01"],
    }
    assert len({line.split("recorded_at=")[1].split(",")[0] for line in journal(lore)}) == 1
    assert [believed(lore, "Desk", "keeper", as_of=day) for day in ("2024-08-31", "2024-09-01", "2024-12-01")] == [
        ["Carol"],
        ["Bob"],
        [],
    ]


@pytest.mark.parametrize(
    ("lines", "said", "message"),
    [
        ("", {}, "Nothing is believed of Desk :: keeper just before 2024-06-01"),
        (BOB, {"valid_until": None}, "needs an end"),
        (BOB, {"many": True}, "nothing has to resume"),
        (BOB + BOB.replace("Bob", "Dana").replace("2024-01-01", "2024-08-01"), {}, '"Dana" starts on 2024-08-01'),
        (BOB + BOB.replace("Bob", "Dana").replace("2024-01-01", "2024-09-01"), {}, '"Dana" starts on 2024-09-01'),
        (BOB.replace("recorded_at", "valid_until=2024-09-01, recorded_at"), {}, '"Bob" itself ends on 2024-09-01'),
    ],
)
def test_nothing_resumes_where_that_is_not_plain(lore: Lore, lines: str, said: dict[str, Any], message: str) -> None:
    write(lore, lines)
    with pytest.raises(Refused) as refused:
        lore.assert_fact("Desk", "keeper", "Carol", **{**STAND_IN, **said})
    assert message in refused.value.message
    assert journal(lore) == []
