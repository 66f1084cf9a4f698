"""Dice as they are written: remarks, other spellings, and the heading of an answer."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from rollwright.ask.shapes.measures import Policy, Rolled, Title
from rollwright.plain import Json


class RemarkSaid(TypedDict):
    """Something in dice that may have been meant otherwise."""

    code: Annotated[str, "A short name for it."]
    start: Annotated[int, "Where it begins in the expression."]
    end: Annotated[int, "Where it ends."]
    said: Annotated[str, "What was read, and what would be read otherwise."]
    other: Annotated[str, "The other reading, to be rolled or asked about instead."]


class Noted(TypedDict):
    """Remarks on dice as they were written."""

    remarks: NotRequired[Annotated[list[RemarkSaid], "What may have been meant otherwise."]]


class ReadingSaid(TypedDict):
    """The meaning of an expression in another tool."""

    dialect: Annotated[str, "The tool by name."]
    title: Title
    expression: Annotated[str, "The same in our spelling."]


class ChangeSaid(TypedDict):
    """One thing that is spelled otherwise here."""

    before: Annotated[str, "As it was written."]
    after: Annotated[str, "As it is written here; empty where it is left out."]
    why: Annotated[str, "Why."]


class QueryOption(TypedDict):
    """A number that may be chosen."""

    label: Annotated[str, "What it is called."]
    value: Annotated[Json, "The number; a fraction is written out."]


class QuerySaid(TypedDict):
    """Something that the other tool asks before it rolls, which is a name in the dice here."""

    name: Annotated[str, "The name, for `variables`."]
    prompt: Annotated[str, "The question, as it was written."]
    value: Annotated[Json, "The number without another; null where one must be given."]
    options: Annotated[list[QueryOption], "What may be chosen, where there is a list."]


class TranslationSaid(TypedDict):
    """An expression of another tool in our spelling."""

    dialect: Annotated[str, "The tool by name."]
    title: Title
    expression: Annotated[str, "The same in our spelling."]
    changes: Annotated[list[ChangeSaid], "What is spelled otherwise, and why."]
    queries: Annotated[list[QuerySaid], "What the tool asks for."]


class TranslateAnswer(TypedDict):
    """The meanings of an expression in other tools, in our spelling."""

    readings: Annotated[list[TranslationSaid], "Each reading that differs from the others."]


class Written(Noted):
    """Remarks on the dice themselves, as they were written."""

    translation: NotRequired[
        Annotated[TranslationSaid, "What was rolled, where it came in the spelling of a tool."]
    ]
    readings: NotRequired[
        Annotated[list[ReadingSaid], "What dice out of a chat mean in the tools of such chats."]
    ]


class Heading(Written):
    """The subject of a count, and its policy."""

    title: Rolled
    policy: Policy
