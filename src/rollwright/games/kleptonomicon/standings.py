"""The players of a Group Test between two Advantages: only what still matters.

Scores are read as coarsely as the request allows. A player who has reached the top mark needs no
more help; only the Advantages they can still give are remembered, together for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .outcomes import BEST, HIGH, MIXED, WORST, Score, score_of
from .requests import Group

MOST_GIFTS = 2
BELOW_ALL = WORST + 1
"""The reading of a Score below every mark."""
LOWEST_GOAL = -30
"""The lowest goal of a request: every Score but 0! reaches it."""


class Mark(NamedTuple):
    """A Score as it is read: its value or the mark it reaches, and what rising to it would earn."""

    value: int
    critical: int = 0
    earns: int = 0
    """Advantages to give away; always 0 where only first Scores earn any."""


class Standing(NamedTuple):
    """One player who may still be helped, or whose Score is still to be shown."""

    who: int
    marks: tuple[Mark, ...]
    """The Score now, and what it becomes as Disadvantage dice are taken away one by one."""
    swallowed: int
    """How many Advantages would only meet Disadvantages beyond the cap."""
    room: int
    """How many more Advantages this player can be given."""
    gifts: int
    """How many Advantages this player can still give."""
    promised: int = 0
    """Advantages given but not yet rolled."""

    def raised(self, mark: Mark) -> Standing:
        """Return the player after a new Score, if that is the better one, with what it earns."""
        before = self.marks[0]
        best = max(before, mark)
        gifts = self.gifts + best.earns - before.earns
        return Standing(self.who, (best,), self.swallowed, self.room, gifts, self.promised)


class Party(NamedTuple):
    """The group between two Advantages."""

    standings: tuple[Standing, ...] = ()
    pool: int = 0
    """Advantages of all who need no help themselves."""
    lost: bool = False
    """Whether the goal is out of reach, whatever is done."""

    def joined(self, other: Party) -> Party:
        """Two parts of a group as one."""
        if self.lost or other.lost:
            return LOST
        return Party(self.standings + other.standings, self.pool + other.pool)

    def givers(self) -> Iterator[Standing | None]:
        """Yield players with an Advantage to give, the needy first; None for the others."""
        yield from [s for s in self.standings if s.gifts]
        if self.pool:
            yield None

    def receivers(self, giver: Standing | None) -> tuple[Standing, ...]:
        """Those who can be given an Advantage: anyone else with room for it."""
        return tuple(
            [s for s in self.standings if s.room and s is not giver and s.marks[0].value < BEST]
        )

    def can_help(self) -> bool:
        """Whether somebody can give to somebody."""
        needy = [s for s in self.standings if s.room and s.marks[0].value < BEST]
        if not needy or self.pool:
            return bool(needy)
        return any([s.gifts and (s is not needy[0] or len(needy) > 1) for s in self.standings])

    def spent(self, giver: Standing | None) -> Party:
        """The group after the giver has used or kept one Advantage."""
        if giver is None:
            return self._replace(pool=self.pool - 1)
        return self.replaced(giver._replace(gifts=giver.gifts - 1))

    def standing_of(self, who: int) -> Standing:
        """Return the state of one of them."""
        for standing in self.standings:
            if standing.who == who:
                return standing
        raise KeyError(who)

    def replaced(self, changed: Standing) -> Party:
        """Return the group with a changed player."""
        who = changed.who
        standings = tuple([changed if s.who == who else s for s in self.standings])
        return Party(standings, self.pool, self.lost)


LOST = Party(lost=True)


def mark_of(request: Group, score: Score) -> Mark:
    """A Score as the request wants it read."""
    earns = score.gifts if request.house.group_chain else 0
    if request.reads_every_score:
        return Mark(score.value, score.critical, earns)
    top = request.top
    if request.house.group_help == "plus_one":
        most = max(top, HIGH) if request.earns_beyond_goal else top
        return Mark(min(score.value, most), score.critical, earns)
    critical = -1 if request.reading == "bands" and score.critical < 0 else 0
    marks = (MIXED, HIGH, request.aim) if request.reading == "bands" else (request.aim,)
    return Mark(max((m for m in marks if m <= score.value), default=BELOW_ALL), critical, earns)


def mark_of_die(request: Group, who: int, kept: int) -> Mark:
    """Return the reading of a player's kept die."""
    beyond = request.house.critical_value == "beyond"
    return mark_of(request, score_of(kept, request.members[who].modifier, beyond=beyond))


