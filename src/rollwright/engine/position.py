"""A position: a rule and the answers it has had so far; and checks of answers before it gets them.

A position is a value made by replaying the rule. It remembers no more than the rule can: if a rule
ends in another, or a part of it has come to its outcome, what led there is forgotten.
"""

from __future__ import annotations

from _thread import allocate_lock
from collections.abc import Callable, Iterable
from operator import add
from typing import TYPE_CHECKING, Any

from rollwright.dice import Die, Face, Outcome, Pool, in_order
from rollwright.engine.replay import (
    FURTHER,
    MOST_RULES_WITHOUT_A_STEP,
    Done,
    RuleStart,
    Run,
    no_step_error,
)
from rollwright.engine.steps import (
    Call,
    Choice,
    CutStep,
    FoldStep,
    LookStep,
    Option,
    RollStep,
    SpendStep,
    State,
    TallyStep,
    ThrowStep,
    Together,
    Token,
    Tokens,
)
from rollwright.errors import BadAnswer, Misuse
from rollwright.hands import Hand, read_hand
from rollwright.i18n.messages import Message, msg
from rollwright.readings import Reading, reading_of, readings

if TYPE_CHECKING:
    from rollwright.kit.requests import Request

Make = Callable[[Iterable[Any]], Any]
"""Makes a tuple of some kind from its places."""

_one_at_a_time = allocate_lock()


def call_of(what: object, starts: str) -> Call[object]:
    """The rule that something starts from: itself, or that of a request."""
    if isinstance(what, Call):
        return what
    made = getattr(what, "call", None)
    found = made() if callable(made) and not isinstance(what, type) else None
    if isinstance(found, Call):
        return found
    raise Misuse(
        f"{starts} starts from a rule with its arguments or from a request, not from {what!r}; "
        "rollwright.roll(…, faces=[]) begins whatever can be rolled, plain data and expressions too"
    )


class Position:
    """A rule and the answers it has had so far: what it waits for, and where each answer leads.

    >>> from rollwright.dice import D6
    >>> from rollwright import rules
    >>> from rollwright.rules import choose, rule
    >>> @rule
    ... async def once_more() -> int:
    ...     total: int = (await rules.roll(D6)).sum
    ...     if await choose("keep", "again") == "again":
    ...         total = (await rules.roll(D6)).sum
    ...     return total
    >>> after = Position(once_more()).then([2])
    >>> after.step
    choice of player: keep or again
    >>> after.then("again").then([5]).outcome
    5
    """

    __slots__ = ("_tokens", "_run", "_hash", "_secret")

    def __init__(self, call: Call[object] | Request) -> None:
        self._fill((RuleStart(call_of(call, "a position")),), None)

    def _fill(self, tokens: Tokens, run: Run | None) -> None:
        self._tokens = tokens
        self._run = run
        self._hash: int | None = None
        self._secret = False

    @classmethod
    def _at(cls, tokens: Tokens, run: Run | None = None, *, secret: bool = False) -> Position:
        position = cls.__new__(cls)
        position._fill(tokens, run)
        position._secret = secret
        return position

    def __reduce__(self) -> tuple[object, ...]:
        return (Position._at, (self.tokens,))

    @property
    def holds_a_secret(self) -> bool:
        """Whether something led here that not everybody saw; advice then needs the transcript."""
        return self._secret

    def _ready(self) -> Run:
        """A run that waits at this position, with every rule on the way gone into."""
        with _one_at_a_time:
            run, self._run = self._run, None
        run = Run(self._tokens) if run is None else run
        for _ in range(MOST_RULES_WITHOUT_A_STEP):
            if run.at_tail():
                run = Run(run.tail)
            elif type(run.step) is Call or type(run.step) is Together:
                run.enter()
            elif type(run.step) is CutStep or type(run.step) is SpendStep:
                run.answer(FURTHER)
            else:
                self._tokens = tuple(run.tokens)
                self._hash = None
                self._run = run
                return run
        raise no_step_error(run)

    @property
    def tokens(self) -> Tokens:
        """The content of this position: the rule and its answers."""
        self._ready()
        return self._tokens

    @property
    def step(self) -> Any:
        """The step that the rule waits for: a roll, tally, fold, look or choice; or Done."""
        return self._ready().step

    @property
    def is_done(self) -> bool:
        """Whether the rule has come to its outcome."""
        return type(self.step) is Done

    @property
    def outcome(self) -> Outcome:
        """The outcome of a rule that has come to its end."""
        step = self.step
        if type(step) is not Done:
            raise BadAnswer(f"the rule still waits for {step!r}")
        return step.outcome

    @property
    def call(self) -> Call[object]:
        """The rule this position is in, with its arguments."""
        call: Call[object] = self.tokens[0].call
        return call

    @property
    def seen(self) -> Tokens:
        """The answers the rule under way has had."""
        return self._ready().own_answers

    def then(self, answer: object) -> Position:
        """The position after an answer: faces in the pool's order, a hand, or an option."""
        run = self._ready()
        token = check_answer(run, answer)
        with _one_at_a_time:
            mine = self._run is run
            self._run = None
        run = run if mine else Run(self._tokens)
        hidden = getattr(run.step, "sees", None) is not None
        run.answer(token)
        return Position._at(tuple(run.tokens), run, secret=self._secret or hidden)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Position) and self.tokens == other.tokens)

    def __hash__(self) -> int:
        tokens = self.tokens
        if self._hash is None:
            self._hash = hash(tokens)
        return self._hash

    def __repr__(self) -> str:
        return f"<position in {self.call!r}, {len(self.seen)} answers, waits for {self.step!r}>"


