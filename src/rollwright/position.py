"""A position: a rule and the answers it has had so far.

A position is a value made by replaying the rule. It remembers no more than the rule can: where a
rule ends in another, or a part of it has come to its outcome, what led there is forgotten.
"""

from __future__ import annotations

from collections.abc import Coroutine, Iterable
from typing import Any, NamedTuple

from rollwright.dice import Die, Pool, readings
from rollwright.errors import BadAnswer, Misuse
from rollwright.hands import Hand, read_hand
from rollwright.steps import Call, Choice, Fold, Look, Roll, Step, Tally, Throw, Together


class Entered(NamedTuple):
    """A rule that was gone into: from here on its own answers follow."""

    call: Any


class Given(NamedTuple):
    """The outcome of a part of the rule, with the way there forgotten."""

    outcome: Any


class Done(NamedTuple):
    """The end of a rule."""

    outcome: Any


class Run:
    """A rule being replayed: the coroutines under way and the step they wait for.

    `tokens` are the answers so far. `marks` holds, for each coroutine under way, the place of the
    token by which it was entered, so that its answers can be forgotten when it ends.
    """

    __slots__ = ("tokens", "frames", "marks", "step", "thrown", "looked")

    def __init__(self, tokens: tuple[Any, ...]) -> None:
        first = tokens[0].call
        self.tokens = [tokens[0]]
        self.frames: list[Coroutine[Any, Any, Any]] = []
        self.marks = [0]
        self.thrown: dict[int, Any] = {}
        self.looked: set[tuple[int, Any, Any]] | None = None
        self.step: Any = None
        self._begin(first)
        for token in tokens[1:]:
            self.answer(token)

    def answer(self, token: Any) -> None:
        """Go on with an answer: a hand, a raw sum or state, an option, or a part's outcome."""
        step = self.step
        kind = type(step)
        if kind is Choice:
            self.tokens.append(token)
            self._deliver(token if step.endings is None else step.ending(token))
        elif kind is Roll:
            self.tokens.append(token)
            place = len(self.tokens) - 1
            self.thrown[place] = step
            self._deliver(step.finished(token.thrown_at(place)))
        elif kind is Tally or kind is Fold:
            self.tokens.append(token)
            self._deliver(step.finished(token))
        elif type(token) is Given:
            self._forget(token)
            self._deliver(token.outcome)
        elif type(token) is Entered:
            self.enter(token.call)
        else:
            self._answer_look(step, token)

    def enter(self, call: Any = None) -> None:
        """Play the rule or the parts that are waited for out, step by step."""
        call = self.step if call is None else call
        self._forget(Entered(call))
        self.marks.append(len(self.tokens) - 1)
        self._begin(call)

    def _begin(self, call: Any) -> None:
        self.frames.append(call.begin())
        self._send(None)

    def _forget(self, token: Any) -> None:
        """Put `token` in the place of all that the rule that has just ended was told."""
        depth = len(self.frames)
        if len(self.marks) > depth:
            start = self.marks[depth]
            del self.tokens[start:]
            del self.marks[depth:]
            if self.looked:
                self.looked = {entry for entry in self.looked if entry[0] < start}
        self.tokens.append(token)

    def _deliver(self, value: Any) -> None:
        if isinstance(value, Step):
            self._wait(value)
        else:
            self._send(value)

    def _send(self, value: Any) -> None:
        frames = self.frames
        while frames:
            if len(self.marks) > len(frames):
                if type(value) is Hand:
                    value = Hand(value.pairs)
                self._forget(Given(value))
            try:
                step = frames[-1].send(value)
            except StopIteration as stop:
                frames.pop()
                value = stop.value
                if isinstance(value, Step):
                    self._wait(value)
                    return
                continue
            if not isinstance(step, Step):
                raise Misuse(
                    f"a rule awaited {step!r}, which is none of ours: "
                    "await only roll, tally, fold, look, together, choose and other rules"
                )
            self._wait(step)
            return
        self.step = Done(_plain_outcome(value))

    def _wait(self, step: Any) -> None:
        if type(step) is Choice and self.looked:
            raise Misuse(
                f"{step!r} comes after a look: whoever chooses sees the dice, so read what the "
                "choice may turn on in the roll itself, and look only after the last choice"
            )
        self.step = step

    def at_tail(self) -> bool:
        """Whether the rule has ended in another rule, so that nothing else is remembered."""
        return not self.frames and type(self.step) is Call

    @property
    def tail(self) -> tuple[Any, ...]:
        """The tokens of the rule this one has ended in."""
        return (Entered(self.step),)

    @property
    def own_answers(self) -> tuple[Any, ...]:
        """What the rule under way has been told so far: what a policy may go by."""
        depth = max(len(self.frames) - 1, 0)
        mark = self.marks[depth] if depth < len(self.marks) else self.marks[-1]
        return tuple(self.tokens[mark + 1 :])

    def look_pool(self) -> tuple[Pool, dict[Die, Die]]:
        """The dice of a look, each known to show one of its faces; and whose they really are."""
        hand = self.step.hand
        groups: dict[tuple[int, Die, Any], int] = {}
        for die, reading, place in zip(hand.dice, hand.readings, hand.places, strict=True):
            groups[place, die, reading] = groups.get((place, die, reading), 0) + 1
        counts: dict[Die, int] = {}
        owners: dict[Die, Die] = {}
        for (place, die, reading), count in groups.items():
            known = self._known_die(place, die, reading, count)
            counts[known] = counts.get(known, 0) + count
            owners[known] = die
        return Pool(counts), owners

    def _known_die(self, place: int, die: Die, reading: Any, count: int) -> Die:
        if place not in self.thrown or place <= self.marks[len(self.frames) - 1]:
            raise Misuse("a look can only go to dice of this rule's own roll")
        if self.looked and (place, die, reading) in self.looked:
            raise Misuse("these dice were looked at before: go on from what that look gave")
        hand = self.tokens[place]
        lying = sum(d == die and r == reading for d, r in hand.pairs)
        if lying != count:
            raise Misuse(
                f"a look goes to all or none of the {lying} dice that are alike: {die!r} {reading}"
            )
        step = self.thrown[place]
        if isinstance(step, dict):
            return step[die, reading]  # type: ignore[no-any-return]
        table = readings(die, step.read)
        return die.only(f for f, r in zip(die.faces, table, strict=True) if r == reading)

    def _answer_look(self, step: Any, token: Any) -> None:
        if type(step) is not Look:
            raise BadAnswer(f"{step!r} was answered by {token!r}")
        pool, owners = self.look_pool()
        place = len(self.tokens)
        hand = step.hand
        self.looked = (self.looked or set()) | set(
            zip(hand.places, hand.dice, hand.readings, strict=True)
        )
        finer = {}
        for known, _ in pool.groups:
            table = readings(known, step.read)
            for reading in table:
                faces = [f for f, r in zip(known.faces, table, strict=True) if r == reading]
                finer[owners[known], reading] = known.only(faces)
        self.tokens.append(token)
        self.thrown[place] = finer
        self._deliver(token.thrown_at(place))


