"""An evening of each game in German, for proof-reading: every sentence that people met in it.

The rolls are the stored ones that the tests replay, so their faces and choices are fixed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rollwright.engine.steps import Choice
from rollwright.engine.transcript import ChoiceEntry, Transcript
from rollwright.errors import RollwrightError
from rollwright.i18n.catalogs import words_in
from rollwright.i18n.check import values_in
from rollwright.i18n.locale import format_text, use_locale
from rollwright.i18n.parser import compile_text
from rollwright.kit.card.choices import choice_to_json, option_to_json
from rollwright.kit.card.endings import effect_text, effects_of, ending_to_json, narrate, title_text
from rollwright.kit.card.texts import say
from rollwright.kit.fields import fields_of
from rollwright.kit.games import Game, find_game
from rollwright.kit.titles import (
    goal_title,
    house_rule_help,
    house_rule_title,
    policy_title,
    question_title,
    setting_titles,
    summary,
)
from rollwright.pictures.outcomes import format_field
from rollwright.queries import answer

TRANSCRIPTS = Path(__file__).resolve().parent.parent / "tests" / "games"
MOST_OPTIONS = 8
REFUSED: dict[str, list[dict[str, Any]]] = {
    "dust": [
        {"roll": "roll"},
        {"roll": "roll", "pool": 5, "attribute": 3},
        {"roll": "roll", "pool": 5, "spend": 3, "adrenaline": 1},
        {"roll": "roll", "pool": 5, "difficulty": 11},
        {"roll": "roll", "pool": "many"},
        {"roll": "extended", "pool": 3, "target": 4, "progress": 5},
        {"roll": "extended", "pool": 0, "target": 4, "house": {"minimum_pool": "none"}},
        {"roll": "plan", "rolls": []},
        {"roll": "roll", "pool": 5, "kind": "easy"},
    ],
    "edge20": [
        {"roll": "check"},
        {"roll": "check", "dc": 15, "skill": 99},
        {"roll": "check", "dc": 15, "edges": [""]},
        {"roll": "check", "dc": 15, "effect": "sword"},
        {"roll": "turn", "checks": []},
        {"roll": "turn", "checks": [{"dc": 15}] * 9},
        {"roll": "repair", "tier": 200},
        {"roll": "check", "dc": 15, "rerolls": 99},
    ],
    "ghostburn": [
        {"roll": "roll", "dl": "Hard"},
        {"roll": "roll", "ability": 3, "dl": 17},
        {"roll": "roll", "ability": 3, "dl": "Tricky"},
        {"roll": "roll", "ability": 30, "dl": "Hard"},
        {"roll": "roll", "ability": 3, "dl": "Hard", "luck_points": 2},
        {"roll": "session", "rolls": []},
        {"roll": "session", "rolls": [{"ability": 3, "dl": "Hard"}], "stakes": [1, 2]},
    ],
    "kleptonomicon": [
        {"roll": "test", "modifier": 99},
        {"roll": "test", "dice": "2d12", "advantages": 1},
        {"roll": "test", "dice": "many"},
        {"roll": "test", "ranges": ["[9..3]"]},
        {"roll": "test", "ranges": ["nine"]},
        {"roll": "group", "members": [{"modifier": 1}]},
        {"roll": "contest", "first": {"name": "Ann"}, "second": {"name": "Ann"}},
    ],
    "twilight2000": [
        {"roll": "skill"},
        {"roll": "skill", "attribute": "E"},
        {"roll": "attack", "attribute": "B", "skill": "B", "rounds": 3, "ammo_dice": 5},
        {"roll": "attack", "attribute": "B", "skill": "B", "rate_of_fire": 3, "ammo_dice": 6},
        {"roll": "attack", "attribute": "B", "skill": "B", "reliability": 0},
        {"roll": "skill", "attribute": "B", "skill": "B", "helpers": 9},
        {"roll": "repair", "attribute": "B", "skill": "B", "spare_parts": 0},
    ],
}
"""Requests that the rules refuse, each for a reason of its own."""
REASONS = ("refusal.", "fits.", "do.", "less.")
"""How the ids of what is refused begin, and of what would do."""


def german_page(games: list[Game]) -> str:
    """Every sentence of an evening of each game in German."""
    lines = [
        "# An evening of each game, in German",
        "",
        "This page is made from the stored rolls that the tests replay, from requests that the "
        "rules refuse, and from every reason to refuse something that a game has words for, so "
        "that German can be read as people meet it. It was proof-read; the suite fails when a "
        "sentence changes and this page does not.",
        "",
    ]
    with use_locale("de"):
        for game in games:
            lines += [f"## {game.title}", "", summary(game), "", *_rolls(game), *_refusals(game)]
            lines += [*_choices_of_the_table(game)]
    return "\n".join(lines)


def _rolls(game: Game) -> Iterator[str]:
    for path in sorted((TRANSCRIPTS / game.name / "transcripts").glob("*.json")):
        whole = Transcript.from_plain(json.loads(path.read_text("utf-8")))
        yield f"### {_say(game, title_text(whole.request))}"
        yield ""
        yield from _choices(game, whole)
        yield f"- {_marked(narrate(whole))}"
        if whole.is_done:
            yield from _ending(game, whole)
        yield ""


def _choices(game: Game, whole: Transcript) -> Iterator[str]:
    """Every choice of a roll as it was met: where it stood, what was offered, and the advice."""
    so_far = Transcript(whole.call, request=whole.request)
    for entry in whole.entries:
        if isinstance(entry, ChoiceEntry):
            yield from _choice(game, so_far)
        so_far = so_far.then(entry)
    if isinstance(so_far.step, Choice):
        yield from _choice(game, so_far)


def _choice(game: Game, so_far: Transcript) -> Iterator[str]:
    shown = choice_to_json(so_far)
    standing = f"{_say(game, shown['standing'])}: " if "standing" in shown else ""
    yield f"- Frage: {standing}{_say(game, shown['question'])}"
    for option in so_far.step.options[:MOST_OPTIONS]:
        offered = option_to_json(so_far, option)
        leads = f" → {_say(game, offered['leads'])}" if "leads" in offered else ""
        yield f"    - {_say(game, offered['said'])}{leads}"
    try:
        found = answer("advise", {"transcript": so_far.to_plain()})
        yield f"    - *{_marked(found['why'])}*"
    except RollwrightError as problem:
        yield f"    - *{_marked(format_text(problem.wording))}*"


def _ending(game: Game, whole: Transcript) -> Iterator[str]:
    verdict = ending_to_json(whole).get("verdict") or {}
    parts = [verdict.get("word", ""), *verdict.get("detail", []), *verdict.get("paid", [])]
    words = " · ".join(_say(game, part) for part in parts if part)
    yield f"- Ergebnis: {words}"
    effects = [_say(game, effect_text(game, effect)) for effect in effects_of(whole)]
    if effects:
        yield f"- {'; '.join(effects)}"


def _refusals(game: Game) -> Iterator[str]:
    yield "### Abgelehnt"
    yield ""
    for request in REFUSED[game.name]:
        try:
            answer("odds", {"request": {"game": game.name, **request}})
        except RollwrightError as problem:
            yield f"- {_marked(format_text(problem.wording))}"
        else:
            raise AssertionError(f"{request} is not refused")
    yield ""
    yield "### Alles, was das Spiel ablehnt, und was stattdessen geht"
    yield ""
    yield from (f"- {_marked(text)}" for text in _reasons(game))
    yield ""


def _reasons(game: Game) -> Iterator[str]:
    """Every refusal and remedy in the game's own words; what it is about is left open."""
    texts = words_in(game.package)["de"].texts
    for id in [id for id in texts if id.startswith(REASONS)]:
        counted = set(re.findall(r"{(\w+), plural", texts[id]))
        names = values_in(compile_text(texts[id]))
        values = {name: 3 if name in counted else "…" for name in names}
        yield game.words.say(game.words.msg(id, **values), "de")


def _choices_of_the_table(game: Game) -> Iterator[str]:
    """What stands in forms and lists: goals, policies, questions and house rules."""
    yield "### Ziele, Strategien, Fragen und Hausregeln"
    yield ""
    yield from (f"- {goal_title(game, name)}" for name in game.goals)
    yield from (f"- {policy_title(game, name)}" for name in game.policies)
    yield from (f"- {question_title(game, name)}" for name in game.questions)
    for about in fields_of(game.house).values():
        yield f"- Hausregel „{house_rule_title(game, about)}“: {house_rule_help(game, about)}"
        for setting, text in setting_titles(game, about).items():
            yield f"    - {format_field(setting)}: {text}"
    yield ""


def _say(game: Game, text: Any) -> str:
    return _marked(say(text, game.name, "de"))


def _marked(text: str) -> str:
    """A text in which nothing is a mark of Markdown."""
    return text.replace("*", "\\*").replace("<", "&lt;")


if __name__ == "__main__":
    print(german_page([find_game(name) for name in sorted(REFUSED)]))
