"""Forged logs for `fairness.json`: what was altered, and what a verifier must call it where.

They are the work of a host who means ill: it has the secret of the table and may write any event,
but it has no key of anybody's device.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from conformance.devices import Device, offers
from conformance.logs import (
    TABLE,
    Host,
    Log,
    evening,
    fitted,
    hidden,
    keys,
    known,
    left,
    moved,
    named,
    patch,
    witnessed,
)
from conformance.logs import pushed as pushing
from rollwright.engine.values import from_plain, to_plain
from rollwright.table.fairness import Fair, call_hash, key_of, slot_at

FACES = ("altered face or number", "altered face")
"""A verifier that can tell faces from numbers says which."""
FORGED = ("forged signature",)
Expected = list[tuple[int, tuple[str, ...]]]


def of_kind(log: Log, kind: str, place: int = 0) -> dict[str, Any]:
    """One of the events of a kind that are shown."""
    found = [event for event in log["events"] if event["kind"] == kind and "body" in event]
    event: dict[str, Any] = found[place]
    return event


def thrown(log: Log, place: int = -1) -> dict[str, Any]:
    """One of the fair throws that are shown."""
    throws = [
        event
        for event in log["events"]
        if event["kind"] == "roll.thrown" and (event.get("body") or {}).get("how") == "fair"
    ]
    event: dict[str, Any] = throws[place]
    return event


def called(log: Log, place: int = -1) -> dict[str, Any]:
    """One of the events with a call that are shown."""
    found = [event for event in log["events"] if "call" in (event.get("body") or {})]
    event: dict[str, Any] = found[place]
    return event


def at(log: Log, seq: int) -> dict[str, Any]:
    """The event with a number."""
    event: dict[str, Any] = log["events"][seq - 1]
    return event


def flipped(digits: str) -> str:
    """Other hexadecimal digits."""
    return ("1" if digits[0] == "0" else "0") + digits[1:]


def seat_of(log: Log, device: str) -> str:
    """Whose a device is."""
    for event in log["events"]:
        body = event.get("body") or {}
        if body.get("device", {}).get("id") == device:
            return str(body["seat"])
    return ""


def rethrow(log: Log, event: dict[str, Any]) -> None:
    """The faces that follow from what stands there now, and what dice alone come to by them."""
    body, fair = event["body"], event["body"]["fair"]
    call = at(log, fair["call"])["body"]["call"]
    epochs = [e["hash"] for e in log["events"] if e["kind"] in ("table.created", "table.imported")]
    made = call_hash(TABLE, epochs[0], seat_of(log, call.get("device", "")), call)
    dice = Fair(bytes.fromhex(fair["key"]), made, fair["throw"])
    body["faces"] = [to_plain(face) for face in dice.throw(from_plain(body["pool"]))]
    if isinstance(body["after"].get("outcome"), int):
        body["after"]["outcome"] = sum(body["faces"])
        body["after"]["fields"]["value"] = sum(body["faces"])


# The dice


def another_face(log: Log) -> Expected:
    """A better face."""
    event = thrown(log)
    event["body"]["faces"][0] = event["body"]["faces"][0] % 20 + 1
    return [(event["seq"], FACES)]


def another_key(log: Log) -> Expected:
    """A key that opens no slot."""
    event = thrown(log)
    event["body"]["fair"]["key"] = flipped(event["body"]["fair"]["key"])
    return [(event["seq"], ("altered key",))]


def replaced_key(log: Log) -> Expected:
    """A key that was not committed to, with the faces that follow from it."""
    event = thrown(log)
    event["body"]["fair"]["key"] = flipped(event["body"]["fair"]["key"])
    rethrow(log, event)
    return [(event["seq"], ("unopened commitment",))]


def searched_key(log: Log) -> Expected:
    """Keys tried after the roller's number is known, until a d20 shows 1."""
    event = thrown(log)
    for n in range(1000):
        event["body"]["fair"]["key"] = known(f"try {n}").hex()
        rethrow(log, event)
        if event["body"]["faces"] == [1]:
            break
    return [(event["seq"], ("unopened commitment",))]


