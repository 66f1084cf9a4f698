"""Frozen values whose fields are checked when they are made, so that illegal ones cannot exist.

One description of a field serves the library, the command line, the JSON schema and the web form.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import reduce
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    Self,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from rollwright.errors import BadField, RollwrightError, number_said, or_meant
from rollwright.words.messages import Message, row_of

V = TypeVar("V")
REQUIRED: Any = dataclasses.MISSING
MISSING = Message("field.missing")
NOT_GIVEN: Any = type("NotGiven", (), {"__repr__": lambda self: "NOT_GIVEN"})()
"""The default of a field for which None says something too."""


def field(
    default: Any = REQUIRED,
    *,
    help: str,
    low: int | None = None,
    high: int | str | None = None,
    rule: str = "",
    title: str = "",
    most: int | str | None = None,
    secret: bool = False,
    **more: Any,
) -> Any:
    """A field with its help text, its range and the rule behind it.

    `most` bounds the length of a tuple or a text. A name as `high` or `most` stands for one of
    the `bounds` of the class. `once="name"` refuses parts of a list that have the same name, with
    `any_case=True` also where only capitals differ. What is `secret` is never shown. Further
    keywords are kept as `Field.more`.
    """
    about = {
        "help": help,
        "low": low,
        "high": high,
        "rule": rule,
        "title": title,
        "most": most,
        "secret": secret,
        "more": more,
    }
    return dataclasses.field(default=default, metadata=about, repr=not secret)


class Kind(NamedTuple):
    """A kind of field beside the usual ones: the type of a field is `Annotated[str, Kind(…)]`."""

    name: str
    check: Callable[[Field, Any], Any]
    """Gives the value as the field holds it, or refuses it."""
    schema: Callable[[Field], dict[str, Any]]
    """The JSON Schema of what may come."""
    would_do: Message | str


class Choices(NamedTuple):
    """Some words, one of which a field holds: its type is `Annotated[str, Choices(WORDS)]`."""

    words: tuple[str, ...]


def preset(
    default: Any,
    help: str,
    low: int | None = None,
    high: int | None = None,
    rule: str = "",
    **about: Any,
) -> Any:
    """A field that may be left out: its default, its help text, its range, the rule behind it.

    >>> class Task(Value):
    ...     target: int = field(help="successes wanted", low=1, high=40)
    ...     turns: int = preset(0, "turns taken", 0, 120, "DUST R15")
    >>> Task(target=3)
    Task(target=3, turns=0)
    """
    return field(default=default, help=help, low=low, high=high, rule=rule, **about)


class Field(NamedTuple):
    """All there is to know about a field."""

    name: str
    title: str
    help: str
    kind: str
    """int, number, bool, text, fraction, choice, list, map, value, the name of a Kind; or any."""
    optional: bool
    """Whether None is allowed."""
    default: Any
    """The default, or REQUIRED."""
    low: int | None
    high: int | None
    most: int | None
    choices: tuple[str, ...]
    rule: str
    inner: Any
    """Of a list or a map the Field of its parts; of a value its class; of any its parts; a Kind."""
    more: dict[str, Any]
    secret: bool
    check: Callable[[Field, Any], Any]
    """How what comes is checked, but for None."""

    @property
    def is_required(self) -> bool:
        """Whether a value has to be given."""
        return self.default is REQUIRED

    @property
    def would_do(self) -> str:
        """What the field accepts, in English words."""
        return str(self.fits)

    @property
    def fits(self) -> Message | str:
        """What the field accepts, as it is said in any language."""
        if isinstance(self.inner, Kind):
            return self.inner.would_do
        if self.choices:
            return Message("fits.choice", {"words": row_of(map(str, self.choices))})
        if self.kind == "bool":
            return Message("fits.bool")
        if self.kind in ("int", "number", "fraction"):
            return self._numbers
        if self.kind == "list":
            parts: dict[str, Message | str] = {"parts": self.inner.fits or self.inner.kind}
            if self.most is None:
                return Message("fits.list", parts)
            return Message("fits.list.most", {**parts, "most": str(self.most)})
        if self.kind == "map":
            return Message("fits.map", {"parts": self.inner.fits or self.inner.kind})
        if self.kind == "value":
            return Message("fits.fields", {"names": row_of(list(fields_of(self.inner))[:4])})
        if self.kind == "any" and self.inner:
            words: list[Message | str] = [part.fits for part in self.inner]
            return reduce(lambda one, other: Message("fits.or", {"a": one, "b": other}), words)
        return Message("fits.text") if self.kind == "text" else ""

    @property
    def _numbers(self) -> Message:
        """Which numbers the field accepts; as they are typed, so without signs between digits."""
        number = Message("fits.whole" if self.kind == "int" else "fits.number")
        low, high = str(self.low), str(self.high)
        if self.low is not None and self.high is not None:
            return Message("fits.range", {"low": low, "high": high})
        if self.low is not None:
            return Message("fits.least", {"number": number, "low": low})
        return (
            Message("fits.most", {"number": number, "high": high})
            if self.high is not None
            else number
        )


_KINDS: dict[Any, str] = {
    int: "int",
    float: "number",
    bool: "bool",
    str: "text",
    Fraction: "fraction",
}
_known_fields: dict[type, dict[str, Field]] = {}


def fields_of(kind: type) -> dict[str, Field]:
    """The fields of a value class, by name, in order."""
    known = _known_fields.get(kind)
    if known is None:
        known = _known_fields[kind] = fields_within(kind, getattr(kind, "bounds", None))
    return known


def fields_within(kind: type, bounds: object) -> dict[str, Field]:
    """The same fields with the bounds of somebody's own."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        f.name: _described(f.name, hints[f.name], f.default, _bounded(f.metadata, bounds))
        for f in dataclasses.fields(kind)
    }


