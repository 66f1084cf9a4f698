"""A character with gear: what it fills in for a roll, what a roll changes, the sheet after it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from rollwright.dice import Outcome
from rollwright.errors import BadField
from rollwright.i18n.catalogs import words_of
from rollwright.kit import Effect, Request, Value, by_request, field, preset, refuse_if, sheets
from rollwright.kit.fields import MISSING, made

from .modifiers import EDGES_SAID, checked_edges, effect_dice
from .outcomes import CheckOutcome, RepairOutcome, Tier, TurnOutcome
from .requests import MOST_ATTEMPTS, MOST_SHARED, Action, Check, Repair, Turn

WORDS = words_of(__package__ or __name__)
msg = WORDS.msg


class Skill(Value):
    """A skill and its modifier."""

    name: str = field(help="What it is called.", most=60, known=True)
    modifier: int = field(help="What it adds to the d20.", low=-999, high=999, rule="EDGE R4")


class Change(Value):
    """A bonus or a penalty that holds for now, and what it comes from."""

    source: str = field(help="What it comes from.", most=60)
    amount: int = field(
        help="A bonus, or a penalty where negative.", low=-99, high=99, rule="EDGE R30"
    )
    on: Literal["d20", "effect"] = preset("d20", "Which roll it changes.", rule="EDGE R30")


class Item(Value):
    """A weapon or a tool."""

    name: str = field(help="What it is called.", most=60, known=True)
    tier: int = preset(0, "The Tier that sets the DC of a repair.", 0, 99, "EDGE R40")
    effect: str = preset("", "Its damage or healing dice.", rule="EDGE R5", most=100)
    skill: str = preset("", "The skill it is used with.", rule="EDGE R4", most=60, known=True)
    weapon: bool = preset(True, "Whether using it is an attack.", rule="EDGE R38")
    disabled: bool = preset(False, "Whether it is jammed, empty or stuck.", rule="EDGE R39")
    attempts: int = preset(0, "Attempts made to get it working.", 0, 9999, "EDGE R41")

    def check(self) -> None:
        effect_dice(self.effect)
        works = self.attempts and not self.disabled
        refuse_if(works, "attempts", msg("refusal.untried", name=self.name), "EDGE R41", "0")


class Sheet(Value):
    """A character in play."""

    name: str = preset("", "Who it is.", most=60)
    skills: tuple[Skill, ...] = preset((), "The skills.", rule="EDGE R4", most=99, once="name")
    items: tuple[Item, ...] = preset(
        (), "Weapons and tools.", rule="EDGE R41", most=99, once="name"
    )
    edges: int | str | tuple[str, ...] = preset(
        (),
        "Edges that hold for now, by what they come from.",
        rule="EDGE R23",
        would_do=EDGES_SAID,
    )
    changes: tuple[Change, ...] = preset(
        (), "Bonuses and penalties that hold for now.", rule="EDGE R30", most=99
    )
    rerolls: int = preset(0, "Re-rolls left.", 0, 9, "EDGE R20")
    in_turn: bool = preset(
        False,
        "Whether a turn is being played: only then are checks counted, each after the first at 5 "
        "less.",
        rule="EDGE R13",
    )
    checks_made: int = preset(0, "Checks made this turn.", 0, 98, "EDGE R13")
    turn_ended: bool = preset(False, "Whether a critical failure ended the turn.", rule="EDGE R11")
    reaction_lost: bool = preset(False, "Whether this round's reaction is lost.", rule="EDGE R11")

    def check(self) -> None:
        self.settle(edges=checked_edges("edges", self.edges, "EDGE R23"))
        early = self.turn_ended and not (self.in_turn or self.checks_made)
        refuse_if(early, "turn_ended", msg("refusal.unended"), "EDGE R11", "false")

    def skill(self, name: str) -> Skill:
        return sheets.named("skill", name, self.skills, known_as=WORDS.known_as)

    @property
    def checks_before(self) -> int:
        """How many checks of the turn that is being played were made."""
        return self.checks_made if self.in_turn else 0

    def item(self, name: str) -> Item:
        return sheets.named("item", name, self.items, known_as=WORDS.known_as)


def _refuse_after_the_end(sheet: Sheet) -> None:
    problem, would_do = msg("refusal.ended"), msg("fits.next_turn")
    over = sheet.in_turn and sheet.turn_ended
    refuse_if(over, "turn_ended", problem, "EDGE R11", would_do)


def _fill_check(sheet: Sheet, fields: sheets.Fields) -> Check:
    """Return the sheet's fields of a check, and its number if it is one of a turn."""
    in_turn = {"in_turn": sheet.in_turn, **fields}["in_turn"]
    if in_turn:
        _refuse_after_the_end(sheet)
    nth = sheet.checks_before + 1 if in_turn else 1
    known = {"in_turn": sheet.in_turn, "nth_check": nth}
    return made(Check, known | _filled(sheet, fields))