def key_of_the_next(log: Log) -> Expected:
    """The key of the lane's next slot, which the host knows as well."""
    event = thrown(log)
    event["body"]["fair"]["key"] = key_of(known("host"), "d2", 9).hex()
    rethrow(log, event)
    return [(event["seq"], ("unopened commitment",))]


def no_key(log: Log) -> Expected:
    """A throw whose key is kept closed although the roll has ended."""
    event = thrown(log)
    del event["body"]["fair"]["key"]
    return [(event["seq"], ("unopened key",))]


def short_key(log: Log) -> Expected:
    """A key that is none."""
    event = thrown(log)
    event["body"]["fair"]["key"] = "00"
    return [(event["seq"], ("altered key",))]


def another_throw(log: Log) -> Expected:
    """The throw after the one that is due."""
    event = thrown(log)
    event["body"]["fair"]["throw"] = 1
    return [(event["seq"], ("wrong order",))]


def call_of_another_roll(log: Log) -> Expected:
    """The call of an earlier roll, whose key is open."""
    event = thrown(log)
    fair = thrown(log, 0)["body"]["fair"]
    event["body"]["fair"] = {**fair, "throw": 7}
    return [(event["seq"], ("forged call",))]


def no_call(log: Log) -> Expected:
    """A throw that follows from no call."""
    event = thrown(log)
    event["body"]["fair"]["call"] = 1
    return [(event["seq"], ("forged call",))]


def thrown_by_another(log: Log) -> Expected:
    """A throw that is told as somebody else's."""
    event = thrown(log)
    event["body"]["by"] = "s1"
    return [(event["seq"], ("forged call",))]


def thought_up(log: Log) -> Expected:
    """Faces that nobody typed and no key gave."""
    event = thrown(log)
    event["body"]["how"] = "thought up"
    return [(event["seq"], ("unproven throw",))]


def typed_instead(log: Log) -> Expected:
    """A fair throw told as typed faces, where no real dice were meant."""
    event = thrown(log)
    event["body"] |= {"how": "typed", "fair": None}
    return [(event["seq"], ("unproven throw", "unsigned call"))]


def another_pool(log: Log) -> Expected:
    """A thousand million dice, and few faces."""
    event = thrown(log)
    event["body"]["pool"]["pool"][0][1] = 10**9
    return [(event["seq"], ("altered dice",))]


def dice_in_another_order(log: Log) -> Expected:
    """The same dice in another order: the stream gives them other faces."""
    event = thrown(log, 0)
    event["body"]["pool"]["pool"].reverse()
    return [(event["seq"], ("altered dice", *FACES))]


def faces_in_another_order(log: Log) -> Expected:
    """The weighted faces of a die in another order."""
    event = next(e for e in log["events"] if _has_weights(e.get("body") or {}))
    event["body"]["pool"]["pool"][0][0]["die"].reverse()
    return [(event["seq"], ("altered dice", *FACES))]


def _has_weights(body: dict[str, Any]) -> bool:
    return "faces" in body and isinstance(body["pool"]["pool"][0][0]["die"], list)


def cut_short(log: Log) -> Expected:
    """The second throw of a call is kept back: a new call might give better dice."""
    event = thrown(log, 1)
    before = at(log, event["seq"] - 1)
    place = log["events"].index(event)
    del log["events"][place:]
    return [(before["seq"], ("dropped event",))]


# Slots


def another_slot(log: Log) -> Expected:
    """The slot of a device is replaced before it calls; the signed call still names the old one."""
    event = called(log)
    published = at(log, event["body"]["call"]["seen"] - 1)
    for one in log["events"][: event["seq"] - 1]:
        if "d2" in one["open"].get("slots", {}):
            published = one
    slots = published["open"]["slots"]
    slots["d2"] = flipped(slots["d2"])
    return [(event["seq"], ("replaced slot", "other log"))]


def slot_put_in(log: Log) -> Expected:
    """A second slot for a device, in an event that spends none."""
    event = of_kind(log, "said")
    event["open"]["slots"] = {"d2": slot_at(known("host"), "d2", 77)}
    return [(event["seq"], ("replaced slot",))]


