"""What a game is made of: values with checked fields, requests, house rules, goals, effects."""

from rollwright.kit.fields import Field, Value, field, fields_of
from rollwright.kit.games import (
    Effect,
    Game,
    Goal,
    Guidance,
    Line,
    Policy,
    add_game,
    by_request,
    find_game,
    list_games,
)
from rollwright.kit.house import Shows, measured_house
from rollwright.kit.questions import Question
from rollwright.kit.requests import Request, from_plain, to_plain
from rollwright.kit.schemas import schema_of
from rollwright.ranks import Ranked

__all__ = [
    "Effect",
    "Field",
    "Game",
    "Goal",
    "Guidance",
    "Line",
    "Policy",
    "Question",
    "Ranked",
    "Request",
    "Shows",
    "Value",
    "add_game",
    "by_request",
    "field",
    "fields_of",
    "find_game",
    "from_plain",
    "list_games",
    "measured_house",
    "schema_of",
    "to_plain",
]
