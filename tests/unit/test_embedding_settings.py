"""The settings of embedding: what each provider must be told, and what is refused, with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from loreweave.errors import VaultError
from loreweave.vault.config import read_config
from loreweave.vault.embedding import Embedding
from typed import vault

CONFIG = "lore/config.toml"


def embedding(root: Path, *lines: str) -> Embedding:
    vault(root, {CONFIG: "\n".join(["[embedding]", *lines, ""])})
    return read_config(root).embedding


def refused(root: Path, *lines: str) -> tuple[str, str]:
    with pytest.raises(VaultError) as failed:
        embedding(root, *lines)
    return failed.value.message, failed.value.hint


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], Embedding()),
        (['provider = "ollama"', 'model = "m"'], Embedding("ollama", model="m")),
        (
            ['provider = "openai"', 'url = "https://host.example/v1"', 'model = "m"', 'api_key_env = "KEY"'],
            Embedding("openai", "https://host.example/v1", "m", api_key_env="KEY"),
        ),
        (['provider = "onnx"', 'path = "models/small"'], Embedding("onnx", path="models/small")),
        (['provider = "onnx"', 'path = "p"', 'url = "no address"'], Embedding("onnx", "no address", path="p")),
        (['query_prefix = ""'], Embedding(query_prefix="")),
    ],
)
def test_a_provider_that_is_told_enough_is_taken(lines: list[str], expected: Embedding, tmp_path: Path) -> None:
    assert embedding(tmp_path, *lines) == expected


@pytest.mark.parametrize(
    ("lines", "message", "hint"),
    [
        (['provider = "ollama"'], ':2: [embedding] provider "ollama" needs model, which is not set.', "model ="),
        (['provider = "openai"', 'model = "m"'], ':2: [embedding] provider "openai" needs url, which is', "url ="),
        (['provider = "openai"', 'url = "http://a"'], ':2: [embedding] provider "openai" needs model,', "model ="),
        (['provider = "onnx"', 'path = " "'], ':2: [embedding] provider "onnx" needs path, which', "path ="),
        (["batch_size = 4096"], ":2: [embedding] batch_size is 4096.", "up to 2,048"),
        (["batch_size = 0"], ':2: [embedding] batch_size is "0".', "batch_size ="),
        (["retries = 11"], ":2: [embedding] retries is 11.", "up to 10"),
        (["timeout_s = 3600.5"], ":2: [embedding] timeout_s is 3600.5.", "up to 3,600"),
    ],
)
def test_what_is_missing_or_too_much_is_named_with_its_line(
    lines: list[str], message: str, hint: str, tmp_path: Path
) -> None:
    told, advice = refused(tmp_path, *lines)
    assert (told.removeprefix(CONFIG).startswith(message), hint in advice) == (True, True), (told, advice)


@pytest.mark.parametrize(
    ("url", "what"),
    [
        ("localhost:11434", "no address"),
        ("ftp://host.example", "no address"),
        ("http://", "no address"),
        ("http://host.example:99999", "no address"),
        ("http://[::1", "no address"),
        ("http://host.example/a b", "no address"),
        ("http://ana:" + "secret@host.example", "holds a name or a password"),
        ("https://host.example/v1?key=secret", "more than a path"),
        ("https://host.example/v1#part", "more than a path"),
    ],
)
def test_an_address_that_is_none_is_refused(url: str, what: str, tmp_path: Path) -> None:
    told, _ = refused(tmp_path, 'provider = "ollama"', 'model = "m"', f'url = "{url}"')
    assert told.startswith(f"{CONFIG}:4: [embedding] url ")
    assert what in told


def test_a_password_in_an_address_is_not_repeated(tmp_path: Path) -> None:
    told = refused(tmp_path, 'provider = "ollama"', 'model = "m"', 'url = "http://ana:' + 'secret@host.example"')
    assert "secret" not in "".join(told)
