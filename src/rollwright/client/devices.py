"""The device of a seat: its key, what it has signed, and what it must find again in the log.

A call is signed once. What was signed is kept before it is sent, and sent again as the same bytes
or never: signing again with another number would let the host choose between two throws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from threading import Lock
from typing import Any, NamedTuple

from nacl.signing import SigningKey

from rollwright.client.http import new_nonce
from rollwright.client.log_state import LogState
from rollwright.client.rolls import Ack, EventData, UnfairHostError, check_no_typing
from rollwright.client.seat_stores import MemorySeatStore, SeatStore
from rollwright.i18n.messages import Message, msg
from rollwright.jsonable import canonical_json, json_text
from rollwright.table.events import SEALED, WITNESS_KINDS, seal_of, true_kind
from rollwright.table.fairness import TABLE_LANE, call_hash, claim_hash, commitment_of

THROWS = frozenset(("roll.start", "roll.repeat", "roll.throw", "roll.choose"))
"""Commands that dice may follow from: they spend a slot."""
SIGNED = THROWS | {
    *("roll.enter", "roll.take_back", "roll.cancel"),
    *("witness.commit", "witness.reveal", "seat.move"),
}
"""Commands that a device signs."""
TEXTS = ("note",)
"""Fields of commands that are texts, of which only the seal is signed."""
DIGITS = 32
"""Digits that are remembered of the hash of a call."""
MOST_CALLS, MOST_SENT, MOST_OFFERS, MOST_PROTESTS = 1000, 8, 64, 100
LARGEST_SENT = 100_000
"""Characters of what is kept to be sent again."""
Data = dict[str, Any]
NonceSource = Callable[[Mapping[str, Any]], str]
"""The caller's part in the dice, given the rest of the call: anything that nobody can foresee."""


def random_nonce(call: Mapping[str, Any]) -> str:
    """A number that nobody can foresee, whatever is called for."""
    return new_nonce()


class SentCommand(NamedTuple):
    """A command that was signed, as it is sent."""

    id: str
    wire: Data
    is_answered: bool = False


