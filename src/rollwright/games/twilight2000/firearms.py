"""Firearms: weapons and the magazines for them; attacks, jams to clear, magazines to empty."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Literal, NamedTuple

from rollwright.errors import BadField
from rollwright.i18n.catalogs import words_of
from rollwright.i18n.messages import Message
from rollwright.kit import Value, field, preset, refuse_if
from rollwright.kit.fields import refuse_above

from .dice import AMMO, Handful, SkillName
from .outcomes import AttackOutcome, ClearJamOutcome, MagazineOutcome
from .requests import Action, Roll
from .targets import Aim, Location, Target, count_plans, is_legal

msg = words_of(__package__ or __name__).msg
MOST_PLANS = 30_000
"""The most ways to spend ammo sixes that an attack may offer."""


ENCUMBRANCE = {"magazine": Fraction(1, 4), "belt": Fraction(1)}
"""Encumbrance units of a full one."""


class Tool(Value):
    """A piece of gear with a reliability."""

    name: str = field(help="what it is", most=60, known=True)
    reliability: int = preset(5, "its reliability now; broken at 0", 0, 10, "T2K R66")
    max_reliability: int = preset(5, "its reliability in good condition", 1, 10, "T2K R64")
    skill_name: SkillName | None = preset(None, "the skill it is used with, if one", rule="T2K R3")

    def check(self) -> None:
        problem = msg("refusal.never.had", n=self.reliability)
        refuse_above("reliability", self.reliability, self.max_reliability, problem, "T2K R64")

    @property
    def broken(self) -> bool:
        return self.reliability == 0


class Weapon(Tool):
    """A firearm, the rounds in it, and the full magazines or belts carried for it."""

    skill_name: Literal["ranged combat", "heavy weapons"] = preset(
        "ranged combat", "the skill it is fired with", rule="T2K R3"
    )
    rate_of_fire: int = preset(6, "its rate of fire", 0, 12, "T2K R20")
    base_damage: int = preset(2, "what a hit does", 0, 20, "T2K R25")
    armour_modifier: int = preset(0, "what it adds to armour it meets", -9, 9, "T2K R70")
    crit_threshold: int = preset(3, "the damage from which a wound is critical", 1, 20, "T2K R72")
    jammed: bool = preset(False, "whether it is jammed", rule="T2K R32")
    kind: Literal["magazine", "belt"] = preset("magazine", "what it is fed from", rule="T2K R35")
    magazine_size: int = preset(30, "rounds in a full one", 1, 250, "T2K R34")
    rounds: int = preset(30, "rounds in it now", 0, 250, "T2K R33")
    spares: int = preset(0, "full magazines or belts carried", 0, 99, "T2K R34")
    partials: tuple[int, ...] = preset(
        (), "rounds in part-used ones, where the table keeps them", 1, 249, "T2K R34", most=20
    )

    def check(self) -> None:
        super().check()
        for name, rounds in [("rounds", self.rounds), *(("partials", n) for n in self.partials)]:
            most = self.magazine_size
            problem = msg("refusal.no.room", n=rounds, kind=self.kind, most=most)
            refuse_if(rounds > most, name, problem, "T2K R34", msg("do.most", n=most))

    @property
    def encumbrance(self) -> Fraction:
        """Encumbrance units of the spare magazines or belts."""
        return ENCUMBRANCE[self.kind] * (self.spares + len(self.partials))

    def reloaded(self, keep_partial: bool = False) -> Weapon:
        """The weapon with a fresh magazine in; refused where none is carried."""
        kept = (self.rounds,) if keep_partial and self.rounds else ()
        if self.spares:
            partials = _falling(self.partials + kept)
            return self.but(rounds=self.magazine_size, spares=self.spares - 1, partials=partials)
        if self.partials:
            fullest, *others = _falling(self.partials)
            return self.but(rounds=fullest, partials=_falling((*others, *kept)))
        problem = msg("refusal.no.spare", kind=self.kind, name=self.name)
        raise BadField("spares", problem, rule="T2K R34")


def _falling(rounds: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(rounds, reverse=True))


class Firing(Roll):
    """The common fields of attacks with a firearm."""

    skill_name: Literal["ranged combat", "heavy weapons"] = preset(
        "ranged combat", "the weapon's skill", rule="T2K R3"
    )
    attribute_name: Literal["STR", "AGL"] | None = preset(
        None, "the attribute, where it is not the skill's own", rule="T2K R3"
    )
    weapon: str = preset("", "the weapon's name, for sheet and story", most=60)
    rate_of_fire: int = preset(6, "the weapon's rate of fire", 0, 12, "T2K R20")
    reliability: int = preset(
        5, "the weapon's reliability: usually 5 in good condition; broken at 0", 1, 10, "T2K R66"
    )


def most_ammo_dice(rate_of_fire: int, rounds: int) -> int:
    """The most ammo dice there may be: the rate of fire, and one fewer than the rounds."""
    return min(rate_of_fire, rounds - 1)


def refuse_ammo_dice(asked: int, most: int, problem: Message) -> None:
    """Refuse more ammo dice than the weapon or the magazine gives."""
    refuse_above("ammo_dice", asked, most, problem, "T2K R20")


def refuse_beyond_rate(asked: int, rate_of_fire: int) -> None:
    """Refuse more ammo dice than the weapon fires."""
    problem = msg("refusal.ammo.rate", n=asked, most=rate_of_fire)
    refuse_ammo_dice(asked, rate_of_fire, problem)


def rounds_rolled(ammo_sum: int, plus_one: bool) -> int:
    """The rounds an attack asks for: the ammo dice added up, and one more."""
    return ammo_sum + 1 if plus_one else max(1, ammo_sum)


class Fired(NamedTuple):
    """The rounds of an attack."""

    rolled: int
    spent: int
    left: int
    emptied: bool


class Attack(
    Firing,
    roll="attack",
    title="Attack with a firearm",
    version="2",
    outcome=AttackOutcome,
    gone=("track",),
):
    """An attack with a firearm, with ammo dice, jams, rounds and, if listed, its targets."""

    rounds: int = preset(
        100, "rounds in the magazine or belt; with none left it cannot be fired", 1, 1000, "T2K R73"
    )
    ammo_dice: int = preset(
        0,
        "how many ammo dice are added: up to the rate of fire, and one fewer than the rounds",
        0,
        12,
        "T2K R20",
    )
    base_damage: int = preset(2, "what a hit does", 0, 20, "T2K R25")
    armour_modifier: int = preset(0, "what the weapon adds to armour it meets", -9, 9, "T2K R70")
    crit_threshold: int = preset(3, "the damage from which a wound is critical", 1, 20, "T2K R72")
    targets: tuple[Target, ...] = preset(
        (),
        "who may be hit; their order is that of the wounds. With none listed the sixes are "
        "left unspent",
        most=6,
        rule="T2K R24",
        once="name",
    )
    primary: str = preset(
        "", "whom the shooter aims at; the first if not named", most=40, person=True
    )
    locations: tuple[Location, ...] = preset(
        ("legs", "torso", "torso", "torso", "arms", "head"),
        "what a location die of 1 to 6 strikes. The source shows 3, 5 and 6; the others "
        "come from outside it",
        most=6,
        rule="T2K R69",
    )

    def check(self) -> None:
        names = [target.name for target in self.targets]
        problem = msg("refusal.no.target", name=repr(self.primary))
        would_do = ", ".join(names) or msg("do.listed")
        unknown = self.primary and self.primary not in names
        refuse_if(unknown, "primary", problem, "T2K R24", would_do)
        problem, would_do = msg("refusal.not.six", n=len(self.locations)), msg("do.places")
        refuse_if(len(self.locations) != 6, "locations", problem, "T2K R69", would_do)
        refuse_beyond_rate(self.ammo_dice, self.rate_of_fire)
        problem = msg("refusal.ammo.rounds", n=self.ammo_dice, left=self.rounds)
        refuse_ammo_dice(self.ammo_dice, self.rounds - 1, problem)
        self._refuse_too_many_plans()

    def _refuse_too_many_plans(self) -> None:
        """Nobody chooses among tens of thousands of ways to spend the sixes."""
        aim = self.aim
        if aim is None:
            return
        free = 2 * len(self.dice.sides) - 1 if aim.free_successes else 0
        ways = count_plans(self.ammo_dice + free, len(aim.legal))
        problem = msg("refusal.plans", n=self.ammo_dice, ways=ways)
        would_do = msg("do.fewer", most=MOST_PLANS)
        refuse_if(ways > MOST_PLANS, "targets", problem, "T2K R23", would_do)

    @property
    def most_ammo_dice(self) -> int:
        """The most ammo dice that weapon and magazine allow."""
        return most_ammo_dice(self.rate_of_fire, self.rounds)

    @property
    def aimed_at(self) -> Target | None:
        """The primary target, if any is listed."""
        for target in self.targets:
            if self.primary in ("", target.name):
                return target
        return None

    @property
    def net(self) -> int:
        """All modifiers added up, that of the primary target included."""
        return super().net + (self.aimed_at.modifier if self.aimed_at else 0)

    @cached_property
    def hand(self) -> Handful:
        return self.handful(self.ammo_dice)

    @cached_property
    def fired(self) -> tuple[Fired, ...]:
        """Rounds fired, as far as there are any, by the sum of the ammo dice."""
        most = len(AMMO.faces) * self.ammo_dice
        return tuple([self._fired(ammo_sum) for ammo_sum in range(most + 1)])

    def _fired(self, ammo_sum: int) -> Fired:
        rolled = rounds_rolled(ammo_sum, self.house.ammo_plus_one)
        spent = min(rolled, self.rounds)
        left = self.rounds - spent
        return Fired(rolled, spent, left, not left)

    @cached_property
    def aim(self) -> Aim | None:
        """The targets as the rule needs them; the primary and those beside it who are no safer."""
        first = self.aimed_at
        if first is None:
            return None
        primary = self.targets.index(first)
        legal = [
            n for n, other in enumerate(self.targets) if n != primary and is_legal(first, other)
        ]
        return Aim(
            tuple(t.foe(self.locations, self.armour_modifier) for t in self.targets),
            primary,
            (primary, *legal),
            self.base_damage,
            self.crit_threshold,
            self.house.successes_buy_hits,
        )


class ClearJam(Firing, roll="clear_jam", title="Clear a jam", version="2", outcome=ClearJamOutcome):
    """Clearing a jammed weapon: a slow action and a success with its skill; a roll is one try."""

    action: Action = preset(
        "slow", "clearing a jam is a slow action in combat, for helpers too", rule="T2K R32"
    )
    tries: int = preset(
        1,
        "how many slow actions there is time for, to think ahead; at the table each is a roll of "
        "its own",
        1,
        50,
        "T2K R32",
    )

    @property
    def may_push(self) -> bool:
        return self.pushable and self.house.push_jam_clearing

    @cached_property
    def hand(self) -> Handful:
        return self.handful()


class Magazine(Firing, roll="magazine", title="Fire until empty", outcome=MagazineOutcome):
    """Attack after attack with the same habit, until the rounds or the weapon give out."""

    rounds: int = preset(30, "rounds in the magazine or belt now", 1, 250, "T2K R73")
    ammo_dice: int = preset(
        0, "ammo dice in each attack; fewer once the rounds allow no more", 0, 12, "T2K R20"
    )
    magazine_size: int = preset(30, "rounds in a full magazine or belt", 1, 250, "T2K R34")
    spare_magazines: int = preset(0, "full magazines or belts carried", 0, 12, "T2K R34")
    reload_below: int = preset(
        0,
        "reload while a full one is carried and fewer rounds than this are left",
        0,
        250,
        "T2K R34",
    )
    stop_at_jam: bool = preset(
        True, "whether a jam ends it; if not, it is cleared in between", rule="T2K R32"
    )

    def check(self) -> None:
        problem = msg("refusal.full", n=self.rounds, most=self.magazine_size)
        refuse_above("rounds", self.rounds, self.magazine_size, problem, "T2K R34", low=1)
        refuse_beyond_rate(self.ammo_dice, self.rate_of_fire)

    @cached_property
    def hands(self) -> tuple[Handful, ...]:
        """The dice with no ammo die, with one, and so on to the number the shooter likes."""
        return tuple(self.handful(n) for n in range(self.ammo_dice + 1))
