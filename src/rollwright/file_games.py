"""A game made of the rules in a file or a module, so that a rule needs no package to be asked for.

Every rule is a kind of roll, with a field for each of its arguments; every function of one
argument can be named as a goal, and as a policy unless it says to be given something else than a
situation. Loading a file runs it: only what somebody names on
their own machine is ever loaded.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import Parameter, Signature, iscoroutinefunction, signature
from pathlib import Path
from types import FunctionType, ModuleType, NoneType, UnionType, new_class
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from rollwright.dice import Die, Outcome, Pool
from rollwright.engine.rerolls import Rerolls
from rollwright.engine.steps import Call, Rule, Step
from rollwright.errors import BadField, BadRules, RollwrightError, UnknownName
from rollwright.kit.dice_fields import DICE_KIND, dice_of, dice_text
from rollwright.kit.fields import REQUIRED, Field, Kind, field
from rollwright.kit.games import Game, Goal, Policy, add_game, own_games
from rollwright.kit.requests import Request

WHERE = re.compile(r"(.+\.py|[A-Za-z_][\w.]*):([A-Za-z_]\w*)")
CHECKED = (int, bool, str, Fraction)
UNSAID = (Parameter.empty, object, Any, "object", "Any")
"""Annotations of a parameter that may be anything."""
GAMES = "ROLLWRIGHT_GAME"
"""The variable that names files and folders of games, with commas."""
WORTH = "outcome"
"""The goal of a rule that comes to a number: as much as can be."""


def is_rule_path(text: str) -> bool:
    """Whether a word names a rule: `rules.py:push_roll`, `my_rules.house:push_roll`."""
    return WHERE.fullmatch(text) is not None


def are_rules(files: Collection[str]) -> bool:
    """Whether one of some files has rules that were loaded here, rather than a game."""
    mine = [one for one in _loaded.values() if _game_in(one) is None]
    return any(one.__file__ in files for one in mine)


def rule_path(request: Request) -> str:
    """How the rule behind a request was named: `rules.py:push_roll`; empty for other games."""
    homes = [home for home, game in _games.items() if game.name == request.game]
    return f"{homes[0]}:{request.roll}" if homes else ""


def rules_in(file: str) -> list[str]:
    """The rules that a file of Python has, by their names; the file is read and not run."""
    try:
        tree = ast.parse(Path(file).read_bytes())
    except OSError:
        raise BadRules(file, "there is no such file") from None
    except (SyntaxError, ValueError) as problem:
        raise BadRules(file, "it cannot be read", problem) from None
    found = [one for one in ast.walk(tree) if isinstance(one, ast.AsyncFunctionDef)]
    return [one.name for one in found if any(map(_marks_rule, one.decorator_list))]


def _marks_rule(mark: ast.expr) -> bool:
    """Whether a decorator is `@rule`, or that of a roll of a game: `@game.roll(…)`."""
    called = mark.func if isinstance(mark, ast.Call) else mark
    is_roll = isinstance(called, ast.Attribute) and called.attr == "roll"
    return is_roll or "rule" in (getattr(mark, "id", ""), getattr(mark, "attr", ""))


def find_rule(where: str) -> tuple[Game, str]:
    """The rules that lie beside the one that is named, as a game; and the name of its roll."""
    found = WHERE.fullmatch(where)
    if found is None:
        raise BadRules(where, "a rule is named as rules.py:push_roll or module:push_roll")
    home, name = found.groups()
    game = _game_at(home)
    if name not in game.requests:
        held = getattr(_loaded.get(home), name, None)
        if iscoroutinefunction(held):
            raise BadRules(where, "it is an async function, but no rule: write @rule above it")
        raise UnknownName("rule", name, game.requests)
    return game, name


def is_game_path(text: str) -> bool:
    """Whether a word names the file of a game, or a folder that is a package."""
    return text.endswith(".py") or (Path(text) / "__init__.py").is_file()


def load_game(where: str, *, listed: bool = False) -> Game:
    """The game in a file or in a folder, or the rules of a file as one."""
    path = Path(where)
    if path.is_dir():
        folder = str(path.resolve().parent)
        if folder not in sys.path:
            sys.path.insert(0, folder)
        where = path.resolve().name
    return add_game(_game_at(where), listed=listed)


def load_named_games() -> None:
    """Load the games that the server was started with; in processes that count for it too."""
    for where in filter(None, os.environ.get(GAMES, "").split(",")):
        load_game(where, listed=True)


def _game_at(home: str) -> Game:
    if home not in _games:
        module = _loaded.get(home) or _load(home)
        _loaded[home] = module
        _games[home] = add_game(_game(home, module))
    return _games[home]


def _game_in(module: ModuleType) -> Game | None:
    """The game that a module makes, or the package that it is."""
    made = [one for one in vars(module).values() if isinstance(one, Game)]
    return next((one for one in made if one.package == module.__name__), None)


_loaded: dict[str, ModuleType] = {}
_games: dict[str, Game] = {}


def _load(home: str) -> ModuleType:
    """Run a file, or import a module that lies here or is installed."""
    path = Path(home)
    by_file = home.endswith(".py")
    if by_file and not path.is_file():
        raise BadRules(home, "there is no such file")
    folder = str(path.resolve().parent) if by_file else str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        return _run(path) if by_file else import_module(home)
    except KeyboardInterrupt:
        raise
    except BaseException as problem:  # whatever somebody's file does when it is run
        if isinstance(problem, ModuleNotFoundError) and problem.name == home.partition(".")[0]:
            raise BadRules(home, "there is no module of that name here") from None
        raise BadRules(home, "it cannot be loaded", problem) from problem


def _run(path: Path) -> ModuleType:
    name = path.stem if path.stem.isidentifier() else "rules"
    while name in sys.modules:
        name = f"{name}_"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadRules(str(path), "this is no file of Python")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


class FileGame(Game):
    """Rules as they lie in a file: nothing is wanted of them, and nothing decided, unless said."""

    says_sides = False

    def usual_goal(self, roll: str) -> str:
        """The number that a rule comes to, where it comes to one."""
        return WORTH if WORTH in self.goals_for(roll) else ""

    def usual_policy(self, roll: str) -> str:
        """None: a rule says what can be chosen, not how."""
        return ""


def _game(home: str, module: ModuleType) -> Game:
    if (found := _game_in(module)) is not None:
        return found
    rules = {name: one for name, one in vars(module).items() if isinstance(one, Rule)}
    if not rules:
        raise BadRules(home, "there is no rule in it: an async function with @rule above it")
    name = re.sub(r"\W", "_", Path(home).stem if home.endswith(".py") else home)
    name = f"{name}_rules" if name in own_games() else name.lstrip("_0123456789") or "rules"
    return game_of_rules(module, rules, name, Path(home).name)


def game_of_rules(
    module: ModuleType, rules: Mapping[str, Rule[..., Any]], name: str, title: str
) -> Game:
    """Rules of a module as a game: each a kind of roll, with policies and goals beside them."""
    kinds = {_request(name, one): name for name, one in rules.items()}
    words = {name: one for name, one in vars(module).items() if _decides(one, module)}
    numbers = tuple(kind.roll for kind in kinds if kind.outcome in (int, bool, Fraction))
    goals = {name: Goal(_first_line(one) or name, one) for name, one in words.items()}
    if numbers:
        goals = {WORTH: Goal("as much as can be", _itself, numbers), **goals}
    return FileGame(
        name=name,
        title=title,
        summary=_first_line(module),
        requests={kind: _caller(kind, rules[kinds[kind]]) for kind in kinds},
        policies={
            name: Policy.of(_first_line(one) or name, one)
            for name, one in words.items()
            if _chooses(one)
        },
        goals=goals,
        package=module.__name__,
    )


def _itself(outcome: Outcome) -> Outcome:
    return outcome


def _first_line(thing: object) -> str:
    """The first line of what is said about something where it is written."""
    return ((thing.__doc__ or "").strip().splitlines() or [""])[0]


def _decides(thing: object, module: ModuleType) -> bool:
    """Whether this is a function of one argument, which can decide or say what is wanted."""
    if not isinstance(thing, FunctionType) or thing.__module__ != module.__name__:
        return False
    needed = [p for p in signature(thing).parameters.values() if p.default is Parameter.empty]
    return len(needed) == 1 and not iscoroutinefunction(thing)


def _chooses(decide: FunctionType) -> bool:
    """Whether what a function is given may be a situation, as far as it is said."""
    given = next(p for p in signature(decide).parameters.values() if p.default is Parameter.empty)
    return given.annotation in UNSAID or "Situation" in str(given.annotation)


def _request(name: str, rule: Rule[..., Any]) -> type[Request]:
    """A kind of request with a field for each argument of a rule."""
    try:
        hints = get_type_hints(rule.function, include_extras=True)
    except Exception:  # an annotation that names what is not there; the rule can do without
        hints = {}
    spec = signature(rule.function)
    fields: dict[str, Any] = {}
    for one, about in spec.parameters.items():
        fields[_field_name(one)] = _field_type(hints.get(one, about.annotation), about.default)
    held = {name: preset for name, (_, preset) in fields.items()}

    def body(space: dict[str, Any]) -> None:
        space.update(held)
        space["__annotations__"] = {name: kind for name, (kind, _) in fields.items()}
        space["__module__"] = rule.__module__
        space["__doc__"] = rule.__doc__

    outcome = _outcome(hints.get("return", spec.return_annotation))
    title = name.replace("_", " ")
    how = {"roll": name, "title": title, "outcome": outcome}
    kind: type[Request] = new_class(name, (Request,), how, body)
    return kind


def _field_name(name: str) -> str:
    """Return the field name of an argument; requests have some names for themselves."""
    return f"{name}_" if hasattr(Request, name) or name == "house" else name


def _outcome(returned: Any) -> type:
    """Return the type of a rule's outcome, as far as its annotation has it."""
    parts = get_args(returned) if get_origin(returned) in (Union, UnionType) else (returned,)
    plain = [p for p in parts if not issubclass(get_origin(p) or _type(p), Step)]
    return _type(get_origin(plain[0]) or plain[0]) if plain else object


