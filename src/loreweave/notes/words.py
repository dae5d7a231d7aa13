"""The words of a text as they are indexed and asked for: one tokeniser for both, so that what is written is found.

A word is a run of letters, digits and marks of any script, compared without case, accents and invisible characters and
reduced to its stem. What code and names join is found whole and by part: ``consumerLease``, ``consumer_lease`` and
``consumer-lease`` all give ``consumerleas``, ``consum`` and ``leas``; a joint between digits stays (``2.0.1``).
Scripts that put no blanks between words give every pair of neighbours and every character: a question asks for the
pairs, and for a character only where it stands alone, so that a pair turned round is not found.
An emoji is a word, and so is a sequence that is seen as one, such as a family or a flag; its style and the tone of a
skin count as little as accents. Of a word only the first 64 characters count, and what is longer when joined is found
by part alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from itertools import chain, pairwise
from operator import add
from typing import NamedTuple

from loreweave.notes.stopwords import STOP_WORDS, between_asking

VERSION = 2
"""Of the rules below; what was read by others is read anew."""

LONGEST = 64
"""How many characters of a word count."""

_KEPT = 1 << 16
_FOLDED_FIRST = ("english", "porter", "none")

_RUNS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u302f\u3031-\u3035"
    "\u3038-\u303c\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u318f\u31a0-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U0001b000-\U0001b16f"
    "\U00020000-\U0003ffff"
)
"""Thai, Lao, Burmese and Khmer; Han, Kana, Bopomofo and Hangul."""
_EMOJI = (
    "\u231a\u231b\u23e9-\u23f3\u2600-\u27bf\u2b1b\u2b1c\u2b50\u2b55\U0001f1e6-\U0001f1ff"
    "\U0001f300-\U0001f3fa\U0001f400-\U0001faff"
)
_FLAGS = "\U0001f1e6-\U0001f1ff"
_TAGS = "\U000e0020-\U000e007e"
_STYLES = "\ufe0e\ufe0f\U0001f3fb-\U0001f3ff"
"""Letters of which two are a flag, letters behind a flag that are the rest of it, and how an emoji is to look."""
_INVISIBLE = (
    "\u00ad\u061c\u070f\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb"
    "\U0001f3fb-\U0001f3ff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001-\U000e01ef"
)
_MARKED = (range(0x300, 0xE00), range(0xF00, 0x2E00), range(0xA600, 0xAC00), range(0x10A00, 0x12000))

_plain_words = re.compile(r"[A-Za-z0-9]++(?:(?:[-.']|_++)[A-Za-z0-9]++)*+(?:\+\+|#(?![A-Za-z0-9]))?+").findall
_unseen = re.compile(f"[{_INVISIBLE}]++").sub
_joins_emoji = re.compile("[\u200d\U000e007f]").search
_unseen_beside_emoji = re.compile(
    f"(?<=\U0001f3f4)([{_TAGS}]++\U000e007f)|(?<=[{_EMOJI}])[{_STYLES}]*+(\u200d)(?=[{_EMOJI}\u2194\u2195])"
    f"|[{_INVISIBLE}]++"
).sub
_is_run = re.compile(f"[{_RUNS}]").match
_accents = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc"
    "\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u0951-\u0954\u1ab0-\u1ace\u1dc0-\u1dff\u20d0-\u20f0"
    "\ufe20-\ufe2f](?<![\u0400-\u04ff][\u0306\u0308])"
).sub
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "ı": "i", "ё": "е", "ـ": None})
_joints = re.compile("[-._'’]++").split
_loose_joint = re.compile("[-._'’]++(?<![0-9][-._'’])|[-._'’]++(?![0-9])").sub
_humps = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})").split
_possessive = re.compile("['’][sS]\\Z").sub
_is_contraction = re.compile("[^\\W\\d_]++['’](?:[tdm]|ll|re|ve)", re.IGNORECASE).fullmatch
_is_prose = re.compile("[^\\W_]{2,}+(?:[-'’][^\\W_]{2,}+)++").fullmatch
"""Words of more than one letter with hyphens or apostrophes between them."""


class Asked(NamedTuple):
    """A term of a question, and the word it comes from as it was written."""

    term: str
    word: str


def terms(text: str, stemmer: str = "english") -> list[str]:
    """Give all the terms of a text in their order, as often as they stand there."""
    return list(chain.from_iterable(map(_terms_of(stemmer).__getitem__, _tokens(text))))


def asked(text: str, stemmer: str = "english") -> tuple[Asked, ...]:
    """Give the terms of a question, each once, without stop words, unless it has no other words."""
    tokens = _tokens(text)
    telling = [each for each in _with_words(map(_told, tokens)) if each[0] not in STOP_WORDS]
    stem, once = _stem(stemmer), dict[str, str]()
    for piece, token in telling or _with_words([tokens]):
        once.setdefault(stem(piece), token)
    return tuple([Asked(*each) for each in once.items()])


def written(word: str, found: Collection[str]) -> list[str]:
    """Give what of the word of a question these terms are found by: of a run without blanks the stretches of pairs."""
    stretches: list[str] = []
    joins = False
    for one, other in pairwise(word if _is_run(word) else ""):
        if one + other not in found:
            joins = False
        elif joins:
            stretches[-1] += other
        else:
            stretches.append(one + other)
            joins = True
    return stretches or [word]


def _with_words(tokens: Iterable[Iterable[str]]) -> list[tuple[str, str]]:
    return [(piece, token) for token in chain.from_iterable(tokens) for piece in _asked_pieces(token)]


def _told(token: str) -> Iterable[str]:
    """Give the parts of a run that stand beside the words by which it asks; else the token."""
    return filter(None, between_asking(token)) if _is_run(token) else (token,)


def _tokens(text: str) -> list[str]:
    """Give the words, the runs of scripts without blanks and the emoji of a text, in their order."""
    if text.isascii():
        return _plain_words(text)
    seen = _unseen_beside_emoji(r"\1\2", text) if _joins_emoji(text) else _unseen("", text)
    return _all_words()(unicodedata.normalize("NFKC", seen))


@lru_cache(1)
def _all_words() -> Callable[[str], list[str]]:
    """Compile what finds words of any script; an ASCII word, the most frequent by far, has a quick way of its own."""
    letter = rf"[^\W_{_RUNS}]"
    word = f"(?:[A-Za-z0-9]++(?![^\\x00-\\x7f])|{letter}++(?:[{_marks()}]++{letter}*+)*+)"
    joined = rf"{word}(?:(?:[-.'’]|_++){word})*+(?:\+\+|#(?!\w))?+"
    emoji = f"[{_FLAGS}]{{2}}|\U0001f3f4[{_TAGS}]++\U000e007f|[{_EMOJI}](?:\u200d[{_EMOJI}\u2194\u2195])*+"
    return re.compile(f"{joined}|[{_RUNS}]++|{emoji}").findall


def _marks() -> str:
    """Give the marks that are parts of words, as ranges of a character class."""
    marks = [n for n in chain(*_MARKED) if unicodedata.category(chr(n))[0] == "M" and not _is_run(chr(n))]
    starts = [n for at, n in enumerate(marks) if not at or marks[at - 1] != n - 1]
    ends = [n for at, n in enumerate(marks) if marks[at + 1 : at + 2] != [n + 1]]
    return "".join([f"{chr(start)}-{chr(end)}" for start, end in zip(starts, ends, strict=True)])


class _Terms(dict[str, tuple[str, ...]]):
    """The terms of each token, found once for the most of them."""

    def __init__(self, stemmer: str) -> None:
        super().__init__()
        self._stem = _stem(stemmer)

    def __missing__(self, token: str) -> tuple[str, ...]:
        if _is_run(token):
            return _characters_and_pairs(token)
        found = tuple([self._stem(piece) for piece in _pieces(token)])
        if len(token) > LONGEST:
            return found
        if len(self) >= _KEPT:
            self.clear()
        self[token] = found
        return found


_terms_of = lru_cache(_Terms)


@lru_cache
def _stem(stemmer: str) -> Callable[[str], str]:
    """Give what makes a term of a piece; a stemmer that knows accents gets them."""
    if stemmer == "none":
        return _folded
    from Stemmer import Stemmer

    stem: Callable[[str], str] = Stemmer(stemmer, 0).stemWord
    if stemmer in _FOLDED_FIRST:
        return lambda piece: stem(_folded(piece))
    return lambda piece: _folded(stem(piece))


def _folded(word: str) -> str:
    if word.isascii():
        return word
    return unicodedata.normalize("NFC", _accents("", unicodedata.normalize("NFKD", word.translate(_LETTERS))))


def _pieces(token: str) -> list[str]:
    """Give what is found of a token, without case: all of it, then its parts; of a run its pairs."""
    if _is_run(token):
        return list(map(add, token, token[1:])) or [token]
    if token[-1] in "+#":
        bare = token.rstrip("+#")
        if len(bare) == 1:
            return [token.casefold(), bare.casefold()]
        token = bare
    if token.isalpha() and token[1:].islower():
        return [token[:LONGEST].casefold()]
    if _is_contraction(token):
        return [token.casefold().replace("’", "'")]
    return _joined(_possessive("", token))


def _joined(token: str) -> list[str]:
    parts = [hump for part in _joints(token) for hump in _parted(part)]
    whole = _loose_joint("", token).casefold()
    if len(parts) == 1 and whole == parts[0]:
        return [whole[:LONGEST]]
    found = [whole, *parts] if len(whole) <= LONGEST else parts
    return [part[:LONGEST] for part in found]


def _parted(word: str) -> list[str]:
    """Part ``consumerLease`` and ``HTTPServer``, but not ``iPhone``: nothing of one letter is parted from the rest."""
    humps = _humps(word)
    return [word.casefold()] if min(map(len, humps)) == 1 else [hump.casefold() for hump in humps]


def _asked_pieces(token: str) -> list[str]:
    """Give what a question asks of a token: prose such as ``long-term`` by its parts alone, else it counted thrice."""
    pieces = _pieces(token)
    is_prose = len(pieces) > 2 and "".join(pieces[1:]) == pieces[0] and _is_prose(token)
    return pieces[1:] if is_prose else pieces


def _characters_and_pairs(run: str) -> tuple[str, ...]:
    found = [""] * (2 * len(run) - 1)
    found[::2], found[1::2] = run, map(add, run, run[1:])
    return tuple(found)
