"""Writes `fairness.json`, every step from bytes to faces: `python -m conformance.fairness`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from conformance.forgeries import forged_logs
from conformance.logs import TABLE, known, true_logs
from rollwright.dice import Die, Pool
from rollwright.engine.values import to_plain
from rollwright.plain import canonical
from rollwright.table.events import Draft, Sealed, first_hash, placed, seal_of
from rollwright.table.fairness import Fair, commitment, frame, key_of, nonce_of, witness_commitment

PATH = Path(__file__).with_name("fairness.json")
FORMAT = 2
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
    """Keys of throws, with their commitments."""
    secret = known("secret")
    return [
        {
            "secret": secret.hex(),
            "number": number,
            "key": key_of(secret, number).hex(),
            "commitment": commitment(key_of(secret, number)),
        }
        for number in (1, 2, 10, 123_456)
    ]


def nonces() -> list[dict[str, Any]]:
    """A client's nonce, what each throw of a command makes of it, and what a witness commits to."""
    nonce = known("nonce")
    return [
        {
            "nonce": nonce.hex(),
            "throw": throw,
            "derived": nonce_of(nonce, throw).hex(),
            "offered": witness_commitment(nonce_of(nonce, throw)),
        }
        for throw in (0, 1, 12)
    ]


def thrown() -> list[dict[str, Any]]:
    """Throws of numbered and of other dice, with and without a witness."""
    pools = [Pool(Die(sides) for sides in sizes) for sizes in POOLS]
    symbols, heavy = {"hit": 1, "miss": 2, "blank": 4}, {1: 2**53 - 1, 2: 2**53 - 1, 3: 1}
    pools.append(Pool([Die(symbols)] * 9))
    pools.append(Pool([Die(heavy), Die(heavy, name="named"), Die(["b", "a", "b"]), Die(6)]))
    pools.append(Pool([Die([(1, "x"), (2, "y"), (2, "z")])] * 5))
    found = []
    for number, pool in enumerate(pools, start=1):
        key, nonce = known(f"key {number}"), known(f"nonce {number}") if number % 3 else b""
        witness = known(f"witness {number}") if number % 2 else b""
        place = {"table": TABLE, "roll": f"r{number}", "index": number % 4, "number": number}
        stream = Fair(key, **place, nonce=nonce, witness=witness)  # type: ignore[arg-type]
        mixed = {"key": key.hex(), "nonce": nonce.hex(), "witness": witness.hex()}
        faces = [to_plain(face) for face in stream.throw(pool)]
        found.append({**place, **mixed, "pool": to_plain(pool), "faces": faces})
    return found


def events() -> list[dict[str, Any]]:
    """A chain of events with bodies, salts and a sealed text."""
    salt = known("text").hex()
    text = {"t2.0": Sealed("s2", salt, "Zoë 🎲")}
    sealed = {"text": "t2.0", "seal": seal_of(salt, "Zoë 🎲")}
    drafts = [
        Draft("table.created", {"table": TABLE, "by": "s1"}, open={"next": "0" * 64}),
        Draft("said", {"by": "s2", "text": sealed, "to": "all"}, texts=text),
        Draft("sealed", {"kind": "roll.thrown", "faces": [20]}, ("referee",), {"number": 1}),
    ]
    before, found = first_hash(TABLE), []
    for seq, draft in enumerate(drafts, start=1):
        event = placed(draft, before=before, seq=seq, at=seq * 1000, salt=known(str(seq)).hex())
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
        "canonical": [{"value": value, "text": canonical(value).decode()} for value in VALUES],
        "keys": keyed(),
        "nonces": nonces(),
        "throws": thrown(),
        "chain": [{"table": TABLE, "before": first_hash(TABLE), "events": events()}],
        "logs": true_logs(),
        "forged": list(forged_logs()),
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
