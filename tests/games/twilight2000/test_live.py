"""Rolls played with a fixed seed come out as often as the exact odds say."""

import pytest

import rollwright as rw
from rollwright.engine.sources import SeededSource
from rollwright.games.twilight2000 import Attack, ClearJam, Group, Magazine, Opposed, Skill

ROLLS = [
    (Skill(attribute="B", skill="C"), "if-failed", ("successes", "ones", "pushed")),
    (Attack(attribute="B", skill="D", ammo_dice=2), "always", ("hit", "sixes", "jammed")),
    (
        Attack(attribute="B", ammo_dice=2, targets=({"name": "A", "torso": 1}, {"name": "B"})),
        "if-failed",
        ("hits", "damage_dealt"),
    ),
    (
        Opposed(active={"attribute": "B", "skill": "D"}, passive={"attribute": "C"}),
        "if-not-ahead",
        ("winner", "margin"),
    ),
    (
        Group(members=({"name": "A", "attribute": "B"}, {"name": "B", "attribute": "C"})),
        "never",
        ("roller", "successes"),
    ),
    (ClearJam(attribute="C", reliability=2), "if-failed", ("cleared", "tries", "broken")),
    (Magazine(attribute="B", ammo_dice=2, rounds=12), "if-failed", ("attacks", "jammed")),
]


@pytest.mark.parametrize(
    ("request_", "policy", "names"), ROLLS, ids=lambda r: getattr(r, "roll", "")
)
def test_live_frequencies_follow_the_odds(request_, policy, names):
    """A chi-square over 1500 rolls stays below its 99.99 % bound (T2K R2).

    The bound is the approximation of Wilson and Hilferty with z = 3.72.
    """
    odds = rw.odds(request_, policy).of(*names)
    source = SeededSource("twilight2000")
    rolls = 1500
    seen = {}
    for _ in range(rolls):
        outcome = rw.roll(request_, source=source, policy=policy).outcome
        key = tuple(getattr(outcome, name) for name in names)
        assert odds[key] > 0
        seen[key] = seen.get(key, 0) + 1
    square, cells, rest_seen, rest_expected = 0.0, 0, 0, 0.0
    for key, weight in odds.items():
        expected = rolls * weight / odds.total
        if expected < 5:
            rest_seen, rest_expected = rest_seen + seen.get(key, 0), rest_expected + expected
            continue
        square += (seen.get(key, 0) - expected) ** 2 / expected
        cells += 1
    if rest_expected >= 1:
        square += (rest_seen - rest_expected) ** 2 / rest_expected
        cells += 1
    free = cells - 1
    spread = 2 / (9 * free)
    assert square < free * (1 - spread + 3.72 * spread**0.5) ** 3
