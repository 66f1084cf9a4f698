"""Shorthands of chat rollers for systems that count successes: Year Zero, and those of Darkness."""

from __future__ import annotations

import re
from collections.abc import Callable

from rollwright.i18n.messages import Message, msg
from rollwright.notation.dialects.chat import inside
from rollwright.notation.dialects.translation import SpellingChange, Translation, untranslatable

Spelled = tuple[str, Message]
"""A shorthand in our spelling, and why."""

POOLS = {"b": "base", "s": "skill", "g": "gear", "n": "negative"}
STEPS = {"a": 12, "b": 10, "c": 8, "d": 6}
"""Attributes and skills of games with step dice, by their letter."""
ONE_POOL = r"(?:[0-9]+d?[bsgn]|[abcd](?![0-9a-z]))"
YEAR_ZERO = re.compile(
    rf"(?<![\w@.])(?:(?P<all>[0-9]+)yz|(?P<pools>{ONE_POOL}(?:\s*(?:\+\s*)?{ONE_POOL})*)"
    r"|(?P<steps>d(?:6|8|10|12)(?:\s+d(?:6|8|10|12))+))(?!\w)",
    re.IGNORECASE,
)
POOL = re.compile(r"([0-9]*)d?([a-z])", re.IGNORECASE)
SIZE = re.compile(r"[0-9]+")
WOD = re.compile(r"(?<![\w@.])([0-9]+)wod([0-9]*)(s?)(?!\w)", re.IGNORECASE)
COFD = re.compile(r"(?<![\w@.])([0-9]+)cod(8|9|10)?(r?)(?!\w)", re.IGNORECASE)
ASIDE = re.compile(r"#.*|\[[^\][]*\]", re.DOTALL)
STEPPED = msg("dialect.yearzero.step")
USUAL_DIFFICULTY = 6
HIGHEST = 10


def year_zero(text: str) -> Translation:
    """`6yz`; pools by their colours: `4b3s2g`, `5db 3ds 2dg`; step dice: `a c`, `d12 d8`."""
    return _replace(text, "yearzero", YEAR_ZERO, _year_zero)


def _year_zero(text: str, found: re.Match[str]) -> Spelled:
    why = msg("dialect.yearzero")
    if found["all"]:
        return f"{found['all']}d6=6", why
    if found["steps"]:
        return " + ".join(map(_step, map(int, SIZE.findall(found["steps"])))), STEPPED
    made, stepped = "", False
    for count, letter in POOL.findall(found["pools"].lower()):
        sign = " - " if letter == "n" else " + "
        dice = f"{count}d6=6[{POOLS[letter]}]" if count else _step(STEPS[letter])
        stepped = stepped or not count
        made += f"{sign if made or sign == ' - ' else ''}{dice}"
    return made.strip(), STEPPED if stepped else why


def _step(sides: int) -> str:
    """A step die: from 6 it is a success, and from 10 two."""
    return f"1d{sides}t6t10" if sides >= HIGHEST else f"1d{sides}t6"


def world_of_darkness(text: str) -> Translation:
    """`6wod7` is six dice at difficulty 7; `6wod7s` with a specialty."""
    return _replace(text, "wod", WOD, _wod)


def _wod(text: str, found: re.Match[str]) -> Spelled:
    count, difficulty, special = found.groups()
    need = int(difficulty[:3] or USUAL_DIFFICULTY)
    if not 2 <= need <= HIGHEST:
        raise untranslatable(
            text, found.span(), f"a difficulty there is 2 to {HIGHEST}, not {difficulty[:3]}",
            f"{count}d10>={USUAL_DIFFICULTY}f=1",
        )  # fmt: skip
    if not special:
        return f"{count}d10>={need}f=1", msg("dialect.wod", need=need)
    return f"{count}d10t{need}t{HIGHEST}f=1", msg("dialect.wod.special", need=need)


def chronicles_of_darkness(text: str) -> Translation:
    """`5cod`, with `8` or `9` again, and `0cod` for the chance die."""
    return _replace(text, "cofd", COFD, _cofd)


def _cofd(text: str, found: re.Match[str]) -> Spelled:
    count, again, rote = found.groups()
    if int(count[:5]) == 0:
        return "1d10=10f=1", msg("dialect.cofd.chance")
    explodes, why = f"!={HIGHEST}", msg("dialect.cofd")
    if again in ("8", "9"):
        explodes, why = f"!>={again}", msg("dialect.cofd.again", again=again)
    if rote:
        near = f"{count}d10ro<8{explodes}>=8"
        raise untranslatable(
            text, found.span(),
            "a rote action re-rolls only the dice of the first throw; here dice that explode are "
            "re-rolled like the others, which is a little more",
            text[: found.start()] + near + text[found.end() :],
        )  # fmt: skip
    return f"{count}d10{explodes}>=8", why


def _replace(
    text: str,
    tool: str,
    shorthand: re.Pattern[str],
    spelled: Callable[[str, re.Match[str]], Spelled],
) -> Translation:
    """The text with every shorthand spelled out; labels and comments stay as they are."""
    changes: list[SpellingChange] = []
    start, end = inside(text, tool, changes)
    made: list[str] = []
    for aside in [*ASIDE.finditer(text, start, end), None]:
        until = end if aside is None else aside.start()
        for found in shorthand.finditer(text, start, until):
            after, why = spelled(text, found)
            changes.append(SpellingChange(found.group(), after, why))
            made += [text[start : found.start()], after]
            start = found.end()
        stop = end if aside is None else aside.end()
        made.append(text[start:stop])
        start = stop
    return Translation("".join(made).strip(), tuple(changes))
