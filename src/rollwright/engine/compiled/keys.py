"""Keys of values, equal exactly if the values cannot be distinguished; and copies of values.

The same type and value all the way down, the same order of dicts, and the same sharing of what can
change, over all values of a position together: `True` is not `1`, `Hit(1)` is not `Miss(1)`, and
two names for one list are not two lists.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Hashable
from contextlib import suppress
from copy import deepcopy
from enum import Enum
from fractions import Fraction
from types import (
    BuiltinFunctionType,
    BuiltinMethodType,
    CellType,
    CodeType,
    CoroutineType,
    FunctionType,
    GeneratorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
)
from typing import Any, TypeVar

from rollwright.dice import Die, Pool
from rollwright.engine.bare import bare
from rollwright.engine.compiled.asked import AskedHand, Kept, Letters, Unseen
from rollwright.engine.compiled.iteration import UNBOUND, Entries, Lookahead
from rollwright.engine.compiled.refusal import CannotCompile
from rollwright.engine.compiled.running import Running
from rollwright.engine.steps import Call, Choice, Rule, Step, Throw, Together
from rollwright.hands import Hand
from rollwright.readings import lasting_code

SIMPLE: frozenset[type] = frozenset([int, str, type(None), range])
"""Kinds whose values are their own keys: none is equal to one of another kind."""
_issimple = SIMPLE.issuperset
Key = Hashable
Memo = dict[int, Any]


Frozen = dict[int, tuple[Any, Any]]
"""What can change but never will, with its key; nothing until that is asked for."""


class Keys:
    """Makes the key of one position; what can change is numbered as it is come to."""

    __slots__ = ("numbers", "kept", "dice", "sees_dice", "frozen")

    def __init__(self, *, sees_dice: bool = False, frozen: Frozen | None = None) -> None:
        self.numbers: dict[int, int] = {}
        self.dice: dict[int, int] | None = None
        """The same for dice that are asked only what is needed: which are the same."""
        self.sees_dice = sees_dice
        """Whether all of them are seen here: in outcomes, and where somebody chooses."""
        self.kept: list[Any] | None = None
        """Objects that were made only for the key."""
        self.frozen = frozen
        """Keys of what positions share, so that it never changes."""

    @property
    def changes(self) -> bool:
        """Whether something was come to that can change."""
        return bool(self.numbers)

    def of(self, value: Any) -> Key:
        """The key of a value."""
        kind = type(value)
        if kind in SIMPLE:
            return value  # type: ignore[no-any-return]
        return (_makers.get(kind) or _made_for(kind))(self, value)

    def all_of(self, values: Any) -> tuple[Key, ...]:
        """The keys of several values."""
        maker = _makers.get
        return tuple([
            value
            if type(value) in SIMPLE
            else (maker(type(value)) or _made_for(type(value)))(self, value)
            for value in values
        ])  # fmt: skip

    def again(self, value: Any) -> Key | None:
        """The number of something that can change, if it was come to before."""
        number = self.numbers.get(id(value))
        if number is not None:
            return (_AGAIN, number)
        self.numbers[id(value)] = len(self.numbers)
        return None


_AGAIN = object()
UNSTABLE: set[CodeType] = set()
"""Functions made in rules that use a variable which is given a value again later."""
Maker = Callable[[Keys, Any], Key]


def key_of(value: Any) -> Key:
    """The key of one value by itself."""
    return value if type(value) in SIMPLE else Keys(sees_dice=True).of(value)


def _of_tagged(keys: Keys, value: Any) -> Key:
    return (type(value), value)


def _of_float(keys: Keys, value: float) -> Key:
    return (float, value.hex())


def _of_tuple(keys: Keys, value: tuple[Any, ...]) -> Key:
    if _issimple(map(type, value)):
        return value
    return (tuple, *keys.all_of(value))


def _of_tuple_kind(keys: Keys, value: tuple[Any, ...]) -> Key:
    extra = getattr(value, "__dict__", None)
    if not extra and _issimple(map(type, value)):
        return (type(value), value)
    return (type(value), *keys.all_of(value), *([_of_dict(keys, extra)] if extra else ()))


def _of_list(keys: Keys, value: list[Any]) -> Key:
    known = keys.again(value)
    if known is not None:
        return known
    if _issimple(map(type, value)):
        return (type(value), *value)
    return (type(value), *keys.all_of(value))


def _of_dict(keys: Keys, value: dict[Any, Any]) -> Key:
    known = keys.again(value)
    if known is not None:
        return known
    kind = type(value)
    if kind is dict:
        frozen = keys.frozen.get(id(value)) if keys.frozen else None
        if frozen is not None and frozen[1] is not None:
            return frozen[1]  # type: ignore[no-any-return]
        if _issimple(map(type, value)) and _issimple(map(type, value.values())):
            made = (dict, *value, *value.values())
            if frozen is not None:
                keys.frozen[id(value)] = (value, made)  # type: ignore[index]
            return made
    listed = (kind, *keys.all_of(value), *keys.all_of(value.values()))
    return (*listed, value.default_factory) if isinstance(value, defaultdict) else listed


def _of_deque(keys: Keys, value: deque[Any]) -> Key:
    known = keys.again(value)
    return (type(value), value.maxlen, *keys.all_of(value)) if known is None else known


def _of_bytearray(keys: Keys, value: bytearray) -> Key:
    known = keys.again(value)
    return (bytearray, bytes(value)) if known is None else known


def _of_set(keys: Keys, value: set[Any]) -> Key:
    known = keys.again(value)
    return (type(value), *keys.all_of(value)) if known is None else known  # as they lie in it


def _of_frozenset(keys: Keys, value: frozenset[Any]) -> Key:
    return (type(value), *keys.all_of(value))


def _of_hand(keys: Keys, value: Hand[Any]) -> Key:
    return (Hand, value.dice, keys.of(value.readings))


def _of_asked(keys: Keys, value: AskedHand) -> Key:
    if keys.sees_dice:
        value.learn_whole()
    found: list[Key] = [AskedHand]
    for source, mask in value.parts:
        if keys.dice is None:
            keys.dice = {}
        number = keys.dice.get(id(source))
        if number is None:
            number = keys.dice[id(source)] = len(keys.dice)
            found.append(source.key())
        found += [number, mask]
    return tuple(found)


def _of_unseen(keys: Keys, value: Unseen) -> Key:
    if keys.sees_dice or not all([isinstance(source, Kept) for source, _ in value.terms]):
        return value.look()
    return (Unseen, value.more, tuple([(source.key(), table) for source, table in value.terms]))


def _of_running(keys: Keys, value: Running) -> Key:
    return value.look() if keys.sees_dice else (Running, value.kind, value.parts, value.more)


_PLAINLY: dict[type, Callable[[Any], Any]] = {
    int: lambda value: int.__add__(value, 0),
    str: lambda value: str.__add__(value, ""),
    bytes: lambda value: bytes.__add__(value, b""),
}
"""Functions for the plain value behind one of an author's own kind."""
_bare_kinds: set[type] = set()


