"""Questions as plain data and their answers: exact, complete, and the library's own."""

from __future__ import annotations

from typing import Any

import pytest

import rollwright as rw
from rollwright.kit import Goal, find_game, from_plain
from rollwright.queries import answer
from rollwright.queries.plans import alike, policy_table
from rollwright.table.events import FORMAT
from tests.drafts import drafted

SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
ATTACK = {**SKILL, "roll": "attack", "ammo_dice": 3, "rate_of_fire": 6, "rounds": 30}
EXAMPLES = (
    SKILL,
    ATTACK,
    {
        "game": "twilight2000",
        "roll": "opposed",
        "active": {"attribute": "B"},
        "passive": {"attribute": "C"},
    },
    {"game": "dust", "roll": "roll", "pool": 6},
    {"game": "dust", "roll": "opposing", "actor": {"pool": 4}, "defender": {"pool": 5}},
    {"game": "kleptonomicon", "roll": "test", "modifier": 2, "advantages": 1},
    {
        "game": "kleptonomicon",
        "roll": "contest",
        "first": {"modifier": 2},
        "second": {"modifier": 1},
    },
    {
        "game": "kleptonomicon",
        "roll": "group",
        "members": [{"modifier": 2}, {"modifier": 1}],
        "goal": 7,
    },
    {"game": "edge20", "roll": "check", "modifier": 5, "dc": 15, "edges": 1, "rerolls": 1},
    {"game": "edge20", "roll": "repair", "tier": 2, "modifier": 1},
    {"game": "ghostburn", "roll": "roll", "ability": 3, "skill": [2], "dl": "Hard"},
)


def asked(kind: str, **question: Any) -> dict[str, Any]:
    """The answer to a question."""
    return answer(kind, question)


def test_odds_are_those_of_the_library() -> None:
    """The distribution that comes over HTTP is the library's, to the last digit."""
    for what in (SKILL, ATTACK):
        answer = asked("odds", request=what, policy="if-failed")
        expected = rw.odds(what, "if-failed").to_plain()
        assert expected == {name: answer[name] for name in ("total", "outcomes", "lost")}
    assert (
        rw.odds("4d6kh3").to_plain()["outcomes"] == asked("odds", expression="4d6kh3")["outcomes"]
    )


def test_odds_of_fields_and_events() -> None:
    """`of` picks fields, `where` gives the chance of an event, both together a condition."""
    dist = rw.odds(ATTACK, "always")
    hit = asked("odds", request=ATTACK, policy="always", of=["hit"])
    assert dist.of("hit").to_plain()["outcomes"] == hit["outcomes"]
    event = asked("odds", request=ATTACK, policy="always", where="hit and not jammed")
    assert str(dist.p(lambda o: o.hit and not o.jammed)) == event["chance"]
    given = asked("odds", request=ATTACK, policy="always", of="jammed", where="hit")
    assert dist.where(lambda o: o.hit).of("jammed").to_plain()["outcomes"] == given["outcomes"]


def test_variables_of_an_expression() -> None:
    """Names in an expression take their numbers from the question."""
    answer = asked("odds", expression="1d20+@str", variables={"str": 3}, where="it >= 15")
    assert "9/20" == answer["chance"]


def test_a_roll_goes_on_step_by_step() -> None:
    """A roll stops at its choice, goes on with an option, and its transcript is true."""
    opened = asked("roll", request=SKILL, faces=[3, 2])
    assert ["keep", "push"] == [option["option"] for option in opened["step"]["options"]]
    waiting = asked("roll", transcript=opened["transcript"], option="push", faces=[])
    assert ["d8", "d10"] == waiting["step"]["dice"]
    done = asked("roll", transcript=waiting["transcript"], faces=[7, 1])
    assert {"successes": 1, "damage": 1}.items() <= done["step"]["fields"].items()
    assert done["step"]["good"] is True
    assert ["damage 1"] == [effect["said"] for effect in done["step"]["effects"]]
    assert asked("verify", transcript=done["transcript"])["true"] is True
    assert rw.verify(done["transcript"]).outcome.ones == 1


def test_a_seeded_roll_is_the_librarys() -> None:
    """The same seed gives the faces that the library gives; going on, the push has its own."""
    expected = rw.roll(SKILL, seed="table").to_plain()
    opened = asked("roll", request=SKILL, seed="table")
    assert expected == opened["transcript"]
    pushes = {
        tuple(
            map(
                str,
                asked("roll", request=SKILL, seed=n, policy="always")["transcript"]["answers"],
            )
        )
        for n in range(5)
    }
    assert len(pushes) > 1


def test_every_policy_of_a_game_plays_on() -> None:
    """A roll with a policy comes to its end without a question."""
    for policy in ("never", "always", "if-failed", "below:2", "best", "best:succeed-cheaply"):
        assert "done" == asked("roll", request=SKILL, policy=policy)["step"]["step"]


