"""The settings in ``lore/config.toml``, read by this one function for every entry point."""

from __future__ import annotations

import hashlib
import posixpath
import unicodedata
from collections.abc import Iterable
from pathlib import Path

import attrs

from loreweave.errors import VaultError
from loreweave.events.slots import key
from loreweave.events.statements import Settings
from loreweave.notes import content_time, words
from loreweave.vault.embedding import Embedding, embedding
from loreweave.vault.patterns import unreadable_pattern
from loreweave.vault.root import CONFIG, refuse_outside
from loreweave.vault.saving import heard, read_settled
from loreweave.vault.settings import Written, read_settings


@attrs.frozen
class Config:
    """What shapes answers and writing. ``machine`` is empty where any host observes.

    ``ignore`` holds patterns as in ``.gitignore``; the folders of ``extraction.scopes`` are in NFC. ``writes`` is empty
    where nothing is said of what agents write.
    """

    extraction: Settings = attrs.field(factory=Settings)
    ignore: tuple[str, ...] = ()
    follow_external_symlinks: bool = False
    machine: str = ""
    writes: str = ""
    embedding: Embedding = attrs.field(factory=Embedding)

    @property
    def many(self) -> frozenset[str]:
        """Give the keys of the predicates that writers stamp ``many``."""
        return self.extraction.many

    @property
    def reading_digest(self) -> str:
        """Give the sha256 of what decides what a note states and is found by: where it differs, all are read anew."""
        asked = self.extraction
        settings = (asked.mode, sorted(asked.ignored), sorted(asked.many), asked.scopes, asked.stemmer)
        parts = (settings, _stemming(), words.VERSION, content_time.VERSION)
        return hashlib.sha256(repr(parts).encode()).hexdigest()


def _stemming() -> str:
    """Give the version of what makes stems: another one may make others of the same words."""
    from Stemmer import version

    return str(version())


def read_config(root: Path) -> Config:
    """Read the settings of a vault; raise VaultError, with the line, for what is no setting or has no meaning."""
    refuse_outside(root, CONFIG)
    try:
        written = read_settings(read_settled(root).decode("utf-8-sig"))
    except FileNotFoundError:
        return Config()
    except (OSError, UnicodeDecodeError) as failed:
        reason = failed.strerror if isinstance(failed, OSError) else failed
        raise VaultError(f'"{CONFIG}" cannot be read: {reason}.', "save it as UTF-8 text that you may read") from None
    vault, extract = written.section("vault"), written.section("extract")
    writes = written.section("agents").get("writes", "")
    stemmer = written.section("search").get("stemmer", "english")
    ignored, many = _keys(extract.get("ignore_keys", ())), _keys(written.section("facts").get("many", ()))
    config = Config(
        Settings(extract.get("mode", "explicit"), ignored, many, _scopes(written), stemmer),
        _ignore(written),
        vault.get("follow_external_symlinks", False),
        _machine(written),
        writes,
        embedding(written),
    )
    heard(root, writes)
    return config


def _keys(names: Iterable[str]) -> frozenset[str]:
    return frozenset(filter(None, map(key, names)))


def _ignore(written: Written) -> tuple[str, ...]:
    patterns = tuple(written.section("vault").get("ignore", ()))
    unread = unreadable_pattern(patterns)
    if unread is not None:
        what = f'[vault] ignore has "{unread}", which is no pattern'
        raise written.wrong(("vault", "ignore"), what, "write patterns as in .gitignore", unread)
    return patterns


def _machine(written: Written) -> str:
    said: str = written.section("observe").get("machine", "")
    if said and not said.strip():
        hint = "name the host that observes, or take the line out"
        raise written.wrong(("observe", "machine"), "[observe] machine is blank", hint)
    return said.strip()


def _scopes(written: Written) -> tuple[tuple[str, str], ...]:
    """Pair folders with scopes, sorted; raise VaultError for no folder of the vault, one named twice, or no scope."""
    scopes: dict[str, str] = {}
    for folder, scope in written.section("scopes").items():
        place = ("scopes", folder)
        real = unicodedata.normalize("NFC", posixpath.normpath(folder))
        if real in (".", "..") or real.startswith(("/", "../", "~")):
            hint = 'name a folder relative to the vault, such as "clients/acme"'
            raise written.wrong(place, f'[scopes] "{folder}" is not a folder within the vault', hint)
        if real in scopes:
            raise written.wrong(place, f'[scopes] "{folder}" is named twice', "give each folder one scope")
        if not key(scope):
            hint = "name it with letters or digits"
            raise written.wrong(place, f'[scopes] "{folder}" is the scope "{scope}", which is empty', hint)
        scopes[real] = scope.strip()
    return tuple(sorted(scopes.items()))
