"""The narration from the trace, cast by cast, in plain words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Any, NamedTuple

from rollwright.dice import Die, Pool
from rollwright.engine.trace import RuleTrace, Trace
from rollwright.engine.transcript import ChoiceEntry, Transcript
from rollwright.i18n.catalogs import words_of
from rollwright.i18n.messages import (
    Message,
    Value,
    clauses,
    die,
    row_of,
    somebody,
    who,
    with_sign,
    word,
)
from rollwright.kit import Request, by_request
from rollwright.rules import Choice

from .dice import LOOSE, Handful, Lying, Shown, landed, lifts, shown
from .firearms import Attack, ClearJam, Magazine
from .outcomes import AttackOutcome
from .requests import Group, Opposed, Repair, Roll, Skill
from .targets import Plan, after_armour, plans

WORDS = words_of(__package__ or __name__)
msg, name_said = WORDS.msg, WORDS.name
MOST_TOLD = 6
"""Options that are listed one by one."""
NOTHING = msg("told.no.dice")


class Throw(NamedTuple):
    """Dice on the table."""

    entry: int
    pool: Pool
    faces: tuple[int, ...]

    @property
    def dice(self) -> list[tuple[Die, int]]:
        """Each die with its face."""
        return list(zip(self.pool.dice, self.faces, strict=True))


class Cast(NamedTuple):
    """Dice that one rule threw, and what was done about them."""

    handful: Handful
    throws: tuple[Throw, ...] = ()
    """The first throw, and the push if there was one."""
    option: str = ""
    """The choice about them: `keep`, a push, or empty while there is none."""

    @property
    def first(self) -> Throw:
        return self.throws[0]

    @property
    def shown(self) -> Shown:
        """The first throw, as the rule has it."""
        return Shown.of(added_up(self.first.dice, shown))

    @property
    def staying(self) -> list[int]:
        """The places of the dice that a push has left on the table; all where there was none."""
        again = self.throws[1].pool if self.throws[1:] else Pool()
        return staying(self.first, again)

    @property
    def table(self) -> list[tuple[Die, int]]:
        """The dice as they lie, after the push where there was one."""
        stay = [self.first.dice[place] for place in self.staying]
        return stay + [shown for throw in self.throws[1:] for shown in throw.dice]

    @property
    def lying(self) -> Lying:
        """The counts of the dice as they are."""
        return Lying(*added_up(self.table, landed))


def added_up(
    table: Iterable[tuple[Die, int]], read: Callable[[int, Die], tuple[int, ...]]
) -> tuple[int, ...]:
    """Return what dice on the table add up to."""
    return tuple(map(sum, zip(*[read(face, die) for die, face in table], strict=True)))


def staying(throw: Throw, again: Pool) -> list[int]:
    """The places of the dice that lie on when some are thrown again: loose ones go first."""
    left = list(range(len(throw.faces)))
    for thrown in again.dice:
        alike = [n for n in left if throw.dice[n][0] == thrown and throw.faces[n] != 1]
        left.remove(min(alike, key=lambda n: throw.faces[n] not in LOOSE))
    return left


_HANDS: dict[str, Callable[[RuleTrace], Handful]] = {
    "skill_roll": lambda played: played.args[0],
    "burst": lambda played: played.args[0],
    "attack": lambda played: played.args[0].hand,
    "opposed_roll": lambda played: played.args[0].sides[0],
}
"""The rules that throw a handful which may be pushed, with its place."""
_OPPOSED = "opposed_roll"


def throws_in(transcript: Transcript, entries: Iterable[int]) -> list[Throw]:
    """The throws among these entries."""
    thrown = [n for n, entry in enumerate(transcript.entries) if not isinstance(entry, ChoiceEntry)]
    by_entry = dict(zip(thrown, transcript.throws, strict=True))
    found = [(entry, by_entry[entry]) for entry in entries if entry in by_entry]
    return [Throw(entry, step.pool, faces) for entry, (step, faces) in found]


def chosen_in(transcript: Transcript, entries: Iterable[int], *by: str) -> list[Any]:
    """Return the options that one of these has chosen among some entries."""
    held = [transcript.entries[entry] for entry in entries]
    return [entry.option for entry in held if isinstance(entry, ChoiceEntry) and entry.by in by]


def casts(transcript: Transcript) -> list[Cast]:
    """Every handful that was thrown so far, in order."""
    return _casts_of(transcript, transcript.trace)


def _casts_of(transcript: Transcript, trace: Trace) -> list[Cast]:
    found: list[Cast] = []
    for played in trace.walk():
        if played.rule in _HANDS and played.entries:
            throws = throws_in(transcript, played.entries)
            if played.rule == _OPPOSED:  # the second throw is the other side's
                del throws[1:2]
            option = "".join(chosen_in(transcript, played.entries, "roller", "referee"))
            del throws[1 if option in ("", "keep") else 2 :]  # the rest is where hits strike
            found.append(Cast(_HANDS[played.rule](played), tuple(throws), option))
    return found


def passive_throw(transcript: Transcript) -> Throw | None:
    """The throw of the passive side of an opposed roll."""
    (played,) = transcript.trace.runs_of(_OPPOSED)
    throws = throws_in(transcript, played.entries)
    return throws[1] if len(throws) > 1 else None


def hits_in(transcript: Transcript) -> Throw | None:
    """The throw of an attack that says where its hits strike."""
    thrown = throws_in(transcript, range(len(transcript.entries)))
    others = sum(len(cast.throws) for cast in casts(transcript))
    return thrown[others] if len(thrown) > others else None


def successes_on(table: Iterable[tuple[Die, int]]) -> int:
    """The successes on the table."""
    return sum(landed(face, die)[0] for die, face in table)


# Dice and options in words


def faces_said(throw: Throw) -> Message:
    """Dice with their faces: `D8 7 and D12 4, ammo 6, 6 and 1`."""
    base = [
        msg("face", die=die(len(one.faces)), face=face) for one, face in throw.dice if not one.name
    ]
    ammo = [face for one, face in throw.dice if one.name]
    if not ammo:
        return msg("faces", base=base)
    return msg("faces.both", base=base, ammo=ammo) if base else msg("faces.ammo", ammo=ammo)


def pool_said(pool: Pool) -> Message:
    """Dice that are still to be thrown: `D8 + 2 ammo D6`."""
    groups = [_group_said(one, count) for one, count in pool.groups]
    return reduce(lambda a, b: msg("told.plus", a=a, b=b), groups) if groups else NOTHING


def _group_said(one: Die, count: int) -> Message:
    about: dict[str, Value] = {"n": count, "die": die(len(one.faces))}
    if not one.name:
        return msg("told.dice", **about)
    if one.name == "ammo":
        return msg("told.dice.ammo", **about)
    return msg("told.dice.hit", **about, what=place_said(one.name))


def place_said(name: str) -> Message:
    """Return a location die's meaning, by its name: whom it strikes, and with what effect."""
    target, _, damage = name.rpartition(" ")
    return msg("die.hit", name=somebody(target), n=int(damage))


