"""``lore mark-used``: which passage an address names, what is written, and that the use follows its passage."""

from __future__ import annotations

import json
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import loreweave
from loreweave.errors import BadRequest, Refused
from loreweave.library import Lore
from program import digests
from typed import NOW, answer, refused, screen, typed, vault

ATLAS = (
    "# Atlas\n\nReads the rates.\n\n## Plan\n\nShip it in May.\n\n## Owner\n\nPriya has it.\n\n## Plan\n\nThen rest.\n"
)
NOTES = {
    "projects/atlas.md": ATLAS,
    "vendor.md": "# Vendor\n\nDelivers the rates each morning.\n",
    "meeting.md": "# Meeting\n\nAbout the rates.\n\n## Call at 10:30\n\nNobody came.\n",
    "file #7.md": "# Seven\n\nThe rates came late.\n\n## Cause\n\nA full disk.\n",
    "clients/secret.md": "# Secret\n\nNobody may see the rates.\n",
    "lore/config.toml": '[scopes]\nclients = "alice"\n',
}
LEDGER = "lore/ledger/2025-12-01-0001.md"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return vault(tmp_path, NOTES)


def _marked(at: Path, address: str, *words: str) -> str:
    made: dict[str, Any] = answer(at, "mark-used", address, *words)
    return f"{made['path']}#{made['anchor']}:{made['start_line']}-{made['end_line']}"


@pytest.mark.parametrize(
    ("address", "passage"),
    [
        ("projects/atlas.md#Owner:9-11", "projects/atlas.md#Owner:9-11"),
        ("projects/atlas.md#Owner", "projects/atlas.md#Owner:9-11"),
        ("./projects/atlas.md#owner", "projects/atlas.md#Owner:9-11"),
        ("projects/atlas.md:11", "projects/atlas.md#Owner:9-11"),
        ("projects/atlas.md:9-11", "projects/atlas.md#Owner:9-11"),
        ("projects/atlas.md#Owner:40-44", "projects/atlas.md#Owner:9-11"),
        ("projects/atlas.md#Plan:13", "projects/atlas.md#Plan:13-15"),
        ("projects/atlas.md#Plan:5-7", "projects/atlas.md#Plan:5-7"),
        ("vendor.md", "vendor.md#Vendor:1-3"),
        ("meeting.md#Call at 10:30", "meeting.md#Call at 10:30:5-7"),
        ("meeting.md#Call at 10:30:6", "meeting.md#Call at 10:30:5-7"),
        ("file #7.md#Cause", "file #7.md#Cause:5-7"),
        ("file #7.md:3", "file #7.md#Seven:1-3"),
    ],
)
def test_an_address_names_one_passage_in_every_form_in_which_it_is_shown(
    notes: Path, address: str, passage: str
) -> None:
    assert _marked(notes, address) == passage


def test_parts_of_one_very_long_line_have_one_address_and_a_use_of_it_is_one_of_them_all(notes: Path) -> None:
    vault(notes, {"long.md": f"{'word ' * 2_000}{'lastly ' * 40}"})
    with loreweave.open(notes) as lore:
        parts = lore.sql("select span_id from spans where path = 'long.md' order by span_id").to_pylist()
        assert len(parts) > 1
        lore.mark_used("long.md:1-1")
        assert lore.sql("select span_id from uses").to_pylist() == parts[:1]
        assert lore.review(threshold=1, now="2030-01-01").fading.of == 1
        last = lore.search("lastly", limit=1).results[0]
        assert last.text.endswith("lastly ")
        assert any(why.startswith("used 1 time") for why in last.why)
        assert lore.mark_used(last.address).uses == 2