def _type(hint: Any) -> type:
    return hint if isinstance(hint, type) and hint is not Signature.empty else object


def _field_type(hint: Any, default: Any) -> tuple[Any, Any]:
    """The type of a field and what it is preset with; a list is held as a tuple.

    `Annotated[int, range(1, 9)]` and `Literal[1, 2, 3]` are numbers with their bounds.
    """
    if bounds := _bounds(hint):
        preset = REQUIRED if default is Parameter.empty else default
        gaps = len(bounds) <= bounds[-1] - bounds[0]
        about = field(
            preset, help=_note(hint), low=bounds[0], high=bounds[-1], in_order=gaps and bounds
        )
        return int, about
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    if get_origin(hint) is list:
        hint = tuple[(*get_args(hint), ...)]  # type: ignore[misc]
    if isinstance(default, (list, set)):
        default = tuple(default)
    if hint is Parameter.empty and type(default) in CHECKED:
        hint = type(default)
    if _is_dice_list(hint):
        several = Kind("dice", _as_dice_list, _text, "dice such as d6,d8")
        return Annotated[str, several], _dice_list_text(default)
    if _is_dice(hint) or isinstance(default, (Die, Pool)):
        preset = _dice_text(default)
        return Annotated[str, DICE_KIND], preset
    if _is_field_type(hint):
        return hint, field(REQUIRED if default is Parameter.empty else default, help="")
    preset = REQUIRED if default is Parameter.empty else default
    anything = Kind("typed", _as_it_is, _text, "a number, dice, or a word")
    return Annotated[str, anything], field(preset, help="")


