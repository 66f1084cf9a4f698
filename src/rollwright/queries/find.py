"""Find: which value of a field gives a chance, with its neighbours, exactly and over a range.

Nothing is taken to rise or fall: every value of the range is counted, so that the answer can say
when several values reach the target, or none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from rollwright.budget import Budget
from rollwright.engine.transcript import Transcript
from rollwright.errors import (
    BadDie,
    BadDist,
    BadField,
    BadRules,
    Misuse,
    RollwrightError,
    TooMuchWork,
)
from rollwright.i18n.locale import format_text
from rollwright.i18n.messages import Message, any_of, row_of
from rollwright.i18n.messages import msg as message
from rollwright.kit.checks import written_fraction
from rollwright.notation.errors import NotationError
from rollwright.pictures.outcomes import format_field
from rollwright.queries.conditions import names_in_event
from rollwright.queries.curves import (
    Axis,
    axis,
    axis_of,
    check_first,
    is_about,
    is_in,
    stays,
    with_settings,
)
from rollwright.queries.measures import (
    NO_NUMBERS,
    Measure,
    check_event_names,
    format_worth,
    number,
    query_measure,
    worth,
)
from rollwright.queries.odds import format_policy
from rollwright.queries.roll_specs import ExpressionSpec, RollSpec, spec_of, title_request
from rollwright.queries.translations import written_so

if TYPE_CHECKING:
    from rollwright.dice import Outcome
    from rollwright.exact import Dist
    from rollwright.jsonable import Json
    from rollwright.kit.requests import Request
    from rollwright.queries.kinds import FindQuery
    from rollwright.queries.schemas import Direction, FindAnswer, ValueWorthData

NUMBERS = tuple(range(61))
"""Numbers tried for a name in an expression, such as the number of dice in `(@n)d6`."""
MOST_NAMED = 4
"""Values that a sentence lists; of more it says how many."""


REFUSED = (BadField, NotationError, TooMuchWork, BadDie, BadDist, BadRules, Misuse)
"""Errors of one value that mean nothing for the others; rules in a file may refuse as dice do."""


class Point(NamedTuple):
    """A value that was tried, and what the roll is worth with it."""

    value: Json
    worth: Fraction


class Search(NamedTuple):
    """All that was tried, in order, and where it meets the target."""

    target: Fraction
    points: tuple[Point, ...]
    ordered: bool = True
    """Whether the values are neighbours; if not, each is on its own."""

    def reaches(self, place: int) -> bool:
        """Whether the value at a place is worth at least the target."""
        return 0 <= place < len(self.points) and self.points[place].worth >= self.target

    @property
    def reaching(self) -> tuple[Point, ...]:
        """All that is worth at least the target."""
        return tuple(point for point in self.points if point.worth >= self.target)

    @property
    def runs(self) -> tuple[tuple[Point, Point], ...]:
        """The ranges of values that reach the target, each by its first and its last."""
        if not self.ordered:
            return tuple((point, point) for point in self.reaching)
        ends = range(len(self.points))
        first = [place for place in ends if self.reaches(place) and not self.reaches(place - 1)]
        last = [place for place in ends if self.reaches(place) and not self.reaches(place + 1)]
        return tuple((self.points[a], self.points[b]) for a, b in zip(first, last))

    @property
    def answers(self) -> tuple[Point, ...]:
        """The answers: values that reach the target while a neighbour that was tried does not.

        If all reach it, the closest; if none does, none.
        """
        if len(self.reaching) == len(self.points):
            return self.nearest
        if not self.ordered:
            return self.reaching
        inner = {point for run in self.runs for point in run}
        outer = {self.points[0]} if self.reaches(0) and self.reaches(1) else set()
        last = len(self.points) - 1
        outer |= {self.points[last]} if self.reaches(last) and self.reaches(last - 1) else set()
        return tuple(point for point in self.points if point in inner - outer)

    @property
    def nearest(self) -> tuple[Point, ...]:
        """The values closest to the target, from above or below."""
        least = min(abs(point.worth - self.target) for point in self.points)
        return tuple(point for point in self.points if abs(point.worth - self.target) == least)

    @property
    def direction(self) -> Direction:
        """Whether the worth rises or falls along the values, stays level, or does both."""
        pairs = list(zip(self.points, self.points[1:]))
        rises = any(one.worth < two.worth for one, two in pairs)
        falls = any(one.worth > two.worth for one, two in pairs)
        if rises and falls:
            return "mixed"
        return "rises" if rises else "falls" if falls else "level"


def find(question: FindQuery, budget: Budget) -> FindAnswer:
    """Which value of `over` makes the roll worth `target`."""
    subject, over = _subject_and_axis(question)
    policy = question.policy or ""
    measure = query_measure(subject, question)
    given = question.target
    tried, refused = _try_values(
        subject, over, policy, measure, budget, lambda chance: target_of(given, chance=chance)
    )
    measure.check()
    chance = all(point.chance for point in tried)
    target = target_of(given, chance=chance)
    points = tuple(Point(point.value, point.worth) for point in tried)
    search = Search(target, points, over.ordered)
    return {
        "title": _title(subject, over),
        "policy": format_policy(subject, policy),
        "measure": {"title": measure.title, **measure.plain},
        "over": {"field": over.name, "title": over.title},
        "target": worth(target, chance=chance),
        "found": [point.value for point in search.answers],
        "nearest": [point.value for point in search.nearest],
        "ranges": [[first.value, last.value] for first, last in search.runs],
        "direction": search.direction,
        "rows": [_row(point, target, chance=chance) for point in search.points],
        "refused": [{"value": value, "problem": problem} for value, problem in refused],
        "said": _format_search(search, over, chance=chance),
        **measure.truncation,
        **written_so(subject),
    }


def _row(point: Point, target: Fraction, *, chance: bool) -> ValueWorthData:
    return {
        "value": point.value,
        "said": format_field(point.value),
        "worth": worth(point.worth, chance=chance),
        "off": number(point.worth - target),
        "reaches": point.worth >= target,
    }


def target_of(given: int | str | Fraction, *, chance: bool) -> Fraction:
    """The target as it is written: `65%`, `0.65`, `13/20`; a number where no chance is asked for.

    >>> target_of("65%", chance=True)
    Fraction(13, 20)
    """
    text = str(given).strip()
    share = text.endswith("%")
    found = None if isinstance(given, bool) else written_fraction(text.removesuffix("%").strip())
    if found is not None and share:
        found /= 100
    if chance and (found is None or not 0 <= found <= 1):
        problem = message("find.no_chance", came=repr(text[:40]))
        raise BadField("target", problem, would_do=_guess_chance(found, text))
    if found is None or (share and not chance):
        would_do = message("find.number.mean" if share else "find.number")
        problem = message("find.no_number", came=repr(text[:40]))
        raise BadField("target", problem, would_do=would_do)
    return found


def _guess_chance(found: Fraction | None, text: str) -> Message | str:
    """Return the likely meaning of something that is no chance."""
    if found is None:
        return message("find.chances")
    return f"{text}%" if 1 < found <= 100 and "%" not in text else message("find.shares")


def _subject_and_axis(question: FindQuery) -> tuple[RollSpec, Axis]:
    """Return the subject, and the axis that is searched."""
    subject = _subject(question)
    name = question.over.lstrip("@")
    in_event = names_in_event(question.where or "")
    check_event_names(in_event, [name])
    if name in in_event and not is_about(subject, name):
        over = Axis(name, NUMBERS, f"@{name}")
    elif isinstance(subject.what, ExpressionSpec):
        try:
            with_settings(subject, {name: 0})  # so that a name which is not there is refused
        except BadField as problem:
            raise problem.at("over") from None
        now = subject.what.variables.get(name)
        over = Axis(name, NUMBERS, f"@{name}", now if isinstance(now, int) else None)
    elif isinstance(subject.what, Transcript) or subject.request is None:
        raise stays()
    elif question.values is not None and is_in(subject.request, name):
        over = _axis_of_values(subject.request, name, question.values)
    else:
        over = axis(subject.request, name)
    return subject, over if question.values is None else over._replace(values=question.values)


def _axis_of_values(request: Request, name: str, values: tuple[Json, ...]) -> Axis:
    """An axis with these values, also of a field that has no order of its own, such as dice."""
    try:
        return axis(request, name)
    except BadField:
        return Axis(name, values, name.replace("_", " "), ordered=False)


def _subject(question: FindQuery) -> RollSpec:
    """Return the subject; a field that must be given may be left to the search."""
    try:
        return spec_of(question)
    except BadField as problem:
        _check_name(question)
        left = _left_to_the_search(question, problem)
        if left is None:
            raise
    refusal: BadField | None = None
    for value in left:
        request = {**(question.request or {}), question.over: value}
        try:
            return spec_of(question.but(request=request))
        except BadField as problem:
            refusal = refusal or problem
    assert refusal is not None
    raise refusal


def _kind(question: FindQuery) -> type[Request] | None:
    """The kind of roll that is asked about, if the request says which."""
    from rollwright.kit.games import find_game

    if question.request is None:
        return None
    game = find_game(str(question.request.get("game", "")))
    return game.requests.get(str(question.request.get("roll", game.default_roll)))


def _check_name(question: FindQuery) -> None:
    """Refuse a field that is not there, before what else is missing."""
    kind = _kind(question)
    if kind is not None:
        check_first(kind, question.over.lstrip("@"))


def _left_to_the_search(question: FindQuery, problem: BadField) -> Sequence[Json] | None:
    """The values of the field that is missing, if it is the one that is searched."""
    if question.request is None or problem.field != question.over:
        return None
    kind = _kind(question)
    over = None if kind is None else axis_of(kind, question.over)
    if question.values or over is None:
        return question.values
    numbers = [value for value in over.values if isinstance(value, int)]
    return over.values if len(numbers) < len(over.values) else [*sorted(numbers, key=abs)]


class ValueWorth(NamedTuple):
    """A value that was tried, what the roll is worth with it, and whether that is a chance."""

    value: Json
    worth: Fraction
    chance: bool


def _try_values(
    subject: RollSpec,
    over: Axis,
    policy: str,
    measure: Measure,
    budget: Budget,
    check: Callable[[bool], object],
) -> tuple[list[ValueWorth], list[tuple[Json, str]]]:
    """Return each value's worth, in order, and the values that the rules or the budget refuse.

    `check` learns after the first whether it is a chance, so that no work is done for nothing.
    """
    done: dict[int, ValueWorth] = {}
    refused: dict[int, tuple[Json, str]] = {}
    first: RollwrightError | None = None
    moves = is_about(subject, over.name)
    still: Dist[Outcome] | None = None
    for place in _outwards(over):
        value = over.values[place]
        numbers = {over.name: value} if over.name in measure.names else NO_NUMBERS
        try:
            if moves or still is None:
                still = with_settings(subject, {over.name: value} if moves else {}).odds(
                    policy, budget
                )
            worth = measure.of(still, numbers)
            done[place] = ValueWorth(value, worth, measure.is_chance(still))
        except REFUSED as problem:
            refused[place] = (value, _why(problem))
            first = first or problem
            continue
        if len(done) == 1:
            check(done[place].chance)
    if not done:
        assert first is not None
        raise first
    return [done[place] for place in sorted(done)], [refused[place] for place in sorted(refused)]


def _why(problem: RollwrightError) -> str:
    wording = getattr(problem, "wording", None)
    return str(problem) if wording is None else format_text(wording)


def _outwards(over: Axis) -> Iterator[int]:
    """Return the places of the values, outwards from the present one: work is spent near it."""
    middle = over.values.index(over.now) if over.now in over.values else 0
    return iter(sorted(range(len(over.values)), key=lambda place: abs(place - middle)))


def _title(subject: RollSpec, over: Axis) -> str:
    if subject.request is None:
        return subject.title
    return title_request(subject.request, {over.name, over.name.rpartition(".")[2]})


def _format_search(search: Search, over: Axis, *, chance: bool) -> str:
    """The answer in a sentence: which values, or that none does, and over which range."""
    target, near = format_worth(search.target, chance), search.nearest[0]
    closest = message(
        "find.closest", value=format_field(near.value), worth=format_worth(near.worth, chance)
    )
    if not search.reaching or len(search.reaching) == len(search.points):
        id = "find.all" if search.reaching else "find.none"
        what = _format_range(search, over)
        return format_text(message(id, what=what, target=target, closest=closest))
    edges = [
        message(
            "find.gives", value=format_field(point.value), worth=format_worth(point.worth, chance)
        )
        for point in search.answers[:MOST_NAMED]
    ]
    span = _span((search.points[0], search.points[-1]))
    tried = span if search.ordered else message("find.tried", n=len(search.points))
    found = message(
        "find.reached",
        target=target,
        over=over.title,
        runs=_runs(search),
        edges=row_of(edges),
        tried=tried,
    )
    return format_text(found)


def _runs(search: Search) -> Message:
    """The ranges that reach the target, the first of them where there are many."""
    runs, more = [_span(run) for run in search.runs], len(search.runs) - MOST_NAMED
    listed = message("find.runs", runs=any_of(runs[:MOST_NAMED]))
    if more <= 0:
        return listed
    return message("find.runs.more" if search.ordered else "find.values.more", runs=listed, n=more)


def _format_range(search: Search, over: Axis) -> Message:
    """Return the tried values in words; of words without an order they are all there are."""
    if not search.ordered:
        return message("find.what", over=over.title)
    span = _span((search.points[0], search.points[-1]))
    return message("find.what.of", over=over.title, span=span)


def _span(run: tuple[Point, Point]) -> Message | str:
    first, last = (format_field(point.value) for point in run)
    return first if first == last else message("fits.range", low=first, high=last)
