"""Checks of what comes for a field, by its kind: the value as the field holds it, or a refusal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from rollwright.errors import BadField, RollwrightError, article, format_number
from rollwright.i18n.messages import Message

if TYPE_CHECKING:
    from rollwright.kit.fields import Field

Check: TypeAlias = "Callable[[Field, object], Any]"
N = TypeVar("N", int, float, Fraction)

LARGEST_FLOAT = 1e15
LONGEST_NUMBER, LONGEST_PLACE, LONGEST_SAID = 40, 60, 60
"""How long a number may be, and how much of a name or a value a refusal repeats."""
AS_ANSWERED = {"exact", "number"}
"""How an answer has a fraction."""


def checked(about: Field, value: object) -> Any:
    """The value as the field holds it, or a refusal."""
    if value is not None:
        return about.check(about, value)
    if about.optional or about.check is accept_any:
        return None
    raise field_error(about, Message("field.needed"))


def field_error(about: Field, problem: Message | str) -> BadField:
    """The refusal of what came for a field."""
    return BadField(about.name, problem, rule=about.rule, would_do=about.fits)


def unfit(about: Field, id: str, came: object) -> BadField:
    """The refusal by a message that says what came."""
    return field_error(
        about, Message(id, {"came": came if type(came) is int else format_value(came)})
    )


def format_value(value: object) -> str:
    """A value for a sentence, cut where it is long."""
    if type(value) is int:
        return format_number(value)
    text = repr(value)
    return text if len(text) <= LONGEST_SAID else f"{text[: LONGEST_SAID - 3]}…"


def no_value(about: Field, came: object) -> BadField:
    """The refusal of what has not the fields of a class."""
    kind = str(about.inner.__name__)
    named = {"came": format_value(came), "kind": kind, "article": article(kind)}
    return field_error(about, Message("field.value", named))


def written_fraction(text: str) -> Fraction | None:
    """A number as people write it: 3, -0.25, 1/3; None for anything else, however it is meant."""
    if len(text) > LONGEST_NUMBER or not set(text) <= set("0123456789+-./ "):
        return None
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


def fraction_of(value: float | str) -> Fraction | None:
    """The number that a text or a float is: of a float, the one that it is written as."""
    if isinstance(value, str):
        return written_fraction(value)
    return Fraction(repr(value)) if isfinite(value) and abs(value) < LARGEST_FLOAT else None


def accept_any(about: Field, value: object) -> object:
    """Whatever came, None too."""
    return value


def _in_range(about: Field, value: N) -> N:
    if about.low is not None and value < about.low:
        raise unfit(about, "field.low", value)
    if about.high is not None and value > about.high:
        raise unfit(about, "field.high", value)
    return value


def _whole(about: Field, value: object) -> int:
    if type(value) is not int:
        raise unfit(about, "field.whole", value)
    return _in_range(about, value)


def _fraction(about: Field, value: object) -> Fraction:
    given = value
    if isinstance(value, dict) and set(value) >= AS_ANSWERED:
        given = value["exact"]
    if isinstance(given, (int, Fraction)) and not isinstance(given, bool):
        return _in_range(about, Fraction(given))
    found = fraction_of(given) if isinstance(given, (float, str)) else None
    if found is None:
        raise unfit(about, "field.number", value)
    return _in_range(about, found)


def _number(about: Field, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise unfit(about, "field.number", value)
    return _in_range(about, value)


def _yes_or_no(about: Field, value: object) -> bool:
    if type(value) is not bool:
        raise unfit(about, "field.truth", value)
    return value


def _text(about: Field, value: object) -> str:
    if not isinstance(value, str):
        raise unfit(about, "field.text", value)
    if about.most is not None and len(value) > about.most:
        sizes = {"n": str(len(value)), "most": str(about.most)}
        raise field_error(about, Message("field.long", sizes))
    return value


def _one_of(about: Field, value: object) -> object:
    if isinstance(value, str) and value in about.choices:
        kind = about.inner
        return kind(value) if isinstance(kind, type) and issubclass(kind, Enum) else value
    raise unfit(about, "field.choice", value)


def check_many(about: Field, parts: Sequence[object]) -> None:
    """Refuse a list with more parts than there may be, before anybody looks at them."""
    if about.most is not None and len(parts) > about.most:
        sizes = {"n": str(len(parts)), "most": str(about.most)}
        raise field_error(about, Message("field.many", sizes))


def _list(about: Field, value: object) -> tuple[object, ...]:
    if isinstance(value, (str, bytes, dict)) or not isinstance(value, Iterable):
        raise unfit(about, "field.list", value)
    parts = tuple(value)
    check_many(about, parts)
    kinds: tuple[Field, ...] = about.more.get("parts") or (about.inner,) * len(parts)
    if len(kinds) != len(parts):
        came = Message("field.came", {"came": str(len(parts))})
        raise BadField(about.name, came, would_do=Message("fits.list.of", {"n": str(len(kinds))}))
    done = []
    for number, (kind, part) in enumerate(zip(kinds, parts, strict=True)):
        try:
            done.append(checked(kind, part))
        except BadField as problem:
            rest = problem.field[len(about.name) :] if problem.field.startswith(about.name) else ""
            raise problem.at(f"{about.name}[{number}]{rest}") from None
    if once := about.more.get("once"):
        _refuse_twice(about, [str(getattr(part, once)) for part in done])
    return tuple(done)


def _refuse_twice(about: Field, names: list[str]) -> None:
    """Refuse a repeated name in a list whose parts need different ones."""
    known = [name.lower() for name in names] if about.more.get("any_case") else names
    for number, name in enumerate(known):
        if name in known[:number]:
            twice = Message("field.twice", {"name": repr(names[number])})
            place, once = f"{about.name}[{number}]", Message("field.once")
            raise BadField(place, twice, rule=about.rule, would_do=once)


def _map(about: Field, value: object) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise unfit(about, "field.came", value)
    if about.inner.check is accept_any:
        return {str(name): part for name, part in value.items()}
    done = {}
    for name, part in value.items():
        place = f"{about.name}.{name}"[:LONGEST_PLACE]
        done[str(name)] = checked(about.inner._replace(name=place), part)
    return done


def _check_transcript(about: Field, value: object) -> object:
    """Return a value that reads itself from plain data, such as a roll in progress."""
    if isinstance(value, about.inner):
        return value
    if not isinstance(value, dict):
        raise no_value(about, value)
    try:
        return about.inner.from_plain(value)
    except RollwrightError as problem:
        raise field_error(about, problem.wording) from None


def any_of(about: Field, value: object) -> object:
    """Return the value as the first of several kinds that it fits, or report the deepest error."""
    inside = []
    for part in about.inner:
        try:
            return part.check(part, value)
        except BadField as problem:
            if problem.field != about.name:
                inside.append(problem)
    raise inside[0] if inside else unfit(about, "field.misfit", value)


CHECKS: dict[str, Check] = {
    "int": _whole,
    "number": _number,
    "bool": _yes_or_no,
    "text": _text,
    "fraction": _fraction,
    "choice": _one_of,
    "list": _list,
    "map": _map,
    "stored": _check_transcript,
}
"""By the kind of field."""
