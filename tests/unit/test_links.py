"""The links of a note, as they are written."""

from __future__ import annotations

import re

import pytest

from loreweave.notes.links import LONGEST, blocks, links
from loreweave.notes.model import Frontmatter, Item, Link, Property

NOTHING = Frontmatter()


def read(text: str, frontmatter: Frontmatter = NOTHING) -> list[Link]:
    """Read a text in which only what stands between backticks is no prose."""
    plain = re.sub(r"`[^`\n]*`|<[^<>\n]*>", lambda found: " " * len(found[0]), text)
    return list(links(plain, text, frontmatter))


def front(*texts: str, names: str = "") -> Frontmatter:
    items = tuple(Item(text, number) for number, text in enumerate(texts, 2))
    empty = tuple(Property(name, (), False, 1) for name in names.split())
    return Frontmatter((Property("up", items, True, 2), *empty))


WIKI = {
    "[[T]]": ("T", None, None),
    "[[T|a]]": ("T", None, "a"),
    "[[ T | a ]]": ("T", None, "a"),
    "[[T#h]]": ("T", "h", None),
    "[[T#h|a]]": ("T", "h", "a"),
    "[[#h]]": ("", "h", None),
    "[[T#^block]]": ("T", "^block", None),
    "[[T#h1#h2]]": ("T", "h1#h2", None),
    "[[T#]]": ("T", None, None),
    "[[T|]]": ("T", None, None),
    "| [[T\\|a]] |": ("T", None, "a"),
    "[[T|a|b]]": ("T", None, "a|b"),
    "[[T|a [1]]]": ("T", None, "a [1]"),
    "[[a [b] c]]": ("a [b] c", None, None),
    "[[folder/T.md]]": ("folder/T.md", None, None),
    "[[../T]]": ("../T", None, None),
    "[[[T]]]": ("T", None, None),
    "[[[[[T]]]]]": ("T", None, None),
    "[T]] [[T]]": ("T", None, None),
    "\\\\[[T]]": ("T", None, None),
    "[[T]](b.md)": ("T", None, None),
    "[x]([[T]])": ("T", None, None),
    "[[a<b>c]]": ("a<b>c", None, None),
    "[[`x` y]]": ("`x` y", None, None),
}


@pytest.mark.parametrize("text", WIKI)
def test_a_wiki_link_names_a_note_and_may_name_a_heading_and_a_text(text: str) -> None:
    target, heading, alias = WIKI[text]
    assert read(text) == [Link(1, target, "wiki", heading, alias)]


@pytest.mark.parametrize(
    ("text", "link"),
    {
        "![[T]]": Link(1, "T", "embed"),
        "![[x.png|300]]": Link(1, "x.png", "embed", None, "300"),
        "![[T#h]]": Link(1, "T", "embed", "h"),
        "\\![[T]]": Link(1, "T", "wiki"),
        "\\\\![[T]]": Link(1, "T", "embed"),
        "![a](x.png)": Link(1, "x.png", "image", None, "a"),
        "![](x.png)": Link(1, "x.png", "image"),
        "\\![a](b.md)": Link(1, "b.md", "markdown", None, "a"),
    }.items(),
)
def test_an_exclamation_mark_that_is_not_escaped_embeds(text: str, link: Link) -> None:
    assert read(text) == [link]


