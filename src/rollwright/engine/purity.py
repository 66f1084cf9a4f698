"""Checks that a rule does the same whenever it gets the same answers.

Everything that a rule and the functions it calls name outside themselves is compared before and
after a count, and two ways through the rule are played before it and again after it. Policies and
goals are asked some of their questions twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import Enum
from functools import cached_property
from types import CodeType, CoroutineType, FunctionType, ModuleType
from typing import Any, Generic, NoReturn, TypeVar
from warnings import catch_warnings, simplefilter

from rollwright.dice import Die, Pool
from rollwright.engine.bare import bare
from rollwright.engine.endless import Bounded
from rollwright.engine.outside import (
    COROUTINE,
    global_names,
    is_an_authors,
    is_filled,
    is_in_ours,
    is_known,
    may_show_sets,
    may_slip,
)
from rollwright.engine.steps import Call, Choice, Roll, Rule, Step, Together
from rollwright.errors import Misuse
from rollwright.hands import read_hand

CHANCE = {"random", "secrets", "time", "datetime", "uuid", "_random"}
"""Modules that answer differently each time: a rule that asks them cannot be counted."""
FEW = 300
"""Parts of a large outside value that are looked at: such values are tables, as a rule."""
STEPS = 30
"""So many steps of a way are played twice."""
COUNTS_LOOKED_AT = 10
"""In so many counts and rolls of a rule its ways are played twice."""
ASKED_TWICE = 32
"""So many questions of a policy or a goal are asked again, at once and after the count."""
Seen = list[tuple[str, object]]
Q = TypeVar("Q")
R = TypeVar("R")


class Outside:
    """The outside names of the rule that is counted, as they were before the count."""

    __slots__ = ("_call", "_reached", "_before", "_trails")

    def __init__(self, call: object, *, is_rolled: bool = False) -> None:
        bare.forget()
        self._call: Any = call if type(call) is Call else None
        self._reached: Reached = {}
        self._before: Seen = []
        self._trails: list[list[Any] | None] = []
        if self._call is None:
            return
        rule = self._call.rule
        function: Any = rule.function
        reached = _reached_from(function, f"rule {function.__name__}")
        self._reached = reached
        self._before = _seen(reached)
        if not is_ours(rule) and (is_rolled or rule.looked_at < COUNTS_LOOKED_AT):
            rule.looked_at += not is_rolled
            if not rule.has_no_slips:
                refuse_slips_of_all(reached)
                rule.has_no_slips = True
            with catch_warnings(record=True) as said, Bounded(self._call):
                simplefilter("always")
                self._trails = [_trail(self._call, end) for end in (0, -1)]
            _refuse_unawaited([str(one.message) for one in said])
            if not is_rolled and any([may_show_sets(f.__code__, f.__globals__) for f in reached]):
                _refuse_order_of_sets(self._call)

    def check(self) -> None:
        """Refuse a rule that has changed something outside itself, or goes another way now."""
        bare.check()
        if self._call is None:
            return
        name = self._call.rule.short_name
        if self._before:
            for (what, before), (_, after) in zip(self._before, _seen(self._reached), strict=False):
                if before != after:
                    raise Misuse(
                        f"the rule {name} changes {what}, which lies outside it: "
                        "what it comes to would depend on how often it was tried; "
                        "keep it in a local variable, or give it as an argument"
                    )
        for end, trail in zip((0, -1), self._trails, strict=False):
            if trail is not None and trail != _trail(self._call, end):
                raise Misuse(
                    f"the rule {name} does something else when it is told the same again: it "
                    "rests on something outside it that changes, or ends in an object that is "
                    "only equal to itself; keep what it needs in local variables and arguments, "
                    "and end in plain values"
                )


def look_at_roll(call: Call[object]) -> Outside | None:
    """Look at a rule that is rolled for the first times; ours are believed, and so is it later."""
    rule = call.rule
    if is_ours(rule) or rule.rolls_looked_at >= COUNTS_LOOKED_AT:
        return None
    rule.rolls_looked_at += 1
    return Outside(call, is_rolled=True)


def _trail(call: Call[object], end: int) -> list[Any] | None:
    """Return the questions on the way of all first or all last faces; None if it fails."""
    found: list[Any] = []
    try:
        plain = _trail_by_itself(call, end)
        if plain is not None:
            return plain
        from rollwright.engine.play import Chosen, Playing, Thrown
        from rollwright.engine.replay import Done

        playing = Playing(call)
        for _ in range(STEPS):
            step = playing.run.step
            if type(step) is Done:
                return [*found, type(step.outcome), step.outcome]
            if type(step) is Choice:
                found.append((step.options, step.by, step.about))
                playing.take(Chosen(step.options[end]))
            else:
                found.append(step.pool)
                playing.take(Thrown(tuple([die.faces[end] for die in step.pool.dice])))
    except Exception:  # the count says what is wrong with it
        return None
    return found


def _trail_by_itself(call: Call[object], end: int) -> list[Any] | None:
    """The same for a rule that does no more than throw and choose; None for any other."""
    from rollwright.engine.replay import plain_outcome

    found: list[Any] = []
    running, answer = call.begin(), None
    try:
        for _ in range(STEPS):
            step: Any = running.send(answer)
            kind = type(step)
            if kind is Roll and step.finish is None:
                found.append(step.pool)
                faces = [die.faces[end] for die in step.pool.dice]
                answer = read_hand(step.pool, faces, step.read)
            elif kind is Choice and step.endings is None:
                found.append((step.options, step.by, step.about))
                answer = step.options[end]
            else:
                return None
    except StopIteration as stop:
        if isinstance(stop.value, Step):
            return None
        outcome = plain_outcome(stop.value)
        return [*found, type(outcome), outcome]
    finally:
        running.close()
    return found


def _refuse_unawaited(said: list[str]) -> None:
    """Refuse a rule that calls an async function and does not await it, by Python's warning."""
    for text in said:
        if text.startswith("coroutine ") and "never awaited" in text:
            name = text.split("'")[1].rpartition(".")[2]
            raise Misuse(
                f"{name}(…) is an async function that is called and not awaited, so nothing "
                f"happens: write `await {name}(…)`"
            )


