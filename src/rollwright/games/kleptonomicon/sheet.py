"""A character's sheet: Modifiers by name, what helps and hinders until its cause ends, notes."""

from __future__ import annotations

from typing import Any, Literal

from rollwright.errors import BadField
from rollwright.kit import Effect, Request, Value, field, preset, refuse_if
from rollwright.kit.fields import made
from rollwright.kit.sheets import (
    Change,
    Fields,
    appends,
    applying,
    filling,
    mine,
    with_others,
)

from .outcomes import ContestOutcome, known_as, msg, shorthand_of
from .requests import Contest, Group, Player, Test

SIDE_EFFECTS = {"0!": "bad", "10!": "good"}


class NamedModifier(Value):
    """A Modifier on the sheet; without dice of its own it goes with a d10."""

    name: str = field(
        help="what the Modifier is called, such as Sneaking", most=60, rule="KLEP R6", known=True
    )
    value: int = preset(0, "what is added", -30, 30, "KLEP R4")
    dice: str = preset("", "dice that go before it, such as 2d12", rule="KLEP R5", most=30)

    def check(self) -> None:
        """The dice must be readable, and carry no Modifier of their own."""
        twice = bool(self.dice) and shorthand_of(self.dice).modifier is not None
        problem = msg("refusal.dice_modifier", dice=repr(self.dice))
        refuse_if(twice, "dice", problem, "KLEP R5", "2d12")


class Circumstance(Value):
    """Something that gives Advantages or Disadvantages until its cause ends."""

    source: str = field(help="what brings it about", most=80, rule="KLEP R13")
    kind: Literal["advantage", "disadvantage"] = preset(
        "advantage", "whether it helps or hinders", rule="KLEP R13"
    )
    count: int = preset(1, "how many it gives", 1, 20, "KLEP R13")
    tests: tuple[str, ...] = preset(
        (),
        "the Modifiers whose Tests it applies to; none listed means all",
        rule="KLEP R13",
        known=True,
    )
    ends: str = preset("", "what ends it", rule="KLEP R13", most=120)


class Sheet(Value):
    """A character as far as the dice are concerned."""

    name: str = preset("", "the character's name", most=40)
    modifiers: tuple[NamedModifier, ...] = preset(
        (), "the named Modifiers", rule="KLEP R6", once="name", any_case=True
    )
    circumstances: tuple[Circumstance, ...] = preset(
        (), "what helps and hinders at the moment", rule="KLEP R13", once="source", any_case=True
    )
    notes: tuple[str, ...] = preset((), "side effects that are due or still last", rule="KLEP R12")

    def modifier(self, name: str) -> NamedModifier:
        for modifier in self.modifiers:
            if same_name(modifier.name) == same_name(str(name)):
                return modifier
        would_do = ", ".join(m.name for m in self.modifiers) or msg("do.modifiers")
        problem = msg("refusal.no_modifier", name=repr(name))
        raise BadField("score_name", problem, rule="KLEP R6", would_do=would_do)

    def total(self, kind: str, name: str) -> int:
        """How many Advantages or Disadvantages apply to Tests with a Modifier."""
        return sum(
            c.count
            for c in self.circumstances
            if c.kind == kind and (not c.tests or same_name(name) in map(same_name, c.tests))
        )


def same_name(name: str) -> str:
    """A name as it is compared: in no language, and without capitals."""
    return known_as(name).lower()


def _tested(sheet: Sheet, name: str) -> NamedModifier:
    return sheet.modifier(name) if name else NamedModifier(name="plain")


def _known(sheet: Sheet, modifier: NamedModifier) -> Fields:
    return {
        "modifier": modifier.value,
        "advantages": sheet.total("advantage", modifier.name),
        "disadvantages": sheet.total("disadvantage", modifier.name),
    }


def _fill_test(sheet: Sheet, fields: Fields) -> Test:
    name = fields.pop("score_name", "")
    modifier = _tested(sheet, name)
    other_dice = {"modifier": modifier.value, "dice": modifier.dice}
    known = other_dice if modifier.dice else _known(sheet, modifier)
    return made(Test, {**known, "score_name": name, **fields})


def player_fields(sheet: Sheet, name: str = "") -> Fields:
    """Return a sheet's fields for somebody who makes a Test with others, by a Modifier's name."""
    return _known(sheet, _tested(sheet, name))


def _player(sheet: Sheet, fields: Fields) -> Player:
    return Player(name=sheet.name, **player_fields(sheet, fields.pop("score_name", "")))


def _fill_contest(sheet: Sheet, fields: Fields) -> Contest:
    """The character is the first side."""
    return made(Contest, {"first": _player(sheet, fields), **fields})


def _fill_group(sheet: Sheet, fields: Fields) -> Group:
    """The character is the first member."""
    members = with_others("members", _player(sheet, fields), fields.get("members", ()))
    return made(Group, {**fields, "members": members})


from_sheet = filling({"test": _fill_test, "contest": _fill_contest, "group": _fill_group})
"""A request with what the sheet knows: `from_sheet(sheet, "test", score_name="Sneaking")`."""


def effects(request: Request, outcome: Any) -> tuple[Effect, ...]:
    """Return an outcome's effects: ranges that take effect, side effects, [Win] and [Lose]."""
    if isinstance(request, Contest):
        return _contest_effects(request, outcome)
    found = [Effect("range", text) for text in outcome.ranges or ()]
    targets = request.names if isinstance(request, Group) else ("",)
    return (*found, *_side_effects(outcome.critical, *targets))


def _contest_effects(request: Contest, outcome: ContestOutcome) -> tuple[Effect, ...]:
    first, second = request.names
    won = ("[Win]", "[Lose]") if outcome.winner == "first" else ("[Lose]", "[Win]")
    return (
        Effect("contest", won[0], first),
        Effect("contest", won[1], second),
        *_side_effects(outcome.first_critical, first),
        *_side_effects(outcome.second_critical, second),
    )


def _side_effects(critical: str | None, *targets: str) -> tuple[Effect, ...]:
    if not critical:
        return ()
    return tuple(Effect("side_effect", SIDE_EFFECTS[critical], target) for target in targets)


def _crossed_out(sheet: Sheet, effect: Effect) -> Sheet:
    gone = effect.amount not in sheet.notes
    refuse_if(gone, "notes", msg("refusal.not_on_sheet", name=repr(effect.amount)), "KLEP R12")
    place = sheet.notes.index(effect.amount)
    return sheet.but(notes=sheet.notes[:place] + sheet.notes[place + 1 :])


def _side_effect(sheet: Sheet, effect: Effect) -> Sheet:
    return sheet.but(notes=(*sheet.notes, f"a {effect.amount} side effect is due"))


def _ended(sheet: Sheet, effect: Effect) -> Sheet:
    left = tuple(c for c in sheet.circumstances if c.source != effect.amount)
    over = len(left) == len(sheet.circumstances)
    problem = msg("refusal.not_at_work", name=repr(effect.amount))
    refuse_if(over, "circumstances", problem, "KLEP R13")
    return sheet.but(circumstances=left)


apply: Change[Sheet] = applying(
    {
        "side_effect": mine(_side_effect),
        "note": mine(appends("notes")),
        "cross_out": mine(_crossed_out),
        "begin": mine(appends("circumstances")),
        "end": mine(_ended),
    },
    people=("range", "contest"),
)
"""The sheet after an effect; one that is meant for somebody else changes nothing."""
