"""A text in brief: so much of it as there is room for beside what is told of it."""

from __future__ import annotations


def clipped(text: str, longest: int) -> str:
    """Give a text whole, or its beginning with an ellipsis: ``longest`` characters at most."""
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip(' …')}…"
