"""The compiled form of an async function: one plain function for its beginning and each await.

Each takes the live locals and the answer, runs the author's own statements to the next await, and
gives what is asked there, the number of the function that goes on, and what is live by then.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field, replace
from types import CellType, CodeType, FunctionType
from typing import Any, TypeGuard

from rollwright.engine.compiled.blocks import (
    SCOPES,
    Await,
    Block,
    Branch,
    Cutter,
    Goto,
    Jump,
    Return,
)
from rollwright.engine.compiled.errors import CannotCompile
from rollwright.engine.compiled.fixed import Fixed, cell_of, fixed_in, guard
from rollwright.engine.compiled.hand_builtins import (
    add_up,
    ask_hands,
    count_faces,
    is_async_function,
    is_unseen,
    on_each_face,
    part,
    type_of,
)
from rollwright.engine.compiled.iteration import (
    UNBOUND,
    check_order,
    check_ties,
    iterate,
    watch_sets,
)
from rollwright.engine.compiled.keys import UNSTABLE
from rollwright.engine.compiled.lint import check_tree
from rollwright.engine.compiled.liveness import (
    added_names,
    definite_names,
    live_names,
    reads,
    rebound_names,
)
from rollwright.engine.compiled.sharing import HarmlessBlock, find_harmless
from rollwright.engine.compiled.source import FUTURE, children, in_scope, tree_of, walk
from rollwright.engine.inspection import codes_in, may_show_sets

Live = tuple[Any, ...]
"""Values of the live locals, in the order of their names."""
Result = tuple[Any, "int | None", Live]
"""The question, the function that goes on, and the live values: RETURNS and TAIL for ends."""
GoesOn = Callable[[Live, Any], Result]
NOTHING: frozenset[str] = frozenset()
RETURNS = None
"""Marks a function that has returned the first part."""
TAIL = -1
"""Marks a function that ends in the first part, which is still to be awaited."""

WORDS = {"roll", "choose", "tally", "spend"}
"""Names that mean words of ours as a rule, and hardly ever an async function."""
FRAMED = {"locals", "eval", "exec"}
FRAMED_BY_ITSELF = {"dir", "vars", "super"}
"""Words of Python that look at the function they stand in; these where they are given nothing."""


@dataclass
class Site:
    """An await: its line, the names that live across it, and whether a loop around it may grow."""

    line: int
    names: tuple[str, ...]
    grows: bool
    ends: bool = True
    """Whether some way from here leads out of the function."""
    added: frozenset[str] = NOTHING
    """Names that live across it and are only added to, in a loop that may grow."""
    takes: bool = False
    """Whether the answer is only added to something, or returned."""


@dataclass
class RuleProgram:
    """An async function in blocks."""

    name: str
    file: str
    arguments: tuple[str, ...]
    codes: list[CodeType | None]
    """By the number of the block that it begins with."""
    sites: dict[int, Site]
    """By the number of the block that goes on after it."""
    careful: bool = False
    """Whether it could notice a number not looked at: by its type or an error."""
    bodies: dict[int, list[ast.stmt]] = field(default_factory=dict)
    """By the number of the block that it begins with, the statements of each function."""
    local: frozenset[str] = NOTHING
    """All names that live in it."""
    fixed: dict[int, Fixed] = field(default_factory=dict)
    """By the number of the block that goes on after it: questions that are always the same."""
    ours: dict[str, CellType] = field(default_factory=dict)
    """What only its own code calls so, with nothing in it."""
    quiet: dict[int, HarmlessBlock | None] = field(default_factory=dict)
    """By the number of the block that it begins with: what changes nothing that lives."""

    def harmless(self, number: int) -> HarmlessBlock | None:
        """Return the names by which a function changes nothing after an await; looked at once."""
        if number not in self.quiet:
            self.quiet[number] = find_harmless(self.bodies.pop(number, None), self.local)
        return self.quiet[number]

    def bound_to(
        self, function: FunctionType, asks: dict[int, tuple[Any, list[Any]]]
    ) -> list[GoesOn | None]:
        """The functions, with the globals cells of the author's own, and fixed questions."""
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        cells.update(_HELPERS)
        cells.update(self.ours)
        for number, (step, meant) in asks.items():
            cells[cell_of(number)] = CellType(step)
            for name, value in zip(self.fixed[number].names, meant, strict=True):
                cells[cell_of(number, name)] = CellType(value)
        return [
            code and FunctionType(
                code,
                function.__globals__,
                code.co_name,
                None,
                tuple([cells[name] for name in code.co_freevars]),
            )
            for code in self.codes
        ]  # fmt: skip

    def handed_cells(self, function: FunctionType) -> tuple[RuleProgram, list[GoesOn | None]]:
        """The same for a function inside another: the cells that it uses are handed on as live.

        They belong to the way that is followed, and are compared and copied with all that is live.
        """
        sites = {n: replace(site, names=(*site.names, ".cells")) for n, site in self.sites.items()}
        names = function.__code__.co_freevars
        scope = function.__globals__
        functions = [code and _handing(code, names, scope, self.ours) for code in self.codes]
        return replace(self, sites=sites), functions


