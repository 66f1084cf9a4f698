"""Checks of a roll's entries: played again by its rule, throws proven, choices by who could."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from rollwright.dice import Pool
from rollwright.engine.play import ChoiceEntry, Entry, OpenRoll, ThrowEntry
from rollwright.engine.replay import Done
from rollwright.engine.steps import Call, Choice, ThrowStep
from rollwright.engine.transcript import Transcript
from rollwright.engine.values import value_from_json, value_to_json
from rollwright.errors import RollwrightError, UnknownName
from rollwright.i18n.messages import Message, msg
from rollwright.jsonable import Json, JsonObject, canonical_json
from rollwright.kit.agreements import agreed_option
from rollwright.kit.card.choices import option_for
from rollwright.kit.card.marks import thrower_of
from rollwright.kit.games import Game, find_game
from rollwright.kit.games import from_plain as request_from_plain
from rollwright.kit.requests import Request
from rollwright.kit.words import about_to_json, find_face, outcome_fields
from rollwright.notation import as_rule
from rollwright.table.effects import Ending, settle_effects
from rollwright.table.errors import cut
from rollwright.table.events import OPEN
from rollwright.table.limits import LIMITS
from rollwright.table.options import options_differ
from rollwright.table.rolls import TableRoll, policy_applies
from rollwright.table.state import TableState
from rollwright.table.verify.chain import LogRow, fields
from rollwright.table.verify.permissions import MARKED, PermissionChecker
from rollwright.table.verify.report import MOST_GAMES, Findings
from rollwright.table.verify.signed_commands import CommandTrace
from rollwright.table.verify.throws import LoggedThrow, ThrowChecker

LONGEST, SHORT = 300, 200
"""How much of a value, or of somebody else's sentence, is repeated."""
Wrong: TypeAlias = Message | str | None
"""Description of what is wrong, if anything."""
Step: TypeAlias = ThrowStep[object] | Choice[object] | Done
"""The step at which a roll waits, or its end."""


class NotReplayableError(RollwrightError):
    """A roll that cannot be played again here, though nothing is wrong with it."""


class NoRollSpecError(RollwrightError):
    """The subject of a roll is neither a request nor an expression."""

    @property
    def wording(self) -> Message:
        """That it is neither a request nor an expression."""
        return msg("verify.nothing")

    def __str__(self) -> str:
        return str(self.wording)


