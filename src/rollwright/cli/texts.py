"""The command line's messages, from the folder beside its modules, and its help."""

from __future__ import annotations

from typing import Any

import click

from rollwright.i18n.locale import format_text
from rollwright.i18n.messages import Message, Value

HOME = "rollwright.cli"


def msg(id: str, /, **values: Value) -> Message:
    """A message of the command line."""
    return Message(id, values, HOME)


def text(id: str, /, **values: Value) -> str:
    """Return the text of a message of the command line in the reader's language."""
    return format_text(msg(id, **values))


def usage(id: str, /, **values: Value) -> click.UsageError:
    """The refusal of what was typed."""
    return click.UsageError(text(id, **values))


class Option(click.Option):
    """An option whose help is the text "option.ID", in the reader's language."""

    def __init__(self, *args: Any, about: str, **more: Any) -> None:
        more["help"] = text(f"option.{about}")
        super().__init__(*args, **more)
        self.about = about

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and what it is for."""
        self.help = text(f"option.{self.about}")
        return super().get_help_record(ctx)


class HelpCommand(click.Command):
    """A command whose help is the text "command.NAME", in the reader's language."""

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """How it is called."""
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, prefix=text("help.usage"))

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help of the command."""
        self.help = text(f"command.{self.name}")
        super().format_help_text(ctx, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Its options in a column."""
        records = [param.get_help_record(ctx) for param in self.get_params(ctx)]
        with formatter.section(text("help.options")):
            formatter.write_dl([record for record in records if record is not None])

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """The option that shows all this."""
        found = super().get_help_option(ctx)
        if found is not None:
            found.help = text("option.help")
        return found
