"""What a note states: properties, fields in its prose, and ``[fact]`` lines, as statements with their slots.

The subject of a field is the title of the note, its scope that of the folder. What nobody would call a fact is left
out by rule: names that describe the file, placeholders of templates, prose. What was meant as a fact and cannot be one
is a finding.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import attrs

from loreweave.errors import Finding
from loreweave.events.candidates import candidates
from loreweave.events.fields import Field, block_at, fields, is_field
from loreweave.events.gather import gather
from loreweave.events.handwritten import read_handwritten
from loreweave.events.inbox import scope_of_inbox
from loreweave.events.model import DEFAULT_SCOPE, Line
from loreweave.events.outline import hanging
from loreweave.events.predicates import describes_the_file, is_ignored, is_plain, is_predicate, is_short
from loreweave.events.slots import key, object_key
from loreweave.events.statements import Settings, Stated, Statement
from loreweave.events.values import CONFIDENCE, LABELS, LISTED, Value, Written, too_many, values_of
from loreweave.notes.model import Note
from loreweave.notes.visible import reveal

RECORD = "lore/"
"""The folder of which nothing is extracted."""

TEMPLATES = frozenset({"template", "templates", "_template", "_templates"})
"""Folders, in lower case, whose notes are templates and state nothing."""

_IDENTITY = slice(7, 14)
"""The fields of a statement in which two are one: the keys, the times, and whether it is one of many."""

_to_fill = re.compile(r"\{\{[^{}]*+\}\}|<%[^<>]*+>").search
_filled_later = re.compile(r'"(?=\{\{|<%)(?:[^"\\]|\\.)*+(?<=\}\}|%>)"').search
"""A value in JSON that is a placeholder from end to end."""

_reference = re.compile(r"^ {0,3}\[([^\[\]\n]++)\]:", re.MULTILINE).findall
_block_id = re.compile(r"(?:^|[ \t])\^[A-Za-z0-9-]++[ \t]*+\Z").search


class Extracted(NamedTuple):
    """What a note states, and what is wrong with what it does not; findings have its path, and a line."""

    stated: Stated
    findings: tuple[Finding, ...] = ()


def scope_of(path: str, settings: Settings) -> str:
    """Give the scope of a note by its folder, the longest that has one; an inbox has that of its name."""
    inbox = scope_of_inbox(path) if path.startswith(RECORD) else None
    if inbox is not None:
        return inbox
    folders = [(len(folder), scope) for folder, scope in settings.scopes if path.startswith(folder + "/")]
    return max(folders)[1] if folders else DEFAULT_SCOPE


def extract(note: Note, settings: Settings) -> Extracted:
    """Read what a note states now; a function of the note and the settings alone."""
    title_key = key(note.title)
    stated = Stated(note.path, title_key, note.dated)
    if settings.mode == "off" or note.path.startswith(RECORD) or _is_template(note):
        return Extracted(stated)
    reader = _Reader(note, settings)
    reader.read_properties()
    reader.read_prose()
    stated = stated._replace(statements=reader.statements())
    return Extracted(stated, tuple(sorted(reader.findings, key=lambda finding: finding.line)))


def _is_template(note: Note) -> bool:
    """Say whether a note is a template for others: by its folder, or because its title or a property is to fill in."""
    folders = note.path.casefold().split("/")[:-1]
    return bool(TEMPLATES.intersection(folders) or _to_fill(note.title) or _filled_later(note.frontmatter.json))


class _Reader:
    def __init__(self, note: Note, settings: Settings) -> None:
        self.note, self.settings = note, settings
        self.scope = scope_of(note.path, settings)
        self.scope_key, self.subject_key = key(self.scope), key(note.title)
        self.findings: list[Finding] = []
        self.values: dict[str, list[Value]] = {}
        self.facts: list[Statement] = []

    def read_properties(self) -> None:
        for entry in self.note.frontmatter.properties:
            if not entry.items or not self._is_fact(entry.name):
                continue
            if len(entry.items) > LISTED:
                self._find(entry.line, too_many(entry.name, len(entry.items)))
            form = "list" if entry.is_list else "property"
            for text, line in entry.items[:LISTED]:
                at = block_at(text)
                self._take(Written(line, form, entry.name, text[:at], text[at:], listed=entry.is_list))

    def read_prose(self) -> None:
        plain, text = self.note.plain, self.note.scan.text
        line, counted = 1, 0
        for start in candidates(plain, labels=self.settings.mode == "all"):
            line += text.count("\n", counted, start)
            counted = start
            end = plain.find("\n", start)
            prose = plain[start : end if end >= 0 else len(plain)]
            if "^" in prose and (found := _block_id(prose)):
                prose = prose[: found.start()]
            if "[" not in prose or not self._read_handwritten(prose, start, line):
                self._read_fields(prose, start, line)

    def statements(self) -> tuple[Statement, ...]:
        """Give all that was read as statements, in the order of their lines."""
        if self.values and not self.subject_key:
            message = f"The title {reveal(self.note.title)} has an empty key: nothing the note states has a subject."
            hint = "give the note a title with a letter, a digit or a sign in it"
            self._find(1, Finding("empty-key", message, hint))
            self.values.clear()
        found: dict[tuple[object, ...], Statement] = {}
        for statement in sorted([*self._gathered(), *self.facts], key=lambda statement: statement.line):
            identity = tuple(statement)[_IDENTITY]
            same = found.setdefault(identity, statement)
            if same.confidence < statement.confidence:
                found[identity] = same._replace(confidence=statement.confidence)
        return tuple(found.values())

    def _gathered(self) -> Iterator[Statement]:
        title, keys = self.note.title, (self.scope_key, self.subject_key)
        for predicate_key, values in self.values.items():
            joined, several = gather(self._of_the_note(values))
            many = several or predicate_key in self.settings.many
            for value in joined:
                line, form, predicate, named, named_key, start, end, sure, _ = value
                slot = self.scope, title, predicate, named, *keys, predicate_key, named_key
                yield Statement(self.note.path, line, form, *slot, start, end, many, sure)

    def _of_the_note(self, values: list[Value]) -> list[Value]:
        """Leave out labels that say this under one heading and that under another: they speak of those sections."""
        if self.settings.mode != "all":
            return values
        labels = [value for value in values if value.form in LABELS]
        if len({value.object_key for value in labels}) < 2:
            return values
        sections = {bisect_right(self._headings, value.line) for value in labels}
        return values if len(sections) == 1 else [value for value in values if value.form not in LABELS]

    def _fact(self, fact: Line, line: int) -> Statement:
        subject, predicate, named = fact.subject or "", fact.predicate or "", fact.object or ""
        keys = self.scope_key, key(subject), key(predicate), object_key(named)
        sure = CONFIDENCE["fact line"] if fact.confidence is None else fact.confidence
        times = fact.valid_from, fact.valid_until
        slot = self.scope, subject, predicate, named, *keys
        return Statement(self.note.path, line, "fact line", *slot, *times, fact.many, sure)

    def _read_handwritten(self, prose: str, start: int, line: int) -> bool:
        """Read a line of the record, and say whether this is one, or was meant to be."""
        text = self.note.scan.text[start : start + len(prose)]
        read = read_handwritten(text) if text.find("[") == prose.find("[") else None
        if read is None:
            return False
        for finding in read.findings:
            self._find(line, finding)
        if read.fact is not None:
            self.facts.append(self._fact(read.fact, line))
        return True

    def _read_fields(self, prose: str, start: int, line: int) -> None:
        content = prose.lstrip(" \t")
        indent = len(prose) - len(content)
        text = self.note.scan.text
        for field in fields(content):
            if not self._is_stated(field, content) or (indent and start in self._hanging):
                continue
            at = start + indent
            value = "".join([text[at + begin : at + end] for begin, end in field.value])
            begin, end = field.closing
            self._take(Written(line, field.form, field.name, value, text[at + begin : at + end], indent + begin + 1))

    def _is_stated(self, field: Field, line: str) -> bool:
        if field.form in LABELS and (self.settings.mode != "all" or line[0].isdigit()):
            return False
        if field.form == "short label" and not is_short(field.name):
            return False
        if field.form == "observation" and field.name in self._references:
            return False
        return is_plain(field.name) and self._is_fact(field.name)

    def _is_fact(self, name: str) -> bool:
        return is_predicate(name) and not (describes_the_file(name) or is_ignored(name, self.settings.ignored))

    @cached_property
    def _headings(self) -> list[int]:
        return [heading.line for heading in self.note.headings]

    @cached_property
    def _hanging(self) -> frozenset[int]:
        return hanging(self.note.plain, is_field)

    @cached_property
    def _references(self) -> frozenset[str]:
        """What ``[name]: address`` defines, so that ``[name]`` is a link."""
        return frozenset(_reference(self.note.plain)) if "]:" in self.note.plain else frozenset()

    def _take(self, written: Written) -> None:
        found: list[Finding] = []
        for value in values_of(written, found):
            if key(value.object) != self.subject_key:
                self.values.setdefault(key(value.predicate), []).append(value)
        for finding in found:
            self._find(written.line, finding)

    def _find(self, line: int, finding: Finding) -> None:
        placed = attrs.evolve(finding, path=self.note.path, line=line, column=finding.column or 1)
        self.findings.append(attrs.evolve(placed, scope_key=self.scope_key))
