"""The dice of a Test, the Test itself, the Contest and the Group Test, in the book's order.

At the end the named ways to give help in a Group Test, and goals in players' words.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from rollwright.dice import D10, Die
from rollwright.engine.endings import Ending, gather, offer, tally
from rollwright.engine.odds.count import Situation as Decision
from rollwright.errors import BadField
from rollwright.i18n.messages import Message
from rollwright.kit import Goal, Policy, Request
from rollwright.rules import Call, Step, fold, rule, together

from .outcomes import (
    HIGH,
    MIXED,
    Band,
    ContestOutcome,
    GroupOutcome,
    Score,
    TestOutcome,
    band_of,
    msg,
    ranges_in_effect,
    score_of,
    shorthand_of,
)
from .requests import HELPERS, KEEP, Contest, Group, Player, Test, capped
from .standings import (
    BELOW_ALL,
    Mark,
    Party,
    Standing,
    after_first_roll,
    mark_of_die,
    received,
    tidied,
)

COIN = Die(["lost", "won"], name="coin")
AGAIN = Die(10, name="again")
D10ISH = Die([0, *range(1, 10), *range(1, 10), 10], name="d10ish")
TOSS = Die(["first", "second"], name="toss")
NONE_YET = -1


@rule
async def kept_die(net: int, method: str, coins: str) -> Ending[int]:
    """Roll a d10 and one more for each Advantage or Disadvantage; 0 is a 0! and 10 is a 10!."""
    count = abs(net) + 1
    if method == "d10ish":
        return fold(count * D10ISH, NONE_YET, _highest if net >= 0 else _lowest)
    keep = _high_and_tens if net >= 0 else _low_and_tens
    plain, tens = await fold(count * D10, (NONE_YET, 0), keep)
    if not tens:
        return plain
    decider = AGAIN if method == "odd_even" else COIN
    flips = tens if coins == "each" else 1
    return tally(flips * decider, is_won, finish=_resolved, given=(plain, flips, net >= 0))


def is_won(face: object) -> int:
    """Whether a coin is won, or a die rolled again is even."""
    return int(face == "won" or (isinstance(face, int) and face % 2 == 0))


def _highest(kept: int, face: int, count: int) -> int:
    return face if count else kept


def _lowest(kept: int, face: int, count: int) -> int:
    return face if count and kept == NONE_YET else kept


def _high_and_tens(state: tuple[int, int], face: int, count: int) -> tuple[int, int]:
    plain, _ = state
    return (plain, count) if face == 10 else (_highest(plain, face, count), 0)


def _low_and_tens(state: tuple[int, int], face: int, count: int) -> tuple[int, int]:
    plain, _ = state
    return (plain, count) if face == 10 else (_lowest(plain, face, count), 0)


def _resolved(won: int, plain: int, flips: int, highest: bool) -> int:
    """The die that counts once every 10 has become a 0! or a 10!."""
    decisive, end = (won, 10) if highest else (flips - won, 0)
    if decisive:
        return end
    return 10 - end if plain == NONE_YET else plain


@rule
async def make_test(request: Test) -> Ending[TestOutcome]:
    """Roll, keep one die, add the Modifier; the Score is read against every range."""
    if request.dice:
        pool, own = shorthand_of(request.dice)
        start = request.modifier if own is None else own
        return tally(pool, start=start, finish=_summed, given=(request,))
    kept = await kept_die(request.net, request.method, request.house.coins)
    return _read(request, score_of(kept, request.modifier))


def _summed(total: int, request: Test) -> TestOutcome:
    if request.is_plain:
        return TestOutcome(total, "", None, None, ())
    return _read(request, Score(total))


def _read(request: Test, score: Score) -> TestOutcome:
    only = request.house.critical_ranges == "critical_only"
    return TestOutcome(
        score=score.value,
        critical=score.side,
        band=score.band,
        passed=score.value >= MIXED,
        ranges=ranges_in_effect(request.ranges, score, critical_only=only),
    )


@rule
async def hold_contest(request: Contest) -> Ending[ContestOutcome]:
    """Both sides make a Test; the higher Score wins, and a toss decides between equal ones."""
    first_die, second_die = await together(
        _side(request, request.first), _side(request, request.second)
    )
    beyond = request.house.critical_value == "beyond"
    first = score_of(first_die, request.first.modifier, beyond=beyond)
    second = score_of(second_die, request.second.modifier, beyond=beyond)
    if first.value == second.value:
        return tally(TOSS, _tossed, finish=_decided, given=(first, second))
    return _decided(int(first.value > second.value), first, second)


def _side(request: Contest, side: Player) -> Call[int]:
    return kept_die(capped(side.net), request.method, request.house.coins)


def _tossed(face: str) -> int:
    return int(face == "first")


def _decided(first_wins: int, first: Score, second: Score) -> ContestOutcome:
    return ContestOutcome(
        winner="first" if first_wins else "second",
        tied=first.value == second.value,
        first_score=first.value,
        second_score=second.value,
        first_critical=first.side,
        second_critical=second.side,
    )


class Plea(NamedTuple):
    """Somebody who can be helped, as the helper sees them."""

    name: str
    score: int
    """The Score, or as much of it as is read."""
    modifier: int
    room: int
    promised: int

    @property
    def wording(self) -> Message:
        """The player and their Score, as a player says it."""
        low = msg("plea.low") if self.score == BELOW_ALL else str(self.score)
        return msg("plea", name=self.name, score=low, room=self.room, promised=self.promised)


class Situation(NamedTuple):
    """The basis of a helper's decision."""

    gifts: int
    """How many Advantages this helper has left."""
    pleas: tuple[Plea, ...]

    def __str__(self) -> str:
        said = ", ".join(f"{p.name} ({p.modifier:+})" for p in self.pleas)
        return f"{self.gifts} left for {said}"


