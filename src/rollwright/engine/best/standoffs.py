"""Endless play between opponents: found where waiting for the other is as good as anything.

Once every position has its value, an option is even if it is worth as much as its position. Where
both sides keep to even options, play stays for ever only inside a standoff: positions that can be
circled in by even options alone, whatever the dice show. If each side could leave it, what it is
worth depends on who gives in first, and no dice decide that. Without one, play ends with
certainty, and the values hold whatever endless play might be worth.
"""

from __future__ import annotations

from collections.abc import Sequence

from rollwright.errors import NeverEnds


def refuse_standoff(
    kids: Sequence[Sequence[int]], sides: Sequence[int], even: dict[int, list[int]]
) -> None:
    """Refuse positions in which two sides may each wait for the other for ever.

    `kids` are the positions after each position, below 0 for those outside; `sides` is 1 or -1
    where somebody decides for or against the goal, else 0; `even` are the options of each of these
    that are worth as much as the position.
    """
    rest = _staying(kids, even, set(range(len(kids))))
    while rest:
        ring = _ring(kids, even, rest)
        leaving = {sides[one] for one in ring if any(kid not in ring for kid in kids[one])}
        if {1, -1} <= leaving:
            raise NeverEnds(
                "two opponents may each wait for the other for ever, and nobody has to give in, "
                "so this has no best play: let the rule end after so many turns"
            )
        rest = _staying(kids, even, rest - ring)


def _ways(kids: Sequence[Sequence[int]], even: dict[int, list[int]], one: int) -> Sequence[int]:
    return [kids[one][option] for option in even[one]] if one in even else kids[one]


def _staying(
    kids: Sequence[Sequence[int]], even: dict[int, list[int]], among: set[int]
) -> set[int]:
    """Those from which play can be kept among them: by some even option, and by every throw."""
    into: dict[int, list[int]] = {}
    left: dict[int, int] = {}
    gone: list[int] = []
    for one in among:
        ways = _ways(kids, even, one)
        inside = [kid for kid in ways if kid in among]
        for kid in inside:
            into.setdefault(kid, []).append(one)
        left[one] = len(inside) if one in even else 1
        if not inside or (one not in even and len(inside) < len(ways)):
            gone.append(one)
            left[one] = 0
    removed = set(gone)
    for kid in gone:
        for one in into.get(kid, ()):
            left[one] -= 1
            if left[one] <= 0 and one not in removed:
                removed.add(one)
                gone.append(one)
    return among - removed


def _ring(kids: Sequence[Sequence[int]], even: dict[int, list[int]], among: set[int]) -> set[int]:
    """Some of them that lead back to each other and to nothing else among them."""
    from rollwright.engine.odds.chains import sccs

    def follow(one: int) -> list[int]:
        return [kid for kid in _ways(kids, even, one) if kid in among]

    return set(next(sccs(follow, min(among))))
