"""The page's TypeScript types of what goes over the wire, made from the fields of the kit.

They are written into the page's sources, so that the page is built where there is no Python.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rollwright.kit.schemas import Schema, components_of, schema_of
from rollwright.queries import schemas
from rollwright.server import answers
from rollwright.table.commands.dispatch import COMMANDS
from rollwright.table.schemas import EVENTS
from rollwright.workbench import shapes as workbench

TARGET = Path(__file__).resolve().parents[1] / "web" / "src" / "net" / "shapes.ts"
ANSWERS = (
    schemas.AdviceAnswer,
    schemas.AnyDiceAnswer,
    schemas.CompareAnswer,
    schemas.CurveAnswer,
    schemas.ConditionAnswer,
    schemas.FindAnswer,
    schemas.GameAnswer,
    schemas.GamesAnswer,
    schemas.OddsAnswer,
    schemas.PreviewAnswer,
    schemas.QuestionAnswer,
    schemas.RollAnswer,
    schemas.SensitivityAnswer,
    schemas.VerifyAnswer,
    answers.AckAnswer,
    answers.InviteView,
    answers.EventsAnswer,
    answers.JoinAnswer,
    answers.LogAnswer,
    answers.SnapshotAnswer,
    answers.TableAnswer,
    answers.ErrorAnswer,
    answers.RecapAnswer,
    answers.StatisticsAnswer,
    *workbench.ANSWERS,
)
HEAD = """\
// Made by ./dev docs from the fields that the server reads and writes: not to be changed by hand.
export type Plain = null | boolean | number | string | Plain[] | { [name: string]: Plain };
"""
MOST = 120
"""Characters of the longest line."""
WORDS = {
    "integer": "number",
    "number": "number",
    "string": "string",
    "boolean": "boolean",
    "null": "null",
}


def page_types() -> str:
    """All types as one module of the page."""
    made = components_of([*dict.fromkeys(EVENTS.values()), *ANSWERS])
    return "\n\n".join(
        [
            HEAD.rstrip(),
            *(_interface(name, schema) for name, schema in sorted(made.items())),
            _map("EventBodies", "What each kind of event holds.", _bodies()),
            _map("Commands", "The fields of each command.", _commands()),
            "/** Something to be done at the table. */\nexport type Command = "
            "{ [Do in keyof Commands]: { do: Do } & Commands[Do] }[keyof Commands];",
        ]
    )


def _bodies() -> Iterator[tuple[str, str]]:
    for kind, shape in EVENTS.items():
        yield kind, shape.__name__


def _commands() -> Iterator[tuple[str, str]]:
    for do, kind in COMMANDS.items():
        yield do, _object(schema_of(kind))


def _interface(name: str, schema: Schema) -> str:
    lines = [f"/** {schema['description']} */", f"export interface {name} {{"]
    for field, about in schema["properties"].items():
        if about.get("description"):
            lines.append(f"  /** {about['description']} */")
        lines.append(f"  {_broken(_field(field, about, schema))};")
    return "\n".join([*lines, "}"])


def _map(name: str, told: str, parts: Iterator[tuple[str, str]]) -> str:
    lines = [f"  {_broken(f'{json.dumps(part)}: {kind}')};" for part, kind in parts]
    return "\n".join([f"/** {told} */", f"export interface {name} {{", *lines, "}"])


def _broken(text: str, indent: str = "    ") -> str:
    """A field as it is, or where that is too long, with each part of its type on a line of its own.

    >>> _broken('colour: "red" | "green"')
    'colour: "red" | "green"'
    """
    if len(indent) + len(text) <= MOST:
        return text
    head, opening, inner = text.partition("{ ")
    if opening:
        fields = inner.removesuffix(" }").split("; ")
        made = [f"{indent}{_broken(field, indent + '  ')};" for field in fields]
        return "\n".join([f"{head}{{", *made, f"{indent[2:]}}}"])
    name, _, kinds = text.partition(": ")
    listed = kinds.endswith(")[]")
    lines = [
        f"{indent}| {kind}" for kind in kinds.removeprefix("(").removesuffix(")[]").split(" | ")
    ]
    ends = [f"{indent[2:]})[]"] if listed else []
    return "\n".join([f"{name}: (" if listed else f"{name}:", *lines, *ends])


def _field(name: str, about: Schema, schema: Schema) -> str:
    return f"{name}{'' if name in schema['required'] else '?'}: {type_of(about)}"


def _object(schema: Schema) -> str:
    fields = [_field(name, about, schema) for name, about in schema["properties"].items()]
    return f"{{ {'; '.join(fields)} }}" if fields else "object"


def type_of(schema: Schema) -> str:
    """A schema as a type.

    >>> type_of({"anyOf": [{"type": "array", "items": {"enum": ["a", "b"]}}, {"type": "null"}]})
    '("a" | "b")[] | null'
    """
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema or "enum" in schema:
        return " | ".join(json.dumps(word) for word in schema.get("enum", [schema.get("const")]))
    several: list[Any] = schema.get("anyOf") or schema.get("allOf") or []
    if several:
        return " | ".join(dict.fromkeys(map(type_of, several)))
    kind = schema.get("type", "")
    if isinstance(kind, list):
        return " | ".join(WORDS[one] for one in kind)
    if kind == "array":
        inner = type_of(schema.get("items", {}))
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if kind == "object":
        return f"Record<string, {type_of(schema.get('additionalProperties', {}))}>"
    return WORDS.get(kind, "Plain")
