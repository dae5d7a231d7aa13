"""Vectors kept beside an index: which passages are nearest, what is kept, dropped, and made of a broken file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from embedding_server import vector_of
from loreweave.errors import StoreError
from loreweave.library import Lore
from loreweave.providers.model import checked
from loreweave.store.embedding import VectorDraft
from loreweave.store.vectors import Among, Kind, NoVectors, Vectors
from typed import vault

KIND = Kind("a model", "1")
DEFAULT = Among("default")
NOTES = {
    "boats.md": "# Boats\n\nThe ship leaves at noon.\n\n## Harbour\n\nNobody is there.\n",
    "tower.md": "# Tower\n\nA lighthouse, a lighthouse, and a boat far out.\n",
    "vendor.md": "# Vendor\n\nThe supplier delivers every day.\n",
}

Files = tuple[Path, Path]
"""An index, and where its vectors belong."""


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return indexed(tmp_path, NOTES)


def indexed(root: Path, notes: dict[str, str]) -> Files:
    with Lore(vault(root, notes)) as lore:
        lore.refresh()
        return lore.engine.index, root / ".lore" / "vectors.duckdb"


def one(text: str) -> list[float]:
    return checked([vector_of(text)], 1)[0]


def made(files: Files, kind: Kind = KIND, told: list[str] | None = None) -> list[str]:
    """Make the vectors that are lacking; give the places of the passages they were made for."""
    with VectorDraft(*files, kind) as draft:
        passages = draft.passages()
        if passages:
            draft.add({each.number: one(each.text) for each in passages})
        draft.prune()
        draft.swap()
        if told is not None:
            told += draft.told
    return [f"{each.path}:{each.line}" for each in passages]


def asked(files: Files, text: str, among: Among = DEFAULT, limit: int = 2) -> list[str]:
    """Give the places of the passages nearest to a text."""
    with Lore(files[0].parent.parent, refresh=False) as lore, Vectors(*files, KIND) as vectors:
        rows = lore.sql("select span_id, path || ':' || start_line as place from spans").to_pylist()
        places = {row["span_id"]: row["place"] for row in rows}
        near = [each for each in vectors.nearest(one(text), among, limit).passages if each.is_nearest]
        return [places[each.span_id] for each in sorted(near, key=lambda each: (-each.near, each.number))]


def kept(files: Files) -> int:
    with duckdb.connect(files[1], read_only=True) as connection:
        (count,) = connection.execute("select count(*) from vectors").fetchone() or (0,)
    return int(count)


def lacking(files: Files, scope_key: str = "default") -> tuple[int, int]:
    with Vectors(*files, KIND) as vectors:
        return vectors.lacking(scope_key)


# What is nearest -----------------------------------------------------------------------------------------


def test_the_nearest_passages_come_first(files: Files) -> None:
    made(files)
    assert asked(files, "a ship", limit=3)[:2] == ["boats.md:1", "tower.md:1"]
    assert asked(files, "the supplier", limit=1) == ["vendor.md:1"]


def test_what_is_equally_near_comes_in_the_order_of_the_notes(tmp_path: Path) -> None:
    files = indexed(tmp_path, {f"{name}.md": f"# {name}\n\nA boat, number {at}.\n" for at, name in enumerate("dbca")})
    made(files)
    assert asked(files, "a boat", limit=3) == ["a.md:1", "b.md:1", "c.md:1"]


def test_how_near_is_told_in_millionths_and_what_all_come_to(files: Files) -> None:
    made(files)
    texts = ["# Boats\n\nThe ship leaves at noon.", "Nobody is there.", NOTES["tower.md"], NOTES["vendor.md"]]
    products = [round(1e6 * sum(a * b for a, b in zip(one("a boat"), one(text), strict=True))) for text in texts]
    with Vectors(*files, KIND) as vectors:
        near = vectors.nearest(one("a boat"), DEFAULT, 4)
    assert [each.near for each in near.passages] == [pytest.approx(product, abs=2) for product in products]
    assert near[1:] == (4, sum(each.near for each in near.passages), sum(each.near**2 for each in near.passages))


def test_those_beside_the_nearest_are_given_too_and_are_told_apart(files: Files) -> None:
    made(files)
    with Vectors(*files, KIND) as vectors:
        near = vectors.nearest(one("the supplier"), DEFAULT, 1).passages
    assert [each.is_nearest for each in near] == [False, False, True], "two before the last of all"
    assert len({each.note for each in near}) == 3


def test_only_what_may_be_found_is_found(files: Files) -> None:
    made(files)
    among = Among("default", "select span_id from spans where path <> ?", ["boats.md"])
    assert asked(files, "a boat", among, 1) == ["tower.md:1"]
    assert asked(files, "a boat", Among("another"), 1) == []


def test_a_scope_sees_its_own_passages(tmp_path: Path) -> None:
    settings = '[scopes]\n"apart" = "apart"\n'
    files = indexed(tmp_path, NOTES | {"apart/a.md": "# A\n\nA ship of another scope.\n", "lore/config.toml": settings})
    made(files)
    assert asked(files, "a ship", Among("apart"), 5) == ["apart/a.md:1"]
    assert "apart/a.md:1" not in asked(files, "a ship", limit=9)
    assert (lacking(files), lacking(files, "apart")) == ((0, 4), (0, 1))


@pytest.mark.parametrize("dimension", [1, 3, 4, 8])
def test_a_vector_may_have_any_number_of_numbers(dimension: int, files: Files) -> None:
    axes = [[float(at == axis % dimension) for at in range(dimension)] for axis in range(4)]
    with VectorDraft(*files, KIND) as draft:
        draft.add({each.number: axes[at] for at, each in enumerate(draft.passages())})
        draft.swap()
    with Vectors(*files, KIND) as vectors:
        near = vectors.nearest(axes[-1], DEFAULT, 4).passages
    assert [each.near for each in near] == [1_000_000 * (axes[at] == axes[-1]) for at in range(4)]


# What is kept --------------------------------------------------------------------------------------------


def test_a_vector_is_made_once_and_survives_an_index_built_anew(files: Files) -> None:
    assert made(files) == ["boats.md:1", "boats.md:5", "tower.md:1", "vendor.md:1"]
    assert made(files) == []
    files[0].unlink()
    indexed(files[0].parent.parent, NOTES)
    assert made(files) == []
    assert asked(files, "a ship", limit=1) == ["boats.md:1"]


def test_a_change_asks_for_the_vector_of_what_changed_alone(files: Files) -> None:
    made(files)
    indexed(files[0].parent.parent, {"boats.md": NOTES["boats.md"].replace("Nobody is", "A vendor is")})
    assert lacking(files) == (1, 4)
    assert made(files) == ["boats.md:5"]
    assert asked(files, "a vendor", limit=2) == ["boats.md:5", "vendor.md:1"]


def test_another_title_or_heading_above_is_another_text(files: Files) -> None:
    made(files)
    indexed(files[0].parent.parent, {"boats.md": NOTES["boats.md"].replace("# Boats", "# Ships")})
    assert made(files) == ["boats.md:1", "boats.md:5"]


def test_what_says_the_same_shares_a_vector_wherever_it_stands(tmp_path: Path) -> None:
    files = indexed(tmp_path, {f"{name}/same.md": NOTES["tower.md"] for name in "ab"})
    assert made(files) == ["a/same.md:1"]
    assert asked(files, "a boat") == ["a/same.md:1", "b/same.md:1"]
    (tmp_path / "a/same.md").rename(tmp_path / "moved.md")
    indexed(tmp_path, {})
    assert made(files) == []
    assert asked(files, "a boat") == ["b/same.md:1", "moved.md:1"]


def test_another_model_or_prefix_keeps_nothing_of_the_one_before(files: Files) -> None:
    made(files)
    told: list[str] = []
    other = Kind("another model", "1")
    assert len(made(files, other, told)) == 4
    assert told == ['The vectors in "vectors.duckdb" are of another model, and are made anew.']
    with pytest.raises(NoVectors, match="of another model"):
        Vectors(*files, KIND)
    assert len(made(files, other._replace(made_of="2"))) == 4


def test_vectors_that_nobody_needs_go_once_they_are_more_than_the_others(files: Files) -> None:
    made(files)
    root = files[0].parent.parent
    for name in ("boats.md", "tower.md"):
        (root / name).unlink()
    indexed(root, {"new.md": "# New\n\nSoup.\n"})
    made(files)
    assert kept(files) == 2
    indexed(root, {"new.md": "# New\n\nMore soup.\n"})
    made(files)
    indexed(root, {"new.md": "# New\n\nSoup.\n"})
    assert made(files) == [], "an edit that is taken back costs nothing"


def test_passages_without_words_for_a_vector_are_not_asked_for_again(files: Files) -> None:
    with VectorDraft(*files, KIND) as draft:
        first, *others = draft.passages()
        draft.add({each.number: one(each.text) for each in others})
        draft.silence([first.number])
        draft.swap()
    assert made(files) == []
    assert lacking(files) == (0, 3)
    assert "boats.md:1" not in asked(files, "a ship", limit=9)


# What goes wrong -----------------------------------------------------------------------------------------


def test_without_vectors_it_is_said(files: Files) -> None:
    with pytest.raises(NoVectors, match="No passage has a vector yet") as failed:
        Vectors(*files, KIND)
    assert failed.value.hint == "`lore index` makes them"


def test_what_a_killed_run_made_is_gone_on_with(files: Files) -> None:
    with VectorDraft(*files, KIND) as draft:
        first, *_ = draft.passages()
        draft.add({first.number: one(first.text)})
    assert not files[1].exists(), "nothing was swapped in"
    assert made(files) == ["boats.md:5", "tower.md:1", "vendor.md:1"]
    assert lacking(files) == (0, 4)


def test_readers_keep_the_file_they_opened_and_know_that_it_is_old(files: Files) -> None:
    made(files)
    with Vectors(*files, KIND) as vectors:
        assert not vectors.stale
        indexed(files[0].parent.parent, {"new.md": "# New\n\nSoup.\n"})
        assert vectors.stale
        made(files)
        assert len(vectors.nearest(one("soup"), DEFAULT, 9).passages) == 4


def test_a_vector_of_another_dimension_is_refused_and_says_what_to_do(files: Files) -> None:
    made(files)
    with Vectors(*files, KIND) as vectors, pytest.raises(NoVectors) as failed:
        vectors.nearest([1.0, 0.0], DEFAULT, 1)
    assert failed.value.message == "The model now gives 2 numbers a passage, and 6 are kept of each."
    assert failed.value.hint == "delete .lore/vectors.duckdb, and `lore index` makes it anew"
    indexed(files[0].parent.parent, {"new.md": "# New\n\nSoup.\n"})
    with VectorDraft(*files, KIND) as draft, pytest.raises(NoVectors, match="2 numbers"):
        draft.add({draft.passages()[0].number: [1.0, 0.0]})


def broken(path: Path, how: str) -> None:
    """Break a file of vectors: cut off, of another program, or with some of its middle overwritten."""
    content = path.read_bytes()
    if how == "cut":
        path.write_bytes(content[: len(content) // 2])
    elif how == "no database":
        path.write_bytes(b"not a database " * 1000)
    elif how == "overwritten":
        path.write_bytes(content[:20_000] + b"\xff" * (len(content) - 20_000))
    else:
        path.unlink()
        with duckdb.connect(path) as connection:
            connection.execute("create table about (key varchar, value varchar)")


@pytest.mark.parametrize("how", ["cut", "no database", "overwritten", "another program's"])
def test_a_broken_file_is_said_to_be_and_made_anew(how: str, files: Files) -> None:
    made(files)
    broken(files[1], how)
    with pytest.raises(NoVectors):
        asked(files, "a ship")
    told: list[str] = []
    assert len(made(files, told=told)) == 4
    assert len(told) == 1
    assert asked(files, "a ship", limit=1) == ["boats.md:1"]


@pytest.mark.parametrize("how", ["cut", "no database"])
def test_a_broken_draft_does_not_stand_in_the_way(how: str, files: Files) -> None:
    with VectorDraft(*files, KIND) as draft:
        draft.add({each.number: one(each.text) for each in draft.passages()})
    broken(files[1].with_name("vectors.duckdb.next"), how)
    assert len(made(files)) == 4


def test_a_file_that_another_program_holds_is_left_alone(files: Files) -> None:
    made(files)
    program = f"import duckdb, sys; c = duckdb.connect({str(files[1])!r}); print('held', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(StoreError, match="Another program holds"):
            VectorDraft(*files, KIND)
        with pytest.raises(NoVectors, match="cannot be read"):
            Vectors(*files, KIND)
        holder.communicate("")
    assert made(files) == []


def test_a_folder_that_takes_no_file_is_said(files: Files) -> None:
    with pytest.raises(StoreError, match=r"cannot be written"):
        made((files[0], files[1].parent / "nowhere" / "vectors.duckdb"))