def no_slot(log: Log) -> Expected:
    """No slot for the next call."""
    event = called(log)
    del event["open"]["slots"]
    return [(event["seq"], ("missing commitment",))]


def slot_of_another(log: Log) -> Expected:
    """The next slot is published for somebody else's device."""
    event = called(log)
    event["open"]["slots"] = {"d3": event["open"]["slots"]["d2"]}
    return [(event["seq"], ("missing commitment", "replaced slot"))]


def used_slot(log: Log) -> Expected:
    """A slot that was published before."""
    event, first = called(log), called(log, 0)
    event["open"]["slots"] = {"d2": first["open"]["slots"]["d2"]}
    return [(event["seq"], ("reused key",))]


def no_slot_of_the_table(log: Log) -> Expected:
    """A table without a lane."""
    del log["events"][0]["open"]["slots"]
    return [(1, ("missing commitment",))]


def slot_that_is_none(log: Log) -> Expected:
    """A slot that is no hash."""
    event = called(log)
    event["open"]["slots"] = {"d2": "soon"}
    return [(event["seq"], ("missing commitment", "malformed event"))]


# Calls


def another_number(log: Log) -> Expected:
    """Another number of the roller."""
    event = called(log)
    event["body"]["call"]["number"] = flipped(event["body"]["call"]["number"])
    return [(event["seq"], FORGED)]


def searched_number(log: Log) -> Expected:
    """Numbers tried in the roller's place, until a d20 shows 1."""
    event, throw = called(log), thrown(log)
    for n in range(1000):
        event["body"]["call"]["number"] = known(f"try {n}").hex()
        rethrow(log, throw)
        if throw["body"]["faces"] == [1]:
            break
    return [(event["seq"], FORGED)]


def altered_call(name: str, value: Any) -> Callable[[Log], Expected]:
    """Something in a call that its device has not signed."""

    def forge(log: Log) -> Expected:
        event = called(log)
        event["body"]["call"][name] = value
        return [(event["seq"], (*FORGED, "other log", "repeated call", "replaced slot"))]

    forge.__name__ = f"another_{name}_in_a_call"
    forge.__doc__ = f"The call says another {name} than was signed."
    return forge


def altered_command(name: str, value: Any) -> Callable[[Log], Expected]:
    """Something in a signed command is another."""

    def forge(log: Log) -> Expected:
        event = called(log)
        event["body"]["call"]["command"][name] = value
        return [(event["seq"], FORGED)]

    forge.__name__ = f"another_{name}_in_a_command"
    forge.__doc__ = f"The command in a call says another {name} than was signed."
    return forge


def altered_start(name: str, value: Any) -> Callable[[Log], Expected]:
    """A roll that begins otherwise than was signed."""

    def forge(log: Log) -> Expected:
        event = of_kind(log, "roll.started", -1)
        event["body"][name] = value
        return [(event["seq"], ("forged act", "forged event"))]

    forge.__name__ = f"another_{name}_of_a_roll"
    forge.__doc__ = f"A roll begins with another {name} than was signed."
    return forge


def no_signature(log: Log) -> Expected:
    """A roll of somebody who signs, told as called for by nobody."""
    event = called(log)
    call = event["body"]["call"]
    event["body"]["call"] = {"slot": call["slot"], "number": call["number"], "seat": "s2"}
    return [(event["seq"], ("unsigned call",))]


def no_call_at_all(log: Log) -> Expected:
    """A roll of somebody who signs, without any call."""
    event = called(log)
    del event["body"]["call"]
    return [(event["seq"], ("unsigned call",))]


def broken_signature(log: Log) -> Expected:
    """Another signature."""
    event = called(log)
    event["body"]["call"]["signature"] = flipped(event["body"]["call"]["signature"])
    return [(event["seq"], FORGED)]


def signed_by_another(log: Log) -> Expected:
    """A call that another device at the table has signed, told as this one's."""
    event = called(log)
    call = dict(event["body"]["call"])
    del call["signature"]
    stranger = Device("d2", "a stranger")
    host = Host()
    event["body"]["call"] = stranger.sign(host.state, "s2", call)
    return [(event["seq"], FORGED)]


