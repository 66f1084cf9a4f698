"""Questions as data: arguments read from plain data by the types of the functions that answer."""

import json
from collections.abc import Iterable, Mapping
from enum import StrEnum
from fractions import Fraction
from types import ModuleType
from typing import Any, Literal

import pytest

import rollwright as rw
from rollwright.budget import Budget
from rollwright.engine.transcript import Transcript
from rollwright.errors import BadField
from rollwright.kit import Question, Value, field, find_game, questions_in
from rollwright.kit.questions import Number, chance, number, whole

GAMES = [find_game(name) for name in rw.list_games()]


class Colour(StrEnum):
    """A colour."""

    RED = "red"
    BLUE = "blue"


class Stone(Value):
    """A stone of so many grams."""

    grams: int = field(help="what it weighs", low=1)


def weigh(
    stones: Iterable[Stone],
    names: Mapping[str, Stone],
    wanted: Number = Fraction(1, 2),
    *,
    pair: tuple[int, str] = (0, ""),
    colour: Colour = Colour.RED,
    side: Literal["left", "right"] = "left",
    roll: Transcript | None = None,
    exact: bool = False,
) -> tuple[Any, ...]:
    """Which side goes down?

    More is said here.
    """
    return tuple(stones), dict(names), wanted, pair, colour, side, roll, exact, Budget.default()


QUESTION = Question(weigh)
PLAIN = {"stones": [{"grams": 3}], "names": {"a": {"grams": 5}}}


def test_a_question_says_what_it_wants_to_know():
    """Name, first line, arguments in order, and what must be given."""
    assert (QUESTION.name, QUESTION.title) == ("weigh", "Which side goes down?")
    wants = ["stones", "names", "wanted", "pair", "colour", "side", "roll", "exact"]
    assert list(QUESTION.arguments) == wants
    assert [a.name for a in QUESTION.arguments.values() if a.is_required] == ["stones", "names"]
    assert QUESTION.arguments["wanted"].default == Fraction(1, 2)
    assert QUESTION.answers_with == tuple[Any, ...]


def test_plain_data_becomes_what_the_function_takes():
    """Fields become values, lists tuples, words members of their enumeration."""
    more = {"wanted": "1/3", "pair": [2, "b"], "colour": "blue", "side": "right", "exact": True}
    stone = Stone(grams=3)
    expected = ((stone,), {"a": Stone(grams=5)}, "1/3", (2, "b"), Colour.BLUE, "right", None, True)
    assert QUESTION.ask({**PLAIN, **more})[:8] == expected


