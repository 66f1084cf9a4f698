"""Choices: their questions, their options, and tokens that are handed out: guarded, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from rollwright.engine.transcript import Transcript
from rollwright.engine.values import to_plain
from rollwright.errors import BadField
from rollwright.guard import Text, Unshowable, guarded, name_plain, words_plain
from rollwright.kit.card.marks import sum_shown
from rollwright.kit.card.parts import Assignment, Ladder, Member, Offer, Place, Rung
from rollwright.kit.card.shapes import (
    MOST_IN_A_ROW,
    AssignmentSaid,
    ChoiceSaid,
    LadderSaid,
    MemberSaid,
    OptionSaid,
    PlaceSaid,
    RungSaid,
    bounded,
    row_plain,
    tone_plain,
    whole_plain,
)
from rollwright.kit.games import find_game
from rollwright.kit.requests import Request
from rollwright.kit.words import option_said, question
from rollwright.words.messages import row_of, said

MOST_TOKENS, MOST_PLACES = 1000, 200
"""Most tokens and places in an event."""


def choice_shown(transcript: Transcript) -> ChoiceSaid:
    """Return the question of a choice, its status line, and the tokens it hands out."""
    request, options = transcript.request, transcript.step.options
    if request is None:
        return {"question": question(options)}
    game, both = find_game(request.game), (request, transcript)
    ask = guarded(game, "ask", lambda *_: question(options), *both, shown=words_plain)
    found: ChoiceSaid = {"question": ask}
    if standing := guarded(game, "standing", lambda *_: "", *both, shown=words_plain):
        found["standing"] = standing
    if added := sum_shown(transcript):
        found["sum"] = added
    if assignment := guarded(game, "assignment", lambda *_: None, *both, shown=_assignment):
        found["assign"] = assignment
    if (aim := guarded(game, "aim", lambda *_: "", *both, shown=name_plain)) in game.goals:
        found["aim"] = aim
    if ladder := guarded(game, "ladder", lambda *_: None, *both, shown=_ladder):
        found["ladder"] = ladder
    if party := guarded(game, "party", lambda *_: (), *both, shown=_party):
        found["party"] = party
    return found


def _ladder(given: Ladder | None) -> LadderSaid | None:
    if given is None:
        return None
    said: LadderSaid = {
        "rungs": row_plain(given.rungs, _rung, MOST_IN_A_ROW),
        "at": whole_plain(given.at),
    }
    if given.goal is not None:
        said["goal"] = whole_plain(given.goal)
    return bounded(said)


def _rung(given: Rung) -> RungSaid:
    return {"at": whole_plain(given.at), "label": words_plain(given.label)}


def _party(given: Sequence[Member]) -> list[MemberSaid]:
    return bounded(row_plain(given, _member, MOST_PLACES))


def _member(given: Member) -> MemberSaid:
    said: MemberSaid = {
        "label": words_plain(given.label),
        "said": words_plain(given.said),
        "tone": tone_plain(given.tone),
    }
    if given.gives:
        said["gives"] = whole_plain(given.gives)
    return said


def puts_shown(transcript: Transcript, option: Any) -> dict[str, list[int]] | None:
    """The assignment that an option means, where the game says it."""
    request = transcript.request
    if request is None:
        return None
    game, both = find_game(request.game), (request, transcript)
    return guarded(game, "puts_of", lambda *_: None, *both, option, shown=_puts)


def _puts(given: Mapping[str, Sequence[int]] | None) -> dict[str, list[int]] | None:
    if given is None:
        return None
    return {name_plain(at): [whole_plain(size) for size in sizes] for at, sizes in given.items()}


def _assignment(given: Assignment | None) -> AssignmentSaid | None:
    if given is None:
        return None
    if type(given.tokens) is not int or not 0 <= given.tokens <= MOST_TOKENS:
        raise Unshowable(f"{given.tokens!r:.40} is no number of tokens")
    places = row_plain(given.places, _place, MOST_PLACES)
    said: AssignmentSaid = {"tokens": given.tokens, "places": places}
    return bounded(said)


def _place(place: Place) -> PlaceSaid:
    said: PlaceSaid = {"at": name_plain(place.at), "label": words_plain(place.label)}
    return said | {"stacks": True} if place.stacks else said


def assigned(transcript: Transcript, puts: object) -> Any:
    """The option that an assignment of tokens means, or a refusal."""
    request = transcript.request
    if request is None:
        raise BadField("puts", said("refused.puts.nothing"), would_do="option")
    game, both = find_game(request.game), (request, transcript)
    offered = guarded(game, "assignment", lambda *_: None, *both, shown=_assignment)
    if offered is None:
        raise BadField("puts", said("refused.puts.nothing"), would_do="option")
    places = [place["at"] for place in offered["places"]]
    put = _checked_puts(puts, places, offered["tokens"])
    option = guarded(game, "option_of", _not_understood, *both, put)
    if option not in transcript.step.options:
        raise BadField("puts", said("refused.puts.not_so"), would_do=said("refused.puts.not_so.do"))
    return option


def _not_understood(*_: object) -> Any:
    raise BadField("puts", said("refused.puts.senseless"), would_do="option")


def _checked_puts(puts: object, places: list[str], tokens: int) -> dict[str, list[int]]:
    """Return the tokens put in each place: whole numbers from one, no more than there are."""
    would_do = said("refused.puts.do", n=tokens, places=row_of(places[:20]))
    if not isinstance(puts, dict) or not set(puts) <= set(places):
        raise BadField("puts", said("refused.puts.places"), would_do=would_do)
    found = {}
    for at, held in puts.items():
        if not isinstance(held, list) or not all(type(one) is int and one > 0 for one in held):
            fits = said("refused.puts.tokens.do")
            raise BadField(f"puts.{at}"[:60], said("refused.puts.tokens"), would_do=fits)
        found[at] = held
    if sum(map(sum, found.values())) > tokens:
        raise BadField("puts", said("refused.puts.more"), would_do=would_do)
    return found


def offer_shown(transcript: Transcript, option: Any) -> OptionSaid:
    """An option as its button says it."""
    request = transcript.request
    shown = partial(_offer, option)
    if request is None:
        return shown(Offer(option_said(option)))
    game, both = find_game(request.game), (request, transcript)
    return guarded(game, "offered", _plain_offer, *both, option, shown=shown)


def _plain_offer(request: Request, transcript: Transcript, option: Any) -> Offer:
    return Offer(option_said(option))


def _offer(option: Any, offer: Offer) -> OptionSaid:
    said: OptionSaid = {"option": to_plain(option), "said": words_plain(offer.label)}
    if offer.leads:
        said["leads"] = words_plain(offer.leads)
    if offer.who:
        said["who"] = name_plain(offer.who)
    if offer.dice:
        said["dice"] = row_plain(offer.dice, name_plain, MOST_PLACES)
    if offer.at is not None:
        said["at"] = whole_plain(offer.at)
    if offer.member is not None:
        said["member"] = whole_plain(offer.member)
    if offer.tone != "even":
        said["tone"] = tone_plain(offer.tone)
    return bounded(said)


def option_shown(transcript: Transcript, option: Any) -> Text:
    """An option that is chosen, in words."""
    return offer_shown(transcript, option)["said"]
