"""A roll at the table that goes on: fair or typed faces, choices, and its end."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

from rollwright.engine.steps import Choice, Option, ThrowStep
from rollwright.engine.transcript import ChoiceEntry, ThrowEntry, Transcript
from rollwright.engine.values import value_from_json, value_to_json
from rollwright.errors import Cancelled, RollwrightError
from rollwright.hooks import text_to_json
from rollwright.i18n.messages import Message, msg
from rollwright.jsonable import Json, canonical_json
from rollwright.kit.agreements import agreed_option
from rollwright.kit.card.choices import choice_to_json, option_text
from rollwright.kit.card.endings import narration_to_json
from rollwright.kit.card.marks import dice_names, marks_read, skill_text, thrower_of
from rollwright.kit.games import find_game
from rollwright.kit.words import about_to_json, find_face, question
from rollwright.table import schemas
from rollwright.table.commands.writer import EventWriter
from rollwright.table.devices import CommandPlace
from rollwright.table.effects import NOTHING, EffectResult, Ending, settle_effects
from rollwright.table.errors import WITHIN, CodedError, as_command_errors, cut
from rollwright.table.events import (
    REFEREE,
    SPECTATOR,
    Audience,
    OptionsData,
    PublicPart,
    SecretStepData,
    WitnessRequest,
    intersection,
)
from rollwright.table.options import count_options, list_options
from rollwright.table.rolls import (
    DONE,
    FAIR,
    TYPED,
    TableRoll,
    owner_of,
    player_of,
    policy_applies,
    seers_of,
)
from rollwright.table.sheets import Sheet
from rollwright.table.transcripts import (
    add_throw,
    ending_data,
    full_transcript,
    live_transcript,
    pool_dice_names,
    remember,
    throw_data,
)

log = logging.getLogger("rollwright.table")


class RollExecution:
    """One roll in the course of one command."""

    def __init__(
        self,
        writer: EventWriter,
        roll: TableRoll,
        transcript: Transcript | None = None,
        *,
        begins: bool = False,
    ) -> None:
        self.writer = writer
        writer.weigh(roll.dice, len(roll.entries))
        self.roll = roll if begins else roll.copy()  # one that begins is nobody else's yet
        if transcript is None:
            with as_command_errors("roll"):
                transcript = live_transcript(writer.state.table, roll)
        self.transcript = transcript
        self._settled: EffectResult = NOTHING
        self._stopped: schemas.FailureStepData | None = None
        self._is_passed_over = False
        self._is_called = False
        """Whether dice are called for by hand, whatever the roll is thrown with otherwise."""
        self._fair: list[schemas.FairThrow] = []
        """The proofs of the throws that this command has made."""
        self._bytes = 0
        """Those of their faces."""
        self._offers: OptionsData | None = None
        """The options of the choice that it waits for, as the next event's seers get them."""

    def start(self, note: str, again: str = "") -> None:
        """Write that the roll has begun; `again` is the one that is rolled again by it."""
        roll = self.roll
        body: schemas.RollStartedEvent = {
            "by": roll.by,
            "roll": roll.id,
            "what": roll.what,
            "title": roll.title,
            "sheet": roll.sheet,
            "visibility": roll.visibility,
            "announce": roll.announce,
            "note": self.writer.seal(note),
            "roles": roll.roles,
            "ask": roll.ask,
            "physical": roll.physical,
            "goal": roll.goal,
            "version": roll.version,
            "after": self._after(roll.seers),
        }
        if roll.policy:
            body["policy"] = roll.policy
        if roll.bound:
            body["bound"] = True
        if roll.each:
            body["each"] = True
        if roll.away:
            body["away"] = list(roll.away)
        if again:
            body["again"] = again
        if roll.draft is not None:
            body["draft"] = roll.draft
        request = self.transcript.request
        if request is not None:
            marks = marks_read(request, openly=not roll.is_secret)
            if marks.hash:
                body["marks"] = marks.hash
        self._write("roll.started", body, roll.seers)
        self._finish()

    def advance(self, *, once: bool = False) -> None:
        """Throw while the rule waits for dice of the table; with `once`, also for physical ones.

        Choices of the roller are made as decided in advance. Once dice have been thrown, nothing is
        refused any more: nobody could know whether the faces were only disliked. A roll without
        room for its next throw waits.
        """
        while not self.is_over:
            if isinstance(self.transcript.step, Choice):
                agreed = self._policy_options(self.transcript.step)
                if not agreed:
                    break
                self.choose(*agreed, agreed=True)
                continue
            if not once and self._is_for_others():
                break
            if self.roll.physical and not once:
                if self.transcript.step.pool:
                    break
                self._write_throw(ThrowEntry((), TYPED))
                continue
            if self._witness(once=once) is not None:
                self._check_space()  # now: once the witness has answered, there is no way out
                break
            if self._fair and self._has_thrown_enough():
                break
            self._throw()
            once = False
        if self._stopped is None:
            remember(self.writer.state.table, self.roll, self.transcript)

    @property
    def is_over(self) -> bool:
        """Whether the roll has come to its end, or cannot come to one."""
        return self._stopped is not None or self.transcript.is_done

    def _has_thrown_enough(self) -> bool:
        """Whether the next dice wait for another call.

        That goes by what is proven and by nothing else: a host that could have a roll wait would
        do so before dice that it dislikes.
        """
        limits, pool = self.writer.limits, self.transcript.step.pool
        is_long = len(self._fair) >= limits.throws or self._bytes > limits.run_bytes
        return is_long or len(self.roll.entries) >= limits.entries or pool.size > limits.dice

    def _throw(self) -> None:
        step = self.transcript.step
        if not self._fair and not self._had_witness:
            self._check_space()
        self.writer.weigh(step.pool.size)
        dice, fair = self.writer.fair_throw()
        self._fair.append(fair)
        faces = dice.throw(step.pool)
        self._bytes += len(canonical_json([value_to_json(face) for face in faces]))
        self._write_throw(ThrowEntry(faces, FAIR), fair)

    @property
    def _had_witness(self) -> bool:
        """Whether the dice have waited for a witness."""
        call = self.writer.call
        return self._is_passed_over or (call is not None and bool(call.witness))

    def _is_for_others(self) -> bool:
        """Whether the next dice are thrown by another call: their owner's, or one that may."""
        call = self.writer.call
        return call is None or not call.lane or self._owner() not in ("", self.writer.by)

    def _witness(self, *, once: bool = False) -> WitnessRequest | None:
        """The witness whose number the next dice of this command wait for."""
        call = self.writer.call
        if call is None or not call.lane or self._had_witness or self._fair:
            return None
        if not isinstance(self.transcript.step, ThrowStep):
            return None
        if not once and (self.roll.physical or self._is_for_others()):
            return None
        return self.writer.find_witness()

    def call_witness(self) -> bool:
        """Write that dice are called for, where they wait for a witness; whether they do."""
        if self._witness(once=True) is None:
            return False
        self._check_space()
        self._is_called = True
        after = self._after(self.roll.seers)
        body = schemas.RollWaitingEvent(by=self.writer.by, roll=self.roll.id, after=after)
        self._write("roll.called", body, self.roll.seers)
        return True

    def advance_without_witness(self, *, once: bool) -> None:
        """Throw although no witness has given a number: none is left who might."""
        self._is_passed_over = True
        self.advance(once=once)

    def _close_keys(self) -> None:
        """Keep the key of the call until the roll ends: by it, anybody could draw hidden dice."""
        call = self.writer.call
        assert call is not None
        for fair in self._fair:
            fair.pop("key", None)
        seq = call.seq or self.writer.seq  # the throw itself may be what was called for
        if seq not in self.roll.closed:
            self.roll.closed = (*self.roll.closed, seq)
            self.roll.calls[seq] = CommandPlace(seq, call.by, call.lane, call.number, call.command)

    def enter(self, came: Iterable[Json]) -> None:
        """Faces of physical dice."""
        pool = self.transcript.step.pool
        self._check_space()
        with as_command_errors("faces"):
            values = [value_from_json(face, f"faces[{n}]") for n, face in enumerate(came)]
            meant = [find_face(die, face) for die, face in zip(pool.dice, values)]
            faces = (*meant, *values[len(meant) :])
            self._write_throw(ThrowEntry(faces, TYPED))

    def _write_throw(self, entry: ThrowEntry, fair: schemas.FairThrow | None = None) -> None:
        """One throw: its faces, who sees them, and what the roll waits for then."""
        step = self.transcript.step
        index = len(self.roll.entries)
        whose = self._whose()
        if fair is None:
            with as_command_errors("faces"):
                self.transcript = self.transcript.then(entry)
        else:
            openly = step.sees is None and not self.roll.is_secret and not self.roll.veiled
            try:
                self.transcript = add_throw(self.transcript, entry, openly=openly)
            except (Exception, SystemExit) as problem:
                self._stop(problem)
        faces = [value_to_json(face) for face in entry.faces]
        self.roll.entries.append({"faces": faces, "how": entry.how})
        veil = seers_of(self.roll, step.sees)
        veiled = veil != self.roll.seers
        says_all = self._stopped is None and (self.transcript.is_done or self._shows_all(veil))
        if says_all:  # the end opens what was hidden
            self.roll.throw_by(self.writer.by, whose, self.writer.state.seats)
        if veiled:
            self.roll.veiled.append(self.writer.seq)
        if fair is not None and (veiled or fair["call"] in self.roll.closed):
            self._close_keys()
        body: schemas.RollThrownEvent = {
            "by": self.writer.by,
            "roll": self.roll.id,
            "index": index,
            "faces": faces,
            "dice": pool_dice_names(step.pool),
            "pool": value_to_json(step.pool),
            "how": TYPED if fair is None else FAIR,
            "fair": fair,
            "after": self._after(veil) if fair is None else self._after_dice(veil),
        }
        if self.is_over and (keys := closed_keys(self.writer, self.roll)):
            body["keys"] = keys
        if self._stopped is not None:
            self._write("roll.thrown", body, veil)
            return
        if whose and says_all:
            body["whose"] = whose
        openly = not self.roll.is_secret and not self.roll.veiled
        said = throw_data(self.transcript, whole=says_all, openly=openly)
        if "label" in said:
            body["label"] = said["label"]
        if "named" in said:
            body["named"] = said["named"]
        if "lies" in said:
            body["lies"] = said["lies"]
        self._write("roll.thrown", body, veil)
        if veiled and not self.transcript.is_done:
            self._write_waiting(veil)
        self._finish()

    def _policy_options(self, step: Choice[object]) -> tuple[Option, ...]:
        """Return the options decided in advance for the open choice, if they apply to the chooser.

        A chooser who has not seen all is asked: an automatic choice would give secrets away. The
        roller must be here as the device had seen it which called for dice: whoever knows what they
        come to could say otherwise.
        """
        roll, state, call = self.roll, self.writer.state, self.writer.call
        if not roll.policy or not policy_applies(roll, step.by, against=step.against):
            return ()
        seen = self.writer.device_head if call is not None and call.lane else None
        is_here = state.was_here(roll.by, state.head if seen is None else seen)
        if not is_here or self.transcript.position.holds_a_secret:
            return ()
        return agreed_option(self.transcript, roll.policy, roll.goal)

    def choose(self, option: Option, *, agreed: bool = False) -> None:
        """Make a choice, for the seat that commands or by the roller's policy."""
        step = self.transcript.step
        index = len(self.roll.entries)
        before = self.transcript
        with as_command_errors("option"):
            self.transcript = before.then(ChoiceEntry(option, step.by))
            said = option_text(before, option)
        plain = value_to_json(option)
        self.roll.entries.append({"option": plain, "by": step.by})
        if not agreed:
            self.roll.choose_by(self.writer.by, step.by)
        body: schemas.RollChosenEvent = {
            "by": self.roll.by if agreed else self.writer.by,
            "roll": self.roll.id,
            "index": index,
            "option": plain,
            "role": step.by,
            "said": said,
            "after": self._after(self.roll.seers),
        }
        if agreed:
            body["agreed"] = True
        if self.is_over and (keys := closed_keys(self.writer, self.roll)):
            body["keys"] = keys
        self._write("roll.chosen", body, self.roll.seers)
        self._finish()

    def take_back(self) -> None:
        """The last entry is taken back."""
        entry = self.roll.entries.pop()
        with as_command_errors("roll"):
            self.transcript = live_transcript(self.writer.state.table, self.roll)
        body: schemas.RollTakenBackEvent = {
            "by": self.writer.by,
            "roll": self.roll.id,
            "index": len(self.roll.entries),
            "taken": "faces" if "faces" in entry else "choice",
            "after": self._after(self.roll.seers),
        }
        self._write("roll.taken_back", body, self.roll.seers)
        remember(self.writer.state.table, self.roll, self.transcript)

    def _whose(self) -> str:
        """Whose dice are thrown now, where several people of one roll throw."""
        return thrower_of(self.transcript)

    def _owner(self) -> str:
        """The seat that the dice which are waited for belong to; empty where anybody may throw."""
        if not self.roll.each or self.transcript.step.sees is not None:
            return ""
        return owner_of(self.roll, self._whose(), self.writer.state.seats)

    def _check_space(self) -> None:
        problem = self._space_problem()
        if problem:
            raise CodedError("too_much_work", problem)

    def _space_problem(self) -> Message | None:
        """Why the next throw is too much for a table; None if it is not."""
        limits, dice = self.writer.limits, self.transcript.step.pool.size
        if dice > limits.dice:
            return Message("table.dice.many", {"n": dice, "most": limits.dice})
        if len(self.roll.entries) >= limits.entries or self.roll.weight > limits.open_roll_bytes:
            held = {"n": len(self.roll.entries), "bytes": self.roll.weight}
            return Message("table.roll.long", {"roll": self.roll.id, **held})
        if self.roll.weight <= limits.small_roll_bytes:
            return None
        others = [one for one in self.writer.state.going.values() if one.id != self.roll.id]
        beside = weight([one for one in others if one.by == self.roll.by]), weight(others)
        mine, everybodys = (some + self.roll.weight for some in beside)
        is_full = everybodys > limits.open_bytes and mine > shares(self.writer)[1]
        if mine > limits.open_bytes_each or is_full:
            return Message("table.rolls.long")
        return None

    def _after_dice(self, veil: Audience) -> schemas.NextStep:
        """Return the same after a fair throw, which is kept no matter what its rule makes of it."""
        try:
            return self._stopped or self._after(veil)
        except CodedError as problem:
            return self._stop(problem.__cause__ or problem)

    def _stop(self, problem: BaseException) -> schemas.FailureStepData:
        """End the roll because its rule fails at faces that were thrown; the faces are kept.

        If they were refused, the dice could be thrown once more: nobody could know whether the
        faces were only disliked.
        """
        if isinstance(problem, Cancelled):
            raise problem
        request = self.transcript.request
        game = "Rollwright" if request is None else find_game(request.game).title
        shown = None if self.roll.is_secret else problem  # a log is read by the host
        log.error("a rule of %s fails at faces that were thrown", game, exc_info=shown)
        what: Message | str = type(problem).__name__
        if isinstance(problem, RollwrightError):
            what = cut(problem, WITHIN)
        why = msg("stopped.rule", game=game, what=what)
        self._stopped = {"step": "stopped", "why": text_to_json(why)}
        return self._stopped

    def _after(self, veil: Audience) -> schemas.NextStep:
        """Return what the roll waits for now, as those who see the event may know it."""
        with as_command_errors():
            step = self.transcript.step
            if self.transcript.is_done:
                return self._end_step()
            if isinstance(step, Choice):
                return self._choice(step, self._shows_all(veil))
            owner = self._owner()
            by = owner or player_of(self.roll, self.roll.by)
            if step.sees is not None:
                by = player_of(self.roll, step.sees[0]) if step.sees else REFEREE
            waits: schemas.ThrowStepData = {
                "step": "throw",
                "dice": pool_dice_names(step.pool),
                "pool": value_to_json(step.pool),
                "by": by,
                "index": len(self.roll.entries),
            }
            if named := dice_names(self.transcript, step.pool):
                waits["named"] = named
            if witness := self._witness(once=self._is_called):
                waits["witness"] = witness["seat"]
            if owner and self._shows_all(veil) and (said := skill_text(self.transcript)):
                waits["said"] = said
            return waits

    def _shows_all(self, veil: Audience) -> bool:
        """Whether those who see the event have seen every throw so far."""
        held = self.transcript.position.holds_a_secret
        return not held or veil != self.roll.seers

    def _choice(self, step: Choice[object], says_all: bool) -> schemas.ChoiceStepData:
        said = choice_to_json(self.transcript) if says_all else None
        offers, all_of_them = list_options(self.transcript, said), count_options(step.options)
        found: schemas.ChoiceStepData = {
            "step": "choice",
            "by": [player_of(self.roll, step.by)],
            "role": step.by,
            "index": len(self.roll.entries),
            "about": about_to_json(step.about) if says_all else None,
            "question": question(step.options),
            "count": all_of_them["count"],
            "digest": all_of_them["digest"],
        }
        if said is not None:
            found["question"] = said["question"]
            if "standing" in said:
                found["standing"] = said["standing"]
            if "sum" in said:
                found["sum"] = said["sum"]
            if "assign" in said:
                found["assign"] = said["assign"]
            if "aim" in said:
                found["aim"] = said["aim"]
            if "ladder" in said:
                found["ladder"] = said["ladder"]
            if "party" in said:
                found["party"] = said["party"]
            player = player_of(self.roll, step.by)
            told = narration_to_json(self.transcript)
            found["told"] = told if player == REFEREE else _by_seat(told, step.by, player)
        self._offers = offers
        return found

    def _end_step(self) -> schemas.EndStepData:
        self._settled = settle_effects(self.writer.state, self.roll, _ending(self.transcript))
        said = ending_data(self.transcript, openly=not self.roll.is_secret)
        found: schemas.EndStepData = {
            "step": "done",
            "outcome": said["outcome"],
            "fields": said["fields"],
            "told": said["told"],
            "verdict": said.get("verdict"),
            "good": said["good"],
            "effects": self._settled.audible_effects,
            "opened": list(self.roll.veiled),
        }
        if "sum" in said:
            found["sum"] = said["sum"]
        if waits := self._settled.waiting_sheets:
            found["waits"] = waits
        return found

    def _write_waiting(self, veil: Audience) -> None:
        """Write what is waited for if the seat that must go on did not see a hidden throw."""
        step = self.transcript.step
        if not isinstance(step, Choice) or intersection(veil, (player_of(self.roll, step.by),)):
            return
        seers = self.roll.seers
        body = schemas.RollWaitingEvent(
            by=self.writer.by, roll=self.roll.id, after=self._after(seers)
        )
        self._write("roll.waiting", body, seers)

    def _write(self, kind: str, body: schemas.RollWaitingEvent, audience: Audience) -> None:
        roll = self.roll
        shown: PublicPart = {}
        if not self.is_over:
            roll.weigh(body)
        if "witness" in body["after"] and (witness := self.writer.find_witness()) is not None:
            shown["witness"] = witness
        unnamed = roll.is_secret and not roll.announce
        if audience is not None and not unnamed:
            after = _secret_step(body["after"])
            shown = {**shown, "by": body["by"], "roll": roll.id, "after": after}
            if roll.is_secret:
                shown["visibility"] = roll.visibility
        self.writer.write(kind, body, audience, shown, unnamed=unnamed, offers=self._offers)
        self._offers = None

    def _finish(self) -> None:
        """At the end of the roll, its effects on sheets."""
        if not self.transcript.is_done:
            return
        self.roll.status = DONE
        _write_effects(self.writer, self.roll, self._settled)


