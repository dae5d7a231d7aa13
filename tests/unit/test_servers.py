"""Servers of embeddings asked over real HTTP: what is sent, what is taken, and what is said when they fail."""

from __future__ import annotations

import json
import logging
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from embedding_server import (
    Deed,
    Server,
    breaks_off,
    dribbles,
    fails,
    hangs,
    instead,
    serving,
    vector_of,
)
from loreweave.providers import open_provider
from loreweave.providers.model import Provider, ProviderError, TextsRefused
from loreweave.vault.embedding import Embedding

AGAIN = {"Retry_After": "0"}
LONG = 30.0


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as made:
        yield made


def provider(server: Server, name: str = "ollama", /, at_most: float | None = None, **settings: Any) -> Provider:
    asked = Embedding(name, server.url, "m", timeout_s=LONG)
    opened = open_provider(attrs.evolve(asked, **settings), Path(), at_most=at_most)
    server.closing.callback(opened.close)
    return opened


def failure(server: Server, deed: Deed, name: str = "ollama", /, **settings: Any) -> ProviderError:
    """Give what is raised where the server does this whatever it is asked."""
    server.always = deed
    with pytest.raises(ProviderError) as failed:
        provider(server, name, **settings).of_documents(["a boat", "a vendor"])
    return failed.value


def at_length_one(vector: list[float]) -> list[float]:
    length = sum(number * number for number in vector) ** 0.5
    return [pytest.approx(number / length) for number in vector]


@pytest.mark.parametrize(
    ("name", "url", "path"),
    [
        ("ollama", "", "/api/embed"),
        ("ollama", "/", "/api/embed"),
        ("ollama", "/api/embed", "/api/embed"),
        ("openai", "/v1", "/v1/embeddings"),
        ("openai", "/v1/", "/v1/embeddings"),
        ("openai", "/v1/embeddings", "/v1/embeddings"),
    ],
)
def test_texts_are_sent_as_the_provider_takes_them(name: str, url: str, path: str, server: Server) -> None:
    provider(server, name, url=server.url + url).of_documents(["a boat", "das Schiff"])
    (request,) = server.requests
    assert (request.path, request.body) == (path, {"model": "m", "input": ["a boat", "das Schiff"]})
    assert request.headers["content-type"] == "application/json"


@pytest.mark.parametrize("name", ["ollama", "openai"])
def test_vectors_come_back_in_the_order_of_the_texts_and_at_length_one(name: str, server: Server) -> None:
    texts = ["soup", "boat boat", "a vendor with a budget"]
    assert provider(server, name).of_documents(texts) == [at_length_one(vector_of(text)) for text in texts]


def test_nothing_is_sent_for_no_texts(server: Server) -> None:
    assert provider(server).of_documents([]) == []
    assert server.requests == []


def test_questions_and_passages_have_each_the_prefix_of_the_models_family(server: Server) -> None:
    asked = provider(server, model="nomic-embed-text")
    asked.of_queries(["boat"])
    asked.of_documents(["boat"])
    assert server.texts == ["search_query: boat", "search_document: boat"]


def test_a_prefix_in_the_settings_stands_in_for_that_of_the_family(server: Server) -> None:
    asked = provider(server, model="nomic-embed-text", query_prefix="", document_prefix="text: ")
    asked.of_queries(["boat"])
    asked.of_documents(["boat"])
    assert server.texts == ["boat", "text: boat"]


def test_what_is_no_text_in_utf_8_is_sent_all_the_same(server: Server) -> None:
    provider(server).of_queries(["boat \udce9"])
    assert server.texts == ["boat ?"]


