"""Which of many texts are nearly copies of one another, without holding each against each.

A text is its runs of eight words, each run a number. Its sketch is some of these: of a long text the runs that begin
with certain words, and of these the smallest numbers, so that two texts choose alike. Texts whose sketches have a
number in common fall into one bucket, and a member of a bucket is held against the few before it and the first, so that
a bucket of thousands costs thousands. What decides is the share of runs that both have, counted over all of them.

A number is a checksum of the words of a run, and depends neither on the process nor on the order of the texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress
from typing import NamedTuple
from zlib import crc32

RUN = 8
"""Words of a run."""

FEW, EVERY = 32, 4
"""Runs that a sketch has at most, and up to which it has all; else those that begin with one word of so many."""

ALIKE = 0.45
"""The share of runs from which two texts are nearly copies."""

BEFORE = 3
"""How many members of a bucket before it a text is held against, beside the first."""

FAILED = 4
"""How often a text may be found no copy; after that it is held against no other."""

_words = re.compile(r"[^\W_\u2e80-\uffff]++|[\u2e80-\uffff]").findall
_words_in = re.compile(r"[^\W_\u2e80-\uffff]++|[\u2e80-\uffff]").finditer
_PLAIN = bytes(char if char > 127 or chr(char).isalnum() else 32 for char in range(256))


class Pair(NamedTuple):
    """Two texts by their places in the sequence, the earlier first, and the share of their runs that both have."""

    one: int
    other: int
    likeness: float


class _Begins(dict[bytes, bool]):
    """Whether runs that begin with a word are of a sketch."""

    def __missing__(self, word: bytes) -> bool:
        begins = self[word] = crc32(word) % EVERY == 0
        return begins


def words_of(text: str) -> list[bytes]:
    """Give the words of a text, without case; of scripts without blanks each character is one."""
    folded = text.casefold()
    if folded.isascii():
        return folded.encode().translate(_PLAIN).split()
    return [word.encode("utf-8", "surrogatepass") for word in _words(folded)]


def near(texts: Sequence[str]) -> list[Pair]:
    """Give pairs of texts that are nearly copies, those with most in common first.

    Of texts that others join already, as a is like b and b like c, not every pair is given.
    """
    begins = _Begins()
    sketches = [_sketch(words_of(text), begins) for text in texts]
    runs = lru_cache(4_096)(lambda at: _runs(words_of(texts[at])))
    groups, failed, found = list(range(len(texts))), Counter[int](), []
    for one, other in _candidates(sketches):
        if _group(groups, one) == _group(groups, other) or max(failed[one], failed[other]) >= FAILED:
            continue
        likeness = _likeness(runs(one), runs(other))
        if likeness >= ALIKE:
            found.append(Pair(one, other, likeness))
            groups[_group(groups, other)] = _group(groups, one)
        else:
            failed.update((one, other))
    return found


def common(texts: Sequence[str]) -> str:
    """Give the longest run of words, of eight or more, that the first of some texts has in common with all others.

    Where there is none, that of the first with the next that shares any; empty where none does.
    """
    first, runs = texts[0], [_runs([*map(_folded, _words_in(text))]) for text in texts]
    others = [of & runs[0] for of in runs[1:] if of & runs[0]]
    wanted = set.intersection(*others) or others[0] if others else set()
    found, begin, end = list(_words_in(first)), 0, 0
    words, at = [*map(_folded, found)], 0
    while at <= len(words) - RUN:
        upto = at
        while tuple(words[upto : upto + RUN]) in wanted:
            upto += 1
        if upto > at and upto - at > end - begin:
            begin, end = at, upto
        at = upto + 1
    return first[found[begin].start() : found[end + RUN - 2].end()] if end else ""


def _folded(word: re.Match[str]) -> bytes:
    return word[0].casefold().encode("utf-8", "surrogatepass")


def _sketch(words: Sequence[bytes], begins: Mapping[bytes, bool]) -> Collection[int]:
    """Give the numbers of some runs of a text, such that a text much like it gives much the same."""
    places: Iterable[int] = range(len(words) - RUN + 1)
    if len(words) >= FEW + RUN:
        places = list(compress(places, map(begins.__getitem__, words))) or places
    return sorted({crc32(b" ".join(words[at : at + RUN])) for at in places})[:FEW]


def _runs(words: Sequence[bytes]) -> set[tuple[bytes, ...]]:
    return set(zip(*(words[at:] for at in range(RUN)), strict=False))


def _likeness(one: set[tuple[bytes, ...]], other: set[tuple[bytes, ...]]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


def _candidates(sketches: Sequence[Collection[int]]) -> list[tuple[int, int]]:
    """Give the pairs that are worth counting, those with most in common first: more than one number, if they can."""
    met = Counter(pair for bucket in _buckets(sketches) for pair in _met(bucket))
    enough = [
        (-times, *pair)
        for pair, times in met.items()
        if times > 1 or min(len(sketches[pair[0]]), len(sketches[pair[1]])) < RUN
    ]
    return [(one, other) for _, one, other in sorted(enough)]


def _buckets(sketches: Sequence[Collection[int]]) -> Iterator[list[int]]:
    """Give the texts that have a number in common, in order; a number that one alone has makes no bucket."""
    first: dict[int, int] = {}
    shared: dict[int, list[int]] = {}
    for at, sketch in enumerate(sketches):
        for number in sketch:
            before = first.setdefault(number, at)
            if before != at:
                shared.setdefault(number, [before]).append(at)
    return iter(shared.values())


def _met(bucket: Sequence[int]) -> Iterator[tuple[int, int]]:
    for place, other in enumerate(bucket):
        if place > BEFORE:
            yield bucket[0], other
        for one in bucket[max(place - BEFORE, 0) : place]:
            yield one, other


def _group(groups: list[int], at: int) -> int:
    """Give the first text of those that are joined with one."""
    while groups[at] != at:
        groups[at] = groups[groups[at]]
        at = groups[at]
    return at