def _bounded(about: Mapping[str, Any], bounds: object) -> dict[str, Any]:
    named = {name: about[name] for name in ("high", "most") if isinstance(about.get(name), str)}
    return {**about, **{name: getattr(bounds, bound) for name, bound in named.items()}}


def _described(name: str, hint: Any, default: Any, about: dict[str, Any]) -> Field:
    optional = False
    if get_origin(hint) in (Union, types.UnionType):
        kinds = [part for part in get_args(hint) if part is not type(None)]
        optional = len(kinds) < len(get_args(hint))
        hint = kinds[0] if len(kinds) == 1 else tuple(kinds)
    choices: tuple[str, ...] = ()
    inner: Any = None
    if isinstance(hint, tuple):
        kind = "any"
        inner = tuple(_described(name, part, REQUIRED, about) for part in hint)
    elif get_origin(hint) is Annotated:
        inner = hint.__metadata__[0]
        kind = "choice" if isinstance(inner, Choices) else inner.name
        choices = inner.words if isinstance(inner, Choices) else ()
    elif get_origin(hint) is Literal:
        kind, choices = "choice", tuple(get_args(hint))
    elif get_origin(hint) is tuple:
        kind = "list"
        bare = {**about, "most": None}
        inner = _described(name, get_args(hint)[0], REQUIRED, bare)
    elif get_origin(hint) is dict:
        kind, inner = "map", _described(name, get_args(hint)[1], REQUIRED, {**about, "most": None})
    elif isinstance(hint, type) and issubclass(hint, Value):
        kind, inner = "value", hint
    else:
        kind = _KINDS.get(hint, "any")
    return Field(
        name=name,
        title=about.get("title") or name.replace("_", " "),
        help=about.get("help", ""),
        kind=kind,
        optional=optional,
        default=default,
        low=about.get("low"),
        high=about.get("high"),
        most=about.get("most"),
        choices=choices,
        rule=about.get("rule", ""),
        inner=inner,
        more=about.get("more") or {},
        secret=about.get("secret", False),
        check=inner.check if isinstance(inner, Kind) else _checks.get(kind, _unchecked),
    )


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
class Value:
    """A frozen value with checked fields: subclass it and list fields with `field(...)`.

    Override `check` for what no single field can say; raise BadField there.
    """

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        dataclasses.dataclass(frozen=True, kw_only=True)(cls)
        cls.__hash__ = _remembered(cls.__hash__)  # type: ignore[assignment, method-assign]

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the remembered hash, which means nothing in another process."""
        return {name: held for name, held in self.__dict__.items() if name != "_hash"}

    def __post_init__(self) -> None:
        for name, described in fields_of(type(self)).items():
            object.__setattr__(self, name, checked(described, getattr(self, name)))
        self.check()

    @classmethod
    def from_plain(cls, plain: Mapping[Any, Any]) -> Self:
        """A value from a mapping of its fields."""
        return made(cls, plain)

    def check(self) -> None:
        """Refuse what no single field can say; the book's rules across fields go here."""

    def settle(self, **fields: Any) -> None:
        """Keep fields in the one form the rules know; only `check` does so, while it is made."""
        for name, held in fields.items():
            object.__setattr__(self, name, held)

    def but(self, /, **changes: Any) -> Self:
        """The same value with some fields changed, checked again."""
        unknown = set(changes) - set(fields_of(type(self)))
        if unknown:
            raise unknown_field(type(self), sorted(unknown)[0])
        changed: Self = dataclasses.replace(self, **changes)  # type: ignore[type-var]
        return changed