def _fill_turn(sheet: Sheet, fields: sheets.Fields) -> Turn:
    """Return the sheet's fields of a turn and of each of its checks, under the given ones."""
    _refuse_after_the_end(sheet)
    known = {"checks_before": sheet.checks_before, "rerolls": min(sheet.rerolls, MOST_SHARED)}

    def fill(part: sheets.Fields) -> Action:
        return made(Action, _filled(sheet, {"rerolls": 0} | part))

    checks = sheets.filled_parts(fields, "checks", Action, fill, "EDGE R12")
    return made(Turn, known | fields | {"checks": checks})


def _fill_repair(sheet: Sheet, fields: sheets.Fields) -> Repair:
    """Return the sheet's fields of a repair, under the given ones."""
    _refuse_after_the_end(sheet)
    if "item" not in fields:
        broken = ", ".join(item.name for item in sheet.items if item.disabled)
        would_do = broken or msg("fits.broken")
        raise BadField("item", MISSING, rule="EDGE R40", would_do=would_do)
    item = sheet.item(fields["item"])
    problem = msg("refusal.works", name=item.name)
    refuse_if(not item.disabled, "item", problem, "EDGE R40", msg("fits.disabled"))
    known = {
        "tier": item.tier,
        "attempt": min(item.attempts + 1, MOST_ATTEMPTS),
        "checks_before": sheet.checks_before,
    }
    return made(Repair, known | _of_character(sheet, fields))


def _of_character(sheet: Sheet, fields: sheets.Fields) -> sheets.Fields:
    """Skill, edges, bonuses and penalties of the d20 roll."""
    known: sheets.Fields = {
        "edges": sheet.edges,
        "bonuses": _amounts(sheet, "d20", 1),
        "penalties": _amounts(sheet, "d20", -1),
    }
    if fields.get("skill"):
        known["modifier"] = sheet.skill(fields["skill"]).modifier
    return known | fields


def _filled(sheet: Sheet, fields: sheets.Fields) -> sheets.Fields:
    """Return the sheet's fields of a check, under the given ones."""
    known: sheets.Fields = {
        "rerolls": sheet.rerolls,
        "effect_bonuses": _amounts(sheet, "effect", 1),
        "effect_penalties": _amounts(sheet, "effect", -1),
    }
    if fields.get("item"):
        item = sheet.item(fields["item"])
        problem = msg("refusal.broken", name=item.name)
        refuse_if(item.disabled, "item", problem, "EDGE R39", msg("fits.another"))
        known |= {"item_tier": item.tier, "effect": item.effect, "attack": item.weapon}
        if item.skill in [skill.name for skill in sheet.skills]:
            known["skill"] = item.skill
    return _of_character(sheet, known | fields)


def _amounts(sheet: Sheet, on: str, sign: int) -> tuple[int, ...]:
    return tuple(abs(c.amount) for c in sheet.changes if c.on == on and c.amount * sign > 0)


from_sheet = sheets.filling({"check": _fill_check, "turn": _fill_turn, "repair": _fill_repair})
"""A request with what the sheet knows filled in; `skill` and `item` are looked up by name."""


def _of_check(request: Check, outcome: CheckOutcome) -> Iterable[Effect]:
    target = request.target or "target"
    yield from sheets.happening(Effect("checks", int(request.in_turn)))
    yield from sheets.happening(Effect("rerolls", -outcome.rerolled))
    yield from sheets.happening(Effect("effect", outcome.effect, target))
    if outcome.tier is Tier.CRITICAL_SUCCESS:
        yield Effect("helpful extra")
    yield from sheets.happening(Effect("critical effect", int(outcome.critical_effect), target))
    yield from _of_disaster(request, outcome, outcome.turn_ends)


def _of_turn(request: Turn, outcome: TurnOutcome) -> Iterable[Effect]:
    hit = _target(check.target for check in request.checks if check.effect)
    attacked = _target(check.target for check in request.checks if check.attack)
    yield Effect("checks", outcome.checks)
    yield from sheets.happening(
        Effect("rerolls", -outcome.rerolled), Effect("effect", outcome.effect, hit)
    )
    yield from [Effect("helpful extra")] * outcome.critical_successes
    yield from sheets.happening(Effect("critical effect", outcome.critical_effects, attacked))
    yield from _of_disaster(request.checks[outcome.last - 1], outcome, outcome.ended_badly)


