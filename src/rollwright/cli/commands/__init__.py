"""The commands by name, each loaded when it is run; and what went wrong with one, as a sentence."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from traceback import walk_tb

import click

from rollwright.cli.files import lines_outside
from rollwright.cli.texts import HelpCommand, Option, text, usage
from rollwright.errors import BadRules, RollwrightError, TooMuchWork, with_likeliest
from rollwright.i18n.codes import language_code
from rollwright.i18n.locale import format_text
from rollwright.i18n.messages import msg as message
from rollwright.i18n.messages import row_of

COMMANDS = (
    *("roll", "odds", "ask", "advise", "compare", "anydice", "verify", "games"),
    *(
        "check",
        "new-game",
        "words",
        "workbench",
        "serve",
        "mcp",
        "discord",
        "webhooks",
        "db",
        "admin",
        "completion",
    ),
)
"""In reading order; what each does in short is the text "commands.NAME"."""

LIVES_WITH = {
    "compare": "odds",
    "verify": "roll",
    "ask": "games",
    "new-game": "check",
    "words": "check",
}
"""The modules of commands that have none of their own."""


class CommandGroup(HelpCommand, click.Group):
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
            raise usage("refusal.what_with", word=repr(args[0]))
        raise unknown("command", args[0], [*COMMANDS])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Its own options, and the commands."""
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without loading any."""
        with formatter.section(text("help.commands")):
            formatter.write_dl([(name, text(f"commands.{name}")) for name in COMMANDS])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what to try first."""
        self.epilog = text("help.try")
        super().format_epilog(ctx, formatter)


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from rollwright import __version__

        click.echo(f"rollwright {__version__}")
        ctx.exit()


def _check_language(ctx: click.Context, _: click.Parameter, code: str | None) -> None:
    """The language itself is found before options are read: help is said in it too."""
    if code is not None and not ctx.resilient_parsing:
        from rollwright.errors import UnknownName
        from rollwright.i18n.catalogs import words_of

        words = words_of("rollwright")
        if not words.speaks(language_code(code)):
            raise UnknownName("language", code, words.languages)


@click.command(
    cls=CommandGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    cls=Option,
    about="version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
)
@click.option(
    "--language",
    cls=Option,
    about="language",
    metavar="CODE",
    is_eager=True,
    expose_value=False,
    callback=_check_language,
)
def rollwright() -> None:
    """Dice rules written once: rolled, counted exactly, advised on and verified."""


SHELLS = ("bash", "zsh", "fish")
HOW = {
    "bash": 'eval "$(rollwright completion bash)"  # in ~/.bashrc',
    "zsh": 'eval "$(rollwright completion zsh)"  # in ~/.zshrc',
    "fish": "rollwright completion fish | source  # in ~/.config/fish/config.fish",
}


@click.command(cls=HelpCommand)
@click.argument("shell", type=click.Choice(SHELLS), metavar="bash|zsh|fish")
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script for a shell."""
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    script = found(ctx.find_root().command, {}, "rollwright", "_ROLLWRIGHT_COMPLETE").source()
    click.echo(f"# {HOW[shell]}\n{script}")


NOT_BY_WORK = ("treating results like dice",)
"""Counts that are refused for their size, whatever the budget."""
MOST_NAMED = 2_000_000_000
"""Beyond so much work no allowance is named: nobody waits for it."""
DICE = re.compile(r"-(?:[0-9.]|[dDwW]$)")
"""A minus before a number or dice; click gives the first letter of a short option."""
MORE_WORK = 10
"""How much more work than it says may be needed, since a count is stopped at its first step."""


def sentence(problem: Exception) -> str:
    """The one line that a person gets for a failure."""
    if isinstance(problem, click.ClickException):
        return _format_usage_error(problem)
    if isinstance(problem, TooMuchWork):
        return _too_much(problem)
    if isinstance(problem, BadRules) and problem.problem is not None:
        lines = lines_outside(problem.problem.__traceback__)
        return "; ".join([format_text(problem.wording), *lines])
    if isinstance(problem, RollwrightError):
        return _unknown_variable(problem) or _elsewhere(problem) or format_text(problem.wording)
    if isinstance(problem, OSError):
        return f"{problem.filename or 'file'}: {problem.strerror or problem}"
    if isinstance(problem, UnicodeError):
        return text("refusal.no_text")
    if isinstance(problem, RecursionError):
        return text("refusal.nested")
    if isinstance(problem, MemoryError):
        return text("refusal.memory")
    lines = lines_outside(problem.__traceback__)
    if lines and _is_of_rules(problem):
        return text("refusal.rule", problem=repr(problem), lines="; ".join(lines))
    if lines:
        return text("refusal.game", problem=repr(problem), line=lines[-1])
    return text("refusal.bug", problem=repr(problem))


def _is_of_rules(problem: Exception) -> bool:
    """Whether what fails is a rule in somebody's file rather than a game."""
    rules = sys.modules.get("rollwright.file_games")
    went = walk_tb(problem.__traceback__)
    return rules is not None and rules.are_rules({frame.f_code.co_filename for frame, _ in went})