def _plain_outcome(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        raise Misuse(f"an outcome must be an unchanging value, not {value!r}") from None
    return value


class Position:
    """A rule and the answers it has had so far: what it waits for, and where each answer leads.

    >>> from rollwright.dice import D6
    >>> from rollwright.rules import choose, roll, rule
    >>> @rule
    ... async def once_more() -> int:
    ...     total = sum(await roll(D6))
    ...     if await choose("keep", "again") == "again":
    ...         total = sum(await roll(D6))
    ...     return total
    >>> after = Position(once_more()).then([2])
    >>> after.step
    choice of player: keep or again
    >>> after.then("again").then([5]).outcome
    5
    """

    __slots__ = ("_tokens", "_run", "_hash")

    def __init__(self, call: Call[Any]) -> None:
        if not isinstance(call, Call):
            raise Misuse(f"a position starts from a rule with its arguments, not from {call!r}")
        self._fill((Entered(call),), None)

    def _fill(self, tokens: tuple[Any, ...], run: Run | None) -> None:
        self._tokens = tokens
        self._run = run
        self._hash: int | None = None

    @classmethod
    def _at(cls, tokens: tuple[Any, ...], run: Run | None = None) -> Position:
        position = cls.__new__(cls)
        position._fill(tokens, run)
        return position

    def _ready(self) -> Run:
        """A run that waits at this position, with every rule on the way gone into."""
        run = self._run if self._run is not None else Run(self._tokens)
        while True:
            if run.at_tail():
                run = Run(run.tail)
            elif type(run.step) is Call or type(run.step) is Together:
                run.enter()
            else:
                self._run = run
                self._tokens = tuple(run.tokens)
                self._hash = None
                return run

    @property
    def tokens(self) -> tuple[Any, ...]:
        """What this position is made of: the rule and its answers."""
        self._ready()
        return self._tokens

    @property
    def step(self) -> Any:
        """What the rule waits for: a roll, tally, fold, look or choice; or Done."""
        return self._ready().step

    @property
    def is_done(self) -> bool:
        """Whether the rule has come to its outcome."""
        return type(self.step) is Done

    @property
    def outcome(self) -> Any:
        """The outcome of a rule that has come to its end."""
        step = self.step
        if type(step) is not Done:
            raise BadAnswer(f"the rule still waits for {step!r}")
        return step.outcome

    @property
    def call(self) -> Call[Any]:
        """The rule this position is in, with its arguments."""
        call: Call[Any] = self.tokens[0].call
        return call

    @property
    def seen(self) -> tuple[Any, ...]:
        """The answers the rule under way has had."""
        return self._ready().own_answers

    def then(self, answer: Any) -> Position:
        """The position after an answer: faces in the pool's order, a hand, or an option."""
        self._ready()
        run, self._run = self._run, None
        assert run is not None
        token = checked_answer(run, answer)
        run.answer(token)
        return Position._at(tuple(run.tokens), run)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Position) and self.tokens == other.tokens)

    def __hash__(self) -> int:
        tokens = self.tokens
        if self._hash is None:
            self._hash = hash(tokens)
        return self._hash

    def __repr__(self) -> str:
        return f"<position in {self.call!r}, {len(self.seen)} answers, waits for {self.step!r}>"


