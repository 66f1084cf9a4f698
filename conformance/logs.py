"""Small logs for `fairness.json`: true ones with every value in between, and forged ones."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

from rollwright.engine.sources import Dicebox
from rollwright.engine.values import from_plain, to_plain
from rollwright.plain import canonical
from rollwright.table import (
    AddNonces,
    Decision,
    EraseTexts,
    Event,
    Secrets,
    TableState,
    UseNonce,
    decide,
    found,
    join,
    placed,
    seen,
)
from rollwright.table.events import chained, digest_of, export, first_hash
from rollwright.table.fairness import commitment, frame, witness_commitment
from rollwright.table.imports import rebased
from rollwright.table.rolls import FAIR

Log = dict[str, Any]
TABLE = "abcdefgh2345"
BEGAN = 1_789_000_000_000


def known(name: str) -> bytes:
    """32 bytes that a name settles."""
    return sha256(f"rollwright conformance {name}".encode()).digest()


class Host:
    """A table that a host keeps in memory: s1 is its referee, s2 and s3 play."""

    def __init__(self, game: str = "") -> None:
        self.secret = known("host")
        self.nonces: dict[str, bytes] = {}
        self.events: list[Event] = []
        self.state = TableState.new(TABLE)
        self._drawn = 0
        tokens = {name: known(name).hex() for name in ("seat", "referee", "player", "spectator")}
        command = {"game": game, "name": "Ada", "title": "Zoë’s 🎲", "tokens": tokens}
        self._commit(found(command, table=TABLE, secret=self.secret, entropy=self._entropy))
        self.join("Bo")
        self.join("Cy")

    def _entropy(self, count: int) -> bytes:
        self._drawn += 1
        return known(f"entropy {self._drawn}")[:count]

    def join(self, name: str) -> None:
        """A player sits down, or knocks."""
        token = known(f"token {name}").hex()
        fields = {"role": "player", "name": name, "token_hash": token}
        self._commit(join(self.state, entropy=self._entropy, **fields))  # type: ignore[arg-type]

    def do(self, seat: str, do: str, /, **fields: Any) -> list[Event]:
        """A command, done."""
        secrets, command = Secrets(self.secret, dict(self.nonces)), {"do": do, **fields}
        return self._commit(decide(self.state, seat, command, secrets, 0, self._entropy))

    def roll(self, seat: str, expression: str, **fields: Any) -> str:
        """Roll dice, with a nonce of the roller's own unless another is given."""
        fields = {"nonce": known(f"nonce {self.state.rolled}").hex(), **fields}
        self.do(seat, "roll.start", expression=expression, **fields)
        return f"r{self.state.rolled}"

    def offer(self, seat: str, count: int = 2) -> None:
        """A seat offers nonces as a witness."""
        nonces = [known(f"offer {self.state.head} {n}").hex() for n in range(count)]
        self.do(seat, "witness.offer", nonces=nonces)

    def move(self, secret: str, *, copied: bool = False) -> None:
        """Another host goes on, or the same one from a copy: with a secret of its own."""
        self.secret = known(secret)
        self.nonces.clear()
        by = "" if copied else "s1"
        draft = rebased(self.state.head, self.secret, self.state.number, by=by)
        self._commit(Decision((draft,)))

    def log(self, seat: str = "") -> Log:
        """The log as a seat sees it, or as everybody does."""
        viewer = self.state.seats[seat] if seat else None
        told = [seen(event, viewer, self.state) for event in self.events]
        return copy.deepcopy(export(TABLE, told, seat) | {"rollwright": "0"})

    def _commit(self, decision: Decision) -> list[Event]:
        new = []
        for draft in decision.drafts:
            place = {"before": self.state.hash, "seq": self.state.head + 1}
            at, salt = BEGAN + 1000 * self.state.head, self._entropy(32).hex()
            body = {**draft.body, **({"rollwright": "0"} if "rollwright" in draft.body else {})}
            event = placed(draft._replace(body=body), at=at, salt=salt, **place)
            self.state.apply(event)
            new.append(event)
        self.events += new
        for side in decision.side:
            self._beside(side)
        return new

    def _beside(self, side: Any) -> None:
        if isinstance(side, AddNonces):
            self.nonces.update(side.nonces)
        elif isinstance(side, UseNonce):
            del self.nonces[side.commitment]
        elif isinstance(side, EraseTexts):
            self.events = [
                event._replace(texts={r: t for r, t in event.texts.items() if t.seat != side.seat})
                for event in self.events
            ]


def evening() -> Host:
    """Witnesses, several throws of one command, dice of all shapes, a secret roll, real dice."""
    host = Host()
    host.offer("s3", 3)
    host.offer("s1")
    host.roll("s2", "2d6; 1d20")
    host.roll("s2", "3d{1,1,2} + 4dF", nonce="")
    host.do("s3", "say", text="a line\nwith a \t and a 🎲")
    host.roll("s3", "1d20", visibility="blind")
    host.roll("s3", "40d10")
    real = host.roll("s2", "2d6", physical=True)
    host.do("s2", "roll.enter", roll=real, faces=[3, 4])
    host.roll("s2", "1d20")
    return host


def named() -> Host:
    """Dice with names, with symbols and with weights, as a game has them."""
    host = Host("kleptonomicon")
    host.offer("s3", 4)
    for number, method in enumerate(("coin", "d10ish")):
        request = {"game": "kleptonomicon", "roll": "test", "method": method}
        host.do("s2", "roll.start", request=request, nonce=known(f"test {number}").hex())
    return host


