"""The narration of a roll, in one sentence made from its transcript."""

from __future__ import annotations

from collections.abc import Iterable

from rollwright.engine.steps import Choice, ThrowStep
from rollwright.engine.transcript import Transcript
from rollwright.i18n.messages import Message, Value, any_of, clauses, who, with_sign, word
from rollwright.kit import Request, by_request

from .casts import Cast, Decided, Gift, Story, casts_of, story_of
from .outcomes import (
    BEST,
    MIXED,
    STANDARD_RANGES,
    WORST,
    Judging,
    Score,
    band_of,
    judged_by,
    msg,
    name_said,
    range_of,
    score_of,
    shorthand_of,
)
from .requests import HELPERS, KEEP, Contest, Group, Player, Test

Parts = list[Message]
COINS = ("coin", "again", "d10ish", "toss")
"""The dice with names."""


def tell(request: Request, transcript: Transcript) -> Message:
    """Return what happened, or the dice and the options, in one sentence."""
    return msg("told", clauses=clauses(_told(request, transcript)))


# Whom it is about


def called(request: Request, name: str, *, start: bool = False) -> Value:
    """Somebody as a sentence names them: a seat of the table, a name as written, else a place."""
    if name.startswith("@"):
        return who(name)
    if isinstance(request, Contest):
        unnamed = [not request.first.name, not request.second.name]
        if name in request.names and unnamed[place := request.names.index(name)]:
            return msg(("side.first", "side.second")[place], start=start)
    if isinstance(request, Group):
        numbers = [n for n, one in enumerate(request.members, start=1) if not one.name]
        for n in numbers:
            if request.names[n - 1] == name:
                return msg("side.player", n=n, start=start)
    return f"{name[:1].upper()}{name[1:]}" if start else name


# Dice and Scores


def dice_said(cast: Cast) -> list[Value]:
    """The dice in words: `4 and 10 (coin lost, so 0!)`."""
    return [_die(die) for die in cast.dice]


def _die(die: Decided) -> Value:
    if die.decider is None:
        return die.face
    if isinstance(die.decider, str):
        return msg("face.coin", face=die.face, won=die.decider == "won", value=die.value)
    return msg("face.again", face=die.face, again=int(str(die.decider)), value=die.value)


def judged_said(score: Score, judging: Judging) -> Message | None:
    """Return a Score's meaning: its band, or whether it passes; None if its own ranges say it."""
    if judging == "bands":
        return msg(f"band.{band_of(score.value)}")
    if judging == "pass":
        return msg("band.passes" if score.value >= MIXED else "band.fails")
    return None


def shown(score: Score) -> Value:
    """A Score, with what it counts where a critical one counts no more than a number."""
    if score.critical and score.value not in (WORST, BEST):
        return msg("score.counts", score=score.shown, n=score.value)
    return score.shown


def _scored(kept: int, modifier: int, name: str, judging: Judging) -> Message:
    score = score_of(kept, modifier)
    judged = judged_said(score, judging)
    named: dict[str, Value] = {"named": bool(name), "name": name_said(name)}
    named |= {"band": judged} if judged else {}
    way = "scored" if judged else "scored.bare"
    if score.critical:
        return msg(f"{way}.best" if score.critical > 0 else f"{way}.worst", **named)
    sum_of = {"kept": kept, "minus": modifier < 0, "n": abs(modifier), "score": score.value}
    return msg(way, **sum_of, **named)


# The present step


def _nothing(request: Request, transcript: Transcript) -> Parts:
    return [msg("told.nothing"), *_waiting(request, transcript)]


def _waiting(request: Request, transcript: Transcript) -> Parts:
    """Return what is waited for; nothing at the end."""
    step = transcript.step
    if isinstance(step, Choice):
        names = [str(option) for option in step.options if option != KEEP]
        others = any_of(called(request, name) for name in names)
        if step.by == HELPERS:
            return [msg("told.choice.helpers", others=others)]
        return [msg("told.choice", who=called(request, step.by), others=others)]
    return [msg("told.throw", pool=_pool(step))] if isinstance(step, ThrowStep) else []


