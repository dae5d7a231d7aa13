"""The rules that the reader and runner of specs hold, each shown by a small spec."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from pathlib import Path

import pytest

import spec_replay
from spec_blocks import Given, SpecError
from spec_checks import Mismatch, play
from spec_document import read_document
from spec_tables import cell, difference, written

pytest_plugins = ("pytester",)

GIVEN = """
`lore/journal/2024-01-10.md`

```lore
- [fact] Vendor :: reliability :: good {valid_from=2024-01-01, recorded_at=2024-01-10T09:00:00Z}
```
"""
PLANE = """
What we believed of **Vendor :: reliability**:

| known \\ true | 2023-12-31 | 2024-03-01 |
|--------------|------------|------------|
| 2024-01-09   | -          | -          |
| 2024-12-01   | -          | good       |
"""
QUERY = """
```sql
select object from beliefs order by object
```

| object |
|--------|
| good   |
"""
IDLE = """
`lore/journal/2025-03-05.md`

```lore
- [invalidate] Vendor :: reliability {valid_until=2023-06-01, recorded_at=2025-03-05T14:00:00Z}
```
"""
HELD = f"# A promise\n\n## It is held\n{GIVEN}{PLANE}{QUERY}"


def failures(text: str, folder: Path) -> list[Mismatch]:
    document = read_document(text)
    return [mismatch for scenario in document.scenarios for mismatch in play(document.shared, scenario, folder)]


def shown(text: str, folder: Path) -> str:
    return "\n".join(line for mismatch in failures(text, folder) for line in mismatch.shown)


def test_a_spec_that_holds_has_nothing_to_show(tmp_path: Path) -> None:
    assert failures(HELD, tmp_path) == []


def test_a_wrong_cell_fails_at_the_line_of_its_table(tmp_path: Path) -> None:
    text = HELD.replace("| 2024-12-01   | -          | good       |", "| 2024-12-01   | good       | good       |")
    (failed,) = failures(text, tmp_path)
    assert text.split("\n")[failed.line - 1].startswith("| known")
    assert failed.shown == (
        r"  known \ true | 2023-12-31 | 2024-03-01",
        "  2024-01-09   | -          | -",
        "- 2024-12-01   | good       | good",
        "+ 2024-12-01   | -          | good",
    )


def test_several_values_of_a_slot_share_a_cell(tmp_path: Path) -> None:
    given = GIVEN.replace("09:00:00Z}", "09:00:00Z, many}")
    more = given.replace("2024-01-10", "2024-01-11").replace("good", "cheap")
    text = f"# P\n\n## S\n{given}{more}{PLANE}"
    assert failures(text.replace("| good       |", "| cheap / good |"), tmp_path) == []


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        (f"## S\n{GIVEN}{PLANE}", 1, "begins with its promise"),
        ("# P\n", 1, "without a scenario"),
        (f"# P\n\n## S\n{GIVEN}", 3, "asserts nothing"),
        (f"# P\n\n## S\n{GIVEN}\n```console\n$ export LORE_NOW=2024-01-01\n```\n", 3, "asserts nothing"),
        (f"# P\n\n## S\n{PLANE}\n## S\n{PLANE}", 12, 'a second scenario named "S"'),
        (f"# P\n\n## S\n{PLANE}\n```python\n1\n```\n", 12, 'unknown fence "python"'),
        (f"# P\n\n## S\n{PLANE}\n```lore\n```\n", 12, "needs its `path`"),
        (f"# P\n\n## S\n{PLANE}\n`a.md`\n\nprose\n", 12, "must be followed by a fence"),
        (f"# P\n\n## S\n{PLANE}\n`a.csv`\n\n```lore\n```\n", 14, "cannot be given"),
        (f"# P\n\n## S\n{PLANE}\n`../a.md`\n\n```lore\n```\n", 12, "leaves the vault"),
        (f"# P\n\n## S\n{PLANE}\n```sql\nselect 1\n```\n\nprose\n", 12, "no table below it"),
        (f"# P\n\n## S\n{PLANE}\n```console\nlore facts\n```\n", 13, "begins with a command"),
        (f"# P\n\n## S\n{PLANE}\n```sql\nselect 1\n", 12, "never closed"),
        ("# P\n\n## S\n\n| a |\n|---|\n| 1 |\n", 5, "without a query"),
        ("# P\n\n## S\n\n| line | finding |\n| a | b |\n", 5, "rule of dashes"),
        ("# P\n\n## S\n\n| line | finding |\n|---|---|\n| a |\n", 7, "1 cells below 2 columns"),
        ("# P\n\n## S\n\n| known \\ true | 2024-01-01 |\n|---|---|\n| 2024-01-01 | - |\n", 5, "without a slot"),
        (f"# P\n\n## S\n{PLANE}".replace("2024-12-01", "2024-13-01"), 10, "not in the calendar"),
        (f"# P\n\n## S\n{PLANE}\n  ```sql\n", 12, "at the margin"),
        (f"# P\n\n## S\n{PLANE}\n<!-- hidden -->\n", 12, "hide nothing"),
        (f"# P\n\n## S\n{PLANE}\n### deeper\n", 12, "no other headings"),
        (f"# P\n{GIVEN}\n## S\n{GIVEN}{PLANE}", 11, "a second time"),
        (f"---\ntitle: P\n---\n# P\n\n## S\n{PLANE}", 1, "begins with its promise"),
    ],
)
def test_a_block_that_means_nothing_is_an_error(text: str, line: int, why: str) -> None:
    with pytest.raises(SpecError) as error:
        read_document(text)
    assert why in error.value.message
    assert error.value.line == line


def test_a_finding_that_no_table_states_fails(tmp_path: Path) -> None:
    text = f"# P\n\n## S\n{GIVEN}{IDLE}{PLANE}"
    assert "+ lore/journal/2025-03-05.md:1 | ineffective" in shown(text, tmp_path)


def test_a_table_of_findings_states_exactly_these(tmp_path: Path) -> None:
    table = "\n| line | finding |\n|---|---|\n| lore/journal/2025-03-05.md:1 | ineffective |\n"
    assert failures(f"# P\n\n## S\n{GIVEN}{IDLE}{table}", tmp_path) == []
    assert "- lore/journal/2025-03-05.md:1 | ineffective" in shown(f"# P\n\n## S\n{GIVEN}{table}", tmp_path / "other")


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("select object from beliefs", "order by"),
        ("select object from (select object from beliefs order by object)", "order by"),
        ("select count(*) over (order by object) as object from beliefs", "order by"),
        ("select object from beliefs order by object; select 1 order by 1", "one query at a time"),
        ("delete from beliefs", "SELECT"),
        ("select nothing from beliefs order by 1", "nothing"),
    ],
)
def test_a_query_that_cannot_be_held_to_a_table_is_refused(sql: str, why: str, tmp_path: Path) -> None:
    text = f"# P\n\n## S\n{GIVEN}{QUERY}".replace("select object from beliefs order by object", sql)
    (failed,) = failures(text, tmp_path)
    assert failed.edit is None
    assert why in "\n".join(failed.shown)


def test_row_order_and_column_names_count(tmp_path: Path) -> None:
    query = "\n```sql\nselect x from range(2) t(x) order by x\n```\n\n| x |\n|---|\n| 1 |\n| 0 |\n"
    assert shown(f"# P\n\n## S\n{query}", tmp_path).splitlines() == ["  x", "  1", "- 0", "+ 0"]
    renamed = query.replace("| x |", "| y |").replace("| 1 |\n| 0 |", "| 0 |\n| 1 |")
    assert shown(f"# P\n\n## S\n{renamed}", tmp_path).splitlines() == ["- y", "  0", "  1", "+ x"]


def test_shared_blocks_come_first_in_every_scenario(tmp_path: Path) -> None:
    text = f"# P\n{GIVEN}\n## First\n{PLANE}\n## Second\n{QUERY}"
    document = read_document(text)
    assert [type(block) for block in document.shared] == [Given]
    assert failures(text, tmp_path) == []


def test_a_file_given_again_after_a_question_has_its_new_text(tmp_path: Path) -> None:
    text = HELD + GIVEN.replace("good", "poor") + QUERY.replace("| good   |", "| poor   |")
    assert failures(text, tmp_path) == []


def test_a_charset_beside_the_fence_is_how_the_bytes_are_written() -> None:
    text = f"# P\n\n## S\n{GIVEN}{PLANE}".replace("```lore", "```lore latin-1")
    (given, _) = read_document(text).scenarios[0].blocks
    assert isinstance(given, Given)
    assert given.charset == "latin-1"


def test_a_replay_that_depends_on_the_order_of_files_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables_of = spec_replay.tables_of
    monkeypatch.setattr(spec_replay, "tables_of", lambda happened: tables_of(list(happened)[:1]))
    more = GIVEN.replace("2024-01-10", "2024-01-11")
    assert "the table events depends on the order" in shown(f"# P\n\n## S\n{GIVEN}{more}{PLANE}", tmp_path)


def test_a_file_may_be_given_as_a_link(tmp_path: Path) -> None:
    link = "\n`lore/journal/2024-01-11.md` → `missing.md`\n"
    table = "\n| line | finding |\n|---|---|\n| lore/journal/2024-01-11.md | unreadable-file |\n"
    assert failures(f"# P\n\n## S\n{GIVEN}{link}{PLANE}{table}", tmp_path) == []


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        ("", '""'),
        (True, "true"),
        (3, "3"),
        (1.0, "1.0"),
        (1 / 3, "0.3333"),
        (Decimal("1.50"), "1.50"),
        (datetime(2024, 6, 1), "2024-06-01"),  # noqa: DTZ001 - DuckDB gives naive UTC
        (datetime(2025, 3, 5, 14), "2025-03-05T14:00:00Z"),  # noqa: DTZ001 - as above
        ("a|b", "a|b"),
    ],
)
def test_each_type_has_one_text(value: object, text: str) -> None:
    assert cell(value) == text


@pytest.mark.parametrize("value", ["two\nlines", " padded "])
def test_what_a_cell_cannot_hold_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match="cannot be shown in a cell"):
        cell(value)


def test_a_pipe_in_a_cell_is_escaped_both_ways() -> None:
    lines = written(("a", "b"), [("x|y", "")])
    assert lines == [r"| a    | b |", "|------|---|", r"| x\|y |   |"]
    text = "# P\n\n## S\n\n```sql\nselect 'x|y' as a, null as b order by 1\n```\n\n" + "\n".join(lines)
    (query,) = read_document(text).scenarios[0].blocks
    assert difference(query.table, ("a", "b"), [("x|y", "")]) == []  # type: ignore[union-attr]


class Suite:
    """A folder of one spec and the runner, run by an inner pytest."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester
        pytester.makeconftest("pytest_plugins = ('markdown_specs',)")
        self.spec = pytester.mkdir("specs") / "promise.md"

    def run(self, *arguments: str) -> pytest.RunResult:
        return self.pytester.runpytest_inprocess("-p", "no:cacheprovider", *arguments)


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Suite:
    monkeypatch.delenv("CI", raising=False)
    return Suite(pytester)


