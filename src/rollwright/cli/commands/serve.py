"""`rollwright serve`: a table for everybody who has the link."""

from __future__ import annotations

import dataclasses
import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rollwright.file_games import GAMES
from rollwright.server.settings import SETTINGS, Settings, settings_from

if TYPE_CHECKING:
    from dataclasses import Field

LINK_DAYS = 7
NEED = "the server needs {}: pip install 'rollwright[server]'"


def _option(setting: Field[Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option of a setting; left out it says nothing, so that environment and file are asked."""
    flag = "--" + setting.name.replace("_", "-")
    told, choices = setting.metadata["help"], setting.metadata["of"]
    if setting.type == "bool":
        return click.option(f"{flag}/--no-{flag[2:]}", setting.name, default=None, help=told)
    kind: Any = {"int": int, "float": float}.get(str(setting.type), str)
    if choices:
        kind = click.Choice(choices)
    if setting.type == "tuple[str, ...]":
        return click.option(flag, setting.name, metavar="A,B", help=told)
    shown = f"{told}  [{setting.default}]" if setting.default != "" else told
    return click.option(flag, setting.name, type=kind, default=None, help=shown)


@click.command()
@click.option("--config", type=click.Path(path_type=Path), help="A TOML file with settings.")
def serve(config: Path | None, **options: Any) -> int:
    """Serve tables to everybody who has a link: rolls that nobody can steer, kept for good.

    Every option can also be set by a variable, ROLLWRIGHT_PORT for --port, or in the file.
    An option wins over a variable, and that over the file.
    """
    given = {name: _split_list(name, value) for name, value in options.items()}
    chosen = os.environ.get("ROLLWRIGHT_CONFIG")
    settings = settings_from(given, os.environ, config or (Path(chosen) if chosen else None))
    try:
        return run_server(settings)
    except ModuleNotFoundError as problem:
        raise click.ClickException(NEED.format(problem.name)) from None


for _setting in SETTINGS.values():
    serve = _option(_setting)(serve)  # type: ignore[assignment]


def _split_list(name: str, value: Any) -> Any:
    if value is None or SETTINGS[name].type != "tuple[str, ...]":
        return value
    return tuple(part.strip() for part in value.split(",") if part.strip())


def run_server(settings: Settings) -> int:
    """Serve until a signal comes; answers with the exit code."""
    from rollwright.server.network import with_lan_address
    from rollwright.server.process import address_of, bind, port_of, serve_one

    if settings.game:  # processes that count load them too
        os.environ[GAMES] = ",".join(str(Path(one).resolve()) for one in settings.game)
    settings = with_lan_address(settings)
    listeners = bind(settings)
    settings = dataclasses.replace(settings, port=port_of(listeners))
    address = address_of(settings)

    def on_start() -> None:
        link = makers_link(settings, address)
        tell(settings, address, link)
        if settings.open and has_desktop():
            import webbrowser

            webbrowser.open(link or address)

    if settings.workers > 1:
        from rollwright.server.process import Processes

        return Processes(settings, listeners).run(on_start)
    serve_one(settings, listeners, on_start)
    return 0


def tell(settings: Settings, address: str, link: str = "") -> None:
    """Say where the server is and what to do there."""
    print(f"Rollwright serves tables at {address}")
    print(f"They are kept in {_format_storage(settings)}")
    for line in format_creators(settings, address, link):
        print(line)
    if settings.lan:
        print(_for_neighbours(settings.lan_address))
    elif not settings.is_loopback and not settings.trust_proxy:
        print(
            f"Others can reach this on {settings.host}, and what they send can be read on the way: "
            "put a proxy with TLS in front of it, and name it with --trust-proxy.",
            file=sys.stderr,
        )
    print("Ctrl+C ends it.", flush=True)


def _for_neighbours(address: str) -> str:
    """Return the hint for those in the same network, with a code for their phones."""
    from rollwright.server.network import qr_code

    return (
        f"{qr_code(address)}Whoever is in this network can open {address}, and play at a table by "
        "its link.\nWhat they send is not encrypted: do this at home, not in a café."
    )


def format_creators(settings: Settings, address: str, link: str) -> list[str]:
    """Who may make tables, and how the host does if nobody else may."""
    if settings.makers_here == "anybody":
        return ["Open it to make a table; it then gives you a link for everybody who plays."]
    if settings.makers == "passphrase":
        return ["Whoever knows the passphrase can make tables there."]
    who = "Only you can make tables (--tables anybody or passphrase changes that):"
    if link:
        return [who, f"  {link}", "Open this link to make some; it is good for a week."]
    command = f"rollwright admin invite --page {address}{_database_option(settings)}"
    return [f"{who} `{command}` gives you a link for it."]


def _database_option(settings: Settings) -> str:
    """How the host's commands find the same database; an address may hold a password."""
    if not settings.database:
        return ""
    shown = "postgresql://…" if settings.is_on_postgres else shlex.quote(settings.database)
    return f" --database {shown}"


def _format_storage(settings: Settings) -> str:
    """Return the place of the tables: the file, or the database's address without its password."""
    from rollwright.server.storage.databases import address, file_of, format_address, is_sqlite

    url = address(settings.address)
    return str(file_of(url).absolute()) if is_sqlite(url) else format_address(url)


def makers_link(settings: Settings, address: str) -> str:
    """The host's link to make tables; "" where others may too, or where output is kept."""
    if settings.makers_here != "host" or not sys.stdout.isatty():
        return ""
    from rollwright.errors import RollwrightError
    from rollwright.server.administration import DatabaseAdmin
    from rollwright.server.storage.databases import address as address_of_database

    try:
        key = DatabaseAdmin(address_of_database(settings.address)).create_key(LINK_DAYS)
    except RollwrightError:
        return ""  # the database is away for the moment, or another process still makes it
    return f"{address}#{key}"


def has_desktop() -> bool:
    """Whether there is a person with a desktop in front of this."""
    if not sys.stdout.isatty():
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
