"""Dice in the spelling of other tools: their meaning here, beside every answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollwright.exact.text import outcome_to_json
from rollwright.i18n.locale import format_text
from rollwright.queries.hints import roll_hints

if TYPE_CHECKING:
    from rollwright.budget import Budget
    from rollwright.notation.dialects import Translation, VariablePrompt
    from rollwright.queries.kinds import TranslateQuery
    from rollwright.queries.roll_specs import RollSpec
    from rollwright.queries.schemas import (
        InterpretationData,
        PromptData,
        TranslateAnswer,
        TranslationData,
        WithTranslations,
    )


def translate(question: TranslateQuery, budget: Budget) -> TranslateAnswer:
    """An expression of a tool in our spelling; of all tools that read it where none is named."""
    from rollwright import notation
    from rollwright.notation.dialects import interpretations

    text = question.expression
    if question.dialect:
        names = [question.dialect]
    else:
        names = [one.dialect for one in interpretations(text)]
    return {"readings": [translation_data(notation.translate(text, name), name) for name in names]}


def written_so(subject: RollSpec) -> WithTranslations:
    """Return remarks on the dice as they were written."""
    said: WithTranslations = {**roll_hints(subject), **_read_elsewhere(subject)}
    if subject.translation is not None:
        said["translation"] = translation_data(*subject.translation)
    return said


def _read_elsewhere(subject: RollSpec) -> WithTranslations:
    """Return the meaning of dice from a chat in its tools, if it is another one."""
    text = subject.expression
    if subject.translation is not None or not text or text[0].isalnum():  # `2d6` needs no dialect
        return {}
    from rollwright.notation.dialects import looks_foreign

    found = interpretation_data(text) if looks_foreign(text) else []
    return {"readings": found} if found else {}


def interpretation_data(text: str) -> list[InterpretationData]:
    """Return the meanings of a line in the spelling of other tools."""
    from rollwright.notation.dialects import DIALECTS, interpretations

    return [
        {"dialect": one.dialect, "title": DIALECTS[one.dialect].title, "expression": one.text}
        for one in interpretations(text)
    ]


def translation_data(made: Translation, dialect: str) -> TranslationData:
    """A translation as data, its reasons in words."""
    from rollwright.notation.dialects import DIALECTS

    known = DIALECTS[dialect.lower()]
    return {
        "dialect": known.name,
        "title": known.title,
        "expression": made.text,
        "changes": [
            {"before": one.before, "after": one.after, "why": format_text(one.why)}
            for one in made.changes
        ],
        "queries": [_query(one) for one in made.queries],
    }


def _query(one: VariablePrompt) -> PromptData:
    return {
        "name": one.name,
        "prompt": one.prompt,
        "value": None if one.default is None else outcome_to_json(one.default),
        "options": [
            {"label": label, "value": outcome_to_json(number)} for label, number in one.options
        ],
    }
