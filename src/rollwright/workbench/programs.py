"""A program: run line by line on its user's own machine, with what its lines show.

This runs anything that somebody has written. It is for the Python of a browser and for somebody's
own process, never for a server. Counting has a budget; an endless loop in a program is for the one
who runs it to end, since nothing in here can.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from io import StringIO
from itertools import islice
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from rollwright.budget import Budget
from rollwright.engine.values import register_game
from rollwright.errors import RollwrightError
from rollwright.kit.games import Game, add_game, remove_game, settle_known_games
from rollwright.notation import as_rule
from rollwright.queries.games import summary_of
from rollwright.queries.hints import roll_hints
from rollwright.queries.roll_specs import of_expression
from rollwright.workbench import prelude, rules, texts
from rollwright.workbench.outputs import odds_of, odds_output, output_of, text_output
from rollwright.workbench.problems import (
    ABOVE,
    FILE,
    foreign,
    foreign_wrong,
    msg,
    problem_of,
    slip_of,
    unread,
)
from rollwright.workbench.rules import NAME, RuleArguments

if TYPE_CHECKING:
    from rollwright.anydice import OutputOdds as AnyDiceShown
    from rollwright.queries.kinds import AnyDiceQuery
    from rollwright.workbench.kinds import Example, ProgramQuery
    from rollwright.workbench.shapes import (
        AnyDiceDrawn,
        Output,
        OutputPlace,
        Printed,
        ProblemShown,
        ProgramAnswer,
        RuleShown,
        TextPlace,
    )

MOST_OUTPUTS, MOST_PROBLEMS, MOST_PRINTED, LONGEST_NAME = 60, 50, 20_000, 120
FUTURE = "__future__"


class Loaded(NamedTuple):
    """A program that was run: what it left behind, and what its lines showed."""

    text: texts.ProgramText
    module: ModuleType
    rules: Game | None
    """Its rules as a game, if there are any."""
    games: tuple[Game, ...]
    outputs: list[Output]
    problems: list[ProblemShown]
    printed: Printed
    shown: frozenset[str]
    """Names that its code uses beside where they are made: rules among them show no more."""
    parts: frozenset[str]
    """Names that its code awaits: a rule that needs values and is only a part of another has no
    panel.
    """


_current: Loaded | None = None


def program(question: ProgramQuery, budget: Budget) -> ProgramAnswer:
    """Return the output of a program."""
    allowance = _Allowance(budget)
    loaded = run(question.text, allowance, question.view)
    given = RuleArguments(
        cast("Any", _by_rule(question.arguments)), _texts(question.policies), question.view
    )
    found = _answer(loaded, given, allowance)
    if found["problems"] and (other := foreign(loaded.text)) is not None:
        found["problems"], found["outputs"] = [other], []
        try:
            for output in _worked_out(loaded.text.whole, other, question.view, allowance):
                found["outputs"].append(output)
        except RollwrightError as problem:
            found["problems"].append(foreign_wrong(problem, other))
    return found


def _worked_out(text: str, at: ProblemShown, view: Any, allowance: _Allowance) -> Iterator[Output]:
    """Yield the outputs of an AnyDice program."""
    from rollwright.anydice import run as run_anydice

    place = texts.text_place(at["line"])
    yield from _draw_outputs(run_anydice(text, allowance.each()).outputs, place, view)


def _draw_outputs(
    outputs: tuple[AnyDiceShown, ...], place: TextPlace, view: Any
) -> Iterator[Output]:
    """Outputs of AnyDice with their pictures, one by one and side by side."""
    from rollwright.queries.odds import named_odds

    found = named_odds(outputs)
    for name, odds in islice(found.items(), MOST_OUTPUTS):
        yield odds_output(odds, _at(place, name), view)
    if 1 < len(found) < MOST_OUTPUTS and (
        beside := output_of(found, _at(place, msg("compared.all")), view)
    ):
        yield beside


def from_anydice(question: AnyDiceQuery, budget: Budget) -> AnyDiceDrawn:
    """Return `ask`'s answer to an AnyDice program, with the outputs of a program of ours."""
    from rollwright.anydice import run as run_anydice
    from rollwright.queries.odds import anydice_answer

    found = run_anydice(question.text, budget)
    drawn = [*_draw_outputs(found.outputs, texts.text_place(1), "each")]
    return {**anydice_answer(question.text, found), "drawn": drawn}


def example(question: Example, budget: Budget) -> ProgramAnswer:
    """Return the output of an example, once those above it have been run."""
    allowance = _Allowance(budget)
    loaded = _run(_ProgramRun(texts.plain(question.text), allowance, "each", question.above or ()))
    return _answer(loaded, RuleArguments({}, {}), allowance)