def unknown(kind: str, name: str, known: list[str]) -> click.UsageError:
    """The refusal of a name that nobody knows."""
    missing = message("unknown", kind=kind, name=repr(name))
    return click.UsageError(format_text(with_likeliest(missing, name, sorted(known))))


def _format_usage_error(problem: click.ClickException) -> str:
    """Return click's error in our words."""
    if isinstance(problem, click.NoSuchOption):
        return _no_such_option(problem)
    ctx = getattr(problem, "ctx", None)
    message = problem.format_message()
    if isinstance(problem, click.BadOptionUsage) and "requires an argument" in message:
        return text("refusal.valueless", option=problem.option_name)
    if ctx is None:
        return message
    if isinstance(problem, click.MissingParameter) and problem.param is not None:
        missing = _parameter_name(problem.param, ctx)
        return text("refusal.missing", name=missing, usage=_usage(ctx, problem.param))
    if "unexpected extra argument" in message:
        extra = message.partition("(")[2].rstrip(")")
        many = len(extra.split())
        return text("refusal.extra", words=repr(extra), n=many, usage=_usage(ctx))
    return message


def _parameter_name(param: click.Parameter, ctx: click.Context) -> str:
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
    if DICE.match(name):
        return text("refusal.minus", word=repr(name))
    if owners := _owners(problem):
        return text("refusal.option.owned", name=repr(name), owners=owners)
    if (close := _close_option(problem)) is not None:
        return text("refusal.option.close", name=repr(name), close=repr(close))
    return text("refusal.option", name=repr(name))


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
    from rollwright.budget import STANDARD_WORK
    from rollwright.cli.options import MOST_WORK

    if problem.what in NOT_BY_WORK or problem.keeps:
        return format_text(problem.wording)
    usual = problem.hint == TooMuchWork.USUAL_HINT
    hint = text("refusal.fewer") if usual else format_text(problem.hint)
    by_rule = problem.is_used_up and isinstance(problem.hint, str) and not usual
    if problem.estimate <= MOST_NAMED and not by_rule:  # else nobody knows what would be enough
        needed = problem.estimate + max(problem.whole, problem.budget)
        more = min(max(MORE_WORK * needed, STANDARD_WORK), MOST_WORK)
        hint = text("refusal.more_work", option=f"--work {more}", hint=hint)
    return format_text(message("work.refused", needs=problem.needs, hint=hint))


def _elsewhere(problem: RollwrightError) -> str:
    """A line that means nothing here with what it means in the spelling of other tools."""
    from rollwright.notation import NotationError, TooMuchToCount

    if not isinstance(problem, NotationError) or isinstance(problem, TooMuchToCount):
        return ""
    from rollwright.cli.query_commands import interpretation_option
    from rollwright.notation.dialects import interpretations

    found = [
        interpretation_option(one)
        for one in interpretations(problem.text)
        if one.text not in problem.repairs
    ]
    said = format_text(problem.wording)
    return text("refusal.readings", said=said, readings=row_of(found)) if found else ""


def _unknown_variable(problem: RollwrightError) -> str:
    """A name in an expression that nothing was set for, if it is that."""
    if getattr(problem, "code", "") != "unknown-variable":
        return ""
    name = getattr(problem, "excerpt", "").strip("(@ )")
    if not name:
        return ""
    return text("refusal.unset", name=f"@{name}", option=f"--set {name}=3")
