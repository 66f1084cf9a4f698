"""The narration from the trace of a transcript, check by check, with its reasons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import NamedTuple

from rollwright.dice import D20, Outcome
from rollwright.engine.steps import Choice, ThrowStep
from rollwright.engine.trace import Trace
from rollwright.engine.transcript import ChoiceEntry, Transcript
from rollwright.hands import Hand
from rollwright.i18n.catalogs import words_of
from rollwright.i18n.messages import Message, Value, clauses, somebody, with_sign, word
from rollwright.kit import Request
from rollwright.kit.card import Sum
from rollwright.kit.words import capital

from .modifiers import dc_shift, edge_names, stack
from .outcomes import CheckOutcome, Tier
from .requests import PER_ATTEMPT, Action, Check, Repair, Turn
from .rules import KEEP, REROLL_HIGHER, Lying, as_it_lies, kept, taken_up
from .tiers import Settled, advantage, settled, stacked_penalties
from .turns import BASE_DC, GoOn, check_as_told

WORDS = words_of(__package__ or __name__)
msg, name_said = WORDS.msg, WORDS.name
TOO_MANY = 4
Place = tuple[int, int]
"""A die on the table: the number of its entry and the place in it."""


class Laid(NamedTuple):
    """The d20s on the table after a throw."""

    lying: Lying
    d20s: tuple[tuple[Place, int], ...]
    """The place of each d20, and its face."""
    edge: Place | None = None
    taken_up: tuple[Place, ...] = ()
    """The d20s that were rolled again, all of them so far."""
    again: int = 0
    """The face of the d20 that was rolled again; 0 for the first throw."""
    effect: tuple[Place, ...] = ()
    """The places of the effect dice."""


class Told(NamedTuple):
    """One check of a transcript, as far as it has come."""

    ask: Check
    part: Trace
    number: int
    """Which check of the plan it is, counted from 0; or how many attempts were made before."""
    nth: int
    """Which check or attempt of the roll it is."""
    left: tuple[int, ...] = ()
    """The checks of the plan that are left after it."""
    laid: tuple[Laid, ...] = ()
    effect: tuple[int, ...] = ()
    """The faces of the effect dice, which are thrown along with the d20s."""
    in_hand: bool = False
    """Whether a d20 is taken up and not yet rolled again."""
    is_open: bool = False
    """Whether it may still be rolled again."""

    @property
    def known(self) -> Settled:
        """The facts known beforehand."""
        return settled(self.ask)

    @property
    def d20(self) -> int:
        """The d20 that counts."""
        return kept(self.known, self.laid[-1].lying)

    @property
    def found(self) -> CheckOutcome:
        """The result of the d20s and the edge die as they are."""
        return as_it_lies(self.known, self.laid[-1].lying, len(self.laid) - 1)


def told_checks(request: Request, transcript: Transcript) -> tuple[Told, ...]:
    """Every check that was begun, in order."""
    return tuple(_as_it_lies(told, transcript) for told in _begun(request, transcript))


def _begun(request: Request, transcript: Transcript) -> Iterator[Told]:
    checks = transcript.trace.parts
    if isinstance(request, Turn):
        left = tuple(range(len(request.checks)))
        picked = _picked(request, transcript) if request.any_order else left
        for nth, (number, check) in enumerate(zip(picked, checks, strict=False), start=1):
            left = tuple(n for n in left if n != number)
            yield Told(check.args[0], check, number, nth, left)
    elif isinstance(request, Repair):
        for made, check in enumerate(checks):
            number = request.attempt + made
            ask = check_as_told(request, number, check.args[0].nth_check)
            yield Told(ask, check, made, number)
    elif isinstance(request, Check):
        yield Told(request, transcript.trace, 0, 1)


def _picked(turn: Turn, transcript: Transcript) -> Iterator[int]:
    """The numbers of the checks as the player picked them; of one alone there is no choice."""
    if len(turn.checks) == 1:
        yield 0
    own = transcript.trace.rules[0].entries
    for entry in [transcript.entries[number] for number in own]:
        if isinstance(entry, ChoiceEntry) and entry.option in turn.labels:
            yield turn.labels.index(str(entry.option))


def _as_it_lies(told: Told, transcript: Transcript) -> Told:
    """A check with its entries: the first throw with its effect dice, and what was rolled again."""
    laid: list[Laid] = []
    effect: tuple[int, ...] = ()
    option = ""
    for number in told.part.entries:
        entry = transcript.entries[number]
        if isinstance(entry, ChoiceEntry):
            option = str(entry.option)
        elif not laid:
            laid.append(_first(told.known, number, entry.faces))
            effect = entry.faces[_before_effect(told.known) :]
        else:
            laid.append(_again(laid[-1], option, number, entry.faces[0]))
            option = ""
    waits = not told.part.is_done and type(transcript.step) is Choice
    return told._replace(
        laid=tuple(laid),
        effect=effect,
        in_hand=option not in ("", KEEP),
        is_open=waits and bool(laid),
    )


def _before_effect(known: Settled) -> int:
    """How many dice of a throw come before the effect dice."""
    return (2 if known.advantage else 1) + bool(known.edge)


def _first(known: Settled, entry: int, faces: tuple[int, ...]) -> Laid:
    many = 2 if known.advantage else 1
    d20s = faces[:many]
    edge = (entry, many) if known.edge else None
    effect = max(sum(faces[_before_effect(known) :]) + known.effect.flat, 0)
    lying = Lying(Hand([(D20, face) for face in d20s]), faces[many] if known.edge else 0, effect)
    places = tuple((entry, n) for n in range(_before_effect(known), len(faces)))
    return Laid(
        lying, tuple(((entry, n), face) for n, face in enumerate(d20s)), edge, effect=places
    )


def _again(before: Laid, option: str, entry: int, new: int) -> Laid:
    """Return the dice once a d20 is rolled again: the other one stays, and so does the edge die."""
    pick = max if option == REROLL_HIGHER else min
    up = pick(before.d20s, key=lambda die: die[1])
    staying = [die for die in before.d20s if die is not up]
    lying = taken_up(before.lying, option)
    lying = lying._replace(d20s=lying.d20s + Hand([(D20, new)]))
    d20s = (*staying, ((entry, 0), new))
    return Laid(lying, d20s, before.edge, (*before.taken_up, up[0]), new, before.effect)


def tell(request: Request, transcript: Transcript) -> Message:
    """Return what happened, and what is still open, if anything."""
    told = [one for one in told_checks(request, transcript) if one.laid]
    parts = [*_told(request, told, transcript)]
    if not transcript.is_done:
        parts.append(_waits(request, transcript, first=not parts))
    return msg("told", said=msg("told.clauses", parts=clauses(parts)))


def _told(request: Request, told: Sequence[Told], transcript: Transcript) -> Iterator[Message]:
    for number, one in enumerate(told):
        if isinstance(request, Turn):
            yield from _of_turn(request, one, first=not number)
        elif isinstance(request, Repair):
            name = _attempt(request, one, first=not number)
            yield msg("told.named", name=name, said=_check(one, first=False))
        else:
            yield _check(one, first=True)
    if transcript.is_done and isinstance(request, Turn) and transcript.outcome.stopped:
        yield msg("told.stopped")
    if transcript.is_done and isinstance(request, Repair):
        item = name_said(request.item) or msg("told.item.thing")
        works = transcript.outcome.fixed
        yield msg("told.works", item=item) if works else msg("told.ends")


def _of_turn(ask: Turn, told: Told, *, first: bool) -> Iterator[Message]:
    """One check of a turn, and what of the plan falls away after it."""
    name = check_name(ask, told.number, first=first)
    yield msg("told.named", name=name, said=_check(told, first=False))
    if not (told.part.is_done and told.left):
        return
    if told.part.outcome.tier is Tier.CRITICAL_FAILURE:
        yield msg("told.cut", n=len(told.left))
    most = ask.house.max_checks
    if most is not None and ask.checks_before + told.nth >= most:
        yield msg("told.limit", n=most)


def check_name(ask: Turn, number: int, *, first: bool = False) -> str | Message:
    """Return the name of a check of the plan: as people named it, else its number."""
    name = ask.labels[number]
    if name == f"check {number + 1}":
        return msg("told.nth", n=number + 1, first=first)
    alone = ask.checks[number].name or ask.checks[number].skill
    known = name_said(alone)
    shown = capital(alone) if first and isinstance(known, str) else known
    return shown if alone == name else msg("told.numbered", name=shown, n=number + 1)


def _attempt(ask: Repair, told: Told, *, first: bool) -> Message:
    """The number of an attempt, with the bonus that those before it have earned."""
    earned = PER_ATTEMPT * (told.nth - 1)
    if earned and not ask.house.repair_bonus_stacks:
        return msg("told.attempt.growth", n=told.nth, earned=earned, first=first)
    return msg("told.attempt", n=told.nth, first=first)


def _check(told: Told, *, first: bool) -> Message:
    """One check, as far as it has come."""
    parts = [_dice(told.known, told.laid[0].lying, first=first and told.in_hand)]
    for laid in told.laid[1:]:
        parts.append(msg("told.again", n=laid.again, said=_dice(told.known, laid.lying)))
    if told.in_hand:
        return msg("told.clauses", parts=clauses(parts))
    found = told.found
    parts.append(_sum(told.known, told.laid[-1].lying, found))
    if told.is_open:
        so_far = word(found.tier.value)
        parts += [*_effect_dice(told)]
        return msg("told.so_far", first=first, tier=so_far, parts=clauses(parts))
    parts += [*reasons(told.ask, found), *_effect(told), *_consequences(told.ask, found)]
    tier = msg(f"tier.{found.tier.value}") if first else word(found.tier.value)
    return msg("told.check", tier=tier, parts=clauses(parts))


def _dice(known: Settled, lying: Lying, *, first: bool = False) -> Message:
    if known.advantage:
        way = "up" if known.advantage > 0 else "down"
        (low, high), counts = lying.d20s.readings, kept(known, lying)
        shown = msg("told.d20s", first=first, low=low, high=high, counts=counts, way=way)
    else:
        shown = msg("told.d20", first=first, n=lying.d20s.sum)
    if not known.edge:
        return shown
    return msg("told.edge", said=shown, sides=abs(known.edge), n=lying.edge)


def _dice_added(known: Settled, lying: Lying, found: CheckOutcome) -> list[int]:
    """The d20 that counts and the edge die, each with the sign it is added with."""
    dice = [kept(known, lying)]
    if known.edge:
        dice.append(lying.edge if known.edge > 0 else -lying.edge)
    return dice if sum(dice) == found.total - known.bonus else [-part for part in dice]


def sum_of(told: Told) -> Sum | None:
    """The dice of a check, what is added to them by name, and the total; None for a d20 alone."""
    known, ask, found = told.known, told.ask, told.found
    dice = _dice_added(known, told.laid[-1].lying, found)
    terms = [msg("sum.dice", sum=_added(dice))]
    if ask.modifier:
        skill = name_said(ask.skill) if ask.skill else msg("sum.modifier")
        terms.append(msg("sum.term", name=skill, n=with_sign(ask.modifier)))
    if rest := known.bonus - ask.modifier:
        terms.append(msg("sum.rest", up=rest > 0, n=with_sign(rest)))
    return Sum(tuple(terms), found.total) if len(terms) + len(dice) > 2 else None


def _sum(known: Settled, lying: Lying, found: CheckOutcome) -> Message:
    dice = _dice_added(known, lying, found)
    total = _added([*dice, known.bonus] if known.bonus else dice, found.total)
    met = "exactly" if not found.margin else "over" if found.margin > 0 else "under"
    by = abs(found.margin)
    return msg("told.sum", natural=found.natural, total=total, dc=known.dc, met=met, by=by)


def _added(terms: Sequence[int], total: int | None = None) -> Value:
    """A sum written out, with what it comes to where it has several terms."""
    added: Value = terms[0]
    for term in terms[1:]:
        added = msg("sum.minus" if term < 0 else "sum.plus", sum=added, n=abs(term))
    if total is None or len(terms) < 2:
        return added
    return msg("sum.is", sum=added, n=with_sign(total) if total < 0 else total)


def _effect(told: Told) -> Iterator[Message]:
    """Yield the effect of a success, from its dice."""
    if told.found.tier is Tier.SUCCESS and (told.effect or told.known.effect.flat):
        yield msg("told.effect", n=_effect_sum(told))


def _effect_sum(told: Told) -> Value:
    """Return the sum of the effect dice and the flat part, written out."""
    flat, effect = told.known.effect.flat, told.laid[-1].lying.effect
    terms = [*told.effect, flat] if flat else [*told.effect]
    return _added(terms, effect) if told.effect else effect


def _effect_dice(told: Told) -> Iterator[Message]:
    """Yield the effect dice's faces while it is open whether they count."""
    if told.effect:
        yield msg("told.effect.dice", n=_effect_sum(told))


