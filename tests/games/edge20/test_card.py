"""The card: forms, sheets, what lies there, what is asked, what it came to, in two languages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rollwright as rw
from rollwright.api import new_transcript
from rollwright.engine.odds import count
from rollwright.engine.transcript import Transcript
from rollwright.errors import BadField
from rollwright.games.edge20 import Check, House, Repair, Sheet, Turn, game
from rollwright.hooks import failed_hooks
from rollwright.i18n.catalogs import PSEUDO
from rollwright.i18n.check import problems_in
from rollwright.kit import Effect, Request, fields_of
from rollwright.kit.card import Person
from rollwright.kit.card.choices import choice_to_json, option_to_json
from rollwright.kit.card.endings import effect_text, ending_to_json, title_text
from rollwright.kit.card.marks import marks_to_json, throw_to_json
from rollwright.kit.card.pages import card_to_json, sheet_to_json
from rollwright.kit.card.texts import say
from rollwright.kit.forms import form_of, request_of
from rollwright.kit.requests import to_plain

ANN = Sheet(
    name="Ann",
    skills=[{"name": "Brawn", "modifier": 7}, {"name": "Aim", "modifier": 3}],
    items=[
        {"name": "rifle", "tier": 3, "effect": "2d6+3"},
        {"name": "saw", "tier": 2, "weapon": False, "disabled": True, "attempts": 1},
    ],
    edges=["high ground", "aid", "-rain"],
    changes=[
        {"source": "song", "amount": 2},
        {"source": "scope", "amount": 3},
        {"source": "calm", "amount": 3},
        {"source": "mud", "amount": -1},
        {"source": "salve", "amount": 2, "on": "effect"},
    ],
    rerolls=2,
    in_turn=True,
    checks_made=1,
)
SHEETS = {
    "no sheet": None,
    "a sheet": ANN,
    "an empty sheet": Sheet(in_turn=True, checks_made=2),
    "a sheet outside a turn": ANN.but(in_turn=False),
}
EVENING = Path(__file__).parent / "evening.de.txt"


def controls(form: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every control of a form, those inside others too."""
    for control in form:
        yield control
        yield from controls(control.get("form", []))
        for part in control.get("parts", []):
            yield from controls(part["form"])


def form(
    roll: str = "check",
    sheet: Sheet | None = None,
    *,
    house: House | None = None,
    purpose: str = "roll",
    people: tuple[Person, ...] = (),
    pick: dict[str, Any] | None = None,
    **said: Any,
) -> dict[str, Any]:
    """The answer to a draft."""
    draft = {"roll": roll, "pick": pick or {}, "set": said}
    return form_of(game, draft, sheet, house, people, purpose)


def at(answer: dict[str, Any], path: str) -> dict[str, Any]:
    """The control at a path of the draft."""
    return next(one for one in controls(answer["form"]) if one.get("at") == path)


def english(text: Any) -> str:
    """A text as it is said in English."""
    return say(text, "edge20")


def german(text: Any) -> str:
    """A text as it is said in German."""
    return say(text, "edge20", "de")


# Words


def test_german_has_every_message() -> None:
    """Every id of English is in German with the same values, and nothing else is."""
    assert [] == problems_in(game.words.sources[0])


def test_a_skill_that_is_planned_twice_is_called_as_on_the_sheet() -> None:
    """Two checks of one skill are numbered, and its name is said in the reader's language."""
    planned = Turn(checks=[Check(skill="Blades", dc=15), Check(skill="Blades", dc=15)])
    title = game.card.title(planned)
    assert english(title).endswith("Blades (1), Blades (2)")
    assert german(title).endswith("Klingen (1), Klingen (2)")


def wanted() -> Iterator[str]:
    """Every id that surfaces look for by name."""
    for roll, kind in game.requests.items():
        yield f"roll.{roll}"
        yield from (f"label.{name}" for name in fields_of(kind))
        yield from (f"outcome.{name}" for name in kind.outcome._fields)
    yield from (f"label.{name}" for name in fields_of(Sheet))
    yield from (f"goal.{name}" for name in game.goals)
    yield from (f"unit.{name}" for name in ("just-succeed", "careful", "critical", "most-effect"))
    yield from (f"more.{name}" for card in game.card.rolls.values() for name in card.more or ())
    yield from (f"policy.{name}" for name in game.policies)
    yield from (f"question.{name}" for name in game.questions)
    for name, about in fields_of(game.house).items():
        yield from (f"house.{name}", f"help.house.{name}")
        plain = {True: "true", False: "false", None: "null"}
        readings = about.more["readings"]
        yield from (f"house.{name}.{plain.get(one, str(one))}" for one in readings)


def test_whatever_surfaces_look_for_has_words() -> None:
    """Rolls, fields, outcomes, goals, policies, questions and readings of house rules."""
    assert [] == [name for name in wanted() if name not in game.words]


