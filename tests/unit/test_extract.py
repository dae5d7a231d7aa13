"""What a note states: each form, whose subject and scope it has, and what is no fact."""

from __future__ import annotations

import pytest

from extracting import ALL, day, read, said, statements
from loreweave.events.extract import Extracted, scope_of
from loreweave.events.statements import FORMS, Settings
from loreweave.events.values import CONFIDENCE

LEDGER = """---
title: Ledger Format
name: Ledger Format
status: draft
tags: [records]
members: [Ana, Bo]
---
# Something else

- owner:: Priya Sharma
- [format] columnar #storage (since the rewrite)
- **Deputy:** Sam
- Budget: 40,000
- [x] done
- [ ] to do
It is read [often:: daily] and (seldom:: by hand).
- [fact] Vendor :: reliability :: good
"""


def test_each_form_states_a_value_with_a_confidence_of_its_own() -> None:
    found = [
        (one.line, one.form, one.predicate, one.object, one.many, one.confidence) for one in statements(LEDGER, ALL)
    ]
    assert found == [
        (4, "property", "status", "draft", False, 0.95),
        (6, "list", "members", "Ana", True, 0.9),
        (6, "list", "members", "Bo", True, 0.9),
        (10, "inline field", "owner", "Priya Sharma", False, 0.9),
        (11, "observation", "format", "columnar", False, 0.85),
        (12, "bold label", "Deputy", "Sam", False, 0.8),
        (13, "short label", "Budget", "40,000", False, 0.7),
        (16, "inline field", "often", "daily", False, 0.9),
        (16, "inline field", "seldom", "by hand", False, 0.9),
        (17, "fact line", "reliability", "good", False, 0.9),
    ]
    assert set(FORMS) == set(CONFIDENCE)


def test_labels_count_in_mode_all_alone_and_nothing_counts_in_mode_off() -> None:
    assert [one.form for one in statements(LEDGER)] == [
        *("property", "list", "list", "inline field", "observation", "inline field", "inline field", "fact line"),
    ]
    assert read(LEDGER + "- [invalidate] A :: b\n- a:: {valid_from=never}", Settings(mode="off")) == Extracted(
        read(LEDGER).stated._replace(statements=())
    )


def test_the_title_is_the_subject_and_the_keys_are_those_of_slots() -> None:
    (one,) = statements("---\ntitle: Ledger-Format\n---\nNext_Step:: ＡＢＣ  d")
    assert one[3:11] == (
        *("default", "Ledger-Format", "Next_Step", "ＡＢＣ  d"),
        *("default", "ledger format", "next step", "abc d"),
    )
    assert read("---\ntitle: Ledger-Format\n---\n").stated[:2] == ("Atlas.md", "ledger format")


def test_the_scope_is_that_of_the_longest_folder() -> None:
    settings = Settings(scopes=(("work", "office"), ("work/lab", "Lab-1"), ("home", "house")))
    paths = ["a.md", "work/a.md", "work/lab/deep/a.md", "workshop/a.md", "home/a.md"]
    assert [scope_of(path, settings) for path in paths] == ["default", "office", "Lab-1", "default", "house"]
    (one,) = statements("owner:: Priya", settings, "work/lab/a.md")
    assert (one.scope, one.scope_key) == ("Lab-1", "lab 1")


def test_a_note_bears_its_date_beside_what_it_states() -> None:
    stated = read("---\ndate: 2026-01-15\n---\nowner:: Priya").stated
    assert (stated.dated, stated.statements[0].valid_from) == (day("2026-01-15"), None)


@pytest.mark.parametrize("path", ["lore/inbox.md", "lore/inbox-phone.md", "lore/digests/2026.md", "lore/journal/a.md"])
def test_nothing_under_lore_is_extracted(path: str) -> None:
    assert statements("owner:: Priya\n- [fact] A :: b :: c", ALL, path) == ()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("Templates/Book.md", "---\ntype: book\n---\nowner:: Priya"),
        ("kept/_templates/Book.md", "owner:: Priya"),
        ("Book.md", "---\ntype: book\ncreated: {{date}}\n---\nowner:: Priya"),
        ("Book.md", "# {{title}} of <% now %>\nowner:: Priya"),
        ("Book.md", '---\ntype: book\nread: "<% tp.date.now() %>"\n---\nowner:: Priya'),
    ],
)
def test_a_template_states_nothing(path: str, text: str) -> None:
    assert read(text, ALL, path) == Extracted(read(text, ALL, path).stated._replace(statements=()))


@pytest.mark.parametrize("text", ['---\nformula: "x_{{i}}"\n---\n', "# Atlas\nWrite {{date}} there.\n"])
def test_a_note_that_speaks_of_placeholders_is_no_template(text: str) -> None:
    assert ("owner", "Priya") in said(text + "owner:: Priya")


