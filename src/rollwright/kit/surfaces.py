"""What a card gives, as the data that surfaces show: guarded, so that no card stops a roll.

A part of a card that fails has its default in its place, and the game is named in the log.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache, partial
from hashlib import blake2b
from typing import Annotated, Any, NamedTuple, NotRequired, TypeAlias, TypedDict, TypeVar, cast

from rollwright.engine.transcript import Transcript
from rollwright.engine.values import to_plain
from rollwright.errors import BadField, Cancelled, RollwrightError
from rollwright.kit.card import (
    Assignment,
    Card,
    Lies,
    Mark,
    Marks,
    Offer,
    Place,
    Verdict,
)
from rollwright.kit.fields import Value
from rollwright.kit.games import Effect, Game, find_game
from rollwright.kit.requests import Request
from rollwright.kit.shared import for_referees
from rollwright.kit.widgets import Widget, fields_sheet, note
from rollwright.kit.words import effect_said, option_said, outcome_said, plainly, question
from rollwright.pictures.themes import icons_shown, theme_shown
from rollwright.plain import Json, canonical
from rollwright.timeouts import Rests, TooSlow, bounded
from rollwright.words.catalogs import words_of
from rollwright.words.messages import Message, row_of, said, sentences
from rollwright.words.reader import reader_language

T = TypeVar("T")
Who = Callable[[str], str]
LONGEST_TEXT = 3000
FEW_POLICIES = 3
LARGEST_MESSAGE, LARGEST_MARKS = 12_000, 24_000
"""Bytes that a message with its values may take in an event, and the marks of a roll."""
MOST_MARKS = 256
"""Requests whose marks are kept."""
TEXTS = frozenset(("title", "told", "question", "standing", "label", "leads", "said", "word"))
LISTS_OF_TEXTS = frozenset(("detail", "paid"))
"""The names under which texts stand in what is shown of a roll."""
AS_THEY_ARE = frozenset((str, int, bool, type(None)))
_log = logging.getLogger("rollwright.card")
_failed: set[tuple[str, str]] = set()
_resting = Rests()
REFUSING = frozenset(("fill", "first", "form", "knows", "option_of", "start"))
"""Parts of a card that read what somebody said, and may refuse it."""


Text: TypeAlias = str | list[Json]
"""What people read, as data: as it is, or a message `[id, {values}]` of the game's words."""


class MarkSaid(TypedDict):
    """How a face is read."""

    tone: Annotated[str, "great, good, mixed, bad, awful, or even."]
    symbols: NotRequired[Annotated[list[str], "What is drawn on it."]]
    alone: NotRequired[Annotated[bool, "Whether that stands in place of the number."]]
    said: NotRequired[Annotated[Text, "What it is, in words."]]


MarksSaid: TypeAlias = dict[str, dict[str, MarkSaid]]


class OptionSaid(TypedDict):
    """Something that may be chosen."""

    option: Annotated[Json, "The option as data."]
    said: Annotated[Text, "The option in words."]
    leads: NotRequired[Annotated[Text, "What it comes to."]]
    who: NotRequired[Annotated[str, "Whom it names: @s3."]]
    dice: NotRequired[Annotated[list[str], "The dice that it is about: entry and place, 0.1."]]


class PlaceSaid(TypedDict):
    """Where tokens may be put."""

    at: Annotated[str, "Its name."]
    label: Annotated[Text, "Its name in words."]
    stacks: NotRequired[Annotated[bool, "Whether several make one larger thing."]]


class AssignmentSaid(TypedDict):
    """A choice that hands tokens out."""

    tokens: Annotated[int, "How many there are."]
    places: Annotated[list[PlaceSaid], "Where they may be put."]


class VerdictSaid(TypedDict):
    """What a roll came to, to be read across the table."""

    word: NotRequired[Annotated[Text, "In a word."]]
    tone: Annotated[str, "great, good, mixed, bad, awful, or even."]
    detail: NotRequired[Annotated[list[Text], "What belongs to it."]]
    paid: NotRequired[Annotated[list[Text], "What it has cost."]]