def _bounds(hint: Any) -> tuple[int, ...]:
    """The numbers that a hint allows, in order; nothing where it does not say."""
    if get_origin(hint) is Annotated and get_args(hint)[0] is int:
        marks = [mark for mark in get_args(hint)[1:] if isinstance(mark, range)]
        return tuple(sorted(marks[0])) if marks else ()
    numbers = get_args(hint) if get_origin(hint) is Literal else ()
    return tuple(sorted(numbers)) if all(type(one) is int for one in numbers) else ()


def _note(hint: Any) -> str:
    """Return the words in an argument's annotation."""
    marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next((mark for mark in marks if isinstance(mark, str)), "")


def _is_dice(hint: Any) -> bool:
    parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return bool(parts) and all(part in (Die, Pool, Rerolls, NoneType) for part in parts)


def _is_dice_list(hint: Any) -> bool:
    parts = [part for part in get_args(hint) if part is not Ellipsis]
    return get_origin(hint) is tuple and bool(parts) and all(part is Die for part in parts)


def _is_field_type(hint: Any) -> bool:
    origin = get_origin(hint)
    if origin is Literal:
        return all(isinstance(word, str) for word in get_args(hint))
    if origin in (tuple, Union, UnionType):
        parts = [part for part in get_args(hint) if part not in (Ellipsis, NoneType)]
        return bool(parts) and all(_is_field_type(part) for part in parts)
    return hint in CHECKED


