"""Questions as data: the functions of a game that answer them, with arguments read from plain data.

A game lists functions. What each wants is taken from its types, so that a question can be asked
from anywhere that can send JSON: `game.questions["my_chances"].ask({"request": {…}})`.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import cached_property, update_wrapper
from types import ModuleType, NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from rollwright.budget import Budget
from rollwright.errors import BadField, RollwrightError, did_you_mean
from rollwright.kit.fields import Value, made, written_fraction
from rollwright.kit.requests import Request

Number = int | float | str | Fraction
"""A number as it is given or written: 2, 0.25, "1/3"."""


class Argument(NamedTuple):
    """One thing a question wants to know."""

    name: str
    hint: Any
    """Its type."""
    required: bool
    default: Any = None

    def read(self, given: Any) -> Any:
        """The argument from plain data, or a refusal."""
        return _read_at(self.name, self.hint, given)


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

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        update_wrapper(self, function)
        self.name = function.__name__
        self.title = (inspect.getdoc(function) or "").split("\n")[0]
        """The first line of what it says of itself."""

    def __call__(self, *args: Any, **named: Any) -> Any:
        """The answer."""
        return self.function(*args, **named)

    @cached_property
    def arguments(self) -> dict[str, Argument]:
        """What it wants to know, by name; whoever asks gives the work budget, not the question."""
        hints = get_type_hints(self.function)
        return {
            name: Argument(name, hints[name], about.default is about.empty, _default(about.default))
            for name, about in inspect.signature(self.function).parameters.items()
            if Budget not in _kinds(hints[name])
        }

    @cached_property
    def answers_with(self) -> Any:
        """The type of the answer."""
        return get_type_hints(self.function).get("return", Any)

    def ask(self, plain: Mapping[str, Any], *, budget: Budget | None = None) -> Any:
        """The answer to the question, its arguments being plain data."""
        given = self.read(plain)
        if budget is not None and "budget" in inspect.signature(self.function).parameters:
            given["budget"] = budget
        return self.function(**given)

    def read(self, plain: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments behind plain data; refused by name where they do not fit."""
        for name, about in self.arguments.items():
            if about.required and name not in plain:
                raise BadField(name, "is missing", would_do=_wanted(about.hint))
        given = {}
        for name, value in plain.items():
            if name not in self.arguments:
                known = did_you_mean(str(name), sorted(self.arguments))
                raise BadField(str(name), f"{self.name} does not ask for it{known}")
            given[name] = self.arguments[name].read(value)
        return given

    def __repr__(self) -> str:
        return f"<question {self.name}>"


def questions_in(*modules: ModuleType) -> tuple[Callable[..., Any], ...]:
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
    found = written_fraction(str(given)) if isinstance(given, (str, float)) else None
    if found is None:
        raise BadField(field, "that is no number", would_do="a number such as 2, 0.25 or 1/3")
    return found


def chance(field: str, given: Number) -> Fraction:
    """A chance as it is given or written, or a refusal."""
    found = None if isinstance(given, bool) else written_fraction(str(given))
    if found is None or not 0 <= found <= 1:
        raise BadField(field, "that is no chance", would_do="a number from 0 to 1, such as 1/2")
    return found


def whole(field: str, given: int, low: int, high: int, rule: str = "") -> int:
    """A whole number within limits, or a refusal."""
    if type(given) is not int or not low <= given <= high:
        raise BadField(field, "that is out of range", rule=rule, would_do=f"{low} to {high}")
    return given


def _unfit(problem: str, hint: Any) -> BadField:
    """A refusal of plain data that does not fit a type; its place is told around it."""
    return BadField("", problem, would_do=_wanted(hint))


def _read_at(place: str, hint: Any, given: Any) -> Any:
    """A value of a type, with refusals that begin with its place: `rolls[2].skill`."""
    try:
        return _read(hint, given)
    except BadField as problem:
        within = problem.field
        dot = "." if within and within[0] not in ".[" else ""
        raise problem.at(f"{place}{dot}{within}") from None


def _default(value: Any) -> Any:
    return None if value is inspect.Parameter.empty else value


