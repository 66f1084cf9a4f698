"""Best play with secrets: whoever chooses goes by what they may know, and by nothing else.

A cloud is a set of positions that cannot be told apart so far, each with its weight and with what
was seen by only some. Before a choice a cloud is split by what the chooser has seen; everything
else stays in it, so advice can neither leak a hidden throw nor count on it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.budget import Budget
from rollwright.dice import Outcome
from rollwright.engine.best.trees import Grower
from rollwright.engine.odds.chains import Flow
from rollwright.engine.odds.chances import Cases, Chances, given
from rollwright.engine.odds.count import Policy, Situation
from rollwright.engine.position import Position, checked_option
from rollwright.engine.replay import Done, Entered, Given, Run
from rollwright.engine.steps import (
    Call,
    Choice,
    Cut,
    Look,
    Throw,
    Together,
    Token,
    Tokens,
    asked_of,
)
from rollwright.errors import HiddenChoices, NeverEnds

if TYPE_CHECKING:
    from fractions import Fraction

    from rollwright.engine.best.policies import Advice, Goal, Line
    from rollwright.engine.play import Event

Secret = tuple[tuple[str, ...], Token]
"""Who saw a throw, and what it showed."""


Key = tuple[object, ...]
"""What clouds that are alike but for their weight have in common."""


class Member(NamedTuple):
    """One position of a cloud: its tokens, and what only some have seen on the way."""

    tokens: Tokens
    secrets: tuple[Secret, ...] = ()


class Cloud:
    """Positions that cannot be told apart, with their weights; `split_for` saw the differences."""

    __slots__ = ("members", "split_for")

    def __init__(
        self,
        members: Mapping[Member, Fraction],
        split_for: frozenset[tuple[str, ...]] = frozenset(),
    ) -> None:
        self.members = dict(members)
        self.split_for = split_for

    @classmethod
    def sure(cls, tokens: Tokens) -> Cloud:
        """A single position."""
        from fractions import Fraction

        return cls({Member(tokens): Fraction(1)})

    @property
    def weight(self) -> Fraction:
        """How likely the cloud is as a whole."""
        from fractions import Fraction

        return sum(self.members.values(), Fraction(0))

    def shares(self) -> Iterable[tuple[Member, Fraction]]:
        """Each position with how likely it is if the cloud is what there is."""
        weight = self.weight
        return [(member, share / weight) for member, share in self.members.items()]

    def key(self) -> Key:
        """The same for clouds that are alike but for their weight."""
        return frozenset(self.shares()), self.split_for


BOUNDED = (
    "best play with secrets is only found where nothing is cut off by a bound: "
    "say how often dice are thrown again, as in explode(D6, times=5)"
)


class Best(NamedTuple):
    """What a cloud is worth, the outcomes it leads to, and the decisions on the way."""

    value: Fraction
    outcomes: dict[Outcome, Fraction]
    lines: tuple[Line, ...]


Job = Generator[Cloud, Best, Best]


class BeliefSolver:
    """Finds best play over clouds."""

    def __init__(
        self,
        goal: Goal,
        others: Mapping[str, Policy],
        budget: Budget,
        against: frozenset[str] = frozenset(),
    ) -> None:
        self.goal = goal
        self.others = others
        self.against = against
        self.choosers: set[str] = set()
        self.budget = budget
        self.grower = Grower(others, budget)
        self._known: dict[Key, Best] = {}

    def solve(self, cloud: Cloud) -> BeliefSolver:
        """Find best play from a cloud on."""
        self.start = cloud
        jobs: list[tuple[Key, Job]] = [(cloud.key(), self._best(cloud))]
        open_keys = {jobs[0][0]}
        result: Any = None
        while jobs:
            try:
                wanted = jobs[-1][1].send(result)
            except StopIteration as stop:
                key, _ = jobs.pop()
                open_keys.discard(key)
                result = self._known[key] = stop.value
                continue
            key = wanted.key()
            result = self._known.get(key)
            if result is None:
                if key in open_keys:
                    raise NeverEnds("best play with secrets is only found for rules without loops")
                open_keys.add(key)
                jobs.append((key, self._best(wanted)))
        self.found: Best = result
        return self

    def flow(self) -> Flow:
        """Where the rule leads when everybody plays best."""
        from math import lcm

        outcomes = self.found.outcomes
        common = lcm(*(share.denominator for share in outcomes.values()))
        weights = {o: s.numerator * (common // s.denominator) for o, s in outcomes.items()}
        return Flow(weights, common, 0, {self.start: (1, 1)})

    def advice(self) -> Advice:
        """Best play in words and numbers."""
        from rollwright.engine.best.policies import Advice

        runs = [Run(member.tokens) for member in self.start.members]
        at_choice = all(type(run.step) is Choice for run in runs)
        here = self.found.lines[0] if at_choice and self.found.lines else None
        return Advice(self.found.value, here, lambda: list(self.found.lines))

    def _best(self, cloud: Cloud) -> Job:
        """The value of a cloud of weight one, with what it leads to."""
        from fractions import Fraction

        from rollwright.engine.best.solver import exact_number

        self.budget.spend(200 * len(cloud.members), "best play with secrets")
        value = Fraction(0)
        outcomes: dict[Outcome, Fraction] = {}
        lines: list[Line] = []
        waiting: dict[object, dict[Member, Fraction]] = {}
        runs: dict[Member, Run] = {}
        for member, share in cloud.shares():
            run = runs[member] = self._ready(member)
            if type(run.step) is Done:
                outcome = run.step.outcome
                outcomes[outcome] = outcomes.get(outcome, Fraction(0)) + share
                value += share * exact_number(self.goal(outcome))
            elif type(run.step) is Cut:
                raise HiddenChoices(BOUNDED)
            else:
                waiting.setdefault(asked_of(run.step), {})[member] = share
        for members in waiting.values():
            group = Cloud(members, cloud.split_for)
            step = runs[next(iter(members))].step
            if type(step) is Choice and step.by not in self.others:
                parts = self._choice(group, runs, step)
            else:
                parts = self._chance(group, runs)
            found: Best = yield from parts
            value += group.weight * found.value
            _add(outcomes, found.outcomes, group.weight)
            lines += [line._replace(chance=line.chance * group.weight) for line in found.lines]
        return Best(value, outcomes, tuple(lines))

    def _ready(self, member: Member) -> Run:
        """A run at the next step that matters: parts are counted whole where they may be."""
        run = Run(member.tokens)
        while True:
            if run.at_tail():
                run = Run(run.tail)
            elif type(run.step) in (Call, Together) and (
                not run.frames or self.grower.odds_of_part(run.step) is None
            ):
                run.enter()
            else:
                return run

    def _chance(self, cloud: Cloud, runs: Mapping[Member, Run]) -> Job:
        """A throw, a part, or a choice of somebody with a policy: split by what all can see."""
        from fractions import Fraction

        parts: dict[Token, dict[Member, Fraction]] = {}
        for member, share in cloud.shares():
            run = runs[member]
            step = run.step
            sees = step.sees if isinstance(step, Throw) else None
            if type(step) is Look:
                sees = run.look_sees()
            cases, total, _ = self._cases(run)
            self.budget.spend(60 * len(cases), "best play with secrets")
            for answer, weight in cases:
                tokens = answered(run, answer)
                secrets = member.secrets
                if sees is not None:
                    secrets = (*secrets, (sees, answer))
                seen_by_all = answer if sees is None else None
                into = parts.setdefault(seen_by_all, {})
                after = Member(tokens, secrets)
                into[after] = into.get(after, Fraction(0)) + share * Fraction(weight, total)
        value = Fraction(0)
        outcomes: dict[Outcome, Fraction] = {}
        lines: list[Line] = []
        for members in parts.values():
            part = Cloud(members, cloud.split_for)
            found = yield part
            value += part.weight * found.value
            _add(outcomes, found.outcomes, part.weight)
            lines += [line._replace(chance=line.chance * part.weight) for line in found.lines]
        return Best(value, outcomes, tuple(lines))

    def _cases(self, run: Run) -> Cases:
        step = run.step
        if type(step) is Choice:
            option = self.others[step.by](Situation(step, run))
            return Cases.of([(checked_option(step, option), 1)], 1)
        if type(step) is Call or type(step) is Together:
            dist = self.grower.odds_of_part(step)
            assert dist is not None
            if dist.lost:
                raise HiddenChoices(BOUNDED)
            return given(dist)
        return self.grower.chances.of(run)

    def _choice(self, cloud: Cloud, runs: Mapping[Member, Run], step: Choice[object]) -> Job:
        """A choice: split by what the chooser has seen, then take the best option of each part."""
        from fractions import Fraction

        from rollwright.engine.best.policies import Line, Worth

        self.choosers.add(step.by)
        for audience in cloud.split_for:
            if step.by not in audience:
                raise HiddenChoices(
                    f"{step.by} chooses without having seen what {', '.join(audience)} saw and "
                    "acted on: best play is not defined for that; give one of them a policy"
                )
        value = Fraction(0)
        outcomes: dict[Outcome, Fraction] = {}
        lines: list[Line] = []
        for known, part in self._split(cloud, step.by).items():
            worths, results = [], []
            for option in step.options:
                after = {
                    Member(answered(runs[m], option), m.secrets): share
                    for m, share in part.members.items()
                }
                found = yield Cloud(after, part.split_for)
                worths.append(Worth(option, found.value))
                results.append(found)
            against = step.against or step.by in self.against
            sign = -1 if against else 1
            pick = max(range(len(worths)), key=lambda n: (sign * worths[n].value, -n))
            seen = (*known, *_open_answers(runs[next(iter(part.members))], step.by))
            abouts = {runs[member].step.about for member in part.members}
            situation = abouts.pop() if len(abouts) == 1 and None not in abouts else seen
            call = step.options[pick]
            line = Line(step.by, situation, call, tuple(worths), part.weight, against)
            lines.append(line)
            value += part.weight * results[pick].value
            _add(outcomes, results[pick].outcomes, part.weight)
            lines += [
                line._replace(chance=line.chance * part.weight) for line in results[pick].lines
            ]
        return Best(value, outcomes, tuple(lines))

    def _split(self, cloud: Cloud, by: str) -> dict[Tokens, Cloud]:
        parts: dict[Token, dict[Member, Fraction]] = {}
        audiences: set[tuple[str, ...]] = set()
        for member, share in cloud.shares():
            known = tuple(shown for sees, shown in member.secrets if by in sees)
            audiences |= {sees for sees, _ in member.secrets if by in sees}
            parts.setdefault(known, {})[member] = share
        split = cloud.split_for | audiences if len(parts) > 1 else cloud.split_for
        return {known: Cloud(members, frozenset(split)) for known, members in parts.items()}


def answered(run: Run, answer: Token) -> Tokens:
    """The tokens after an answer; what has ended is told by its outcome alone."""
    after = Run(tuple(run.tokens))
    after.answer(answer)
    if type(after.step) is Done:
        return (Entered(_Ended(after.step.outcome)),)
    if after.at_tail():
        return after.tail
    return tuple(after.tokens)


class _Ended(NamedTuple):
    """A rule that has ended, so that equal outcomes are one position."""

    outcome: Outcome

    async def begin(self) -> Outcome:
        return self.outcome


def seen_by(call: Call[object], events: Iterable[Event], seat: str) -> Cloud:
    """Every position that a seat cannot tell from the real one, after what has happened."""
    from fractions import Fraction

    chances = Chances(Budget())
    members: dict[Member, Fraction] = {Member((Entered(call),)): Fraction(1)}
    for asked, sees, token in events:
        after: dict[Member, Fraction] = {}
        hidden = sees is not None and seat not in sees
        for member, share in members.items():
            run = Position._at(member.tokens)._ready()
            if asked_of(run.step) != asked:
                continue
            sure = type(run.step) is Choice
            cases, total, _ = Cases.of([(token, 1)], 1) if sure else chances.of(run)
            for answer, weight in cases:
                if hidden or answer == token:
                    secrets = member.secrets + (((sees, answer),) if sees is not None else ())
                    new = Member(answered(run, answer), secrets)
                    after[new] = after.get(new, Fraction(0)) + share * Fraction(weight, total)
        members = after
    return Cloud(members)


def _open_answers(run: Run, by: str) -> Tokens:
    """What everybody and the chooser saw, without what stands for secrets."""
    seen = run.answers_seen_by(by)
    shown = [t for t in seen if t is not None and not isinstance(t, (Given, Entered))]
    return tuple(shown)


def _add(into: dict[Outcome, Fraction], more: Mapping[Outcome, Fraction], weight: Fraction) -> None:
    for outcome, share in more.items():
        into[outcome] = into.get(outcome, 0) + share * weight
