"""Expressions in other tools' spelling, put into ours, with what was changed and why."""

from __future__ import annotations

from typing import NamedTuple

from rollwright.errors import UnknownName
from rollwright.notation.errors import NotationError
from rollwright.notation.tokens import DIGITS, LONGEST_TEXT


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
    if len(text) > LONGEST_TEXT:
        sentence = f"an expression has at most {LONGEST_TEXT:,} characters"
        raise NotationError("too-long", text, (LONGEST_TEXT, len(text)), sentence)
    return _Reader(text, tool).translated()


class _Reader:
    """Goes through a text once and spells it anew."""

    def __init__(self, text: str, tool: str) -> None:
        self.text = text
        self.tool = tool
        self.place = 0
        self.first = len(text) - len(text.lstrip())
        """Where the text begins, so that a command of the chat can stand there."""
        self.after_dice = False
        self.after_number = False
        self.made: list[str] = []
        self.changes: list[Change] = []

    def translated(self) -> Translation:
        """The whole text, which must then be an expression of ours."""
        while self.place < len(self.text):
            self._next()
        text = "".join(self.made).strip()
        from rollwright.notation.parser import parse

        parse(text)
        return Translation(text, tuple(self.changes))

    def _next(self) -> None:
        char = self.text[self.place]
        if self._copied() or self._dice():
            return
        if self._modifier() or self._success():
            return
        if not char.isspace():
            self.after_dice = False
            self.after_number = char in DIGITS
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
            self._take(len(self.text) - self.place)
            return True
        if char == "@" and self.text[self.place : self.place + 2] == "@{":
            end = self.text.find("}", self.place)
            if end > 0:
                name = self.text[self.place + 2 : end]
                self._change(end + 1, f"@{name}", "a variable is written without braces")
                return True
        return False

    def _change(self, end: int, after: str, why: str) -> None:
        self.changes.append(Change(self.text[self.place : end], after, why))
        self.made.append(after)
        self.place = end

    def _dice(self) -> bool:
        """`4d6`, `d20`, `dF`, `d%`, and anything in braces, after which modifiers may follow."""
        char = self.text[self.place]
        if char in "})":
            self._take(1)
            self.after_dice = True
            return True
        if self.after_dice or char not in "dD":
            return False
        end = self.place + 1
        while end < len(self.text) and self.text[end] in DIGITS:
            end += 1
        if end == self.place + 1 and self.text[end : end + 1] in ("F", "f", "%"):
            end += 1
        if end == self.place + 1:
            return False
        self._take(end - self.place)
        self.after_dice = True
        return True

    def _modifier(self) -> bool:
        ahead = self.text[self.place : self.place + 6].lower()
        for spelling in TOOLS[self.tool]:
            command = not spelling.ours and spelling.takes == "nothing"
            fits = self.place == self.first if command else self.after_dice
            if fits and ahead.startswith(spelling.word):
                self._spelled(spelling)
                return True
        return self._avrae_pick(ahead) if self.tool == "avrae" and self.after_dice else False

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
        written = self.text[start:end]
        after = f"{after}{compare}{number}"
        if after == written.lower() or (not why and after.replace("=", "") == written.lower()):
            self._take(end - start)
            return
        self._change(end, after, why or "the same, spelled out")

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
        """Comparisons behind dice."""
        behind = self.after_dice or (self.tool == "avrae" and self.after_number)
        if not behind or self.text[self.place] not in "<>=":
            return False
        compare, number, end = self._faces(self.place)
        if self.tool == "avrae":
            self._compared(compare, number, end)
            return True
        after = self._inclusive(compare)
        if after == compare:
            self._take(end - self.place)
        else:
            self._change(end, after + number, AT_LEAST)
        return True

    def _compared(self, compare: str, number: str, end: int) -> None:
        """There a comparison is of the whole sum, which comes to 1 or 0."""
        whole = f"{{{''.join(self.made).strip()}}}"
        why = "there the whole roll is compared, not each die"
        before = self.text[self.first : end]
        self.changes.append(Change(before, f"{whole}{compare}{number}", why))
        self.made = [whole, compare, number]
        self.place = end

    def _avrae_pick(self, ahead: str) -> bool:
        """`kh3`, `pl1`, and `k3`, which there keeps the dice that show 3."""
        if ahead[:1] not in ("k", "p"):
            return False
        if ahead[1:2] in ("h", "l"):
            _, number, end = self._faces(self.place + 2)
            ours = {"kh": "kh", "kl": "kl", "ph": "dh", "pl": "dl"}[ahead[:2]] + number
            why = "p drops"
            if ours == self.text[self.place : end].lower():
                self._take(end - self.place)
            else:
                self._change(end, ours, why)
            return True
        _, _, end = self._faces(self.place + 1)
        written = self.text[self.place : end]
        raise NotationError(
            "untranslatable",
            self.text,
            (self.place, end),
            f"{written} keeps or drops the dice that show these faces there, which cannot be "
            "said here; to keep or drop by rank, write kh or dl",
            "".join(self.made) + "kh" + written[1:].lstrip("<>=") + self.text[end:],
        )
