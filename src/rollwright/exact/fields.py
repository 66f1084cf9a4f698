"""Fields of structured outcomes: named tuples, dataclasses, plain tuples, any object."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter, itemgetter

from rollwright.dice import Outcome
from rollwright.errors import BadDist


def field_names(outcome: object) -> tuple[str, ...]:
    """The names of an outcome's fields, if it has any."""
    names: Iterable[object] = ()
    for holder in ("_fields", "__dataclass_fields__", "__slots__", "__dict__"):
        names = names or getattr(outcome, holder, ())
    return tuple([name for name in names if isinstance(name, str) and name[:1] != "_"])


def chooser(example: object, names: tuple[str | int, ...]) -> Callable[[Outcome], Outcome]:
    """A function that picks these fields from outcomes like the example."""
    if not names:
        raise BadDist("of() needs at least one field, such as of('hit')")
    for name in names:
        _check(example, name)
    if len(names) == 1:
        return attrgetter(names[0]) if isinstance(names[0], str) else itemgetter(names[0])
    picks = [attrgetter(n) if isinstance(n, str) else itemgetter(n) for n in names]
    if all(isinstance(name, str) for name in names):
        return attrgetter(*[str(name) for name in names])
    if not any(isinstance(name, str) for name in names):
        return itemgetter(*names)
    return lambda outcome: tuple([pick(outcome) for pick in picks])


def marginal(
    weights: dict[Outcome, int], chosen: Callable[[Outcome], Outcome]
) -> dict[Outcome, int]:
    """The weights of what is chosen from each outcome."""
    made: dict[Outcome, int] = {}
    seen = made.get
    try:
        for outcome, weight in weights.items():
            part = chosen(outcome)
            made[part] = seen(part, 0) + weight
    except (AttributeError, IndexError, TypeError) as problem:
        raise BadDist(f"the outcome {outcome!r} lacks a field that others have") from problem
    return made


def _check(example: object, name: str | int) -> None:
    if isinstance(name, str):
        if not hasattr(example, name):
            raise BadDist(_no_field(example, name))
    elif not isinstance(example, tuple) or not -len(example) <= name < len(example):
        size = (
            f"has the places 0 to {len(example) - 1}"
            if isinstance(example, tuple)
            else "is no tuple"
        )
        raise BadDist(f"there is no place {name} in {example!r}, which {size}")


def _no_field(example: object, name: str) -> str:
    from difflib import get_close_matches

    names = field_names(example)
    if not names:
        return f"outcomes such as {example!r} have no fields, so there is no {name!r}"
    near = get_close_matches(name, names, 1)
    guess = f"; did you mean {near[0]!r}?" if near else ""
    return f"there is no field {name!r}; the fields are {', '.join(names)}{guess}"
