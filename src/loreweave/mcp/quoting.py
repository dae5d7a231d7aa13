"""What notes and the record say is marked as quoted wherever a client is told of it: in results, refusals, resources.

Nothing here finds such text. An answer is an object, whose texts cannot break out of it; a refusal is a sentence in
which names and texts stand in quotation marks, as ``reveal`` writes them; a note stands by itself, after its mark.
"""

from __future__ import annotations

import re
from typing import Any

from loreweave.errors import LoreError
from loreweave.mcp.wording import for_agents
from loreweave.notes.visible import excerpt, shown
from loreweave.reports.guidance import QUOTED

_LONGEST = 1_000
"""Characters of a sentence that says what is wrong."""

IN_MARKS = QUOTED.replace("Texts here", "Texts in quotation marks")
"""What stands beside a sentence that quotes."""

_marked = re.compile(r'"(?:[^"\\]|\\.)*"').sub


def marked(answer: dict[str, Any]) -> dict[str, Any]:
    """Give an answer that says first that it quotes."""
    return {"quoted": QUOTED, **{name: value for name, value in answer.items() if name != "quoted"}}


def sentence(failed: LoreError | OSError) -> str:
    """Say what is wrong and what to do, in one line that stays short, and that what it quotes is quoted."""
    if isinstance(failed, LoreError):
        hint = for_agents(failed.hint)
        told = f"{failed.message} Hint: {hint}{'' if hint.endswith('?') else '.'}" if hint else failed.message
    else:
        told = f"A file cannot be used: {failed.strerror or failed}."
    told = _whole(shown(" ".join(told.split())))
    return f"{told} [{IN_MARKS}]" if '"' in told else told


def about_note(path: str, lines: range) -> str:
    """Give what stands before the text of a note."""
    return f"{QUOTED} Here: lines {lines.start:,} to {lines.stop - 1:,} of the note {excerpt(path)}, in what follows."


def _whole(told: str) -> str:
    """Cut a sentence that is too long; what is quoted in it still ends."""
    if len(told) <= _LONGEST:
        return told
    cut = told[:_LONGEST].rstrip("\\")
    return f'{cut}…"' if '"' in _marked("", cut) else f"{cut}…"
