"""What is answered, field by field: the types of answers and of all that stands inside them.

Answers are plain data, so that these are types of dictionaries. Their words make the OpenAPI
document and the page's types; a type checker holds the functions that answer to them.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypeAlias, TypedDict

from rollwright.plain import Json

Object: TypeAlias = dict[str, Json]
Rolled: TypeAlias = Annotated[str, "What is rolled."]
Policy: TypeAlias = Annotated[str, "How choices are made."]
Lost: TypeAlias = Annotated[str, "Weight cut off by a stated bound."]
Total: TypeAlias = Annotated[str, "The weight of all outcomes: a whole number, written out."]
Said: TypeAlias = Annotated[str, "The same in words."]
Title: TypeAlias = Annotated[str, "What people call it."]


class Exact(TypedDict):
    """A number exactly, and as near as a float can be."""

    exact: Annotated[str, "A whole number or a fraction, written out."]
    number: Annotated[float, "The same as a number."]


class Worth(Exact):
    """What something is worth: a chance, or a number."""

    said: Said
    chance: Annotated[bool, "Whether it is a chance, which is said in percent."]


class GoalSaid(TypedDict):
    """A goal."""

    name: Annotated[str, "Its name, or prices."]
    title: Title


class GoalOffered(GoalSaid):
    """A goal that goes with a roll."""

    default: Annotated[bool, "Whether it is the usual one."]


class MeasuredBy(TypedDict):
    """By what a roll is measured: one of these, or its mean."""

    where: NotRequired[Annotated[str, "The event whose chance counts."]]
    of: NotRequired[Annotated[str, "The field of the outcome that counts."]]
    goal: NotRequired[Annotated[GoalSaid, "The goal that counts."]]


class Measure(MeasuredBy):
    """What is shown or searched, and by what it is measured."""

    title: Title


class BoundSaid(TypedDict):
    """What a stated bound has cut off, where there is one."""

    lost: NotRequired[
        Annotated[Worth, "The largest share that a stated bound cut off: numbers are at least so."]
    ]


class MeasuredWorth(Worth, MeasuredBy, BoundSaid):
    """What a roll is worth, and by what it is measured."""


class Cost(Worth):
    """What somebody pays for a roll."""

    name: Annotated[str, "The field of the outcome."]
    title: Title
    words: Annotated[str, "So much of it, as a person says it: `1 in 10 jams`."]


class RowShown(TypedDict):
    """One thing that a field comes to, or several that are shown together."""

    label: Annotated[str, "What it comes to, in words."]
    weight: Annotated[str, "A whole number, written out."]
    share: Annotated[float, "The part of the total."]
    first: NotRequired[Annotated[Json, "The first value of the row."]]


class FieldShown(TypedDict):
    """What a field of the outcome comes to, for bars and columns."""

    name: Annotated[str, "The field; empty for the outcome itself."]
    title: Title
    kind: Annotated[Literal["yes", "number", "word"], "What its values are."]
    rows: Annotated[list[RowShown], "What it comes to, in order."]
    total: Total
    lost: Lost
    mean: NotRequired[Annotated[Exact, "The average of numbers."]]
    low: NotRequired[Annotated[Json, "The least number."]]
    high: NotRequired[Annotated[Json, "The greatest number."]]
    chance: NotRequired[Annotated[Exact, "How likely a yes is."]]


class RemarkSaid(TypedDict):
    """Something in dice that may have been meant otherwise."""

    code: Annotated[str, "A short name for it."]
    start: Annotated[int, "Where it begins in the expression."]
    end: Annotated[int, "Where it ends."]
    said: Annotated[str, "What was read, and what would be read otherwise."]
    other: Annotated[str, "The other reading, to be rolled or asked about instead."]


class Noted(TypedDict):
    """What is to be said of dice as they were written."""

    remarks: NotRequired[Annotated[list[RemarkSaid], "What may have been meant otherwise."]]


class ReadingSaid(TypedDict):
    """What an expression means in another tool."""

    dialect: Annotated[str, "The tool by name."]
    title: Title
    expression: Annotated[str, "The same in our spelling."]


class ChangeSaid(TypedDict):
    """One thing that is spelled otherwise here."""

    before: Annotated[str, "As it was written."]
    after: Annotated[str, "As it is written here; empty where it is left out."]
    why: Annotated[str, "Why."]


class QueryOption(TypedDict):
    """A number that may be chosen."""

    label: Annotated[str, "What it is called."]
    value: Annotated[Json, "The number; a fraction is written out."]


class QuerySaid(TypedDict):
    """Something that the other tool asks before it rolls, which is a name in the dice here."""

    name: Annotated[str, "The name, for `variables`."]
    prompt: Annotated[str, "The question, as it was written."]
    value: Annotated[Json, "The number without another; null where one must be given."]
    options: Annotated[list[QueryOption], "What may be chosen, where there is a list."]


class TranslationSaid(TypedDict):
    """An expression of another tool in our spelling."""

    dialect: Annotated[str, "The tool by name."]
    title: Title
    expression: Annotated[str, "The same in our spelling."]
    changes: Annotated[list[ChangeSaid], "What is spelled otherwise, and why."]
    queries: Annotated[list[QuerySaid], "What the tool asks for."]


class TranslateAnswer(TypedDict):
    """What an expression means in other tools, in our spelling."""

    readings: Annotated[list[TranslationSaid], "Each reading that differs from the others."]


class Written(Noted):
    """What is to be said of the dice themselves, as they were written."""

    translation: NotRequired[
        Annotated[TranslationSaid, "What was rolled, where it came in the spelling of a tool."]
    ]
    readings: NotRequired[
        Annotated[list[ReadingSaid], "What dice out of a chat mean in the tools of such chats."]
    ]


class Heading(Written):
    """What was counted, and how."""

    title: Rolled
    policy: Policy


class Weighted(TypedDict):
    """An outcome with its weight."""

    value: Annotated[Json, "The outcome, by its fields where it has some."]
    weight: Annotated[str, "A whole number, written out."]


class OddsWhole(Heading):
    """Every outcome with its weight."""

    total: Total
    lost: Lost
    fields: Annotated[list[str], "The fields of the outcomes."]
    outcomes: Annotated[list[Weighted], "Each outcome with its weight."]


class EventAnswer(Heading):
    """The chance of an event, exactly."""

    where: Annotated[str, "The event."]
    chance: Annotated[str, "A fraction, written out."]
    number: Annotated[float, "The same as a number."]
    weight: Annotated[str, "The weight of the event: a whole number, written out."]
    total: Total
    lost: Lost


class OddsAnswer(Heading):
    """Exact odds: every outcome with its weight, or the chance of an event."""

    total: Total
    lost: Lost
    fields: NotRequired[Annotated[list[str], "The fields of the outcomes."]]
    outcomes: NotRequired[Annotated[list[Weighted], "Each outcome with its weight."]]
    where: NotRequired[Annotated[str, "The event."]]
    chance: NotRequired[Annotated[str, "A fraction, written out."]]
    number: NotRequired[Annotated[float, "The same as a number."]]
    weight: NotRequired[Annotated[str, "The weight of the event."]]


class RollCompared(Heading):
    """One of several rolls."""

    name: Annotated[str, "What it is called beside the others."]
    chance: Annotated[MeasuredWorth | None, "Of the event or of success; null for dice alone."]
    fields: Annotated[list[FieldShown], "The odds of fields of the outcome."]


class Duel(TypedDict):
    """How one roll does against another."""

    first: Annotated[str, "The one by its name."]
    second: Annotated[str, "The other by its name."]
    less: Annotated[Exact, "How often the first is less."]
    equal: Annotated[Exact, "How often they are equal."]
    greater: Annotated[Exact, "How often the first is greater."]


class CompareAnswer(TypedDict):
    """Several rolls side by side."""

    rolls: Annotated[list[RollCompared], "Each with its chance and its fields."]
    duels: Annotated[list[Duel], "How often one is less, equal or greater than another."]


class AxisShown(TypedDict):
    """What is varied."""

    field: Annotated[str, "Its path in the request, `policy`, or a name in dice."]
    values: Annotated[list[Json], "What it takes one by one."]


class Cell(TypedDict):
    """What a roll is worth at one place; where the rules refuse that, why."""

    values: Annotated[list[Json], "One of each axis."]
    chance: NotRequired[Annotated[MeasuredWorth, "What it is worth there."]]
    costs: NotRequired[Annotated[list[Cost], "What it costs there."]]
    problem: NotRequired[Annotated[str, "Why it cannot be."]]


class CurveShown(BoundSaid):
    """A curve or a heat map."""

    axes: Annotated[list[AxisShown], "What is varied."]
    cells: Annotated[list[Cell], "The last axis runs fastest."]


class CurveAnswer(CurveShown, Written):
    """A number of a roll for every value of one field, or for every pair of values of two."""

    title: Annotated[str, "What stays the same."]
    policy: Policy
    measure: Annotated[Measure, "What is shown: its title, and by what."]


class Searched(TypedDict):
    """What is searched."""

    field: Annotated[str, "Its path in the request, or a name in dice."]
    title: Title


class ValueTried(TypedDict):
    """A value that was tried."""

    value: Annotated[Json, "The value."]
    said: Said
    worth: Annotated[Worth, "What the roll is worth with it."]
    off: Annotated[Exact, "How far that is from the target."]
    reaches: Annotated[bool, "Whether it is at least the target."]


class ValueRefused(TypedDict):
    """A value that cannot be."""

    value: Annotated[Json, "The value."]
    problem: Annotated[str, "Why."]


Direction: TypeAlias = Literal["rises", "falls", "level", "mixed"]


class FindAnswer(BoundSaid, Written):
    """The values of a field that give a chance, and every value that was tried."""

    title: Annotated[str, "What stays the same."]
    policy: Policy
    measure: Annotated[Measure, "What counts: its title, and by what."]
    over: Annotated[Searched, "What is searched."]
    target: Annotated[Worth, "What is wanted."]
    found: Annotated[list[Json], "What reaches the target while a neighbour does not."]
    nearest: Annotated[list[Json], "What comes closest, from above or below."]
    ranges: Annotated[list[list[Json]], "All that reaches it: first and last of each range."]
    direction: Annotated[Direction, "Which way it goes."]
    rows: Annotated[list[ValueTried], "Each value with what it gives."]
    refused: Annotated[list[ValueRefused], "Values that cannot be."]
    said: Annotated[str, "The answer in a sentence."]


class Change(Exact):
    """How much less or more it is."""

    said: Said


class MoveShown(TypedDict):
    """Something set otherwise, and what that does; or why it cannot be."""

    to: Annotated[Json, "What it is set to."]
    said: Said
    worth: NotRequired[Annotated[Worth, "What the roll is worth then."]]
    change: NotRequired[Annotated[Change, "What that changes."]]
    problem: NotRequired[Annotated[str, "Why it cannot be."]]


class Moved(TypedDict):
    """A field or a house rule, and what it does to the roll."""

    field: Annotated[str, "Its path in the request, or a name in dice."]
    title: Title
    house: Annotated[bool, "Whether it is a house rule."]
    now: Annotated[Json, "What it is now."]
    said: Said
    most: Annotated[Exact, "The most that it changes."]
    moves: Annotated[list[MoveShown], "What else it may be."]


class SensitivityAnswer(Heading, BoundSaid):
    """What moves a roll, what moves it most first."""

    measure: Annotated[Measure, "What counts: its title, and by what."]
    now: Annotated[Worth, "What it is now."]
    unit: Annotated[str, "Of changes: percentage points, or the goal's own."]
    rows: Annotated[list[Moved], "What moves it."]
    left_out: Annotated[int, "How many are not listed."]


OneMoreFrom = TypedDict("OneMoreFrom", {"from": Annotated[int, "What it is now."]})


class OneMore(OneMoreFrom):
    """What one more of a number would be worth."""

    field: Annotated[str, "Its path in the request."]
    title: Title
    to: Annotated[int, "One more."]
    value: Annotated[MeasuredWorth, "What the roll is worth then."]
    change: Annotated[Exact, "What that changes."]
    said: Said


class OptionAdvised(TypedDict):
    """An option, what it is worth, and where it leads."""

    option: Annotated[Json, "The option as data."]
    number: Annotated[int, "Its place among all options, from 0."]
    said: Said
    value: Annotated[Worth, "What it is worth with best play."]
    less: Annotated[Exact, "How much less than the best."]
    best: Annotated[bool, "Whether nothing is better."]
    gains: Annotated[bool, "Whether it is better than every other, as far as can be shown."]
    odds: NotRequired[Annotated[list[FieldShown], "Where it leads, in what differs."]]
    costs: NotRequired[Annotated[list[Cost], "What it costs."]]
    puts: NotRequired[Annotated[dict[str, list[int]], "What it puts where, of what is dealt out."]]


class CallSaid(TypedDict):
    """One line of the best policy in words."""

    chance: Annotated[str, "How often it comes to this."]
    best_call: Annotated[str, "What to do then."]
    situation: Annotated[str, "What the decision turns on."]
    who: NotRequired[Annotated[str, "Who chooses, where several do."]]


class OptionWorth(TypedDict):
    """An option and what it is worth."""

    option: Annotated[str, "The option in words."]
    value: Annotated[str, "A whole number or a fraction, written out."]


class PolicyLine(TypedDict):
    """One line of the best policy, exactly."""

    by: Annotated[str, "Who chooses."]
    situation: Annotated[Json, "What the decision turns on."]
    choose: Annotated[str, "What is best."]
    chance: Annotated[str, "How often it comes to this: a fraction, written out."]
    options: Annotated[list[OptionWorth], "What each option is worth."]


class BestPlay(BoundSaid):
    """What a roll is worth with best play, and the best call or the whole policy."""

    value: Annotated[Worth, "What the roll is worth with best play."]
    best: Annotated[Json, "The best option; null where none is open."]
    matters: Annotated[bool, "Whether it matters what is chosen."]
    ties: Annotated[list[Json], "Options that are as good."]
    options: Annotated[list[OptionAdvised], "What each option is worth."]
    calls: Annotated[list[CallSaid], "The best policy, before anything is thrown."]
    why: Annotated[str, "Why it is the best."]
    lines: NotRequired[Annotated[list[PolicyLine], "The best policy exactly, as far as it fits."]]
    by: NotRequired[Annotated[str, "Who chooses."]]
    best_said: NotRequired[Annotated[str, "The best option in words."]]
    left_out: NotRequired[Annotated[int, "How many options are not listed."]]
    costs: NotRequired[Annotated[list[Cost], "What it costs."]]


class BestFor(BestPlay):
    """Best play for a goal."""

    goal: Annotated[GoalSaid, "What counts."]


class AdviceAnswer(BestFor):
    """The best call, with what every option is worth, where it leads, and why."""

    title: Rolled
    goals: Annotated[list[GoalOffered], "The goals that go with this roll."]


class PlaySaid(TypedDict):
    """The way to decide under which a number holds."""

    policy: Policy
    label: Annotated[str, "What it is called."]


class PlayCounted(PlaySaid):
    """What a roll is worth under one way to decide."""

    chance: Annotated[MeasuredWorth, "Of success."]
    costs: Annotated[list[Cost], "What it costs."]
    said: Annotated[str, "The chance and when it holds, in words."]


class PreviewAnswer(Heading):
    """A roll not made yet: its odds, its costs, the best calls, and what one more is worth."""

    request: Annotated[Object | None, "The request; null for an expression."]
    goals: Annotated[list[GoalOffered], "The goals that go with this roll."]
    chance: NotRequired[Annotated[MeasuredWorth | None, "Of success."]]
    play: NotRequired[Annotated[PlaySaid, "Under what play all of it holds, where one chooses."]]
    plays: NotRequired[
        Annotated[list[PlayCounted], "The same under other ways to decide, where one chooses."]
    ]
    fields: NotRequired[Annotated[list[FieldShown], "The odds of fields of the outcome."]]
    costs: NotRequired[Annotated[list[Cost], "What it costs."]]
    best: NotRequired[Annotated[BestFor | None, "The best calls."]]
    more: NotRequired[Annotated[list[OneMore], "What one more is worth."]]
    vary: NotRequired[Annotated[CurveShown, "A curve or a heat map."]]


class ThrowOpen(TypedDict):
    """The roll waits for dice."""

    step: Literal["throw"]
    dice: Annotated[list[str], "The dice by name, in the order of their faces."]
    pool: Annotated[Json, "The dice as data."]


class OptionOffered(TypedDict):
    """Something that may be chosen."""

    option: Annotated[Json, "The option as data."]
    said: Said
    leads: NotRequired[Annotated[str, "What it comes to."]]
    who: NotRequired[Annotated[str, "Whom it names."]]
    dice: NotRequired[Annotated[list[str], "The dice that it is about: entry and place."]]
    at: NotRequired[Annotated[int, "Where it leads on the ladder."]]
    member: NotRequired[Annotated[int, "Whom of the party it is for, by place."]]


class ChoiceOpen(TypedDict):
    """The roll waits for somebody to choose."""

    step: Literal["choice"]
    by: Annotated[str, "Who chooses, as the rule calls them."]
    options: Annotated[list[OptionOffered], "What may be chosen."]
    about: Annotated[Object | None, "What the choice turns on."]
    question: Annotated[str, "The choice as a question."]
    standing: NotRequired[Annotated[str, "Where it stands."]]
    assign: NotRequired[Annotated[Object, "The choice as tokens that are handed out."]]
    aim: NotRequired[Annotated[str, "The goal it is about, where the roll's own is settled."]]
    ladder: NotRequired[Annotated[Object, "The choice as a number on its way up."]]
    party: NotRequired[Annotated[list[Object], "Everybody, where one gives another something."]]


class VerdictTold(TypedDict):
    """What a roll came to, in a word."""

    tone: Annotated[str, "great, good, mixed, bad, awful, or even."]
    word: NotRequired[Annotated[str, "In a word."]]
    detail: NotRequired[Annotated[list[str], "What belongs to it."]]
    paid: NotRequired[Annotated[list[str], "What it has cost."]]


class EffectTold(TypedDict):
    """What a roll does beside its outcome."""

    kind: Annotated[str, "The kind of effect."]
    amount: Annotated[Json, "How much of it."]
    target: Annotated[str, "Whom or what it is for; empty for whoever rolled."]
    said: Said


class RollDone(TypedDict):
    """The roll has ended."""

    step: Literal["done"]
    outcome: Annotated[Json, "What it came to, as data."]
    fields: Annotated[Object, "What it came to, by name."]
    told: Annotated[str, "What happened."]
    verdict: NotRequired[Annotated[VerdictTold | None, "In a word; null for dice alone."]]
    good: Annotated[bool | None, "Whether it went well; null where nobody can say."]
    effects: Annotated[list[EffectTold], "What it does beside its outcome."]


class Thrown(TypedDict):
    """Dice that were thrown."""

    pool: Annotated[Json, "The dice as data."]
    faces: Annotated[list[Json], "What they show."]
    label: NotRequired[Annotated[str, "Whose they are, or which turn's."]]


class RollAnswer(Written):
    """A roll: as data to go on with, in words, and what it waits for."""

    transcript: Annotated[Object, "The roll, to go on with."]
    told: Annotated[str, "What happened."]
    step: Annotated[ThrowOpen | ChoiceOpen | RollDone, "What it waits for, or what it came to."]
    throws: Annotated[list[Thrown], "The dice that were thrown."]
    marks: Annotated[Object, "How faces are read: by die, then by face."]
    label: NotRequired[Annotated[str, "Whose the last throw is, or which turn's."]]
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
    chance: Annotated[MeasuredWorth | None, "Of success; null where it cannot be counted."]
    play: NotRequired[Annotated[PlaySaid, "Under what play it holds, where one chooses."]]


class ChancesAnswer(TypedDict):
    """What each roll that a sheet begins is worth."""

    hash: Annotated[str, "Of the widgets that begin them."]
    chances: Annotated[list[RowChance], "In the order of the widgets."]


class LogProblem(TypedDict):
    """Something that is wrong with a log."""

    seq: Annotated[int | None, "The number of the event."]
    what: Annotated[str, "What is wrong, in a few words."]
    message: Annotated[str, "One sentence."]


LogFor = TypedDict("LogFor", {"for": Annotated[str, "Whose copy of the log it is."]}, total=False)


class VerifyAnswer(LogFor):
    """Whether it is true; where it is not, what is wrong."""

    true: Annotated[bool | None, "Null where it goes by rules that are not known here."]
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
    said: NotRequired[Annotated[list[str], "The same in words."]]


class RollNamed(TypedDict):
    """A kind of roll."""

    roll: Annotated[str, "Its name."]
    title: Title
    version: Annotated[str, "Another one when it comes to something else than before."]


class GameNamed(TypedDict):
    """A game."""

    name: Annotated[str, "Its name."]
    title: Title
    summary: Annotated[str, "What it is, in a line."]


class GameSummary(GameNamed):
    """A game in short."""

    rolls: Annotated[list[RollNamed], "The kinds of roll, the usual one first."]
    trial: Annotated[bool, "Whether its card has a roll to try."]
    face: Annotated[dict[str, dict[str, str]], "Felt and lettering, by light: light and dark."]


class GameBroken(TypedDict):
    """A game that cannot be loaded."""

    name: Annotated[str, "Its name."]
    problem: Annotated[str, "What went wrong."]


class GamesAnswer(TypedDict):
    """All games, in short."""

    games: Annotated[list[GameSummary], "Each with its rolls."]
    broken: Annotated[list[GameBroken], "What cannot be loaded."]


class FieldDescribed(TypedDict):
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
    items: NotRequired[Annotated[FieldDescribed, "The parts of a list."]]
    fields: NotRequired[Annotated[list[FieldDescribed], "The fields of a value."]]
    any_of: NotRequired[Annotated[list[FieldDescribed], "What it may be instead."]]


class Reading(TypedDict):
    """One setting of a house rule."""

    value: Annotated[Json, "The setting."]
    said: Said
    text: Annotated[str, "What it means."]


class SwitchDescribed(FieldDescribed):
    """A house rule with what each of its settings means."""

    code: Annotated[str, "Its number in the list of ambiguities."]
    readings: Annotated[list[Reading], "Its settings, the default first."]
    measured_by: Annotated[str, "The question that shows how much it matters."]


class OutcomeField(TypedDict):
    """A field of an outcome."""

    name: Annotated[str, "Its name."]
    title: Title
    cost: Annotated[str | None, "What it is called where somebody pays for it."]


class RollDescribed(RollNamed):
    """A kind of roll with its fields."""

    help: Annotated[str, "What it is."]
    fields: Annotated[list[FieldDescribed], "What is decided before the dice are thrown."]
    outcome: Annotated[list[OutcomeField], "What it comes to."]
    goals: Annotated[list[str], "The goals that go with it."]


class PolicyDescribed(TypedDict):
    """A way to decide."""

    title: Title
    argument: Annotated[str, "What may follow its name after a colon; empty for nothing."]


class GoalDescribed(TypedDict):
    """Something that may count."""

    title: Title
    rolls: Annotated[list[str], "The kinds of roll it is for; empty for all."]


class HouseDescribed(TypedDict):
    """The house rules of a game."""

    fields: Annotated[list[SwitchDescribed], "Each with its readings."]


class SheetDescribed(TypedDict):
    """The sheet of a game, or what its tables share."""

    help: Annotated[str, "What it is."]
    fields: Annotated[list[FieldDescribed], "What stands on it."]


class RulebookLine(TypedDict):
    """A line of the rulebook in our own words."""

    line: Annotated[str, "Its number, as tests cite it."]
    text: Annotated[str, "What it says."]
    guidance: Annotated[bool, "Whether it is advice to people."]


class QuestionDescribed(TypedDict):
    """A question of a game's own."""

    title: Annotated[str, "The question in words."]
    arguments: Annotated[list[FieldDescribed], "What it wants to know."]


