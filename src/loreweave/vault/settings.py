"""What may be set in ``lore/config.toml``, and how what has no meaning is named with its line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import attrs

from loreweave.errors import VaultError
from loreweave.vault.root import CONFIG

Settings = Mapping[str, Mapping[str, Any]]
"""Sections of settings by name, as TOML gives them."""

_TEXT, _TEXTS, _TRUTH, _NUMBER, _COUNT, _SIZE = '"text"', '["text"]', "true", "10", "3", "32"
"""What a setting takes, by an example; a setting that takes one of several words lists them."""

_STEMMERS = (
    *("none", "english", "porter", "arabic", "armenian", "basque", "catalan", "danish", "dutch", "estonian", "finnish"),
    *("french", "german", "greek", "hindi", "hungarian", "indonesian", "irish", "italian", "lithuanian", "nepali"),
    *("norwegian", "portuguese", "romanian", "russian", "serbian", "spanish", "swedish", "tamil", "turkish", "yiddish"),
)
"""No stemming, or the languages of Snowball."""

SETTINGS: dict[str, dict[str, str | tuple[str, ...]]] = {
    "extract": {"mode": ("off", "explicit", "all"), "ignore_keys": _TEXTS},
    "facts": {"many": _TEXTS},
    "vault": {"ignore": _TEXTS, "follow_external_symlinks": _TRUTH},
    "observe": {"machine": _TEXT},
    "agents": {"writes": ("journal", "propose")},
    "embedding": {
        "provider": ("none", "ollama", "openai", "onnx"),
        **dict.fromkeys(("url", "model", "path", "query_prefix", "document_prefix", "api_key_env"), _TEXT),
        "batch_size": _SIZE,
        "timeout_s": _NUMBER,
        "retries": _COUNT,
    },
    "search": {"stemmer": _STEMMERS},
}
"""What each key of each section takes."""

_SECTIONS = (*SETTINGS, "scopes")
"""The sections; in ``[scopes]`` the user names the keys, and each is a text."""


@attrs.frozen
class Written:
    """The settings as they were written: ``said`` by section and key, and the text in which their lines are found."""

    said: Settings
    text: str

    def section(self, name: str) -> Mapping[str, Any]:
        """Give a section's settings, empty where it is not written."""
        return self.said.get(name, {})

    def wrong(self, place: tuple[str, str], what: str, hint: str, item: str = "") -> VaultError:
        """Make the error for a setting, by section and key, or for one item of its list."""
        return _wrong(self.text, place, what, hint, item)


def read_settings(text: str) -> Written:
    """Read the text of the settings; raise VaultError, with the line, for what is no setting or has no meaning."""
    said = _parsed(text)
    for section, settings in said.items():
        if section not in _SECTIONS or not isinstance(settings, dict):
            what, hint = f'"{section}" is not a section', f"the sections are {', '.join(_SECTIONS)}"
            raise _wrong(text, ("", section), what, hint)
        for name, value in settings.items():
            _refuse_unfit(text, (section, name), value)
    return Written(said, text)


def _parsed(text: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except RecursionError:
        raise VaultError(f'"{CONFIG}" is not TOML: it nests too deeply.', "take the brackets out") from None
    except ValueError as failed:
        raise VaultError(f'"{CONFIG}" is not TOML: {failed}.', "correct that line") from None


def _refuse_unfit(text: str, place: tuple[str, str], value: object) -> None:
    section, name = place
    known = SETTINGS.get(section, {name: _TEXT})
    if name not in known:
        hint = f"the keys of [{section}] are {', '.join(sorted(known))}"
        raise _wrong(text, place, f'"{name}" is not a key of [{section}]', hint)
    taken = known[name]
    if _fits(value, taken):
        return
    what = f'[{section}] {name} is "{_shown(value)}"'
    if isinstance(taken, tuple):
        raise _wrong(text, place, what, f"it may be {', '.join(taken)}")
    shown = name if re.fullmatch(r"[\w-]+", name, re.ASCII) and section in SETTINGS else f'"{name}"'
    raise _wrong(text, place, what, f"write it as {shown} = {taken}")


def _fits(value: object, taken: str | tuple[str, ...]) -> bool:
    if isinstance(taken, tuple):
        return value in taken
    if taken == _TEXTS:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if taken in (_NUMBER, _COUNT, _SIZE):
        is_number = isinstance(value, int | float if taken == _NUMBER else int) and not isinstance(value, bool)
        return is_number and (0 if taken == _COUNT else 1e-3) <= value < 1e9  # type: ignore[operator]
    return isinstance(value, bool if taken == _TRUTH else str)


def _shown(value: object) -> str:
    try:
        return str(value)
    except ValueError:
        return "a number of thousands of digits"


def _wrong(text: str, place: tuple[str, str], what: str, hint: str, item: str = "") -> VaultError:
    line = _line_of(text, place, item)
    return VaultError(f"{CONFIG}{f':{line}' if line else ''}: {what}.", hint)


def _line_of(text: str, place: tuple[str, str], item: str) -> int:
    """Give the line of a key below the head of its section, or of an item below that; 0 where it is not to be seen."""
    section, name = place
    head = re.search(rf"^\s*\[\s*{re.escape(section)}\s*\]", text, re.MULTILINE) if section else None
    key = re.compile(rf"^[\s\[\"']*{re.escape(name)}(?![\w-])", re.MULTILINE)
    found = key.search(text, head.end() if head else 0) or key.search(text)
    if found is None:
        return 0
    at = text.find(item, found.end()) if item else -1
    return text.count("\n", 0, at if at >= 0 else found.end()) + 1
