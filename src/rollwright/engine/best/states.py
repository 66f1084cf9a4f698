"""The places where trees of decisions begin and end, each with a number of its own.

A place is an outcome, a rule that begins, a rule with some answers, a sum still to be thrown, or
what a bound cut off. Equal places have one number, so that their values are in a list.
"""

from __future__ import annotations

from sys import modules
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.budget import Budget
from rollwright.engine.odds.cases import Packing
from rollwright.engine.odds.chains import changes
from rollwright.engine.outcome_keys import SIMPLE, outcome_key
from rollwright.engine.replay import (
    RuleStart,
    changing_outcome,
    finish_all,
    finish_outcome,
    is_offer,
)
from rollwright.engine.steps import (
    Args,
    Call,
    Choice,
    Finish,
    Rule,
    Step,
    TallyStep,
    ThrowStep,
    Token,
    Tokens,
)
from rollwright.errors import Misuse

if TYPE_CHECKING:
    from rollwright.engine.compiled.machine import At, Machine
    from rollwright.engine.compiled.positions import Compiling
    from rollwright.engine.compiled.slopes import Moved

StateId = int
"""The number of a place; never 0 but for what is lost."""


class OutcomeState(NamedTuple):
    """The end of the rule."""

    outcome: object


class TruncatedState(NamedTuple):
    """The share that a stated bound cut off: it counts as the worst that was counted."""

    bound: str = "cut"


class ReplayState(NamedTuple):
    """A rule with some answers: a tree begins there."""

    tokens: Tokens


class CompiledState(NamedTuple):
    """A position of a compiled rule: a tree of one node begins there."""

    at: At | None
    """None once its tree is grown: nothing else is asked of it then."""


class Plain(NamedTuple):
    """The same where a rule is by itself, and all is known of what lives there."""

    machine: Machine
    number: int
    live: tuple[Any, ...]
    asked: Any
    changes: bool

    @property
    def at(self) -> At:
        """The position."""
        from rollwright.engine.compiled.machine import At

        return At(self.asked, (self.machine, self.number, self.live, None), self.changes)


class TallyState(NamedTuple):
    """A tally still to be thrown at the very end."""

    step: TallyStep[object]


NOTED = CompiledState(None)
End = (
    OutcomeState | TruncatedState | TallyState | ReplayState | CompiledState | Plain | Call[object]
)
"""A place; a call is a rule that begins."""
LOST: StateId = 0
"""The place of all that a bound cut off."""
Ends = dict[Token, StateId]
"""The places that a finish makes of throws."""
Offered = tuple[int, Token, Choice[object]]
"""The number of a case, what was thrown, and the choice that the finish makes of it."""
_NOTHING: list[Offered] = []
"""An empty list of offers; never filled."""
KEPT_ASKS = 100
"""About how many bytes are kept for a position of a compiled rule, beside what is live in it."""
KEPT_START = 500
"""About how many bytes are kept for the place where a tree begins."""
_LESS = "keep less in the arguments of a rule that ends in itself"
_LIVE = "keep less in local variables across an await"
DECISIONS = "following the decisions of this rule"


_made: Any = tuple.__new__
"""Makes places, of which there are very many."""


def has_tree(end: End) -> bool:
    """Whether a tree begins there."""
    return type(end) in (Call, ReplayState, CompiledState, Plain)


