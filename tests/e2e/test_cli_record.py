"""``lore init``, ``replay``, ``doctor`` and ``export``: the record begun, read, examined and handed on."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import duckdb
import pytest

from typed import answer, refused, screen, typed, vault

JOURNAL = "lore/journal/2024-01-05.md"
GOOD = "- [fact] Vendor :: reliability :: good {valid_from=2024-01-01, recorded_at=2024-01-05T09:00:00Z}\n"
POOR = "- [fact] Vendor :: reliability :: poor {valid_from=2024-06-01, recorded_at=2024-06-05T09:00:00Z}\n"
BAD = "- [fact] Vendor :: contact :: Ana {valid_from=2024-13-01, recorded_at=2024-01-05T09:00:00Z}\n"


@pytest.fixture
def lore(tmp_path: Path) -> Path:
    return vault(tmp_path / "vault", {JOURNAL: GOOD + POOR})


def git(folder: Path, *words: str) -> None:
    if shutil.which("git") is None:
        pytest.skip("there is no git")
    names = ("-c", "user.name=Priya", "-c", "user.email=priya@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", "-C", str(folder), *names, *words], check=True, capture_output=True)


# -------------------------------------------------------------------------------------------------- init


def test_init_makes_a_vault_and_may_be_repeated(tmp_path: Path) -> None:
    assert screen(tmp_path, "init") == ["made lore/config.toml", "made lore/.gitattributes"]
    (tmp_path / "lore" / "config.toml").write_text('[facts]\nmany = ["member"]\n', "utf-8")
    assert screen(tmp_path, "init") == ["kept lore/config.toml", "kept lore/.gitattributes"]
    assert "member" in (tmp_path / "lore" / "config.toml").read_text("utf-8")
    assert (tmp_path / ".lore" / ".gitignore").read_text("utf-8") == "*\n"
    assert "merge=union" in (tmp_path / "lore" / ".gitattributes").read_text("utf-8")


def test_the_settings_that_init_writes_are_the_settings_there_are(tmp_path: Path) -> None:
    import tomllib

    from loreweave.events.statements import Settings
    from loreweave.vault.config import Config, read_config
    from loreweave.vault.embedding import Embedding

    screen(tmp_path, "init")
    path = tmp_path / "lore" / "config.toml"
    assert read_config(tmp_path) == Config()
    lines = path.read_text("utf-8").splitlines()
    opened = [line.removeprefix("# ") if " = " in line else line for line in lines]
    path.write_text("\n".join(opened), "utf-8")
    assert "stemmer" in tomllib.loads(path.read_text("utf-8"))["search"]
    plain = Embedding(query_prefix="", document_prefix="")
    assert read_config(tmp_path) == Config(
        Settings(scopes=(("clients/acme", "acme"),)), writes="journal", embedding=plain
    )


def test_init_warns_where_git_ignores_the_record(tmp_path: Path) -> None:
    git(tmp_path, "init")
    (tmp_path / ".gitignore").write_text("lore/\n", "utf-8")
    said = typed(tmp_path, "init").stderr
    assert said == "warning: git ignores lore/, so the record would not be committed: .gitignore:1: lore/\n"
    (tmp_path / ".gitignore").write_text("lore/*\n!lore/journal\n", "utf-8")
    assert typed(tmp_path, "init").stderr == ""


@pytest.mark.parametrize("words", [("facts",), ("query", "select 1"), ("assert", "A", "p", "x"), ("replay",)])
def test_no_command_passes_over_settings_that_mean_nothing(lore: Path, words: tuple[str, ...]) -> None:
    (lore / "lore" / "config.toml").write_text("[facts]\nmany = 3\n", "utf-8")
    code, said = refused(lore, *words)
    assert (code, said[0]) == (2, 'error: lore/config.toml:2: [facts] many is "3".')
    assert 'many is "3"' in typed(lore, "doctor").stdout


def test_init_says_what_older_settings_are_called_now(tmp_path: Path) -> None:
    older = {"facts": {"extract": "all"}, "ignore": ["x"], "graph": {"similarTopK": 5}}
    vault(tmp_path, {".lore/config.json": json.dumps(older)})
    assert typed(tmp_path, "init").stderr == (
        "warning: .lore/config.json is not read; facts.extract is now [extract] mode, ignore is now [vault] ignore\n"
    )


def test_init_begins_where_one_stands_not_above(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    below = vault(tmp_path, {JOURNAL: GOOD}) / "below"
    below.mkdir()
    monkeypatch.chdir(below)
    from click.testing import CliRunner

    from loreweave.cli import main

    assert CliRunner().invoke(main, ["init"]).exit_code == 0
    assert (below / "lore" / "config.toml").exists()


# ------------------------------------------------------------------------------------------------ replay


def test_replay_counts_what_it_read_and_made(lore: Path) -> None:
    vault(lore, {"vendor.md": "# Vendor\n"})
    assert screen(lore, "replay") == [
        "notes: 1",
        "record: 1 file, 2 lines, 2 events",
        "beliefs: 3",
        "findings: 0 errors, 0 warnings",
    ]
    assert answer(lore, "replay") == {
        "notes": 1,
        "files": 1,
        "lines": 2,
        "events": 2,
        "beliefs": 3,
        "errors": 0,
        "warnings": 0,
        "unrecorded": 0,
        "departed": 0,
        "digest": None,
    }


def test_a_check_names_lines_in_error_and_ends_with_1(lore: Path) -> None:
    assert typed(lore, "replay", "--check").exit_code == 0
    vault(lore, {JOURNAL: GOOD + BAD})
    told = typed(lore, "replay", "--check")
    assert told.exit_code == 1
    assert told.stderr.splitlines()[0] == (
        f'error: {JOURNAL}:2: The attribute "valid_from" cannot be read: "2024-13-01" is not in the calendar. '
        "[bad-attribute]"
    )
    assert typed(lore, "replay").exit_code == 0


def test_the_digest_is_the_same_cold_and_warm_and_may_be_expected(lore: Path) -> None:
    warm, cold = screen(lore, "replay", "--digest"), screen(lore, "replay", "--digest", "--cold")
    assert warm == cold
    digest = warm[4].split()[-1]
    tables = ["events", "beliefs", "unrecorded", "findings", "notes", "spans", "links", "tags", "postings"]
    assert [line.split()[0] for line in warm[4:]] == ["digest", *tables]
    assert typed(lore, "replay", "--expect-digest", digest).exit_code == 0
    told = typed(lore, "replay", "--expect-digest", "0" * 64)
    assert (told.exit_code, told.stderr) == (1, f'error: The digest is {digest}, not "{"0" * 64}".\n')
    answers = screen(lore, "replay", "--digest", "answers")[4]
    vault(lore, {JOURNAL: GOOD, "lore/journal/2024-06-05.md": "\n\n" + POOR})
    assert screen(lore, "replay", "--digest", "answers")[4] == answers
    assert screen(lore, "replay", "--digest")[4] != warm[4]


def test_the_digest_of_the_answers_stays_when_prose_is_edited(lore: Path) -> None:
    vault(lore, {"vendor.md": "# Vendor\n\nReliable so far.\n"})
    answers, everything = (screen(lore, "replay", "--digest", what) for what in ("answers", "all"))
    vault(lore, {"vendor.md": "# Vendor\n\nReliable, it seems.\n"})
    assert screen(lore, "replay", "--digest", "answers") == answers
    assert screen(lore, "replay", "--digest")[4] != everything[4]


@pytest.mark.parametrize("given", ["", "whole", "0" * 63, "0" * 65, "g" * 64])
def test_a_digest_that_is_none_is_never_fine(lore: Path, given: str) -> None:
    code, said = refused(lore, "replay", "--expect-digest", given)
    assert (code, said[0]) == (2, f'error: --expect-digest: "{given}" is not a digest.')


# ------------------------------------------------------------------------------------------------ doctor


def test_a_sound_vault_is_said_to_be(lore: Path) -> None:
    assert screen(lore, "doctor") == [
        "index: true to its files",
        "last record time: 2024-06-05T09:00:00Z",
        "notes: 0, 0 spans, 0 links, 0 tags",
        "record: 2 events, 3 beliefs",
        "findings: none",
    ]


def test_findings_are_counted_by_code_with_their_first_places(lore: Path) -> None:
    idle = "- [retract] Vendor :: owner {recorded_at=2024-07-01}\n"
    vault(lore, {JOURNAL: GOOD + BAD * 5 + idle})
    told = typed(lore, "doctor")
    assert told.exit_code == 1
    assert [line for line in told.stdout.splitlines() if line.startswith(("bad", "ineff"))] == [
        f"bad-attribute: 5 errors: {JOURNAL}:2, {JOURNAL}:3, {JOURNAL}:4 and 2 more",
        f"ineffective: 1 warning: {JOURNAL}:7",
    ]


def test_settings_without_meaning_are_told(lore: Path) -> None:
    vault(lore, {"lore/config.toml": "[facts]\nmanny = 1\n"})
    told = typed(lore, "doctor")
    assert (told.exit_code, told.stdout.splitlines()[1]) == (
        1,
        'settings: lore/config.toml:2: "manny" is not a key of [facts].',
    )
    code, said = refused(lore, "replay")
    assert (code, said[0]) == (2, 'error: lore/config.toml:2: "manny" is not a key of [facts].')


def test_record_times_to_come_and_those_not_written_are_told(lore: Path) -> None:
    vault(lore, {JOURNAL: GOOD + "- [fact] Atlas :: owner :: Bo\n" + GOOD.replace("2024-01-05T", "2031-01-05T")})
    told = answer(lore, "doctor")
    assert told["record_times"] == {
        "last": "2031-01-05T09:00:00Z",
        "future": 1,
        "future_places": [f"{JOURNAL}:3"],
    }
    assert (told["undated"], told["undated_places"]) == (1, [f"{JOURNAL}:2"])


def test_an_index_that_is_not_what_its_files_make_is_found(lore: Path) -> None:
    screen(lore, "replay")
    path = lore / JOURNAL
    stamp = path.stat()
    path.write_text((GOOD + POOR).replace("good", "fine"), "utf-8")
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    from loreweave.library import Lore

    with Lore(lore, refresh=False) as opened:
        found = opened.doctor()
    assert (found.faults, found.is_sound) == ((f"{JOURNAL} has changed",), False)


def test_what_is_gone_or_changed_since_an_earlier_index_is_listed(lore: Path, tmp_path: Path) -> None:
    screen(lore, "replay")
    old = tmp_path / "old.duckdb"
    shutil.copy(lore / ".lore" / "index.duckdb", old)
    assert screen(lore, "doctor", "--against", str(old))[-1] == f"against {old}: 0 lines gone or changed, 0 added"
    vault(lore, {JOURNAL: GOOD.replace("good", "fine"), "lore/journal/2024-02-01.md": POOR.replace("poor", "bad")})
    told = typed(lore, "doctor", "--against", str(old))
    assert told.exit_code == 1
    assert told.stdout.splitlines()[-5:] == [
        f"against {old}: 2 lines gone or changed, 2 added",
        f"    changed: Vendor :: reliability :: good (FactAsserted, recorded 2024-01-05T09:00:00Z), was {JOURNAL}:1",
        f"        now: Vendor :: reliability :: fine at {JOURNAL}:1",
        f"    changed: Vendor :: reliability :: poor (FactAsserted, recorded 2024-06-05T09:00:00Z), was {JOURNAL}:2",
        "        now: Vendor :: reliability :: bad at lore/journal/2024-02-01.md:1",
    ]


def test_a_git_revision_is_an_earlier_record_too(lore: Path) -> None:
    git(lore, "init")
    git(lore, "add", "lore")
    git(lore, "commit", "-m", "Record")
    assert typed(lore, "doctor", "--against", "HEAD").exit_code == 0
    vault(lore, {JOURNAL: POOR, "lore/journal/2024-07-01.md": POOR.replace("2024-06", "2024-07")})
    told = answer_of_1(lore, "--against", "HEAD")
    assert [(item["change"], item["said"]) for item in told["redactions"]["items"]] == [
        ("gone", "Vendor :: reliability :: good")
    ]
    assert (told["redactions"]["shown"], told["redactions"]["of"], told["redactions"]["added"]) == (1, 1, 1)


def answer_of_1(at: Path, *words: str) -> dict[str, dict[str, object]]:
    told = typed(at, "doctor", *words, "--json")
    assert told.exit_code == 1
    found: dict[str, dict[str, object]] = json.loads(told.stdout)
    return found


def test_an_earlier_index_may_be_of_an_older_schema(lore: Path, tmp_path: Path) -> None:
    typed(lore, "replay")
    old = tmp_path / "old.duckdb"
    shutil.copyfile(lore / ".lore" / "index.duckdb", old)
    with duckdb.connect(str(old)) as connection:
        connection.execute("update meta set value = '0' where key = 'schema_version'")
    assert typed(lore, "doctor", "--against", str(old)).exit_code == 0
    with duckdb.connect(str(old)) as connection:
        connection.execute("alter table events drop column kind")
    other = tmp_path / "g.py"
    other.write_text("print()\n", "utf-8")
    before = (lore / ".lore" / "index.duckdb").stat()
    for file in (old, other):
        code, said = refused(lore, "doctor", "--against", str(file))
        assert (code, said[0].startswith(f'error: "{file}" cannot be read as an earlier index.')) == (2, True)
    assert (lore / ".lore" / "index.duckdb").stat() == before


def test_a_revision_that_nobody_knows_is_refused(lore: Path) -> None:
    git(lore, "init")
    git(lore, "add", "lore")
    git(lore, "commit", "-m", "Record")
    for name in ("no-such", "--output=x", "HEAD:lore", "HEAD^{tree}", "HEAD:lore/journal/2024-01-05.md", ""):
        code, said = refused(lore, "doctor", f"--against={name}")
        assert (code, said[0]) == (2, f'error: "{name}" is neither an index file nor a commit that git knows here.')


# ------------------------------------------------------------------------------------------------ export


def test_every_table_is_exported_with_the_digest(lore: Path, tmp_path: Path) -> None:
    digest = answer(lore, "replay", "--digest")["digest"]["whole"]
    for format_ in ("parquet", "csv", "jsonl"):
        out = tmp_path / format_
        assert screen(lore, "export", "--format", format_, str(out)) == [
            f"events.{format_}  2 rows",
            f"beliefs.{format_}  3 rows",
            f"unrecorded.{format_}  0 rows",
            f"findings.{format_}  0 rows",
            *(f"{name}.{format_}  0 rows" for name in ("notes", "spans", "links", "tags", "postings")),
            f"digest {digest}",
        ]
        manifest = json.loads((out / "manifest.json").read_text("utf-8"))
        assert (manifest["digest"], manifest["rows"][f"beliefs.{format_}"]) == (digest, 3)
    lines = (tmp_path / "jsonl" / "beliefs.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["known_until"] for line in lines] == ["2024-06-05T09:00:00Z", None, None]
    parquet = pytest.importorskip("pyarrow.parquet")
    assert parquet.read_table(tmp_path / "parquet" / "beliefs.parquet")["object"].to_pylist() == [
        "good",
        "good",
        "poor",
    ]


def test_a_folder_with_something_in_it_is_left_alone(lore: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("mine", "utf-8")
    code, said = refused(lore, "export", str(tmp_path / "out"))
    assert (code, said[0]) == (1, f'error: "{tmp_path / "out"}" is not empty.')
    assert typed(lore, "export", "--force", str(tmp_path / "out")).exit_code == 0
    assert (tmp_path / "out" / "mine").read_text("utf-8") == "mine"
    assert refused(lore, "export", "--force", str(lore / "lore" / "journal"))[0] == 1