def test_advice_says_what_and_why() -> None:
    """Advice on an open roll names the best option, each option's worth and odds, and why."""
    opened = asked("roll", request=SKILL, faces=[3, 2])
    advice = asked("advise", transcript=opened["transcript"])
    assert "push" == advice["best"]
    assert advice["matters"] is True
    worths = {option["option"]: option["value"]["exact"] for option in advice["options"]}
    assert {"keep": "0", "push": "11/16"} == worths
    push = next(option for option in advice["options"] if option["option"] == "push")
    assert {"successes", "damage"} <= {field["name"] for field in push["odds"]}
    expected = (
        "push: 68.8 % against 0 % with keep for the goal “to succeed”; "
        "the price: about 0.2 points of damage to you."
    )
    assert expected == advice["why"]


def test_advice_follows_the_goal() -> None:
    """With another goal another option is best, and prices can be a goal too."""
    opened = asked("roll", request=SKILL, faces=[3, 2])["transcript"]
    assert "keep" == asked("advise", transcript=opened, goal="stay-unhurt")["best"]
    priced = asked("advise", transcript=opened, goal="successes=1,damage=-10")
    assert "keep" == priced["best"]
    titles = {goal["name"]: goal["title"] for goal in priced["goals"]}
    assert "do not get hurt" == titles["stay-unhurt"]


def test_it_is_said_when_it_does_not_matter() -> None:
    """Where every option is worth the same, nobody is told to prefer one."""
    opened = asked("roll", request=SKILL, faces=[7, 2])["transcript"]
    advice = asked("advise", transcript=opened)
    assert advice["matters"] is False
    assert ["keep", "push"] == advice["ties"]
    assert advice["why"].startswith("It does not matter: every option is worth 100 %")


def test_advice_before_the_throw() -> None:
    """Of a roll not made yet the best policy is told, by what it turns on."""
    advice = asked("advise", request=SKILL)
    assert "139/160" == advice["value"]["exact"]
    assert {"push": "successes 0"}.items() <= {
        c["best_call"]: c["situation"] for c in advice["calls"]
    }.items()
    assert (
        "Best play: push with successes 0 (30.0 % of rolls); otherwise it does not matter."
        == advice["why"]
    )


def test_a_roll_that_has_ended_is_valued_as_an_open_one() -> None:
    """A goal that says yes or no stays a chance, a number a number, and a decimal is exact."""
    request = {"game": "twilight2000", "roll": "attack", "attribute": "B", "skill": "C"}
    opened = asked("roll", request=request, faces=[4, 3])["transcript"]
    ended = asked("roll", transcript=opened, option="keep")["transcript"]
    before = asked("advise", transcript=opened, goal="hit=1")["value"]
    after = asked("advise", transcript=ended, goal="hit=1")["value"]
    assert (True, True) == (before["chance"], after["chance"])
    assert ("0", "0 %") == (after["exact"], after["said"])
    none = asked("advise", transcript=ended, goal="most-damage")["value"]
    assert ("0", False) == (none["said"], none["chance"])


def test_a_decimal_worth_of_an_ended_roll_is_taken_as_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A goal that gives the float 0.7 is worth 7/10, not its nearest binary fraction."""
    goals = find_game("twilight2000").goals
    monkeypatch.setitem(goals, "lukewarm", Goal("lukewarm", lambda outcome: 0.7))
    rolled = asked("roll", request=SKILL, faces=[6, 6], policy="never")["transcript"]
    assert "7/10" == asked("advise", transcript=rolled, goal="lukewarm")["value"]["exact"]


def test_advice_never_looks_at_a_hidden_throw() -> None:
    """Whatever the referee rolled in secret, the active side is advised alike."""
    request = {
        "game": "twilight2000",
        "roll": "opposed",
        "active": {"attribute": "B", "skill": "C"},
        "passive": {"attribute": "A", "skill": "B"},
        "secret": True,
    }
    advices = []
    for hidden in ([1, 1], [10, 12]):
        opened = asked("roll", request=request, faces=[3, 6, *hidden])["transcript"]
        advice = asked("advise", transcript=opened, seat="roller")
        advices.append((advice["best"], advice["value"], advice["options"]))
    assert advices[0] == advices[1]
    assert advices[0][2][0]["odds"]


@pytest.mark.long
@pytest.mark.parametrize("request_", EXAMPLES, ids=lambda r: f"{r['game']} {r['roll']}")
def test_a_preview_tells_all(request_: dict[str, Any]) -> None:
    """The chance of a preview is the library's, and every part of it is there."""
    answer = asked("preview", request=request_)
    goal = find_game(request_["game"]).goal("", from_plain(request_))
    expected = rw.odds(request_).map(lambda outcome: int(goal(outcome))).mean
    assert str(expected) == answer["chance"]["exact"]
    assert answer["fields"]
    assert answer["best"]["why"]
    assert answer["more"]
    assert all(change["to"] == change["from"] + 1 for change in answer["more"])