class StateTable:
    """All places of one question."""

    __slots__ = (
        "budget",
        "ends",
        "valued",
        "plain",
        "keys",
        "_started",
        "_told",
        "_outcomes",
        "_sums",
        "_noted",
        "_met",
        "_moved",
    )

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.forget()

    def forget(self) -> None:
        """Begin again."""
        self.ends: list[End] = [TruncatedState()]
        self.valued: list[StateId] = []
        """Outcomes and sums: the places that are worth something by themselves."""
        self.keys: dict[StateId, Any] = {}
        """What outcomes are known by that do not stand for themselves."""
        self.plain: dict[tuple[type, object], StateId] = {}
        """Outcomes that are numbers or texts, by their kind and themselves."""
        self._started: dict[Rule[..., object], dict[Args, StateId]] = {}
        """By the rule and its arguments, which are sooner looked up than the call is."""
        self._told: dict[Tokens, StateId] = {}
        self._outcomes: dict[object, StateId] = {}
        self._sums: dict[tuple[object, ...], StateId] = {}
        self._noted: dict[tuple[object, ...], Ends] = {}
        self._moved: dict[tuple[StateId, Moved], StateId] = {}
        self._met: set[int] = set()
        """Hashes of ways to end that were met; to mistake one for another costs little."""

    def tokens(self, place: StateId) -> Tokens:
        """Return the answers of the rule that goes on there."""
        end = self.ends[place]
        if type(end) is Call:
            return (RuleStart(end),)
        assert type(end) is ReplayState
        return end.tokens

    @property
    def most_starts(self) -> int:
        """With how many different arguments one rule was begun, at the most."""
        return max(map(len, self._started.values()), default=0)

    def start(self, call: Call[object]) -> StateId:
        """Return the place where a rule begins."""
        starts = self._starts_of(call.rule)
        return starts.get(call.args) or self._first_start(call, starts)

    def _first_start(self, call: Call[object], starts: dict[Args, StateId]) -> StateId:
        """Return the place where a rule begins for the first time."""
        place = starts[call.args] = len(self.ends)
        self.ends.append(call)
        self.budget.keep_states(call.args, 1, KEPT_START, DECISIONS, _LESS)
        return place

    def _starts_of(self, rule: Rule[..., object]) -> dict[Args, StateId]:
        starts = self._started.get(rule)
        if starts is None:
            starts = self._started[rule] = {}
        return starts

    def replay_state(self, tokens: Tokens) -> StateId:
        """Return the place of a rule after these tokens."""
        first = tokens[0]
        if len(tokens) == 1 and type(first) is RuleStart and type(first.call) is Call:
            return self.start(first.call)
        place = self._told.get(tokens)
        if place is None:
            place = self._told[tokens] = len(self.ends)
            self.ends.append(ReplayState(tokens))
            self.budget.keep_states(tokens, 1, KEPT_START, DECISIONS, _LESS)
        return place

    def shift(self, place: StateId, moved: Moved) -> StateId:
        """A place before another, at which something is added to running numbers."""
        before = self._moved.get((place, moved))
        if before is None:
            before = self._moved[place, moved] = len(self.ends)
            self.ends.append(NOTED)
            self.budget.keep_states((), 1, KEPT_ASKS, DECISIONS, _LIVE)
        return before

    def compiled_state(self, asked: Any, frame: Any, came: Any, compiling: Compiling) -> StateId:
        """Return the place where a compiled rule asks for something."""
        add = self._add_plain_state if compiling.steps_on else self._add_compiled_state
        return compiling.number(asked, frame, came, add)

    def _add_plain_state(self, at: At) -> StateId:
        """Add a position that is stepped on from at once, if it is one."""
        if at.frame is None or not at.is_plain:
            return self._add_compiled_state(at)
        self.ends.append(_made(Plain, (*at.frame[:3], at.asked, at.changes)))
        self.budget.keep_states(at.frame[2], 1, KEPT_ASKS, DECISIONS, _LIVE)
        return len(self.ends) - 1

    def _add_compiled_state(self, at: At) -> StateId:
        live = () if at.frame is None else at.frame[2]
        self.ends.append(CompiledState(at))
        self.budget.keep_states(live, 1, KEPT_ASKS, DECISIONS, _LIVE)
        return len(self.ends) - 1

    def plainly_asks(
        self,
        machine: Machine,
        number: int,
        live: tuple[Any, ...],
        asked: Any,
        compiling: Compiling,
        changes: bool = False,
    ) -> StateId:
        """Return the place, come to for the first time, where a rule by itself asks something."""
        place = len(self.ends)
        self.ends.append(_made(Plain, (machine, number, live, asked, changes)))
        self.budget.keep_states(live, 1, KEPT_ASKS, DECISIONS, _LIVE)
        site = machine.program.sites[number]
        if not site.ends or (site.grows and not compiling.grows):
            compiling.note_new(site)
        return place

    def outcome(self, outcome: object) -> StateId:
        """Return the place where a rule ends in an outcome."""
        try:
            key = outcome if type(outcome) in SIMPLE else self._key(outcome)
            place = self._outcomes.get(key)
        except TypeError:
            raise Misuse(changing_outcome(outcome)) from None
        if place is None:
            place = self._outcomes[key] = len(self.ends)
            self.ends.append(OutcomeState(outcome))
            if key is not outcome:
                self.keys[place] = key
            self.valued.append(place)
        return place

    def _key(self, outcome: object) -> object:
        """Return the key of an outcome that is not its own key."""
        running = modules.get("rollwright.engine.compiled.slopes")  # not loaded for small rules
        if running is not None and running.runs_in(outcome):
            return running.running_key(outcome)
        return outcome_key(outcome)

    def sum(self, step: TallyStep[object]) -> StateId:
        """Return the place where a rule ends in a sum; equal ones are thrown once."""
        start = step.start
        name = (step.pool, step.tables, step.finish, step.given, type(start), start)
        try:
            place = self._sums.get(name)
        except TypeError:
            raise Misuse(changes(step)) from None
        if place is None:
            place = self._sums[name] = len(self.ends)
            self.ends.append(TallyState(step))
            self.valued.append(place)
        return place

    def states_after(
        self, step: ThrowStep[object], cases: list[tuple[Token, int]]
    ) -> tuple[list[StateId], list[Offered]]:
        """Return the places after the cases of a throw with a finish: outcomes, or rules once more.

        Those that end in a choice have 0 for now, and are listed beside.
        """
        finish, given = step.finish, step.given
        assert finish is not None
        noted = self._ends_of(step, finish)
        raws = [raw for raw, _ in cases]
        if noted is not None:
            return self._states_by_key(step, noted, raws, None)
        values = finish_all(finish, given, raws)
        led_to = self._states_of(values)
        if 0 not in led_to:
            return led_to, _NOTHING
        cut = [number for number, place in enumerate(led_to) if not place]
        return led_to, [(number, raws[number], values[number]) for number in cut]

    def states_after_sums(
        self, step: ThrowStep[object], packing: Packing, numbers: list[int]
    ) -> tuple[list[StateId], list[Offered]]:
        """The same for sums that are packed into numbers, which are sooner added and looked up."""
        name = (step.finish, step.given, packing)
        try:
            noted = self._noted.get(name)
        except TypeError:
            raise Misuse(changes(step)) from None
        if noted is None:
            noted = self._noted[name] = {}
        return self._states_by_key(step, noted, numbers, packing)

    def _states_by_key(
        self, step: ThrowStep[object], noted: Ends, keys: list[Token], packing: Packing | None
    ) -> tuple[list[StateId], list[Offered]]:
        """Return the places after throws by their keys; only unknown ones are finished."""
        assert step.finish is not None
        offers: dict[Token, tuple[Token, Choice[object]]] = {}
        fresh = [key for key in keys if not noted.get(key)]
        if fresh:
            raws = fresh if packing is None else [*packing.unpack_all(fresh)]
            values = finish_all(step.finish, step.given, raws)
            noted.update(zip(fresh, self._states_of(values), strict=True))
            offers = dict(zip(fresh, zip(raws, values, strict=True), strict=True))
        led_to = [noted[key] for key in keys]
        if 0 not in led_to:
            return led_to, _NOTHING
        cut = [number for number, place in enumerate(led_to) if not place]
        return led_to, [(number, *offers[keys[number]]) for number in cut]

    def _states_of(self, values: list[Any]) -> list[StateId]:
        """The places of outcomes, and of rules that begin; 0 for choices."""
        rule, starts = None, {}
        places: list[StateId] = []
        for value in values:
            if type(value) is not Call:
                places.append(0 if is_offer(value) else self.outcome(finish_outcome(value)))
                continue
            if value.rule is not rule:
                rule = value.rule
                starts = self._starts_of(rule)
            places.append(starts.get(value.args) or self._first_start(value, starts))
        return places

    def _ends_of(self, step: ThrowStep[object], finish: Finish) -> Ends | None:
        """Return the known places of a finish by sums and hands; None if it is the first time.

        Most ways to end are reached once, and then it is not worth noting them.
        """
        name = (finish, step.given)
        try:
            mark = hash(name)
        except TypeError:
            raise Misuse(changes(step)) from None
        if mark not in self._met:
            self._met.add(mark)
            return None
        return self._noted.setdefault(name, {})

    def endings(self, endings: tuple[object, ...] | None) -> list[StateId] | None:
        """Return the places of options that end the rule: 0 if dice are thrown first.

        None if there are none, or if a part would have to be played.
        """
        if endings is None:
            return None
        rule, starts = None, {}
        places: list[StateId] = []
        for ending in endings:
            if type(ending) is Call:
                if ending.rule is not rule:
                    rule = ending.rule
                    starts = self._starts_of(rule)
                places.append(starts.get(ending.args) or self._first_start(ending, starts))
            elif not isinstance(ending, Step):
                places.append(self.outcome(ending))
            elif isinstance(ending, ThrowStep):
                places.append(0)
            else:
                return None
        return places