@pytest.mark.parametrize(("length", "line"), [(300, 5), (2_100, 5), (12_000, 7)])
def test_a_very_long_heading_is_left_out_of_the_address(notes: Path, length: int, line: int) -> None:
    vault(notes, {"odd.md": f"# Odd\n\nOne.\n\n## {'H' * length}\n\nNobody would.\n"})
    with loreweave.open(notes) as lore:
        (found,) = lore.search("nobody would", limit=1).results
        assert found.address == f"odd.md:{line}-7"
        assert lore.mark_used(found.address).start_line == line
        assert lore.read_note(found.address).start_line == line
        assert lore.propose_facts(found.address).of == 0
        assert lore.review(threshold=1, now="2030-01-01").fading.passages[0].address == found.address


def test_every_address_that_search_prints_names_the_passage_found(notes: Path) -> None:
    found = answer(notes, "search", "rates", "Nobody came", "full disk", "-k", "20")["results"]
    assert len(found) >= 6
    for each in found:
        address = f"{each['path']}#{each['anchor']}:{each['start_line']}-{each['end_line']}"
        assert _marked(notes, address) == address


def test_a_use_is_one_line_of_the_ledger_with_the_hashes_of_its_passage_and_of_what_is_below_its_heading(
    notes: Path,
) -> None:
    assert screen(notes, "mark-used", "projects/atlas.md#Owner") == [
        "✓ projects/atlas.md#Owner:9-11 was of use, 1 time by now",
        f"  ledger: {LEDGER}:1",
    ]
    with loreweave.open(notes) as lore:
        (row,) = lore.sql("select hash from spans where anchor = 'Owner'").to_pylist()
        assert lore.sql("select hash from uses").to_pylist() == [{"hash": row["hash"][:16]}]
    hashes = f"{row['hash'][:16]}-{sha256(b'Priya has it.').hexdigest()[:16]}"
    line = f"- [used] projects/atlas.md#Owner {{recorded_at={NOW}, by=priya, hash={hashes}}}\n"
    assert (notes / LEDGER).read_text("utf-8") == line
    assert screen(notes, "mark-used", "projects/atlas.md:9")[0].endswith("was of use, 2 times by now")
    assert typed(notes, "doctor").exit_code == 0


def test_the_answer_as_json_tells_passage_and_line(notes: Path) -> None:
    assert answer(notes, "mark-used", "vendor.md", "--by", "Priya") == {
        "path": "vendor.md",
        "anchor": "Vendor",
        "start_line": 1,
        "end_line": 3,
        "uses": 1,
        "recorded_at": NOW,
        "recorded_by": "Priya",
        "ledger": LEDGER,
        "line": 1,
    }


def test_an_address_that_names_several_passages_is_refused_with_them(notes: Path) -> None:
    code, (told, hint) = refused(notes, "mark-used", "projects/atlas.md#Plan")
    assert (code, told) == (1, 'error: "projects/atlas.md#Plan" may mean any of 2 passages.')
    assert hint == 'hint: name one of them: "projects/atlas.md#Plan:5-7", "projects/atlas.md#Plan:13-15"'
    _, (told, hint) = refused(notes, "mark-used", "projects/atlas.md")
    assert told == 'error: "projects/atlas.md" may mean any of 4 passages.'
    assert hint.endswith("and 1 more")


@pytest.mark.parametrize(
    ("address", "hint"),
    [
        ("projects/atlas.md#Ownr", 'nearest: "projects/atlas.md#Owner:9-11",'),
        ("projects/atlas.md:99", 'nearest: "projects/atlas.md#Plan:13-15",'),
        ("projects/atlass.md#Owner", 'did you mean "projects/atlas.md"?'),
        ("Vendor", 'did you mean "vendor.md"?'),
        ("clients/secret.md", ""),
        ("lore/journal/2025-12-01.md", ""),
        ("../vendor.md", ""),
    ],
)
def test_an_unknown_address_is_refused_with_the_nearest_ones(notes: Path, address: str, hint: str) -> None:
    code, said = refused(notes, "mark-used", address)
    assert code == 1
    assert f'"{address.partition("#")[0]}' in said[0]
    assert hint in said[-1]
    assert not (notes / "lore/ledger").exists()


