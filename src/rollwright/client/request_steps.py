"""The requests behind one command, written once for blocking and for async clients.

Each function is a generator: it gives a request or a pause, and is sent the answer.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, NamedTuple, TypeVar

from rollwright.client.devices import SigningDevice
from rollwright.client.http import ServerError, new_id
from rollwright.client.rolls import Ack, RollView
from rollwright.i18n.messages import msg

PAGE = 500
PAUSE = 0.1
LONGEST_WAIT = 15.0
"""Seconds that dice are waited for which wait for witnesses."""
NOT_YET = ("too_many", "unavailable")
"""Why a command was not looked at: it may be sent again."""
Data = dict[str, Any]
T = TypeVar("T")


class TableRequest(NamedTuple):
    """Something to be asked about a table."""

    method: str
    path: str
    body: Mapping[str, Any] | None = None
    query: Mapping[str, int] | None = None


class Pause(NamedTuple):
    """Seconds to wait."""

    seconds: float


Steps = Generator[TableRequest | Pause, Data, T]


def send_command(command: Data) -> Steps[Ack]:
    """A command that is sent as it is."""
    ack = Ack.from_json((yield TableRequest("POST", "/commands", command)))
    return (yield from wait_for_dice(ack))


def sign_and_send(device: SigningDevice, command: Data) -> Steps[Ack]:
    """Send a command that a device signs, once it is stored in what the device remembers."""
    yield from catch_up(device)
    if not device.id:  # our key was left out or replaced: unsigned, all would rest on the host
        message = str(msg("table.call.unsigned"))
        raise ServerError(409, {"code": "unsigned", "message": message})
    wire = device.sign(command)
    try:
        plain = yield TableRequest("POST", "/commands", wire)
    except ServerError as problem:
        if problem.code not in NOT_YET and problem.status < 500:
            device.finish(wire["id"])
        raise
    ack = Ack.from_json(plain)
    try:
        device.apply_events([event for event in ack.events if (ack.first or 0) <= event["seq"]])
        device.expect(wire, ack)
    finally:
        device.finish(wire["id"])
    return ack


def catch_up(device: SigningDevice) -> Steps[None]:
    """Read the log up to now: a call names the last event that its device has seen.

    Raises Unfair once where what we saw is no longer there; then the log is taken as it is.
    """
    device.reload()
    seq, hash = device.seen
    if not seq:
        device.start_from((yield snapshot_request()))
        return
    page = yield log_request(seq - 1)
    before = [event for event in page["events"] if event["seq"] == seq]
    if [hash] != [event["hash"] for event in before]:
        raise device.restart_from((yield snapshot_request()))
    if device.log.seq != seq:  # it comes from a file, or read on elsewhere
        device.start_from((yield snapshot_request()))
        return
    while True:
        fresh = [event for event in page["events"] if event["seq"] > device.log.seq]
        device.apply_events(page["events"])
        if not fresh or device.log.seq >= page["head"]:
            return
        page = yield log_request(device.log.seq)


def snapshot_request() -> TableRequest:
    """The table as it is now."""
    return TableRequest("GET", "", None, {"recent": 0})


def log_request(after: int) -> TableRequest:
    """The log behind an event."""
    return TableRequest("GET", "/events", None, {"after": after, "limit": PAGE})


def wait_for_dice(ack: Ack) -> Steps[Ack]:
    """The acknowledgement with the dice that waited for a witness."""
    roll, waited = RollView.from_events(ack.events), 0.0
    events, last = ack.events, ack.last or 0
    while roll.after.get("witness") and waited < LONGEST_WAIT:
        yield Pause(PAUSE)
        waited += PAUSE
        page = yield log_request(last)
        fresh = [event for event in page["events"] if event["seq"] > last]
        last = max([last, *(event["seq"] for event in fresh)])
        ours = [one for one in fresh if (one.get("body") or one["open"]).get("roll") == roll.id]
        events = (*events, *ours)
        roll = RollView.from_events(events, roll.id)
    return ack._replace(events=events)


def attend_as_witness(device: SigningDevice, want: int) -> Steps[None]:
    """Keep so many numbers ready, and open those that dice wait for."""
    yield from catch_up(device)
    commands: list[Data] = device.reveal_commands()
    if want and device.log.witnesses:
        commands.append({"do": "witness.commit", "commitments": device.new_commitments(want)})
    for command in commands:
        try:
            yield from sign_and_send(device, {"id": new_id(), **command})
        except ServerError:
            continue  # somebody was quicker, or we were too late
