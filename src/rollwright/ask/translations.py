"""Dice in the spelling of other tools: their meaning here, beside every answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollwright.ask.remarks import noted
from rollwright.exact.text import value
from rollwright.words.reader import spoken

if TYPE_CHECKING:
    from rollwright.ask.kinds import Translate
    from rollwright.ask.shapes import (
        QuerySaid,
        ReadingSaid,
        TranslateAnswer,
        TranslationSaid,
        Written,
    )
    from rollwright.ask.subjects import Subject
    from rollwright.budget import Budget
    from rollwright.notation.dialects import Query, Translation


def translate(question: Translate, budget: Budget) -> TranslateAnswer:
    """An expression of a tool in our spelling; of all tools that read it where none is named."""
    from rollwright import notation
    from rollwright.notation.dialects import readings

    text = question.expression
    if question.dialect:
        names = [question.dialect]
    else:
        names = [one.dialect for one in readings(text)]
    return {"readings": [translation_said(notation.translate(text, name), name) for name in names]}


def written_so(subject: Subject) -> Written:
    """Return remarks on the dice as they were written."""
    said: Written = {**noted(subject), **_read_elsewhere(subject)}
    if subject.translation is not None:
        said["translation"] = translation_said(*subject.translation)
    return said


def _read_elsewhere(subject: Subject) -> Written:
    """Return the meaning of dice from a chat in its tools, if it is another one."""
    text = subject.expression
    if subject.translation is not None or not text or text[0].isalnum():  # `2d6` needs no dialect
        return {}
    from rollwright.notation.dialects import looks_foreign

    found = readings_said(text) if looks_foreign(text) else []
    return {"readings": found} if found else {}


def readings_said(text: str) -> list[ReadingSaid]:
    """Return the meanings of a line in the spelling of other tools."""
    from rollwright.notation.dialects import DIALECTS, readings

    return [
        {"dialect": one.dialect, "title": DIALECTS[one.dialect].title, "expression": one.text}
        for one in readings(text)
    ]


def translation_said(made: Translation, dialect: str) -> TranslationSaid:
    """A translation as data, its reasons in words."""
    from rollwright.notation.dialects import DIALECTS

    known = DIALECTS[dialect.lower()]
    return {
        "dialect": known.name,
        "title": known.title,
        "expression": made.text,
        "changes": [
            {"before": one.before, "after": one.after, "why": spoken(one.why)}
            for one in made.changes
        ],
        "queries": [_query(one) for one in made.queries],
    }


def _query(one: Query) -> QuerySaid:
    return {
        "name": one.name,
        "prompt": one.prompt,
        "value": None if one.default is None else value(one.default),
        "options": [{"label": label, "value": value(number)} for label, number in one.options],
    }