def refuse_slips_in(rule: Rule[..., object]) -> None:
    """Look at the source of a rule and of the async functions it calls, where that may be worth it.

    Rules that are compiled are looked at then.
    """
    if rule.has_no_slips:
        return
    refuse_slips_of_all(_reached_from(rule.function, f"rule {rule.short_name}"))  # type: ignore[arg-type]
    rule.has_no_slips = True


def refuse_slips_of_all(functions: Iterable[FunctionType]) -> None:
    """The same for functions."""
    for one in functions:
        code, scope = one.__code__, one.__globals__
        if code.co_flags & COROUTINE and may_slip(code, scope):
            from rollwright.engine.compiled.slips import refuse_slips_of

            refuse_slips_of(code, scope)


def _refuse_order_of_sets(call: Call[object]) -> None:
    """Go two ways through the compiled rule, which refuses to go over a set."""
    from rollwright.engine.compiled.machine import DONE, At, Stepper
    from rollwright.engine.position import token_of_faces

    for end in (0, -1):
        stepper = Stepper()
        try:
            asked, frame = stepper.begin(call)
            for _ in range(STEPS):
                while type(asked) is Call or type(asked) is Together:
                    asked, frame = stepper.enter(asked, frame)
                if asked is DONE:
                    break
                if type(asked) is Choice:
                    token: Any = asked.options[end]
                else:
                    faces = tuple([die.faces[end] for die in asked.pool.dice])
                    token = token_of_faces(asked, faces)
                ((asked, frame),) = stepper.ways(At(asked, frame, True), [token])
        except Misuse:
            raise
        except Exception:  # the count says what is wrong with it, or follows it way by way
            return


