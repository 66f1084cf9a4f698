"""Fields as people type them into a chat, `name=value; name=value`, made into plain data.

Fields are described as `describe` and `GET /games/{name}` do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rollwright.errors import CodedError, RollwrightError
from rollwright.i18n.messages import msg
from rollwright.jsonable import parse_json

NEXT_PART = re.compile(r";\s*(?=[\w.]+\s*=)")
WHOLE = re.compile(r"[+-]?\d{1,15}")
LONGEST = 60
"""Signs of what cannot be read that are named."""


def parse_fields(text: str, option: str = "fields") -> dict[str, Any]:
    """Parse a line into values by the paths of its fields; `option` is where it was typed.

    >>> parse_fields("targets=[{\\"name\\": \\"Guard\\"}]; active.modifier = 2")
    {'targets': [{'name': 'Guard'}], 'active': {'modifier': 2}}
    """
    found: dict[str, Any] = {}
    for part in NEXT_PART.split(text.strip().rstrip(";")):
        path, equal, value = part.partition("=")
        if not part.strip():
            continue
        *above, name = path.strip().split(".")
        held: Any = found
        for step in above:
            held = held.setdefault(step, {}) if isinstance(held, dict) else None
        if not equal or not name or not isinstance(held, dict):
            where = {"option": option, "text": part.strip()[:LONGEST]}
            raise CodedError("bad_field", msg("typed.unread", **where), option)
        held[name] = parse_value(value)
    return found


def parse_field(value: Any, field: Mapping[str, Any]) -> Any:
    """Parse what somebody typed as the field takes it.

    >>> parse_field("2, -1", {"kind": "list", "items": {"kind": "int"}})
    [2, -1]
    """
    if not isinstance(value, str) or field["kind"] in ("text", "choice", "fraction"):
        return value
    if field["kind"] != "list" or value.lstrip().startswith("["):
        return parse_value(value)
    parts = [part.strip() for part in value.split(",")]
    return [parse_field(part, field["items"]) for part in parts if part]


def parse_value(text: str) -> Any:
    """A number, or a list, fields or a word of JSON; else the text itself."""
    text = text.strip()
    if WHOLE.fullmatch(text):
        return int(text)
    if text.startswith(("[", "{", '"')) or text in ("true", "false", "null"):
        try:
            return parse_json(text)
        except RollwrightError:
            return text
    return text


def completions(typed: str, offered: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the completions of a line among the parts that are offered, each with its name.

    >>> completions("skill=recon; we", [("weapon=M4", "weapon: M4"), ("skill=tech", "skill: tech")])
    [('skill=recon; weapon=M4', 'skill=recon; weapon: M4')]
    """
    before, semicolon, last = typed.rpartition(";")
    first = f"{before.strip()}; " if semicolon else ""
    wanted = last.strip().casefold()
    return [
        (first + value, first + label)
        for value, label in offered
        if wanted in value.casefold() or wanted in label.casefold()
    ]
