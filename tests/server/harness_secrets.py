"""Looking for secrets in everything that was sent: in the clear, as hex, as base64, by guessing."""

import base64
import re
from functools import cache

from rollwright.table.events import digest_of, seal_of
from rollwright.table.fairness import TABLE_LANE, key_of, slot_of

HEX = re.compile(r"[0-9a-fA-F]{64,}")
BASE64 = re.compile(r"[A-Za-z0-9+/_-]{43}")
OUTSIDE_A_NUMBER = r"(?<![0-9A-Za-z])(?:{})(?![0-9A-Za-z])"
BETWEEN = b"\0\0"
"""Stands between two things that were said: no secret is found across it."""
SHORTEST_TEXT = 8
SMALLEST_NUMBER = 10**8
"""Smaller numbers stand everywhere; the dice of these tests have faces beyond it."""


def leaves(value):
    """Every text and number in some JSON data."""
    if isinstance(value, dict):
        for part in value.values():
            yield from leaves(part)
    elif isinstance(value, list):
        for part in value:
            yield from leaves(part)
    else:
        yield value


class Secret:
    """What an event tells its audience, as things that can be searched for."""

    def __init__(self, event):
        self.event = event
        inside = [event.get(name) for name in ("body", "salt", "texts", "offers")]
        found = list(leaves(inside))
        self.texts = {leaf for leaf in found if isinstance(leaf, str)}
        self.texts = {text for text in self.texts if len(text) >= SHORTEST_TEXT}
        self.numbers = {leaf for leaf in found if type(leaf) is int and leaf >= SMALLEST_NUMBER}

    @property
    def key(self):
        """The key of a fair throw, if it is one."""
        return (self.event["body"].get("fair") or {}).get("key")


@cache
def written(text):
    """A text in every way it might be written: in the clear, as hex, as base64 at any place."""
    ways = {text.encode()}
    plain = [text.encode()]
    if HEX.fullmatch(text):
        plain.append(bytes.fromhex(text))
        ways |= {text.upper().encode(), str(int(text, 16)).encode()}
    for raw in plain:
        ways |= {raw.hex().encode(), raw.hex().upper().encode()}
        for before in range(3):
            first = -(-before * 8 // 6)
            last = (before + len(raw)) * 8 // 6
            for encode in (base64.b64encode, base64.urlsafe_b64encode):
                ways.add(encode(b"\0" * before + raw)[first:last])
    return frozenset(ways)


def found_in(heard, texts, numbers):
    """Which of the texts and numbers stand anywhere in what somebody heard, with the path."""
    found = []
    pattern = OUTSIDE_A_NUMBER.format("|".join(map(str, sorted(numbers)))) if numbers else "(?!)"
    paths = {_text(said): path for path, said in heard}  # much is said again and again
    whole = BETWEEN.join(said.encode() for said in paths)
    for text in texts:
        if any(way in whole for way in written(text)):  # seldom: then each is looked at
            found += [
                (path, text)
                for said, path in paths.items()
                if any(way in said.encode() for way in written(text))
            ]
    for said, path in paths.items():
        found += [(path, number) for number in re.findall(pattern, said)]
    return found


def _text(said):
    return said if isinstance(said, str) else said.decode("utf-8", "replace")


def values_in(heard):
    """Every 32 bytes that somebody heard, written as hex or base64: what guesses are made of."""
    found = set()
    for said in {_text(said) for _, said in heard}:
        for text in HEX.findall(said):
            found.update(text[place : place + 64].lower() for place in range(len(text) - 63))
        for text in BASE64.findall(said):
            found.add(
                base64.urlsafe_b64decode(text.replace("+", "-").replace("/", "_") + "=").hex()
            )
    return found


def opened_digests(event, values):
    """Salts that open an event's digest, for somebody who even guessed the whole body."""
    guesses = values | {"", "00" * 32, "ff" * 32}
    return {salt for salt in guesses if digest_of(salt, event["body"]) == event["digest"]}


def opened_seals(event, values):
    """Salts that open a sealed text, for somebody who even guessed the text."""
    guesses = values | {"", "00" * 32}
    return {
        salt
        for text in event.get("texts", {}).values()
        for salt in guesses
        if seal_of(salt, text["text"]) == seal_of(text["salt"], text["text"])
    }


def opened_slots(values, slots, number, lane=TABLE_LANE):
    """Values that are the key behind a slot, or the secret that the key is made from."""
    return {
        value
        for value in values
        for key in (bytes.fromhex(value), key_of(bytes.fromhex(value), lane, number))
        if slot_of(key) in slots
    }


def slots_of(log, lane=TABLE_LANE):
    """The slots of a lane in the order in which they were published: the first has number 1."""
    said = [event["open"].get("slots", {}) for event in log["events"]]
    return [slots[lane] for slots in said if lane in slots]
