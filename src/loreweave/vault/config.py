"""The settings in ``lore/config.toml``, read by this one function for every entry point."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import attrs

from loreweave.errors import VaultError
from loreweave.events.slots import key
from loreweave.vault.read import read_bytes
from loreweave.vault.root import CONFIG, refuse_outside

_TEXT, _TEXTS, _TRUTH, _NUMBER = '"text"', '["text"]', "true", "10"
"""What a setting takes, by an example; a setting that takes one of several words lists them."""

_STEMMERS = (
    *("none", "english", "porter", "arabic", "armenian", "basque", "catalan", "danish", "dutch", "estonian", "finnish"),
    *("french", "german", "greek", "hindi", "hungarian", "indonesian", "irish", "italian", "lithuanian", "nepali"),
    *("norwegian", "portuguese", "romanian", "russian", "serbian", "spanish", "swedish", "tamil", "turkish", "yiddish"),
)
"""No stemming, or the languages of Snowball."""

_SETTINGS: dict[str, dict[str, str | tuple[str, ...]]] = {
    "extract": {"mode": ("off", "explicit", "all"), "ignore_keys": _TEXTS},
    "facts": {"many": _TEXTS},
    "vault": {"ignore": _TEXTS, "follow_external_symlinks": _TRUTH},
    "observe": {"machine": _TEXT},
    "agents": {"writes": ("journal", "propose")},
    "embedding": {
        "provider": ("none",),
        **dict.fromkeys(("url", "model", "path", "query_prefix", "document_prefix", "api_key_env"), _TEXT),
        **dict.fromkeys(("batch_size", "timeout_s", "retries"), _NUMBER),
    },
    "search": {"stemmer": _STEMMERS},
}
_SECTIONS = (*_SETTINGS, "scopes")
"""The sections; in ``[scopes]`` the user names the keys, and each is a text."""


@attrs.frozen
class Config:
    """What shapes answers and writing. ``many`` holds the keys of the predicates that writers stamp ``many``."""

    many: frozenset[str] = frozenset()


def read_config(root: Path) -> Config:
    """Read the settings of a vault; raise VaultError, with the line, for what is no setting or has no meaning."""
    refuse_outside(root, CONFIG)
    try:
        text = read_bytes(root, CONFIG).decode()
    except FileNotFoundError:
        return Config()
    except (OSError, UnicodeDecodeError) as failed:
        reason = failed.strerror if isinstance(failed, OSError) else failed
        raise VaultError(f'"{CONFIG}" cannot be read: {reason}.', "save it as UTF-8 text that you may read") from None
    said = _parsed(text)
    for section, settings in said.items():
        if section not in _SECTIONS or not isinstance(settings, dict):
            raise _wrong(text, section, f'"{section}" is not a section', f"the sections are {', '.join(_SECTIONS)}")
        for name, value in settings.items():
            _refuse_unfit(text, section, name, value)
    many = said.get("facts", {}).get("many", [])
    return Config(frozenset(filter(None, map(key, many))))


def _parsed(text: str) -> dict[str, dict[str, Any]]:
    import tomllib

    try:
        said: dict[str, dict[str, Any]] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as failed:
        raise VaultError(f'"{CONFIG}" is not TOML: {failed}.', "correct that line") from None
    return said


def _refuse_unfit(text: str, section: str, name: str, value: object) -> None:
    known = _SETTINGS.get(section, {name: _TEXT})
    if name not in known:
        hint = f"the keys of [{section}] are {', '.join(sorted(known))}"
        raise _wrong(text, name, f'"{name}" is not a key of [{section}]', hint)
    taken = known[name]
    if _fits(value, taken):
        return
    if isinstance(taken, tuple):
        raise _wrong(text, name, f'[{section}] {name} is "{value}"', f"it may be {', '.join(taken)}")
    raise _wrong(text, name, f'[{section}] {name} is "{value}"', f"write it as {name} = {taken}")


def _fits(value: object, taken: str | tuple[str, ...]) -> bool:
    if isinstance(taken, tuple):
        return value in taken
    if taken == _TEXTS:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if taken == _NUMBER:
        return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
    return isinstance(value, bool if taken == _TRUTH else str)


def _wrong(text: str, name: str, what: str, hint: str) -> VaultError:
    place = re.search(rf"^[\s\[\"']*{re.escape(name)}\b", text, re.MULTILINE)
    where = f":{text.count(chr(10), 0, place.end()) + 1}" if place else ""
    return VaultError(f"{CONFIG}{where}: {what}.", hint)