def device_of_nobody(log: Log) -> Expected:
    """A device that is none at this table."""
    event = called(log)
    event["body"]["call"]["device"] = "d77"
    return [(event["seq"], FORGED)]


def repeated_call(log: Log) -> Expected:
    """An old call once more, for another roll."""
    event, first = called(log), called(log, 0)
    event["body"]["call"] = copy.deepcopy(first["body"]["call"])
    return [(event["seq"], ("repeated call", "replaced slot"))]


def call_of_another_seat(log: Log) -> Expected:
    """A roll that somebody else has called for."""
    event = called(log)
    event["body"]["by"] = "s1"
    return [(event["seq"], ("forged act",))]


def forged_choice(log: Log) -> Expected:
    """Another option than the one that was signed."""
    event = of_kind(log, "roll.chosen")
    event["body"]["option"] = "keep"
    return [(event["seq"], ("forged act",))]


def unsigned_choice(log: Log) -> Expected:
    """A choice that nobody has signed."""
    event = of_kind(log, "roll.chosen")
    del event["body"]["call"], event["open"]["slots"]
    return [(event["seq"], ("unsigned call",))]


def unsigned_faces(log: Log) -> Expected:
    """Faces of real dice that nobody has signed."""
    typed = [e for e in log["events"] if (e.get("body") or {}).get("how") == "typed"]
    del typed[0]["body"]["call"]
    return [(typed[0]["seq"], ("unsigned call",))]


def roll_given_up_by_the_host(log: Log) -> Expected:
    """A roll that somebody is said to have given up."""
    event = of_kind(log, "roll.abandoned")
    del event["body"]["call"]
    return [(event["seq"], ("unsigned call",))]


def device_that_is_gone(log: Log) -> Expected:
    """A device signs no more, and its call stands there all the same."""
    event = of_kind(log, "seat.moved")
    call = next(
        e for e in log["events"] if (e.get("body") or {}).get("call", {}).get("device") == "d3"
    )
    later = called(log, -2)
    later["body"]["call"]["device"] = call["body"]["call"]["device"]
    assert event["seq"] < later["seq"]
    return [(later["seq"], ("forbidden act", *FORGED))]


def another_move(log: Log) -> Expected:
    """A referee's call brings another key than was signed."""
    event = of_kind(log, "seat.moved")
    event["body"]["device"]["key"] = Device("d9", "the host").key
    return [(event["seq"], ("forged act",))]


# Witnesses


def unasked(log: Log) -> Expected:
    """Dice that do not wait for the witness."""
    event, opened = of_kind(log, "roll.started"), of_kind(log, "witness.opened")
    del event["open"]["witness"]
    throw = thrown(log, 0)
    log["events"].remove(opened)
    return [(throw["seq"], ("witness passed over", "wrong order"))]


def asked_out_of_turn(log: Log) -> Expected:
    """A younger offer in the place of the oldest: a host that picks."""
    event = of_kind(log, "roll.started")
    event["open"]["witness"] = {"seat": "s1", "offer": offers(known("w3").hex())[0]}
    return [(event["seq"], ("witness passed over",))]


def another_witness_number(log: Log) -> Expected:
    """A number that opens nothing."""
    event = of_kind(log, "witness.opened")
    event["body"]["number"] = flipped(event["body"]["number"])
    return [(event["seq"], ("altered witness number", "forged act"))]


def another_witness(log: Log) -> Expected:
    """Somebody else is said to have told the number."""
    event = of_kind(log, "witness.opened")
    event["body"]["by"] = "s1"
    return [(event["seq"], ("altered witness", "forged act"))]


def unsigned_witness(log: Log) -> Expected:
    """A number that nobody has signed."""
    event = of_kind(log, "witness.opened")
    del event["body"]["call"]
    return [(event["seq"], ("unsigned call",))]


