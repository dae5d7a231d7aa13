"""HTML in Markdown: the tags in a line of text, and the blocks that a line of it can begin.

A block either runs to a blank line, or to what closes it, over blank lines too.
All is as CommonMark 0.31 has it, and linear in the text.
"""

from __future__ import annotations

import re

_BLANKS = r"(?:[ \t]++(?:\n[ \t]*+)?+|\n[ \t]*+)"
_QUOTED = "|".join(rf"{mark}[^{mark}\n]*+(?:\n(?![ \t]*+\n)[^{mark}\n]*+)*+{mark}" for mark in "\"'")
_VALUE = rf"{_BLANKS}?+={_BLANKS}?+(?:[^\"'=<>`\x00-\x20]++|{_QUOTED})"
_OPEN = rf"[A-Za-z][A-Za-z0-9-]*+(?:{_BLANKS}[A-Za-z_:][A-Za-z0-9:._-]*+(?:{_VALUE})?+){{0,100}}+{_BLANKS}?+/?+>"
_CLOSE = rf"/[A-Za-z][A-Za-z0-9-]*+{_BLANKS}?+>"
TAG = re.compile(rf"<(?:{_OPEN}|{_CLOSE})")
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
AUTOLINK = re.compile(
    rf"<(?:[A-Za-z][A-Za-z0-9+.-]{{1,31}}:[^<>\x00-\x20]*+|[A-Za-z0-9.!#$%&'*+/=?^_`{{|}}~-]++@{_LABEL}(?:\.{_LABEL})*)>"
)

RAW = re.compile(r"<(?=[?!sptSPT])(?:(?ai:script|pre|style|textarea)(?=[\s>]|\Z)|\?|![A-Za-z]|!\[CDATA\[)")
"""What begins a block that only its end closes, comments apart."""

_ENDS = {
    "<!--": re.compile("-->"),
    "<?": re.compile(r"\?>"),
    "<![CDATA[": re.compile(r"\]\]>"),
    "<!": re.compile(">"),
    "<": re.compile(r"</(?ai:script|pre|style|textarea)>"),
}
_NAMES = (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link "
    "main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead "
    "title tr track ul"
)
_BLOCK = re.compile(rf"</?(?ai:{_NAMES.replace(' ', '|')})(?=\s|/?>|\Z)")


def end_of_raw(line: str, at: int) -> re.Pattern[str] | None:
    """Give what ends the block that begins at a ``<``, where only that ends it, a comment's too; else None."""
    if not (line.startswith("<!--", at) or RAW.match(line, at)):
        return None
    return next(end for start, end in _ENDS.items() if line.startswith(start, at))


def begins_block(line: str, at: int, *, in_paragraph: bool) -> bool:
    """Say whether a block that runs to a blank line begins at a ``<``; a lone tag begins none in a paragraph."""
    if _BLOCK.match(line, at):
        return True
    tag = None if in_paragraph else TAG.match(line, at)
    return tag is not None and not line[tag.end() :].strip()
