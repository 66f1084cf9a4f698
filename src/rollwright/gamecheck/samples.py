"""Rolls and sheets to try a game with, made from what it says of itself: nothing is left to chance.

There are those that its forms start with, those that its house rules are measured by, those that
its card wants compared, those of its starters; and of each the neighbours, with one field changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from rollwright.engine.transcript import Transcript
from rollwright.errors import BadField, RollwrightError
from rollwright.kit.fields import Field, Value, fields_of, made
from rollwright.kit.forms import request_of
from rollwright.kit.games import Game
from rollwright.kit.house_rules import Shows
from rollwright.kit.requests import Request, to_plain

MOST_SAMPLES, MOST_SHEETS = 24, 8
SHALLOW = 12
"""A number that has no other bounds is tried up to here."""


class Sample(NamedTuple):
    """A request to try, where it comes from, and the sheet that it was filled in from."""

    where: str
    request: Request
    sheet: Value | None = None


def sheets_of(game: Game) -> list[tuple[str, Value]]:
    """The empty sheet, the starters, and sheets with all numbers at their lowest and highest."""
    if game.sheet is None:
        return []
    found: list[tuple[str, Mapping[str, Any]]] = [("an empty sheet", {})]
    found += [(f"starter {n}", one.values) for n, one in enumerate(game.card.starters, start=1)]
    for words, edge in (("lowest", "low"), ("highest", "high")):
        numbers = {
            name: getattr(about, edge)
            for name, about in fields_of(game.sheet).items()
            if about.kind == "int" and getattr(about, edge) is not None
        }
        found.append((f"a sheet with the {words} numbers", numbers))
    sheets = []
    for where, values in found[:MOST_SHEETS]:
        try:
            sheets.append((where, made(game.sheet, values)))
        except RollwrightError:  # starters are checked as such; edges need not go together
            continue
    return sheets


def samples_of(game: Game, roll: str) -> list[Sample]:
    """Requests of a kind of roll, the usual one first, no two alike."""
    found: dict[Request, Sample] = {}
    for sample in (*_bases(game, roll), *_neighbours(game, roll)):
        if len(found) < MOST_SAMPLES and _begins(sample.request):
            found.setdefault(sample.request, sample)
    return list(found.values())


def _begins(request: Request) -> bool:
    """Whether dice would fall: a cost that a sheet cannot pay is refused before."""
    if not request.pays:
        return True
    try:
        Transcript(request.call(), request=request)
    except BadField:
        return False
    except Exception:  # which is the author's to hear of
        return True
    return True


def _bases(game: Game, roll: str) -> Iterator[Sample]:
    for where, draft, sheet in _drafts(game, roll):
        try:
            yield Sample(where, request_of(game, draft, sheet, None), sheet)
        except RollwrightError:
            continue


def _drafts(game: Game, roll: str) -> Iterator[tuple[str, Mapping[str, Any], Value | None]]:
    start = start_of(game, roll, None)
    yield roll, {"roll": roll, **start}, None
    sheets = sheets_of(game)
    for where, sheet in sheets[:2]:
        yield from _fill_drafts(game, roll, where, sheet)
    for build in game.card.roll(roll).explore.builds:
        yield f"{roll} {dict(build)}", {"roll": roll, "set": {**start["set"], **build}}, None
    for about in fields_of(game.house).values():
        shows: Shows | None = about.more.get("shows")
        if shows is not None and shows.roll == roll:
            yield f"{roll} of house rule {about.name}", {"roll": roll, "set": shows.fields}, None
    for where, sheet in sheets[2:]:
        yield from _fill_drafts(game, roll, where, sheet)


def _fill_drafts(
    game: Game, roll: str, where: str, sheet: Value
) -> Iterator[tuple[str, Mapping[str, Any], Value]]:
    """Yield the first draft of a sheet's form, and the same with each of its picks."""
    start = start_of(game, roll, sheet)
    yield f"{roll} from {where}", {"roll": roll, **start}, sheet
    for name, value in _picks(game, roll, sheet):
        if start["pick"].get(name) != value:
            picked = {**start["pick"], name: value}
            place = f"{roll} from {where} with {value!r}"
            yield place, {"roll": roll, **start, "pick": picked}, sheet


def _picks(game: Game, roll: str, sheet: Value) -> list[tuple[str, Any]]:
    """The first thing of the sheet that each control of the form offers and that may be picked."""
    from rollwright.kit.forms import form_of

    found = []
    with suppress(RollwrightError):
        for control in controls_in(form_of(game, {"roll": roll}, sheet, None)["form"]):
            at = str(control.get("at", ""))
            offered = [one for one in control.get("options") or () if not one.get("off")]
            values = [one["value"] for one in offered if isinstance(one["value"], str)]
            if control["control"] == "pick" and at.startswith("pick.") and at.count(".") == 1:
                found += [(at.removeprefix("pick."), value) for value in values[:1]]
    return found


def controls_in(shown: list[Any]) -> Iterator[dict[str, Any]]:
    """Every control of a form, also those in groups."""
    for control in shown:
        yield control
        yield from controls_in(control.get("form") or [])


def rollers_of(game: Game) -> dict[Request, list[tuple[str, Value]]]:
    """By the request that its form starts with, the sheets that would make it."""
    found: dict[Request, list[tuple[str, Value]]] = {}
    for roll in game.requests:
        for whose, sheet in sheets_of(game):
            for _, draft, _ in _fill_drafts(game, roll, whose, sheet):
                with suppress(RollwrightError):
                    request = request_of(game, draft, sheet, None)
                    found.setdefault(request, []).append((whose, sheet))
    return found


def start_of(game: Game, roll: str, sheet: Value | None) -> dict[str, Any]:
    """Return the first draft of a roll, as its form has it."""
    from rollwright.kit.forms import form_of

    try:
        draft = form_of(game, {"roll": roll}, sheet, None)["draft"]
    except RollwrightError:
        return {"pick": {}, "set": {}}
    return {"pick": draft["pick"], "set": draft["set"]}


def _neighbours(game: Game, roll: str) -> Iterator[Sample]:
    """The usual request with one field changed."""
    base = next(_bases(game, roll), None)
    if base is None:
        return
    for name, about in fields_of(game.requests[roll]).items():
        for value in _values(about, getattr(base.request, name)):
            try:
                request = game.request(roll, **{**_request_to_json(base.request), name: value})
            except RollwrightError:
                continue
            yield Sample(f"{roll} with {name} {value!r}", request)


def _request_to_json(request: Request) -> dict[str, Any]:
    plain = to_plain(request, whole=True)
    return {name: held for name, held in plain.items() if name in fields_of(type(request))}


def _values(about: Field, held: Any) -> list[Any]:
    """Other values that a field may have."""
    if about.kind == "bool":
        return [not held]
    if about.kind == "int":
        low = about.low if about.low is not None else -2
        return sorted({low, min(about.high if about.high is not None else low + 3, SHALLOW)})
    return [choice for choice in about.choices if choice != held]


def wrong_values(about: Field) -> list[Any]:
    """Values that a field refuses, or should: of another kind, or beyond its bounds."""
    if about.kind == "int":
        return ["?", *([about.high + 1] if about.high is not None else [])]
    if about.kind == "any":
        return [{"?": 7}]
    return ["?!"] if about.kind in ("bool", "choice", "fraction", "number") else [7]
