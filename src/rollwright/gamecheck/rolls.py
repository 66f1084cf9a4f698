"""Checks of rolls: their odds, and whether they can be stored, advised on, shown and narrated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import islice
from math import inf, log, prod
from typing import Any, NamedTuple

from rollwright.api import advise, odds, roll, verify
from rollwright.budget import Budget
from rollwright.dice import Face
from rollwright.engine.odds.count import Situation
from rollwright.engine.sources import Dicebox, SeededSource
from rollwright.engine.steps import Choice, ThrowStep
from rollwright.engine.transcript import ChoiceEntry, Transcript
from rollwright.errors import NeverEnds, RollwrightError, TooMuchWork
from rollwright.exact import Dist
from rollwright.exact.fields import field_names
from rollwright.gamecheck.report import CheckPart
from rollwright.gamecheck.samples import Sample, samples_of
from rollwright.kit.card import Assignment, Offer
from rollwright.kit.games import Decide, Game
from rollwright.kit.requests import Request
from rollwright.kit.words import many

MOST_WAYS = 500
"""A roll with no more ways to fall is played in every one of them."""
MOST_COUNTED = 4
"""Requests of a kind of roll whose odds are compared, and as many that are too much to count."""
ROLLS = 400
FIRST = 25
"""So many rolls by a seed show whether there are more ways than that, before all are tried."""
SURELY = 30.0
"""A frequency is a fault if a sound game shows it less often than once in e^30, or 10^13."""
KEPT = 2
"""Rolls of each comparison that are stored and shown; they are settled by the seed."""
MOST_STEPS, MOST_CHOICES, MOST_OPTIONS, MOST_ENDS = 6, 5, 12, 60
FEW_ROLLS, MOST_DECISIONS = 20, 60
"""Numbers that are looked at of each roll, kind of roll, choice and odds."""


Throws = Sequence[tuple[ThrowStep[Any], tuple[Face, ...]]]
"""Throws of a roll, each with its faces."""


class TriedRoll(NamedTuple):
    """A roll that was played, and where its request comes from."""

    where: str
    transcript: Transcript
    sample: Sample


class PossibleOutcome(NamedTuple):
    """A possible result of a request."""

    where: str
    outcome: Any
    sample: Sample


def first_option(now: Situation) -> Any:
    """Take what changes least."""
    return now.options[0]


def last_option(now: Situation) -> Any:
    """Take what changes most."""
    return now.options[-1]


class EveryWay(Dicebox):
    """Dice that fall in every way there is, one after the other, as a counter counts."""

    def __init__(self) -> None:
        super().__init__()
        self._digits: list[list[int]] = []
        self._place = 0

    def below(self, n: int) -> int:
        """The next digit; a new place of the counter begins at 0."""
        if self._place == len(self._digits):
            self._digits.append([0, n])
        digit, _ = self._digits[self._place]
        self._place += 1
        return digit

    @property
    def chance(self) -> Fraction:
        """How likely it is to fall as it just did."""
        return Fraction(1, prod(sides for _, sides in self._digits))

    def turn(self) -> bool:
        """Go on to the next way; False after the last."""
        self._place = 0
        while self._digits:
            self._digits[-1][0] += 1
            if self._digits[-1][0] < self._digits[-1][1]:
                return True
            self._digits.pop()
        return False


def check_odds(game: Game, part: CheckPart) -> tuple[list[TriedRoll], list[PossibleOutcome]]:
    """Compare what is counted with what is rolled; answers with some of the rolls, and ends."""
    tried: list[TriedRoll] = []
    ends: list[PossibleOutcome] = []
    whole = sampled = requests = 0
    for kind in game.requests:
        samples = samples_of(game, kind)
        if not samples:
            part.fault(kind, "no request of this kind can be made from its form or its house rules")
        counted = uncounted = 0
        for sample in samples:
            if MOST_COUNTED in (counted, uncounted):
                break
            compared = False
            for name, decide in _policies(game, sample.request):
                where = f"{sample.where}, policy {name}"
                with part.trying(where):
                    dist = _count(part, where, sample.request, decide)
                    if dist is None:
                        played = _some_rolls(sample, decide)
                        outcomes = dict.fromkeys(one.outcome for one in played)
                        ends += [PossibleOutcome(where, outcome, sample) for outcome in outcomes]
                        tried += [TriedRoll(where, one, sample) for one in _pick_some(played)]
                        continue
                    compared = True
                    ends += [PossibleOutcome(where, end, sample) for end in list(dist)[:MOST_ENDS]]
                    rolls = _roll_all(where, sample, decide)
                    first = list(islice(rolls, FIRST))
                    fallen, kept = 0, list[Transcript]()
                    if ways_at_least([done.throws for done in first]) <= MOST_WAYS:
                        fallen, kept = _every_way(part, where, sample, decide, dist)
                    if fallen:
                        whole += fallen
                    else:
                        sampled += ROLLS
                        all_rolls = [*first, *islice(rolls, ROLLS - FIRST)]
                        kept = _frequencies(part, where, all_rolls, dist)
                    tried += [TriedRoll(where, one, sample) for one in kept]
                    if not any(map(_chose, kept)):
                        break  # nobody has decided anything: every policy is the same
            counted += compared
            uncounted += not compared
        requests += counted
        if samples and not counted:
            part.leave_out(kind, "no odds of it were compared with rolls")
    ways = f"{whole:,} rolls one by one, {sampled:,} by a seed"
    part.looked_at = f"{many(requests, 'request')}: {ways}, as often as counted"
    return tried, ends


def _some_rolls(sample: Sample, decide: Decide) -> list[Transcript]:
    """A few rolls of what is too large to be counted."""
    rolls = []
    for seed in range(FEW_ROLLS):
        with suppress(EndlessError):
            rolls.append(roll(sample.request, seed=seed, policy=_at_most(decide)))
    return rolls


class EndlessError(Exception):
    """A roll in which more is decided than in any sound one: in this way it may go on for ever."""


def _at_most(decide: Decide) -> Decide:
    """A way to decide that gives up after so many decisions of one roll."""
    left = iter(range(MOST_DECISIONS))

    def decide_once_more(now: Situation) -> Any:
        if next(left, None) is None:
            raise EndlessError
        return decide(now)

    return decide_once_more


def _chose(transcript: Transcript) -> bool:
    return any(isinstance(entry, ChoiceEntry) for entry in transcript.entries)


def _policies(game: Game, request: Request) -> Iterator[tuple[str, Decide]]:
    """The game's ways to decide such a roll, and two that fit every choice."""
    offered = game.card.roll(request.roll).policies
    names = dict.fromkeys((game.usual_policy(request.roll), *offered))
    for name in names:
        if name and name.partition(":")[0] != "best":
            decide = game.policy(name, request)
            assert callable(decide)
            yield name, decide
    yield "first option", first_option
    yield "last option", last_option


