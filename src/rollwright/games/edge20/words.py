"""What happened, in one plain sentence made from the dice and choices of a transcript, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from rollwright.engine.transcript import Chosen, Thrown, Transcript
from rollwright.games.edge20.actions import Action
from rollwright.games.edge20.outcomes import CheckOutcome, Tier
from rollwright.games.edge20.repairs import check_as_told, nth_in_turn
from rollwright.games.edge20.requests import PER_ATTEMPT, PER_CHECK, Check, Repair, Turn
from rollwright.games.edge20.rules import KEEP, REROLL, REROLL_HIGHER, REROLL_LOWER, Lying, kept
from rollwright.games.edge20.stacking import dc_shift, edge_names, stack
from rollwright.games.edge20.tiers import (
    Settled,
    advantage,
    judged,
    repair_dc,
    settled,
    stacked_penalties,
)
from rollwright.games.edge20.turns import STOP, nth_check, without
from rollwright.kit import Request, by_request
from rollwright.kit.phrases import many, plus, sentence, waits_for

Entries = Iterator[Thrown | Chosen]
STOPPED = -1


class Told(NamedTuple):
    """A check in words; without an outcome where it is not finished."""

    words: str
    outcome: CheckOutcome | None


def tell(request: Request, transcript: Transcript) -> str:
    """What happened, and where something is still open, what."""
    words = _told(request, iter(transcript.entries))
    still_open = waits_for(transcript, "to be chosen: {options}", "{dice} {are} still to be thrown")
    said = "; ".join(part for part in (words, still_open) if part)
    return sentence(said)


def _check(ask: Check, entries: Entries) -> Told:
    """One check, as far as it has come."""
    thrown = next(entries, None)
    if thrown is None:
        return Told("", None)
    known = settled(ask)
    lying = _lying(known, thrown.faces)  # type: ignore[union-attr]
    story = [_dice(known, lying)]
    rerolled, decided = 0, True
    while rerolled < ask.rerolls:
        choice = next(entries, None)
        if choice is None or choice.option == KEEP:  # type: ignore[union-attr]
            decided = choice is not None
            break
        new = next(entries, None)
        if new is None:
            return Told("; ".join(story), None)
        lying = _again(known, lying, choice.option, new.faces[0])  # type: ignore[union-attr]
        story.append(f"rolled again for {new.faces[0]}, {_dice(known, lying)}")  # type: ignore[union-attr]
        rerolled += 1
    found = judged(known, kept(known, lying), lying.edge, rerolled)
    story.append(_sum(ask, known, lying, found))
    if not decided:
        return Told(f"so far a {found.tier}: {'; '.join(story)}", None)
    return _ended(ask, known, found, story, entries)


def _ended(
    ask: Check, known: Settled, found: CheckOutcome, story: list[str], entries: Entries
) -> Told:
    """A check whose d20 stands: its result, the effect dice, and what follows."""
    story += reasons(ask, found)
    if found.tier is Tier.SUCCESS:
        effect = _effect(known, entries)
        if effect is None:
            return Told(f"{found.tier}: {'; '.join(story)}", None)
        if effect:
            story.append(effect)
    story += _consequences(ask, known, found)
    return Told(f"{found.tier}: {'; '.join(story)}", found)


def _lying(known: Settled, faces: tuple[int, ...]) -> Lying:
    d20s = faces[:2] if known.advantage else faces[:1]
    return Lying(min(d20s), max(d20s), faces[-1] if known.edge else 0)


def _again(known: Settled, lying: Lying, option: str, new: int) -> Lying:
    standing = lying.low if option == REROLL_HIGHER else lying.high
    low, high = sorted((new, standing if known.advantage else new))
    return Lying(low, high, lying.edge)


def _dice(known: Settled, lying: Lying) -> str:
    if known.advantage:
        why = "advantage" if known.advantage > 0 else "disadvantage"
        said = (
            f"the d20s show {lying.low} and {lying.high}, the {kept(known, lying)} counts ({why})"
        )
    else:
        said = f"the d20 shows {lying.high}"
    return f"{said}, the edge D{abs(known.edge)} {lying.edge}" if known.edge else said


def _sum(ask: Check, known: Settled, lying: Lying, found: CheckOutcome) -> str:
    dice = [kept(known, lying)]
    if known.edge:
        dice.append(lying.edge if known.edge > 0 else -lying.edge)
    if sum(dice) != found.total - known.bonus:
        dice = [-part for part in dice]
    terms = [str(dice[0])] + [plus(part) for part in dice[1:]]
    if known.bonus:
        terms.append(plus(known.bonus))
    total = " ".join(terms) + (f" = {found.total}" if len(terms) > 1 else "")
    how = "exactly" if not found.margin else f"by {abs(found.margin)}"
    what = "met" if found.margin >= 0 else "missed"
    return f"natural {found.natural}, total {total}, DC {known.dc} {what} {how}"


def _effect(known: Settled, entries: Entries) -> str | None:
    """The effect dice of a success; None where they are still to be thrown."""
    pool, flat = known.effect
    faces: tuple[int, ...] = ()
    if pool:
        thrown = next(entries, None)
        if thrown is None:
            return None
        faces = thrown.faces  # type: ignore[union-attr]
    elif not flat:
        return ""
    terms = " + ".join(map(str, faces))
    if flat and faces:
        terms += f" {plus(flat)}"
    effect = max(sum(faces) + flat, 0)
    return (
        f"effect {terms} = {effect}"
        if len(faces) + bool(flat and faces) > 1
        else f"effect {effect}"
    )


def _consequences(ask: Check, known: Settled, found: CheckOutcome) -> list[str]:
    if found.tier is Tier.SUCCESS:
        return []
    if found.tier is Tier.FAILURE:
        return ["the action is wasted"]
    if found.tier is Tier.CRITICAL_SUCCESS:
        said = ["a helpful extra comes with it"]
        if known.effect.pool and not found.effect:
            less = -known.effect.flat
            said.append(f"the effect dice count their highest, but less {less} nothing is left")
        elif known.effect.pool:
            said.append(f"the effect dice count their highest: {found.effect}")
        elif found.effect:
            said.append(f"effect {found.effect}")
        if found.critical_effect:
            said.append(f"{ask.target or 'the main target'} suffers a critical effect")
        return said
    return ["the action is wasted and the turn is over", *disaster(ask, found.disabled, found.harm)]


def disaster(action: Action, disabled: bool, harm: bool) -> list[str]:
    """What a critical failure brings."""
    said = []
    if disabled:
        dc = repair_dc(action)
        needed = "10 + Tier" if dc is None else str(dc)
        said.append(f"the {action.used_item} no longer works (DC {needed} to get it going again)")
    if harm:
        said.append("something harmful happens, which the GM names")
    return said


def _turn(ask: Turn, entries: Entries) -> str:
    """The checks of a turn one after the other."""
    story: list[str] = []
    left, made, shared = tuple(range(len(ask.checks))), 0, 0
    while left and (number := _picked(ask, left, made, entries)) is not None:
        if number == STOPPED:
            story.append("the turn is left at that")
            break
        told = _check(nth_check(ask, number, made + 1, shared), entries)
        if told.words:
            story.append(f"{ask.labels[number]}: {told.words}")
        if told.outcome is None:
            break
        left, made = without(left, number), made + 1
        shared += max(told.outcome.rerolled - ask.checks[number].rerolls, 0)
        if told.outcome.turn_ends:
            if left:
                story.append(f"{many(len(left), 'planned check')} cut off")
            break
    return "; ".join([*story, *set_aside(ask, left, made)])


def _picked(ask: Turn, left: tuple[int, ...], made: int, entries: Entries) -> int | None:
    """The check that was made next, STOPPED where none was wanted, None where nothing is said."""
    most = ask.house.max_checks
    if made and most is not None and ask.checks_before + made >= most:
        return None
    if not made and (not ask.any_order or len(left) == 1):
        return left[0]
    choice = next(entries, None)
    if choice is None:
        return None
    option: Any = choice.option  # type: ignore[union-attr]
    if option == STOP:
        return STOPPED
    return ask.labels.index(option) if ask.any_order else left[0]


def _repair(ask: Repair, entries: Entries) -> str:
    """Attempt after attempt."""
    story: list[str] = []
    nth, turns = ask.checks_before + 1, 1
    for made in range(ask.limit):
        told = _check(check_as_told(ask, ask.attempt + made, nth), entries)
        if not told.words:
            break
        story.append(f"attempt {ask.attempt + made}{_growth(ask, made)}: {told.words}")
        if told.outcome is None or told.outcome.success:
            break
        if told.outcome.turn_ends or nth_in_turn(ask, nth, turns) >= ask.tries_per_turn:
            nth, turns = 1, turns + 1
        else:
            nth += 1
    else:
        story.append("that is where trying ends")
    if story and told.outcome is not None and told.outcome.success:
        story.append(f"the {ask.item or 'thing'} works again")
    return "; ".join(story)


def _growth(ask: Repair, made: int) -> str:
    """The bonus that attempts before this one have earned."""
    earned = PER_ATTEMPT * (ask.attempt + made - 1)
    return f" (+{earned})" if earned and not ask.house.repair_bonus_stacks else ""


_told = by_request(
    {Check: lambda ask, entries: _check(ask, entries).words, Turn: _turn, Repair: _repair}
)


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


AGAIN = (REROLL, REROLL_LOWER, REROLL_HIGHER)


def stays(request: Request, transcript: Transcript) -> tuple[tuple[int, int], ...]:
    """The faces that lie on beside a d20 rolled again: the entry and the place of each."""
    entries = transcript.entries
    first = len(entries) - 1
    while first >= 2 and _is_reroll(entries[first - 1]) and isinstance(entries[first - 2], Thrown):
        first -= 2
    if first == len(entries) - 1 or not entries or not isinstance(entries[-1], Thrown):
        return ()
    number = sum(isinstance(entry, Thrown) for entry in entries[:first])
    step, faces = transcript.throws[number]
    shown = [((first, n), faces[n]) for n, die in enumerate(step.pool.dice) if not die.name]
    edge = [(first, n) for n, die in enumerate(step.pool.dice) if die.name]
    for place in range(first + 1, len(entries), 2):
        _roll_again(shown, entries[place])
        if place + 1 < len(entries) - 1:
            shown.append(((place + 1, 0), entries[place + 1].faces[0]))  # type: ignore[union-attr]
    return (*(place for place, _ in shown), *edge)


def _roll_again(shown: list[tuple[tuple[int, int], int]], choice: Any) -> None:
    """Take up the d20 that is rolled again."""
    pick = max if choice.option == REROLL_HIGHER else min
    shown.remove(pick(shown, key=lambda die: die[1]))


def _is_reroll(entry: Any) -> bool:
    return isinstance(entry, Chosen) and entry.option in AGAIN
