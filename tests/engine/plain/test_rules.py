"""Plainly written rules of every kind, each against brute force or a closed form.

None of them has a word for the counter: no reading made coarse, no tally, no rule that ends in one.
"""

# ruff: noqa: D103 - a rule here says all that it does in its own lines

from __future__ import annotations

import random
from collections import Counter, deque
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction as F
from itertools import combinations
from math import comb
from types import CoroutineType
from typing import Any, NamedTuple

import pytest

import rollwright as rw
from rollwright.budget import Budget
from rollwright.dice import D4, D6, D8, D20, Die
from rollwright.engine.compiled.iteration import UNBOUND
from rollwright.engine.compiled.machine import NO_STEP, At, Stepper
from rollwright.engine.steps import Call, Choice, Step
from rollwright.errors import Misuse, NeverEnds, TooMuchWork
from rollwright.rules import choose, roll, rule, together
from tests.engine.plain.counting import compiled_odds, compiled_value
from tests.engine.plain.naive import brute_odds, brute_value, ways

D2, D3 = Die(2), Die(3)


class Hit(NamedTuple):
    n: int


class Miss(NamedTuple):
    n: int


class Side(Enum):
    LEFT = 1
    RIGHT = 2


@dataclass
class Fighter:
    hp: int
    wounds: list[int] = field(default_factory=list)


async def face(die: Die) -> int:
    """A plain helper: one die."""
    return sum(await roll(die))


async def hurt(fighter: Fighter) -> None:
    """A helper that changes what it was given."""
    wound = await face(D2)
    fighter.hp -= wound
    fighter.wounds.append(wound)


async def grow(row: list[int]) -> int:
    row.append(await face(D2))
    return len(row)


@rule
async def for_and_list(n):
    rolled = []
    for _ in range(n):
        rolled.append(sum(await roll(D3)))
        rolled.sort()
    return tuple(rolled)


@rule
async def while_with_break(most):
    total = 0
    while total < most:
        die = sum(await roll(D4))
        if die == 1:
            break
        total += die
    else:
        return ("reached", total)
    return ("broken", total)


@rule
async def for_with_else():
    for n in range(3):
        if sum(await roll(D2)) == 2:
            found = n
            break
    else:
        found = -1
    return found


@rule
async def growing_list():
    queue = [1]
    for item in queue:
        if len(queue) < 4 and sum(await roll(D2)) == 2:
            queue.append(item + 1)
    return tuple(queue)


@rule
async def dict_in_order():
    seen = {}
    for _ in range(3):
        one = sum(await roll(D2))
        seen.pop(one, None)
        seen[one] = len(seen)
    return tuple(seen.items())


@rule
async def one_list_under_two_names():
    row = [0]
    grid = [row, row] if sum(await roll(D2)) == 1 else [[0], [0]]
    grid[0][0] += sum(await roll(D2))
    grid[1][0] += sum(await roll(D2))
    return tuple(map(tuple, grid))


@rule
async def equal_but_not_the_same():
    found = Hit(1) if sum(await roll(D3)) > 1 else Miss(1)
    extra = sum(await roll(D2))
    return type(found).__name__, extra


@rule
async def truth_or_one():
    flag = True if sum(await roll(D2)) == 1 else 1
    sum(await roll(D2))
    return str(flag)


@rule
async def dataclasses_fight():
    a, b = Fighter(3), Fighter(2)
    while a.hp > 0 and b.hp > 0:
        await hurt(b)
        if b.hp > 0:
            await hurt(a)
    return max(a.hp, 0), max(b.hp, 0), len(a.wounds)


@rule
async def helper_changes_its_argument():
    row = [0]
    other = row
    n = await grow(row)
    m = await grow(other)
    return tuple(row), n, m


@rule
async def comprehension():
    dice = [sum(await roll(D2)) for _ in range(2) if sum(await roll(D2)) == 1]
    by_name = {name: sum(await roll(D2)) for name in "ab"}
    kinds = {sum(await roll(D2)) for _ in range(2)}
    return tuple(dice), tuple(by_name.items()), len(kinds)


