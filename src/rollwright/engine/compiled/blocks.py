"""Cuts the tree of an async function at its awaits: statements with one become blocks.

Statements without an await stay as they are. An await in an expression is taken out in front of
it; what Python has evaluated by then is kept in names of its own, so that the order stays.
"""

from __future__ import annotations

import ast
from copy import copy, deepcopy
from dataclasses import dataclass, field
from typing import TypeVar

from rollwright.engine.compiled.errors import CannotCompile
from rollwright.engine.compiled.source import children, fill_places, walk

N = TypeVar("N", bound=ast.AST)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
"""Nodes with names of their own: an await in there is not ours."""
IN_PLACE = {
    *("add", "append", "appendleft", "count", "discard", "extend", "index", "insert", "join"),
    *("remove", "setdefault", "update"),
}
"""Methods of lists, sets and the like: these are the same after an await as before it."""
BEFORE = "await before it, and keep the answer in a name"


class Goto(ast.Continue):
    """A `break` or `continue` inside a statement that is not cut, of a loop that is."""

    target: Block


@dataclass
class Await:
    """Ends a block: something is asked, and another block goes on with the answer."""

    asked: ast.expr
    answer: str
    after: Block
    line: int
    grows: bool
    """Whether it is in a loop that nothing bounds."""


@dataclass
class Branch:
    """Ends a block by a test."""

    test: ast.expr
    yes: Block
    no: Block


@dataclass
class Jump:
    """Ends a block by going on in another."""

    target: Block


@dataclass
class Return:
    """Ends the function; in something that is still awaited where it is a tail."""

    value: ast.expr
    tail: bool = False


@dataclass(eq=False)
class Block:
    """Statements without an await, and how they end."""

    number: int
    body: list[ast.stmt] = field(default_factory=list)
    end: Await | Branch | Jump | Return | None = None


@dataclass
class LoopTargets:
    """The targets of `break` and `continue`."""

    out: Block
    again: Block


