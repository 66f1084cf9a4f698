"""Who is for and against the roller is said by the request, once for library, questions, tables."""

from fractions import Fraction
from typing import NamedTuple

import pytest
from click.testing import CliRunner

import rollwright as rw
from rollwright.cli.commands import rollwright
from rollwright.dice import D6
from rollwright.kit import Game, Goal, Request, add_game, preset
from rollwright.queries import answer
from rollwright.rules import choose, roll, rule


class Duelled(NamedTuple):
    """Who is ahead."""

    lead: int


class Duel(Request, roll="duel", outcome=Duelled, opponents=("opponent",)):
    """Roll a die; the opponent may have it thrown again."""


class Named(Request, roll="named", outcome=Duelled):
    """The same against somebody with a name."""

    foe: str = preset("Bo", "who may have it thrown again", most=20)

    @property
    def opponents(self) -> tuple[str, ...]:
        """Whoever was named."""
        return (self.foe,)


class Helped(Request, roll="helped", outcome=Duelled):
    """The same with a friend."""


async def again(by: str) -> Duelled:
    """The die, or another one if somebody says so."""
    (face,) = await roll(D6)
    if await choose("leave", "again", by=by, about=face) == "again":
        (face,) = await roll(D6)
    return Duelled(face)


@rule
async def duel(asked: Duel) -> Duelled:
    """Against an opponent."""
    return await again("opponent")


@rule
async def named(asked: Named) -> Duelled:
    """Against somebody by name."""
    return await again(asked.foe)


@rule
async def helped(asked: Helped) -> Duelled:
    """With a friend."""
    return await again("friend")


@pytest.fixture(scope="module", autouse=True)
def game():
    """The game, known by its name."""
    return add_game(
        Game(
            name="duels",
            title="Duels",
            summary="Two at one die.",
            requests={Duel: duel, Named: named, Helped: helped},
            goals={"lead": Goal("lead", lambda end: end.lead)},
            default_goal="lead",
        )
    )


AGAINST = Fraction(1 + 2 + 3, 6) + Fraction(3, 6) * Fraction(7, 2)
"""By hand: what is above three and a half is thrown again."""
FOR = Fraction(4 + 5 + 6, 6) + Fraction(3, 6) * Fraction(7, 2)
"""By hand: what is below three and a half is thrown again."""


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ({"roll": "duel"}, AGAINST),
        ({"roll": "named", "foe": "Ada"}, AGAINST),
        ({"roll": "helped"}, FOR),
    ],
)
def test_the_request_says_who_is_against(asked, value):
    """Python, a question and the named policy come to the same without naming anybody."""
    request = {"game": "duels", **asked}
    assert value == rw.advise(request, "lead").value
    assert value == rw.odds(request, "best").map(lambda end: end.lead).mean
    assert str(value) == answer("advise", {"request": request})["value"]["exact"]


def test_an_opponent_is_advised_against_the_goal():
    """At a 6 the opponent has it thrown again, and the table's advice says why."""
    rolled = rw.roll({"game": "duels", "roll": "duel"}, faces=[6])
    assert "again" == rw.advise(rolled, "lead").best
    found = answer("advise", {"transcript": rolled.to_plain()})
    assert "again" == found["best"]
    assert "as little as" in found["why"] or "against" in found["why"]


def test_the_command_line_says_the_same():
    """`rollwright advise GAME ROLL` counts the opponent as one."""
    shown = CliRunner().invoke(rollwright, ["advise", "duels", "duel"])
    assert f"{float(AGAINST):.2f}" in shown.output


def test_after_the_opponent_has_chosen_nobody_is_missed():
    """A roll in which the opponent has nothing more to choose is advised on all the same."""
    rolled = rw.roll({"game": "duels", "roll": "duel"}, faces=[6], policy=lambda _: "leave")
    assert 6 == rw.advise(rolled, "lead").value


def test_who_has_a_policy_is_no_opponent():
    """What somebody is said to do comes before what they would want."""
    request = {"game": "duels", "roll": "duel"}
    assert (
        Fraction(7, 2) == rw.advise(request, "lead", others={"opponent": lambda _: "leave"}).value
    )