def checked_answer(run: Run, answer: Any) -> Any:
    """The token for an answer from outside, refused where the step does not allow it."""
    step = run.step
    if type(step) is Done:
        raise BadAnswer(f"an answer is left over: the rule has ended, {answer!r} came after it")
    if type(step) is Choice:
        return checked_option(step, answer)
    if type(step) is Look:
        pool, owners = run.look_pool()
        if isinstance(answer, Hand):
            return answer
        shown = read_hand(pool, checked_faces(pool, answer), step.read)
        return Hand((owners[die], reading) for die, reading in shown.pairs)
    if isinstance(answer, Hand):
        return _checked_hand(step, answer)
    return token_of_faces(step, checked_faces(step.pool, answer))


def checked_option(choice: Choice[Any], option: Any) -> Any:
    """One of the options offered, or a refusal that names them."""
    for offered in choice.options:
        if offered == option and type(offered) is type(option):
            return offered
    listed = ", ".join(map(repr, choice.options))
    raise BadAnswer(f"{option!r} is not offered to {choice.by}; the options are {listed}")


def checked_faces(pool: Pool, faces: Any) -> tuple[Any, ...]:
    """One face for each die of the pool, in the pool's order, or a refusal."""
    if isinstance(faces, (str, bytes)) or not isinstance(faces, Iterable):
        raise BadAnswer(f"{pool!r} is answered by a list of faces, not by {faces!r}")
    listed = tuple(faces)
    if len(listed) != pool.size:
        raise BadAnswer(f"{pool!r} needs {pool.size} faces, {len(listed)} came")
    for number, (die, face) in enumerate(zip(pool.dice, listed, strict=True), start=1):
        if not any(face == f and type(face) is type(f) for f in _faces_like(die, face)):
            raise BadAnswer(
                f"face {number}: a {die!r} cannot show {face!r}; it shows {_faces_said(die)}",
                face=number,
            )
    return listed


def _faces_like(die: Die, face: Any) -> tuple[Any, ...]:
    if type(face) is int and die.is_numbered:
        return (face,) if 1 <= face <= len(die.faces) else ()
    return die.faces


def _faces_said(die: Die) -> str:
    if die.is_numbered:
        return f"1 to {len(die.faces)}"
    said = [str(face) for face in die.faces[:12]]
    return ", ".join(said + ["…"] if len(die.faces) > 12 else said)


def _checked_hand(step: Throw[Any], hand: Hand[Any]) -> Hand[Any]:
    if type(step) is not Roll:
        raise BadAnswer(f"{step!r} is answered by faces, not by a hand")
    if hand.pool != step.pool:
        raise BadAnswer(f"{step!r} was answered by other dice: {hand!r}")
    can = {d: set(t) for (d, _), t in zip(step.pool.groups, step.tables, strict=True)}
    for die, reading in hand.pairs:
        if reading not in can[die]:
            raise BadAnswer(f"a {die!r} cannot read {reading!r} here")
    return hand


def token_of_faces(step: Throw[Any], faces: tuple[Any, ...]) -> Any:
    """What a throw tells the rule when its dice show these faces."""
    hand = read_hand(step.pool, faces, step.read)
    if type(step) is Roll:
        return hand
    if type(step) is Tally:
        return added_up(step.start, hand.readings)
    return folded(step, hand)


def added_up(start: Any, values: Iterable[Any]) -> Any:
    """`start` plus the values: numbers, or tuples of numbers place by place."""
    total = start
    for value in values:
        if not isinstance(value, tuple):
            total = total + value
        elif isinstance(total, tuple):
            total = tuple([a + b for a, b in zip(total, value, strict=True)])
        else:
            total = tuple([total + b for b in value])
    return total


def folded(step: Any, hand: Hand[Any]) -> Any:
    """The state a fold comes to for one hand."""
    from rollwright.hands import ordered

    state = step.start
    for reading in ordered({r for table in step.tables for r in table}):
        state = step.step(state, reading, hand.count(reading))
    return state
