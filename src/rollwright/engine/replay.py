"""Replays of a rule: it is run from the start and given its answers again, one after the other.

The answers of a rule are a list of tokens. If a rule ends in another, or a part has come to its
outcome, the tokens that led there are replaced by one: that is how a rule forgets.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import CoroutineType, FunctionType, GeneratorType
from typing import Any, NamedTuple, NoReturn

import rollwright.engine.likeness  # noqa: F401 - calls are compared by it
from rollwright.dice import Die, Outcome, Pool
from rollwright.engine.failures import note_way
from rollwright.engine.steps import (
    Args,
    Call,
    Choice,
    Cut,
    Finish,
    Fold,
    Look,
    Playable,
    Playing,
    Roll,
    Rule,
    Spend,
    Step,
    Tally,
    Throw,
    Token,
    Tokens,
    Watch,
)
from rollwright.errors import BadAnswer, Misuse
from rollwright.hands import Hand
from rollwright.readings import Reading, readings


class Entered:
    """A rule that was gone into: from here on its own answers follow."""

    __slots__ = ("_hash", "call")

    def __reduce__(self) -> tuple[object, ...]:
        return (Entered, (self.call,))

    def __init__(self, call: Playable) -> None:
        self.call = call
        self._hash = hash(call)

    def __eq__(self, other: object) -> bool:
        return type(other) is Entered and self.call == other.call

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"entered {self.call!r}"


class Given:
    """The outcome of a part of the rule, with the way there forgotten."""

    __slots__ = ("outcome",)

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome

    def __eq__(self, other: object) -> bool:
        return type(other) is Given and self.outcome == other.outcome

    def __hash__(self) -> int:
        return hash(("given", self.outcome))

    def __repr__(self) -> str:
        return f"given {self.outcome!r}"


FURTHER = "further"
"""The answer to a rule where counting would stop and playing goes on."""


class Done(NamedTuple):
    """The end of a rule."""

    outcome: Outcome


class Run:
    """A rule being replayed: the coroutines under way and the step they wait for.

    `tokens` are the answers so far. `marks` holds, for each coroutine under way, the place of the
    token by which it was entered, so that its answers can be forgotten when it ends.
    """

    __slots__ = ("tokens", "frames", "marks", "step", "thrown", "hidden", "looked", "watch")

    def __init__(self, tokens: Tokens, *, watched: bool = True) -> None:
        self.tokens = [tokens[0]]
        self.frames: list[Playing] = [tokens[0].call.begin()]
        self.marks = [0]
        self.thrown: dict[int, Roll[object] | dict[tuple[Die, Reading], Die]] = {}
        self.hidden: dict[int, tuple[str, ...]] = {}
        self.looked: set[tuple[int, Die, Reading]] | None = None
        self.step: Any = None
        self.watch = _watch(tokens[0].call) if watched else None
        self._advance(None)
        for token in tokens[1:]:
            self.answer(token)

    @classmethod
    def under_way(cls, call: Playable, frame: Playing, step: object) -> Run:
        """A rule that has begun and waits for its first step; nobody watches it."""
        run: Run = Run.__new__(Run)
        run.tokens = [Entered(call)]
        run.frames = [frame]
        run.marks = [0]
        run.thrown = {}
        run.hidden = {}
        run.looked = None
        run.step = step
        run.watch = None
        return run

    def answer(self, token: Token) -> None:
        """Go on with an answer: a hand, a raw sum or state, an option, or a part's outcome."""
        step = self.step
        kind = type(step)
        if kind is Choice:
            self.tokens.append(token)
            self._advance(token if step.endings is None else step.ending(token))
        elif kind is Roll:
            place = len(self.tokens)
            self.tokens.append(token)
            self.thrown[place] = step
            if step.sees is not None:
                self.hidden[place] = step.sees
            self._advance(token.thrown_at(place))
        elif kind is Tally or kind is Fold:
            if step.sees is not None:
                self.hidden[len(self.tokens)] = step.sees
            self.tokens.append(token)
            self._advance(token if step.finish is None else finished(step, token))
        elif type(token) is Given:
            self._forget(token)
            self._advance(token.outcome)
        elif type(token) is Entered:
            self.enter(token.call)
        elif kind is Cut or kind is Spend:
            self.tokens.append(token)
            self._advance(None)
        else:
            self._answer_look(step, token)

    def enter(self, call: Playable | None = None) -> None:
        """Play the rule or the parts that are waited for out, step by step."""
        call = self.step if call is None else call
        if len(self.frames) > MOST_RULES_WITHOUT_A_STEP:
            raise goes_nowhere(self)
        self._forget(Entered(call))
        self.marks.append(len(self.tokens) - 1)
        self.frames.append(call.begin())
        self._advance(None)

    def _forget(self, token: Token) -> None:
        """Put `token` in place of all answers of the rule that has just ended."""
        depth = len(self.frames)
        if len(self.marks) > depth:
            start = self.marks[depth]
            del self.tokens[start:]
            del self.marks[depth:]
            if self.hidden:
                self.hidden = {place: sees for place, sees in self.hidden.items() if place < start}
            if self.looked:
                self.looked = {entry for entry in self.looked if entry[0] < start}
        self.tokens.append(token)

    def _advance(self, value: Outcome) -> None:
        """Hand a value to the rule under way, and on to the next, until one waits for a step."""
        frames = self.frames
        watch = self.watch
        if watch is None and len(frames) == 1 == len(self.marks) and not isinstance(value, Step):
            try:  # one rule under way that nobody watches: nearly all that is replayed
                value = frames[0].send(value)
            except StopIteration as stop:
                frames.clear()
                value = stop.value
            except RuntimeError as problem:
                if "event loop" in str(problem):
                    raise _foreign(problem) from None
                note_way(problem, tuple(self.tokens))
                raise
            except Exception as problem:
                note_way(problem, tuple(self.tokens))
                raise
            else:
                if not isinstance(value, Step):
                    raise _foreign(value)
        while not isinstance(value, Step):
            if not frames:
                if watch is not None:
                    self._check_idle()
                    _refuse_steps(value)
                self.step = Done(plain_outcome(value))
                return
            if len(self.marks) > len(frames):
                if type(value) is Hand:
                    value = Hand(value.pairs)
                self._forget(Given(value))
            if watch is not None:
                watch.begin()
            try:
                value = frames[-1].send(value)
            except StopIteration as stop:
                del frames[-1]
                value = stop.value
                continue
            except RuntimeError as problem:
                if "event loop" in str(problem):
                    raise _foreign(problem) from None
                note_way(problem, tuple(self.tokens))
                raise
            except Exception as problem:
                note_way(problem, tuple(self.tokens))
                raise
            finally:
                if watch is not None:
                    watch.end()
            if isinstance(value, Step):
                break
            raise _foreign(value)
        if self.looked and type(value) is Choice:
            raise Misuse(
                f"{value!r} comes after a look: whoever chooses sees the dice, so read what the "
                "choice may turn on in the roll itself, and look only after the last choice"
            )
        if watch is not None:
            watch.idle.pop(id(value), None)
            if not frames and type(value) is Call:
                self._check_idle()
        self.step = value

    def _check_idle(self) -> None:
        for step in self.watch.idle.values() if self.watch else ():
            raise Misuse(
                f"in {self.tokens[0].call!r} {step!r} was made but never used: "
                "write `await` in front of it, or return it"
            )

    def at_tail(self) -> bool:
        """Whether the rule has ended in another rule, so that nothing else is remembered."""
        return not self.frames and type(self.step) is Call

    @property
    def tail(self) -> Tokens:
        """The tokens of the rule this one has ended in."""
        return (Entered(self.step),)

    @property
    def own_answers(self) -> Tokens:
        """The answers of the rule under way so far."""
        return tuple(self.tokens[self._own_mark() + 1 :])

    def answers_seen_by(self, by: str) -> Tokens:
        """Return the answers of the rule under way, None for each throw that `by` did not see."""
        if not self.hidden:
            return tuple(self.tokens[1:]) if len(self.marks) == 1 else self.own_answers
        start = self._own_mark() + 1
        return tuple(
            None if by not in self.hidden.get(place, (by,)) else token
            for place, token in enumerate(self.tokens[start:], start)
        )

    def _own_mark(self) -> int:
        depth = max(len(self.frames) - 1, 0)
        return self.marks[depth] if depth < len(self.marks) else self.marks[-1]

    def look_sees(self) -> tuple[str, ...] | None:
        """Who sees what a look shows: those who saw every die that is looked at."""
        seers: tuple[str, ...] | None = None
        for place in self.step.hand.places:
            sees = self.hidden.get(place)
            if sees is not None:
                seers = sees if seers is None else tuple(s for s in seers if s in sees)
        return seers

    def look_pool(self) -> tuple[Pool, dict[Die, Die]]:
        """The dice of a look, each known to show one of its faces; and whose they really are."""
        hand = self.step.hand
        groups: dict[tuple[int, Die, Reading], int] = {}
        for die, reading, place in zip(hand.dice, hand.readings, hand.places, strict=True):
            groups[place, die, reading] = groups.get((place, die, reading), 0) + 1
        counts: dict[Die, int] = {}
        owners: dict[Die, Die] = {}
        for (place, die, reading), count in groups.items():
            known = self._known_die(place, die, reading, count)
            counts[known] = counts.get(known, 0) + count
            owners[known] = die
        return Pool(counts), owners

    def _known_die(self, place: int, die: Die, reading: Reading, count: int) -> Die:
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
            return step[die, reading]
        table = readings(die, step.read)
        return die.only(f for f, r in zip(die.faces, table, strict=True) if r == reading)

    def _answer_look(self, step: object, token: Token) -> None:
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
        sees = self.look_sees()
        if sees is not None:
            self.hidden[place] = sees
        self.tokens.append(token)
        self.thrown[place] = finer
        self._advance(token.thrown_at(place))