@rule
async def conditions():
    a = sum(await roll(D3)) if sum(await roll(D2)) == 1 else 0
    b = a and sum(await roll(D2))
    c = 1 < sum(await roll(D3)) < 3 or not b
    return a, b, c


@rule
async def walrus():
    n = 0
    while (die := sum(await roll(D3))) != 3 and n < 3:
        n += die
    return n, die


@rule
async def matching():
    match sum(await roll(D3)):
        case 1:
            result = sum(await roll(D2))
        case 2 as two:
            result = two * 10
        case _:
            result = await face(D2) + 100
    return result


@rule
async def order_of_evaluation():
    row = [1, 2]
    place = 0
    row[place] += sum(await roll(D2))
    total = row[0] * 10 + sum(await roll(D2)) - len(row)
    row.append(sum(await roll(D2)))
    return tuple(row), total


@rule
async def maybe_unbound():
    if sum(await roll(D2)) == 1:
        late = sum(await roll(D2))
        some = True
    else:
        some = False
    sum(await roll(D2))
    return late if some else 0


@rule
async def closure():
    bonus = sum(await roll(D2))

    def more(x):
        return x + bonus

    one = more(sum(await roll(D2)))
    return more(one)


@rule
async def sets():
    seen = set()
    for _ in range(3):
        seen.add(sum(await roll(D3)))
    return tuple(sorted(seen))


@rule
async def other_containers():
    row = deque([0], maxlen=2)
    count = Counter()
    side = Side.LEFT
    for _ in range(2):
        die = sum(await roll(D2))
        row.append(die)
        count[die] += 1
        side = Side(die)
    return tuple(row), count[1], side.name


@rule
async def rounds(players):
    score = dict.fromkeys(players, 0)
    for first, second in combinations(players, 2):
        score[first if sum(await roll(D2)) == 1 else second] += 1
    return tuple(score.values())


@rule
async def inner(n):
    total = 0
    for _ in range(n):
        total += sum(await roll(D2))
    return total


@rule
async def parts():
    first = await inner(2)
    both = await together(inner(1), roll(D2))
    return first, both[0] + sum(both[1])


@rule
async def zipped():
    score = 0
    for x, y in zip([1, 2], [3, 4]):
        score += sum(await roll(D2)) * x + y
    for place, name in enumerate("ab"):
        score += place * sum(await roll(D2)) + len(name)
    return score


@rule
async def deletes():
    x = sum(await roll(D2))
    del x
    x = sum(await roll(D2))
    return x


@rule
async def early_return(n):
    for i in range(n):
        if sum(await roll(D4)) == 4:
            return i
        if i == 1:
            continue
        sum(await roll(D2))


@rule
async def hands():
    hand = await roll(2 * D3)
    low = hand.where(lambda f: f < 2)
    if low:
        hand = hand.where(lambda f: f >= 2) + await roll(low.pool)
    return hand.count(3), sum(hand)


COUNTED: list[Call[Any]] = [
    for_and_list(3), while_with_break(6), for_with_else(), growing_list(), dict_in_order(),
    one_list_under_two_names(), equal_but_not_the_same(), truth_or_one(), dataclasses_fight(),
    helper_changes_its_argument(), comprehension(), conditions(), walrus(), matching(),
    order_of_evaluation(), maybe_unbound(), closure(), sets(), other_containers(), rounds("abc"),
    zipped(), deletes(), early_return(3), hands(),
]  # fmt: skip


def named(call: Call[Any]) -> str:
    return call.rule.short_name


@pytest.mark.parametrize("call", COUNTED, ids=named)
def test_odds_are_those_of_every_way_by_itself(call: Call[Any]) -> None:
    """Source: each way through the coroutine, run from the start, faces listed one by one."""
    expected = {(type(o), repr(o)): w for o, w in brute_odds(call)}
    for merges in (True, False):
        assert compiled_odds(call, merges=merges) == expected
        assert compiled_odds(call, merges=merges, learns=False) == expected
    found = rw.odds(call)
    assert {(type(o), repr(o)): F(w, found.total) for o, w in found.items()} == expected