def _handing(
    code: CodeType, names: tuple[str, ...], scope: dict[str, Any], ours: dict[str, CellType]
) -> GoesOn:
    """A function whose cells are the last of the live values."""

    def go_on(live: Live, answer: Any) -> Result:
        *rest, cells = live
        known = {**_HELPERS, **ours, **dict(zip(names, cells, strict=True))}
        closure = tuple([known[name] for name in code.co_freevars])
        function = FunctionType(code, scope, code.co_name, None, closure)
        asked, after, kept = function(tuple(rest), answer)
        return asked, after, kept if after is RETURNS or after == TAIL else (*kept, cells)

    return go_on


_HELPERS = {
    ".iterate": CellType(iterate),
    ".len": CellType(len),
    ".add_up": CellType(add_up),
    ".is_unseen": CellType(is_unseen),
    ".type_of": CellType(type_of),
    ".on_each_face": CellType(on_each_face),
    ".count_faces": CellType(count_faces),
    ".part": CellType(part),
    ".set": CellType(set),
    ".ordered": CellType(check_order),
    ".untied": CellType(check_ties),
    ".unbound": CellType(UNBOUND),
    ".locals": CellType(locals),
}
"""Functions that the compiled code calls, under names that no author can write."""
_NOTHING = object()
"""In the place of what a name would have to mean: nothing does."""
_programs: dict[CodeType, RuleProgram | CannotCompile] = {}


def program_of(code: CodeType, scope: dict[str, Any]) -> RuleProgram:
    """The compiled form of an async function; known from the second time on."""
    known = _programs.get(code)
    if known is None:
        try:
            known = compile_code(code, scope)
        except CannotCompile as problem:
            known = problem
        _programs[code] = known
    if isinstance(known, CannotCompile):
        raise known
    return known


