"""Writes `fairness.json`, every step from bytes to faces: `python -m vectors.fairness`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from rollwright.dice import Die, Pool
from rollwright.engine.values import value_to_json
from rollwright.jsonable import canonical_json
from rollwright.table import TableState
from rollwright.table.events import ErasableText, EventDraft, first_hash, place_event, seal_of
from rollwright.table.fairness import (
    FairDice,
    call_hash,
    claim_hash,
    commitment_of,
    frame,
    head_to_words,
    key_of,
    slot_of,
)
from vectors.attacks import BASES, attacked_logs
from vectors.continuations import ATTACKS
from vectors.devices import Device
from vectors.forgeries import forged_logs
from vectors.logs import TABLE, known, true_logs

PATH = Path(__file__).with_name("fairness.json")
FORMAT = 3
VALUES: list[Any] = [
    {"b": [1, None, True, False], "a": "é", "": {}},
    {"10": 1, "9": 2, "a": -(2**53 - 1), "B": 2**53 - 1},
    ['"\\/\b\f\n\r\t\x00\x1f\x7f', "\u2028 € 🎲", "@s3"],
    {"\uffff": "names stand by their characters", "🎲": "not by their halves"},
    {"ab": 1, "a": 2, "a\u0000": 3, "A": 4, "é": 5, "e": [[], {}, [{"": None}]], "-1": 0},
]
POOLS = [[6], [8, 10], [20] * 12, [2, 3, 4, 7, 13, 100, 1000], [1, 1, 6], [6] * 200]


def framed() -> list[dict[str, Any]]:
    """Fields and their bytes."""
    lists = [[b""], [b"ab", b""], [b"a", b"b"], [b"", b"\x00" * 3, bytes(range(40))]]
    return [
        {"fields": [field.hex() for field in fields], "bytes": frame(*fields).hex()}
        for fields in lists
    ]


def keyed() -> list[dict[str, Any]]:
    """Keys of lanes, with the slots that are published for them."""
    secret = known("secret")
    return [
        {
            "secret": secret.hex(),
            "lane": lane,
            "number": number,
            "key": key_of(secret, lane, number).hex(),
            "slot": slot_of(key_of(secret, lane, number)),
        }
        for lane, number in (("table", 1), ("table", 2), ("d1", 1), ("d12", 123_456))
    ]


def offered() -> list[dict[str, Any]]:
    """Numbers of witnesses, and what is published of them before."""
    numbers = [known(f"witness {n}") for n in range(3)]
    return [{"number": one.hex(), "offer": commitment_of(one)} for one in numbers]


def called() -> list[dict[str, Any]]:
    """Calls with their hashes: signed as a whole, or rests on the host's word."""
    epoch, device = known("epoch").hex(), Device("d2", "s2")
    state = TableState(table=TABLE, epoch=epoch, head=41, hash=known("head").hex())
    command = {"do": "roll.start", "expression": "1d20", "note": {"seal": known("seal").hex()}}
    call = {
        "device": "d2",
        "lane": "d2",
        "counter": 3,
        "seen": 41,
        "head": state.hash[:32],
        "slot": known("slot").hex(),
        "number": known("number").hex(),
        "command": command,
    }
    signed = device.sign(state, "s2", call)
    unsigned = {"slot": call["slot"], "number": "", "seat": "s4"}
    common = {"table": TABLE, "epoch": epoch}
    return [
        {
            **common,
            "seat": seat,
            "call": made,
            "hash": call_hash(TABLE, epoch, seat, made).hex(),
            "key": device.key if seat else "",
        }
        for seat, made in (("s2", signed), ("", unsigned))
    ]


def claimed() -> list[dict[str, Any]]:
    """What a device signs to take its seat again at another host."""
    epoch, token = known("epoch").hex(), known("token").hex()
    made = claim_hash(TABLE, epoch, "d2", token)
    return [
        {"table": TABLE, "epoch": epoch, "device": "d2", "token_hash": token, "hash": made.hex()}
    ]


