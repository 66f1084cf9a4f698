"""Forms: the controls of a roll, for the present draft."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from rollwright.i18n.catalogs import words_of
from rollwright.i18n.messages import die
from rollwright.kit import Request
from rollwright.kit.card import Asked, Person, Text, reached
from rollwright.kit.controls import Choice, Control, fields_form, group, jump, note

from .dice import LEVELS, MOST_HELPERS, SIDES, SKILLS
from .drafts import MOST_AMMO, USUAL_SKILL, most_ammo, picked_weapon, why_silent
from .firearms import Attack, Magazine, Tool, Weapon
from .requests import Member, Roll, Skill
from .sheet import Sheet

WORDS = words_of(__package__ or __name__)
msg, name_said = WORDS.msg, WORDS.name
USUAL_MODIFIERS = [-3, -2, -1, 0, 1, 2, 3]
_SELDOM: dict[str, tuple[str, ...]] = {
    "skill": ("attribute_name", "modifiers", "action", "pushable"),
    "attack": (
        *("attribute_name", "modifiers", "action", "pushable", "base_damage", "armour_modifier"),
        *("crit_threshold", "primary", "locations"),
    ),
    "clear_jam": ("attribute_name", "modifiers", "action", "pushable"),
    "magazine": (
        *("attribute_name", "modifiers", "action", "pushable", "rounds", "magazine_size"),
        *("spare_magazines", "reload_below", "stop_at_jam"),
    ),
    "group": ("attribute_name", "passive", "action"),
    "repair": ("restores", "attribute_name", "modifiers", "action", "pushable", "passive"),
}
_BY_HAND: dict[str, tuple[str, ...]] = {
    "skill": ("skill_name", "gear", "gear_reliability"),
    "attack": ("skill_name", "weapon"),
    "clear_jam": ("skill_name", "weapon", "rate_of_fire", "reliability"),
    "magazine": ("skill_name", "weapon", "rate_of_fire", "reliability"),
    "group": ("gear", "gear_reliability"),
    "repair": ("item", "skill_name", "gear", "gear_reliability"),
}
"""Fields to type if no sheet has them."""
_OVERRIDDEN: dict[str, tuple[str, ...]] = {
    "skill": ("attribute", "skill", "gear_reliability"),
    "attack": ("attribute", "skill", "rate_of_fire", "rounds", "reliability"),
    "clear_jam": ("attribute", "skill", "rate_of_fire", "reliability"),
    "magazine": ("attribute", "skill", "rate_of_fire", "reliability"),
    "group": ("gear_reliability",),
    "repair": ("attribute", "skill", "reliability", "max_reliability", "spare_parts"),
}
"""Fields that the sheet fills in, and somebody may change."""


def form(asked: Asked) -> list[Control]:
    """Return the controls of a roll, for the present draft."""
    return _FORMS[asked.roll](asked)


def _skill(asked: Asked) -> list[Control]:
    if asked.purpose == "ask" and asked.sheet is None:
        return [asked.field("skill_name", style="menu"), *_circumstances(asked), _seldom(asked)]
    # Spotting or resisting somebody needs no push.
    passive = asked.field("passive", help="")
    return [*_who(asked), *_circumstances(asked), *_gear(asked), passive, _seldom(asked)]


def _attack(asked: Asked) -> list[Control]:
    request = asked.request
    most = request.most_ammo_dice if isinstance(request, Attack) else most_ammo(asked) or 0
    return [
        *_weapons(asked),
        _ammo(asked, most, why=msg("ammo.most", n=most)),
        *_circumstances(asked),
        *([] if asked.sheet else [_gun(asked)]),
        _targets(asked),
        _seldom(asked, *([asked.field("targets")] if asked.held("targets") else [])),
    ]


def _clear_jam(asked: Asked) -> list[Control]:
    ahead = [] if asked.sheet else [asked.field("tries", style="stepper")]
    return [*_weapons(asked), *_circumstances(asked), *ahead, _seldom(asked)]


def _magazine(asked: Asked) -> list[Control]:
    request = asked.request
    most = request.rate_of_fire if isinstance(request, Magazine) else MOST_AMMO
    return [*_weapons(asked), _ammo(asked, most), *_circumstances(asked), _seldom(asked)]


def _opposed(asked: Asked) -> list[Control]:
    mine, theirs = asked.within("active", Skill), asked.within("passive", Skill)
    if asked.sheet is None:
        seldom = ("helpers", "skill_name", "attribute_name", "gear", "gear_reliability", "pushable")
        rest = _folded(mine, *seldom)
        acts = [group(_levels(mine), _modifier(mine), rest, title=msg("label.active"))]
    else:
        acts = [_board(asked), *_beside(asked, mine), *_gear(asked)]
    rest = _folded(theirs, "helpers", "attribute_name")
    rival = asked.roles.get("passive")
    names = [one.name for one in asked.people if one.ref == f"@{rival}"]
    whom = names[0] if names else msg("label.opposed.passive")
    passive = group(*_passive(asked, theirs), _modifier(theirs), rest, title=whom)
    return [*acts, passive, asked.field("secret", help="")]


def _group(asked: Asked) -> list[Control]:
    modifier = asked.field("modifier", **_TAPS)
    if asked.sheet is None:
        skill = asked.field("skill_name", style="menu", help="")
        return [_members(asked), skill, modifier, _seldom(asked)]
    others = replace(asked, request=None)  # the first in the request is the roller
    people = [*_people(asked), _members(others)]
    return [_board(asked), *people, modifier, *_gear(asked), _seldom(asked)]


def _repair(asked: Asked) -> list[Control]:
    sheet = asked.sheet
    if not isinstance(sheet, Sheet):
        names = ("reliability", "max_reliability", "spare_parts")
        wear = group(*(asked.field(name, style="stepper", help="") for name in names), columns=3)
        return [_levels(asked), wear, *_circumstances(asked), _seldom(asked)]
    items = [
        Choice(item.name, item.name, msg("reliability.short", n=item.reliability))
        for item in sheet.worn
    ]
    parts = note(msg("parts.left", n=sheet.spare_parts), "" if sheet.spare_parts else "bad")
    picked = asked.choose("item", items)
    seldom = _seldom(asked)
    for control in seldom["form"]:
        if control.get("at") == "set.spare_parts" and "spare_parts" not in asked.set:
            control |= {"value": sheet.spare_parts, "low": 0}  # what is missing is shown as missing
    return [picked, parts, *_circumstances(asked), *_gear(asked), seldom]


_FORMS = {
    "skill": _skill,
    "attack": _attack,
    "opposed": _opposed,
    "group": _group,
    "clear_jam": _clear_jam,
    "magazine": _magazine,
    "repair": _repair,
}
_TAPS: dict[str, Any] = {"style": "taps", "row": USUAL_MODIFIERS, "signed": True, "help": ""}


def _seldom(asked: Asked, *more: Control) -> Control:
    """Return the seldom used fields of a roll, folded away."""
    known = (_OVERRIDDEN if asked.sheet else _BY_HAND)[asked.roll]
    return _folded(asked, *known, *_SELDOM[asked.roll], more=more)


def _folded(asked: Asked, *names: str, more: Iterable[Control] = ()) -> Control:
    listed = [_own(control) for control in fields_form(asked, *names)]
    return group(*listed, *more, title=msg("form.more"), fold=True)


def _own(control: Control) -> Control:
    """Without another attribute the skill has its own."""
    if str(control.get("at")).endswith(".attribute_name"):
        control["options"][0] |= {"label": msg("own.attribute")}
    return control


def _who(asked: Asked) -> list[Control]:
    return [_board(asked) if asked.sheet else _levels(asked)]


def level_choices() -> list[Choice]:
    """A to D, each with its die."""
    return [
        Choice(level, msg(f"word.{level}"), msg("level.die", die=die(SIDES[level])))
        for level in LEVELS
    ]


def _levels(asked: Asked) -> Control:
    """Attribute and skill by their levels."""
    levels = [one.plain() for one in level_choices()]
    none = Choice(None, msg("level.none"), none=True).plain()
    return group(
        asked.field("attribute", options=levels, style="row", help=""),
        asked.field("skill", options=[none, *levels], style="row", help=""),
        columns=2,
    )


def _board(asked: Asked) -> Control:
    """Return the skills on the sheet, by attribute."""
    sheet: Any = asked.sheet
    return asked.choose(
        "skill_name",
        [
            Choice(
                skill,
                skill_label(skill),
                sheet.level(skill) or msg("level.none"),
                set={**_with_others(asked, skill), **_laid_aside(asked, skill)},
                group=msg("group.attribute", attribute=attribute, level=getattr(sheet, attribute)),
            )
            for skill, attribute in SKILLS.items()
        ],
        style="board",
        label=msg("which.skill"),
    )


def skill_label(skill: str) -> Text:
    """A skill as a label writes it."""
    return msg(f"label.{skill.replace(' ', '_')}")


def _modifier(asked: Asked) -> Control:
    return asked.field("modifier", **_TAPS)


def _circumstances(asked: Asked) -> list[Control]:
    """Return the modifiers of the dice, and a note of the part that is lost."""
    row = list(range(MOST_HELPERS + 1))
    helpers = asked.field("helpers", style="taps", row=row, help=msg("helpers.each"))
    return [_modifier(asked), helpers, *_lost(asked.request)]


def _lost(request: Request | None) -> list[Control]:
    lost = request.dice.lost if isinstance(request, Roll) else 0
    if not lost:
        return []
    return [note(msg("dice.lost", n=abs(lost), bound="most" if lost > 0 else "least"), "mixed")]


def _beside(asked: Asked, mine: Asked) -> list[Control]:
    """Return the active side's fields beside its sheet, with their own places in the draft."""
    return [
        control
        | {"at": f"set.{name}", "from": "you" if name in asked.said["set"] else "book"}
        | ({"wrong": asked.wrong[f"set.{name}"]} if f"set.{name}" in asked.wrong else {})
        for name, control in zip(("modifier", "helpers"), _circumstances(mine))
    ]


