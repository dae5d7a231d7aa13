"""Lines of the record in a note, and what a note cannot say of its own values."""

from __future__ import annotations

import pytest

from extracting import codes, read, said, statements
from loreweave.events.statements import Settings


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
