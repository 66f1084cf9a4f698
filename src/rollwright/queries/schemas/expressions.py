"""Dice as they are written: remarks, other spellings, and the heading of an answer."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from rollwright.jsonable import Json
from rollwright.queries.schemas.measures import Policy, Rolled, Title


class HintData(TypedDict):
    """Something in dice that may have been meant otherwise."""

    code: Annotated[str, "A short name for it."]
    start: Annotated[int, "Where it begins in the expression."]
    end: Annotated[int, "Where it ends."]
    said: Annotated[str, "What was read, and what would be read otherwise."]
    other: Annotated[str, "The other reading, to be rolled or asked about instead."]


class WithHints(TypedDict):
    """Remarks on dice as they were written."""

    remarks: NotRequired[Annotated[list[HintData], "What may have been meant otherwise."]]


class InterpretationData(TypedDict):
    """The meaning of an expression in another tool."""

    dialect: Annotated[str, "The tool by name."]
    title: Title
    expression: Annotated[str, "The same in our spelling."]


class SpellingChangeData(TypedDict):
    """One thing that is spelled otherwise here."""

    before: Annotated[str, "As it was written."]
    after: Annotated[str, "As it is written here; empty where it is left out."]
    why: Annotated[str, "Why."]


class PromptOption(TypedDict):
    """A number that may be chosen."""

    label: Annotated[str, "What it is called."]
    value: Annotated[Json, "The number; a fraction is written out."]


class PromptData(TypedDict):
    """Something that the other tool asks before it rolls, which is a name in the dice here."""

    name: Annotated[str, "The name, for `variables`."]
    prompt: Annotated[str, "The question, as it was written."]
    value: Annotated[Json, "The number without another; null where one must be given."]
    options: Annotated[list[PromptOption], "What may be chosen, where there is a list."]


class TranslationData(TypedDict):
    """An expression of another tool in our spelling."""

    dialect: Annotated[str, "The tool by name."]
    title: Title
    expression: Annotated[str, "The same in our spelling."]
    changes: Annotated[list[SpellingChangeData], "What is spelled otherwise, and why."]
    queries: Annotated[list[PromptData], "What the tool asks for."]


class TranslateAnswer(TypedDict):
    """The meanings of an expression in other tools, in our spelling."""

    readings: Annotated[list[TranslationData], "Each reading that differs from the others."]


class WithTranslations(WithHints):
    """Remarks on the dice themselves, as they were written."""

    translation: NotRequired[
        Annotated[TranslationData, "What was rolled, where it came in the spelling of a tool."]
    ]
    readings: NotRequired[
        Annotated[
            list[InterpretationData], "What dice out of a chat mean in the tools of such chats."
        ]
    ]


class Heading(WithTranslations):
    """The subject of a count, and its policy."""

    title: Rolled
    policy: Policy
