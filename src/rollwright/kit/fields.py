"""Frozen values whose fields are checked when they are made, so that illegal ones cannot exist.

One description of a field serves the library, the command line, the JSON schema and the web form.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    NotRequired,
    Self,
    TypeAlias,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from rollwright.errors import BadField, with_likeliest
from rollwright.i18n.messages import Message, row_of
from rollwright.kit.checks import CHECKS, Check, accept_any, any_of, checked, field_error, no_value

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
    **more: object,
) -> Any:
    """A field with its help text, its range and the rule behind it.

    `most` bounds the length of a tuple or a text. A name as `high` or `most` is one of the `bounds`
    of the class. `once="name"` refuses parts of a list that have the same name, with
    `any_case=True` also if only capitals differ. A `secret` field is never shown. `would_do` says
    what fits if the type says too little. A text that is a `person` names somebody: a table takes
    the person of that name. One that is `known` names something that the game may have words for
    (`name.Stealth`): it is kept by that name, and everybody reads it in their own language. Further
    keywords are kept as `Field.more`.
    """
    told = FieldOptions(help, low, high, rule, title, most, secret, more)
    return dataclasses.field(default=default, metadata={TOLD: told}, repr=not secret)


TOLD = "told"


class FieldOptions(NamedTuple):
    """A field's properties beside its type."""

    help: str = ""
    low: int | None = None
    high: int | str | None = None
    rule: str = ""
    title: str = ""
    most: int | str | None = None
    secret: bool = False
    more: Mapping[str, object] = types.MappingProxyType({})


Schema: TypeAlias = dict[str, Any]
"""A JSON Schema, or a part of one."""


class Kind(NamedTuple):
    """A kind of field beside the usual ones: the type of a field is `Annotated[str, Kind(…)]`."""

    name: str
    check: Check
    """Gives the value as the field holds it, or refuses it."""
    schema: Callable[[Field], Schema]
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
    """int, number, bool, text, fraction, choice, list, map, value, stored, the name of a Kind; or
    any."""
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
    """The Field of the parts of a list or a map; the class of a value; the parts of any; a Kind."""
    more: Mapping[str, Any]
    secret: bool
    check: Check
    """How what comes is checked, but for None."""

    @property
    def is_required(self) -> bool:
        """Whether a value has to be given."""
        return self.default is REQUIRED

    @property
    def would_do(self) -> str:
        """The accepted values, in English words."""
        return str(self.fits)

    @property
    def fits(self) -> Message | str:
        """The accepted values, as a message in any language."""
        if own := self.more.get("would_do"):
            return own if isinstance(own, Message) else str(own)
        if isinstance(self.inner, Kind):
            return self.inner.would_do
        if self.choices:
            return Message("fits.choice", {"words": row_of(map(str, self.choices))})
        say = _FITS.get(self.kind)
        return "" if say is None else say(self)


def range_of(low: int, high: int) -> Message:
    """Numbers from one to another, as they are typed: without signs between digits."""
    return Message("fits.range", {"low": str(low), "high": str(high)})


def _number_fits(about: Field) -> Message:
    number = Message("fits.whole" if about.kind == "int" else "fits.number")
    if about.low is not None and about.high is not None:
        return range_of(about.low, about.high)
    if about.low is not None:
        return Message("fits.least", {"number": number, "low": str(about.low)})
    if about.high is not None:
        return Message("fits.most", {"number": number, "high": str(about.high)})
    return number


def _list_fits(about: Field) -> Message:
    if about.most is None:
        return Message("fits.list", {"parts": _parts_fit(about)})
    return Message("fits.list.most", {"parts": _parts_fit(about), "most": str(about.most)})


def _parts_fit(about: Field) -> Message | str:
    part: Field = about.inner
    return part.fits or part.kind


def _any_fits(about: Field) -> Message | str:
    ways = list(dict.fromkeys(part.fits for part in about.inner or ()))
    last: Message | str = ways[0] if ways else ""
    for way in ways[1:]:
        last = Message("fits.or", {"a": last, "b": way})
    return last


_FITS: dict[str, Callable[[Field], Message | str]] = {
    "bool": lambda about: Message("fits.bool"),
    "text": lambda about: Message("fits.text"),
    "int": _number_fits,
    "number": _number_fits,
    "fraction": _number_fits,
    "list": _list_fits,
    "map": lambda about: Message("fits.map", {"parts": _parts_fit(about)}),
    "value": lambda about: Message("fits.fields", {"names": row_of([*fields_of(about.inner)][:4])}),
    "stored": lambda about: Message("fits.stored", {"kind": about.inner.__name__.lower()}),
    "any": _any_fits,
}

