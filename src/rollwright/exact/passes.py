"""One pass over the faces: the weight of each state, with the sum of what the dice add.

Sums are packed polynomials beside the state, never in it. Faces that the states ignore are put in
at the end as powers, and the state that is never left is all that the others are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import gcd, prod

from rollwright.budget import Work
from rollwright.dice import Face, Outcome
from rollwright.errors import BadDist
from rollwright.exact.polynomials import (
    Poly,
    Terms,
    pack,
    packed_terms,
    power,
    slot_bytes,
    spread,
    terms_of,
    unpack,
)
from rollwright.exact.pools import DiceCounts, Showing
from rollwright.exact.sums import sum_weights
from rollwright.readings import Reading

LIGHT = 1 << 60
SHORT = 2000
"""Up to so many bytes, powers of a packed polynomial cost less than thinking about them."""

Packed = int
Weights = dict[int, Packed]


class Side:
    """One kind of dice: for each reading, the weights of what it adds."""

    __slots__ = ("count", "low", "table", "total")

    def __init__(self, table: dict[Reading, Terms], count: int) -> None:
        self.table = table
        self.count = count
        self.total = 0
        self.low = min(next(iter(table.values())))
        for part in table.values():
            self.total += sum(part.values())
            self.low = min(self.low, *part)

    def every(self) -> Terms:
        """Return what a die adds, on any face."""
        made: Terms = {}
        for part in self.table.values():
            for more, weight in part.items():
                made[more] = made.get(more, 0) + weight
        return made


class Pass:
    """A fold under way: dice of each side, faces in order, what the states do."""

    def __init__(
        self, sides: list[Side], faces: list[Face], automaton: Automaton, work: Work
    ) -> None:
        self.sides = sides
        self.automaton = automaton
        self.work = work
        self.crowd = DiceCounts([side.count for side in sides])
        self._measure()
        self.active = [i for i, skip in enumerate(automaton.ignored) if not skip]
        self.faces = faces
        self.rest = [self._ignored_terms(side, faces, automaton.ignored) for side in sides]
        self.last = [self._last(side) for side in sides]
        self.trap = automaton.trap()

    def _measure(self) -> None:
        """Sums start at 0 and rise by 1 inside; `start` and `step` say what they mean."""
        sides = self.sides
        gaps = [more - s.low for s in sides for part in s.table.values() for more in part]
        self.step = gcd(*gaps) or 1
        self.start = sum([side.low * side.count for side in sides])
        self.slots = 1
        total = 1
        for side in sides:
            top = max([max(part) for part in side.table.values()])
            self.slots += (top - side.low) // self.step * side.count
            total *= side.total**side.count
        self.width = slot_bytes(total)
        self.unit = 1 + self.slots * self.width / 2000

    def _near(self, side: Side, part: Terms) -> Terms:
        return {(more - side.low) // self.step: weight for more, weight in part.items()}

    def _ignored_terms(self, side: Side, faces: list[Face], ignored: list[bool]) -> Terms:
        """Return what a die adds while it shows some face that no state minds."""
        made: Terms = {}
        for face, skip in zip(faces, ignored, strict=True):
            if skip and face in side.table:
                for more, weight in side.table[face].items():
                    made[more] = made.get(more, 0) + weight
        return self._near(side, made)

    def _last(self, side: Side) -> int:
        """The last face that dice of this side must show, if they may not be ignored."""
        shown = [i for i in self.active if self.faces[i] in side.table]
        return shown[-1] if shown else -1

    def weights(self) -> dict[int, Terms]:
        """For each final state the weights of the sums."""
        by_used: dict[int, Weights] = {0: {0: 1}} if self.trap != 0 else {}
        for face in self.active:
            by_used = self._after(face, by_used)
        ends = self._finish(by_used)
        short = self.slots * self.width < SHORT
        if short and self.trap is not None and (others := self._whole() - sum(ends.values())):
            ends[self.trap] = others
        made = {state: self._sums(unpack(w, self.width, self.slots)) for state, w in ends.items()}
        if not short and self.trap is not None:
            remaining = self._remaining(list(made.values()))
            if remaining:
                made[self.trap] = remaining
        return made

    def _whole(self) -> Packed:
        """The sums of all dice, whatever the state."""
        every = [packed_terms(self._near(side, side.every()), self.width) for side in self.sides]
        return prod([one**side.count for one, side in zip(every, self.sides, strict=True)])

    def _after(self, face: int, by_used: dict[int, Weights]) -> dict[int, Weights]:
        """Let the dice that show a face arrive."""
        rows = self.automaton.rows[face]
        most = self._most(rows)
        shows = self._shows(face)
        entries = sum([len(weights) for weights in by_used.values()])
        each = prod([1 + min(most, self.sides[show.kind].count) for show in shows])
        self.work.spend(entries * each * self.unit)
        if len(self.sides) == 1 and not shows[0].forced and shows[0].weight < LIGHT:
            return self._after_alike(rows, shows[0], most, by_used)
        made: dict[int, Weights] = {}
        for used, weights in by_used.items():
            for new, ways, count, shift in self.crowd.arrivals(used, shows, most):
                bucket = made.setdefault(new, {})
                for state, weight in weights.items():
                    target = rows[state][count]
                    if target != self.trap:
                        bucket[target] = bucket.get(target, 0) + (weight * ways << shift)
        return made

    def _after_alike(
        self, rows: dict[int, list[int]], show: Showing, most: int, by_used: dict[int, Weights]
    ) -> dict[int, Weights]:
        """The same for dice of one kind, where arrivals need not be listed first."""
        made: dict[int, Weights] = {}
        trap, everyone = self.trap, self.crowd.everyone
        _, face_weight, face_shift, _ = show
        for used, weights in by_used.items():
            left = everyone - used
            ways = 1
            for count in range(min(most, left) + 1):
                shift = count * face_shift
                bucket = made.setdefault(used + count, {})
                for state, weight in weights.items():
                    target = rows[state][count]
                    if target != trap:
                        bucket[target] = bucket.get(target, 0) + (weight * ways << shift)
                ways = ways * face_weight * (left - count) // (count + 1)
        return made

    def _most(self, rows: dict[int, list[int]]) -> int:
        """The most dice that may show a face without the state being trapped."""
        most = 0
        trap = self.trap
        for state, row in rows.items():
            if state != trap:
                count = len(row) - 1
                while count > most and row[count] == trap:
                    count -= 1
                most = max(most, count)
        return most

    def _shows(self, face: int) -> list[Showing]:
        shows = []
        for kind, side in enumerate(self.sides):
            part = side.table.get(self.faces[face])
            if part is None:
                continue
            forced = face == self.last[kind] and not self.rest[kind]
            if len(part) == 1:
                [(more, weight)] = part.items()
                shift = (more - side.low) // self.step * 8 * self.width
                shows.append(Showing(kind, weight, shift, forced))
            else:
                terms = packed_terms(self._near(side, part), self.width)
                shows.append(Showing(kind, terms, 0, forced))
        return shows

    def _finish(self, by_used: dict[int, Weights]) -> Weights:
        """Put in the ignored faces, for all dice that have shown none yet."""
        ends: Weights = {}
        lefts = [self.crowd.left(used) for used in by_used]
        powers = [
            self._ladder(rest, sorted({left[kind] for left in lefts}))
            for kind, rest in enumerate(self.rest)
        ]
        self.work.spend(sum([len(weights) for weights in by_used.values()]) * self.unit)
        for weights, left in zip(by_used.values(), lefts, strict=True):
            scale = 1
            for ladder, count in zip(powers, left, strict=True):
                scale *= ladder[count]
            for state, weight in weights.items():
                ends[state] = ends.get(state, 0) + weight * scale
        return {state: weight for state, weight in ends.items() if weight}

    def _ladder(self, rest: Terms, counts: list[int]) -> dict[int, Packed]:
        """The powers of ignored faces that are needed, each from the last."""
        if not rest:
            return dict.fromkeys(counts, 1)
        base = packed_terms(rest, self.width)
        if self.slots * self.width < SHORT:
            return {count: base**count for count in counts}
        low = min(rest)
        near = {more - low: weight for more, weight in rest.items()}
        made: dict[int, Packed] = {}
        before = 0
        for count in counts:
            if not made:
                first = terms_of(power(near, count, self.work))
                row = [first.get(i, 0) for i in range(max(first) + 1)]
                made[count] = pack(row, self.width) << (low * count * 8 * self.width)
            else:
                self.work.spend((count - before) * self.unit)
                made[count] = made[before] * base ** (count - before)
            before = count
        return made

    def _sums(self, row: Poly) -> Terms:
        return spread(row, self.start, self.step)

    def _remaining(self, others: list[Terms]) -> Terms:
        """All sums less those of the other states."""
        made = sum_weights([(side.every(), side.count) for side in self.sides], self.work)
        for sums in others:
            for total, weight in sums.items():
                made[total] -= weight
        return {total: weight for total, weight in made.items() if weight}


Step = Callable[[Outcome, Reading, int], Outcome]

NEW_STATE = 20
"""Steps of work that a state costs beyond being reached: most of all it takes memory."""


CALL = 20
"""Steps of work that it costs to ask a game's function once: 15 to 28, as measured."""
SMALL_CHANGE = 10_000
"""Work that is not worth a word to the budget by itself."""


