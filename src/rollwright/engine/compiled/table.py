"""The positions of one question, numbered as they are first come to; and when to compile at all."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from sys import modules
from typing import TYPE_CHECKING, Any

from rollwright.engine.compiled.refusal import CannotCompile
from rollwright.engine.steps import Call, Rule, Tokens

if TYPE_CHECKING:
    from rollwright.engine.compiled.machine import At, Frame, Stepper
    from rollwright.engine.steps import Token

NEXT_TO_NOTHING = 10**-30
"""What a loop that grows may leave uncounted: its weight is told as lost."""
WAYS_REPLAYED = 300
"""So many ways of one rule are replayed before it is compiled: that takes about as long."""


class MustCompile(Exception):
    """A rule that cannot be counted by replaying it, or had better not be."""

    def __init__(self, rule: Rule[..., object]) -> None:
        super().__init__(rule)
        self.rule = rule


class Compiling:
    """Which rules of a question are compiled, and all positions that were come to in them."""

    __slots__ = (
        "wanted",
        "refusal",
        "off",
        "merges",
        "positions",
        "came",
        "grows",
        "_stepper",
        "_ends",
    )

    def __init__(self) -> None:
        self.wanted: set[Rule[..., object]] = set()
        self.refusal: CannotCompile | None = None
        self.off = False
        self.merges = True
        """Only tests want every way for itself."""
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget every position."""
        self.positions: list[At] = []
        self.came: dict[int, tuple[int, Token]] = {}
        """The first way to a position: from which other, and by which answer."""
        self.grows = False
        """Whether a position was come to in a loop that nothing bounds."""
        self._ends: dict[Hashable, int] = {}
        self._stepper: Stepper | None = None

    def give_up(self, why: CannotCompile) -> None:
        """Replay everything from now on."""
        self.refusal = why
        self.off = True
        self.wanted.clear()
        self.begin_anew()

    def tries(self, tokens: Tokens) -> Rule[..., object] | None:
        """The rule that is under way, if it may still be compiled."""
        call = tokens[0].call
        if self.off or type(call) is not Call or call.rule.shortcut is not None:
            return None
        rule: Rule[..., object] = call.rule
        return rule

    def wants(self, rule: Rule[..., object]) -> bool:
        """Whether a rule is counted as compiled: it goes many ways, or was compiled before."""
        if rule in self.wanted:
            return True
        program = modules.get("rollwright.engine.compiled.program")  # not loaded for small rules
        return program is not None and program.is_known(rule.function.__code__)

    @property
    def stepper(self) -> Stepper:
        """What goes from position to position; made for the first of them."""
        if self._stepper is None:
            from rollwright.engine.compiled.machine import Stepper

            self._stepper = Stepper()
        return self._stepper

    def number(
        self,
        asked: Any,
        frame: Frame | None,
        came: tuple[int, Token] | None,
        add: Callable[[At], int],
    ) -> int:
        """The number of a position, given by `add` when it is first come to."""
        table, key, changes = self.stepper.position_key(asked, frame)
        if table is None:
            table = self._ends
        known = table.get(key)
        if known is None or not self.merges:
            at = self.stepper.at(asked, frame, changes)
            known = table[key] = add(at)
            if came is not None:
                self.came[known] = came
            site = at.site
            if site is not None and (site.grows or (frame is not None and frame[3] is not None)):
                self.grows = True
        return known

    def add(self, at: At) -> int:
        """Number a position in the order in which they are come to."""
        self.positions.append(at)
        return len(self.positions) - 1
