"""The English of a game, found in its code, and files for other languages beside it."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from rollwright.dice import Die
from rollwright.engine.compiled.errors import CannotCompile
from rollwright.engine.compiled.source import tree_of, walk
from rollwright.errors import BadCatalog
from rollwright.game.fields import Pick, traits_of
from rollwright.i18n.catalogs import Catalog, Folder, texts_of, words_in, words_of
from rollwright.i18n.languages import ENGLISH
from rollwright.i18n.messages import HOUSE
from rollwright.kit.fields import Field, Value, fields_of
from rollwright.kit.house_rules import NoHouse
from rollwright.kit.titles import first_line
from rollwright.kit.words import capital

if TYPE_CHECKING:
    from rollwright.game.games import Game

NOTE = "@"
COMMON = "game."
"""What texts of ours begin with that every game has, under the rest of their ids."""
COMMON_IDS = ("label.name", "help.name", "label.bonus")
SESSION = "session"
"""The end of the name of an action that a new session brings: `sheet.session`."""


class GameTexts(Mapping[str, Catalog]):
    """The texts of a game by language: English is in its code, the others are in files.

    What follows from other texts need not be translated: a verdict is its word with a capital
    letter, and a change is called as its field is.
    """

    def __init__(
        self,
        english: Mapping[str, str],
        files: Mapping[str, Catalog],
        derived: Mapping[str, tuple[str, ...]],
    ) -> None:
        self._english, self._files, self._derived = english, files, derived
        self._made: dict[str, Catalog] = {}

    def __getitem__(self, language: str) -> Catalog:
        if language not in self._made:
            self._made[language] = self._make(language)
        return self._made[language]

    def _make(self, language: str) -> Catalog:
        file = self._files[language] if language in self._files else Catalog(language, {})
        known = words_of(HOUSE).sources[0]
        common = known[language].texts if language in known else {}
        texts = {id.removeprefix(COMMON): common[id] for id in common if id.startswith(COMMON)}
        texts |= self._english if language == ENGLISH else {}
        texts |= file.texts
        for id, parts in self._derived.items():
            if id not in texts and all(part in texts for part in parts):
                texts[id] = capital(": ".join(texts[part] for part in parts))
        return Catalog(language, texts, file.file or "the game", file.problems)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([ENGLISH, *self._files]))

    def __len__(self) -> int:
        return len({ENGLISH, *self._files})


def english_of(game: Game) -> dict[str, str]:
    """Everything that a game says, by the id it is translated under."""
    found = {"about": game.summary} if game.summary else {}
    for kind in game.requests.values():
        found[f"roll.{kind.roll}"] = kind.title
        if about := first_line(kind):
            found[f"about.{kind.roll}"] = about
        found |= _fields(kind)
        found |= {f"word.{word}": word for word in game.request_class(kind.roll).words.ranks}
    for sheet in (game.sheet, game.shared):
        found |= {} if sheet is None else _fields(sheet)
    if game.house is not NoHouse:
        for rule in fields_of(game.house).values():
            found[f"house.{rule.name}"] = capital(rule.title)
            found |= {f"help.house.{rule.name}": rule.help} if rule.help else {}
            for setting, text in (rule.more.get("readings") or {}).items():
                found[f"house.{rule.name}.{json.dumps(setting).strip(chr(34))}"] = text
    found |= {f"goal.{name}": goal.title for name, goal in game.goals.items()}
    found |= {f"policy.{name}": one.title for name, one in game.policies.items()}
    found |= {f"question.{name}": one.title for name, one in game.questions.items()}
    for function in game.functions:
        found |= _texts_in(function)
    for name in game.actions:
        if not name.endswith(SESSION):
            found[f"word.{name}"] = name.replace("-", " ")
    return {id: text for id, text in found.items() if id not in derived_of(game)}


def derived_of(game: Game) -> dict[str, tuple[str, ...]]:
    """The texts that follow from others, each with the ids of these."""
    found: dict[str, tuple[str, ...]] = {}
    for kind in map(game.request_class, game.requests):
        found |= {f"verdict.{word}": (f"word.{word}",) for word in kind.words.ranks}
        told = kind.signature
        for one in kind.changed:
            is_others = any(role.name == one.role for role in told.others)
            parts = (f"label.{one.role}", f"label.{one.field}")[not is_others :]
            found[f"outcome.{one.name}"] = parts
        for role in told.others:
            found |= dict.fromkeys(
                (f"role.{role.name}", f"word.{role.name}"), (f"label.{role.name}",)
            )
        traits = () if told.me is None else traits_of(told.me.kind)
        found |= {f"word.{name}": (f"label.{name}",) for name in traits}
    return {**found, **{id: (id,) for id in COMMON_IDS}}


def _fields(kind: type[Value]) -> dict[str, str]:
    found = {}
    for name, about in fields_of(kind).items():
        if name == "house":
            continue
        found[f"label.{name}"] = capital(about.title)
        if about.help:
            found[f"help.{name}"] = about.help
        found |= {f"word.{one}": str(one) for one in _choices(about) if one}
        if about.kind == "value":
            found |= {id: text for id, text in _fields(about.inner).items() if id not in found}
    return found


def _choices(about: Field) -> tuple[str, ...]:
    return (
        () if any(isinstance(one, Pick) for one in about.more.get("marks", ())) else (about.choices)
    )


def _texts_in(function: FunctionType) -> dict[str, str]:
    """The words of a roll: options, verdicts, what it tells, names of dice and of sums."""
    found: dict[str, str] = {}
    for one in function.__globals__.values():
        if isinstance(one, Die) and one.name:
            found[f"word.{one.name}"] = one.name
    try:
        tree = tree_of(function.__code__, function.__globals__)
    except CannotCompile:
        return found
    for node in walk(tree):
        if isinstance(node, ast.Call):
            found |= _texts_by(node)
    return found


def _texts_by(node: ast.Call) -> dict[str, str]:
    called = getattr(node.func, "id", getattr(node.func, "attr", ""))
    texts = [text for part in node.args for text in _texts(part)]
    if called == "choose":
        return {f"option.{text}": capital(text) for text in texts}
    if called == "Verdict":
        named = {f"outcome.{one.arg}": capital(one.arg.replace("_", " "))
                 for one in node.keywords if one.arg}  # fmt: skip
        return {**{f"word.{text}": text for text in texts}, **named}
    if called == "total":
        return {f"label.{one.arg}": capital(one.arg.replace("_", " "))
                for one in node.keywords if one.arg}  # fmt: skip
    return {text: text for text in texts} if called == "tell" else {}


def _texts(node: ast.expr) -> list[str]:
    """The texts that an expression may come to."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.IfExp):
        return [*_texts(node.body), *_texts(node.orelse)]
    return []


