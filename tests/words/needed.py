"""The ids that a game needs so that all of its description can be said in another language."""

from typing import get_args

from rollwright.engine.values import field_names
from rollwright.kit.fields import Value, fields_of, types_in
from rollwright.kit.titles import _plain
from rollwright.pictures.charts import CHANCE, POINTS


def ids_needed(game):
    """Each id as a tuple of those of which one must be there."""
    yield ("about",)
    for roll, kind in game.requests.items():
        yield (f"roll.{roll}",)
        yield (f"about.{roll}",)
        yield from fields_needed(kind, roll)
        for name in field_names(kind.outcome) or ():
            yield (f"outcome.{name}",)
    if game.sheet is not None:
        yield from fields_needed(game.sheet, "sheet")
    for name, about in fields_of(game.house).items():
        yield (f"house.{name}",)
        yield (f"help.house.{name}",)
        for setting in about.more.get("readings") or {}:
            yield (f"house.{name}.{_plain(setting)}",)
    yield from ((f"goal.{name}",) for name in game.goals)
    yield from ((f"policy.{name}",) for name in game.policies)
    for name, question in game.questions.items():
        yield (f"question.{name}",)
        for field, unit in answers_of(question.answers_with):
            if field:
                ways = ("answer", "outcome", "label", "word")
                yield tuple(f"{way}.{field}" for way in ways)
            if unit and unit not in (CHANCE, POINTS):
                yield (f"unit.{unit}",)


def fields_needed(kind, roll, deep=3):
    """The label and the help of every field that people fill in."""
    for name, about in fields_of(kind).items():
        if name == "house":
            continue
        yield (f"label.{roll}.{name}", f"label.{name}")
        if about.help:
            yield (f"help.{roll}.{name}", f"help.{name}")
        inner = about.inner.inner if about.kind == "list" else about.inner
        if deep and isinstance(inner, type) and issubclass(inner, Value):
            yield from fields_needed(inner, roll, deep - 1)


def answers_of(hint, deep=6):
    """The fields of an answer by name, and what their numbers count."""
    if deep == 0:
        return
    for note in getattr(hint, "__metadata__", ()):
        if hasattr(note, "name"):
            yield "", note.name
    for part in get_args(hint):
        yield from answers_of(part, deep - 1)
    if isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"):
        hints = types_in(hint)
        for name in hint._fields:
            yield name, ""
            yield from answers_of(hints[name], deep - 1)
