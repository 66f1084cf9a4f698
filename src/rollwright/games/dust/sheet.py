"""A character on paper: stats, wounds, Adrenaline, tasks under way; and what rolls change on it."""

from __future__ import annotations

from typing import Any

from rollwright.errors import BadField, did_you_mean
from rollwright.games.dust.outcomes import Extended, Opposed, Planned, Rolled
from rollwright.games.dust.requests import ExtendedRoll, Opposing, Plan
from rollwright.games.dust.throws import FULL
from rollwright.kit import Effect, Request, Value, field


class Stat(Value):
    """An attribute or an ability with its rating."""

    name: str = field(help="what it is called", most=40)
    rating: int = field(help="how many dice it gives", low=0, high=10, rule="DUST R2")


class TaskOpen(Value):
    """An extended roll under way."""

    name: str = field(help="what the task is", most=60)
    target: int = field(help="successes wanted", low=1, high=60, rule="DUST R15")
    progress: int = field(default=0, help="successes gathered", low=0, high=90, rule="DUST R15")
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
                raise BadField(what, f"{twice[0]!r} is there twice", would_do="each name once")

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
    raise BadField(field_name, f"there is no {name!r}{did_you_mean(name, known)}")


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
    return _kept(Effect("adrenaline", outcome.adrenaline - request.adrenaline))


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
    found = [Effect("adrenaline", change), Effect("botch", int(outcome.botched))]
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
        fields["actor"] = {**known, **_own(sheet, dict(fields.get("actor", {})))}
    elif roll == "plan":
        fields["rolls"] = [_own(sheet, dict(part)) for part in fields.get("rolls", ())]
        fields.setdefault("adrenaline", sheet.adrenaline)
    else:
        fields = {"adrenaline": sheet.adrenaline, **_own(sheet, fields)}
    if roll == "extended" and fields.get("task"):
        fields = {**_task_fields(sheet.task(fields["task"])), **fields}
    return game.request(roll, **fields)


def _own(sheet: Sheet, fields: dict[str, Any]) -> dict[str, Any]:
    """Stats by name become ratings; wounds come off the pool."""
    for kind in ("attribute", "ability"):
        if isinstance(fields.get(kind), str):
            fields[f"{kind}_name"] = fields[kind]
            fields[kind] = sheet.rating(fields[kind])
    if sheet.injury:
        fields["modifier"] = fields.get("modifier", 0) - sheet.injury
    return fields


def _task_fields(task: TaskOpen) -> dict[str, Any]:
    known: dict[str, Any] = {"target": task.target, "progress": task.progress}
    if task.limit is not None:
        known["limit"] = task.limit - task.turns
    return known
