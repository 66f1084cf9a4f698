"""The parts of a card as data: marks, looks, offers, verdicts, prices, themes, starters.

What people read is a text as it is said, or a message of the game's catalog (`said("hit", n=3)`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from rollwright.kit.words import Text as Text
from rollwright.plain import EMPTY

Tone = Literal["great", "good", "mixed", "bad", "awful", "even"]
"""How something is for whoever rolled, from best to worst; `even` is neither."""
TONES: tuple[Tone, ...] = ("awful", "bad", "mixed", "good", "great")


class Mark(NamedTuple):
    """How a face is read in a roll."""

    tone: Tone = "even"
    symbols: tuple[str, ...] = ()
    """What is drawn on it, each as often as it counts: icons of the game or of the page, signs."""
    alone: bool = False
    """Whether the symbols stand in place of the number."""
    said: Text = ""
    """What the face is, for whoever hears it."""
    written: bool = False
    """Whether that stands under the die for whoever sees it: the number alone would not tell."""


Marks = Mapping[str, Mapping[int | str, Mark]]
"""By the die (`ammo`, `d10`; `Guard *` for names that begin so, `*` for all), then by its face or
a range of faces (`7..10`)."""
Lie = Literal["counts", "dropped", "kept", "again"]
"""How a die lies on the table: it counts, does not, stays beside a new throw, was taken up."""
Lies = Mapping[tuple[int, int], Lie]
"""By the number of the entry and the place in it."""


class Look(NamedTuple):
    """What a die with a name looks like."""

    sides: int = 0
    """The solid it is drawn as; 0 for what its faces say."""
    label: Text = ""
    set: str = ""
    """`dark`, `light` or `accent`: dice of one set look alike."""
    numerals: bool = True


class Offer(NamedTuple):
    """An option as a button says it; what is chosen is the option itself."""

    label: Text
    leads: Text = ""
    """What it comes to, where that is known."""
    who: str = ""
    """The seat of the table that it names, such as `@s3`."""
    dice: tuple[str, ...] = ()
    """The dice that it is about: the number of the entry and the place in it, `0.1`."""
    at: int | None = None
    """Where it leads on the ladder of the choice."""
    member: int | None = None
    """Whom of the party of the choice it is for, by place."""
    tone: Tone = "even"
    """How what it comes to is for whoever rolls, where that is an end: a success, a failure."""


class Rung(NamedTuple):
    """A number that has a name."""

    at: int
    label: Text


class Ladder(NamedTuple):
    """A choice that is about how far a number reaches: what has a name, where it stands now."""

    rungs: tuple[Rung, ...]
    at: int
    goal: int | None = None
    """What is to be reached."""


class Member(NamedTuple):
    """Somebody in a roll of several, and how they stand."""

    label: Text
    said: Text
    """Where they stand: a Score."""
    tone: Tone = "even"
    gives: int = 0
    """How much they have left to give away."""


class Place(NamedTuple):
    """Where a token may be put."""

    at: str
    label: Text
    stacks: bool = False
    """Whether several put there make one larger thing."""


class Assignment(NamedTuple):
    """A choice that hands tokens out: so many, to these places."""

    tokens: int
    places: tuple[Place, ...]


class Sum(NamedTuple):
    """What is added up: the dice, then what else counts, by name; and what all of it makes."""

    terms: tuple[Text, ...]
    total: int


class Verdict(NamedTuple):
    """What a roll came to, to be read across the table."""

    word: Text
    tone: Tone = "even"
    detail: tuple[Text, ...] = ()
    paid: tuple[Text, ...] = ()


class Price(NamedTuple):
    """What somebody pays: a field of the outcome with its unit."""

    unit: Literal["chance", "amount"]
    said: Text = ""
    """Of a chance what it is the chance of; of an amount with `{n}`."""
    beside: str = ""
    """A price that tells of the same thing: where an outcome has both, only that one is said."""


class Exploring(NamedTuple):
    """What is worth looking at first in a roll."""

    along: str = ""
    """What runs along a curve."""
    map: tuple[str, str] | tuple[()] = ()
    """Two fields of a map: across and down."""
    builds: tuple[Mapping[str, Any], ...] = ()
    """Changes of the roll that are worth comparing."""
    values: Mapping[str, tuple[Any, ...]] = EMPTY
    """Values of a field that say more than all that it may hold."""


class RollCard(NamedTuple):
    """What surfaces want to know of a kind of roll beside its fields."""

    goal: str = ""
    """What is wanted of it as a rule; empty for the game's usual one, where it fits."""
    policy: str = ""
    policies: tuple[str, ...] = ()
    """The two or three ways to decide that stand beside the button."""
    drawn: tuple[str, ...] = ()
    """Which fields of the outcome are drawn, the first as bars."""
    more: tuple[str, ...] | None = None
    """Of which numbers somebody would like one more; None for all."""
    asked: tuple[str, ...] = ()
    """What a referee says who asks for it."""
    ask_sets: Mapping[str, Any] = EMPTY
    """What every ask for it says, unless the referee says otherwise: a field and its value."""
    needed: tuple[tuple[str, ...], ...] = ()
    """One of each of these must be said."""
    untrained: tuple[str, ...] = ()
    """What of it a sheet may lack: whoever is asked for it all the same rolls without."""
    roles: tuple[str, ...] = ()
    """Parts of the rule that people at the table may play: who helps, who opposes."""
    explore: Exploring = Exploring()
    only_explored: bool = False
    """Whether it is no roll for the table, but one to think about."""


class Theme(NamedTuple):
    """The look of a game: colours such as `#1d5a4c`; empty for the page's own.

    What else is needed of them by day and by night is made from them, so that all can be read.
    """

    felt: str = ""
    """Of the table by night; panels are made darker than it."""
    accent: str = ""
    """Of what is chosen, of buttons and of whose turn it is."""
    dice: str = ""
    day: str = ""
    """The felt by day; a light one is made from the other where it is left out."""
    day_accent: str = ""
    day_dice: str = ""
    other_dice: str = ""
    """Of dice whose set is `dark`."""
    edges: str = ""
    """Of the edges of dice, which then glow."""
    line: str = ""
    """Of the pattern on the felt."""
    pattern: str = ""
    """A tile of the felt, as the text of an SVG with its width and height."""
    display: str = ""
    """The face of names and verdicts, one of those that the page ships."""
    numbers: str = ""
    label: str = ""
    capitals: bool = False
    """Whether names and verdicts stand in capitals."""
    weight: int = 0
    """How heavy they are, from 100 to 900."""
    round: int = -1
    """How round the corners of buttons are, in pixels."""


class Starter(NamedTuple):
    """A sheet to begin with."""

    name: Text
    values: Mapping[str, Any]


class Trial(NamedTuple):
    """A roll to try before there is a table; its first faces leave something to choose."""

    said: Text
    roll: str
    fields: Mapping[str, Any]
    faces: tuple[Any, ...]


class Draft(NamedTuple):
    """A roll that is being made up: `pick` names things on the sheet, `set` overrides fields."""

    pick: Mapping[str, Any] = EMPTY
    set: Mapping[str, Any] = EMPTY