def check_answer(run: Run, answer: object) -> Token:
    """The token for an answer from outside, refused where the step does not allow it."""
    step = run.step
    if type(step) is Done:
        raise BadAnswer(f"an answer is left over: the rule has ended, {answer!r} came after it")
    if type(step) is Choice:
        return check_option(step, answer)
    if type(step) is LookStep:
        pool, owners = run.look_pool()
        if isinstance(answer, Hand):
            return _check_look(pool, owners, step, answer)
        shown = read_hand(pool, check_faces(pool, answer), step.read)
        return Hand((owners[die], reading) for die, reading in shown.pairs)
    if isinstance(answer, Hand):
        return _check_hand(step, answer)
    return token_of_faces(step, check_faces(step.pool, answer))


def _check_look(
    pool: Pool, owners: dict[Die, Die], step: LookStep[object], hand: Hand[Reading]
) -> Hand[Reading]:
    can: dict[Die, set[Reading]] = {}
    for known, _ in pool.groups:
        can.setdefault(owners[known], set()).update(readings(known, step.read))
    if hand.pool != step.hand.pool or any(r not in can[d] for d, r in hand.pairs):
        raise BadAnswer(f"{step!r} cannot show {hand!r}")
    return hand


def check_option(choice: Choice[object], option: object) -> Option:
    """One of the options offered, or a refusal that names them."""
    for offered in choice.options:
        if offered == option and type(offered) is type(option):
            return offered
    listed = ", ".join(map(repr, choice.options))
    raise BadAnswer(msg("refused.answer.option", option=repr(option), by=choice.by, options=listed))


def check_faces(pool: Pool, faces: object) -> tuple[Face, ...]:
    """One face for each die of the pool, in the pool's order, or a refusal."""
    if isinstance(faces, (str, bytes)) or not isinstance(faces, Iterable):
        raise BadAnswer(msg("refused.answer.faces", pool=repr(pool), came=repr(faces)))
    listed = tuple(faces)
    if len(listed) != pool.size:
        raise BadAnswer(msg("refused.answer.count", pool=repr(pool), n=pool.size, came=len(listed)))
    place = 0
    for die, count in pool.groups:
        wrong = _first_wrong(die, listed[place : place + count])
        if wrong is not None:
            face, number = listed[place + wrong], place + wrong + 1
            id = (
                "refused.answer.face.printed"
                if _is_printed_zero(die, face)
                else "refused.answer.face"
            )
            about = {"die": repr(die), "face": repr(face), "faces": _format_faces(die)}
            sides = str(len(die.faces))
            raise BadAnswer(msg(id, n=number, sides=sides, **about), face=number)
        place += count
    return listed


