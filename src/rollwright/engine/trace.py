"""The trace of a roll: which rule, and which part of it, asked for which entry and came to what.

It is recorded while a rule is played live. Counting knows nothing of it and pays nothing for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from rollwright.dice import Outcome
from rollwright.engine.replay import Done, PartOutcome, Run
from rollwright.engine.steps import Args, Call, Together, Token, Tokens


class TraceEntry(NamedTuple):
    """An entry of the transcript that a rule asked for itself."""

    entry: int
    """Its number in `transcript.entries`."""
    sees: tuple[str, ...] | None = None
    """Who saw the throw; None for everybody."""


class RuleTrace(NamedTuple):
    """One rule as it was played: what it asked for itself and its parts, in order."""

    call: Call[object]
    happened: tuple[TraceEntry | Trace, ...]

    @property
    def rule(self) -> str:
        """The name of the rule's function."""
        return str(self.call.rule.short_name)

    @property
    def args(self) -> Args:
        """The rule's arguments, in their order."""
        return self.call.args

    @property
    def entries(self) -> tuple[int, ...]:
        """The numbers of the entries it asked for itself."""
        return tuple(own.entry for own in self.happened if isinstance(own, TraceEntry))

    @property
    def parts(self) -> tuple[Trace, ...]:
        """The rules it awaited, in order; those in `together` and `gather` are among them."""
        return tuple(part for part in self.happened if isinstance(part, Trace))

    def __str__(self) -> str:
        within = [
            str(one.entry) if isinstance(one, TraceEntry) else str(one) for one in self.happened
        ]
        return f"{self.rule}[{', '.join(within)}]" if within else self.rule


class Trace(NamedTuple):
    """A rule from where it was begun or awaited to its outcome, through all that it ended in.

    Arguments and outcomes after a hidden throw may hold what it showed: before you show a trace to
    a seat, ask `missed_by`.

    >>> from rollwright.dice import D6, D8, Die
    >>> from rollwright import rules
    >>> from rollwright.rules import rule, together
    >>> from rollwright.engine.transcript import Transcript
    >>> @rule
    ... async def throw(die: Die) -> int:
    ...     face: int = (await rules.roll(die)).sum
    ...     return face
    >>> @rule
    ... async def race() -> int:
    ...     mine, yours = await together(throw(D6), throw(D8))
    ...     return mine - yours
    >>> trace = Transcript(race()).throw([5]).throw([7]).trace
    >>> print(trace)
    race[throw[0] = 5, throw[1] = 7] = -2
    >>> [(part.args, part.entries, part.outcome) for part in trace.parts]
    [((D6,), (0,), 5), ((D8,), (1,), 7)]
    """

    rules: tuple[RuleTrace, ...]
    """The rule, and those that it ended in, one after the other."""
    outcome: Outcome = None
    is_done: bool = False
    """Whether it has come to its outcome."""

    @property
    def rule(self) -> str:
        """The name of the rule that was begun or awaited."""
        return self.rules[0].rule

    @property
    def args(self) -> Args:
        """The arguments of that rule."""
        return self.rules[0].args

    @property
    def entries(self) -> tuple[int, ...]:
        """The numbers of all entries in it, those of its parts too."""
        return tuple(asked.entry for asked in self._all_entries())

    @property
    def parts(self) -> tuple[Trace, ...]:
        """The parts that its rules awaited, in order, without the parts of those."""
        return tuple(part for played in self.rules for part in played.parts)

    def walk(self) -> Iterator[RuleTrace]:
        """Every rule that was played, in the order in which they were begun."""
        waiting = [*reversed(self.rules)]
        while waiting:
            here = waiting.pop()
            yield here
            waiting.extend(played for part in reversed(here.parts) for played in part.rules[::-1])

    def runs_of(self, *rules: str) -> tuple[RuleTrace, ...]:
        """Every time that one of these rules was played, in the order they were begun."""
        return tuple(here for here in self.walk() if here.rule in rules)

    def missed_by(self, seat: str) -> tuple[int, ...]:
        """The numbers of the throws in it that a seat did not see."""
        return tuple(
            asked.entry
            for asked in self._all_entries()
            if asked.sees is not None and seat not in asked.sees
        )

    def _all_entries(self) -> list[TraceEntry]:
        own = [one for here in self.walk() for one in here.happened]
        return sorted(one for one in own if isinstance(one, TraceEntry))

    def __str__(self) -> str:
        end = f" = {self.outcome}" if self.is_done else ""
        return f"{' > '.join(map(str, self.rules))}{end}"