def test_a_value_of_a_placeholder_or_a_query_is_none() -> None:
    assert said("a1:: {{date}}\nb1:: x <% now %>\nc1:: `= this.owner`\nd1:: `$= dv.current()`\ne1:: {{x}") == [
        ("e1", "{{x}")
    ]


def test_names_that_describe_the_file_or_that_the_user_ignores_are_no_facts() -> None:
    text = (
        "---\ncreated: 2026-01-01\nPublish: true\nnav_order: 3\n---\nid:: 7\n- [Layout] wide\ntags:: #a\nowner:: Priya"
    )
    assert said(text, Settings(ignored=frozenset({"nav order"}))) == [("owner", "Priya")]


def test_a_user_ignores_all_names_that_begin_alike() -> None:
    text = "---\nTQ_explain: true\nTQ_short-mode: true\nTQX: 1\nsr-due: 2026-01-01\n---\n"
    assert said(text, Settings(ignored=frozenset({"tq *", "sr*"}))) == [("TQX", "1")]


def test_an_object_equal_to_the_subject_is_dropped() -> None:
    assert said("self:: [[atlas]]\nother:: ATLAS\nowner:: Priya") == [("owner", "Priya")]


def test_properties_keep_the_text_as_written() -> None:
    text = "---\ncountry: NO\nversion: 1.10\ncode: 007\nat: 10:00\nenabled: true\nanswer: no\nempty:\nnone: null\n---\n"
    assert said(text) == [
        *(
            ("country", "NO"),
            ("version", "1.10"),
            ("code", "007"),
            ("at", "10:00"),
            ("enabled", "true"),
            ("answer", "no"),
        )
    ]


def test_values_in_prose_are_cleaned_and_properties_keep_all_but_links() -> None:
    text = '---\nglob: "*.md"\nlead: "[[Ana Costa|Ana]]"\n---\nowner:: **[[Bo]]** <!-- so --> ^id-1\nport:: `8080`\n'
    assert said(text) == [("glob", "*.md"), ("lead", "Ana Costa"), ("owner", "Bo"), ("port", "8080")]


@pytest.mark.parametrize("name", ["due", "closed_at", "start date"])
def test_a_long_integer_in_a_property_of_time_is_an_instant(name: str) -> None:
    assert said(f"{name}:: 1735689600") == [(name, "2025-01-01")]
    assert said(f"---\n{name}: 1735725600123\n---\n") == [(name, "2025-01-01T10:00:00.123Z")]
    assert said(f"{name}:: 123456789") == [(name, "123456789")]
    assert said("phone:: 1735689600") == [("phone", "1735689600")]


def test_code_comments_tasks_and_quotes_state_nothing() -> None:
    text = """- `owner:: Priya`
```
owner:: Priya
```
%%
owner:: Priya
%%
<!-- owner:: Priya -->
> owner:: Priya
- [ ] owner:: Priya
- [/] (owner:: Priya)
| owner:: Priya |
Write `[owner:: Priya]` to say it.
"""
    assert said(text, ALL) == []


def test_a_field_below_a_list_item_speaks_of_that_item() -> None:
    text = """- Priya
  role:: Engineer
  - team:: Platform
    - [skill] Go
- owner:: Ana
  deputy:: Bo
  - since:: 2024

  until:: 2026
1. Lisbon
   mayor:: Rui

state:: open
  stage:: late
"""
    assert said(text) == [
        *(
            ("owner", "Ana"),
            ("deputy", "Bo"),
            ("since", "2024"),
            ("until", "2026"),
            ("state", "open"),
            ("stage", "late"),
        )
    ]


def test_a_word_in_brackets_that_is_a_link_is_no_observation() -> None:
    assert said("- [docs] to read\n- [note] to keep\n\n[docs]: https://example.org\n") == [("note", "to keep")]


def test_a_label_has_few_words_and_no_prose_after_it() -> None:
    text = """- Owner: Priya Sharma
- A third word: x
- Note: this goes on for more than eight words in all
- Rule: keep it short.
- Commit: (3af64b7)
- Step: first,
- Figure: ![[chart.png]]
1. Menu: Open
- **The third word**: x
"""
    assert said(text, ALL) == [("Owner", "Priya Sharma"), ("The third word", "x")]


def test_a_label_that_differs_from_heading_to_heading_speaks_of_the_sections() -> None:
    text = "# Atlas\n- Owner: Priya\n\n## One\n- Size: 1\n- Kind: x\n- Kind: y\n\n## Two\n- Size: 2\n- Owner: Priya\n"
    assert said(text, ALL) == [("Owner", "Priya"), ("Kind", "x"), ("Kind", "y")]