# --- choices ---


@rule
async def pig_turn(most):
    total = 0
    while total < most and await choose("stop", "roll") == "roll":
        one = sum(await roll(D3))
        if one == 1:
            return 0
        total += one
    return total


@rule
async def keep_or_again(n):
    last = sum(await roll(D4))
    for _ in range(n):
        if await choose("keep", "again") == "keep":
            break
        last = sum(await roll(D4))
    return last


@rule
async def race(turns):
    score = {"A": 0, "B": 0}
    for turn in range(turns):
        mover = "AB"[turn % 2]
        if await choose("safe", "dare", by=mover) == "safe":
            score[mover] += 1
        else:
            one = sum(await roll(D3))
            score[mover] = 0 if one == 1 else score[mover] + one
    return score["A"] - score["B"]


@rule
async def auction(coins):
    have = {"A": coins, "B": coins}
    worth = sum(await roll(D3))
    bid = await choose(*range(have["A"] + 1), by="A")
    answer = await choose("pass", *range(bid + 1, have["B"] + 1), by="B")
    if answer == "pass":
        return worth - bid
    return answer - worth


@rule
async def one_of_two():
    dice = list(await roll(2 * D3))
    which = await choose("none", *sorted(set(dice)))
    if which != "none":
        dice.remove(which)
        dice.append(sum(await roll(D3)))
    return sum(dice)


@rule
async def choice_in_a_helper():
    async def ask(n):
        return await choose(*range(n))

    a = await ask(2)
    b = await ask(3)
    one = sum(await roll(D3))
    return (a + b - one) ** 2


@rule
async def choice_in_parts():
    both = await together(keep_or_again(1), keep_or_again(1))
    return both[0] * both[1]


DECIDED: list[tuple[Call[Any], str]] = [
    (pig_turn(4), ""), (keep_or_again(3), ""), (race(3), "B"), (auction(3), "B"),
    (one_of_two(), ""), (choice_in_a_helper(), "player"),
]  # fmt: skip


def _itself(outcome: Any) -> Any:
    return outcome


@pytest.mark.parametrize(("call", "against"), DECIDED, ids=[named(call) for call, _ in DECIDED])
def test_best_play_is_that_of_every_way_by_itself(call: Call[Any], against: str) -> None:
    """Source: the best of every option after every way, by brute force."""
    best = brute_value(call, _itself, against)
    for merges in (True, False):
        for learns in (True, False):
            found = compiled_value(call, _itself, against, merges=merges, learns=learns)
            assert found == best


def test_choices_in_parts_together() -> None:
    """Two dice, each kept or thrown again: by itself each is worth 3 (d4, one re-roll)."""
    assert compiled_value(choice_in_parts(), lambda product: product) == 9


# --- loops without a last turn ---


@rule
async def craps():
    point = sum(await roll(2 * D6))
    if point in (7, 11):
        return True
    if point in (2, 3, 12):
        return False
    while True:
        total = sum(await roll(2 * D6))
        if total == point:
            return True
        if total == 7:
            return False


def test_craps() -> None:
    """The shooter wins with 244/495 (a closed form of every book on games of chance)."""
    assert compiled_odds(craps())[bool, "True"] == F(244, 495)
    assert rw.odds(craps()).p(True) == F(244, 495)


@rule
async def duel(a, b):
    while True:
        if sum(await roll(D6)) >= a:
            return "A"
        if sum(await roll(D6)) >= b:
            return "B"


def test_a_duel_without_a_last_round() -> None:
    """A hits with 1/2 first, B with 1/3: p = 1/2 + 1/2 · 2/3 · p gives 3/4."""
    assert rw.odds(duel(4, 5)).p("A") == F(3, 4)


