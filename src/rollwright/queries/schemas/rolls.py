"""Rolls, their forms and sheets, and whether they are true."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from rollwright.jsonable import Json
from rollwright.queries.schemas.advice import PolicyData
from rollwright.queries.schemas.expressions import WithTranslations
from rollwright.queries.schemas.measures import MeasureWorth, Object, Rolled, Said


class OpenThrow(TypedDict):
    """The roll waits for dice."""

    step: Literal["throw"]
    dice: Annotated[list[str], "The dice by name, in the order of their faces."]
    pool: Annotated[Json, "The dice as data."]
    named: NotRequired[Annotated[dict[str, str], "What dice are called, by their names."]]


class OptionData(TypedDict):
    """Something that may be chosen."""

    option: Annotated[Json, "The option as data."]
    said: Said
    leads: NotRequired[Annotated[str, "What it comes to."]]
    who: NotRequired[Annotated[str, "Whom it names."]]
    dice: NotRequired[Annotated[list[str], "The dice that it is about: entry and place."]]
    at: NotRequired[Annotated[int, "Where it leads on the ladder."]]
    member: NotRequired[Annotated[int, "Whom of the party it is for, by place."]]


class OpenChoice(TypedDict):
    """The roll waits for somebody to choose."""

    step: Literal["choice"]
    by: Annotated[str, "Who chooses, as the rule calls them."]
    options: Annotated[list[OptionData], "What may be chosen."]
    about: Annotated[Object | None, "What the choice turns on."]
    question: Annotated[str, "The choice as a question."]
    standing: NotRequired[Annotated[str, "Where it stands."]]
    assign: NotRequired[Annotated[Object, "The choice as tokens that are handed out."]]
    aim: NotRequired[Annotated[str, "The goal it is about, where the roll's own is settled."]]
    ladder: NotRequired[Annotated[Object, "The choice as a number on its way up."]]
    party: NotRequired[Annotated[list[Object], "Everybody, where one gives another something."]]


class VerdictData(TypedDict):
    """The verdict on a roll, in a word."""

    tone: Annotated[str, "great, good, mixed, bad, awful, or even."]
    word: NotRequired[Annotated[str, "In a word."]]
    detail: NotRequired[Annotated[list[str], "What belongs to it."]]
    paid: NotRequired[Annotated[list[str], "What it has cost."]]


class EffectData(TypedDict):
    """An effect of a roll beside its outcome."""

    kind: Annotated[str, "The kind of effect."]
    amount: Annotated[Json, "How much of it."]
    target: Annotated[str, "Whom or what it is for; empty for whoever rolled."]
    said: Said


class RollEnding(TypedDict):
    """The roll has ended."""

    step: Literal["done"]
    outcome: Annotated[Json, "What it came to, as data."]
    fields: Annotated[Object, "What it came to, by name."]
    told: Annotated[str, "What happened."]
    verdict: NotRequired[Annotated[VerdictData | None, "In a word; null for dice alone."]]
    good: Annotated[bool | None, "Whether it went well; null where nobody can say."]
    effects: Annotated[list[EffectData], "What it does beside its outcome."]


class ThrowData(TypedDict):
    """Dice that were thrown."""

    pool: Annotated[Json, "The dice as data."]
    faces: Annotated[list[Json], "What they show."]
    label: NotRequired[Annotated[str, "Whose they are, or which turn's."]]
    named: NotRequired[Annotated[dict[str, str], "What dice are called, by their names."]]


class RollAnswer(WithTranslations):
    """A roll: as data to go on with, in words, and what it waits for."""

    transcript: Annotated[Object, "The roll, to go on with."]
    told: Annotated[str, "What happened."]
    step: Annotated[OpenThrow | OpenChoice | RollEnding, "What it waits for, or what it came to."]
    throws: Annotated[list[ThrowData], "The dice that were thrown."]
    marks: Annotated[Object, "How faces are read: by die, then by face."]
    label: NotRequired[Annotated[str, "Whose the last throw is, or which turn's."]]
    named: NotRequired[Annotated[dict[str, str], "What its dice are called, by their names."]]
    lies: NotRequired[Annotated[dict[str, str], "How dice lie, by entry and place."]]


class FormAnswer(TypedDict):
    """The form of a roll that is being made up."""

    n: Annotated[int, "The number of the draft that was asked about."]
    hash: Annotated[str, "By which a form is known again."]
    form: Annotated[list[Object] | None, "The controls; null where the hash is the one known."]
    draft: Annotated[Object, "The draft in effect, to be rolled: `roll`, `pick` and `set`."]
    request: Annotated[Object | None, "What it makes; null where it makes nothing."]
    title: Annotated[Json, "What is rolled: a text or a message."]
    can: Annotated[bool, "Whether it can be rolled."]
    why: Annotated[Json, "Why not: a text or a message."]
    rule: Annotated[str, "The line of the rulebook behind that; empty where there is none."]
    dice: Annotated[list[str] | None, "The dice of the first throw; null where none is first."]
    pool: Annotated[Json, "The same as data."]
    marks: Annotated[Object, "How their faces are read."]
    marks_hash: Annotated[str, "The hash by which rolls at a table name these marks."]
    fits: NotRequired[
        Annotated[Object | None, "What an ask comes to with this sheet; null where it cannot."]
    ]
    lacks: NotRequired[
        Annotated[list[str], "What an ask names that the sheet lacks: it is rolled without."]
    ]


class MarksAnswer(TypedDict):
    """How the faces of dice are read in a roll."""

    hash: Annotated[str, "By which that is known again, as rolls at a table name it."]
    marks: Annotated[Object, "The marks: by die, then by face or a range of faces."]


class SheetAnswer(TypedDict):
    """A sheet as widgets."""

    hash: Annotated[str, "By which it is known again."]
    widgets: Annotated[list[Object], "What it is shown with."]


class RowChance(TypedDict):
    """A roll that a sheet begins."""

    begins: Annotated[Object, "The draft that it begins with, as the widget has it."]
    chance: Annotated[MeasureWorth | None, "Of success; null where it cannot be counted."]
    play: NotRequired[Annotated[PolicyData, "Under what play it holds, where one chooses."]]


class ChancesAnswer(TypedDict):
    """The worth of each roll that a sheet begins."""

    hash: Annotated[str, "Of the widgets that begin them."]
    chances: Annotated[list[RowChance], "In the order of the widgets."]


class LogProblem(TypedDict):
    """Something that is wrong with a log."""

    seq: Annotated[int | None, "The number of the event."]
    what: Annotated[str, "What is wrong, in a few words."]
    message: Annotated[str, "One sentence."]


LogFor = TypedDict("LogFor", {"for": Annotated[str, "Whose copy of the log it is."]}, total=False)


class ShareAnswer(TypedDict):
    """A roll made to be shown elsewhere."""

    title: Rolled
    told: Annotated[str, "What happened."]
    odds: Annotated[str, "The odds it had and the play they hold under; empty where unknown."]
    chance: Annotated[float | None, "The same as a share of 1, where it is a chance."]
    text: Annotated[str, "Lines to paste into a chat, with the link."]
    link: Annotated[str, "A link that verifies; empty for a roll that is too long for one."]
    svg: Annotated[str, "The picture: one SVG document."]


class VerifyAnswer(LogFor):
    """Whether it is true; where it is not, what is wrong."""

    true: Annotated[bool | None, "Null where not all of it could be checked here."]
    verdict: Annotated[Literal["true", "partly", "false"], "The same in a word."]
    state: NotRequired[Annotated[Literal["done", "open"], "Of a roll: whether it is done."]]
    told: NotRequired[Annotated[str, "What happened."]]
    place: NotRequired[Annotated[str, "Where it is wrong."]]
    problem: NotRequired[Annotated[str, "What is wrong."]]
    table: NotRequired[Annotated[str, "The table of a log."]]
    head: NotRequired[Annotated[str, "The hash of the last event."]]
    checked: NotRequired[Annotated[dict[str, int], "What was checked."]]
    unchecked: NotRequired[Annotated[dict[str, int], "What could not be."]]
    problems: NotRequired[Annotated[list[LogProblem], "What is wrong with a log."]]
    more: NotRequired[Annotated[int, "How many problems are not listed."]]
    not_here: NotRequired[
        Annotated[list[str], "Games whose rules are not here, or here in another version."]
    ]
    said: NotRequired[Annotated[list[str], "The same in words."]]
