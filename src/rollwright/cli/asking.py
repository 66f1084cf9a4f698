"""Commands that are asked about a roll: the options of a game's request are made from its type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import click

from rollwright.errors import UnknownName

KIND, PLAIN = "rollwright.kind", "rollwright.plain"
"""Where a context keeps the request type that is asked about, and what `--from` held."""

WORD = re.compile(r"[A-Za-z][A-Za-z_-]*[0-9]*")
DIE = re.compile(r"[dD]([0-9]+|[fF])")


def is_word(text: str) -> bool:
    """Whether a text can be the name of a game and is no die."""
    return bool(WORD.fullmatch(text)) and not DIE.fullmatch(text)


class Asked(click.Command):
    """A command that takes an expression, a game's roll with its options, or a saved roll."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find out what is asked about before the options are read, since they depend on it."""
        self._find_kind(ctx, args)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's own options, and those of the request that is asked about."""
        own = super().get_params(ctx)
        kind = ctx.meta.get(KIND)
        if kind is None:
            return own
        from rollwright.cli.fields import field_options

        return [*field_options(kind), *own]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options of the request apart from the command's own."""
        sections: dict[str, list[Any]] = {}
        kind = ctx.meta.get(KIND)
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                ours = (parameter.name or "").startswith("field_")
                title = f"{kind.game} {kind.roll}" if ours and kind else "Options"
                sections.setdefault(title, []).append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records, col_max=min(26, formatter.width // 3))

    def _find_kind(self, ctx: click.Context, args: Sequence[str]) -> None:
        source, words = _skimmed(super().get_params(ctx), args)
        if source is not None and not ctx.resilient_parsing:
            from rollwright.cli.files import read_json

            plain = ctx.meta[PLAIN] = read_json(source)
            if isinstance(plain, dict) and "game" in plain:
                words = [str(plain["game"]), str(plain.get("roll", ""))]
        if words and is_word(words[0]):
            try:
                ctx.meta[KIND] = request_kind(words)
            except UnknownName:
                if not ctx.resilient_parsing:
                    raise


def request_kind(words: Sequence[str]) -> Any:
    """The request type that the first words name; None where they name no game.

    A roll that the game does not have is refused here: without it no option could be known.
    """
    from rollwright.kit.games import find_game

    try:
        game = find_game(words[0])
    except UnknownName:
        return None
    if not words[1:] or not words[1]:
        return game.requests[game.default_roll]
    roll = words[1].replace("-", "_")
    if roll not in game.requests:
        raise UnknownName("roll", words[1], game.requests)
    return game.requests[roll]


def _skimmed(
    params: Sequence[click.Parameter], args: Sequence[str]
) -> tuple[str | None, list[str]]:
    """What `--from` names, and the words before the first option that is not the command's own."""
    takes = {n for p in params if isinstance(p, click.Option) and not p.is_flag for n in p.opts}
    flags = {n for p in params if isinstance(p, click.Option) for n in (*p.opts, *p.secondary_opts)}
    source, words, known = None, [], True
    rest = iter(args)
    for arg in rest:
        name, sign, value = arg.partition("=")
        if name == "--from":
            source = value if sign else next(rest, None)
        elif name in takes and not sign:
            next(rest, None)
        elif name not in flags and arg.startswith("-") and arg != "-":
            known = False
        elif known and name not in flags:
            words.append(arg)
    return source, words