def _kinds(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _read(hint: Any, given: Any) -> Any:
    """A value of a type from plain data: the first of several types that it fits."""
    kinds = _kinds(hint)
    if Any in kinds or (given is None and NoneType in kinds):
        return given
    refusals = []
    wanted = [kind for kind in kinds if kind is not NoneType]
    for kind in wanted:
        try:
            return _read_one(kind, given)
        except BadField as problem:
            refusals.append(problem)
    inside = [problem for problem in refusals if problem.field]
    if inside or len(wanted) == 1:
        raise (inside or refusals)[0]
    raise _unfit(f"{_short(given)} does not fit", hint)


def _read_one(kind: Any, given: Any) -> Any:
    origin = get_origin(kind)
    if origin in _LISTS:
        return _read_list(kind, given)
    if origin in (Mapping, dict):
        return _read_mapping(kind, given)
    if origin is Literal and given in get_args(kind):
        return given
    if isinstance(kind, type):
        if isinstance(given, kind) and not (isinstance(given, bool) and kind is not bool):
            return given
        if issubclass(kind, Value) and isinstance(given, dict):
            return _made(kind, given)
        if hasattr(kind, "from_plain") and isinstance(given, dict):
            return _from_plain(kind, given)
        if hasattr(kind, "_fields") and isinstance(given, dict):
            return _named_tuple(kind, given)
        if issubclass(kind, Enum) and given in [member.value for member in kind]:
            return kind(given)
        if kind is Fraction and isinstance(given, dict) and set(given) == {"exact", "number"}:
            given = given["exact"]  # as an answer has it
        if kind is Fraction and isinstance(given, str | int | float):
            found = None if isinstance(given, bool) else written_fraction(str(given))
            if found is not None:
                return found
    raise _unfit(f"{_short(given)} does not fit", kind)


_LISTS = (tuple, list, Iterable, Sequence)
MOST_LISTED = 100
"""What a list may hold that is given to a question: each may be a count of its own."""


def _read_list(kind: Any, given: Any) -> tuple[Any, ...]:
    if isinstance(given, str | bytes | dict) or not isinstance(given, Iterable):
        raise _unfit("that is no list", kind)
    parts = tuple(given)
    if len(parts) > MOST_LISTED:
        raise BadField("", f"{len(parts):,} came", would_do=f"at most {MOST_LISTED}")
    inner = [part for part in get_args(kind) if part is not Ellipsis]
    hints = inner if len(inner) > 1 else [inner[0]] * len(parts)
    if len(hints) != len(parts):
        raise BadField("", f"{len(parts)} came", would_do=f"a list of {len(hints)}")
    return tuple(_read_at(f"[{n}]", *pair) for n, pair in enumerate(zip(hints, parts, strict=True)))


def _read_mapping(kind: Any, given: Any) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise _unfit("that names nothing", kind)
    return {
        str(name): _read_at(f".{name}", get_args(kind)[1], value) for name, value in given.items()
    }


def _named_tuple(kind: Any, given: dict[str, Any]) -> Any:
    """A row of an answer, given back with the fields that it had."""
    hints = get_type_hints(kind, {"Fraction": Fraction, **vars(sys.modules[kind.__module__])})
    for name in given:
        if name not in kind._fields:
            raise BadField(name, f"there is no such field{did_you_mean(name, kind._fields)}")
    for name in kind._fields:
        if name not in given and name not in kind._field_defaults:
            raise BadField(name, "is missing", would_do=_wanted(hints[name]))
    return kind(**{name: _read_at(name, hints[name], value) for name, value in given.items()})


def _made(kind: type[Value], given: dict[str, Any]) -> Value:
    """A value of its fields; a request may say which game and roll it is of."""
    if not issubclass(kind, Request):
        return made(kind, given)
    kinds = {one.roll: one for one in (kind, *_below(kind)) if one.roll}
    roll = given.get("roll", kind.roll)
    if roll not in kinds:
        problem = f"{_short(roll)} is none of the rolls" if roll else "is missing"
        raise BadField("roll", problem, would_do=", ".join(kinds))
    meant = kinds[roll]
    header = {"game": meant.game, "roll": roll}
    return made(meant, {name: held for name, held in given.items() if header.get(name) != held})


def _below(kind: type[Request]) -> Iterator[type[Request]]:
    """The kinds of request that a kind stands for: all that go by its fields."""
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)


def _from_plain(kind: Any, given: dict[str, Any]) -> Any:
    """What reads itself from plain data, such as a roll in progress."""
    try:
        return kind.from_plain(given)
    except RollwrightError as problem:
        raise _unfit(str(problem), kind) from None


def _short(given: Any) -> str:
    text = repr(given)
    return text if len(text) <= 40 else f"{text[:37]}…"


def _wanted(hint: Any) -> str:
    """What fits a type, in words."""
    words = [_WORDS.get(kind) or _named(kind) for kind in _kinds(hint) if kind is not NoneType]
    return " or ".join(dict.fromkeys(words))


_WORDS: dict[Any, str] = {
    int: "a whole number",
    float: "a number",
    Fraction: "a number",
    str: "a text",
    bool: "true or false",
}


def _named(kind: Any) -> str:
    if get_origin(kind) in _LISTS:
        inner = [part for part in get_args(kind) if part is not Ellipsis]
        return f"a list ({_wanted(inner[0])})"
    if get_origin(kind) in (Mapping, dict):
        return f"names, each with {_wanted(get_args(kind)[1])}"
    if get_origin(kind) is Literal:
        return ", ".join(map(str, get_args(kind)))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return ", ".join(str(member.value) for member in kind)
    if isinstance(kind, type) and issubclass(kind, Value):
        return f"the fields of a {kind.__name__}"
    name = getattr(kind, "__name__", "anything")
    return f"a {name.lower()} as it was written" if hasattr(kind, "from_plain") else name
