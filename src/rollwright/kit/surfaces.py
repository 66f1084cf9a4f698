"""What a card gives, as the data that surfaces show: guarded, so that no card stops a roll.

Of each part there is one function that makes plain data of it, which `guard` calls: what does not
fit has the default in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from hashlib import blake2b
from typing import (
    Annotated,
    Any,
    NamedTuple,
    NotRequired,
    TypeAlias,
    TypedDict,
    TypeVar,
    cast,
    get_args,
)

from rollwright.engine.transcript import Transcript
from rollwright.engine.values import to_plain
from rollwright.errors import BadField, RollwrightError
from rollwright.guard import LARGEST_MESSAGE, Unshowable, cut, name_plain, warnings
from rollwright.guard import Text as Text
from rollwright.guard import failed_parts as failed_parts
from rollwright.guard import guarded as guarded
from rollwright.guard import plain_words as plain_words
from rollwright.guard import words_plain as words_plain
from rollwright.kit.card import (
    Assignment,
    Card,
    Ladder,
    Lie,
    Lies,
    Mark,
    Marks,
    Member,
    Offer,
    Place,
    Rung,
    Tone,
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
from rollwright.words.catalogs import words_of
from rollwright.words.messages import Message, row_of, said
from rollwright.words.reader import reader_language

T = TypeVar("T")
Who = Callable[[str], str]
FEW_POLICIES = 3
LARGEST_MARKS, LARGEST_FORM = 24_000, 2**19
"""Bytes that the marks of a roll may take, and a form or a sheet."""
MOST_TOKENS, MOST_PLACES, MOST_IN_A_ROW = 1000, 200, 40
"""Of what an event may hold several."""
MOST_MARKS = 256
"""Requests whose marks are kept."""
TEXTS = frozenset(("title", "told", "question", "standing", "label", "leads", "said", "word"))
LISTS_OF_TEXTS = frozenset(("detail", "paid"))
"""The names under which texts stand in what is shown of a roll."""


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
    at: NotRequired[Annotated[int, "Where it leads on the ladder."]]
    member: NotRequired[Annotated[int, "Whom of the party it is for, by place."]]


class RungSaid(TypedDict):
    """A number that has a name."""

    at: Annotated[int, "The number."]
    label: Annotated[Text, "Its name."]


class LadderSaid(TypedDict):
    """A choice that is about how far a number reaches."""

    rungs: Annotated[list[RungSaid], "What has a name."]
    at: Annotated[int, "Where it stands."]
    goal: NotRequired[Annotated[int, "What is to be reached."]]


class MemberSaid(TypedDict):
    """Somebody in a roll of several."""

    label: Annotated[Text, "Their name."]
    said: Annotated[Text, "Where they stand."]
    tone: Annotated[str, "great, good, mixed, bad, awful, or even."]
    gives: NotRequired[Annotated[int, "How much they have left to give away."]]


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
    aim: NotRequired[Annotated[str, "The goal it is about, where the roll's own is settled."]]
    ladder: NotRequired[Annotated[LadderSaid, "The choice as a number on its way up."]]
    party: NotRequired[Annotated[list[MemberSaid], "Everybody, where one gives another something."]]


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


def title_shown(request: Request) -> Text:
    """What is rolled, in a few words."""
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
    return guarded(game, "marks", lambda one: NO_MARKS, request, by=by, shown=MarksRead._make)


@lru_cache(MOST_MARKS)
def _marks_of(card: Card, request: Request) -> MarksRead:
    """The marks of a card as data; equal requests are asked once."""
    marks: Marks = card.marks(request)
    shown = {
        name_plain(die): {str(face): _mark(mark) for face, mark in faces.items()}
        for die, faces in marks.items()
    }
    if not shown or len(str(shown)) > LARGEST_MARKS:
        return NO_MARKS
    return MarksRead(shown, digest(shown))


def _tone(tone: object) -> str:
    if tone not in get_args(Tone):
        raise Unshowable(f"{tone!r:.40} is no tone")
    return str(tone)


def _row(held: Any, what: Callable[[Any], T], most: int = MOST_IN_A_ROW) -> list[T]:
    """Some of the same kind, no more than somebody could look at."""
    if not isinstance(held, (tuple, list)) or len(held) > most:
        raise Unshowable(f"{type(held).__name__} is no tuple of at most {most}")
    return [what(one) for one in held]


def _bounded(shown: T) -> T:
    """What takes no more room in an event than a message may."""
    if len(str(shown)) > LARGEST_MESSAGE:
        raise Unshowable("that is more than an event holds")
    return shown


def _mark(mark: Mark) -> MarkSaid:
    said: MarkSaid = {"tone": _tone(mark.tone)}
    if mark.symbols:
        said["symbols"] = _row(mark.symbols, name_plain)
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
        "trial": plain_words(card.trial._asdict()) if card.trial else None,
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

    Best play is best play, whatever it is best for.
    """
    name = "best" if name.startswith("best:") else name
    if (own := f"policy.{roll}.{name}") in game.words:
        return game.words.said(own)
    known = game.policies.get(name.partition(":")[0])
    return game.card.word(f"policy.{name}", name if known is None else known.title)


