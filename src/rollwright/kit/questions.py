"""Questions as data: the functions of a game that answer them, with arguments read from plain data.

A game lists functions. What each wants is taken from its types, so that a question can be asked
from anywhere that can send JSON: `game.questions["my_chances"].ask({"request": {…}})`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property, update_wrapper
from types import ModuleType
from typing import Any

from rollwright.budget import Budget
from rollwright.errors import BadField, did_you_mean
from rollwright.kit.checks import checked, refused, written_fraction
from rollwright.kit.fields import MISSING, REQUIRED, Field, described, types_in

Number = int | float | str | Fraction
"""A number as it is given or written: 2, 0.25, "1/3"."""
MOST_LISTED = 100
"""What a list may hold that is given to a question: each may be a count of its own."""


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
        """The answer."""
        return self.function(*args, **named)

    @cached_property
    def arguments(self) -> dict[str, Field]:
        """What it wants to know, by name, as fields."""
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
                raise refused(about, MISSING)
        given = {}
        for name, value in plain.items():
            if name not in self.arguments:
                known = did_you_mean(str(name), sorted(self.arguments))
                raise BadField(str(name), f"{self.name} does not ask for it{known}")
            given[name] = checked(self.arguments[name], value)
        return given

    def __repr__(self) -> str:
        return f"<question {self.name}>"


def _argument(name: str, hint: Any, about: inspect.Parameter) -> Field:
    """An argument as a field; a range that it has as its default is written out."""
    default = REQUIRED if about.default is about.empty else about.default
    found = described(name, hint, tuple(default) if isinstance(default, range) else default)
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
