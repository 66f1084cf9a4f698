"""Discord's published limits of commands and messages: whatever breaks one is refused."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

NAME = re.compile(r"[-_'\w]{1,32}")
LOCALES = {"de", "fr", "en-US", "en-GB"}
SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN = 1, 2, 3, 4, 5
MOST_BYTES = 10 * 1024 * 1024
COMMAND_KEYS = {"type", "name", "description", "description_localizations", "options"}
COMMAND_KEYS |= {"default_member_permissions"}
OPTION_KEYS = {"type", "name", "description", "description_localizations", "options", "required"}
OPTION_KEYS |= {"choices", "min_value", "max_value", "max_length", "autocomplete"}
MESSAGE_KEYS = {"content", "embeds", "components", "attachments", "flags", "allowed_mentions"}
EMBED_KEYS = {"title", "description", "color", "author", "image", "footer"}
PNG = b"\x89PNG\r\n\x1a\n"


class Broken(AssertionError):
    """A limit that was broken: the real Discord answers 400."""


def hold(condition: object, what: str) -> None:
    """Refuse where something does not hold."""
    if not condition:
        raise Broken(what)


def within(text: object, low: int, high: int, what: str) -> None:
    """A text whose length, in the units that browsers count, lies between."""
    hold(isinstance(text, str), f"{what} is no text: {text!r}")
    length = len(str(text).encode("utf-16-le")) // 2
    hold(low <= length <= high, f"{what} has {length} signs, {low} to {high} would do: {text!r}")


def check_commands(commands: Sequence[Mapping[str, Any]]) -> None:
    """All commands of an application, as they are overwritten in bulk."""
    hold(len(commands) <= 100, "more than 100 commands")
    names = [command["name"] for command in commands]
    hold(len(set(names)) == len(names), "two commands of one name")
    for command in commands:
        hold(set(command) <= COMMAND_KEYS, f"unknown keys {set(command) - COMMAND_KEYS}")
        hold(command["type"] == 1, "no chat command")
        _check_named(command)
        _check_options(command.get("options", ()), top=True)
        size = command_size(command)
        hold(size <= 8000, f"{command['name']} has {size} signs")


def _check_named(part: Mapping[str, Any]) -> None:
    name = part["name"]
    hold(NAME.fullmatch(name) and name == name.lower(), f"no name: {name!r}")
    within(part["description"], 1, 100, f"the description of {name}")
    for code, text in part.get("description_localizations", {}).items():
        hold(code in LOCALES, f"no locale: {code}")
        within(text, 1, 100, f"the description of {name} in {code}")


def _check_options(options: Sequence[Mapping[str, Any]], *, top: bool) -> None:
    hold(len(options) <= 25, "more than 25 options")
    names = [option["name"] for option in options]
    hold(len(set(names)) == len(names), f"two options of one name: {names}")
    kinds = {option["type"] for option in options}
    hold(kinds <= {SUBCOMMAND} or SUBCOMMAND not in kinds, "subcommands beside other options")
    hold(top or SUBCOMMAND not in kinds, "a subcommand within a subcommand")
    required = [bool(option.get("required")) for option in options]
    hold(required == sorted(required, reverse=True), "a required option behind another")
    for option in options:
        _check_option(option)


def _check_option(option: Mapping[str, Any]) -> None:
    _check_named(option)
    name, kind = option["name"], option["type"]
    hold(set(option) <= OPTION_KEYS, f"unknown keys {set(option) - OPTION_KEYS}")
    hold(kind in (SUBCOMMAND, STRING, INTEGER, BOOLEAN), f"no kind of option: {kind}")
    if kind == SUBCOMMAND:
        _check_options(option.get("options", ()), top=False)
        return
    choices = option.get("choices", ())
    hold(len(choices) <= 25, f"more than 25 choices of {name}")
    hold("choices" not in option or choices, f"no choices of {name}")
    hold(not (choices and option.get("autocomplete")), f"{name} has choices and completes")
    for choice in choices:
        within(choice["name"], 1, 100, f"a choice of {name}")
        within(choice["value"], 1, 100, f"the value of a choice of {name}")
    ends = {"min_value", "max_value"} & set(option)
    hold(not ends or kind == INTEGER, f"{name} is no number and has bounds")
    hold(all(abs(option[end]) <= 2**53 for end in ends), f"the bounds of {name} are too large")
    if "max_length" in option:
        hold(kind == STRING and 1 <= option["max_length"] <= 6000, f"the length of {name}")


def command_size(part: Mapping[str, Any]) -> int:
    """The signs that count: names, descriptions in the longest language, values, all the way."""
    texts = [part.get("description", ""), *part.get("description_localizations", {}).values()]
    own = len(part["name"]) + max(map(len, texts)) + len(str(part.get("value", "")))
    return own + sum(map(command_size, [*part.get("options", ()), *part.get("choices", ())]))


def check_message(data: Mapping[str, Any], files: Mapping[str, bytes]) -> None:
    """A message, with the files that came with it."""
    hold(set(data) <= MESSAGE_KEYS, f"unknown keys {set(data) - MESSAGE_KEYS}")
    hold(data.get("flags", 0) in (0, 64), "unknown flags")
    hold(data.get("allowed_mentions") == {"parse": []}, "somebody could be called by a name")
    something = [data.get(name) for name in ("content", "embeds", "components")]
    hold(any(something) or files, "a message with nothing in it")
    if "content" in data:
        within(data["content"], 1, 2000, "the content")
    _check_embeds(data.get("embeds", ()), data, files)
    _check_components(data.get("components", ()))
    _check_files(data, files)


def _check_embeds(
    embeds: Sequence[Mapping[str, Any]], data: Mapping[str, Any], files: Mapping[str, bytes]
) -> None:
    hold(len(embeds) <= 10, "more than 10 embeds")
    total = 0
    for embed in embeds:
        hold(set(embed) <= EMBED_KEYS, f"unknown keys {set(embed) - EMBED_KEYS}")
        texts = {"title": 256, "description": 4096}
        for name, most in texts.items():
            if name in embed:
                within(embed[name], 1, most, f"the {name} of an embed")
                total += len(embed[name])
        if "author" in embed:
            within(embed["author"]["name"], 1, 256, "the author of an embed")
            total += len(embed["author"]["name"])
        hold(0 <= embed.get("color", 0) <= 0xFFFFFF, "no colour")
        if "image" in embed:
            named = [one["filename"] for one in data.get("attachments", ())]
            hold(embed["image"]["url"] in [f"attachment://{name}" for name in named], "no image")
    hold(total <= 6000, f"embeds of {total} signs")


def _check_files(data: Mapping[str, Any], files: Mapping[str, bytes]) -> None:
    attachments = data.get("attachments", ())
    hold(len(attachments) <= 10, "more than 10 files")
    for one in attachments:
        hold(f"files[{one['id']}]" in files, "an attachment without its file")
        within(one.get("description", "-"), 1, 1024, "the description of a file")
    hold(len(files) == len(attachments), "a file that no attachment names")
    for held in files.values():
        hold(held.startswith(PNG), "no PNG")
        hold(len(held) <= MOST_BYTES, "a file of more than 10 MB")


def _check_components(rows: Sequence[Mapping[str, Any]]) -> None:
    hold(len(rows) <= 5, "more than 5 rows")
    ids: list[str] = []
    for row in rows:
        hold(row["type"] == 1, "what is no row")
        parts = row["components"]
        menus = [part for part in parts if part["type"] == 3]
        hold(1 <= len(parts) <= (1 if menus else 5), "a row with too much or nothing in it")
        for part in parts:
            within(part["custom_id"], 1, 100, "a custom id")
            ids.append(part["custom_id"])
            (_check_menu if part["type"] == 3 else _check_button)(part)
    hold(len(set(ids)) == len(ids), "two parts of one custom id")


def _check_button(part: Mapping[str, Any]) -> None:
    hold(set(part) == {"type", "style", "label", "custom_id"}, "unknown keys of a button")
    hold(part["type"] == 2 and part["style"] in (1, 2, 3, 4), "no button")
    within(part["label"], 1, 80, "a label")


def _check_menu(part: Mapping[str, Any]) -> None:
    options = part["options"]
    hold(1 <= len(options) <= 25, "a menu of too many options")
    within(part.get("placeholder", ""), 0, 150, "a placeholder")
    values = [option["value"] for option in options]
    hold(len(set(values)) == len(values), "two options of one value")
    for option in options:
        within(option["label"], 1, 100, "an option")
        within(option["value"], 1, 100, "the value of an option")


def check_choices(choices: Sequence[Mapping[str, Any]]) -> None:
    """What completes an option."""
    hold(len(choices) <= 25, "more than 25 choices")
    for choice in choices:
        hold(set(choice) == {"name", "value"}, "unknown keys of a choice")
        within(choice["name"], 1, 100, "a choice")
        within(choice["value"], 1, 100, "the value of a choice")
