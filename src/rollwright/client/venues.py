"""The places where a bot's people roll: at their channel's table, or without a table.

Whatever is worked out is asked of a process that counts for the bot, or of the table's server.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from secrets import token_hex
from typing import Any, NamedTuple

from rollwright.client.devices import NonceSource, random_nonce
from rollwright.client.narration import TableFormatter, narrate_step
from rollwright.client.roll_view import RollMessage, RollMoment, add_advice, roll_message, try_draw
from rollwright.client.rolls import EventData, RollView
from rollwright.client.storage import Storage
from rollwright.client.tables import Table
from rollwright.errors import CodedError
from rollwright.exact import Dist
from rollwright.i18n.locale import reader_language
from rollwright.i18n.messages import msg
from rollwright.jsonable import EMPTY, JsonMapping
from rollwright.kit.card.texts import say
from rollwright.pictures import distribution, svg
from rollwright.pictures.files import pixels
from rollwright.workers.bots import BotWorker

NO_TABLE = "-"
"""The table of a roll that is at none, in what a button names."""


class BotRollSpec(NamedTuple):
    """A roll that somebody wants: dice as they are written, or a draft of a game's roll."""

    expression: str = ""
    game: str = ""
    roll: str = ""
    pick: JsonMapping = EMPTY
    set: JsonMapping = EMPTY
    private: bool = False
    where: str = ""

    @property
    def draft(self) -> dict[str, Any]:
        """The draft, as questions and tables take it."""
        return {"roll": self.roll, "pick": dict(self.pick), "set": dict(self.set)}


class ChatPerson(NamedTuple):
    """Somebody in a channel."""

    id: str
    name: str
    channel: str


class PendingRoll(NamedTuple):
    """A roll without a table that waits for a choice, as it is kept."""

    id: str
    person: str
    title: str
    private: bool
    transcript: Mapping[str, Any]


@dataclass(frozen=True)
class SoloVenue:
    """A channel without a table: dice of this machine, and choices that wait in its file."""

    person: ChatPerson
    storage: Storage
    counting: BotWorker
    numbers: NonceSource = random_nonce
    """Source of the dice."""

    def start(self, asked: BotRollSpec) -> RollMessage:
        """Make a roll."""
        about, title = self._roll_query(asked)
        made = self._answer("roll", **about, seed=self.numbers({}))
        return self._roll_message(
            made, PendingRoll(token_hex(8), self.person.id, title, asked.private, {})
        )

    def continue_roll(self, waiting: RollMoment, number: int | None) -> RollMessage:
        """Choose; only the roller may, and only once."""
        kept = self.storage.find("roll", waiting.roll)
        if kept and PendingRoll(*kept).person != self.person.id:
            raise CodedError("forbidden", msg("bot.not_yours"))
        is_due = kept and len(PendingRoll(*kept).transcript["answers"]) == waiting.moment
        if not is_due or number is None:  # no dice are waited for here
            raise CodedError("conflict", msg("bot.over"))
        about = {"transcript": PendingRoll(*kept).transcript, "number": number}
        made = self._answer("roll", **about, seed=self.numbers({}))
        if not self.storage.remove("roll", waiting.roll):
            raise CodedError("conflict", msg("bot.over"))
        return self._roll_message(made, PendingRoll(*kept))

    def pending(self) -> RollMessage:
        """Return the choice that waits for this person."""
        kept = self.storage.newest("roll", self._owner)
        if not kept:
            raise CodedError("not_found", msg("bot.nothing"))
        made = self._answer("roll", transcript=PendingRoll(*kept).transcript)
        return self._roll_message(made, PendingRoll(*kept))

    def chance(self, asked: BotRollSpec) -> Mapping[str, Any]:
        """Return the chance of a roll before it is made."""
        return self._answer("preview", **self._roll_query(asked)[0], **_preview_parts(asked))

    def picks(self, game: str, roll: str) -> Iterator[tuple[str, str]]:
        """Nobody has a sheet here."""
        return iter(())

    @property
    def _owner(self) -> str:
        return f"{self.person.channel} {self.person.id}"

    def _roll_message(self, made: Mapping[str, Any], kept: PendingRoll) -> RollMessage:
        transcript, step = made["transcript"], made["step"]
        if step["step"] == "choice":
            self.storage.put("roll", kept.id, kept._replace(transcript=transcript), self._owner)
        waiting = RollMoment(NO_TABLE, kept.id, len(transcript["answers"]))
        advise = partial(self._answer, "advise", transcript=transcript)
        weighed = add_advice(narrate_step(step, made["told"]), advise)
        about = {"transcript": transcript, "who": self.person.name, "light": "dark"}
        picture = try_draw(lambda: pixels(self._answer("share", **about)["svg"]))
        return RollMessage(waiting, weighed, kept.title, self.person.name, kept.private, picture)

    def _roll_query(self, asked: BotRollSpec) -> tuple[dict[str, Any], str]:
        """Return the query for a roll without a table, and its game's title for it."""
        if asked.expression:
            return {"expression": asked.expression}, asked.expression
        form = self._answer("form", game=asked.game, draft=asked.draft)
        title = say(form["title"], asked.game, reader_language())
        return {"game": asked.game, "draft": _fill_draft(asked, form)}, title

    def _answer(self, kind: str, **body: Any) -> dict[str, Any]:
        return self.counting.answer(kind, body, self.person.id)


