"""A vault behind the review gate, as a person opens it and as an agent does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import loreweave
from gated import AGENT, GATED
from loreweave.library import Lore
from told import GOOD, NOW, write


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lore]:
    """A person in a vault in which agents only propose, and one thing is on record."""
    monkeypatch.setenv("LORE_NOW", NOW)
    with loreweave.open(tmp_path) as lore:
        write(lore, GATED, "lore/config.toml")
        write(lore, GOOD)
        yield lore


@pytest.fixture
def agent(person: Lore) -> Iterator[Lore]:
    """An agent in the same vault."""
    with loreweave.open(person.engine.root, agent=AGENT) as lore:
        yield lore