_KINDS: dict[object, str] = {
    int: "int",
    float: "number",
    bool: "bool",
    str: "text",
    Fraction: "fraction",
}
_LISTS = (tuple, list, Iterable, Sequence)
_MAPS = (dict, Mapping)
_PLAIN = {"Json": object}
"""Types that contain themselves cannot be read at run time: any JSON fits there."""
_JSON = bool | int | float | str | list[object] | dict[str, object] | None
_known_fields: dict[type, dict[str, Field]] = {}


def fields_of(kind: type) -> dict[str, Field]:
    """The fields of a value class, by name, in order; of a NamedTuple and a TypedDict too."""
    known = _known_fields.get(kind)
    if known is None:
        known = _known_fields[kind] = fields_within(kind, getattr(kind, "bounds", None))
    return known


def fields_within(kind: type, bounds: object) -> dict[str, Field]:
    """The same fields with the bounds of somebody's own."""
    hints = types_in(kind)
    if dataclasses.is_dataclass(kind):
        return {
            f.name: field_of(f.name, hints[f.name], f.default, f.metadata.get(TOLD), bounds)
            for f in dataclasses.fields(kind)
        }
    if is_typeddict(kind):
        optional: frozenset[str] = getattr(kind, "__optional_keys__", frozenset())
        return {name: _entry(name, hint, name in optional) for name, hint in hints.items()}
    defaults: Mapping[str, object] = getattr(kind, "_field_defaults", {})
    return {
        name: field_of(name, hint, defaults.get(name, REQUIRED)) for name, hint in hints.items()
    }


def _entry(name: str, hint: Any, optional: bool) -> Field:
    """Return the field of a TypedDict's entry."""
    if get_origin(hint) is NotRequired:
        return field_of(name, get_args(hint)[0], NOT_GIVEN)
    return field_of(name, hint, NOT_GIVEN if optional else REQUIRED)


def types_in(kind: Callable[..., object]) -> dict[str, Any]:
    """The types that a class or a function names."""
    return get_type_hints(kind, localns=_PLAIN, include_extras=True)


class Shape(NamedTuple):
    """A type's description of a field."""

    kind: str
    inner: Any = None
    choices: tuple[str, ...] = ()
    optional: bool = False
    help: str = ""
    parts: tuple[Field, ...] = ()
    """The parts of a list of a certain length."""


def field_of(
    name: str,
    hint: Any,
    default: Any = REQUIRED,
    told: FieldOptions | None = None,
    bounds: object = None,
) -> Field:
    """The field of that name and type."""
    told = told or FieldOptions()
    high = getattr(bounds, told.high) if isinstance(told.high, str) else told.high
    most = getattr(bounds, told.most) if isinstance(told.most, str) else told.most
    shape = _shape(name, hint, told._replace(high=high, most=most))
    return Field(
        name=name,
        title=told.title or name.replace("_", " "),
        help=told.help or shape.help,
        kind=shape.kind,
        optional=shape.optional,
        default=default,
        low=told.low,
        high=high,
        most=most,
        choices=shape.choices,
        rule=told.rule,
        inner=shape.inner,
        more={**told.more, "parts": shape.parts} if shape.parts else told.more,
        secret=told.secret,
        check=_check(shape),
    )


def _check(shape: Shape) -> Check:
    if isinstance(shape.inner, Kind):
        return shape.inner.check
    if shape.kind == "any" and shape.inner:
        return any_of
    return _value if shape.kind == "value" else CHECKS.get(shape.kind, accept_any)


def _shape(name: str, hint: Any, told: FieldOptions) -> Shape:
    origin, args = get_origin(hint), get_args(hint)
    if hint in (Any, object, _JSON):
        return Shape("any")
    if origin in (Union, types.UnionType):
        return _union(name, [part for part in args if part is not types.NoneType], told, args)
    if origin is Annotated:
        return _annotation_shape(name, hint, told)
    if origin is Literal:
        return Shape("choice", choices=args)
    bare = told._replace(most=None)
    if origin in _LISTS:
        parts = [field_of(name, part, told=bare) for part in args if part is not Ellipsis]
        return Shape("list", parts[0], parts=tuple(parts) if len(parts) > 1 else ())
    if origin in _MAPS:
        return Shape("map", field_of(name, args[1], told=bare))
    if is_typeddict(hint) or hasattr(hint, "_fields"):
        return Shape("value", hint)
    if isinstance(hint, type):
        return _class(hint)
    return Shape("any")


def _union(name: str, kinds: list[Any], told: FieldOptions, args: tuple[Any, ...]) -> Shape:
    optional = len(kinds) < len(args)
    if len(kinds) == 1:
        return _shape(name, kinds[0], told)._replace(optional=optional)
    parts = tuple(field_of(name, part, told=told) for part in kinds)
    return Shape("any", parts, optional=optional)


