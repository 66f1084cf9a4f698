"""Values that somebody sends as JSON: commands of a table, bodies of requests, and answers.

They are described as all fields are. What comes is read quickly and refused by its field.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Mapping
from marshal import dumps
from re import Pattern
from re import compile as pattern
from typing import Annotated, Any, ClassVar, Self, TypeAlias, TypeVar

from rollwright.errors import BadField
from rollwright.i18n.messages import Message
from rollwright.jsonable import Json, canonical_json
from rollwright.kit.checks import LONGEST_PLACE, checked, field_error, format_value, unfit
from rollwright.kit.fields import (
    MISSING,
    NOT_GIVEN,
    Field,
    Kind,
    Schema,
    Value,
    fields_of,
    fields_within,
    unknown_field,
)

WITHOUT_REFERENCES, SIGNS_A_BYTE = 2, 6
"""The version of Python's own form of data that repeats whatever comes twice, and the JSON
characters that one of its bytes may become.
"""
UNSEEN = pattern("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Signs that nobody sees, or that turn the text around them."""


class Body(Value):
    """A value that somebody sends: what is null was left out, where it may be.

    Only where the default is NOT_GIVEN null says something else than nothing at all.
    """

    bounds: ClassVar[Hashable] = None
    """Key of the bounds for fields that have a name instead of a number."""

    def __post_init__(self) -> None:
        """Check what was given; a default need not be anything that somebody may send."""
        for name, about in fields_of(type(self)).items():
            held = getattr(self, name)
            if held is not about.default:
                object.__setattr__(self, name, checked(about, held))
        self.check()

    @classmethod
    def from_plain(cls, plain: Mapping[str, object]) -> Self:
        """The value behind an object of JSON, or a BadField."""
        return reader_within(cls, cls.bounds)(plain)


B = TypeVar("B", bound=Body)
V = TypeVar("V")


Read: TypeAlias = Callable[[Mapping[str, object]], B]


_readers: dict[tuple[type, object], Callable[[Mapping[str, object]], Any]] = {}


def reader_within(kind: type[B], bounds: Hashable) -> Read[B]:
    """Return the reader of values of a class with these bounds, made once."""
    key = kind, bounds
    if key not in _readers:
        _readers[key] = _reader(kind, fields_within(kind, bounds))
    return _readers[key]


def _reader(kind: type[B], fields: Mapping[str, Field]) -> Read[B]:
    """Return a reader of values of a class; it looks once at each field it got, and is quick."""
    steps = {name: (about, about.check) for name, about in fields.items()}
    defaults = {name: about.default for name, about in fields.items()}
    required = [about for about in fields.values() if about.is_required]

    def read(plain: Mapping[str, object]) -> B:
        held = defaults.copy()
        for name, came in plain.items():
            step = steps.get(name)
            if step is None:
                raise unknown_field(kind, str(name)[:LONGEST_PLACE])
            about, check = step
            if came is not None:
                held[name] = check(about, came)
            elif about.default is NOT_GIVEN:
                held[name] = None
            elif about.is_required:
                raise field_error(about, Message("field.null"))
        for about in required:
            if about.name not in plain:
                raise field_error(about, MISSING)
        value = object.__new__(kind)
        value.__dict__.update(held)
        value.check()
        return value

    return read


def too_much(about: Field, came: Message | str, *, code: str) -> BadField:
    """The refusal of what is longer or more than `most`."""
    values = {"came": came, "most": str(about.most)}
    return BadField(about.name, Message("field.more", values), code=code)


def _text(about: Field, came: object) -> str:
    """Text without space around it; `lines` and `empty` say whether it may have and be these."""
    if not isinstance(came, str):
        raise unfit(about, "field.text", came)
    found = came.strip()
    if not found and not about.more.get("empty"):
        raise field_error(about, Message("field.empty"))
    if UNSEEN.search(found) or (not about.more.get("lines") and ("\n" in found or "\t" in found)):
        letters = Message("field.letters")
        raise BadField(about.name, Message("field.unseen"), would_do=letters)
    if about.most is not None and len(found) > about.most:
        characters = Message("field.characters", {"n": str(len(found))})
        raise too_much(about, characters, code="too_large")
    return found


