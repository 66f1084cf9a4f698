"""The positions of one question, numbered as they are first come to; and when to compile at all."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from rollwright.engine.compiled.errors import CannotCompile, Learn
from rollwright.engine.steps import Call, Choice, RollStep, Rule, Step, TallyStep, Tokens
from rollwright.errors import NeverEnds

if TYPE_CHECKING:
    from rollwright.engine.compiled.learning import Learner
    from rollwright.engine.compiled.machine import At, Frame, Stepper
    from rollwright.engine.compiled.program import Site
    from rollwright.engine.odds.cases import Cases, ThrowCases
    from rollwright.engine.steps import Token

NEXT_TO_NOTHING = 10**-30
"""Weight that a loop that grows may leave uncounted: it is reported as lost."""
MOST_STUCK = 500
"""Positions that nothing leads out of, after which a loop is called endless."""
WAYS_REPLAYED = 300
"""So many ways of one rule are replayed before it is compiled: that takes about as long."""


class MustCompile(Exception):
    """A rule that cannot be counted by replaying it, or had better not be."""

    def __init__(self, rule: Rule[..., object]) -> None:
        super().__init__(rule)
        self.rule = rule


def resolve_leads(
    places: Iterable[tuple[Any, Any]],
    leaf: Callable[[Any], Any],
    chosen: Callable[[Any, Any], tuple[Any, Any]] | None,
) -> Iterator[tuple[Any, Any]]:
    """Yield where ways lead: choices on the way are made, and outcomes are handed to `leaf`."""
    for asked, frame in places:
        if type(asked) is Choice and chosen is not None:
            asked, frame = chosen(asked, frame)
        yield asked, frame if isinstance(asked, Step) else leaf(frame)


class Compiling:
    """Which rules of a question are compiled, and all positions that were come to in them."""

    __slots__ = (
        "wanted",
        "refusal",
        "off",
        "merges",
        "learns",
        "_learner",
        "positions",
        "came",
        "grows",
        "_stepper",
        "_ends",
        "_stuck",
        "parts",
        "_after",
    )

    def __init__(self) -> None:
        self.wanted: set[Rule[..., object]] = set()
        self.refusal: CannotCompile | None = None
        self.off = False
        self.merges = True
        """Only tests want every way for itself."""
        self.parts = False
        """Whether plain async functions may be counted as parts of their own."""
        self.learns = True
        """Whether a throw is counted by what is asked of it."""
        self._learner: Learner | None = None
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget every position."""
        self.positions: list[At] = []
        self.came: dict[int, tuple[int, Token]] = {}
        """The first way to a position: from which other, and by which answer."""
        self.grows = False
        """Whether a position was come to in a loop that nothing bounds."""
        self._ends: dict[Hashable, int] = {}
        self._after: dict[Hashable, dict[Token, int]] = {}
        """By the frames that wait for a sum, the places to which sums lead."""
        self._stepper: Stepper | None = None
        self._stuck = 0
        """How many positions there were that nothing leads out of."""

    def give_up(self, why: CannotCompile) -> None:
        """Replay everything from now on."""
        self.refusal = why
        self.off = True
        self.wanted.clear()
        self.begin_anew()

    def relearn(self) -> None:
        """Find all positions again, since more is known of the questions about dice."""
        assert self._learner is not None
        self._learner.begin_anew()
        self.begin_anew()

    def tries(self, tokens: Tokens) -> Rule[..., object] | None:
        """The rule that is under way, if it may still be compiled."""
        call = tokens[0].call
        if self.off or type(call) is not Call or call.rule.shortcut is not None:
            return None
        rule: Rule[..., object] = call.rule
        return rule

    def wants(self, rule: Rule[..., object]) -> bool:
        """Whether a rule is counted as compiled: in this count it was seen to go many ways.

        What was counted before does not matter, so that the same question has the same answer,
        down to its total.
        """
        return rule in self.wanted

    @property
    def stepper(self) -> Stepper:
        """The object that steps from position to position; made for the first of them."""
        if self._stepper is None:
            from rollwright.engine.compiled.machine import Stepper

            self._stepper = Stepper()
            self._stepper.parts = self.parts
        return self._stepper

    def any_learner(self, chances: ThrowCases) -> Learner:
        """The part that learns which questions dice are asked; made when first needed."""
        if self._learner is None:
            from rollwright.engine.compiled.learning import Learner

            self._learner = Learner(chances)
        return self._learner

    def follow(
        self,
        at: At,
        cases: Cases | None,
        chances: ThrowCases,
        leaf: Callable[[Any], Any],
        chosen: Callable[[Any, Any], tuple[Any, Any]] | None = None,
    ) -> tuple[Cases, list[tuple[Any, Any]]]:
        """Return the answers to a position, and where each leads, with the results of `leaf`.

        A choice on the way is made at once by `chosen`, if given. Without cases it is a throw: it
        is distinguished by the questions about it, as far as possible.
        """
        stepper = self._stepper or self.stepper
        stepper.shares = chosen is None
        if not self.learns:
            if cases is None:
                cases = chances.of_throw(at.asked)
            places = stepper.ways(at, [token for token, _ in cases.listed])
            return cases, list(resolve_leads(places, leaf, chosen))
        learner = self._learner or self.any_learner(chances)
        if cases is None and (type(at.asked) is not RollStep or at.asked.finish is not None):
            cases = chances.of_throw(at.asked)
        ends = learner.ends_of(leaf, chosen)
        if not stepper.sees_types:
            found = learner.follow(at, stepper, cases, ends)
        if stepper.sees_types:
            self.learns = False
            learner.stale = True
            raise Learn
        return found

    @property
    def steps_on(self) -> bool:
        """Whether positions may be stepped on from at once: they merge, and dice are learned."""
        return self._learner is not None and self.learns and self.merges

    def straight(self, at: At, cases: Cases | None) -> Cases | None:
        """Return the answers to a position from which the rule can be stepped on directly.

        That is a shorter way where it is by itself, all is known of its dice and nothing has to be
        learned; else None.
        """
        if not self.steps_on:
            return None
        stepper = self._stepper or self.stepper
        stepper.shares = True
        if stepper.sees_types or not stepper.is_straight(at):
            return None
        if cases is None:
            assert self._learner is not None
            cases = self._learner.whole_cases(at)
        return cases

    def straight_below(self, at: At) -> bool:
        """Whether a choice can be stepped on directly where other frames wait below."""
        if not self.steps_on or at.changes:
            return False
        stepper = self._stepper or self.stepper
        stepper.shares = True
        return not stepper.sees_types and stepper.all_is_known(at)

    def narrow(self, frame: Frame | None) -> Frame | None:
        """A stack of frames in which hands are known by what is asked of them later."""
        assert self._learner is not None
        return frame if frame is None else self._learner.narrow(frame)

    def ends(self, places: list[tuple[Any, Any]], leaf: Callable[[Any], Any]) -> Any:
        """Return where ways lead that were stepped on."""
        assert self._learner is not None
        return self._learner.ends_of(leaf, None).of_all(places)

    def sums_after(self, at: At) -> dict[Token, int]:
        """Return where sums are known to lead from an await, whichever dice they are of."""
        from rollwright.engine.compiled.following import frames_key

        key = None if not self.merges or at.changes else frames_key(at.frame)
        return {} if key is None else self._after.setdefault((key.awaits, key.live), {})

    def last_throw(self, step: TallyStep[Any], frame: Frame) -> TallyStep[Any] | None:
        """Return a tally that a rule waits for as one that it ends in; None if that cannot be."""
        if not self.merges:
            return None
        from rollwright.engine.compiled.following import last_throw

        return last_throw(step, frame, self._stepper or self.stepper)

    def number(
        self,
        asked: Any,
        frame: Frame | None,
        came: tuple[int, Token] | None,
        add: Callable[[At], int],
    ) -> int:
        """The number of a position, given by `add` when it is first come to."""
        stepper = self._stepper or self.stepper
        table, key, changes = stepper.position_key(asked, frame, stepper.frozen, stepper.belows)
        if table is None:
            table = self._ends
        known = table.get(key)
        if known is None or not self.merges:
            at = stepper.at(asked, frame, changes)
            known = table[key] = add(at)
            if came is not None:
                self.came[known] = came
            site = at.site
            if site is not None:
                self.note_new(site)
                if frame is not None and frame[3] is not None:
                    self.grows = True
        return known

    def note_new(self, site: Site) -> None:
        """Note that a position at an await is new."""
        if not site.ends:
            self._stuck += 1
            if self._stuck > MOST_STUCK:
                raise NeverEnds(
                    f"nothing leads out of the loop around line {site.line}: "
                    "it goes on for ever, so it comes to no outcome; write a return in it"
                )
        if site.grows:
            self.grows = True

    def add(self, at: At) -> int:
        """Number a position in the order in which they are come to."""
        self.positions.append(at)
        return len(self.positions) - 1
