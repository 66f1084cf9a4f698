"""The questions players and GMs ask, answered exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product
from typing import Annotated, NamedTuple

from rollwright import api
from rollwright.errors import BadField
from rollwright.exact import Dist
from rollwright.i18n.catalogs import words_of
from rollwright.kit import refuse_if
from rollwright.kit.fields import range_of
from rollwright.kit.questions import Chance, Gain, Number, Unit, Verdict, chance, question

from .house import House
from .outcomes import GRADES, NAMES, Check, Grade, Level, level_at, number_of, step_of, top_step
from .requests import HIGH, LOW, Roll, Session
from .rules import Moment, best_use, luck_uses, value

msg = words_of(__package__ or __name__).msg
HIGHEST_RESULT = 200


class Chances(NamedTuple):
    """The chances of the four outcomes, and of a Success or better."""

    cool_success: Chance
    success: Chance
    fade: Chance
    glitch: Chance

    @property
    def succeeds(self) -> Fraction:
        return self.cool_success + self.success


@question
def outcome_odds(roll: Roll, policy: str = "never") -> Chances:
    """The chances of the four outcomes of a roll.

    >>> outcome_odds(Roll(ability=3, skill=(2,), dl="Hard")).fade
    Fraction(51, 100)
    """
    odds = api.odds(roll, policy).of("outcome")
    return Chances(*(odds.p(grade) for grade in reversed(GRADES)))


@question
def outcome_table(
    bonuses: Iterable[int] = range(0, 11),
    dls: Iterable[int | str] = NAMES[1:],
    house: House | None = None,
) -> dict[tuple[int, int | str], Chances]:
    """The chances of the four outcomes for each bonus and Difficulty Level, without Luck.

    >>> str(outcome_table([5], ["Hard"])[5, "Hard"].succeeds)
    '21/100'
    """
    plain = Roll(ability=0, dl="Easy", luck_points=0, house=house or House())
    ways = product(bonuses, dls)
    return {(bonus, dl): outcome_odds(plain.but(ability=bonus, dl=dl)) for bonus, dl in ways}


class Nearness(NamedTuple):
    """How near a result lies to the levels beside it."""

    level: Level
    short_of_next: int | None
    """How many points are missing to the next level; None at the top of the ladder."""
    above_previous: int | None
    """How many points fewer would fall to the level below; None below Easy."""


class NearOutcome(NamedTuple):
    """An outcome, and how near its result lies to the levels beside it."""

    outcome: Grade
    level: Level
    short_of_next: int | None
    """How many points are missing to the next level; None at the top of the ladder."""
    above_previous: int | None
    """How many points fewer would fall to the level below; None below Easy."""


@question
def how_near(roll: Roll, result: int) -> Nearness:
    """How near a result is to the next level up and to the one below.

    >>> how_near(Roll(ability=3, dl="Hard"), 17)
    Nearness(level='Moderate', short_of_next=3, above_previous=4)
    """
    absurd = type(result) is not int or abs(result) > HIGHEST_RESULT
    would_do = msg("fits.result", most=HIGHEST_RESULT)
    refuse_if(absurd, "result", msg("refusal.result"), "GHOST R8", would_do)
    step = step_of(result, roll.house)
    return Nearness(
        level_at(step, roll.house),
        None if step == top_step(roll.house) else number_of(step + 1) - result,
        None if step == 0 else result - number_of(step) + 1,
    )


@question
def nearness_odds(roll: Roll) -> Dist[NearOutcome]:
    """The odds of each outcome with how near it is to the levels beside it, before Luck.

    >>> near = nearness_odds(Roll(ability=3, skill=(2,), dl="Hard"))
    >>> near.of("outcome", "short_of_next").p(("Fade", 1))
    Fraction(7, 100)
    """

    def near(end: Check) -> NearOutcome:
        return NearOutcome(end.outcome, *how_near(roll, end.result))

    return api.odds(roll.but(luck_points=0)).map(near)


def _two_faces(faces: Iterable[int]) -> tuple[int, int]:
    shown = tuple(faces) if isinstance(faces, list | tuple) else ()
    if len(shown) != 2 or not all(type(face) is int and 1 <= face <= 10 for face in shown):
        problem, would_do = msg("refusal.faces"), msg("fits.faces")
        raise BadField("faces", problem, rule="GHOST R4", would_do=would_do)
    return shown


class LuckNow(NamedTuple):
    """Advice whether to spend Luck on the current roll."""

    best: str
    """keep, bonus or avoid-glitch; keep where it does not matter."""
    matters: bool
    gain_now: Fraction
    gain_later: Fraction
    """The worth that this Luck Point adds to the later rolls when it is kept for them."""
    options: tuple[tuple[str, Fraction], ...]
    """The worth of this roll and all the later ones together, by each legal use."""

    @property
    def verdict(self) -> Verdict:
        """The advice about the Luck Point."""
        return Verdict(dict(self.options), "in all")


@question
def spend_luck_now(session: Session, faces: tuple[int, int]) -> LuckNow:
    """Weigh Luck on the first roll of a session, given its faces, against Luck kept for the rest.

    >>> bouncer = {"ability": 3, "skill": (2,), "dl": "Hard", "favored": True}
    >>> spend_luck_now(Session(rolls=[bouncer] * 2), (3, 9)).best
    'bonus'
    >>> spend_luck_now(Session(rolls=[bouncer] * 2, stakes=(1, 3)), (3, 9)).best
    'keep'
    """
    faces = _two_faces(faces)
    advice = api.advise(api.roll(session, faces=faces), "value")
    if advice.here is None:
        raise BadField("luck_points", msg("refusal.no_luck"), rule="GHOST R13", would_do="1")
    options = tuple((worth.option, worth.value) for worth in advice.here.worths)
    task, worths = session.stages[0]
    ends = luck_uses(sum(faces), task).values()
    now = [Fraction(worths[end.outcome.rank]) for end in ends]
    gain_now = max(now) - now[0]
    rest = dict(options)["keep"] - now[0]
    spent = max(total - worth for (_, total), worth in zip(options[1:], now[1:], strict=True))
    return LuckNow(advice.best, advice.matters, gain_now, rest - spent, options)


class LuckUses(NamedTuple):
    """The results of a Luck Point."""

    keep: Grade
    bonus: Grade
    avoid_glitch: Grade | None
    """None where there is no Glitch to avoid."""
    better: str
    """The use with the best outcome; keep where none betters it."""


@question
def bonus_or_avoid(roll: Roll, faces: tuple[int, int]) -> LuckUses:
    """Compare the two uses of Luck on faces already rolled.

    From a Glitch a Luck Bonus never does better than avoiding it: levels are six points wide.

    >>> bonus_or_avoid(Roll(ability=3, dl="Hard"), (4, 6))
    LuckUses(keep='Glitch', bonus='Fade', avoid_glitch='Fade', better='avoid-glitch')
    """
    uses = luck_uses(sum(_two_faces(faces)), roll.task)
    avoided = uses.get("avoid-glitch")
    keep, bonus = uses["keep"].outcome, uses["bonus"].outcome
    better = best_use(Moment(keep, bonus, 1))
    return LuckUses(keep, bonus, avoided.outcome if avoided else None, better)


class Ranking(NamedTuple):
    """One way to make the roll, with its odds."""

    name: str
    chances: Chances


@question
def best_choice(ways: Mapping[str, Roll], policy: str = "never") -> tuple[Ranking, ...]:
    """Which ability, gear or trick gives the best odds, best first.

    Ways are ranked by the chance of a Success or better, then by the lower chance of a Glitch.

    >>> ways = {"talk": Roll(ability=3, dl="Hard"), "push": Roll(ability=1, dl="Moderate")}
    >>> [way.name for way in best_choice(ways)]
    ['push', 'talk']
    """
    found = [Ranking(name, outcome_odds(roll, policy)) for name, roll in ways.items()]
    return tuple(sorted(found, key=lambda way: (-way.chances.succeeds, way.chances.glitch)))


class PointWorth(NamedTuple):
    """The effect of one more point of bonus."""

    succeeds: Gain
    """By how much the chance of a Success or better grows."""
    cool_success: Gain
    glitch: Gain
    """By how much the chance of a Glitch changes; less is better."""
    value: Annotated[Fraction, Unit("steps")]
    """By how much the outcome rises on average, in steps."""


@question
def point_worth(roll: Roll, points: int = 1, policy: str = "never") -> PointWorth:
    """Compare the roll with and without more points of bonus.

    >>> point_worth(Roll(ability=5, dl="Hard")).succeeds
    Fraction(7, 100)
    """
    beyond = type(points) is not int or not LOW <= roll.ability + points <= HIGH
    problem = msg("refusal.score", n=roll.ability)
    would_do = range_of(LOW - roll.ability, HIGH - roll.ability)
    refuse_if(beyond, "points", problem, "GHOST R5", would_do)
    more = roll.but(ability=roll.ability + points)
    before, after = outcome_odds(roll, policy), outcome_odds(more, policy)
    now, then = (api.odds(asked, policy).map(value).mean for asked in (roll, more))
    return PointWorth(
        after.succeeds - before.succeeds,
        after.cool_success - before.cool_success,
        after.glitch - before.glitch,
        then - now,
    )


class FairLevel(NamedTuple):
    """Which Difficulty Level is a fair challenge."""

    fairest: str
    """The level whose chance of a Success or better lies nearest to the one wanted."""
    levels: dict[str, Chances]


@question
def fair_level(
    bonus: int, wanted: Number = Fraction(1, 2), house: House | None = None
) -> FairLevel:
    """The Difficulty Level that fits a bonus, with the chances on every level.

    >>> fair_level(5).fairest
    'Moderate'
    """
    table = outcome_table([bonus], house=house)
    levels = {str(dl): chances for (_, dl), chances in table.items()}
    target = chance("wanted", wanted)
    fairest = min(levels, key=lambda dl: abs(levels[dl].succeeds - target))
    return FairLevel(fairest, levels)


@question
def fair_table(bonuses: Iterable[int] = range(0, 11)) -> dict[int, FairLevel]:
    """The fair Difficulty Level for each bonus.

    >>> {bonus: fair.fairest for bonus, fair in fair_table([0, 8, 20]).items()}
    {0: 'Moderate', 8: 'Hard', 20: 'Severe'}
    """
    return {bonus: fair_level(bonus) for bonus in bonuses}