def offers_of_the_host(log: Log) -> Expected:
    """Numbers that the host offers in somebody's name."""
    event = of_kind(log, "witness.offered")
    event["body"]["commitments"] = offers(known("the host").hex())
    return [(event["seq"], ("forged act",))]


def used_offer(log: Log) -> Expected:
    """A number that was offered before."""
    event = of_kind(log, "witness.offered", 1)
    event["body"]["commitments"] = of_kind(log, "witness.offered")["body"]["commitments"][:1]
    return [(event["seq"], ("reused witness number", "forged act"))]


def silent_before_asked(log: Log) -> Expected:
    """A witness is passed over who was asked for nothing."""
    event = of_kind(log, "witness.silent")
    event["body"]["asked"] = 2
    return [(event["seq"], ("forged event",))]


def another_silence(log: Log) -> Expected:
    """Somebody else is said to have been silent."""
    event = of_kind(log, "witness.silent")
    event["body"]["seat"] = "s1"
    return [(event["seq"], ("altered witness",))]


# Refusals


def refusal_without_a_key(log: Log) -> Expected:
    """A refusal that keeps its key: the host might use it for another call."""
    event = of_kind(log, "roll.refused")
    del event["body"]["key"]
    return [(event["seq"], ("altered key",))]


def refusal_that_was_quicker(log: Log) -> Expected:
    """A refusal for another call that there was not."""
    event = of_kind(log, "roll.refused")
    event["body"]["code"] = "stale_slot"
    return [(event["seq"], ("forged refusal",))]


def refusal_of_nothing(log: Log) -> Expected:
    """A refusal of something that nobody asked for."""
    event = of_kind(log, "roll.refused")
    event["body"]["call"]["command"] = {"do": "roll.start", "expression": "1d20"}
    return [(event["seq"], FORGED)]


# Dice that the rule hides


def key_kept_closed(log: Log) -> Expected:
    """A key that is never opened."""
    event = next(e for e in log["events"] if "keys" in (e.get("body") or {}))
    del event["body"]["keys"]
    return [(event["seq"], ("unopened key",))]


def another_key_at_the_end(log: Log) -> Expected:
    """Another key at the end than was committed to."""
    event = next(e for e in log["events"] if "keys" in (e.get("body") or {}))
    call = next(iter(event["body"]["keys"]))
    event["body"]["keys"][call] = known("another").hex()
    closed = [
        e for e in log["events"] if e["kind"] == "roll.thrown" and "key" not in e["body"]["fair"]
    ]
    return [(closed[0]["seq"], ("altered key",))]


# Events


def another_place(log: Log) -> Expected:
    """A throw at another place in its roll."""
    event = thrown(log)
    event["body"]["index"] = 5
    return [(event["seq"], ("dropped event",))]


def another_id(log: Log) -> Expected:
    """A roll with an id that the host has chosen: it enters no dice, and is not the next."""
    event, throw = of_kind(log, "roll.started", -1), thrown(log)
    event["body"]["roll"] = throw["body"]["roll"] = "r77"
    return [(event["seq"], ("forged event",))]


def id_of_another(log: Log) -> Expected:
    """Two rolls with one id."""
    event, throw = of_kind(log, "roll.started", -1), thrown(log)
    event["body"]["roll"] = throw["body"]["roll"] = "r1"
    return [(event["seq"], ("repeated event",))]


def withheld_start(log: Log) -> Expected:
    """The beginning of an open roll is held back, as of a secret one; its outcome is forged."""
    event, throw = of_kind(log, "roll.started", -1), thrown(log)
    event["open"] = {**event["open"], "roll": event["body"]["roll"], "by": "s2"}
    for name in ("body", "salt", "texts"):
        del event[name]
    throw["body"]["after"]["outcome"] = 20
    return [(throw["seq"], ("withheld event", "forged call"))]


def renamed_start(log: Log) -> Expected:
    """The beginning of a roll is told as that of another one."""
    event, throw = of_kind(log, "roll.started", -1), thrown(log)
    event["body"]["roll"] = "r77"
    return [(throw["seq"], ("dropped event", "withheld event", "forged call"))]


