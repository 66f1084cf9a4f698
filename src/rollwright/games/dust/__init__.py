"""A Thousand Miles of Dust: pools of ten-siders, 1s that bite, Adrenaline to spend and earn."""

from rollwright.kit import Game, questions_in

from . import questions
from .card import DustCard
from .house import LINES, House
from .outcomes import Extended, Opposed, Planned, Rolled
from .requests import ExtendedRoll, Opposing, Plan, PlannedRoll, Roll, Side
from .rules import GOALS, POLICIES, opposing_roll, plan_from_start, standard_roll, task_from_start
from .sheet import Sheet, Stat, TaskOpen, apply, effects, from_sheet

__all__ = ["ExtendedRoll", "Opposing", "Plan", "PlannedRoll", "Roll", "Side", "game"]
__all__ += ["Extended", "Opposed", "Planned", "Rolled", "House", "Sheet", "Stat", "TaskOpen"]

game = Game(
    title="A Thousand Miles of Dust",
    summary="Pools of ten-siders against a difficulty; 1s take successes, doubles earn Adrenaline.",
    requests={
        Roll: standard_roll,
        Opposing: opposing_roll,
        ExtendedRoll: task_from_start,
        Plan: plan_from_start,
    },
    house=House,
    prefix="DUST",
    rulebook=LINES,
    card=DustCard(),
    policies=POLICIES,
    goals=GOALS,
    default_policy="never",
    default_goal="just-succeed",
    sheet=Sheet,
    effects=effects,
    apply=apply,
    from_sheet=from_sheet,
    questions=questions_in(questions),
)
