"""The games' own questions as data: what each takes, and the answers written out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from types import GenericAlias, NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from rollwright.ask.kinds import GameQuestion
from rollwright.ask.outcomes import number
from rollwright.budget import Budget
from rollwright.engine.best.policies import Advice
from rollwright.engine.values import field_names, to_plain
from rollwright.errors import RollwrightError, UnknownName
from rollwright.exact import Dist
from rollwright.exact.text import digits
from rollwright.kit.fields import REQUIRED, Value, field
from rollwright.kit.games import Game, find_game
from rollwright.kit.questions import Question, Unit
from rollwright.kit.requests import Request
from rollwright.pictures.charts import amount_said

EXACT_IN_EVERY_PARSER = 2**53


def ask(question: GameQuestion, budget: Budget) -> dict[str, Any]:
    """The answer of a game to one of its own questions."""
    game = find_game(question.game)
    found = question_of(game, question.question)
    answer = found.ask(question.arguments, budget=budget)
    return {
        "game": game.name,
        "question": found.name,
        "title": found.title,
        "said": str(getattr(answer, "verdict", "")),
        "answer": written(answer, found.answers_with),
    }


def question_of(game: Game, name: str) -> Question:
    """A question by name, as Python or a command line spells it."""
    known = name.replace("-", "_")
    if known not in game.questions:
        raise UnknownName("question", name, [one.replace("_", "-") for one in game.questions])
    return game.questions[known]


@lru_cache(256)
def arguments_of(question: Question) -> type[Value]:
    """The arguments of a question as fields, for whatever makes options or forms of fields."""
    body: dict[str, Any] = {"__doc__": question.title, "__module__": __name__}
    hints: dict[str, Any] = {}
    for name, about in question.arguments.items():
        hints[name] = _field_hint(about.hint)
        default = tuple(about.default) if isinstance(about.default, range) else about.default
        body[name] = field(default=REQUIRED if about.required else default, help="")
    return type(question.name, (Value,), {**body, "__annotations__": hints})


def _field_hint(hint: Any) -> Any:
    """The type of an argument as fields know it: whatever can be gone through is a tuple."""
    if get_origin(hint) in (Union, UnionType):
        parts = tuple(_field_hint(part) for part in get_args(hint))
        return Union[parts]  # noqa: UP007
    if get_origin(hint) in (tuple, list, Iterable, Sequence):
        return GenericAlias(tuple, (_field_hint(get_args(hint)[0]), ...))
    return hint


def main_argument(question: Question) -> tuple[str, dict[str, type[Value]]] | None:
    """The argument that the question is about, with the kinds of value it may be by their roll.

    That is the first request, else the first other value that must be given.
    """
    for wanted in (Request, Value):
        for name, about in question.arguments.items():
            kinds = [kind for kind in _kinds(about.hint) if _is_kind(kind, wanted)]
            if kinds and wanted is Request:
                below = [one for kind in kinds for one in _below(kind)]
                return name, {one.roll: one for one in below if one.roll}
            if kinds and about.required:
                return name, {"": kinds[0]}
    return None


def _kinds(hint: Any) -> tuple[Any, ...]:
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return tuple(kind for kind in kinds if kind is not NoneType)


def _is_kind(kind: Any, wanted: type) -> bool:
    return isinstance(kind, type) and issubclass(kind, wanted)


def _below(kind: type[Request]) -> list[type[Request]]:
    return [kind, *(one for part in kind.__subclasses__() for one in _below(part))]


def written(answer: Any, hint: Any = None) -> Any:
    """An answer as what JSON can hold: fields by name, numbers exactly and nearly.

    With the type of the answer, numbers are also said with what they count.

    >>> written((Fraction(1, 3), {"a": True}))
    [{'exact': '1/3', 'number': 0.3333333333333333}, {'a': True}]
    >>> written({(1, 2): "b"})
    [{'for': [1, 2], 'value': 'b'}]
    >>> written(Fraction(1, 8), Chance | None)
    {'exact': '1/8', 'number': 0.125, 'said': '12.5 %'}
    """
    if answer is None or isinstance(answer, bool):
        return answer
    hint = next(iter(_kinds(hint)), None)
    if (unit := _unit(hint)) and isinstance(answer, Fraction):
        return {**number(answer), "said": amount_said(answer, unit)}
    if isinstance(answer, Enum):
        return written(answer.value)
    if isinstance(answer, str):
        return str.__str__(answer)
    if isinstance(answer, int):
        value = int(answer)
        return value if abs(value) < EXACT_IN_EVERY_PARSER else {"int": digits(value)}
    if isinstance(answer, Fraction):
        return number(answer)
    if isinstance(answer, Dist):
        return answer.to_json()
    if isinstance(answer, Advice):
        return _advice(answer)
    if isinstance(answer, Mapping):
        return _mapping(answer, hint)
    names = field_names(type(answer))
    if names is not None:
        hints = _hints(answer.__class__)
        return {name: written(getattr(answer, name), hints.get(name)) for name in names}
    if isinstance(answer, Iterable):
        parts = tuple(answer)
        return [written(part, of) for part, of in zip(parts, _inner(hint, len(parts)))]
    return to_plain(answer)


def _unit(hint: Any) -> str:
    """What a number of this type counts, where the type says so."""
    notes = getattr(hint, "__metadata__", ())
    return next((note.name for note in notes if isinstance(note, Unit)), "")


def _inner(hint: Any, count: int) -> tuple[Any, ...]:
    """The types of so many parts."""
    inner = [part for part in get_args(hint) if part is not Ellipsis]
    return tuple(inner) if len(inner) == count else (inner[0] if inner else None,) * count


@lru_cache(256)
def _hints(kind: type) -> dict[str, Any]:
    """The types of the fields of an answer."""
    try:
        return get_type_hints(kind, include_extras=True)
    except NameError:
        return {}


def _mapping(answer: Mapping[Any, Any], hint: Any) -> Any:
    key_hint, value_hint = _inner(hint, 2)
    pairs = [(key, written(value, value_hint)) for key, value in answer.items()]
    if all(isinstance(key, str) for key in answer):
        return {str(key): value for key, value in pairs}
    return [{"for": written(key, key_hint), "value": value} for key, value in pairs]


def _advice(advice: Advice) -> dict[str, Any]:
    return {
        "value": written(advice.value),
        "best": written(advice.best),
        "matters": advice.matters,
        "options": [
            {"option": written(one.option), "value": written(one.value)} for one in advice.options
        ],
        "lines": [
            {
                "chance": written(line.chance),
                "by": line.by,
                "situation": _situation(line.situation),
                "choose": written(line.choose),
            }
            for line in advice.lines
        ],
    }


def _situation(situation: Any) -> Any:
    try:
        return written(situation)
    except RollwrightError:
        return str(situation)