@pytest.mark.parametrize("deed", [fails(status, **AGAIN) for status in (408, 429, 500, 502, 503, 504)] + [breaks_off])
def test_what_may_go_better_is_asked_again_and_each_time_is_logged(
    deed: Deed, server: Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    paused: list[float] = []
    monkeypatch.setattr("loreweave.providers.wire.sleep", paused.append)
    server.deeds.extend([deed, deed])
    assert len(provider(server, retries=2).of_documents(["boat"])) == 1
    assert len(server.requests) == 3
    assert [record.levelno for record in caplog.records if record.name == "loreweave.providers"] == [
        logging.WARNING
    ] * 2
    assert caplog.messages[0].endswith("(1 of 2).")
    assert caplog.messages[1].endswith("(2 of 2).")
    assert paused in ([0.0, 0.0], [1.0, 2.0]), "as asked, or ever longer"


def test_after_the_last_attempt_it_is_said_why(server: Server) -> None:
    failed = failure(server, fails(503, b"model is loading", **AGAIN), retries=1)
    assert failed.message == f'The embedding server at "{server.url}/api/embed" answered 503: "model is loading".'
    assert len(server.requests) == 2


@pytest.mark.parametrize("said", ["61", "Wed, 01 Jan 2025 00:10:00 GMT"])
def test_a_server_that_asks_for_a_long_pause_is_not_asked_again(said: str, server: Server) -> None:
    failed = failure(server, fails(429, Retry_After=said, Date="Wed, 01 Jan 2025 00:00:00 GMT"))
    assert "answered 429" in failed.message
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("said", "pause"),
    [("7", 7.0), ("Wed, 01 Jan 2025 00:00:09 GMT", 9.0), ("Tue, 31 Dec 2024 00:00:00 GMT", 0.0), ("soon", 1.0)],
)
def test_a_pause_is_made_as_long_as_the_server_asks(
    said: str, pause: float, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    paused: list[float] = []
    monkeypatch.setattr("loreweave.providers.wire.sleep", paused.append)

    server.deeds.append(fails(429, Retry_After=said, Date="Wed, 01 Jan 2025 00:00:00 GMT"))
    provider(server).of_documents(["boat"])
    assert paused == [pause]


@pytest.mark.parametrize("status", [400, 413, 422])
def test_texts_that_are_refused_are_not_sent_again(status: int, server: Server) -> None:
    failed = failure(server, fails(status, b'{"error": "input is too long"}'))
    assert isinstance(failed, TextsRefused)
    assert "input is too long" in failed.message
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "hint"),
    [(401, "see that KEY holds a key"), (403, "see that KEY holds"), (404, "[embedding] url and model")],
)
def test_what_is_wrong_for_good_is_not_asked_again(
    status: int, hint: str, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY", "sesame")
    failed = failure(server, fails(status, b"no"), api_key_env="KEY")
    assert (f"answered {status}" in failed.message, hint in failed.hint) == (True, True), failed.hint
    assert not isinstance(failed, TextsRefused)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("deed", "told"),
    [
        (fails(200, b"<html>hello</html>"), 'answered what is no JSON: "<html>hello</html>"'),
        (fails(200, b"\xff\xfe\x00"), "no JSON"),
        (fails(200, b"[" * 100_000), "no JSON"),
        (fails(200, b"[]"), "it has no list"),
        (fails(200, b'{"embeddings": 3, "data": 3}'), "it has no list"),
        (fails(200, b'{"embeddings": [1, 2], "data": [1, 2]}'), "cannot be read"),
        (fails(200, b'{"embeddings": ["AAAA", "AAAA"], "data": [{"embedding": "AAAA"}]}'), "than numbers"),
        (instead(lambda vectors: vectors[:1]), "1 vectors for 2 texts"),
        (instead(lambda vectors: [*vectors, vectors[0]]), "3 vectors for 2 texts"),
        (instead(lambda vectors: [vectors[0], vectors[1][:3]]), "3 and 6 numbers"),
        (instead(lambda vectors: [[], []]), "0 numbers"),
        (instead(lambda vectors: [vectors[0], [float("nan")] * 6]), "a number that is none"),
        (instead(lambda vectors: [vectors[0], [float("inf"), *[0.0] * 5]]), "a number that is none"),
        (instead(lambda vectors: [vectors[0], [0.0] * 6]), "only zeros"),
        (instead(lambda vectors: [[None] * 6, vectors[1]]), "other things than numbers"),
    ],
)
@pytest.mark.parametrize("name", ["ollama", "openai"])
def test_an_answer_that_means_nothing_is_said_to(name: str, deed: Deed, told: str, server: Server) -> None:
    failed = failure(server, deed, name)
    assert told in failed.message
    assert failed.hint
    assert len(server.requests) == 1


