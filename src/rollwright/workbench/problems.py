"""The problems of a program: at their lines, as one sentence in the reader's language.

Python's own words are kept as a traceback for those who ask; nobody has to read one.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from traceback import format_exception
from types import CodeType, ModuleType, TracebackType
from typing import TYPE_CHECKING, cast

from rollwright.errors import RollwrightError, TooMuchWork, likeliest
from rollwright.i18n.locale import format_text
from rollwright.i18n.messages import Message, Value
from rollwright.queries.errors import error_of
from rollwright.workbench.texts import ExpressionLine, ProgramText, text_place

if TYPE_CHECKING:
    from rollwright.workbench.shapes import ProblemShown, TextPlace

HOME = "rollwright.workbench"
FILE = "<program>"
"""Name of a program where Python names files."""
ABOVE = "<above>"
"""Name of the examples above one: their problems are reported in their own place."""
LONGEST_SENTENCE, LONGEST_TRACE, LONGEST_NAME = 600, 8_000, 60
DICE = re.compile(r"(?<![\w.])\d+[dDwW](?:\d+|%|F\b)[\w!<>=]*")
ANYDICE = re.compile(r"^[ \t]*(output\b(?!\s*[=.(:])|function\s*:|loop\s+[A-Z]+\s+over\b)", re.M)
"""How statements of AnyDice begin, and nothing of ours."""
ONE_DIE = re.compile(r"[dDwW]\d+")
SLIPS: tuple[tuple[str, str], ...] = (
    (r"unterminated .*string literal|EOL while scanning", "text_open"),
    (r"'(?P<sign>.)' was never closed", "bracket_open"),
    (r"unmatched '(?P<sign>.)'", "bracket_extra"),
    (r"closing parenthesis '(?P<sign>.)' does not match", "bracket_other"),
    (r"expected ':'", "colon"),
    (r"expected an indented block", "indent_missing"),
    (r"unexpected indent", "indent_extra"),
    (r"unindent does not match|inconsistent use of tabs", "indent_mixed"),
    (r"Maybe you meant '=='", "equals"),
    (r"Perhaps you forgot a comma", "comma"),
    (r"'await' outside", "await_outside"),
    (r"'return' outside", "return_outside"),
    (r"invalid decimal literal|leading zeros", "number"),
)
"""Python's messages for a text that it cannot read, and our names for them."""
PLAIN: tuple[tuple[type[BaseException], str], ...] = (
    (ZeroDivisionError, "zero"),
    (AssertionError, "assert"),
    (KeyError, "key"),
    (IndexError, "index"),
    (UnicodeError, "unicode"),
)


def msg(id: str, /, **values: Value) -> str:
    """Return a message of the workbench in the reader's language."""
    return format_text(Message(id, values, HOME))


def problem_of(
    problem: BaseException, text: ProgramText, known: Collection[str], where: TextPlace
) -> ProblemShown:
    """Return the problem of a program that ran; `where` is the statement that was at work."""
    place = _place(problem.__traceback__, text) or where
    code, message, suggestions = _explain(problem, known)
    return {
        **place,
        "code": code,
        "message": message[:LONGEST_SENTENCE],
        "suggestions": suggestions,
        "traceback": _trace(problem),
    }


def slip_of(problem: SyntaxError | ValueError, text: ProgramText) -> ProblemShown:
    """Return the problem of a text that Python cannot read."""
    line, column = getattr(problem, "lineno", None) or 1, getattr(problem, "offset", None) or 1
    end_line = getattr(problem, "end_lineno", None) or line
    end = getattr(problem, "end_offset", None) or column
    lines = text.python.split("\n")
    line = min(line, len(lines))
    message, suggestions = _slip(problem, lines[line - 1], below=line > 1)
    return {
        **text_place(line, max(column - 1, 0), max(end_line, line), max(end - 1, column, 1)),
        "code": "bad_syntax",
        "message": message,
        "suggestions": suggestions,
        "traceback": _trace(problem),
    }


def unread(problem: BaseException, line: ExpressionLine) -> ProblemShown:
    """Return the problem of a dice expression, at its place in its line."""
    error = error_of(problem)
    start, end = error.get("start", 0), error.get("end", len(line.expression))
    return {
        **text_place(line.number, line.column + start, line.number, line.column + max(end, start)),
        "code": error["code"],
        "message": error["message"],
        "suggestions": error.get("suggestions", []),
        "traceback": "",
    }


def foreign(text: ProgramText) -> ProblemShown | None:
    """That a text is a program of AnyDice, which can be worked out and put into ours."""
    if (found := ANYDICE.search(text.whole)) is None:
        return None
    line = text.whole.count("\n", 0, found.start(1)) + 1
    column = found.start(1) - text.whole.rfind("\n", 0, found.start(1)) - 1
    return {
        **text_place(line, column, line, column + len(found[1])),
        "code": "anydice",
        "message": msg("problem.anydice"),
        "suggestions": [],
        "traceback": "",
    }


