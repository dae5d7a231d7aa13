"""The settings of a vault: what is unknown or has no meaning is named with its line."""

from __future__ import annotations

import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from loreweave.errors import VaultError
from loreweave.events.statements import Settings
from loreweave.notes import content_time, words
from loreweave.vault.config import Config, Embedding, read_config
from loreweave.vault.founding import TEMPLATE
from loreweave.vault.settings import SETTINGS
from typed import vault

CONFIG = "lore/config.toml"


def test_a_vault_without_settings_has_the_defaults(tmp_path: Path) -> None:
    assert read_config(tmp_path) == Config()


def test_predicates_are_known_by_their_keys(tmp_path: Path) -> None:
    vault(tmp_path, {CONFIG: '[facts]\nmany = ["Team-Member", "owner", " "]\n[scopes]\n"clients/acme" = "acme"\n'})
    assert read_config(tmp_path).many == {"team member", "owner"}


EVERYTHING = """\
[extract]
mode = "all"
ignore_keys = ["Review-Status", " _ "]
[facts]
many = ["member"]
[vault]
ignore = ["drafts/", "!drafts/keep.md", "# said"]
follow_external_symlinks = true
[scopes]
"clients/acme/" = "Acme"
"./clients" = " clients "
[observe]
machine = " desk "
[agents]
writes = "propose"
[embedding]
model = "small"
batch_size = 8
timeout_s = 0.5
retries = 0
[search]
stemmer = "none"
"""


def test_every_setting_is_given_as_what_it_is(tmp_path: Path) -> None:
    vault(tmp_path, {CONFIG: EVERYTHING})
    scopes = (("clients", "clients"), ("clients/acme", "Acme"))
    assert read_config(tmp_path) == Config(
        Settings("all", frozenset({"review status"}), frozenset({"member"}), scopes, "none"),
        ignore=("drafts/", "!drafts/keep.md", "# said"),
        follow_external_symlinks=True,
        machine="desk",
        writes="propose",
        embedding=Embedding(model="small", batch_size=8, timeout_s=0.5, retries=0),
    )


def test_what_founding_writes_names_every_setting_there_is_and_no_other(tmp_path: Path) -> None:
    opened = [line.removeprefix("# ") if " = " in line else line for line in TEMPLATE.splitlines()]
    said = tomllib.loads("\n".join(opened))
    assert said.pop("scopes") == {"clients/acme": "acme"}
    assert {section: set(keys) for section, keys in said.items()} == {
        name: set(keys) for name, keys in SETTINGS.items()
    }
    vault(tmp_path, {CONFIG: TEMPLATE})
    assert read_config(tmp_path) == Config()


def test_settings_may_begin_with_a_byte_order_mark_and_end_their_lines_as_windows_does(tmp_path: Path) -> None:
    vault(tmp_path, {})
    (tmp_path / CONFIG).parent.mkdir()
    (tmp_path / CONFIG).write_bytes(b"\xef\xbb\xbf" + EVERYTHING.replace("\n", "\r\n").encode())
    assert read_config(tmp_path).machine == "desk"


def test_equal_settings_are_one_whatever_the_order_of_their_lines(tmp_path: Path) -> None:
    vault(tmp_path, {CONFIG: '[scopes]\n"b" = "x"\n"a" = "y"\n[facts]\nmany = ["m", "n"]\n'})
    first = read_config(tmp_path)
    vault(tmp_path, {CONFIG: '[facts]\nmany = ["N", "m"]\n[scopes]\n"a/" = "y"\n"b" = "x"\n'})
    assert (read_config(tmp_path), len({first, read_config(tmp_path)})) == (first, 1)
    assert read_config(tmp_path).reading_digest == first.reading_digest


