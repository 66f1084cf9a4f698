"""The results of a roll: numbers as answers show them, and the one by which a roll is measured.

A number is given exactly, nearly and in words. A roll is measured by a goal of its game, an event,
a field of the outcome, or simply its mean.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, cast

from rollwright.dice import Outcome
from rollwright.errors import BadField, UnknownName
from rollwright.exact import Dist
from rollwright.exact.text import digits, outcome_to_json
from rollwright.i18n.languages import ENGLISH
from rollwright.i18n.locale import in_words, reader_language, use_locale
from rollwright.i18n.messages import Message, Value, any_of
from rollwright.i18n.messages import msg as message
from rollwright.pictures.charts import CHANCE, format_number, format_value
from rollwright.pictures.outcomes import (
    OutcomeRow,
    all_numbers,
    explain_missing,
    fields_in,
    has_mean,
    has_values,
    is_number,
    rows_of,
)
from rollwright.queries.condition_lexer import UNSPOKEN, ConditionError, Spoken, as_name
from rollwright.queries.conditions import Condition, names_in_event, parse_condition, with_numbers

if TYPE_CHECKING:
    from rollwright.engine.best.advice import best
    from rollwright.jsonable import Json
    from rollwright.kit.card import Price
    from rollwright.kit.games import Game
    from rollwright.queries.kinds import MeasureQuery
    from rollwright.queries.roll_specs import RollSpec
    from rollwright.queries.schemas import (
        CostData,
        ExactNumber,
        FieldData,
        FieldHeading,
        GoalData,
        GoalOption,
        MeasureSpec,
        MeasureWorth,
        RowData,
        WithTruncation,
        WorthData,
    )

NO_NUMBERS: Mapping[str, Json] = {}
Numeric: TypeAlias = int | float | Fraction
MOST_ROWS = 40
LARGEST = 1.7e308
MOST_SHOWN_WORDS = 80
RESERVED = ("and", "or", "not", "true", "yes", "false", "no", "none")
"""Words of events, which no field is called by."""


def number(value: Numeric) -> ExactNumber:
    """A number exactly, and as near as a float can be.

    >>> number(Fraction(1, 3))
    {'exact': '1/3', 'number': 0.3333333333333333}
    """
    exact = Fraction(value)
    return {"exact": fraction(exact), "number": as_float(exact)}


def fraction(value: Numeric) -> str:
    """A fraction in full, however long.

    >>> fraction(Fraction(6, 4)), fraction(2)
    ('3/2', '2')
    """
    exact = Fraction(value)
    above, below = digits(exact.numerator), digits(exact.denominator)
    return above if exact.denominator == 1 else f"{above}/{below}"


def as_float(exact: Fraction) -> float:
    """The nearest float; beyond the largest, the largest."""
    try:
        return float(exact)
    except OverflowError:
        return LARGEST if exact > 0 else -LARGEST


def worth(amount: Numeric, *, chance: bool) -> WorthData:
    """Return the worth of something: a chance in percent, or a number.

    >>> worth(Fraction(1, 8), chance=True)
    {'exact': '1/8', 'number': 0.125, 'said': '12.5 %', 'chance': True}
    """
    exact = Fraction(amount)
    return {**number(exact), "said": format_worth(exact, chance), "chance": chance}


def format_worth(value: Fraction, chance: bool) -> str:
    """Return a worth in words: a chance if the goal is one, else a number."""
    return percent(value) if chance else format_number(value)


def percent(share: Numeric) -> str:
    """A chance as people say it."""
    return format_value(share, CHANCE)


def visible_fields(dist: Dist[Outcome], names: Sequence[str] = ()) -> list[FieldData]:
    """Each field of the outcome with what it can come to, for bars and columns."""
    known = fields_in(dist)
    if not known:
        return [field_data("", dist)]
    return [field_data(name, dist.of(name)) for name in names or known]


def field_data(name: str, dist: Dist[Outcome]) -> FieldData:
    """One field: its rows in order, and its mean where it is a number."""
    rows = [row_data(row, dist.total) for row in rows_of(dist, MOST_ROWS)]
    about = cast("FieldData", {**field_heading(name, dist), "rows": rows})
    if about["kind"] == "number":
        about["mean"] = number(dist.counted_mean)
    elif about["kind"] == "yes":
        about["chance"] = number(dist.p(True))
    return about


def field_heading(name: str, dist: Dist[Outcome]) -> FieldHeading:
    """Return the title and the range of a field."""
    outcomes = dist.outcomes
    about: FieldHeading = {
        "name": name,
        "title": name.replace("_", " ") or in_words("column.result"),
        "kind": kind_of(outcomes),
        "total": digits(dist.total),
        "lost": digits(dist.lost),
    }
    if about["kind"] == "number":
        about["low"], about["high"] = outcome_to_json(outcomes[0]), outcome_to_json(outcomes[-1])
    return about


def row_data(row: OutcomeRow, total: int) -> RowData:
    """One row with its weight, and its part of the whole."""
    label, weight = row.label[:MOST_SHOWN_WORDS], digits(row.weight)
    about: RowData = {"label": label, "weight": weight, "share": row.weight / total}
    if row.first is not None:
        about["first"] = outcome_to_json(row.first)
    return about


def kind_of(outcomes: Sequence[Outcome]) -> Literal["yes", "number", "word"]:
    """Return the kind of a field's values: `yes` (or no), `number`, or `word`."""
    if all(isinstance(outcome, bool) for outcome in outcomes):
        return "yes"
    return "number" if all_numbers(outcomes) else "word"