class Cutter:
    """Cuts one function into blocks; the first of them is its beginning."""

    def __init__(self, function: ast.AsyncFunctionDef) -> None:
        self.blocks: list[Block] = []
        self._temps = 0
        self._cut: set[int] = set()
        self._kept: list[ast.AST] = []
        """Nodes that were made here, so that no other gets the id of one."""
        self._loops: list[LoopTargets] = []
        self._unbounded = 0
        self._walrus = any(isinstance(node, ast.NamedExpr) for node in walk(function))
        for statement in function.body:
            self._mark(statement)
        last = self._statements(function.body, self._block())
        for block in self.blocks:
            if block.end is None:
                block.end = Return(self._at(ast.Constant(None), function.body[-1]))
        assert last is None or last.end is not None
        for block in self.blocks:
            for node in (*block.body, *_expressions(block.end)):
                if any(isinstance(each, ast.Await) for each in walk(node)):
                    _refuse_await(node)

    def _mark(self, node: ast.AST) -> bool:
        """Note which nodes have an await in them."""
        if isinstance(node, SCOPES):
            return False
        if isinstance(node, (ast.AsyncFor, ast.AsyncWith, ast.Yield, ast.YieldFrom)):
            raise CannotCompile(
                f"a rule has no {_NAMES[type(node)]}", node.lineno, "await rolls and choices"
            )
        found = isinstance(node, ast.Await)
        for child in children(node):
            found = self._mark(child) or found
        if found:
            self._cut.add(id(node))
        return found

    def _block(self) -> Block:
        self.blocks.append(Block(len(self.blocks)))
        return self.blocks[-1]

    def temp(self) -> str:
        """A name that no author can write."""
        self._temps += 1
        return f".{self._temps}"

    def _at(self, node: N, where: ast.AST) -> N:
        """A new node, with the place of the one that it is made for."""
        self._kept.append(fill_places(ast.copy_location(node, where)))
        return node

    def _assign(self, name: str, value: ast.expr) -> ast.stmt:
        return self._at(ast.Assign([ast.Name(name, ast.Store())], value), value)

    def _name(self, name: str, where: ast.AST) -> ast.expr:
        return self._at(ast.Name(name, ast.Load()), where)

    # --- expressions ---

    def lift(self, node: ast.expr, block: Block) -> tuple[ast.expr, Block]:
        """An expression with its awaits taken out in front, and the block that it is in then."""
        if id(node) not in self._cut:
            return node, block
        if isinstance(node, ast.Await):
            return self._lift_await(node, block)
        if isinstance(node, ast.BoolOp):
            return self._lift_bool(node, block)
        if isinstance(node, ast.IfExp):
            return self._lift_conditional(node, block)
        if isinstance(node, ast.Compare) and len(node.ops) > 1:
            return self._lift_chain(node, block)
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp)):
            return self._lift_comprehension(node, block)
        if isinstance(node, ast.GeneratorExp):
            raise CannotCompile(
                "a generator with an await in it cannot be followed",
                node.lineno,
                "write a list: […]",
            )
        return self._lift_operands(node, block)

    def _lift_await(self, node: ast.Await, block: Block) -> tuple[ast.expr, Block]:
        asked, block = self.lift(node.value, block)
        answer, after = self.temp(), self._block()
        block.end = Await(asked, answer, after, node.lineno, self._unbounded > 0)
        return self._name(answer, node), after

    def _lift_bool(self, node: ast.BoolOp, block: Block) -> tuple[ast.expr, Block]:
        result, after = self.temp(), self._block()
        for value in node.values[:-1]:
            lifted, block = self.lift(value, block)
            block.body.append(self._assign(result, lifted))
            more, test = self._block(), self._name(result, value)
            goes_on = isinstance(node.op, ast.And)
            block.end = Branch(test, more, after) if goes_on else Branch(test, after, more)
            block = more
        lifted, block = self.lift(node.values[-1], block)
        block.body.append(self._assign(result, lifted))
        block.end = Jump(after)
        return self._name(result, node), after

    def _lift_conditional(self, node: ast.IfExp, block: Block) -> tuple[ast.expr, Block]:
        result, after = self.temp(), self._block()
        test, block = self.lift(node.test, block)
        yes, no = self._block(), self._block()
        block.end = Branch(test, yes, no)
        for value, branch in ((node.body, yes), (node.orelse, no)):
            lifted, branch = self.lift(value, branch)
            branch.body.append(self._assign(result, lifted))
            branch.end = Jump(after)
        return self._name(result, node), after

    def _lift_chain(self, node: ast.Compare, block: Block) -> tuple[ast.expr, Block]:
        result, after = self.temp(), self._block()
        left, block = self.lift(node.left, block)
        left = self._save_value(left, block)
        last = len(node.ops) - 1
        for number, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            right, block = self.lift(right, block)
            right = right if number == last else self._save_value(right, block)
            block.body.append(
                self._assign(result, self._at(ast.Compare(left, [op], [right]), node))
            )
            if number == last:
                block.end = Jump(after)
            else:
                more = self._block()
                block.end = Branch(self._name(result, node), more, after)
                block, left = more, right
        return self._name(result, node), after

    def _lift_comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp, block: Block
    ) -> tuple[ast.expr, Block]:
        """The same as a loop, with names of its own."""
        first, block = self.lift(node.generators[0].iter, block)
        first = self._save_value(first, block)
        inner = deepcopy(node)
        bound = {
            name.id
            for generator in inner.generators
            for name in walk(generator.target)
            if isinstance(name, ast.Name)
        }
        inner = _Renamer({name: f"{self.temp()}{name}" for name in sorted(bound)}).visit(inner)
        result = self.temp()
        inner.generators[0].iter = first
        empty: ast.expr
        if isinstance(inner, ast.ListComp):
            empty = ast.List([], ast.Load())
        elif isinstance(inner, ast.DictComp):
            empty = ast.Dict([], [])
        else:
            empty = ast.Call(ast.Name(".set", ast.Load()), [], [])
        block.body.append(self._assign(result, self._at(empty, node)))
        body = self._filling(inner, result)
        for generator in reversed(inner.generators):
            for test in reversed(generator.ifs):
                body = [ast.If(test, body, [])]
            body = [ast.For(generator.target, generator.iter, body, [])]
        loop = self._at(body[0], node)
        self._mark(loop)
        after = self._statement(loop, block)
        assert after is not None
        return self._name(result, node), after

    def _filling(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp, result: str
    ) -> list[ast.stmt]:
        """Return statements that put one more item into the result."""
        if isinstance(node, ast.DictComp):
            key, value = self.temp(), self.temp()
            return [
                self._assign(key, node.key),
                self._assign(value, node.value),
                ast.Assign(
                    [
                        ast.Subscript(
                            ast.Name(result, ast.Load()), ast.Name(key, ast.Load()), ast.Store()
                        )
                    ],
                    ast.Name(value, ast.Load()),
                ),
            ]
        method = "append" if isinstance(node, ast.ListComp) else "add"
        put = ast.Attribute(ast.Name(result, ast.Load()), method, ast.Load())
        return [ast.Expr(ast.Call(put, [node.elt], []))]

    def _lift_operands(self, node: ast.expr, block: Block) -> tuple[ast.expr, Block]:
        """Operands in the order of their evaluation; those before an await are kept."""
        node = copy(node)
        self._kept.append(node)
        slots = [slot for slot in _slots(node)]
        cut = [number for number, slot in enumerate(slots) if id(slot.value) in self._cut]
        for number in range(cut[-1] + 1):
            slot = slots[number]
            slot.value, block = self.lift(slot.value, block)
            if number < cut[-1]:
                self._save(slot, block)
        return node, block

    def _save(self, slot: _Slot, block: Block) -> None:
        owner, value = slot.owner, slot.value
        if isinstance(owner, ast.Starred):
            listed = self._at(ast.List([ast.Starred(value, ast.Load())], ast.Load()), value)
            slot.value = self._save_value(listed, block)
        elif isinstance(owner, ast.keyword) and owner.arg is None:
            slot.value = self._save_value(self._at(ast.Dict([None], [value]), value), block)
        elif isinstance(owner, ast.FormattedValue):
            whole = self._at(ast.JoinedStr([copy(owner)]), value)
            slot.value = self._save_value(whole, block)
            owner.conversion, owner.format_spec = -1, None
        elif (
            isinstance(owner, ast.Call)
            and slot.field == "func"
            and isinstance(value, ast.Attribute)
            and value.attr in IN_PLACE
            and not self._walrus
            and isinstance(value.value, ast.Name)
        ):
            return
        else:
            slot.value = self._save_value(value, block)

    def _save_value(self, value: ast.expr, block: Block) -> ast.expr:
        """A value that has been evaluated by now, under a name of its own if it could change."""
        if isinstance(value, ast.Constant) or (
            isinstance(value, ast.Name) and (not self._walrus or value.id[0] == ".")
        ):
            return value
        name = self.temp()
        block.body.append(self._assign(name, value))
        return self._name(name, value)

    # --- statements ---

    def _statements(self, body: list[ast.stmt], block: Block | None) -> Block | None:
        for statement in body:
            if block is None:
                break  # nothing comes after a return
            block = self._statement(statement, block)
        return block

    def _statement(self, st: ast.stmt, block: Block) -> Block | None:
        if id(st) not in self._cut:
            return self._uncut(st, block)
        if isinstance(st, ast.Return):
            assert st.value is not None
            if isinstance(st.value, ast.Await):
                value, block = self.lift(st.value.value, block)
                block.end = Return(value, tail=True)
            else:
                value, block = self.lift(st.value, block)
                block.end = Return(value)
            return None
        if isinstance(st, ast.If):
            return self._if(st, block)
        if isinstance(st, ast.While):
            return self._while(st, block)
        if isinstance(st, ast.For):
            return self._for(st, block)
        if isinstance(st, ast.Match):
            return self._match(st, block)
        if isinstance(st, ast.AugAssign):
            return self._augmented_assignment(st, block)
        if isinstance(st, ast.Assign):
            return self._assignment(st, block)
        if isinstance(st, (ast.AnnAssign, ast.Expr)):
            return self._with_value(st, block)
        if isinstance(st, ast.Assert):
            return self._assertion(st, block)
        if isinstance(st, ast.Raise) and st.exc is not None:
            problem, block = self.lift(st.exc, block)
            if st.cause is not None and id(st.cause) in self._cut:
                raise CannotCompile("an await after `from` cannot be followed", st.lineno, BEFORE)
            block.body.append(self._at(ast.Raise(problem, st.cause), st))
            return block
        raise CannotCompile(
            f"an await inside `{_KEYWORDS.get(type(st), type(st).__name__.lower())}` "
            "cannot be counted together with others like it",
            st.lineno,
            BEFORE,
        )

    def _uncut(self, st: ast.stmt, block: Block) -> Block | None:
        if isinstance(st, (ast.Break, ast.Continue)):
            block.end = Jump(self._target(st))
            return None
        if isinstance(st, ast.Return):
            block.end = Return(st.value or self._at(ast.Constant(None), st))
            return None
        if self._loops:
            st = _Jumps(self._target).visit(deepcopy(st)) if _has_jump(st) else st
            self._kept.append(st)
        block.body.append(st)
        return None if isinstance(st, ast.Raise) and self._end_block(block, st) else block

    def _end_block(self, block: Block, st: ast.stmt) -> bool:
        block.end = Return(self._at(ast.Constant(None), st))
        return True

    def _target(self, st: ast.stmt) -> Block:
        loop = self._loops[-1]
        return loop.out if isinstance(st, ast.Break) else loop.again

    def _branch(self, test: ast.expr, block: Block, yes: Block, no: Block) -> None:
        """End a block by a test, each `and`, `or` and `not` in it by itself."""
        if id(test) not in self._cut:
            block.end = Branch(test, yes, no)
        elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self._branch(test.operand, block, no, yes)
        elif isinstance(test, ast.BoolOp):
            for value in test.values[:-1]:
                more = self._block()
                goes_on = isinstance(test.op, ast.And)
                self._branch(value, block, more if goes_on else yes, no if goes_on else more)
                block = more
            self._branch(test.values[-1], block, yes, no)
        else:
            lifted, block = self.lift(test, block)
            block.end = Branch(lifted, yes, no)

    def _if(self, st: ast.If, block: Block) -> Block:
        yes, no, after = self._block(), self._block(), self._block()
        self._branch(st.test, block, yes, no)
        self._end_in(self._statements(st.body, yes), after)
        self._end_in(self._statements(st.orelse, no), after)
        return after

    def _end_in(self, block: Block | None, after: Block) -> None:
        if block is not None and block.end is None:
            block.end = Jump(after)

    def _while(self, st: ast.While, block: Block) -> Block:
        head, body, other, after = self._block(), self._block(), self._block(), self._block()
        block.end = Jump(head)
        self._unbounded += 1
        self._branch(st.test, head, body, other)
        self._loops.append(LoopTargets(after, head))
        self._end_in(self._statements(st.body, body), head)
        self._loops.pop()
        self._unbounded -= 1
        self._end_in(self._statements(st.orelse, other), after)
        return after

    def _for(self, st: ast.For, block: Block) -> Block:
        """Cut a loop: the rest of the items, or the place in a list, is a name like any other."""
        items, block = self.lift(st.iter, block)
        left, place = self.temp(), self.temp()
        both = ast.Tuple([ast.Name(n, ast.Store()) for n in (left, place)], ast.Store())
        begun = ast.Call(ast.Name(".iterate", ast.Load()), [items, ast.Constant(st.lineno)], [])
        block.body.append(self._at(ast.Assign([both], begun), st.iter))
        head, body, other, after = self._block(), self._block(), self._block(), self._block()
        block.end = Jump(head)
        is_rest = _parse_expression("P < 0", left, place)
        more = ast.IfExp(
            is_rest,
            _parse_expression("L", left, place),
            _parse_expression("P < len(L)", left, place),
        )
        head.end = Branch(self._at(more, st.iter), body, other)
        item = _parse_expression("L[0] if P < 0 else L[P]", left, place)
        body.body.append(self._at(ast.Assign([st.target], item), st.target))
        if id(st.target) in self._cut:
            raise CannotCompile(
                "an await in the target of a loop cannot be followed", st.lineno, BEFORE
            )
        step = ast.If(
            _parse_expression("P < 0", left, place),
            [ast.Assign([ast.Name(left, ast.Store())], _parse_expression("L[1:]", left, place))],
            [ast.Assign([ast.Name(place, ast.Store())], _parse_expression("P + 1", left, place))],
        )
        body.body.append(self._at(step, st.target))
        grows = isinstance(items, (ast.Name, ast.Attribute, ast.Subscript)) and not (
            isinstance(items, ast.Name) and items.id[0] == "."
        )
        self._unbounded += grows
        self._loops.append(LoopTargets(after, head))
        self._end_in(self._statements(st.body, body), head)
        self._loops.pop()
        self._unbounded -= grows
        self._end_in(self._statements(st.orelse, other), after)
        return after

    def _match(self, st: ast.Match, block: Block) -> Block:
        subject, block = self.lift(st.subject, block)
        which = self.temp()
        cases = []
        for number, case in enumerate(st.cases):
            if case.guard is not None and id(case.guard) in self._cut:
                raise CannotCompile(
                    "an await in a guard cannot be followed", case.guard.lineno, BEFORE
                )
            chosen = self._assign(which, self._at(ast.Constant(number), case.pattern))
            cases.append(ast.match_case(case.pattern, case.guard, [chosen]))
        block.body.append(self._assign(which, self._at(ast.Constant(-1), st)))
        block.body.append(self._at(ast.Match(subject, cases), st))
        after = self._block()
        for number, case in enumerate(st.cases):
            body, other = self._block(), self._block()
            same = ast.Compare(ast.Name(which, ast.Load()), [ast.Eq()], [ast.Constant(number)])
            block.end = Branch(self._at(same, st), body, other)
            self._end_in(self._statements(case.body, body), after)
            block = other
        block.end = Jump(after)
        return after

    def _augmented_assignment(self, st: ast.AugAssign, block: Block) -> Block:
        target = st.target
        if isinstance(target, ast.Name) and not self._walrus:
            value, block = self.lift(st.value, block)
            block.body.append(self._at(ast.AugAssign(target, st.op, value), st))
            return block
        target = copy(target)
        if not isinstance(target, ast.Name):
            owner, block = self.lift(target.value, block)
            target.value = self._save_value(owner, block)
        if isinstance(target, ast.Subscript):
            if isinstance(target.slice, ast.Slice):
                raise CannotCompile(
                    "an await with a slice on its left cannot be followed", st.lineno, BEFORE
                )
            index, block = self.lift(target.slice, block)
            target.slice = self._save_value(index, block)
        old = copy(target)
        old.ctx = ast.Load()
        name = self.temp()
        block.body.append(self._assign(name, self._at(old, st)))
        value, block = self.lift(st.value, block)
        stored = ast.AugAssign(ast.Name(name, ast.Store()), st.op, value)
        block.body.append(self._at(stored, st))
        block.body.append(self._at(ast.Assign([target], self._name(name, st)), st))
        return block

    def _assignment(self, st: ast.Assign, block: Block) -> Block:
        value, block = self.lift(st.value, block)
        targets = list(st.targets)
        if any(id(target) in self._cut for target in targets):
            value = self._save_value(value, block)
            for number, target in enumerate(targets):
                if id(target) in self._cut:
                    if not isinstance(target, (ast.Subscript, ast.Attribute)):
                        raise CannotCompile(
                            "an await on the left cannot be followed", st.lineno, BEFORE
                        )
                    lifted, block = self._lift_operands(target, block)
                    targets[number] = lifted
        block.body.append(self._at(ast.Assign(targets, value), st))
        return block

    def _with_value(self, st: ast.AnnAssign | ast.Expr, block: Block) -> Block:
        assert st.value is not None
        st = copy(st)
        if isinstance(st, ast.AnnAssign) and id(st.target) in self._cut:
            raise CannotCompile("an await on the left cannot be followed", st.lineno, BEFORE)
        st.value, block = self.lift(st.value, block)  # type: ignore[arg-type]
        self._kept.append(st)
        if not isinstance(st, ast.Expr) or not isinstance(st.value, ast.Name):
            block.body.append(st)
        return block

    def _assertion(self, st: ast.Assert, block: Block) -> Block:
        if st.msg is not None and id(st.msg) in self._cut:
            raise CannotCompile(
                "an await in what an assertion says cannot be followed", st.lineno, BEFORE
            )
        test, block = self.lift(st.test, block)
        block.body.append(self._at(ast.Assert(test, st.msg), st))
        return block


