"""An untitled d20 game: advantage, edges with a die of their own, stacking caps and four tiers."""

from rollwright.kit import Game, questions_in

from . import questions
from .card import EdgeCard
from .house import LINES, House
from .outcomes import CheckOutcome, RepairOutcome, Tier, TurnOutcome
from .requests import Action, Check, Repair, Turn
from .rules import make_check
from .sheet import Sheet, apply, effects, from_sheet
from .turns import DEFAULT_GOAL, DEFAULT_POLICY, GOALS, POLICIES, get_working, take_turn

__all__ = ["Action", "Check", "CheckOutcome", "House", "Repair", "RepairOutcome", "Sheet", "Tier"]
__all__ += ["Turn", "TurnOutcome", "game"]

game = Game(
    title="d20 with edges",
    summary="A d20 against a DC with advantage, edges and four results. " + LINES["R1"].text,
    requests={Check: make_check, Turn: take_turn, Repair: get_working},
    house=House,
    prefix="EDGE",
    rulebook=LINES,
    card=EdgeCard(),
    policies=POLICIES,
    goals=GOALS,
    default_policy=DEFAULT_POLICY,
    default_goal=DEFAULT_GOAL,
    sheet=Sheet,
    effects=effects,
    apply=apply,
    from_sheet=from_sheet,
    questions=questions_in(questions),
)
