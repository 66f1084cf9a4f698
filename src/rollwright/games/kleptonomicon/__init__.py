"""The Kleptonomicon: Tests with a d10, Contests and Group Tests."""

from rollwright.kit import Game, questions_in

from . import questions
from .card import KlepCard
from .house import LINES, House
from .outcomes import ContestOutcome, GroupOutcome, TestOutcome
from .requests import Contest, Group, Player, Test
from .rules import GOALS, POLICIES, hold_contest, make_group_test, make_test
from .sheet import Sheet, apply, effects, from_sheet

__all__ = ["Contest", "ContestOutcome", "Group", "GroupOutcome", "House", "Player", "Sheet"]
__all__ += ["Test", "TestOutcome", "game"]

game = Game(
    title="The Kleptonomicon",
    summary="A d10 and a Modifier, coins for criticals, Advantages, Contests and Group Tests.",
    requests={Test: make_test, Contest: hold_contest, Group: make_group_test},
    house=House,
    prefix="KLEP",
    rulebook=LINES,
    card=KlepCard(),
    policies=POLICIES,
    goals=GOALS,
    default_policy="lowest-first",
    default_goal="just-succeed",
    sheet=Sheet,
    effects=effects,
    apply=apply,
    from_sheet=from_sheet,
    questions=questions_in(questions),
)
