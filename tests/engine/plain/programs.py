"""Random plain programs: loops, ifs, lists, dicts, parts and choices, as source text."""

from __future__ import annotations

import linecache
from fractions import Fraction
from random import Random
from typing import Any

from rollwright.dice import Die
from rollwright.engine.steps import Call
from rollwright.rules import choose, roll, rule

HEAD = """\
async def helper(x, row):
    face = sum(await roll(D2))
    row.append(face + x)
    if len(row) > 2:
        row.pop(0)
    return face * x

@rule
async def part(x):
    total = x
    while sum(await roll(D2)) == 2 and total < 3:
        total += 1
    return total

@rule
async def program(a, b):
    xs = [a]
    ys = xs
    d = {"k": b}
    c = 0
"""


class Writer:
    """Writes one program; every loop is short."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)
        self.lines: list[str] = []
        self.loops = 0
        self.asks = 5

    def text(self) -> str:
        """The whole program."""
        self.block(1, 4)
        end = self.pick("(a, b, c)", "(tuple(xs), a > 0)", "(d['k'], tuple(ys), b)", "a == b or c")
        return HEAD + "\n".join([*self.lines, f"    return {end}"]) + "\n"

    def pick(self, *options: str) -> str:
        return self.dice.choice(options)

    def add(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def name(self) -> str:
        return self.pick("a", "b", "c")

    def value(self) -> str:
        return self.pick(
            "a",
            "b",
            "c",
            "1",
            "2",
            "len(xs)",
            "sum(ys)",
            "d['k']",
            "max(xs, default=0)",
            "min(a, 3)",
        )

    def test(self) -> str:
        one, other = self.value(), self.value()
        return self.pick(
            f"{one} > {other}", f"{one} == {other}", f"0 < {one} <= {other} + 1", f"{one} % 2",
            f"not {one}", f"{one} in xs", f"xs is ys and {one}", f"{one} or {other} > 1",
        )  # fmt: skip

    def asked(self) -> str:
        if self.asks <= 0:
            return self.value()
        self.asks -= 1
        who = self.pick("A", "B")
        return self.pick(
            "sum(await roll(D2))",
            "sum(await roll(D3))",
            f"await choose(0, 1, by='{who}')",
            f"await choose({self.name()} + 10, 1, 2, by='{who}')",
            f"await helper({self.value()}, xs)",
            f"await part(min({self.value()}, 2))",
            f"(sum(await roll(D2)) if {self.test()} else {self.value()})",
            f"({self.value()} + sum(await roll(D2)))",
            f"(1 < sum(await roll(D2)) + {self.name()} < 4)",
        )

    def block(self, indent: int, most: int) -> None:
        for _ in range(self.dice.randint(1, most)):
            self.statement(indent)

    def statement(self, indent: int) -> None:
        kind = self.dice.randrange(16)
        if kind < 4:
            self.add(indent, f"{self.name()} {self.pick('=', '+=', '=')} {self.asked()}")
        elif kind == 4:
            self.add(indent, f"xs.append({self.asked()})")
        elif kind == 5:
            self.add(indent, self.pick("xs.sort()", "ys = list(xs)", "ys = xs", "xs = xs[-2:]"))
        elif kind == 6:
            self.add(indent, f"d['k'] {self.pick('=', '+=')} {self.asked()}")
        elif kind == 7:
            self.add(indent, f"xs[0] = {self.asked()}" if self.dice.random() < 0.5 else "xs += [b]")
        elif kind in (8, 9, 10) and indent < 4:
            self.add(indent, f"if {self.test()}:")
            self.block(indent + 1, 2)
            if self.dice.random() < 0.5:
                self.add(indent, "else:")
                self.block(indent + 1, 2)
        elif kind in (11, 12) and indent < 3:
            self.for_loop(indent)
        elif kind == 13 and indent < 3:
            self.while_loop(indent)
        elif kind == 14 and self.asks > 1:
            self.asks -= 2
            self.add(indent, "xs = [sum(await roll(D2)) for _ in range(2)]")
        elif kind == 15 and indent > 1 and self.loops:
            self.add(indent, f"if {self.test()}:")
            self.add(indent + 1, self.pick("break", "continue"))
        else:
            self.add(indent, f"c = {self.value()}")

    def for_loop(self, indent: int) -> None:
        over = self.pick(
            "range(2)", "(1, 2)", "'ab'", "list(d)", "[*xs][:2]", "zip((1, 2), (3, 4))"
        )
        self.add(indent, f"for i in {over}:")
        self.asks -= 2
        self.inside(indent)

    def while_loop(self, indent: int) -> None:
        n = f"n{indent}"  # of its own, so that no loop inside begins it anew
        self.add(indent, f"{n} = 0")
        self.add(indent, f"while {n} < 2:")
        self.add(indent + 1, f"{n} += 1")
        self.asks -= 2
        self.inside(indent)

    def inside(self, indent: int) -> None:
        self.loops += 1
        self.block(indent + 1, 2)
        self.loops -= 1
        if self.dice.random() < 0.3:
            self.add(indent, "else:")
            self.add(indent + 1, f"b = {self.asked()}")


ADDS = """\
@rule
async def adds(x):
    n = t = 0
    while n < 2:
        n += 1
        t += sum(await roll(D2))
        if await choose(0, 1, by='A', about=n) == 1:
            break
    return t - x
"""


class Adder(Writer):
    """Writes a program with numbers that are mostly only added to, in loops that could grow."""

    def text(self) -> str:
        self.asks = 4
        self.add(1, f"t = {self.pick('0', '2', 'Fraction(1, 2)')}")
        self.add(1, "u = 0")
        self.while_loop(1)
        self.block(1, 2)
        self.while_loop(1)
        end = self.pick("t", "t - c", "(t, a)", "(a, u, t - u)", "-t if b else u", "(b, t + u)")
        return ADDS + HEAD + "\n".join([*self.lines, f"    return {end}"]) + "\n"

    def statement(self, indent: int) -> None:
        if self.dice.random() < 0.5:
            self.add(indent, self.adding())
        else:
            super().statement(indent)

    def part(self) -> str:
        """A part that adds something up by itself, once."""
        if self.asks <= 0:
            return "t += 3"
        self.asks = 0
        return f"t += await adds({self.value()})"

    def adding(self) -> str:
        """A statement that adds to something; now and then one that looks at it."""
        rare = self.pick("c = t", "if t > 2: a = 1", "u = t", "t = 0", "t *= 2", "xs.append(u)")
        return self.pick(
            f"t += {self.value()}", f"t = t + {self.asked()}", f"t -= {self.asked()}", "t += 1",
            "u += 1", f"u = 1 - u + {self.value()}", "u += t", self.part(),
            f"t += u if {self.test()} else 2", rare,
        )  # fmt: skip


def program(seed: int, writer: type[Writer] = Writer) -> tuple[Call[Any], str]:
    """A rule made of random source, and the source."""
    text = writer(seed).text()
    file = f"<{writer.__name__} program {seed}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {
        "rule": rule, "roll": roll, "choose": choose, "D2": Die(2), "D3": Die(3), "__name__": file,
        "Fraction": Fraction,
    }  # fmt: skip
    exec(compile(text, file, "exec"), scope)
    return scope["program"](1, 0), text


def first(step: Any) -> Any:
    """A policy that goes by options and chooser alone."""
    return step.options[0 if step.by == "A" else -1]
