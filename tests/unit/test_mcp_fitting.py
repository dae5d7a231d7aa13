"""Answers made to fit: nothing is lost without being counted, and what is given stays in its order."""

from __future__ import annotations

import functools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loreweave.errors import BadRequest
from loreweave.mcp.arguments import FLAG, NUMBER, TEXTS, VALUES, WHOLE, WORDS, Argument, read, schema
from loreweave.mcp.fitting import LEAST, fitted
from loreweave.mcp.tool import OFFSET, Tool

TEXT = st.text(max_size=300)


def more(shown: int, of: int | None) -> str:
    return f"{of - shown} more" if of is not None and shown < of else ""


def weight(answer: Any, text: str) -> int:
    return len(json.dumps(answer, ensure_ascii=False, separators=(",", ":"))) + len(
        json.dumps(text, ensure_ascii=False)
    )


@given(st.lists(st.fixed_dictionaries({"text": TEXT, "why": st.lists(TEXT, max_size=3)}), max_size=60), st.booleans())
def test_a_list_that_is_cut_keeps_its_order_and_says_how_much_it_leaves_out(
    items: list[dict[str, Any]], keeps_last: bool
) -> None:
    whole = {"items": items, "shown": len(items), "of": len(items), "note": "fixed"}
    answer, text = fitted(whole, LEAST, more, keeps_last=keeps_last)
    assert json.loads(text) == answer
    assert weight(answer, text) <= LEAST
    kept = answer["shown"]
    assert kept == len(answer["items"])
    assert answer["of"] == len(items)
    assert answer.get("more", "") == more(kept, len(items))
    if kept > 1:
        assert answer["items"] == (items[len(items) - kept :] if keeps_last else items[:kept])
    assert whole["items"] == items


def test_of_several_lists_the_longest_is_cut_and_each_tells_for_itself() -> None:
    parts = {name: {"items": ["x" * 50] * count, "shown": count, "of": count} for name, count in (("a", 3), ("b", 90))}
    answer, _ = fitted(parts, LEAST, more)
    assert answer["a"] == parts["a"]
    assert answer["b"]["shown"] == len(answer["b"]["items"]) < 90
    assert answer["b"]["more"] == f"{90 - answer['b']['shown']} more"


def test_a_text_is_cut_only_where_no_list_can_be_and_says_so() -> None:
    answer, _ = fitted({"items": ["y" * 9_000], "shown": 1, "of": 1}, LEAST, more)
    assert answer["items"][0].startswith("yyy")
    assert answer["items"][0].endswith("more characters]")


def test_what_cannot_be_cut_is_refused() -> None:
    with pytest.raises(BadRequest):
        fitted({f"name {number}": "x" for number in range(1_000)}, LEAST, more)


def test_an_answer_that_was_cut_by_its_limit_says_where_to_go_on() -> None:
    tool = Tool(name="t", title="T", told="", run=lambda _, __: {}, arguments=(OFFSET,), answer={})
    assert tool.told_more({}, 50, 120) == "70 more: call again with offset 50"
    assert tool.told_more({"offset": 100}, 20, 120) == ""
    assert tool.told_more({"offset": 100}, 20, None) == "more than were counted: call again with offset 120"


ARGUMENTS = (
    Argument("name"),
    Argument("queries", TEXTS),
    Argument("tags", WORDS),
    Argument("limit", WHOLE, least=1),
    Argument("share", NUMBER),
    Argument("as_known_at"),
    Argument("dry_run", FLAG),
    Argument("parameters", VALUES),
)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"name": 42}, {"name": "42"}),
        ({"name": 1.5}, {"name": "1.5"}),
        ({"name": True}, {"name": "true"}),
        ({"name": None}, {}),
        ({"queries": "one, two"}, {"queries": ["one, two"]}),
        ({"queries": '["one", 2]'}, {"queries": ["one", "2"]}),
        ({"queries": "[not a list"}, {"queries": ["[not a list"]}),
        ({"queries": []}, {"queries": []}),
        ({"tags": "ledger, -draft"}, {"tags": ["ledger", "-draft"]}),
        ({"tags": ["a, b"]}, {"tags": ["a, b"]}),
        ({"limit": " 20 "}, {"limit": 20}),
        ({"limit": "+3"}, {"limit": 3}),
        ({"limit": 4.0}, {"limit": 4}),
        ({"limit": 10**40}, {"limit": 1_000_000_000}),
        ({"limit": 10**5_000}, {"limit": 1_000_000_000}),
        ({"share": "0.5"}, {"share": 0.5}),
        ({"asKnownAt": "2024"}, {"as_known_at": "2024"}),
        ({"as-known-at": "2024"}, {"as_known_at": "2024"}),
        ({"dry_run": "Yes"}, {"dry_run": True}),
        ({"dryRun": 0}, {"dry_run": False}),
    ],
)
def test_what_means_one_thing_is_read(written: dict[str, Any], meant: dict[str, Any]) -> None:
    assert read(ARGUMENTS, written) == meant


DEEP: list[Any] = functools.reduce(lambda inner, _: [inner], range(3_000), [])


@pytest.mark.parametrize(
    "written",
    [
        *({name: DEEP} for name in ("name", "queries", "tags", "limit", "share", "dry_run", "parameters")),
        {"limit": -(10**5_000)},
        {"name": 10**5_000},
        {"share": 10**400},
        {"share": 10**5_000},
        {"dry_run": 10**5_000},
        {"parameters": 10**5_000},
        {"parameters": {"x": 10**5_000}},
        {"parameters": {"x": DEEP}},
        {"name": []},
        {"name": "x" * 2_001},
        {"queries": [["a"]]},
        {"queries": {"a": 1}},
        {"limit": 0},
        {"limit": "twenty"},
        {"limit": 1.5},
        {"limit": True},
        {"limit": "1" * 500},
        {"share": "nan"},
        {"share": float("inf")},
        {"dry_run": "maybe"},
        {"dry_run": 2},
        {"nothing": 1},
        {"as_known_at": "2024", "asKnownAt": "2025"},
    ],
)
def test_what_means_nothing_is_told_in_one_sentence(written: dict[str, Any]) -> None:
    with pytest.raises(BadRequest) as refused:
        read(ARGUMENTS, written)
    assert "\n" not in refused.value.message
    assert len(refused.value.message) < 250


def test_a_schema_names_what_is_required() -> None:
    made = schema((Argument("name", required=True), Argument("limit", WHOLE, least=1, told="How many.")))
    assert made == {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "limit": {"type": "integer", "minimum": 1, "description": "How many."},
        },
        "required": ["name"],
    }
