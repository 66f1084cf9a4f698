"""Advice as an answer: what every option is worth, where it leads, which is best, and why."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from rollwright.budget import Budget
from rollwright.engine.best.advice import Advice, run_solver
from rollwright.engine.best.solver import Solver
from rollwright.engine.odds.chains import Flow
from rollwright.engine.odds.count import odds
from rollwright.engine.steps import Choice
from rollwright.engine.transcript import Transcript
from rollwright.engine.values import value_to_json
from rollwright.errors import BadField, Cancelled, RollwrightError, TooMuchWork
from rollwright.exact import Dist
from rollwright.i18n.locale import ENGLISH, format_text, in_words, reader_language
from rollwright.i18n.messages import Message, Value, any_of, row_of
from rollwright.i18n.messages import msg as message
from rollwright.kit.card.choices import puts_to_json
from rollwright.kit.titles import option_title
from rollwright.pictures.outcomes import fields_in
from rollwright.queries.measures import (
    GoalMeasure,
    Prices,
    costs_in,
    field_data,
    goals_of,
    number,
    worth,
)
from rollwright.queries.plans import calls_of, format_plan, line_plain
from rollwright.queries.roll_specs import RollSpec, spec_of

if TYPE_CHECKING:
    from rollwright.dice import Outcome
    from rollwright.engine.best.beliefs import BeliefSolver
    from rollwright.engine.odds.count import Start
    from rollwright.engine.steps import Option
    from rollwright.queries.kinds import AdviceQuery
    from rollwright.queries.schemas import (
        AdviceAnswer,
        BestPlay,
        CostData,
        OptionAdviceData,
    )

MOST_LINES = 500
"""Lines of a policy that are written out exactly, the likeliest ones."""
MOST_FUTURES = 16
"""Options whose odds are counted one by one; of more only the best ones are."""
MOST_OPTIONS = 200
"""Options that are listed, the best ones; the rest is counted."""
MOST_FIELDS = 6
HARDLY = Fraction(1, 1000)
"""Chances that are nearer to one another are no reason to choose."""


def advise(question: AdviceQuery, budget: Budget) -> AdviceAnswer:
    """Return the best call, from the start of a roll or from its current step.

    With `seat`, a roll in progress is judged by what that seat of the rule can know.
    """
    subject = spec_of(question)
    if subject.request is None:
        raise BadField("goal", message("advice.dice"))
    aim = GoalMeasure(subject, question.goal or "")
    if isinstance(subject.what, Transcript):
        found = in_progress(subject.what, aim, question.seat or "", budget)
    else:
        found = from_start(subject, aim, budget, lines=True)
    return {"title": subject.title, "goal": aim.plain, "goals": goals_of(subject), **found}


def check_count(transcript: Transcript, budget: Budget | None) -> None:
    """Refuse a whole roll that would be too much, before it is begun."""
    if transcript.request is not None and not transcript.entries:
        transcript.request.check_count(budget or Budget.default(), "best")


def from_start(
    subject: RollSpec, aim: GoalMeasure, budget: Budget | None, *, lines: bool = False
) -> BestPlay:
    """The worth of a roll not made yet with best play, and the whole policy in short.

    With `lines` also exactly, as far as it fits.
    """
    transcript = subject.start()
    check_count(transcript, budget)
    if isinstance(transcript.step, Choice):
        return in_progress(transcript, aim, "", budget)
    solver = run_solver(transcript.position, aim.goal, None, budget, aim.against, aim.opponents)
    advice: Advice = solver.advice()
    dist = odds(transcript.position, _BestPolicy(solver), budget=budget)
    calls = calls_of(advice, subject.game)
    plan = format_text(format_plan(advice, subject.game))
    found = _worth_without_choice(advice.value, chance=aim.is_chance(dist), why=plan)
    _add_truncation(found, advice)
    found["matters"] = any(line.matters for line in advice.lines)
    found["calls"] = calls
    if lines:
        found["lines"] = [line_plain(line) for line in advice.lines[:MOST_LINES]]
    found["costs"] = costs_in(dist, aim.prices)
    return found


def _add_truncation(found: BestPlay, advice: Advice) -> None:
    """How much a stated bound cut off under best play, where it did."""
    if advice.lost:
        found["lost"] = worth(advice.lost, chance=True)


def _worth_without_choice(value: Fraction, *, chance: bool, why: str) -> BestPlay:
    """Return the worth of a roll while there is nothing to choose."""
    return {
        "value": worth(value, chance=chance),
        "best": None,
        "matters": False,
        "ties": [],
        "options": [],
        "calls": [],
        "why": why,
    }


class _BestPolicy:
    """The policy of a solver that has found best play already."""

    def __init__(self, solver: Solver | BeliefSolver) -> None:
        self._solver = solver

    def solve(self, what: Start, budget: Budget) -> Flow:
        """Return where the roll leads with this play."""
        return self._solver.flow()


class OptionValues(NamedTuple):
    """A choice that is open: what each option is worth, and the odds after it with best play."""

    step: Choice[Outcome]
    advice: Advice
    ranked: list[tuple[int, Fraction]]
    """The place of each option with its worth, the best first."""
    futures: dict[int, Dist[Outcome] | None]
    """The odds after options by their place; None where somebody else's secret decides them."""
    chance: bool
    """Whether worths are chances."""

    @property
    def best_place(self) -> int | None:
        """The place of the option that is better than every other; None where two read alike, or
        are chances that differ by less than a tenth of a percent."""
        (place, value), *others = self.ranked
        return (
            None if not others or any(self._alike(value, other) for _, other in others) else place
        )

    def _alike(self, one: Fraction, other: Fraction) -> bool:
        """Whether nobody would choose between two worths: 99.96 % is not better than 99.9 %."""
        if self.chance and abs(one - other) < HARDLY:
            return True
        return worth(one, chance=self.chance)["said"] == worth(other, chance=self.chance)["said"]

    @property
    def dists(self) -> list[Dist[Outcome]]:
        """The odds that are known."""
        return [dist for dist in self.futures.values() if dist is not None]


