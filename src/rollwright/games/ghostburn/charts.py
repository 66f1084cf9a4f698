"""Trick charts: what each of the four outcomes does, in the words of whoever wrote the chart."""

from __future__ import annotations

from typing import Literal

from rollwright.games.ghostburn.ladder import COOL, FADE, SUCCESS
from rollwright.kit import Value, field


class Entry(Value):
    """What one outcome of a trick does."""

    text: str = field(
        default="", help="what happens, in your own words", most=300, rule="GHOST R21"
    )
    condition: str = field(
        default="", help="a condition that somebody gains", most=40, rule="GHOST R21"
    )
    who: Literal["target", "self"] = field(
        default="target", help="who gains the condition", rule="GHOST R21"
    )


class Chart(Value):
    """A trick with what its four outcomes do."""

    trick: str = field(help="the name of the trick", most=60, rule="GHOST R2")
    skill: str = field(default="", help="the skill the trick belongs to", most=60, rule="GHOST R2")
    dl_from: str = field(
        default="",
        help="where the Difficulty Level comes from, such as a trait",
        most=80,
        rule="GHOST R3",
    )
    cool_success: Entry = field(
        default=Entry(), help="success with an extra benefit", rule="GHOST R9"
    )
    success: Entry = field(default=Entry(), help="success", rule="GHOST R10")
    fade: Entry = field(default=Entry(), help="success with a complication", rule="GHOST R11")
    glitch: Entry = field(default=Entry(), help="failure with a complication", rule="GHOST R12")
    note: str = field(default="", help="what the table should know about it", most=300)

    def entry(self, outcome: str) -> Entry:
        """What this outcome does."""
        if outcome == COOL:
            return self.cool_success
        if outcome == SUCCESS:
            return self.success
        return self.fade if outcome == FADE else self.glitch


CONVINCE = Chart(
    trick="Convince",
    skill="Persuade",
    dl_from="the target's Wits",
    cool_success=Entry(text="they agree gladly and do a little more than was asked"),
    success=Entry(text="they agree"),
    fade=Entry(text="they agree, but not happily", condition="Confident"),
    glitch=Entry(text="they refuse and will not hear of it again", condition="Confident"),
    note="Confident makes further Persuade on them harder; the GM says by how much",
)
"""An example chart in our own words; only the Fade is the book's, the rest is made up."""

STRONGARM = Chart(
    trick="Strongarm",
    skill="Intimidate",
    dl_from="the target's Wits",
    cool_success=Entry(text="they give way and warn the others off", condition="Shaken"),
    success=Entry(text="they give way"),
    fade=Entry(text="they give way and remember your face"),
    glitch=Entry(text="they hit back first", condition="Rattled", who="self"),
)
"""An example chart of a trick that is wholly made up."""

CHARTS = {"convince": CONVINCE, "strongarm": STRONGARM}
