"""Opening an index to read: a private DuckDB that holds the file, or one scope of it, and can reach nothing else.

The file is attached to an in-memory database of this connection's own, so that a connection opened after a
new index was swapped in sees the new one, and settings of one connection touch no other.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import duckdb

from loreweave.errors import StoreError
from loreweave.events.model import DEFAULT_SCOPE
from loreweave.store.copying import mark_of
from loreweave.store.layout import ALL, OF_SCOPES, lay_out
from loreweave.store.schema import SCHEMA_VERSION, quote

NAME = "index"
"""The database in which a connection finds its tables and views."""

CORRUPT, OLDER, NEWER, CURRENT = "corrupt", "older", "newer", "current"

REBUILD = "run `lore replay --cold`: it builds the index anew"
_BROKEN = (duckdb.IOException, duckdb.SerializationException, duckdb.InternalException, duckdb.FatalException)

SWAPS = 5
"""How often an index may be swapped while it is opened, before it is taken as it comes."""

COPY = "8GB"
"""How much memory the copy of a scope may take; what is asked of it then has its own amount beside."""

_AMOUNT = re.compile(r"([0-9.]+) ?([KMGT]?)(i?)B", re.IGNORECASE).fullmatch
_LOCKED = "Could not set lock on file"
_SHUT = ("enable_external_access = false", "lock_configuration = true")


class MissingIndex(StoreError):
    """There is no index yet: replay."""


class UnusableIndex(StoreError):
    """The index is corrupt, or of an older schema: replay builds it anew."""


class NewerIndex(StoreError):
    """The index was written by a newer loreweave, and is left alone."""


class Health(NamedTuple):
    """What an index file is, and the properties it says of itself where they can be read."""

    state: str
    meta: Mapping[str, str]


def tells_broken(failed: Exception) -> bool:
    """Say whether DuckDB found that the file is not what it was; a wrong checksum is an error of no kind at all."""
    return isinstance(failed, _BROKEN) or type(failed) is duckdb.Error


def tells_locked(failed: Exception) -> bool:
    """Say whether another program holds the file."""
    return _LOCKED in str(failed)


def connect(
    path: Path, memory: str, scope: str | None, *, earlier: bool = False
) -> tuple[duckdb.DuckDBPyConnection, Mapping[str, str]]:
    """Open an index read-only and shut; with a scope key, a copy of that scope's rows and nothing else.

    What holds no scope but the default one is opened for that one as it is. Gives the connection, to be used through
    cursors that ``use index``, and what ``meta`` holds. Raises MissingIndex, UnusableIndex or NewerIndex; with
    ``earlier`` an index of an older schema is opened too.
    """
    with ExitStack() as undo:
        connection = undo.enter_context(_private(memory))
        _attach(connection, path, NAME)
        found = health(connection, f"{NAME}.main.meta")
        meta = found.meta if earlier and found.state == OLDER else usable(path, found)
        if scope is not None and not (scope == DEFAULT_SCOPE and _is_alone(connection, scope)):
            try:
                _keep_only(connection, scope)
            except duckdb.OutOfMemoryException:
                raise StoreError("The rows of the scope do not fit into memory.", "close other programs") from None
            connection.execute(f"set memory_limit = '{_held(connection) + bytes_of(memory)}B'")
        for setting in _SHUT:
            connection.execute(f"set {setting}")
        undo.pop_all()
        return connection, meta


def attached(path: Path, memory: str) -> duckdb.DuckDBPyConnection:
    """Open an index read-only in a DuckDB that can take in another file beside it; raise as ``connect`` does."""
    with ExitStack() as undo:
        connection = undo.enter_context(_private(memory))
        _attach(connection, path, NAME)
        usable(path, health(connection, f"{NAME}.main.meta"))
        undo.pop_all()
        return connection


def _private(memory: str) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"temp_directory": "", "memory_limit": memory})
    connection.execute("set TimeZone = 'UTC'; set python_enable_replacements = false")
    return connection


def health(connection: duckdb.DuckDBPyConnection, meta: str) -> Health:
    """Compare the schema of an open index with ours; ``meta`` is the name of its table."""
    try:
        rows = connection.execute(f"select key, value from {meta}").fetchall()
        version = int(dict(rows)["schema_version"])
    except (duckdb.Error, KeyError, ValueError):
        return Health(CORRUPT, {})
    state = CURRENT if version == SCHEMA_VERSION else NEWER if version > SCHEMA_VERSION else OLDER
    return Health(state, dict(rows))


def _attach(connection: duckdb.DuckDBPyConnection, path: Path, name: str) -> None:
    """Attach the index; once more where another was swapped in meanwhile, for the database opens it more than once."""
    for _ in range(SWAPS):
        before = mark_of(path)
        try:
            _attach_as_it_is(connection, path, name)
        except UnusableIndex:
            if mark_of(path) == before:
                raise
        else:
            if mark_of(path) == before:
                return
            connection.execute(f"detach {name}")
    _attach_as_it_is(connection, path, name)


def _attach_as_it_is(connection: duckdb.DuckDBPyConnection, path: Path, name: str) -> None:
    if not path.exists():
        raise MissingIndex(f'There is no index "{path}".', REBUILD)
    try:
        _attach_file(connection, path, name)
    except duckdb.IOException as failed:
        if not tells_locked(failed):
            raise _unusable(path, failed) from None
        _attach_copy(connection, path, name, str(failed))
    except duckdb.Error as failed:
        raise _unusable(path, failed) from None


def _attach_file(connection: duckdb.DuckDBPyConnection, path: Path, name: str) -> None:
    connection.execute(f"attach {quote(str(path))} as {name} (read_only)")


def _attach_copy(connection: duckdb.DuckDBPyConnection, path: Path, name: str, locked: str) -> None:
    """Read a copy of an index that another program holds; it is gone from the folder once it is open."""
    try:
        handle, copy = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".copy", dir=path.parent)
        os.close(handle)
    except OSError as failed:
        told = f"{_holder(locked)} holds the index, and it cannot be copied: {failed.strerror}."
        raise StoreError(told, f'let go of it there, or make "{path.parent}" writable') from None
    try:
        shutil.copyfile(path, copy)
        _attach_file(connection, Path(copy), name)
    except (OSError, duckdb.Error) as failed:
        raise _unusable(path, failed) from None
    finally:
        os.unlink(copy)


def _holder(locked: str) -> str:
    """Name the program that the database says is holding the file."""
    named = re.search(r"held in (.+? \(PID [0-9]+\))", locked)
    return named[1] if named else "Another program"


def _held(connection: duckdb.DuckDBPyConnection) -> int:
    """Give how many bytes a database holds in memory."""
    row = connection.execute("select sum(memory_usage_bytes)::bigint from duckdb_memory()").fetchone()
    return row[0] if row else 0


def bytes_of(memory: str) -> int:
    """Read an amount of memory such as 512MB or 2GiB; what is none is left for the database to refuse."""
    found = _AMOUNT(memory)
    power = " KMGT".index(found[2].upper() or " ") if found else 0
    return int(float(found[1]) * (1024 if found[3] else 1000) ** power) if found else 0


def _is_alone(connection: duckdb.DuckDBPyConnection, scope: str) -> bool:
    """Tell whether every row of an index that has a scope is of this one."""
    scoped = [table.name for table in ALL.values() if any(column.name == "scope_key" for column in table.columns)]
    others = " or ".join(f"exists(from {NAME}.main.{name} where scope_key is distinct from $scope)" for name in scoped)
    row = connection.execute(f"select {others}", {"scope": scope}).fetchone()
    return row is not None and not row[0]


def _keep_only(connection: duckdb.DuckDBPyConnection, scope: str) -> None:
    """Copy one scope's rows of every table out of the whole index, and let go of the rest."""
    whole = "whole"
    connection.execute(f"alter database {NAME} set alias to {whole}; set memory_limit = '{COPY}'")
    connection.execute(f"attach ':memory:' as {NAME}; use {NAME}")
    lay_out(connection)
    for table in OF_SCOPES:
        connection.execute(f"insert into {table.name} from {whole}.main.{table.name} where scope_key = ?", [scope])
    connection.execute(f"detach {whole}")


def usable(path: Path, found: Health) -> Mapping[str, str]:
    """Give what ``meta`` holds; raise UnusableIndex or NewerIndex for an index that is not of our schema."""
    if found.state == NEWER:
        version = found.meta["schema_version"]
        raise NewerIndex(
            f'The index "{path}" has schema {version} and was written by a newer loreweave; '
            f"this one knows schema {SCHEMA_VERSION}.",
            "update loreweave, or delete .lore to build the index anew",
        )
    if found.state != CURRENT:
        raise UnusableIndex(f'The index "{path}" is {found.state}.', REBUILD)
    return found.meta


def _unusable(path: Path, failed: Exception) -> UnusableIndex:
    return UnusableIndex(f'The index "{path}" cannot be read: {failed}', REBUILD)
