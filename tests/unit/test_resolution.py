"""Where links lead."""

from __future__ import annotations

import unicodedata

import pytest

from linked import SOURCE, lead, targets
from loreweave.projections.links import Resolved


def test_a_link_leads_by_path_then_file_name_then_title_then_alias() -> None:
    files = {
        "a/One.md": "",
        "two.md": "# Second",
        "three.md": "---\ntitle: Third\naliases: [Drei, Second, One]\n---\n",
    }
    found = lead("[[a/One]] [[One]] [[Second]] [[Third]] [[Drei]] [[#h]]\n# h", files)
    assert [(each.target_path, each.resolved_by) for each in found] == [
        ("a/One.md", "path"),
        ("a/One.md", "name"),
        ("two.md", "title"),
        ("three.md", "title"),
        ("three.md", "alias"),
        (SOURCE, "path"),
    ]
    assert not any(each.broken or each.others for each in found)


def test_a_file_wins_over_an_alias_and_an_alias_that_two_notes_claim_leads_to_neither() -> None:
    files = {
        "Target.md": "---\naliases: [Probe Alias, Zeta, Shared]\n---\nx",
        "Other.md": "---\naliases: Shared\n---\nx",
        "Zeta.md": "z",
    }
    probe, zeta, shared, labelled = lead("[[Probe Alias]] [[Zeta]] [[Shared]] [[Target|Probe Alias]]", files)
    assert probe == Resolved("Target.md", "alias")
    assert zeta == Resolved("Zeta.md", "name")
    assert shared == Resolved(None, None, True, "alias", ("Other.md", "Target.md"))
    assert labelled == Resolved("Target.md", "name")


@pytest.mark.parametrize(
    ("name", "link"),
    [
        ("Config", "config"),
        ("config", "CONFIG"),
        ("Überblick", unicodedata.normalize("NFD", "überblick")),
        ("דוח\u200f חודשי", "דוח חודשי"),
        ("🛠️ Tools", "🛠 Tools"),
        ("👨‍👩‍👧 family", "👨‍👩‍👧 family"),
        ("a\u00a0b", "a b"),
        ("a.b.c", "a.b.c"),
        ("v1.2", "v1.2"),
        ("Note", "Note.md"),
        ("Note", "NOTE.MD"),
    ],
)
def test_names_are_one_where_only_case_normal_form_and_invisible_marks_differ(name: str, link: str) -> None:
    assert targets(f"[[{link}]]", {f"x/{name}.md": ""}) == [f"x/{name}.md"]


@pytest.mark.parametrize(
    ("name", "link"), [("a b", "a-b"), ("a b", "a_b"), ("a", "á"), ("don’t", "don't"), ("ab", "a b")]
)
def test_names_are_two_where_anything_else_differs(name: str, link: str) -> None:
    assert targets(f"[[{link}]]", {f"{name}.md": ""}) == [None]


def test_of_two_names_that_differ_in_case_the_one_as_written_counts() -> None:
    files = {"config.md": "", "Config.md": ""}
    as_is, other, neither = lead("[[config]] [[Config]] [[CONFIG]]", files)
    assert (as_is.target_path, as_is.others) == ("config.md", ())
    assert (other.target_path, other.others) == ("Config.md", ())
    assert (neither.target_path, neither.others) == ("Config.md", ("config.md",))


def test_a_path_may_be_written_from_any_folder_on_and_only_at_its_parts() -> None:
    files = {"a/b/Note.md": "", "a/under/Note.md": ""}
    assert targets("[[b/Note]] [[a/b/Note]] [[B/note.md]] [[a/Note]] [[nder/Note]]", files) == [
        "a/b/Note.md",
        "a/b/Note.md",
        "a/b/Note.md",
        None,
        None,
    ]


@pytest.mark.parametrize("link", ["[[{}]]", "[x]({}.md)"])
def test_a_path_that_begins_with_dots_or_a_slash_is_meant_whole(link: str) -> None:
    files = {"work/Note.md": "", "work/sub/Deep.md": "", "Top.md": "", "other/Else.md": ""}
    for path, target in {
        "./Note": "work/Note.md",
        "sub/../Note": "work/Note.md",
        "./sub/Deep": "work/sub/Deep.md",
        "../Top": "Top.md",
        "../other/Else": "other/Else.md",
        "/Top": "Top.md",
        "/other/Else": "other/Else.md",
        "./Top": None,
        "../Else": None,
        "/Else": None,
        "../../Top": None,
        "/../Top": None,
    }.items():
        assert targets(link.format(path), files) == [target], path


def test_no_path_leads_out_of_the_vault() -> None:
    wiki, markdown, picture = lead("[[../../x]] [y](../../x.md) ![z](../../../x.png)", {"x.md": ""})
    assert (wiki.reason, markdown.reason) == ("outside", "outside")
    assert (picture.target_path, picture.broken) == (None, False)


