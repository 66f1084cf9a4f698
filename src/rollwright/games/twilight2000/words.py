"""What happened, in one plain sentence, told from the transcript; and which faces stay."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rollwright.dice import Die, Pool
from rollwright.engine.transcript import Chosen, Thrown, Transcript
from rollwright.kit import Request, by_request
from rollwright.kit.words import listed, many, sentence, waits_for

from .dice import BODY, landed
from .firearms import Attack, ClearJam, Magazine
from .requests import Group, Opposed, Roll, Skill


def counted(number: int, word: str, plural: str = "") -> str:
    """A number with its noun: `no success`, `2 successes`."""
    return many(number, word, plural) if number else f"no {word}"


def dice_said(pool: Pool, faces: Iterable[Any]) -> str:
    """Dice with their faces: `D8 7 and D12 4, ammo 6, 6 and 1`."""
    pairs = list(zip(pool.dice, faces, strict=True))
    base = [f"{die!r} {face}" for die, face in pairs if not die.name]
    ammo = [str(face) for die, face in pairs if die.name]
    said = [listed(base)] if base else []
    return ", ".join([*said, *([f"ammo {listed(ammo)}"] if ammo else [])])


def pool_said(request: Roll) -> str:
    """How the dice came about, where modifiers stepped them."""
    dice, net = request.dice, request.net
    if not net:
        return ""
    lost = ""
    if dice.lost:
        bound = "two D12s are the most" if dice.lost > 0 else "one D6 is the least"
        lost = f", {counted(abs(dice.lost), 'step')} lost since {bound}"
    return f"stepped {net:+d} to {'+'.join(f'D{sides}' for sides in dice.sides)}{lost}: "


Throw = tuple[Pool, tuple[int, ...]]
"""Dice and their faces."""


def lying(throws: list[Throw]) -> list[tuple[Die, int]]:
    """The dice as they lie, after the push where there was one."""
    first, *rest = throws
    if not rest:
        return list(zip(first[0].dice, first[1], strict=True))
    (again, faces), *_ = rest
    stay = [(die, face) for _, die, face in staying(first, again)]
    return [*stay, *zip(again.dice, faces, strict=True)]


def staying(throw: Throw, again: Pool) -> list[tuple[int, Die, int]]:
    """The dice that lie on when some are thrown again, each with its place in the throw."""
    table = [(place, *shown) for place, shown in enumerate(zip(throw[0].dice, throw[1]))]
    for thrown in again.dice:
        alike = [lies for lies in table if lies[1] == thrown and lies[2] != 1]
        table.remove(min(alike, key=lambda lies: not is_loose(*lies[1:])))
    return table


def is_loose(die: Die, face: int) -> bool:
    """Whether a push throws this die again."""
    if die.name:
        return face not in (1, 6)
    return 1 < face < 6


def successes_on(table: list[tuple[Die, int]]) -> int:
    """The successes on the table."""
    return sum(landed(face, die)[0] for die, face in table)


def ones_said(table: list[tuple[Die, int]]) -> str:
    """Which dice show a 1: `the D8 shows a 1`, `D8 and 2 ammo dice show 1s`."""
    shown = [repr(die) for die, face in table if face == 1 and not die.name]
    ammo = sum(face == 1 for die, face in table if die.name)
    if ammo:
        shown.append(f"{'an' if ammo == 1 else ammo} ammo {'die' if ammo == 1 else 'dice'}")
    if len(shown) == 1 and ammo < 2:
        return f"{'' if ammo else 'the '}{shown[0]} shows a 1"
    return f"{listed(shown)} show 1s"


def stays(request: Request, transcript: Transcript) -> tuple[tuple[int, int], ...]:
    """The faces that lie on beside the dice of a push: the entry and the place of each."""
    entries = transcript.entries
    if len(entries) < 3 or not isinstance(entries[-1], Thrown) or not _is_push(entries[-2]):
        return ()
    first = 0 if isinstance(request, Opposed) else len(entries) - 3
    number = sum(isinstance(entry, Thrown) for entry in entries[:first])
    (step, faces), (last, _) = transcript.throws[number], transcript.throws[-1]
    return tuple((first, place) for place, *_ in staying((step.pool, faces), last.pool))


def _is_push(entry: Any) -> bool:
    return isinstance(entry, Chosen) and str(entry.option).startswith("push")


def tell(request: Request, transcript: Transcript) -> str:
    """What happened so far, or in the end, in one sentence."""
    return sentence(_told(request, transcript))


def _throws(transcript: Transcript) -> list[Throw]:
    return [(step.pool, faces) for step, faces in transcript.throws]


def _chosen(transcript: Transcript) -> list[Any]:
    return [entry.option for entry in transcript.entries if isinstance(entry, Chosen)]


def _waiting(transcript: Transcript, table: str) -> str:
    """What lies there, and what an unfinished roll waits for."""
    choice, throw = "{by} may choose: {options}", "{dice} {are} to be thrown"
    waiting = waits_for(transcript, choice, throw, between=" / ", most=6)
    return f"{table}; {waiting}" if table else waiting


def _first_said(request: Roll, throws: list[Throw], what: str) -> str:
    pool, faces = throws[0]
    successes = counted(successes_on(lying(throws[:1])), "success")
    return f"{pool_said(request)}{dice_said(pool, faces)} {_lies(what, pool)}: {successes}"


def _lies(what: str, pool: Pool) -> str:
    return "lies there" if what == "lie there" and pool.size == 1 else what


def _why_kept(request: Skill) -> str:
    if request.passive:
        return " (a passive roll cannot be pushed)"
    return "" if request.pushable else " (this roll is never pushed)"


def _price_said(request: Skill, outcome: Any, table: list[tuple[Die, int]]) -> str:
    if not outcome.ones:
        return "no 1 shows, so it costs nothing"
    ones = ones_said([(die, face) for die, face in table if not die.name])
    if outcome.reliability_loss:
        item = request.gear or "the tool"
        broken = " and is broken" if outcome.broken else ""
        return f"{ones}: {item} loses {outcome.reliability_loss} reliability{broken}"
    kind = "damage" if request.named_attribute in BODY else "stress"
    return f"{ones}: {outcome.ones} {kind}"


def _push_said(throws: list[Throw]) -> str:
    return f"pushed ({dice_said(*throws[1])})" if throws[1][0] else "pushed with nothing to re-roll"


def _check_said(request: Skill, outcome: Any, throws: list[Any], intro: str = "") -> str:
    """A finished roll of base dice."""
    if not outcome.pushed:
        said = _first_said(request, throws, "kept" if request.may_push else "thrown")
        end = "which is enough" if outcome.successes else "so it fails"
        return f"{intro}{said}, {end}{_why_kept(request)}"
    price = _price_said(request, outcome, lying(throws))
    link = "but " if outcome.ones and outcome.successes else ""
    end = f"{counted(outcome.successes, 'success')}, {link}{price}"
    return f"{intro}{_first_said(request, throws, 'thrown')}; {_push_said(throws)}: {end}"


def _skill(request: Skill, transcript: Transcript) -> str:
    throws = _throws(transcript)
    if transcript.is_done:
        return _check_said(request, transcript.outcome, throws)
    return _waiting(transcript, _first_said(request, throws, "lie there") if throws else "")


def _group(request: Group, transcript: Transcript) -> str:
    chosen, throws = _chosen(transcript), _throws(transcript)
    if len(chosen) < 2:
        return _waiting(transcript, f"{chosen[0]} rolls for all" if chosen else "")
    name, helpers = chosen[:2]
    member = next(m for m in request.members if m.name == name)
    check = request.rolled_by(member, helpers)
    intro = f"{name} rolls for all with {counted(helpers, 'helper')}: "
    if transcript.is_done:
        end = "" if transcript.outcome.successes else ", and everybody fails"
        return _check_said(check, transcript.outcome, throws, intro) + end
    if not throws:
        return _waiting(transcript, intro.removesuffix(": "))
    return _waiting(transcript, intro + _first_said(check, throws, "lie there"))


def _opposed(request: Opposed, transcript: Transcript) -> str:
    throws = _throws(transcript)
    active = request.active_side
    if len(throws) < 2:
        return _waiting(transcript, _first_said(active, throws, "lie there") if throws else "")
    other = "a secret roll" if request.secret else dice_said(*throws[1])
    mine = [throws[0], *throws[2:]]
    if not transcript.is_done:
        theirs = counted(successes_on(lying([throws[1]])), "success")
        against = "" if request.secret else f" against {theirs}"
        return _waiting(transcript, f"{_first_said(active, mine, 'lie there')}{against} ({other})")
    outcome = transcript.outcome
    ahead = f"wins by {outcome.margin}" if outcome.margin > 0 else "does not get through"
    against = f"{outcome.successes} against {outcome.opposing} ({other})"
    if not outcome.pushed:
        return f"{_first_said(active, mine, 'thrown')}, {against}: the active side {ahead}"
    price = _price_said(active, outcome, lying(mine))
    return (
        f"{_first_said(active, mine, 'thrown')}; {_push_said(mine)}: {against}: "
        f"the active side {ahead}, and {price}"
    )


def _attack(request: Attack, transcript: Transcript) -> str:
    throws = _throws(transcript)
    chosen = _chosen(transcript)
    pushed = any(str(option).startswith("push") for option in chosen)
    if not throws:
        return _waiting(transcript, "")
    said = _first_said(request, throws, "thrown")
    if pushed and len(throws) > 1:
        said += f"; {_push_said(throws)}"
    if not transcript.is_done:
        return _waiting(transcript, said)
    outcome = transcript.outcome
    parts = [said, _hit_said(request, outcome, chosen, throws), _weapon_said(request, outcome)]
    if request.track == "everything":
        parts.append(_rounds_said(outcome))
    return "; ".join(part for part in parts if part)


def _hit_said(request: Attack, outcome: Any, chosen: list[Any], throws: list[Any]) -> str:
    sixes = f" and {counted(outcome.sixes, 'ammo six', 'ammo sixes')}" if outcome.sixes else ""
    if not outcome.hit:
        cover = ": the target can still be suppressed" if outcome.can_suppress else ""
        return f"a miss{sixes}{cover}"
    if not request.targets:
        return f"a hit for {outcome.damage_dealt}{sixes}"
    plan = [o for o in chosen if o not in ("keep",) and not str(o).startswith("push")]
    spent = f" spent on {plan[0]}" if plan else ""
    struck = _strikes_said(request, *throws[-1])
    return f"a hit{sixes}{spent}: {struck}"


def _strikes_said(request: Attack, pool: Pool, faces: tuple[int, ...]) -> str:
    said = []
    for die, face in zip(pool.dice, faces, strict=True):
        name, _, damage = die.name.rpartition(" ")
        target = next(t for t in request.targets if t.name == name)
        place = request.locations[face - 1]
        armour = target.foe(request.locations, request.armour_modifier).armour[face - 1]
        left = max(0, int(damage) - armour)
        shield = f" - {armour} armour = {left}" if armour else ""
        crit = ", a critical injury" if left >= request.crit_threshold else ""
        said.append(f"{name} {place} {damage}{shield}{crit}")
    return ", ".join(said)


def _weapon_said(request: Attack, outcome: Any) -> str:
    weapon = request.weapon or "the weapon"
    if not outcome.reliability_loss:
        return ""
    jam = ", jams" if outcome.jammed else ""
    broken = " and breaks once the attack is resolved" if outcome.broken else ""
    ones = "a 1 shows" if outcome.ones == 1 else f"1s on {outcome.ones} dice"
    return f"{ones}: {weapon} loses {outcome.reliability_loss} reliability{jam}{broken}"


def _rounds_said(outcome: Any) -> str:
    more = outcome.rounds_rolled > outcome.rounds_spent
    rolled = f" of {outcome.rounds_rolled} rolled" if more else ""
    left = "the magazine is empty" if outcome.emptied else f"{outcome.rounds_left} left"
    return f"{counted(outcome.rounds_spent, 'round')} fired{rolled}, {left}"


def _clear_jam(request: ClearJam, transcript: Transcript) -> str:
    throws = ", then ".join(dice_said(*throw) for throw in _throws(transcript) if throw[0])
    if not transcript.is_done:
        return _waiting(transcript, f"{throws} lie there" if throws else "")
    outcome = transcript.outcome
    end = "the jam is cleared" if outcome.cleared else "the weapon is still jammed"
    if outcome.broken:
        end += ", and the weapon is broken"
    elif outcome.reliability_loss:
        end += f", at {outcome.reliability_loss} reliability"
    return f"{throws}: {end} after {counted(outcome.tries, 'try', 'tries')}"


def _magazine(request: Magazine, transcript: Transcript) -> str:
    thrown = sum(isinstance(entry, Thrown) for entry in transcript.entries)
    if not transcript.is_done:
        return _waiting(transcript, f"{counted(thrown, 'throw')} so far")
    outcome = transcript.outcome
    ends = {
        "the last round is fired": outcome.emptied,
        "the weapon is jammed": outcome.jammed,
        "the weapon is broken": outcome.broken,
    }
    lost = f", {outcome.reliability_loss} reliability lost" if outcome.reliability_loss else ""
    why = listed([end for end, true in ends.items() if true])
    return f"after {counted(outcome.attacks, 'attack')} {why}{lost}"


_told = by_request(
    {
        Skill: _skill,
        Attack: _attack,
        Opposed: _opposed,
        Group: _group,
        ClearJam: _clear_jam,
        Magazine: _magazine,
    }
)