class GameAnswer(GameNamed):
    """Everything about one game."""

    default_roll: Annotated[str, "The usual kind of roll."]
    rolls: Annotated[dict[str, RollDescribed], "Each kind of roll with its fields."]
    policies: Annotated[dict[str, PolicyDescribed], "How choices may be made."]
    default_policy: Annotated[str, "The usual one."]
    goals: Annotated[dict[str, GoalDescribed], "What may count."]
    default_goal: Annotated[str, "The usual one."]
    house: Annotated[HouseDescribed, "House rules."]
    sheet: Annotated[SheetDescribed | None, "The sheet."]
    shared: Annotated[SheetDescribed | None, "What its tables share."]
    icons: Annotated[dict[str, str], "Icons of faces."]
    rulebook: Annotated[list[RulebookLine], "The lines of the rulebook."]
    questions: Annotated[dict[str, QuestionDescribed], "Questions of its own."]
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


class Error(TypedDict):
    """Why something was not done."""

    code: Annotated[str, "One of the codes of the documentation."]
    message: Annotated[str, "One sentence: what came, what would do."]
    field: NotRequired[Annotated[str, "The field that it is about."]]
    start: NotRequired[Annotated[int, "Where in an expression it went wrong."]]
    end: NotRequired[Annotated[int, "Where that ends."]]
    slip: NotRequired[Annotated[str, "What kind of mistake an expression holds."]]
    suggestions: NotRequired[Annotated[list[str], "Expressions that would do."]]
    readings: NotRequired[
        Annotated[list[ReadingSaid], "What an expression means in the spelling of other tools."]
    ]
    known: NotRequired[Annotated[list[str], "The names that there are."]]
    face: NotRequired[Annotated[int, "Which of the faces it is about."]]
    wait: NotRequired[Annotated[int, "Milliseconds to wait."]]
