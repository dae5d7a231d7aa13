"""Why a span was found, in short phrases for people: its words, the wordings, its date."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from loreweave.notes.words import asked as read_words
from loreweave.search.constants import NEAR_TOLD, NEAREST
from loreweave.search.ranking import Words
from loreweave.search.window import Window, untimed, window_of
from loreweave.times import Instant, show_day

if TYPE_CHECKING:
    from loreweave.search.direct import Asked, Direct
    from loreweave.search.passages import Passage


def reasons(asked: Asked, direct: Direct, passage: Passage) -> Iterator[str]:
    """Give the reasons for which words, meaning and time found a span."""
    span_id = passage.span_id
    has = direct.words.get(span_id, Words())
    dates = _dates(asked)
    in_text, around = (asked.weighed.named(bits & ~dates) for bits in (has.in_text, has.anywhere & ~has.in_text))
    lists = sum(span_id in spans for spans in direct.by_words)
    if in_text:
        yield f"matches {', '.join(in_text)}"
    if around:
        yield f"title, headings, tags or folder match {', '.join(around)}"
    dated = tuple(_dated(asked, direct, passage))
    if has.anywhere and not (in_text or around or dated):
        yield f"mentions {', '.join(asked.weighed.named(has.anywhere))}"
    if lists and not has.anywhere:
        yield "stands beside a passage that matches"
    if len(asked.wordings) > 1 and lists:
        yield f"found by {lists} of {len(asked.wordings)} wordings"
    if any(ranks.get(span_id, NEAREST + 1) <= (NEAR_TOLD if lists else NEAREST) for ranks in direct.by_meaning):
        yield "near in meaning"
    yield from dated
    if used := direct.used.get(span_id):
        yield f"used {used.uses:,} time{'' if used.uses == 1 else 's'}, last on {show_day(used.last)[:10]}"


def _dates(asked: Asked) -> int:
    """Give the bits of words that do nothing but say the time: where they stand is no reason, when it is about is."""
    if asked.window is None:
        return 0
    dates = _dating(tuple(wording.text for wording in asked.wordings), asked.question.now, asked.stemmer)
    return sum({one.bit for weights in asked.weighed.wordings for one in weights if one.term in dates})


@lru_cache(64)
def _dating(texts: tuple[str, ...], now: Instant | None, stemmer: str) -> frozenset[str]:
    """Give the terms that wordings have in their dates alone."""
    rest = (untimed(text, window_of((text,), now) or Window()) for text in texts)
    kept = {one.term for text in rest for one in read_words(text, stemmer)}
    return frozenset(one.term for text in texts for one in read_words(text, stemmer)) - kept


def _dated(asked: Asked, direct: Direct, passage: Passage) -> Iterator[str]:
    """Tell the date of a span where the question is about time."""
    begins, until = passage.content_from, passage.content_until
    timed = direct.times.get(passage.span_id)
    if begins is None or until is None:
        if timed and timed.inside:
            yield "states what held then"
    elif asked.facets.dated or (timed and (timed.inside or (asked.window and asked.window.newest))):
        yield f"dated {shown(begins, until)}"


def shown(begins: int, until: int) -> str:
    """Write a stretch as people do: the year, the month or the day where it is one, else its first and last day."""
    first, last = show_day(begins)[:10], show_day(until - 1)[:10]
    after = show_day(until)[:10]
    if first == last:
        return first
    if first.endswith("-01-01") and after == f"{int(first[:4]) + 1:04}-01-01":
        return first[:4]
    if first.endswith("-01") and after.endswith("-01") and last[:7] == first[:7]:
        return first[:7]
    return f"{first} to {last}"
