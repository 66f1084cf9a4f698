"""The rolls of a log gathered for telling: what was asked, thrown, chosen, and what came of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from rollwright.hooks import Text, text_to_json
from rollwright.i18n.locale import ENGLISH, in_words, reader_language
from rollwright.jsonable import Json
from rollwright.kit.card.texts import say
from rollwright.kit.games import find_game, list_games
from rollwright.kit.shared import TABLE
from rollwright.table.events import OPEN, PublicPart, true_kind
from rollwright.table.history.lost_commands import LostCommand
from rollwright.table.schemas import EndStepData, KnownEvent, NextStep, ResolvedRoll, SealedText

EFFECT_KINDS = ("roll.revealed", "roll.applied", "roll.declined")
"""Kinds of events after which effects wait no more."""


OVER = ("roll.cancelled", "roll.undone")
"""Kinds of events after which a roll does not count."""
ENDED = ("done", "stopped")
"""Steps at which a roll waits for nothing more."""
GONE = ("dropped", "again")
"""How dice lie that do not count, or were taken up."""


@dataclass(slots=True)
class ThrowRecord:
    """Faces that were thrown, each with the name of its die."""

    dice: list[str]
    faces: list[Json]
    how: str
    index: int
    """How many throws and choices came before."""
    lies: Mapping[str, str]
    """How all dice so far lie, by entry and place, where the game says it."""


class ChoiceRecord(NamedTuple):
    """Something that was chosen."""

    said: Text
    assigned: bool = False
    """Whether tokens were handed out by it, which says more of that roll than of a habit."""


@dataclass(slots=True)
class RollRecord:
    """A roll as far as the viewer may know it."""

    seq: int
    at: int
    session: int
    id: str = ""
    by: str = ""
    title: Text = ""
    what: ResolvedRoll | None = None
    """None where that is secret."""
    sheet: str = ""
    visibility: str = "open"
    note: str = ""
    status: str = "open"
    """open, done, cancelled, undone, or secret where no more than that is known."""
    steps: list[ThrowRecord | ChoiceRecord] = field(default_factory=list)
    """Throws, and what was chosen in between."""
    end: EndStepData | None = None
    """Its end, if it has one."""
    stopped: Text = ""
    """Why its rule could not go on."""
    assigns: bool = False
    """Whether the choice that is waited for hands tokens out."""
    decided: dict[str, tuple[str, str]] = field(default_factory=dict)
    """For each sheet on which something waited, what was done with it and by whom."""
    again: str = ""
    """The roll that is rolled again by it."""
    dice_seen: bool = False
    """Whether dice were shown at any time, to those who may see them."""
    is_open: bool = True
    """Whether nobody has ended it."""
    is_silent: bool = False
    """Whether nobody else heard of it."""
    shown_at: int = 0
    """The event by which it was secret no more; 0 where there is none."""
    unshown: int = 0
    """How many more rolls of the roller nobody had heard of by then."""

    @property
    def is_given_up(self) -> bool:
        """Whether somebody let it go; a rule that could not go on is nobody's doing."""
        return self.status == "cancelled" and not self.stopped

    @property
    def stayed_secret(self) -> bool:
        """Whether everybody heard of it and nobody was shown it."""
        return self.visibility != OPEN and not self.shown_at and not self.is_silent

    @property
    def throws(self) -> list[ThrowRecord]:
        """The throws alone."""
        return [step for step in self.steps if isinstance(step, ThrowRecord)]

    @property
    def final_dice(self) -> list[tuple[str, Json]]:
        """The dice that are shown in the end and count, each by its name with its face."""
        lies = next((throw.lies for throw in reversed(self.throws) if throw.lies), {})
        return [
            (die, face)
            for throw in self.throws
            for place, (die, face) in enumerate(zip(throw.dice, throw.faces, strict=True))
            if lies.get(f"{throw.index}.{place}") not in GONE
        ]

    @property
    def choices(self) -> list[Text]:
        """The texts of the choices."""
        return [step.said for step in self.steps if isinstance(step, ChoiceRecord)]

    @property
    def how(self) -> str:
        """How its faces came about: fair, typed, or both."""
        return " and ".join(sorted({throw.how for throw in self.throws}))

    def add_event(self, kind: str, body: Mapping[str, Any]) -> None:
        """Take one more event of the roll in."""
        if kind == "roll.thrown":
            self.dice_seen = self.dice_seen or bool(body["faces"])
            place, lies = body["index"], body.get("lies", {})
            self.steps.append(ThrowRecord(body["dice"], body["faces"], body["how"], place, lies))
        elif kind == "roll.chosen":
            self.steps.append(ChoiceRecord(body["said"], self.assigns))
        elif kind == "roll.taken_back" and self.steps:
            self.steps.pop()
        elif kind in EFFECT_KINDS:
            self.decided |= dict.fromkeys(body.get("sheets", ()), (kind, body["by"]))
        elif kind in OVER:
            self.status, self.is_open = kind.removeprefix("roll."), False
        after: NextStep | None = body.get("after")
        if after:
            self.assigns = "assign" in after
            self.is_open = after["step"] not in ENDED
        if after and after["step"] == "done":
            self.status, self.end = "done", after
        elif after and after["step"] == "stopped":
            self.status, self.stopped = "cancelled", after["why"]

    def add_hidden_event(self, kind: str, shown: PublicPart) -> None:
        """Take one more event in of which only that is known."""
        if kind == "roll.thrown":
            self.dice_seen = True
        elif kind in OVER:
            self.status, self.is_open = kind.removeprefix("roll."), False
        if "after" in shown:
            self.is_open = shown["after"]["step"] not in ENDED


