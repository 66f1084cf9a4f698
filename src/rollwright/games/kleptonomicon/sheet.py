"""A character's sheet: Modifiers by name, what helps and hinders until its cause ends, notes."""

from __future__ import annotations

from typing import Any, Literal

from rollwright.errors import BadField
from rollwright.games.kleptonomicon.outcomes import ContestOutcome, GroupOutcome, TestOutcome
from rollwright.games.kleptonomicon.requests import Contest, Group, Player, Test
from rollwright.games.kleptonomicon.scores import shorthand_of
from rollwright.kit import Effect, Request, Value, field
from rollwright.kit.fields import made
from rollwright.kit.sheets import (
    Change,
    appends,
    applying,
    filling,
    left_to_people,
    mine,
    refuse_twice,
    with_others,
)

SIDE_EFFECTS = {"0!": "bad", "10!": "good"}


class NamedModifier(Value):
    """A Modifier on the sheet; without dice of its own it goes with a d10."""

    name: str = field(help="what the Modifier is called, such as Sneaking", most=60, rule="KLEP R6")
    value: int = field(default=0, help="what is added", low=-30, high=30, rule="KLEP R4")
    dice: str = field(
        default="", help="dice that go before it, such as 2d12", most=30, rule="KLEP R5"
    )

    def check(self) -> None:
        """The dice must be readable, and carry no Modifier of their own."""
        if self.dice and shorthand_of(self.dice).modifier is not None:
            raise BadField(
                "dice", f"{self.dice!r} has a Modifier too", rule="KLEP R5", would_do="2d12"
            )


class Circumstance(Value):
    """Something that gives Advantages or Disadvantages until its cause ends."""

    source: str = field(help="what brings it about", most=80, rule="KLEP R13")
    kind: Literal["advantage", "disadvantage"] = field(
        default="advantage", help="whether it helps or hinders", rule="KLEP R13"
    )
    count: int = field(default=1, help="how many it gives", low=1, high=20, rule="KLEP R13")
    tests: tuple[str, ...] = field(
        default=(),
        help="the Modifiers whose Tests it applies to; none listed means all",
        rule="KLEP R13",
    )
    ends: str = field(default="", help="what ends it", most=120, rule="KLEP R13")


class Sheet(Value):
    """A character as far as the dice are concerned."""

    name: str = field(default="", help="the character's name", most=40)
    modifiers: tuple[NamedModifier, ...] = field(
        default=(), help="the named Modifiers", rule="KLEP R6"
    )
    circumstances: tuple[Circumstance, ...] = field(
        default=(), help="what helps and hinders at the moment", rule="KLEP R13"
    )
    notes: tuple[str, ...] = field(
        default=(), help="side effects that are due or still last", rule="KLEP R12"
    )

    def check(self) -> None:
        """Modifiers and causes are told apart by their names."""
        names = (modifier.name for modifier in self.modifiers)
        refuse_twice("modifiers", names, "KLEP R6", any_case=True)
        causes = (circumstance.source for circumstance in self.circumstances)
        refuse_twice("circumstances", causes, "KLEP R13", any_case=True)

    def modifier(self, name: str) -> NamedModifier:
        """The Modifier of that name."""
        for modifier in self.modifiers:
            if modifier.name.lower() == name.lower():
                return modifier
        raise BadField(
            "score_name",
            f"{name!r} is not a Modifier on this sheet",
            rule="KLEP R6",
            would_do=", ".join(m.name for m in self.modifiers) or "a sheet with Modifiers",
        )

    def total(self, kind: str, name: str) -> int:
        """How many Advantages or Disadvantages apply to Tests with a Modifier."""
        return sum(
            c.count
            for c in self.circumstances
            if c.kind == kind and (not c.tests or name.lower() in map(str.lower, c.tests))
        )


def _tested(sheet: Sheet, name: str) -> NamedModifier:
    return sheet.modifier(name) if name else NamedModifier(name="plain")


