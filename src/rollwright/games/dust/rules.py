"""The rules in the book's order: a standard roll, an opposing roll, and how Adrenaline is earned.

Rolls that go on over several turns or scenes are in `tasks`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rollwright.games.dust.outcomes import Opposed, Rolled
from rollwright.games.dust.throws import (
    FULL,
    Lying,
    Terms,
    doubles_of,
    grade_of,
    net_of,
    points_of,
    throw,
    throw_briefly,
)
from rollwright.rules import Ending, Step, gather, offer, rule


class Stake(NamedTuple):
    """The Adrenaline a roller has, spends on the roll, and what becomes of doubles."""

    spend: int
    adrenaline: int
    doubles: str = "take"

    @classmethod
    def of(cls, terms: Terms, spend: int, adrenaline: int | None, doubles: str = "take") -> Stake:
        """The stake on a throw; where the action fails by itself, nothing can be spent."""
        spent = 0 if terms.fails else spend
        return cls(spent, spent if adrenaline is None else adrenaline, doubles)


class DoublesPoint(NamedTuple):
    """What taking the point for doubles turns on."""

    doubles: int
    net: int
    adrenaline: int


@rule
async def standard_roll(terms: Terms, stake: Stake) -> Ending[Rolled]:
    """Declare what is spent, throw once, let the 1s take successes away, and read the rest."""
    if stake.doubles != "ask":
        return throw(terms, finish=_settle, given=(terms, stake))
    lying = await throw(terms)
    without = _settled(lying, terms, stake, take=False)
    with_points = _settled(lying, terms, stake, take=True)
    if without == with_points:
        return without
    about = DoublesPoint(without.doubles, without.net, without.adrenaline)
    return offer({"leave": without, "take": with_points}, about=about)


def _settle(lying: Lying, terms: Terms, stake: Stake) -> Rolled:
    return _settled(lying, terms, stake, take=stake.doubles == "take")


def _settled(lying: Lying, terms: Terms, stake: Stake, *, take: bool) -> Rolled:
    """What a throw comes to: net, grade, doubles and Adrenaline."""
    net = net_of(lying.successes - lying.ones, terms, stake.spend)
    doubles = doubles_of(lying, terms, stake.spend)
    left = stake.adrenaline - stake.spend
    gained = min(points_of(doubles, net, terms), FULL - left) if take else 0
    return Rolled(
        net=net,
        successes=lying.successes,
        ones=lying.ones,
        automatic=stake.spend,
        grade=grade_of(net),
        doubles=doubles,
        adrenaline_spent=stake.spend,
        adrenaline_gained=gained,
        adrenaline=left + gained,
    )


class Stood(NamedTuple):
    """How one side of an opposing roll stands."""

    net: int
    gained: int


class Match(NamedTuple):
    """An opposing roll: the two sides, and how ties and botches are read."""

    actor: Terms
    actor_stake: Stake
    defender: Terms
    defender_stake: Stake
    tie: str
    floor: bool


NOBODY = Terms(0, 0)


@rule
async def stand(terms: Terms, stake: Stake) -> Ending[Stood]:
    """One side of an opposing roll throws."""
    return throw_briefly(terms, finish=_stood, given=(terms, stake))


def _stood(lying: Lying, terms: Terms, stake: Stake) -> Stood:
    rolled = _settle(lying, terms, stake)
    return Stood(rolled.net, rolled.adrenaline_gained)


@rule
async def opposing_roll(match: Match) -> Ending[Opposed]:
    """Both sides throw against one number; more successes win, and the margin says by how much."""
    sides = (
        stand(match.actor, match.actor_stake),
        stand(match.defender, match.defender_stake),
    )
    met: Step[Any] = gather(sides, match, _face_off)
    if match.tie != "reroll" or not (match.actor.dice or match.defender.dice):
        return met
    found: Opposed = await met
    return opposing_roll(match) if found.winner == "nobody" else found


def _face_off(before: Any, stood: Stood) -> Any:
    """First the actor's throw is noted, then the defender's is held against it."""
    if isinstance(before, Match):
        return (before, stood)
    match, actor = before
    return compared(match, actor, stood)


def compared(match: Match, actor: Stood, defender: Stood) -> Opposed:
    """Who wins, and by what margin."""
    least = 0 if match.floor else min(actor.net, defender.net)
    margin = max(actor.net, least) - max(defender.net, least)
    level = "defender" if match.tie == "defender" else "nobody"
    winner = "actor" if margin > 0 else "defender" if margin < 0 else level
    if {"actor": match.actor, "defender": match.defender}.get(winner, NOBODY).fails:
        margin, winner = 0, "nobody"  # what fails by itself does not even beat a botch
    return Opposed(margin, winner, actor.net, defender.net, actor.gained, defender.gained)


@rule
async def earning(terms: Terms, adrenaline: int, goal: int) -> Ending[int]:
    """Roll again and again, taking every point for doubles, until there is enough Adrenaline."""
    return throw_briefly(terms, finish=_earned, given=(terms, adrenaline, goal))


def _earned(lying: Lying, terms: Terms, adrenaline: int, goal: int) -> Any:
    earned = _settle(lying, terms, Stake(0, adrenaline)).adrenaline
    return earned if earned >= goal else earning(terms, earned, goal)
