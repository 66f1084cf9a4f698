"""The places where a bot's people roll: at their channel's table, or without a table.

Whatever is worked out is asked of a process that counts for the bot, or of the table's server.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from secrets import token_hex
from typing import Any, NamedTuple

from rollwright.client.devices import Numbers, new_number
from rollwright.client.rolls import Event, Roll
from rollwright.client.showing import Shown, Waiting, advised, drawn, shown
from rollwright.client.storage import Storage
from rollwright.client.tables import Table
from rollwright.client.telling import Voice, told
from rollwright.counting.bots import BotCounting
from rollwright.errors import Refusal
from rollwright.exact import Dist
from rollwright.kit.card.texts import say
from rollwright.pictures import distribution, svg
from rollwright.pictures.files import pixels
from rollwright.plain import EMPTY, Plain
from rollwright.words.messages import said
from rollwright.words.reader import reader_language

ALONE = "-"
"""The table of a roll that is at none, in what a button names."""


class Asked(NamedTuple):
    """A roll that somebody wants: dice as they are written, or a draft of a game's roll."""

    expression: str = ""
    game: str = ""
    roll: str = ""
    pick: Plain = EMPTY
    set: Plain = EMPTY
    private: bool = False
    where: str = ""

    @property
    def draft(self) -> dict[str, Any]:
        """The draft, as questions and tables take it."""
        return {"roll": self.roll, "pick": dict(self.pick), "set": dict(self.set)}


class Person(NamedTuple):
    """Somebody in a channel."""

    id: str
    name: str
    channel: str


class Kept(NamedTuple):
    """A roll without a table that waits for a choice, as it is kept."""

    id: str
    person: str
    title: str
    private: bool
    transcript: Mapping[str, Any]


@dataclass(frozen=True)
class Alone:
    """A channel without a table: dice of this machine, and choices that wait in its file."""

    person: Person
    storage: Storage
    counting: BotCounting
    numbers: Numbers = new_number
    """Source of the dice."""

    def start(self, asked: Asked) -> Shown:
        """Make a roll."""
        about, title = self._about(asked)
        made = self._answer("roll", **about, seed=self.numbers({}))
        return self._shown(made, Kept(token_hex(8), self.person.id, title, asked.private, {}))

    def go_on(self, waiting: Waiting, number: int | None) -> Shown:
        """Choose; only the roller may, and only once."""
        kept = self.storage.held("roll", waiting.roll)
        if kept and Kept(*kept).person != self.person.id:
            raise Refusal("forbidden", said("bot.not_yours"))
        is_due = kept and len(Kept(*kept).transcript["answers"]) == waiting.moment
        if not is_due or number is None:  # no dice are waited for here
            raise Refusal("conflict", said("bot.over"))
        about = {"transcript": Kept(*kept).transcript, "number": number}
        made = self._answer("roll", **about, seed=self.numbers({}))
        if not self.storage.drop("roll", waiting.roll):
            raise Refusal("conflict", said("bot.over"))
        return self._shown(made, Kept(*kept))

    def pending(self) -> Shown:
        """Return the choice that waits for this person."""
        kept = self.storage.newest("roll", self._owner)
        if not kept:
            raise Refusal("not_found", said("bot.nothing"))
        made = self._answer("roll", transcript=Kept(*kept).transcript)
        return self._shown(made, Kept(*kept))

    def chance(self, asked: Asked) -> Mapping[str, Any]:
        """Return the chance of a roll before it is made."""
        return self._answer("preview", **self._about(asked)[0], **_wanted(asked))

    def picks(self, game: str, roll: str) -> Iterator[tuple[str, str]]:
        """Nobody has a sheet here."""
        return iter(())

    @property
    def _owner(self) -> str:
        return f"{self.person.channel} {self.person.id}"

    def _shown(self, made: Mapping[str, Any], kept: Kept) -> Shown:
        transcript, step = made["transcript"], made["step"]
        if step["step"] == "choice":
            self.storage.keep("roll", kept.id, kept._replace(transcript=transcript), self._owner)
        waiting = Waiting(ALONE, kept.id, len(transcript["answers"]))
        advise = partial(self._answer, "advise", transcript=transcript)
        weighed = advised(told(step, made["told"]), advise)
        about = {"transcript": transcript, "who": self.person.name, "light": "dark"}
        picture = drawn(lambda: pixels(self._answer("share", **about)["svg"]))
        return Shown(waiting, weighed, kept.title, self.person.name, kept.private, picture)

    def _about(self, asked: Asked) -> tuple[dict[str, Any], str]:
        """Return the query for a roll without a table, and its game's title for it."""
        if asked.expression:
            return {"expression": asked.expression}, asked.expression
        form = self._answer("form", game=asked.game, draft=asked.draft)
        title = say(form["title"], asked.game, reader_language())
        return {"game": asked.game, "draft": _filled(asked, form)}, title

    def _answer(self, kind: str, **body: Any) -> dict[str, Any]:
        return self.counting.answer(kind, body, self.person.id)


