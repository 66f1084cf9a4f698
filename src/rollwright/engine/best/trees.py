"""The decisions of a rule as a tree: what chance and the choosers can make of one stretch of it.

A tree ends where the rule forgets: at an outcome, at another rule, at a part that has come to its
outcome, or at a sum still to be thrown. What lies beyond is another tree, shared by all that lead
to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Sized
from typing import TYPE_CHECKING, Any

from rollwright.budget import Budget
from rollwright.engine.best.nodes import KEPT_WAY, Chance, Child, Decision, Runs, Tree, merged
from rollwright.engine.best.places import (
    DECISIONS,
    LOST,
    NOTED,
    Asks,
    Offered,
    Place,
    Places,
    Plain,
)
from rollwright.engine.compiled.refusal import CannotCompile, Learn
from rollwright.engine.compiled.table import (
    WAYS_REPLAYED,
    Compiling,
    MustCompile,
)
from rollwright.engine.odds.chances import Cases, Chances, given, tried
from rollwright.engine.odds.costs import is_machinery
from rollwright.engine.odds.count import (
    GROWN,
    SPENT,
    WAY,
    Counter,
    Policy,
    Situation,
    different_hands,
    known_short,
    less_to_follow,
    spend_ways,
)
from rollwright.engine.replay import Done, Entered, Given, Run, begun, plain_outcome, told_once
from rollwright.engine.steps import (
    Call,
    Choice,
    Cut,
    Finish,
    Helper,
    Option,
    Playable,
    Roll,
    Rule,
    Spend,
    Step,
    Tally,
    Throw,
    Together,
    Token,
    Tokens,
)
from rollwright.exact import Dist

if TYPE_CHECKING:
    from fractions import Fraction

    from rollwright.engine.best.parts import Part
    from rollwright.engine.best.stepping import Stepping
    from rollwright.engine.compiled.machine import At, Frame
    from rollwright.engine.compiled.running import Slot
    from rollwright.engine.compiled.slopes import Moved, RunningNumbers

Here = tuple[Run | Playable, Tokens]
"""A rule under way or to be begun, and its next answers."""
MOST_STEPS_REPLAYED = 2 * WAYS_REPLAYED
"""So many steps of one rule are replayed before it is compiled."""
KEPT, KEPT_NODE, KEPT_END = 400, 300, 60
"""About how many bytes are kept for a tree, for its nodes, and for each of their children."""
_LOOP = "this rule is replayed for each of its ways, since it cannot be compiled"


_FILLED: list[Child] = []
"""In the place of children of which one is still to be followed: none is."""


class ChoosesError(Exception):
    """A part that cannot be counted by itself, since somebody may choose in it."""


class HiddenError(Exception):
    """A throw that not everybody sees."""


def _is_dice(part: Step[object]) -> bool:
    """Whether a part is a throw, or a rule of ours in which nothing is spent."""
    return isinstance(part, Throw) or (type(part) is Call and is_machinery(part.rule))


class _PlainCounter(Counter):
    """Counts parts without free choices and without secrets."""

    def refuse_hidden(self, step: Throw[object]) -> None:
        if step.sees is not None:
            raise HiddenError


class Grower:
    """Grows the trees of one question; `others` decide by policies of their own."""

    __slots__ = (
        "others",
        "budget",
        "chances",
        "places",
        "goes_on",
        "grown",
        "choosers",
        "loses",
        "cuts",
        "valued",
        "pays",
        "spent",
        "running",
        "runs",
        "moved",
        "_counter",
        "_choosing",
        "_parts",
        "_tried",
        "_growth",
        "_maker",
        "_made",
        "compiling",
    )

    def __init__(self, others: Mapping[str, Policy], budget: Budget) -> None:
        self.others = dict(others)
        self.budget = budget
        self.chances = Chances(budget)
        self.places = Places(budget)
        self._counter: _PlainCounter | None = None
        self._choosing: set[Step[object]] = set()
        self._parts: dict[Step[object], Cases] = {}
        self.goes_on: set[Finish | None] = set()
        """Functions that finish a sum by going on to another rule."""
        self._tried: set[Finish] = set()
        self.grown: dict[Place, Tree] = {}
        """The trees, each by the place where it begins."""
        self.choosers: set[str] = set()
        """Everybody who has something to choose, by the name they choose under."""
        self.compiling = Compiling()
        self.compiling.parts = True
        self._growth = _Growth(self)
        self._maker: Grower | None = None
        """Grows parts in which somebody chooses, by themselves."""
        self._made: dict[Call[object], Part | None] | None = {}
        """These parts; None for who grows them, who goes into all that they wait for."""
        self.loses = False
        """Whether a stated bound has cut something off."""
        self.valued: Sized = ()
        """What is valued by now, by whoever values trees."""
        self.cuts = False
        """Whether what weighs next to nothing may be cut off, since the rule grows for ever."""
        self.pays = False
        """Whether what is spent has a price, so that rules are compiled and all parts gone into."""
        self.spent: dict[Place, int | Fraction] = {}
        """What is spent at a place."""
        self.runs = False
        """Whether numbers that are only added to may run, once there are many positions."""
        self.running: RunningNumbers | None = None
        """The numbers that run, once some do."""
        self.moved: dict[Place, Moved] = {}
        """What is added to them at a place."""

    @property
    def follows_parts(self) -> bool:
        """Whether it grows parts by themselves, which may not end in sums."""
        return self._made is None

    @property
    def plain(self) -> _PlainCounter:
        """Counts parts in which nobody chooses freely; made for the first of them."""
        known = self._counter
        if known is None:
            known = self._counter = _PlainCounter(self.decide, self.budget)
            known.chances = self.chances
        return known

    def decide(self, situation: Situation) -> Option:
        """The option of somebody whose policy is given."""
        policy = self.others.get(situation.by)
        if policy is None:
            raise ChoosesError
        return policy(situation)

    @property
    def chosen(self) -> Callable[[Any, Any], tuple[Any, Any]] | None:
        """Makes the choices of those whose policies are given, on the way; None if there are none.

        A number that runs is known of positions, so none of them is passed by then.
        """
        return self._chosen if self.others and self.running is None else None

    def _chosen(self, choice: Choice[object], frame: Frame | None) -> tuple[Any, Any]:
        if choice.by not in self.others:
            return choice, frame
        stepper = self.compiling.stepper
        at = stepper.at(choice, frame, False)  # nobody else comes from here
        ((asked, frame),) = stepper.ways(at, [self.plain._choose(at, choice)])
        return asked, frame

    def odds_of_part(self, part: Step[object]) -> Dist[object] | None:
        """The odds of a part in which nobody chooses freely; None for the others."""
        if part in self._choosing or (self.pays and not _is_dice(part)):
            return None
        try:
            if type(part) is Call and type(part.rule) is Helper:
                dist = self.plain.outcomes_of_helper(part)
                if dist is None:
                    self._choosing.add(part)
                return dist
            return self.plain.outcomes_of(part)
        except (ChoosesError, HiddenError):
            self._choosing.add(part)
            return None

    def cases_of_part(self, part: Step[object]) -> Cases | None:
        """Return the same as answers to a rule that waits for the part."""
        known = self._parts.get(part)
        if known is None:
            dist = self.odds_of_part(part)
            if dist is None:
                return None
            known = self._parts[part] = given(dist)
        return known

    def part(self, call: Call[object]) -> Part | None:
        """Return what can come of a part with choices; None if it has to be gone into."""
        if self._made is None or self.pays or self.running is not None:
            return None
        if call not in self._made:
            self._made[call] = self._followed(call)
        return self._made[call]

    def _followed(self, call: Call[object]) -> Part | None:
        from rollwright.engine.best.parts import PartMaker, TooLargeError

        maker = self._maker
        if maker is None:
            maker = self._maker = Grower(self.others, self.budget)
            maker.chances, maker._counter = self.chances, self.plain
            maker._choosing, maker._parts, maker._made = self._choosing, self._parts, None
        kept = self.budget.kept
        try:
            while True:
                try:
                    made = PartMaker(maker).make(call)
                except Learn:
                    maker.learned()
                else:
                    self.choosers |= maker.choosers
                    return made
        except TooLargeError:
            return None
        finally:
            maker.forget()
            self.budget.kept = kept

    def forget(self) -> None:
        """Forget every tree and every place."""
        self.grown.clear()
        self.spent.clear()
        self.moved.clear()
        self.places.forget()
        self.compiling.begin_anew()
        if self.running is not None:
            self.running.begin_anew()

    @property
    def stepping(self) -> Stepping:
        """What grows trees where a rule is by itself."""
        return self._growth.stepping

    def grow(self, place: Place) -> Tree:
        """The tree that begins at a place; grown once, however often a goal is tried."""
        tree = self.grown.get(place)
        while tree is None:
            try:
                tree = self.grown[place] = self._growth.tree(place)
            except MustCompile as wanted:
                self.compiling.wanted.add(wanted.rule)
        return tree

    def replay(self, why: CannotCompile) -> None:
        """Follow every rule by replaying it from now on."""
        self.compiling.give_up(why)
        self.forget()

    def learned(self) -> None:
        """Grow every tree again, since more is known of the questions about dice."""
        self.compiling.learned()
        self.forget()

    def let_run(self, *, run: bool) -> None:
        """Grow every tree anew with numbers that run, or with none."""
        from rollwright.engine.compiled.slopes import RunningNumbers

        self.runs = False
        self.running = RunningNumbers() if run else None
        self.forget()

    def is_sum(self, step: Tally[object]) -> bool:
        """Whether only the sum of a throw matters, since its finish goes on to no other rule.

        That is tried with the sums of the first and of the last faces when a finish is first met.
        """
        finish = step.finish
        if finish in self.goes_on:
            return False
        if finish not in self._tried and finish is not None:
            self._tried.add(finish)
            if any(isinstance(end, Step) for end in tried(step)):
                self.goes_on.add(finish)
                return False
        return True

    def tell_apart(self, finish: Finish | None) -> None:
        """Look at every sum that `finish` makes something of, from now on."""
        self.goes_on.add(finish)
        self.forget()


class _Growth:
    __slots__ = (
        "before",
        "grower",
        "places",
        "nodes",
        "waiting",
        "kept",
        "rule",
        "left",
        "lefts",
        "_stepping",
    )

    def __init__(self, grower: Grower) -> None:
        self.grower = grower
        self.places = grower.places
        self.nodes: list[Chance | Decision] = []
        self.waiting: list[tuple[Tokens, list[Child], int]] = []
        self.kept = 0
        self.before: tuple[Slot, ...] = ()
        """The running numbers of the position that is followed."""
        self.rule: Rule[..., object] | None = None
        """The rule that is replayed, where it may be compiled instead."""
        self.left = 0
        """How many steps of it are replayed before that, in all trees together."""
        self.lefts: dict[Rule[..., object], int] = {}
        self._stepping: Stepping | None = None

    @property
    def stepping(self) -> Stepping:
        """What steps compiled rules on; loaded for the first of them."""
        if self._stepping is None:
            from rollwright.engine.best.stepping import Stepping

            self._stepping = Stepping(self.grower, self)
        return self._stepping

    def tree(self, place: Place) -> Tree:
        end, budget = self.places.ends[place], self.grower.budget
        nodes: list[Chance | Decision] = []
        self.nodes, self.kept, top = nodes, KEPT, [0]
        self.waiting.clear()
        if type(end) is Plain:
            tree = self._asked(end.at, top, place)
            self.places.ends[place] = NOTED
            return tree
        if type(end) is Asks:
            assert end.at is not None
            tree = self._asked(end.at, top, place)
            self.places.ends[place] = NOTED
            return tree
        compiling = self.grower.compiling
        rule = self.rule = compiling.tries(self.places.tokens(place))
        if rule is not None and (rule in compiling.wanted or self.grower.pays):
            return self._compiled(place, top)
        self.left = self.lefts.get(rule, MOST_STEPS_REPLAYED) if rule is not None else 0
        budget.spend(_BEGINNING, DECISIONS)
        # Rules are watched when they are rolled and counted; advice is asked often.
        if type(end) is not Call:
            self._begin(self.places.tokens(place), top)
        elif end.rule.shortcut is not None:
            self._begin((Entered(end),), top)
        else:
            frame, step = begun(end)
            if frame is not None and self._followed_plainly(end, frame, step, top):
                pass  # and that is all
            elif frame is not None:
                frame, step = begun(end)  # again: some of it was followed in vain
                assert frame is not None
                nodes.clear()
                self.kept, top[0] = KEPT, 0
                self._follow(Run.under_way(end, frame, step), top, 0, at_start=True)
            elif not self._ended(end, step, top):
                self._follow(Run((Entered(end),), watched=False), top, 0, at_start=True)
        waiting = self.waiting
        while waiting:
            here, into, at = waiting.pop()
            if len(waiting) > WAYS_REPLAYED and self.rule is not None:
                raise MustCompile(self.rule)
            budget.spend(WAY + 30 * len(here), DECISIONS)
            self.left -= len(here)
            self._follow(Run(here, watched=False), into, at)
        if rule is not None:
            self.lefts[rule] = self.left
        budget.kept += self.kept  # and where the next one starts, it is looked at
        made: Tree = _made(Tree, (nodes, top[0]))
        return made

    def _followed_plainly(
        self, call: Call[object], running: Any, step: Any, top: list[Child]
    ) -> bool:
        """Replay a rule that does no more than throw, choose and end, all by itself.

        False where it does anything else, or something goes wrong, which is told by others.
        """
        chances, others, spend = self.grower.chances, self.grower.others, self.grower.budget.spend
        waiting: list[tuple[Tokens, list[Child], int]] = [((), top, 0)]
        while waiting:
            told, into, at = waiting.pop()
            outcome: Any = _FILLED  # in the place of one that is not known yet
            if told:
                self.left -= len(told)
                try:
                    running = call.begin()
                    step = running.send(None)
                    for token in told:
                        step = running.send(token)
                except StopIteration as stop:
                    outcome = stop.value
                except Exception:
                    return False
            while outcome is _FILLED:
                spend(11 + len(told), DECISIONS, _LOOP)
                self.left -= 1
                if self.rule is not None and (self.left < 0 or len(waiting) > WAYS_REPLAYED):
                    raise MustCompile(self.rule)
                kind = type(step)
                if kind is Roll and step.finish is None and step.sees is None:
                    if self.rule and _has_many_hands(step):
                        raise MustCompile(self.rule)
                    cases, total, weights = chances.hands(step)
                    answers: Sequence[Token] = [token for token, _ in cases]
                    if len(answers) > 1:
                        spend((3 + WAY) * len(answers), DECISIONS, _LOOP)
                        children = [0] * len(answers)
                        into[at] = self._throw(total, weights, children)
                        into, at = children, 0
                elif kind is Choice and step.endings is None and step.by not in others:
                    answers = step.options
                    children = [0] * len(answers)
                    into[at] = self._choice(step, children, told)
                    into, at = children, 0
                else:
                    running.close()
                    return False
                for number in range(len(answers) - 1, 0, -1):
                    waiting.append(((*told, answers[number]), into, number))
                told = (*told, answers[0])
                try:
                    step = running.send(answers[0])
                except StopIteration as stop:
                    outcome = stop.value
                except Exception:
                    return False
            if isinstance(outcome, Step):
                return False
            into[at] = self.places.outcome(plain_outcome(outcome))
        return True

    def _compiled(self, place: Place, top: list[Child]) -> Tree:
        """The tree of a compiled rule: its first position."""
        from rollwright.engine.compiled.machine import At

        asked, frame = self.grower.compiling.stepper.told(self.places.tokens(place))
        self.before = ()
        if not isinstance(asked, Step):
            top[0] = self.places.outcome(frame)
            return Tree(self.nodes, top[0])
        if frame is None and type(asked) is Call:
            top[0] = self.leads_to(asked, frame, None)
            return Tree(self.nodes, top[0])
        _, _, changes = self.grower.compiling.stepper.position_key(asked, frame)
        return self._asked(At(asked, frame, changes), top, place)

    def _asked(self, at: At, top: list[Child], place: Place) -> Tree:
        """The tree of a position: a throw, a part or a choice, and where each answer leads."""
        asked, grower = at.asked, self.grower
        kind, compiling = type(asked), grower.compiling
        if grower.runs and compiling.grows and len(self.places.ends) > GROWN and at.adds:
            raise Runs
        if grower.running is not None:
            self.before = grower.running.kept_in(at.frame)
        cases: Cases | None = None
        if kind is Choice:
            options = asked.options
            if asked.by in grower.others:
                options = (grower.plain._choose(at, asked),)
            cases = Cases([(option, 1) for option in options], 0, ())
        elif kind is Spend:
            cases = Cases([(SPENT, 1)], 1, (1,))
            if grower.pays:
                grower.spent[place] = asked.amount
        elif kind is Call or kind is Together:
            cases = grower.cases_of_part(asked)
            is_rule = kind is Call and type(asked.rule) is not Helper
            part = grower.part(asked) if cases is None and is_rule else None
            if part is not None:
                return self._led_on(at, place, part)
            if cases is None:
                after, frame = compiling.stepper.enter_part(at)
                ends = not isinstance(after, Step)
                top[0] = self.leads_to(after, self.places.outcome(frame) if ends else frame, None)
                return Tree(self.nodes, top[0])
        else:
            if not isinstance(asked, Throw):
                raise CannotCompile("a look is followed answer by answer", at.line)
            self.refuse_hidden(asked)
        if kind is Tally and asked.finish is None and grower.running is None:
            listed, total, weights = grower.chances.of_throw(asked)
            children = self._after_sums(at, place, listed, compiling.sums_after(at))
        else:
            straight = None
            if grower.running is None and not grower.others:
                straight = compiling.straight(at, cases)
            if straight is not None:
                listed, total, weights = straight
                answers = [token.outcome if type(token) is Given else token for token, _ in listed]
                children = self.stepping.led_on(at, place, answers)
            elif (
                kind is Choice
                and grower.running is None
                and not grower.others
                and compiling.straight_below(at)
            ):
                assert cases is not None
                listed, total, weights = cases
                children = self.stepping.led_on_below(at, place, asked.options)
            else:
                (listed, total, weights), places = compiling.followed(
                    at, cases, grower.chances, self.places.outcome, grower.chosen
                )
                children = self._led_to(place, listed, places)
        spend_ways(grower.budget, at, len(listed), DECISIONS)
        if kind is Choice and asked.by not in grower.others:
            seen = at.known() if asked.about is None else ()
            top[0] = self._choice(asked, children, seen)
        elif len(children) == 1 and (not total or weights[0] == total):
            top[0] = children[0]
        else:
            top[0] = self._throw(total, *merged(children, weights))
        grower.budget.kept += KEPT_WAY * len(children)
        return Tree(self.nodes, top[0])

    def _led_to(
        self, place: Place, listed: list[tuple[Token, int]], places: list[tuple[Any, Any]]
    ) -> list[Child]:
        """Return the places to which answers lead."""
        return [
            self.leads_to(after, frame, (place, token))
            for (token, _), (after, frame) in zip(listed, places, strict=True)
        ]

    def _after_sums(
        self, at: At, place: Place, listed: list[tuple[Token, int]], known: dict[Token, Child]
    ) -> list[Child]:
        """Return the places to which sums lead; those that are known are not followed again."""
        fresh = [case for case in listed if case[0] not in known]
        if fresh:
            cases, outcome = Cases(fresh, 0, ()), self.places.outcome
            grower = self.grower
            _, places = grower.compiling.followed(at, cases, grower.chances, outcome, grower.chosen)
            sums = [token for token, _ in fresh]
            known.update(zip(sums, self._led_to(place, fresh, places), strict=True))
        return [known[token] for token, _ in listed]

    def _led_on(self, at: At, place: Place, part: Part) -> Tree:
        """Return the tree of a part with choices, with what follows each of its outcomes."""
        grower = self.grower
        cases = Cases([(given, 1) for given in part.given], 0, ())
        spend_ways(grower.budget, at, len(part.given), DECISIONS)
        _, places = grower.compiling.followed(
            at, cases, grower.chances, self.places.outcome, grower.chosen
        )
        ends = [
            self.leads_to(after, frame, (place, given))
            for given, (after, frame) in zip(part.given, places, strict=True)
        ]
        nodes, root = part.led_on(ends)
        grower.budget.kept += KEPT_NODE * len(nodes)
        return Tree(nodes, root)

    def leads_to(self, asked: Any, frame: Any, came: Any) -> Child:
        """The place of what is asked next, or of what the rule has ended in."""
        running = self.grower.running
        if not isinstance(asked, Step):
            found: Child = frame
        elif frame is None and (
            type(asked) is Call or (type(asked) is Tally and self.grower.is_sum(asked))
        ):
            found = self._end(asked)
        elif running is None and (last := self._last_throw(asked, frame)) is not None:
            found = self._end(last)
        else:
            if running is not None and frame is not None:
                learner = self.grower.compiling.any_learner(self.grower.chances)
                frame, moved = running.settled(frame, self.before, learner)
                found = self.places.asks(asked, frame, came, self.grower.compiling)
                return self._moved(found, moved) if moved else found
            found = self.places.asks(asked, frame, came, self.grower.compiling)
        if running is not None:
            running.ended(self.before, found)
        return found

    def _last_throw(self, asked: Any, frame: Any) -> Tally[object] | None:
        """Return a tally that a compiled rule waits for, if nothing is asked any more after it."""
        grower = self.grower
        if type(asked) is not Tally or frame is None or grower.follows_parts:
            return None
        last = grower.compiling.last_throw(asked, frame)
        return last if last is not None and grower.is_sum(last) else None

    def _moved(self, place: Place, moved: Moved) -> Place:
        """A place before another, at which something is added to running numbers."""
        before = self.places.moved(place, moved)
        if before not in self.grower.grown:
            self.grower.grown[before] = Tree([], place)
            self.grower.moved[before] = moved
        return before

    def _begin(self, tokens: Tokens, top: list[Child]) -> None:
        if not self._begins_short(tokens, top):
            self._follow(Run(tokens, watched=False), top, 0, at_start=True)

    def _begins_short(self, tokens: Tokens, into: list[Child]) -> bool:
        """Whether the rule just gone into knows its odds, which are then the first chance."""
        call = known_short(tokens)
        dist = None if call is None else self.grower.odds_of_part(call)
        if dist is None:
            return False
        cases = dist.items()
        children = [0] * len(cases)
        into[0] = self._throw(dist.total, tuple([weight for _, weight in cases]), children)
        for number, (outcome, _) in enumerate(cases):
            if len(tokens) == 1:
                children[number] = self.places.outcome(outcome)
            else:
                self.waiting.append(((*tokens[:-1], Given(outcome)), children, number))
        return True

    def _ended(self, call: Call[object], step: Any, into: list[Child]) -> bool:
        """Place the end of a rule that asked for nothing, if that is possible without a run."""
        if not isinstance(step, Step):
            into[0] = self.places.outcome(step)
        elif type(step) is Choice:
            ends = None if step.by in self.grower.others else self.places.endings(step.endings)
            if ends is None:
                return False
            into[0] = self._choice(step, ends, ())
            self._throws(step, ends, call, ())
        elif type(step) is Call:
            into[0] = self.places.start(step)
        elif isinstance(step, Throw):
            into[0] = self._thrown(step, (call, ()))
        else:
            return False
        return True

    def _follow(self, run: Run, into: list[Child], at: int, *, at_start: bool = False) -> None:
        """Go down one way, taking the first case of everything and noting the others."""
        spend = self.grower.budget.spend
        while True:
            spend(10 + len(run.tokens), DECISIONS, _LOOP)
            self.left -= 1
            if self.left < 0 and self.rule is not None:
                raise MustCompile(self.rule)
            step = run.step
            kind = type(step)
            if kind is Done:
                into[at] = self.places.outcome(step.outcome)
                return
            if not run.frames and self._is_end(step):
                into[at] = self._end(step)
                return
            if not at_start and type(run.tokens[-1]) in (Given, Entered):
                into[at] = self.places.told(tuple(run.tokens))
                return
            at_start = False
            if kind is Cut:
                into[at] = self._lost()
                return
            if kind is Spend:
                if self.grower.pays:
                    raise CannotCompile("what it spends is told of compiled rules alone")
                run.answer(SPENT)
                continue
            if kind is Choice:
                children = self._decision(run, step, into, at)
            else:
                children = self._chance(run, step, kind, into, at)
            if children is _FILLED:
                return
            if children is not None:
                into, at = children, 0

    def _throw(self, total: int, weights: tuple[int, ...], children: list[Child]) -> Child:
        """A node for chance; what is missing from its total was lost."""
        missing = total - sum(weights)
        if missing:
            weights = (*weights, missing)
            children.append(self._lost())
        self.nodes.append(_made(Chance, (total, weights, children)))
        self.kept += KEPT_NODE + KEPT_END * len(weights)
        return -len(self.nodes)

    def _choice(self, step: Choice[object], children: list[Child], seen: Tokens) -> Child:
        """A node for a choice."""
        made = (step.options, step.by, step.about, step.against, seen, children)
        self.nodes.append(_made(Decision, made))
        self.grower.choosers.add(step.by)
        self.kept += KEPT_NODE + KEPT_END * len(step.options)
        return -len(self.nodes)

    def _lost(self) -> Child:
        self.grower.loses = True
        return LOST

    def _is_end(self, step: object) -> bool:
        """Whether a rule that has ended in this step needs no look at its cases."""
        return self.grower.is_sum(step) if type(step) is Tally else type(step) is Call

    def _end(self, step: Any) -> Child:
        if type(step) is Call:
            return self.places.start(step)
        self.refuse_hidden(step)
        return self.places.sum(step)

    def _decision(
        self, run: Run, step: Choice[object], into: list[Child], at: int
    ) -> list[Child] | None:
        if step.by in self.grower.others:
            run.answer(self.grower.plain._decide(run, step))
            return None
        ends = None if run.frames else self.places.endings(step.endings)
        children: list[Child] = ends or [0] * len(step.options)
        into[at] = self._choice(step, children, run.answers_seen_by(step.by))
        if ends is not None:
            self._throws(step, ends, run, ())
            return _FILLED
        here = tuple(run.tokens)
        for number in range(len(step.options) - 1, 0, -1):
            self.waiting.append(((*here, step.options[number]), children, number))
        run.answer(step.options[0])
        return children

    def _throws(
        self, step: Choice[object], ends: list[Child], where: Run | Playable, told: Tokens
    ) -> None:
        """Fill in where options lead that end the rule in a throw."""
        if 0 not in ends:
            return
        for number, place in enumerate(ends):
            if not place:
                thrown: Any = step.endings[number]  # type: ignore[index]
                ends[number] = self._thrown(thrown, (where, (*told, step.options[number])))

    def _thrown(self, step: Throw[object], here: Here) -> Child:
        """A throw that a rule has ended in."""
        if self._is_end(step):
            return self._end(step)
        self.refuse_hidden(step)
        grower = self.grower
        if type(step) is Tally and type(step.start) is tuple and step.finish is not None:
            cases = grower.chances.tally(step)
            numbered = grower.chances.numbered(step, cases)
            if numbered is not None:
                grower.budget.spend(3 * len(cases.weights), DECISIONS, _LOOP)
                ends = self.places.finished_sums(step, *numbered)
                return self._finished(ends, cases.total, cases.weights, here)
        listed, total, weights = grower.chances.of_throw(step)
        grower.budget.spend(3 * len(listed), DECISIONS, _LOOP)
        return self._ends(step, listed, total, weights, here)

    def _chance(
        self, run: Run, step: Any, kind: type, into: list[Child], at: int
    ) -> list[Child] | None:
        if kind is Call or kind is Together:
            known = self.grower.cases_of_part(step)
            part = self.grower.part(step) if known is None and kind is Call else None
            if part is not None:
                into[at] = self._led_on_by(run, part)
                return _FILLED
            if known is None:
                run.enter()
                return None
            cases, total, weights = known
        else:
            self.refuse_hidden(step)
            if self.rule and type(step) is Roll and different_hands(step) > WAYS_REPLAYED:
                raise MustCompile(self.rule)
            cases, total, weights = self.grower.chances.of(run)
            if self.rule and run.frames and len(cases) > WAYS_REPLAYED:
                raise MustCompile(self.rule)
        if len(cases) == 1 and cases[0][1] == total:
            run.answer(cases[0][0])
            return None
        self.grower.budget.spend(3 * len(cases), DECISIONS, _LOOP)
        if not run.frames:
            into[at] = self._ends(step, cases, total, weights, (run, ()))
            return _FILLED
        children = [0] * len(cases)
        into[at] = self._throw(total, weights, children)
        remedy = less_to_follow(len(cases), _LOOP)
        self.grower.budget.expect(WAY * len(cases), DECISIONS, remedy)
        if type(cases[0][0]) is Given and len(run.tokens) == 1:
            self._told(run.tokens[0].call, cases, children)
            return _FILLED
        here = tuple(run.tokens)
        depth = len(run.frames)
        if type(cases[0][0]) is Given and len(run.marks) > depth:
            here = here[: run.marks[depth]]
        for number in range(len(cases) - 1, 0, -1):
            self.waiting.append(((*here, cases[number][0]), children, number))
        run.answer(cases[0][0])
        return children

    def _led_on_by(self, run: Run, part: Part) -> Child:
        """Add the nodes of a part with choices, with what the rule does after each outcome."""
        here, depth = tuple(run.tokens), len(run.frames)
        if len(run.marks) > depth:
            here = here[: run.marks[depth]]
        places, before = self.places, len(self.nodes)
        if depth:
            ends = [places.told((*here, given)) for given in part.given]
        else:
            ends = [places.outcome(given.outcome) for given in part.given]
        nodes, root = part.led_on(ends)
        for node in nodes:
            children = [child - before if child < 0 else child for child in node.children]
            self.nodes.append(node._replace(children=children))
        self.kept += KEPT_NODE * len(nodes)
        return root - before if root < 0 else root

    def _told(self, call: Playable, cases: list[tuple[Token, int]], children: list[Child]) -> None:
        """Place a rule that has asked for one part after each of its outcomes.

        It ends there, or a tree begins: either way no more of it has to be run again.
        """
        self.grower.budget.spend(_TOLD * len(cases), DECISIONS, _LOOP)
        entered = Entered(call)
        for number, (answer, _) in enumerate(cases):
            end = told_once(call, answer.outcome)
            if end is not None and not isinstance(end[0], Step):
                children[number] = self.places.outcome(end[0])
            elif end is not None and self._is_end(end[0]):
                children[number] = self._end(end[0])
            else:
                children[number] = self.places.told((entered, answer))

    def _ends(
        self,
        step: object,
        cases: list[tuple[Token, int]],
        total: int,
        weights: tuple[int, ...],
        here: Here,
    ) -> Child:
        """A throw or part that a rule ends in: outcomes, rules once more, or choices."""
        if not isinstance(step, Throw) or step.finish is None:
            outcome = self.places.outcome
            children = [outcome(raw.outcome if type(raw) is Given else raw) for raw, _ in cases]
            return self._throw(total, weights, children)
        return self._finished(self.places.finished(step, cases), total, weights, here)

    def _finished(
        self,
        ends: tuple[list[Child], list[Offered]],
        total: int,
        weights: tuple[int, ...],
        here: Here,
    ) -> Child:
        """A throw that was finished, with the choices that some of it ends in."""
        children, offered = ends
        node = self._throw(total, weights, children)
        for number, raw, choice in offered:
            self._offered(here[0], (*here[1], raw), choice, children, number)
        return node

    def _offered(
        self,
        where: Run | Playable,
        told: Tokens,
        step: Choice[object],
        into: list[Child],
        at: int,
    ) -> None:
        """A choice that a finish has made of a throw."""
        mine = step.by not in self.grower.others
        ends = self.places.endings(step.endings) if mine else None
        if ends is None:
            self.waiting.append((_tokens((where, told)), into, at))
            return
        before = where.answers_seen_by(step.by) if isinstance(where, Run) else ()
        into[at] = self._choice(step, ends, (*before, *told))  # hidden throws have been refused
        self._throws(step, ends, where, told)

    def refuse_hidden(self, step: object) -> None:
        if isinstance(step, Throw) and step.sees is not None:
            raise HiddenError


def _has_many_hands(step: Roll[object]) -> bool:
    """Whether a throw comes to so many hands that a rule is sooner compiled."""
    if step.pool.total <= WAYS_REPLAYED:
        return False  # each hand weighs at least 1
    return different_hands(step) > WAYS_REPLAYED


def _tokens(here: Here) -> Tokens:
    """Return the answers of a rule by then."""
    where, told = here
    return (*where.tokens, *told) if isinstance(where, Run) else (Entered(where), *told)


_BEGINNING = WAY + 40
"""Steps of counting that the first run of a rule takes."""
_TOLD = WAY + 70
"""Steps of counting that running a rule again with one answer takes."""
_made: Any = tuple.__new__
"""Makes nodes, of which there are very many."""
