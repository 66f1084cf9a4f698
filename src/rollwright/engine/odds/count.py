"""Exact odds: every way a rule can go, weighted, from any position and under any policy."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from math import comb, lcm
from typing import (
    TYPE_CHECKING,
    Any,
    NamedTuple,
    Protocol,
    TypeAlias,
    TypeGuard,
    TypeVar,
    cast,
    runtime_checkable,
)

from rollwright.budget import Budget, bytes_of
from rollwright.dice import Outcome
from rollwright.engine.compiled.errors import LOOKED_AT, CannotCompile, Learn, explain
from rollwright.engine.compiled.positions import (
    NEXT_TO_NOTHING,
    WAYS_REPLAYED,
    Compiling,
    MustCompile,
)
from rollwright.engine.failures import explain_answers, note_answers
from rollwright.engine.odds.cases import Cases, ThrowCases, part_cases, sample_finishes
from rollwright.engine.odds.chains import (
    Flow,
    GarbageCollectionOff,
    Leaves,
    OffersError,
    Place,
    RuleEnds,
    changes,
    flow,
)
from rollwright.engine.outcome_keys import SIMPLE, TypedOutcome, outcome_key, outcomes_of, row_key
from rollwright.engine.position import Position, check_option
from rollwright.engine.purity import NoAnswersLeft, OutsideNames, check_again, twice
from rollwright.engine.replay import (
    Done,
    PartOutcome,
    RuleStart,
    Run,
    check_outcome,
    end_after_one,
    finish_all,
    finish_throw,
    first_answer,
    is_offer,
)
from rollwright.engine.steps import (
    Call,
    Choice,
    CutStep,
    Finish,
    Helper,
    LookStep,
    Needs,
    Option,
    RollStep,
    Rule,
    SpendStep,
    State,
    Step,
    TallyStep,
    ThrowStep,
    Together,
    Token,
    Tokens,
    WatchPause,
)
from rollwright.errors import Misuse, NeedsPolicy, NeverEnds, TooMuchWork
from rollwright.exact import Dist
from rollwright.hands import Hand

if TYPE_CHECKING:
    from fractions import Fraction

    from rollwright.engine.best.beliefs import InformationSet
    from rollwright.engine.compiled.machine import At, Frame

T = TypeVar("T")


Start: TypeAlias = "Call[object] | Position | InformationSet"
"""The start of a count: a rule with its arguments, a position, or several that look alike."""


SPENT: Token = None
"""The answer to a rule that has spent something."""
NOTHING: Token = object()
"""The last throw of a rule that waits for a choice: it has not ended in a throw."""


class Situation:
    """A choice as a policy sees it: the options, whose they are, and what they turn on."""

    __slots__ = ("choice", "options", "by", "about", "_run", "_raw")

    def __init__(
        self, choice: Choice[object], run: Run | WaitingPosition | _NoRun, raw: Token = NOTHING
    ) -> None:
        self.choice = choice
        self.options: tuple[Option, ...] = choice.options
        """The options."""
        self.by: str = choice.by
        """Who chooses."""
        self.about: Any = choice.about
        """The rule's own basis of the decision."""
        self._run = run
        self._raw = raw  # what was thrown where the rule has ended in a throw

    @property
    def seen(self) -> Tokens:
        """The answers the rule under way has had so far: hands, sums, earlier choices.

        A throw that the chooser did not see is None here.
        """
        seen, by = self._run.answers_for(self.by), self.by
        if self._raw is NOTHING:
            return seen
        sees = self._run.step.sees
        return (*seen, self._raw if sees is None or by in sees else None)

    def _later(self) -> Situation:
        """The same after a count, when what was answered before is gone."""
        return Situation(self.choice, _NoRun())


Policy = Callable[[Situation], Option]
"""Decides: given the situation, one of its options."""


TotalOf = Callable[
    [Tokens, "Policy | None", "Callable[[Any], Outcome] | None"],
    "tuple[Fraction, Fraction] | None",
]
"""Finds the mean and the variance of what a rule ends in; None where it cannot."""


@runtime_checkable
class Planner(Protocol):
    """Decides with the whole rule in view, such as `best(goal)`."""

    def solve(self, what: Start, budget: Budget) -> Flow:
        """Return where the rule leads with this play."""
        ...


class Chain(NamedTuple):
    """The ends of a rule that may go round: the odds of its outcomes, and how long it takes."""

    outcomes: Dist[Outcome]
    """The outcomes; what never ends is in `lost`, and so is what a stated bound cut off."""
    ends: Fraction
    """The chance that it ends at all."""
    length: Fraction | None
    """How many rules are gone through on average, the first included; None if it may not end."""