def _expressions(end: Await | Branch | Jump | Return | None) -> list[ast.expr]:
    """Return the expression that is evaluated where a block ends."""
    if isinstance(end, Await):
        return [end.asked]
    if isinstance(end, Branch):
        return [end.test]
    return [end.value] if isinstance(end, Return) else []


def _refuse_await(node: ast.AST) -> None:
    """Refuse an await that was not cut: in a default of a function inside, or in a format."""
    if isinstance(node, ast.Await):
        raise CannotCompile("an await in here cannot be followed", node.lineno, BEFORE)
    for name, value in ast.iter_fields(node):
        if isinstance(node, SCOPES) and name == "body" and not isinstance(node, ast.ClassDef):
            continue  # it is awaited in there, by somebody else
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                _refuse_await(child)


@dataclass
class _Slot:
    """The place of an operand in a node."""

    owner: ast.AST
    field: str
    index: int | None = None

    @property
    def value(self) -> ast.expr:
        found = getattr(self.owner, self.field)
        one: ast.expr = found if self.index is None else found[self.index]
        return one

    @value.setter
    def value(self, value: ast.expr) -> None:
        if self.index is None:
            setattr(self.owner, self.field, value)
        else:
            getattr(self.owner, self.field)[self.index] = value


_WRAPPERS = (ast.keyword, ast.Starred, ast.Slice, ast.FormattedValue)
"""Nodes that are no value by themselves."""


