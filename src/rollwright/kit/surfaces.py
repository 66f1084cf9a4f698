"""What a card gives, as the data that surfaces show: guarded, so that no card stops a roll.

A part of a card that fails has its default in its place, and the game is named in the log.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, TypeVar

from rollwright.engine.transcript import Transcript
from rollwright.engine.values import to_plain
from rollwright.errors import RollwrightError
from rollwright.kit.card import Assignment, Card, Lies, Mark, Marks, Offer, RollCard
from rollwright.kit.controls import Text
from rollwright.kit.fields import Value
from rollwright.kit.games import Game, find_game
from rollwright.kit.requests import Request
from rollwright.kit.widgets import fields_sheet
from rollwright.kit.words import is_good, option_said, question, story
from rollwright.plain import canonical
from rollwright.words.messages import Message

T = TypeVar("T")
Json = dict[str, Any]
LONGEST_TEXT = 3000
_log = logging.getLogger("rollwright.card")
_failed: set[tuple[str, str]] = set()


def guarded(game: Game, part: str, usual: Callable[..., T], *args: Any) -> T:
    """What a part of a game's card gives; one that fails has the default in its place."""
    try:
        found: T = getattr(game.card, part)(*args)
        return found
    except RollwrightError:
        raise
    except Exception:  # whatever a card does, the roll goes on
        if (game.name, part) not in _failed:
            _failed.add((game.name, part))
            _log.exception("%s: %s of its card fails; the default is shown", game.name, part)
        return usual(*args)


def failed_parts(game: Game) -> list[str]:
    """The parts of a game's card that have failed since the start."""
    return sorted(part for name, part in _failed if name == game.name)


def title_shown(request: Request) -> Any:
    """What is rolled, in a few words."""
    game = find_game(request.game)
    return plain_words(guarded(game, "title", lambda one: Card.title(game.card, one), request))


def marks_shown(request: Request) -> dict[str, Json]:
    """How faces are read in a request."""
    marks: Marks = guarded(find_game(request.game), "marks", lambda one: {}, request)
    return {
        die: {str(face): _mark(mark) for face, mark in faces.items()}
        for die, faces in marks.items()
    }


def _mark(mark: Mark) -> Json:
    said = mark._asdict().items()
    return {name: plain_words(held) for name, held in said if held or name == "tone"}


def card_shown(game: Game) -> Json:
    """All of a card that does not depend on a roll."""
    card = game.card
    return {
        "rolls": {roll: _roll(game, card.roll(roll)) for roll in game.requests},
        "outcome": {name: {"tones": dict(tones)} for name, tones in card.outcomes.items()},
        "prices": {name: _without_unsaid(price._asdict()) for name, price in card.prices.items()},
        "dice": {name: _without_unsaid(look._asdict()) for name, look in card.dice.items()},
        "theme": _without_unsaid(card.theme._asdict()),
        "icons": dict(card.icons),
        "starters": [plain_words(starter._asdict()) for starter in card.starters],
    }


def _roll(game: Game, card: RollCard) -> Json:
    """What surfaces want to know of a kind of roll, with the ways to decide by name."""
    about = card._asdict() | {"policy": card.policy or game.default_policy}
    policies = [
        {"value": name, "label": plain_words(game.card.word(f"policy.{name}", name))}
        for name in card.policies
    ]
    explore = _without_unsaid(card.explore._asdict())
    return _without_unsaid(about) | {"policies": policies, "explore": explore}


def sheet_shown(game: Game, sheet: Value) -> Json:
    """A sheet as widgets."""
    widgets = plain_words(guarded(game, "sheet", fields_sheet, sheet))
    return {"hash": digest(widgets), "widgets": widgets}


def digest(shown: Any) -> str:
    """A short hash by which somebody knows that nothing has changed."""
    return blake2b(canonical(shown), digest_size=12).hexdigest()


def throw_shown(transcript: Transcript) -> Json:
    """Whose the last throw is, and how the dice lie after it."""
    request = transcript.request
    if request is None:
        return {}
    game = find_game(request.game)
    label = guarded(game, "label", lambda one, other: "", request, transcript)
    lies: Lies = guarded(game, "lies", lambda one, other: {}, request, transcript)
    found: Json = {"label": plain_words(label)} if label else {}
    if lies:
        found["lies"] = {f"{entry}.{place}": lie for (entry, place), lie in lies.items()}
    return found


def choice_shown(transcript: Transcript, options: Sequence[Any]) -> Json:
    """What is asked at a choice, where it stands, and what each of these options says."""
    request = transcript.request
    if request is None:
        return {
            "ask": question(transcript.step.options),
            "options": [_bare(one) for one in options],
        }
    game = find_game(request.game)
    both = (request, transcript)
    found: Json = {
        "ask": plain_words(
            guarded(game, "ask", lambda *_: question(transcript.step.options), *both)
        ),
        "options": [
            _offer(option, guarded(game, "offer", _plain_offer, *both, option))
            for option in options
        ],
    }
    if standing := guarded(game, "standing", lambda *_: "", *both):
        found["standing"] = plain_words(standing)
    assignment: Assignment | None = guarded(game, "assignment", lambda *_: None, *both)
    if assignment is not None:
        places = [
            _without_unsaid(place._asdict()) | {"at": place.at} for place in assignment.places
        ]
        found["assign"] = {"tokens": assignment.tokens, "places": places}
    return found


def _plain_offer(request: Request, transcript: Transcript, option: Any) -> Offer:
    return Offer(option_said(option))


def _bare(option: Any) -> Json:
    return _offer(option, Offer(option_said(option)))


def _offer(option: Any, offer: Offer) -> Json:
    return {"option": to_plain(option), **_without_unsaid(offer._asdict())}


def _without_unsaid(about: Mapping[str, Any]) -> Json:
    return {name: plain_words(held) for name, held in about.items() if held}


def ending_shown(transcript: Transcript) -> Json:
    """What a finished roll came to, in words."""
    request, outcome = transcript.request, transcript.outcome
    if request is None:
        return {"told": story(transcript), "verdict": None, "good": is_good(transcript)}
    game = find_game(request.game)
    verdict = guarded(
        game, "verdict", lambda *both: Card.verdict(game.card, *both), request, outcome
    )
    return {
        "told": told_shown(transcript),
        "verdict": _without_unsaid(verdict._asdict()),
        "good": game.card.is_good(request, outcome),
    }


def told_shown(transcript: Transcript) -> Any:
    """What happened so far."""
    request = transcript.request
    if request is None:
        return story(transcript)
    told: Text = guarded(
        find_game(request.game), "told", lambda *_: story(transcript), request, transcript
    )
    if isinstance(told, str) and len(told) > LONGEST_TEXT:
        told = f"{told[: LONGEST_TEXT - 1]}…"
    return plain_words(told)


def plain_words(held: Any) -> Any:
    """Data with every message in it as JSON holds it."""
    if isinstance(held, Message):
        return held.plain
    if isinstance(held, Mapping):
        return {str(name): plain_words(part) for name, part in held.items()}
    if isinstance(held, Sequence) and not isinstance(held, str):
        return [plain_words(part) for part in held]
    return held
