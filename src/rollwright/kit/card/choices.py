"""Choices: their questions, their options, and tokens that are handed out: guarded, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from rollwright.engine.transcript import Transcript
from rollwright.engine.values import value_to_json
from rollwright.errors import BadField
from rollwright.hooks import HookError, Text, call_hook, check_name, text_to_json
from rollwright.i18n.messages import msg, row_of
from rollwright.kit.card.marks import sum_to_json
from rollwright.kit.card.parts import Assignment, Ladder, Member, Offer, Place, Rung
from rollwright.kit.card.shapes import (
    MOST_IN_A_ROW,
    AssignmentView,
    ChoiceView,
    LadderView,
    MemberView,
    OptionView,
    PlaceView,
    RungView,
    check_bounds,
    check_tone,
    check_whole,
    row_to_json,
)
from rollwright.kit.games import find_game
from rollwright.kit.requests import Request
from rollwright.kit.words import format_option, question

MOST_TOKENS, MOST_PLACES = 1000, 200
"""Most tokens and places in an event."""


def choice_to_json(transcript: Transcript) -> ChoiceView:
    """Return the question of a choice, its status line, and the tokens it hands out."""
    request, options = transcript.request, transcript.step.options
    if request is None:
        return {"question": question(options)}
    game, both = find_game(request.game), (request, transcript)
    ask = call_hook(game, "ask", lambda *_: question(options), *both, shown=text_to_json)
    found: ChoiceView = {"question": ask}
    if standing := call_hook(game, "standing", lambda *_: "", *both, shown=text_to_json):
        found["standing"] = standing
    if added := sum_to_json(transcript):
        found["sum"] = added
    if assignment := call_hook(game, "assignment", lambda *_: None, *both, shown=_assignment):
        found["assign"] = assignment
    if (aim := call_hook(game, "aim", lambda *_: "", *both, shown=check_name)) in game.goals:
        found["aim"] = aim
    if ladder := call_hook(game, "ladder", lambda *_: None, *both, shown=_ladder):
        found["ladder"] = ladder
    if party := call_hook(game, "party", lambda *_: (), *both, shown=_party):
        found["party"] = party
    return found


def _ladder(given: Ladder | None) -> LadderView | None:
    if given is None:
        return None
    said: LadderView = {
        "rungs": row_to_json(given.rungs, _rung, MOST_IN_A_ROW),
        "at": check_whole(given.at),
    }
    if given.goal is not None:
        said["goal"] = check_whole(given.goal)
    return check_bounds(said)


def _rung(given: Rung) -> RungView:
    return {"at": check_whole(given.at), "label": text_to_json(given.label)}


def _party(given: Sequence[Member]) -> list[MemberView]:
    return check_bounds(row_to_json(given, _member, MOST_PLACES))


def _member(given: Member) -> MemberView:
    said: MemberView = {
        "label": text_to_json(given.label),
        "said": text_to_json(given.said),
        "tone": check_tone(given.tone),
    }
    if given.gives:
        said["gives"] = check_whole(given.gives)
    return said


def puts_to_json(transcript: Transcript, option: Any) -> dict[str, list[int]] | None:
    """The assignment that an option means, where the game says it."""
    request = transcript.request
    if request is None:
        return None
    game, both = find_game(request.game), (request, transcript)
    return call_hook(game, "puts_of", lambda *_: None, *both, option, shown=_puts)


def _puts(given: Mapping[str, Sequence[int]] | None) -> dict[str, list[int]] | None:
    if given is None:
        return None
    return {check_name(at): [check_whole(size) for size in sizes] for at, sizes in given.items()}


def _assignment(given: Assignment | None) -> AssignmentView | None:
    if given is None:
        return None
    if type(given.tokens) is not int or not 0 <= given.tokens <= MOST_TOKENS:
        raise HookError(f"{given.tokens!r:.40} is no number of tokens")
    places = row_to_json(given.places, _place, MOST_PLACES)
    said: AssignmentView = {"tokens": given.tokens, "places": places}
    return check_bounds(said)


def _place(place: Place) -> PlaceView:
    said: PlaceView = {"at": check_name(place.at), "label": text_to_json(place.label)}
    return said | {"stacks": True} if place.stacks else said


def option_for(transcript: Transcript, puts: object) -> Any:
    """The option that an assignment of tokens means, or a refusal."""
    request = transcript.request
    if request is None:
        raise BadField("puts", msg("refused.puts.nothing"), would_do="option")
    game, both = find_game(request.game), (request, transcript)
    offered = call_hook(game, "assignment", lambda *_: None, *both, shown=_assignment)
    if offered is None:
        raise BadField("puts", msg("refused.puts.nothing"), would_do="option")
    places = [place["at"] for place in offered["places"]]
    put = _checked_puts(puts, places, offered["tokens"])
    option = call_hook(game, "option_of", _refuse_assignment, *both, put)
    if option not in transcript.step.options:
        raise BadField("puts", msg("refused.puts.not_so"), would_do=msg("refused.puts.not_so.do"))
    return option


def _refuse_assignment(*_: object) -> Any:
    raise BadField("puts", msg("refused.puts.senseless"), would_do="option")


def _checked_puts(puts: object, places: list[str], tokens: int) -> dict[str, list[int]]:
    """Return the tokens put in each place: whole numbers from one, no more than there are."""
    would_do = msg("refused.puts.do", n=tokens, places=row_of(places[:20]))
    if not isinstance(puts, dict) or not set(puts) <= set(places):
        raise BadField("puts", msg("refused.puts.places"), would_do=would_do)
    found = {}
    for at, held in puts.items():
        if not isinstance(held, list) or not all(type(one) is int and one > 0 for one in held):
            fits = msg("refused.puts.tokens.do")
            raise BadField(f"puts.{at}"[:60], msg("refused.puts.tokens"), would_do=fits)
        found[at] = held
    if sum(map(sum, found.values())) > tokens:
        raise BadField("puts", msg("refused.puts.more"), would_do=would_do)
    return found


def option_to_json(transcript: Transcript, option: Any) -> OptionView:
    """An option as its button says it."""
    request = transcript.request
    shown = partial(_offer, option)
    if request is None:
        return shown(Offer(format_option(option)))
    game, both = find_game(request.game), (request, transcript)
    return call_hook(game, "offered", _default_option, *both, option, shown=shown)


def _default_option(request: Request, transcript: Transcript, option: Any) -> Offer:
    return Offer(format_option(option))


def _offer(option: Any, offer: Offer) -> OptionView:
    said: OptionView = {"option": value_to_json(option), "said": text_to_json(offer.label)}
    if offer.leads:
        said["leads"] = text_to_json(offer.leads)
    if offer.who:
        said["who"] = check_name(offer.who)
    if offer.dice:
        said["dice"] = row_to_json(offer.dice, check_name, MOST_PLACES)
    if offer.at is not None:
        said["at"] = check_whole(offer.at)
    if offer.member is not None:
        said["member"] = check_whole(offer.member)
    if offer.tone != "even":
        said["tone"] = check_tone(offer.tone)
    return check_bounds(said)


def option_text(transcript: Transcript, option: Any) -> Text:
    """An option that is chosen, in words."""
    return option_to_json(transcript, option)["said"]
