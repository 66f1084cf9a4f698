"""What one more would be worth: each number of a request one up, and what that changes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.ask.goals import Measure
from rollwright.ask.numbers import number, worth
from rollwright.ask.odds import known_odds
from rollwright.ask.subjects import Subject, of_request
from rollwright.errors import BadField, RollwrightError, TooMuchWork
from rollwright.kit.fields import Field, fields_of

if TYPE_CHECKING:
    from rollwright.budget import Budget
    from rollwright.kit.requests import Request

MOST_MORE = 16
OCCASION = frozenset(
    ("rate_of_fire", "crit_threshold", "magazine_size", "nth_check", "checks_before", "attempt")
)
"""Numbers that describe the occasion: nobody asks what one more of them would be worth."""


class Increment(NamedTuple):
    """A number of a request that goes one up."""

    name: str
    title: str
    now: int
    then: int


def one_more(
    subject: Subject,
    measure: Measure,
    policy: str,
    budget: Budget | None,
    names: Collection[str] | None = None,
) -> list[dict[str, Any]]:
    """What one more of each number would be worth; of those named, if some are."""
    if subject.request is None:
        return []
    base = measure.worth_of(known_odds(subject, policy, budget))
    found = []
    for place, request in raised(subject.request, names):
        then = _measured(of_request(request), measure, policy, budget)
        if then is not None and then["chance"] == base["chance"]:
            found.append(_difference(place, base, then))
    return found


def _measured(
    subject: Subject, measure: Measure, policy: str, budget: Budget | None
) -> dict[str, Any] | None:
    try:
        return measure.worth_of(known_odds(subject, policy, budget))
    except TooMuchWork:
        raise
    except RollwrightError:
        return None


def _difference(
    place: Increment, base: Mapping[str, Any], then: Mapping[str, Any]
) -> dict[str, Any]:
    change = Fraction(then["exact"]) - Fraction(base["exact"])
    said = worth(abs(change), chance=bool(base["chance"]))["said"]
    sign = "+" if change > 0 else "−" if change < 0 else "±"
    return {
        "field": place.name,
        "title": place.title,
        "from": place.now,
        "to": place.then,
        "value": dict(then),
        "change": number(change),
        "said": f"{sign}{said}",
    }


def raised(
    request: Request, names: Collection[str] | None = None
) -> Iterator[tuple[Increment, Request]]:
    """Every legal request with one number one up, and which number it is."""
    made = 0
    for place, changes in _places(request, names):
        try:
            more = request.but(**changes)
        except BadField:
            continue
        if made == MOST_MORE:
            return
        made += 1
        yield place, more


def _places(
    request: Request, names: Collection[str] | None
) -> Iterator[tuple[Increment, dict[str, Any]]]:
    """The numbers of a request, and of the values in it one level down."""
    for name, about in fields_of(type(request)).items():
        held = getattr(request, name)
        if name == "house":
            continue
        if about.kind == "value" and held is not None:
            for inner, part in fields_of(type(held)).items():
                path = f"{name}.{inner}"
                for now, then in _one_up(part, getattr(held, inner)):
                    if _is_wanted(path, inner, names):
                        place = Increment(path, f"{about.title}: {part.title}", now, now + 1)
                        yield place, {name: held.but(**{inner: then})}
        elif _is_wanted(name, name, names):
            for now, then in _one_up(about, held):
                yield Increment(name, about.title, now, now + 1), {name: then}


def _is_wanted(path: str, name: str, names: Collection[str] | None) -> bool:
    return name not in OCCASION if names is None else path in names


def _one_up(about: Field, held: Any) -> Iterator[tuple[int, Any]]:
    """The number now and the field's value with it one up; nothing where it is no number."""
    if type(held) is int and about.kind in ("int", "any"):
        if about.high is None or held < about.high:
            yield held, held + 1
    elif about.kind == "list" and about.inner.kind == "int":
        if not held:
            yield 0, (1,)
        elif about.high is None or max(held) < about.high:
            top = max(held)
            place = held.index(top)
            yield top, (*held[:place], top + 1, *held[place + 1 :])
