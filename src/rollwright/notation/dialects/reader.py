"""A single pass over lines of Roll20, Foundry and Avrae that respells them."""

from __future__ import annotations

import re

from rollwright.i18n.messages import Message, clauses, msg
from rollwright.notation.dialects import avrae, chat
from rollwright.notation.dialects.prompts import VariableNames, prompt_of
from rollwright.notation.dialects.spellings import (
    ALONE,
    AT_LEAST,
    BY_LETTER,
    SPELLED,
    Spelling,
)
from rollwright.notation.dialects.translation import (
    SpellingChange,
    Translation,
    VariablePrompt,
    untranslatable,
)
from rollwright.notation.errors import NotationError
from rollwright.notation.parser import DEEPEST, FUNCTIONS

SPACES = re.compile(r"\s+")
NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
FUNCTION = re.compile(rf"(?:{'|'.join(FUNCTIONS)})(?=\s*\()", re.IGNORECASE)
DICE = re.compile(r"d(?:[0-9]+|[f%])", re.IGNORECASE)
FACES = re.compile(r"([<>=]*)([0-9]*)")
DICE_ALONE = re.compile(r"\s*\d*d(?:\d+|%|f)[^-+*/,(){}\[\]]*", re.IGNORECASE)
CLOSINGS = {"(": ")", "{": "}", "[[": "]]"}
LONGEST_WORD = 6


class Level:
    """The text between two brackets, or the whole line: its start in what was made."""

    def __init__(self, start: int, place: int, opening: str = "") -> None:
        self.start = start
        self.place = place
        self.opening = opening
        self.compared: list[tuple[int, str]] = []
        """Places in what was made of comparisons that are meant of all before them."""
        self.several = False
        """Whether there are commas in it."""


