"""The fields of values as options of the command line: what they take, and what was typed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from rollwright.cli.texts import msg, text
from rollwright.errors import BadField, article, with_likeliest
from rollwright.i18n.locale import format_text, in_words
from rollwright.i18n.messages import msg as message
from rollwright.kit.checks import checked
from rollwright.kit.fields import REQUIRED, Field, fields_of, unknown_field
from rollwright.kit.games import find_game
from rollwright.kit.titles import field_help

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from rollwright.kit.fields import Value
    from rollwright.kit.requests import Request

PREFIX = "field_"
NO_OPTION = ("house",)
"""Fields that have an option of their own on every command."""
OWN = """
    against all arg at-least at-most choose csv dialect exact faces from goal help house interactive
    json no-interactive of over physical picture plot policy push resume save seed sensitivity set
    share target tree vary where work
"""
TAKEN = frozenset(f"--{name}" for name in OWN.split())
"""The commands' own options."""
NOTHING = ("none", "null")
SETTING = re.compile(r"""(?<![\w-])([a-z_]+)="?([\w-]+)"?""")
"""A field set to a value, as Python writes it."""


class FieldType(click.ParamType[object]):
    """The values that may be typed for a field."""

    def __init__(self, about: Field) -> None:
        self.about = about
        self.name = about.kind

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        """Return the text itself for a part of a list, else its value."""
        if not isinstance(value, str) or self.about.kind == "list":
            return value
        return parse_value(self.about, value)

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


def in_options(hint: str, kind: type[Request]) -> str:
    """A hint with the options that fields have here: `goal=7` may be `--group-goal 7`."""
    known = fields_of(kind)

    def option(found: re.Match[str]) -> str:
        name, value = found.groups()
        return f"{option_name(name, kind.roll)} {value}" if name in known else found[0]

    return SETTING.sub(option, hint)


def field_options(kind: type[Request]) -> list[click.Parameter]:
    """An option for each field of a request type."""
    game = find_game(kind.game)
    fields = {
        name: about._replace(help=field_help(game, kind.roll, about))
        for name, about in fields_of(kind).items()
        if name not in NO_OPTION
    }
    return [
        option_of(about, [option_name(name, kind.roll)], PREFIX + name)
        for name, about in fields.items()
    ]


