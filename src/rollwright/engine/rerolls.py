"""Dice that are thrown again: they explode and are added up, or are re-rolled and replaced.

At the table every die is thrown for itself, and everybody sees what it shows. Counting takes each
die at once for all that it can come to; what goes on beyond a bound is lost, and said to be.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, NamedTuple, NoReturn

from rollwright import exact
from rollwright.arithmetic import Arithmetic
from rollwright.budget import Budget
from rollwright.dice import Die, Face, Outcome, Pool, in_order, standing
from rollwright.engine.odds.cases import ThrowCases
from rollwright.engine.position import add_states
from rollwright.engine.steps import Call, FoldStep, RollStep, Rule, TallyStep, ThrowStep, counted_by
from rollwright.errors import Misuse, TooMuchWork
from rollwright.exact import Dist
from rollwright.hands import Hand
from rollwright.readings import A_TEST, SEVERAL, Reading, matches, read_one

BOUND = 20
"""Dice that explode without end are counted as far as so many extra throws each."""


class Again(NamedTuple):
    """Which faces make a die be thrown again, and what becomes of them."""

    faces: tuple[Face, ...]
    adds: bool
    """Whether the next throw is added to this face, as when a die explodes, or takes its place."""
    times: int | None = None
    """How many extra throws there are at most; None for as many as the die asks for."""
    bound: int = BOUND
    """How many extra throws of a die without end are counted."""

    def follows(self, face: Face, throws: int) -> bool:
        """Whether a die that has been thrown so often and shows a face is thrown once more."""
        return face in self.faces and (self.times is None or throws <= self.times)

    def odds(self, die: Die, throws: int, budget: Budget | None) -> Dist[Outcome]:
        """Return the odds of a die from here on, after so many throws that asked for another."""
        if not self.faces:
            return Dist.from_die(die)
        on = self.faces.__contains__
        if not self.adds:
            times = None if self.times is None else self.times - throws
            return Dist.from_die(exact.rerolled_die(die, on, times=times, budget=budget))
        if self.times is not None:
            times = self.times - throws
            return Dist.from_die(exact.exploding_die(die, on, times=times, budget=budget))
        cut = self.bound - throws if throws <= self.bound else self.bound
        return exact.explode_endlessly(die, on, cut=cut, budget=budget)


class Group(NamedTuple):
    """Dice alike: with what they have come to, and after how many throws."""

    die: Die
    number: int
    again: Again
    total: Any = 0
    throws: int = 0


ONCE = Again((), adds=False)


class _Groups(NamedTuple):
    groups: tuple[Group, ...]


class Rerolls(Arithmetic, _Groups):  # type: ignore[misc]  # numbers compare, tuples do not
    """Dice of which some are thrown again: `3 * explode(D6) + D8`, for roll, tally and fold.

    With numbers they are what they come to in all, counted at once as other dice are.

    >>> from rollwright.dice import D6
    >>> (reroll(2 * D6, 1) >= 10).p(True), (reroll(D6, 1) + 1).mean
    (Fraction(49, 216), Fraction(59, 12))
    """

    __slots__ = ()

    def as_dist(self) -> Dist[Outcome]:
        """The odds of what they come to in all."""
        return self.as_dist_within(None)

    def as_dist_within(self, budget: Budget | None) -> Dist[Outcome]:
        """The same within a budget."""
        step: TallyStep[Outcome] = TallyStep.__new__(TallyStep)
        step.start = 0
        return _count_throws(step.fill(self.pool), (), self.groups, budget)

    @property
    def is_endless(self) -> bool:
        """Whether some of them may be thrown again for ever, and add up."""
        return any(group.again.adds and group.again.times is None for group in self.groups)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Rerolls):
            return self.groups == other.groups
        return Arithmetic.__eq__(self, other)

    def __ne__(self, other: object) -> bool:  # a tuple has one of its own
        return not self == other

    __hash__ = _Groups.__hash__

    @property
    def pool(self) -> Pool:
        """The dice of the first throw."""
        counts: dict[Die, int] = {}
        for group in self.groups:
            counts[group.die] = counts.get(group.die, 0) + group.number
        return Pool(counts)

    def _pool_with(self, other: object) -> Rerolls | None:
        if not isinstance(other, (Die, Pool, Rerolls)):
            return None
        return Rerolls(_merge_groups([*self.groups, *groups_of(other)]))

    def __rmul__(self, count: object) -> Rerolls:
        if type(count) is not int or count < 1:
            raise Misuse(f"dice come in whole numbers from 1 on, not {count!r}")
        return Rerolls(tuple(group._replace(number=group.number * count) for group in self.groups))

    def __mul__(self, count: object) -> NoReturn:
        raise Misuse(f"more dice are written as 3 * explode(D6), not with {count!r} behind them")

    def __repr__(self) -> str:
        return " + ".join(map(_format_group, self.groups))


def _format_group(group: Group) -> str:
    dice = repr(group.die) if group.number == 1 else f"{group.number} * {group.die!r}"
    if not group.again.faces:
        return dice
    word = "explode" if group.again.adds else "reroll"
    times = "" if group.again.times is None else f", times={group.again.times}"
    return f"{word}({dice}, {list(group.again.faces)!r}{times})"


Dice = Pool | Die | Rerolls
"""Dice that can be thrown."""
When = Callable[[Face], object] | Iterable[Face] | Hashable
"""When a die is thrown again: a test of its face, several faces, or one."""


def groups_of(dice: Dice) -> Iterable[Group]:
    """Dice by their kinds, each with whether it is thrown again."""
    if isinstance(dice, Rerolls):
        return dice.groups
    if isinstance(dice, Die):
        return [Group(dice, 1, ONCE)]
    return [Group(die, count, ONCE) for die, count in dice.groups]


def explode(
    dice: Pool | Die, on: When = None, *, times: int | None = None, bound: int = BOUND
) -> Rerolls:
    """Dice that are thrown again and added up while they show `on`: their highest face, at first.

    `on` is a face, several, or a test. With `times`, a die is thrown again so often at most.
    Without, it goes on for as long as it explodes; counting stops after `bound` extra throws of a
    die, and what lies beyond is the `lost` part of the odds.

    >>> from rollwright.dice import D6
    >>> explode(3 * D6)
    explode(3 * D6, [6])
    """
    _check_times(times, bound)
    groups = tuple(_exploding(die, n, on, times, bound) for die, n in _kinds(dice))
    return Rerolls(_check_faces(groups, on))


def reroll(dice: Pool | Die, faces: When, *, times: int | None = 1) -> Rerolls:
    """Dice that are thrown again while they show one of these `faces`, and count as they then lie.

    `faces` is a face, several, or a test. A die is thrown again once at most, or `times` times;
    None is for as long as it takes.

    >>> from rollwright.dice import D6
    >>> reroll(4 * D6, 1)
    reroll(4 * D6, [1], times=1)
    """
    _check_times(times, 1)
    groups = []
    for die, count in _kinds(dice):
        again = Again(_matching_faces(die, faces), adds=False, times=times)
        if times is None and len(again.faces) == len(die.faces):
            raise Misuse(f"every face of {die!r} is thrown again, so it never comes to rest")
        groups.append(Group(die, count, again))
    return Rerolls(_check_faces(tuple(groups), faces))


def _exploding(die: Die, count: int, on: Any, times: int | None, bound: int) -> Group:
    for face in die.faces:
        if isinstance(face, bool) or not hasattr(face, "numerator"):
            raise Misuse(f"{die!r} cannot explode: {face!r} is not a number to add to")
    faces = (die.faces[-1],) if on is None else _matching_faces(die, on)
    if times is None and len(faces) == len(die.faces):
        raise Misuse(f"{die!r} explodes on every face, so it never comes to rest")
    return Group(die, count, Again(faces, adds=True, times=times, bound=bound))


def _kinds(dice: object) -> Iterable[tuple[Die, int]]:
    if isinstance(dice, Die):
        return [(dice, 1)]
    if isinstance(dice, Pool) and dice:
        return dice.groups
    if isinstance(dice, Rerolls):
        raise Misuse(
            f"{dice!r} are thrown again already, and a die is so for one reason only: write a "
            "rule that rolls, looks and rolls again, or name all faces, as reroll(D6, [1, 2])"
        )
    raise Misuse(f"a die or a pool of dice can be thrown again, not {dice!r}")


def _matching_faces(die: Die, wanted: Any) -> tuple[Face, ...]:
    test = matches(wanted, die.faces)
    return tuple(face for face in die.faces if test(face))


def _check_faces(groups: tuple[Group, ...], wanted: Any) -> tuple[Group, ...]:
    """The same groups, if one of them shows what was named; a test or an empty list names none."""
    named = not callable(wanted) and not (isinstance(wanted, SEVERAL) and not wanted)
    if named and not any(group.again.faces for group in groups):
        raise Misuse(f"{wanted!r} {A_TEST}")
    return groups


def _check_times(times: object, bound: object) -> None:
    for number in (0 if times is None else times, bound):
        if type(number) is not int or number < 0:
            raise Misuse(f"dice are thrown again a whole number of times, not {number!r}")


def _merge_groups(groups: Iterable[Group]) -> tuple[Group, ...]:
    """Groups that are alike but for their count are one; in an order that is always the same."""
    counts: dict[Group, int] = {}
    for group in groups:
        alike = group._replace(number=0)
        counts[alike] = counts.get(alike, 0) + group.number
    made = [alike._replace(number=count) for alike, count in counts.items()]
    return tuple(sorted(made, key=_place))


def _place(group: Group) -> tuple[object, ...]:
    return (group.die.order, group.throws, standing(group.total), repr(group.again))


def throw_again(step: ThrowStep[Any], dice: Rerolls) -> Call[Outcome]:
    """A roll, tally or fold of dice of which some are thrown again."""
    if step.sees is not None and any(g.again.faces and g.again.times is None for g in dice.groups):
        raise Misuse(
            "dice that not everybody sees are thrown again only so often: say times=, as in "
            "explode(D6, times=5)"
        )
    if step.finish is not None:
        return finish_throws(step, dice)
    return throws(step, (), dice.groups)


@Rule
async def finish_throws(step: ThrowStep[Any], dice: Rerolls) -> Outcome:
    """Finish dice that have come to rest."""
    raw = await throws(step, (), dice.groups)
    return step.finish_with(raw)


@Rule
async def throws(
    step: ThrowStep[Any], resting: tuple[Group, ...], rolling: tuple[Group, ...]
) -> Outcome:
    """Throw all dice that look different, then those again that ask for it."""
    now = {group.die: group for group in reversed(rolling)}
    later = [group for group in rolling if now[group.die] is not group]
    pool = Pool({die: group.number for die, group in now.items()})
    hand = await RollStep.__new__(RollStep).fill(pool, None, step.sees)
    rest = list(resting)
    for die, face in hand.pairs:
        again = now[die].again
        thrown = now[die].throws + 1
        total = now[die].total + face if again.adds else face
        if again.follows(face, thrown):
            later.append(Group(die, 1, again, total if again.adds else 0, thrown))
        else:
            rest.append(Group(die, 1, again, total))
    return throws(step, _merge_groups(rest), _merge_groups(later)) if later else _answer(step, rest)


def _answer(step: ThrowStep[Any], resting: list[Group]) -> Outcome:
    """Return the rule's answer for dice that have come to rest."""
    pairs = [
        (group.die, read_one(step.read, group.total, group.die))
        for group in resting
        for _ in range(group.number)
    ]
    if type(step) is TallyStep:
        return add_states(step.start, [reading for _, reading in pairs])
    hand = Hand(pairs)
    if type(step) is not FoldStep:
        return hand
    ladder = _Ladder(step, resting, hand)
    state = ladder.start
    for reading in in_order(set(hand)):
        state = ladder.step(state, reading, hand.count(reading))
    return ladder.top(state)