def _slots(node: ast.AST) -> list[_Slot]:
    """Return the operands of a node, in the order in which they are evaluated, in new lists."""
    found: list[_Slot] = []
    if isinstance(node, ast.Dict):
        node.keys, node.values = list(node.keys), list(node.values)
        for number, key in enumerate(node.keys):
            found += [_Slot(node, "keys", number)] if key is not None else []
            found.append(_Slot(node, "values", number))
        return found
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            setattr(node, name, list(value))
            for number, item in enumerate(value):
                found += _slot(node, name, number, item)
        elif isinstance(value, ast.AST):
            found += _slot(node, name, None, value)
    return found


def _slot(owner: ast.AST, name: str, index: int | None, value: ast.AST) -> list[_Slot]:
    if isinstance(value, _WRAPPERS):
        inner = copy(value)
        slot = _Slot(owner, name, index)
        slot.value = inner  # type: ignore[assignment]
        slots = _slots(inner)
        return slots[:1] if isinstance(inner, ast.FormattedValue) else slots
    if not isinstance(value, ast.expr) or (isinstance(owner, ast.NamedExpr) and name == "target"):
        return []
    return [_Slot(owner, name, index)]


def _parse_expression(text: str, left: str, place: str) -> ast.expr:
    """A small expression over what is left of a loop (L) and the place in it (P)."""
    tree = ast.parse(text, mode="eval").body
    named: ast.expr = _Renamer({"L": left, "P": place, "len": ".len"}).visit(tree)
    return named


