"""A throw may end in a choice: its finish gives an offer, and nothing is played again for it."""

from __future__ import annotations

import gc
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rollwright as rw
from rollwright.dice import D4, D6, Die, Pool
from rollwright.engine.best.advice import advise, best
from rollwright.engine.endings import Ending, fold, offer, tally
from rollwright.engine.odds import chains
from rollwright.engine.odds.count import Situation, odds
from rollwright.engine.position import Position
from rollwright.errors import HiddenChoices, NeedsPolicy
from rollwright.readings import lasting, readings
from rollwright.rules import Hand, roll, rule, together
from tests.engine.oracles import fractions, slow_best, slow_odds
from tests.exact.brute import pools


@rule
async def push_low(dice: int, start: int = 0) -> Ending[int]:
    """Throw, and keep the sum or throw it all once more."""
    return tally(dice * D4, start=start, finish=_keep_or_push, given=(dice,))


def _keep_or_push(total: int, dice: int) -> Ending[int]:
    if total > 3 * dice:
        return total
    again = tally(dice * D4, start=-1, finish=_doubled)
    return offer({"keep": total, "push": again, "start over": push_once(total)}, about=total)


def _keep_or_push_blindly(total: int, dice: int) -> Ending[int]:
    if total > 3 * dice:
        return total
    again = tally(dice * D4, start=-1, finish=_doubled)
    return offer({"keep": total, "push": again, "start over": push_once(total)})


def _doubled(total: int) -> int:
    return 2 * total


@rule
async def push_once(total: int) -> Ending[int]:
    """One die for all that was thrown."""
    return tally(D6, start=total % 3)


@rule
async def push_after_a_look(dice: int) -> Ending[int]:
    """The same behind a first die, of which only whether it is high is told to the throw."""
    first = await roll(D4)
    return push_low(dice, 1) if 2 in first else tally(D4, finish=_offered_twice, given=(dice,))


def _offered_twice(face: int, dice: int) -> Ending[int]:
    once_more = tally(dice * D4, start=face, finish=_keep_or_push, given=(dice,))
    return offer({"stop": -face, "go on": once_more}, by="other")


@rule
async def folded(dice: int) -> Ending[int]:
    """A choice after a fold."""
    return fold(dice * D4, 0, _most_alike, finish=_keep_or_push, given=(1,))


def _most_alike(most: int, _: object, count: int) -> int:
    return max(most, count)


@rule
async def awaited(dice: int) -> tuple[int, int]:
    """A rule that waits for such a throw, and throws once more."""
    pushed = await tally(dice * D4, finish=_keep_or_push, given=(dice,))
    return pushed, min(await roll(D4))


@rule
async def side_by_side() -> tuple[int, int]:
    """Such a throw as a part among others."""
    return await together(tally(D4, finish=_keep_or_push, given=(1,)), tally(D4))


CALLS = [push_low(2), push_after_a_look(1), folded(3), awaited(2), side_by_side()]


def second(situation: Situation) -> object:
    """The option in the middle of the list where the last answer is even, else the first."""
    seen = situation.seen[-1]
    return situation.options[1 if isinstance(seen, int) and seen % 2 == 0 else 0]


@pytest.mark.parametrize("call", CALLS, ids=repr)
def test_odds_are_those_of_every_face(call):
    """A policy that goes by what was seen, against every face one after the other."""

    def decide(position):
        run = position._run
        return second(Situation(run.step, run))

    assert slow_odds(call, decide) == fractions(odds(call, second))


def worth(outcome: object) -> Fraction:
    """Halves, thirds and sevenths, so that finer and finer parts are met on the way."""
    total = sum(outcome) if isinstance(outcome, tuple) else outcome
    return Fraction(total * total, 1 + total % 7)


@pytest.mark.parametrize("call", CALLS, ids=repr)
@pytest.mark.parametrize("goal", [lambda o: o == 5 or o == (5, 1), worth])
def test_best_play_is_that_of_every_face(call, goal):
    """The value of best play by plain recursion, and the odds that have this value."""
    value = slow_best(Position(call), goal)
    assert value == advise(call, goal).value
    assert value == odds(call, best(goal)).map(lambda o: Fraction(goal(o))).mean


