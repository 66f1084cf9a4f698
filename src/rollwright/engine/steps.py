"""The steps of a rule: chance, another look, choices, other rules.

A step is awaited for its answer, or returned as the end of the rule. It is plain data: nothing is
rolled and nobody is asked until an interpreter takes it up.
"""

from __future__ import annotations

from _thread import get_ident
from collections.abc import Callable, Coroutine, Generator, Hashable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    NoReturn,
    ParamSpec,
    Protocol,
    Self,
    TypeVar,
)

from rollwright.dice import Die, Outcome, Pool
from rollwright.errors import Misuse
from rollwright.hands import Hand
from rollwright.readings import Reader, Reading, tables

if TYPE_CHECKING:
    from fractions import Fraction

    from rollwright.exact import Dist

A = TypeVar("A", covariant=True)
P = ParamSpec("P")

Option = Any
"""Type of an option: any hashable value."""
State = Any
"""Type of the state of a tally, a fold or a gather: any hashable value."""
Token = Any
"""Answer to a rule: a hand, a raw sum or state, an option, `RuleStart` or `Given`."""
Tokens = tuple[Token, ...]
Args = tuple[Any, ...]
"""Arguments of a rule or a finish: hashable values."""
Playing = Coroutine["Step[object]", Outcome, Outcome]
"""A rule under way."""
Finish = Callable[..., Outcome]
"""Makes the answer of a throw from what the dice gave."""
Needs = Generator["Step[object]", "Dist[Outcome]", A]
"""A count in progress: it yields the parts whose odds it needs and is sent them."""
Shortcut = Callable[..., "Dist[Outcome] | Needs[Dist[Outcome]] | None"]
"""Gives the odds of a rule for its arguments and a budget, or says which parts it needs first."""


class Playable(Protocol):
    """Anything that can be played step by step: a rule with its arguments, or parts together."""

    def begin(self) -> Playing:
        """A fresh run."""
        ...


class Watch:
    """Notices throws, looks, choices and calls that a rule makes and never puts to use."""

    __slots__ = ("_blind", "idle")

    def __init__(self) -> None:
        self.idle: dict[int, Step[object]] = {}
        self._blind = False

    def begin(self) -> None:
        """Watch this thread from here on; a run that was watched there loses sight of its steps."""
        thread = get_ident()
        before = watched.get(thread)
        if before is not None:
            before._blind = True
            before.idle.clear()
        watched[thread] = self

    def end(self) -> None:
        """Stop watching this thread."""
        watched.pop(get_ident(), None)

    def note(self, step: Step[object], used: Iterable[object]) -> None:
        """A step was made, of others that are put to use by that."""
        if not self._blind:
            for part in used:
                self.idle.pop(id(part), None)
            self.idle[id(step)] = step


class WatchPause:
    """Around a count: what it makes is not what a rule makes that asks for it."""

    __slots__ = ("before",)

    def __enter__(self) -> None:
        self.before = watched.pop(get_ident(), None) if watched else None

    def __exit__(self, *problem: object) -> None:
        if self.before is not None:
            watched[get_ident()] = self.before


watched: dict[int, Watch] = {}
"""The run that is being watched in each thread: empty nearly always, so that asking is cheap."""


def note(step: Step[object], used: Iterable[object] = ()) -> None:
    """Notify the watcher of this thread that a step was made."""
    watch = watched.get(get_ident())
    if watch is not None:
        watch.note(step, used)


class Step(Generic[A]):
    """Something a rule waits for, with an answer of type `A`."""

    __slots__ = ()

    def __await__(self) -> Generator[Step[object], Outcome, A]:
        answer: Any = yield self
        return answer  # type: ignore[no-any-return]

    def _refuse_use(self, *_: object) -> NoReturn:
        raise Misuse(f"{self!r} was used as if it were its answer: write `await` in front of it")

    __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = _refuse_use
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse_use
    __lt__ = __le__ = __gt__ = __ge__ = __int__ = __index__ = _refuse_use

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Step):
            return self is other
        self._refuse_use()

    def __hash__(self) -> int:
        return id(self)


