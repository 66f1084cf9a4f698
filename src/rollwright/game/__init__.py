"""Everything that an author of a game needs: rolls as functions, sheets as classes.

from rollwright.game import Boxes, Dots, Game, Range, Sheet, Trait, Verdict, choose, die, roll
"""

from rollwright.dice import Die, Pool
from rollwright.engine.odds.count import Situation
from rollwright.game.fields import (
    Bar,
    Boxes,
    ByReferee,
    Cites,
    Control,
    Dots,
    From,
    HouseRules,
    Known,
    Most,
    Pick,
    Range,
    Settings,
    Shared,
    Sheet,
    Slider,
    Trait,
)
from rollwright.game.games import Game
from rollwright.game.records import tell, total
from rollwright.game.rolls import Verdict
from rollwright.game.view import View
from rollwright.kit.card.parts import RollCard, Starter, Theme
from rollwright.rules import choose, roll, spend, together

__all__ = [
    "Bar",
    "Boxes",
    "ByReferee",
    "Cites",
    "Control",
    "Die",
    "Dots",
    "From",
    "Game",
    "HouseRules",
    "Known",
    "Most",
    "Pick",
    "Pool",
    "Range",
    "RollCard",
    "Settings",
    "Shared",
    "Sheet",
    "Situation",
    "Slider",
    "Starter",
    "Theme",
    "Trait",
    "Verdict",
    "View",
    "choose",
    "die",
    "roll",
    "spend",
    "tell",
    "together",
    "total",
]


def die(sides: int, name: str = "") -> Die:
    """A die, with a name where it means something else than others of its kind."""
    return Die(sides, name=name)
