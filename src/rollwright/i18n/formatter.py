"""Messages said in one language: what the page's `words/say.ts` does too, by one file of cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from rollwright.errors import BadMessage
from rollwright.i18n.languages import (
    Language,
    fraction_parts,
    percent,
    places_for,
    round_fraction,
)
from rollwright.i18n.messages import Message, Plain
from rollwright.i18n.parser import Compiled, Part

Find = Callable[[str], Compiled | None]
Values = Mapping[str, Plain]

LISTS = ("list.row", "list.and", "list.or", "list.clauses", "list.sentences")
FORMATS = (*LISTS, "sentences", "percent", "die")
"""Messages that values are written with."""


class Formatter:
    """Says messages in a language with the texts it finds; `who` knows the names of people."""

    def __init__(self, language: Language, find: Find, who: Callable[[str], str] = str) -> None:
        self.language = language
        self.find = find
        self.who = who

    def say(self, message: Message | str | Plain) -> str:
        """Return a message as text; a text stays as it is."""
        try:
            return self._value(message.plain if isinstance(message, Message) else message)
        except RecursionError:
            raise BadMessage("this message holds others too deeply") from None

    def _value(self, value: Plain) -> str:
        if isinstance(value, str):
            return value
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, int):
            return self.language.number(value, 0)
        if isinstance(value, list):
            return self._message(value)
        for way, held in value.items():
            if way in _WAYS and len(value) == 1:
                return _WAYS[way](self, held)
        raise BadMessage(f"{value!r:.80} cannot be said; {', '.join(_WAYS)} can")

    def _message(self, message: list[Plain]) -> str:
        if not 1 <= len(message) <= 2 or not isinstance(message[0], str):
            raise BadMessage(f"{message!r:.80} is no message; [id, {{values}}] would do")
        values = message[1] if len(message) == 2 else {}
        if not isinstance(values, dict):
            raise BadMessage(f"{values!r:.80} holds no values by name")
        return self._find_text(message[0], values, message[0])

    def _find_text(self, id: str, values: Values, otherwise: str) -> str:
        text = self.find(id)
        return otherwise if text is None else self._text(text, values)

    def _text(self, text: Compiled, values: Values) -> str:
        if isinstance(text, str):
            return text
        return "".join(self._part(part, values) for part in text)

    def _part(self, part: Part, values: Values) -> str:
        if isinstance(part, str):
            return part
        name = cast(str, part[0])
        if name not in values:
            return f"{{{name}}}"
        if len(part) == 1:
            return self._value(values[name])
        chosen = bare(values[name])
        forms = cast("dict[str, Compiled]", part[2])
        key = str(chosen) if part[1] == "select" else self._form(chosen, str(part[1]), forms)
        return self._text(forms.get(key, forms["other"]), values)

    def _form(self, number: str | int, kind: str, forms: Mapping[str, Compiled]) -> str:
        if not isinstance(number, int):
            return "other"
        if (exact := f"={number}") in forms:
            return exact
        return (self.language.ordinal if kind == "ordinal" else self.language.plural)(number)

    def _format_sign(self, number: Plain) -> str:
        if not isinstance(number, int):
            return self._value(number)
        return f"{'−' if number < 0 else '+'}{self.language.number(abs(number), 0)}"

    def _number(self, fraction: Plain) -> str:
        above, below = fraction_parts(str(fraction))
        places = places_for(above, below)
        return self.language.number(round_fraction(above, below, places), places)

    def _percent(self, fraction: Plain) -> str:
        sign, digits = percent(*fraction_parts(str(fraction)), self.language)
        return sign + self._find_text("percent", {"n": digits}, f"{digits} %")

    def _word(self, term: Plain) -> str:
        return self._find_text(f"word.{term}", {}, str(term))

    def _die(self, name: Plain) -> str:
        if isinstance(name, int):
            return self._find_text("die", {"sides": name}, f"d{name}")
        return self._find_text(f"die.{name}", {}, str(name))

    def _who(self, ref: Plain) -> str:
        return self.who(str(ref))

    def _list(self, parts: Plain, last: str) -> str:
        if not isinstance(parts, list):
            raise BadMessage(f"{parts!r:.80} is no list")
        texts = [self._value(part) for part in parts]
        said = texts[0] if texts else ""
        for place, text in enumerate(texts[1:], 2):
            id = last if place == len(texts) else "list.row"
            said = self._find_text(id, {"a": said, "b": text}, f"{said}, {text}")
        return said

    def _run(self, parts: Plain, id: str) -> str:
        """Parts one after the other, all put together in the same way; empty ones are left out."""
        if not isinstance(parts, list):
            raise BadMessage(f"{parts!r:.80} is no list")
        texts = [text for part in parts if (text := self._value(part))]
        said = texts[0] if texts else ""
        for text in texts[1:]:
            said = self._find_text(id, {"a": said, "b": text}, f"{said} {text}")
        return said


def bare(value: Plain) -> str | int:
    """Return the number or word that chooses a text: inside a value, or a message's id.

    >>> bare({"word": "Hard"}), bare({"signed": -2}), bare(["hit", {"n": 3}]), bare({"and": [1, 2]})
    ('Hard', -2, 'hit', 2)
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return str(value[0]) if value else ""
    if isinstance(value, dict):
        (held,) = list(value.values())[:1] or [""]
        return len(held) if isinstance(held, list) else bare(held)
    return value


_WAYS: dict[str, Callable[[Formatter, Plain], str]] = {
    "signed": Formatter._format_sign,
    "number": Formatter._number,
    "percent": Formatter._percent,
    "word": Formatter._word,
    "die": Formatter._die,
    "who": Formatter._who,
    "and": lambda voice, parts: voice._list(parts, "list.and"),
    "or": lambda voice, parts: voice._list(parts, "list.or"),
    "clauses": lambda voice, parts: voice._run(parts, "list.clauses"),
    "sentences": lambda voice, parts: voice._run(parts, "list.sentences"),
    "row": lambda voice, parts: voice._list(parts, "list.row"),
}