def option_told(transcript: Transcript, option: Any) -> Message:
    """An option in a sentence."""
    if option in ("keep", "push"):
        return msg(f"option.{option}")
    by = transcript.step.by
    if by in ("roller", "referee"):
        return msg("option.push.again", dice=lift_said(casts(transcript)[-1], option))
    if by == "shooter":
        return plan_said(transcript, option)
    return msg("option.who", name=somebody(str(option)))


def lift_said(cast: Cast, option: str) -> list[Message]:
    """The dice with successes that a push takes up as well."""
    picked, sixes = lifts(cast.shown)[option]
    found = [msg("lift.die", die=die(len(one.faces)), n=worth) for one, worth in picked]
    return [*found, *([msg("lift.ammo", n=sixes)] if sixes else [])]


def plan_of(transcript: Transcript, option: str) -> Plan:
    """Return the plan of that name, among those for the sixes that were rolled."""
    (cast,), aim = casts(transcript), transcript.request.aim
    extra = cast.lying.successes - 1 if aim.free_successes else 0
    return plans(cast.lying.sixes + extra, aim)[option]


def plan_said(transcript: Transcript, option: str) -> Message:
    """A way to spend the sixes: `+1 damage; hit B +1`."""
    plan = plan_of(transcript, option)
    foes = transcript.request.aim.foes
    parts = [msg("plan.damage", n=plan.boost)] if plan.boost else []
    parts += [msg("plan.hit", name=somebody(foes[foe].name), n=more) for foe, more in plan.extra]
    return msg("plan", parts=clauses(parts)) if parts else msg("plan.none")


# The narration


def tell(request: Request, transcript: Transcript) -> Message:
    """Return what happened so far, or in the end, in one sentence."""
    return msg("told", said=_told(request, transcript))


def _waiting(transcript: Transcript, *lies: Message) -> Message:
    """Return the dice, and what an unfinished roll waits for."""
    step = transcript.step
    if not isinstance(step, Choice):
        waits = msg("told.throw", dice=pool_said(step.pool), n=step.pool.size)
    else:
        offered = [option_told(transcript, option) for option in step.options[:MOST_TOLD]]
        if len(step.options) > MOST_TOLD:
            offered.append(msg("told.in.all", n=len(step.options)))
        options = reduce(lambda a, b: msg("told.or", a=a, b=b), offered)
        waits = msg("told.choose", by=who(step.by), options=options, start=not lies)
    return msg("told.parts", parts=clauses([*lies, waits]))


