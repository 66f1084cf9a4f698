"""A position: a rule and the answers it has had so far.

A position is a value made by replaying the rule. It remembers no more than the rule can: where a
rule ends in another, or a part of it has come to its outcome, what led there is forgotten.
"""

from __future__ import annotations

from _thread import allocate_lock
from typing import Any

from rollwright.dice import Outcome
from rollwright.engine.answers import checked_answer
from rollwright.engine.replay import (
    MOST_RULES_WITHOUT_A_STEP,
    Done,
    Entered,
    Given,
    Run,
    goes_nowhere,
)
from rollwright.engine.steps import Call, Together, Tokens
from rollwright.errors import BadAnswer, Misuse

__all__ = ["Done", "Entered", "Given", "Position", "Run"]


_one_at_a_time = allocate_lock()


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

    __slots__ = ("_tokens", "_run", "_hash", "_secret")

    def __init__(self, call: Call[object]) -> None:
        if not isinstance(call, Call):
            raise Misuse(f"a position starts from a rule with its arguments, not from {call!r}")
        self._fill((Entered(call),), None)

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
            else:
                self._tokens = tuple(run.tokens)
                self._hash = None
                self._run = run
                return run
        raise goes_nowhere(run)

    @property
    def tokens(self) -> Tokens:
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
        token = checked_answer(run, answer)
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
