"""What of a text is indexed as words, and what of a question is asked for."""

from __future__ import annotations

import sys
import time
import unicodedata

import pytest

from loreweave.notes.words import LONGEST, Asked, asked, terms, written


def asks(text: str, stemmer: str = "english") -> list[str]:
    return [each.term for each in asked(text, stemmer)]


def finds(question: str, text: str, stemmer: str = "english") -> bool:
    """Say whether every term of the question is one of the text."""
    wanted = asks(question, stemmer)
    return bool(wanted) and set(wanted) <= set(terms(text, stemmer))


def shares(question: str, text: str) -> bool:
    return not set(asks(question)).isdisjoint(terms(text))


def test_words_are_given_in_their_order_as_often_as_they_stand() -> None:
    assert terms("The vendor, the ledger: the vendors!") == ["the", "vendor", "the", "ledger", "the", "vendor"]


def test_a_text_without_words_gives_none() -> None:
    assert terms("") == terms(" \n\t--- *** '' ## ++ … — ") == []
    assert asked("?!") == ()


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("reviewing", "We reviewed it."),
        ("leases", "consumerLease"),
        ("consumerLease", "consumer_lease = 3"),
        ("consumer lease", "consumerLease"),
        ("consumerlease", "consumer-lease"),
        ("consumer_lease", "the consumer leases, and the consumerLease"),
        ("server", "HTTPServer.start()"),
        ("start", "HTTPServer.start()"),
        ("bar", "foo.bar()"),
        ("nodejs", "node.js"),
        ("init", "def __init__(self):"),
        ("C++", "It is written in C++."),
        ("c#", "C#, not F#"),
        ("2.0.1", "Release 2.0.1."),
        ("2024-03-01", "on 2024-03-01, at noon"),
        ("email", "an e-mail"),
        ("vendor", "#vendor/review"),
        ("review", "#vendor/review"),
        ("priya", "priya@atlas.example"),
        ("page", "[[Page#heading|shown]]"),
        ("USA", "the U.S.A."),
        ("obrien", "O’Brien"),
        ("don’t", "don't"),
        ("Priya", "Priya's ledger, Priya’s desk"),
    ],
)
def test_what_is_joined_is_found_whole_and_by_part(question: str, text: str) -> None:
    assert finds(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [("C++", "C#"), ("C#", "C"), ("201", "2.0.1"), ("art", "start"), ("20240301", "2024-03-01"), ("don", "don't")],
)
def test_what_only_looks_alike_is_not_found(question: str, text: str) -> None:
    assert not finds(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("冰川", "南方冰川的消融"),
        ("会議", "東京の会議室"),
        ("東", "東京"),
        ("京", "東京"),
        ("서울", "서울에서 만나요"),
        ("itgc", "重跑gen-itgc后"),
        ("重跑", "重跑gen-itgc后"),
        ("后", "重跑gen-itgc后"),
        ("ソフト", "ｿﾌﾄウェア"),
        ("भारत", "भारत में"),
        ("नमस्ते", "नमस्ते दुनिया"),
        ("ประเทศ", "ประเทศไทย"),
        ("می‌خواهم", "میخواهم"),
        ("میخواهم", "می‌خواهم"),
        ("glacier", "gla\ufeffcier"),
        ("glacier", "gla\u00adcier"),
        ("cafe", "un café"),
        ("résumé", "three resumes"),
        ("Lodz", "Łódź"),
        ("STRASSE", "Straße"),
        ("κοσμος", "ΚΌΣΜΟΣ"),
        ("елка", "Ёлка"),
        ("שלום", "שָׁלוֹם"),
        ("محمد", "مُحَمَّد"),
        ("istanbul", "İstanbul"),
        ("full", "Ｆｕｌｌ"),
        ("🔥", "it burns 🔥🔥"),
        ("☀", "☀\ufe0f today"),
    ],
)
def test_every_script_is_found(question: str, text: str) -> None:
    assert finds(question, text)


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
SCIENTIST = "\U0001f469\u200d\U0001f52c"
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
GERMANY, FRANCE = "\U0001f1e9\U0001f1ea", "\U0001f1eb\U0001f1f7"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"{FAMILY} family", [FAMILY, "famili"]),
        (f"{SCIENTIST}{FAMILY}", [SCIENTIST, FAMILY]),
        ("\U0001f469\U0001f3fd\u200d\U0001f52c", [SCIENTIST]),
        ("\U0001f3f3\ufe0f\u200d\U0001f308", ["\U0001f3f3\u200d\U0001f308"]),
        ("\U0001f642\u200d\u2194\ufe0f", ["\U0001f642\u200d\u2194"]),
        (f"{GERMANY}{FRANCE}", [GERMANY, FRANCE]),
        (ENGLAND, [ENGLAND]),
        ("\U0001f44d\U0001f3fd", ["\U0001f44d"]),
        ("\U0001f468\U0001f469", ["\U0001f468", "\U0001f469"]),
        ("\U0001f469\u200d", ["\U0001f469"]),
        ("\U0001f469\u200dx", ["\U0001f469", "x"]),
        ("\U0001f1e9", ["\U0001f1e9"]),
        ("\U0001f3f4\U000e0067", ["\U0001f3f4"]),
    ],
)
def test_an_emoji_of_several_characters_is_one_term_whatever_its_style(text: str, found: list[str]) -> None:
    assert (terms(text), asks(text)) == (found, found)


