"""The page about policies names every choice of our games: who, the options, what it turns on."""

import re
from pathlib import Path

import pytest

from rollwright.api import new_transcript
from rollwright.engine.sources import SeededSource
from rollwright.engine.steps import Choice
from rollwright.engine.transcript import play
from rollwright.gamecheck.samples import samples_of
from rollwright.kit.games import find_game

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "policies.md"
FIXED = {
    "twilight2000": {"keep", "push"},
    "dust": {"save", "spend 1", "leave", "take"},
    "kleptonomicon": {"keep"},
    "edge20": {"keep", "re-roll", "re-roll lower", "re-roll higher", "stop", "go on"},
    "ghostburn": {"keep", "bonus", "avoid-glitch"},
}
"""Options that are words of the rules; others are names and plans."""


def told_of(name):
    """What the page says in code of a game's choices."""
    text = PAGE.read_text(encoding="utf-8")
    section = text.split(f"### {name}\n")[1].split("\n### ")[0]
    return set(re.findall(r"`([^`]+)`", section))


def choices_of(name):
    """Every choice that a game's own samples come to, by seeds."""
    game = find_game(name)
    for roll in game.requests:
        for sample in samples_of(game, roll):
            for seed in range(4):
                transcript, source = new_transcript(sample.request), SeededSource(seed)
                for _ in range(8):
                    transcript = play(transcript, source=source)
                    if not isinstance(transcript.step, Choice):
                        break
                    yield transcript.step
                    options = transcript.step.options
                    transcript = transcript.choose(options[seed % len(options)])


@pytest.mark.parametrize("name", FIXED)
def test_every_choice_is_on_the_page(name):
    """Each field of what a choice turns on, and each option that is a word of the rules."""
    told = told_of(name)
    fields, options = set(), set()
    for step in choices_of(name):
        fields.update(getattr(step.about, "_fields", ()))
        for part in getattr(step.about, "pleas", ()):
            fields.update(part._fields)
        options.update(map(str, step.options))
    assert fields
    assert set() == fields - told
    assert set() == (options & FIXED[name]) - told
    assert FIXED[name] <= told


def test_every_policy_that_the_page_names_is_there():
    """Names in the table of rules of thumb are policies of that game."""
    rows = re.findall(r"\| `(\w+)`: `([\w:-]+)` \|", PAGE.read_text(encoding="utf-8"))
    assert 9 == len(rows)
    for game, policy in rows:
        assert policy.partition(":")[0] in find_game(game).policies