def _stepped(request: Roll, start: bool) -> Message | str:
    """How the dice came about, where modifiers stepped them."""
    dice, net = request.dice, request.net
    if not net:
        return ""
    sides = [die(sides) for sides in dice.sides]
    two = len(sides) > 1
    return msg(
        "told.stepped",
        net=with_sign(net),
        dice=msg("sides.two", a=sides[0], b=sides[1]) if two else msg("sides", a=sides[0]),
        n=abs(dice.lost),
        bound="most" if dice.lost > 0 else "least" if dice.lost else "",
        start=start,
    )


def _first_said(request: Roll, cast: Cast, way: str, *, start: bool = True) -> Message:
    if way == "lie" and cast.first.pool.size == 1:
        way = "lies"
    return msg(
        "told.first",
        stepped=_stepped(request, start),
        faces=faces_said(cast.first),
        way=way,
        successes=msg("successes", n=successes_on(cast.first.dice)),
    )


def _push_said(cast: Cast) -> Message:
    again = cast.throws[1]
    return msg("told.push", faces=faces_said(again)) if again.pool else msg("told.push.idle")


def _price_said(request: Skill, outcome: Any, cast: Cast) -> Message:
    ones = [die(len(one.faces)) for one, face in cast.table if face == 1 and not one.name]
    if not ones:
        return msg("told.free")
    shown = msg("told.one", die=ones[0]) if len(ones) == 1 else msg("told.ones", dice=ones)
    if outcome.reliability_loss:
        item = name_said(request.gear) or msg("the.tool")
        loss = outcome.reliability_loss
        return msg("told.gear", ones=shown, item=item, n=loss, broken=outcome.broken)
    kind = "damage" if outcome.damage else "stress"
    return msg(f"told.{kind}", ones=shown, n=outcome.ones)


def _check_said(request: Skill, outcome: Any, cast: Cast, *, start: bool = True) -> Message:
    """A finished roll of base dice."""
    if not outcome.pushed:
        way = "kept" if request.may_push else "thrown"
        why = "" if request.may_push else "passive" if request.passive else "never"
        first = _first_said(request, cast, way, start=start)
        return msg("told.kept", first=first, good=outcome.successes > 0, why=why)
    return msg(
        "told.pushed",
        first=_first_said(request, cast, "thrown", start=start),
        push=_push_said(cast),
        successes=msg("successes", n=outcome.successes),
        but=bool(outcome.ones and outcome.successes),
        price=_price_said(request, outcome, cast),
    )


def _skill(request: Skill, transcript: Transcript) -> Message:
    thrown = casts(transcript)
    if transcript.is_done:
        return _check_said(request, transcript.outcome, thrown[0])
    return _waiting(transcript, *(_first_said(request, cast, "lie") for cast in thrown))


def _repair(request: Repair, transcript: Transcript) -> Message:
    if not transcript.is_done:
        return _skill(request, transcript)
    outcome = transcript.outcome
    end = msg(
        "told.repair",
        item=request.item or msg("the.item"),
        n=outcome.restored,
        now=outcome.reliability,
    )
    return msg("told.parts", parts=clauses([_skill(request, transcript), end]))


def _group(request: Group, transcript: Transcript) -> Message:
    trace, thrown = transcript.trace, casts(transcript)
    helped, rolled = trace.runs_of("helped_roll"), trace.runs_of("member_roll")
    if not rolled:
        named = [msg("told.roller", name=somebody(played.args[0].name)) for played in helped]
        return _waiting(transcript, *named)
    candidate, helpers = rolled[0].args
    check = request.rolled_by(named_member(request, candidate.name), helpers)
    intro = msg("told.helped", name=somebody(candidate.name), helpers=msg("helpers", n=helpers))
    if transcript.is_done:
        outcome = transcript.outcome
        told = _check_said(check, outcome, thrown[0], start=False)
        return msg("told.group", helped=intro, said=told, fails=not outcome.successes)
    if not thrown:
        return _waiting(transcript, intro)
    lies = _first_said(check, thrown[0], "lie", start=False)
    return _waiting(transcript, msg("told.group", helped=intro, said=lies, fails=False))


def named_member(request: Group, name: str) -> Any:
    """One of the group by name."""
    return next(member for member in request.members if member.name == name)


