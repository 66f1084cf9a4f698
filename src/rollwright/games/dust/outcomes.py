"""The outcomes of this game's rolls, in fields that can be counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from rollwright.ranks import Ranked


class Grade(Ranked):
    """The name of a net, from worst to best.

    >>> Grade("botch") < Grade("barely") < Grade("complete+"), Grade("botch") == "botch"
    (True, True)
    """

    ranks: ClassVar[Mapping[str, int]] = {
        word: rank
        for rank, word in enumerate(
            ("botch", "failure", "barely", "barely+", "complete", "complete+", "overwhelming")
        )
    }


BOTCH, *GRADES = (Grade(word) for word in Grade.ranks)
"""A net below 0, and those from 0 to 5."""


class Rolled(NamedTuple):
    """One throw, settled."""

    net: int
    """Successes left after the 1s; negative for a botch."""
    successes: int
    """Dice that reached the difficulty."""
    ones: int
    automatic: int
    """Successes bought with Adrenaline."""
    grade: Grade
    doubles: int
    """Doubles found, as the house counts them."""
    adrenaline_spent: int
    adrenaline_gained: int
    """Points really added: doubles that were taken, up to the maximum of 10."""
    adrenaline: int
    """Adrenaline afterwards; where the request does not say how much there was, what was earned."""


Winner: TypeAlias = Literal["actor", "defender", "nobody"]


class Opposed(NamedTuple):
    """Two sides against each other."""

    margin: int
    """The actor's lead over the defender; negative if it is less."""
    winner: Winner
    """actor, defender or nobody."""
    actor_net: int
    defender_net: int
    actor_gained: int
    """Adrenaline that the actor's doubles added."""
    defender_gained: int


class Extended(NamedTuple):
    """A task over several turns, when it is done, out of time or broken off."""

    done: bool
    total: int
    """Successes gathered, with those from before."""
    turns: int | None
    """Turns taken; None without a limit, where they are known on average only."""
    botched: bool
    """Whether a botch happened on the way; their number is known from the throws."""
    adrenaline: int | None
    """Adrenaline afterwards; None where it was left out of account."""
    botches: int | None = None
    """Botches on the way; None where only whether is counted: without a limit, or with Adrenaline
    over more than 8 turns."""

    def counted_with(self) -> dict[str, str]:
        """Return the fields that a field's counting needs."""
        return {"turns": "limit", "adrenaline": "adrenaline", "botches": "limit"}


class Planned(NamedTuple):
    """Several rolls out of one pool of Adrenaline."""

    worth: int
    """The worth of the rolls that reached their need, added up."""
    met: int
    """How many rolls reached their need."""
    adrenaline: int
    """Adrenaline left at the end."""
    botches: int = 0
    """How many rolls were botches."""
