"""The kit: values that cannot be wrong, requests that travel, games that are found."""

from copy import deepcopy
from fractions import Fraction
from typing import Any, Literal, NamedTuple

import pytest

import rollwright as rw
from rollwright.dice import Die
from rollwright.engine.endings import Ending, offer, tally
from rollwright.errors import BadField, UnknownName
from rollwright.kit import (
    Game,
    Goal,
    Line,
    Policy,
    Request,
    Shows,
    Value,
    by_request,
    field,
    fields_of,
    find_game,
    from_plain,
    measured_house,
    preset,
    schema_of,
    to_plain,
)
from rollwright.kit import games as registry
from rollwright.kit.card import Asked
from rollwright.kit.fields import refuse_above, shared_fields
from rollwright.rules import roll, rule


class House(Value):
    """House rules of the little game."""

    top_wins: bool = field(
        False,
        help="whether the top face always wins",
        code="D1",
        readings={False: "it counts like any other", True: "it always wins"},
        shows=Shows("chance to win", "duel", {"sides": 6}, lambda o: o.won, "never"),
    )


class Foe(Value):
    """Somebody to beat."""

    name: str = field(help="what the foe is called", most=20)
    target: int = field(4, help="what must be beaten", low=1, high=20, rule="TINY R2")


class Won(NamedTuple):
    """What a duel comes to."""

    won: bool
    margin: int


class Duel(Request, roll="duel", title="A duel", outcome=Won):
    """Beat the foe's number with one die, thrown at most twice."""

    sides: int = field(help="how many sides the die has", low=2, high=20, rule="TINY R1")
    stance: Literal["bold", "wary"] = field("wary", help="how you stand")
    bonuses: tuple[int, ...] = field((), help="what is added", low=0, high=9, most=3)
    foes: tuple[Foe, ...] = field((), help="whom you fight", most=2)
    stake: Fraction | None = field(None, help="what it is about")
    where: int | str = field("here", help="where it is fought, by name or number", low=1)
    house: House = field(House(), help="house rules")

    def check(self) -> None:
        if self.stance == "bold" and self.bonuses:
            raise BadField("bonuses", "the bold need none", rule="TINY R3", would_do="none")

    def call(self) -> Any:
        return duel(self)


@rule
async def duel(asked: Duel) -> Ending[Won]:
    """Throw; you may throw once more."""
    face = sum(await roll(Die(asked.sides)))
    kept = ended(face, asked)
    return offer({"keep": kept, "again": tally(Die(asked.sides), finish=ended, given=(asked,))})


def ended(face: int, asked: Duel) -> Won:
    """Whether a face wins."""
    margin = face + sum(asked.bonuses) - (asked.foes[0].target if asked.foes else 4)
    return Won(margin >= 0 or (asked.house.top_wins and face == asked.sides), margin)


TINY = Game(
    name="tiny",
    title="Tiny",
    summary="A game of one die.",
    requests=(Duel,),
    house=House,
    prefix="TINY",
    rulebook={"R1": Line("one die"), "R2": Line("a target"), "R3": Line("no help for the bold")},
    tell=lambda request, transcript: str(transcript.outcome),
    policies={
        "never": Policy("keep the first", lambda argument, request: lambda s: "keep"),
        "below": Policy(
            "again below N",
            lambda argument, request: (
                lambda s: "again" if sum(s.seen[0]) < int(argument) else "keep"
            ),
            argument="N",
        ),
    },
    goals={"win": Goal("win", lambda o: o.won), "far": Goal("win far", lambda o: o.margin, ("x",))},
    default_policy="never",
    default_goal="win",
)


class Toss(Request, roll="toss", outcome=Won):
    """One throw, whatever it shows."""

    sides: int = field(6, help="how many sides the die has", low=2, high=20)


@rule
async def toss(asked: Toss) -> Ending[Won]:
    """Throw; the face is the margin."""
    return tally(Die(asked.sides), finish=lambda face: Won(True, face))


