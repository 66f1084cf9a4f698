"""The forms of rolls: stats of the sheet or a bare pool, a difficulty, Adrenaline to spend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rollwright.i18n.catalogs import words_of
from rollwright.i18n.messages import Message, word
from rollwright.i18n.messages import msg as house_said
from rollwright.jsonable import EMPTY, JsonMapping
from rollwright.kit.card import Asked, Draft, Person, Text, reached
from rollwright.kit.controls import Choice, Control, fields_form, group, note
from rollwright.kit.requests import Request

from .dice import DIFFICULTIES, FULL, MOST_LESS, STANDARD, Stats, pool_used
from .house import House
from .requests import MOST_TURNS, ExtendedRoll, PlannedRoll, Roll, Side, turns_with_adrenaline
from .sheet import Sheet, Stat, TaskOpen
from .story import why_said

WORDS = words_of(__package__ or __name__)
msg, name_said = WORDS.msg, WORDS.name
POOL, OPPOSING_POOL = 5, 4
TARGET, LIMIT = 10, 5
"""A task that is in doubt: what anybody does in a turn or two is no extended roll."""
STATS = ("attribute", "ability")
Writes = dict[str, int | str | None]
"""The paths of a draft that a choice writes, with their values; None takes one away."""


def started(asked: Asked) -> Draft:
    """Return the first draft: the first two stats of the sheet, or a handful of dice."""
    pick, fields = asked.kept["pick"], asked.kept["set"]
    if asked.roll == "opposing":
        own = _dice(asked.sheet, pick.get("actor"), fields.get("actor"))
        rival = _dice(None, None, fields.get("defender"), OPPOSING_POOL)
        return Draft({"actor": own.pick}, {"actor": own.set, "defender": rival.set})
    if asked.roll == "plan":
        own = _dice(asked.sheet)
        return Draft({"rolls": [own.pick] * 2}, {"rolls": [own.set] * 2})
    own = _dice(asked.sheet, pick, fields)
    if asked.roll == "extended" and not pick.get("task"):  # a task under way knows these
        return own._replace(set={**own.set, "target": TARGET, "limit": LIMIT})
    return own


def _dice(
    sheet: object,
    pick: JsonMapping | None = None,
    fields: JsonMapping | None = None,
    pool: int = POOL,
) -> Draft:
    """Dice to begin with beside what was said: stats where there are some, else a pool."""
    pick = pick if isinstance(pick, Mapping) else {}
    fields = fields if isinstance(fields, Mapping) else {}
    if "pool" in fields:
        return Draft({}, {})
    if not isinstance(sheet, Sheet) or not sheet.stats:
        named = any(name in (*pick, *fields) for name in STATS)
        return Draft({}, {} if named else {"pool": pool})
    names = [stat.name for stat in sheet.stats]
    others = [name for name in names if name != pick.get("attribute", names[0])]
    second = {"ability": others[0]} if others and "ability" not in pick else {}
    return Draft({"attribute": names[0], **second}, {})


def filled(asked: Asked) -> Request:
    """The request of a draft; a stat that is picked as none is left out."""
    first = {**asked.first, "pick": _named(asked.first["pick"])}
    return replace(asked, first=first, kept=_kept(asked)).filled()


def _kept(asked: Asked) -> Mapping[str, JsonMapping]:
    return {**asked.kept, "pick": _named(asked.kept["pick"])}


def _named(pick: Any) -> Any:
    """Picks without those that name nothing."""
    if isinstance(pick, Mapping):
        named = {name: _named(held) for name, held in pick.items() if held != ""}
        return {name: held for name, held in named.items() if held}
    if not isinstance(pick, list):
        return pick
    parts = [_named(part) for part in pick]
    return parts if any(parts) else []


def form(asked: Asked) -> list[Control]:
    """Return the controls of a roll, for the present draft."""
    return _FORMS[asked.roll](asked)


def _roll(asked: Asked) -> list[Control]:
    return [
        *_pool(asked),
        _difficulty(asked),
        _spend(asked),
        _seldom(asked.field("kind"), asked.field("doubles")),
    ]


def _opposing(asked: Asked) -> list[Control]:
    actor, defender = asked.within("actor", Side), asked.within("defender", Side)
    return [
        group(*_pool(actor), *_own_number(actor), _spend(actor), title=msg("label.actor")),
        group(*_defender(defender), *_own_number(defender), title=_their_name(defender)),
        _difficulty(asked),
    ]


def _extended(asked: Asked) -> list[Control]:
    task = _task(asked)
    seldom = ("progress",) if asked.sheet else ("progress", "task", "adrenaline")
    wanted = [] if asked.picked("task") else [asked.field("target", style="stepper", help="")]
    return [
        *task,
        *_pool(asked),
        _difficulty(asked),
        group(*wanted, _limit(asked), columns=2),
        *([] if asked.picked("task") else [_seldom(*fields_form(asked, *seldom))]),
    ]


def _plan(asked: Asked) -> list[Control]:
    rolls = asked.held("rolls") or ()
    forms = [_planned(asked.part("rolls", number, PlannedRoll)) for number in range(len(rolls))]
    if isinstance(asked.sheet, Sheet):
        shared = note(msg("form.has", n=asked.sheet.adrenaline))
    else:
        shared = asked.field("adrenaline", ahead=True, help="")
    return [asked.parts("rolls", PlannedRoll, forms, title="part.roll"), shared]


def _planned(asked: Asked) -> list[Control]:
    counted = [asked.field(name, style="stepper", help="") for name in ("need", "worth")]
    return [*_pool(asked), _difficulty(asked), group(*counted, columns=2)]


_FORMS = {"roll": _roll, "opposing": _opposing, "extended": _extended, "plan": _plan}


def _seldom(*controls: Control) -> Control:
    return group(*controls, title=house_said("form.more"), fold=True)


def _house(asked: Asked) -> House:
    held = getattr(asked.request, "house", asked.house)
    return held if isinstance(held, House) else House()


def _pool(asked: Asked) -> list[Control]:
    """Two stats of the sheet or a pool counted by hand, with dice more or less."""
    sheet = asked.sheet if isinstance(asked.sheet, Sheet) else None
    if sheet is not None and sheet.stats:
        dice = _picks(asked, sheet.stats)
    elif asked.purpose == "ask":  # everyone who is asked has a sheet
        dice = [_name(asked, kind) for kind in STATS]
    else:
        dice = [_bare(asked)]
    return [*dice, _modifier(asked, sheet.injury if sheet else 0), *_thrown(asked)]


def _picks(asked: Asked, stats: tuple[Stat, ...]) -> list[Control]:
    chips = _chips(stats)
    first = asked.picked("attribute")
    others = [Choice("", msg("form.no_stat")), *(one for one in chips if one.value != first)]
    return [
        asked.choose("attribute", chips),
        # Every stat is listed once, to be tapped; what goes with one is picked from a menu.
        asked.choose("ability", others, value=asked.picked("ability") or "", style="menu"),
    ]


def _chips(stats: tuple[Stat, ...]) -> list[Choice]:
    return [_stat(stat) for stat in stats]


def _stat(stat: Stat, set: JsonMapping = EMPTY) -> Choice:
    rating = msg("form.rating", n=stat.rating)
    return Choice(stat.name, name_said(stat.name), rating, set=set)


def _name(asked: Asked, kind: str) -> Control:
    """A stat by the name that it has on other people's sheets."""
    most = asked.described(f"{kind}_name").most
    made = asked.choose(kind, (), control="text", style=None, most=most)
    return {name: held for name, held in made.items() if name != "options"}


