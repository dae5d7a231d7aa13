"""A server is started with one scope, and no argument of any tool shows or writes anything of another."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from clients import call, text_of, within
from loreweave.mcp.tools import TOOLS, served
from typed import NOW, vault

SECRET = "kestrel"
"""Stands in every place of the other scopes, and nowhere in the scope that is served."""

FILES = {
    "lore/config.toml": '[scopes]\n"clients/alice" = "alice"\n"clients/bob" = "bob"\n',
    "clients/alice/atlas.md": "---\nstatus: pilot\n---\n# Atlas\n\nThe merlin report of Alice.\n",
    "clients/bob/vendor.md": f"---\nstatus: {SECRET}\n---\n# Vendor\n\nThe {SECRET} report of Bob. [[Atlas]]\n",
    "open.md": f"---\nstatus: {SECRET}-default\n---\n# Open\n\nThe {SECRET} report of all.\n",
    "lore/inbox-bob.md": f"- 2024-01-05 09:00 — {SECRET}\n",
    "lore/journal/2024-01-05.md": (
        "- [fact] Vendor :: word :: merlin {recorded_at=2024-01-05T09:00:00Z, scope=alice}\n"
        f"- [fact] Vendor :: word :: {SECRET} {{recorded_at=2024-01-05T09:00:00Z, scope=bob}}\n"
        f"- [fact] Vendor :: word :: {SECRET}2 {{recorded_at=2024-01-05T09:00:00Z}}\n"
        f"- [proposed] Vendor :: word :: {SECRET}3 {{kind=fact, recorded_at=2024-01-05T09:00:01Z, scope=bob, by=x}}\n"
    ),
}
OTHERS = ["bob", "default", "Bob", "*", "%", "alice' or 'a'='a", "clients/bob/vendor.md", "../bob", "open.md"]
SQL = [
    "select * from beliefs",
    "select * from events",
    "select * from notes",
    "select * from spans",
    "select * from proposals",
    "select * from links",
    "select * from belief_at(now(), null)",
    "select * from beliefs where scope_key = 'bob'",
    "with recursive t as (select * from events) select * from t",
    "select (select string_agg(object, ',') from index.main.beliefs)",
    "select * from duckdb_tables()",
    "select * from read_text('clients/bob/vendor.md')",
    "attach '.lore/index.duckdb' as other; select * from other.beliefs",
    "select * from query('select * from beliefs')",
    "select * from information_schema.tables",
]


COUNTS = [
    "select table_catalog, table_schema, table_name, column_name from information_schema.columns order by all",
    "select count(*) from events",
    "select max(rowid) from beliefs",
    "explain select * from notes",
    "select * from findings",
    "select * from sources",
    "select * from meta",
    "select * from sqlite_master",
    "select current_database(), current_schema(), getvariable('as_of')",
    "select current_setting('memory_limit')",
    "select * from glob('**')",
    "select * from whole.main.beliefs",
    "select * from index.main.sources",
    "select * from pragma_table_info('beliefs')",
    "select * from duckdb_databases()",
    "select nextval('x')",
    "select column_name from (describe beliefs)",
    "select * from summary(beliefs)",
    "select cast(string_agg(object, ' ') as int) from events",
]


@pytest.fixture(autouse=True)
def _present(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LORE_NOW", NOW)


@pytest.fixture
def at(tmp_path: Path) -> Path:
    return vault(tmp_path / "vault", FILES)


def told_twice(answer: Any, given: dict[str, Any]) -> str:
    """Give an answer as text, without what the question itself said."""
    text = json.dumps(answer, ensure_ascii=False)
    for value in given.values():
        text = text.replace(json.dumps(value, ensure_ascii=False)[1:-1], "")
    return text


def test_no_tool_tells_anything_of_another_scope(at: Path) -> None:
    async def talk(client: Client) -> None:
        await call(client, "lore_index")
        for tool in TOOLS:
            texts = [each for each in tool.arguments if each.kind in ("text", "texts")]
            for argument in texts:
                for value in (*([] if tool.writes else [SECRET]), "Vendor", *OTHERS):
                    given = {each.name: "Vendor" for each in tool.arguments if each.required} | {argument.name: value}
                    result = await client.call_tool(tool.name, given)
                    assert SECRET not in told_twice(result.model_dump(mode="json"), given), (tool.name, given)
        facts = (await call(client, "lore_query_facts", subject="Vendor", predicate="word", history=True))["facts"]
        assert "merlin" in [fact["object"] for fact in facts]

    before = {path: (at / path).read_bytes() for path in FILES if "bob" in path or path == "open.md"}
    within(at, talk, scope="alice")
    assert {path: (at / path).read_bytes() for path in before} == before
    assert within(at, others, scope="bob") == [(SECRET, "stated"), (SECRET, "extracted")]


def test_a_scope_that_holds_nothing_is_not_told_which_others_there_are(at: Path) -> None:
    async def talk(client: Client) -> str:
        answers = []
        for tool in TOOLS:
            given = {each.name: "Vendor" for each in tool.arguments if each.required}
            answers.append((await client.call_tool(tool.name, given)).model_dump_json())
        return "".join(answers).lower()

    told = within(at, talk, scope="carol")
    assert [name for name in ("alice", "bob", SECRET, "open.md") if name in told] == []


def test_indexing_counts_the_notes_and_the_values_of_the_scope_alone(at: Path) -> None:
    async def talk(client: Client) -> tuple[dict[str, Any], dict[str, Any]]:
        first = await call(client, "lore_index")
        for note in ("clients/alice/atlas.md", "clients/bob/vendor.md", "open.md"):
            (at / note).write_text((at / note).read_text("utf-8").replace("status:", "stage:"), "utf-8")
        (at / "clients/bob/more.md").write_text("more:: yes\n", "utf-8")
        (at / "clients/bob/rest.md").write_text("rest:: no\n", "utf-8")
        return first, await call(client, "lore_index")

    first, second = within(at, talk, scope="alice")
    assert (first["observed"], first["withdrawn"], first["recorded_at"]) == (1, 0, NOW)
    assert second["notes"] == {"added": 0, "changed": 1, "removed": 0, "unchanged": 0}
    assert (second["observed"], second["withdrawn"], second["path"]) == (1, 1, first["path"])
    (at / "clients/bob/rest.md").unlink()
    nothing = within(at, indexed, scope="alice")
    assert (nothing["notes"], nothing["observed"], nothing["withdrawn"]) == (
        {"added": 0, "changed": 0, "removed": 0, "unchanged": 1},
        *(0, 0),
    )
    assert (nothing["path"], nothing["recorded_at"]) == (None, None)


async def indexed(client: Client) -> dict[str, Any]:
    """What recording what notes state comes to."""
    return await call(client, "lore_index")


def test_answers_are_the_same_whatever_other_scopes_hold(at: Path, tmp_path: Path) -> None:
    own = {path: text for path, text in FILES.items() if "alice" in path or path == "lore/config.toml"}
    own["lore/journal/2024-01-05.md"] = FILES["lore/journal/2024-01-05.md"].splitlines(keepends=True)[0]
    alone = vault(tmp_path / "alone", own)

    async def told(client: Client, name: str, given: dict[str, Any]) -> Any:
        """What is answered, but for how many lines of a file stand before."""
        text = told_twice((await client.call_tool(name, given)).model_dump(mode="json"), given)
        return name, given, re.sub(r":[0-9]+\b|, [0-9]+(?=\])|,[0-9]+(?=\])", "", text)

    async def talk(client: Client) -> list[Any]:
        await call(client, "lore_index")
        asked = []
        for tool in TOOLS:
            for value in ("Vendor", "clients/bob/vendor.md"):
                given = {each.name: value for each in tool.arguments if each.required}
                also = ("dry_run", "full")
                asked.append((tool.name, given | {each.name: True for each in tool.arguments if each.name in also}))
        asked += [("lore_query_sql", {"sql": sql}) for sql in (*SQL, *COUNTS)]
        return [await told(client, *each) for each in asked]

    among, by_itself = within(at, talk, scope="alice"), within(alone, talk, scope="alice")
    assert [pair for pair in zip(among, by_itself, strict=True) if pair[0] != pair[1]] == []


def test_indexing_tells_of_no_note_of_another_scope_that_it_looked_at(at: Path) -> None:
    async def talk(client: Client) -> dict[str, Any]:
        await call(client, "lore_index")
        for note in ("clients/alice/atlas.md", "clients/bob/vendor.md"):
            path = at / note
            added = f"- [fact] {SECRET} :: since :: x {{valid_from=2024-01-02, valid_until=2024-01-01}}\n"
            path.write_text(path.read_text("utf-8").replace("# ", "# New ") + added, "utf-8")
        return await call(client, "lore_index")

    made = within(at, talk, scope="alice")
    assert {each["path"] for each in (*made["renamed"], *made["refused"])} == {"clients/alice/atlas.md"}
    assert made["renamed"]


async def others(client: Client) -> list[tuple[str, str]]:
    """What the other scope holds of its words."""
    found = await call(client, "lore_query_facts", history=True)
    return sorted(((fact["object"], fact["source"]) for fact in found["facts"]), key=lambda each: each[1], reverse=True)


def test_a_server_that_reads_alone_tells_none_of_it_either(at: Path) -> None:
    async def talk(client: Client) -> None:
        for tool in served(read_only=True):
            given = {each.name: SECRET for each in tool.arguments if each.required}
            result = await client.call_tool(tool.name, given)
            assert SECRET not in told_twice(result.model_dump(mode="json"), given), tool.name

    within(at, talk, scope="alice", read_only=True)


def test_sql_sees_the_rows_of_the_scope_and_no_others(at: Path) -> None:
    async def talk(client: Client) -> None:
        await call(client, "lore_index")
        for sql in SQL:
            assert SECRET not in (await client.call_tool("lore_query_sql", {"sql": sql})).model_dump_json(), sql

    within(at, talk, scope="alice")


def test_the_same_questions_of_a_server_of_the_other_scope_do_tell_it(at: Path) -> None:
    async def talk(client: Client) -> None:
        await call(client, "lore_index")
        for name, given in [
            ("lore_search", {"queries": "report"}),
            ("lore_query_facts", {"subject": "Vendor"}),
            ("lore_read_note", {"address": "clients/bob/vendor.md"}),
            ("lore_query_sql", {"sql": "select * from beliefs"}),
        ]:
            assert SECRET in json.dumps(await call(client, name, **given))

    within(at, talk, scope="bob")


def test_what_is_written_is_written_in_the_scope(at: Path) -> None:
    async def talk(client: Client) -> None:
        await call(client, "lore_assert_fact", subject="Vendor", predicate="country", object="Norway")
        await call(client, "lore_capture", text="a merlin was seen")
        found = await call(client, "lore_query_facts", predicate="country")
        assert (found["scope"], [fact["object"] for fact in found["facts"]]) == ("alice", ["Norway"])

    before = (at / "lore/inbox-bob.md").read_text("utf-8")
    within(at, talk, scope="alice")
    assert "scope=alice" in (at / "lore/journal/2025-12-01.md").read_text("utf-8")
    assert "merlin" in (at / "lore/inbox-alice.md").read_text("utf-8")
    assert (at / "lore/inbox-bob.md").read_text("utf-8") == before
    assert not (at / "lore/inbox.md").exists()


def test_a_note_of_another_scope_is_no_resource(at: Path) -> None:
    async def talk(client: Client) -> None:
        _, content = (await client.read_resource("lore://note/clients/alice/atlas.md")).contents
        assert "merlin" in content.model_dump_json()
        for path in ("clients/bob/vendor.md", "clients%2Fbob%2Fvendor.md", "open.md", "lore/inbox-bob.md", "../x.md"):
            with pytest.raises(MCPError) as refused:
                await client.read_resource(f"lore://note/{path}")
            assert SECRET not in str(refused.value)

    within(at, talk, scope="alice")


def test_settings_of_scopes_that_have_no_meaning_are_told_without_the_names_in_them(at: Path) -> None:
    (at / "lore/config.toml").write_text(f'[scopes]\n"clients/{SECRET}" = 5\n', "utf-8")

    async def talk(client: Client) -> str:
        return text_of(await client.call_tool("lore_query_facts", {}))

    told = within(at, talk, scope="alice")
    assert told.startswith("lore/config.toml:2: a setting in [scopes] has no meaning. Hint: a person sees which")
    assert SECRET not in told


def test_without_a_scope_a_server_answers_for_the_default_one(at: Path) -> None:
    async def talk(client: Client) -> None:
        facts = (await call(client, "lore_query_facts", subject="Vendor", predicate="word"))["facts"]
        assert [fact["object"] for fact in facts] == [f"{SECRET}2"]
        sql = "select scope_key, object from beliefs union select scope_key, path from notes order by all"
        rows = (await call(client, "lore_query_sql", sql=sql))["rows"]
        assert rows == [["default", f"{SECRET}2"], ["default", "open.md"]]
        assert (await call(client, "lore_index"))["observed"] == 1

    within(at, talk)
