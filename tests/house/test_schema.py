"""An index keeps its tables, macros and views: whoever changes one raises the schema version."""

from __future__ import annotations

import hashlib

from loreweave.store.schema import SCHEMA_VERSION, TABLES, create_sql
from loreweave.store.sources import INTERNAL
from loreweave.store.views import views

VERSION = 8
SHAPE = "90d8ba159b43d67cdd8bef19c6c5d9e88e58dfd32ce8375d4afb894769feb9b2"


def test_a_changed_table_or_question_comes_with_a_new_schema_version() -> None:
    said = [*map(create_sql, (*TABLES, *INTERNAL)), *(view.sql for view in views())]
    shape = hashlib.sha256("\n".join(said).encode()).hexdigest()
    assert (SCHEMA_VERSION, shape) == (VERSION, SHAPE), (
        "An index built before keeps the old tables and questions: raise SCHEMA_VERSION, then VERSION and SHAPE here."
    )
