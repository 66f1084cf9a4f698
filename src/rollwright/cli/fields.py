"""The fields of a request as options of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from rollwright.cli.values import default_said, typed, typed_parts, would_do
from rollwright.kit.fields import Field, fields_of

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

PREFIX = "field_"
NO_OPTION = ("house",)
"""Fields that have an option of their own on every command."""
TAKEN = frozenset(
    f"--{name}"
    for name in (
        "all",
        "choose",
        "csv",
        "exact",
        "faces",
        "from",
        "goal",
        "help",
        "house",
        "interactive",
        "json",
        "no-interactive",
        "of",
        "physical",
        "plot",
        "policy",
        "push",
        "resume",
        "save",
        "seed",
        "set",
        "tree",
        "vary",
        "where",
        "work",
    )
)
"""The commands' own options."""


class FieldType(click.ParamType[Any]):
    """What may be typed for a field."""

    def __init__(self, about: Field) -> None:
        self.about = about
        self.name = about.kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text itself for a part of a list, else the value it stands for."""
        if not isinstance(value, str) or self.about.kind == "list":
            return value
        return typed(self.about, value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The choices that begin like this."""
        from click.shell_completion import CompletionItem

        inner = self.about.inner if self.about.kind == "list" else self.about
        choices = [str(choice) for choice in inner.choices if choice != ""]
        return [CompletionItem(c) for c in choices if c.lower().startswith(incomplete.lower())]


def option_name(name: str, roll: str) -> str:
    """The option of a field; where commands have one of that name, the roll's name goes before."""
    flag = "--" + name.replace("_", "-")
    return f"--{roll}-{flag[2:]}".replace("_", "-") if flag in TAKEN else flag


def field_options(kind: Any) -> list[click.Parameter]:
    """An option for each field of a request type."""
    return [
        _option(about, option_name(name, kind.roll))
        for name, about in fields_of(kind).items()
        if name not in NO_OPTION
    ]


def _option(about: Field, flag: str) -> click.Parameter:
    if about.kind == "bool" and not about.optional:
        flag = f"{flag}/--no-{flag[2:]}"
        return click.Option([flag, PREFIX + about.name], default=None, help=_help(about))
    return click.Option(
        [flag, PREFIX + about.name],
        type=FieldType(about),
        multiple=about.kind == "list",
        metavar=_metavar(about),
        help=_help(about),
    )


def _metavar(about: Field) -> str:
    words = {"int": "N", "choice": "WORD", "list": "A,B,…", "value": "JSON", "fraction": "N"}
    if about.kind == "list" and about.inner.kind == "value":
        return "JSON"
    return words.get(about.kind, "TEXT")


def _help(about: Field) -> str:
    if about.kind == "bool":
        state = {True: "default yes", False: ""}.get(about.default, "")
        notes = [state, about.rule]
    else:
        notes = [would_do(about), default_said(about), about.rule]
    said = "; ".join(note for note in notes if note)
    text = about.help[:1].upper() + about.help[1:]
    return f"{text} ({said})" if said else text


def given_fields(kind: Any, params: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that were given, by name; lists put together from their parts."""
    given: dict[str, Any] = {}
    for name, about in fields_of(kind).items():
        value = params.get(PREFIX + name)
        if value is None or value == ():
            continue
        given[name] = typed_parts(about, value) if about.kind == "list" else value
    return given
