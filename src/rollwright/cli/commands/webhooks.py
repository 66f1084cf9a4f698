"""`rollwright webhooks`: a table's open events, signed and sent to an address."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import click

from rollwright.cli.options import TextParameter

NEED = "this needs {}: pip install 'rollwright[client]'"
LINK = "ROLLWRIGHT_WEBHOOK_LINK"
DATABASE = "rollwright-webhooks.sqlite"


@click.command()
@click.option(
    "--link",
    envvar=LINK,
    type=TextParameter(),
    metavar="LINK",
    help=f"The table's link for spectators, or {LINK}.",
)
@click.option(
    "--to", "address", required=True, type=TextParameter(), metavar="URL", help="Who gets them."
)
@click.option(
    "--database",
    type=click.Path(path_type=Path),
    default=DATABASE,
    show_default=True,
    metavar="FILE",
    help="Where the secret and the position are kept; one program at a time has it.",
)
@click.option("--all", "everything", is_flag=True, help="At the first start, begin with the log.")
@click.option(
    "--hours",
    default=24.0,
    show_default=True,
    type=click.FloatRange(0),
    help="How long a delivery is tried.",
)
def webhooks(link: str | None, address: str, database: Path, everything: bool, hours: float) -> int:
    """Send the open events of a table to an address, signed.

    It watches the table as a spectator does, and goes on where it stopped.
    """
    if not link:
        raise click.UsageError(f"the table's link for spectators is needed: --link, or {LINK}")
    try:
        from rollwright.client.deliveries import Hook, check_address, deliver
        from rollwright.client.http import Link
        from rollwright.client.storage import Storage
    except ModuleNotFoundError as problem:
        raise click.ClickException(NEED.format(problem.name)) from None
    hook, found = Hook(check_address(address), 3600 * hours), Link.parse(link)
    storage = Storage(database, alone=True)
    try:
        asyncio.run(deliver(found, hook, storage, _say, after=0 if everything else None))
    except KeyboardInterrupt:
        return 0
    finally:
        storage.close()
    return 0


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
