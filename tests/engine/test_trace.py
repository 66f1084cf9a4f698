"""The trace: which rule and which part asked for which entry, and what each came to."""

from __future__ import annotations

from typing import Any

import pytest

from rollwright.dice import D6, D8, D12, Pool
from rollwright.engine.endings import Ending, gather, offer
from rollwright.engine.sources import SeededSource, TypedSource
from rollwright.engine.steps import Call
from rollwright.engine.trace import Trace
from rollwright.engine.transcript import Transcript, play
from rollwright.rules import choose, roll, rule, tally, together
from tests.engine.examples import (
    duel,
    gambler,
    look_later,
    lowest_of,
    push_roll,
    secret_number,
    try_again,
    until_six,
)


def traced(call: Call[Any], *faces: Any) -> Trace:
    """The trace of a rule after these faces."""
    return play(call, source=TypedSource(faces)).trace


@rule
async def climb(floors: int) -> int:
    """Climb floor after floor, each a part of its own, then rest."""
    height = 0
    for floor in range(floors):
        height += await step_up(floor)
    await choose("rest", "sit")
    return height


@rule
async def step_up(floor: int) -> Ending[int]:
    """A throw, and another where it shows a 1."""
    face = sum(await roll(D6))
    return slip(floor) if face == 1 else face


@rule
async def slip(floor: int) -> Ending[int]:
    """Hold on."""
    return tally(D6, start=-floor)


def test_a_rule_without_parts_lists_its_own_entries():
    """Throws and choices belong to the rule that asked for them, in order."""
    transcript = (
        play(push_roll(Pool([D8, D12])), source=TypedSource([3, 7])).choose("push").throw([6])
    )
    trace = transcript.trace
    assert (trace.rule, trace.args) == ("push_roll", (Pool([D8, D12]),))
    assert (trace.entries, trace.parts) == ((0, 1, 2), ())
    assert (trace.outcome, trace.is_done) == (transcript.outcome, True)


def test_parts_have_their_own_entries_arguments_and_outcomes():
    """A part that was awaited is a trace of its own, and so is what it ended in a rule of it."""
    trace = traced(climb(3), 4, 1, 5, 6)
    assert str(trace) == "climb[step_up[0] = 4, step_up[1] > slip[2] = 4, step_up[3] = 6]"
    assert [part.args for part in trace.parts] == [(0,), (1,), (2,)]
    assert [part.outcome for part in trace.parts] == [4, 4, 6]
    assert trace.parts[1].entries == (1, 2)
    assert [played.rule for played in trace.parts[1].rules] == ["step_up", "slip"]
    assert not trace.is_done


def test_a_part_under_way_is_open():
    """What waits for an answer has no outcome yet, nor have those around it."""
    trace = Transcript(climb(2)).throw([3]).throw([1]).trace
    assert str(trace) == "climb[step_up[0] = 3, step_up[1] > slip]"
    assert [part.is_done for part in trace.parts] == [True, False]


def test_the_parts_of_together_belong_to_the_rule_that_awaits_them():
    """`together` has no rule of its own: its rules are parts, its throws the rule's own."""
    assert str(traced(duel(3), 16, 9)) == "duel[with_bonus[0] = 19, 1] = win"


def test_the_parts_of_gather_are_parts_one_by_one():
    """Of a gather counting keeps a running state; the trace keeps every part."""
    trace = traced(lowest_of(3), 16, 8, 19)
    assert [part.outcome for part in trace.parts] == [16, 8, 19]
    assert trace.outcome == 8


@rule
async def nested(deep: bool) -> Ending[Any]:
    """A together in a together, awaited or as the ending."""
    if not deep:
        return gather([climb_one(4)], None, _goes_on)
    return together(together(climb_one(1), climb_one(2)), climb_one(3))


@rule
async def climb_one(number: int) -> Ending[int]:
    """One throw."""
    return tally(D6, start=number)


def _goes_on(state: Any, outcome: int) -> Any:
    return climb_one(outcome)


def test_a_together_as_the_ending_belongs_to_the_rule_that_ended_in_it():
    """Wherever it stands, its parts are told once and at one level."""
    assert str(traced(nested(True), 1, 2, 3)) == (
        "nested[climb_one[0] = 2, climb_one[1] = 4, climb_one[2] = 6] = ((2, 4), 6)"
    )


def test_a_gather_whose_state_is_a_rule_goes_on_in_it():
    """A rule that comes out of a gather at the end follows the rule around it."""
    assert str(traced(nested(False), 1, 2)) == "nested[climb_one[0] = 5] > climb_one[1] = 7"


