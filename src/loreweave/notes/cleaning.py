"""A value cleaned of Markdown: what a reader sees of it, its links by what they name.

``[[Priya Sharma|Priya]]`` becomes ``Priya Sharma``, as in the key of a subject, so that the link and the plain name are
one object; ``[Priya](people/priya.md)`` becomes ``Priya``, and the path of a file, ``[[people/Priya.md]]``, its name.
Emphasis and the marks of code go; comments, HTML tags, footnote marks and what is struck out go altogether.
"""

from __future__ import annotations

import re

_WIKI = r"!?\[\[[^\[\]\n]++\]\]"
_MARKDOWN = (
    r"!?\[(?:[^\[\]\\]|\\.|\[[^\[\]]*+\])*+\]\((?:<[^<>\n]*+>|(?:[^()\s]|\([^()\s]*+\))*+)"
    r"(?:\s++(?:\"[^\"]*+\"|'[^']*+'))?+\s*+\)"
)
_TAGS = "a|abbr|b|br|center|code|del|div|em|font|i|img|ins|kbd|mark|p|q|s|small|span|strong|sub|sup|u"
_token = re.compile(
    r"(?P<code>(?<!`)(`++)(?P<coded>.+?)(?<!`)\2(?!`))"
    rf"|(?P<gone><!--.*?-->|%%.*?%%|~~(?=\S).*?\S~~|\[\^[^\[\]\s]++\]|</?(?:{_TAGS})(?:[\s/][^<>]*+)?+>)"
    r"|<(?P<address>[A-Za-z][\w+.-]*+:[^<>\s]++|[^<>\s@]++@[^<>\s@]++)>"
    rf"|(?P<wiki>{_WIKI})|(?P<markdown>{_MARKDOWN})"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<mark>\*++|_++|==)",
    re.DOTALL,
)
_link = re.compile(rf"{_WIKI}|{_MARKDOWN}")
_marked = re.compile(r"[`*_~=\[<%\\]").search
_listed = re.compile(
    rf'\s*+(?:(?P<link>{_WIKI}|{_MARKDOWN})\s*+[,;，、；]?+|"(?P<quoted>[^"]*+)"\s*+(?:[,;，、；]|\Z))\s*+'
)
_context = re.compile(r"(?:(?<=\s)|\A)\([^()]*+(?:\([^()]*+\)[^()]*+)*+\)\Z")
_tags = re.compile(r"(?:(?<=\s)|\A)#[^\s#,;()]++(?:\s++#[^\s#,;()]++)*+\Z")
_hash = re.compile(r"(?<!\S)#(?=[^\W\d_])")


def clean(text: str) -> str:
    """Give what a reader sees of a Markdown text."""
    if not _marked(text):
        return text
    if not text.strip("`"):
        return ""
    pieces: list[str] = []
    opened: dict[str, list[int]] = {}
    done = 0
    for token in _token.finditer(text):
        pieces += text[done : token.start()], _shown(token)
        done = token.end()
        if token["mark"] and _closes(token) and opened.get(token[0]):
            pieces[opened[token[0]].pop()] = pieces[-1] = ""
        elif token["mark"] and _opens(token):
            opened.setdefault(token[0], []).append(len(pieces) - 1)
    return "".join([*pieces, text[done:]]).strip()


def clean_links(text: str) -> str:
    """Give a text with its links by what they name, and nothing else changed: a property is not Markdown."""
    return _link.sub(lambda link: _named(link[0]), text) if "[" in text else text


def items(text: str) -> list[str]:
    """Part a list of links, or of quoted texts between commas; anything else, commas or not, is one item."""
    found = []
    at = 0
    while at < len(text):
        item = _listed.match(text, at)
        if item is None:
            return [text]
        found.append(item["link"] or item["quoted"])
        at = item.end()
    return found or [text]


def without_tags(text: str) -> str:
    """Lift the tags out of an observation, and drop the context in round brackets at its end."""
    text = _tags.sub("", text).rstrip()
    text = _context.sub("", text).rstrip()
    return _hash.sub("", _tags.sub("", text).rstrip())


def _shown(token: re.Match[str]) -> str:
    if token["wiki"] or token["markdown"]:
        return _named(token[0])
    if token["gone"]:
        return " " if token[0].startswith("<br") else ""
    if token["code"]:
        return token["coded"].strip()
    return token["address"] or token["escaped"] or token[0]


def _named(link: str) -> str:
    link = link.removeprefix("!")
    if link.startswith("[["):
        target = link[2:-2].partition("|")[0].strip()
        return target.rpartition("/")[2][:-3] if target.endswith(".md") else target
    text, _, place = link[1:-1].rpartition("](")
    return clean(text) or place.strip("<>")


def _opens(token: re.Match[str]) -> bool:
    before, after = token.string[token.start() - 1 : token.start()], token.string[token.end() : token.end() + 1]
    return bool(after.strip()) and not (token[0][0] == "_" and before.isalnum())


def _closes(token: re.Match[str]) -> bool:
    before, after = token.string[token.start() - 1 : token.start()], token.string[token.end() : token.end() + 1]
    return bool(before.strip()) and not (token[0][0] == "_" and after.isalnum())