class Twice(Generic[Q, R]):
    """Asks a policy or a goal its first questions again, and refuses two answers."""

    __slots__ = ("_ask", "_name", "_later", "_asked")

    def __init__(
        self, ask: Callable[[Q], R], name: str, later: Callable[[Q], Q] | None = None
    ) -> None:
        self._ask = ask
        self._name = name
        self._later = later
        self._asked: list[tuple[Q, R]] = []

    def __call__(self, question: Q) -> R:
        """The answer."""
        answer = self._ask(question)
        if isinstance(answer, CoroutineType):
            answer.close()
            _refuse_async(self._name)
        if len(self._asked) < ASKED_TWICE:
            self._asked.append((question, answer))
            self._ask_again(question, answer)
        return answer

    def check(self) -> None:
        """Ask once more when all is counted: it may have come to answer differently."""
        for question, answer in self._asked:
            with suppress(AnswersGone):
                self._ask_again(self._later(question) if self._later else question, answer)

    def _ask_again(self, question: Q, answer: R) -> None:
        again = self._ask(question)
        if again != answer and answer == answer:  # but for what is equal to nothing
            raise Misuse(
                f"the {self._name} answers differently when it is asked the same again: "
                "it must go by what it is given and by nothing else"
            )


class AnswersGone(BaseException):
    """A policy went by what was answered before, which nobody knows any more after a count."""


def twice(
    ask: Callable[[Q], R], name: str, later: Callable[[Q], Q] | None = None
) -> Callable[[Q], R]:
    """A policy or a goal that is asked some of its questions twice; ours are believed.

    `later` makes a question that can still be asked when all is counted.
    """
    if is_ours(ask):
        return ask
    _refuse_misfit(ask, name)
    _refuse_chance_in(ask, name)
    return Twice(ask, name, later)


def _refuse_misfit(ask: Any, name: str) -> None:
    """Refuse what cannot be asked, or not with one thing."""
    what = "goal" if name == "goal" else "policy"
    given = "outcome" if name == "goal" else "situation"
    if not callable(ask):
        raise Misuse(f"a {what} is a function of the {given}, not {ask!r}")
    if not isinstance(ask, FunctionType):
        return
    code = ask.__code__
    needed = code.co_argcount - len(ask.__defaults__ or ())
    if needed > 1 or not (code.co_argcount or code.co_flags & _MANY_VALUES):
        raise Misuse(f"a {what} takes one thing, the {given}: not {code.co_argcount}")
    if code.co_flags & COROUTINE:
        _refuse_async(name)


def _refuse_async(name: str) -> NoReturn:
    raise Misuse(f"the {name} is an async function, which nobody awaits: write `def`")


_MANY_VALUES = 0x04
"""The flag of the code of a function that takes values as they come."""


def check_again(ask: object) -> None:
    """Refuse a policy or a goal of `twice` that answers differently after a count."""
    if type(ask) is Twice:
        ask.check()


def is_ours(what: object) -> bool:
    """Whether a rule, a policy or a goal is Rollwright's own."""
    return is_in_ours(getattr(what, "__module__", None) or "")


def _refuse_chance_in(ask: object, name: str) -> None:
    function: Any = ask
    while hasattr(function, "func"):  # a partial one
        function = function.func
    function = getattr(function, "__func__", function)
    if isinstance(function, FunctionType) and not is_ours(function):
        _reached_from(function, name)


def _seen(reached: Reached) -> Seen:
    found: Seen = []
    for one, names in reached.items():
        scope = one.__globals__
        found += [(name, _shown(scope[name])) for name in names if name in scope]
        for name, cell in zip(one.__code__.co_freevars, one.__closure__ or ()):
            try:
                found.append((name, _shown(cell.cell_contents)))
            except ValueError:
                continue
        if one.__defaults__ or one.__kwdefaults__:
            found += _defaults_seen(one)
    return found


def _defaults_seen(function: FunctionType) -> Seen:
    """The defaults of a function that may change: they live on from one call to the next."""
    code, defaults = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[: code.co_argcount][code.co_argcount - len(defaults) :]
    values = [*zip(names, defaults), *(function.__kwdefaults__ or {}).items()]
    return [
        (f"the default {name} of {function.__name__}", _shown(value))
        for name, value in values
        if _may_change(value)
    ]


Reached = dict[FunctionType, tuple[str, ...]]
"""A function and all that it calls by name, each with the names of what may change."""
_names: dict[CodeType, tuple[tuple[str, ...], tuple[FunctionType, ...]]] = {}