def _count(part: CheckPart, where: str, request: Request, decide: Decide) -> Dist[Any] | None:
    """The odds; None where they are too much to count even at a table, or it never ends so."""
    try:
        return odds(request, decide, budget=Budget())
    except NeverEnds:  # there are none
        return None
    except TooMuchWork as refusal:
        part.leave_out(where, refusal.needs)
        return None


def _roll_all(where: str, sample: Sample, decide: Decide) -> Iterator[Transcript]:
    """Roll after roll by a seed."""
    source = SeededSource(f"check {where}")
    while True:
        yield roll(sample.request, source=source, policy=decide)


def ways_at_least(rolls: Sequence[Throws]) -> int:
    """In how many ways the dice of a rule can fall at the least, by what some rolls of it threw.

    A die that goes off at 6 falls in at least 6 ways, and once a 6 was seen, in at least 11:

    >>> ways_at_least([roll("1d6!", faces=[3]).throws])
    6
    >>> ways_at_least([roll("1d6!", faces=[3]).throws, roll("1d6!", faces=[6, 1]).throws])
    11
    """
    begun = [throws for throws in rolls if throws]
    if not begun:
        return 1
    after: dict[object, list[Throws]] = {}
    for (_, faces), *rest in begun:
        after.setdefault(faces, []).append(rest)
    [(first, _), *_], *_ = begun
    seen = sum(ways_at_least(ends) for ends in after.values())
    return first.pool.total - len(after) + seen