def _by_seat(told: Any, role: str, seat: str) -> Any:
    """Return the message with a seat of the table in place of a role of the rule."""
    if isinstance(told, list):
        return [_by_seat(part, role, seat) for part in told]
    if not isinstance(told, dict):
        return told
    if told == {"who": role}:
        return {"who": f"@{seat}"}
    return {name: _by_seat(part, role, seat) for name, part in told.items()}


def weight(rolls: Iterable[TableRoll]) -> int:
    """The bytes of the events of open rolls."""
    return sum([roll.weight for roll in rolls])


def shares(writer: EventWriter) -> tuple[int, int]:
    """The open rolls, and their bytes, that everybody who plays may have at a full table too."""
    seats = writer.state.seats.values()
    playing = sum(seat.is_here and seat.role != SPECTATOR for seat in seats) or 1
    return max(1, writer.limits.open_rolls // playing), writer.limits.open_bytes // playing


def weigh_late(writer: EventWriter, roll: TableRoll) -> None:
    """To apply late, the whole roll is played again: raises Heavy where that is too much."""
    writer.weigh(roll.dice, len(roll.entries))


def apply_late(writer: EventWriter, roll: TableRoll, sheets: list[str]) -> None:
    """Apply the waiting effects of a roll to the sheets as they are now."""
    ending = _ending(full_transcript(writer.state.table, roll))
    _write_effects(writer, roll, settle_effects(writer.state, roll, ending, late=sheets))


def closed_keys(writer: EventWriter, roll: TableRoll) -> dict[str, str]:
    """The keys that were kept closed while a roll went on, by the events with their calls."""
    calls = [roll.calls[seq] for seq in roll.closed if seq in roll.calls]
    return {str(call.seq): writer.key_of(call.lane, call.number).hex() for call in calls}


def _ending(transcript: Transcript) -> Ending:
    return Ending(transcript.request, transcript.outcome)


def _write_effects(writer: EventWriter, roll: TableRoll, done: EffectResult) -> None:
    for name, changes in done.sheets.items():
        cause: schemas.ChangeCause = {"roll": roll.id, "effects": done.on(name)}
        write_change(writer, writer.state.sheets[name], changes, cause, roll)


def write_change(
    writer: EventWriter,
    sheet: Sheet,
    changes: schemas.Changes,
    cause: schemas.ChangeCause,
    roll: TableRoll | None = None,
) -> None:
    """A change of a sheet, for those who may see the sheet; of a secret not even that it is one."""
    body = schemas.SheetChangedEvent(by=writer.by, sheet=sheet.id, changes=changes, cause=cause)
    secret = roll is not None and roll.is_secret and sheet.audience is not None
    writer.write("sheet.changed", body, sheet.audience, unnamed=secret)


def _secret_step(after: schemas.NextStep) -> SecretStepData:
    """Return what everybody may know of a secret roll: that it waits, and for whom."""
    if after["step"] == "done" or after["step"] == "stopped":
        return {"step": after["step"]}
    return {"step": after["step"], "by": after["by"]}