class SigningDevice:
    """A key of a seat, with all that it remembers.

    `turn` is held while signing until the answer is there: calls must come in their order.
    """

    def __init__(
        self, seed: str, keeping: SeatStore | None = None, *, numbers: NonceSource = random_nonce
    ) -> None:
        self.seed = seed
        self.numbers = numbers
        self.log = LogState()
        self.turn = Lock()
        self._key = SigningKey(bytes.fromhex(seed))
        self._keeping = keeping or MemorySeatStore()
        self.requests: list[tuple[int, str]] = []
        """The events that ask for a number of ours, and which."""
        self.reload()

    def reload(self) -> None:
        """Remember what is kept: somebody else may have signed with the same key since."""
        held: Data = self._keeping.read().get("device") or {}
        self.id: str = held.get("id", "")
        """Its name in the log; empty until the table was looked at."""
        seq, hash = held.get("seen", (0, ""))
        self.seen = (int(seq), str(hash))
        """The last event that was seen, and its hash."""
        self.protests: list[str] = list(held.get("protests", ()))
        """Warnings for a person that raise nothing: the latest is the last."""
        self._from = int(held.get("from", 0))
        """The event from which on everything of ours is signed."""
        self._counters: dict[str, int] = dict(held.get("counters", {}))
        self._since: dict[str, int] = dict(held.get("since", {}))
        """Calls up to these were made before anything was remembered."""
        self._calls: dict[str, list[Any]] = dict(held.get("calls", {}))
        """By its lane and counter, the hash of each call, the event that holds it, or 0, and
        whether that is surely shown to us.
        """
        self._places = {at: name for name, (_, at, *_) in self._calls.items() if at}
        self._sent = [SentCommand(*one) for one in held.get("sent", ())]
        self._offers: dict[str, str] = dict(held.get("offers", {}))
        self._opened: list[int] = list(held.get("opened", ()))

    @classmethod
    def load(cls, keeping: SeatStore, numbers: NonceSource = random_nonce) -> SigningDevice | None:
        """The device of a seat that is kept; None for one that does not sign."""
        held = keeping.read().get("device")
        return cls(held["seed"], keeping, numbers=numbers) if held else None

    @property
    def key(self) -> str:
        """The public key."""
        return self._key.verify_key.encode().hex()

    def save(self) -> None:
        """Keep everything that is remembered, beside the token of the seat."""
        plain = {
            "seed": self.seed,
            "id": self.id,
            "seen": list(self.seen),
            "protests": self.protests,
            "from": self._from,
            "counters": self._counters,
            "since": self._since,
            "calls": self._calls,
            "sent": [list(one) for one in self._sent],
            "offers": self._offers,
            "opened": self._opened,
        }
        self._keeping.write({**self._keeping.read(), "device": plain})

    def start_from(self, found: Mapping[str, Any]) -> None:
        """Begin with a table as it is now."""
        self.log.start_from(found)
        for one in (found.get("table") or {}).get("devices", ()):
            if one["key"] == self.key and not one.get("gone"):
                self.id = one["id"]
                self._take_counter(self.id, one["counter"])
                self._take_counter(TABLE_LANE, one.get("quiet", 0))
        self._from = self._from or self.log.seq
        self.seen = self.log.seq, self.log.hash

    def restart_from(self, found: Mapping[str, Any]) -> UnfairHostError:
        """Go on with a log that has lost what we saw of it; what was lost is to be raised."""
        seq, hash = self.seen
        lost: EventData = {"seq": seq, "hash": hash, "kind": "", "at": 0, "digest": "", "open": {}}
        self._places = {}
        self._calls = {name: [one[0], 0, *one[2:]] for name, one in self._calls.items()}
        self.start_from(found)
        self.save()
        return UnfairHostError(lost, msg("client.head"))

    def _take_counter(self, lane: str, told: int) -> None:
        """Take over how often we are said to have called: more than we did is not our doing."""
        if lane not in self._since:
            self._since[lane] = self._counters[lane] = told
        if told > self._counters[lane]:
            self._protest(msg("client.calls", n=told - self._counters[lane]))
            self._counters[lane] = told

    def _protest(self, why: Message) -> None:
        self.protests = [*self.protests, str(why)][-MOST_PROTESTS:]

    def _signature(self, message: bytes) -> str:
        return bytes(self._key.sign(message).signature).hex()

    def claim(self, table: str, epoch: str, token_hash: str) -> Data:
        """Sign a claim to the seat at another host that has the table now."""
        signature = self._signature(claim_hash(table, epoch, self.id, token_hash))
        return {"device": self.id, "token_hash": token_hash, "signature": signature}

    def sign(self, command: Mapping[str, Any]) -> Data:
        """A command as it is sent: signed and kept, or as it was signed before under its id."""
        for known in self._sent:
            if known.id == command["id"]:
                return known.wire
        fields, texts = seal_texts(command)
        standing, throws = self.log, fields["do"] in THROWS
        lane = self.id if standing.announces(fields) else TABLE_LANE
        nonce = str(fields.pop("nonce", None) or "")
        call: Data = {
            "device": self.id,
            "lane": lane,
            "counter": self._counters[lane] + 1,
            "seen": standing.seq,
            "head": standing.head,
            "slot": standing.slots.get(lane, "") if throws else "",
            "number": "",
            "command": fields,
        }
        if throws:
            call["number"] = nonce or self.numbers(call)
        made = call_hash(standing.table, standing.epoch, standing.seat, call)
        call["signature"] = self._signature(made)
        wire = {"id": command["id"], "call": call, **({"texts": texts} if texts else {})}
        self._counters[lane] = call["counter"]
        self._calls[call_key(call)] = [digest(call), 0, standing.shows(fields)]
        self._sent.append(SentCommand(command["id"], wire))
        self._drop_oldest()
        self.save()
        return wire

    def _drop_oldest(self) -> None:
        """Keep the latest calls, and of what may be sent again as much as there is room for."""
        while len(self._calls) > MOST_CALLS:
            _, at, *_ = self._calls.pop(next(iter(self._calls)))
            self._places.pop(at, None)
        kept: list[SentCommand] = []
        size = 0
        for one in reversed(self._sent[-MOST_SENT:]):
            size += len(json_text(one.wire))
            if kept and size > LARGEST_SENT:
                break
            kept.append(one)
        self._sent = kept[::-1]

    def finish(self, id: str) -> None:
        """A command has its answer, whatever that was."""
        self._sent = [one._replace(is_answered=True) if one.id == id else one for one in self._sent]
        self.save()

    @property
    def pending_commands(self) -> list[str]:
        """The ids of commands to which no answer came: sent again they are the same bytes."""
        return [one.id for one in self._sent if not one.is_answered]

    def expect(self, wire: Mapping[str, Any], ack: Ack) -> None:
        """Check that what was acknowledged holds our call as we signed it; raises Unfair."""
        first, last = ack.first or 0, ack.last or 0
        made = [event for event in ack.events if first <= event["seq"] <= last]
        call = wire["call"]
        if call["command"]["do"] != "roll.enter":
            check_no_typing(made)
        calls = [event["body"].get("call") for event in made if "body" in event]
        if len(calls) == len(made) > 0 and call not in calls:
            raise UnfairHostError(made[0], msg("client.left_out"))

    def apply_events(self, events: Iterable[EventData]) -> None:
        """Read the log on; all of it is read before what is wrong raises Unfair."""
        problem: UnfairHostError | None = None
        for event in sorted(events, key=lambda event: event["seq"]):
            try:
                self._check(event)
                self._check_place(event)
            except UnfairHostError as found:
                problem = problem or found
            self._note_request(event)
            self.log.apply_events([event])
        if self.log.seq:
            self.seen = self.log.seq, self.log.hash
        if problem is not None:
            self._protest(problem.wording)
            self.save()
            raise problem

    def check(self, events: Iterable[EventData]) -> None:
        """Check events of the log for what we signed, in any place; raise Unfair."""
        for event in events:
            self._check(event)

    def check_log(self, events: Sequence[EventData]) -> None:
        """Check a whole log: what we saw and what we signed must be there; raises Unfair."""
        self.check(events)
        by_seq = {event["seq"]: event for event in events}
        seen = by_seq.get(self.seen[0])
        if self.seen[0] and (seen is None or seen["hash"] != self.seen[1]):
            raise UnfairHostError(events[-1], msg("client.shown_other", seq=str(self.seen[0])))

    def unanswered_in(self, events: Sequence[EventData]) -> int:
        """How many of our calls our own copy of the log should hold and does not.

        The gap that such a call leaves in our counter can be filled by secret events of nothing.
        """
        calls = [(event.get("body") or {}).get("call") or {} for event in events]
        ours = [one for one in calls if self.id and one.get("device") == self.id]
        last = {one["lane"]: one["counter"] for one in ours}
        there = {call_key(one) for one in ours}
        found = 0
        for name, (_, at, *shown) in self._calls.items():
            lane, _, counter = name.partition(" ")
            is_before = int(counter) < last.get(lane, 0)
            found += shown == [True] and not at and name not in there and is_before
        return found

    def _check(self, event: EventData) -> None:
        body = event.get("body")
        if body is None:
            return
        call, known = body.get("call"), self._places.get(event["seq"])
        if known and (call is None or call_key(call) != known):
            raise UnfairHostError(event, msg("client.gone"))
        if call is not None and call.get("device") == self.id and self.id:
            self._check_call(event, call)
        elif call is not None and "device" not in call and call.get("seat") == self.log.seat:
            if self._from and event["seq"] > self._from:
                raise UnfairHostError(event, msg("client.unsigned"))
        elif event["kind"] == "witness.timed_out" and body.get("asked") in self._opened:
            self._opened.remove(body["asked"])
            self._protest(msg("client.passed_over", seq=str(event["seq"])))
            self.save()

    def _check_call(self, event: EventData, call: Mapping[str, Any]) -> None:
        lane, counter = call["lane"], call["counter"]
        if counter <= self._since.get(lane, 0):
            return
        if call_key(call) not in self._calls:
            self.reload()
        known = self._calls.get(call_key(call))
        if known is None:
            if counter > self._counters.get(lane, 0):
                raise UnfairHostError(event, msg("client.not_ours"))
            return  # too long ago to be remembered
        if known[0] != digest(call):
            raise UnfairHostError(event, msg("client.other_call"))
        known[1] = event["seq"]
        self._places[event["seq"]] = call_key(call)

    def _check_place(self, event: EventData) -> None:
        """Check an event that comes next: it follows from the last, and spends no slot of ours."""
        standing = self.log
        if not standing.seq or event["seq"] != standing.seq + 1:
            return
        if not standing.is_next(event):
            raise UnfairHostError(event, msg("client.chain"))
        before, after = standing.slots.get(self.id), event["open"].get("slots", {}).get(self.id)
        if before is None or after is None or event["kind"] == "table.imported":
            return
        call = (event.get("body") or {}).get("call") or {}
        named = {one.wire["call"]["slot"] for one in self._sent}
        if before != call.get("slot") if "body" in event else before not in named:
            raise UnfairHostError(event, msg("client.slot"))

    def _note_request(self, event: EventData) -> None:
        """Take note of an event that asks for a number of ours, or says that it is too late."""
        if event["kind"] == "witness.timed_out" and "body" in event:
            self.requests = [one for one in self.requests if one[0] != event["body"]["asked"]]
        hidden = {SEALED} if "body" not in event else set()
        if true_kind(event["kind"], event.get("body")) not in WITNESS_KINDS | hidden:
            return  # whoever had the number without dice that wait for it could choose them
        asked = event["open"].get("witness") or {}
        if asked.get("seat") == self.log.seat and asked.get("offer") in self._offers:
            self.requests.append((event["seq"], asked["offer"]))

    def new_commitments(self, count: int) -> list[str]:
        """Commitments to new numbers that stay here until dice wait for them."""
        for _ in range(count):
            number = new_nonce()
            self._offers[commitment_of(bytes.fromhex(number))] = number
        while len(self._offers) > MOST_OFFERS:
            del self._offers[next(iter(self._offers))]
        self.save()
        return list(self._offers)[-count:]

    def reveal_commands(self) -> list[Data]:
        """Return the commands that open the numbers that were asked for, each once."""
        found = []
        for asked, offer in self.requests:
            if offer in self._offers:
                self._opened = [*self._opened, asked][-MOST_OFFERS:]
                fields = {"asked": asked, "number": self._offers.pop(offer)}
                found.append({"do": "witness.reveal", **fields})
        self.requests = []
        self.save()
        return found


def seal_texts(command: Mapping[str, Any]) -> tuple[Data, Data]:
    """The command without its id, with seals in the place of its texts; and the texts."""
    fields = {name: value for name, value in command.items() if name != "id"}
    texts: Data = {}
    for name in TEXTS:
        if not isinstance(fields.get(name), str):
            continue
        fields[name] = fields[name].strip()  # as it will be written down
        if fields[name]:
            salt = new_nonce()
            seal = seal_of(salt, fields[name])
            texts[seal] = {"salt": salt, "text": fields[name]}
            fields[name] = {"seal": seal}
    return fields, texts


def call_key(call: Mapping[str, Any]) -> str:
    """By what a call of a device is remembered."""
    return f"{call.get('lane')} {call.get('counter')}"


def digest(call: Mapping[str, Any]) -> str:
    """Return the digest of a call, by which it is remembered."""
    return sha256(canonical_json(call)).hexdigest()[:DIGITS]