def retyped_start(log: Log) -> Expected:
    """The beginning of a roll is told as something that nobody knows."""
    event, throw = of_kind(log, "roll.started", -1), thrown(log)
    event["kind"] = "roll.begun"
    assert throw["body"]["roll"] == event["body"]["roll"]
    return [(event["seq"], ("forged act", "dropped event"))]


def sealed_start(log: Log) -> Expected:
    """The beginning of an open roll is told as a secret of somebody's."""
    event, throw = of_kind(log, "roll.started", -1), thrown(log)
    event["kind"] = "sealed"
    for name in ("body", "salt", "texts"):
        del event[name]
    return [(throw["seq"], ("withheld event", "forged call"))]


def dropped_throw(log: Log) -> Expected:
    """A throw that somebody did not like."""
    event = thrown(log, 0)
    log["events"].remove(event)
    return [(event["seq"], ("dropped event", "wrong order"))]


def dropped_choice(log: Log) -> Expected:
    """A choice that somebody regrets."""
    event = of_kind(log, "roll.chosen")
    log["events"].remove(event)
    return [(event["seq"], ("dropped event",))]


def dropped_start(log: Log) -> Expected:
    """The beginning of a roll."""
    event = of_kind(log, "roll.started")
    log["events"].remove(event)
    return [(event["seq"], ("dropped event",))]


def dropped_roll(log: Log) -> Expected:
    """A whole roll that somebody did not like; the next call of its device tells of it."""
    start = of_kind(log, "roll.started", 1)
    place = log["events"].index(start)
    del log["events"][place : place + 2]
    return [(start["seq"], ("dropped event", "forged event", "replaced slot", "other log"))]


def swapped(log: Log) -> Expected:
    """A throw before the roll that it belongs to, with times that do not give it away."""
    place = log["events"].index(thrown(log))
    first, second = log["events"][place - 1 : place + 1]
    first["at"], second["at"] = second["at"], first["at"]
    log["events"][place - 1 : place + 1] = [second, first]
    return [(second["seq"], ("wrong order",))]


def swapped_rolls(log: Log) -> Expected:
    """Two rolls of one device in the other order."""
    one, two = of_kind(log, "roll.started", 0), of_kind(log, "roll.started", 1)
    one["body"]["call"], two["body"]["call"] = two["body"]["call"], one["body"]["call"]
    return [(one["seq"], ("replaced slot", "other log", "forged act"))]


def another_text(log: Log) -> Expected:
    """Words put into somebody's mouth."""
    event = of_kind(log, "said")
    next(iter(event["texts"].values()))["text"] = "goodbye"
    return [(event["seq"], ("altered text",))]


def another_note(log: Log) -> Expected:
    """A note that the roller did not write, sealed by the host."""
    event = next(e for e in log["events"] if (e.get("body") or {}).get("note"))
    event["body"]["note"]["seal"] = known("a note").hex()
    event["texts"] = {}
    return [(event["seq"], ("forged act",))]


def stray_text(log: Log) -> Expected:
    """Words that nothing refers to."""
    event = of_kind(log, "said")
    event["texts"]["t0.0"] = {"salt": "00" * 32, "text": "boo"}
    return [(event["seq"], ("unsealed text",))]


def another_time(log: Log) -> Expected:
    """An event that claims to be older."""
    event = of_kind(log, "said")
    event["at"] -= 60_000
    return [(event["seq"], ("wrong order",))]


def told_twice(log: Log) -> Expected:
    """Something said that is told twice."""
    event = of_kind(log, "roll.started")
    log["events"].insert(event["seq"], copy.deepcopy(event))
    return [(event["seq"], ("repeated event",))]


def another_table(log: Log) -> Expected:
    """A log that says it is another table's."""
    of_kind(log, "table.created")["body"]["table"] = "zzzzzzzzzzzz"
    return [(1, ("altered event",))]


def held_back(log: Log) -> Expected:
    """An event that everybody may see is held back from this copy."""
    event = of_kind(log, "seat.joined", 1)
    for name in ("body", "salt", "texts"):
        del event[name]
    return [(event["seq"], ("withheld event",))]