class ThrowStep(Step[A]):
    """A step that throws dice; `sees` names who may see it (None: everyone)."""

    __slots__ = ("pool", "read", "sees", "finish", "given", "by", "_tables")

    pool: Pool
    read: Reader | None
    sees: tuple[str, ...] | None
    finish: Finish | None
    given: Args
    by: str
    """Whose dice they are: the name of a part of the rule; without one the roller's."""
    _tables: tuple[tuple[Reading, ...], ...] | None

    @property
    def tables(self) -> tuple[tuple[Reading, ...], ...]:
        """The readings of each kind of die, the key by which equal throws are recognised."""
        known = self._tables
        if known is None:
            known = self._tables = tables(self.pool, self.read)
        return known

    def finish_with(self, raw: Token) -> Outcome:
        """The answer the rule gets for what the dice gave."""
        return raw if self.finish is None else self.finish(raw, *self.given)

    def fill(
        self,
        pool: Pool | Die,
        read: Reader | None = None,
        sees: Iterable[str] | None = None,
        finish: Finish | None = None,
        given: Args = (),
    ) -> Self:
        """This throw, of these dice."""
        if type(pool) is Die:
            pool = Pool._intern(((pool, 1),), 1)
        elif type(pool) is not Pool:
            other: Any = pool
            hint = ": write roll(2 * D6)" if isinstance(other, (str, int)) else ""
            raise Misuse(f"dice are thrown as a Die or a Pool, not as {pool!r}{hint}")
        if isinstance(read, (Die, Pool)):
            raise Misuse(
                f"dice that are thrown together are added up: write roll({pool!r} + {read!r})"
            )
        self.pool = pool
        self.read = read
        if isinstance(sees, str):
            raise Misuse(f"who sees a throw is a list of names: sees=[{sees!r}]")
        self.sees = sees if sees is None else tuple(sees)
        self.finish = finish
        self.given = given
        self._tables = None
        if watched:
            if type(given) is not tuple:
                raise Misuse(f"`given` is a tuple of what the finish needs, not {given!r}")
            note(self)
        return self

    def _key(self) -> tuple[object, ...]:
        return (self.pool, self.read, self.sees, self.finish, self.given)

    def __eq__(self, other: object) -> bool:
        if type(other) is type(self):
            return self is other or self._key() == other._key()
        return super().__eq__(other)

    def __hash__(self) -> int:
        return hash((self.pool, self.read, self.finish))


class RollStep(ThrowStep[A]):
    """Throw a pool and see every die, each read by `read`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"roll({self.pool!r})"


class TallyStep(ThrowStep[A]):
    """Throw a pool and see only the sum of the readings, added to `start`."""

    __slots__ = ("start",)
    start: State

    def _key(self) -> tuple[object, ...]:
        return (*super()._key(), self.start)

    def __repr__(self) -> str:
        return f"tally({self.pool!r})"


class FoldStep(ThrowStep[A]):
    """Throw a pool and see only a state folded over (reading, how many show it)."""

    __slots__ = ("start", "step")
    start: State
    step: Callable[[State, Reading, int], State]

    def _key(self) -> tuple[object, ...]:
        return (*super()._key(), self.start, self.step)

    def __repr__(self) -> str:
        return f"fold({self.pool!r})"


class LookStep(Step[A]):
    """A finer reading of dice already rolled."""

    __slots__ = ("hand", "read")
    hand: Hand[Reading]
    read: Reader | None

    def __repr__(self) -> str:
        return f"look({self.hand!r})"


class CutStep(Step[None]):
    """The end of counting, with the rest truncated; at the table the rule just goes on."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "the bound of a count"