def begun(call: Playable) -> tuple[Playing | None, Outcome]:
    """A rule under way and its first step; without the rule where it has ended, and in what."""
    frame = call.begin()
    try:
        step = frame.send(None)
    except StopIteration as stop:
        return None, stop.value
    except RuntimeError as problem:
        if "event loop" in str(problem):
            raise _foreign(problem) from None
        raise
    if not isinstance(step, Step):
        raise _foreign(step)
    return frame, step


def told_once(call: Playable, outcome: Outcome, *, watched: bool = False) -> tuple[Outcome] | None:
    """Return the end of a rule that asked for one thing and got this answer; None if it goes on."""
    if isinstance(outcome, Step):
        return None  # a finish that goes on to another rule, which is gone into first
    watch = _watch(call) if watched else None
    if watch is not None:
        return _watched_once(call, outcome, watch)
    frame = call.begin()
    frame.send(None)
    try:
        frame.send(outcome)
    except StopIteration as stop:
        return (stop.value,)
    except Exception:
        return None  # a run of it says what is wrong
    return None


def _watched_once(call: Playable, outcome: Outcome, watch: Watch) -> tuple[Outcome] | None:
    """The same; None too where something else was made and never used, as a run of it says."""
    frame = call.begin()
    asked = None
    watch.begin()
    try:
        asked = frame.send(None)
        frame.send(outcome)
    except StopIteration as stop:
        end = stop.value
    except Exception:
        return None
    else:
        return None
    finally:
        watch.end()
    idle = watch.idle
    idle.pop(id(asked), None)
    idle.pop(id(end), None)
    return None if idle or _holds_steps(end) else (end,)


