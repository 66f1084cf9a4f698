"""Finds best play: values every decision of a rule for one goal, from the ends backwards."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from math import lcm
from typing import TYPE_CHECKING, Any

from rollwright.budget import Budget
from rollwright.engine.best.far import GrowthWatch, PlacesGrowError, cut_off
from rollwright.engine.best.loops import Value, solve_loop
from rollwright.engine.best.nodes import Chance, Child, Decision, Runs, Tree
from rollwright.engine.best.policies import Advice, Goal, PolicyEntry, Worth
from rollwright.engine.best.states import (
    LOST,
    CompiledState,
    End,
    OutcomeState,
    Plain,
    ReplayState,
    StateId,
    TallyState,
    has_tree,
)
from rollwright.engine.best.trees import TreeBuilder
from rollwright.engine.compiled.errors import LOOKED_AT, CannotCompile, Learn, explain
from rollwright.engine.compiled.following import Rest
from rollwright.engine.failures import explain_answers
from rollwright.engine.odds.chains import (
    SETTLED,
    Flow,
    GarbageCollectionOff,
    Leaves,
    RuleEnds,
    flow,
    sccs,
)
from rollwright.engine.odds.count import Policy
from rollwright.engine.outcome_keys import SIMPLE, outcome_key
from rollwright.engine.position import add_state
from rollwright.engine.replay import finish_all
from rollwright.engine.steps import Call, Finish, State, Step, TallyStep, Tokens
from rollwright.errors import Misuse, NeverEnds, TooMuchWork

if TYPE_CHECKING:
    from fractions import Fraction

    from rollwright.engine.compiled.machine import At


_NO_PICK = [0]
"""In the place of what is picked where chance decides."""
TENTHS = 10
"""Factor of the scale for a goal that gives fractions: others will be decimal ones as a rule."""


class NoWorstOutcomeError(Exception):
    """Refuse truncated play where numbers run: it counts as the worst, and there is no worst."""


class FinishLeadsOnError(Exception):
    """A finish that goes on to another rule, so that its sums must be kept apart."""

    def __init__(self, finish: Finish | None) -> None:
        self.finish = finish


def solve_for(
    tokens: Tokens,
    goal: Goal,
    others: Mapping[str, Policy],
    budget: Budget,
    against: Collection[str] = (),
    price: Fraction | int = 0,
    *,
    runs: bool = False,
) -> Solver:
    """Best play for a goal, in whole numbers as fine as the goal needs.

    With `runs` numbers that are only added to may run, so that no outcome can be told.
    """
    grower = TreeBuilder(others, budget)
    grower.pays, grower.runs = bool(price), runs
    return solve_with(grower, tokens, goal, against, price)


def solve_with(
    grower: TreeBuilder,
    tokens: Tokens,
    goal: Goal,
    against: Collection[str] = (),
    price: Fraction | int = 0,
) -> Solver:
    """The same with trees that are grown already, as far as they are."""
    budget = grower.budget
    asks: list[At] = []
    kept = budget.kept
    with GarbageCollectionOff():
        while True:
            if not grower.grown:
                budget.kept = kept  # all was forgotten
            try:
                with GrowthWatch(grower):
                    if grower.cuts:
                        cut_off(grower, grower.places.replay_state(tokens))
                    return Solver(goal, grower, against, price).solve(tokens)
            except PlacesGrowError:
                grower.cuts, asks = True, _latest_positions(grower)
            except FinishLeadsOnError as found:
                grower.distinguish_sums(found.finish)
            except Runs:
                grower.use_running_sums(run=True)
            except NoWorstOutcomeError:
                grower.use_running_sums(run=False)
            except CannotCompile as why:
                if grower.pays:
                    raise Misuse(f"what this spends cannot be told: {why}") from None
                grower.replay(why)
            except Learn:
                grower.rebuild()
            except TooMuchWork as problem:
                asks = asks or _latest_positions(grower)  # breadth first they differ less
                raise explain(problem, grower.compiling.refusal, asks) from None
            except Exception as problem:
                explain_answers(problem, grower.compiling)
                raise


def _latest_positions(grower: TreeBuilder) -> list[At]:
    """The positions that were found last."""
    last = grower.places.ends[-LOOKED_AT:]
    return [at for end in last if isinstance(end, (CompiledState, Plain)) and (at := end.at)]


def exact_number(worth: object) -> Fraction:
    """Return a goal's number exactly: a decimal fraction is taken as it is written."""
    from fractions import Fraction

    if type(worth) is Fraction:
        return worth
    if isinstance(worth, float) and worth - worth == 0:
        return Fraction(repr(worth))
    if isinstance(worth, (int, Fraction)):
        return Fraction(worth)
    raise Misuse(f"a goal gives a number for an outcome, not {worth!r}")


