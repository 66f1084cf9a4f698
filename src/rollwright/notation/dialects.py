"""Expressions in other tools' spelling, put into ours, with what was changed and why."""

from __future__ import annotations

import re
from typing import NamedTuple

from rollwright.errors import UnknownName
from rollwright.notation.errors import NotationError
from rollwright.notation.tokens import DIGITS

LONGEST = 8_000


class Change(NamedTuple):
    """One thing that was spelled anew."""

    before: str
    after: str
    why: str


class Translation(NamedTuple):
    """An expression in our spelling, and how it came about."""

    text: str
    changes: tuple[Change, ...]

    def __str__(self) -> str:
        lines = [f"{one.before} → {one.after or '(nothing)'}: {one.why}" for one in self.changes]
        return "\n".join([self.text, *lines])


class Spelling(NamedTuple):
    """How a tool spells something: the word, whether faces follow, ours, and why it differs."""

    word: str
    ours: str
    why: str
    takes: str = "faces"
    """What may follow: "faces" (a comparison or a number), "number", or "nothing"."""
    bare: str = ""
    """What a number without a comparison means here; "" leaves it as it is."""


REROLL_UNTIL = "a bare r re-rolls until it passes there"
REROLL_ONCE = "a bare r re-rolls once there"
AT_LEAST = "a plain > or < includes the number itself there"

ROLL20 = (
    Spelling("/roll", "", "a command of the chat", "nothing"),
    Spelling("/r", "", "a command of the chat", "nothing"),
    Spelling("!!", "!!", "a number alone is the face that explodes there", bare="="),
    Spelling("!p", "!p", "a number alone is the face that explodes there", bare="="),
    Spelling("!", "!", "a number alone is the face that explodes there", bare="="),
    Spelling("ro", "ro", "a number alone is the face that is rolled again", bare="="),
    Spelling("r", "rr", REROLL_UNTIL, bare="="),
    Spelling("kh", "kh", "", "number"),
    Spelling("kl", "kl", "", "number"),
    Spelling("dh", "dh", "", "number"),
    Spelling("dl", "dl", "", "number"),
    Spelling("k", "kh", "k keeps the highest", "number"),
    Spelling("d", "dl", "d after dice drops the lowest there", "number"),
    Spelling("cs", "cs", "", bare="="),
    Spelling("cf", "cf", "", bare="="),
    Spelling("sa", "sa", "", "nothing"),
    Spelling("sd", "sd", "", "nothing"),
    Spelling("s", "sa", "s sorts upwards", "nothing"),
    Spelling("f", "f", "", bare="="),
)
FOUNDRY = (
    Spelling("/roll", "", "a command of the chat", "nothing"),
    Spelling("/r", "", "a command of the chat", "nothing"),
    Spelling("xo", "xo", "a number alone is the face that explodes there", bare="="),
    Spelling("x", "!", "x explodes", bare="="),
    Spelling("rr", "rr", "", bare="="),
    Spelling("r", "ro", REROLL_ONCE, bare="="),
    Spelling("min", "min", "", "number"),
    Spelling("max", "max", "", "number"),
    Spelling("kh", "kh", "", "number"),
    Spelling("kl", "kl", "", "number"),
    Spelling("k", "kh", "k keeps the highest", "number"),
    Spelling("df", "f", "df takes failures away there", bare="="),
    Spelling("dh", "dh", "", "number"),
    Spelling("dl", "dl", "", "number"),
    Spelling("d", "dl", "d after dice drops the lowest there", "number"),
    Spelling("cs", "", "cs counts successes there: here a comparison does", bare="="),
    Spelling("cf", "", "cf counts failures there: here a comparison does", bare="="),
)
ALONE = {"cs": "highest", "cf": "lowest"}
"""Which face is counted in Foundry where none is named."""
AVRAE = (
    Spelling("!roll", "", "a command of the chat", "nothing"),
    Spelling("!r", "", "a command of the chat", "nothing"),
    Spelling("rr", "rr", "", bare="="),
    Spelling("ro", "ro", "", bare="="),
    Spelling("e", "!", "e explodes on the faces it names", bare="="),
    Spelling("mi", "min", "", "number"),
    Spelling("ma", "max", "", "number"),
    Spelling("adv", "adv", "", "nothing"),
    Spelling("dis", "dis", "", "nothing"),
)
TOOLS = {"roll20": ROLL20, "foundry": FOUNDRY, "avrae": AVRAE}