def _pool(step: ThrowStep[object]) -> Message:
    die, many = step.pool.dice[0], step.pool.size
    if die.name in COINS:
        return msg(f"pool.{die.name}", n=many)
    sides = len(die.faces)
    return msg("pool.d10", n=many) if sides == 10 else msg("pool.other", n=many, sides=str(sides))


# A Test


def _test(request: Test, transcript: Transcript) -> Parts:
    casts = casts_of(transcript)
    if not casts:
        return _nothing(request, transcript)
    cast = casts[0]
    if request.dice:
        return [_sum(request, transcript, cast), *_ranges(request, transcript.outcome.ranges)]
    judging = request.judging
    net = _net(request.advantages, request.disadvantages)
    if cast.is_open:
        lying = msg("told.lying", start=not net, dice=dice_said(cast))
        return [*net, lying, *_waiting(request, transcript)]
    kept = cast.kept(request.net).value
    scored = _scored(kept, request.modifier, request.score_name, judging)
    dice = _dice(request.net, cast, start=not net)
    told = msg("told.test", dice=dice, scored=scored)
    return [*net, told, *_ranges(request, transcript.outcome.ranges)]


def _sum(request: Test, transcript: Transcript, cast: Cast) -> Message:
    own = shorthand_of(request.dice).modifier
    score = Score(transcript.outcome.score)
    about: dict[str, Value] = {
        "dice": request.dice,
        "shown": list(cast.faces),
        "sum": sum(cast.faces),
        "n": with_sign(request.modifier if own is None else own),
        "score": score.value,
    }
    judged = judged_said(score, request.judging)
    return msg("told.sum", **about, band=judged) if judged else msg("told.total", **about)


def _net(advantages: int, disadvantages: int) -> Parts:
    """Cancelling and the cap, where there is something to say about them."""
    net = advantages - disadvantages
    what = "disadvantages" if net < 0 else "advantages"
    over = abs(net) > 3
    if advantages and disadvantages:
        left = msg(f"left.{what}", n=abs(net))
        return [msg("told.net", helped=advantages, hindered=disadvantages, left=left, over=over)]
    return [msg("told.cap", left=msg(f"cap.{what}", n=abs(net)))] if over else []


def _dice(net: int, cast: Cast, *, start: bool) -> Message:
    dice = dice_said(cast)
    if len(dice) == 1:
        return msg("told.die", start=start, dice=dice)
    value = cast.kept(net).value
    kept = f"{value}!" if value in (0, 10) else str(value)
    return msg("told.highest" if net > 0 else "told.lowest", start=start, dice=dice, kept=kept)


def _ranges(request: Test, held: tuple[str, ...]) -> Parts:
    told = ranges_told(request.ranges, request.judging, held)
    return [told] if told else []


def ranges_told(ranges: tuple[str, ...], judging: Judging, held: Iterable[str]) -> Message | None:
    """The ranges that take effect, but for those by which the Score is judged already."""
    if ranges == STANDARD_RANGES:
        return None
    if judging == "pass":
        held = [text for text in held if range_of(text).critical]
        return ranges_said(held) if held else None
    held = list(held)
    return ranges_said(held) if held else msg("told.no_range")


def ranges_said(held: Iterable[str]) -> Message:
    """The ranges that take effect, as people say them: by the band, or from where to where."""
    named = [range_said(text) for text in held]
    return msg("told.ranges", ranges=named, n=len(named))


def range_said(text: str) -> Message:
    """One range in words.

    >>> str(range_said("[10..]")), str(range_said("[3..4]")), str(range_said("[..2]"))
    ('High', 'the range from 3 to 4', 'the range up to 2')
    """
    if text in STANDARD_RANGES:
        band = ("low", "mixed", "high")[STANDARD_RANGES.index(text)]
        return msg("range.band", band=word(band))
    low, high, critical = range_of(text)
    if critical:
        return msg("range.critical", score="10!" if critical > 0 else "0!")
    ends = {"low": "" if low is None else str(low), "high": "" if high is None else str(high)}
    return msg("range", open="low" if low is None else "high" if high is None else "", **ends)


