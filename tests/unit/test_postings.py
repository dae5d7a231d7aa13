"""Which terms a passage is found by."""

from __future__ import annotations

from collections import Counter

from loreweave.notes.read import read_note
from loreweave.projections.postings import METADATA, TEXT, Counted, counted
from loreweave.store.columns import of_postings

NOTE = """---
title: Vendor
aliases: [Acme Papers]
about: invoices
tags: [supply]
---
paper and paper

## Terms
thirty days
"""


def of_note(path: str = "clients/Vendor.md", stemmer: str = "none") -> list[Counted]:
    note = read_note(path, NOTE)
    return counted(note, list(range(len(note.spans))), "default", stemmer)


def test_the_text_of_a_passage_is_counted_word_by_word() -> None:
    first = of_note()[0]
    assert (first.span_id, first.field, first.counts) == (0, TEXT, Counter({"paper": 2, "and": 1}))


def test_metadata_are_title_headings_tags_aliases_about_and_folder() -> None:
    _, first, _, second = of_note()
    whole = Counter("vendor acme papers supply invoices clients".split())
    assert (first.field, first.counts) == (METADATA, whole)
    assert second.counts == whole + Counter(["terms"])


def test_what_a_heading_says_again_of_its_note_counts_once() -> None:
    note = read_note("vendor/Vendor.md", "# Vendor\npaper\n## Vendor\nmore\n")
    counts = counted(note, [0, 1], "default", "none")
    assert [each.counts for each in counts[1::2]] == [Counter(["vendor"] * 2), Counter(["vendor"] * 2)]


def test_words_are_brought_to_their_stems() -> None:
    assert "invoic" in of_note(stemmer="english")[1].counts


def test_columns_hold_what_rows_hold() -> None:
    found = of_note()
    rows = [row for each in found for row in each.rows()]
    assert [tuple(row.values()) for row in of_postings(found).to_pylist()] == rows


def test_no_note_gives_columns_without_rows() -> None:
    assert of_postings([]).num_rows == 0