def _gear(asked: Asked) -> list[Control]:
    """The tools of the sheet."""
    sheet = asked.sheet
    if not isinstance(sheet, Sheet) or not sheet.tools:
        return []
    tools = [
        Choice(
            tool.name,
            name_said(tool.name),
            msg("reliability.short", n=tool.reliability),
            off=msg("is.broken", weapon=name_said(tool.name)) if tool.broken else "",
            set=_with_skill(asked, tool),
        )
        for tool in sheet.tools
    ]
    return [asked.choose("gear", [Choice(None, msg("form.none")), *tools])]


def _with_skill(asked: Asked, tool: Tool) -> dict[str, Any]:
    """Return the skill that goes with a tool, for the draft; repairs are made with TECH."""
    if not tool.skill_name or asked.roll == "repair":
        return {}
    return {"pick.skill_name": tool.skill_name, **_with_others(asked, tool.skill_name)}


def _laid_aside(asked: Asked, skill: str) -> dict[str, Any]:
    """A tool that is for another skill than the one that is picked."""
    tools = asked.sheet.tools if isinstance(asked.sheet, Sheet) else ()
    held = next((one for one in tools if one.name == asked.picked("gear")), None)
    other = held is not None and held.skill_name not in (None, skill)
    return {"pick.gear": None} if other else {}


