"""`rollwright discord`: a bot that answers slash commands, and their registration."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from rollwright.cli.commands.db import DatabaseGroup
from rollwright.cli.options import TextParameter, count_bytes

NEED = "the bot needs {}: pip install 'rollwright[discord]'"
KEY, TOKEN = "DISCORD_PUBLIC_KEY", "DISCORD_BOT_TOKEN"
HOST, PORT = "127.0.0.1", 7656
DATABASE = "rollwright-discord.sqlite"


@click.group(cls=DatabaseGroup, invoke_without_command=True)
@click.option(
    "--public-key", envvar=KEY, metavar="HEX", help=f"The application's public key, or {KEY}."
)
@click.option(
    "--server",
    "servers",
    multiple=True,
    metavar="URL",
    help="A table server whose links channels may be bound to; may be given again.",
)
@click.option(
    "--database",
    type=click.Path(path_type=Path),
    default=DATABASE,
    show_default=True,
    metavar="FILE",
    help="Where seats and open rolls are kept, for the bot's eyes only.",
)
@count_bytes
@click.option("--host", default=HOST, show_default=True, help="The address to listen at.")
@click.option("--port", default=PORT, show_default=True, help="The port to listen at.")
@click.pass_context
def discord(ctx: click.Context, /, **options: Any) -> int:
    """Serve an endpoint for Discord's interactions, behind a proxy with TLS.

    `rollwright discord register` registers the commands with Discord.
    """
    if ctx.invoked_subcommand is not None:
        return 0
    return _run_task(_serve, **options)


@discord.command()
@click.option(
    "--application", required=True, type=TextParameter(), metavar="ID", help="The application's id."
)
@click.option(
    "--guild",
    default="",
    metavar="ID",
    help="Only for one server, where changes show at once.",
)
def register(application: str, guild: str) -> int:
    """Register the slash commands with Discord; the bot's token comes from the environment."""
    return _run_task(_register, application=application, guild=guild)


def _run_task(task: Any, **options: Any) -> int:
    try:
        done: int = task(**options)
    except ModuleNotFoundError as problem:
        raise click.ClickException(NEED.format(problem.name)) from None
    return done


def _register(application: str, guild: str) -> int:
    import httpx

    from rollwright.discord.api import register

    token = os.environ.get(TOKEN, "").strip()
    if not token:
        raise click.UsageError(f"the bot's token is needed: set {TOKEN}")
    if not (application.isdigit() and (guild or "0").isdigit()):
        raise click.UsageError("an id of Discord is a number")
    with httpx.Client(timeout=30) as http:
        count = register(http, application, token, guild)
    print(f"{count} commands are registered.")
    return 0


def _serve(
    public_key: str | None,
    servers: tuple[str, ...],
    database: Path,
    count_bytes: int,
    host: str,
    port: int,
) -> int:
    import uvicorn

    from rollwright.client.storage import Storage
    from rollwright.discord.app import DiscordSettings, app
    from rollwright.discord.interactions import STORAGE_LIMITS, InteractionHandler
    from rollwright.discord.signatures import key_of
    from rollwright.workers.bots import BotWorker, bot_limits

    if not public_key:
        raise click.UsageError(f"the application's public key is needed: --public-key, or {KEY}")
    key_of(public_key)  # report a mistake before anything is kept or served
    counting = BotWorker(bot_limits(count_bytes))
    made = app(
        DiscordSettings(public_key, token=os.environ.get(TOKEN, "").strip()),
        InteractionHandler(Storage(database, STORAGE_LIMITS), counting, servers),
    )
    print(f"Interactions are answered at http://{host}:{port}/interactions")
    print(f"Seats and open rolls are kept in {database}")
    try:
        uvicorn.run(made, host=host, port=port, log_level="warning")
    finally:
        counting.close()
    return 0
