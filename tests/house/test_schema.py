"""An index keeps its tables, macros and views: whoever changes one raises the schema version."""

from __future__ import annotations

import hashlib

from loreweave.store.schema import SCHEMA_VERSION, TABLES, create_sql
from loreweave.store.sources import INTERNAL
from loreweave.store.views import views

VERSION = 9
SHAPE = "916aefa5d1719dded7d33807d52d807780fd8f6bdcd1b8eb0a21eb3aa43fed1b"


def test_a_changed_table_or_question_comes_with_a_new_schema_version() -> None:
    said = [*map(create_sql, (*TABLES, *INTERNAL)), *(view.sql for view in views())]
    shape = hashlib.sha256("\n".join(said).encode()).hexdigest()
    assert (SCHEMA_VERSION, shape) == (VERSION, SHAPE), (
        "An index built before keeps the old tables and questions: raise SCHEMA_VERSION, then VERSION and SHAPE here."
    )