def odds(
    what: Start,
    policy: Policy | Planner | None = None,
    *,
    budget: Budget | None = None,
    check_secrets: Callable[[Call[object], Policy], None] | None = None,
    of: Callable[[Any], Outcome] | None = None,
    total_of: TotalOf | None = None,
) -> Dist[Outcome]:
    """The exact distribution of outcomes, from the start or from any position.

    With `of`, the distribution of what it reads of them; what it does not read is not counted.
    `total_of` finds the mean and the variance where a loop was cut off that adds something up.
    `check_secrets` is called where a throw is hidden from somebody and a policy decides.

    >>> from rollwright.dice import D6
    >>> from rollwright.rules import roll, rule
    >>> @rule
    ... async def doubles() -> bool:
    ...     return len(set(await roll(2 * D6))) == 1
    >>> odds(doubles()).p(True)
    Fraction(1, 6)
    """
    budget = budget or Budget.current()
    if isinstance(what, (Call, Position)):
        known = _by_shortcut(start_of(what), budget)
        if known is not None:
            return known if of is None else known.map(of)
    counters: list[tuple[RuleCounter, Tokens]] = []
    found = _count_flow(what, policy, budget or Budget(), check_secrets, of, counters)
    if found.never:
        from fractions import Fraction

        raise NeverEnds(
            f"with chance {Fraction(found.never, found.total)} this goes round for ever; "
            "ask for the chain to see both parts"
        )
    dist = (found if of is None else _read(found, of)).distribution()
    if dist._lost and counters and total_of is not None:
        counter, tokens = counters[0]
        last = counter.compiling.positions[-LOOKED_AT:]
        if counter.cuts and any([at.adds for at in last]):
            total = total_of(tokens, counter.policy, of)
            if total is not None:
                return dist._set_moments(*total)
    return dist


def _read(found: Flow, of: Callable[[Any], Outcome]) -> Flow:
    """Return the flow with outcomes replaced by what is read of them, unless already done."""
    weights: dict[Outcome, int] = {}
    for outcome, weight in found.outcomes.items():
        key = outcome_key(outcome[0] if type(outcome) is ReadOutcome else of(outcome))
        weights[key] = weights.get(key, 0) + weight
    return found._replace(outcomes=outcomes_of(weights))


def chain(
    what: Start, policy: Policy | Planner | None = None, *, budget: Budget | None = None
) -> Chain:
    """The odds of a rule that may go round, with its chance of ending and its average length."""
    from fractions import Fraction

    found = _count_flow(what, policy, budget or Budget.default())
    ends = Fraction(found.total - found.never, found.total)
    return Chain(found.distribution(), ends, found.length)


def _count_flow(
    what: Start,
    policy: Policy | Planner | None,
    budget: Budget,
    check_secrets: Callable[[Call[object], Policy], None] | None = None,
    of: Callable[[Any], Outcome] | None = None,
    counters: list[tuple[RuleCounter, Tokens]] | None = None,
) -> Flow:
    """Return where a rule leads, if anywhere; the part that counted it is put in `counters`."""
    kept = budget.kept
    try:
        if _plans(policy):
            found = policy.solve(what, budget)
        else:
            outside = OutsideNames(what)
            decide = cast("Policy | None", policy)
            asked = None if decide is None else twice(decide, "policy", Situation._later)
            counter = RuleCounter(asked, budget)
            counter.of = of
            with GarbageCollectionOff(), WatchPause():
                found = _mixed_flow(what, counter)
                check_again(asked)
            outside.check()
            if counters is not None and isinstance(what, (Call, Position)):
                counters.append((counter, start_of(what)))
            if counter.hides and decide is not None and check_secrets and type(what) is Call:
                check_secrets(what, decide)
    finally:
        budget.kept = kept  # the next count has as much room
    if not found.outcomes:
        raise NeverEnds(
            "this goes round for ever and never comes to an outcome"
            if found.never
            else "nothing of this comes to an outcome within its bound: allow more with bound="
        )
    return found


def _plans(policy: Policy | Planner | None) -> TypeGuard[Planner]:
    """Whether it decides with the whole rule in view: sooner asked for its method than its type."""
    return hasattr(policy, "solve")