def _answer(loaded: Loaded, given: RuleArguments, allowance: _Allowance) -> ProgramAnswer:
    """Return the output of a program's lines, and its rules by themselves if no line has them."""
    told: list[RuleShown] = []
    outputs, problems = [*loaded.outputs], [*loaded.problems]
    if loaded.rules is not None:
        for one in rules.describe_rules(loaded.rules, loaded.module, given, allowance.each):
            name = one.rule["name"]
            if name in loaded.parts and one.rule["missing"] and name not in given.arguments:
                continue
            told.append(one.rule)
            if name not in loaded.shown or name in given.arguments or name in given.policies:
                outputs += one.outputs
                problems += _failures(one, loaded)
    return {
        "outputs": outputs[:MOST_OUTPUTS],
        "rules": told,
        "games": [summary_of(game) for game in loaded.games],
        "problems": problems[:MOST_PROBLEMS],
        "printed": loaded.printed,
        "spent": allowance.steps,
    }


def _failures(told: rules.RuleDescription, loaded: Loaded) -> Iterator[ProblemShown]:
    """Yield the problems of a rule that nobody has called."""
    if told.failed is not None:
        where = texts.text_place(told.rule["line"])
        yield problem_of(told.failed, loaded.text, vars(loaded.module), where)


def load(text: str, budget: Budget) -> Loaded:
    """The program of that text, run unless it is the one that was run last."""
    if _current is None or _current.text.whole != text:
        return run(text, _Allowance(budget), "each")
    return _current


def run(text: str, allowance: _Allowance, view: Any) -> Loaded:
    """Run a program, and make its rules and games known; those of the last one are forgotten."""
    return _run(_ProgramRun(texts.read(text, prelude.words()), allowance, view))


def _run(program: _ProgramRun) -> Loaded:
    global _current
    if _current is not None:
        for game in (*_current.games, *filter(None, [_current.rules])):
            remove_game(game.name)
    _current = program.load()
    return _current


class _Allowance:
    """The work that each output may take, and what all of them took."""

    def __init__(self, budget: Budget) -> None:
        self._whole = budget
        self._given: list[Budget] = []

    def each(self) -> Budget:
        """A budget for one output."""
        self._given.append(Budget(self._whole.work, progress=self._whole.progress))
        return self._given[-1]

    @property
    def steps(self) -> int:
        """The steps spent so far."""
        return sum(one.spent for one in self._given)


class _Printed(StringIO):
    """Output that a program prints, as far as there is room."""

    left_out = 0

    def write(self, text: str) -> int:
        room = max(MOST_PRINTED - self.tell(), 0)
        self.left_out += max(len(text) - room, 0)
        super().write(text[:room])
        return len(text)

    def close(self) -> None:
        """A program may close what it prints to: what it printed is still there."""

    @property
    def plain(self) -> Printed:
        return {"text": self.getvalue(), "left_out": self.left_out}


