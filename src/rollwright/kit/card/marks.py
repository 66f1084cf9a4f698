"""How faces are read in a request, and how dice lie after a throw: guarded, as data."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple, get_args

from rollwright.dice import Pool
from rollwright.engine.transcript import Transcript
from rollwright.hooks import HookError, Text, call_hook, check_name, text_to_json
from rollwright.kit.card.defaults import Card
from rollwright.kit.card.parts import Lie, Lies, Mark, Marks, Sum
from rollwright.kit.card.shapes import (
    MarksView,
    MarkView,
    SumView,
    ThrowView,
    check_bounds,
    check_tone,
    check_whole,
    digest,
    row_to_json,
)
from rollwright.kit.games import find_game
from rollwright.kit.requests import Request

LARGEST_MARKS = 24_000
"""Bytes that the marks of a roll may take."""

MOST_MARKS = 256
"""Requests whose marks are kept."""


class FaceMarks(NamedTuple):
    """How faces are read, and the hash by which that is known again."""

    marks: MarksView
    hash: str


NO_MARKS = FaceMarks({}, "")
"""Faces are read as they are."""


def marks_to_json(request: Request) -> MarksView:
    """How faces are read in a request."""
    return marks_read(request).marks


def marks_read(request: Request, *, openly: bool = False) -> FaceMarks:
    """How faces are read in a request, with its hash; nothing in it may be changed.

    What is rolled `openly` is known when it comes again. What somebody only thinks about, or rolls
    in secret, leaves nothing behind by which the same would be read sooner.
    """
    game = find_game(request.game)
    by = partial(_marks_of, openly, game.card)
    return call_hook(game, "marks", lambda one: NO_MARKS, request, by=by, shown=FaceMarks._make)


_known: dict[tuple[Card, Request], FaceMarks] = {}


def _marks_of(openly: bool, card: Card, request: Request) -> FaceMarks:
    """The marks of a card as data; equal requests are asked once."""
    found = _known.get((card, request))
    if found is None:
        found = _read(card, request)
        if openly:
            _known[card, request] = found
            if len(_known) > MOST_MARKS:
                _known.pop(next(iter(_known)), None)
    return found


def _read(card: Card, request: Request) -> FaceMarks:
    marks: Marks = card.marks(request)
    shown = {
        check_name(die): {str(face): _mark(mark) for face, mark in faces.items()}
        for die, faces in marks.items()
    }
    if not shown or len(str(shown)) > LARGEST_MARKS:
        return NO_MARKS
    return FaceMarks(shown, digest(shown))


def _mark(mark: Mark) -> MarkView:
    said: MarkView = {"tone": check_tone(mark.tone)}
    if mark.symbols:
        said["symbols"] = row_to_json(mark.symbols, check_name)
    if mark.alone:
        said["alone"] = True
    if mark.said:
        said["said"] = text_to_json(mark.said)
    if mark.written:
        said["written"] = True
    return said


def throw_to_json(transcript: Transcript, *, whole: bool = True) -> ThrowView:
    """Whose the last throw is, and how the dice lie after it for somebody who saw the `whole`."""
    request = transcript.request
    if request is None:
        return {}
    game = find_game(request.game)
    both = (request, transcript)
    found: ThrowView = {}
    if label := call_hook(game, "label", lambda *_: "", *both, shown=text_to_json) if whole else "":
        found["label"] = label
    if named := dice_names(transcript, *[thrown.pool for thrown, _ in transcript.throws[-1:]]):
        found["named"] = named
    lies_of = partial(_die_states, sum([len(faces) for _, faces in transcript.throws]))
    if lies := call_hook(game, "lies", lambda *_: {}, *both, shown=lies_of) if whole else {}:
        found["lies"] = lies
    return found


def dice_names(transcript: Transcript, *pools: Pool) -> dict[str, Text]:
    """Return the game's names of dice in these pools, by ours; dice without one are left out."""
    request = transcript.request
    if request is None:
        return {}
    game = find_game(request.game)
    called = {
        die.name: call_hook(game, "die", lambda *_: "", request, die.name, shown=text_to_json)
        for pool in pools
        for die, _ in pool.groups
        if die.name
    }
    return {name: text for name, text in called.items() if text}


def _die_states(dice: int, lies: Lies) -> dict[str, str]:
    """How dice lie, by entry and place: of no more dice than there are."""
    if len(lies) > dice:
        raise HookError(f"{len(lies)} lie there, and {dice} were thrown")
    for (entry, place), lie in lies.items():
        if type(entry) is not int or type(place) is not int or lie not in get_args(Lie):
            raise HookError(f"({entry!r:.20}, {place!r:.20}): {lie!r:.20} says how no die lies")
    return {f"{entry}.{place}": lie for (entry, place), lie in lies.items()}


def sum_to_json(transcript: Transcript) -> SumView | None:
    """Return the sum of the dice that were rolled; None if the game does not say."""
    request = transcript.request
    if request is None:
        return None
    game, both = find_game(request.game), (request, transcript)
    return call_hook(game, "sum", lambda *_: None, *both, shown=_sum)


def _sum(given: Sum | None) -> SumView | None:
    if given is None:
        return None
    terms = row_to_json(given.terms, text_to_json)
    said: SumView = {"terms": terms, "total": check_whole(given.total)}
    return check_bounds(said)


def skill_text(transcript: Transcript) -> Text:
    """Return the thrower's skill or bonus, in a few words; empty if the game does not say."""
    request = transcript.request
    if request is None:
        return ""
    game, both = find_game(request.game), (request, transcript)
    return call_hook(game, "throws", lambda *_: "", *both, shown=text_to_json)


def thrower_of(transcript: Transcript) -> str:
    """Whose dice are thrown now, where several people of one roll throw."""
    request = transcript.request
    if request is None:
        return ""
    game, both = find_game(request.game), (request, transcript)
    return call_hook(game, "whose", lambda *_: "", *both, shown=check_name)