def _weapons(asked: Asked) -> list[Control]:
    """The weapons of the sheet, and the way to clear those that are jammed; else levels."""
    sheet = asked.sheet
    if not isinstance(sheet, Sheet):
        return [_levels(asked)]
    weapons = [
        Choice(one.name, one.name, _weapon_note(one), off=why_silent(asked.roll, one))
        for one in sheet.weapons
    ]
    picked = picked_weapon(asked)
    silent = why_silent(asked.roll, picked) if picked else ""
    chosen = asked.choose("weapon", weapons)
    if silent and "wrong" not in chosen:
        chosen["wrong"] = silent
    jammed = [one for one in sheet.weapons if one.jammed and not one.broken]
    ways = [
        jump(msg("jump.clear", weapon=one.name), "clear_jam", pick={"weapon": one.name})
        for one in jammed
        if asked.roll == "attack"
    ]
    return [chosen, *ways]


def _weapon_note(weapon: Weapon) -> Text:
    if weapon.broken:
        return msg("broken")
    if weapon.jammed:
        return msg("jammed")
    if not weapon.rounds:
        return msg("empty")
    return msg("gun", n=weapon.rounds, reliability=weapon.reliability)


def _ammo(asked: Asked, most: int, why: Text = "") -> Control:
    return asked.field("ammo_dice", style="slider", low=0, high=most, why=why, help="", ahead=True)


def _gun(asked: Asked) -> Control:
    """A weapon that no sheet knows."""
    names = ("rate_of_fire", "rounds", "reliability")
    return group(*(asked.field(name, style="stepper", help="") for name in names), columns=3)


def _targets(asked: Asked) -> Control:
    """Who may be hit: the foes of the sheet, people at the table, or anybody that is named."""
    held = [one for one in asked.set.get("targets") or () if isinstance(one, Mapping)]
    known = {one.get("name"): one for one in held}
    foes = asked.whole_sheet.foes if isinstance(asked.whole_sheet, Sheet) else ()
    offered = [(foe.name, foe.name, foe.capacity - foe.damage) for foe in foes]
    offered += [(ref, name, left) for ref, name, left in _standing(asked.people)]
    options = [
        Choice(
            known.get(name) or {"name": name, "capacity": left},
            label,
            msg("target.left", n=left) if left else msg("target.down"),
        )
        for name, label, left in offered
    ]
    return asked.choose(
        "targets",
        options,
        control="picks",
        at="set.targets",
        value=asked.set.get("targets") or [],
        most=asked.described("targets").most,
        add=msg("target.add"),
        **{"from": asked.source("targets")},
    )


