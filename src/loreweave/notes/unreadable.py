"""Why a text is no YAML, told to the one who wrote it.

The two readers of PyYAML agree on the place and word the reason differently, so that neither is quoted.
"""

from __future__ import annotations

from yaml import Mark, MarkedYAMLError

_QUOTES = "put the value in quotes"
_BY_CHARACTER = {
    ":": ("a colon stands in the value with a blank after it", _QUOTES),
    "\t": ("a tab stands where only blanks may", "indent with blanks"),
    **{mark: (f"a value cannot begin with {mark}", _QUOTES) for mark in "@`%"},
}


class Unreadable(ValueError):
    """A text that is no YAML, or more of it than is read: why, what to do, and the line and column of the file."""

    def __init__(self, why: str, hint: str, line: int, column: int = 0) -> None:
        super().__init__(why)
        self.why, self.hint, self.line, self.column = why, hint, line, column


def explain(error: MarkedYAMLError, text: str, first_line: int) -> Unreadable:
    """Say what is wrong, and where: a quote or bracket that nothing closes is named where it is opened."""
    context = error.context or ""
    mark = error.problem_mark or error.context_mark
    if error.context_mark and ("quoted scalar" in context or "flow" in context):
        mark = error.context_mark
    if mark is None:
        return Unreadable("it cannot be read", _QUOTES, first_line)
    line, column = first_line + mark.line, mark.column + 1
    if "quoted scalar" in context:
        is_open = "end of stream" in (error.problem or "")
        return Unreadable("a quote is not closed", "close it", line, column) if is_open else bad_escape(line, column)
    if "flow" in context:
        return Unreadable("a bracket begins what is no list", "close the bracket, or " + _QUOTES, line, column)
    other = "it does not follow from what stands before it", _QUOTES + ", and begin each property at the margin"
    return Unreadable(*_BY_CHARACTER.get(_character(text, mark), other), line, column)


def bad_escape(line: int, column: int) -> Unreadable:
    """Say that a backslash in double quotes is no escape."""
    return Unreadable("a backslash in double quotes begins no escape", "put the value in single quotes", line, column)


def _character(text: str, mark: Mark) -> str:
    return text[mark.index : mark.index + 1]
