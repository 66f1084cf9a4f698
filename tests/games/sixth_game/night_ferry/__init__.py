"""Night Ferry: row across the dark river before the boat fills."""

from fractions import Fraction
from typing import Any, NamedTuple

from rollwright.dice import D6
from rollwright.engine.odds.count import Situation
from rollwright.engine.transcript import Transcript
from rollwright.kit import (
    Game,
    Goal,
    Policy,
    Request,
    Shows,
    Value,
    field,
    preset,
    rulebook_of,
    switch,
)
from rollwright.rules import choose, roll, rule

LINES = rulebook_of(
    """
    R1 Throw a D6 for each oar; a 5 or a 6 is a stroke.
    R2 With as many strokes as the river is wide you are across.
    R3 You may row on once with every die that is no stroke; each 1 is then a leak.
    R4 guidance: Say first what waits on the other side.
    """
)


class House(Value):
    """How a table reads the rules."""

    six_is_two: bool = switch(
        "D1",
        "whether a 6 is two strokes",
        {False: "a 6 is one stroke", True: "a 6 is two strokes"},
        Shows("chance to cross", "cross", {"oars": 4}, "across", "if-short"),
    )


class Crossing(NamedTuple):
    """Where the boat is, and how wet."""

    across: bool
    strokes: int
    leaks: int = 0
    rowed_on: bool = False


class Cross(Request, roll="cross", outcome=Crossing):
    """Row across the river. Say first what waits on the other side."""

    oars: int = field(help="how many row", low=1, high=8, rule="FERRY R1")
    width: int = preset(2, "strokes needed", 1, 8, "FERRY R2")
    house: House = preset(House(), "house rules")


def strokes_of(face: int, trip: Cross) -> int:
    """A 5 or a 6 is a stroke; the house may make a 6 two."""
    return 0 if face < 5 else 1 + (face == 6 and trip.house.six_is_two)


@rule
async def cross(trip: Cross) -> Crossing:
    """Throw a die for each oar; you may row on once, but then every 1 lets water in."""
    hand = await roll(trip.oars * D6)
    strokes = sum(strokes_of(face, trip) for face in hand)
    short, idle = max(trip.width - strokes, 0), hand.where(lambda face: face < 5)
    if not idle or await choose("rest", "row on", by="crew", about=short) == "rest":
        return Crossing(not short, strokes)
    again = await roll(idle.pool)
    strokes += sum(strokes_of(face, trip) for face in again)
    return Crossing(strokes >= trip.width, strokes, again.count(1), rowed_on=True)


def tell(trip: Any, transcript: Transcript) -> str:
    """What happened, in one sentence."""
    thrown = ", then ".join(" ".join(map(str, faces)) for _, faces in transcript.throws)
    if not transcript.is_done:
        return f"The oars show {thrown or 'nothing yet'}."
    end, where = transcript.outcome, ("still on the river", "across")
    return f"The oars show {thrown}: {end.strokes} strokes, leaks {end.leaks}, {where[end.across]}."


def row_if_short(now: Situation) -> str:
    """Row on only when strokes are missing."""
    return "row on" if now.about else "rest"


POLICIES = {
    "never": Policy.of("never row on", lambda now: "rest"),
    "if-short": Policy.of("row on when strokes are missing", row_if_short),
}


def across(end: Crossing) -> bool:
    """To be on the other side."""
    return end.across


def dry(end: Crossing) -> Fraction:
    """The same, and a leak costs a quarter."""
    return end.across - Fraction(end.leaks, 4)


GOALS = {
    "across": Goal("get across", across),
    "dry": Goal("across; a leak costs a quarter", dry),
}

game = Game(
    name="night_ferry",
    title="Night Ferry",
    summary="Row across the dark river before the boat fills.",
    requests={Cross: cross},
    house=House,
    prefix="FERRY",
    rulebook=LINES,
    tell=tell,
    policies=POLICIES,
    goals=GOALS,
    default_policy="if-short",
    default_goal="across",
    icons={1: "≈", 5: "won", 6: "won"},
)
