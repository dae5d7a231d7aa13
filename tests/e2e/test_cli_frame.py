"""What every command shares: the options of the program, errors, signals, the terminal."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from house.tree import PACKAGE
from loreweave import __version__
from loreweave.cli import MODULES, main
from typed import answer, process, refused, screen, typed, vault

JOURNAL = "lore/journal/2024-01-05.md"
FILES = {JOURNAL: "- [fact] Vendor :: reliability :: good\x1b {valid_from=2024-01-01, confidence=0.5}\n"}


@pytest.fixture(scope="module")
def lore(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return vault(tmp_path_factory.mktemp("vault"), FILES)


def on_terminal(at: Path, *words: str, **environment: str) -> str:
    """Run a command whose output is a terminal, one that shows no work in progress; give what is shown there."""
    ours, theirs = pty.openpty()
    settings = {"PYTHONPATH": str(PACKAGE.parent), "LORE_NOW": "2025-12-01", "TERM": "dumb", **environment}
    command = [sys.executable, "-m", "loreweave", "--vault", str(at), *words]
    done = subprocess.run(command, stdout=theirs, stderr=theirs, env={**os.environ, **settings}, check=False)
    assert done.returncode == 0
    os.close(theirs)
    with os.fdopen(ours, "rb", buffering=0) as file:
        return file.read(65_536).decode()


def test_every_command_has_a_page_whose_first_sentence_stands_in_the_list() -> None:
    context = click.Context(main, info_name="lore")
    for name in MODULES:
        command = main.get_command(context, name)
        assert command is not None
        assert command.get_short_help_str(200).endswith((".", ":"))
        for param in command.params:
            assert not isinstance(param, click.Option) or param.hidden or param.help


def test_options_of_the_program_stand_before_or_after_the_command(lore: Path, tmp_path: Path) -> None:
    before = typed(lore, "--json", "--scope", "default", "facts").stdout
    assert typed(tmp_path, "facts", "--json", "--vault", str(lore), "--scope", "default").stdout == before
    assert screen(lore, "--version") == [f"lore {__version__}"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("fact",), ["error: No such command 'fact'.", "hint: `lore --help` says what it takes"]),
        (
            ("facts", "--limits"),
            [
                "error: No such option '--limits'. Did you mean '--limit'?",
                "hint: `lore facts --help` says what it takes",
            ],
        ),
        (("why", "Vendor"), ["error: Missing argument 'P'.", "hint: `lore why --help` says what it takes"]),
    ],
)
def test_a_command_line_that_cannot_be_read_ends_with_2(lore: Path, words: tuple[str, ...], said: list[str]) -> None:
    assert refused(lore, *words) == (2, said)


def test_a_vault_that_is_none_is_named(tmp_path: Path) -> None:
    code, said = refused(tmp_path / "missing", "facts")
    assert (code, said[0]) == (2, f'error: The vault "{tmp_path / "missing"}" is not a folder.')


def test_a_clock_that_cannot_be_read_is_named(lore: Path) -> None:
    told = typed(lore, "facts", LORE_NOW="noon")
    assert (told.exit_code, told.stderr.splitlines()[0]) == (2, 'error: LORE_NOW: "noon" is not a time.')


def test_quiet_leaves_the_answer_and_errors(lore: Path) -> None:
    told = typed(lore, "--quiet", "facts", "--subject", "Vendr")
    assert (told.stdout.splitlines()[0], told.stderr) == ("no facts", "")
    assert refused(lore, "--quiet", "facts", "--as-of", "x")[0] == 2


def test_a_terminal_shows_colour_and_a_table_and_no_control_character(lore: Path) -> None:
    assert "Vendor :: reliability :: good\ufffd  (2024-01-01 → now)" in on_terminal(lore, "facts")
    assert "\x1b[" in on_terminal(lore, "facts")
    assert "\x1b" not in on_terminal(lore, "facts", NO_COLOR="1")
    shown = on_terminal(lore, "query", "select subject, valid_from from beliefs", NO_COLOR="1")
    assert shown.splitlines() == ["subject  valid_from", "───────  ──────────", "Vendor   2024-01-01", "1 row"]


@pytest.mark.parametrize("words", [("--format", "csv"), ("--format", "markdown"), ("--json",), ("--format", "jsonl")])
def test_no_format_lets_a_control_character_reach_a_terminal(lore: Path, words: tuple[str, ...]) -> None:
    sql = "select chr(27) || chr(155) || chr(8238) || chr(13) as said"
    shown = on_terminal(lore, "query", sql, *words).replace("\r\n", "\n")
    assert "".join(char for char in shown if char in "\x1b\x9b\u202e\r") == ""
    assert "\x9b" in typed(lore, "query", sql, *words).stdout


def test_rows_too_wide_for_the_terminal_are_shown_field_by_field(lore: Path) -> None:
    shown = on_terminal(lore, "query", "select subject, path from beliefs", NO_COLOR="1", COLUMNS="20")
    assert shown.splitlines() == ["── row 1 ──", "subject  Vendor", f"path     {JOURNAL}", "1 row"]


def test_a_pipe_gets_no_colour(lore: Path) -> None:
    with process(lore, "facts") as running:
        out, _ = running.communicate(timeout=60)
    assert "\x1b[" not in out


def test_ctrl_c_ends_a_command_with_130_and_no_trace(lore: Path) -> None:
    screen(lore, "replay")
    endless = "select range as n from range(1000000000000) where range < 1000000"
    with process(lore, "query", endless) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.send_signal(signal.SIGINT)
        running.stdout.close()
        assert (running.stderr.read().strip(), running.wait(60)) == ("", 130)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_completion(lore: Path, shell: str) -> None:
    assert "_LORE_COMPLETE" in typed(lore, "completion", shell).stdout


def test_completion_knows_commands_and_groupings(lore: Path) -> None:
    def completed(words: str, incomplete_at: int) -> str:
        settings = {"_LORE_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(incomplete_at)}
        settings |= {"PYTHONPATH": str(PACKAGE.parent)}
        command = [sys.executable, "-m", "loreweave"]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **settings}, check=False)
        return done.stdout

    assert completed("lore fa", 1) == "plain,facts\n"
    assert completed("lore count --group-by m", 3) == "plain,month\n"


@pytest.mark.parametrize(
    "words",
    [("facts",), ("facts", "--json"), ("why", "Vendor", "reliability"), ("count",), ("diff", "--from", "2020-01-01")],
)
def test_a_fresh_index_is_asked_without_heavy_libraries(lore: Path, words: tuple[str, ...]) -> None:
    answer(lore, "facts")
    program = (
        "import sys\nfrom loreweave.cli import main\n"
        "try: main()\nexcept SystemExit as left: assert not left.code\n"
        "heavy = {'pyarrow', 'lark', 'yaml', 'mcp', 'rich', 'filelock', 'asyncio', 'cattrs', 'numpy'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    command = [sys.executable, "-c", program, "--vault", str(lore), *words]
    settings = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "LORE_NOW": "2025-12-01"}
    done = subprocess.run(command, capture_output=True, text=True, env=settings, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_no_command_reaches_for_the_network(tmp_path: Path) -> None:
    at, heeded = vault(tmp_path, {"a.md": "# Atlas\n\nSee https://vendor.example and [[b]].\n"}), True
    reached: list[tuple[str, object]] = []

    def hear(event: str, given: tuple[object, ...]) -> None:
        if heeded and event in ("socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.bind"):
            reached.append((event, given))

    sys.addaudithook(hear)
    for line in ("index", "ask Atlas", "dream"):
        assert typed(at, *line.split()).exit_code == 0, line
    heeded = False
    assert reached == []