def _bare(asked: Asked) -> Control:
    return asked.field("pool", style="slider", low=0, high=FULL, none=None, ahead=True, help="")


def _modifier(asked: Asked, wounds: int = 0) -> Control:
    """Return the control of extra dice as typed; the effect of wounds is noted beside it."""
    return asked.field(
        "modifier",
        style="taps",
        row=[-3, -2, -1, 0, 1, 2, 3],
        low=MOST_LESS,
        value=reached(asked.set, asked.path("modifier"), 0),
        why=msg("form.wounds", n=wounds) if wounds else "",
        help="",
    )


def _thrown(asked: Asked) -> list[Control]:
    """How many dice that makes, where it is not simply what the stats say."""
    stats = reached(asked.request, asked.inside) if asked.inside else asked.request
    if not isinstance(stats, Stats):
        return []
    house = _house(asked)
    used = pool_used(stats, house)
    if house.minimum_pool == "fail" and not used.dice:
        return [note(msg("form.fails"), "bad")]
    why = why_said(used, house)
    return [note(msg("form.dice", n=used.dice, why=why))] if why else []


def _difficulty(asked: Asked) -> Control:
    held = asked.held("difficulty")
    damage = asked.kind is Roll and asked.held("kind") == "damage"
    return asked.field(
        "difficulty",
        style="taps",
        row=list(DIFFICULTIES),
        words={
            min(DIFFICULTIES): msg("form.trivial"),
            STANDARD: msg("form.standard"),
            max(DIFFICULTIES): msg("form.impossible"),
        },
        help=msg("form.difficulty", name=word(DIFFICULTIES[held])) if held in DIFFICULTIES else "",
        why=msg("form.damage") if damage else "",
    )


def _own_number(side: Asked) -> list[Control]:
    """A difficulty of its own, where the house allows each side one."""
    if _house(side).opposing_numbers != "own":
        return []
    return [side.field("difficulty", style="stepper", none=msg("form.shared_number"), help="")]


