"""Odds as answers: the distribution, a part of it, the chance of an event, several compared;
and the outputs of a program of AnyDice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from rollwright.budget import Budget
from rollwright.errors import BadField, CodedError, NeedsPolicy
from rollwright.exact.text import digits, outcome_to_json
from rollwright.i18n.locale import format_text, in_words, reader_language
from rollwright.i18n.messages import msg
from rollwright.pictures.outcomes import all_numbers, fields_in
from rollwright.queries.measures import (
    Measure,
    costs_in,
    event_of,
    measure_of,
    names_in,
    no_goal,
    number,
    prices_of,
    visible_fields,
)
from rollwright.queries.roll_specs import ExpressionSpec, RollSpec, spec_of
from rollwright.queries.translations import written_so

if TYPE_CHECKING:
    from rollwright.anydice import AnyDiceError, OutputOdds, ProgramResult
    from rollwright.dice import Outcome
    from rollwright.engine.odds.count import Situation
    from rollwright.engine.steps import Call, Option
    from rollwright.exact import Comparison, Dist
    from rollwright.kit.games import Game
    from rollwright.kit.requests import Request
    from rollwright.queries.kinds import (
        AnyDiceQuery,
        ComparedRollQuery,
        CompareQuery,
        ConditionQuery,
        OddsQuery,
    )
    from rollwright.queries.schemas import (
        AnyDiceAnswer,
        AnyDiceOutput,
        AnyDiceProblem,
        CompareAnswer,
        ComparedRollData,
        ConditionAnswer,
        Duel,
        Heading,
        MeasureWorth,
        PolicyData,
        PolicyWorth,
        WholeOddsAnswer,
    )

MOST_OUTCOMES = 20_000
MOST_KNOWN = 256
MOST_DUELLISTS = 60
"""How many outputs of a program are held against each other; of more there are none."""


def odds(question: OddsQuery, budget: Budget) -> WholeOddsAnswer | ConditionAnswer:
    """The exact odds of a roll under a policy; `of` picks fields, `where` an event."""
    subject = spec_of(question)
    policy, where = question.policy or "", question.where or ""
    if isinstance(subject.what, ExpressionSpec) and not where:
        _check_outcomes(subject.what.fewest_outcomes())
    dist = subject.odds(policy, budget, question.seat or "")
    names = names_in(tuple(question.of or ()), dist, subject.game)
    if where and not names:
        return chance(subject, policy, dist, where)
    if where:
        dist = condition_odds(dist, where, subject.game)
    return odds_answer(subject, policy, dist.of(*names) if names else dist, names)


def event(question: ConditionQuery, budget: Budget) -> ConditionAnswer:
    """The chance of an event, exactly."""
    subject, policy = spec_of(question), question.policy or ""
    dist = subject.odds(policy, budget, question.seat or "")
    return chance(subject, policy, dist, question.where)


def odds_answer(
    subject: RollSpec,
    policy: str,
    dist: Dist[Outcome],
    names: tuple[str, ...] = (),
    *,
    whole: bool = False,
) -> WholeOddsAnswer:
    """Odds as an answer: every outcome with its weight; `whole` however many there are."""
    if not whole:
        _check_outcomes(len(dist))
    return {
        **heading(subject, policy),
        "fields": list(names or fields_in(dist)),
        "total": digits(dist.total),
        "outcomes": [
            {"value": outcome_to_json(outcome), "weight": digits(weight)}
            for outcome, weight in dist.items()
        ],
        "lost": digits(dist.lost),
    }


def _check_outcomes(number: int, field: str = "of") -> None:
    """Refuse an answer that would list too many outcomes."""
    if number > MOST_OUTCOMES:
        raise CodedError("too_large", msg("odds.many", n=number, most=MOST_OUTCOMES), field)


def chance(subject: RollSpec, policy: str, dist: Dist[Outcome], where: str) -> ConditionAnswer:
    """The chance of an event as an answer."""
    test = event_of(where, dist, subject.game)
    found = number(dist.p(test))
    return {
        **heading(subject, policy),
        "where": where,
        "chance": found["exact"],
        "number": found["number"],
        "weight": digits(dist.weight(test)),
        "total": digits(dist.total),
        "lost": digits(dist.lost),
    }


def heading(subject: RollSpec, policy: str) -> Heading:
    """Return what was counted, and with which policy."""
    return {
        "title": subject.title,
        "policy": format_policy(subject, policy),
        **written_so(subject),
    }


def format_policy(subject: RollSpec, policy: str) -> str:
    """The policy that was counted with."""
    if policy or subject.game is None or subject.request is None:
        return policy
    return subject.game.usual_policy(subject.request.roll)


def condition_odds(dist: Dist[Outcome], where: str, game: Game | None = None) -> Dist[Outcome]:
    """The odds where it is known that the event came about."""
    test = event_of(where, dist, game)
    if not dist.weight(test):
        raise BadField("where", msg("odds.never", event=repr(where[:80])))
    return dist.where(test)


def compare(question: CompareQuery, budget: Budget) -> CompareAnswer:
    """Several rolls side by side: each one's odds, and how it does against the others."""
    rolls = [
        _count_roll(roll, place, question, budget) for place, roll in enumerate(question.rolls)
    ]
    names = [roll.name for roll in rolls]
    if len(set(names)) < len(names):
        rolls = [
            roll._replace(name=f"{roll.name} ({number})")
            for number, roll in enumerate(rolls, start=1)
        ]
    return comparison_answer(
        rolls, tuple(question.of or ()), question.where or "", question.goal or ""
    )


