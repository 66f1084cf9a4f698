"""A game's data for a page beside its rolls: the whole card, and sheets as widgets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rollwright.hooks import HookError, call_hook, messages_to_json, warnings
from rollwright.i18n.messages import Message
from rollwright.jsonable import canonical_json
from rollwright.kit.card.shapes import digest
from rollwright.kit.fields import Value
from rollwright.kit.games import Game
from rollwright.kit.shared import for_referees
from rollwright.kit.widgets import Widget, fields_sheet, note
from rollwright.pictures.themes import icons_to_json, theme_to_json

MOST_BOXES = 30
"""Boxes or dots that a track draws; of more it is a bar, which is drawn at once however long."""
LARGEST_FORM = 2**19
"""Bytes that a form or a sheet may take."""

FEW_POLICIES = 3


def card_to_json(game: Game) -> dict[str, Any]:
    """All of a card that does not depend on a roll."""
    card = game.card
    return {
        "rolls": {roll: _roll(game, roll) for roll in game.requests},
        "outcome": {name: {"tones": dict(tones)} for name, tones in card.outcomes.items()},
        "prices": {name: _without_unsaid(price._asdict()) for name, price in card.prices.items()},
        "dice": {name: _without_unsaid(look._asdict()) for name, look in card.dice.items()},
        "theme": theme_to_json(card.theme),
        "icons": icons_to_json(card.icons),
        "starters": [messages_to_json(starter._asdict()) for starter in card.starters],
        "trial": messages_to_json(card.trial._asdict()) if card.trial else None,
    }


def _roll(game: Game, roll: str) -> dict[str, Any]:
    """Return the presentation of a kind of roll, with the ways to decide by name."""
    card = game.card.roll(roll)
    usual = {"policy": game.usual_policy(roll), "goal": game.usual_goal(roll)}
    about = card._asdict() | usual
    policies = [
        {"value": name, "label": messages_to_json(policy_word(game, roll, name))}
        for name in _policies(game, roll)
    ]
    explore = _without_unsaid(card.explore._asdict())
    return _without_unsaid(about) | {"policies": policies, "explore": explore}


def _policies(game: Game, roll: str) -> Iterable[str]:
    """The ways to decide beside the button: those of the card; if it names none for any roll, the
    first of the game that need no more said, and best play where something is wanted.
    """
    if not game.policies or any(game.card.roll(one).policies for one in game.requests):
        return game.card.roll(roll).policies
    plain = [name for name, policy in game.policies.items() if not policy.argument]
    return [*plain[:FEW_POLICIES], *(["best"] if game.usual_goal(roll) else [])]


def policy_word(game: Game, roll: str, name: str) -> str | Message:
    """Return the label of a policy beside a kind of roll: "policy.ROLL.NAME" or "policy.NAME".

    Best play has one label, no matter which goal it is best for.
    """
    name = "best" if name.startswith("best:") else name
    if (own := f"policy.{roll}.{name}") in game.words:
        return game.words.msg(own)
    known = game.policies.get(name.partition(":")[0])
    return game.card.word(f"policy.{name}", name if known is None else known.title)


def _without_unsaid(about: Mapping[str, Any]) -> dict[str, Any]:
    return {name: messages_to_json(held) for name, held in about.items() if held}


def sheet_to_json(game: Game, sheet: Value) -> dict[str, Any]:
    """A sheet as widgets."""
    widgets = call_hook(game, "sheet", fields_sheet, sheet, shown=_widgets)
    failing = [note(warning, "bad") for warning in warnings(game)]
    return _with_hash([*messages_to_json(failing), *widgets])


def drafts_of(widgets: Iterable[Any]) -> list[dict[str, Any]]:
    """The drafts of all rolls that widgets begin, in their order, each once."""
    return list({canonical_json(draft): draft for draft in _drafts_in([*widgets])}.values())


def _drafts_in(shown: Any) -> Iterator[dict[str, Any]]:
    if isinstance(shown, list):
        for part in shown:
            yield from _drafts_in(part)
    elif isinstance(shown, dict):
        if shown.get("begins"):
            yield shown["begins"]
        yield from _drafts_in([shown.get(name, []) for name in ("rows", "show")])


def shared_sheet_to_json(game: Game, shared: Value, *, by_referee: bool) -> dict[str, Any]:
    """Return the shared sheet as widgets; fields for referees are read-only for others."""
    widgets = call_hook(game, "shared", fields_sheet, shared, shown=_widgets)
    return _with_hash(widgets if by_referee else _lock(widgets, for_referees(game.shared)))


def _with_hash(widgets: list[Widget]) -> dict[str, Any]:
    return {"hash": digest(widgets), "widgets": widgets}


def _widgets(given: Sequence[Widget]) -> list[Widget]:
    shown: list[Widget] = _drawable(pieces_to_json(given, "widget", "show").shown)
    return shown


def _drawable(held: Any) -> Any:
    """Widgets, and all inside them, that a page draws in no time whatever numbers they hold."""
    if isinstance(held, list):
        return [_drawable(one) for one in held]
    if not isinstance(held, dict):
        return held
    found = {name: _drawable(part) for name, part in held.items()}
    if found.get("widget") != "track":
        return found
    most = found.get("most")
    if type(most) is not int or type(found.get("value")) is not int:
        raise HookError(f"a track of {most!r:.40} is none: value and most are whole numbers")
    return found | {"style": "bar"} if most > MOST_BOXES else found


def _lock(shown: Iterable[Widget], fields: Collection[str]) -> list[Widget]:
    """Widgets of which these fields cannot be changed here."""
    return [
        one | {"show": _lock(one["show"], fields)}
        if "show" in one
        else one | {"set": False}
        if str(one.get("at", "")).partition(".")[0] in fields
        else one
        for one in shown
    ]


class Pieces(NamedTuple):
    """Controls or widgets as plain data, and the same as JSON."""

    shown: list[dict[str, Any]]
    text: bytes


def pieces_to_json(given: Sequence[dict[str, Any]], kind: str, inside: str) -> Pieces:
    """Controls or widgets as plain data: each says what it is, and all that are inside one."""
    shown = messages_to_json([*given])
    _check_pieces(shown, kind, inside)
    text = canonical_json(shown)
    if len(text) > LARGEST_FORM:
        raise HookError("that is more than a page holds")
    return Pieces(shown, text)


def _check_pieces(shown: object, kind: str, inside: str) -> None:
    if not isinstance(shown, list):
        raise HookError(f"{type(shown).__name__} is no list of {kind}s")
    for one in shown:
        if not isinstance(one, dict) or not isinstance(one.get(kind), str):
            raise HookError(f"{one!r:.40} is no {kind}")
        if inside in one:
            _check_pieces(one[inside], kind, inside)
