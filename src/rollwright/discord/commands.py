"""Slash commands made from what games say of themselves, and what somebody typed read back.

Every kind of roll is a subcommand of its game, every plain field one of its options. What Discord
has no room for is said in the option `more`, as `name=value; name=value`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from rollwright import queries
from rollwright.client.field_parser import completions, parse_field, parse_fields
from rollwright.client.venues import BotRollSpec
from rollwright.errors import CodedError
from rollwright.i18n.catalogs import words_of
from rollwright.i18n.codes import ENGLISH
from rollwright.i18n.messages import HOUSE, msg
from rollwright.jsonable import EXACT_IN_EVERY_PARSER

SUBCOMMAND, TEXT, NUMBER, SWITCH = 1, 3, 4, 5
MOST_COMMANDS, MOST_OPTIONS, MOST_CHOICES = 100, 25, 25
LONGEST_NAME, LONGEST_DESCRIPTION, LONGEST_CHOICE = 32, 100, 100
LARGEST_COMMAND = 8000
"""Signs of all names, descriptions and choices of one command."""
WIDTHS = (100, 72, 48, 32, 20, 10)
"""How long descriptions may be: the first width at which a command is not too large."""
MANAGE_CHANNELS = "16"
PICK, MORE, PRIVATE, ODDS, DICE, WHERE, LINK, WATCH = (
    *("pick", "more", "private", "odds", "dice", "where", "link", "watch"),
)
OWN = (PICK, PRIVATE, ODDS, MORE)
"""Options that every roll has beside its fields."""
BASE = ("roll", "push", "odds", "table", "seat")
LARGEST = EXACT_IN_EVERY_PARSER
NOT_IN_A_NAME = re.compile(r"[^-_\w]", re.U)


@cache
def games() -> dict[str, Mapping[str, Any]]:
    """Everything about each game, by the name of its command."""
    names = [game["name"] for game in queries.answer("describe", {})["games"]]
    found: dict[str, Mapping[str, Any]] = {}
    for name in names[: MOST_COMMANDS - len(BASE)]:
        command = to_command_name(name)
        command = f"game-{command}"[:LONGEST_NAME] if command in BASE else command
        found.setdefault(command, queries.answer("describe", {"game": name}))
    return found


def to_command_name(name: str) -> str:
    """A name as commands and options have them: `night-ferry` for `Night Ferry`."""
    return NOT_IN_A_NAME.sub("-", name)[:LONGEST_NAME].lower()


def commands() -> list[dict[str, Any]]:
    """All commands, as they are registered."""
    base = [
        _command("roll", _option(DICE, required=True), _option(PRIVATE, type=SWITCH)),
        _command("push"),
        _command("odds", _option(DICE), _option(WHERE)),
        _command("table", *map(_option, (LINK, WATCH)), default_member_permissions=MANAGE_CHANNELS),
        _command("seat", _option(LINK)),
    ]
    return [*base, *(_of_game(name, about) for name, about in games().items())]


def _command(name: str, *options: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A command of ours, described in every language."""
    return {"type": 1, **_describe(name, f"discord.do.{name}"), "options": [*options], **more}


def _describe(name: str, id: str) -> dict[str, Any]:
    words = words_of(HOUSE)
    others = {code: clip(words.say([id], code)) for code in words.languages if code != ENGLISH}
    described = clip(words.say([id]))
    return {"name": name, "description": described, "description_localizations": others}


def _option(name: str, **more: Any) -> dict[str, Any]:
    return {"type": TEXT, **_describe(name, f"discord.option.{name}"), **more}


def _of_game(command: str, about: Mapping[str, Any]) -> dict[str, Any]:
    """The command of a game, with descriptions as long as there is room for."""
    for width in WIDTHS:
        rolls = [_of_roll(roll, width) for roll in list(about["rolls"].values())[:MOST_OPTIONS]]
        described = clip(about["summary"] or about["title"])
        made = {"type": 1, "name": command, "description": described, "options": rolls}
        if count_signs(made) <= LARGEST_COMMAND:
            return made
    for roll in rolls:  # every field is said in `more`
        roll["options"] = [one for one in roll["options"] if one["name"] in OWN]
    return made


