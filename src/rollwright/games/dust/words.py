"""What happened, in one plain sentence, told from the dice as they fell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from rollwright.engine.transcript import Chosen, Thrown, Transcript
from rollwright.kit import Request, by_request
from rollwright.kit.words import many, sentence, waits_for

from .dice import (
    DIFFICULTIES,
    FULL,
    PoolUsed,
    Stats,
    Terms,
    dice_taken,
    grade_of,
    pool_used,
    read_faces,
    scored,
)
from .house import BOTCH, House
from .requests import ExtendedRoll, Opposing, Plan, Roll
from .rules import SPENDING

_ENDINGS = {
    "botch": f"a botch: the action fails, and {BOTCH}",
    "failure": "a failure: the action does not work",
    "barely": "barely a success",
    "barely+": "a little more than barely a success",
    "complete": "a complete success",
    "complete+": "more than a complete success",
    "overwhelming": "an overwhelming success",
}


_BOTCHED = {
    "nothing": ", a botch, which adds nothing",
    "subtract": ", a botch, which comes off the total",
    "reset": ", a botch, which sets the total back to 0",
    "end": ", a botch",
}


class Telling(NamedTuple):
    """One throw, ready to be told."""

    said: str
    net: int
    doubles: int


def tell(request: Request, transcript: Transcript) -> str:
    """What has happened in a roll so far; of an open one also what can be chosen."""
    told = _told(request, transcript)
    still_open = waits_for(transcript, "; now choose: {options}", "; {count} to be thrown")
    return sentence(told + still_open)


def _dice(count: int) -> str:
    return many(count, "die", "dice", none="no")


def _pool(stats: Stats, house: House, difficulty: int) -> str:
    used = pool_used(stats, house)
    what = " + ".join(name for name in (stats.attribute_name, stats.ability_name) if name)
    why = _why(used, house)
    head = f"{what}, {_dice(used.dice)}" if what else _dice(used.dice)
    return f"{head}{why} at difficulty {difficulty} ({DIFFICULTIES[difficulty]})"


def _why(used: PoolUsed, house: House) -> str:
    parts = [f"{used.stats} {used.modifier:+d}"] if used.modifier else []
    if used.cut:
        parts.append(f"{used.cut} cut by the cap of {house.pool_cap}")
    if used.lifted and used.dice:
        parts.append("at least 1")
    return f" ({', '.join(parts)})" if parts else ""


def _throw(terms: Terms, faces: tuple[Any, ...], automatic: int) -> Telling:
    """The dice of one throw, what they count, and what the 1s take."""
    lying = read_faces(terms, faces)
    net, doubles, _ = scored(lying, terms, automatic)
    parts = [many(lying.successes, "success")]
    if automatic:
        parts.append(f"{automatic} bought with Adrenaline")
    if lying.ones:
        parts.append(f"less {lying.ones} for the {'1' if lying.ones == 1 else '1s'}")
    if automatic and terms.protected and lying.ones > lying.successes:
        parts.append("which spare what was bought")
    shown = ", ".join(map(str, sorted(faces, reverse=True)))
    said = f"{shown}: " * bool(shown) + f"{', '.join(parts)}, net {net}"
    taken = dice_taken(terms, faces, automatic) if terms.must_survive else ()
    if taken:
        said += f" (the 1s take {' and '.join(map(str, taken))})"
    if lying.doubles > doubles:
        said += ", and the 1s break doubles"
    return Telling(said, net, doubles)


def _points(doubles: int, gained: int, net: int, terms: Terms, left: int) -> str:
    """What became of the doubles of a throw."""
    if not doubles:
        return ""
    if gained:
        return f"; doubles: +{gained} Adrenaline"
    if net < 1 and not terms.on_failure:
        return "; doubles, but a roll that fails earns nothing"
    if left >= FULL:
        return f"; doubles, but Adrenaline is at {FULL} already"
    return "; doubles, left unused"


def _tell_roll(request: Roll, transcript: Transcript) -> str:
    terms = request.terms
    head = _pool(request, request.house, request.difficulty_used)
    if request.difficulty_used != request.difficulty:
        head += f", since damage is never rolled at {request.difficulty}"
    spent = request.stake.spend
    if terms.fails:
        return f"{head}: {_ENDINGS['failure']}, and nothing is spent on it"
    if not transcript.throws:
        return f"{head}, {spent} Adrenaline spent" if spent else head
    told = _throw(terms, transcript.throws[0][1], spent)
    if not transcript.is_done:
        return f"{head}: {told.said}"
    outcome = transcript.outcome
    left = outcome.adrenaline - outcome.adrenaline_gained
    points = _points(outcome.doubles, outcome.adrenaline_gained, outcome.net, terms, left)
    return f"{head}: {told.said}, {_ENDINGS[outcome.grade]}{points}"


def _tell_opposing(request: Opposing, transcript: Transcript) -> str:
    names = (request.actor.name or "the actor", request.defender.name or "the defender")
    faces = [faces for _, faces in transcript.throws]
    rounds = max(0, len(faces) - 1) // 2
    last: list[tuple[Any, ...] | None] = [*faces[2 * rounds :], None, None]
    told = "; ".join(_side(request, place, names[place], last[place]) for place in (0, 1))
    if rounds:
        told = f"after {many(rounds, 'tie')}, {told}"
    return told + _result(request, names, transcript)


def _side(request: Opposing, place: int, name: str, faces: tuple[Any, ...] | None) -> str:
    side, (terms, stake) = (request.actor, request.defender)[place], request.sides[place]
    head = f"{name}, {_pool(side, request.house, terms.difficulty)}"
    if faces is None:
        return head
    told = _throw(terms, faces, stake.spend)
    if terms.fails:
        return f"{head}: the action fails by itself"
    botch = ", a botch" if told.net < 0 else ""
    return f"{head}: {told.said}{botch}{', doubles' if told.doubles else ''}"


def _result(request: Opposing, names: tuple[str, str], transcript: Transcript) -> str:
    if not transcript.is_done:
        return ""
    outcome = transcript.outcome
    nets = {outcome.actor_net, outcome.defender_net}
    earned = "".join(
        f"; {name} gains {points} Adrenaline"
        for name, points in zip(names, (outcome.actor_gained, outcome.defender_gained), strict=True)
        if points
    )
    if min(nets) < 0:
        earned += f"; {BOTCH}"
    floor = request.house.opposing_floor
    why = ", since nobody counts less than 0" if floor and min(nets) < max(nets) else ""
    fails = any(terms.fails for terms, _ in request.sides)
    if outcome.winner == "nobody" and len(nets) > 1 and fails:
        return f"; nobody wins, since an action that fails by itself beats nothing{earned}"
    if outcome.winner == "nobody":
        return f"; a tie{why}: the table decides{earned}"
    name = names[0] if outcome.winner == "actor" else names[1]
    if not outcome.margin:
        return f"; a tie{why}, which {name} wins{earned}"
    return f"; {name} wins by {abs(outcome.margin)}{earned}"


def _turns(transcript: Transcript) -> Iterator[tuple[tuple[Any, ...], int]]:
    """The faces of each throw, with what was spent on it."""
    spend = 0
    for entry in transcript.entries:
        if isinstance(entry, Chosen):
            spend = SPENDING[entry.option]
        elif isinstance(entry, Thrown):
            yield entry.faces, spend
            spend = 0


def _tell_extended(request: ExtendedRoll, transcript: Transcript) -> str:
    head = f"{request.task}: " if request.task else ""
    head += f"{_pool(request, request.house, request.difficulty)} a turn, {request.target} wanted"
    if request.progress:
        head += f" and {request.progress} gathered before"
    parts = []
    net = 0
    for number, (faces, spend) in enumerate(_turns(transcript), start=1):
        told = _throw(request.terms, faces, spend)
        net = told.net
        botch = _BOTCHED[request.house.extended_botch] if told.net < 0 else ""
        doubles = ", doubles" if told.doubles and request.adrenaline is not None else ""
        parts.append(f"turn {number}: {told.said}{botch}{doubles}")
    told_turns = "; ".join([head, *parts])
    return told_turns + _task_end(request, transcript, net) if transcript.is_done else told_turns


def _task_end(request: ExtendedRoll, transcript: Transcript, last_net: int) -> str:
    outcome = transcript.outcome
    score = f"{outcome.total} of {request.target}"
    if outcome.done:
        end = f"; done with {score}"
    elif last_net < 0 and request.house.extended_botch == "end":
        end = f"; the botch ends it at {score}"
    else:
        end = f"; out of time at {score}"
    if outcome.adrenaline is not None:
        end += f", {outcome.adrenaline} Adrenaline left"
    return end + (f"; {BOTCH}" if outcome.botched else "")


def _tell_plan(request: Plan, transcript: Transcript) -> str:
    parts = []
    for number, (faces, spend) in enumerate(_turns(transcript)):
        told = _throw(request.terms[number], faces, spend)
        verdict = "enough" if told.net >= request.rolls[number].need else "not enough"
        parts.append(f"roll {number + 1}: {told.said}, {grade_of(told.net)}, {verdict}")
    rolls = "; ".join(parts) or f"{many(len(request.rolls), 'roll')} planned"
    if not transcript.is_done:
        return rolls
    outcome = transcript.outcome
    end = f"; {outcome.met} of {len(request.rolls)} made, {outcome.adrenaline} Adrenaline left"
    return rolls + end + (f"; {BOTCH}" if outcome.botches else "")


_told = by_request(
    {
        Roll: _tell_roll,
        Opposing: _tell_opposing,
        ExtendedRoll: _tell_extended,
        Plan: _tell_plan,
    }
)
