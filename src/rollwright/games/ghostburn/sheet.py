"""A character: abilities, skills, gear, Luck, and the conditions that outcomes have brought."""

from __future__ import annotations

from typing import Any, Literal

from rollwright.engine.transcript import Transcript
from rollwright.errors import BadField
from rollwright.games.ghostburn.bonuses import total_bonus
from rollwright.games.ghostburn.house import House
from rollwright.games.ghostburn.requests import (
    HIGH,
    LOW,
    MOST_LUCK,
    Attempt,
    Roll,
    Session,
)
from rollwright.games.ghostburn.story import told_rolls
from rollwright.kit import Effect, Request, Value, field, fields_of
from rollwright.kit.fields import made, refuse_above, shared_fields, unknown_field
from rollwright.kit.sheets import (
    Change,
    adds,
    applying,
    filled_parts,
    filling,
    named,
    refuse_twice,
)


class Ability(Value):
    """An ability with its score."""

    name: str = field(help="such as Presence", most=60)
    score: int = field(help="its score", low=LOW, high=HIGH, rule="GHOST R5")


class Skill(Value):
    """A skill with its primary ability and its bonus."""

    name: str = field(help="such as Persuade", most=60)
    ability: str = field(help="its primary ability", most=60, rule="GHOST R5")
    bonus: int | None = field(
        default=None, help="its skill bonus, if there is one", low=LOW, high=HIGH, rule="GHOST R6"
    )
    favored: bool = field(default=False, help="whether it is a favored skill", rule="GHOST R14")


class Item(Value):
    """A piece of gear, an augment or a charm that gives a bonus to one skill."""

    name: str = field(help="such as a smartgun", most=60)
    kind: Literal["gear", "aug", "luck"] = field(default="gear", help="what kind of bonus it gives")
    skill: str = field(help="the skill it helps", most=60, rule="GHOST R6")
    bonus: int = field(help="the bonus", low=LOW, high=HIGH, rule="GHOST R6")


class Condition(Value):
    """A condition that somebody has."""

    who: str = field(default="", help="who has it; empty for this character", most=60)
    name: str = field(help="such as Confident", most=40, rule="GHOST R21")


class Sheet(Value):
    """Everything the rules know about a character."""

    name: str = field(default="", help="the character's name", most=60)
    abilities: tuple[Ability, ...] = field(default=(), help="the ability scores", most=30)
    skills: tuple[Skill, ...] = field(default=(), help="the skills", most=60)
    items: tuple[Item, ...] = field(default=(), help="gear and augments that give bonuses", most=60)
    session: int = field(default=1, help="the number of this session", low=1, high=1_000_000)
    luck_points: int = field(
        default=1, help="Luck Points left", low=0, high=MOST_LUCK, rule="GHOST R13"
    )
    conditions: tuple[Condition, ...] = field(
        default=(), help="conditions that outcomes have brought", most=200, rule="GHOST R21"
    )
    house: House = field(default=House(), help="house rules")

    def check(self) -> None:
        """Refuse names that stand twice or nowhere, and Luck that nobody can have."""
        refuse_twice("abilities", (ability.name for ability in self.abilities), "GHOST R7")
        refuse_twice("skills", (skill.name for skill in self.skills), "GHOST R7")
        abilities = [ability.name for ability in self.abilities]
        for skill in self.skills:
            _known("skills", "ability", skill.ability, abilities, "GHOST R5")
        skills = [skill.name for skill in self.skills]
        for item in self.items:
            _known("items", "skill", item.skill, skills, "GHOST R6")
        most = min(self.session, MOST_LUCK) if self.house.luck_carries else 1
        problem = f"{self.luck_points} are more than session {self.session} can have brought"
        refuse_above("luck_points", self.luck_points, most, problem, "GHOST R13")

    def attempt(self, skill: str, *, ability: str = "", **fields: Any) -> Attempt:
        """What a use of a skill adds; the GM may name another ability for it."""
        used = named("skill", skill, self.skills)
        score = named("ability", ability or used.ability, self.abilities)
        known = {
            "ability": score.score,
            "ability_name": score.name,
            "skill": () if used.bonus is None else (used.bonus,),
            "skill_name": used.name,
            "favored": used.favored,
        }
        items = {kind: self._bonuses(kind, skill) for kind in ("gear", "aug", "luck")}
        return made(Attempt, {**known, **items, **fields})

    def _bonuses(self, kind: str, skill: str) -> tuple[int, ...]:
        return tuple(item.bonus for item in self.items if (item.kind, item.skill) == (kind, skill))

    def bonus(self, skill: str, *, ability: str = "") -> int:
        """The total bonus of a skill, as it stands on the sheet."""
        return total_bonus(self.attempt(skill, ability=ability, dl="Easy"))

    def conditions_on(self, who: str = "") -> tuple[str, ...]:
        """The conditions that somebody has; empty for this character."""
        return tuple(condition.name for condition in self.conditions if condition.who == who)


