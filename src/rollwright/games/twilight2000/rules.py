"""Skill rolls, pushes, opposed rolls, group rolls and clearing a jam.

At the end rules of thumb by name, which say when to push and what is done about the other choices
meanwhile; and what players want of a roll, in their words.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from rollwright.dice import Die, Pool
from rollwright.engine.odds.count import Situation
from rollwright.engine.steps import Option
from rollwright.errors import UnknownName
from rollwright.kit import Goal, Policy, Request
from rollwright.rules import choose, roll, rule, spend, tally

from .dice import SUCCESS, Handful, Lying, Shown, base_of, landed, shown, ways_to_push
from .firearms import ClearJam
from .outcomes import (
    AttackOutcome,
    ClearJamOutcome,
    GroupOutcome,
    MagazineOutcome,
    OpposedOutcome,
    RepairOutcome,
    SkillOutcome,
)
from .requests import Candidate, Group, Opposed, Price, Repair


class PushAbout(NamedTuple):
    """The basis of the decision to push."""

    successes: int
    ones: int
    loose: int
    """How many base dice would be thrown again."""
    sixes: int
    ammo_ones: int
    loose_ammo: int
    rounds: int
    """The sum of the ammo dice as rolled."""
    against: int | None = None
    """The successes of the other side of an opposed roll."""

    def __str__(self) -> str:
        against = "" if self.against is None else f" against {self.against}"
        said = f"successes {self.successes}{against}, 1s {self.ones}, loose {self.loose}"
        if self.sixes or self.ammo_ones or self.loose_ammo:
            said += f"; ammo sixes {self.sixes}, 1s {self.ammo_ones}, loose {self.loose_ammo}"
        return f"{said}, sum {self.rounds}" if self.rounds else said

    @classmethod
    def of(cls, handful: Handful, thrown: Shown, against: int | None) -> PushAbout:
        """Return the decision about a first throw."""
        successes, ones, sixes, ammo_ones, rounds = thrown.lying
        ammo = (sixes, ammo_ones, handful.ammo - sixes - ammo_ones, rounds)
        return cls(successes, ones, len(base_of(thrown.kinds, (0,))), *ammo, against)


async def throw(handful: Handful) -> tuple[Lying, bool]:
    """Throw the dice; the roller may push once. What lies then, and whether it was pushed."""
    return await push_or_keep(handful, await first_throw(handful))


async def first_throw(handful: Handful) -> Shown:
    """Throw the dice, base and ammo dice at once."""
    return Shown.of(await tally(handful.pool, shown))


async def push_or_keep(
    handful: Handful, thrown: Shown, by: str = "roller", against: int | None = None
) -> tuple[Lying, bool]:
    """Keep the dice as they lie, or push in one of the ways the table allows, if there are any."""
    lying, ways = thrown.lying, ways_to_push(handful, thrown)
    if not ways:
        return lying, False
    about = PushAbout.of(handful, thrown, against)
    option = await choose("keep", *[way.name for way in ways], by=by, about=about)
    if option == "keep":
        return lying, False
    (again,) = [way for way in ways if way.name == option]
    lies = await tally(again.pool, landed, start=tuple(again.stays))
    return Lying(*lies), True


@rule
async def skill_roll(handful: Handful, price: Price) -> SkillOutcome:
    """Roll the base dice; the roller may push once, and then every 1 has its price."""
    lying, pushed = await throw(handful)
    return skill_outcome(lying, price, pushed=pushed)


def skill_outcome(lying: Lying, price: Price, *, pushed: bool) -> SkillOutcome:
    """Count the successes and, after a push, charge every 1 to the one who pays."""
    owed = lying.ones if pushed else 0
    loss = min(owed, price.reliability) if price.payer == "gear" else 0
    return SkillOutcome(
        successes=lying.successes,
        ones=lying.ones,
        pushed=pushed,
        damage=owed if price.payer == "damage" else 0,
        stress=owed if price.payer == "stress" else 0,
        reliability_loss=loss,
        broken=loss > 0 and loss == price.reliability,
    )


def successes_of(face: int, die: Die) -> int:
    """Return the successes of a base die."""
    return landed(face, die)[0]


@rule
async def opposed_roll(request: Opposed) -> OpposedOutcome:
    """Both sides roll; the active side needs more, and alone may push, knowing the other roll."""
    active, price, passive = request.sides
    sees, by = (("referee",), "referee") if request.secret else (None, "roller")
    thrown = await first_throw(active)
    against = (await roll(passive, successes_of, sees=sees)).sum
    lying, pushed = await push_or_keep(active, thrown, by, against)
    return opposed_outcome(skill_outcome(lying, price, pushed=pushed), against)


def opposed_outcome(active: SkillOutcome, against: int) -> OpposedOutcome:
    """Every success of the passive side cancels one; level is not enough."""
    margin = active.successes - against
    return OpposedOutcome(
        "active" if margin > 0 else "passive", margin, active.successes, against, *active[1:]
    )


class WhoAbout(NamedTuple):
    """The basis of the group's decision: the best chance each of them has without a push."""

    chances: tuple[tuple[str, int, int], ...]
    """The name, and the chance as weight and total."""

    def __str__(self) -> str:
        return ", ".join(f"{name}: {weight / total:.0%}" for name, weight, total in self.chances)


