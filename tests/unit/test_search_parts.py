"""The parts of a search that need no index: votes, copies, marks, places, synonyms, dates as people write them."""

from __future__ import annotations

from hashlib import sha256
from time import process_time

import pytest

from loreweave.errors import BadRequest
from loreweave.search import fusion
from loreweave.search.constants import FIRST, FUSION, LEAST_VOTE, REACHED, TIMES
from loreweave.search.facets import facets
from loreweave.search.found import Question, address
from loreweave.search.marks import marks
from loreweave.search.passages import Passage
from loreweave.search.placing import placed, tells, with_named
from loreweave.search.reasons import shown
from loreweave.search.synonyms import synonyms
from loreweave.search.twins import together
from loreweave.search.wordings import read
from loreweave.times import read_instant

SENTENCE = "The vendor sends the papers twice a year and the archive keeps the older of both copies on the upper floor"


def passage(text: str, number: int = 1, path: str = "a.md", day: int | None = None) -> Passage:
    until = None if day is None else day + 1
    return Passage(number, path, "", number, number, text, sha256(text.encode()).hexdigest(), day, until)


# ----------------------------------------------------------------------------------------------------- votes


def test_equal_scores_share_a_rank_and_the_next_counts_them_all() -> None:
    assert fusion.ranks([(7, 9), (3, 9), (5, 8), (1, 8), (2, 1)]) == {7: 1, 3: 1, 5: 3, 1: 3, 2: 5}


def test_a_span_of_two_lists_stands_before_the_first_of_each() -> None:
    scores = fusion.fuse([[(1, 10), (2, 9)], [(3, 10), (2, 9)]])
    assert max(scores, key=scores.__getitem__) == 2
    assert scores[1] == scores[3] == pytest.approx(1 / (FUSION + 1))


def test_a_list_whose_best_scores_little_has_less_of_a_vote_but_never_less_than_the_least() -> None:
    scores = fusion.fuse([[(1, 1_000)], [(2, 500)], [(3, 0)]])
    assert scores[2] / scores[1] == pytest.approx(LEAST_VOTE + (1 - LEAST_VOTE) / 2)
    assert scores[3] / scores[1] == pytest.approx(LEAST_VOTE)


@pytest.mark.parametrize("lists", [[], [[]], [[], []]])
def test_of_no_spans_there_are_no_scores(lists: list[list[tuple[int, int]]]) -> None:
    assert fusion.fuse(lists) == {}


# ---------------------------------------------------------------------------------------------------- copies


def test_the_same_text_is_one_however_far_behind_its_copy_stands() -> None:
    others = [passage(f"{SENTENCE} {number}", number) for number in range(10, 90)]
    groups = together([passage(SENTENCE, 1), *others, passage(SENTENCE, 2)], 1)
    assert [each.span_id for each in groups[0]] == [1, 2]


def test_nearly_the_same_text_is_one_and_another_one_is_not() -> None:
    near, other = (
        f"{SENTENCE}.",
        SENTENCE.replace("vendor", "office").replace("upper", "lower").replace("twice", "once"),
    )
    groups = together([passage(SENTENCE, 1), passage(near, 2), passage(other, 3)], 5)
    assert [[each.span_id for each in group] for group in groups] == [[1, 2], [3]]


def test_texts_that_differ_in_a_number_are_two() -> None:
    one, other = f"{SENTENCE} since 2023", f"{SENTENCE} since 2024"
    assert len(together([passage(one, 1), passage(other, 2)], 5)) == 2


@pytest.mark.parametrize("end", ["", "."])
def test_the_same_of_another_time_is_another_up_to_a_few_times(end: str) -> None:
    first, *others = [passage(SENTENCE + end * (number > 1), number, day=number) for number in range(1, TIMES + 3)]
    again = [passage(SENTENCE, 11, day=2), passage(SENTENCE, 12)]
    groups = together([first, *others, *again], 20)
    assert [group[0].span_id for group in groups] == [*range(1, TIMES + 1)]
    assert 11 in [each.span_id for each in groups[1]]
    assert sum(map(len, groups)) == len(others) + 3


def test_copies_are_found_in_a_script_without_blanks() -> None:
    text = "供应商每年寄送两次文件档案室保存较旧的副本放在楼上的柜子里面以便随时查阅"
    assert len(together([passage(text, 1), passage(f"{text}。", 2)], 5)) == 1


@pytest.mark.parametrize("text", ["", "—", "a", "\n"])
def test_texts_with_nothing_to_compare_are_copies_of_themselves_alone(text: str) -> None:
    assert len(together([passage(text, 1), passage(text, 2), passage(SENTENCE, 3)], 5)) == 2


# ----------------------------------------------------------------------------------------------------- marks