def _bare_maker(kind: type) -> Maker:
    """Return the function for keys of numbers or texts of an author's own kind.

    They are known by what they are as plain ones, unless they have attributes.
    """
    plain = next(_PLAINLY[base] for base in kind.__mro__ if base in _PLAINLY)
    _bare_kinds.add(kind)

    def of_bare(keys: Keys, value: Any) -> Key:
        if value.__dict__:
            return _of_object(keys, value)
        bare.note(value)
        return (kind, plain(value))

    return of_bare


def _of_method(keys: Keys, value: Any) -> Key:
    return (type(value), value.__name__, keys.of(value.__self__))


def _of_function(keys: Keys, value: FunctionType) -> Key:
    if value.__closure__ is None and not value.__defaults__ and not value.__kwdefaults__:
        return (FunctionType, value.__code__) if "<locals>" in value.__qualname__ else value
    known = keys.again(value)
    if known is not None:
        return known
    if value.__code__ in UNSTABLE:
        raise CannotCompile(
            f"{value.__name__} lives across an await and uses a variable that changes later",
            value.__code__.co_firstlineno,
            "give it the value as an argument",
        )
    cells = keys.all_of(value.__closure__ or ())
    defaults = (keys.of(value.__defaults__), keys.of(value.__kwdefaults__))
    return (FunctionType, value.__code__, cells, *defaults)


def _of_cell(keys: Keys, value: CellType) -> Key:
    known = keys.again(value)
    if known is not None:
        return known
    try:
        return (CellType, keys.of(value.cell_contents))
    except ValueError:
        return (CellType,)


