"""Best play with secrets: choosers use what they may know, and nothing else.

A cloud is a set of positions that look the same so far, each with its weight and with what was seen
by only some. Before a choice a cloud is split by what the chooser has seen; everything else stays
in it, so advice can neither leak a hidden throw nor count on it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.budget import Budget
from rollwright.dice import Outcome
from rollwright.engine.best.trees import TreeBuilder
from rollwright.engine.compiled.errors import CannotCompile
from rollwright.engine.compiled.positions import (
    WAYS_REPLAYED,
    Compiling,
    MustCompile,
)
from rollwright.engine.odds.cases import Cases, ThrowCases, part_cases
from rollwright.engine.odds.chains import Flow, GarbageCollectionOff
from rollwright.engine.odds.count import Policy, Situation, WaitingPosition
from rollwright.engine.outcome_keys import outcome_key
from rollwright.engine.position import Position, check_option
from rollwright.engine.replay import Done, PartOutcome, RuleStart, Run
from rollwright.engine.steps import (
    Call,
    Choice,
    CutStep,
    LookStep,
    SpendStep,
    Step,
    ThrowStep,
    Together,
    Token,
    Tokens,
    public_part,
)
from rollwright.errors import HiddenChoices, Misuse, NeverEnds, TooMuchWork

if TYPE_CHECKING:
    from fractions import Fraction

    from rollwright.engine.best.policies import Advice, Goal, PolicyEntry
    from rollwright.engine.compiled.machine import At
    from rollwright.engine.play import Event

Secret = tuple[tuple[str, ...], Token]
"""Who saw a throw, and what it showed."""


Key = tuple[object, ...]
"""Key of clouds that are alike but for their weight."""


class Possibility(NamedTuple):
    """One position of a cloud: its tokens, and what only some have seen on the way."""

    tokens: Tokens
    secrets: tuple[Secret, ...] = ()


class InformationSet:
    """Positions that look the same, with their weights; `split_for` saw the differences."""

    __slots__ = ("members", "split_for", "_weight", "_shares")

    def __init__(
        self,
        members: Mapping[Possibility, Fraction],
        split_for: frozenset[tuple[str, ...]] = frozenset(),
    ) -> None:
        self.members = dict(members)
        self.split_for = split_for
        self._weight: Fraction | None = None
        self._shares: list[tuple[Possibility, Fraction]] | None = None

    @classmethod
    def sure(cls, tokens: Tokens) -> InformationSet:
        """A single position."""
        from fractions import Fraction

        return cls({Possibility(tokens): Fraction(1)})

    @property
    def weight(self) -> Fraction:
        """How likely the cloud is as a whole."""
        if self._weight is None:
            self._weight = _sum_of(self.members.values())
        return self._weight

    def shares(self) -> Iterable[tuple[Possibility, Fraction]]:
        """Each position with how likely it is if the cloud is what there is."""
        if self._shares is None:
            weight = self.weight
            listed = self.members.items()
            even = weight == 1
            self._shares = [(m, share if even else share / weight) for m, share in listed]
        return self._shares

    def key(self) -> Key:
        """The same for clouds that are alike but for their weight."""
        return frozenset(self.shares()), self.split_for


SPENDS = "best play with secrets cannot tell what is spent: leave `spend` out of such a rule"
BOUNDED = (
    "best play with secrets is only found where nothing is cut off by a bound: "
    "say how often dice are thrown again, as in explode(D6, times=5)"
)


class BeliefValue(NamedTuple):
    """Return the worth of an information set, the outcomes it ends in, and where it leads.

    Most clouds lie on ways that nobody takes in the end, so where they lead is told only of the
    first of them.
    """

    value: Fraction
    ends: dict[Outcome, Fraction]
    follow: tuple[tuple[Fraction, BeliefValue | PolicyEntry], ...]
    """Decisions and clouds in order, each with how likely it is."""

    def lines(self) -> Iterable[PolicyEntry]:
        """Every decision on the way, with how likely it is."""
        from fractions import Fraction

        stack = [(Fraction(1), iter(self.follow))]
        while stack:
            weight, items = stack[-1]
            for share, item in items:
                if isinstance(item, BeliefValue):
                    stack.append((weight * share, iter(item.follow)))
                    break
                yield item._replace(chance=item.chance * weight * share)
            else:
                stack.pop()

    def outcomes(self) -> dict[Outcome, Fraction]:
        """All outcomes that it leads to, with how likely they are."""
        known: dict[int, dict[Outcome, Fraction]] = {}
        stack = [self]
        while stack:
            best = stack[-1]
            parts = [(share, item) for share, item in best.follow if isinstance(item, BeliefValue)]
            unknown = [item for _, item in parts if id(item) not in known]
            if unknown:
                stack += unknown
                continue
            stack.pop()
            found = dict(best.ends)
            for share, item in parts:
                _add(found, known[id(item)], share)
            known[id(best)] = found
        return known[id(self)]


Job = Generator[InformationSet, BeliefValue, BeliefValue]
MOST_HIDDEN_IN_A_ROW = 1000
"""Hidden throws one after the other, with nothing in between that everybody notices."""


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
        self.grower = TreeBuilder(others, budget)
        self._known: dict[Key, BeliefValue] = {}
        self.compiling = Compiling()
        self.compiling.learns = False  # the hands themselves hold who has seen what
        self._asked: dict[int, Run | CompiledRun] = {}
        self._ways: dict[int, list[Tokens]] = {}
        """Next positions by the positions of compiled rules, all of which are kept."""
        self._left = WAYS_REPLAYED
        """How many positions are replayed before the rule is compiled."""
        self._watching: set[str] | None = None
        """Everybody who has something to choose anywhere, where that is known beforehand."""

    def solve(self, cloud: InformationSet) -> BeliefSolver:
        """Find best play from a cloud on, with its rules compiled where that pays."""
        with GarbageCollectionOff():
            return self._solve_compiled(cloud)

    def _solve_compiled(self, cloud: InformationSet) -> BeliefSolver:
        try:
            return self._solve(cloud)
        except MustCompile:
            pass
        try:
            self._known.clear()
            return self._solve(self._compile(cloud))
        except CannotCompile as why:
            self.compiling.give_up(why)
            self._known.clear()
            self._ways.clear()
            self._asked.clear()
            self._watching = None
            return self._solve(cloud)

    def _compile(self, cloud: InformationSet) -> InformationSet:
        """The same positions in compiled rules; and who may choose from there on."""
        members: dict[Possibility, Fraction] = {}
        for member, share in cloud.members.items():
            tokens = self._at(*self.compiling.stepper.resume(member.tokens))
            after = Possibility(tokens, member.secrets)
            members[after] = members.get(after, 0) + share
        found = InformationSet(members, cloud.split_for)
        self.compiling.wanted.add(next(iter(cloud.members)).tokens[0].call.rule)
        self._watching = self._find_choosers([member.tokens for member in members])
        return found

    def _at(self, asked: Any, frame: Any) -> Tokens:
        """Return the token of a position of a compiled rule: its number."""
        if not isinstance(asked, Step):
            return (RuleStart(_FinalOutcome(frame)),)
        return (self.compiling.number(asked, frame, None, self.compiling.add),)

    def _find_choosers(self, waiting: list[Tokens]) -> set[str]:
        """Everybody who has something to choose, or is told something, in what can be come to."""
        found: set[str] = set()
        met = set(waiting)
        while waiting:
            run = self._ready(Possibility(waiting.pop()))
            step = run.step
            if type(step) is Done:
                continue
            if type(step) is Choice and (len(step.options) > 1 or step.about is not None):
                found.add(step.by)  # also by a policy, which is told what the choice is about
            if type(step) is Choice and step.by not in self.others:
                answers: list[Token] = list(step.options)
            else:
                answers = [answer for answer, _ in self._cases(run).listed]
            self.budget.spend(30 * len(answers), "best play with secrets")
            for after in self._tokens_after(run, answers):
                if after not in met:
                    met.add(after)
                    waiting.append(after)
        return found

    def _tokens_after(self, run: Run | CompiledRun, answers: list[Token]) -> list[Tokens]:
        """Return the tokens of a position after each answer."""
        if isinstance(run, CompiledRun):
            known = self._ways.get(id(run.at))
            if known is None:
                stepper = self.compiling.stepper
                stepper.shares = True
                ways = stepper.ways(run.at, answers)
                known = self._ways[id(run.at)] = [self._at(*place) for place in ways]
            return known
        return [tokens_after(run, answer) for answer in answers]

    def _matters(self, sees: tuple[str, ...]) -> bool:
        """Whether somebody who has something to choose saw a throw."""
        return self._watching is None or not self._watching.isdisjoint(sees)

    def _solve(self, cloud: InformationSet) -> BeliefSolver:
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
        self.found: BeliefValue = result
        return self

    def flow(self) -> Flow:
        """Return where the rule leads when everybody plays best."""
        from math import lcm

        outcomes = self.found.outcomes()
        common = lcm(*(share.denominator for share in outcomes.values()))
        weights = {o: s.numerator * (common // s.denominator) for o, s in outcomes.items()}
        return Flow(weights, common, 0, {self.start: (1, 1)})

    def advice(self) -> Advice:
        """Best play in words and numbers."""
        from rollwright.engine.best.policies import Advice

        runs = [self._ready(member) for member in self.start.members]
        at_choice = all(type(run.step) is Choice for run in runs)
        here = next(iter(self.found.lines()), None) if at_choice else None
        return Advice(self.found.value, here, lambda: list(self.found.lines()))

    def _best(self, cloud: InformationSet) -> Job:
        """The value of a cloud of weight one, with what it leads to."""
        from fractions import Fraction

        from rollwright.engine.best.solver import exact_number

        self.budget.spend(200 * len(cloud.members), "best play with secrets")
        value = Fraction(0)
        outcomes: dict[Outcome, Fraction] = {}
        follow: list[tuple[Fraction, BeliefValue | PolicyEntry]] = []
        waiting: dict[object, dict[Possibility, Fraction]] = {}
        runs: dict[Possibility, Run | CompiledRun] = {}
        for member, share in self._settle(cloud, runs):
            run = runs[member]
            if type(run.step) is Done:
                outcome = run.step.outcome
                outcomes[outcome] = outcomes.get(outcome, Fraction(0)) + share
                value += share * exact_number(self.goal(outcome))
            elif type(run.step) is CutStep:
                raise HiddenChoices(BOUNDED)
            else:
                waiting.setdefault(public_part(run.step), {})[member] = share
        for members in waiting.values():
            group = InformationSet(members, cloud.split_for)
            step = runs[next(iter(members))].step
            if type(step) is Choice and step.by not in self.others and len(step.options) > 1:
                parts = self._choice(group, runs, step)
            else:
                parts = self._chance(group, runs)
            found: BeliefValue = yield from parts
            value += group.weight * found.value
            follow.append((group.weight, found))
        return BeliefValue(value, outcomes, tuple(follow))

    def _settle(
        self, cloud: InformationSet, runs: dict[Possibility, Run | CompiledRun]
    ) -> Iterable[tuple[Possibility, Fraction]]:
        """Return the positions of a cloud once every hidden throw is made that is due.

        A seat that does not see a throw does not notice it either: a cloud is never split by
        whether one was made.
        """
        from fractions import Fraction

        found: dict[Possibility, Fraction] = {}
        waiting = dict(cloud.shares())
        for _ in range(MOST_HIDDEN_IN_A_ROW):
            after: dict[Possibility, Fraction] = {}
            for member, share in waiting.items():
                run = runs[member] = self._ready(member)
                sees = getattr(run.step, "sees", None) if isinstance(run.step, ThrowStep) else None
                if sees is None:
                    found[member] = found[member] + share if member in found else share
                    continue
                cases, total, _ = self._cases(run)
                self.budget.spend(60 * len(cases), "best play with secrets")
                led_to = self._tokens_after(run, [answer for answer, _ in cases])
                for (answer, weight), tokens in zip(cases, led_to, strict=True):
                    seen = ((sees, answer),) if self._matters(sees) else ()
                    there = Possibility(tokens, (*member.secrets, *seen))
                    after[there] = after.get(there, Fraction(0)) + share * Fraction(weight, total)
            if not after:
                return found.items()
            waiting = after
        raise NeverEnds("best play with secrets is only found for rules without loops")

    def _check_about(
        self,
        cloud: InformationSet,
        runs: Mapping[Possibility, Run | CompiledRun],
        step: Choice[object],
    ) -> None:
        """Refuse an `about` that would reveal to its chooser a throw they did not see."""
        for part in self._split(cloud, step.by).values():
            if len({outcome_key(runs[member].step.about) for member in part.members}) > 1:
                raise Misuse(
                    f"what a choice of {step.by} is about rests on a throw that {step.by} has not "
                    "seen: leave it out of about=, let them see the throw, or announce it before "
                    "with a choice of one option by somebody who has seen it"
                )

    def _ready(self, member: Possibility) -> Run | CompiledRun:
        """A run at the next step that matters: parts are counted whole where they may be."""
        if type(member.tokens[0]) is int:
            return self._compiled_run(member.tokens[0])
        if self._watching is None and self.compiling.tries(member.tokens):
            self._left -= 1
            if self._left < 0:
                raise MustCompile(member.tokens[0].call.rule)
        run = Run(member.tokens)
        while True:
            if run.at_tail():
                run = Run(run.tail)
            elif type(run.step) in (Call, Together) and (
                not run.frames or self.grower.odds_of_part(run.step) is None
            ):
                run.enter()
            elif type(run.step) is SpendStep:
                raise HiddenChoices(SPENDS)
            else:
                return run

    def _compiled_run(self, number: int) -> Run | CompiledRun:
        known = self._asked.get(number)
        if known is None:
            known = self._asked[number] = self._first_compiled_run(number)
        return known

    def _first_compiled_run(self, number: int) -> Run | CompiledRun:
        compiling = self.compiling
        while True:
            at = compiling.positions[number]
            if type(at.asked) is SpendStep:
                raise HiddenChoices(SPENDS)
            if type(at.asked) not in (Call, Together) or (
                at.frame is not None and self.grower.odds_of_part(at.asked) is not None
            ):
                return CompiledRun(at)
            (after,) = self._at(*compiling.stepper.enter_part(at))
            if type(after) is not int:
                return Run((after,))
            number = after

    def _chance(self, cloud: InformationSet, runs: Mapping[Possibility, Run | CompiledRun]) -> Job:
        """A throw, a part, or a choice of somebody with a policy: split by what all can see."""
        from fractions import Fraction

        asked = runs[next(iter(cloud.members))].step
        if type(asked) is Choice and asked.by in self.others:
            self._check_about(cloud, runs, asked)
        parts: dict[Token, dict[Possibility, Fraction]] = {}
        for member, share in cloud.shares():
            run = runs[member]
            step = run.step
            sees = step.sees if isinstance(step, ThrowStep) else None
            if type(step) is LookStep and isinstance(run, Run):
                sees = run.look_sees()
            cases, total, _ = self._cases(run)
            self.budget.spend(60 * len(cases), "best play with secrets")
            led_to = self._tokens_after(run, [answer for answer, _ in cases])
            for (answer, weight), tokens in zip(cases, led_to, strict=True):
                secrets = member.secrets
                if sees is not None and self._matters(sees):
                    secrets = (*secrets, (sees, answer))
                seen_by_all = answer if sees is None else None
                into = parts.setdefault(seen_by_all, {})
                after = Possibility(tokens, secrets)
                ways = share if weight == total else share * Fraction(weight, total)
                into[after] = into[after] + ways if after in into else ways
        value = Fraction(0)
        follow: list[tuple[Fraction, BeliefValue | PolicyEntry]] = []
        for members in parts.values():
            part = InformationSet(members, cloud.split_for)
            found = yield part
            value += part.weight * found.value
            follow.append((part.weight, found))
        return BeliefValue(value, {}, tuple(follow))

    def _cases(self, run: Run | CompiledRun) -> Cases:
        step = run.step
        if type(step) is Choice and step.by not in self.others:
            self.choosers.add(step.by)
            return Cases.of([(step.options[0], 1)], 1)  # said to everybody: there is no other
        if type(step) is Choice:
            where = run if isinstance(run, Run) else WaitingPosition(run.at)
            option = self.others[step.by](Situation(step, where))
            return Cases.of([(check_option(step, option), 1)], 1)
        if type(step) is Call or type(step) is Together:
            dist = self.grower.odds_of_part(step)
            assert dist is not None
            if dist.lost:
                raise HiddenChoices(BOUNDED)
            return part_cases(dist)
        if isinstance(run, Run):
            return self.grower.chances.of(run)
        if not isinstance(step, ThrowStep):
            raise CannotCompile("a look is followed answer by answer")
        return self.grower.chances.of_throw(step)

    def _choice(
        self,
        cloud: InformationSet,
        runs: Mapping[Possibility, Run | CompiledRun],
        step: Choice[object],
    ) -> Job:
        """A choice: split by what the chooser has seen, then take the best option of each part."""
        from fractions import Fraction

        from rollwright.engine.best.policies import PolicyEntry, Worth

        self.choosers.add(step.by)
        for audience in cloud.split_for:
            if step.by not in audience:
                raise HiddenChoices(
                    f"{step.by} chooses without having seen what {', '.join(audience)} saw and "
                    "acted on: best play of both would leave options to chance, which is not "
                    f"counted; give one of them a policy, others={{{audience[0]!r}: …}}, and the "
                    "best reply to it is found, or let all of them see the throw"
                )
        self._check_about(cloud, runs, step)
        value, sure = Fraction(0), Fraction(1)
        follow: list[tuple[Fraction, BeliefValue | PolicyEntry]] = []
        for known, part in self._split(cloud, step.by).items():
            worths, results = [], []
            ways_on = {m: self._tokens_after(runs[m], [*step.options]) for m in part.members}
            for number, option in enumerate(step.options):
                after: dict[Possibility, Fraction] = {}
                for m, share in part.members.items():
                    there = Possibility(ways_on[m][number], m.secrets)
                    after[there] = after[there] + share if there in after else share
                found = yield InformationSet(after, part.split_for)
                worths.append(Worth(option, found.value))
                results.append(found)
            against = step.against or step.by in self.against
            sign = -1 if against else 1
            pick = max(range(len(worths)), key=lambda n: (sign * worths[n].value, -n))
            seen = (*known, *_open_answers(runs[next(iter(part.members))], step.by))
            about = runs[next(iter(part.members))].step.about
            situation = seen if about is None else about
            call = step.options[pick]
            line = PolicyEntry(step.by, situation, call, tuple(worths), part.weight, against)
            follow += [(sure, line), (part.weight, results[pick])]
            value += part.weight * results[pick].value
        return BeliefValue(value, {}, tuple(follow))

    def _split(self, cloud: InformationSet, by: str) -> dict[Tokens, InformationSet]:
        parts: dict[Token, dict[Possibility, Fraction]] = {}
        audiences: set[tuple[str, ...]] = set()
        for member, share in cloud.shares():
            known = tuple(shown for sees, shown in member.secrets if by in sees)
            audiences |= {sees for sees, _ in member.secrets if by in sees}
            parts.setdefault(known, {})[member] = share
        split = cloud.split_for | audiences if len(parts) > 1 else cloud.split_for
        return {
            known: InformationSet(members, frozenset(split)) for known, members in parts.items()
        }


class _SharedPolicy(dict[str, Policy]):
    """One policy for every chooser."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def __contains__(self, name: object) -> bool:
        return True

    def __getitem__(self, name: str) -> Policy:
        return self.policy


