"""What a session of a spec may type, what it shows, and that no command changes a file that is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from spec_checks import Mismatch, play
from spec_document import read_document
from spec_session import NoSuchCommand, Terminal

PLANE = """
What we believed of **Atlas :: owner**:

| known \\ true | 2023-12-31 | 2024-05-01 |
|--------------|------------|------------|
| 2024-01-09   | -          | -          |
| 2024-12-01   | -          | good       |
"""
SESSION = """
```console
$ lore query "select 1 as one"
one
2
```
"""


def failures(text: str, folder: Path) -> list[Mismatch]:
    document = read_document(text)
    return [mismatch for scenario in document.scenarios for mismatch in play(document.shared, scenario, folder)]


def shown(text: str, folder: Path) -> str:
    return "\n".join(line for mismatch in failures(text, folder) for line in mismatch.shown)


def test_a_terminal_knows_six_commands(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    (tmp_path / "a.md").write_text("one\n\ntwo\n")
    (tmp_path / ".lore").mkdir()
    assert terminal.type("cat a.md") == ["one", "", "two"]
    assert terminal.type("export LORE_BY='Priya S'") == []
    assert terminal.exported == {"LORE_BY": "Priya S"}
    assert terminal.type("rm -r .lore") == []
    assert not (tmp_path / ".lore").exists()
    assert terminal.type("mv a.md below/b.md") == []
    assert terminal.type("cat below/b.md") == ["one", "", "two"]
    assert terminal.type("rm below/b.md") == []
    assert list(tmp_path.rglob("*.md")) == []


@pytest.mark.parametrize(
    "command",
    [
        "ls",
        "cat ../secret",
        "cat absent.md",
        "rm absent.md",
        "mv a.md ../b.md",
        "mv a.md a.md",
        "rm -r lore",
        "lore facts | head -1",
        "lore query x > out",
        "export A",
    ],
)
def test_a_terminal_has_no_shell(command: str, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("one\n")
    with pytest.raises(NoSuchCommand):
        Terminal(tmp_path).type(command)


@pytest.mark.parametrize(("path", "text"), [("a.md", "one\ntwo\n"), ("lore/journal/2024-01-10.md", "two\n")])
def test_a_command_that_changes_a_file_of_the_vault_is_caught(
    path: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from loreweave.library import Lore

    file = tmp_path / path
    monkeypatch.setattr(Lore, "refresh", lambda *_, **__: file.write_text(text))
    given = f"\n`{path}`\n\n```markdown\none\n```\n"
    session = "\n```console\n$ lore replay\n```\n"
    (failed,) = failures(f"# P\n\n## S\n{given}{session}", tmp_path)
    assert failed.shown == (f'  a command changed "{path}"',)


NOTE = """
`atlas.md`

```markdown
# Atlas

- owner:: Priya
```
"""
UNRECORDED = """
```sql
select subject, object from unrecorded order by subject
```

| subject | object |
|---------|--------|
| Atlas   | Priya  |
"""


def test_notes_are_part_of_a_replay(tmp_path: Path) -> None:
    text = f"# P\n\n## S\n{NOTE}{UNRECORDED}"
    assert failures(text, tmp_path) == []
    again = NOTE.replace("Priya", "Bo") + UNRECORDED.replace("Priya", "Bo   ")
    assert failures(text + again, tmp_path) == []


def test_a_note_that_changes_between_two_sessions_is_an_edit(tmp_path: Path) -> None:
    day = "\n```console\n$ export LORE_NOW=2024-0{0}-01\n$ lore --quiet index --json\n```\n"
    plane = PLANE
    text = f"# P\n\n## S\n{NOTE}{day.format(3)}{NOTE.replace('Priya', 'Bo')}{day.format(4)}{plane}"
    (*sessions, left) = failures(text, tmp_path)
    assert [mismatch.shown[0].split()[:2] for mismatch in sessions] == [["$", "lore"], ["$", "lore"]]
    assert "+ 2024-12-01   | -          | Bo" in left.shown


def test_a_session_fails_at_the_line_of_its_command(tmp_path: Path) -> None:
    text = f"# P\n\n## S\n{SESSION}"
    (failed,) = failures(text, tmp_path)
    assert text.split("\n")[failed.line - 1].startswith("$ lore query")
    assert failed.shown == ('  $ lore query "select 1 as one"', "  one", "- 2", "+ 1")


def test_an_exit_code_is_part_of_the_screen(tmp_path: Path) -> None:
    text = SESSION.replace("\n2\n", "\n1\n").replace("query", "query --fail-if-rows")
    assert shown(f"# P\n\n## S\n{text}", tmp_path).splitlines()[-1] == "+ [exit 1]"


def test_a_command_that_needs_a_clock_fails_without_one(tmp_path: Path) -> None:
    (failed,) = failures("# P\n\n## S\n\n```console\n$ lore facts\n```\n", tmp_path)
    assert failed.shown == ("  this command needs a clock: export LORE_NOW first",)
    assert failed.edit is None


def test_an_index_that_is_not_what_its_files_make_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from loreweave.engine import noting

    session = (
        '\n```console\n$ lore query "select 1 as one"\none\n1\n1 value of notes waits to be recorded: lore index\n```\n'
    )
    text = f"# P\n\n## S\n{NOTE}{session}"
    assert failures(text, tmp_path / "true") == []
    monkeypatch.setattr(noting, "replace_waiting", lambda *_, **__: None)
    (*_, untrue) = failures(text, tmp_path / "untrue")
    assert untrue.shown == ("  the index is not what its files make: unrecorded",)
