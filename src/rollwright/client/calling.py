"""The requests behind one command, written once for blocking and for async clients.

Each function is a generator: it gives a request or a pause, and is sent the answer.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, NamedTuple, TypeVar

from rollwright.client.devices import Device
from rollwright.client.http import Refused, new_id
from rollwright.client.rolls import Ack, Roll
from rollwright.words.messages import said

PAGE = 500
PAUSE = 0.1
LONGEST_WAIT = 15.0
"""Seconds that dice are waited for which wait for witnesses."""
NOT_YET = ("too_many", "unavailable")
"""Why a command was not looked at: it may be sent again."""
Data = dict[str, Any]
T = TypeVar("T")


class Request(NamedTuple):
    """Something to be asked about a table."""

    method: str
    path: str
    body: Mapping[str, Any] | None = None
    query: Mapping[str, int] | None = None


class Pause(NamedTuple):
    """Seconds to wait."""

    seconds: float


Steps = Generator[Request | Pause, Data, T]


def commanding(command: Data) -> Steps[Ack]:
    """A command that is sent as it is."""
    ack = Ack.read((yield Request("POST", "/commands", command)))
    return (yield from settling(ack))


def signing(device: Device, command: Data) -> Steps[Ack]:
    """Send a command that a device signs, once it is stored in what the device remembers."""
    yield from catching_up(device)
    if not device.id:  # our key was left out or replaced: unsigned, all would rest on the host
        message = str(said("table.call.unsigned"))
        raise Refused(409, {"code": "unsigned", "message": message})
    wire = device.sign(command)
    try:
        plain = yield Request("POST", "/commands", wire)
    except Refused as problem:
        if problem.code not in NOT_YET and problem.status < 500:
            device.answered(wire["id"])
        raise
    ack = Ack.read(plain)
    try:
        device.take([event for event in ack.events if (ack.first or 0) <= event["seq"]])
        device.expect(wire, ack)
    finally:
        device.answered(wire["id"])
    return ack


def catching_up(device: Device) -> Steps[None]:
    """Read the log up to now: a call names the last event that its device has seen.

    Raises Unfair once where what we saw is no longer there; then the log is taken as it is.
    """
    device.recall()
    seq, hash = device.seen
    if not seq:
        device.look((yield looking()))
        return
    page = yield reading(seq - 1)
    before = [event for event in page["events"] if event["seq"] == seq]
    if [hash] != [event["hash"] for event in before]:
        raise device.begin_anew((yield looking()))
    if device.standing.seq != seq:  # it comes from a file, or read on elsewhere
        device.look((yield looking()))
        return
    while True:
        fresh = [event for event in page["events"] if event["seq"] > device.standing.seq]
        device.take(page["events"])
        if not fresh or device.standing.seq >= page["head"]:
            return
        page = yield reading(device.standing.seq)


def looking() -> Request:
    """The table as it is now."""
    return Request("GET", "", None, {"recent": 0})


def reading(after: int) -> Request:
    """The log behind an event."""
    return Request("GET", "/events", None, {"after": after, "limit": PAGE})


def settling(ack: Ack) -> Steps[Ack]:
    """The acknowledgement with the dice that waited for a witness."""
    roll, waited = Roll.read(ack.events), 0.0
    events, last = ack.events, ack.last or 0
    while roll.after.get("witness") and waited < LONGEST_WAIT:
        yield Pause(PAUSE)
        waited += PAUSE
        page = yield reading(last)
        fresh = [event for event in page["events"] if event["seq"] > last]
        last = max([last, *(event["seq"] for event in fresh)])
        ours = [one for one in fresh if (one.get("body") or one["open"]).get("roll") == roll.id]
        events = (*events, *ours)
        roll = Roll.read(events, roll.id)
    return ack._replace(events=events)


def attending(device: Device, want: int) -> Steps[None]:
    """Keep so many numbers ready, and open those that dice wait for."""
    yield from catching_up(device)
    commands: list[Data] = device.opening()
    if want and device.standing.witnesses:
        commands.append({"do": "witness.offer", "commitments": device.offer(want)})
    for command in commands:
        try:
            yield from signing(device, {"id": new_id(), **command})
        except Refused:
            continue  # somebody was quicker, or we were too late