class _Renamer(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self.names.get(node.arg, node.arg)
        return node


def _has_jump(st: ast.AST) -> bool:
    """Whether a `break` or `continue` in here belongs to a loop around it."""
    if isinstance(st, (ast.Break, ast.Continue)):
        return True
    if isinstance(st, (*SCOPES, ast.expr)):
        return False
    if isinstance(st, (ast.For, ast.While)):
        return any(_has_jump(child) for child in st.orelse)
    return any(_has_jump(child) for child in children(st))


class _Jumps(ast.NodeTransformer):
    """Makes jumps to blocks of what belongs to a loop that is cut."""

    def __init__(self, target_of: object) -> None:
        self._target_of = target_of

    def _jump(self, node: ast.stmt) -> ast.stmt:
        jump = Goto()
        jump.target = self._target_of(node)  # type: ignore[operator]
        return ast.copy_location(jump, node)

    visit_Break = visit_Continue = _jump

    def visit_For(self, node: ast.For) -> ast.stmt:
        node.orelse = [self.visit(child) for child in node.orelse]
        return node

    visit_While = visit_For  # type: ignore[assignment]

    def visit_Lambda(self, node: ast.expr) -> ast.expr:
        return node

    def visit_FunctionDef(self, node: ast.stmt) -> ast.stmt:
        return node

    visit_AsyncFunctionDef = visit_ClassDef = visit_FunctionDef


_NAMES: dict[type, str] = {
    ast.AsyncFor: "`async for`",
    ast.AsyncWith: "`async with`",
    ast.Yield: "`yield`",
    ast.YieldFrom: "`yield from`",
}
_KEYWORDS: dict[type, str] = {ast.Try: "try", ast.With: "with", ast.Delete: "del"}
