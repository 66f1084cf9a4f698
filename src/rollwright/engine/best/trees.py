"""The decisions of a rule as a tree: what chance and the choosers can make of one stretch of it.

A tree ends where the rule forgets: at an outcome, at another rule, at a part that has come to its
outcome, or at a sum still to be thrown. What lies beyond is another tree, shared by all that lead
to it.
"""

from __future__ import annotations

from collections.abc import Mapping
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

Key = Tokens


class Chance(NamedTuple):
    """A throw: children with their weights."""

    total: int
    weights: list[int]
    children: list[int]


class Decision(NamedTuple):
    """A choice: one child for each option."""

    choice: Choice[object]
    key: Key
    seen: Tokens
    children: list[int]


class Outcome(NamedTuple):
    """The end of the rule."""

    outcome: object


class Onward(NamedTuple):
    """Where another tree goes on."""

    key: Key


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

    def grow(self, key: Key) -> Tree:
        """The tree that starts where `key` says; grown once, however often a goal is tried."""
        tree = self._grown.get(key)
        if tree is None:
            tree = self._grown[key] = _Growth(self, key).tree()
        return tree

    def tell_apart(self, finish: Finish | None) -> None:
        """Look at every sum that `finish` makes something of, from now on."""
        self.goes_on.add(finish)
        self._grown.clear()


class _Growth:
    def __init__(self, grower: Grower, key: Key) -> None:
        self.grower = grower
        self.key = key
        self.nodes: list[Chance | Decision] = []
        self.leaves: list[Leaf] = []
        self.known: dict[tuple[object, ...], int] = {}
        self.waiting: list[tuple[Key, list[int], int]] = []

    def tree(self) -> Tree:
        top = [0]
        if not self._begins_short(top):
            self.waiting.append((self.key, top, 0))
        while self.waiting:
            here, into, at = self.waiting.pop()
            self.grower.budget.spend(200 + 30 * len(here), "the decisions of this rule")
            # Rules are watched when they are rolled and counted; advice is asked often.
            self._follow(Run(here, watched=False), into, at)
        return Tree(self.nodes, self.leaves, top[0])

    def _begins_short(self, into: list[int]) -> bool:
        """Whether the rule just gone into knows its odds, which are then the first chance."""
        call = known_short(self.key)
        dist = None if call is None else self.grower.odds_of_part(call)
        if dist is None:
            return False
        cases = dist.items()
        children = [0] * len(cases)
        into[0] = self._throw(dist.total, [weight for _, weight in cases], children)
        for number, (outcome, _) in enumerate(cases):
            if len(self.key) == 1:
                children[number] = self._leaf(Outcome(outcome))
            else:
                self.waiting.append(((*self.key[:-1], Given(outcome)), children, number))
        return True

    def _follow(self, run: Run, into: list[int], at: int) -> None:
        """Go down one way, taking the first case of everything and noting the others."""
        at_start = not self.nodes and tuple(run.tokens) == self.key
        spend = self.grower.budget.spend
        while True:
            spend(10 + len(run.tokens), "the decisions of this rule", _LOOP)
            step = run.step
            kind = type(step)
            if kind is Done:
                into[at] = self._leaf(Outcome(step.outcome))
                return
            if type(run.tokens[-1]) in (Given, Entered) and not at_start:
                into[at] = self._leaf(Onward(tuple(run.tokens)))
                return
            at_start = False
            if kind is Cut:
                self.grower.loses = True
                into[at] = self._leaf(Lost())
                return
            if kind is Choice:
                children = self._decision(run, step, into, at)
            elif not run.frames and self._is_end(step):
                into[at] = self._leaf(self._end(step))
                return
            else:
                children = self._chance(run, step, kind, into, at)
            if children is not None:
                into, at = children, 0

    def _throw(self, total: int, weights: list[int], children: list[int]) -> int:
        """A node for chance; what is missing from its total was lost."""
        missing = total - sum(weights)
        if missing:
            self.grower.loses = True
            weights.append(missing)
            children.append(self._leaf(Lost()))
        self.nodes.append(Chance(total, weights, children))
        return len(self.nodes) - 1

    def _leaf(self, leaf: Leaf) -> int:
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

    def _end(self, step: Any) -> Onward | Sum:
        if type(step) is Call:
            return Onward((Entered(step),))
        self._refuse_hidden(step)
        kind = type(step.start)
        return Sum(step, (step.pool, step.tables, step.finish, step.given, kind), step.start)

    def _decision(
        self, run: Run, step: Choice[object], into: list[int], at: int
    ) -> list[int] | None:
        if step.by in self.grower.others:
            run.answer(self.grower._plain._decide(run, step))
            return None
        here = tuple(run.tokens)
        children = [0] * len(step.options)
        into[at] = len(self.nodes)
        self.nodes.append(Decision(step, here, run.answers_seen_by(step.by), children))
        if step.endings is not None and not run.frames and self._endings(step.endings, children):
            run.answer(step.options[0])
            return children
        for number in range(len(step.options) - 1, 0, -1):
            self.waiting.append(((*here, step.options[number]), children, number))
        run.answer(step.options[0])
        return children

    def _endings(self, endings: tuple[object, ...], children: list[int]) -> bool:
        """Options that end the rule at once are leaves: nothing has to be replayed for them."""
        leaves: list[Leaf] = []
        for ending in endings:
            if not isinstance(ending, Step):
                leaves.append(Outcome(ending))
            elif self._is_end(ending):
                leaves.append(self._end(ending))
            else:
                return False
        children[:] = [self._leaf(leaf) for leaf in leaves]
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
            self._ends(run, step, cases, children)
            return children
        for number in range(len(cases) - 1, 0, -1):
            self.waiting.append(((*here, cases[number][0]), children, number))
        run.answer(cases[0][0])
        return children

    def _ends(
        self, run: Run, step: object, cases: list[tuple[Token, int]], children: list[int]
    ) -> None:
        """The cases of a throw or part that a rule ends in: outcomes, or rules once more."""
        for number, (raw, _) in enumerate(cases):
            value = raw.outcome if type(raw) is Given else raw
            if isinstance(step, Throw):
                value = finished(step, raw)
            leaf = Onward((Entered(value),)) if type(value) is Call else Outcome(value)
            children[number] = self._leaf(leaf)
        run.answer(cases[0][0])

    def _refuse_hidden(self, step: object) -> None:
        if isinstance(step, Throw) and step.sees is not None:
            raise HiddenError