def rolls_of(events: Iterable[KnownEvent]) -> dict[int, RollRecord]:
    """The rolls by the event in which each began, those included that are only announced."""
    told: dict[int, RollRecord] = {}
    named: dict[str, RollRecord] = {}
    session = 1
    for event in events:
        kind, body = kind_of(event), event.get("body")
        if kind == "session.ended" and body:
            session = body["number"] + 1
        elif kind == "roll.started":
            roll = told[event["seq"]] = _start_of(event, session)
            named[roll.id] = roll
        elif kind.startswith("roll."):
            known = named.get((body or event["open"]).get("roll", ""))
            if known is not None and body:
                known.add_event(kind, body)
                if kind == "roll.revealed":
                    known.shown_at, known.unshown = event["seq"], body.get("unshown", 0)
            elif known is not None:
                known.add_hidden_event(kind, event["open"])
    return told


def _start_of(event: KnownEvent, session: int) -> RollRecord:
    body, seq, at = event.get("body"), event["seq"], event["at"]
    if not body:
        shown = event["open"]
        name, by, visibility = (str(shown.get(key, "")) for key in ("roll", "by", "visibility"))
        roll = RollRecord(seq, at, session, name, by, visibility=visibility, status="secret")
        roll.is_open = False  # as far as nothing says that it waits
        roll.add_hidden_event("roll.started", shown)
        return roll
    roll = RollRecord(seq, at, session, body["roll"], body["by"], body["title"], body["what"])
    roll.sheet, roll.visibility = body["sheet"] or "", body["visibility"]
    roll.note = text_of(event, body.get("note"))
    roll.again = body.get("again", "")
    roll.is_silent = not body["announce"]
    roll.add_event("roll.started", body)
    return roll