def test_house_rules_say_in_words_what_they_say_in_the_game() -> None:
    """The texts of the catalog are those that rulebooks and reference pages have."""
    for name, about in fields_of(game.house).items():
        assert about.help == english([f"help.house.{name}"])
        for value, text in about.more["readings"].items():
            key = {True: "true", False: "false", None: "null"}.get(value, str(value))
            assert text == english([f"house.{name}.{key}"])


# Forms


@pytest.mark.parametrize("sheet", SHEETS.values(), ids=SHEETS)
@pytest.mark.parametrize("roll", game.requests)
def test_what_a_roll_starts_with_can_be_rolled(roll: str, sheet: Sheet | None) -> None:
    """The first form makes a request, and its draft alone makes the same one."""
    answer = form(roll, sheet)
    assert answer["can"], answer["why"]
    request = request_of(game, answer["draft"], sheet, None)
    assert answer["request"] == to_plain(request, whole=True)
    assert rw.roll(request, seed=1, policy="never").is_done
    assert answer["dice"]
    assert [] == failed_hooks(game)


def refusals() -> Iterator[tuple[str, str, Any]]:
    """For every field of every roll something that will not do."""
    wrong = {"int": 10_000, "text": "x" * 300, "bool": "perhaps", "any": "x" * 99}
    for roll, kind in game.requests.items():
        for name, about in fields_of(kind).items():
            if name == "house":
                continue
            bad = [1, "x"] if about.kind == "list" else wrong[about.kind]
            yield roll, name, {"checks": "none"}.get(name, bad)


@pytest.mark.parametrize("sheet", [None, ANN], ids=["no sheet", "a sheet"])
@pytest.mark.parametrize(("roll", "name", "bad"), [*refusals()])
def test_a_refused_field_is_refused_at_its_control(
    roll: str, name: str, bad: Any, sheet: Sheet | None
) -> None:
    """The form stays complete, says what is wrong in both languages, and cannot be rolled."""
    answer = form(roll, sheet, **{name: bad})
    whole = [one.get("at") for one in controls(form(roll, sheet)["form"])]
    assert whole == [one.get("at") for one in controls(answer["form"])]
    assert not answer["can"]
    wrong = [one for one in controls(answer["form"]) if "wrong" in one]
    names = {"disadvantages": "advantages"}
    (control,) = wrong
    assert control["at"] in (f"set.{names.get(name, name)}", f"pick.{name}")
    assert answer["why"] == control["wrong"]
    assert english(control["wrong"]) != german(control["wrong"])


def test_a_refused_field_of_a_part_is_refused_there() -> None:
    """A check of a turn keeps all else that was said of it."""
    checks = [{"dc": 15}, {"dc": 999, "name": "leap"}, {"dc": 12}]
    answer = form("turn", checks=checks)
    (control,) = [one for one in controls(answer["form"]) if "wrong" in one]
    assert ("set.checks.1.dc", 999) == (control["at"], control["value"])
    assert "leap" == at(answer, "set.checks.1.name")["value"]
    assert 12 == at(answer, "set.checks.2.dc")["value"]
    assert "999 ist zu hoch; möglich: -99 bis 199" == german(answer["why"])


def test_a_name_that_is_not_on_the_sheet_is_refused_where_it_was_picked() -> None:
    """EDGE R4: with a guess which was meant, in a turn too."""
    answer = form("check", ANN, pick={"skill": "Bran"})
    assert "die Fertigkeit 'Bran' gibt es nicht; ist 'Brawn' gemeint?" == german(answer["why"])
    assert "Bran" == at(answer, "pick.skill")["value"]
    assert answer["why"] == at(answer, "pick.skill")["wrong"]
    parts = {"checks": [{"skill": "Brawn"}, {"skill": "Bran"}]}
    answer = form("turn", ANN, pick=parts, checks=[{"dc": 15}, {"dc": 15}])
    assert "wrong" in at(answer, "pick.checks.1.skill")
    assert "wrong" not in at(answer, "pick.checks.0.skill")


def test_the_sheet_fills_in_and_says_so() -> None:
    """What comes from the sheet is marked, and what somebody says instead is too."""
    answer = form("check", ANN, pick={"item": "rifle"}, modifier=9)
    sources = {
        one["at"]: (one["value"], one["from"])
        for one in controls(answer["form"])
        if one.get("from") in ("you", "sheet")
    }
    assert {
        "set.edges": (1, "sheet"),
        "set.bonuses": ([2, 3, 3], "sheet"),
        "set.penalties": ([1], "sheet"),
        "set.nth_check": (2, "sheet"),
        "set.modifier": (9, "you"),
        "set.item_tier": (3, "sheet"),
        "set.rerolls": (2, "sheet"),
        "set.effect": ("2d6+3", "sheet"),
        "set.effect_bonuses": ([2], "sheet"),
        "set.attack": (True, "sheet"),
    } == sources
    assert ["d20", "edge d4"] == answer["dice"][:2]