@rule
async def until_six():
    n = 0
    while True:
        n += 1
        if sum(await roll(D6)) == 6:
            return n


def test_a_loop_that_grows_is_cut_off_and_says_so() -> None:
    """The first six at throw n has chance (5/6)^(n-1)/6; what is left weighs under 10^-30."""
    found = rw.odds(until_six())
    for n in (1, 2, 10, 60):
        assert F(found[n], found.total) == F(5, 6) ** (n - 1) / 6
    assert 0 < F(found.lost, found.total) < F(1, 10**30)


@rule
async def boom():
    one = sum(await roll(D6))
    return one + await boom() if one == 6 else one


@pytest.mark.long
def test_recursion_outside_the_last_statement() -> None:
    """An exploding d6: 6k + r with chance 6^-(k+1)."""
    found = rw.odds(boom())
    assert F(found[6 * 4 + 3], found.total) == F(1, 6**5)
    assert 0 < F(found.lost, found.total) < F(1, 10**30)


@rule
async def penetrating():
    die = total = sum(await roll(D6))
    while die == 6:
        die = sum(await roll(D6))
        total += die - 1
    return total


@rule
async def three_penetrating():
    return await penetrating() + await penetrating() + await penetrating()


@pytest.mark.long
def test_parts_that_grow_are_no_longer_than_they_need_be() -> None:
    """Three ones have 1/216; one die comes to 6 + 5 + 5 + 3 by three sixes and a four."""
    found = rw.odds(three_penetrating(), budget=Budget(5_000_000))
    assert F(found[3], found.total) == F(1, 216)
    one = rw.odds(penetrating())
    assert F(one[6 + 5 + 5 + 3], one.total) == F(1, 6**4)
    assert 0 < F(one.lost, one.total) < F(1, 10**30)


@rule
async def coupons(n):
    seen = set()
    while len(seen) < n:
        seen.add(sum(await roll(D4)))
    return len(seen)


def test_a_loop_that_comes_back_is_closed() -> None:
    """Every throw that shows nothing new comes back to the same position."""
    assert rw.odds(coupons(4)).p(4) == 1


@rule
async def stop_or_again():
    last = sum(await roll(D6))
    while await choose("stop", "again") == "again":
        if sum(await roll(D6)) == 1:
            return 0
        last = sum(await roll(D6))
    return last


def test_a_player_may_go_on_for_ever() -> None:
    """v = 1/6 Σ max(f, 5/6 v): stopping at 4 or more gives 6v = 15 + 3 · 5v/6, v = 30/7."""
    assert rw.advise(stop_or_again(), lambda n: n).value == F(30, 7)


@rule
async def pig(target):
    score = {"A": 0, "B": 0}
    mover = "A"
    while True:
        turn = 0
        while True:
            one = sum(await roll(D2))
            if one == 1:
                break
            turn += 1
            if score[mover] + turn >= target:
                return mover
            if await choose("roll", "hold", by=mover) == "hold":
                score[mover] += turn
                break
        mover = "B" if mover == "A" else "A"


def test_two_at_pig_with_a_coin() -> None:
    """To one point: p = 1/2 + 1/2 (1 - p), so 2/3. To two: holding is never worse at one point."""
    assert rw.advise(pig(1), lambda w: w == "A", against="B").value == F(2, 3)
    two = rw.advise(pig(2), lambda w: w == "A", against="B").value
    assert two == compiled_value(pig(2), lambda w: w == "A", "B")


@rule
async def for_ever():
    while True:
        await roll(D6)


def test_an_endless_loop_is_told() -> None:
    """Nothing leads out of it."""
    with pytest.raises(NeverEnds):
        rw.odds(for_ever())


# --- closed forms ---


@rule
async def successes(n):
    hits = 0
    for _ in range(n):
        if sum(await roll(D6)) >= 5:
            hits += 1
    return hits


def test_a_binomial() -> None:
    """Of forty dice k show 5 or 6 with chance C(40, k) 2^(40-k) / 3^40."""
    found = rw.odds(successes(40))
    assert not found.lost
    assert all(found.p(k) == F(comb(40, k) * 2 ** (40 - k), 3**40) for k in range(41))


