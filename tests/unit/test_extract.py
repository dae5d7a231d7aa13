"""What a note states: each form, what is no fact, how values of one field hold together, and what is found wrong."""

from __future__ import annotations

import pytest

from loreweave.events.extract import Extracted, extract, scope_of
from loreweave.events.statements import FORMS, Settings, Statement
from loreweave.events.values import CONFIDENCE
from loreweave.notes.read import read_note
from loreweave.times import read_instant

ALL = Settings(mode="all")


def read(text: str, settings: Settings | None = None, path: str = "Atlas.md") -> Extracted:
    return extract(read_note(path, text), settings or Settings())


def statements(text: str, settings: Settings | None = None, path: str = "Atlas.md") -> tuple[Statement, ...]:
    return read(text, settings, path).stated.statements


def said(text: str, settings: Settings | None = None, path: str = "Atlas.md") -> list[tuple[str, str]]:
    return [(one.predicate, one.object) for one in statements(text, settings, path)]


def codes(text: str, settings: Settings | None = None, path: str = "Atlas.md") -> list[tuple[int, str]]:
    return [(finding.line, finding.code) for finding in read(text, settings, path).findings]


def day(text: str) -> int:
    return read_instant(text)


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
        ("Book.md", '---\ntype: book\nread: "<% tp.date.now() %>"\n---\nowner:: Priya'),
    ],
)
def test_a_template_states_nothing(path: str, text: str) -> None:
    assert read(text, ALL, path) == Extracted(read(text, ALL, path).stated._replace(statements=()))


def test_a_value_of_a_placeholder_or_a_query_is_none() -> None:
    assert said("a1:: {{date}}\nb1:: x <% now %>\nc1:: `= this.owner`\nd1:: `$= dv.current()`\ne1:: {{x}") == [
        ("e1", "{{x}")
    ]


def test_names_that_describe_the_file_or_that_the_user_ignores_are_no_facts() -> None:
    text = (
        "---\ncreated: 2026-01-01\nPublish: true\nnav_order: 3\n---\nid:: 7\n- [Layout] wide\ntags:: #a\nowner:: Priya"
    )
    assert said(text, Settings(ignored=frozenset({"nav order"}))) == [("owner", "Priya")]


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


# ---- one field, several values


def test_a_field_repeated_in_a_note_is_many_valued() -> None:
    text = "---\nmember: Ana\n---\nmember:: Bo\n- [Member] Cy\nowner:: Priya"
    assert [(one.object, one.many) for one in statements(text)] == [
        ("Ana", True),
        ("Bo", True),
        ("Cy", True),
        ("Priya", False),
    ]


def test_equal_objects_are_one_statement_as_sure_as_the_surest_on_the_first_line() -> None:
    text = "- [owner] Priya\nowner:: priya\n(owner:: Priya {confidence=0.99})"
    ((line, form, shown, many, sure),) = [
        (one.line, one.form, one.object, one.many, one.confidence) for one in statements(text)
    ]
    assert (line, form, shown, many, sure) == (1, "observation", "Priya", False, 0.99)


def test_an_equal_object_without_a_time_is_the_one_with_a_time() -> None:
    text = "---\nowner: Priya\n---\nowner:: Priya {valid_from=2026-01-01}"
    ((line, start, many, sure),) = [(one.line, one.valid_from, one.many, one.confidence) for one in statements(text)]
    assert (line, start, many, sure) == (2, day("2026-01-01"), False, 0.95)


def test_lines_with_starts_of_their_own_are_a_history() -> None:
    text = "- role:: Engineer {valid_from=2024-01-01}\n- role:: Lead {valid_from=2026-01-01}"
    assert [one.many for one in statements(text)] == [False, False]
    again = "\n- role:: Engineer {valid_from=2026-05-01}"
    assert [one.many for one in statements(text + again)] == [False, False, False]
    assert [one.many for one in statements(text.replace("2024", "2026"))] == [True, True]
    assert [one.many for one in statements(text + "\n- role:: Advisor")] == [True, True, True]


