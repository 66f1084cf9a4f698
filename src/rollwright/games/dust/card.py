"""The card for interfaces: how a roll is asked for, read, judged and narrated, and the sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rollwright.engine.trace import RuleTrace
from rollwright.engine.transcript import ThrowEntry, Transcript
from rollwright.i18n.catalogs import words_of
from rollwright.i18n.messages import Value as Said
from rollwright.i18n.messages import row_of, somebody, with_sign, word
from rollwright.kit import Effect, Request, Value, widgets
from rollwright.kit.card import (
    Asked,
    Card,
    Draft,
    Exploring,
    Lie,
    Lies,
    Mark,
    Marks,
    Offer,
    Price,
    RollCard,
    Text,
    Tone,
    Verdict,
)
from rollwright.kit.controls import Control
from rollwright.kit.widgets import Row, Widget, things, track

from . import forms
from .dice import FULL, Terms, dice_taken, grade_of
from .outcomes import Extended, Opposed, Planned, Rolled
from .requests import ExtendedRoll, Opposing, Plan, Roll
from .rules import SAVE, SPENDING, DoublesPoint, Spending
from .sheet import Stat, TaskOpen
from .starters import STARTERS
from .story import Throw, tell, throws_in
from .theme import THEME

WORDS = words_of(__package__ or __name__)
msg, name_said = WORDS.msg, WORDS.name
WAYS = ("never", "always", "best")
GRADE_TONES: dict[str, Tone] = {
    "botch": "awful",
    "failure": "bad",
    "barely": "good",
    "barely+": "good",
    "complete": "good",
    "complete+": "good",
    "overwhelming": "great",
}
MOST_DOTS = 5


class DustCard(Card):
    """The card of A Thousand Miles of Dust."""

    theme = THEME
    rolls = {
        "roll": RollCard(
            drawn=("net", "grade"),
            more=("modifier", "pool", "spend"),
            asked=("attribute", "ability", "difficulty", "modifier", "kind"),
            needed=(("attribute", "ability"),),
            untrained=("attribute", "ability"),
            explore=Exploring(
                along="pool",
                map=("pool", "difficulty"),
                builds=({}, {"pool": 7, "difficulty": 7}, {"spend": 1}),
            ),
        ),
        "opposing": RollCard(
            drawn=("margin",),
            more=("actor.pool", "defender.pool"),
            explore=Exploring(along="actor.pool", map=("actor.pool", "defender.pool")),
        ),
        "extended": RollCard(
            policies=WAYS,
            drawn=("turns", "total"),
            more=("modifier", "limit", "pool"),
            explore=Exploring(
                along="pool", map=("pool", "limit"), builds=({}, {"pool": 7}, {"difficulty": 7})
            ),
        ),
        "plan": RollCard(
            policies=WAYS,
            drawn=("met",),
            more=("adrenaline",),
            explore=Exploring(along="adrenaline"),
            only_explored=True,
        ),
    }
    prices = {
        "adrenaline_spent": Price("amount", msg("price.adrenaline", n=1)),
        "botched": Price("chance", msg("price.botched")),
        "botches": Price("amount", msg("price.botches", n=1), beside="botched"),
    }
    outcomes = {
        "net": {"..-1": "bad", "1..": "good"},
        "margin": {"..-1": "bad", "1..": "good"},
        "met": {"1..": "good"},
        "grade": GRADE_TONES,
        "winner": {"actor": "good", "nobody": "even", "defender": "bad"},
    }
    starters = STARTERS

    def title(self, request: Request) -> Text:
        kind = msg(f"roll.{request.roll}")
        names: Said = ""
        if isinstance(request, Opposing):  # the actor is the roller, and named beside it
            rival = request.defender.name
            return msg("title.rival", roll=kind, name=somebody(rival)) if rival else kind
        if isinstance(request, ExtendedRoll) and request.task:
            names = request.task
        elif isinstance(request, Roll | ExtendedRoll):
            both_names = (request.attribute_name, request.ability_name)
            stats = [name_said(name) for name in both_names if name]
            if stats:
                names = msg("title.both", a=stats[0], b=stats[1]) if stats[1:] else stats[0]
        return msg("title", roll=kind, names=names) if names else kind

    def first(self, roll: str, sheet: Value | None) -> Draft:
        return forms.started(Asked(self.game, self.game.requests[roll], sheet=sheet))

    def start(self, asked: Asked) -> Draft:
        return forms.started(asked)

    def fill(self, asked: Asked) -> Request:
        return forms.filled(asked)

    def form(self, asked: Asked) -> Sequence[Control]:
        return forms.form(asked)

    def marks(self, request: Request) -> Marks:
        """Return the marks of every die of the roll: if sides differ, those in common."""
        reached = max(terms.difficulty for terms in _terms(request))
        return {
            "d10": {
                1: Mark("bad", ("minus",), said=msg("mark.one")),
                f"{reached}..10": Mark("good", ("won",), said=msg("mark.success")),
            }
        }

    def lies(self, request: Request, transcript: Transcript) -> Lies:
        """Dice of a tie are thrown again; where doubles must survive, the 1s take some away."""
        found: dict[tuple[int, int], Lie] = {}
        if isinstance(request, Opposing):
            for number in (n for tie in transcript.trace.rules[:-1] for n in _entries(tie)):
                entry = transcript.entries[number]
                places = range(len(entry.faces)) if isinstance(entry, ThrowEntry) else ()
                found |= {(number, place): "again" for place in places}
        for throw in throws_in(request, transcript):
            if throw.terms.must_survive:
                found |= {(throw.entry, place): "dropped" for place in _taken(throw)}
        return found

    def label(self, request: Request, transcript: Transcript) -> Text:
        number = len(transcript.throws)
        if isinstance(request, Opposing):
            return msg("side.name", name=_side(request, (number - 1) % 2))
        if isinstance(request, ExtendedRoll):
            return msg("part.turn", n=number)
        return msg("part.roll", n=number) if isinstance(request, Plan) else ""

    def whose(self, request: Request, transcript: Transcript) -> str:
        if not isinstance(request, Opposing) or transcript.is_done:
            return ""
        sides = (request.actor, request.defender)
        return sides[len(transcript.trace.rules[-1].parts) - 1].name

    def throws(self, request: Request, transcript: Transcript) -> Text:
        """The stats of whichever side throws."""
        name = self.whose(request, transcript)
        if not name or not isinstance(request, Opposing):
            return ""
        side = next(one for one in (request.actor, request.defender) if one.name == name)
        stats = [stat for stat in (side.attribute_name, side.ability_name) if stat]
        return msg("throws", names=row_of(map(name_said, stats))) if stats else ""

    def effect(self, effect: Effect) -> Text:
        name = f"effect.{effect.kind}"
        if name not in self.game.words or not isinstance(effect.amount, int):
            return super().effect(effect)
        amount: Said = effect.amount if effect.kind == "botch" else with_sign(effect.amount)
        target = somebody(effect.target)
        if effect.kind in ("progress", "turns"):
            return msg(name, n=amount, target=target)
        told = msg(name, n=amount)
        return msg("effect.of", said=told, target=target) if effect.target else told

    def standing(self, request: Request, transcript: Transcript) -> Text:
        about = getattr(transcript.step, "about", None)
        if about is None:
            return ""
        if isinstance(about, DoublesPoint):
            return msg("standing.net", net=about.net, grade=word(grade_of(about.net)))
        if not isinstance(request, Plan):
            left = "none" if about.left is None else about.left
            return msg("standing.task", **about._asdict() | {"left": left})
        all_rolls = len(request.rolls)
        return msg(
            "standing.plan",
            n=all_rolls - about.left + 1,
            all=all_rolls,
            wanted=about.wanted,
            met=about.made,
            adrenaline=about.adrenaline,
        )

    def ask(self, request: Request, transcript: Transcript) -> Text:
        return msg("ask.doubles" if isinstance(request, Roll) else "ask.spend")

    def offered(self, request: Request, transcript: Transcript, option: Any) -> Offer:
        if isinstance(request, Roll):
            after = transcript.choose(option).outcome.adrenaline
            return Offer(msg(f"option.{option}"), msg("leads.adrenaline", n=after))
        points = SPENDING[option]
        label = msg("option.spend", n=points) if points else msg("option.save")
        return Offer(label, msg("leads.left", n=transcript.step.about.adrenaline - points))

    def nothing_to_gain(self, request: Request, transcript: Transcript, goal: str) -> Any:
        """Adrenaline for a roll that cannot be brought to what it needs, whatever is spent."""
        step = transcript.step
        if not isinstance(step.about, Spending):
            return None
        most = max(SPENDING[option] for option in step.options)
        if isinstance(request, ExtendedRoll):
            out_of_reach = step.about.made + request.terms.dice + most < step.about.wanted
            return SAVE if step.about.left == 1 and out_of_reach else None
        if isinstance(request, Plan) and step.about.left is not None:
            dice = request.terms[len(request.rolls) - step.about.left].dice
            return SAVE if dice + most < step.about.wanted else None
        return None

    def verdict(self, request: Any, outcome: Any) -> Verdict:
        if isinstance(outcome, Rolled):
            return _of_roll(outcome)
        if isinstance(outcome, Opposed):
            return _of_sides(request, outcome)
        if isinstance(outcome, Extended):
            return _of_task(request, outcome)
        return _of_plan(request, outcome)

    def told(self, request: Request, transcript: Transcript) -> Text:
        return tell(request, transcript)

    def sheet(self, sheet: Any) -> Sequence[Widget]:
        wounds = [widgets.note(msg("sheet.wounds", n=sheet.injury), "bad")] if sheet.injury else []
        return [
            widgets.group(
                track(
                    "adrenaline",
                    sheet.adrenaline,
                    FULL,
                    msg("label.adrenaline"),
                    icon="bolt",
                    tone="good",
                ),
                track("injury", sheet.injury, FULL, msg("label.injury"), icon="heart", tone="bad"),
                *wounds,
                widgets.number(
                    "botches", sheet.botches, msg("label.botches"), low=0, step=True, tone="bad"
                ),
                title=msg("sheet.body"),
                icon="bolt",
            ),
            things(
                "stats",
                msg("label.stats"),
                map(_stat, sheet.stats),
                icon="person",
                empty=msg("sheet.empty"),
            ),
            things("tasks", msg("label.tasks"), map(_task, sheet.tasks), icon="hourglass"),
        ]


def _terms(request: Request) -> tuple[Terms, ...]:
    """How the throws of a roll are read."""
    if isinstance(request, Opposing):
        return tuple(terms for terms, _ in request.sides)
    if isinstance(request, Plan):
        return request.terms
    assert isinstance(request, Roll | ExtendedRoll)
    return (request.terms,)


def _entries(tie: RuleTrace) -> Iterator[int]:
    return (number for part in tie.parts for number in part.entries)


def _taken(throw: Throw) -> Iterator[int]:
    """The places of the dice that the 1s take."""
    faces = list(throw.faces)
    for face in dice_taken(throw.terms, throw.faces, throw.spend):
        place = faces.index(face)
        faces[place] = 0
        yield place


def _side(request: Opposing, place: int) -> Said:
    """A side of an opposing roll as a heading says it."""
    name = (request.actor, request.defender)[place].name
    return somebody(name) if name else msg("side.defender" if place else "side.actor")


def _of_roll(rolled: Rolled) -> Verdict:
    grade = rolled.grade
    gained = rolled.adrenaline_gained
    more = [msg("verdict.gained", n=with_sign(gained))] if gained else []
    paid = [msg("verdict.spent", n=rolled.adrenaline_spent)] if rolled.adrenaline_spent else []
    detail = (msg("verdict.net", n=rolled.net), *more)
    return Verdict(msg(f"verdict.{grade}"), GRADE_TONES[grade], detail, tuple(paid))


def _of_sides(request: Opposing, opposed: Opposed) -> Verdict:
    winner = opposed.winner
    name = _side(request, int(winner == "defender"))
    found = msg("verdict.nobody") if winner == "nobody" else msg("verdict.wins", name=name)
    nets = msg("verdict.nets", actor=opposed.actor_net, defender=opposed.defender_net)
    tone: Tone = {"actor": "good", "nobody": "even"}.get(winner, "bad")  # type: ignore[assignment]
    spent = request.sides[0][1].spend
    paid = (msg("verdict.spent", n=spent),) if spent else ()
    return Verdict(found, tone, (nets,), paid)


def _of_task(request: ExtendedRoll, task: Extended) -> Verdict:
    found = msg("verdict.done" if task.done else "verdict.undone")
    detail = msg("verdict.of", n=task.total, all=request.target)
    uncounted = (msg("price.botched"),) if task.botched and task.botches is None else ()
    paid = uncounted or _botches(task.botches or 0)
    return Verdict(found, "good" if task.done else "bad", (detail,), paid)


def _of_plan(request: Plan, plan: Planned) -> Verdict:
    tone: Tone = "good" if plan.met == len(request.rolls) else "mixed" if plan.met else "bad"
    left = msg("verdict.left", n=plan.adrenaline)
    return Verdict(msg("verdict.met", n=plan.met), tone, (left,), _botches(plan.botches))


def _botches(number: int) -> tuple[Text, ...]:
    return (msg("verdict.botches", n=number),) if number else ()


def _stat(stat: Stat) -> Row:
    """A stat as dots; a tap rolls it, alone until another is picked to go with it."""
    most = max(MOST_DOTS, stat.rating)
    name = name_said(stat.name)
    dots = track("rating", stat.rating, most, name, style="dots", set=False)
    begins = {"roll": "roll", "pick": {"attribute": stat.name, "ability": ""}}
    return Row(stat.name, name, (dots,), (msg("sheet.dice", n=stat.rating),), begins)


def _task(task: TaskOpen) -> Row:
    """A task as far as it has come; a tap goes on with it while that is possible."""
    if task.limit is None:
        turns = msg("sheet.no_limit")  # nobody counts them
    else:
        turns = msg("sheet.turns", n=task.turns, limit=task.limit)
    chips = (turns, msg("sheet.done")) if task.is_done else (turns,)
    progress = min(task.progress, task.target)
    bar = track("progress", progress, task.target, task.name, style="bar", set=False)
    is_over = task.is_done or task.turns == task.limit
    begins = {} if is_over else {"roll": "extended", "pick": {"task": task.name}}
    return Row(task.name, task.name, (bar,), chips, begins)
