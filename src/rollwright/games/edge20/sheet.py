"""A character with gear: what is kept track of between checks, and what it fills in for them."""

from __future__ import annotations

from typing import Any, Literal

from rollwright.errors import BadField
from rollwright.games.edge20.actions import Action
from rollwright.games.edge20.effect_dice import effect_dice
from rollwright.games.edge20.requests import (
    MOST_ATTEMPTS,
    MOST_SHARED,
    Check,
    Repair,
    Turn,
)
from rollwright.games.edge20.stacking import checked_edges
from rollwright.kit import Value, field
from rollwright.kit.fields import made
from rollwright.kit.sheets import filled_parts, filling, named, refuse_twice


class Skill(Value):
    """A skill and its modifier."""

    name: str = field(help="What it is called.", most=60)
    modifier: int = field(help="What it adds to the d20.", low=-999, high=999, rule="EDGE R4")


class Change(Value):
    """A bonus or a penalty that holds for now, and what it comes from."""

    source: str = field(help="What it comes from.", most=60)
    amount: int = field(
        help="A bonus, or a penalty where negative.", low=-99, high=99, rule="EDGE R30"
    )
    on: Literal["d20", "effect"] = field(
        default="d20", help="Which roll it changes.", rule="EDGE R30"
    )


class Item(Value):
    """A weapon or a tool."""

    name: str = field(help="What it is called.", most=60)
    tier: int = field(
        default=0, help="The Tier that sets the DC of a repair.", low=0, high=99, rule="EDGE R40"
    )
    effect: str = field(default="", help="Its damage or healing dice.", most=100, rule="EDGE R5")
    weapon: bool = field(default=True, help="Whether using it is an attack.", rule="EDGE R38")
    disabled: bool = field(
        default=False, help="Whether it is jammed, empty or stuck.", rule="EDGE R39"
    )
    attempts: int = field(
        default=0, help="Attempts made to get it working.", low=0, high=9999, rule="EDGE R41"
    )

    def check(self) -> None:
        """Only what does not work is being repaired."""
        effect_dice(self.effect)
        if self.attempts and not self.disabled:
            raise BadField(
                "attempts",
                f"{self.name} works, so nobody has tried to repair it",
                rule="EDGE R41",
                would_do="0",
            )


class Sheet(Value):
    """A character in play."""

    name: str = field(default="", help="Who it is.", most=60)
    skills: tuple[Skill, ...] = field(default=(), help="The skills.", most=99, rule="EDGE R4")
    items: tuple[Item, ...] = field(default=(), help="Weapons and tools.", most=99, rule="EDGE R39")
    edges: int | str | tuple[str, ...] = field(
        default=(), help="Edges that hold for now, by what they come from.", rule="EDGE R23"
    )
    changes: tuple[Change, ...] = field(
        default=(), help="Bonuses and penalties that hold for now.", most=99, rule="EDGE R30"
    )
    rerolls: int = field(default=0, help="Re-rolls left.", low=0, high=9, rule="EDGE R20")
    checks_made: int = field(
        default=0, help="Checks made this turn.", low=0, high=98, rule="EDGE R13"
    )
    turn_ended: bool = field(
        default=False, help="Whether a critical failure ended the turn.", rule="EDGE R11"
    )
    reaction_lost: bool = field(
        default=False, help="Whether this round's reaction is lost.", rule="EDGE R11"
    )

    def check(self) -> None:
        """Names are used once, and only a check ends a turn."""
        self.settle(edges=checked_edges("edges", self.edges, "EDGE R23"))
        refuse_twice("skills", (skill.name for skill in self.skills), "EDGE R4")
        refuse_twice("items", (item.name for item in self.items), "EDGE R41")
        if self.turn_ended and not self.checks_made:
            raise BadField(
                "turn_ended",
                "a turn ends by a check, and none was made",
                rule="EDGE R11",
                would_do="false",
            )

    def skill(self, name: str) -> Skill:
        """A skill by name."""
        return named("skill", name, self.skills)

    def item(self, name: str) -> Item:
        """An item by name."""
        return named("item", name, self.items)


def _refuse_after_the_end(sheet: Sheet) -> None:
    if sheet.turn_ended:
        raise BadField(
            "turn_ended",
            "a critical failure has ended this turn",
            rule="EDGE R11",
            would_do="the next turn",
        )


def _fill_check(sheet: Sheet, fields: dict[str, Any]) -> Check:
    _refuse_after_the_end(sheet)
    return made(Check, {"nth_check": sheet.checks_made + 1} | _filled(sheet, fields))


def _fill_turn(sheet: Sheet, fields: dict[str, Any]) -> Turn:
    """What the sheet knows of a turn and of each of its checks, under what is given."""
    _refuse_after_the_end(sheet)
    known = {"checks_before": sheet.checks_made, "rerolls": min(sheet.rerolls, MOST_SHARED)}
    checks = filled_parts(
        "checks",
        fields.get("checks", ()),
        Action,
        lambda part: made(Action, _filled(sheet, {"rerolls": 0} | part)),
        rule="EDGE R12",
        part="check",
        would_do="the fields of a check",
    )
    return made(Turn, known | fields | {"checks": checks})


def _fill_repair(sheet: Sheet, fields: dict[str, Any]) -> Repair:
    """What the sheet knows of a repair, under what is given for it."""
    _refuse_after_the_end(sheet)
    if "item" not in fields:
        broken = ", ".join(item.name for item in sheet.items if item.disabled)
        would_do = broken or "an item that does not work"
        raise BadField("item", "is missing", rule="EDGE R40", would_do=would_do)
    item = sheet.item(fields["item"])
    if not item.disabled:
        raise BadField("item", f"{item.name} works", rule="EDGE R40", would_do="a disabled item")
    known = {
        "tier": item.tier,
        "attempt": min(item.attempts + 1, MOST_ATTEMPTS),
        "checks_before": sheet.checks_made,
    }
    return made(Repair, known | _of_character(sheet, fields))


def _of_character(sheet: Sheet, fields: dict[str, Any]) -> dict[str, Any]:
    """Skill, edges, bonuses and penalties of the d20 roll."""
    known: dict[str, Any] = {
        "edges": sheet.edges,
        "bonuses": _amounts(sheet, "d20", 1),
        "penalties": _amounts(sheet, "d20", -1),
    }
    if fields.get("skill"):
        known["modifier"] = sheet.skill(fields["skill"]).modifier
    return known | fields


def _filled(sheet: Sheet, fields: dict[str, Any]) -> dict[str, Any]:
    """What the sheet knows of a check, under what is given for it."""
    known: dict[str, Any] = {
        "rerolls": sheet.rerolls,
        "effect_bonuses": _amounts(sheet, "effect", 1),
        "effect_penalties": _amounts(sheet, "effect", -1),
    }
    if fields.get("item"):
        item = sheet.item(fields["item"])
        if item.disabled:
            raise BadField(
                "item",
                f"{item.name} does not work",
                rule="EDGE R39",
                would_do="another item, or a repair",
            )
        known |= {"item_tier": item.tier, "effect": item.effect, "attack": item.weapon}
    return _of_character(sheet, known | fields)


def _amounts(sheet: Sheet, on: str, sign: int) -> tuple[int, ...]:
    return tuple(abs(c.amount) for c in sheet.changes if c.on == on and c.amount * sign > 0)


from_sheet = filling({"check": _fill_check, "turn": _fill_turn, "repair": _fill_repair})
"""A request with what the sheet knows filled in; `skill` and `item` are looked up by name."""
