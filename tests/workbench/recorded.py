"""What the Python of the workbench answers, for the tests of the page that have none.

    ./dev run tests.workbench.recorded          records every answer anew

The questions are those that the page asks, word for word, each with a name;
`web/tests/workbench.test.tsx` draws the answers. `test_recorded.py` asks again, and fails where
Python says something else by now; that a browser's Python says the same is shown in
`test_pyodide.py`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rollwright import workbench

FILE = Path(__file__).parents[2] / "web" / "tests" / "recorded" / "workbench" / "answers.json"
Question = tuple[str, dict[str, Any]]
Reply = dict[str, Any]

DICE = "4d6kh3\n"
RULE = '''
@rule
async def check(dice: int = 3, target: int = 5):
    """Roll some dice; each that reaches the target is a hit."""
    hand = await roll(dice * D6)
    return hand.count(lambda face: face >= target)
'''
MAPPED = """
@rule
async def hits(dice: Annotated[int, range(1, 4)] = 1, target: Annotated[int, range(5, 7)] = 5):
    return (await roll(dice * D6)).count(lambda face: face >= target)
"""
ALL = """low: d4
high: d6+2

class Hit(NamedTuple):
    hits: int
    hurt: bool

@rule
async def volley(dice: Annotated[int, range(1, 9)] = 3) -> Hit:
    hand = await roll(dice * D6)
    return Hit(hand.count(6), hand.count(1) >= 2)

@rule
async def again() -> int:
    first = await tally(D6)
    return first if await choose("keep", "throw", about=first) == "keep" else await tally(D6)

def never(now): return "keep"
# Given away
value_lost(again(), never, lambda end: end)
rw.advise(again(), lambda end: end)
volley(2)
rw.sweep(volley, where=lambda end: end.hits >= 1, dice=range(1, 5))
rw.roll("4d6kh3", seed=1)
{"a": 1, "b": Fraction(1, 3)}
print("<i>said</i>")
"""
SIGNS = """
'<img src=x onerror="document.title = 1">'
{"<b>one</b>": D6, "</title><script>": D8}
"""
SLIP = "2d6\n\nx = (1,\n"
ANYDICE = 'output [highest 3 of 4d6] named "best"'
HIT = "it >= 1"


def program(text: str, view: str = "each", **arguments: Any) -> Question:
    """A program as it lies on the workbench, with the arguments of its rules."""
    return "program", {"text": text, "arguments": arguments, "view": view, "policies": {}}


def told(question: Question) -> Reply:
    """The answer, or the error, as the page gets it."""
    kind, asked = question
    found: Reply = json.loads(workbench.reply(kind, json.dumps(asked), language="en"))
    return found


def settled(reply: Reply) -> Reply:
    """A reply without what may differ: Python's own words, and how much was remembered."""
    answer = reply.get("answer", {})
    answer.pop("spent", None)
    for problem in answer.get("problems", []):
        problem.pop("traceback", None)
    return reply


def tuned(text: str, **arguments: Any) -> dict[str, Any]:
    """What tools for the one rule of a program say of it."""
    [rule] = told(program(text, **arguments))["answer"]["rules"]
    return {"request": rule["request"], "where": HIT, "program": text}


def found_by(text: str, over: str, **arguments: Any) -> Question:
    """Which value of an argument gives the chance that is wanted."""
    [rule] = told(program(text, **arguments))["answer"]["rules"]
    [values] = [one["values"] for one in rule["arguments"] if one["name"] == over]
    tried = {"values": values} if values else {}
    return "find", {**tuned(text, **arguments), "target": "65%", "over": over, **tried}


def mapped(text: str, across: str, down: str) -> Iterator[tuple[str, Question]]:
    """A map over two arguments: a column at a time, then its files."""
    [rule] = told(program(text))["answer"]["rules"]
    columns, rows = (
        next(one["values"] for one in rule["arguments"] if one["name"] == name)
        for name in (across, down)
    )
    cells, title, chance = [], "", False
    for column in columns:
        vary = [{"field": across, "values": [column]}, {"field": down, "values": rows}]
        question = ("map", {**tuned(text), "vary": vary})
        yield f"map, {across} {column}", question
        answer = told(question)["answer"]
        cells.append([cell.get("chance") for cell in answer["cells"]])
        title = answer["measure"]["title"]
        chance = chance or any(cell and cell["chance"] for cell in cells[-1])
    exact = [cells[x][y]["exact"] for y in range(len(rows)) for x in range(len(columns))]
    grid = {"title": title, "across": across, "down": down, "cells": exact, "chance": chance}
    grid |= {"columns": [str(one) for one in columns], "rows": [str(one) for one in rows]}
    yield "map, files", ("grid", {**grid, "program": text})


def questions() -> Iterator[tuple[str, Question]]:
    """Every question by its name."""
    for view in ("each", "at_least"):
        yield f"dice, {view}", program(DICE, view=view)
    for name, arguments in {
        "a rule": {},
        "four dice": {"dice": 4},
        "five dice": {"dice": 5},
        "four dice against six": {"dice": 4, "target": 6},
        "four dice against five": {"dice": 4, "target": 5},
    }.items():
        moved: dict[str, Any] = {"check": arguments} if arguments else {}
        yield name, program(RULE, **moved)
    yield "the value that is wanted", found_by(RULE, "dice", check={"dice": 4})
    for dice in (4, 5):
        yield f"what moves {dice} dice", ("sensitivity", tuned(RULE, check={"dice": dice}))
    yield "a rule to map", program(MAPPED)
    yield from mapped(MAPPED, "dice", "target")
    yield "every kind", program(ALL)
    yield "every kind, at most", program(ALL, view="at_most")
    yield "signs", program(SIGNS)
    yield "a slip", program(SLIP)
    yield "of AnyDice", program(ANYDICE)
    yield "taken over from AnyDice", ("from_anydice", {"text": ANYDICE})
    ours = told(("from_anydice", {"text": ANYDICE}))["answer"]["python"]
    yield "the same as ours", program(ours)
    yield "the gallery", ("gallery", {})


def main() -> int:
    """Record every answer."""
    lines = []
    for name, (kind, question) in questions():
        one = {"kind": kind, "question": question, "reply": told((kind, question))}
        lines.append(f"{json.dumps(name)}: {json.dumps(one, ensure_ascii=False, sort_keys=True)}")
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    print(f"{FILE.stat().st_size / 1000:6.1f} kB  {FILE.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