def test_a_list_is_many_valued_even_with_one_item() -> None:
    assert [one.many for one in statements("---\nmembers: [Ana]\n---\n")] == [True]
    text = 'related:: [[Note, with comma]], [[Plain Note]]\nplaces:: alpha, beta\nquote:: "slow, then fast"\n'
    assert [(one.object, one.many) for one in statements(text)] == [
        ("Note, with comma", True),
        ("Plain Note", True),
        ("alpha, beta", False),
        ("slow, then fast", False),
    ]


def test_a_predicate_declared_many_is_many() -> None:
    settings = Settings(many=frozenset({"team member"}))
    text = "Team-Member:: Ana\n- [fact] Atlas :: team member :: Bo\n- [fact] Atlas :: team member :: Cy {many}"
    assert [(one.object, one.many) for one in statements(text, settings)] == [
        ("Ana", True),
        ("Bo", False),
        ("Cy", True),
    ]


def test_a_fact_line_equal_to_a_field_is_one_statement_with_it() -> None:
    text = "---\nowner: Priya\n---\n- [fact] atlas :: Owner :: priya\n- [fact] atlas :: Owner :: priya"
    assert [(one.line, one.form) for one in statements(text)] == [(2, "property")]


def test_a_long_list_is_cut_with_a_finding() -> None:
    listed = ", ".join(f"m{number}" for number in range(51))
    linked = ", ".join(f"[[m{number}]]" for number in range(51))
    for text, line in ((f"---\nmembers: [{listed}]\n---\n", 2), (f"\nmembers:: {linked}", 2)):
        assert [one.object for one in statements(text)] == [f"m{number}" for number in range(50)]
        assert codes(text) == [(line, "too-many-values")]


# ---- attribute blocks


@pytest.mark.parametrize(
    "text",
    [
        '---\nrole: "Lead {valid_from=2026-01-01, valid_until=2027-01-01, confidence=0.5}"\n---\n',
        "---\nrole: Lead {valid_from=2026-01-01, valid_until=2027-01-01, confidence=0.5}\n---\n",
        '---\nrole: ["Lead {valid_from=2026-01-01, valid_until=2027-01-01, confidence=0.5}"]\n---\n',
        "role:: Lead {valid_from=2026-01-01, valid_until=2027-01-01, confidence=0.5}",
        "role:: Lead {valid_from=2026-01-01, valid_until=2027-01-01, confidence=0.5} ^abc",
        "the [role:: Lead {valid_from=2026-01-01, valid_until=2027-01-01, confidence=0.5}] it is",
        "the (role:: Lead) it is {valid_from=2026-01-01, valid_until=2027-01-01, confidence=0.5}",
        "- [role] Lead #x (y) {valid_from=2026-01-01, valid_until=2027-01-01, confidence=0.5}",
        "- **Role:** Lead {valid_from=2026-01-01, valid_until=2027-01-01, confidence=0.5}",
        "- Role: Lead {valid_from=2026-01-01, valid_until=2027-01-01, confidence=0.5}",
        "- [fact] Atlas :: role :: Lead {valid_from=2026-01-01, valid_until=2027-01-01, confidence=0.5}",
    ],
)
def test_a_block_dates_a_value_of_any_form(text: str) -> None:
    ((shown, *told),) = [(one.object, one.valid_from, one.valid_until, one.confidence) for one in statements(text, ALL)]
    assert (shown, told) == ("Lead", [day("2026-01-01"), day("2027-01-01"), 0.5])
    assert codes(text, ALL) == []


def test_braces_that_are_no_block_stay_whole() -> None:
    text = 'shape:: {"a": 1}\nset1:: set {1,2}\nmath:: x_{n=1}^2'
    assert said(text) == [("shape", '{"a": 1}'), ("set1", "set {1,2}"), ("math", "x_{n=1}^2")]
    assert codes(text) == []


