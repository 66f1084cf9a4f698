"""A card: what a small game gets for nothing, what a refused draft still has, and what may fail."""

from __future__ import annotations

import json
import logging
from typing import NamedTuple

import pytest

import rollwright as rw
from rollwright.dice import D6
from rollwright.engine.endings import Ending, tally
from rollwright.errors import BadField, UnknownName
from rollwright.hooks import failed_hooks
from rollwright.kit import Game, Goal, Ranked, Request, Value, field, preset, rulebook_of
from rollwright.kit.card import (
    Asked,
    Assignment,
    Card,
    Draft,
    Mark,
    Place,
    Price,
    RollCard,
    Verdict,
    tone_of,
)
from rollwright.kit.card.choices import choice_to_json, option_for, option_to_json
from rollwright.kit.card.endings import ending_to_json, title_text
from rollwright.kit.card.marks import marks_to_json
from rollwright.kit.card.pages import card_to_json, sheet_to_json
from rollwright.kit.card.paths import merge_drafts, over, reached, without
from rollwright.kit.forms import form_of, request_of
from rollwright.kit.games import find_game, own_games
from rollwright.kit.widgets import Row, group, things, track
from rollwright.rules import choose, roll, rule


class Result(Ranked):
    """How it ended."""

    ranks = {"bad": 0, "partial": 1, "full": 2}


class Score(NamedTuple):
    """What it came to."""

    result: Result
    stress: int = 0


class House(Value):
    """None."""


class Tool(Value):
    """Something in a pocket."""

    name: str = field(help="what it is", most=20)
    uses: int = preset(3, "how often", 0, 9)


class Scoundrel(Value):
    """A sheet."""

    name: str = preset("", "who", most=20)
    skirmish: int = preset(0, "dice for a fight", 0, 4)
    tools: tuple[Tool, ...] = preset((), "what is carried", most=5, once="name")
    hurt: bool = preset(False, "whether it hurts")


class Action(Request, roll="action", title="Action roll", outcome=Score):
    """Dice, the highest counts."""

    dice: int = field(help="how many", low=1, high=6)
    position: str = preset("risky", "how it stands", most=20)
    push: bool = preset(False, "whether two stress buy a die")
    bonuses: tuple[int, ...] = preset((), "more dice", -2, 2, most=3)
    limit: int | None = preset(None, "no higher than", 1, 6)
    tool: Tool | None = preset(None, "with what")
    house: House = preset(House(), "house rules")

    def check(self) -> None:
        if self.limit is not None and self.limit < self.dice:
            raise BadField("limit", f"{self.limit} are fewer than {self.dice}", would_do="more")


def read(highest: int) -> Score:
    """What the highest die says."""
    return Score(Result("full" if highest > 5 else "partial" if highest > 3 else "bad"))


@rule
async def act(action: Action) -> Ending[Score]:
    """Throw, and perhaps once more."""
    hand = await roll(action.dice * D6)
    if await choose("keep", "again", by="player") == "again":
        return tally(1 * D6, finish=read)
    return read(max(hand))


def game_of(card: Card | None = None, name: str = "ember", **more: object) -> Game:
    """A small game, made anew."""
    return Game(
        name=name,
        title="Ember",
        summary="Dice, the highest counts.",
        requests={Action: act},
        house=House,
        prefix="EMBER",
        rulebook=rulebook_of("R1 The highest die counts."),
        goals={"full": Goal("all of it", lambda end: end.result == "full")},
        default_goal="full",
        sheet=Scoundrel,
        from_sheet=filled,
        card=card,
        package=__name__,
        **more,
    )


def filled(sheet: Scoundrel, roll: str = "action", **fields: object) -> Action:
    """What the sheet knows."""
    known = {"dice": sheet.skirmish}
    return Action(**{**known, **fields})


@pytest.fixture
def game():
    """The small game with nothing but its fields."""
    from rollwright.kit import add_game

    return add_game(game_of())


def controls(answer: dict) -> dict:
    """Every control of a form by its place."""
    found, waiting = {}, list(answer["form"])
    while waiting:
        control = waiting.pop(0)
        waiting += control.get("form", []) if control["control"] == "group" else []
        waiting += [one for part in control.get("parts", []) for one in part["form"]]
        if "at" in control:
            found[control["at"]] = control
    return found


