"""The four things one does with a rule: roll it, know its odds, get the best call, trust it.

`what` is a rule with its arguments, a request of a game, the same request as a mapping, an
expression such as "4d6kh3+2", dice such as `4 * D6`, a position, or a transcript.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast, overload

from rollwright.dice import Die, Outcome, Pool
from rollwright.engine.endless import EndlessGuard
from rollwright.engine.failures import Brief
from rollwright.engine.position import Position
from rollwright.engine.purity import look_at_roll
from rollwright.engine.sources import SeededSource, Source, TypedSource
from rollwright.engine.steps import Call, Rule, Step
from rollwright.engine.transcript import Chooser, Transcript, play, verify
from rollwright.errors import BadAnswer, Misuse
from rollwright.notation.transcripts import roll_transcript

if TYPE_CHECKING:
    from fractions import Fraction

    from rollwright.budget import Budget
    from rollwright.engine.best import advice
    from rollwright.engine.odds import count
    from rollwright.engine.odds.count import Start
    from rollwright.engine.rerolls import Rerolls
    from rollwright.exact import Dist
    from rollwright.kit.games import Game
    from rollwright.kit.requests import Request

What: TypeAlias = "Start | Transcript | Request | Mapping[str, Any] | str | Die | Pool | Rerolls"
"""A thing that can be rolled and counted."""
T = TypeVar("T")

__all__ = ["advise", "odds", "roll", "verify"]


def roll(
    what: What,
    *,
    faces: Iterable[object] | None = None,
    seed: int | str | None = None,
    source: Source | None = None,
    policy: count.Policy | Chooser | str | None = None,
) -> Transcript:
    """Roll it: with the system's entropy, a seed, or the faces of real dice.

    Stops at a choice unless a policy says how to choose, and at a throw for which no face is left;
    give the transcript back to go on. The text of an expression that was rolled shows its dice.

    >>> print(roll("4d6kh3 + 2", faces=[6, 1, 3, 5]))
    4d6kh3 [6 ~1~ 3 5] + 2 = 16
    """
    if type(what) is str and faces is None and source is None and policy is None:
        return roll_transcript(what) if seed is None else roll_transcript(what, SeededSource(seed))
    if faces is not None and (seed is not None or source is not None):
        raise BadAnswer("faces are either given or rolled, not both")
    if faces is not None and not isinstance(faces, Iterable):
        raise Misuse(f"faces are given in a row, as faces=[{faces!r}]")
    if faces is not None:
        source = TypedSource(faces, waits=True)
    elif seed is not None:
        source = SeededSource(seed)
    with Brief(), EndlessGuard(what):
        outside = look_at_roll(what) if type(what) is Call else None  # before it begins
        transcript = what if isinstance(what, Transcript) else new_transcript(what)
        if type(what) is not Call:
            outside = look_at_roll(transcript.call)
        found = play(transcript, source=source, policy=_policy(policy, transcript.request))
        if outside is not None:
            outside.check()
        return found


@overload
def odds(
    what: Call[T] | Dist[T],
    policy: count.Policy | count.Planner | str | None = None,
    *,
    seat: str = "",
    budget: Budget | None = None,
) -> Dist[T]: ...


@overload
def odds(
    what: What,
    policy: count.Policy | count.Planner | str | None = None,
    *,
    seat: str = "",
    budget: Budget | None = None,
    of: Callable[[Any], Outcome] | None = None,
) -> Dist[Outcome]: ...


def odds(
    what: What | Dist[Outcome],
    policy: count.Policy | count.Planner | str | None = None,
    *,
    seat: str = "",
    budget: Budget | None = None,
    of: Callable[[Any], Outcome] | None = None,
) -> Dist[Outcome]:
    """Know its exact odds, under a policy where there are choices.

    With `seat`, the odds of a roll in progress as that seat can know them. With `of`, the odds of
    what it reads of an outcome: what it does not read is not counted, which may be much less.

    >>> from rollwright.dice import D6
    >>> from rollwright import rules
    >>> from rollwright.rules import rule
    >>> @rule
    ... async def two_dice() -> int:
    ...     total: int = (await rules.roll(2 * D6)).sum
    ...     return total
    >>> odds(two_dice()).p(7)
    Fraction(1, 6)
    >>> odds(2 * D6 >= 10).p(True)
    Fraction(1, 6)
    >>> odds(two_dice(), of=lambda total: total >= 10).p(True)
    Fraction(1, 6)
    """
    from rollwright.engine.best import advice
    from rollwright.engine.odds import count
    from rollwright.exact import Dist

    if isinstance(what, Dist):
        return what if of is None else what.map(of)
    alone = of is None and policy is None and budget is None and type(what) in (Die, Pool)
    if alone and (known := _known_dice.get(what)) is not None:
        return known
    position, request = locate(what)
    if policy is None and request is not None:
        policy = game_of(request).usual_policy(request.roll) or None
    _check_count(what, request, policy if isinstance(policy, str) else "", budget)
    decided = _policy(policy, request)
    if seat or isinstance(decided, advice.best):
        position = _as_seat_knows(what, position, seat)
    with Brief():
        found = count.odds(
            position,
            decided,
            budget=budget,
            check_secrets=_check_secrets,
            of=of,
            total_of=_total_of,
        )
    if alone and len(found) <= MOST_OUTCOMES:
        if len(_known_dice) >= MOST_DICE:
            _known_dice.clear()
        _known_dice[what] = found
    return found


def _total_of(*asked: Any) -> tuple[Fraction, Fraction] | None:
    """The mean and the variance of what a loop adds up; loaded when first asked for."""
    from rollwright.engine.odds.totals import total_of

    return total_of(*asked)


_known_dice: dict[Any, Dist[Outcome]] = {}
"""The odds of dice by themselves, which a rule may ask for on each of its ways."""
MOST_DICE, MOST_OUTCOMES = 50, 200
"""How many of them are kept, and of how many outcomes at most."""


def advise(
    what: What,
    goal: advice.Goal | str | None = None,
    *,
    seat: str = "",
    others: Mapping[str, count.Policy | advice.best | str] | None = None,
    against: str | Collection[str] = (),
    price: Fraction | float = 0,
    budget: Budget | None = None,
) -> advice.Advice:
    """Return the best call for a goal, with the worth of every option.

    By the name they choose under, `others` have policies of their own, or goals of their own with
    `best(goal)`; in a game the name of a policy or of a goal is enough. Those `against` the goal
    play best to give it as little as can be; everybody else plays for it. A game's requests name
    the roller's opponents themselves (`opponents`). Each that a rule spends (`await spend(1)`)
    takes `price` from the goal.

    In a roll in progress the advice goes by what `seat` can know: the one who must choose, if no
    other seat is named.
    """
    from rollwright.engine.best import advice

    position, request = locate(what)
    _check_count(what, request, "best", budget)
    position = _as_seat_knows(what, position, seat)
    if goal is None or isinstance(goal, str):
        if request is None:
            raise Misuse("say what the goal is: a function that gives a number for an outcome")
        goal = game_of(request).goal(goal or "", request)
    opponents = () if request is None else request.opponents
    with Brief():
        return advice.advise(
            position,
            goal,
            others=_others(others, request),
            against=against,
            opponents=opponents,
            price=price,
            budget=budget,
        )


def _others(others: object, request: Request | None) -> Mapping[str, count.Policy | advice.best]:
    """How others decide, with policies and goals of the game by their names."""
    if others is None:
        return {}
    if not isinstance(others, Mapping):
        raise Misuse(
            "others are given by the name they choose under, as "
            f'others={{"referee": rw.best(goal)}}, not as {others!r}'
        )
    return {name: _other(how, request) for name, how in others.items()}


def _other(how: Any, request: Request | None) -> Any:
    """A way to decide; what is none is refused where it would be asked."""
    if request is None:
        return _policy(how, None) if isinstance(how, type) else how
    from rollwright.engine.best import advice

    wanted: object = how.goal if isinstance(how, advice.best) else how
    named = isinstance(wanted, str) and (how is not wanted or wanted in game_of(request).goals)
    return _policy(f"best:{wanted}" if named else how, request)


def _check_count(what: What, request: Request | None, policy: str, budget: Budget | None) -> None:
    """A whole request may be too much to count, though not to roll, nor from where it has come."""
    if request is not None and not (isinstance(what, Transcript) and what.entries):
        from rollwright.budget import Budget

        request.check_count(budget or Budget.default(), policy)


def _check_secrets(call: Call[object], policy: count.Policy) -> None:
    """Refuse a policy that would learn of a throw the chooser has not seen; ours are believed."""
    from rollwright.engine.best.beliefs import check_abouts
    from rollwright.engine.purity import is_ours

    if not is_ours(call.rule):
        check_abouts(call, policy)


def _as_seat_knows(what: What, position: Start, seat: str) -> Start:
    """A roll in progress as a seat knows it; where nothing is hidden from it, the position."""
    if not isinstance(what, Transcript) or not what.position.holds_a_secret:
        return position
    return what.seen_by(seat or getattr(what.step, "by", ""))


def new_transcript(what: What) -> Transcript:
    """A transcript in which nothing has happened yet."""
    position, request = locate(what)
    if not isinstance(position, Call):
        raise Misuse("a position has forgotten how it came about: roll a rule or a transcript")
    return Transcript(position, request=request)


def locate(what: What | Dist[Outcome]) -> tuple[Start, Request | None]:
    """Return the start of counting, and the request behind it if there is one."""
    if isinstance(what, (Call, Position)):
        return what, None
    if isinstance(what, Transcript):
        return what.position, what.request
    if isinstance(what, str):
        from rollwright.notation import as_rule

        return as_rule(what), None
    from rollwright.engine.rerolls import Rerolls

    if isinstance(what, (Die, Pool, Rerolls)):
        from rollwright.rules import thrown

        return Call(thrown, (what,)), None
    if isinstance(what, Step):
        from rollwright.rules import taken

        return Call(taken, (what,)), None
    from rollwright.kit.games import from_plain
    from rollwright.kit.requests import Request

    if isinstance(what, Mapping):
        what = from_plain(what)
    if isinstance(what, Request):
        return what.call(), what
    from rollwright.engine.best.beliefs import InformationSet

    if isinstance(what, InformationSet):
        return what, None
    from rollwright.exact import Dist

    if isinstance(what, Dist):
        raise Misuse(
            "these are odds, which have no dice any more: roll the dice themselves, an expression "
            'such as "2d6+3", or Die(…), a die with a face for each outcome'
        )
    raise _no_roll(what)


def _no_roll(what: object) -> Misuse:
    """The refusal of what is nothing to roll."""
    if isinstance(what, Rule):
        return Misuse(f"{what!r} is a rule without its arguments: call it, as {what.__name__}(…)")
    code: Any = getattr(what, "__code__", None) or getattr(what, "cr_code", None)
    if code is not None and code.co_flags & 0x80:
        name = code.co_name
        return Misuse(
            f"{name} is an async function and no rule yet: write @rule above `async def {name}`, "
            f"and give {name}(…)"
        )
    return Misuse(
        f"{what!r} cannot be rolled or counted: give a rule with its arguments, a request, "
        "an expression, dice, a position or a transcript"
    )


def game_of(request: Request) -> Game:
    """The game a request belongs to."""
    from rollwright.kit.games import find_game

    return find_game(request.game)


def _policy(policy: T | str, request: Request | None) -> T:
    """The policy itself, or the one of that name."""
    if not isinstance(policy, str):
        if isinstance(policy, type):
            raise Misuse(f"{policy.__name__} needs what it is to be best for: rw.best(goal)")
        return policy
    if request is None:
        raise Misuse(
            f"{policy!r} names a policy, but only requests of a game have named policies; for an "
            f"option that is always taken write lambda now: {policy!r}"
        )
    return cast("T", game_of(request).policy(policy, request))