def _dice_text(default: Any) -> Any:
    """Dice that are preset, as they would be typed; odd ones have to be given."""
    dice = Pool([default]) if isinstance(default, Die) else default
    if not isinstance(dice, Pool):
        return field(REQUIRED if default is Parameter.empty else default, help="")
    return field(dice_text(dice) or REQUIRED, help="")


def _dice_list_text(default: Any) -> Any:
    """Several dice that are preset, as they would be typed."""
    if not isinstance(default, tuple) or not all(isinstance(die, Die) for die in default):
        return field(REQUIRED, help="")
    return field(",".join(f"d{len(die.faces)}" for die in default), help="")


def _text(_: Field) -> dict[str, Any]:
    return {"type": ["string", "integer"]}


def _as_dice_list(about: Field, value: object) -> str:
    if not isinstance(value, str) or None in map(dice_of, value.split(",")):
        raise BadField(about.name, f"{value!r} are no dice", would_do="d6,d8")
    return value


def _as_it_is(about: Field, value: object) -> object:
    return value


def _caller(kind: type[Request], rule: Rule[..., Any]) -> Callable[[Any], Call[Outcome]]:
    """Return a function that calls a rule with the fields of a request."""
    try:
        hints: Mapping[str, Any] = get_type_hints(rule.function)
    except Exception:  # as above
        hints = {}

    def call(request: Request) -> Call[Outcome]:
        held = {name: getattr(request, _field_name(name)) for name in rule.arguments}
        given = {name: _value_for(value, hints.get(name)) for name, value in held.items()}
        try:
            return rule(**given)
        except RollwrightError:
            raise
        except Exception as problem:
            raise BadRules(rule.name, "it does not take this", problem) from problem

    return call


def _value_for(value: Any, hint: Any) -> Any:
    """Return the value of an argument's text, as the rule wants it."""
    if not isinstance(value, str) or hint is str or get_origin(hint) is Literal:
        return value
    if get_origin(hint) in (list, tuple) and Die in get_args(hint):
        pools = [dice_of(part) or Pool() for part in value.split(",")]
        return tuple(die for pool in pools for die in pool)
    dice = dice_of(value)
    if dice is not None:
        return dice.dice[0] if dice.size == 1 and hint is not Pool else dice
    return int(value) if re.fullmatch(r"-?\d{1,15}", value) else value
