"""Options that commands share: declared, offered to a shell, and as they were given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from rollwright.cli.console import show_json
from rollwright.cli.files import check_writable, write_picture, write_text
from rollwright.cli.texts import Option, usage
from rollwright.errors import BrokenGame, UnknownName
from rollwright.workers.memory import LEAST_CEILING, STANDARD_CEILING, VARIABLE

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from rollwright.budget import Budget
    from rollwright.kit.requests import Request
    from rollwright.pictures.charts import Picture, TextTable
    from rollwright.pictures.outcomes import View

Function = Callable[..., object]
Decorator = Callable[[Function], Function]
Task = Callable[[click.Context, "GivenOptions"], object]
KIND = "rollwright.kind"
"""Key under which a context keeps the request type."""
TRANSLATED = "rollwright.translated"
"""Key under which it keeps the dice as another tool spelled them."""
MOST_WORK = 10**12
YES_OR_NO = ("yes", "no")


count_bytes = click.option(
    "--count-bytes",
    envvar=VARIABLE,
    default=STANDARD_CEILING,
    show_default=True,
    type=click.IntRange(min=LEAST_CEILING),
    help=f"Memory that all counting may take together, here and in the server; or {VARIABLE}.",
)
"""The option for a bot's memory limit."""


class TextParameter(click.ParamType[str]):
    """A text that is not empty: an empty one is a slip, such as a variable that is not set."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text as it was typed."""
        if not value.strip():
            named = param.opts[0] if param is not None else "this"
            metavar = param.make_metavar(ctx) if param is not None and ctx is not None else "TEXT"
            raise usage("refusal.empty", option=named, would_do=metavar)
        return value


class Steps(click.ParamType[int]):
    """How much work a count may take."""

    name = "steps"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number of steps."""
        written = str(value).strip()
        short = written.isascii() and written.isdigit() and len(written) <= len(str(MOST_WORK))
        if short and 1 <= int(written) <= MOST_WORK:
            return int(written)
        raise usage("refusal.work", came=repr(value), most=MOST_WORK)


class NameOf(TextParameter):
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

        return [CompletionItem(name) for name in complete_names(kind, self.name, incomplete)]


class FileName(TextParameter):
    """A file, completed by the shell; whether it can be read is found out by reading it."""

    name = "file"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Whatever files the shell finds."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


class DialectName(TextParameter):
    """The name of a tool whose spelling dice may have."""

    name = "dialect"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name, if there is such a tool."""
        from rollwright.notation.dialects import DIALECTS

        if value.lower() not in DIALECTS:
            raise UnknownName("dialect", value, DIALECTS)
        return value.lower()

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names that begin like this."""
        from click.shell_completion import CompletionItem

        from rollwright.notation.dialects import DIALECTS

        return [CompletionItem(name) for name in DIALECTS if name.startswith(incomplete.lower())]


class RollParameter(click.ParamType[str]):
    """Dice, a game and its roll, or a file; of `ask` a game and its question."""

    name = "what"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return games first, then the rolls of the game, and files where one may follow."""
        from click.shell_completion import CompletionItem

        words: list[str] = list(ctx.params.get("what") or ())
        names = complete_words(words, incomplete, questions=ctx.command.name == "ask")
        found = [CompletionItem(name) for name in names]
        return found or [CompletionItem(incomplete, type="file")]


def _option(
    about: str, flags: str, metavar: str = "", kind: click.ParamType[Any] | None = None, **more: Any
) -> Decorator:
    """An option: what it is for, its flags and the name it is known by, what it takes."""
    if not metavar:
        more.setdefault("is_flag", True)
    named = {"metavar": metavar or None, "about": about}
    return click.option(*flags.split(), cls=Option, type=kind, **named, **more)


