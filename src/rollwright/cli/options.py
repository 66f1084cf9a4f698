"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rollwright.cli.asking import KIND

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

F = TypeVar("F", bound=Callable[..., Any])
MOST_WORK = 10**12


class Text(click.ParamType[str]):
    """A text that is not empty: an empty one is a slip, such as a variable that is not set."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text as it was typed."""
        if not value.strip():
            named = param.opts[0] if param is not None else "this"
            metavar = param.make_metavar(ctx) if param is not None and ctx is not None else "TEXT"
            raise click.UsageError(f"{named} was given nothing; {metavar} would do")
        return value


class NameOf(Text):
    """The name of a policy, a goal, a house rule or a field of what is asked about."""

    def __init__(self, kind: str) -> None:
        self.name = kind

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names that begin like this."""
        kind = ctx.meta.get(KIND)
        if kind is None:
            return []
        from click.shell_completion import CompletionItem

        from rollwright.cli.completing import offered

        return [CompletionItem(name) for name in offered(kind, self.name, incomplete)]


class FileName(Text):
    """A file, completed by the shell; whether it can be read is found out by reading it."""

    name = "file"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Whatever files the shell finds."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


class What(click.ParamType[str]):
    """Dice, a game and its roll, or a file."""

    name = "what"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Games first, then the rolls of the game, and files where a file can stand."""
        from click.shell_completion import CompletionItem

        from rollwright.cli.completing import words_offered

        words: list[str] = list(ctx.params.get("what") or ())
        found = [CompletionItem(name) for name in words_offered(words, incomplete)]
        return found or [CompletionItem(incomplete, type="file")]


def subject_options(command: F) -> F:
    """What is asked about, and how its rules are read."""
    decorators = [
        click.argument("what", nargs=-1, type=What(), metavar="WHAT..."),
        click.option(
            "--house",
            multiple=True,
            type=NameOf("house"),
            metavar="NAME=VALUE",
            help="Play by a house rule; `rollwright games NAME` lists them.",
        ),
        click.option(
            "--from",
            "source",
            type=FileName(),
            metavar="FILE",
            help="Take the request from a JSON file, or from the pipe for -.",
        ),
    ]
    for decorator in reversed(decorators):
        command = decorator(command)
    return command


def policy_option(multiple: bool = False) -> Callable[[F], F]:
    """How choices are made."""
    return click.option(
        "--policy",
        "--push",
        "policy",
        multiple=multiple,
        type=NameOf("policy"),
        metavar="NAME",
        help="How choices are made: a policy of the game, best, or best:GOAL.",
    )


goal_option = click.option(
    "--goal",
    type=NameOf("goal"),
    metavar="NAME",
    help="What you want: a goal of the game, or prices such as hit=1,damage=-0.3.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
csv_option = click.option(
    "--csv",
    "csv_file",
    type=FileName(),
    metavar="FILE",
    help="Write the table as CSV; - is the pipe.",
)
plot_option = click.option(
    "--plot",
    is_flag=False,
    flag_value="",
    metavar="[FILE]",
    help="Draw it: to FILE.svg, .png or .html, or here if no file is named.",
)
of_option = click.option(
    "--of",
    "of",
    type=NameOf("outcome"),
    metavar="FIELD,…",
    help="Only these fields of the outcome, such as hit,jammed.",
)
where_option = click.option(
    "--where",
    "where",
    type=Text(),
    metavar="EVENT",
    help='The chance of an event: "hit and not jammed".',
)
work_option = click.option(
    "--work",
    type=click.IntRange(1, MOST_WORK),
    metavar="STEPS",
    help="How much work a count may take; refused counts say what they need.",
)
set_option = click.option(
    "--set",
    "variables",
    multiple=True,
    metavar="NAME=N",
    help="What @NAME stands for in an expression.",
)
save_option = click.option(
    "--save",
    type=FileName(),
    metavar="FILE",
    help="Save the roll, to be resumed, advised on or verified.",
)


def check_outputs(params: Mapping[str, Any]) -> None:
    """Refuse two things on one pipe, and files that cannot be written, before anything is done."""
    from rollwright.cli.files import check_can_be_written

    if params["as_json"] and params["csv_file"] == "-":
        raise click.UsageError("--json and --csv - both print; --csv FILE writes beside it")
    for name in (params["csv_file"], params.get("plot")):
        if name and name != "-":
            check_can_be_written(name)


def budget_of(work: int | None) -> Any:
    """The work that a count may take."""
    if work is None:
        return None
    from rollwright.budget import Budget

    return Budget(work)
