"""`rollwright admin`: what the host of a table server can see and do."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rollwright.cli.commands.db import NEED, DatabaseGroup, database_option, day, number, size, tell
from rollwright.cli.files import check_writable
from rollwright.cli.options import FileName, TextParameter, json_option

if TYPE_CHECKING:
    from rollwright.server.administration import DatabaseAdmin, HostAdmin

F = TypeVar("F", bound=Callable[..., Any])
TOKEN = "ROLLWRIGHT_ADMIN_TOKEN"
DAYS, MOST_DAYS = 30, 3650


@click.command(cls=DatabaseGroup)
def admin() -> None:
    """Look after the tables of a server: their sizes, bans, keys, quotas; as its host."""


server_option = click.option(
    "--server",
    envvar="ROLLWRIGHT_SERVER",
    type=TextParameter(),
    metavar="URL",
    help=f"A server that runs; its token comes from {TOKEN} or --token-file. "
    "Without it, the database itself is asked.",
)
token_option = click.option(
    "--token-file", type=FileName(), metavar="FILE", help="A file with the host's token."
)


def _with_server(task: F) -> F:
    """The options that these commands have, and the way to the server that they name."""

    @server_option
    @token_option
    @database_option
    @json_option
    @wraps(task)
    def run(server: str | None, token_file: str | None, database: str | None, **more: Any) -> Any:
        try:
            return task(_reach(server, token_file, database), **more)
        except ModuleNotFoundError as problem:
            raise click.UsageError(NEED.format(problem.name)) from None

    return run  # type: ignore[return-value]


def _reach(server: str | None, token_file: str | None, database: str | None) -> HostAdmin:
    from rollwright.server.administration import HttpAdmin, is_insecure

    if server is None:
        return _on_database(database)
    if token_file is not None:
        token = Path(token_file).read_text("utf-8").strip()
    else:
        token = os.environ.get(TOKEN, "").strip()
    if not token:
        raise click.UsageError(f"--server needs the host's token: set {TOKEN}, or --token-file")
    if is_insecure(server):
        told = f"{server} is plain http: whoever is on the way can read the host's token"
        click.echo(f"Warning: {told}; https would do", err=True)
    return HttpAdmin(server, token)


def _on_database(database: str | None) -> DatabaseAdmin:
    from rollwright.server.administration import DatabaseAdmin
    from rollwright.server.storage.databases import address, default_database

    return DatabaseAdmin(address(database or default_database()))


@admin.command("token")
@click.option("--take-back", is_flag=True, help="Make the token good for nothing instead.")
@database_option
@json_option
def token(database: str | None, take_back: bool, as_json: bool) -> None:
    """Make the host's token for a database; it is shown this once, and replaces the old one."""
    reach = _on_database(database)
    if take_back:
        count = reach.revoke_token()
        tell(as_json, {"tokens": count}, "The host has no token now.")
        return
    made = reach.new_token()
    tell(as_json, {"token": made}, made)
    if as_json:
        return
    click.echo(
        "This is the host's token. It is not kept, only its hash is: put it where only you "
        f"can read it, and give it to the commands as {TOKEN}.",
        err=True,
    )


@admin.command("invite")
@click.option(
    "--days",
    type=click.IntRange(1, MOST_DAYS),
    default=DAYS,
    metavar="N",
    help=f"How long the key is good.  [{DAYS}]",
)
@click.option("--take-back", is_flag=True, help="Make all such keys good for nothing instead.")
@click.option("--page", metavar="URL", help="The address of the page, to show a whole link.")
@_with_server
def invite(reach: HostAdmin, days: int, take_back: bool, page: str | None, as_json: bool) -> None:
    """Make a key with which somebody may make tables where not everybody may."""
    if take_back:
        count = reach.revoke_keys()
        told = f"{number(count, 'key')} {'is' if count == 1 else 'are'} good for nothing now."
        tell(as_json, {"keys": count}, told)
        return
    key = reach.create_key(days)
    where = page or getattr(reach, "address", "")
    link = f"{where.rstrip('/')}/#{key}" if where else f"/#{key}"
    tell(as_json, {"key": key, "link": link, "days": days}, link)
    if not where:
        click.echo(
            "This is the end of a link: put the address of your page before it, or say it with "
            "--page https://dice.example.",
            err=True,
        )