def _remembered(hashed: Callable[[Any], int]) -> Callable[[Any], int]:
    """A hash that is computed once: rules compare requests often."""

    def remembered(self: Any) -> int:
        known: int | None = self.__dict__.get("_hash")
        if known is None:
            known = self.__dict__["_hash"] = hashed(self)
        return known

    return remembered


def unknown_field(kind: type, name: str) -> BadField:
    """The refusal of a field that a value does not have."""
    unknown = or_meant(Message("field.unknown"), name, sorted(fields_of(kind)))
    return BadField(name, unknown)


def shared_fields(value: Value, kind: type[Value]) -> dict[str, Any]:
    """What a value holds of the fields of a class that it shares them with."""
    return {name: getattr(value, name) for name in fields_of(kind)}


def refuse_above(
    field: str,
    number: int,
    most: int | None,
    problem: Message | str,
    rule: str = "",
    *,
    low: int = 0,
) -> None:
    """Refuse a number beyond a limit that other fields set; None sets none.

    >>> refuse_above("rounds", 31, 30, "31 do not fit", "T2K R34")
    Traceback (most recent call last):
        ...
    rollwright.errors.BadField: rounds: 31 do not fit (T2K R34); 0 to 30 would do
    """
    if most is not None and number > most:
        whole = Message("fits.range", {"low": str(low), "high": str(most)})
        raise BadField(field, problem, rule=rule, would_do=whole if most > low else str(low))


def refuse_if(
    when: object,
    field: str,
    problem: Message | str,
    rule: str = "",
    would_do: Message | str = "",
) -> None:
    """Refuse what no single field can say, in one breath.

    >>> refuse_if(True, "limit", "it never ends", "DUST R15", "a number of turns")
    Traceback (most recent call last):
        ...
    rollwright.errors.BadField: limit: it never ends (DUST R15); a number of turns would do
    """
    if when:
        raise BadField(field, problem, rule=rule, would_do=would_do)


def checked(about: Field, value: Any) -> Any:
    """The value as the field holds it, or a refusal."""
    if value is None:
        if about.optional:
            return None
        raise refused(about, Message("field.needed"))
    return about.check(about, value)


def refused(about: Field, problem: Message | str) -> BadField:
    """The refusal of what came for a field."""
    return BadField(about.name, problem, rule=about.rule, would_do=about.fits)


def unfit(about: Field, id: str, came: Any) -> BadField:
    """The refusal by a message that says what came."""
    quoted = came if type(came) is int else said(came)
    return refused(about, Message(id, {"came": quoted}))


def _unchecked(about: Field, value: Any) -> Any:
    return value


def _in_range(about: Field, value: Any) -> Any:
    if about.low is not None and value < about.low:
        raise unfit(about, "field.low", value)
    if about.high is not None and value > about.high:
        raise unfit(about, "field.high", value)
    return value


def _whole(about: Field, value: Any) -> int:
    if type(value) is not int:
        raise unfit(about, "field.whole", value)
    return _in_range(about, value)  # type: ignore[no-any-return]


