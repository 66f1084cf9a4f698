"""The title, the narration and the result of a roll: guarded, as data."""

from __future__ import annotations

from rollwright.engine.transcript import Transcript
from rollwright.errors import RollwrightError
from rollwright.guard import Text, Unshowable, cut, guarded, words_plain
from rollwright.kit.card.defaults import Card
from rollwright.kit.card.marks import sum_shown
from rollwright.kit.card.parts import Verdict
from rollwright.kit.card.shapes import EndingSaid, VerdictSaid, bounded, row_plain, tone_plain
from rollwright.kit.games import Effect, Game, find_game
from rollwright.kit.requests import Request
from rollwright.kit.words import effect_said, outcome_said, plainly
from rollwright.words.messages import Message
from rollwright.words.reader import reader_language


def title_shown(request: Request) -> Text:
    """Return the title of a roll, in a few words."""
    game = find_game(request.game)
    return guarded(game, "title", _usual(game).title, request, shown=words_plain)


class _Usual(Card):
    """The card of a game that says nothing; where its catalog is broken, in English."""

    def word(self, name: str, otherwise: str) -> str | Message:
        try:
            return super().word(name, otherwise)
        except RollwrightError:
            return otherwise


def _usual(game: Game) -> Card:
    card = _Usual()
    card.game = game
    return card


def ending_shown(transcript: Transcript) -> EndingSaid:
    """Return the result of a finished roll, in words."""
    request, outcome = transcript.request, transcript.outcome
    if request is None:
        return {"told": story(transcript), "verdict": None, "good": is_good(transcript)}
    game = find_game(request.game)
    found: EndingSaid = {
        "told": told_shown(transcript),
        "verdict": guarded(game, "verdict", _usual(game).verdict, request, outcome, shown=_verdict),
        "good": is_good(transcript),
    }
    if added := sum_shown(transcript):
        found["sum"] = added
    return found


def told_shown(transcript: Transcript) -> Text:
    """Return the narration so far."""
    request = transcript.request
    if request is None:
        return story(transcript)
    game, both = find_game(request.game), (request, transcript)
    return guarded(game, "told", lambda *_: _in_short(transcript), *both, shown=words_plain)


def _verdict(verdict: Verdict) -> VerdictSaid:
    said: VerdictSaid = {"tone": tone_plain(verdict.tone)}
    if verdict.word:
        said["word"] = words_plain(verdict.word)
    if verdict.detail:
        said["detail"] = row_plain(verdict.detail, words_plain)
    if verdict.paid:
        said["paid"] = row_plain(verdict.paid, words_plain)
    return bounded(said)


def is_good(transcript: Transcript) -> bool | None:
    """Whether it went well, by the usual goal of the game; None where nobody can say."""
    outcome, request = transcript.outcome, transcript.request
    if request is None:
        return getattr(outcome, "is_good", None)
    game = find_game(request.game)
    return guarded(game, "is_good", _usual(game).is_good, request, outcome, shown=_truth)


def _truth(found: object) -> bool | None:
    if found is not None and not isinstance(found, int):
        raise Unshowable(f"{type(found).__name__} is neither so nor not so")
    return None if found is None else bool(found)


def effects_of(transcript: Transcript) -> list[Effect]:
    """Return the changes by the outcome, without bookkeeping."""
    request = transcript.request
    if request is None or not transcript.is_done:
        return []
    game = find_game(request.game)
    changes = () if game.effects is None else game.effects(request, transcript.outcome)
    return [effect for effect in changes if not effect.quiet]


def effect_shown(game: Game, effect: Effect) -> Text:
    """An effect in words."""
    return guarded(game, "effect", effect_said, effect, shown=words_plain)


def told(transcript: Transcript) -> str:
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
    return cut(said)


def _in_short(transcript: Transcript) -> str:
    return outcome_said(transcript.outcome) if transcript.is_done else plainly(transcript)


def _story(transcript: Transcript) -> str:
    if transcript.request is not None or not transcript.is_done:
        return told(transcript)
    from rollwright.notation import result

    return str(result(transcript))
