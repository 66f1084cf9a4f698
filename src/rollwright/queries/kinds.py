"""The kinds of question: what each asks, as checked fields.

A question is plain data. The command line makes it of options, HTTP of a body, a table of what it
knows; wherever it comes from, it is read by these classes, and a refusal names its field.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from rollwright.errors import BadField, a_or_an
from rollwright.jsonable import Json
from rollwright.kit.bodies import Body
from rollwright.kit.fields import NOT_GIVEN, Value, field, fields_of

WAYS = ("expression", "request", "draft", "transcript")
"""How a question says what it is about: in exactly one of these."""
BESIDE = {
    "dialect": ("expression",),
    "variables": ("expression",),
    "house": ("request", "draft"),
    "game": ("draft",),
    "sheet": ("draft",),
    "seat": ("transcript",),
}
"""Fields that mean something only beside one of these ways; beside others they are refused."""
LONGEST_TEXT, LONGEST_EXPRESSION, LONGEST_PROGRAM = 2000, 4000, 50_000
LONGEST_LINK = 8000
MOST_VALUES, MOST_NAMES, MOST_FACES, MOST_VARIABLES = 60, 60, 2000, 100
MOST_CELLS, MOST_TRIED = 900, 500
LEAST_COMPARED, MOST_COMPARED = 2, 8

Plain = dict[str, Json]
Names = tuple[str, ...] | str
Part = Literal["odds", "plays", "best", "more"]
PARTS: tuple[Part, ...] = ("odds", "plays", "best", "more")


def text(help: str, most: int = LONGEST_TEXT) -> Any:
    """A text that may be left out."""
    return field(None, help=help, most=most)


def left_out(help: str, most: int | None = None) -> Any:
    """Something else that may be left out."""
    return field(None, help=help, most=most)


class Query(Body):
    """A question; a field that is None was left out."""

    language: str | None = text(
        "The language of its sentences: as `?language=` and `Accept-Language` say without it.", 20
    )


def drop_nulls(kind: type[Query], plain: Mapping[str, Json]) -> dict[str, Json]:
    """The fields that say something: null does so only where it differs from nothing at all."""
    known = fields_of(kind)
    return {
        name: value
        for name, value in plain.items()
        if value is not None or (name in known and known[name].default is NOT_GIVEN)
    }


class RollSpecQuery(Query):
    """A question's subject: exactly one of expression, request, draft and transcript."""

    expression: str | None = text("Dice as they are written: 4d6kh3+2.", LONGEST_EXPRESSION)
    dialect: str | None = text(
        "The tool whose spelling the expression has: roll20, foundry, avrae, yearzero, wod, cofd.",
        40,
    )
    variables: Plain | None = left_out("Numbers for the @names in the expression.")
    request: Plain | None = left_out(
        "A request of a game as data; `GET /openapi.json` has the schema of each."
    )
    transcript: Plain | None = left_out("A roll in progress, as a roll's answer has it.")
    game: str | None = text("The game of a sheet.")
    house: Plain | None = left_out("House rules, instead of those in the request.")
    sheet: Plain | None = left_out("The values of a sheet.")
    draft: Plain | None = left_out(
        "`roll`, `pick` (things on the sheet by name) and `set` (fields that are said)."
    )

    def check(self) -> None:
        named = [way for way in WAYS if getattr(self, way) is not None]
        if len(named) != 1:
            came = " and ".join(named) or "nothing"
            raise BadField("request", f"{came} came", would_do="one of " + ", ".join(WAYS))
        for name, ways in BESIDE.items():
            if getattr(self, name, None) is not None and named[0] not in ways:
                problem = f"it says nothing beside {named[0]}"
                raise BadField(name, problem, would_do=f"{' or '.join(ways)} beside it")
        if self.variables is not None and len(self.variables) > MOST_VARIABLES:
            raise BadField("variables", "these are too many", would_do=f"at most {MOST_VARIABLES}")


class DescribeQuery(Query):
    """Asks what games there are, or for everything about one."""

    game: str | None = text("The game; all in short without it.")
    language: str | None = text("The language of the words that come with it; none without.", 20)


