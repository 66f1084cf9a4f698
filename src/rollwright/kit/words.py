"""Words for sentences, whatever the game, and rolls in words: what happened, options, outcomes.

>>> sentence(f"{join_parts(['a', 'b', 'c'])} show {many(2, 'success')}, {plus(-3)}")
'A, b and c show 2 successes, - 3.'
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING

from rollwright.engine.steps import Choice
from rollwright.exact.fields import field_names
from rollwright.i18n.catalogs import words_of
from rollwright.i18n.locale import format_text, in_words
from rollwright.i18n.messages import HOUSE, Message, any_of, clauses, msg, plain, row_of, word
from rollwright.jsonable import EXACT_IN_EVERY_PARSER
from rollwright.kit.shared import SHARED
from rollwright.pictures.outcomes import format_field, has_words

if TYPE_CHECKING:
    from rollwright.dice import Die, Face, Outcome, Pool
    from rollwright.engine.steps import Option, ThrowStep
    from rollwright.engine.transcript import Transcript
    from rollwright.i18n.catalogs import Messages
    from rollwright.i18n.messages import Value
    from rollwright.jsonable import Json
    from rollwright.kit.games import Effect

Text = str | Message
"""A text for people: as it is, or a message of a catalog."""
FATE = (-1, 0, 1)
MOST_ASKED = 4
"""A question names its options one by one if there are no more than these."""


def many(number: int, word: str, plural: str = "", *, none: str = "0") -> str:
    """A number with its noun.

    >>> many(1, "die", "dice"), many(3, "success"), many(0, "die", "dice", none="no")
    ('1 die', '3 successes', 'no dice')
    """
    if number == 1:
        return f"1 {word}"
    return f"{number or none} {plural or word + ('es' if word.endswith('s') else 's')}"


def capital(text: str) -> str:
    """A text that begins with a capital letter."""
    return f"{text[:1].upper()}{text[1:]}"


def join_parts(parts: Sequence[str], last: str = "and") -> str:
    """Parts in a row.

    >>> join_parts(["a", "b", "c"]), join_parts(["a", "b"], "or"), join_parts(["a"])
    ('a, b and c', 'a or b', 'a')
    """
    *most, end = parts or ("",)
    return f"{', '.join(most)} {last} {end}" if most else end


def plus(number: int) -> str:
    """A number as one more term of a sum: `+ 3`, `- 2`."""
    return f"{'-' if number < 0 else '+'} {abs(number)}"


def sentence(text: str) -> str:
    """A text with a capital letter and a full stop."""
    return f"{text[:1].upper()}{text[1:]}."


def waits_for(
    transcript: Transcript, choice: str, throw: str, *, between: str = " or ", most: int = 0
) -> str:
    """Return what an open roll waits for, in the words of the game; empty for one that has ended.

    `choice` may use {by} and {options}, the first `most` of them if there are more; `throw` may
    use {dice}, {are} and {count}.
    """
    step = transcript.step
    if transcript.is_done:
        return ""
    if not isinstance(step, Choice):
        size = step.pool.size
        are, count = "is" if size == 1 else "are", many(size, "die", "dice", none="no")
        return throw.format(dice=repr(step.pool), are=are, count=count)
    options = [format_option(option) for option in step.options]
    if most and len(options) > most:
        options = [*options[:most], f"… ({len(options)} in all)"]
    return choice.format(by=step.by, options=between.join(options))


def retold(transcript: Transcript, words: Messages) -> Message:
    """Return a dice-by-dice narration so far, for a roll without any other.

    A text of the game for a field of the outcome (`outcome.NAME`), for a value or a face (`word.`
    and it) or for an option is used.
    """
    said = words.msg
    thrown: list[Value] = [
        said("retold.throw", dice=_dice(step.pool), faces=row_of(map(_value, shown)))
        for step, shown in transcript.throws
    ]
    parts: list[Value] = [said("retold.thrown", throws=clauses(thrown))] if thrown else []
    step = transcript.step
    if transcript.is_done:
        parts.append(said("retold.makes", outcome=_outcome(transcript.outcome, words)))
    elif isinstance(step, Choice):
        offered = map(format_option, step.options)
        options = any_of(_name_of(words, f"option.{one}", one) for one in offered)
        parts.append(said("retold.choice", by=word(step.by), options=options))
    else:
        parts.append(said("retold.waits", dice=_dice(step.pool)))
    return said("sentences", parts={"sentences": [plain(part) for part in parts]})


def _dice(pool: Pool) -> Value:
    """Dice as people write them in the reader's language: 3D6, and in German 3W6."""
    groups = [_alike(die, count) for die, count in pool.groups]
    if not groups:
        return msg("retold.nothing")
    return reduce(lambda a, b: msg("retold.plus", a=a, b=b), groups)


