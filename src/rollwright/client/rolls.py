"""What a client is told about a command and about a roll."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, NotRequired, TypedDict

from rollwright.dice import Face
from rollwright.errors import RollwrightError
from rollwright.table.fairness import nonce_of


class Event(TypedDict):
    """One event of a log, as its seat sees it; without a body where that is not ours to see."""

    seq: int
    hash: str
    kind: str
    at: int
    open: dict[str, Any]
    body: NotRequired[dict[str, Any]]
    texts: NotRequired[dict[str, dict[str, str]]]
    offers: NotRequired[dict[str, Any]]
    """What may be chosen, while that is open; it is no part of the log."""


class Ack(NamedTuple):
    """A command that is committed, and what it led to as its seat sees it."""

    id: str
    first: int | None
    last: int | None
    events: tuple[Event, ...]

    @classmethod
    def read(cls, plain: dict[str, Any]) -> Ack:
        """The acknowledgement in an answer."""
        return cls(plain["id"], plain["first"], plain["last"], tuple(plain.get("events", ())))


class Roll(NamedTuple):
    """A roll at a table, as far as its seat may see it."""

    id: str
    after: dict[str, Any]
    """What the table says it waits for, or what it came to; empty where it is not for us.

    Where only its last step is secret, no more than `step` and `by`.
    """
    faces: tuple[tuple[Face, ...], ...] = ()
    """The faces of each throw of the last command."""

    @property
    def waits_for(self) -> str:
        """`throw`, `choice`, or nothing where it has ended or is not ours to see."""
        step = str(self.after.get("step", ""))
        return "" if step in ("done", "stopped") else step

    @property
    def is_done(self) -> bool:
        """Whether it has come to its outcome."""
        return self.after.get("step") == "done"

    @property
    def options(self) -> tuple[object, ...]:
        """What can be chosen, as it is sent: of very many options, the first ones."""
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
    def told(self) -> str:
        """What happened, in a sentence."""
        return str(self.after.get("told", ""))

    @classmethod
    def read(cls, events: Iterable[Event], name: str = "") -> Roll:
        """The roll that some events are about, where it stands after them."""
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
        return cls(name, after, tuple(faces))


MOST_KEPT = 10_000


class Unfair(RollwrightError):
    """A throw of ours that the server did not make with our random number."""

    def __init__(self, event: Event, why: str) -> None:
        self.seq = int(event["seq"])
        """The event that says so."""
        self.roll = str((event.get("body") or {}).get("roll", ""))
        super().__init__(f"event {self.seq}: {why}")


class OwnNonces:
    """What the throws that we have asked for must be made with, by the events that tell them."""

    def __init__(self) -> None:
        self._due: dict[str, str] = {}
        """By the hashes of events: after a restore, others may stand in their places."""

    def expect(self, command: Mapping[str, object], ack: Ack) -> None:
        """Take note of a command's throws, and check those that we see; raises Unfair."""
        nonce = bytes.fromhex(str(command.get("nonce") or ""))
        first, last = ack.first or 0, ack.last or 0
        made = [event for event in ack.events if first <= event["seq"] <= last]
        throws = [event for event in made if "number" in event["open"]]
        for place, event in enumerate(throws):
            self._due[event["hash"]] = nonce_of(nonce, place).hex()
        while len(self._due) > MOST_KEPT:
            del self._due[next(iter(self._due))]
        if command["do"] != "roll.enter":
            _check_typed(made)
        self.check(made)

    def check(self, events: Iterable[Event]) -> None:
        """Check those of some events that tell throws of ours; raises Unfair."""
        for event in events:
            fair = (event.get("body") or {}).get("fair")
            due = self._due.get(event["hash"])
            if fair is not None and due is not None and fair["nonce"] != due:
                raise Unfair(event, "the throw was made with another random number than ours")


def _check_typed(events: Iterable[Event]) -> None:
    for event in events:
        body = event.get("body") or {}
        if body.get("how") == "typed" and body["faces"]:
            raise Unfair(event, "faces were written down as typed in, and we typed none")