def test_a_small_game_has_a_form_for_every_field(game):
    """Each kind of field has its control, with what it holds and what it may be."""
    answer = form_of(game, {"roll": "action"}, None, None)
    shown = controls(answer)
    assert {f"set.{name}" for name in ("dice", "position", "push", "bonuses", "limit")} <= set(
        shown
    )
    assert "set.house" not in shown
    kinds = {at: control["control"] for at, control in shown.items()}
    assert ("number", "text", "switch", "numbers") == (
        kinds["set.dice"],
        kinds["set.position"],
        kinds["set.push"],
        kinds["set.bonuses"],
    )
    assert shown["set.limit"]["none"]
    assert shown["set.dice"]["value"] == 1
    assert answer["can"]
    assert answer["dice"] == ["d6"]
    assert answer["request"]["position"] == "risky"
    json.dumps(answer)


def test_what_the_sheet_filled_in_is_shown_and_marked(game):
    """The panel shows what will be rolled: from the sheet, from the book, or from you."""
    sheet = Scoundrel(skirmish=3)
    shown = controls(form_of(game, {"roll": "action"}, sheet, None))
    assert (3, "sheet") == (shown["set.dice"]["value"], shown["set.dice"]["from"])
    assert "book" == shown["set.position"]["from"]
    own = controls(form_of(game, {"set": {"dice": 2}}, sheet, None))
    assert (2, "you") == (own["set.dice"]["value"], own["set.dice"]["from"])


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("dice", 9), ("position", 3), ("push", "yes"), ("bonuses", [7]), ("limit", 0), ("tool", 1)],
)
def test_a_form_with_a_refused_field_is_complete(game, name, wrong):
    """The refusal stands at its control with what came; all others are there as before."""
    whole = controls(form_of(game, {}, None, None))
    answer = form_of(game, {"set": {name: wrong}}, None, None)
    shown = controls(answer)
    assert set(whole) <= set(shown)
    assert not answer["can"]
    assert answer["why"]
    assert answer["request"] is not None
    told = [at for at, control in shown.items() if "wrong" in control]
    assert [f"set.{name}"] == told
    assert game.words.say(answer["why"], "de")
    assert wrong == shown[f"set.{name}"]["value"]


def test_two_refused_fields_are_both_told(game):
    """Each refusal stands at its own control."""
    answer = form_of(game, {"set": {"dice": 0, "limit": 9}}, None, None)
    told = {at for at, control in controls(answer).items() if "wrong" in control}
    assert {"set.dice", "set.limit"} == told


def test_a_rule_across_fields_is_told_at_the_field_it_names(game):
    """What no single field can say is told where it belongs."""
    answer = form_of(game, {"set": {"dice": 4, "limit": 2}}, None, None)
    wrong = controls(answer)["set.limit"]["wrong"]
    assert "2 are fewer than 4; more would do" == game.words.say(wrong)


def test_a_draft_that_is_none_is_refused(game):
    """A draft has a roll, picks and fields, and nothing else."""
    with pytest.raises(UnknownName, match="roll"):
        form_of(game, {"roll": "nope"}, None, None)
    with pytest.raises(BadField, match=r"draft\.pick: that is no object"):
        form_of(game, {"pick": [1]}, None, None)
    with pytest.raises(BadField, match=r"draft\.more: there is no such field"):
        form_of(game, {"more": 1}, None, None)
    with pytest.raises(BadField, match="dice: 9 is too high"):
        request_of(game, {"set": {"dice": 9}}, None, None)


def test_a_word_of_the_outcome_is_the_verdict(game):
    """A partial success is no failure: its own word, between good and bad."""
    partial = game.card.verdict(Action(dice=1), Score(Result("partial")))
    assert Verdict("partial", "mixed") == partial
    assert ["bad", "mixed", "good"] == [tone_of(Result(word)) for word in Result.ranks]


def test_the_verdict_has_the_tone_that_the_card_gives_the_word(game):
    """Bars and verdict agree, also where a card says less than a verdict of its own."""

    class Toned(Card):
        outcomes = {"result": {"partial": "good"}}

    card = Toned()
    card.game = game
    found = [card.verdict(Action(dice=1), Score(Result(word))) for word in Result.ranks]
    assert ["bad", "good", "good"] == [one.tone for one in found]


