"""After the house tests, a note of what stands above its aim: no failure, the next thing to tidy."""

from __future__ import annotations

import pytest

from house.budgets import above_the_aim

SHOWN = 15


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    over = above_the_aim()
    if not over:
        return
    terminalreporter.section("above the aim (a note, no failure)")
    for one in over[:SHOWN]:
        terminalreporter.write_line(str(one))
    if len(over) > SHOWN:
        terminalreporter.write_line(f"showing {SHOWN} of {len(over)}")
