"""Options that commands share: declared, offered to a shell, and as they were given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from rollwright.cli.files import check_can_be_written, write_picture, write_text
from rollwright.cli.paper import show_json
from rollwright.errors import BrokenGame, UnknownName

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from rollwright.budget import Budget
    from rollwright.kit.requests import Request
    from rollwright.pictures.charts import Picture, Table

Function = Callable[..., object]
Decorator = Callable[[Function], Function]
Task = Callable[[click.Context, "Given"], object]
KIND = "rollwright.kind"
"""Where a context keeps the request type that is asked about."""
MOST_WORK = 10**12
POLICY = "How choices are made: a policy of the game, best, or best:GOAL."
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
        names = words_offered(words, incomplete, questions=ctx.command.name == "ask")
        found = [CompletionItem(name) for name in names]
        return found or [CompletionItem(incomplete, type="file")]


def _option(
    flags: str,
    metavar: str = "",
    help: str = "",
    kind: click.ParamType[str] | None = None,
    **more: Any,
) -> Decorator:
    """An option: its flags and the name it is known by, what it takes, what it is for."""
    if not metavar:
        more.setdefault("is_flag", True)
    return click.option(*flags.split(), type=kind, metavar=metavar or None, help=help, **more)


OPTIONS: dict[str, Decorator] = {
    "what": click.argument("what", nargs=-1, type=What(), metavar="WHAT..."),
    "question": click.argument("what", nargs=-1, type=What(), metavar="GAME [QUESTION [ROLL]]"),
    "house": _option(
        "--house",
        "NAME=VALUE",
        "Play by a house rule; `rollwright games NAME` lists them.",
        NameOf("house"),
        multiple=True,
    ),
    "from": _option(
        "--from source",
        "FILE",
        "Take the request from a JSON file, or from the pipe for -.",
        FileName(),
    ),
    "set": _option(
        "--set variables", "NAME=N", "What @NAME stands for in an expression.", multiple=True
    ),
    "policy": _option("--policy --push policy", "NAME", POLICY, NameOf("policy")),
    "policies": _option(
        "--policy --push policies", "NAME", POLICY, NameOf("policy"), multiple=True
    ),
    "goal": _option(
        "--goal",
        "NAME",
        "What you want: a goal of the game, or prices such as hit=1,damage=-0.3.",
        NameOf("goal"),
    ),
    "of": _option(
        "--of of",
        "FIELD,…",
        "Only these fields of the outcome, such as hit,jammed.",
        NameOf("outcome"),
    ),
    "where": _option(
        "--where where", "EVENT", 'The chance of an event: "hit and not jammed".', Text()
    ),
    "vary": _option(
        "--vary",
        "NAME=A..B",
        "Sweep a field or @NAME: ammo_dice=0..6, skill=B,C,D, policy=never,best.",
        NameOf("vary"),
        multiple=True,
    ),
    "target": _option("--target", "N%", "Find the value of --over that gives this chance.", Text()),
    "over": _option(
        "--over",
        "NAME[=A..B]",
        "The field or @NAME that is searched for --target.",
        NameOf("over"),
    ),
    "sensitivity": _option(
        "--sensitivity",
        help="Rank every field, one up and one down, and every house rule by what it changes.",
    ),
    "exact": _option("--exact", help="Show fractions beside the percents."),
    "fractions": _option("--exact", help="Show fractions instead of percents and decimals."),
    "all": _option("--all show_all", help="Show every outcome, however many."),
    "lines": _option("--all show_all", help="Show every line of the policy."),
    "faces": _option("--faces", "F,F,…", "The faces of real dice, in the order asked for."),
    "lying": _option("--faces", "F,F,…", "The faces that lie there, in the order asked for."),
    "seed": _option("--seed", "TEXT", "Roll by a seed: the same faces every time.", Text()),
    "choose": _option("--choose", "OPTION", "What to choose, in order.", multiple=True),
    "chosen": _option("--choose", "OPTION", "What was chosen, in order.", multiple=True),
    "interactive": click.option(
        "--interactive/--no-interactive",
        "-i/-I",
        "interactive",
        default=None,
        help="Stop and ask at each choice; the default in a terminal.",
    ),
    "physical": _option("--physical", help="Throw real dice and type their faces."),
    "resume": _option("--resume", "FILE", "Take up a saved roll.", FileName()),
    "tree": _option("--tree", help="Show every part of an expression on its own line."),
    "save": _option(
        "--save", "FILE", "Save the roll, to be resumed, advised on or verified.", FileName()
    ),
    "plot": _option(
        "--plot",
        "[FILE]",
        "Draw it: to FILE.svg, .png or .html, or here if no file is named.",
        is_flag=False,
        flag_value="",
    ),
    "csv": _option("--csv csv_file", "FILE", "Write the table as CSV; - is the pipe.", FileName()),
    "work": click.option(
        "--work",
        type=click.IntRange(1, MOST_WORK),
        metavar="STEPS",
        help="How much work a count may take; refused counts say what they need.",
    ),
    "json": _option("--json as_json", help="Print JSON."),
}
json_option = OPTIONS["json"]

PICTURES = (".svg", ".png", ".html")


class Given(NamedTuple):
    """What the options of a command say; what a command does not have was not given."""

    what: tuple[str, ...] = ()
    house: tuple[str, ...] = ()
    source: str | None = None
    variables: tuple[str, ...] = ()
    policy: str | None = None
    policies: tuple[str, ...] = ()
    goal: str | None = None
    of: str | None = None
    where: str | None = None
    vary: tuple[str, ...] = ()
    target: str | None = None
    over: str | None = None
    sensitivity: bool = False
    exact: bool = False
    show_all: bool = False
    faces: str | None = None
    seed: str | None = None
    choose: tuple[str, ...] = ()
    interactive: bool | None = None
    physical: bool = False
    resume: str | None = None
    tree: bool = False
    save: str | None = None
    plot: str | None = None
    csv_file: str | None = None
    work: int | None = None
    as_json: bool = False

    @classmethod
    def read(cls, ctx: click.Context) -> Given:
        """The options of a context."""
        return cls(**{name: ctx.params[name] for name in cls._fields if name in ctx.params})

    @property
    def budget(self) -> Budget | None:
        """The work that a count may take."""
        from rollwright.budget import Budget

        return None if self.work is None else Budget(self.work)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of the outcome that `--of` names: `hit, jammed`."""
        names = (name.strip().replace("-", "_") for name in (self.of or "").split(","))
        return tuple(name for name in names if name)

    @property
    def policy_name(self) -> str:
        """The policy that is meant: `--policy best --goal kill` is `best:kill`."""
        if self.goal and self.policy in (None, "best"):
            return f"best:{self.goal}"
        return self.policy or ""

    def check_outputs(self) -> None:
        """Refuse two things on one pipe, and files that cannot be written, before all else."""
        if self.as_json and self.csv_file == "-":
            raise click.UsageError("--json and --csv - both print; --csv FILE writes beside it")
        for name in (self.csv_file, self.plot):
            if name and name != "-":
                check_can_be_written(name)
        if self.plot and not self.plot.lower().endswith(PICTURES):
            raise click.UsageError(
                f"--plot {self.plot!r}: a name that ends in .svg, .png or .html would do; "
                "--plot alone draws here and comes last"
            )

    def put_out(
        self,
        *,
        table: Callable[[], Table],
        plain: Callable[[], object],
        words: Callable[[], None],
        picture: Callable[[], Picture] | None = None,
    ) -> None:
        """An answer where it was asked for: as CSV, as a picture, as JSON, or in words."""
        if self.csv_file:
            write_text(self.csv_file, table().csv())
        if self.plot and picture is not None:
            write_picture(self.plot, picture())
        if self.as_json:
            show_json(plain())
        elif not self.plot and self.csv_file != "-":
            words()


