"""A Thousand Miles of Dust: pools of ten-siders, 1s that bite, Adrenaline to spend and earn."""

from rollwright.games.dust.house import House
from rollwright.games.dust.outcomes import Extended, Opposed, Planned, Rolled
from rollwright.games.dust.policies import GOALS, POLICIES
from rollwright.games.dust.questions import QUESTIONS
from rollwright.games.dust.requests import ExtendedRoll, Opposing, Plan, PlannedRoll, Roll, Side
from rollwright.games.dust.rulebook import LINES
from rollwright.games.dust.sheet import Sheet, Stat, TaskOpen, apply, effects, from_sheet
from rollwright.games.dust.words import tell
from rollwright.kit import Game

__all__ = [
    "Extended",
    "ExtendedRoll",
    "House",
    "Opposed",
    "Opposing",
    "Plan",
    "Planned",
    "PlannedRoll",
    "Roll",
    "Rolled",
    "Sheet",
    "Side",
    "Stat",
    "TaskOpen",
    "game",
]

game = Game(
    name="dust",
    title="A Thousand Miles of Dust",
    summary="Pools of ten-siders against a difficulty; 1s take successes, doubles earn Adrenaline.",
    requests=(Roll, Opposing, ExtendedRoll, Plan),
    house=House,
    prefix="DUST",
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
    questions=QUESTIONS,
)