def test_an_empty_sheet_still_counts_checks() -> None:
    """EDGE R13: skills and things are typed in, but the number of the check is known."""
    empty = Sheet(in_turn=True, checks_made=2)
    assert 3 == at(form("check", empty), "set.nth_check")["value"]
    assert 2 == form("turn", empty)["request"]["checks_before"]
    assert 1 == form("check", empty, nth_check=1)["request"]["nth_check"]
    calm = form("check", empty.but(in_turn=False))["request"]
    assert (False, 1) == (calm["in_turn"], calm["nth_check"])
    assert 0 == form("turn", empty.but(in_turn=False))["request"]["checks_before"]


def docked(answer: dict[str, Any]) -> list[tuple[str, str]]:
    """What stands beside the chance, with the effect of a button."""
    return [
        (english(one["text"]), one.get("effect", "")) for one in answer["form"] if one.get("docked")
    ]


def test_the_price_of_checks_before_stands_beside_the_chance() -> None:
    """EDGE R13: whoever takes 5 less sees it, and how a new turn begins; else there is nothing."""
    new = ("New turn", "new turn")
    assert [("Check 2 of this turn: −5", ""), new] == docked(form("check", ANN))
    assert [("Check 2 of this turn: −5", ""), new] == docked(form("turn", ANN))
    assert [("Check 2 of this turn: −5", ""), new] == docked(form("repair", ANN))
    assert [("Check 3 of this turn: −10", "")] == docked(form("check", nth_check=3))
    calm = form("check", ANN.but(in_turn=False))
    assert [] == docked(calm) == docked(form("check", ANN.but(checks_made=0)))
    assert "Outside a turn" in english(at(calm, "set.nth_check")["help"])
    assert ["new turn"] == [one["effect"] for one in calm["form"] if one["control"] == "act"]
    assert [] == docked(form("check", ANN, in_turn=False))


def test_a_thing_and_its_skill_are_picked_together() -> None:
    """EDGE R4: taking up a rifle picks Aim, and another skill lays it aside."""
    rifle = {"name": "rifle", "effect": "2d6+3", "skill": "Aim"}
    sheet = ANN.but(items=[rifle, {"name": "rope"}])
    answer = form("check", sheet, pick={"item": "rifle", "skill": "Aim"})
    _, mine, rope = at(answer, "pick.item")["options"]
    assert ({"pick.skill": "Aim"}, None) == (mine["set"], rope.get("set"))
    brawn, aim = at(answer, "pick.skill")["options"]
    assert ({"pick.item": None}, None) == (brawn["set"], aim.get("set"))
    rows = [row["begins"]["pick"] for row in sheet_to_json(game, sheet)["widgets"][-1]["rows"]]
    assert [{"skill": "Aim", "item": "rifle"}, {"skill": "", "item": "rope"}] == rows


def test_skills_are_picked_with_their_modifiers() -> None:
    """EDGE R4: each skill of the sheet with its number; without skills the number is typed."""
    skills = at(form("check", ANN), "pick.skill")
    shown = [(one["value"], english(one["note"])) for one in skills["options"]]
    assert [("Brawn", "+7"), ("Aim", "+3")] == shown
    unskilled = ANN.but(skills=())
    assert "number" == at(form("check", unskilled), "set.modifier")["control"]


def test_advantage_is_one_choice_of_three() -> None:
    """EDGE R18 and R19: several are one, and both cancel as the house says."""
    row = at(form(), "set.advantages")
    assert ["Disadvantage", "Neither", "Advantage"] == [english(o["label"]) for o in row["options"]]
    down = row["options"][0]
    assert (0, {"set.disadvantages": 1}) == (down["value"], down["set"])
    assert 0 == at(form(advantages=0, disadvantages=1), "set.advantages")["value"]
    assert 1 == at(form(advantages=3), "set.advantages")["value"]
    both = {"advantages": 2, "disadvantages": 1}
    assert at(form(**both), "set.advantages")["value"] is None
    by_majority = House(cancelling="majority")
    assert 1 == at(form(house=by_majority, **both), "set.advantages")["value"]


def test_edges_show_the_die_they_make() -> None:
    """EDGE R22 and R29: +d8 for three on a roll, +4 for three on a DC."""
    words = at(form(), "set.edges")["words"]
    assert ("+d8", "−d4") == (english(words["3"]), english(words["-1"]))
    assert "+W8" == german(words["3"])
    assert "+4" == english(at(form(), "set.dc_edges")["words"]["3"])
    assert 1 == at(form(edges=["aid", "Aid"]), "set.edges")["value"]


