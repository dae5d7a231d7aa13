"""A model small enough to be written by hand: a table of vectors, of which each token of a text takes a row.

The file is made byte by byte, for the library that writes such files is not needed to run them.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "boat", "ship", "vendor", "supplier", "soup")
ROWS = (
    (0.0, 0.0, 0.0),
    (0.0, 0.0, 0.1),
    (1.0, 1.0, 1.0),
    (0.5, 0.5, 0.5),
    (4.0, 0.0, 0.0),
    (3.0, 1.0, 0.0),
    (0.0, 4.0, 0.0),
    (0.0, 3.0, 1.0),
    (0.0, 0.0, 4.0),
)
"""What each word is turned into; a text begins with ``[CLS]`` and ends with ``[SEP]``."""

ALL = ("input_ids", "attention_mask", "token_type_ids")
FLOAT, INT32, INT64 = 1, 6, 7


def folder(
    at: Path, *, inputs: Sequence[str] = ALL, kind: int = INT64, output: str = "last_hidden_state", **said: object
) -> Path:
    """Write the folder of a model; ``said`` is further JSON files, by name without ending, or files by their path."""
    at.mkdir(parents=True, exist_ok=True)
    (at / "model.onnx").write_bytes(model(inputs, kind, output))
    (at / "tokenizer.json").write_text(json.dumps(TOKENIZER), "utf-8")
    for name, content in said.items():
        path = at / f"{name.replace('__', '/')}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content), "utf-8")
    return at


TOKENIZER: Mapping[str, object] = {
    "version": "1.0",
    "truncation": {"direction": "Right", "max_length": 6, "strategy": "LongestFirst", "stride": 0},
    "padding": {
        "strategy": {"Fixed": 6},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "[PAD]",
    },
    "added_tokens": [],
    "normalizer": {"type": "Lowercase"},
    "pre_tokenizer": {"type": "Whitespace"},
    "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
    "decoder": None,
    "model": {
        "type": "WordLevel",
        "vocab": {word: number for number, word in enumerate(WORDS)},
        "unk_token": "[UNK]",
    },
}


def model(inputs: Sequence[str], kind: int, output: str) -> bytes:
    """Give the bytes of a model with these inputs, of which it uses the first."""
    table = _bytes(9, struct.pack(f"<{len(ROWS) * 3}f", *(number for row in ROWS for number in row)))
    shape = b"".join(_number(1, size) for size in (len(ROWS), 3))
    initializer = shape + _number(2, FLOAT) + _bytes(8, b"table") + table
    node = _bytes(1, b"table") + _bytes(1, inputs[0].encode()) + _bytes(2, output.encode()) + _bytes(4, b"Gather")
    graph = [
        _bytes(1, node),
        _bytes(2, b"tiny"),
        _bytes(5, initializer),
        *(_bytes(11, _value(name, kind, ("batch", "sequence"))) for name in inputs),
        _bytes(12, _value(output, FLOAT, ("batch", "sequence", 3))),
    ]
    return _number(1, 8) + _bytes(8, _bytes(1, b"") + _number(2, 13)) + _bytes(7, b"".join(graph))


def _value(name: str, kind: int, shape: Iterable[str | int]) -> bytes:
    sizes = b"".join(
        _bytes(1, _number(1, size) if isinstance(size, int) else _bytes(2, size.encode())) for size in shape
    )
    return _bytes(1, name.encode()) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, sizes)))


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    made = bytearray()
    while value > 0x7F:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*made, value])
