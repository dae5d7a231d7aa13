"""Hints speak to an agent of tools."""

from __future__ import annotations

import pytest

from loreweave.mcp.tools import TOOLS as SERVED
from loreweave.mcp.wording import TOOLS, for_agents


@pytest.mark.parametrize(
    ("hint", "told"),
    [
        ("ask `lore facts --subject Vendor`", "ask lore_query_facts"),
        ("ask in words, such as `lore search 'ledger format'`", "ask in words, such as lore_search"),
        ("ask for less, or give it more time: --timeout", "ask for less, or give it more time: timeout"),
        ("`lore facts --history` shows all valid time", "lore_query_facts with history shows all valid time"),
        ("leave out --as-of or --as-known-at", "leave out as_of or as_known_at"),
        ("run `lore replay --cold`: it builds the index anew", "run `lore replay --cold`: it builds the index anew"),
        ("ask what docs/views.md lists", "ask what lore://views lists"),
        ("write 2024-06-01 -- a day", "write 2024-06-01 -- a day"),
        ('nearest: "a.md#--as-of \\" `lore facts`"; --as-of', 'nearest: "a.md#--as-of \\" `lore facts`"; as_of'),
    ],
)
def test_a_hint_names_tools_and_arguments_where_there_are_some(hint: str, told: str) -> None:
    assert for_agents(hint) == told


def test_every_tool_that_is_named_is_served() -> None:
    assert set(TOOLS.values()) <= {tool.name for tool in SERVED}
