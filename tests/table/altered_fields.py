"""Honest logs with every kind of event, and each of their fields altered, one at a time."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from vectors import logs
from vectors.logs import Host, Log, fitted

from rollwright.table.events import true_kind
from tests.table.tables import SOLDIER as ARMED
from tests.table.test_letting import shoot
from tests.table.test_verifying_hidden import moments

SOLDIER = {"name": "Bo", "STR": "B", "recon": "B"}


def beside() -> Host:
    """What people do beside rolls: seats, sheets, asks, words, sessions; each in several ways."""
    host = Host("twilight2000")
    host.do("s2", "sheet.create", values=SOLDIER)
    host.do("s3", "sheet.create", values={"name": "Cy"})
    host.do("s1", "sheet.create", sheet="npc", shown=True, values={"name": "Zed"})
    host.do("s2", "sheet.change", sheet="s2", values={"recon": "A"}, why="by hand")
    changed = host.state.head
    host.do("s1", "sheet.undo", seq=changed)
    recon = {"roll": "skill", "pick": {"skill_name": "recon"}, "set": {}}
    host.do("s1", "roll_request.create", who=["s2", "s3"], draft=recon, note="Look!")
    for seat in ("s2", "s3"):
        host.do(seat, "roll.start", ask="a1", note="for luck")
        finish(host)
    host.do("s1", "roll_request.create", who="all", expression="1d20")
    host.do("s1", "roll_request.close", ask="a2")
    for _ in range(6):
        host.do("s2", "roll.start", draft=recon, sheet="s2", policy="if-failed")
        finish(host)
    host.do("s1", "roll.undo", roll=f"r{host.state.rolled}", why="no")
    host.do("s2", "roll.start", draft=recon, visibility="private")
    finish(host)
    host.do("s2", "roll.reveal", roll=f"r{host.state.rolled}")
    host.do("s3", "roll.cancel", roll=host.roll("s3", "1d6", physical=True))
    host.do("s2", "seat.rename", seat="s2", name="Bob")
    look = {"colour": "green", "symbol": "star", "dice": ""}
    host.do("s2", "seat.style", seat="s2", **look)
    host.do("s1", "seat.change_role", seat="s3", role="referee")
    host.do("s1", "link.rotate", role="player", token_hash=logs.known("link").hex())
    host.do("s1", "table.change", knock=True, title="Far away", dialect="wod")
    host.join("Di")
    host.do("s1", "seat.admit", seat="s4")
    host.do("s2", "chat.send", text="hm", to=["s3", "s1"])
    host.do("s1", "sheet.remove", sheet="n1")
    host.do("s1", "session.end")
    return host


def let() -> Host:
    """What the rolls of one would do to the sheet of another, who lets it happen or not."""
    host = Host("twilight2000")
    for seat in ("s2", "s3"):
        host.do(seat, "sheet.create", values={**ARMED, "name": seat, "hit_capacity": 4})
    for do in ("roll.apply", "roll.decline"):
        host.do("s3", do, roll=shoot(host))  # type: ignore[arg-type]
    return host


def hidden_again() -> Host:
    """A throw that is hidden from whoever goes on, who is told so."""
    *_, host = moments("chohco", keeper="s1", physical=True)
    return host


def finish(host: Host) -> None:
    """Keep what lies there, until no roll is open."""
    for going in [*host.state.going.values()]:
        while going.id in host.state.going:
            after = host.state.rolls[going.id].after
            assert after is not None
            by = after["by"][0] if after["step"] == "choice" else after["by"]
            host.do("s1" if by == "referee" else by, "roll.choose", roll=going.id, number=0)


STORIES = {
    "beside": (beside, ""),
    "let": (let, ""),
    "hidden_again": (hidden_again, ""),
    "evening": (logs.evening, ""),
    "pushed": (logs.pushed, ""),
    "hidden": (logs.hidden, "s1"),
    "witnessed": (logs.witnessed, ""),
    "each_witnessed": (logs.each_witnessed, ""),
    "keys": (logs.keys, ""),
    "secrets": (logs.secrets, "s2"),
    "moved": (logs.moved, ""),
    "left": (logs.left, ""),
}
PAIRS = ("s2 s3", "open hidden", "private blind", "player referee", "here knocking", "green blue")
PAIRS += ("star crown", "fair typed", "throw choice", "done stopped", "if-failed never", "all s2")
PAIRS += ("great awful", "good bad", "even mixed", "faces choice", "wod roll20")
OTHER = {one: two for pair in PAIRS for one, two in (pair.split(), pair.split()[::-1])}
SEALED: dict[str, Any] = {"text": "t1.0", "seal": "0" * 64}


def told() -> Iterator[tuple[str, Log]]:
    """The stories as logs."""
    for name, (make, seat) in STORIES.items():
        yield name, make().log(seat)


def fields_of(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each field of a body; lists and what is named by people count as one."""
    for name, held in value.items():
        here = (*way, name)
        if isinstance(held, dict) and held and name not in WHOLE and len(way) < 2:
            yield from fields_of(held, here)
        else:
            yield here


WHOLE = ("call", "slots", "pool", "house", "lists", "values", "roles", "draft", "changes", "named")
WHOLE += ("note", "title", "text", "name", "why", "keys", "fields", "outcome", "request", "lies")


def others(held: Any) -> Any:
    """Something else of the same type."""
    if isinstance(held, bool):
        return not held
    if isinstance(held, int):
        return held + 1
    if isinstance(held, str):
        return OTHER.get(held, f"{held}x" if held else "s3")
    if isinstance(held, list):
        return [*held[:-1], others(held[-1])] if held else ["s3"]
    if isinstance(held, dict):
        last = [*held][-1:]
        return {**held, **({last[0]: others(held[last[0]])} if last else {"s3": "s3"})}
    return SEALED


def altered(log: Log) -> Iterator[tuple[str, Log]]:
    """The log with each field of each kind of event altered once, and with it all hashes.

    It ends before the next call that anybody signs: that is of a device which has seen the log.
    """
    known = set()
    for place, event in enumerate(log["events"]):
        for part in ("open", "body"):
            for way in fields_of(event.get(part) or {}):
                body = event.get("body") or {}
                kind = true_kind(event["kind"], body)
                if not body or "seat" in body.get("call", {}):
                    kind = f"{'unsigned' if body else 'withheld'} {kind}"
                step = (body.get("after") or body.get("cause") or {}).keys()
                field = f"{kind} {part}.{'.'.join(map(str, way))}".replace(" body.", " ")
                if way[0] in ("call", "slots", "kind") or (field, *step) in known:
                    continue
                known.add((field, *step))
                yield field, forged(log, place, part, way)


def forged(log: Log, place: int, part: str, way: tuple[Any, ...]) -> Log:
    """The log with one field altered."""
    events = log["events"]
    later = range(place + 1, len(events))
    end = next((n for n in later if "slots" in events[n]["open"]), len(events))
    made: Log = copy.deepcopy({**log, "events": events[:end]})
    holder = made["events"][place][part]
    for name in way[:-1]:
        holder = holder[name]
    holder[way[-1]] = others(holder[way[-1]])
    return fitted(made)
