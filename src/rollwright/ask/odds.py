"""Odds as answers: the distribution, a part of it, the chance of an event, several compared;
and the outputs of a program of AnyDice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from rollwright.ask.measures import (
    Measure,
    costs_in,
    event_of,
    measure_of,
    names_in,
    no_goal,
    number,
    prices_of,
    shown_fields,
)
from rollwright.ask.subjects import Expression, Subject, subject_of
from rollwright.ask.translations import written_so
from rollwright.budget import Budget
from rollwright.errors import BadField, NeedsPolicy, Refusal
from rollwright.exact.text import digits, value
from rollwright.pictures.outcomes import all_numbers, fields_in
from rollwright.words.messages import said
from rollwright.words.reader import in_words, reader_language, spoken

if TYPE_CHECKING:
    from rollwright.anydice import Answer, AnyDiceError, Shown
    from rollwright.ask.kinds import AnyDice, Compare, Compared, Event, Odds
    from rollwright.ask.shapes import (
        AnyDiceAnswer,
        CompareAnswer,
        Duel,
        EventAnswer,
        Heading,
        MeasuredWorth,
        OddsWhole,
        OutputShown,
        PlaceRefused,
        PlayCounted,
        PlaySaid,
        RollCompared,
    )
    from rollwright.dice import Outcome
    from rollwright.engine.odds.count import Situation
    from rollwright.engine.steps import Call, Option
    from rollwright.exact import Comparison, Dist
    from rollwright.kit.games import Game
    from rollwright.kit.requests import Request

MOST_OUTCOMES = 20_000
MOST_KNOWN = 256
MOST_DUELLISTS = 60
"""How many outputs of a program are held against each other; of more there are none."""


def odds(question: Odds, budget: Budget) -> OddsWhole | EventAnswer:
    """The exact odds of a roll under a policy; `of` picks fields, `where` an event."""
    subject = subject_of(question)
    policy, where = question.policy or "", question.where or ""
    if isinstance(subject.what, Expression) and not where:
        _check_outcomes(subject.what.fewest_outcomes())
    dist = subject.odds(policy, budget, question.seat or "")
    names = names_in(tuple(question.of or ()), dist, subject.game)
    if where and not names:
        return chance(subject, policy, dist, where)
    if where:
        dist = where_known(dist, where, subject.game)
    return written(subject, policy, dist.of(*names) if names else dist, names)


def event(question: Event, budget: Budget) -> EventAnswer:
    """The chance of an event, exactly."""
    subject, policy = subject_of(question), question.policy or ""
    dist = subject.odds(policy, budget, question.seat or "")
    return chance(subject, policy, dist, question.where)


def written(
    subject: Subject,
    policy: str,
    dist: Dist[Outcome],
    names: tuple[str, ...] = (),
    *,
    whole: bool = False,
) -> OddsWhole:
    """Odds as an answer: every outcome with its weight; `whole` however many there are."""
    if not whole:
        _check_outcomes(len(dist))
    return {
        **heading(subject, policy),
        "fields": list(names or fields_in(dist)),
        "total": digits(dist.total),
        "outcomes": [
            {"value": value(outcome), "weight": digits(weight)} for outcome, weight in dist.items()
        ],
        "lost": digits(dist.lost),
    }


def _check_outcomes(number: int, field: str = "of") -> None:
    """Refuse an answer that would list too many outcomes."""
    if number > MOST_OUTCOMES:
        raise Refusal("too_large", said("odds.many", n=number, most=MOST_OUTCOMES), field)


def chance(subject: Subject, policy: str, dist: Dist[Outcome], where: str) -> EventAnswer:
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


def heading(subject: Subject, policy: str) -> Heading:
    """Return what was counted, and with which policy."""
    return {
        "title": subject.title,
        "policy": policy_said(subject, policy),
        **written_so(subject),
    }


def policy_said(subject: Subject, policy: str) -> str:
    """The policy that was counted with."""
    if policy or subject.game is None or subject.request is None:
        return policy
    return subject.game.usual_policy(subject.request.roll)


def where_known(dist: Dist[Outcome], where: str, game: Game | None = None) -> Dist[Outcome]:
    """The odds where it is known that the event came about."""
    test = event_of(where, dist, game)
    if not dist.weight(test):
        raise BadField("where", said("odds.never", event=repr(where[:80])))
    return dist.where(test)


def compare(question: Compare, budget: Budget) -> CompareAnswer:
    """Several rolls side by side: each one's odds, and how it does against the others."""
    rolls = [_counted(roll, place, question, budget) for place, roll in enumerate(question.rolls)]
    names = [roll.name for roll in rolls]
    if len(set(names)) < len(names):
        rolls = [
            roll._replace(name=f"{roll.name} ({number})")
            for number, roll in enumerate(rolls, start=1)
        ]
    return compared(rolls, tuple(question.of or ()), question.where or "", question.goal or "")