def _consequences(ask: Check, found: CheckOutcome) -> Iterator[Message]:
    if found.tier is Tier.FAILURE:
        yield msg("told.wasted")
    elif found.tier is Tier.CRITICAL_SUCCESS:
        yield msg("told.extra")
        yield from _highest(settled(ask), found)
        if found.critical_effect:
            target = somebody(ask.target) or msg("told.main_target")
            yield msg("told.critical_effect", target=target)
    elif found.tier is Tier.CRITICAL_FAILURE:
        yield msg("told.over" if found.turn_ends else "told.wasted")
        if found.disabled:
            dc = msg("told.disabled.tier", base=BASE_DC)
            dc_said = dc if ask.item_tier is None else BASE_DC + ask.item_tier
            yield msg("told.disabled", item=item_name(ask), dc=dc_said)
        if found.harm:
            yield msg("told.harm")


def _highest(known: Settled, found: CheckOutcome) -> Iterator[Message]:
    """The effect of a critical success, whose dice count their highest."""
    if known.effect.pool and not found.effect:
        yield msg("told.highest.nothing", less=-known.effect.flat)
    elif known.effect.pool:
        yield msg("told.highest", n=found.effect)
    elif found.effect:
        yield msg("told.effect", n=found.effect)


def item_name(action: Action) -> str | Message:
    """Return the name of the thing that a critical failure disables."""
    return msg("told.item.weapon") if action.item is None else name_said(action.item)


