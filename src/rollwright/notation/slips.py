"""The commonest slips in a text, each with what was probably meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollwright.notation.errors import NotationError

if TYPE_CHECKING:
    from rollwright.notation.parser import Parser
    from rollwright.notation.tree import Node


def closings(parser: Parser) -> str:
    """What closes every bracket that is still open at the end."""
    open_ones = []
    for kind, _, _, _ in parser.tokens:
        if kind in "({":
            open_ones.append(")" if kind == "(" else "}")
        elif kind in ")}" and open_ones:
            open_ones.pop()
    return "".join(reversed(open_ones))


def unexpected(parser: Parser, wanted: str = "") -> NotationError:
    """Something stands where something else should."""
    _, _, start, end = parser.token
    text = parser.text
    if parser.token[0] == "end":
        return NotationError(
            "unexpected-end", text, (start, end), "something is missing at the end",
            text[:start].rstrip() + "1d6", text[:start].rstrip(" +-*/%("),
        )  # fmt: skip
    sentence = f"{wanted or 'a number or dice'} expected here"
    return parser.error(
        "unexpected", sentence,
        *([text[:start] + wanted + text[start:]] if wanted else []),
        text[:start] + "1d6" + text[start:], text[:start] + text[end:],
    )  # fmt: skip


def leftover(parser: Parser) -> NotationError:
    """Something stands behind the end."""
    kind, _, start, _ = parser.token
    text = parser.text
    sentence = "vs compares a whole roll" if kind == "vs" else "nothing was expected here"
    return NotationError(
        "trailing-text", text, (start, len(text)), f"{sentence}, and nothing is ignored",
        *[text[:start] + sign + text[start:] for sign in ("+", "; ", "# ")],
    )  # fmt: skip


def not_dice(parser: Parser, part: Node, start: int) -> NotationError:
    """What is done to dice is said of something else."""
    text, (_, end) = parser.text, part.span
    here = parser.token[2]
    return NotationError(
        "not-dice", text, parser.token[2:],
        "only dice and groups in braces can be treated like that",
        text[:start] + text[start:end].strip("() ") + text[here:],
        f"{{{text[:here].strip()}}}{text[here:]}",
        f"{text[:here]} vs {text[here:].lstrip('=<>')}",
    )  # fmt: skip
