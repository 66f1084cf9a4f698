"""Random lines, each settled by a seed: soup, slips in sound lines, and sound lines of any size."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.notation.test_errors import NASTY
from tests.notation.test_fuzz import PIECES
from tests.notation.test_odds import CONSTRUCTS

COUNTS = ["", *map(str, (0, 1, 2, 3, 4, 10, 50, 100, 1_000, 20_000)), "(1d4)", "(1d100)", "(2d6)"]
SIDES = [
    *map(str, (1, 2, 3, 4, 6, 8, 10, 20, 100, 1_000, 20_000)),
    "F", "%", "{1,2,3}", "{0.5,2}", "{-1,5,1000}", "(1d6)", "(1d100)", "d66",
]  # fmt: skip
NUMBERS = ["1", "2", "3", "5", "10", "100", "1000", "19999", "(1d2)", "(1d100)", "0.5"]
TESTS = ["=", "<", ">", "<=", ">=", "<>"]
STAGES = [
    ["ro", "rr", "ro=", "rr<"],
    ["u", "!", "!!", "!p", "!!p", "!=", "!>", "!!<", "!p>", "xo", "xo=", "ra="],
    ["min", "max"],
    ["kh", "kl", "dh", "dl", "k>", "k=", "adv", "dis"],
    ["=", ">", "<=", "<>", "t", "even", "odd"],
    ["f", "f=", "ms=", "sf="],
    ["cs", "cf>", "sa", "sd"],
]
"""What can be done to dice, in the order in which it is written."""
ALONE = frozenset(["u", "!", "!!", "!p", "!!p", "xo", "adv", "dis", "even", "odd", "sa", "sd"])
OPERATIONS = ["+", "+", "-", "*", "/", "//", "%", "**"]
FUNCTIONS = ["floor", "ceil", "abs", "max", "min", "sqrt", "round"]
DEEPEST = 3


def soup(random: Random) -> str:
    """Words of the language in any order."""
    return "".join(random.choices(PIECES, k=random.randint(1, 25)))


def slips(random: Random) -> str:
    """A line of the tests in which some characters are replaced, inserted or taken out."""
    text = random.choice([*CONSTRUCTS, *NASTY])
    for _ in range(random.randint(1, 4)):
        place = random.randint(0, min(len(text), 40))
        text = text[:place] + random.choice(["", *PIECES]) + text[place + random.randint(0, 1) :]
    return text


def sound(random: Random) -> str:
    """A line that can be read, of any size."""
    line = expression(random)
    match random.randint(0, 15):
        case 0:
            return f"{random.choice([2, 10, 1_000])}x {line}"
        case 1:
            return f"{line} vs {expression(random)}{random.choice(['', ' nat', ' auto'])}"
        case 2:
            return f"{line}; {expression(random)}"
        case 3:
            return f"{line} # {soup(random)}"
        case _:
            return line


def expression(random: Random, depth: int = 0) -> str:
    """A sum, a product, a group, a function, a choice, or just dice."""

    def inside(most: int) -> list[str]:
        return [expression(random, depth + 1) for _ in range(random.randint(1, most))]

    kind = 9 if depth >= DEEPEST else random.randint(0, 11)
    if kind <= 2:
        return inside(1)[0] + random.choice(OPERATIONS) + inside(1)[0]
    if kind == 3:
        return f"{{{random.choice([',', '+']).join(inside(4))}}}{treatment(random)}"
    if kind == 4:
        return f"{random.choice(FUNCTIONS)}({','.join(inside(2))})"
    if kind == 5:
        one, other, then, otherwise = (expression(random, depth + 1) for _ in range(4))
        return f"if({one}{random.choice(TESTS)}{other},{then},{otherwise})"
    if kind == 6:
        return "+".join([dice(random)] * random.choice([2, 5, 50, 500]))
    if kind == 7:
        return random.choice(NUMBERS)
    return dice(random)


def dice(random: Random) -> str:
    """Dice, and what is done to them."""
    return f"{random.choice(COUNTS)}d{random.choice(SIDES)}{treatment(random)}"


def treatment(random: Random) -> str:
    """What is done to dice, from nothing to three things in their order."""
    stages = sorted(random.sample(range(len(STAGES)), random.choice([0, 0, 1, 1, 2, 3])))
    words = [random.choice(STAGES[stage]) for stage in stages]
    return "".join([w if w in ALONE else w + random.choice(NUMBERS) for w in words])


KINDS: dict[str, Callable[[Random], str]] = {"soup": soup, "slips": slips, "sound": sound}


def line_of(kind: str, seed: int) -> str:
    """The line of a kind that a seed settles."""
    return KINDS[kind](Random(f"{kind} {seed}"))
