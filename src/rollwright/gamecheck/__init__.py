"""Checks that a game is sound: everything is played, counted, stored, advised on and shown.

`rollwright check GAME` prints what is found, for authors; a game's own tests may call it too:

    def test_the_game_is_sound():
        report = check(find_game("night_ferry"))
        assert [] == report.faults
        assert [] == report.omissions

Nothing here depends on chance or on the clock: small rolls are played in every way that dice can
fall, others by a fixed seed; the time things take is reported and is no fault.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from rollwright.api import odds, roll
from rollwright.budget import Budget
from rollwright.errors import UnknownName, did_you_mean
from rollwright.gamecheck.effects import check_effects
from rollwright.gamecheck.forms import check_forms, check_sheets
from rollwright.gamecheck.messages import TextLog, check_messages, enumerated_fields
from rollwright.gamecheck.report import CheckPart, GameFault, GameReportData
from rollwright.gamecheck.rolls import (
    check_advice,
    check_odds,
    check_transcripts,
    check_view,
    first_option,
)
from rollwright.gamecheck.samples import samples_of
from rollwright.kit.card import Card
from rollwright.kit.forms import form_of
from rollwright.kit.games import Game, add_game, find_game
from rollwright.kit.words import many

__all__ = ["GameFault", "CheckPart", "GameReport", "check"]
TIMES = 5
NEAR = 0.85
"""How alike a name in a card and that of a part must be for a slip."""


class GameReport(NamedTuple):
    """The findings of a check of a game."""

    game: Game
    parts: list[CheckPart]

    @property
    def faults(self) -> list[GameFault]:
        """All that is wrong."""
        return [fault for part in self.parts for fault in part.faults]

    @property
    def omissions(self) -> list[str]:
        """All that could not be checked, and why."""
        return [text for part in self.parts for text in part.unchecked]

    @property
    def is_clean(self) -> bool:
        """Whether all of it was checked and nothing is wrong."""
        return not self.faults and not self.omissions

    def to_json(self) -> GameReportData:
        """As data."""
        return {
            "game": self.game.name,
            "title": self.game.title,
            "api": self.game.api,
            "ok": self.is_clean,
            "parts": [part.to_json() for part in self.parts],
        }


def check(game: Game) -> GameReport:
    """Try everything of a game, and report what is wrong; an unknown one is registered."""
    try:
        find_game(game.name)
    except UnknownName:
        add_game(game)
    home, spoken = _home(game), TextLog()
    names = ("names", "odds", "transcripts", "advice", "shown", "effects", "forms", "sheets")
    parts = {name: CheckPart(name, home) for name in (*names, "words", "speed")}
    _check_names(game, parts["names"])
    tried, ends = check_odds(game, parts["odds"])
    check_transcripts(game, tried, parts["transcripts"])
    check_advice(game, tried, parts["advice"])
    check_view(game, tried, ends, parts["shown"], spoken)
    check_effects(game, ends, parts["effects"], spoken)
    check_forms(game, parts["forms"], spoken)
    check_sheets(game, parts["sheets"], spoken)
    check_messages(game, spoken, parts["words"], tried)
    _measure(game, parts["speed"])
    return GameReport(game, list(parts.values()))


def _home(game: Game) -> Path | None:
    """The folder of the author's code."""
    module = sys.modules.get(game.package)
    try:
        return None if module is None else Path(inspect.getfile(module)).parent
    except TypeError:
        return None


def _check_names(game: Game, part: CheckPart) -> None:
    """Slips that a game can be made with: a goal for a roll that is not there, say."""
    parts = [name for name in dir(Card) if not name.startswith("_")]
    for name in sorted(set(dir(game.card)) - set(dir(Card())) - {"game"}):
        if not name.startswith("_") and (near := get_close_matches(name, parts, 1, NEAR)):
            part.fault(f"card.{name}", f"a card has no such part; did you mean {near[0]!r}?")
    for name, goal in game.goals.items():
        for kind in goal.rolls:
            if kind not in game.requests:
                part.fault(f"goal {name}", f"there is no roll {kind!r}")
    for name, word, words in _odd_words(game):
        guess = did_you_mean(word, words)
        part.fault(f"card.outcomes[{name!r}]", f"no outcome has the word {word!r}{guess}")
    for kind in game.requests:
        if game.goals and not game.goals_for(kind):
            part.note(f"{kind}: no goal is for it")
    policies = many(len(game.policies), "policy", "policies")
    part.looked_at = (
        f"{many(len(game.requests), 'roll')}, {many(len(game.goals), 'goal')}, {policies}, "
        f"{many(len(game.questions), 'question')}"
    )


def _odd_words(game: Game) -> Iterator[tuple[str, str, list[str]]]:
    """Tones for words that no outcome holds: the field, the word, and those it may hold."""
    held: dict[str, list[str]] = {}
    for kind in game.requests.values():
        for name, words in enumerated_fields(kind.outcome):
            held.setdefault(name, []).extend(words)
    for name, tones in game.card.outcomes.items():
        for word in tones if name in held else ():
            if isinstance(word, str) and word not in held[name]:
                yield name, word, held[name]


def _measure(game: Game, part: CheckPart) -> None:
    """How long the usual request of the usual roll takes, at best."""
    samples = samples_of(game, game.default_roll)
    draft = {"roll": game.default_roll}
    figures: dict[str, Callable[[], object]] = {"a form": lambda: form_of(game, draft, None, None)}
    if samples:
        request = samples[0].request
        figures["odds"] = lambda: odds(request, first_option, budget=Budget())
        figures["a roll"] = lambda: roll(request, seed=1, policy=first_option)
    said = []
    for name, call in figures.items():
        with part.trying(name):
            said.append(f"{name} {_milliseconds(call):.1f} ms")
    part.looked_at = f"{game.default_roll}: {', '.join(said)}"


def _milliseconds(call: Callable[[], object]) -> float:
    """The quickest of a few calls."""
    best = 0.0
    for _ in range(TIMES):
        start = perf_counter()
        call()
        took = perf_counter() - start
        best = min(best or took, took)
    return 1000 * best