class RollReplay:
    """A rule with the entries from the log so far."""

    def __init__(self, call: Call[object], request: Request | None = None) -> None:
        self._call = call
        self._request = request
        self.entries: list[Entry] = []
        self._playing = OpenRoll(call)
        self._told: Transcript | None = None
        """The roll as its game looks at it, as far as somebody wanted to know."""

    @property
    def step(self) -> Step:
        """The step at which the roll waits."""
        step: Step = self._playing.run.step
        return step

    @property
    def pool(self) -> Pool | None:
        """The dice that are to be thrown now."""
        step = self.step
        return step.pool if isinstance(step, ThrowStep) else None

    def take(self, entry: Entry) -> None:
        """Go on by one entry; refused if it is not what the roll waits for."""
        self._playing.take(entry)
        self.entries.append(entry)

    def take_back(self) -> None:
        """Take the last entry back."""
        self.entries.pop()
        self._told = None
        self._playing = self._replay()

    def differs(self, after: Json) -> Wrong:
        """Return how the roll's state differs from what the log says; None if it does not."""
        return differs(self.step, after) or self._ending_differs(after)

    @property
    def ending(self) -> Ending | None:
        """Its ending; None while it goes on."""
        step = self.step
        return Ending(self._request, step.outcome) if isinstance(step, Done) else None

    def _ending_differs(self, after: Json) -> Wrong:
        ended = self.ending
        if ended is None:
            return None
        told = fields(after)
        if canonical_json(told.get("fields")) != canonical_json(outcome_fields(ended.outcome)):
            return msg("verify.outcome.fields")
        true = settle_effects(TableState(), TableRoll("", "", {}, ""), ended).audible_effects
        same = comparable_bytes(true) == comparable_bytes(effects_in(after))
        return None if same else msg("verify.effects")

    @property
    def _so_far(self) -> Transcript:
        """Return the roll up to here, gone on with: to play it anew each time takes long."""
        told = self._told or Transcript(self._call, (), request=self._request)
        for entry in self.entries[len(told.entries) :]:
            told = told.then(entry)
        self._told = told
        return told

    @property
    def whose(self) -> str:
        """Whose dice are thrown now, as the rule names them."""
        return thrower_of(self._so_far)

    def must_choose(self, roll: TableRoll) -> bool:
        """Return whether the open choice is made as was agreed, before anybody is asked."""
        step = self.step
        if not roll.policy or not isinstance(step, Choice):
            return False
        is_theirs = policy_applies(roll, step.by, against=step.against)
        return (
            is_theirs
            and not self._so_far.position.holds_a_secret
            and bool(self.policy_options(roll))
        )

    def policy_options(self, roll: TableRoll) -> tuple[object, ...]:
        """Return the options decided in advance for the open choice; empty if somebody is asked."""
        return agreed_option(self._so_far, roll.policy, roll.goal)

    def is_chosen_otherwise(self, body: Mapping[str, Json]) -> bool:
        """Whether another option is written than was signed, by its place or as what is put."""
        command = fields(fields(body.get("call")).get("command"))
        number, puts = command.get("number"), command.get("puts")
        step = self.step
        if not isinstance(step, Choice) or (number is None and puts is None):
            return False
        try:
            if isinstance(puts, dict):
                meant: object = option_for(self._so_far, puts)
            else:
                meant = step.options[number] if type(number) is int and number >= 0 else None
        except (RollwrightError, LookupError):
            return True
        return canonical_json(value_to_json(meant)) != canonical_json(body.get("option"))

    def explains(self, entry: Entry, after: Json) -> bool:
        """Whether an entry would lead to what the log says came of it."""
        playing = self._replay()
        try:
            playing.take(entry)
            return not differs(playing.run.step, after)
        except Exception:  # whatever a strange entry makes a rule do, it explains nothing
            return False

    def _replay(self) -> OpenRoll:
        playing = OpenRoll(self._call)
        for entry in self.entries:
            playing.take(entry)
        return playing


def effects_in(holder: object) -> list[JsonObject]:
    """The effects in the end of a roll, or in the cause of a change."""
    found = fields(holder).get("effects")
    return [fields(effect) for effect in found] if isinstance(found, list) else [{}]


EFFECT = ("kind", "amount", "target")
"""Fields of an effect, no matter which sheet it is for."""


def comparable_bytes(
    effects: Sequence[Mapping[str, object]], names: Sequence[str] = EFFECT
) -> bytes:
    """Return the fields of effects that are compared."""
    return canonical_json([[effect.get(name) for name in names] for effect in effects])


def faces_of(plain: list[Json]) -> ThrowEntry:
    """The faces that the log gives for a throw."""
    return ThrowEntry(tuple([value_from_json(face) for face in plain]), "fair")


def option_of(plain: Json, by: str) -> ChoiceEntry:
    """The option that the log gives for a choice."""
    return ChoiceEntry(value_from_json(plain), by)


def differs(step: Step, after: Json) -> Wrong:
    """How what a roll waits for differs from what the log says; None if it does not."""
    told = fields(after)
    if isinstance(step, Done):
        if told.get("step") != "done":
            return msg("verify.ends")
        if canonical_json(told.get("outcome")) != canonical_json(value_to_json(step.outcome)):
            return msg("verify.outcome", outcome=repr(step.outcome)[:LONGEST])
        return None
    if after is None:
        return None
    if isinstance(step, Choice):
        same = told.get("step") == "choice" and not options_differ(told, step.options)
        return None if same else msg("verify.step", step=repr(step)[:LONGEST])
    same = canonical_json(told.get("pool")) == canonical_json(value_to_json(step.pool))
    same = same and told.get("step") == "throw"
    return None if same else msg("verify.step", step=repr(step)[:LONGEST])


