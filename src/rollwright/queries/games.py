"""Games as data: everything that a form, a sheet or another program needs to know about one.

And what games are asked themselves: their own questions, with the answers written out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from fractions import Fraction
from functools import partial
from types import NoneType, UnionType
from typing import TYPE_CHECKING, TypeAlias, Union, cast, get_args, get_origin

from rollwright.engine.best.policies import Advice
from rollwright.engine.values import field_names, value_to_json
from rollwright.errors import BadCatalog, BrokenGame, RollwrightError, UnknownName
from rollwright.exact import Dist
from rollwright.exact.text import digits
from rollwright.i18n.catalogs import words_of
from rollwright.i18n.messages import HOUSE
from rollwright.jsonable import EXACT_IN_EVERY_PARSER, Json, canonical_json
from rollwright.kit.card.pages import card_to_json
from rollwright.kit.fields import Field, Value, fields_of, types_in
from rollwright.kit.games import Game, find_game, games_there
from rollwright.kit.questions import Chance, Question, Unit, Verdict
from rollwright.kit.requests import Request, field_to_json
from rollwright.kit.titles import first_title, question_title, summary, unit_title
from rollwright.kit.words import format_option
from rollwright.pictures.charts import format_amount
from rollwright.pictures.outcomes import format_field
from rollwright.pictures.themes import preview_to_json
from rollwright.queries.measures import as_float, fraction, prices_in

if TYPE_CHECKING:
    from rollwright.budget import Budget
    from rollwright.i18n.parser import Compiled
    from rollwright.queries import schemas
    from rollwright.queries.kinds import DescribeQuery, GameQuestionQuery

DEEPEST = 6
Units: TypeAlias = Callable[[str], str]
"""Function from a unit to its title."""


def describe(question: DescribeQuery, budget: Budget) -> schemas.GameAnswer | schemas.GamesAnswer:
    """All games in short, or one with everything."""
    if question.game is not None:
        return _describe(find_game(question.game), question.language or "")
    games, broken = games_there()
    return {
        "games": [summary_of(game) for game in games],
        "broken": [{"name": one.name, "problem": str(one)} for one in broken],
    }


def _describe(game: Game, language: str) -> schemas.GameAnswer:
    """Everything about a game; where that is no data that can be sent, the game is broken."""
    try:
        found = game_plain(game, language)
        canonical_json(found)
    except BadCatalog:
        raise
    except Exception as problem:  # whatever somebody has written in place of a part of a card
        raise BrokenGame(game.name, problem) from problem
    return found


def summary_of(game: Game) -> schemas.GameSummary:
    """A game in short."""
    rolls = [_roll_name(kind) for kind in game.requests.values()]
    has_trial = game.card.trial is not None
    found: schemas.GameSummary = {
        **_game_name(game),
        "rolls": rolls,
        "trial": has_trial,
        "face": _face(game),
    }
    found["summary"] = summary(game)
    return found


def _face(game: Game) -> dict[str, dict[str, str]]:
    """The face of a game; one whose look is none is known by its title alone."""
    try:
        return preview_to_json(game.card.theme)
    except Exception:  # whatever somebody has written in place of a theme
        return {}


def _game_name(game: Game) -> schemas.GameName:
    return {"name": game.name, "title": game.title, "summary": game.summary}


SAID_HERE = (
    *("discord.", "game.", "goal.", "history.", "luck.", "more.", "notation.", "refused.goal."),
    *("client.", "refused.policy.", "saved.", "server.", "table.", "verify."),
)
"""How words of all begin that a server says itself: no page needs them, and a game may have names
of its own there."""


def _words(game: Game, language: str) -> dict[str, Compiled]:
    """All that a page says of a game: in its own words, and in those that all games share."""
    house = words_of(HOUSE).compile(language).items()
    shared = {id: text for id, text in house if not id.startswith(SAID_HERE)}
    return shared | (game.words.compile(language) if game.words.own else {})


def _roll_name(kind: type[Request]) -> schemas.RollKindName:
    return {"roll": kind.roll, "title": kind.title, "version": kind.version}


def game_plain(game: Game, language: str = "") -> schemas.GameAnswer:
    """Everything about a game, with its words in a language."""
    words = _words(game, language) if language else {}
    return {
        **_game_name(game),
        "default_roll": game.default_roll,
        "rolls": {roll: _roll(game, kind) for roll, kind in game.requests.items()},
        "policies": _policies(game),
        "default_policy": game.default_policy,
        "goals": {
            name: {"title": goal.title, "rolls": list(goal.rolls)}
            for name, goal in game.goals.items()
        },
        "default_goal": game.default_goal,
        "house": _house(game),
        "card": card_to_json(game),
        "words": cast("dict[str, Json]", words),
        "languages": game.words.own_languages,
        "sheet": _sheet(game.sheet),
        "shared": _sheet(game.shared),
        "icons": {str(face): icon for face, icon in game.icons.items()},
        "rulebook": [
            {"line": f"{game.prefix} {name}", "text": line.text, "guidance": line.guidance}
            for name, line in game.rulebook.items()
        ],
        "questions": {name: _question(asked) for name, asked in game.questions.items()},
    }


def _question(question: Question) -> schemas.QuestionDescription:
    """One of the game's own questions, and what it wants to know; requests are described above."""
    arguments = question.arguments.values()
    return {
        "title": question.title,
        "arguments": [field_plain(about, depth=0) for about in arguments],
    }


