"""Harbour Lights: bring the boat in before the harbour wakes."""

from rollwright.kit import Game, Goal, Policy, rulebook_of

from .card import HarbourCard
from .rolls import Boat, Duel, House, Run, Smuggler, duel, run
from .sheets import apply, effects

LINES = rulebook_of(
    """
    R1 Throw a deed die for each point of skill, one for whoever helps, and one for each light.
    R2 Every wave on a peril die takes a star away; with a star left the boat is through.
    R3 For one light of the table all blank deed dice are thrown once more.
    R4 Two ropes are a light for the table; a gull is an alarm in the harbour.
    R5 Whoever helps is tired by it.
    R6 In a duel the other throws first, unseen, and may give way; fewer stars cost a nerve.
    """
)

game = Game(
    name="harbour_lights",
    title="Harbour Lights",
    summary="Bring the boat in before the harbour wakes.",
    requests={Run: run, Duel: duel},
    house=House,
    prefix="HARBOUR",
    rulebook=LINES,
    card=HarbourCard(),
    sheet=Smuggler,
    shared=Boat,
    effects=effects,
    apply=apply,
    policies={
        "calm": Policy.of("take it as it lies", lambda now: now.options[0]),
        "stubborn": Policy.of("throw again, or give way", lambda now: now.options[-1]),
    },
    goals={
        "through": Goal("bring the boat through", lambda end: end.stars > 0, ("run",)),
        "win": Goal("win the duel", lambda end: end.margin > 0, ("duel",)),
    },
    default_policy="calm",
)
