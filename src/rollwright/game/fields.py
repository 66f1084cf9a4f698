"""Sheets, shared things and house rules: classes whose annotations say all about their fields.

class Hero(Sheet):
    agility: Annotated[int, Range(-3, 6), Trait] = 0
    hope: Annotated[int, Dots(6), "points to spend on others and on yourself"] = 2
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from inspect import get_annotations
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    NamedTuple,
    Self,
    dataclass_transform,
    get_args,
    get_origin,
)

from rollwright.errors import Misuse
from rollwright.kit.fields import REQUIRED, Field, Value, field, fields_of, types_in
from rollwright.kit.house_rules import Shows

MOST_LETTERS, MOST_ENTRIES = 60, 60
"""How long a text and a list on a sheet get, unless they say it themselves."""


class Range(NamedTuple):
    """Whole numbers from `low` to `high`."""

    low: int
    high: int


class Slider(NamedTuple):
    """The same, on a slider."""

    low: int
    high: int


class Dots(NamedTuple):
    """So many of so many, as dots: points to spend."""

    high: int
    low: int = 0


class Boxes(NamedTuple):
    """So many of so many, as boxes: marks and wounds."""

    high: int
    low: int = 0


class Bar(NamedTuple):
    """So many of so many, as a bar: a long way to go."""

    high: int
    low: int = 0


class Most(NamedTuple):
    """At most so many characters of a text, or entries of a list."""

    most: int


class Cites(NamedTuple):
    """The line of the rulebook behind a field."""

    rule: str


class Trait(NamedTuple):
    """A number on a sheet that rolls can be made with; and a field that names one of these.

    `me[trait]` is the number. Kinds of traits that are not to be mixed have names.
    """

    kind: str = ""


class Pick(NamedTuple):
    """A field that names one entry of a list on the roller's sheet, or as a tuple several."""

    of: str


class From(NamedTuple):
    """What a sheet gives a field that nobody has said: `From(lambda me, said: me.score(said))`.

    `said` is what is set and picked so far, by name. The argument itself need not be on the sheet.
    """

    fill: Callable[[Any, Mapping[str, Any]], Any]


class Control(NamedTuple):
    """The control of a field in the form, if its kind's is not right: `asked` is the draft.

    `Control(lambda asked: asked.field("dark", high=asked.held("far") + 4))`
    """

    show: Callable[[Any], Any]


class Known(NamedTuple):
    """The name under which a change of a field stands in logs, if that is another than its own."""

    effect: str


class Settings:
    """The ways in which a house rule can be read, each in words; the default is the field's."""

    def __init__(
        self, readings: Mapping[Any, str], *, code: str = "", shows: Shows | None = None
    ) -> None:
        self.readings, self.code, self.shows = dict(readings), code, shows


class _ByReferee:
    def __repr__(self) -> str:
        return "ByReferee"


ByReferee = _ByReferee()
"""A shared thing that only referees change by hand; rolls change it whoever makes them."""
SET = "="
"""What follows the name of a field in an effect that sets it."""
TRACKS = {Dots: "dots", Boxes: "boxes", Bar: "bar"}


def marks_of(hint: Any) -> tuple[Any, ...]:
    """The notes on an annotation; a marker's class alone means one without arguments."""
    if get_origin(hint) is not Annotated:
        return ()
    return tuple(Trait() if mark is Trait else mark for mark in get_args(hint)[1:])


def mark_in(about: Field, *kinds: type) -> Any:
    """The first of these markers on a field, or None."""
    marks = about.more.get("marks", ())
    return next((mark for mark in marks if isinstance(mark, kinds)), None)


def describe_field(hint: Any, default: Any = REQUIRED, **more: Any) -> Any:
    """A field with all that its annotation says."""
    marks, bounds = marks_of(hint), dict[str, Any](low=None, high=None, most=None)
    for mark in marks:
        bounds |= {name: getattr(mark, name) for name in bounds if hasattr(mark, name)}
    bare = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if bounds["most"] is None:
        bounds["most"] = {str: MOST_LETTERS, tuple: MOST_ENTRIES, list: MOST_ENTRIES}.get(
            get_origin(bare) or bare
        )
    help = next((mark for mark in marks if isinstance(mark, str)), "")
    rule = next((mark.rule for mark in marks if isinstance(mark, Cites)), "")
    for mark in marks:
        if isinstance(mark, Settings):
            more |= {"code": mark.code, "readings": mark.readings}
            more |= {} if mark.shows is None else {"shows": mark.shows}
    if ByReferee in marks:
        more["referee"] = True
    default = tuple(default) if isinstance(default, list) else default
    return field(default, help=help, rule=rule, marks=marks, **bounds, **more)


def _describe_all(kind: type) -> None:
    """Put the fields of a class, as its annotations describe them, in the place of its defaults."""
    own = get_annotations(kind)
    hints = types_in(kind) if own else {}
    for name in own:
        default = vars(kind).get(name, REQUIRED)
        if not isinstance(default, dataclasses.Field) and get_origin(hints[name]) is not ClassVar:
            setattr(kind, name, describe_field(hints[name], default))


if TYPE_CHECKING:

    @dataclass_transform(kw_only_default=True, field_specifiers=(field,))
    class Described:
        """To a type checker its fields can be assigned to, as they can within a roll."""

        def but(self, /, **changes: Any) -> Self:
            """The same value with some fields changed, checked again."""
            ...

else:

    class Described(Value):
        """A frozen value whose annotations say all about its fields."""

        def __init_subclass__(cls, **more: object) -> None:
            _describe_all(cls)
            super().__init_subclass__(**more)


class Sheet(Described):
    """A character's sheet. In a roll it can be assigned to, and that is the roll's effect."""

    name: str = field("", help="the character's name", most=MOST_LETTERS, person=True)

    def __getitem__(self, trait: str) -> Any:
        """The number of a trait, by its name."""
        return getattr(self, trait)

    def pay(self, **costs: int) -> None:
        """Pay what a roll costs, by the names of fields; refused if there is too little."""
        raise Misuse("a sheet pays within a roll: me.pay(hope=1) before the dice are thrown")


class Shared(Described):
    """What a table shares: numbers and switches of nobody alone, which rolls change."""

    def pay(self, **costs: int) -> None:
        """Pay what a roll costs, by the names of fields; refused if there is too little."""
        raise Misuse("what a table shares is paid within a roll: table.pay(fear=1)")


class HouseRules(Described):
    """How a table reads the rules, where they can be read in several ways."""


def field_of_effect(kind: type[Value], effect: str) -> Field | None:
    """The field of a sheet that an effect changes; None for none."""
    known = fields_of(kind)
    named = {mark.effect: one for one in known.values() if (mark := mark_in(one, Known))}
    return named.get(effect) or known.get(effect.removesuffix(SET))


def traits_of(kind: type[Value], trait: Trait | None = None) -> tuple[str, ...]:
    """The fields of a sheet that are traits, of one kind or of any."""
    found = {name: mark_in(about, Trait) for name, about in fields_of(kind).items()}
    return tuple(n for n, mark in found.items() if mark and (trait is None or mark == trait))
