"""Sheets as data: the widgets by which a sheet is shown and changed.

A sheet is a function of its values, so that totals, limits and what cannot be done now are computed
by the rules. `docs/reference/card.md` has every widget with a picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from rollwright.jsonable import EMPTY
from rollwright.kit.fields import Field, Value, fields_of
from rollwright.kit.words import Text, capital

Widget = dict[str, Any]
Draft = Mapping[str, Any]
MOST_BOXES = 12
UNSHOWN = ("name", "house")


def widget(kind: str, at: str = "", **about: Any) -> Widget:
    """A widget of this kind, without what says nothing."""
    unsaid: tuple[Any, ...] = (None, "", [], (), {})
    keeps = ("value", "low", "set")
    said = {
        name: held
        for name, held in about.items()
        if name in keeps or (held is not False and held not in unsaid)
    }
    return {"widget": kind, **({"at": at} if at else {}), **said}


def track(
    at: str, value: int, most: int, label: Text, *, style: str = "boxes", **about: Any
) -> Widget:
    """So many of so many: boxes to cross off, a bar, or dots."""
    return widget("track", at, value=value, most=most, label=label, style=style, **about)


def number(at: str, value: int, label: Text, **about: Any) -> Widget:
    """A number with its limits."""
    return widget("number", at, value=value, label=label, **about)


def level(
    at: str, value: Any, options: Iterable[tuple[Any, Text]], label: Text, **about: Any
) -> Widget:
    """One of a few words."""
    listed = [{"value": value, "label": text} for value, text in options]
    return widget("level", at, value=value, options=listed, label=label, **about)


def flag(at: str, value: bool, label: Text, **about: Any) -> Widget:
    """Something that is so or not."""
    return widget("flag", at, value=value, label=label, **about)


def text(at: str, value: str, label: Text, **about: Any) -> Widget:
    """A few words that people write."""
    return widget("text", at, value=value, label=label, **about)


def words(at: str, value: Sequence[Text], label: Text, **about: Any) -> Widget:
    """Words side by side."""
    return widget("words", at, value=list(value), label=label, **about)


def note(text: Text, tone: str = "") -> Widget:
    """Something to read."""
    return widget("note", text=text, tone=tone)


def act(text: Text, effect: str, *, amount: Any = 0, target: str = "", off: Text = "") -> Widget:
    """A change by one of the game's effects."""
    return widget("act", text=text, effect=effect, amount=amount or None, target=target, off=off)


def roll(kind: str, **pick: str) -> Widget:
    """Another roll that a thing begins, beside the one of its row."""
    return widget("roll", begins={"roll": kind, "pick": pick})


def group(*show: Widget, title: Text = "", **about: Any) -> Widget:
    """Widgets that belong together."""
    return widget("group", title=title, show=list(show), **about)


class Row(NamedTuple):
    """One thing of a list."""

    key: str
    title: Text
    show: tuple[Widget, ...] = ()
    chips: tuple[Text, ...] = ()
    begins: Draft = EMPTY
    """The draft of the roll that a tap on it begins."""
    tone: str = ""
    """The mood of its chips: a bad one is a warning until the next evening."""

    def plain(self) -> Widget:
        """As the widget has it."""
        return {name: held for name, held in self._asdict().items() if held or name == "key"}


def things(at: str, label: Text, rows: Iterable[Row], *, key: str = "name", **about: Any) -> Widget:
    """A list of things, each shown in short and edited in full."""
    listed = [row.plain() for row in rows]
    return widget("things", at, label=label, key=key, rows=listed, value=None, **about)


Word = Callable[[str, str], Text]
"""A message by its name, or else a text as it is."""


def fields_sheet(sheet: Value, word: Word | None = None) -> list[Widget]:
    """A sheet by its fields, for a game that says nothing else; with `word` in its own words."""
    known = fields_of(type(sheet)).items()
    said = word or _as_it_is
    return [
        _of_field(about, getattr(sheet, name), said) for name, about in known if name not in UNSHOWN
    ]


def _as_it_is(name: str, otherwise: str) -> Text:
    return otherwise


def _of_field(about: Field, held: Any, word: Word) -> Widget:
    label = word(f"label.{about.name}", capital(about.title))
    if about.kind == "bool":
        return flag(about.name, held, label)
    if about.kind == "int" and held is not None:
        if about.low == 0 and about.high is not None and about.high <= MOST_BOXES:
            return track(about.name, held, about.high, label)
        signed = about.low is None or about.low < 0
        return number(about.name, held, label, low=about.low, high=about.high, signed=signed)
    if about.kind == "choice":
        options = [
            (value, word(f"word.{value}", capital(value.replace("_", " "))))
            for value in about.choices
        ]
        return level(about.name, held, options, label)
    if about.kind == "list" and about.inner.kind == "value":
        return things(about.name, label, [_row(number, one) for number, one in enumerate(held)])
    if about.kind == "list":
        return words_of_list(about, held, label)
    return text(about.name, "" if held is None else str(held), label, most=about.most)


def words_of_list(about: Field, held: Sequence[Any], label: Text) -> Widget:
    """A list of plain values as words."""
    return words(about.name, [str(one) for one in held], label, most=about.most)


def _row(number: int, thing: Value) -> Row:
    """A thing by its name, with what else it holds in short."""
    name = str(getattr(thing, "name", "") or number + 1)
    rest = [
        f"{about.title} {getattr(thing, field)}"
        for field, about in fields_of(type(thing)).items()
        if field != "name" and about.kind in ("int", "choice") and getattr(thing, field) is not None
    ]
    return Row(name, name, chips=tuple(rest[:3]))