def said_aloud() -> list[dict[str, Any]]:
    """Heads, and the words by which people compare them."""
    heads = [known(f"head {n}").hex() for n in range(3)] + ["0" * 64, "f" * 64]
    return [{"head": head, "words": head_to_words(head)} for head in heads]


def thrown() -> list[dict[str, Any]]:
    """Throws of numbered and of other dice, with and without a witness."""
    pools = [Pool(Die(sides) for sides in sizes) for sizes in POOLS]
    symbols, heavy = {"hit": 1, "miss": 2, "blank": 4}, {1: 2**53 - 1, 2: 2**53 - 1, 3: 1}
    pools.append(Pool([Die(symbols)] * 9))
    pools.append(Pool([Die(heavy), Die(heavy, name="named"), Die(["b", "a", "b"]), Die(6)]))
    pools.append(Pool([Die([(1, "x"), (2, "y"), (2, "z")])] * 5))
    found = []
    for number, pool in enumerate(pools, start=1):
        key, call, throw = known(f"key {number}"), known(f"call {number}"), number % 4
        witness = known(f"witness {number}") if number % 2 else b""
        stream = FairDice(key, call, throw, witness)
        mixed = {"key": key.hex(), "call": call.hex(), "throw": throw, "witness": witness.hex()}
        faces = [value_to_json(face) for face in stream.throw(pool)]
        found.append({**mixed, "pool": value_to_json(pool), "faces": faces})
    return found


def events() -> list[dict[str, Any]]:
    """A chain of events with bodies, salts and a sealed text."""
    salt = known("text").hex()
    text = {"t2.0": ErasableText("s2", salt, "Zoë 🎲")}
    sealed = {"text": "t2.0", "seal": seal_of(salt, "Zoë 🎲")}
    drafts = [
        EventDraft(
            "table.created", {"table": TABLE, "by": "s1"}, open={"slots": {"table": "0" * 64}}
        ),
        EventDraft("chat.sent", {"by": "s2", "text": sealed, "to": "all"}, texts=text),
        EventDraft(
            "sealed",
            {"kind": "roll.thrown", "faces": [20]},
            ("referee",),
            {"slots": {"table": "1" * 64}},
        ),
    ]
    before, found = first_hash(TABLE), []
    for seq, draft in enumerate(drafts, start=1):
        event = place_event(
            draft, before=before, seq=seq, at=seq * 1000, salt=known(str(seq)).hex()
        )
        before = event.hash
        texts = {ref: {"salt": held.salt, "text": held.text} for ref, held in event.texts.items()}
        kept = ("seq", "at", "kind", "open", "body", "salt", "digest", "hash")
        found.append({name: getattr(event, name) for name in kept} | {"texts": texts})
    return found


def cases() -> dict[str, Any]:
    """Everything the file holds."""
    return {
        "format": FORMAT,
        "frames": framed(),
        "canonical": [{"value": value, "text": canonical_json(value).decode()} for value in VALUES],
        "keys": keyed(),
        "offers": offered(),
        "calls": called(),
        "claims": claimed(),
        "spoken": said_aloud(),
        "throws": thrown(),
        "chain": [{"table": TABLE, "before": first_hash(TABLE), "events": events()}],
        "logs": true_logs(BASES),
        "forged": [*forged_logs(), *attacked_logs(ATTACKS)],
    }


def written() -> str:
    """The file as text: one case to a line, so that changes can be read."""
    lines = ["{", f'"format": {FORMAT}']
    for name, listed in cases().items():
        if isinstance(listed, list):
            dumped = ",\n".join([_dumped(case) for case in listed])
            lines[-1] += ","
            lines.append(f'"{name}": [\n{dumped}\n]')
    return "\n".join([*lines, "}", ""])


def _dumped(case: Any) -> str:
    """JSON that is read easily; half a character cannot stand in a file, so it is escaped."""
    text = json.dumps(case, ensure_ascii=False)
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text)


if __name__ == "__main__":
    PATH.write_text(written(), "utf-8")
