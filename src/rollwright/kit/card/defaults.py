"""The card of a game with the default of every part, made from fields, docstrings and types.

A small game needs none of it. A game overrides what it wants otherwise:

    class MyCard(Card):
        prices = {"jammed": Price("chance")}

        def marks(self, request):
            return {"d6": {6: Mark("good", ("star",)), 1: Mark("bad")}}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from rollwright.i18n.messages import msg, row_of
from rollwright.kit.card.drafts import Asked
from rollwright.kit.card.parts import (
    TONES,
    Assignment,
    Draft,
    Ladder,
    Lies,
    Look,
    Marks,
    Member,
    Offer,
    Price,
    RollCard,
    Starter,
    Sum,
    Text,
    Theme,
    Tone,
    Trial,
    Verdict,
)
from rollwright.kit.controls import Control, fields_form, fresh
from rollwright.kit.fields import Value, fields_of
from rollwright.kit.widgets import Widget, fields_sheet
from rollwright.kit.words import format_effect, format_option, outcome_fields, question, retold
from rollwright.ranks import Ranked

if TYPE_CHECKING:
    from rollwright.engine.transcript import Transcript
    from rollwright.kit.games import Effect, Game
    from rollwright.kit.requests import Request

LONGEST_TITLE, MOST_NAMED = 100, 3


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
        """Return the presentation of a kind of roll."""
        return self.rolls.get(name, RollCard())

    # The roll's subject

    def title(self, request: Request) -> Text:
        """Return the title of a roll: "Skill roll: recon"."""
        names = [
            self.game.words.name(str(getattr(request, name)))
            for name, about in fields_of(type(request)).items()
            if (about.kind == "text" or name.endswith("_name")) and getattr(request, name)
        ]
        kind = self.word(f"roll.{request.roll}", request.title)
        if not names:
            return kind
        return msg("title", roll=kind, names=row_of(names[:MOST_NAMED]))

    def knows(self, roll: str, sheet: Value) -> bool:
        """Whether a sheet has what this kind of roll is filled in from."""
        return True

    def first(self, roll: str, sheet: Value | None) -> Draft:
        """Return the draft that a roll starts with; from the `sheet` if it knows enough."""
        return Draft() if sheet else Draft(set=fresh(self.game.requests[roll]))

    def start(self, asked: Asked) -> Draft:
        """Return the draft that a roll starts with, if it depends on the people or the input.

        `asked.kept` has the accepted part of the input.
        """
        return self.first(asked.roll, asked.sheet)

    def fill(self, asked: Asked) -> Request:
        """The request that a draft makes, filled in from the sheet where there is one."""
        return asked.filled()

    def form(self, asked: Asked) -> Sequence[Control]:
        """Return the controls of a roll, for the present draft."""
        return fields_form(asked)

    def sheet(self, sheet: Any) -> Sequence[Widget]:
        """Return the widgets of a sheet, for its present values."""
        return fields_sheet(sheet, self.word)

    def shared(self, shared: Any) -> Sequence[Widget]:
        """Return the widgets of the shared sheet, for its present values."""
        return fields_sheet(shared, self.word)

    # The dice

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
        """Return the title of a die whose name in the rule is not for people."""
        return ""

    def whose(self, request: Request, transcript: Transcript) -> str:
        """Return the name of the player whose dice are due; empty for the roller."""
        return "" if self.game.whose is None else self.game.whose(request, transcript)

    def throws(self, request: Request, transcript: Transcript) -> Text:
        """Return the thrower's skill or bonus, in a few words."""
        return ""

    def sum(self, request: Request, transcript: Transcript) -> Sum | None:
        """Return the sum of the dice that were rolled, if the roll is about a sum."""
        return None

    # The effects

    def effect(self, effect: Effect) -> Text:
        """Return the description of an effect, in a few words."""
        name = f"effect.{effect.kind.replace(' ', '-')}"
        if name not in self.game.words:
            return format_effect(effect)
        amount = effect.amount if isinstance(effect.amount, int) else str(effect.amount)
        return self.game.words.msg(name, n=amount, target=effect.target)

    # The progress

    def standing(self, request: Request, transcript: Transcript) -> Text:
        """Return the status of the roll, in one line."""
        return ""

    def ask(self, request: Request, transcript: Transcript) -> Text:
        """Return the question of a choice."""
        return question(transcript.step.options)

    def offered(self, request: Request, transcript: Transcript, option: Any) -> Offer:
        """An option of a choice."""
        plain = format_option(option)
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
        """The goal that a choice is about, by name, where what the roll wants is settled."""
        return ""

    def ladder(self, request: Request, transcript: Transcript) -> Ladder | None:
        """The choice as a number on its way up, where it is about that."""
        return None

    def party(self, request: Request, transcript: Transcript) -> Sequence[Member]:
        """Everybody in a choice that is about who gives something to whom."""
        return ()

    def nothing_to_gain(self, request: Request, transcript: Transcript, goal: str) -> Any:
        """Return the option that ends it, if no other gains anything; None to ask the player.

        `goal` is the goal of the roll, by name. The roller approved this beforehand, for all who
        play for an open roll, and can take it back; it is declared, not counted.
        """
        return None

    def agreed(self, request: Request, transcript: Transcript) -> bool:
        """Whether a way to decide by name settles the choice that is open; else it is asked."""
        return True

    # The result

    def verdict(self, request: Request, outcome: Any) -> Verdict:
        """Return the verdict in a word: the outcome's own, else whether it went well."""
        for place, held in enumerate(outcome if isinstance(outcome, tuple) else ()):
            if isinstance(held, Ranked):
                name = outcome._fields[place] if hasattr(outcome, "_fields") else ""
                tone = self.outcomes.get(name, {}).get(held, tone_of(held))
                return Verdict(self.word(f"word.{held}", str(held)), tone)
        good = self.is_good(request, outcome)
        if good is None:
            value = outcome_fields(outcome).get("value")
            return Verdict("" if value is None else str(value))
        return Verdict(msg("verdict.success" if good else "verdict.failure"), _tone(good))

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
        """Return the narration so far: the game's own, else a plain one."""
        if self.game.told is not None:
            return self.game.told(request, transcript)
        return retold(transcript, self.game.words)

    # Words

    def word(self, name: str, otherwise: str) -> Text:
        """A message of the game's catalog; where it has none of that name, a text as it is."""
        return self.game.words.msg(name) if name in self.game.words else otherwise


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
