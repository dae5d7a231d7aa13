"""Reading a note: its text once, from the top, into everything that is known of it alone."""

from __future__ import annotations

import attrs

from loreweave.errors import Finding
from loreweave.notes import headings, links, plain, spans, tags
from loreweave.notes.dates import dated
from loreweave.notes.frontmatter import read_frontmatter
from loreweave.notes.model import Note
from loreweave.notes.scan import scan
from loreweave.notes.titles import aliases_of, title_of


def read_note(path: str, text: str) -> Note:
    """Read the text of the note at ``path``, relative to the vault; any text is a note, and none raises."""
    scanned = scan(text)
    frontmatter = read_frontmatter(scanned)
    found = headings.headings(scanned)
    prose = plain.plain(scanned)
    title = title_of(path, frontmatter, found)
    date = dated(path, frontmatter)
    return Note(
        path=path,
        title=title,
        aliases=aliases_of(frontmatter),
        tags=tags.tags(scanned, prose, frontmatter),
        frontmatter=frontmatter,
        headings=found,
        blocks=links.blocks(prose),
        spans=spans.spans(scanned, found) or (spans.lone_span(title, frontmatter, found),),
        links=links.links(prose, scanned.text, frontmatter),
        dated=date.instant,
        scan=scanned,
        plain=prose,
        findings=_placed(path, [*frontmatter.findings, *date.findings]),
    )


def _placed(path: str, findings: list[Finding]) -> tuple[Finding, ...]:
    in_order = sorted(findings, key=lambda finding: finding.line)
    return tuple(attrs.evolve(finding, path=path) for finding in in_order)
