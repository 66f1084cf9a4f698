"""Requests: everything decided before the dice are thrown."""

from __future__ import annotations

from functools import cached_property
from typing import Literal, NamedTuple

from rollwright.dice import Pool
from rollwright.i18n.catalogs import words_of
from rollwright.kit import Request, Value, field, preset, refuse_if

from .dice import (
    AMMO,
    BODY,
    LEVELS,
    MOST_HELPERS,
    SKILLS,
    Attribute,
    BaseDice,
    Handful,
    Level,
    SkillName,
    base_dice,
)
from .house import House
from .outcomes import GroupOutcome, OpposedOutcome, RepairOutcome, SkillOutcome

msg = words_of(__package__ or __name__).msg
Action = Literal["", "fast", "slow"]
USUAL_RELIABILITY = 5
"""Reliability of gear in good condition."""


class Price(NamedTuple):
    """The price of a 1 after a push."""

    payer: str
    """`damage` or `stress` to the roller, or `gear`."""
    reliability: int = 0
    """Reliability of the tool."""


class Candidate(NamedTuple):
    """Somebody who could roll for the group: the dice with no help, with one helper, and so on."""

    name: str
    hands: tuple[Handful, ...]
    price: Price


class Roll(Request):
    """The common fields of rolls of base dice."""

    attribute: Level = field(
        help="the level of the attribute: A rolls a D12, B a D10, C a D8, D a D6",
        rule="T2K R4",
        in_order=LEVELS,
    )
    skill: Level | None = preset(
        None,
        "the level of the skill; none rolls the attribute die alone",
        rule="T2K R5",
        in_order=LEVELS,
    )
    skill_name: SkillName | None = preset(
        None,
        "the skill, which names the attribute behind it; say first what the character does",
        rule="T2K R3",
    )
    attribute_name: Attribute | None = preset(
        None,
        "the attribute, where it is not the skill's own; STR where neither is named",
        rule="T2K R3",
    )
    modifier: int = preset(
        0,
        "the net modifier without help: specialty, difficulty, gear, special rules; the "
        "Referee may count each thing that helps +1 and each that hinders -1",
        -20,
        20,
        "T2K R40",
    )
    modifiers: tuple[int, ...] = preset(
        (), "single modifiers to be added up with it", -9, 9, "T2K R40", most=20
    )
    helpers: int = preset(
        0,
        "who helps, declared before the roll: +1 each, if it makes sense to the Referee; in "
        "combat each gives up the same kind of action",
        0,
        MOST_HELPERS,
        "T2K R54",
    )
    pushable: bool = preset(True, "no for promotion and coolness-under-fire rolls", rule="T2K R18")
    action: Action = preset(
        "",
        "in combat, the kind of action it is; whoever helps gives up one of the same kind",
        rule="T2K R55",
    )
    house: House = preset(House(), "how the table reads the book")

    @property
    def named_attribute(self) -> Attribute:
        return self.attribute_name or (SKILLS[self.skill_name] if self.skill_name else "STR")

    @property
    def net(self) -> int:
        """All modifiers added up, help included."""
        return self.modifier + sum(self.modifiers) + self.helpers

    @property
    def dice(self) -> BaseDice:
        return base_dice(self.attribute, self.skill, self.net, steps=self.house.unskilled_steps)

    @property
    def may_push(self) -> bool:
        return self.pushable

    def handful(self, ammo: int = 0) -> Handful:
        """The dice to throw, and what may be done with them."""
        return Handful(
            self.dice.pool + ammo * AMMO,
            ammo,
            self.may_push,
            self.house.push_may_reroll_successes,
            self.house.push_with_nothing,
        )


class Skill(Roll, roll="skill", title="Skill roll", version="2", outcome=SkillOutcome):
    """A skill roll: attribute die and skill die, pushed if the roller likes."""

    passive: bool = preset(
        False, "an unaware or acted-upon roller, who cannot push", rule="T2K R17"
    )
    gear_reliability: int | None = preset(
        None,
        "the reliability of the tool in use, if one is: 5, as in good condition, where a tool is "
        "only named",
        1,
        10,
        "T2K R66",
    )
    gear: str = preset("", "the tool in use, by its name", most=60)

    @property
    def may_push(self) -> bool:
        return self.pushable and not self.passive

    @property
    def tool(self) -> int:
        """Reliability of the tool in use: the usual one if it is only named, 0 without one."""
        return self.gear_reliability or (USUAL_RELIABILITY if self.gear else 0)

    @property
    def price(self) -> Price:
        """Who pays for the 1s of a push."""
        body = self.named_attribute in BODY
        if self.tool and (body or self.house.gear_takes_strain):
            return Price("gear", self.tool)
        return Price("damage" if body else "stress")