OPTIONS: dict[str, Decorator] = {
    "what": click.argument("what", nargs=-1, type=RollParameter(), metavar="WHAT..."),
    "program": click.argument("what", nargs=-1, type=FileName(), metavar="FILE|PROGRAM"),
    "python": _option("python", "--python"),
    "question": click.argument(
        "what", nargs=-1, type=RollParameter(), metavar="GAME [QUESTION [ROLL]]"
    ),
    "house": _option("house", "--house", "NAME=VALUE", NameOf("house"), multiple=True),
    "from": _option("from", "--from source", "FILE", FileName()),
    "arg": _option("arg", "--arg arguments", "NAME=VALUE", multiple=True),
    "dialect": _option("dialect", "--dialect", "NAME", DialectName()),
    "set": _option("set", "--set variables", "NAME=N", multiple=True),
    "policy": _option("policy", "--policy --push policy", "NAME", NameOf("policy")),
    "policies": _option(
        "policy", "--policy --push policies", "NAME", NameOf("policy"), multiple=True
    ),
    "goal": _option("goal", "--goal", "NAME", NameOf("goal")),
    "against": _option("against", "--against", "NAME", multiple=True),
    "of": _option("of", "--of of", "FIELD,…", NameOf("outcome")),
    "where": _option("where", "--where where", "EVENT", TextParameter()),
    "vary": _option("vary", "--vary", "NAME=A..B", NameOf("vary"), multiple=True),
    "target": _option("target", "--target", "N%", TextParameter()),
    "over": _option("over", "--over", "NAME[=A..B]", NameOf("over")),
    "sensitivity": _option("sensitivity", "--sensitivity"),
    "at-least": _option("at_least", "--at-least"),
    "at-most": _option("at_most", "--at-most"),
    "exact": _option("exact", "--exact"),
    "fractions": _option("fractions", "--exact"),
    "all": _option("all", "--all show_all"),
    "lines": _option("lines", "--all show_all"),
    "faces": _option("faces", "--faces", "F,F,…"),
    "lying": _option("lying", "--faces", "F,F,…"),
    "seed": _option("seed", "--seed", "TEXT", TextParameter()),
    "choose": _option("choose", "--choose", "OPTION", multiple=True),
    "chosen": _option("chosen", "--choose", "OPTION", multiple=True),
    "interactive": _option(
        "interactive", "--interactive/--no-interactive -i/-I interactive", default=None
    ),
    "physical": _option("physical", "--physical"),
    "resume": _option("resume", "--resume", "FILE", FileName()),
    "tree": _option("tree", "--tree"),
    "save": _option("save", "--save", "FILE", FileName()),
    "picture": _option("picture", "--picture", "FILE", FileName()),
    "share": _option("share", "--share"),
    "plot": _option("plot", "--plot", "[FILE]", is_flag=False, flag_value=""),
    "csv": _option("csv", "--csv csv_file", "FILE", FileName()),
    "work": _option("work", "--work", "STEPS", Steps()),
    "json": _option("json", "--json as_json"),
}
json_option = OPTIONS["json"]

PICTURES = (".svg", ".png", ".html")


class GivenOptions(NamedTuple):
    """The options of a command; those that a command does not have were not given."""

    what: tuple[str, ...] = ()
    house: tuple[str, ...] = ()
    source: str | None = None
    arguments: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    dialect: str | None = None
    policy: str | None = None
    policies: tuple[str, ...] = ()
    goal: str | None = None
    of: str | None = None
    where: str | None = None
    vary: tuple[str, ...] = ()
    target: str | None = None
    over: str | None = None
    sensitivity: bool = False
    against: tuple[str, ...] = ()
    at_least: bool = False
    at_most: bool = False
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
    picture: str | None = None
    share: bool = False
    plot: str | None = None
    csv_file: str | None = None
    python: bool = False
    work: int | None = None
    as_json: bool = False

    @classmethod
    def read(cls, ctx: click.Context) -> GivenOptions:
        """The options of a context."""
        return cls(**{name: ctx.params[name] for name in cls._fields if name in ctx.params})

    @property
    def view(self) -> View:
        """The view of each outcome: its own chance, or that of it and more, or less."""
        return "at_least" if self.at_least else "at_most" if self.at_most else "each"

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
            raise usage("refusal.two_printed")
        for name in (self.csv_file, self.plot):
            if name and name != "-":
                check_writable(name)
        if self.plot and not self.plot.lower().endswith(PICTURES):
            raise usage("refusal.plot", name=repr(self.plot))

    def put_out(
        self,
        *,
        table: Callable[[], TextTable],
        plain: Callable[[], object],
        words: Callable[[], None],
        picture: Callable[[], Picture] | None = None,
        bound: Callable[[], str] = str,
    ) -> None:
        """An answer where it was asked for: as CSV, as a picture, as JSON, or in words.

        What a `bound` cut off is said beside a file of numbers and beside a picture, too.
        """
        from rollwright.cli.console import note

        if self.csv_file:
            write_text(self.csv_file, table().csv())
        if self.plot and picture is not None:
            write_picture(self.plot, picture())
        if (self.csv_file or self.plot) and (lost := bound()):
            note(lost)
        if self.as_json:
            show_json(with_translation(plain()))
        elif not self.plot and self.csv_file != "-":
            words()


def with_translation(plain: object) -> object:
    """An answer, with what its dice were before they were put into our spelling."""
    made = click.get_current_context().meta.get(TRANSLATED)
    if made is None or not isinstance(plain, dict):
        return plain
    return {**plain, "translation": made}


def command(names: str, cls: type[click.Command]) -> Callable[[Task], click.Command]:
    """Return a decorator for a command with these options, which gets their values."""

    def build(task: Task) -> click.Command:
        @wraps(task)
        def run(**_: object) -> object:
            ctx = click.get_current_context()
            return task(ctx, GivenOptions.read(ctx))

        found: Function = run
        for name in reversed(names.split()):
            found = OPTIONS[name](found)
        return click.command(cls=cls)(found)

    return build


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


def complete_names(kind: type[Request], what: str, begun: str) -> list[str]:
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
    """Return what may follow `jam_rule=`, or the next of the values in `skill=B,`."""
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


def complete_words(words: Sequence[str], begun: str, *, questions: bool = False) -> list[str]:
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
