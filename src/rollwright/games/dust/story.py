"""The narration of a roll from its trace; faces are scored by the rule's own functions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rollwright.engine.trace import RuleTrace, Trace
from rollwright.engine.transcript import ChoiceEntry, ThrowEntry, Transcript
from rollwright.i18n.catalogs import words_of
from rollwright.i18n.messages import (
    Message,
    Value,
    any_of,
    clauses,
    row_of,
    who,
    with_sign,
    word,
)
from rollwright.kit import Request, by_request
from rollwright.kit.words import capital
from rollwright.rules import Choice

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
from .house import House
from .outcomes import Grade
from .requests import ExtendedRoll, Opposing, Plan, Roll
from .rules import SPENDING

WORDS = words_of(__package__ or __name__)
msg, name_said = WORDS.msg, WORDS.name
Faces = tuple[int, ...]


class Telling(NamedTuple):
    """One throw, ready to be narrated."""

    said: Message
    net: int
    doubles: int


def tell(request: Request, transcript: Transcript) -> Message:
    """Return what has happened in a roll so far; of an open one also the options."""
    return msg("told", clauses=clauses([*_told(request, transcript), *_waits_for(transcript)]))


def _waits_for(transcript: Transcript) -> list[Message]:
    step = transcript.step
    if transcript.is_done:
        return []
    if not isinstance(step, Choice):
        return [msg("told.to_throw", n=step.pool.size)]
    return [msg("told.choose", options=any_of(map(_option_said, step.options)))]


def _option_said(option: str) -> Message:
    points = SPENDING.get(option, 0)
    return msg("told.option.spend", n=points) if points else msg(f"told.option.{option}")


def pool_said(stats: Stats, house: House, difficulty: int, *, first: bool) -> Message:
    """The dice of a pool, how they came about and against what; `first` begins a sentence."""
    used = pool_used(stats, house)
    named = [name for name in (stats.attribute_name, stats.ability_name) if name]
    names = [name_said(name) for name in named]
    pool = msg(
        "told.pool",
        dice=msg("told.dice", n=used.dice, first=first and not names),
        why=why_said(used, house),
        n=difficulty,
        name=word(DIFFICULTIES[difficulty]),
    )
    if not names:
        return pool
    if first:
        names[0] = capital(names[0]) if isinstance(names[0], str) else names[0]
    what = msg("told.stats", a=names[0], b=names[1]) if len(names) == 2 else names[0]
    return msg("told.named", what=what, pool=pool)


def why_said(used: PoolUsed, house: House) -> Value:
    """How a pool came about, in brackets; empty where it is simply what the stats say."""
    parts = []
    if used.modifier:
        parts.append(msg("told.stats_and", stats=used.stats, modifier=with_sign(used.modifier)))
    if used.cut:
        parts.append(msg("told.cut", n=used.cut, cap=house.pool_cap or 0))
    if used.lifted and used.dice:
        parts.append(msg("told.lifted"))
    return msg("told.why", parts=row_of(parts)) if parts else ""


def _telling(throw: Throw) -> Telling:
    """The dice of one throw, what they count, and what the 1s take."""
    terms, automatic, _, faces = throw
    lying = read_faces(terms, faces)
    net, doubles, _ = scored(lying, terms, automatic)
    parts = [msg("told.successes", n=lying.successes)]
    if automatic:
        parts.append(msg("told.bought", n=automatic))
    if lying.ones:
        parts.append(msg("told.ones", n=lying.ones))
    if automatic and terms.protected and lying.ones > lying.successes:
        parts.append(msg("told.spared"))
    taken = dice_taken(terms, faces, automatic) if terms.must_survive else ()
    shown = row_of(sorted(faces, reverse=True))
    told = msg(
        "told.throw",
        faces=msg("told.faces", faces=shown) if faces else "",
        parts=row_of(parts),
        net=net,
        taken=msg("told.taken", dice=taken) if taken else "",
        broken=msg("told.broken") if lying.doubles > doubles else "",
    )
    return Telling(told, net, doubles)


def _ending(grade: Grade) -> Message:
    wrong = {"wrong": msg("told.wrong")} if grade == "botch" else {}
    return msg(f"ending.{grade}", **wrong)


def _tell_roll(request: Roll, transcript: Transcript) -> list[Message]:
    pool = pool_said(request, request.house, request.difficulty_used, first=True)
    if request.difficulty_used != request.difficulty:
        pool = msg("told.damage", pool=pool, asked=request.difficulty)
    terms, spent = request.terms, request.stake.spend
    if terms.fails:
        return [msg("told.failed", pool=pool, ending=_ending(grade_of(0)))]
    if not transcript.throws:
        return [msg("told.declared", pool=pool, n=spent) if spent else pool]
    thrown = msg("told.thrown", pool=pool, throw=_telling(*throws_in(request, transcript)).said)
    if not transcript.is_done:
        return [thrown]
    ended = msg("told.ended", thrown=thrown, ending=_ending(transcript.outcome.grade))
    return [ended, *_points(request, transcript)]


def _points(request: Roll, transcript: Transcript) -> list[Message]:
    """Return the result of a throw's doubles."""
    outcome = transcript.outcome
    if not outcome.doubles:
        return []
    if outcome.adrenaline_gained:
        return [msg("told.gained", n=outcome.adrenaline_gained)]
    if outcome.net < 1 and not request.terms.on_failure:
        return [msg("told.unearned")]
    if outcome.adrenaline >= FULL:
        return [msg("told.full", n=FULL)]
    return [msg("told.unused")]


