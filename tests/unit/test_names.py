"""What notes are called, and the places in them that a link can name."""

from __future__ import annotations

import pytest

from linked import lead, targets
from loreweave.notes.links import LONGEST
from loreweave.notes.read import read_note
from loreweave.projections.names import anchors_of, heading_key, name_key, names_of, spelling

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


@pytest.mark.parametrize("text", ["", "A B", "Überblick", "a/b\u200b.md", "👩‍🔬", "ﬁ", "ẞ", "\u0130", "a\u0345"])
def test_the_spelling_of_a_spelling_is_itself(text: str) -> None:
    assert spelling(spelling(text)) == spelling(text)
    assert name_key(spelling(text)) == name_key(text)
    assert heading_key(heading_key(text)) == heading_key(text)
