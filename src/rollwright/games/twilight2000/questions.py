"""The questions players and referees ask, answered exactly: rolls, pushes, help and modifiers."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Annotated, Any, NamedTuple

from rollwright.api import odds, roll
from rollwright.dice import Outcome
from rollwright.engine.odds.costs import cost
from rollwright.errors import BadAnswer, BadField, article
from rollwright.exact import Dist
from rollwright.i18n.catalogs import words_of
from rollwright.kit.questions import Chance, Gain, Unit, Verdict, question

from .firearms import ClearJam
from .gunnery import (
    best_shooting,
    frontier,
    full_burst_empties,
    how_long_it_lasts,
    how_long_the_weapon_lasts,
    how_many_ammo_dice,
    how_to_spend_sixes,
)
from .house import House
from .requests import Group, Opposed, Roll, Skill
from .rules import chance, clear_at_last, deciding, price_paid

__all__ = ["best_shooting", "clear_or_draw", "frontier", "full_burst_empties"]
__all__ += ["how_long_it_lasts", "how_long_the_weapon_lasts", "how_many_ammo_dice"]
__all__ += ["how_to_spend_sixes", "modifier_table", "my_chances", "push_against", "should_push"]
__all__ += ["who_should_roll"]

msg = words_of(__package__ or __name__).msg


@question
def my_chances(request: Roll, policy: str = "never") -> Dist[Outcome]:
    """What are my chances? The joint odds of successes and 1s.

    >>> my_chances(Skill(attribute="D")).outcomes
    ((0, 0), (0, 1), (1, 0))
    """
    return odds(request, policy).of("successes", "ones")


class PushAnswer(NamedTuple):
    """The worth of a push from these faces, and its price."""

    now: Chance
    """The chance of the successes needed as the dice lie: 0 or 1."""
    pushed: Chance
    """The chance after a push."""
    ones: Annotated[Fraction, Unit("on average")]
    """1s showing on average after a push: points of damage, stress or reliability."""
    price: tuple[Chance, ...]
    """The chance to pay at least 1, 2, 3 … points."""
    jam: Chance
    breaks: Chance
    falls: Chance
    """The chance that the price uses up what the roller can still take."""
    break_even: Annotated[Fraction, Unit("points")] | None
    """How many points the success must be worth for the push to pay; None if it gains nothing."""

    @property
    def verdict(self) -> Verdict:
        """Whether to push: by the chance, and from which worth of a success on it pays."""
        note = msg("question.only_costs")
        if self.break_even is not None:
            note = msg("question.pays", points=self.break_even)
        return Verdict({"keep": self.now, "push": self.pushed}, note=note)


@question
def should_push(
    request: Roll, faces: Iterable[int], *, need: int = 1, can_take: int | None = None
) -> PushAnswer:
    """Should I push now? Given the faces of the first roll, in the pool's order.

    >>> answer = should_push(Skill(attribute="A", skill="C", skill_name="stamina"), [3, 4])
    >>> str(answer.pushed), str(answer.ones), str(answer.break_even)
    ('71/96', '5/24', '20/71')
    """
    lying = _rolled(request, faces)
    now = _after(lying, "keep") if not lying.is_done else Dist.sure(lying.outcome)
    then = _after(lying, "push") if not lying.is_done else now
    before, after = (d.p(lambda o: o.successes >= need) for d in (now, then))
    paid = then.map(price_paid)
    most = max(paid.outcomes)
    gain = after - before
    return PushAnswer(
        before,
        after,
        then.map(lambda o: o.ones).mean,
        tuple(paid.at_least(n) for n in range(1, most + 1)),
        then.p(lambda o: getattr(o, "jammed", False)),
        then.p(lambda o: o.broken),
        Fraction(0) if can_take is None else then.p(lambda o: o.damage + o.stress >= can_take),
        paid.mean / gain if gain > 0 else None,
    )


def _rolled(request: Roll | Opposed, faces: Iterable[int]) -> Any:
    """The first roll as it lies, with no face left over."""
    if not hasattr(request.outcome, "successes"):
        none = msg("refusal.no_push", article=article(request.roll), roll=request.roll)
        raise BadField("request", none, rule="T2K R10")
    shown = list(faces)
    lying = roll(request, faces=shown)
    thrown = sum(len(faces) for _, faces in lying.throws)
    if thrown < len(shown):
        raise BadAnswer(msg("refusal.faces", n=len(shown), dice=thrown))
    return lying


def _after(lying: Any, option: str) -> Dist[Outcome]:
    if option not in lying.step.options:
        option = "keep"
    chosen = lying.choose(option)
    if chosen.is_done:
        return Dist.sure(chosen.outcome)
    return odds(chosen.position, deciding("never", chosen.request))


class Roller(NamedTuple):
    """A member's contribution to a group roll."""

    name: str
    chance: Chance
    """The chance to succeed with all the help there is."""
    helpers: tuple[Gain, ...]
    """Increase of the chance by the first, second and third helper."""
    dice: tuple[int, ...]
    """The sides of the dice with all that help."""


