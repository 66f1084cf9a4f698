"""Dice rules written once: rolled, counted exactly, advised on, stored and verified.

Everything here is loaded when it is first asked for, so that importing costs next to nothing.
"""

TYPE_CHECKING = False  # type checkers know this name; importing it would cost more than all else

__version__ = "0.1.0"

_HOMES = {
    "list_games": "kit.games",
    "roll": "api",
    "odds": "api",
    "advise": "api",
    "verify": "api",
    "Budget": "budget",
    "Die": "dice",
    "Pool": "dice",
    "D4": "dice",
    "D6": "dice",
    "D8": "dice",
    "D10": "dice",
    "D12": "dice",
    "D20": "dice",
    "D100": "dice",
    "Dist": "exact",
    "Position": "engine.position",
    "Transcript": "engine.transcript",
    "Situation": "engine.odds.count",
    "best": "engine.best.advice",
    "chain": "engine.odds.count",
    "cost": "engine.odds.costs",
    "share": "queries.shares.rolls",
    "sweep": "sweeps",
    "value_lost": "engine.best.advice",
    "value_of": "engine.best.advice",
    "RollwrightError": "errors",
}

__all__ = [
    "__version__",
    "list_games",
    "roll",
    "odds",
    "advise",
    "verify",
    "Budget",
    "Die",
    "Pool",
    "D4",
    "D6",
    "D8",
    "D10",
    "D12",
    "D20",
    "D100",
    "Dist",
    "Position",
    "Transcript",
    "Situation",
    "best",
    "chain",
    "cost",
    "share",
    "sweep",
    "value_lost",
    "value_of",
    "RollwrightError",
]

if TYPE_CHECKING:
    from rollwright.api import advise as advise
    from rollwright.api import odds as odds
    from rollwright.api import roll as roll
    from rollwright.api import verify as verify
    from rollwright.budget import Budget as Budget
    from rollwright.dice import D4 as D4
    from rollwright.dice import D6 as D6
    from rollwright.dice import D8 as D8
    from rollwright.dice import D10 as D10
    from rollwright.dice import D12 as D12
    from rollwright.dice import D20 as D20
    from rollwright.dice import D100 as D100
    from rollwright.dice import Die as Die
    from rollwright.dice import Pool as Pool
    from rollwright.engine.best.advice import best as best
    from rollwright.engine.best.advice import value_lost as value_lost
    from rollwright.engine.best.advice import value_of as value_of
    from rollwright.engine.odds.costs import cost as cost
    from rollwright.engine.odds.count import Situation as Situation
    from rollwright.engine.odds.count import chain as chain
    from rollwright.engine.position import Position as Position
    from rollwright.engine.transcript import Transcript as Transcript
    from rollwright.errors import RollwrightError as RollwrightError
    from rollwright.exact import Dist as Dist
    from rollwright.kit.games import list_games as list_games
    from rollwright.queries.shares.rolls import share as share
    from rollwright.sweeps import sweep as sweep


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> object:
    from importlib import import_module

    home = _HOMES.get(name)
    if home is None:
        sides = name[1:]
        hint = f": write rollwright.Die({sides})" if name[0] in "dD" and sides.isdigit() else ""
        raise AttributeError(f"module 'rollwright' has no attribute {name!r}{hint}")
    found = getattr(import_module(f"rollwright.{home}"), name)
    globals()[name] = found  # so that it is looked for once
    return found
