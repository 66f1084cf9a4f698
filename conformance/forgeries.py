"""Forged logs for `fairness.json`: what was altered, and what a verifier must call it where."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from conformance.logs import TABLE, Host, Log, evening, fitted, known, left, moved, named, patch
from conformance.logs import pushed as pushing
from rollwright.engine.values import from_plain, to_plain
from rollwright.table.fairness import Fair, key_of

FACES = ("altered face or nonce", "altered face")
"""A verifier that can tell faces from nonces says which."""
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


def flipped(digits: str) -> str:
    """Other hexadecimal digits."""
    return ("1" if digits[0] == "0" else "0") + digits[1:]


def another_face(log: Log) -> Expected:
    """A better face."""
    event = thrown(log)
    event["body"]["faces"][0] = event["body"]["faces"][0] % 20 + 1
    return [(event["seq"], FACES)]


def another_key(log: Log) -> Expected:
    """A key that opens no commitment."""
    event = thrown(log)
    event["body"]["fair"]["key"] = flipped(event["body"]["fair"]["key"])
    return [(event["seq"], ("altered key",))]


def redrawn(event: dict[str, Any]) -> None:
    """The faces that now follow from key, nonces and place."""
    body, fair = event["body"], event["body"]["fair"]
    witness = (fair["witness"] or {}).get("nonce", "")
    dice = Fair(
        bytes.fromhex(fair["key"]),
        table=TABLE,
        roll=body["roll"],
        index=body["index"],
        number=fair["number"],
        nonce=bytes.fromhex(fair["nonce"]),
        witness=bytes.fromhex(witness),
    )
    body["faces"] = [to_plain(face) for face in dice.throw(from_plain(body["pool"]))]


def replaced_key(log: Log) -> Expected:
    """A key that was not committed to, with the faces that follow from it."""
    event = thrown(log)
    event["body"]["fair"]["key"] = flipped(event["body"]["fair"]["key"])
    redrawn(event)
    return [(event["seq"], ("unopened commitment",))]


def another_nonce(log: Log) -> Expected:
    """Another nonce of the roller."""
    event = thrown(log)
    event["body"]["fair"]["nonce"] = flipped(event["body"]["fair"]["nonce"])
    return [(event["seq"], FACES)]


def another_witness_nonce(log: Log) -> Expected:
    """A nonce of the witness that nobody had offered."""
    event = thrown(log, 0)
    witness = event["body"]["fair"]["witness"]
    witness["nonce"] = flipped(witness["nonce"])
    return [(event["seq"], ("altered witness nonce",))]


def left_out_witness(log: Log) -> Expected:
    """A throw without its witness."""
    event = thrown(log, 0)
    event["body"]["fair"]["witness"] = None
    return [(event["seq"], ("witness passed over",))]


def later_witness(log: Log) -> Expected:
    """A younger offer in the place of the oldest: a host that picks."""
    first, last = thrown(log, 0), thrown(log, 2)
    first["body"]["fair"]["witness"] = last["body"]["fair"]["witness"]
    redrawn(first)
    return [(first["seq"], ("witness passed over",))]


def used_witness(log: Log) -> Expected:
    """The nonce of a witness a second time."""
    event = thrown(log, 1)
    event["body"]["fair"]["witness"] = dict(thrown(log, 0)["body"]["fair"]["witness"])
    return [(event["seq"], ("reused witness nonce",))]


def another_witness(log: Log) -> Expected:
    """A nonce that somebody else had offered."""
    event = thrown(log, 0)
    event["body"]["fair"]["witness"]["seat"] = "s1"
    return [(event["seq"], ("altered witness",))]


def witness_who_left(log: Log) -> Expected:
    """The offer of somebody who has left: a host could pick among all that are left over."""
    event, offered = thrown(log), of_kind(log, "witness.offered")
    seq = offered["seq"] - 1
    nonces = [known(f"offer {seq} {n}").hex() for n in range(2)]
    event["body"]["fair"]["witness"] = {"seat": "s3", "nonce": nonces[1]}
    redrawn(event)
    return [(event["seq"], ("altered witness",))]


def lapsed_witness(log: Log) -> Expected:
    """An offer from before another host went on."""
    event, offered = thrown(log, 1), of_kind(log, "witness.offered")
    seq = offered["seq"] - 1
    event["body"]["fair"]["witness"] = {"seat": "s3", "nonce": known(f"offer {seq} 1").hex()}
    redrawn(event)
    return [(event["seq"], ("reused witness nonce",))]


def old_key(log: Log) -> Expected:
    """The old host's key after another host went on."""
    event = thrown(log, 1)
    event["body"]["fair"]["key"] = key_of(known("host"), event["open"]["number"]).hex()
    return [(event["seq"], ("altered key", "reused key"))]