def _mixed_flow(what: Start, counter: RuleCounter) -> Flow:
    """Return where a rule leads; from a cloud of positions the mix of where each leads."""
    members = getattr(what, "members", None)
    if members is None or isinstance(what, (Call, Position)):
        return counter.flow(start_of(what))
    nodes: dict[Place, RuleEnds] = {}
    weight = what.weight
    shares = {member: share / weight for member, share in members.items()}
    common = lcm(*(share.denominator for share in shares.values()))
    for member in shares:
        found = counter.flow(member.tokens)
        known = {outcome_key(outcome): ways for outcome, ways in found.outcomes.items()}
        nodes[member] = RuleEnds(known, {}, found.total)
    first = {m: s.numerator * (common // s.denominator) for m, s in shares.items()}
    nodes["start"] = RuleEnds({}, first, common)
    return flow(nodes, "start", counter.budget)


def start_of(what: object) -> Tokens:
    """The tokens of a rule with its arguments, or of a position."""
    if isinstance(what, Position):
        return what.tokens
    if isinstance(what, Call):
        return (RuleStart(what),)
    raise Misuse(f"odds are of a rule with its arguments or of a position, not of {what!r}")


def _by_shortcut(tokens: Tokens, budget: Budget | None) -> Dist[Outcome] | None:
    """The odds of a rule that has not begun and knows a shorter way to them."""
    call = find_shortcut(tokens)
    if call is None or len(tokens) > 1:
        return None
    kept = budget.kept if budget is not None else 0
    try:
        known = call.rule.shortcut(*call.args, budget)  # type: ignore[misc]
    finally:
        if budget is not None:
            budget.kept = kept
    return known if isinstance(known, Dist) else None


def find_shortcut(tokens: Tokens) -> Call[object] | None:
    """The rule that has just been gone into, if it knows a shorter way to its odds."""
    call = tokens[-1].call if type(tokens[-1]) is RuleStart else None
    return call if type(call) is Call and call.rule.shortcut is not None else None


class RuleCounter:
    """Counts under one policy; what it has counted once it knows."""

    counts_helpers = True
    """Whether plain async functions are counted by themselves, as rules are."""
    notes_ends = False
    """Whether more is noted of outcomes than their weights."""

    def __init__(self, policy: Policy | None, budget: Budget) -> None:
        self.policy = policy
        self.budget = budget
        self.chances = ThrowCases(budget)
        self._known: dict[Step[object], Dist[Outcome]] = {}
        self._told: dict[int, tuple[Dist[Outcome], Cases]] = {}
        """Odds of parts, with the answers to rules that wait for them."""
        self._offering: set[Finish | None] = set()
        """Functions that finish a throw by ending in a choice."""
        self._tried: set[Finish] = set()
        self.compiling = Compiling()
        self.compiling.parts = self.counts_helpers
        self._gone_into: set[Rule[..., object]] = set()
        """Plain async functions that cannot be counted by themselves."""
        self.hides = False
        """Whether a throw was met that not everybody sees."""
        self.spends = False
        """Whether something was spent on a way that was followed."""
        self._open: set[object] = set()
        """Parts that are being counted."""
        self._numbers: dict[tuple[Rule[..., object], int], set[int]] = {}
        """By rules and their arguments, which whole numbers those were."""
        self._growing: set[Rule[..., object]] = set()
        """Rules that call themselves so often that they are gone into, as loops are."""
        self.cuts = False
        """Whether a loop that grows was cut off."""
        self.nodes: dict[Place, RuleEnds] = {}
        """The chain that was followed last."""
        self.of: Callable[[Any], Outcome] | None = None
        """Reads outcomes, as soon as a compiled rule has one."""

    def flow(self, tokens: Tokens) -> Flow:
        """Return where the rule leads from these tokens on."""
        leaf = _leaf if self.of is None else partial(_read_leaf, self.of)
        found: Flow = self._with_compiling(lambda: self._flow(tokens, leaf))
        return found

    def _with_compiling(self, job: Callable[[], Needs[T]]) -> T:
        """Do a job with rules compiled where that pays, and without where it cannot be done."""
        while True:
            try:
                return self._work(job())
            except MustCompile as wanted:
                self.compiling.wanted.add(wanted.rule)
            except CannotCompile as why:
                self.compiling.give_up(why)
            except Learn:
                self.compiling.relearn()
            except TooMuchWork as problem:
                raise explain(problem, self.compiling.refusal, self.compiling.positions) from None
            except Exception as problem:
                explain_answers(problem, self.compiling)
                raise
            self._open.clear()

    def outcomes_of(self, part: Step[object]) -> Dist[Outcome]:
        """The odds of a part by itself."""
        known = self._known.get(part)
        if known is None:
            known = self._known[part] = self._with_compiling(lambda: self._part(part))
        return known

    def _work(self, job: Needs[T]) -> T:
        """Do a job and all the jobs it needs, without ever going deeper in Python's own stack."""
        jobs: list[tuple[Step[object] | None, Needs[Any]]] = [(None, job)]
        open_parts = self._open
        value: Any = None
        while jobs:
            try:
                part = jobs[-1][1].send(value)
            except StopIteration as stop:
                done, _ = jobs.pop()
                open_parts.discard(done)
                value = stop.value
                if done is not None:
                    self._known[done] = value
                continue
            value = self._known.get(part)
            if value is None:
                if part in open_parts:
                    if type(part) is Call and self.compiling.tries((RuleStart(part),)):
                        raise MustCompile(part.rule)
                    raise Misuse(
                        f"{part!r} waits for itself: a rule that goes round must end in itself "
                        "(return it), not await itself"
                    )
                if len(open_parts) >= GROWN and type(part) is Call:
                    self._go_into(part)
                open_parts.add(part)
                jobs.append((part, self._part(part)))
        result: T = value
        return result

    def _go_into(self, part: Call[object]) -> None:
        """Have a rule gone into from now on: it has called itself so often that it is a loop."""
        if part.rule not in self._growing and self.compiling.tries((RuleStart(part),)):
            self._growing.add(part.rule)
            raise MustCompile(part.rule)

    def _note_arguments(self, call: Call[object]) -> None:
        """Note with what a rule is called, and whether a number in that grows without end."""
        for place, value in enumerate(call.args):
            if type(value) is int:
                met = self._numbers.setdefault((call.rule, place), set())
                met.add(value)
                if len(met) >= GROWN:
                    self.compiling.grows = True

    def _part(self, part: Any) -> Needs[Dist[Outcome]]:
        if type(part) is Call:
            found = yield from self._flow((RuleStart(part),))
            if found.never:
                raise NeverEnds(f"{part!r} may go round for ever, so what follows it has no odds")
            return found.distribution()
        if type(part) is Together:
            return (yield from self._together(part))
        self.check_visible(part)
        return (yield from self._finished_throw(part))

    def _finished_throw(self, part: ThrowStep[object]) -> Needs[Dist[Outcome]]:
        """A throw taken as a part; where its finish goes on to a rule, with what that leads to."""
        leaves = Leaves(self.chances, self.budget)
        items, total, _ = self.chances.of_throw(part)
        for raw, weight in items:
            outcome = finish_throw(part, raw)
            if type(outcome) is Call:
                leaves.outcomes((yield outcome), weight, total)
            elif type(outcome) is Choice:
                return (yield from self._play_out(part))
            else:
                leaves.outcome(outcome, weight, total)
        local = leaves.local()
        return Flow(outcomes_of(local.outcomes), local.total, 0, {}).distribution()

    def _play_out(self, part: ThrowStep[object]) -> Needs[Dist[Outcome]]:
        """A throw taken as a part, played out as one that somebody waits for."""
        alone: Together[object] = Together.__new__(Together)
        alone.parts, alone.start, alone.step = (part,), None, _only
        found = yield from self._flow((RuleStart(alone),))
        if found.never:
            raise NeverEnds(f"{part!r} may go round for ever, so what follows it has no odds")
        return found.distribution()

    def check_visible(self, step: ThrowStep[object]) -> None:
        """A hook for interpreters that must know who sees a throw; odds only note it."""
        self.hides = True

    def enters(self, part: object) -> bool:
        """A hook for interpreters that look into every part; odds count them by themselves."""
        return False

    def _together(self, part: Together[object]) -> Needs[Dist[Outcome]]:
        step = part.step
        states: dict[State, int] = {part.start if step else (): 1}
        total = 1
        for inner in part.parts:
            dist = yield inner
            each = STEP if step else 1
            self.budget.spend(each * len(states) * len(dist), _PARTS, _GATHER)
            items = dist.items()
            grown: dict[State, int] = {}
            known = grown.get
            size = KEPT_EACH + bytes_of(next(iter(states)))
            most = (self.budget.room - self.budget.kept) // size
            for state, ways in states.items():
                if len(grown) > most:
                    self.budget.expect_room(size * len(grown), _PARTS, _GATHER)
                if step is None:
                    for outcome, weight in items:
                        key = (*state, outcome)
                        grown[key] = known(key, 0) + ways * weight
                else:
                    for outcome, weight in items:
                        key = step(state, outcome)
                        grown[key] = known(key, 0) + ways * weight
            states = grown
            total *= dist.total
        self.budget.kept += KEPT_EACH * len(states)
        return Dist._build(states, total, total - sum(states.values()))

    def _flow(self, tokens: Tokens, leaf: Leaf | None = None) -> Needs[Flow]:
        is_part = leaf is None
        leaf = leaf or _leaf
        nodes: dict[Place, RuleEnds] = {}
        waiting: deque[Place] = deque([tokens])
        same = {tokens: tokens}.setdefault  # one object for equal rules, which is soon compared
        looked_at = GROWN
        while waiting:
            key = waiting.popleft() if self.compiling.grows else waiting.pop()
            if key in nodes:
                continue
            if type(key) is int:
                node = nodes[key] = yield from self._way_on_from(key, leaf)
                self.budget.kept += KEPT_AT + KEPT_EACH * len(node.outcomes)
            else:
                if type(key[0].call) is Call and not self.compiling.grows:
                    self._note_arguments(key[0].call)
                outcomes, tails, total = yield from self._local(key, leaf)
                tails = {same(tail, tail): weight for tail, weight in tails.items()}
                node = nodes[key] = RuleEnds(outcomes, tails, total)
                self.budget.kept += KEPT + KEPT_EACH * len(node.outcomes)
                state, number = arguments_of(key), 1 + len(node.tails)
                self.budget.keep_states(state, number, KEPT_TAIL, "this chain of rules", _LESS)
            waiting += [tail for tail in node.tails if tail not in nodes]
            if len(nodes) >= looked_at and self.compiling.grows:
                looked_at *= 2
                found = self._cut_off(nodes, tokens, waiting, is_part=is_part)
                if found is not None:
                    return found
        self.nodes = nodes
        first = nodes[tokens]
        if not first.tails:
            return Flow(outcomes_of(first.outcomes), first.total, 0, {tokens: (1, 1)})
        return flow(nodes, tokens, self.budget)

    def _cut_off(
        self,
        nodes: dict[Place, RuleEnds],
        tokens: Tokens,
        waiting: Iterable[Place],
        *,
        is_part: bool,
    ) -> Flow | None:
        """Return where a loop leads that grows, once what is left of it weighs next to nothing.

        A part is cut shorter, since what follows it goes on from each of its outcomes. The whole
        question keeps all that was counted, so outcomes that were come to early are exact.
        """
        left = {key for key in waiting if key not in nodes}
        found = flow(nodes | {key: RuleEnds({}, {}, 1) for key in left}, tokens, self.budget)
        from fractions import Fraction

        shares = {key: Fraction(*share) for key, share in found.shares.items()}
        if sum([shares[key] for key in left], Fraction(0)) >= NEXT_TO_NOTHING:
            return None
        self.cuts = True
        if not is_part:
            return found
        least = Fraction(NEXT_TO_NOTHING) / len(nodes)
        slight = {key for key in nodes if key != tokens and shares.get(key, 0) < least}
        kept = {key: node for key, node in nodes.items() if key not in slight}
        cut = {key: RuleEnds({}, {}, 1) for node in kept.values() for key in node.tails}
        return flow(cut | kept, tokens, self.budget)

    def _local(self, tokens: Tokens, leaf: Leaf) -> Needs[RuleEnds]:
        """Return where one rule leads by itself, by a shorter way if there is one."""
        call = find_shortcut(tokens)
        dist = None if call is None else (yield from self._by_shortcut(call))
        if dist is None:
            rule = self.compiling.tries(tokens)
            if rule is not None and (self.compiling.wants(rule) or self.enters(rule)):
                return self._begin(tokens, leaf)
            return (yield from self._expand([(tokens, 1, 1, 1.0)], rule))
        if len(tokens) == 1:
            return RuleEnds({outcome_key(o): w for o, w in dist.items()}, {}, dist.total)
        cases, total, _ = part_cases(dist)
        start = [((*tokens[:-1], case), weight, total, 1.0) for case, weight in cases]
        return (yield from self._expand(start, None))

    def _begin(self, tokens: Tokens, leaf: Leaf) -> RuleEnds:
        """The first position of a rule that is compiled."""
        outcomes: dict[Outcome, int] = {}
        tails: dict[Place, int] = {}
        led = self._end_of(self.compiling.stepper.resume(tokens), leaf)
        self._note(led, None, 1, outcomes, tails)
        return RuleEnds(outcomes, tails, 1)

    def _end_of(self, place: tuple[Any, Any], leaf: Leaf) -> tuple[Any, Any]:
        """Return where a way leads without a question about dice."""
        asked, frame = place
        return asked, frame if isinstance(asked, Step) else leaf(frame)

    def _note(
        self,
        place: tuple[Any, Any],
        came: tuple[int, Token] | None,
        weight: int,
        outcomes: dict[Outcome, int],
        tails: dict[Place, int],
    ) -> None:
        """Add the weight of one way to where it leads."""
        asked, frame = place
        if type(asked) is Call and frame is None:
            key: Place = (RuleStart(asked),)
        elif isinstance(asked, Step):
            key = self.compiling.number(asked, frame, came, self.compiling.add)
        else:
            outcomes[frame] = outcomes.get(frame, 0) + weight
            return
        tails[key] = tails.get(key, 0) + weight

    def _way_on_from(self, number: int, leaf: Leaf) -> Needs[RuleEnds]:
        """Return where a position leads, once it is known which throws are the last."""
        while True:
            try:
                return (yield from self._way_on(number, leaf))
            except OffersError as found:
                self._offering.add(found.finish)

    def _way_on(self, number: int, leaf: Leaf) -> Needs[RuleEnds]:
        """Return where each answer to a position of a compiled rule leads."""
        compiling = self.compiling
        at = compiling.positions[number]
        asked = at.asked
        kind = type(asked)
        outcomes: dict[Outcome, int] = {}
        tails: dict[Place, int] = {}
        cases: Cases | None = None
        if kind is Choice:
            cases = Cases([(self._choose(at, asked), 1)], 1, (1,))
        elif kind is SpendStep:
            self.spends = True
            cases = Cases([(SPENT, 1)], 1, (1,))
        elif kind is Call or kind is Together:
            dist = None if self.enters(asked) else self._known.get(asked)
            if dist is None and kind is Call and type(asked.rule) is Helper:
                dist = self.odds_of_helper(asked)
                if dist is None:
                    led = compiling.stepper.enter_part(at)
                    self._note(self._end_of(led, leaf), None, 1, outcomes, tails)
                    return RuleEnds(outcomes, tails, 1)
            if dist is None:
                if kind is Call and asked.rule in self._growing:
                    compiling.grows = True
                if (
                    asked in self._open
                    or self.enters(asked)
                    or (kind is Call and asked.rule in self._growing)
                    or (kind is Together and not _countable(asked))
                ):
                    led = compiling.stepper.enter_part(at)
                    self._note(self._end_of(led, leaf), None, 1, outcomes, tails)
                    return RuleEnds(outcomes, tails, 1)
                dist = yield asked
            cases = self._answers_of(dist)
        else:
            if kind is LookStep or kind is CutStep:
                raise CannotCompile("a look is followed answer by answer", at.line)
            if asked.sees is not None:
                self.check_visible(asked)
        (listed, total, _), places = compiling.follow(
            at, cases, self.chances, leaf, self._follow_choice
        )
        spend_ways(self.budget, at, len(listed), "this rule")
        thrown: list[tuple[TallyStep[object], int]] = []
        notes_ends, known = self.notes_ends, outcomes.get
        for (token, weight), place in zip(listed, places):
            asked, frame = place
            if not (notes_ends or isinstance(asked, Step)):
                outcomes[frame] = known(frame, 0) + weight
                continue
            last = self._last_throw(asked, frame) if type(asked) is TallyStep else None
            if last is None:
                self._note(place, (number, token), weight, outcomes, tails)
            else:
                thrown.append((last, weight))
        local = RuleEnds(outcomes, tails, total)
        return self._with_sums(local, thrown, leaf) if thrown else local

    def _last_throw(self, asked: Any, frame: Any) -> TallyStep[object] | None:
        """Return a tally that a compiled rule waits for, if nothing is asked any more after it."""
        if type(asked) is not TallyStep or frame is None:
            return None
        last = self.compiling.last_throw(asked, frame)
        if last is None or last.finish in self._offering:
            return None
        if last.finish not in self._tried:
            assert last.finish is not None
            self._tried.add(last.finish)
            if any([isinstance(end, Step) for end in sample_finishes(last)]):
                self._offering.add(last.finish)
                return None
        return last

    def _with_sums(
        self, led: RuleEnds, thrown: list[tuple[TallyStep[object], int]], leaf: Leaf
    ) -> RuleEnds:
        """Add where the sums lead that a rule ends in."""
        leaves = Leaves(self.chances, self.budget, leaf)
        leaves.outcomes_over(led.total).update(led.outcomes)
        for key, weight in led.tails.items():
            leaves.tail(key, weight, led.total)
        for last, weight in thrown:
            leaves.tally(last, weight, led.total)
        return leaves.local()

    def _follow_choice(self, choice: Choice[object], frame: Frame | None) -> tuple[Any, Any]:
        """Return where a choice on the way leads, which depends on the question alone."""
        stepper = self.compiling.stepper
        at = stepper.at(choice, frame, False)  # nobody else comes from here
        option = self._choose(at, choice)
        if frame is None or choice.endings is not None:
            ((asked, frame),) = stepper.ways(at, [option])
            return asked, frame
        machine, number, live, below = frame
        try:
            return stepper._run(machine.functions[number](live, option), machine, below)
        except Exception as problem:
            note_answers(problem, (at, option))
            raise

    def _choose(self, at: At, choice: Choice[object]) -> Option:
        if self.policy is None:
            raise NeedsPolicy(choice.by, map(str, choice.options))
        option = self.policy(Situation(choice, WaitingPosition(at)))
        return option if option in choice.options else check_option(choice, option)

    def outcomes_of_helper(self, call: Call[object]) -> Dist[Outcome] | None:
        """The odds of a plain async function from outside; None where it is to be gone into."""

        def job() -> Needs[Dist[Outcome] | None]:
            return self.odds_of_helper(call)
            yield call  # type: ignore[unreachable]  # which makes it a job

        known = self._known.get(call)
        return known if known is not None else self._with_compiling(job)

    def odds_of_helper(self, call: Call[object]) -> Dist[Outcome] | None:
        """The odds of a plain async function by itself; None where it is to be gone into.

        It may change what it is given, end in what can change, or in dice of which only what is
        asked is to be known; and what goes wrong in it is told with all that led there.
        """
        if call.rule in self._gone_into or call in self._open or self.enters(call):
            return None
        before = {*self._open}
        self._open.add(call)
        try:
            dist = self._work(self._part(call))
        except (MustCompile, CannotCompile, TooMuchWork):
            raise
        except Exception:
            self._gone_into.add(call.rule)
            return None
        finally:
            self._open.intersection_update(before)
        if dist._lost or any(map(_holds_hands, dist.outcomes)):
            self._gone_into.add(call.rule)
            return None
        self._known[call] = dist
        return dist

    def _by_shortcut(self, call: Call[object]) -> Needs[Dist[Outcome] | None]:
        if call.rule.shortcut is None:
            return None
        for value in call.args:
            if isinstance(value, ThrowStep):
                self.check_visible(value)
        known = call.rule.shortcut(*call.args, self.budget)
        if known is None or isinstance(known, Dist):
            return known
        return (yield from known)

    def _expand(self, start: list[Begun], rule: Rule[..., object] | None) -> Needs[RuleEnds]:
        """Every way one rule goes by itself, up to its outcomes and the rules it ends in.

        A rule that goes many ways is compiled instead, if it can be.
        """
        while True:
            try:
                return (yield from self._expand_waiting([*start], rule))
            except OffersError as found:
                self._offering.add(found.finish)

    def _expand_waiting(
        self, waiting: list[Begun], rule: Rule[..., object] | None
    ) -> Needs[RuleEnds]:
        leaves = Leaves(self.chances, self.budget)
        spend = self.budget.spend
        left, gone, done = WAYS_REPLAYED, 0, 0.0
        while waiting:
            if rule is not None:
                left -= 1
                if not left or len(waiting) > WAYS_REPLAYED:
                    raise MustCompile(rule)
                gone += 1
                if gone > WAYS_SEEN and gone > SURELY_MORE * WAYS_REPLAYED * done:
                    raise MustCompile(rule)
            here, ways, total, share = waiting.pop()
            spend(WAY + 30 * len(here), "this rule")
            run = Run(here)
            while True:
                step = run.step
                kind = type(step)
                if kind is Done:
                    leaves.outcome(step.outcome, ways, total)
                    done += share
                    break
                spend(10, "this rule", _LOOP)
                left -= 1
                if left < 0 and rule is not None:
                    raise MustCompile(rule)
                if kind is Choice:
                    run.answer(self._decide(run, step))
                    continue
                if kind is CutStep:
                    done += share
                    break
                if kind is SpendStep:
                    self.spends = True
                    run.answer(SPENT)
                    continue
                if kind is Call or kind is Together:
                    if not run.frames and kind is Call:
                        leaves.tail((RuleStart(step),), ways, total)
                        done += share
                        break
                    if kind is Together and not _countable(step):
                        run.enter()
                        continue
                    dist = self._known.get(step)
                    if dist is None:
                        dist = yield step
                    if not run.frames:
                        leaves.outcomes(dist, ways, total)
                        done += share
                        break
                    cases, whole, _ = self._answers_of(dist)
                else:
                    if kind is not LookStep and step.sees is not None:
                        self.check_visible(step)
                    if not run.frames:
                        if kind is not LookStep and self._offers(step):
                            self._note_offer(run, step, (ways, total), leaves, waiting)
                        else:
                            leaves.ending(step, ways, total, run)
                        done += share
                        break
                    if (
                        rule is not None
                        and kind is RollStep
                        and different_hands(step) > WAYS_REPLAYED
                    ):
                        raise MustCompile(rule)  # before all of them are listed
                    cases, whole, _ = self.chances.of(run)
                    if rule is not None and len(cases) > WAYS_REPLAYED:
                        raise MustCompile(rule)
                total *= whole
                spend(2 * len(cases) + len(run.tokens), "this rule", _LOOP)
                if len(cases) > 1:
                    steps = (WAY + 30 * (len(run.tokens) + 1)) * len(cases)
                    if not self.budget.has_room(steps, KEPT_EACH * len(cases)):
                        remedy = less_to_follow(len(cases), _LOOP)
                        self.budget.expect(steps, "this rule", remedy)
                        self.budget.expect_room(KEPT_EACH * len(cases), "this rule", remedy)
                    share /= len(cases)
                    if len(run.tokens) == 1 and kind is not LookStep:
                        before = len(waiting)
                        if self._first_answers(run, cases, (ways, total, share), leaves, waiting):
                            done += share * (len(cases) - len(waiting) + before)
                            break
                        ways *= cases[0][1]
                        continue
                    waiting += _branches(run, cases, ways, total, share)
                answer, weight = cases[0]
                run.answer(answer)
                ways *= weight
        return leaves.local()

    def _answers_of(self, dist: Dist[Outcome]) -> Cases:
        """Return the answers to a rule that waits for a part with these odds."""
        known = self._told.get(id(dist))
        if known is None:
            known = self._told[id(dist)] = (
                dist,
                part_cases(dist),
            )  # kept, so that no other has its id
        return known[1]

    def _first_answers(
        self,
        run: Run,
        cases: list[tuple[Token, int]],
        begun: tuple[int, int, float],
        leaves: Leaves,
        waiting: list[Begun],
    ) -> bool:
        """Give a rule its first answer, and the others too where it ends there: no run for each.

        False where the way of the first answer goes on; the others are waiting then.
        """
        step, entered, (ways, total, share) = run.step, run.tokens[0], begun
        (answer, weight), *others = cases
        run.answer(answer)
        end = run.step.outcome if type(run.step) is Done else run.step
        if run.frames or not self._note_end(end, ways * weight, total, leaves):
            waiting += [((entered, other), ways * weight, total, share) for other, weight in others]
            return False
        self.budget.spend((WAY + 60) * len(others), "this rule", _LOOP)
        for number, (answer, weight) in enumerate(others):
            found = end_after_one(entered.call, first_answer(step, answer), watched=True)
            if found is None or not self._note_end(found[0], ways * weight, total, leaves):
                for other, weight in others[number:]:
                    waiting.append(((entered, other), ways * weight, total, share))
                break
        return True

    def _note_end(self, end: Outcome, ways: int, total: int, leaves: Leaves) -> bool:
        """Note an outcome, or a rule that is ended in; False where more has to be looked at."""
        if not isinstance(end, Step):
            leaves.outcome(check_outcome(end), ways, total)
        elif type(end) is Call:
            leaves.tail((RuleStart(end),), ways, total)
        else:
            return False
        return True

    def _offers(self, step: ThrowStep[object]) -> bool:
        """Whether a throw ends in a choice; of a sum that is tried when its finish is first met."""
        finish = step.finish
        try:
            if finish is None or finish in self._offering:
                return finish is not None
        except TypeError:
            raise Misuse(changes(step)) from None
        if type(step) is TallyStep and finish not in self._tried:
            self._tried.add(finish)
            if any(map(is_offer, sample_finishes(step))):
                self._offering.add(finish)
                return True
        return False

    def _note_offer(
        self,
        run: Run,
        step: ThrowStep[object],
        share: tuple[int, int],
        leaves: Leaves,
        waiting: list[Begun],
    ) -> None:
        """A throw that a rule has ended in, after which somebody decides in what it ends."""
        cases, total, _ = self.chances.of(run)
        self.budget.spend(OFFER * len(cases), "this rule", less_to_follow(len(cases), _LOOP))
        share_of, total = share[0], total * share[1]
        decide, outcomes = self._decide, leaves.outcomes_over(total)
        assert step.finish is not None
        values = finish_all(step.finish, step.given, [raw for raw, _ in cases])
        for (raw, weight), value in zip(cases, values):
            if type(value) is Choice:
                value = value.ending(decide(run, value, raw))
            if not isinstance(value, Step):
                key = value if type(value) in SIMPLE else outcome_key(value)
                outcomes[key] = outcomes.get(key, 0) + share_of * weight
            elif type(value) is Call:
                leaves.tail((RuleStart(value),), share_of * weight, total)
            elif type(value) is TallyStep and value.finish not in self._offering:
                if value.sees is not None:
                    self.check_visible(value)
                leaves.tally(value, share_of * weight, total)
            else:
                waiting.append(((*run.tokens, raw), share_of * weight, total, 0.0))

    def _decide(self, run: Run, choice: Choice[object], raw: Token = NOTHING) -> Option:
        if self.policy is None:
            raise NeedsPolicy(choice.by, map(str, choice.options))
        option = self.policy(Situation(choice, run, raw))
        return option if option in choice.options else check_option(choice, option)


def _holds_hands(outcome: object) -> bool:
    """Whether an outcome is a hand, or a tuple with one in it."""
    if isinstance(outcome, tuple):
        return any(map(_holds_hands, outcome))
    return isinstance(outcome, Hand)


def different_hands(step: RollStep[object]) -> int:
    """How many different hands a throw can come to."""
    hands = 1
    for (_, count), table in zip(step.pool.groups, step.tables, strict=True):
        hands *= comb(count + len(set(table)) - 1, count)
    return hands


_are_simple = SIMPLE.issuperset


def _leaf(outcome: Any) -> Outcome:
    """Return the key of an outcome."""
    kind = type(outcome)
    if kind in SIMPLE or (kind is tuple and _are_simple(map(type, outcome))):
        return outcome
    known = row_key(outcome) if isinstance(outcome, tuple) else None
    return outcome_key(check_outcome(outcome)) if known is None else known


Leaf = Callable[[Any], Outcome]
"""Function for the key of an outcome in a count."""


Begun = tuple[Tokens, int, int, float]
"""A way that is to be replayed: its answers so far, its weight and the total, and its part of the
whole tree as far as its branches tell."""


class ReadOutcome(tuple[Any]):
    """The value read of an outcome, in its place."""

    __slots__ = ()


def _read_leaf(of: Callable[[Any], Outcome], outcome: Any) -> Outcome:
    """Return the key of an outcome of which only a part is read."""
    value = of(outcome)
    return TypedOutcome((ReadOutcome, outcome_key(check_outcome(value)), ReadOutcome((value,))))


class WaitingPosition:
    """A position of a compiled rule, in the place of a run where a policy is asked."""

    def __init__(self, at: At) -> None:
        self.step = at.asked

    def answers_for(self, by: str) -> Tokens:
        """Refuse: a compiled rule forgets its answers, so a policy that asks has it replayed."""
        raise CannotCompile("a policy goes by what was answered before, not by `about`")


class _NoRun:
    """A placeholder for a run when all is counted."""

    step: Any = None

    def answers_for(self, by: str) -> Tokens:
        """Nobody knows any more what was answered."""
        raise NoAnswersLeft


_TOLD_APART = "tell less apart in one roll: read it more coarsely, or use a tally or a fold"
_MANY = 1000
_LOOP = "this rule is replayed for each of its ways, since it cannot be compiled"
WAY_ON = 25
"""Steps of counting that an answer to a compiled rule takes."""
KEPT_AT = 900
"""About how many bytes are kept for a position of a compiled rule."""
GROWN = 1000
"""Positions after which a loop without a bound may be cut off: a smaller one is counted to its end.
It is looked at again each time it has doubled, since that takes as long as to count it."""
WAYS_SEEN, SURELY_MORE = 20, 4
"""After so many ways of a rule their branches tell how many there will be about; with so many times
those that are replayed at the most, it is compiled at once."""
WAY = 200
"""Steps of counting that running a rule once more takes at the least."""
OFFER = 100
"""Steps of counting for each case of a throw after which somebody decides."""
STEP = 30
"""Steps of counting that calling a rule's own function takes."""
KEPT, KEPT_EACH, KEPT_TAIL = 800, 120, 400
"""About how many bytes are kept for a rule, for each outcome, and for each rule it ends in."""
_LESS = "keep less in the arguments of a rule that ends in itself"
_PARTS = "parts taken together"
_GATHER = "await the parts one after the other, and keep only what matters of each"


def _only(_: State, outcome: Outcome) -> Outcome:
    return outcome


def spend_ways(budget: Budget, at: At, ways: int, what: str) -> None:
    """Take what the answers to a position take from a budget."""
    steps = WAY_ON * (1 + ways)
    budget.spend(steps, what, hint_at(at) if steps > budget.work - budget.spent else "")


def hint_at(at: At) -> str:
    """Return what to change in a rule with too many positions."""
    if not at.line:
        return _TOLD_APART
    return f"keep less in local variables across the await in line {at.line}"


def _branches(
    run: Run, cases: list[tuple[Token, int]], ways: int, total: int, share: float
) -> list[Begun]:
    here = tuple(run.tokens)
    depth = len(run.frames)
    if type(cases[0][0]) is PartOutcome and len(run.marks) > depth:
        here = here[: run.marks[depth]]
    return [((*here, answer), ways * weight, total, share) for answer, weight in cases[1:]]


def less_to_follow(cases: int, loop: str) -> str:
    """Return what to change in a rule with too many ways: a roll of many cases, or a loop."""
    return _TOLD_APART if cases > _MANY else loop


def arguments_of(tokens: Tokens) -> object:
    """Return the key of a rule's run, but for the rule itself."""
    call = tokens[0].call
    return call.args if type(call) is Call else tokens


def _countable(together: Together[object]) -> bool:
    return all(
        isinstance(part, (Call, ThrowStep)) or (type(part) is Together and _countable(part))
        for part in together.parts
    )
