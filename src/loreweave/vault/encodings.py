"""Which encoding bytes are text in: by their mark, else UTF-8, unless they can be nothing but UTF-16 without one."""

from __future__ import annotations

import codecs
import unicodedata

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 65_536
_FEW = 4
"""Characters too few to tell by."""


def encoding_of(content: bytes, *, by_mark: bool = False) -> tuple[int, str]:
    """Give the length of the byte order mark, 0 where there is none, and the name of the encoding.

    ``by_mark`` takes what has no mark for UTF-8, whatever bytes it has.
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return len(mark), encoding
    return 0, _unmarked(content) if b"\0" in content and not by_mark else "utf-8"


def is_binary(content: bytes) -> bool:
    """Say whether bytes are no text: NULs without an encoding that has them, many, or among what is no UTF-8."""
    if b"\0" not in content or encoding_of(content) != (0, "utf-8"):
        return False
    sample = content[:_SAMPLE]
    return sample.count(0) > max(_FEW, len(sample) // 10) or not _is(content, "utf-8")


def _unmarked(content: bytes) -> str:
    """Tell UTF-16 by NULs in three of four characters and on one side alone, or where nothing else makes sense."""
    sample = content[:_SAMPLE]
    even, odd, characters = sample[0::2].count(0), sample[1::2].count(0), len(sample) // 2
    told = []
    if characters >= _FEW and not (even and odd) and 4 * (even + odd) >= 3 * characters:
        told = ["utf-16-le" if odd else "utf-16-be"]
    elif not _is_written(sample.replace(b"\0", b""), "utf-8"):
        told = [encoding for encoding in ("utf-16-le", "utf-16-be") if _is_written(sample, encoding)]
    return told[0] if len(told) == 1 and _is(content[: len(content) // 2 * 2], told[0]) else "utf-8"


def _is(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _is_written(sample: bytes, encoding: str) -> bool:
    """Say whether bytes are a text, cut off anywhere, with no control character and none that nobody has assigned."""
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(sample)
    except UnicodeDecodeError:
        return False
    return all(char in "\t\n\r" or unicodedata.category(char) not in ("Cc", "Cn", "Co") for char in set(text))
