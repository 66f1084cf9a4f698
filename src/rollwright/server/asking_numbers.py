"""What the counting counts about itself, for whoever watches the server."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass
class Numbers:
    """How many questions came, and how they ended."""

    asked: int = 0
    answered: int = 0
    """Counted to the end by a process, refusals with it."""
    from_cache: int = 0
    joined: int = 0
    """Questions that were being counted for somebody else already."""
    refused: int = 0
    """Questions that were one too many."""
    superseded: int = 0
    cancelled: int = 0
    """Questions whose askers all went away."""
    killed: int = 0
    """Processes that counted for too long."""
    crashed: int = 0
    seconds: float = 0.0
    """Time that processes spent counting."""
    steps: int = 0

    def counted(self, seconds: float, steps: int) -> None:
        """Note one answer."""
        self.answered += 1
        self.seconds += seconds
        self.steps += steps

    def plain(self) -> dict[str, float]:
        """All numbers by name."""
        return asdict(self)