def texts_for(game: Game) -> GameTexts:
    """The texts of a game in every language that there is a file for."""
    return GameTexts(english_of(game), _files(game), derived_of(game))


def _files(game: Game) -> Mapping[str, Catalog]:
    try:
        return words_in(game.package)
    except BadCatalog:  # typed where nothing can be imported from
        return {}


def language_file(game: Game, language: str) -> Path:
    """The file of a language: beside a module, or in the folder `words` of a package."""
    files = _files(game)
    if not isinstance(files, Folder):
        raise FileNotFoundError(game.package)
    return files.path / f"{files.prefix}{language}.json"


def complete_file(game: Game, language: str) -> tuple[Path, int, int]:
    """Write the file of a language, or complete it; with how many texts are missing, of how many.

    Above each text that is missing stands the English one, as a note. What the game does not say
    any more goes.
    """
    path = language_file(game, language)
    known = texts_of(path)[0] if path.exists() else {}
    english = english_of(game)
    held: dict[str, Any] = {}
    for id, text in english.items():
        if not known.get(id):
            held[f"{NOTE}{id}"] = text
        held[id] = known.get(id, "")
    path.parent.mkdir(exist_ok=True)
    text = json.dumps(held, ensure_ascii=False, indent=2)
    path.write_text(f"{text}\n", "utf-8", newline="\n")
    return path, sum(not known.get(id) for id in english), len(english)
