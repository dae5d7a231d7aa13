"""Writes the two generated pages: `views.md` from the comments in an index, `commands.md` from the commands themselves.

``python docs/generate.py [--into FOLDER]``; a house test compares what it writes with what is committed.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
import duckdb

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


def main() -> None:
    parser = argparse.ArgumentParser(description="Write docs/views.md and docs/commands.md.")
    parser.add_argument("--into", type=Path, default=DOCS, help="the folder to write into")
    into = parser.parse_args().into
    (into / "views.md").write_text("\n".join(views()), "utf-8")
    (into / "commands.md").write_text("\n".join(commands()), "utf-8")


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


# ------------------------------------------------------------------------------------------ views.md


def views() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder) / "vault"
        shutil.copytree(EXAMPLE, vault, ignore=shutil.ignore_patterns(".lore"))
        _lore(vault, "replay", "--quiet")
        yield VIEWS_HEAD
        yield from _questions(vault)
        with duckdb.connect(str(vault / ".lore" / "index.duckdb"), read_only=True) as index:
            yield from _relations(
                index, "Tables", "select table_name, comment from duckdb_tables() order by table_name"
            )
            yield from _relations(
                index, "Views", "select view_name, comment from duckdb_views() where not internal order by view_name"
            )
            yield from _macros(index)


def _questions(vault: Path) -> Iterator[str]:
    """Show the auditor's questions as they stand in questions/*.sql, each with its answer from the example vault."""
    yield "## Five questions of an auditor\n\nAsked of the vault in `examples/vault`.\n"
    for path in sorted((DOCS / "questions").glob("*.sql")):
        title, _, sql = path.read_text("utf-8").partition("\n")
        answer = _lore(vault, "query", "--format", "markdown", f"@{path}")
        yield f"### {title.removeprefix('--').strip()}\n\n```sql\n{sql.strip()}\n```\n\n{answer.strip()}\n"


def _lore(vault: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "loreweave", "--vault", str(vault), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _relations(index: duckdb.DuckDBPyConnection, heading: str, listing: str) -> Iterator[str]:
    yield f"## {heading}\n"
    for name, comment in index.execute(listing).fetchall():
        yield f"### `{name}`\n\n{comment or ''}\n\n| column | type | meaning |\n|---|---|---|"
        columns = (
            "select column_name, data_type, comment from duckdb_columns() where table_name = ? order by column_index"
        )
        for column, kind, meaning in index.execute(columns, [name]).fetchall():
            yield f"| `{column}` | {kind.lower()} | {(meaning or '').replace('|', chr(92) + '|')} |"
        yield ""


def _macros(index: duckdb.DuckDBPyConnection) -> Iterator[str]:
    yield "## Macros\n"
    listing = """
        select function_name, parameters, comment, function_type = 'table_macro'
        from duckdb_functions()
        where not internal and function_type in ('macro', 'table_macro')
        order by function_name
    """
    for name, parameters, comment, is_table in index.execute(listing).fetchall():
        yield f"### `{name}({', '.join(parameters)})`\n\n{comment or ''}\n"
        if is_table:
            given = ", ".join(["null"] * len(parameters))
            described = index.execute(f"describe select * from {name}({given})").fetchall()
            yield "Columns: " + ", ".join(f"`{column[0]}`" for column in described) + ".\n"


if __name__ == "__main__":
    main()
