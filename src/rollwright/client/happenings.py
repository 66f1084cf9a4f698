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

from rollwright.client.rolls import Event, Roll, saying
from rollwright.dice import Face
from rollwright.table.events import true_kind

if TYPE_CHECKING:
    from rollwright.client.telling import Voice

ENDED = ("done", "stopped")


class Said(NamedTuple):
    """Somebody said something."""

    by: str
    text: str


class Joined(NamedTuple):
    """Somebody sat down, or knocks."""

    seat: str
    name: str
    role: str
    status: str


class Renamed(NamedTuple):
    """Somebody is called otherwise."""

    seat: str
    name: str


class Left(NamedTuple):
    """Somebody was removed, or left."""

    seat: str


class RollBegan(NamedTuple):
    """A roll began; it includes what the roll waits for."""

    roll: Roll
    by: str
    title: str
    """The subject of the roll."""


class Thrown(NamedTuple):
    """Dice were thrown, or typed."""

    roll: Roll
    by: str
    dice: tuple[str, ...]
    faces: tuple[Face, ...]
    typed: bool


class Chosen(NamedTuple):
    """Somebody chose."""

    roll: Roll
    by: str
    option: object


class RollEnded(NamedTuple):
    """A roll came to its outcome, or its rule could not go on. It follows the last throw or choice
    in the same event: a program that only shows results needs no other.
    """

    roll: Roll
    by: str


class Sealed(NamedTuple):
    """Something that is not ours to see."""

    kind: str


class Other(NamedTuple):
    """Anything else, by its kind."""

    kind: str
    body: Mapping[str, Any]


Happening = (
    Said | Joined | Renamed | Left | RollBegan | Thrown | Chosen | RollEnded | Sealed | Other
)


def happening(event: Event, voice: Voice | None = None) -> Happening:
    """Return an event as a typed value: the end of a roll if it ends one, else the act.

    The narration of rolls is in the words of `voice`: in its language, with the names of people.
    """
    body = event.get("body")
    if body is None:
        return Sealed(event["kind"])
    kind = true_kind(event["kind"], body)
    if kind.startswith("roll.") and "after" in body:
        return _of_roll(event, kind, body, voice)
    return _of_people(event, kind, body)


def _of_people(event: Event, kind: str, body: Mapping[str, Any]) -> Happening:
    if kind == "said":
        return Said(body["by"], text_in(event, body.get("text")))
    if kind == "seat.joined":
        name = text_in(event, body.get("name"))
        return Joined(body["seat"], name, body["role"], body["status"])
    if kind == "seat.renamed":
        return Renamed(body["seat"], text_in(event, body.get("name")))
    return Left(body["seat"]) if kind == "seat.removed" else Other(kind, body)


def _of_roll(event: Event, kind: str, body: Mapping[str, Any], voice: Voice | None) -> Happening:
    say = None if voice is None else voice.say
    roll, by = Roll.read([event], str(body["roll"]), say), str(body["by"])
    if roll.after.get("step") in ENDED:
        return RollEnded(roll, by)
    if kind == "roll.started":
        game = (body["what"].get("request") or {}).get("game", "")
        return RollBegan(roll, by, (say or saying(game))(body["title"]))
    if kind == "roll.thrown":
        return Thrown(roll, by, tuple(body["dice"]), roll.faces[0], body["how"] == "typed")
    return Chosen(roll, by, body["option"]) if kind == "roll.chosen" else Other(kind, body)


def text_in(event: Event, sealed: Mapping[str, str] | None) -> str:
    """A text of an event, such as a name; empty where there is none, or none any more."""
    held = None if sealed is None else (event.get("texts") or {}).get(sealed["text"])
    return "" if held is None else str(held["text"])