def test_a_block_in_which_no_name_is_known_stays_with_a_finding() -> None:
    finding = read("  - near:: x  {valid_form=2026-01-01} ").findings[0]
    assert said("near:: x  {valid_form=2026-01-01}") == [("near", "x  {valid_form=2026-01-01}")]
    assert (finding.code, finding.column, finding.severity) == ("looks-like-attributes", 15, "warning")


BROKEN = {
    "a1:: x {valid_from=2026-02-30}": ("bad-attribute", 9),
    "  a1:: x {confidence=2}": ("bad-attribute", 11),
    "a1:: x {valid_from=2026-01-02, valid_until=2026-01-02}": ("close-before-open", 8),
    "a1:: {confidence=0.5}": ("blank-object", 6),
    "a1:: \u200b": ("blank-object", 7),
    'a1:: x {valid_from="2026-01-01}': ("bad-attribute", 8),
    "- [fact] A :: b :: c {valid_from=never}": ("bad-attribute", 23),
    "- [fact] A :: b :: c {valid_from=2026-01-02, valid_until=2026-01-01}": ("close-before-open", 1),
    "- [fact] \u200b :: b :: c": ("empty-key", 1),
    "- [fact] A :: b :: \u200b": ("blank-object", 1),
    "- [fact] A :: b": ("missing-field", 16),
    "- [fact] A :: b ::": ("blank-object", 1),
}


@pytest.mark.parametrize(("text", "found"), BROKEN.items())
def test_what_is_broken_is_a_finding_and_no_statement(text: str, found: tuple[str, int]) -> None:
    extracted = read(f"\n{text}\n")
    assert extracted.stated.statements == ()
    assert [(one.path, one.line, one.code, one.column, one.severity) for one in extracted.findings] == [
        ("Atlas.md", 2, *found, "error")
    ]


def test_a_field_that_is_not_filled_in_is_silent() -> None:
    text = '---\nstatus:\nowner: ""\n---\nowner:: \n- [tech] #tag (context)\n[due:: ]\nstate:: ~~draft~~\nend:: %%no%%'
    assert (statements(text), codes(text)) == ((), [])


@pytest.mark.parametrize(
    "text",
    [
        "scope:: " + "x" * 301,
        "scope:: " + "word " * 26,
        "scope:: It was shipped. Then it was not.",
        "scope:: 已经完成。然后没有",
        "scope:: " + "字" * 60,
        "---\nscope: |\n  one line\n  another\n---\n",
        "scope:: " + "x" * 2_000_000,
        "- [fact] Atlas :: scope :: " + "x" * 2001,
    ],
)
def test_a_value_that_is_too_long_is_a_warning(text: str) -> None:
    extracted = read(text)
    assert extracted.stated.statements == ()
    assert [(one.code, one.severity) for one in extracted.findings] == [("long-value", "warning")]
    assert len(extracted.findings[0].message) < 300


@pytest.mark.parametrize(
    "value",
    [
        "x" * 300,
        "word " * 25,
        "Dr. Ana Costa",
        "J. R. R. Tolkien",
        "approx. 5 of St. Louis",
        "It was shipped.",
        "Assoc. Prof. Costa",
        "v1. Then",
        "Who? Priya".replace("? P", "? p"),
        "已经完成。",
    ],
)
def test_a_value_may_hold_points_that_end_no_sentence(value: str) -> None:
    assert said(f"scope:: {value}") == [("scope", value.strip())]


# ---- what a note cannot say


def test_what_a_note_says_of_its_source_author_scope_and_record_time_is_ignored() -> None:
    block = "{source=stated, recorded_at=2020-01-01, by=me, scope=secret, because=x}"
    codes_of_block = ["forged-source", "forged-record-time", "forged-author", "forged-scope", "unknown-attribute"]
    for text in (f"owner:: Priya {block}", f"- [fact] Atlas :: owner :: Priya {block}"):
        ((scope, shown, many),) = [(one.scope, one.object, one.many) for one in statements(text)]
        assert (scope, shown, many) == ("default", "Priya", False)
        assert [code for _, code in codes(text)] == codes_of_block
        assert {finding.severity for finding in read(text).findings} == {"warning"}