@pytest.mark.parametrize("address", ["", "  ", "x" * 20_000, "a\udcffb.md"])
def test_what_is_no_address_is_a_bad_request(notes: Path, address: str) -> None:
    with loreweave.open(notes) as lore, pytest.raises(BadRequest):
        lore.mark_used(address)
    assert not (notes / "lore/ledger").exists()


@pytest.mark.parametrize("by", [7, "\udcff", "x" * 3_000])
def test_what_is_no_name_is_refused(notes: Path, by: Any) -> None:
    with loreweave.open(notes) as lore, pytest.raises((BadRequest, Refused)):
        lore.mark_used("vendor.md", by=by)
    assert not (notes / "lore/ledger").exists()


def test_an_agent_marks_under_its_own_name_whatever_the_gate(notes: Path) -> None:
    (notes / "lore/config.toml").write_text('[agents]\nwrites = "propose"\n', "utf-8")
    with loreweave.open(notes, agent="helper") as lore:
        assert lore.mark_used("vendor.md").recorded_by == "helper"
        with pytest.raises(Refused):
            lore.mark_used("vendor.md", by="Priya")


def test_a_scope_marks_what_is_its_own_and_counts_no_use_of_another(notes: Path) -> None:
    assert _marked(notes, "clients/secret.md", "--scope", "alice") == "clients/secret.md#Secret:1-3"
    assert refused(notes, "--scope", "alice", "mark-used", "vendor.md")[0] == 1
    assert "scope=alice" in (notes / LEDGER).read_text("utf-8")
    assert answer(notes, "review")["uses"] == 0
    assert answer(notes, "--scope", "alice", "review")["uses"] == 1


def _followed(at: Path) -> list[str]:
    """The passages that uses lead to, in the order in which they were recorded."""
    with loreweave.open(at) as lore:
        sql = "select spans.path || '#' || spans.anchor as place from uses left join spans using (span_id)"
        return [row["place"] for row in lore.sql(f"{sql} order by recorded_at").to_pylist()]


def test_a_use_follows_its_passage_through_edits_renames_and_the_loss_of_the_index(notes: Path) -> None:
    screen(notes, "mark-used", "projects/atlas.md#Owner")
    atlas = notes / "projects/atlas.md"
    atlas.write_text(ATLAS.replace("rates", "tariffs").replace("# Atlas\n", "# Atlas\n\nMore.\n"), "utf-8")
    assert _followed(notes) == ["projects/atlas.md#Owner"]
    atlas.rename(notes / "moved.md")
    assert _followed(notes) == ["moved.md#Owner"]
    (notes / "moved.md").rename(atlas)
    atlas.write_text(ATLAS.replace("Priya has it", "Amara has it"), "utf-8")
    assert _followed(notes) == ["projects/atlas.md#Owner"]
    shutil.rmtree(notes / ".lore")
    assert _followed(notes) == ["projects/atlas.md#Owner"]


