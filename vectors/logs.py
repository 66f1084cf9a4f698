"""Small logs for `fairness.json`: true ones with every value in between, and forged ones."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

from rollwright.engine.sources import Dicebox
from rollwright.engine.values import value_from_json, value_to_json
from rollwright.jsonable import canonical_json
from rollwright.table import (
    Decision,
    EraseTexts,
    Event,
    Secrets,
    TableState,
    create_table,
    decide,
    join,
    place_event,
    view_event,
)
from rollwright.table.commands.sessions import time_out_witness
from rollwright.table.events import chain_hash, digest_of, export, first_hash
from rollwright.table.fairness import call_hash, frame, slot_of
from rollwright.table.imports import rebase
from rollwright.table.rolls import FAIR
from vectors.devices import Device, offers

Log = dict[str, Any]
TABLE = "abcdefgh2345"
BEGAN = 1_789_000_000_000


def known(name: str) -> bytes:
    """32 bytes that a name settles."""
    return sha256(f"rollwright conformance {name}".encode()).digest()


class Host:
    """A table in memory: s1 is its referee, s2 and s3 play, each with a device."""

    def __init__(self, game: str = "", *, witnesses: bool = False) -> None:
        self.secret = known("host")
        self.devices: dict[str, Device] = {}
        self.events: list[Event] = []
        self.state = TableState.new(TABLE)
        self._drawn = 0
        tokens = {name: known(name).hex() for name in ("seat", "referee", "player", "spectator")}
        command = {"game": game, "name": "Ada", "title": "Zoë’s 🎲", "tokens": tokens}
        command |= {"key": self._device("s1"), "witnesses": witnesses}
        self._commit(create_table(command, table=TABLE, secret=self.secret, entropy=self._entropy))
        self.join("Bo")
        self.join("Cy")

    def _entropy(self, count: int) -> bytes:
        self._drawn += 1
        return known(f"entropy {self._drawn}")[:count]

    def _device(self, seat: str) -> str:
        self.devices[seat] = Device(f"d{len(self.state.devices) + 1}", seat)
        return self.devices[seat].key

    def join(self, name: str, *, signs: bool = True, held: str = "") -> None:
        """A player sits down, or knocks."""
        self._commit(
            join(
                self.state,
                role="player",
                name=name,
                token_hash=known(f"token {name}").hex(),
                entropy=self._entropy,
                key=self._device(f"s{len(self.state.seats) + 1}") if signs else "",
                held=held,
                secret=self.secret,
            )
        )

    def do(self, seat: str, do: str, /, **fields: Any) -> list[Event]:
        """A command, done."""
        command: dict[str, Any] = {"do": do, **fields}
        if seat in self.devices:
            command = self.devices[seat].command(self.state, seat, command)
        return self.act(seat, command)

    def act(self, seat: str, command: dict[str, Any]) -> list[Event]:
        """A command as it was sent, done."""
        secrets = Secrets(self.secret)
        return self._commit(decide(self.state, seat, command, secrets, 0, self._entropy))

    def roll(self, seat: str, expression: str, **fields: Any) -> str:
        """Roll dice; the roll by its name."""
        self.do(seat, "roll.start", expression=expression, **fields)
        return f"r{self.state.rolled}"

    def offer(self, seat: str, *names: str) -> None:
        """A seat has numbers ready as a witness."""
        self.do(seat, "witness.commit", commitments=offers(*[known(name).hex() for name in names]))

    @property
    def asked(self) -> int:
        """The event that asks a witness."""
        return max(roll.witness.asked for roll in self.state.going.values() if roll.witness)

    def open(self, seat: str, name: str) -> None:
        """A witness tells the number that is waited for."""
        self.do(seat, "witness.reveal", asked=self.asked, number=known(name).hex())

    def pass_over(self) -> None:
        """A witness is silent for too long."""
        secrets = Secrets(self.secret)
        self._commit(time_out_witness(self.state, self.asked, secrets, self._entropy))

    def move(self, secret: str, *, copied: bool = False) -> None:
        """Another host goes on, or the same one from a copy: with a secret of its own."""
        self.secret = known(secret)
        by = "" if copied else "s1"
        draft = rebase(self.state.head, self.secret, list(self.state.devices), by=by)
        self._commit(Decision((draft,)))

    def log(self, seat: str = "") -> Log:
        """The log as a seat sees it, or as everybody does."""
        viewer = self.state.seats[seat] if seat else None
        told = [view_event(event, viewer, self.state) for event in self.events]
        return copy.deepcopy(export(TABLE, told, seat) | {"rollwright": "0"})

    def _commit(self, decision: Decision) -> list[Event]:
        new = []
        for draft in decision.drafts:
            place = {"before": self.state.hash, "seq": self.state.head + 1}
            at, salt = BEGAN + 1000 * self.state.head, self._entropy(32).hex()
            body = {**draft.body, **({"rollwright": "0"} if "rollwright" in draft.body else {})}
            event = place_event(draft._replace(body=body), at=at, salt=salt, **place)
            self.state.apply(event)
            new.append(event)
        self.events += new
        for side in decision.side:
            self._beside(side)
        return new

    def _beside(self, side: Any) -> None:
        if isinstance(side, EraseTexts):
            self.events = [
                event._replace(texts={r: t for r, t in event.texts.items() if t.seat != side.seat})
                for event in self.events
            ]


def evening() -> Host:
    """Several throws of one call, dice of all shapes, a secret roll, real dice, a roll given up."""
    host = Host()
    host.roll("s2", "2d6; 1d20")
    host.roll("s2", "3d{1,1,2} + 4dF")
    host.do("s3", "chat.send", text="a line\nwith a \t and a 🎲")
    host.roll("s3", "1d20", visibility="blind")
    host.roll("s3", "40d10", note="for luck")
    real = host.roll("s2", "2d6", physical=True)
    host.do("s2", "roll.enter", roll=real, faces=[3, 4])
    host.do("s3", "roll.cancel", roll=host.roll("s3", "1d6", physical=True))
    host.roll("s2", "1d20")
    return host


def named() -> Host:
    """Dice with names, with symbols and with weights, as a game has them."""
    host = Host("kleptonomicon")
    for method in ("coin", "d10ish"):
        request = {"game": "kleptonomicon", "roll": "test", "method": method}
        host.do("s2", "roll.start", request=request)
    return host


def pushed() -> Host:
    """Choices and second throws; typed faces that are taken back before others stand."""
    host = Host("twilight2000")
    request = {"game": "twilight2000", "roll": "attack", "attribute": "A", "skill": "D"}
    host.do("s2", "roll.start", request=request | {"ammo_dice": 3}, nonce=known("miss 1").hex())
    host.do("s2", "roll.choose", roll="r1", option="push")
    host.do("s2", "roll.start", request=request, physical=True)
    for faces in ([1, 2], [5, 2]):
        host.do("s2", "roll.enter", roll="r2", faces=faces)
        if faces[0] == 1:
            host.do("s2", "roll.take_back", roll="r2")
    host.do("s2", "roll.choose", roll="r2", option="push")
    host.do("s2", "roll.throw", roll="r2")
    return host


def hidden() -> Host:
    """Dice that the rule hides from whoever rolls: their key is opened when the roll ends."""
    host = Host("twilight2000")
    sides = {name: {"attribute": "A", "skill": "B"} for name in ("active", "passive")}
    request = {"game": "twilight2000", "roll": "opposed", **sides, "secret": True}
    host.do("s2", "roll.start", request=request, roles={"opponent": "s3"})
    for _ in range(4):
        roll = host.state.rolls["r1"]
        if not roll.is_open or roll.after is None or roll.after["step"] != "choice":
            break
        by = roll.after["by"][0]
        host.do("s1" if by == "referee" else by, "roll.choose", roll="r1", number=0)
    return host


def hidden_quietly() -> Host:
    """The same in a roll that others do not learn of: no event says which roll it is of."""
    host = Host("twilight2000")
    sides = {name: {"attribute": "A", "skill": "B"} for name in ("active", "passive")}
    request = {"game": "twilight2000", "roll": "opposed", **sides, "secret": True}
    while not host.state.going:  # which waits for the referee, who alone has seen all
        fields = {"visibility": "private", "announce": False}
        host.do("s2", "roll.start", request=request, roles={"opponent": "s3"}, **fields)
    host.roll("s3", "1d6")
    return host


def ending() -> Host:
    """Hidden dice that end their roll: the event of the call is the one that opens its key."""
    host = Host("twilight2000")
    sides = {name: {"attribute": "A", "skill": "B"} for name in ("active", "passive")}
    request = {"game": "twilight2000", "roll": "opposed", **sides, "secret": True}
    while not host.state.rolled or host.state.going:
        host.do("s2", "roll.start", request=request, roles={"opponent": "s3"}, physical=True)
        roll = f"r{host.state.rolled}"
        for seat in ("s2", "s1"):
            host.do(seat, "roll.throw", roll=roll)
    return host


def typed_names() -> Host:
    """People who are named by what they are called: one is hidden, one rolls, one is forgotten."""
    host = Host("edge20")
    for seat in ("s1", "s2", "s3"):
        host.do(seat, "sheet.create", values={"name": f"The one of {seat}"})
    host.do("s1", "sheet.create", sheet="npc", values={"name": "Goblin"})
    named = (("s2", "Cy"), ("s2", "the one of s3"), ("s1", "Goblin"), ("s2", "bo"), ("s3", "Zed"))
    for seat, name in named:
        fields = {"dc": 10, "target": name}
        host.do(seat, "roll.start", request={"roll": "check", **fields})
        host.do(seat, "roll.start", draft={"roll": "check", "pick": {}, "set": fields})
    host.do("s3", "person.erase", seat="s3")
    return host


def named_like_ids() -> Host:
    """A character is called as others are named in the log, and somebody types who plays it."""
    host = Host("edge20")
    host.do("s2", "sheet.create", values={"name": "Bo"})
    for called in ("@s3", "@s9", "@Bo"):
        host.do("s2", "sheet.change", sheet="s2", values={"name": called})
        fields = {"dc": 10, "target": "bo"}
        host.do("s2", "roll.start", draft={"roll": "check", "pick": {}, "set": fields})
    return host


def witnessed() -> Host:
    """Dice that wait for a live witness, one who is silent, and calls that are refused."""
    host = Host(witnesses=True)
    host.offer("s3", "w1", "w2")
    host.offer("s1", "w3")
    host.roll("s2", "2d20")
    host.open("s3", "w1")
    host.roll("s2", "1d20; 1d6")
    host.pass_over()
    host.open("s1", "w3")
    host.roll("s2", "1d20")
    command = host.devices["s2"].command(host.state, "s2", {"do": "roll.start", "expression": "d"})
    host.act("s2", command)
    host.roll("s3", "1d20")
    return host


def crossed() -> Host:
    """Calls that cross: whose devices had not seen that a witness was asked, or was ready."""
    host = Host(witnesses=True)
    host.offer("s1", "w1", "w2")
    called = {"do": "roll.start", "expression": "1d20"}
    sent = {seat: host.devices[seat].command(host.state, seat, called) for seat in ("s2", "s3")}
    for seat, name in (("s2", "w1"), ("s3", "w2")):
        host.act(seat, sent[seat])
        host.open("s1", name)
    command = host.devices["s2"].command(host.state, "s2", called)
    host.offer("s3", "w3")
    host.act("s2", command)
    host.roll("s2", "1d20")
    host.open("s3", "w3")
    return host


def departed() -> Host:
    """Witnesses who leave, and a table that wants none any more, when a call is under way."""
    host = Host(witnesses=True)
    host.join("Di")
    for seat, *names in (("s3", "w1"), ("s4", "w2", "w3"), ("s1", "w4", "w5", "w6")):
        host.offer(seat, *names)
    called = {"do": "roll.start", "expression": "1d20"}
    sent = host.devices["s2"].command(host.state, "s2", called)
    host.do("s1", "seat.remove", seat="s3")
    host.act("s2", sent)
    host.pass_over()
    host.open("s4", "w2")
    secret = {**called, "visibility": "private", "announce": False}
    sent = host.devices["s2"].command(host.state, "s2", secret)
    host.do("s1", "seat.remove", seat="s4")
    host.act("s2", sent)
    host.pass_over()
    host.open("s1", "w4")
    sent = host.devices["s2"].command(host.state, "s2", called)
    host.do("s1", "table.change", witnesses=False)
    host.act("s2", sent)
    host.open("s1", "w5")
    host.roll("s2", "1d20")
    return host


def each_witnessed() -> Host:
    """Somebody throws dice that are theirs in the roll of another, with a live witness."""
    host = Host("dust", witnesses=True)
    host.offer("s1", "w1", "w2")
    sides = {"actor": {"pool": 3, "name": "@s2"}, "defender": {"pool": 3, "name": "@s3"}}
    host.do("s2", "roll.start", request={"roll": "opposing", **sides}, each=True)
    host.open("s1", "w1")
    host.do("s3", "roll.throw", roll="r1")
    host.open("s1", "w2")
    return host


def keys() -> Host:
    """A bot that holds a key, a lost call, a key that a referee replaced, one that came late."""
    host = Host()
    host.join("Di", signs=False)
    host.join("Ed", held="discord")
    host.roll("s4", "1d20", nonce=known("Di").hex())
    host.roll("s5", "1d20")
    host.roll("s3", "1d20")
    old = host.devices["s3"]
    new = Device(f"d{len(host.state.devices) + 1}", "s3 anew")
    host.do("s1", "seat.move", seat="s3", token_hash=known("anew").hex(), key=new.key)
    host.devices["s3"] = new
    host.roll("s3", "1d20")
    host.devices["s2"].call(host.state, {"do": "roll.start"}, throws=True)  # never sent
    host.roll("s2", "1d20")
    assert old.key != new.key
    late = Device(f"d{len(host.state.devices) + 1}", "s4 at last")
    host.do("s4", "seat.move", seat="s4", token_hash=known("at last").hex(), key=late.key)
    return host


def secrets() -> Host:
    """Secret rolls, announced and not; one is revealed, and all of it is then there."""
    host = Host()
    shown = host.roll("s2", "1d6", visibility="hidden")
    host.roll("s2", "1d8", visibility="private", announce=False)
    host.roll("s3", "2d8")
    host.do("s2", "roll.reveal", roll=shown)
    host.do("s2", "chat.send", text="psst", to=["s3"])
    host.roll("s2", "2d8")
    return host


def moved() -> Host:
    """Another host goes on with its own keys; later the table is taken up from a copy."""
    host = Host()
    host.roll("s2", "1d6")
    host.move("another host")
    host.roll("s2", "2d6")
    host.roll("s2", "3d6")
    host.move("the same host, from a copy", copied=True)
    host.roll("s2", "4d6")
    return host


def left() -> Host:
    """Somebody leaves the table, and a person is forgotten: texts are gone, the chain stands."""
    host = Host()
    host.do("s3", "chat.send", text="Forget me.")
    host.roll("s2", "1d6", note="for luck")
    host.do("s1", "seat.remove", seat="s3")
    host.roll("s2", "1d6")
    host.do("s2", "person.erase", seat="s2")
    return host


def given_up() -> Host:
    """Open rolls that are given up with who leaves, and with the session; secrets that are kept."""
    host = Host()
    for seat in ("s2", "s3"):
        for how in ({}, {"visibility": "private"}, {"visibility": "private", "announce": False}):
            host.roll(seat, "2x 1d6", physical=True, **how)
        host.do(seat, "roll.enter", roll=f"r{host.state.rolled}", faces=[3])
    for announce in (True, False, False):
        host.do("s2", "roll.start", expression="1d20", visibility="hidden", announce=announce)
    silent = [name for name in host.state.rolls if name.startswith("r0")]
    host.do("s2", "roll.reveal", roll=silent[-1])
    host.do("s1", "seat.remove", seat="s3")
    host.roll("s2", "1d6")
    host.do("s1", "session.end")
    host.roll("s2", "1d6", physical=True)
    return host


def knocking() -> Host:
    """Somebody at the door, who may see nothing but their own coming."""
    host = Host()
    host.do("s1", "table.change", knock=True)
    host.join("Di")
    host.roll("s2", "1d6")
    return host


TRUE: dict[str, tuple[Callable[[], Host], tuple[str, ...]]] = {
    "evening": (evening, ("", "s1")),
    "named": (named, ("",)),
    "pushed": (pushed, ("s3",)),
    "hidden": (hidden, ("s2", "s3")),
    "hidden_quietly": (hidden_quietly, ("", "s1", "s2")),
    "ending": (ending, ("", "s2")),
    "typed_names": (typed_names, ("", "s1", "s2")),
    "named_like_ids": (named_like_ids, ("",)),
    "witnessed": (witnessed, ("", "s2")),
    "crossed": (crossed, ("", "s2")),
    "departed": (departed, ("", "s2")),
    "each_witnessed": (each_witnessed, ("", "s2")),
    "keys": (keys, ("",)),
    "secrets": (secrets, ("", "s2", "s1")),
    "moved": (moved, ("",)),
    "left": (left, ("s1",)),
    "given_up": (given_up, ("", "s1", "s2")),
    "knocking": (knocking, ("s4",)),
}


Made = dict[str, tuple[Callable[[], Host], tuple[str, ...]]]


def true_logs(more: Made) -> list[dict[str, Any]]:
    """Logs that are true, as different people have them, with all values in between."""
    cases = []
    for name, (make, copies) in {**TRUE, **more}.items():
        host = make()
        for seat in copies:
            log = host.log(seat)
            case = {"name": name, "about": make.__doc__, "log": log, "values": _values(log)}
            cases.append(case)
    return cases


def _values(log: Log) -> dict[str, Any]:
    before, events = first_hash(log["table"]), []
    for event in log["events"]:
        one = {"seq": event["seq"], "open": canonical_json(event["open"]).decode()}
        if "body" in event:
            one["body"] = canonical_json(event["body"]).decode()
        events.append(one)
    return {"first": before, "events": events, "throws": list(_thrown(log))}


def _thrown(log: Log) -> Iterator[dict[str, Any]]:
    """Each fair throw that is shown with its key: the call, context, blocks, numbers drawn."""
    epoch, seats = "", {}
    calls: dict[int, bytes] = {}
    asked: dict[int, int] = {}
    numbers: dict[int, str] = {}
    last = 0
    for event in log["events"]:
        seq, body = event["seq"], event.get("body") or {}
        kind = body.get("kind") if event["kind"] == "sealed" else event["kind"]
        if kind in ("table.created", "table.imported"):
            epoch = event["hash"]
        if "device" in body:
            seats[body["device"]["id"]] = body["seat"]
        if "call" in body:
            seat, last = seats.get(body["call"].get("device"), ""), seq
            calls[seq] = call_hash(log["table"], epoch, seat, body["call"])
        if kind == "witness.revealed":
            numbers[asked[body["asked"]]] = body["number"]
        if "witness" in event["open"]:
            asked[seq] = asked.get(body.get("asked", 0), last)
        if kind == "roll.thrown" and body.get("how") == FAIR and "key" in body["fair"]:
            fair = body["fair"]
            yield {"seq": seq, **_drawn(body, calls[fair["call"]], numbers.get(fair["call"], ""))}


class Drawing(Dicebox):
    """Dice that write down what they were made of."""

    def __init__(self, key: bytes, context: bytes) -> None:
        super().__init__()
        self.key, self.context = key, context
        self.blocks: list[str] = []

    def block(self) -> bytes:
        """The next block, by the document and by nothing else."""
        from hmac import digest

        message = self.context + len(self.blocks).to_bytes(8, "big")
        made = digest(self.key, message, "sha256")
        self.blocks.append(made.hex())
        return made


def _drawn(body: dict[str, Any], call: bytes, witness: str) -> dict[str, Any]:
    fair = body["fair"]
    key, throw = bytes.fromhex(fair["key"]), str(fair["throw"]).encode()
    context = frame(b"rollwright/throw/2", call, bytes.fromhex(witness), throw)
    dice = Drawing(key, context)
    faces = [value_to_json(face) for face in dice.throw(value_from_json(body["pool"]))]
    assert faces == body["faces"]
    return {
        "call": call.hex(),
        "slot": slot_of(key),
        "context": context.hex(),
        "blocks": dice.blocks,
        "faces": faces,
    }


def fitted(log: Log) -> Log:
    """The log after somebody has made every number, digest and hash fit what now stands there."""
    places = {event.get("seq"): seq for seq, event in enumerate(log["events"], start=1)}
    before = first_hash(log["table"])
    for seq, event in enumerate(log["events"], start=1):
        event["seq"] = seq
        if isinstance(event.get("body"), dict):
            _refer(event["body"], places)
            event["digest"] = digest_of(event["salt"], event["body"])
        parts = (event[name] for name in ("at", "kind", "open", "digest"))
        event["hash"] = before = chain_hash(before, seq, *parts)
    return log


def _refer(body: dict[str, Any], places: dict[Any, int]) -> None:
    """Let what names other events name them by the numbers that they have now."""
    fair = body.get("fair")
    if isinstance(fair, dict) and isinstance(fair.get("call"), int):
        fair["call"] = places.get(fair["call"], fair["call"])
    if isinstance(body.get("asked"), int):
        body["asked"] = places.get(body["asked"], body["asked"])
    if isinstance(body.get("keys"), dict):
        body["keys"] = {str(places.get(int(seq), seq)): key for seq, key in body["keys"].items()}


def patch(old: Any, new: Any, path: str = "") -> Iterator[dict[str, Any]]:
    """What makes one value of another, as a JSON Patch (RFC 6902)."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in sorted(old.keys() | new.keys()):
            place = f"{path}/{name.replace('~', '~0').replace('/', '~1')}"
            if name not in new:
                yield {"op": "remove", "path": place}
            elif name not in old:
                yield {"op": "add", "path": place, "value": new[name]}
            else:
                yield from patch(old[name], new[name], place)
    elif isinstance(old, list) and isinstance(new, list) and old and new:
        yield from _patched(old, new, path)
    elif json.dumps(old) != json.dumps(new):
        yield {"op": "replace", "path": path, "value": new}


def _patched(old: list[Any], new: list[Any], path: str) -> Iterator[dict[str, Any]]:
    start = next(
        (n for n, (a, b) in enumerate(zip(old, new)) if not _alike(a, b)), min(len(old), len(new))
    )
    more = len(new) - len(old)
    old = list(old)
    for _ in range(-more):
        yield {"op": "remove", "path": f"{path}/{start}"}
        del old[start]
    for n in range(more):
        yield {"op": "add", "path": f"{path}/{start + n}", "value": new[start + n]}
        old.insert(start + n, new[start + n])
    for n, (a, b) in enumerate(zip(old, new)):
        yield from patch(a, b, f"{path}/{n}")


def _alike(one: Any, other: Any) -> bool:
    """Whether two items are the same thing, though it may have been changed."""
    if isinstance(one, dict) and isinstance(other, dict) and "salt" in one:
        return one["salt"] == other.get("salt")
    return type(one) is type(other)
