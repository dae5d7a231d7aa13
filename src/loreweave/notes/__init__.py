"""Markdown text as a note writer means it: which lines are prose, and which are code, comment or frontmatter."""
