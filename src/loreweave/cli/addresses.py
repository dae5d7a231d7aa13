"""Places in files as terminals open them: a link behind the text, in the form that the terminal is known to follow."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_PROGRAMS = ("iTerm.app", "WezTerm", "ghostty", "Hyper", "Tabby", "rio")
_TERMINALS = ("xterm-ghostty", "wezterm", "alacritty", "foot", "foot-extra", "contour")
_MARKS = ("WT_SESSION", "KONSOLE_VERSION", "DOMTERM")
_VTE = 5000
"""Terminals that follow links: by ``TERM_PROGRAM``, by ``TERM``, by a variable of theirs, by the version of VTE."""


def linked(shown: str, path: Path, line: int) -> str:
    """Link a text to a line of a file, where the terminal is known to follow links."""
    form = _link_form()
    if form is None:
        return shown
    from urllib.parse import quote

    target = form.format(host=os.uname().nodename, path=quote(str(path), errors="surrogateescape"), line=line)
    return f"\x1b]8;;{target}\x1b\\{shown}\x1b]8;;\x1b\\"


def _link_form() -> str | None:
    """Give how the terminal is told of a file and a line; None where it may not know links."""
    program, terminal = os.environ.get("TERM_PROGRAM", ""), os.environ.get("TERM", "")
    if terminal in ("", "dumb", "linux") or not sys.stdout.isatty():
        return None
    if program == "vscode":
        return "vscode://file{path}:{line}"
    if terminal == "xterm-kitty":
        return "file://{host}{path}#{line}"
    version = os.environ.get("VTE_VERSION", "")
    recent = version.isdecimal() and int(version) >= _VTE
    known = program in _PROGRAMS or terminal in _TERMINALS or any(os.environ.get(name) for name in _MARKS)
    return "file://{host}{path}" if known or recent else None
