"""Where links lead, and what is told of those that lead nowhere or may lead to several notes."""

from __future__ import annotations

import unicodedata

import pytest

from loreweave.errors import Finding
from loreweave.notes.links import LONGEST
from loreweave.notes.model import Link, Note
from loreweave.notes.read import read_note
from loreweave.projections.faults import as_written, findings_of_links, findings_of_titles
from loreweave.projections.links import Directory, Resolved
from loreweave.projections.names import anchors_of, heading_key, name_key, names_of, spelling

SOURCE = "work/source.md"


def directory(*notes: Note) -> Directory:
    return Directory(
        (row for note in notes for row in names_of(note)), (row for note in notes for row in anchors_of(note))
    )


def lead(text: str, files: dict[str, str], source: str = SOURCE) -> list[Resolved]:
    """Say where the links of a text lead that is the note at ``source`` among others."""
    note = read_note(source, text)
    found = directory(note, *(read_note(path, text) for path, text in files.items()))
    return [found.resolve(source, link) for link in note.links]


def targets(text: str, files: dict[str, str], source: str = SOURCE) -> list[str | None]:
    return [found.target_path for found in lead(text, files, source)]


def told(text: str, files: dict[str, str], source: str = SOURCE) -> list[Finding]:
    note = read_note(source, text)
    found = directory(note, *(read_note(path, text) for path, text in files.items()))
    return list(findings_of_links(((source, link) for link in note.links), found))


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


HEADINGS = """\
# Top
## 🛠️ Development
### `code` and **marks**
## [[Other|Linked]] text
## [Written](x.md) and <b>bold</b>
## Named {#by-id}
## 日本語 の見出し
## Notes
## Notes
# Second
## Development
"""


@pytest.mark.parametrize(
    "heading",
    [
        "Top",
        "top",
        " Top ",
        "🛠️ Development",
        "🛠 Development",
        "-development",
        "code and marks",
        "`code` and **marks**",
        "code-and-marks",
        "Other Linked text",
        "linked-text",
        "written-and-bold",
        "Named",
        "by-id",
        "日本語 の見出し",
        "notes-1",
        "Top#Development",
        "Top#Code and marks",
        "Top#🛠️ Development#code and marks",
        "Second#Development",
    ],
)
@pytest.mark.parametrize("link", ["[[n#{}]]", "[x](../n.md#{})"])
def test_a_heading_is_there_where_its_letters_and_digits_are(heading: str, link: str) -> None:
    text = link.format(heading if link.startswith("[[") else heading.replace(" ", "%20"))
    assert [(each.target_path, each.broken) for each in lead(text, {"n.md": HEADINGS})] == [("n.md", False)]


MISSING = ("Topp", "notes-2", "Second#code and marks", "Development#Top", "Development#Named", "Top#Second")


@pytest.mark.parametrize("heading", [*MISSING, "^Top", "Top#^x"])
def test_a_heading_that_is_not_there_breaks_a_link_that_leads_to_its_note(heading: str) -> None:
    found = lead(f"[[n#{heading}]]", {"n.md": HEADINGS})[0]
    assert (found.target_path, found.broken) == ("n.md", True)
    assert found.reason == ("block" if "^" in heading else "heading")


def test_blocks_and_places_in_html_are_checked() -> None:
    files = {"n.md": 'text ^Id-1\n\n<a name="spot"></a>\n'}
    found = lead(
        "[[n#^id-1]] [[n#h#^id-1]] [x](../n.md#^id-1) [x](../n.md#spot) [x](../n.md#L10) [[n#^ID-1]] [[n#^id]]", files
    )
    assert [each.broken for each in found] == [False, False, False, False, False, False, True]


def test_a_long_heading_is_found_by_its_beginning() -> None:
    note = read_note("n.md", f"# {'x' * 3 * LONGEST}\n## y\n")
    assert [len(anchor.key) for anchor in anchors_of(note)] == [LONGEST, LONGEST + len("#y")]
    assert not lead(f"[[n#{'x' * LONGEST}]]", {"n.md": note.scan.text})[0].broken


def test_a_link_within_its_note_is_checked_there() -> None:
    found = lead("[[#Here]] [[#There]] ![[source#Here]]\n\n# Here", {"a.md": "# There"})
    assert [(each.target_path, each.broken) for each in found] == [(SOURCE, False), (SOURCE, True), (SOURCE, False)]


@pytest.mark.parametrize(
    ("path", "text", "link"),
    [
        ("pages/term___block.md", "", "term/block"),
        ("pages/a%2Fb.md", "", "a/b"),
        ("pages/What%3F.md", "", "What?"),
        ("journals/2020_09_14.md", "", "Sep 14th, 2020"),
        ("journals/2021_01_01.md", "", "Jan 1st, 2021"),
        ("journals/2021_12_12.md", "", "Dec 12th, 2021"),
        ("journals/2021_12_22.md", "", "Dec 22nd, 2021"),
        ("pages/bensu.md", "alias:: [[Sebastian]], Seb\n- text", "Seb"),
        ("pages/bensu.md", "alias:: [[Sebastian]], Seb\n- text", "Sebastian"),
        ("pages/p.md", "title:: Long title\ntype:: [[x]]\n", "Long title"),
        ("pages/p.md", "---\nx: 1\n---\nalias:: other", "other"),
    ],
)
def test_pages_of_logseq_are_found_by_the_names_it_gives_them(path: str, text: str, link: str) -> None:
    assert targets(f"[[{link}]]", {path: text}) == [path]


