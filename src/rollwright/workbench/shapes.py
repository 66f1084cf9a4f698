"""The answer to a program, field by field: the types of its outputs, its rules and its problems.

They are plain data that a page shows without any arithmetic of its own.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from rollwright.jsonable import Json
from rollwright.queries.schemas import (
    Amount,
    AnyDiceAnswer,
    AxisData,
    Distribution,
    Duel,
    FieldDescription,
    GameSummary,
    HintData,
    Object,
    PolicyLineText,
    RollAnswer,
    ShareData,
    SheetAnswer,
    Title,
    Total,
    WorthData,
)


class TextPlace(TypedDict):
    """A place in the text: lines from 1, columns from 0, in characters."""

    line: Annotated[int, "The line that it begins in."]
    column: Annotated[int, "The column that it begins at."]
    end_line: Annotated[int, "The line that it ends in."]
    end_column: Annotated[int, "The column behind its end."]


class Drawn(TypedDict):
    """A picture and its numbers."""

    svg: Annotated[str, "The picture, which needs nothing else."]
    csv: Annotated[str, "The exact numbers, for a spreadsheet."]


class DistributionDrawn(Distribution, Drawn):
    """A distribution with its picture."""


class Joint(TypedDict):
    """How likely two things are together."""

    across: Annotated[str, "The field whose values head the columns."]
    down: Annotated[str, "The field whose values head the rows."]
    columns: Annotated[list[str], "The values of the one."]
    rows: Annotated[list[str], "The values of the other."]
    cells: Annotated[list[list[ShareData]], "Row by row."]
    total: Total
    svg: Annotated[str, "The same as a map."]
    csv: Annotated[str, "The same for a spreadsheet."]


class OutputPlace(TextPlace):
    """The place and the name of an output."""

    name: Annotated[str, "What it is called: its name, the note above it, or as it is written."]
    rule: Annotated[str, "The rule it is of, where nobody wrote a line for it; else empty."]


class OddsOutput(OutputPlace):
    """Exact odds."""

    kind: Literal["odds"]
    fields: Annotated[list[DistributionDrawn], "Of the outcome, or of each of its fields."]
    joint: Annotated[Joint | None, "Two of the fields together, where there are two."]
    remarks: Annotated[list[HintData], "What may have been meant otherwise."]


class FieldCompared(Drawn):
    """Something that several rolls come to, side by side."""

    name: Annotated[str, "The field; empty for the outcome itself."]
    title: Title
    rolls: Annotated[list[Distribution], "Each by its name."]
    labels: Annotated[list[str], "What they come to: the rows of the table."]
    shares: Annotated[list[list[ShareData]], "For each label that of every roll."]
    duels: Annotated[list[Duel], "How often one is less, equal or greater than another."]


class CompareOutput(OutputPlace):
    """Several distributions side by side."""

    kind: Literal["compare"]
    fields: Annotated[list[FieldCompared], "Of the outcomes, or of each field they share."]


class SweptCell(TypedDict):
    """The measure at one place."""

    values: Annotated[list[Json], "One of each axis."]
    worth: Annotated[WorthData, "What was measured there."]


class SweepOutput(OutputPlace, Drawn):
    """One number for every value of one thing, as a line, or of two, as a heat map."""

    kind: Literal["sweep"]
    title: Title
    axes: Annotated[list[AxisData], "What was moved: one or two."]
    cells: Annotated[list[SweptCell], "The last axis runs fastest."]
    cut: Annotated[str, "What a stated bound has cut off, in a sentence; else empty."]


class OptionShown(TypedDict):
    """An option and what it is worth."""

    said: Annotated[str, "The option in words."]
    value: Annotated[WorthData, "What it is worth with best play."]
    best: Annotated[bool, "Whether nothing is better."]


class AdviceOutput(OutputPlace):
    """Best play: what it is worth, what each option is, and the whole policy as a table."""

    kind: Literal["advice"]
    value: Annotated[WorthData, "What it is worth with best play."]
    best: Annotated[str | None, "The best option now; null where none is open."]
    matters: Annotated[bool, "Whether any decision makes a difference."]
    options: Annotated[list[OptionShown], "What may be chosen now, the best first."]
    calls: Annotated[list[PolicyLineText], "The policy in short, the likeliest decisions first."]
    plan: Annotated[str, "The policy in a sentence."]
    csv: Annotated[str, "Every decision, for a spreadsheet."]
    cut: Annotated[str, "What a stated bound has cut off, in a sentence; else empty."]


class RollOutput(OutputPlace):
    """A roll: its dice, what they were read as, and what it came to or waits for."""

    kind: Literal["roll"]
    roll: Annotated[RollAnswer, "As the question `roll` answers it."]


class NumberOutput(OutputPlace, Amount):
    """A number."""

    kind: Literal["number"]
    chance: Annotated[str, "The same in percent, where it may be a chance; else empty."]


class TextOutput(OutputPlace):
    """Anything else, as it says itself."""

    kind: Literal["text"]
    text: Annotated[str, "As it says itself."]


class TableOutput(OutputPlace):
    """Numbers and words in rows."""

    kind: Literal["table"]
    head: Annotated[list[str], "What the columns are."]
    rows: Annotated[list[list[str]], "Row by row."]
    csv: Annotated[str, "The same for a spreadsheet."]


class ArgumentShown(FieldDescription):
    """An argument of a rule, as a slider or a list needs it."""

    value: NotRequired[Annotated[Json, "What it is now; left out where nothing was said."]]
    values: Annotated[list[Json], "What it may be, in order; empty where that is open."]


class RuleShown(TextPlace):
    """A rule of the program."""

    name: Annotated[str, "Its name."]
    told: Annotated[str, "What it is, in its own words."]
    arguments: Annotated[list[ArgumentShown], "What it takes."]
    missing: Annotated[list[str], "The arguments that have no value yet."]
    numbers: Annotated[list[str], "The arguments that can be moved: two of them make a heat map."]
    outcome: Annotated[list[str], "The fields of what comes of it; empty for a number or a word."]
    chooses: Annotated[bool, "Whether somebody chooses in it, as far as it was counted."]
    needs: Annotated[str, "Why it was not counted, in a sentence; empty where it was."]
    request: Annotated[
        Object | None, "The request that asks about it: for `roll`, `find`, `map` and so on."
    ]
    policies: Annotated[list[str], "How choices may be made, by name."]
    goals: Annotated[list[str], "What may count, by name."]


class ProblemShown(TextPlace):
    """A problem, with its place, in a sentence."""

    code: Annotated[
        str,
        "bad_syntax, bad_expression, unknown_name, refused, failed, too_much_work, left, anydice.",
    ]
    message: Annotated[str, "One sentence, in the reader's language."]
    suggestions: Annotated[list[str], "What would do instead; often nothing."]
    traceback: Annotated[str, "What Python says of it, for who asks."]


class Printed(TypedDict):
    """Output that the program printed."""

    text: Annotated[str, "As far as there is room."]
    left_out: Annotated[int, "How many characters more there were."]


Output = (
    OddsOutput
    | CompareOutput
    | SweepOutput
    | AdviceOutput
    | RollOutput
    | NumberOutput
    | TextOutput
    | TableOutput
)
"""The output of a line."""


class ProgramAnswer(TypedDict):
    """The output of a program."""

    outputs: Annotated[list[Output], "What its lines show, in order."]
    rules: Annotated[list[RuleShown], "The rules in it, with what they take."]
    games: Annotated[list[GameSummary], "The games in it, which can be asked about by name."]
    problems: Annotated[list[ProblemShown], "What is wrong with it, in order."]
    printed: Annotated[Printed, "What it printed."]
    spent: Annotated[int, "Steps of counting that it took."]


class GalleryItem(TypedDict):
    """A worked mechanic."""

    name: Annotated[str, "Its name."]
    title: Title
    question: Annotated[str, "What is asked, in a sentence."]
    told: Annotated[str, "What the rule is and what comes of it, in short."]
    group: Annotated[str, "What it belongs to, by a name of the gallery's groups."]
    text: Annotated[str, "The program."]


class GalleryGroup(TypedDict):
    """Some worked mechanics that belong together."""

    name: Annotated[str, "Its name."]
    title: Title


class GalleryAnswer(TypedDict):
    """Worked mechanics with their questions."""

    groups: Annotated[list[GalleryGroup], "In the order in which they are shown."]
    items: Annotated[list[GalleryItem], "Each with its program."]


class CodeAnswer(TypedDict):
    """A request of a game as a program that can be changed."""

    text: Annotated[str, "The program."]


class AnyDiceDrawn(AnyDiceAnswer):
    """The outputs of a program of AnyDice, with their pictures."""

    drawn: Annotated[list[Output], "What a program of ours would show of it."]


class GridAnswer(Drawn):
    """Numbers that came one after the other, to be taken elsewhere."""


class EffectDone(TypedDict):
    """An effect of a roll on a sheet."""

    said: Annotated[str, "The effect in words."]
    applied: Annotated[bool, "Whether it has changed the sheet."]
    why: Annotated[str, "Why it has not, where the game refuses it; else empty."]


class SheetKept(SheetAnswer):
    """A sheet as widgets, with its values and what was done to it."""

    values: Annotated[Object, "All of its fields, to be asked with next time."]
    effects: Annotated[list[EffectDone], "What the roll did to it."]


class PackageFile(TypedDict):
    """A file of a package."""

    path: Annotated[str, "Where it lies in the folder."]
    content: Annotated[str, "What is in it."]


class PackageAnswer(TypedDict):
    """A game of a program as a folder that can be installed."""

    name: Annotated[str, "The folder's name."]
    files: Annotated[list[PackageFile], "What lies in it."]


ANSWERS = (
    ProgramAnswer,
    AnyDiceDrawn,
    GalleryAnswer,
    CodeAnswer,
    GridAnswer,
    SheetKept,
    PackageAnswer,
)
"""Answers of the workbench beside all of `ask`."""
