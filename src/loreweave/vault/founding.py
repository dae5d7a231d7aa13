"""Founding a vault: the settings with their defaults, and what git is to know of the record. Safe to repeat."""

from __future__ import annotations

import json
from pathlib import Path

import attrs

from loreweave.errors import VaultError
from loreweave.vault.append import lore_folder
from loreweave.vault.git import ignores
from loreweave.vault.read import read_bytes
from loreweave.vault.root import CONFIG, leads_out, refuse_outside

TEMPLATE = """\
# What shapes the answers of this vault. Every key stands here with its default; take the # away to change it.

[extract]
# mode = "explicit"                  # what notes state: "off", "explicit" or "all"
# ignore_keys = []                   # further keys that are not facts, such as ["mood", "sr-*"]

[facts]
# many = []                          # predicates that may hold several values at once, such as ["member"]

[vault]
# ignore = []                        # patterns as in .gitignore: files that are not notes
# follow_external_symlinks = false   # read notes that a link leads to outside the vault; they are never written

[scopes]
# "clients/acme" = "acme"            # the scope of the notes in a folder

[observe]
# machine = ""                       # the one host that observes the notes, where several share the vault

[agents]
# writes = "journal"                 # or "propose": what an agent says waits for a person's approval

[embedding]
# provider = "none"                  # or "ollama", "openai" or "onnx"; with "none" nothing goes over the network
# url = ""                           # of the server; the passages of the notes are sent to it
# model = ""                         # its name there
# path = ""                          # for "onnx": a folder with model.onnx and tokenizer.json
# batch_size = 32                    # texts sent at once
# timeout_s = 120                    # seconds for one answer
# retries = 2
# query_prefix = ""                  # what stands before a question; where left out, what the model's family wants
# document_prefix = ""               # the same before a passage
# api_key_env = ""                   # the environment variable that holds the key

[search]
# stemmer = "english"                # or another Snowball language, or "none"
"""

ATTRIBUTES = """\
# Lines are appended; of two branches both keep theirs.
journal/**/*.md merge=union
ledger/**/*.md merge=union
"""

OLD_CONFIG = ".lore/config.json"
_RENAMED = {
    "facts.extract": "[extract] mode",
    "ignore": "[vault] ignore",
    "followExternalSymlinks": "[vault] follow_external_symlinks",
    "embedding.provider": "[embedding] provider",
    "embedding.url": "[embedding] url",
    "embedding.model": "[embedding] model",
    "embedding.batchSize": "[embedding] batch_size",
    "embedding.timeoutMs": "[embedding] timeout_s, in seconds",
    "embedding.maxRetries": "[embedding] retries",
    "embedding.queryPrefix": "[embedding] query_prefix",
    "embedding.documentPrefix": "[embedding] document_prefix",
    "embedding.apiKeyEnv": "[embedding] api_key_env",
}
"""Keys of the older configuration that have a place here."""


@attrs.frozen
class Founded:
    """What founding came to: files made, files kept as they were, and what to know."""

    root: str
    made: tuple[str, ...]
    kept: tuple[str, ...]
    warnings: tuple[str, ...]


def found(root: Path) -> Founded:
    """Write what a vault begins with; a file that is there already is kept as it is."""
    wanted = {CONFIG: TEMPLATE, "lore/.gitattributes": ATTRIBUTES}
    refuse_outside(root, *wanted)
    lore_folder(root)
    made = [path for path, text in wanted.items() if _make(root, path, text)]
    kept = [path for path in wanted if path not in made]
    warnings = [*_ignored(root), *_older(root)]
    return Founded(str(root), tuple(made), tuple(kept), tuple(warnings))


def _make(root: Path, path: str, text: str) -> bool:
    target = root / path
    try:
        target.parent.mkdir(exist_ok=True)
        with target.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        return False
    except OSError as failed:
        raise VaultError(f'"{path}" cannot be written: {failed.strerror}.', "make the vault writable") from None
    return True


def _ignored(root: Path) -> list[str]:
    rule = ignores(root, "lore/journal/2024-01-01.md")
    return [] if rule is None else [f"git ignores lore/, so the record would not be committed: {rule}"]


def _older(root: Path) -> list[str]:
    """Say of each setting of an older configuration, which is not read, what it is called now."""
    if leads_out(root, OLD_CONFIG):
        return []
    try:
        said = json.loads(read_bytes(root, OLD_CONFIG))
    except (OSError, ValueError):
        return []
    names = (
        [name for section, value in said.items() for name in _paths(section, value)] if isinstance(said, dict) else []
    )
    known = [f"{name} is now {_RENAMED[name]}" for name in names if name in _RENAMED]
    return [f"{OLD_CONFIG} is not read; {', '.join(known) or 'nothing in it has a place here'}"]


def _paths(name: str, value: object) -> list[str]:
    return [f"{name}.{inner}" for inner in value] if isinstance(value, dict) else [name]
