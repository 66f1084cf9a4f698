"""Options that several commands share, and what a shell can offer for a word not finished."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rollwright.cli.subjects import KIND

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from rollwright.budget import Budget
    from rollwright.pictures.charts import Table

F = TypeVar("F", bound=Callable[..., Any])
MOST_WORK = 10**12
YES_OR_NO = ("yes", "no")


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
    """Dice, a game and its roll, or a file; of `ask` a game and its question."""

    name = "what"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Games first, then the rolls of the game, and files where a file can stand."""
        from click.shell_completion import CompletionItem

        words: list[str] = list(ctx.params.get("what") or ())
        offered = questions_offered if ctx.command.name == "ask" else words_offered
        found = [CompletionItem(name) for name in offered(words, incomplete)]
        return found or [CompletionItem(incomplete, type="file")]


house_option = click.option(
    "--house",
    multiple=True,
    type=NameOf("house"),
    metavar="NAME=VALUE",
    help="Play by a house rule; `rollwright games NAME` lists them.",
)
from_option = click.option(
    "--from",
    "source",
    type=FileName(),
    metavar="FILE",
    help="Take the request from a JSON file, or from the pipe for -.",
)


def subject_options(command: F) -> F:
    """What is asked about, and how its rules are read."""
    what = click.argument("what", nargs=-1, type=What(), metavar="WHAT...")
    return what(house_option(from_option(command)))


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


PICTURES = (".svg", ".png", ".html")


def check_outputs(params: Mapping[str, Any]) -> None:
    """Refuse two things on one pipe, and files that cannot be written, before anything is done."""
    from rollwright.cli.files import check_can_be_written

    plot = params.get("plot")
    if params["as_json"] and params["csv_file"] == "-":
        raise click.UsageError("--json and --csv - both print; --csv FILE writes beside it")
    for name in (params["csv_file"], plot):
        if name and name != "-":
            check_can_be_written(name)
    if plot and not plot.lower().endswith(PICTURES):
        raise click.UsageError(
            f"--plot {plot!r}: a name that ends in .svg, .png or .html would do; "
            "--plot alone draws here and comes last"
        )


def put_out(
    params: Mapping[str, Any],
    *,
    table: Callable[[], Table],
    plain: Callable[[], object],
    words: Callable[[], None],
    picture: Callable[[], Any] | None = None,
) -> None:
    """An answer where it was asked for: as CSV, as a picture, as JSON, or in words."""
    from rollwright.cli.files import write_picture, write_text
    from rollwright.cli.paper import show_json

    if params["csv_file"]:
        write_text(params["csv_file"], table().csv())
    if params.get("plot") and picture is not None:
        write_picture(params["plot"], picture())
    if params["as_json"]:
        show_json(plain())
    elif not params.get("plot") and params["csv_file"] != "-":
        words()


def budget_of(params: Mapping[str, Any]) -> Budget | None:
    """The work that a count may take."""
    from rollwright.budget import Budget

    return None if params["work"] is None else Budget(params["work"])


def names_of(kind: Any, what: str) -> list[str]:
    """The names of policies, goals or house rules that go with a request."""
    from rollwright.kit.fields import fields_of
    from rollwright.kit.games import find_game

    game = find_game(kind.game)
    if what == "policy":
        return [*game.policies, "best"]
    if what == "goal":
        return [
            name for name, goal in game.goals.items() if not goal.rolls or kind.roll in goal.rolls
        ]
    return [f"{name}=" for name in fields_of(game.house)]


def offered(kind: Any, what: str, begun: str) -> list[str]:
    """The names of a kind of thing that begin like this, for the roll that is asked about."""
    if what in ("house", "vary") and "=" in begun:
        return _values(kind, begun)
    if what in ("outcome", "vary") and "," in begun:
        return _after_comma(kind, what, begun)
    return [name for name in _names(kind, what) if name.startswith(begun)]


def _names(kind: Any, what: str) -> list[str]:
    from rollwright.exact.fields import field_names
    from rollwright.kit.fields import fields_of

    if what == "outcome":
        return list(field_names(kind.outcome))
    if what == "vary":
        fields = [f"{name}=" for name in fields_of(kind) if name != "house"]
        return [*fields, *names_of(kind, "house"), "policy="]
    if what == "over":
        house = [name.rstrip("=") for name in names_of(kind, "house")]
        return [*(name for name in fields_of(kind) if name != "house"), *house]
    return names_of(kind, what)


def _after_comma(kind: Any, what: str, begun: str) -> list[str]:
    """The next of several names: `hit,ja` goes on as `hit,jammed`."""
    before, _, last = begun.rpartition(",")
    return [f"{before},{name}" for name in _names(kind, what) if name.startswith(last)]


def _values(kind: Any, begun: str) -> list[str]:
    """What may follow `jam_rule=`, or the next of the values in `skill=B,`."""
    name, _, text = begun.partition("=")
    before, comma, last = text.rpartition(",")
    choices = _choices(kind, name.replace("-", "_"))
    return [f"{name}={before}{comma}{c}" for c in choices if c.lower().startswith(last.lower())]


def _choices(kind: Any, name: str) -> list[str]:
    from rollwright.kit.fields import fields_of
    from rollwright.kit.games import find_game

    game = find_game(kind.game)
    if name == "policy":
        return [*game.policies, "best"]
    about = {**fields_of(game.house), **fields_of(kind)}.get(name)
    if about is None:
        return []
    return list(YES_OR_NO) if about.kind == "bool" else [str(c) for c in about.choices if c != ""]


def words_offered(words: Sequence[str], begun: str) -> list[str]:
    """Games and saved files for the first word, the rolls of a game for the second."""
    from rollwright.errors import UnknownName
    from rollwright.kit.games import find_game, list_games

    if not words:
        return [name for name in list_games() if name.startswith(begun)] + _files(begun)
    try:
        game = find_game(words[0])
    except UnknownName:
        return _files(begun)
    return [roll for roll in game.requests if roll.startswith(begun)] if len(words) == 1 else []


def questions_offered(words: Sequence[str], begun: str) -> list[str]:
    """Games for the first word, the questions of a game for the second."""
    from rollwright.errors import UnknownName
    from rollwright.kit.games import find_game, list_games

    if not words:
        return [name for name in list_games() if name.startswith(begun)]
    try:
        names = [name.replace("_", "-") for name in find_game(words[0]).questions]
    except UnknownName:
        return []
    return [name for name in names if name.startswith(begun)] if len(words) == 1 else []


def _files(begun: str) -> list[str]:
    """Saved rolls and requests whose names begin like this."""
    from glob import escape, glob

    return sorted(glob(escape(begun) + "*.json"))
