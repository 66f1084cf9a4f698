"""The report of a check of a log: what was checked, what is wrong, and where."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from rollwright.i18n.locale import format_text
from rollwright.i18n.messages import Message, msg
from rollwright.table.fairness import head_to_words as spoken_head

_HASH = re.compile("[0-9a-f]{64}")
_SEAT = re.compile("s[1-9][0-9]{0,8}")
MOST_PROBLEMS = 100
MOST_GAMES, LONGEST_GAME = 16, 60

NAMES = {
    "not a log": "It has no format, no table or no events.",
    "unknown format": "A newer version wrote it, or one from before the first release.",
    "too large": "There is more of it than is checked, or there was no time.",
    "malformed event": "Something in it is not what an event holds.",
    "missing head": "The hash that was noted is none of the log's: shortened or rewritten.",
    "dropped event": "An event, a throw or an entry of a roll is missing.",
    "repeated event": "An event stands there twice.",
    "forged event": "An event that could not happen there, or that was put in.",
    "wrong order": "Events, throws, entries or times are not in their order.",
    "broken chain": "The hash of the event does not follow from it and the one before.",
    "withheld event": "An event that everybody may see is held back from this copy.",
    "altered event": "The contents are not those that were hashed.",
    "altered text": "A name, a note or words are not those that were sealed.",
    "unsealed text": "A text that nothing refers to.",
    "unsigned call": "A seat with a device did something that no device of it has signed.",
    "forged signature": "The signature is not that of the device, or the device is none here.",
    "repeated call": "A call of a device stands there twice, or behind a later one.",
    "other log": "The device that called had seen another log.",
    "forged act": "What is written is not what was signed.",
    "forged call": "A throw does not follow from a call of its roll.",
    "forged refusal": "A call was refused for a reason that did not hold.",
    "missing commitment": "No slot was published where one is due.",
    "replaced slot": "A call spends another slot than the one that was published for it.",
    "reused key": "The commitment to a key was published before.",
    "altered key": "The key does not open the slot, and the faces do not follow from it.",
    "unopened commitment": "The faces follow from the key, but another was committed to.",
    "unopened key": "A roll ended without the key of a throw that was hidden while it went on.",
    "altered witness number": "The number of a witness does not open what was committed to.",
    "reused witness number": "A commitment of a witness was published twice.",
    "altered witness": "Somebody else was asked than told the number.",
    "witness passed over": "Dice did not wait for the witness whose turn it was.",
    "altered face": "The key and the call give another face.",
    "altered face or number": "The faces do not follow from key and call: either was altered.",
    "altered face or outcome": "Typed faces do not lead to what is written: either was altered.",
    "altered dice": "Other dice were to be thrown.",
    "unproven throw": "Neither a fair throw nor faces typed in from real dice.",
    "altered request": "What was asked for does not lead to what followed.",
    "altered option": "Another option leads to what followed, or it was not offered.",
    "forbidden choice": "The choice was somebody else's.",
    "forbidden act": "Somebody did what was not theirs to do, or never came to the table.",
    "altered outcome": "By the rules, the roll comes to something else, or goes on otherwise.",
    "altered sheet": "A value was another one before its change, or by the rules is another now.",
}
"""Every name that a problem can have, with what it means."""

TRUE, PARTLY, FALSE = "true", "partly", "false"
DOUBTS = (
    "rolls not replayed",
    "effects not checked",
    "unknown events",
    "closed throws",
    "outside events",
)
"""Counts that must be nought for a log to be called true."""
SURFACE = ("altered event", "broken chain")
"""Problems that only hashes show: one found by the rules says more about the cause."""


class Problem(NamedTuple):
    """One thing that is wrong with a log."""

    seq: int | None
    """The event it is about; None for the log as a whole."""
    what: str
    """A name that stays the same between versions, such as "altered face"."""
    wording: Message | str
    """Description of the problem, in every language."""

    @property
    def message(self) -> str:
        """Description of the problem, in English."""
        return str(self.wording)

    @property
    def sentence(self) -> Message:
        """The place and the description of the problem."""
        what = Message(f"verify.{self.what}")
        if self.seq is None:
            return msg("verify.log", what=what, said=self.wording)
        return msg("verify.event", seq=str(self.seq), what=what, said=self.wording)

    def __str__(self) -> str:
        return str(self.sentence)


class LogReport(NamedTuple):
    """The outcome of checking a log."""

    table: str
    seen_by: str
    """Whose copy of the log it is: a seat, or "everybody"."""
    head: str
    """The hash of the last event: with a note of it, anyone can later see whether the log was
    changed.
    """
    counts: Mapping[str, int]
    problems: tuple[Problem, ...]
    more: int = 0
    """How many further problems are not listed."""
    not_here: tuple[str, ...] = ()
    """The games by whose rules nothing was replayed: not here, or in another version."""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    @property
    def verdict(self) -> str:
        """`true`, `partly` or `false`: true is said only of what was checked to the last roll."""
        if self.problems:
            return FALSE
        return PARTLY if any(name in DOUBTS for name in self.open_counts) else TRUE

    @property
    def open_counts(self) -> dict[str, int]:
        """The number of things that could not be checked here: nobody should take them for true."""
        counts = self.counts
        found = {
            "rolls not replayed": counts["rolls"] - counts["rolls replayed"],
            "effects not checked": counts["effects not checked"],
            "unknown events": counts["unknown events"],
            "closed throws": counts["closed throws"],
            "outside events": counts["outside events"],
            "secret events": counts["withheld events"] - counts["outside events"],
            "typed throws": counts["typed throws"],
            "unsigned throws": counts["unsigned throws"],
        }
        return {name: count for name, count in found.items() if count}

    def to_json(self) -> dict[str, object]:
        """The report as what JSON can hold; sentences are in the reader's language."""
        return {
            "true": {TRUE: True, PARTLY: None, FALSE: False}[self.verdict],
            "verdict": self.verdict,
            "table": self.table,
            "for": self.seen_by,
            "head": self.head,
            "checked": dict(self.counts),
            "unchecked": self.open_counts,
            "problems": [
                {"seq": seq, "what": what, "message": format_text(wording)}
                for seq, what, wording in self.problems
            ],
            "more": self.more,
            "not_here": list(self.not_here),
        }

    def sentences(self) -> list[str]:
        """The report in sentences, the shortest answer first: what holds, and what nobody checked.

        They are in the reader's language.

        >>> counts = dict.fromkeys(COUNTED, 0) | {"events": 9, "rolls": 2, "throws": 2}
        >>> for line in LogReport("abcdefgh2345", "s2", "5763…", counts, ()).sentences():
        ...     print(line)
        Partly checked: chain and dice. 9 events, 0 rolls and 2 throws checked.
        Not checked: the rules of 2 rolls.
        No live witness: the dice rest on host and roller not acting together.
        The copy of s2.
        Head: 5763…
        """
        return [format_text(line) for line in (self._wrong() if self.problems else self._right())]

    def _right(self) -> list[Message]:
        counts = self.counts
        lines = [
            msg(
                f"verify.{self.verdict}",
                held=[Message(f"verify.held.{name}") for name in self._right_parts()],
                events=counts["events"],
                rolls=counts["rolls replayed"],
                throws=counts["throws"],
            )
        ]
        missing = [
            Message(f"verify.unchecked.{name}", {"n": count})
            for name, count in self.open_counts.items()
        ]
        if missing:
            lines.append(Message("verify.unchecked", {"what": missing}))
        lines += [
            Message(f"verify.remark.{name}", {"n": counts[name]}) for name in NOTES if counts[name]
        ]
        alone = counts["throws"] - counts["witnessed throws"]
        if alone:
            some = {"n": alone} if counts["witnessed throws"] else {}
            lines.append(Message("verify.unwitnessed.some" if some else "verify.unwitnessed", some))
        if _SEAT.fullmatch(self.seen_by):
            lines.append(Message("verify.copy", {"seat": self.seen_by}))
        if not _HASH.fullmatch(self.head):
            return [*lines, Message("verify.head", {"head": self.head})]
        words = {"head": self.head, "words": spoken_head(self.head)}
        return [*lines, Message("verify.head.spoken", words)]

    def _right_parts(self) -> list[str]:
        """Return the parts that were found to be true."""
        counts = self.counts
        dice = ["dice"] if counts["throws"] else []
        signed = ["signatures"] if counts["signatures"] else []
        return ["chain", *signed, *dice, *(["rules"] if counts["rolls replayed"] else [])]

    def _wrong(self) -> list[Message]:
        found = len(self.problems) + self.more
        lines = [Message("verify.false", {"n": found})]
        lines += [problem.sentence for problem in self.problems]
        return [*lines, Message("verify.more", {"n": self.more})] if self.more else lines


