"""Which beliefs are about what is over: nobody need be asked whether they still hold.

A state is over after which nothing follows, such as ``final``; so is what was done, as ``signed off :: yes`` says, and
a day that has passed, unless it is said to come next. The words are English: a belief in other words is asked about,
as every other. What is not asked about is counted, for a door that is closed may be opened again.
"""

from __future__ import annotations

_DONE = (
    "abandoned|accepted|approved|archived|cancell?ed|closed|completed?|deceased|declined|delivered|dissolved|done"
    "|expired|final|finali[sz]ed|finished|obsolete|paid|published|rejected|resolved|retired|sent|settled|shipped"
    "|signed|signed off|sold|superseded|terminated|withdrawn"
)

PATTERNS = {
    "done": _DONE,
    "deed": rf"(?:.*[\s_-])?(?:{_DONE})(?: off)?",
    "yes": r"yes|true|✓|✅",
    "day": r"\d{4}-\d\d-\d\d(?:[ t]\d\d:\d\d.*)?",
    "to_come": r"(?:next|coming|upcoming)\b.*",
}
"""Patterns: of a value after which nothing follows, of a predicate that tells of a deed, of a value that says yes, of
one that is a day, and of a predicate that tells of what is still to come."""

OVER = """
    regexp_full_match(object_key, $done)
    or regexp_full_match(predicate_key, $deed) and regexp_full_match(object_key, $yes)
    or regexp_full_match(object_key, $day) and not regexp_full_match(predicate_key, $to_come)
        and coalesce(try_cast(object as timestamp) < $now, false)
"""
"""The condition under which a belief is over, given ``PATTERNS`` and the instant ``now``."""
