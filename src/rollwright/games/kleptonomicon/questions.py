"""The questions players and referees ask, each answered exactly.

>>> critical_chances(1)
CriticalChances(failure=Fraction(1, 400), success=Fraction(39, 400))
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from rollwright.api import odds
from rollwright.budget import Budget
from rollwright.engine.best.advice import advise
from rollwright.engine.position import Position
from rollwright.engine.replay import RuleStart
from rollwright.engine.transcript import ChoiceEntry, Transcript
from rollwright.errors import BadAnswer, BadField
from rollwright.kit import refuse_if
from rollwright.kit.questions import Chance, Gain, question
from rollwright.rules import Call

from .casts import story_of
from .outcomes import HIGH, MIXED, Band, GroupOutcome, msg
from .requests import Contest, Group, Test
from .rules import GOALS, give_help, onward, roll_gift, roll_promised
from .standings import aimed, tidied

_WINS = GOALS["just-succeed"].worth


class Bands(NamedTuple):
    """The chances of a Low, a Mixed and a High Score."""

    low: Chance
    mixed: Chance
    high: Chance

    @property
    def passes(self) -> Fraction:
        return self.mixed + self.high


@question
def band_chances(request: Test) -> Bands:
    """How likely is each band?

    >>> band_chances(Test(modifier=2))
    Bands(low=Fraction(9, 20), mixed=Fraction(3, 10), high=Fraction(1, 4))
    """
    found = odds(request).of("band")
    return Bands(found.p("low"), found.p("mixed"), found.p("high"))


@question
def band_table(
    modifiers: Iterable[int] = range(-3, 7), nets: Iterable[int] = range(-3, 4)
) -> dict[tuple[int, int], Bands]:
    """Every band for each Modifier and each net Advantage (negative for Disadvantage).

    >>> str(band_table([0], [1])[0, 1].passes)
    '231/400'
    """
    return {
        (modifier, net): band_chances(_with_net(net).but(modifier=modifier))
        for modifier, net in product(modifiers, nets)
    }


def _with_net(net: int) -> Test:
    return Test(advantages=max(0, net), disadvantages=max(0, -net))


class Improvement(NamedTuple):
    """The effect of one more Advantage and of one more point of Modifier on a chance."""

    now: Chance
    advantage: Gain
    modifier: Gain


@question
def worth_of_an_advantage(request: Test, *, goal: int = MIXED) -> Improvement:
    """What is one more Advantage worth, and what is +1, for reaching a Score?

    >>> worth_of_an_advantage(Test(modifier=0))
    Improvement(now=Fraction(7, 20), advantage=Fraction(91, 400), modifier=Fraction(1, 10))
    """
    more = request.but(advantages=request.advantages + 1)
    higher = request.but(modifier=request.modifier + 1)
    now, helped, raised = (
        odds(test).p(lambda outcome: outcome.score >= goal) for test in (request, more, higher)
    )
    return Improvement(now, helped - now, raised - now)


class Helped(NamedTuple):
    """Whom an Advantage is given to, or that it is kept, and the chance of the goal then."""

    option: str
    value: Chance


@question
def whom_to_help(transcript: Transcript, goal: int | None = None) -> tuple[Helped, ...]:
    """To whom should I give my Advantage? The chance of the goal for each option, best first.

    >>> from rollwright import roll
    >>> lying = roll(Group(members=[{"name": "Alice"}, {"name": "Carol"}]), faces=[8, 5])
    >>> [(worth.option, str(worth.value)) for worth in whom_to_help(lying)]
    [('Carol', '7/20'), ('keep', '0')]
    """
    _group_of(transcript)
    options = getattr(transcript.step, "options", ())
    if not options:
        raise BadAnswer(msg("refusal.no_advantage"))
    worths = [Helped(option, chance_of_goal(transcript.choose(option), goal)) for option in options]
    return tuple(sorted(worths, key=lambda worth: -worth.value))


@question
def chance_of_goal(transcript: Transcript, goal: int | None = None) -> Chance:
    """How likely does a group reach a goal from here, with the best help?

    >>> from rollwright import roll
    >>> lying = roll(Group(members=[{"name": "Alice"}, {"name": "Carol"}]), faces=[8, 5])
    >>> str(chance_of_goal(lying)), str(chance_of_goal(lying, 6))
    ('7/20', '9/20')
    """
    here = _towards_goal(transcript, goal)
    if isinstance(here, GroupOutcome):
        return Fraction(here.reached)
    return advise(here, _WINS).value


class HelpChances(NamedTuple):
    """The chance that a group reaches its goal, by how help is given."""

    without: Chance
    at_once: Chance
    """With the best split, decided before any of the given dice is rolled."""
    one_by_one: Chance
    """With best play, each given die seen before the next Advantage is given."""


@question
def group_chances(request: Group) -> HelpChances:
    """How likely does the group reach its goal without help, and with the best help?

    >>> pair = Group(members=[{"modifier": 3}, {"modifier": 0}])
    >>> [str(chance) for chance in group_chances(pair)]
    ['91/400', '40859/80000', '40859/80000']
    """
    coarse = request.but(goal=request.aim, read="goal")
    at_once, one_by_one = (
        coarse.but(house=coarse.house.but(group_looking=looking)).call()
        for looking in ("at_once", "one_by_one")
    )
    return HelpChances(
        odds(coarse, "never").p(_WINS),
        advise(at_once, _WINS).value,
        advise(one_by_one, _WINS).value,
    )


@question
def best_split(misses: Iterable[Fraction], gifts: int) -> tuple[tuple[int, ...], Chance]:
    """How to hand out Advantages at once to players who each miss with a given chance per die.

    >>> best_split([Fraction(1, 2), Fraction(3, 4)], 3)
    ((1, 2), Fraction(7, 32))
    """
    problem, would_do = msg("refusal.gifts", n=gifts), msg("do.none_or_more")
    refuse_if(gifts < 0, "gifts", problem, "KLEP R26", would_do)
    each = tuple(misses)
    wrong = next((n for n, miss in enumerate(each) if not 0 <= miss <= 1), None)
    refuse_if(wrong is not None, f"misses[{wrong}]", "that is no chance", "KLEP R26", "0 to 1")
    most = min(gifts, 3 * len(each))
    steps = 100 * len(each) * (most + 1) * (1 + len(each) // 4)  # fractions grow with each
    Budget.default().spend(steps, f"handing out {gifts} gifts", "fewer players or gifts would do")
    best: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))] * (most + 1)
    for miss in each:
        best = [_best_share(best, miss, left) for left in range(most + 1)]
    split, chance = best[most]
    return (split, chance) if chance else ((0,) * len(each), chance)


def _best_share(
    before: list[tuple[tuple[int, ...], Fraction]], miss: Fraction, left: int
) -> tuple[tuple[int, ...], Fraction]:
    """The best split with one player more, who gets up to three of what is left."""
    shares = [
        ((*split, dice), chance * (1 - miss**dice))
        for dice in range(min(3, left) + 1)
        for split, chance in (before[left - dice],)
    ]
    return max(shares, key=lambda share: (share[1], -sum(share[0])))


class Raising(NamedTuple):
    """The cost of playing for a High Score instead of a pass."""

    passing: Chance
    """The chance that all pass, when that is what help is given for."""
    high: Chance
    """The chance that all are High, when that is what help is given for."""


@question
def should_a_pass_be_raised(transcript: Transcript, goal: int = HIGH) -> Raising:
    """Should passes be raised to High too? What is in reach from here, by what one plays for.

    >>> from rollwright import roll
    >>> trio = Group(members=[{"modifier": 3}, {"modifier": 0}, {"modifier": 0}])
    >>> should_a_pass_be_raised(roll(trio, faces=[9, 8, 9]))
    Raising(passing=Fraction(1, 1), high=Fraction(2243, 160000))
    """
    passing, high = (chance_of_goal(transcript, aim) for aim in (MIXED, goal))
    return Raising(passing, high)


class ContestChances(NamedTuple):
    """Who wins a Contest, and how often a tie has to be tossed for."""

    first: Chance
    second: Chance
    tie: Chance
    """How often the coin decides; half of it is in each side's chance."""