class RuleFinder:
    """Finds the rule behind what was rolled."""

    def __init__(self) -> None:
        self._games: dict[str, Game | None] = {}

    def replay_of(self, what: Json, version: Json) -> RollReplay:
        """A replay of what was rolled; NotReplayable if the rule is not here in that version."""
        expression, request = fields(what).get("expression"), fields(what).get("request")
        if isinstance(expression, str):
            return RollReplay(as_rule(expression))
        if not isinstance(request, dict):
            raise NoRollSpecError
        return self._new_replay(request, version)

    def _new_replay(self, plain: JsonObject, version: Json) -> RollReplay:
        game = self.game(plain.get("game"))
        if game is None:
            raise NotReplayableError
        if version != game.version_of(str(plain.get("roll"))):
            raise NotReplayableError
        request = request_from_plain(plain)
        return RollReplay(request.call(), request)

    def game(self, name: object) -> Game | None:
        """An installed game, or None."""
        if not isinstance(name, str):
            return None
        if name not in self._games and len(self._games) < MOST_GAMES:
            try:
                self._games[name] = find_game(name)
            except UnknownName:
                self._games[name] = None
        return self._games.get(name)


MOST_REPLAYED = 2_000_000
"""Entries that are played again because a step back was taken."""
MOST_EXPLAINED = 4_000
"""Entries that are played again to find out what was altered; that it was is known without."""
MOST_TRIED = 40
"""Options that are tried where one does not lead to what came of it."""


@dataclass(slots=True)
class RollTrace:
    """A roll as far as the log describes it."""

    roll: TableRoll
    unseen_at: int
    """How much could not be looked into by its last entry."""
    replay: RollReplay | None = None
    """None where it cannot be played again, or no longer."""
    count: int = 0
    """How many entries it has."""
    ways: dict[int, str] = field(default_factory=dict)
    """How the entries that were seen came about: fair, typed, chosen, or agreed."""
    is_known: bool = True
    """Whether its beginning was seen."""
    skipped: int = 0
    """Entries right before the one that is checked which may be throws that are hidden from us."""
    is_partial: bool = False
    is_over: bool = False
    is_settled: bool = False
    """Whether it has ended without an outcome, or was undone."""
    threw_at: int = 0
    """The event of its last throw."""
    after: JsonObject = field(default_factory=dict)
    """What it waits for, as its last event says."""

    @property
    def has_dice(self) -> bool:
        """Whether dice of it were seen."""
        return any(way in ("fair", "typed") for way in self.ways.values())

    @property
    def is_quiet(self) -> bool:
        """Whether others do not even learn that it was rolled."""
        return self.roll.visibility != OPEN and not self.roll.announce

    def set_length(self, count: int) -> None:
        """It has so many entries, whichever of them were seen."""
        self.count = count
        while self.ways and next(reversed(self.ways)) >= count:
            self.ways.popitem()

    def add_entry(self, way: str) -> None:
        """One more entry."""
        self.ways[self.count] = way
        self.count += 1

    def remove_entry(self) -> str:
        """One entry less; how it had come about, if it was seen."""
        self.count = max(0, self.count - 1)
        return self.ways.pop(self.count, "")


class RollRow(NamedTuple):
    """An event of a roll: its row, its true kind and its body."""

    row: LogRow
    kind: str
    body: Mapping[str, Json]

    @property
    def after(self) -> Json:
        """The step at which the roll waits now, as the event says."""
        return self.body.get("after")