class UnfinishedCounts(NamedTuple):
    """How many rolls and calls of somebody came to nothing, or were chosen from."""

    rolls: int = 0
    """Given up before their end."""
    after_dice: int = 0
    """How many of them after dice had been seen."""
    again: int = 0
    """Begun as another roll once more."""
    undone: int = 0
    """Taken back by a referee."""
    refused: int = 0
    """Calls that the table refused."""
    unanswered: int = 0
    """Calls that the table never answered."""
    open: int = 0
    """Left open: nobody has ended them."""
    open_after_dice: int = 0
    """How many of them with dice that had been seen."""
    secret: int = 0
    """Secret rolls that were not shown, where others of theirs were."""

    def plus_roll(self, roll: RollRecord) -> UnfinishedCounts:
        """The same with one roll more."""
        given_up = roll.is_given_up
        return self._replace(
            rolls=self.rolls + given_up,
            after_dice=self.after_dice + (given_up and roll.dice_seen),
            again=self.again + bool(roll.again),
            undone=self.undone + (roll.status == "undone"),
            open=self.open + roll.is_open,
            open_after_dice=self.open_after_dice + (roll.is_open and roll.dice_seen),
        )

    def plus_command(self, call: LostCommand) -> UnfinishedCounts:
        """Add one call more that came to nothing."""
        return self._replace(
            refused=self.refused + call.is_refused, unanswered=self.unanswered + call.unanswered
        )

    @property
    def text(self) -> str:
        """All of it in words; nothing where there is nothing."""
        gone = "given_up.seen" if self.after_dice else "given_up"
        left = "left_open.seen" if self.open_after_dice else "left_open"
        parts = [
            (gone, self.rolls, self.after_dice),
            (left, self.open, self.open_after_dice),
            ("given_up.again", self.again, 0),
            ("given_up.undone", self.undone, 0),
            ("given_up.secret", self.secret, 0),
            ("given_up.refused", self.refused, 0),
            ("given_up.unanswered", self.unanswered, 0),
        ]
        return " · ".join(in_words(id, n=n, seen=seen) for id, n, seen in parts if n)


def unfinished_by_seat(
    rolls: Iterable[RollRecord], calls: Iterable[LostCommand]
) -> dict[str, UnfinishedCounts]:
    """Return whose rolls and calls came to nothing, or were chosen from; nobody else is named.

    A secret roll counts as far as the viewer knows of it.
    """
    found: dict[str, UnfinishedCounts] = {}
    of: dict[str, list[RollRecord]] = {}
    for roll in rolls:
        found[roll.by] = found.get(roll.by, UnfinishedCounts()).plus_roll(roll)
        of.setdefault(roll.by, []).append(roll)
    for call in calls:
        found[call.by] = found.get(call.by, UnfinishedCounts()).plus_command(call)
    for seat, theirs in of.items():
        found[seat] = found[seat]._replace(secret=_count_secret(theirs))
    return {seat: sums for seat, sums in found.items() if any(sums)}


def _count_secret(rolls: list[RollRecord]) -> int:
    """Return how many secret rolls somebody kept who showed others: they may have chosen.

    Of those that nobody heard of it goes by what was told when the last of them was shown, so that
    nothing is said of whoever shows none.
    """
    shown = [roll for roll in rolls if roll.shown_at]
    if not shown:
        return 0
    silent = max((roll for roll in shown if roll.is_silent), key=_reveal_seq, default=None)
    kept = sum(roll.stayed_secret for roll in rolls)
    return kept + (0 if silent is None else silent.unshown)


def _reveal_seq(roll: RollRecord) -> int:
    return roll.shown_at


def face_label(face: Json) -> str:
    """A face as JSON holds it, for people."""
    if isinstance(face, dict):
        return str(face.get("name") or next(iter(face.values()), ""))
    return "blank" if face is None else str(face)


MENTIONED = re.compile(r"@([sn]\d+)\b")


def kind_of(event: KnownEvent) -> str:
    """Return the kind of an event, as far as its viewer may know."""
    return true_kind(event["kind"], event.get("body"))


def text_of(event: KnownEvent, sealed: SealedText | None) -> str:
    """The text behind a seal; empty where there is none, or none any more."""
    held = None if sealed is None else event.get("texts", {}).get(sealed["text"])
    return "" if held is None else held["text"]


NUMBERED = re.compile(r"(?:(.+) )?[dD](\d{1,9})")
"""The name of a die with numbers: what it is for, if anything, and its sides."""