@question
def contest_chances(request: Contest) -> ContestChances:
    """How likely does each side win, coin included, and how much does the tie matter?

    >>> contest_chances(Contest(first={"modifier": 1}))
    ContestChances(first=Fraction(117, 200), second=Fraction(83, 200), tie=Fraction(17, 200))
    """
    found = odds(request)
    first = found.p(_WINS)
    return ContestChances(first, 1 - first, found.p(lambda outcome: outcome.tied))


class CriticalChances(NamedTuple):
    """The chances of a 0! and of a 10!."""

    failure: Chance
    success: Chance


@question
def critical_chances(net: int = 0) -> CriticalChances:
    """Is the critical worth fearing? For a net Advantage, or Disadvantage where negative.

    >>> critical_chances(-1)
    CriticalChances(failure=Fraction(39, 400), success=Fraction(1, 400))
    """
    found = odds(_with_net(net)).of("critical")
    return CriticalChances(found.p("0!"), found.p("10!"))


@question
def range_chances(request: Test) -> dict[str, Chance]:
    """How likely is each range of a Test, and (under the empty name) that none takes effect?

    >>> {text: str(p) for text, p in range_chances(Test(ranges=["[3..5]", "[10!]"])).items()}
    {'[3..5]': '3/10', '[10!]': '1/20', '': '13/20'}
    """
    found = odds(request).of("ranges")
    chances = dict.fromkeys((*request.ranges, ""), Fraction(0))
    for held, weight in found.items():
        for text in dict.fromkeys(held) or ("",):
            chances[text] += Fraction(weight, found.total)
    return chances


