"""Small notes that broke other programs, from the file to the answer; notes of these kinds lie in many vaults."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from program import digests, lore
from typed import NOW, vault

LATER = "2026-07-01T08:00:00Z"


def noted(at: Path, files: Mapping[str, str]) -> Path:
    """Write notes and record what they state."""
    lore(vault(at, files), "--quiet", "index", LORE_NOW=NOW)
    return at


def rows(at: Path, sql: str) -> list[tuple[Any, ...]]:
    """Ask the index as it stands."""
    found = json.loads(lore(at, "--quiet", "--json", "query", "--no-refresh", sql))
    return [tuple(row.values()) for row in found]


def values(at: Path) -> list[tuple[Any, ...]]:
    return rows(at, "select predicate, object from beliefs order by predicate, object")


def links(at: Path) -> list[tuple[Any, ...]]:
    return rows(at, "select target, target_path, broken from links order by path, line, target")


def findings(at: Path) -> list[tuple[Any, ...]]:
    return rows(at, "select path, line, code from findings order by all")


def test_a_title_with_a_second_colon_costs_the_properties_and_not_the_note(tmp_path: Path) -> None:
    text = "---\ntitle: Report: of March\nstatus: draft\n---\n# March\n\nowner:: Priya\n"
    noted(tmp_path, {"march.md": text})
    assert rows(tmp_path, "select subject, predicate, object from beliefs") == [("March", "owner", "Priya")]
    assert findings(tmp_path) == [("march.md", 2, "bad-frontmatter")]
    assert rows(tmp_path, "select title, start_line, end_line from notes join spans using (path)") == [("March", 5, 7)]
    assert (tmp_path / "march.md").read_text("utf-8") == text


def test_a_tag_that_is_a_comment_to_yaml_is_left_out_and_told(tmp_path: Path) -> None:
    noted(tmp_path, {"a.md": "---\ntags:\n- #desk\n- plan\naliases:\n---\n", "b.md": "---\ntags: [x]\n---\n"})
    assert rows(tmp_path, "select path, tags, aliases from notes order by path") == [
        ("a.md", ["plan"], []),
        ("b.md", ["x"], []),
    ]
    assert findings(tmp_path) == [("a.md", 3, "empty-item")]


def test_words_that_other_readers_take_for_truth_values_are_words(tmp_path: Path) -> None:
    noted(tmp_path, {"a.md": "---\ncountry: NO\nreply: no\npower: off\nkey: y\nlive: true\ntongues: [en, no]\n---\n"})
    assert dict(values(tmp_path)[:-2]) == {"country": "NO", "reply": "no", "power": "off", "key": "y", "live": "true"}
    assert values(tmp_path)[-2:] == [("tongues", "en"), ("tongues", "no")]


def test_of_a_key_that_stands_twice_one_value_is_left(tmp_path: Path) -> None:
    noted(tmp_path, {"a.md": "---\nstatus: draft\nowner: Bo\nstatus: final\n---\nThe tide gauge.\n"})
    assert values(tmp_path) == [("owner", "Bo"), ("status", "final")]
    assert rows(tmp_path, "select message from findings") == [
        ('The key "status" stands on lines 2 and 4: the last one counts.',)
    ]


@pytest.fixture(params=["America/Los_Angeles", "UTC", "Pacific/Kiritimati"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


def test_a_date_in_a_note_is_the_same_day_in_every_zone(tmp_path: Path, zone: str) -> None:
    noted(tmp_path, {"Atlas.md": "---\ndate: 2025-05-05\nstatus: planning\n---\n"})
    asked = ["facts", "--as-known-at", NOW, "--as-of"]
    assert "planning  (2025-05-05 → now)" in lore(tmp_path, *asked, "2025-05-05")
    assert "no facts" in lore(tmp_path, *asked, "2025-05-04")


def test_what_is_said_in_the_evening_stands_in_the_file_of_its_utc_day(tmp_path: Path, zone: str) -> None:
    now = "2026-02-12T20:30:00-08:00"
    lore(tmp_path, "assert", "Reading List", "status", "open", LORE_NOW=now)
    assert [path.name for path in (tmp_path / "lore" / "journal").iterdir()] == ["2026-02-13.md"]
    assert "open  (2026-02-13T04:30:00Z → now)" in lore(tmp_path, "facts", LORE_NOW=now)
    assert "no facts" in lore(tmp_path, "facts", "--as-of", "2026-02-13", LORE_NOW=now)


def test_a_rule_at_the_top_is_no_frontmatter(tmp_path: Path) -> None:
    noted(tmp_path, {"a.md": "---\n\nThoughts on the glacier.\n\nowner:: Amara\n"})
    assert values(tmp_path) == [("owner", "Amara")]
    assert "glacier" in rows(tmp_path, "select text from spans")[0][0]
    assert findings(tmp_path) == []


def test_colons_in_code_and_in_the_names_of_programs_are_no_fields(tmp_path: Path) -> None:
    text = (
        "- `[::]:80` is bound\n- Write `owner:: nobody`, or ``a `owner:: x` b``.\n(not `Kind::Other` or Kind::Last)\n"
        "A std::vec::Vec, crate::Item, see [Item::method].\n\n```mermaid\nx[Kind::Gone]@{ shape: box }\n```\n\n"
        "port:: 80\n"
    )
    noted(tmp_path, {"a.md": text})
    assert values(tmp_path) == [("port", "80")]


def test_a_link_that_yaml_takes_for_a_list_is_one_value_that_leads_somewhere(tmp_path: Path) -> None:
    for written in ("[[Sun, Moon, and Sea]]", '"[[Sun, Moon, and Sea]]"'):
        noted(tmp_path, {"a.md": f"---\nabout: {written}\n---\n", "Sun, Moon, and Sea.md": "x"})
        assert values(tmp_path) == [("about", "Sun, Moon, and Sea")]
        assert links(tmp_path) == [("Sun, Moon, and Sea", "Sun, Moon, and Sea.md", False)]
    assert findings(tmp_path) == []


def test_a_comma_parts_links_and_neither_a_name_nor_a_quotation(tmp_path: Path) -> None:
    text = 'about:: [[Sun, Moon]], [[Sea]]\nplaces:: here, there\nmotto:: "slow, then fast"\n'
    noted(tmp_path, {"a.md": text, "Sun, Moon.md": "x", "Sea.md": "x"})
    assert values(tmp_path) == [
        ("about", "Sea"),
        ("about", "Sun, Moon"),
        ("motto", "slow, then fast"),
        ("places", "here, there"),
    ]
    assert [broken for *_, broken in links(tmp_path)] == [False, False]


def test_a_box_a_link_and_a_footnote_in_brackets_are_no_observation(tmp_path: Path) -> None:
    boxes = "".join(f"- [{mark}] a task\n" for mark in " xX/>?!-")
    others = (
        "- [place] Porto\n- [tool] a ring buffer #storage\n- [a](https://vendor.example) b\n- [[Sea]] b\n- [^1] b\n"
    )
    noted(tmp_path, {"t.md": boxes + others, "Sea.md": "x"})
    assert values(tmp_path) == [("place", "Porto"), ("tool", "a ring buffer")]
    assert rows(tmp_path, "select tag from tags") == [("storage",)]


def test_what_code_quotes_is_no_link(tmp_path: Path) -> None:
    noted(tmp_path, {"a.md": "As `[[Moon]]` is written.\n\n```\n[[Sun]]\n```\n\nSee [[Sea]].\n", "Sea.md": "x"})
    assert links(tmp_path) == [("Sea", "Sea.md", False)]


def test_a_link_in_quotes_in_the_frontmatter_keeps_its_label_and_its_heading(tmp_path: Path) -> None:
    text = '---\nicon: "[[images/pad.svg|Pad]]"\nup: "[[Home#Top|home]]"\n---\n'
    noted(tmp_path, {"a.md": text, "Home.md": "# Top\n"})
    assert rows(tmp_path, "select target, heading, alias, target_path, broken from links order by line") == [
        ("images/pad.svg", None, "Pad", None, False),
        ("Home", "Top", "home", "Home.md", False),
    ]
    assert findings(tmp_path) == []


def test_a_link_leads_to_the_nearest_note_whichever_was_changed_last(tmp_path: Path) -> None:
    vault(tmp_path, {"b/src.md": "See [[Foo]].\n"})
    steps = {"a/Foo.md": "a/Foo.md", "b/Foo.md": "b/Foo.md", "./a/Foo.md": "b/Foo.md", "-b/Foo.md": "a/Foo.md"}
    for step, leads in steps.items():
        if step.startswith("-"):
            (tmp_path / step[1:]).unlink()
        noted(tmp_path, {} if step.startswith("-") else {step: step})
        assert links(tmp_path) == [("Foo", leads, False)], step
    assert digests(tmp_path) == digests(tmp_path, "all", "--cold")


def test_aliases_that_are_empty_single_or_no_text_are_read(tmp_path: Path) -> None:
    written = {"a": "\n-\n- The Report", "b": " Single", "c": "", "d": " [2024, true]"}
    noted(tmp_path, {f"{name}.md": f"---\naliases:{text}\n---\n" for name, text in written.items()})
    told = rows(tmp_path, "select aliases from notes order by path")
    assert told == [(["The Report"],), (["Single"],), ([],), (["2024", "true"],)]
    assert findings(tmp_path) == [("a.md", 3, "empty-item")]


def test_a_file_wins_over_an_alias_and_links_by_alias_are_counted_apart(tmp_path: Path) -> None:
    text = "[[Probe]] [[Zeta]] [[Shared]] [[Target|Probe]]\n"
    files = {"Target.md": "---\naliases: [Probe, Zeta, Shared]\n---\n", "Other.md": "---\naliases: Shared\n---\n"}
    noted(tmp_path, {**files, "Zeta.md": "z", "src.md": text})
    assert rows(tmp_path, "select target, target_path, resolved_by from links order by target") == [
        ("Probe", "Target.md", "alias"),
        ("Shared", None, None),
        ("Target", "Target.md", "name"),
        ("Zeta", "Zeta.md", "name"),
    ]
    assert findings(tmp_path) == [("src.md", 1, "ambiguous-alias")]
    assert "4 links (1 by an alias)" in lore(tmp_path, "doctor")


def test_a_fence_ends_only_with_as_many_marks_as_it_began_with(tmp_path: Path) -> None:
    text = (
        "# Real\n\n````\n# no\n```\n- [fact] X :: y :: z\n```\n# no\n````\n\n~~~text\nstatus:: no\n```\n~~~\n\n"
        "- item\n  ```\n  status:: no\n  ```\n\n# After\n\nowner:: Amara\n\n```\nstatus:: no, and never closed\n"
    )
    noted(tmp_path, {"a.md": text})
    assert rows(tmp_path, "select anchor from spans order by start_line") == [("Real",), ("After",)]
    assert values(tmp_path) == [("owner", "Amara")]


def test_a_heading_is_found_with_and_without_what_shows_its_sign_in_colour(tmp_path: Path) -> None:
    heading = "🛠\ufe0f Development"
    text = f"[[n#{heading}]] [[n#🛠 Development]] [x](n.md#-development) [[👨‍👩‍👧 family]] #👩‍🔬\n"
    noted(tmp_path, {"n.md": f"## {heading}\n\nText.\n", "src.md": text, "👨‍👩‍👧 family.md": "x"})
    assert [(path, broken) for _, path, broken in links(tmp_path)] == [("n.md", False)] * 3 + [
        ("👨‍👩‍👧 family.md", False)
    ]
    assert rows(tmp_path, "select anchor from spans where path = 'n.md'") == [(heading,)]
    assert rows(tmp_path, "select tag from tags") == [("👩‍🔬",)]


def test_at_the_instant_of_a_change_there_is_one_value_and_what_returns_is_a_spell_of_its_own(tmp_path: Path) -> None:
    said = [("Payments", "2024-01-01"), ("Search", "2024-06-01"), ("Payments", "2025-01-01")]
    lines = [
        f"- [fact] Alex :: desk :: {desk} {{valid_from={day}, recorded_at={day}T08:00:00Z}}\n" for desk, day in said
    ]
    noted(tmp_path, {"lore/journal/2025-01-01.md": "".join([*lines, lines[-1]])})
    days = {"2024-05-31": "Payments", "2024-06-01": "Search", "2025-01-01": "Payments"}
    for day, desk in days.items():
        assert [fact["object"] for fact in json.loads(lore(tmp_path, "--json", "facts", "--as-of", day))["facts"]] == [
            desk
        ]
    assert "Payments" in (counted := lore(tmp_path, "count", "--group-by", "object"))
    assert [line.split() for line in counted.splitlines() if "Payments" in line] == [["2", "Payments"]]
    assert rows(tmp_path, "select count(*) from events") == [(3,)]


def test_notes_that_embed_each_other_and_themselves_have_a_link_each(tmp_path: Path) -> None:
    noted(tmp_path, {"a.md": "# A\n\n![[b]]\n", "b.md": "# B\n\n![[a]]\n", "self.md": "# Self\n\n![[self#Self]]\n"})
    assert links(tmp_path) == [("b", "b.md", False), ("a", "a.md", False), ("self", "self.md", False)]
    assert rows(tmp_path, "select count(*), max(length(text)) from spans") == [(3, len("# Self\n\n![[self#Self]]"))]


def test_marks_of_direction_and_joiners_stay_in_the_text_and_out_of_the_key(tmp_path: Path) -> None:
    name = "דוח\u200f חודשי"
    noted(tmp_path, {f"{name}.md": "---\nstatus: פתוח\n---\n", "src.md": "[[דוח חודשי]] می\u200cخواهم\n"})
    assert links(tmp_path) == [("דוח חודשי", f"{name}.md", False)]
    assert f"{name} :: status :: פתוח" in lore(tmp_path, "facts", "--subject", "דוח חודשי", LORE_NOW=LATER)
    assert "می\u200cخواهم" in rows(tmp_path, "select text from spans where path = 'src.md'")[0][0]
    lore(tmp_path, "assert", "\u200b\u200f", "status", "open", exits=1)