def pushed() -> Host:
    """Choices and second throws; typed faces that are taken back before others stand."""
    host = Host("twilight2000")
    host.offer("s3")
    request = {"game": "twilight2000", "roll": "attack", "attribute": "A", "skill": "D"}
    fields = {"request": request | {"ammo_dice": 3}, "nonce": known("attack").hex()}
    host.do("s2", "roll.start", **fields)
    host.do("s2", "roll.choose", roll="r1", option="push", nonce=known("push").hex())
    host.do("s2", "roll.start", request=request, physical=True)
    for faces in ([1, 2], [5, 2]):
        host.do("s2", "roll.enter", roll="r2", faces=faces)
        if faces[0] == 1:
            host.do("s2", "roll.back", roll="r2")
    host.do("s2", "roll.choose", roll="r2", option="push")
    host.do("s2", "roll.throw", roll="r2", nonce=known("throw").hex())
    return host


def secrets() -> Host:
    """Secret rolls, announced and not; one is revealed, and all of it is then there."""
    host = Host()
    host.offer("s1")
    host.offer("s3")
    shown = host.roll("s2", "1d6", visibility="hidden")
    host.roll("s2", "1d8", visibility="private", announce=False)
    host.roll("s3", "2d8")
    host.do("s2", "roll.reveal", roll=shown)
    host.do("s2", "say", text="psst", to=["s3"])
    host.roll("s2", "2d8")
    return host


def moved() -> Host:
    """Another host goes on with its own keys; later the table is taken up from a copy."""
    host = Host()
    host.offer("s3")
    host.roll("s2", "1d6")
    host.move("another host")
    host.roll("s2", "2d6")
    host.offer("s3")
    host.roll("s2", "3d6")
    host.move("the same host, from a copy", copied=True)
    host.roll("s2", "4d6")
    return host


def left() -> Host:
    """A witness leaves the table, and a person is forgotten: texts are gone, the chain stands."""
    host = Host()
    host.offer("s3")
    host.do("s3", "say", text="Forget me.")
    host.roll("s2", "1d6", note="for luck")
    host.do("s1", "seat.remove", seat="s3")
    host.roll("s2", "1d6")
    host.do("s2", "person.forget", seat="s2")
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
    "secrets": (secrets, ("", "s2", "s1")),
    "moved": (moved, ("",)),
    "left": (left, ("s1",)),
    "knocking": (knocking, ("s4",)),
}


def true_logs() -> list[dict[str, Any]]:
    """Logs that are true, as different people have them, with all values in between."""
    cases = []
    for name, (make, copies) in TRUE.items():
        host = make()
        for seat in copies:
            log = host.log(seat)
            case = {"name": name, "about": make.__doc__, "log": log, "values": _values(log)}
            cases.append(case)
    return cases


def _values(log: Log) -> dict[str, Any]:
    before, events = first_hash(log["table"]), []
    for event in log["events"]:
        one = {"seq": event["seq"], "open": canonical(event["open"]).decode()}
        if "body" in event:
            one["body"] = canonical(event["body"]).decode()
        events.append(one)
    return {"first": before, "events": events, "throws": list(_thrown(log))}


def _thrown(log: Log) -> Iterator[dict[str, Any]]:
    """Each fair throw that is shown: offers that wait, context, blocks, numbers drawn."""
    offers: dict[str, str] = {}
    for event in log["events"]:
        body = event.get("body") or {}
        kind = body.get("kind") if event["kind"] == "sealed" else event["kind"]
        if kind == "witness.offered":
            offers |= dict.fromkeys(body["commitments"], body["by"])
        elif kind == "table.imported":
            offers.clear()
        elif kind == "seat.removed":
            offers = {one: seat for one, seat in offers.items() if seat != body["seat"]}
        elif kind == "roll.thrown" and body.get("how") == FAIR:
            witness = (body["fair"]["witness"] or {}).get("nonce", "")
            waiting = [[seat, one] for one, seat in offers.items()]
            yield {"seq": event["seq"], **_drawn(log["table"], body), "offers": waiting}
            offers.pop(witness_commitment(bytes.fromhex(witness)), None)


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


def _drawn(table: str, body: dict[str, Any]) -> dict[str, Any]:
    fair = body["fair"]
    key, witness = bytes.fromhex(fair["key"]), (fair["witness"] or {}).get("nonce", "")
    context = frame(
        b"rollwright/throw/1",
        table.encode(),
        body["roll"].encode(),
        str(body["index"]).encode(),
        str(fair["number"]).encode(),
        bytes.fromhex(fair["nonce"]),
        bytes.fromhex(witness),
    )
    dice = Drawing(key, context)
    faces = [to_plain(face) for face in dice.throw(from_plain(body["pool"]))]
    assert faces == body["faces"]
    return {
        "number": fair["number"],
        "commitment": commitment(key),
        "context": context.hex(),
        "blocks": dice.blocks,
        "faces": faces,
    }


def fitted(log: Log) -> Log:
    """The log after somebody has made every number, digest and hash fit what now stands there."""
    before = first_hash(log["table"])
    for seq, event in enumerate(log["events"], start=1):
        event["seq"] = seq
        if "body" in event:
            event["digest"] = digest_of(event["salt"], event["body"])
        parts = (event[name] for name in ("at", "kind", "open", "digest"))
        event["hash"] = before = chained(before, seq, *parts)
    return log


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
    start = next((n for n, (a, b) in enumerate(zip(old, new)) if not _alike(a, b)), len(new))
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
