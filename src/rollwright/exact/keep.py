"""Sums of some ranks of a pool: keep the highest, drop the lowest, or any ranks."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate, zip_longest
from math import comb, gcd

from rollwright.budget import Budget, Work
from rollwright.dice import Die, Outcome, Pool
from rollwright.errors import BadDist
from rollwright.exact.dist import Dist
from rollwright.exact.polynomials import SHIFTING_PAYS, Factor, Terms, slot_bytes, spread, unpack
from rollwright.exact.pools import (
    DiceCounts,
    Showing,
    is_little,
    kinds_of,
    ranked_readings,
    size_of,
    whole_bits,
    whole_total,
)
from rollwright.exact.ranks import nth_of
from rollwright.exact.sums import IntKind, encode_numbers, sum_weights
from rollwright.readings import Reader

WHOLE = {int}
NOTHING_ELSE = (None,) * 6
FEW_DICE = 30
CLOSE = 30
COPY, DIGIT = 0.06, 0.07
"""Steps, in doublings of a die, of adding a shifted copy, and of multiplying it by one digit."""


def keep(
    pool: Pool | Die,
    *,
    highest: int | None = None,
    lowest: int | None = None,
    drop_highest: int | None = None,
    drop_lowest: int | None = None,
    ranks: Iterable[int] | None = None,
    read: Reader | None = None,
    budget: Budget | None = None,
) -> Dist[Outcome]:
    """The sum of some of the dice, by rank.

    Keep the highest or the lowest few or both; or drop some; or name the `ranks` to keep, where
    1 is the highest die and -1 the lowest.

    >>> from rollwright.dice import D6
    >>> keep(4 * D6, highest=3)[18]
    21
    >>> keep(3 * D6, ranks=[2]) == keep(3 * D6, drop_highest=1, drop_lowest=1)
    True
    """
    others = (lowest, drop_highest, drop_lowest, ranks, read, budget)
    if type(highest) is int and others == NOTHING_ELSE and is_little(pool, FEW_DICE):
        little = _best_of_few(pool, highest)
        if little is not None:
            return little
    kinds = kinds_of(pool, read)
    kept = _rank_mask(size_of(kinds), highest, lowest, drop_highest, drop_lowest, ranks)
    tables, code = encode_numbers(kinds, "a sum")
    weights = kept_weights(tables, kept, Work(budget, f"keeping {sum(kept)} of", pool))
    return Dist._build(code.read(weights), whole_total(kinds))


def _best_of_few(pool: Pool, count: int) -> Dist[Outcome] | None:
    """The highest of a few dice alike; None unless they show whole numbers close together."""
    [(die, size)] = pool.groups
    low = die.faces[0]
    if not 1 < count < size or set(map(type, die.faces)) != WHOLE or die.faces[-1] - low > CLOSE:
        return None
    total = die.total**size
    width = slot_bytes(total)
    if count == size - 1:
        made = _all_but_one(die, size, 8 * width)
    else:
        made = _top_of_few(die, size, count, 8 * width)
    slots = (die.faces[-1] - low) * count + 1
    weights = spread(unpack(made, width, slots), low * count)
    return Dist._build(weights, total, 0, tuple(weights))


def _all_but_one(die: Die, size: int, slot: int) -> int:
    """All but the lowest: of the throws that are nowhere below a level, those not all above it.

    What dice at a level or above show beyond it is a polynomial, and its power all their throws;
    of these every die counts from the level but the one that is dropped, which shows just that.
    """
    made = beyond = reached = 0
    level = die.faces[-1]
    for face, weight in zip(reversed(die.faces), reversed(die.weights)):
        gap = (level - face) * slot
        beyond = (beyond << gap) + weight
        above = reached << gap * size
        reached = beyond**size
        made += (reached - above) << (face - die.faces[0]) * slot * (size - 1)
        level = face
    return made


def _top_of_few(die: Die, size: int, count: int, slot: int) -> int:
    """As for one kind of many dice below, but term by term: shorter, and right for few dice.

    Between two levels only the number of dice above differs: seen from the upper level they have so
    much beyond it, and from the lower one, each of them, the gap more.
    """
    choices = [(j, comb(size, j)) for j in range(1, count)]
    above, *weights = reversed(die.weights)
    level, *lower_levels = reversed(die.faces)
    below, place = die.total - above, (level - die.faces[0]) * slot
    made: int = die.total**size << place * count
    for following, weight in zip(lower_levels, weights):
        gap = (level - following) * slot
        upper = lower = below**size
        power = 1
        for j, ways in choices:
            power *= above
            term = ways * below ** (size - j) * power
            upper += term
            lower += term << j * gap
        made -= upper << place * count
        place -= gap
        made += lower << place * count
        above = (above << gap) + weight
        below -= weight
        level = following
    return made


def _rank_mask(
    size: int,
    highest: int | None,
    lowest: int | None,
    drop_highest: int | None,
    drop_lowest: int | None,
    ranks: Iterable[int] | None,
) -> list[bool]:
    """For each rank from the highest on whether it is kept."""
    keeps = highest is not None or lowest is not None
    drops = drop_highest is not None or drop_lowest is not None
    if keeps + drops + (ranks is not None) != 1:
        raise BadDist("say which dice to keep, or which to drop, or their ranks: one of the three")
    if ranks is not None:
        return _mask_of_ranks(size, list(ranks))
    top = _few(drop_highest if drops else highest)
    bottom = _few(drop_lowest if drops else lowest)
    return [(i < top or i >= size - bottom) is not drops for i in range(size)]


def _few(count: int | None) -> int:
    if count is None:
        return 0
    if type(count) is not int or count < 0:
        raise BadDist(f"a number of dice to keep or drop is 0 or more, not {count!r}")
    return count


def _mask_of_ranks(size: int, ranks: list[int]) -> list[bool]:
    kept = [False] * size
    for rank in ranks:
        if type(rank) is not int or not 1 <= abs(rank) <= size:
            raise BadDist(
                f"of {size} dice the ranks are 1 to {size} or -1 to -{size}, not {rank!r}"
            )
        place = rank - 1 if rank > 0 else rank
        if kept[place]:
            raise BadDist(f"rank {rank} is named twice, but each die is kept once")
        kept[place] = True
    return kept


def kept_weights(kinds: list[IntKind], kept: list[bool], work: Work) -> Terms:
    """The weight of each sum of the kept ranks."""
    count = sum(kept)
    if not count:
        return {0: whole_total(kinds)}
    if count == len(kept):
        return sum_weights(kinds, work)
    if count == 1:
        return nth_of(kinds, kept.index(True) + 1, work)._weights
    low = min([min(table) for table, _ in kinds])
    step = gcd(*[reading - low for table, _ in kinds for reading in table]) or 1
    levels = [({(r - low) // step: w for r, w in table.items()}, n) for table, n in kinds]
    return spread(_kept_levels(levels, kept, count, work), low * count, step)


def _kept_levels(kinds: list[IntKind], kept: list[bool], count: int, work: Work) -> Terms:
    top = max([max(table) for table, _ in kinds])
    if top > 200 * sum([len(table) for table, _ in kinds]):
        return _far_apart(kinds, kept, work)
    work.spend(_steps(kinds, kept, count, top))
    width = slot_bytes(whole_total(kinds))
    if all(kept[:count]):
        made = _top(kinds, count, width)
    elif all(kept[-count:]):
        mirrored = [({top - r: w for r, w in table.items()}, n) for table, n in kinds]
        back = _top(mirrored, count, width)
        return spread(unpack(back, width, top * count + 1)[::-1], 0)
    else:
        made = _any_ranks(kinds, kept, width)
    return spread(unpack(made, width, top * count + 1), 0)


def _steps(kinds: list[IntKind], kept: list[bool], count: int, top: int) -> float:
    """How much work it is to keep so many dice: mostly adding long packed polynomials."""
    levels = sum([len(table) for table, _ in kinds])
    bits = whole_bits(kinds)
    each = 1 + top * count * bits / 30_000
    if not all(kept[:count]) and not all(kept[-count:]):
        each *= 1.5 + DIGIT * bits / 30
        return levels * DiceCounts([size for _, size in kinds]).throws() * each
    heavy = max([_heaviness(table, count, bits) for table, _ in kinds])
    heavy = max(1, heavy * (1 - 1 / count) ** 2)  # the first products are short ones
    if len(kinds) == 1:
        return levels * count * each * 8 * heavy
    return levels * size_of(kinds) * count * each * 4 * max(1, heavy / 5)


def _heaviness(table: Terms, count: int, bits: int) -> float:
    """Return the cost of a product by a die, in products by a small die with equally likely faces.

    A copy is added for each face, and each is multiplied by a weight, digit by digit; only a run
    of faces that are all as likely is added up by doubling.
    """
    faces, span = len(table), max(table) - min(table) + 1
    if bits < 8 * SHIFTING_PAYS:
        digits = span * max(bits, 64) / 30
        return max(1, DIGIT * min(digits, 3 * digits**0.585)) if count > 2 else 1
    weights = set(table.values())
    if len(weights) == 1 and span == faces:
        return max(1, faces.bit_length() / 5)
    return max(1, faces * (COPY + DIGIT * (1 + max(weights).bit_length() // 30)))


def _top(kinds: list[IntKind], count: int, width: int) -> int:
    """Return the sum of the highest few, packed: split by the lowest level that is kept.

    That level is v when fewer than `count` dice are above v, but not fewer are at or above it;
    then the sum is `count` times v and what the dice above have beyond v. So it is enough to
    know, for each level, the sums beyond it of fewer than `count` dice above it.
    """
    if len(kinds) == 1:
        return _top_of_one_kind(kinds[0], count, width)
    return _top_of_many(kinds, ranked_readings(kinds), count, width)


def _top_of_one_kind(kind: IntKind, count: int, width: int) -> int:
    table, size = kind
    levels = sorted(table, reverse=True)
    choices = [comb(size, j) for j in range(count)]
    slot = 8 * width
    made = beyond = 0
    below = sum(table.values())
    for level, following in zip(levels, [*levels[1:], None], strict=True):
        here = beyond + table[level]
        fewer = _fewer(beyond, below, size, choices, slot)
        below -= table[level]
        if following is not None:
            fewer -= _fewer(here, below, size, choices, slot)
            beyond = here << ((level - following) * slot)
        made += fewer << (count * level * slot)
    return made


def _fewer(beyond: int, below: int, size: int, choices: list[int], slot: int) -> int:
    """Return what fewer dice than choices have beyond a level, the others below: by Horner."""
    if not beyond:
        return int(below**size)
    made = choices[-1]
    scale = 1
    if slot < 8 * SHIFTING_PAYS:
        for ways in choices[-2::-1]:
            scale *= below
            made = made * beyond + ways * scale
    else:
        times = Factor.from_number(beyond, slot // 8).method()
        for ways in choices[-2::-1]:
            scale *= below
            made = times(made) + ways * scale
    return made * int(below ** (size - len(choices) + 1))


def _top_of_many(kinds: list[IntKind], levels: list[int], count: int, width: int) -> int:
    bits = 8 * width
    made = 0
    for level, following in zip(levels, [*levels[1:], None], strict=True):
        *others, last = sorted(kinds, key=lambda kind: max(kind[0]))
        counts = _counts_beyond(others, level, count, width)
        made += _few_beyond(counts, last, (level, level), count, width) << (count * level * bits)
        if following is not None:
            # Seen from the next level, each of the j dice above has that much less beyond it.
            gap = (following - level) * bits
            nearer = [w >> (j * gap) for j, w in enumerate(counts)]
            few = _few_beyond(nearer, last, (level, following), count, width)
            made -= few << (count * following * bits)
    return made


def _few_beyond(
    counts: list[int], kind: IntKind, seen: tuple[int, int], count: int, width: int
) -> int:
    """Return what fewer than `count` dice above a level have beyond it.

    `counts` has that for all dice but those of one kind; these are put in by Horner, so that they
    cost a product for each of them and not for each of them and each count.
    """
    table, size = kind
    level, start = seen
    beyond = [(r - start, w) for r, w in table.items() if r > level]
    below = sum([w for r, w in table.items() if r <= level])
    up_to = list(accumulate(counts))
    if not beyond:
        return int(below**size) * up_to[-1]
    times = Factor(beyond, width).method()
    most = min(size, count - 1)
    made = 0
    for above in range(most, -1, -1):
        ways = comb(size, above) * below ** (size - above)
        made = (times(made) if made else 0) + ways * up_to[min(count - 1 - above, len(up_to) - 1)]
    return made


def _counts_beyond(kinds: list[IntKind], level: int, count: int, width: int) -> list[int]:
    """For 0, 1, … fewer than `count` dice above a level, what they have beyond it: die by die."""
    made = [1]
    scale = 1
    for table, size in kinds:
        beyond = [(r - level, w) for r, w in table.items() if r > level]
        below = sum([w for r, w in table.items() if r <= level])
        if not beyond:
            scale *= below**size
            continue
        times = Factor(beyond, width).method()
        for _ in range(size):
            more = [times(weights) for weights in made[: count - 1]]
            made = [below * a + b for a, b in zip_longest(made, [0, *more], fillvalue=0)]
    return [scale * weights for weights in made]


def _any_ranks(kinds: list[IntKind], kept: list[bool], width: int) -> int:
    """From the highest level down: for the dice placed so far, the packed sum of those kept."""
    crowd = DiceCounts([size for _, size in kinds])
    placed = _running(kept)
    sums = {0: 1}
    for level in ranked_readings(kinds)[::-1]:
        shows = _shows(kinds, level)
        after: dict[int, int] = {}
        for used, made in sums.items():
            first = placed[crowd.used_dice(used)]
            for new, ways, count, _ in crowd.arrivals(used, shows):
                kept_here = placed[crowd.used_dice(used) + count] - first
                after[new] = after.get(new, 0) + (made * ways << (8 * width * level * kept_here))
        sums = after
    return sums[crowd.everyone]


def _running(kept: list[bool]) -> list[int]:
    made = [0]
    for one in kept:
        made.append(made[-1] + one)
    return made


def _shows(kinds: list[IntKind], level: int) -> list[Showing]:
    """Which kinds show a level; a kind at its lowest must place all its dice."""
    return [
        Showing(kind, table[level], forced=min(table) == level)
        for kind, (table, _) in enumerate(kinds)
        if level in table
    ]


def _far_apart(kinds: list[IntKind], kept: list[bool], work: Work) -> Terms:
    """As for any ranks, but with a dictionary of sums: for readings that lie far apart."""
    crowd = DiceCounts([size for _, size in kinds])
    placed = _running(kept)
    each = 8 + whole_bits(kinds) / 200
    sums: dict[int, Terms] = {0: {0: 1}}
    for level in ranked_readings(kinds)[::-1]:
        shows = _shows(kinds, level)
        after: dict[int, Terms] = {}
        for used, made in sums.items():
            seen = crowd.used_dice(used)
            arrivals = crowd.arrivals(used, shows)
            work.spend(len(made) * len(arrivals) * each)
            for new, ways, count, _ in arrivals:
                more = level * (placed[seen + count] - placed[seen])
                bucket = after.setdefault(new, {})
                for total, weight in made.items():
                    bucket[total + more] = bucket.get(total + more, 0) + weight * ways
        sums = after
    return sums[crowd.everyone]