def test_a_markdown_link_is_relative_to_its_note_then_to_the_top_then_a_name_as_in_obsidian() -> None:
    files = {"work/a.md": "", "a.md": "", "work/sub/b.md": "", "sub/b.md": "", "top/c.md": "", "x/y/d.md": "# Title"}
    found = lead("[1](a.md) [2](sub/b.md) [3](top/c.md) [4](d.md) [5](y/d.md) [6](Title.md) [7](c)", files)
    assert [(each.target_path, each.resolved_by) for each in found] == [
        ("work/a.md", "name"),
        ("work/sub/b.md", "path"),
        ("top/c.md", "path"),
        ("x/y/d.md", "name"),
        ("x/y/d.md", "path"),
        (None, None),
        ("top/c.md", "name"),
    ]


@pytest.mark.parametrize(
    ("paths", "chosen", "others"),
    [
        (["work/Foo.md", "Foo.md", "work/deep/Foo.md", "b/Foo.md"], "work/Foo.md", ()),
        (["Foo.md", "work/deep/Foo.md", "b/Foo.md"], "Foo.md", ()),
        (["work/deep/Foo.md", "b/Foo.md"], "work/deep/Foo.md", ()),
        (["work/deep/Foo.md", "work/x/Foo.md"], "work/x/Foo.md", ("work/deep/Foo.md",)),
        (["long/Foo.md", "b/c/Foo.md", "x/Foo.md"], "x/Foo.md", ("b/c/Foo.md", "long/Foo.md")),
        (["c/Foo.md", "b/Foo.md"], "b/Foo.md", ("c/Foo.md",)),
        (["wor/Foo.md", "workshop/Foo.md"], "wor/Foo.md", ("workshop/Foo.md",)),
    ],
)
def test_among_files_of_one_name_the_nearest_counts_then_the_shortest_path(
    paths: list[str], chosen: str, others: tuple[str, ...]
) -> None:
    found = lead("[[Foo]]", dict.fromkeys(paths, ""))[0]
    assert (found.target_path, found.resolved_by, found.others) == (chosen, "name", others)
    assert found.reason == ("several" if others else "")


def test_among_notes_of_one_title_the_nearest_counts() -> None:
    files = {"b/x.md": "# Plan", "work/long-name.md": "# Plan", "work/a/y.md": "# Plan"}
    assert lead("[[Plan]]", files)[0] == Resolved("work/long-name.md", "title")
    assert lead("[[Plan]]", files, "else.md")[0].others == ("work/a/y.md", "work/long-name.md")


def test_a_new_file_of_the_same_name_moves_a_link_and_an_edit_of_one_does_not() -> None:
    first, second = {"a/Foo.md": "first"}, {"a/Foo.md": "first", "b/Foo.md": "second"}
    edited = {"a/Foo.md": "first\nmore", "b/Foo.md": "second"}
    found = [targets("See [[Foo]].", files, "b/src.md") for files in (first, second, edited, first)]
    assert found == [["a/Foo.md"], ["b/Foo.md"], ["b/Foo.md"], ["a/Foo.md"]]


@pytest.mark.parametrize(
    "text",
    [
        "[[x.png]]",
        "![[x.PDF#page=3]]",
        "[[images/pad.svg|Pad]]",
        "[[Movies.base#Director]]",
        "![](x.png)",
        "![x](x)",
        "[x](x.txt)",
        "[x](LICENSE)",
        "[x](folder/)",
        "[x](..)",
        "[x](x.png#frag)",
    ],
)
def test_what_is_no_note_is_an_attachment_and_not_broken(text: str) -> None:
    assert lead(text, {"folder.md": ""}) == [Resolved()]


def test_a_note_that_is_named_like_an_attachment_is_a_note() -> None:
    files = {"Node.js.md": "", "photo.png.md": "", "x.txt.md": ""}
    assert targets("[[Node.js]] [[photo.png]] [x](../x.txt.md)", files) == ["Node.js.md", "photo.png.md", "x.txt.md"]


@pytest.mark.parametrize("text", ["[[Node.js]]", "[[v1.2]]", "[[New idea]]", "[x](new.md)", "![x](new.md)", "![[new]]"])
def test_a_link_to_a_note_that_is_not_there_is_broken(text: str) -> None:
    assert lead(text, {"a.md": ""}) == [Resolved(None, None, True, "note")]


def test_a_link_within_its_note_is_checked_there() -> None:
    found = lead("[[#Here]] [[#There]] ![[source#Here]]\n\n# Here", {"a.md": "# There"})
    assert [(each.target_path, each.broken) for each in found] == [(SOURCE, False), (SOURCE, True), (SOURCE, False)]
