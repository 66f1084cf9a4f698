"""A roll as data: the rule, its arguments, and every face and choice in order.

A transcript is a value. It can be stopped at any choice, written to JSON, taken up again in
another process, replayed and verified: nothing is believed that does not follow from the faces.
"""

from __future__ import annotations

from _thread import allocate_lock
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from rollwright.dice import Face, Outcome
from rollwright.engine.endless import AnswerLimit
from rollwright.engine.play import ChoiceEntry, Entry, OpenRoll, ThrowEntry
from rollwright.engine.position import Position, call_of
from rollwright.engine.replay import Done, Run
from rollwright.engine.sources import Source, SystemSource, TypedSource
from rollwright.engine.steps import Call, Choice, Option, ThrowStep
from rollwright.engine.trace import Trace
from rollwright.engine.values import JsonValue, find_rule, name_of, value_from_json, value_to_json
from rollwright.errors import (
    BadAnswer,
    BadField,
    BadTranscript,
    Misuse,
    RollwrightError,
    UnknownName,
)
from rollwright.i18n.messages import Message, msg, row_of

if TYPE_CHECKING:
    from rollwright.engine.best.beliefs import InformationSet
    from rollwright.engine.odds.count import Policy, Situation
    from rollwright.kit.requests import Request

__all__ = ["ChoiceEntry", "Entry", "ThrowEntry", "Transcript", "play", "verify"]

FORMAT = 2
EXPRESSION = "notation:expression"
WAYS = ("rolled", "typed", "fair")
"""How faces can have come about: by a source here, from real dice, or from a fair table."""