def test_a_sheet_by_its_fields(game):
    """A game that says nothing of its sheet has a widget for each field."""
    sheet = Scoundrel(name="Nix", skirmish=2, tools=({"name": "knife", "uses": 2},))
    widgets = {one["at"]: one for one in sheet_to_json(game, sheet)["widgets"]}
    assert ("track", 2, 4) == tuple(
        widgets["skirmish"][part] for part in ("widget", "value", "most")
    )
    assert "flag" == widgets["hurt"]["widget"]
    [row] = widgets["tools"]["rows"]
    assert ("knife", ["uses 2"]) == (row["key"], row["chips"])
    assert "name" not in widgets


@pytest.mark.parametrize("style", ["boxes", "dots"])
def test_a_track_of_very_many_is_a_bar(monkeypatch, game, style):
    """A page would draw a billion boxes for ever; a bar is as long as it is, on any thing too."""
    tracks = [track("hurt", 1, most, "Hurt", style=style) for most in (30, 31, 10**9)]
    rows = [Row("knife", "Knife", tuple(tracks))]
    shown = group(*tracks, things("tools", "Tools", rows))
    monkeypatch.setattr(type(game.card), "sheet", lambda *_: [shown])
    [held] = sheet_to_json(game, Scoundrel())["widgets"]
    *above, listed = held["show"]
    assert [style, "bar", "bar"] == [one["style"] for one in above]
    assert above == listed["rows"][0]["show"]
    assert [] == failed_hooks(game)


class Broken(Card):
    """Fails wherever it can."""

    def form(self, asked: Asked):
        raise ZeroDivisionError

    def marks(self, request):
        raise KeyError("d6")

    def verdict(self, request, outcome):
        raise TypeError

    def title(self, request):
        raise AttributeError

    def first(self, roll, sheet):
        raise RuntimeError


def test_a_card_that_fails_has_the_default_and_says_so(caplog):
    """Whatever a card does, the roll goes on, and the log names the game once for each part."""
    from rollwright.kit import add_game

    game = add_game(game_of(Broken(), "cinder"))
    with caplog.at_level(logging.ERROR, "rollwright.card"):
        answer = form_of(game, {"set": {"dice": 2}}, None, None)
        again = form_of(game, {"set": {"dice": 2}}, None, None)
    assert answer == again
    assert answer["can"]
    assert answer["marks"] == {}
    assert {"form", "marks", "start", "title"} <= set(failed_hooks(game))
    assert 1 == sum("form of its card fails" in record.message for record in caplog.records)
    done = rw.roll(game.request("action", dice=1), faces=[6]).choose("keep")
    assert "full" == ending_to_json(done)["verdict"]["word"]
    assert {} == marks_to_json(done.request)
    assert title_text(done.request)


class Own(Card):
    """Says some things otherwise."""

    rolls = {"action": RollCard(goal="full", drawn=("result",), more=("dice",))}
    prices = {"stress": Price("amount", "stress")}

    def marks(self, request):
        return {"d6": {6: Mark("great", ("star", "star")), "1..3": Mark("bad")}}

    def first(self, roll, sheet):
        return Draft(set={"dice": 2})

    def standing(self, request, transcript):
        return f"{max(transcript.throws[0][1])} is the highest"


def test_what_a_card_says_is_served_as_data():
    """What does not depend on a roll comes with the game's description."""
    from rollwright.kit import add_game

    game = add_game(game_of(Own(), "spark"))
    shown = card_to_json(game)
    assert ["result"] == shown["rolls"]["action"]["drawn"]
    assert {"unit": "amount", "said": "stress"} == shown["prices"]["stress"]
    request = game.request("action", dice=2)
    assert {"tone": "great", "symbols": ["star", "star"]} == marks_to_json(request)["d6"]["6"]
    open_roll = rw.roll(request, faces=[2, 5])
    choice = choice_to_json(open_roll)
    assert "5 is the highest" == choice["standing"]
    assert {"option": "keep", "said": "keep"} == option_to_json(open_roll, "keep")
    assert 2 == form_of(game, {}, None, None)["request"]["dice"]


