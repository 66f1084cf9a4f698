"""The Kleptonomicon: Tests with a d10, Contests and Group Tests."""

from rollwright.games.kleptonomicon.house import House
from rollwright.games.kleptonomicon.outcomes import ContestOutcome, GroupOutcome, TestOutcome
from rollwright.games.kleptonomicon.policies import GOALS, POLICIES
from rollwright.games.kleptonomicon.questions import QUESTIONS
from rollwright.games.kleptonomicon.requests import Contest, Group, Player, Test
from rollwright.games.kleptonomicon.rulebook import LINES
from rollwright.games.kleptonomicon.sheet import (
    Circumstance,
    NamedModifier,
    Sheet,
    apply,
    effects,
    from_sheet,
)
from rollwright.games.kleptonomicon.story import who_helped_whom, whose
from rollwright.games.kleptonomicon.words import tell
from rollwright.kit import Game

__all__ = [
    "Circumstance",
    "Contest",
    "ContestOutcome",
    "Group",
    "GroupOutcome",
    "House",
    "NamedModifier",
    "Player",
    "Sheet",
    "Test",
    "TestOutcome",
    "apply",
    "effects",
    "from_sheet",
    "game",
    "tell",
    "who_helped_whom",
]

game = Game(
    name="kleptonomicon",
    title="The Kleptonomicon",
    summary="A d10 and a Modifier, coins for criticals, Advantages, Contests and Group Tests.",
    requests=(Test, Contest, Group),
    house=House,
    prefix="KLEP",
    rulebook=LINES,
    tell=tell,
    policies=POLICIES,
    goals=GOALS,
    default_policy="lowest-first",
    default_goal="just-succeed",
    sheet=Sheet,
    effects=effects,
    apply=apply,
    from_sheet=from_sheet,
    questions=QUESTIONS,
    icons={"lost": "✗", "won": "✓"},
    whose=whose,
)
