"""The commands by name, each loaded when it is run; and what went wrong with one, as a sentence."""

from __future__ import annotations

import re
from importlib import import_module

import click

from rollwright.errors import RollwrightError, TooMuchWork, did_you_mean, number_said
from rollwright.words.catalogs import say

COMMANDS = {
    "roll": "Roll dice or a game's roll; it stops where you must choose.",
    "odds": "Know the exact odds, as table, picture or sweep.",
    "ask": "Ask a game one of its own questions.",
    "advise": "Get the best call, and what every option is worth.",
    "compare": "Set several rolls, or several policies, side by side.",
    "verify": "Check that a saved roll is true.",
    "games": "List the games, or explain one.",
    "check": "Check a game that you write: odds, forms, effects, words and all.",
    "new-game": "Begin a game of your own: a folder that works as it is.",
    "serve": "Serve tables to everybody who has a link.",
    "db": "Look after the database of a server: backup, restore, move, purge.",
    "admin": "Be a server's host: tables, sizes, bans, keys, quotas.",
    "completion": "Print the completion script for a shell.",
}

LIVES_WITH = {"compare": "odds", "verify": "roll", "ask": "games", "new-game": "check"}
"""The modules of commands that have none of their own."""


class Tree(click.Group):
    """The group of all commands, known by name before they are loaded."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, in reading order."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One command, loaded now."""
        if cmd_name not in COMMANDS:
            return None
        if cmd_name == "completion":
            return completion
        module = import_module(f"rollwright.cli.commands.{LIVES_WITH.get(cmd_name, cmd_name)}")
        found: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is asked for, or a refusal that guesses the slip."""
        if args[0] in COMMANDS or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        if any(sign.isdigit() for sign in args[0]):
            raise click.UsageError(f"say what to do with {args[0]!r}: rollwright roll {args[0]!r}")
        raise unknown("command", args[0], [*COMMANDS])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from rollwright import __version__

        click.echo(f"rollwright {__version__}")
        ctx.exit()


def _check_language(ctx: click.Context, _: click.Parameter, code: str | None) -> None:
    """The language itself is found before options are read: help is said in it too."""
    if code is not None and not ctx.resilient_parsing:
        from rollwright.errors import UnknownName
        from rollwright.words.catalogs import words_of
        from rollwright.words.languages import language_code

        words = words_of("rollwright")
        if not words.speaks(language_code(code)):
            raise UnknownName("language", code, words.languages)


@click.command(
    cls=Tree,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Try: rollwright odds 4d6kh3    rollwright games    rollwright roll --help",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
@click.option(
    "--language",
    metavar="CODE",
    is_eager=True,
    expose_value=False,
    callback=_check_language,
    help="Speak this language, such as de; else that of ROLLWRIGHT_LANGUAGE or of the system.",
)
def rollwright() -> None:
    """Dice rules written once: rolled, counted exactly, advised on and verified."""


SHELLS = ("bash", "zsh", "fish")
HOW = {
    "bash": 'eval "$(rollwright completion bash)"  # in ~/.bashrc',
    "zsh": 'eval "$(rollwright completion zsh)"  # in ~/.zshrc',
    "fish": "rollwright completion fish | source  # in ~/.config/fish/config.fish",
}


@click.command()
@click.argument("shell", type=click.Choice(SHELLS), metavar="bash|zsh|fish")
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script for a shell.

    For bash put eval "$(rollwright completion bash)" into ~/.bashrc; zsh and fish likewise.
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    script = found(ctx.find_root().command, {}, "rollwright", "_ROLLWRIGHT_COMPLETE").source()
    click.echo(f"# {HOW[shell]}\n{script}")


NOT_BY_WORK = ("treating results like dice",)
"""Counts that are refused for their size, whatever the budget."""
NUMBER = re.compile(r"-[0-9.]")
MORE_WORK = 10
"""How much more work than it says may be needed, since a count is stopped at its first step."""


def sentence(problem: Exception, language: str) -> str:
    """The one line that a person gets for a failure, in a language as far as it is said in it."""
    if isinstance(problem, click.ClickException):
        return _misused(problem)
    if isinstance(problem, TooMuchWork):
        return _too_much(problem)
    if isinstance(problem, RollwrightError):
        return _unknown_variable(problem) or say(problem.wording, language)
    if isinstance(problem, OSError):
        return f"{problem.filename or 'file'}: {problem.strerror or problem}"
    if isinstance(problem, UnicodeError):
        return "there are signs in this that are no text"
    if isinstance(problem, RecursionError):
        return "this is nested too deeply to be worked out"
    if isinstance(problem, MemoryError):
        return "there is not enough memory for this"
    return f"this should not have happened, please report it: {problem!r}"


def unknown(kind: str, name: str, known: list[str]) -> click.UsageError:
    """The refusal of a name that nobody knows."""
    return click.UsageError(f"there is no {kind} {name!r}{did_you_mean(name, sorted(known))}")


def _misused(problem: click.ClickException) -> str:
    """What click refuses, in our words."""
    if isinstance(problem, click.NoSuchOption):
        return _no_such_option(problem)
    ctx = getattr(problem, "ctx", None)
    message = problem.format_message()
    if isinstance(problem, click.BadOptionUsage) and "requires an argument" in message:
        return f"{problem.option_name} needs a value after it; --help tells which"
    if ctx is None:
        return message
    if isinstance(problem, click.MissingParameter) and problem.param is not None:
        missing = _named(problem.param, ctx)
        return f"{missing} is missing: {_usage(ctx, problem.param)} would do"
    if "unexpected extra argument" in message:
        extra = message.partition("(")[2].rstrip(")")
        words = "is one word" if len(extra.split()) == 1 else "are words"
        return f"{extra!r} {words} too many: {_usage(ctx)} would do"
    return message


def _named(param: click.Parameter, ctx: click.Context) -> str:
    return param.opts[0] if isinstance(param, click.Option) else param.make_metavar(ctx)


def _usage(ctx: click.Context, needed: click.Parameter | None = None) -> str:
    """How a command is called, with its arguments and the option that it needs."""
    arguments = [
        param.make_metavar(ctx)
        for param in ctx.command.get_params(ctx)
        if isinstance(param, click.Argument)
    ]
    if isinstance(needed, click.Option):
        arguments.append(f"{needed.opts[0]} {needed.make_metavar(ctx)}")
    return " ".join([ctx.command_path, *arguments])


def _no_such_option(problem: click.NoSuchOption) -> str:
    name = problem.option_name
    if NUMBER.match(name):
        return (
            f"{name!r} reads like an option; if it belongs to the dice, put -- before them: "
            "rollwright roll -- 2d6 -5"
        )
    said = f"there is no option {name!r} here"
    if owners := _owners(problem):
        return f"{said}; it belongs to {' and '.join(owners)}"
    if (close := _close_option(problem)) is not None:
        return f"{said}; did you mean {close!r}?"
    return f"{said}; --help lists the options"


def _close_option(problem: click.NoSuchOption) -> str | None:
    """The option that was meant; the dashes, which all have, make none alike."""
    from difflib import get_close_matches

    if problem.ctx is None:
        return None
    params = problem.ctx.command.get_params(problem.ctx)
    names = [name for param in params for name in (*param.opts, *param.secondary_opts)]
    known = {name.lstrip("-"): name for name in sorted(names) if name.startswith("--")}
    close = get_close_matches(problem.option_name.lstrip("-"), list(known), n=1)
    return known[close[0]] if close else None


def _owners(problem: click.NoSuchOption) -> list[str]:
    """The commands that do have an option of this name."""
    root = problem.ctx.find_root() if problem.ctx is not None else None
    if root is None or not isinstance(root.command, click.Group):
        return []
    found = {
        name: root.command.get_command(root, name) for name in root.command.list_commands(root)
    }
    return [
        f"rollwright {name}"
        for name, command in found.items()
        if command is not None
        and any(problem.option_name in param.opts for param in command.params)
    ]


def _too_much(problem: TooMuchWork) -> str:
    """A count that was refused: the option that allows more, and what would need less."""
    from rollwright.cli.options import MOST_WORK

    if problem.what in NOT_BY_WORK:
        return RollwrightError.__str__(problem)
    hint = "ask for fewer dice" if "larger budget" in problem.hint else problem.hint
    if problem.estimate <= MOST_WORK:
        more = min(MORE_WORK * max(problem.estimate, problem.budget), MOST_WORK)
        hint = f"--work {more} allows more, or {hint}"
    what = f"{problem.what} needs about {number_said(problem.estimate)} steps of work"
    return f"{what}, the budget has {number_said(problem.budget)} left; {hint}"


def _unknown_variable(problem: RollwrightError) -> str:
    """A name in an expression that nothing was set for, if it is that."""
    if getattr(problem, "code", "") != "unknown-variable":
        return ""
    name = getattr(problem, "excerpt", "").strip("(@ )")
    if not name:
        return ""
    return f"nothing is known under @{name}; --set {name}=3 would do"