class Handing(Card):
    """A choice in which two tokens are handed out."""

    def assignment(self, request, transcript):
        return Assignment(2, (Place("keep", "kept"), Place("again", "thrown", stacks=True)))

    def option_of(self, request, transcript, puts):
        return "again" if puts.get("again") else "keep"


def test_tokens_that_are_handed_out_are_an_option():
    """What was put where is the option that the card says; what cannot be is refused."""
    from rollwright.kit import add_game

    game = add_game(game_of(Handing(), "ashes"))
    asked = rw.roll(game.request("action", dice=1), faces=[2])
    shown = choice_to_json(asked)["assign"]
    assert 2 == shown["tokens"]
    assert {"at": "again", "label": "thrown", "stacks": True} == shown["places"][1]
    assert "again" == option_for(asked, {"again": [1, 1]})
    for wrong in (
        {"nowhere": [1]},
        {"again": [0]},
        {"again": [True]},
        {"again": [3]},
        [],
        {"keep": 1},
    ):
        with pytest.raises(BadField, match="puts"):
            option_for(asked, wrong)
    plain = game_of(None, "ash")
    with pytest.raises(BadField, match="nothing is handed out"):
        option_for(rw.roll(add_game(plain).request("action", dice=1), faces=[2]), {})


def test_each_kind_of_roll_has_a_goal_that_fits():
    """The game's usual goal is not for every roll: then its own, or the first that there is."""
    goals = {
        "other": Goal("something else", lambda end: 0, rolls=("other",)),
        "full": Goal("all of it", lambda end: end.result == "full"),
    }
    game = game_of(None, "soot")
    game.goals, game.default_goal = goals, "other"
    assert "full" == game.usual_goal("action")
    assert {"full"} == set(game.goals_for("action"))


def test_drafts_lie_over_each_other():
    """What was said lies over what a roll starts with."""
    assert {"a": {"b": 1, "c": 2}} == over({"a": {"b": 1}}, {"a": {"c": 2}})
    assert {"a": [2]} == over({"a": [1, 1]}, {"a": [2]})
    assert {"a": {"c": 2}} == without({"a": {"b": 1, "c": 2}}, "a.b")
    assert {"a": [{}, {"b": 1}]} == without({"a": [{"b": 1}, {"b": 1}]}, "a.0.b")
    assert 3 == reached({"a": ({"b": 3},)}, "a.0.b")
    assert [{"a": 1, "b": 2}] == merge_drafts([{"a": 1}], [{"b": 2}])


def test_a_game_that_lies_nowhere_has_the_words_of_all():
    """Typed in a console or a page it has no folder, and its forms speak all the same."""
    game = Game(
        name="nowhere",
        title="Nowhere",
        summary="A die.",
        requests={Action: act},
        house=House,
        prefix="NOWHERE",
        rulebook=rulebook_of("R1 The highest die counts."),
        package="no_such_module",
    )
    assert "3 is too low" == game.words.say(["field.low", {"came": 3}])


def every_control(held):
    """The controls of a form, with those inside others."""
    for control in held:
        yield control
        inside = [*control.get("form", ()), *control.get("parts", ())]
        yield from every_control(inside)


def test_what_goes_with_something_refused_is_shown_as_it_was_said():
    """A trick that is too long takes its chart with it; the rest of the chart stays in sight."""
    game = find_game("ghostburn")
    chart = {"trick": "x" * 99, "skill": "Bluff"}
    answer = form_of(game, {"roll": "roll", "set": {"chart": chart}}, None, game.house())
    shown = {one["at"]: one for one in every_control(answer["form"]) if "at" in one}
    assert ("x" * 99, True) == (
        shown["set.chart.trick"]["value"],
        "wrong" in shown["set.chart.trick"],
    )
    assert ("Bluff", False) == (
        shown["set.chart.skill"]["value"],
        "wrong" in shown["set.chart.skill"],
    )
    assert not answer["can"]


def test_settings_are_folded_once():
    """Inside a group that is folded away nothing is called More settings again."""
    for name in own_games():
        game = find_game(name)
        for kind in game.requests:
            form = form_of(game, {"roll": kind}, None, game.house())["form"]
            for outer in every_control(form):
                if outer.get("fold"):
                    titles = [one.get("title") for one in every_control(outer["form"])]
                    assert [] == [title for title in titles if title and title == outer["title"]]
