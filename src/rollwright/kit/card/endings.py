"""The title, the narration and the result of a roll: guarded, as data."""

from __future__ import annotations

from rollwright.engine.transcript import Transcript
from rollwright.errors import RollwrightError
from rollwright.hooks import HookError, Text, call_hook, shorten, text_to_json
from rollwright.i18n.locale import reader_language
from rollwright.i18n.messages import Message
from rollwright.kit.card.defaults import Card
from rollwright.kit.card.marks import sum_to_json
from rollwright.kit.card.parts import Verdict
from rollwright.kit.card.shapes import (
    EndingView,
    VerdictView,
    check_bounds,
    check_tone,
    row_to_json,
)
from rollwright.kit.games import Effect, Game, find_game
from rollwright.kit.requests import Request
from rollwright.kit.words import format_effect, format_outcome, plainly


def title_text(request: Request) -> Text:
    """Return the title of a roll, in a few words."""
    game = find_game(request.game)
    return call_hook(game, "title", _default_card(game).title, request, shown=text_to_json)


class _DefaultCard(Card):
    """The card of a game that says nothing; where its catalog is broken, in English."""

    def word(self, name: str, otherwise: str) -> str | Message:
        try:
            return super().word(name, otherwise)
        except RollwrightError:
            return otherwise


def _default_card(game: Game) -> Card:
    card = _DefaultCard()
    card.game = game
    return card


def ending_to_json(transcript: Transcript) -> EndingView:
    """Return the result of a finished roll, in words."""
    request, outcome = transcript.request, transcript.outcome
    if request is None:
        return {"told": story(transcript), "verdict": None, "good": is_good(transcript)}
    game = find_game(request.game)
    found: EndingView = {
        "told": narration_to_json(transcript),
        "verdict": call_hook(
            game, "verdict", _default_card(game).verdict, request, outcome, shown=_verdict
        ),
        "good": is_good(transcript),
    }
    if added := sum_to_json(transcript):
        found["sum"] = added
    return found


def narration_to_json(transcript: Transcript) -> Text:
    """Return the narration so far."""
    request = transcript.request
    if request is None:
        return story(transcript)
    game, both = find_game(request.game), (request, transcript)
    return call_hook(game, "told", lambda *_: _in_short(transcript), *both, shown=text_to_json)


def _verdict(verdict: Verdict) -> VerdictView:
    said: VerdictView = {"tone": check_tone(verdict.tone)}
    if verdict.word:
        said["word"] = text_to_json(verdict.word)
    if verdict.detail:
        said["detail"] = row_to_json(verdict.detail, text_to_json)
    if verdict.paid:
        said["paid"] = row_to_json(verdict.paid, text_to_json)
    return check_bounds(said)


def is_good(transcript: Transcript) -> bool | None:
    """Whether it went well, by the usual goal of the game; None where nobody can say."""
    outcome, request = transcript.outcome, transcript.request
    if request is None:
        return getattr(outcome, "is_good", None)
    game = find_game(request.game)
    return call_hook(game, "is_good", _default_card(game).is_good, request, outcome, shown=_truth)


def _truth(found: object) -> bool | None:
    if found is not None and not isinstance(found, int):
        raise HookError(f"{type(found).__name__} is neither so nor not so")
    return None if found is None else bool(found)


def effects_of(transcript: Transcript) -> list[Effect]:
    """Return the changes by the outcome, without bookkeeping."""
    request = transcript.request
    if request is None or not transcript.is_done:
        return []
    game = find_game(request.game)
    changes = () if game.effects is None else game.effects(request, transcript.outcome)
    return [effect for effect in changes if not effect.quiet]


def effect_text(game: Game, effect: Effect) -> Text:
    """An effect in words."""
    return call_hook(game, "effect", format_effect, effect, shown=text_to_json)


def narrate(transcript: Transcript) -> str:
    """Return the narration so far, in a sentence."""
    if transcript.request is not None:
        game = find_game(transcript.request.game)
        return game.tell(transcript.request, transcript, reader_language())
    return plainly(transcript)


def story(transcript: Transcript) -> str:
    """Return the narration so far in one sentence, for everybody who may see all of it."""
    try:
        said = _story(transcript)
    except Exception:  # a game that cannot narrate it does not stop the roll
        said = _in_short(transcript)
    return shorten(said)


def _in_short(transcript: Transcript) -> str:
    return format_outcome(transcript.outcome) if transcript.is_done else plainly(transcript)


def _story(transcript: Transcript) -> str:
    if transcript.request is not None or not transcript.is_done:
        return narrate(transcript)
    from rollwright.notation import result

    return str(result(transcript))
