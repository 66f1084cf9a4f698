"""Decoration of a roll in a chat: the command before it, and brackets around all of it."""

from __future__ import annotations

import re

from rollwright.i18n.messages import msg
from rollwright.notation.dialects.spellings import COMMAND, COMMANDS
from rollwright.notation.dialects.translation import SpellingChange

INLINE = re.compile(r"\[\[|\]\]")


def inside(text: str, tool: str, changes: list[SpellingChange]) -> tuple[int, int]:
    """Return the start and the end of the roll itself; what is left out is added to the changes."""
    end = len(text.rstrip())
    start = _after_command(text, _after_spaces(text, 0, end), tool, changes)
    start = _after_spaces(text, start, end)
    if tool in ("roll20", "foundry") and _is_around(text, start, end):
        changes.append(SpellingChange("[[ ]]", "", msg("dialect.inline.whole")))
        start, end = start + 2, end - 2
        start = _after_command(text, _after_spaces(text, start, end), tool, changes)
    return start, end


def _after_spaces(text: str, start: int, end: int) -> int:
    return end - len(text[start:end].lstrip())


def _after_command(text: str, start: int, tool: str, changes: list[SpellingChange]) -> int:
    ahead = text[start : start + 12].lower()
    command = next((one for one in COMMANDS[tool] if ahead.startswith(one)), "")
    if not command:
        return start
    end = start + len(command)
    changes.append(SpellingChange(text[start:end], "", COMMAND))
    return end


def _is_around(text: str, start: int, end: int) -> bool:
    """Whether the double brackets at the beginning are closed at the end, and not before."""
    if not text.startswith("[[", start) or text[max(start + 2, end - 2) : end] != "]]":
        return False
    depth = 0
    for found in INLINE.finditer(text, start, end):
        depth += 1 if found.group() == "[[" else -1
        if depth == 0:
            return found.end() == end
    return False