WRONG = HELD.replace("| -          | good       |", "| good | -|").replace("| good   |", "|bad|")


def test_a_scenario_is_an_item_named_by_its_heading(suite: Suite) -> None:
    suite.spec.write_text(f"{HELD}\n## It is held again\n{PLANE.replace('good', '-')}")
    suite.run("--collect-only", "-q").stdout.fnmatch_lines(
        ["specs/promise.md::It is held", "specs/promise.md::It is held again"]
    )
    suite.run("-k", "again").assert_outcomes(passed=1, deselected=1)


def test_a_failure_names_file_line_and_scenario(suite: Suite) -> None:
    suite.spec.write_text(WRONG)
    result = suite.run()
    result.assert_outcomes(failed=1)
    line = WRONG.split("\n").index(r"| known \ true | 2023-12-31 | 2024-03-01 |") + 1
    result.stdout.fnmatch_lines([f"promise.md:{line}  It is held", "*known*", "- 2024-12-01*", "+ 2024-12-01*"])


def test_a_spec_that_means_nothing_is_a_collection_error(suite: Suite) -> None:
    suite.spec.write_text("# P\n\n## S\n\n```python\n```\n")
    result = suite.run()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(['promise.md:5  unknown fence "python"'])


def test_an_update_makes_tables_true_and_touches_nothing_else(suite: Suite) -> None:
    suite.spec.write_text(WRONG)
    suite.run("--spec-update").assert_outcomes(passed=1)
    assert suite.spec.read_text() == HELD
    suite.run().assert_outcomes(passed=1)