class Automaton:
    """The states a fold can be in, and where each face takes them.

    `rows[i][state][count]` is the state after face number i, when `count` dice show it; where
    `ignored[i]`, that is always the state before.
    """

    __slots__ = ("_numbers", "ignored", "rows", "states")

    def __init__(
        self, start: Outcome, step: Step, faces: list[tuple[Outcome, int]], size: int, work: Work
    ) -> None:
        """Ask `step` about everything `size` dice can do; each face comes with its most dice."""
        self._numbers: dict[Outcome, int] = {}
        self.states: list[Outcome] = []
        self.rows: list[dict[int, list[int]]] = []
        self.ignored: list[bool] = []
        present = {self._number(start): 0}
        due = 0
        for face, limit in faces:
            rows = {}
            ignored = True
            due += CALL * limit * len(present)
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
                present = _reachable(present, rows)
        work.spend(due)

    def _number(self, state: Outcome) -> int:
        try:
            number = self._numbers.setdefault(state, len(self.states))
        except TypeError:
            raise BadDist(f"a state must be a plain, unchanging value, not {state!r}") from None
        if number == len(self.states):
            self.states.append(state)
        return number

    def _row(self, step: Step, state: Outcome, face: Face, most: int) -> list[int]:
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


def _reachable(present: dict[int, int], rows: dict[int, list[int]]) -> dict[int, int]:
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