def test_a_budget_comes_from_whoever_asks():
    """It is no argument: whatever the question counts is counted on the budget of who asks."""
    budget = Budget()
    assert QUESTION.ask(PLAIN, budget=budget)[-1] is budget
    with pytest.raises(BadField, match="weigh does not ask for it"):
        QUESTION.ask({**PLAIN, "budget": 5})


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            {"stones": 5},
            r"^stones: 5 is not a list; a list \(at most 100 of: fields such as grams\) would do",
        ),
        ({"stones": ["x"]}, r"^stones\[0\]: 'x' is not a Stone; fields such as grams would do"),
        ({"stones": [{"grams": 0}]}, r"^stones\[0\]\.grams: 0 is too low"),
        ({"names": [1]}, r"^names: \[1\] came; names, each with fields such as grams would do"),
        ({"names": {"a": 1}}, r"^names\.a: 1 is not a Stone"),
        ({"wanted": True}, "^wanted: True does not fit; a whole number or a number or a text"),
        ({"pair": [1]}, "^pair: 1 came; a list of 2 would do"),
        ({"colour": "green"}, "^colour: 'green' is none of the choices; red, blue would do"),
        ({"side": "up"}, "^side: 'up' is none of the choices; left, right would do"),
        ({"exact": 1}, "^exact: 1 is neither true nor false; true or false would do"),
        ({"roll": {}}, "^roll: format.*a transcript as it was written would do"),
        ({"stone": 1}, "^stone: weigh does not ask for it; did you mean 'stones'"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(more, message):
    """Each refusal says where, and what would do."""
    with pytest.raises(BadField, match=message):
        QUESTION.ask({**PLAIN, **more})


def test_what_is_missing_is_named():
    """An argument without a default must be given."""
    with pytest.raises(BadField, match=r"^names: is missing"):
        QUESTION.ask({"stones": []})


def test_the_public_functions_of_a_module_are_its_questions():
    """In order, without helpers, values and what was only imported."""
    module = ModuleType("asked")
    code = "from math import gcd\nfrom json import dumps\n"
    exec(f"{code}def later(): ...\ndef _helper(): ...\nLIMIT = 3\ndef first(): ...", vars(module))
    assert [found.__name__ for found in questions_in(module)] == ["later", "first"]


def test_a_request_may_say_what_it_is():
    """Game and roll in front of its fields are fine, if they are its own."""
    question = find_game("dust").questions["chances"]
    asked = {"game": "dust", "roll": "roll", "pool": 5}
    assert question.ask({"roll": asked}) == question.ask({"roll": {"pool": 5}})
    with pytest.raises(BadField, match="roll"):
        question.ask({"roll": {**asked, "roll": "plan"}})


def test_a_roll_in_progress_is_asked_about_as_it_was_written():
    """A stored transcript is an argument like any other."""
    question = find_game("kleptonomicon").questions["chance_of_goal"]
    group = {"game": "kleptonomicon", "roll": "group", "members": [{"name": "A"}, {"name": "B"}]}
    lying = rw.roll(group, faces=[8, 5])
    asked = {"transcript": json.loads(lying.to_json()), "goal": 6}
    assert question.ask(asked) == question(lying, 6) == Fraction(9, 20)


TALK = {"ability": 3, "skill": [2], "dl": "Hard"}
ASKED = [
    ("dust", "task_chances", {"task": {"pool": 4, "target": 3, "limit": 2}}),
    ("dust", "spend_now", {"now": {"pool": 7}, "later": [{"pool": 2}], "adrenaline": 1}),
    ("dust", "fair_difficulty", {"roll": {"pool": 3}, "chance": "2/5", "need": 1}),
    ("edge20", "dc_table", {"check": {"modifier": 5, "dc": 0}, "chances": ["1/4", 0.5]}),
    ("edge20", "highest_dc", {"check": {"dc": 0}, "chance": "0.65", "tier": "success"}),
    ("edge20", "best_order", {"turn": {"checks": [{"dc": 9}, {"dc": 12}]}, "harm": 2}),
    ("edge20", "tier_table", {"check": {"dc": 0}, "modifiers": [1, 2], "dcs": [10]}),
    ("ghostburn", "spend_luck_now", {"session": {"rolls": [TALK, TALK]}, "faces": [3, 9]}),
    ("ghostburn", "best_choice", {"ways": {"talk": TALK, "push": {"ability": 1, "dl": "Easy"}}}),
    ("ghostburn", "fair_level", {"bonus": 5, "wanted": "0.4", "house": {"luck_carries": True}}),
    ("kleptonomicon", "best_split", {"misses": ["1/2", "3/4"], "gifts": 3}),
    ("kleptonomicon", "worth_of_an_advantage", {"request": {"modifier": 1}, "goal": 7}),
    ("twilight2000", "should_push", {"request": {"roll": "skill", "attribute": "A"}, "faces": [3]}),
    ("twilight2000", "my_chances", {"request": {"roll": "attack", "attribute": "B"}}),
    ("twilight2000", "modifier_table", {"attribute": "B", "skill": "C"}),
]


@pytest.mark.parametrize(("game", "name", "plain"), ASKED, ids=lambda held: str(held)[:30])
def test_questions_of_games_are_answered_to_json(game, name, plain):
    """What JSON can hold is enough to ask; the answer is the function's."""
    question = find_game(game).questions[name]
    answer = question.ask(json.loads(json.dumps(plain)))
    assert type(answer) is type(question(**question.read(plain)))
    assert answer == question(**question.read(plain))


def test_a_question_about_any_of_several_rolls_wants_to_know_which():
    """Where a question takes every roll of base dice, the request says which it is."""
    question = find_game("twilight2000").questions["my_chances"]
    with pytest.raises(BadField, match=r"request\.roll: is missing; skill, .*attack.* would do"):
        question.ask({"request": {"attribute": "A"}})
    with pytest.raises(BadField, match=r"request\.roll: 'dance' is none of the rolls"):
        question.ask({"request": {"roll": "dance", "attribute": "A"}})


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_question_of_every_game_is_data(game):
    """Each can be described and says what it answers with; nothing in its types is unknown."""
    assert game.questions
    for name, question in game.questions.items():
        assert (question.name, question.__name__) == (name, name)
        assert question.title
        assert question.answers_with is not None
        with pytest.raises(BadField, match=r"is missing|does not ask for it"):
            question.ask({"nothing of the kind": 0})


def test_numbers_as_they_are_written():
    """A number, a chance, a whole number within limits; all else is refused by its field."""
    assert number("n", "1/3") == Fraction(1, 3)
    assert number("n", 0.25) == chance("c", "0.25") == Fraction(1, 4)
    assert number("n", 1e-05) == Fraction(1, 100_000)
    assert whole("w", 3, 0, 5) == 3
    for check in (
        lambda: number("f", True),
        lambda: number("f", "1e9"),
        lambda: chance("f", 2),
        lambda: chance("f", "abc"),
        lambda: whole("f", 6, 0, 5, "TOY R1"),
        lambda: whole("f", "3", 0, 5),
    ):
        with pytest.raises(BadField, match=r"^f: .* would do"):
            check()
