"""The settings of a vault: what is unknown or has no meaning is named with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from loreweave.errors import VaultError
from loreweave.vault.config import Config, read_config
from typed import vault

CONFIG = "lore/config.toml"


def test_a_vault_without_settings_has_the_defaults(tmp_path: Path) -> None:
    assert read_config(tmp_path) == Config()


def test_predicates_are_known_by_their_keys(tmp_path: Path) -> None:
    vault(tmp_path, {CONFIG: '[facts]\nmany = ["Team-Member", "owner", " "]\n[scopes]\n"clients/acme" = "acme"\n'})
    assert read_config(tmp_path).many == {"team member", "owner"}


@pytest.mark.parametrize(
    ("text", "said", "hint"),
    [
        ("[facts]\n\nmany = 3\n", ':3: [facts] many is "3".', 'write it as many = ["text"]'),
        ('[facts]\nmany = ["a", 1]\n', ":2: [facts] many is \"['a', 1]\".", 'write it as many = ["text"]'),
        ('[extract]\nmode = "some"\n', ':2: [extract] mode is "some".', "it may be off, explicit, all"),
        ("[vault]\nfollow_external_symlinks = 1\n", ':2: [vault] follow_external_symlinks is "1".', None),
        ('[search]\nstemmer = "klingon"\n', ':2: [search] stemmer is "klingon".', None),
        ('[embedding]\nprovider = "xyz"\n', ':2: [embedding] provider is "xyz".', "it may be none"),
        ("[embedding]\nretries = true\n", ':2: [embedding] retries is "True".', "write it as retries = 3"),
        ('[scopes]\n"clients/acme" = 1\n', ':2: [scopes] clients/acme is "1".', None),
        ('\n[fact]\nmany = ["a"]\n', ':2: "fact" is not a section.', None),
        ('[facts]\nmanny = ["a"]\n', ':2: "manny" is not a key of [facts].', "the keys of [facts] are many"),
        ("many = 1\n", ':1: "many" is not a section.', None),
    ],
)
def test_what_has_no_meaning_is_named_with_its_line(tmp_path: Path, text: str, said: str, hint: str | None) -> None:
    vault(tmp_path, {CONFIG: text})
    with pytest.raises(VaultError) as refused:
        read_config(tmp_path)
    assert refused.value.message == CONFIG + said
    assert hint in (None, refused.value.hint)


def test_what_is_no_toml_is_named_with_its_line(tmp_path: Path) -> None:
    vault(tmp_path, {CONFIG: "[facts]\nmany = 1 2\n"})
    with pytest.raises(VaultError, match=r"is not TOML: .*at line 2"):
        read_config(tmp_path)
