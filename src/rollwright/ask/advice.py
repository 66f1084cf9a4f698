"""Advice as an answer: what every option is worth, where it leads, which is best, and why."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from rollwright.ask.measures import (
    Aim,
    Prices,
    costs_in,
    fraction,
    goals_of,
    number,
    percent,
    shown,
    worth,
)
from rollwright.ask.subjects import Subject, subject_of
from rollwright.budget import Budget
from rollwright.engine.best.advice import Advice, Line, solved
from rollwright.engine.best.solver import Solver
from rollwright.engine.odds.chains import Flow
from rollwright.engine.odds.count import odds
from rollwright.engine.steps import Choice
from rollwright.engine.transcript import Transcript
from rollwright.engine.values import to_plain
from rollwright.errors import BadField, Cancelled, RollwrightError, TooMuchWork
from rollwright.exact import Dist
from rollwright.exact.text import value as stored_value
from rollwright.kit.surfaces import puts_shown
from rollwright.kit.titles import option_title, outcome_said, value_title
from rollwright.kit.words import option_said, situation_said
from rollwright.pictures.charts import Table
from rollwright.pictures.outcomes import fields_in
from rollwright.words.messages import Message, Value, any_of, clauses, row_of
from rollwright.words.messages import said as message
from rollwright.words.reader import ENGLISH, in_words, reader_language, spoken

if TYPE_CHECKING:
    from rollwright.ask.kinds import Advise
    from rollwright.ask.shapes import (
        AdviceAnswer,
        BestPlay,
        CallSaid,
        Cost,
        OptionAdvised,
        PolicyLine,
    )
    from rollwright.dice import Outcome
    from rollwright.engine.best.beliefs import BeliefSolver
    from rollwright.engine.odds.count import Start
    from rollwright.engine.steps import Option
    from rollwright.kit.games import Game

MOST_CALLS = 24
MOST_LINES = 500
"""Lines of a policy that are written out exactly, the likeliest ones."""
MOST_FUTURES = 16
"""Options whose odds are counted one by one; of more only the best ones are."""
MOST_OPTIONS = 200
"""Options that are listed, the best ones; the rest is counted."""
MOST_FIELDS = 6
MOST_PARTS = 3
"""A situation of more parts than this is not spelled out in a sentence."""
HARDLY = Fraction(1, 1000)
"""Chances that are nearer to one another are no reason to choose."""


def advise(question: Advise, budget: Budget) -> AdviceAnswer:
    """The best call, from the start of a roll or from where it stands.

    With `seat`, a roll in progress is judged by what that seat of the rule can know.
    """
    subject = subject_of(question)
    if subject.request is None:
        raise BadField("goal", message("advice.dice"))
    aim = Aim(subject, question.goal or "")
    if isinstance(subject.what, Transcript):
        found = in_progress(subject.what, aim, question.seat or "", budget)
    else:
        found = from_start(subject, aim, budget, lines=True)
    return {"title": subject.title, "goal": aim.plain, "goals": goals_of(subject), **found}


def check_count(transcript: Transcript, budget: Budget | None) -> None:
    """Refuse a whole roll that would be too much, before it is begun."""
    if transcript.request is not None and not transcript.entries:
        transcript.request.check_count(budget or Budget.usual(), "best")


def from_start(
    subject: Subject, aim: Aim, budget: Budget | None, *, lines: bool = False
) -> BestPlay:
    """The worth of a roll not made yet with best play, and the whole policy in short.

    With `lines` also exactly, as far as it fits.
    """
    transcript = subject.started()
    check_count(transcript, budget)
    if isinstance(transcript.step, Choice):
        return in_progress(transcript, aim, "", budget)
    solver = solved(transcript.position, aim.goal, None, budget, aim.against, aim.opponents)
    advice: Advice = solver.advice()
    dist = odds(transcript.position, _Played(solver), budget=budget)
    calls = calls_of(advice, subject.game)
    plan = spoken(_plan(advice, subject.game))
    found = _undecided(advice.value, chance=aim.is_chance(dist), why=plan)
    _tell_bound(found, advice)
    found["matters"] = any(line.matters for line in advice.lines)
    found["calls"] = calls
    if lines:
        found["lines"] = [line_plain(line) for line in advice.lines[:MOST_LINES]]
    found["costs"] = costs_in(dist, aim.prices)
    return found


def _tell_bound(found: BestPlay, advice: Advice) -> None:
    """How much a stated bound cut off under best play, where it did."""
    if advice.lost:
        found["lost"] = worth(advice.lost, chance=True)


def _undecided(value: Fraction, *, chance: bool, why: str) -> BestPlay:
    """What a roll is worth while nothing is to be chosen."""
    return {
        "value": worth(value, chance=chance),
        "best": None,
        "matters": False,
        "ties": [],
        "options": [],
        "calls": [],
        "why": why,
    }


class _Played:
    """The policy of a solver that has found best play already."""

    def __init__(self, solver: Solver | BeliefSolver) -> None:
        self._solver = solver

    def solve(self, what: Start, budget: Budget) -> Flow:
        """Where the roll leads when it is played like this."""
        return self._solver.flow()


def calls_of(advice: Advice, game: Game | None = None) -> list[CallSaid]:
    """The best policy by what each decision turns on, the likeliest first."""
    rows = _found(advice.lines, in_short=True, game=game)
    several = _by_several(rows)
    return [_call_plain(row, several=several) for row in rows[:MOST_CALLS]]


def _by_several(rows: Sequence[Row]) -> bool:
    return len({row.by for row in rows}) > 1


def _call_plain(row: Row, *, several: bool) -> CallSaid:
    found: CallSaid = {
        "chance": percent(row.chance),
        "best_call": row.call_said,
        "situation": row.situation or in_words("advice.always"),
    }
    if several:
        found["who"] = row.by
    return found


def line_plain(line: Line) -> PolicyLine:
    """One line of a policy, exactly."""
    try:
        situation = stored_value(line.situation)
    except RollwrightError:
        situation = situation_said(line.situation)
    return {
        "by": line.by,
        "situation": situation,
        "choose": option_said(line.choose),
        "chance": fraction(line.chance),
        "options": [
            {"option": option_said(one.option), "value": fraction(one.value)} for one in line.worths
        ],
    }


def _plan(advice: Advice, game: Game | None) -> Message:
    """Best play in a sentence, by the likeliest of the decisions that matter."""
    if not advice.lines:
        return message("advice.nothing.roll")
    if not any(line.matters for line in advice.lines):
        return message("advice.same.roll")
    rows = _found(advice.lines, in_short=True, game=game)[:MOST_CALLS]
    telling = [row for row in rows if row.matters]
    calls: list[Value] = [_call(row, several=_by_several(rows)) for row in telling[:3]]
    if len(telling) > 3:
        calls.append(message("advice.rarer", n=len(telling) - 3))
    elif len(telling) < len(rows):
        calls.append(message("advice.otherwise"))
    return message("advice.plan", calls=clauses(calls))


def _call(row: Row, *, several: bool) -> Message:
    id = "advice.call.with"
    if not row.situation:
        id = "advice.call.always"
    elif row.situation.count(",") >= MOST_PARTS:
        id = "advice.call.once"
    call = message(id, call=row.call, situation=row.situation, chance=percent(row.chance))
    return message("advice.call.who", who=row.by, call=call) if several else call


class Weighed(NamedTuple):
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
    def gains(self) -> int | None:
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


def weighed(
    transcript: Transcript, aim: Aim, seat: str = "", budget: Budget | None = None
) -> Weighed:
    """The choice that a roll waits at, from what a seat can know: whoever chooses, if none."""
    step: Choice[Outcome] = transcript.step
    seat = seat or step.by
    known = _known(transcript, seat)
    solver = solved(known, aim.goal, None, budget, aim.against, aim.opponents)
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
    return Weighed(step, advice, ranked, futures, chance)


def _is_against(step: Choice[Outcome], aim: Aim) -> bool:
    """Whether whoever chooses wants of the goal as little as can be."""
    return step.against or step.by in aim.opponents


def _played_on(solver: Solver | BeliefSolver, place: int) -> Dist[Outcome] | None:
    """The odds after an option by the best play that was found already, if nothing is hidden."""
    found = solver.flow_after(place) if isinstance(solver, Solver) else None
    return found.distribution() if found is not None and found.outcomes else None


def _future(
    transcript: Transcript, option: Option, aim: Aim, seat: str, budget: Budget | None
) -> Dist[Outcome] | None:
    """The odds after an option with best play."""
    after = Transcript(transcript.call, transcript.entries, request=transcript.request)
    try:
        return _best_odds(_known(after.choose(option), seat), aim, budget)
    except TooMuchWork:
        raise
    except RollwrightError:
        return None


def in_progress(
    transcript: Transcript, aim: Aim, seat: str = "", budget: Budget | None = None
) -> BestPlay:
    """Advice on the choice that is open, from what a seat can know."""
    check_count(transcript, budget)
    if not isinstance(transcript.step, Choice):
        return _nothing_open(transcript, aim, seat, budget)
    found = weighed(transcript, aim, seat, budget)
    step, advice = found.step, found.advice
    telling = telling_fields(found.dists, aim.prices)
    options = [
        _option(
            found, place, value, telling, aim.prices, option_title(transcript, step.options[place])
        )
        for place, value in sorted(found.ranked[:MOST_OPTIONS])
    ]
    for option in options:
        if (puts := puts_shown(transcript, step.options[option["number"]])) is not None:
            option["puts"] = puts
    told: BestPlay = {
        "by": step.by,
        "value": worth(advice.value, chance=found.chance),
        "best": to_plain(advice.best),
        "best_said": option_title(transcript, advice.best),
        "matters": advice.matters,
        "ties": [to_plain(option) for option in advice.ties[:MOST_OPTIONS]],
        "options": options,
        "left_out": len(step.options) - len(options),
        "calls": [],
        "why": _begun(
            spoken(why(options, advice.matters, aim.title, against=_is_against(step, aim)))
        ),
    }
    _tell_bound(told, advice)
    return told


def _begun(sentence: str) -> str:
    """A sentence with a capital letter; an English one begins with an option as it is typed."""
    if reader_language() == ENGLISH:
        return sentence
    return sentence[:1].upper() + sentence[1:]


def _nothing_open(transcript: Transcript, aim: Aim, seat: str, budget: Budget | None) -> BestPlay:
    """A roll that has ended, or that waits for dice: nothing is to be chosen now."""
    if transcript.is_done:
        dist = Dist({transcript.outcome: 1})
        ended = in_words("advice.ended")
        chance = aim.is_chance(dist) and _was_chance(transcript, aim, budget)
        return _undecided(aim.mean(dist), chance=chance, why=ended)
    dist = _best_odds(_known(transcript, seat), aim, budget)
    waits = in_words("advice.waits")
    return _undecided(aim.mean(dist), chance=aim.is_chance(dist), why=waits)


def _was_chance(transcript: Transcript, aim: Aim, budget: Budget | None) -> bool:
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


def _known(transcript: Transcript, seat: str) -> Start:
    """Where the roll stands, as far as a seat can know."""
    if not transcript.position.holds_a_secret:
        return transcript.position
    return transcript.seen_by(seat)


def _best_odds(what: Start, aim: Aim, budget: Budget | None) -> Dist[Outcome]:
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
    found: Weighed, place: int, value: Fraction, telling: list[str], prices: Prices, said: str
) -> OptionAdvised:
    option, top = found.step.options[place], found.advice.value
    plain: OptionAdvised = {
        "option": to_plain(option),
        "number": place,
        "said": said,
        "value": worth(value, chance=found.chance),
        "less": number(abs(top - value)),
        "best": value == top,
        "gains": place == found.gains,
    }
    dist = found.futures.get(place)
    if dist is not None:
        plain["odds"] = [shown(name, dist.of(name)) for name in telling]
        plain["costs"] = costs_in(dist, prices)
    return plain


def why(
    options: list[OptionAdvised], matters: bool, goal: str, *, against: bool = False
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
        return message("advice.hardly", worth=second["value"]["said"], goal=goal)
    names: Value = any_of(option["said"] for option in best[:4])
    found = message(
        "advice.why.against" if against else "advice.why",
        best=message("advice.equal", names=names) if len(best) > 1 else names,
        worth=best[0]["value"]["said"],
        less=second["value"]["said"],
        second=second["said"],
        goal=goal,
    )
    if prices := _prices_paid(best[0], second):
        return message("advice.priced", why=found, prices=row_of(prices))
    return message("advice.unpriced", why=found)


def _prices_paid(best: OptionAdvised, second: OptionAdvised) -> list[str]:
    """What the best option costs more than the next one."""
    if "costs" not in best or "costs" not in second:
        return []
    spent = {cost["name"]: cost for cost in best["costs"]}
    saved = {cost["name"]: cost for cost in second["costs"]}
    more = [cost for name, cost in spent.items() if _much(cost) > _much(saved.get(name))]
    return [cost["words"] for cost in more[:3]]


def _much(cost: Cost | None) -> float:
    return 0.0 if cost is None else cost["number"]


MOST_TOLD, FEW_ROWS = 3, 12
"""Fields that a decision is told by, and rows that are few."""
HEAD = ("chance", "best_call", "who", "situation")


class Row(NamedTuple):
    """How likely a decision is, the best call, who makes it, and what it turns on."""

    chance: Fraction
    call: str
    by: str
    situation: str
    """In words; empty where the call is always the same."""
    matters: bool

    @property
    def call_said(self) -> str:
        """The call, and whether it matters."""
        return self.call if self.matters else in_words("advice.or_not", call=self.call)

    @property
    def cells(self) -> tuple[str, str, str]:
        """The call, who makes it, and when."""
        return self.call_said, self.by, self.situation or in_words("advice.always")


def policy_table(
    lines: Sequence[Line], *, in_short: bool = False, game: Game | None = None
) -> Table:
    """The decisions, the likeliest first; in short, only by what the best call turns on."""
    found = _found(lines, in_short, game)
    rows = [(percent(row.chance), *row.cells) for row in found]
    head = tuple(in_words(f"column.{id}") for id in HEAD)
    if _by_several(found):
        return Table(head, tuple(rows), left=4)
    return Table((*head[:2], head[3]), tuple((a, b, d) for a, b, _, d in rows), left=3)


def policy_rows(lines: Sequence[Line]) -> Table:
    """The decisions for a spreadsheet: the chance as a decimal number and as the exact fraction."""
    rows = [
        (f"{float(row.chance):.10g}", fraction(row.chance), *row.cells)
        for row in _found(lines, in_short=False)
    ]
    head = ("chance", "exactly", *HEAD[1:])
    return Table(tuple(in_words(f"column.{id}") for id in head), tuple(rows))


def unasked(lines: Sequence[Line]) -> str:
    """That some throws leave no choice, where the chances of the lines do not make up all."""
    total = sum(line.chance for line in lines)
    if total >= 1:
        return ""
    return in_words("advice.unasked", share=percent(total))


def _kinds(lines: Sequence[Line]) -> dict[tuple[str, type], list[Line]]:
    """The decisions by who makes them and by what they turn on."""
    kinds: dict[tuple[str, type], list[Line]] = {}
    for line in lines:
        kinds.setdefault((line.by, type(line.situation)), []).append(line)
    return kinds


def _found(lines: Sequence[Line], in_short: bool, game: Game | None = None) -> list[Row]:
    kinds = _kinds(lines).values()
    found = [row for alike in kinds for row in _decisions(alike, in_short, game)]
    return sorted(found, key=lambda row: -row.chance)


def _decisions(lines: list[Line], in_short: bool, game: Game | None) -> list[Row]:
    """Decisions of one kind by one person; those that read alike are one."""
    names = _differing_fields(lines)
    if in_short and names is not None:
        names = _fields_enough(lines, names)
    grouped: dict[tuple[str, str], tuple[Line, Fraction]] = {}
    calls: dict[str, set[str]] = {}
    for line in lines:
        if line.matters:
            words = _said(line.situation, names, game)
            calls.setdefault(words, set()).add(option_said(line.choose))
    for line in lines:
        words = _said(line.situation, names, game)
        apart = option_said(line.choose) if len(calls.get(words, ())) > 1 else ""
        first, chance = grouped.get((words, apart), (line, Fraction(0)))
        grouped[words, apart] = (line if line.matters else first, chance + line.chance)
    return [
        Row(chance, value_title(game, option_said(line.choose)), line.by, words, line.matters)
        for (words, _), (line, chance) in grouped.items()
    ]


def alike(lines: Sequence[Line], game: Game | None = None) -> str:
    """That some situations read alike and are decided otherwise, where there are such."""
    told = [(row.by, row.situation) for row in _found(lines, in_short=True, game=game)]
    return in_words("advice.alike") if len(set(told)) < len(told) else ""


def _differing_fields(lines: list[Line]) -> list[str] | None:
    """The fields in which the situations differ; None where they have no fields."""
    names = getattr(lines[0].situation, "_fields", None)
    if names is None:
        return None
    return [n for n in names if len({getattr(line.situation, n) for line in lines}) > 1]


def _fields_enough(lines: list[Line], names: list[str]) -> list[str]:
    """As few of the fields as still say what to do, in few rows if that can be."""
    lines = _told_apart(lines, names)
    fewest: list[str] | None = None
    for count in range(min(len(names), MOST_TOLD) + 1):
        for some in map(list, combinations(names, count)):
            if _decide(lines, some):
                if _rows(lines, some) <= FEW_ROWS:
                    return some
                fewest = fewest or some
    return fewest or _without_idle(lines, names)


def _told_apart(lines: list[Line], names: list[str]) -> list[Line]:
    """The lines whose best call all of the fields together tell."""
    calls: dict[tuple[object, ...], set[str]] = {}
    for line in lines:
        calls.setdefault(_values_of(line, names), set()).add(option_said(line.choose))
    return [line for line in lines if len(calls[_values_of(line, names)]) == 1]


def _values_of(line: Line, names: Sequence[str]) -> tuple[object, ...]:
    return tuple(getattr(line.situation, name) for name in names)


def _without_idle(lines: list[Line], names: list[str]) -> list[str]:
    """The fields without those that tell nothing beside the others."""
    for name in reversed(names):
        others = [other for other in names if other != name]
        if _decide(lines, others):
            names = others
    return names


def _rows(lines: list[Line], names: Sequence[str]) -> int:
    return len({_values_of(line, names) for line in lines})


def _decide(lines: list[Line], names: Sequence[str]) -> bool:
    """Whether these fields alone tell the best call of every line."""
    calls: dict[tuple[object, ...], str] = {}
    for line in lines:
        call = option_said(line.choose)
        if calls.setdefault(_values_of(line, names), call) != call:
            return False
    return True


def _said(situation: object, names: list[str] | None, game: Game | None) -> str:
    if names is None:
        return situation_said(situation)
    return ", ".join(
        f"{outcome_said(game, name)} {value_title(game, getattr(situation, name))}"
        for name in names
    )
