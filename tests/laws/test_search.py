"""Laws of search: what is ranked is what the formula says, however postings were read and whatever is asked along."""

from __future__ import annotations

from collections.abc import Iterator
from math import log
from random import Random

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loreweave.library import Lore
from loreweave.notes.words import asked, terms
from loreweave.search import direct, ranking, statistics
from loreweave.search.constants import AROUND, BESIDE, K1, METADATA, SURROUNDINGS, UNIT, B
from loreweave.search.found import Question
from typed import vault

WORDS = "vendor ledger paper invoice office archive copy month summer train bridge river stone lamp".split()
FOLDERS = ("office", "archive", "office/old")
NOTES = 24


@pytest.fixture(scope="module")
def lore(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lore]:
    """A vault of random notes of some passages each, without a link, and with one note of another scope."""
    chance = Random(7)
    notes = {f"{FOLDERS[n % 3]}/{WORDS[n % 14]}-{n}.md": _note(chance, n) for n in range(NOTES)}
    settings = {"lore/config.toml": '[scopes]\n"elsewhere" = "elsewhere"\n'}
    other = {"elsewhere/all.md": "# All\n\n" + " ".join(WORDS * 30)}
    with Lore(vault(tmp_path_factory.mktemp("search"), notes | settings | other)) as opened:
        yield opened


def _note(chance: Random, number: int) -> str:
    parts = [" ".join(chance.choices(WORDS, k=chance.randint(1, 12))) for _ in range(chance.randint(1, 6))]
    return (
        f"# Note {number}\n\n" + "".join(f"{part}\n\n## Part {at}\n\n" for at, part in enumerate(parts)) + "the end\n"
    )


wordings = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True).map(" ".join)
several = st.lists(wordings, min_size=1, max_size=3, unique=True)


def ranked(lore: Lore, *said: str, folder: str | None = None) -> ranking.Ranking:
    with lore.asking() as session:
        read = direct.Asked.read(session, Question(wordings=said, folder=folder))
        return ranking.rank(session, read.weighed, read.known, read.facets, 1_000)


@attrs.frozen
class Field:
    counts: dict[str, int]
    words: int


@attrs.frozen
class Reference:
    """The formula once more, over all passages and in plain loops."""

    fields: dict[int, tuple[Field, Field]]

    @classmethod
    def of(cls, lore: Lore) -> Reference:
        fields: dict[int, tuple[Field, Field]] = {}
        with lore.asking() as session:
            for span_id, words, said in session.rows(
                "select span_id, words, metadata_words from spans where scope_key = 'default'"
            ):
                fields[span_id] = Field({}, words), Field({}, said)
            for term, field, span_id, often in session.rows(
                "select term, field, span_id, tf from postings where scope_key = 'default'"
            ):
                fields[span_id][field != "text"].counts[term] = often
        return cls(fields)

    def part(self, span_id: int, term: str, which: int) -> int:
        count = len(self.fields)
        having = sum(term in both[which].counts for both in self.fields.values())
        average = sum(both[which].words for both in self.fields.values()) / count
        field = self.fields[span_id][which]
        often = field.counts.get(term, 0)
        weight = (K1 + 1) * UNIT * log(1 + (count - having + 0.5) / (having + 0.5)) * (METADATA if which else 1)
        return round(weight * often / (often + K1 * (1 - B + B * field.words / average)))

    def scores(self, wording: str) -> dict[int, int]:
        texts = {
            one.term: {span_id: part for span_id in self.fields if (part := self.part(span_id, one.term, 0))}
            for one in asked(wording)
        }
        alone = {span_id: sum(text.get(span_id, 0) for text in texts.values()) for span_id in self.fields}
        found = {}
        for span_id in self.fields:
            score: float = alone[span_id] + sum(self.part(span_id, term, 1) for term in texts)
            for step, share in BESIDE.items():
                score += share * alone.get(span_id + step, 0)
            for text in texts.values():
                near = (text.get(span_id + step, 0) for step in range(-AROUND, AROUND + 1))
                score += SURROUNDINGS * max(near)
            found[span_id] = round(score)
        return found


@given(wording=wordings)
def test_spans_rank_by_the_formula(lore: Lore, wording: str) -> None:
    expected = Reference.of(lore).scores(wording)
    (found,) = ranked(lore, wording).lists
    assert found
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    assert {span_id: expected[span_id] for span_id, _ in found if span_id in expected} == {
        span_id: score for span_id, score in found if span_id in expected
    }
    own = {span_id for span_id, both in Reference.of(lore).fields.items() if _has(both, wording)}
    assert own <= {span_id for span_id, _ in found}


def _has(both: tuple[Field, Field], wording: str) -> bool:
    return any(term in field.counts for term in terms(wording) for field in both)


@given(said=several)
def test_postings_read_at_once_or_found_by_the_database_rank_alike(lore: Lore, said: list[str]) -> None:
    at_once = ranked(lore, *said)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(statistics, "AT_HAND", 0)
        assert ranked(lore, *said) == at_once


@given(said=several, chance=st.randoms(use_true_random=False))
def test_the_order_of_wordings_does_not_show(lore: Lore, said: list[str], chance: Random) -> None:
    turned = chance.sample(said, len(said))
    first, second = lore.search(*said, limit=50), lore.search(*turned, limit=50)
    assert [(each.address, each.score, each.also) for each in first.results] == [
        (each.address, each.score, each.also) for each in second.results
    ]


@given(wording=wordings, folder=st.sampled_from(FOLDERS))
def test_within_a_folder_spans_rank_as_they_do_in_the_whole(lore: Lore, wording: str, folder: str) -> None:
    whole, within = ranked(lore, wording), ranked(lore, wording, folder=folder)
    with lore.asking() as session:
        there = {span_id for (span_id,) in session.rows(f"from spans select span_id where path like '{folder}/%'")}
    having = [each for each in whole.lists[0] if each[0] in there & whole.words.keys()]
    assert [each for each in within.lists[0] if each[0] in within.words] == having


@given(said=several)
def test_notes_of_another_scope_show_in_nothing(lore: Lore, said: list[str]) -> None:
    assert not any(each.path.startswith("elsewhere/") for each in lore.search(*said, limit=1_000).results)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lore]:
    """Notes with links to each other, some called by a word and some alike but for their date."""
    chance = Random(11)
    notes = {f"{word}.md": _linked(chance, word) for word in WORDS[:9]}
    days = {f"days/2024-05-{day:02}.md": "The vendor was in the office.\n" for day in range(1, 9)}
    twice = {f"other/{word}.md": _linked(chance, word) for word in WORDS[:2]}
    many = {f"many/{at}.md": f"# Talk {at}\n\n{' '.join(chance.choices(WORDS[9:], k=3))}\n" for at in range(80)}
    with Lore(vault(tmp_path_factory.mktemp("web"), {**notes, **days, **twice, **many})) as opened:
        yield opened


def _linked(chance: Random, word: str) -> str:
    parts = (" ".join([*chance.choices(WORDS, k=4), f"[[{chance.choice(WORDS[:9])}]]"]) for _ in range(9))
    return "".join(f"## Of {word}\n\n{part}\n\n" for part in parts)


@given(said=several, limit=st.integers(1, 20))
@pytest.mark.parametrize("which", ["lore", "web"])
def test_fewer_results_are_the_first_of_more(
    request: pytest.FixtureRequest, which: str, said: list[str], limit: int
) -> None:
    lore: Lore = request.getfixturevalue(which)
    few, more = lore.search(*said, limit=limit).results, lore.search(*said, limit=20).results
    assert [(each.address, each.score) for each in few] == [(each.address, each.score) for each in more][:limit]