MARKDOWN = {
    "[a](b.md)": ("b.md", None, "a"),
    "[](b.md)": ("b.md", None, None),
    '[a](b.md "title")': ("b.md", None, "a"),
    "[a](b.md 'title')": ("b.md", None, "a"),
    "[a](b.md (title))": ("b.md", None, "a"),
    "[a]( b.md )": ("b.md", None, "a"),
    "[a](b.md#frag)": ("b.md", "frag", "a"),
    "[a](b.md#My%20heading)": ("b.md", "My heading", "a"),
    "[a](b.md#)": ("b.md", None, "a"),
    "[a](b.md?raw=1#frag)": ("b.md", "frag", "a"),
    "[a](./b.md)": ("./b.md", None, "a"),
    "[a](../b.md)": ("../b.md", None, "a"),
    "[a](/b.md)": ("/b.md", None, "a"),
    "[a](b%20c.md)": ("b c.md", None, "a"),
    "[a](b%23c.md)": ("b#c.md", None, "a"),
    "[a](<b c.md>)": ("b c.md", None, "a"),
    "[a](<b c.md#frag>)": ("b c.md", "frag", "a"),
    "[a](b(c).md)": ("b(c).md", None, "a"),
    "[a](b\\_c.md)": ("b_c.md", None, "a"),
    "[a](b&amp;c.md)": ("b&c.md", None, "a"),
    "[a](b\u3000c.md)": ("b\u3000c.md", None, "a"),
    "[a `]` b](b.md)": ("b.md", None, "a `]` b"),
    "[a [b] c](b.md)": ("b.md", None, "a [b] c"),
    "[a\nb](b.md)": ("b.md", None, "a b"),
    "[a](b.txt)": ("b.txt", None, "a"),
    "[a](folder/)": ("folder/", None, "a"),
}


@pytest.mark.parametrize("text", MARKDOWN)
def test_a_markdown_link_names_a_path_and_may_name_a_heading(text: str) -> None:
    target, heading, alias = MARKDOWN[text]
    assert read(text) == [Link(1, target, "markdown", heading, alias)]


@pytest.mark.parametrize(
    "text",
    [
        *("\\[[T]]", "[[]]", "[[|a]]", "[[ ]]", "[[#]]", "[[T", "[[T]", "[[a\nb]]", "[[a]b]]"),
        "`[[T]]`",
        "[[`T`]]",
        "[[https://example.org]]",
        "[[{{date}}]]",
        "[[<% date %>]]",
        "[a]({{path}}.md)",
        "[a](http://example.org/b.md)",
        "[a](mailto:ana@example.org)",
        "[a](//example.org/b.md)",
        "[a](zotero://open/b.md)",
        "![](data:image/png;base64,AAAA)",
        "[a](#anchor)",
        "[a]()",
        "[a](<>)",
        "[a](b c.md)",
        "[a] (b.md)",
        "[a](b.md",
        "[a\n\nb](b.md)",
        "\\[a](b.md)",
        "[a\\](b.md)",
        "`[a](b.md)`",
        "[a](((6512c7e1)))",
        "[a] [ref] [ref][] [a][ref]",
        "[^1]\n\n[^1]: note.md",
        "- [x] done",
        f"[[{'x' * (LONGEST + 1)}]]",
        f"[[T#{'x' * (LONGEST + 1)}]]",
        f"[a]({'x' * (LONGEST + 1)}.md)",
    ],
)
def test_no_link_is(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    "definition", ["[ref]: b.md", "[REF]: <b.md>", '  [ref]: b.md "title"', "[ref]:\n b.md", "> [ref]: b.md"]
)
@pytest.mark.parametrize("use", ["[ref]", "[ref][]", "[ref][ref]"])
def test_a_reference_leads_where_its_definition_says(use: str, definition: str) -> None:
    assert read(f"{use}\n\n{definition}\n") == [Link(1, "b.md", "markdown", None, "ref")]
    assert read(f"{definition}\n\n{use}\n")[0]._replace(line=1) == Link(1, "b.md", "markdown", None, "ref")


def test_a_reference_has_the_text_before_its_label_and_the_first_definition_counts() -> None:
    assert read("[a  text][ref]\n\n[ref]: b.md#frag\n[ref]: c.md\n[unused]: d.md\n") == [
        Link(1, "b.md", "markdown", "frag", "a text")
    ]


def test_a_bracket_after_a_text_is_a_label_only_where_it_is_defined() -> None:
    found = read("[r][a](x.md) [s][r]\n\n[r]: z.md\n")
    assert [(link.target, link.alias) for link in found] == [("x.md", "a"), ("z.md", "s")]


def test_a_reference_to_an_address_is_no_link() -> None:
    assert read("[ref]\n\n[ref]: https://example.org\n") == []


