"""Answers as JSON: the one place that knows how an answer is written out for a program."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import attrs

from loreweave.reports.answer import Answer
from loreweave.times import from_datetime, show_instant


def plain(value: object) -> Any:
    """Give what JSON can hold: objects by their fields, instants as RFC 3339 with ``Z``, open ends null."""
    if isinstance(value, Answer):
        return {
            "as_of": plain(value.as_of),
            "as_known_at": plain(value.as_known_at),
            "scope": value.scope,
            value.noun: [plain(item) for item in value.items],
            "shown": value.shown,
            "of": value.of,
        }
    if isinstance(value, datetime):
        return show_instant(from_datetime(value))
    if attrs.has(kind := type(value)):
        names = [field.name for field in attrs.fields(kind)]
        if hasattr(kind, "shown"):
            names.insert(names.index("of"), "shown")
        return {name: plain(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value