def another_number(log: Log) -> Expected:
    """A number far ahead, at one throw only."""
    event = thrown(log, 0)
    event["open"]["number"] = event["body"]["fair"]["number"] = 77
    return [(event["seq"], ("forged number",))]


def used_number(log: Log) -> Expected:
    """The number of a throw before."""
    event = thrown(log, 2)
    event["open"]["number"] = event["body"]["fair"]["number"] = 1
    return [(event["seq"], ("forged number",))]


def number_of_the_key(log: Log) -> Expected:
    """The key says another number than the event."""
    event = thrown(log, 0)
    event["body"]["fair"]["number"] = 77
    return [(event["seq"], ("forged number",))]


def used_key(log: Log) -> Expected:
    """The key of the first throw again."""
    event = thrown(log)
    event["body"]["fair"]["key"] = thrown(log, 0)["body"]["fair"]["key"]
    return [(event["seq"], ("reused key",))]


def no_commitment(log: Log) -> Expected:
    """No commitment to the next key."""
    event = thrown(log)
    del event["open"]["next"]
    return [(event["seq"], ("missing commitment",))]


def another_commitment(log: Log) -> Expected:
    """Another commitment to the first key: told where the key should open it."""
    opened = log["events"][0]["open"]
    opened["next"] = flipped(opened["next"])
    return [(thrown(log, 0)["seq"], ("unopened commitment",))]


def another_place(log: Log) -> Expected:
    """A throw at another place in its roll."""
    event = thrown(log)
    event["body"]["index"] = 5
    return [(event["seq"], ("dropped event",))]


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
    event = thrown(log, 2)
    event["body"]["pool"]["pool"][0][0]["die"].reverse()
    return [(event["seq"], ("altered dice", *FACES))]


def thought_up(log: Log) -> Expected:
    """Faces that nobody typed and no key gave."""
    event = thrown(log)
    event["body"]["how"] = "thought up"
    return [(event["seq"], ("unproven throw",))]


def typed_instead(log: Log) -> Expected:
    """A fair throw told as typed faces, where no real dice were meant."""
    event = thrown(log)
    event["body"] |= {"how": "typed", "fair": None}
    event["open"] = {}
    return [(event["seq"], ("unproven throw",))]


def dropped_throw(log: Log) -> Expected:
    """A throw that somebody did not like."""
    event = thrown(log, 0)
    log["events"].remove(event)
    return [(event["seq"], ("dropped event",))]


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


def swapped(log: Log) -> Expected:
    """A throw before the roll that it belongs to, with times that do not give it away."""
    place = log["events"].index(thrown(log))
    first, second = log["events"][place - 1 : place + 1]
    first["at"], second["at"] = second["at"], first["at"]
    log["events"][place - 1 : place + 1] = [second, first]
    return [(second["seq"], ("wrong order",))]


def another_text(log: Log) -> Expected:
    """Words put into somebody's mouth."""
    event = of_kind(log, "said")
    next(iter(event["texts"].values()))["text"] = "goodbye"
    return [(event["seq"], ("altered text",))]


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
    """Offers told twice."""
    event = of_kind(log, "witness.offered")
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
            another_nonce,
            another_witness_nonce,
            left_out_witness,
            later_witness,
            used_witness,
            another_witness,
            another_number,
            used_number,
            number_of_the_key,
            used_key,
            no_commitment,
            another_commitment,
            another_place,
            another_pool,
            thought_up,
            typed_instead,
            dropped_throw,
            dropped_start,
            another_text,
            stray_text,
            another_time,
            another_table,
            held_back,
        )
    ),
    Forgery(evening, another_name_outside, "s1", fits="altered event"),
    Forgery(evening, another_hand_outside, "s1", fits="altered event"),
    Forgery(evening, swapped, "s1", shift=-1),
    Forgery(evening, told_twice, fits="reused witness nonce", shift=1),
    Forgery(evening, another_sentence, fits=""),
    Forgery(evening, not_whole, fits=""),
    Forgery(evening, half_a_character, fits=""),
    Forgery(evening, another_outcome, rules=True),
    Forgery(pushing, dropped_choice, "s3"),
    Forgery(pushing, dice_in_another_order, "s3"),
    Forgery(named, faces_in_another_order),
    Forgery(moved, old_key),
    Forgery(moved, lapsed_witness),
    Forgery(moved, another_beginning),
    Forgery(left, witness_who_left, "s1"),
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
