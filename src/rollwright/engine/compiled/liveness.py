"""Which local variables are still read later, at the beginning of each block; which only add up."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from rollwright.engine.compiled.blocks import Await, Block, Branch, Goto, Jump, Return
from rollwright.engine.compiled.source import children, walk

Names = frozenset[str]
NONE: Names = frozenset()


@dataclass(frozen=True)
class _Around:
    """Names that are live where a statement may jump to."""

    blocks: dict[int, Names] = field(default_factory=dict)
    out: Names = NONE
    again: Names = NONE
    problem: Names = NONE
    """Names that are read where an exception is caught."""


def live_names(blocks: list[Block], local: Names) -> dict[int, Names]:
    """The local variables that are live at the beginning of each block."""
    live = {block.number: NONE for block in blocks}
    changed = True
    while changed:
        changed = False
        for block in reversed(blocks):
            after = _after(block, live)
            now = before(block.body, after, _Around(live)) & local
            if now != live[block.number]:
                live[block.number] = now
                changed = True
    return live


def _after(block: Block, live: dict[int, Names]) -> Names:
    end = block.end
    if isinstance(end, Await):
        return (live[end.after.number] - {end.answer}) | reads(end.asked)
    if isinstance(end, Branch):
        return live[end.yes.number] | live[end.no.number] | reads(end.test)
    if isinstance(end, Jump):
        return live[end.target.number]
    assert isinstance(end, Return)
    return reads(end.value)


def before(body: Iterable[ast.stmt], after: Names, around: _Around) -> Names:
    """Return the names that are live before statements, if these are live after them."""
    for st in reversed(list(body)):
        after = _before(st, after, around) | around.problem
    return after


def _before(st: ast.stmt, after: Names, around: _Around) -> Names:
    if isinstance(st, Goto):
        return around.blocks[st.target.number]
    if isinstance(st, ast.Break):
        return around.out
    if isinstance(st, ast.Continue):
        return around.again
    if isinstance(st, ast.Return):
        return reads(st.value)
    if isinstance(st, ast.Raise):
        return reads(st.exc) | reads(st.cause)
    if isinstance(st, ast.If):
        return reads(st.test) | before(st.body, after, around) | before(st.orelse, after, around)
    if isinstance(st, (ast.For, ast.While)):
        return _before_loop(st, after, around)
    if isinstance(st, (ast.Try, ast.TryStar)):
        return _before_try(st, after, around)
    if isinstance(st, ast.With):
        body = before(st.body, after, around) | after  # it may swallow what goes wrong
        for item in reversed(st.items):
            body = _before_assignment(item.optional_vars, body) | reads(item.context_expr)
        return body
    if isinstance(st, ast.Match):
        found = reads(st.subject) | after
        for case in st.cases:
            inside = reads(case.guard) | before(case.body, after, around)
            found |= (inside - _capture_names(case.pattern)) | _pattern_reads(case.pattern)
        return found
    if isinstance(st, ast.Assign):
        for target in reversed(st.targets):
            after = _before_assignment(target, after)
        return after | reads(st.value)
    if isinstance(st, ast.AugAssign):
        return after | reads(st.value) | _all_names(st.target)
    if isinstance(st, ast.AnnAssign):
        return after if st.value is None else _before_assignment(st.target, after) | reads(st.value)
    if isinstance(st, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return (after - {st.name}) | _scope_reads(st)
    if isinstance(st, (ast.Import, ast.ImportFrom)):
        return after - {(each.asname or each.name).partition(".")[0] for each in st.names}
    if isinstance(st, ast.Delete):
        return after.union(*(_all_names(target) for target in st.targets))
    found = after
    for child in children(st):
        found |= reads(child)
    return found


def _before_loop(st: ast.For | ast.While, after: Names, around: _Around) -> Names:
    ended = before(st.orelse, after, around)
    first = reads(st.test) if isinstance(st, ast.While) else NONE
    head = ended | first
    while True:
        inside = before(st.body, head, replace(around, out=after, again=head))
        if isinstance(st, ast.For):
            inside = _before_assignment(st.target, inside)
        if inside <= head:
            break
        head |= inside
    return head | (reads(st.iter) if isinstance(st, ast.For) else NONE)


def _before_try(st: ast.Try | ast.TryStar, after: Names, around: _Around) -> Names:
    last = before(st.finalbody, after, around) | (
        before(st.finalbody, NONE, around) if st.finalbody else NONE
    )
    inside = replace(around, problem=around.problem | (last if st.finalbody else NONE))
    caught = last if st.finalbody else NONE
    for handler in st.handlers:
        body = before(handler.body, last, inside)
        caught |= (body - {handler.name or ""}) | reads(handler.type)
    ended = before(st.orelse, last, inside)
    guarded = replace(inside, problem=inside.problem | caught)
    return before(st.body, ended, guarded) | caught


def reads(node: ast.AST | None) -> Names:
    """The names that an expression reads, those of functions in it too."""
    if node is None:
        return NONE
    if isinstance(node, ast.Name):
        return frozenset([node.id]) if isinstance(node.ctx, ast.Load) else NONE
    if isinstance(node, (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return _scope_reads(node)
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        bound: Names = NONE
        inner: Names = NONE
        for child in children(node):
            if isinstance(child, ast.comprehension):
                bound |= _target_names(child.target)
                inner |= reads(child.target)
                for part in (*child.ifs, *([] if child is node.generators[0] else [child.iter])):
                    inner |= reads(part)
            else:
                inner |= reads(child)
        return (inner - bound) | reads(node.generators[0].iter)
    found = NONE
    for child in children(node):
        found |= reads(child)
    return found


def _scope_reads(
    node: ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
) -> Names:
    """The names of the function around it that a function inside may read."""
    if isinstance(node, ast.ClassDef):
        return _all_names(node)
    arguments = node.args
    named = {
        each.arg
        for each in (
            *arguments.posonlyargs,
            *arguments.args,
            *arguments.kwonlyargs,
            *filter(None, [arguments.vararg, arguments.kwarg]),
        )
    }
    outside = NONE
    for default in (*arguments.defaults, *filter(None, arguments.kw_defaults)):
        outside |= reads(default)
    if isinstance(node, ast.Lambda):
        return outside | (reads(node.body) - named)
    for decorator in node.decorator_list:
        outside |= reads(decorator)
    inside = frozenset().union(*(_all_names(st) for st in node.body))
    return outside | (inside - named)


def _all_names(node: ast.AST) -> Names:
    return frozenset(each.id for each in walk(node) if isinstance(each, ast.Name))


def _target_names(target: ast.AST) -> Names:
    return frozenset(
        each.id
        for each in walk(target)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    )


def _before_assignment(target: ast.expr | None, after: Names) -> Names:
    """Return the names that are live before something is assigned to a target."""
    return after if target is None else (after - _target_names(target)) | reads(target)


def _capture_names(pattern: ast.pattern) -> Names:
    """The names that a pattern surely binds where it matches."""
    if any(isinstance(node, ast.MatchOr) for node in walk(pattern)):
        return NONE
    return frozenset(
        name
        for node in walk(pattern)
        if (name := getattr(node, "name", None) or getattr(node, "rest", None))
    )


def _pattern_reads(pattern: ast.pattern) -> Names:
    return frozenset(each.id for each in walk(pattern) if isinstance(each, ast.Name))


# --- what is surely bound ---


def definite_names(blocks: list[Block], arguments: Names, local: Names) -> dict[int, Names]:
    """The variables that have a value at the beginning of each block, however it is come to."""
    bound = {block.number: local for block in blocks}
    bound[blocks[0].number] = arguments
    changed = True
    while changed:
        changed = False
        for block in blocks:
            at_start = bound[block.number]
            at_end = at_start | binds(block.body)
            for target, then in _leads_to(block, at_start, at_end):
                if target is blocks[0]:
                    continue
                now = bound[target.number] & then
                if now != bound[target.number]:
                    bound[target.number] = now
                    changed = True
    return bound


def _leads_to(block: Block, start: Names, end: Names) -> Iterable[tuple[Block, Names]]:
    gone: Names = NONE
    nodes = [node for st in block.body for node in walk(st)]
    for node in nodes:
        if isinstance(node, ast.Delete):
            gone |= _all_names(node)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            gone |= {node.name}  # which Python deletes after the handler
    end -= gone
    for node in nodes:
        if isinstance(node, Goto):
            yield node.target, start - gone
    last = block.end
    if isinstance(last, Await):
        yield last.after, end | {last.answer} | _walrus(last.asked)
    elif isinstance(last, Branch):
        yield last.yes, end | _walrus(last.test)
        yield last.no, end | _walrus(last.test)
    elif isinstance(last, Jump):
        yield last.target, end


def binds(body: Iterable[ast.stmt]) -> Names:
    """The names that statements surely give a value, if they come to their end."""
    found = NONE
    for st in body:
        if isinstance(st, ast.Assign):
            found = found.union(
                _walrus(st.value), *(_target_names(target) for target in st.targets)
            )
        elif isinstance(st, ast.AugAssign) or (
            isinstance(st, ast.AnnAssign) and st.value is not None
        ):
            found |= _target_names(st.target)
        elif isinstance(st, ast.Expr):
            found |= _walrus(st.value)
        elif isinstance(st, ast.If):
            found |= _walrus(st.test) | _either(st)
        elif isinstance(st, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found |= {st.name}
        elif isinstance(st, (ast.Import, ast.ImportFrom)):
            found |= {(each.asname or each.name).partition(".")[0] for each in st.names}
        elif isinstance(st, ast.While):
            found |= _walrus(st.test)
    return found


def _either(st: ast.If) -> Names:
    sides = [binds(body) for body in (st.body, st.orelse) if not _leaves(body)]
    return sides[0].intersection(*sides[1:]) if sides else NONE


def _leaves(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], (ast.Return, ast.Raise, ast.Break, ast.Continue))


def _walrus(node: ast.AST) -> Names:
    """The names that an expression surely binds."""
    if isinstance(node, ast.NamedExpr):
        return _target_names(node.target) | _walrus(node.value)
    if isinstance(node, (ast.BoolOp, ast.IfExp)):
        return _walrus(node.values[0] if isinstance(node, ast.BoolOp) else node.test)
    if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return NONE
    if isinstance(node, ast.Compare) and len(node.ops) > 1:
        return _walrus(node.left)
    found = NONE
    for child in children(node):
        found |= _walrus(child)
    return found


def rebound_names(tree: ast.AsyncFunctionDef) -> Names:
    """The variables that a function inside uses and that are given a value after it is made."""
    captured: dict[str, Place] = {}
    bindings: dict[str, list[tuple[Place, bool]]] = {}
    waiting: list[tuple[ast.AST, bool]] = [(st, False) for st in tree.body]
    while waiting:
        node, in_loop = waiting.pop()
        if isinstance(node, (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for name in _scope_reads(node):
                captured[name] = min(captured.get(name, _place(node)), _place(node))
            if not isinstance(node, ast.Lambda):
                bindings.setdefault(node.name, []).append((_place(node), in_loop))
                for each in walk(node):
                    if isinstance(each, ast.Nonlocal):
                        bindings.update({name: [(_LATE, True)] for name in each.names})
            continue
        for name in _bound_by(node):
            bindings.setdefault(name, []).append((_place(node), in_loop))
        looped = in_loop or isinstance(node, (ast.For, ast.While, ast.AsyncFor))
        waiting += [(child, looped) for child in children(node)]
    return frozenset(
        name
        for name, made in captured.items()
        if any(place > made or in_loop for place, in_loop in bindings.get(name, []))
    )


Place = tuple[int, int]
"""A line and a column."""
_LATE: Place = (1 << 30, 0)


def _place(node: ast.AST) -> Place:
    return getattr(node, "lineno", 1 << 30), getattr(node, "col_offset", 0)


def _bound_by(node: ast.AST) -> list[str]:
    """The names that a node gives a value to, or takes it from, its parts left out."""
    if isinstance(node, ast.Name):
        return [] if isinstance(node.ctx, ast.Load) else [node.id]
    if isinstance(node, ast.alias):
        return [(node.asname or node.name).partition(".")[0]]
    if isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        return [node.name] if node.name else []
    return [node.rest] if isinstance(node, ast.MatchMapping) and node.rest else []


# --- what is only added to ---
#
# Such a variable is read where something is added to it and where the function returns, and nowhere
# else: no test, no call and no await reads it. That is only a first sight; what is proved is proved
# by the numbers themselves (`running`).

_ADDS = (ast.Add, ast.Sub)


class _Uses:
    """The places to which values of variables go: into others, or to where they are looked at."""

    def __init__(self) -> None:
        self.into: dict[str, set[str]] = {}
        self.seen: set[str] = set()

    def _look(self, node: ast.AST | None) -> None:
        """Something that may read its variables in any way."""
        if node is not None:
            self.seen.update(one.id for one in walk(node) if isinstance(one, ast.Name))

    def _value(self, node: ast.expr, targets: Iterable[str]) -> None:
        """An expression of which the value is kept in some variables, or returned."""
        if isinstance(node, ast.Name):
            self.into.setdefault(node.id, set()).update(targets)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, _ADDS):
            self._value(node.left, targets)
            self._value(node.right, targets)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.UAdd, ast.USub)):
            self._value(node.operand, targets)
        elif isinstance(node, ast.IfExp):
            self._look(node.test)
            self._value(node.body, targets)
            self._value(node.orelse, targets)
        else:
            self._look(node)

    def note_return(self, node: ast.expr | None) -> None:
        """Note what a function returns."""
        if isinstance(node, ast.Tuple):
            for each in node.elts:
                self.note_return(each)
        elif node is not None:
            self._value(node, ())

    def statement(self, node: ast.stmt) -> None:
        """A statement without an await."""
        if isinstance(node, ast.Assign) and all(isinstance(t, ast.Name) for t in node.targets):
            self._value(node.value, [t.id for t in node.targets if isinstance(t, ast.Name)])
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            if node.value is not None:
                self._value(node.value, [node.target.id])
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
            self.into.setdefault(name, set()).add(name)
            if isinstance(node.op, _ADDS):
                self._value(node.value, [name])
            else:
                self._look(node)
        elif isinstance(node, ast.Return):
            self.note_return(node.value)
        elif isinstance(node, (ast.If, ast.While)):
            self._look(node.test)
            for inner in (*node.body, *node.orelse):
                self.statement(inner)
        elif not isinstance(node, (ast.Pass, ast.Break, ast.Continue)):
            self._look(node)

    def close(self) -> None:
        """Take what goes into what is looked at for looked at."""
        seen, before = self.seen, -1
        while len(seen) != before:
            before = len(seen)
            seen.update(name for name, targets in self.into.items() if not seen.isdisjoint(targets))

    def running(self) -> Names:
        """The variables that go into themselves, and never into what is looked at."""
        return frozenset(
            name for name in self.into if name not in self.seen and self._returns_to(name)
        )

    def _returns_to(self, name: str) -> bool:
        waiting, met = [*self.into[name]], set[str]()
        while waiting:
            one = waiting.pop()
            if one == name:
                return True
            if one not in met:
                met.add(one)
                waiting += self.into.get(one, ())
        return False


def added_names(blocks: list[Block]) -> tuple[Names, Names]:
    """The variables of a function that are only added to along the way, and answers that are."""
    uses = _Uses()
    for block in blocks:
        for statement in block.body:
            uses.statement(statement)
        end = block.end
        if isinstance(end, Await):
            uses._look(end.asked)
        elif isinstance(end, Branch):
            uses._look(end.test)
        elif isinstance(end, Return):
            uses._look(end.value) if end.tail else uses.note_return(end.value)
    uses.close()
    answers = [block.end.answer for block in blocks if isinstance(block.end, Await)]
    return uses.running(), frozenset(name for name in answers if name not in uses.seen)
