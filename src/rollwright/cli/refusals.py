"""What went wrong, as one sentence: what came, what would do, the likely slip."""

from __future__ import annotations

import click

from rollwright.errors import RollwrightError, did_you_mean


def sentence(problem: Exception) -> str:
    """The one line that a person gets for a failure."""
    if isinstance(problem, click.NoSuchOption):
        return _no_such_option(problem)
    if isinstance(problem, click.ClickException):
        return problem.format_message()
    if isinstance(problem, RollwrightError):
        return str(problem)
    if isinstance(problem, OSError):
        return f"{problem.filename or 'file'}: {problem.strerror or problem}"
    if isinstance(problem, UnicodeError):
        return "there are signs in this that are no text"
    if isinstance(problem, RecursionError):
        return "this is nested too deeply to be worked out"
    if isinstance(problem, MemoryError):
        return "there is not enough memory for this"
    return f"this should not have happened, please report it: {problem!r}"


def _no_such_option(problem: click.NoSuchOption) -> str:
    known: list[str] = []
    if problem.ctx is not None:
        for parameter in problem.ctx.command.get_params(problem.ctx):
            known += [name for name in parameter.opts if name.startswith("--")]
    said = f"there is no option {problem.option_name!r} here"
    guess = did_you_mean(problem.option_name, sorted(known))
    return said + (guess if "did you mean" in guess else "; --help lists the options")


def unknown(kind: str, name: str, known: list[str]) -> click.UsageError:
    """The refusal of a name that nobody knows."""
    return click.UsageError(f"there is no {kind} {name!r}{did_you_mean(name, sorted(known))}")