COUNTED = (
    "events",
    "withheld events",
    "outside events",
    "rolls",
    "rolls replayed",
    "rolls not replayable here",
    "rolls too long to replay",
    "rolls with withheld parts",
    "open rolls",
    "open rolls after dice",
    "rolls given up",
    "rolls given up after dice",
    "rolls undone",
    "secret rolls kept",
    "signatures",
    "calls refused",
    "calls never answered",
    "calls waiting",
    "insertions",
    "keys replaced",
    "keys replaced unsigned",
    "throws",
    "typed throws",
    "unsigned throws",
    "held throws",
    "closed throws",
    "witnessed throws",
    "silent witnesses",
    "choices",
    "agreed choices",
    "texts",
    "erased texts",
    "sheet changes",
    "effects not checked",
    "imports",
    "unknown events",
)
"""Everything that is counted, in the order of the report."""

NOTES = (
    "rolls given up",
    "rolls given up after dice",
    "open rolls",
    "open rolls after dice",
    "rolls undone",
    "secret rolls kept",
    "calls refused",
    "calls never answered",
    "calls waiting",
    "insertions",
    "keys replaced",
    "keys replaced unsigned",
    "held throws",
    "silent witnesses",
    "witnessed throws",
    "agreed choices",
    "rolls with withheld parts",
    "rolls not replayable here",
    "rolls too long to replay",
    "erased texts",
    "imports",
)
"""Counts that are remarked on, if there are any."""