def _alike(die: Die, count: int) -> Message:
    if not die.is_numbered:
        return msg("retold.dice.other", n=count, name=repr(die))
    named = {"name": die.name} if die.name else {}
    id = "retold.dice.named" if named else "retold.dice"
    return msg(id, n=count, sides=len(die.faces), **named)


def _outcome(outcome: Outcome, words: Messages) -> Value:
    """An outcome with its fields by name."""
    if not hasattr(outcome, "_fields"):
        return _value(outcome)
    return row_of(
        words.msg(
            "retold.field",
            name=_name_of(words, f"outcome.{name}", name.replace("_", " ")),
            value=_value(getattr(outcome, name)),
        )
        for name in field_names(outcome)
    )


def _name_of(words: Messages, id: str, otherwise: str) -> Value:
    return words.msg(id) if id in words else otherwise


def _value(value: object) -> Value:
    """A value of an outcome, or a face, as a message holds it."""
    if isinstance(value, bool):
        return msg("yes" if value else "no")
    if isinstance(value, int):
        return value
    return word(str(value)) if isinstance(value, str) and value else format_field(value)


def plainly(transcript: Transcript) -> str:
    """The same in the reader's language, for a roll of no game."""
    return format_text(retold(transcript, words_of(HOUSE)))


def format_outcome(outcome: Outcome) -> str:
    """An outcome with its fields by name."""
    if hasattr(outcome, "_fields"):
        return ", ".join(f"{n} {format_field(getattr(outcome, n))}" for n in field_names(outcome))
    return format_field(outcome)


def format_option(option: Option) -> str:
    """An option as it is typed: one with fields by their names, such as `dig 2 props 1`."""
    if not hasattr(option, "_fields") or has_words(option):
        return format_field(option)
    parts = [(name.replace("_", " "), getattr(option, name)) for name in field_names(option)]
    return " ".join(f"{name} {format_field(value)}" for name, value in parts)


def format_situation(situation: object) -> str:
    """Return the facts that one decision depends on."""
    if hasattr(situation, "readings"):
        return ", ".join(map(format_field, situation.readings))
    if isinstance(situation, tuple):
        return "; ".join(map(format_situation, situation))
    return format_field(situation)


def dice_of(step: ThrowStep[Outcome], faces: tuple[Face, ...]) -> list[tuple[Die, Face]]:
    """The dice of a throw with what they show."""
    return list(zip(step.pool.dice, faces, strict=True))


def find_face(die: Die, word: Face) -> Face:
    """Return the face of a die for a word; the word itself if it is none."""
    if not isinstance(word, str):
        return word
    if die.is_numbered:
        sign = word.lstrip("-")
        return int(word) if sign.isdigit() and sign.isascii() and len(sign) < 20 else word
    faces = {str(face).lower(): face for face in die.faces}
    return faces.get(word.lower(), word)


def format_effect(effect: Effect) -> Text:
    """One effect in a few words; what has no amount just happens."""
    amount = f" {format_field(effect.amount)}" if effect.amount != 0 else ""
    happens = f"{effect.kind.replace('_', ' ')}{amount}"
    if effect.target == SHARED:
        return msg("retold.shared", effect=happens)
    return f"{happens} ({effect.target})" if effect.target else happens


def format_die(die: Die) -> str:
    """A die by its name: d8, ammo d6, coin, dF."""
    if die.is_numbered:
        shape = f"d{len(die.faces)}"
        return f"{die.name} {shape}" if die.name else shape
    if die.name:
        return die.name
    return "dF" if die.faces == FATE else f"d{len(die.faces)}"


def readable(value: object) -> Json:
    """A value as JSON that a person can read: names and numbers, lists and fields."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        return int(value) if abs(value) < EXACT_IN_EVERY_PARSER else str(int(value))
    if isinstance(value, Fraction):
        return str(value)
    if hasattr(value, "_fields"):
        return {name: readable(getattr(value, name)) for name in field_names(value)}
    if isinstance(value, (tuple, list, frozenset)):
        return [readable(part) for part in value]
    return str(value)


def outcome_fields(outcome: Outcome) -> dict[str, Json]:
    """The fields of an outcome by name; a bare value is called `value`."""
    found = readable(outcome)
    return found if isinstance(found, dict) else {"value": found}


def about_to_json(about: object) -> dict[str, Json] | None:
    """Return the facts that a choice depends on, field by field."""
    return None if about is None else outcome_fields(about)


def question(options: Sequence[Option]) -> str:
    """A choice as a question: "Keep or push?"."""
    names = [format_option(option) for option in options[: MOST_ASKED + 1]]
    if len(names) > MOST_ASKED:
        more = in_words("told.ask.more", n=len(options) - MOST_ASKED + 1)
        names = [*names[: MOST_ASKED - 1], more]
    text = in_words("told.ask", options=any_of(names))
    return f"{text[:1].upper()}{text[1:]}"