def _standing(people: Iterable[Person]) -> list[tuple[str, str, int]]:
    """People with what they can still take."""
    return [
        (one.ref, one.name, one.sheet.hit_capacity - one.sheet.damage)
        for one in people
        if isinstance(one.sheet, Sheet)
    ]


# Others at the table


def _levels_of(sheet: Any, skill: str) -> dict[str, Any]:
    """The levels of a skill as a sheet has them."""
    return {"attribute": getattr(sheet, SKILLS[skill]), "skill": sheet.level(skill)}


def _passive(asked: Asked, theirs: Asked) -> list[Control]:
    """The other side: somebody at the table with a skill of theirs, or levels said by hand."""
    rivals = [
        one for one in asked.people if isinstance(one.sheet, Sheet) and one.ref.startswith("@s")
    ]
    if not rivals:
        return [_levels(theirs)]
    skill = theirs.held("skill_name") or USUAL_SKILL
    seats = {one.ref[1:]: one for one in rivals}
    against = {
        "control": "pick",
        "style": "chips",
        "at": "roles.passive",
        "label": msg("against"),
        "value": asked.roles.get("passive"),
        "options": [
            Choice(
                None, msg("anybody"), set={"roles.passive": None, "set.passive.skill_name": None}
            ).plain(),
            *(
                Choice(seat, one.name, one.player, set=_as_passive(theirs, one, skill)).plain()
                for seat, one in seats.items()
            ),
        ],
    }
    person = seats.get(str(asked.roles.get("passive")))
    if person is None:
        return [against, _levels(theirs)]
    skills = [
        Choice(name, skill_label(name), set=_as_passive(theirs, person, name)).plain()
        for name in SKILLS
    ]
    chosen = theirs.field(
        "skill_name", style="menu", options=skills, value=skill, label=msg("their.skill"), help=""
    )
    return [against, chosen]


def _as_passive(theirs: Asked, person: Person, skill: str) -> dict[str, Any]:
    """Somebody's levels, written whole: who is not trained has none, as a roll starts or not."""
    said_of_them = reached(theirs.kept["set"], theirs.inside, {})
    levels = _levels_of(person.sheet, skill)
    return {f"set.{theirs.inside}": {**said_of_them, "skill_name": skill, **levels}}


def _with_others(asked: Asked, skill: str) -> dict[str, Any]:
    """Return the members from the table with their levels of the picked skill."""
    held = asked.set.get("members") if asked.roll == "group" else None
    known = {one.ref: one.sheet for one in asked.people if isinstance(one.sheet, Sheet)}
    if not isinstance(held, list) or not any(_name_of(one) in known for one in held):
        return {}
    return {
        "set.members": [
            {**one, **_levels_of(known[_name_of(one)], skill)} if _name_of(one) in known else one
            for one in held
        ]
    }


def _name_of(member: Any) -> Any:
    return member.get("name") if isinstance(member, Mapping) else None


def _people(asked: Asked) -> list[Control]:
    """Who at the table takes part."""
    skill = asked.picked("skill_name")
    people = [one for one in asked.people if isinstance(one.sheet, Sheet)]
    if not people or skill not in SKILLS:
        return []
    held = [one for one in asked.set.get("members") or () if isinstance(one, Mapping)]
    known = {one.get("name"): one for one in held}
    options = [
        Choice(
            known.get(one.ref) or {"name": one.ref, **_levels_of(one.sheet, skill)},
            one.name,
            msg("group.attribute", attribute=SKILLS[skill], level=_dice_of(one.sheet, skill)),
        )
        for one in people
    ]
    return [
        asked.choose(
            "members",
            options,
            control="picks",
            at="set.members",
            value=held,
            most=asked.described("members").most,
        )
    ]


def _dice_of(sheet: Any, skill: str) -> str:
    levels = _levels_of(sheet, skill)
    return f"{levels['attribute']}{levels['skill'] or ''}"


def _members(asked: Asked) -> Control:
    """Who takes part, one by one; who sits at the table has a name already."""
    held = asked.held("members") or ()
    known = {one.ref: one.name for one in asked.people}
    names = [known.get(_name_of(one)) for one in held]
    forms = [
        _member(asked.part("members", number, Member), named=bool(name))
        for number, name in enumerate(names)
    ]
    fresh = {"set": {"name": chr(ord("A") + len(held) % 26), "attribute": "C"}}
    made = asked.parts("members", Member, forms, title="part.member", fresh=fresh)
    for part, name in zip(made["parts"], names):
        part["title"] = name or part["title"]
    return made


def _member(asked: Asked, *, named: bool) -> list[Control]:
    return [
        *([] if named else [asked.field("name", help="")]),
        _levels(asked),
        _modifier(asked),
        asked.field("can_help", help=""),
    ]
