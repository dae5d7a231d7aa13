"""What of a text turns how it is read, or stands there and is not seen, where no script needs it.

Marks of direction belong to right-to-left scripts, joiners to scripts that join and to pictures. Elsewhere nobody who
reads the text can know of them, and it may look like another.
"""

from __future__ import annotations

import re

_COMMANDS = "\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff"
_OVERRIDES = "\u202a-\u202e\u2066-\u2069"
_MARKS = "\u061c\u200e\u200f"
_TAGS = "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
_FILLERS = "\u115f\u1160\u3164\uffa0"

_BASES = (
    "\u0590-\u061b\u061d-\u1dff\u2190-\u27ff\u2801-\u2bff\u2e80-\u3163\u3165-\ud7ff"
    "\uf900-\ufdff\ufe70-\ufefc\U00010000-\U000dffff"
)
"""Letters after which something may be joined or varied, and pictures."""

_KEYCAPS = "0-9#*\xa9\xae\u203c\u2049\u2122\u2139"

_RIGHT_TO_LEFT = "\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_right_to_left = re.compile(f"[{_RIGHT_TO_LEFT}]").search
_turning = re.compile(f"[{_COMMANDS}{_OVERRIDES}{_TAGS}{_FILLERS}]")
_turning_or_mark = re.compile(f"[{_COMMANDS}{_OVERRIDES}{_TAGS}{_FILLERS}{_MARKS}]")
_hidden = re.compile(
    "[\xad\u034f\u17b4\u17b5\u180e\u2060-\u2065\u206a-\u206f\ufeff\ufff0-\ufffb]"
    f"|(?<![{_BASES}\ufe0f])[\u200b-\u200d]"
    f"|(?<![{_BASES}{_KEYCAPS}])[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)

_BREAKS = "\t\n\r"


def turning(text: str) -> re.Pattern[str]:
    """Give what finds the characters of a text that a screen obeys, that turn it, or that pass for blanks."""
    return _turning if _right_to_left(text) else _turning_or_mark


def turns(text: str) -> str:
    """Give the first character but blanks that would turn what is round it, or pass for none; empty for none."""
    return _first(turning(text), text)


def misleads(text: str) -> str:
    """Give the first such character, or the first that is hidden in the text; empty for none."""
    return turns(text) or _first(_hidden, text)


def _first(pattern: re.Pattern[str], text: str) -> str:
    return next((found[0] for found in pattern.finditer(text) if found[0] not in _BREAKS), "")