@rule
async def five_alike(throws):
    held: list[int] = []
    for left in reversed(range(throws)):
        if len(held) < 5:
            held = sorted(held + list(await roll((5 - len(held)) * D6)))
        if not left or len(set(held)) == 1:
            break
        keeps = {kept for n in range(6) for kept in combinations(held, n)}
        held = list(await choose(*sorted(keeps)))
    return len(set(held)) == 1


@pytest.mark.long
def test_five_alike_in_three_throws() -> None:
    """347897/7558272, as every count of the yacht game has it."""
    assert rw.advise(five_alike(3), int).value == F(347897, 7558272)


@rule
async def attack(ac):
    die = sum(await roll(D20))
    if die == 20:
        return sum(await roll(2 * D8)) + 3
    return sum(await roll(D8)) + 3 if die + 5 >= ac else 0


@rule
async def volley(n, ac):
    total = 0
    for _ in range(n):
        total += await attack(ac)
    return total


def test_a_part_is_counted_once() -> None:
    """The mean of a sum is the sum of the means: 11/20 hits by 5 or more against 15."""
    mean = F(10, 20) * (F(9, 2) + 3) + F(1, 20) * (9 + 3)
    assert rw.odds(volley(6, 15)).mean == 6 * mean


# --- secrets ---


@rule
async def hidden_number():
    hidden = sum(await roll(D6, sees=["referee"]))
    low = await choose("low" if hidden <= 3 else "high", by="referee")
    guess = await choose(*range(1, 7))
    return guess == hidden, low


def test_what_is_said_aloud_is_known() -> None:
    """A choice of one option is an announcement: of three numbers one is right."""
    assert rw.advise(hidden_number(), lambda end: end[0]).value == F(1, 3)


@rule
async def blind_guess():
    hidden = [sum(await roll(D2, sees=["referee"])) for _ in range(3)]
    return await choose(*range(3, 7)) == sum(hidden)


def test_what_is_hidden_is_not_known() -> None:
    """The likeliest sum of three coins has 3/8."""
    assert rw.advise(blind_guess(), int).value == F(3, 8)


# --- what is refused ---


@rule
async def ends_in_both():
    return Hit(1) if sum(await roll(D2)) == 1 else Miss(1)


def test_equal_outcomes_of_different_types_are_refused() -> None:
    """They would be told as one outcome of 100 %."""
    with pytest.raises(Misuse, match=r"Hit.*Miss"):
        rw.odds(ends_in_both())
    assert rw.advise(ends_in_both(), lambda o: type(o) is Hit).value == F(1, 2)


# --- compiled and played ---


@pytest.mark.parametrize(
    "call", [*COUNTED, *[call for call, _ in DECIDED], craps(), pig(3), volley(2, 10)], ids=named
)
def test_compiled_as_played(call: Call[Any]) -> None:
    """The compiled form asks, keeps and ends as the coroutine does, on random ways."""
    dice = random.Random(named(call))
    for _ in range(40):
        stepper = Stepper()
        asked, frame = stepper.begin(call)
        playing = [call.begin()]
        value: Any = None
        while True:
            try:
                wanted = playing[-1].send(value)
            except StopIteration as stop:
                playing.pop()
                value = stop.value
                if playing:
                    continue
                break
            if type(wanted) is Call:
                playing.append(wanted.begin())
                asked, frame = stepper.enter(asked, frame)
                value = None
                continue
            assert isinstance(wanted, Step)
            assert type(asked) is type(wanted)
            inner: Any = playing[-1]
            while type(inner.cr_await) is CoroutineType:
                inner = inner.cr_await
            if frame is not None and frame[0].program.name == inner.cr_code.co_name:
                live = inner.cr_frame.f_locals
                names = frame[0].program.sites[frame[1]].names
                for name, kept in zip(names, frame[2], strict=True):
                    if name[0] != "." and kept is not UNBOUND and not callable(kept):
                        assert (type(live[name]), live[name]) == (type(kept), kept)
            if isinstance(wanted, Choice):
                value = dice.choice(wanted.options)
            else:
                value = dice.choice(ways(wanted))[0]
            ((asked, frame),) = stepper.ways(At(asked, frame, True), [value])
        assert asked is NO_STEP
        assert (type(frame), frame) == (type(value), value)


