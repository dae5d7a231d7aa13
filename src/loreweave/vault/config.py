"""The settings in ``lore/config.toml``, read by this one function for every entry point."""

from __future__ import annotations

import re
from pathlib import Path

import attrs

from loreweave.errors import VaultError
from loreweave.events.slots import key
from loreweave.vault.root import CONFIG

_SECTIONS = {
    "extract": {"mode", "ignore_keys"},
    "facts": {"many"},
    "vault": {"ignore", "follow_external_symlinks"},
    "scopes": None,
    "observe": {"machine"},
    "agents": {"writes"},
    "embedding": {
        *("provider", "url", "model", "path", "batch_size", "timeout_s", "retries"),
        *("query_prefix", "document_prefix", "api_key_env"),
    },
    "search": {"stemmer"},
}
"""The sections and their keys; None where the user names the keys."""


@attrs.frozen
class Config:
    """What shapes answers and writing. ``many`` holds the keys of the predicates that writers stamp ``many``."""

    many: frozenset[str] = frozenset()


def read_config(root: Path) -> Config:
    """Read the settings of a vault; raise VaultError, with the line, for what is no setting or has no meaning."""
    path = root / CONFIG
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return Config()
    except (OSError, UnicodeDecodeError) as failed:
        raise VaultError(f'"{CONFIG}" cannot be read: {failed}.', "save it as UTF-8 text that you may read") from None
    said = _parsed(text)
    _refuse_unknown(text, said)
    facts = said.get("facts", {})
    many = facts.get("many", [])
    if not (isinstance(many, list) and all(isinstance(name, str) for name in many)):
        raise _wrong(text, "many", "[facts] many is not a list of texts", 'write many = ["member"]')
    return Config(frozenset(filter(None, map(key, many))))


def _parsed(text: str) -> dict[str, dict[str, object]]:
    import tomllib

    try:
        said: dict[str, dict[str, object]] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as failed:
        raise VaultError(f'"{CONFIG}" is not TOML: {failed}.', "correct that line") from None
    return said


def _refuse_unknown(text: str, said: dict[str, dict[str, object]]) -> None:
    for section, keys in said.items():
        if section not in _SECTIONS or not isinstance(keys, dict):
            raise _wrong(text, section, f'"{section}" is not a section', f"the sections are {', '.join(_SECTIONS)}")
        known = _SECTIONS[section]
        for name in keys:
            if known is not None and name not in known:
                hint = f"the keys of [{section}] are {', '.join(sorted(known))}"
                raise _wrong(text, name, f'"{name}" is not a key of [{section}]', hint)


def _wrong(text: str, name: str, what: str, hint: str) -> VaultError:
    place = re.search(rf"^[\s\[\"']*{re.escape(name)}\b", text, re.MULTILINE)
    where = f":{text.count(chr(10), 0, place.end()) + 1}" if place else ""
    return VaultError(f"{CONFIG}{where}: {what}.", hint)
