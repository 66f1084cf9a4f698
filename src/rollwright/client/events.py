"""Events of a table as typed values, for programs that follow what happens.

for event in table.watch():
    match happening(event):
        case Said(by, text):
            print(by, text)
        case RollEnded(roll):
            print(roll.told)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.client.rolls import EventData, RollView, text_formatter
from rollwright.dice import Face
from rollwright.table.events import true_kind

if TYPE_CHECKING:
    from rollwright.client.narration import TableFormatter

ENDED = ("done", "stopped")


class ChatSent(NamedTuple):
    """Somebody said something."""

    by: str
    text: str


class SeatJoined(NamedTuple):
    """Somebody sat down, or knocks."""

    seat: str
    name: str
    role: str
    status: str


class SeatRenamed(NamedTuple):
    """Somebody is called otherwise."""

    seat: str
    name: str


class SeatLeft(NamedTuple):
    """Somebody was removed, or left."""

    seat: str


class RollStarted(NamedTuple):
    """A roll began; it includes what the roll waits for."""

    roll: RollView
    by: str
    title: str
    """The subject of the roll."""


class DiceThrown(NamedTuple):
    """Dice were thrown, or typed."""

    roll: RollView
    by: str
    dice: tuple[str, ...]
    faces: tuple[Face, ...]
    typed: bool


class OptionChosen(NamedTuple):
    """Somebody chose."""

    roll: RollView
    by: str
    option: object


class RollEnded(NamedTuple):
    """A roll came to its outcome, or its rule could not go on. It follows the last throw or choice
    in the same event: a program that only shows results needs no other.
    """

    roll: RollView
    by: str


class HiddenEvent(NamedTuple):
    """Something that is not ours to see."""

    kind: str


class OtherEvent(NamedTuple):
    """Anything else, by its kind."""

    kind: str
    body: Mapping[str, Any]


TypedEvent = (
    ChatSent
    | SeatJoined
    | SeatRenamed
    | SeatLeft
    | RollStarted
    | DiceThrown
    | OptionChosen
    | RollEnded
    | HiddenEvent
    | OtherEvent
)


def parse_event(event: EventData, voice: TableFormatter | None = None) -> TypedEvent:
    """Return an event as a typed value: the end of a roll if it ends one, else the act.

    The narration of rolls is in the words of `voice`: in its language, with the names of people.
    """
    body = event.get("body")
    if body is None:
        return HiddenEvent(event["kind"])
    kind = true_kind(event["kind"], body)
    if kind.startswith("roll.") and "after" in body:
        return _of_roll(event, kind, body, voice)
    return _of_people(event, kind, body)


def _of_people(event: EventData, kind: str, body: Mapping[str, Any]) -> TypedEvent:
    if kind == "chat.sent":
        return ChatSent(body["by"], text_in(event, body.get("text")))
    if kind == "seat.joined":
        name = text_in(event, body.get("name"))
        return SeatJoined(body["seat"], name, body["role"], body["status"])
    if kind == "seat.renamed":
        return SeatRenamed(body["seat"], text_in(event, body.get("name")))
    return SeatLeft(body["seat"]) if kind == "seat.removed" else OtherEvent(kind, body)


def _of_roll(
    event: EventData, kind: str, body: Mapping[str, Any], voice: TableFormatter | None
) -> TypedEvent:
    say = None if voice is None else voice.format_text
    roll, by = RollView.from_events([event], str(body["roll"]), say), str(body["by"])
    if roll.after.get("step") in ENDED:
        return RollEnded(roll, by)
    if kind == "roll.started":
        game = (body["what"].get("request") or {}).get("game", "")
        return RollStarted(roll, by, (say or text_formatter(game))(body["title"]))
    if kind == "roll.thrown":
        return DiceThrown(roll, by, tuple(body["dice"]), roll.faces[0], body["how"] == "typed")
    return (
        OptionChosen(roll, by, body["option"]) if kind == "roll.chosen" else OtherEvent(kind, body)
    )


def text_in(event: EventData, sealed: Mapping[str, str] | None) -> str:
    """A text of an event, such as a name; empty where there is none, or none any more."""
    held = None if sealed is None else (event.get("texts") or {}).get(sealed["text"])
    return "" if held is None else str(held["text"])
