"""The tables that lie beside the referee's screen: one set for each game, as Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import rollwright as rw
from rollwright.games.dust import Roll
from rollwright.games.edge20 import Check
from rollwright.games.edge20.questions import tier_odds
from rollwright.games.ghostburn.questions import outcome_table
from rollwright.games.kleptonomicon.questions import band_table
from rollwright.games.twilight2000 import Attack, Skill
from rollwright.games.twilight2000.questions import modifier_table
from rollwright.pictures.charts import format_decimal

BEGIN, END = "<!-- screen: begin -->", "<!-- screen: end -->"
BLOCK = re.compile(f"{BEGIN}.*?{END}", re.S)
LEVELS = ("A", "B", "C", "D", None)
MODIFIERS = range(-4, 5)
HELPS: dict[str, dict[str, int]] = {
    "plain": {},
    "advantage": {"advantages": 1},
    "disadvantage": {"disadvantages": 1},
    "one edge": {"edges": 1},
    "three edges": {"edges": 3},
    "one edge lost": {"edges": -1},
}
DLS = ("Easy", "Moderate", "Hard", "Severe")


def with_screen(game: str, page: str) -> str:
    """The page of a game with its tables as they are counted now."""
    parts = [BEGIN, *SCREENS[game](), END]
    return BLOCK.sub(lambda _: "\n\n".join(parts), page)


def percent(chance: Fraction) -> str:
    """A chance in whole percent, never rounded to never or to always.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 400)), percent(Fraction(1))
    ('33', '<1', '100')
    """
    if 0 < chance < Fraction(1, 200):
        return "<1"
    return ">99" if Fraction(199, 200) <= chance < 1 else format_decimal(100 * chance, 0)


def table(corner: str, heads: Iterable[object], rows: dict[str, Iterable[Fraction]]) -> str:
    """A table of chances with a head for every column and every row."""
    names = [corner, *map(str, heads)]
    lines = [names, ["---", *["---:"] * (len(names) - 1)]]
    lines += [[f"**{name}**", *map(percent, chances)] for name, chances in rows.items()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def twilight2000() -> list[str]:
    """Skill rolls by their levels and modifiers, pushed or not, and bursts."""
    pairs = [(a, b) for n, a in enumerate(LEVELS) for b in LEVELS[n:] if a is not None]
    steps = {pair: {s.net: s.chance for s in modifier_table(*pair)} for pair in pairs}
    plain = {_pair(*pair): [found[net] for net in MODIFIERS] for pair, found in steps.items()}
    pushed = {a: [_pushed(a, b) for b in LEVELS] for a in LEVELS if a is not None}
    bursts = {str(dice): _burst(dice) for dice in range(7)}
    heads = ("hit, never pushed", "hit, pushed if failed", "jam, pushed if failed")
    return [
        "The chance of at least one success without a push, in percent, "
        "by the two levels (either way round) and the net modifier:",
        table("levels", [f"{net:+}" if net else "0" for net in MODIFIERS], plain),
        "With a push of every failure, by attribute (down) and skill (across):",
        table("attribute", [skill or "no skill" for skill in LEVELS], pushed),
        "A burst with B and C, by the number of ammo dice:",
        table("ammo dice", (*heads, "jam, always pushed"), bursts),
    ]


def _pair(attribute: str | None, skill: str | None) -> str:
    return f"{attribute} and {skill}" if skill else f"{attribute} alone"


def _pushed(attribute: str, skill: str | None) -> Fraction:
    outcomes = rw.odds(Skill(attribute=attribute, skill=skill), "if-failed")  # type: ignore[arg-type]
    return outcomes.p(lambda end: end.successes > 0)


def _burst(dice: int) -> list[Fraction]:
    never, failed, always = (
        rw.odds(Attack(attribute="B", skill="C", ammo_dice=dice), policy)
        for policy in ("never", "if-failed", "always")
    )
    return [never.p(_hit), failed.p(_hit), failed.p(_jammed), always.p(_jammed)]


def _hit(end: Any) -> bool:
    return bool(end.hit)


def _jammed(end: Any) -> bool:
    return bool(end.jammed)


def dust() -> list[str]:
    """What 1 to 10 dice come to at each difficulty."""
    odds = {(d, n): rw.odds(Roll(pool=n, difficulty=d)) for d in range(2, 11) for n in range(1, 11)}

    def by_dice(test: Callable[[Any], bool]) -> str:
        rows = {str(d): [odds[d, n].p(test) for n in range(1, 11)] for d in range(2, 11)}
        return table("difficulty", [f"{n}d" for n in range(1, 11)], rows)

    return [
        "The chance of at least one success, in percent, for 1 to 10 dice at each difficulty:",
        by_dice(lambda end: end.net >= 1),
        "The chance of a complete success:",
        by_dice(lambda end: end.net >= 3),
        "The chance of a botch. More dice are not always safer: at 10 every die adds to the risk, "
        "at 9 the first six do.",
        by_dice(lambda end: end.net < 0),
        "The chance that doubles earn a point:",
        by_dice(lambda end: end.adrenaline_gained > 0),
    ]


def edge20() -> list[str]:
    """The chance to succeed by what the d20 has to show."""
    rows = {
        str(need): [tier_odds(Check(dc=need, **helped)).succeeds for helped in HELPS.values()]
        for need in range(4, 25, 2)
    }
    return [
        "The chance to succeed, in percent, by what the d20 has to show "
        "(the DC less everything that is added), with each kind of help:",
        table("needs", HELPS, rows),
    ]


def ghostburn() -> list[str]:
    """Success and Glitch by bonus and Difficulty Level."""
    found, bonuses = outcome_table(range(0, 13)), range(0, 13)
    good = {f"+{b}": [found[b, dl].succeeds for dl in DLS] for b in bonuses}
    bad = {f"+{b}": [found[b, dl].glitch for dl in DLS] for b in bonuses}
    return [
        "The chance of a Success or better without Luck, in percent, "
        "by all bonuses together and the Difficulty Level:",
        table("bonus", DLS, good),
        "The chance of a Glitch:",
        table("bonus", DLS, bad),
    ]


def kleptonomicon() -> list[str]:
    """The chance to pass by Modifier and net Advantage."""
    modifiers, nets = range(-1, 6), range(-3, 4)
    found = band_table(modifiers, nets)
    heads = [f"{-n} Dis." if n < 0 else f"{n} Adv." if n else "neither" for n in nets]
    rows = {f"{m:+}": [found[m, net].passes for net in nets] for m in modifiers}
    high = {f"{m:+}": [found[m, net].high for net in nets] for m in modifiers}
    return [
        "The chance to pass, in percent, for each Modifier and each net Advantage or "
        "Disadvantage; three is the most that counts:",
        table("Modifier", heads, rows),
        "The chance of a High Score:",
        table("Modifier", heads, high),
    ]


SCREENS = {
    "dust": dust,
    "edge20": edge20,
    "ghostburn": ghostburn,
    "kleptonomicon": kleptonomicon,
    "twilight2000": twilight2000,
}
