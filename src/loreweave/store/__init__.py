"""The door to DuckDB: the index built, swapped in, opened and asked."""
