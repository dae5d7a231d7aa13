"""The example vault and the pages about it: in order, held by its own checks, and shown as it answers."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

import loreweave
from house.tree import ROOT
from markdown_specs import edited
from pages import blocks, given, outdated
from program import lore
from spec_blocks import Command
from spec_session import Terminal
from typed import vault as small_vault

EXAMPLE = ROOT / "examples" / "vault"
NOW = "2025-12-15"
CHECKS = sorted(path.relative_to(EXAMPLE).as_posix() for path in (EXAMPLE / "checks").rglob("*.sql"))
BROKEN = {
    "checks/no-contradictions-of-statements.sql": "fact Atlas :: budget :: 1 EUR {valid_from=2025-06-01, ON-THE-DAY}",
    "checks/no-idle-lines.sql": "retract Atlas :: owner :: Marta {ON-THE-DAY}",
    "checks/nothing-late-after-sign-off.sql": "fact Desk :: opens :: 09:00 {recorded_at=2025-11-01T09:00:00Z}",
    "checks/present/every-project-has-an-owner.sql": "fact Borealis :: status :: live {ON-THE-DAY}",
    "checks/present/nothing-from-the-future.sql": "fact Desk :: opens :: 09:00 {recorded_at=2026-12-01T09:00:00Z}",
    "checks/reliability-has-a-reason.sql": "fact Tom :: reliability :: good {ON-THE-DAY}",
}
"""For each check a line that it must catch."""


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return copied(tmp_path / "vault")


def copied(folder: Path) -> Path:
    return Path(shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns(".lore")))


def check(vault: Path, name: str, exits: int = 0) -> str:
    now = ["--param", f"now={NOW}"] if "/present/" in name else []
    return lore(vault, "query", "--fail-if-rows", *now, f"@{vault / name}", exits=exits)


def test_the_record_is_in_order(vault: Path) -> None:
    lore(vault, "replay", "--check")
    assert lore(vault, "query", "select code, path, line from findings") == "code,path,line\n"


def test_it_shows_every_kind_of_event_and_both_scopes(vault: Path) -> None:
    kinds = lore(vault, "query", "select kind from events group by kind order by kind").splitlines()[1:]
    assert kinds == ["FactAsserted", "FactInvalidated", "FactRetracted", "ValueObserved", "ValueWithdrawn"]
    said = "select count(distinct scope_key), bool_or(many), bool_or(source = 'inferred') from events"
    assert lore(vault, "query", said).splitlines()[1:] == ["2,true,true"]
    spans = "select date_part('year', max(recorded_at)) - date_part('year', min(recorded_at)) from events"
    assert lore(vault, "query", spans).splitlines()[1:] == ["1"]


@pytest.mark.parametrize("name", CHECKS)
def test_a_check_passes(vault: Path, name: str) -> None:
    assert len(check(vault, name).splitlines()) == 1


@pytest.mark.parametrize("name", CHECKS)
def test_a_check_catches_what_it_is_for(vault: Path, name: str) -> None:
    kind, _, rest = BROKEN[name].replace("ON-THE-DAY", "recorded_at=2025-12-01T12:00:01Z").partition(" ")
    good = "- [fact] Desk :: telephone :: 12 {recorded_at=2025-12-01T12:00:00Z}"
    (vault / "lore" / "journal" / "2025-12-01.md").write_text(f"{good}\n- [{kind}] {rest}\n", "utf-8")
    assert len(check(vault, name, exits=1).splitlines()) == 2


@pytest.mark.parametrize("page", ["README.md", "docs/ci.md", "docs/search.md"])
def test_a_page_shows_what_comes_out(page: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    text = (ROOT / page).read_text("utf-8")

    def vault_for(session: list[Command]) -> Path:
        folder = tmp_path / str(session[0].line)
        if session[0].text == "lore init":
            folder.mkdir()
            return small_vault(folder, given(text) if "lore index" in [command.text for command in session] else {})
        return copied(folder)

    edits = outdated(text, vault_for)
    if edits and request.config.getoption("--spec-update"):
        (ROOT / page).write_text(edited(text, set(edits)), "utf-8")
        return
    assert edits == [], f"pytest {Path(__file__).name} --spec-update writes what came out"


def test_the_library_on_the_front_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ((_, lines),) = blocks((ROOT / "README.md").read_text("utf-8"), "python")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LORE_NOW", "2026-08-03T09:30:00Z")
    (tmp_path / "my-vault").mkdir()
    exec("\n".join(lines), {})
    with loreweave.open("my-vault") as opened:
        assert [fact.object for fact in opened.facts(subject="Atlas", as_of="2026-09-01")] == ["shipped"]


def test_pipelines_run_what_exists(vault: Path) -> None:
    pipelines = blocks((ROOT / "docs" / "ci.md").read_text("utf-8"), "yaml")
    assert len(pipelines) == 2
    for _, lines in pipelines:
        script = "\n".join(lines)
        said = {command.strip() for command in re.findall(r"lore (?:replay|query) .*", script)}
        assert "lore replay --check" in said
        for pattern in re.findall(r"for rule in (\S+);", script):
            names = sorted(path.relative_to(vault).as_posix() for path in vault.glob(pattern))
            assert names
            for name in names:
                check(vault, name)


def test_make_replay_shows_two_answers_to_one_question_and_the_digest(vault: Path) -> None:
    dry = subprocess.run(["make", "-n", "replay"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    commands = re.findall(r"/lore --vault \S+ (.*)", dry)
    terminal = Terminal(vault)
    answers = {command: terminal.type(shlex.join(["lore", *shlex.split(command)])) for command in commands}
    asked = [answers[command] for command in commands if "--as-of 2024-09-01" in command]
    assert [answer[0].partition("  ")[0] for answer in asked] == ["Vendor :: reliability :: good", "no facts"]
    assert "Atlas :: owner :: Priya" in "\n".join(answers[commands[1]])
    assert re.search(r"\b[0-9a-f]{64}\b", "\n".join(answers[commands[-1]]))