class Findings:
    """The findings while a log is being checked."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys(COUNTED, 0)
        self._problems: dict[int, list[Problem]] = {}
        self._of_the_log: list[Problem] = []
        self._not_here: dict[str, None] = {}

    def count(self, name: str, by: int = 1) -> None:
        """Take note that something was checked."""
        self.counts[name] += by

    def leave(self, game: object) -> None:
        """Take note that a roll goes by rules of a game that are not here."""
        self.count("rolls not replayable here")
        if isinstance(game, str) and len(self._not_here) < MOST_GAMES:
            self._not_here[game[:LONGEST_GAME]] = None

    def problem(self, seq: int | None, what: str, wording: Message | str) -> None:
        """Take note that something is wrong."""
        found = self._of_the_log if seq is None else self._problems.setdefault(seq, [])
        found.append(Problem(seq, what, wording))

    def has(self, seq: int) -> bool:
        """Whether a cause, and not only a broken hash, is known for an event."""
        return any(problem.what not in SURFACE for problem in self._problems.get(seq, ()))

    def report(self, table: str, seen_by: str, head: str) -> LogReport:
        """The report: for each event the cause, or else that its hashes are broken."""
        found = [*self._of_the_log]
        found += [_deepest(self._problems[seq]) for seq in sorted(self._problems)]
        return LogReport(
            table,
            seen_by,
            head,
            self.counts,
            tuple(found[:MOST_PROBLEMS]),
            max(0, len(found) - MOST_PROBLEMS),
            tuple(self._not_here),
        )


def _deepest(problems: list[Problem]) -> Problem:
    """The problem that says most about the cause."""
    causes = [problem for problem in problems if problem.what not in SURFACE]
    if not causes:
        return problems[0]
    if len(causes) == len(problems) or causes[0].what in _OF_THE_ORDER:
        return causes[0]
    return causes[0]._replace(wording=Message("verify.hash.either", {"said": causes[0].wording}))


_OF_THE_ORDER = ("dropped event", "wrong order", "repeated event")