def _every_way(
    part: CheckPart, where: str, sample: Sample, decide: Decide, dist: Dist[Any]
) -> tuple[int, list[Transcript]]:
    """Play every way that the dice can fall and compare exactly; 0 where there are too many."""
    source, found, kept = EveryWay(), Counter[Any](), list[Transcript]()
    for ways in range(1, MOST_WAYS + 1):
        try:
            done = roll(sample.request, source=source, policy=decide)
        except NeverEnds:  # one way of them goes on for ever, which nobody will ever see
            return 0, []
        found[done.outcome] += source.chance  # type: ignore[assignment]
        if len(kept) < KEPT or (_chose(done) and not _chose(kept[-1])):
            kept = [*kept[: KEPT - 1], done]
        if not source.turn():
            for outcome in {*found, *dist}:
                if found[outcome] != dist.p(outcome):
                    said = f"{outcome!r} is counted {dist.p(outcome)}, and rolled {found[outcome]}"
                    part.fault(where, said)
            return ways, kept
    return 0, []


def _frequencies(
    part: CheckPart, where: str, rolls: list[Transcript], dist: Dist[Any]
) -> list[Transcript]:
    """Compare how often each value of each field came with how often it should."""
    for done in rolls:
        if not dist.p(done.outcome):
            part.fault(where, f"{done.outcome!r} was rolled, and is counted as impossible")
    names = field_names(next(iter(dist)))
    for name in names or ("",):
        counted = dist.of(name) if name else dist
        came = Counter(getattr(done.outcome, name) if name else done.outcome for done in rolls)
        for value in counted:
            chance, share = counted.p(value), Fraction(came[value], ROLLS)
            if ROLLS * _distance(float(share), float(chance)) > SURELY + log(len(counted)):
                said = f"{name or 'the outcome'} {value!r}: {float(chance):.1%} by the odds"
                part.fault(where, f"{said}, {float(share):.1%} of {ROLLS:,} rolls")
    return _pick_some(rolls)


def _pick_some(rolls: list[Transcript]) -> list[Transcript]:
    """A few of some rolls, those with a choice first."""
    return sorted(rolls, key=_chose, reverse=True)[:KEPT]


def _distance(share: float, chance: float) -> float:
    """How far a share lies from a chance, so that e^(-n · this) bounds how likely that is.

    >>> round(_distance(0.5, 0.25), 3), _distance(0.0, 0.0), _distance(0.5, 0.0)
    (0.144, 0.0, inf)
    """
    parts = ((share, chance), (1 - share, 1 - chance))
    return sum(s * (log(s / c) if c else inf) for s, c in parts if s)


def check_transcripts(game: Game, tried: list[TriedRoll], part: CheckPart) -> None:
    """Check that every roll can be stored, read again and verified, at every step."""
    for where, transcript, _ in tried:
        for so_far in steps_of(transcript):
            with part.trying(where):
                again = verify(so_far.to_json())
                if again != so_far or again.is_done != so_far.is_done:
                    part.fault(where, "read again it is another roll")
                elif so_far.is_done and again.outcome != so_far.outcome:
                    came, now = so_far.outcome, again.outcome
                    part.fault(where, f"it came to {came!r}, and read again to {now!r}")
    rolls = many(len(tried), "roll")
    part.looked_at = f"{rolls}, written down at every step, read again and found true"


def steps_of(transcript: Transcript) -> Iterator[Transcript]:
    """A roll as it stood after each of its first entries, the whole last."""
    so_far = Transcript(transcript.call, request=transcript.request)
    for entry in transcript.entries[: min(MOST_STEPS, len(transcript.entries) - 1)]:
        so_far = so_far.then(entry)
        yield so_far
    yield transcript


def check_advice(game: Game, tried: list[TriedRoll], part: CheckPart) -> None:
    """At every choice there is advice, with a value for each option."""
    seen: set[tuple[str, Any]] = set()
    advised, too_much = 0, set[str]()
    for where, so_far, _ in choices_in(tried):
        request = so_far.request
        assert request is not None
        goal = game.usual_goal(request.roll)
        if not goal:
            part.note(f"{request.roll}: no goal fits it, so nobody is advised")
            continue
        if sum(kind == request.roll for kind, _ in seen) == MOST_CHOICES:
            continue
        if request.roll in too_much:
            continue
        seen.add((request.roll, so_far))
        too_much.add(request.roll)
        with part.trying(f"a choice of {where}"):
            advice = advise(so_far, goal, budget=Budget())
            advised += 1
            too_much.discard(request.roll)
            options, worth = list(so_far.step.options), [one.option for one in advice.options]
            if advice.best not in options or set(worth) != set(options):
                part.fault(where, f"advice is on {worth}, the choice is between {options}")
    part.looked_at = f"{many(advised, 'choice')}, each option with what it is worth"


