"""Writes `notation.json` from the cases of our own tests: `python -m vectors.notation`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.notation.test_errors import NASTY
from tests.notation.test_odds import CONSTRUCTS
from tests.notation.test_remarks import CLEAR, OTHERS
from tests.notation.test_suggestions import SLIPS

from rollwright import notation
from rollwright.engine.sources import SeededSource
from rollwright.notation.breakdowns import amount_to_json

PATH = Path(__file__).with_name("notation.json")
FORMAT = 1
LONGEST = 200
"""Distributions with more outcomes than this are left out."""


def rolled(text: str) -> dict[str, Any]:
    """One expression with faces and its value."""
    result = notation.roll(text, source=SeededSource(f"conformance {text}"))
    faces = [[amount_to_json(face) for face in throw] for throw in result.throws]
    return {"expression": text, "faces": faces, "value": amount_to_json(result.value)}


def counted(text: str) -> dict[str, Any] | None:
    """One expression with its exact distribution, if that is short."""
    odds = notation.odds(text).reduced()
    if len(odds) > LONGEST:
        return None
    outcomes = [{"value": amount_to_json(o), "weight": str(weight)} for o, weight in odds.items()]
    return {
        "expression": text,
        "total": str(odds.total),
        "outcomes": outcomes,
        "lost": str(odds.lost),
    }


def refused(text: str) -> dict[str, Any] | None:
    """One expression that cannot be rolled, with the code and the suggestions."""
    try:
        notation.roll(text)
    except notation.NotationError as problem:
        return {
            "expression": text,
            "code": problem.code,
            "suggestions": list(problem.repairs),
        }
    return None


def remarked(text: str) -> dict[str, Any]:
    """One expression with what may have been meant otherwise in it."""
    found = notation.roll(text).hints
    listed = [{"code": one.code, "span": list(one.span), "other": one.other} for one in found]
    return {"expression": text, "remarks": listed}


def cases() -> dict[str, Any]:
    """Everything the file holds."""
    return {
        "format": FORMAT,
        "rolls": [rolled(text) for text in CONSTRUCTS],
        "odds": [case for text in CONSTRUCTS if (case := counted(text))],
        "remarks": [remarked(text) for text in (*OTHERS, *CLEAR)],
        "refused": [
            case for text in (*NASTY, *SLIPS) if text.isprintable() and (case := refused(text))
        ],
    }


def written() -> str:
    """The file as text: one case to a line, so that changes can be read."""
    lines = ["{", f'"format": {FORMAT}']
    for name, listed in cases().items():
        if isinstance(listed, list):
            dumped = ",\n".join([json.dumps(case, ensure_ascii=False) for case in listed])
            lines[-1] += ","
            lines.append(f'"{name}": [\n{dumped}\n]')
    return "\n".join([*lines, "}", ""])


if __name__ == "__main__":
    PATH.write_text(written(), "utf-8")