def _known(where: str, kind: str, name: str, names: list[str], rule: str) -> None:
    if name not in names:
        listed = ", ".join(names) or f"an {kind} on the sheet"
        raise BadField(where, f"there is no {kind} {name!r}", rule=rule, would_do=listed)


def _fill_roll(sheet: Sheet, fields: dict[str, Any]) -> Roll:
    own = _own(sheet, fields)
    attempt = _attempt(sheet, fields)
    return made(Roll, shared_fields(attempt, Attempt) | own)


def _fill_session(sheet: Sheet, fields: dict[str, Any]) -> Session:
    own = _own(sheet, fields)
    rolls = filled_parts(
        "rolls",
        fields.pop("rolls", ()),
        Attempt,
        lambda part: _attempt(sheet, part),
        rule="GHOST R13",
        part="roll",
        would_do="a skill and a dl",
    )
    return made(Session, {"rolls": rolls, **own, **fields})


def _own(sheet: Sheet, fields: dict[str, Any]) -> dict[str, Any]:
    """Luck and house rules: as given, or else as on the sheet."""
    own = {"luck_points": sheet.luck_points, "house": sheet.house}
    return {name: fields.pop(name, known) for name, known in own.items()}


def _attempt(sheet: Sheet, fields: dict[str, Any]) -> Attempt:
    for name in fields:
        if name not in fields_of(Attempt):
            raise unknown_field(Attempt, str(name))
    if "skill" not in fields:
        skills = ", ".join(skill.name for skill in sheet.skills)
        raise BadField("skill", "is missing", rule="GHOST R2", would_do=skills)
    known = dict(fields)
    skill, ability = known.pop("skill"), known.pop("ability", "")
    return sheet.attempt(skill, ability=ability, **known)


from_sheet = filling({"roll": _fill_roll, "session": _fill_session})
"""A request with what the sheet knows filled in.

A roll is given by `skill` and, where the GM calls for another, `ability`, both by name; a session
by `rolls`, a list of such. Everything else is a field of the request.
"""


def effects(request: Request, outcome: Any) -> tuple[Effect, ...]:
    """What an outcome changes: Luck spent, and the condition that the chart brings."""
    found = [Effect("luck", -int(outcome.luck_used))] if outcome.luck_used else []
    if isinstance(request, Roll):
        found += _conditions(request, outcome.outcome)
    return tuple(found)


def effects_told(request: Any, transcript: Transcript) -> tuple[Effect, ...]:
    """What a finished transcript changes, with the conditions of every roll of a session."""
    found = list(effects(request, transcript.outcome))
    if isinstance(request, Session):
        for told in told_rolls(request, transcript):
            found += _conditions(told.attempt, told.final.outcome)
    return tuple(found)


def _conditions(attempt: Attempt, outcome: str) -> list[Effect]:
    if attempt.chart is None:
        return []
    entry = attempt.chart.entry(outcome)
    if not entry.condition:
        return []
    who = (attempt.target or "target") if entry.who == "target" else ""
    return [Effect("condition", entry.condition, who)]


def new_session() -> Effect:
    """The effect of a new session: Luck is set anew."""
    return Effect("session", 1)


def _gain(sheet: Sheet, effect: Effect) -> Sheet:
    gained = Condition(who=effect.target, name=effect.amount)
    if gained in sheet.conditions:
        return sheet
    return sheet.but(conditions=(*sheet.conditions, gained))


def _lose(sheet: Sheet, effect: Effect) -> Sheet:
    lost = Condition(who=effect.target, name=effect.amount)
    kept = tuple(condition for condition in sheet.conditions if condition != lost)
    return sheet.but(conditions=kept)


def _session(sheet: Sheet, effect: Effect) -> Sheet:
    kept = sheet.luck_points if sheet.house.luck_carries else 0
    luck = min(kept + effect.amount, MOST_LUCK) if sheet.house.luck_carries else 1
    return sheet.but(session=sheet.session + effect.amount, luck_points=luck)


apply: Change[Sheet] = applying(
    {
        "luck": adds("luck_points"),
        "condition": _gain,
        "condition-ends": _lose,
        "session": _session,
    }
)
"""The sheet after an effect: luck, condition, condition-ends or session."""