def compile_code(code: CodeType, scope: dict[str, Any]) -> RuleProgram:
    """Compile an async function again."""
    tree = tree_of(code, scope)
    declared = _declarations(tree)
    check_tree(tree, scope)
    _refuse_frames(tree)
    _refuse_classes(tree)
    if may_show_sets(code, scope):
        tree = watch_sets(tree, {*scope, *code.co_varnames, *code.co_cellvars, *code.co_freevars})
    careful = any([_distinguishes_numbers(node) for node in walk(tree)])
    blocks = Cutter(tree).blocks
    names = frozenset([*code.co_varnames, *code.co_cellvars, *code.co_freevars])
    parts = {*code.co_freevars, *filter(_is_part(scope), code.co_names)} - WORDS
    ask_hands(blocks, names, parts)
    count = code.co_argcount + code.co_kwonlyargcount
    extra = bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
    arguments = code.co_varnames[: count + extra]
    local = frozenset([*code.co_varnames, *code.co_cellvars, *_stored_names(blocks)])
    live = live_names(blocks, local)
    bound = definite_names(blocks, frozenset(arguments), local)
    own = frozenset([*code.co_varnames, *code.co_cellvars])
    emitter = _Emitter(tree, blocks, live, bound, declared, own)
    entries = [0, *(block.end.after.number for block in blocks if isinstance(block.end, Await))]
    functions: list[ast.stmt] = [emitter.function(n, arguments if not n else None) for n in entries]
    bodies = {n: one.body for n, one in zip(entries, functions, strict=True)}  # type: ignore[attr-defined]
    ours = (*_HELPERS, *emitter.ours)
    module = in_scope(functions, (*code.co_freevars, *ours), tree)
    made = compile(module, code.co_filename, "exec", code.co_flags & FUTURE, dont_inherit=True)
    (outer,) = [each for each in made.co_consts if isinstance(each, CodeType)]
    codes: list[CodeType | None] = [None] * len(blocks)
    inner = [each for each in outer.co_consts if isinstance(each, CodeType)]
    assert len(inner) == len(entries)
    for number, each in zip(entries, inner, strict=True):
        codes[number] = each.replace(co_name=code.co_name, co_qualname=code.co_qualname)
    unstable = rebound_names(tree)
    for each in inner:
        UNSTABLE.update(
            code for code in codes_in(each) if not unstable.isdisjoint(code.co_freevars)
        )
    leading_out = _leading_out(blocks)
    added, taken = (NOTHING, NOTHING) if careful or declared else added_names(blocks)
    sites = {
        end.after.number: Site(
            end.line,
            tuple(sorted(live[end.after.number] - {end.answer})),
            end.grows,
            end.after.number in leading_out,
            added & live[end.after.number] if end.grows else NOTHING,
            end.answer in taken,
        )
        for end in (block.end for block in blocks)
        if isinstance(end, Await)
    }
    nothing = {name: CellType(_NOTHING) for name in emitter.ours}
    return RuleProgram(
        code.co_name,
        code.co_filename,
        arguments,
        codes,
        sites,
        careful,
        bodies,
        local,
        emitter.fixed,
        nothing,
    )


def _is_part(scope: dict[str, Any]) -> Callable[[str], bool]:
    """A test of names that mean an async function."""
    return lambda name: is_async_function(scope.get(name))


def _refuse_frames(tree: ast.AsyncFunctionDef) -> None:
    """Refuse what looks at the frame of the function, which is another one once it is cut."""
    for node in walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            if name in FRAMED or (name in FRAMED_BY_ITSELF and not node.args):
                raise CannotCompile(
                    f"`{name}` looks at all local variables", node.lineno, "name those it needs"
                )


def _refuse_classes(tree: ast.AsyncFunctionDef) -> None:
    """Refuse a class inside that may change, or use what changes: it is one for all ways on."""
    for node in walk(tree):
        if isinstance(node, ast.ClassDef) and _may_change(node, tree):
            raise CannotCompile(
                f"the class {node.name} stands inside and uses local variables or changes",
                node.lineno,
                "write it outside of the rule",
            )


def _may_change(inside: ast.ClassDef, tree: ast.AsyncFunctionDef) -> bool:
    """Whether a class holds something that can change, or a function in it uses our variables."""
    made = {node.id for node in walk(tree) if _is_store(node)} | {inside.name}
    made |= {each.arg for each in walk(tree.args) if isinstance(each, ast.arg)}
    for node in walk(inside):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            own = {each.arg for each in walk(node.args) if isinstance(each, ast.arg)}
            own |= {each.id for each in walk(node) if _is_store(each)}
            if any(isinstance(each, ast.Nonlocal) for each in walk(node)):
                return True
            if not reads(node).isdisjoint(made - own | {"type", "cls", "__class__"}):
                return True
            if "cls" in own:
                return True
        elif isinstance(node, ast.Attribute) and node.attr == "__class__":
            return True
    plain = (ast.Constant, ast.Tuple, ast.UnaryOp, ast.BinOp)
    if any(isinstance(st, ast.Assign) and not isinstance(st.value, plain) for st in inside.body):
        return True
    return any(
        isinstance(node, ast.Attribute)
        and not isinstance(node.ctx, ast.Load)
        and isinstance(node.value, ast.Name)
        and node.value.id == inside.name
        for node in walk(tree)
    )