def sheet_shown(game: Game, sheet: Value) -> dict[str, Any]:
    """A sheet as widgets."""
    widgets = guarded(game, "sheet", fields_sheet, sheet, shown=_widgets)
    failing = [note(warning, "bad") for warning in warnings(game)]
    return _hashed([*plain_words(failing), *widgets])


def shared_shown(game: Game, shared: Value, *, by_referee: bool) -> dict[str, Any]:
    """What the table shares as widgets; what is for referees is only shown to others."""
    widgets = guarded(game, "shared", fields_sheet, shared, shown=_widgets)
    return _hashed(widgets if by_referee else _locked(widgets, for_referees(game.shared)))


def _hashed(widgets: list[Widget]) -> dict[str, Any]:
    return {"hash": digest(widgets), "widgets": widgets}


def _widgets(given: Sequence[Widget]) -> list[Widget]:
    return pieces_plain(given, "widget", "show")


def pieces_plain(given: Sequence[dict[str, Any]], kind: str, inside: str) -> list[dict[str, Any]]:
    """Controls or widgets as plain data: each says what it is, and all that are inside one."""
    shown = plain_words([*given])
    _check_pieces(shown, kind, inside)
    if len(canonical(shown)) > LARGEST_FORM:
        raise Unshowable("that is more than a page holds")
    return cast("list[dict[str, Any]]", shown)


def _check_pieces(shown: object, kind: str, inside: str) -> None:
    if not isinstance(shown, list):
        raise Unshowable(f"{type(shown).__name__} is no list of {kind}s")
    for one in shown:
        if not isinstance(one, dict) or not isinstance(one.get(kind), str):
            raise Unshowable(f"{one!r:.40} is no {kind}")
        if inside in one:
            _check_pieces(one[inside], kind, inside)


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
    both = (request, transcript)
    found: ThrowSaid = {}
    if label := guarded(game, "label", lambda *_: "", *both, shown=words_plain) if whole else "":
        found["label"] = label
    last = [thrown.pool for thrown, _ in transcript.throws[-1:]]
    names = [die.name for pool in last for die, _ in pool.groups if die.name]
    called = {
        name: guarded(game, "die", lambda *_: "", request, name, shown=words_plain)
        for name in names
    }
    if named := {name: text for name, text in called.items() if text}:
        found["named"] = named
    lies_of = partial(_lies, sum([len(faces) for _, faces in transcript.throws]))
    if lies := guarded(game, "lies", lambda *_: {}, *both, shown=lies_of) if whole else {}:
        found["lies"] = lies
    return found


def _lies(dice: int, lies: Lies) -> dict[str, str]:
    """How dice lie, by entry and place: of no more dice than there are."""
    if len(lies) > dice:
        raise Unshowable(f"{len(lies)} lie there, and {dice} were thrown")
    for (entry, place), lie in lies.items():
        if type(entry) is not int or type(place) is not int or lie not in get_args(Lie):
            raise Unshowable(f"({entry!r:.20}, {place!r:.20}): {lie!r:.20} says how no die lies")
    return {f"{entry}.{place}": lie for (entry, place), lie in lies.items()}


def thrower_shown(transcript: Transcript) -> str:
    """Whose dice are thrown now, where several people of one roll throw."""
    request = transcript.request
    if request is None:
        return ""
    game, both = find_game(request.game), (request, transcript)
    return guarded(game, "whose", lambda *_: "", *both, shown=name_plain)


