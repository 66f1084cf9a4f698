"""Builds the documentation site out of docs/, and finds what is wrong with a built one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from docs import examples
from rollwright.cli.commands import workbench

ROOT = Path(__file__).resolve().parent.parent
CODE = shutil.ignore_patterns("*.py", "__pycache__")
OTHER_HOSTS = re.compile(r"https?://(?:unpkg\.com|cdn\.jsdelivr\.net)/[^\"'`]*")
"""Where the theme's script would fetch what draws diagrams and runs notebooks: we use none."""
FRAME_WORKER = "https://unpkg.com/iframe-worker/shim"
PLAY, RUNS = "play", "assets/docs-*.js"
"""Where the screens lie that need no server, and in there the script that runs examples."""
FETCHED_BY_STYLE = re.compile(r"(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')]*)")


class BuildFailed(Exception):
    """The site could not be built; the text is what the builder said."""


def build(target: Path) -> None:
    """Build the site into `target`, replacing what is there; a broken link is fatal."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        shutil.copytree(ROOT / "docs", here / "docs", ignore=CODE)
        shutil.copy(ROOT / "zensical.toml", here)
        command = [sys.executable, "-m", "zensical", "build", "--strict"]
        done = subprocess.run(command, cwd=here, capture_output=True, encoding="utf-8")
        if done.returncode:
            raise BuildFailed(plainly(done.stdout + done.stderr))
        stay_at_home(here / "site")
        let_play(here / "site")
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(here / "site", target)
    if wrong := problems(target):
        raise BuildFailed("\n".join(wrong))


def plainly(said: str) -> str:
    """What the builder said, without colours and without its own traceback."""
    return re.sub(r"\x1b\[[0-9;]*m", "", said.partition("Traceback (most")[0]).strip()


def stay_at_home(site: Path) -> None:
    """Let the theme fetch nothing from other hosts: one script is ours, the rest is not needed."""
    ours = site / "scripts" / "frame-worker.js"
    for page in site.rglob("*.html"):
        way = Path(os.path.relpath(ours, page.parent)).as_posix()
        page.write_text(page.read_text("utf-8").replace(FRAME_WORKER, way), "utf-8")
    for script in site.rglob("*.js"):
        script.write_text(OTHER_HOSTS.sub("", script.read_text("utf-8")), "utf-8")


def let_play(site: Path) -> None:
    """Put the screens that need no server beside the pages, and let their examples run there."""
    if not (workbench.PAGE / workbench.SCREEN / "index.html").exists():
        raise BuildFailed("the page has not been built: ./dev page")
    pages = sorted(site.rglob("*.html"))
    workbench.export_page(site / PLAY, home="../index.html")
    [script] = (site / PLAY).glob(RUNS)
    for page in pages:
        text = examples.marked(page.read_text("utf-8"))
        if examples.MARK in text:
            way = Path(os.path.relpath(script, page.parent)).as_posix()
            text = text.replace("</body>", f'<script type="module" src="{way}"></script></body>')
            page.write_text(text, "utf-8")


def serve(site: Path, port: int = 0) -> None:
    """Show a built site to the browsers of this machine until it is stopped; port 0 is any."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        print(f"http://127.0.0.1:{server.server_port}/ (Ctrl-C ends it)", flush=True)
        with suppress(KeyboardInterrupt):
            server.serve_forever()


class Mention(NamedTuple):
    """One address in a page: in which tag, and whether the browser fetches it by itself."""

    tag: str
    address: str
    fetched: bool


class Page(HTMLParser):
    """What a page links to, fetches and can be linked at."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.mentions: list[Mention] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the addresses and the names of a tag."""
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif name in ("href", "src", "srcset", "data", "poster") and value is not None:
                self.mentions.append(Mention(tag, value, tag != "a"))


def problems(site: Path) -> list[str]:
    """Every link that leads nowhere, and everything that would be fetched from elsewhere."""
    pages = {path: Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}
    found: list[str] = []
    for path, page in pages.items():
        name = path.relative_to(site).as_posix()
        found += [f"{name}: {wrong}" for wrong in wrong_mentions(path, page, pages)]
    for path in sorted(site.rglob("*.css")):
        for address in FETCHED_BY_STYLE.findall(path.read_text("utf-8")):
            found.append(f"{path.relative_to(site).as_posix()}: fetches {address}")
    return found


def wrong_mentions(path: Path, page: Page, pages: dict[Path, Page]) -> Iterator[str]:
    """What is wrong with the addresses of one page."""
    for mention in page.mentions:
        parts = urlsplit(mention.address)
        if parts.scheme in ("http", "https") or parts.netloc:
            if mention.fetched:
                yield f"<{mention.tag}> fetches {mention.address}"
        elif parts.scheme not in ("data", "mailto", "javascript") and path.name != "404.html":
            yield from dead_end(path, mention.address, pages)


def dead_end(path: Path, address: str, pages: dict[Path, Page]) -> Iterator[str]:
    """Why an address within the site leads nowhere, if it does."""
    parts = urlsplit(address)
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    target = target / "index.html" if target.is_dir() else target
    if not target.exists():
        yield f"{address} does not exist"
    elif target in pages and unquote(parts.fragment) not in {"", *pages[target].anchors}:
        yield f"{address} names no place on that page"
