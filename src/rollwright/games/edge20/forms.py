"""The forms of checks, turns and repairs: what is rolled against what, with the limits of now."""

from __future__ import annotations

from collections.abc import Mapping

from rollwright.i18n.catalogs import words_of
from rollwright.i18n.messages import die, with_sign
from rollwright.kit.card import Asked, Text
from rollwright.kit.controls import Choice, Control, act, group, jump, note

from .house import House
from .modifiers import dc_shift, edge_size, net_edges, set_off, stack
from .requests import (
    MOST_REROLLS,
    MOST_SHARED,
    PER_ATTEMPT,
    PER_CHECK,
    Action,
    Check,
    Repair,
    Turn,
)
from .sheet import Item, Sheet
from .story import TOO_MANY
from .tiers import favour, stacked_penalties
from .turns import BASE_DC

WORDS = words_of(__package__ or __name__)
msg, name_said = WORDS.msg, WORDS.name
DCS = [10, 15, 20, 25, 30]
EDGES = range(-5, 6)
EDGE_DICE: Mapping[int, Text] = {
    n: msg("edge.gained" if n > 0 else "edge.lost", die=die(abs(edge_size(n)))) for n in EDGES if n
}
SHIFTS: Mapping[int, Text] = {n: msg("bonus", n=with_sign(dc_shift(n))) for n in EDGES if n}
"""The change by each number of edges of a roll, and of a DC."""
FAVOUR = msg("label.favour")
FAVOURS = (
    (0, msg("favour.down"), 1),
    (None, msg("favour.none"), None),
    (1, msg("favour.up"), None),
)
"""Disadvantage, neither and advantage, each with what it writes as the number of disadvantages."""
OFFERS = [1, 2, 3, 4]
REST = ("dc_edges", "rerolls", "effect", "effect_bonuses", "effect_penalties", "attack")
"""Fields of a check that are seldom set, beside what a sheet knows better."""


def form_of(asked: Asked) -> list[Control]:
    """Return the controls of a roll, for the present draft."""
    if asked.purpose == "ask" and asked.roll == "check":
        return [asked.field("skill", suggest=_skills_of_people(asked)), _dc(asked), _favour(asked)]
    return [*_ended(asked), *_FORMS[asked.roll](asked)]


def _check(asked: Asked) -> list[Control]:
    rest = [asked.field("name"), _target(asked), *_beside_the_sheet(asked)]
    rest += [_field(asked, name) for name in (*REST, "in_turn")]
    return [
        *_skill(asked),
        _dc(asked),
        _favour(asked),
        _edges(asked),
        *_items(asked),
        *_changes(asked),
        *_nth(asked),
        _more(*rest),
    ]


def _turn(asked: Asked) -> list[Control]:
    held = asked.held("checks") or ()
    forms = [_part(asked.part("checks", n, Action)) for n in range(len(held))]
    own = sum(part.rerolls for part in held if isinstance(part, Action))
    most = max(min(MOST_SHARED, MOST_REROLLS - own), 0)
    why = msg("rerolls.most", n=MOST_REROLLS) if most < MOST_SHARED else ""
    rerolls = asked.field("rerolls", style="stepper", high=most, why=why, help="")
    return [
        asked.parts("checks", Action, forms, title="part.check"),
        *_planned(asked, len(held)),
        *_price(asked, _made_before(asked)),
        group(rerolls, asked.field("any_order", help=""), columns=2),
        _more(_before(asked)),
    ]


def _part(asked: Asked) -> list[Control]:
    """One check of a turn."""
    rest = [_edges(asked), *_items(asked), asked.field("name"), _target(asked)]
    rest += [*_changes(asked), *_beside_the_sheet(asked)]
    rest += [_field(asked, name) for name in REST if name != "rerolls"]
    about = {"label": msg("label.part.rerolls"), "help": msg("help.rerolls")}
    rest.append(asked.field("rerolls", **about))
    return [*_skill(asked), _dc(asked), _favour(asked), _more(*rest)]


