"""Bytes are read as the text they are, and what is no plain UTF-8 is said once a file, with its place."""

from __future__ import annotations

import codecs
import os
from pathlib import Path

import pytest

from loreweave.vault.encodings import is_binary
from loreweave.vault.read import decode, ends_line, no_text, read_bytes

TEXT = "# Café\r\nowner:: Priya 🚀\n"
JAPANESE = "# 日記\n今日は晴れ、明日は雨。ありがとう。\n"


def said(content: bytes) -> tuple[str, list[tuple[str, int]]]:
    text, findings = decode("a.md", content)
    assert all(finding.code == "encoding" and finding.path == "a.md" for finding in findings)
    return text, [(finding.message, finding.line) for finding in findings]


# Encodings -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"", b"a", TEXT.encode(), codecs.BOM_UTF8 + TEXT.encode(), b"a\0b\n", b"\0"])
def test_utf_8_is_read_without_a_word(content: bytes) -> None:
    assert said(content) == (content.decode("utf-8-sig"), [])


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
@pytest.mark.parametrize("text", ["", TEXT, JAPANESE])
def test_a_mark_is_obeyed_and_said(mark: bytes, encoding: str, text: str) -> None:
    message = f'"a.md" is {encoding.upper()}, and read as such.'
    assert said(mark + text.encode(encoding)) == (text, [(message, 0)])


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "text", ["hi :)", TEXT, "# Notes\n" + JAPANESE, JAPANESE, "привет, как дела\n", "owner:: " + "日" * 40]
)
def test_utf_16_without_a_mark_is_told_by_its_bytes(encoding: str, text: str) -> None:
    message = f'"a.md" is {encoding.upper()}, and read as such.'
    assert said(text.encode(encoding)) == (text, [(message, 0)])


@pytest.mark.parametrize(
    "content",
    [
        b"a\0",
        b"abc\0def\n",
        b"\0" * 9,
        b"one\0two\0\n",
        "naïve\0 café\n".encode(),
        b"a\0b\0c\0\0d",
        "日記\0\n".encode(),
    ],
)
def test_text_with_a_nul_in_it_is_not_taken_for_utf_16(content: bytes) -> None:
    assert said(content) == (content.decode(), [])


def test_what_is_no_utf_8_is_replaced_and_said_once_with_line_and_byte() -> None:
    content = b"# hi\n\xff\xfe garbled caf\xe9 marmot.\n"
    message = '"a.md" is not UTF-8 at byte 5; what cannot be read became U+FFFD.'
    assert said(content) == ("# hi\n\ufffd\ufffd garbled caf\ufffd marmot.\n", [(message, 2)])


@pytest.mark.parametrize(("before", "line"), [(b"a\rb\r", 3), (b"a\r\nb\r\n", 3), (b"a\n\r\xc3\xa9\n", 4)])
def test_the_line_is_counted_by_any_end_of_line(before: bytes, line: int) -> None:
    assert said(before + b"\xff")[1][0][1] == line


def test_a_broken_utf_16_is_read_and_said_to_be_broken() -> None:
    message = '"a.md" is UTF-16-LE, and is broken at byte 14; what cannot be read became U+FFFD.'
    content = codecs.BOM_UTF16_LE + "a\nbcd\n".encode("utf-16-le")
    assert said(content + b"\x00\xd8") == ("a\nbcd\n\ufffd", [(message, 3)])
    assert said(content[2:-2] + b"x")[0] == "a\nbcd\ufffd"


@pytest.mark.parametrize("path", ["lore/journal/2024-01-05.md", "lore/ledger/2024-01-05-0001.md"])
@pytest.mark.parametrize("first", [b"- [fact] S :: p :: ", b"- [fact] SS :: p :: "])
def test_no_line_of_the_record_has_the_others_read_as_anything_but_utf_8(path: str, first: bytes) -> None:
    content = first + b"q\0" * 1000 + b"q\n- [fact] Vendor :: country :: Spain\n"
    assert decode(path, content) == (content.decode(), [])
    assert decode("a.md", content) != (content.decode(), [])


@pytest.mark.parametrize("text", [TEXT.encode(), b"a\0b\n", JAPANESE.encode("utf-16"), JAPANESE.encode("utf-16-le")])
def test_text_is_not_binary(text: bytes) -> None:
    assert not is_binary(text)
    assert no_text("a.md", text) is None


@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", bytes(range(256)) * 40, b"\0" * 4096])
def test_what_is_no_text_is_told(content: bytes) -> None:
    told = no_text("a.md", content)
    assert told is not None
    assert (told.code, told.message) == ("unreadable-file", '"a.md" cannot be read: it is not text.')


# Files ---------------------------------------------------------------------------------------------------


def test_a_file_is_as_long_as_it_was_when_it_was_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.md").write_bytes(b"x" * 1000)
    read = os.read

    def grows(handle: int, size: int) -> bytes:
        with (tmp_path / "a.md").open("ab") as file:
            file.write(b"y" * 1000)
        return read(handle, min(size, 300))

    monkeypatch.setattr("loreweave.vault.read.os.read", grows)
    assert read_bytes(tmp_path, "a.md") == b"x" * 1000


def test_a_file_that_is_cut_while_it_is_read_gives_what_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.md").write_bytes(b"x" * 1000)
    read = os.read

    def shrinks(handle: int, size: int) -> bytes:
        part = read(handle, min(size, 300))
        os.truncate(tmp_path / "a.md", 300)
        return part

    monkeypatch.setattr("loreweave.vault.read.os.read", shrinks)
    assert read_bytes(tmp_path, "a.md") == b"x" * 300


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    for path in ("pipe.md", "."):
        with pytest.raises(OSError, match="it is not a regular file"):
            read_bytes(tmp_path, path)
    with pytest.raises(FileNotFoundError):
        read_bytes(tmp_path, "gone.md")


@pytest.mark.parametrize(("content", "ended"), [(b"", True), (b"a\n", True), (b"a", False), (b"a\r", False)])
def test_whether_the_last_line_is_ended_is_seen_from_its_end(tmp_path: Path, content: bytes, ended: bool) -> None:
    (tmp_path / "a.md").write_bytes(content)
    assert ends_line(tmp_path, "a.md") is ended