def after_first_roll(request: Group, who: int, kept: tuple[int, ...]) -> Party:
    """A group of one: what matters of a player's first roll."""
    player = request.members[who]
    standing = Standing(
        who=who,
        marks=tuple(mark_of_die(request, who, die) for die in kept),
        swallowed=max(0, -3 - player.net) if request.takes_dice_away else 0,
        room=request.rooms[who],
        gifts=score_of(kept[0], player.modifier).gifts,
    )
    if is_settled(request, standing):
        return Party((), standing.gifts)
    if request.reading == "goal" and needed(request, standing) > standing.room:
        return LOST
    return Party((standing,))


def is_settled(request: Group, standing: Standing) -> bool:
    """Whether no help can change what is read of this player any more."""
    now = standing.marks[0]
    if request.reads_every_score or now.value < request.top:
        return False
    return now.earns >= MOST_GIFTS or not request.earns_beyond_goal


def received(request: Group, standing: Standing) -> Standing | None:
    """Return the player after one Advantage, or None if a die has to be rolled for it."""
    if request.house.group_help == "plus_one":
        value, critical, _ = standing.marks[0]
        if value in (WORST, BEST):
            return standing
        return standing.raised(mark_of(request, Score(value + 1, critical)))
    if standing.swallowed:
        return standing._replace(swallowed=standing.swallowed - 1)
    if len(standing.marks) > 1:
        fewer = standing.marks[1:]
        earned = fewer[0].earns - standing.marks[0].earns
        return standing._replace(marks=fewer, gifts=standing.gifts + earned)
    return None


def needed(request: Group, standing: Standing) -> int:
    """The least number of further Advantages by which this player can reach the goal."""
    if request.house.group_help == "plus_one":
        most = request.aim - standing.marks[0].value
    else:
        reach = (n for n, mark in enumerate(standing.marks) if mark.value >= request.aim)
        most = standing.swallowed + next(reach, len(standing.marks))
    return max(0, most - standing.promised)


def tidied(request: Group, party: Party) -> Party:
    """The group without what no longer matters, so that equal situations are equal."""
    if request.reads_every_score or party.lost:
        return party
    pool, needy = party.pool, []
    for standing in party.standings:
        if is_settled(request, standing):
            pool += standing.gifts
        else:
            needy.append(standing)
    party = Party(tuple(needy), pool)
    return _towards_goal(request, party) if request.reading == "goal" else party


def _towards_goal(request: Group, party: Party) -> Party:
    standings, pool, _ = party
    needs = [needed(request, s) for s in standings]
    given = sum(s.gifts for s in standings) + pool
    if any(need > s.room for need, s in zip(needs, standings)):
        return LOST
    if request.house.group_chain:
        open_dice = any(s.promised for s in standings)
        if all(s.marks[0].value >= request.aim for s in standings) and not open_dice:
            return Party((), pool)
        return LOST if any(needs) and not given and not open_dice else party
    if sum(needs) > given or any(n > given - s.gifts for n, s in zip(needs, standings)):
        return LOST
    if request.house.group_looking == "one_by_one":
        spare = given - sum(needs)
        standings = tuple(
            s._replace(room=min(s.room, need + spare)) for s, need in zip(standings, needs)
        )
    return Party(standings, min(pool, sum(s.room for s in standings)))


def may_improve(request: Group, party: Party) -> bool:
    """Whether the lowest Score can still come to something better, with all the help there is.

    Better is the goal where only that is read; else no 0!, the next band, and the goal.
    """
    lowest = _lowest(party)
    steps = (request.aim,) if request.reading == "goal" else (BELOW_ALL, MIXED, HIGH, request.aim)
    return any(lowest < step and _in_reach(request, party, step) for step in steps)


def is_reached(request: Group, party: Party) -> bool:
    """Whether the lowest Score is what the group needs, however much better it might become."""
    return not party.lost and _lowest(party) >= request.aim


def _lowest(party: Party) -> int:
    return min((standing.marks[0].value for standing in party.standings), default=BEST)


def _in_reach(request: Group, party: Party, goal: int) -> bool:
    wanted = request.but(goal=max(goal, LOWEST_GOAL), read="goal")
    return not tidied(wanted, aimed(wanted, party)).lost


def aimed(request: Group, party: Party) -> Party:
    """A group of which every Score is known, as a request with a goal reads it."""
    changed = []
    for standing in party.standings:
        marks = (mark_of(request, Score(mark.value, mark.critical)) for mark in standing.marks)
        changed.append(standing._replace(marks=tuple(marks)))
    return party._replace(standings=tuple(changed))
