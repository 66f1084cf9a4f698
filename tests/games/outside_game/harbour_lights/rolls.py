"""What can be rolled: a run through the harbour, and a duel in the dark."""

from typing import NamedTuple

from rollwright.dice import Die
from rollwright.engine.endings import Ending, tally
from rollwright.kit import Request, Value, field, preset
from rollwright.rules import choose, roll, rule

BLANK = "blank"
DEED = Die(
    {BLANK: 2, "star": 2, "star+star": 1, "rope": 1, "star+rope": 1, "rope+rope": 1}, name="deed"
)
PERIL = Die({BLANK: 1, "wave": 2, "wave+wave": 1, "gull": 1, "wave+gull": 1}, name="peril")


class House(Value):
    """No house rules."""


class Smuggler(Value):
    """Somebody with a boat and no papers."""

    name: str = preset("", "who it is", most=40)
    skill: int = preset(2, "deed dice", 1, 4, "HARBOUR R1")
    nerve: int = preset(4, "nerve that is left", 0, 5, "HARBOUR R6")
    tired: int = preset(0, "how tired", 0, 3, "HARBOUR R5")


class Boat(Value):
    """What everybody in the boat shares."""

    light: int = preset(3, "light for everybody", 0, 6, "HARBOUR R3")
    alarm: int = preset(0, "alarm in the harbour", 0, 10, "HARBOUR R4", referee=True)


class Passage(NamedTuple):
    """How the run went."""

    stars: int
    ropes: int
    gulls: int
    light: int = 0


class Fight(NamedTuple):
    """How the duel went: by so many stars."""

    margin: int
    gave_way: bool = False


class Run(Request, roll="run", title="Run", outcome=Passage):
    """Bring the boat through."""

    skill: int = field(help="deed dice", low=1, high=4, rule="HARBOUR R1")
    peril: int = preset(2, "peril dice", 0, 5, "HARBOUR R2")
    light: int = preset(0, "light that is burnt for more dice", 0, 3, "HARBOUR R1")
    helped: bool = preset(False, "whether somebody helps", rule="HARBOUR R1")
    left: int = preset(0, "light that the table has left", 0, 6, "HARBOUR R3")


class Duel(Request, roll="duel", title="Duel", outcome=Fight):
    """Outdo somebody in the dark."""

    skill: int = field(help="deed dice", low=1, high=4, rule="HARBOUR R6")
    theirs: int = preset(2, "deed dice of the other", 1, 4, "HARBOUR R6")


def shown(face: str) -> tuple[int, int, int]:
    """Stars without waves, ropes and gulls."""
    signs = face.split("+")
    return signs.count("star") - signs.count("wave"), signs.count("rope"), signs.count("gull")


@rule
async def run(trip: Run) -> Ending[Passage]:
    """Stars against waves; for a light the blank dice once more."""
    deeds = await roll((trip.skill + trip.light + trip.helped) * DEED, read=shown)
    waves = await tally(trip.peril * PERIL, shown, start=(0, 0, 0))
    sums = tuple(map(sum, zip(waves, *deeds, strict=False)))
    blank = deeds.where((0, 0, 0)).pool
    if not blank or not trip.left or await choose("keep", "again", about=sums[0]) == "keep":
        return Passage(*sums, trip.light)
    return tally(blank, shown, start=sums, finish=landed, given=(trip.light + 1,))


def landed(sums: tuple[int, int, int], light: int) -> Passage:
    """Where the boat is in the end."""
    return Passage(*sums, light)


def stars(face: str) -> int:
    """How many stars a deed die shows."""
    return face.split("+").count("star")


CALLS = ("stand", "give way")


@rule
async def duel(fight: Duel) -> Ending[Fight]:
    """The other throws unseen and may give way; more stars win."""
    theirs = sum(await roll(fight.theirs * DEED, read=stars, sees=("opponent",)))
    if await choose(*CALLS, by="opponent", about=theirs, against=True) == "give way":
        return Fight(1, gave_way=True)
    return tally(fight.skill * DEED, stars, start=-theirs, finish=Fight)