def test_a_game_says_which_rule_a_request_calls():
    """Rules given with the requests are called with them; without one a request cannot be made."""
    with pytest.raises(TypeError, match="Toss must say which rule it is"):
        Toss().call()
    game = Game(
        name="tossing",
        title="Tossing",
        summary="A game of one throw.",
        requests={Toss: toss},
        house=House,
        prefix="TOSS",
        rulebook={},
        tell=lambda request, transcript: "",
        package="tossing",
    )
    assert (game.default_roll, Toss.game) == ("toss", "tossing")
    assert game.request(sides=4).call() == toss(Toss(sides=4))


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    """The little game is installed for these tests."""
    monkeypatch.setitem(registry._loaded, "tiny", TINY)


@pytest.mark.parametrize(
    ("fields", "where", "would_do"),
    [
        ({"sides": 1}, "sides", "2 to 20"),
        ({"sides": 21}, "sides", "2 to 20"),
        ({"sides": True}, "sides", "2 to 20"),
        ({"sides": "6"}, "sides", "2 to 20"),
        ({}, "sides", "2 to 20"),
        ({"sides": 6, "stance": "meek"}, "stance", "bold, wary"),
        ({"sides": 6, "bonuses": 3}, "bonuses", "a list (at most 3 of: 0 to 9)"),
        ({"sides": 6, "bonuses": [1, 10]}, "bonuses[1]", "0 to 9"),
        ({"sides": 6, "bonuses": [1, 1, 1, 1]}, "bonuses", "a list (at most 3 of: 0 to 9)"),
        ({"sides": 6, "foes": [{"name": "x", "target": 99}]}, "foes[0].target", "1 to 20"),
        ({"sides": 6, "foes": [{}]}, "foes[0].name", "a text"),
        ({"sides": 6, "foes": [{"name": "y" * 21}]}, "foes[0].name", "a text"),
        ({"sides": 6, "foes": ["z"]}, "foes[0]", "fields such as name, target"),
        ({"sides": 6, "house": {"top_wins": 1}}, "house.top_wins", "true or false"),
        ({"sides": 6, "house": None}, "house", "fields such as top_wins"),
        ({"sides": 6, "stake": "a lot"}, "stake", "a number"),
        ({"sides": 6, "stance": "bold", "bonuses": [1]}, "bonuses", "none"),
    ],
)
def test_a_wrong_field_is_refused_by_name(fields, where, would_do):
    """The refusal names the field, however deep, and what would do."""
    with pytest.raises(BadField) as refusal:
        TINY.request("duel", **fields)
    assert (refusal.value.field, refusal.value.would_do) == (where, would_do)


def test_a_refusal_names_the_rule():
    """The rule behind a range is part of the sentence."""
    with pytest.raises(BadField, match=r"sides: 1 is too low \(TINY R1\); 2 to 20 would do"):
        TINY.request("duel", sides=1)


@pytest.mark.parametrize("near", [{"side": 6}, {"sides": 6, "house": {"top_win": True}}])
def test_an_unknown_field_is_refused_with_a_guess(near):
    """A mistyped field gets a suggestion."""
    with pytest.raises(BadField, match="did you mean"):
        TINY.request("duel", **near)


def test_values_are_frozen_and_changed_by_copies():
    """`but` gives a checked copy; the value itself stays."""
    asked = TINY.request("duel", sides=6)
    assert asked.but(sides=8).sides == 8
    assert asked.sides == 6
    with pytest.raises(AttributeError):
        asked.sides = 7
    with pytest.raises(BadField):
        asked.but(sides=99)
    with pytest.raises(BadField, match="no such field"):
        asked.but(size=8)


def test_a_value_is_its_own_copy():
    """Best play copies what lives at every position, and a request cannot change."""
    asked = TINY.request("duel", sides=6, foes=[Foe(name="Ogre")])
    assert asked is deepcopy(asked)
    assert isinstance(asked.foes, tuple)


def test_requests_go_to_json_and_back():
    """Only what differs from the default travels, and it comes back equal."""
    asked = TINY.request(
        "duel", sides=6, foes=[Foe(name="Ogre")], stake="1/3", house={"top_wins": True}
    )
    plain = to_plain(asked)
    assert plain == {
        "game": "tiny",
        "roll": "duel",
        "sides": 6,
        "foes": [{"name": "Ogre"}],
        "stake": "1/3",
        "house": {"top_wins": True},
    }
    assert from_plain(plain) == asked


