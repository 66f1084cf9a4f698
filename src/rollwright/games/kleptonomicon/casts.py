"""A transcript read back: each 10 with the coin that decided it, every Score of a Group Test, who
helped whom and what came of it; whose dice a throw is, and which of them count.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from functools import reduce
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

from rollwright.dice import Face
from rollwright.engine.steps import Option, ThrowStep
from rollwright.engine.trace import Trace
from rollwright.engine.transcript import ChoiceEntry, Transcript
from rollwright.kit import Request

from .outcomes import Score
from .requests import HELPERS, KEEP, Contest, Group, Test
from .rules import AGAIN, COIN, D10ISH, TOSS, is_won
from .standings import Standing, after_first_roll, mark_of_die, received

Place: TypeAlias = tuple[int, int]
"""The place of a die: the number of the entry, and the place in it."""


class Decided(NamedTuple):
    """A die with its 10 decided: 0 is a 0! and 10 is a 10!."""

    value: int
    face: int
    decider: Face
    """The coin or second roll that decided it; None where none had to."""
    place: Place


class Cast(NamedTuple):
    """Dice thrown together, and the coins or second rolls that decided their 10s."""

    faces: tuple[int, ...]
    places: tuple[Place, ...]
    deciders: tuple[Face, ...] = ()
    is_d10ish: bool = False

    def and_then(self, other: Cast) -> Cast:
        """This cast and a later one as one."""
        faces, places = self.faces + other.faces, self.places + other.places
        return Cast(faces, places, self.deciders + other.deciders, self.is_d10ish)

    @property
    def is_open(self) -> bool:
        """Whether a 10 still waits for its coin."""
        return not self.is_d10ish and 10 in self.faces and not self.deciders

    @property
    def dice(self) -> tuple[Decided, ...]:
        """The dice, every 10 of them decided."""
        return tuple(self._decided())

    def kept(self, net: int) -> Decided:
        """The die that counts: the highest, or the lowest with Disadvantage."""
        return kept_of(self.dice, lowest=net < 0)

    def _decided(self) -> Iterator[Decided]:
        left = list(self.deciders)
        for face, place in zip(self.faces, self.places, strict=True):
            if self.is_d10ish or face != 10 or not self.deciders:
                yield Decided(face, face, None, place)
                continue
            decider = left.pop(0) if len(left) > 1 else left[0]
            yield Decided(10 if is_won(decider) else 0, face, decider, place)


def kept_of(dice: Iterable[Decided], *, lowest: bool) -> Decided:
    """The die that counts."""
    return (min if lowest else max)(dice, key=lambda die: die.value)


def casts_of(transcript: Transcript, entries: Container[int] | None = None) -> list[Cast]:
    """The casts of a roll, or of some entries of it, each with what decided its 10s."""
    found: list[Cast] = []
    throws = iter(transcript.throws)
    for number, entry in enumerate(transcript.entries):
        if isinstance(entry, ChoiceEntry):
            continue
        step, faces = next(throws)
        die = step.pool.dice[0]
        if die == TOSS or (entries is not None and number not in entries):
            continue
        if die in (COIN, AGAIN):
            found[-1] = found[-1]._replace(deciders=faces)
        else:
            places = tuple((number, place) for place in range(len(faces)))
            found.append(Cast(faces, places, (), die == D10ISH))
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
    is_open: bool = False
    """Whether its dice, or the coin of one, are still to be thrown."""


class Story(NamedTuple):
    """A Group Test so far."""

    first: tuple[tuple[str, Cast, Score | None], ...]
    """Each player who has rolled, with the Score; None while a coin is awaited."""
    gifts: tuple[Gift, ...]
    promised: tuple[tuple[str, str], ...]
    """Advantages given at once whose dice still lie in the hand: giver and receiver."""
    scores: tuple[tuple[str, Score], ...]
    """The present Scores of everybody."""
    dice: tuple[tuple[Place, bool], ...]
    """Every die of those who have several, and whether it counts."""


def story_of(request: Group, transcript: Transcript) -> Story:
    """Return the story of a Group Test so far."""
    teller = _Teller(request, transcript.is_done)
    begun, *later = transcript.trace.rules
    for part in begun.parts:
        teller.first_roll(part, _cast_in(transcript, part))
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
    """One player as the story goes on: the rule's own functions compute their Score."""

    def __init__(self, request: Group, who: int) -> None:
        self.request = request
        """The request as if every Score were read, because the narration has every Score."""
        self.who = who
        self.name = request.names[who]
        self.standing: Standing | None = None
        self.lowest_counts = request.members[who].net < 0
        self.dice: list[Decided] = []
        """Those of which one counts."""
        self.thrown: list[Place] = []

    @property
    def now(self) -> Standing:
        assert self.standing is not None  # the helper and the helped have rolled
        return self.standing

    @property
    def kept(self) -> Decided:
        return kept_of(self.dice, lowest=self.lowest_counts)

    @property
    def score(self) -> Score:
        mark = self.now.marks[0]
        return Score(mark.value, mark.critical)

    def roll(self, part: Trace, cast: Cast) -> None:
        """The player's own Test."""
        kept = part.parts[0].outcome
        dice = kept if isinstance(kept, tuple) else (kept,)
        (self.standing,) = after_first_roll(self.request, self.who, dice).standings
        self.dice, self.thrown = list(cast.dice), list(cast.places)

    def gives(self) -> None:
        """Use or keep one Advantage."""
        self.standing = self.now._replace(gifts=self.now.gifts - 1)

    def takes(self) -> bool:
        """Take an Advantage, if no die has to be rolled for it; whether that is so."""
        changed = received(self.request, self.now)
        if changed is None:
            return False
        if len(changed.marks) < len(self.now.marks):  # the last die is taken away
            self.dice.pop()
        self.standing = changed
        return True

    def add(self, cast: Cast) -> None:
        """Late dice: the best counts, also against the die kept with Disadvantage."""
        late = kept_of(cast.dice, lowest=False)
        self.standing = self.now.raised(mark_of_die(self.request, self.who, late.value))
        self.dice, self.lowest_counts = [self.kept, *cast.dice], False
        self.thrown += cast.places

    def lying(self) -> list[tuple[Place, bool]]:
        """All dice that were thrown, with the one that counts, where there are several."""
        if len(self.thrown) < 2:
            return []
        return [(place, place == self.kept.place) for place in self.thrown]