def test_what_one_more_would_be_worth() -> None:
    """One more helper is worth what the odds with one more helper say."""
    answer = asked("preview", request=SKILL, parts=["more"], more=["helpers"])
    (helper,) = answer["more"]
    with_one = rw.odds({**SKILL, "helpers": 1}).p(lambda o: o.successes > 0)
    without = rw.odds(SKILL).p(lambda o: o.successes > 0)
    assert str(with_one - without) == helper["change"]["exact"]
    assert ("helpers", 0, 1, "+6.3 %") == (
        helper["field"],
        helper["from"],
        helper["to"],
        helper["said"],
    )


def test_costs_are_told() -> None:
    """What a roll costs is told on average, and how likely each mishap is."""
    answer = asked("preview", request=ATTACK, policy="always", parts=["odds"])
    costs = {cost["name"]: cost["exact"] for cost in answer["costs"]}
    dist = rw.odds(ATTACK, "always")
    assert str(dist.p(lambda o: o.jammed)) == costs["jammed"]
    assert str(dist.of("rounds_spent").mean) == costs["rounds_spent"]


def test_a_field_can_be_varied() -> None:
    """A curve has a chance for each value; values that the rules refuse say why."""
    vary = {"field": "ammo_dice", "values": [0, 3, 7]}
    cells = asked("preview", request=ATTACK, where="sixes > 0", vary=vary)["vary"]["cells"]
    expected = [rw.odds({**ATTACK, "ammo_dice": n}).p(lambda o: o.sixes > 0) for n in (0, 3)]
    assert [str(chance) for chance in expected] == [cell["chance"]["exact"] for cell in cells[:2]]
    assert "too many" in cells[2]["problem"]


def test_two_fields_make_a_heat_map() -> None:
    """Two varied fields give a cell for every pair, policies among them."""
    vary = [
        {"field": "modifier", "values": [-1, 0, 1]},
        {"field": "policy", "values": ["never", "best"]},
    ]
    cells = asked("preview", request=SKILL, vary=vary)["vary"]["cells"]
    assert 6 == len(cells)
    assert "139/160" == next(c for c in cells if c["values"] == [0, "best"])["chance"]["exact"]


def test_a_preview_from_a_sheet() -> None:
    """A sheet fills in what it knows, and house rules count."""
    sheet = {"INT": "B", "recon": "C"}
    answer = asked(
        "preview",
        game="twilight2000",
        sheet=sheet,
        house={"push_with_nothing": True},
        draft=drafted({"roll": "skill", "skill_name": "recon"}),
        parts=["odds"],
    )
    assert {"attribute": "B", "skill": "C"}.items() <= answer["request"].items()
    assert {"push_with_nothing": True} == answer["request"]["house"]


def test_rolls_are_compared() -> None:
    """Several rolls stand side by side, and it is told which is higher how often."""
    rolls = [{"expression": "2d20kh1"}, {"expression": "1d20+2", "name": "a bonus"}]
    answer = asked("compare", rolls=rolls, where="it >= 15")
    assert ["2d20kh1", "a bonus"] == [roll["name"] for roll in answer["rolls"]]
    assert ["51/100", "2/5"] == [roll["chance"]["exact"] for roll in answer["rolls"]]
    (duel,) = answer["duels"]
    assert str(rw.odds("2d20kh1").compare(rw.odds("1d20+2")).greater) == duel["greater"]["exact"]


def test_a_false_roll_is_found() -> None:
    """A changed face is found, and its place is named."""
    plain = rw.roll("2d6", faces=[3, 4]).to_plain()
    plain["answers"][0]["faces"][0] = 9
    answer = asked("verify", transcript=plain)
    assert answer["true"] is False
    assert "answers[0].faces[0]" == answer["place"]
    assert asked("verify", log={"format": FORMAT})["true"] is False


def test_what_cannot_be_checked_is_not_called_false() -> None:
    """A log of another format, or a roll of a game that is not here, is neither true nor false."""
    assert asked("verify", log={"format": 1})["true"] is None
    plain = rw.roll(SKILL, faces=[3, 2]).to_plain()
    plain["request"]["game"] = "elsewhere"
    assert asked("verify", transcript=plain)["true"] is None


def test_situations_that_read_alike_and_are_decided_otherwise_stay_apart() -> None:
    """A D8 that shows a 1 beside a loose D10 is another decision than the other way round.

    By hand, for `succeed-cheaply` with one ammo die that lies loose too: pushing the D10 brings a
    success in 5 of 10 throws, pushing the D8 in 3 of 8; the 1 that stays costs 0.3 either way.
    """
    request = {**ATTACK, "ammo_dice": 1}
    lines = rw.advise(request, "succeed-cheaply").lines
    key = (0, 1, 1, 0, 0, 1)
    calls = {line.choose for line in lines if line.situation[:6] == key}
    assert {"keep", "push"} == calls
    table = policy_table(lines, in_short=True)
    rows = [row for row in table.rows if row[-1].startswith("successes 0, ones 1")]
    told = [row[-1] for row in rows]
    assert len(set(told)) < len(told) == len({(row[1], row[-1]) for row in rows})
    assert not any("rounds" in row[-1] for row in table.rows)
    assert alike(lines)
    assert not alike(rw.advise(SKILL, "succeed-cheaply").lines)
