"""Reads an AnyDice program: tokens to statements, operators by how tightly they bind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rollwright.anydice.errors import AnyDiceError, Span
from rollwright.anydice.tokens import ProgramToken, tokens_of
from rollwright.anydice.tree import (
    Assign,
    Binary,
    Braces,
    FunctionCall,
    FunctionDefinition,
    FunctionParameter,
    If,
    Loop,
    NumberLiteral,
    Output,
    Pattern,
    Range,
    Repetition,
    ResultStatement,
    Set,
    Statement,
    Unary,
    Value,
    Variable,
)

LEVELS = (
    ("&", "|"),
    ("=", "!=", "<", "<=", ">", ">="),
    ("+", "-"),
    ("*", "/"),
    ("^",),
    ("@",),
    ("d",),
)
"""Operators from the loosest to the tightest; those of one level are taken from the left."""
BEFORE = ("-", "+", "!", "#", "d")
"""Operators with one value, which bind more tightly than all others."""
CLOSES = {"{": "}", "(": ")", "[": "]"}
TAKES = ("n", "s", "d", "?")
DEEPEST = 60
"""Levels of braces, brackets, parentheses and signs inside each other."""


def parse(text: str) -> tuple[Statement, ...]:
    """The statements of a program.

    >>> [type(statement).__name__ for statement in parse("X: 3d6  output X + 1")]
    ['Assign', 'Output']
    """
    return _ProgramParser(text).program()


class _ProgramParser:
    """A place among the tokens, and what can be read from there."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens_of(text)
        self.place = 0
        self.depth = 0
        self.inside: list[str] = []
        """The functions, conditions and loops around, the innermost last."""
        self.starts: dict[str, Callable[[], Statement]] = {
            "output": self.output,
            "function": self.function,
            "if": self.condition,
            "loop": self.loop,
            "set": self.setting,
            "result": self.result,
        }

    @property
    def token(self) -> ProgramToken:
        """The next token."""
        return self.tokens[self.place]

    def refusal(self, code: str, span: Span | None = None, **values: str | int) -> AnyDiceError:
        """Return an error here."""
        return AnyDiceError(code, self.text, span or self.token.span, **values)

    def take(self) -> ProgramToken:
        """Return the next token, and go on."""
        token = self.token
        self.place += 1
        return token

    def is_next(self, *kinds: str) -> bool:
        """Whether one of these signs comes next."""
        return self.token.kind in kinds

    def is_word(self, word: str) -> bool:
        """Whether this word comes next."""
        return self.token.kind == "word" and self.token.text == word

    def expect(self, kind: str) -> ProgramToken:
        """This sign, or a refusal that names it."""
        if not self.is_next(kind):
            raise self.refusal("expected", wanted=kind, came=self.next_text())
        return self.take()

    def expect_word(self, word: str) -> None:
        """This word, or a refusal that names it."""
        if not self.is_word(word):
            raise self.refusal("expected", wanted=word, came=self.next_text())
        self.take()

    def next_text(self) -> str:
        """Return the unexpected token for an error; no real token has the text `end`."""
        return "end" if self.token.kind == "end" else self.token.text or '""'

    def deeper(self) -> None:
        """One level further in; only so deep."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.refusal("deep", most=DEEPEST)

    def program(self) -> tuple[Statement, ...]:
        """All statements, to the end."""
        found = []
        while not self.is_next("end"):
            found.append(self.statement())
        return tuple(found)

    def statement(self) -> Statement:
        """One statement."""
        token = self.token
        if token.kind == "variable" and self.tokens[self.place + 1].kind == ":":
            return self.assignment()
        if token.kind == "word" and token.text in self.starts:
            return self.starts[token.text]()
        if token.kind == "variable":
            raise self.refusal("value-alone", name=token.text)
        if token.kind in ("number", "d", "(", "[", "{", "text") or token.kind in BEFORE:
            raise self.refusal("output-missing")
        raise self.refusal("statement", came=self.next_text())

    def assignment(self) -> Assign:
        """`X: value`."""
        name = self.take()
        self.expect(":")
        return Assign(name.text, self.value(), name.span)

    def output(self) -> Output:
        """`output value named "text"`."""
        start = self.take()
        if "function" in self.inside:
            raise self.refusal("not-inside", start.span, what="output")
        value = self.value()
        name = None
        if self.is_word("named"):
            self.take()
            name = self.expect("text").text
        return Output(value, name, start.span)

    def setting(self) -> Set:
        """`set "name" to value`."""
        start = self.take()
        if "function" in self.inside:
            raise self.refusal("not-inside", start.span, what="set")
        name = self.expect("text").text
        self.expect_word("to")
        if self.is_next("text"):
            return Set(name, self.take().text, start.span)
        return Set(name, self.value(), start.span)

    def function(self) -> FunctionDefinition:
        """`function: words and places { … }`."""
        start = self.take()
        if "function" in self.inside:
            raise self.refusal("not-inside", start.span, what="function")
        self.expect(":")
        pattern: list[str | None] = []
        parameters: list[FunctionParameter] = []
        while not self.is_next("{"):
            if self.is_next("word"):
                pattern.append(self.take().text)
            elif self.is_next("variable"):
                parameters.append(self.parameter())
                pattern.append(None)
            else:
                raise self.refusal("function-name", came=self.next_text())
        body = self.block("function")
        return FunctionDefinition(tuple(pattern), tuple(parameters), body, start.span)

    def parameter(self) -> FunctionParameter:
        """A place of a function: `A`, or with what it takes, `A:n`."""
        name = self.take()
        if not self.is_next(":"):
            return FunctionParameter(name.text, "?")
        self.take()
        if self.token.text not in TAKES:
            raise self.refusal("parameter-kind", came=self.next_text())
        return FunctionParameter(name.text, self.take().text)

    def condition(self) -> If:
        """`if value { … } else if value { … } else { … }`."""
        start = self.take()
        cases = [(self.value(), self.block("if"))]
        otherwise: tuple[Statement, ...] = ()
        while self.is_word("else"):
            self.take()
            if not self.is_word("if"):
                otherwise = self.block("if")
                break
            self.take()
            cases.append((self.value(), self.block("if")))
        return If(tuple(cases), otherwise, start.span)

    def loop(self) -> Loop:
        """`loop X over sequence { … }`."""
        start = self.take()
        name = self.expect("variable").text
        self.expect_word("over")
        return Loop(name, self.value(), self.block("loop"), start.span)

    def result(self) -> ResultStatement:
        """`result: value`, the last of its block."""
        start = self.take()
        if "function" not in self.inside:
            raise self.refusal("result-outside", start.span)
        self.expect(":")
        value = self.value()
        if not self.is_next("}"):
            raise self.refusal("after-result", came=self.next_text())
        return ResultStatement(value, start.span)

    def block(self, around: str) -> tuple[Statement, ...]:
        """Statements in braces."""
        opened = self.expect("{")
        self.deeper()
        self.inside.append(around)
        found = []
        while not self.is_next("}"):
            if self.is_next("end"):
                raise self.refusal("unclosed", opened.span, what="{")
            found.append(self.statement())
        self.take()
        self.inside.pop()
        self.depth -= 1
        return tuple(found)

    def value(self, level: int = 0) -> Value:
        """A value whose operators bind at least as tightly as those of a level."""
        if level == len(LEVELS):
            return self.unary()
        left = self.value(level + 1)
        while self.is_next(*LEVELS[level]):
            sign = self.take()
            right = self.value(level + 1)
            left = Binary(sign.kind, left, right, (left.span[0], right.span[1]))
        return left

    def unary(self) -> Value:
        """Return a value with the signs before it."""
        if not self.is_next(*BEFORE):
            return self.single()
        sign = self.take()
        self.deeper()
        value = self.unary()
        self.depth -= 1
        return Unary(sign.kind, value, (sign.span[0], value.span[1]))

    def single(self) -> Value:
        """A number, a variable, a sequence, a call, or a value in parentheses."""
        token = self.token
        if token.kind == "number":
            return NumberLiteral(int(self.take().text), token.span)
        if token.kind == "variable":
            return Variable(self.take().text, token.span)
        if token.kind not in CLOSES:
            raise self.refusal(
                "text-value" if token.kind == "text" else "value", came=self.next_text()
            )
        self.deeper()
        self.take()
        found = self.within(token)
        self.depth -= 1
        return found

    def within(self, opened: ProgramToken) -> Value:
        """Return the content of braces, brackets or parentheses, to where they close."""
        if opened.kind == "(":
            found = self.value()
            return replace(found, span=(opened.span[0], self.close(opened)))
        if opened.kind == "{":
            items = self.items(opened)
            return Braces(items, (opened.span[0], self.close(opened)))
        pattern, values = self.call(opened)
        return FunctionCall(pattern, values, (opened.span[0], self.close(opened)))

    def close(self, opened: ProgramToken) -> int:
        """Close what was opened, and return its end."""
        if not self.is_next(CLOSES[opened.kind]):
            if self.is_next("end"):
                raise self.refusal("unclosed", opened.span, what=opened.kind)
            raise self.refusal("expected", wanted=CLOSES[opened.kind], came=self.next_text())
        return self.take().span[1]

    def items(self, opened: ProgramToken) -> tuple[Value | Range | Repetition, ...]:
        """Return the items of a sequence."""
        found: list[Value | Range | Repetition] = []
        while not self.is_next("}"):
            if self.is_next("end"):
                raise self.refusal("unclosed", opened.span, what="{")
            found.append(self.item())
            if not self.is_next("}", "end"):
                self.expect(",")
        return tuple(found)

    def item(self) -> Value | Range | Repetition:
        """A value, a range, or either of them several times."""
        first = self.value()
        item: Value | Range = first
        if self.is_next(".."):
            self.take()
            last = self.value()
            item = Range(first, last, (first.span[0], last.span[1]))
        if self.is_next(":"):
            self.take()
            times = self.value()
            return Repetition(item, times, (first.span[0], times.span[1]))
        return item

    def call(self, opened: ProgramToken) -> tuple[Pattern, tuple[Value, ...]]:
        """The words of a call and its values."""
        pattern: list[str | None] = []
        values: list[Value] = []
        while not self.is_next("]"):
            if self.is_next("end"):
                raise self.refusal("unclosed", opened.span, what="[")
            if self.is_next("word"):
                pattern.append(self.take().text)
            else:
                values.append(self.value())
                pattern.append(None)
        return tuple(pattern), tuple(values)