def test_what_caps_leave_of_bonuses_is_said() -> None:
    """EDGE R32: at most twice the largest, by the reading of the table."""
    answer = form(bonuses=[3, 3, 3], penalties=[2])
    said = english(at(answer, "set.bonuses")["help"])
    assert "9 in all, 6 counts: at most twice the largest" == said
    assert "help" not in at(answer, "set.penalties")
    cancelled = form(bonuses=[3, 3, 3], penalties=[2], house=House(bonus_order="cancel first"))
    notes = [english(one["text"]) for one in controls(cancelled["form"]) if "text" in one]
    assert ["Bonuses and penalties together come to +6."] == notes


def test_later_checks_cost_and_may_be_too_many() -> None:
    """EDGE R13 and R14: the price stands beside the number, the table's limit is a limit."""
    assert "−10 for the checks before it" == english(at(form(nth_check=3), "set.nth_check")["help"])
    limited = at(form(house=House(max_checks=3)), "set.nth_check")
    assert (3, [1, 2, 3]) == (limited["high"], limited["row"])
    assert "at most 3 checks in a turn at this table" == english(limited["why"])
    notes = [english(one["text"]) for one in controls(form(nth_check=4)["form"]) if "text" in one]
    many = "So many checks are called too much for one round."
    assert [many, "Check 4 of this turn: −15"] == notes
    beyond = form("turn", checks=[{"dc": 15}] * 4, house=House(max_checks=3))
    notes = [english(one["text"]) for one in controls(beyond["form"]) if "text" in one]
    assert ["at most 3 checks in a turn at this table"] == notes


def test_what_does_not_work_is_repaired_first() -> None:
    """EDGE R39 and R40: a broken thing is off with the reason, and a way leads to its repair."""
    answer = form("check", ANN)
    _, rifle, saw = at(answer, "pick.item")["options"]
    assert "off" not in rifle
    assert "does not work: repair it first" == english(saw["off"])
    (jump,) = [one for one in controls(answer["form"]) if one["control"] == "jump"]
    assert {"roll": "repair", "pick": {"item": "saw"}, "set": {}} == jump["draft"]
    refused = form("check", ANN, pick={"item": "saw"})
    assert "saw geht nicht; möglich: etwas anderes oder eine Reparatur" == german(refused["why"])
    assert "wrong" in at(refused, "pick.item")


def test_a_repair_takes_what_does_not_work() -> None:
    """EDGE R40 and R41: the DC by the Tier, and the bonus of attempts before."""
    answer = form("repair", ANN)
    rifle, saw = at(answer, "pick.item")["options"]
    assert ("works", None) == (english(rifle["off"]), saw.get("off"))
    notes = [english(one["text"]) for one in controls(answer["form"]) if one["control"] == "note"]
    assert ["DC 12; this attempt has +5", "Check 2 of this turn: −5"] == notes
    typed = form("repair", ANN.but(items=ANN.items[:1]))
    assert "number" == at(typed, "set.tier")["control"]
    limited = form("repair", house=House(max_checks=3), checks_before=1)
    assert 2 == at(limited, "set.tries_per_turn")["high"]


def test_a_turn_that_is_over_says_so_and_begins_the_next() -> None:
    """EDGE R11: every roll says why it cannot be made, and offers a new turn."""
    over = ANN.but(turn_ended=True)
    for roll, place in {"check": "nth_check", "turn": "checks_before"}.items():
        answer = form(roll, over)
        assert not answer["can"]
        assert "a critical failure has ended this turn" in english(
            at(answer, f"set.{place}")["wrong"]
        )
        (act,) = [one for one in controls(answer["form"]) if one["control"] == "act"]
        assert "new turn" == act["effect"]
        assert form(roll, game.apply(over, Effect("new turn")))["can"]


def test_rerolls_of_a_turn_are_limited_by_those_of_its_checks() -> None:
    """EDGE R20: more than can be counted cannot be asked for, and the reason is said."""
    plain = at(form("turn"), "set.rerolls")
    assert (3, None) == (plain["high"], plain.get("why"))
    checks = [{"dc": 15, "rerolls": 4}, {"dc": 15}]
    limited = at(form("turn", checks=checks), "set.rerolls")
    assert (2, "at most 6 in all can be counted") == (limited["high"], english(limited["why"]))


def test_a_referee_says_little_and_people_are_offered() -> None:
    """Skill, DC and advantage; skills are those of the sheets that the referee sees."""
    people = (Person("@s3", "Ann", ANN), Person("@s4", "Bo"))
    answer = form(purpose="ask", people=people)
    assert ["set.skill", "set.dc", "set.advantages"] == [one["at"] for one in answer["form"]]
    assert ["Brawn", "Aim"] == answer["form"][0]["suggest"]
    assert ["Ann", "Bo"] == at(form(people=people), "set.target")["suggest"]