class DialectReader:
    """Goes through a text once and respells it."""

    def __init__(self, text: str, tool: str) -> None:
        self.text = text
        self.tool = tool
        self.made: list[str] = []
        self.changes: list[SpellingChange] = []
        self.queries: dict[str, VariablePrompt] = {}
        self.names = VariableNames()
        self.place, self.end = chat.inside(text, tool, self.changes)
        self.behind = ""
        """Kind of the last piece: "dice", a "value", or "" if something must follow."""
        self.sides = ""
        self.picked: avrae.Pick | None = None
        """The last keep or drop, if it was just before."""
        self.divided = False
        self.comment = ""
        self.levels = [Level(0, self.place)]

    def translate(self) -> Translation:
        """The whole text in our spelling."""
        while self.place < self.end:
            self._next()
        compared = bool(self.levels[0].compared)
        avrae.compare(self, self.levels[0])
        text = "".join(self.made).strip()
        if self.divided and not compared:
            self.changes.append(SpellingChange(text, f"trunc({text})", msg("dialect.cut")))
            text = f"trunc({text})"
        text = f"{text} {self.comment}" if self.comment else text
        return Translation(text, tuple(self.changes), tuple(self.queries.values()))

    def _next(self) -> None:
        if self._verbatim() or self._aside() or self._bracket() or self._dice():
            return
        if self._modifier() or self._success():
            return
        char = self.text[self.place]
        self.behind, self.picked = "", None
        self.levels[-1].several |= char == ","
        if self.tool == "avrae" and char == "/":
            double = self.text[self.place + 1 : self.place + 2] == "/"
            self.divided |= not double
            self.take(1 + double)
            return
        self.take(1)

    def take(self, size: int) -> None:
        """Copy so many characters as they are."""
        self.made.append(self.text[self.place : self.place + size])
        self.place += size

    def change(self, end: int, after: str, why: Message) -> None:
        """Respell the text before this place."""
        self.changes.append(SpellingChange(self.text[self.place : end], after, why))
        self.made.append(after)
        self.place = end

    def _verbatim(self) -> bool:
        """Spaces, numbers and names of functions stay as they are."""
        if found := SPACES.match(self.text, self.place):
            self.take(found.end() - self.place)
            return True
        if found := NUMBER.match(self.text, self.place):
            self.take(found.end() - self.place)
            self.behind, self.picked = "value", None
            return True
        if not self.behind and (found := FUNCTION.match(self.text, self.place)):
            self.take(found.end() - self.place)
            return True
        return False

    def _aside(self) -> bool:
        """Labels and comments stay as they are; variables and questions become variables."""
        char, two = self.text[self.place], self.text[self.place : self.place + 2]
        if char == "[" and (two != "[[" or self.tool == "avrae"):
            end = self.text.find("]", self.place, self.end)
            self.take((end + 1 if end >= 0 else self.end) - self.place)
            return True
        if char == "#":
            self.comment = self.text[self.place : self.end]
            self.place = self.end
            return True
        if two in ("@{", "?{", "%{") and self.tool == "roll20":
            end = self.text.find("}", self.place, self.end)
            if end >= 0:
                self._question(two[0], end + 1)
                return True
        return False

    def _question(self, sign: str, end: int) -> None:
        held = self.text[self.place + 2 : end - 1]
        if sign == "%":
            sentence = "what a button of a sheet there rolls is not known here"
            raise untranslatable(self.text, (self.place, end), sentence)
        if sign == "@":
            name = self.names.of(held.replace("|", "."))
            self._variable(end, name, msg("dialect.variable"))
        else:
            query = prompt_of(self.text, (self.place, end), held, self.names)
            self.queries[query.name] = query
            self._variable(end, query.name, msg("dialect.query", name=query.name))
        self.behind = "value"

    def _variable(self, end: int, name: str, why: Message) -> None:
        """A variable, in brackets where what follows would belong to its name."""
        follows = self.text[end : end + 1]
        self.change(
            end,
            f"(@{name})" if follows and (follows.isalnum() or follows in "_.") else f"@{name}",
            why,
        )

    def _bracket(self) -> bool:
        two, one = self.text[self.place : self.place + 2], self.text[self.place]
        sign = two if two in ("[[", "]]") and self.tool != "avrae" else one
        if sign in CLOSINGS:
            if len(self.levels) > DEEPEST:
                sentence = f"parts can stand inside each other at most {DEEPEST} deep"
                raise NotationError("too-deep", self.text, (self.place, self.place + 1), sentence)
            self.levels.append(Level(len(self.made) + 1, self.place, sign))
            self._brackets(sign, "(")
            self.behind = ""
            return True
        if sign not in CLOSINGS.values():
            return False
        if len(self.levels) == 1:  # nothing before it may be gone through again for each of them
            end = self.place + len(sign)
            repair = self.text[: self.place] + self.text[end:]
            sentence = "this bracket was never opened"
            raise NotationError("unexpected", self.text, (self.place, end), sentence, repair)
        level = self.levels.pop()
        avrae.compare(self, level)
        self._brackets(sign, ")")
        self.behind = "dice" if sign == "}" else "value"
        self.sides, self.picked = "", None
        if sign == "}" and self.tool == "roll20":
            self._group_of_one(level)
        elif level.several and self.tool == "avrae" and level.opening == "(":
            avrae.read_list(self, level)
        return True

    def _brackets(self, sign: str, round_one: str) -> None:
        """A bracket; the double ones of a roll within a roll are round here."""
        if len(sign) == 1:
            self.take(1)
        else:
            self.change(self.place + 2, round_one, msg("dialect.inline"))

    def _group_of_one(self, level: Level) -> None:
        inside = "".join(self.made[level.start : -1])
        if DICE_ALONE.fullmatch(inside):
            self.made[level.start - 1 :] = [inside.strip()]
            written = self.text[level.place : self.place]
            self.changes.append(SpellingChange(written, inside.strip(), msg("dialect.group")))

    def _dice(self) -> bool:
        """`d6`, `d20`, `dF`, `d%`, after which modifiers may follow."""
        found = None if self.behind == "dice" else DICE.match(self.text, self.place)
        if found is None:
            return False
        self.sides = found.group()[1:]
        self.take(found.end() - self.place)
        self.behind, self.picked = "dice", None
        return True

    def _modifier(self) -> bool:
        if self.behind != "dice":
            return False
        ahead = self.text[self.place : self.place + LONGEST_WORD].lower()
        for spelling in BY_LETTER[self.tool].get(ahead[:1], ()):
            if ahead.startswith(spelling.word):
                self.picked = None
                self._respell(spelling)
                return True
        return self.tool == "avrae" and avrae.pick(self, ahead)

    def _respell(self, spelling: Spelling) -> None:
        start, end = self.place, self.place + len(spelling.word)
        after, why = spelling.ours, spelling.why
        compare, number, behind = self.faces(end)
        if spelling.takes == "nothing" or (spelling.takes == "number" and compare):
            compare = number = ""  # a comparison behind it is one of its own
        else:
            end = behind
        if spelling.takes == "faces" and number:
            if not compare and spelling.bare:
                compare = spelling.bare
            elif self._inclusive(compare) != compare:
                compare = self._inclusive(compare)
                why = _both(why, AT_LEAST) if why and after != spelling.word else AT_LEAST
        elif self.tool == "foundry" and spelling.word in ALONE:
            compare, number = "=", self._alone(spelling, end)
        written = self.text[start:end].lower()
        after = f"{after}{compare}{number}"
        if after == written or (not why and after.replace("=", "") == written):
            self.take(end - start)
            return
        self.change(end, after, why or SPELLED)

    def _alone(self, spelling: Spelling, end: int) -> str:
        """The face that `cs` or `cf` means by itself: the highest, or the lowest."""
        sides = {"%": "100", "F": "1", "f": "1"}.get(self.sides, self.sides)
        if sides:
            fate = self.sides in ("F", "f")
            return sides if ALONE[spelling.word] == "highest" else "-1" if fate else "1"
        raise untranslatable(
            self.text, (self.place, end),
            f"{spelling.word} alone means the {ALONE[spelling.word]} face there: which one is it?",
            self.so_far(">=1", end),
        )  # fmt: skip

    def faces(self, place: int) -> tuple[str, str, int]:
        """A comparison and a number, if they follow, and where they end."""
        found = FACES.match(self.text, place)
        assert found is not None
        return found.group(1), found.group(2), found.end()

    def _inclusive(self, compare: str) -> str:
        """Roll20 reads > as at least and < as at most."""
        return f"{compare}=" if self.tool == "roll20" and compare in ("<", ">") else compare

    def _success(self) -> bool:
        """Read a comparison after dice; in Avrae one of all before it with all after it."""
        if self.tool == "avrae":
            return avrae.read_comparison(self)
        if self.behind != "dice" or self.text[self.place] not in "<>=":
            return False
        compare, number, end = self.faces(self.place)
        after = self._inclusive(compare)
        if after == compare:
            self.take(end - self.place)
        else:
            self.change(end, after + number, AT_LEAST)
        return True

    def so_far(self, instead: str, end: int) -> str:
        """Return what was made, with something else in place of the text before `end`."""
        return "".join(self.made) + instead + self.text[end:]


def _both(first: Message, second: Message) -> Message:
    return msg("dialect.both", parts=clauses([first, second]))
