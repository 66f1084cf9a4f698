"""The parts of a card as data: marks, looks, offers, verdicts, prices, themes, starters.

What people read is a text as it is said, or a message of the game's catalog (`said("hit", n=3)`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from rollwright.jsonable import EMPTY
from rollwright.kit.words import Text as Text

Tone = Literal["great", "good", "mixed", "bad", "awful", "even"]
"""Mood of something for the roller, from best to worst; `even` is neither."""
TONES: tuple[Tone, ...] = ("awful", "bad", "mixed", "good", "great")


class Mark(NamedTuple):
    """How a face is read in a roll."""

    tone: Tone = "even"
    symbols: tuple[str, ...] = ()
    """Symbols drawn on it, each as often as it counts: icons of the game or of the page,
    characters.
    """
    alone: bool = False
    """Whether the symbols replace the number."""
    said: Text = ""
    """Screen-reader text."""
    written: bool = False
    """Whether that is printed below the die too: the number alone is not enough."""


Marks = Mapping[str, Mapping[int | str, Mark]]
"""By the die (`ammo`, `d10`; `Guard *` for names that begin so, `*` for all), then by its face or
a range of faces (`7..10`)."""
Lie = Literal["counts", "dropped", "kept", "again"]
"""How a die lies on the table: it counts, does not, stays beside a new throw, was taken up."""
Lies = Mapping[tuple[int, int], Lie]
"""By the number of the entry and the place in it."""


class Look(NamedTuple):
    """The look of a die with a name."""

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
    """The result of it, if known."""
    who: str = ""
    """The seat of the table that it names, such as `@s3`."""
    dice: tuple[str, ...] = ()
    """The dice that it is about: the number of the entry and the place in it, `0.1`."""
    at: int | None = None
    """The number that it leads to on the ladder of the choice."""
    member: int | None = None
    """Whom of the party of the choice it is for, by place."""
    tone: Tone = "even"
    """The mood of its result for the roller, if that is an end: a success, a failure."""


class Rung(NamedTuple):
    """A number that has a name."""

    at: int
    label: Text


class Ladder(NamedTuple):
    """A choice about how far a number reaches: the named rungs, and the present number."""

    rungs: tuple[Rung, ...]
    at: int
    goal: int | None = None
    """The number to reach."""


class Member(NamedTuple):
    """Somebody in a roll of several, with their score."""

    label: Text
    said: Text
    """The score."""
    tone: Tone = "even"
    gives: int = 0
    """How much they have left to give away."""


class Place(NamedTuple):
    """A place for tokens."""

    at: str
    label: Text
    stacks: bool = False
    """Whether several put there make one larger thing."""


class Assignment(NamedTuple):
    """A choice that hands tokens out: so many, to these places."""

    tokens: int
    places: tuple[Place, ...]


class Sum(NamedTuple):
    """An addition: the dice, then what else counts, by name; and the total."""

    terms: tuple[Text, ...]
    total: int


class Verdict(NamedTuple):
    """The result of a roll, to be read across the table."""

    word: Text
    tone: Tone = "even"
    detail: tuple[Text, ...] = ()
    paid: tuple[Text, ...] = ()


class Price(NamedTuple):
    """A price: a field of the outcome with its unit."""

    unit: Literal["chance", "amount"]
    said: Text = ""
    """For a chance the event; for an amount a text with `{n}`."""
    beside: str = ""
    """A price for the same thing: if an outcome has both, only that one is shown."""


class Exploring(NamedTuple):
    """Suggestions for exploring a roll."""

    along: str = ""
    """The field along a curve."""
    map: tuple[str, str] | tuple[()] = ()
    """Two fields of a map: across and down."""
    builds: tuple[Mapping[str, Any], ...] = ()
    """Changes of the roll that are worth comparing."""
    values: Mapping[str, tuple[Any, ...]] = EMPTY
    """Values of a field that say more than all that it may hold."""


class RollCard(NamedTuple):
    """The presentation of a kind of roll beside its fields."""

    goal: str = ""
    """The usual goal; empty for the game's usual one, if it fits."""
    policy: str = ""
    policies: tuple[str, ...] = ()
    """The two or three ways to decide that are beside the button."""
    drawn: tuple[str, ...] = ()
    """Which fields of the outcome are drawn, the first as bars."""
    more: tuple[str, ...] | None = None
    """Numbers of which somebody would like one more; None for all."""
    asked: tuple[str, ...] = ()
    """Fields that a referee sets who asks for it."""
    ask_sets: Mapping[str, Any] = EMPTY
    """Fields and values of every ask for it, unless the referee changes them."""
    needed: tuple[tuple[str, ...], ...] = ()
    """One of each of these must be said."""
    untrained: tuple[str, ...] = ()
    """Fields that a sheet may lack: a player who is asked all the same rolls without."""
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
    """Colour of the table by night; panels are made darker than it."""
    accent: str = ""
    """Colour of selections, of buttons and of the player whose turn it is."""
    dice: str = ""
    day: str = ""
    """The felt by day; a light one is made from the other where it is left out."""
    day_accent: str = ""
    day_dice: str = ""
    other_dice: str = ""
    """Colour of dice whose set is `dark`."""
    edges: str = ""
    """Colour of the edges of dice, which then glow."""
    line: str = ""
    """Colour of the pattern on the felt."""
    pattern: str = ""
    """A tile of the felt, as the text of an SVG with its width and height."""
    display: str = ""
    """The face of names and verdicts, one of those that the page ships."""
    numbers: str = ""
    label: str = ""
    capitals: bool = False
    """Whether names and verdicts are in capitals."""
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