@admin.command("tables")
@click.option(
    "--order",
    type=click.Choice(["touched", "created", "size"]),
    default="touched",
    help="What comes first.  [touched]",
)
@click.option(
    "--limit", type=click.IntRange(1, 1000), default=100, metavar="N", help="How many.  [100]"
)
@_with_server
def tables(reach: HostAdmin, order: str, limit: int, as_json: bool) -> None:
    """List tables by id, with their times and sizes; nothing of what is in them."""
    found = reach.tables(order, limit)
    tell(as_json, {"tables": found}, *(map(_line, found) if found else ["There are no tables."]))


@admin.command("table")
@click.argument("table", metavar="ID", type=TextParameter())
@_with_server
def table(reach: HostAdmin, table: str, as_json: bool) -> None:
    """Show one table's times and size."""
    found = reach.table(table)
    tell(as_json, found, _line(found))


@admin.command("delete")
@click.argument("table", metavar="ID", type=TextParameter())
@click.option("--yes", is_flag=True, help="Needed, since nothing brings it back.")
@_with_server
def delete(reach: HostAdmin, table: str, yes: bool, as_json: bool) -> None:
    """Delete a table with everything of it."""
    about = reach.table(table)
    if not yes:
        raise click.UsageError(f"{_line(about)}; --yes would delete it for good")
    reach.delete(table)
    tell(as_json, {"deleted": table}, f"{table} is deleted.")


@admin.command("export")
@click.argument("table", metavar="ID", type=TextParameter())
@click.argument("file", metavar="FILE", type=FileName())
@click.option("--replace", is_flag=True, help="Overwrite what is there.")
@_with_server
def export(reach: HostAdmin, table: str, file: str, replace: bool, as_json: bool) -> None:
    """Write the whole log of a table into FILE, with every name, text and secret in it."""
    if Path(file).exists() and not replace:
        raise click.UsageError(f"{file} exists already; --replace would overwrite it")
    check_writable(file)
    about = reach.table(table)
    written = 0
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
        for piece in reach.export(table):
            written += out.write(piece)
    told = {"table": table, "file": file, "events": about["events"], "bytes": written}
    tell(as_json, told, f"{size(written)} are in {file}, secrets included.")


@admin.command("quotas")
@_with_server
def quotas(reach: HostAdmin, as_json: bool) -> None:
    """Show what all tables take up, and how much they may."""
    found = reach.quotas()
    most = found.get("limits", {}).get("disk_bytes", 0)
    tell(
        as_json,
        found,
        f"{number(found['tables'], 'table')}, {number(found['events'], 'event')}.",
        f"Logs: {size(found['log_bytes'])}{f' of {size(most)}' if most else ''}.",
        f"Database: {size(found['database_bytes'])}.",
    )


@admin.command("ban")
@click.argument("network", metavar="ADDRESS", type=TextParameter())
@click.option(
    "--hours", type=float, metavar="N", help="For how long; without it until it is lifted."
)
@_with_server
def ban(reach: HostAdmin, network: str, hours: float | None, as_json: bool) -> None:
    """Keep an address or a network such as 203.0.113.0/24 out."""
    made = reach.ban(network, hours)
    tell(as_json, made, _ban_line(made))


@admin.command("bans")
@_with_server
def bans(reach: HostAdmin, as_json: bool) -> None:
    """List who is kept out."""
    found = reach.bans()
    tell(as_json, {"bans": found}, *(map(_ban_line, found) if found else ["Nobody is kept out."]))


@admin.command("lift")
@click.argument("network", metavar="ADDRESS", type=TextParameter())
@_with_server
def lift(reach: HostAdmin, network: str, as_json: bool) -> None:
    """Let an address or a network in again."""
    reach.remove_ban(network)
    tell(as_json, {"lifted": network}, f"{network} may come again.")


def _line(one: dict[str, Any]) -> str:
    told = [
        one["table"],
        f"made {day(one['created_at'])}",
        f"touched {day(one['touched_at'])}",
        number(one["events"], "event"),
        size(one["bytes"]),
    ]
    if "connected" in one:
        told.append(f"{one['connected']} connected")
    return ", ".join(told)


def _ban_line(one: dict[str, Any]) -> str:
    end = f"until {day(one['ends_at'])}" if one["ends_at"] is not None else "until it is lifted"
    return f"{one['network']} is kept out {end}."
