"""The published conformance file: up to date, and true on every way there is."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from vectors.notation import PATH, written

import rollwright as rw
from rollwright import notation
from rollwright.notation.breakdowns import amount_to_json

FILE = json.loads(PATH.read_text("utf-8"))


def read(value: Any) -> Any:
    """A face or an outcome as the file writes it."""
    return Fraction(value) if isinstance(value, str) and "/" in value else value


def test_the_file_is_up_to_date() -> None:
    """It is what the script writes today; run `python -m vectors.notation` after a change."""
    assert PATH.read_text("utf-8") == written()


@pytest.mark.parametrize("case", FILE["rolls"], ids=lambda case: case["expression"])
def test_the_faces_lead_to_the_value(case: dict[str, Any]) -> None:
    """Rolled in the engine with these faces, typed in as from real dice, it comes to the value."""
    faces = [read(face) for throw in case["faces"] for face in throw]
    transcript = rw.roll(case["expression"], faces=faces)
    assert case["value"] == amount_to_json(transcript.outcome)


@pytest.mark.parametrize("case", FILE["odds"], ids=lambda case: case["expression"])
def test_the_distribution_is_exact(case: dict[str, Any]) -> None:
    """The weights add up to the total, and are those of the count."""
    weights = {json.dumps(one["value"]): int(one["weight"]) for one in case["outcomes"]}
    assert int(case["total"]) == sum(weights.values()) + int(case["lost"])
    odds = rw.odds(case["expression"])
    for outcome, weight in odds.items():
        share = Fraction(weights[json.dumps(amount_to_json(outcome))], int(case["total"]))
        assert share == Fraction(weight, odds.total)


def test_what_is_refused_has_sound_suggestions() -> None:
    """Every suggestion in the file parses."""
    for case in FILE["refused"]:
        for suggestion in case["suggestions"]:
            notation.parse(suggestion)


@pytest.mark.parametrize("case", FILE["remarks"], ids=lambda case: case["expression"])
def test_the_remarks_are_those_of_the_file(case: dict[str, Any]) -> None:
    """Each with its place and the other reading."""
    found = notation.roll(case["expression"]).hints
    listed = [{"code": one.code, "span": list(one.span), "other": one.other} for one in found]
    assert case["remarks"] == listed
