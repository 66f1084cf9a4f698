"""The data of a roll that interfaces show: shapes, and limits that keep them small."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Annotated, Any, NotRequired, TypeAlias, TypedDict, TypeVar, get_args

from rollwright.hooks import LARGEST_MESSAGE, HookError, Text
from rollwright.jsonable import Json, canonical_json
from rollwright.kit.card.parts import Tone

T = TypeVar("T")
MOST_IN_A_ROW = 40
"""Most parts of a list in an event."""


class MarkView(TypedDict):
    """How a face is read."""

    tone: Annotated[str, "great, good, mixed, bad, awful, or even."]
    symbols: NotRequired[Annotated[list[str], "What is drawn on it."]]
    alone: NotRequired[Annotated[bool, "Whether that stands in place of the number."]]
    said: NotRequired[Annotated[Text, "What it is, in words."]]
    written: NotRequired[Annotated[bool, "Whether these words stand under the die."]]


MarksView: TypeAlias = dict[str, dict[str, MarkView]]


class OptionView(TypedDict):
    """Something that may be chosen."""

    option: Annotated[Json, "The option as data."]
    said: Annotated[Text, "The option in words."]
    leads: NotRequired[Annotated[Text, "What it comes to."]]
    who: NotRequired[Annotated[str, "Whom it names: @s3."]]
    dice: NotRequired[Annotated[list[str], "The dice that it is about: entry and place, 0.1."]]
    at: NotRequired[Annotated[int, "Where it leads on the ladder."]]
    member: NotRequired[Annotated[int, "Whom of the party it is for, by place."]]
    tone: NotRequired[Annotated[str, "How what it comes to is: great, good, mixed, bad or awful."]]


class RungView(TypedDict):
    """A number that has a name."""

    at: Annotated[int, "The number."]
    label: Annotated[Text, "Its name."]


class LadderView(TypedDict):
    """A choice that is about how far a number reaches."""

    rungs: Annotated[list[RungView], "What has a name."]
    at: Annotated[int, "Where it stands."]
    goal: NotRequired[Annotated[int, "What is to be reached."]]


class MemberView(TypedDict):
    """Somebody in a roll of several."""

    label: Annotated[Text, "Their name."]
    said: Annotated[Text, "Where they stand."]
    tone: Annotated[str, "great, good, mixed, bad, awful, or even."]
    gives: NotRequired[Annotated[int, "How much they have left to give away."]]


class PlaceView(TypedDict):
    """A place for tokens."""

    at: Annotated[str, "Its name."]
    label: Annotated[Text, "Its name in words."]
    stacks: NotRequired[Annotated[bool, "Whether several make one larger thing."]]


class AssignmentView(TypedDict):
    """A choice that hands tokens out."""

    tokens: Annotated[int, "How many there are."]
    places: Annotated[list[PlaceView], "Where they may be put."]


class SumView(TypedDict):
    """An addition."""

    terms: Annotated[list[Text], "The dice, then what else counts, by name."]
    total: Annotated[int, "What all of it makes."]


class VerdictView(TypedDict):
    """The result of a roll, to be read across the table."""

    word: NotRequired[Annotated[Text, "In a word."]]
    tone: Annotated[str, "great, good, mixed, bad, awful, or even."]
    detail: NotRequired[Annotated[list[Text], "What belongs to it."]]
    paid: NotRequired[Annotated[list[Text], "What it has cost."]]


class ChoiceView(TypedDict):
    """The question of a choice, and its options."""

    question: Annotated[Text, "The choice as a question."]
    standing: NotRequired[Annotated[Text, "Where it stands."]]
    sum: NotRequired[Annotated[SumView, "What the dice that lie there add up to."]]
    assign: NotRequired[Annotated[AssignmentView, "The choice as tokens that are handed out."]]
    aim: NotRequired[Annotated[str, "The goal it is about, where the roll's own is settled."]]
    ladder: NotRequired[Annotated[LadderView, "The choice as a number on its way up."]]
    party: NotRequired[Annotated[list[MemberView], "Everybody, where one gives another something."]]


class ThrowView(TypedDict):
    """A throw, and the state of its dice after it."""

    label: NotRequired[Annotated[Text, "Whose dice or which turn's, in words."]]
    named: NotRequired[Annotated[dict[str, Text], "What dice are called, by their names."]]
    lies: NotRequired[
        Annotated[dict[str, str], "How dice lie, by entry and place: counts, dropped, kept, again."]
    ]


class EndingView(TypedDict):
    """The result of a roll, in words."""

    told: Annotated[Text, "What happened."]
    verdict: NotRequired[Annotated[VerdictView | None, "In a word; null for dice alone."]]
    sum: NotRequired[Annotated[SumView, "What was added up, where it is about a sum."]]
    good: Annotated[bool | None, "Whether it went well; null where nobody can say."]


def check_tone(tone: object) -> str:
    """One of the tones."""
    if tone not in get_args(Tone):
        raise HookError(f"{tone!r:.40} is no tone")
    return str(tone)


def row_to_json(held: Any, what: Callable[[Any], T], most: int = MOST_IN_A_ROW) -> list[T]:
    """Some of the same kind, no more than somebody could look at."""
    if not isinstance(held, (tuple, list)) or len(held) > most:
        raise HookError(f"{type(held).__name__} is no tuple of at most {most}")
    return [what(one) for one in held]


def check_bounds(shown: T) -> T:
    """Return the data if it takes no more room in an event than a message may."""
    if len(str(shown)) > LARGEST_MESSAGE:
        raise HookError("that is more than an event holds")
    return shown


def check_whole(given: object) -> int:
    """A whole number."""
    if type(given) is not int:
        raise HookError(f"{given!r:.40} is no whole number")
    return given


def digest(shown: Any) -> str:
    """A short hash by which somebody knows that nothing has changed."""
    return text_digest(canonical_json(shown))


def text_digest(text: bytes) -> str:
    """The same of what is JSON already."""
    return blake2b(text, digest_size=12).hexdigest()
