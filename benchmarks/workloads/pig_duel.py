"""Two at Pig: throw as often as you dare, a 1 ends the turn with nothing, else hold what you have.

Asked is the chance of the first to come to so many points first, when both play best.
"""

from __future__ import annotations

from collections.abc import Callable

icepool = dyce = "has no words for decisions; nobody has written this by hand"


def ours(target: int) -> Callable[[], object]:
    """Advice about a rule with a loop, against an opponent who plays best."""
    from rollwright import advise
    from rollwright.dice import D6
    from rollwright.rules import choose, roll, rule

    parts = ("best.advice", "best.beliefs", "best.stepping", "compiled.learning")
    for part in parts:  # the others are loaded whole, too
        __import__(f"rollwright.engine.{part}")

    @rule
    async def pig() -> str:
        """Take turns until one has enough."""
        score = {"first": 0, "second": 0}
        mover, other = "first", "second"
        while True:
            turn = 0
            while True:
                face = sum(await roll(D6))
                if face == 1:
                    break
                turn += face
                if score[mover] + turn >= target:
                    return mover
                about = (score[mover], score[other], turn)
                if await choose("throw", "hold", by=mover, about=about) == "hold":
                    score[mover] += turn
                    break
            mover, other = other, mover

    def wins(winner: str) -> bool:
        return winner == "first"

    return lambda: {"value": {advise(pig(), wins, against="second").value: 1}}
