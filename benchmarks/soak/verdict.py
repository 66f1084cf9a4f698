"""Whether anything was lost: the log, what was acknowledged, and what everybody saw must agree."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from typing import Any

from benchmarks.soak.doors import Doors, Json
from benchmarks.soak.people import Done, Person
from benchmarks.soak.tables import Table
from rollwright.table.fairness import nonce_of
from rollwright.table.verifying import verify_log

MOST_THROWS = 8
"""So many throws does a command under load lead to at most."""


async def faults_of(doors: Doors, table: Table) -> list[str]:
    """Everything that is wrong at a table after the storm; nothing, if all is well."""
    log = await exported(doors, table.id, table.referee.token)
    found = wrong_sequence(log) + wrong_commands(table, log) + wrong_chain(log)
    for person in table.people:
        found += await wrong_sight(doors, person, len(log["events"]))
    return [f"{table.id}: {fault}" for fault in found]


async def exported(doors: Doors, table: str, token: str) -> Json:
    """The log as somebody may see it."""
    found: Json = await doors.ask_on("GET", f"/tables/{table}/log.json", token)
    return found


async def wrong_sight(doors: Doors, person: Person, head: int) -> list[str]:
    """What somebody saw, over all reconnections, otherwise than the log tells it to them."""
    try:
        await asyncio.wait_for(person.caught_up(head), 60)
    except TimeoutError:
        return [f"{person.seat} never saw {person.last + 1}"]
    log = await exported(doors, person.table, person.token)
    differ = [event["seq"] for event in log["events"] if event != person.events.get(event["seq"])]
    found = [f"{person.seat} saw {seq} otherwise than the log tells it" for seq in differ[:3]]
    return person.faults + found + wrong_chain(log)


def wrong_sequence(log: Json) -> list[str]:
    """Gaps and doubles in the sequence."""
    seqs = [event["seq"] for event in log["events"]]
    wrong = [f"{seq} stands at {place}" for place, seq in enumerate(seqs, 1) if seq != place]
    return [f"the sequence has gaps: {wrong[:3]}"] if wrong else []


def wrong_chain(log: Json) -> list[str]:
    """What verifying the log offline finds."""
    report = verify_log(log)
    return [] if report.ok else [f"the log does not verify: {report.said()[:4]}"]


def wrong_commands(table: Table, log: Json) -> list[str]:
    """Acknowledged commands that are not in the log exactly once, and events of no command."""
    done = [done for person in table.people for done in person.done.values()]
    times = Counter(seq for one in done for seq in one.seqs)
    found = [f"{seq} was acknowledged {n} times" for seq, n in times.items() if n != 1]
    events = {event["seq"]: event for event in log["events"]}
    found += [f"{seq} was acknowledged, but is not there" for seq in times.keys() - events.keys()]
    nobodys = events.keys() - times.keys() - set(range(table.begun + 1))
    found += [f"{seq} belongs to no command that was acknowledged" for seq in sorted(nobodys)]
    often = Counter(mark for event in log["events"] for mark in marks_in(event))
    found += [f"{mark} happened {n} times" for mark, n in often.items() if n != 1]
    return found or [fault for one in done for fault in wrong_events(one, events)]


def wrong_events(done: Done, events: dict[int, Json]) -> list[str]:
    """An acknowledged command whose events are not its own."""
    marks = {mark for seq in done.seqs for mark in marks_in(events[seq])}
    rolls = {events[seq]["body"].get("roll") for seq in done.seqs} - {None}
    command = done.command
    own = marks <= own_marks(command) and rolls <= {command.get("roll", *rolls)}
    if own and (marks or command["do"] in ("roll.choose", "roll.reveal", "sheet.make")):
        return []
    return [f"{command} was acknowledged as {done.ack}, but those events are not its own"]


def marks_in(event: Json) -> Iterator[str]:
    """What an event holds of the command that made it, and of no other."""
    body: dict[str, Any] = event["body"]
    if fair := body.get("fair"):
        yield fair["nonce"]
    yield from [sealed["text"] for sealed in event.get("texts", {}).values() if "to" in body]
    if body.get("cause", {}).get("hand"):
        yield from [change["after"] for change in body["changes"].values()]


def own_marks(command: Json) -> set[str]:
    """What the events of a command may hold of it."""
    nonce = bytes.fromhex(command.get("nonce", ""))
    nonces = {nonce_of(nonce, throw).hex() for throw in range(MOST_THROWS)}
    return nonces | {command.get("text", "")} | set(command.get("values", {}).values())
