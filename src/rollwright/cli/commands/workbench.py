"""`rollwright workbench`: the screens that need no server, from this machine or as a folder."""

from __future__ import annotations

import os
import shutil
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import click

from rollwright.cli.commands.serve import has_desktop
from rollwright.cli.texts import text, usage

PAGE = Path(__file__).parents[2] / "server" / "page"
SCREEN = "workbench/"
LEADS_THERE = f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={SCREEN}">
<title>Rollwright</title><a href="{SCREEN}">Rollwright</a></html>
"""
ALONE = "<html data-static"
"""How a page begins that has no server: web/build.mjs writes it so."""
TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}
"""Content types that machines may disagree about."""


class Files(SimpleHTTPRequestHandler):
    """The files of the page; the root redirects to the workbench."""

    def do_GET(self) -> None:  # the name that http.server has for it
        """A file, or the way to the workbench."""
        if self.path in ("/", "/index.html"):
            self.send_response(302)
            self.send_header("location", f"/{SCREEN}")
            self.end_headers()
        else:
            super().do_GET()

    def guess_type(self, path: str | os.PathLike[str]) -> str:
        """Return the content type."""
        return TYPES.get(Path(path).suffix) or super().guess_type(path)

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads along."""


@click.command()
@click.option("--port", default=0, type=click.IntRange(0, 65535), help="0 takes a free one.")
@click.option("--open/--no-open", "opens", default=True, help="Open a browser.")
@click.option("--to", type=click.Path(path_type=Path), help="Write a folder for any static host.")
def workbench(port: int, opens: bool, to: Path | None) -> int:
    """Write dice and rules in a browser, with their odds beside them.

    All of it runs in the browser; only this machine can reach the address. --to writes the same
    as a folder that any host of files can serve, below any path. Just roll, Explore and Verify
    come with it.
    """
    if not (PAGE / SCREEN / "index.html").exists():
        raise usage("refusal.workbench.page")
    if to is not None:
        export_page(to)
        click.echo(text("workbench.lies", folder=str(to)))
        return 0
    serve(port, opens=opens)
    return 0


def export_page(to: Path, *, home: str = "") -> None:
    """The page as files of a static host: what needs a server of ours is not among them.

    `home` is the page that these lie below, seen from the folder; its name leads back there.
    """
    if to.exists() and any(to.iterdir()):
        raise usage("refusal.workbench.folder", folder=str(to))
    shutil.copytree(PAGE, to, dirs_exist_ok=True, ignore=shutil.ignore_patterns("sources.txt"))
    (to / "index.html").write_text(LEADS_THERE, "utf-8")
    if home:
        for screen in to.glob("*/index.html"):
            page = screen.read_text("utf-8")
            screen.write_text(page.replace(ALONE, f'{ALONE} data-home="{home}"', 1), "utf-8")


def serve(port: int, *, opens: bool) -> None:
    """Serve until somebody ends it."""
    with ThreadingHTTPServer(("127.0.0.1", port), partial(Files, directory=str(PAGE))) as server:
        address = f"http://127.0.0.1:{server.server_port}/{SCREEN}"
        click.echo(text("workbench.at", address=address))
        if opens and has_desktop():
            import webbrowser

            webbrowser.open(address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo()