class Transcript:
    """A rule with everything that has happened in it so far."""

    __slots__ = ("call", "entries", "request", "_hash", "_playing")

    def __init__(
        self,
        call: Call[object] | Request,
        entries: Iterable[Entry] = (),
        *,
        request: Request | None = None,
    ) -> None:
        self.call = call_of(call, "a transcript")
        self.entries = tuple(entries)
        self.request: Any = request if isinstance(call, Call) else call
        """The request of a game that this is the roll of, if it is one."""
        self._hash: int
        self._playing: OpenRoll | None = None
        self._play()

    def _play(self) -> OpenRoll:
        if self._playing is None:
            playing = OpenRoll(self.call)
            for number, entry in enumerate(self.entries):
                try:
                    playing.take(entry)
                except BadAnswer as problem:
                    raise BadTranscript(_place(number, entry, problem), problem.wording) from None
            self._playing = playing
        return self._playing

    @property
    def step(self) -> Any:
        """The step that is waited for: a throw, a choice, or Done."""
        playing = self._playing
        return (self._play() if playing is None else playing).run.step

    @property
    def is_done(self) -> bool:
        """Whether the roll has come to its outcome."""
        playing = self._playing
        return type((self._play() if playing is None else playing).run.step) is Done

    @property
    def outcome(self) -> Outcome:
        """The outcome of a roll that has come to its end."""
        if type(self.step) is not Done:
            raise BadAnswer(f"the roll still waits for {self.step!r}")
        return self.step.outcome

    @property
    def position(self) -> Position:
        """The rule's present position: ask it for odds or advice."""
        playing = self._play()
        secret = any(sees is not None for _, sees, _ in playing.events)
        return Position._at(tuple(playing.run.tokens), secret=secret)

    @property
    def situation(self) -> Situation:
        """The choice that is waited for, as a policy sees it."""
        from rollwright.engine.odds.count import Situation

        run = self._play().run
        if not isinstance(run.step, Choice):
            raise BadAnswer(f"the roll waits for {run.step!r}, not for a choice")
        return Situation(run.step, run)

    @property
    def throws(self) -> tuple[tuple[ThrowStep[object], tuple[Face, ...]], ...]:
        """Each throw so far with its faces, for telling what happened."""
        return tuple(self._play().throws)

    @property
    def trace(self) -> Trace:
        """Which rule and which part asked for which entry, and what each came to."""
        return self._play().trace

    def then(self, entry: Entry) -> Transcript:
        """The transcript with one entry more."""
        waiting = [entry]
        return self.follow(lambda run: waiting.pop() if waiting else None)

    def follow(self, decide: Callable[[Run], Entry | None]) -> Transcript:
        """The transcript with entry after entry, as `decide` gives them, until it gives None."""
        added: list[Entry] = []
        playing = self._take()
        while (entry := decide(playing.run)) is not None:
            try:
                token = playing.check(entry)
            except BadAnswer:
                if not added:
                    self._playing = playing
                raise
            playing.go_on(entry, token)
            added.append(entry)
        after = Transcript.__new__(Transcript)
        after.call = self.call
        after.request = self.request
        after.entries = (*self.entries, *added)
        after._playing = playing
        return after

    def _take(self) -> OpenRoll:
        """The roll in progress, for one user alone: others replay it for themselves."""
        with _one_at_a_time:
            playing, self._playing = self._playing, None
        if playing is None:
            self._play()
            return self._take()
        return playing

    def throw(self, faces: Iterable[Face], how: str = "rolled") -> Transcript:
        """The transcript after the dice that are waited for have shown these faces."""
        return self.then(ThrowEntry(tuple(faces), how))

    def choose(self, option: Option, by: str = "") -> Transcript:
        """The transcript after a choice."""
        by = by or getattr(self.step, "by", "")
        return self.then(ChoiceEntry(option, by))

    def back(self) -> Transcript:
        """The transcript without its last entry: a mistyped face or a wrong choice taken back."""
        if not self.entries:
            raise BadAnswer("nothing has happened yet that could be taken back")
        return Transcript(self.call, self.entries[:-1], request=self.request)

    def seen_by(self, seat: str) -> InformationSet:
        """Return what a seat can know: every position that looks real to it, weighted."""
        from rollwright.engine.best.beliefs import information_set_of

        step = None if self.is_done else self.step
        return information_set_of(self.call, self._play().events, seat, step)

    def to_plain(self) -> dict[str, JsonValue]:
        """The transcript as what JSON can hold."""
        from rollwright import __version__

        plain: dict[str, JsonValue] = {"format": FORMAT, "rollwright": __version__}
        plain |= _call_to_json(self.call, self.request)
        plain["answers"] = [_entry_to_json(entry) for entry in self.entries]
        if self.is_done:
            plain["outcome"] = value_to_json(self.outcome)
        return plain

    def to_json(self) -> str:
        """The transcript as JSON text."""
        from rollwright.jsonable import json_text

        return json_text(self.to_plain())

    @classmethod
    def from_json(cls, text: str | bytes) -> Transcript:
        """The transcript behind JSON text, replayed: refused, with the place, if it is not true."""
        from rollwright.jsonable import BadValue, parse_json

        try:
            plain = parse_json(text)
        except BadValue:
            raise BadTranscript("text", msg("saved.no_json")) from None
        return cls.from_plain(plain)

    @classmethod
    def from_plain(cls, plain: JsonValue) -> Transcript:
        """The transcript behind parsed JSON, replayed and checked."""
        if not isinstance(plain, dict):
            raise BadTranscript("transcript", msg("saved.no_roll"))
        if plain.get("format") != FORMAT or type(plain["format"]) is not int:
            raise BadTranscript("format", unknown_format(plain.get("format")))
        call, request = _call_from_json(plain)
        answers = plain.get("answers")
        if not isinstance(answers, list):
            raise BadTranscript("answers", msg("saved.answers"))
        entries = [_entry_from_json(answer, f"answers[{n}]") for n, answer in enumerate(answers)]
        try:
            transcript = cls(call, entries, request=request)
        except BadTranscript:
            _refuse_unsteady(call, entries)
            raise
        except (
            RollwrightError,
            TypeError,
            ValueError,
            ArithmeticError,
            LookupError,
            AttributeError,
        ) as problem:
            raise BadTranscript("args", msg("saved.unplayable", problem=str(problem))) from None
        _check_outcome(transcript, plain)
        return transcript

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Transcript)
            and self.call == other.call
            and self.entries == other.entries
        )

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:  # nobody has asked for it before
            self._hash = hash((self.call, self.entries))
            return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        return (_transcript_again, (self.call, self.entries, self.request))

    def __str__(self) -> str:
        """An expression that was rolled with all its dice; anything else as it is."""
        if name_of(self.call.rule) != EXPRESSION or not self.is_done:
            return repr(self)
        from rollwright.notation import result

        return str(result(self))

    def __repr__(self) -> str:
        state = f"came to {self.outcome!r}" if self.is_done else f"waits for {self.step!r}"
        return f"<transcript of {self.call!r}, {len(self.entries)} entries, {state}>"


_one_at_a_time = allocate_lock()


def unknown_format(came: object, known: int = FORMAT) -> Message:
    """Why a roll or a log of that format is not read."""
    from rollwright.jsonable import NO_NUMBER

    is_older = type(came) is int and 0 < came < known
    id = "saved.format.old" if is_older else "saved.format"
    shown = "?" if came == NO_NUMBER else str(came)[:20]
    return msg(id, came=shown, known=str(known))


