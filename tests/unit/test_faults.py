"""What is told of links that lead nowhere or may lead to several notes, and of titles that several notes have."""

from __future__ import annotations

import pytest

from linked import SOURCE, told
from loreweave.notes.model import Link
from loreweave.notes.read import read_note
from loreweave.projections.faults import as_written, findings_of_titles


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
    assert finding.hint == "write more of its path, as in [[a/Overview]]"


def test_an_alias_that_two_notes_claim_is_told_of_with_both() -> None:
    claim = "---\naliases: [Shared]\n---\n"
    finding = told("[[Shared]]", {"b.md": claim, "a.md": claim})[0]
    assert finding.code == "ambiguous-alias"
    assert finding.message == '"[[Shared]]" names an alias of a.md and b.md, and leads to none of them.'
    assert finding.hint == "name the file, as in [[a|Shared]]"


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
