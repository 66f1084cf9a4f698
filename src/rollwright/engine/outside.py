"""What lies outside a function: the functions and classes that it names, and whose they are."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise
from types import CodeType, FunctionType
from typing import Any

COROUTINE = 0x80
"""The flag of the code of an async function."""
ASYNC_GENERATOR = 0x200
"""The flag of the code of one that yields, or of a generator with an await in it."""


def is_in_ours(module: str) -> bool:
    """Whether a module is Rollwright's own."""
    return module.partition(".")[0] == "rollwright"


def asks_for_types(function: FunctionType) -> bool:
    """Whether a plain function that this one calls, or a method, asks for the type of something."""
    known = _typed.get(function.__code__)
    if known is None or function.__closure__:
        known = _typed[function.__code__] = _asks_for_types(function)
    return known


_typed: dict[CodeType, bool] = {}


def _asks_for_types(function: FunctionType) -> bool:
    waiting, met = [function], {function}
    while waiting:
        one = waiting.pop()
        names = global_names([one.__code__])
        if one is not function and "type" in names and not one.__code__.co_flags & COROUTINE:
            return True
        scope = one.__globals__
        values = [scope[name] for name in names if name in scope]
        values += [c.cell_contents for c in one.__closure__ or () if is_filled(c)]
        for value in values:
            if isinstance(value, type) and is_an_authors(value):
                parts: list[Any] = [*vars(value).values()]
            else:
                parts = [value]
            for part in parts:
                if isinstance(part, FunctionType) and part not in met and not is_known(part):
                    met.add(part)
                    waiting.append(part)
    return False


def is_filled(cell: Any) -> bool:
    """Whether a cell of a function has a value by now."""
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


def global_names(codes: list[CodeType]) -> dict[str, None]:
    """Return the names that functions use, those inside them too, and of attributes."""
    for code in codes:
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return dict.fromkeys([name for code in codes for name in code.co_names])


def is_known(function: FunctionType) -> bool:
    """Whether a function is ours or Python's, and not an author's."""
    module = function.__module__ or ""
    top = module.partition(".")[0]
    return top == "rollwright" or (top in sys.stdlib_module_names and top != "__main__")


def is_an_authors(kind: type) -> bool:
    """Whether a class is neither ours nor Python's."""
    module = kind.__module__
    return not is_in_ours(module) and module not in sys.stdlib_module_names - {"__main__"}


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """All code inside other code."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from codes_in(constant)


def is_async(value: object) -> bool:
    """Whether it is a plain async function."""
    return isinstance(value, FunctionType) and bool(value.__code__.co_flags & COROUTINE)


# --- what its bytecode says that a look at its source may be worth ---

_JUMPS = ("POP_JUMP_", "JUMP_IF_", "UNARY_NOT", "TO_BOOL", "COPY")
_TAKEN = {
    *("END_SEND", "JUMP_BACKWARD_NO_INTERRUPT", "RESUME"),
    *("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_BORROW", "LOAD_DEREF"),
}
"""Instructions of Python after which an answer, or a local variable, is at hand."""
_WASTED = ("POP_TOP", "COMPARE_OP", "CONTAINS_OP", *_JUMPS)


def may_slip(code: CodeType, scope: dict[str, Any]) -> bool:
    """Whether the source of a function is worth a look: it costs more than a small count."""
    codes = [code, *codes_in(code)]
    if any([each.co_flags & ASYNC_GENERATOR for each in codes]):
        return True
    names = {name for each in codes for name in each.co_names}
    helps, chooses = any([is_async(scope.get(name)) for name in names]), "choose" in names
    if not helps and not chooses and "roll" not in names:
        return False
    return any([_may_slip(each, helps=helps, chooses=chooses) for each in codes])


def _may_slip(code: CodeType, *, helps: bool, chooses: bool) -> bool:
    from opcode import opname

    does = [opname[each] for each in code.co_code[::2]]
    if "MATCH_SEQUENCE" in does:
        return True
    does = [each for each in does if each not in ("CACHE", "NOP", "EXTENDED_ARG")]
    for before, after in pairwise(does):
        if before in _TAKEN and after.startswith(_JUMPS) and (helps or chooses):
            return True
        if helps and before.startswith("CALL") and after.startswith(_WASTED):
            return True
    return chooses and _compares_with_other_texts(code)


def _compares_with_other_texts(code: CodeType) -> bool:
    """Whether a text is compared with something, and found nowhere else: it may be no option."""
    from opcode import opmap

    load, nothing = opmap["LOAD_CONST"], (opmap["CACHE"], opmap["EXTENDED_ARG"])
    steps = [*zip(code.co_code[::2], code.co_code[1::2])]
    steps = [step for step in steps if step[0] not in nothing]
    compared, others = set[int](), set[int]()
    for (does, number), (after, _) in pairwise(steps):
        if does == load:
            (compared if after == opmap["COMPARE_OP"] else others).add(number)
    return any([type(code.co_consts[number]) is str for number in compared - others])


LISTS = {
    *("list", "tuple", "iter", "enumerate", "zip", "map", "filter", "reduce", "deque", "dict"),
    *("str", "repr", "format", "print", "accumulate", "chain", "OrderedDict", "islice", "cycle"),
    *("zip_longest", "permutations", "combinations", "product", "batched", "pairwise"),
}
"""Functions that show in which order something lies."""
METHODS = {"join", "extend", "fromkeys", "extendleft"}
"""Methods that show in which order what they are given lies."""
PICKS = {"min", "max", "sorted"}
"""Functions that show it where two are equal by their key."""
_NAMES = LISTS | METHODS | PICKS | {"pop"}


def may_show_sets(code: CodeType, scope: dict[str, Any]) -> bool:
    """Whether a function may have a set, and do something in which its order comes to light."""
    from opcode import opmap

    made = False
    codes = (code, *codes_in(code))
    for each in codes:
        names = each.co_names
        made = made or opmap["BUILD_SET"] in each.co_code[::2]
        made = made or not {"set", "frozenset"}.isdisjoint(names)
        made = made or any([isinstance(one, frozenset) for one in each.co_consts])
        made = made or any([isinstance(scope.get(name), (set, frozenset)) for name in names])
    if not made:
        return False
    shown = _shown()
    return any([
        not _NAMES.isdisjoint(each.co_names) or not shown.isdisjoint(each.co_code[::2])
        for each in codes
    ])  # fmt: skip


def _shown() -> set[int]:
    """Python's instructions that go over something in its order."""
    from opcode import opmap

    names = ("FOR_ITER", "UNPACK_SEQUENCE", "UNPACK_EX", "LIST_EXTEND", "CALL_FUNCTION_EX")
    return {number for name, number in opmap.items() if name in names or name.startswith("FORMAT_")}
