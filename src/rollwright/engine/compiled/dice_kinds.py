"""Throws of several kinds of dice, each of which is told apart by what is asked of it alone.

Where one kind is seen whole, the others need not be: two d20s are seen, effect dice only added up.
And a kind is told apart only on the ways on which it is asked: effect dice where a check succeeds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.dice import Die, Pool
from rollwright.engine.compiled.errors import Learn
from rollwright.engine.compiled.following import Ends, follower
from rollwright.engine.compiled.partial_hands import (
    NULL_RECORDER,
    AnswerSpan,
    DiceKnowledge,
    FaceIndex,
    KnownDice,
    Part,
    PartialHand,
    QuestionRecorder,
    Table,
)
from rollwright.engine.odds.cases import Cases
from rollwright.engine.steps import RollStep
from rollwright.hands import Hand

if TYPE_CHECKING:
    from rollwright.engine.compiled.learning import Learner, ThrowSite
    from rollwright.engine.compiled.machine import At, Stepper

STEPS_AT_ONCE = 100
"""After so many ways they are taken from the budget."""
HIGHEST, LOWEST = "highest", "lowest"
Question = Table | str
"""A table, or one end of the dice."""


class KindCase(NamedTuple):
    """Answers about the dice of one kind on some ways, with the weight of these."""

    source: OneKind | KnownDice
    weight: int
    part: Part
    """All of these dice as a part of a hand."""

    @classmethod
    def of(cls, source: OneKind | KnownDice, weight: int) -> KindCase:
        """Return all dice of a source, with the weight of these ways."""
        return cls(source, weight, (source, source.span.letters.full))


class DiceKind:
    """Dice of a throw asked by themselves: equal ones, or kinds that are asked together."""

    __slots__ = ("learner", "step", "letters", "counts", "hands", "places", "_whole", "_finer")

    def __init__(
        self, learner: Learner, step: RollStep[object], letters: FaceIndex, dice: list[Die]
    ):
        self.learner = learner
        pool = Pool({die: count for die, count in step.pool.groups if die in dice})
        self.step: RollStep[object] = RollStep.__new__(RollStep).fill(pool, step.read)
        self.letters, self.counts, self.hands = learner.dice_of(self.step)
        self.places = [n for n, (die, _, _) in enumerate(letters.listed) if die in dice]
        """Where its letters stand among those of the whole throw."""
        self._whole: list[tuple[KnownDice, int]] | None = None
        self._finer: dict[object, dict[object, list[tuple[Any, int]]]] = {}

    def widen(self, table: Table, letters: FaceIndex) -> Table:
        """Return a question about this kind as one about the whole throw."""
        whole = [0] * len(letters.listed)
        for place, value in zip(self.places, table, strict=True):
            whole[place] = value
        return tuple(whole)

    def first(self, known: list[Table], site: QuestionRecorder) -> Iterator[KindCase]:
        """Yield the kind as far as it is surely asked."""
        nothing = self.letters.span((), counted=True)
        view = KindCase.of(OneKind(nothing, self.counts, (), site), self.step.pool.total)
        return iter(self.finer(view, known, site) if known else [view])

    def finer(
        self, view: KindCase, asked: Sequence[Question], site: QuestionRecorder
    ) -> list[KindCase]:
        """Return the same ways, told apart by more."""
        source = view.source
        assert type(source) is OneKind, "dice that are seen are asked for no more"
        old = source.span
        ends = [one for one in asked if isinstance(one, str)]
        if ends and len(asked) == 1 and not old.tables and source.end is None:
            return self._by_end(ends[0], site)
        tables = (*old.tables, *[one for one in asked if not isinstance(one, str)])
        if ends or source.end or self.learner.sees_all(self.letters, tables):
            return self._whole_hands(source)
        span = self.letters.span(tables, counted=True)
        if span.full or self.learner.distinguishes_all(self.step, self.letters, span, self.hands):
            return self._whole_hands(source)
        known = self._finer.get((old, span))
        if known is None:
            known = self._finer[old, span] = {}
            for case, weight in self.learner.sums_of(self.step, self.letters, span):
                known.setdefault(case[: len(old.tables)], []).append((case, weight))
        cases = known[source.case]
        return [
            KindCase.of(OneKind(span, self.counts, case, site), weight) for case, weight in cases
        ]

    def _by_end(self, which: str, site: QuestionRecorder) -> list[KindCase]:
        """Return the dice by the highest or the lowest of them."""
        span = self.letters.span((), counted=True)
        weights: dict[Any, int] = {}
        for hand, weight in self.learner.chances.hands(self.step).listed:
            end = getattr(hand, which)()[0]
            weights[end] = weights.get(end, 0) + weight
        made = []
        for end, weight in weights.items():
            source = OneKind(span, self.counts, (), site)
            source.end = which, end
            made.append(KindCase.of(source, weight))
        return made

    def _whole_hands(self, source: OneKind) -> list[KindCase]:
        """Return the hands that agree with all that is known."""
        if self._whole is None:
            self._whole = [
                self._known_dice(*each) for each in self.learner.chances.hands(self.step)[0]
            ]
        end = source.end
        name = (source.span, end and end[0])
        known = self._finer.get(name)
        if known is None:
            known = self._finer[name] = {}
            for shown, weight in self._whole:
                case: object = tuple([shown.value(table) for table in source.span.tables])
                if end is not None:
                    case = (case, getattr(shown.hand, end[0])()[0])
                known.setdefault(case, []).append((shown, weight))
        listed = known[source.case if end is None else (source.case, end[1])]
        return [KindCase.of(shown, weight) for shown, weight in listed]

    def _known_dice(self, hand: Any, weight: int) -> tuple[KnownDice, int]:
        listed = self.letters.listed
        places = {(die, reading): number for number, (die, reading, _) in enumerate(listed)}
        counts = [0] * len(places)
        for each in zip(hand.dice, hand.readings, strict=True):
            counts[places[each]] += 1
        shown = KnownDice(self.letters, tuple(counts), NULL_RECORDER)
        shown.hand = hand
        return shown, weight


class OneKind(DiceKnowledge):
    """Dice of one kind of a throw: answers to tables, or one end of them."""

    __slots__ = ("end",)

    def __init__(
        self,
        span: AnswerSpan,
        counts: tuple[int, ...],
        case: tuple[int, ...],
        site: QuestionRecorder,
    ) -> None:
        super().__init__(span, counts, case, site)
        self.end: tuple[str, Any] | None = None
        """Which end is known, and what it is."""

    def extreme(self, which: str) -> Any:
        """Return the highest or the lowest; it is learned if it is not known."""
        if self.end is not None and self.end[0] == which:
            return self.end[1]
        self.site.note_end(self, which)
        raise Learn

    def key(self) -> tuple[object, ...]:
        return self.span, self.counts, self.case, self.end


class KindSite(QuestionRecorder):
    """Notes of what was asked of some dice of a throw."""

    __slots__ = ("splitting", "place")

    def __init__(self, splitting: SplitThrow, place: int) -> None:
        self.splitting = splitting
        self.place = place
        self.careful = False

    def note(self, source: DiceKnowledge, table: Table) -> None:
        """Tell the kind apart by one more answer where it is asked, or all over again later."""
        self.splitting.note(self.place, table)

    def note_end(self, source: DiceKnowledge, which: str) -> None:
        """The same for one end; long after the throw the dice had better be seen whole."""
        if self.splitting.under_way:
            self.splitting.note(self.place, which)
            return
        letters = source.span.letters
        for number in range(len(letters.listed)):
            self.splitting.note(self.place, letters.ones(1 << number))


class SplitThrow:
    """A throw that is being followed, kind by kind."""

    def __init__(
        self, learner: Learner, site: ThrowSite, letters: FaceIndex, kinds: list[DiceKind]
    ):
        self.learner = learner
        self.site = site
        self.letters = letters
        self.kinds = kinds
        self.sites = [KindSite(self, place) for place in range(len(kinds))]
        self.asked: dict[int, dict[Question, None]] = {}
        self.under_way = True
        self.together: frozenset[int] = frozenset()
        """Kinds that were asked for something together."""

    def note(self, place: int, question: Question) -> None:
        """Note what was asked of a kind."""
        if self.under_way:
            self.asked.setdefault(place, {})[question] = None
        elif not isinstance(question, str):
            table = self.kinds[place].widen(question, self.letters)
            self.learner.learn_always(self.site, self.letters, table)

    def follow(
        self, at: At, stepper: Stepper, ends: Ends
    ) -> tuple[Cases, list[tuple[Any, Any]]] | None:
        """Return the cases and where each leads; None if kinds are asked together."""
        learner = self.learner
        listed: list[tuple[Any, int]] = []
        places: list[tuple[Any, Any]] = []
        waiting = self._beginnings()
        if waiting is None:
            return None
        pool, go = at.asked.pool, follower(stepper, at, ends)
        while waiting:
            views = waiting.pop()
            token = self._token(views, pool)
            self.asked.clear()
            try:
                place = go(token)
                if learner.stale or self.asked:
                    raise Learn  # which a bare `except` of a rule has caught
            except Learn:
                if learner.stale:
                    raise
                if len(self.asked) != 1:
                    self.together = frozenset(self.asked)
                    return None
                ((number, asked),) = self.asked.items()
                finer = self.kinds[number].finer(views[number], [*asked], self.sites[number])
                before, after = views[:number], views[number + 1 :]
                waiting += [(*before, view, *after) for view in reversed(finer)]
            else:
                listed.append((token, prod([view.weight for view in views])))
                places.append(place)
                if not len(listed) % STEPS_AT_ONCE:
                    learner.chances.budget.spend(STEPS_AT_ONCE, "this rule")
        self.under_way = False
        return Cases.of(listed, pool.total), places

    def _beginnings(self) -> list[tuple[KindCase, ...]] | None:
        """Return the throw as far as it is surely asked, kind by kind; None if that cannot be."""
        known: list[list[Table]] = [[] for _ in self.kinds]
        for table in self.site.always.get(self.letters, ()):
            touched = []
            for number, kind in enumerate(self.kinds):
                part = tuple([table[place] for place in kind.places])
                if any(part):
                    touched.append((number, part))
            if len(touched) != 1:
                self.together = frozenset([number for number, _ in touched])
                return None
            known[touched[0][0]].append(touched[0][1])
        found: list[tuple[KindCase, ...]] = [()]
        for kind, tables, site in zip(self.kinds, known, self.sites, strict=True):
            each = [*kind.first(tables, site)]
            found = [(*views, view) for views in found for view in each]
        return found[::-1]

    def _token(self, views: tuple[KindCase, ...], pool: Pool) -> Hand[Any]:
        for source, _, _ in views:
            if type(source) is not KnownDice:
                return PartialHand(tuple([part for _, _, part in views]))
        hands: list[Hand[Any]] = [view.source.hand for view in views]  # type: ignore[misc]
        shown = tuple(chain.from_iterable([hand.readings for hand in hands]))
        dice = tuple(chain.from_iterable([hand.dice for hand in hands]))
        if dice == pool.dice:
            return Hand._build(pool.dice, shown, None)
        return Hand(zip(dice, shown, strict=True))


Groups = list[list[Die]]
"""The dice of a throw, those together that are asked together."""


def join_groups(groups: Groups, together: frozenset[int]) -> Groups:
    """Return the same groups, some of them asked together."""
    one = [die for number in sorted(together) for die in groups[number]]
    return [one, *[group for number, group in enumerate(groups) if number not in together]]
