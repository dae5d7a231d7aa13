"""The questions of a vault as methods: what was believed, and why, what changed, how many, and where it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from loreweave import clock
from loreweave.errors import BadRequest, Refused
from loreweave.events.model import RANKS
from loreweave.notes.visible import is_blank, reveal
from loreweave.reports.answer import CHANGES, FACTS, GROUPS, PASSAGES, STEPS
from loreweave.reports.asks import Asks
from loreweave.reports.question import Question, limit_of, named
from loreweave.times import HINT, Instant, Moment, Time, read_time, show_instant

if TYPE_CHECKING:
    from loreweave.reports.answer import Answer
    from loreweave.reports.ask import Reply
    from loreweave.reports.count import Count
    from loreweave.reports.diff import Diff
    from loreweave.reports.facts import Fact
    from loreweave.reports.search import Facets
    from loreweave.reports.why import Why
    from loreweave.search.dense import Ask
    from loreweave.search.found import Found
    from loreweave.store.session import Session


class Questions(Asks):
    """Questions to one vault, in one scope. A time, a name or a source that cannot be read is a BadRequest."""

    agent: str | None

    def dense(self, session: Session) -> Ask | None:
        """Give what compares questions with spans by their meaning, where the settings name a provider."""
        del session
        return None

    def facts(
        self,
        *,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,  # noqa: A002 - the word of the column, the flag and the glossary
        source: str | None = None,
        as_of: Time = None,
        as_known_at: Time = None,
        history: bool = False,
        limit: int = FACTS,
    ) -> Answer[Fact]:
        """Give what was believed at a moment: now and as best known, unless said otherwise.

        ``history`` gives the whole valid history as believed at ``as_known_at``. Raises BadRequest for a time, a
        name or a source that cannot be read.
        """
        from loreweave.reports import facts

        limit = limit_of(limit)
        if history and as_of is not None:
            raise BadRequest("A history is of all valid time.", "leave out as_of, or leave out history")
        instant = None if history else self._as_of(as_of)
        moment = Moment(instant, read_time("as_known_at", as_known_at))
        asked = self._question(subject, predicate, object, source, moment)
        with self.asking() as session:
            return (facts.history if history else facts.facts)(session, asked, limit=limit)

    def advice(
        self, *, subject: str | None = None, predicate: str | None = None, history: bool = False, **_: object
    ) -> str:
        """Say what to ask where ``facts`` gave none, given the same arguments; an agent is told of its own scope alone.

        It is one sentence without its end.
        """
        from loreweave.reports.advice import HISTORY, advice

        with self.asking() as session:
            asked = self._question(subject, predicate, None, None, Moment())
            told = advice(session, asked, names_scopes=self.agent is None)
        return "" if history and told == HISTORY else told

    def why(
        self, subject: str, predicate: str, *, as_of: Time = None, as_known_at: Time = None, limit: int = STEPS
    ) -> Why:
        """Give the value of a slot at a moment and the chain that made it: which lines, what each changed."""
        from loreweave.reports.why import why

        limit = limit_of(limit)
        moment = Moment(self._as_of(as_of), read_time("as_known_at", as_known_at))
        asked = self._question(subject, predicate, None, None, moment)
        with self.asking() as session:
            return why(session, asked, limit=limit)

    def diff(
        self,
        earlier: Time,
        later: Time = None,
        *,
        subject: str | None = None,
        predicate: str | None = None,
        limit: int = CHANGES,
    ) -> Diff:
        """Give what changed in belief after one record instant and up to another, else up to the last one."""
        from loreweave.reports.diff import diff

        limit = limit_of(limit)
        first, last = read_time("from", earlier), read_time("to", later)
        if first is None:
            raise BadRequest("A difference begins at a record instant.", HINT)
        if last is not None and last < first:
            raise Refused(f"to: {show_instant(last)} is before {show_instant(first)}.", "give the earlier one first")
        asked = self._question(subject, predicate, None, None, Moment())
        with self.asking() as session:
            return diff(session, asked, first, last, limit=limit)

    def count(
        self,
        *,
        group_by: str = "object",
        subject: str | None = None,
        predicate: str | None = None,
        since: Time = None,
        until: Time = None,
        as_known_at: Time = None,
        limit: int = GROUPS,
    ) -> Count:
        """Count the spells that began in a window of valid time, ``until`` excluded, in groups of equal keys.

        The window is given in any form of a date that a question may have, such as 2025 or June 2024.
        """
        from loreweave.reports.count import GROUPINGS, Window, count
        from loreweave.search.dates import bounds

        limit = limit_of(limit)
        if group_by not in GROUPINGS:
            raise BadRequest(f'group-by must be one of {", ".join(GROUPINGS)}, not "{group_by}".', "")
        today = None if since is None and until is None else clock.now()
        window = Window(*bounds(since, until, today))
        asked = self._question(subject, predicate, None, None, Moment(None, read_time("as_known_at", as_known_at)))
        with self.asking() as session:
            return count(session, asked, group_by, window, limit=limit)

    def search(self, *wordings: str, **facets: Unpack[Facets]) -> Found:
        """Find the spans that answer a question, given in one wording or several; the best first.

        ``limit`` is how many at most; ``tags`` all of which their notes have, none of those with ``-`` before;
        ``folder`` in which they stand; ``since`` and ``until``, excluded, the time they are about.
        """
        with self.asking() as session:
            return self._search(session, wordings, facets)

    def search_advice(self, *wordings: str, **facets: Unpack[Facets]) -> str:
        """Say what to ask where ``search`` found nothing, given the same arguments."""
        from loreweave.reports.search import advice, question

        asked = question(wordings, facets, self.scope, clock.now())
        with self.asking() as session:
            return advice(session, asked)

    def ask(self, question: str, *, as_of: Time = None, as_known_at: Time = None, limit: int = PASSAGES) -> Reply:
        """Give the beliefs that answer a question, at the date it names or now, and the ``limit`` best spans.

        ``as_of`` overrules the date of the question.
        """
        from loreweave.reports.ask import Asked, ask

        moment = Moment(read_time("as_of", as_of), read_time("as_known_at", as_known_at))
        with self.asking() as session:
            found = self._search(session, (question,), {"limit": limit})
            return ask(session, Asked(question, self.scope, moment, clock.now()), found)

    def _search(self, session: Session, wordings: tuple[str, ...], facets: Facets) -> Found:
        from loreweave.reports.search import question
        from loreweave.search import search

        return search(session, question(wordings, facets, self.scope, clock.now()), self.dense(session))

    def _as_of(self, value: Time) -> Instant:
        instant = read_time("as_of", value)
        return clock.now() if instant is None else instant

    def _question(
        self, subject: str | None, predicate: str | None, named_object: str | None, source: str | None, moment: Moment
    ) -> Question:
        for name, text in (("subject", subject), ("predicate", predicate)):
            if text is not None:
                named(name, text)
        if named_object is not None and is_blank(named_object):
            raise Refused(f"object: {reveal(named_object)} is blank.", "give the value, or leave it out")
        if source is not None and source not in RANKS:
            raise BadRequest(f'source: "{source}" is none of {", ".join(RANKS)}.', "give one of them, or leave it out")
        return Question(self.scope, subject, predicate, named_object, source, moment)