def test_what_stands_in_a_destination_is_no_link_of_its_own() -> None:
    assert [link.target for link in read('[a](b.md "see [[T]]") [[U]]')] == ["b.md", "U"]
    assert [link.target for link in read('[![x](i.png "[[T]]")](b.md "[[U]]")')] == ["b.md", "i.png"]
    assert [link.target for link in read("[a [b]][ref]\n\n[ref]: c.md")] == ["c.md"]


def test_links_in_the_text_of_a_link_are_found() -> None:
    found = [(link.target, link.style) for link in read("[![alt](i.png) and [[T]]](b.md)")]
    assert found == [("b.md", "markdown"), ("i.png", "image"), ("T", "wiki")]


def test_links_have_the_line_on_which_they_begin() -> None:
    text = "[[A]] [[B]]\n\n[c\nd](c.md) [[D]]\n[e][ref]\n[ref]: f.md\n[[G]]"
    found = [(link.line, link.target) for link in read(text)]
    assert found == [(1, "A"), (1, "B"), (3, "c.md"), (4, "D"), (5, "f.md"), (7, "G")]


def test_wiki_links_in_properties_count_with_their_lines_and_before_the_text() -> None:
    frontmatter = front("[[Home#Top|home]]", "see [[A]] and [[B, with comma]]", "![[pad.svg]]", "[[C]]!", "[a](b.md)")
    assert read("\n\n\n[[D]]", frontmatter) == [
        Link(2, "Home", "wiki", "Top", "home"),
        Link(3, "A", "wiki"),
        Link(3, "B, with comma", "wiki"),
        Link(4, "pad.svg", "embed"),
        Link(5, "C", "wiki"),
        Link(4, "D", "wiki"),
    ]


def test_in_a_note_of_dendron_the_label_stands_before_the_target() -> None:
    dendron = front("[[Text|a.b]]", names="id desc updated created")
    text = "[[Text|a.b#heading]] [[a.b]] [[Text|dendron://vault/c]] ![[a.b#start,1:#end]] ![[a.b#start:#*]] [[a#b: c]]"
    assert read(text, dendron) == [
        Link(2, "a.b", "wiki", None, "Text"),
        Link(1, "a.b", "wiki", "heading", "Text"),
        Link(1, "a.b", "wiki"),
        Link(1, "c", "wiki", None, "Text"),
        Link(1, "a.b", "embed", "start"),
        Link(1, "a.b", "embed", "start"),
        Link(1, "a", "wiki", "b: c"),
    ]
    assert read("[[T|a]]", front(names="id desc updated")) == [Link(1, "T", "wiki", None, "a")]


def test_ids_of_blocks_end_their_lines() -> None:
    text = "one ^a-1\n^own_line  \n- item ^B\nnot^this\n^not this\nx ^not, this\n^\n^last"
    assert blocks(text) == ("a-1", "own_line", "B", "last")


MANY = [
    *"[]()!\\<>#^|`{a \n",
    *("[[", "]]", "](", "][", "![", "[a](", "[a](b ", '[a](b "', "[a](<", "[a](b (", "[[a", "[[a|", "[x[b]", "[[a["),
    *("[[#", "[]", "[a]\n", "^a ", "\\[", "[[a]b]", "[[a](b"),
]


@pytest.mark.parametrize("piece", MANY)
def test_the_work_grows_with_the_text_alone_where_nothing_is_a_link(piece: str) -> None:
    text = piece * (300_000 // len(piece))
    assert links(text, text, NOTHING) == ()
    assert len(blocks(text)) <= 1


@pytest.mark.parametrize("piece", ["[a]", "[a][", "[a]: b\n"])
def test_the_work_grows_with_the_text_alone_where_a_definition_makes_every_bracket_matter(piece: str) -> None:
    text = "[r]: z.md\n\n" + piece * 30_000
    assert len(links(text, text, NOTHING)) == 0


def test_long_definitions_are_none() -> None:
    text = "[a]:" * 50_000
    assert links(text, text, NOTHING) == ()
