"""D12 + D8, push or keep after seeing them: best play for 1 a success, less 3/10 for each 1.

A die succeeds from 6 on. A push throws every die again that shows neither a success nor a 1, and
only after a push the 1s count against the player. What matters of a face is its mark; Rollwright's
rules are written that way, and `hinted` says whether the users of the others see it too.
"""

from __future__ import annotations

from collections.abc import Callable


def mark(face: int) -> str:
    """What a face means."""
    return "success" if face >= 6 else "one" if face == 1 else "blank"


def ours(small: int, large: int, _: int) -> Callable[[], object]:
    """Advice about a rule."""
    from fractions import Fraction

    from rollwright import advise
    from rollwright.dice import Die, Pool
    from rollwright.rules import choose, roll, rule

    for part in ("advice", "beliefs"):  # the others are loaded whole, too
        __import__(f"rollwright.engine.best.{part}")

    dice = Die(small) + Die(large)

    @rule
    async def push_roll(pool: Pool) -> tuple[bool, int]:
        """Roll the pool; you may push once, but then every 1 costs you."""
        hand = await roll(pool, read=mark)
        loose = hand.where("blank")
        if not loose or await choose("keep", "push") == "keep":
            return "success" in hand, 0
        hand = hand - loose + await roll(loose.pool, read=mark)
        return "success" in hand, hand.count("one")

    def goal(outcome: tuple[bool, int]) -> Fraction:
        return outcome[0] - Fraction(3, 10) * outcome[1]

    def best() -> object:
        advice = advise(push_roll(dice), goal)
        pushed = sum(line.chance for line in advice.lines if line.choose == "push")
        return {"value": {advice.value: 1}, "pushed": {pushed: 1}}

    return best


def icepool(small: int, large: int, hinted: int) -> Callable[[], object]:
    """The mean of a die after a push, for each first throw."""
    from fractions import Fraction

    from icepool import d, tupleize

    read, loose, hit, one = terms(hinted)

    def after_push(a: object, b: object) -> Fraction:
        return (hit(a) or hit(b)) - Fraction(3, 10) * (one(a) + one(b))

    def best() -> object:
        dice = [d(small).map(read), d(large).map(read)]
        value, pushed = 0, 0
        first = tupleize(*dice)
        for faces, ways in first.items():
            keep = push = Fraction(any(map(hit, faces)))
            if any(map(loose, faces)):
                again = [die if loose(face) else face for die, face in zip(dice, faces)]
                push = tupleize(*again).map(after_push).mean()
            value += ways * max(keep, push)
            pushed += ways * (push > keep)
        total = first.denominator()
        return {"value": {value / total: 1}, "pushed": {Fraction(pushed, total): 1}}

    return best


def dyce(small: int, large: int, hinted: int) -> Callable[[], object]:
    """The mean of a histogram after a push, for each first throw."""
    from fractions import Fraction

    from dyce import H

    read, loose, hit, one = terms(hinted)

    def after_push(a: object, b: object) -> Fraction:
        return (hit(a) or hit(b)) - Fraction(3, 10) * (one(a) + one(b))

    def exact_mean(h: H[Fraction]) -> Fraction:
        return sum(worth * ways for worth, ways in h.items()) / h.total

    def best() -> object:
        dice = [H(small).apply(read), H(large).apply(read)]
        value, pushed = 0, 0
        first = dice[0].apply(lambda a, b: (a, b), dice[1])
        for faces, ways in first.items():
            keep = push = Fraction(any(map(hit, faces)))
            if any(map(loose, faces)):
                again = [h if loose(face) else H({face: 1}) for h, face in zip(dice, faces)]
                push = exact_mean(again[0].apply(after_push, again[1]))
            value += ways * max(keep, push)
            pushed += ways * (push > keep)
        return {"value": {value / first.total: 1}, "pushed": {Fraction(pushed, first.total): 1}}

    return best


def terms(hinted: int) -> tuple[Callable[..., object], ...]:
    """How dice are read, and which readings are loose, hits and ones: by faces or by marks."""
    if hinted:
        return mark, "blank".__eq__, "success".__eq__, "one".__eq__
    return (lambda face: face), (2, 3, 4, 5).__contains__, (6).__le__, (1).__eq__
