"""Writes the generated pages: `views.md` from the comments in an index, `commands.md` and `tools.md` from the program.

``python docs/generate.py [--into FOLDER]``; a house test compares what it writes with what is committed.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import duckdb

from loreweave.store.schema import TABLES, comment_sql, create_sql
from loreweave.store.sources import CALLED, PHRASES, REPEATS
from loreweave.store.views import comment_views, create_views
from loreweave.store.views import views as questions

DOCS = Path(__file__).resolve().parent
EXAMPLE = DOCS.parent / "examples" / "vault"
WIDTH = 100

VIEWS_HEAD = """# Tables, views and macros

Written by `make docs` from the comments in the index.

`lore query "…"` and any DuckDB client that opens `.lore/index.duckdb` see these.
Times are UTC; an end that is open is NULL; `until` is exclusive.
[The glossary](glossary.md) says what each word means.
"""

COMMANDS_HEAD = """# Commands

Written by `make docs` from the commands themselves.

`lore` and `loreweave` are one program.
Data goes to standard output, everything else to standard error.
The exit code is 0 for fine, 1 for asked and answered badly, 2 for could not ask.
"""

TOOLS_HEAD = """# Tools

Written by `make docs` from the tools themselves.

These are what `lore serve --mcp` gives an agent; [the page on agents](agents.md) says how to connect one.
A server started with `--read-only` has none of those that write.
Of `lore_resume` and `lore_propose_facts` it has a form that only reads.
Every answer quotes notes and lines as data, and every list says `shown` and `of`, and under `more` how to get the rest.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="Write docs/views.md, docs/commands.md and docs/tools.md.")
    parser.add_argument("--into", type=Path, default=DOCS, help="the folder to write into")
    into = parser.parse_args().into
    (into / "views.md").write_text("\n".join(views()), "utf-8")
    (into / "commands.md").write_text("\n".join(commands()), "utf-8")
    (into / "tools.md").write_text("\n".join(tools()), "utf-8")


# ------------------------------------------------------------------------------------------ commands.md


def commands() -> Iterator[str]:
    from loreweave.cli import main as program

    yield COMMANDS_HEAD
    context = click.Context(program, info_name="lore", terminal_width=WIDTH, max_content_width=WIDTH)
    yield from _help(program, context)


def _help(command: click.Command, context: click.Context) -> Iterator[str]:
    yield f"## {context.command_path}\n\n```text\n{command.get_help(context).rstrip()}\n```\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                yield from _help(below, click.Context(below, parent=context, info_name=name))


# ------------------------------------------------------------------------------------------ tools.md


def tools() -> Iterator[str]:
    from loreweave.mcp.tools import TOOLS

    yield TOOLS_HEAD
    for tool in TOOLS:
        yield f"## `{tool.name}`\n\n{_sentences(tool.told)}\n"
        yield f"It {'writes' if tool.writes else 'only reads'}{', and may end what holds' if tool.destroys else ''}.\n"
        yield from _arguments(tool.takes)


def _sentences(text: str) -> str:
    """Put each sentence on a line of its own."""
    return re.sub(r"(?<=[.!?]) (?=[A-Z])", "\n", text)


def _arguments(takes: dict[str, Any]) -> Iterator[str]:
    if not takes["properties"]:
        yield "It takes nothing.\n"
        return
    yield "| argument | type | meaning |\n|---|---|---|"
    for name, schema in takes["properties"].items():
        kind = f"list of {schema['items']['type']}s" if schema["type"] == "array" else schema["type"]
        must = "required" if name in takes.get("required", ()) else ""
        choices = f"one of {', '.join(schema['enum'])}" if "enum" in schema else ""
        told = " ".join(f"{each.rstrip('.')}." for each in (must, choices, schema.get("description", "")) if each)
        yield f"| `{name}` | {kind} | {told[:1].upper()}{told[1:]} |"
    yield ""


# ------------------------------------------------------------------------------------------ views.md


def views() -> Iterator[str]:
    yield VIEWS_HEAD
    yield from _questions()
    with duckdb.connect() as index:
        for table in (*TABLES, REPEATS, PHRASES, CALLED):
            index.execute(create_sql(table))
            for comment in comment_sql(table):
                index.execute(comment)
        create_views(index)
        comment_views(index)
        yield from _tables(index)
        yield from _views(index)


def _questions() -> Iterator[str]:
    """Show the auditor's questions as they stand in questions/*.sql, each with its answer from the example vault."""
    yield "## Five questions of an auditor\n\nAsked of the vault in `examples/vault`.\n"
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder) / "vault"
        shutil.copytree(EXAMPLE, vault, ignore=shutil.ignore_patterns(".lore"))
        for path in sorted((DOCS / "questions").glob("*.sql")):
            title, _, sql = path.read_text("utf-8").partition("\n")
            answer = _lore(vault, "query", "--format", "markdown", f"@{path}")
            yield f"### {title.removeprefix('--').strip()}\n\n```sql\n{sql.strip()}\n```\n\n{answer.strip()}\n"


def _lore(vault: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "loreweave", "--vault", str(vault), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _tables(index: duckdb.DuckDBPyConnection) -> Iterator[str]:
    yield "## Tables\n"
    for table in TABLES:
        yield f"### `{table.name}`\n\n{table.comment}\n"
        yield from _columns(index, table.name)


def _views(index: duckdb.DuckDBPyConnection) -> Iterator[str]:
    yield "## Views and macros\n"
    for view in sorted(questions()):
        taken = "select parameters from duckdb_functions() where function_name = ?"
        parameters = [] if view.kind == "view" else index.execute(taken, [view.name]).fetchall()[0][0]
        signature = f"{view.name}({', '.join(parameters)})" if parameters else view.name
        yield f"### `{signature}`\n\n{view.comment}\n"
        if view.kind == "view":
            yield from _columns(index, view.name)
        elif view.kind == "macro table":
            asked = f"describe select * from {view.name}({', '.join(['null'] * len(parameters))})"
            yield "Columns: " + ", ".join(f"`{name}`" for name, *_ in index.execute(asked).fetchall()) + ".\n"


def _columns(index: duckdb.DuckDBPyConnection, relation: str) -> Iterator[str]:
    yield "| column | type | meaning |\n|---|---|---|"
    listing = "select column_name, data_type, comment from duckdb_columns() where table_name = ? order by column_index"
    for column, kind, meaning in index.execute(listing, [relation]).fetchall():
        yield f"| `{column}` | {kind.lower()} | {meaning} |"
    yield ""


if __name__ == "__main__":
    main()
