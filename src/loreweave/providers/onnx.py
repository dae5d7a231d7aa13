"""A model in a folder on this disk, run here: ``model.onnx`` and the ``tokenizer.json`` that belongs to it.

Texts are run one by one, each on one thread, several at a time: the vector of a text then never depends on what it was
run together with, and nothing is spent on filling texts up to one length.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from loreweave.providers.model import ProviderError
from loreweave.providers.wire import missing

if TYPE_CHECKING:
    import numpy as np
    import onnxruntime
    import tokenizers

WINDOW = 512
"""How many tokens of a text are read where the folder does not say."""

THREADS = 4
"""How many texts are run at a time at the most."""

_POOLED = "sentence_embedding"
"""The name of an output that is one vector a text already."""


class LocalModel:
    """A model that is loaded when it is first asked. Raise ProviderError where the folder, as ``shown``, has none."""

    def __init__(self, folder: Path, shown: str) -> None:
        self._folder = folder
        self._model, self._tokenizer = folder / "model.onnx", folder / "tokenizer.json"
        for file in (self._model, self._tokenizer):
            if not file.is_file():
                told = f'"{shown}" has no file {file.name}.'
                raise ProviderError(told, "name a folder with model.onnx and tokenizer.json as [embedding] path")

    def digest(self) -> str:
        """Give the sha256 of what decides the vectors: the files of the model, its tokenizer, and how they are used."""
        made = hashlib.sha256(repr((self._window, self._takes_first)).encode())
        for path in (*sorted(self._folder.glob("model.onnx*")), self._tokenizer):
            with _reading(path), path.open("rb") as file:
                made.update(hashlib.file_digest(file, "sha256").digest())
        return made.hexdigest()

    def make(self, texts: Sequence[str]) -> list[list[float]]:
        """Give a vector for each text."""
        encodings = self._cutter.encode_batch(list(texts))
        self._inputs  # noqa: B018 - loaded once, before several threads ask
        return list(self._threads.map(self._vector, encodings))

    def close(self) -> None:
        """Let go of the threads; the model goes with the last that knows it."""
        if "_threads" in self.__dict__:
            self._threads.shutdown()

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(min(THREADS, os.cpu_count() or 1))

    @cached_property
    def _cutter(self) -> tokenizers.Tokenizer:
        """The tokenizer, which cuts texts at the window and fills none up."""
        try:
            import tokenizers
        except ImportError:
            raise missing("tokenizers") from None
        with _reading(self._tokenizer):
            text = self._tokenizer.read_text("utf-8")
        with _loading(self._tokenizer):
            cutter = tokenizers.Tokenizer.from_str(text)
            cutter.no_padding()
            cutter.enable_truncation(self._window)
        return cutter

    @cached_property
    def _session(self) -> onnxruntime.InferenceSession:
        try:
            import onnxruntime
        except ImportError:
            raise missing("onnxruntime") from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        with _loading(self._model):
            return onnxruntime.InferenceSession(str(self._model), options, providers=["CPUExecutionProvider"])

    @cached_property
    def _inputs(self) -> dict[str, str]:
        """The names of what the model is given, and the type of each; raise ProviderError for one that is unknown."""
        inputs = {each.name: each.type for each in self._session.get_inputs()}
        unknown = [name for name in inputs if name not in _GIVEN]
        if unknown:
            told = f'"{self._model}" asks for "{unknown[0]}", which is not known here.'
            raise ProviderError(told, "take a model that makes one vector of a text, exported for feature extraction")
        return inputs

    @cached_property
    def _output(self) -> str:
        """The name of the output that is read: one vector a text where there is one, else the first."""
        names = [each.name for each in self._session.get_outputs()]
        return _POOLED if _POOLED in names else names[0]

    def _vector(self, encoding: tokenizers.Encoding) -> list[float]:
        import numpy as np

        kinds = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
        given = {
            name: np.array([getattr(encoding, _GIVEN[name])], kinds.get(kind, np.int64))
            for name, kind in self._inputs.items()
        }
        with _loading(self._model):
            (found,) = self._session.run([self._output], given)
        return self._pooled(np.asarray(found, np.float64), np.array(encoding.attention_mask, np.float64))

    def _pooled(self, found: np.ndarray[Any, Any], mask: np.ndarray[Any, Any]) -> list[float]:
        """Make one vector of those of the tokens: the first, or the mean of all that count."""
        if found.ndim == 3 and not self._takes_first:
            found = (found[0] * mask[:, None]).sum(0, keepdims=True) / max(mask.sum(), 1.0)
        elif found.ndim == 3:
            found = found[:, 0]
        if found.ndim != 2:
            raise ProviderError(f'"{self._model}" gives no vectors of texts.', "take a model that makes embeddings")
        numbers: list[float] = found[0].tolist()
        return numbers

    @cached_property
    def _window(self) -> int:
        """How many tokens of a text are read: as the folder says, of the sentence or of the tokenizer, else 512."""
        said = self._said("sentence_bert_config.json").get("max_seq_length")
        if not isinstance(said, int):
            cut = self._said("tokenizer.json").get("truncation")
            said = cut.get("max_length") if isinstance(cut, dict) else None
        return said if isinstance(said, int) and said > 0 else WINDOW

    @cached_property
    def _takes_first(self) -> bool:
        """Tell whether the vector of a text is that of its first token, as the folder may say; else it is the mean."""
        return self._said("1_Pooling/config.json").get("pooling_mode_cls_token") is True

    def _said(self, name: str) -> dict[str, Any]:
        """Read a JSON file of the folder; empty where there is none."""
        path = self._folder / name
        if not path.is_file():
            return {}
        with _reading(path):
            try:
                said = json.loads(path.read_text("utf-8"))
            except (ValueError, RecursionError):
                raise ProviderError(f'"{path}" is no JSON.', "put the file in its place anew") from None
        return said if isinstance(said, dict) else {}


_GIVEN = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
"""What a model may be given, and what the tokenizer calls it."""


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as failed:
        raise ProviderError(f'"{path}" cannot be read: {failed.strerror}.', "make it readable") from None


@contextmanager
def _loading(path: Path) -> Iterator[None]:
    """Say of which file the libraries of models complain; they raise nothing narrower than Exception."""
    try:
        yield
    except ProviderError:
        raise
    except Exception as failed:  # noqa: BLE001 - see above
        told = " ".join(str(failed).split())[:200]
        raise ProviderError(f'"{path}" cannot be used: {told}.', "put the file in its place anew") from None
