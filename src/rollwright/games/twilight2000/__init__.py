"""Twilight: 2000, fourth edition: step dice, pushes, ammo dice, jams and reliability."""

from rollwright.kit import Game, questions_in

from . import gunnery, questions
from .card import TwilightCard
from .firearms import Attack, ClearJam, Magazine, Tool, Weapon
from .house import LINES, House
from .requests import Group, Member, Opposed, Repair, Skill
from .rules import GOALS, POLICIES, clear_jam, group_roll, opposed_roll, repair, skill_roll
from .sheet import Foe, Sheet, apply, effects, from_sheet
from .shooting import attack, fire_on
from .targets import Target

__all__ = ["Attack", "ClearJam", "Group", "Magazine", "Member", "Opposed", "Skill", "Target"]
__all__ += ["Foe", "House", "Repair", "Sheet", "Tool", "Weapon", "game"]

game = Game(
    title="Twilight: 2000 (fourth edition)",
    summary="Two step dice, a push that hurts, and ammo dice that jam.",
    requests={
        Skill: lambda check: skill_roll(check.handful(), check.price),
        Attack: attack,
        Opposed: opposed_roll,
        Group: group_roll,
        ClearJam: clear_jam,
        Magazine: fire_on,
        Repair: repair,
    },
    house=House,
    prefix="T2K",
    rulebook=LINES,
    card=TwilightCard(),
    policies=POLICIES,
    goals=GOALS,
    default_policy="never",
    default_goal="just-succeed",
    sheet=Sheet,
    effects=effects,
    apply=apply,
    from_sheet=from_sheet,
    questions=questions_in(questions, gunnery),
)
