"""Follows compiled rules: a position is what is asked, and the stack of frames that wait for it.

A frame is the await that it waits at and its live locals. One that has nothing left to do is
dropped, so that a rule which ends in another leaves nothing behind.
"""

from __future__ import annotations

import gc
from collections import namedtuple
from collections.abc import Callable, Hashable, Iterable, Iterator
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from types import CodeType, CoroutineType, FunctionType
from typing import Any, NamedTuple

from rollwright.dice import Die, Pool
from rollwright.engine.compiled.errors import CannotCompile
from rollwright.engine.compiled.fixed import Kept, made_for
from rollwright.engine.compiled.hand_builtins import Part
from rollwright.engine.compiled.keys import (
    LASTING,
    SIMPLE,
    UNSTABLE,
    Frozen,
    Keys,
    Memo,
    copy_value,
    is_flat,
    key_of,
    step_key,
)
from rollwright.engine.compiled.partial_hands import PartialHand, Unseen
from rollwright.engine.compiled.program import (
    RETURNS,
    TAIL,
    GoesOn,
    Live,
    Result,
    RuleProgram,
    Site,
    program_of,
)
from rollwright.engine.compiled.running_sums import RunningSum
from rollwright.engine.compiled.sharing import is_harmless
from rollwright.engine.failures import note_answers
from rollwright.engine.inspection import asks_for_types
from rollwright.engine.replay import (
    MOST_RULES_WITHOUT_A_STEP,
    PartOutcome,
    RuleStart,
    finish_throw,
    refuse_outcome,
)
from rollwright.engine.steps import (
    Call,
    Choice,
    CutStep,
    Helper,
    LookStep,
    RollStep,
    Rule,
    Step,
    ThrowStep,
    Token,
    Tokens,
)
from rollwright.errors import Misuse
from rollwright.hands import Hand

__all__ = ["At", "CannotCompile", "Frame", "Machine", "Stepper"]


class Machine:
    """A compiled function with its globals and cells; by the number of each await, its frames."""

    __slots__ = (
        "functions",
        "program",
        "tables",
        "_accumulator_places",
        "_function",
        "helper",
        "asks",
        "plain",
        "ready",
        "named",
        "ways",
        "kept",
    )

    def __init__(
        self,
        program: RuleProgram,
        functions: list[GoesOn | None],
        function: FunctionType | None = None,
    ) -> None:
        self.program = program
        self.asks: list[Any] = [None] * len(functions)
        """By the await, a question that is the same whenever it is asked."""
        self.plain: list[dict[Hashable, int]] = [{} for _ in functions]
        """By the await, the numbers of positions with one frame at which that is asked, by the keys
        of what is live there."""
        self.kept: Kept = {}
        """The numbers of questions that are kept for the arguments that they are made of."""
        self.ways: list[dict[Hashable, dict[Token, int]]] = [{} for _ in functions]
        """By the await and the keys of what is live there, where options lead."""
        self.ready: list[dict[Any, Any]] = [{} for _ in functions]
        """By the await and the question, all that best play needs of it to step on from there."""
        self.named: list[Any] = [None] * len(functions)
        """By the await, what gives the values by which a line of advice is named."""
        self._function = function
        self._accumulator_places: dict[int, tuple[int, ...] | None] = {}
        """By the await, places of live values that are added to in place where it goes on, and
        nothing else that lives is changed there; None where it may be."""
        self.helper: Helper[..., object] | None = None
        """The function as a part that may be counted by itself, where it is awaited as it is."""
        if function is not None:
            made = made_for(function, program.fixed, self.kept)
            functions[:] = program.bound_to(function, made)
            for number, (step, _) in made.items():
                self.asks[number] = step if isinstance(step, Step) else None
            code = function.__code__
            if not code.co_freevars and not code.co_flags & VARIADIC:
                self.helper = Helper(function)
        self.functions: list[Any] = functions
        self.tables: list[dict[Hashable, int]] = [{} for _ in functions]
        """By the await, the numbers of positions with one frame."""

    def _added_at(self, number: int, function: FunctionType) -> tuple[int, ...] | None:
        found = self.program.harmless(number)
        site = self.program.sites.get(number)
        if found is None or site is None:
            return None
        if not is_harmless(found.called, function):
            return None
        return tuple([place for place, name in enumerate(site.names) if name in found.added])

    def shares(self, number: int, live: Live, frozen: Frozen) -> bool:
        """Whether ways on from an await may share what lives there instead of copying it."""
        if number not in self._accumulator_places:
            function = self._function
            self._accumulator_places[number] = (
                None if function is None else self._added_at(number, function)
            )
        added = self._accumulator_places[number]
        if added is None or not all([type(live[place]) in LASTING for place in added]):
            return False
        for value in live:
            if type(value) not in LASTING and id(value) not in frozen:
                if not is_flat(value):
                    return False
                frozen[id(value)] = value, None
        return True


