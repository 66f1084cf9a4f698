"""The answers of the API, documented."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

Exact = Annotated[str, Meta(description="A whole number or a fraction, written out.")]
Number = Annotated[dict[str, Any], Meta(description="`exact` as text, `number` as a float.")]
Rows = list[dict[str, Any]]


class Error(Struct):
    """Why something was not done."""

    code: Annotated[str, Meta(description="One of the codes of the documentation.")]
    message: Annotated[str, Meta(description="One sentence: what came, what would do.")]
    field: str | UnsetType = UNSET
    start: Annotated[int, Meta(description="Where in an expression it went wrong.")] | UnsetType = (
        UNSET
    )
    end: int | UnsetType = UNSET
    suggestions: (
        Annotated[list[str], Meta(description="Expressions that would do.")] | UnsetType
    ) = UNSET
    wait: Annotated[int, Meta(description="Milliseconds to wait.")] | UnsetType = UNSET


class Refused(Struct):
    """The answer to whatever was not done."""

    ok: Literal[False]
    error: Error


class OddsAnswer(Struct):
    """Exact odds: every outcome with its weight, or the chance of an event."""

    title: str
    policy: str
    total: Exact
    lost: Annotated[Exact, Meta(description="Weight cut off by a stated bound.")]
    fields: list[str] | UnsetType = UNSET
    outcomes: Rows | UnsetType = UNSET
    where: str | UnsetType = UNSET
    chance: Exact | UnsetType = UNSET
    number: float | UnsetType = UNSET
    weight: Exact | UnsetType = UNSET


class EventAnswer(Struct):
    """The chance of an event, exactly."""

    title: str
    policy: str
    where: str
    chance: Exact
    number: float
    weight: Exact
    total: Exact
    lost: Annotated[Exact, Meta(description="Weight cut off by a stated bound.")]


class CurveAnswer(Struct):
    """A number of a roll for every value of one field, or for every pair of values of two."""

    title: Annotated[str, Meta(description="What stays the same.")]
    policy: str
    measure: Annotated[dict[str, Any], Meta(description="What is shown: its title, and by what.")]
    axes: Annotated[Rows, Meta(description="What is varied: `field` and `values`.")]
    cells: Annotated[
        Rows,
        Meta(description="`values`, with `chance` and `costs`, or with the `problem` they have."),
    ]


class FindAnswer(Struct):
    """The values of a field that give a chance, and every value that was tried."""

    title: Annotated[str, Meta(description="What stays the same.")]
    policy: str
    measure: Annotated[dict[str, Any], Meta(description="What counts: its title, and by what.")]
    over: Annotated[dict[str, str], Meta(description="What is searched: `field` and `title`.")]
    target: Number
    found: Annotated[
        list[Any], Meta(description="What reaches the target while a neighbour does not.")
    ]
    nearest: Annotated[list[Any], Meta(description="What comes closest, from above or below.")]
    ranges: Annotated[
        list[list[Any]], Meta(description="All that reaches it: first and last of each range.")
    ]
    direction: Literal["rises", "falls", "level", "mixed"]
    rows: Annotated[Rows, Meta(description="Each value with its `worth` and how far it is `off`.")]
    refused: Annotated[Rows, Meta(description="Values that cannot be, each with its `problem`.")]
    said: str


class SensitivityAnswer(Struct):
    """What moves a roll, what moves it most first."""

    title: str
    policy: str
    measure: Annotated[dict[str, Any], Meta(description="What counts: its title, and by what.")]
    now: Number
    unit: Annotated[str, Meta(description="Of changes: percentage points, or the goal's own.")]
    rows: Annotated[
        Rows, Meta(description="A field or house rule with its `moves`, each with its `change`.")
    ]
    left_out: int


class QuestionAnswer(Struct):
    """The answer of a game to one of its own questions."""

    game: str
    question: str
    title: str
    answer: Any


class AdviceAnswer(Struct):
    """The best call, with what every option is worth, where it leads, and why."""

    title: str
    goal: Annotated[dict[str, Any], Meta(description="What counts: its name and its words.")]
    goals: Annotated[Rows, Meta(description="The goals that go with this roll.")]
    value: Annotated[Number, Meta(description="What the roll is worth with best play.")]
    best: Annotated[Any, Meta(description="The best option; null where none is open.")]
    matters: bool
    ties: list[Any]
    options: Rows
    calls: Annotated[Rows, Meta(description="The best policy, before anything is thrown.")]
    why: str
    lines: (
        Annotated[Rows, Meta(description="The best policy exactly, as far as it fits.")] | UnsetType
    ) = UNSET
    by: str | UnsetType = UNSET
    best_said: str | UnsetType = UNSET
    left_out: Annotated[int, Meta(description="How many options are not listed.")] | UnsetType = (
        UNSET
    )
    costs: Rows | UnsetType = UNSET


class PreviewAnswer(Struct):
    """A roll not made yet: its odds, its costs, the best calls, and what one more is worth."""

    title: str
    request: dict[str, Any] | None
    policy: str
    goals: Rows
    chance: dict[str, Any] | UnsetType | None = UNSET
    fields: Rows | UnsetType = UNSET
    costs: Rows | UnsetType = UNSET
    best: dict[str, Any] | UnsetType | None = UNSET
    more: Rows | UnsetType = UNSET
    vary: dict[str, Any] | UnsetType = UNSET


class CompareAnswer(Struct):
    """Several rolls side by side."""

    rolls: Rows
    duels: Rows


class RollAnswer(Struct):
    """A roll: as data to go on with, in words, and what it waits for."""

    transcript: dict[str, Any]
    told: str
    step: dict[str, Any]
    throws: Rows


class VerifyAnswer(Struct):
    """Whether it is true; where it is not, what is wrong."""

    true: Annotated[
        bool | None, Meta(description="Null where it goes by rules that are not known here.")
    ]
    state: str | UnsetType = UNSET
    told: str | UnsetType = UNSET
    place: str | UnsetType = UNSET
    problem: str | UnsetType = UNSET
    table: str | UnsetType = UNSET
    head: Annotated[str, Meta(description="The hash of the last event.")] | UnsetType = UNSET
    checked: dict[str, int] | UnsetType = UNSET
    unchecked: (
        Annotated[dict[str, int], Meta(description="What could not be checked here.")] | UnsetType
    ) = UNSET
    problems: Rows | UnsetType = UNSET
    said: list[str] | UnsetType = UNSET


class RootAnswer(Struct):
    """What this is, and where to go on."""

    rollwright: str
    api: int
    tables: Annotated[
        Literal["anybody", "passphrase", "host"], Meta(description="Who may make tables here.")
    ]
    links: dict[str, str]


class GamesAnswer(Struct):
    """All games, in short."""

    games: Rows


class GameAnswer(Struct):
    """Everything about one game."""

    name: str
    title: str
    summary: str
    rolls: dict[str, Any]
    policies: dict[str, Any]
    goals: dict[str, Any]
    house: dict[str, Any]
    sheet: dict[str, Any] | None
    icons: dict[str, str]
    rulebook: Rows
