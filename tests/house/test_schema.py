"""An index keeps its tables, macros and views: whoever changes one raises the schema version."""

from __future__ import annotations

import hashlib

from loreweave.store.schema import SCHEMA_VERSION, TABLES, create_sql
from loreweave.store.sources import INTERNAL
from loreweave.store.views import views

VERSION = 2
SHAPE = "a9abbd919b9d57df666563b11f83ed4294cbb969ae2a7156bc6696ccc79633d4"


def test_a_changed_table_or_question_comes_with_a_new_schema_version() -> None:
    said = [*map(create_sql, (*TABLES, *INTERNAL)), *(view.sql for view in views())]
    shape = hashlib.sha256("\n".join(said).encode()).hexdigest()
    assert (SCHEMA_VERSION, shape) == (VERSION, SHAPE), (
        "An index built before keeps the old tables and questions: raise SCHEMA_VERSION, then VERSION and SHAPE here."
    )