def option_of(about: Field, flags: Sequence[str], param: str) -> click.Parameter:
    """The option of a field; `param` is the name under which its value is found."""
    if about.kind == "bool" and not about.optional:
        both = [f"{flag}/--no-{flag[2:]}" for flag in flags]
        return click.Option([*both, param], default=None, help=_help(about))
    return click.Option(
        [*flags, param],
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
        state = text("field.yes") if about.default is True else ""
        notes = [state, about.rule]
    else:
        notes = [would_do(about), format_default(about), about.rule]
    told = "; ".join(note for note in notes if note)
    help = about.help[:1].upper() + about.help[1:]
    return f"{help} ({told})" if told and help else help or told


def given_fields(
    fields: Mapping[str, Field], params: Mapping[str, object], prefix: str = PREFIX
) -> dict[str, object]:
    """The fields that were given, by name; lists put together from their parts."""
    given: dict[str, object] = {}
    for name, about in fields.items():
        value = params.get(prefix + name)
        if value is None or value == ():
            continue
        if isinstance(value, tuple) and about.kind == "list":
            value = typed_parts(about, value)
        given[name] = value
    return given


def parse_value(about: Field, text: str) -> object:
    """Return the value of a typed text, checked as the field checks it."""
    if about.optional and text.strip().lower() in NOTHING:
        return None
    reader = _READERS.get(about.kind, _anything)
    return checked(about, reader(about, text))


def typed_parts(about: Field, texts: Iterable[str]) -> object:
    """A list, typed with commas, as JSON, or one part at a time."""
    parts = [part for text in texts for part in _parts(about, text)]
    return checked(about, parts)


def _parts(about: Field, text: str) -> list[object]:
    data = parse_json(text)
    if isinstance(data, list):
        return data
    if about.inner.kind == "value":
        return [_parse_parts(about.inner, text)]
    words = [word.strip() for word in text.split(",")]
    return [parse_value(about.inner, word) for word in words if word]


def parse_json(text: str) -> object:
    """The JSON behind a text; the text itself where it is none."""
    try:
        return json.loads(text, parse_float=str)
    except (ValueError, RecursionError):
        return text


def _whole(about: Field, text: str) -> int | str:
    try:
        return int(text)
    except ValueError:
        return text


def _yes_or_no(about: Field, typed: str) -> bool | str:
    words = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
    words |= {in_words("yes"): True, in_words("no"): False}
    return words.get(typed.strip().lower(), typed)


def _choice(about: Field, typed: str) -> str:
    """The choice that was meant, whatever its case; a refusal guesses the slip."""
    for choice in about.choices:
        if str(choice).lower() == typed.strip().lower():
            return choice
    known = [str(choice) for choice in about.choices if choice != ""]
    problem = with_likeliest(message("field.choice", came=repr(typed)), typed, known)
    raise BadField(about.name, problem, rule=about.rule)


def _parse_parts(about: Field, text: str) -> dict[str, object]:
    """A value as JSON, or in short: `attribute=B,skill=C`."""
    data = parse_json(text)
    if isinstance(data, dict):
        return data
    if isinstance(data, str) and "=" in text:
        return _settings(about, text)
    example = next(iter(fields_of(about.inner)))
    short = f'{example}=… or {{"{example}": …}}'
    kind = about.inner.__name__
    problem = message("field.value", came=repr(text), article=article(kind), kind=kind)
    raise BadField(about.name, problem, would_do=short)


def _settings(about: Field, text: str) -> dict[str, object]:
    """The fields of a value in short; each is given once."""
    found: dict[str, object] = {}
    for part in text.split(","):
        name, value = _setting(about, part)
        if name in found:
            problem = msg("refusal.given_twice")
            raise BadField(f"{about.name}.{name}", problem, would_do=msg("refusal.one_value"))
        found[name] = value
    return found


def _setting(about: Field, part: str) -> tuple[str, object]:
    name, sign, text = (word.strip() for word in part.partition("="))
    if not sign:
        problem = msg("refusal.setting", came=repr(part))
        raise BadField(about.name, problem, would_do=msg("refusal.setting.do"))
    return setting(about.inner, name, text)


def setting(kind: type[Value], name: str, text: str) -> tuple[str, object]:
    """A field of a value class by name, with what was typed for it."""
    fields = fields_of(kind)
    name = "_".join(name.replace("-", " ").split())
    if name not in fields:
        raise unknown_field(kind, name)
    if fields[name].kind == "list":
        return name, typed_parts(fields[name], [text])
    return name, parse_value(fields[name], text)


def _anything(about: Field, text: str) -> object:
    return parse_json(text)


def _as_it_is(about: Field, text: str) -> str:
    return text


_READERS: dict[str, Callable[[Field, str], object]] = {
    "int": _whole,
    "bool": _yes_or_no,
    "text": _as_it_is,
    "fraction": _as_it_is,
    "choice": _choice,
    "value": _parse_parts,
}


def _format_part(about: Field) -> str:
    """A part of a value, with what it takes where that is short."""
    takes = "" if about.kind in ("list", "value") else would_do(about)
    return f"{about.name} ({takes})" if takes else about.name


def would_do(about: Field) -> str:
    """Return what an option takes, in short words."""
    if about.kind == "list":
        inner = would_do(about.inner)
        return text("field.list.of", parts=inner) if inner else text("field.list")
    if about.kind == "value":
        return text(
            "field.value", parts=", ".join(map(_format_part, fields_of(about.inner).values()))
        )
    if about.kind == "choice":
        return ", ".join(str(choice) for choice in about.choices if choice != "")
    return "" if about.kind in ("text", "any", "bool") else format_text(about.fits)


def format_default(about: Field) -> str:
    """The default of a field, if it is worth saying."""
    if about.default is REQUIRED:
        return text("field.required")
    if about.default is None or about.default in ("", ()) or about.kind in ("bool", "value"):
        return ""
    if isinstance(about.default, tuple):
        return text("field.default", value=",".join(map(str, about.default)))
    return text("field.default", value=str(about.default))
