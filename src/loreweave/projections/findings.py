"""The ``findings`` table: what is wrong with the record, line by line, and how to put it right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa

from loreweave.errors import WARNING, Finding
from loreweave.projections.beliefs import Fold

FINDINGS = pa.schema(
    [(name, pa.string()) for name in ("code", "severity", "message", "hint", "path")]
    + [("line", pa.int64()), ("column_number", pa.int64()), ("scope_key", pa.string())]
)
_SLOT_ORDER = [(name, "ascending") for name in ("path", "line", "column_number", "code", "message")]

_IDLE = {
    "FactInvalidated": ("This close ends nothing", "moves no claim's end"),
    "FactRetracted": ("This retraction unsays nothing", "no claim before it fits"),
    "ValueWithdrawn": ("This withdrawal drops nothing", "its note had said nothing that fits"),
}


def table(findings: Iterable[Finding]) -> pa.Table:
    """Turn findings into rows, in order of place."""
    rows = [
        (f.code, f.severity, f.message, f.hint, f.path, f.line, f.column, f.scope_key)
        for f in findings
    ]
    columns = zip(*rows, strict=True) if rows else ([] for _ in FINDINGS)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, FINDINGS, strict=True)]
    return arrange(pa.Table.from_arrays(arrays, schema=FINDINGS))


def arrange(findings: pa.Table) -> pa.Table:
    """Put findings in order of place."""
    return findings.sort_by(_SLOT_ORDER)


def of_fold(fold: Fold) -> Iterator[Finding]:
    """Give the findings that only the fold of a slot can see: lines without effect, and twins."""
    for row in fold.ineffective.to_pylist():
        what, why = _IDLE[row["kind"]]
        yield Finding(
            "ineffective",
            f"{what}: at its record time no claim of {row['subject']} :: {row['predicate']} is touched ({why}).",
            "Check the subject, the predicate, the object and the dates with `lore why`.",
            row["path"],
            row["line"],
            1,
            WARNING,
            row["scope_key"],
        )
    for one, other in zip(*(side.to_pylist() for side in fold.twins), strict=True):
        if one["recorded_by"] == other["recorded_by"] and one["path"].startswith("lore/journal/"):
            yield Finding(
                "twin-lines",
                f"This line and {one['path']}:{one['line']} state {other['subject']} :: {other['predicate']} from the "
                "same start, at the same record time and by the same author, but not alike.",
                "Keep one of them: an edited line may have been brought back by a merge.",
                other["path"],
                other["line"],
                1,
                WARNING,
                other["scope_key"],
            )
