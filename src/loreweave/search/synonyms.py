"""Words that mean the same, asked for where a vault does not have the word of the question at all.

A word that is in the vault is never widened: who writes "vendor" and asks for "vendor" means it.
"""

from __future__ import annotations

from functools import cache

from loreweave.notes.words import terms

_RINGS = """
    vendor supplier seller provider
    customer client buyer patron
    donor funder benefactor sponsor backer
    employee staff worker personnel
    boss manager supervisor superior
    colleague coworker teammate
    salary wage pay compensation
    price cost fee charge
    contract agreement deal
    meeting appointment session gathering
    bug defect fault flaw
    error mistake failure
    fix repair mend
    start begin commence launch
    end finish conclude terminate
    buy purchase acquire
    sell vend
    car automobile vehicle
    house home residence dwelling
    flat apartment
    doctor physician
    illness disease sickness ailment
    medicine medication drug
    lawyer attorney solicitor
    teacher instructor tutor
    film movie
    photo picture photograph image
    trip journey voyage travel
    holiday vacation
    job occupation profession
    money cash funds
    goal aim objective target
    idea thought notion concept
    answer reply response
    question query
    error exception
    guide manual handbook
    invoice bill
    deadline due
    big large huge
    small little tiny
    quick fast rapid
    delete remove erase
    cancel abort revoke
    argument dispute quarrel
"""


@cache
def _rings(stemmer: str) -> dict[str, dict[str, str]]:
    """Give the synonyms of each term: their terms, each with its word."""
    found: dict[str, dict[str, str]] = {}
    for line in _RINGS.split("\n"):
        ring = {terms(word, stemmer)[0]: word for word in line.split()}
        for term in ring:
            found.setdefault(term, {}).update({other: word for other, word in ring.items() if other != term})
    return found


def synonyms(term: str, stemmer: str) -> dict[str, str]:
    """Give the terms of words that mean the same as this one, each with its word; in English alone."""
    return _rings(stemmer).get(term, {}) if stemmer in ("english", "porter") else {}
