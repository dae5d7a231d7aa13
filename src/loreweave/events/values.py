"""The values of a field: what a text says once its marks are gone, and what keeps it from being a value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import attrs

from loreweave.errors import ERROR, WARNING, Finding
from loreweave.events.attributes import Block, read_block
from loreweave.events.heeded import HEEDED, unheeded
from loreweave.events.misses import stray_braces
from loreweave.events.model import Line
from loreweave.events.predicates import is_of_time
from loreweave.events.quarantine import fault
from loreweave.events.slots import object_key
from loreweave.notes.cleaning import clean, clean_links, items, without_tags
from loreweave.notes.dates import read_date
from loreweave.notes.visible import excerpt, is_blank
from loreweave.times import Instant, read_instant, show_day

LONGEST, WORDS, LONGEST_WRITTEN = 300, 25, 2_000
"""How many characters an object may have, how many words, and how many characters with its marks."""

LABELLED = 8
"""How many words may follow a label, which is no more than a colon in prose."""

LABELS = ("bold label", "short label")

LISTED = 50
"""How many items of a list are read."""

CONFIDENCE = {
    "property": 0.95,
    "list": 0.9,
    "inline field": 0.9,
    "fact line": 0.9,
    "observation": 0.85,
    "bold label": 0.8,
    "short label": 0.7,
}
"""How sure a value is that does not say so itself, by its form."""

_MOST = f"a value has at most {LONGEST} characters and {WORDS} words, and is one sentence at most"
_SILENT = Line("fact", "x", "x")
_EARLIEST = read_instant("0001-01-01")
_UNENDED = tuple(".!?:;,。！？：；，、")
_NO_BLOCK = Block({}, (), is_known=False)
_epoch = re.compile(r"[0-9]{10}(?:[0-9]{3})?").fullmatch
_placeholder = re.compile(r"\{\{[^{}\n]*+\}\}|<%(?:[^%<\n]|%(?!>)|<(?!%))*+%>|\A`\$?=").search
_wide = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]").findall
_sentence = re.compile(r"(\w*)[.!?][\"'”’)\]]*\s+(?=[\"'“‘(\[]*(\w))|[。！？](?=[^。！？”’」』）)\s])").finditer


class Written(NamedTuple):
    """A field as it is written: its line, form and name, the text of its value, and its attribute block.

    ``column``, from 1, is where the value ends and the block begins. ``listed`` holds for an item of a list.
    """

    line: int
    form: str
    name: str
    text: str
    block: str = ""
    column: int = 1
    listed: bool = False


class Value(NamedTuple):
    """A value: its line, form, predicate and object, and what its own line says of it."""

    line: int
    form: str
    predicate: str
    object: str
    object_key: str
    valid_from: Instant | None
    valid_until: Instant | None
    confidence: float
    listed: bool


def values_of(written: Written, findings: list[Finding]) -> Iterator[Value]:
    """Yield the values of a field, and add what there is to say of it; findings have a column, and no line or path."""
    text, told = written.text.strip(), _SILENT
    if written.block or "{" in text:
        text, told, found = _parted(written, text)
        findings += found
        if any(finding.severity == ERROR for finding in found):
            return
    texts = items(text) if text[:1] in ("[", "!", '"') else [text]
    if len(texts) > LISTED:
        findings.append(too_many(written.name, len(texts)))
    listed = written.listed or len(texts) > 1
    form = "list" if listed and written.form == "property" else written.form
    times = told.valid_from, told.valid_until
    sure = CONFIDENCE[form] if told.confidence is None else told.confidence
    for one in texts[:LISTED]:
        shown = _shown(written, one)
        if _placeholder(one) or (form in LABELS and one.startswith("![")) or (not shown and told is _SILENT):
            continue
        if (wrong := _fault(written, told, shown)) is None:
            yield Value(written.line, form, written.name, shown, object_key(shown), *times, sure, listed)
        else:
            findings += wrong


def too_many(name: str, count: int) -> Finding:
    """Say that a list is longer than what is read of it."""
    message = f"{excerpt(name)} has {count:,} values, of which the first {LISTED} are read."
    hint = "part the list, or put its name in [extract] ignore_keys"
    return Finding("too-many-values", message, hint, severity=WARNING)


def _parted(written: Written, text: str) -> tuple[str, Line, list[Finding]]:
    """Give a value without its block, what that block tells, and findings; one that knows no name is of the value."""
    block = read_block("fact", written.block, written.column) if written.block else _NO_BLOCK
    found = [*block.findings, *unheeded(block.values, written.column)]
    end = written.column
    if not block.is_known:
        text, end, found = (written.text + written.block).strip(), end + len(written.block.rstrip()), []
    stray = stray_braces("value", text, end)
    told = _SILENT._replace(**{name: value for name, value in block.values.items() if name in HEEDED})  # type: ignore[arg-type]
    return text, told, [*found, *([stray] if stray else [])]


def _shown(written: Written, text: str) -> str:
    if len(text) > LONGEST_WRITTEN:
        return text
    if written.form == "observation":
        return clean(without_tags(text))
    text = clean_links(text).strip() if written.form in ("property", "list") else clean(text)
    if _epoch(text) and is_of_time(written.name):
        return show_day(read_date(text))
    return text


def _fault(written: Written, told: Line, shown: str) -> list[Finding] | None:
    """Give what keeps an object from being a value, None where nothing does; a label before prose is no field."""
    if is_blank(shown) or told.valid_until is not None:
        found = fault(told._replace(object=shown), _EARLIEST)
        if found is not None:
            return [attrs.evolve(found, column=written.column)]
    if written.form in LABELS:
        return [] if _is_prose(shown) else None
    why = _excess(shown)
    if why is None:
        return None
    message = f"{excerpt(shown)} is not taken for a value of {excerpt(written.name)}: {why}."
    hint = f"write several values as a list, or put its name in [extract] ignore_keys; {_MOST}"
    return [Finding("long-value", message, hint, column=1, severity=WARNING)]


def _excess(text: str) -> str | None:
    """Say why a text is too much for a value; of signs written without blanks, two count as a word."""
    if len(text) > LONGEST:
        return f"it has {len(text):,} characters"
    if "\n" in text:
        return "it has more than one line"
    if (words := _words(text)) > WORDS:
        return f"it has {words} words"
    return "it is more than one sentence" if _is_parted(text) else None


def _is_prose(text: str) -> bool:
    """Say whether what follows a label is too much, or too much of a sentence, to be the value of a field."""
    if text[:1] == "(" and text[-1:] == ")":
        return True
    return _words(text) > LABELLED or text.endswith(_UNENDED) or _is_parted(text)


def _words(text: str) -> int:
    words = text.split()
    return len(words) if text.isascii() else sum(max(1, len(_wide(word)) // 2) for word in words)


def _is_parted(text: str) -> bool:
    """Say whether a sentence ends within a text: a point after a short or capital word is that of an abbreviation."""
    for end in _sentence(text):
        word, following = end.groups()
        if following is None or (text[end.end(1)] != "." and following.isupper()):
            return True
        if following.isupper() and len(word) > (2 if word.islower() else 5) and not word.isdigit():
            return True
    return False
