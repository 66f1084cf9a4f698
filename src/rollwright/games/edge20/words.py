"""What happened, in one plain sentence made from the dice and choices of a transcript, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rollwright.engine.trace import Played, Trace
from rollwright.engine.transcript import Chosen, Thrown, Transcript
from rollwright.kit import Request, by_request
from rollwright.kit.words import many, plus, sentence, waits_for

from .modifiers import dc_shift, edge_names, stack
from .outcomes import CheckOutcome, Tier
from .requests import PER_ATTEMPT, PER_CHECK, Action, Check, Repair, Turn
from .rules import KEEP, REROLL, REROLL_HIGHER, REROLL_LOWER, Lying, beside, kept
from .tiers import Settled, advantage, judged, settled, stacked_penalties
from .turns import BASE_DC, check_as_told, nth_check

Entries = Iterator[Any]
TOO_MANY = 4
AGAIN = (REROLL, REROLL_LOWER, REROLL_HIGHER)


def tell(request: Request, transcript: Transcript) -> str:
    """What happened, and where something is still open, what."""
    words = _told(request, transcript)
    still_open = waits_for(transcript, "to be chosen: {options}", "{dice} {are} still to be thrown")
    return sentence("; ".join(part for part in (words, still_open) if part))


def _check(ask: Check, entries: Entries) -> str:
    """One check, as far as it has come."""
    thrown = next(entries, None)
    if thrown is None:
        return ""
    known = settled(ask)
    lying = _lying(known, thrown.faces)
    story = [_dice(known, lying)]
    rerolled, decided = 0, True
    while rerolled < ask.rerolls:
        choice = next(entries, None)
        if choice is None or choice.option == KEEP:
            decided = choice is not None
            break
        new = next(entries, None)
        if new is None:
            return "; ".join(story)
        staying = lying.low if choice.option == REROLL_HIGHER else lying.high
        lying = beside(new.faces[0], staying if known.advantage else 0, lying.edge)
        story.append(f"rolled again for {new.faces[0]}, {_dice(known, lying)}")
        rerolled += 1
    found = judged(known, kept(known, lying), lying.edge, rerolled)
    story.append(_sum(known, lying, found))
    if not decided:
        return f"so far a {found.tier}: {'; '.join(story)}"
    return f"{found.tier}: {'; '.join([*story, *_ended(ask, known, found, entries)])}"


def _ended(ask: Check, known: Settled, found: CheckOutcome, entries: Entries) -> Iterator[str]:
    """A check whose d20 stands: what shifted or capped it, the effect dice, and what follows."""
    yield from reasons(ask, found)
    if found.tier is Tier.SUCCESS:
        yield from _effect(known, entries)
    yield from _consequences(ask, known, found)


def _lying(known: Settled, faces: tuple[int, ...]) -> Lying:
    d20s = faces[:2] if known.advantage else faces[:1]
    return Lying(min(d20s), max(d20s), faces[-1] if known.edge else 0)


def _dice(known: Settled, lying: Lying) -> str:
    if known.advantage:
        why = "advantage" if known.advantage > 0 else "disadvantage"
        said = (
            f"the d20s show {lying.low} and {lying.high}, the {kept(known, lying)} counts ({why})"
        )
    else:
        said = f"the d20 shows {lying.high}"
    return f"{said}, the edge D{abs(known.edge)} {lying.edge}" if known.edge else said


def _sum(known: Settled, lying: Lying, found: CheckOutcome) -> str:
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


def _effect(known: Settled, entries: Entries) -> Iterator[str]:
    """The effect dice of a success, if they are thrown."""
    pool, flat = known.effect
    thrown = next(entries, None) if pool else None
    faces: tuple[int, ...] = thrown.faces if thrown else ()
    if not faces and (pool or not flat):
        return
    terms = [str(face) for face in faces]
    if flat and faces:
        terms.append(str(flat))
    sum_said = " + ".join(terms).replace("+ -", "- ")
    effect = max(sum(faces) + flat, 0)
    yield f"effect {sum_said} = {effect}" if len(terms) > 1 else f"effect {effect}"


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
        tier = action.item_tier
        needed = f"{BASE_DC} + Tier" if tier is None else BASE_DC + tier
        said.append(f"the {action.used_item} no longer works (DC {needed} to get it going again)")
    if harm:
        said.append("something harmful happens, which the GM names")
    return said


def _attempts(transcript: Transcript, rule: str) -> Iterator[tuple[Played, Trace, Entries]]:
    """The checks that a rule has made: the rule, the check in it, and the entries of that."""
    for here in transcript.trace.played(rule):
        part = here.parts[0]
        yield here, part, iter([transcript.entries[number] for number in part.entries])


def _turn(ask: Turn, transcript: Transcript) -> str:
    """The checks of a turn one after the other."""
    story: list[str] = []
    for here, part, entries in _attempts(transcript, "next_check"):
        _, number, left, so_far = here.args
        words = _check(nth_check(ask, number, so_far.made + 1, so_far.shared), entries)
        if words:
            story.append(f"{ask.labels[number]}: {words}")
        if part.is_done and left:
            if part.outcome.tier is Tier.CRITICAL_FAILURE:
                story.append(f"{many(len(left), 'planned check')} cut off")
            story += _set_aside(ask, so_far.made + 1)
    if transcript.is_done and transcript.outcome.stopped:
        story.append("the turn is left at that")
    return "; ".join(story)


def _set_aside(ask: Turn, made: int) -> Iterator[str]:
    """Checks that the table's limit leaves no room for."""
    most = ask.house.max_checks
    if most is not None and ask.checks_before + made >= most:
        yield f"no more than {many(most, 'check')} in a turn at this table"


def _repair(ask: Repair, transcript: Transcript) -> str:
    """Attempt after attempt."""
    story: list[str] = []
    for here, _, entries in _attempts(transcript, "try_once"):
        _, made, nth, *_ = here.args
        if words := _check(check_as_told(ask, ask.attempt + made, nth), entries):
            story.append(f"attempt {ask.attempt + made}{_growth(ask, made)}: {words}")
    if transcript.is_done:
        works = f"the {ask.item or 'thing'} works again"
        story.append(works if transcript.outcome.fixed else "that is where trying ends")
    return "; ".join(story)


def _growth(ask: Repair, made: int) -> str:
    """The bonus that attempts before this one have earned."""
    earned = PER_ATTEMPT * (ask.attempt + made - 1)
    return f" (+{earned})" if earned and not ask.house.repair_bonus_stacks else ""


_told = by_request(
    {
        Check: lambda ask, transcript: _check(ask, iter(transcript.entries)),
        Turn: _turn,
        Repair: _repair,
    }
)


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