@question
def who_should_roll(request: Group, policy: str = "never") -> tuple[Roller, ...]:
    """Who should roll, and who helps? The best suited first, with what each helper adds.

    >>> pair = ({"name": "Kasia", "attribute": "A", "skill": "D"},
    ...         {"name": "Diaz", "attribute": "B", "skill": "D"})
    >>> best = who_should_roll(Group(members=pair, skill_name="survival"))[0]
    >>> best.name, str(best.chance), [str(gain) for gain in best.helpers], best.dice
    ('Kasia', '71/96', ['25/288'], (8, 12))
    """
    rollers = []
    for member in request.members:
        checks = [request.rolled_by(member, n) for n in range(request.most_helpers(member) + 1)]
        chances = [odds(check, policy).p(lambda o: o.successes > 0) for check in checks]
        gains = tuple(b - a for a, b in pairwise(chances))
        rollers.append(Roller(member.name, chances[-1], gains, checks[-1].dice.sides))
    return tuple(sorted(rollers, key=lambda roller: -roller.chance))


class OpposedAnswer(NamedTuple):
    """An opposed roll once both sides have rolled."""

    against: int
    now: Chance
    pushed: Chance
    ones: Annotated[Fraction, Unit("on average")]

    @property
    def verdict(self) -> Verdict:
        """Whether to push, by the chance to win."""
        return Verdict({"keep": self.now, "push": self.pushed})


@question
def push_against(request: Opposed, faces: Iterable[int]) -> OpposedAnswer:
    """Opposed: should I push after seeing their roll? Faces of both, mine first.

    >>> duel = Opposed(active={"attribute": "B", "skill": "D", "skill_name": "persuasion"},
    ...                passive={"attribute": "C"})
    >>> answer = push_against(duel, [6, 4, 7])
    >>> answer.against, str(answer.now), str(answer.pushed)
    (1, '0', '1/2')
    """
    lying = _rolled(request, faces)
    if lying.is_done:
        won = Fraction(int(lying.outcome.margin > 0))
        return OpposedAnswer(lying.outcome.opposing, won, won, Fraction(lying.outcome.ones))
    now, then = _after(lying, "keep"), _after(lying, "push")
    return OpposedAnswer(
        now.outcomes[0].opposing,
        now.p(lambda o: o.margin > 0),
        then.p(lambda o: o.margin > 0),
        then.map(lambda o: o.ones).mean,
    )


class ClearAnswer(NamedTuple):
    """How a jam is cleared: the chance of each try, of n tries, and how many it takes."""

    each: Chance
    within: tuple[Chance, ...]
    """The chance to have cleared it after 1, 2, 3 … tries."""
    tries: Annotated[Fraction, Unit("tries")]
    """How many it takes on average, if it is tried until it works or the weapon breaks."""
    at_last: Chance
    """The chance that it is cleared in the end, and the weapon not broken first."""


@question
def clear_or_draw(request: ClearJam, policy: str = "never") -> ClearAnswer:
    """Clear the jam or draw another weapon? The chance within so many slow actions.

    >>> answer = clear_or_draw(ClearJam(attribute="B", skill="C", tries=3))
    >>> str(answer.each), [str(p) for p in answer.within], str(answer.tries)
    ('11/16', ['11/16', '231/256', '3971/4096'], '16/11')
    """
    decide = deciding(policy, request)
    outcomes = odds(request, policy)
    cleared = outcomes.map(lambda o: o.tries if o.cleared else 0)
    each = [cleared.p(n) for n in range(1, request.tries + 1)]
    within = tuple(accumulate(each))
    endless = clear_at_last(request.hand, request.reliability)
    return ClearAnswer(within[0], within, cost(endless, decide).mean, odds(endless, decide).p(True))


class Step(NamedTuple):
    """The dice and the chance at one net modifier."""

    net: int
    dice: tuple[int, ...]
    chance: Chance
    """Chance of at least one success, without a push."""


@question
def modifier_table(
    attribute: str, skill: str | None = None, *, steps: str = "lower"
) -> tuple[Step, ...]:
    """What does a -2 cost me? The dice and the chance of a success at -5 to +5.

    >>> table = {row.net: row for row in modifier_table("B", "C")}
    >>> table[0].dice, str(table[0].chance), table[-2].dice, str(table[-2].chance)
    ((8, 10), '11/16', (6, 8), '23/48')
    """
    rows = []
    fields: dict[str, Any] = {"attribute": attribute, "skill": skill}
    asked = Skill(**fields, house=House().but(unskilled_steps=steps))
    for net in range(-5, 6):
        dice = asked.but(modifier=net).dice
        rows.append(Step(net, dice.sides, Fraction(*chance(dice.pool))))
    return tuple(rows)
