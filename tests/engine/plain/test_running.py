"""Numbers that are only added to along the way: best play, means and variances over loops."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from typing import Any

import pytest

import rollwright as rw
from rollwright.budget import Budget
from rollwright.dice import D6, D8, D10, D20, D100
from rollwright.engine.best import trees
from rollwright.engine.odds.chains import Flow
from rollwright.engine.odds.count import RuleCounter
from rollwright.engine.odds.totals import total_of
from rollwright.engine.replay import RuleStart
from rollwright.errors import BadDist, TooMuchWork
from rollwright.rules import choose, roll, rule, spend
from tests.engine.plain.counting import compiled_value
from tests.engine.plain.programs import Adder, first, program
from tests.gates import thorough


@rule
async def pig_turns(target: int) -> int:
    """Pig alone: the turns that it takes."""
    bank = turns = 0
    while True:
        turns += 1
        turn = 0
        while True:
            face = sum(await roll(D6))
            if face == 1:
                break
            turn += face
            if bank + turn >= target:
                return turns
            if await choose("roll", "hold", about=(bank, turn)) == "hold":
                bank += turn
                break


@rule
async def last_counts(pool: Any, cost: Any) -> Any:
    """Throw as often as you like; the last throw counts, each has its price."""
    paid = cost
    last = sum(await roll(pool))
    while await choose("stop", "again", about=last) == "again":
        paid += cost
        last = sum(await roll(pool))
    return last - paid


def least_turns(target: int) -> F:
    """The least expected turns, by trying every number of turns to stop after, from the top."""
    best: dict[int, F] = {}

    def ends(bank: int) -> F:
        """Solve E = 1 + risk · E + rest, with the best rest for a guess, until it stays."""
        guess = F(1000)
        while True:
            worth: dict[int, tuple[F, F]] = {}
            for turn in range(target - bank - 1, -1, -1):
                risk, rest = F(1, 6), F(0)
                for face in range(2, 7):
                    if bank + turn + face < target:
                        more = worth[turn + face]
                        risk += more[0] / 6
                        rest += more[1] / 6
                hold = (F(0), best[bank + turn]) if turn else (F(1), F(0))
                options = [(risk, rest), hold] if turn else [(risk, rest)]
                worth[turn] = min(options, key=lambda o: o[0] * guess + o[1])
            risk, rest = worth[0]
            found = (1 + rest) / (1 - risk)
            if found == guess:
                return found
            guess = found

    for bank in range(target - 1, -1, -1):
        best[bank] = ends(bank)
    return best[0]


@pytest.mark.parametrize("target", [10, 20, 40])
def test_turns_of_pig_alone(target: int) -> None:
    """The least expected number of turns, though nothing bounds how many there are."""
    assert rw.advise(pig_turns(target), lambda turns: -turns).value == -least_turns(target)


def test_turns_of_pig_alone_as_it_is_known() -> None:
    """The same as an independent solver has it."""
    assert rw.advise(pig_turns(10), lambda turns: -turns).value == -F(7776, 4591)
    assert rw.advise(pig_turns(20), lambda turns: 5 - 2 * turns).value == 5 - 2 * F(
        15116544, 5675645
    )


@pytest.mark.parametrize(
    ("pool", "cost", "value"),
    [
        (1 * D6, F(1, 2), F(4)),
        (1 * D6, 1, F(3)),
        (1 * D20, 1, F(85, 6)),
        (1 * D100, 1, F(1209, 14)),
        (2 * D6, F(1, 3), F(44, 5)),
    ],
)
def test_last_throw_counts(pool: Any, cost: Any, value: F) -> None:
    """What was paid so far is no part of a position: each threshold is as in the closed form."""
    odds = rw.odds(pool).items()
    total = rw.odds(pool).total
    stops = [
        sum((F(w * x, total) for x, w in odds if x >= least), -F(cost))
        / sum(F(w, total) for x, w in odds if x >= least)
        for least in sorted(x for x, _ in odds)
    ]
    assert max(stops) == value
    assert rw.advise(last_counts(pool, cost), lambda gain: gain).value == value


def test_what_is_paid_against_spend() -> None:
    """A number that only grows is worth what the same is as a price."""

    @rule
    async def paying() -> int:
        last = sum(await roll(D8))
        await spend(1)
        while await choose("stop", "again", about=last) == "again":
            await spend(1)
            last = sum(await roll(D8))
        return last

    found = rw.advise(paying(), lambda last: last, price=1)
    assert rw.advise(last_counts(1 * D8, 1), lambda gain: gain).value == found.value


def test_lines_tell_what_follows() -> None:
    """A decision is told once, and what its options are worth from there on."""
    found = rw.advise(last_counts(1 * D6, 1), lambda gain: gain)
    lines: dict[Any, Any] = {line.situation: line for line in found.lines}
    assert sorted(lines) == [1, 2, 3, 4, 5, 6]
    assert {last: line.choose for last, line in lines.items() if last != 3} == {
        1: "again", 2: "again", 4: "stop", 5: "stop", 6: "stop"
    }  # fmt: skip
    assert {worth.option: worth.value for worth in lines[5].worths} == {"stop": 5, "again": 3}


def liar(gain: Any) -> int:
    """A goal that tells a number from one that only stands for it."""
    return 0 if type(gain) in (int, F) else gain


@pytest.mark.long
@pytest.mark.parametrize(
    "goal", [lambda gain: gain > 0, lambda gain: max(gain, -3), lambda gain: gain**2, liar]
)
def test_goals_that_look_are_not_believed(goal: Callable[[Any], Any]) -> None:
    """Where the goal is no sum the number is told apart again, and there are too many."""
    with pytest.raises(TooMuchWork, match="paid is what differs"):
        rw.advise(last_counts(1 * D6, 1), goal, budget=Budget(2_000_000))


def test_numbers_that_count_here_and_not_there_are_told_apart() -> None:
    """Where one way pays what was added and another does not, no price along the way is right."""

    @rule
    async def sometimes(most: int) -> int:
        total = round_ = 0
        while round_ < most:
            round_ += 1
            face = sum(await roll(D6))
            if face == 1:
                return 0
            total += face
            if await choose("go", "bank", about=round_) == "bank":
                break
        return total

    plain = compiled_value(sometimes(4), float_free)
    assert compiled_value(sometimes(4), float_free, runs=True) == plain


def float_free(outcome: Any) -> Any:
    """The outcome itself."""
    return outcome


# --- means and variances of odds that are cut off ---


@rule
async def coupons() -> int:
    """Throw until every face was seen."""
    seen: set[int] = set()
    n = 0
    while len(seen) < 6:
        seen.add(sum(await roll(D6)))
        n += 1
    return n


@rule
async def penetrating() -> int:
    """A six is thrown again, and the next throw counts one less."""
    face = total = sum(await roll(D6))
    while face == 6:
        face = sum(await roll(D6))
        total += face - 1
    return total


@rule
async def three_of_them() -> int:
    """Three of these together."""
    return await penetrating() + await penetrating() + await penetrating()


@rule
async def attacks() -> int:
    """Attack until at least 30 is dealt."""
    dealt = n = 0
    while dealt < 30:
        n += 1
        face = sum(await roll(D20))
        if face == 20:
            dealt += sum(await roll(2 * D8)) + 3
        elif face >= 8:
            dealt += sum(await roll(D8)) + 3
    return n


@rule
async def extended(floor: bool) -> int:
    """Throw five dice until ten successes are there; a 1 takes one away."""
    total = n = 0
    while total < 10:
        hand = await roll(5 * D10)
        net = hand.count(lambda f: f >= 6) - hand.count(1)
        total = max(0, total + (max(net, 0) if floor else net))
        n += 1
    return n


@pytest.mark.long
def test_coupons() -> None:
    """The mean and the variance are those of six waits one after the other."""
    found = rw.odds(coupons())
    assert found.lost
    chances = [F(left, 6) for left in range(1, 7)]
    assert found.mean == sum(1 / p for p in chances)
    assert found.variance == sum((1 - p) / p**2 for p in chances)
    assert found.p(6) == F(720, 6**6)


@pytest.mark.long
def test_penetrating_dice() -> None:
    """A part that grows has its mean and variance through whoever adds it up."""
    one, three = rw.odds(penetrating()), rw.odds(three_of_them())
    assert [one.mean, one.variance] == [4, 8]
    assert [three.mean, three.variance] == [12, 24]


@pytest.mark.long
def test_attacks_until_enough_is_dealt() -> None:
    """As an independent solver has them."""
    found = rw.odds(attacks())
    assert found.mean == F(727350019814613175, 109485524032421888)
    assert found.variance == F(
        57455801600044640377401346158902575, 11987079972654030794549802821484544
    )


@pytest.mark.long
def test_extended_check() -> None:
    """Over a loop that may go back too."""
    assert rw.odds(extended(True)).mean == F(
        62344373447478017742699428928125, 11738279336755709220825296011264
    )
    assert rw.odds(extended(False)).mean == F(
        369986972374807666712314964941301543543621144,
        68024685147591262816812451732272881952240625,
    )


@pytest.mark.long
def test_what_is_read_of_an_outcome() -> None:
    """A sum of it has its mean; what is no sum is refused as ever."""
    assert rw.odds(penetrating(), of=lambda n: 3 * n + 1).mean == 13
    for of in (lambda n: n % 5, lambda n: n * n, lambda n: min(n, 100)):
        with pytest.raises(BadDist, match="cut off"):
            assert rw.odds(penetrating(), of=of).mean


def test_policies_decide() -> None:
    """A policy that goes by what a choice is about leaves the mean exact."""

    def stop_at_four(now: Any) -> str:
        return "stop" if now.about >= 4 else "again"

    found = rw.odds(last_counts(1 * D6, 1), stop_at_four)
    assert found.lost
    assert found.mean == 3


# --- random programs ---


def linear(outcome: Any) -> Any:
    """A sum of the numbers of an outcome."""
    parts = outcome if isinstance(outcome, tuple) else (outcome,)
    numbers = [part for part in parts if not isinstance(part, tuple)]
    return sum([(place + 1) * part for place, part in enumerate(numbers)])


def mixed(outcome: Any) -> Any:
    """A sum that is turned round by what stands first."""
    several = isinstance(outcome, tuple) and not isinstance(outcome[0], tuple)
    return -linear(outcome) if several and outcome[0] > 1 else linear(outcome)


def folded(outcome: Any) -> Any:
    """No sum at all."""
    return linear(outcome) % 3


def counted(call: Any) -> Flow | None:
    """Where a program leads with every way for itself; None where they are many."""
    counter = RuleCounter(first, Budget(400_000))
    counter.compiling.wanted.add(call.rule)
    counter.compiling.merges = False
    try:
        return counter.flow((RuleStart(call),))
    except Exception:  # that it is wrong is told by other tests
        return None


def holds(seed: int) -> int:
    """Hold one program against whole expansion; how many of its sums were told."""
    call, text = program(seed, Adder)
    whole = counted(call)
    if whole is None or text.count("choose") > 7:
        return 0
    for goal in (linear, mixed, folded):
        for against in ("", "B"):
            plain = compiled_value(call, goal, against, merges=False)
            assert compiled_value(call, goal, against) == plain, f"seed {seed}\n{text}"
            assert compiled_value(call, goal, against, runs=True) == plain, f"seed {seed}\n{text}"
    told = 0
    listed = [(outcome, F(weight, whole.total)) for outcome, weight in whole.outcomes.items()]
    for goal in (linear, mixed, folded):
        found = total_of((RuleStart(call),), first, goal)
        if found is not None:
            told += 1
            mean = sum([goal(outcome) * weight for outcome, weight in listed], F(0))
            square = sum([goal(outcome) ** 2 * weight for outcome, weight in listed], F(0))
            assert found == (mean, square - mean**2), f"seed {seed}\n{text}"
    return told


@pytest.mark.long
@pytest.mark.parametrize("batch", range(6))
def test_random_programs_that_add_up(batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Best play, means and variances are the same with numbers that run and without."""
    monkeypatch.setattr(trees, "GROWN", 0)
    assert sum([holds(seed) for seed in range(batch * 25, batch * 25 + 25)]) > 10


@thorough
@pytest.mark.parametrize("batch", range(6, 60))
def test_many_random_programs_that_add_up(batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for many."""
    monkeypatch.setattr(trees, "GROWN", 0)
    for seed in range(batch * 25, batch * 25 + 25):
        holds(seed)