def _reached_from(function: FunctionType, user: str) -> Reached:
    """Return a function and all that it calls by name, each with the names of what may change."""
    waiting, met = [function], {function}
    found: dict[FunctionType, tuple[str, ...]] = {}
    while waiting:
        one = waiting.pop()
        known = _names.get(one.__code__)
        if known is None:
            known = _checked_names(one, user)
            if not one.__closure__:  # or the same code may close over another function
                _names[one.__code__] = known
        found[one] = known[0]
        for helper in known[1]:
            if helper not in met:
                met.add(helper)
                waiting.append(helper)
    return found


def _checked_names(
    function: FunctionType, user: str
) -> tuple[tuple[str, ...], tuple[FunctionType, ...]]:
    """The names of what may change, and helpers; clocks and chance that is not ours are refused."""
    found: list[str] = []
    helpers: list[FunctionType] = []
    codes = [function.__code__]
    scope = function.__globals__
    inner = [cell for cell in function.__closure__ or () if is_filled(cell)]
    values = [(name, scope[name]) for name in global_names(codes) if name in scope]
    values += [
        (name, cell.cell_contents) for name, cell in zip(function.__code__.co_freevars, inner)
    ]
    for name, value in values:
        _refuse_chance(user, name, value)
        called = value.function if isinstance(value, Rule) else value
        if isinstance(called, FunctionType) and not is_known(called):
            helpers.append(called)
            if name in scope and called is value:
                found.append(name)  # it may have attributes
        elif name in scope and value is scope[name] and _may_change(value):
            found.append(name)
    return tuple(found), tuple(helpers)


def _may_change(value: object) -> bool:
    if isinstance(value, type):
        return is_an_authors(value)
    if isinstance(value, (ModuleType, FunctionType, Rule, Step, Die, Pool, Enum)):
        return False
    return type(value).__hash__ is None or type(value) in (int, float) or _is_an_object(value)


def _is_an_object(value: object) -> bool:
    """Whether something has attributes of an author's own, which may be given other values."""
    return is_an_authors(type(value)) and hasattr(value, "__dict__")


def _refuse_chance(user: str, name: str, value: object) -> None:
    module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    if not module:
        module = type(getattr(value, "__self__", None)).__module__
    is_drawn = hasattr(type(value), "__next__")
    if (module in CHANCE and not isinstance(value, type)) or is_drawn:
        raise Misuse(
            f"the {user} uses {name}, which gives something else each time: "
            + _instead(user, is_drawn)
        )


def _instead(user: str, is_drawn: bool) -> str:
    if is_drawn:
        return "keep a list or a tuple"
    if user.startswith("rule "):
        return "await a roll or a choice instead"
    return "it must go by what it is given and by nothing else"


def _shown(value: Any) -> object:
    """Return a value's appearance, as far as it is looked at."""
    return _flat(value, [FEW], ())


def _flat(value: Any, left: list[int], around: tuple[int, ...]) -> object:
    kind = type(value)
    if kind in _ATOMS:
        return value
    left[0] -= 1
    if left[0] < 0 or id(value) in around:
        return (kind, len(value)) if hasattr(kind, "__len__") else kind
    inside = (*around, id(value))
    if kind is FunctionType or (isinstance(value, type) and _may_change(value)):
        return (id(value), *[
            (name, _flat(part, left, inside))
            for name, part in vars(value).items()
            if not (name[0] == name[-1] == "_") and type(part) in _CHANGING
        ])  # fmt: skip
    if isinstance(value, dict):
        return (kind, id(value), len(value), *[
            (_flat(key, left, inside), _flat(part, left, inside)) for key, part in value.items()
        ])  # fmt: skip
    if isinstance(value, (list, tuple)):
        return (kind, id(value), *[_flat(part, left, inside) for part in value])
    if isinstance(value, (set, frozenset, bytearray)):
        return (kind, id(value), len(value), *sorted(map(repr, value) if len(value) < FEW else ()))
    if _is_an_object(value) and _may_change(value):
        state = vars(value).items()
        return (kind, id(value), *[
            (name, _flat(part, left, inside))
            for name, part in state
            if type(getattr(kind, name, None)) is not cached_property
        ])  # fmt: skip
    return id(value)


_ATOMS = frozenset([int, float, str, bool, bytes, type(None)])
_CHANGING = frozenset([*_ATOMS, tuple, list, dict, set])
"""Kinds of attributes of classes and functions that are looked at; others are methods and such."""