def _repair(asked: Asked) -> list[Control]:
    names: tuple[str, ...] = ("attempt", "limit")
    if asked.sheet is None:
        tier = asked.field("tier", style="stepper", help="")
        front = [group(tier, *_skill(asked), columns=2)]
        rest = [asked.field("item"), asked.field("skill")]
    else:
        front = [*_items(asked), *_skill(asked)]
        rest = [_field(asked, "tier")]
        rest += [_field(asked, "modifier")] if _has_skills(asked) else []
    rest += [*_changes(asked), _tries(asked), _before(asked)]
    rest += [_field(asked, name) for name in names]
    price = _price(asked, _made_before(asked))
    return [*front, _favour(asked), _edges(asked), *_repair_dc(asked), *price, _more(*rest)]


_FORMS = {"check": _check, "turn": _turn, "repair": _repair}


def _field(asked: Asked, name: str) -> Control:
    """A field with the control of its kind; edges on the DC have taps, lists offers."""
    if name == "dc_edges":
        return _edges(asked, name)
    if name in ("effect_bonuses", "effect_penalties"):
        return asked.field(name, offers=OFFERS)
    return asked.field(name)


def _target(asked: Asked) -> Control:
    return asked.field("target", suggest=[person.name for person in asked.people])


def _more(*rest: Control) -> Control:
    return group(*rest, title=msg("form.more"), fold=True)


def _house(asked: Asked) -> House:
    if isinstance(asked.request, Check | Turn | Repair):
        return asked.request.house
    return asked.house if isinstance(asked.house, House) else House()


def _wrong(asked: Asked, *names: str) -> Text:
    """A refusal of something that another control shows."""
    found = (asked.wrong.get(f"set.{asked.path(name)}") for name in names)
    return next((wrong for wrong in found if wrong), "")


def _has_skills(asked: Asked) -> bool:
    return isinstance(asked.sheet, Sheet) and bool(asked.sheet.skills)


def _skills_of_people(asked: Asked) -> list[str]:
    sheets = [person.sheet for person in asked.people if isinstance(person.sheet, Sheet)]
    return list(dict.fromkeys(skill.name for sheet in sheets for skill in sheet.skills))


def _skill(asked: Asked) -> list[Control]:
    """The skills of the sheet with their modifiers, or the modifier alone."""
    sheet = asked.sheet
    if not isinstance(sheet, Sheet) or not sheet.skills:
        return [asked.field("modifier", style="stepper", help="")]
    skills = [
        Choice(
            skill.name,
            name_said(skill.name),
            msg("bonus", n=with_sign(skill.modifier)),
            set=_laid_aside(asked, sheet, skill.name),
        )
        for skill in sheet.skills
    ]
    return [_choose(asked, "skill", skills)]


def _laid_aside(asked: Asked, sheet: Sheet, skill: str) -> dict[str, None]:
    """A thing in hand that is for another skill than the one that is picked."""
    held = next((item for item in sheet.items if item.name == asked.picked("item")), None)
    other = asked.roll != "repair" and held is not None and held.skill not in ("", skill)
    return {f"pick.{asked.path('item')}": None} if other else {}


def _with_skill(asked: Asked, sheet: Sheet, item: Item) -> dict[str, str]:
    """Return the skill that goes with an item, for the draft of the one who takes it up."""
    known = asked.roll != "repair" and item.skill in [skill.name for skill in sheet.skills]
    return {f"pick.{asked.path('skill')}": item.skill} if known else {}


def _choose(asked: Asked, name: str, options: list[Choice]) -> Control:
    """A pick from the sheet, which also shows what is wrong with the field of its name."""
    wrong = _wrong(asked, name)
    return asked.choose(name, options, **({"wrong": wrong} if wrong else {}))


def _beside_the_sheet(asked: Asked) -> list[Control]:
    """Return the fields to type without a sheet, or those a sheet has filled in."""
    if asked.sheet is None:
        return [asked.field(name) for name in ("skill", "item")] + [_field(asked, "item_tier")]
    own = [_field(asked, "modifier")] if _has_skills(asked) else [asked.field("skill")]
    return [*own, _field(asked, "item_tier")]


