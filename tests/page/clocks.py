"""A page on a clock that goes only when it is told to, however slow or busy the machine is."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

STEP = 100
"""Milliseconds between two pictures of what moves: ten a second are enough for a test."""
LONGEST = 60_000
"""Milliseconds of the page's own time in which everything comes to pass."""


class Clock:
    """Holds the clock of a page, and lets time pass on it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.clock.install()
        self.hold()

    def hold(self) -> None:
        """Let no time pass from now on."""
        self.page.clock.pause_at(self.page.evaluate("Date.now() + 1000"))

    def go_on(self) -> None:
        """Let time pass by itself again."""
        self.page.clock.resume()

    def until(self, happened: Callable[[], object], step: int = STEP) -> None:
        """Let time pass in steps until something has happened; what moves is drawn once in each."""
        for _ in range(0, LONGEST, step):
            if happened():
                return
            self.page.clock.fast_forward(step)
        raise AssertionError("it did not come to pass")
