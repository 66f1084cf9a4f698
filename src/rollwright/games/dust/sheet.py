"""A character on paper: stats, wounds, Adrenaline, tasks under way; and what rolls change on it."""

from __future__ import annotations

from typing import Any

from rollwright.errors import BadField, did_you_mean
from rollwright.games.dust.house import House
from rollwright.games.dust.outcomes import Extended, Opposed, Planned, Rolled
from rollwright.games.dust.pools import MOST_LESS, Stats, pool_used
from rollwright.games.dust.requests import (
    MOST_TURNS,
    MOST_WANTED,
    ExtendedRoll,
    Opposing,
    Plan,
    PlannedRoll,
    Side,
    turns_with_adrenaline,
)
from rollwright.games.dust.throws import FULL
from rollwright.kit import Effect, Request, Value, field, fields_of
from rollwright.kit.fields import made

MOST_GATHERED = MOST_WANTED + 50
"""A last throw brings 50 at the very most: 40 dice, and 10 bought with Adrenaline."""


class Stat(Value):
    """An attribute or an ability with its rating."""

    name: str = field(help="what it is called", most=40)
    rating: int = field(help="how many dice it gives", low=0, high=10, rule="DUST R2")


class TaskOpen(Value):
    """An extended roll under way."""

    name: str = field(help="what the task is", most=60)
    target: int = field(help="successes wanted", low=1, high=MOST_WANTED, rule="DUST R15")
    progress: int = field(
        default=0,
        help="successes gathered; the last turn may bring more than are wanted",
        low=0,
        high=MOST_GATHERED,
        rule="DUST R15",
    )
    turns: int = field(default=0, help="turns taken", low=0, high=120, rule="DUST R15")
    limit: int | None = field(default=None, help="the most turns", low=1, high=60, rule="DUST R15")

    def check(self) -> None:
        """A task never takes more turns than it may."""
        if self.limit is not None and self.turns > self.limit:
            raise BadField(
                "turns",
                f"{self.turns} turns are more than the limit of {self.limit}",
                rule="DUST R15",
                would_do=f"0 to {self.limit}",
            )

    @property
    def is_done(self) -> bool:
        """Whether enough successes are gathered."""
        return self.progress >= self.target


class Sheet(Value):
    """Everything the rules keep track of for one character."""

    name: str = field(default="", help="who it is", most=40)
    stats: tuple[Stat, ...] = field(
        default=(), help="attributes and abilities", most=60, rule="DUST R2"
    )
    injury: int = field(default=0, help="dice lost to wounds", low=0, high=10, rule="DUST R3")
    adrenaline: int = field(default=0, help="Adrenaline now", low=0, high=FULL, rule="DUST R18")
    tasks: tuple[TaskOpen, ...] = field(default=(), help="extended rolls under way", most=20)
    botches: int = field(
        default=0, help="botches whose consequences the referee still owes", low=0, rule="DUST R13"
    )

    def check(self) -> None:
        """No two stats and no two tasks of one name."""
        for what, named in (("stats", self.stats), ("tasks", self.tasks)):
            names = [part.name for part in named]
            twice = [name for name in names if names.count(name) > 1]
            if twice:
                raise BadField(
                    what, f"{twice[0]!r} is there twice", rule="DUST R2", would_do="each name once"
                )

    def rating(self, name: str) -> int:
        """The rating of a stat."""
        return int(_find(self.stats, "stats", name).rating)

    def task(self, name: str) -> TaskOpen:
        """A task under way."""
        found: TaskOpen = _find(self.tasks, "tasks", name)
        return found


def _find(named: tuple[Any, ...], field_name: str, name: str) -> Any:
    for part in named:
        if part.name == name:
            return part
    known = sorted(part.name for part in named)
    rule = "DUST R2" if field_name == "stats" else "DUST R15"
    would_do = ", ".join(known[:20]) or "one that is on the sheet"
    problem = f"there is no {str(name)[:40]!r}{did_you_mean(str(name)[:40], known)}"
    raise BadField(field_name, problem, rule=rule, would_do=would_do)


def effects(request: Request, outcome: Any) -> tuple[Effect, ...]:
    """What an outcome changes, as data; a target is a person, or the task that moves on."""
    if isinstance(outcome, Rolled):
        change = outcome.adrenaline_gained - outcome.adrenaline_spent
        return _kept(Effect("adrenaline", change), Effect("botch", int(outcome.net < 0)))
    if isinstance(outcome, Opposed):
        assert isinstance(request, Opposing)
        return _opposed(request, outcome)
    if isinstance(outcome, Extended):
        assert isinstance(request, ExtendedRoll)
        return _extended(request, outcome)
    assert isinstance(request, Plan)
    assert isinstance(outcome, Planned)
    change = outcome.adrenaline - request.adrenaline
    return _kept(Effect("adrenaline", change), Effect("botch", outcome.botches))


def _kept(*found: Effect) -> tuple[Effect, ...]:
    return tuple(effect for effect in found if effect.amount)


def _opposed(request: Opposing, outcome: Opposed) -> tuple[Effect, ...]:
    actor = request.actor.name
    defender = request.defender.name or "defender"
    match = request.match()
    return _kept(
        Effect("adrenaline", outcome.actor_gained - match.actor_stake.spend, actor),
        Effect("botch", int(outcome.actor_net < 0), actor),
        Effect("adrenaline", outcome.defender_gained - match.defender_stake.spend, defender),
        Effect("botch", int(outcome.defender_net < 0), defender),
    )