# --- what lies outside a rule ---

TRIES = [0]


@rule
async def counts_outside():
    TRIES[0] += 1
    await roll(D2)
    return TRIES[0] > 5


@rule
async def asks_python_for_chance():
    await roll(D2)
    return random.random() > 0.5


def test_a_rule_that_changes_what_lies_outside_is_refused() -> None:
    """Its outcome would depend on how often it was tried."""
    with pytest.raises(Misuse, match="changes TRIES"):
        rw.odds(counts_outside())
    with pytest.raises(Misuse, match="changes TRIES"):
        rw.advise(counts_outside(), int)
    with pytest.raises(Misuse, match="uses random"):
        rw.odds(asks_python_for_chance())


@rule
async def closure_over_what_changes(n):
    total = 0

    def doubled():
        return 2 * total

    for _ in range(n):
        total += sum(await roll(D2))
    return doubled()


@rule
async def late_binding():
    made = []
    for i in range(3):
        made.append(lambda: i)  # noqa: B023 - that is what is tested
        await roll(D2)
    return sum(f() for f in made)


def test_closures_see_what_changes_later() -> None:
    """Such rules are replayed: a closure sees the variable, not the value it had."""
    found = rw.odds(closure_over_what_changes(3))
    assert {o: F(w, found.total) for o, w in found.items()} == dict(
        brute_odds(closure_over_what_changes(3))
    )
    assert rw.odds(closure_over_what_changes(10)).mean == 30
    assert rw.odds(late_binding()).p(6) == 1


@rule
async def recursive_helper():
    async def down(n):
        return 0 if not n else sum(await roll(D2)) + await down(n - 1)

    return await down(3)


def test_a_helper_inside_a_rule_may_call_itself() -> None:
    """Three coins: a binomial, moved by three."""
    expected = {(int, str(k + 3)): F(comb(3, k), 8) for k in range(4)}
    assert compiled_odds(recursive_helper()) == expected


def test_a_long_run_that_has_an_end_is_counted_to_its_end():
    """Sixty sixes in a row weigh 6^-60 and are counted; without an end it is told what is left."""

    @rule
    async def sixes(most):
        run = 0
        while run < most:
            if sum(await roll(D6)) != 6:
                return run
            run += 1
        return run

    found = rw.odds(sixes(60))
    assert found.lost == 0
    assert found.p(60) == F(1, 6**60)

    @rule
    async def until_a_six():
        throws = 1
        while sum(await roll(D6)) != 6:
            throws += 1
        return throws

    endless = rw.odds(until_a_six())
    assert 0 < F(endless.lost, endless.total) < F(1, 10**30)
    assert endless.p(7) == F(5, 6) ** 6 / 6


UNREAD = """
from rollwright.dice import D6
from rollwright.rules import choose, roll, rule

@rule
async def turn():
    points = 0
    while points < 50 and await choose("roll", "stop", about=points) == "roll":
        points += sum(await roll(D6))
    return points
"""


@pytest.mark.long
def test_a_rule_whose_source_cannot_be_read_says_so_where_that_is_too_much():
    """It is followed way by way; the refusal says why, and what to write."""
    names: dict[str, Any] = {}
    exec(UNREAD, names)
    call = names["turn"]()
    for ask in (
        lambda: rw.advise(call, lambda points: points, budget=Budget(2_000_000)),
        lambda: rw.odds(call, lambda now: "roll", budget=Budget(2_000_000)),
    ):
        with pytest.raises(TooMuchWork, match="cannot be read; write the rule in a file"):
            ask()
