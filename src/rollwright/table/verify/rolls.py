"""Checks of rolls: every entry in its place, from the beginning of a roll to its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rollwright.engine.replay import Done
from rollwright.engine.steps import Throw
from rollwright.plain import Json
from rollwright.table.events import OPEN, SEALED, VISIBILITIES, audience_of, count_of, next_id
from rollwright.table.rolls import Roll
from rollwright.table.verify.calls import Called
from rollwright.table.verify.chain import Row, fields
from rollwright.table.verify.entries import (
    Entries,
    Followed,
    NotReplayable,
    Rulebook,
    Told,
    Wrong,
    because,
    differs,
    is_long,
)
from rollwright.table.verify.people import MARKED, People
from rollwright.table.verify.report import Findings
from rollwright.table.verify.throws import Throws
from rollwright.words.messages import Message, said


@dataclass(slots=True)
class Heard:
    """A secret roll of which nothing is known but that somebody makes it."""

    by: str
    is_open: bool = False
    """Whether it says that it waits for something."""
    has_dice: bool = False


class Rolls:
    """All rolls of a log, followed event by event."""

    def __init__(self, findings: Findings, throws: Throws, people: People, later: Later) -> None:
        self._findings = findings
        self._throws = throws
        self._people = people
        self._entries = Entries(findings, throws, people)
        self._later = later
        self._rolls: dict[str, Followed] = {}
        self._heard: dict[str, Heard] = {}
        self._showing: dict[str, int] = {}
        """Who has shown secret rolls, with how many more nobody had heard of at the last."""
        self._unseen = 0
        self._missing = 0
        self._last = 0
        """The number of the last roll that began."""
        self.rulebook = Rulebook()

    def withhold(self, row: Row) -> None:
        """Take note of an event that may be part of a roll, and cannot be looked into."""
        self._unseen += 1
        roll = row.open.get("roll")
        self._last = max(self._last, count_of(roll))
        known = self._rolls.get(roll) if isinstance(roll, str) else None
        if known is not None and row.kind in _ENTRIES:
            self._lose(known)
        elif known is None and isinstance(roll, str):
            self._hear(row, roll)

    def _hear(self, row: Row, name: str) -> None:
        """Take note of what everybody may know of a secret roll."""
        if row.kind == "roll.started":
            self._heard.setdefault(name, Heard(str(row.open.get("by"))))
        heard = self._heard.get(name)
        if heard is None:
            return
        heard.has_dice = heard.has_dice or row.kind == "roll.thrown"
        if row.kind in _OVER:
            self._count_over(row.kind, has_dice=heard.has_dice)
            heard.is_open = False
        elif "after" in row.open:
            heard.is_open = fields(row.open["after"]).get("step") not in ("done", "stopped")

    def _count_over(self, kind: str, *, has_dice: bool) -> None:
        """Count a roll that was given up, or undone."""
        if kind == "roll.undone":
            self._findings.count("rolls undone")
        else:
            self._findings.count("rolls given up")
            self._findings.count("rolls given up after dice", has_dice)

    def miss(self, events: int) -> None:
        """Note events that are missing, which are reported elsewhere."""
        self._unseen += events
        self._missing += events

    def follow(self, told: Told) -> None:
        """Check an event of a roll."""
        name = told.body.get("roll")
        if not isinstance(name, str):
            self._problem(told, "malformed event", said("verify.whose"))
            return
        if told.kind == "roll.started":
            self._start(told, name)
            self._check_after(told, self._rolls[name])
            return
        roll = self._rolls.get(name) or self._unknown(told, name)
        self._check_openness(told, roll)
        if told.kind in _ENTRIES:
            self._enter(told, roll)
            roll.unseen_at = self._unseen
        elif told.kind in ("roll.waits", "roll.called"):
            self._wait(told, roll)
        elif told.kind == "roll.revealed":
            self._reveal(told, roll)
        elif told.kind in _OVER:
            self._give_up(told, roll)
        self._check_after(told, roll)
        if roll.is_over:
            self._throws.open(told.row, name, told.body.get("keys"))

    def _give_up(self, told: Told, roll: Followed) -> None:
        is_ended = roll.is_settled if told.kind == "roll.undone" else roll.is_over
        if is_ended and not roll.is_partial:
            self._problem(told, "forged event", said("verify.ended"))
        self._count_over(told.kind, has_dice=roll.has_dice)
        roll.is_over = roll.is_settled = True

    def _reveal(self, told: Told, roll: Followed) -> None:
        """Check that whoever shows one of many rolls that nobody heard of says how many there are.

        Some of them may be hidden from us, so there may be more of them than we see.
        """
        by, is_new = roll.roll.by, not roll.roll.revealed
        roll.roll.revealed = True
        self._showing.setdefault(by, 0)
        if roll.roll.announce or roll.roll.visibility == OPEN or not is_new:
            return
        said_so, known = told.body.get("unshown"), self._people.unshown_by(by)
        if known is not None and (type(said_so) is not int or said_so < known):
            self._problem(told, "forged event", said("verify.unshown", n=known))
        self._showing[by] = said_so if type(said_so) is int else 0

    def _kept(self, seat: str) -> int:
        """Return how many secret rolls of somebody everybody knows of, and nobody was shown."""
        told = [one.roll for one in self._rolls.values() if one.roll.by == seat]
        kept = sum(one.is_secret and one.announce for one in told)
        return kept + sum(one.by == seat for one in self._only_heard)

    @property
    def _only_heard(self) -> list[Heard]:
        return [one for name, one in self._heard.items() if name not in self._rolls]

    def check_cut(self, called: Called | None) -> None:
        """Check that all dice were thrown that were due by a call: none is kept for a better one.

        So is no choice that was agreed, since dice follow from it. A roll that has become long may
        wait for another call.
        """
        roll = None if called is None else self._rolls.get(called.roll)
        if called is None or roll is None or roll.replay is None or roll.is_over:
            return
        step = roll.replay.step
        if self._may_hide(roll):
            self._lose(roll)
            return
        if not isinstance(step, Throw):
            if roll.replay.must_choose(roll.roll) and self._people.is_here(roll.roll.by):
                self._findings.problem(called.last, "dropped event", said("verify.choice.kept"))
            return
        if not called.throws and called.is_by_hand:
            self._findings.problem(called.last, "dropped event", said("verify.throw.kept"))
            return
        if called.throws and is_long(called, roll.count, step.pool.size):
            return  # what cannot be thrown at all is refused
        if roll.roll.physical or self._entries.is_for_another(roll, called):
            return
        self._findings.problem(called.last, "dropped event", said("verify.throw.kept"))

    def found(self, name: object) -> Followed | None:
        """A roll by its name."""
        return self._rolls.get(name) if isinstance(name, str) else None

    def can_replay(self, name: object) -> bool:
        """Whether a roll can be played again so far."""
        roll = self.found(name)
        return roll is not None and roll.replay is not None

    def finish(self) -> None:
        """Count what the rolls came to."""
        self._throws.finish()
        for roll in self._rolls.values():
            self._findings.count("rolls")
            if roll.is_partial:
                self._findings.count("rolls with withheld parts")
            elif roll.replay is not None:
                self._findings.count("rolls replayed")
            if not roll.is_over:
                self._findings.count("open rolls")
                self._findings.count("open rolls after dice", roll.has_dice)
        for heard in self._only_heard:
            self._findings.count("open rolls", heard.is_open)
            self._findings.count("open rolls after dice", heard.is_open and heard.has_dice)
        for seat, unshown in self._showing.items():
            self._findings.count("secret rolls kept", self._kept(seat) + unshown)

    def _problem(self, told: Told, what: str, wording: Message | str) -> None:
        self._findings.problem(told.row.seq, what, wording)

    def _may_lack(self, roll: Followed) -> bool:
        """Whether entries of a roll may be missing or hidden here: those are throws alone."""
        step = None if roll.replay is None else roll.replay.step
        is_open = step is not None and (not isinstance(step, Throw) or step.sees is None)
        return self._unseen > roll.unseen_at and not (is_open and not self._missing)

    def _may_hide(self, roll: Followed) -> bool:
        """Whether a throw may have come that the rule hides from us, of a roll not announced.

        Nothing in such an event that everybody may see says which roll it is of.
        """
        step = None if roll.replay is None else roll.replay.step
        is_hidden = isinstance(step, Throw) and step.sees is not None
        return is_hidden and roll.is_quiet and self._unseen > roll.unseen_at

    def _lose(self, roll: Followed) -> None:
        roll.is_partial, roll.replay = True, None

    def _unknown(self, told: Told, name: str) -> Followed:
        """A roll whose beginning was not seen: withheld, or taken out."""
        roll = self._rolls[name] = Followed(_roll(name, {}), self._unseen)
        if self._missing:
            roll.is_partial = True
        elif self._unseen:
            roll.is_partial = True
            self._problem(told, "withheld event", said("verify.begins.withheld", roll=name[:20]))
        elif self._later.starts(name, told.row.seq):
            self._problem(told, "wrong order", said("verify.begins.after", roll=name[:20]))
        else:
            self._problem(told, "dropped event", said("verify.begins.not", roll=name[:20]))
        index = told.body.get("index")
        roll.stand((index if type(index) is int else 0) + (told.kind == "roll.back"))
        return roll

    def _start(self, told: Told, name: str) -> None:
        if name in self._rolls:
            self._problem(told, "repeated event", said("verify.begins.twice", roll=name[:20]))
            return
        self._check_id(told, name)
        roll = self._rolls[name] = Followed(_roll(name, told.body), self._unseen)
        self._check_openness(told, roll)
        what, version = told.body.get("what"), told.body.get("version")
        wrong: Wrong
        try:
            roll.replay = self.rulebook.replay_of(what, version)
            wrong = roll.replay.differs(told.after)
        except NotReplayable:
            self._findings.leave(fields(fields(what).get("request")).get("game"))
            return
        except Exception as problem:  # whatever a stranger's request makes a rule do
            wrong = because(problem)
        if wrong:
            self._problem(told, "altered request", wrong)
            roll.replay = None
        else:
            roll.is_over = self._is_done(roll)

    def _check_after(self, told: Told, roll: Followed) -> None:
        """Check what an event says of how its roll goes on: where it stands, and who goes on."""
        after = fields(told.after)
        if after.get("step") not in ("throw", "choice") or roll.is_partial or roll.is_over:
            return
        wrong = "index" if after.get("index", roll.count) != roll.count else ""
        if roll.replay is not None and not self._findings.has(told.row.seq):
            wrong = wrong or self._entries.goes_on_otherwise(after, roll, roll.replay)
        if wrong:
            say = said("verify.after", field=wrong)
            self._problem(told, "altered outcome", say)

    def _check_openness(self, told: Told, roll: Followed) -> None:
        """Check that nothing of an open roll can be kept from anybody, but for hidden dice."""
        row = told.row
        seen_by = row.open.get("visibility", roll.roll.visibility)
        if seen_by != roll.roll.visibility and not roll.is_partial:
            self._problem(told, "altered event", said("verify.outside"))
        is_marked = MARKED in row.open and told.kind != "roll.thrown"
        if (
            roll.roll.visibility == OPEN
            and not roll.is_partial
            and (row.kind == SEALED or is_marked)
        ):
            say = said("verify.openness", sheet=roll.roll.id[:20])
            self._problem(told, "forged event", say)

    def _check_id(self, told: Told, name: str) -> None:
        """Rolls are numbered one after the other; one that is not announced, by its event."""
        secret = told.body.get("announce") is False
        due = next_id("r", self._last, told.row.seq, secret=secret)
        if name != due and not self._missing:
            say = said("verify.begins.number", roll=name[:20], due=due)
            self._problem(told, "forged event", say)
        self._last = max(self._last, count_of(name))

    def _wait(self, told: Told, roll: Followed) -> None:
        """Check an event that says again what a roll waits for, to those who did not see it."""
        is_ending = fields(told.after).get("step") in ("done", "stopped")
        if (roll.is_over and not roll.is_partial) or is_ending:
            self._problem(told, "forged event", said("verify.ended"))
            return
        wrong = differs(roll.replay.step, told.after) if roll.replay is not None else None
        if wrong and self._may_hide(roll):
            self._lose(roll)
        elif wrong:
            self._problem(told, "altered outcome", wrong)

    def _is_done(self, roll: Followed) -> bool:
        return roll.replay is not None and isinstance(roll.replay.step, Done)

    def _enter(self, told: Told, roll: Followed) -> None:
        if not self._is_in_place(told, roll):
            roll.replay = None
        if told.kind == "roll.thrown":
            self._entries.throw(told, roll)
        elif told.kind == "roll.chosen":
            self._entries.choose(told, roll)
        else:
            self._entries.back(told, roll)
            return
        done = fields(told.after).get("step") in ("done", "stopped")
        roll.is_over = roll.is_over or done or self._is_done(roll)

    def _is_in_place(self, told: Told, roll: Followed) -> bool:
        """Check whether an entry is the next of its roll; report gaps that no secrets explain."""
        index = told.body.get("index")
        due = roll.count - (told.kind == "roll.back")
        roll.skipped = 0
        if type(index) is not int or index < 0:
            self._problem(told, "malformed event", said("verify.where"))
            return False
        if roll.is_over and not self._reopens(told, roll):
            self._problem(told, "forged event", said("verify.ended"))
            return False
        if index == due:
            return True
        roll.stand(index + (told.kind == "roll.back"))
        if index > due and self._may_lack(roll):
            roll.skipped = index - due if roll.is_quiet else 0
            self._lose(roll)
            return False
        if self._later.enters(str(told.body["roll"]), due, told.row.seq):
            say = said("verify.entry.before", came=str(index), due=str(due))
            self._problem(told, "wrong order", say)
        else:
            say = said("verify.entry.due", came=str(index), due=str(due))
            self._problem(told, "dropped event", say)
        return False

    def _reopens(self, told: Told, roll: Followed) -> bool:
        """Whether the roll had ended by what was agreed, and that is taken back in time."""
        if told.kind != "roll.back" or roll.is_settled or roll.ways.get(roll.count - 1) != "agreed":
            return False
        roll.is_over = not self._people.may_reopen(roll.roll.id)
        return not roll.is_over


_ENTRIES = ("roll.thrown", "roll.chosen", "roll.back")
_OVER = ("roll.abandoned", "roll.undone")


class Later:
    """The places of rolls and entries in the log, to tell wrong order from loss."""

    def __init__(self) -> None:
        self._starts: dict[str, int] = {}
        self._entries: dict[tuple[str, int], int] = {}

    def note(self, seq: int, kind: str, body: Mapping[str, Json]) -> None:
        """Take note of an event of a roll."""
        roll, index = body.get("roll"), body.get("index")
        if not isinstance(roll, str):
            return
        if kind == "roll.started":
            self._starts[roll] = seq
        elif kind in ("roll.thrown", "roll.chosen") and type(index) is int:
            self._entries[roll, index] = seq

    def starts(self, roll: str, seq: int) -> bool:
        """Whether a roll begins after an event."""
        return self._starts.get(roll, 0) > seq

    def enters(self, roll: str, index: int, seq: int) -> bool:
        """Whether that entry of a roll comes after an event."""
        return self._entries.get((roll, index), 0) > seq


def _roll(name: str, body: Mapping[str, Json]) -> Roll:
    """A roll with what settles who may choose in it."""
    by, visibility, roles = body.get("by"), body.get("visibility"), body.get("roles")
    by = by if isinstance(by, str) else ""
    visibility = visibility if visibility in VISIBILITIES else OPEN
    named = roles.items() if isinstance(roles, dict) else ()
    away = body.get("away")
    away = away if isinstance(away, list) else []
    return Roll(
        id=name,
        by=by,
        what={},
        version="",
        visibility=visibility,
        announce=body.get("announce") is not False,
        audience=audience_of(visibility, by),
        roles={role: seat for role, seat in named if isinstance(seat, str)},
        physical=body.get("physical") is not False,
        goal=_text(body.get("goal")),
        policy=_text(body.get("policy")),
        each=body.get("each") is True,
        away=tuple(seat for seat in away if isinstance(seat, str)),
    )


def _text(held: Json) -> str:
    return held if isinstance(held, str) else ""
