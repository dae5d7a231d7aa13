"""Assert, invalidate and retract: what is written, what is refused, and what is told of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import loreweave
from loreweave.engine.outcome import Effect, Interval, Outcome
from loreweave.errors import BadRequest, LoreError, Refused, VaultError
from loreweave.library import Lore
from loreweave.times import from_datetime, show_day

NOW = "2025-03-05T14:00:00Z"
TODAY = "lore/journal/2025-03-05.md"
GOOD = "- [fact] Vendor :: reliability :: good {valid_from=2024-01-01, recorded_at=2024-01-10T09:00:00Z}\n"


@pytest.fixture
def lore(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lore:
    monkeypatch.setenv("LORE_NOW", NOW)
    return loreweave.open(tmp_path)


def write(lore: Lore, text: str, path: str = "lore/journal/2024-01-10.md") -> None:
    file = lore.engine.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def journal(lore: Lore) -> list[str]:
    file = lore.engine.root / TODAY
    return file.read_text("utf-8").splitlines() if file.exists() else []


def shown(held: tuple[Interval, ...]) -> str:
    def day(moment: Any) -> str:
        return "now" if moment is None else show_day(from_datetime(moment))

    return ", ".join(f"{day(span.valid_from)} → {day(span.valid_until)}" for span in held)


def told(made: Outcome) -> dict[str, list[str]]:
    """The effects of a write, as words: value, then where it was lost or gained."""

    def of(name: str, effect: Effect) -> str:
        return f"{effect.object}: {shown(effect.gained if name in ('returned', 'resumed') else effect.lost)}"

    return {name: [of(name, effect) for effect in found] for name, found in made.effects.items() if found}


def believed(lore: Lore, subject: str, predicate: str, **moment: str) -> list[str]:
    return [fact.object for fact in lore.facts(subject=subject, predicate=predicate, **moment)]  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------- what is written


def test_a_statement_is_one_line_that_says_all_that_was_said(lore: Lore) -> None:
    made = lore.assert_fact(
        "Atlas",
        "status",
        "shipped :: twice",
        valid_from="2024-01-01",
        valid_until="2024-06-01T12:00:00+02:00",
        confidence=0.9,
        source="inferred",
        by="priya",
        because='she said "done"',
        episode="call of 5 March",
    )
    (line,) = journal(lore)
    assert line == (
        "- [fact] Atlas :: status :: shipped :: twice {valid_from=2024-01-01, valid_until=2024-06-01T10:00:00Z, "
        "recorded_at=2025-03-05T14:00:00Z, confidence=0.9, source=inferred, by=priya, "
        'because="she said \\"done\\"", episode=call of 5 March}'
    )
    assert (made.path, made.line_number, made.lines) == (TODAY, 1, tuple(journal(lore)))


def test_what_is_not_said_is_left_to_the_record_time(lore: Lore) -> None:
    made = lore.assert_fact("Atlas", "status", "draft")
    assert journal(lore) == ["- [fact] Atlas :: status :: draft {recorded_at=2025-03-05T14:00:00Z, source=stated}"]
    assert shown(made.holds) == "2025-03-05T14:00:00Z → now"


def test_a_scope_is_written_where_it_is_not_the_default(lore: Lore) -> None:
    with loreweave.open(lore.engine.root, scope="Audit") as other:
        other.assert_fact("Atlas", "status", "draft")
        assert believed(other, "Atlas", "status") == ["draft"]
    assert "scope=Audit" in journal(lore)[0]
    assert believed(lore, "Atlas", "status") == []


@pytest.mark.parametrize("head", ["", "# Notes\n\n", "# Notes, and no line end", "a\r\nb\r"])
def test_lines_come_after_what_stands_in_the_file(lore: Lore, head: str) -> None:
    write(lore, "", TODAY)
    (lore.engine.root / TODAY).write_bytes(head.encode())
    made = lore.assert_fact("Atlas", "status", "draft")
    content = (lore.engine.root / TODAY).read_bytes().decode()
    assert content.startswith(head)
    assert content.removeprefix(head).strip("\n").startswith("- [fact] Atlas")
    lines = content.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert lines[made.line_number - 1] == made.lines[0]
    assert [fact.line for fact in lore.facts(subject="Atlas")] == [made.line_number]


def test_a_rehearsal_tells_all_and_writes_nothing(lore: Lore) -> None:
    write(lore, GOOD)
    made = lore.assert_fact("Vendor", "reliability", "fair", valid_from="2024-06-01", dry_run=True)
    assert (made.dry_run, made.written, made.path, made.line_number) == (True, False, TODAY, 1)
    assert told(made) == {"superseded": ["good: 2024-06-01 → now"]}
    assert journal(lore) == []
    assert believed(lore, "Vendor", "reliability") == ["good"]


def test_the_record_clock_never_goes_back(lore: Lore, monkeypatch: pytest.MonkeyPatch) -> None:
    lore.assert_fact("Atlas", "status", "draft")
    monkeypatch.setenv("LORE_NOW", "2025-03-05T13:00:00Z")
    lore.assert_fact("Atlas", "owner", "Priya")
    assert "recorded_at=2025-03-05T14:00:00.000001Z" in journal(lore)[1]


def test_a_record_dated_more_than_a_day_ahead_is_followed_by_nothing(lore: Lore) -> None:
    write(lore, "- [fact] A :: b :: c {recorded_at=2025-03-06T14:00:00.000001Z}\n")
    with pytest.raises(Refused, match=r"2025-03-06T14:00:00.000001Z \(lore/journal/2024-01-10.md:1\)"):
        lore.assert_fact("Atlas", "status", "draft")
    write(lore, "- [fact] A :: b :: c {recorded_at=2025-03-06T14:00:00Z}\n")
    lore.assert_fact("Atlas", "status", "draft")


# ------------------------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("subject", "predicate", "object_", "said", "message"),
    [
        ("__", "owner", "Priya", {}, 'The subject "__" has an empty key'),
        ("Atlas", "\u200b", "Priya", {}, 'The predicate "<U+200B>" has an empty key'),
        ("", "owner", "Priya", {}, 'The subject "" has an empty key'),
        ("Atlas", "owner", " \t", {}, "The object"),
        ("Atlas", "owner", "\u200d", {}, 'The object "<U+200D>" is blank'),
        ("Atlas", "owner", "x" * 2001, {}, "has 2,001 characters; at most 2,000"),
        ("Atlas", "owner", "Priya", {"because": "y" * 2001}, "The because"),
        ("Atlas", "owner", "caf\udce9", {}, "is not UTF-8"),
        ("Atlas", "owner", "Priya", {"valid_from": "2024-06-01", "valid_until": "2024-06-01"}, "is not after"),
        ("Atlas", "owner", "Priya", {"valid_until": "2024-06-01"}, "is not after the start"),
        ("Atlas", "owner", "Priya", {"confidence": 1.5}, 'The confidence "1.5" is not from 0 to 1'),
        ("Atlas", "owner", "Priya", {"confidence": float("nan")}, 'The confidence "nan" is not from 0 to 1'),
    ],
)
def test_what_a_line_could_not_mean_is_refused(
    lore: Lore, subject: str, predicate: str, object_: str, said: dict[str, Any], message: str
) -> None:
    with pytest.raises(Refused) as refused:
        lore.assert_fact(subject, predicate, object_, **said)
    assert message in refused.value.message
    assert refused.value.hint
    assert not (lore.engine.root / "lore").exists()


@pytest.mark.parametrize("said", [{"valid_from": "2024-02-30"}, {"valid_until": "March 5"}, {"source": "extracted"}])
def test_what_cannot_be_read_is_a_bad_request(lore: Lore, said: dict[str, Any]) -> None:
    with pytest.raises(BadRequest):
        lore.assert_fact("Atlas", "owner", "Priya", **said)


def test_two_thousand_characters_are_written(lore: Lore) -> None:
    lore.assert_fact("Atlas", "text", "é" * 2000)
    assert believed(lore, "Atlas", "text") == ["é" * 2000]


def test_a_journal_that_ends_in_a_fence_takes_no_line(lore: Lore) -> None:
    write(lore, "```\n", TODAY)
    with pytest.raises(Refused, match="code fence"):
        lore.assert_fact("Atlas", "status", "draft")
    assert journal(lore) == ["```"]


@pytest.mark.parametrize("place", ["lore/journal/2025-03-05.md", "lore/journal", "lore", ".lore/index.duckdb", ".lore"])
def test_what_is_read_only_is_left_alone(lore: Lore, place: str) -> None:
    lore.assert_fact("Atlas", "status", "draft")
    path = lore.engine.root / place
    path.chmod(path.stat().st_mode & ~0o222)
    try:
        with pytest.raises(Refused, match=f'"{path}" is read-only'):
            lore.assert_fact("Atlas", "status", "final")
        with pytest.raises(Refused, match="read-only"):
            lore.invalidate_fact("Atlas", "status")
        assert len(journal(lore)) == 1
    finally:
        path.chmod(path.stat().st_mode | 0o200)


def test_a_journal_that_leads_out_of_the_vault_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LORE_NOW", NOW)
    outside = tmp_path / "log.md"
    outside.write_text("", "utf-8")
    (tmp_path / "vault").mkdir()
    lore = loreweave.open(tmp_path / "vault")
    write(lore, GOOD)
    (lore.engine.root / TODAY).symlink_to(outside)
    with pytest.raises(LoreError, match="leads out of the vault"):
        lore.assert_fact("Atlas", "status", "draft")
    assert outside.read_text("utf-8") == ""


# ------------------------------------------------------------------------------------------------- what is on record


@pytest.mark.parametrize(
    ("said", "is_news"),
    [
        ({}, False),
        ({"object": "GOOD  "}, False),
        ({"valid_from": "2023-12-31T23:00:00-01:00"}, False),
        ({"confidence": 1.0}, False),
        ({"by": "somebody else", "because": "asked again"}, False),
        ({"confidence": 0.9}, True),
        ({"source": "inferred"}, True),
        ({"valid_until": "2024-06-01"}, True),
        ({"valid_from": "2024-01-02"}, True),
        ({"valid_from": None}, True),
        ({"many": True}, True),
    ],
)
def test_a_statement_that_stands_already_is_not_written_again(lore: Lore, said: dict[str, Any], is_news: bool) -> None:
    write(lore, GOOD)
    asked = {"object": "good", "valid_from": "2024-01-01", **said}
    made = lore.assert_fact("vendor", "Reliability", **asked)
    assert made.written is is_news
    assert len(journal(lore)) == is_news
    if not is_news:
        assert (made.path, made.line_number, shown(made.holds)) == ("lore/journal/2024-01-10.md", 1, "2024-01-01 → now")


def test_a_statement_that_was_closed_may_be_made_again(lore: Lore) -> None:
    write(lore, GOOD + "- [invalidate] Vendor :: reliability {valid_until=2024-06-01, recorded_at=2024-07-01}\n")
    made = lore.assert_fact("Vendor", "reliability", "good", valid_from="2024-01-01")
    assert made.written
    assert believed(lore, "Vendor", "reliability") == ["good"]
    assert told(made) == {"corrected": ["good: 2024-01-01 → 2024-06-01"]}


def test_a_statement_that_was_retracted_may_be_made_again(lore: Lore) -> None:
    write(lore, GOOD + "- [retract] Vendor :: reliability {recorded_at=2024-07-01}\n")
    assert lore.assert_fact("Vendor", "reliability", "good", valid_from="2024-01-01").written


# ------------------------------------------------------------------------------------------------- what it displaces


def test_a_later_start_supersedes(lore: Lore) -> None:
    lore.assert_fact("Ana", "lives in", "Lucknow", valid_from="2020-01-01")
    made = lore.assert_fact("Ana", "lives_in", "Hyderabad", valid_from="2024-11-01")
    assert told(made) == {"superseded": ["Lucknow: 2024-11-01 → now"]}
    assert shown(made.effects["superseded"][0].now) == "2020-01-01 → 2024-11-01"
    assert shown(made.holds) == "2024-11-01 → now"
    assert believed(lore, "Ana", "lives in", as_of="2023-06-15") == ["Lucknow"]
    assert believed(lore, "Ana", "lives in", as_of="2024-11-01") == ["Hyderabad"]


def test_the_same_value_again_continues(lore: Lore) -> None:
    write(lore, GOOD)
    made = lore.assert_fact("Vendor", "reliability", "Good", valid_from="2024-06-01")
    assert told(made) == {"continued": ["good: 2024-06-01 → now"]}


def test_a_backdated_value_tells_what_it_holds(lore: Lore) -> None:
    write(lore, GOOD)
    made = lore.assert_fact("Vendor", "reliability", "fair", valid_from="2023-01-01")
    assert (shown(made.holds), told(made)) == ("2023-01-01 → 2024-01-01", {})


def test_the_same_start_corrects(lore: Lore) -> None:
    write(lore, GOOD)
    made = lore.assert_fact("Vendor", "reliability", "fair", valid_from="2024-01-01")
    assert told(made) == {"corrected": ["good: 2024-01-01 → now"]}
    assert lore.assert_fact("Vendor", "reliability", "good", valid_from="2024-01-01").written
    assert believed(lore, "Vendor", "reliability") == ["good"]


def test_a_shorter_restatement_lets_older_values_show(lore: Lore) -> None:
    write(
        lore,
        "- [fact] Desk :: keeper :: Bob {valid_from=2024-01-01, valid_until=2025-01-01, recorded_at=2024-01-10}\n"
        "- [fact] Desk :: keeper :: Cy {valid_from=2024-03-01, valid_until=2024-09-01, recorded_at=2024-01-11}\n",
    )
    made = lore.assert_fact("Desk", "keeper", "Cy", valid_from="2024-03-01", valid_until="2024-06-01")
    assert told(made) == {"corrected": ["Cy: 2024-03-01 → 2024-09-01"], "returned": ["Bob: 2024-06-01 → 2024-09-01"]}


def test_an_interval_inside_another_overrides(lore: Lore) -> None:
    write(lore, BOB.replace("recorded_at", "valid_until=2025-01-01, recorded_at"))
    made = lore.assert_fact("Desk", "keeper", "Cy", valid_from="2024-03-01", valid_until="2024-06-01")
    assert told(made) == {"overridden": ["Bob: 2024-03-01 → 2024-06-01"]}


def test_what_a_note_said_is_masked(lore: Lore) -> None:
    write(
        lore,
        "- [observed] Atlas :: owner :: Priya {note=atlas.md, valid_from=2024-02-01, recorded_at=2024-02-02}\n",
        "lore/ledger/2024-02-02-0001.md",
    )
    made = lore.assert_fact("Atlas", "owner", "Tom", valid_from="2024-03-01")
    assert told(made) == {"masked": ["Priya: 2024-03-01 → now"]}
    assert made.effects["masked"][0].note == "atlas.md"
    back = lore.retract_fact("Atlas", "owner", "Tom")
    assert told(back) == {"retracted": ["Tom: 2024-03-01 → now"], "returned": ["Priya: 2024-03-01 → now"]}


# ------------------------------------------------------------------------------------------------- many values


def test_a_slot_of_many_values_takes_another(lore: Lore) -> None:
    write(lore, "- [fact] Atlas :: member :: Ana {valid_from=2024-01-01, recorded_at=2024-01-10, many}\n")
    made = lore.assert_fact("Atlas", "member", "Bo", valid_from="2024-02-01")
    assert (made.many, "many-valued" in made.many_because, told(made)) == (True, True, {})
    assert sorted(believed(lore, "Atlas", "member")) == ["Ana", "Bo"]


def test_one_single_value_keeps_a_slot_single(lore: Lore) -> None:
    write(
        lore,
        "- [fact] Atlas :: member :: Ana {valid_from=2024-01-01, recorded_at=2024-01-10, many}\n"
        "- [fact] Atlas :: member :: Cy {valid_from=2024-01-02, recorded_at=2024-01-10}\n",
    )
    assert not lore.assert_fact("Atlas", "member", "Bo", valid_from="2024-02-01").many


@pytest.mark.parametrize(("many", "expected"), [(None, True), (False, False), (True, True)])
def test_the_settings_declare_many_and_a_flag_overrules(lore: Lore, many: bool | None, expected: bool) -> None:
    write(lore, '[facts]\nmany = ["Team_Member"]\n', "lore/config.toml")
    assert lore.assert_fact("Atlas", "team member", "Bo", many=many).many is expected
    assert not lore.assert_fact("Atlas", "owner", "Bo").many


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("[facts]\nmany = 3\n", "lore/config.toml:2: "),
        ("[facts]\nmnay = []\n", 'lore/config.toml:2: "mnay"'),
        ("[fact]\n", '"fact" is not a section'),
        ("[facts\n", "is not TOML"),
    ],
)
def test_settings_that_cannot_be_read_stop_a_write(lore: Lore, settings: str, message: str) -> None:
    write(lore, settings, "lore/config.toml")
    with pytest.raises(VaultError) as wrong:
        lore.assert_fact("Atlas", "owner", "Bo")
    assert message in wrong.value.message
    assert journal(lore) == []


# ------------------------------------------------------------------------------------------------- then resume


STAND_IN = {"valid_from": "2024-06-01", "valid_until": "2024-09-01", "then_resume": True}
BOB = "- [fact] Desk :: keeper :: Bob {valid_from=2024-01-01, recorded_at=2024-01-10}\n"


def test_what_held_before_resumes_with_its_own_end(lore: Lore) -> None:
    write(lore, BOB + "- [invalidate] Desk :: keeper {valid_until=2024-12-01, recorded_at=2024-01-11}\n")
    made = lore.assert_fact("Desk", "keeper", "Carol", **STAND_IN)  # type: ignore[arg-type]
    assert told(made) == {
        "superseded": ["Bob: 2024-06-01 → 2024-12-01"],
        "resumed": ["Bob: 2024-09-01 → 2024-12-01"],
    }
    assert len({line.split("recorded_at=")[1].split(",")[0] for line in journal(lore)}) == 1
    assert [believed(lore, "Desk", "keeper", as_of=day) for day in ("2024-08-31", "2024-09-01", "2024-12-01")] == [
        ["Carol"],
        ["Bob"],
        [],
    ]


@pytest.mark.parametrize(
    ("lines", "said", "message"),
    [
        ("", {}, "Nothing is believed of Desk :: keeper just before 2024-06-01"),
        (BOB, {"valid_until": None}, "needs an end"),
        (BOB, {"many": True}, "nothing has to resume"),
        (BOB + BOB.replace("Bob", "Dana").replace("2024-01-01", "2024-08-01"), {}, '"Dana" starts on 2024-08-01'),
        (BOB + BOB.replace("Bob", "Dana").replace("2024-01-01", "2024-09-01"), {}, '"Dana" starts on 2024-09-01'),
        (BOB.replace("recorded_at", "valid_until=2024-09-01, recorded_at"), {}, '"Bob" itself ends on 2024-09-01'),
    ],
)
def test_nothing_resumes_where_that_is_not_plain(lore: Lore, lines: str, said: dict[str, Any], message: str) -> None:
    write(lore, lines)
    with pytest.raises(Refused) as refused:
        lore.assert_fact("Desk", "keeper", "Carol", **{**STAND_IN, **said})
    assert message in refused.value.message
    assert journal(lore) == []


# ------------------------------------------------------------------------------------------------- closes


def test_a_close_tells_what_ended(lore: Lore) -> None:
    write(lore, GOOD)
    made = lore.invalidate_fact("Vendor", "reliability", valid_until="2024-06-01", because="audit")
    assert told(made) == {"ended": ["good: 2024-06-01 → now"]}
    assert journal(lore) == [
        "- [invalidate] Vendor :: reliability {valid_until=2024-06-01, recorded_at=2025-03-05T14:00:00Z, because=audit}"
    ]
    assert believed(lore, "Vendor", "reliability", as_of="2024-09-01", as_known_at="2025-03-05") == ["good"]


def test_a_close_of_one_object_leaves_the_others(lore: Lore) -> None:
    many = "- [fact] Atlas :: member :: {} {{valid_from=2024-01-01, recorded_at=2024-01-10, many}}\n"
    write(lore, many.format("Ana") + many.format("Bo"))
    assert told(lore.invalidate_fact("Atlas", "member", "ana")) == {"ended": ["Ana: 2025-03-05T14:00:00Z → now"]}
    assert believed(lore, "Atlas", "member") == ["Bo"]


@pytest.mark.parametrize(
    ("object_", "until", "message", "hint"),
    [
        (None, "2023-01-01", 'Vendor :: reliability started on 2024-01-01, after "2023-01-01".', "from 2024-01-01 on"),
        ("poor", None, "Nothing on record says Vendor :: reliability :: poor.", '"good"'),
        (None, "2024-08-01", 'Vendor :: reliability ended on 2024-07-01 already: "2024-08-01"', "before 2024-07-01"),
        (None, "2024-07-01", 'Vendor :: reliability ended on 2024-07-01 already: "2024-07-01"', "before 2024-07-01"),
    ],
)
def test_a_close_that_ends_nothing_is_refused(
    lore: Lore, object_: str | None, until: str | None, message: str, hint: str
) -> None:
    write(lore, GOOD + "- [invalidate] Vendor :: reliability {valid_until=2024-07-01, recorded_at=2024-07-01}\n")
    with pytest.raises(Refused) as refused:
        lore.invalidate_fact("Vendor", "reliability", object_, valid_until=until)
    assert message in refused.value.message
    assert hint in refused.value.hint
    assert journal(lore) == []


def test_a_close_of_an_empty_slot_is_refused(lore: Lore) -> None:
    with pytest.raises(Refused, match="Nothing is on record of Vendor :: contact"):
        lore.invalidate_fact("Vendor", "contact")
    assert journal(lore) == []


def test_a_close_of_what_was_retracted_is_refused(lore: Lore) -> None:
    write(lore, GOOD + "- [retract] Vendor :: reliability {recorded_at=2024-07-01}\n")
    with pytest.raises(Refused, match="Nothing is believed of Vendor :: reliability any more"):
        lore.invalidate_fact("Vendor", "reliability")


def test_a_bounded_value_is_shortened(lore: Lore) -> None:
    write(lore, GOOD.replace("recorded_at", "valid_until=2026-01-01, recorded_at"))
    made = lore.invalidate_fact("Vendor", "reliability", valid_until="2025-06-01")
    assert told(made) == {"ended": ["good: 2025-06-01 → 2026-01-01"]}
    assert believed(lore, "Vendor", "reliability") == ["good"]


# ------------------------------------------------------------------------------------------------- retractions


def test_a_retraction_tells_what_came_back(lore: Lore) -> None:
    write(lore, GOOD + GOOD.replace("good", "fair").replace("2024-01-01", "2024-06-01"))
    made = lore.retract_fact("Vendor", "reliability", "fair")
    assert told(made) == {"retracted": ["fair: 2024-06-01 → now"], "returned": ["good: 2024-06-01 → now"]}


def test_a_retraction_of_one_start_leaves_the_others(lore: Lore) -> None:
    write(lore, GOOD + GOOD.replace("2024-01-01", "2024-06-01"))
    lore.retract_fact("Vendor", "reliability", valid_from="2024-01-01")
    assert "valid_from=2024-01-01" in journal(lore)[0]
    days = ("2024-05-31", "2024-06-01")
    assert [believed(lore, "Vendor", "reliability", as_of=day) for day in days] == [[], ["good"]]


@pytest.mark.parametrize(
    ("object_", "start", "message", "hint"),
    [
        ("poor", None, "Nothing on record says Vendor :: reliability :: poor.", '"good"'),
        (None, "2024-02-01", 'Nothing on record of Vendor :: reliability starts on "2024-02-01".', "2024-01-01"),
    ],
)
def test_a_retraction_of_nothing_is_refused(
    lore: Lore, object_: str | None, start: str | None, message: str, hint: str
) -> None:
    write(lore, GOOD)
    with pytest.raises(Refused) as refused:
        lore.retract_fact("Vendor", "reliability", object_, valid_from=start)
    assert message in refused.value.message
    assert hint in refused.value.hint


def test_a_second_retraction_is_refused(lore: Lore) -> None:
    write(lore, GOOD)
    lore.retract_fact("Vendor", "reliability")
    with pytest.raises(Refused, match="retracted already"):
        lore.retract_fact("Vendor", "reliability")
    assert len(journal(lore)) == 1
