"""The decisions of a rule as a tree: what chance and the choosers can make of one stretch of it.

A tree ends where the rule forgets: at an outcome, at another rule, at a part that has come to its
outcome, or at a sum still to be thrown. What lies beyond is another tree, shared by all that lead
to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rollwright.budget import Budget
from rollwright.engine.odds.chances import Chances
from rollwright.engine.odds.count import Counter, Policy, Situation, known_short
from rollwright.engine.replay import Done, Entered, Given, Run, finished
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


_LOOP = "a loop inside a rule is followed way by way: end the rule in a rule (return it) instead"


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
        self.goes_on: set[Finish | None] = set()
        """Functions that finish a sum by going on to another rule."""
        self._grown: dict[Key, Tree] = {}
        self.started: dict[tuple[object, ...], Key] = {}
        """By the rule and its arguments, which are sooner looked up than the call is."""
        self._keys: dict[Tokens, Key] = {}
        self._rows: dict[tuple[int, ...], tuple[int, ...]] = {}
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

    def one_row(self, weights: tuple[int, ...]) -> tuple[int, ...]:
        """Weights that are equal to others, kept once."""
        return self._rows.setdefault(weights, weights)

    def start(self, call: Call[object]) -> Key:
        """Where a rule begins."""
        name = (call.rule, call.args)
        key = self.started.get(name)
        if key is None:
            key = self.started[name] = Key((Entered(call),))
        return key

    def key(self, tokens: Tokens) -> Key:
        """Where a rule stands after these tokens."""
        first = tokens[0]
        if len(tokens) == 1 and type(first) is Entered and type(first.call) is Call:
            return self.start(first.call)
        key = self._keys.get(tokens)
        if key is None:
            key = self._keys[tokens] = Key(tokens)
        return key

    def grow(self, key: Key) -> Tree:
        """The tree that starts where `key` says; grown once, however often a goal is tried."""
        tree = self._grown.get(key)
        if tree is None:
            tree = self._grown[key] = _Growth(self, key.tokens).tree()
        return tree

    def tell_apart(self, finish: Finish | None) -> None:
        """Look at every sum that `finish` makes something of, from now on."""
        self.goes_on.add(finish)
        self._grown.clear()


class _Growth:
    def __init__(self, grower: Grower, tokens: Tokens) -> None:
        self.grower = grower
        self.tokens = tokens
        self.nodes: list[Chance | Decision] = []
        self.leaves: list[Leaf] = []
        self.known: dict[object, int] = {}
        self.waiting: list[tuple[Tokens, list[int], int]] = []

    def tree(self) -> Tree:
        top = [0]
        if not self._begins_short(top):
            self.waiting.append((self.tokens, top, 0))
        while self.waiting:
            here, into, at = self.waiting.pop()
            self.grower.budget.spend(200 + 30 * len(here), "the decisions of this rule")
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
        into[0] = self._throw(dist.total, [weight for _, weight in cases], children)
        for number, (outcome, _) in enumerate(cases):
            if len(self.tokens) == 1:
                children[number] = self._leaf(Outcome(outcome))
            else:
                self.waiting.append(((*self.tokens[:-1], Given(outcome)), children, number))
        return True

    def _follow(self, run: Run, into: list[int], at: int) -> None:
        """Go down one way, taking the first case of everything and noting the others."""
        at_start = not self.nodes and tuple(run.tokens) == self.tokens
        spend = self.grower.budget.spend
        while True:
            spend(10 + len(run.tokens), "the decisions of this rule", _LOOP)
            step = run.step
            kind = type(step)
            if kind is Done:
                into[at] = self._leaf(Outcome(step.outcome))
                return
            if type(run.tokens[-1]) in (Given, Entered) and not at_start:
                into[at] = self._onward(self.grower.key(tuple(run.tokens)))
                return
            at_start = False
            if kind is Cut:
                self.grower.loses = True
                into[at] = self._leaf(Lost())
                return
            if kind is Choice:
                children = self._decision(run, step, into, at)
            elif not run.frames and self._is_end(step):
                into[at] = self._end(step)
                return
            else:
                children = self._chance(run, step, kind, into, at)
            if children is not None:
                into, at = children, 0

    def _throw(self, total: int, weights: Sequence[int], children: list[int]) -> int:
        """A node for chance; what is missing from its total was lost."""
        missing = total - sum(weights)
        if missing:
            self.grower.loses = True
            weights = [*weights, missing]
            children.append(self._leaf(Lost()))
        else:
            weights = self.grower.one_row(tuple(weights))
        self.nodes.append(Chance(total, weights, children))
        return len(self.nodes) - 1

    def _onward(self, key: Key) -> int:
        number = self.known.get(key)
        if number is None:
            self.leaves.append(key)
            number = self.known[key] = -len(self.leaves)
        return number  # never 0

    def _leaf(self, leaf: Outcome | Sum | Lost) -> int:
        name = (type(leaf), leaf[-1] if type(leaf) is not Sum else (leaf.ending, leaf.start))
        number = self.known.get(name)
        if number is None:
            self.leaves.append(leaf)
            number = self.known[name] = -len(self.leaves)
        return number

    def _is_end(self, step: object) -> bool:
        """Whether a rule that has ended in this step needs no look at its cases."""
        if type(step) is Tally:
            return step.finish not in self.grower.goes_on
        return type(step) is Call

    def _end(self, step: Any) -> int:
        if type(step) is Call:
            return self._onward(self.grower.start(step))
        self._refuse_hidden(step)
        kind = type(step.start)
        ending = (step.pool, step.tables, step.finish, step.given, kind)
        return self._leaf(Sum(step, ending, step.start))

    def _decision(
        self, run: Run, step: Choice[object], into: list[int], at: int
    ) -> list[int] | None:
        if step.by in self.grower.others:
            run.answer(self.grower._plain._decide(run, step))
            return None
        here = tuple(run.tokens)
        children = [0] * len(step.options)
        into[at] = len(self.nodes)
        self.nodes.append(Decision(step, run.answers_seen_by(step.by), children))
        if step.endings is not None and not run.frames and self._endings(step.endings, children):
            run.answer(step.options[0])
            return children
        for number in range(len(step.options) - 1, 0, -1):
            self.waiting.append(((*here, step.options[number]), children, number))
        run.answer(step.options[0])
        return children

    def _endings(self, endings: tuple[object, ...], children: list[int]) -> bool:
        """Options that end the rule at once are leaves: nothing has to be replayed for them."""
        for end in endings:
            if isinstance(end, Step) and not isinstance(end, (Call, Throw)):
                return False
        for number, ending in enumerate(endings):
            if not isinstance(ending, Step):
                children[number] = self._leaf(Outcome(ending))
            elif self._is_end(ending):
                children[number] = self._end(ending)
            else:
                self._refuse_hidden(ending)
                cases, total = self.grower.chances.of_throw(ending)  # type: ignore[arg-type]
                below = [0] * len(cases)
                children[number] = self._throw(total, [weight for _, weight in cases], below)
                self._ends(ending, cases, below)
        return True

    def _chance(
        self, run: Run, step: Any, kind: type, into: list[int], at: int
    ) -> list[int] | None:
        if kind is Call or kind is Together:
            dist = self.grower.odds_of_part(step)
            if dist is None:
                run.enter()
                return None
            cases: list[tuple[Token, int]] = [
                (Given(outcome), weight) for outcome, weight in dist.items()
            ]
            total = dist.total
        else:
            self._refuse_hidden(step)
            cases, total = self.grower.chances.of(run)
        if len(cases) == 1 and cases[0][1] == total:
            run.answer(cases[0][0])
            return None
        here = tuple(run.tokens)
        depth = len(run.frames)
        if type(cases[0][0]) is Given and len(run.marks) > depth:
            here = here[: run.marks[depth]]
        self.grower.budget.spend(3 * len(cases), "the decisions of this rule", _LOOP)
        children = [0] * len(cases)
        into[at] = self._throw(total, [weight for _, weight in cases], children)
        if not run.frames:
            self._ends(step, cases, children)
            run.answer(cases[0][0])
            return children
        for number in range(len(cases) - 1, 0, -1):
            self.waiting.append(((*here, cases[number][0]), children, number))
        run.answer(cases[0][0])
        return children

    def _ends(self, step: object, cases: list[tuple[Token, int]], children: list[int]) -> None:
        """The cases of a throw or part that a rule ends in: outcomes, or rules once more."""
        thrown = step if isinstance(step, Throw) else None
        started, known = self.grower.started, self.known.get
        for number, (raw, _) in enumerate(cases):
            if thrown is None:
                value = raw.outcome if type(raw) is Given else raw
            else:
                value = finished(thrown, raw)
            if type(value) is Call:
                key = started.get((value.rule, value.args)) or self.grower.start(value)
                children[number] = known(key) or self._onward(key)
            else:
                children[number] = self._leaf(Outcome(value))

    def _refuse_hidden(self, step: object) -> None:
        if isinstance(step, Throw) and step.sees is not None:
            raise HiddenError