@pytest.mark.parametrize("plain", [3, None, [], {}, {"game": "tiny", "roll": "dual", "sides": 6}])
def test_what_is_no_request_is_refused(plain):
    """Other JSON, unknown games and unknown rolls are refused."""
    with pytest.raises((BadField, UnknownName)):
        from_plain(plain)


def test_fields_describe_themselves():
    """One description serves every surface: kind, range, choices, default, rule."""
    about = fields_of(Duel)
    assert (about["sides"].kind, about["sides"].low, about["sides"].is_required) == ("int", 2, True)
    assert about["stance"].choices == ("bold", "wary")
    assert about["bonuses"].inner.kind == "int"
    assert about["foes"].inner.inner is Foe
    assert about["stake"].optional
    assert about["house"].inner is House


def test_the_schema_says_what_is_allowed():
    """The JSON Schema has types, ranges, choices, help and defaults."""
    schema = schema_of(Duel)
    assert schema["required"] == ["game", "roll", "sides"]
    assert schema["properties"]["sides"]["maximum"] == 20
    assert schema["properties"]["stance"]["enum"] == ["bold", "wary"]
    assert schema["properties"]["bonuses"]["maxItems"] == 3
    assert schema["properties"]["foes"]["items"]["properties"]["target"]["default"] == 4
    assert schema["properties"]["stake"]["anyOf"][1] == {"type": "null"}
    assert schema["properties"]["where"]["anyOf"] == [
        {"type": "integer", "minimum": 1},
        {"type": "string"},
    ]
    assert schema["additionalProperties"] is False


def test_a_request_is_rolled_counted_and_advised():
    """The four functions take a request, or the same as a mapping, with names for everything."""
    plain = {"game": "tiny", "roll": "duel", "sides": 6}
    assert rw.odds(plain).p(lambda o: o.won) == Fraction(1, 2)
    assert rw.odds(plain, "below:4").p(lambda o: o.won) == Fraction(3, 4)
    assert rw.odds(plain, "best").p(lambda o: o.won) == Fraction(3, 4)
    assert rw.odds(plain, "best:won=2,margin=-0.5").total
    assert rw.advise(plain).value == Fraction(3, 4)
    assert rw.advise(plain, "won=1").value == Fraction(3, 4)
    open_roll = rw.roll(plain, faces=[2])
    again = rw.verify(open_roll.to_json())
    assert again.request == open_roll.request
    assert rw.advise(again).best == "again"
    assert rw.roll(again, faces=[6], policy="best").outcome == Won(True, 2)


@pytest.mark.parametrize(
    ("ask", "match"),
    [
        (lambda plain: rw.odds(plain, "nevr"), "did you mean 'never'"),
        (lambda plain: rw.odds(plain, "never:3"), "takes nothing after it"),
        (lambda plain: rw.advise(plain, "wni"), "did you mean 'win'"),
        (lambda plain: rw.advise(plain, "far"), "not a goal of a duel"),
        (lambda plain: rw.advise(plain, "glory=1"), "no outcome field 'glory'"),
        (lambda plain: rw.advise(plain, "won=much"), "not a number"),
        (lambda plain: rw.odds(3), "cannot be rolled or counted"),
    ],
)
def test_unknown_names_are_refused_with_a_guess(ask, match):
    """Policies, goals and prices that do not exist are refused, with what would do."""
    with pytest.raises(rw.RollwrightError, match=match):
        ask({"game": "tiny", "roll": "duel", "sides": 6})


def test_a_stored_roll_names_the_version_of_its_rules():
    """A roll under other rules is not silently read as one of ours."""
    plain = rw.roll({"game": "tiny", "sides": 6}, faces=[2]).to_plain()
    assert plain["version"] == "1"
    plain["version"] = "0"
    with pytest.raises(rw.RollwrightError, match="cannot be replayed"):
        rw.verify(plain)


def test_house_rules_are_measured():
    """Each switch is counted both ways on its own question, the default first."""
    (measured,) = measured_house(TINY)
    assert [(setting, number) for setting, _, number in measured.readings] == [
        (False, Fraction(1, 2)),
        (True, Fraction(1, 2)),
    ]


