"""Twilight: 2000, fourth edition: step dice, pushes, ammo dice, jams and reliability."""

from rollwright.games.twilight2000.effects import apply, effects
from rollwright.games.twilight2000.firearms import Attack, ClearJam, Magazine
from rollwright.games.twilight2000.gear import Foe, Tool, Weapon
from rollwright.games.twilight2000.gunnery import (
    best_shooting,
    frontier,
    full_burst_empties,
    how_long_it_lasts,
    how_long_the_weapon_lasts,
    how_many_ammo_dice,
    how_to_spend_sixes,
)
from rollwright.games.twilight2000.house import House
from rollwright.games.twilight2000.phrases import stays
from rollwright.games.twilight2000.policies import GOALS, POLICIES
from rollwright.games.twilight2000.questions import (
    clear_or_draw,
    modifier_table,
    my_chances,
    push_against,
    should_push,
    who_should_roll,
)
from rollwright.games.twilight2000.requests import Group, Member, Opposed, Skill
from rollwright.games.twilight2000.rulebook import LINES
from rollwright.games.twilight2000.sheet import Sheet, from_sheet, usual_capacities
from rollwright.games.twilight2000.targets import Target
from rollwright.games.twilight2000.words import tell
from rollwright.kit import Game

__all__ = [
    "Attack",
    "ClearJam",
    "Foe",
    "Group",
    "House",
    "Magazine",
    "Member",
    "Opposed",
    "Sheet",
    "Skill",
    "Target",
    "Tool",
    "Weapon",
    "apply",
    "best_shooting",
    "clear_or_draw",
    "effects",
    "from_sheet",
    "frontier",
    "full_burst_empties",
    "game",
    "how_long_it_lasts",
    "how_long_the_weapon_lasts",
    "how_many_ammo_dice",
    "how_to_spend_sixes",
    "modifier_table",
    "my_chances",
    "push_against",
    "should_push",
    "tell",
    "usual_capacities",
    "who_should_roll",
]

game = Game(
    name="twilight2000",
    title="Twilight: 2000 (fourth edition)",
    summary="Two step dice, a push that hurts, and ammo dice that jam.",
    requests=(Skill, Attack, Opposed, Group, ClearJam, Magazine),
    house=House,
    prefix="T2K",
    rulebook=LINES,
    tell=tell,
    policies=POLICIES,
    goals=GOALS,
    default_policy="never",
    default_goal="just-succeed",
    sheet=Sheet,
    effects=effects,
    apply=apply,
    from_sheet=from_sheet,
    questions=(
        my_chances,
        should_push,
        how_many_ammo_dice,
        frontier,
        who_should_roll,
        how_to_spend_sixes,
        best_shooting,
        push_against,
        how_long_it_lasts,
        how_long_the_weapon_lasts,
        full_burst_empties,
        clear_or_draw,
        modifier_table,
    ),
    icons={1: "✹", 6: "⌖", "ammo 1": "✹", "ammo 6": "⁍"},
    stays=stays,
)
