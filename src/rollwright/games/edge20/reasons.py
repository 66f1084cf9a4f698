"""Why a result is what it is: caps, cancelled advantage, shifted tiers, one check too many."""

from __future__ import annotations

from collections.abc import Iterator

from rollwright.games.edge20.outcomes import CheckOutcome
from rollwright.games.edge20.requests import PER_CHECK, Check, Turn
from rollwright.games.edge20.stacking import dc_shift, edge_names, stack
from rollwright.games.edge20.tiers import advantage, stacked_penalties

TOO_MANY = 4


def reasons(ask: Check, found: CheckOutcome) -> list[str]:
    """What shifted, capped or cancelled something in this check."""
    return [*_cancelled(ask), *_edges(ask, found), *_caps(ask), *_shift(found), *_number(ask)]


def _cancelled(ask: Check) -> Iterator[str]:
    if ask.advantages and ask.disadvantages and not advantage(ask, ask.house):
        yield "advantage and disadvantage cancel"


def _edges(ask: Check, found: CheckOutcome) -> Iterator[str]:
    for name in (*edge_names(ask.edges)[2], *edge_names(ask.dc_edges)[2]):
        yield f"a second edge from {name.lstrip('-')} does not count"
    if found.swapped:
        yield "the edge die is the natural roll"
    shift = dc_shift(ask.dc_edges)
    if shift:
        yield f"edges make the DC {ask.dc} {'+' if shift > 0 else '-'} {abs(shift)}"


def _caps(ask: Check) -> Iterator[str]:
    stacks = {
        "bonuses": ask.bonuses,
        "penalties": stacked_penalties(ask),
        "effect bonuses": ask.effect_bonuses,
        "effect penalties": ask.effect_penalties,
    }
    for what, amounts in stacks.items():
        found = stack(amounts)
        if found.wasted:
            yield f"{what} of {found.sum} are capped at {found.cap}, twice the largest"


def _shift(found: CheckOutcome) -> Iterator[str]:
    if found.tier is not found.base_tier:
        yield f"a natural {found.natural} turns the {found.base_tier} into a {found.tier}"


def _number(ask: Check) -> Iterator[str]:
    if ask.nth_check > 1:
        yield f"check {ask.nth_check} of the turn is at -{PER_CHECK * (ask.nth_check - 1)}"
    if ask.nth_check >= TOO_MANY:
        yield "so many checks are called too much for one round"


def set_aside(ask: Turn, left: tuple[int, ...], made: int) -> Iterator[str]:
    """Checks that the table's limit leaves no room for."""
    most = ask.house.max_checks
    if left and most is not None and ask.checks_before + made >= most:
        yield f"no more than {most} checks in a turn at this table"
