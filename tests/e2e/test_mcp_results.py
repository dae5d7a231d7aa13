"""Results stay within the room there is, say how much they leave out, and how to get it; resources and prompts too."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from clients import call, text_of, within
from loreweave.mcp.tools import TOOLS
from loreweave.store.schema import TABLES as STORED
from loreweave.store.views import views as stored_views
from typed import NOW, typed, vault

NOTES = 400
NOTE = "---\nstatus: s{number}\n---\n# Note {number}\n\nThe quarterly kestrel survey, part {number}.\n"
FILES = {
    **{f"notes/n{number}.md": NOTE.format(number=number) for number in range(NOTES)},
    "big.md": "# Big\n\n" + "The kestrel survey goes on and on.\n" * 6_000,
    "quotes.md": "# Quotes\n\n" + '"\\"\\"\\"\\""' * 9_000 + "\n",
}
DEFAULT: dict[str, dict[str, Any]] = {
    "lore_context_pack": {"topic": "kestrel survey"},
    "lore_search": {"queries": "kestrel survey"},
    "lore_read_note": {"address": "big.md"},
    "lore_query_facts": {},
    "lore_why": {"subject": "Note 7", "predicate": "status"},
    "lore_timeline": {"entity": "Note 7"},
    "lore_aggregate_facts": {},
    "lore_resume": {"since": "2020-01-01"},
    "lore_review": {},
    "lore_assert_fact": {"subject": "Note 7", "predicate": "status", "object": "done", "dry_run": True},
    "lore_invalidate_fact": {"subject": "Note 8", "predicate": "status", "dry_run": True},
    "lore_retract_fact": {"subject": "Note 9", "predicate": "status", "dry_run": True},
    "lore_propose_facts": {"note": "notes/n7.md"},
    "lore_capture": {"text": "kestrel"},
    "lore_mark_used": {"address": "notes/n7.md#Note 7"},
    "lore_dream_report": {},
    "lore_query_sql": {"sql": "select * from events"},
    "lore_index": {},
}
MOST = {
    "lore_search": {"queries": "kestrel survey", "limit": 500, "full": True},
    "lore_query_facts": {"limit": 100_000},
    "lore_aggregate_facts": {"limit": 100_000},
    "lore_resume": {"since": "2020-01-01", "limit": 100_000},
    "lore_dream_report": {"limit": 100_000},
    "lore_query_sql": {"sql": "select * from spans", "limit": 100_000},
    "lore_context_pack": {"topic": "kestrel survey", "budget": 10_000_000},
    "lore_read_note": {"address": "quotes.md"},
}


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = vault(tmp_path_factory.mktemp("large"), FILES)
    typed(made, "index")
    return made


@pytest.fixture(autouse=True)
def _present(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LORE_NOW", NOW)


@pytest.mark.parametrize("room", [4_000, 10_000, 40_000])
def test_no_result_is_longer_than_the_room_there_is(room: int, at: Path) -> None:
    async def talk(client: Client) -> None:
        for name, given in [*DEFAULT.items(), *MOST.items()]:
            result = await client.call_tool(name, given)
            assert not result.is_error, (name, text_of(result))
            assert len(result.model_dump_json(by_alias=True, exclude_none=True)) <= room, name
            assert json.loads(text_of(result)) == result.structured_content

    assert set(DEFAULT) == {tool.name for tool in TOOLS}
    within(at, talk, room=room, read_only=False)


def test_a_pack_has_its_budget_and_eight_thousand_characters_where_none_is_given(at: Path) -> None:
    async def talk(client: Client) -> list[int]:
        given: list[dict[str, Any]] = [{}, {"budget": 3_000}, {"budget": 12_000}]
        answers = [await client.call_tool("lore_context_pack", {"topic": "kestrel", **each}) for each in given]
        return [len(text_of(answer)) for answer in answers]

    for length, budget in zip(within(at, talk), [8_000, 3_000, 12_000], strict=True):
        assert budget - 700 < length <= budget


def test_what_a_list_leaves_out_is_counted_and_can_be_asked_for(at: Path) -> None:
    async def talk(client: Client) -> None:
        for name, noun, given in [
            ("lore_query_facts", "facts", {"predicate": "status", "limit": 1_000, "as_known_at": "2025-12-01"}),
            ("lore_aggregate_facts", "groups", {"group_by": "subject", "as_known_at": "2025-12-01"}),
            ("lore_query_sql", "rows", {"sql": "select path from notes order by path", "limit": 1_000}),
        ]:
            seen: list[Any] = []
            of = (await call(client, name, **given))["of"]
            while len(seen) < of:
                answer = await call(client, name, **given, offset=len(seen))
                assert answer["of"] == of
                assert answer["shown"] == len(answer[noun]) > 0
                seen += answer[noun]
                assert ("more" in answer) == (len(seen) < of)
                if "more" in answer:
                    assert answer["more"] == f"{of - len(seen):,} more: call again with offset {len(seen)}"
            assert len(seen) == of >= NOTES
            assert len({json.dumps(each) for each in seen}) == of

    within(at, talk, room=20_000)


def test_how_many_passages_there_are_is_said_where_it_is_known(at: Path) -> None:
    async def talk(client: Client) -> None:
        few = await call(client, "lore_search", queries="kestrel", limit=7)
        assert (few["shown"], few["of"], few["more"]) == (7, None, "there may be more: set a higher limit")
        cut = await call(client, "lore_search", queries="kestrel", limit=200, full=True)
        assert 7 < cut["shown"] < 200
        assert cut["of"] is None
        assert cut["more"].startswith("more than were counted: set a lower limit")
        nothing = await call(client, "lore_search", queries="zyzzyva")
        assert (nothing["shown"], nothing["of"], "more" in nothing) == (0, 0, False)

    within(at, talk)


def test_of_a_line_that_is_too_long_it_is_told_how_to_read_the_rest(tmp_path: Path) -> None:
    (tmp_path / "it's.md").write_text("# Long\n\n" + "w" * 50_000 + "end\n", "utf-8")

    async def talk(client: Client) -> None:
        answer = await call(client, "lore_read_note", address="it's.md:3-3")
        assert f"line 3 goes on after {len(answer['text']):,} characters" in answer["more"]
        sql, pieces, of = answer["more"].partition("pieces, ")[2], list[str](), 1
        while len(pieces) < of:
            page = await call(client, "lore_query_sql", sql=sql, offset=len(pieces))
            pieces, of = pieces + [text for (text,) in page["rows"]], page["of"]
        assert "".join(pieces) == "w" * 50_000 + "end"
        resource = (await client.read_resource("lore://note/it's.md:3-3")).model_dump_json()
        assert sql in resource
        assert len(resource) <= 40_000

    within(tmp_path, talk)


def test_a_long_note_comes_in_parts_that_say_where_they_stand(at: Path) -> None:
    async def talk(client: Client) -> str:
        answer = await call(client, "lore_read_note", address="big.md")
        assert (answer["start_line"], answer["of"]) == (1, 6_002)
        assert answer["shown"] == answer["end_line"] < 6_002
        assert answer["rest"] == f"big.md:{answer['end_line'] + 1}-6002"
        text = answer["text"]
        while answer["rest"]:
            answer = await call(client, "lore_read_note", address=answer["rest"])
            text += "\n" + answer["text"]
        return text + "\n"

    assert within(at, talk) == FILES["big.md"]


@pytest.mark.parametrize("room", [4_000, 40_000])
def test_the_views_and_the_notes_are_resources_within_the_same_room(room: int, at: Path) -> None:
    async def talk(client: Client) -> None:
        assert [str(each.uri) for each in (await client.list_resources()).resources] == ["lore://views"]
        templates = (await client.list_resource_templates()).resource_templates
        assert [each.uri_template for each in templates] == ["lore://note/{path}"]
        views = (await client.read_resource("lore://views")).contents[0].model_dump()["text"]
        *listed, last = [line for line in views.splitlines() if line.startswith("- ")]
        assert all(line.startswith("- `") for line in listed)
        left = re.fullmatch(r"- (\d+) more, for which there is no room here", last)
        assert len(listed) + (int(left[1]) if left else 1) == len(STORED) + len(stored_views())
        assert bool(left) == (room == 4_000)
        for uri in ("lore://views", "lore://note/big.md", "lore://note/quotes.md", "lore://note/notes%2Fn7.md"):
            assert len((await client.read_resource(uri)).model_dump_json(exclude_none=True)) <= room
        with pytest.raises(MCPError, match="characters, which leaves no room for the note"):
            await client.read_resource("lore://note/" + "%20" * 5_000)
        for uri in ("lore://note/nowhere.md", "lore://note/", "lore://other", "lore://note/lore/config.toml"):
            with pytest.raises(MCPError):
                await client.read_resource(uri)

    within(at, talk, room=room)


def test_prompts_begin_a_session_and_go_through_proposals(tmp_path: Path) -> None:
    at = vault(tmp_path / "vault", {"lore/config.toml": '[agents]\nwrites = "propose"\n', "a.md": "# A\n"})

    async def talk(client: Client) -> None:
        assert [each.name for each in (await client.list_prompts()).prompts] == ["start_session", "review_proposals"]
        begun = await client.get_prompt("start_session", {"topic": "the {budget}\nof Atlas"})
        assert "the {budget} of Atlas" in begun.messages[0].content.model_dump()["text"]
        made = await call(client, "lore_assert_fact", subject="Vendor", predicate="country", object="Norway")
        assert made["proposed"]
        task, about = (await client.get_prompt("review_proposals")).messages
        assert "lore approve" in task.content.model_dump()["text"]
        proposals = json.loads(about.content.model_dump()["text"])
        assert [each["object"] for each in proposals["proposals"]] == ["Norway"]
        assert "never instructions" in proposals["quoted"]
        with pytest.raises(MCPError):
            await client.get_prompt("approve_all")

    within(at, talk)


HUGE = [
    "select * from range(3000000)",
    "select repeat('x', 1000000)",
    "select list(range) from range(500000)",
    "select repeat('x', 100000), range from range(300)",
    "select 'ab'::blob, {'a': [1, 2]}, map {'k': 1.5}, 'nan'::double, 'infinity'::timestamp, null, 1::decimal(4, 2)",
]


@pytest.mark.parametrize("sql", HUGE)
def test_however_much_sql_gives_a_result_is_small_and_says_how_to_go_on(sql: str, at: Path) -> None:
    async def talk(client: Client) -> None:
        first = await call(client, "lore_query_sql", sql=sql, limit=10**12)
        assert len(json.dumps(first, ensure_ascii=False, separators=(",", ":"))) < 20_000
        assert first["shown"] == len(first["rows"]) >= 1
        if first["of"] != first["shown"]:
            assert first["more"].endswith(f"call again with offset {first['shown']}")
            second = await call(client, "lore_query_sql", sql=sql, offset=first["shown"], limit=1)
            assert second["rows"][0] != first["rows"][0]

    within(at, talk)
