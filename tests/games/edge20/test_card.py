"""The card: forms, sheets, what lies there, what is asked, what it came to, in two languages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rollwright as rw
from rollwright.games.edge20 import House, Sheet, game
from rollwright.kit import fields_of
from rollwright.kit.controls import Person
from rollwright.kit.forms import form_of, request_of
from rollwright.kit.requests import to_plain
from rollwright.kit.surfaces import (
    failed_parts,
    say,
)
from rollwright.words.check import problems_in

ANN = Sheet(
    name="Ann",
    skills=[{"name": "Brawn", "modifier": 7}, {"name": "Aim", "modifier": 3}],
    items=[
        {"name": "rifle", "tier": 3, "effect": "2d6+3"},
        {"name": "saw", "tier": 2, "weapon": False, "disabled": True, "attempts": 1},
    ],
    edges=["high ground", "aid", "-rain"],
    changes=[
        {"source": "song", "amount": 2},
        {"source": "scope", "amount": 3},
        {"source": "calm", "amount": 3},
        {"source": "mud", "amount": -1},
        {"source": "salve", "amount": 2, "on": "effect"},
    ],
    rerolls=2,
    checks_made=1,
)
SHEETS = {"no sheet": None, "a sheet": ANN, "an empty sheet": Sheet(checks_made=2)}
EVENING = Path(__file__).parent / "evening.de.txt"


def controls(form: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every control of a form, those inside others too."""
    for control in form:
        yield control
        yield from controls(control.get("form", []))
        for part in control.get("parts", []):
            yield from controls(part["form"])


def form(
    roll: str = "check",
    sheet: Sheet | None = None,
    *,
    house: House | None = None,
    purpose: str = "roll",
    people: tuple[Person, ...] = (),
    pick: dict[str, Any] | None = None,
    **said: Any,
) -> dict[str, Any]:
    """The answer to a draft."""
    draft = {"roll": roll, "pick": pick or {}, "set": said}
    return form_of(game, draft, sheet, house, people, purpose)


def at(answer: dict[str, Any], path: str) -> dict[str, Any]:
    """The control at a path of the draft."""
    return next(one for one in controls(answer["form"]) if one.get("at") == path)


def english(text: Any) -> str:
    """A text as it is said in English."""
    return say(text, "edge20")


def german(text: Any) -> str:
    """A text as it is said in German."""
    return say(text, "edge20", "de")


# Words


def test_german_has_every_message() -> None:
    """Every id of English is in German with the same values, and nothing else is."""
    assert [] == problems_in(game.words.sources[0])


def wanted() -> Iterator[str]:
    """Every id that surfaces look for by name."""
    for roll, kind in game.requests.items():
        yield f"roll.{roll}"
        yield from (f"label.{name}" for name in fields_of(kind))
        yield from (f"outcome.{name}" for name in kind.outcome._fields)
    yield from (f"label.{name}" for name in fields_of(Sheet))
    yield from (f"goal.{name}" for name in game.goals)
    yield from (f"policy.{name}" for name in game.policies)
    yield from (f"question.{name}" for name in game.questions)
    for name, about in fields_of(game.house).items():
        yield from (f"house.{name}", f"help.house.{name}")
        plain = {True: "true", False: "false", None: "null"}
        readings = about.more["readings"]
        yield from (f"house.{name}.{plain.get(one, str(one))}" for one in readings)


def test_whatever_surfaces_look_for_has_words() -> None:
    """Rolls, fields, outcomes, goals, policies, questions and readings of house rules."""
    assert [] == [name for name in wanted() if name not in game.words]


def test_house_rules_say_in_words_what_they_say_in_the_game() -> None:
    """The texts of the catalog are those that rulebooks and reference pages have."""
    for name, about in fields_of(game.house).items():
        assert about.help == english([f"help.house.{name}"])
        for value, text in about.more["readings"].items():
            key = {True: "true", False: "false", None: "null"}.get(value, str(value))
            assert text == english([f"house.{name}.{key}"])


# Forms


@pytest.mark.parametrize("sheet", SHEETS.values(), ids=SHEETS)
@pytest.mark.parametrize("roll", game.requests)
def test_what_a_roll_starts_with_can_be_rolled(roll: str, sheet: Sheet | None) -> None:
    """The first form makes a request, and its draft alone makes the same one."""
    answer = form(roll, sheet)
    assert answer["can"], answer["why"]
    request = request_of(game, answer["draft"], sheet, None)
    assert answer["request"] == to_plain(request, whole=True)
    assert rw.roll(request, seed=1, policy="never").is_done
    assert answer["dice"]
    assert [] == failed_parts(game)


def refusals() -> Iterator[tuple[str, str, Any]]:
    """For every field of every roll something that will not do."""
    wrong = {"int": 10_000, "text": "x" * 300, "bool": "perhaps", "any": "x" * 99}
    for roll, kind in game.requests.items():
        for name, about in fields_of(kind).items():
            if name == "house":
                continue
            bad = [1, "x"] if about.kind == "list" else wrong[about.kind]
            yield roll, name, {"checks": "none"}.get(name, bad)


@pytest.mark.parametrize("sheet", [None, ANN], ids=["no sheet", "a sheet"])
@pytest.mark.parametrize(("roll", "name", "bad"), [*refusals()])
def test_a_refused_field_is_refused_at_its_control(
    roll: str, name: str, bad: Any, sheet: Sheet | None
) -> None:
    """The form stays complete, says what is wrong in both languages, and cannot be rolled."""
    answer = form(roll, sheet, **{name: bad})
    whole = [one.get("at") for one in controls(form(roll, sheet)["form"])]
    assert whole == [one.get("at") for one in controls(answer["form"])]
    assert not answer["can"]
    wrong = [one for one in controls(answer["form"]) if "wrong" in one]
    names = {"disadvantages": "advantages"}
    (control,) = wrong
    assert control["at"] in (f"set.{names.get(name, name)}", f"pick.{name}")
    assert answer["why"] == control["wrong"]
    assert english(control["wrong"]) != german(control["wrong"])