def count_signs(command: Mapping[str, Any]) -> int:
    """The signs of a command that count: in every part, those of the longest language."""
    texts = [command.get("description", ""), *command.get("description_localizations", {}).values()]
    own = len(command["name"] + str(command.get("value", ""))) + max(map(len, texts))
    return own + sum(map(count_signs, [*command.get("options", ()), *command.get("choices", ())]))


def _of_roll(roll: Mapping[str, Any], width: int) -> dict[str, Any]:
    fields = [_of_field(field, width) for field in fields_in(roll)]
    switches = [_option(name, type=SWITCH) for name in (PRIVATE, ODDS)]
    pick, more = _option(PICK, autocomplete=True), _option(MORE, autocomplete=True)
    options = [pick, *fields, *switches, more]
    described = clip(roll["help"] or roll["title"], width)
    about = {"name": to_command_name(roll["roll"]), "description": described}
    return {"type": SUBCOMMAND, **about, "options": options}


def fields_in(roll: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The fields that are options of their own; all others are said in `more`."""
    plain = [one for one in roll["fields"] if one.get("items", one)["kind"] != "value"]
    return [one for one in plain if to_command_name(one["name"]) not in OWN][
        : MOST_OPTIONS - len(OWN)
    ]


def _of_field(field: Mapping[str, Any], width: int) -> dict[str, Any]:
    described = clip(field.get("help") or field["title"], width)
    option: dict[str, Any] = {"name": to_command_name(field["name"]), "description": described}
    if field["kind"] == "bool":
        return {"type": SWITCH, **option}
    if field["kind"] == "int":
        ends = {"min_value": field.get("low"), "max_value": field.get("high")}
        held = {name: end for name, end in ends.items() if end is not None and abs(end) < LARGEST}
        return {"type": NUMBER, **option, **held}
    choices = [one for one in field.get("choices", ()) if 0 < len(one) <= LONGEST_CHOICE]
    if field["kind"] == "choice" and len(choices) <= MOST_CHOICES:
        return {"type": TEXT, **option, "choices": [{"name": c, "value": c} for c in choices]}
    return {"type": TEXT, **option}


def clip(text: str, width: int = LONGEST_DESCRIPTION) -> str:
    """A text that is not longer than so many signs, in one line."""
    return cut(" ".join(text.split()), width)


def cut(text: str, most: int) -> str:
    """A text of at most so many signs, counted as UTF-16, in which many a sign counts as two."""
    units = text.encode("utf-16-le")
    if len(units) <= 2 * most:
        return text
    return units[: 2 * most - 2].decode("utf-16-le", "ignore").rstrip(" \\") + "…"


def kind_of(command: str, roll: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """A game and one of its rolls, by the names of a command and its subcommand."""
    about = games().get(command, {"rolls": {}})
    kinds = [one for one in about["rolls"].values() if to_command_name(one["roll"]) == roll]
    if not kinds:
        raise CodedError("not_found", msg("discord.unknown"))
    return about, kinds[0]


def roll_spec_of(command: str, roll: str, given: Mapping[str, Any]) -> BotRollSpec:
    """Return the roll that the options of a game's command ask for."""
    about, kind = kind_of(command, roll)
    fields = {to_command_name(field["name"]): field for field in fields_in(kind)}
    known = [(fields[name], value) for name, value in given.items() if name in fields]
    held = {field["name"]: parse_field(value, field) for field, value in known}
    more, pick = (parse_fields(str(given.get(name) or ""), name) for name in (MORE, PICK))
    private = bool(given.get(PRIVATE))
    return BotRollSpec("", about["name"], kind["roll"], pick, {**held, **more}, private)


def completion_choices(typed: str, offered: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    """Return the completions of an option, as choices."""
    fits = [row for row in completions(typed, offered) if len(row[0]) <= LONGEST_CHOICE]
    return [{"name": clip(label), "value": value} for value, label in fits[:MOST_CHOICES]]


def more_fields(kind: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The fields that have no option of their own, with what they are."""
    own = [field["name"] for field in fields_in(kind)]
    rest = [field for field in kind["fields"] if field["name"] not in own]
    return [(f"{one['name']}=", f"{one['name']}: {one.get('would_do', '')}") for one in rest]
