"""The common parts of sheets: things with names, changes by effects, requests filled in from them.

A game lists its changes as data, one line a kind of effect:

    apply = applying({
        "luck": mine(adds("luck", low=0, high=5)),
        "rounds": on_thing("weapons", adds("rounds", low=0)),
    }, people=("harm",))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, TypeVar

from rollwright.errors import BadField, UnknownName, article, with_likeliest
from rollwright.i18n.messages import msg
from rollwright.kit.fields import Value
from rollwright.kit.games import Effect
from rollwright.kit.requests import Request


class Named(Protocol):
    """Anything with a name."""

    @property
    def name(self) -> str:
        """The name."""


N = TypeVar("N", bound=Named)
V = TypeVar("V", bound=Value)
S = TypeVar("S", bound=Value)
LONGEST_TOLD, MOST_TOLD = 40, 20
"""How much of a name, and how many names, a refusal repeats."""
Change = Callable[[S, Effect], S]
"""A function that changes a sheet, or a thing on it, by an effect."""


def named(
    kind: str,
    name: str,
    things: Iterable[N],
    *,
    field: str = "",
    rule: str = "",
    known_as: Callable[[str], str] | None = None,
) -> N:
    """Return the thing of that name, or refuse with a guess at which was meant.

    With `field` the refusal names the place of the name. With the `known_as` of a game's words a
    name is found in any language.
    """
    listed = tuple(things)
    for thing in listed:
        if thing.name == name:
            return thing
    for thing in listed if known_as and isinstance(name, str) else ():
        if known_as and known_as(thing.name) == known_as(name):
            return thing
    known = [thing.name for thing in listed]
    if not field:
        raise UnknownName(kind, name, known)
    short = str(name)[:LONGEST_TOLD]
    problem = with_likeliest(msg("unknown.name", name=repr(short)), short, sorted(known))
    would_do = ", ".join(sorted(known)[:MOST_TOLD]) or msg("unknown.on_sheet")
    raise BadField(field, problem, rule=rule, would_do=would_do)


def with_thing(sheet: S, where: str, name: str, **changes: object) -> S:
    """Return the sheet with the things of that name changed, in their list."""
    things: tuple[Any, ...] = getattr(sheet, where)
    changed = tuple(t.but(**changes) if t.name == name else t for t in things)
    return sheet.but(**{where: changed})


def happening(*effects: Effect) -> tuple[Effect, ...]:
    """The effects that change something: those with an amount."""
    return tuple(effect for effect in effects if effect.amount)


def applying(changes: Mapping[str, Change[Any]], *, people: tuple[str, ...] = ()) -> Change[Any]:
    """The `apply` of a game: what each kind of effect does to a sheet; others are refused.

    The kinds in `people` are acted on by the table: the sheet stays as it is.
    """

    def apply(sheet: Any, effect: Effect) -> Any:
        if effect.kind in people:
            return sheet
        change = changes.get(effect.kind)
        if change is None:
            raise UnknownName("effect", effect.kind, [*changes, *people])
        return change(sheet, effect)

    return apply


def adds(field: str, *, low: int | None = None, high: int | None = None) -> Change[Any]:
    """The amount is added to a field; what goes beyond `low` or `high` is cut off."""

    def change(value: V, effect: Effect) -> V:
        return value.but(**{field: clamped(getattr(value, field) + effect.amount, low, high)})

    return change


def clamped(number: int, low: int | None = None, high: int | None = None) -> int:
    """A number, cut where it goes beyond its limits."""
    if low is not None and number < low:
        return low
    return high if high is not None and number > high else number


def sets(**fields: object) -> Change[Any]:
    """Fields are set, whatever the amount."""
    return lambda value, effect: value.but(**fields)


def appends(field: str) -> Change[Any]:
    """The amount is put at the end of a list."""
    return lambda value, effect: value.but(**{field: (*getattr(value, field), effect.amount)})


def mine(change: Change[Any]) -> Change[Any]:
    """Return a change only of the target's own sheet; it leaves somebody else's as it is."""
    return lambda sheet, effect: (
        change(sheet, effect) if effect.target in ("", sheet.name) else sheet
    )


def on_thing(where: str, change: Change[Any], *, rule: str = "") -> Change[Any]:
    """The effect's target names a thing in a list of the sheet, and that is changed."""

    def change_item(sheet: V, effect: Effect) -> V:
        things: tuple[Any, ...] = getattr(sheet, where)
        thing = named("", effect.target, things, field=where, rule=rule)
        after = change(thing, effect)
        return sheet.but(**{where: tuple(after if one is thing else one for one in things)})

    return change_item


Fields = dict[str, Any]
"""Fields of a request by name as they were given, before anybody has checked them."""
Filler = Callable[[Any, Fields], Request]
"""Makes a request of a sheet and what was given beside it."""


def filling(fillers: Mapping[str, Filler]) -> Callable[..., Request]:
    """The `from_sheet` of a game: how each kind of roll is filled in; the first is the usual."""
    usual = next(iter(fillers))

    def from_sheet(sheet: Value, roll: str = usual, **fields: object) -> Request:
        fill = fillers.get(roll)
        if fill is None:
            raise UnknownName("roll", roll, fillers)
        return fill(sheet, fields)

    return from_sheet


def with_others(where: str, me: V, others: object) -> tuple[object, ...]:
    """Return the sheet's owner, before the others who were given."""
    if not isinstance(others, list | tuple):
        raise BadField(where, msg("refused.parts.no_list"), would_do=msg("refused.parts.others"))
    return (me, *others)


def filled_parts(
    fields: Mapping[str, object],
    where: str,
    kind: type[V],
    fill: Callable[[Fields], V],
    rule: str = "",
) -> list[V]:
    """The parts in a list that was given, each filled in from a sheet; finished ones stay.

    Refusals name the part: `rolls[2].skill`.
    """
    parts, part = fields.get(where, ()), where.removesuffix("s")
    if not isinstance(parts, list | tuple):
        would_do = msg("refused.parts.list", of=where)
        raise BadField(where, msg("refused.parts.no_list"), rule=rule, would_do=would_do)
    found = []
    for number, given in enumerate(parts):
        place = f"{where}[{number}]"
        if isinstance(given, kind):
            found.append(given)
            continue
        if not isinstance(given, dict):
            would_do = msg("refused.parts.fields", article=article(part), part=part)
            raise BadField(
                place, msg("refused.parts.none", part=part), rule=rule, would_do=would_do
            )
        try:
            found.append(fill(dict(given)))
        except BadField as problem:
            raise problem.inside(place) from None
    return found