def _roll(game: Game, kind: type[Request]) -> schemas.RollDescription:
    goals = [name for name, goal in game.goals.items() if not goal.rolls or kind.roll in goal.rolls]
    outcome = field_names(kind.outcome) or ()
    prices = prices_in(game)
    return {
        **_roll_name(kind),
        "help": _first_line(kind),
        "fields": _fields(kind),
        "outcome": [
            {
                "name": name,
                "title": name.replace("_", " "),
                "cost": prices[name].title if name in prices else None,
            }
            for name in outcome
        ],
        "goals": goals,
    }


def _policies(game: Game) -> dict[str, schemas.PolicyDescription]:
    known: dict[str, schemas.PolicyDescription] = {
        name: {"title": policy.title, "argument": policy.argument}
        for name, policy in game.policies.items()
    }
    known["best"] = {"title": "play best for a goal", "argument": "GOAL"}
    return known


def _house(game: Game) -> schemas.HouseRulesDescription:
    return {"fields": [_switch(about) for about in fields_of(game.house).values()]}


def _switch(about: Field) -> schemas.HouseRuleDescription:
    """A house rule with what each of its settings means."""
    readings = about.more.get("readings") or {}
    shows = about.more.get("shows")
    return {
        **field_plain(about),
        "code": about.more.get("code", ""),
        "readings": [
            {"value": field_to_json(setting), "said": format_field(setting), "text": text}
            for setting, text in readings.items()
        ],
        "measured_by": "" if shows is None else shows.question,
    }


def _sheet(kind: type[Value] | None) -> schemas.SheetDescription | None:
    if kind is None:
        return None
    return {
        "help": _first_line(kind),
        "fields": [field_plain(about) for about in fields_of(kind).values()],
    }


def field_plain(about: Field, depth: int = DEEPEST) -> schemas.FieldDescription:
    """A field as a form needs it: what it is called, what it holds, what it may be.

    What there is nothing to say of is left out; its JSON Schema is in the OpenAPI document.
    """
    known = {
        "name": about.name,
        "title": about.title,
        "help": about.help,
        "kind": about.kind,
        "optional": about.optional,
        "required": about.is_required,
        "rule": about.rule,
        "low": about.low,
        "high": about.high,
        "most": about.most,
        "choices": list(about.choices),
        "would_do": about.would_do,
        "known": bool(about.more.get("known")),
    }
    said = {name: held for name, held in known.items() if held not in (None, "", [], False)}
    plain = cast("schemas.FieldDescription", said)
    if not about.is_required:
        plain["default"] = field_to_json(about.default)
    if depth and about.kind == "list":
        plain["items"] = field_plain(about.inner, depth - 1)
    elif depth and about.kind == "value":
        plain["fields"] = _fields(about.inner, depth - 1)
    elif depth and about.kind == "any" and about.inner:
        plain["any_of"] = [field_plain(part, depth - 1) for part in about.inner]
    return plain


def _fields(kind: type, depth: int = DEEPEST) -> list[schemas.FieldDescription]:
    """All fields but the house rules, which a game has once for all its rolls."""
    known = fields_of(kind).items()
    return [field_plain(about, depth) for name, about in known if name != "house"]