@rule
async def group_roll(group: Group) -> GroupOutcome:
    """Let the group agree on one roller; the others may help, and all succeed or fail together."""
    chances = tuple((one.name, *chance(one.hands[-1].pool)) for one in group.candidates)
    names = [one.name for one in group.candidates]
    name = await choose(*names, by="group", about=WhoAbout(chances))
    return await helped_roll(group.candidate(name))


@rule
async def helped_roll(candidate: Candidate) -> GroupOutcome:
    """Before the roll the others say how many of them help."""
    chances = tuple((str(n), *chance(hand.pool)) for n, hand in enumerate(candidate.hands))
    helpers = await choose(*range(len(candidate.hands)), by="helpers", about=WhoAbout(chances))
    return await member_roll(candidate, helpers)


@rule
async def member_roll(candidate: Candidate, helpers: int) -> GroupOutcome:
    """One roll for everybody."""
    outcome = await skill_roll(candidate.hands[helpers], candidate.price)
    return GroupOutcome(candidate.name, helpers, *outcome)


@lru_cache(maxsize=1024)
def chance(pool: Pool) -> tuple[int, int]:
    """The chance of at least one success without a push, as weight and total."""
    miss = total = 1
    for die in pool.dice:
        miss *= sum(face < SUCCESS for face in die.faces)
        total *= die.total
    return total - miss, total


@rule
async def clear_jam(jam: ClearJam) -> ClearJamOutcome:
    """Try to clear the weapon, again and again, while it holds and there is time."""
    spent = lost = 0
    while True:
        outcome = await skill_roll(jam.hand, Price("gear", jam.reliability - lost))
        spent, lost = spent + 1, lost + outcome.reliability_loss
        if outcome.successes or outcome.broken or spent == jam.tries:
            return ClearJamOutcome(outcome.successes > 0, spent, lost, outcome.broken)


@rule
async def repair(attempt: Repair) -> RepairOutcome:
    """A skill roll with TECH, whose successes bring reliability back."""
    outcome = await skill_roll(attempt.handful(), attempt.price)
    restored = attempt.restored(outcome.successes)
    return RepairOutcome(*outcome, restored, attempt.reliability + restored)


@rule
async def clear_at_last(handful: Handful, reliability: int) -> bool:
    """Try until the jam is cleared, or the weapon breaks; what is spent is a try each."""
    while True:
        await spend(1)
        outcome = await skill_roll(handful, Price("gear", reliability))
        if outcome.successes or outcome.broken:
            return outcome.successes > 0
        reliability -= outcome.reliability_loss


Decide = Callable[[Situation], Option]


def for_damage(situation: Situation) -> Option:
    """Spend the sixes for the most damage on average."""
    return situation.about.usual


def on_the_first(situation: Situation) -> Option:
    """Every six into the hit on the primary target, which is the plan listed first."""
    return situation.options[0]


def pushes_when(wanted: Callable[[PushAbout], bool], spends: Decide = for_damage) -> Decide:
    """Push the plain way when `wanted`; spend sixes as said; let the best suited roll."""

    def decide(situation: Situation) -> Option:
        by = situation.by
        if by == "shooter":
            return spends(situation)
        if by == "group" or by == "helpers":
            return best_suited(situation)
        push = "push" in situation.options and wanted(situation.about)
        return "push" if push else "keep"

    return decide


def best_suited(situation: Situation) -> Option:
    """Choose the roller with the best chance, and as many helpers as add to it."""
    about: WhoAbout = situation.about
    chances = [Fraction(weight, total) for _, weight, total in about.chances]
    return situation.options[chances.index(max(chances))]