def _text_schema(about: Field) -> Schema:
    schema: Schema = {"type": "string"}
    if not about.more.get("empty"):
        schema["minLength"] = 1
    if about.most is not None:
        schema["maxLength"] = about.most
    return schema


def matching(name: str, signs: str, problem: str, would_do: Message | str) -> Kind:
    """A text that fits a pattern from end to end; `problem` is said of one that does not."""
    compiled: Pattern[str] = pattern(signs)

    def check(about: Field, came: object) -> str:
        if not isinstance(came, str) or not compiled.fullmatch(came):
            raise field_error(about, f"{format_value(came)} {problem}")
        return came

    return Kind(name, check, lambda _: {"type": "string", "pattern": f"^({signs})$"}, would_do)


def several(part: Kind, items: Schema) -> Kind:
    """A list with something in it, and nothing twice."""

    def check(about: Field, came: object) -> tuple[object, ...]:
        if not isinstance(came, (list, tuple)) or not came:
            raise unfit(about, "field.came", came)
        if about.most is not None and len(came) > about.most:
            raise too_much(about, f"{len(came)}", code="too_many")
        parts = [about._replace(name=f"{about.name}[{n}]", inner=part) for n in range(len(came))]
        found = tuple(map(part.check, parts, came))
        if len(set(found)) < len(found):
            once = Message("field.each")
            raise BadField(about.name, Message("field.repeated"), would_do=once)
        return found

    def schema(about: Field) -> Schema:
        found: Schema = {"type": "array", "items": items, "minItems": 1, "uniqueItems": True}
        if about.most is not None:
            found["maxItems"] = about.most
        return found

    return Kind("list", check, schema, Message("fits.some"))


def check_size(about: Field, came: V) -> V:
    """Data, refused where it takes more bytes as JSON than `most`."""
    if about.most is not None and _longest(came) > about.most:
        size = len(canonical_json(came))
        if size > about.most:
            came_bytes = Message("field.bytes", {"n": size})
            more = Message("field.more", {"came": came_bytes, "most": about.most})
            raise BadField(about.name, more, code="too_large")
    return came


def _longest(came: Any) -> int:
    """Return the most characters that data takes as JSON; to write it takes five times as long.

    JSON makes up to six characters of a byte in Python's own form: of a character that cannot be
    seen, of `false` and a comma.
    """
    try:
        return SIGNS_A_BYTE * len(dumps(came, WITHOUT_REFERENCES))
    except ValueError:  # a word with an order of its own is in it
        return sys.maxsize


def _object(about: Field, came: object) -> dict[str, object]:
    if not isinstance(came, dict):
        raise unfit(about, "field.came", came)
    return check_size(about, came)


Text = Annotated[str, Kind("text", _text, _text_schema, Message("fits.text"))]
"""A text for people: of at most `most` characters, in one line unless it may have `lines`."""
Object = Annotated[
    dict[str, Any],
    Kind("object", _object, lambda _: {"type": "object"}, Message("fits.object")),
]
"""Fields and values of somebody's own, of at most `most` bytes as JSON."""
Data = Annotated[Any, Kind("data", check_size, lambda _: {}, Message("fits.data"))]
"""Any plain data of at most `most` bytes as JSON."""


class Answer(Value):
    """A value that we send: it is made by us, so that it is described and not checked again."""

    def __post_init__(self) -> None:
        """Nothing is to be checked."""

    @property
    def plain(self) -> dict[str, Json]:
        """The value as JSON can hold it, without optional fields that are None.

        A field with `null=True` may also be null in what is sent without being made of this.
        """
        found: dict[str, Json] = {}
        for name, about in fields_of(type(self)).items():
            held = getattr(self, name)
            if held is not None or about.is_required:
                found[name.removesuffix("_")] = _answer_to_json(held)
        return found


def _answer_to_json(held: Sent) -> Json:
    if isinstance(held, Answer):
        return held.plain
    return [_answer_to_json(part) for part in held] if isinstance(held, (list, tuple)) else held


Sent: TypeAlias = "Answer | list[Sent] | tuple[Sent, ...] | Json"
"""A value of a field of an answer."""