class Solver:
    """Values every tree of a rule for one goal, from the ends backwards."""

    __slots__ = (
        "fraction",
        "goal",
        "against",
        "price",
        "grower",
        "scale",
        "budget",
        "trees",
        "values",
        "picks",
        "start",
        "_priced",
        "_valued",
        "_round",
        "_placed",
        "_worth",
        "_finished",
        "_floor",
        "_inner",
    )

    def __init__(
        self,
        goal: Goal,
        grower: TreeBuilder,
        against: Collection[str] = (),
        price: Fraction | int = 0,
    ) -> None:
        from fractions import Fraction

        self.fraction = Fraction  # to look for it each time takes as long as to make one
        self.goal = goal
        self.against = against
        self.price = price
        """The price of each that is spent, in the goal."""
        self.grower = grower
        self.scale = 1
        """All is counted in so many parts of what the goal says."""
        self.budget = grower.budget
        self.trees: dict[StateId, Tree] = grower.grown
        self.values: list[Value | None] = []
        """The worth of each place; None if it never ends, or is not known yet."""
        self.picks: dict[StateId, list[int]] = {}
        self._priced = grower.pays or grower.running is not None
        """Whether places have tolls."""
        self._valued = 0
        """How many of the outcomes and sums are valued."""
        self._round: set[StateId] = set()
        """Trees that lead back to themselves."""
        self._placed: dict[StateId, int] = {}
        """The worth of outcomes by their places, each of which is known once."""
        self._worth: dict[object, int] = {}
        self._finished: dict[tuple[object, ...], dict[State, int]] = {}
        self._floor: int | None = None
        self._inner: dict[StateId, list[Value | None]] = {}
        """The worth of the nodes of trees, as far as somebody has asked."""

    def solve(self, tokens: Tokens) -> Solver:
        """Find best play from `tokens` on."""
        start = self.start = self.grower.places.replay_state(tokens)
        self.grower.valued = self.picks
        self._value_all()
        if self.values[start] is None:
            raise NeverEnds("however one plays, this may go round for ever")
        return self

    def _value_all(self) -> None:
        """Value every tree from the start on, each after those that it leads to.

        That goes as in `knots`, with the trees grown and valued on the way.
        """
        values, ends, round_ = self.values, self.grower.places.ends, self._round
        value_one, grow = self._value_one, None
        ranks = {self.start: 0}
        rank_of = ranks.get
        path: list[StateId] = []
        work = [(self.start, 0, iter(self.leads_to(self.start)))]
        while work:
            key, rank, tails = work[-1]
            low = ranks[key]
            for tail in tails:
                if values[tail] is not None:
                    continue
                other = rank_of(tail)
                if other is not None:
                    if other < low:
                        low = other
                    continue
                end = ends[tail]
                if type(end) is Plain:
                    if grow is None:
                        grow = self.grower.stepping.plainly
                    led_to = grow(tail, end)
                    if len(ends) > len(values):
                        self.value_ends()
                    further = [each for each in led_to if values[each] is None]
                    if tail in further:
                        round_.add(tail)
                else:
                    further = [*self.leads_to(tail)]
                if further:
                    ranks[key] = low
                    other = ranks[tail] = len(ranks)
                    work.append((tail, other, iter(further)))
                    break
                ranks[tail] = SETTLED
                value_one(tail)
            else:
                work.pop()
                if low < rank:
                    ranks[key] = low
                    path.append(key)
                    parent = work[-1][0]
                    ranks[parent] = min(ranks[parent], low)
                    continue
                if (not path or ranks[path[-1]] < rank) and key not in round_:
                    ranks[key] = SETTLED
                    value_one(key)
                    continue
                group = [key]
                while path and ranks[path[-1]] >= rank:
                    group.append(path.pop())
                for member in group:
                    ranks[member] = SETTLED
                solve_loop(self, group)

    def _value_one(self, place: StateId) -> None:
        """Value a tree that leads to nothing without a value, if one begins there."""
        tree = self.trees.get(place)
        if tree is None:
            return  # nothing is decided there
        nodes, grower = tree[0], self.grower
        if len(nodes) != 1 or self._priced or grower.loses or place == self.start:
            self.values[place] = self.evaluate(place)
            return
        node, values = nodes[0], self.values
        below = [values[child] for child in node.children]
        if type(node) is Decision:
            against = node.against or node.by in self.against
            pick, values[place] = best_of(below, against=against)
            self.picks[place] = [pick]
        else:
            self.picks[place] = _NO_PICK
            values[place] = average(below, node.weights, node.total)  # type: ignore[union-attr]
        self.budget.spend(1 + len(below), "best play")

    def leads_to(self, place: StateId) -> Iterable[StateId]:
        """Grow the tree that begins there, if one does; what it leads to that has no value."""
        kind = type(self.grower.places.ends[place])
        if (
            kind is not CompiledState
            and kind is not Call
            and kind is not ReplayState
            and kind is not Plain
        ):
            return ()
        tree = self.grower.build(place)
        if len(self.grower.places.ends) > len(self.values):
            self.value_ends()
        values = self.values
        ends = [end for end in tree.ends() if values[end] is None]
        if place in ends:
            self._round.add(place)
        return ends

    def value_ends(self) -> None:
        """Value the outcomes and the sums that have been come to since the last time."""
        places, values = self.grower.places, self.values
        values += [None] * (len(places.ends) - len(values))
        running = self.grower.running
        while self._valued < len(places.valued):
            place = places.valued[self._valued]
            end = places.ends[place]
            if running is not None and type(end) is OutcomeState and running.runs_in(end.outcome):
                worth = running.base_worth(place, end.outcome, self.goal)
                values[place] = self._in_parts(worth), 1
            else:
                values[place] = self._end_value(place, end)
            self._valued += 1

    def value_truncation(self) -> None:
        """Value what a bound cut off, once something was."""
        if self.values[LOST] is None:
            if self.grower.running is not None:
                raise NoWorstOutcomeError
            self.values[LOST] = self.floor, 1

    def is_against(self, node: Decision) -> bool:
        """Check whether the chooser here wants as little of the goal as can be."""
        return node.against or node.by in self.against

    @property
    def choosers(self) -> set[str]:
        """Everybody who has something to choose, by the name they choose under."""
        return self.grower.choosers

    def worth(self, outcome: object) -> int:
        """Return the worth of an outcome, in whole parts of the scale."""
        key = outcome if type(outcome) in SIMPLE else outcome_key(outcome)
        known = self._worth.get(key)
        if known is None:
            known = self._worth[key] = self._in_parts(self.goal(outcome))
        return known

    def _in_parts(self, value: object) -> int:
        """Return a goal's number in whole parts of the scale."""
        if type(value) is int or type(value) is bool:
            return value * self.scale
        exact: Fraction = value if type(value) is self.fraction else exact_number(value)
        part, whole = exact.as_integer_ratio()
        if self.scale % whole:
            self._count_finer(whole)
        return part * (self.scale // whole)

    def _count_finer(self, whole: int) -> None:
        """Count in smaller parts from now on, and all that is valued so far."""
        finer = lcm(self.scale, whole, TENTHS) // self.scale
        self.scale *= finer
        tables: list[dict[Any, int]] = [self._placed, self._worth, *self._finished.values()]
        for known in tables:
            for key in known:
                known[key] *= finer
        self.values[:] = [value and (value[0] * finer, value[1]) for value in self.values]

    def _end_value(self, place: StateId, end: End) -> Value:
        if type(end) is TallyState:
            return self._sum_value(end.step)
        assert type(end) is OutcomeState
        worth = self._placed[place] = self._in_parts(self.goal(end.outcome))
        return worth, 1

    @property
    def floor(self) -> int:
        """The worth of the worst counted outcome: so much is what a bound cut off."""
        if self._floor is None:
            for _ in sccs(self.leads_to, self.start):
                pass  # all that can be come to is grown and valued
            worths: list[dict[Any, int]] = [self._placed, self._worth, *self._finished.values()]
            self._floor = min([worth for known in worths for worth in known.values()], default=0)
        return self._floor

    def _sum_value(self, step: TallyStep[object]) -> Value:
        few = self.grower.chances.few_sums(step)
        if few is not None:
            return self._few_value(step, *few)
        packing, items, total = self.grower.chances.packed_tally(step)
        self.budget.spend(len(items), "the ends of this rule")
        shape = packing and (packing.width, packing.make)
        worths = self._finished.setdefault((step.finish, step.given, shape), {})
        start = step.start if packing is None else packing.pack(step.start)
        if start is None:
            return self._sum_worth(step), total
        if packing is None:
            ends = [add_state(start, raw) for raw, _ in items]
        else:
            ends = [start + raw for raw, _ in items]
        fresh = [end for end in ends if end not in worths]
        if fresh:
            wholes = fresh if packing is None else packing.unpack_all(fresh)
            self._value_sums(step, (fresh, wholes), worths)
        return sum([weight * worths[end] for end, (_, weight) in zip(ends, items)]), total

    def _few_value(
        self, step: TallyStep[object], items: list[tuple[State, int]], total: int, _: object
    ) -> Value:
        self.budget.spend(len(items), "the ends of this rule")
        name = (step.finish, step.given, type(items[0][0]))
        worths = self._finished.setdefault(name, {})
        fresh = [end for end, _ in items if end not in worths]
        if fresh:
            self._value_sums(step, (fresh, fresh), worths)
        return sum([weight * worths[end] for end, weight in items]), total

    def _value_sums(
        self,
        step: TallyStep[object],
        ends: tuple[list[State], Iterable[State]],
        worths: dict[State, int],
    ) -> None:
        """Value what a throw ends in: the keys that its worths are noted under, and its sums.

        A goal is sooner asked than its answers are looked up.
        """
        finish, given, goal = step.finish, step.given, self.goal
        keys, raws = ends
        for key, outcome in zip(keys, finish_all(finish, given, raws) if finish else raws):
            if isinstance(outcome, Step):
                raise FinishLeadsOnError(finish)
            worths[key] = self._in_parts(goal(outcome))

    def _sum_worth(self, step: TallyStep[object]) -> int:
        items = self.grower.chances.tally(step).listed
        ends = [(add_state(step.start, raw), weight) for raw, weight in items]
        for end, _ in ends:
            self._worth_of_end(step, end)  # which may make the parts smaller
        return sum(weight * self._worth_of_end(step, end) for end, weight in ends)

    def _worth_of_end(self, step: TallyStep[object], raw: State) -> int:
        finish = step.finish
        outcome = raw if finish is None else finish(raw, *step.given)
        if isinstance(outcome, Step):
            raise FinishLeadsOnError(finish)
        return self.worth(outcome)

    def price_at(self, place: StateId) -> int:
        """Return what is spent at a place, in whole parts of the scale."""
        amount = self.grower.spent.get(place)
        if amount is not None:
            return self._in_parts(amount * self.price)
        running = self.grower.running
        moved = None if running is None else self.grower.moved.get(place)
        return -self._in_parts(running.worth_of(moved)) if running and moved else 0

    def evaluate(self, place: StateId) -> Value | None:
        """The value of a tree whose ends all have theirs; notes which options are best."""
        nodes, root = self.trees[place]
        toll = self.price_at(place)
        if self.grower.loses:
            self.value_truncation()
        values, opposed, work, number = self.values, self.against, 1, len(nodes)
        picks = self.picks[place] = [0] * number
        known = len(values)
        values += picks  # type: ignore[arg-type]  # nodes, from the end, as their numbers are read
        while number:
            number -= 1
            node = nodes[number]
            below = [values[child] for child in node.children]
            work += len(below)
            if type(node) is Decision:
                against = node.against or node.by in opposed
                picks[number], values[~number] = best_of(below, against=against)
            else:
                values[~number] = average(below, node.weights, node.total)  # type: ignore[union-attr]
        value = values[root]
        if toll and value is not None:
            value = value[0] - toll * value[1], value[1]
        if place == self.start:
            self._inner[place] = values[known:]  # its lines need them
        del values[known:]
        self.budget.spend(work, "best play")
        return value

    def flow(self) -> Flow:
        """Return where the rule leads when everybody plays best."""
        local = partial(self._local, decides=True)
        return self._flow_from(self.start, local(self.start), local)

    def flow_after(self, place: int) -> Flow | None:
        """Return where the rule leads after one option of its first choice, played best then.

        None if it does not start with a choice.
        """
        first = self._first()
        if type(first) is not Decision:
            return None
        places = self.grower.places
        start = places.replay_state((*places.tokens(self.start), first.options[place]))
        return self._flow_from(start, self._local(self.start, first.children[place]), self._local)

    def _first(self) -> Chance | Decision | None:
        """Return the first node of the rule."""
        nodes, root = self.trees[self.start]
        return nodes[~root] if root < 0 else None

    def _flow_from(
        self, start: StateId, local: RuleEnds, local_of: Callable[[StateId], RuleEnds]
    ) -> Flow:
        with GarbageCollectionOff():
            nodes = {start: local}
            waiting = list(local.tails)
            while waiting:
                key = waiting.pop()
                if key not in nodes:
                    nodes[key] = local_of(key)
                    waiting += nodes[key].tails
            return flow(nodes, start, self.budget)

    def _local(
        self,
        place: StateId,
        root: Child | None = None,
        *,
        decides: bool = False,
        tells_ends: bool = True,
    ) -> RuleEnds:
        """Return where a tree leads; if it `decides`, beyond places where somebody only chooses.

        Without `tells_ends` all that ends the rule counts as one outcome.
        """
        ends, keys = self.grower.places.ends, self.grower.places.keys
        runs = self.grower.running is not None
        leaves = Leaves(self.grower.chances, self.budget)
        for number, shares in self.shares(place, root)[1].items():
            if decides:
                number = self._state_after_choices(number)
            end = ends[number]
            for total, ways in shares.items():
                if not tells_ends and is_last(end):
                    leaves.outcome(0, ways, total)
                elif type(end) is OutcomeState:
                    known = number if runs else keys.get(number, end.outcome)
                    leaves.known_outcome(known, ways, total)
                elif type(end) is TallyState:
                    leaves.tally(end.step, ways, total)
                elif has_tree(end):
                    leaves.tail(number, ways, total)
        return leaves.local()

    def _state_after_choices(self, place: StateId) -> StateId:
        """Return where best play goes from a place at which nothing but a choice is made."""
        while True:
            tree = self.trees.get(place)
            if tree is None or len(tree.nodes) != 1 or type(tree.nodes[0]) is not Decision:
                return place
            place = tree.nodes[0].children[self.picks[place][0]]

    def shares(
        self, place: StateId, root: Child | None = None
    ) -> tuple[list[dict[int, int]], dict[StateId, dict[int, int]]]:
        """How likely each node and end of a tree is under best play: ways by denominator.

        Ends that best play does not come to are left out.
        """
        tree, picks = self.trees[place], self.picks[place]
        nodes: list[dict[int, int]] = [{} for _ in tree.nodes]
        ends: dict[StateId, dict[int, int]] = {}

        def reach(child: Child, total: int, ways: int) -> None:
            into = nodes[~child] if child < 0 else ends.get(child)
            if into is None:
                into = ends[child] = {}
            into[total] = into.get(total, 0) + ways

        reach(tree.root if root is None else root, 1, 1)
        for number, node in enumerate(tree.nodes):
            for total, ways in nodes[number].items():
                if type(node) is Decision:
                    reach(node.children[picks[number]], total, ways)
                else:
                    for child, weight in zip(node.children, node.weights, strict=True):  # type: ignore[union-attr]
                        reach(child, total * node.total, ways * weight)  # type: ignore[union-attr]
        return nodes, ends

    def advice(self) -> Advice:
        """Best play in words and numbers."""
        here: PolicyEntry | None = None
        first = self._first()
        if type(first) is Decision:
            here = self._line(self.start, ~self.trees[self.start].root, first, self.fraction(1))
        value = self._fraction(self.values[self.start])
        return Advice(
            value, here, self._lines, self._truncated_share if self.grower.loses else None
        )

    def _truncated_share(self) -> Fraction:
        found = self.flow()
        return self.fraction(found.lost, found.total)

    def _lines(self) -> list[PolicyEntry]:
        """Every decision that best play can come to."""
        exact = self.fraction
        lines: list[PolicyEntry] = []
        visits = self._visits()
        alone = len(visits) == 1 and visits[self.start] == 1
        for place, visited in visits.items():
            shares = self.shares(place)[0]
            for number, node in enumerate(self.trees[place].nodes):
                if type(node) is Decision and shares[number]:
                    (total, ways), *more = shares[number].items()
                    chance = exact(ways, total)
                    for total, ways in more:
                        chance += exact(ways, total)
                    lines.append(
                        self._line(place, number, node, chance if alone else chance * visited)
                    )
        return lines

    def _visits(self) -> dict[StateId, Fraction]:
        """How often each tree is come to on average under best play."""
        alone = {self.start: self.fraction(1)}
        if len(self.trees) == 1 and self.start not in self._round:
            return alone
        local = partial(self._local, tells_ends=False)
        return self._flow_from(self.start, local(self.start), local).visits or alone

    def _line(self, place: StateId, number: int, node: Decision, chance: Fraction) -> PolicyEntry:
        worths = []
        inner = self._inner_values(place)
        for option, child in zip(node.options, node.children, strict=True):
            value = inner[child] if child < 0 else self.values[child]
            if value is not None:
                worths.append(Worth(option, self._fraction(value)))
        situation = node.seen if node.about is None else node.about
        choose = node.options[self.picks[place][number]]
        return PolicyEntry(node.by, situation, choose, tuple(worths), chance, self.is_against(node))

    def _inner_values(self, place: StateId) -> list[Value | None]:
        known = self._inner.get(place)
        if known is None:
            known = self._inner[place] = self.node_values(place)
        return known

    def node_values(self, place: StateId) -> list[Value | None]:
        """The value of every node of a solved tree, by the number its parent has for it."""
        nodes, picks, values = self.trees[place].nodes, self.picks[place], self.values
        inner: list[Value | None] = [None] * len(nodes)
        for number in range(len(nodes) - 1, -1, -1):
            node = nodes[number]
            below = [values[c] if c >= 0 else inner[c] for c in node.children]
            if type(node) is Decision:
                inner[~number] = below[picks[number]]
            else:
                inner[~number] = average(below, node.weights, node.total)  # type: ignore[union-attr]
        return inner

    def _fraction(self, value: Value | None) -> Fraction:
        assert value is not None
        return self.fraction(value[0], value[1] * self.scale)


def best_of(values: list[Value | None], *, against: bool) -> tuple[int, Value | None]:
    """The place and the value of the best, the first among equals."""
    pick, top = 0, values[0]
    for number, value in enumerate(values):
        if value is None or value is top:
            continue
        if top is not None:
            left, right = value[0], top[0]
            if value[1] != top[1]:
                left, right = left * top[1], right * value[1]
            if left >= right if against else left <= right:
                continue
        pick, top = number, value
    return pick, top


def average(values: list[Value | None], weights: Sequence[int], total: int) -> Value | None:
    """Return the weighted average of values; None if one never ends."""
    value, common = 0, 1
    try:
        for _, whole in values:  # type: ignore[misc]
            if whole > common:
                common = whole
        for (part, whole), weight in zip(values, weights):  # type: ignore[misc]
            if whole == common:
                value += weight * part
                continue
            factor, rest = divmod(common, whole)
            if rest:
                return average(_over_one(values), weights, total)
            value += weight * part * factor
    except TypeError:
        return None
    return value, total * common


def _over_one(values: list[Value | None]) -> list[Value | None]:
    """The same values over one denominator."""
    common = lcm(*[whole for _, whole in values])  # type: ignore[misc]
    return [(part * (common // whole), common) for part, whole in values]  # type: ignore[misc]


def is_last(end: End) -> bool:
    """Whether nothing is asked any more after this; a sum that a rule returns may lead on."""
    return type(end) is OutcomeState or (
        type(end) is TallyState and (end.step.finish is None or type(end.step.finish) is Rest)
    )
