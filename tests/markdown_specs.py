"""Pytest reads specs: each scenario of specs/*.md is one item, failing at the line of its block.

``--spec-update`` rewrites the tables and outputs that fail, in place, and touches nothing else.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest._code.code import TerminalRepr

from spec_blocks import Document, Scenario, SpecError
from spec_checks import Edit, Mismatch, play
from spec_document import read_document

_edits = pytest.StashKey[dict[Path, set[Edit]]]()


class SpecFailure(Exception):
    """A scenario does not hold."""

    def __init__(self, mismatches: list[Mismatch]) -> None:
        super().__init__(mismatches)
        self.mismatches = mismatches


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--spec-update", action="store_true", help="rewrite the tables and outputs of specs that fail")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_edits] = {}
    if not config.getoption("--spec-update"):
        return
    if os.environ.get("CI"):
        raise pytest.UsageError("--spec-update: CI never updates a spec")
    if config.getoption("numprocesses", None) or hasattr(config, "workerinput"):
        raise pytest.UsageError("--spec-update: one process rewrites the specs, leave -n out")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix == ".md" and file_path.parent.name == "specs" and file_path.name != "README.md":
        return SpecFile.from_parent(parent, path=file_path)
    return None


def pytest_sessionfinish(session: pytest.Session) -> None:
    for path, edits in session.config.stash[_edits].items():
        path.write_bytes(edited(path.read_bytes().decode(), edits).encode())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for path, edits in sorted(terminalreporter.config.stash[_edits].items()):
        terminalreporter.write_line(f"updated {path.name}, blocks: {len(edits)}")


def edited(text: str, edits: set[Edit]) -> str:
    """Apply edits from the last to the first, so that each still finds its lines."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda edit: -edit.first):
        lines[edit.first - 1 : edit.last - 1] = edit.lines
    return "\n".join(lines)


class SpecFile(pytest.File):
    """One spec."""

    def collect(self) -> Iterator[pytest.Item]:
        document = read_document(self.path.read_text("utf-8"))
        for scenario in document.scenarios:
            yield SpecItem.from_parent(self, name=scenario.title, document=document, scenario=scenario)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str | TerminalRepr:  # type: ignore[override]
        if isinstance(excinfo.value, SpecError):
            return f"{self.path.name}:{excinfo.value.line}  {excinfo.value.message}"
        return super().repr_failure(excinfo)


class SpecItem(pytest.Item):
    """One scenario, in an empty vault of its own."""

    def __init__(self, *, document: Document, scenario: Scenario, **rest: object) -> None:
        super().__init__(**rest)  # type: ignore[arg-type]
        self.document = document
        self.scenario = scenario

    def runtest(self) -> None:
        with tempfile.TemporaryDirectory(prefix="spec-") as folder:
            failed = play(self.document.shared, self.scenario, Path(folder))
        if self.config.getoption("--spec-update"):
            self._note({mismatch.edit for mismatch in failed if mismatch.edit})
            failed = [mismatch for mismatch in failed if not mismatch.edit]
        if failed:
            raise SpecFailure(failed)

    def _note(self, edits: set[Edit]) -> None:
        if edits:
            self.config.stash[_edits].setdefault(self.path, set()).update(edits)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:  # type: ignore[override]
        if not isinstance(excinfo.value, SpecFailure):
            excinfo.traceback = excinfo.traceback.filter(lambda entry: "site-packages" not in str(entry.path))
            shown = super().repr_failure(excinfo, style="short")
            return f"{self.path.name}:{self.scenario.line}  {self.name}\n{shown}"
        return "\n\n".join(
            "\n".join([f"{self.path.name}:{mismatch.line}  {self.name}", *mismatch.shown])
            for mismatch in excinfo.value.mismatches
        )

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.scenario.line - 1, self.name