@rule
async def make_group_test(request: Group) -> Ending[GroupOutcome]:
    """Every player makes a Test; then those who did well may help the others."""
    party = await gather(
        (first_roll(request, who) for who in range(len(request.members))), Party(), Party.joined
    )
    return onward(request, tidied(request, party))


@rule
async def first_roll(request: Group, who: int) -> Ending[Party]:
    """One player's own Test, as usual."""
    net = capped(request.members[who].net)
    method, coins = request.method, request.house.coins
    if net < 0 and request.takes_dice_away:
        kept = await dice_in_order(1 - net, method, coins)
    else:
        kept = (await kept_die(net, method, coins),)
    return after_first_roll(request, who, kept)


@rule
async def dice_in_order(count: int, method: str, coins: str) -> Ending[tuple[int, ...]]:
    """Roll with Disadvantage one die after the other, since the last may be taken away again.

    The lowest of all comes first, then the lowest without the last die, and so on.
    """
    if coins == "each" or method == "d10ish":
        return gather([kept_die(0, method, coins)] * count, (), _and_lower)
    nothing: tuple[tuple[int, bool], ...] = ()
    shown = await gather([a_die()] * count, nothing, _and_shown)
    if not shown[0][1]:
        return tuple(lowest for lowest, _ in shown)
    decider = AGAIN if method == "odd_even" else COIN
    return tally(decider, is_won, finish=_all_resolved, given=(shown,))


@rule
async def a_die() -> Ending[int]:
    """A d10 whose 10 is not yet decided."""
    return tally(D10)


def _and_lower(kept: tuple[int, ...], die: int) -> tuple[int, ...]:
    return (min(die, *kept[:1]) if kept else die, *kept)


def _and_shown(shown: tuple[tuple[int, bool], ...], face: int) -> tuple[tuple[int, bool], ...]:
    lowest, any_ten = shown[0] if shown else (10, False)
    return ((min(lowest, face), any_ten or face == 10), *shown)