MOST_POSITIONS = 2_000_000
"""Steps that are spent on looking through a rule for what its choices are about."""


def check_abouts(call: Call[object], policy: Policy) -> None:
    """Refuse an `about` that would reveal to a policy throws that the chooser has not seen."""
    solver = BeliefSolver(lambda _: 0, _SharedPolicy(policy), Budget(MOST_POSITIONS))
    with suppress(TooMuchWork, HiddenChoices, NeverEnds):
        solver.solve(InformationSet.sure((RuleStart(call),)))


def tokens_after(run: Run, answer: Token) -> Tokens:
    """Return the tokens after an answer; a finished rule has only its outcome."""
    after = Run(tuple(run.tokens))
    after.answer(answer)
    if type(after.step) is Done:
        return (RuleStart(_FinalOutcome(after.step.outcome)),)
    if after.at_tail():
        return after.tail
    return tuple(after.tokens)


def _sum_of(shares: Iterable[Fraction]) -> Fraction:
    """A sum over one denominator, which is reduced once."""
    from fractions import Fraction
    from math import lcm

    listed = [share.as_integer_ratio() for share in shares]
    common = lcm(*{whole for _, whole in listed})
    return Fraction(sum([part * (common // whole) for part, whole in listed]), common)


class CompiledRun:
    """A position of a compiled rule, in the place of a run."""

    __slots__ = ("at", "step")

    def __init__(self, at: At) -> None:
        self.at = at
        self.step = at.asked


class _FinalOutcome(NamedTuple):
    """A rule that has ended, so that equal outcomes are one position."""

    outcome: Outcome

    async def begin(self) -> Outcome:
        return self.outcome


def information_set_of(
    call: Call[object], events: Iterable[Event], seat: str, step: Step[object] | None = None
) -> InformationSet:
    """Return every position that looks to a seat like the real one, after what has happened.

    Throws that the seat does not see it does not notice either. `step` is what is waited for now,
    if everybody knows that.
    """
    from fractions import Fraction

    chances = ThrowCases(Budget())
    members: dict[Possibility, Fraction] = {Possibility((RuleStart(call),)): Fraction(1)}
    for asked, sees, token in events:
        if sees is not None and seat not in sees:
            continue
        after: dict[Possibility, Fraction] = {}
        for member, share in _after_hidden_throws(members, seat, chances).items():
            run = Position._at(member.tokens)._ready()
            if public_part(run.step) != asked:
                continue
            sure = type(run.step) is Choice
            cases, total, _ = Cases.of([(token, 1)], 1) if sure else chances.of(run)
            for answer, weight in cases:
                if answer == token:
                    secrets = member.secrets + (((sees, answer),) if sees is not None else ())
                    new = Possibility(tokens_after(run, answer), secrets)
                    after[new] = after.get(new, Fraction(0)) + share * Fraction(weight, total)
        members = after
    if step is not None and getattr(step, "sees", None) is None and not isinstance(step, LookStep):
        asked = public_part(step)
        members = {
            member: share
            for member, share in _after_hidden_throws(members, seat, chances).items()
            if public_part(Position._at(member.tokens)._ready().step) == asked
        }
    return InformationSet(members)


def _after_hidden_throws(
    members: Mapping[Possibility, Fraction], seat: str, chances: ThrowCases
) -> dict[Possibility, Fraction]:
    """The same positions, after all throws that a seat does not see."""
    from fractions import Fraction

    found: dict[Possibility, Fraction] = {}
    waiting = dict(members)
    while waiting:
        after: dict[Possibility, Fraction] = {}
        for member, share in waiting.items():
            run = Position._at(member.tokens)._ready()
            sees = (
                run.look_sees() if type(run.step) is LookStep else getattr(run.step, "sees", None)
            )
            if sees is None or seat in sees:
                found[member] = found.get(member, Fraction(0)) + share
                continue
            cases, total, _ = chances.of(run)
            for answer, weight in cases:
                new = Possibility(tokens_after(run, answer), (*member.secrets, (sees, answer)))
                after[new] = after.get(new, Fraction(0)) + share * Fraction(weight, total)
        waiting = after
    return found


def _open_answers(run: Run | CompiledRun, by: str) -> Tokens:
    """Return the answers that everybody and the chooser saw, without those that hide secrets."""
    if not isinstance(run, Run):
        return ()
    seen = run.answers_for(by)
    shown = [t for t in seen if t is not None and not isinstance(t, (PartOutcome, RuleStart))]
    return tuple(shown)


def _add(into: dict[Outcome, Fraction], more: Mapping[Outcome, Fraction], weight: Fraction) -> None:
    for outcome, share in more.items():
        into[outcome] = into.get(outcome, 0) + share * weight
