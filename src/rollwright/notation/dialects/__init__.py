"""Expressions in other tools' spelling, put into ours, with what was changed and why."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from rollwright.errors import UnknownName
from rollwright.i18n.messages import msg
from rollwright.notation.dialects.chat import inside
from rollwright.notation.dialects.reader import DialectReader
from rollwright.notation.dialects.shorthands import (
    chronicles_of_darkness,
    world_of_darkness,
    year_zero,
)
from rollwright.notation.dialects.spellings import COMMANDS
from rollwright.notation.dialects.translation import SpellingChange as SpellingChange
from rollwright.notation.dialects.translation import Translation as Translation
from rollwright.notation.dialects.translation import VariablePrompt as VariablePrompt
from rollwright.notation.errors import NotationError
from rollwright.notation.parser import parse
from rollwright.notation.programs import problem_in
from rollwright.notation.tree import Expression, VersusNode

FOREIGN = ("[[", *(command for commands in COMMANDS.values() for command in commands))
LONGEST = 8_000
LONGEST_OFFERED = 1_000


class Dialect(NamedTuple):
    """A way to write dice."""

    name: str
    title: str
    read: Callable[[str], Translation]


def _of_tool(tool: str, text: str) -> Translation:
    return DialectReader(text, tool).translate()


OURS = "rollwright"
OF_D20 = frozenset(["roll20", "foundry", "avrae"])
"""Those of tables that play with a d20, where 20 and 1 are more than numbers."""
DIALECTS = {
    one.name: one
    for one in (
        Dialect(OURS, "Rollwright", Translation),
        Dialect("roll20", "Roll20", partial(_of_tool, "roll20")),
        Dialect("foundry", "Foundry", partial(_of_tool, "foundry")),
        Dialect("avrae", "Avrae", partial(_of_tool, "avrae")),
        Dialect("yearzero", "Year Zero", year_zero),
        Dialect("wod", "World of Darkness", world_of_darkness),
        Dialect("cofd", "Chronicles of Darkness", chronicles_of_darkness),
    )
}


def translate(text: str, dialect: str) -> Translation:
    """An expression in the spelling of another tool in ours, with every change and its reason.

    The dialects are roll20, foundry, avrae, yearzero, wod and cofd; rollwright is our own.

    >>> translate("4d6r<2", "roll20").text
    '4d6rr<=2'
    >>> translate("4d6r<2", "foundry").text
    '4d6ro<2'
    """
    known = DIALECTS.get(dialect.lower())
    if known is None:
        raise UnknownName("dialect", dialect, DIALECTS)
    if len(text) > LONGEST:
        sentence = f"an expression of another tool has at most {LONGEST:,} characters"
        raise NotationError("too-long", text, (LONGEST, len(text)), sentence)
    found = known.read(text)
    line = parse(found.text)
    return _with_naturals(found, line) if known.name in OF_D20 else found


def _with_naturals(made: Translation, line: Expression) -> Translation:
    """Add natural 20 and natural 1, which matter there when a d20 is thrown against a target."""
    plain = [
        throws.span[1]
        for throws in line.rolls
        if isinstance(throws.part, VersusNode) and not throws.part.natural
    ]
    if not plain or len(made.text) > LONGEST_OFFERED:
        return made
    text = made.text
    for end in reversed(plain):
        text = f"{text[:end]} nat{text[end:]}"
    if problem_in(text) is not None:
        return made  # there is no d20, or more than one
    changes = (*made.changes, SpellingChange(made.text, text, msg("dialect.natural")))
    return made._replace(text=text, changes=changes)


class Interpretation(NamedTuple):
    """The meaning of a line in another dialect."""

    dialect: str
    text: str


def interpretations(text: str) -> tuple[Interpretation, ...]:
    """Return the meanings of a line elsewhere that it does not have here, in our spelling.

    >>> [tuple(one) for one in interpretations("4d6r<2")]
    [('roll20', '4d6rr<=2'), ('foundry', '4d6ro<2')]
    >>> interpretations("4d6kh3")
    ()
    """
    if len(text) > LONGEST_OFFERED:
        return ()
    found: dict[str, Interpretation] = {}
    start, end = inside(text, "foundry", [])
    for name in DIALECTS:
        try:
            made = translate(text, name)
            ours = made.fill(made.defaults)
        except NotationError:
            continue
        if ours not in (text.strip(), text[start:end].strip()):
            found.setdefault(ours, Interpretation(name, ours))
    return tuple(found.values())


def looks_foreign(text: str) -> bool:
    """Whether a line that can be read here comes from a chat, where it may mean something else.

    >>> looks_foreign("/r 10d10>8"), looks_foreign("10d10>8")
    (True, False)
    """
    return text.lstrip()[:12].lower().startswith(FOREIGN)
