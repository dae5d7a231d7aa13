"""The names of the months, in English with their short forms, and in German, French and Spanish."""

from __future__ import annotations

ENGLISH = tuple("january february march april may june july august september october november december".split())
_OTHERS = (
    "januar februar märz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
)
_numbers = {
    **{name: number for names in _OTHERS for number, name in enumerate(names.split(), 1)},
    **{name[:3]: number for number, name in enumerate(ENGLISH, 1)},
    **{name: number for number, name in enumerate(ENGLISH, 1)},
    "sept": 9,
    "jänner": 1,
    "fevrier": 2,
    "aout": 8,
    "decembre": 12,
}


def month_of(name: str, *, dated: bool = True) -> int | None:
    """Give the number of a month by its name, in any case; a planet, ``Mars``, is one only beside a day (``dated``)."""
    name = name.lower()
    return None if name == "mars" and not dated else _numbers.get(name)
