"""Loops of positions with one node each: a policy is found in floats and proved exactly.

A policy is written over a few positions that close all circles, its hubs: the worth of each
position is a number and parts of the worth of each hub. Then only the hubs have to be solved for.
Floats find the policy; whole numbers give its worth and prove that no change of it is better, so no
result rests on a float.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import gcd, isfinite, lcm
from typing import TYPE_CHECKING

from rollwright.engine.best.nodes import Decision
from rollwright.engine.best.places import Place
from rollwright.engine.best.standoffs import refuse_standoff

if TYPE_CHECKING:
    from fractions import Fraction

    from rollwright.engine.best.solver import Solver

Value = tuple[int, int]
Row = tuple[int, int, list[tuple[int, float]], float, float]
"""A position: its side, its ways with their shares (or options), the share that stays, its toll."""
MOST_HUBS = 12
"""With more of them, taking positions out one by one is sooner done."""
MOST_TURNS = 200
MOST_PASSES = 40
"""So often everybody changes what they do at once, before each side does so by itself."""
CLOSE = 1e-9
"""Difference between floats that means nothing."""


class Knot:
    """Positions that lead back to each other, numbered; what lies outside has its value."""

    def __init__(self, solver: Solver, group: list[Place]) -> None:
        self.solver = solver
        self.places = group
        self.number = {place: number for number, place in enumerate(group)}
        self.kids: list[list[int]] = []
        """Numbers of positions; below 0, of values outside."""
        self.weights: list[Sequence[int] | None] = []
        """None where somebody decides, or where there is one way on."""
        self.totals: list[int] = []
        self.sides: list[int] = []
        """1 and -1 where somebody decides for and against the goal, else 0."""
        self.outside: list[Value | None] = []
        self.picks = [0] * len(group)
        self._outside_of: dict[Place, int] = {}
        self.tolls = [solver.toll(place) for place in group]
        """The cost of each position, in parts of the goal; before values are read, made finer."""
        for place in group:
            self._add(place)

    @staticmethod
    def fits(solver: Solver, group: list[Place]) -> bool:
        """Whether every tree has at most one node."""
        return all(len(solver.trees[place].nodes) <= 1 for place in group)

    def _add(self, place: Place) -> None:
        tree = self.solver.trees[place]
        if not tree.nodes:
            self.kids.append([self._kid(tree.root)])
            self.weights.append(None)
            self.totals.append(1)
            self.sides.append(0)
            return
        node = tree.nodes[0]
        self.kids.append([self._kid(child) for child in node.children])
        if isinstance(node, Decision):
            self.weights.append(None)
            self.totals.append(1)
            self.sides.append(-1 if self.solver.is_against(node) else 1)
        else:
            self.weights.append(node.weights)
            self.totals.append(node.total)
            self.sides.append(0)

    def _kid(self, place: Place) -> int:
        number = self.number.get(place)
        if number is not None:
            return number
        known = self._outside_of.get(place)
        if known is None:
            known = self._outside_of[place] = ~len(self.outside)
            self.outside.append(self.solver.values[place])
        return known

    # --- which positions can end, and how ---

    def way_out(self) -> set[int]:
        """The positions from which an end can be come to without risk; picks lead there."""
        alive = set(range(len(self.places)))
        while True:
            before = len(alive)
            for number in [*alive]:
                if self.weights[number] is not None and not all(
                    self._is_safe(kid, alive) for kid in self.kids[number]
                ):
                    alive.discard(number)
            alive = self._reached(alive)
            if len(alive) == before:
                return alive

    def _is_safe(self, kid: int, alive: set[int]) -> bool:
        return kid in alive if kid >= 0 else self.outside[~kid] is not None

    def _reached(self, alive: set[int]) -> set[int]:
        into: dict[int, list[int]] = {}
        reached: dict[int, None] = {}
        for number in sorted(alive):
            for option, kid in enumerate(self.kids[number]):
                if kid >= 0:
                    into.setdefault(kid, []).append(number)
                elif self.outside[~kid] is not None and number not in reached:
                    reached[number] = None
                    self.picks[number] = option
        queue = list(reached)
        for kid in queue:
            for number in into.get(kid, ()):
                if number not in reached:
                    reached[number] = None
                    self.picks[number] = self.kids[number].index(kid)
                    queue.append(number)
        return set(reached)

    # --- what a policy leads to ---

    def _follows(self, number: int) -> list[int]:
        if self.weights[number] is None:
            return [self.kids[number][self.picks[number]]]
        return self.kids[number]

    def order(
        self, alive: set[int], follows: Callable[[int], list[int]] | None = None
    ) -> tuple[list[int], list[int]] | None:
        """Positions, each after all that it leads to but for hubs; and the hubs. None: too many.

        Without `follows` they lead where the picks lead.
        """
        follows = follows or self._follows
        state = dict.fromkeys(alive, 0)
        listed: list[int] = []
        hubs: dict[int, None] = {}
        for first in sorted(alive):
            if state[first]:
                continue
            state[first] = 1
            stack = [(first, iter(follows(first)))]
            while stack:
                number, kids = stack[-1]
                for kid in kids:
                    if kid < 0 or kid == number:
                        continue
                    if not state[kid]:
                        state[kid] = 1
                        stack.append((kid, iter(follows(kid))))
                        break
                    if state[kid] == 1:
                        hubs[kid] = None
                else:
                    state[number] = 2
                    listed.append(number)
                    stack.pop()
            if len(hubs) > MOST_HUBS:
                return None
        return listed, list(hubs)

    def floats(self, alive: set[int], outside: list[float]) -> list[float] | None:
        """Return the approximate worth of each position under the picks; None if it has none."""
        ordered = self.order(alive)
        if ordered is None:
            return None
        listed, hubs = ordered
        many = range(len(hubs))
        place = {hub: number for number, hub in enumerate(hubs)}
        unit = [[float(i == j) for j in many] + [0.0] for i in many]
        forms: dict[int, list[float]] = {}
        zero = [0.0] * (len(hubs) + 1)
        last = len(hubs)
        own: list[list[float]] = [zero] * len(hubs)
        for number in listed:
            weights = self.weights[number]
            kids = self._follows(number)
            toll = self.tolls[number]
            if (
                weights is None and kids[0] >= 0 and kids[0] != number and not toll
            ):  # all that its way on is
                kid = kids[0]
                forms[number] = form = unit[place[kid]] if kid in place else forms[kid]
                if number in place:
                    own[place[number]] = form
                continue
            form = zero[:]
            form[last] -= toll
            stay = 0.0
            for kid, weight in zip(kids, weights or (1,)):
                share = weight / self.totals[number] if weights else 1.0
                if kid < 0:
                    form[last] += share * outside[~kid]
                elif kid == number:
                    stay += share
                else:
                    other = unit[place[kid]] if kid in place else forms[kid]
                    for index, part in enumerate(other):
                        if part:
                            form[index] += share * part
            if stay:
                if stay >= 1.0 - 1e-15:
                    return None
                form = [part / (1.0 - stay) for part in form]
            forms[number] = form
            if number in place:
                own[place[number]] = form
        solved = _solve_floats(own)
        if solved is None:
            return None
        values = [0.0] * len(self.places)
        for number in listed:
            form = forms[number]
            values[number] = form[last] + sum([form[i] * solved[i] for i in many])
        return values

    @property
    def _outside_floats(self) -> list[float]:
        return [0.0 if value is None else _about(*value) for value in self.outside]

    def exact(self, alive: set[int]) -> list[Value] | None:
        """Return the exact worth of each position under the picks."""
        from fractions import Fraction

        ordered = self.order(alive)
        if ordered is None:
            return None
        listed, hubs = ordered
        place = {hub: number for number, hub in enumerate(hubs)}
        last = len(hubs)
        forms: dict[int, tuple[list[int], int]] = {}
        own: list[tuple[list[int], int]] = [([], 1)] * len(hubs)
        units = [([int(i == j) for j in range(last)] + [0], 1) for i in range(last)]
        for number in listed:
            weights = self.weights[number]
            kids = self._follows(number)
            if weights is None and kids[0] >= 0 and kids[0] != number and not self.tolls[number]:
                kid = kids[0]  # all that its way on is
                forms[number] = known = units[place[kid]] if kid in place else forms[kid]
                if number in place:
                    own[place[number]] = known
                continue
            parts: list[tuple[int, list[int], int]] = []
            stay = 0
            for kid, weight in zip(kids, weights or (1,)):
                if kid == number:
                    stay += weight
                elif kid < 0:
                    part, whole = self.outside[~kid]  # type: ignore[misc]
                    parts.append((weight, [0] * last + [part], whole))
                elif kid in place:
                    parts.append((weight, *units[place[kid]]))
                else:
                    parts.append((weight, *forms[kid]))
            common = lcm(*[whole for _, _, whole in parts])
            form = [0] * (last + 1)
            for weight, row, whole in parts:
                factor = weight * (common // whole)
                for index, part in enumerate(row):
                    if part:
                        form[index] += factor * part
            form[last] -= self.tolls[number] * common
            common *= self.totals[number] - stay
            if common.bit_length() > 60:
                shared = gcd(common, *form)
                if shared > 1:
                    form, common = [part // shared for part in form], common // shared
            forms[number] = form, common
            if number in place:
                own[place[number]] = form, common
        solved = _solve_fractions([[Fraction(part, whole) for part in form] for form, whole in own])
        if solved is None:
            return None
        over = lcm(*[value.denominator for value in solved])
        hub_parts = [value.numerator * (over // value.denominator) for value in solved]
        values: list[Value] = [(0, 1)] * len(self.places)
        for number in listed:
            form, whole = forms[number]
            part = form[last] * over + sum([a * b for a, b in zip(form, hub_parts)])
            whole *= over
            shared = gcd(part, whole)
            values[number] = part // shared, whole // shared
        return values

    # --- better policies ---

    def improve(self, alive: set[int]) -> bool:
        """Find a policy that neither side would change, by floats; False where that fails."""
        outside = self._outside_floats
        before = self.picks[:]
        if self._improve_all(alive, outside):
            return True
        self.picks = before
        deciders = [number for number in alive if self.sides[number]]
        for _ in range(MOST_TURNS):
            values = self._answer(deciders, outside, alive)
            if values is None:
                return False
            if not self._switch(deciders, -1, values, outside, alive):
                return True
        return False

    def _improve_all(self, alive: set[int], outside: list[float]) -> bool:
        """Let everybody take what is best by the worth of the hubs, until these stay as they are.

        Both sides at once, which comes to an end as a rule; what it comes to is proved by others.
        """
        safe = {
            number: [kid for kid in self.kids[number] if self._is_safe(kid, alive)]
            for number in alive
            if self.sides[number]
        }
        ordered = self.order(alive, lambda number: safe.get(number) or self.kids[number])
        if ordered is None:
            return False
        listed, hubs = ordered
        rows = [self._row(number, safe.get(number)) for number in listed]
        worth = [0.0] * len(hubs)
        for turn in range(MOST_PASSES):
            found = self._pass(rows, hubs, worth, outside, switches=turn > 0)
            if found is None:
                return False
            own, switched = found
            if turn and not switched:
                return True
            solved = _solve_floats(own)
            if solved is None or not all(map(isfinite, solved)):
                return False
            worth = solved
        return False

    def _row(self, number: int, safe: list[int] | None) -> Row:
        weights, total = self.weights[number], self.totals[number]
        if safe is not None:
            kids = self.kids[number]
            options = [(kid, float(kids.index(kid))) for kid in safe if kid != number]
            return number, self.sides[number], options, 0.0, float(self.tolls[number])
        stay, shares = 0.0, []
        for kid, weight in zip(self.kids[number], weights or (1,)):
            share = weight / total if weights else 1.0
            if kid == number:
                stay += share
            else:
                shares.append((kid, share))
        return number, 0, shares, stay, float(self.tolls[number])

    def _pass(
        self,
        rows: list[Row],
        hubs: list[int],
        worth: list[float],
        outside: list[float],
        *,
        switches: bool,
    ) -> tuple[list[list[float]], bool] | None:
        """The worth of hubs in parts of hubs, each decision by what its options are worth now."""
        last = len(hubs)
        place = {hub: number for number, hub in enumerate(hubs)}
        forms: dict[int, list[float]] = {}
        values: dict[int, float] = {}
        for number, hub in enumerate(hubs):
            forms[hub] = [float(number == other) for other in range(last)] + [0.0]
            values[hub] = worth[number]
        own: list[list[float]] = [[]] * last
        switched = False
        for number, side, ways, stay, toll in rows:
            if side:
                pick = self.picks[number]
                if switches:
                    taken = self.kids[number][pick]
                    now = values[taken] if taken >= 0 else outside[~taken]
                    for kid, option in ways:
                        value = values[kid] if kid >= 0 else outside[~kid]
                        if (value - now) * side > CLOSE * (1 + abs(now)):
                            pick, now = int(option), value
                    if pick != self.picks[number]:
                        self.picks[number] = pick
                        switched = True
                kid = self.kids[number][pick]
                form = forms[kid] if kid >= 0 else [0.0] * last + [outside[~kid]]
                if toll:
                    form = [*form[:last], form[last] - toll]
            else:
                form = [0.0] * (last + 1)
                form[last] = -toll
                for kid, share in ways:
                    if kid < 0:
                        form[last] += share * outside[~kid]
                    else:
                        for index, part in enumerate(forms[kid]):
                            if part:
                                form[index] += share * part
                if stay:
                    if stay >= 1.0 - 1e-15:
                        return None
                    form = [part / (1.0 - stay) for part in form]
            if number in place:
                own[place[number]] = form
            else:
                forms[number] = form
                values[number] = form[last] + sum([a * b for a, b in zip(form, worth)])
        return own, switched

    def _opposed(self, deciders: list[int]) -> bool:
        return any(self.sides[number] < 0 for number in deciders)

    def _answer(
        self, deciders: list[int], outside: list[float], alive: set[int]
    ) -> list[float] | None:
        """Return the values once those for the goal answer best to what the others do now."""
        for _ in range(MOST_TURNS):
            values = self.floats(alive, outside)
            if values is None or not all(map(isfinite, values)):
                return None
            if not self._switch(deciders, 1, values, outside, alive):
                return values
        return None

    def _switch(
        self,
        deciders: list[int],
        side: int,
        values: list[float],
        outside: list[float],
        alive: set[int],
    ) -> bool:
        switched = False
        for number in deciders:
            if self.sides[number] != side:
                continue
            kids = self.kids[number]
            pick = self.picks[number]
            now = values[kids[pick]] if kids[pick] >= 0 else outside[~kids[pick]]
            for option, kid in enumerate(kids):
                if not self._is_safe(kid, alive):
                    continue
                value = values[kid] if kid >= 0 else outside[~kid]
                if (value - now) * side > CLOSE * (1 + abs(now)):
                    pick, now = option, value
            if pick != self.picks[number]:
                self.picks[number] = pick
                switched = True
        return switched

    def ends(self, alive: set[int]) -> bool:
        """Whether every position surely comes to an end under the picks."""
        into: dict[int, list[int]] = {}
        reached: set[int] = set()
        queue: list[int] = []
        for number in alive:
            for kid in self._follows(number):
                if kid >= 0:
                    into.setdefault(kid, []).append(number)
                elif number not in reached:
                    reached.add(number)
                    queue.append(number)
        for kid in queue:
            for number in into.get(kid, ()):
                if number not in reached:
                    reached.add(number)
                    queue.append(number)
        return reached == alive

    def settle(self, alive: set[int], values: list[Value]) -> bool:
        """Whether no option is better than what is picked; equal ones give way to the first."""
        first: dict[int, int] = {}
        even: dict[int, list[int]] = {}
        for number in alive:
            side = self.sides[number]
            if not side:
                continue
            part, whole = values[number]
            for option, kid in enumerate(self.kids[number]):
                if not self._is_safe(kid, alive):
                    continue
                other, over = values[kid] if kid >= 0 else self.outside[~kid]  # type: ignore[misc]
                gain = (other * whole - part * over) * side
                if gain > 0:
                    return False
                if not gain:
                    even.setdefault(number, []).append(option)
                    first.setdefault(number, option)
        if self._opposed(list(first)):
            refuse_standoff(self.kids, self.sides, even)
        else:
            before = self.picks[:]
            for number, option in first.items():
                self.picks[number] = option
            if not self.ends(alive):
                self.picks = before
        return True


def solve_knot(solver: Solver, group: list[Place]) -> bool:
    """Value positions that lead back to each other; False where another way must be taken."""
    if not Knot.fits(solver, group):
        return False
    knot = Knot(solver, group)
    solver.budget.spend(
        4 * sum([2 + len(kids) for kids in knot.kids]), "closing a loop of positions"
    )
    alive = knot.way_out()
    values: list[Value] | None = []
    if alive:
        if not knot.improve(alive) or not knot.ends(alive):
            return False
        values = knot.exact(alive)
        if values is None or not knot.settle(alive, values):
            return False
    for number, place in enumerate(group):
        solver.values[place] = values[number] if values and number in alive else None
        solver.picks[place] = [knot.picks[number]] * len(solver.trees[place].nodes)
    return True


def _about(part: int, whole: int) -> float:
    try:
        return part / whole
    except OverflowError:
        return float("inf")


def _solve_floats(rows: list[list[float]]) -> list[float] | None:
    """Solve x = rows · (x, 1)."""
    size = len(rows)
    matrix = [
        [(1.0 if i == j else 0.0) - row[j] for j in range(size)] + [row[size]]
        for i, row in enumerate(rows)
    ]
    for column in range(size):
        best = max(range(column, size), key=lambda i: abs(matrix[i][column]))
        if abs(matrix[best][column]) < 1e-14:
            return None
        matrix[column], matrix[best] = matrix[best], matrix[column]
        top = matrix[column]
        for i in range(size):
            if i != column and matrix[i][column]:
                factor = matrix[i][column] / top[column]
                matrix[i] = [a - factor * b for a, b in zip(matrix[i], top)]
    return [matrix[i][size] / matrix[i][i] for i in range(size)]


def _solve_fractions(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """The same, exactly."""
    size = len(rows)
    matrix = [[(i == j) - row[j] for j in range(size)] + [row[size]] for i, row in enumerate(rows)]
    for column in range(size):
        found = [i for i in range(column, size) if matrix[i][column]]
        if not found:
            return None
        matrix[column], matrix[found[0]] = matrix[found[0]], matrix[column]
        top = matrix[column]
        for i in range(size):
            if i != column and matrix[i][column]:
                factor = matrix[i][column] / top[column]
                matrix[i] = [a - factor * b for a, b in zip(matrix[i], top)]
    return [matrix[i][size] / matrix[i][i] for i in range(size)]