def another_beginning(log: Log) -> Expected:
    """A host that hides how much came before it."""
    event = of_kind(log, "table.imported")
    event["body"]["from_seq"] -= 1
    return [(event["seq"], ("dropped event",))]


def sealed_beginning(log: Log) -> Expected:
    """What the table is, with its game and house rules, told as a secret of somebody's."""
    event = of_kind(log, "table.created")
    event["kind"] = "sealed"
    for name in ("body", "salt", "texts"):
        del event[name]
    return [(event["seq"], ("wrong order",))]


def old_key(log: Log) -> Expected:
    """The old host's key after another host went on."""
    event = thrown(log, 1)
    event["body"]["fair"]["key"] = key_of(known("host"), "d2", 2).hex()
    return [(event["seq"], ("altered key",))]


def copy_after_the_call(log: Log) -> Expected:
    """A copy that the host takes up once it knows the number: the call is of another epoch."""
    event = of_kind(log, "roll.started", 0)
    moved_ = of_kind(log, "table.imported")
    place, of_roll = log["events"].index(event), log["events"].index(moved_)
    log["events"].insert(place, log["events"].pop(of_roll))
    moved_["body"]["from_seq"], moved_["at"] = place, event["at"]
    return [(moved_["seq"], ("wrong order",))]


def another_name_outside(log: Log) -> Expected:
    """A secret roll that is called otherwise where everybody may look."""
    event = next(one for one in log["events"] if one.get("body") and "roll" in one["open"])
    event["open"]["roll"] = "r99"
    return [(event["seq"], ("altered event", "broken chain"))]


def another_hand_outside(log: Log) -> Expected:
    """A secret roll of which everybody is told that somebody else goes on with it."""
    events = [one for one in log["events"] if one.get("body") and "after" in one["open"]]
    event = next(one for one in events if "by" in one["open"]["after"])
    event["open"]["after"]["by"] = "s9"
    return [(event["seq"], ("altered event", "broken chain"))]


def another_sentence(log: Log) -> Expected:
    """What a roll was told as: the digest alone gives it away, and no check if that is fitted."""
    event = thrown(log)
    event["body"]["after"]["told"] = "Somebody won."
    return [(event["seq"], ("altered event",))]


def not_whole(log: Log) -> Expected:
    """A number with a point."""
    event = thrown(log)
    event["body"]["faces"][0] = 1.5
    return [(event["seq"], ("malformed event",))]


def half_a_character(log: Log) -> Expected:
    """Half of a surrogate pair."""
    event = of_kind(log, "seat.joined", 2)
    event["body"]["role"] = "\ud83c"
    return [(event["seq"], ("malformed event",))]


def another_outcome(log: Log) -> Expected:
    """Another outcome than the dice have: with hashes that fit, only the rules tell."""
    event = thrown(log)
    event["body"]["after"]["outcome"] = 99
    return [(event["seq"], ("altered outcome", "altered event"))]


def seat_of_the_host(log: Log) -> Expected:
    """Somebody acts who never came to the table."""
    event = of_kind(log, "said")
    event["body"]["by"] = "s9"
    return [(event["seq"], ("forbidden act", "altered event"))]


class Forgery(NamedTuple):
    """A way to forge a log."""

    make: Callable[[], Host]
    forge: Callable[[Log], Expected]
    seat: str = ""
    fits: str = "the same"
    """What is told once every hash was made to fit; empty where that was not done."""
    shift: int = 0
    """Where it is told then, from where the forgery stood."""
    rules: bool = False
    """Whether only the rules of the game tell then."""