def die_label(name: str, game: str = "") -> str:
    """A die of a log in the reader's language; in English it is called as it is.

    >>> from rollwright.i18n.locale import use_locale
    >>> with use_locale("de"):
    ...     print(die_label("d10"), die_label("ammo d6", "twilight2000"), die_label("coin"))
    W10 Munitionswürfel W6 Münze
    """
    language = reader_language()
    if language == ENGLISH:
        return name
    found = NUMBERED.fullmatch(name)
    role, sides = (found[1] or "", int(found[2])) if found else (name, 0)
    looks = find_game(game).card.dice if game and role and game in list_games() else {}
    called = say(text_to_json(looks[role].label), game, language) if role in looks else ""
    if not sides:
        return called or _die(name, language)
    return " ".join(filter(None, (called or role, _die(sides, language))))


def _die(name: str | int, language: str) -> str:
    return say(["names", {"names": {"die": name}}], language=language)


class TableNames:
    """Names of everybody at a table: people by their seats, characters by their sheets."""

    def __init__(
        self,
        names: Mapping[str, str],
        title: str = "",
        game: str = "",
        language: str = "en",
        *,
        characters: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._names = dict(names)
        self._characters = dict(characters)
        self.title = title
        """The title of the table."""
        self._game = game
        self._language = language

    @classmethod
    def of(cls, events: Iterable[KnownEvent], language: str = "en") -> TableNames:
        """Return the names at the end of these events; forgotten people have none."""
        names: dict[str, str] = {}
        characters: dict[str, str] = {}
        title = game = ""
        for event in events:
            body = event.get("body")
            if not body:
                continue
            kind = kind_of(event)
            if kind in ("seat.joined", "seat.renamed"):
                names[body["seat"]] = text_of(event, body["name"])
            elif kind == "person.erased":
                names[body["seat"]] = characters[body["seat"]] = ""
            elif kind == "sheet.created":
                characters[body["sheet"]] = str(body["values"].get("name") or "")
            elif kind == "sheet.changed" and "name" in body["changes"]:
                characters[body["sheet"]] = str(body["changes"]["name"]["after"] or "")
            elif kind in ("table.created", "table.changed") and "title" in body:
                title = text_of(event, body["title"])
            game = str(body.get("game") or "") if kind == "table.created" else game
        return cls(names, title, game, language, characters=characters)

    @property
    def all(self) -> dict[str, str]:
        """Everybody who has a name, by seat or sheet: characters, or the people themselves."""
        refs = (*self._names, *(ref for ref in self._characters if ref not in self._names))
        named = {ref: self._characters.get(ref) or self._names.get(ref, "") for ref in refs}
        return {ref: name for ref, name in named.items() if name and ref != TABLE}

    def has_sheet(self, sheet: str) -> bool:
        """Check whether there is such a sheet, as far as the viewer may know."""
        return sheet in self._characters

    def name(self, seat: str) -> str:
        """Return the name of a person, or of a character that nobody plays; or "someone"."""
        if seat == TABLE:
            return say(["people.table", {}], language=self._language)
        own = "" if seat in self._names else self._characters.get(seat, "")
        found = self._names.get(seat) or own
        return found or say(["history.someone", {}], language=self._language)

    def character(self, sheet: str) -> str:
        """Return the name of a character, or of its player if it has none."""
        return self._characters.get(sheet) or self.name(sheet)

    def roller(self, roll: RollRecord) -> str:
        """Return the character that rolls, or the player if there is none."""
        return self.character(roll.sheet) if roll.sheet else self.name(roll.by)

    def format(self, text: Text) -> str:
        """A text of the game in the reader's language, with the names of people."""
        return self.fill_in(
            say(text, self._game, self._language, lambda ref: self.character(ref[1:]))
        )

    def die(self, name: str) -> str:
        """Return the reader's name for a die, which may be the game's own."""
        return die_label(name, self._game)

    def fill_in(self, text: str) -> str:
        """The text with names of characters or people in the place of @s3 and the like.

        >>> TableNames({"s3": "Ann"}).fill_in("@s3 helps @s4")
        'Ann helps someone'
        """
        return MENTIONED.sub(lambda found: self.character(found[1]), text)