def test_an_update_leaves_a_passing_file_byte_for_byte(suite: Suite) -> None:
    loose = HELD.replace("| good   |", "|good|").replace("\n", "\r\n").encode()
    suite.spec.write_bytes(loose)
    suite.run("--spec-update").assert_outcomes(passed=1)
    assert suite.spec.read_bytes() == loose


def test_an_update_does_not_hide_what_no_table_can_say(suite: Suite) -> None:
    suite.spec.write_text(f"# P\n\n## S\n{GIVEN}{IDLE}{PLANE}")
    suite.run("--spec-update").assert_outcomes(failed=1)


def test_ci_never_updates(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    suite.spec.write_text(WRONG)
    assert suite.run("--spec-update").ret == pytest.ExitCode.USAGE_ERROR
    assert suite.spec.read_text() == WRONG


def test_an_update_is_the_work_of_one_process(suite: Suite) -> None:
    suite.spec.write_text(WRONG)
    assert suite.run("--spec-update", "-n", "2").ret == pytest.ExitCode.USAGE_ERROR
    assert suite.spec.read_text() == WRONG


SESSION = """
```console
$ lore query "select 1 as one"
one
2
```
"""


def test_an_update_pastes_what_a_command_said(suite: Suite) -> None:
    suite.spec.write_text(f"# P\n\n## S\n{SESSION}")
    suite.run("--spec-update").assert_outcomes(passed=1)
    assert suite.spec.read_text() == f"# P\n\n## S\n{SESSION}".replace("\n2\n", "\n1\n")
