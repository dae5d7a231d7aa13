"""The worked cases beside the repository, three ways: the fold, the macro, and a vault asked with `lore query`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import duckdb
import pytest

import stored
from answers import Answers
from histories import Placed, events_of, files_of, read_files
from loreweave.events.slots import key
from loreweave.store.layout import lay_out
from program import lore
from small_vault import write
from worked_cases import ABSENT, Case, Question, worked_cases

CASES = worked_cases()
pytestmark = pytest.mark.skipif(not CASES, reason=ABSENT)
each_case = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])


def test_the_shelf_is_whole() -> None:
    assert len(CASES) == 97
    assert sum(len(case.questions) for case in CASES) == 356


@each_case
def test_the_fold_answers(case: Case) -> None:
    answers = Answers(events_of(case.sound))
    assert {q: answers.texts(q.slot, q.v, q.k) for q in case.questions} == {q: q.expect for q in case.questions}


@each_case
def test_the_text_answers(case: Case) -> None:
    events, findings = read_files(files_of(case.lines))
    answers = Answers(events)
    assert {q: answers.texts(q.slot, q.v, q.k) for q in case.questions} == {q: q.expect for q in case.questions}
    assert len(events) == len(case.sound)
    assert bool(findings) == (len(case.sound) < len(case.lines))


@cache
def database() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    lay_out(connection)
    return connection


@each_case
def test_the_macro_answers(case: Case) -> None:
    stored.put(database(), events_of(case.sound))
    for q in case.questions:
        sql = "select object from belief_at($v, $k) where (scope_key, subject_key, predicate_key) = ($c, $s, $p)"
        bound = dict(zip("csp", q.slot, strict=True), v=q.as_of, k=q.as_known_at)
        assert {text for (text,) in database().execute(sql, bound).fetchall()} == q.expect


# A vault -------------------------------------------------------------------------------------------------


def in_a_vault_of_all(number: int, case: Case) -> Iterator[Placed]:
    """The lines of a case in files and scopes of its own, so that one vault may hold them all."""
    for placed in case.lines:
        scope = _scope(number, placed.line.scope or "default")
        yield Placed(placed.line._replace(scope=scope), placed.path.replace(".md", f"-{number}.md"), placed.number)


def _scope(number: int, scope: str) -> str:
    return f"case {number} {scope}"


def question_row(number: int, q: Question) -> str:
    scope, subject, predicate = key(_scope(number, q.scope)), key(q.subject), key(q.predicate)
    known = "null" if q.as_known_at is None else f"'{q.as_known_at}'"
    return f"('{scope}', '{subject}', '{predicate}', '{q.as_of}', {known})"


def test_lore_query_answers(tmp_path: Path) -> None:
    lines = [placed for number, case in enumerate(CASES) for placed in in_a_vault_of_all(number, case)]
    asked = [(number, q) for number, case in enumerate(CASES) for q in case.questions]
    vault = write(tmp_path, files_of(lines))
    questions = ", ".join(question_row(number, q) for number, q in asked)
    sql = f"""
        select q, list(object order by object) filter (object is not null) as believed
        from (select *, row_number() over () - 1 as q from (values {questions}) as t(c, s, p, v, k)) as asked
        left join lateral (select * from belief_at(v, k)) as b
            on (b.scope_key, b.subject_key, b.predicate_key) = (c, s, p)
        group by q order by q
    """
    (vault / "asked.sql").write_text(sql, "utf-8")
    found = json.loads(lore(vault, "query", "--format", "json", f"@{vault / 'asked.sql'}"))
    answers = {
        (CASES[number].name, q): set(row["believed"] or []) for (number, q), row in zip(asked, found, strict=True)
    }
    assert answers == {(CASES[number].name, q): q.expect for number, q in asked}
    assert json.loads(lore(vault, "query", "--format", "json", "select count(*) as n from quarantine"))[0]["n"] == sum(
        len(case.lines) - len(case.sound) for case in CASES
    )