def _extended(request: ExtendedRoll, outcome: Extended) -> tuple[Effect, ...]:
    had = request.adrenaline
    change = 0 if had is None or outcome.adrenaline is None else outcome.adrenaline - had
    botches = int(outcome.botched) if outcome.botches is None else outcome.botches
    found = [Effect("adrenaline", change), Effect("botch", botches)]
    if request.task:
        found.append(Effect("progress", outcome.total - request.progress, request.task))
        found.append(Effect("turns", outcome.turns or 0, request.task))
    return _kept(*found)


def apply(sheet: Sheet, effect: Effect) -> Sheet:
    """The sheet after an effect; effects on somebody else leave it as it is."""
    if effect.kind in ("progress", "turns"):
        return _moved_on(sheet, effect)
    if effect.target not in ("", sheet.name):
        return sheet
    if effect.kind == "adrenaline":
        return _with(sheet, adrenaline=min(FULL, sheet.adrenaline + effect.amount))
    if effect.kind == "injury":
        return _with(sheet, injury=sheet.injury + effect.amount)
    if effect.kind == "botch":
        return _with(sheet, botches=sheet.botches + effect.amount)
    known = "adrenaline, injury, botch, progress, turns"
    raise BadField("effect", f"there is no {effect.kind!r} on a sheet", would_do=known)


def _with(sheet: Sheet, **changes: Any) -> Sheet:
    changed: Sheet = sheet.but(**changes)
    return changed


def _moved_on(sheet: Sheet, effect: Effect) -> Sheet:
    task = sheet.task(effect.target)
    moved = task.but(**{effect.kind: getattr(task, effect.kind) + effect.amount})
    return _with(sheet, tasks=tuple(moved if t is task else t for t in sheet.tasks))


def from_sheet(sheet: Sheet, roll: str, **fields: Any) -> Request:
    """A request with what the sheet knows filled in: ratings by name, wounds, Adrenaline, tasks.

    >>> driver = Sheet(stats=(Stat(name="Wits", rating=3), Stat(name="Drive", rating=4)), injury=1)
    >>> from_sheet(driver, "roll", attribute="Wits", ability="Drive").pool_used.dice
    6
    """
    from rollwright.games.dust import game

    if roll == "opposing":
        known = {"name": sheet.name, "adrenaline": sheet.adrenaline}
        actor = fields.get("actor", {})
        if not isinstance(actor, Side):
            fields["actor"] = {**known, **_part(sheet, "actor", actor)}
    elif roll == "plan":
        fields["rolls"] = _parts(sheet, fields.get("rolls", ()))
        fields.setdefault("adrenaline", sheet.adrenaline)
    else:
        fields = {"adrenaline": sheet.adrenaline, **_own(sheet, fields)}
    if roll == "extended" and fields.get("task"):
        fields = {**_task_fields(sheet.task(fields["task"]), _most_turns(fields)), **fields}
    return game.request(roll, **fields)


def _most_turns(fields: dict[str, Any]) -> int:
    """As many turns as can be counted at once, whatever else is asked for."""
    if fields.get("adrenaline") is None:
        return MOST_TURNS
    house = fields.get("house", House())
    if isinstance(house, dict):
        house = made(House, house)
    if not isinstance(house, House):
        return 1  # the request refuses it
    stats = {name: fields[name] for name in fields_of(Stats) if name in fields}
    return turns_with_adrenaline(pool_used(made(Stats, stats), house).dice, house)


def _parts(sheet: Sheet, rolls: Any) -> list[Any]:
    """The rolls of a plan, each with what the sheet knows; finished ones stay as they are."""
    if not isinstance(rolls, list | tuple):
        raise BadField("rolls", "that is no list", rule="DUST R14", would_do="a list of rolls")
    return [
        part if isinstance(part, PlannedRoll) else _part(sheet, f"rolls[{number}]", part)
        for number, part in enumerate(rolls)
    ]


def _part(sheet: Sheet, where: str, part: Any) -> dict[str, Any]:
    if not isinstance(part, dict):
        problem = "that is neither fields nor a finished value"
        raise BadField(where, problem, rule="DUST R2", would_do='fields such as {"pool": 5}')
    try:
        return _own(sheet, dict(part))
    except BadField as problem:
        raise problem.inside(where) from None


def _own(sheet: Sheet, fields: dict[str, Any]) -> dict[str, Any]:
    """Stats by name become ratings; wounds come off the pool."""
    for kind in ("attribute", "ability"):
        if isinstance(fields.get(kind), str):
            fields[f"{kind}_name"] = fields[kind]
            fields[kind] = sheet.rating(fields[kind])
    given = fields.get("modifier", 0)
    if sheet.injury and type(given) is int and given >= MOST_LESS:
        fields["modifier"] = max(given - sheet.injury, MOST_LESS)  # so few leave no die anyhow
    return fields


def _task_fields(task: TaskOpen, most: int) -> dict[str, Any]:
    """What is known of a task; of a long one as many turns as can be counted at once."""
    known: dict[str, Any] = {"target": task.target, "progress": task.progress}
    if task.limit is not None:
        known["limit"] = min(task.limit - task.turns, most)
    return known
