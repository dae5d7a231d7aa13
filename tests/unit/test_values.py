"""The values of a field: which are one and which are many, what dates them, and what is none."""

from __future__ import annotations

import pytest

from extracting import ALL, codes, day, read, said, statements
from loreweave.events.statements import Settings


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
        "何冰, 韩童生, 钱波, 赵龙豪, 米铁增, 高冬平, 张永强, 李光复, 王刚, 班赞, 刘一辉, 雷佳, 杨玏, 郭奕君",
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