@pytest.mark.parametrize("roll", ["turn", "repair"])
def test_what_has_no_skill_of_its_own_can_be_asked_for_too(roll: str) -> None:
    """Whoever asked for one had the form fail, and all forms at the server say that one does."""
    assert form(roll)["form"] == form(roll, purpose="ask")["form"]


@pytest.mark.parametrize("roll", game.requests)
def test_a_form_counts_nothing(roll: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A form is answered while a finger is on it, so no odds are looked for."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a form has counted")

    monkeypatch.setattr(count.RuleCounter, "__init__", refuse)
    with pytest.raises(AssertionError, match="counted"):
        rw.odds(Check(dc=91, advantages=1, effect="3d7"))
    assert form(roll, ANN)["can"]


def texts(shown: Any) -> Iterator[Any]:
    """Every text of a form."""
    for control in controls(shown):
        yield from (
            control[name] for name in ("label", "help", "why", "title", "text") if name in control
        )
        yield from (part["title"] for part in control.get("parts", []))
        yield from (
            control.get("words", {}).values() if isinstance(control.get("words"), dict) else ()
        )
        if str(control.get("at", "")).startswith("set."):
            yield from (option["label"] for option in control.get("options", []))


@pytest.mark.parametrize("sheet", SHEETS.values(), ids=SHEETS)
@pytest.mark.parametrize("roll", game.requests)
def test_nothing_in_a_form_escapes_translation(roll: str, sheet: Sheet | None) -> None:
    """In the language that puts brackets around its texts, every text of a form has them."""
    said = [say(text, "edge20", PSEUDO) for text in texts(form(roll, sheet)["form"]) if text]
    assert said
    assert [] == [text for text in said if not text.startswith("[")]


# What lies there


def played(request: Request, *entries: list[int] | str) -> Transcript:
    """A roll with these faces and choices."""
    transcript = new_transcript(request)
    for entry in entries:
        transcript = transcript.choose(entry) if isinstance(entry, str) else transcript.throw(entry)
    return transcript


def test_naturals_are_marked_as_the_house_reads_them() -> None:
    """EDGE R36 and R37: a 1 and a 20 on the d20, whatever the edge die shows."""
    marks = marks_to_json(Check(dc=15))
    assert {"d20"} == set(marks)
    assert {"1", "20"} == set(marks["d20"])
    assert "natural 20, one tier better" == english(marks["d20"]["20"]["said"])
    house = House(natural_is_automatic_critical=True)
    marks = marks_to_json(Check(dc=15, house=house))
    assert "natürliche 1, ein kritischer Misserfolg" == german(marks["d20"]["1"]["said"])


def test_how_effect_dice_lie() -> None:
    """EDGE R5 and R9: they were thrown, too, and come to nothing where the check fails."""
    ask = Check(dc=15, effect="2d6", rerolls=1)
    waits = played(ask, [9, 2, 3])
    assert "lies" not in throw_to_json(waits)
    assert "9 against DC 15: failure" == english(choice_to_json(waits)["standing"])
    assert {"0.1": "dropped", "0.2": "dropped"} == throw_to_json(waits.choose("keep"))["lies"]
    met = played(ask, [16, 2, 3])
    assert "16 against DC 15: success, effect 5" == english(choice_to_json(met)["standing"])
    assert "lies" not in throw_to_json(met.choose("keep"))


def test_how_dice_lie() -> None:
    """EDGE R16, R17 and R20: which d20 counts, which was taken up, what stays beside it."""
    ask = Check(dc=25, advantages=1, edges=2, rerolls=2)
    lies = throw_to_json(played(ask, [3, 9, 4]))["lies"]
    assert {"0.0": "dropped", "0.1": "counts"} == lies
    lies = throw_to_json(played(ask, [3, 9, 4], "re-roll higher", [7]))["lies"]
    assert {"0.0": "dropped", "0.1": "again", "0.2": "kept", "2.0": "counts"} == lies
    twice = played(ask, [3, 9, 4], "re-roll higher", [7], "re-roll lower", [2])
    after = {"0.0": "again", "0.1": "again", "0.2": "kept", "2.0": "kept", "4.0": "dropped"}
    assert after == throw_to_json(twice)["lies"]
    assert {"0.0": "counts", "0.1": "dropped"} == throw_to_json(
        played(Check(dc=25, disadvantages=1), [3, 9])
    )["lies"]
    assert {} == throw_to_json(played(Check(dc=15), [3]))
    once = throw_to_json(played(Check(dc=15, rerolls=1), [3], "re-roll", [9]))
    assert {"0.0": "again"} == once["lies"]


