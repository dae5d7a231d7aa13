"""Escapes: a value stays on one physical line, and nothing in it is taken for the end of its field or of its quotes."""

from __future__ import annotations

import re

from loreweave.events.braces import attribute_braces

_READ = {"n": "\n", "r": "\r"}
_WRITTEN = {"\n": "\\n", "\r": "\\r"}

_in_field = re.compile(r"\\([\\nr:{])")
_in_quotes = re.compile(r'\\([\\nr"])')
_in_attribute = re.compile(r'[,{}"\n\r]|\A[ \t]|[ \t]\Z|\A\Z')
_special = re.compile(r"\\(?=[\\nr:{\n\r])|[\n\r]")
_special_in_slot = re.compile(_special.pattern + "|:(?=:)|(?<=:):")
_special_in_quotes = re.compile(r'\\(?=[\\nr"\n\r]|\Z)|["\n\r]')


def read_field(text: str) -> str:
    r"""Give the value of a field: ``\\ \n \r \: \{`` undone, any other backslash kept."""
    return _in_field.sub(_undo, text) if "\\" in text else text


def read_value(text: str) -> str:
    r"""Give the value of an attribute, bare or in quotes; inside quotes ``\" \\ \n \r`` are undone."""
    text = text.strip(" \t")
    return _in_quotes.sub(_undo, text[1:-1]) if text[:1] == '"' else text


def write_field(text: str, *, splits: bool = False, ends: bool = False) -> str:
    """Escape what would be misread: ``::`` where the line ``splits`` at it, attributes in what ``ends`` it."""
    text = (_special_in_slot if splits else _special).sub(_escape, text.strip(" \t"))
    return _escape_braces(text) if ends and "{" in text else text


def write_value(text: str) -> str:
    """Write the value of an attribute, in quotes only where it must be."""
    return f'"{_special_in_quotes.sub(_escape, text)}"' if _in_attribute.search(text) else text


def _undo(found: re.Match[str]) -> str:
    return _READ.get(found[1], found[1])


def _escape(found: re.Match[str]) -> str:
    return _WRITTEN.get(found[0], "\\" + found[0])


def _escape_braces(text: str) -> str:
    pieces, done = [], 0
    for brace in attribute_braces(text):
        pieces.append(text[done : brace.at])
        done = brace.at
    return "\\".join([*pieces, text[done:]])
