"""An untitled d20 game: advantage, edges with a die of their own, stacking caps and four tiers."""

from rollwright.games.edge20.actions import Action
from rollwright.games.edge20.changes import apply, effects
from rollwright.games.edge20.house import House
from rollwright.games.edge20.outcomes import CheckOutcome, RepairOutcome, Tier, TurnOutcome
from rollwright.games.edge20.policies import DEFAULT_GOAL, DEFAULT_POLICY, GOALS, POLICIES
from rollwright.games.edge20.questions import QUESTIONS
from rollwright.games.edge20.requests import Check, Repair, Turn
from rollwright.games.edge20.rulebook import LINES
from rollwright.games.edge20.sheet import Change, Item, Sheet, Skill, from_sheet
from rollwright.games.edge20.words import stays, tell
from rollwright.kit import Game

__all__ = [
    "Action",
    "Change",
    "Check",
    "CheckOutcome",
    "House",
    "Item",
    "Repair",
    "RepairOutcome",
    "Sheet",
    "Skill",
    "Tier",
    "Turn",
    "TurnOutcome",
    "apply",
    "effects",
    "from_sheet",
    "game",
    "tell",
]

game = Game(
    name="edge20",
    title="d20 with edges",
    summary="A d20 against a DC with advantage, edges and four results. " + LINES["R1"].text,
    requests=(Check, Turn, Repair),
    house=House,
    prefix="EDGE",
    rulebook=LINES,
    tell=tell,
    policies=POLICIES,
    goals=GOALS,
    default_policy=DEFAULT_POLICY,
    default_goal=DEFAULT_GOAL,
    sheet=Sheet,
    effects=effects,
    apply=apply,
    from_sheet=from_sheet,
    questions=QUESTIONS,
    stays=stays,
)