def _known(sheet: Sheet, modifier: NamedModifier) -> dict[str, Any]:
    return {
        "modifier": modifier.value,
        "advantages": sheet.total("advantage", modifier.name),
        "disadvantages": sheet.total("disadvantage", modifier.name),
    }


def _fill_test(sheet: Sheet, fields: dict[str, Any]) -> Test:
    name = fields.pop("score_name", "")
    modifier = _tested(sheet, name)
    known = _known(sheet, modifier)
    if modifier.dice:
        known = {"modifier": modifier.value, "dice": modifier.dice}
    return made(Test, {**known, "score_name": name, **fields})


def _player(sheet: Sheet, fields: dict[str, Any]) -> Player:
    modifier = _tested(sheet, fields.pop("score_name", ""))
    return Player(name=sheet.name, **_known(sheet, modifier))


def _fill_contest(sheet: Sheet, fields: dict[str, Any]) -> Contest:
    """The character is the first side."""
    return made(Contest, {"first": _player(sheet, fields), **fields})


def _fill_group(sheet: Sheet, fields: dict[str, Any]) -> Group:
    """The character is the first member."""
    members = with_others("members", _player(sheet, fields), fields.get("members", ()))
    return made(Group, {**fields, "members": members})


from_sheet = filling({"test": _fill_test, "contest": _fill_contest, "group": _fill_group})
"""A request with what the sheet knows: `from_sheet(sheet, "test", score_name="Sneaking")`."""


def effects(request: Request, outcome: Any) -> tuple[Effect, ...]:
    """What an outcome brings about: ranges that take effect, side effects, [Win] and [Lose]."""
    if isinstance(outcome, ContestOutcome):
        assert isinstance(request, Contest)
        return _contest_effects(request, outcome)
    assert isinstance(outcome, TestOutcome | GroupOutcome)
    found = [Effect("range", text) for text in outcome.ranges or ()]
    if outcome.critical:
        targets = request.names if isinstance(request, Group) else ("",)
        kind = SIDE_EFFECTS[outcome.critical]
        found += [Effect("side_effect", kind, target) for target in targets]
    return tuple(found)


def _contest_effects(request: Contest, outcome: ContestOutcome) -> tuple[Effect, ...]:
    first, second = request.names
    won = ("[Win]", "[Lose]") if outcome.winner == "first" else ("[Lose]", "[Win]")
    found = [Effect("contest", won[0], first), Effect("contest", won[1], second)]
    for critical, name in ((outcome.first_critical, first), (outcome.second_critical, second)):
        if critical:
            found.append(Effect("side_effect", SIDE_EFFECTS[critical], name))
    return tuple(found)


def _crossed_out(sheet: Sheet, effect: Effect) -> Sheet:
    if effect.amount not in sheet.notes:
        raise BadField("notes", f"{effect.amount!r} is not on the sheet", rule="KLEP R12")
    place = sheet.notes.index(effect.amount)
    return sheet.but(notes=sheet.notes[:place] + sheet.notes[place + 1 :])


def _side_effect(sheet: Sheet, effect: Effect) -> Sheet:
    return sheet.but(notes=(*sheet.notes, f"a {effect.amount} side effect is due"))


def _ended(sheet: Sheet, effect: Effect) -> Sheet:
    left = tuple(c for c in sheet.circumstances if c.source != effect.amount)
    if len(left) == len(sheet.circumstances):
        raise BadField("circumstances", f"{effect.amount!r} is not at work", rule="KLEP R13")
    return sheet.but(circumstances=left)


apply: Change[Sheet] = applying(
    {
        "side_effect": mine(_side_effect),
        "note": mine(appends("notes")),
        "cross_out": mine(_crossed_out),
        "begin": mine(appends("circumstances")),
        "end": mine(_ended),
        "range": left_to_people,
        "contest": left_to_people,
    }
)
"""The sheet after an effect; one that is meant for somebody else changes nothing."""
