"""Laws about links: a stateless reading agrees, and resolving what an edit touches equals resolving all."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from itertools import product
from random import Random

from hypothesis import example, given
from hypothesis import strategies as st

from loreweave.notes.links import IMAGE, MARKDOWN
from loreweave.notes.model import Link, Note
from loreweave.notes.read import read_note
from loreweave.projections.links import Directory, Resolved
from loreweave.projections.names import Anchor, Name, anchors_of, name_key, names_of

PATHS = [folder + stem + ".md" for folder, stem in product(("", "a/", "a/b/", "c/"), ("X", "x", "Y", "Z"))]
NAMES = ("X", "Y", "Z", "Q", "b/X")
TARGETS = (
    *NAMES,
    "x",
    "a/X",
    "./Y",
    "../X",
    "../../Y",
    "a/../X",
    "/X",
    "/a/Y",
    "X.md",
    "none",
    "b/",
    "p.png",
    "",
    "",
    "",
)
HEADINGS = ("H", "K")

links = st.builds(
    lambda target, heading, form: form.format(target, f"#{heading}" if heading else ""),
    st.sampled_from(TARGETS),
    st.sampled_from([None, *HEADINGS, "H#K", "^i"]),
    st.sampled_from(["[[{}{}]]", "[[{}{}|label]]", "![[{}{}]]", "[x]({}{})", "[x]({}.md{})", "![x]({}{})"]),
)
texts = st.builds(
    lambda title, aliases, headings, block, written: "\n".join(
        [
            *("---", f"title: {title}" if title else "x: 1", f"aliases: [{', '.join(aliases)}]", "---"),
            *headings,
            "text ^i" if block else "text",
            *written,
        ]
    ),
    st.none() | st.sampled_from(NAMES),
    st.lists(st.sampled_from(NAMES), max_size=2),
    st.lists(st.sampled_from(["# H", "## K", "## H", "# K"]), max_size=3),
    st.booleans(),
    st.lists(links, max_size=4),
)
edits = st.dictionaries(st.sampled_from(PATHS), st.none() | texts, min_size=1, max_size=3)
vaults = st.dictionaries(st.sampled_from(PATHS), texts, min_size=1, max_size=6)

CLAIM = "---\naliases: [Q]\n---\n"

Row = tuple[str, Link]


def read(files: dict[str, str]) -> dict[str, Note]:
    return {path: read_note(path, text) for path, text in files.items()}


def rows(notes: Iterable[Note]) -> tuple[list[Name], list[Anchor]]:
    notes = list(notes)
    return [row for note in notes for row in names_of(note)], [row for note in notes for row in anchors_of(note)]


def resolve_all(notes: dict[str, Note]) -> dict[Row, Resolved]:
    directory = Directory(*rows(notes.values()))
    return {(path, link): directory.resolve(path, link) for path, note in notes.items() for link in note.links}


@given(vaults)
def test_links_lead_where_they_would_if_no_other_scope_were_there(files: dict[str, str]) -> None:
    notes = read(files)
    directory = Directory(*rows(notes.values()), lambda path: path.partition("/")[0])
    for scope in {path.partition("/")[0] for path in notes}:
        own = {path: note for path, note in notes.items() if path.partition("/")[0] == scope}
        assert resolve_all(own) == {row: directory.resolve(*row) for row in resolve_all(own)}


def target_of(notes: dict[str, Note], source: str, link: Link) -> tuple[str | None, str | None]:
    """Say to which note a link leads, and by what, by looking at every note for it."""
    if not link.target:
        return source, "path"
    by_file_only = link.style in (MARKDOWN, IMAGE)
    if by_file_only and link.target.endswith("/"):
        return None, None
    folder = posixpath.dirname(source)
    files = [path for path in notes if _leads(folder, link.target, path)]
    if files:
        path = min(files, key=lambda path: _distance(folder, link.target, path))
        return path, "path" if "/" in link.target else "name"
    wanted = link.target.casefold().removesuffix(".md")
    titled = [path for path, note in notes.items() if note.title.casefold() == wanted]
    if titled and not by_file_only:
        return min(titled, key=lambda path: (_place(folder, path), len(path), path)), "title"
    called = [path for path, note in notes.items() if wanted in [alias.casefold() for alias in note.aliases]]
    return (called[0], "alias") if len(called) == 1 and not by_file_only else (None, None)


def _whole(folder: str, target: str) -> str:
    return posixpath.normpath(posixpath.join("/", folder, target.casefold().removesuffix(".md")))[1:]


def _leaves(folder: str, target: str) -> bool:
    return posixpath.normpath(posixpath.join("." if target[0] == "/" else folder, target.lstrip("/")))[:2] == ".."


def _leads(folder: str, target: str, path: str) -> bool:
    file = path.casefold()[:-3]
    if target.startswith((".", "/")) or ".." in target:
        return file == _whole(folder, target) and not _leaves(folder, target)
    return file in (_whole(folder, target), _whole("", target)) or f"/{file}".endswith(f"/{_whole('', target)}")


def _place(folder: str, path: str) -> int:
    if posixpath.dirname(path) == folder:
        return 0
    return 2 if not folder or path.startswith(folder + "/") else 3


def _distance(folder: str, target: str, path: str) -> tuple[object, ...]:
    file = path[:-3]
    is_here, is_top = (file.casefold() == _whole(at, target) for at in (folder, ""))
    place = 0 if is_here else 1 if is_top else max(2, _place(folder, path))
    return place, len(path), not f"/{file}".endswith("/" + target.strip("/").removesuffix(".md")), path


@given(vaults)
def test_every_link_leads_where_looking_at_every_note_says(files: dict[str, str]) -> None:
    notes = read(files)
    for (source, link), found in resolve_all(notes).items():
        assert (found.target_path, found.resolved_by) == target_of(notes, source, link), (source, link)


@given(vaults)
def test_what_is_broken_is_what_is_not_there(files: dict[str, str]) -> None:
    notes = read(files)
    for (_, link), found in resolve_all(notes).items():
        if found.target_path is None:
            is_note = link.target.endswith(".md") if link.style in (MARKDOWN, IMAGE) else link.target != "p.png"
            assert found.broken is is_note
        elif link.heading == "^i":
            assert found.broken is ("i" not in notes[found.target_path].blocks)
        elif link.heading in HEADINGS:
            assert found.broken is (link.heading not in [each.text for each in notes[found.target_path].headings])


@given(vaults, st.randoms())
def test_the_order_of_notes_has_no_effect(files: dict[str, str], random: Random) -> None:
    notes = read(files)
    shuffled = list(notes)
    random.shuffle(shuffled)
    assert resolve_all({path: notes[path] for path in shuffled}) == resolve_all(notes)


@given(vaults, st.lists(edits, min_size=1, max_size=4))
@example({"X.md": "# H\n[[#H]]"}, [{"X.md": "# H\n\n[[#H]]"}])
@example({"X.md": "[[Q]]", "Y.md": CLAIM, "Z.md": CLAIM}, [{"Z.md": None}])
@example({"X.md": "[[Q]]", "Y.md": CLAIM}, [{"Z.md": CLAIM}])
def test_resolving_what_an_edit_touches_equals_resolving_all(
    files: dict[str, str], history: list[dict[str, str | None]]
) -> None:
    notes = read(files)
    held = resolve_all(notes)
    for edit in history:
        before = notes
        notes = read({path: text for path, text in ({**_texts(notes), **edit}).items() if text is not None})
        held = _again(before, notes, set(edit), held)
        assert held == resolve_all(notes)


def _texts(notes: dict[str, Note]) -> dict[str, str]:
    return {path: note.scan.text for path, note in notes.items()}


def _again(
    before: dict[str, Note], notes: dict[str, Note], changed: set[str], held: dict[Row, Resolved]
) -> dict[Row, Resolved]:
    """Resolve the links of changed notes, and those under a name that a changed note had before or has now."""
    touched = [side[path] for side in (before, notes) for path in changed if path in side]
    keys = {name.key for name in rows(touched)[0]}
    kept = {
        (path, link): found
        for (path, link), found in held.items()
        if path not in changed and name_key(link.target) not in keys
    }
    asked = [
        (path, link)
        for path, note in notes.items()
        for link in note.links
        if path in changed or (path, link) not in kept
    ]
    directory = _directory_for(asked, notes)
    return kept | {(path, link): directory.resolve(path, link) for path, link in asked}


def _directory_for(asked: list[Row], notes: dict[str, Note]) -> Directory:
    """Build a directory from no more than the names of these keys, and the places in the notes these belong to."""
    wanted = {name_key(link.target) for _, link in asked}
    names = [name for name in rows(notes.values())[0] if name.key in wanted]
    paths = {name.path for name in names} | {path for path, _ in asked}
    return Directory(names, [anchor for anchor in rows(notes.values())[1] if anchor.path in paths])
