"""Who at the table plays which seat of a rule: who chooses, who throws, who sees."""

from __future__ import annotations

from rollwright.table.rolls import BLIND, Roll
from rollwright.table.seats import REFEREE, Audience, Seat


def player_of(roll: Roll, rule_seat: str) -> str:
    """The seat, or "referee", that plays a seat of the rule; always somebody who sees the roll."""
    if roll.visibility == BLIND:
        return REFEREE
    if rule_seat in roll.roles:
        found = roll.roles[rule_seat]
    elif rule_seat == REFEREE:
        found = REFEREE
    else:
        found = rule_seat[1:] if rule_seat.startswith("@s") else roll.by
    seers = roll.seers
    return found if seers is None or found in seers else roll.by


def seers_of(roll: Roll, rule_seats: tuple[str, ...] | None) -> Audience:
    """Who sees a throw of the roll; `rule_seats` are those the rule shows it to, None for all."""
    if rule_seats is None:
        return roll.seers
    return tuple(dict.fromkeys(player_of(roll, name) for name in rule_seats))


def called(player: str) -> str:
    """Who plays something, for a sentence."""
    return "a referee" if player == REFEREE else player


def may_play(seat: Seat, player: str) -> bool:
    """Whether a seat is the one that plays something."""
    return seat.id == player or (player == REFEREE and seat.is_referee)
