"""The card for interfaces: forms and sheets, how a roll is read, judged and narrated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rollwright.engine.transcript import Transcript
from rollwright.i18n.catalogs import words_of
from rollwright.i18n.messages import msg as shared
from rollwright.i18n.messages import row_of, somebody, with_sign, word
from rollwright.kit import Effect, Request, widgets
from rollwright.kit.card import (
    Asked,
    Card,
    Draft,
    Exploring,
    Ladder,
    Marks,
    Offer,
    Price,
    RollCard,
    Rung,
    Sum,
    Text,
    Tone,
    Verdict,
    tone_of,
)
from rollwright.kit.controls import Choice, Control, group, note
from rollwright.kit.widgets import Row, Widget, things, track

from .outcomes import COOL, FADE, NAMES, SEVERE, SUCCESS, Check, Grade, level_at, number_of
from .requests import Attempt, Session
from .rules import Moment, best_use, luck_uses
from .sheet import Sheet
from .starters import STARTERS
from .story import kind_said, sum_of, tell, told_rolls
from .theme import THEME

WORDS = words_of(__package__ or __name__)
msg, name_said = WORDS.msg, WORDS.name
LADDER = NAMES[1:]
KINDS = ("skill", "gear", "aug")
TONES: dict[str, Tone] = {grade: tone_of(Grade(grade)) for grade in Grade.ranks}

ENOUGH = {"just-succeed": SUCCESS, "save-luck": SUCCESS, "no-glitch": FADE}
"""The outcome that each goal wants; of the others a better one is always better."""


class GhostCard(Card):
    """The card of GHOST/BURN."""

    theme = THEME
    starters = STARTERS
    rolls = {
        "roll": RollCard(
            policies=("never", "always", "best"),
            drawn=("outcome", "result"),
            more=("ability",),
            asked=("skill", "ability", "dl"),
            needed=(("skill",),),
            untrained=("skill",),
            explore=Exploring(
                along="ability",
                map=("ability", "dl"),
                builds=({}, {"ability": 5}, {"dl": "Hard"}),
                values={"dl": LADDER},
            ),
        ),
        "session": RollCard(
            policies=("never", "always", "best"),
            drawn=("successes",),
            more=("luck_points",),
            explore=Exploring(along="luck_points"),
            only_explored=True,
        ),
    }
    outcomes = {"outcome": TONES, "successes": {"1..": "good"}}
    prices = {
        "luck_used": Price("amount", msg("price.luck", n=1)),
        "glitches": Price("chance", msg("price.glitch")),
    }

    def knows(self, roll: str, sheet: Any) -> bool:
        return bool(sheet.skills)

    def first(self, roll: str, sheet: Any) -> Draft:
        dl = {"dl": "Moderate"}
        pick = {"skill": sheet.skills[0].name} if sheet else {}
        typed = {} if sheet else {"ability": 3, "skill": [2]}
        if roll == "session":
            return Draft({"rolls": [pick] * 3} if sheet else {}, {"rolls": [typed | dl] * 3})
        return Draft(pick, typed | dl)

    def fill(self, asked: Asked) -> Request:
        sheet = asked.whole_sheet
        if asked.sheet is None and isinstance(sheet, Sheet):
            asked = asked.over(luck_points=sheet.luck_points)
        return asked.filled()

    def form(self, asked: Asked) -> Sequence[Control]:
        if asked.roll != "session":
            return [*self._attempt(asked), *self._luck(asked), self._seldom(asked)]
        rolls = asked.held("rolls") or ()
        forms = [self._attempt(asked.part("rolls", n, Attempt)) for n in range(len(rolls))]
        return [asked.parts("rolls", Attempt, forms, title="part.roll"), *self._luck(asked)]

    def _seldom(self, asked: Asked) -> Control:
        """Another ability, whom it is done to, and what the trick's chart says."""
        rest = [asked.field(name) for name in ("target", "chart")]
        return group(*self._ability(asked), *rest, title=shared("form.more"), fold=True)

    def _attempt(self, asked: Asked) -> list[Control]:
        """The skill with its total or the bonuses one by one, and the ladder."""
        by = self._skills(asked) if asked.sheet else self._bonuses(asked)
        other = self._ability(asked) if asked.inside else []
        return [by, *other, self._ladder(asked), *self._gear(asked)]

    def _skills(self, asked: Asked) -> Control:
        sheet: Any = asked.sheet
        other = asked.picked("ability") or ""
        skills = [
            Choice(
                skill.name,
                _skill_said(skill),
                msg("bonus", n=with_sign(sheet.bonus(skill.name, ability=other))),
            )
            for skill in sheet.skills
        ]
        return asked.choose("skill", skills, label=msg("label.skill_name"))

    def _ability(self, asked: Asked) -> list[Control]:
        """Return the ability in place of the skill's own, if there are any to pick from."""
        sheet: Any = asked.sheet
        if not sheet:
            return []
        abilities = [
            Choice(one.name, name_said(one.name), msg("bonus", n=with_sign(one.score)))
            for one in sheet.abilities
        ]
        own = Choice(None, msg("own.ability"))
        return [asked.choose("ability", [own, *abilities], label=msg("other.ability"))]

    def _bonuses(self, asked: Asked) -> Control:
        listed = [self._one_bonus(asked, kind) for kind in KINDS]
        return group(asked.field("ability", help=""), *listed, columns=2)

    def _one_bonus(self, asked: Asked, kind: str) -> Control:
        """One bonus of a kind, though a character may have several."""
        held = asked.held(kind) or ()
        return asked.field(
            kind,
            control="number",
            style="stepper",
            at=f"set.{asked.path(kind)}.0",
            value=held[0] if held else 0,
            offers=None,
            most=None,
            signed=True,
            help="",
        )

    def _ladder(self, asked: Asked) -> Control:
        levels = [
            Choice(name, msg(f"word.{name}"), msg("from", n=number_of(step)))
            for step, name in enumerate(LADDER, start=1)
        ]
        return asked.field("dl", options=[one.plain() for one in levels], style="row", help="")

    def _gear(self, asked: Asked) -> list[Control]:
        if asked.sheet is None or asked.inside:
            return []
        return [asked.field("gear", label=msg("gear.extra"), offers=[1, 2, 3])]

    def _luck(self, asked: Asked) -> list[Control]:
        sheet = asked.whole_sheet
        if isinstance(sheet, Sheet):
            return [note(msg("luck.left", n=sheet.luck_points))]
        both = [asked.field("luck_points", style="stepper", help="")]
        if asked.roll == "roll":
            both.append(asked.field("favored", help=""))
        return [group(*both, columns=2)]

    def marks(self, request: Request) -> Marks:
        return {}

    def label(self, request: Request, transcript: Transcript) -> Text:
        if not isinstance(request, Session):
            return ""
        return msg("part.roll", n=len(transcript.throws))

    def standing(self, request: Any, transcript: Transcript) -> Text:
        """Return the status of the current roll: its result against its level."""
        told = told_rolls(request, transcript)
        if not told:
            return ""
        last = told[-1]
        values: dict[str, Any] = {"result": last.first.result, "grade": word(last.first.outcome)}
        if not request.house.dl_shown:
            return msg("standing.hidden", **values)
        dl, house = last.task.dl, request.house
        return msg("standing", **values, dl=word(level_at(dl, house)), at=number_of(dl))

    def sum(self, request: Any, transcript: Transcript) -> Sum | None:
        """The dice, every bonus by name, Luck that was spent; of a session what is open."""
        told = told_rolls(request, transcript)
        if not told or (isinstance(request, Session) and not told[-1].is_open):
            return None
        return sum_of(told[-1])

    def offered(self, request: Any, transcript: Transcript, option: Any) -> Offer:
        last = told_rolls(request, transcript)[-1]
        use = luck_uses(sum(last.faces), last.task)[option]
        leads: Grade = use.outcome
        label = msg(f"option.{option}", n=last.task.luck_adds)
        return Offer(label, msg("leads", grade=word(leads)), at=use.result, tone=tone_of(leads))

    def ladder(self, request: Any, transcript: Transcript) -> Ladder | None:
        """The result between the levels around it, where players may know those."""
        told = told_rolls(request, transcript)
        if not told or not request.house.dl_shown:
            return None
        last, house = told[-1], request.house
        steps = range(1, max(last.task.dl, SEVERE) + 1)
        rungs = tuple(
            Rung(number_of(step), msg("rung", level=word(level_at(step, house)))) for step in steps
        )
        return Ladder(rungs, last.first.result, number_of(last.task.dl))

    def ask(self, request: Request, transcript: Transcript) -> Text:
        return msg("ask.luck")

    def nothing_to_gain(self, request: Request, transcript: Transcript, goal: str) -> Any:
        """Luck for an outcome that is good enough, or that Luck does not better."""
        moment: Moment = transcript.step.about
        enough = moment.outcome >= ENOUGH.get(goal, COOL)
        return "keep" if enough or best_use(moment) == "keep" else None

    def verdict(self, request: Request, outcome: Any) -> Verdict:
        if isinstance(outcome, Check):
            detail = msg("verdict.level", result=outcome.result, level=word(outcome.level))
            return Verdict(
                msg("verdict.word", grade=word(outcome.outcome)),
                tone_of(outcome.outcome),
                (detail,),
            )
        good = outcome.successes > 0
        return Verdict(msg("verdict.successes", n=outcome.successes), "good" if good else "bad")

    def told(self, request: Request, transcript: Transcript) -> Text:
        return tell(request, transcript)

    def effect(self, effect: Effect) -> Text:
        """Return the description of an effect, with its target if that is somebody else."""
        told = super().effect(effect)
        if isinstance(effect.amount, int):
            told = msg(f"effect.{effect.kind}", n=with_sign(effect.amount))
        return (
            msg("effect.of", said=told, target=somebody(effect.target)) if effect.target else told
        )

    def sheet(self, sheet: Any) -> Sequence[Widget]:
        luck = sheet.luck_points
        return [
            track("luck_points", luck, max(1, luck), msg("label.luck"), tone="good"),
            things(
                "skills",
                msg("label.skills"),
                [self._skill(sheet, skill) for skill in sheet.skills],
                icon="star",
            ),
            widgets.words(
                "conditions",
                [self._condition(one) for one in sheet.conditions],
                msg("label.conditions"),
                icon="bolt",
                adds={"effect": "condition", "text": msg("condition.add")},
                drops=[
                    {"effect": "condition-ends", "amount": one.name, "target": one.who}
                    for one in sheet.conditions
                ],
            ),
            things(
                "abilities",
                msg("label.abilities"),
                [
                    Row(
                        one.name, name_said(one.name), chips=(msg("bonus", n=with_sign(one.score)),)
                    )
                    for one in sheet.abilities
                ],
                icon="person",
            ),
            things("items", msg("label.items"), map(self._item, sheet.items), icon="wrench"),
            widgets.group(
                widgets.number("session", sheet.session, msg("label.session"), low=1),
                title=msg("sheet.rest"),
                fold=True,
            ),
        ]

    def _condition(self, condition: Any) -> Text:
        if not condition.who:
            return str(condition.name)
        return msg("condition.of", who=condition.who, name=condition.name)

    def _skill(self, sheet: Any, skill: Any) -> Row:
        """A skill with its total, and what that is made of."""
        attempt = sheet.attempt(skill.name, dl="Easy")
        parts = [
            msg("told.bonus", kind=kind_said(bonus.kind), n=with_sign(bonus.used))
            for bonus in attempt.bonuses
        ]
        chips = [msg("bonus", n=with_sign(attempt.total_bonus))]
        if skill.favored:
            chips.append(msg("favored"))
        begins = {"roll": "roll", "pick": {"skill": skill.name}}
        show = (widgets.note(msg("parts", parts=row_of(parts))),)
        return Row(skill.name, name_said(skill.name), show, tuple(chips), begins)

    def _item(self, item: Any) -> Row:
        chips = (
            msg("told.bonus", kind=word(item.kind), n=with_sign(item.bonus)),
            name_said(item.skill),
        )
        return Row(item.name, name_said(item.name), chips=chips)


def _skill_said(skill: Any) -> Text:
    name = name_said(skill.name)
    return msg("favored.name", name=name) if skill.favored else name