class _ProgramRun:
    """A program while it runs."""

    def __init__(
        self,
        text: texts.ProgramText,
        allowance: _Allowance,
        view: Any,
        above: tuple[str, ...] | None = None,
    ) -> None:
        self.text, self.allowance, self.view = text, allowance, view
        self.above = above
        self.module = ModuleType(NAME)
        self.names = vars(self.module)
        self.names.update(prelude.words())
        self.outputs: list[Output] = []
        self.problems: list[ProblemShown] = []
        self.printed = _Printed()
        self.tree = ast.Module([], [])
        self.flags = 0

    def load(self) -> Loaded:
        """Run the lines of dice, then Python statement by statement."""
        sys.modules[NAME] = self.module
        register_game(NAME, NAME)  # what the last program called so is not meant any more
        lines = self.text.whole.splitlines(keepends=True)
        linecache.cache[FILE] = (len(self.text.whole), None, lines, FILE)
        for text in self.above or ():
            self._unseen(text)
        with redirect_stdout(self.printed):
            self._head()
            self._python()
            known, games = self._games()
        settle_known_games()  # it may have called a game of its own as another is called
        return Loaded(
            self.text,
            self.module,
            known,
            games,
            self.outputs,
            self.problems,
            self.printed.plain,
            frozenset(_name_uses(self.tree)),
            frozenset(_name_calls(self.tree)),
        )

    def _unseen(self, text: str) -> None:
        """Run an example above: only its names count; its output is shown in its own place."""
        flags = 0
        with redirect_stdout(StringIO()), suppress(SyntaxError, ValueError):
            for node in ast.parse(text, ABOVE).body:
                if isinstance(node, ast.ImportFrom) and node.module == FUTURE:
                    flags |= _future_flags(node)
                code = compile(ast.Module([node], []), ABOVE, "exec", flags, dont_inherit=True)
                with suppress(Exception, SystemExit), self.allowance.each():
                    exec(code, self.names)

    def _head(self) -> None:
        """The dice expressions, each by itself, and all of them side by side."""
        dists = {}
        for line in self.text.head:
            at = _at(line.place, line.name or line.expression)
            try:
                with self.allowance.each():
                    dist = odds_of(as_rule(line.expression))
                    assert dist is not None
                    output = odds_output(dist, at, self.view)
                    output["remarks"] = roll_hints(of_expression(line.expression)).get(
                        "remarks", []
                    )
                    self.outputs.append(output)
                    dists[at["name"]] = dist
            except Exception as problem:
                self.problems.append(unread(problem, line))
        if len(dists) > 1:
            self._show(dists, _at(self.text.head[0].place, msg("compared.all")))

    def _python(self) -> None:
        try:
            self.tree = ast.parse(self.text.python, FILE)
        except (SyntaxError, ValueError) as problem:
            self.problems.append(slip_of(problem, self.text))
            return
        except (RecursionError, MemoryError) as problem:
            self._add_problem(problem, texts.text_place(1))
            return
        self.module.__doc__ = ast.get_docstring(self.tree)
        start = 1 if self.module.__doc__ is not None else 0
        for node in self.tree.body[start:]:
            if not self._statement(node):
                break

    def _statement(self, node: ast.stmt) -> bool:
        """Run a statement; whether the next one may follow. A line that only shows may fail."""
        if isinstance(node, ast.ImportFrom) and node.module == FUTURE:
            self.flags |= _future_flags(node)
        shows, where = isinstance(node, ast.Expr), self.text.place_of(node)
        try:
            with self.allowance.each():
                value = self._value(node)
                if shows and len(self.outputs) < MOST_OUTPUTS:
                    called = self.text.title_of(cast("ast.Expr", node).value)
                    self._show(value, _at(where, called))
        except KeyboardInterrupt:
            raise
        except SyntaxError as problem:
            self.problems.append(slip_of(problem, self.text))
            return False
        except BaseException as problem:  # whatever somebody has written
            self._add_problem(problem, where)
            return shows and not isinstance(problem, SystemExit)
        return True

    def _value(self, node: ast.stmt) -> object:
        if isinstance(node, ast.Expr):
            return eval(self._compile(ast.Expression(node.value), "eval"), self.names)
        exec(self._compile(ast.Module([node], []), "exec"), self.names)
        return None

    def _compile(self, tree: ast.Module | ast.Expression, mode: str) -> CodeType:
        return cast("CodeType", compile(tree, FILE, mode, self.flags, dont_inherit=True))

    def _show(self, value: object, at: OutputPlace) -> None:
        try:
            output = output_of(value, at, self.view)
        except RollwrightError:
            if self.above is None:
                raise
            output = text_output(value, at)  # an example has no more to say than Python itself
        if output is not None:
            self.outputs.append(output)

    def _add_problem(self, problem: BaseException, where: TextPlace) -> None:
        self.problems.append(problem_of(problem, self.text, self.names, where))

    def _games(self) -> tuple[Game | None, tuple[Game, ...]]:
        """The rules as a game, and the games that were written; both are known by name now."""
        known, own = None, dict[str, Game]()
        with self._noting():
            if (known := rules.as_game(self.module, msg("program"))) is not None:
                add_game(known)
        for name, one in list(self.names.items()):
            if isinstance(one, Game) and one.package == NAME and one is not known:
                with self._noting(name):
                    own[one.name] = add_game(one)
        return known, tuple(own.values())

    @contextmanager
    def _noting(self, name: str = "") -> Iterator[None]:
        """Note what goes wrong, at the line in which a name is given something."""
        try:
            yield
        except Exception as problem:
            nodes = [node for node in self.tree.body if isinstance(node, ast.Assign)]
            found = [node for node in nodes if name in map(ast.unparse, node.targets)]
            where = self.text.place_of(found[0]) if found else texts.text_place(1)
            self._add_problem(problem, where)


def _at(place: TextPlace, name: str) -> OutputPlace:
    """Return the place of an output, with its name."""
    return {**place, "name": name[:LONGEST_NAME], "rule": ""}


def _future_flags(node: ast.ImportFrom) -> int:
    import __future__

    return sum(
        getattr(__future__, alias.name).compiler_flag
        for alias in node.names
        if hasattr(__future__, alias.name)
    )


def _name_uses(tree: ast.Module) -> Iterator[str]:
    """The names that a program uses, beside those that it only makes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id


def _name_calls(tree: ast.Module) -> Iterator[str]:
    """The names that a program calls and awaits."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Await) and isinstance(node.value, ast.Call):
            yield ast.unparse(node.value.func)


def _by_rule(given: Any) -> dict[str, dict[str, Any]]:
    """Values by rule and argument; what is no mapping says nothing."""
    return {name: held for name, held in (given or {}).items() if isinstance(held, dict)}


def _texts(given: Any) -> dict[str, str]:
    return {name: held for name, held in (given or {}).items() if isinstance(held, str)}