def test_throws_are_labelled_by_check_and_attempt() -> None:
    """EDGE R12 and R41: the first throw of each; a die rolled again belongs to the same."""
    turn = Turn(checks=[{"dc": 10, "rerolls": 1}, {"dc": 10}])
    first = played(turn, [4])
    assert "Check 1" == english(throw_to_json(first)["label"])
    again = first.choose("re-roll").throw([12])
    assert "label" not in throw_to_json(again)
    assert "Probe 2" == german(throw_to_json(again.choose("go on").throw([12]))["label"])
    repair = played(Repair(tier=5, attempt=3), [2], [2])
    assert "Attempt 4" == english(throw_to_json(repair)["label"])
    assert {} == throw_to_json(played(Check(dc=15), [3]))


# What is asked


def offers(transcript: Transcript) -> list[tuple[str, str]]:
    """The buttons of a choice, each with what it leads to."""
    shown = [option_to_json(transcript, option) for option in transcript.step.options]
    return [(english(one["said"]), english(one.get("leads", ""))) for one in shown]


def test_a_reroll_is_offered_with_its_dice() -> None:
    """EDGE R20: what keeping comes to, and which d20 each re-roll takes up."""
    lying = played(Check(dc=15, modifier=5, advantages=1, rerolls=1), [4, 8])
    asked = choice_to_json(lying)
    assert "Keep the dice, or roll one d20 again?" == english(asked["question"])
    assert "13 against DC 15: failure" == english(asked["standing"])
    assert [
        ("keep", "failure"),
        ("re-roll lower", "the 8 stays"),
        ("re-roll higher", "the 4 stays"),
    ] == offers(lying)
    assert ["0.0"] == option_to_json(lying, "re-roll lower")["dice"]
    assert ["0.1"] == option_to_json(lying, "re-roll higher")["dice"]


def added(transcript: Transcript, language: str = "en") -> tuple[list[str], int]:
    """What is added up, as players read it."""
    found = ending_to_json(transcript) if transcript.is_done else choice_to_json(transcript)
    terms = [say(term, "edge20", language) for term in found["sum"]["terms"]]
    return terms, found["sum"]["total"]


def test_the_sum_is_written_out_by_name() -> None:
    """EDGE R4, EDGE R16: the d20 that counts with the edge die, the skill, the rest; by hand
    8 + 3 + 7 - 2 is 16."""
    ask = Check(dc=15, modifier=7, skill="Brawn", advantages=1, edges=1, penalties=[2], rerolls=1)
    lying = played(ask, [4, 8, 3])
    assert (["8 + 3", "Brawn +7", "penalties −2"], 16) == added(lying)
    assert (["8 + 3", "Brawn +7", "penalties −2"], 16) == added(lying.choose("keep"))
    assert (["8 + 3", "Kraft +7", "Abzüge −2"], 16) == added(lying.choose("keep"), "de")
    lost = played(Check(dc=5, edges=-1, bonuses=[2]), [9, 2])
    assert (["9 − 2", "bonuses +2"], 9) == added(lost)
    plain = played(Check(dc=5, modifier=3), [9])
    assert (["9", "modifier +3"], 12) == added(plain)
    assert "sum" not in ending_to_json(played(Check(dc=5), [9]))


def test_a_sum_is_of_the_check_that_is_open() -> None:
    """EDGE R12: of several checks none is the sum; a d20 that is taken up has none either."""
    turn = Turn(checks=({"dc": 15, "modifier": 2, "rerolls": 1}, {"dc": 15}))
    lying = played(turn, [4])
    assert (["4", "modifier +2"], 6) == added(lying)
    assert "sum" not in choice_to_json(lying.choose("keep"))
    assert game.card.sum(turn, lying.choose("re-roll")) is None


def test_what_keeping_leads_to_has_its_tone() -> None:
    """A failure is bad; a die rolled again leads to nothing yet."""
    lying = played(Check(dc=15, modifier=5, rerolls=1), [4])
    tones = {option: option_to_json(lying, option).get("tone") for option in lying.step.options}
    assert {"keep": "bad", "re-roll": None} == tones


def test_a_turn_is_offered_with_its_price() -> None:
    """EDGE R13: what comes next and at what price; what was done stands above it."""
    turn = Turn(checks=[{"dc": 10, "effect": "7"}, {"dc": 10, "name": "leap"}, {"dc": 9}])
    after = played(turn, [12])
    asked = choice_to_json(after)
    assert "Go on with the turn?" == english(asked["question"])
    assert "1 of 1 check succeeded, effect 7" == english(asked["standing"])
    assert [("stop", ""), ("go on", "leap at −5")] == offers(after)
    free = turn.but(any_order=True)
    before = choice_to_json(new_transcript(free))
    assert "Which check first?" == english(before["question"])
    assert "3 checks planned" == english(before["standing"])
    assert [("check 1", ""), ("leap", ""), ("check 3", "")] == offers(new_transcript(free))
    after = played(free, "leap", [12])
    assert "Which check next?" == english(choice_to_json(after)["question"])
    assert [("stop", ""), ("check 1", "at −5"), ("check 3", "at −5")] == offers(after)
    assert "Probe 3" == german(option_to_json(after, "check 3")["said"])


