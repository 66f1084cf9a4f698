"""Whether anything was lost: the log, what was acknowledged, and what everybody saw must agree."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from benchmarks.soak.doors import Doors, Json
from benchmarks.soak.people import Done, Person
from benchmarks.soak.tables import Table
from rollwright.table.verify.log import verify_log


class Verdict(NamedTuple):
    """What is to be said of a table after the storm."""

    faults: list[str]
    """Everything that is wrong; nothing, if all is well."""
    log: Json
    """As the referee may see it."""
    rolls: int
    secret: int
    """Rolls that not everybody might see when they were made."""
    witnessed: int
    """Throws with the number of a witness."""


async def judged(doors: Doors, table: Table) -> Verdict:
    """Compare everything that is known of a table."""
    logs = [await exported(doors, table.id, person.token) for person in table.people]
    whole = together(logs)
    found = wrong_sequence(whole) + wrong_commands(table, whole)
    for person, log in zip(table.people, logs):
        found += await wrong_sight(person, log)
    bodies = [event["body"] for event in whole["events"]]
    begun = [body["visibility"] for body in bodies if "visibility" in body and "what" in body]
    return Verdict(
        faults=[f"{table.id}, a table of {table.game}: {fault}" for fault in found],
        log=logs[0],
        rolls=len(begun),
        secret=sum(visibility != "open" for visibility in begun),
        witnessed=sum(event["kind"] == "witness.revealed" for event in whole["events"]),
    )


async def exported(doors: Doors, table: str, token: str) -> Json:
    """The log as somebody may see it."""
    found: Json = await doors.ask_on("GET", f"/tables/{table}/log.json", token)
    return found


def together(logs: Sequence[Json]) -> Json:
    """What all people of a table know together: everything, since each secret is somebody's."""
    told = zip(*(log["events"] for log in logs), strict=True)
    return {**logs[0], "events": [max(views, key=lambda view: "body" in view) for views in told]}


async def wrong_sight(person: Person, log: Json) -> list[str]:
    """What somebody saw, over all reconnections, otherwise than the log tells it to them."""
    try:
        await asyncio.wait_for(person.caught_up(len(log["events"])), 60)
    except TimeoutError:
        return [f"{person.seat} never saw {person.last + 1}"]
    differ = [event["seq"] for event in log["events"] if event != person.events.get(event["seq"])]
    found = [f"{person.seat} saw {seq} otherwise than the log tells it" for seq in differ[:3]]
    return person.faults + found + wrong_lateness(person, log) + wrong_chain(person, log)


def wrong_lateness(person: Person, log: Json) -> list[str]:
    """Numbers of a witness that were refused as too late, although nobody had gone on without."""
    silent = {event["body"]["asked"] for event in log["events"] if event["kind"] == SILENT}
    early = [asked for asked in person.late if asked not in silent]
    return [f"the number of {person.seat} came in time for {asked}" for asked in early]


def wrong_sequence(log: Json) -> list[str]:
    """Gaps and doubles in the sequence."""
    seqs = [event["seq"] for event in log["events"]]
    wrong = [f"{seq} stands at {place}" for place, seq in enumerate(seqs, 1) if seq != place]
    return [f"the sequence has gaps: {wrong[:3]}"] if wrong else []


def wrong_chain(person: Person, log: Json) -> list[str]:
    """What verifying the log of somebody offline finds."""
    report = verify_log(log)
    who = person.seat or "a watcher"
    return [] if report.ok else [f"the log of {who} does not verify: {report.sentences()[:4]}"]


def wrong_commands(table: Table, log: Json) -> list[str]:
    """Acknowledged commands that are not in the log exactly once, and events of no command."""
    done = [done for person in table.people for done in person.done.values()]
    times = Counter(seq for one in done for seq in one.seqs)
    found = [f"{seq} was acknowledged {n} times" for seq, n in times.items() if n != 1]
    events = {event["seq"]: event for event in log["events"]}
    found += [f"{seq} was acknowledged, but is not there" for seq in times.keys() - events.keys()]
    host = events_of_host(events)
    found += [f"{seq} is the host's, but was acknowledged" for seq in sorted(host & times.keys())]
    nobodys = events.keys() - times.keys() - set(range(table.begun + 1)) - host
    found += [f"{seq} belongs to no command that was acknowledged" for seq in sorted(nobodys)]
    often = Counter(mark for event in log["events"] for mark in marks_in(event))
    found += [f"{mark} happened {n} times" for mark, n in often.items() if n != 1]
    return found or [fault for one in done for fault in wrong_events(one, events)]


SILENT = "witness.timed_out"
BY_ITSELF = ("roll.thrown", "roll.chosen", "roll.waiting", "sheet.changed")
"""Events in which a roll goes on without a command; a choice among them was agreed before."""


def events_of_host(events: dict[int, Json]) -> set[int]:
    """The events of no command: a witness was silent, and the host goes on with the roll."""
    found = set()
    for silent in [seq for seq, event in events.items() if event["kind"] == SILENT]:
        roll, seq = roll_asked_for(events, silent), silent + 1
        found.add(silent)
        while "witness" not in events[silent]["open"] and goes_on(events.get(seq), roll):
            found.add(seq)
            seq += 1
    return found


def roll_asked_for(events: dict[int, Json], seq: int) -> str:
    """The roll whose dice waited for a witness who was silent, maybe not the first of them."""
    while events[seq]["kind"] == SILENT:
        seq = events[seq]["body"]["asked"]
    return str(events[seq]["body"]["roll"])


def goes_on(event: Json | None, roll: str) -> bool:
    """Whether a roll goes on by itself in an event, or what it came to is done."""
    if event is None:
        return False
    body: Json = event["body"]
    kind = body.get("kind", event["kind"])  # a sealed event says within what it is
    is_commanded = "call" in body or (kind == "roll.chosen" and "agreed" not in body)
    its = roll in (body.get("roll"), body.get("cause", {}).get("roll"))
    return its and kind in BY_ITSELF and not is_commanded


UNMARKED = ("roll.choose", "roll.reveal", "sheet.create", "roll_request.create")
"""Commands that may come to events with nothing of their own in them."""


def wrong_events(done: Done, events: dict[int, Json]) -> list[str]:
    """An acknowledged command whose events are not its own."""
    marks = {mark for seq in done.seqs for mark in marks_in(events[seq])}
    named = [events[seq]["body"].get("roll") for seq in done.seqs]
    rolls = {name for name in named if isinstance(name, str)}  # an ask holds what is to be rolled
    command = done.command
    own = marks <= own_marks(command) and rolls <= {command.get("roll", *rolls)}
    if own and (marks or command["do"] in UNMARKED):
        return []
    return [f"{command} was acknowledged as {done.ack}, but those events are not its own"]


def marks_in(event: Json) -> Iterator[str]:
    """What an event holds of the command that made it, and of no other."""
    body: dict[str, Any] = event["body"]
    if number := body.get("call", body).get("number"):
        yield number
    yield from body.get("commitments", ())
    yield from [sealed["text"] for sealed in event.get("texts", {}).values() if "to" in body]
    if body.get("cause", {}).get("hand"):
        yield from [change["after"] for change in body["changes"].values()]


def own_marks(command: Json) -> set[str]:
    """What the events of a command may hold of it."""
    own = {command.get("nonce", ""), command.get("number", ""), *command.get("commitments", ())}
    return own | {command.get("text", ""), *command.get("values", {}).values()}