Frame = tuple[Machine, int, Live, "Frame | None"]
"""A function, the await it waits at, what is live, and the frame that waits for it."""
Place = tuple[Any, "Frame | None"]
"""A question and who asks it; or DONE, and the outcome in place of the frame."""


class NoStep:
    """In the place of what is asked: nothing any more."""


NO_STEP: Any = NoStep()
_issimple = SIMPLE.issuperset
UNKNOWN = frozenset([PartialHand, Unseen, RunningSum])
"""Kinds of values of which only what is asked is known."""
have_no_dice = UNKNOWN.union([Hand]).isdisjoint
"""Whether among these kinds is none of dice, nor of numbers of which not all is known."""


class At(NamedTuple):
    """A position: what is asked, the frames that wait, whether anything in them can change."""

    asked: Any
    frame: Frame | None
    changes: bool

    @property
    def site(self) -> Site | None:
        """The await that is waited at."""
        return None if self.frame is None else self.frame[0].program.sites.get(self.frame[1])

    @property
    def is_plain(self) -> bool:
        """Whether a rule by itself throws or chooses here, and no dice live."""
        asked, frame, _ = self
        if frame is None or frame[3] is not None:
            return False
        kind = type(asked)
        if kind is Choice:
            return asked.endings is None and have_no_dice(map(type, frame[2]))
        return kind is RollStep and asked.finish is None and have_no_dice(map(type, frame[2]))

    @property
    def line(self) -> int:
        """The line of the await in the author's file; 0 where a rule has ended in a step."""
        return 0 if self.site is None else self.site.line

    @property
    def adds(self) -> bool:
        """Whether numbers wait here that are only added to, in a loop that may grow."""
        frame = self.frame
        while frame is not None:
            if frame[0].program.sites[frame[1]].added:
                return True
            frame = frame[3]
        return False

    def local_values(self) -> tuple[object, ...]:
        """The live values of the rule under way with their names, by which advice names it."""
        if self.frame is None or self.site is None:
            return ()
        named = {
            name: _displayable(value)
            for name, value in zip(self.site.names, self.frame[2], strict=True)
            if name[0] != "." and type(value) is not RunningSum
        }
        return named_values(tuple(named))(named.values())


@lru_cache(maxsize=1024)
def named_values(names: tuple[str, ...]) -> Callable[[Iterable[Any]], tuple[Any, ...]]:
    """Return the function that makes a tuple which knows the names of its values."""
    called = [name.replace(".", "_") for name in names]  # me.air, which no author can write
    kind = namedtuple("LocalValues", called, rename=True)  # type: ignore[misc]
    setattr(kind, "__reduce__", _reduce)  # noqa: B010, a checker knows too much of it
    return kind._make


def _reduce(values: Any) -> tuple[Any, tuple[Any, ...]]:
    """Take values apart for another process, which has no such type."""
    return _restore, (values._fields, tuple(values))


