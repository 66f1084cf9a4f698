"""Weights of distributions: checked, mixed, mapped and added up; their means and quantiles."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from math import gcd, lcm
from operator import mul
from typing import TYPE_CHECKING, TypeVar

from rollwright.budget import Work
from rollwright.dice import Outcome
from rollwright.errors import BadDist
from rollwright.exact.polynomials import multiply as polynomial_product
from rollwright.exact.polynomials import shifted_power

if TYPE_CHECKING:
    from fractions import Fraction

    from rollwright.exact.dist import Dist


EACH_RESULT = 200
"""Bytes that a result of a pair takes beside its weight."""

_SURE = frozenset([int, str, bool, type(None)])
"""Kinds of which equal values are the same, unless another kind is among them."""
T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")
Made = tuple[dict[T, int], int, int]


def are_numbers(*outcomes: object) -> bool:
    """Whether these are whole numbers or fractions, which are the same where they are equal."""
    return all([type(one) is int or type(one).__name__ == "Fraction" for one in outcomes])


def refuse_alike(outcomes: Iterable[object]) -> None:
    """Refuse outcomes that are equal to Python though they are not the same."""
    first: dict[object, object] = {}
    for outcome in outcomes:
        other = first.setdefault(outcome, outcome)
        if other is not outcome and not _is_same(other, outcome):
            raise BadDist(
                f"{other!r} ({type(other).__name__}) and {outcome!r} ({type(outcome).__name__}) "
                "are equal to Python though they are not the same, and would be one outcome: let "
                "them differ in a value, such as a name"
            )


def _may_be_alike(outcomes: Iterable[object]) -> bool:
    """Whether some may be equal that are not the same: of several kinds, or with parts."""
    kinds = set(map(type, outcomes))
    return len(kinds) > 1 or not _SURE.issuperset(kinds)


def _is_same(one: object, other: object) -> bool:
    """Whether equal values are of the same kinds all the way down."""
    if type(one) is not type(other):
        return are_numbers(one, other)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return all(map(_is_same, one, other))
    return True


def check_weights(pairs: Iterable[tuple[T, int]], lost: int) -> Made[T]:
    """The weights of a distribution given by a user, those of nothing left out."""
    weights: dict[T, int] = {}
    pairs = [*_as_pairs(pairs)]
    for pair in pairs:
        try:
            outcome, weight = pair
        except (TypeError, ValueError):
            raise _no_pairs(pair) from None
        _check_weight(outcome, weight)
        if not weight:
            continue
        try:
            weights[outcome] = weights.get(outcome, 0) + weight
        except TypeError:
            raise BadDist(
                f"an outcome must be a plain, unchanging value, not {outcome!r}"
            ) from None
    _check_weight("what was lost", lost)
    if not weights:
        raise BadDist("a distribution needs at least one outcome that can happen")
    refuse_floats(weights)
    if len(weights) < len(pairs):
        refuse_alike([outcome for outcome, weight in pairs if weight])
    return weights, sum(weights.values()) + lost, lost


def _as_pairs(pairs: Iterable[T]) -> Iterable[T]:
    if not isinstance(pairs, Iterable):
        raise _no_pairs(pairs)
    return pairs


def _no_pairs(came: object) -> BadDist:
    return BadDist(
        f"odds are made of outcomes and their weights, as Dist({{1: 1, 2: 3}}), not of {came!r}; "
        "Dist.uniform([1, 2, 3]) has them all alike"
    )


def _check_weight(outcome: object, weight: object) -> None:
    if not isinstance(weight, int) or isinstance(weight, bool) or weight < 0:
        raise BadDist(f"the weight of {outcome!r} is a whole number of at least 0, not {weight!r}")


def refuse_floats(weights: dict[Outcome, int]) -> None:
    """Refuse outcomes that are inexact: equal ones would not meet."""
    if float in set(map(type, weights)):
        wrong = next(outcome for outcome in weights if type(outcome) is float)
        raise BadDist(f"the outcome {wrong!r} is inexact; use a whole number or a Fraction")


def reduce(weights: dict[T, int], total: int, lost: int) -> Made[T]:
    """The same chances in lowest terms."""
    common = gcd(lost, *weights.values())
    return {o: w // common for o, w in weights.items()}, total // common, lost // common


def map_weights(weights: dict[T, int], change: Callable[[T], U]) -> dict[U, int]:
    """The weights of the changed outcomes."""
    made: dict[U, int] = {}
    seen = made.get
    news = [change(outcome) for outcome in weights]
    for new, weight in zip(news, weights.values()):
        try:
            made[new] = seen(new, 0) + weight
        except TypeError:
            raise BadDist(f"an outcome must be a plain, unchanging value, not {new!r}") from None
    refuse_floats(made)
    if len(made) < len(news) and _may_be_alike(news):
        refuse_alike(news)
    return made


def mix(parts: Iterable[tuple[Dist[T], int]], lost: int = 0) -> Made[T]:
    """Distributions in proportion to their weights, and a weight of which nothing is known."""
    listed = list(parts)
    for part, weight in listed:
        _check_part(part)
        _check_weight(part, weight)
    whole = lcm(*[part._total for part, _ in listed])
    weights: dict[T, int] = {}
    seen = weights.get
    total = lost = lost * whole
    for part, weight in listed:
        scale = weight * (whole // part._total)
        if not scale:
            continue
        total += weight * whole
        lost += scale * part._lost
        for outcome, share in part._weights.items():
            weights[outcome] = seen(outcome, 0) + scale * share
    if not weights:
        raise BadDist("a mixture needs at least one distribution with a weight")
    if len(listed) > 1 and _may_be_alike(weights):
        refuse_alike([outcome for part, weight in listed if weight for outcome in part._weights])
    return weights, total, lost


def _check_part(part: object) -> None:
    if not hasattr(part, "_weights"):
        raise BadDist(f"a mixture is made of distributions, not {part!r}; is it Dist.sure(…)?")


def ratio(part: int, whole: int) -> Fraction:
    """A chance as a fraction."""
    from fractions import Fraction

    return Fraction(part, whole)


def mean(weights: dict[Outcome, int]) -> Fraction:
    """The mean outcome."""
    _check_numbers(weights)
    made: Fraction = ratio(1, sum(weights.values())) * sum([o * w for o, w in weights.items()])
    return made


def variance(weights: dict[Outcome, int]) -> Fraction:
    """The mean square less the square of the mean."""
    middle = mean(weights)
    squares: Fraction = ratio(1, sum(weights.values())) * sum(
        [o * o * w for o, w in weights.items()]
    )
    return squares - middle * middle


def _check_numbers(weights: dict[Outcome, int]) -> None:
    for outcome in weights:
        if not hasattr(outcome, "denominator"):
            kind = "fields; ask for one with of(…)" if isinstance(outcome, tuple) else "labels"
            raise BadDist(
                f"a mean needs numbers, but an outcome is {outcome!r}: these are {kind}"
                + ("" if kind[0] == "f" else "; map() can read a number from each")
            )


def place(steps: list[int], share: Fraction | float | str) -> int:
    """The place of the first outcome up to which at least this share of the weight lies."""
    from fractions import Fraction

    try:
        # A float means what it shows: 0.1 is a tenth, not the binary number nearest to it.
        wanted = Fraction(str(share) if isinstance(share, float) else share)
    except (TypeError, ValueError):
        raise BadDist(f"a share of the weight is a number, not {share!r}") from None
    if not 0 <= wanted <= 1:
        raise BadDist(f"a share of the weight is from 0 to 1, not {share}")
    need = -(-wanted.numerator * steps[-1] // wanted.denominator)
    return max(bisect_left(steps, need) - 1, 0)


def duel(
    mine: list[tuple[Outcome, int]], theirs: list[tuple[Outcome, int]]
) -> tuple[int, int, int]:
    """The weights of coming out below, level and above; both sides rise."""
    less = equal = i = 0
    below, all_theirs = 0, sum([weight for _, weight in theirs])
    greater = 0
    for outcome, weight in mine:
        while i < len(theirs) and theirs[i][0] < outcome:
            below += theirs[i][1]
            i += 1
        level = theirs[i][1] if i < len(theirs) and theirs[i][0] == outcome else 0
        less += weight * (all_theirs - below - level)
        equal += weight * level
        greater += weight * below
    return less, equal, greater


def add(dist: Dist[Outcome], other: Dist[Outcome]) -> Made[Outcome]:
    """The sum of two throws; tuples of numbers add up by place."""
    if _number_kinds(dist) == {int} == _number_kinds(other):
        total = dist._total * other._total
        work = Work(None, "adding", (len(dist), len(other)))
        weights = polynomial_product(dist._weights, other._weights, work)
        return weights, total, _loss(dist, other)
    return combine(dist, other, _plus)


def shift(dist: Dist[Outcome], step: Outcome) -> Made[Outcome]:
    """Every outcome plus a constant."""
    _number_kinds(dist)
    _refuse_odd([step])
    weights = {_plus(outcome, step): weight for outcome, weight in dist._weights.items()}
    return weights, dist._total, dist._lost


def negate(dist: Dist[Outcome]) -> Made[Outcome]:
    """The outcomes with their signs turned."""
    if tuple in _number_kinds(dist):
        weights = {tuple([-part for part in o]): w for o, w in dist._weights.items()}
    else:
        weights = {-outcome: weight for outcome, weight in dist._weights.items()}
    return weights, dist._total, dist._lost


def multiply(dist: Dist[Outcome], other: Dist[Outcome]) -> Made[Outcome]:
    """The product of two throws."""
    _refuse_vectors(_number_kinds(dist) | _number_kinds(other))
    return combine(dist, other, mul)


def scale_by(dist: Dist[Outcome], factor: Outcome) -> Made[Outcome]:
    """Every outcome times a constant."""
    _refuse_odd([factor])
    _refuse_vectors({type(factor)} | _number_kinds(dist))
    weights: dict[Outcome, int] = {}
    for outcome, weight in dist._weights.items():
        weights[outcome * factor] = weights.get(outcome * factor, 0) + weight
    return weights, dist._total, dist._lost


def join_results(
    dist: Dist[Outcome], other: Outcome, join: Callable[[Outcome, Outcome], Outcome]
) -> Made[Outcome]:
    """A throw joined with a constant or with another throw, number by number."""
    theirs = other if hasattr(other, "_weights") else type(dist).sure(other)
    _refuse_vectors(_number_kinds(dist) | _number_kinds(theirs))
    try:
        return combine(dist, theirs, join)
    except ZeroDivisionError:
        raise BadDist("nothing can be divided by 0, and here the divisor may come to 0") from None


def quotient(one: Outcome, other: Outcome) -> Outcome:
    """One number by another, exactly."""
    made = ratio(1, 1) * one / other
    return made.numerator if made.denominator == 1 else made


def compare(
    dist: Dist[Outcome],
    mark: Dist[Outcome],
    *,
    less: bool = False,
    equal: bool = False,
    greater: bool = False,
) -> Made[bool]:
    """The weights of a comparison that holds and that does not."""
    try:
        found = duel(dist.items(), mark.items())
    except TypeError:
        raise BadDist(
            f"{dist.outcomes[0]!r} and {mark.outcomes[0]!r} have no order, so neither is more"
        ) from None
    holds = sum([weight for weight, wanted in zip(found, (less, equal, greater)) if wanted])
    weights = {False: sum(found) - holds, True: holds}
    total = dist._total * mark._total
    return {held: weight for held, weight in weights.items() if weight}, total, _loss(dist, mark)


def combine(one: Dist[T], two: Dist[U], join: Callable[[T, U], V]) -> Made[V]:
    """Every outcome of one with every outcome of the other, joined."""
    work = Work(None, "combining", (len(one), len(two)))
    work.spend(2 * len(one) * len(two))
    weights: dict[V, int] = {}
    seen = weights.get
    others = list(two._weights.items())
    each = _each_result(one, two)
    for a, x in one._weights.items():
        work.expect_room(len(weights) * each)
        for b, y in others:
            made = join(a, b)
            try:
                weights[made] = seen(made, 0) + x * y
            except TypeError:
                raise BadDist(
                    f"an outcome must be a plain, unchanging value, not {made!r}"
                ) from None
    return weights, one._total * two._total, _loss(one, two)


def pair_outcomes(one: Dist[T], two: Dist[U]) -> Made[tuple[T, U]]:
    """Every outcome of one beside every outcome of the other."""
    work = Work(None, "pairing", (len(one), len(two)))
    work.spend(2 * len(one) * len(two))
    work.expect_room(len(one) * len(two) * _each_result(one, two))
    others = list(two._weights.items())
    weights = {(a, b): x * y for a, x in one._weights.items() for b, y in others}
    return weights, one._total * two._total, _loss(one, two)


def _each_result(one: Dist[T], two: Dist[U]) -> int:
    """About how many bytes a result of two takes."""
    return EACH_RESULT + (one._total.bit_length() + two._total.bit_length()) // 8


def _loss(one: Dist[Outcome], two: Dist[Outcome]) -> int:
    if not one._lost and not two._lost:
        return 0
    counted = (one._total - one._lost) * (two._total - two._lost)
    return int(one._total * two._total - counted)


def add_up(dist: Dist[Outcome], count: int) -> Made[Outcome]:
    """The sum of `count` throws."""
    check_count(count, least=0)
    kinds = _number_kinds(dist)
    if kinds <= {int, bool}:
        weights = shifted_power(dist._weights, count, Work(None, f"the sum of {count} of", dist))
    else:
        weights = _add_one_by_one(dist, count)
    total = dist._total**count
    return weights, total, total - (dist._total - dist._lost) ** count


def _add_one_by_one(dist: Dist[Outcome], count: int) -> dict[Outcome, int]:
    """One throw after the other, for outcomes that are not whole numbers."""
    if not count:
        return {0: 1}
    made = dist
    for _ in range(count - 1):
        made = type(dist)._build(*combine(made, dist, _plus))
    return made._weights


def best(rising: Iterable[tuple[T, int]], count: int) -> tuple[dict[T, int], int]:
    """The best of `count` throws, by powers of the weight up to each outcome; and their total."""
    made: dict[T, int] = {}
    reached = before = 0
    for outcome, weight in rising:
        reached += weight
        now = reached**count
        made[outcome] = now - before
        before = now
    return made, before


def worst(rising: Iterable[tuple[T, int]], whole: int, count: int) -> tuple[dict[T, int], int]:
    """The worst of `count` throws, by powers of the weight from each outcome on."""
    made: dict[T, int] = {}
    before = counted = whole**count
    for outcome, weight in rising:
        whole -= weight
        now = whole**count
        made[outcome] = before - now
        before = now
    return made, counted


def check_count(count: object, *, least: int) -> None:
    """Refuse a number of throws that is none."""
    if not isinstance(count, int) or isinstance(count, bool) or count < least:
        raise BadDist(f"a number of throws is a whole number of at least {least}, not {count!r}")


def _number_kinds(dist: Dist[Outcome]) -> set[type]:
    kinds = set(map(type, dist._weights))
    if len(kinds) > 1 or int not in kinds:
        _refuse_odd(dist._weights)
    return kinds


def _refuse_odd(outcomes: Iterable[object]) -> None:
    for outcome in outcomes:
        kind = type(outcome)
        if not issubclass(kind, (int, tuple)) and not hasattr(kind, "denominator"):
            raise BadDist(
                f"arithmetic needs whole numbers or fractions, not {outcome!r}; map() can read "
                "a number from each outcome first"
            )


def _refuse_vectors(kinds: set[type]) -> None:
    if any(issubclass(kind, tuple) for kind in kinds):
        raise BadDist("a product needs numbers; use map() to multiply the parts of tuples")


def _plus(a: Outcome, b: Outcome) -> Outcome:
    if not isinstance(a, tuple) and not isinstance(b, tuple):
        return a + b
    if not isinstance(a, tuple) or not isinstance(b, tuple) or len(a) != len(b):
        raise BadDist(f"{a!r} and {b!r} cannot be added: tuples add up place by place")
    try:
        return tuple([x + y for x, y in zip(a, b, strict=True)])
    except TypeError:
        raise BadDist(f"{a!r} and {b!r} cannot be added: not all places are numbers") from None
