"""Folding everything at once: event rows in, every projection out, as Arrow tables."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from loreweave.errors import Finding
from loreweave.projections import events, findings
from loreweave.projections.beliefs import Fold, fold

FINDINGS = pa.schema(
    [(name, pa.string()) for name in ("code", "severity", "message", "hint", "path")]
    + [("line", pa.int64()), ("column_number", pa.int64()), ("scope_key", pa.string())]
)
_PLACE = [(name, "ascending") for name in ("path", "line", "column_number", "code", "message")]


def project_lines(lines: pa.Table, found: Iterable[Finding]) -> dict[str, pa.Table]:
    """Fold event rows, in the columns of ``events`` and in any order, into every projection and ``repeats``."""
    happened, repeats = events.arrange(lines)
    return {"events": happened, "repeats": repeats, **of_fold(fold(happened), found)}


def of_fold(folded: Fold, found: Iterable[Finding]) -> dict[str, pa.Table]:
    """Give the tables that the fold makes; its findings stand with those found in reading."""
    return {
        "beliefs": folded.beliefs,
        "agreements": folded.agreements,
        "conflicts": folded.conflicts,
        "findings": of_findings([*found, *_seen_in(folded)]),
    }


def of_findings(found: Iterable[Finding]) -> pa.Table:
    """Turn findings into rows, in order of place."""
    rows = [(f.code, f.severity, f.message, f.hint, f.path, f.line, f.column, f.scope_key) for f in found]
    columns = zip(*rows, strict=True) if rows else ([] for _ in FINDINGS)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, FINDINGS, strict=True)]
    return pa.Table.from_arrays(arrays, schema=FINDINGS).sort_by(_PLACE)


def _seen_in(folded: Fold) -> list[Finding]:
    sides = [side.to_pylist() for side in folded.twins]
    twins = findings.twins(zip(*sides, strict=True))
    idle = [findings.ineffective(event) for event in folded.ineffective.to_pylist()]
    return [*idle, *twins]
