"""Every rule line of every game is implemented, proved by a test, and told in the docs."""

import importlib.util
import json
from pathlib import Path

import pytest

from rollwright.engine.transcript import verify
from rollwright.kit.fields import fields_of
from rollwright.kit.games import find_game, own_games

ROOT = Path(__file__).parent.parent
LINES = {"dust": 21, "edge20": 41, "ghostburn": 21, "kleptonomicon": 36, "twilight2000": 73}
"""How many lines each rulebook has, counted in the digest of the rules."""


def build():
    """The script that writes the pages made from the code."""
    spec = importlib.util.spec_from_file_location("build", ROOT / "docs" / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(params=own_games())
def game(request):
    """Each game in turn."""
    return find_game(request.param)


def test_the_rulebook_is_complete(game):
    """Every line R1, R2, … is there, in order, with a sentence of its own."""
    assert list(game.rulebook) == [f"R{n}" for n in range(1, LINES[game.name] + 1)]
    texts = [line.text for line in game.rulebook.values()]
    assert len(set(texts)) == len(texts)
    assert all(len(text) > 15 for text in texts)


def test_every_line_has_a_test(game):
    """A rule line that no test cites fails the suite."""
    proofs = build().tests_of(game)
    assert [line for line in game.rulebook if not proofs[line]] == []
    assert set(proofs) == set(game.rulebook), "a test cites a line that does not exist"


def test_stored_transcripts_are_replayed(game):
    """A game without stored rolls fails the suite; each replays to what was stored."""
    stored = sorted((ROOT / "tests" / "games" / game.name / "transcripts").glob("*.json"))
    assert stored
    for path in stored:
        plain = json.loads(path.read_text("utf-8"))
        assert verify(plain).to_plain()["answers"] == plain["answers"]


def test_every_request_and_goal_explains_itself(game):
    """Requests, fields, policies and goals have words for people."""
    for kind in game.requests.values():
        assert kind.title
        assert kind.__doc__
        for about in fields_of(kind).values():
            assert about.help, f"{kind.roll}.{about.name}"
    for table in (game.policies, game.goals):
        assert all(entry.title for entry in table.values())
    assert game.default_goal in game.goals


def test_every_question_explains_itself(game):
    """Each question has a docstring with an example that is run."""
    assert game.questions
    for name, question in game.questions.items():
        assert ">>>" in (question.__doc__ or ""), name


@pytest.mark.long
def test_the_pages_made_from_the_code_are_current():
    """The house rules and the table of rules are what the code says now."""
    for path, text in build().pages().items():
        assert path.read_text("utf-8") == text.rstrip() + "\n", f"run ./dev docs: {path.name}"
