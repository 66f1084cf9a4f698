"""A sheet as widgets: wounds, attributes with their skills, weapons with magazine and wear."""

from __future__ import annotations

from typing import Any

from rollwright.i18n.catalogs import words_of
from rollwright.i18n.messages import die
from rollwright.kit import widgets
from rollwright.kit.card import Text
from rollwright.kit.widgets import (
    Row,
    Widget,
    act,
    flag,
    group,
    level,
    number,
    roll,
    things,
    track,
)

from .dice import LEVELS, SIDES, SKILLS
from .firearms import Tool, Weapon
from .form import skill_label
from .sheet import MOST_CRITS, Foe, Sheet

WORDS = words_of(__package__ or __name__)
msg, name_said = WORDS.msg, WORDS.name


def widgets_of(sheet: Sheet) -> list[Widget]:
    """Return the widgets of a sheet, for its present values."""
    return [
        _wounds(sheet),
        group(
            *(_attribute(sheet, name) for name in dict.fromkeys(SKILLS.values())),
            title=msg("sheet.attributes"),
            icon="person",
            columns=2,
        ),
        things(
            "weapons",
            msg("label.weapons"),
            [_weapon(weapon) for weapon in sheet.weapons],
            icon="bullet",
            most=12,
        ),
        things(
            "tools",
            msg("label.tools"),
            [_tool(tool) for tool in sheet.tools],
            icon="wrench",
            most=40,
        ),
        things("foes", msg("label.foes"), [_foe(foe) for foe in sheet.foes], icon="skull", most=40),
        _round(sheet),
        _rest(sheet),
    ]


def _wounds(sheet: Sheet) -> Widget:
    """Return damage, stress and critical injuries; and a warning that a fall follows the action."""
    falls = [widgets.note(msg("sheet.falling"), "bad")] if sheet.falling else []
    return group(
        track("damage", sheet.damage, sheet.hit_capacity, msg("label.damage"), tone="bad"),
        track("stress", sheet.stress, sheet.stress_capacity, msg("label.stress"), tone="mixed"),
        number("crits", sheet.crits, msg("label.crits"), low=0, high=MOST_CRITS, tone="bad"),
        flag("incapacitated", sheet.incapacitated, msg("label.incapacitated"), tone="bad"),
        *falls,
        title=msg("sheet.wounds"),
        icon="heart",
    )


def _attribute(sheet: Sheet, attribute: str) -> Widget:
    """An attribute with its skills; a tap on a skill begins its roll."""
    options: list[tuple[Any, Text]] = [
        (one, msg("sheet.level", level=one, die=die(SIDES[one]))) for one in LEVELS
    ]
    skills = [skill for skill, behind in SKILLS.items() if behind == attribute]
    label = msg(f"label.{attribute}")
    return group(
        level(attribute, getattr(sheet, attribute), options, label, big=True),
        *(
            level(
                skill.replace(" ", "_"),
                sheet.level(skill),
                [(None, msg("level.none")), *options],
                skill_label(skill),
                begins={"roll": "skill", "pick": {"skill_name": skill}},
            )
            for skill in skills
        ),
    )


def _reliability(item: Tool) -> Widget:
    label = msg("label.reliability")
    return track("", item.reliability, item.max_reliability, label, style="dots")


def _weapon(weapon: Weapon) -> Row:
    """A weapon with magazine and wear; a tap fires it, clears the jam, or repairs it."""
    has_spares = weapon.spares or weapon.partials
    off = "" if has_spares else msg("sheet.no.spares")
    reload = msg("sheet.reload", n=weapon.spares + len(weapon.partials))
    show = (
        _reliability(weapon),
        track("", weapon.rounds, weapon.magazine_size, msg("label.rounds"), style="bar"),
        number("rounds", weapon.rounds, msg("label.rounds"), low=0, high=weapon.magazine_size),
        act(reload, "reload", target=weapon.name, off=off),
        *_repair(weapon),
    )
    state = ("broken", weapon.broken), ("jammed", weapon.jammed), ("empty", not weapon.rounds)
    chips = tuple(msg(name) for name, true in state if true)
    kind = "clear_jam" if weapon.jammed else "attack"
    begins = {"roll": kind, "pick": {"weapon": weapon.name}}
    if weapon.broken:
        begins = {"roll": "repair", "pick": {"item": weapon.name}}
    tone = "bad" if weapon.broken or weapon.jammed else ""
    return Row(weapon.name, weapon.name, show, chips, begins, tone)


def _repair(item: Tool) -> tuple[Widget, ...]:
    """Return the button for repairs of a worn item that still works."""
    worn = 0 < item.reliability < item.max_reliability
    return (roll("repair", item=item.name),) if worn else ()


def _tool(tool: Tool) -> Row:
    begins = {"roll": "skill", "pick": {"skill_name": tool.skill_name, "gear": tool.name}}
    if tool.broken:
        begins = {"roll": "repair", "pick": {"item": tool.name}}
    chips = (msg("broken"),) if tool.broken else ()
    tone = "bad" if tool.broken else ""
    return Row(
        tool.name, name_said(tool.name), (_reliability(tool), *_repair(tool)), chips, begins, tone
    )


def _foe(foe: Foe) -> Row:
    """Somebody shot at; a tap begins an attack on them."""
    chips: list[Text] = [msg("sheet.taken", n=foe.damage, most=foe.capacity)]
    if foe.crits:
        chips.append(msg("sheet.crits", n=foe.crits))
    if foe.is_down:
        return Row(foe.name, foe.name, chips=(*chips, msg("target.down")))
    target = {"name": foe.name, "capacity": foe.capacity - foe.damage}
    begins = {"roll": "attack", "set": {"targets": [target]}}
    return Row(foe.name, foe.name, chips=tuple(chips), begins=begins)


def _round(sheet: Sheet) -> Widget:
    used = [msg(f"sheet.{action}") for action in sheet.actions_used]
    return group(
        widgets.words("actions_used", used, msg("label.actions_used")),
        act(msg("sheet.new.round"), "new round"),
        title=msg("sheet.round"),
        icon="hourglass",
    )


def _rest(sheet: Sheet) -> Widget:
    capacities = ("hit_capacity", "stress_capacity")
    return group(
        number("spare_parts", sheet.spare_parts, msg("label.spare_parts"), low=0),
        *(
            number(name, getattr(sheet, name), msg(f"label.{name}"), low=1, high=20)
            for name in capacities
        ),
        flag("falling", sheet.falling, msg("label.falling")),
        widgets.words("group_failures", sheet.group_failures, msg("label.group_failures")),
        title=msg("sheet.rest"),
        fold=True,
    )
