"""Checks of rolls: every entry in its place, from the beginning of a roll to its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rollwright.engine.replay import Done
from rollwright.engine.steps import ThrowStep
from rollwright.i18n.messages import Message, msg
from rollwright.jsonable import Json
from rollwright.table.events import OPEN, SEALED, VISIBILITIES, audience_of, count_of, next_id
from rollwright.table.rolls import TableRoll
from rollwright.table.verify.chain import LogRow, fields
from rollwright.table.verify.entries import (
    EntryChecker,
    NotReplayableError,
    RollRow,
    RollTrace,
    RuleFinder,
    Wrong,
    differs,
    is_long,
    reason_of,
)
from rollwright.table.verify.permissions import MARKED, PermissionChecker
from rollwright.table.verify.report import Findings
from rollwright.table.verify.signed_commands import CommandTrace
from rollwright.table.verify.throws import ThrowChecker


@dataclass(slots=True)
class SecretRoll:
    """A secret roll of which nothing is known but that somebody makes it."""

    by: str
    is_open: bool = False
    """Whether it says that it waits for something."""
    is_over: bool = False
    is_settled: bool = False
    """Whether it has ended without an outcome, or was undone."""
    has_dice: bool = False


class RollChecker:
    """All rolls of a log, followed event by event."""

    def __init__(
        self, findings: Findings, throws: ThrowChecker, people: PermissionChecker, later: EntryIndex
    ) -> None:
        self._findings = findings
        self._throws = throws
        self._people = people
        self._entries = EntryChecker(findings, throws, people)
        self._later = later
        self._rolls: dict[str, RollTrace] = {}
        self._heard: dict[str, SecretRoll] = {}
        self._showing: dict[str, int] = {}
        """Who has shown secret rolls, with how many more nobody had heard of at the last."""
        self._unseen = 0
        self._missing = 0
        self._last = 0
        """The number of the last roll that began."""
        self._withheld_at = 0
        """The last event that cannot be looked into."""
        self.rulebook = RuleFinder()

    def withhold(self, row: LogRow) -> None:
        """Take note of an event that may be part of a roll, and cannot be looked into."""
        self._unseen += 1
        self._withheld_at = row.seq
        roll = row.open.get("roll")
        due = next_id("r", self._last, row.seq, secret=False)
        is_named = row.kind == "roll.started" and isinstance(roll, str)
        if is_named and self._people.is_whole and roll != due:
            say = msg("verify.begins.number", roll=str(roll)[:20], due=due)
            self._findings.problem(row.seq, "forged event", say)
        self._last = max(self._last, count_of("r", roll))
        known = self._rolls.get(roll) if isinstance(roll, str) else None
        if known is not None and row.kind in _ENTRIES:
            self._lose(known)
        elif known is None and isinstance(roll, str):
            self._note_secret(row, roll)

    def _note_secret(self, row: LogRow, name: str) -> None:
        """Take note of what everybody may know of a secret roll."""
        if row.kind == "roll.started":
            self._heard.setdefault(name, SecretRoll(str(row.open.get("by"))))
        heard = self._heard.get(name)
        if heard is None:
            return
        self._check_secret(row, heard)
        heard.has_dice = heard.has_dice or row.kind == "roll.thrown"
        if row.kind in _OVER:
            self._count_over(row.kind, has_dice=heard.has_dice)
            heard.is_open = False
        elif "after" in row.open:
            heard.is_open = fields(row.open["after"]).get("step") not in ENDS

    def _check_secret(self, row: LogRow, heard: SecretRoll) -> None:
        """Check that a roll which is hidden from us ends as others do, as far as all may know."""
        step = fields(row.open.get("after")).get("step")
        if row.kind == "roll.undone":
            wrong = "" if heard.is_over else "verify.unended"
            wrong = "verify.ended" if heard.is_settled else wrong
        else:
            goes_on = row.kind in (*STEPS, "roll.cancelled")
            is_past = heard.is_settled if row.kind == "roll.taken_back" else heard.is_over
            wrong = "verify.ended" if goes_on and is_past and row.kind != "roll.started" else ""
        if wrong and not self._missing:
            self._findings.problem(row.seq, "forged event", msg(wrong))
        if row.kind in STEPS:
            heard.is_over = step in ENDS
        heard.is_over = heard.is_over or row.kind in _OVER
        heard.is_settled = heard.is_settled or row.kind in _OVER or step == "stopped"

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

    def follow(self, told: RollRow) -> None:
        """Check an event of a roll."""
        name = told.body.get("roll")
        if not isinstance(name, str):
            self._problem(told, "malformed event", msg("verify.whose"))
            return
        self._check_step(told)
        if told.kind == "roll.started":
            self._start(told, name)
            self._check_after(told, self._rolls[name])
            return
        roll = self._rolls.get(name) or self._unknown(told, name)
        self._check_openness(told, roll)
        if told.kind in _ENTRIES:
            self._enter(told, roll)
            roll.after = fields(told.after)
            roll.unseen_at = self._unseen
        elif told.kind in ("roll.waiting", "roll.called"):
            self._wait(told, roll)
            roll.after = fields(told.after)
        elif told.kind == "roll.revealed":
            self._reveal(told, roll)
        elif told.kind in _OVER:
            self._give_up(told, roll)
        self._check_after(told, roll)
        self._check_asking(told, roll)
        if roll.is_over:
            self._throws.open(told.row, name, told.body.get("keys"))

    def _check_step(self, told: RollRow) -> None:
        """Check that a roll ends as it may: by dice, by a choice, or by a rule that fails at dice.

        Whatever else were refused before it is written.
        """
        step = fields(told.after).get("step")
        if told.kind in STEPS and step not in STEPS[told.kind]:
            what = "forged event" if step in STEPS["roll.thrown"] else "malformed event"
            self._problem(told, what, msg("verify.step.other", step=str(step)[:20]))
        elif step == "stopped" and told.body.get("how") != "fair":
            self._problem(told, "forged event", msg("verify.step.other", step="stopped"))

    def _check_asking(self, told: RollRow, roll: RollTrace) -> None:
        """Check that dice which wait for a witness follow from the call that waits for them."""
        called = self._throws.caller_of(roll.roll.id)
        if "witness" not in told.row.open or called is None or told.kind == "roll.called":
            return
        is_hidden = roll.is_partial or not roll.is_known
        waits = roll.roll.physical or self._entries.is_for_another(roll, called)
        if waits and not is_hidden:
            self._problem(told, "witness passed over", msg("verify.witness.idle"))

    def _give_up(self, told: RollRow, roll: RollTrace) -> None:
        """Check that only an open roll is given up, and only one with an outcome is undone."""
        if told.kind == "roll.undone":
            wrong = "" if roll.is_over else "verify.unended"
            wrong = "verify.ended" if roll.is_settled else wrong
        else:
            wrong = "verify.ended" if roll.is_over else ""
        if wrong and not roll.is_partial:
            self._problem(told, "forged event", msg(wrong))
        self._count_over(told.kind, has_dice=roll.has_dice)
        roll.is_over = roll.is_settled = True

    def _reveal(self, told: RollRow, roll: RollTrace) -> None:
        """Check that whoever shows one of many rolls that nobody heard of says how many there are.

        Some of them may be hidden from us, so there may be more of them than we see.
        """
        by, is_new = roll.roll.by, not roll.roll.revealed
        if roll.is_known and not roll.roll.is_secret:
            say = msg("verify.seen.before", roll=roll.roll.id[:20])
            self._problem(told, "forged event", say)
        roll.roll.revealed = True
        self._showing.setdefault(by, 0)
        if roll.roll.announce or roll.roll.visibility == OPEN or not is_new:
            return
        said_so, known = told.body.get("unshown"), self._people.unshown_by(by)
        if known is not None and (type(said_so) is not int or said_so < known):
            self._problem(told, "forged event", msg("verify.unshown", n=known))
        self._showing[by] = said_so if type(said_so) is int else 0

    def _count_secret(self, seat: str) -> int:
        """Return how many secret rolls of somebody everybody knows of, and nobody was shown."""
        told = [one.roll for one in self._rolls.values() if one.roll.by == seat]
        kept = sum(one.is_secret and one.announce for one in told)
        return kept + sum(one.by == seat for one in self._secret_rolls)

    @property
    def _secret_rolls(self) -> list[SecretRoll]:
        return [one for name, one in self._heard.items() if name not in self._rolls]

    def check_cut(self, called: CommandTrace | None) -> None:
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
        if not isinstance(step, ThrowStep):
            if roll.replay.must_choose(roll.roll) and self._people.was_here(
                roll.roll.by, called.seen
            ):
                self._findings.problem(called.last, "dropped event", msg("verify.choice.kept"))
            return
        if not called.throws and called.is_by_hand:
            self._findings.problem(called.last, "dropped event", msg("verify.throw.kept"))
            return
        if called.throws and is_long(called, roll.count, step.pool.size):
            return  # what cannot be thrown at all is refused
        if roll.roll.physical or self._entries.is_for_another(roll, called):
            return
        self._findings.problem(called.last, "dropped event", msg("verify.throw.kept"))

    def find(self, name: object) -> RollTrace | None:
        """A roll by its name."""
        return self._rolls.get(name) if isinstance(name, str) else None

    def can_replay(self, name: object) -> bool:
        """Whether a roll can be played again so far."""
        roll = self.find(name)
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
        for heard in self._secret_rolls:
            self._findings.count("open rolls", heard.is_open)
            self._findings.count("open rolls after dice", heard.is_open and heard.has_dice)
        for seat, unshown in self._showing.items():
            self._findings.count("secret rolls kept", self._count_secret(seat) + unshown)

    def _problem(self, told: RollRow, what: str, wording: Message | str) -> None:
        self._findings.problem(told.row.seq, what, wording)

    def _may_lack(self, roll: RollTrace) -> bool:
        """Whether entries of a roll may be missing or hidden here: those are throws alone."""
        step = None if roll.replay is None else roll.replay.step
        is_open = step is not None and (not isinstance(step, ThrowStep) or step.sees is None)
        return self._unseen > roll.unseen_at and not (is_open and not self._missing)

    def _may_hide(self, roll: RollTrace) -> bool:
        """Whether a throw may have come that the rule hides from us, of a roll not announced.

        Nothing in such an event that everybody may see says which roll it is of.
        """
        step = None if roll.replay is None else roll.replay.step
        is_hidden = isinstance(step, ThrowStep) and step.sees is not None
        return is_hidden and roll.is_quiet and self._unseen > roll.unseen_at

    def _lose(self, roll: RollTrace) -> None:
        roll.is_partial, roll.replay = True, None

    def _unknown(self, told: RollRow, name: str) -> RollTrace:
        """A roll whose beginning was not seen: withheld, or taken out."""
        roll = self._rolls[name] = RollTrace(_roll(name, {}), self._unseen, is_known=False)
        if self._missing:
            roll.is_partial = True
        elif self._unseen:
            roll.is_partial = True
            self._problem(told, "withheld event", msg("verify.begins.withheld", roll=name[:20]))
        elif self._later.starts(name, told.row.seq):
            self._problem(told, "wrong order", msg("verify.begins.after", roll=name[:20]))
        else:
            self._problem(told, "dropped event", msg("verify.begins.not", roll=name[:20]))
        index = told.body.get("index")
        roll.set_length((index if type(index) is int else 0) + (told.kind == "roll.taken_back"))
        return roll

    def _start(self, told: RollRow, name: str) -> None:
        if name in self._rolls:
            self._problem(told, "repeated event", msg("verify.begins.twice", roll=name[:20]))
            return
        self._check_id(told, name)
        roll = self._rolls[name] = RollTrace(_roll(name, told.body), self._unseen)
        self._check_openness(told, roll)
        roll.after = fields(told.after)
        roll.is_over = roll.after.get("step") == "done"
        what, version = told.body.get("what"), told.body.get("version")
        wrong: Wrong
        request = fields(what).get("request")
        if request is not None and not self._people.plays(fields(request).get("game")):
            self._problem(told, "altered request", msg("verify.other_game"))
            return
        try:
            roll.replay = self.rulebook.replay_of(what, version)
            wrong = roll.replay.differs(told.after)
        except NotReplayableError:
            self._findings.leave(fields(fields(what).get("request")).get("game"))
            return
        except Exception as problem:  # whatever a stranger's request makes a rule do
            wrong = reason_of(problem)
        if wrong:
            self._problem(told, "altered request", wrong)
            roll.replay = None
        else:
            roll.is_over = self._is_over(roll)
        self._check_asking(told, roll)

    def _check_after(self, told: RollRow, roll: RollTrace) -> None:
        """Check what an event says of how its roll goes on: where it stands, and who goes on."""
        after = fields(told.after)
        if after.get("step") not in ("throw", "choice") or roll.is_partial or roll.is_over:
            return
        wrong = "index" if after.get("index", roll.count) != roll.count else ""
        if roll.replay is not None and not self._findings.has(told.row.seq):
            wrong = wrong or self._entries.next_differs(after, roll, roll.replay)
        if wrong:
            say = msg("verify.after", field=wrong)
            self._problem(told, "altered outcome", say)

    def _check_openness(self, told: RollRow, roll: RollTrace) -> None:
        """Check that an event is just as secret as its roll, but for dice that the rule hides.

        Others learn of a secret roll that there is one, unless it is not announced; nothing of an
        open one can be kept from anybody, and that a roll is revealed is for all to see.
        """
        if not roll.is_known:
            return
        row, is_secret = told.row, roll.roll.is_secret and told.kind != "roll.revealed"
        is_marked, is_silent = MARKED in row.open, is_secret and not roll.roll.announce
        if told.kind == "roll.thrown" and not is_secret:
            is_marked = False  # which is checked with the throw
        is_told = is_secret and not is_silent
        says_who = {"by", "visibility"} if told.kind == "roll.started" else {"by"}
        same = (row.kind == SEALED) is is_silent and is_marked is is_told
        told_as = roll.roll.visibility if is_told else None
        same = same and row.open.get("visibility") in (None, told_as)
        if same and (not is_told or says_who <= row.open.keys()):
            return
        say = msg("verify.openness", sheet=roll.roll.id[:20])
        self._problem(told, "forged event", msg("verify.secrecy") if is_secret else say)

    def _check_id(self, told: RollRow, name: str) -> None:
        """Rolls are numbered one after the other; one that is not announced, by its event."""
        secret = told.body.get("announce") is False
        due = next_id("r", self._last, told.row.seq, secret=secret)
        if name != due and not self._missing:
            say = msg("verify.begins.number", roll=name[:20], due=due)
            self._problem(told, "forged event", say)
        self._last = max(self._last, count_of("r", name))

    def _wait(self, told: RollRow, roll: RollTrace) -> None:
        """Check an event that says whom hidden dice wait for, or that dice wait for a witness."""
        if roll.is_over and not roll.is_partial:
            self._problem(told, "forged event", msg("verify.ended"))
            return
        if told.kind == "roll.called":
            is_due = "witness" in told.row.open
        else:
            is_due = told.row.seq - 1 in (roll.threw_at, self._withheld_at) or self._missing > 0
        if not is_due:
            self._problem(told, "forged event", msg("verify.waits.idle"))
        wrong = differs(roll.replay.step, told.after) if roll.replay is not None else None
        if wrong and self._may_hide(roll):
            self._lose(roll)
        elif wrong:
            self._problem(told, "altered outcome", wrong)

    def _is_over(self, roll: RollTrace) -> bool:
        return roll.replay is not None and isinstance(roll.replay.step, Done)

    def _enter(self, told: RollRow, roll: RollTrace) -> None:
        if self._is_in_place(told, roll):
            self._check_entry(told, roll)
        else:
            roll.replay = None
        if told.kind == "roll.thrown":
            roll.threw_at = told.row.seq
            self._entries.throw(told, roll)
        elif told.kind == "roll.chosen":
            self._entries.choose(told, roll)
        else:
            self._entries.take_back(told, roll)
            return
        step = fields(told.after).get("step")
        roll.is_over = roll.is_over or step in ENDS or self._is_over(roll)
        roll.is_settled = roll.is_settled or step == "stopped"

    def _check_entry(self, told: RollRow, roll: RollTrace) -> None:
        """Check that an entry is one that the roll waits for, as the event before says."""
        step = {"roll.thrown": "throw", "roll.chosen": "choice"}.get(told.kind)
        if not roll.is_known or roll.is_partial or step is None:
            return
        if roll.after.get("step") != step:
            say = msg("verify.step.due", step=str(roll.after.get("step"))[:20])
            self._problem(told, "forged event", say)

    def _is_in_place(self, told: RollRow, roll: RollTrace) -> bool:
        """Check whether an entry is the next of its roll; report gaps that no secrets explain."""
        index = told.body.get("index")
        due = roll.count - (told.kind == "roll.taken_back")
        roll.skipped = 0
        if type(index) is not int or index < 0:
            self._problem(told, "malformed event", msg("verify.where"))
            return False
        if roll.is_over and not self._reopens(told, roll):
            self._problem(told, "forged event", msg("verify.ended"))
            return False
        if index == due:
            return True
        roll.set_length(index + (told.kind == "roll.taken_back"))
        if index > due and self._may_lack(roll):
            roll.skipped = index - due if roll.is_quiet else 0
            self._lose(roll)
            return False
        if self._later.enters(str(told.body["roll"]), due, told.row.seq):
            say = msg("verify.entry.before", came=str(index), due=str(due))
            self._problem(told, "wrong order", say)
        else:
            say = msg("verify.entry.due", came=str(index), due=str(due))
            self._problem(told, "dropped event", say)
        return False

    def _reopens(self, told: RollRow, roll: RollTrace) -> bool:
        """Whether the roll had ended by what was agreed, and that is taken back in time."""
        if (
            told.kind != "roll.taken_back"
            or roll.is_settled
            or roll.ways.get(roll.count - 1) != "agreed"
        ):
            return False
        roll.is_over = not self._people.may_reopen(roll.roll.id)
        return not roll.is_over


_ENTRIES = ("roll.thrown", "roll.chosen", "roll.taken_back")
ENDS = ("done", "stopped")
"""Steps at which a roll has ended."""
STEPS = {
    "roll.started": ("throw", "choice", "done"),
    "roll.thrown": ("throw", "choice", *ENDS),
    "roll.chosen": ("throw", "choice", "done"),
    "roll.taken_back": ("throw", "choice"),
    "roll.waiting": ("choice",),
    "roll.called": ("throw",),
}
"""The steps that events of rolls may lead to."""
_OVER = ("roll.cancelled", "roll.undone")


class EntryIndex:
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


def _roll(name: str, body: Mapping[str, Json]) -> TableRoll:
    """A roll with what settles who may choose in it."""
    by, visibility, roles = body.get("by"), body.get("visibility"), body.get("roles")
    by = by if isinstance(by, str) else ""
    visibility = visibility if visibility in VISIBILITIES else OPEN
    named = roles.items() if isinstance(roles, dict) else ()
    away = body.get("away")
    away = away if isinstance(away, list) else []
    return TableRoll(
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