class ComparedRoll(NamedTuple):
    """One of several rolls, counted."""

    name: str
    subject: RollSpec
    policy: str
    dist: Dist[Outcome]


def _count_roll(
    roll: ComparedRollQuery, place: int, question: CompareQuery, budget: Budget
) -> ComparedRoll:
    try:
        subject = spec_of(roll)
    except BadField as problem:
        raise problem.inside(f"rolls[{place}]") from None
    policy = roll.policy or question.policy or ""
    return ComparedRoll(roll.name or subject.title, subject, policy, subject.odds(policy, budget))


def comparison_answer(
    rolls: list[ComparedRoll], of: tuple[str, ...] = (), where: str = "", goal: str = ""
) -> CompareAnswer:
    """Rolls that were counted, as the answer to a comparison."""
    if goal and not any(roll.subject.request for roll in rolls):
        raise no_goal()
    check_fields(rolls, of)
    shown: list[ComparedRollData] = [
        {
            "name": roll.name,
            **heading(roll.subject, roll.policy),
            "chance": _success(roll, where, goal),
            "fields": visible_fields(roll.dist, _names_in(of, roll)),
        }
        for roll in rolls
    ]
    parts = {roll.name: part_of(roll, of) for roll in rolls}
    return {
        "rolls": shown,
        "duels": duel_data(parts),
    }


def duel_data(dists: Mapping[str, Dist[Outcome]]) -> list[Duel]:
    """How each does against each that comes after it, as data."""
    return [_duel(one, other, found) for one, other, found in duels(dists)]


def check_fields(rolls: list[ComparedRoll], of: tuple[str, ...]) -> None:
    """Refuse fields where none of the rolls has any."""
    if not any(fields_in(roll.dist) for roll in rolls):
        names_in(of, rolls[0].dist)


def part_of(roll: ComparedRoll, of: tuple[str, ...]) -> Dist[Outcome]:
    """Some fields of a roll; beside the rolls of a game, dice are what they show."""
    names = _names_in(of, roll)
    return roll.dist.of(*names) if names else roll.dist


def _names_in(of: tuple[str, ...], roll: ComparedRoll) -> tuple[str, ...]:
    return names_in(of, roll.dist, roll.subject.game) if fields_in(roll.dist) else ()


def _duel(first: str, second: str, found: Comparison) -> Duel:
    return {
        "first": first,
        "second": second,
        "less": number(found.less),
        "equal": number(found.equal),
        "greater": number(found.greater),
    }


def _success(roll: ComparedRoll, where: str, goal: str) -> MeasureWorth | None:
    """The chance of the event asked about, or of what the game calls a success."""
    if not where and roll.subject.request is None:
        return None  # beside rolls of a game, dice have no success
    measure = measure_of(roll.subject, where=where, goal=goal)
    found = measure.worth_of(roll.dist)
    measure.check()
    return found


def duels(dists: Mapping[str, Dist[Outcome]]) -> list[tuple[str, str, Comparison]]:
    """How each does against each that comes after it, where all are numbers."""
    if not all(all_numbers(dist.outcomes) for dist in dists.values()):
        return []
    names = list(dists)
    return [
        (one, other, dists[one].compare(dists[other]))
        for place, one in enumerate(names)
        for other in names[place + 1 :]
    ]


class _Key(NamedTuple):
    what: Call[Outcome]
    policy: str
    game: str


class PolicyOdds(NamedTuple):
    """Odds that were counted, and whether somebody chooses in them."""

    dist: Dist[Outcome]
    chooses: bool = False


_known_odds: dict[_Key, PolicyOdds] = {}


def known_odds(subject: RollSpec, policy: str, budget: Budget | None) -> PolicyOdds:
    """The odds of a roll, remembered: a slider comes back to where it was."""
    if subject.request is None:
        return PolicyOdds(subject.odds(policy, budget))
    name = format_policy(subject, policy)
    key = _Key(subject.request.call(), name, subject.request.game)
    found = _known_odds.pop(key, None)
    if found is None:
        found = _odds_under_policy(subject, subject.request, name, budget)
    _known_odds[key] = found
    while len(_known_odds) > MOST_KNOWN:
        del _known_odds[next(iter(_known_odds))]
    return found