def test_the_word_many_counts_on_a_fact_line_alone() -> None:
    text = "owner:: Priya {many, confidence=1}\n- [fact] Atlas :: lead :: Ana {many}"
    assert [one.many for one in statements(text)] == [False, True]
    assert codes(text) == [(1, "unknown-attribute")]


def test_a_true_source_is_no_forgery() -> None:
    assert codes("- [fact] A :: b :: c {source=extracted}") == []


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("- [invalidate] Vendor :: reliability", "lore invalidate Vendor reliability"),
        (
            "- [invalidate] Ledger Format :: status :: final {valid_until=2026-10-01, scope=x}",
            "lore invalidate --valid-until 2026-10-01 'Ledger Format' status final",
        ),
        ("- [retract] A :: b {valid_from=2026-01-01T09:00:00Z}", "lore retract --valid-from 2026-01-01T09:00:00Z A b"),
        ("- [retract] it's :: $(x) :: `y`; z", "lore retract 'it'\\''s' '$(x)' '`y`; z'"),
        ("- [invalidate] --vault :: b", "lore invalidate -- --vault b"),
        ("- [invalidate] A :: b {valid_until=never}", "lore invalidate SUBJECT PREDICATE"),
    ],
)
def test_a_close_in_a_note_has_no_effect_and_shows_the_command_to_run(line: str, command: str) -> None:
    extracted = read(line)
    assert extracted.stated.statements == ()
    assert [(one.code, one.hint) for one in extracted.findings] == [("close-in-note", f"run: {command}")]


@pytest.mark.parametrize(
    "line",
    [
        "- [observed] A :: b :: c {note=x.md, recorded_at=2026-01-01}",
        "- [withdrawn] A :: b",
        "- [proposed] A :: b :: c",
        "- [used] a.md {recorded_at=2026-01-01}",
    ],
)
def test_a_line_of_the_record_in_a_note_is_misplaced(line: str) -> None:
    assert (statements(line), codes(line)) == ((), [(1, "misplaced")])


def test_a_kind_by_chance_begins_an_observation() -> None:
    text = "- [session] with Priya\n- [used] two litres\n- [observed] heavy rain\n- [proposed] a new name"
    assert [(one.predicate, one.form) for one in statements(text)] == [
        *(("session", "observation"), ("used", "observation"), ("observed", "observation"), ("proposed", "observation"))
    ]
    assert codes(text) == []


@pytest.mark.parametrize(
    "line",
    ["- [Fact] A :: b :: c", "1. [fact] A :: b :: c", "> - [fact] A :: b :: c", "- [x] [fact] A :: b :: c"],
)
def test_a_fact_line_that_is_almost_right_is_a_near_miss(line: str) -> None:
    assert (statements(line), codes(line)) == ((), [(1, "near-miss")])


def test_a_fact_line_without_separators_is_a_warning() -> None:
    finding = read("- [fact] water boils at 100 degrees").findings[0]
    assert (finding.code, finding.severity) == ("missing-field", "warning")


def test_an_object_of_a_fact_line_is_kept_as_written_and_one_in_code_is_none() -> None:
    text = "* [fact]A::b::**[[c]]** `d` :: e ^id\n- `[fact] A :: b :: c`\n`- [fact]` A :: b :: c"
    assert said(text) == [("b", "**[[c]]** `d` :: e")]


def test_a_title_with_an_empty_key_is_one_finding_and_facts_of_other_subjects_stand() -> None:
    text = '---\ntitle: "---"\n---\nowner:: Priya\nstate:: open\n- [fact] A :: b :: c'
    assert said(text) == [("b", "c")]
    assert codes(text) == [(1, "empty-key")]


def test_findings_come_in_the_order_of_their_lines_with_the_scope_of_the_note() -> None:
    text = "- [invalidate] A :: b\nx1:: {confidence=0}\n---\n- [fact] A"
    extracted = read(text, Settings(scopes=(("work", "Office"),)), "work/a.md")
    assert [(one.line, one.scope_key) for one in extracted.findings] == [(1, "office"), (2, "office"), (4, "office")]