def choices_in(tried: Sequence[TriedRoll]) -> Iterator[TriedRoll]:
    """Every choice that was met, no two alike."""
    seen: set[tuple[Request | None, Transcript]] = set()
    for where, transcript, sample in tried:
        for so_far in steps_of(transcript):
            if isinstance(so_far.step, Choice) and (so_far.request, so_far) not in seen:
                seen.add((so_far.request, so_far))
                yield TriedRoll(where, so_far, sample)


Shown = Callable[[str, Any], None]
"""Is given every text that is shown, with its place."""


def check_view(
    game: Game, tried: list[TriedRoll], ends: list[PossibleOutcome], part: CheckPart, shown: Shown
) -> None:
    """Every part of the card that shows a roll, at every step, without a net."""
    card, steps = game.card, 0
    for where, transcript, _ in tried:
        request = transcript.request
        assert request is not None
        with part.trying(f"title of {where}"):
            shown("title", card.title(request))
        with part.trying(f"marks of {where}"):
            for faces in card.marks(request).values():
                for mark in faces.values():
                    shown("marks", mark.said)
        for so_far in steps_of(transcript):
            steps += 1
            _check_step(game, where, request, so_far, part, shown)
    for where, outcome, sample in ends:
        with part.trying(f"verdict of {where}"):
            verdict = card.verdict(sample.request, outcome)
            for text in (verdict.word, *verdict.detail, *verdict.paid):
                shown("verdict", text)
            card.is_good(sample.request, outcome)
    rolls = many(len(tried), "roll")
    part.looked_at = f"{many(steps, 'step')} of {rolls}, {many(len(ends), 'verdict')}"


def _check_step(
    game: Game, where: str, request: Request, so_far: Transcript, part: CheckPart, shown: Shown
) -> None:
    card = game.card
    for name in ("label", "told", "throws"):
        with part.trying(f"{name} of {where}"):
            shown(name, getattr(card, name)(request, so_far))
    with part.trying(f"whose of {where}"):
        card.whose(request, so_far)
    with part.trying(f"sum of {where}"):
        added = card.sum(request, so_far)
        for term in added.terms if added else ():
            shown("sum", term)
    with part.trying(f"lies of {where}"):
        faces = {
            (number, place)
            for number, entry in enumerate(so_far.entries)
            for place in range(len(getattr(entry, "faces", ())))
        }
        if odd := set(card.lies(request, so_far)) - faces:
            part.fault(f"lies of {where}", f"there is no die at {sorted(odd)[0]}")
    if isinstance(so_far.step, Choice):
        _check_choice(game, where, request, so_far, part, shown)


def _check_choice(
    game: Game, where: str, request: Request, so_far: Transcript, part: CheckPart, shown: Shown
) -> None:
    """Check the question of a choice and its buttons: no two the same."""
    card, options = game.card, so_far.step.options
    for name in ("ask", "standing"):
        with part.trying(f"{name} of {where}"):
            shown(name, getattr(card, name)(request, so_far))
    labels: dict[str, Any] = {}
    with part.trying(f"offer of {where}"):
        for option in options[:MOST_OPTIONS]:
            offer: Offer = card.offered(request, so_far, option)
            shown("offered", offer.label)
            shown("offered", offer.leads)
            label = repr((offer.label, offer.who))
            if label in labels:
                said = f"{labels[label]!r} and {option!r} have one label, {offer.label}"
                part.fault(f"offer of {where}", said)
            labels[label] = option
    with part.trying(f"assignment of {where}"):
        offered: Assignment | None = card.assignment(request, so_far)
        if offered is not None:
            for place in offered.places:
                shown("assignment", place.label)
            nothing: dict[str, list[int]] = {}
            try:
                card.option_of(request, so_far, nothing)
            except RollwrightError:
                return
