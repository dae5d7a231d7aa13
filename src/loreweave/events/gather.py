"""The values of one field put together: which are one, and which hold beside each other.

Equal objects are one value, as sure as the surest of them, on the line of the first; one without times of its own is
the same as one with. Several objects hold beside each other, unless each has a start of its own: those are a history.
"""

from __future__ import annotations

from loreweave.events.values import Value

_Key = tuple[object, ...]


def gather(values: list[Value]) -> tuple[list[Value], bool]:
    """Join the values of one field that are one, in the order of their lines, and say whether they are many."""
    if len(values) == 1:
        return values, values[0].listed
    found: dict[_Key, Value] = {}
    dated: dict[str, _Key] = {}
    for value in sorted(values, key=_is_undated):
        own = (value.object_key, value.valid_from, value.valid_until)
        place = dated.setdefault(value.object_key, own) if _is_undated(value) else own
        dated.setdefault(value.object_key, own)
        found[place] = _joined(found[place], value) if place in found else value
    values = sorted(found.values(), key=lambda value: value.line)
    starts = {value.valid_from for value in values}
    is_history = None not in starts and len(starts) == len(values)
    is_many = any(value.listed for value in values) or (len(dated) > 1 and not is_history)
    return values, is_many


def _is_undated(value: Value) -> bool:
    return value.valid_from is None and value.valid_until is None


def _joined(first: Value, second: Value) -> Value:
    """Join two values of one object; the times are those of the first."""
    above = min(first, second, key=lambda value: value.line)
    return above._replace(
        valid_from=first.valid_from,
        valid_until=first.valid_until,
        confidence=max(first.confidence, second.confidence),
        listed=first.listed or second.listed,
    )