# What it came to


VERDICTS: list[tuple[Request, list[list[int] | str], str, str, list[str], list[str]]] = [
    (
        Check(dc=15, modifier=5, dc_edges=1, effect="2d6"),
        [[15, 2, 3]],
        "Success",
        "good",
        ["20 against DC 17", "effect 5"],
        [],
    ),
    (
        Check(dc=5, attack=True, target="the orc", effect="2d6", rerolls=1),
        [[2, 1, 1], "re-roll", [16]],
        "Critical success",
        "great",
        ["16 against DC 5", "effect 12", "a helpful extra", "critical effect on the orc"],
        ["1 re-roll used"],
    ),
    (Check(dc=15), [[9]], "Failure", "bad", ["9 against DC 15"], []),
    (
        Check(dc=15, attack=True, house=House(jam_comes_on_top=True)),
        [[4]],
        "Critical failure",
        "awful",
        ["4 against DC 15"],
        ["the turn is over", "weapon no longer works", "something harmful happens"],
    ),
    (
        Turn(checks=[{"dc": 10}, {"dc": 20, "item": "rope"}, {"dc": 9}]),
        [[12], "go on", [4]],
        "1 of 2 checks",
        "mixed",
        [],
        ["the turn is cut short", "rope no longer works"],
    ),
    (Turn(checks=[{"dc": 10}]), [[20]], "1 of 1 check", "good", ["1 critical success"], []),
    (Turn(checks=[{"dc": 10}]), [[5]], "0 of 1 check", "bad", [], []),
    (
        Repair(tier=5),
        [[3], [12]],
        "Works again",
        "good",
        ["2 attempts", "2 turns"],
        ["1 critical failure"],
    ),
    (Repair(tier=5, limit=1), [[9]], "Still does not work", "bad", ["1 attempt"], []),
]


@pytest.mark.parametrize(("request_", "entries", "word", "tone", "detail", "paid"), VERDICTS)
def test_verdicts(
    request_: Request,
    entries: list[list[int] | str],
    word: str,
    tone: str,
    detail: list[str],
    paid: list[str],
) -> None:
    """EDGE R8 to R11: the result in a word, with what belongs to it and what it has cost."""
    verdict = ending_to_json(played(request_, *entries))["verdict"]
    assert verdict is not None
    assert (word, tone) == (english(verdict["word"]), verdict["tone"])
    assert detail == [english(one) for one in verdict.get("detail", [])]
    assert paid == [english(one) for one in verdict.get("paid", [])]


def test_titles() -> None:
    """What is tried, the skill and the target; the checks of a turn; what is repaired."""
    check = Check(dc=15, name="leap", skill="Brawn")
    assert "Check: leap, Brawn" == english(title_text(check))
    assert "Probe" == german(title_text(Check(dc=15)))
    turn = Turn(checks=[{"dc": 10, "name": "leap"}, {"dc": 10}])
    assert "Turn of several checks: leap, check 2" == english(title_text(turn))
    assert "Reparatur: saw" == german(title_text(Repair(tier=1, item="saw")))


def test_effects_are_said() -> None:
    """Each kind of effect has words; what nobody has named is called so."""
    done = played(Check(dc=15, attack=True, effect="2d6"), [4, 6, 6])
    assert ["1 check made", "the turn ends", "no longer works: the weapon"] == [
        english(effect_text(game, one)) for one in game.effects(done.request, done.outcome)
    ]
    assert "Wiederholungen −2" == german(effect_text(game, Effect("rerolls", -2)))
    assert "1 Reparaturversuch" == german(effect_text(game, Effect("attempts", 1)))
    assert "damage or healing 7 (the target)" == english(
        effect_text(game, Effect("effect", 7, "target"))
    )


def test_the_card_names_what_there_is() -> None:
    """Goals, policies, fields and outcomes that the card speaks of exist."""
    for name, card in card_to_json(game)["rolls"].items():
        kind = game.requests[name]
        drawn, explore = card.get("drawn", []), card["explore"]
        assert {*drawn} <= {*kind.outcome._fields}
        asked = [*card.get("asked", []), *card.get("more", []), explore["along"]]
        assert {*asked, *explore.get("map", [])} <= {*fields_of(kind)}
        ways = [one["value"] for one in card["policies"]]
        assert {*ways} <= {*game.policies, "best"}
    outcomes = {name for kind in game.requests.values() for name in kind.outcome._fields}
    assert {*game.card.prices} <= outcomes
    assert {*game.card.outcomes} <= outcomes


# The sheet


