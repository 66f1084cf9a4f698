"""`rollwright db`: the database of a table server, its versions, backups and moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rollwright.cli.commands import unknown
from rollwright.cli.console import paper, show, show_json, show_progress
from rollwright.cli.files import check_writable
from rollwright.cli.options import FileName, TextParameter, json_option

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

    from rollwright.server.storage.check import CheckResult
    from rollwright.server.storage.copies import CopyCounts

F = TypeVar("F", bound=Callable[..., Any])
NEED = "this needs {}: pip install 'rollwright[server]'"
OLD = 1
BROKEN = 1
MOST_DAYS = 36_500


class DatabaseGroup(click.Group):
    """The commands of a command; a slip is met with a guess."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is asked for."""
        if args[0] in self.commands or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        raise unknown(f"command {self.name}", args[0], [*self.commands])


@click.command(cls=DatabaseGroup)
def db() -> None:
    """Look after the database of a table server: its state, backups, moves, old tables."""


database_option = click.option(
    "--database",
    envvar="ROLLWRIGHT_DATABASE",
    type=TextParameter(),
    metavar="URL",
    help="sqlite:///FILE or postgresql://HOST/NAME; default: the user's data folder.",
)


def _database(task: F) -> F:
    """The options that every one of these commands has."""

    @database_option
    @json_option
    @wraps(task)
    def run(database: str | None, **more: Any) -> Any:
        try:
            from rollwright.server.storage.databases import address, default_database

            url = address(database or default_database())
            _check_no_folder(url)
            return task(url, **more)
        except ModuleNotFoundError as problem:
            raise click.UsageError(NEED.format(problem.name)) from None

    return run  # type: ignore[return-value]


def _check_no_folder(url: URL) -> None:
    from rollwright.server.storage.databases import file_of, is_sqlite

    if is_sqlite(url) and file_of(url).is_dir():
        raise click.UsageError(f"{str(file_of(url))!r} is a folder; a file in it would do")


replace_option = click.option("--replace", is_flag=True, help="Overwrite what is there.")


@db.command("upgrade")
@_database
def upgrade(url: URL, as_json: bool) -> None:
    """Make the database, or bring an older one up to date."""
    from rollwright.server.storage.databases import format_address
    from rollwright.server.storage.inventory import upgrade_database

    before, after = upgrade_database(url)
    was = f"had version {before}" if before else "was empty"
    told = (
        f"is up to date: version {after}"
        if before == after
        else f"has version {after} now; it {was}"
    )
    tell(
        as_json,
        {"database": format_address(url), "before": before, "version": after},
        f"{format_address(url)} {told}.",
    )


@db.command("status")
@_database
def status(url: URL, as_json: bool) -> int:
    """Show what the database holds; exit code 1 says that it needs an upgrade."""
    from rollwright.server.storage.inventory import status as status_of

    found = status_of(url)
    lines = [f"{found.database}: version {found.version}, newest {found.newest}."]
    if not found.version:
        lines = [f"{found.database}: there is nothing yet; version {found.newest} would be made."]
    elif found.version == found.newest:
        told = f"{number(found.tables, 'table')}, {number(found.events, 'event')}"
        lines.append(f"{told}, {size(found.bytes)}; last touched {day(found.touched_at)}.")
    if found.version and found.served_by is not None:
        lines.append(f"Served by process {found.served_by or '?'}.")
    tell(as_json, found._asdict(), *lines)
    return 0 if found.version in ("", found.newest) else OLD


@db.command("check")
@_database
def check(url: URL, as_json: bool) -> int:
    """Look whether everything is whole, and change nothing; exit code 1 says that it is not."""
    from rollwright.server.storage.check import check as look_through

    with show_progress("checking") as progress:
        found = look_through(url, progress)
    plain = {**found._asdict(), "ok": found.ok}
    plain["largest"] = [one._asdict() for one in found.largest]
    plain["faults"] = [fault._asdict() for fault in found.faults]
    tell(as_json, plain, *_format_check(found))
    return 0 if found.ok else BROKEN


def _format_check(found: CheckResult) -> Iterator[str]:
    told = f"{number(found.tables, 'table')}, {number(found.events, 'event')}"
    yield f"{found.database}: version {found.version or 'none'}, {told}, {size(found.bytes)}."
    for one in found.largest:
        yield f"  {one.table}: {number(one.events, 'event')}, {size(one.bytes)}"
    if found.ok:
        yield "All is well: pages, logs, heads, and what lies beside them."
        return
    count = len(found.faults) + found.more
    yield f"{number(count, 'thing')} {'is' if count == 1 else 'are'} wrong:"
    for fault in found.faults:
        yield f"- {fault.where}: {fault.what}"
        yield f"  to do: {fault.remedy}"
    if found.more:
        yield f"- and {found.more:,} more"