def test_an_alias_below_the_text_is_none() -> None:
    assert targets("[[Seb]]", {"pages/bensu.md": "- text\nalias:: Seb"}) == [None]


def test_a_note_has_each_spelling_once_and_no_name_that_no_link_can_hold() -> None:
    note = read_note("a/Atlas.md", f"---\ntitle: atlas\naliases: [ATLAS, Map, map, A/B, {'x' * (LONGEST + 1)}]\n---\n")
    assert [tuple(name) for name in names_of(note)] == [
        ("a/Atlas.md", "atlas", "name", "Atlas"),
        ("a/Atlas.md", "map", "alias", "Map"),
        ("a/Atlas.md", "b", "alias", "A/B"),
    ]


def test_an_alias_with_a_slash_is_meant_whole() -> None:
    files = {"a.md": "---\naliases: [Client/Server]\n---\n"}
    assert targets("[[client/server]] [[Server]]", files) == ["a.md", None]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[New idea]]", '"[[New idea]]" leads to no note.'),
        ("![[New idea#x|y]]", '"![[New idea#x|y]]" leads to no note.'),
        ("[text](no%20note.md#frag)", '"[text](no%20note.md#frag)" leads to no note.'),
        ("![](no.md)", '"![](no.md)" leads to no note.'),
        ("[[../../up]]", '"[[../../up]]" leads out of the vault.'),
        ("[[a#Nothing]]", '"[[a#Nothing]]" leads to a.md, which has no heading "Nothing".'),
        ("[[a#Top#Nothing]]", '"[[a#Top#Nothing]]" leads to a.md, which has no heading "Nothing".'),
        ("[[a#^id]]", '"[[a#^id]]" leads to a.md, which has no block "^id".'),
        ("[[new\u200b]]", '"[[new<U+200B>]]" leads to no note.'),
    ],
)
def test_a_broken_link_is_quoted_and_told_of(text: str, message: str) -> None:
    finding = told(f"text\n\n{text}", {"a.md": "# Top"})[0]
    assert (finding.code, finding.severity) == ("broken-link", "warning")
    assert (finding.path, finding.line) == (SOURCE, 3)
    assert finding.message == message
    assert finding.hint


def test_a_link_that_may_mean_several_notes_is_told_of_with_those_and_what_to_write() -> None:
    paths = [f"{folder}/Overview.md" for folder in "abcde"]
    finding = told("[[Overview]]", dict.fromkeys(paths, ""))[0]
    assert finding.code == "ambiguous-link"
    assert finding.message == (
        '"[[Overview]]" leads to a/Overview.md, and may as well mean b/Overview.md, c/Overview.md,'
        " d/Overview.md and 1 more."
    )
    assert finding.hint == "Write more of its path, as in [[a/Overview]]"


def test_an_alias_that_two_notes_claim_is_told_of_with_both() -> None:
    claim = "---\naliases: [Shared]\n---\n"
    finding = told("[[Shared]]", {"b.md": claim, "a.md": claim})[0]
    assert finding.code == "ambiguous-alias"
    assert finding.message == '"[[Shared]]" names an alias of a.md and b.md, and leads to none of them.'
    assert finding.hint == "Name the file, as in [[a|Shared]]"


def test_links_that_lead_to_one_place_are_not_told_of() -> None:
    assert told("[[a]] [[a#Top]] ![](x.png) [x](../a.md)", {"a.md": "# Top"}) == []


def test_a_title_of_several_notes_of_one_scope_is_told_of_once() -> None:
    titles = [("b.md", "Atlas", "k"), ("a.md", "atlas", "k"), ("c.md", "Atlas", "other"), ("d.md", "Vendor", "k")]
    (finding,) = findings_of_titles(titles)
    assert (finding.code, finding.path, finding.line, finding.scope_key) == ("ambiguous-title", "a.md", 1, "k")
    assert finding.message == 'The title "atlas" is that of a.md and b.md: what they state is of one subject.'


def test_a_link_is_written_as_it_was_read() -> None:
    for text in ["[[T]]", "[[T#h|a]]", "![[x.png|30]]", "[a](b%20c.md#d)", "![a](b.png)", "[](b.md)", "[[#^x]]"]:
        assert [as_written(link) for link in read_note("a.md", text).links] == [text]
    assert as_written(Link(1, "b.md", "markdown", None, "x" * 40)) == f"[{'x' * 30}…](b.md)"


@pytest.mark.parametrize("text", ["", "A B", "Überblick", "a/b\u200b.md", "👩‍🔬", "ﬁ", "ẞ", "\u0130", "a\u0345"])
def test_the_spelling_of_a_spelling_is_itself(text: str) -> None:
    assert spelling(spelling(text)) == spelling(text)
    assert name_key(spelling(text)) == name_key(text)
    assert heading_key(heading_key(text)) == heading_key(text)