def _dc(asked: Asked) -> Control:
    return asked.field("dc", style="taps", row=DCS, signed=False, help="")


def _favour(asked: Asked) -> Control:
    """Advantage, disadvantage or neither: as the rules have it after both were set off."""
    held = (asked.held(name) for name in ("advantages", "disadvantages"))
    up, down = (number if isinstance(number, int) else 0 for number in held)
    net = favour(up, down, _house(asked))
    other = f"set.{asked.path('disadvantages')}"
    options = [
        {"value": value, "label": label, "set": {other: set}} for value, label, set in FAVOURS
    ]
    wrong = _wrong(asked, "disadvantages")
    control = asked.field(
        "advantages",
        control="pick",
        style="row",
        options=options,
        label=FAVOUR,
        help="",
        **({"wrong": wrong} if wrong else {}),
    )
    return _without_limits(control) | {"value": {1: 1, 0: None, -1: 0}[net]}


def _without_limits(control: Control) -> Control:
    return {name: held for name, held in control.items() if name not in ("low", "high", "signed")}


def _edges(asked: Asked, name: str = "edges") -> Control:
    """Edges by number, each with the die or the shift that it makes."""
    held = asked.held(name) or 0
    edges = held if isinstance(held, int | str) else tuple(held)
    net = 0 if isinstance(edges, str) else net_edges(edges)
    source = asked.source(name)
    usual = {"control": "number", "style": "taps", "low": EDGES[0], "high": EDGES[-1]}
    return asked.field(
        name,
        **usual,
        value=net,
        row=[-2, -1, 0, 1, 2, 3],
        signed=True,
        most=None,
        words=SHIFTS if name == "dc_edges" else EDGE_DICE,
        **{"from": "book" if source == "sheet" and not held else source},
    )


def _items(asked: Asked) -> list[Control]:
    """Weapons and tools: those that fit the roll, the others with the reason why not."""
    sheet = asked.sheet
    if not isinstance(sheet, Sheet) or not sheet.items:
        return []
    repairs = asked.roll == "repair"
    options = [] if repairs else [Choice(None, msg("item.none"))]
    off = msg("item.works") if repairs else msg("item.broken")
    for item in sheet.items:
        fits = item.disabled == repairs
        label = name_said(item.name)
        with_it = _with_skill(asked, sheet, item)
        options.append(Choice(item.name, label, item.effect, "" if fits else off, set=with_it))
    broken = [] if repairs or asked.inside else [item for item in sheet.items if item.disabled]
    return [
        _choose(asked, "item", options),
        *(
            jump(msg("item.repair", name=name_said(item.name)), "repair", pick={"item": item.name})
            for item in broken
        ),
    ]


def _changes(asked: Asked) -> list[Control]:
    """Bonuses and penalties, with what the caps leave of them."""
    bonuses, penalties = (tuple(asked.held(name) or ()) for name in ("bonuses", "penalties"))
    if isinstance(asked.request, Check):
        penalties_in_all = stacked_penalties(asked.request)
    else:
        penalties_in_all = penalties
    cancel_first = _house(asked).bonus_order == "cancel first"
    helps = ("", "") if cancel_first else (_capped(bonuses), _capped(penalties_in_all))
    both = group(
        asked.field("bonuses", offers=OFFERS, signed=True, help=helps[0]),
        asked.field("penalties", offers=OFFERS, signed=False, help=helps[1]),
        columns=2,
    )
    if not cancel_first or not (bonuses or penalties_in_all):
        return [both]
    net = set_off(bonuses, penalties_in_all, cancel_first=True)
    return [both, note(msg("stacked.net", n=with_sign(net)))]


def _capped(amounts: tuple[int, ...]) -> Text:
    found = stack(amounts)
    return msg("stacked", sum=found.sum, counts=found.counts) if len(amounts) > 1 else ""


