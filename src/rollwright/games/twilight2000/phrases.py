"""The phrases sentences are made of: dice with faces, which show 1s, which stay through a push."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rollwright.dice import Die, Pool
from rollwright.engine.transcript import Chosen, Thrown, Transcript
from rollwright.games.twilight2000.faces import landed
from rollwright.games.twilight2000.requests import Opposed, Roll
from rollwright.kit import Request
from rollwright.kit.phrases import listed, many


def counted(number: int, word: str, plural: str = "") -> str:
    """A number with its noun: `no success`, `2 successes`."""
    return many(number, word, plural) if number else f"no {word}"


def dice_said(pool: Pool, faces: Iterable[Any]) -> str:
    """Dice with their faces: `D8 7 and D12 4, ammo 6, 6 and 1`."""
    pairs = list(zip(pool.dice, faces, strict=True))
    base = [f"{die!r} {face}" for die, face in pairs if not die.name]
    ammo = [str(face) for die, face in pairs if die.name]
    said = [listed(base)] if base else []
    return ", ".join([*said, *([f"ammo {listed(ammo)}"] if ammo else [])])


def pool_said(request: Roll) -> str:
    """How the dice came about, where modifiers stepped them."""
    dice, net = request.dice, request.net
    if not net:
        return ""
    lost = ""
    if dice.lost:
        bound = "two D12s are the most" if dice.lost > 0 else "one D6 is the least"
        lost = f", {counted(abs(dice.lost), 'step')} lost since {bound}"
    return f"stepped {net:+d} to {'+'.join(f'D{sides}' for sides in dice.sides)}{lost}: "


def lying(throws: list[tuple[Pool, tuple[int, ...]]], pushed: bool) -> list[tuple[Die, int]]:
    """The dice as they lie, after the push where there was one."""
    (pool, faces), *rest = throws
    table = list(zip(pool.dice, faces, strict=True))
    if pushed and rest:
        again_pool, again = rest[0]
        for die in again_pool.dice:
            candidates = [pair for pair in table if pair[0] == die and pair[1] != 1]
            table.remove(min(candidates, key=lambda pair: not is_loose(*pair)))
        table += zip(again_pool.dice, again, strict=True)
    return table


def is_loose(die: Die, face: int) -> bool:
    """Whether a push throws this die again."""
    if die.name:
        return face not in (1, 6)
    return 1 < face < 6


def successes_on(table: list[tuple[Die, int]]) -> int:
    """The successes on the table."""
    return sum(landed(face, die)[0] for die, face in table)


def ones_said(table: list[tuple[Die, int]]) -> str:
    """Which dice show a 1: `the D8 shows a 1`, `D8 and 2 ammo dice show 1s`."""
    shown = [repr(die) for die, face in table if face == 1 and not die.name]
    ammo = sum(face == 1 for die, face in table if die.name)
    if ammo:
        shown.append(f"{'an' if ammo == 1 else ammo} ammo {'die' if ammo == 1 else 'dice'}")
    if len(shown) == 1 and ammo < 2:
        return f"{'' if ammo else 'the '}{shown[0]} shows a 1"
    return f"{listed(shown)} show 1s"


def stays(request: Request, transcript: Transcript) -> tuple[tuple[int, int], ...]:
    """The faces that lie on beside the dice of a push: the entry and the place of each."""
    entries = transcript.entries
    if len(entries) < 3 or not isinstance(entries[-1], Thrown) or not _is_push(entries[-2]):
        return ()
    first = 0 if isinstance(request, Opposed) else len(entries) - 3
    number = sum(isinstance(entry, Thrown) for entry in entries[:first])
    step, faces = transcript.throws[number]
    lying = list(enumerate(zip(step.pool.dice, faces, strict=True)))
    for die in transcript.throws[-1][0].pool.dice:
        candidates = [(place, shown) for place, shown in lying if shown[0] == die and shown[1] != 1]
        lying.remove(min(candidates, key=lambda found: not is_loose(*found[1])))
    return tuple((first, place) for place, _ in lying)


def _is_push(entry: Any) -> bool:
    return isinstance(entry, Chosen) and str(entry.option).startswith("push")