def _first_line(kind: type) -> str:
    return str(kind.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")


def ask(question: GameQuestionQuery, budget: Budget) -> schemas.QuestionAnswer:
    """The answer of a game to one of its own questions."""
    game = find_game(question.game)
    found = question_of(game, question.question)
    answer = found.ask(question.arguments, budget=budget)
    told: schemas.QuestionAnswer = {
        "game": game.name,
        "question": found.name,
        "title": question_title(game, found.name),
        "said": _verdict(game, answer),
        "answer": to_json(answer, found.answers_with, partial(unit_title, game)),
    }
    if policy := _policy(found, question.arguments):
        told["policy"] = policy
    return told


def _policy(question: Question, arguments: Mapping[str, object]) -> str:
    """How choices were made, where the question lets somebody say so."""
    about = question.arguments.get("policy")
    return "" if about is None else str(arguments.get("policy") or about.default or "")


def _verdict(game: Game, answer: object) -> str:
    """Return what to do, in a sentence, if an answer says what is best."""
    found = getattr(answer, "verdict", "")
    if isinstance(answer, Advice) and len(answer.options) > 1:
        found = Verdict({format_option(one.option): one.value for one in answer.options}, unit="")
    if not isinstance(found, Verdict):
        return str(found)
    ways = {
        first_title(game, f"way.{way}", f"word.{way}", otherwise=way): worth
        for way, worth in found.ways.items()
    }
    return str(Verdict(ways, unit_title(game, found.unit), found.note))


def question_of(game: Game, name: str) -> Question:
    """A question by name, as Python or a command line spells it."""
    known = name.replace("-", "_")
    if known not in game.questions:
        raise UnknownName("question", name, [one.replace("_", "-") for one in game.questions])
    return game.questions[known]


def main_argument(question: Question) -> tuple[str, dict[str, type[Value]]] | None:
    """The argument that the question is about, with the kinds of value it may be by their roll.

    That is the first request, else the first other value that must be given.
    """
    values = {name: about for name, about in question.arguments.items() if _is_value(about)}
    for name, about in values.items():
        if issubclass(about.inner, Request):
            return name, {one.roll: one for one in about.inner.kinds() if one.roll}
    for name, about in values.items():
        if about.is_required:
            return name, {"": about.inner}
    return None


def _is_value(about: Field) -> bool:
    return about.kind == "value" and issubclass(about.inner, Value)


def to_json(answer: object, hint: object = None, unit_said: Units = str) -> Json:
    """An answer as what JSON can hold: fields by name, numbers exactly and nearly.

    With the type of the answer, numbers are also said with what they count.

    >>> to_json((Fraction(1, 3), {"a": True}))
    [{'exact': '1/3', 'number': 0.3333333333333333}, {'a': True}]
    >>> to_json({(1, 2): "b"})
    [{'for': [1, 2], 'value': 'b'}]
    >>> to_json(Fraction(1, 8), Chance | None)
    {'exact': '1/8', 'number': 0.125, 'said': '12.5 %'}
    """
    if answer is None or isinstance(answer, bool):
        return answer
    hint = _one_kind(hint)
    if (unit := _unit(hint)) and isinstance(answer, Fraction):
        exact, near = fraction(answer), as_float(answer)
        return {"exact": exact, "number": near, "said": format_amount(answer, unit_said(unit))}
    if isinstance(answer, Enum):
        return to_json(answer.value)
    if isinstance(answer, str):
        return str.__str__(answer)
    if isinstance(answer, int):
        value = int(answer)
        return value if abs(value) < EXACT_IN_EVERY_PARSER else {"int": digits(value)}
    if isinstance(answer, Fraction):
        return {"exact": fraction(answer), "number": as_float(answer)}
    if isinstance(answer, Dist):
        return answer.to_plain()
    if isinstance(answer, Advice):
        return _advice(answer)
    if isinstance(answer, Mapping):
        return _mapping(answer, hint, unit_said)
    names = field_names(type(answer))
    if names is not None:
        hints = types_in(type(answer))
        return {name: to_json(getattr(answer, name), hints.get(name), unit_said) for name in names}
    if isinstance(answer, Iterable):
        parts = tuple(answer)
        kinds = _parts_of(hint, len(parts))
        return [to_json(part, of, unit_said) for part, of in zip(parts, kinds)]
    plain: Json = value_to_json(answer)
    return plain


def _one_kind(hint: object) -> object:
    """The type without that it may be None."""
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return next((kind for kind in kinds if kind is not NoneType), None)


def _unit(hint: object) -> str:
    """Return what a number of this type counts, if the type has a unit."""
    notes = getattr(hint, "__metadata__", ())
    return next((note.name for note in notes if isinstance(note, Unit)), "")


def _parts_of(hint: object, count: int) -> tuple[object, ...]:
    """The types of so many parts."""
    inner = [part for part in get_args(hint) if part is not Ellipsis]
    return tuple(inner) if len(inner) == count else (inner[0] if inner else None,) * count


def _mapping(answer: Mapping[object, object], hint: object, unit_said: Units) -> Json:
    key_hint, value_hint = _parts_of(hint, 2)
    pairs = [(key, to_json(value, value_hint, unit_said)) for key, value in answer.items()]
    if all(isinstance(key, str) for key in answer):
        return {str(key): value for key, value in pairs}
    return [{"for": to_json(key, key_hint), "value": value} for key, value in pairs]


def _advice(advice: Advice) -> Json:
    return {
        "value": to_json(advice.value),
        "best": to_json(advice.best),
        "matters": advice.matters,
        "options": [
            {"option": to_json(one.option), "value": to_json(one.value)} for one in advice.options
        ],
        "lines": [
            {
                "chance": to_json(line.chance, Chance),
                "by": line.by,
                "situation": _situation(line.situation),
                "choose": to_json(line.choose),
            }
            for line in advice.lines
        ],
    }


def _situation(situation: object) -> Json:
    try:
        return to_json(situation)
    except RollwrightError:
        return str(situation)
