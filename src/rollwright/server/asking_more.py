"""What one more would be worth: each number of a request one up, and what that changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from rollwright.errors import BadField, RollwrightError, TooMuchWork
from rollwright.kit.fields import Field, fields_of
from rollwright.server.asking_asked import Asked, known_odds
from rollwright.server.asking_subjects import of_request
from rollwright.server.asking_words import number, worth

MOST_MORE = 16
OCCASION = frozenset(
    ("rate_of_fire", "crit_threshold", "magazine_size", "nth_check", "checks_before", "attempt")
)
"""Numbers that describe the occasion: nobody asks what one more of them would be worth."""


def one_more(asked: Asked) -> dict[str, Any]:
    """What one more of each number would be worth."""
    if asked.subject.request is None:
        return {"more": []}
    base = asked.measure(asked.odds())
    found = []
    for place, request in _one_more(asked.subject.request, asked.more):
        measured = _measured(asked, request)
        if measured is not None and base is not None and measured["chance"] == base["chance"]:
            found.append(_difference(place, base, measured))
    return {"more": found}


class Place(NamedTuple):
    """A number of a request that can go one up."""

    name: str
    title: str
    now: int
    then: int


def _difference(place: Place, base: Mapping[str, Any], then: Mapping[str, Any]) -> dict[str, Any]:
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


def _measured(asked: Asked, request: Any) -> dict[str, Any] | None:
    try:
        return asked.measure(known_odds(of_request(request), asked.policy, asked.budget))
    except TooMuchWork:
        raise
    except RollwrightError:
        return None


def _one_more(request: Any, wanted: Any) -> Iterator[tuple[Place, Any]]:
    """Every legal request with one number one up, and which number it is."""
    names = _wanted(wanted)
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


def _wanted(wanted: Any) -> frozenset[str] | None:
    if wanted is None or wanted is True:
        return None
    if not isinstance(wanted, list) or not all(isinstance(name, str) for name in wanted):
        raise BadField("more", "these are no names of fields", would_do='["helpers"]')
    return frozenset(wanted)


def _places(request: Any, names: frozenset[str] | None) -> Iterator[tuple[Place, dict[str, Any]]]:
    """The numbers of a request, and of the values in it one level down."""
    for name, about in fields_of(type(request)).items():
        held = getattr(request, name)
        if name == "house":
            continue
        if about.kind == "value" and held is not None:
            for inner, part in fields_of(type(held)).items():
                path = f"{name}.{inner}"
                for now, raised in _raised(part, getattr(held, inner)):
                    if _is_wanted(path, inner, names):
                        place = Place(path, f"{about.title}: {part.title}", now, now + 1)
                        yield place, {name: held.but(**{inner: raised})}
        elif _is_wanted(name, name, names):
            for now, raised in _raised(about, held):
                yield Place(name, about.title, now, now + 1), {name: raised}


def _is_wanted(path: str, name: str, names: frozenset[str] | None) -> bool:
    return name not in OCCASION if names is None else path in names


def _raised(about: Field, held: Any) -> Iterator[tuple[int, Any]]:
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
