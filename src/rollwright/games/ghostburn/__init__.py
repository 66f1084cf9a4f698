"""GHOST/BURN: 2d10 and bonuses against a ladder of Difficulty Levels, with a Luck Point."""

from rollwright.games.ghostburn.charts import CHARTS, CONVINCE, STRONGARM, Chart, Entry
from rollwright.games.ghostburn.house import House
from rollwright.games.ghostburn.outcomes import Check, Score
from rollwright.games.ghostburn.policies import GOALS, POLICIES
from rollwright.games.ghostburn.questions import QUESTIONS
from rollwright.games.ghostburn.requests import Attempt, Roll, Session, Worths
from rollwright.games.ghostburn.rulebook import LINES
from rollwright.games.ghostburn.sheet import (
    Ability,
    Condition,
    Item,
    Sheet,
    Skill,
    apply,
    effects,
    effects_told,
    from_sheet,
    new_session,
)
from rollwright.games.ghostburn.words import tell
from rollwright.kit import Game

__all__ = [
    "Ability",
    "Attempt",
    "CHARTS",
    "CONVINCE",
    "Chart",
    "Check",
    "Condition",
    "Entry",
    "House",
    "Item",
    "Roll",
    "STRONGARM",
    "Score",
    "Session",
    "Sheet",
    "Skill",
    "Worths",
    "apply",
    "effects",
    "effects_told",
    "from_sheet",
    "game",
    "new_session",
    "tell",
]

game = Game(
    name="ghostburn",
    title="GHOST/BURN",
    summary="2d10 and bonuses against a ladder of Difficulty Levels, and one Luck Point a session.",
    requests=(Roll, Session),
    house=House,
    prefix="GHOST",
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
    new_session=lambda: (new_session(),),
)