def _towards_goal(
    transcript: Transcript, goal: int | None = None
) -> Call[object] | Position | GroupOutcome:
    """Return a Group Test read for a goal: something to be counted, or the end of it."""
    request = _group_of(transcript)
    coarse = request.but(goal=request.aim if goal is None else goal, read="goal")
    if transcript.is_done:
        scores = story_of(request, transcript).scores
        return GroupOutcome(min(score.value for _, score in scores) >= coarse.aim, Band(""))
    if not any(isinstance(entry, ChoiceEntry) for entry in transcript.entries):
        again = Transcript(coarse.call(), transcript.entries, request=coarse)
        return again.outcome if again.is_done else again.position
    if not request.reads_every_score:
        if coarse.aim == request.aim:
            return transcript.position
        aims = {"aim": str(request.aim), "other": str(coarse.aim)}
        raise BadAnswer(msg("refusal.other_aim", **aims))
    return _aimed_rule(coarse, transcript.position)


def _group_of(transcript: Transcript) -> Group:
    """The Group Test that is rolled; other rolls are refused."""
    request = transcript.request
    if not isinstance(request, Group):
        raise BadField("transcript", msg("refusal.other_roll"), would_do=msg("refusal.group"))
    return request


def _aimed_rule(request: Group, position: Position) -> Call[object] | GroupOutcome:
    if not all(isinstance(token, RuleStart) for token in position.tokens):
        raise BadAnswer(msg("refusal.unrolled"))
    call = position.call
    party = aimed(request, call.args[1])  # type: ignore[arg-type]
    if call.rule is give_help:
        return onward(request, tidied(request, party))  # type: ignore[return-value]
    if call.rule is roll_gift:
        return roll_gift(request, party, call.args[2])  # type: ignore[arg-type]
    return roll_promised(request, party)
