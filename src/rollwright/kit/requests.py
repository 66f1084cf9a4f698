"""Requests: everything decided before the dice are thrown, as data that travels.

The same shape is used in the library, on the command line, over HTTP and in stored rolls:
`{"game": "twilight2000", "roll": "attack", "attribute": "B", "house": {…}}`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, ClassVar, Self, TypeAlias

from rollwright.budget import Budget
from rollwright.dice import Outcome
from rollwright.engine.steps import Call
from rollwright.errors import BadField, UnknownName
from rollwright.i18n.messages import Message
from rollwright.jsonable import Json
from rollwright.kit.checks import format_value
from rollwright.kit.fields import MISSING, REQUIRED, Value, fields_of, made

Held: TypeAlias = "Value | tuple[Held, ...] | Fraction | Json"
"""A value of a field."""


class Request(Value):
    """A roll somebody asks for. A game subclasses it once for each kind of roll it knows:
    `class Attack(Request, roll="attack", title="Attack", outcome=AttackOutcome)`.
    """

    game: ClassVar[str] = ""
    """The game it belongs to; the game says so when it is made."""
    _maker: ClassVar[str] = ""
    """Whose game that is: the name of a package at the top."""
    roll: ClassVar[str] = ""
    """The name of this kind of roll, such as `attack`."""
    title: ClassVar[str] = ""
    """Its purpose, in a few words; else the name of the roll."""
    _titled: ClassVar[str] = ""
    """The given title, here or in a base class."""
    version: ClassVar[str] = "1"
    """Another one when a roll comes to something else than before: by its rule, by what is filled
    in from a sheet, or by its effects. Rolls of another version are not played again."""
    outcome: ClassVar[type]
    """The NamedTuple of countable fields that its rule comes to."""
    gone: ClassVar[tuple[str, ...]] = ()
    """Fields that there were once: they say nothing any more, and are passed over where a stored
    request still holds them."""
    elsewhere: ClassVar[tuple[str, ...]] = ()
    """Fields that say what others, or the table, had when it began: a roll goes on where they have
    changed since, and what it changes itself is added to what there is then."""
    pays: ClassVar[bool] = False
    """Whether its rule refuses it by a field, before dice fall, for a cost beyond what there is."""
    choosers_agree: ClassVar[bool] = False
    """Whether who chose something in their part of a roll has agreed to what comes of it."""
    _opponents: ClassVar[tuple[str, ...]] = ()
    """Who was said to be against the roller, here or above."""
    rule: ClassVar[Callable[[Any], Call[Outcome]] | None] = None
    """The function to call with the request; set when the game is made."""

    def __init_subclass__(
        cls,
        *,
        roll: str = "",
        title: str = "",
        version: str = "",
        outcome: type | None = None,
        opponents: tuple[str, ...] = (),
        gone: tuple[str, ...] = (),
        **more: object,
    ) -> None:
        cls.roll = roll or cls.roll
        cls._titled = title or vars(cls).get("title", "") or cls._titled
        cls.title = cls._titled or cls.roll.replace("_", " ").capitalize()
        cls.version = version or cls.version
        if outcome is not None:
            cls.outcome = outcome
        if opponents:
            cls._opponents = opponents
        if gone:
            cls.gone = gone
        super().__init_subclass__(**more)

    @classmethod
    def from_plain(cls, plain: Mapping[str, object]) -> Self:
        """A request of this kind, or of one that goes by its fields; it may say which it is."""
        kinds = {one.roll: one for one in cls.kinds() if one.roll}
        roll = plain.get("roll", cls.roll)
        if not isinstance(roll, str) or roll not in kinds:
            problem = (
                Message("refused.request.roll", {"came": format_value(roll)}) if roll else MISSING
            )
            raise BadField("roll", problem, would_do=", ".join(kinds))
        meant = kinds[roll]
        header = {"game": meant.game, "roll": roll}
        return made(meant, {name: held for name, held in plain.items() if header.get(name) != held})

    @classmethod
    def kinds(cls) -> Iterator[type[Self]]:
        """This kind of request and all of its game that go by its fields."""
        yield cls
        for one in cls.__subclasses__():
            if cls.game in ("", one.game):  # another game may go by them too
                yield from one.kinds()

    @property
    def opponents(self) -> tuple[str, ...]:
        """Who plays against the roller, by the name they choose under; all others play for them.

        Advice and best play go by it. It is said with the class: `opponents=("opponent",)`; where
        it depends on the fields, a request has a property of its own.
        """
        return self._opponents

    @property
    def usual_goal(self) -> str:
        """The goal of this very roll; empty for the usual one of its kind."""
        return ""

    def check_count(self, budget: Budget, policy: str = "") -> None:
        """Refuse what will surely be too much to count, before counting begins.

        It can be rolled all the same. If a larger budget is enough, say what is needed with
        `budget.expect`, else what to ask for instead; `policy` is the name of the policy, if any.
        """

    def call(self) -> Call[Outcome]:
        """The rule of this request, with its arguments."""
        rule = type(self).rule
        if rule is None:
            raise TypeError(f"{type(self).__name__} must say which rule it is")
        return rule(self)


def to_plain(value: Value, *, whole: bool = False) -> dict[str, Any]:
    """A request or another value as what JSON can hold.

    Fields at their default are left out, which is short to read; with `whole` they are there, so
    that it means the same for ever, whatever the defaults become.
    """
    fields = _fields_to_json(value, whole)
    if isinstance(value, Request):
        return {"game": value.game, "roll": value.roll, **fields}
    return fields


def _fields_to_json(value: Value, whole: bool) -> dict[str, Json]:
    plain: dict[str, Json] = {}
    for name, about in fields_of(type(value)).items():
        held = getattr(value, name)
        if whole or about.default is REQUIRED or held != about.default:
            plain[name] = field_to_json(held, whole)
    return plain


def field_to_json(held: Held, whole: bool = False) -> Json:
    """Return the value of a field as JSON can hold it."""
    if held is None or isinstance(held, (str, int)):
        return held
    if isinstance(held, Value):
        return _fields_to_json(held, whole)
    if isinstance(held, tuple):
        return [field_to_json(part, whole) for part in held]
    return str(held) if isinstance(held, Fraction) else held


def make_request(
    kinds: dict[str, type[Request]], roll: str, fields: Mapping[str, object]
) -> Request:
    """A request of one of the kinds a game knows."""
    kind = kinds.get(roll)
    if kind is None:
        raise UnknownName("roll", roll, kinds)
    return made(kind, fields)
