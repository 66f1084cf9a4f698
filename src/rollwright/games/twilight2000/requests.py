"""Requests: everything decided before the dice are thrown."""

from __future__ import annotations

from typing import Any, Literal

from rollwright.engine.steps import Call
from rollwright.errors import BadField
from rollwright.games.twilight2000.faces import AMMO
from rollwright.games.twilight2000.house import House
from rollwright.games.twilight2000.levels import (
    BODY,
    MOST_HELPERS,
    SKILLS,
    Attribute,
    BaseDice,
    Level,
    SkillName,
    base_dice,
)
from rollwright.games.twilight2000.outcomes import (
    GroupOutcome,
    OpposedOutcome,
    SkillOutcome,
)
from rollwright.games.twilight2000.rules import (
    Candidate,
    Handful,
    Price,
    group_roll,
    opposed_roll,
    skill_roll,
)
from rollwright.kit import Request, Value, field
from rollwright.kit.sheets import refuse_twice

Location = Literal["head", "torso", "arms", "legs"]


class Roll(Request):
    """What every roll of base dice has in common."""

    attribute: Level = field(
        help="the level of the attribute: A rolls a D12, B a D10, C a D8, D a D6", rule="T2K R4"
    )
    skill: Level | None = field(
        default=None,
        help="the level of the skill; none rolls the attribute die alone",
        rule="T2K R5",
    )
    skill_name: SkillName | None = field(
        default=None,
        help="the skill, which names the attribute behind it; say first what the character does",
        rule="T2K R3",
    )
    attribute_name: Attribute | None = field(
        default=None,
        help="the attribute, where it is not the skill's own; STR where neither is named",
        rule="T2K R3",
    )
    modifier: int = field(
        default=0,
        help="the net modifier without help: specialty, difficulty, gear, special rules; the "
        "Referee may count each thing that helps +1 and each that hinders -1",
        low=-20,
        high=20,
        rule="T2K R40",
    )
    modifiers: tuple[int, ...] = field(
        default=(),
        help="single modifiers to be added up with it",
        low=-9,
        high=9,
        most=20,
        rule="T2K R40",
    )
    helpers: int = field(
        default=0,
        help="who helps, declared before the roll: +1 each, if it makes sense to the Referee; in "
        "combat each gives up the same kind of action",
        low=0,
        high=MOST_HELPERS,
        rule="T2K R54",
    )
    pushable: bool = field(
        default=True, help="false for promotion and coolness-under-fire rolls", rule="T2K R18"
    )
    action: Literal["", "fast", "slow"] = field(
        default="",
        help="in combat, the kind of action it is; whoever helps gives up one of the same kind",
        rule="T2K R55",
    )
    house: House = field(default=House(), help="how the table reads the book")

    @property
    def named_attribute(self) -> Attribute:
        """The attribute that is rolled."""
        return self.attribute_name or (SKILLS[self.skill_name] if self.skill_name else "STR")

    @property
    def net(self) -> int:
        """All modifiers added up, help included."""
        return self.modifier + sum(self.modifiers) + self.helpers

    @property
    def dice(self) -> BaseDice:
        """The base dice after stepping."""
        return base_dice(self.attribute, self.skill, self.net, steps=self.house.unskilled_steps)

    @property
    def may_push(self) -> bool:
        """Whether this kind of roll can be pushed at all."""
        return self.pushable

    def handful(self, ammo: int = 0, *, track: str = "everything") -> Handful:
        """The dice to throw, and what may be done with them."""
        return Handful(
            self.dice.pool + ammo * AMMO,
            ammo,
            self.may_push,
            self.house.push_may_reroll_successes,
            self.house.push_with_nothing,
            track,
        )


class Skill(Roll, roll="skill", title="Skill roll", outcome=SkillOutcome):
    """A skill roll: attribute die and skill die, pushed if the roller likes."""

    passive: bool = field(
        default=False, help="an unaware or acted-upon roller, who cannot push", rule="T2K R17"
    )
    gear_reliability: int | None = field(
        default=None,
        help="the reliability of the tool in use, if one is: usually 5 in good condition",
        low=1,
        high=10,
        rule="T2K R66",
    )
    gear: str = field(default="", help="the tool's name, for sheet and story", most=60)

    @property
    def may_push(self) -> bool:
        """Whether this roll can be pushed."""
        return self.pushable and not self.passive

    @property
    def price(self) -> Price:
        """Who pays for the 1s of a push."""
        body = self.named_attribute in BODY
        if self.gear_reliability is not None and (body or self.house.gear_takes_strain):
            return Price("gear", self.gear_reliability)
        return Price("damage" if body else "stress")

    def call(self) -> Call[Any]:
        """The rule of a skill roll."""
        return skill_roll(self.handful(), self.price)


