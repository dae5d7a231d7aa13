"""Capturing: a thought as one line with its minute, in the inbox of its scope or in a note that its user names.

What is captured is text and nothing else: marks that would open or close a comment, or make a field of a note, are
written with a backslash, which readers do not see.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

import attrs

from loreweave import clock
from loreweave.engine.writer import Writer
from loreweave.errors import BadRequest, Refused
from loreweave.events.extract import scope_of
from loreweave.events.fields import fields
from loreweave.events.slots import key
from loreweave.notes.scan import open_at_end
from loreweave.notes.visible import is_blank, reveal
from loreweave.times import Instant, show_instant, to_datetime
from loreweave.vault.append import vault_lock
from loreweave.vault.captures import add, addition, content_of, inbox, named_note
from loreweave.vault.config import read_config
from loreweave.vault.read import decode

if TYPE_CHECKING:
    from loreweave.engine import Engine
    from loreweave.events.statements import Settings

LONGEST = 100_000
"""Characters that one capture may have."""

MINUTE = 60_000_000

_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_COMMENTS = re.compile("<!--|-->|%%")
_ESCAPED = {"<!--": r"\<!--", "-->": r"--\>", "%%": r"\%\%"}


@attrs.frozen
class Captured:
    """A line that was captured: where it stands, as it is written, and when, to the minute."""

    path: str
    line: int
    text: str
    captured_at: datetime
    scope: str


@attrs.frozen
class Capture:
    """What is to be captured: the text, in which scope, in which note if not the inbox, and by whom if that is said."""

    text: str
    scope: str
    to: str | None = None
    by: str | None = None


class Capturing(Writer):
    """Captures to one vault, in one scope."""

    def capture(self, text: str, *, to: str | None = None, by: str | None = None) -> Captured:
        """Add one line to the inbox of the scope, or to the note ``to``; ``by`` is told in it where it is given.

        Raises Refused for a note that may not be written, and for any where the vault was opened for an agent, whose
        text may hold nothing that misleads who reads it either.
        """
        if to is not None:
            self.refuse_agent("Capturing to a note")
        self.refuse_obeyed("text", text)
        return capture(self.engine, Capture(text, self.scope, to, self.signed(by)), clock.now())


def capture(engine: Engine, asked: Capture, now: Instant) -> Captured:
    """Write one captured line, and nothing where it cannot be read as such."""
    line = line_of(asked.text, now, asked.by)
    config = read_config(engine.root)
    path = inbox(engine.root, asked.scope) if asked.to is None else named_note(engine.root, config, asked.to)
    _refuse_other_scope(path, asked.scope, config.extraction)
    with vault_lock(engine.root):
        before = content_of(engine.root, path)
        above = decode(path, before)[0]
        if open_at_end(above):
            told = f'"{path}" ends within a code fence or a comment, so that what is added would not be read.'
            raise Refused(told, "close it with a line of its own")
        add(engine.root, path, addition(before, line))
    engine.touched()
    return Captured(path, _lines(above) + 1, line, to_datetime(now // MINUTE * MINUTE), asked.scope)


def line_of(text: str, now: Instant, by: str | None = None) -> str:
    """Give the line that captures a text: ``- YYYY-MM-DD HH:MM — text``, in UTC, and ``(by)`` where that is said."""
    said = _sound("text", text)
    if is_blank(said):
        raise Refused(f"The text {reveal(text[:40])} is blank.", "say what is to be captured")
    if len(said) > LONGEST:
        told = f"The text has {len(said):,} characters; at most {LONGEST:,} are captured in one line."
        raise Refused(told, "put it in a note of its own")
    name = "" if by is None else _sound("by", by)
    who = "" if is_blank(name) else f" ({name})"
    line = f"- {show_instant(now)[:16].replace('T', ' ')} — {_COMMENTS.sub(lambda mark: _ESCAPED[mark[0]], said + who)}"
    return line.replace("::", r":\:") if fields(line) else line


def _sound(name: str, text: str) -> str:
    """Give a text as one line; raise BadRequest for what no file can hold."""
    if not isinstance(text, str):
        raise BadRequest(f"{name}: {text!r} is not a text.", "give it as a str")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadRequest(f"{name}: {reveal(text[:40])} is not UTF-8.", "give it as UTF-8 text") from None
    return _BREAKS.sub(" ", text).strip()


def _refuse_other_scope(path: str, scope: str, settings: Settings) -> None:
    other = scope_of(path, settings)
    if key(other) != key(scope):
        told = f'"{path}" belongs to the scope "{other}", and not to "{scope}".'
        raise Refused(told, f'capture it with the scope "{other}", or name another note')


def _lines(text: str) -> int:
    """Count the lines of a text, a last one without its end too; they end at LF, CRLF or CR."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return plain.count("\n") + (plain[-1:] not in ("\n", ""))
