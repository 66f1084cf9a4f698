"""A character: abilities, skills, gear, Luck, and the conditions that outcomes have brought."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from rollwright.engine.transcript import Transcript
from rollwright.errors import BadField
from rollwright.i18n.catalogs import words_of
from rollwright.i18n.messages import word
from rollwright.kit import Effect, Request, Value, field, fields_of, preset, refuse_if
from rollwright.kit.fields import MISSING, made, refuse_above, shared_fields, unknown_field
from rollwright.kit.sheets import (
    Change,
    Fields,
    adds,
    applying,
    filled_parts,
    filling,
    happening,
    named,
)

from .house import House
from .outcomes import Check, Score
from .requests import HIGH, LOW, MOST_LUCK, Attempt, Roll, Session
from .story import told_rolls

WORDS = words_of(__package__ or __name__)
msg, known_as = WORDS.msg, WORDS.known_as


class Ability(Value):
    """An ability with its score."""

    name: str = field(help="such as Presence", most=60, known=True)
    score: int = field(help="its score", low=LOW, high=HIGH, rule="GHOST R5")


class Skill(Value):
    """A skill with its primary ability and its bonus."""

    name: str = field(help="such as Persuade", most=60, known=True)
    ability: str = field(help="its primary ability", most=60, rule="GHOST R5", known=True)
    bonus: int | None = preset(None, "its skill bonus, if there is one", LOW, HIGH, "GHOST R6")
    favored: bool = preset(False, "whether it is a favored skill", rule="GHOST R14")


class Item(Value):
    """A piece of gear, an augment or a charm that gives a bonus to one skill."""

    name: str = field(help="such as a smartgun", most=60, known=True)
    kind: Literal["gear", "aug", "luck"] = preset("gear", "what kind of bonus it gives")
    skill: str = field(help="the skill it helps", most=60, rule="GHOST R6", known=True)
    bonus: int = field(help="the bonus", low=LOW, high=HIGH, rule="GHOST R6")


class Condition(Value):
    """A condition that somebody has."""

    who: str = preset("", "who has it; empty for this character", most=60)
    name: str = field(help="such as Confident", most=40, rule="GHOST R21")


class Sheet(Value):
    """Everything the rules know about a character."""

    name: str = preset("", "the character's name", most=60)
    abilities: tuple[Ability, ...] = preset(
        (), "the ability scores", rule="GHOST R7", most=30, once="name"
    )
    skills: tuple[Skill, ...] = preset((), "the skills", rule="GHOST R7", most=60, once="name")
    items: tuple[Item, ...] = preset((), "gear and augments that give bonuses", most=60)
    session: int = preset(1, "the number of this session", 1, 1_000_000)
    luck_points: int = preset(1, "Luck Points left", 0, MOST_LUCK, "GHOST R13")
    conditions: tuple[Condition, ...] = preset(
        (), "conditions that outcomes have brought", rule="GHOST R21", most=200
    )
    house: House = preset(House(), "house rules")

    def check(self) -> None:
        """Refuse names that are not on the sheet, and Luck that nobody can have."""
        abilities = [ability.name for ability in self.abilities]
        for skill in self.skills:
            _check_known("skills", "ability", skill.ability, abilities, "GHOST R5")
        skills = [skill.name for skill in self.skills]
        for item in self.items:
            _check_known("items", "skill", item.skill, skills, "GHOST R6")
        most = min(self.session, MOST_LUCK) if self.house.luck_carries else 1
        problem = msg("refusal.too_lucky", n=self.luck_points, session=self.session)
        refuse_above("luck_points", self.luck_points, most, problem, "GHOST R13")

    def attempt(self, skill: str = "", *, ability: str = "", **fields: Any) -> Attempt:
        """Return an attempt with a skill; the GM may name another ability for it, or one alone."""
        used = (
            named("skill", skill, self.skills, known_as=known_as)
            if skill
            else Skill(name="", ability=ability)
        )
        score = named("ability", ability or used.ability, self.abilities, known_as=known_as)
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
        return tuple(
            item.bonus
            for item in self.items
            if (item.kind, known_as(item.skill)) == (kind, known_as(skill))
        )

    def bonus(self, skill: str, *, ability: str = "") -> int:
        """Return the total bonus of a skill, as it is on the sheet."""
        return self.attempt(skill, ability=ability, dl="Easy").total_bonus


def _check_known(where: str, kind: str, name: str, names: list[str], rule: str) -> None:
    would_do = ", ".join(names) or msg("fits.on_sheet", kind=word(kind))
    problem = msg("unknown", kind=kind, name=repr(name))
    refuse_if(known_as(name) not in map(known_as, names), where, problem, rule, would_do)


def _fill_roll(sheet: Sheet, fields: Fields) -> Roll:
    own = _own(sheet, fields)
    return made(Roll, shared_fields(_attempt(sheet, fields), Attempt) | own)


def _fill_session(sheet: Sheet, fields: Fields) -> Session:
    own = _own(sheet, fields)
    rolls = filled_parts(fields, "rolls", Attempt, partial(_attempt, sheet), "GHOST R13")
    return made(Session, {**own, **fields, "rolls": rolls})


def _own(sheet: Sheet, fields: Fields) -> Fields:
    """Luck and house rules: as given, or else as on the sheet."""
    own = {"luck_points": sheet.luck_points, "house": sheet.house}
    return {name: fields.pop(name, known) for name, known in own.items()}


def _attempt(sheet: Sheet, fields: Fields) -> Attempt:
    for name in fields:
        if name not in fields_of(Attempt):
            raise unknown_field(Attempt, str(name))
    if "skill" not in fields and not isinstance(fields.get("ability"), str):
        skills = ", ".join(skill.name for skill in sheet.skills)
        raise BadField("skill", MISSING, rule="GHOST R2", would_do=skills)
    return sheet.attempt(**fields)


from_sheet = filling({"roll": _fill_roll, "session": _fill_session})
"""A request with what the sheet knows filled in.

