"""The views entities, mentions and edges, and the graph as other programs read it."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loreweave.cli.console import Console
from loreweave.events.slots import key, object_key
from loreweave.library import Lore
from loreweave.projections.called import entity_key
from stored import connect
from typed import refused, typed, vault

NOTES = {
    "projects/atlas.md": "# Atlas\n\nOf [[vendors/vendor|the vendor]] and [[Glacier Dataset]].\nPriya asked. #desk\n",
    "vendors/vendor.md": "---\naliases: [Rate Keeper]\ntags: [desk]\n---\n# Vendor\n\nSends rates to Atlas.\n",
    "people/priya.md": "# Priya\n\nPriya keeps the format.\n",
    "a/plan.md": "# Plan\n\nOf [[Atlas]].\n",
    "b/plan.md": "# Plan\n\nOf the Rate Keeper, said Priya.\n",
    "lore/journal/2024-01-01.md": (
        "- [fact] Atlas :: owner :: Priya {valid_from=2023-01-01, recorded_at=2024-01-01T09:00:00Z}\n"
        "- [fact] Atlas :: city :: Porto {valid_from=2023-01-01, recorded_at=2024-01-01T09:00:00Z}\n"
        "- [fact] Atlas :: status :: draft {valid_from=2023-01-01, recorded_at=2024-01-01T09:00:00Z}\n"
        "- [fact] Atlas :: papers :: 42 {valid_from=2023-01-01, recorded_at=2024-01-01T09:00:00Z}\n"
        "- [fact] Atlas :: lead :: Marek {valid_from=2022-01-01, recorded_at=2024-01-01T09:00:00Z}\n"
        "- [fact] Atlas :: lead :: Ana {valid_from=2023-01-01, recorded_at=2024-01-01T09:10:00Z}\n"
        "- [fact] Desk :: owner :: Ana {valid_from=2023-01-01, recorded_at=2024-01-01T09:20:00Z, scope=north}\n"
    ),
}


def rows(at: Path, sql: str, scope: str | None = None) -> list[tuple[Any, ...]]:
    with Lore(at, scope=scope) as lore, lore.query(sql) as answer:
        return [row for batch in answer.batches() for row in batch]


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return vault(tmp_path_factory.mktemp("graph"), NOTES)


def test_entities_are_notes_their_other_names_and_what_is_linked_tagged_or_believed(at: Path) -> None:
    found = rows(at, "select entity_key, name, kind, path from entities where scope_key = 'default' order by all")
    assert found == [
        ("a/plan.md", "Plan", "note", "a/plan.md"),
        ("ana", "Ana", "object", None),
        ("atlas", "Atlas", "note", "projects/atlas.md"),
        ("b/plan.md", "Plan", "note", "b/plan.md"),
        ("desk", "desk", "tag", None),
        ("glacier dataset", "Glacier Dataset", "target", None),
        ("marek", "Marek", "object", None),
        ("porto", "Porto", "object", None),
        ("priya", "Priya", "note", "people/priya.md"),
        ("rate keeper", "Rate Keeper", "alias", "vendors/vendor.md"),
        ("vendor", "Vendor", "note", "vendors/vendor.md"),
    ]


def test_mentions_are_links_tags_and_names_in_other_notes(at: Path) -> None:
    found = rows(
        at, "select path, kind, entity_key, start_line from mentions left join spans using (span_id, path) order by all"
    )
    assert found == [
        ("a/plan.md", "link", "atlas", 1),
        ("b/plan.md", "name", "priya", 1),
        ("b/plan.md", "name", "rate keeper", 1),
        ("projects/atlas.md", "link", "glacier dataset", 1),
        ("projects/atlas.md", "link", "vendor", 1),
        ("projects/atlas.md", "name", "priya", 1),
        ("projects/atlas.md", "tag", "desk", 1),
        ("vendors/vendor.md", "name", "atlas", 5),
        ("vendors/vendor.md", "tag", "desk", None),
    ]


def test_edges_have_the_weights_of_their_kinds(at: Path) -> None:
    found = rows(
        at, "select kind, from_key, to_key, weight from edges where kind <> 'co-occurrence' order by all", "default"
    )
    assert found == [
        ("fact", "atlas", "ana", 1.0),
        ("fact", "atlas", "porto", 1.0),
        ("fact", "atlas", "priya", 1.0),
        ("link", "a/plan.md", "atlas", 1.0),
        ("link", "atlas", "glacier dataset", 1.0),
        ("link", "atlas", "vendor", 1.0),
        ("mention", "atlas", "desk", 0.7),
        ("mention", "atlas", "priya", 0.7),
        ("mention", "b/plan.md", "priya", 0.7),
        ("mention", "b/plan.md", "rate keeper", 0.7),
        ("mention", "vendor", "atlas", 0.7),
        ("mention", "vendor", "desk", 0.7),
        ("same-as", "rate keeper", "vendor", 0.9),
    ]


def test_what_stands_in_one_passage_is_joined_once(at: Path) -> None:
    found = rows(at, "select from_key, to_key, weight from edges where kind = 'co-occurrence' order by all")
    assert found == [
        ("glacier dataset", "priya", 0.4),
        ("glacier dataset", "vendor", 0.4),
        ("priya", "rate keeper", 0.4),
        ("priya", "vendor", 0.4),
    ]


def test_a_scope_has_its_own_graph(at: Path) -> None:
    assert rows(at, "select entity_key, kind from entities order by all", "north") == [
        ("ana", "object"),
        ("desk", "subject"),
    ]
    assert rows(at, "select from_key, to_key from edges", "north") == [("desk", "ana")]


def test_a_list_of_many_joins_none_of_them_to_each_other(tmp_path: Path) -> None:
    links = "".join(f"- [[Thing {number}]]\n" for number in range(13))
    few = "".join(f"- [[Other {number}]]\n" for number in range(12))
    at = vault(tmp_path, {"many.md": links, "few.md": few, **{f"d/{n}.md": "To [[many]].\n" for n in range(300)}})
    assert rows(at, "select count(*) from edges where kind = 'co-occurrence'") == [(12 * 11 // 2,)]
    assert rows(at, "select count(*) from edges where kind = 'link'") == [(13 + 12 + 300,)]


@pytest.mark.parametrize("person", ["- [fact] Tom :: owner :: Ana\n", "- [fact] Atlas :: owner :: Tom\n"])
def test_tom_is_not_the_tall_oak_meadow(tmp_path: Path, person: str) -> None:
    notes = {"meadow.md": "# Tall Oak Meadow\n\nOf TOM.\n", "lore/journal/2024-01-01.md": person}
    same = "select from_key, to_key from edges where kind = 'same-as' and from_key = 'tom'"
    assert rows(vault(tmp_path / "person", notes), same) == []
    del notes["lore/journal/2024-01-01.md"]
    assert rows(vault(tmp_path / "none", notes), same) == [("tom", "tall oak meadow")]


def test_every_edge_joins_two_entities_and_every_mention_is_of_one(tmp_path: Path) -> None:
    odd = {
        "x.md": "# A.md\n\n[[B.md]] [[c/D]] [[e|F]] ![[pic.png]] #x/y_z [[x]] [[#A]]\n\nThe ＡＢ, the A.B.\n",
        "y.md": "---\naliases: [X, 'X.md', '  ']\n---\n# -\n\n- [fact] [[A.md]] :: in :: [[Q-R]]\n",
        "lore/journal/2024-01-01.md": "- [fact] README.md :: by :: [[Some One|her]]\n- [fact] It's :: of :: O’Neill\n",
    }
    at = vault(tmp_path, {**NOTES, **odd})
    with Lore(at) as lore:
        lore.index()
    ends = "select unnest([from_key, to_key]) as entity_key, scope_key from edges"
    all_ = f"{ends} union all select entity_key, scope_key from mentions"
    assert rows(at, f"from ({all_}) anti join entities using (entity_key, scope_key)") == []
    assert rows(at, "select entity_key from entities group by entity_key, scope_key having count(*) > 1") == []
    assert ("some one", "object") in rows(at, "select entity_key, kind from entities")


@given(st.text(alphabet="Aa É[]|-_’“ .md\u200bŒ１", max_size=24))
def test_a_key_made_in_sql_of_what_is_folded_is_the_key_of_the_name(name: str) -> None:
    index: duckdb.DuckDBPyConnection = connect([])
    for folded in (key(name), object_key(name)):
        if "[[" not in folded or re.fullmatch(r"\[\[[^\[\]|]*(\|[^\[\]|]*)?\]\]", folded):
            assert index.execute("select name_key(?)", [folded]).fetchall() == [(entity_key(folded),)]


def exported(at: Path, format_: str) -> str:
    return typed(at, "graph", "export", "--format", format_).stdout


def listed(at: Path) -> tuple[list[Any], list[Any]]:
    return (
        rows(at, "select entity_key, name, kind, path from entities where scope_key = 'default' order by entity_key"),
        rows(at, "select from_key, to_key, kind, weight from edges where scope_key = 'default' order by all"),
    )


HOSTILE = {
    "q.md": '# "Quoted" \\ <b>&amp; & é\n\nOf [[a "b" \\]] and [[x\x07y]] and [[<t>]].\n',
    "back.md": "# ends in \\\n\n[[q]]\n",
}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return vault(tmp_path_factory.mktemp("hostile"), {**NOTES, **HOSTILE})


def test_json_holds_every_node_and_edge(hostile: Path) -> None:
    graph = json.loads(exported(hostile, "json"))
    nodes = [(node["id"], node["name"], node["kind"], node["path"]) for node in graph["nodes"]]
    edges = [(edge["source"], edge["target"], edge["kind"], edge["weight"]) for edge in graph["edges"]]
    assert (nodes, edges) == listed(hostile)


def test_graphml_is_read_back_by_a_reader_of_xml(hostile: Path) -> None:
    text = exported(hostile, "graphml")
    graph = ET.fromstring(text)[-1]
    name = "{http://graphml.graphdrawing.org/xmlns}"
    ids = [node.get("id") for node in graph.iter(f"{name}node")]
    data = [{each.get("key"): each.text for each in node} for node in graph.iter(f"{name}node")]
    edges = [(edge.get("source"), edge.get("target")) for edge in graph.iter(f"{name}edge")]
    nodes, joined = listed(hostile)
    assert ids == [node[0].replace("\x07", "\\u0007") for node in nodes]
    assert [each["node-name"] for each in data] == [node[1].replace("\x07", "") for node in nodes]
    assert len(edges) == len(joined)
    assert {end for edge in edges for end in edge} <= set(ids)


def test_dot_quotes_what_has_quotes_and_backslashes(hostile: Path) -> None:
    lines = exported(hostile, "dot").splitlines()
    quoted = r'"(?:[^"\\]|\\.)*"'
    node, edge = (
        rf"  ({quoted}) \[label={quoted}, kind={quoted}\];",
        rf"  ({quoted}) -> ({quoted}) \[kind={quoted}, .*\];",
    )
    assert (lines[0], lines[-1]) == ("digraph loreweave {", "}")
    found = [re.fullmatch(node, line) or re.fullmatch(edge, line) for line in lines[1:-1]]
    assert None not in found
    assert sum(map(len, listed(hostile))) == len(found)


@pytest.mark.parametrize("format_", ["json", "graphml", "dot"])
def test_a_vault_of_nothing_has_an_empty_graph(tmp_path: Path, format_: str) -> None:
    text = exported(vault(tmp_path, {"lore/config.toml": ""}), format_)
    assert {"json": '"nodes": [], "edges": []', "graphml": "<graph ", "dot": "{\n}"}[format_] in text


def test_the_graph_is_the_same_after_a_rebuild(at: Path) -> None:
    before = exported(at, "json")
    with Lore(at) as lore:
        lore.refresh(whole=True)
    assert exported(at, "json") == before


def test_a_file_that_is_there_is_overwritten_only_by_force(at: Path, tmp_path: Path) -> None:
    file = tmp_path / "graph.dot"
    words = ("graph", "export", "--format", "dot", "--output", str(file))
    assert typed(at, *words).exit_code == 0
    written = file.read_text("utf-8")
    file.write_text("mine", "utf-8")
    code, said = refused(at, *words)
    assert (code, said[0]) == (1, f'error: "{file}" exists already.')
    assert file.read_text("utf-8") == "mine"
    assert typed(at, *words, "--force").exit_code == 0
    assert file.read_text("utf-8") == written


def test_a_note_is_never_overwritten_by_the_graph_unasked_nor_the_record_at_all(at: Path) -> None:
    for place in ("projects/atlas.md", "lore/journal/2024-01-01.md"):
        code, _ = refused(at, "graph", "export", "--output", str(at / place))
        assert code == 1
    code, said = refused(at, "graph", "export", "--force", "--output", str(at / "lore/journal/2024-01-01.md"))
    assert (code, said[1]) == (1, "hint: give a place outside it")


TURNED = "abc \u202edef\u202c \u2066g\u2069 h"


@pytest.mark.parametrize("format_", ["json", "graphml", "dot"])
def test_what_turns_the_reading_direction_is_shown_on_a_terminal_and_written_as_it_is(
    tmp_path: Path, format_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = vault(tmp_path / "vault", {"turned.md": f'---\ntitle: "{TURNED}"\n---\nOf [[{TURNED}x]].\n'})
    piped = exported(at, format_)
    assert {"\u202e", "\u202c", "\u2066", "\u2069"} <= set(piped)
    file = tmp_path / "graph"
    assert typed(at, "graph", "export", "--format", format_, "--output", str(file)).exit_code == 0
    assert file.read_bytes() == piped.encode()
    monkeypatch.setattr(Console, "is_terminal", True)
    shown = exported(at, format_)
    assert not {"\u202e", "\u202c", "\u2066", "\u2069"} & set(shown)
    if format_ == "json":
        assert json.loads(shown) == json.loads(piped)
    else:
        assert shown == re.sub("[\u202a-\u202e\u2066-\u2069]", "\ufffd", piped)
    assert typed(at, "graph", "export", "--format", format_, "--output", str(file), "--force").exit_code == 0
    assert file.read_bytes() == piped.encode()


def test_a_format_that_is_none_is_refused(at: Path) -> None:
    from io import BytesIO

    from loreweave.errors import BadRequest

    with Lore(at) as lore, pytest.raises(BadRequest, match='format must be one of json, graphml, dot, not "gexf"'):
        lore.graph_export(BytesIO(), "gexf")


def test_a_note_that_embeds_itself_has_one_edge_to_itself_and_a_link_within_it_none(tmp_path: Path) -> None:
    notes = {"own.md": "# Own\n\n![[Own]] ![[own]]\n", "inner.md": "# Inner\n\n[[#Inner]]\n"}
    with Lore(vault(tmp_path, notes)) as lore:
        rows = lore.sql("select from_key, to_key, kind, weight from edges").to_pylist()
    assert [tuple(row.values()) for row in rows] == [("own", "own", "link", 1.0)]
