"""The answers that a client gets about a command and about a roll."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, NotRequired, TypedDict

from rollwright.dice import Face
from rollwright.errors import RollwrightError
from rollwright.i18n.locale import reader_language
from rollwright.i18n.messages import Message, msg
from rollwright.jsonable import json_text

MENTIONED = re.compile(r"@[sn]\d+\b")
"""Somebody at the table, by the id of their seat or their sheet."""
FormatText = Callable[[Any], str]
"""Puts a text of a table into words, which may be a message."""


class EventData(TypedDict):
    """One event of a log, as its seat sees it; without a body where that is not ours to see."""

    seq: int
    hash: str
    kind: str
    at: int
    digest: str
    open: dict[str, Any]
    body: NotRequired[dict[str, Any]]
    texts: NotRequired[dict[str, dict[str, str]]]
    offers: NotRequired[dict[str, Any]]
    """The options while a choice is open; they are no part of the log."""


class Ack(NamedTuple):
    """A command that is committed, and what it led to as its seat sees it."""

    id: str
    first: int | None
    last: int | None
    events: tuple[EventData, ...]

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> Ack:
        """The acknowledgement in an answer."""
        return cls(plain["id"], plain["first"], plain["last"], tuple(plain.get("events", ())))


class RollView(NamedTuple):
    """A roll at a table, as far as its seat may see it."""

    id: str
    after: dict[str, Any]
    """The step or the outcome in the table's words; empty if it is not for us.

    If only its last step is secret, no more than `step` and `by`.
    """
    faces: tuple[tuple[Face, ...], ...] = ()
    """The faces of each throw of the last command."""
    told: str = ""
    """The narration, in a sentence."""

    @property
    def waits_for(self) -> str:
        """`throw`, `choice`, or nothing where it has ended or is not ours to see."""
        step = str(self.after.get("step", ""))
        return "" if step in ("done", "stopped") else step

    @property
    def has_outcome(self) -> bool:
        """Whether it has come to its outcome."""
        return self.after.get("step") == "done"

    @property
    def options(self) -> tuple[object, ...]:
        """The options as they are sent; of very many, the first ones."""
        return tuple(option["option"] for option in self.after.get("options", ()))

    @property
    def option_count(self) -> int:
        """How many options there are; any of them can be chosen by its number from 0 on."""
        return int(self.after.get("count", len(self.options)))

    @property
    def outcome(self) -> dict[str, Any]:
        """The fields of the outcome by name."""
        return dict(self.after.get("fields", {}))

    @property
    def mentions(self) -> bool:
        """Whether its narration mentions somebody, whose name only the table knows."""
        return bool(MENTIONED.search(json_text(self.after.get("told"))))

    @classmethod
    def from_events(
        cls, events: Iterable[EventData], name: str = "", say: FormatText | None = None
    ) -> RollView:
        """Return the roll that some events are about, as it is after them.

        `say` puts its narration into words, as `Voice.say` does. Without it the game that its
        outcome names does, and people are called by their seats.
        """
        after: dict[str, Any] = {}
        faces = []
        for event in sorted(events, key=lambda event: int(event["seq"])):
            body, known = event.get("body") or {}, event.get("open", {})
            name = name or str(body.get("roll") or known.get("roll", ""))
            if after and not body and known.get("roll") == name:
                after = known.get("after", after)  # what we saw of it is past
            if body.get("roll") != name:
                continue
            if "after" in body:  # what may be chosen lies beside it; older logs have it inside
                after = {**body["after"], **event.get("offers", {})}
            if "faces" in body:
                faces.append(tuple(body["faces"]))
        return cls(name, after, tuple(faces)).narrate(say or text_formatter(_game_of(after)))

    def narrate(self, say: FormatText) -> RollView:
        """Return the same roll, narrated in these words."""
        text = self.after.get("told") or ""
        return self._replace(told=text if isinstance(text, str) else say(text))


def text_formatter(game: str) -> FormatText:
    """Says messages of a game without knowing its table: who is in them keeps the seat's id."""

    def format_text(text: Any) -> str:
        from rollwright.kit.card.texts import say as in_words

        return in_words(text, game, reader_language(), who=str)

    return format_text


def _game_of(after: Mapping[str, Any]) -> str:
    """The game that an outcome is of, if it says so."""
    outcome = after.get("outcome")
    named = outcome.get("type", "") if isinstance(outcome, dict) else ""
    return str(named).partition(":")[0]


class UnfairHostError(RollwrightError):
    """Something that a host does not do who is fair: it says what, and at which event."""

    def __init__(self, event: EventData, why: Message) -> None:
        self.seq = int(event["seq"])
        """The event that says so."""
        self.roll = str((event.get("body") or {}).get("roll", ""))
        self._wording = msg("client.unfair", seq=str(self.seq), why=why)
        super().__init__(str(self._wording))

    @property
    def wording(self) -> Message:
        """The message."""
        return self._wording


def check_no_typing(events: Iterable[EventData]) -> None:
    """Refuse faces that are said to be typed in, where nobody has typed any; raises Unfair."""
    for event in events:
        body = event.get("body") or {}
        if body.get("how") == "typed" and body["faces"]:
            raise UnfairHostError(event, msg("client.typed"))