class CostField(NamedTuple):
    """A field of an outcome that somebody pays: what it is called, and in which unit."""

    title: str
    is_chance: bool
    words: Callable[[Fraction], str] = lambda much: format_number(much)
    """So much of it, as a person says it: "1 in 10 jams", "about half a point of stress"."""
    beside: str = ""
    """A price for the same thing, which is shown instead if there are both."""


Prices: TypeAlias = Mapping[str, CostField]


def prices_of(subject: RollSpec) -> Prices:
    """Return the prices in a roll, as its game lists them; none for dice alone."""
    game = subject.game
    return {} if game is None else prices_in(game)


def prices_in(game: Game) -> Prices:
    """Return the prices in the rolls of a game."""
    from rollwright.kit.card.texts import say

    found = {}
    for name, price in game.card.prices.items():
        title = game.card.word(f"cost.{name}", name.replace("_", " "))
        said = say(title, game.name, reader_language())
        is_chance = price.unit == "chance"
        words = partial(_risk, game, name, said) if is_chance else partial(_amount, game, price)
        found[name] = CostField(said, is_chance, words, price.beside)
    return found


def _risk(game: Game, name: str, title: str, chance: Fraction) -> str:
    """How likely a mishap is: "risk.NAME" with the {odds} of it, and their {n} for the verb."""
    from rollwright.kit.card.texts import say

    if chance == 1:
        return in_words("risk.certain", title=title)
    odds = one_in(chance)
    if f"risk.{name}" in game.words:
        words = game.words.msg(f"risk.{name}", odds=odds, n=odds.values["k"])
        return say(words, game.name, reader_language())
    return in_words("risk", odds=odds, title=title)


def one_in(chance: Fraction) -> Message:
    """A chance as people say it, in small whole numbers; what is certain is no chance.

    >>> [str(one_in(Fraction(n, 100))) for n in (66, 40, 10, 7)]
    ['2 in 3', '2 in 5', '1 in 10', '1 in 14']
    """
    if chance < Fraction(3, 20):
        return message("odds.in", k=1, n=_round(1 / chance))
    n = next(n for n in range(2, 11) if n == 10 or abs(round(chance * n) - chance * n) * 30 <= n)
    k = min(max(round(chance * n), 1), n - 1)
    return message("odds.in", k=k, n=n)


def _round(number: Fraction) -> int:
    """A whole number of at most two digits that count."""
    whole = round(number)
    return round(whole, min(0, 2 - len(str(whole))))


def _roughly(much: Fraction) -> Fraction:
    """To a tenth, or where that is nothing, as near as a digit says it."""
    return next(near for places in range(1, 40) if (near := round(much, places)))


