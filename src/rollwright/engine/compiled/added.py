"""Which variables of a function are only added to along the way, as far as its tree says so.

Such a variable is read where something is added to it and where the function returns, and nowhere
else: no test, no call and no await reads it. That is only a first sight; what is proved is proved
by the numbers themselves (`running`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from rollwright.engine.compiled.blocks import Await, Block, Branch, Return

Names = frozenset[str]
_ADDS = (ast.Add, ast.Sub)


class _Uses:
    """Where the values of variables go to: into which others, or where they are looked at."""

    def __init__(self) -> None:
        self.into: dict[str, set[str]] = {}
        self.seen: set[str] = set()

    def _look(self, node: ast.AST | None) -> None:
        """Something that may read its variables in any way."""
        if node is not None:
            self.seen.update(one.id for one in ast.walk(node) if isinstance(one, ast.Name))

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

    def returned(self, node: ast.expr | None) -> None:
        """What a function returns."""
        if isinstance(node, ast.Tuple):
            for each in node.elts:
                self.returned(each)
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
            self.returned(node.value)
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

    def added(self) -> Names:
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
            uses._look(end.value) if end.tail else uses.returned(end.value)
    uses.close()
    answers = [block.end.answer for block in blocks if isinstance(block.end, Await)]
    return uses.added(), frozenset(name for name in answers if name not in uses.seen)
