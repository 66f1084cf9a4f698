"""Games' descriptions of themselves, and errors."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from rollwright.jsonable import Json
from rollwright.queries.schemas.expressions import InterpretationData
from rollwright.queries.schemas.measures import Object, Policy, Said, Title


class RollKindName(TypedDict):
    """A kind of roll."""

    roll: Annotated[str, "Its name."]
    title: Title
    version: Annotated[str, "Another one when it comes to something else than before."]


class GameName(TypedDict):
    """A game."""

    name: Annotated[str, "Its name."]
    title: Title
    summary: Annotated[str, "What it is, in a line."]


class GameSummary(GameName):
    """A game in short."""

    rolls: Annotated[list[RollKindName], "The kinds of roll, the usual one first."]
    trial: Annotated[bool, "Whether its card has a roll to try."]
    face: Annotated[dict[str, dict[str, str]], "Felt and lettering, by light: light and dark."]


class BrokenGame(TypedDict):
    """A game that cannot be loaded."""

    name: Annotated[str, "Its name."]
    problem: Annotated[str, "What went wrong."]


class GamesAnswer(TypedDict):
    """All games, in short."""

    games: Annotated[list[GameSummary], "Each with its rolls."]
    broken: Annotated[list[BrokenGame], "What cannot be loaded."]


class FieldDescription(TypedDict):
    """A field as a form needs it; what there is nothing to say of is left out."""

    name: Annotated[str, "Its name."]
    title: NotRequired[Title]
    help: NotRequired[Annotated[str, "What it is for."]]
    kind: NotRequired[Annotated[str, "What it holds: int, text, choice, list, value and so on."]]
    optional: NotRequired[Annotated[bool, "Whether it may be null."]]
    required: NotRequired[Annotated[bool, "Whether it must be given."]]
    rule: NotRequired[Annotated[str, "The line of the rulebook behind it."]]
    low: NotRequired[Annotated[int, "The least."]]
    high: NotRequired[Annotated[int, "The most."]]
    most: NotRequired[Annotated[int, "How many, or how long."]]
    choices: NotRequired[Annotated[list[str], "The words it may be."]]
    would_do: NotRequired[Annotated[str, "What it takes, in words."]]
    known: NotRequired[Annotated[bool, "Whether the game may say it as `name.NAME` of its words."]]
    default: NotRequired[Annotated[Json, "What it is where nothing is said."]]
    items: NotRequired[Annotated[FieldDescription, "The parts of a list."]]
    fields: NotRequired[Annotated[list[FieldDescription], "The fields of a value."]]
    any_of: NotRequired[Annotated[list[FieldDescription], "What it may be instead."]]


class SettingDescription(TypedDict):
    """One setting of a house rule."""

    value: Annotated[Json, "The setting."]
    said: Said
    text: Annotated[str, "What it means."]


class HouseRuleDescription(FieldDescription):
    """A house rule with what each of its settings means."""

    code: Annotated[str, "Its number in the list of ambiguities."]
    readings: Annotated[list[SettingDescription], "Its settings, the default first."]
    measured_by: Annotated[str, "The question that shows how much it matters."]


class OutcomeField(TypedDict):
    """A field of an outcome."""

    name: Annotated[str, "Its name."]
    title: Title
    cost: Annotated[str | None, "What it is called where somebody pays for it."]


class RollDescription(RollKindName):
    """A kind of roll with its fields."""

    help: Annotated[str, "What it is."]
    fields: Annotated[list[FieldDescription], "What is decided before the dice are thrown."]
    outcome: Annotated[list[OutcomeField], "What it comes to."]
    goals: Annotated[list[str], "The goals that go with it."]


class PolicyDescription(TypedDict):
    """A way to decide."""

    title: Title
    argument: Annotated[str, "What may follow its name after a colon; empty for nothing."]


class GoalDescription(TypedDict):
    """Something that may count."""

    title: Title
    rolls: Annotated[list[str], "The kinds of roll it is for; empty for all."]


class HouseRulesDescription(TypedDict):
    """The house rules of a game."""

    fields: Annotated[list[HouseRuleDescription], "Each with its readings."]


class SheetDescription(TypedDict):
    """The sheet of a game, or what its tables share."""

    help: Annotated[str, "What it is."]
    fields: Annotated[list[FieldDescription], "What stands on it."]


class RulebookLine(TypedDict):
    """A line of the rulebook in our own words."""

    line: Annotated[str, "Its number, as tests cite it."]
    text: Annotated[str, "What it says."]
    guidance: Annotated[bool, "Whether it is advice to people."]


class QuestionDescription(TypedDict):
    """A question of a game's own."""

    title: Annotated[str, "The question in words."]
    arguments: Annotated[list[FieldDescription], "What it wants to know."]


class GameAnswer(GameName):
    """Everything about one game."""

    default_roll: Annotated[str, "The usual kind of roll."]
    rolls: Annotated[dict[str, RollDescription], "Each kind of roll with its fields."]
    policies: Annotated[dict[str, PolicyDescription], "How choices may be made."]
    default_policy: Annotated[str, "The usual one."]
    goals: Annotated[dict[str, GoalDescription], "What may count."]
    default_goal: Annotated[str, "The usual one."]
    house: Annotated[HouseRulesDescription, "House rules."]
    sheet: Annotated[SheetDescription | None, "The sheet."]
    shared: Annotated[SheetDescription | None, "What its tables share."]
    icons: Annotated[dict[str, str], "Icons of faces."]
    rulebook: Annotated[list[RulebookLine], "The lines of the rulebook."]
    questions: Annotated[dict[str, QuestionDescription], "Questions of its own."]
    card: Annotated[Object, "What surfaces show of it."]
    words: Annotated[Object, "Its messages in the language that was asked for; none without."]
    languages: Annotated[list[str], "The languages that its own words are in."]


class QuestionAnswer(TypedDict):
    """The answer of a game to one of its own questions."""

    game: Annotated[str, "Its name."]
    question: Annotated[str, "What was asked."]
    title: Annotated[str, "The question in words."]
    said: Annotated[str, "What to do, in a sentence, where that is asked; else empty."]
    policy: NotRequired[Policy]
    answer: Annotated[Json, "Data of the kind that the question says."]


class ErrorData(TypedDict):
    """Why something was not done."""

    code: Annotated[str, "One of the codes of the documentation."]
    message: Annotated[str, "One sentence: what came, what would do."]
    field: NotRequired[Annotated[str, "The field that it is about."]]
    start: NotRequired[Annotated[int, "Where in an expression it went wrong."]]
    end: NotRequired[Annotated[int, "Where that ends."]]
    line: NotRequired[Annotated[int, "In which line of a program, from 1."]]
    column: NotRequired[Annotated[int, "At which place of that line, from 1."]]
    slip: NotRequired[Annotated[str, "What kind of mistake an expression holds."]]
    suggestions: NotRequired[Annotated[list[str], "Expressions that would do."]]
    readings: NotRequired[
        Annotated[
            list[InterpretationData], "What an expression means in the spelling of other tools."
        ]
    ]
    known: NotRequired[Annotated[list[str], "The names that there are."]]
    face: NotRequired[Annotated[int, "Which of the faces it is about."]]
    wait: NotRequired[Annotated[int, "Milliseconds to wait."]]
