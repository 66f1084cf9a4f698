"""The titles of a game's parts, in the reader's language.

In English the title of a part is its description; in another language the text that the game has
for it under the id named here, and if it has none the English one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rollwright.i18n.languages import ENGLISH
from rollwright.i18n.locale import in_words, reader_language
from rollwright.i18n.messages import Message
from rollwright.kit.card.choices import option_to_json
from rollwright.kit.card.texts import say
from rollwright.kit.games import find_game
from rollwright.kit.words import format_option
from rollwright.pictures.charts import CHANCE, POINTS
from rollwright.pictures.outcomes import format_field

if TYPE_CHECKING:
    from rollwright.engine.transcript import Transcript
    from rollwright.kit.fields import Field
    from rollwright.kit.games import Game
    from rollwright.kit.requests import Request


def first_title(game: Game, *ids: str, otherwise: str) -> str:
    """The first of these texts that the game has in the reader's language."""
    if reader_language() == ENGLISH:
        return otherwise
    found = next((id for id in ids if id in game.words.own), "")
    return game.words.say(game.words.msg(found), reader_language()) if found else otherwise


def summary(game: Game) -> str:
    """Return the summary of a game: "about"."""
    return first_title(game, "about", otherwise=game.summary)


def roll_title(game: Game, kind: type[Request]) -> str:
    """Return the title of a kind of roll: "roll.ROLL"."""
    return first_title(game, f"roll.{kind.roll}", otherwise=kind.title)


def roll_help(game: Game, kind: type[Request]) -> str:
    """Return the purpose of a kind of roll, in a sentence: "about.ROLL"."""
    return first_title(game, f"about.{kind.roll}", otherwise=first_line(kind))


def first_line(kind: type) -> str:
    """Return the first paragraph of a type's docstring."""
    return str(kind.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")


def field_title(game: Game, roll: str, about: Field) -> str:
    """Return the title of a field: "label.ROLL.NAME" or "label.NAME"."""
    return first_title(
        game, f"label.{roll}.{about.name}", f"label.{about.name}", otherwise=about.title
    )


def field_help(game: Game, roll: str, about: Field) -> str:
    """Return the help of a field: "help.ROLL.NAME" or "help.NAME"."""
    return first_title(
        game, f"help.{roll}.{about.name}", f"help.{about.name}", otherwise=about.help
    )


def argument_title(game: Game, roll: str, name: str) -> str:
    """Return the title of a setting of a request by its name: a field, or a house rule."""
    ids = (f"label.{roll}.{name}", f"label.{name}", f"house.{name}")
    return first_title(game, *ids, otherwise=name.replace("_", " "))


def house_rule_title(game: Game, about: Field) -> str:
    """Return the title of a house rule: "house.NAME"."""
    return first_title(game, f"house.{about.name}", otherwise=about.title)


def house_rule_help(game: Game, about: Field) -> str:
    """Return the help of a house rule: "help.house.NAME"."""
    return first_title(game, f"help.house.{about.name}", otherwise=about.help)


def setting_titles(game: Game, about: Field) -> Mapping[Any, str]:
    """Return the meaning of each setting of a house rule: "house.NAME.VALUE"."""
    readings: Mapping[Any, str] = about.more.get("readings") or {}
    return {
        setting: first_title(game, f"house.{about.name}.{_setting_id(setting)}", otherwise=text)
        for setting, text in readings.items()
    }


def _setting_id(setting: object) -> str:
    """A setting as JSON writes it, which is how ids name it."""
    if setting is None or isinstance(setting, bool):
        return {None: "null", True: "true", False: "false"}[setting]
    return str(setting)


def goal_title(game: Game, name: str) -> str:
    """Return the title of a goal, in a player's words: "goal.NAME"; prices are as they were typed.

    A goal of one field alone, `score=1`, has the field's title.
    """
    known = game.goals.get(name)
    if known is None and name.endswith("=1") and name.count("=") == 1:
        return outcome_title(game, name.removesuffix("=1"))
    return first_title(game, f"goal.{name}", otherwise=name if known is None else known.title)


def policy_title(game: Game, name: str) -> str:
    """Return the title of a policy: "policy.NAME"."""
    if name == "best":
        return in_words("policy.best.title")
    word = name.partition(":")[0]
    return first_title(game, f"policy.{word}", otherwise=game.policies[word].title)


def question_title(game: Game, name: str) -> str:
    """Return the title of a question of the game: "question.NAME"."""
    return first_title(game, f"question.{name}", otherwise=game.questions[name].title)


def outcome_title(game: Game | None, name: str) -> str:
    """Return the title of a field of the outcome: "outcome.NAME"."""
    plain = name.replace("_", " ")
    return plain if game is None else first_title(game, f"outcome.{name}", otherwise=plain)


def outcome_label(game: Game | None, name: str) -> str:
    """A field of the outcome as a player says it within a line."""
    id = f"outcome.{name}"
    title = outcome_title(game, name)
    if game is not None and id in game.words:
        title = say(game.words.msg(id), game.name, reader_language())
    if reader_language() == ENGLISH and title[1:2].islower():
        title = title[:1].lower() + title[1:]
    return title


def field_label(game: Game | None, name: str) -> str:
    """A field as a player says it, with the name to type where that is another one."""
    title = outcome_label(game, name)
    typed = title.replace(" ", "_").lower()
    return title if typed == name else f"{title} ({name})"


def answer_title(game: Game, name: str) -> str:
    """Return the title of a field of an answer: "answer.NAME", else the outcome's or a field's."""
    ids = (f"answer.{name}", f"outcome.{name}", f"label.{name}", f"word.{name}")
    return first_title(game, *ids, otherwise=name.replace("_", " "))


def unit_title(game: Game, unit: str) -> str:
    """Return the title of a unit: "unit.UNIT"; percents and percentage points need none."""
    if unit in (CHANCE, POINTS):
        return unit
    return first_title(game, f"unit.{unit}", otherwise=unit)


def value_title(game: Game | None, value: object) -> str:
    """A value as people say it; of the game's vocabulary, "word.VALUE".

    One that has a message as its `wording` is said by that.
    """
    if game is not None and isinstance(value, tuple):
        wording = getattr(value, "wording", None)
        if isinstance(wording, Message):
            return say(wording, game.name, reader_language())
        if value and not hasattr(value, "_fields"):
            return ", ".join([value_title(game, part) for part in value])
    said = format_field(value)
    if game is None or not isinstance(value, str):
        return said
    return first_title(game, f"word.{said}", otherwise=said)


def seat_title(game: Game | None, by: str) -> str:
    """Who chooses, as the rule calls them: "word.SEAT"; a name stays a name.

    Players and referees are there in every game.
    """
    everywhere = in_words(f"word.{by}") if by in ("player", "referee") else by
    return everywhere if game is None else first_title(game, f"word.{by}", otherwise=everywhere)


def game_of(transcript: Transcript) -> Game | None:
    """The game that a roll is of; None for dice and rules of no game."""
    return None if transcript.request is None else find_game(transcript.request.game)


def choice_title(game: Game | None, option: object) -> str:
    """An option where no roll is at hand to ask the card: "option.OPTION", or "word.OPTION"."""
    plain = format_option(option)
    ids = (f"option.{plain}", f"word.{plain}")
    return plain if game is None else first_title(game, *ids, otherwise=plain)


def option_title(transcript: Transcript, option: Any) -> str:
    """An option: in English as it is typed, else as the game's card has it."""
    if reader_language() == ENGLISH or transcript.request is None:
        return format_option(option)
    label = option_to_json(transcript, option)["said"]
    return say(label, transcript.request.game, reader_language())