class _Ladder:
    """Every reading that a fold can meet, so that those nobody shows are passed with 0."""

    def __init__(
        self, step: FoldStep[Any], groups: Iterable[Group], shown: Iterable[Reading]
    ) -> None:
        self._step = step.step
        self.start = (step.start, 0)
        rungs = set(shown)
        for die, again in {(group.die, group.again) for group in groups}:
            rungs |= {read_one(step.read, came, die) for came in again.odds(die, 0, None)}
        self._rungs = in_order(rungs)

    def step(self, held: tuple[Any, int], reading: Reading, count: int) -> tuple[Any, int]:
        """One reading further, past those below it that no die shows."""
        state, at = held
        while self._rungs[at] != reading:
            state = self._step(state, self._rungs[at], 0)
            at += 1
        return self._step(state, reading, count), at + 1

    def top(self, held: tuple[Any, int]) -> Any:
        """The state after all readings."""
        state, at = held
        for reading in self._rungs[at:]:
            state = self._step(state, reading, 0)
        return state


def _count_throws(
    step: ThrowStep[Any],
    resting: tuple[Group, ...],
    rolling: tuple[Group, ...],
    budget: Budget | None,
) -> Dist[Outcome]:
    """The odds from here on: every die as one with a face for all that it can come to."""
    owners: dict[Die, Die] = {}
    counts: dict[Die, int] = {}
    shown: set[Reading] = set()
    total = 1
    for group, dist in _each(resting, rolling, budget):
        table: dict[Reading, int] = {}
        for came, weight in dist.items():
            reading = read_one(step.read, came, group.die)
            table[reading] = table.get(reading, 0) + weight
        shown |= table.keys()
        stand_in = Die(table, name=f"{len(owners)}")
        owners[stand_in] = group.die
        counts[stand_in] = group.number
        total *= dist.total**group.number
    ladder = _Ladder(step, (*resting, *rolling), shown) if isinstance(step, FoldStep) else None
    chances = ThrowCases(budget or Budget.default())
    try:
        cases = chances.of_throw(_like(step, Pool(counts), ladder)).listed
    except TooMuchWork as much:
        what = f"{_VERBS[type(step)]} {Rerolls(_merge_groups((*resting, *rolling)))!r}"
        raise TooMuchWork(
            what, much.estimate, much.budget, much.hint, much.whole, much.keeps
        ) from None
    weights: dict[Outcome, int] = {}
    alike = (next(iter(owners.values())),) * sum(counts.values()) if len(owners) == 1 else None
    for case, weight in cases:
        if ladder is not None:
            came = ladder.top(case)
        elif type(step) is RollStep:
            came = (
                _own_dice(case, owners)
                if alike is None
                else Hand._build(alike, case.readings, None)
            )
        else:
            came = case
        weights[came] = weights.get(came, 0) + weight
    found = Dist._build(weights, total, total - sum(weights.values()))
    if type(step) is TallyStep and step.read is None and found.lost and type(step.start) is int:
        from fractions import Fraction

        each = [(group.number, dist) for group, dist in _each(resting, rolling, budget)]
        found._set_moments(
            sum([number * dist.mean for number, dist in each], Fraction(step.start)),
            sum([number * dist.variance for number, dist in each], Fraction(0)),
        )
    return found


counted_by(throws)(_count_throws)
_VERBS = {RollStep: "every hand of", TallyStep: "the sum of", FoldStep: "folding"}


def _own_dice(hand: Hand[Reading], owners: dict[Die, Die]) -> Hand[Reading]:
    """Return a hand of stand-ins with the dice that they replace."""
    return Hand((owners[die], reading) for die, reading in hand.pairs)


def _each(
    resting: tuple[Group, ...], rolling: tuple[Group, ...], budget: Budget | None
) -> Iterator[tuple[Group, Dist[Outcome]]]:
    for group in resting:
        yield group, Dist.sure(group.total)
    for group in rolling:
        dist = group.again.odds(group.die, group.throws, budget)
        yield group, dist + group.total if group.again.adds and group.total else dist


def _like(step: ThrowStep[Any], pool: Pool, ladder: _Ladder | None) -> ThrowStep[Any]:
    """The same throw of other dice, read as they are."""
    made: Any = type(step).__new__(type(step))
    made.fill(pool)
    if ladder is not None:
        made.start, made.step = ladder.start, ladder.step
    elif isinstance(step, TallyStep):
        made.start = step.start
    return made  # type: ignore[no-any-return]
