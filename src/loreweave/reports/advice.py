"""What to ask or do instead, where a question found nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loreweave.reports.question import Question, word

if TYPE_CHECKING:
    from loreweave.store.session import Session

HISTORY = "`lore facts --history` shows all valid time"
SHOWN = 5
ALIKE = 0.85
"""How alike two names are, from 0 to 1, of which one may be a slip of the other."""


def advice(session: Session, asked: Question, *, names_scopes: bool) -> str:
    """Say why there may be no facts, and what to ask, as one sentence without its end.

    ``names_scopes`` tells who asks in an empty scope which others there are.
    """
    subject, predicate = asked.subject, asked.predicate
    waiting = _unrecorded(session, asked)
    if waiting:
        return waiting
    if not _names(session, "subject", Question(asked.scope)):
        return _empty(asked.scope, _other_scopes(session, asked) if names_scopes else [])
    if subject is not None and not _names(session, "subject", Question(asked.scope, subject)):
        return f'no subject is called "{subject}"{_alike(session, "subject", asked)}'
    if subject is not None and predicate is not None:
        if _names(session, "subject", Question(asked.scope, subject, predicate)):
            return f"`lore why {word(subject)} {word(predicate)}` tells what was believed when"
        known = _names(session, "predicate", Question(asked.scope, subject))
        return f"{subject} is known under {', '.join(known)}"
    if predicate is not None and not _names(session, "predicate", Question(asked.scope, None, predicate)):
        return f'no predicate is called "{predicate}"{_alike(session, "predicate", asked)}'
    return HISTORY


def _unrecorded(session: Session, asked: Question) -> str:
    """Say what notes state of what is asked about, where the ledger does not hold it yet."""
    sql = f"""
        select subject, predicate, object, path || ':' || line, count(*) over () from statements
        semi join unrecorded using (path, line, subject, predicate, object, scope_key)
        where {asked.where()} order by path, line, predicate_key, object_key limit 1
    """
    row = session.ask(sql, asked.parameters()).fetchone()
    if row is None:
        return ""
    *fact, place, count = row
    more = f", and {count - 1:,} more" if count > 1 else ""
    return f"not recorded yet: {' :: '.join(fact)} ({place}){more}"


def _names(session: Session, column: str, asked: Question) -> list[str]:
    """Give the first names that stand in a column of beliefs, each as it is written first."""
    sql = f"""
        select arg_min({column}, (known_from, event_id)) from beliefs where {asked.where()}
        group by {column}_key order by {column}_key limit {SHOWN}
    """
    return [name for (name,) in session.ask(sql, asked.parameters()).fetchall()]


def _alike(session: Session, column: str, asked: Question) -> str:
    parameters = asked.parameters()
    sql = f"""
        select arg_min({column}, (known_from, event_id)) from beliefs
        where scope_key = $scope_key and jaro_winkler_similarity({column}_key, $asked) >= {ALIKE}
        group by {column}_key order by jaro_winkler_similarity({column}_key, $asked) desc, {column}_key limit {SHOWN}
    """
    given = {"scope_key": parameters["scope_key"], "asked": parameters[f"{column}_key"]}
    names = [name for (name,) in session.ask(sql, given).fetchall()]
    return f"; did you mean {' or '.join(names)}?" if names else ""


def _other_scopes(session: Session, asked: Question) -> list[str]:
    rows = session.ask(
        "select arg_min(scope, (known_from, event_id)) from beliefs where scope_key != $scope_key"
        f" group by scope_key order by scope_key limit {SHOWN}",
        {"scope_key": asked.parameters()["scope_key"]},
    ).fetchall()
    return [scope for (scope,) in rows]


def _empty(scope: str, others: list[str]) -> str:
    if others:
        return f'the scope "{scope}" holds none; --scope may be {", ".join(others)}'
    return "the record holds none yet; `lore assert S P O` writes one"