def _amount(game: Game, price: Price, much: Fraction) -> str:
    """How much of something is paid, in the words of its price; a half has some of its own."""
    from rollwright.kit.card.texts import say

    said = price.said
    if not isinstance(said, Message):
        return f"{format_number(much)} {say(said, game.name, reader_language())}".strip()
    whole = much.denominator == 1
    if abs(much - Fraction(1, 2)) < Fraction(1, 20) and f"{said.id}.half" in game.words:
        words = game.words.msg(f"{said.id}.half")
    else:
        near = much if whole else _roughly(much)
        n: Value = int(near) if near.denominator == 1 else {"number": fraction(near)}
        words = game.words.msg(said.id, n=n)
    text = say(words, game.name, reader_language())
    return text if whole else in_words("amount.about", amount=text)


def costs_in(dist: Dist[Outcome], prices: Prices) -> list[CostData]:
    """Return the roll's average costs, and the chance of each mishap that can happen."""
    found: list[CostData] = []
    fields = fields_in(dist)
    for name in fields:
        if name in prices and prices[name].beside in fields:
            continue
        if name in prices and (amount := _cost(dist.of(name), prices[name])) is not None:
            words = prices[name].words(Fraction(amount["exact"]))
            found.append({"name": name, "title": prices[name].title, **amount, "words": words})
    return found


def _cost(part: Dist[Outcome], paid: CostField) -> WorthData | None:
    """A price in its unit: how likely something is, or how much of it on average."""
    outcomes = tuple(part.outcomes)
    truths = all(isinstance(outcome, bool) for outcome in outcomes)
    if not truths and not all(is_number(outcome) for outcome in outcomes):
        return None
    if not any(outcomes):
        return None
    if paid.is_chance:
        return worth(part.map(bool).p(True), chance=True)
    return worth(part.map(int).counted_mean if truths else part.counted_mean, chance=False)


class Measure:
    """One number for every distribution, with a title for people.

    `names` are those in an event that must be given numbers, each time it is measured.
    `plain` is what is measured as JSON data, `lost` the largest share that a stated bound had cut
    off of anything that was measured. `check` refuses what turned out to be about nothing, once
    everything was measured.
    """

    def __init__(
        self,
        title: str,
        of: Callable[..., Fraction],
        is_chance: Callable[[Dist[Outcome]], bool],
        plain: MeasureSpec,
        check: Callable[[], None] = lambda: None,
        names: frozenset[str] = frozenset(),
    ) -> None:
        self.title = title
        self.is_chance = is_chance
        self.plain = plain
        self.check = check
        self.names = names
        self.lost = Fraction(0)
        self._of = of

    def of(self, dist: Dist[Outcome], numbers: Mapping[str, Json] = NO_NUMBERS) -> Fraction:
        """The number of a distribution."""
        if dist.lost:
            self.lost = max(self.lost, Fraction(dist.lost, dist.total))
        return self._of(dist, numbers) if self.names else self._of(dist)

    @property
    def truncation(self) -> WithTruncation:
        """The share that a bound has cut off at most, if any."""
        return {"lost": worth(self.lost, chance=True)} if self.lost else {}

    def worth_of(
        self, dist: Dist[Outcome], numbers: Mapping[str, Json] = NO_NUMBERS
    ) -> MeasureWorth:
        """Return the worth of the odds, with its measure."""
        bound: WithTruncation = {}
        if dist.lost:
            bound = {"lost": worth(Fraction(dist.lost, dist.total), chance=True)}
        amount = worth(self.of(dist, numbers), chance=self.is_chance(dist))
        return {**amount, **self.plain, **bound}


