"""What is said and written in one scope answers in no other: searched or asked, typed or called."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from loreweave.library import Lore
from loreweave.times import from_datetime, show_day
from typed import typed, vault

JOURNAL = """
- [fact] Harbour :: depth :: 12 m {valid_from=2024-01-01, recorded_at=2024-01-10}
- [fact] Harbour :: keeper :: Marta {valid_from=2024-01-01, recorded_at=2024-01-10}
- [fact] Quay :: owner :: Marta {valid_from=2024-01-01, recorded_at=2024-01-10}
- [retract] Quay :: owner :: Marta {recorded_at=2024-03-10, by=priya, because="Marta sold it"}
- [fact] Harbour :: depth :: 99 fathoms {valid_from=2024-01-01, recorded_at=2024-01-10, scope=alice}
- [fact] Harbour :: passage :: tunnel {valid_from=2024-01-01, recorded_at=2024-01-10, scope=Alice}
- [fact] Quay :: owner :: Tunnel Guild {valid_from=2024-01-01, recorded_at=2024-01-10, scope=alice}
- [retract] Quay :: owner :: Tunnel Guild {recorded_at=2024-02-10, scope=alice, by=alice, because="tunnel gone"}
"""
FILES = {
    "lore/config.toml": '[scopes]\nprivate = "alice"\n',
    "lore/journal/2024-01-10.md": JOURNAL,
    "harbour.md": "# Harbour\n\nMarta keeps the harbour, see [[Quay]] and [[Tunnel]].\n",
    "quay.md": "---\ndate: 2024-02-02\n---\n# Quay\n\nMarta paints the quay.\n",
    "private/harbour.md": "# Harbour\n\nThe tunnel starts at the harbour, see [[Quay]].\n\n- depth:: 99 fathoms\n",
    "private/tunnel.md": "---\ndate: 2024-02-02\n---\n# Tunnel\n\nThe tunnel is 99 fathoms long, below the harbour.\n",
}
QUESTIONS = (
    "How deep is the harbour?",
    "depth of the harbour in 2024",
    "What passage has the harbour?",
    "Who was the owner of the quay in June 2024?",
    "history of the owner of the quay",
    "Marta and the tunnel, 99 fathoms",
)
ALONE = {"default": ("alice", "Tunnel Guild", "fathoms", "starts at"), "alice": ("Marta", "12 m", "paints", "sold")}
"""What no answer of a scope may have in it, whatever is asked: words that stand in the other alone."""
SPELLED = {
    "default": ((), ("--scope", "default"), ("--scope", "Default")),
    "alice": (("--scope", "alice"), ("--scope", "ALICE")),
}


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = vault(tmp_path_factory.mktemp("scopes"), FILES)
    assert typed(made, "index").exit_code == 0
    return made


def without_question(told: str, question: str) -> str:
    return told.replace(question, "")


@pytest.mark.parametrize("scope", ALONE)
@pytest.mark.parametrize("question", QUESTIONS)
def test_no_answer_on_the_screen_or_in_json_has_a_word_of_another_scope(at: Path, scope: str, question: str) -> None:
    for flags in SPELLED[scope]:
        for command in ("ask", "search"):
            for form in ((), ("--json",)):
                told = typed(at, *flags, command, question, *form)
                text = without_question(told.stdout + told.stderr, question)
                assert told.exit_code == 0
                assert [word for word in ALONE[scope] if word in text] == []


@pytest.mark.parametrize(("scope", "depth"), [("default", "12 m"), ("alice", "99 fathoms")])
def test_each_scope_has_its_own_beliefs_and_passages(at: Path, scope: str, depth: str) -> None:
    lore = Lore(at, scope=scope)
    with lore:
        assert [fact.object for fact in lore.ask("depth of the harbour").facts] == [depth]
        found = lore.search("depth of the harbour")
        assert {fact.object for fact in found.facts} == {depth}
        assert {result.path.startswith("private/") for result in found.results} == {scope == "alice"}


@pytest.mark.parametrize(
    ("scope", "said", "on"), [("default", "Marta", "2024-03-10"), ("alice", "Tunnel Guild", "2024-02-10")]
)
def test_each_scope_tells_what_was_withdrawn_in_it(at: Path, scope: str, said: str, on: str) -> None:
    with Lore(at, scope=scope) as lore:
        (gap,) = lore.ask("Who is the owner of the quay?").gaps
    assert gap.once is not None
    assert (gap.once.object, show_day(from_datetime(gap.once.known_until))) == (said, on)


def test_a_library_that_asks_scope_after_scope_answers_each_from_its_own(at: Path) -> None:
    for scope in ("alice", "default", "alice", "nobody"):
        with Lore(at, scope=scope) as lore:
            told = str([lore.ask(question) for question in QUESTIONS]) + str(lore.search(*QUESTIONS))
        for question in QUESTIONS:
            told = without_question(told, question)
        assert [word for word in ALONE.get(scope, ("Marta", "fathoms")) if word in told] == []


@pytest.mark.parametrize("format_", ["json", "graphml", "dot"])
@pytest.mark.parametrize("scope", ALONE)
def test_the_graph_of_a_scope_has_no_name_of_another(at: Path, scope: str, format_: str) -> None:
    written = io.BytesIO()
    with Lore(at, scope=scope) as lore:
        lore.graph_export(written, format_)
    text = written.getvalue().decode("utf-8")
    assert "arbour" in text
    assert [word for word in ALONE[scope] if word in text] == []
