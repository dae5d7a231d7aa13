"""What was said before, shared between states: each state keeps its own, whatever is added to another."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from loreweave.events.past import Past, Value

values = st.builds(Value, st.sampled_from("abc"), st.integers(1, 4), st.none())
steps = st.lists(
    st.tuples(st.integers(0, 9), st.sampled_from(("plus", "without")), st.lists(values, max_size=3)), max_size=12
)


@given(steps)
def test_states_that_share_a_past_are_like_tuples_of_their_own(done: list[tuple[int, str, list[Value]]]) -> None:
    states, tuples = [Past()], [()]
    for at, what, given_values in done:
        one, other = states[at % len(states)], tuples[at % len(tuples)]
        if what == "plus":
            states.append(one.plus(given_values))
            tuples.append((*other, *given_values))
        else:
            again = {value[:2] for value in given_values}
            states.append(one.without(again))
            tuples.append(tuple(value for value in other if value[:2] not in again))
    for state, expected in zip(states, tuples, strict=True):
        assert tuple(state) == expected
        assert len(state) == len(expected)
        assert state == Past(expected)
        assert state.latest == max((value.valid_from for value in expected), default=None)