def _is_store(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _distinguishes_numbers(node: ast.AST) -> bool:
    """Whether something asks for types, or goes on after an error that a type may lead to."""
    if isinstance(node, (ast.ExceptHandler, ast.With)):
        return True
    return isinstance(node, ast.Name) and node.id == "type"


def _leading_out(blocks: list[Block]) -> set[int]:
    """The blocks from which some way leads to the end of the function."""
    after: dict[int, set[int]] = {}
    found: set[int] = set()
    for block in blocks:
        nodes = [node for st in block.body for node in walk(st)]
        after[block.number] = {node.target.number for node in nodes if isinstance(node, Goto)}
        end = block.end
        if end is None or isinstance(end, Return):
            found.add(block.number)
        elif isinstance(end, Await):
            after[block.number].add(end.after.number)
        elif isinstance(end, Jump):
            after[block.number].add(end.target.number)
        else:
            after[block.number].add(end.yes.number)
            if not (isinstance(end.test, ast.Constant) and end.test.value):
                after[block.number].add(end.no.number)
        if any(isinstance(node, (ast.Return, ast.Raise)) for node in nodes):
            found.add(block.number)
    grew = True
    while grew:
        more = {number for number, ways in after.items() if not ways.isdisjoint(found)}
        grew = not more <= found
        found |= more
    return found


def _stored_names(blocks: list[Block]) -> Iterator[str]:
    """All names that are made here."""
    for block in blocks:
        for st in block.body:
            for node in walk(st):
                if isinstance(node, ast.Name) and node.id[0] == "." and node.id not in _HELPERS:
                    yield node.id
        if isinstance(block.end, Await):
            yield block.end.answer


def _declarations(tree: ast.AsyncFunctionDef) -> list[ast.stmt]:
    """Return the global and nonlocal statements, which every block must repeat."""
    found: list[ast.stmt] = []
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            found.append(node)
        elif not isinstance(node, SCOPES):
            waiting += children(node)
    return found


class _Emitter:
    """Writes a function for each beginning: blocks with one way in are nested."""

    def __init__(
        self,
        tree: ast.AsyncFunctionDef,
        blocks: list[Block],
        live: dict[int, frozenset[str]],
        bound: dict[int, frozenset[str]],
        declared: list[ast.stmt],
        local: frozenset[str],
    ) -> None:
        self.local = local
        """The author's own local variables."""
        self.tree = tree
        self.blocks = blocks
        self.live = live
        self.bound = bound
        self.declared = declared
        self.answers = {
            block.end.after.number: block.end.answer
            for block in blocks
            if isinstance(block.end, Await)
        }
        self._ways_in: dict[int, int] = {}
        self._wanted: list[Block] = []
        self.fixed: dict[int, Fixed] = {}
        """By the await, questions that are always the same."""
        self.ours: list[str] = []
        """Names of ours for these questions, and for what the names in them meant."""

    def function(self, number: int, arguments: tuple[str, ...] | None) -> ast.stmt:
        """The function that begins with a block."""
        first = self.blocks[number]
        self._ways_in = self._count_ways(first)
        self._wanted = []
        answer = self.answers.get(number, ".answer")
        body: list[ast.stmt] = []
        if arguments is None:
            names = sorted(self.live[number] - {answer})
            body += self._unpack(names)
            missing = [name for name in names if name not in self.bound[number]]
            body += [
                _parsed_statement(f"if {_NAME} is {_UNBOUND}: del {_NAME}", n) for n in missing
            ]
        else:
            body += self._unpack(list(arguments))
        start = self._code(first)
        cases: dict[int, list[ast.stmt]] = {number: start}
        while self._wanted:
            block = self._wanted.pop()
            if block.number not in cases:
                cases[block.number] = []  # found once, even if it leads to itself
                cases[block.number] = self._code(block)
        if len(cases) == 1 and not _jumps_in(start):
            body += start
        else:
            body.append(_assign(".b", ast.Constant(number)))
            body.append(ast.While(ast.Constant(True), [_dispatch(cases)], []))
        declared: list[ast.stmt] = [deepcopy(each) for each in self.declared]
        declared += self._made_local(body)
        arguments_ = ast.arguments(
            posonlyargs=[],
            args=[ast.arg(".live"), ast.arg(answer)],
            kwonlyargs=[],
            kw_defaults=[],
            defaults=[],
        )
        extra: Any = {"type_params": []} if "type_params" in ast.FunctionDef._fields else {}
        made = ast.FunctionDef(f".{number}", arguments_, declared + body, [], **extra)
        function: ast.stmt = _locate(made, self.tree)
        return function

    def _made_local(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """A statement that does nothing but make names local that are given a value elsewhere."""
        used = {node.id for st in body for node in walk(st) if isinstance(node, ast.Name)}
        names = sorted(used & self.local)
        if not names:
            return []
        targets: list[ast.expr] = [ast.Name(name, ast.Store()) for name in names]
        none = ast.Assign(targets, ast.Constant(None))
        return [ast.If(ast.Constant(False), [none], [])]

    def _unpack(self, names: list[str]) -> list[ast.stmt]:
        if not names:
            return []
        target = ast.Tuple([ast.Name(name, ast.Store()) for name in names], ast.Store())
        return [ast.Assign([target], ast.Name(".live", ast.Load()))]

    def _count_ways(self, first: Block) -> dict[int, int]:
        """How many ways lead into each block that can be come to without an await."""
        ways = {first.number: 1}
        waiting = [first]
        while waiting:
            for target, number in _ways_on(waiting.pop()):
                if target.number not in ways:
                    waiting.append(target)
                    ways[target.number] = 0
                ways[target.number] += number
        return ways

    def _code(self, block: Block) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for st in block.body:
            expanded = _Ends(self).visit(deepcopy(st)) if _has_end(st) else st
            made += expanded if isinstance(expanded, list) else [expanded]
        end = block.end
        if isinstance(end, Await):
            made.append(self._ask(end))
        elif isinstance(end, Return):
            made.append(_return(end.value, TAIL if end.tail else RETURNS))
        elif isinstance(end, Jump):
            made += self.jump(end.target)
        else:
            assert isinstance(end, Branch)
            test = ast.If(end.test, self.jump(end.yes) or [ast.Pass()], self.jump(end.no))
            made.append(_locate(test, end.test))
        return made

    def _ask(self, end: Await) -> ast.stmt:
        number = end.after.number
        kept: list[ast.expr] = []
        for name in sorted(self.live[number] - {end.answer}):
            if name in self.bound[number]:
                kept.append(ast.Name(name, ast.Load()))
            else:
                kept.append(_parsed_expression(f"{_LOCALS}().get({name!r}, {_UNBOUND})"))
        result = ast.Tuple(
            [self._question(end), ast.Constant(number), ast.Tuple(kept, ast.Load())], ast.Load()
        )
        asks: ast.stmt = _locate(ast.Return(result), end.asked)
        return asks

    def _question(self, end: Await) -> ast.expr:
        """Return the question at an await; if it is always the same, it is made beforehand."""
        fixed = None if self.declared else fixed_in(end.asked, self.local)
        if fixed is None:
            return end.asked
        number = end.after.number
        asked, ours = guard(fixed, number)
        if number not in self.fixed:
            self.fixed[number] = fixed
            self.ours += ours
        return asked

    def jump(self, target: Block, *, always: bool = False, guarded: bool = False) -> list[ast.stmt]:
        """Go on in a block: right here if there is no other way into it, and nothing guards it."""
        short = not target.body and isinstance(target.end, (Await, Return)) and not guarded
        if short or (not always and self._ways_in[target.number] == 1):
            return self._code(target)
        self._wanted.append(target)
        return [_assign(".b", ast.Constant(target.number)), ast.Continue()]


_NAME, _UNBOUND, _LOCALS = "NAME", "UNBOUND", "LOCALS"


class _Naming(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.names.get(node.id, node.id)
        return node


def _parsed_statement(text: str, name: str) -> ast.stmt:
    made: ast.stmt = _Naming({_NAME: name, _UNBOUND: ".unbound"}).visit(ast.parse(text).body[0])
    return made


def _parsed_expression(text: str) -> ast.expr:
    tree = ast.parse(text, mode="eval").body
    made: ast.expr = _Naming({_LOCALS: ".locals", _UNBOUND: ".unbound"}).visit(tree)
    return made


def _ways_on(block: Block) -> Iterator[tuple[Block, int]]:
    """Yield the blocks after a block without an await; a jump out of a statement counts twice."""
    for st in block.body:
        for node in walk(st):
            if isinstance(node, Goto):
                yield node.target, 2
    end = block.end
    if isinstance(end, Jump):
        yield end.target, 1
    elif isinstance(end, Branch):
        yield end.yes, 1
        yield end.no, 1


def _dispatch(cases: dict[int, list[ast.stmt]]) -> ast.stmt:
    """`if` this block, `elif` that one."""
    last: list[ast.stmt] = []
    for number, body in reversed(cases.items()):
        test = ast.Compare(ast.Name(".b", ast.Load()), [ast.Eq()], [ast.Constant(number)])
        last = [ast.If(test, body, last)] if last else body
    return last[0] if len(last) == 1 else ast.If(ast.Constant(True), last, [])


def _jumps_in(body: list[ast.stmt]) -> bool:
    return any(isinstance(node, ast.Name) and node.id == ".b" for st in body for node in walk(st))


class _Ends(ast.NodeTransformer):
    """Makes what leaves the function, or jumps to a block, of `return`, `break`, `continue`."""

    def __init__(self, emitter: _Emitter) -> None:
        self._emitter = emitter
        self._guards = 0
        """How many `try` and `with` are around, which have something to do at a jump."""

    def _guard(self, node: ast.stmt) -> ast.stmt:
        self._guards += 1
        self.generic_visit(node)
        self._guards -= 1
        return node

    visit_Try = visit_TryStar = visit_With = _guard

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        return _return(node.value or _locate(ast.Constant(None), node), RETURNS)

    def visit_Goto(self, node: Goto) -> list[ast.stmt]:
        ways = self._emitter.jump(node.target, always=True, guarded=self._guards > 0)
        return [_locate(st, node) for st in ways]

    def visit_Lambda(self, node: ast.expr) -> ast.expr:
        return node

    def visit_FunctionDef(self, node: ast.stmt) -> ast.stmt:
        return node

    visit_AsyncFunctionDef = visit_ClassDef = visit_FunctionDef


def _has_end(st: ast.AST) -> bool:
    if isinstance(st, (ast.Return, Goto)):
        return True
    if isinstance(st, (*SCOPES, ast.expr)):
        return False
    return any(_has_end(child) for child in children(st))


def _return(value: ast.expr, end: int | None) -> ast.stmt:
    made = ast.Tuple([value, ast.Constant(end), ast.Tuple([], ast.Load())], ast.Load())
    leaves: ast.stmt = _locate(ast.Return(made), value)
    return leaves


def _assign(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _locate(node: Any, where: ast.AST) -> Any:
    """The node with its place; what is in it gets that too, when all is written."""
    return ast.copy_location(node, where)
