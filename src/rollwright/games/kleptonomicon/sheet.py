"""A character's sheet: Modifiers by name, what helps and hinders until its cause ends, notes."""

from __future__ import annotations

from typing import Any, Literal

from rollwright.errors import BadField
from rollwright.games.kleptonomicon.outcomes import ContestOutcome, GroupOutcome, TestOutcome
from rollwright.games.kleptonomicon.requests import Contest, Group, Player, Test
from rollwright.games.kleptonomicon.scores import shorthand_of
from rollwright.kit import Effect, Request, Value, field

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
        _refuse_twice("modifiers", [m.name for m in self.modifiers], "KLEP R6")
        _refuse_twice("circumstances", [c.source for c in self.circumstances], "KLEP R13")

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


def _refuse_twice(where: str, names: list[str], rule: str) -> None:
    for number, name in enumerate(names):
        if name.lower() in (other.lower() for other in names[:number]):
            raise BadField(f"{where}[{number}]", f"{name!r} is there twice", rule=rule)


def from_sheet(sheet: Sheet, roll: str = "test", **fields: Any) -> Request:
    """A request with what the sheet knows: `from_sheet(sheet, "test", score_name="Sneaking")`.

    The character is the first side of a Contest, and the first member of a group.
    """
    name = fields.pop("score_name", "")
    modifier = sheet.modifier(name) if name else NamedModifier(name="plain")
    known: dict[str, Any] = {
        "modifier": modifier.value,
        "advantages": sheet.total("advantage", modifier.name),
        "disadvantages": sheet.total("disadvantage", modifier.name),
    }
    if roll == "test":
        if modifier.dice:
            known = {"modifier": modifier.value, "dice": modifier.dice}
        return Test(**{**known, "score_name": name, **fields})
    player = Player(name=sheet.name, **known)
    if roll == "contest":
        return Contest(**{"first": player, **fields})
    if roll == "group":
        return Group(**{**fields, "members": (player, *fields.get("members", ()))})
    raise BadField("roll", f"{roll!r} is none of the rolls", would_do="test, contest or group")


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


def apply(sheet: Sheet, effect: Effect) -> Sheet:
    """The sheet after an effect; one that is meant for somebody else changes nothing."""
    if effect.target and effect.target != sheet.name:
        return sheet
    change = _CHANGES.get(effect.kind)
    return sheet if change is None else change(sheet, effect.amount)


def _with_note(sheet: Sheet, kind: str) -> Sheet:
    changed: Sheet = sheet.but(notes=(*sheet.notes, f"a {kind} side effect is due"))
    return changed


def _noted(sheet: Sheet, note: str) -> Sheet:
    changed: Sheet = sheet.but(notes=(*sheet.notes, note))
    return changed


def _crossed_out(sheet: Sheet, note: str) -> Sheet:
    if note not in sheet.notes:
        raise BadField("notes", f"{note!r} is not on the sheet", rule="KLEP R12")
    place = sheet.notes.index(note)
    changed: Sheet = sheet.but(notes=sheet.notes[:place] + sheet.notes[place + 1 :])
    return changed


def _begun(sheet: Sheet, circumstance: Circumstance) -> Sheet:
    changed: Sheet = sheet.but(circumstances=(*sheet.circumstances, circumstance))
    return changed


def _ended(sheet: Sheet, source: str) -> Sheet:
    left = tuple(c for c in sheet.circumstances if c.source != source)
    if len(left) == len(sheet.circumstances):
        raise BadField("circumstances", f"{source!r} is not at work", rule="KLEP R13")
    changed: Sheet = sheet.but(circumstances=left)
    return changed


_CHANGES: dict[str, Any] = {
    "side_effect": _with_note,
    "note": _noted,
    "cross_out": _crossed_out,
    "begin": _begun,
    "end": _ended,
}
