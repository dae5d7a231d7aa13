"""SQL of agents in a process of its own: what it gives, what bounds it, and how it ends."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import stored
from house.tree import PACKAGE
from loreweave.errors import BadRequest
from loreweave.store.apart import UNWANTED, Apart

ONE = stored.journal(("fact Vendor :: status :: good", {"recorded_at": "2024-01-05"}))
TWO = stored.journal(
    ("fact Vendor :: status :: good", {"recorded_at": "2024-01-05"}),
    ("fact Atlas :: owner :: Ana", {"recorded_at": "2024-01-05", "scope": "lab"}),
)
COUNT = "select count(*) from events"
ENDLESS = "select count(*) from range(1_000_000) a, range(1_000_000) b"
ASKER = """
import json, os, sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from loreweave.errors import BadRequest
from loreweave.store.apart import Apart

apart = Apart()
for sql in sys.argv[2:]:
    asked = {"index": sys.argv[1], "scope": None, "sql": sql, "parameters": None, "moment": [None, None]}
    print("asking", flush=True)
    try:
        answer = apart.ask("loreweave.reports.apart", asked | {"seconds": 0.3, "from": 0, "limit": 9}, 0.3)
        said = answer["wrong"][1] if "wrong" in answer else answer["rows"]
    except BadRequest as refused:
        said = refused.message
    print(json.dumps(said), flush=True)
apart.close()
print(getrusage(RUSAGE_CHILDREN).ru_maxrss // 1024)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return stored.index(tmp_path / "index.duckdb", TWO)


@pytest.fixture
def apart() -> Iterator[Apart]:
    made = Apart()
    yield made
    made.close()


def ask(apart: Apart, path: Path, sql: str, *, scope: str | None = None, seconds: float = 20) -> Any:
    asked = {"index": str(path), "scope": scope, "sql": sql, "parameters": None, "moment": [None, None]}
    answer = apart.ask("loreweave.reports.apart", asked | {"seconds": seconds, "from": 0, "limit": 9}, seconds)
    return answer["wrong"][:2] if "wrong" in answer else answer["rows"]


def pid(apart: Apart) -> int:
    """The one process that is kept."""
    (process,) = apart._all
    return process._process.pid


def test_one_process_answers_one_question_after_another_from_the_index_that_stands(apart: Apart, path: Path) -> None:
    assert ask(apart, path, COUNT) == [[2]]
    first = pid(apart)
    assert ask(apart, path, COUNT, scope="lab") == [[1]]
    assert ask(apart, path, "select error('no')") == ["BadRequest", "Invalid Input Error: no"]
    assert ask(apart, path, ENDLESS, seconds=0.1) == ["BadRequest", "The query took longer than 0.1 s and was stopped."]
    stored.index(path.with_name("next"), ONE).replace(path)
    assert ask(apart, path, COUNT) == [[1]]
    assert pid(apart) == first
    assert ask(apart, path.with_name("none"), COUNT)[0] == "MissingIndex"


def test_a_process_that_is_gone_is_replaced(apart: Apart, path: Path) -> None:
    assert ask(apart, path, COUNT) == [[2]]
    first = pid(apart)
    os.kill(first, signal.SIGKILL)
    os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
    assert ask(apart, path, COUNT) == [[2]]
    wide = ", ".join(f"repeat('é', 100_000) as c{number}" for number in range(20))
    with pytest.raises(BadRequest, match="The answer is longer than 10,000,000 bytes"):
        ask(apart, path, f"select {wide}")
    assert ask(apart, path, COUNT) == [[2]]
    apart.close()
    assert ask(apart, path, COUNT) == [[2]]


def test_what_nobody_waits_for_is_killed(apart: Apart, path: Path) -> None:
    assert ask(apart, path, COUNT) == [[2]]
    first, unwanted = pid(apart), threading.Event()
    token = UNWANTED.set(unwanted)
    try:
        threading.Timer(0.05, unwanted.set).start()
        with pytest.raises(BadRequest, match="Nobody waits for the query any more"):
            ask(apart, path, ENDLESS, seconds=600)
    finally:
        UNWANTED.reset(token)
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)
    assert ask(apart, path, COUNT) == [[2]]


MUCH_OF_LITTLE = (
    "select len(list_resize([]::varchar[], 100_000_000, 'xxxxxxxxxx'))",
    "select length(repeat('x', 1_000_000_000)) + 1",
    "select length(regexp_replace(repeat('a', 1_000_000), 'a', repeat('b', 10_000), 'g'))",
)


def asker(path: Path, *asked: str) -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONPATH": str(PACKAGE.parent)}
    command = [sys.executable, "-c", ASKER, str(path), *asked]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def test_no_function_takes_more_memory_than_there_is_for_a_query(path: Path) -> None:
    with asker(path, *MUCH_OF_LITTLE, COUNT) as running:
        *told, most = running.communicate(timeout=60)[0].split("\n")[:-1]
    *refused, counted = (json.loads(line) for line in told if line != "asking")
    assert counted == [[2]]
    assert len(refused) == len(MUCH_OF_LITTLE)
    for said in refused:
        assert said.startswith(("The query needs more memory than", "The query took longer", "The query ended the"))
    assert int(most) < 1_400, "512 MB, twice, and what a process takes that has opened the index"


@pytest.mark.skipif(sys.platform != "linux", reason="asks the system of a process that is not its own child")
def test_the_process_ends_with_whoever_asks_in_the_middle_of_a_query(path: Path) -> None:
    with asker(path, ENDLESS.replace("1_000_000", "1_000_000_000")) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "asking\n"
        child = 0
        while not child:
            told = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text("utf-8").split()
            child = int(told[0]) if told else 0
        watched = os.pidfd_open(child)
        running.kill()
    assert select.select([watched], [], [], 20)[0]
    os.close(watched)