def _target(targets: Iterable[str]) -> str:
    names = set(targets)
    return "targets" if len(names) != 1 else names.pop() or "target"


def _of_disaster(
    action: Action, outcome: CheckOutcome | TurnOutcome, happened: bool
) -> Iterable[Effect]:
    if happened:
        yield Effect("turn ended")
    if outcome.disabled:
        yield Effect("disabled", action.item_tier or 0, action.used_item)
    if outcome.harm:
        yield Effect("harm")


def _of_repair(request: Repair, outcome: RepairOutcome) -> Iterable[Effect]:
    made = outcome.checks_this_turn
    if outcome.turns > 1:
        yield Effect("new turn", outcome.turns - 1)
    else:
        made -= request.checks_before
    yield Effect("checks", made)
    yield Effect("attempts", outcome.attempts, request.item)
    if outcome.fixed:
        yield Effect("repaired", 0, request.item)
    if outcome.turn_ends:
        yield Effect("turn ended")
    yield from [Effect("harm")] * outcome.critical_failures


_EFFECTS = by_request({Check: _of_check, Turn: _of_turn, Repair: _of_repair})


def effects(request: Request, outcome: Outcome) -> tuple[Effect, ...]:
    """Return an outcome's changes, as data."""
    return tuple(_EFFECTS(request, outcome))


def _disable(sheet: Sheet, effect: Effect) -> Sheet:
    """An item does not work any more; one that was never noted down is from now on."""
    if effect.target not in [item.name for item in sheet.items]:
        sheet = sheet.but(items=(*sheet.items, Item(name=effect.target, tier=effect.amount)))
    return sheets.with_thing(sheet, "items", effect.target, disabled=True, attempts=0)


def _on_item(change: sheets.Change[Item]) -> sheets.Change[Sheet]:
    """A change of the item that a repair named; where it named none, nothing changes."""
    named_one = sheets.on_thing("items", change, rule="EDGE R41")
    return lambda sheet, effect: named_one(sheet, effect) if effect.target else sheet


def _named_edges(sheet: Sheet) -> tuple[str, ...]:
    """The edges by what they come from; a number names none."""
    if isinstance(sheet.edges, tuple):
        return sheet.edges
    counted = msg("refusal.edges.counted")
    raise BadField("edges", counted, rule="EDGE R23", would_do=msg("fits.edges.counted"))


def _gain_edge(sheet: Sheet, effect: Effect) -> Sheet:
    return sheet.but(edges=(*_named_edges(sheet), effect.amount))


def _end_edge(sheet: Sheet, effect: Effect) -> Sheet:
    return sheet.but(edges=[name for name in _named_edges(sheet) if name != effect.amount])


def _in_turn(change: sheets.Change[Sheet]) -> sheets.Change[Sheet]:
    """A change of the turn that is being played; outside a turn nothing changes."""
    return lambda sheet, effect: change(sheet, effect) if sheet.in_turn else sheet


def _new_turn(sheet: Sheet, effect: Effect) -> Sheet:
    """A turn that somebody declares; those that a repair takes go by without being declared."""
    declared = sheet.in_turn or not effect.amount
    return sheet.but(in_turn=declared, checks_made=0, turn_ended=False)


apply: sheets.Change[Sheet] = sheets.applying(
    {
        "edge": _gain_edge,
        "edge-ends": _end_edge,
        "checks": _in_turn(sheets.adds("checks_made", high=98)),
        "rerolls": sheets.adds("rerolls"),
        "turn ended": _in_turn(sheets.sets(turn_ended=True)),
        "new turn": _new_turn,
        "end turn": sheets.sets(in_turn=False, checks_made=0, turn_ended=False),
        "new round": sheets.sets(
            in_turn=False, checks_made=0, turn_ended=False, reaction_lost=False
        ),
        "reaction lost": sheets.sets(reaction_lost=True),
        "disabled": _disable,
        "attempts": _on_item(sheets.adds("attempts")),
        "repaired": _on_item(sheets.sets(disabled=False, attempts=0)),
    },
    people=("effect", "critical effect", "helpful extra", "harm"),
)
"""The sheet after an effect; what concerns others, or is for the GM to say, leaves it alone."""