class GoalMeasure:
    """The aim of a roll: a goal by name, its words, and the worth of outcomes."""

    def __init__(self, subject: RollSpec, name: str = "", against: Collection[str] = ()) -> None:
        from rollwright.kit import titles

        game, request = subject.game, subject.request
        if game is None or request is None:
            raise no_goal()
        self.name = name or request.usual_goal or game.usual_goal(request.roll)
        self.goal = game.goal(name, request)
        self.title = titles.goal_title(game, self.name)
        self.prices = prices_in(game)
        self.game = game
        self.against = tuple(against)
        """Who is said to play against it, by the name they choose under."""
        self.opponents = (*request.opponents, *against)
        """Those, and whom the request names itself."""

    @property
    def play(self) -> best:
        """Best play for it."""
        from rollwright.engine.best.advice import best

        return best(self.goal, against=self.against, opponents=self.opponents)

    @property
    def plain(self) -> GoalData:
        """The goal as JSON data."""
        return {"name": self.name, "title": self.title}

    def is_chance(self, dist: Dist[Outcome]) -> bool:
        """Whether the goal only says yes or no, so that its worth is a chance."""
        return all(self.goal(outcome) in (0, 1) for outcome in dist)

    def mean(self, dist: Dist[Outcome]) -> Fraction:
        """Return the average worth of the odds."""
        from rollwright.engine.best.solver import exact_number

        return dist.map(lambda outcome: exact_number(self.goal(outcome))).counted_mean

    @property
    def measure(self) -> Measure:
        """The measure of odds by the goal."""
        return Measure(self.title, self.mean, self.is_chance, {"goal": self.plain})


def no_goal() -> BadField:
    """The refusal of a goal for dice alone."""
    return BadField("goal", message("goal.none"), would_do=message("would_do.none"))


def goals_of(subject: RollSpec) -> list[GoalOption]:
    """The goals that go with a roll, in plain words."""
    game, request = subject.game, subject.request
    if game is None or request is None:
        return []
    from rollwright.kit.titles import goal_title

    usual = request.usual_goal or game.usual_goal(request.roll)
    return [
        {"name": name, "title": goal_title(game, name), "default": name == usual}
        for name in game.goals_for(request.roll)
    ]


def measure_of(subject: RollSpec, *, where: str = "", of: str = "", goal: str = "") -> Measure:
    """Return the measure: an event, a field, a goal (the usual one of a game), or the mean.

    Only one of them can be given: others would not be answered, and are refused.
    """
    asked = [name for name, held in (("where", where), ("of", of), ("goal", goal)) if held]
    if len(asked) > 1:
        would_do = message("measure.alone", names=any_of(asked))
        raise BadField(asked[-1], message("measure.two", names=asked), would_do=would_do)
    if goal and subject.request is None:
        raise no_goal()
    if where:
        asked_for = ConditionMeasure(where, subject.game)
        title = in_words("measure.event", event=where)
        plain: MeasureSpec = {"where": where}
        names = names_in_event(where)
        return Measure(title, asked_for.chance, lambda dist: True, plain, asked_for.check, names)
    if of:
        name, field = _guess_field(subject, of), FieldMeasure(of, subject.game)
        return Measure(_field_title(subject, name), field.mean, field.is_chance, {"of": of})
    if subject.request is not None and (goal or _has_goals(subject)):
        return GoalMeasure(subject, goal).measure
    return Measure(in_words("measure.mean"), _mean, lambda dist: False, {})


def _has_goals(subject: RollSpec) -> bool:
    """Whether somebody has said what may be wanted of this roll: of a rule alone nobody has."""
    roll = subject.request.roll if subject.request is not None else ""
    return subject.game is None or bool(subject.game.goals_for(roll))


def _field_title(subject: RollSpec, name: str) -> str:
    """A field as its game says it; dice load no game for it."""
    if subject.game is None:
        return name.replace("_", " ")
    from rollwright.kit.titles import outcome_label

    return outcome_label(subject.game, name)


def _guess_field(subject: RollSpec, name: str) -> str:
    """A field by the words players have for it, where its game knows them."""
    if subject.game is None or subject.request is None:
        return name
    known: tuple[str, ...] = getattr(subject.request.outcome, "_fields", ())
    return name if name in known else spoken_in(subject.game, known).get(as_name(name), name)


def spoken_in(game: Game | None, fields: tuple[str, ...]) -> Spoken:
    """The fields of an outcome by what players call them, in their own language and in English."""
    if game is None:
        return UNSPOKEN
    from rollwright.kit.titles import outcome_label

    found: dict[str, list[str]] = {}
    for language in dict.fromkeys((reader_language(), ENGLISH)):
        with use_locale(language):
            for name in fields:
                title = as_name(outcome_label(game, name))
                if title.isidentifier() and title not in (*fields, *RESERVED):
                    found.setdefault(title, []).append(name)
    return {title: names[0] for title, names in found.items() if len(set(names)) == 1}