def _restore(names: tuple[str, ...], values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Put values together that come from another process."""
    return named_values(names)(values)


def _displayable(value: Any) -> Any:
    """A value as a line of advice can show it."""
    if type(value) is PartialHand:
        return value.describe()
    return "unknown" if type(value) is Unseen else value


Belows = dict[int, tuple[Frame, list[Hashable] | None]]
"""By their ids, frames that wait for others and what these are known by; None if they may change.

A frame is kept here so that nothing else gets its id.
"""
MOST_BELOWS = 1000


def position_key(
    asked: Any, frame: Frame | None, frozen: Frozen | None = None, belows: Belows | None = None
) -> tuple[dict[Hashable, int] | None, Hashable, bool]:
    """The table that a position is known in, its key there, and whether anything can change."""
    keys = Keys(frozen=frozen)
    if frame is None:
        return None, step_key(asked, keys), keys.changes
    machine, number, live, below = frame
    table = machine.tables[number]
    if below is None:
        is_plain = _issimple(map(type, live))
        known: Hashable = live if is_plain else keys.all_of(live)
        if asked is machine.asks[number]:
            return machine.plain[number], known, bool(keys.numbers)
        kept = machine.kept.get(id(asked))
        key = (known, step_key(asked, keys) if kept is None else kept)
        return table, key, bool(keys.numbers)
    parts: list[Hashable] = [keys.all_of(live)]
    if belows is not None:
        found = belows.get(id(below)) or _known_below(below, belows)
        if found[1] is not None:
            parts += found[1]
            below = None
    while below is not None:
        machine, number, live, below = below
        parts += [id(machine), number, keys.all_of(live)]
    return table, (*parts, step_key(asked, keys)), keys.changes


def _known_below(frame: Frame, belows: Belows) -> tuple[Frame, list[Hashable] | None]:
    """Note what frames are known by that wait for others, if nothing in them can change."""
    if len(belows) > MOST_BELOWS:
        belows.clear()
    keys, parts = Keys(), list[Hashable]()
    below: Frame | None = frame
    while below is not None:
        machine, number, live, below = below
        parts += [id(machine), number, keys.all_of(live)]
    found = belows[id(frame)] = frame, None if keys.numbers or keys.dice else parts
    return found


class Stepper:
    """Goes from position to position; what it has compiled once it keeps."""

    __slots__ = (
        "_rules",
        "_codes",
        "_functions",
        "_closures",
        "_together",
        "entered",
        "sees_types",
        "shares",
        "frozen",
        "below",
        "belows",
        "parts",
    )

    def __init__(self) -> None:
        self.parts = False
        """Whether plain async functions are given as parts of their own, where they may be."""
        self._rules: dict[Rule[..., object], Machine] = {}
        self._codes: dict[tuple[CodeType, int], Machine] = {}
        self._functions: dict[FunctionType, Machine] = {}
        self._closures: dict[tuple[CodeType, int], Machine] = {}
        self._together: Machine | None = None
        self.entered: list[FunctionType] = []
        """Every function that was gone into."""
        self.shares = False
        """Whether positions may share what can change, since nobody goes on from them but here."""
        self.belows: Belows = {}
        self.below: dict[int, Any] = {}
        """What frames are known by that wait for a last throw below others."""
        self.frozen: Frozen = {}
        """What they share, which is kept so that nothing else gets its id."""
        self.sees_types = False
        """Whether one of them calls what asks for types: it would see what is not looked at."""

    key_of = staticmethod(key_of)
    position_key = staticmethod(position_key)

    # --- beginnings ---

    def begin(self, call: Call[object], below: Frame | None = None) -> Place:
        """The first position of a rule."""
        machine = self._rules.get(call.rule)
        if machine is None:
            machine = self._rules[call.rule] = self._bind(call.rule.counted)  # type: ignore[arg-type]
        return self._run(machine.functions[0](call.args, None), machine, below)

    def _bind(self, function: FunctionType) -> Machine:
        program = program_of(function.__code__, function.__globals__)
        self._note(function)
        return Machine(program, [None] * len(program.codes), function)

    def _note(self, function: FunctionType) -> None:
        self.entered.append(function)
        self.sees_types = self.sees_types or asks_for_types(function)

    def _helper(self, running: Any) -> tuple[Machine, Live]:
        """A plain async function that is awaited, and its arguments."""
        code, frame = running.cr_code, running.cr_frame
        if frame is None or running.cr_suspended or running.cr_running:
            raise CannotCompile("a coroutine is awaited that has already begun")
        machine = self._codes.get((code, id(frame.f_globals)))
        cells = None
        try:
            if machine is None:
                machine, cells = self._machine_of(running, code)
            known = frame.f_locals
            arguments = tuple([known[name] for name in machine.program.arguments])
        finally:
            running.close()
        return machine, arguments if cells is None else (*arguments, cells)

    def _part(self, function: FunctionType, arguments: Live) -> tuple[Machine, Live]:
        """A plain async function that is awaited where it is called, and its arguments."""
        machine = self._functions.get(function)
        if machine is None:
            if function.__code__.co_freevars:
                return self._closing_over(function), (*arguments, function.__closure__)
            machine = self._functions[function] = self._bind(function)
        return machine, arguments

    def _machine_of(self, running: Any, code: CodeType) -> tuple[Machine, tuple[Any, ...] | None]:
        """The machine of an awaited function, and the variables around it that it uses."""
        for found in gc.get_referents(running):
            if type(found) is FunctionType and found.__code__ is code:
                if code.co_freevars:
                    return self._closing_over(found), found.__closure__
                machine = self._functions.get(found)
                if machine is None:
                    machine = self._functions[found] = self._bind(found)
                self._codes[code, id(found.__globals__)] = machine
                return machine, None
        raise CannotCompile("the function of an awaited coroutine cannot be found")

    def _closing_over(self, function: FunctionType) -> Machine:
        """The machine of a function that uses variables around it: it is handed them each time."""
        code = function.__code__
        if code in UNSTABLE:
            raise CannotCompile(
                f"{function.__name__} is awaited and uses a variable that changes later",
                code.co_firstlineno,
                "give it the value as an argument",
            )
        key = (code, id(function.__globals__))
        machine = self._closures.get(key)
        if machine is None:
            program = program_of(code, function.__globals__)
            self._note(function)
            machine = self._closures[key] = Machine(*program.handed_cells(function))
        return machine

    def enter(self, step: Any, frame: Frame | None) -> Place:
        """Go into a rule or into parts that are waited for."""
        if type(step) is Call:
            return self.begin(step, frame)
        if self._together is None:
            self._together = Machine(_TOGETHER, [_first_part, _next_part])
        return self._run(_first_part((step,), None), self._together, frame)

    def at(self, asked: Any, frame: Frame | None, changes: bool) -> At:
        """A position."""
        return At(asked, frame, changes)

    def enter_part(self, at: At) -> Place:
        """Go into the part that a position waits for."""
        return self.enter(at.asked, copy_frame(at.frame, {}) if at.changes else at.frame)

    # --- going on ---

    def go_on(self, frame: Frame | None, value: Any) -> Place:
        """Hand a value to the frame that waits, and on to the next, until something is asked."""
        if isinstance(value, Step):
            return value, frame
        if frame is None:
            return NO_STEP, value
        machine, number, live, below = frame
        return self._run(machine.functions[number](live, value), machine, below)

    def _run(self, result: Result, machine: Machine, below: Frame | None) -> Place:
        asked, after, live = result
        turns = 0
        while True:
            if after is RETURNS:
                if isinstance(asked, Step):
                    return asked, below
                if type(asked) is CoroutineType:
                    refuse_outcome(asked)
                if below is None:
                    return NO_STEP, asked
                machine, number, waiting, below = below
                asked, after, live = machine.functions[number](waiting, asked)
                continue
            frame = below if after == TAIL else (machine, after, live, below)
            if isinstance(asked, Step):
                return asked, frame
            if type(asked) is not Part and type(asked) is not CoroutineType:
                raise Misuse(
                    f"a rule awaited something that is none of ours ({asked!r}): "
                    "await only rolls, choices, other rules and async functions"
                )
            turns += 1
            if turns > MOST_RULES_WITHOUT_A_STEP:
                raise Misuse(
                    f"{machine.program.name} leads from function to function and never asks for "
                    "anything: does it wait for itself?"
                )
            if type(asked) is Part:
                machine, arguments = self._part(*asked)
            else:
                machine, arguments = self._helper(asked)
            if self.parts and machine.helper is not None and are_immutable(arguments):
                return Call(machine.helper, arguments), frame
            below = frame
            asked, after, live = machine.functions[0](arguments, None)

    def ways(self, at: At, tokens: list[Token]) -> Iterator[Place]:
        """Yield where each answer to a position leads."""
        asked, frame, changes = at
        kind = type(asked)
        if kind is LookStep or kind is CutStep:
            raise CannotCompile("a look is followed answer by answer")
        given = isinstance(asked, ThrowStep) and asked.finish is not None
        ending = kind is Choice and asked.endings is not None
        if changes and self.shares and frame is not None and frame[3] is None:
            changes = not frame[0].shares(frame[1], frame[2], self.frozen)
        for token in tokens:
            value = token
            if given:
                value = finish_throw(asked, token)
            elif ending:
                value = asked.ending(token)
            elif type(token) is PartOutcome:
                value = token.outcome
            try:
                if changes:
                    place = self.go_on(copy_frame(frame, {}), value)
                elif frame is None:
                    place = (value, None) if isinstance(value, Step) else (NO_STEP, value)
                else:
                    machine, number, live, below = frame
                    if isinstance(value, Step):
                        place = value, frame
                    else:
                        place = self._run(machine.functions[number](live, value), machine, below)
            except Exception as problem:
                note_answers(problem, (at, token))
                raise
            yield place

    def is_straight(self, at: At) -> bool:
        """Whether a rule is at a position by itself, and all is known of what lives there."""
        asked, frame, _ = at
        if frame is None or frame[3] is not None or not UNKNOWN.isdisjoint(map(type, frame[2])):
            return False
        return type(asked) is not Choice or asked.endings is None

    def all_is_known(self, at: At) -> bool:
        """Whether all is known of what lives in the frames that wait, one below the other."""
        frame = at.frame
        while frame is not None:
            if not UNKNOWN.isdisjoint(map(type, frame[2])):
                return False
            frame = frame[3]
        return at.asked.endings is None and at.frame is not None

    def run(
        self, asked: Any, after: int | None, lives: Live, machine: Machine, below: Frame | None
    ) -> Place:
        """Go on from what a function has come to, until something is asked."""
        return self._run((asked, after, lives), machine, below)

    def resume(self, tokens: Tokens) -> Place:
        """Return the position of a rule after these answers, with every function gone into."""
        before, self.parts = self.parts, False
        try:
            return self._resume(tokens)
        finally:
            self.parts = before

    def _resume(self, tokens: Tokens) -> Place:
        asked, frame = self.enter(tokens[0].call, None)
        for token in tokens[1:]:
            if asked is NO_STEP:
                raise CannotCompile("something was told after the end")
            if type(token) is RuleStart:
                asked, frame = self.enter(token.call, frame)
                continue
            if type(token) is PartOutcome:
                asked, frame = self.go_on(frame, token.outcome)
                continue
            ((asked, frame),) = self.ways(At(asked, frame, False), [token])
        return asked, frame


def are_immutable(values: Iterable[Any]) -> bool:
    """Whether values never change and all is known of them, as of arguments of a rule."""
    for value in values:
        kind = type(value)
        if kind in (tuple, frozenset):
            if not are_immutable(value):
                return False
        elif kind not in _PLAIN and not isinstance(value, Enum):
            return False
    return True


_PLAIN = frozenset([int, str, bool, type(None), float, Fraction, Die, Pool])
VARIADIC = 0x0C
"""The flags of code that takes any number of arguments."""


def copied_live(live: Live) -> Live:
    """Live values of which what can change is new."""
    memo: Memo = {}
    return tuple([v if type(v) in LASTING else copy_value(v, memo) for v in live])


def copy_frame(frame: Frame | None, memo: Memo) -> Frame | None:
    """A stack of frames of which what can change is new."""
    if frame is None:
        return None
    machine, number, live, below = frame
    fresh = tuple([v if type(v) in LASTING else copy_value(v, memo) for v in live])
    return machine, number, fresh, copy_frame(below, memo)


def _first_part(live: Live, _: Any) -> Result:
    (together,) = live
    state = together.start if together.step is not None else ()
    if not together.parts:
        return state, RETURNS, ()
    return together.parts[0], 1, (together, 0, state)


def _next_part(live: Live, outcome: Any) -> Result:
    together, place, state = live
    state = (*state, outcome) if together.step is None else together.step(state, outcome)
    place += 1
    if place == len(together.parts):
        return state, RETURNS, ()
    return together.parts[place], 1, (together, place, state)


_TOGETHER = RuleProgram(
    "together", __file__, ("together",), [], {1: Site(0, ("together", "place", "state"), False)}
)
