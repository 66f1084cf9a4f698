"""Why a result is what it is: caps, cancelled advantage, shifted tiers, one check too many."""

from __future__ import annotations

from collections.abc import Iterator

from rollwright.games.edge20.outcomes import CheckOutcome
from rollwright.games.edge20.requests import PER_CHECK, Check, Turn
from rollwright.games.edge20.stacking import dc_shift, edge_names, stack
from rollwright.games.edge20.tiers import advantage, stacked_penalties
from rollwright.kit.phrases import many, plus

TOO_MANY = 4


def reasons(ask: Check, found: CheckOutcome) -> list[str]:
    """What shifted, capped or cancelled something in this check."""
    return [
        *_cancelled(ask),
        *_edges(ask, found),
        *_caps(ask),
        *_tie(ask, found),
        *_shift(found),
        *_number(ask),
    ]


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
        yield f"edges make the DC {ask.dc} {plus(shift)}"


def _caps(ask: Check) -> Iterator[str]:
    cut = _cut_after if ask.house.bonus_order == "cancel first" else _cut_before
    yield from cut("", ask.bonuses, stacked_penalties(ask))
    yield from cut("effect ", ask.effect_bonuses, ask.effect_penalties)


def _cut_before(on: str, bonuses: tuple[int, ...], penalties: tuple[int, ...]) -> Iterator[str]:
    """What the caps cut off where each side is capped by itself."""
    for what, amounts in (("bonuses", bonuses), ("penalties", penalties)):
        found = stack(amounts)
        if found.wasted:
            yield f"{on}{what} of {found.sum} are capped at {found.cap}, twice the largest"


def _cut_after(on: str, bonuses: tuple[int, ...], penalties: tuple[int, ...]) -> Iterator[str]:
    """What the caps cut off where only the side that is left over is capped."""
    up, down = stack(bonuses), stack(penalties)
    left = up.sum - down.sum
    what, cap = ("bonuses", up.cap) if left >= 0 else ("penalties", down.cap)
    if abs(left) > cap:
        both = bool(up.sum and down.sum)
        said = f"{abs(left)} left of the {on}{what}" if both else f"{on}{what} of {abs(left)}"
        yield f"{said} are capped at {cap}, twice the largest"


def _tie(ask: Check, found: CheckOutcome) -> Iterator[str]:
    if not found.margin and ask.house.tie == "failure":
        yield "only more than the DC is a success at this table"


def _shift(found: CheckOutcome) -> Iterator[str]:
    if found.tier is not found.base_tier:
        yield f"a natural {found.natural} turns the {found.base_tier} into a {found.tier}"


def _number(ask: Check) -> Iterator[str]:
    price = PER_CHECK * (ask.nth_check - 1)
    if price and ask.house.turn_penalty_stacks:
        yield f"check {ask.nth_check} of the turn adds {price} to the penalties"
    elif price:
        yield f"check {ask.nth_check} of the turn is at -{price}"
    if ask.nth_check >= TOO_MANY:
        yield "so many checks are called too much for one round"


def set_aside(ask: Turn, left: tuple[int, ...], made: int) -> Iterator[str]:
    """Checks that the table's limit leaves no room for."""
    most = ask.house.max_checks
    if left and most is not None and ask.checks_before + made >= most:
        yield f"no more than {many(most, 'check')} in a turn at this table"
