"""A Group Test told from its transcript: every Score, who helped whom, what came of it; and
whose dice any roll waits for.
"""

from __future__ import annotations

from typing import NamedTuple

from rollwright.engine.steps import Throw
from rollwright.engine.transcript import Chosen, Transcript
from rollwright.games.kleptonomicon.casts import Cast, casts_of
from rollwright.games.kleptonomicon.requests import HELPERS, KEEP, Contest, Group
from rollwright.games.kleptonomicon.scores import BEST, WORST, Score, gifts_of, score_of
from rollwright.games.kleptonomicon.standings import takes_dice_away
from rollwright.kit import Request


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
    return _Teller(request, transcript).told()


def who_helped_whom(request: Group, transcript: Transcript) -> tuple[tuple[str, str], ...]:
    """Giver and receiver of every Advantage, in the order they were given."""
    story = story_of(request, transcript)
    given = [(gift.giver, gift.receiver) for gift in story.gifts if gift.receiver]
    return (*given, *story.promised)


def awaited(request: Group, transcript: Transcript) -> str:
    """Whose dice a Group Test waits for: in their own Test, or for the help they were given."""
    return _Teller(request, transcript).awaited()


class _Seat:
    """One player as the story goes on."""

    def __init__(self, request: Group, who: int) -> None:
        self.request = request
        self.player = request.members[who]
        self.name = request.names[who]
        self.dice_count = min(3, abs(self.player.net)) + 1
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
        self.gifts = gifts_of(self.score)

    def needs_die(self) -> bool:
        """Take an Advantage; whether a die has to be rolled for it."""
        if self.request.house.group_help == "plus_one":
            self.points += 1
        elif not (self.lowest_counts and takes_dice_away(self.request)):
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
    def __init__(self, request: Group, transcript: Transcript) -> None:
        self.request = request
        self.is_done = transcript.is_done
        self.events = casts_of(transcript)
        self.seats = [_Seat(request, who) for who in range(len(request.members))]
        self.first: list[tuple[str, Cast, Score | None]] = []
        self.gifts: list[Gift] = []
        self.promised: list[tuple[str, str]] = []

    def told(self) -> Story:
        for seat in self.seats:
            self._first_roll(seat)
        while self.events:
            if isinstance(self.events[0], Chosen):
                self._choice()
            else:
                self._roll_promised()
        if self.is_done:
            self._roll_promised()
        rolled = [seat for seat in self.seats if seat.dice]
        return Story(
            tuple(self.first),
            tuple(self.gifts),
            tuple(self.promised),
            tuple((seat.name, seat.score) for seat in rolled),
        )

    def awaited(self) -> str:
        story = self.told()
        for name, _, score in story.first:
            if score is None:
                return name
        if len(story.first) < len(self.seats):
            return self.seats[len(story.first)].name
        self._roll_promised()  # whoever was promised dice and has none yet throws them now
        open_ones = [g for g in self.gifts if g.receiver and not g.undid and _is_open(g.cast)]
        return open_ones[0].receiver if open_ones else ""

    def _next_cast(self) -> Cast | None:
        if self.events and isinstance(self.events[0], Cast):
            cast = self.events.pop(0)
            assert isinstance(cast, Cast)
            return cast
        return None

    def _first_roll(self, seat: _Seat) -> None:
        cast = self._next_cast()
        if cast is None:
            return
        while len(cast.faces) < seat.dice_count and (more := self._next_cast()):
            cast = cast.and_then(more)
        if cast.is_open or len(cast.faces) < seat.dice_count:
            self.first.append((seat.name, cast, None))
            return
        seat.roll(cast)
        self.first.append((seat.name, cast, seat.score))

    def _choice(self) -> None:
        chosen = self.events.pop(0)
        assert isinstance(chosen, Chosen)
        giver = self._giver(chosen.by, str(chosen.option))
        giver.gifts -= 1
        if chosen.option == KEEP:
            self.gifts.append(Gift(giver.name, "", giver.score, giver.score, None))
        elif self.request.house.group_looking == "at_once":
            self.promised.append((giver.name, str(chosen.option)))
        else:
            self._take(giver.name, self._seat(str(chosen.option)))

    def _seat(self, name: str) -> _Seat:
        return next(seat for seat in self.seats if seat.name == name)

    def _giver(self, by: str, receiver: str) -> _Seat:
        """Whose Advantage it was: of helpers who need no help, the first in the list."""
        top = self.request.top
        for _ in range(2):
            for seat in self.seats:
                helps = seat.score.value >= top if by == HELPERS else seat.name == by
                if helps and seat.gifts > 0 and seat.name != receiver:
                    return seat
            self._roll_promised()  # only what came of it earned the Advantage that is given now
        return self._seat(by)

    def _take(self, giver: str, seat: _Seat, cast: Cast | None = None) -> None:
        before = seat.score
        needs_die = seat.needs_die()
        if needs_die and cast is None:
            cast = self._next_cast()
        if needs_die and cast is not None and not cast.is_open:
            seat.add(cast)
        if self.request.house.group_chain:
            seat.gifts += max(0, gifts_of(seat.score) - gifts_of(before))
        undid = not needs_die and self.request.house.group_help == "extra_die"
        shown = cast if needs_die else None
        self.gifts.append(Gift(giver, seat.name, before, seat.score, shown, undid))

    def _roll_promised(self) -> None:
        """All dice that were given at once are rolled, player by player in the list's order."""
        promised, self.promised = self.promised, []
        for seat in self.seats:
            cast: Cast | None = None
            for giver, receiver in promised:
                if receiver == seat.name:
                    cast = self._share(giver, seat, cast)

    def _share(self, giver: str, seat: _Seat, cast: Cast | None) -> Cast | None:
        """One of several promised dice: the first that is needed brings all of them."""
        if cast is None:
            self._take(giver, seat)
            return self.gifts[-1].cast
        self.gifts.append(Gift(giver, seat.name, self.gifts[-1].before, seat.score, cast))
        return cast


def _is_open(cast: Cast | None) -> bool:
    return cast is None or cast.is_open


def whose(request: Request, transcript: Transcript) -> str:
    """The name of whoever throws now; empty where it is the roller, or nobody in particular."""
    if not isinstance(transcript.step, Throw):
        return ""
    if isinstance(request, Group):
        return awaited(request, transcript)
    return _side(request, transcript) if isinstance(request, Contest) else ""


def _side(request: Contest, transcript: Transcript) -> str:
    """The side of a Contest that is not done with its dice; nobody for the toss between them."""
    casts = [cast for cast in casts_of(transcript) if isinstance(cast, Cast)]
    done = len([cast for cast in casts if not cast.is_open])
    return request.names[done] if done < len(request.names) else ""