def _opposed(request: Opposed, transcript: Transcript) -> Message:
    thrown, theirs = casts(transcript), passive_throw(transcript)
    active = request.active_side
    if theirs is None:
        return _waiting(transcript, *(_first_said(active, cast, "lie") for cast in thrown))
    (mine,) = thrown
    other = msg("told.secret") if request.secret else faces_said(theirs)
    if not transcript.is_done:
        lies = _first_said(active, mine, "lie")
        if request.secret:
            return _waiting(transcript, msg("told.both.secret", first=lies, other=other))
        against = msg("successes", n=successes_on(theirs.dice))
        return _waiting(transcript, msg("told.both", first=lies, theirs=against, other=other))
    outcome = transcript.outcome
    won = outcome.margin > 0
    about: dict[str, Value] = {
        "first": _first_said(active, mine, "thrown"),
        "n": outcome.successes,
        "theirs": outcome.opposing,
        "other": other,
        "ahead": msg("told.wins", n=outcome.margin) if won else msg("told.stopped"),
    }
    if not outcome.pushed:
        return msg("told.opposed", **about)
    price = _price_said(active, outcome, mine)
    return msg("told.opposed.pushed", **about, push=_push_said(mine), price=price)


def _attack(request: Attack, transcript: Transcript) -> Message:
    thrown = casts(transcript)
    if not thrown:
        return _waiting(transcript)
    (cast,) = thrown
    parts = [_first_said(request, cast, "thrown")]
    if cast.throws[1:]:
        parts.append(_push_said(cast))
    if not transcript.is_done:
        return _waiting(transcript, *parts)
    outcome = transcript.outcome
    parts.append(_hit_said(request, transcript, outcome))
    if outcome.reliability_loss:
        parts.append(_weapon_said(request, outcome))
    parts.append(_rounds_said(outcome))
    return msg("told.parts", parts=clauses(parts))


def _hit_said(request: Attack, transcript: Transcript, outcome: AttackOutcome) -> Message:
    if not outcome.hit:
        return msg("told.miss", sixes=outcome.sixes, cover=outcome.can_suppress)
    if not request.targets:
        return msg("told.hit", n=outcome.damage_dealt, sixes=outcome.sixes)
    chosen = chosen_in(transcript, range(len(transcript.entries)), "shooter")
    hits = hits_in(transcript)
    struck = hits.dice if hits else []
    return msg(
        "told.hits",
        sixes=outcome.sixes,
        spent=bool(chosen),
        plan=plan_said(transcript, chosen[0]) if chosen else "",
        struck=row_of(_strike_said(request, one, face) for one, face in struck),
    )


def _strike_said(request: Attack, one: Die, face: int) -> Message:
    name, _, damage = one.name.rpartition(" ")
    target = next(target for target in request.targets if target.name == name)
    armour = target.foe(request.locations, request.armour_modifier).armour[face - 1]
    left = after_armour(int(damage), armour)
    return msg(
        "told.strike",
        name=somebody(name),
        place=word(request.locations[face - 1]),
        damage=int(damage),
        armoured=bool(armour),
        armour=armour,
        left=left,
        crit=left >= request.crit_threshold,
    )


def _weapon_said(request: Attack, outcome: AttackOutcome) -> Message:
    return msg(
        "told.weapon",
        n=outcome.ones,
        weapon=request.weapon or msg("the.weapon"),
        loss=outcome.reliability_loss,
        jams=outcome.jammed,
        breaks=outcome.broken,
    )


def _rounds_said(outcome: AttackOutcome) -> Message:
    rolled, spent = outcome.rounds_rolled, outcome.rounds_spent
    return msg(
        "told.rounds",
        n=spent,
        more=rolled > spent,
        rolled=rolled,
        emptied=outcome.emptied,
        left=outcome.rounds_left,
    )


def _clear_jam(request: ClearJam, transcript: Transcript) -> Message:
    thrown = [throw for cast in casts(transcript) for throw in cast.throws if throw.pool]
    faces = [faces_said(throw) for throw in thrown]
    throws = row_of([*faces[:1], *(msg("told.then", faces=later) for later in faces[1:])])
    if not transcript.is_done:
        return _waiting(transcript, *([msg("told.jam.open", throws=throws)] if faces else []))
    outcome = transcript.outcome
    return msg(
        "told.jam",
        throws=throws,
        cleared=outcome.cleared,
        broken=outcome.broken,
        loss=outcome.reliability_loss,
        n=outcome.tries,
    )


def _magazine(request: Magazine, transcript: Transcript) -> Message:
    if not transcript.is_done:
        return _waiting(transcript, msg("told.so.far", n=len(transcript.throws)))
    outcome = transcript.outcome
    ends: Sequence[Message] = [
        msg(f"end.{end}") for end in ("emptied", "jammed", "broken") if getattr(outcome, end)
    ]
    loss = outcome.reliability_loss
    return msg("told.magazine", n=outcome.attacks, ends=ends, loss=loss)


_told: Callable[[Request, Transcript], Message] = by_request(
    {
        Skill: _skill,
        Repair: _repair,
        Attack: _attack,
        Opposed: _opposed,
        Group: _group,
        ClearJam: _clear_jam,
        Magazine: _magazine,
    }
)