class ChoiceSaid(TypedDict):
    """What is asked at a choice."""

    question: Annotated[Text, "The choice as a question."]
    standing: NotRequired[Annotated[Text, "Where it stands."]]
    assign: NotRequired[Annotated[AssignmentSaid, "The choice as tokens that are handed out."]]


class ThrowSaid(TypedDict):
    """What a throw is, and how dice lie after it."""

    label: NotRequired[Annotated[Text, "Whose dice or which turn's, in words."]]
    named: NotRequired[Annotated[dict[str, Text], "What dice are called, by their names."]]
    lies: NotRequired[
        Annotated[dict[str, str], "How dice lie, by entry and place: counts, dropped, kept, again."]
    ]


class EndingSaid(TypedDict):
    """What a roll came to, in words."""

    told: Annotated[Text, "What happened."]
    verdict: NotRequired[Annotated[VerdictSaid | None, "In a word; null for dice alone."]]
    good: Annotated[bool | None, "Whether it went well; null where nobody can say."]


def guarded(
    game: Game, part: str, usual: Callable[..., T], *args: Any, by: Callable[..., T] | None = None
) -> T:
    """What a part of a game's card gives; one that fails has the default in its place.

    So has one that takes too long where others wait for it; it is not called again for a while.
    Parts that read drafts may refuse what they read. What is made of a part is made `by` a call.
    """
    named = game.name, part
    if named not in _resting:
        try:
            found: T = bounded(by or getattr(game.card, part), *args)
            return found
        except TooSlow:
            seconds = _resting.begin(named)
            _failed.add(named)
            _log.error(
                "%s: %s of its card takes too long; the default is shown, for %d seconds now",
                *(*named, seconds),
            )
        except Cancelled:
            raise
        except Exception as problem:  # whatever a card does, the roll goes on
            if isinstance(problem, RollwrightError) and part in REFUSING:
                raise
            if named not in _failed:
                _failed.add(named)
                _log.exception("%s: %s of its card fails; the default is shown", *named)
    return usual(*args)


def failed_parts(game: Game) -> list[str]:
    """The parts of a game's card that have failed since the start."""
    return sorted(part for name, part in _failed if name == game.name)


def warnings(game: Game) -> list[Message]:
    """What people are told where parts of a game's card have failed since the start."""
    return [said("card.failed", game=game.title)] if failed_parts(game) else []


def title_shown(request: Request) -> Text:
    """What is rolled, in a few words."""
    game = find_game(request.game)
    return words_plain(guarded(game, "title", _usual(game).title, request))


def _usual(game: Game) -> Card:
    """The card of a game that says nothing."""
    card = Card()
    card.game = game
    return card


class MarksRead(NamedTuple):
    """How faces are read, and the hash by which that is known again."""

    marks: MarksSaid
    hash: str


NO_MARKS = MarksRead({}, "")
"""Faces are read as they are."""


def marks_shown(request: Request) -> MarksSaid:
    """How faces are read in a request."""
    return marks_read(request).marks


def marks_read(request: Request) -> MarksRead:
    """How faces are read in a request, with its hash; nothing in it may be changed."""
    game = find_game(request.game)
    by = partial(_marks_of, game.card)
    return guarded(game, "marks", lambda one: NO_MARKS, request, by=by)


@lru_cache(MOST_MARKS)
def _marks_of(card: Card, request: Request) -> MarksRead:
    """The marks of a card as data; equal requests are asked once."""
    marks: Marks = card.marks(request)
    shown = {
        die: {str(face): _mark(mark) for face, mark in faces.items()}
        for die, faces in marks.items()
    }
    if not shown or len(str(shown)) > LARGEST_MARKS:
        return NO_MARKS
    return MarksRead(shown, digest(shown))


def _mark(mark: Mark) -> MarkSaid:
    said: MarkSaid = {"tone": mark.tone}
    if mark.symbols:
        said["symbols"] = list(mark.symbols)
    if mark.alone:
        said["alone"] = True
    if mark.said:
        said["said"] = words_plain(mark.said)
    return said