def reasons(ask: Check, found: CheckOutcome) -> Iterator[Message]:
    """Yield what shifted, capped or cancelled something in this check."""
    if ask.advantages and ask.disadvantages and not advantage(ask, ask.house):
        yield msg("told.cancel")
    yield from _edges(ask, found)
    yield from _caps(ask)
    if not found.margin and ask.house.tie == "failure":
        yield msg("told.tie")
    if found.tier is not found.base_tier:
        before, after = msg(f"from.{found.base_tier.value}"), msg(f"into.{found.tier.value}")
        yield msg("told.shift", n=found.natural, **{"from": before, "to": after})
    yield from _number(ask)


def _edges(ask: Check, found: CheckOutcome) -> Iterator[Message]:
    for name in (*edge_names(ask.edges)[2], *edge_names(ask.dc_edges)[2]):
        yield msg("told.second_edge", name=name.lstrip("-"))
    if found.swapped:
        yield msg("told.swapped")
    if shift := dc_shift(ask.dc_edges):
        yield msg("told.dc_edges", sum=_added([ask.dc, shift]))


def _caps(ask: Check) -> Iterator[Message]:
    cut = _cut_after if ask.house.bonus_order == "cancel first" else _cut_before
    yield from cut(ask.bonuses, stacked_penalties(ask), effect=False)
    yield from cut(ask.effect_bonuses, ask.effect_penalties, effect=True)


