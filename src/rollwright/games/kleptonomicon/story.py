"""A transcript read back: each 10 with the coin that decided it, every Score of a Group Test, who
helped whom and what came of it; and whose dice any roll waits for.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from functools import reduce
from itertools import zip_longest
from typing import Any, NamedTuple

from rollwright.engine.steps import Throw
from rollwright.engine.trace import Trace
from rollwright.engine.transcript import Chosen, Transcript
from rollwright.kit import Request
from rollwright.kit.words import listed

from .outcomes import BEST, WORST, Score, score_of
from .requests import HELPERS, KEEP, Contest, Group
from .rules import AGAIN, COIN, D10ISH, TOSS, is_won


class Cast(NamedTuple):
    """Dice thrown together, and the coins or second rolls that decided their 10s."""

    faces: tuple[int, ...]
    deciders: tuple[Any, ...] = ()
    is_d10ish: bool = False

    def and_then(self, other: Cast) -> Cast:
        """This cast and a later one as one."""
        return Cast(self.faces + other.faces, self.deciders + other.deciders, self.is_d10ish)

    @property
    def is_open(self) -> bool:
        """Whether a 10 still waits for its coin."""
        return not self.is_d10ish and 10 in self.faces and not self.deciders

    @property
    def values(self) -> tuple[int, ...]:
        """The dice with every 10 decided: 0 is a 0! and 10 is a 10!."""
        return tuple(value for _, value, _ in self._decided())

    @property
    def said(self) -> str:
        """The dice in words: `4 and 10 (coin lost, so 0!)`."""
        return listed([_said(*die) for die in self._decided()])

    def _decided(self) -> Iterator[tuple[int, int, Any]]:
        left = list(self.deciders)
        for face in self.faces:
            if self.is_d10ish or face != 10 or not self.deciders:
                yield face, face, None
                continue
            decider = left.pop(0) if len(left) > 1 else left[0]
            yield face, 10 if is_won(decider) else 0, decider


def _said(face: int, value: int, decider: Any) -> str:
    if decider is None:
        return str(face)
    how = f"coin {decider}" if isinstance(decider, str) else f"rolled again: {decider}"
    return f"{face} ({how}, so {value}!)"


def casts_of(transcript: Transcript, entries: Container[int] | None = None) -> list[Cast]:
    """The casts of a roll, or of some entries of it, each with what decided its 10s."""
    found: list[Cast] = []
    throws = iter(transcript.throws)
    for number, entry in enumerate(transcript.entries):
        if isinstance(entry, Chosen):
            continue
        step, faces = next(throws)
        die = step.pool.dice[0]
        if die == TOSS or (entries is not None and number not in entries):
            continue
        if die in (COIN, AGAIN):
            found[-1] = found[-1]._replace(deciders=faces)
        else:
            found.append(Cast(faces, (), die == D10ISH))
    return found


class Gift(NamedTuple):
    """One Advantage: who gave it to whom, and what came of it."""

    giver: str
    receiver: str
    """Empty where the Advantage was kept."""
    before: Score
    after: Score
    cast: Cast | None
    """The dice that were rolled for it, if any were."""
    undid: bool = False
    """Whether it met a Disadvantage."""


class Story(NamedTuple):
    """A Group Test so far."""

    first: tuple[tuple[str, Cast, Score | None], ...]
    """Each player who has rolled, with the Score; None while a coin is awaited."""
    gifts: tuple[Gift, ...]
    promised: tuple[tuple[str, str], ...]
    """Advantages given at once whose dice still lie in the hand: giver and receiver."""
    scores: tuple[tuple[str, Score], ...]
    """Where everybody stands now."""


def story_of(request: Group, transcript: Transcript) -> Story:
    """What has happened in a Group Test so far."""
    teller = _Teller(request)
    begun, *later = transcript.trace.rules
    for part in begun.parts:
        teller.first_roll(part.args[1], _cast_in(transcript, part), part.is_done)
    for here, after in zip_longest(later, later[1:]):
        if here.rule == "give_help" and here.entries:
            chosen = transcript.entries[here.entries[0]]
            rolls = after is not None and after.rule == "roll_gift"
            teller.choice(chosen, _cast_in(transcript, *after.parts) if rolls else None)
        elif here.rule == "roll_promised":
            casts = {part.args[1].who: _cast_in(transcript, part) for part in here.parts}
            if after is not None or any(casts.values()):
                teller.roll_promised(casts)
    if transcript.is_done:
        teller.roll_promised({})  # what was given and could not help any more
    return teller.story()


def _cast_in(transcript: Transcript, *parts: Trace) -> Cast | None:
    """All dice of a part of the rule, as one cast; None before any is thrown."""
    entries = [number for part in parts for number in part.entries]
    casts = casts_of(transcript, entries)
    return reduce(Cast.and_then, casts) if casts else None


def who_helped_whom(request: Group, transcript: Transcript) -> tuple[tuple[str, str], ...]:
    """Giver and receiver of every Advantage, in the order they were given."""
    story = story_of(request, transcript)
    given = [(gift.giver, gift.receiver) for gift in story.gifts if gift.receiver]
    return (*given, *story.promised)


class _Seat:
    """One player as the story goes on."""

    def __init__(self, request: Group, who: int) -> None:
        self.request = request
        self.player = request.members[who]
        self.name = request.names[who]
        self.lowest_counts = self.player.net < 0
        self.swallowed = max(0, -3 - self.player.net)
        self.dice: list[int] = []
        self.points = 0
        self.gifts = 0

    @property
    def score(self) -> Score:
        kept = min(self.dice) if self.lowest_counts else max(self.dice)
        beyond = self.request.house.critical_value == "beyond"
        score = score_of(kept, self.player.modifier, beyond=beyond)
        if score.value in (WORST, BEST):
            return score
        return score._replace(value=score.value + self.points)

    def roll(self, cast: Cast) -> None:
        """The player's own Test."""
        self.dice = list(cast.values)
        self.gifts = self.score.gifts

    def needs_die(self) -> bool:
        """Take an Advantage; whether a die has to be rolled for it."""
        if self.request.house.group_help == "plus_one":
            self.points += 1
        elif not (self.lowest_counts and self.request.takes_dice_away):
            return True
        elif self.swallowed:
            self.swallowed -= 1
        elif len(self.dice) > 1:
            self.dice.pop()
        else:
            self.lowest_counts = False
            return True
        return False

    def add(self, cast: Cast) -> None:
        """Late dice: the best counts, also against the die kept with Disadvantage."""
        kept = min(self.dice) if self.lowest_counts else max(self.dice)
        self.dice, self.lowest_counts = [kept, *cast.values], False


