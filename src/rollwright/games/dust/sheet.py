"""A character on paper: stats, wounds, Adrenaline, tasks under way; and what rolls change on it.

>>> driver = Sheet(stats=(Stat(name="Wits", rating=3), Stat(name="Drive", rating=4)), injury=1)
>>> from_sheet(driver, "roll", attribute="Wits", ability="Drive").pool_used.dice
6
"""

from __future__ import annotations

from rollwright.errors import BadField
from rollwright.i18n.catalogs import words_of
from rollwright.kit import Effect, Value, by_request, field, fields_of, preset
from rollwright.kit.fields import made, refuse_above
from rollwright.kit.sheets import (
    Change,
    Fields,
    adds,
    applying,
    filled_parts,
    filling,
    happening,
    mine,
    named,
    on_thing,
)

from .dice import FULL, MOST_LESS, Stats
from .house import House
from .outcomes import Extended, Opposed, Planned, Rolled
from .requests import (
    MOST_TURNS,
    MOST_WANTED,
    ExtendedRoll,
    Opposing,
    Plan,
    PlannedRoll,
    Roll,
    turns_with_adrenaline,
)

WORDS = words_of(__package__ or __name__)
msg = WORDS.msg
MOST_GATHERED = MOST_WANTED + 50
"""A last throw brings 50 at the very most: 40 dice, and 10 bought with Adrenaline."""


class Stat(Value):
    """An attribute or an ability with its rating."""

    name: str = field(help="what it is called", most=40, known=True)
    rating: int = field(help="how many dice it gives", low=0, high=10, rule="DUST R2")


class TaskOpen(Value):
    """An extended roll under way."""

    name: str = field(help="what the task is", most=60)
    target: int = field(help="successes wanted", low=1, high=MOST_WANTED, rule="DUST R15")
    progress: int = preset(
        0,
        "successes gathered; the last turn may bring more than are wanted",
        0,
        MOST_GATHERED,
        "DUST R15",
    )
    turns: int = preset(0, "turns taken", 0, 120, "DUST R15")
    limit: int | None = preset(None, "the most turns", 1, 60, "DUST R15")

    def check(self) -> None:
        over = msg("refusal.over", turns=self.turns, limit=self.limit or 0)
        refuse_above("turns", self.turns, self.limit, over, "DUST R15")

    @property
    def is_done(self) -> bool:
        return self.progress >= self.target


class Sheet(Value):
    """Everything the rules keep track of for one character."""

    name: str = preset("", "who it is", most=40)
    stats: tuple[Stat, ...] = preset(
        (), "attributes and abilities", most=60, rule="DUST R2", once="name"
    )
    injury: int = preset(0, "dice lost to wounds", 0, 10, "DUST R3")
    adrenaline: int = preset(0, "Adrenaline now", 0, FULL, "DUST R18")
    tasks: tuple[TaskOpen, ...] = preset(
        (), "extended rolls under way", most=20, rule="DUST R15", once="name"
    )
    botches: int = preset(
        0, "botches whose consequences the referee still owes", low=0, rule="DUST R13"
    )

    def rating(self, name: str, field: str = "stats") -> int:
        """The rating of a stat; `field` is where its name stood."""
        return named(
            "stat", name, self.stats, field=field, rule="DUST R2", known_as=WORDS.known_as
        ).rating

    def task(self, name: str, field: str = "tasks") -> TaskOpen:
        """A task under way; `field` is where its name stood."""
        return named("task", name, self.tasks, field=field, rule="DUST R15")


def _of_roll(request: Roll, outcome: Rolled) -> tuple[Effect, ...]:
    change = outcome.adrenaline_gained - outcome.adrenaline_spent
    return happening(Effect("adrenaline", change), Effect("botch", int(outcome.net < 0)))


def _of_sides(request: Opposing, outcome: Opposed) -> tuple[Effect, ...]:
    actor = request.actor.name
    defender = request.defender.name or "defender"
    (_, ours), (_, theirs) = request.sides
    return happening(
        Effect("adrenaline", outcome.actor_gained - ours.spend, actor),
        Effect("botch", int(outcome.actor_net < 0), actor),
        Effect("adrenaline", outcome.defender_gained - theirs.spend, defender),
        Effect("botch", int(outcome.defender_net < 0), defender),
    )


