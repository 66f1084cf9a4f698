"""The commands by name; each is loaded when it is run, so that the others cost nothing."""

from __future__ import annotations

from importlib import import_module

import click

COMMANDS = {
    "roll": "Roll dice or a game's roll; it stops where you must choose.",
    "odds": "Know the exact odds, as table, picture or sweep.",
    "ask": "Ask a game one of its own questions.",
    "advise": "Get the best call, and what every option is worth.",
    "compare": "Set several rolls, or several policies, side by side.",
    "verify": "Check that a saved roll is true.",
    "games": "List the games, or explain one.",
    "serve": "Serve tables to everybody who has a link.",
    "db": "Look after the database of a server: backup, restore, move, purge.",
    "admin": "Be a server's host: tables, sizes, bans, keys, quotas.",
    "completion": "Print the completion script for a shell.",
}


class Tree(click.Group):
    """The group of all commands, known by name before they are loaded."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, in reading order."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One command, loaded now."""
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = import_module(f"rollwright.cli.commands.{cmd_name}").command
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is asked for, or a refusal that guesses the slip."""
        if args[0] in COMMANDS or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        if any(sign.isdigit() for sign in args[0]):
            raise click.UsageError(f"say what to do with {args[0]!r}: rollwright roll {args[0]!r}")
        from rollwright.cli.refusals import unknown

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