def first_told(step: object, answer: Token) -> Outcome:
    """Return the first answer as the rule gets it."""
    if type(answer) is Given:
        return answer.outcome
    if type(step) is Roll:
        return answer.thrown_at(1)
    return finished(step, answer)  # type: ignore[arg-type]


MOST_RULES_WITHOUT_A_STEP = 50_000
"""How many rules may lead into each other without anything being asked for."""


def goes_nowhere(run: Run) -> Misuse:
    """The refusal of a rule that goes from rule to rule and never asks for anything."""
    return Misuse(
        f"{run.step!r} leads from rule to rule and never asks for anything: "
        "does a rule wait for itself?"
    )


def finished(step: Throw[object], raw: Token) -> Outcome:
    """Return the answer of a throw; a finish gives an outcome, a rule or an offer."""
    finish = step.finish
    value = raw if finish is None else finish(raw, *step.given)
    return value if type(value) is Call or is_offer(value) else ended(value)


def finishes(finish: Finish, given: Args, raws: Iterable[Token]) -> list[Outcome]:
    """Return the results of a finish for throw after throw.

    A call with a star takes twice as long as one in which every argument is written down.
    """
    if not given:
        return [finish(raw) for raw in raws]
    if len(given) == 1:
        (first,) = given
        if hasattr(finish, "of_all"):
            ends: list[Outcome] = finish.of_all(raws, first)
            return ends
        return [finish(raw, first) for raw in raws]
    if len(given) == 2:
        first, second = given
        return [finish(raw, first, second) for raw in raws]
    if len(given) == 3:
        first, second, third = given
        return [finish(raw, first, second, third) for raw in raws]
    return [finish(raw, *given) for raw in raws]