def _of_task(request: ExtendedRoll, outcome: Extended) -> tuple[Effect, ...]:
    had = request.adrenaline
    change = 0 if had is None or outcome.adrenaline is None else outcome.adrenaline - had
    botches = int(outcome.botched) if outcome.botches is None else outcome.botches
    found = [Effect("adrenaline", change), Effect("botch", botches)]
    if request.task:
        found.append(Effect("progress", outcome.total - request.progress, request.task))
        found.append(Effect("turns", outcome.turns or 0, request.task))
    return happening(*found)


def _of_plan(request: Plan, outcome: Planned) -> tuple[Effect, ...]:
    change = outcome.adrenaline - request.adrenaline
    return happening(Effect("adrenaline", change), Effect("botch", outcome.botches))


effects = by_request({Roll: _of_roll, Opposing: _of_sides, ExtendedRoll: _of_task, Plan: _of_plan})
"""Function for an outcome's changes, as data; a target is a person, or the task that moves on."""

apply: Change[Sheet] = applying(
    {
        "adrenaline": mine(adds("adrenaline", high=FULL)),
        "injury": mine(adds("injury")),
        "botch": mine(adds("botches")),
        "progress": on_thing("tasks", adds("progress"), rule="DUST R15"),
        "turns": on_thing("tasks", adds("turns"), rule="DUST R15"),
    }
)


def _fill_roll(sheet: Sheet, fields: Fields) -> Roll:
    return made(Roll, {"adrenaline": sheet.adrenaline, **_own(sheet, fields)})


def _fill_opposing(sheet: Sheet, fields: Fields) -> Opposing:
    actor = fields.get("actor", {})
    if isinstance(actor, dict):
        known = {"name": sheet.name, "adrenaline": sheet.adrenaline}
        try:
            actor = {**known, **_own(sheet, dict(actor))}
        except BadField as problem:
            raise problem.inside("actor") from None
    return made(Opposing, {**fields, "actor": actor})


def _fill_extended(sheet: Sheet, fields: Fields) -> ExtendedRoll:
    fields = {"adrenaline": sheet.adrenaline, **_own(sheet, fields)}
    if fields.get("task"):
        task = sheet.task(fields["task"], field="task")
        fields = {**_task_fields(task, _most_turns(fields)), **fields}
    return made(ExtendedRoll, fields)


def _fill_plan(sheet: Sheet, fields: Fields) -> Plan:

    def fill(part: Fields) -> PlannedRoll:
        return made(PlannedRoll, _own(sheet, part))

    rolls = filled_parts(fields, "rolls", PlannedRoll, fill, "DUST R14")
    return made(Plan, {"adrenaline": sheet.adrenaline, **fields, "rolls": rolls})


def _most_turns(fields: Fields) -> int:
    """As many turns as can be counted at once, whatever else is asked for."""
    if fields.get("adrenaline") is None:
        return MOST_TURNS
    house = fields.get("house", House())
    if isinstance(house, dict):
        house = made(House, house)
    if not isinstance(house, House):
        return 1  # the request refuses it
    stats = {name: fields[name] for name in fields_of(Stats) if name in fields}
    return turns_with_adrenaline(made(Stats, stats), house)


def _own(sheet: Sheet, fields: Fields) -> Fields:
    """Stats by name become ratings; wounds come off the pool."""
    for kind in ("attribute", "ability"):
        if isinstance(fields.get(kind), str):
            fields[f"{kind}_name"] = fields[kind]
            fields[kind] = sheet.rating(fields[kind], field=kind)
    given = fields.get("modifier", 0)
    if sheet.injury and type(given) is int and given >= MOST_LESS:
        fields["modifier"] = max(given - sheet.injury, MOST_LESS)  # so few leave no die anyhow
    return fields


def _task_fields(task: TaskOpen, most: int) -> Fields:
    """Return the known fields of a task; of a long one as many turns as can be counted at once."""
    known: Fields = {"target": task.target, "progress": task.progress}
    if task.limit is not None:
        known["limit"] = min(task.limit - task.turns, most)
    return known


from_sheet = filling(
    {"roll": _fill_roll, "opposing": _fill_opposing, "extended": _fill_extended, "plan": _fill_plan}
)
"""A request with what the sheet knows filled in: ratings by name, wounds, Adrenaline, tasks."""