def _all_resolved(won: int, shown: tuple[tuple[int, bool], ...]) -> tuple[int, ...]:
    return tuple(0 if any_ten and not won else lowest for lowest, any_ten in shown)


def onward(request: Group, party: Party) -> Ending[GroupOutcome]:
    """Go on giving help while somebody can give to somebody."""
    if party.lost or not party.standings:
        return outcome_of(request, party)
    if party.can_help():
        return give_help(request, party)
    if any([standing.promised for standing in party.standings]):
        return roll_promised(request, party)
    return outcome_of(request, party)


@rule
async def give_help(request: Group, party: Party) -> Ending[GroupOutcome]:
    """The next helper gives one Advantage to another player, or keeps it."""
    giver = next(g for g in party.givers() if party.receivers(g))
    others = {request.names[s.who]: s for s in party.receivers(giver)}
    after = party.spent(giver)
    by = HELPERS if giver is None else request.names[giver.who]
    pleas = tuple(
        Plea(name, s.marks[0].value, request.members[s.who].modifier, s.room, s.promised)
        for name, s in others.items()
    )
    about = Situation(party.pool if giver is None else giver.gifts, pleas)
    endings = {name: give(request, after, standing) for name, standing in others.items()}
    return offer({KEEP: give(request, after, None), **endings}, by=by, about=about)


def give(request: Group, party: Party, standing: Standing | None) -> Ending[GroupOutcome]:
    """Return the use of one Advantage: none, a promise, a Disadvantage undone, a point, a die."""
    if standing is None:
        return onward(request, tidied(request, party))
    standing = standing._replace(room=standing.room - 1)
    if request.house.group_looking == "at_once":
        promised = standing._replace(promised=standing.promised + 1)
        return onward(request, tidied(request, party.replaced(promised)))
    changed = received(request, standing)
    if changed is None:
        return roll_gift(request, party.replaced(standing), standing.who)
    return onward(request, tidied(request, party.replaced(changed)))


@rule
async def roll_gift(request: Group, party: Party, who: int) -> Ending[GroupOutcome]:
    """Roll the die of an Advantage that was given, and keep the better one."""
    raised = await a_die_better(request, party.standing_of(who))
    return onward(request, tidied(request, party.replaced(raised)))


@lru_cache(maxsize=4096)
def a_die_better(request: Group, standing: Standing) -> Step[Standing]:
    """Return a player after the die of one Advantage is rolled; many parties ask for it."""
    return gather((late_dice(request, standing.who, 1),), standing, Standing.raised)


@rule
async def late_dice(request: Group, who: int, count: int) -> Ending[Mark]:
    """The best of some late dice, as it is read."""
    kept = await kept_die(count - 1, request.method, request.house.coins)
    return mark_of_die(request, who, kept)


@rule
async def roll_promised(request: Group, party: Party) -> Ending[GroupOutcome]:
    """Roll everything that was given at once; those who may help in turn go on."""
    parts = (kept_promise(request, standing) for standing in party.standings)
    after = await gather(parts, Party(pool=party.pool), Party.joined)
    return onward(request, tidied(request, after))


@rule
async def kept_promise(request: Group, standing: Standing) -> Ending[Party]:
    """One player's promised Advantages: undone Disadvantages and points first, then dice."""
    left, standing = standing.promised, standing._replace(promised=0)
    while left and (changed := received(request, standing)) is not None:
        left, standing = left - 1, changed
    if left:
        standing = standing.raised(await late_dice(request, standing.who, left))
    return Party((standing,))


def outcome_of(request: Group, party: Party) -> GroupOutcome:
    """The lowest Score counts for all."""
    if request.reading == "goal":
        reached = not party.lost and not party.standings
        return GroupOutcome(reached, _known_band(request.aim, reached))
    lowest = min([s.marks[0] for s in party.standings], default=Mark(request.top))
    told = _lowest_told(request, lowest.value, lowest.critical)
    if request.reading == "bands":
        return told
    helped = tuple([request.rooms[s.who] - s.room for s in party.standings])
    return GroupOutcome(told[0], told[1], told[2], told[3], helped, told[5])


