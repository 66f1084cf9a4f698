"""How faces are read in a request, and how dice lie after a throw: guarded, as data."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple, get_args

from rollwright.dice import Pool
from rollwright.engine.transcript import Transcript
from rollwright.guard import Text, Unshowable, guarded, name_plain, words_plain
from rollwright.kit.card.defaults import Card
from rollwright.kit.card.parts import Lie, Lies, Mark, Marks, Sum
from rollwright.kit.card.shapes import (
    MarkSaid,
    MarksSaid,
    SumSaid,
    ThrowSaid,
    bounded,
    digest,
    row_plain,
    tone_plain,
    whole_plain,
)
from rollwright.kit.games import find_game
from rollwright.kit.requests import Request

LARGEST_MARKS = 24_000
"""Bytes that the marks of a roll may take."""

MOST_MARKS = 256
"""Requests whose marks are kept."""


class MarksRead(NamedTuple):
    """How faces are read, and the hash by which that is known again."""

    marks: MarksSaid
    hash: str


NO_MARKS = MarksRead({}, "")
"""Faces are read as they are."""


def marks_shown(request: Request) -> MarksSaid:
    """How faces are read in a request."""
    return marks_read(request).marks


def marks_read(request: Request, *, openly: bool = False) -> MarksRead:
    """How faces are read in a request, with its hash; nothing in it may be changed.

    What is rolled `openly` is known when it comes again. What somebody only thinks about, or rolls
    in secret, leaves nothing behind by which the same would be read sooner.
    """
    game = find_game(request.game)
    by = partial(_marks_of, openly, game.card)
    return guarded(game, "marks", lambda one: NO_MARKS, request, by=by, shown=MarksRead._make)


_known: dict[tuple[Card, Request], MarksRead] = {}


def _marks_of(openly: bool, card: Card, request: Request) -> MarksRead:
    """The marks of a card as data; equal requests are asked once."""
    found = _known.get((card, request))
    if found is None:
        found = _read(card, request)
        if openly:
            _known[card, request] = found
            if len(_known) > MOST_MARKS:
                _known.pop(next(iter(_known)), None)
    return found


def _read(card: Card, request: Request) -> MarksRead:
    marks: Marks = card.marks(request)
    shown = {
        name_plain(die): {str(face): _mark(mark) for face, mark in faces.items()}
        for die, faces in marks.items()
    }
    if not shown or len(str(shown)) > LARGEST_MARKS:
        return NO_MARKS
    return MarksRead(shown, digest(shown))


def _mark(mark: Mark) -> MarkSaid:
    said: MarkSaid = {"tone": tone_plain(mark.tone)}
    if mark.symbols:
        said["symbols"] = row_plain(mark.symbols, name_plain)
    if mark.alone:
        said["alone"] = True
    if mark.said:
        said["said"] = words_plain(mark.said)
    if mark.written:
        said["written"] = True
    return said


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
    if named := dice_named(transcript, *[thrown.pool for thrown, _ in transcript.throws[-1:]]):
        found["named"] = named
    lies_of = partial(_lies, sum([len(faces) for _, faces in transcript.throws]))
    if lies := guarded(game, "lies", lambda *_: {}, *both, shown=lies_of) if whole else {}:
        found["lies"] = lies
    return found


def dice_named(transcript: Transcript, *pools: Pool) -> dict[str, Text]:
    """Return the game's names of dice in these pools, by ours; dice without one are left out."""
    request = transcript.request
    if request is None:
        return {}
    game = find_game(request.game)
    called = {
        die.name: guarded(game, "die", lambda *_: "", request, die.name, shown=words_plain)
        for pool in pools
        for die, _ in pool.groups
        if die.name
    }
    return {name: text for name, text in called.items() if text}


def _lies(dice: int, lies: Lies) -> dict[str, str]:
    """How dice lie, by entry and place: of no more dice than there are."""
    if len(lies) > dice:
        raise Unshowable(f"{len(lies)} lie there, and {dice} were thrown")
    for (entry, place), lie in lies.items():
        if type(entry) is not int or type(place) is not int or lie not in get_args(Lie):
            raise Unshowable(f"({entry!r:.20}, {place!r:.20}): {lie!r:.20} says how no die lies")
    return {f"{entry}.{place}": lie for (entry, place), lie in lies.items()}


def sum_shown(transcript: Transcript) -> SumSaid | None:
    """Return the sum of the dice that were rolled; None if the game does not say."""
    request = transcript.request
    if request is None:
        return None
    game, both = find_game(request.game), (request, transcript)
    return guarded(game, "sum", lambda *_: None, *both, shown=_sum)


def _sum(given: Sum | None) -> SumSaid | None:
    if given is None:
        return None
    terms = row_plain(given.terms, words_plain)
    said: SumSaid = {"terms": terms, "total": whole_plain(given.total)}
    return bounded(said)


def throws_shown(transcript: Transcript) -> Text:
    """Return the thrower's skill or bonus, in a few words; empty if the game does not say."""
    request = transcript.request
    if request is None:
        return ""
    game, both = find_game(request.game), (request, transcript)
    return guarded(game, "throws", lambda *_: "", *both, shown=words_plain)


def thrower_shown(transcript: Transcript) -> str:
    """Whose dice are thrown now, where several people of one roll throw."""
    request = transcript.request
    if request is None:
        return ""
    game, both = find_game(request.game), (request, transcript)
    return guarded(game, "whose", lambda *_: "", *both, shown=name_plain)
