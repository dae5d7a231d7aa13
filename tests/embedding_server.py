"""A server of embeddings on loopback, as real as any: it speaks like Ollama and like OpenAI, and fails as it is told.

Its model knows a few things by several names, and counts in a text how often each is named.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

THINGS = (
    ("vendor", "supplier"),
    ("boat", "ship", "vessel"),
    ("money", "budget"),
    ("tower", "lighthouse"),
    ("soup", "broth"),
)
"""What the model knows, each thing by its names."""


def vector_of(text: str) -> list[float]:
    """Count how often each thing is named; the last number is there for texts that name none."""
    said = text.lower()
    return [*(float(sum(said.count(name) for name in names)) for names in THINGS), 0.25]


class Request(NamedTuple):
    """What was asked: the path, the headers by lower-case name, and the body."""

    path: str
    headers: Mapping[str, str]
    body: Any


Deed = Callable[["Handler", Any], None]
"""Answers one request, given its body; it may do anything to it."""


class Server(ThreadingHTTPServer):
    """The server: ``requests`` were made of it, ``deeds`` are done for the next ones before it goes on as usual.

    What is in ``closing`` is closed with it.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[Request] = []
        self.deeds: deque[Deed] = deque()
        self.always: Deed = answer
        self.ended = threading.Event()
        self.closing = ExitStack()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def texts(self) -> list[str]:
        """Every text that was sent, in order."""
        return [text for request in self.requests for text in request.body["input"]]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that have gone."""


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.requests.append(Request(self.path, headers, body))
        (self.server.deeds.popleft() if self.server.deeds else self.server.always)(self, body)

    def say(self, status: int, content: bytes, **headers: str) -> None:
        self.send_response_only(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


def answer(handler: Handler, body: Any) -> None:
    """Answer as the path asks for; OpenAI's answers come in another order than the texts."""
    handler.say(200, json.dumps(told(handler.path, [vector_of(text) for text in body["input"]])).encode())


def told(path: str, vectors: Sequence[object]) -> object:
    """Put vectors into the form of an answer."""
    if path.endswith("/api/embed"):
        return {"model": "m", "embeddings": vectors}
    data = [{"object": "embedding", "index": at, "embedding": vector} for at, vector in enumerate(vectors)]
    return {"object": "list", "data": data[::-1], "model": "m", "usage": {"prompt_tokens": 1}}


def instead(change: Callable[[list[list[float]]], Sequence[object]]) -> Deed:
    """Answer with other vectors than the model's."""

    def deed(handler: Handler, body: Any) -> None:
        vectors = change([vector_of(text) for text in body["input"]])
        handler.say(200, json.dumps(told(handler.path, vectors)).encode())

    return deed


def fails(status: int, content: bytes = b"", **headers: str) -> Deed:
    """Answer with a status, a body and headers."""
    return lambda handler, body: handler.say(status, content, **headers)


def hangs(handler: Handler, body: Any) -> None:
    """Say nothing until the server is taken down."""
    handler.server.ended.wait()


def dribbles(handler: Handler, body: Any) -> None:
    """Say a little every now and then, and never all."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    while not handler.server.ended.wait(0.02):
        handler.wfile.write(b" ")
        handler.wfile.flush()


def breaks_off(handler: Handler, body: Any) -> None:
    """Close the connection in the middle of an answer."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"embeddings": [[')
    handler.close_connection = True


@contextmanager
def serving() -> Iterator[Server]:
    """Run a server as long as the block lasts."""
    server = Server()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.closing.close()
        server.ended.set()
        server.shutdown()
        thread.join()
        server.server_close()
