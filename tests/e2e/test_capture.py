"""Capturing: one line, in the inbox or in a note that its user names, and nothing else changes."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import loreweave
from loreweave.engine.capturing import line_of
from loreweave.events.extract import extract
from loreweave.events.inbox import inbox_of, scope_of_inbox
from loreweave.events.slots import key
from loreweave.events.statements import Settings
from loreweave.notes.read import read_note
from loreweave.notes.scan import open_at_end
from loreweave.times import read_instant
from typed import answer, refused, screen, typed, vault

LINE = "- 2025-12-01 00:00 — "


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LORE_NOW", "2025-12-01T00:00:59Z")


def test_a_capture_is_one_line_of_the_inbox_and_is_found_at_once(tmp_path: Path) -> None:
    at = vault(tmp_path, {"atlas.md": "# Atlas\n"})
    assert screen(at, "capture", "ask", "Priya about\nthe zeppelin") == ["✓ captured", "  lore/inbox.md:1"]
    assert screen(at, "capture", "another") == ["✓ captured", "  lore/inbox.md:2"]
    assert (at / "lore/inbox.md").read_bytes().decode() == f"{LINE}ask Priya about the zeppelin\n{LINE}another\n"
    assert [found["path"] for found in answer(at, "search", "zeppelin")["results"]] == ["lore/inbox.md"]


def test_a_scope_has_an_inbox_of_its_own_that_no_other_scope_finds(tmp_path: Path) -> None:
    at = vault(tmp_path, {"atlas.md": "# Atlas\n"})
    assert screen(at, "--scope", "Alice Smith", "capture", "zeppelin")[1] == "  lore/inbox-alice-smith.md:1"
    assert answer(at, "search", "zeppelin")["results"] == []
    assert len(answer(at, "--scope", "alice_smith", "search", "zeppelin")["results"]) == 1


@given(st.text(min_size=1, max_size=30).filter(lambda text: key(text) != ""))
def test_the_inbox_of_a_scope_is_read_as_of_that_scope(scope: str) -> None:
    path = inbox_of(scope)
    assert path.count("/") == 1
    assert key(scope_of_inbox(path) or "default") == key(scope)


def test_a_note_is_captured_to_byte_exactly_in_its_own_line_ends_and_encoding(tmp_path: Path) -> None:
    at = vault(tmp_path, {"a.md": ""})
    was = {
        "a.md": b"",
        "lf.md": b"# A\n",
        "open.md": b"# A",
        "crlf.md": b"# A\r\n\r\nx",
        "cr.md": b"# A\rx\r",
        "bom.md": b"\xef\xbb\xbf# A\r\n",
        "utf16.md": "\ufeff# Ä\n".encode("utf-16-le"),
        "bytes.md": b"# A \xff\n",
        "wide.md": b"# A\r\n" + b"x" * 70_000,
    }
    for name, content in was.items():
        (at / name).write_bytes(content)
    ends = {"crlf.md": "\r\n", "cr.md": "\r", "bom.md": "\r\n", "wide.md": "\r\n"}
    for name, content in was.items():
        typed(at, "capture", "x", "--to", name)
        end, encoding = ends.get(name, "\n"), "utf-16-le" if name == "utf16.md" else "utf-8"
        begins = end if name in ("open.md", "crlf.md", "wide.md") else ""
        assert (at / name).read_bytes() == content + f"{begins}{LINE}x{end}".encode(encoding)


def test_a_note_that_is_not_there_is_made_with_its_folders(tmp_path: Path) -> None:
    at = vault(tmp_path, {"atlas.md": "# Atlas\n"})
    assert screen(at, "capture", "x", "--to", "ideas/new one.md") == ["✓ captured", "  ideas/new one.md:1"]
    assert (at / "ideas/new one.md").read_text("utf-8") == f"{LINE}x\n"


@pytest.mark.parametrize(
    ("to", "why"),
    [
        ("../out.md", '"../out.md" is no path within the vault.'),
        ("a/../../out.md", '"a/../../out.md" is no path within the vault.'),
        ("/etc/out.md", "is no path within the vault."),
        ("./a.md", '"./a.md" is no path within the vault.'),
        ("lore/journal/2025-12-01.md", '"lore/journal/2025-12-01.md" lies in lore/'),
        ("lore/ledger/2025-12-01-0001.md", "lies in lore/"),
        ("lore/inbox.md", "lies in lore/"),
        (".lore/a.md", '".lore/a.md" is not read as a note'),
        (".obsidian/a.md", "is not read as a note"),
        ("node_modules/a.md", "is not read as a note"),
        ("private/a.md", "is not read as a note"),
        ("notes.txt", '"notes.txt" is no note: its name does not end in .md.'),
        ("", 'to: "" names no note.'),
        (f"{'x' * 300}.md", "is longer than the name of a file can be."),
        (f"{'x/' * 900}x.md", "is longer than the name of a file can be."),
        ("a\n.md", 'to: "a<U+000A>.md" names no note.'),
        ("out.md", '"out.md" leads out of the vault'),
        ("outside/a.md", '"outside/a.md" leads out of the vault'),
        ("inwards.md", "lies in lore/"),
        ("record/2025-12-01.md", "lies in lore/"),
        ("clients/alice/a.md", '"clients/alice/a.md" belongs to the scope "alice", and not to "default".'),
        ("fenced.md", '"fenced.md" ends within a code fence or a comment'),
        ("folder.md", '"folder.md" cannot be read: it is not a regular file.'),
        ("binary.md", '"binary.md" is not text, so nothing was written.'),
        ("torn.md", '"torn.md" ends within a character of UTF-16-LE, so nothing was written.'),
    ],
)
def test_what_is_no_note_of_the_vault_is_refused_and_nothing_is_written(tmp_path: Path, to: str, why: str) -> None:
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    at = vault(
        tmp_path / "vault",
        {
            "atlas.md": "# Atlas\n",
            "fenced.md": "```\ncode\n",
            "lore/config.toml": '[vault]\nignore = ["private/"]\n[scopes]\n"clients/alice" = "alice"\n',
            "lore/journal/2025-12-01.md": "",
            "clients/alice/b.md": "",
        },
    )
    (at / "folder.md").mkdir()
    (at / "binary.md").write_bytes(bytes(range(256)) * 4)
    (at / "torn.md").write_bytes("\ufeff# A\n".encode("utf-16-le") + b"x")
    os.symlink(outside / "target.md", at / "out.md")
    os.symlink(outside, at / "outside")
    os.symlink("lore/journal/2025-12-01.md", at / "inwards.md")
    os.symlink("lore/journal", at / "record")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.md") if path.is_file()}
    code, (told, hint) = refused(at, "capture", "x", "--to", to)
    assert (code != 0, why in told, hint.startswith("hint: ")) == (True, True, True), told
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.md") if path.is_file()} == before


def test_a_link_within_the_vault_leads_to_the_note_that_is_written(tmp_path: Path) -> None:
    at = vault(tmp_path, {"real.md": "# R\n"})
    os.symlink("real.md", at / "link.md")
    assert screen(at, "capture", "x", "--to", "link.md")[1] == "  real.md:2"
    assert (at / "link.md").is_symlink()


def test_an_agent_captures_to_the_inbox_alone_and_under_its_name(tmp_path: Path) -> None:
    at = vault(tmp_path, {"atlas.md": "# Atlas\n"})
    with loreweave.open(at, agent="scout") as lore:
        assert lore.capture("x").text == f"{LINE}x (scout)"
        with pytest.raises(loreweave.Refused, match="is left to people"):
            lore.capture("x", to="atlas.md")
        with pytest.raises(loreweave.Refused, match="cannot write as"):
            lore.capture("x", by="priya")
    assert (at / "atlas.md").read_text("utf-8") == "# Atlas\n"


@pytest.mark.parametrize(
    ("made", "why"), [("../out.md", "leads out"), ("../atlas.md", "is a link"), ("", "regular file")]
)
def test_an_inbox_that_is_no_file_of_its_own_is_left_alone(tmp_path: Path, made: str, why: str) -> None:
    at = vault(tmp_path / "vault", {"atlas.md": "# Atlas\n", "lore/config.toml": ""})
    (tmp_path / "out.md").write_text("outside\n")
    if made:
        os.symlink(f"../{made}" if made == "../out.md" else made, at / "lore/inbox.md")
    else:
        (at / "lore/inbox.md").mkdir()
    code, told = refused(at, "capture", "x")
    assert (code != 0, why in told[0]) == (True, True), told
    assert ((tmp_path / "out.md").read_text(), (at / "atlas.md").read_text()) == ("outside\n", "# Atlas\n")


def test_a_record_that_leads_out_of_the_vault_is_not_captured_to(tmp_path: Path) -> None:
    at = vault(tmp_path / "vault", {"atlas.md": "# Atlas\n"})
    (tmp_path / "out").mkdir()
    os.symlink(tmp_path / "out", at / "lore")
    assert refused(at, "capture", "x")[0] == 2
    assert list((tmp_path / "out").iterdir()) == []


def test_a_scope_too_long_for_the_name_of_a_file_has_no_inbox(tmp_path: Path) -> None:
    code, told = refused(vault(tmp_path, {"a.md": ""}), "--scope", "x" * 300, "capture", "x")
    assert (code, "is too long for the name of an inbox." in told[0]) == (1, True)


def test_many_who_capture_at_once_lose_no_line_and_tear_none(tmp_path: Path) -> None:
    at = vault(tmp_path, {"atlas.md": "# Atlas\n"})

    def some(number: int) -> None:
        with loreweave.open(at) as lore:
            for each in range(5):
                lore.capture(f"thought {number}.{each} " + "x" * 5_000)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(some, range(8)))
    lines = (at / "lore/inbox.md").read_text("utf-8").splitlines()
    assert sorted(line[len(LINE) :].split()[1] for line in lines) == sorted(
        f"{n}.{m}" for n in range(8) for m in range(5)
    )
    assert {len(line) for line in lines} == {len(lines[0])}


@pytest.mark.parametrize("text", ["", " \n ", "\u200b"])
def test_what_says_nothing_is_refused(tmp_path: Path, text: str) -> None:
    at = vault(tmp_path, {"atlas.md": "# Atlas\n"})
    code, told = refused(at, "capture", text)
    assert (code, "is blank." in told[0]) == (1, True)
    assert not (at / "lore").exists()


HOSTILE = st.sampled_from(
    [
        *("<!--", "-->", "%%", "::", "[", "]", "(", ")", "- [fact] A :: b :: c", "owner:: Priya", "---", "```"),
        *("\n", "\r", "\u2028", "\x85", "~~~", "`", "\\", "{", "}", "# ", "> ", "|", "x", " ", "word"),
        *("**Owner:**", "\t", "[[A]]"),
    ]
)
ABOVE = st.sampled_from(
    ["", "# A\n", "---\nstatus: x\n", "---\nstatus: x\n---\n", "x\n", "- owner:: y\n", "a", "<!-- x"]
)


@settings(max_examples=400)
@given(st.lists(HOSTILE, min_size=1, max_size=8).map("".join), ABOVE, st.sampled_from(["explicit", "all"]))
def test_whatever_is_captured_states_nothing_and_hides_nothing_below_it(text: str, above: str, mode: str) -> None:
    if not text.strip():
        return
    said = Settings(mode=mode)
    line = line_of(text, read_instant("2025-12-01"))
    begins = "" if not above or above.endswith("\n") else "\n"
    note = f"{above}{begins}{line}\n"
    below = f"{line_of('shown', 0)}\n"
    assert line.isprintable() or not any(char in line for char in "\n\r\u2028\u2029\x85\x00")
    assert [each[3:] for each in extract(read_note("a.md", note), said).stated.statements] == [
        each[3:] for each in extract(read_note("a.md", above), said).stated.statements
    ]
    assert open_at_end(note) == open_at_end(above)
    closing = line_of(text, 0)
    shown = read_note("a.md", f"{note}{below}{closing}\n").plain
    assert ("— shown" in shown) == (not open_at_end(above))
