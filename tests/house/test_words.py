"""The repository speaks of the project alone: no machine's paths, no registry's address, no errand."""

from __future__ import annotations

import hashlib
import re

import pytest

from house.tree import ROOT, relative, tracked

PATHS = re.compile(r"(?<![\w.~/-])/(?:work|root|Users|home/\w+)/")
ADDRESSES = re.compile(
    r"pythonhosted[.]org|pypi[.]org/simple|registry[.]npmjs|index[-]url|find[-]links|deb[.]debian|://[^/\s]*@",
    re.IGNORECASE,
)
ERRANDS = re.compile(r"\b(?:issue|ticket|pull request|PR) #?\d+\b|\bTODO\b|\bFIXME\b|\bXXX\b")
TOOLS = {"c857d09db23e", "c70eca6b0f88", "60965168ce76", "3ea125d0bff3", "5d0c0ab127fd"}
"""Names of tools that write for people, as digests, so that this file holds none of them."""


def digest(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()[:12]


def texts() -> list[tuple[str, str]]:
    found = []
    for path in tracked():
        try:
            found.append((relative(path), path.read_text("utf-8")))
        except UnicodeDecodeError:
            continue
    return found


@pytest.mark.parametrize("pattern", [PATHS, ADDRESSES, ERRANDS], ids=["machine paths", "registries", "errands"])
def test_no_file_holds_what_belongs_to_one_machine_or_one_errand(pattern: re.Pattern[str]) -> None:
    found = [
        f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {match[0]}"
        for name, text in texts()
        if name != relative(ROOT / "tests/house/test_words.py")
        for match in pattern.finditer(text)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("pattern", "caught"),
    [
        (PATHS, "see /" + "work/notes"),
        (PATHS, '"/' + 'home/ana/x"'),
        (ADDRESSES, "https://" + "ana:secret@host"),
        (ERRANDS, "as asked in issue " + "#12"),
    ],
)
def test_the_patterns_catch_what_they_are_for(pattern: re.Pattern[str], caught: str) -> None:
    assert pattern.search(caught)


CONNECTED = "docs/agents.md"
"""The one page that names such tools: it says how to connect them."""


def test_no_file_names_a_tool_that_typed_it() -> None:
    read = [(name, text) for name, text in texts() if name != CONNECTED]
    words = {word.lower(): name for name, text in read for word in re.findall(r"[A-Za-z]{4,}", text)}
    assert {name: word for word, name in words.items() if digest(word) in TOOLS} == {}


def test_no_lock_file_holds_an_address() -> None:
    locks = [
        (name, text) for name, text in texts() if name == "constraints.txt" or name.endswith((".lock", "-lock.json"))
    ]
    assert [name for name, text in locks if "://" in text] == []