def test_an_emoji_is_not_found_by_a_part_of_it() -> None:
    assert not shares("\U0001f469", f"{FAMILY} {SCIENTIST}")
    assert not shares("\U0001f3f4", ENGLAND)


@pytest.mark.parametrize(
    ("question", "text"), [("東京", "京都 京東"), ("学机", "机器学习"), ("мои", "мой"), ("नमस", "नमस्ते"), ("か", "が")]
)
def test_a_pair_turned_round_and_a_mark_that_is_a_letter_are_not_found(question: str, text: str) -> None:
    assert not shares(question, text)


def test_a_question_drops_stop_words_and_a_text_keeps_them() -> None:
    assert asks("What don't I know about the vendor's lease?") == ["vendor", "leas"]
    assert terms("the vendor") == ["the", "vendor"]


def test_a_question_of_stop_words_alone_asks_for_them() -> None:
    assert asks("The Who") == ["the", "who"]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("什么是冰川", ["冰川"]),
        ("为什么冰川消融", ["冰川", "川消", "消融"]),
        ("茶怎么选", ["茶", "选"]),
        ("冰川和湖哪个更深？", ["冰川", "川和", "和湖", "更深"]),
        ("如何打开 log 的 文件", ["打开", "log", "文件"]),
        ("冰川是什麼樣的嗎", ["冰川"]),
        ("吗啡", ["吗啡"]),
        ("什么", ["什么"]),
        ("的", ["的"]),
    ],
)
def test_words_by_which_one_asks_in_chinese_are_dropped(question: str, wanted: list[str]) -> None:
    assert asks(question) == wanted


@pytest.mark.parametrize(
    ("word", "found", "parts"),
    [
        ("冰川消融很快", {"冰川", "川消", "很快"}, ["冰川消", "很快"]),
        ("冰川消融", {"冰川", "消融"}, ["冰川", "消融"]),
        ("冰川", {"冰川"}, ["冰川"]),
        ("冰", {"冰"}, ["冰"]),
        ("Leases", {"leas"}, ["Leases"]),
    ],
)
def test_of_a_run_without_blanks_what_was_found_is_told(word: str, found: set[str], parts: list[str]) -> None:
    assert written(word, found) == parts


def test_a_question_tells_the_word_behind_each_term_once() -> None:
    assert asked("Leases: lease consumerLease") == (
        Asked("leas", "Leases"),
        Asked("consumerleas", "consumerLease"),
        Asked("consum", "consumerLease"),
    )


@pytest.mark.parametrize(
    ("stemmer", "question", "text"),
    [
        ("none", "leases", "leases"),
        ("porter", "reviewing", "reviewed"),
        ("german", "Häuser", "das Haus"),
        ("french", "chevaux", "un cheval"),
        ("russian", "красивый", "красивая"),
        ("swedish", "flickorna", "flicka"),
    ],
)
def test_each_stemmer_joins_the_forms_of_its_language(stemmer: str, question: str, text: str) -> None:
    assert finds(question, text, stemmer)


def test_without_a_stemmer_forms_stay_apart() -> None:
    assert not finds("lease", "leases", "none")


def test_every_stemmer_that_may_be_set_is_there() -> None:
    from loreweave.vault.settings import SETTINGS

    for stemmer in SETTINGS["search"]["stemmer"]:
        assert terms("Atlas 2024", stemmer)[-1] == "2024"


def test_a_long_word_counts_by_its_beginning() -> None:
    assert terms("x" * 1000) == ["x" * LONGEST]
    assert finds("y" * 100, "y" * 90)
    assert terms("_".join(["ledger"] * 20)) == ["ledger"] * 20


def test_invisible_characters_are_all_ignored() -> None:
    signs = {"\u06dd", "\u08e2", "\U000110bd", "\U000110cd"} | set(map(chr, [*range(0x600, 0x606), 0x890, 0x891]))
    drawn = set(map(chr, range(0x13430, 0x13440)))
    for char in map(chr, range(sys.maxunicode + 1)):
        if unicodedata.category(char) == "Cf" and char not in signs | drawn:
            assert terms(f"led{char}ger") == ["ledger"], hex(ord(char))


@pytest.mark.parametrize(
    "char",
    [
        "x",
        "一",
        "a.",
        "aA",
        "-",
        "é",
        "'",
        "_",
        "a_",
        "\u0301",
        "e\u0301",
        "#",
        "1.1-",
        "🔥",
        "👩\u200d",
        "🇩",
        "🏴\U000e0067",
        "👩🏽",
    ],
)
def test_any_character_again_and_again_take_time_in_proportion(char: str) -> None:
    def cost(length: int) -> float:
        text = char * (length // len(char))
        begun = time.process_time()
        terms(text)
        asked(text)
        return time.process_time() - begun

    assert cost(400_000) < 40 * max(cost(40_000), 0.005)
