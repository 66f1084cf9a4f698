"""The decisions of a rule as a tree: what chance and the choosers can make of one stretch of it.

A tree ends where the rule forgets: at an outcome, at another rule, at a part that has come to its
outcome, or at a sum still to be thrown. What lies beyond is another tree, shared by all that lead
to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from rollwright.budget import Budget
from rollwright.engine.odds.chains import changes
from rollwright.engine.odds.chances import Cases, Chances, given
from rollwright.engine.odds.count import (
    WAY,
    Counter,
    Policy,
    Situation,
    known_short,
    less_to_follow,
)
from rollwright.engine.replay import Done, Entered, Given, Run, ended
from rollwright.engine.steps import (
    Call,
    Choice,
    Cut,
    Finish,
    Option,
    State,
    Step,
    Tally,
    Throw,
    Together,
    Token,
    Tokens,
)
from rollwright.errors import Misuse
from rollwright.exact import Dist


class Onward:
    """Where a tree starts, and so a leaf of those that lead to it.

    There is one for equal tokens, so that it is soon looked up.
    """

    __slots__ = ("tokens",)

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens

    @property
    def key(self) -> Key:
        """What the tree is known by."""
        return self


Key = Onward


class Chance(NamedTuple):
    """A throw: children with their weights."""

    total: int
    weights: Sequence[int]
    children: list[int]


class Decision(NamedTuple):
    """A choice: one child for each option."""

    choice: Choice[object]
    seen: Tokens
    children: list[int]


class Outcome(NamedTuple):
    """The end of the rule."""

    outcome: object


class Lost(NamedTuple):
    """What a stated bound cut off: it counts as the worst that was counted."""

    bound: str = "cut"


class Sum(NamedTuple):
    """A tally still to be thrown at the very end."""

    step: Tally[object]
    ending: tuple[object, ...]
    start: State


Leaf = Outcome | Onward | Sum | Lost


class Tree(NamedTuple):
    """Inner nodes, each before its children; and leaves, which children number as -1, -2, …"""

    nodes: list[Chance | Decision]
    leaves: list[Leaf]
    root: int

    def values(self, ends: list[V]) -> list[V | None]:
        """The values of all nodes, still to be found, and behind them those of the leaves.

        A child's number is its place in there, for inner nodes and for leaves alike.
        """
        return [*[None] * len(self.nodes), *reversed(ends)]


End = Onward | tuple[object, object]
"""What a leaf is known by: a rule that begins there, or `Outcome` with the outcome."""
Ends = dict[Token, End]
"""What a finish makes of what the dice gave."""
V = TypeVar("V")

KEPT, KEPT_NODE, KEPT_LEAF, KEPT_START = 600, 500, 60, 500
"""About how many bytes are kept for a tree, for its nodes and leaves, and for where one starts."""
_LESS = "keep less in the arguments of a rule that ends in itself"
DECISIONS = "following the decisions of this rule"
_LOOP = "a loop inside a rule is followed way by way: end the rule in a rule (return it) instead"


_FILLED: list[int] = []
"""In the place of children of which one is still to be followed: none is."""


class ChoosesError(Exception):
    """A part that cannot be counted by itself, since somebody may choose in it."""


class HiddenError(Exception):
    """A throw that not everybody sees."""


class _PlainCounter(Counter):
    """Counts parts without free choices and without secrets."""

    def refuse_hidden(self, step: Throw[object]) -> None:
        if step.sees is not None:
            raise HiddenError


class Grower:
    """Grows the trees of one question; `others` decide by policies of their own."""

    def __init__(self, others: Mapping[str, Policy], budget: Budget) -> None:
        self.others = dict(others)
        self.budget = budget
        self.chances = Chances(budget)
        self._plain = _PlainCounter(self.decide, budget)
        self._plain.chances = self.chances
        self._choosing: set[Step[object]] = set()
        self._parts: dict[Step[object], Cases] = {}
        self.goes_on: set[Finish | None] = set()
        """Functions that finish a sum by going on to another rule."""
        self._grown: dict[Key, Tree] = {}
        self.started: dict[tuple[object, ...], Key] = {}
        """By the rule and its arguments, which are sooner looked up than the call is."""
        self._keys: dict[Tokens, Key] = {}
        self._ends: dict[tuple[object, ...], Ends | None] = {}
        self.loses = False
        """Whether a stated bound has cut something off."""

    def decide(self, situation: Situation) -> Option:
        """The option of somebody whose policy is given."""
        policy = self.others.get(situation.by)
        if policy is None:
            raise ChoosesError
        return policy(situation)

    def odds_of_part(self, part: Step[object]) -> Dist[object] | None:
        """The odds of a part in which nobody chooses freely; None for the others."""
        if part in self._choosing:
            return None
        try:
            return self._plain.outcomes_of(part)
        except (ChoosesError, HiddenError):
            self._choosing.add(part)
            return None

    def cases_of_part(self, part: Step[object]) -> Cases | None:
        """The same as what a rule that waits for the part is told."""
        known = self._parts.get(part)
        if known is None:
            dist = self.odds_of_part(part)
            if dist is None:
                return None
            known = self._parts[part] = given(dist)
        return known

    def start(self, call: Call[object]) -> Key:
        """Where a rule begins."""
        name = (call.rule, call.args)
        key = self.started.get(name)
        if key is None:
            key = self.started[name] = Key((Entered(call),))
            self.budget.keep_states(call.args, 1, KEPT_START, DECISIONS, _LESS)
        return key

    def key(self, tokens: Tokens) -> Key:
        """Where a rule stands after these tokens."""
        first = tokens[0]
        if len(tokens) == 1 and type(first) is Entered and type(first.call) is Call:
            return self.start(first.call)
        key = self._keys.get(tokens)
        if key is None:
            key = self._keys[tokens] = Key(tokens)
            self.budget.keep_states(tokens, 1, KEPT_START, DECISIONS, _LESS)
        return key

    def grow(self, key: Key) -> Tree:
        """The tree that starts where `key` says; grown once, however often a goal is tried."""
        tree = self._grown.get(key)
        if tree is None:
            tree = self._grown[key] = _Growth(self, key.tokens).tree()
            size = KEPT + KEPT_NODE * len(tree.nodes) + KEPT_LEAF * len(tree.leaves)
            self.budget.kept += size  # and where the next one starts, it is looked at
        return tree

    def ends_of(self, step: Throw[object]) -> Ends | None:
        """What a finish has made of sums and hands so far; None where it is the first time.

        Most ways to end are come to once, and then it is not worth noting them.
        """
        name = (step.finish, step.given)
        try:
            if name not in self._ends:
                self._ends[name] = None
                return None
        except TypeError:
            raise Misuse(changes(step)) from None
        known = self._ends[name]
        if known is None:
            known = self._ends[name] = {}
        return known

    def tell_apart(self, finish: Finish | None) -> None:
        """Look at every sum that `finish` makes something of, from now on."""
        self.goes_on.add(finish)
        self._grown.clear()


class _Growth:
    __slots__ = ("grower", "tokens", "nodes", "leaves", "known", "waiting")

    def __init__(self, grower: Grower, tokens: Tokens) -> None:
        self.grower = grower
        self.tokens = tokens
        self.nodes: list[Chance | Decision] = []
        self.leaves: list[Leaf] = []
        self.known: dict[object, int] = {}
        self.waiting: list[tuple[Tokens, list[int], int]] = []

    def tree(self) -> Tree:
        top = [0]
        waiting = self.waiting
        if not self._begins_short(top):
            waiting.append((self.tokens, top, 0))
        while waiting:
            here, into, at = waiting.pop()
            self.grower.budget.spend(WAY + 30 * len(here), DECISIONS)
            # Rules are watched when they are rolled and counted; advice is asked often.
            self._follow(Run(here, watched=False), into, at)
        return Tree(self.nodes, self.leaves, top[0])

    def _begins_short(self, into: list[int]) -> bool:
        """Whether the rule just gone into knows its odds, which are then the first chance."""
        call = known_short(self.tokens)
        dist = None if call is None else self.grower.odds_of_part(call)
        if dist is None:
            return False
        cases = dist.items()
        children = [0] * len(cases)
        into[0] = self._throw(dist.total, tuple([weight for _, weight in cases]), children)
        for number, (outcome, _) in enumerate(cases):
            if len(self.tokens) == 1:
                children[number] = self._known_end((Outcome, outcome))
            else:
                self.waiting.append(((*self.tokens[:-1], Given(outcome)), children, number))
        return True

    def _follow(self, run: Run, into: list[int], at: int) -> None:
        """Go down one way, taking the first case of everything and noting the others."""
        at_start = not self.nodes and (*run.tokens,) == self.tokens
        spend = self.grower.budget.spend
        while True:
            spend(10 + len(run.tokens), DECISIONS, _LOOP)
            step = run.step
            kind = type(step)
            if kind is Done:
                into[at] = self._known_end((Outcome, step.outcome))
                return
            if not run.frames and self._is_end(step):
                into[at] = self._end(step)
                return
            if not at_start and type(run.tokens[-1]) in (Given, Entered):
                into[at] = self._known_end(self.grower.key(tuple(run.tokens)))
                return
            at_start = False
            if kind is Cut:
                into[at] = self._lost()
                return
            if kind is Choice:
                children = self._decision(run, step, into, at)
            else:
                children = self._chance(run, step, kind, into, at)
            if children is _FILLED:
                return
            if children is not None:
                into, at = children, 0

    def _throw(self, total: int, weights: tuple[int, ...], children: list[int]) -> int:
        """A node for chance; what is missing from its total was lost."""
        missing = total - sum(weights)
        if missing:
            weights = (*weights, missing)
            children.append(self._lost())
        self.nodes.append(Chance(total, weights, children))
        return len(self.nodes) - 1

    def _known_end(self, end: End) -> int:
        """The number of a leaf, which is never 0."""
        number = self.known.get(end)
        if number is None:
            self.leaves.append(end if type(end) is Onward else Outcome(end[1]))  # type: ignore[index]
            number = self.known[end] = -len(self.leaves)
        return number

    def _lost(self) -> int:
        self.grower.loses = True
        self.leaves.append(Lost())
        return -len(self.leaves)

    def _is_end(self, step: object) -> bool:
        """Whether a rule that has ended in this step needs no look at its cases."""
        if type(step) is Tally:
            return step.finish not in self.grower.goes_on
        return type(step) is Call

    def _end(self, step: Any) -> int:
        if type(step) is Call:
            return self._known_end(self.grower.start(step))
        self._refuse_hidden(step)
        ending = (step.pool, step.tables, step.finish, step.given, type(step.start))
        name = (Sum, ending, step.start)
        try:
            number = self.known.get(name)
        except TypeError:
            raise Misuse(changes(step)) from None
        if number is None:
            self.leaves.append(Sum(step, ending, step.start))
            number = self.known[name] = -len(self.leaves)
        return number

    def _decision(
        self, run: Run, step: Choice[object], into: list[int], at: int
    ) -> list[int] | None:
        if step.by in self.grower.others:
            run.answer(self.grower._plain._decide(run, step))
            return None
        children = [0] * len(step.options)
        into[at] = len(self.nodes)
        self.nodes.append(Decision(step, run.answers_seen_by(step.by), children))
        if step.endings is not None and not run.frames and self._endings(step.endings, children):
            return _FILLED
        here = tuple(run.tokens)
        for number in range(len(step.options) - 1, 0, -1):
            self.waiting.append(((*here, step.options[number]), children, number))
        run.answer(step.options[0])
        return children

    def _endings(self, endings: tuple[object, ...], children: list[int]) -> bool:
        """Options that end the rule at once are leaves: nothing has to be replayed for them."""
        for end in endings:
            if isinstance(end, Step) and not isinstance(end, (Call, Throw)):
                return False
        started, known = self.grower.started.get, self.known.get
        for number, ending in enumerate(endings):
            if type(ending) is Call:
                key = started((ending.rule, ending.args)) or self.grower.start(ending)
                children[number] = known(key) or self._known_end(key)
            elif not isinstance(ending, Step):
                children[number] = self._known_end((Outcome, ending))
            elif self._is_end(ending):
                children[number] = self._end(ending)
            else:
                self._refuse_hidden(ending)
                cases = self.grower.chances.of_throw(ending)  # type: ignore[arg-type]
                below = [0] * len(cases.listed)
                children[number] = self._throw(cases.total, cases.weights, below)
                self._ends(ending, cases.listed, below)
        return True

    def _chance(
        self, run: Run, step: Any, kind: type, into: list[int], at: int
    ) -> list[int] | None:
        if kind is Call or kind is Together:
            known = self.grower.cases_of_part(step)
            if known is None:
                run.enter()
                return None
            cases, total, weights = known
        else:
            self._refuse_hidden(step)
            cases, total, weights = self.grower.chances.of(run)
        if len(cases) == 1 and cases[0][1] == total:
            run.answer(cases[0][0])
            return None
        self.grower.budget.spend(3 * len(cases), DECISIONS, _LOOP)
        children = [0] * len(cases)
        into[at] = self._throw(total, weights, children)
        if not run.frames:
            self._ends(step, cases, children)
            return _FILLED
        remedy = less_to_follow(len(cases), _LOOP)
        self.grower.budget.expect(WAY * len(cases), DECISIONS, remedy)
        here = tuple(run.tokens)
        depth = len(run.frames)
        if type(cases[0][0]) is Given and len(run.marks) > depth:
            here = here[: run.marks[depth]]
        for number in range(len(cases) - 1, 0, -1):
            self.waiting.append(((*here, cases[number][0]), children, number))
        run.answer(cases[0][0])
        return children

    def _ends(self, step: object, cases: list[tuple[Token, int]], children: list[int]) -> None:
        """The cases of a throw or part that a rule ends in: outcomes, or rules once more."""
        if not isinstance(step, Throw) or step.finish is None:
            for number, (raw, _) in enumerate(cases):
                outcome = raw.outcome if type(raw) is Given else raw
                children[number] = self._known_end((Outcome, outcome))
            return
        finish, given = step.finish, step.given
        started, known = self.grower.started.get, self.known.get
        noted = self.grower.ends_of(step)
        for number, (raw, _) in enumerate(cases):
            end = None if noted is None else noted.get(raw)
            if end is None:
                value = finish(raw, *given)
                if type(value) is Call:
                    end = started((value.rule, value.args)) or self.grower.start(value)
                else:
                    end = (Outcome, ended(value))
                if noted is not None:
                    noted[raw] = end
            children[number] = known(end) or self._known_end(end)

    def _refuse_hidden(self, step: object) -> None:
        if isinstance(step, Throw) and step.sees is not None:
            raise HiddenError
