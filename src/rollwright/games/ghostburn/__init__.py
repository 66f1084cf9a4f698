"""GHOST/BURN: 2d10 and bonuses against a ladder of Difficulty Levels, with a Luck Point."""

from rollwright.kit import Game, questions_in

from . import questions
from .card import GhostCard
from .house import LINES, House
from .outcomes import Check, Score
from .requests import Attempt, Roll, Session
from .rules import GOALS, POLICIES
from .sheet import Sheet, apply, effects, from_sheet, new_session

__all__ = ["Attempt", "Check", "House", "Roll", "Score", "Session", "Sheet", "game"]

game = Game(
    title="GHOST/BURN",
    summary="2d10 and bonuses against a ladder of Difficulty Levels, and one Luck Point a session.",
    requests=(Roll, Session),
    house=House,
    prefix="GHOST",
    rulebook=LINES,
    card=GhostCard(),
    policies=POLICIES,
    goals=GOALS,
    default_policy="never",
    default_goal="just-succeed",
    sheet=Sheet,
    effects=effects,
    apply=apply,
    from_sheet=from_sheet,
    questions=questions_in(questions),
    new_session=new_session,
)
