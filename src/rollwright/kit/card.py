"""The card of a game: what a surface needs to know to ask for its rolls, show, judge and tell them.

Everything is data or a pure function, and everything has a default that is made from fields,
docstrings and types: a small game needs none of it. A game overrides what it wants otherwise:

    class MyCard(Card):
        prices = {"jammed": Price("chance")}

        def marks(self, request):
            return {"d6": {6: Mark("good", ("star",)), 1: Mark("bad")}}

What people read is a text as it is said, or a message of the game's catalog (`said("hit", n=3)`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from rollwright.kit.controls import EMPTY, Asked, Control, Text, fields_form, fresh
from rollwright.kit.fields import Value, fields_of
from rollwright.kit.widgets import Widget, fields_sheet
from rollwright.kit.words import effect_said, option_said, outcome_fields, question, retold
from rollwright.ranks import Ranked
from rollwright.words.messages import said

if TYPE_CHECKING:
    from rollwright.engine.transcript import Transcript
    from rollwright.kit.games import Effect, Game
    from rollwright.kit.requests import Request

Tone = Literal["great", "good", "mixed", "bad", "awful", "even"]
"""How something is for whoever rolled, from best to worst; `even` is neither."""
TONES: tuple[Tone, ...] = ("awful", "bad", "mixed", "good", "great")
LONGEST_TITLE, MOST_NAMED = 100, 3


class Mark(NamedTuple):
    """How a face is read in a roll."""

    tone: Tone = "even"
    symbols: tuple[str, ...] = ()
    """What is drawn on it, each as often as it counts: icons of the game or of the page, signs."""
    alone: bool = False
    """Whether the symbols stand in place of the number."""
    said: Text = ""
    """What the face is, for whoever hears it."""


Marks = Mapping[str, Mapping[int | str, Mark]]
"""By the die (`ammo`, `d10`; `*` for all), then by its face or a range of faces (`7..10`)."""
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
    needed: tuple[tuple[str, ...], ...] = ()
    """One of each of these must be said."""
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


class Card:
    """All parts with their defaults."""

    rolls: ClassVar[Mapping[str, RollCard]] = {}
    prices: ClassVar[Mapping[str, Price]] = {}
    outcomes: ClassVar[Mapping[str, Mapping[Any, Tone]]] = {}
    """The tones of the values of an outcome's field."""
    dice: ClassVar[Mapping[str, Look]] = {}
    theme: ClassVar[Theme] = Theme()
    icons: ClassVar[Mapping[str, str]] = {}
    """Icons of the game's own, as the text of an SVG of 24 by 24."""
    starters: ClassVar[tuple[Starter, ...]] = ()
    trial: ClassVar[Trial | None] = None
    game: Game
    """The game says so when it is made."""

    def roll(self, name: str) -> RollCard:
        """What surfaces want to know of a kind of roll."""
        return self.rolls.get(name, RollCard())

    # What is rolled

    def title(self, request: Request) -> Text:
        """What is rolled, in a few words: "Skill roll: recon"."""
        names = [
            str(getattr(request, name))
            for name, about in fields_of(type(request)).items()
            if (about.kind == "text" or name.endswith("_name")) and getattr(request, name)
        ]
        kind = self.word(f"roll.{request.roll}", request.title)
        if not names:
            return kind
        return said("title", roll=kind, names=", ".join(names[:MOST_NAMED]))

    def knows(self, roll: str, sheet: Value) -> bool:
        """Whether a sheet has what this kind of roll is filled in from."""
        return True

    def first(self, roll: str, sheet: Value | None) -> Draft:
        """What a roll starts with; `sheet` where it knows enough."""
        return Draft() if sheet else Draft(set=fresh(self.game.requests[roll]))

    def start(self, asked: Asked) -> Draft:
        """What a draft starts with, where that depends on who is there or on what was said.

        What was said and is not refused is `asked.kept`.
        """
        return self.first(asked.roll, asked.sheet)

    def fill(self, asked: Asked) -> Request:
        """The request that a draft makes, filled in from the sheet where there is one."""
        return asked.filled()

    def form(self, asked: Asked) -> Sequence[Control]:
        """The controls of a roll, as things stand."""
        return fields_form(asked)

    def sheet(self, sheet: Any) -> Sequence[Widget]:
        """The widgets of a sheet, as it stands."""
        return fields_sheet(sheet, self.word)

    def shared(self, shared: Any) -> Sequence[Widget]:
        """The widgets of what the table shares, as it stands."""
        return fields_sheet(shared, self.word)

    # What lies there

    def marks(self, request: Request) -> Marks:
        """How faces are read in this roll."""
        return {}

    def lies(self, request: Request, transcript: Transcript) -> Lies:
        """How dice lie, by entry and place; what is left out counts or does not matter."""
        stays = self.game.stays
        return {} if stays is None else dict.fromkeys(stays(request, transcript), "kept")

    def label(self, request: Request, transcript: Transcript) -> Text:
        """Whose the last throw is, or which turn's, where a roll has several."""
        return ""

    def die(self, request: Request, name: str) -> Text:
        """What a die of this roll is called whose name in the rule is not for people."""
        return ""

    def whose(self, request: Request, transcript: Transcript) -> str:
        """The name of whoever throws the dice that are waited for; empty for the roller."""
        return "" if self.game.whose is None else self.game.whose(request, transcript)

    # What it does

    def effect(self, effect: Effect) -> Text:
        """What an effect does, in a few words."""
        name = f"effect.{effect.kind.replace(' ', '-')}"
        if name not in self.game.words:
            return effect_said(effect)
        amount = effect.amount if isinstance(effect.amount, int) else str(effect.amount)
        return self.game.words.said(name, n=amount, target=effect.target)

    # What it is about

    def standing(self, request: Request, transcript: Transcript) -> Text:
        """Where it stands, in one line."""
        return ""

    def ask(self, request: Request, transcript: Transcript) -> Text:
        """What is asked at a choice."""
        return question(transcript.step.options)

    def offer(self, request: Request, transcript: Transcript, option: Any) -> Offer:
        """An option of a choice."""
        plain = option_said(option)
        return Offer(self.word(f"option.{plain}", plain), who=plain if _is_seat(plain) else "")

    def assignment(self, request: Request, transcript: Transcript) -> Assignment | None:
        """The choice as tokens that are handed out, where it is one."""
        return None

    def option_of(
        self, request: Request, transcript: Transcript, puts: Mapping[str, Sequence[int]]
    ) -> Any:
        """The option that an assignment means: of each place what was put there."""
        raise NotImplementedError

    def puts_of(
        self, request: Request, transcript: Transcript, option: Any
    ) -> Mapping[str, Sequence[int]] | None:
        """The assignment that an option means: `option_of` the other way round."""
        return None

    def aim(self, request: Request, transcript: Transcript) -> str:
        """The goal that a choice is about, by name, where the roll's own is settled by then."""
        return ""

    def ladder(self, request: Request, transcript: Transcript) -> Ladder | None:
        """The choice as a number on its way up, where it is about that."""
        return None

    def party(self, request: Request, transcript: Transcript) -> Sequence[Member]:
        """Everybody in a choice that is about who gives something to whom."""
        return ()

    def nothing_to_gain(self, request: Request, transcript: Transcript, goal: str) -> Any:
        """The option that leaves it at that, where no other gains anything; None to be asked.

        `goal` is what is wanted of the roll, by name. Whoever rolls agreed to this beforehand, and
        can take it back; it is said, not counted.
        """
        return None

    def agreed(self, request: Request, transcript: Transcript) -> bool:
        """Whether a way to decide by name settles the choice that is open; else it is asked."""
        return True

    # What it came to

    def verdict(self, request: Request, outcome: Any) -> Verdict:
        """What it came to, in a word: the one the outcome has, else whether it went well."""
        for held in outcome if isinstance(outcome, tuple) else ():
            if isinstance(held, Ranked):
                return Verdict(self.word(f"word.{held}", str(held)), tone_of(held))
        good = self.is_good(request, outcome)
        if good is None:
            value = outcome_fields(outcome).get("value")
            return Verdict("" if value is None else str(value))
        return Verdict(said("verdict.success" if good else "verdict.failure"), _tone(good))

    def is_good(self, request: Request, outcome: Any) -> bool | None:
        """Whether it went well, by what is wanted of it as a rule; None where nobody can say."""
        goal = self.game.goals.get(self.game.usual_goal(request.roll))
        if goal is None:
            return None
        try:
            return bool(goal.worth(outcome) > 0)
        except (
            Exception,
            SystemExit,
        ):  # a goal that does not fit the outcome says nothing about it
            return None

    def told(self, request: Request, transcript: Transcript) -> Text:
        """What happened so far: as the game tells it, else plainly."""
        if self.game.told is not None:
            return self.game.told(request, transcript)
        return retold(transcript, self.game.words)

    # Words

    def word(self, name: str, otherwise: str) -> Text:
        """A message of the game's catalog; where it has none of that name, a text as it is."""
        return self.game.words.said(name) if name in self.game.words else otherwise


def tone_of(word: Ranked) -> Tone:
    """The tone of a word by its place between worst and best.

    >>> class Grade(Ranked):
    ...     ranks = {"Glitch": 0, "Fade": 1, "Success": 2, "Cool Success": 3}
    >>> [tone_of(Grade(word)) for word in Grade.ranks]
    ['bad', 'mixed', 'good', 'great']
    """
    order = sorted(set(type(word).ranks.values()))
    place = order.index(word.rank)
    by_many: dict[int, tuple[Tone, ...]] = {
        1: ("even",),
        2: ("bad", "good"),
        3: ("bad", "mixed", "good"),
        4: ("bad", "mixed", "good", "great"),
    }
    tones = by_many.get(len(order), TONES)
    return tones[min(place * len(tones) // len(order), len(tones) - 1)]


def _tone(good: bool) -> Tone:
    return "good" if good else "bad"


def _is_seat(option: str) -> bool:
    return option.startswith("@")