class FormQuery(Query):
    """Asks for the form of a roll that is being made up: controls, request, first dice."""

    game: str = field(help="The game.", most=60)
    draft: Plain = field(
        help="`roll`, `pick` (things on the sheet by name) and `set` (fields that are said)."
    )
    sheet: Plain | None = left_out("The values of a sheet.")
    house: Plain | None = left_out("House rules.")
    purpose: Literal["roll", "ask", "explore"] | None = left_out("What it is for.")
    hash: str | None = text("The hash of the form that whoever asks has.", 64)
    n: int = field(0, help="The number of the draft, which the answer has too.", low=0)


class FaceLabelsQuery(Query):
    """Asks how the faces of dice are read in a roll."""

    request: Plain = field(help="What is rolled: its `game`, `roll` and fields.")


class OddsQuery(RollSpecQuery):
    """Asks for exact odds."""

    policy: str | None = text("How choices are made; `best` plays best.")
    of: Names | None = left_out("Fields of the outcome: a list, or with commas.", LONGEST_TEXT)
    where: str | None = text("An event, such as `hit and not jammed`.")
    seat: str | None = text("Whose knowledge of an open roll counts.")

    def check(self) -> None:
        super().check()
        self.settle(of=names(self.of))


class ConditionQuery(RollSpecQuery):
    """Asks for the chance of an event."""

    where: str = field(help="The event, such as `hit and not jammed`.", most=LONGEST_TEXT)
    policy: str | None = text("How choices are made; `best` plays best.")
    seat: str | None = text("Whose knowledge of an open roll counts.")


class AdviceQuery(RollSpecQuery):
    """Asks for the best call."""

    goal: str | None = text("A goal of the game, or prices: `hit=1,damage=-0.3`.")
    seat: str | None = text("Whose knowledge of an open roll counts.")


class RollQuery(RollSpecQuery):
    """Starts a roll or goes on with one."""

    seed: int | str | None = left_out("Settles the faces once and for all.")
    faces: tuple[Json, ...] | None = left_out(
        "Faces read off real dice, as far as they go.", MOST_FACES
    )
    policy: str | None = text("How choices are made; without one a roll stops there.")
    option: Json = field(NOT_GIVEN, help="What is chosen where the roll waits for a choice.")
    number: int | None = left_out("The same by its place among the options, from 0.")
    puts: Plain | None = left_out("The same as tokens that are handed out: places with tokens.")
    by: str | None = text("Who chooses, as the rule calls them.")

    def check(self) -> None:
        super().check()
        ways = {
            "option": self.option is not NOT_GIVEN,
            "number": self.number is not None,
            "puts": self.puts is not None,
        }
        came = [way for way, is_there in ways.items() if is_there]
        if len(came) > 1:
            would_do = f"one of {' and '.join(came)}"
            raise BadField(came[-1], f"{a_or_an(came[0])} came beside it", would_do=would_do)
        if self.by is not None and not came:
            raise BadField("by", "nothing is chosen", would_do="an option or its number beside it")


class AxisSpec(Value):
    """A field and the values it takes."""

    values: tuple[Json, ...] = field(help="What it takes one by one.", most=MOST_VALUES)
    field: str = field(help="A field, a house rule, `policy`, or a name in dice.", most=200)

    def check(self) -> None:
        if not self.values:
            raise BadField("values", "there are none", would_do=f"1 to {MOST_VALUES}")