class SpendStep(Step[None]):
    """Something that a way costs, which no position keeps; at the table the rule just goes on."""

    __slots__ = ("amount",)
    amount: int | Fraction

    def __eq__(self, other: object) -> bool:
        return other.amount == self.amount if type(other) is SpendStep else super().__eq__(other)

    def __hash__(self) -> int:
        return hash((SpendStep, self.amount))

    def __repr__(self) -> str:
        return f"spend({self.amount})"


class Together(Step[A]):
    """Independent parts, answered by their outcomes in the order given, or folded into one."""

    __slots__ = ("parts", "start", "step")
    parts: tuple[Step[object], ...]
    start: State
    step: Callable[[State, Outcome], State] | None

    def begin(self) -> Playing:
        """Return a run of the parts one after the other."""
        return _in_order(self)

    def _key(self) -> tuple[object, ...]:
        return (self.parts, self.start, self.step)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Together):
            return self._key() == other._key()
        return super().__eq__(other)

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"together({', '.join(map(repr, self.parts))})"


async def _in_order(together: Together[object]) -> Outcome:
    state = together.start
    outcomes = []
    for part in together.parts:
        outcome = await part
        if together.step is None:
            outcomes.append(outcome)
        else:
            state = together.step(state, outcome)
    return state if together.step is not None else tuple(outcomes)


class Choice(Step[A]):
    """A decision of `by` among `options`; `about` is the basis of the decision, as plain data.

    A chooser `against` the roller wants as little of every goal as can be. With `endings`, the
    option chosen ends the rule in the outcome or step that belongs to it.
    """

    __slots__ = ("options", "by", "about", "endings", "against")
    options: tuple[Option, ...]
    by: str
    about: Hashable
    endings: tuple[Outcome, ...] | None
    against: bool

    def ending(self, option: Option) -> Outcome:
        """Return the result of choosing `option`: the option itself, or its ending."""
        return option if self.endings is None else self.endings[self.options.index(option)]

    def __repr__(self) -> str:
        return f"choice of {self.by}: {' or '.join(map(str, self.options))}"


class Call(Step[A]):
    """A rule with its arguments: awaited as a part of another rule, or where one ends."""

    __slots__ = ("rule", "args")
    rule: Rule[..., A]
    args: tuple[Hashable, ...]
    _are_alike: ClassVar[Any]
    """Whether equal arguments differ in nothing: set by `likeness`."""

    def __init__(self, rule: Rule[..., A], args: tuple[Hashable, ...]) -> None:
        self.rule = rule
        self.args = args
        try:
            hash(args)
        except TypeError:
            rule.refuse_arguments(args)

    def __reduce__(self) -> tuple[object, ...]:
        return (Call, (self.rule, self.args))

    def begin(self) -> Playing:
        """A fresh run of the rule."""
        return self.rule.begin(self.args)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Call):
            if self.rule is not other.rule or self.args != other.args:
                return False
            return self.args is other.args or bool(self._are_alike(self.args, other.args))
        return super().__eq__(other)

    def __hash__(self) -> int:
        return hash((self.rule.name, self.args))  # nearly all are asked for it once, or never

    def __repr__(self) -> str:
        return f"{self.rule.short_name}({', '.join(map(repr, self.args))})"


known_rules: dict[str, Rule[..., object]] = {}