class Throw(NamedTuple):
    """A throw, and the way it is read."""

    terms: Terms
    spend: int
    entry: int
    faces: Faces


def throws_in(request: Request, transcript: Transcript) -> list[Throw]:
    """The throws that count, in order: of an opposing roll those after the last tie."""
    trace = transcript.trace
    parts: Iterable[tuple[Terms, int, Trace | RuleTrace]]
    if isinstance(request, Opposing):
        parts = ((*_stood(part), part) for part in trace.rules[-1].parts)
    elif isinstance(request, Plan):
        parts = ((part.args[0], part.args[2], part) for part in trace.parts)
    elif isinstance(request, ExtendedRoll):
        parts = ((request.terms, _spent_in(turn, transcript), turn) for turn in trace.rules)
    else:
        assert isinstance(request, Roll)
        parts = ((request.terms, request.stake.spend, part) for part in trace.rules)
    return [
        Throw(terms, spend, number, entry.faces)
        for terms, spend, part in parts
        for number in part.entries
        if isinstance(entry := transcript.entries[number], ThrowEntry)
    ]


def _stood(part: Trace) -> tuple[Terms, int]:
    terms, stake = part.args
    return terms, stake.spend


def _spent_in(part: RuleTrace, transcript: Transcript) -> int:
    """Return the points declared before the throw of a turn."""
    entries = (transcript.entries[number] for number in part.entries)
    return sum(SPENDING[entry.option] for entry in entries if isinstance(entry, ChoiceEntry))


def side_name(request: Opposing, place: int, *, first: bool = False) -> Value:
    """Return the name of a side of an opposing roll, else its role."""
    name = (request.actor, request.defender)[place].name
    if name:
        return who(name) if name.startswith("@") else capital(name) if first else name
    return msg("told.defender") if place else msg("told.actor", first=first)


def _tell_opposing(request: Opposing, transcript: Transcript) -> list[Message]:
    ties, thrown = len(transcript.trace.rules) - 1, throws_in(request, transcript)
    actor, defender = (
        _side(request, place, throw, first=not ties and place == 0)
        for place, throw in enumerate((*thrown, None, None)[:2])
    )
    if ties:
        actor = msg("told.ties", n=ties, side=actor)
    result = _result(request, transcript) if transcript.is_done else []
    return [actor, defender, *result]