def value_options(
    transcript: Transcript, aim: GoalMeasure, seat: str = "", budget: Budget | None = None
) -> OptionValues:
    """Return the advice on the open choice from what a seat can know, by default the chooser."""
    step: Choice[Outcome] = transcript.step
    seat = seat or step.by
    known = _visible_position(transcript, seat)
    solver = run_solver(known, aim.goal, None, budget, aim.against, aim.opponents)
    advice: Advice = solver.advice()
    worths = {one.option: one.value for one in advice.options}
    places = [(place, worths[option]) for place, option in enumerate(step.options)]
    ranked = sorted(places, key=lambda pair: pair[1], reverse=not _is_against(step, aim))
    futures = {
        place: _played_on(solver, place)
        or _future(transcript, step.options[place], aim, seat, budget)
        for place, _ in ranked[:MOST_FUTURES]
    }
    dists = [dist for dist in futures.values() if dist is not None]
    chance = bool(dists) and all(aim.is_chance(dist) for dist in dists)
    return OptionValues(step, advice, ranked, futures, chance)


def _is_against(step: Choice[Outcome], aim: GoalMeasure) -> bool:
    """Check whether the chooser wants as little of the goal as can be."""
    return step.against or step.by in aim.opponents


def _played_on(solver: Solver | BeliefSolver, place: int) -> Dist[Outcome] | None:
    """The odds after an option by the best play that was found already, if nothing is hidden."""
    found = solver.flow_after(place) if isinstance(solver, Solver) else None
    return found.distribution() if found is not None and found.outcomes else None


def _future(
    transcript: Transcript, option: Option, aim: GoalMeasure, seat: str, budget: Budget | None
) -> Dist[Outcome] | None:
    """The odds after an option with best play."""
    after = Transcript(transcript.call, transcript.entries, request=transcript.request)
    try:
        return _best_odds(_visible_position(after.choose(option), seat), aim, budget)
    except TooMuchWork:
        raise
    except RollwrightError:
        return None


def in_progress(
    transcript: Transcript, aim: GoalMeasure, seat: str = "", budget: Budget | None = None
) -> BestPlay:
    """Advice on the choice that is open, from what a seat can know."""
    check_count(transcript, budget)
    if not isinstance(transcript.step, Choice):
        return _nothing_open(transcript, aim, seat, budget)
    found = value_options(transcript, aim, seat, budget)
    step, advice = found.step, found.advice
    telling = telling_fields(found.dists, aim.prices)
    options = [
        _option(
            found, place, value, telling, aim.prices, option_title(transcript, step.options[place])
        )
        for place, value in sorted(found.ranked[:MOST_OPTIONS])
    ]
    for option in options:
        if (puts := puts_to_json(transcript, step.options[option["number"]])) is not None:
            option["puts"] = puts
    told: BestPlay = {
        "by": step.by,
        "value": worth(advice.value, chance=found.chance),
        "best": value_to_json(advice.best),
        "best_said": option_title(transcript, advice.best),
        "matters": advice.matters,
        "ties": [value_to_json(option) for option in advice.ties[:MOST_OPTIONS]],
        "options": options,
        "left_out": len(step.options) - len(options),
        "calls": [],
        "why": _capitalize(
            format_text(why(options, advice.matters, aim.title, against=_is_against(step, aim)))
        ),
    }
    _add_truncation(told, advice)
    return told


def _capitalize(sentence: str) -> str:
    """A sentence with a capital letter; an English one begins with an option as it is typed."""
    if reader_language() == ENGLISH:
        return sentence
    return sentence[:1].upper() + sentence[1:]


