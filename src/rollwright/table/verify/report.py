"""What a check of a log came to: what was checked, what is wrong, and where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

MOST_PROBLEMS = 100

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
    "missing commitment": "No commitment to the next key was published.",
    "forged number": "A throw has not the number that is due.",
    "reused key": "A key, or the commitment to it, was used before.",
    "altered key": "The key does not open its commitment, and the faces do not follow from it.",
    "unopened commitment": "The faces follow from the key, but another was committed to.",
    "altered nonce": "The roller's nonce is none.",
    "altered witness nonce": "The witness's nonce opens no offer made before.",
    "reused witness nonce": "A nonce was offered or used twice.",
    "altered witness": "The nonce is another seat's, or the roller was the witness.",
    "witness passed over": "An older offer was not taken in its turn.",
    "altered face": "The key and the nonces give another face.",
    "altered face or nonce": "The faces do not follow from key and nonces: either was altered.",
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

SURFACE = ("altered event", "broken chain")
"""What hashes alone tell: a problem found by the rules of the table says more about the cause."""


class Problem(NamedTuple):
    """One thing that is wrong with a log."""

    seq: int | None
    """The event it is about; None for the log as a whole."""
    what: str
    """A name that stays the same between versions, such as "altered face"."""
    message: str

    def __str__(self) -> str:
        where = "the log" if self.seq is None else f"event {self.seq}"
        return f"{where}: {self.what}: {self.message}"


class Report(NamedTuple):
    """The outcome of checking a log."""

    table: str
    seen_by: str
    """Whose copy of the log it is: a seat, or "everybody"."""
    head: str
    """The hash of the last event: whoever notes it can later tell whether the log was changed."""
    counts: Mapping[str, int]
    problems: tuple[Problem, ...]
    more: int = 0
    """How many further problems are not listed."""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    @property
    def unchecked(self) -> dict[str, int]:
        """What could not be checked here, and how much of it: nobody should take it for true."""
        counts = self.counts
        found = {
            "rolls not replayed": counts["rolls"] - counts["rolls replayed"],
            "secret events": counts["withheld events"],
            "typed throws": counts["typed throws"],
        }
        return {name: count for name, count in found.items() if count}

    def to_plain(self) -> dict[str, object]:
        """The report as what JSON can hold."""
        return {
            "true": self.ok,
            "table": self.table,
            "for": self.seen_by,
            "head": self.head,
            "checked": dict(self.counts),
            "unchecked": self.unchecked,
            "problems": [problem._asdict() for problem in self.problems],
            "more": self.more,
        }

    def said(self) -> list[str]:
        """The report in sentences, the shortest answer first: what holds, and what nobody checked.

        >>> counts = dict.fromkeys(COUNTED, 0) | {"events": 9, "rolls": 2, "throws": 2}
        >>> for line in Report("abcdefgh2345", "s2", "5763…", counts, ()).said():
        ...     print(line)
        True: chain and dice. 9 events, 0 rolls and 2 throws checked.
        Not checked: the rules of 2 rolls.
        Head: 5763…
        """
        if self.problems:
            return self._problems_said()
        counts = self.counts
        lines = [
            f"True: {_listed(self._held())}. {_many(counts['events'], 'event')}, "
            f"{_many(counts['rolls replayed'], 'roll')} and "
            f"{_many(counts['throws'], 'throw')} checked."
        ]
        missing = [
            _UNCHECKED[name].format(_n(count, name)) for name, count in self.unchecked.items()
        ]
        if missing:
            lines.append(f"Not checked: {_listed(missing)}.")
        lines += [
            sentence.format(_many(counts[name], noun)) + "."
            for name, noun, sentence in _REMARKS
            if counts[name]
        ]
        return [*lines, f"Head: {self.head}"]

    def _held(self) -> list[str]:
        """What was found to be true."""
        counts = self.counts
        dice = ["dice"] if counts["throws"] else []
        return ["chain", *dice, *(["rules"] if counts["rolls replayed"] else [])]

    def _problems_said(self) -> list[str]:
        found = len(self.problems) + self.more
        lines = [f"Not true. {_many(found, 'problem')}:"]
        lines += [str(problem) for problem in self.problems]
        return [*lines, f"… and {self.more} more"] if self.more else lines


COUNTED = (
    "events",
    "withheld events",
    "rolls",
    "rolls replayed",
    "rolls not replayable here",
    "rolls too long to replay",
    "rolls with withheld parts",
    "open rolls",
    "throws",
    "typed throws",
    "withheld throws",
    "witnessed throws",
    "choices",
    "agreed choices",
    "texts",
    "erased texts",
    "sheet changes",
    "imports",
)
"""Everything that is counted, in the order in which it is told."""

_UNCHECKED = {
    "rolls not replayed": "the rules of {}",
    "secret events": "the contents of {}",
    "typed throws": "{} typed in from real dice",
}
_NOUNS = {"rolls not replayed": "roll", "secret events": "secret event", "typed throws": "throw"}

_REMARKS = (
    ("witnessed throws", "throw", "{} with a nonce of a witness"),
    ("agreed choices", "choice", "{} made for the roller, as was agreed when the roll began"),
    ("rolls with withheld parts", "roll", "{} could only be followed in part: the rest is secret"),
    (
        "rolls not replayable here",
        "roll",
        "{} not replayed: rolled by a game or a version that is not installed here",
    ),
    ("rolls too long to replay", "roll", "{} not replayed to the end: too much was taken back"),
    ("erased texts", "text", "{} erased"),
    ("imports", "time", "{} taken up from a copy or by another host, with new keys"),
)


def _n(count: int, name: str) -> str:
    return _many(count, _NOUNS[name])


def _listed(parts: list[str]) -> str:
    """Things one after the other, as they are said."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


class Findings:
    """What has been found while a log is being checked."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys(COUNTED, 0)
        self._problems: dict[int, list[Problem]] = {}
        self._of_the_log: list[Problem] = []

    def count(self, name: str, by: int = 1) -> None:
        """Take note that something was checked."""
        self.counts[name] += by

    def problem(self, seq: int | None, what: str, message: str) -> None:
        """Take note that something is wrong."""
        found = self._of_the_log if seq is None else self._problems.setdefault(seq, [])
        found.append(Problem(seq, what, message))

    def has(self, seq: int) -> bool:
        """Whether a cause, and not only a broken hash, is known for an event."""
        return any(problem.what not in SURFACE for problem in self._problems.get(seq, ()))

    def report(self, table: str, seen_by: str, head: str) -> Report:
        """The report: for each event the cause, or else that its hashes are broken."""
        found = [*self._of_the_log]
        found += [_deepest(self._problems[seq]) for seq in sorted(self._problems)]
        return Report(
            table,
            seen_by,
            head,
            self.counts,
            tuple(found[:MOST_PROBLEMS]),
            max(0, len(found) - MOST_PROBLEMS),
        )


def _deepest(problems: list[Problem]) -> Problem:
    """The problem that says most about the cause."""
    causes = [problem for problem in problems if problem.what not in SURFACE]
    if not causes:
        return problems[0]
    if len(causes) == len(problems) or causes[0].what in _OF_THE_ORDER:
        return causes[0]
    return causes[0]._replace(message=f"{causes[0].message}; its hash does not fit either")


_OF_THE_ORDER = ("dropped event", "wrong order", "repeated event")