def choice_shown(transcript: Transcript) -> ChoiceSaid:
    """What is asked at a choice, where it stands, and the tokens that are handed out in it."""
    request, options = transcript.request, transcript.step.options
    if request is None:
        return {"question": question(options)}
    game, both = find_game(request.game), (request, transcript)
    ask = guarded(game, "ask", lambda *_: question(options), *both, shown=words_plain)
    found: ChoiceSaid = {"question": ask}
    if standing := guarded(game, "standing", lambda *_: "", *both, shown=words_plain):
        found["standing"] = standing
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
    said: LadderSaid = {"rungs": _row(given.rungs, _rung, MOST_IN_A_ROW), "at": _whole(given.at)}
    if given.goal is not None:
        said["goal"] = _whole(given.goal)
    return _bounded(said)


def _rung(given: Rung) -> RungSaid:
    return {"at": _whole(given.at), "label": words_plain(given.label)}


def _whole(given: int) -> int:
    if type(given) is not int:
        raise Unshowable(f"{given!r:.40} is no whole number")
    return given


def _party(given: Sequence[Member]) -> list[MemberSaid]:
    return _bounded(_row(given, _member, MOST_PLACES))


def _member(given: Member) -> MemberSaid:
    said: MemberSaid = {
        "label": words_plain(given.label),
        "said": words_plain(given.said),
        "tone": _tone(given.tone),
    }
    if given.gives:
        said["gives"] = _whole(given.gives)
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
    return {name_plain(at): [_whole(size) for size in sizes] for at, sizes in given.items()}


def _assignment(given: Assignment | None) -> AssignmentSaid | None:
    if given is None:
        return None
    if type(given.tokens) is not int or not 0 <= given.tokens <= MOST_TOKENS:
        raise Unshowable(f"{given.tokens!r:.40} is no number of tokens")
    places = _row(given.places, _place, MOST_PLACES)
    said: AssignmentSaid = {"tokens": given.tokens, "places": places}
    return _bounded(said)


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
    """What was put where: of each place whole numbers of at least one, no more than there are."""
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


def _place(place: Place) -> PlaceSaid:
    said: PlaceSaid = {"at": name_plain(place.at), "label": words_plain(place.label)}
    return said | {"stacks": True} if place.stacks else said


def offer_shown(transcript: Transcript, option: Any) -> OptionSaid:
    """An option as its button says it."""
    request = transcript.request
    shown = partial(_offer, option)
    if request is None:
        return shown(Offer(option_said(option)))
    game, both = find_game(request.game), (request, transcript)
    return guarded(game, "offer", _plain_offer, *both, option, shown=shown)


def _offer(option: Any, offer: Offer) -> OptionSaid:
    said: OptionSaid = {"option": to_plain(option), "said": words_plain(offer.label)}
    if offer.leads:
        said["leads"] = words_plain(offer.leads)
    if offer.who:
        said["who"] = name_plain(offer.who)
    if offer.dice:
        said["dice"] = _row(offer.dice, name_plain, MOST_PLACES)
    if offer.at is not None:
        said["at"] = _whole(offer.at)
    if offer.member is not None:
        said["member"] = _whole(offer.member)
    return _bounded(said)


def option_shown(transcript: Transcript, option: Any) -> Text:
    """An option that is chosen, in words."""
    return offer_shown(transcript, option)["said"]


def effect_shown(game: Game, effect: Effect) -> Text:
    """An effect in words."""
    return guarded(game, "effect", effect_said, effect, shown=words_plain)


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
    return {
        "told": told_shown(transcript),
        "verdict": guarded(game, "verdict", _usual(game).verdict, request, outcome, shown=_verdict),
        "good": is_good(transcript),
    }


def told_shown(transcript: Transcript) -> Text:
    """What happened so far."""
    request = transcript.request
    if request is None:
        return story(transcript)
    game, both = find_game(request.game), (request, transcript)
    return guarded(game, "told", lambda *_: _in_short(transcript), *both, shown=words_plain)


def _verdict(verdict: Verdict) -> VerdictSaid:
    said: VerdictSaid = {"tone": _tone(verdict.tone)}
    if verdict.word:
        said["word"] = words_plain(verdict.word)
    if verdict.detail:
        said["detail"] = _row(verdict.detail, words_plain)
    if verdict.paid:
        said["paid"] = _row(verdict.paid, words_plain)
    return _bounded(said)


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
    return cut(said)


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
    return guarded(game, "is_good", _usual(game).is_good, request, outcome, shown=_truth)


def _truth(found: object) -> bool | None:
    if found is not None and not isinstance(found, int):
        raise Unshowable(f"{type(found).__name__} is neither so nor not so")
    return None if found is None else bool(found)
