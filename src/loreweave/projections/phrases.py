"""The names that a passage may mention: its runs of capitalised words, and the runs within these.

"Amara Osei keeps the Glacier Dataset" gives ``amara osei``, ``glacier dataset`` and each word of both. Which of them is
the name of something is known only where all notes are; what is given here hangs on the passage alone. A small word
may stand between two capitals ("University of Accra"), never at an end, and alone it is no name. A word all in
capitals is given as written too, for it may be the initials of a name. Code, links, addresses and tags are passed over:
what a link names is known by the link, and a tag is a name of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from loreweave.events.slots import key

WORDS = 4
"""How many capitalised words a name has at most."""

MOST = 400
"""How many phrases of one passage are kept, from its top; a passage of prose has far fewer."""

_MEMO_SIZE = 50_000
_LONGEST_RUN = 12
_LONGEST_INITIALS = 8
_CAPITALS = "A-Z" + "".join(c for c in map(chr, range(0x80, 0x2E80)) if c.isupper()) + "Ａ-Ｚ"
_SMALL = "of|the|and|for|de|da|do|del|della|di|du|des|la|le|les|van|von|der|den|ten|al|bin|ibn|y|und|et|&"
_WORD = r"\w{0,60}+(?!\w)(?:['’-]\w{1,60}+(?!\w)){0,6}+"
_GAP = r"(?:[ \t]++\n?+|\n)"
_NEXT = rf"{_GAP}(?:(?:{_SMALL}){_GAP}){{0,2}}+[{_CAPITALS}0-9]{_WORD}"
_run = re.compile(rf"[{_CAPITALS}](?<![\w'’-].){_WORD}(?:{_NEXT}){{0,{_LONGEST_RUN - 1}}}+").finditer
_fences = re.compile(r"^[ \t>]*+(?:```|~~~)", re.MULTILINE).split
_masked = re.compile(r"`++[^`\n]++`++|\[\[[^\[\]\n]++\]\]|\]\([^()\n]*+\)|<[^<>\n]++>|[#@][^\s#@]++|://\S++").sub
_POSSESSIVE = re.compile("['’]s?\\Z")
_NO_NAMES = frozenset(
    """
    a about after again all also although always among an and another any are as at be because been before being below
    between both but by can could did do does done during each either else even every few first for from further had
    has have he her here hers him his how however i if in instead into is it its itself just last later less let like
    many may maybe me might mine more most much must my near neither never next no none nor not nothing now of off often
    on once one only or other our ours out over perhaps please same see shall she should since so some such than that
    the their theirs them then there therefore these they this those though three through thus to too two under unless
    until up upon us use very was we well were what when where whether which while who whom whose why will with within
    without would yes yet you your yours
    """.split()
)


def phrases(text: str) -> tuple[str, ...]:
    """Give the keys of the names that a passage may mention, and initials, each once, sorted; at most ``MOST``."""
    found: dict[str, None] = {}
    for prose in _fences(text)[::2]:
        for run in _run(_masked("|", prose)):
            found |= dict.fromkeys(_keys(run[0]))
            if len(found) >= MOST:
                break
    return tuple(sorted(list(found)[:MOST]))


@lru_cache(maxsize=_MEMO_SIZE)
def _keys(run: str) -> tuple[str, ...]:
    """Give the keys of a run of words and of the runs within it."""
    words = run.split()
    found = dict.fromkeys(map(key, _within(words)))
    initials = [word for word in words if word.isupper() and word.isalpha() and 1 < len(word) <= _LONGEST_INITIALS]
    return (*(each for each in found if each not in _NO_NAMES), *dict.fromkeys(initials))


def _within(words: list[str]) -> Iterator[str]:
    """Give the runs of a run that begin with a capital and end in no small word."""
    words = [_POSSESSIVE.sub("", word) for word in words]
    if len(words) == 1:
        yield words[0]
        return
    for first, word in enumerate(words):
        if not word[:1].isupper():
            continue
        capitals = 0
        for last in range(first, len(words)):
            if words[last][:1].islower() or words[last] == "&":
                continue
            capitals += 1
            if capitals > WORDS:
                break
            yield " ".join(words[first : last + 1])