class EntryChecker:
    """Checks one entry after the other; a roll that cannot be followed on loses its replay."""

    def __init__(self, findings: Findings, throws: ThrowChecker, people: PermissionChecker) -> None:
        self._findings = findings
        self._throws = throws
        self._people = people
        self._replayed = 0
        self._explained = 0

    def _problem(self, told: RollRow, what: str, wording: Message | str) -> None:
        self._findings.problem(told.row.seq, what, wording)

    def throw(self, told: RollRow, roll: RollTrace) -> None:
        """Check a throw, and go on by its faces."""
        body = told.body
        is_fair = body.get("how") == "fair"
        if not is_fair and not _may_type(roll) and body.get("faces"):
            self._problem(told, "unproven throw", msg("verify.untyped"))
        roll.add_entry("fair" if is_fair else "typed")
        if roll.roll.each and roll.replay is not None and roll.replay.pool is not None:
            whose = roll.replay.whose
            may_throw = self._people.may_throw(body.get("by"), whose, roll.roll)
            if not may_throw and not self._is_led_to(told):
                by = str(body.get("by"))[:20]
                say = msg("verify.dice.other", by=by, whose=whose[:40] or roll.roll.by)
                self._problem(told, "forbidden act", say)
        self._check_whose(told, roll)
        self._check_secrecy(told, roll)
        pool = self._pool(told, roll)
        faces = body.get("faces")
        if pool is None or not isinstance(faces, list) or len(faces) != pool.size:
            self._problem(told, "altered dice", msg("verify.faces.misfit"))
            roll.replay = None
            return
        if (wrong := _typed_faces_differ(body, pool, faces)) and not self._findings.has(
            told.row.seq
        ):
            self._problem(told, "forged act", wrong)
        if is_fair:
            self._check_due(told, roll, pool)
            faces = self._throws.check(self._fair(told, roll, pool, faces)) or faces
        elif body.get("how") != "typed" or body.get("fair"):
            self._problem(told, "unproven throw", msg("verify.unfair"))
        else:
            self._findings.count("typed throws")
        self._take_faces(told, roll, faces)

    def _is_led_to(self, told: RollRow) -> bool:
        """Whether dice follow from a call that their thrower made before, and might make then."""
        called = self._throws.find_command(told.body)
        is_theirs = called is not None and called.by == told.body.get("by")
        return called is not None and is_theirs and called.seq < told.row.seq

    def _check_whose(self, told: RollRow, roll: RollTrace) -> None:
        """Check whose dice are said to be thrown."""
        if "whose" not in told.body or roll.replay is None or roll.replay.pool is None:
            return
        whose = roll.replay.whose
        if told.body["whose"] != whose:
            say = msg("verify.dice.whose", whose=whose[:40] or roll.roll.by)
            self._problem(told, "altered dice", say)

    def _check_due(self, told: RollRow, roll: RollTrace, pool: Pool) -> None:
        """Check that a call throws the dice due by it and no others: no host may choose whether."""
        called = self._throws.find_command(told.body)
        if called is None or roll.is_partial:
            return
        by_hand = called.is_by_hand and not called.throws
        if called.throws and is_long(called, roll.count - 1, pool.size):
            self._problem(told, "wrong order", msg("verify.throw.enough"))
        elif not by_hand and (roll.roll.physical or self.is_for_another(roll, called)):
            self._problem(told, "forged call", msg("verify.throw.waits"))

    def is_for_another(self, roll: RollTrace, called: CommandTrace) -> bool:
        """Whether the dice wait for their owner, who is another than whoever called."""
        step = None if roll.replay is None else roll.replay.step
        if not roll.roll.each or roll.replay is None or not isinstance(step, ThrowStep):
            return False
        theirs = step.sees is None
        return theirs and self._people.waits_for_another(roll.roll, roll.replay.whose, called.by)

    def _check_secrecy(self, told: RollRow, roll: RollTrace) -> None:
        """Check that a throw of an open roll is hidden by the rule alone, and thrown by who may."""
        step = None if roll.replay is None else roll.replay.step
        if not isinstance(step, ThrowStep) or MARKED not in told.row.open or roll.roll.is_secret:
            return
        by = told.body.get("by")
        if step.sees is None:
            self._problem(told, "forged event", msg("verify.openness", sheet=roll.roll.id[:20]))
        elif not self._people.may_throw_secretly(by, step.sees, roll.roll) and not self._is_led_to(
            told
        ):
            say = msg("verify.no_part", seat=str(by)[:20], by=roll.roll.by)
            self._problem(told, "forbidden act", say)

    def next_differs(self, after: JsonObject, roll: RollTrace, replay: RollReplay) -> str:
        """Return what is said of who goes on, or of what they look at, and is not so by the rule.

        What hidden dice tell is left out for those who may not know it.
        """
        step = replay.step
        whose = replay.whose if roll.roll.each and isinstance(step, ThrowStep) else ""
        if self._people.next_seats(roll.roll, step, whose) != after.get("by"):
            return "by"
        if not isinstance(step, Choice):
            return ""
        if after.get("role", step.by) != step.by:
            return "role"
        about = after.get("about")
        same = about is None or canonical_json(about) == canonical_json(about_to_json(step.about))
        return "" if same else "about"

    def _may_explain(self, replay: RollReplay, times: int = 1) -> bool:
        """Whether there is time to play a roll again to find out what was altered in it."""
        self._explained += times * (len(replay.entries) + 1)
        return self._explained <= MOST_EXPLAINED

    def _fair(self, told: RollRow, roll: RollTrace, pool: Pool, written: list[Json]) -> LoggedThrow:
        def explains(faces: list[Json]) -> bool | None:
            if roll.replay is None or not self._may_explain(roll.replay):
                return None
            return roll.replay.explains(faces_of(faces), told.after)

        return LoggedThrow(told.row, told.body, written, pool, roll.skipped, explains)

    def _pool(self, told: RollRow, roll: RollTrace) -> Pool | None:
        """The dice of a throw: by the rule where it can be played, else as the log says."""
        written = told.body.get("pool")
        if roll.replay is None:
            faces, due = told.body.get("faces"), roll.after.get("pool")
            if (
                roll.is_known
                and not roll.is_partial
                and canonical_json(due) != canonical_json(written)
            ):
                self._problem(told, "altered dice", msg("verify.pool", pool=str(due)[:SHORT]))
            return _written_pool(written, len(faces) if isinstance(faces, list) else 0)
        pool = roll.replay.pool
        if pool is None:
            say = msg("verify.no_throw", step=repr(roll.replay.step)[:SHORT])
            self._problem(told, "forged event", say)
            roll.replay = None
            return self._pool(told, roll)
        if canonical_json(written) != canonical_json(value_to_json(pool)):
            self._problem(told, "altered dice", msg("verify.pool", pool=repr(pool)[:SHORT]))
        return pool

    def _take_faces(self, told: RollRow, roll: RollTrace, faces: list[Json]) -> None:
        if roll.replay is None:
            return
        wrong: Wrong
        is_stopped = fields(told.after).get("step") == "stopped"
        try:
            roll.replay.take(faces_of(faces))
            _check_writable(roll.replay.step)
            wrong = roll.replay.differs(told.after)
        except (Exception, SystemExit) as problem:  # whatever strange faces make a rule do
            if is_stopped:  # as the log says
                roll.replay = None
                return
            wrong = reason_of(problem)
        if wrong and not self._findings.has(told.row.seq):
            is_fair = told.body.get("how") == "fair"
            self._problem(told, "altered outcome" if is_fair else "altered face or outcome", wrong)
        if wrong:
            roll.replay = None

    def choose(self, told: RollRow, roll: RollTrace) -> None:
        """Check a choice, and go on by it."""
        agreed = told.body.get("agreed") is True
        roll.add_entry("agreed" if agreed else "chosen")
        if agreed and not (roll.roll.policy or roll.is_partial):
            self._problem(told, "forged event", msg("verify.unagreed"))
        if roll.replay is None:
            return
        step = roll.replay.step
        if not isinstance(step, Choice):
            self._problem(told, "forged event", msg("verify.no_choice", step=repr(step)[:SHORT]))
            roll.replay = None
            return
        if told.body.get("role") != step.by:
            self._problem(told, "forged event", msg("verify.choice.role", role=step.by[:40]))
        is_agreed = agreed and policy_applies(roll.roll, step.by, against=step.against)
        if not is_agreed and not self._people.may_choose(told.body.get("by"), step.by, roll.roll):
            by = str(told.body.get("by"))[:20]
            say = msg("verify.choice.other", by=by, whose=step.by)
            self._problem(told, "forbidden choice", say)
        if agreed and told.body.get("by") != roll.roll.by:
            self._problem(told, "forbidden choice", msg("verify.agreed.roller"))
        due = roll.replay.policy_options(roll.roll) if agreed else ()
        if agreed and [value_to_json(option) for option in due] != [told.body.get("option")]:
            meant = f"{due[0]!r}"[:100] if due else ""
            say = msg("verify.agreed.option", option=meant) if due else msg("verify.agreed.ask")
            self._problem(told, "altered option", say)
        if roll.replay.is_chosen_otherwise(told.body):
            self._problem(told, "forged act", msg("verify.act.field", field="option"))
        wrong: tuple[str, Message | str] | None
        try:
            wrong = self._take_option(told, roll.replay, step)
        except Exception as problem:  # whatever a strange option makes a rule do
            wrong = ("altered option", reason_of(problem))
        if wrong is None:
            self._findings.count("agreed choices" if agreed else "choices")
            return
        self._problem(told, *wrong)
        if differs(roll.replay.step, told.after):
            roll.replay = None

    def _take_option(
        self, told: RollRow, replay: RollReplay, step: Choice[object]
    ) -> tuple[str, Message | str] | None:
        """Go on by a choice; what is wrong with it, if something is."""
        replay.take(option_of(told.body.get("option"), step.by))
        wrong = replay.differs(told.after)
        if not wrong:
            return None
        replay.take_back()
        tried = step.options[:MOST_TRIED]
        for option in tried if self._may_explain(replay, len(tried)) else ():
            meant = ChoiceEntry(option, step.by)
            if replay.explains(meant, told.after):
                replay.take(meant)
                return "altered option", msg("verify.option", option=repr(option)[:SHORT])
        return "altered outcome", wrong

    def take_back(self, told: RollRow, roll: RollTrace) -> None:
        """Check a step back, and take it."""
        way = roll.remove_entry()
        taken = "choice" if way in ("chosen", "agreed") else "faces"
        if way == "fair":
            self._problem(told, "forged event", msg("verify.back.fair"))
        elif (way or not roll.is_partial) and told.body.get("taken") != taken:
            self._problem(told, "forged event", msg("verify.back.none"))
            roll.replay = None
        if roll.replay is None:
            return
        self._replayed += len(roll.replay.entries)
        if not roll.replay.entries:
            self._problem(told, "forged event", msg("verify.back.none"))
            roll.replay = None
        elif self._replayed > MOST_REPLAYED:
            self._findings.count("rolls too long to replay")
            roll.replay = None
        else:
            self._step_back(told, roll, roll.replay)

    def _step_back(self, told: RollRow, roll: RollTrace, replay: RollReplay) -> None:
        replay.take_back()
        wrong = replay.differs(told.after)
        if wrong:
            self._problem(told, "altered outcome", wrong)
            roll.replay = None