def _spend(asked: Asked) -> Control:
    """As much Adrenaline as there is and as the house allows on one roll."""
    sheet = asked.sheet
    held = sheet.adrenaline if isinstance(sheet, Sheet) else asked.held("adrenaline")
    has = FULL if held is None else held
    allowed = _house(asked).max_adrenaline_per_roll
    enough = msg("form.most_allowed", n=allowed) if allowed <= has else ""
    return asked.field(
        "spend",
        style="slider",
        low=0,
        high=min(has, allowed),
        why=enough or msg("form.most_had", n=has),
        help=msg("form.spend_help", n=has) if enough else msg("form.spend"),
        ahead=True,
    )


def _their_name(side: Asked) -> Text:
    """Return the opponent's name, once that is somebody at the table."""
    name = side.held("name")
    known = (one.name for one in side.people if one.ref == name)
    return next(known, msg("label.defender"))


def _defender(side: Asked) -> list[Control]:
    """Somebody at the table by their stats, or a pool said by hand."""
    people = [one for one in side.people if isinstance(one.sheet, Sheet)]
    name = side.held("name")
    person = next((one for one in people if one.ref == name), None)
    stats = person.sheet.stats if person and isinstance(person.sheet, Sheet) else ()
    whom = [_against(side, people, person)] if people else []
    dice = _their_stats(side, stats) if stats else [_bare(side)]
    return [*whom, *dice, _modifier(side), *_thrown(side)]


def _against(side: Asked, people: list[Person], person: Person | None) -> Control:
    nobody = Choice(None, msg("form.anybody"), set=_sets(side, {}))
    known = [Choice(one.ref, one.name, one.player, set=_rival(side, one)) for one in people]
    options = [nobody, *known]
    return side.field(
        "name",
        control="pick",
        style="chips",
        options=[option.plain() for option in options],
        value=person.ref if person else None,
        label=msg("label.against"),
        most=None,
        help="",
    )


def _sets(side: Asked, fields: Writes) -> Writes:
    """Return the fields that choosing somebody writes for their side, and removes if missing."""
    names = ("pool", "modifier", "adrenaline", *STATS, *(f"{kind}_name" for kind in STATS))
    return {f"set.{side.path(name)}": fields.get(name) for name in names}


def _rival(side: Asked, person: Person) -> Writes:
    """Somebody's side by their sheet: the first two stats, wounds and Adrenaline."""
    sheet = person.sheet
    assert isinstance(sheet, Sheet)
    fields: Writes = {"adrenaline": sheet.adrenaline, "modifier": -sheet.injury or None}
    for kind, stat in zip(STATS, sheet.stats, strict=False):
        fields |= {kind: stat.rating, f"{kind}_name": stat.name}
    return _sets(side, fields)


def _their_stats(side: Asked, stats: tuple[Stat, ...]) -> list[Control]:
    first = side.held("attribute_name")
    found = []
    for kind in STATS:
        at = f"set.{side.path(kind)}"
        options = [
            _stat(stat, {at: stat.rating})
            for stat in stats
            if kind == "attribute" or stat.name != first
        ]
        if kind == "ability":
            options.insert(0, Choice(None, msg("form.no_stat"), set={at: None}))
        found.append(
            side.field(
                f"{kind}_name",
                control="pick",
                style="chips",
                options=[option.plain() for option in options],
                value=side.held(f"{kind}_name") or None,
                label=msg(f"label.{kind}"),
                most=None,
                help="",
            )
        )
    return found


def _stands(task: TaskOpen) -> Message:
    """How far a task has come; turns are counted where they are limited."""
    come = {"progress": task.progress, "target": task.target}
    if task.limit is None:
        return msg("form.task.open", **come)
    return msg("form.task", **come, turns=task.turns)


def _task(asked: Asked) -> list[Control]:
    """Return the tasks that are under way, and the state of the picked one."""
    sheet = asked.sheet
    if not isinstance(sheet, Sheet) or not sheet.tasks:
        return []
    options = [Choice("", msg("form.new_task")), *(Choice(t.name, t.name) for t in sheet.tasks)]
    picked = asked.picked("task") or ""
    stands = [note(_stands(task)) for task in sheet.tasks if task.name == picked]
    return [asked.choose("task", options, value=picked), *stands]


def _limit(asked: Asked) -> Control:
    """The most turns: fewer can be counted where Adrenaline goes along."""
    request, most, why = asked.request, MOST_TURNS, None
    if isinstance(request, ExtendedRoll) and request.adrenaline is not None:
        most = turns_with_adrenaline(request, request.house)
        why = msg("form.most_turns", n=most)
    none = house_said("form.left_out") if asked.picked("task") else msg("form.no_limit")
    return asked.field("limit", style="stepper", high=most, why=why, none=none, help="")
