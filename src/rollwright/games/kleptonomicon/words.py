"""What happened in a roll, in one sentence made from its transcript."""

from __future__ import annotations

from typing import Any

from rollwright.engine.steps import Choice
from rollwright.engine.transcript import Transcript
from rollwright.kit import Request, by_request
from rollwright.kit.words import listed, many, plus, sentence

from .outcomes import BEST, STANDARD_RANGES, WORST, Score, band_of, score_of, shorthand_of
from .requests import KEEP, Contest, Group, Player, Test
from .story import Cast, Gift, Story, casts_of, story_of

BANDS = {
    "low": "Low (trouble is likely)",
    "mixed": "Mixed (it may work, at a price)",
    "high": "High (it works, as a rule without a catch)",
}
SIDE_EFFECTS = {-1: "a bad side effect is due", 1: "a good side effect is due"}


def tell(request: Request, transcript: Transcript) -> str:
    """What happened, or what lies there and what can be done, in one sentence."""
    return sentence(_told(request, transcript))


def _test(request: Test, transcript: Transcript) -> str:
    casts = casts_of(transcript)
    if not casts:
        return f"nothing is rolled yet{_waiting(transcript)}"
    if request.dice:
        return _sum(request, transcript, casts[0])
    net = _net(request.advantages, request.disadvantages)
    if casts[0].is_open:
        return f"{net}the dice show {casts[0].said}{_waiting(transcript)}"
    kept = _kept(request.net, casts[0])
    said = f"{net}{_dice(request.net, casts[0], kept)}: "
    said += _scored(kept, request.modifier, request.score_name)
    return said + _ranges(request, transcript.outcome.ranges)


def _sum(request: Test, transcript: Transcript, cast: Cast) -> str:
    own = shorthand_of(request.dice).modifier
    modifier = request.modifier if own is None else own
    score = transcript.outcome.score
    ranges = _ranges(request, transcript.outcome.ranges)
    dice = f"the dice of {request.dice} show {cast.said}, {sum(cast.faces)} in all"
    return f"{dice}, and {modifier:+} makes a Score of {score}, {BANDS[band_of(score)]}{ranges}"


def _net(advantages: int, disadvantages: int) -> str:
    """Cancelling and the cap, where there is something to say about them."""
    net = advantages - disadvantages
    left = many(abs(net), "Disadvantage" if net < 0 else "Advantage", none="no")
    over = abs(net) > 3
    if advantages and disadvantages:
        both = f"{many(advantages, 'Advantage')} against {many(disadvantages, 'Disadvantage')}"
        return f"{both} leave {left}{', of which 3 count' if over else ''}; "
    return f"of {left} 3 count; " if over else ""


def _kept(net: int, cast: Cast) -> int:
    return max(cast.values) if net >= 0 else min(cast.values)


def _dice(net: int, cast: Cast, kept: int) -> str:
    if len(cast.faces) == 1:
        return f"the die shows {cast.said}"
    counts = f"{kept}!" if kept in (0, 10) else str(kept)
    return f"of {cast.said} the {'highest' if net > 0 else 'lowest'}, {counts}, counts"


def _scored(kept: int, modifier: int, name: str = "") -> str:
    score = score_of(kept, modifier)
    what = f"{name} Score" if name else "Score"
    band = BANDS[score.band]
    if score.critical:
        end = "best" if score.critical > 0 else "worst"
        side = SIDE_EFFECTS[score.critical]
        return f"{kept}!, the {end} {what} whatever the Modifier, {band}, and {side}"
    return f"{kept} {plus(modifier)} makes a {what} of {score.value}, {band}"


def _ranges(request: Test | Group, held: tuple[str, ...]) -> str:
    if request.ranges == STANDARD_RANGES:
        return ""
    if not held:
        return "; no range takes effect"
    return f"; {listed(list(held))} {'takes' if len(held) == 1 else 'take'} effect"


def _waiting(transcript: Transcript) -> str:
    """What is waited for."""
    step: Any = transcript.step
    if isinstance(step, Choice):
        others = listed([str(o) for o in step.options if o != KEEP], "or")
        who = "the helpers" if step.by == "helpers" else step.by
        return f"; {who} can keep an Advantage or give it to {others}"
    return "" if transcript.is_done else f"; now roll {step.pool!r}"


def _contest(request: Contest, transcript: Transcript) -> str:
    casts = casts_of(transcript)
    sides = list(zip(request.names, (request.first, request.second), casts))
    if not sides:
        return f"nothing is rolled yet{_waiting(transcript)}"
    said = " against ".join(_side(request, *side) for side in sides)
    if not transcript.is_done:
        return said + _waiting(transcript)
    winner, loser = request.names
    if transcript.outcome.winner == "second":
        winner, loser = loser, winner
    how = "wins the toss after a tie" if transcript.outcome.tied else "has the higher Score"
    return f"{said}: {winner} {how} and takes [Win], {loser} takes [Lose]"


def _side(request: Contest, name: str, side: Player, cast: Cast) -> str:
    if cast.is_open:
        return f"{name} with {cast.said}"
    net = side.net
    kept = _kept(net, cast)
    score = score_of(kept, side.modifier)
    counted = score_of(kept, side.modifier, beyond=request.house.critical_value == "beyond")
    worth = f", which counts {counted.value}" if counted != score else ""
    dice = f"{'highest' if net > 0 else 'lowest'} of {cast.said}" if net else cast.said
    plus = "" if score.critical else f" {side.modifier:+}"
    return f"{name} with {score.shown} ({dice}{plus}{worth})"


def _group(request: Group, transcript: Transcript) -> str:
    story = story_of(request, transcript)
    if not story.first:
        return f"nothing is rolled yet{_waiting(transcript)}"
    said = listed([f"{name} rolls {_first(cast, score)}" for name, cast, score in story.first])
    for gift in story.gifts:
        said += f"; {_gift(gift)}"
    for giver, receiver in story.promised:
        said += f"; {giver} helps {receiver}"
    return said + (_end(request, story) if transcript.is_done else _waiting(transcript))


def _first(cast: Cast, score: Score | None) -> str:
    return cast.said if score is None else f"{cast.said} for {_shown(score)}"


def _shown(score: Score) -> str:
    """A Score, with what it counts where a critical one counts no more than a number."""
    if score.critical and score.value not in (WORST, BEST):
        return f"{score.shown}, which counts {score.value}"
    return score.shown


def _gift(gift: Gift) -> str:
    if not gift.receiver:
        return f"{gift.giver} keeps an Advantage"
    rolled = f" with {gift.cast.said}" if gift.cast is not None else ""
    undone = " against a Disadvantage" if gift.undid else ""
    if gift.before == gift.after:
        came = f"{_shown(gift.after)} stays"
    else:
        came = f"{_shown(gift.before)} becomes {_shown(gift.after)}"
    return f"{gift.giver} helps {gift.receiver}{undone}{rolled}: {came}"


def _end(request: Group, story: Story) -> str:
    lowest = min(score for _, score in story.scores)
    said = f"; the lowest Score is {_shown(lowest)}, {BANDS[lowest.band]}"
    if lowest.critical < 0 and request.house.group_zero == "critical":
        said += ", a Critical Failure for all"
    reached = "is reached" if lowest.value >= request.aim else "is missed"
    return f"{said}, and the goal of {request.aim} {reached}"


_told = by_request({Test: _test, Contest: _contest, Group: _group})