def is_long(called: CommandTrace, entries: int, dice: int) -> bool:
    """Whether a call has thrown so much, or its roll is so long, that the next dice wait."""
    has_thrown = called.throws >= LIMITS.throws or called.weight > LIMITS.run_bytes
    return has_thrown or entries >= LIMITS.entries or dice > LIMITS.dice


def _may_type(roll: RollTrace) -> bool:
    """Whether faces may be typed in: of real dice, or where a roll has become too long to go on."""
    if roll.roll.physical or roll.is_partial:
        return True
    since = 0
    for way in reversed(roll.ways.values()):
        if way == "chosen" or since >= LIMITS.throws:
            break
        since += way != "agreed"
    return since >= LIMITS.throws


def _check_writable(step: Step) -> None:
    """Write a roll's step as a log holds it; raise if no log can."""
    if isinstance(step, Done):
        canonical_json(value_to_json(step.outcome))
    elif isinstance(step, Choice):
        canonical_json([value_to_json(option) for option in step.options])
    else:
        canonical_json(value_to_json(step.pool))


def reason_of(problem: BaseException) -> Message | str:
    """Why a rule could not be played, in a short sentence."""
    if isinstance(problem, RollwrightError):
        return cut(problem, LONGEST)
    return msg("verify.unplayable", problem=type(problem).__name__)


def _typed_faces_differ(body: Mapping[str, Json], pool: Pool, written: list[Json]) -> Wrong:
    """Whether other faces are written than were typed in and signed."""
    command = fields(fields(body.get("call")).get("command"))
    if command.get("do") != "roll.enter":
        return None
    typed = command.get("faces")
    try:
        meant = [find_face(die, value_from_json(face)) for die, face in zip(pool.dice, typed)]  # type: ignore[arg-type]
        same = len(typed) == len(written)  # type: ignore[arg-type]
        same = same and canonical_json([value_to_json(face) for face in meant]) == canonical_json(
            written
        )
    except Exception:  # whatever was typed, it is not what is written
        same = False
    return None if same else msg("verify.act.field", field="faces")


def _written_pool(plain: Any, size: int) -> Pool | None:
    """The dice as the log says, if there is a face for each of them."""
    try:
        groups = plain["pool"]
        if sum(count for _, count in groups) != size or len(groups) > size:
            return None
        pool = value_from_json(plain)
    except Exception:  # anything else is not a pool
        return None
    # Faces are drawn die by die as written: dice in another order than a host's would be others.
    same = isinstance(pool, Pool) and canonical_json(value_to_json(pool)) == canonical_json(plain)
    return pool if same else None