def foreign_wrong(problem: RollwrightError, at: ProblemShown) -> ProblemShown:
    """Return the problem of an AnyDice program, at its place if it has one."""
    from rollwright.anydice.errors import AnyDiceError

    code = "too_much_work" if isinstance(problem, TooMuchWork) else "refused"
    told: ProblemShown = {**at, "code": code, "message": str(problem)}
    if isinstance(problem, AnyDiceError):
        first, column = problem.line, problem.column - 1
        inside = problem.text[slice(*problem.span)]
        last = first + inside.count("\n")
        end = len(inside.rpartition("\n")[2]) + (column if last == first else 0)
        told = {**told, **text_place(first, column, last, end), "message": str(problem.problem)}
    return told


def _slip(problem: SyntaxError | ValueError, line: str, *, below: bool) -> tuple[str, list[str]]:
    """Return the problem in a sentence, and what to write instead if that is known."""
    if dice := DICE.search(line):
        instead = f'rw.odds("{dice[0]}")'
        if not _is_in_quotes(line, dice.start()):
            return msg("problem.dice", dice=dice[0], instead=instead), [instead]
    told = str(getattr(problem, "msg", problem))
    for pattern, name in SLIPS:
        if found := re.search(pattern, told):
            return msg(f"problem.{name}", **found.groupdict()), []
    return msg("problem.syntax" if below else "problem.neither"), []


def _is_in_quotes(line: str, place: int) -> bool:
    return line[:place].count('"') % 2 == 1 or line[:place].count("'") % 2 == 1


def _explain(problem: BaseException, known: Collection[str]) -> tuple[str, str, list[str]]:
    """Return a code, a sentence, and what to write instead."""
    if isinstance(problem, RollwrightError | RecursionError | MemoryError):
        error = error_of(problem)
        code = error["code"] if error["code"] != "bad_request" else "refused"
        return code, error["message"], list(error.get("suggestions", []))
    if isinstance(problem, NameError):
        return _unknown(problem, known)
    if isinstance(problem, AttributeError) and problem.name:
        return _no_part(problem)
    if isinstance(problem, ImportError):
        name = str(problem.name or problem)[:LONGEST_NAME]
        return "unknown_name", msg("problem.module", name=name), []
    if isinstance(problem, SystemExit):
        return "left", msg("problem.left"), []
    for kind, name in PLAIN:
        if isinstance(problem, kind):
            return "failed", msg(f"problem.{name}", text=_text(problem)), []
    text, kind_name = _text(problem), type(problem).__name__
    return "failed", msg("problem.failed", text=text or kind_name, kind=kind_name), []


def _text(problem: BaseException) -> str:
    """Return an exception's own text, if it has one."""
    try:
        return " ".join(str(problem).split())[:LONGEST_SENTENCE]
    except Exception:  # whatever somebody's exception does when it is asked
        return ""


def _unknown(problem: NameError, known: Collection[str]) -> tuple[str, str, list[str]]:
    name = str(problem.name or "")[:LONGEST_NAME]
    if isinstance(problem, UnboundLocalError):
        return "unknown_name", msg("problem.unbound", name=name), []
    if ONE_DIE.fullmatch(name):
        instead = f"D{name[1:]}" if f"D{name[1:]}" in known else f"Die({name[1:]})"
        return _close(name, instead)
    if name in _library():
        return _close(name, f"rw.{name}")
    return _guess_name("problem.name", name, sorted(known), thing="")


def _library() -> Collection[str]:
    """The names of the library as a whole."""
    import rollwright

    return rollwright.__all__


def _close(name: str, instead: str) -> tuple[str, str, list[str]]:
    return "unknown_name", msg("problem.name.close", name=name, close=instead), [instead]


def _no_part(problem: AttributeError) -> tuple[str, str, list[str]]:
    held = problem.obj
    names = [name for name in (*dir(held), *getattr(held, "__all__", ())) if name[0] != "_"]
    thing = getattr(held, "__name__", "") if isinstance(held, (type, ModuleType)) else ""
    return _guess_name("problem.part", str(problem.name), names, thing=thing or type(held).__name__)


def _guess_name(id: str, name: str, known: list[str], thing: str) -> tuple[str, str, list[str]]:
    """That there is no such name, and which one was probably meant."""
    close = likeliest(name, known)
    if not close:
        return "unknown_name", msg(id, name=name, thing=thing), []
    return "unknown_name", msg(f"{id}.close", name=name, thing=thing, close=close), [close]


def _place(trace: TracebackType | None, text: ProgramText) -> TextPlace | None:
    """Return the place of the problem: the innermost of the program's own lines."""
    found = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE:
            found = trace
        trace = trace.tb_next
    if found is None:
        return None
    code: CodeType = found.tb_frame.f_code
    places = list(code.co_positions())
    line, end_line, column, end = places[found.tb_lasti // 2]
    if line is None or column is None:
        return text_place(found.tb_lineno)
    return text_place(
        line,
        text.character(line, column),
        end_line or line,
        text.character(end_line or line, cast("int", end)),
    )


def _trace(problem: BaseException) -> str:
    """Return Python's traceback."""
    told = "".join(format_exception(problem, chain=False))
    return told if len(told) <= LONGEST_TRACE else "…\n" + told[-LONGEST_TRACE:]
