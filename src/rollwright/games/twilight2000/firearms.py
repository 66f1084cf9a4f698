"""Requests for firearms: attacks, jams to clear, magazines to empty."""

from __future__ import annotations

from typing import Any, Literal

from rollwright.engine.steps import Call
from rollwright.errors import BadField
from rollwright.games.twilight2000.hits import Aim, count_plans
from rollwright.games.twilight2000.magazines import Habit, Stock, fire_on
from rollwright.games.twilight2000.outcomes import (
    AttackOutcome,
    ClearJamOutcome,
    MagazineOutcome,
)
from rollwright.games.twilight2000.requests import Roll
from rollwright.games.twilight2000.rules import clear_jam
from rollwright.games.twilight2000.shooting import Gun, attack
from rollwright.games.twilight2000.targets import Location, Target, is_legal
from rollwright.kit import field
from rollwright.kit.fields import refuse_above
from rollwright.kit.sheets import refuse_twice

MOST_PLANS = 30_000
"""The most ways to spend ammo sixes that an attack may offer."""


class Firing(Roll):
    """What every attack with a firearm has in common."""

    skill_name: Literal["ranged combat", "heavy weapons"] = field(
        default="ranged combat", help="the weapon's skill", rule="T2K R3"
    )
    attribute_name: Literal["STR", "AGL"] | None = field(
        default=None, help="the attribute, where it is not the skill's own", rule="T2K R3"
    )
    weapon: str = field(default="", help="the weapon's name, for sheet and story", most=60)
    rate_of_fire: int = field(
        default=6, help="the weapon's rate of fire", low=0, high=12, rule="T2K R20"
    )
    reliability: int = field(
        default=5,
        help="the weapon's reliability: usually 5 in good condition; broken at 0",
        low=1,
        high=10,
        rule="T2K R66",
    )

    def refuse_ammo_dice(self, asked: int, most: int, why: str) -> None:
        """Refuse more ammo dice than the weapon or the magazine gives."""
        problem = f"{asked} ammo dice are too many: {why}"
        refuse_above("ammo_dice", asked, most, problem, "T2K R20")


class Attack(Firing, roll="attack", title="Attack with a firearm", outcome=AttackOutcome):
    """An attack with a firearm, with ammo dice, jams, rounds and, if listed, its targets."""

    rounds: int = field(
        default=100,
        help="rounds in the magazine or belt; with none left it cannot be fired",
        low=1,
        high=1000,
        rule="T2K R73",
    )
    ammo_dice: int = field(
        default=0,
        help="how many ammo dice are added: up to the rate of fire, and one fewer than the rounds",
        low=0,
        high=12,
        rule="T2K R20",
    )
    base_damage: int = field(default=2, help="what a hit does", low=0, high=20, rule="T2K R25")
    armour_modifier: int = field(
        default=0, help="what the weapon adds to armour it meets", low=-9, high=9, rule="T2K R70"
    )
    crit_threshold: int = field(
        default=3, help="the damage from which a wound is critical", low=1, high=20, rule="T2K R72"
    )
    targets: tuple[Target, ...] = field(
        default=(),
        help="who may be hit; their order is that of the wounds. With none listed the sixes are "
        "left unspent",
        most=6,
        rule="T2K R24",
    )
    primary: str = field(
        default="", help="whom the shooter aims at; the first if not named", most=40
    )
    locations: tuple[Location, ...] = field(
        default=("legs", "torso", "torso", "torso", "arms", "head"),
        help="what a location die of 1 to 6 strikes. The source shows 3, 5 and 6; the others "
        "come from outside it",
        most=6,
        rule="T2K R69",
    )

    track: Literal["everything", "no-rounds", "wounds"] = field(
        default="everything",
        help="what is counted: leaving out rounds, or rounds and 1s, answers sooner what the "
        "targets suffer; what is left out reads 0",
    )

    def check(self) -> None:
        """Targets must be known by their names, and ammo dice allowed."""
        names = [target.name for target in self.targets]
        refuse_twice("targets", names)
        if self.primary and self.primary not in names:
            raise BadField(
                "primary",
                f"there is no target {self.primary!r}",
                rule="T2K R24",
                would_do=", ".join(names) or "a target that is listed",
            )
        if len(self.locations) != 6:
            raise BadField(
                "locations",
                f"{len(self.locations)} are not six",
                rule="T2K R69",
                would_do="a place for each face of a D6",
            )
        fires = self.rate_of_fire
        self.refuse_ammo_dice(self.ammo_dice, fires, f"the rate of fire is {fires}")
        left = "1 round is" if self.rounds == 1 else f"{self.rounds} rounds are"
        self.refuse_ammo_dice(self.ammo_dice, self.rounds - 1, f"{left} left")
        self._refuse_too_many_plans()

    def _refuse_too_many_plans(self) -> None:
        """Nobody chooses among tens of thousands of ways to spend the sixes."""
        aim = self.aim
        if aim is None:
            return
        free = 2 * len(self.dice.sides) - 1 if aim.free_successes else 0
        ways = count_plans(self.ammo_dice + free, len(aim.legal))
        if ways > MOST_PLANS:
            raise BadField(
                "targets",
                f"{self.ammo_dice} ammo dice could be spent on them in {ways:,} ways",
                rule="T2K R23",
                would_do=f"fewer targets or ammo dice, for at most {MOST_PLANS:,} ways,",
            )

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

    @property
    def gun(self) -> Gun:
        """The weapon as the rule needs it."""
        return Gun(
            self.handful(self.ammo_dice, track=self.track),
            self.base_damage,
            self.reliability,
            self.rounds,
            self.house.jam_rule,
            self.house.ammo_plus_one,
            self.house.hit_suppresses,
        )

    @property
    def aim(self) -> Aim | None:
        """The targets as the rule needs them; the primary and who stands no safer beside it."""
        first = self.aimed_at
        if first is None:
            return None
        primary = self.targets.index(first)
        beside = [
            number
            for number, target in enumerate(self.targets)
            if number != primary and is_legal(first, target)
        ]
        return Aim(
            tuple(t.foe(self.locations, self.armour_modifier) for t in self.targets),
            primary,
            (primary, *beside),
            self.base_damage,
            self.crit_threshold,
            self.house.successes_buy_hits,
        )

    def call(self) -> Call[Any]:
        """The rule of an attack."""
        return attack(self.gun, self.aim)


