"""What the pages say there is, is there, and the other way round: commands, their flags, and the tools for agents."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from house.tree import ROOT, relative, tracked
from loreweave.cli import main
from loreweave.mcp.tools import TOOLS
from loreweave.reports.budget import REST
from loreweave.reports.guidance import AGENTS

PAGES = [
    path
    for path in tracked()
    if path.suffix == ".md"
    and (path.parent == ROOT or path.parent.name in ("docs", "specs"))
    and path.parts[-1] != "CHANGELOG.md"
]
TOOL_NAMES = {tool.name for tool in TOOLS}


def commands() -> dict[str, click.Command]:
    """Every command by the words it is typed with."""
    found: dict[str, click.Command] = {}
    context = click.Context(main, info_name="lore")
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        assert command is not None
        found[name] = command
        if isinstance(command, click.Group):
            found |= {f"{name} {inner}": each for inner, each in command.commands.items()}
    return found


COMMANDS = commands()
OF_ALL = {option for param in main.params for option in (*param.opts, *param.secondary_opts)} | {"-h", "--help"}


def flags_of(name: str) -> set[str]:
    return OF_ALL | {option for param in COMMANDS[name].params for option in (*param.opts, *param.secondary_opts)}


EVERY_FLAG = OF_ALL.union(*(flags_of(name) for name in COMMANDS))


def typed(page: Path) -> list[tuple[str, str]]:
    """The command lines of a page that begin with ``lore``: in spans of code, and behind ``$`` in blocks."""
    text = page.read_text("utf-8")
    spans = re.findall(r"(?<!`)`(lore [^`\n]+)`(?!`)", text)
    lines = re.findall(r"^\$ (lore [^\n]+)", text, flags=re.MULTILINE)
    found = []
    for line in (*spans, *lines):
        words = line.split()[1:]
        name = " ".join(words[:2]) if " ".join(words[:2]) in COMMANDS else words[0]
        found.append((name, line))
    return found


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_a_command_line_on_a_page_names_a_command_with_the_flags_it_has(page: Path) -> None:
    wrong = []
    for name, line in typed(page):
        if name.startswith(("-", "<", "…", "COMMAND")):
            continue
        flags = set(
            re.findall(r"(?<=\s)(?:--[a-z][a-z-]*|-[a-z])(?=[\s=]|$)", re.sub(r"\"[^\"]*\"|'[^']*'", "x", line))
        )
        if name not in COMMANDS or not flags <= flags_of(name):
            wrong.append(line)
    assert wrong == []


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_a_flag_alone_on_a_page_is_one_of_some_command(page: Path) -> None:
    alone = re.findall(r"(?<!`)`(--[a-z][a-z-]*)[^`\n]*`(?!`)", page.read_text("utf-8"))
    assert set(alone) - EVERY_FLAG - {"--spec-update", "--ff-only"} == set()


def test_the_page_of_commands_has_every_command_with_every_flag() -> None:
    sections = (ROOT / "docs" / "commands.md").read_text("utf-8").split("\n## lore ")[1:]
    told = {section.partition("\n")[0]: section for section in sections}
    assert told.keys() == COMMANDS.keys()
    shown = {
        name: [param.opts[-1] for param in command.params if not getattr(param, "hidden", True)]
        for name, command in COMMANDS.items()
    }
    assert any(shown.values())
    assert [(name, flag) for name, flags in shown.items() for flag in flags if flag not in told[name]] == []


def test_the_page_of_tools_has_every_tool_with_every_argument() -> None:
    sections = (ROOT / "docs" / "tools.md").read_text("utf-8").split("\n## `")[1:]
    told = {section.partition("`")[0]: section for section in sections}
    assert list(told) == [tool.name for tool in TOOLS]
    for tool in TOOLS:
        assert re.findall(r"^\| `(\w+)` \|", told[tool.name], flags=re.MULTILINE) == [
            each.name for each in tool.arguments
        ]


def test_the_readme_lists_every_command_and_no_other() -> None:
    section = (ROOT / "README.md").read_text("utf-8").partition("\n## Commands\n")[2].partition("\n## ")[0]
    cells = [row.split("|")[1] for row in section.splitlines() if row.startswith("| `")]
    listed = {" ".join(line.split()[1:]) for cell in cells for line in re.findall(r"`(lore [^`]+)`", cell)}
    leaves = {name for name, command in COMMANDS.items() if not isinstance(command, click.Group)}
    assert listed == leaves


def test_the_page_on_agents_lists_every_tool_and_no_other() -> None:
    page = (ROOT / "docs" / "agents.md").read_text("utf-8").partition("\n## What an agent sees\n")[2]
    rows = [row.split("|")[1] for row in page.partition("\n### ")[0].splitlines() if row.startswith("| `lore_")]
    listed = [name for row in rows for name in re.findall(r"`(lore_\w+)`", row)]
    assert sorted(listed) == sorted(TOOL_NAMES)


@pytest.mark.parametrize("page", [*PAGES, ROOT / "src/loreweave/reports/guidance.py"], ids=relative)
def test_a_tool_that_is_named_is_there(page: Path) -> None:
    assert set(re.findall(r"`(lore_[a-z_]+)`", page.read_text("utf-8"))) - TOOL_NAMES - {"lore_"} == set()


def test_the_text_for_agents_names_the_tools_they_begin_and_write_with() -> None:
    named = set(re.findall(r"lore_[a-z]+(?:_[a-z]+)*", AGENTS))
    assert named >= {"lore_context_pack", "lore_search", "lore_propose_facts", "lore_mark_used"}
    assert named | set(re.findall(r"lore_[a-z_]+", " ".join(REST.values()))) <= TOOL_NAMES


def test_the_options_of_the_server_are_told_with_it() -> None:
    page = (ROOT / "docs" / "agents.md").read_text("utf-8").partition("\n## Options\n")[2].partition("\n## ")[0]
    told = set(re.findall(r"^\| `(--[a-z-]+)", page, flags=re.MULTILINE))
    own = {option for param in COMMANDS["serve"].params for option in param.opts if not getattr(param, "hidden", False)}
    assert told == own - {"--mcp"} | {"--scope"}
