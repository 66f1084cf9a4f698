"""JSON Schema of everything that has fields: requests, sheets, commands, bodies, answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from rollwright.kit.bodies import Answer
from rollwright.kit.fields import NOT_GIVEN, REQUIRED, Field, Kind, Schema, fields_of
from rollwright.kit.requests import Request, field_to_json

Inner: TypeAlias = Callable[[type], Schema]
"""The schema of a value class inside another: written out, or a reference to it."""
REFS = "#/components/schemas/{name}"


def schema_of(kind: type, inner: Inner | None = None) -> Schema:
    """The JSON Schema of a request or another value class."""
    properties: Schema = {}
    required = []
    if issubclass(kind, Request):
        properties = {"game": {"const": kind.game}, "roll": {"const": kind.roll}}
        required = ["game", "roll"]
    for name, about in fields_of(kind).items():
        written = name.removesuffix("_")  # for, from: words that Python keeps for itself
        about = _answer_field(about) if issubclass(kind, Answer) else about
        properties[written] = _field_schema(about, inner or _written_out)
        if about.secret and not issubclass(kind, Answer):
            properties[written]["writeOnly"] = True
        if about.is_required:
            required.append(written)
    return {
        "type": "object",
        "title": getattr(kind, "title", "") or kind.__name__,
        "description": (kind.__doc__ or "").strip().split("\n")[0],
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _answer_field(about: Field) -> Field:
    """A field of an answer: it is there, unless it is None and may be left out."""
    if about.is_required:
        return about
    if about.default is not None:
        return about._replace(default=REQUIRED)
    return about._replace(optional=about.more.get("null", False))


def components_of(kinds: Iterable[type]) -> dict[str, Schema]:
    """The schemas of value classes and of all they hold, each once, referring to one another."""
    found: dict[str, Schema] = {}

    def refer(kind: type) -> Schema:
        name = kind.__name__
        if name not in found:
            found[name] = {}  # so that one that holds itself is not begun again
            found[name] = schema_of(kind, refer)
        return {"$ref": REFS.format(name=name)}

    for kind in kinds:
        refer(kind)
    return found


def _written_out(kind: type) -> Schema:
    """The schema of a value inside another: which game and roll it is of is known from there."""
    schema = schema_of(kind)
    for header in ("game", "roll"):
        if header in schema["properties"] and header not in fields_of(kind):
            del schema["properties"][header]
            schema["required"].remove(header)
    return schema


def _field_schema(about: Field, inner: Inner) -> Schema:
    schema = _shape(about, inner)
    if about.optional:
        schema = {"anyOf": [schema, {"type": "null"}]}
    elif "$ref" in schema:
        schema = {"allOf": [schema]}  # so that words may be beside it
    schema["title"] = about.title
    if about.help:
        schema["description"] = about.help
    if about.default in (REQUIRED, NOT_GIVEN):
        return schema
    if about.default is not None or about.optional:
        schema["default"] = field_to_json(about.default)
    return schema


_SHAPES: dict[str, Schema] = {
    "int": {"type": "integer"},
    "number": {"type": "number"},
    "bool": {"type": "boolean"},
    "text": {"type": "string"},
    "fraction": {"type": ["string", "number"]},
}


def _shape(about: Field, inner: Inner) -> Schema:
    if isinstance(about.inner, Kind):
        return dict(about.inner.schema(about))
    if about.kind == "value":
        return inner(about.inner)
    if about.kind == "list":
        shape: Schema = {"type": "array", "items": _part(about.inner, inner)}
        if about.most is not None:
            shape["maxItems"] = about.most
        return shape
    if about.kind == "map":
        return {"type": "object", "additionalProperties": _part(about.inner, inner)}
    if about.kind == "choice":
        return {"enum": list(about.choices)}
    if about.kind == "any" and about.inner:
        return {"anyOf": [_shape(part, inner) for part in about.inner]}
    return dict(_SHAPES.get(about.kind, {})) | _bounds(about)


def _part(about: Field, inner: Inner) -> Schema:
    shape = _shape(about, inner)
    return {"anyOf": [shape, {"type": "null"}]} if about.optional else shape


def _bounds(about: Field) -> Schema:
    bounds = {}
    if about.kind in ("int", "number"):
        bounds = {"minimum": about.low, "maximum": about.high}
    elif about.kind == "text":
        bounds = {"maxLength": about.most}
    return {name: bound for name, bound in bounds.items() if bound is not None}