def is_offer(value: object) -> bool:
    """Whether this is a choice in which a rule ends."""
    return type(value) is Choice and value.endings is not None


def ended(value: Outcome) -> Outcome:
    """Return the result of a finish, if that is an outcome."""
    if isinstance(value, Step):
        raise Misuse(f"a finish gives an outcome, a rule or an offer, not {value!r}")
    return value


RUNS_WATCHED = 200
"""How many runs of a rule are watched for throws that are made and never used."""


def _watch(call: object) -> Watch | None:
    rule = getattr(call, "rule", None)
    if rule is None or rule.runs >= RUNS_WATCHED:
        return None
    rule.runs += 1
    return Watch()


def _foreign(awaited: object) -> Misuse:
    return Misuse(
        f"a rule awaited something that is none of ours ({awaited!r}): "
        "await only roll, tally, fold, look, together, choose and other rules"
    )


def _holds_steps(outcome: object) -> bool:
    return isinstance(outcome, tuple) and any([isinstance(part, Step) for part in outcome])


def _refuse_steps(outcome: object) -> None:
    if _holds_steps(outcome):
        raise Misuse(f"an outcome holds something still to be awaited: {outcome!r}")


def plain_outcome(value: Outcome) -> Outcome:
    """Return an outcome, which must be a value that can be in a key."""
    if type(value) in _UNFIT:
        refuse_outcome(value)
    if isinstance(value, tuple) and not _UNFIT.isdisjoint(map(type, value)):
        refuse_outcome(next(part for part in value if type(part) in _UNFIT))
    try:
        hash(value)
    except TypeError:
        raise Misuse(changing_outcome(value)) from None
    return value


def changing_outcome(value: object) -> str:
    """The refusal of an outcome that can change."""
    ways: dict[type, str] = {
        list: "tuple(…)",
        dict: "tuple(….items())",
        set: "frozenset(…)",
    }
    hint = f": return {ways[type(value)]}" if type(value) in ways else ""
    return f"an outcome must be an unchanging value, not {value!r}{hint}"


_UNFIT = frozenset([CoroutineType, Rule, FunctionType, GeneratorType])
"""Types that are no outcome: something still to be called or awaited."""


def refuse_outcome(value: Any) -> NoReturn:
    """Say what to write where a rule ends in something that was not called, or not awaited."""
    name = getattr(value, "__name__", "")
    if type(value) is CoroutineType:
        value.close()
        raise Misuse(f"a rule ends in {name}(…), which nobody awaited: write `await` before it")
    if type(value) is GeneratorType:
        raise Misuse("a rule ends in a generator, which has no value yet: write tuple(…) around it")
    raise Misuse(f"a rule ends in {name} itself, which was not called: write `await {name}(…)`")