def _transcript_again(
    call: Call[object], entries: tuple[Entry, ...], request: Request | None
) -> Transcript:
    return Transcript(call, entries, request=request)


@runtime_checkable
class Chooser(Protocol):
    """Chooses with the whole roll in view, such as `best(goal)`."""

    def choose_in(self, transcript: Transcript) -> Option:
        """The option for the choice that a transcript waits at."""
        ...


def play(
    what: Call[object] | Transcript,
    *,
    source: Source | None = None,
    policy: Policy | Chooser | None = None,
) -> Transcript:
    """Play a rule until it ends, or until somebody must choose and no policy says how.

    A transcript is taken up where it stopped.

    >>> from rollwright.dice import D6
    >>> from rollwright.rules import roll, rule
    >>> @rule
    ... async def boxcars() -> bool:
    ...     return sum(await roll(2 * D6)) == 12
    >>> play(boxcars(), source=TypedSource([6, 6])).outcome
    True
    """
    transcript = what if isinstance(what, Transcript) else Transcript(what)
    source = SystemSource() if source is None else source
    how = "typed" if isinstance(source, TypedSource) else "rolled"
    chooser, thumb = (policy, None) if isinstance(policy, Chooser) else (None, policy)
    pace = AnswerLimit(transcript.call)

    def entry(run: Run) -> Entry | None:
        pace.rest()
        found = _entry(run, source, how, thumb)
        if found is not None:
            pace.go_on()
        return found

    while True:
        transcript = transcript.follow(entry)
        if type(transcript.step) is not Choice or chooser is None:
            break
        transcript = transcript.choose(chooser.choose_in(transcript))
    if isinstance(source, TypedSource) and transcript.is_done:
        source.finish()
    return transcript


def _entry(run: Run, source: Source, how: str, policy: Policy | None) -> Entry | None:
    """Return the next entry: faces, or the policy's choice; None if the roll stops."""
    step = run.step
    if isinstance(step, ThrowStep):
        if isinstance(source, TypedSource) and source.is_over and step.pool.size:
            return None
        return ThrowEntry(source.throw(step.pool), how)
    if type(step) is Choice and policy is not None:
        from rollwright.engine.odds.count import Situation

        return ChoiceEntry(policy(Situation(step, run)), step.by)
    return None


def verify(transcript: Transcript | str | bytes | Mapping[str, JsonValue]) -> Transcript:
    """Replay a transcript, JSON text or parsed JSON; whatever is not true of it is refused."""
    if isinstance(transcript, Transcript):
        return Transcript(transcript.call, transcript.entries, request=transcript.request)
    if isinstance(transcript, (str, bytes)):
        return Transcript.from_json(transcript)
    return Transcript.from_plain(transcript)


def _entry_to_json(entry: Entry) -> dict[str, JsonValue]:
    if isinstance(entry, ChoiceEntry):
        return {"option": value_to_json(entry.option), "by": entry.by}
    return {"faces": [value_to_json(face) for face in entry.faces], "how": entry.how}


def _entry_from_json(plain: JsonValue, place: str) -> Entry:
    if isinstance(plain, dict) and isinstance(plain.get("faces"), list):
        faces = [
            value_from_json(face, f"{place}.faces[{n}]") for n, face in enumerate(plain["faces"])
        ]
        how = plain.get("how", "rolled")
        if how not in WAYS:
            raise BadTranscript(f"{place}.how", msg("saved.how", came=repr(how), ways=row_of(WAYS)))
        return ThrowEntry(tuple(faces), how)
    if isinstance(plain, dict) and "option" in plain:
        return ChoiceEntry(
            value_from_json(plain["option"], f"{place}.option"), str(plain.get("by", ""))
        )
    raise BadTranscript(place, msg("saved.neither", came=repr(plain)))


def _place(number: int, entry: Entry, problem: BadAnswer) -> str:
    if isinstance(entry, ChoiceEntry):
        return f"answers[{number}]"
    return f"answers[{number}].faces" + (f"[{problem.face - 1}]" if problem.face else "")


def _call_to_json(call: Call[object], request: Request | None) -> dict[str, JsonValue]:
    if request is not None:
        from rollwright.kit.requests import to_plain as request_to_plain

        return {"request": request_to_plain(request, whole=True), "version": request.version}
    name = name_of(call.rule)
    if name == EXPRESSION:
        text, variables = call.args
        return expression_to_json(text, variables)
    args = zip(call.rule.arguments, call.args, strict=True)
    return {"rule": name, "args": {name: value_to_json(value) for name, value in args}}


