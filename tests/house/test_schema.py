"""An index keeps its tables, macros and views: whoever changes one raises the schema version."""

from __future__ import annotations

import hashlib

from loreweave.store.schema import SCHEMA_VERSION, TABLES, create_sql
from loreweave.store.sources import INTERNAL
from loreweave.store.views import views

VERSION = 6
SHAPE = "6d04f999a16f039445c6910d3bd1cab9e587906e53f5efa55b79cd2542711c4d"


def test_a_changed_table_or_question_comes_with_a_new_schema_version() -> None:
    said = [*map(create_sql, (*TABLES, *INTERNAL)), *(view.sql for view in views())]
    shape = hashlib.sha256("\n".join(said).encode()).hexdigest()
    assert (SCHEMA_VERSION, shape) == (VERSION, SHAPE), (
        "An index built before keeps the old tables and questions: raise SCHEMA_VERSION, then VERSION and SHAPE here."
    )