def _fraction(about: Field, value: Any) -> Fraction:
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return _in_range(about, Fraction(value))  # type: ignore[no-any-return]
    if isinstance(value, (float, str)):
        number = written_fraction(str(value))
        if number is not None:
            return _in_range(about, number)  # type: ignore[no-any-return]
    raise unfit(about, "field.number", value)


LONGEST_NUMBER = 40
LONGEST_PLACE = 60


def written_fraction(text: str) -> Fraction | None:
    """A number as people write it: 3, -0.25, 1/3; None for anything else, however it is meant."""
    if len(text) > LONGEST_NUMBER or not set(text) <= set("0123456789+-./ "):
        return None
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


def said(value: Any) -> str:
    """A value for a sentence, cut where it is long."""
    if type(value) is int:
        return number_said(value)
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _number(about: Field, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise unfit(about, "field.number", value)
    return _in_range(about, value)  # type: ignore[no-any-return]


def _yes_or_no(about: Field, value: Any) -> bool:
    if type(value) is not bool:
        raise unfit(about, "field.truth", value)
    return value


def _text(about: Field, value: Any) -> str:
    if not isinstance(value, str):
        raise unfit(about, "field.text", value)
    if about.most is not None and len(value) > about.most:
        sizes = {"n": str(len(value)), "most": str(about.most)}
        raise refused(about, Message("field.long", sizes))
    return value


def _one_of(about: Field, value: Any) -> Any:
    if not isinstance(value, str) or value not in about.choices:
        raise unfit(about, "field.choice", value)
    return value


def _list(about: Field, value: Any) -> tuple[Any, ...]:
    if isinstance(value, (str, bytes, dict)) or not isinstance(value, Iterable):
        raise unfit(about, "field.list", value)
    parts = tuple(value)
    if about.most is not None and len(parts) > about.most:
        sizes = {"n": str(len(parts)), "most": str(about.most)}
        raise refused(about, Message("field.many", sizes))
    done = []
    for number, part in enumerate(parts):
        try:
            done.append(checked(about.inner, part))
        except BadField as problem:
            rest = problem.field[len(about.name) :] if problem.field.startswith(about.name) else ""
            raise problem.at(f"{about.name}[{number}]{rest}") from None
    if once := about.more.get("once"):
        _refuse_twice(about, [str(getattr(part, once)) for part in done])
    return tuple(done)


def _refuse_twice(about: Field, names: list[str]) -> None:
    """Refuse a name that stands twice where names tell things apart."""
    known = [name.lower() for name in names] if about.more.get("any_case") else names
    for number, name in enumerate(known):
        if name in known[:number]:
            twice = Message("field.twice", {"name": repr(names[number])})
            place, once = f"{about.name}[{number}]", Message("field.once")
            raise BadField(place, twice, rule=about.rule, would_do=once)


def _map(about: Field, value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise unfit(about, "field.came", value)
    if about.inner.kind == "any" and about.inner.optional:  # whatever it is
        return {str(name): part for name, part in value.items()}
    done = {}
    for name, part in value.items():
        place = f"{about.name}.{name}"[:LONGEST_PLACE]
        done[str(name)] = checked(about.inner._replace(name=place), part)
    return done


def _nested(about: Field, value: Any) -> Any:
    if isinstance(value, about.inner):
        return value
    if isinstance(value, dict):
        try:
            return about.inner.from_plain(value)
        except BadField as problem:
            raise problem.inside(about.name) from None
    values = {"came": said(value), "kind": about.inner.__name__}
    raise refused(about, Message("field.value", values))


def made(kind: type[V], plain: Mapping[Any, Any], where: str = "") -> V:
    """A value of a class from a mapping of its fields."""
    try:
        for name in plain:
            if name not in fields_of(kind):
                raise unknown_field(kind, str(name))
        for name, about in fields_of(kind).items():
            if about.is_required and name not in plain:
                raise refused(about, MISSING)
        return kind(**plain)
    except BadField as problem:
        raise (problem.inside(where) if where else problem) from None
    except RollwrightError:
        raise


_checks: dict[str, Callable[[Field, Any], Any]] = {
    "int": _whole,
    "number": _number,
    "bool": _yes_or_no,
    "text": _text,
    "fraction": _fraction,
    "choice": _one_of,
    "list": _list,
    "map": _map,
    "value": _nested,
}