def _of_lookahead(keys: Keys, value: Lookahead) -> Key:
    known = keys.again(value)
    if known is not None:
        return known
    return (Lookahead, keys.of(value.item), keys.of(value.iterator))


def _of_entries(keys: Keys, value: Entries) -> Key:
    known = keys.again(value)
    if known is not None:
        return known
    return (Entries, value.what, keys.of(value.keys), keys.of(value.table))


def _of_step(keys: Keys, value: Step[object]) -> Key:
    return step_key(value, keys)


def _refuse_running(keys: Keys, value: Any) -> Key:
    what = "a generator" if type(value) is GeneratorType else "a coroutine"
    raise CannotCompile(f"{what} lives across an await", remedy="keep a list or the answer instead")


def _of_object(keys: Keys, value: Any) -> Key:
    """Return the key of anything else, by what it would be rebuilt from."""
    known = keys.again(value)
    if known is not None:
        return known
    kind = type(value)
    if _is_ordinary(kind):
        return (kind, *_state_of(keys, value))
    try:
        made = value.__reduce_ex__(4)
    except TypeError:
        raise CannotCompile(
            f"{value!r} lives across an await and cannot be copied",
            remedy="keep plain values: numbers, texts, tuples, lists, dicts, dataclasses",
        ) from None
    if isinstance(made, str):
        return (kind, made)
    function, arguments, *rest = made
    state = rest[0] if rest else None
    listed = [*rest[1]] if len(rest) > 1 and rest[1] is not None else []
    items = [*rest[2]] if len(rest) > 2 and rest[2] is not None else []
    keys.kept = [*(keys.kept or ()), made, listed, items]  # or another would get the id of one
    return (kind, function, keys.of(arguments), keys.of(state), keys.of(listed), keys.of(items))


_OWN = ("__reduce_ex__", "__reduce__", "__getstate__")
"""Methods that a kind may define to be copied in its own way."""


_IMMUTABLE = 1 << 8
"""The flag of kinds that are not written in Python, whose values hold more than attributes."""


_ordinary: dict[type, bool] = {}


def _is_ordinary(kind: type) -> bool:
    """Whether objects of a kind are no more than their attributes."""
    known = _ordinary.get(kind)
    if known is None:
        known = _ordinary[kind] = not any(
            [each.__flags__ & _IMMUTABLE for each in kind.__mro__[:-1]]
        ) and all([getattr(kind, name, None) is getattr(object, name, None) for name in _OWN])
    return known


def _state_of(keys: Keys, value: Any) -> list[Key]:
    found: list[Key] = []
    state = getattr(value, "__dict__", None)
    if state:
        found += [tuple(state), *keys.all_of(state.values())]
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                found += [name, keys.of(getattr(value, name))]
    return found


_makers: dict[type, Maker] = {
    bool: _of_tagged,
    bytes: _of_tagged,
    complex: _of_tagged,
    float: _of_float,
    Fraction: _of_tagged,
    Die: _of_tagged,
    Pool: _of_tagged,
    Hand: _of_hand,
    AskedHand: _of_asked,
    Unseen: _of_unseen,
    Running: _of_running,
    tuple: _of_tuple,
    list: _of_list,
    dict: _of_dict,
    OrderedDict: _of_dict,
    defaultdict: _of_dict,
    deque: _of_deque,
    set: _of_set,
    frozenset: _of_frozenset,
    bytearray: _of_bytearray,
    FunctionType: _of_function,
    BuiltinFunctionType: _of_tagged,
    MethodType: _of_method,
    MethodWrapperType: _of_method,
    CellType: _of_cell,
    ModuleType: _of_tagged,
    Lookahead: _of_lookahead,
    Entries: _of_entries,
    GeneratorType: _refuse_running,
    CoroutineType: _refuse_running,
    type(UNBOUND): _of_tagged,
    type(Ellipsis): _of_tagged,
}


def _of_builtin(keys: Keys, value: BuiltinMethodType) -> Key:
    owner = value.__self__
    if owner is None or isinstance(owner, ModuleType):
        return (BuiltinFunctionType, value)
    return _of_method(keys, value)


_makers[BuiltinFunctionType] = _of_builtin


def _made_for(kind: type) -> Maker:
    make = _makers[kind] = _maker(kind)
    return make