class _Teller:
    """The seats of a Group Test, and their narration, as the story goes on."""

    def __init__(self, request: Group, is_done: bool) -> None:
        self.request = request
        self.is_done = is_done
        every = request.but(read="scores")
        self.seats = [_Seat(every, who) for who in range(len(request.members))]
        self.first: list[tuple[str, Cast, Score | None]] = []
        self.gifts: list[Gift] = []
        self.promised: list[tuple[str, str]] = []

    def story(self) -> Story:
        scores = tuple((seat.name, seat.score) for seat in self.seats if seat.dice)
        dice = tuple(die for seat in self.seats if seat.dice for die in seat.lying())
        return Story(tuple(self.first), tuple(self.gifts), tuple(self.promised), scores, dice)

    def first_roll(self, part: Trace, cast: Cast | None) -> None:
        if cast is None:
            return
        seat = self.seats[part.args[1]]
        if part.is_done:
            seat.roll(part, cast)
        self.first.append((seat.name, cast, seat.score if part.is_done else None))

    def choice(self, chosen: Option, cast: Cast | None) -> None:
        """An Advantage is kept, promised or given; `cast` is what is rolled for it at once."""
        giver = self._giver(chosen.by, chosen.option)
        giver.gives()
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
        helping = (s for s in self.seats if s.now.gifts > 0 and s.score.value >= self.request.top)
        return next(seat for seat in helping if seat.name != receiver)

    def _take(self, giver: str, seat: _Seat, cast: Cast | None) -> None:
        before = seat.score
        needs_die = not seat.takes()
        is_open = needs_die and (cast is None or cast.is_open) and not self.is_done
        if needs_die and cast is not None and not cast.is_open:
            seat.add(cast)
        undid = not needs_die and self.request.house.group_help == "extra_die"
        shown = cast if needs_die else None
        self.gifts.append(Gift(giver, seat.name, before, seat.score, shown, undid, is_open))

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
                    self.gifts.append(self.gifts[-1]._replace(giver=giver))


def whose(request: Request, transcript: Transcript) -> str:
    """Return the name of the present thrower; empty for the roller, or nobody in particular."""
    step = transcript.step
    if not isinstance(step, ThrowStep) or step.pool.dice[0] == TOSS:
        return ""
    return owner(request, transcript.trace)


def owner(request: Request, trace: Trace) -> str:
    """Return the name of the owner of the last dice; empty for the roller."""
    if isinstance(request, Contest):
        return request.names[len(trace.runs_of("kept_die")) - 1]
    if isinstance(request, Group):
        who: int = trace.runs_of("first_roll", "late_dice")[-1].args[1]
        return request.names[who]
    return ""


def thrower(request: Contest | Group, transcript: Transcript) -> str:
    """Return the name of the one who made the last throw."""
    last = len(transcript.entries) - 1
    parts = [part for part in transcript.trace.parts if last in part.entries]
    if not parts:
        return ""
    if isinstance(request, Contest):
        return request.names[transcript.trace.parts.index(parts[0])]
    who = parts[0].args[1]
    return request.names[who.who if isinstance(who, Standing) else who]


def lying(request: Request, transcript: Transcript) -> dict[Place, bool]:
    """Every die that was thrown among several, and whether it counts."""
    if isinstance(request, Group):
        return dict(story_of(request, transcript).dice)
    if isinstance(request, Contest):
        nets = [request.first.net, request.second.net]
    else:
        nets = [request.net] if isinstance(request, Test) and not request.dice else []
    found: dict[Place, bool] = {}
    for net, cast in zip(nets, casts_of(transcript)):
        if len(cast.faces) > 1 and not cast.is_open:
            kept = cast.kept(net)
            found |= {place: place == kept.place for place in cast.places}
    return found
