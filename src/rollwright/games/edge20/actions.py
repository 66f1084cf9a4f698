"""What goes into a roll of the d20, and what makes it an action: all but its place in a turn."""

from __future__ import annotations

from rollwright.games.edge20.effect_dice import effect_dice
from rollwright.games.edge20.rulebook import LINES
from rollwright.games.edge20.stacking import checked_edges
from rollwright.kit import Value, field


class D20Roll(Value):
    """What goes into any roll of the d20."""

    skill: str = field(default="", help="The skill that fits best.", most=60, rule="EDGE R4")
    modifier: int = field(
        default=0,
        help="The modifier of that skill; no cap touches it.",
        low=-999,
        high=999,
        rule="EDGE R4",
    )
    advantages: int = field(
        default=0,
        help="How many things give advantage; one is as good as many.",
        low=0,
        high=99,
        rule="EDGE R18",
    )
    disadvantages: int = field(
        default=0,
        help="How many things give disadvantage; one is as bad as many.",
        low=0,
        high=99,
        rule="EDGE R18",
    )
    edges: int | str | tuple[str, ...] = field(
        default=0,
        help="Edges on the roll: a number, negative for lost ones, or what each comes from, with "
        "a minus sign before lost ones: high ground, -rain.",
        rule="EDGE R23",
    )
    bonuses: tuple[int, ...] = field(
        default=(),
        help="Every single bonus; together at most twice the largest counts.",
        low=0,
        high=99,
        most=99,
        rule="EDGE R32",
    )
    penalties: tuple[int, ...] = field(
        default=(),
        help="Every single penalty, as a positive number; capped like bonuses.",
        low=0,
        high=99,
        most=99,
        rule="EDGE R33",
    )

    def check(self) -> None:
        """Edges are a number or names."""
        self.settle(edges=checked_edges("edges", self.edges, "EDGE R23"))


class Action(D20Roll):
    """One action of a turn: everything about its check but its place in the turn."""

    name: str = field(
        default="", help=LINES["R6"].text, title="what is tried", most=200, rule="EDGE R6"
    )
    target: str = field(default="", help=LINES["R3"].text, most=60, rule="EDGE R3")
    dc: int = field(
        help=f"The number to reach, before edges on it. {LINES['R7'].text}",
        title="DC",
        low=-99,
        high=199,
        rule="EDGE R7",
    )
    dc_edges: int | str | tuple[str, ...] = field(
        default=0,
        help="Edges on the DC instead of the roll, written like edges; gained ones raise it.",
        title="edges on the DC",
        rule="EDGE R29",
    )
    rerolls: int = field(
        default=0,
        help="How often something lets you roll one d20 again.",
        low=0,
        high=9,
        rule="EDGE R20",
    )
    effect: str = field(
        default="",
        help="Damage or healing dice, such as 2d6+3.",
        title="effect dice",
        most=100,
        rule="EDGE R5",
    )
    effect_bonuses: tuple[int, ...] = field(
        default=(),
        help="Bonuses to damage or healing, capped like others.",
        low=0,
        high=99,
        most=99,
        rule="EDGE R30",
    )
    effect_penalties: tuple[int, ...] = field(
        default=(),
        help="Penalties to damage or healing, as positive numbers.",
        low=0,
        high=99,
        most=99,
        rule="EDGE R30",
    )
    attack: bool = field(
        default=False,
        help="Whether it is an attack: a critical success then has a critical effect.",
        rule="EDGE R38",
    )
    item: str | None = field(
        default=None,
        help="The weapon or tool in use, which a critical failure disables; an attack is made "
        "with a weapon unless this is empty.",
        most=60,
        rule="EDGE R39",
    )
    item_tier: int | None = field(
        default=None,
        help="The Tier that sets the DC to get it working again.",
        low=0,
        high=99,
        rule="EDGE R40",
    )

    def check(self) -> None:
        """Edges on the DC and effect dice must be readable."""
        super().check()
        self.settle(dc_edges=checked_edges("dc_edges", self.dc_edges, "EDGE R29"))
        effect_dice(self.effect)

    @property
    def used_item(self) -> str:
        """What a critical failure disables; empty for bare hands."""
        if self.item is None:
            return "weapon" if self.attack else ""
        return self.item
