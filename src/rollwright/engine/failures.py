"""Errors inside a rule: reported with the faces and choices that led there, in few lines."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from rollwright.hands import Hand

if TYPE_CHECKING:
    from rollwright.engine.compiled.positions import Compiling

OURS = str(Path(__file__).parents[1])
MOST_TOLD = 20
"""Answers of a way in an error, the last ones."""


def note_answers(problem: BaseException, way: tuple[Any, ...]) -> None:
    """Note the first answers that were followed by something that goes wrong."""
    if not hasattr(problem, "rollwright_way"):
        problem.rollwright_way = way  # type: ignore[attr-defined]


def explain_answers(problem: BaseException, compiling: Compiling) -> None:
    """Add to something that went wrong in a rule which faces and choices led there."""
    way: Any = getattr(problem, "rollwright_way", None)
    if way is None or getattr(problem, "rollwright_told", False):
        return
    problem.rollwright_told = True  # type: ignore[attr-defined]
    call, *tokens = way
    if type(call).__name__ == "At":
        call, tokens = _to_position(call, tokens, compiling)
    told = [_format_token(token) for token in tokens]
    more = "… " if len(told) > MOST_TOLD else ""
    after = f"after {more}{', '.join(told[-MOST_TOLD:])}" if told else "before anything was thrown"
    problem.add_note(f"in {getattr(call, 'call', call)!r}, {after}")


def _to_position(at: Any, tokens: list[Any], compiling: Compiling) -> tuple[Any, list[Any]]:
    """The rule and all answers that led to a position of it."""
    positions = compiling.positions
    number = next((n for n, one in enumerate(positions) if one is at), None)
    while number is not None and number in compiling.came:
        number, token = compiling.came[number]
        tokens = [token, *tokens]
    name = at.frame[0].program.name if at.frame is not None else "this rule"
    return _NameRepr(f"{name}(…), line {at.line}"), tokens


class _NameRepr:
    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


def _format_token(token: Any) -> str:
    if isinstance(token, Hand):
        from rollwright.engine.compiled.partial_hands import (
            PartialHand,  # not loaded for small rules
        )

        if type(token) is PartialHand:
            return token.describe() or "dice that were not looked at"
        return " ".join([f"{die!r}: {reading}" for die, reading in token.pairs])
    return repr(getattr(token, "outcome", token))


class Brief:
    """Leaves our own lines out of tracebacks of what goes wrong in a rule, a policy or a goal."""

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: object, problem: BaseException | None, _: object) -> None:
        if isinstance(problem, Exception):
            problem.__traceback__ = _authors(problem.__traceback__) or problem.__traceback__


def _authors(found: TracebackType | None) -> TracebackType | None:
    """The lines of a traceback that are not ours."""
    kept: list[TracebackType] = []
    while found is not None:
        if not found.tb_frame.f_code.co_filename.startswith(OURS):
            kept.append(found)
        found = found.tb_next
    after: TracebackType | None = None
    for line in reversed(kept):
        after = TracebackType(after, line.tb_frame, line.tb_lasti, line.tb_lineno)
    return after