def _maker(kind: type) -> Maker:
    """Return the function for keys of a new kind."""
    if issubclass(kind, type) or issubclass(kind, (Enum, Rule)) or is_lasting(kind):
        return _of_tagged
    if issubclass(kind, Step):
        return _of_step
    if issubclass(kind, tuple):
        return _of_tuple_kind
    if issubclass(kind, (int, str, bytes, Fraction)) and not _has_state(kind):
        return _of_tagged
    if issubclass(kind, (int, str, bytes)) and not _slots_of(kind):
        return _bare_maker(kind)
    return _of_object


def is_lasting(kind: type) -> bool:
    """Whether a kind says that its values never change, and that equal ones are the same."""
    return bool(getattr(kind, "never_changes", False))


def _has_state(kind: type) -> bool:
    return bool(getattr(kind, "__dictoffset__", 0))


# --- what is asked ---


def step_key(step: Any, keys: Keys) -> Key:
    """The key of what is asked: equal where everybody is asked the same in the same words."""
    kind = type(step)
    if kind is Choice:
        keys.sees_dice = True
        options = step.options
        listed = options if _issimple(map(type, options)) else keys.all_of(options)
        about = step.about
        about = about if type(about) in SIMPLE else keys.of(about)
        keys.sees_dice = False
        if step.endings is None:
            return (listed, step.by, about, step.against)
        return (listed, step.by, about, step.against, keys.all_of(step.endings))
    if isinstance(step, Throw):
        read = step.read
        what = None if read is None else lasting_code(read) or step.tables
        if kind.__name__ == "Roll" and step.finish is None:
            return (step.pool, what, step.sees)
        return (kind, step.pool, what, step.sees, _throw_rest(step, keys))
    if kind is Call:
        return (step.rule, *keys.all_of(step.args))
    if isinstance(step, Together):
        return (kind, keys.all_of(step.parts), keys.of(step.start), keys.of(step.step))
    return (kind, getattr(step, "amount", step))


def _throw_rest(step: Throw[object], keys: Keys) -> Key:
    rest = (step.finish, step.given, getattr(step, "start", None), getattr(step, "step", None))
    return keys.all_of(rest)


# --- copies ---


def copied(value: Any, memo: Memo) -> Any:
    """A value of which what can change is new; what was shared stays shared."""
    kind = type(value)
    if kind in LASTING:
        return value
    if kind is tuple:
        if _islasting(map(type, value)):
            return value
        return tuple([copied(part, memo) for part in value])
    known = memo.get(id(value))
    if known is not None:
        return known
    if kind is list:
        memo[id(value)] = made = value[:]
        if not _islasting(map(type, value)):
            made[:] = [copied(part, memo) for part in value]
        return made
    if kind is dict:
        memo[id(value)] = table = value.copy()
        if not _islasting(map(type, value.values())) or not _islasting(map(type, value)):
            table.clear()
            for key, part in value.items():
                table[copied(key, memo)] = copied(part, memo)
        return table
    if kind is set and _islasting(map(type, value)):
        memo[id(value)] = items = value.copy()
        return items
    return _other(value, kind, memo)


def _other(value: Any, kind: type, memo: Memo) -> Any:
    if isinstance(value, (Enum, Rule, Step, type, Die, Pool, Hand)) or is_lasting(kind):
        return value
    if kind in _bare_kinds and not value.__dict__:
        return value
    if kind is FunctionType:
        return _copied_function(value, memo)
    if kind is CellType:
        memo[id(value)] = cell = CellType()
        with suppress(ValueError):  # it may be empty
            cell.cell_contents = copied(value.cell_contents, memo)
        return cell
    if kind is MethodType:
        return MethodType(value.__func__, copied(value.__self__, memo))
    if kind in (BuiltinFunctionType, MethodWrapperType):
        owner = value.__self__
        if owner is None or isinstance(owner, ModuleType):
            return value
        return getattr(copied(owner, memo), value.__name__)
    if kind is Lookahead:
        memo[id(value)] = made = Lookahead(copied(value.iterator, memo))
        made.item = copied(value.item, memo)
        return made
    if kind is Entries:
        memo[id(value)] = row = Entries(copied(value.table, memo), value.line, value.what)
        row.keys = copied(value.keys, memo)
        return row
    if isinstance(value, tuple) and hasattr(kind, "_make") and not getattr(value, "__dict__", None):
        if _islasting(map(type, value)):
            return value
        return kind._make([copied(part, memo) for part in value])
    copier = getattr(kind, "__deepcopy__", None)
    if (
        copier is None
        and _is_ordinary(kind)
        and type(getattr(value, "__dict__", None)) is dict
        and not _slots_of(kind)
        and getattr(kind, "__new__", None) is getattr(object, "__new__", None)
    ):
        fresh: Any = object.__new__(kind)
        memo[id(value)] = fresh
        state = value.__dict__
        if _islasting(map(type, state.values())):
            fresh.__dict__.update(state)
        else:
            fresh.__dict__.update({name: copied(part, memo) for name, part in state.items()})
        return fresh
    if copier is not None or issubclass(kind, type):
        return deepcopy(value, memo)
    return _made_anew(value, memo)