class PartsQuery(Query):
    """The parts wanted of a preview."""

    policy: str | None = text("How choices are made.")
    goal: str | None = text("What counts as success: a goal of the game, or prices.")
    of: Names | None = left_out("Fields to show; all without it.", LONGEST_TEXT)
    where: str | None = text("An event whose chance counts instead of success.")
    parts: tuple[Part, ...] | None = left_out(
        "How much is wanted: `odds` is quick, `plays` has the chance under each of the ways to "
        "decide that the game names, where there is something to decide, `best` says the best "
        "calls, `more` what one more of each number would be worth. All without it.",
        4,
    )
    more: tuple[str, ...] | None = left_out("The numbers to raise; all without it.", MOST_NAMES)
    vary: AxisSpec | tuple[AxisSpec, ...] | None = left_out(
        "A curve over one field, or a heat map over two."
    )
    slot: str | None = text(
        "A name for a slider: a newer question of the same name takes the place of this one, which "
        "is then answered with the code `superseded`.",
        40,
    )

    def check(self) -> None:
        super().check()
        if self.vary is not None:
            self.settle(vary=self.axes)
            check_axes(self.axes, most=2)
        if self.more is not None and (self.vary is not None or "more" not in (self.parts or PARTS)):
            problem = "it is not asked what one more would be worth"
            raise BadField("more", problem, would_do="the part `more`, without vary,")
        self.settle(of=names(self.of))

    @property
    def axes(self) -> tuple[AxisSpec, ...]:
        """The axes to vary."""
        return (self.vary,) if isinstance(self.vary, AxisSpec) else self.vary or ()


class PreviewQuery(PartsQuery, RollSpecQuery):
    """Asks about a roll that is not made yet."""


class MeasureQuery(RollSpecQuery):
    """Asks for one number of a roll: the chance of an event, a field, or what a goal is worth."""

    policy: str | None = text("How choices are made; `best` plays best.")
    where: str | None = text("An event whose chance counts.")
    of: str | None = text("A field of the outcome whose mean or chance counts.")
    goal: str | None = text("A goal of the game; its usual one where nothing else is said.")


class CurveQuery(MeasureQuery):
    """Asks for a number at every value of one field."""

    vary: AxisSpec = field(help="What is varied.")

    @property
    def axes(self) -> tuple[AxisSpec, ...]:
        """The axis to vary."""
        return (self.vary,)


class HeatMapQuery(MeasureQuery):
    """Asks for a number at every pair of values of two fields."""

    vary: tuple[AxisSpec, ...] = field(help="What is varied: two fields.", most=2)

    def check(self) -> None:
        super().check()
        check_axes(self.vary, most=2)
        if len(self.vary) != 2:
            raise BadField("vary", f"{len(self.vary)} came", would_do="two fields")

    @property
    def axes(self) -> tuple[AxisSpec, ...]:
        """The axes to vary."""
        return self.vary


class FindQuery(MeasureQuery):
    """Asks which value of a field makes a roll worth so much."""

    target: int | str | Fraction = field(
        help="The chance, such as `65%`, `0.65` or `13/20`; or a mean."
    )
    over: str = field(help="A field, a house rule, or a name in dice.", most=200)
    values: tuple[Json, ...] | None = left_out(
        "What is tried, in order; without it all that the field may be.", MOST_TRIED
    )

    def check(self) -> None:
        super().check()
        if self.values == ():
            raise BadField("values", "there are none", would_do=f"1 to {MOST_TRIED}")


class SensitivityQuery(MeasureQuery):
    """Asks what moves a roll most."""


class GameQuestionQuery(Query):
    """Asks a game one of its own questions."""

    game: str = field(help="The game.", most=200)
    question: str = field(help="The question by name.", most=200)
    arguments: Plain = field(help="What the question wants to know, by name.")


class ComparedRollQuery(RollSpecQuery):
    """One of several rolls."""

    name: str | None = text("What it is called beside the others.", 200)
    policy: str | None = text("How choices are made.")


class CompareQuery(Query):
    """Asks for several rolls side by side."""

    rolls: tuple[ComparedRollQuery, ...] = field(help="What is compared.", most=MOST_COMPARED)
    of: Names | None = left_out("Fields of the outcome: a list, or with commas.", LONGEST_TEXT)
    where: str | None = text("An event whose chance counts instead of success.")
    goal: str | None = text("What counts as success: a goal of the game, or prices.")
    policy: str | None = text("For rolls that name none of their own.")

    def check(self) -> None:
        if len(self.rolls) < LEAST_COMPARED:
            would_do = f"{LEAST_COMPARED} to {MOST_COMPARED} rolls"
            raise BadField("rolls", f"{len(self.rolls)} came", would_do=would_do)
        self.settle(of=names(self.of))