@pytest.mark.parametrize("rules", [words, content_time])
def test_notes_are_read_anew_where_the_rules_are_others(rules: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Config().reading_digest
    monkeypatch.setattr(rules, "VERSION", rules.VERSION + 1)
    assert Config().reading_digest != before


@pytest.mark.parametrize(
    ("text", "differs"),
    [
        ('[extract]\nmode = "all"\n', True),
        ('[extract]\nignore_keys = ["status"]\n', True),
        ('[facts]\nmany = ["status"]\n', True),
        ('[scopes]\n"clients" = "acme"\n', True),
        ('[vault]\nignore = ["drafts/"]\nfollow_external_symlinks = true\n', False),
        ('[search]\nstemmer = "none"\n', True),
        ('[observe]\nmachine = "desk"\n[agents]\nwrites = "propose"\n', False),
    ],
)
def test_the_digest_of_reading_tells_whether_notes_are_read_otherwise(tmp_path: Path, text: str, differs: bool) -> None:
    vault(tmp_path, {CONFIG: text})
    assert (read_config(tmp_path).reading_digest != Config().reading_digest) is differs


@pytest.mark.parametrize(
    ("text", "said", "hint"),
    [
        ("[facts]\n\nmany = 3\n", ':3: [facts] many is "3".', 'write it as many = ["text"]'),
        ('[facts]\nmany = ["a", 1]\n', ":2: [facts] many is \"['a', 1]\".", 'write it as many = ["text"]'),
        ('[extract]\nmode = "some"\n', ':2: [extract] mode is "some".', "it may be off, explicit, all"),
        ("[vault]\nfollow_external_symlinks = 1\n", ':2: [vault] follow_external_symlinks is "1".', None),
        ('[search]\nstemmer = "klingon"\n', ':2: [search] stemmer is "klingon".', None),
        (
            '[embedding]\nprovider = "xyz"\n',
            ':2: [embedding] provider is "xyz".',
            "it may be none, ollama, openai, onnx",
        ),
        ("[embedding]\nretries = true\n", ':2: [embedding] retries is "True".', "write it as retries = 3"),
        ('[scopes]\n"clients/acme" = 1\n', ':2: [scopes] clients/acme is "1".', None),
        ('\n[fact]\nmany = ["a"]\n', ':2: "fact" is not a section.', None),
        ('[facts]\nmanny = ["a"]\n', ':2: "manny" is not a key of [facts].', "the keys of [facts] are many"),
        ("many = 1\n", ':1: "many" is not a section.', None),
        ('[observe]\nmachine = "  "\n', ":2: [observe] machine is blank.", None),
        ('[agents]\nwrites = "ask"\n', ':2: [agents] writes is "ask".', "it may be journal, propose"),
        ("[embedding]\nbatch_size = 0\n", ':2: [embedding] batch_size is "0".', "write it as batch_size = 32"),
        ("[embedding]\nretries = 1.5\n", ':2: [embedding] retries is "1.5".', None),
        ("[embedding]\ntimeout_s = inf\n", ':2: [embedding] timeout_s is "inf".', None),
        ("[embedding]\ntimeout_s = nan\n", ':2: [embedding] timeout_s is "nan".', None),
        (
            f"[facts]\nmany = 0x{'f' * 5000}\n",
            ':2: [facts] many is "a number of thousands of digits".',
            None,
        ),
        (
            '[vault]\nignore = [\n  "drafts/",\n  "[z-a]",\n]\n',
            ':4: [vault] ignore has "[z-a]", which is no pattern.',
            "write patterns as in .gitignore",
        ),
        ('[vault]\nignore = ["!"]\n', ':2: [vault] ignore has "!", which is no pattern.', None),
        ('[vault]\nignore = ["a", "["]\n', ':2: [vault] ignore has "[", which is no pattern.', None),
        (
            '[scopes]\n"../other" = "x"\n',
            ':2: [scopes] "../other" is not a folder within the vault.',
            'name a folder relative to the vault, such as "clients/acme"',
        ),
        ('[scopes]\n"a/../.." = "x"\n', ':2: [scopes] "a/../.." is not a folder within the vault.', None),
        ('[scopes]\n"/home/x" = "x"\n', ':2: [scopes] "/home/x" is not a folder within the vault.', None),
        ('[scopes]\n"." = "x"\n', ':2: [scopes] "." is not a folder within the vault.', None),
        ('[scopes]\n"" = "x"\n', ':2: [scopes] "" is not a folder within the vault.', None),
        ('[scopes]\n"a" = "x"\n"a/" = "y"\n', ':3: [scopes] "a/" is named twice.', "give each folder one scope"),
        ('[scopes]\n"a" = " _ "\n', ':2: [scopes] "a" is the scope " _ ", which is empty.', None),
        (
            '[scopes]\n"a b" = 1\n',
            ':2: [scopes] a b is "1".',
            'write it as "a b" = "text"',
        ),
        (
            '[facts]\nmany = ["writes"]\n[agents]\n# writes = "x"\nwrites = 1\n',
            ':5: [agents] writes is "1".',
            None,
        ),
        ('[extract]\nmode = "off"\n[embedding]\nmode = 1\n', ':4: "mode" is not a key of [embedding].', None),
    ],
)
def test_what_has_no_meaning_is_named_with_its_line(tmp_path: Path, text: str, said: str, hint: str | None) -> None:
    vault(tmp_path, {CONFIG: text})
    with pytest.raises(VaultError) as refused:
        read_config(tmp_path)
    assert refused.value.message == CONFIG + said
    assert hint in (None, refused.value.hint)


def test_settings_nested_beyond_reading_are_refused(tmp_path: Path) -> None:
    vault(tmp_path, {CONFIG: f"a = {'[' * 20_000}\n"})
    with pytest.raises(VaultError, match="is not TOML: it nests too deeply"):
        read_config(tmp_path)


def test_what_is_no_toml_is_named_with_its_line(tmp_path: Path) -> None:
    vault(tmp_path, {CONFIG: "[facts]\nmany = 1 2\n"})
    with pytest.raises(VaultError, match=r"is not TOML: .*at line 2"):
        read_config(tmp_path)
