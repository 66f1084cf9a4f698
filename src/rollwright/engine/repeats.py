"""Something done again and again until it has come to an end, and how often that takes.

At the table it goes on for as long as it takes. Counting stops at a bound, and what has not ended
by then is lost, and said to be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import lcm
from typing import Any, Generic, NamedTuple, TypeVar

from rollwright.budget import Budget
from rollwright.dice import Outcome, in_order
from rollwright.engine.steps import CutStep, Needs, Rule, State, Step, counted_by
from rollwright.errors import Misuse, NeverEnds
from rollwright.exact import Dist
from rollwright.readings import matches

S = TypeVar("S")

MOST_SHOWN = 8
BOUND = 100
"""How many times are counted, if nothing else is said."""

Part = Step[Any] | Callable[[State], Step[Any]]
"""Part to repeat: a step, or a function that gives the next one for the present state."""
Moved = Callable[[State, Outcome], State] | None
"""Makes the next state of the last one and an outcome; without, the outcome is the state."""


class Repeats(NamedTuple, Generic[S]):
    """How often something was done, and the state it ended in."""

    times: int
    last: S


@Rule
async def repeats(
    part: Part, until: object, step: Moved, bound: int, times: int, last: State
) -> Outcome:
    """Do it once more, and see whether that was enough."""
    if times and times % bound == 0:
        await CutStep()
    outcome = await _next(part, last)
    now = outcome if step is None else step(last, outcome)
    if matches(until, (now,))(now):
        return Repeats(times + 1, now)
    return repeats(part, until, step, bound, times + 1, now)


def _next(part: Part, last: State) -> Step[Any]:
    following = part if isinstance(part, Step) else part(last)
    if not isinstance(following, Step):
        raise Misuse(f"what is repeated is a rule or a throw, not {following!r}")
    return following


@counted_by(repeats)
def _odds(
    part: Part,
    until: object,
    step: Moved,
    bound: int,
    times: int,
    last: State,
    budget: Budget | None,
) -> Needs[Dist[Outcome]]:
    """Time by time, with each state's ways onward worked out once."""
    budget = budget or Budget.default()
    spend = budget.spend
    known: dict[State, tuple[list[tuple[State, int, bool]], int]] = {}
    states: dict[State, int] = {last: 1}
    ended: list[tuple[int, dict[State, int], int]] = []
    total = 1
    for time in range(times + 1, times + 1 + bound - times % bound):
        for state in states:
            if state not in known:
                dist = yield _next(part, state)
                spend(CALLED * len(dist), "what is repeated", _LESS)
                known[state] = _onward(dist, until, step, state), dist.total
                number = 3 + len(known[state][0])
                budget.keep_states(state, number, KEPT, "what is repeated", _LESS)
        common = lcm(*[known[state][1] for state in states])
        total *= common
        ends: dict[State, int] = {}
        after: dict[State, int] = {}
        for state, ways in states.items():
            cases, whole = known[state]
            spend(2 * len(cases) * (1 + total.bit_length() // 1000), "what is repeated", _LESS)
            ways *= common // whole
            for now, weight, is_end in cases:
                into = ends if is_end else after
                into[now] = into.get(now, 0) + ways * weight
        ended.append((time, ends, total))
        states = after
        if not states:
            break
    if states.keys() <= known.keys() and not any(ends for _, ends, _ in ended):
        raise _never(until, states)
    weights: dict[Outcome, int] = {}
    for time, ends, whole in ended:
        for now, ways in ends.items():
            weights[Repeats(time, now)] = ways * (total // whole)
    return Dist._build(weights, total, total - sum(weights.values()))


def _never(until: object, states: Iterable[State]) -> NeverEnds:
    """The refusal to count what cannot come to its end, with what it comes to."""
    end = "what would end it" if callable(until) else repr(until)
    came = in_order(states)
    listed = ", ".join(map(repr, came[:MOST_SHOWN])) + (", …" if len(came) > MOST_SHOWN else "")
    return NeverEnds(f"{end} never comes, so this goes on for ever: it comes to {listed}")


CALLED = 20
"""Steps of counting that making the next state takes."""
KEPT = 100
"""About how many bytes are kept for each way onward from a state, beside the state."""
_LESS = "keep less in the state, or count fewer times with bound="


def _onward(
    dist: Dist[Outcome], until: object, step: Moved, state: State
) -> list[tuple[State, int, bool]]:
    """Return where one more time leads from a state, and whether that is the end."""
    merged: dict[State, int] = {}
    for outcome, weight in dist.items():
        now = outcome if step is None else step(state, outcome)
        try:
            merged[now] = merged.get(now, 0) + weight
        except TypeError:
            raise Misuse(f"a state is an unchanging value, not {now!r}") from None
    return [(now, weight, bool(matches(until, (now,))(now))) for now, weight in merged.items()]