def _cut_before(
    bonuses: tuple[int, ...], penalties: tuple[int, ...], *, effect: bool
) -> Iterator[Message]:
    """Yield what the caps cut off if each side is capped by itself."""
    for what, amounts in (("bonuses", bonuses), ("penalties", penalties)):
        found = stack(amounts)
        if found.wasted:
            yield msg("told.capped", effect=effect, what=what, sum=found.sum, cap=found.cap)


def _cut_after(
    bonuses: tuple[int, ...], penalties: tuple[int, ...], *, effect: bool
) -> Iterator[Message]:
    """Yield what the caps cut off if only the side that is left over is capped."""
    up, down = stack(bonuses), stack(penalties)
    left = up.sum - down.sum
    what, cap = ("bonuses", up.cap) if left >= 0 else ("penalties", down.cap)
    if abs(left) > cap:
        way = "told.capped.left" if up.sum and down.sum else "told.capped"
        yield msg(way, effect=effect, what=what, sum=abs(left), cap=cap)


def _number(ask: Check) -> Iterator[Message]:
    price = ask.turn_price
    if price:
        way = "told.price.stacks" if ask.house.turn_penalty_stacks else "told.price"
        yield msg(way, n=ask.nth_check, price=price)
    if ask.in_turn and ask.nth_check >= TOO_MANY:
        yield msg("told.too_many")


def _waits(request: Request, transcript: Transcript, *, first: bool) -> Message:
    """Return what an open roll waits for."""
    step = transcript.step
    if not isinstance(step, Choice):
        return msg("told.waits", dice=_dice_waited_for(step), n=step.pool.size)
    options: list[Value] = [option_name(request, step, option) for option in step.options]
    listed = reduce(lambda a, b: msg("told.or", a=a, b=b), options)
    return msg("told.choose", first=first, options=listed)


def _dice_waited_for(step: ThrowStep[Outcome]) -> Value:
    dice = step.pool.dice
    kinds: list[Value] = [
        msg(f"dice.{die.name or 'plain'}", n=dice.count(die), sides=len(die.faces))
        for die in dict.fromkeys(dice)
    ]
    return reduce(lambda a, b: msg("sum.plus", sum=a, n=b), kinds)


def option_name(request: Request, step: Choice[Outcome], option: object) -> str | Message:
    """Return an option in words: to roll again or not, to go on or not, or which check."""
    if isinstance(request, Turn) and isinstance(step.about, GoOn) and option in step.about.left:
        return check_name(request, request.labels.index(str(option)))
    return msg(f"option.{option}")