class Counted(NamedTuple):
    """One of several rolls, counted."""

    name: str
    subject: Subject
    policy: str
    dist: Dist[Outcome]


def _counted(roll: Compared, place: int, question: Compare, budget: Budget) -> Counted:
    try:
        subject = subject_of(roll)
    except BadField as problem:
        raise problem.inside(f"rolls[{place}]") from None
    policy = roll.policy or question.policy or ""
    return Counted(roll.name or subject.title, subject, policy, subject.odds(policy, budget))


def compared(
    rolls: list[Counted], of: tuple[str, ...] = (), where: str = "", goal: str = ""
) -> CompareAnswer:
    """Rolls that were counted, as the answer to a comparison."""
    if goal and not any(roll.subject.request for roll in rolls):
        raise no_goal()
    check_fields(rolls, of)
    shown: list[RollCompared] = [
        {
            "name": roll.name,
            **heading(roll.subject, roll.policy),
            "chance": _success(roll, where, goal),
            "fields": shown_fields(roll.dist, _names_in(of, roll)),
        }
        for roll in rolls
    ]
    parts = {roll.name: part_of(roll, of) for roll in rolls}
    return {
        "rolls": shown,
        "duels": duels_said(parts),
    }


def duels_said(dists: Mapping[str, Dist[Outcome]]) -> list[Duel]:
    """How each does against each that comes after it, as data."""
    return [_duel(one, other, found) for one, other, found in duels(dists)]


def check_fields(rolls: list[Counted], of: tuple[str, ...]) -> None:
    """Refuse fields where none of the rolls has any."""
    if not any(fields_in(roll.dist) for roll in rolls):
        names_in(of, rolls[0].dist)


def part_of(roll: Counted, of: tuple[str, ...]) -> Dist[Outcome]:
    """Some fields of a roll; beside the rolls of a game, dice are what they show."""
    names = _names_in(of, roll)
    return roll.dist.of(*names) if names else roll.dist


def _names_in(of: tuple[str, ...], roll: Counted) -> tuple[str, ...]:
    return names_in(of, roll.dist, roll.subject.game) if fields_in(roll.dist) else ()


def _duel(first: str, second: str, found: Comparison) -> Duel:
    return {
        "first": first,
        "second": second,
        "less": number(found.less),
        "equal": number(found.equal),
        "greater": number(found.greater),
    }


def _success(roll: Counted, where: str, goal: str) -> MeasuredWorth | None:
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


class Known(NamedTuple):
    """Odds that were counted, and whether somebody chooses in them."""

    dist: Dist[Outcome]
    chooses: bool = False


_known_odds: dict[_Key, Known] = {}


def known_odds(subject: Subject, policy: str, budget: Budget | None) -> Known:
    """The odds of a roll, remembered: a slider comes back to where it was."""
    if subject.request is None:
        return Known(subject.odds(policy, budget))
    name = policy_said(subject, policy)
    key = _Key(subject.request.call(), name, subject.request.game)
    found = _known_odds.pop(key, None)
    if found is None:
        found = _watched(subject, subject.request, name, budget)
    _known_odds[key] = found
    while len(_known_odds) > MOST_KNOWN:
        del _known_odds[next(iter(_known_odds))]
    return found