def _nth(asked: Asked) -> list[Control]:
    """Return the check's place in the turn and its price; outside a turn, how to begin one.

    The price is beside the chance too.
    """
    nth, house = int(asked.held("nth_check") or 1), _house(asked)
    if asked.request is None and isinstance(asked.sheet, Sheet):
        nth = asked.sheet.checks_before + 1
    counted = _in_turn(asked)
    way = "nth.capped" if house.turn_penalty_stacks else "nth.price"
    help = msg(way, n=PER_CHECK * (nth - 1)) if nth > 1 else msg("nth.first")
    help = help if counted else msg("turn.outside")
    most = house.max_checks
    wrong = _wrong(asked, "turn_ended")
    control = asked.field(
        "nth_check",
        style="taps",
        row=[n for n in (1, 2, 3, 4) if most is None or n <= most],
        value=nth,
        help=help,
        **({} if most is None else {"high": most, "why": msg("nth.most", n=most)}),
        **({"wrong": wrong} if wrong else {}),
    )
    if not counted:
        begin = [act(msg("turn.new"), "new turn")] if isinstance(asked.sheet, Sheet) else []
        return [control, *begin]
    many = [note(msg("nth.too_many"), "bad")] if nth >= TOO_MANY else []
    return [control, *many, *_price(asked, nth - 1)]


def _in_turn(asked: Asked) -> bool:
    """Whether the check is one of a turn, also where nothing can be made of the draft."""
    if isinstance(asked.request, Check):
        return asked.request.in_turn
    said_so = asked.set.get("in_turn")
    if isinstance(said_so, bool):
        return said_so
    return not isinstance(asked.sheet, Sheet) or asked.sheet.in_turn


def _price(asked: Asked, before: int) -> list[Control]:
    """Return the price of earlier checks, beside the chance, and the way to a new turn."""
    if not before or _ended(asked):
        return []
    price = note(msg("turn.price", nth=before + 1, n=PER_CHECK * before), "mixed", docked=True)
    mine = isinstance(asked.whole_sheet, Sheet)
    return [price, *([act(msg("turn.new"), "new turn", docked=True)] if mine else [])]


def _planned(asked: Asked, checks: int) -> list[Control]:
    """A plan that is longer than the table or the advice of the book allows."""
    before, most = _made_before(asked), _house(asked).max_checks
    if most is not None and before + checks > most:
        return [note(msg("nth.most", n=most), "bad")]
    return [note(msg("nth.too_many"), "bad")] if before + checks >= TOO_MANY else []


def _made_before(asked: Asked) -> int:
    """How many checks were made before in the turn."""
    return int(asked.held("checks_before") or 0)


def _before(asked: Asked) -> Control:
    """How many checks were made before, which the sheet knows."""
    most = _house(asked).max_checks
    wrong = _wrong(asked, "turn_ended")
    limits = {} if most is None else {"high": most - 1, "why": msg("nth.most", n=most)}
    return asked.field(
        "checks_before", style="stepper", **limits, **({"wrong": wrong} if wrong else {})
    )


def _tries(asked: Asked) -> Control:
    """How many attempts a turn has, which the table may limit."""
    most, before = _house(asked).max_checks, _made_before(asked)
    if most is None:
        return asked.field("tries_per_turn", style="stepper")
    limits = {"high": max(most - before, 1), "why": msg("nth.most", n=most)}
    return asked.field("tries_per_turn", style="stepper", **limits)


def _repair_dc(asked: Asked) -> list[Control]:
    """Return the DC by the Tier, with the bonus earned by earlier attempts."""
    tier, attempt = asked.held("tier"), int(asked.held("attempt") or 1)
    if tier is None:
        return []
    if attempt == 1:
        return [note(msg("repair.dc", dc=BASE_DC + tier))]
    earned = with_sign(PER_ATTEMPT * (attempt - 1))
    return [note(msg("repair.dc.earned", dc=BASE_DC + tier, n=earned))]


def _ended(asked: Asked) -> list[Control]:
    """A turn that is over: why, and how the next one begins."""
    sheet = asked.sheet
    over = isinstance(sheet, Sheet) and sheet.in_turn and sheet.turn_ended
    if not over or (asked.roll == "check" and not _in_turn(asked)):
        return []
    return [note(msg("refusal.ended"), "bad"), act(msg("turn.new"), "new turn", docked=True)]
