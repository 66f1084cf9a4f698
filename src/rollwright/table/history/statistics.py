"""Are my dice bad? Faces seen against faces expected, for each seat and for the table.

It also counts the rolls that were cancelled, left open, rolled again or undone, and secret ones of
which others were shown: dice that nobody let count are seen all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, erfc, exp, lgamma, log, sqrt
from typing import Any, NamedTuple

from rollwright.dice import Die
from rollwright.engine.values import value_from_json, value_to_json
from rollwright.i18n.locale import format_text, in_words
from rollwright.i18n.messages import Message, msg
from rollwright.jsonable import Json, canonical_json
from rollwright.kit.words import format_die
from rollwright.table.history.lost_commands import lost_commands
from rollwright.table.history.rolls import (
    TableNames,
    UnfinishedCounts,
    die_label,
    face_label,
    kind_of,
    rolls_of,
    unfinished_by_seat,
)
from rollwright.table.schemas import KnownEvent, RollThrownEvent

ENOUGH = 30
"""Fewer throws than this say nothing."""
PLENTY = 5
"""With this many throws for each face, a die that is clearly loaded begins to show."""
ODD, VERY_ODD = 0.05, 0.01
EVEN = 0.001


def least_throws(faces: int) -> int:
    """From how many throws on the chi-square test holds for a die with so many faces.

    Koehler and Larntz (1980) found it sound for equal shares from a square of throws of ten
    times the faces on, even where few throws are expected for each face.

    >>> least_throws(6), least_throws(100), least_throws(1000)
    (30, 32, 100)
    """
    return max(ENOUGH, ceil(sqrt(10 * faces)))


def die_verdict(name: str, throws: int, faces: int, p: float | None, compared: int) -> str:
    """The verdict about one kind of die.

    >>> die_verdict("d6", 214, 6, 0.34, 1)
    '214 d6: nothing unusual; 1 in 3 fair players looks at least like this'
    >>> die_verdict("d20", 12, 20, None, 1)
    '12 d20: too few to say anything; from about 30 throws on'
    """
    if p is None:
        return in_words("luck.die.few", n=throws, die=name, least=least_throws(faces))
    if p > 1 - EVEN:
        who, caution = _one_in(1 - p), _caution(1 - p, compared)
        return in_words("luck.die.even", n=throws, die=name, who=who, caution=caution)
    return in_words(
        "luck.die",
        n=throws,
        die=name,
        odd=_oddness(p),
        who=_one_in(p),
        caution=_caution(p, compared),
        blind=_blind(throws, faces, p),
    )


def luck_verdict(throws: int, below: float | None, compared: int) -> str:
    """The verdict about high and low faces.

    >>> luck_verdict(200, 0.84, 1)
    '200 dice: higher than 84 of 100 fair players; nothing unusual'
    """
    if below is None:
        return in_words("luck.few", n=throws, least=ENOUGH)
    p = 2 * min(below, 1 - below)
    share = below if below >= 0.5 else 1 - below
    than = "higher" if below >= 0.5 else "lower"
    many = msg("luck.of_100", n=min(99, round(100 * share)))
    whom = many if share < 0.995 else msg("luck.nearly")
    odd, caution = _oddness(p), _caution(p, compared)
    return in_words(f"luck.{than}", n=throws, whom=whom, odd=odd, caution=caution)


def one_in(p: float) -> str:
    """A chance as a share of people.

    >>> one_in(0.9), one_in(0.5), one_in(0.0123), one_in(0)
    ('nearly every fair player', '1 in 2 fair players', '1 in 80 fair players', 'hardly anybody')
    """
    return format_text(_one_in(p))


def _one_in(p: float) -> Message:
    if p > 2 / 3:
        return msg("luck.nearly")
    return msg("luck.hardly") if p < 1e-9 else msg("luck.one_in", n=_round(1 / p))


def _round(number: float) -> int:
    """A number to one or two digits, as people say it."""
    if number < 20:
        return round(number)
    size = 10 ** (len(str(int(number))) - 1)
    return round(number / size) * size if number >= 100 else round(number / 10) * 10


def _oddness(p: float) -> Message:
    if p >= ODD:
        return msg("luck.usual")
    return msg("luck.little" if p >= VERY_ODD else "luck.unusual")


def _caution(p: float, compared: int) -> Message | str:
    """Return a caution: many comparisons weaken one odd result."""
    if p >= ODD:
        return ""
    if p * compared >= ODD:
        return msg("luck.often", n=compared)
    if p * compared >= VERY_ODD:
        return msg("luck.even_among", n=compared) if compared > 1 else msg("luck.happens")
    return msg("luck.closer")


def _blind(throws: int, faces: int, p: float) -> Message | str:
    if p >= ODD and throws < PLENTY * faces:
        return msg("luck.blind", n=PLENTY * faces)
    return ""


SMALLEST_STEP = 1e-15
MOST_STEPS = 10_000


def chi_square(observed: Sequence[int], weights: Sequence[int]) -> float:
    """Pearson's measure of how far counts are from what weights make one expect.

    >>> chi_square([5, 15], [1, 1])
    5.0
    """
    throws, total = sum(observed), sum(weights)
    expected = [throws * weight / total for weight in weights]
    return sum((seen - due) ** 2 / due for seen, due in zip(observed, expected, strict=True))


def chi_square_tail(value: float, freedom: int) -> float:
    """The chance of a chi-square of at least this value.

    >>> round(chi_square_tail(11.07, 5), 3)
    0.05
    """
    return upper_gamma(freedom / 2, value / 2)


def upper_gamma(shape: float, value: float) -> float:
    """The regularised upper incomplete gamma function, by a series or a continued fraction.

    The series converges quickly below `shape + 1`, the fraction (by Lentz's method) above it.
    """
    if value <= 0:
        return 1.0
    scale = exp(shape * log(value) - value - lgamma(shape))
    if value < shape + 1:
        return max(0.0, 1.0 - scale * _series(shape, value))
    return min(1.0, scale * _fraction(shape, value))


def _series(shape: float, value: float) -> float:
    term = total = 1 / shape
    for step in range(1, MOST_STEPS):
        term *= value / (shape + step)
        total += term
        if term < total * SMALLEST_STEP:
            break
    return total


def _fraction(shape: float, value: float) -> float:
    tiny = 1e-300
    below = value + 1 - shape
    above = 1 / tiny
    inverse = 1 / below
    found = inverse
    for step in range(1, MOST_STEPS):
        factor = step * (shape - step)
        below += 2
        inverse = 1 / ((factor * inverse + below) or tiny)
        above = (below + factor / above) or tiny
        found *= inverse * above
        if abs(inverse * above - 1) < SMALLEST_STEP:
            break
    return found


def normal_below(value: float) -> float:
    """The share of a normal distribution that lies below a value.

    >>> round(normal_below(1.96), 3)
    0.975
    """
    return erfc(-value / sqrt(2)) / 2


LEAST_EXPECTED = 1.0
"""Faces rarer than this are counted together with the next ones."""
MOST_LISTED = 100


class DieCounts(NamedTuple):
    """One kind of die, as often as it showed each face."""

    die: str
    how: str
    """fair, or typed in from real dice."""
    sides: int
    """How many different faces it has."""
    faces: tuple[tuple[str, int, float], ...]
    """Each face with how often it came, and how often it was to be expected.

    Of dice with very many sides, only the faces that came.
    """
    p: float | None
    """How often fair dice are at least as uneven as this; None for too few throws."""
    verdict: str = ""

    @property
    def throws(self) -> int:
        """How often it was thrown."""
        return sum(seen for _, seen, _ in self.faces)


class Luck(NamedTuple):
    """How high the faces were, each measured by what its die does on average."""

    throws: int
    below: float | None
    """The share of fair players who roll lower than this; None for too few throws."""
    verdict: str = ""


class SeatStatistics(NamedTuple):
    """Dice that one seat threw, or the whole table."""

    seat: str
    name: str
    dice: tuple[DieCounts, ...]
    luck: Luck
    given_up: UnfinishedCounts = UnfinishedCounts()


class Statistics(NamedTuple):
    """The faces that the dice of a table showed, as far as somebody may know."""

    seats: tuple[SeatStatistics, ...]
    table: SeatStatistics
    compared: int
    """Number of comparisons: the more, the likelier that one of them is odd."""
    unseen: int
    """Throws of secret rolls that were announced: they are not counted."""

    def to_json(self) -> dict[str, object]:
        """All of it as what JSON can hold."""
        return {
            "seats": [_to_json(seen) for seen in self.seats],
            "table": _to_json(self.table),
            "compared": self.compared,
            "unseen": self.unseen,
            "caution": in_words("luck.caution"),
        }


class _FaceCounts:
    """The faces that somebody has thrown so far."""

    def __init__(self) -> None:
        self.counts: dict[tuple[Die, str], dict[bytes, int]] = {}

    def add(self, die: Die, how: str, face: bytes) -> None:
        counts = self.counts.setdefault((die, how), {})
        counts[face] = counts.get(face, 0) + 1


def statistics(events: Iterable[KnownEvent]) -> Statistics:
    """The faces of all throws in events as somebody sees them; what was taken back is left out."""
    listed = list(events)
    names = TableNames.of(listed)
    table, heaps = _FaceCounts(), dict[str, _FaceCounts]()
    unseen = sum(1 for e in listed if not e.get("body") and {"slots", "roll"} <= {*e["open"]})
    sums = unfinished_by_seat(rolls_of(listed).values(), lost_commands(listed))
    for by, body in _throws(listed):
        for die, face in zip(_dice(body["pool"]), body["faces"], strict=True):
            for heap in (table, heaps.setdefault(by, _FaceCounts())):
                heap.add(die, body["how"], canonical_json(face))
    found = [
        _seat_statistics(
            seat,
            names.name(seat),
            heaps.get(seat, _FaceCounts()),
            sums.get(seat, UnfinishedCounts()),
        )
        for seat in sorted({*heaps, *sums}, key=_number)
    ]
    all_of_them = UnfinishedCounts(*map(sum, zip(*sums.values(), strict=True)))
    whole = _seat_statistics("", "the table", table, all_of_them)
    compared = sum(_comparisons(seen) for seen in found)
    told = tuple(_with_verdicts(seen, compared) for seen in found)
    return Statistics(told, _with_verdicts(whole, _comparisons(whole)), compared, unseen)


def _number(seat: str) -> tuple[int, str]:
    return (int(seat[1:]) if seat[1:].isdecimal() else 0, seat)


def _throws(events: list[KnownEvent]) -> list[tuple[str, RollThrownEvent]]:
    """Return every throw that counts, with the seat whose roll it was."""
    rollers: dict[str, str] = {}
    thrown: dict[tuple[str, int, int], tuple[str, Any]] = {}
    last: dict[str, list[tuple[str, int, int]]] = {}
    for event in events:
        body, kind = event.get("body"), kind_of(event)
        if not body or not kind.startswith("roll.") or kind == "roll.refused":
            continue  # a call may be refused before there is a roll
        roll = body["roll"]
        if kind == "roll.started":
            rollers[roll] = body["by"]
        elif kind == "roll.thrown":
            place = (roll, body["index"], event["seq"])
            thrown[place] = (rollers.get(roll, body["by"]), body)
            last.setdefault(roll, []).append(place)
        elif kind == "roll.taken_back" and body["taken"] == "faces" and last.get(roll):
            del thrown[last[roll].pop()]
    return list(thrown.values())


def _dice(pool: Json) -> list[Die]:
    """The dice of a pool; what an ordinary die is called makes it no other die."""
    return [die.named("") if die.is_numbered else die for die in value_from_json(pool).dice]


def _seat_statistics(
    seat: str, name: str, heap: _FaceCounts, sums: UnfinishedCounts
) -> SeatStatistics:
    order = sorted(heap.counts, key=lambda key: (key[1], key[0].order))
    dice = tuple(_die_counts(die, how, heap.counts[die, how]) for die, how in order)
    return SeatStatistics(seat, name, dice, _luck(heap), sums)


def _die_counts(die: Die, how: str, counts: dict[bytes, int]) -> DieCounts:
    seen = [counts.get(canonical_json(value_to_json(face)), 0) for face in die.faces]
    throws = sum(seen)
    faces = tuple(
        (face_label(value_to_json(face)), many, throws * weight / die.total)
        for face, many, weight in zip(die.faces, seen, die.weights, strict=True)
        if many or len(seen) <= MOST_LISTED
    )
    return DieCounts(format_die(die), how, len(seen), faces, _p(seen, list(die.weights)))


def _p(seen: list[int], weights: list[int]) -> float | None:
    """How often fair dice are at least as uneven; None where that cannot be said."""
    throws, total = sum(seen), sum(weights)
    is_uneven = len(set(weights)) > 1
    joined: list[list[int]] = []
    for many, weight in sorted(zip(seen, weights, strict=True), key=lambda pair: pair[1]):
        if is_uneven and joined and throws * joined[-1][1] < LEAST_EXPECTED * total:
            joined[-1] = [joined[-1][0] + many, joined[-1][1] + weight]
        else:
            joined.append([many, weight])
    if throws < least_throws(len(joined)) or len(joined) < 2:
        return None
    counted, shares = zip(*joined, strict=True)
    return chi_square_tail(chi_square(counted, shares), len(joined) - 1)


def _luck(heap: _FaceCounts) -> Luck:
    """All numbered faces together: each as far from its mean as its die strays on average."""
    total, throws = 0.0, 0
    for (die, _), counts in heap.counts.items():
        if not all(type(face) is int for face in die.faces) or len(die.faces) < 2:
            continue
        mean = sum(face * weight for face, weight in die.items) / die.total
        strays = sqrt(sum((f - mean) ** 2 * weight for f, weight in die.items) / die.total)
        for face in die.faces:
            many = counts.get(canonical_json(face), 0)
            total += many * (face - mean) / strays
            throws += many
    return Luck(throws, normal_below(total / sqrt(throws)) if throws >= ENOUGH else None)


def _comparisons(seen: SeatStatistics) -> int:
    return sum(die.p is not None for die in seen.dice) + (seen.luck.below is not None)


def _with_verdicts(seen: SeatStatistics, compared: int) -> SeatStatistics:
    dice = tuple(
        die._replace(
            verdict=die_verdict(die_label(die.die), die.throws, die.sides, die.p, compared)
        )
        for die in seen.dice
    )
    verdict = luck_verdict(seen.luck.throws, seen.luck.below, compared)
    return seen._replace(dice=dice, luck=seen.luck._replace(verdict=verdict))


def _to_json(seen: SeatStatistics) -> dict[str, object]:
    dice = [
        {
            "die": die.die,
            "how": die.how,
            "throws": die.throws,
            "faces": [
                {"face": face, "seen": many, "expected": round(due, 2)}
                for face, many, due in die.faces
            ],
            "p": die.p,
            "verdict": die.verdict,
        }
        for die in seen.dice
    ]
    luck = {
        "throws": seen.luck.throws,
        "higher_than": seen.luck.below,
        "verdict": seen.luck.verdict,
    }
    sums = {**seen.given_up._asdict(), "said": seen.given_up.text}
    return {"seat": seen.seat, "name": seen.name, "dice": dice, "luck": luck, "given_up": sums}
