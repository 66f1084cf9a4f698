"""Writes `signatures.json`, which signatures are accepted: `python -m vectors.signatures`.

The arithmetic is written once more here, plainly and slowly, so that the file does not rest on
what is tested with it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

PATH = Path(__file__).with_name("signatures.json")
FORMAT = 1

P = 2**255 - 19
"""The prime of the field."""
L = 2**252 + 27742317777372353535851937790883648493
"""The order of the subgroup that signatures live in."""
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)
"""A square root of -1."""

Point = tuple[int, int]
Fractional = tuple[int, int, int]
NEUTRAL: Point = (0, 1)


def added(a: Point, b: Point) -> Point:
    """The sum of two points of the twisted Edwards curve."""
    return _plain(_added((*a, 1), (*b, 1)))


def times(number: int, point: Point) -> Point:
    """The point so many times."""
    total, double = (*NEUTRAL, 1), (*point, 1)
    while number:
        if number & 1:
            total = _added(total, double)
        double = _added(double, double)
        number >>= 1
    return _plain(total)


def _added(a: Fractional, b: Fractional) -> Fractional:
    """The sum of points whose x and y stand over a common denominator; there are no exceptions."""
    (x1, y1, z1), (x2, y2, z2) = a, b
    z, xx, yy = z1 * z2 % P, x1 * x2 % P, y1 * y2 % P
    both = D * xx * yy % P
    less, more = (z * z - both) % P, (z * z + both) % P
    return z * less * (x1 * y2 + x2 * y1) % P, z * more * (xx + yy) % P, less * more % P


def _plain(point: Fractional) -> Point:
    x, y, z = point
    inverse = pow(z, -1, P)
    return x * inverse % P, y * inverse % P


def negative(point: Point) -> Point:
    """What makes the neutral element of the point."""
    return -point[0] % P, point[1]


def encoded(point: Point) -> bytes:
    """The one right encoding: y, and in the highest bit whether x is odd."""
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def decoded(data: bytes) -> Point | None:
    """What careless readers take for a point: y may be p or more, and x = 0 may be negative."""
    number = int.from_bytes(data, "little")
    y, is_odd = (number & (2**255 - 1)) % P, number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * ROOT % P
    if x * x % P != square:
        return None
    return (x if x & 1 == is_odd else -x % P), y


def number_of(data: bytes) -> int:
    """The number in bytes, the smallest first."""
    return int.from_bytes(data, "little")


def challenge(r: bytes, key: bytes, message: bytes) -> int:
    """The number `k` of a signature."""
    return number_of(hashlib.sha512(r + key + message).digest()) % L


def known(name: str) -> bytes:
    """Bytes that everybody can make again."""
    return hashlib.sha256(f"rollwright/signatures/{name}".encode()).digest()


@dataclass(frozen=True)
class Key:
    """A key that signs, as RFC 8032 has it."""

    seed: bytes

    @property
    def secret(self) -> int:
        """The secret number."""
        half = bytearray(hashlib.sha512(self.seed).digest()[:32])
        half[0] &= 248
        half[31] = half[31] & 63 | 64
        return number_of(half)

    @property
    def point(self) -> Point:
        """The point that everybody may know."""
        return times(self.secret, BASE)

    @property
    def public(self) -> bytes:
        """Its encoding."""
        return encoded(self.point)

    def chosen(self, message: bytes) -> int:
        """The number `r`, which follows from key and message."""
        return number_of(hashlib.sha512(self._prefix + message).digest()) % L

    def sign(self, message: bytes) -> bytes:
        """The signature of the message."""
        r = self.chosen(message)
        start = encoded(times(r, BASE))
        s = (r + challenge(start, self.public, message) * self.secret) % L
        return start + s.to_bytes(32, "little")

    @property
    def _prefix(self) -> bytes:
        return hashlib.sha512(self.seed).digest()[32:]


def _point(y: int) -> Point:
    found = decoded(y.to_bytes(32, "little"))
    assert found is not None
    return found


BASE = _point(4 * pow(5, -1, P) % P)
EIGHTH = next(
    point
    for point in (decoded(known(f"torsion {number}")) for number in range(99))
    if point and times(4, times(L, point)) != NEUTRAL
)
TORSION = tuple(times(number, times(L, EIGHTH)) for number in range(8))
"""The eight points of small order; the first is the neutral element."""
ORDERS = (1, 8, 4, 8, 2, 8, 4, 8)


@dataclass(frozen=True)
class Case:
    """What a verifier is asked, and what it must say."""

    name: str
    key: bytes
    message: bytes
    signature: bytes
    valid: bool = False

    def plain(self) -> dict[str, Any]:
        """For the file, with what laxer rules would have said."""
        fields = {
            name: value.hex() if isinstance(value, bytes) else value
            for name, value in asdict(self).items()
        }
        return fields | {"lax": list(self.lax())}

    def lax(self) -> Iterator[str]:
        """The careless rules by which it would be accepted: points decoded anyhow, any `S`."""
        key, r = decoded(self.key[:32]), decoded(self.signature[:32])
        if (len(self.key), len(self.signature)) != (32, 64) or not key or not r:
            return
        s = number_of(self.signature[32:])
        k = challenge(self.signature[:32], self.key, self.message)
        right = added(r, times(k, key))
        if times(s, BASE) == right:
            yield "without cofactor"
        if times(8 * s, BASE) == times(8, right):
            yield "with cofactor"


KEYS = [Key(known(f"key {number}")) for number in range(4)]
MESSAGES = [b"", known("message"), b"\x00", bytes(range(200))]


def signed() -> list[dict[str, str]]:
    """Seeds, with the one signature that each makes of a message."""
    return [
        {
            "seed": key.seed.hex(),
            "key": key.public.hex(),
            "message": message.hex(),
            "signature": key.sign(message).hex(),
        }
        for key in KEYS
        for message in MESSAGES
    ]


def _bytes(number: int) -> bytes:
    return number.to_bytes(32, "little")


def honest() -> Iterator[Case]:
    """True signatures, and what is wrong with them at first sight."""
    key, other = KEYS[0], KEYS[1]
    message = MESSAGES[1]
    true = key.sign(message)
    r, s = true[:32], number_of(true[32:])
    for number, (signer, text) in enumerate(zip(KEYS, MESSAGES)):
        yield Case(f"true {number}", signer.public, text, signer.sign(text), valid=True)
    yield Case("one bit of the message", key.public, message[:-1] + b"!", true)
    yield Case("a longer message", key.public, message + b"\x00", true)
    yield Case("an empty message", key.public, b"", true)
    yield Case("another key", other.public, message, true)
    yield Case("the negative key", encoded(negative(key.point)), message, true)
    yield Case("another signature's R", key.public, message, other.sign(message)[:32] + true[32:])
    yield Case("the negative R", key.public, message, r[:31] + bytes([r[31] ^ 128]) + true[32:])
    yield Case("S and one", key.public, message, r + _bytes((s + 1) % L))
    yield Case("the negative S", key.public, message, r + _bytes(L - s))
    yield Case("nothing but noughts", key.public, message, bytes(64))
    yield Case("the halves changed about", key.public, message, true[32:] + r)
    yield Case("a signature of 63 bytes", key.public, message, true[:-1])
    yield Case("a signature of 65 bytes", key.public, message, true + b"\x00")
    yield Case("no signature", key.public, message, b"")
    yield Case("a key of 31 bytes", key.public[:-1], message, true)
    yield Case("a key of 33 bytes", key.public + b"\x00", message, true)


def scalars() -> Iterator[Case]:
    """Numbers S that mean the same as a smaller one, or nothing."""
    key, message = KEYS[2], MESSAGES[1]
    true = key.sign(message)
    r, s = true[:32], number_of(true[32:])
    for more in (1, 2, 7, 15):
        yield Case(f"S and {more} times L", key.public, message, r + _bytes(s + more * L))
    others = {"0": 0, "L": L, "L - 1": L - 1, "2^256 - 1": 2**256 - 1}
    others |= {"with the highest bit": s | 1 << 255, "with three high bits": s | 7 << 253}
    for name, value in others.items():
        yield Case(f"S is {name}", key.public, message, r + _bytes(value))
    neutral = encoded(NEUTRAL)
    yield Case("S is 0, R and key are neutral", neutral, message, neutral + bytes(32))
    yield Case("S is L, R and key are neutral", neutral, message, neutral + _bytes(L))
    yield Case("S is 0 and R is neutral", key.public, message, neutral + bytes(32))


def points_of_small_order() -> Iterator[Case]:
    """Keys whose holder is everybody, and values R that such keys would explain."""
    key, message = KEYS[3], MESSAGES[1]
    for number, (point, order) in enumerate(zip(TORSION, ORDERS)):
        name = f"of order {order} ({number})"
        public = encoded(point)
        text, r, s = _text_for(public, order, name)
        yield Case(f"key {name}", public, text, r + _bytes(s))
        k = challenge(public, key.public, message)
        s = k * key.secret % L
        # R of nothing but the neutral element gives the key away; it is a signature all the same.
        yield Case(f"R {name}", key.public, message, public + _bytes(s), valid=order == 1)


def _text_for(key: bytes, order: int, name: str) -> tuple[bytes, bytes, int]:
    """A message for which a key of small order vanishes from the equation, and R and S to it."""
    s = number_of(known(f"S for {name}")) % L
    r = encoded(times(s, BASE))
    texts = (known(f"{name} {number}") for number in range(999))
    return next(text for text in texts if challenge(r, key, text) % order == 0), r, s


def other_encodings() -> Iterator[Case]:
    """Points written in a way that is not the one right way."""
    key, message = KEYS[3], MESSAGES[1]
    points = [more for more in range(19) if decoded(_bytes(more))]
    wrong = {f"y is p + {more}": P + more for more in points}
    wrong |= {f"y is p + {more}, x odd": P + more | 1 << 255 for more in points}
    wrong |= {"neutral, x odd": 1 | 1 << 255, "of order 2, x odd": P - 1 | 1 << 255}
    for name, number in wrong.items():
        data = _bytes(number)
        point = decoded(data)
        order = point and next((n for n in (1, 2, 4, 8) if times(n, point) == NEUTRAL), None)
        text, r, s = _text_for(data, order or 1, name)
        yield Case(f"key: {name}", data, text, r + _bytes(s))
        s = challenge(data, key.public, message) * key.secret % L
        yield Case(f"R: {name}", key.public, message, data + _bytes(s))


def no_points() -> Iterator[Case]:
    """Bytes that are no point at all."""
    key, message = KEYS[3], MESSAGES[1]
    none = [y for y in range(99) if decoded(_bytes(y)) is None][:3]
    for y in none:
        yield Case(f"key: no point has y = {y}", _bytes(y), message, key.sign(message))
        yield Case(f"R: no point has y = {y}", key.public, message, _bytes(y) + bytes([1] * 32))


def mixed() -> Iterator[Case]:
    """Points with a component of small order: cofactored verifiers do not see it."""
    key, message = KEYS[0], MESSAGES[1]
    for number, (torsion, order) in enumerate(zip(TORSION, ORDERS)):
        if not number:
            continue
        name = f"a component of order {order} ({number})"
        public = encoded(added(key.point, torsion))
        r = key.chosen(message)
        start = encoded(times(r, BASE))
        texts = [known(f"mixed {number} {text}") for text in range(99)]
        for seen, how in ((True, "seen by the equation"), (False, "not seen by it")):
            text = next(t for t in texts if (challenge(start, public, t) % order != 0) == seen)
            s = (r + challenge(start, public, text) * key.secret) % L
            yield Case(f"key with {name}, {how}", public, text, start + _bytes(s))
        start = encoded(added(times(r, BASE), torsion))
        s = (r + challenge(start, key.public, message) * key.secret) % L
        yield Case(f"R with {name}", key.public, message, start + _bytes(s))
        text = next(t for t in texts if challenge(start, public, t) * number % 8 == 8 - number)
        s = (r + challenge(start, public, text) * key.secret) % L
        yield Case(f"key and R with {name}", public, text, start + _bytes(s))


def checked() -> list[Case]:
    """Every signature to be accepted or refused."""
    parts = (honest, scalars, points_of_small_order, other_encodings, no_points, mixed)
    return [case for part in parts for case in part()]


def written() -> str:
    """The file as text: one case to a line, so that changes can be read."""
    lists = {"signed": signed(), "checked": [case.plain() for case in checked()]}
    lines = ["{", f'"format": {FORMAT}']
    for name, cases in lists.items():
        lines[-1] += ","
        dumped = ",\n".join([json.dumps(case) for case in cases])
        lines.append(f'"{name}": [\n{dumped}\n]')
    return "\n".join([*lines, "}", ""])


if __name__ == "__main__":
    PATH.write_text(written(), "utf-8")