A roll is given by `skill` and, where the GM calls for another, `ability`, both by name; a session
by `rolls`, a list of such. Everything else is a field of the request.
"""


def effects(request: Request, outcome: Check | Score) -> tuple[Effect, ...]:
    """Return an outcome's changes: Luck spent, and the condition of the chart."""
    found = happening(Effect("luck", -int(outcome.luck_used)))
    if isinstance(request, Roll) and isinstance(outcome, Check):
        found += _conditions(request, outcome.outcome)
    return found


def effects_told(request: Roll | Session, transcript: Transcript) -> tuple[Effect, ...]:
    """Return a finished transcript's changes, with the conditions of every roll of a session."""
    found = effects(request, transcript.outcome)
    if isinstance(request, Session):
        for told in told_rolls(request, transcript):
            found += _conditions(told.attempt, told.final.outcome)
    return found


def _conditions(attempt: Attempt, outcome: str) -> tuple[Effect, ...]:
    if attempt.chart is None:
        return ()
    entry = attempt.chart.entry(outcome)
    who = (attempt.target or "target") if entry.who == "target" else ""
    return happening(Effect("condition", entry.condition, who))


def new_session() -> tuple[Effect, ...]:
    """Return the changes of a new session: Luck is reset."""
    return (Effect("session", 1),)


def _gain(sheet: Sheet, effect: Effect) -> Sheet:
    gained = Condition(who=effect.target, name=effect.amount)
    return sheet.but(conditions=tuple(dict.fromkeys((*sheet.conditions, gained))))


def _lose(sheet: Sheet, effect: Effect) -> Sheet:
    lost = Condition(who=effect.target, name=effect.amount)
    return sheet.but(conditions=[one for one in sheet.conditions if one != lost])


def _session(sheet: Sheet, effect: Effect) -> Sheet:
    carried = min(sheet.luck_points + effect.amount, MOST_LUCK)
    luck = carried if sheet.house.luck_carries else 1
    return sheet.but(session=sheet.session + effect.amount, luck_points=luck)


apply: Change[Sheet] = applying(
    {"luck": adds("luck_points"), "condition": _gain, "condition-ends": _lose, "session": _session}
)