def _annotation_shape(name: str, hint: Any, told: FieldOptions) -> Shape:
    """A type with a Kind or with Choices, with words about what it is, or with both."""
    *marks, last = hint.__metadata__
    if isinstance(last, str):
        inner = Annotated[hint.__origin__, *marks] if marks else hint.__origin__
        return _shape(name, inner, told)._replace(help=last)
    if isinstance(last, Choices):
        return Shape("choice", last, last.words)
    if isinstance(last, Kind):
        return Shape(last.name, last)
    return _shape(name, hint.__origin__, told)  # other notes say nothing here


def _class(kind: type) -> Shape:
    if issubclass(kind, Enum):
        return Shape("choice", kind, tuple(str(member.value) for member in kind))
    if issubclass(kind, Value):
        return Shape("value", kind)
    return Shape("stored", kind) if hasattr(kind, "from_plain") else Shape(_KINDS.get(kind, "any"))


def _value(about: Field, value: object) -> object:
    """A value with fields, made of them."""
    kind: type = about.inner
    if isinstance(value, kind):
        return value
    if not isinstance(value, dict):
        raise no_value(about, value)
    try:
        return kind.from_plain(value) if issubclass(kind, Value) else made(kind, value)
    except BadField as problem:
        raise problem.inside(about.name) from None


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
class Value:
    """A frozen value with checked fields: subclass it and list fields with `field(...)`.

    Override `check` for what no single field can say; raise BadField there.
    """

    never_changes: ClassVar[bool] = True
    """Fields are of one kind each, so that equal values are the same: they are counted as one."""

    def __init_subclass__(cls, **more: object) -> None:
        super().__init_subclass__(**more)
        dataclasses.dataclass(frozen=True, kw_only=True)(cls)
        cls.__hash__ = _hash_once(cls.__hash__)  # type: ignore[assignment, method-assign]

    def __getstate__(self) -> dict[str, object]:
        """Everything but the remembered hash, which means nothing in another process."""
        return {name: held for name, held in self.__dict__.items() if name != "_hash"}

    def __deepcopy__(self, memo: object) -> Self:
        """Itself: it is frozen, and best play would copy its request at every position."""
        return self

    def __post_init__(self) -> None:
        held = self.__dict__  # most fields are at their defaults, which are looked at once
        for name, about, sound in _known_checks.get(type(self)) or _checks_of(type(self)):
            if (value := held[name]) is not sound:
                held[name] = checked(about, value)
        self.check()

    @classmethod
    def from_plain(cls, plain: Mapping[str, object]) -> Self:
        """A value from a mapping of its fields."""
        return made(cls, plain)

    def check(self) -> None:
        """Refuse what no single field can say; the book's rules across fields go here."""

    def settle(self, **fields: object) -> None:
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


_known_checks: dict[type, list[tuple[str, Field, object]]] = {}
_UNLIKE: Any = object()
"""A value that no field has."""


def _checks_of(kind: type) -> list[tuple[str, Field, object]]:
    """The fields of a class, each with a default that needs no look, or with what none holds."""
    fields = fields_of(kind).items()
    known = _known_checks[kind] = [(name, about, _sound(about)) for name, about in fields]
    return known


def _sound(about: Field) -> object:
    """A default that the check of the field leaves as it is, whenever it is asked."""
    default = about.default
    if default is REQUIRED or (about.kind not in _LASTING and default not in (None, ())):
        return _UNLIKE
    try:
        return default if checked(about, default) is default else _UNLIKE
    except BadField:
        return _UNLIKE


_LASTING = ("int", "bool", "text", "choice", "value")
"""Kinds of which what fits once fits always."""


def _hash_once(hashed: Callable[[Value], int]) -> Callable[[Value], int]:
    """A hash that is computed once: rules compare requests often."""

    def hash_value(self: Any) -> int:
        try:
            known: int = self._hash
        except AttributeError:
            known = self.__dict__["_hash"] = hashed(self)
        return known

    return hash_value


def unknown_field(kind: type, name: str) -> BadField:
    """The refusal of a field that a value does not have."""
    return BadField(name, with_likeliest(Message("field.unknown"), name, sorted(fields_of(kind))))


def shared_fields(value: Value, kind: type[Value]) -> dict[str, Any]:
    """Return a value's fields that a class shares with it."""
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
        would_do = range_of(low, most) if most > low else str(low)
        raise BadField(field, problem, rule=rule, would_do=would_do)


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


def made(kind: type[V], plain: Mapping[str, object], where: str = "") -> V:
    """A value of a class from a mapping of its fields."""
    fields = fields_of(kind)
    gone = getattr(kind, "gone", ())
    try:
        plain = {name: held for name, held in plain.items() if name not in gone}
        for name in plain:
            if name not in fields:
                raise unknown_field(kind, str(name))
        for name, about in fields.items():
            if about.is_required and name not in plain:
                raise field_error(about, MISSING)
        if issubclass(kind, Value):  # which looks at its fields itself
            return kind(**plain)
        return kind(**{name: checked(fields[name], held) for name, held in plain.items()})
    except BadField as problem:
        raise (problem.inside(where) if where else problem) from None