class _Teller:
    """The seats of a Group Test, and what is told of them, as the story goes on."""

    def __init__(self, request: Group) -> None:
        self.request = request
        self.seats = [_Seat(request, who) for who in range(len(request.members))]
        self.first: list[tuple[str, Cast, Score | None]] = []
        self.gifts: list[Gift] = []
        self.promised: list[tuple[str, str]] = []

    def story(self) -> Story:
        scores = tuple((seat.name, seat.score) for seat in self.seats if seat.dice)
        return Story(tuple(self.first), tuple(self.gifts), tuple(self.promised), scores)

    def first_roll(self, who: int, cast: Cast | None, is_done: bool) -> None:
        if cast is None:
            return
        seat = self.seats[who]
        if is_done:
            seat.roll(cast)
        self.first.append((seat.name, cast, seat.score if is_done else None))

    def choice(self, chosen: Any, cast: Cast | None) -> None:
        """An Advantage is kept, promised or given; `cast` is what is rolled for it at once."""
        giver = self._giver(chosen.by, chosen.option)
        giver.gifts -= 1
        if chosen.option == KEEP:
            self.gifts.append(Gift(giver.name, "", giver.score, giver.score, None))
        elif self.request.house.group_looking == "at_once":
            self.promised.append((giver.name, chosen.option))
        else:
            self._take(giver.name, self._seat(chosen.option), cast)

    def _seat(self, name: str) -> _Seat:
        return next(seat for seat in self.seats if seat.name == name)

    def _giver(self, by: str, receiver: str) -> _Seat:
        """Whose Advantage it was: of helpers who need no help, the first in the list."""
        if by != HELPERS:
            return self._seat(by)
        helping = (s for s in self.seats if s.gifts > 0 and s.score.value >= self.request.top)
        return next(seat for seat in helping if seat.name != receiver)

    def _take(self, giver: str, seat: _Seat, cast: Cast | None) -> None:
        before = seat.score
        needs_die = seat.needs_die()
        if needs_die and cast is not None and not cast.is_open:
            seat.add(cast)
        if self.request.house.group_chain:
            seat.gifts += max(0, seat.score.gifts - before.gifts)
        undid = not needs_die and self.request.house.group_help == "extra_die"
        shown = cast if needs_die else None
        self.gifts.append(Gift(giver, seat.name, before, seat.score, shown, undid))

    def roll_promised(self, casts: Mapping[int, Cast | None]) -> None:
        """All dice that were given at once are rolled; the first that is needed brings all."""
        promised, self.promised = self.promised, []
        for who, seat in enumerate(self.seats):
            cast: Cast | None = None
            for giver in [giver for giver, receiver in promised if receiver == seat.name]:
                if cast is None:
                    self._take(giver, seat, casts.get(who))
                    cast = self.gifts[-1].cast
                else:
                    before = self.gifts[-1].before
                    self.gifts.append(Gift(giver, seat.name, before, seat.score, cast))


def whose(request: Request, transcript: Transcript) -> str:
    """The name of whoever throws now; empty where it is the roller, or nobody in particular."""
    step, trace = transcript.step, transcript.trace
    if not isinstance(step, Throw) or step.pool.dice[0] == TOSS:
        return ""
    if isinstance(request, Contest):
        return request.names[len(trace.played("kept_die")) - 1]
    if isinstance(request, Group):
        who: int = trace.played("first_roll", "late_dice")[-1].args[1]
        return request.names[who]
    return ""
