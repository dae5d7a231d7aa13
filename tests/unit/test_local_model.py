"""A model in a folder: what is made of its tokens, how much of a text is read, and what is said of a folder without."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

import tiny_model
from loreweave.library import Lore
from loreweave.providers import open_provider
from loreweave.providers.model import ProviderError
from loreweave.vault.embedding import Embedding
from tiny_model import INT32, ROWS, TOKENIZER, WORDS
from typed import vault

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
pytest.importorskip("tokenizers", reason="tokenizers is not installed")


def made(folder: Path, *texts: str) -> list[list[float]]:
    with closing(open_provider(Embedding("onnx", path=str(folder)), Path("/"))) as provider:
        return provider.of_documents(texts)


def failure(folder: Path) -> ProviderError:
    with pytest.raises(ProviderError) as failed:
        made(folder, "boat")
    return failed.value


def mean(*words: str) -> list[float]:
    """Give the mean of what words are turned into, at length 1, as it should be."""
    rows = [ROWS[WORDS.index(word)] for word in ("[CLS]", *words, "[SEP]")]
    return at_length_one([sum(column) / len(rows) for column in zip(*rows, strict=True)])


def at_length_one(numbers: Sequence[float]) -> list[float]:
    return [pytest.approx(number / math.hypot(*numbers), abs=1e-6) for number in numbers]


def test_the_vector_of_a_text_is_the_mean_of_its_tokens_at_length_one(tmp_path: Path) -> None:
    folder = tiny_model.folder(tmp_path)
    assert made(folder, "Boat soup", "vendor", "") == [mean("boat", "soup"), mean("vendor"), mean()]


def test_a_folder_may_say_that_the_first_token_stands_for_the_text(tmp_path: Path) -> None:
    folder = tiny_model.folder(tmp_path, **{"1_Pooling__config": {"pooling_mode_cls_token": True}})
    assert made(folder, "boat soup") == [at_length_one(ROWS[WORDS.index("[CLS]")])]


@pytest.mark.parametrize("inputs", [("input_ids",), ("input_ids", "attention_mask"), tiny_model.ALL])
def test_a_model_is_given_what_it_asks_for(inputs: tuple[str, ...], tmp_path: Path) -> None:
    assert made(tiny_model.folder(tmp_path, inputs=inputs), "boat") == [mean("boat")]


def test_a_model_may_take_shorter_numbers(tmp_path: Path) -> None:
    assert made(tiny_model.folder(tmp_path, kind=INT32), "boat") == [mean("boat")]


def test_a_text_is_read_as_far_as_the_model_was_trained_for(tmp_path: Path) -> None:
    of_tokenizer = tiny_model.folder(tmp_path / "tokenizer")
    assert made(of_tokenizer, "boat boat boat boat soup soup") == [mean(*["boat"] * 4)]
    of_sentence = tiny_model.folder(tmp_path / "sentence", sentence_bert_config={"max_seq_length": 4})
    assert made(of_sentence, "boat boat boat boat soup soup") == [mean("boat", "boat")]


def test_a_text_of_any_length_is_taken(tmp_path: Path) -> None:
    assert made(tiny_model.folder(tmp_path), "soup " * 100_000) == [mean(*["soup"] * 4)]


def test_the_vector_of_a_text_does_not_depend_on_those_beside_it(tmp_path: Path) -> None:
    folder = tiny_model.folder(tmp_path)
    texts = ["boat", "soup vendor supplier", "ship ship", "unheard of", "vendor"]
    together = made(folder, *texts)
    assert [made(folder, text)[0] for text in texts] == together
    assert made(folder, *reversed(texts)) == together[::-1]


def test_a_model_is_known_by_what_it_is_and_not_by_where_it_stands(tmp_path: Path) -> None:
    def name(folder: Path) -> str:
        return open_provider(Embedding("onnx", path=str(folder)), Path("/")).name

    here, there = tiny_model.folder(tmp_path / "here"), tiny_model.folder(tmp_path / "there")
    assert name(here) == name(there)
    others = [
        tiny_model.folder(tmp_path / "kind", kind=INT32),
        tiny_model.folder(tmp_path / "window", sentence_bert_config={"max_seq_length": 4}),
        tiny_model.folder(tmp_path / "first", **{"1_Pooling__config": {"pooling_mode_cls_token": True}}),
        tiny_model.folder(tmp_path / "words", tokenizer=TOKENIZER | {"normalizer": None}),
        tiny_model.folder(tmp_path / "data"),
    ]
    (others[-1] / "model.onnx_data").write_bytes(b"weights beside")
    assert len({name(here), *map(name, others)}) == 6


# What is wrong with a folder -----------------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json"])
def test_a_folder_without_a_file_is_said(missing: str, tmp_path: Path) -> None:
    (tiny_model.folder(tmp_path / "m") / missing).unlink()
    assert failure(tmp_path / "m").message == f'"{tmp_path / "m"}" has no file {missing}.'


def test_a_home_folder_of_nobody_is_said() -> None:
    assert "there is no such home folder" in failure(Path("~nobody-of-that-name/model")).message


@pytest.mark.parametrize("content", [b"", b"no model", b"\x08\x08" + b"\xff" * 100])
def test_a_file_that_is_no_model_is_said(content: bytes, tmp_path: Path) -> None:
    folder = tiny_model.folder(tmp_path)
    (folder / "model.onnx").write_bytes(content)
    assert f'"{folder / "model.onnx"}" cannot be used' in failure(folder).message


@pytest.mark.parametrize("content", ["", "{", "{}", "[]", '{"model": 3}', "[" * 100_000])
def test_a_file_that_is_no_tokenizer_is_said(content: str, tmp_path: Path) -> None:
    folder = tiny_model.folder(tmp_path)
    (folder / "tokenizer.json").write_text(content, "utf-8")
    assert f'"{folder / "tokenizer.json"}"' in failure(folder).message


def test_a_model_that_asks_for_something_unknown_is_said(tmp_path: Path) -> None:
    folder = tiny_model.folder(tmp_path, inputs=("input_ids", "pixel_values"))
    assert 'asks for "pixel_values"' in failure(folder).message


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_a_library_that_is_missing_is_named_with_what_installs_it(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    failed = failure(tiny_model.folder(tmp_path))
    assert f"The Python package {package} is needed" in failed.message
    assert 'pip install "loreweave[embedding]"' in failed.hint


# From the settings to the answer -------------------------------------------------------------------------


def test_a_folder_in_the_vault_is_found_from_its_root_and_answers_by_meaning(tmp_path: Path) -> None:
    settings = '[embedding]\nprovider = "onnx"\npath = "models/tiny"\n'
    notes = {f"{word}.md": f"# {word}\n\n{word} {word}\n" for word in ("ship", "supplier", "soup")}
    vault(tmp_path, {"lore/config.toml": settings, **notes})
    tiny_model.folder(tmp_path / "models" / "tiny")
    with Lore(tmp_path) as lore:
        lore.index()
        made = lore.embed()
        assert made is not None
        assert (made.made, made.model, made.failed) == (3, "onnx tiny", "")
        assert [result.path for result in lore.search("boat").results][:1] == ["ship.md"]
        assert lore.search("vendor").results[0].path == "supplier.md"
        assert lore.search("vendor").degraded is None
