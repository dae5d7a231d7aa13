"""Which beliefs are about what is over: nobody need be asked whether they still hold.

A state is over after which nothing follows, such as ``final``; so is what was done, as ``signed off :: yes`` says, and
a day that has passed. The words are English: a belief in other words is asked about, as every other.
"""

from __future__ import annotations

_DONE = (
    "abandoned|accepted|approved|archived|cancell?ed|closed|completed?|deceased|declined|delivered|dissolved|done"
    "|expired|final|finali[sz]ed|finished|obsolete|paid|published|rejected|resolved|retired|sent|settled|shipped"
    "|signed|signed off|sold|superseded|terminated|withdrawn"
)

OVER = {"over": _DONE, "deed": rf"(?:.*[\s_-])?(?:{_DONE})(?: off)?", "yes": r"yes|true|✓|✅"}
"""Patterns: of a value after which nothing follows, of a predicate that tells of a deed, of a value that says yes."""

STILL = """
    not regexp_full_match(object_key, $over)
    and not (regexp_full_match(predicate_key, $deed) and regexp_full_match(object_key, $yes))
    and not coalesce(try_cast(object as timestamp) < $now, false)
"""
"""The condition under which a belief may be asked about, given ``OVER`` and the instant ``now``."""