def _odds_under_policy(
    subject: RollSpec, request: Request, policy: str, budget: Budget | None
) -> PolicyOdds:
    """Odds under a policy, watched for whether it had to decide anything."""
    from rollwright.api import odds as counted
    from rollwright.engine.odds.count import odds as count_odds

    request.check_count(budget or Budget.default(), policy)
    decide = subject.policy(policy)
    if not callable(decide):  # best play looks at the whole; without choices it is not needed
        try:
            return PolicyOdds(count_odds(request.call(), budget=budget))
        except NeedsPolicy:
            return PolicyOdds(subject.odds(policy, budget), chooses=True)
    asked = False

    def watch(situation: Situation) -> Option:
        nonlocal asked
        asked = True
        return decide(situation)

    return PolicyOdds(counted(request, watch, budget=budget), asked)


def policy_data(request: Request, policy: str) -> PolicyData:
    """The way to decide under which a number holds."""
    from rollwright.kit.card.pages import policy_word
    from rollwright.kit.card.texts import say
    from rollwright.kit.games import find_game

    game = find_game(request.game)
    name = policy or game.usual_policy(request.roll)
    label = policy_word(game, request.roll, name)
    return {"policy": name, "label": say(label, game.name, reader_language())}


def plays(subject: RollSpec, policy: str, measure: Measure, budget: Budget) -> list[PolicyWorth]:
    """Return a roll's worth under each way to decide that its card names, without best play."""
    game, request = subject.game, subject.request
    if game is None or request is None or not known_odds(subject, policy, budget).chooses:
        return []
    found: list[PolicyWorth] = []
    for name in dict.fromkeys(game.card.roll(request.roll).policies):
        if name != "best":
            dist = known_odds(subject, name, budget).dist
            play, worth = policy_data(request, name), measure.worth_of(dist)
            said = play_words(game, request.roll, play, worth["said"])
            costs = costs_in(dist, prices_of(subject))
            found.append({**play, "chance": worth, "costs": costs, "said": said})
    return found


def play_words(game: Game, roll: str, play: PolicyData, chance: str) -> str:
    """A chance with when it holds: "play.ROLL.NAME" or "play.NAME" of the game, else its label."""
    from rollwright.kit.card.texts import say

    ids = (f"play.{roll}.{play['policy']}", f"play.{play['policy']}")
    own = next((id for id in ids if id in game.words), "")
    if own:
        return say(game.words.msg(own, chance=chance), game.name, reader_language())
    return in_words("play", chance=chance, play=play["label"])


def anydice(question: AnyDiceQuery, budget: Budget) -> AnyDiceAnswer:
    """The outputs of a program of AnyDice, exactly; and the program in Python with our words."""
    from rollwright.anydice import run

    return anydice_answer(question.text, run(question.text, budget))


def anydice_answer(text: str, found: ProgramResult) -> AnyDiceAnswer:
    """Return the results of an AnyDice program, and the program in Python."""
    from rollwright.anydice import translate

    _check_outcomes(sum(max(len(one.odds or ()), 1) for one in found.outputs), "text")
    python = translate(text, found)
    named = named_odds(found.outputs)
    return {
        "outputs": [_output_data(one) for one in found.outputs],
        "duels": duel_data(named) if len(named) <= MOST_DUELLISTS else [],
        "warnings": [format_text(one) for one in found.warnings],
        "python": python.text,
        "refused": [_error_data(one) for one in python.refused],
    }


def named_odds(outputs: tuple[OutputOdds, ...]) -> dict[str, Dist[int]]:
    """The odds of outputs that have outcomes, by names that differ."""
    made: dict[str, Dist[int]] = {}
    for place, one in enumerate(outputs, start=1):
        if one.odds is not None:
            name = one.name
            while name in made:
                name += f" ({place})"
            made[name] = one.odds
    return made


def _output_data(one: OutputOdds) -> AnyDiceOutput:
    odds = one.odds
    if odds is None:
        return {"name": one.name, "total": "0", "lost": "0", "outcomes": [], "fields": []}
    return {
        "name": one.name,
        "total": digits(odds.total),
        "lost": digits(odds.lost),
        "outcomes": [
            {"value": outcome_to_json(o), "weight": digits(weight)} for o, weight in odds.items()
        ],
        "fields": visible_fields(odds, ()),
    }


def _error_data(one: AnyDiceError) -> AnyDiceProblem:
    start, end = one.span
    return {
        "code": one.code.removeprefix("python."),
        "line": one.line,
        "column": one.column,
        "start": start,
        "end": end,
        "said": format_text(one.problem),
    }
