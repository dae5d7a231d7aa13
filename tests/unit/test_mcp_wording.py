"""Hints speak to an agent of tools."""

from __future__ import annotations

import pytest

from loreweave.mcp.tools import TOOLS as SERVED
from loreweave.mcp.wording import TOOLS, for_agents, instead


@pytest.mark.parametrize(
    ("hint", "told"),
    [
        ("ask `lore facts --subject Vendor`", "ask lore_query_facts"),
        ("ask in words, such as `lore search 'ledger format'`", "ask in words, such as lore_search"),
        ("ask for less, or give it more time: --timeout", "ask for less, or give it more time: timeout"),
        ("`lore facts --history` shows all valid time", "lore_query_facts with history shows all valid time"),
        ("leave out --as-of or --as-known-at", "leave out as_of or as_known_at"),
        ("run `lore replay --cold`: it builds the index anew", "run `lore replay --cold`: it builds the index anew"),
        (
            "restore it, or run `lore index --start-over` to go on",
            "restore it, or ask a person to run `lore index --start-over` to go on",
        ),
        ("ask what docs/views.md lists", "ask what lore://views lists"),
        ("write 2024-06-01 -- a day", "write 2024-06-01 -- a day"),
        ('nearest: "a.md#--as-of \\" `lore facts`"; --as-of', 'nearest: "a.md#--as-of \\" `lore facts`"; as_of'),
    ],
)
def test_a_hint_names_tools_and_arguments_where_there_are_some(hint: str, told: str) -> None:
    assert for_agents(hint) == told


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("lore_approve", "a person does that, with `lore approve`"),
        ("lore_reject_proposal", "a person does that, with `lore reject`"),
        ("export", "a person does that, with `lore export`"),
        ("lore_facts", "there is lore_query_facts"),
        ("loreAssertFact", "there is lore_assert_fact"),
        ("lore_assert", "there is lore_assert_fact"),
        ("mcp__loreweave__lore_search_notes", "there is lore_search"),
        ("lore-mark-used", "there is lore_mark_used"),
        ("lore_contextpack", "there is lore_context_pack"),
        ("lore_delete_everything", "there are lore_context_pack, lore_search, lore_read_note"),
        ("", "there are lore_context_pack, lore_search, lore_read_note"),
    ],
)
def test_of_a_tool_that_is_not_there_it_is_told_what_is(name: str, told: str) -> None:
    assert instead(name, [tool.name for tool in SERVED]).startswith(told)


def test_a_tool_that_is_not_served_is_not_told() -> None:
    assert instead("lore_assert", ["lore_search", "lore_why"]) == "there are lore_search, lore_why"


def test_every_tool_that_is_named_is_served() -> None:
    assert set(TOOLS.values()) <= {tool.name for tool in SERVED}
