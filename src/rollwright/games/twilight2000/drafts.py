"""Drafts: what a roll starts with, and how a draft is filled in from the sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rollwright.i18n.catalogs import words_of
from rollwright.kit import Request
from rollwright.kit.card import Asked, Draft, Text

from .firearms import Weapon, most_ammo_dice
from .sheet import Sheet

msg = words_of(__package__ or __name__).msg
SHOTS = ("attack", "clear_jam", "magazine")
USUAL_SKILL = "recon"
MOST_AMMO = 12
_FRESH: dict[str, Mapping[str, Any]] = {
    "skill": {"attribute": "B", "skill": "C"},
    "attack": {"attribute": "B", "skill": "C", "ammo_dice": 2, "rounds": 30},
    "opposed": {
        "active": {"attribute": "B", "skill": "C"},
        "passive": {"attribute": "C", "skill": "D"},
    },
    "group": {
        "members": [
            {"name": "A", "attribute": "B", "skill": "C"},
            {"name": "B", "attribute": "C"},
        ]
    },
    "clear_jam": {"attribute": "B", "skill": "C"},
    "magazine": {"attribute": "B", "skill": "C"},
    "repair": {"attribute": "B", "skill": "C", "reliability": 2},
}
"""The first drafts of rolls without a sheet."""


def knows(roll: str, sheet: Sheet) -> bool:
    """Whether a sheet has what a roll is filled in from: a weapon to fire."""
    if roll == "repair":
        return bool(sheet.worn)
    return bool(sheet.weapons) if roll in SHOTS else True


def first(roll: str, sheet: Sheet | None) -> Draft:
    """Return the first draft of a roll."""
    if sheet is None:
        return Draft(set=_FRESH[roll])
    if roll in SHOTS:
        ready = [one for one in sheet.weapons if not why_silent(roll, one)]
        if roll == "clear_jam":
            ready = [one for one in sheet.weapons if one.jammed and not one.broken] or ready
        return Draft({"weapon": (*ready, *sheet.weapons)[0].name})
    if roll == "repair":
        return Draft({"item": sheet.worn[0].name})
    fields: dict[str, Mapping[str, Any]] = {
        "opposed": {"passive": {"attribute": "C", "skill": "C"}},
        "group": {"members": []},
    }
    return Draft({"skill_name": USUAL_SKILL}, fields.get(roll, {}))


def fill(asked: Asked) -> Request:
    """Return the request of a draft, with its named targets, and no more ammo dice than allowed.

    A number above a limit that fell, since another weapon was picked or rounds were fired, is cut;
    it comes back when the limit rises.
    """
    held = dict(asked.kept["set"])
    if asked.roll == "attack":
        held |= _named_targets(held)
        most, wanted = most_ammo(asked), {**asked.set, **held}.get("ammo_dice")
        cut = most is not None and type(wanted) is int and most < wanted <= MOST_AMMO
        held |= {"ammo_dice": most} if cut else {}
    return replace(asked, kept={**asked.kept, "set": held}).filled()


def _named_targets(held: Mapping[str, Any]) -> dict[str, Any]:
    targets = held.get("targets")
    if not isinstance(targets, list):
        return {}
    return {"targets": [{"name": one} if isinstance(one, str) else one for one in targets]}


def most_ammo(asked: Asked) -> int | None:
    """The most ammo dice of a draft, by what is said and what the weapon has; None if unknown."""
    weapon = picked_weapon(asked)
    usual = (weapon.rate_of_fire, weapon.rounds) if weapon else (6, 100)
    rate, rounds = (
        asked.set.get(name, held) for name, held in zip(("rate_of_fire", "rounds"), usual)
    )
    if type(rate) is not int or type(rounds) is not int or rate < 0 or rounds < 1:
        return None
    return most_ammo_dice(rate, rounds)


def picked_weapon(asked: Asked) -> Weapon | None:
    """The weapon of a draft, where a sheet has it."""
    if not isinstance(asked.sheet, Sheet):
        return None
    return next((one for one in asked.sheet.weapons if one.name == asked.picked("weapon")), None)


def why_silent(roll: str, weapon: Weapon) -> Text:
    """Why a weapon does not do for a roll: it is broken, jammed, or there is nothing in it."""
    if weapon.broken:
        return msg("is.broken", weapon=weapon.name)
    if weapon.jammed and roll == "attack":
        return msg("is.jammed", weapon=weapon.name)
    if not weapon.rounds and roll in ("attack", "magazine"):
        return msg("is.empty", weapon=weapon.name)
    return ""
