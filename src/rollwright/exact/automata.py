"""What a fold's step does, asked once for each state, face and number of dice.

States become small numbers. Faces that never change a state, and states that are never left, are
found here, because both save most of the work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rollwright.errors import BadDist
from rollwright.exact.work import Work

Step = Callable[[Any, Any, int], Any]

NEW_STATE = 20
"""Steps of work that a state costs beyond being reached: most of all it takes memory."""


SMALL_CHANGE = 10_000
"""Work that is not worth a word to the budget by itself."""


class Automaton:
    """The states a fold can be in, and where each face takes them.

    `rows[i][state][count]` is the state after face number i, when `count` dice show it; where
    `ignored[i]`, that is always the state before.
    """

    __slots__ = ("_numbers", "ignored", "rows", "states")

    def __init__(
        self, start: Any, step: Step, faces: list[tuple[Any, int]], size: int, work: Work
    ) -> None:
        """Ask `step` about everything `size` dice can do; each face comes with its most dice."""
        self._numbers: dict[Any, int] = {}
        self.states: list[Any] = []
        self.rows: list[dict[int, list[int]]] = []
        self.ignored: list[bool] = []
        present = {self._number(start): 0}
        due = 0
        for face, limit in faces:
            rows = {}
            ignored = True
            due += 2 * limit * len(present)
            if due > SMALL_CHANGE:
                work.spend(due)
                due = 0
            for state, used in present.items():
                before = len(self.states)
                row = self._row(step, self.states[state], face, min(limit, size - used))
                rows[state] = row
                ignored = ignored and row.count(state) == len(row)
                due += NEW_STATE * (len(self.states) - before)
            self.rows.append(rows)
            self.ignored.append(ignored)
            if not ignored:
                present = _reached(present, rows)
        work.spend(due)

    def _number(self, state: Any) -> int:
        try:
            number = self._numbers.setdefault(state, len(self.states))
        except TypeError:
            raise BadDist(f"a state must be a plain, unchanging value, not {state!r}") from None
        if number == len(self.states):
            self.states.append(state)
        return number

    def _row(self, step: Step, state: Any, face: Any, most: int) -> list[int]:
        after = [step(state, face, count) for count in range(most + 1)]
        known = self._numbers
        try:
            return list(map(known.__getitem__, after))
        except (KeyError, TypeError):
            return [self._number(each) for each in after]

    def trap(self) -> int | None:
        """The state that is never left and that most ways lead to, if there is one."""
        ways: dict[int, int] = dict.fromkeys(range(len(self.states)), 0)
        for rows in self.rows:
            for state, row in rows.items():
                if state in ways and row.count(state) != len(row):
                    del ways[state]
        if len(ways) < 2:
            return next(iter(ways), None)
        for rows in self.rows:
            for state, row in rows.items():
                for target in row:
                    if target != state and target in ways:
                        ways[target] += 1
        return max(ways, key=lambda state: ways[state])


def _reached(present: dict[int, int], rows: dict[int, list[int]]) -> dict[int, int]:
    """The states after a face, each with the fewest dice that lead to it."""
    reached: dict[int, int] = {}
    for state, row in rows.items():
        targets = set(row)
        few = zip(targets, map(row.index, targets)) if len(targets) <= 3 else None
        for target, count in few or _first_places(row):
            used = present[state] + count
            if used < reached.get(target, used + 1):
                reached[target] = used
    return reached


def _first_places(row: list[int]) -> Iterable[tuple[int, int]]:
    """Each state of a row with the fewest dice that lead to it."""
    # Later places are overwritten by earlier ones.
    return dict(zip(reversed(row), range(len(row) - 1, -1, -1), strict=True)).items()