@pytest.mark.parametrize(
    ("text", "asked", "found"),
    [
        ("Vendors, vendor and VENDOR's desk", {"vendor"}, ("Vendors", "vendor", "VENDOR's")),
        ("The start of the cart", {"art"}, ()),
        ("Das Café, das cafe", {"cafe"}, ("Café", "cafe")),
        ("the consumer-lease", {"leas"}, ("lease",)),
        ("冰川流量", {"冰川", "流量"}, ("冰川", "流量")),
        ("机器学习", {"学机"}, ()),
    ],
)
def test_words_are_marked_as_they_are_written(text: str, asked: set[str], found: tuple[str, ...]) -> None:
    assert marks(text, asked, "english") == found


# ---------------------------------------------------------------------------------------------------- places


def test_what_words_find_and_what_links_reach_take_turns_and_words_begin() -> None:
    words, links = [f"d{number}" for number in range(FIRST + 2)], [f"l{number}" for number in range(REACHED + 1)]
    assert placed(words, links) == [*words[:FIRST], *links[:REACHED], *words[FIRST:], links[-1]]


def test_what_links_reach_stands_alone_where_words_find_nothing() -> None:
    assert placed([], ["x", "y"]) == ["x", "y"]
    assert placed(["d"], ["x"]) == ["d", "x"]


def test_a_note_asked_for_by_its_name_that_links_alone_reach_stands_first() -> None:
    found, other, named = [passage("a")], [passage("b")], [passage("c", path="c.md")]
    assert with_named([found], [other, named], [{"c.md": "C"}]) == [named, found]
    assert with_named([found], [other, named], [{"a.md": "A"}, {"c.md": "C"}]) == [found, named]
    assert with_named([found], [other], [{"a.md": "A"}]) == [found]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# Ledger\n\n![a picture of the ledger](ledger.png)\n", False),
        ("![[Daily.base]]\n", False),
        ("- [[Vendor]], [[Atlas|the project]]\n- <https://example.org/ledger> https://example.org\n", False),
        ("## All\n```tasks\nnot done\n```\n", False),
        ("~~~\n```\nstill code\n~~~", False),
        ("", False),
        ("```\ncode\n```\nand a word", True),
        ("- [[Vendor]] delivers\n", True),
        ("供应商[[河]]", True),
        ("owner:: [[Priya]]", True),
    ],
)
def test_pictures_links_and_code_alone_say_nothing(text: str, said: bool) -> None:
    assert tells(text) is said


@pytest.mark.parametrize("unit", ["[", "[[", "![](", "<", "[a](", "https://", "```\n"])
def test_what_a_passage_says_is_told_in_time(unit: str) -> None:
    began = process_time()
    tells(unit * 500_000)
    assert process_time() - began < 2


# ---------------------------------------------------------------------------------------- words and wordings


def test_synonyms_are_mutual_and_never_the_word_itself() -> None:
    assert "funder" in synonyms("benefactor", "english")
    for one in ("benefactor", "vendor", "car"):
        for other in synonyms(one, "english"):
            assert one in synonyms(other, "english")
            assert one != other


def test_there_are_synonyms_in_english_alone() -> None:
    assert not synonyms("vendor", "german")
    assert not synonyms("glacier", "english")


def test_wordings_of_the_same_words_are_one_and_blank_ones_none() -> None:
    found = read(("ledger format", "", "The ledger formats", "format ledger", "  "), "english")
    assert [wording.text for wording in found] == ["ledger format", "format ledger"]


@pytest.mark.parametrize("texts", [(), ("",), (" ", "\t")])
def test_a_question_without_a_word_is_refused(texts: tuple[str, ...]) -> None:
    with pytest.raises(BadRequest, match="empty"):
        read(texts, "english")


# -------------------------------------------------------------------------------------------- places and times


@pytest.mark.parametrize(
    ("begins", "until", "text"),
    [
        ("2024-03-05", "2024-03-06", "2024-03-05"),
        ("2024-03-01", "2024-04-01", "2024-03"),
        ("2023-12-01", "2024-01-01", "2023-12"),
        ("2024-01-01", "2025-01-01", "2024"),
        ("2024-01-01", "2024-03-01", "2024-01-01 to 2024-02-29"),
        ("2024-03-05", "2024-04-02", "2024-03-05 to 2024-04-01"),
        ("2024-03-05T09:00:00Z", "2024-03-05T10:00:00Z", "2024-03-05"),
    ],
)
def test_a_stretch_is_written_as_people_do(begins: str, until: str, text: str) -> None:
    assert shown(read_instant(begins), read_instant(until)) == text


def test_the_last_year_of_the_calendar_can_be_written() -> None:
    assert shown(read_instant("9999-12-01"), read_instant("9999-12-31T23:59:59Z")) == "9999-12-01 to 9999-12-31"


def test_an_address_names_no_heading_where_there_is_none() -> None:
    assert address("a.md", "Ledger", 3, 9) == "a.md#Ledger:3-9"
    assert address("a.md", "", 3, 9) == "a.md:3-9"


@pytest.mark.parametrize("folder", [None, "", "/", ".", "./"])
def test_the_whole_vault_is_no_condition(folder: str | None) -> None:
    assert not facets(Question(wordings=("ledger",), folder=folder)).any
