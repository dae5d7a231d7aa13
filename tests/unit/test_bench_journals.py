"""The journals that the bench measures on are what they say, and the same everywhere."""

from __future__ import annotations

import hashlib
import re
from datetime import date

import pytest

from house.tree import ROOT

SIZE = 10_000


@pytest.fixture(scope="module")
def lines() -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "bench"))
        import journals

        return [line for _, page in journals.pages(SIZE) for line in page]


def test_they_are_the_same_bytes_everywhere(lines: list[str]) -> None:
    written = hashlib.sha256("".join(lines).encode()).hexdigest()
    assert written == "62ec7869ac588e5b517b6fa40158995b4100b344134265ba58c5aaa2ced19621"


def test_they_hold_the_mix_that_is_documented(lines: list[str]) -> None:
    facts = [line for line in lines if line.startswith("- [fact]")]
    closes = sum(line.startswith("- [invalidate]") for line in lines)
    late = sum("because=" in line for line in lines)
    bounded = sum("valid_until=" in line for line in facts)
    backdated = sum(_days_back(line) >= 30 for line in facts)
    assert len(lines) == SIZE
    assert [round(100 * count / SIZE) for count in (closes, bounded, late)] == [12, 10, 4]
    assert 8 <= 100 * backdated / SIZE <= 14, "those written late, and corrections of starts long ago"


def test_record_times_rise_and_slots_are_about_a_tenth_of_the_lines(lines: list[str]) -> None:
    recorded = [match[1] for line in lines if (match := re.search(r"recorded_at=(\S+?)[,}]", line))]
    assert recorded == sorted(set(recorded))
    slots = {tuple(line.split("] ", 1)[1].partition(" {")[0].split(" :: ")[:2]) for line in lines}
    assert 900 <= len(slots) <= 1000


def _days_back(line: str) -> int:
    dates = (re.search(rf"{name}=([\d-]+)", line)[1] for name in ("valid_from", "recorded_at"))
    start, recorded = map(date.fromisoformat, dates)
    return (recorded - start).days