@pytest.mark.parametrize(
    ("edits", "place"),
    [
        ({"projects/atlas.md": ATLAS.replace("## Owner", "### *Kept* by")}, "projects/atlas.md#*Kept* by"),
        ({"projects/atlas.md": ATLAS.replace("## Owner\n", "Keeper\n---\n")}, "projects/atlas.md#Keeper"),
        ({"projects/atlas.md": "# Atlas\n", "moved.md": ATLAS.replace("Owner", "Keeper")}, "moved.md#Keeper"),
        (
            {"projects/atlas.md": ATLAS.replace("Owner", "Keeper") + "\n## Owner\n\nNobody.\n"},
            "projects/atlas.md#Keeper",
        ),
        (
            {"projects/atlas.md": ATLAS.replace("Owner", "Keeper"), "a.md": "Priya has it.\n"},
            "projects/atlas.md#Keeper",
        ),
        ({"projects/atlas.md": "# Atlas\n", "a.md": "# A\nPriya has it.\n", "b.md": "Priya has it.\n"}, None),
        ({"projects/atlas.md": ATLAS.replace("Owner", "A") + "\n## B\n\nPriya has it.\n"}, None),
        (
            {"projects/atlas.md": ATLAS.replace("has it", "had it") + "\n## Also\n\nNobody.\n"},
            "projects/atlas.md#Owner",
        ),
    ],
)
def test_a_use_follows_a_heading_that_was_renamed_where_one_passage_alone_says_the_same_below_it(
    notes: Path, edits: dict[str, str], place: str | None
) -> None:
    screen(notes, "mark-used", "projects/atlas.md#Owner")
    vault(notes, edits)
    assert _followed(notes) == [place]
    shutil.rmtree(notes / ".lore")
    assert _followed(notes) == [place]


def test_deleting_the_index_loses_no_use(notes: Path) -> None:
    for address in ("vendor.md", "projects/atlas.md#Owner", "vendor.md"):
        screen(notes, "mark-used", address)
    before = typed(notes, "review", "--threshold", "1", "--json", LORE_NOW="2026-12-01").stdout
    assert [each["uses"] for each in json.loads(before)["fading"]["passages"]] == [1, 2]
    shutil.rmtree(notes / ".lore")
    assert typed(notes, "review", "--threshold", "1", "--json", LORE_NOW="2026-12-01").stdout == before


def test_a_use_of_what_is_gone_stays_on_record_and_comes_back_with_it(notes: Path) -> None:
    screen(notes, "mark-used", "vendor.md")
    text = (notes / "vendor.md").read_text("utf-8")
    (notes / "vendor.md").unlink()
    assert answer(notes, "review")["uses"] == 0
    (notes / "vendor.md").write_text(text, "utf-8")
    assert answer(notes, "review")["uses"] == 1


def test_to_be_found_is_no_use(notes: Path) -> None:
    screen(notes, "mark-used", "vendor.md")
    before = (notes / LEDGER).read_bytes()
    for command in (("search", "rates"), ("ask", "rates"), ("review",)):
        answer(notes, *command)
    assert (notes / LEDGER).read_bytes() == before
    assert [path.name for path in (notes / "lore/ledger").iterdir()] == [Path(LEDGER).name]


def test_the_index_after_many_uses_is_that_of_a_replay(notes: Path) -> None:
    for number in range(3):
        screen(notes, "mark-used", "vendor.md")
        typed(notes, "assert", "Vendor", "reliability", f"grade {number}")
    with (notes / LEDGER).open("a", encoding="utf-8") as ledger:
        ledger.write((notes / LEDGER).read_text("utf-8").splitlines(keepends=True)[0])
    screen(notes, "mark-used", "projects/atlas.md#Owner")
    with (notes / "lore/ledger/2025-12-02-0001.md").open("w", encoding="utf-8") as other:
        line = "- [used] vendor.md#Vendor {recorded_at=2025-12-02T00:00:00Z}\n"
        other.write(line + line + "- [session] morning {recorded_at=2025-12-02T00:00:00Z}\n")
    assert digests(notes) == digests(notes, "all", "--cold")
    assert answer(notes, "query", "--format", "json", "select count(*) as uses from uses") == [{"uses": 5}]


def test_what_a_server_holds_open_counts_a_use_at_once(notes: Path) -> None:
    with Lore(notes, live=True) as lore:
        for uses in (1, 2):
            assert lore.mark_used("vendor.md").uses == uses
            assert lore.review(threshold=1).uses == uses
            (found,) = (each for each in lore.search("rates morning").results if each.path == "vendor.md")
            assert any(why.startswith(f"used {uses} time") for why in found.why)
    with Lore(notes) as lore:
        assert lore.review(threshold=1).uses == 2