def _side(request: Opposing, place: int, throw: Throw | None, *, first: bool) -> Message:
    side, (terms, _) = (request.actor, request.defender)[place], request.sides[place]
    pool = pool_said(side, request.house, terms.difficulty, first=False)
    head = msg("told.side", name=side_name(request, place, first=first), pool=pool)
    if throw is None:
        return head
    if terms.fails:
        return msg("told.fails", side=head)
    told = _telling(throw)
    botch, doubles = told.net < 0, told.doubles > 0
    return msg("told.stood", side=head, throw=told.said, botch=botch, doubles=doubles)


def _result(request: Opposing, transcript: Transcript) -> list[Message]:
    outcome = transcript.outcome
    nets = {outcome.actor_net, outcome.defender_net}
    floor = request.house.opposing_floor and min(nets) < max(nets)
    fails = any(terms.fails for terms, _ in request.sides)
    name = side_name(request, int(outcome.winner == "defender"))
    if outcome.winner == "nobody" and len(nets) > 1 and fails:
        result = msg("told.unbeaten")
    elif outcome.winner == "nobody":
        result = msg("told.tie", floor=floor)
    elif not outcome.margin:
        result = msg("told.tie_won", floor=floor, name=name)
    else:
        result = msg("told.wins", name=name, n=abs(outcome.margin))
    earned = [
        msg("told.gains", name=side_name(request, place), n=points)
        for place, points in enumerate((outcome.actor_gained, outcome.defender_gained))
        if points
    ]
    return [result, *earned, *_goes_wrong(min(nets) < 0)]


def _goes_wrong(botched: object) -> list[Message]:
    return [msg("told.wrong")] if botched else []


def _tell_extended(request: ExtendedRoll, transcript: Transcript) -> list[Message]:
    pool = pool_said(request, request.house, request.difficulty, first=not request.task)
    head = msg("told.wanted", pool=pool, n=request.target, before=request.progress)
    if request.task:
        head = msg("told.task", task=capital(request.task), said=head)
    turns = list(map(_telling, throws_in(request, transcript)))
    told = [_turn(request, number, turn) for number, turn in enumerate(turns, start=1)]
    ended = _task_end(request, transcript, turns[-1].net) if transcript.is_done else []
    return [head, *told, *ended]


def _turn(request: ExtendedRoll, number: int, turn: Telling) -> Message:
    botch = msg(f"told.botch.{request.house.extended_botch}") if turn.net < 0 else ""
    doubles = turn.doubles > 0 and request.adrenaline is not None
    return msg("told.turn", n=number, throw=turn.said, botch=botch, doubles=doubles)


def _task_end(request: ExtendedRoll, transcript: Transcript, last_net: int) -> list[Message]:
    outcome = transcript.outcome
    broken_off = last_net < 0 and request.house.extended_botch == "end"
    end = "told.done" if outcome.done else "told.ends" if broken_off else "told.out"
    left = "" if outcome.adrenaline is None else msg("told.left", n=outcome.adrenaline)
    ended = msg(end, total=outcome.total, target=request.target, left=left)
    return [ended, *_goes_wrong(outcome.botched)]


def _tell_plan(request: Plan, transcript: Transcript) -> list[Message]:
    throws = throws_in(request, transcript)
    told = [_planned(request, number, throw) for number, throw in enumerate(throws)]
    told = told or [msg("told.planned", n=len(request.rolls))]
    if not transcript.is_done:
        return told
    outcome = transcript.outcome
    made = msg("told.made", met=outcome.met, all=len(request.rolls), n=outcome.adrenaline)
    return [*told, made, *_goes_wrong(outcome.botches)]


def _planned(request: Plan, number: int, throw: Throw) -> Message:
    told = _telling(throw)
    return msg(
        "told.roll",
        n=number + 1,
        first=not number,
        throw=told.said,
        grade=word(grade_of(told.net)),
        enough=told.net >= request.rolls[number].need,
    )


_told = by_request(
    {
        Roll: _tell_roll,
        Opposing: _tell_opposing,
        ExtendedRoll: _tell_extended,
        Plan: _tell_plan,
    }
)