def _made_anew(value: Any, memo: Memo) -> Any:
    """A copy as `deepcopy` makes it, but for functions: what they hold is copied with them."""
    made: str | tuple[Any, ...] = value.__reduce_ex__(4)
    if isinstance(made, str):
        return value
    memo.setdefault(id(memo), []).append(made)  # or another would get the id of a part of it
    function, arguments, state, items, entries = (*made, None, None, None)[:5]
    fresh = function(*[copied(one, memo) for one in arguments])
    memo[id(value)] = fresh
    if state is not None:
        _set_state(fresh, copied(state, memo))
    for item in items or ():
        fresh.append(copied(item, memo))
    for key, part in entries or ():
        fresh[copied(key, memo)] = copied(part, memo)
    return fresh


def _set_state(fresh: Any, state: Any) -> None:
    if hasattr(fresh, "__setstate__"):
        fresh.__setstate__(state)
        return
    attributes, slots = state if isinstance(state, tuple) and len(state) == 2 else (state, None)
    if attributes:
        fresh.__dict__.update(attributes)
    for name, part in (slots or {}).items():
        setattr(fresh, name, part)


def _slots_of(kind: type) -> bool:
    return any(base.__dict__.get("__slots__") for base in kind.__mro__)


def is_flat(value: Any) -> bool:
    """Whether something is a plain list, dict or set of what never changes."""
    kind = type(value)
    if kind is dict and not _islasting(map(type, value.values())):
        return False
    return kind in _FLAT and _islasting(map(type, value))


_FLAT = frozenset([list, dict, set, tuple])
T = TypeVar("T")


def tried(values: tuple[Any, ...], ask: Callable[..., T]) -> T | None:
    """Ask about values that it may not change; None where it changes them, or where it fails."""
    if _islasting(map(type, values)):
        try:
            return ask(*values)
        except Exception:  # it may only be defined for real dice
            return None
    memo: Memo = {}
    try:
        copies = copied(tuple(values), memo)
        before = Keys().all_of(copies)
        answer = ask(*copies)
        return answer if Keys().all_of(copies) == before else None
    except Exception:
        return None


def _copied_function(value: FunctionType, memo: Memo) -> FunctionType:
    if value.__closure__ is None and not value.__defaults__ and not value.__kwdefaults__:
        return value
    cells, fresh = [], []
    for cell in value.__closure__ or ():
        known = memo.get(id(cell))
        if known is None:
            known = memo[id(cell)] = CellType()
            fresh.append((known, cell))
        cells.append(known)
    made = FunctionType(
        value.__code__, value.__globals__, value.__name__, None, tuple(cells) or None
    )
    memo[id(value)] = made  # before what it holds, which may be itself
    for new, old in fresh:
        with suppress(ValueError):  # it may be empty
            new.cell_contents = copied(old.cell_contents, memo)
    made.__defaults__ = copied(value.__defaults__, memo)
    made.__kwdefaults__ = copied(value.__kwdefaults__, memo)
    made.__qualname__ = value.__qualname__
    return made


LASTING: frozenset[type] = frozenset(
    [
        *(int, str, bool, type(None), float, bytes, complex, Fraction, Die, Pool, Hand, range),
        *(AskedHand, Unseen, Running),
        *(type(UNBOUND), type(Ellipsis), ModuleType, type),
    ]
)
"""Kinds whose values never change."""
_islasting = LASTING.issuperset
Letters.tried = staticmethod(tried)
