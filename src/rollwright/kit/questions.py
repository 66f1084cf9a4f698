"""Questions as data: the functions of a game that answer them, with arguments read from plain data.

A game lists functions. What each wants is taken from its types, so that a question can be asked
from anywhere that can send JSON: `game.questions["my_chances"].ask({"request": {…}})`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property, update_wrapper, wraps
from types import ModuleType
from typing import Annotated, Any, NamedTuple, TypeVar, cast

from rollwright.budget import Budget
from rollwright.errors import BadField, with_likeliest
from rollwright.i18n.locale import format_text, in_words
from rollwright.i18n.messages import Message
from rollwright.kit.checks import checked, field_error, fraction_of, written_fraction
from rollwright.kit.fields import MISSING, REQUIRED, Field, field_of, types_in
from rollwright.pictures.charts import CHANCE, POINTS, format_number, format_value

Number = int | float | str | Fraction
"""A number as it is given or written: 2, 0.25, "1/3"."""
MOST_LISTED = 100
"""Most parts of a list given to a question: each may be a count of its own."""


class Unit(NamedTuple):
    """The unit of a number, as part of its type: `Annotated[Fraction, Unit("turns")]`."""

    name: str


Chance = Annotated[Fraction, Unit(CHANCE)]
"""A chance in an answer: said in percent."""
Gain = Annotated[Fraction, Unit(POINTS)]
"""By how much a chance grows: said in percentage points."""


class Verdict(NamedTuple):
    """Advice with the worth of each way; if no other is worth more, the first is the best.

    >>> from fractions import Fraction
    >>> str(Verdict({"keep": Fraction(12, 25), "push": Fraction(61, 100)}))
    'Push: 61.0 % against 48.0 %.'
    >>> str(Verdict({"keep": Fraction(1), "push": Fraction(1)}, note="a push can only cost"))
    'Keep: 100 % either way; a push can only cost.'
    """

    ways: Mapping[str, Fraction]
    unit: str = CHANCE
    note: Message | str = ""
    """A remark."""

    @property
    def best(self) -> str:
        """The way that is worth most."""
        return max(self.ways, key=self.ways.__getitem__)

    def __str__(self) -> str:
        chance = self.unit == CHANCE
        top, *rest = sorted(self.ways.values(), reverse=True)
        first, *others = (
            format_value(way, CHANCE) if chance else format_number(way) for way in (top, *rest)
        )
        unit = f" {self.unit}" if self.unit and not chance else ""
        best = f"{self.best[:1].upper()}{self.best[1:]}"
        if not rest:
            text = in_words("way.alone", way=best, worth=f"{first}{unit}")
        elif rest[0] == top:
            text = in_words("way.either", way=best, worth=first, unit=unit)
        else:
            text = in_words("way.against", way=best, worth=first, other=f"{others[0]}{unit}")
        return f"{text}; {format_text(self.note)}." if self.note else f"{text}."


class Preset:
    """Fields of a request that a question answers for itself: `Annotated[Check, Preset(dc=0)]`."""

    def __init__(self, **fields: object) -> None:
        self.fields = fields


F = TypeVar("F", bound=Callable[..., object])


def question(function: F) -> F:
    """Return a question of a game as a function that takes plain data for requests and values.

    It is written above the function; callers with requests notice nothing.
    """

    @wraps(function)
    def answer(*args: object, **named: object) -> object:
        if any(map(_is_jsonable, args)) or any(map(_is_jsonable, named.values())):
            given = signature.bind(*args, **named).arguments
            return function(**{name: asked.value(name, held) for name, held in given.items()})
        return function(*args, **named)

    signature, asked = inspect.signature(function), Question(function)
    return cast("F", answer)


def _is_jsonable(given: object) -> bool:
    return isinstance(given, Mapping) or (
        isinstance(given, list | tuple) and any(isinstance(part, Mapping | str) for part in given)
    )


class Question:
    """A question of a game: call it with values, or ask it with plain data.

    >>> def chance_of(faces: tuple[int, ...], sides: int = 6) -> str:
    ...     "How likely is one of these faces?"
    ...     return f"{len(faces)} in {sides}"
    >>> question = Question(chance_of)
    >>> question.title, list(question.arguments)
    ('How likely is one of these faces?', ['faces', 'sides'])
    >>> question.ask({"faces": [5, 6]})
    '2 in 6'
    """

    def __init__(self, function: Callable[..., object]) -> None:
        self.function = function
        update_wrapper(self, function)
        self.name = function.__name__
        self.title = (inspect.getdoc(function) or "").split("\n")[0]
        """The first line of what it says of itself."""

    def __call__(self, *args: object, **named: object) -> Any:
        """The answer; requests and values may be plain data."""
        return question(self.function)(*args, **named)

    @cached_property
    def arguments(self) -> dict[str, Field]:
        """Its arguments, by name, as fields."""
        hints = types_in(self.function)
        known = inspect.signature(self.function).parameters
        return {name: _argument(name, hints[name], about) for name, about in known.items()}

    @cached_property
    def answers_with(self) -> Any:
        """The type of the answer."""
        return types_in(self.function).get("return", Any)

    def ask(self, plain: Mapping[str, object], *, budget: Budget | None = None) -> Any:
        """The answer to the question, its arguments being plain data.

        All that is counted for it is counted on one budget.
        """
        given = self.read(plain)
        with budget or Budget():
            return self.function(**given)

    def read(self, plain: Mapping[str, object]) -> dict[str, Any]:
        """The arguments behind plain data; refused by name where they do not fit."""
        for name, about in self.arguments.items():
            if about.is_required and name not in plain:
                raise field_error(about, MISSING)
        given = {}
        for name, value in plain.items():
            if name not in self.arguments:
                unasked = Message("refused.question.unasked", {"question": self.name})
                problem = with_likeliest(unasked, str(name), sorted(self.arguments))
                raise BadField(str(name), problem)
            given[name] = self._check(name, value)
        return given

    def value(self, name: str, given: object) -> Any:
        """An argument as the function wants it: made from plain data where it is such."""
        about = self.arguments.get(name)
        return given if about is None or not _is_jsonable(given) else self._check(name, given)

    def _check(self, name: str, value: object) -> Any:
        about = self.arguments[name]
        if isinstance(value, dict):
            value = {**about.more.get("preset", {}), **value}
        return checked(about, value)

    def __repr__(self) -> str:
        return f"<question {self.name}>"


def _argument(name: str, hint: Any, about: inspect.Parameter) -> Field:
    """An argument as a field; a range that it has as its default is written out."""
    default = REQUIRED if about.default is about.empty else about.default
    noted = [note for note in getattr(hint, "__metadata__", ()) if isinstance(note, Preset)]
    kind = hint.__origin__ if noted else hint
    found = field_of(name, kind, tuple(default) if isinstance(default, range) else default)
    found = found._replace(more={**found.more, "preset": noted[0].fields}) if noted else found
    return found._replace(most=MOST_LISTED) if found.kind == "list" else found


def questions_in(*modules: ModuleType) -> tuple[Callable[..., object], ...]:
    """The questions of a game: every public function that these modules define, in order."""
    return tuple(
        found
        for module in modules
        for name, found in vars(module).items()
        if inspect.isfunction(found) and found.__module__ == module.__name__ and name[0] != "_"
    )


def number(field: str, given: Number) -> Fraction:
    """A number as it is given or written, or a refusal."""
    if isinstance(given, (int, Fraction)) and not isinstance(given, bool):
        return Fraction(given)
    found = _parse_number(given)
    if found is None:
        raise BadField(
            field,
            Message("refused.question.number"),
            would_do=Message("refused.question.number.do"),
        )
    return found


def chance(field: str, given: Number) -> Fraction:
    """A chance as it is given or written, or a refusal."""
    found = _parse_number(given)
    if found is None or not 0 <= found <= 1:
        raise BadField(
            field,
            Message("refused.question.chance"),
            would_do=Message("refused.question.chance.do"),
        )
    return found


def _parse_number(given: Number) -> Fraction | None:
    """A number as people write it: 2, 0.25, 1/3, 65%."""
    if isinstance(given, bool):
        return None
    if isinstance(given, float):
        return fraction_of(given)
    text = str(given).strip()
    found = written_fraction(text.removesuffix("%").strip())
    return found / 100 if found is not None and text.endswith("%") else found


def whole(field: str, given: int, low: int, high: int, rule: str = "") -> int:
    """A whole number within limits, or a refusal."""
    if type(given) is not int or not low <= given <= high:
        fits = Message("fits.range", {"low": str(low), "high": str(high)})
        raise BadField(field, Message("refused.question.range"), rule=rule, would_do=fits)
    return given