FORGERIES = [
    *(
        Forgery(evening, forge)
        for forge in (
            another_face,
            another_key,
            replaced_key,
            searched_key,
            key_of_the_next,
            no_key,
            short_key,
            another_throw,
            call_of_another_roll,
            no_call,
            thrown_by_another,
            thought_up,
            typed_instead,
            another_pool,
            cut_short,
            another_slot,
            slot_put_in,
            no_slot,
            slot_of_another,
            used_slot,
            no_slot_of_the_table,
            slot_that_is_none,
            another_number,
            searched_number,
            altered_call("counter", 77),
            altered_call("seen", 2),
            altered_call("head", "00" * 16),
            altered_call("lane", "table"),
            altered_call("slot", "00" * 32),
            altered_call("device", "d3"),
            altered_command("expression", "1d20+5"),
            altered_command("visibility", "blind"),
            altered_command("do", "roll.again"),
            altered_start("visibility", "blind"),
            altered_start("physical", True),
            altered_start("goal", "win"),
            altered_start("what", {"expression": "1d20+5"}),
            altered_start("ask", "a1"),
            no_signature,
            no_call_at_all,
            broken_signature,
            signed_by_another,
            device_of_nobody,
            repeated_call,
            call_of_another_seat,
            unsigned_faces,
            roll_given_up_by_the_host,
            another_place,
            another_id,
            id_of_another,
            withheld_start,
            renamed_start,
            retyped_start,
            sealed_start,
            dropped_start,
            swapped_rolls,
            another_text,
            another_note,
            stray_text,
            another_time,
            another_table,
            held_back,
        )
    ),
    Forgery(evening, dropped_throw),
    Forgery(evening, dropped_roll),
    Forgery(evening, seat_of_the_host, fits="forbidden act", rules=True),
    Forgery(evening, another_name_outside, "s1", fits="altered event"),
    Forgery(evening, another_hand_outside, "s1", fits="altered event"),
    Forgery(evening, swapped, "s1", shift=-1),
    Forgery(evening, told_twice, fits="repeated call", shift=1),
    Forgery(evening, another_sentence, fits=""),
    Forgery(evening, not_whole, fits=""),
    Forgery(evening, half_a_character, fits=""),
    Forgery(evening, another_outcome, rules=True),
    Forgery(pushing, dropped_choice, "s3"),
    Forgery(pushing, dice_in_another_order, "s3"),
    Forgery(pushing, forged_choice, "s3"),
    Forgery(pushing, unsigned_choice, "s3"),
    Forgery(named, faces_in_another_order),
    Forgery(hidden, key_kept_closed, "s2"),
    Forgery(hidden, another_key_at_the_end, "s2"),
    Forgery(keys, device_that_is_gone),
    Forgery(keys, another_move),
    *(
        Forgery(witnessed, forge)
        for forge in (
            asked_out_of_turn,
            another_witness_number,
            another_witness,
            unsigned_witness,
            offers_of_the_host,
            used_offer,
            silent_before_asked,
            another_silence,
            refusal_without_a_key,
            refusal_that_was_quicker,
            refusal_of_nothing,
        )
    ),
    Forgery(witnessed, unasked, fits="witness passed over", shift=-1),
    Forgery(moved, old_key),
    Forgery(moved, copy_after_the_call, fits="forged signature", shift=-1),
    Forgery(moved, another_beginning),
    Forgery(moved, sealed_beginning),
    Forgery(left, held_back, "s1"),
]


def forged_logs() -> Iterator[dict[str, Any]]:
    """Each forgery as it was made, and again with every number, digest and hash made to fit."""
    for forgery in FORGERIES:
        true = forgery.make().log(forgery.seat)
        log = copy.deepcopy(true)
        expected = forgery.forge(log)
        yield _case(forgery, true, log, expected, is_fitted=False)
        if forgery.fits:
            names = None if forgery.fits == "the same" else (forgery.fits,)
            again = [(seq + forgery.shift, names or what) for seq, what in expected]
            yield _case(forgery, true, fitted(copy.deepcopy(log)), again, is_fitted=True)


def _case(
    forgery: Forgery, true: Log, log: Log, expected: Expected, *, is_fitted: bool
) -> dict[str, Any]:
    return {
        "name": forgery.forge.__name__,
        "about": forgery.forge.__doc__,
        "of": forgery.make.__name__,
        "for": true["for"],
        "fitted": is_fitted,
        "rules": forgery.rules and is_fitted,
        "problems": [{"seq": seq, "what": list(what)} for seq, what in expected],
        "patch": list(patch(true, log)),
    }