def _watched(subject: Subject, request: Request, policy: str, budget: Budget | None) -> Known:
    """Odds under a policy, watched for whether it had to decide anything."""
    from rollwright.api import odds as counted
    from rollwright.engine.odds.count import odds as count_odds

    request.check_count(budget or Budget.usual(), policy)
    decide = subject.policy(policy)
    if not callable(decide):  # best play looks at the whole; without choices it is not needed
        try:
            return Known(count_odds(request.call(), budget=budget))
        except NeedsPolicy:
            return Known(subject.odds(policy, budget), chooses=True)
    asked = False

    def watched(situation: Situation) -> Option:
        nonlocal asked
        asked = True
        return decide(situation)

    return Known(counted(request, watched, budget=budget), asked)


def play_said(request: Request, policy: str) -> PlaySaid:
    """The way to decide under which a number holds."""
    from rollwright.kit.card.pages import policy_word
    from rollwright.kit.card.texts import say
    from rollwright.kit.games import find_game

    game = find_game(request.game)
    name = policy or game.usual_policy(request.roll)
    label = policy_word(game, request.roll, name)
    return {"policy": name, "label": say(label, game.name, reader_language())}


def plays(subject: Subject, policy: str, measure: Measure, budget: Budget) -> list[PlayCounted]:
    """Return a roll's worth under each way to decide that its card names, without best play."""
    game, request = subject.game, subject.request
    if game is None or request is None or not known_odds(subject, policy, budget).chooses:
        return []
    found: list[PlayCounted] = []
    for name in dict.fromkeys(game.card.roll(request.roll).policies):
        if name != "best":
            dist = known_odds(subject, name, budget).dist
            play, worth = play_said(request, name), measure.worth_of(dist)
            said = play_words(game, request.roll, play, worth["said"])
            costs = costs_in(dist, prices_of(subject))
            found.append({**play, "chance": worth, "costs": costs, "said": said})
    return found


def play_words(game: Game, roll: str, play: PlaySaid, chance: str) -> str:
    """A chance with when it holds: "play.ROLL.NAME" or "play.NAME" of the game, else its label."""
    from rollwright.kit.card.texts import say

    ids = (f"play.{roll}.{play['policy']}", f"play.{play['policy']}")
    own = next((id for id in ids if id in game.words), "")
    if own:
        return say(game.words.said(own, chance=chance), game.name, reader_language())
    return in_words("play", chance=chance, play=play["label"])


def anydice(question: AnyDice, budget: Budget) -> AnyDiceAnswer:
    """The outputs of a program of AnyDice, exactly; and the program in Python with our words."""
    from rollwright.anydice import run

    return anydice_said(question.text, run(question.text, budget))


def anydice_said(text: str, found: Answer) -> AnyDiceAnswer:
    """Return the results of an AnyDice program, and the program in Python."""
    from rollwright.anydice import translated

    _check_outcomes(sum(max(len(one.odds or ()), 1) for one in found.outputs), "text")
    python = translated(text, found)
    named = named_odds(found.outputs)
    return {
        "outputs": [_output_shown(one) for one in found.outputs],
        "duels": duels_said(named) if len(named) <= MOST_DUELLISTS else [],
        "warnings": [spoken(one) for one in found.warnings],
        "python": python.text,
        "refused": [_place_refused(one) for one in python.refused],
    }


def named_odds(outputs: tuple[Shown, ...]) -> dict[str, Dist[int]]:
    """The odds of outputs that have outcomes, by names that differ."""
    made: dict[str, Dist[int]] = {}
    for place, one in enumerate(outputs, start=1):
        if one.odds is not None:
            name = one.name
            while name in made:
                name += f" ({place})"
            made[name] = one.odds
    return made


def _output_shown(one: Shown) -> OutputShown:
    odds = one.odds
    if odds is None:
        return {"name": one.name, "total": "0", "lost": "0", "outcomes": [], "fields": []}
    return {
        "name": one.name,
        "total": digits(odds.total),
        "lost": digits(odds.lost),
        "outcomes": [{"value": value(o), "weight": digits(weight)} for o, weight in odds.items()],
        "fields": shown_fields(odds, ()),
    }


def _place_refused(one: AnyDiceError) -> PlaceRefused:
    start, end = one.span
    return {
        "code": one.code.removeprefix("python."),
        "line": one.line,
        "column": one.column,
        "start": start,
        "end": end,
        "said": spoken(one.problem),
    }