@dataclass(frozen=True)
class TableVenue:
    """A seat at the table that a channel is bound to: one log with everybody's phones."""

    person: ChatPerson
    table: Table
    game: str

    def start(self, asked: BotRollSpec) -> RollMessage:
        """Make a roll at the table."""
        seen = "private" if asked.private else "open"
        about = self._roll_query(asked)
        ack = self.table.do("roll.start", visibility=seen, **about)
        return self.roll_message(ack.events)

    def continue_roll(self, waiting: RollMoment, number: int | None) -> RollMessage:
        """Choose or throw; the table knows who may, and whether somebody was quicker."""
        if waiting.table != self.table.id:
            raise CodedError("conflict", msg("bot.other_table"))
        about = {"roll": waiting.roll, "index": waiting.moment}
        does = "roll.throw" if number is None else "roll.choose"
        chosen = {} if number is None else {"number": number}
        return self.roll_message(self.table.do(does, **about, **chosen).events, waiting.roll)

    def pending(self) -> RollMessage:
        """Return the open roll of the person who asks, wherever it was begun."""
        mine = {self.table.seat, (self._snapshot.get("you") or {}).get("role")}
        for name, events in self._snapshot["rolls"].items():
            roll = RollView.from_events(events)
            by = roll.after.get("by") or ()
            if roll.waits_for and mine & {*([by] if isinstance(by, str) else by)}:
                return self.roll_message(events, name)
        raise CodedError("not_found", msg("bot.nothing"))

    def chance(self, asked: BotRollSpec) -> Mapping[str, Any]:
        """Return the chance of a roll before it is made, with the sheet and the house rules."""
        return self.table.preview(**self._roll_query(asked), **_preview_parts(asked))

    def picks(self, game: str, roll: str) -> Iterator[tuple[str, str]]:
        """List the things on the seat's sheet that a roll may use."""
        if game != self.game:
            return iter(())
        form = self.table.form(draft={"roll": roll}, sheet=self.table.seat)["form"]
        return self._formatter(True).picks(form)

    def _roll_query(self, asked: BotRollSpec) -> dict[str, Any]:
        """Return the query for a roll, with the seat's own sheet if there is one."""
        if asked.expression:
            return {"expression": asked.expression}
        if asked.game != self.game:
            raise CodedError("conflict", msg("bot.other_game", game=self.game or "–"))
        mine = any(one["sheet"] == self.table.seat for one in self._snapshot["sheets"])
        sheet = {"sheet": self.table.seat} if mine else {}
        return {"draft": _fill_draft(asked, self.table.form(draft=asked.draft, **sheet)), **sheet}

    @cached_property
    def _snapshot(self) -> dict[str, Any]:
        return self.table.snapshot(recent=0)

    def _formatter(self, own: bool) -> TableFormatter:
        return TableFormatter(self._snapshot, reader_language(), own=own)

    def roll_message(self, events: Sequence[EventData], name: str = "") -> RollMessage:
        """Return a roll as it is after some events."""
        found = roll_message(self.table, self._formatter, events, name)
        return found if found.who else replace(found, who=self.person.name)


def distribution_picture(dice: str, counting: BotWorker, person: ChatPerson) -> bytes:
    """A picture of what dice come to, for somebody who asked."""
    counted = partial(counting.answer, "odds", {"expression": dice}, person.id)
    return try_draw(lambda: pixels(svg(distribution(Dist.from_json(counted()), dice))))


def _fill_draft(asked: BotRollSpec, form: Mapping[str, Any]) -> Mapping[str, Any]:
    """The draft with what its form starts with; as it was asked where it cannot be rolled."""
    return form["draft"] if form["can"] else asked.draft


def _preview_parts(asked: BotRollSpec) -> dict[str, Any]:
    return {"parts": ["odds"], **({"where": asked.where} if asked.where else {})}