class Rule(Generic[P, A]):
    """A dice rule: an async function that awaits chance and choices and returns an outcome."""

    is_named = True
    """Whether it can be found again by its name."""

    def __init__(self, function: Callable[P, Coroutine[Any, Any, A | Step[A]]]) -> None:
        code = function.__code__
        self.name = f"{function.__module__}:{function.__qualname__}"
        self.short_name = function.__name__
        if not code.co_flags & 0x80:
            refuse_function(function)
        if code.co_flags & 0x0C:
            hint = ""
            if hasattr(function, "__wrapped__"):
                hint = (
                    "; put @rule nearest to the function, or name its values in what stands between"
                )
            raise Misuse(
                f"the rule {self.short_name} must name its arguments: no * and no **{hint}"
            )
        self.function: Callable[..., Playing] = function
        self.counted: Callable[..., Playing] = function
        """What is counted in its place: the same steps in the same order, with the same outcome."""
        self.__doc__ = function.__doc__
        self.__name__ = self.short_name
        self.__module__ = function.__module__
        self.__wrapped__ = function
        self._positional = code.co_argcount
        self._names: tuple[str, ...] = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        self._number = len(self._names)
        self._defaults = _defaults(function, self._names, self._positional)
        scope = function.__qualname__.rpartition(".")[0]
        self._is_method = bool(scope) and not scope.endswith("<locals>")
        self.runs = self.looked_at = self.rolls_looked_at = 0
        self.has_no_slips = False
        """Whether its source was looked at."""
        self._checked: object = None
        """The last argument that was looked at: most rules are called with one again and again."""
        self.shortcut: Shortcut | None = None
        """Gives the odds of the whole rule where there is a shorter way than playing it out."""
        if (
            self.is_named and "<locals>" not in self.name
        ):  # a rule made inside a function has no name to find it by
            known_rules[self.name] = self

    if not TYPE_CHECKING:  # to a type checker every attribute that is a rule would be bound

        def __get__(self, owner: object, kind: type | None = None) -> Any:
            """A rule written as a method takes the object it belongs to as its first value."""
            if owner is None or not self._is_method:
                return self
            return partial(self, owner)

    def __call__(self, *args: P.args, **named: P.kwargs) -> Call[A]:
        values: Args = args
        if named or len(values) != self._number:
            values = self._bind(values, named)
        try:
            for value in values:
                kind = type(value)
                if kind in PLAIN:
                    continue
                if kind in _tuple_kinds:
                    hash(value)
                elif value is not self._checked:
                    self._check_argument(value)
        except TypeError:
            self.refuse_arguments(values)
        call: Call[A] = _new(Call)
        call.rule, call.args = self, values
        if watched:
            note(call, values)
        return call

    def _bind(self, args: Args, named: Mapping[str, Hashable]) -> Args:
        if len(args) > self._positional:
            raise Misuse(f"the rule {self.short_name} takes {self._positional} values in a row")
        values = dict(self._defaults)
        values.update(zip(self._names, args, strict=False))
        for name, value in named.items():
            if name not in self._names:
                raise Misuse(
                    f"the rule {self.short_name} has no argument {name!r}; "
                    f"it has {', '.join(self._names) or 'none'}"
                )
            values[name] = value
        missing = [name for name in self._names if name not in values]
        if missing:
            raise Misuse(f"the rule {self.short_name} needs {', '.join(missing)}")
        return tuple(values[name] for name in self._names)

    def _check_argument(self, value: object) -> None:
        hash(value)
        kind = type(value)
        if isinstance(value, tuple):
            _tuple_kinds.add(kind)  # each of them has to be looked at
            return
        if kind in _known_kinds:
            self._checked = value
            return
        by_itself: object = kind.__hash__
        by_identity: object = object.__hash__
        if by_itself is by_identity and not callable(value):
            raise Misuse(
                f"the rule {self.short_name} was given {value!r}, which is only equal to itself: "
                "arguments are values, such as numbers, tuples, NamedTuples or frozen dataclasses"
            )
        _known_kinds.add(kind)
        self._checked = value

    def refuse_arguments(self, args: tuple[object, ...]) -> NoReturn:
        """Name the argument that can change under the rule's feet."""
        for value in args:
            try:
                hash(value)
            except TypeError:
                raise Misuse(
                    f"the rule {self.short_name} was given {value!r}, which can change: "
                    "use a tuple, a frozenset or a frozen value, or leave out @rule: an async "
                    "function without it may be awaited too, and change what it is given"
                ) from None
        raise Misuse(f"the rule {self.short_name} was given something that can change")

    def begin(self, args: Args) -> Playing:
        """A fresh run of the function."""
        n = self._positional
        if len(args) == n:
            return self.function(*args)
        return self.function(*args[:n], **dict(zip(self._names[n:], args[n:], strict=True)))

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of the rule's arguments, in order."""
        return self._names

    def __copy__(self) -> Rule[P, A]:
        return self

    def __deepcopy__(self, memo: object) -> Rule[P, A]:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return (_rule_again, (self.name,))

    def __repr__(self) -> str:
        return f"<rule {self.short_name}>"


