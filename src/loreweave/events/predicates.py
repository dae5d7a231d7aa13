"""Which names of fields are predicates: those that a fact can have, and that do not describe the file.

``created`` describes the file, and so it does as ``date created``, ``created_at`` and ``createdAt``.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from loreweave.events.slots import key

LONGEST, WORDS = 40, 3

_OF_THE_FILE = frozenset(
    "title,tags,tag,aliases,alias,cssclass,cssclasses,publish,permalink,draft,layout,template,id,uid,created,updated,"
    "modified,date,description,desc,summary,excerpt,image,cover,banner,weight,order,toc,valid from,valid until,"
    "event date,url,lang".split(",")
)
_MADE = frozenset("create created creation update updated modify modified modification edited".split())
_OF_TIME = frozenset("at on date time datetime day timestamp last".split())
_DATED = frozenset("at on since until from due deadline date time datetime day timestamp start end".split())
_JOINING = "-_'’"
_MEMO_SIZE = 50_000

_wide = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]").findall
_hump = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@lru_cache(maxsize=_MEMO_SIZE)
def is_predicate(name: str) -> bool:
    """Say whether a name can be that of a fact: it has a letter, few words, and does not end as a sentence does."""
    if len(name) > LONGEST or len(name.split()) > WORDS or name.endswith((".", "!", "?", "。", "！", "？")):
        return False
    return any(sign.isalpha() for sign in name) and key(name) != ""


@lru_cache(maxsize=_MEMO_SIZE)
def is_plain(name: str) -> bool:
    """Say whether a name in prose is made of words: no punctuation but ``-``, ``_`` and apostrophes, and no gap."""
    return "  " not in name and all(sign in _JOINING or unicodedata.category(sign)[0] != "P" for sign in name)


def is_short(name: str) -> bool:
    """Say whether a name has two words at most, or as few signs where words are written without blanks."""
    return name.count(" ") < 2 and len(_wide(name)) <= 8


@lru_cache(maxsize=_MEMO_SIZE)
def describes_the_file(name: str) -> bool:
    """Say whether a name is that of a property of the file, or of the program that shows it (``kanban-plugin``)."""
    words = _words(name)
    if " ".join(words) in _OF_THE_FILE or key(name) in _OF_THE_FILE:
        return True
    made = [word for word in words if word not in _OF_TIME]
    return words[-1:] == ["plugin"] or (len(made) == 1 < len(words) and made[0] in _MADE)


@lru_cache(maxsize=_MEMO_SIZE)
def is_of_time(name: str) -> bool:
    """Say whether what a name holds is a time: its last word says so, or is what was done then (``deployed``)."""
    words = _words(name)
    return bool(words) and (words[-1] in _DATED or (len(words[-1]) > 4 and words[-1].endswith("ed")))


@lru_cache(maxsize=_MEMO_SIZE)
def is_ignored(name: str, ignored: frozenset[str]) -> bool:
    """Say whether a user wants a name left out: ``ignored`` holds keys, and beginnings of keys with a ``*`` after."""
    own = key(name)
    return own in ignored or any(one[-1:] == "*" and own.startswith(one[:-1]) for one in ignored)


def _words(name: str) -> list[str]:
    return key(_hump.sub(" ", name)).split()