# A Contest


def _contest(request: Contest, transcript: Transcript) -> Parts:
    casts = casts_of(transcript)
    if not casts:
        return _nothing(request, transcript)
    both: Iterable[tuple[str, Player, Cast]] = zip(
        request.names, (request.first, request.second), casts
    )
    sides = [_side(request, *side, start=number == 0) for number, side in enumerate(both)]
    told = sides[0] if len(sides) == 1 else msg("contest.both", first=sides[0], second=sides[1])
    if not transcript.is_done:
        return [told, *_waiting(request, transcript)]
    winner, loser = request.names
    if transcript.outcome.winner == "second":
        winner, loser = loser, winner
    ends = {"winner": called(request, winner), "loser": called(request, loser)}
    return [msg("contest.end", both=told, tied=transcript.outcome.tied, **ends)]


def _side(request: Contest, name: str, side: Player, cast: Cast, *, start: bool) -> Message:
    by, dice = called(request, name, start=start), dice_said(cast)
    if cast.is_open:
        return msg("contest.open", who=by, dice=dice)
    kept = cast.kept(side.net).value
    score = score_of(kept, side.modifier)
    counted = score_of(kept, side.modifier, beyond=request.house.critical_value == "beyond")
    return msg(
        "contest.side",
        who=by,
        score=score.shown,
        dice=dice,
        way="up" if side.net > 0 else "down" if side.net < 0 else "one",
        critical=bool(score.critical),
        n=with_sign(side.modifier),
        counts=counted != score,
        worth=int(counted.value),
    )


# A Group Test


def _group(request: Group, transcript: Transcript) -> Parts:
    story = story_of(request, transcript)
    if not story.first:
        return _nothing(request, transcript)
    rolls = [
        _first(called(request, name, start=number == 0), cast, score)
        for number, (name, cast, score) in enumerate(story.first)
    ]
    gifts = [_gift(request, gift) for gift in story.gifts]
    promised = [
        msg("gift.promised", giver=called(request, giver), receiver=called(request, receiver))
        for giver, receiver in story.promised
    ]
    end = [_end(request, story)] if transcript.is_done else _waiting(request, transcript)
    return [msg("group.all", rolls=rolls), *gifts, *promised, *end]


def _first(by: Value, cast: Cast, score: Score | None) -> Message:
    dice = dice_said(cast)
    if score is None:
        return msg("group.open", who=by, dice=dice)
    return msg("group.rolls", who=by, dice=dice, score=shown(score))


def _gift(request: Group, gift: Gift) -> Message:
    giver = called(request, gift.giver)
    if not gift.receiver:
        return msg("gift.kept", giver=giver)
    receiver = called(request, gift.receiver)
    dice = [] if gift.cast is None else dice_said(gift.cast)
    if gift.is_open:
        way = "gift.open" if dice else "gift.promised"
        return msg(way, giver=giver, receiver=receiver, dice=dice)
    if gift.before == gift.after:
        came = msg("gift.stays", score=shown(gift.after))
    else:
        came = msg("gift.becomes", before=shown(gift.before), after=shown(gift.after))
    return msg(
        "gift",
        giver=giver,
        receiver=receiver,
        undid=gift.undid,
        rolled=bool(dice),
        dice=dice,
        came=came,
    )


def _end(request: Group, story: Story) -> Message:
    lowest = min(score for _, score in story.scores)
    judged = judged_said(lowest, judged_by(request.ranges))
    return msg(
        "group.end" if judged else "group.end.bare",
        score=shown(lowest),
        **({"band": judged} if judged else {}),
        critical=lowest.critical < 0 and request.house.group_zero == "critical",
        goal=request.aim,
        reached=lowest.value >= request.aim,
    )


_told = by_request({Test: _test, Contest: _contest, Group: _group})