def _nothing_open(
    transcript: Transcript, aim: GoalMeasure, seat: str, budget: Budget | None
) -> BestPlay:
    """A roll that has ended, or that waits for dice: nothing is to be chosen now."""
    if transcript.is_done:
        dist = Dist({transcript.outcome: 1})
        ended = in_words("advice.ended")
        chance = aim.is_chance(dist) and _was_chance(transcript, aim, budget)
        return _worth_without_choice(aim.mean(dist), chance=chance, why=ended)
    dist = _best_odds(_visible_position(transcript, seat), aim, budget)
    waits = in_words("advice.waits")
    return _worth_without_choice(aim.mean(dist), chance=aim.is_chance(dist), why=waits)


def _was_chance(transcript: Transcript, aim: GoalMeasure, budget: Budget | None) -> bool:
    """Whether the goal said only yes or no of the roll as it began: one damage is no chance of 1.

    What cannot be counted is judged by how it ended.
    """
    if isinstance(aim.goal(transcript.outcome), bool):
        return True
    try:
        return aim.is_chance(_best_odds(transcript.call, aim, budget))
    except Cancelled:
        raise
    except RollwrightError:
        return True


def _visible_position(transcript: Transcript, seat: str) -> Start:
    """Return the roll's position, as far as a seat can know."""
    if not transcript.position.holds_a_secret:
        return transcript.position
    return transcript.seen_by(seat)


def _best_odds(what: Start, aim: GoalMeasure, budget: Budget | None) -> Dist[Outcome]:
    return odds(what, aim.play, budget=budget)


def telling_fields(dists: Sequence[Dist[Outcome]], prices: Prices) -> list[str]:
    """The fields in which the options differ, what they cost behind the others."""
    if len(dists) < 2:
        return list(fields_in(dists[0]))[:MOST_FIELDS] if dists else []
    names = [
        name
        for name in fields_in(dists[0])
        if len({_key(dist.of(name)) for dist in dists}) > 1
        and any(len(dist.of(name)) > 1 for dist in dists)
    ]
    return sorted(names, key=lambda name: name in prices)[:MOST_FIELDS]


def _key(dist: Dist[Outcome]) -> tuple[tuple[Outcome, Fraction], ...]:
    return tuple((outcome, dist.p(outcome)) for outcome in dist.outcomes)


def _option(
    found: OptionValues, place: int, value: Fraction, telling: list[str], prices: Prices, said: str
) -> OptionAdviceData:
    option, top = found.step.options[place], found.advice.value
    plain: OptionAdviceData = {
        "option": value_to_json(option),
        "number": place,
        "said": said,
        "value": worth(value, chance=found.chance),
        "less": number(abs(top - value)),
        "best": value == top,
        "gains": place == found.best_place,
    }
    dist = found.futures.get(place)
    if dist is not None:
        plain["odds"] = [field_data(name, dist.of(name)) for name in telling]
        plain["costs"] = costs_in(dist, prices)
    return plain


def why(
    options: list[OptionAdviceData], matters: bool, goal: str, *, against: bool = False
) -> Message:
    """Why the best option is best, in one sentence; or that it does not matter."""
    if not options:
        return message("advice.nothing")
    if not matters:
        return message("advice.same", worth=options[0]["value"]["said"], goal=goal)
    best = [option for option in options if option["best"]]
    rest = [option for option in options if not option["best"]]
    if not best:
        return message("advice.hidden")
    second = min(rest, key=lambda option: option["less"]["number"])
    if second["value"]["said"] == best[0]["value"]["said"]:
        both = {"best": best[0]["said"], "second": second["said"]}
        return message("advice.hardly", worth=second["value"]["said"], goal=goal, **both)
    names: Value = any_of(option["said"] for option in best[:4])
    found = message(
        "advice.why.against" if against else "advice.why",
        best=message("advice.equal", names=names) if len(best) > 1 else names,
        worth=best[0]["value"]["said"],
        less=second["value"]["said"],
        second=second["said"],
        goal=goal,
    )
    if prices := _extra_costs(best[0], second):
        return message("advice.priced", why=found, prices=row_of(prices))
    return message("advice.unpriced", why=found)


def _extra_costs(best: OptionAdviceData, second: OptionAdviceData) -> list[str]:
    """Return what the best option costs more than the next one."""
    if "costs" not in best or "costs" not in second:
        return []
    spent = {cost["name"]: cost for cost in best["costs"]}
    saved = {cost["name"]: cost for cost in second["costs"]}
    more = [cost for name, cost in spent.items() if _much(cost) > _much(saved.get(name))]
    return [cost["words"] for cost in more[:3]]


def _much(cost: CostData | None) -> float:
    return 0.0 if cost is None else cost["number"]