def test_games_are_listed_and_found():
    """The five games are there; a sixth is found by entry point; the rest is refused."""
    assert {"dust", "edge20", "ghostburn", "kleptonomicon", "twilight2000"} <= set(rw.list_games())
    with pytest.raises(UnknownName, match="did you mean 'dust'"):
        find_game("dusk")


def test_a_game_gives_its_kinds_of_roll_their_name():
    """No request says which game it is of: the game does, when it is made."""
    assert {kind.game for kind in TINY.requests.values()} == {"tiny"}


@pytest.mark.parametrize("argument", ["", "x", "-1", "6", "²", "9" * 5000])
def test_a_numbered_policy_refuses_what_is_no_number(argument):
    """A whole number within limits, or a refusal that says what it says and what would do."""
    policy = Policy.numbered(
        "stop at N", lambda n: lambda now: n, name="stop", says="where to stop", low=1, high=5
    )
    assert policy.argument == "N"
    assert policy.make("5", Duel(sides=6))(None) == 5
    with pytest.raises(BadField, match=r"stop:\S{0,20} does not say where.*stop:1 to stop:5"):
        policy.make(argument, Duel(sides=6))


def test_a_numbered_policy_may_have_a_usual_number():
    """Without an argument the usual number holds."""
    policy = Policy.numbered(
        "t", lambda n: lambda now: n, name="p", says="it", low=0, high=9, default="3"
    )
    assert policy.make("", Duel(sides=6))(None) == 3


def test_a_simple_policy_needs_only_the_situation():
    """Whatever the request, the decision is the function's."""
    assert Policy.of("always", lambda now: "push").make("", Duel(sides=6))(None) == "push"


def test_one_function_out_of_one_for_each_kind():
    """The kind of the request decides, a subclass goes by its nearest class, others are refused."""
    tells = by_request({Duel: lambda request, more: f"a duel, {more}"})

    class Rematch(Duel, roll="rematch"):
        """Once more."""

    class Other(Request, roll="other"):
        """Something else."""

    assert tells(Duel(sides=6), 5) == tells(Rematch(sides=6), 5) == "a duel, 5"
    with pytest.raises(UnknownName, match="no roll 'other'"):
        tells(Other(), 5)


def test_fields_that_are_shared():
    """What one value holds of another's fields; and a form kept while a value is made."""

    class Word(Value):
        """A word in small letters."""

        text: str = field(help="the word")

        def check(self) -> None:
            """One form for all."""
            self.settle(text=self.text.lower())

    class Said(Word):
        """A word that somebody said."""

        by: str = field(default="", help="who said it")

    assert shared_fields(Said(text="Ferry", by="Ana"), Word) == {"text": "ferry"}


def test_a_limit_that_another_field_sets():
    """Beyond it a number is refused with what would do; no limit refuses nothing."""
    refuse_above("spend", 3, None, "too much")
    refuse_above("spend", 3, 3, "too much")
    with pytest.raises(BadField, match=r"spend: too much \(TOY R1\); 0 to 2 would do"):
        refuse_above("spend", 3, 2, "too much", "TOY R1")
    with pytest.raises(BadField, match="; 0 would do"):
        refuse_above("spend", 3, 0, "too much")


def test_a_default_is_looked_at_like_what_is_given():
    """A default that does not fit is refused each time; one that is kept otherwise is kept so."""

    class Slip(Value):
        """A value whose author slipped."""

        size: int = preset(0, "how large", 1, 6)

    class Worth(Value):
        """A value that keeps what it is given in a form of its own."""

        worth: Fraction = preset(1, "a number")

    for _ in range(2):
        with pytest.raises(BadField, match="size"):
            Slip()
        assert type(Worth().worth) is Fraction
    assert Slip(size=3).size == 3


def test_controls_of_one_form_are_not_those_of_another():
    """What an author does to a control is seen in that form alone."""
    game = find_game("edge20")
    asked = Asked(game=game, kind=game.requests["check"])
    control = asked.field("bonuses")
    control |= {"label": "otherwise", "most": 1}
    assert asked.field("bonuses")["label"] != "otherwise"