class TranslateQuery(Query):
    """Asks what an expression of another tool is in our spelling."""

    expression: str = field(
        help="Dice as they are written elsewhere: /r 4d6r<2.", most=LONGEST_EXPRESSION
    )
    dialect: str | None = text(
        "The tool: roll20, foundry, avrae, yearzero, wod, cofd; without it all that read it.", 40
    )


class ShareQuery(Query):
    """Asks for a roll as a picture, a text to paste and a link."""

    transcript: Plain = field(help="The roll, as a roll's answer has it.")
    policy: str | None = text("How choices are made in the odds that it had.")
    goal: str | None = text("What counts as success in them: a goal of the game, or prices.")
    who: str | None = text("Who rolled.", 200)
    people: Plain | None = left_out("What people in it are called: `s3` with a name.")
    address: str | None = text("Where a page lies that checks the link: https://dice.example.", 300)
    light: Literal["light", "dark"] | None = left_out(
        "The picture by day or by night; without it as whoever looks has it."
    )
    proof: Plain | None = left_out(
        "What settled its dice, as a table or an assistant's server has it."
    )
    secret: Literal["private", "blind", "hidden"] | None = left_out(
        "Who alone sees the roll, where not everybody does; it stands beside its title."
    )


class AnyDiceQuery(Query):
    """Asks for the outputs of a program of AnyDice, and for the same program in Python."""

    text: str = field(help="The program, as AnyDice has it.", most=LONGEST_PROGRAM)


class VerifyQuery(Query):
    """Asks whether a roll, a link to one or a whole log is true: one of them."""

    transcript: Plain | None = left_out("A roll, as a roll's answer has it.")
    log: Plain | None = left_out("A table's log.json.")
    link: str | None = text("A link to a roll that somebody shared.", LONGEST_LINK)
    head: str | None = text("The hash of an event that was noted: the log must still have it.", 200)

    def check(self) -> None:
        came = [way for way in ("transcript", "log", "link") if getattr(self, way) is not None]
        if not came:
            raise BadField("transcript", "nothing to verify came", would_do="a transcript or a log")
        if len(came) > 1:
            other = {"log": "a log", "link": "a link"}[came[1]]
            raise BadField(came[0], f"{other} came too", would_do="one of them")
        if self.head is not None and self.log is None:
            raise BadField("head", "only a log has one", would_do="a log beside it")


KINDS: dict[str, type[Query]] = {
    "describe": DescribeQuery,
    "odds": OddsQuery,
    "event": ConditionQuery,
    "compare": CompareQuery,
    "curve": CurveQuery,
    "map": HeatMapQuery,
    "advise": AdviceQuery,
    "preview": PreviewQuery,
    "roll": RollQuery,
    "form": FormQuery,
    "marks": FaceLabelsQuery,
    "find": FindQuery,
    "sensitivity": SensitivityQuery,
    "question": GameQuestionQuery,
    "translate": TranslateQuery,
    "anydice": AnyDiceQuery,
    "share": ShareQuery,
    "verify": VerifyQuery,
}
"""The classes by the name of the question."""


def names(given: Names | None) -> tuple[str, ...]:
    """Names of fields of the outcome: a list of them, or one text with commas."""
    listed = given.split(",") if isinstance(given, str) else given or ()
    if len(listed) > MOST_NAMES:
        raise BadField("of", f"{len(listed)} are too many", would_do=f"at most {MOST_NAMES}")
    return tuple(name.strip().replace("-", "_") for name in listed if name.strip())


def check_axes(axes: tuple[AxisSpec, ...], *, most: int, most_cells: int = MOST_CELLS) -> None:
    """Refuse more than a table can show, and one field that is varied twice."""
    if not 1 <= len(axes) <= most:
        raise BadField("vary", f"{len(axes)} fields came", would_do=f"1 to {most}")
    cells = 1
    for axis in axes:
        cells *= len(axis.values)
    if cells > most_cells:
        raise BadField("vary", f"{cells:,} cells came", would_do=f"at most {most_cells:,}")
    if len({axis.field for axis in axes}) < len(axes):
        raise BadField("vary", "one field came twice", would_do="two different ones")