def refuse_function(what: Any) -> NoReturn:
    """Say what to write where something else than an async function is to be a rule."""
    name = getattr(what, "__name__", "")
    if hasattr(what, "__code__"):
        if what.__code__.co_flags & 0x200:
            raise Misuse(f"{name} yields: a rule returns one outcome, such as a tuple of several")
        raise Misuse(f"the rule {name} must be an `async def` function")
    wrapped = getattr(what, "__wrapped__", None) or getattr(what, "func", None)
    if callable(wrapped):
        kind = type(what).__name__
        below = f", below @{kind}" if kind in ("staticmethod", "classmethod") else ""
        raise Misuse(f"put @rule nearest to the function{below}: {what!r} is none itself")
    raise Misuse(f"a rule is an `async def` function, not {what!r}")


class Helper(Rule[P, A]):
    """A plain async function that a rule awaits, to be counted once for equal arguments."""

    is_named = False


class RuleInside(Rule[P, A]):
    """A rule made while another one runs, whose variables it uses."""

    def __call__(self, *args: P.args, **named: P.kwargs) -> Call[A]:
        function: Any = self.function
        for name, cell in zip(function.__code__.co_freevars, function.__closure__, strict=True):
            with suppress(ValueError):  # it may be empty
                if not callable(cell.cell_contents):
                    raise Misuse(
                        f"the rule {self.short_name} stands inside another and uses its {name}, "
                        "which may change: leave out @rule, since an async function may do so, or "
                        f"give it {name} as an argument"
                    )
        return super().__call__(*args, **named)


def counted_by(rule: Rule[..., object]) -> Callable[[Shortcut], Shortcut]:
    """Let a function of the rule's arguments and a budget give the `Dist` of the whole rule.

    It must be what playing the rule out would give, but for what it says it lost; None if there is
    no shorter way. If it needs the odds of parts, it is a generator that yields them.
    """

    def count(shortcut: Shortcut) -> Shortcut:
        rule.shortcut = shortcut
        return shortcut

    return count


def _rule_again(name: str) -> Rule[..., object]:
    if name not in known_rules:  # a process that has not come across it yet
        from importlib import import_module

        import_module(name.partition(":")[0])
    return known_rules[name]


_new: Any = object.__new__
"""Makes calls, of which there are very many."""
PLAIN: set[type] = {int, str, bool, type(None), Die, Pool}
"""Kinds of which every value can be in a key."""
_tuple_kinds: set[type] = {tuple}
"""Kinds of tuples, which can be in a key if all that they hold can."""
_known_kinds: set[type] = {frozenset, Hand}
"""Kinds of which a value was found to be equal to others that are like it."""


def _defaults(
    function: Callable[..., Playing], names: tuple[str, ...], positional: int
) -> dict[str, Hashable]:
    values = function.__defaults__ or ()
    found = dict(zip(names[positional - len(values) : positional], values, strict=True))
    found.update(function.__kwdefaults__ or {})
    return found


def public_part(step: object) -> object:
    """Return what everybody at the table notices about a step that is waited for."""
    if type(step) is Choice:
        return (Choice, step.options, step.by, step.against)
    if isinstance(step, ThrowStep):
        return (type(step), step.pool, step.sees)
    return (LookStep, step.hand.pool) if type(step) is LookStep else step
