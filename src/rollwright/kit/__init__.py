"""The toolkit for games: values with checked fields, requests, house rules, goals, effects."""

from rollwright.i18n.catalogs import words_of
from rollwright.i18n.messages import Message, any_of, die, percent, row_of, who, with_sign, word
from rollwright.kit.fields import Field, Value, field, fields_of, preset, refuse_if
from rollwright.kit.games import (
    Effect,
    Game,
    Goal,
    Policy,
    add_game,
    by_request,
    find_game,
    from_plain,
    list_games,
)
from rollwright.kit.house_rules import Line, Shows, measured_house, rulebook_of, switch
from rollwright.kit.questions import Question, questions_in
from rollwright.kit.requests import Request, to_plain
from rollwright.kit.schemas import schema_of
from rollwright.kit.shared import SHARED
from rollwright.ranks import Ranked

__all__ = [
    "SHARED",
    "Effect",
    "Field",
    "Game",
    "Goal",
    "Line",
    "Message",
    "Policy",
    "Question",
    "Ranked",
    "Request",
    "Shows",
    "Value",
    "add_game",
    "any_of",
    "by_request",
    "die",
    "field",
    "fields_of",
    "find_game",
    "from_plain",
    "list_games",
    "measured_house",
    "percent",
    "preset",
    "questions_in",
    "refuse_if",
    "row_of",
    "rulebook_of",
    "schema_of",
    "with_sign",
    "switch",
    "to_plain",
    "who",
    "word",
    "words_of",
]
