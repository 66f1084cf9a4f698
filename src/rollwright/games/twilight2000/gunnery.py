"""The questions of those who shoot: ammo dice, sixes, magazines and weapons."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, NamedTuple

from rollwright.api import advise, game_of, odds
from rollwright.engine.best.advice import Advice, Goal, best
from rollwright.engine.odds.costs import cost
from rollwright.engine.odds.count import Policy
from rollwright.errors import BadField, NeverEnds, UnknownName
from rollwright.exact import Dist
from rollwright.i18n.catalogs import words_of
from rollwright.kit.questions import Chance, Unit, question, whole

from .dice import DOUBLE
from .firearms import Attack, Magazine
from .rules import GOALS, OF_WOUNDS, deciding
from .shooting import attack, spend_sixes, wear_out, wounding
from .targets import Target, Wounded, plans

msg = words_of(__package__ or __name__).msg


class AmmoRow(NamedTuple):
    """The result of an attack with so many ammo dice."""

    ammo_dice: int
    damage: Annotated[Fraction, Unit("damage")]
    """On average, through armour, the sixes spent for most damage."""
    kill: Chance | None
    """The chance to put at least one target down, the sixes spent for that; None where no target
    has a hit capacity."""
    rounds: Annotated[Fraction, Unit("rounds")]
    emptied: Chance
    suppress: Chance
    """The chance that a miss can suppress, given a miss; 0 where it cannot miss."""
    jam: Chance
    per_round: Annotated[Fraction, Unit("damage")]


@question
def how_many_ammo_dice(request: Attack, policy: str = "never") -> tuple[AmmoRow, ...]:
    """How many ammo dice? A row for each number the weapon and the magazine allow.

    `policy` says when a push is planned. With no target listed, one without armour is meant, of
    which it is not known when it falls.

    >>> rows = how_many_ammo_dice(Attack(attribute="B", skill="C", rate_of_fire=2))
    >>> [(row.ammo_dice, str(row.damage), str(row.rounds)) for row in rows]
    [(0, '133/80', '1'), (1, '227/120', '9/2'), (2, '509/240', '8')]
    """
    if not request.targets:
        request = request.but(targets=(Target(name="target"),))
    most = request.most_ammo_dice
    return tuple(_ammo_row(request.but(ammo_dice=n), policy) for n in range(most + 1))


def _ammo_row(request: Attack, policy: str) -> AmmoRow:
    plain = odds(request.but(targets=()), policy)
    wounds = wounding(request)
    decided = game_of(request).policy(policy, request)
    damage = odds(wounds, decided).map(lambda o: o.damage_dealt).mean
    capacities = any(target.capacity for target in request.targets)
    kill = odds(wounds, _spending_for(lambda o: o.kills > 0, policy, request))
    rounds = plain.map(lambda o: o.rounds_spent).mean
    missed = plain.p(lambda o: not o.hit)
    return AmmoRow(
        request.ammo_dice,
        damage,
        kill.p(lambda o: o.kills > 0) if capacities else None,
        rounds,
        plain.p(lambda o: o.emptied),
        plain.p(lambda o: o.can_suppress and not o.hit) / missed if missed else Fraction(0),
        plain.p(lambda o: o.jammed),
        damage / rounds,
    )


def _spending_for(goal: Goal, policy: str, request: Attack) -> best:
    """Push by the policy, spend the sixes as well as can be."""
    if policy.partition(":")[0] == "best":
        return best(goal)
    return best(goal, others={"roller": deciding(policy, request)})


@question
def frontier(rows: tuple[AmmoRow, ...]) -> tuple[AmmoRow, ...]:
    """The rows worth considering: none does as much damage for fewer rounds.

    >>> rows = how_many_ammo_dice(Attack(attribute="B", skill="C", rate_of_fire=2))
    >>> [row.ammo_dice for row in frontier(rows)]
    [0, 1, 2]
    """
    return tuple(
        row
        for row in rows
        if not any(
            (other.damage > row.damage and other.rounds <= row.rounds)
            or (other.damage >= row.damage and other.rounds < row.rounds)
            for other in rows
        )
    )


class PlanRow(NamedTuple):
    """The result of a way to spend the sixes."""

    plan: str
    damage: Annotated[Fraction, Unit("damage")]
    kills: Annotated[Fraction, Unit("targets")]
    """Targets put down on average."""
    kill: Chance
    """The chance to put at least one down."""
    crits: Annotated[Fraction, Unit("crits")]


@question
def how_to_spend_sixes(request: Attack, successes: int, sixes: int) -> tuple[PlanRow, ...]:
    """How do I spend the 6s? Every legal plan for this roll, most kills first, then most damage.

    >>> rows = how_to_spend_sixes(Attack(attribute="A", skill="B", ammo_dice=2, targets=(
    ...     {"name": "A", "torso": 2}, {"name": "B", "capacity": 2})), successes=1, sixes=1)
    >>> [(row.plan, str(row.damage), str(row.kill)) for row in rows]
    [('hit B', '3', '1'), ('+1 damage', '2', '0'), ('hit A', '2', '0')]
    """
    aim = request.aim
    if aim is None:
        raise BadField("targets", msg("refusal.unlisted"), rule="T2K R23", would_do=msg("do.one"))
    whole("successes", successes, 1, sum(1 + (n >= DOUBLE) for n in request.dice.sides), "T2K R22")
    whole("sixes", sixes, 0, request.ammo_dice, "T2K R23")
    call = spend_sixes(request, successes, sixes)
    spare = sixes + (successes - 1 if aim.free_successes else 0)
    rows = [_plan_row(name, odds(call, _always(name))) for name in plans(spare, aim)]
    return tuple(sorted(rows, key=lambda row: (-row.kills, -row.damage)))


def _always(option: str) -> Policy:
    return lambda situation: option


def _plan_row(name: str, outcomes: Dist[Wounded]) -> PlanRow:
    return PlanRow(
        name,
        outcomes.map(lambda o: o.damage_dealt).mean,
        outcomes.map(lambda o: o.kills).mean,
        outcomes.p(lambda o: o.kills > 0),
        outcomes.map(lambda o: o.crits).mean,
    )


@question
def best_shooting(request: Attack, goal: str = "most-damage") -> Advice:
    """Push and spend as well as can be.

    >>> best_shooting(Attack(attribute="B", ammo_dice=1, targets=({"name": "A"},))).value
    Fraction(434, 225)
    """
    offered = {name: g for name, g in GOALS.items() if not g.rolls or "attack" in g.rolls}
    if goal not in offered:
        raise UnknownName("goal", goal, offered)
    what = wounding(request) if goal in OF_WOUNDS else attack(request)
    return advise(what, offered[goal].worth)


class Lasting(NamedTuple):
    """How long the firing goes on."""

    attacks: Dist[int]
    mean: Annotated[Fraction, Unit("attacks")]
    emptied: Chance
    jammed: Chance
    broken: Chance


@question
def how_long_it_lasts(request: Magazine, policy: str = "never") -> Lasting:
    """How long will the magazine last? Attacks until it is empty, jammed or broken.

    >>> lasting = how_long_it_lasts(Magazine(attribute="B", skill="C", rounds=5))
    >>> str(lasting.mean), str(lasting.emptied)
    ('5', '1')
    """
    outcomes = odds(request, policy)
    attacks = outcomes.of("attacks")
    return Lasting(
        attacks,
        attacks.mean,
        outcomes.p(lambda o: o.emptied),
        outcomes.p(lambda o: o.jammed),
        outcomes.p(lambda o: o.broken),
    )


@question
def how_long_the_weapon_lasts(
    request: Magazine, policy: str = "always"
) -> Annotated[Fraction, Unit("attacks")] | None:
    """How long will the weapon last, with rounds enough? Attacks until it breaks, or jams.

    None if it lasts for ever, as it does without pushes.

    >>> gun = Magazine(attribute="D", stop_at_jam=False, reliability=1)
    >>> str(how_long_the_weapon_lasts(gun)), how_long_the_weapon_lasts(gun, "never")
    ('9', None)
    """
    decide = deciding(policy, request)
    try:
        return cost(wear_out(request), decide).mean
    except NeverEnds:
        return None


@question
def full_burst_empties(request: Attack) -> bool:
    """Whether taking every ammo die allowed is sure to empty the magazine.

    It is, whenever the rounds and not the rate of fire set the bound.

    >>> full_burst_empties(Attack(attribute="B", rounds=4))
    True
    >>> full_burst_empties(Attack(attribute="B", rounds=40))
    False
    """
    burst = request.but(ammo_dice=request.most_ammo_dice)
    return odds(burst, "never").p(lambda o: o.emptied) == 1