def pushes_below(need: int, spends: Decide = for_damage) -> Decide:
    """Push with fewer successes than are needed, if a base die can be thrown again."""
    return pushes_when(lambda about: about.successes < need and about.loose > 0, spends)


def any_die(about: PushAbout) -> bool:
    """Whether any die, base or ammo, would be thrown again."""
    return about.loose + about.loose_ammo > 0


def not_ahead(about: PushAbout) -> bool:
    """Whether the other side is not beaten, and there is a base die to try again with."""
    return about.successes <= (about.against or 0) and about.loose > 0


POLICIES = {
    "never": Policy.of("never push", pushes_when(lambda about: False)),
    "always": Policy.of("push whenever a die can be thrown again", pushes_when(any_die)),
    "if-failed": Policy.of("push a failure, if a base die can be thrown again", pushes_below(1)),
    "below": Policy.numbered(
        "push with fewer than N successes",
        pushes_below,
        name="below",
        says="how many successes are enough",
        low=0,
        high=99,
        default="1",
    ),
    "first-target": Policy.of(
        "push a failure; every six goes into the hit on the first target",
        pushes_below(1, on_the_first),
    ),
    "if-not-ahead": Policy.of("push while the other side is not beaten", pushes_when(not_ahead)),
    "eager": Policy.of("push whenever the table allows it, even for nothing", pushes_when(bool)),
}


def deciding(policy: str, request: Request) -> Decide:
    """A rule of thumb by its name, for questions that have no best play to offer."""
    word, _, argument = policy.partition(":")
    if word not in POLICIES:
        raise UnknownName("policy", word, POLICIES)
    decide: Decide = POLICIES[word].make(argument, request)
    return decide


CHECKS = ("skill", "opposed", "group")
Priced = SkillOutcome | OpposedOutcome | GroupOutcome | AttackOutcome | RepairOutcome
Outcome = Priced | ClearJamOutcome | MagazineOutcome


def just_succeed(outcome: Outcome) -> bool:
    """Whether it worked at all: a success, a hit, a win, a cleared jam, the last round fired."""
    if isinstance(outcome, OpposedOutcome):
        return outcome.winner == "active"
    if isinstance(outcome, ClearJamOutcome):
        return outcome.cleared
    if isinstance(outcome, MagazineOutcome):
        return outcome.emptied
    return outcome.successes > 0


def hit_without_a_jam(outcome: AttackOutcome) -> bool:
    """Whether the attack hits and the weapon still fires."""
    return outcome.hit and not (outcome.jammed or outcome.broken)


def price_paid(outcome: Priced) -> int:
    """Damage, stress and reliability lost, each as one point."""
    return outcome.damage + outcome.stress + outcome.reliability_loss


def succeed_cheaply(outcome: Priced) -> Fraction:
    """A success, less three tenths for every point it costs."""
    return just_succeed(outcome) - Fraction(3, 10) * price_paid(outcome)


OF_WOUNDS = ("most-damage", "kill", "wound")
"""The goals of an attack that turn on what it does to targets alone."""

GOALS = {
    "just-succeed": Goal("to succeed", just_succeed),
    "two-successes": Goal("get two successes or more", lambda o: o.successes >= 2, CHECKS),
    "three-successes": Goal("get three successes or more", lambda o: o.successes >= 3, CHECKS),
    "most-successes": Goal("get as many successes as possible", lambda o: o.successes, CHECKS),
    "succeed-cheaply": Goal(
        "succeed, but a point of damage, stress or reliability counts 0.3",
        succeed_cheaply,
        (*CHECKS, "attack"),
    ),
    "stay-unhurt": Goal("do not get hurt", lambda o: -(o.damage + o.stress), CHECKS),
    "hit-without-a-jam": Goal("hit without a jam", hit_without_a_jam, ("attack",)),
    "most-damage": Goal("do as much damage as possible", lambda o: o.damage_dealt, ("attack",)),
    "kill": Goal("put as many targets down as possible", lambda o: o.kills, ("attack",)),
    "wound": Goal("cause a critical injury", lambda o: o.crits > 0, ("attack",)),
    "suppress-or-hit": Goal(
        "hit, or at least keep their heads down", lambda o: o.hit or o.can_suppress, ("attack",)
    ),
    "most-attacks": Goal("keep firing as long as possible", lambda o: o.attacks, ("magazine",)),
}
