"""Net successes of a pool of d10 at difficulty 6, with whether a success face shows twice.

A face of 6 or more is a success, and every 1 takes one away.
"""

from __future__ import annotations

from collections.abc import Callable


def worth(face: int) -> int:
    """What one die adds to the net successes."""
    return 1 if face >= 6 else -1 if face == 1 else 0


def ours(dice: int) -> Callable[[], object]:
    """A fold over the doubles, with the successes added up beside it."""
    from rollwright.dice import D10
    from rollwright.exact import reduce

    def doubled(seen: bool, face: int, count: int) -> bool:
        return seen or (face >= 6 and count >= 2)

    return lambda: reduce(dice * D10, False, doubled, add=worth)


def icepool(dice: int) -> Callable[[], object]:
    """An evaluator over the pool."""
    from icepool import MultisetEvaluator, d10

    class NetAndDoubles(MultisetEvaluator):  # type: ignore[misc]
        """Net successes, and whether a success face has shown twice."""

        def initial_state(self, *unused: object) -> tuple[int, bool]:
            return 0, False

        def next_state(
            self, state: tuple[int, bool], order: object, face: int, count: int
        ) -> tuple[int, bool]:
            net, seen = state
            return net + count * worth(face), seen or (face >= 6 and count >= 2)

    return lambda: NetAndDoubles().evaluate(d10.pool(dice))


def dyce(dice: int) -> Callable[[], object]:
    """A survey of the pool."""
    from dyce import P
    from dyce.p import survey_outcome_order_ascending as ascending

    def step(state: tuple[int, bool], face: int, count: int) -> tuple[int, bool]:
        net, seen = state
        return net + count * worth(face), seen or (face >= 6 and count >= 2)

    return lambda: (dice @ P(10)).survey(accumulate=step, initial=(0, False), order=ascending)
