"""Serving agents: from start to first answer, round trips on a server that stays, and many servers on one vault.

The client writes and reads lines by hand, so that what it costs itself is next to nothing. It is no module called
``mcp``, for that is the name of the library that the server is built with.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any

import notes
import processes
import searches
import wide
from figures import Figure
from replays import short

START_NOTES, START = 5_000, 2.0
BARS = {"lore_query_facts": 10.0, "lore_search": 40.0, "lore_assert_fact": 40.0, "the first read after it": 80.0}
TRIPS = 60
CLIENTS, CALLS = 20, 2_000


class Talk:
    """A server in a process of its own, and what is asked of it."""

    def __init__(self, vault: Path, name: str = "bench") -> None:
        words = processes.command(vault, "serve", "--mcp")
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(words, env=processes.environment(), stdin=pipe, stdout=pipe)
        self._number = 0
        about = {"name": name, "version": "1"}
        self._ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about})
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and give its answer; raise RuntimeError where it is refused."""
        result = self._ask("tools/call", {"name": tool, "arguments": arguments})
        if result.get("isError"):
            raise RuntimeError(f"{tool}: {result['content'][0]['text']}")
        answer: dict[str, Any] = result["structuredContent"]
        return answer

    def leave(self) -> None:
        """End the server; raise RuntimeError where it does not end well."""
        self._process.communicate(timeout=60)
        if self._process.returncode:
            raise RuntimeError(f"the server left with {self._process.returncode}")

    def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        self._write({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        assert self._process.stdout
        result: dict[str, Any] = json.loads(self._process.stdout.readline())["result"]
        return result

    def _write(self, message: dict[str, Any]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()


def measure(work: Path, sizes: Sequence[int]) -> Iterator[Figure]:
    """Measure the start at 5,000 notes, round trips at the largest size, and many clients at the smallest."""
    yield from _starts(_vault(work / "served-start", min(START_NOTES, max(sizes))))
    yield from _trips(_vault(work / "served-trips", max(sizes)), max(sizes))
    yield from _many(_vault(work / "served-many", min(sizes)), min(sizes))


def _vault(at: Path, count: int) -> Path:
    wide.write(at, count)
    processes.lore(at, "--quiet", "index")
    return at


def _starts(vault: Path) -> Iterator[Figure]:
    times = [_seconds_of(lambda: Talk(vault), "lore_query_facts") for _ in range(5)]
    yield Figure("server, start to first answer", short(START_NOTES), median(times), "s", START)


def _seconds_of(start: Any, tool: str) -> float:
    begun = time.perf_counter()
    talk = start()
    talk.call(tool)
    taken = time.perf_counter() - begun
    talk.leave()
    return taken


def _trips(vault: Path, size: int) -> Iterator[Figure]:
    talk = Talk(vault)
    talk.call("lore_search", queries="warm")
    taken: dict[str, list[float]] = {name: [] for name in BARS}
    for number in range(TRIPS):
        about = {"subject": notes.name_of(number * 7 % size)}
        value = {"predicate": "keeper", "object": f"Nobody {number}"}
        for name, tool, given in (
            ("lore_query_facts", "lore_query_facts", about),
            ("lore_search", "lore_search", {"queries": searches.wordings_of(searches.WIDE, number, size)}),
            ("lore_assert_fact", "lore_assert_fact", about | value),
            ("the first read after it", "lore_query_facts", about | {"predicate": "keeper"}),
        ):
            begun = time.perf_counter()
            answer = talk.call(tool, **given)
            taken[name].append(1000 * (time.perf_counter() - begun))
            if name == "the first read after it" and not answer["facts"]:
                raise RuntimeError("a read after a write does not have it")
    talk.leave()
    for name, bar in BARS.items():
        for share in (50, 95):
            value = sorted(taken[name])[TRIPS * share // 100]
            yield Figure(f"round trip, {name}, p{share}", short(size), value, "ms", bar if share == 50 else None)


def _many(vault: Path, size: int) -> Iterator[Figure]:
    begun = time.perf_counter()
    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(lambda number: _client(vault, number, size), range(CLIENTS)))
    taken = time.perf_counter() - begun
    talk = Talk(vault)
    of = talk.call("lore_query_facts", predicate="reader", history=True)["of"]
    talk.leave()
    if of != CALLS // 4:
        raise RuntimeError(f"{of} of {CALLS // 4} writes are on record")
    yield Figure(f"{CLIENTS} servers, {CALLS:,} mixed calls", short(size), taken, "s")


def _client(vault: Path, number: int, size: int) -> None:
    """Write and read in turn: each write, of this client or of the one before it, is in the next answer."""
    talk = Talk(vault, f"client-{number}")
    for turn in range(CALLS // CLIENTS // 4):
        subject = f"Reader {number}-{turn}"
        talk.call("lore_assert_fact", subject=subject, predicate="reader", object="yes")
        if not talk.call("lore_query_facts", subject=subject)["facts"]:
            raise RuntimeError(f"{subject} is not in the answer after it was written")
        talk.call("lore_search", queries=searches.wordings_of(searches.WIDE, number + turn, size))
        talk.call("lore_query_facts", predicate="reader", limit=5)
    talk.leave()