class Opposed(Request, roll="opposed", title="Opposed roll", outcome=OpposedOutcome):
    """An opposed roll: the active side needs more successes than the passive side."""

    active: Skill = field(
        help="who acts; this side alone may push, after both have rolled", rule="T2K R59"
    )
    passive: Skill = field(help="who is acted upon", rule="T2K R57")
    secret: bool = field(
        default=False,
        help="the Referee rolls in secret for a passive player's character",
        rule="T2K R61",
    )
    house: House = field(default=House(), help="how the table reads the book")

    @property
    def active_side(self) -> Skill:
        """The active side under this roll's house rules."""
        return self.active.but(house=self.house)

    @property
    def passive_side(self) -> Skill:
        """The passive side, which cannot push."""
        return self.passive.but(house=self.house, passive=True)

    def call(self) -> Call[Any]:
        """The rule of an opposed roll."""
        active = self.active_side
        return opposed_roll(
            active.handful(), active.price, self.passive_side.dice.pool, self.secret
        )


class Member(Value):
    """One of a group: what they would roll, and whether they could help."""

    name: str = field(help="who it is", most=40)
    attribute: Level = field(help="the level of the attribute", rule="T2K R4")
    skill: Level | None = field(default=None, help="the level of the skill", rule="T2K R5")
    modifier: int = field(
        default=0, help="this one's own modifiers", low=-20, high=20, rule="T2K R40"
    )
    can_help: bool = field(
        default=True, help="present, able, and it makes sense to the Referee", rule="T2K R52"
    )


class Group(Request, roll="group", title="Group roll", outcome=GroupOutcome):
    """A shared challenge: one rolls, the others may help, and all share the failure."""

    members: tuple[Member, ...] = field(
        help="who is in it together: the best suited rolls, once for all", most=12, rule="T2K R36"
    )
    skill_name: SkillName | None = field(default=None, help="the skill", rule="T2K R3")
    attribute_name: Attribute | None = field(
        default=None, help="the attribute, where it is not the skill's own", rule="T2K R3"
    )
    modifier: int = field(
        default=0, help="the modifier whoever rolls", low=-20, high=20, rule="T2K R40"
    )
    passive: bool = field(default=False, help="an unaware group cannot push", rule="T2K R17")
    gear_reliability: int | None = field(
        default=None, help="the reliability of the tool in use", low=1, high=10, rule="T2K R66"
    )
    gear: str = field(default="", help="the tool's name", most=60)
    action: Literal["", "fast", "slow"] = field(
        default="", help="in combat, the kind of action it is, for the helpers too", rule="T2K R55"
    )
    house: House = field(default=House(), help="how the table reads the book")

    def check(self) -> None:
        """A group has somebody in it, and everybody has a name of their own."""
        if not self.members:
            raise BadField("members", "nobody is there", rule="T2K R36", would_do="at least one")
        refuse_twice("members", (member.name for member in self.members), "T2K R36")

    def rolled_by(self, member: Member, helpers: int = 0) -> Skill:
        """The skill roll if this one makes it, with so many helpers."""
        return Skill(
            attribute=member.attribute,
            skill=member.skill,
            skill_name=self.skill_name,
            attribute_name=self.attribute_name,
            modifier=max(-20, min(20, self.modifier + member.modifier)),
            helpers=helpers,
            passive=self.passive,
            gear_reliability=self.gear_reliability,
            gear=self.gear,
            house=self.house,
        )

    def most_helpers(self, member: Member) -> int:
        """How many could help this one: at most three."""
        able = sum(other.can_help for other in self.members if other is not member)
        return min(MOST_HELPERS, able)

    def call(self) -> Call[Any]:
        """The rule of a group roll."""
        return group_roll(tuple(self._candidate(member) for member in self.members))

    def _candidate(self, member: Member) -> Candidate:
        rolls = [self.rolled_by(member, n) for n in range(self.most_helpers(member) + 1)]
        return Candidate(member.name, tuple(r.handful() for r in rolls), rolls[0].price)