class ClearJam(Firing, roll="clear_jam", title="Clear a jam", outcome=ClearJamOutcome):
    """Clearing a jammed weapon: a slow action and a success with its skill, as often as needed."""

    tries: int = field(
        default=3, help="how many slow actions there is time for", low=1, high=50, rule="T2K R32"
    )

    @property
    def may_push(self) -> bool:
        """Whether the tries can be pushed."""
        return self.pushable and self.house.push_jam_clearing

    def call(self) -> Call[Any]:
        """The rule of clearing a jam."""
        return clear_jam(self.handful(), self.reliability, self.tries, 0, 0)


class Magazine(Firing, roll="magazine", title="Fire until empty", outcome=MagazineOutcome):
    """Attack after attack with the same habit, until the rounds or the weapon give out."""

    rounds: int = field(
        default=30, help="rounds in the magazine or belt now", low=1, high=250, rule="T2K R73"
    )
    ammo_dice: int = field(
        default=0,
        help="ammo dice in each attack; fewer once the rounds allow no more",
        low=0,
        high=12,
        rule="T2K R20",
    )
    magazine_size: int = field(
        default=30, help="rounds in a full magazine or belt", low=1, high=250, rule="T2K R34"
    )
    spare_magazines: int = field(
        default=0, help="full magazines or belts carried", low=0, high=12, rule="T2K R34"
    )
    reload_below: int = field(
        default=0,
        help="reload while a full one is carried and fewer rounds than this are left",
        low=0,
        high=250,
        rule="T2K R34",
    )
    stop_at_jam: bool = field(
        default=True, help="whether a jam ends it; if not, it is cleared in between", rule="T2K R32"
    )

    def check(self) -> None:
        """No more ammo dice than the weapon has, and no more rounds than the magazine holds."""
        problem = f"{self.rounds} do not fit into a magazine of {self.magazine_size}"
        refuse_above("rounds", self.rounds, self.magazine_size, problem, "T2K R34", low=1)
        fires = self.rate_of_fire
        self.refuse_ammo_dice(self.ammo_dice, fires, f"the rate of fire is {fires}")

    @property
    def habit(self) -> Habit:
        """How the shooter goes about it."""
        return Habit(
            tuple(self.handful(n) for n in range(self.ammo_dice + 1)),
            self.reliability,
            self.magazine_size,
            self.reload_below,
            self.house.keep_partial_magazines,
            self.stop_at_jam,
            self.house.jam_rule,
            self.house.ammo_plus_one,
        )

    def call(self) -> Call[Any]:
        """The rule of firing on."""
        return fire_on(self.habit, Stock(self.rounds, self.spare_magazines), 0, 0)