@lru_cache(maxsize=4096, typed=True)
def _lowest_told(request: Group, value: int, critical: int) -> GroupOutcome:
    """Return the lowest Score's meaning for everybody, but for who was helped."""
    is_low = critical < 0 and request.house.group_zero == "low"
    score = Score(value, 0 if is_low else critical)
    outcome = GroupOutcome(score.value >= request.aim, score.band, score.side)
    if request.reading == "bands":
        return outcome
    only = request.house.critical_ranges == "critical_only"
    ranges = ranges_in_effect(request.ranges, score, critical_only=only)
    return outcome._replace(score=score.value, ranges=ranges)


def _known_band(goal: int, reached: bool) -> Band:
    """The bands the lowest Score can have, when only the goal was read."""
    scores = (goal, MIXED, HIGH) if reached else (MIXED - 1, MIXED, goal - 1)
    possible = {band_of(s) for s in scores if (s >= goal) == reached}
    return Band(" or ".join(sorted(possible)))


BANDS = {"low": 0, "mixed": 1, "high": 2}


def _given_by(title: str, order: Callable[[Plea], tuple[int, ...]]) -> Policy:
    """Give to the first in this order who is below the goal."""

    def make(argument: str, request: Request) -> Callable[[Decision], str]:
        def decide(decision: Decision) -> str:
            assert isinstance(request, Group)  # nobody else has help to give
            below = [plea for plea in decision.about.pleas if plea.score < request.aim]
            return min(below, key=order).name if below else KEEP

        return decide

    return Policy(title, make)


POLICIES = {
    "never": Policy.of("nobody gives an Advantage away", lambda decision: KEEP),
    "lowest-first": _given_by(
        "every Advantage goes to the lowest Score below the goal, the lower Modifier first",
        lambda plea: (plea.promised, plea.score, plea.modifier),
    ),
    "weakest-first": _given_by(
        "every Advantage goes to the lowest Modifier among those below the goal",
        lambda plea: (plea.promised, plea.modifier),
    ),
    "strongest-first": _given_by(
        "every Advantage goes to the highest Modifier among those below the goal",
        lambda plea: (plea.promised, -plea.modifier),
    ),
}


def _succeeds(outcome: TestOutcome | ContestOutcome | GroupOutcome) -> bool:
    if isinstance(outcome, ContestOutcome):
        return outcome.winner == "first"
    if isinstance(outcome, GroupOutcome):
        return outcome.reached
    if outcome.passed is None:
        raise _no_test()
    return outcome.passed


def _no_test() -> BadField:
    """The refusal to judge plain dice."""
    return BadField("goal", msg("refusal.plain_dice"), rule="KLEP R5", would_do="score=1")


def _band(outcome: TestOutcome | GroupOutcome) -> int:
    if outcome.band is None:
        raise _no_test()
    if outcome.band not in BANDS:
        problem = msg("refusal.band_unread", band=repr(outcome.band))
        raise BadField("read", problem, rule="KLEP R31", would_do=msg("do.finer"))
    return BANDS[outcome.band]


def _is_safe(outcome: TestOutcome | GroupOutcome) -> bool:
    if outcome.critical is None:
        problem = msg("refusal.zero_unread")
        raise BadField("read", problem, rule="KLEP R23", would_do=msg("do.finer"))
    return outcome.critical != "0!"


GOALS = {
    "just-succeed": Goal("pass, win, or reach the group's goal", _succeeds),
    "high": Goal("get a High Score", lambda outcome: _band(outcome) == 2, ("test", "group")),
    "best-band": Goal("one point for Mixed, two for High", _band, ("test", "group")),
    "no-critical-failure": Goal("anything but a 0!", _is_safe, ("test", "group")),
}