@pytest.mark.parametrize("indexes", [(0, 0), (1, 2), ("a", "b"), (None, None)])
def test_indexes_that_are_not_those_of_the_texts_are_refused(indexes: tuple[object, ...], server: Server) -> None:
    data = [{"index": index, "embedding": [1.0]} for index in indexes]
    failed = failure(server, lambda handler, body: handler.say(200, json.dumps({"data": data}).encode()), "openai")
    assert "cannot be read" in failed.message


def test_an_answer_without_end_is_broken_off(server: Server) -> None:
    failed = failure(server, fails(200, b" " * 3_000_000))
    assert "more than 1,600,000 bytes" in failed.message


def test_no_redirect_is_followed_so_that_no_key_leaves_its_host(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY", "sesame")
    with serving() as other:
        failed = failure(server, fails(307, Location=f"{other.url}/api/embed"), api_key_env="KEY")
        assert other.requests == []
    assert f'a redirect to "{other.url}/api/embed"' in failed.message


def test_the_key_is_sent_and_never_shown(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("KEY", " sesame\n")
    failed = failure(server, fails(500, b"the key sesame is wrong", **AGAIN), api_key_env="KEY", retries=1)
    assert {request.headers["authorization"] for request in server.requests} == {"Bearer sesame"}
    assert "the key … is wrong" in failed.message
    assert "sesame" not in failed.message + failed.hint + caplog.text


def test_without_a_key_none_is_sent(server: Server) -> None:
    provider(server).of_documents(["boat"])
    assert "authorization" not in server.requests[0].headers


@pytest.mark.parametrize(("key", "told"), [(None, "is not set"), (" ", "is not set"), ("schlüssel", "cannot be a key")])
def test_a_key_that_is_none_is_said_before_anything_is_sent(
    key: str | None, told: str, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KEY", raising=False)
    if key is not None:
        monkeypatch.setenv("KEY", key)
    with pytest.raises(ProviderError) as failed:
        provider(server, api_key_env="KEY")
    assert '"KEY"' in failed.value.message
    assert told in failed.value.message
    assert "schlüssel" not in failed.value.message


@pytest.mark.parametrize("deed", [hangs, dribbles])
def test_a_server_that_does_not_get_done_is_left_and_the_setting_is_named(deed: Deed, server: Server) -> None:
    failed = failure(server, deed, timeout_s=0.1, retries=0)
    assert failed.message == f'The embedding server at "{server.url}/api/embed" did not answer within 0.1 s.'
    assert "[embedding] timeout_s" in failed.hint


@pytest.mark.parametrize("deed", [hangs, dribbles, fails(503, **AGAIN)])
def test_who_can_wait_no_longer_asks_once(deed: Deed, server: Server) -> None:
    failed = failure(server, deed, at_most=0.1)
    assert server.url in failed.message
    assert len(server.requests) == 1


def test_a_server_that_is_not_there_is_said(server: Server) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ProviderError) as failed:
            provider(server, url=url, retries=0).of_documents(["boat"])
    assert f'The embedding server at "{url}/api/embed" cannot be asked' in failed.value.message


def test_a_proxy_is_not_asked_for_what_runs_on_this_machine(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        provider(server).of_documents(["boat"])
        assert (len(server.requests), proxy.requests) == (1, [])


def test_a_library_that_is_missing_is_named_with_what_installs_it(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "httpx2", None)
    with pytest.raises(ProviderError) as failed:
        provider(server).of_documents(["boat"])
    assert "httpx2" in failed.value.message
    assert 'pip install "loreweave[embedding]"' in failed.value.hint


def test_the_vectors_of_another_model_or_server_have_another_name(server: Server) -> None:
    names = [provider(server).name, provider(server, model="n").name, provider(server, "openai").name]
    assert len(set(names)) == 3