@rule
async def around_a_gather() -> int:
    """Awaits a gather that comes to a rule."""
    found: int = await gather([climb_one(4)], None, _goes_on)
    return found + 100


def test_an_awaited_gather_whose_state_is_a_rule_has_it_as_a_part():
    """A rule that comes out of a gather in the middle is one more part."""
    assert str(traced(around_a_gather(), 1, 2)) == (
        "around_a_gather[climb_one[0] = 5, climb_one[1] = 7] = 107"
    )


def test_endings_follow_each_other_flat():
    """A rule that ends in itself for ever makes the trace longer, not deeper."""
    trace = traced(until_six(1), 2, 3, 6)
    assert [played.args for played in trace.rules] == [(1,), (2,), (3,)]
    assert [played.entries for played in trace.rules] == [(0,), (1,), (2,)]
    assert (trace.outcome, trace.parts) == (3, ())
    assert trace.runs_of("until_six") == trace.rules


def test_a_rule_that_asks_for_nothing_is_there_too():
    """The last rule of a loop only says how it ended."""
    assert str(traced(gambler(1, 2), "heads")) == "gambler[0] > gambler = rich"


def test_an_offer_belongs_to_the_rule_that_made_it():
    """The choice is the entry of whoever offered it; what it leads to follows."""
    transcript = play(try_again(6), source=TypedSource([2])).choose("again").throw([5])
    assert str(transcript.choose("stop").trace) == "try_again[0, 1] > try_again[2, 3] = 5"


def test_looks_are_no_entries():
    """A look shows what lies there already."""
    assert traced(look_later(2 * D6), 2, 5).entries == (0,)


def test_a_seat_learns_what_it_missed():
    """Each throw says who saw it, so that a caller can decide what may be told to whom."""
    trace = traced(secret_number(), 5)
    assert trace.missed_by("player") == (0,)
    assert trace.missed_by("referee") == ()
    assert trace.rules[0].happened[0].sees == ("referee",)


@rule
async def secret_part() -> int:
    """A secret throw in a part of a part."""
    return await hidden_climb()


@rule
async def hidden_climb() -> Ending[int]:
    """A part that hides its throw, and one that does not."""
    seen = await climb_one(0)
    return tally(D6, start=seen, sees=["referee"])


def test_a_secret_in_a_part_is_missed_in_all_around_it():
    """Whoever asks the whole learns of a hidden throw however deep it lies."""
    trace = traced(secret_part(), 2, 3)
    assert trace.missed_by("player") == trace.parts[0].missed_by("player") == (1,)
    assert trace.parts[0].parts[0].missed_by("player") == ()


def test_played_lists_rules_in_the_order_they_were_begun():
    """A part comes before whatever the rule around it ended in."""
    trace = traced(climb(2), 1, 2, 3)
    assert [here.rule for here in trace.walk()] == ["climb", "step_up", "slip", "step_up"]
    assert [here.args for here in trace.runs_of("step_up")] == [(0,), (1,)]


@rule
async def deep(levels: int) -> Ending[int]:
    """Rules inside each other."""
    if not levels:
        return tally(D6)
    return await deep(levels - 1) + 1


def test_a_deep_trace_needs_no_stack():
    """Two thousand rules inside each other are traced like two."""
    trace = traced(deep(2000), 4)
    assert trace.outcome == 2004
    assert trace.entries == (0,)
    assert sum(1 for _ in trace.walk()) == 2001


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "call", [climb(3), duel(1), lowest_of(4), until_six(1), look_later(3 * D6), secret_number()]
)
def test_a_stored_roll_has_the_trace_it_was_played_with(call, seed):
    """Replayed from JSON, or entry by entry, a roll has the same trace; every entry is in it."""
    played = play(call, source=SeededSource(seed), policy=lambda situation: situation.options[-1])
    assert Transcript.from_json(played.to_json()).trace == played.trace
    assert played.trace.entries == tuple(range(len(played.entries)))
    step_by_step = Transcript(call)
    for entry in played.entries:
        step_by_step = step_by_step.then(entry)
    assert step_by_step.trace == played.trace


@rule
async def offered_part() -> int:
    """Awaits an offer that may lead into a rule."""
    found: int = await offer({"none": 0, "throw": climb_one(1)})
    return found + 10


def test_a_rule_that_an_awaited_offer_leads_into_is_a_part():
    """The choice is the rule's own entry, and what was chosen is played as a part of it."""
    chosen = Transcript(offered_part()).choose("throw").throw([4])
    assert str(chosen.trace) == "offered_part[0, climb_one[1] = 5] = 15"