def test_the_sheet_as_widgets() -> None:
    """EDGE R22, R32 and R41: the turn, the die of all edges, what caps leave, what is broken."""
    skills, edges, turn, changes, *stacks, items = sheet_to_json(game, ANN)["widgets"]
    places = ["in_turn", "checks_made", "rerolls", "turn_ended", "reaction_lost"]
    assert [*places, None, None, None] == [one.get("at") for one in turn["show"]]
    assert (0, 98) == (turn["show"][1]["low"], turn["show"][1]["high"])
    assert ["new turn", "end turn", "new round"] == [one["effect"] for one in turn["show"][5:]]
    assert {"roll": "check", "pick": {"skill": "Brawn"}} == skills["rows"][0]["begins"]
    assert "net +1: d4" == english(edges["show"][1]["text"])
    assert "source" == changes["key"]
    assert [
        "on the d20: +8 in all, but only +6 count: at most twice the largest (6).",
        "on the d20: −1 in all, within the cap of 2; −1 count.",
        "on the effect: +2 in all, within the cap of 4; +2 count.",
    ] == [english(one["text"]) for one in stacks]
    rifle, saw = items["rows"]
    assert {"roll": "check", "pick": {"skill": "", "item": "rifle"}} == rifle["begins"]
    assert {"roll": "repair", "pick": {"item": "saw"}} == saw["begins"]
    assert "geht nicht, 1 Versuch" == german(saw["show"][0]["text"])
    assert ("repaired", "saw") == (saw["show"][1]["effect"], saw["show"][1]["target"])


def test_what_a_tap_begins_can_be_rolled() -> None:
    """Each skill and thing of the sheet begins a roll that needs nothing more."""
    rows = [row for one in sheet_to_json(game, ANN)["widgets"] for row in one.get("rows", [])]
    begun = [row["begins"] for row in rows if "begins" in row]
    assert 4 == len(begun)
    for draft in begun:
        answer = form_of(game, draft, ANN, None)
        assert answer["can"], answer["why"]


def test_edges_come_and_go_by_effects() -> None:
    """EDGE R23: a sheet's edges are added and dropped by name; a number has no names."""
    gained = game.apply(ANN, Effect("edge", "-fog"))
    assert ("high ground", "aid", "-rain", "-fog") == gained.edges
    assert ("aid", "-rain", "-fog") == game.apply(gained, Effect("edge-ends", "high ground")).edges
    counted = ANN.but(edges=2)
    edges = sheet_to_json(game, counted)["widgets"][1]
    assert ("number", 2) == (edges["show"][0]["widget"], edges["show"][0]["value"])
    with pytest.raises(BadField, match="a number, not names"):
        game.apply(counted, Effect("edge", "fog"))


# In German


EVENING_ROLLS: list[tuple[Request, list[list[int] | str]]] = [
    (Check(dc=15, modifier=7, skill="Kraft", advantages=1, rerolls=1), [[4, 6]]),
    (
        Check(dc=15, modifier=7, skill="Kraft", advantages=1, rerolls=1, effect="2d6+3"),
        [[4, 6, 3, 5], "re-roll lower", [12]],
    ),
    (Check(dc=20, edges=["Anhöhe", "Hilfe", "hilfe"], bonuses=(1, 1, 1, 2)), [[3, 6]]),
    (Check(dc=10, modifier=15), [[1]]),
    (Check(dc=12, attack=True, target="die Wache", effect="1d8"), [[20, 3]]),
    (
        Turn(
            checks=[
                {"name": "Sprung", "dc": 12, "modifier": 6},
                {"dc": 12},
                {"dc": 25, "item": "Seil", "item_tier": 2},
                {"dc": 9},
            ]
        ),
        [[9], "go on", [14], "go on", [3]],
    ),
    (Turn(checks=[{"dc": 12}, {"dc": 14}], any_order=True), ["check 2", [15]]),
    (Turn(checks=[{"dc": 12}, {"dc": 14}], any_order=True), ["check 2", [15], "stop"]),
    (Repair(item="Seil", tier=2), [[1], [6], [13]]),
]


def test_an_evening_in_german() -> None:
    """Told as it was proof-read: titles, standings, questions, sentences, verdicts and effects."""
    lines: list[str] = []
    for request, entries in EVENING_ROLLS:
        transcript = played(request, *entries)
        lines += [f"# {german(title_text(request))}", game.tell(request, transcript, "de")]
        if transcript.is_done:
            verdict = ending_to_json(transcript)["verdict"]
            assert verdict is not None
            texts = [verdict["word"], *verdict.get("detail", []), *verdict.get("paid", [])]
            texts += [effect_text(game, one) for one in game.effects(request, transcript.outcome)]
        else:
            asked = choice_to_json(transcript)
            options = [option_to_json(transcript, one)["said"] for one in transcript.step.options]
            texts = [asked["standing"], asked["question"], *options]
        lines += [" · ".join(map(german, texts)), ""]
    assert EVENING.read_text("utf-8").splitlines() == lines[:-1]
