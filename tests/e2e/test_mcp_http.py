"""The server over HTTP: on loopback alone, by its own names, for several clients at once."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from mcp import Client
from mcp_types import Implementation

from clients import SECONDS, call, program
from loreweave.mcp import http as http_server
from loreweave.mcp.agents import Agents
from loreweave.mcp.desk import Desk
from loreweave.mcp.fitting import MOST
from loreweave.mcp.server import Handlers, server_of
from typed import vault

FACT = "- [fact] Vendor :: reliability :: good {recorded_at=2024-01-05T09:00:00Z}\n"
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
GREETING = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}},
    }
)


PING = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "ping"})


class At:
    """A port of this machine at which a server is asked."""

    def __init__(self, port: int) -> None:
        self.port = port

    def asked(self, method: str, body: str | None = None, **headers: str) -> tuple[int, str]:
        """Give the status of an answer, and the session it is of."""
        wire = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        wire.request(method, "/mcp", body, HEADERS | headers)
        answer = wire.getresponse()
        wire.close()
        return answer.status, answer.headers.get("mcp-session-id", "")

    def pinged(self, session: str) -> int:
        """Ask in a session; give the status."""
        return self.asked("POST", PING, **{"Mcp-Session-Id": session})[0]

    def listening(self, session: str) -> http.client.HTTPConnection:
        """Listen in a session for what the server has to tell."""
        wire = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        wire.request("GET", "/mcp", None, {"Accept": HEADERS["Accept"], "Mcp-Session-Id": session})
        assert wire.getresponse().status == 200
        return wire


class Served(At):
    """A server over HTTP, and where it is."""

    def __init__(self, at: Path) -> None:
        started = program(at, "--http", "0")
        command = [started.command, *started.args]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, env=started.env, text=True, stdin=pipe, stdout=pipe, stderr=pipe)
        assert self.process.stderr
        told = self.process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/mcp$", told)
        assert found, told
        self.url = found[0]
        super().__init__(int(found[1]))

    def posted(self, **headers: str) -> int:
        """Greet the server with these headers beside; give the status it answers with."""
        return self.asked("POST", GREETING, **headers)[0]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    server = Served(vault(tmp_path / "vault", {"lore/journal/2024-01-05.md": FACT}))
    yield server
    server.process.send_signal(signal.SIGTERM)
    said, told = server.process.communicate(timeout=SECONDS)
    assert (server.process.returncode, said) == (0, "")
    assert "Traceback" not in told


def test_several_clients_write_under_their_own_names_and_read_what_the_others_wrote(served: Served) -> None:
    async def talk(name: str) -> None:
        async with Client(served.url, client_info=Implementation(name=name, version="1")) as client:
            for number in range(5):
                value = f"{name} {number}"
                await call(client, "lore_assert_fact", subject="Atlas", predicate="reader", object=value, many=True)

    async def run() -> list[tuple[str, str]]:
        with anyio.fail_after(SECONDS):
            async with anyio.create_task_group() as tasks:
                for name in ("first", "second", "third"):
                    tasks.start_soon(talk, name)
            async with Client(served.url) as client:
                found = await call(client, "lore_query_facts", subject="Atlas", predicate="reader")
        return [(fact["object"], fact["by"]) for fact in found["facts"]]

    wanted = [(f"{name} {number}", name) for name in ("first", "second", "third") for number in range(5)]
    assert sorted(anyio.run(run)) == wanted


def test_a_client_of_the_older_protocol_keeps_its_name_through_a_session(served: Served) -> None:
    async def run() -> str:
        with anyio.fail_after(SECONDS):
            async with Client(
                served.url, client_info=Implementation(name="older", version="1"), mode="legacy"
            ) as client:
                await call(client, "lore_assert_fact", subject="Vendor", predicate="country", object="Norway")
                found = await call(client, "lore_query_facts", predicate="country")
        by: str = found["facts"][0]["by"]
        return by

    assert anyio.run(run) == "older"


def test_host_and_origin_are_those_of_the_server_or_nothing_is_answered(served: Served) -> None:
    assert served.posted() == 200
    assert served.posted(Origin=f"http://localhost:{served.port}") == 200
    assert served.posted(Host=f"localhost:{served.port}") == 200
    assert served.posted(Host=f"evil.example:{served.port}") == 421
    assert served.posted(Host="127.0.0.1:1") == 421
    assert served.posted(Origin="http://evil.example") == 403
    assert served.posted(Origin=f"http://evil.example:{served.port}") == 403
    assert served.posted(Origin="null") == 403


def test_a_session_is_of_whoever_began_it_and_is_forgotten_once_it_has_ended(served: Served) -> None:
    sessions = {served.asked("POST", GREETING)[1] for _ in range(8)}
    assert len({name[:8] for name in sessions}) == 8
    for name in sessions:
        assert re.fullmatch("[0-9a-f]{32}", name)
        session = {"Mcp-Session-Id": name}
        for method in ("POST", "GET", "DELETE"):
            body = PING if method == "POST" else None
            assert served.asked(method, body, Host=f"evil.example:{served.port}", **session)[0] == 421
            assert served.asked(method, body, Origin="http://evil.example", **session)[0] == 403
        assert served.asked("POST", PING, **session)[0] == 200
        assert served.asked("DELETE", **session)[0] == 200
        assert served.asked("POST", PING, **session)[0] == 404
    assert served.asked("POST", PING, **{"Mcp-Session-Id": "0" * 32})[0] == 404


def test_where_there_are_too_many_sessions_the_one_idle_longest_gives_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, over = vault(tmp_path / "vault", {"lore/journal/2024-01-05.md": FACT}), anyio.Event()
    monkeypatch.setattr(http_server, "_SESSIONS", 3)
    monkeypatch.setattr(http_server, "_BEGINNING", 2)
    desk = Desk(Agents(at, None), read_only=True, room=MOST)
    taken = http_server.bound("127.0.0.1", 0)
    there = At(taken.getsockname()[1])

    def ask() -> None:
        first, listening, *_ = begun = [there.asked("POST", GREETING)[1] for _ in range(3)]
        wire = there.listening(listening)
        assert there.pinged(first) == 200
        assert there.asked("POST", PING, Host="evil.example", **{"Mcp-Session-Id": begun[2]})[0] == 421
        begun += [there.asked("POST", GREETING)[1] for _ in range(5)]
        assert [there.pinged(session) for session in begun] == [404, 200, 404, 404, 404, 404, 200, 200]
        wire.close()

    async def run() -> None:
        with anyio.fail_after(SECONDS):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(http_server.serve, server_of(Handlers(desk, lambda: None)), taken, over)
                try:
                    await anyio.to_thread.run_sync(ask)
                finally:
                    over.set()

    anyio.run(run)
    desk.agents.close()


def test_what_is_longer_than_a_message_may_be_is_refused_unread(served: Served) -> None:
    assert served.asked("POST", GREETING, **{"Content-Length": "16000001"})[0] == 413
    assert served.asked("POST", "[" * 200_000)[0] == 400
    assert served.posted() == 200


def test_a_client_that_goes_away_in_the_middle_of_a_call_does_not_hold_up_the_others(served: Served) -> None:
    slow = "select count(*) from range(100000) a, range(100000) b"
    params = {"name": "lore_query_sql", "arguments": {"sql": slow, "timeout": 5}}
    asked = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params})
    for _ in range(6):
        wire = http.client.HTTPConnection("127.0.0.1", served.port, timeout=SECONDS)
        wire.request("POST", "/mcp", GREETING, HEADERS)
        greeted = wire.getresponse()
        greeted.read()
        wire.request("POST", "/mcp", asked, HEADERS | {"Mcp-Session-Id": greeted.headers["mcp-session-id"]})
        wire.close()

    async def run() -> int:
        with anyio.fail_after(SECONDS):
            async with Client(served.url) as client:
                made = [await call(client, "lore_query_facts") for _ in range(3)]
        of: int = made[0]["of"]
        return of

    assert anyio.run(run) == 1


def test_a_client_that_listens_on_does_not_keep_the_server(served: Served) -> None:
    wire = served.listening(served.asked("POST", GREETING)[1])
    begun = time.monotonic()
    served.process.send_signal(signal.SIGINT)
    assert served.process.wait(SECONDS) == 0
    assert time.monotonic() - begun < 5
    wire.close()


def test_a_port_that_is_taken_is_told(served: Served, tmp_path: Path) -> None:
    started = program(tmp_path, "--http", f"127.0.0.1:{served.port}")
    command = [started.command, *started.args]
    done = subprocess.run(command, env=started.env, capture_output=True, text=True, check=False, timeout=SECONDS)
    assert done.returncode == 2
    assert "cannot be served" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "example.org", "[::]"])
def test_no_other_host_is_served(host: str, tmp_path: Path) -> None:
    started = program(tmp_path, "--http", f"{host}:8765")
    command = [started.command, *started.args]
    done = subprocess.run(command, env=started.env, capture_output=True, text=True, check=False, timeout=SECONDS)
    assert done.returncode == 2
    assert "is not this machine alone" in done.stderr
