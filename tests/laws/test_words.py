"""Laws of words: however a text is spelled, cut or asked for, what is written is found."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loreweave.notes.stopwords import STOP_WORDS
from loreweave.notes.words import LONGEST, asked, terms

PIECES = (
    *(
        "vendor",
        "Ledger",
        "consumerLease",
        "renew_lease",
        "e-mail",
        "O'Brien",
        "don't",
        "C++",
        "C#",
        "2.0.1",
        "HTTPServer",
    ),
    *(
        "café",
        "Straße",
        "Łódź",
        "ΚΌΣΜΟΣ",
        "Ёлка",
        "мой",
        "नमस्ते",
        "می‌خواهم",
        "שָׁלוֹם",
        "東京都",
        "会議",
        "サーバー",
        "ｿﾌﾄ",
        "서울에서",
        "ภาษาไทย",
    ),
    *(
        "🔥",
        "👩‍🔬",
        "👩🏽‍🚀",
        "🇩",
        "🇪",
        "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
        "\u200d",
        "the",
        "-",
        "_",
        "'",
        "’",
        ".",
        "#",
        "++",
        " ",
        "\n",
        "\u00ad",
        "\ufeff",
        "\u0301",
        "ﬁ",
        "²",
        "x" * 70,
    ),
)
mixed = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
texts = st.one_of(
    mixed, st.text(max_size=60), st.text(st.characters(codec="utf-8", categories=["L", "M", "N"]), max_size=30)
)
stemmers = st.sampled_from(("english", "none", "german", "russian", "arabic"))
joints = st.sampled_from((" ", "\n", ", ", " — ", " (", "。"))


@given(texts, stemmers)
def test_what_is_asked_in_the_words_of_a_text_is_found_in_it(text: str, stemmer: str) -> None:
    assert {each.term for each in asked(text, stemmer)} <= set(terms(text, stemmer))


@given(texts, stemmers)
def test_a_question_asks_each_term_once_and_for_something_wherever_a_text_has_words(text: str, stemmer: str) -> None:
    wanted = [each.term for each in asked(text, stemmer)]
    assert len(wanted) == len(set(wanted))
    assert bool(wanted) == bool(terms(text, stemmer))


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
@given(text=texts, stemmer=stemmers)
def test_the_form_of_unicode_makes_no_difference(form: str, text: str, stemmer: str) -> None:
    assert terms(unicodedata.normalize(form, text), stemmer) == terms(text, stemmer)  # type: ignore[arg-type]


@given(st.lists(st.from_regex(r"[a-zà-öß-ÿάα-ωа-я]{1,12}", fullmatch=True), max_size=6))
def test_case_makes_no_difference_to_plain_words(words: list[str]) -> None:
    text = " ".join(words)
    assert terms(text.upper()) == terms(text) == terms(text.title())


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=30))
def test_full_width_makes_no_difference(text: str) -> None:
    assert terms("".join([chr(ord(char) + 0xFEE0) for char in text])) == terms(text)


@given(texts, texts, joints)
def test_texts_side_by_side_have_the_terms_of_both(first: str, second: str, joint: str) -> None:
    assert terms(f"{first}{joint} {second}") == terms(first) + terms(second)


@given(
    st.text("vendor東京 -_.'aA1", max_size=30),
    st.integers(0, 29),
    st.sampled_from("\u200b\u200d\u00ad\ufeff\u2060\ufe0f"),
)
def test_an_invisible_character_anywhere_makes_no_difference(text: str, place: int, char: str) -> None:
    assert terms(text[:place] + char + text[place:]) == terms(text)


@given(texts, stemmers)
def test_no_term_is_blank_or_longer_than_a_word_may_be(text: str, stemmer: str) -> None:
    for term in terms(text, stemmer):
        assert term.strip() == term != ""
        assert len(term) <= 4 * LONGEST


@given(st.text("東京都会議", min_size=2, max_size=8))
def test_characters_side_by_side_are_found_in_their_order_alone(run: str) -> None:
    pairs = {run[at : at + 2] for at in range(len(run) - 1)}
    assert {each.term for each in asked(run)} == pairs
    assert {term for term in terms(run) if len(term) == 2} == pairs
    assert set(run) <= set(terms(run))


@given(
    st.lists(st.sampled_from(sorted(STOP_WORDS)), max_size=5),
    st.lists(st.sampled_from(["vendor", "lease"]), min_size=1),
)
def test_stop_words_change_no_question_that_has_other_words(stop: list[str], words: list[str]) -> None:
    assert {each.term for each in asked(" ".join([*stop, *words, *stop]))} == {
        each.term for each in asked(" ".join(words))
    }