class TraceRecord:
    """A record of a roll, in order; the tree is made of it when somebody asks."""

    __slots__ = ("_call", "_known", "_noted", "note")

    def __init__(self, call: Call[object]) -> None:
        self._call = call
        self._known: tuple[int, object, Trace] | None = None
        """The trace as it was last asked for: after how many notes, at which step."""
        self._noted: list[tuple[Callable[..., None], *tuple[object, ...]]] = []
        self.note = self._noted.append
        """Takes one of `asked`, `entered` and `given` of a growing tree, and what belongs to it."""

    def note_entry(self, sees: tuple[str, ...] | None) -> None:
        """The rule under way gets the next entry."""
        self.note((_TraceBuilder.add_entry, sees))

    def note_tail(self, call: Call[object]) -> None:
        """The whole rule has ended in another."""
        self.note((_TraceBuilder.enter, call, True))

    def trace(self, step: object) -> Trace:
        """All that was played so far; `step` is what is waited for now."""
        known = self._known
        if known is not None and known[0] == len(self._noted) and known[1] is step:
            return known[2]
        growing = _TraceBuilder(self._call)
        for note, *noted in self._noted:
            note(growing, *noted)
        found = growing.trace(step)
        self._known = len(self._noted), step, found
        return found


class TracedRun(Run):
    """A run that notes which parts it goes into and what they come to."""

    __slots__ = ("note",)

    def __init__(self, tokens: Tokens, record: TraceRecord) -> None:
        self.note = record.note
        super().__init__(tokens)

    def _forget(self, token: Token) -> None:
        if type(token) is PartOutcome:
            self.note((_TraceBuilder.close, token.outcome))
        else:
            self.note((_TraceBuilder.enter, token.call, len(self.marks) > len(self.frames)))
        Run._forget(self, token)


class _OpenTrace:
    """A trace that is not done: each rule of it with what has happened in it."""

    __slots__ = ("rules",)

    def __init__(self, call: Call[object]) -> None:
        self.rules: list[tuple[Call[object], list[TraceEntry | Trace]]] = [(call, [])]

    def add(self, happened: TraceEntry | Trace) -> None:
        self.rules[-1][1].append(happened)

    def freeze(self, outcome: Outcome = None, is_done: bool = False) -> Trace:
        played = (RuleTrace(call, tuple(happened)) for call, happened in self.rules)
        return Trace(tuple(played), outcome, is_done)


class _TraceBuilder:
    """The tree while it is put together, with the parts that are under way."""

    __slots__ = ("_open", "_number")

    def __init__(self, call: Call[object]) -> None:
        self._open: list[_OpenTrace | None] = [_OpenTrace(call)]
        """Outermost first; None for a `together`, which has no rule of its own."""
        self._number = 0

    def add_entry(self, sees: tuple[str, ...] | None) -> None:
        """The rule under way gets the next entry."""
        self._innermost().add(TraceEntry(self._number, sees))
        self._number += 1

    def enter(self, call: Call[object] | Together[object], ended: bool) -> None:
        """A rule or a `together` is gone into; `ended` if the one under way has ended in it."""
        if isinstance(call, Together):
            if not ended:
                self._open.append(None)
            return
        before = self._open[-1]
        if ended and before is not None:
            before.rules.append((call, []))
            return
        if ended:
            self._open.pop()
        self._open.append(_OpenTrace(call))

    def close(self, outcome: Outcome) -> None:
        """The part under way has come to its outcome."""
        part = self._open.pop()
        if part is not None:
            self._innermost().add(part.freeze(outcome, True))

    def trace(self, step: object) -> Trace:
        while len(self._open) > 1:
            part = self._open.pop()
            if part is not None:
                self._innermost().add(part.freeze())
        last = self._innermost()
        return last.freeze(step.outcome, True) if type(step) is Done else last.freeze()

    def _innermost(self) -> _OpenTrace:
        return next(part for part in reversed(self._open) if part is not None)