def _is_printed_zero(die: Die, face: object) -> bool:
    """Whether it is a 0 as dice with ten and a hundred sides have it printed."""
    return die.is_numbered and len(die.faces) in (10, 100) and type(face) is int and not face


def _first_wrong(die: Die, faces: tuple[Face, ...]) -> int | None:
    """The place of the first face that a die cannot show."""
    if die.is_numbered:
        sides = len(die.faces)
        if {*map(type, faces)} == {int} and min(faces) >= 1 and max(faces) <= sides:
            return None
        wrong = [type(face) is not int or not 1 <= face <= sides for face in faces]
    else:
        can = {(type(face), face) for face in die.faces}
        wrong = [not _is_number_or_text(face) or (type(face), face) not in can for face in faces]
    return wrong.index(True) if True in wrong else None


def _is_number_or_text(face: object) -> bool:
    try:
        hash(face)
    except TypeError:
        return False
    return True


def _format_faces(die: Die) -> Message | str:
    if die.is_numbered:
        return msg("fits.range", low="1", high=str(len(die.faces)))
    shown = [str(face) for face in die.faces[:12]]
    return ", ".join([*shown, "…"] if len(die.faces) > 12 else shown)


def _check_hand(step: ThrowStep[object], hand: Hand[Reading]) -> Hand[Reading]:
    if type(step) is not RollStep:
        raise BadAnswer(f"{step!r} is answered by faces, not by a hand")
    if hand.pool != step.pool:
        raise BadAnswer(f"{step!r} was answered by other dice: {hand!r}")
    can = {d: set(t) for (d, _), t in zip(step.pool.groups, step.tables, strict=True)}
    for die, reading in hand.pairs:
        if reading not in can[die]:
            raise BadAnswer(f"a {die!r} cannot read {reading!r} here")
    return hand


def token_of_faces(step: ThrowStep[object], faces: tuple[Face, ...]) -> Token:
    """Return a throw's answer to the rule when its dice show these faces."""
    if type(step) is TallyStep:  # a sum needs no order
        tables = {die: reading_of(die, step.read) for die, _ in step.pool.groups}
        shown = [tables[die][face] for die, face in zip(step.pool.dice, faces, strict=True)]
        return add_states(step.start, shown)
    hand = read_hand(step.pool, faces, step.read)
    return fold_hand(step, hand) if type(step) is FoldStep else hand


def add_state(start: State, value: State) -> State:
    """`start` and a sum, added place by place where they are tuples; 0 adds to anything."""
    if type(start) is tuple is type(value) and len(start) == len(value):
        return tuple(map(add, start, value))
    if isinstance(start, tuple):
        if not isinstance(value, tuple) and value == 0:
            return start
        return tuple_maker(value, start)([a + b for a, b in zip(start, value, strict=True)])
    if isinstance(value, tuple):
        if start != 0:
            raise TypeError("a number and a tuple cannot be added up")
        return value
    return start + value


def tuple_maker(*models: object) -> Make:
    """Return the constructor of tuples like these: the first NamedTuple's, or of plain tuples."""
    for model in models:
        kind: Any = type(model)
        if kind is not tuple and kind is not int and hasattr(kind, "_make"):
            make: Make = kind._make
            return make
    return tuple


def add_states(start: State, values: Iterable[Reading]) -> State:
    """`start` plus the values: numbers, or tuples of numbers place by place."""
    total = start
    try:
        for value in values:
            total = add_state(total, value)
    except (TypeError, ValueError):
        raise Misuse(
            "a tally adds up numbers, or tuples of numbers that are all of one length"
        ) from None
    return total


def fold_hand(step: FoldStep[object], hand: Hand[Reading]) -> State:
    """The state a fold comes to for one hand."""
    state = step.start
    for reading in in_order({r for table in step.tables for r in table}):
        state = step.step(state, reading, hand.count(reading))
    return state