def expression_to_json(text: JsonValue, variables: JsonValue = ()) -> dict[str, JsonValue]:
    """Return an expression as it is stored, with the values of its variables."""
    plain: dict[str, JsonValue] = {"expression": text}
    if variables:
        plain["variables"] = {name: value_to_json(value) for name, value in variables}
    return plain


def _request_from_json(plain: dict[str, JsonValue]) -> tuple[Call[object], Request]:
    from rollwright.kit.games import from_plain as request_from_plain

    try:
        request = request_from_plain(plain["request"])
    except RollwrightError as problem:
        no_game = isinstance(problem, UnknownName) and problem.kind == "game"
        raise BadTranscript("request", _of_request(problem), no_game=no_game) from None
    if plain.get("version") != request.version:
        raise BadTranscript("version", other_version(request, plain.get("version")))
    return request.call(), request


def _of_request(problem: RollwrightError) -> Message | str:
    """Return the error in a request without the words that name the request."""
    if not isinstance(problem, BadField) or problem.field != "request" or problem.rule:
        return problem.wording
    if not problem.remedy:
        return problem.reason
    return msg("refusal.do", said=problem.reason, would_do=problem.remedy)


def other_version(request: Request, came: object) -> Message:
    """Why a roll of another version of its rules is not played again."""
    return msg(
        "saved.version",
        came=repr(str(came)[:20]),
        roll=request.roll,
        game=request.game,
        known=repr(request.version),
    )


def _call_from_json(plain: dict[str, JsonValue]) -> tuple[Call[object], Request | None]:
    if "request" in plain:
        return _request_from_json(plain)
    if "expression" in plain:
        return _expression_from_json(plain), None
    rule = find_rule(plain.get("rule"), "rule")
    args = plain.get("args")
    if not isinstance(args, dict):
        raise BadTranscript("args", "the arguments of the rule by name are needed")
    for name in args:
        if name not in rule.arguments:
            raise BadTranscript(f"args.{name}", f"the rule {rule.short_name} has no such argument")
    values = {name: value_from_json(value, f"args.{name}") for name, value in args.items()}
    try:
        return rule(**values), None
    except BadTranscript:
        raise
    except RollwrightError as problem:
        raise BadTranscript("args", problem.wording) from None


def _expression_from_json(plain: dict[str, JsonValue]) -> Call[object]:
    from rollwright.notation import as_rule

    text, variables = plain["expression"], plain.get("variables", {})
    if not isinstance(text, str):
        raise BadTranscript("expression", f"an expression is a text, not {text!r}"[:100])
    if not isinstance(variables, dict):
        raise BadTranscript("variables", "values by the names of the variables are needed")
    values = {
        name: value_from_json(value, f"variables.{name}") for name, value in variables.items()
    }
    try:
        return as_rule(text, values)
    except RollwrightError as problem:
        raise BadTranscript("expression", problem.wording) from None


def _same(one: JsonValue, other: JsonValue) -> bool:
    """Whether two pieces of JSON are alike to the letter: 4 is not 4.0, and 1 is not true."""
    from json import dumps

    return dumps(one, sort_keys=True) == dumps(other, sort_keys=True)


def _refuse_unsteady(call: Call[object], entries: Iterable[Entry]) -> None:
    """Say so where the rule is not the same each time, so that the roll may be true."""
    from rollwright.engine.purity import is_ours

    if is_ours(call.rule):
        return
    entries = tuple(entries)
    if _replay(call, entries) != _replay(call, entries):
        raise Misuse(
            f"the rule {call.rule.short_name} does something else each time it is told the same, "
            "so no roll of it can be verified: it rests on something outside it that changes"
        )


def _replay(call: Call[object], entries: tuple[Entry, ...]) -> object:
    """Return what a rule came to with these answers, or what went wrong."""
    try:
        return Transcript(call, entries).step
    except Exception as problem:
        return str(problem)


def _check_outcome(transcript: Transcript, plain: dict[str, JsonValue]) -> None:
    if "outcome" not in plain:
        if transcript.is_done:
            raise BadTranscript("outcome", msg("saved.outcome.missing"))
        return
    if not transcript.is_done:
        _refuse_unsteady(transcript.call, transcript.entries)
        raise BadTranscript("outcome", msg("saved.outcome.early"))
    if not _same(plain["outcome"], value_to_json(transcript.outcome)):
        _refuse_unsteady(transcript.call, transcript.entries)
        true = repr(transcript.outcome)
        raise BadTranscript("outcome", msg("saved.outcome.other", outcome=true))