@dataclass(frozen=True)
class AtTable:
    """A seat at the table that a channel is bound to: one log with everybody's phones."""

    person: Person
    table: Table
    game: str

    def start(self, asked: Asked) -> Shown:
        """Make a roll at the table."""
        seen = "private" if asked.private else "open"
        about = self._about(asked)
        ack = self.table.do("roll.start", visibility=seen, **about)
        return self.shown(ack.events)

    def go_on(self, waiting: Waiting, number: int | None) -> Shown:
        """Choose or throw; the table knows who may, and whether somebody was quicker."""
        if waiting.table != self.table.id:
            raise Refusal("conflict", said("bot.other_table"))
        about = {"roll": waiting.roll, "index": waiting.moment}
        does = "roll.throw" if number is None else "roll.choose"
        chosen = {} if number is None else {"number": number}
        return self.shown(self.table.do(does, **about, **chosen).events, waiting.roll)

    def pending(self) -> Shown:
        """Return the open roll of the person who asks, wherever it was begun."""
        mine = {self.table.seat, (self._looked.get("you") or {}).get("role")}
        for name, events in self._looked["rolls"].items():
            roll = Roll.read(events)
            by = roll.after.get("by") or ()
            if roll.waits_for and mine & {*([by] if isinstance(by, str) else by)}:
                return self.shown(events, name)
        raise Refusal("not_found", said("bot.nothing"))

    def chance(self, asked: Asked) -> Mapping[str, Any]:
        """Return the chance of a roll before it is made, with the sheet and the house rules."""
        return self.table.preview(**self._about(asked), **_wanted(asked))

    def picks(self, game: str, roll: str) -> Iterator[tuple[str, str]]:
        """List the things on the seat's sheet that a roll may use."""
        if game != self.game:
            return iter(())
        form = self.table.form(draft={"roll": roll}, sheet=self.table.seat)["form"]
        return self._voice(True).picks(form)

    def _about(self, asked: Asked) -> dict[str, Any]:
        """Return the query for a roll, with the seat's own sheet if there is one."""
        if asked.expression:
            return {"expression": asked.expression}
        if asked.game != self.game:
            raise Refusal("conflict", said("bot.other_game", game=self.game or "–"))
        mine = any(one["sheet"] == self.table.seat for one in self._looked["sheets"])
        sheet = {"sheet": self.table.seat} if mine else {}
        return {"draft": _filled(asked, self.table.form(draft=asked.draft, **sheet)), **sheet}

    @cached_property
    def _looked(self) -> dict[str, Any]:
        return self.table.look(recent=0)

    def _voice(self, own: bool) -> Voice:
        return Voice(self._looked, reader_language(), own=own)

    def shown(self, events: Sequence[Event], name: str = "") -> Shown:
        """Return a roll as it is after some events."""
        found = shown(self.table, self._voice, events, name)
        return found if found.who else replace(found, who=self.person.name)


def spread(dice: str, counting: BotCounting, person: Person) -> bytes:
    """A picture of what dice come to, for somebody who asked."""
    counted = partial(counting.answer, "odds", {"expression": dice}, person.id)
    return drawn(lambda: pixels(svg(distribution(Dist.from_json(counted()), dice))))


def _filled(asked: Asked, form: Mapping[str, Any]) -> Mapping[str, Any]:
    """The draft with what its form starts with; as it was asked where it cannot be rolled."""
    return form["draft"] if form["can"] else asked.draft


def _wanted(asked: Asked) -> dict[str, Any]:
    return {"parts": ["odds"], **({"where": asked.where} if asked.where else {})}
