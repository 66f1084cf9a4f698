"""The bodies that the questions of the API come in, and the answers: checked, and documented."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

Text = Annotated[str, Meta(max_length=2000)]
Expression = Annotated[
    str, Meta(max_length=4000, description="Dice as they are written.", examples=["4d6kh3+2"])
]
Plain = Annotated[
    dict[str, Any],
    Meta(description="A request of a game as data; GET /games/{name} has the schema of each."),
]
Names = Annotated[list[Annotated[str, Meta(max_length=60)]], Meta(max_length=60)]
Exact = Annotated[str, Meta(description="A whole number or a fraction, written out.")]
Number = Annotated[dict[str, Any], Meta(description="`exact` as text, `number` as a float.")]
Rows = list[dict[str, Any]]


class About(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What a question is about: exactly one of expression, request, from_sheet and transcript."""

    expression: Expression | None = None
    variables: Annotated[
        dict[str, Any] | None, Meta(description="Numbers for the @names in the expression.")
    ] = None
    request: Plain | None = None
    transcript: Annotated[
        dict[str, Any] | None, Meta(description="A roll in progress, as POST /roll gave it.")
    ] = None
    game: Annotated[Text | None, Meta(description="The game of a sheet.")] = None
    house: Annotated[
        dict[str, Any] | None, Meta(description="House rules, instead of those in the request.")
    ] = None
    sheet: Annotated[dict[str, Any] | None, Meta(description="The values of a sheet.")] = None
    from_sheet: Annotated[
        dict[str, Any] | None,
        Meta(description="`roll` and the fields of a request that the sheet does not fill in."),
    ] = None


class Odds(About, forbid_unknown_fields=True):
    """Asks for exact odds."""

    policy: Annotated[Text | None, Meta(description="How choices are made; `best` plays best.")] = (
        None
    )
    of: Annotated[
        Names | Text | None, Meta(description="Fields of the outcome: a list, or with commas.")
    ] = None
    where: Annotated[Text | None, Meta(description="An event, such as `hit and not jammed`.")] = (
        None
    )
    seat: Annotated[Text | None, Meta(description="Whose knowledge of an open roll counts.")] = None


class Advise(About, forbid_unknown_fields=True):
    """Asks for the best call."""

    goal: Annotated[
        Text | None, Meta(description="A goal of the game, or prices: `hit=1,damage=-0.3`.")
    ] = None
    seat: Annotated[Text | None, Meta(description="Whose knowledge of an open roll counts.")] = None


class Roll(About, forbid_unknown_fields=True):
    """Starts a roll or goes on with one."""

    seed: Annotated[int | Text | None, Meta(description="Settles the faces once and for all.")] = (
        None
    )
    faces: Annotated[
        Annotated[list[Any], Meta(max_length=2000)] | None,
        Meta(description="Faces read off real dice, as far as they go."),
    ] = None
    policy: Annotated[
        Text | None, Meta(description="How choices are made; without one a roll stops there.")
    ] = None
    option: Annotated[
        Any | UnsetType, Meta(description="What is chosen where the roll waits for a choice.")
    ] = UNSET
    number: Annotated[
        int | None, Meta(description="The same by its place among the options, from 0.")
    ] = None
    by: Annotated[Text | None, Meta(description="Who chooses, as the rule calls them.")] = None


class Varied(Struct, forbid_unknown_fields=True):
    """A field and the values it takes."""

    field: Text
    values: Annotated[list[Any], Meta(min_length=1, max_length=60)]


Part = Literal["odds", "best", "more"]


class Preview(About, forbid_unknown_fields=True):
    """Asks about a roll that is not made yet."""

    policy: Text | None = None
    goal: Text | None = None
    of: Annotated[Names | Text | None, Meta(description="Fields to show; all without it.")] = None
    where: Annotated[
        Text | None, Meta(description="An event whose chance counts instead of success.")
    ] = None
    parts: Annotated[
        Annotated[list[Part], Meta(max_length=3)] | None,
        Meta(
            description="How much is wanted: `odds` is quick, `best` says the best calls, `more` "
            "what one more of each number would be worth. All without it."
        ),
    ] = None
    more: Annotated[Names | None, Meta(description="The numbers to raise; all without it.")] = None
    vary: Annotated[
        Varied | Annotated[list[Varied], Meta(min_length=1, max_length=2)] | None,
        Meta(description="A curve over one field, or a heat map over two."),
    ] = None
    slot: Annotated[
        Annotated[str, Meta(max_length=40)] | None,
        Meta(
            description="A name for a slider: a newer question of the same name takes the place "
            "of this one, which is then answered with the code `superseded`."
        ),
    ] = None


class TablePreview(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Asks about a roll at a table that is not made yet: what and whose, as in roll.start."""

    expression: Expression | None = None
    request: Plain | None = None
    from_sheet: Annotated[
        dict[str, Any] | None,
        Meta(description="`roll` and the fields that the sheet does not fill in."),
    ] = None
    sheet: Annotated[Text | None, Meta(description="The sheet; your own without it.")] = None
    policy: Text | None = None
    goal: Text | None = None
    of: Names | Text | None = None
    where: Text | None = None
    parts: Annotated[list[Part], Meta(max_length=3)] | None = None
    more: Names | None = None
    vary: Varied | Annotated[list[Varied], Meta(min_length=1, max_length=2)] | None = None
    slot: Annotated[str, Meta(max_length=40)] | None = None


class TableAdvice(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Asks for advice on an open roll of a table."""

    goal: Text | None = None


class Compared(About, forbid_unknown_fields=True):
    """One of several rolls."""

    name: Annotated[str, Meta(max_length=200)] | None = None
    policy: Text | None = None


class Compare(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Asks for several rolls side by side."""

    rolls: Annotated[list[Compared], Meta(min_length=2, max_length=8)]
    of: Names | Text | None = None
    where: Text | None = None
    goal: Text | None = None
    policy: Annotated[Text | None, Meta(description="For rolls that name none of their own.")] = (
        None
    )


class Verify(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Asks whether a roll or a whole log is true: one of the two."""

    transcript: dict[str, Any] | None = None
    log: Annotated[dict[str, Any] | None, Meta(description="A table's log.json.")] = None


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

    true: bool
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