def card_shown(game: Game) -> dict[str, Any]:
    """All of a card that does not depend on a roll."""
    card = game.card
    return {
        "rolls": {roll: _roll(game, roll) for roll in game.requests},
        "outcome": {name: {"tones": dict(tones)} for name, tones in card.outcomes.items()},
        "prices": {name: _without_unsaid(price._asdict()) for name, price in card.prices.items()},
        "dice": {name: _without_unsaid(look._asdict()) for name, look in card.dice.items()},
        "theme": theme_shown(card.theme),
        "icons": icons_shown(card.icons),
        "starters": [plain_words(starter._asdict()) for starter in card.starters],
    }


def _roll(game: Game, roll: str) -> dict[str, Any]:
    """What surfaces want to know of a kind of roll, with the ways to decide by name."""
    card = game.card.roll(roll)
    usual = {"policy": game.usual_policy(roll), "goal": game.usual_goal(roll)}
    about = card._asdict() | usual
    policies = [
        {"value": name, "label": plain_words(policy_word(game, roll, name))}
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
    """What a policy is called beside a kind of roll: "policy.ROLL.NAME" or "policy.NAME".

    Each surface has a word of its own for best play.
    """
    if (own := f"policy.{roll}.{name}") in game.words:
        return game.words.said(own)
    known = game.policies.get(name.partition(":")[0])
    return game.card.word(f"policy.{name}", name if known is None else known.title)


def sheet_shown(game: Game, sheet: Value) -> dict[str, Any]:
    """A sheet as widgets."""
    widgets = guarded(game, "sheet", fields_sheet, sheet)
    failing = [note(warning, "bad") for warning in warnings(game)]
    shown = plain_words([*failing, *widgets])
    return {"hash": digest(shown), "widgets": shown}


def shared_shown(game: Game, shared: Value, *, by_referee: bool) -> dict[str, Any]:
    """What the table shares as widgets; what is for referees is only shown to others."""
    widgets = guarded(game, "shared", fields_sheet, shared)
    kept = widgets if by_referee else _locked(widgets, for_referees(game.shared))
    said = plain_words(list(kept))
    return {"hash": digest(said), "widgets": said}


def _locked(shown: Iterable[Widget], fields: Collection[str]) -> list[Widget]:
    """Widgets of which these fields cannot be changed here."""
    return [
        one | {"show": _locked(one["show"], fields)}
        if "show" in one
        else one | {"set": False}
        if str(one.get("at", "")).partition(".")[0] in fields
        else one
        for one in shown
    ]


def digest(shown: Any) -> str:
    """A short hash by which somebody knows that nothing has changed."""
    return blake2b(canonical(shown), digest_size=12).hexdigest()


def throw_shown(transcript: Transcript, *, whole: bool = True) -> ThrowSaid:
    """Whose the last throw is, and how the dice lie after it for somebody who saw the `whole`."""
    request = transcript.request
    if request is None:
        return {}
    game = find_game(request.game)
    label = guarded(game, "label", lambda *_: "", request, transcript)
    found: ThrowSaid = {"label": words_plain(label)} if label else {}
    names = [die.name for die, _ in transcript.throws[-1][0].pool.groups if die.name]
    called = {name: guarded(game, "die", lambda *_: "", request, name) for name in names}
    if named := {name: words_plain(text) for name, text in called.items() if text}:
        found["named"] = named
    lies: Lies = guarded(game, "lies", lambda *_: {}, request, transcript) if whole else {}
    if lies:
        found["lies"] = {f"{entry}.{place}": lie for (entry, place), lie in lies.items()}
    return found


def thrower_shown(transcript: Transcript) -> str:
    """Whose dice are thrown now, where several people of one roll throw."""
    request = transcript.request
    if request is None:
        return ""
    return guarded(find_game(request.game), "whose", lambda *_: "", request, transcript)


def choice_shown(transcript: Transcript) -> ChoiceSaid:
    """What is asked at a choice, where it stands, and the tokens that are handed out in it."""
    request, options = transcript.request, transcript.step.options
    if request is None:
        return {"question": question(options)}
    game, both = find_game(request.game), (request, transcript)
    ask = guarded(game, "ask", lambda *_: question(options), *both)
    found: ChoiceSaid = {"question": words_plain(ask)}
    if standing := guarded(game, "standing", lambda *_: "", *both):
        found["standing"] = words_plain(standing)
    assignment: Assignment | None = guarded(game, "assignment", lambda *_: None, *both)
    if assignment is not None:
        places = [_place(place) for place in assignment.places]
        found["assign"] = {"tokens": assignment.tokens, "places": places}
    return found


def assigned(transcript: Transcript, puts: object) -> Any:
    """The option that an assignment of tokens means, or a refusal."""
    request = transcript.request
    if request is None:
        raise BadField("puts", said("puts.nothing"), would_do="option")
    game, both = find_game(request.game), (request, transcript)
    offered: Assignment | None = guarded(game, "assignment", lambda *_: None, *both)
    if offered is None:
        raise BadField("puts", said("puts.nothing"), would_do="option")
    places = [place.at for place in offered.places]
    put = _checked_puts(puts, places, offered.tokens)
    option = guarded(game, "option_of", _not_understood, *both, put)
    if option not in transcript.step.options:
        raise BadField("puts", said("puts.not_so"), would_do=said("puts.not_so.do"))
    return option


def _not_understood(*_: object) -> Any:
    raise BadField("puts", said("puts.senseless"), would_do="option")


def _checked_puts(puts: object, places: list[str], tokens: int) -> dict[str, list[int]]:
    """What was put where: of each place whole numbers of at least one, no more than there are."""
    would_do = said("puts.do", n=tokens, places=row_of(places[:20]))
    if not isinstance(puts, dict) or not set(puts) <= set(places):
        raise BadField("puts", said("puts.places"), would_do=would_do)
    found = {}
    for at, held in puts.items():
        if not isinstance(held, list) or not all(type(one) is int and one > 0 for one in held):
            fits = said("puts.tokens.do")
            raise BadField(f"puts.{at}"[:60], said("puts.tokens"), would_do=fits)
        found[at] = held
    if sum(map(sum, found.values())) > tokens:
        raise BadField("puts", said("puts.more"), would_do=would_do)
    return found


def _place(place: Place) -> PlaceSaid:
    said: PlaceSaid = {"at": place.at, "label": words_plain(place.label)}
    return said | {"stacks": True} if place.stacks else said


def offer_shown(transcript: Transcript, option: Any) -> OptionSaid:
    """An option as its button says it."""
    request = transcript.request
    offer = Offer(option_said(option))
    if request is not None:
        offer = guarded(find_game(request.game), "offer", _plain_offer, request, transcript, option)
    said: OptionSaid = {"option": to_plain(option), "said": words_plain(offer.label)}
    if offer.leads:
        said["leads"] = words_plain(offer.leads)
    if offer.who:
        said["who"] = offer.who
    if offer.dice:
        said["dice"] = list(offer.dice)
    return said


def option_shown(transcript: Transcript, option: Any) -> Text:
    """An option that is chosen, in words."""
    return offer_shown(transcript, option)["said"]


def effect_shown(game: Game, effect: Effect) -> Text:
    """An effect in words."""
    return words_plain(guarded(game, "effect", effect_said, effect))


def said_whole(held: Any, speak: Callable[[Text], str]) -> Any:
    """What is shown of a roll, with every text in it said.

    >>> said_whole({"question": ["x"], "options": [{"option": ["a"], "said": ["y"]}]}, "".join)
    {'question': 'x', 'options': [{'option': ['a'], 'said': 'y'}]}
    """
    if isinstance(held, list):
        return [said_whole(part, speak) for part in held]
    if not isinstance(held, dict):
        return held
    return {name: _said_part(name, part, speak) for name, part in held.items()}


def _said_part(name: str, held: Any, speak: Callable[[Text], str]) -> Any:
    if name in TEXTS:
        return speak(held)
    if name in LISTS_OF_TEXTS:
        return [speak(text) for text in held]
    return held if name in ("option", "outcome", "fields") else said_whole(held, speak)


def say(text: Any, game: str = "", language: str = "en", who: Who | None = None) -> str:
    """A text of a game as somebody reads it: a message in their language, else as it is."""
    if isinstance(text, str):
        return text
    try:
        words = find_game(game).words if game else words_of("rollwright")
        return words.say(text, language, who=who)
    except RollwrightError:  # a game that is not here, or a message that nobody can say
        return str(text[0]) if isinstance(text, list) and text else str(text)


def _plain_offer(request: Request, transcript: Transcript, option: Any) -> Offer:
    return Offer(option_said(option))


def _without_unsaid(about: Mapping[str, Any]) -> dict[str, Any]:
    return {name: plain_words(held) for name, held in about.items() if held}


def ending_shown(transcript: Transcript) -> EndingSaid:
    """What a finished roll came to, in words."""
    request, outcome = transcript.request, transcript.outcome
    if request is None:
        return {"told": story(transcript), "verdict": None, "good": is_good(transcript)}
    game = find_game(request.game)
    verdict = guarded(game, "verdict", _usual(game).verdict, request, outcome)
    return {
        "told": told_shown(transcript),
        "verdict": _verdict(verdict),
        "good": is_good(transcript),
    }


def told_shown(transcript: Transcript) -> Text:
    """What happened so far."""
    request = transcript.request
    if request is None:
        return story(transcript)
    told: str | Message = guarded(
        find_game(request.game), "told", lambda *_: _in_short(transcript), request, transcript
    )
    return words_plain(told)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"


def _verdict(verdict: Verdict) -> VerdictSaid:
    said: VerdictSaid = {"tone": verdict.tone}
    if verdict.word:
        said["word"] = words_plain(verdict.word)
    if verdict.detail:
        said["detail"] = [words_plain(text) for text in verdict.detail]
    if verdict.paid:
        said["paid"] = [words_plain(text) for text in verdict.paid]
    return said


def words_plain(text: str | Message | Mapping[str, Any]) -> Text:
    """A text as data: a message, or what is too long for one cut as people read it."""
    if isinstance(text, Mapping):  # a value such as `word("Hard")` alone
        text = sentences(text)
    if not isinstance(text, Message):  # a text, or what a card gave in the place of one
        return _cut(str(text))
    plain = cast("list[Json]", text.plain)
    return plain if len(str(plain)) <= LARGEST_MESSAGE else _cut(str(text))


def plain_words(held: Any) -> Any:
    """Data with every message in it as JSON holds it."""
    if type(held) in AS_THEY_ARE:
        return held
    if isinstance(held, Message):
        return held.plain
    if isinstance(held, (dict, Mapping)):  # a dict is known quicker
        return {
            str(name): part if type(part) in AS_THEY_ARE else plain_words(part)
            for name, part in held.items()
        }
    if isinstance(held, (list, tuple)):
        return [plain_words(part) for part in held]
    return held


def told(transcript: Transcript) -> str:
    """What happened so far, in a sentence."""
    if transcript.request is not None:
        game = find_game(transcript.request.game)
        return game.tell(transcript.request, transcript, reader_language())
    return plainly(transcript)


def effects_of(transcript: Transcript) -> list[Effect]:
    """What the outcome changes, without bookkeeping."""
    request = transcript.request
    if request is None or not transcript.is_done:
        return []
    game = find_game(request.game)
    changes = () if game.effects is None else game.effects(request, transcript.outcome)
    return [effect for effect in changes if not effect.quiet]


def story(transcript: Transcript) -> str:
    """What happened so far in one sentence, for everybody who may see all of it."""
    try:
        said = _story(transcript)
    except Exception:  # a game that cannot tell it does not stop the roll
        said = _in_short(transcript)
    return _cut(said)


def _in_short(transcript: Transcript) -> str:
    return outcome_said(transcript.outcome) if transcript.is_done else plainly(transcript)


def _story(transcript: Transcript) -> str:
    if transcript.request is not None or not transcript.is_done:
        return told(transcript)
    from rollwright.notation import result

    return str(result(transcript))


def is_good(transcript: Transcript) -> bool | None:
    """Whether it went well, by the usual goal of the game; None where nobody can say."""
    outcome, request = transcript.outcome, transcript.request
    if request is None:
        return outcome.level >= 2 if hasattr(outcome, "level") else None
    game = find_game(request.game)
    return guarded(game, "is_good", _usual(game).is_good, request, outcome)
