"""Ed25519: who signed what, by one strict rule that every implementation of ours keeps.

The key is a point of the prime-order group in its one encoding; S is between 1 and L - 1; and the
encoding of [S]B - [k]A is R, byte by byte. Libraries differ on what lies beyond that, and a log
that is true for one of them and false for another would accuse somebody.

PyNaCl does it where it is installed, by the plain operations on points; else Python does, at
some milliseconds a signature.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from hashlib import sha512

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)
"""A square root of -1."""

Point = tuple[int, int, int, int]
"""x, y, z and x·y, of which x and y are to be divided by z."""

NEUTRAL: Point = (0, 1, 1, 0)


def is_key(key: bytes) -> bool:
    """Whether these bytes can be somebody's public key."""
    return len(key) == 32 and _valid_key(key)


def has_valid_signature(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the owner of the key has signed the message."""
    if len(signature) != 64 or not is_key(key):
        return False
    r, s = signature[:32], signature[32:]
    if not 0 < int.from_bytes(s, "little") < L:
        return False
    k = int.from_bytes(sha512(r + key + message).digest(), "little") % L
    return _difference(s, k, key) == r


def _valid_in_python(key: bytes) -> bool:
    point = decode_point(key)
    return (
        point is not None
        and encode_point(point) != encode_point(NEUTRAL)
        and _is_neutral(times(L, point))
    )


def _difference_in_python(s: bytes, k: int, key: bytes) -> bytes | None:
    point = decode_point(key)
    if point is None:
        return None
    x, y, z, t = point
    return encode_point(_both(int.from_bytes(s, "little"), BASE, k, (P - x, y, z, P - t)))


def _both(n: int, one: Point, m: int, other: Point) -> Point:
    """n times one point and m times another, with the doublings done once for the two."""
    sums = (NEUTRAL, one, other, add(one, other))
    found = NEUTRAL
    for place in range(max(n.bit_length(), m.bit_length()) - 1, -1, -1):
        found = double(found)
        if which := (n >> place & 1) + 2 * (m >> place & 1):
            found = add(found, sums[which])
    return found


def add(one: Point, other: Point) -> Point:
    """The sum of two points."""
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = other
    a, b = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def double(point: Point) -> Point:
    """A point added to itself."""
    x, y, z, _ = point
    a, b = x * x % P, y * y % P
    h, g = a + b, a - b
    e, f = h - (x + y) * (x + y), 2 * z * z + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number: int, point: Point) -> Point:
    """A multiple of a point."""
    return _both(number, point, 0, NEUTRAL)


def _is_neutral(point: Point) -> bool:
    x, y, z, _ = point
    return x % P == 0 and (y - z) % P == 0


def encode_point(point: Point) -> bytes:
    """A point in 32 bytes: y, and whether x is odd."""
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    return ((y * inverse % P) | (x * inverse % P & 1) << 255).to_bytes(32, "little")


def decode_point(plain: bytes) -> Point | None:
    """The point of these bytes, if they are its one encoding."""
    number = int.from_bytes(plain, "little")
    y, odd = number & (1 << 255) - 1, number >> 255
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (not x and odd):
        return None
    if x & 1 != odd:
        x = P - x
    return x, y, 1, x * y % P


def _base() -> Point:
    found = decode_point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    assert found is not None
    return found


BASE = _base()

_valid_key: Callable[[bytes], bool]
_difference: Callable[[bytes, int, bytes], bytes | None]

try:
    from nacl import bindings, exceptions
except ImportError:
    HAS_NACL = False
    _valid_key, _difference = lru_cache(maxsize=1024)(_valid_in_python), _difference_in_python
else:
    HAS_NACL = True
    _valid_key = lru_cache(maxsize=1024)(bindings.crypto_core_ed25519_is_valid_point)

    def _difference(s: bytes, k: int, key: bytes) -> bytes | None:
        try:
            mine = bindings.crypto_scalarmult_ed25519_base_noclamp(s)
            theirs = bindings.crypto_scalarmult_ed25519_noclamp(k.to_bytes(32, "little"), key)
            return bytes(bindings.crypto_core_ed25519_sub(mine, theirs))
        except exceptions.CryptoError:  # one of them is the neutral element
            return None
