"""Draws the pictures of pages about the command line and notebooks, each with its call."""

from __future__ import annotations

from pathlib import Path

import rollwright as rw
from rollwright.pictures import HeatMap, distribution, picture_comparison, svg

FOLDER = Path(__file__).parent / "pictures"
ATTACK = {
    "game": "twilight2000",
    "roll": "attack",
    "attribute": "B",
    "skill": "C",
    "ammo_dice": 3,
}
POLICIES = {"never": "never pushed", "if-failed": "pushed if failed", "always": "always pushed"}


def three_d20s() -> str:
    """Advantage, a bonus die and a flat bonus, side by side."""
    rolls = ("2d20kh1", "1d20+1d4", "1d20+2")
    return svg(picture_comparison({text: rw.odds(text) for text in rolls}, " v ".join(rolls)))


def push_policies() -> str:
    """An attack in Twilight: 2000 under three ways to push."""
    odds = {name: rw.odds(ATTACK, policy).of("successes") for policy, name in POLICIES.items()}
    title = "Twilight: 2000, an attack with B and C and three ammo dice"
    return svg(picture_comparison(odds, title, x_name="successes"))


def jams() -> str:
    """How often a pushed attack jams, by ammo dice and modifier."""
    dice, modifiers = range(7), range(-3, 4)
    cells = tuple(tuple(_jam(ammo, modifier) for modifier in modifiers) for ammo in dice)
    title = "Jammed"
    note = "Twilight: 2000, an attack with B and C, policy always"
    xs, ys = tuple(map(str, modifiers)), tuple(map(str, dice))
    return svg(HeatMap(title, "modifier", "ammo dice", xs, ys, cells, note))


def _jam(ammo: int, modifier: int) -> float:
    request = {**ATTACK, "ammo_dice": ammo, "modifier": modifier}
    return float(rw.odds(request, "always").of("jammed").p(True))


def three_dice() -> str:
    """What a notebook shows for the odds of three dice."""
    return svg(distribution(rw.odds("3d6"), "3d6"))


def dice_and_target() -> str:
    """What a notebook shows for a sweep over two things."""
    counts, targets = range(1, 7), range(4, 25, 4)
    chances = rw.sweep(lambda n, t: (n * rw.D6) >= t, where=True, n=counts, t=targets)
    cells = tuple(tuple(float(chances[n, t]) for n in counts) for t in targets)
    xs, ys = tuple(map(str, counts)), tuple(map(str, targets))
    return svg(HeatMap("Chance to reach the target", "dice", "target", xs, ys, cells))


def shared_roll() -> str:
    """A pushed attack in Twilight: 2000, as it is shared; its faces are typed."""
    rolled = rw.roll(ATTACK, faces=[3, 6, 1, 6, 2])
    rolled = rw.roll(rolled.choose("push"), faces=[7, 5])
    return rw.share(rolled, "Ana").svg


PICTURES = {
    "three-dice.svg": three_dice,
    "dice-and-target.svg": dice_and_target,
    "three-d20s.svg": three_d20s,
    "push-policies.svg": push_policies,
    "jams.svg": jams,
    "shared-roll.svg": shared_roll,
}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (FOLDER / name).write_text(draw(), "utf-8")
