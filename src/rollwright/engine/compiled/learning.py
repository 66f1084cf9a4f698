"""Learns the questions about dice, so that a throw is counted by no more than their answers.

Questions about a throw before the rule waits again are learned where it is thrown: the position is
followed once more with the new question. Later questions, about a hand that a local variable keeps,
are learned for that variable at that await: only while it waits do these questions distinguish the
hand, so that positions meet, and the count begins again when a new one turns up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import comb
from typing import TYPE_CHECKING, Any

from rollwright.engine.compiled.dice_kinds import DiceKind, Groups, SplitThrow, join_groups
from rollwright.engine.compiled.errors import Learn
from rollwright.engine.compiled.following import HANDS, Ends, follower
from rollwright.engine.compiled.partial_hands import (
    NULL_RECORDER,
    AnswerSpan,
    DiceKnowledge,
    FaceIndex,
    IndexedFace,
    KnownDice,
    PartialHand,
    ProbedDice,
    QuestionRecorder,
    StoredNumber,
    Table,
    Unseen,
    count_faces_of,
)
from rollwright.engine.odds.cases import Cases, ThrowCases
from rollwright.engine.steps import Choice, RollStep, Step, TallyStep, Token
from rollwright.hands import Hand

if TYPE_CHECKING:
    from rollwright.engine.compiled.machine import At, Frame, Stepper

Sums = list[tuple[tuple[int, ...], int]]
"""Answers to several questions, each with its weight."""
SHARE = 4, 5
"""Share of all different hands: with more answers than this, the hands are kept apart."""
FEW_HANDS = 3
"""Hands that are so few that they are kept apart at once."""
WAYS_TRIED, STEPS_TRIED = 12, 60
"""How many ways are gone beforehand to learn what is asked, and how many steps of each."""
HANDS_TRIED = 3
"""How many hands of a throw are tried where it is first come to."""
MOST_TABLES = 12
"""Tables whose answers distinguish hands as well as seeing them does."""
_PARTLY_KNOWN = frozenset([PartialHand, Unseen])


def _values_of(frame: Any) -> Iterator[Any]:
    """Yield the values of local variables, of a rule and of all that wait for it."""
    while frame is not None:
        yield from frame[2]
        frame = frame[3]


def _is_careful(frame: Any) -> bool:
    """Check whether a rule, or one that waits for it, could notice numbers not looked at."""
    while frame is not None:
        if frame[0].program.careful:
            return True
        frame = frame[3]
    return False


class LearningThrow(QuestionRecorder):
    """A throw that is being followed: what is asked of it until the rule waits again."""

    __slots__ = ("site", "letters", "tables", "under_way", "learner")

    def __init__(self, learner: Learner, site: ThrowSite, letters: FaceIndex) -> None:
        self.learner = learner
        self.site = site
        self.letters = letters
        self.tables = dict.fromkeys(site.tables_for(letters))
        self.under_way = True
        self.careful = False

    def note(self, source: DiceKnowledge, table: Table) -> None:
        """Follow this throw again with a new question, or begin again if it is long passed."""
        self.tables[table] = None
        if not self.under_way:
            self.learner.learn_always(self.site, self.letters, table)


class ThrowSite:
    """An await at which dice are thrown: what was asked of the last ones, by what they show."""

    __slots__ = ("last", "always", "whole", "split")

    def __init__(self) -> None:
        self.split: dict[FaceIndex, Groups] = {}
        """Dice that are followed kind by kind, those together that are asked together."""
        self.whole: set[tuple[FaceIndex, tuple[int, ...]]] = set()
        """Dice with so many questions that their hands are kept apart."""
        self.last: dict[FaceIndex, tuple[Table, ...]] = {}
        self.always: dict[FaceIndex, dict[Table, None]] = {}
        """Questions about dice after the rule has waited for something else."""

    def tables_for(self, letters: FaceIndex) -> list[Table]:
        """Return the likely and the certain questions about such dice."""
        return [*self.last.get(letters, ()), *self.always.get(letters, ())]

    def fits(self, letters: FaceIndex) -> bool:
        """Whether such dice were thrown here before, or dice that have all of their letters."""
        if letters in self.last:
            return True
        for known, tables in [*self.last.items()]:
            places = {letter: number for number, letter in enumerate(known.listed)}
            if all(letter in places for letter in letters.listed):
                order = [places[letter] for letter in letters.listed]
                self.last[letters] = tuple([tuple([t[n] for n in order]) for t in tables])
                return True
        return False


class HandSite(QuestionRecorder):
    """Local variables that keep hands at an await: what is asked of them from there on."""

    __slots__ = ("learner", "letters", "tables", "plans", "whole")

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.whole: set[Hand[Any]] = set()
        """Hands that are kept here as they are, as long as no more is asked."""
        self.letters = learner.letters(())
        self.tables: dict[Table, None] = {}
        self.plans: dict[object, Any] = {}
        self.careful = False

    @property
    def span(self) -> AnswerSpan:
        """The known answers of hands that are kept there."""
        return self.letters.span(tuple(self.tables), counted=False)

    def note(self, source: DiceKnowledge, table: Table) -> None:
        """Distinguish hands by one more answer, and those that they were made of."""
        if source.span.letters is self.letters and table not in self.tables:
            self.tables[table] = None
            self.learner.stale = True
            self.plans.clear()
            self.whole.clear()
        elif source.span.letters is not self.letters:
            self.learner.stale = True
        for part, places in source.parts:
            asked = tuple([table[place] if place >= 0 else 0 for place in places])
            tried = isinstance(part, ProbedDice)
            passed = isinstance(part.site, HandSite) and part.value(asked) is None
            if any(asked) and (tried or passed):
                part.site.note(part, asked)

    def widen(self, found: list[IndexedFace]) -> None:
        """Let dice show more than those did that were kept here so far."""
        known = set(self.letters.listed)
        more = [letter for letter in dict.fromkeys(found) if letter not in known]
        if more:
            self.letters = self.learner.letters((*self.letters.listed, *more))
            self.tables.clear()
            self.plans.clear()
            self.whole.clear()


class NumberSite(QuestionRecorder):
    """A local variable that keeps a number at an await: whether it is looked at from there on."""

    __slots__ = ("learner", "seen")

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.seen = self.careful = False

    def note(self, source: DiceKnowledge, table: Table) -> None:
        """Have the number looked at where it is kept."""
        if not self.seen:
            self.seen = True
            self.learner.stale = True


class Learner:
    """Everything learned about the dice of one count."""

    def __init__(self, chances: ThrowCases) -> None:
        self.chances = chances
        self.stale = False
        """Whether something was learned of positions that are passed."""
        self._letters: dict[object, FaceIndex] = {}
        self._pools: dict[object, tuple[FaceIndex, tuple[int, ...], int]] = {}
        self._sums: dict[object, list[tuple[tuple[int, ...], int]]] = {}
        self._throws: dict[object, ThrowSite] = {}
        self._hands: dict[object, HandSite] = {}
        self._numbers: dict[object, NumberSite] = {}
        self._kinds: dict[object, list[DiceKind]] = {}
        self._shown: dict[Hand[Any], tuple[FaceIndex, tuple[int, ...]]] = {}
        self._seed = 1
        self._trying = False
        self._start: tuple[At, Stepper, Ends] | None = None
        """The start of the count: some ways begin there again once a hand is kept."""
        self._ways_left = WAYS_TRIED

    def letters(self, listed: tuple[IndexedFace, ...]) -> FaceIndex:
        """These letters, of which there is one object."""
        key = (listed, tuple([type(reading) for _, reading, _ in listed]))
        known = self._letters.get(key)
        if known is None:
            known = self._letters[key] = FaceIndex(listed)
        return known

    # --- throws ---

    def follow(
        self, at: At, stepper: Stepper, cases: Cases | None, ends: Ends
    ) -> tuple[Cases, list[tuple[Any, Any]]]:
        """Return the answers to a position, and where each leads.

        Without cases it is a throw, of which only the answers to questions are distinguished.
        """
        if self._start is None:
            self._start = at, stepper, ends
        try:
            return self._follow(at, stepper, cases, ends)
        except Exception:  # it may only be so since a number is not looked at
            if not self._be_careful(at.frame):
                raise
        return self._follow(at, stepper, cases, ends)

    def _follow(
        self, at: At, stepper: Stepper, cases: Cases | None, ends: Ends
    ) -> tuple[Cases, list[tuple[Any, Any]]]:
        if cases is None:
            return self._follow_throw(at, stepper, ends)
        go = follower(stepper, at, ends)
        places = [go(token) for token, _ in cases.listed]
        if self.stale:
            raise Learn  # which a bare `except` of a rule has caught
        return cases, places

    def _be_careful(self, frame: Frame | None) -> bool:
        """Look at all that is asked of hands kept here; whether that was not done before."""
        values = [*_values_of(frame)]
        for value in values:
            if type(value) is Unseen:
                value.look()
        return self._look_at_all(values)

    def _look_at_all(self, values: Iterable[Any]) -> bool:
        """Look at all that is asked of some hands; whether that was not done before."""
        hands = [value for value in values if type(value) is PartialHand]
        sites = [source.site for hand in hands for source, _ in hand.parts]
        more = not all([site.careful for site in sites])
        for site in sites:
            site.careful = True
        return more

    def whole_cases(self, at: At) -> Cases | None:
        """Return the cases of a throw whose hands are kept apart anyway; None for any other."""
        if type(at.asked) is not RollStep or at.asked.finish is not None:
            return None
        if self._is_seen_whole(at.asked, self._site_of(at)):
            return self.chances.hands(at.asked)
        return None

    def _is_seen_whole(self, step: RollStep[object], site: ThrowSite) -> bool:
        """Whether the hands of a throw are kept apart, as they were or since all was asked."""
        letters, counts, hands = self.dice_of(step)
        if hands <= FEW_HANDS or (letters, counts) in site.whole:
            return True
        if letters not in site.last or letters in site.split:
            return False
        tables = tuple(site.tables_for(letters))
        if self.sees_all(letters, tables) or letters.span(tables, counted=True).full:
            site.whole.add((letters, counts))
            return True
        return False

    def begin_anew(self) -> None:
        """Go on with what was learned, now that every position is forgotten."""
        assert self.stale, "something was to be learned, and nothing was"
        self.stale = False

    def ends_of(self, leaf: Callable[[Any], Any], chosen: Callable[[Any, Any], Any] | None) -> Ends:
        """Return what is done where ways lead, with hands distinguished by later questions."""
        return Ends(leaf, chosen, self.narrow)

    def _follow_throw(
        self, at: At, stepper: Stepper, ends: Ends
    ) -> tuple[Cases, list[tuple[Any, Any]]]:
        step, site = at.asked, self._site_of(at)
        letters, counts, hands = self.dice_of(step)
        if self._is_seen_whole(step, site):
            return self._follow(at, stepper, self.chances.hands(step), ends)
        if letters in site.split:
            found = self._split(at, stepper, site, ends)
            if found is not None:
                return found
        if not site.fits(letters):
            self._try_hands(at, stepper, site, ends)
        throwing = LearningThrow(self, site, letters)
        throwing.careful = _is_careful(at.frame)
        while True:
            sums = self._distinguish(step, letters, hands, throwing)
            if sums is None and len(counts) > 1 and not throwing.careful:
                found = self._split(at, stepper, site, ends)
                if found is not None:
                    return found
            cases = self._cases(step, letters, counts, sums, throwing)
            known = len(throwing.tables)
            try:
                go = follower(stepper, at, ends)
                places = [go(token) for token, _ in cases.listed]
                if self.stale or len(throwing.tables) != known:
                    raise Learn  # which a bare `except` of a rule has caught
            except Learn:
                if self.stale:
                    raise
            except Exception:  # it may only be so since a number is not looked at
                if throwing.careful:
                    raise
                throwing.careful = True
            else:
                throwing.under_way = False
                site.last[letters] = tuple(throwing.tables)
                if type(cases.listed[0][0]) is Hand:
                    site.whole.add((letters, counts))
                return cases, places

    def dice_of(self, step: RollStep[object]) -> tuple[FaceIndex, tuple[int, ...], int]:
        """Return the values of a throw's dice, their number, and the number of different hands."""
        key = (step.pool, step.tables)
        known = self._pools.get(key)
        if known is None:
            listed: list[IndexedFace] = []
            counts, hands = [], 1
            for (die, count), table in zip(step.pool.groups, step.tables, strict=True):
                readings = dict.fromkeys(table)
                listed += [(die, reading, 0) for reading in readings]
                counts.append(count)
                hands *= comb(count + len(readings) - 1, count)
            known = self._pools[key] = self.letters(tuple(listed)), tuple(counts), hands
        return known

    def _site_of(self, at: At) -> ThrowSite:
        frame = at.frame
        key = None if frame is None else (id(frame[0].program), frame[1])
        known = self._throws.get(key)
        if known is None:
            known = self._throws[key] = ThrowSite()
        return known

    def _split(
        self, at: At, stepper: Stepper, site: ThrowSite, ends: Ends
    ) -> tuple[Cases, list[tuple[Any, Any]]] | None:
        """The same, each kind of dice by itself; None where all kinds are asked together."""
        step = at.asked
        letters, _, _ = self.dice_of(step)
        if _is_careful(at.frame):
            return None
        groups = site.split.get(letters)
        if groups is None:
            groups = [[die] for die, _ in step.pool.groups]
        while len(groups) > 1:
            site.split[letters] = groups
            splitting = SplitThrow(self, site, letters, self._kinds_of(step, letters, groups))
            found = splitting.follow(at, stepper, ends)
            if found is not None:
                return found
            groups = join_groups(groups, splitting.together)
        site.split[letters] = groups
        return None

    def _kinds_of(
        self, step: RollStep[object], letters: FaceIndex, groups: Groups
    ) -> list[DiceKind]:
        name = (step.pool, step.tables, tuple(map(tuple, groups)))
        known = self._kinds.get(name)
        if known is None:
            known = self._kinds[name] = [DiceKind(self, step, letters, dice) for dice in groups]
        return known

    def learn_always(self, site: ThrowSite, letters: FaceIndex, table: Table) -> None:
        """Note what is asked of dice that are long passed, and begin anew where that is news."""
        known = site.always.setdefault(letters, {})
        if table not in known:
            known[table] = None
            self.stale = True

    def _distinguish(
        self, step: RollStep[object], letters: FaceIndex, hands: int, throwing: LearningThrow
    ) -> tuple[AnswerSpan, Sums] | None:
        """The different answers to what is asked; None where the hands are sooner told apart."""
        tables = tuple(throwing.tables)
        if self.sees_all(letters, tables):
            return None
        span = letters.span(tables, counted=True)
        if span.full or self.distinguishes_all(step, letters, span, hands):
            return None
        return span, self.sums_of(step, letters, span)

    def sees_all(self, letters: FaceIndex, tables: tuple[Table, ...]) -> bool:
        """Whether so many letters are counted by themselves that dice are sooner seen."""
        alone = len([None for table in tables if sum(table) == 1])
        return alone - len(letters.dice) > MOST_TABLES

    def distinguishes_all(
        self, step: RollStep[object], letters: FaceIndex, span: AnswerSpan, hands: int
    ) -> bool:
        """Whether the answers tell so much apart that dice are sooner seen."""
        if len(span.tables) > MOST_TABLES:
            return True
        return len(self.sums_of(step, letters, span)) * SHARE[1] > hands * SHARE[0]

    def _cases(
        self,
        step: RollStep[object],
        letters: FaceIndex,
        counts: tuple[int, ...],
        sums: tuple[AnswerSpan, Sums] | None,
        throwing: LearningThrow,
    ) -> Cases:
        """A hand for each different answer to what is asked; or every hand, where that is less."""
        if sums is None:
            return self.chances.hands(step)
        (span, cases), full = sums, letters.full
        listed: list[tuple[Token, int]] = [
            (PartialHand(((DiceKnowledge(span, counts, case, throwing), full),)), weight)
            for case, weight in cases
        ]
        return Cases.of(listed, step.pool.total)

    def sums_of(
        self, step: RollStep[object], letters: FaceIndex, span: AnswerSpan
    ) -> list[tuple[tuple[int, ...], int]]:
        key = (step.pool, step.tables, span)
        known = self._sums.get(key)
        if known is None:
            known = self._sums[key] = self._add_up(step, letters, span)
        return known

    def _add_up(
        self, step: RollStep[object], letters: FaceIndex, span: AnswerSpan
    ) -> list[tuple[tuple[int, ...], int]]:
        """The joint answers to the tables of a span, with their weights."""
        if not span.tables:
            return [((), step.pool.total)]
        places = {(die, reading): n for n, (die, reading, _) in enumerate(letters.listed)}
        rows = [*zip(*span.tables, strict=True)]
        tables: list[tuple[tuple[int, ...], ...]] = []
        faces: dict[object, tuple[int, ...]] = {}
        for (die, _), table in zip(step.pool.groups, step.tables, strict=True):
            tables.append(tuple([rows[places[die, reading]] for reading in table]))
            faces.update({(die, face): row for face, row in zip(die.faces, tables[-1])})
        tally: TallyStep[object] = TallyStep.__new__(TallyStep)
        tally.fill(step.pool, lambda face, die: faces[die, face])
        tally.start = 0
        tally._tables = tuple(tables)
        return self.chances.tally(tally).listed

    # --- hands that are kept ---

    def narrow(self, frame: Frame) -> Frame:
        """A stack of frames in which hands are known by what is asked of them later."""
        if frame[3] is None and not self._trying and self._is_known_whole(frame):
            return frame
        below: Any = frame
        while below is not None:
            if not HANDS.isdisjoint(map(type, below[2])):
                if self._ways_left and self._start is not None:
                    self._try_ways(*self._start)
                return self._narrow(frame)
            below = below[3]
        return frame

    def _is_known_whole(self, frame: Frame) -> bool:
        """Whether the only hand that lives here was kept as it is before."""
        machine, number, live, _ = frame
        kinds = [*map(type, live)]
        if kinds.count(Hand) != 1 or not _PARTLY_KNOWN.isdisjoint(kinds):
            return False
        place = kinds.index(Hand)
        name = (id(machine.program), number, machine.program.sites[number].names[place])
        site = self._hands.get((name,))
        return site is not None and live[place] in site.whole

    def _narrow(self, frame: Frame) -> Frame:
        stack: list[Any] = []
        hands: list[tuple[object, PartialHand]] = []
        met: dict[int, PartialHand] = {}
        below: Any = frame
        careful = _is_careful(frame)
        while below is not None:
            machine, number, live, under = below
            names = machine.program.sites[number].names
            stack.append((machine, number, [*live]))
            for place, value in enumerate(live):
                kind = type(value)
                name = (id(machine.program), number, names[place])
                if kind is Unseen:
                    known = value.look() if careful else self._narrow_number(name, value)
                    stack[-1][2][place] = known
                elif kind is Hand or kind is PartialHand:
                    hand = met.get(id(value))
                    if hand is None:
                        hand = met[id(value)] = self._as_partial_hand(value)
                        hands.append((name, hand))
            below = under
        made = self._join_hands(hands)
        if len(hands) == 1 and not self._trying:
            ((kept_as, hand),) = hands
            if type(made[id(hand)]) is Hand and made[id(hand)].dice:
                self._hands[kept_as,].whole.add(made[id(hand)])
        if careful:
            self._look_at_all(made.values())
        fresh: Any = None
        for machine, number, values in reversed(stack):
            for place, value in enumerate(values):
                known = met.get(id(value)) if type(value) in HANDS else None
                if known is not None:
                    values[place] = made[id(known)]
            fresh = (machine, number, tuple(values), fresh)
        frames: Frame = fresh
        return frames

    def _as_partial_hand(self, hand: Any) -> PartialHand:
        if type(hand) is PartialHand:
            return hand
        known = self._shown.get(hand)
        if known is None:
            known = self._shown[hand] = count_faces_of(hand, self.letters)
        letters, counts = known
        kind = ProbedDice if self._trying else KnownDice
        return PartialHand(((kind(letters, counts, NULL_RECORDER), letters.full),))

    def _narrow_number(self, name: object, number: Unseen) -> Any:
        site = self._numbers.get(name)
        if site is None:
            site = self._numbers[name] = NumberSite(self)
        if site.seen:
            return number.look()
        return Unseen(0, ((StoredNumber(site, number if self._trying else None), (1,)),))

    def _join_hands(self, hands: list[tuple[object, PartialHand]]) -> dict[int, Any]:
        """Hands that have dice in common are kept together, all others each for itself."""
        groups: list[list[tuple[object, PartialHand]]] = []
        owners: dict[int, int] = {}
        for entry in hands:
            owned = {owners[id(s)] for s, _ in entry[1].parts if id(s) in owners}
            if not owned:
                group = len(groups)
                groups.append([entry])
            else:
                group = min(owned)
                for other in owned - {group}:
                    groups[group] += groups[other]
                    groups[other] = []
                    owners = {s: group if g == other else g for s, g in owners.items()}
                groups[group].append(entry)
            owners.update({id(source): group for source, _ in entry[1].parts})
        made: dict[int, Any] = {}
        for entries in groups:
            if entries:
                self._keep(entries, made)
        return made

    def _keep(self, entries: list[tuple[object, PartialHand]], made: dict[int, Any]) -> None:
        """Know some hands by what is asked of them later."""
        name = tuple([each for each, _ in entries])
        site = self._hands.get(name)
        if site is None:
            site = self._hands[name] = HandSite(self)
        masks: dict[int, tuple[DiceKnowledge, list[int]]] = {}
        for number, (_, hand) in enumerate(entries):
            for source, mask in hand.parts:
                masks.setdefault(id(source), (source, [0] * len(entries)))[1][number] = mask
        if len(masks) == 1:
            ((source, _),) = masks.values()
            if source.site is site and source.span is site.span:
                made.update({id(hand): hand for _, hand in entries})
                return
        plans = []
        for source, each in masks.values():
            key = (source.span.letters, tuple(each))
            plan = site.plans.get(key)
            if plan is None:
                plan = self._plan(site, source.span.letters, each)
                if key not in site.plans:  # what it shows was new there
                    return self._keep(entries, made)
            plans.append((source, plan))
        span = site.span
        if span.full and span.letters.listed:
            made.update({id(hand): hand.look() for _, hand in entries})
            return
        case, learns = [0] * len(span.tables), False
        for source, (_, tables) in plans:
            for number, table in enumerate(tables):
                if table is not None:
                    value = source.value(table)
                    if value is None and self._trying:
                        continue
                    if value is None:
                        source.site.note(source, table)
                        learns = True
                    else:
                        case[number] += value
        if learns:
            raise Learn
        parts = tuple([(source, places) for source, (places, _) in plans])
        fresh = self._source(site, span, tuple(case), parts)
        full, several = span.letters.full, len(entries) > 1
        for number, (_, hand) in enumerate(entries):
            mask = full
            if several:
                bits = [tag >> number & 1 for _, _, tag in span.letters.listed]
                mask = sum([bit << place for place, bit in enumerate(bits)])
            made[id(hand)] = PartialHand(((fresh, mask),)) if mask else Hand()

    def _source(self, site: HandSite, span: AnswerSpan, case: Any, parts: Any) -> DiceKnowledge:
        if not self._trying:
            return DiceKnowledge(span, (), case, site, parts)
        shown_ = [0] * len(span.letters.listed)
        for source, places in parts:
            assert isinstance(source, KnownDice)
            for number, place in enumerate(places):
                if place >= 0:
                    shown_[place] += source.shown[number]
        tried = ProbedDice(span.letters, tuple(shown_), site)
        tried.parts = parts
        return tried

    def _plan(
        self, site: HandSite, letters: FaceIndex, masks: list[int]
    ) -> tuple[tuple[int, ...], list[Table | None]]:
        """Return the places of a source's letters among a site's, and the source's questions."""
        several = len(masks) > 1
        found: list[IndexedFace | None] = []
        for number, (die, reading, _) in enumerate(letters.listed):
            tag = sum([(mask >> number & 1) << bit for bit, mask in enumerate(masks)])
            found.append((die, reading, tag if several else 0) if tag else None)
        before = site.letters
        site.widen([letter for letter in found if letter is not None])
        place_of = {letter: number for number, letter in enumerate(site.letters.listed)}
        places = tuple([-1 if letter is None else place_of[letter] for letter in found])
        tables: list[Table | None] = []
        for table in site.span.tables:
            asked = tuple([table[place] if place >= 0 else 0 for place in places])
            tables.append(asked if any(asked) else None)
        if site.letters is before:
            site.plans[letters, tuple(masks)] = places, tables
        return places, tables

    # --- learning beforehand ---

    def _try_hands(self, at: At, stepper: Stepper, site: ThrowSite, ends: Ends) -> None:
        """Throw a few hands and see what is asked of them before the rule waits again."""
        letters, _, _ = self.dice_of(at.asked)
        throwing = LearningThrow(self, site, letters)
        self._trying = True
        try:
            for _ in range(HANDS_TRIED):
                try:
                    hand = self._some_hand(at.asked, throwing)
                    follower(stepper, at, ends)(hand)
                except Exception:  # it will be met again, by a way that is counted
                    continue
        finally:
            self._trying = False
        self.stale = False
        site.last[letters] = tuple(throwing.tables)

    def _some_hand(self, step: RollStep[object], site: QuestionRecorder) -> PartialHand:
        letters, counts, _ = self.dice_of(step)
        thrown = [0] * len(letters.listed)
        start = 0
        for die, count in zip(letters.dice, counts, strict=True):
            kinds = letters.of(die).bit_count()
            for _ in range(min(count, 1000)):
                thrown[start + self._chance(kinds)] += 1
            start += kinds
        return PartialHand(((ProbedDice(letters, tuple(thrown), site), letters.full),))

    def _chance(self, several: int) -> int:
        """One of several, the same in every count: nothing but speed depends on it."""
        self._seed = (self._seed * 1103515245 + 12345) % 2**31
        return (self._seed >> 8) % several

    def _try_ways(self, at: At, stepper: Stepper, ends: Ends) -> None:
        """Go some ways to their end, and see what is asked of hands that are kept."""
        ways, self._ways_left = self._ways_left, 0
        before, self._trying = self._trying, True
        try:
            for _ in range(ways):
                try:
                    self._try_way(at.asked, at.frame, stepper, ends)
                except (Exception, Learn):
                    continue
        finally:
            self._trying = before
            self.stale = False

    def _try_way(self, asked: Any, frame: Any, stepper: Stepper, ends: Ends) -> None:
        from rollwright.engine.compiled.machine import At

        for _ in range(STEPS_TRIED):
            at = At(asked, frame, True)
            kind = type(asked)
            if kind is Choice:
                token: Any = asked.options[self._chance(len(asked.options))]
            elif kind is RollStep:
                letters, _, _ = self.dice_of(asked)
                site = self._site_of(at)
                throwing = LearningThrow(self, site, letters)
                token = self._some_hand(asked, throwing)
                try:
                    asked, frame = follower(stepper, at, ends)(token)
                finally:
                    site.last[letters] = tuple(throwing.tables)
                if not isinstance(asked, Step):
                    return
                continue
            elif isinstance(asked, TallyStep):
                token = self.chances.of_throw(asked).listed[0][0]
            else:
                asked, frame = ends.of(stepper.enter_part(at))
                if not isinstance(asked, Step):
                    return
                continue
            asked, frame = follower(stepper, at, ends)(token)
            if not isinstance(asked, Step):
                return