def translate(text: str, dialect: str) -> Translation:
    """An expression of Roll20, Foundry or Avrae in our spelling, with every change and its reason.

    >>> translate("4d6r<2", "roll20").text
    '4d6rr<=2'
    >>> translate("4d6r<2", "foundry").text
    '4d6ro<2'
    """
    tool = dialect.lower()
    if tool not in TOOLS:
        raise UnknownName("dialect", dialect, TOOLS)
    if len(text) > LONGEST:
        sentence = f"an expression of another tool has at most {LONGEST:,} characters"
        raise NotationError("too-long", text, (LONGEST, len(text)), sentence)
    return _Reader(text, tool).translated()


DICE_ALONE = re.compile(r"\s*\d*d(?:\d+|%|f)[^-+*/,(){}\[\]]*", re.IGNORECASE)
NUMBER = re.compile(r"\s*\d+\s*")
WHOLE_COMPARED = "there the whole roll is compared, not each die"
OPPOSITE = "there is no word for “not this one”: it is what is left of 1"


class _Level:
    """What stands between two brackets, or on the whole line: where it begins in what was made."""

    def __init__(self, start: int, place: int) -> None:
        self.start = start
        self.place = place
        self.compared: list[tuple[int, str]] = []
        """Where in what was made a comparison stands that is meant of all before it."""
        self.several = False