def read_by(size):
    """A reader of pairs, more of which are alike the smaller the size is."""
    return lambda face: (face % size, face // size)


def first_more(sums, bonus):
    """What a sum of pairs comes to."""
    return (2 * sums[0] + bonus, sums[1])


@rule
async def stay_or_throw(pool: Pool, size: int, start: tuple[int, int]) -> Ending[tuple[int, int]]:
    """Keep what there is, or add a throw to it."""
    thrown = tally(pool, read_by(size), start=start, finish=first_more, given=(size,))
    return offer({"stay": start, "throw": thrown})


@settings(max_examples=40, deadline=None)
@given(pools(3), st.integers(1, 8), st.tuples(st.integers(-3, 3), st.integers(-3, 3)))
def test_sums_are_valued_alike_whether_there_are_few_or_many(pool, size, start):
    """Pairs that are added as they are, or packed: the value by plain recursion either way."""
    call = stay_or_throw(pool, size, start)
    assert slow_best(Position(call), worth) == advise(call, worth).value


def test_advice_has_a_line_for_each_throw():
    """Sums of 2 to 6 are decided on; whoever decides has seen the sum."""
    lines = advise(push_low(2), lambda total: total).lines
    assert {(total,) for total in range(2, 7)} == {
        (line.situation,) for line in lines if isinstance(line.situation, int)
    }
    assert Fraction(13, 16) == sum(line.chance for line in lines)  # 2 to 6 of 2D4, by hand


def test_somebody_else_decides_by_a_policy():
    """With a policy for the other, best play is for the rest: against plain recursion."""

    @rule
    async def after_the_other() -> Ending[int]:
        return tally(D4, finish=_keep_or_push, given=(1,))

    call = push_after_a_look(1)
    found = advise(call, worth, others={"other": lambda situation: "go on"}).value
    stops = advise(call, worth, others={"other": lambda situation: "stop"}).value
    assert found == odds(call, best(worth, others={"other": lambda s: "go on"})).map(worth).mean
    assert max(found, stops) <= advise(call, worth).value
    assert advise(after_the_other(), worth).value == slow_best(Position(after_the_other()), worth)


def test_an_offer_wants_a_policy_like_any_choice():
    """Without one the count is refused."""
    with pytest.raises(NeedsPolicy, match="keep, push or start over"):
        odds(push_low(2))


def test_at_the_table_it_is_a_choice_like_any_other():
    """Throw, choose, throw: the transcript waits at each, and reads back what it wrote."""
    transcript = rw.roll(push_low(2), faces=[1, 2])
    assert ("keep", "push", "start over") == transcript.step.options
    ended = transcript.choose("push").throw([3, 4])
    assert 12 == ended.outcome  # twice 3 + 4 - 1


def test_a_hidden_throw_that_ends_in_a_choice():
    """Whoever did not see the dice is asked all the same, and goes by nothing."""

    @rule
    async def blind() -> Ending[int]:
        return tally(D4, sees=["referee"], finish=_keep_or_push_blindly, given=(1,))

    assert [None] == [*{seen for seen in _seen_in(blind())}]
    with pytest.raises(HiddenChoices):
        advise(blind(), worth, others={"referee": best(worth)})


def _seen_in(call):
    seen = []

    def decide(situation):
        seen.append(situation.seen[-1])
        return situation.options[0]

    odds(call, decide)
    return seen


def test_a_finish_that_goes_on_for_few_sums_is_found_out():
    """Neither the first nor the last faces tell that 7 goes on to another rule."""

    def finish(total: int) -> Ending[int]:
        return again() if total == 7 else total

    @rule
    async def again() -> Ending[int]:
        return offer({"low": 1, "high": 9})

    @rule
    async def craps() -> Ending[int]:
        return tally(2 * D6, finish=finish)

    assert slow_best(Position(craps()), int) == advise(craps(), int).value


def test_a_lasting_reader_is_asked_once_for_each_die():
    """One that closes over something is asked each time, unless it says that it lasts."""
    asked = []

    def difficult(level: int):
        def read(face: int) -> bool:
            asked.append(face)
            return face >= level

        return read

    die, plain, kept = Die(3, name="lasting"), difficult(2), lasting(difficult(2))
    assert readings(die, plain) == readings(die, plain) == (False, True, True)
    assert 6 == len(asked)
    assert readings(die, kept) == readings(die, kept) == (False, True, True)
    assert 9 == len(asked)


@pytest.mark.long
def test_the_collector_of_garbage_is_left_as_it_was(monkeypatch):
    """Also after a question that made very many objects, and with nothing frozen."""
    monkeypatch.setattr(chains, "MANY", 0)
    frozen, was_on = gc.get_freeze_count(), gc.isenabled()
    gc.enable()
    try:
        assert advise(push_low(2), worth).value
        assert gc.isenabled()
        assert frozen == gc.get_freeze_count()
    finally:
        if not was_on:
            gc.disable()


def test_a_hand_is_searched_for_words():
    """Where a word lies there it is counted and found; where only numbers lie it is refused."""
    hand = Hand([(D4, "hit"), (D4, "blank"), (D6, "hit")])
    assert (2, 0, 2) == (hand.count("hit"), hand.count("one"), len(hand.where("hit")))
    assert 3 == len(hand.where(["hit", "blank"]))
    with pytest.raises(rw.RollwrightError):
        Hand([(D4, 1)]).count("hit")
