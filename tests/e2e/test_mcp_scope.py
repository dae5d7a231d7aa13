"""A server is started with one scope, and no argument of any tool shows or writes anything of another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from clients import call, within
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


@pytest.mark.parametrize("sql", SQL)
def test_sql_sees_the_rows_of_the_scope_and_no_others(sql: str, at: Path) -> None:
    async def talk(client: Client) -> str:
        await call(client, "lore_index")
        return (await client.call_tool("lore_query_sql", {"sql": sql})).model_dump_json()

    assert SECRET not in within(at, talk, scope="alice")


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


def test_without_a_scope_a_server_answers_for_the_default_one(at: Path) -> None:
    async def talk(client: Client) -> None:
        facts = (await call(client, "lore_query_facts", subject="Vendor", predicate="word"))["facts"]
        assert [fact["object"] for fact in facts] == [f"{SECRET}2"]

    within(at, talk)