class Repair(Skill, roll="repair", title="Repair gear", outcome=RepairOutcome):
    """A repair with TECH: it takes a spare part, and successes bring reliability back."""

    skill_name: Literal["tech"] = preset("tech", "repairs are made with TECH", rule="T2K R67")
    item: str = preset("", "what is repaired, for sheet and story", most=60)
    reliability: int = preset(0, "its reliability now; broken at 0", 0, 9, "T2K R66")
    max_reliability: int = preset(5, "its reliability in good condition", 1, 10, "T2K R64")
    spare_parts: int = preset(
        1,
        "spare parts at hand: an attempt takes one, and without any there is none",
        1,
        99,
        "T2K R67",
    )
    restores: Literal["each", "all"] = preset(
        "each",
        "what a success brings back, which the source leaves open: a point each, or all of it",
        rule="T2K R67",
    )

    def check(self) -> None:
        whole = self.reliability >= self.max_reliability
        problem, would_do = msg("refusal.whole"), msg("do.less", n=self.max_reliability)
        refuse_if(whole, "reliability", problem, "T2K R67", would_do)

    def restored(self, successes: int) -> int:
        """How much reliability so many successes bring back."""
        missing = self.max_reliability - self.reliability
        return missing if successes and self.restores == "all" else min(successes, missing)


class Opposed(Request, roll="opposed", title="Opposed roll", version="2", outcome=OpposedOutcome):
    """An opposed roll: the active side needs more successes than the passive side."""

    active: Skill = field(
        help="who acts; this side alone may push, after both have rolled", rule="T2K R59"
    )
    passive: Skill = field(help="who is acted upon", rule="T2K R57")
    secret: bool = preset(
        False, "the Referee rolls in secret for a passive player's character", rule="T2K R61"
    )
    house: House = preset(House(), "how the table reads the book")

    @property
    def active_side(self) -> Skill:
        """The active side under this roll's house rules."""
        return self.active.but(house=self.house)

    @property
    def passive_side(self) -> Skill:
        """The passive side, which cannot push."""
        return self.passive.but(house=self.house, passive=True)

    @cached_property
    def sides(self) -> tuple[Handful, Price, Pool]:
        """The active side's handful and price, and the dice of the passive side."""
        active = self.active_side
        return active.handful(), active.price, self.passive_side.dice.pool


class Member(Value):
    """One of a group: what they would roll, and whether they could help."""

    name: str = field(help="who it is", most=40, person=True)
    attribute: Level = field(help="the level of the attribute", rule="T2K R4", in_order=LEVELS)
    skill: Level | None = preset(None, "the level of the skill", rule="T2K R5", in_order=LEVELS)
    modifier: int = preset(0, "this one's own modifiers", -20, 20, "T2K R40")
    can_help: bool = preset(
        True, "present, able, and it makes sense to the Referee", rule="T2K R52"
    )


class Group(Request, roll="group", title="Group roll", version="2", outcome=GroupOutcome):
    """A shared challenge: one rolls, the others may help, and all share the failure."""

    members: tuple[Member, ...] = field(
        help="who is in it together: the best suited rolls, once for all",
        most=12,
        rule="T2K R36",
        once="name",
    )
    skill_name: SkillName | None = preset(None, "the skill", rule="T2K R3")
    attribute_name: Attribute | None = preset(
        None, "the attribute, where it is not the skill's own", rule="T2K R3"
    )
    modifier: int = preset(0, "the modifier whoever rolls", -20, 20, "T2K R40")
    passive: bool = preset(False, "an unaware group cannot push", rule="T2K R17")
    gear_reliability: int | None = preset(
        None,
        "the reliability of the tool in use, if one is: 5 where a tool is only named",
        1,
        10,
        "T2K R66",
    )
    gear: str = preset("", "the tool in use, by its name", most=60)
    action: Action = preset(
        "", "in combat, the kind of action it is, for the helpers too", rule="T2K R55"
    )
    house: House = preset(House(), "how the table reads the book")

    def check(self) -> None:
        nobody = not self.members
        refuse_if(nobody, "members", msg("refusal.nobody"), "T2K R36", msg("do.one"))

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

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """Everybody who could roll for the group."""
        found = []
        for member in self.members:
            rolls = [self.rolled_by(member, n) for n in range(self.most_helpers(member) + 1)]
            hands = tuple(roll.handful() for roll in rolls)
            found.append(Candidate(member.name, hands, rolls[0].price))
        return tuple(found)

    def candidate(self, name: str) -> Candidate:
        """One who could roll for the group, by name."""
        return next(one for one in self.candidates if one.name == name)