def query_measure(subject: RollSpec, question: MeasureQuery) -> Measure:
    """Return the measure that a question wants of a roll."""
    return measure_of(
        subject, where=question.where or "", of=question.of or "", goal=question.goal or ""
    )


class FieldMeasure(NamedTuple):
    """A field of the outcome: how likely it is, or what it comes to on average."""

    name: str
    game: Game | None = None

    def part(self, dist: Dist[Outcome]) -> Dist[Outcome]:
        """Return the distribution of the field."""
        return dist.of(*names_in([self.name], dist, self.game))

    def is_chance(self, dist: Dist[Outcome]) -> bool:
        """Whether it is yes or no."""
        return all(isinstance(outcome, bool) for outcome in self.part(dist).outcomes)

    def mean(self, dist: Dist[Outcome]) -> Fraction:
        """How likely it is, or what it comes to on average."""
        part = self.part(dist)
        if not has_values(part):
            names = explain_missing(next(iter(dist)), names_in([self.name], dist, self.game))
            raise BadField("of", message("odds.uncounted.here", names=names))
        if self.is_chance(dist):
            return part.p(True)
        if not has_mean(part.outcomes):
            problem = message("measure.no_mean", name=self.name)
            raise BadField("of", problem, would_do=message("measure.no_mean.do"))
        return part.counted_mean


def _mean(dist: Dist[Outcome]) -> Fraction:
    if not all_numbers(dist.outcomes):
        numbers = [name for name in fields_in(dist) if all_numbers(dist.of(name).outcomes)]
        would_do = message("measure.meanless.do")
        if numbers:
            would_do = message("measure.meanless.field", name=numbers[0])
        raise BadField("where", message("measure.meanless"), would_do=would_do)
    return dist.counted_mean


def check_event_names(names: Collection[str], given: Collection[str]) -> None:
    """Refuse a name in an event that nothing gives a number to."""
    for name in sorted(set(names).difference(given)):
        problem = message("event.unset", name=f"@{name}")
        raise BadField("where", problem, would_do=message("event.unset.do", name=name))


def event_of(where: str, dist: Dist[Outcome], game: Game | None = None) -> Condition:
    """The test of outcomes that a text asks for; what nothing here is called is refused."""
    check_event_names(names_in_event(where), ())
    fields = fields_in(dist)
    test = parse_condition(where, fields, spoken_in(game, fields), dist.outcomes)
    if problem := test.unmet(dist.outcomes):
        raise problem
    return test


class ConditionMeasure:
    """An event in several distributions, some of which may not know a word that others know."""

    def __init__(self, where: str, game: Game | None = None) -> None:
        self.where = where
        self.game = game
        self.met = False
        self.problem: ConditionError | None = None
        self._spoken: dict[tuple[str, ...], Spoken] = {}

    def chance(self, dist: Dist[Outcome], numbers: Mapping[str, Json] = NO_NUMBERS) -> Fraction:
        """How likely it is in one of them."""
        fields = fields_in(dist)
        if fields not in self._spoken:
            self._spoken[fields] = spoken_in(self.game, fields)
        where = with_numbers(self.where, numbers)
        test = parse_condition(where, fields, self._spoken[fields], dist.outcomes)
        problem = test.unmet(dist.outcomes)
        self.met |= problem is None
        self.problem = problem
        return dist.p(test)

    def check(self) -> None:
        """Refuse a word that none of them knows."""
        if self.problem is not None and not self.met:
            raise self.problem


def names_in(
    of: tuple[str, ...] | list[str], dist: Dist[Outcome], game: Game | None = None
) -> tuple[str, ...]:
    """Fields of the outcome by name, or by what players call them; what it has not is refused."""
    known = fields_in(dist)
    if of and not known:
        raise BadField("of", message("measure.fieldless"), would_do=message("would_do.none"))
    found = []
    for came in of:
        name = came if came in known else as_name(came)
        if name not in known:
            name = spoken_in(game, known).get(name, "")
        if not name:
            raise UnknownName("outcome_field", came, known, field="of")
        found.append(name)
    return tuple(found)