class _Reader:
    """Goes through a text once and spells it anew."""

    def __init__(self, text: str, tool: str) -> None:
        self.text = text
        self.tool = tool
        self.place = 0
        self.first = len(text) - len(text.lstrip())
        """Where the text begins, so that a command of the chat can stand there."""
        self.behind = ""
        """What was just read: "dice", a "value", or "" where something must follow."""
        self.sides = ""
        self.picked: list[str] = []
        self.divided = False
        self.made: list[str] = []
        self.comment = ""
        self.changes: list[Change] = []
        self.levels = [_Level(0, self.first)]

    def translated(self) -> Translation:
        """The whole text, which must then be an expression of ours."""
        while self.place < len(self.text):
            self._next()
        compared = bool(self.levels[0].compared)
        self._compare(self.levels[0])
        text = "".join(self.made).strip()
        if self.divided and not compared:
            self.changes.append(Change(text, f"trunc({text})", "there a result is cut to a whole"))
            text = f"trunc({text})"
        text = f"{text} {self.comment}" if self.comment else text
        from rollwright.notation.parser import parse

        parse(text)
        return Translation(text, tuple(self.changes))

    def _next(self) -> None:
        char = self.text[self.place]
        if self._copied() or self._bracket() or self._dice():
            return
        if self._modifier() or self._success():
            return
        if not char.isspace():
            self.behind = "value" if char in DIGITS else ""
            self.picked = []
            self.levels[-1].several |= char == ","
        if self.tool == "avrae" and char == "/":
            double = self.text[self.place + 1 : self.place + 2] == "/"
            self.divided |= not double
            self._take(1 + double)
            return
        self._take(1)

    def _take(self, size: int) -> None:
        self.made.append(self.text[self.place : self.place + size])
        self.place += size

    def _copied(self) -> bool:
        """Labels, variables and comments stay as they are."""
        char = self.text[self.place]
        if char == "[":
            end = self.text.find("]", self.place)
            self._take((end + 1 if end >= 0 else len(self.text)) - self.place)
            return True
        if char == "#":
            self.comment = self.text[self.place :]
            self.place = len(self.text)
            return True
        if char == "@" and self.text[self.place : self.place + 2] == "@{":
            end = self.text.find("}", self.place)
            if end > 0:
                name = self.text[self.place + 2 : end]
                self._change(end + 1, f"@{name}", "a variable is written without braces")
                self.behind = "value"
                return True
        return False

    def _change(self, end: int, after: str, why: str) -> None:
        self.changes.append(Change(self.text[self.place : end], after, why))
        self.made.append(after)
        self.place = end

    def _bracket(self) -> bool:
        char = self.text[self.place]
        if char in "({":
            self.levels.append(_Level(len(self.made) + 1, self.place))
            self._take(1)
            self.behind = ""
            return True
        if char not in ")}":
            return False
        level = self.levels.pop() if len(self.levels) > 1 else self.levels[0]
        self._compare(level)
        self._take(1)
        self.behind = "dice" if char == "}" else "value"
        self.sides, self.picked = "", []
        inside = "".join(self.made[level.start : -1])
        if char == "}" and self.tool == "roll20" and DICE_ALONE.fullmatch(inside):
            why = "a group of one roll means its dice there"
            self.made[level.start - 1 :] = [inside.strip()]
            self.changes.append(Change(self.text[level.place : self.place], inside.strip(), why))
        return True

    def _dice(self) -> bool:
        """`4d6`, `d20`, `dF`, `d%`, after which modifiers may follow."""
        if self.behind == "dice" or self.text[self.place] not in "dD":
            return False
        end = self.place + 1
        while end < len(self.text) and self.text[end] in DIGITS:
            end += 1
        if end == self.place + 1 and self.text[end : end + 1] in ("F", "f", "%"):
            end += 1
        if end == self.place + 1:
            return False
        self.sides = self.text[self.place + 1 : end]
        self._take(end - self.place)
        self.behind, self.picked = "dice", []
        return True

    def _modifier(self) -> bool:
        ahead = self.text[self.place : self.place + 6].lower()
        for spelling in TOOLS[self.tool]:
            command = not spelling.ours and spelling.takes == "nothing"
            fits = self.place == self.first if command else self.behind == "dice"
            if fits and ahead.startswith(spelling.word):
                self._spelled(spelling)
                return True
        return self._avrae_pick(ahead) if self.tool == "avrae" and self.behind == "dice" else False

    def _spelled(self, spelling: Spelling) -> None:
        start = self.place
        end = start + len(spelling.word)
        after = spelling.ours
        compare, number, end = self._faces(end) if spelling.takes != "nothing" else ("", "", end)
        why = spelling.why
        if spelling.takes == "faces" and number:
            if not compare and spelling.bare:
                compare = spelling.bare
            elif compare and self._inclusive(compare) != compare:
                compare = self._inclusive(compare)
                why = f"{why}; {AT_LEAST}" if after != spelling.word else AT_LEAST
        elif self.tool == "foundry" and spelling.word in ALONE:
            compare, number = "=", self._alone(spelling, end)
        written = self.text[start:end]
        after = f"{after}{compare}{number}"
        if after == written.lower() or (not why and after.replace("=", "") == written.lower()):
            self._take(end - start)
            return
        self._change(end, after, why or "the same, spelled out")

    def _alone(self, spelling: Spelling, end: int) -> str:
        """The face that `cs` or `cf` means by itself: the highest, or the lowest."""
        sides = {"%": "100", "F": "1", "f": "1"}.get(self.sides, self.sides)
        if sides:
            return sides if ALONE[spelling.word] == "highest" else "-1" if sides == "1" else "1"
        raise NotationError(
            "untranslatable", self.text, (self.place, end),
            f"{spelling.word} alone means the {ALONE[spelling.word]} face there: which one is it?",
            "".join(self.made) + ">=1" + self.text[end:],
        )  # fmt: skip

    def _faces(self, place: int) -> tuple[str, str, int]:
        """A comparison and a number, if they follow."""
        start = place
        while place < len(self.text) and self.text[place] in "<>=":
            place += 1
        compare = self.text[start:place]
        digits = place
        while place < len(self.text) and self.text[place] in DIGITS:
            place += 1
        return compare, self.text[digits:place], place

    def _inclusive(self, compare: str) -> str:
        """Roll20 reads > as at least and < as at most."""
        if self.tool == "roll20" and compare in ("<", ">"):
            return compare + "="
        return compare

    def _success(self) -> bool:
        """Comparisons behind dice; in Avrae of all that stands before them with all behind."""
        if self.tool == "avrae":
            found = re.match(r"!=|[<>=]=?", self.text[self.place : self.place + 2])
            if not found or not self.behind:
                return False
            self.levels[-1].compared.append((len(self.made), found.group()))
            self.place += len(found.group())
            self.behind = ""
            return True
        if self.behind != "dice" or self.text[self.place] not in "<>=":
            return False
        compare, number, end = self._faces(self.place)
        after = self._inclusive(compare)
        if after == compare:
            self._take(end - self.place)
        else:
            self._change(end, after + number, AT_LEAST)
        return True

    def _compare(self, level: _Level) -> None:
        """There a comparison is of the whole sum, which comes to 1 or 0."""
        if not level.compared:
            return
        ends = [at for at, _ in level.compared[1:]] + [len(self.made)]
        text = "".join(self.made[level.start : level.compared[0][0]]).strip()
        why = WHOLE_COMPARED
        for (start, compare), end in zip(level.compared, ends, strict=True):
            other = "".join(self.made[start:end])
            equal = "=" if compare in ("==", "!=") else compare
            text = f"{{{text}}}{equal}{other}" if NUMBER.fullmatch(other) else (
                f"{{{text}-({other.strip()})}}{equal}0"
            )  # fmt: skip
            if compare == "!=":
                text, why = f"(1-{text})", f"{WHOLE_COMPARED}; {OPPOSITE}"
        inner = len(self.levels) > 1 or level is not self.levels[0]
        written = self.text[level.place + inner : self.place].strip()
        self.changes.append(Change(written, text, why))
        self.made[level.start :] = [text]

    def _avrae_pick(self, ahead: str) -> bool:
        """`kh3`, `pl1`, and `k3`, which there keeps the dice that show 3."""
        if ahead[:1] not in ("k", "p"):
            return False
        if ahead[1:2] not in ("h", "l"):
            _, _, end = self._faces(self.place + 1)
            written = self.text[self.place : end]
            raise self._untold(
                end,
                f"{written} keeps or drops the dice that show these faces there, which cannot be "
                "said here; to keep or drop by rank, write kh or dl",
                "kh" + written[1:].lstrip("<>="),
            )
        _, number, end = self._faces(self.place + 2)
        ours = {"kh": "kh", "kl": "kl", "ph": "dh", "pl": "dl"}[ahead[:2]] + number
        if ahead[0] == "k" and self.picked:
            self._both(ours, end)
        elif ours == self.text[self.place : end].lower():
            self._take(end - self.place)
        else:
            self._change(end, ours, "p drops")
        self.picked = [ours] if ahead[0] == "k" else []
        return True

    def _both(self, ours: str, end: int) -> None:
        """`kh3kl1` keeps both there, of equal dice sometimes one for both."""
        first, second = self.picked[0], ours
        if first[:2] == second[:2]:
            self.made[-1] = max(first, second, key=lambda pick: int(pick[2:] or 1))
            self._change(end, "", f"{first}{second} keeps what either of them means there")
            return
        raise self._untold(
            end,
            f"{first}{second} keeps the highest and the lowest there, which cannot be said here: "
            "here one is done after the other",
            "",
        )

    def _untold(self, end: int, sentence: str, instead: str) -> NotationError:
        repaired = "".join(self.made) + instead + self.text[end:]
        return NotationError("untranslatable", self.text, (self.place, end), sentence, repaired)
