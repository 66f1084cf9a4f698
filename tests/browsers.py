"""One driver and one Chromium of each kind for a whole process, whatever order tests come in.

Playwright runs a loop of its own in the main thread, which asyncio takes for running between two
calls: other tests could then run none of theirs. While a test asks for no browser that loop is
out of asyncio's sight; nothing happens in it then, since nobody calls Playwright.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
from collections.abc import Iterator

from playwright.sync_api import Browser, BrowserType, sync_playwright

# The shell draws the same pages for a fifth less.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
INSTALLED = next(filter(None, map(shutil.which, BROWSERS)), "/usr/bin/chromium")
CHROMIUM = os.environ.get("ROLLWRIGHT_CHROMIUM") or INSTALLED
# Two hidden pages of the address bar for every window cost as much as the page of a table. What
# Playwright turns off and matters here is named again, since only the last list counts.
OFF = "WebUIOmniboxPopup,WebUIOmniboxAimPopup,PaintHolding,HttpsUpgrades,OptimizationHints"
OFF += ",DestroyProfileOnBrowserClose,AvoidUnnecessaryBeforeUnloadCheckSync,MediaRouter"
SOFTWARE = ("--enable-unsafe-swiftshader", "--disable-gpu-compositing")
"""How Chromium draws in three dimensions without a graphics card, and nothing else that way: the
page around the dice would cost ten times as much."""


def launched(chromium: BrowserType, *options: str) -> Browser:
    """Chromium, without a window."""
    args = ["--no-sandbox", f"--disable-features={OFF}", *options]
    return chromium.launch(executable_path=CHROMIUM, args=args)


class Driver:
    """Starts a Chromium when one is first asked for, and keeps it."""

    def __init__(self) -> None:
        self._held = contextlib.ExitStack()
        self._chromium: BrowserType | None = None
        self._browsers: dict[tuple[str, ...], Browser] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def browser(self, *options: str) -> Browser:
        """The Chromium that was started with these options."""
        if self._chromium is None:
            self._chromium = self._held.enter_context(sync_playwright()).chromium
            self._loop = asyncio.get_running_loop()
        known = self._browsers.get(options)
        if known is None or not known.is_connected():
            known = self._browsers[options] = launched(self._chromium, *options)
        return known

    def is_used(self, is_used: bool) -> None:
        """Whether what comes next uses a browser, or may run loops of its own."""
        if self._loop is not None:
            asyncio._set_running_loop(self._loop if is_used else None)

    def end(self) -> None:
        """Close every browser, and the driver."""
        self.is_used(True)
        for browser in self._browsers.values():
            browser.close()
        self._held.close()
        if self._loop is not None:
            asyncio._set_running_loop(None)
        self.__init__()  # type: ignore[misc]


DRIVER = Driver()
"""Of this process."""


@contextlib.contextmanager
def a_browser(*options: str) -> Iterator[Browser]:
    """A Chromium for a script that makes pictures."""
    with sync_playwright() as playwright:
        browser = launched(playwright.chromium, *options)
        try:
            yield browser
        finally:
            browser.close()