@db.command("backup")
@click.argument("file", metavar="FILE", type=FileName(), required=False)
@replace_option
@click.option("--into", "folder", metavar="FOLDER", type=FileName(), help="A folder of backups.")
@click.option("--keep", metavar="RULES", help="Which of a folder to keep.  [3,7d,4w,6m]")
@click.option(
    "--hours",
    type=click.FloatRange(0, MOST_DAYS * 24),
    metavar="N",
    help="Only if the newest in the folder is older.",
)
@_database
def backup(
    url: URL,
    file: str | None,
    replace: bool,
    folder: str | None,
    keep: str | None,
    hours: float | None,
    as_json: bool,
) -> None:
    """Write everything into a SQLite FILE, or a new one INTO a folder; the server may run."""
    if folder is not None:
        if file is not None or replace:
            raise click.UsageError("with --into every backup is a new file: no FILE, no --replace")
        _back_up_into(url, Path(folder), keep, hours, as_json)
        return
    if file is None:
        raise click.UsageError(
            "FILE is missing: rollwright db backup FILE would do, or --into FOLDER"
        )
    if keep is not None or hours is not None:
        raise click.UsageError("--keep and --hours are for --into FOLDER")
    _back_up(url, file, replace, as_json)


def _back_up(url: URL, file: str, replace: bool, as_json: bool) -> None:
    from rollwright.server.storage.backups import backup as back_up

    check_writable(file)
    with show_progress("backing up") as progress:
        done = back_up(url, Path(file), replace=replace, progress=progress)
    tell(as_json, {"to": file, **done._asdict()}, _format_copy(done, file))


def _back_up_into(
    url: URL, folder: Path, keep: str | None, hours: float | None, as_json: bool
) -> None:
    from rollwright.server.storage.retention import KEEP, backup_into, parse_rules

    rules = parse_rules(KEEP if keep is None else keep)
    with show_progress("backing up") as progress:
        made = backup_into(url, folder, rules, hours=hours, progress=progress)
    if made is None:
        told = f"The newest backup in {folder} is new enough."
        tell(as_json, {"to": None, "let_go": []}, told)
        return
    gone = [str(file) for file in made.let_go]
    lines = [_format_copy(made.copied, str(made.file))]
    lines += [f"{number(len(gone), 'older backup')} made room for it."] if gone else []
    tell(as_json, {"to": str(made.file), "let_go": gone, **made.copied._asdict()}, *lines)


@db.command("restore")
@click.argument("file", metavar="FILE", type=FileName())
@replace_option
@_database
def restore(url: URL, file: str, replace: bool, as_json: bool) -> None:
    """Fill the database from a backup; no server may run on it."""
    from rollwright.server.storage.backups import restore as fill
    from rollwright.server.storage.databases import format_address

    with show_progress("restoring") as progress:
        done = fill(Path(file), url, replace=replace, progress=progress)
    tell(
        as_json,
        {"to": format_address(url), **done._asdict()},
        _format_copy(done, format_address(url)),
    )


@db.command("move")
@click.option("--to", "target", metavar="URL", required=True, help="Where everything goes.")
@replace_option
@_database
def move(url: URL, target: str, replace: bool, as_json: bool) -> None:
    """Copy everything to another database, such as PostgreSQL; no server may run.

    The old database stays as it is.
    """
    from rollwright.server.storage.backups import move as carry
    from rollwright.server.storage.databases import address, format_address

    to = address(target)
    with show_progress("moving") as progress:
        done = carry(url, to, replace=replace, progress=progress)
    tell(
        as_json,
        {"to": format_address(to), **done._asdict()},
        _format_copy(done, format_address(to)),
    )


@db.command("purge")
@click.option(
    "--days",
    type=click.IntRange(1, MOST_DAYS),
    required=True,
    metavar="N",
    help="Delete tables that nobody came to for N days.",
)
@click.option("--dry-run", is_flag=True, help="Only say which tables would be deleted.")
@click.option("--every", is_flag=True, help="Delete them also if these are all that there are.")
@_database
def purge(url: URL, days: int, dry_run: bool, every: bool, as_json: bool) -> None:
    """Delete tables that nobody uses any more, with everything of them."""
    from time import time

    from rollwright.server.storage.inventory import DAY
    from rollwright.server.storage.inventory import purge as delete_idle

    since = int(time() * 1000) - days * DAY
    gone = delete_idle(url, since, dry_run=dry_run, every=every)
    verb = "would be" if dry_run else "were" if len(gone) != 1 else "was"
    told = f"{number(len(gone), 'table')} {verb} deleted{': ' if gone else ''}{', '.join(gone)}."
    tell(as_json, {"deleted": not dry_run, "tables": gone}, told)


def _format_copy(done: CopyCounts, where: str) -> str:
    told = f"{number(done.tables, 'table')} and {number(done.events, 'event')}"
    return f"{told} are in {where}; counts and heads agree."


def tell(as_json: bool, plain: object, *lines: str) -> None:
    """An answer for programs, or in lines as they are: a broken address cannot be copied."""
    if as_json:
        show_json(plain)
        return
    page = paper()
    for line in lines:
        show(line, page)


def number(count: int, what: str) -> str:
    """So many of something."""
    return f"{count:,} {what}" + ("" if count == 1 else "s")


def size(count: int) -> str:
    """So many bytes."""
    return f"{count / 1_000_000:,.1f} MB"


def day(at: int | None) -> str:
    """A time in milliseconds since 1970."""
    from datetime import UTC, datetime

    return "never" if at is None else f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M} UTC"
