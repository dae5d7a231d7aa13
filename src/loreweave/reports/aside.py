"""Which notes are left aside, by where they stand and what they are called: nobody tidies them up one by one.

Templates are like every note made from them. What tests are given, and what they gave, is like what it tests. A
repository has its files by convention. Notes of a series, such as those of days, weeks or releases, repeat each other
by their nature, and are found by their order.
"""

from __future__ import annotations

import re

TEMPLATES = r"(?i:(?:.*/)?[^/\w]*templates?(?:/|\.[^/]+\.).*)"
"""Where what new notes are made from stands."""

TESTS = (
    r"(?:.*/)?_*(?:tests?|fixtures?|snapshots?|(?:test|sample)[-_ ]?(?:data|vaults?|notes))_*/.*"
    r"|.*\.(?:approved|snap|test)\.[^/]*"
)
"""What tests are given and what they gave: folders named so, in small letters, and files such as ``x.approved.md``."""

_RECORDS = r"(?:.*/)?(?:(?i:licen[cs]e|copying|changelog|code_of_conduct)|NOTICE|CHANGES|HISTORY|SECURITY)(?:\.[^/]*)?"
_READ = r"(?:.*/)?(?:(?i:readme|contributing|whats_new)|SUPPORT|GOVERNANCE|AUTHORS|AGENTS|404)(?:[-.][^/]*)?"
_ENTRANCE = r"[A-Z][A-Z_]{4,}\.md"

UNCOPIED = f"{TEMPLATES}|{TESTS}|{_RECORDS}"
"""The paths of notes in which nothing counts as a copy."""

UNJOINED = f"{UNCOPIED}|{_READ}|{_ENTRANCE}"
"""The paths of notes that are in want of no link."""

REFERENCES = (
    r"(?im)^[\W\d]*(?:references|bibliography|works cited|literature|literatur|bibliographie|bibliografía"
    r"|referencias|参考文献|参考资料|参考链接)\W*$"
)
"""What the heading of a list of works is called, on a line of its own."""

TIME = r"\d{4}[-_.]?(?:\d\d(?:[-_.]?\d\d)?|[Ww]\d\d|[Qq]\d)|\d+(?:\.\d+)+"
"""A day, a week, a month, a quarter or a release, as a name has it."""

SEVERAL = 3
"""Notes of a series at least, where one is not told to stand alone."""

DATED = r"""(
    regexp_matches(path, '(?:' || $time || ')[^/]*$') and (
        regexp_full_match(path, '(.*/)?[\d\W_]*\.md')
        or count(*) over (partition by regexp_replace(path, '\d+', '0', 'g')) >= $several
    )
)"""
"""Whether a note is one of days, given ``TIME`` and ``SEVERAL``: it has no name but a day, or is of a series."""

_time = re.compile(rf"(?:{TIME})[^/]*$").search
_digits = re.compile(r"\d+").sub


def series(path: str) -> str | None:
    """Give what the notes of a series have in common in their paths: all but the digits; None for a note of none."""
    name = path.removesuffix(".md")
    return _digits("0", name) if _time(name) else None


def is_series(paths: list[str] | tuple[str, ...]) -> bool:
    """Say whether all of these notes are of one series."""
    of = {series(path) for path in paths}
    return len(of) == 1 and None not in of