def command(names: str, cls: type[click.Command]) -> Callable[[Task], click.Command]:
    """A command with these options, which is told what they say."""

    def made(task: Task) -> click.Command:
        @wraps(task)
        def run(**_: object) -> object:
            ctx = click.get_current_context()
            return task(ctx, Given.read(ctx))

        found: Function = run
        for name in reversed(names.split()):
            found = OPTIONS[name](found)
        return click.command(cls=cls)(found)

    return made


def names_of(kind: type[Request], what: str) -> list[str]:
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


def offered(kind: type[Request], what: str, begun: str) -> list[str]:
    """The names of a kind of thing that begin like this, for the roll that is asked about."""
    if what in ("house", "vary") and "=" in begun:
        return _values(kind, begun)
    if what in ("outcome", "vary") and "," in begun:
        return _after_comma(kind, what, begun)
    return [name for name in _names(kind, what) if name.startswith(begun)]


def _names(kind: type[Request], what: str) -> list[str]:
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


def _after_comma(kind: type[Request], what: str, begun: str) -> list[str]:
    """The next of several names: `hit,ja` goes on as `hit,jammed`."""
    before, _, last = begun.rpartition(",")
    return [f"{before},{name}" for name in _names(kind, what) if name.startswith(last)]


def _values(kind: type[Request], begun: str) -> list[str]:
    """What may follow `jam_rule=`, or the next of the values in `skill=B,`."""
    name, _, text = begun.partition("=")
    before, comma, last = text.rpartition(",")
    choices = _choices(kind, name.replace("-", "_"))
    return [f"{name}={before}{comma}{c}" for c in choices if c.lower().startswith(last.lower())]


def _choices(kind: type[Request], name: str) -> list[str]:
    from rollwright.kit.fields import fields_of
    from rollwright.kit.games import find_game

    game = find_game(kind.game)
    if name == "policy":
        return [*game.policies, "best"]
    about = {**fields_of(game.house), **fields_of(kind)}.get(name)
    if about is None:
        return []
    return list(YES_OR_NO) if about.kind == "bool" else [str(c) for c in about.choices if c != ""]


def words_offered(words: Sequence[str], begun: str, *, questions: bool = False) -> list[str]:
    """Games and saved files for the first word; for the second the game's rolls, or questions."""
    from rollwright.kit.games import find_game, list_games

    files = [] if questions else _files(begun)
    if not words:
        return [name for name in list_games() if name.startswith(begun)] + files
    try:
        game = find_game(words[0])
    except (UnknownName, BrokenGame):
        return files
    names = [name.replace("_", "-") for name in game.questions] if questions else [*game.requests]
    return [name for name in names if name.startswith(begun)] if len(words) == 1 else []


def _files(begun: str) -> list[str]:
    """Saved rolls and requests whose names begin like this."""
    from glob import escape, glob

    return sorted(glob(escape(begun) + "*.json"))
