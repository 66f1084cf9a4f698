"""Reading a QR code as a phone does that sees every square of it: without correcting errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator

MASKS: list[Callable[[int, int], bool]] = [
    lambda x, y: (x + y) % 2 == 0,
    lambda x, y: y % 2 == 0,
    lambda x, y: x % 3 == 0,
    lambda x, y: (x + y) % 3 == 0,
    lambda x, y: (x // 3 + y // 2) % 2 == 0,
    lambda x, y: x * y % 2 + x * y % 3 == 0,
    lambda x, y: (x * y % 2 + x * y % 3) % 2 == 0,
    lambda x, y: ((x + y) % 2 + x * y % 3) % 2 == 0,
]
SIZE, CENTRE = 37, 30
COUNT, LENGTH = 2, 43
"""How large a code of version 5 is and where its small mark lies; and into how many blocks of how
many bytes its text is split with correction M. A link to a table fits into one."""
BYTES = 4
"""The mode of texts that are written in bytes."""


def read(rows: list[list[bool]]) -> str:
    """What stands in a code of version 5 with correction M."""
    assert SIZE == len(rows)
    told = [rows[SIZE - n][8] for n in (5, 4, 3)]
    mask = MASKS[(not told[0]) + 2 * told[1] + 4 * (not told[2])]
    bits = [rows[y][x] != mask(x, y) for x, y in path()]
    words = [int("".join("01"[bit] for bit in bits[n : n + 8]), 2) for n in range(0, len(bits), 8)]
    text = [words[n * COUNT + block] for block in range(COUNT) for n in range(LENGTH)]
    whole = "".join(f"{word:08b}" for word in text)
    assert BYTES == int(whole[:4], 2)
    many = int(whole[4:12], 2)
    return bytes(int(whole[n : n + 8], 2) for n in range(12, 12 + 8 * many, 8)).decode()


def path() -> Iterator[tuple[int, int]]:
    """The squares that hold data, from the lower right, in columns of two, up and down."""
    up = True
    for right in (*range(SIZE - 1, 6, -2), 5, 3, 1):
        for y in reversed(range(SIZE)) if up else range(SIZE):
            yield from ((x, y) for x in (right, right - 1) if is_data(x, y))
        up = not up


def is_data(x: int, y: int) -> bool:
    """Whether a square is none of the marks by which a code is found and measured."""
    corner = (x < 9 and y < 9) or (x < 9 and y >= SIZE - 8) or (x >= SIZE - 8 and y < 9)
    small = abs(x - CENTRE) <= 2 and abs(y - CENTRE) <= 2
    return not (corner or small or x == 6 or y == 6)
