"""Questions players ask of the five games, each asked once in a process of its own.

Run as a script with a question's name; prints one line of JSON: the time of the first answer, and
of a calibration loop of plain Python in the same process.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

LOOP = 200_000
"""Turns of the calibration loop."""


class Question(NamedTuple):
    """A question, what it asks in a few words, and the time it may take."""

    words: str
    bar: float
    ask: Callable[[], Any]


def _odds(policy: str | None = None, **request: Any) -> Callable[[], Any]:
    def ask() -> Any:
        import rollwright as rw

        return rw.odds(request, policy)

    return ask


def _advice(**request: Any) -> Callable[[], Any]:
    def ask() -> Any:
        import rollwright as rw

        return rw.advise(request).value

    return ask


T2K_SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "A", "skill": "C"}
T2K_BURST = {
    "game": "twilight2000",
    "roll": "attack",
    "attribute": "A",
    "skill": "B",
    "ammo_dice": 6,
    "rate_of_fire": 6,
    "rounds": 30,
}
T2K_TARGETS = [
    {"name": "A", "torso": 2, "arms": 2},
    {"name": "B", "torso": 2, "arms": 2},
    {"name": "C", "torso": 1},
]
DUST = {"game": "dust", "roll": "roll", "pool": 10}
SIX = [{"name": f"player {n}", "modifier": n - 3} for n in range(6)]
THREE = [{"name": f"player {n}", "modifier": n - 1} for n in range(3)]
KLEP = {"game": "kleptonomicon"}
EDGE = {"game": "edge20", "roll": "check", "modifier": 5, "dc": 18, "advantages": 1}
GHOST = {"game": "ghostburn", "roll": "roll", "ability": 3, "skill": [2], "dl": "Hard"}

QUESTIONS: dict[str, Question] = {
    "t2k-skill": Question("T2K skill, push if failed", 0.020, _odds("if-failed", **T2K_SKILL)),
    "t2k-skill-best": Question("T2K skill, best push", 0.020, _odds("best", **T2K_SKILL)),
    "t2k-attack": Question("D7 T2K attack, 6 ammo, joint", 0.016, _odds("if-failed", **T2K_BURST)),
    "t2k-attack-best": Question("T2K attack, 6 ammo, best", 0.150, _odds("best", **T2K_BURST)),
    "t2k-sixes": Question(
        "D7 T2K best push, sixes, 3 targets",
        1.0,
        _advice(**T2K_BURST, targets=T2K_TARGETS),
    ),
    "dust-roll": Question("Dust, 10 dice", 0.020, _odds(**DUST)),
    "dust-opposing": Question(
        "Dust, 7 dice v 6",
        0.020,
        _odds(game="dust", roll="opposing", actor={"pool": 7}, defender={"pool": 6}),
    ),
    "dust-extended": Question(
        "Dust, extended to 10",
        0.020,
        _odds(game="dust", roll="extended", pool=5, target=10, limit=5),
    ),
    "dust-adrenaline": Question(
        "D6 Dust, ten turns with Adrenaline",
        0.190,
        _odds("best", game="dust", roll="extended", pool=5, target=10, limit=10, adrenaline=3),
    ),
    "klep-test": Question(
        "Kleptonomicon, Test", 0.020, _odds(**KLEP, roll="test", modifier=2, advantages=3)
    ),
    "klep-contest": Question(
        "Kleptonomicon, Contest",
        0.020,
        _odds(**KLEP, roll="contest", first={"modifier": 2}, second={"modifier": 1}),
    ),
    "klep-six-7": Question(
        "Kleptonomicon, six, goal 7", 1.0, _advice(**KLEP, roll="group", members=SIX, goal=7)
    ),
    "klep-six-10": Question(
        "Kleptonomicon, six, goal 10", 10.0, _advice(**KLEP, roll="group", members=SIX, goal=10)
    ),
    "klep-three-scores": Question(
        "D5 Kleptonomicon, three, every Score",
        1.0,
        _odds("best", **KLEP, roll="group", members=THREE),
    ),
    "edge-check": Question("edge20, check with d8 edge", 0.020, _odds(**EDGE, edges=3)),
    "edge-effect": Question(
        "edge20, check with 2d6 effect", 0.020, _odds(**EDGE, edges=3, effect="2d6+3", attack=True)
    ),
    "edge-repair": Question(
        "edge20, repair", 0.020, _odds(game="edge20", roll="repair", tier=2, modifier=3)
    ),
    "ghost-roll": Question("GHOST/BURN, roll with Luck", 0.020, _odds("best", **GHOST)),
}


def calibration() -> float:
    """How long this machine takes for a plain loop just now."""
    begin = perf_counter()
    total = 0
    for number in range(LOOP):
        total += number * number % 7
    return perf_counter() - begin


def main(name: str) -> None:
    """Ask one question."""
    import json

    import rollwright as rw
    from rollwright.kit.games import find_game

    ask = QUESTIONS[name].ask
    for game in rw.list_games():
        if name.startswith(_SHORT[game]):
            find_game(game)
    __import__("rollwright.engine.best.advice")
    __import__("fractions")
    before = calibration()
    begin = perf_counter()
    ask()
    seconds = perf_counter() - begin
    print(json.dumps({"seconds": seconds, "calibration": min(before, calibration())}))


_SHORT = {
    "twilight2000": "t2k",
    "dust": "dust",
    "kleptonomicon": "klep",
    "edge20": "edge",
    "ghostburn": "ghost",
}


if __name__ == "__main__":
    main(sys.argv[1])
