"""Games that were written before keep what they wrote into logs: outcomes, effects, requests."""

from typing import Annotated, NamedTuple

import rollwright as rw
from rollwright.dice import D10
from rollwright.game import (
    Control,
    Dots,
    From,
    Game,
    Known,
    Range,
    Sheet,
    Verdict,
    choose,
    roll,
    tell,
    total,
)
from rollwright.gamecheck import check
from rollwright.kit import Effect, Value, add_game, field
from rollwright.kit.forms import form_of, request_of

game = Game("Old Ledger", name="old_ledger_of_tests")


class Skill(Value):
    """A skill with its bonus."""

    name: str = field(help="what it is called", most=40)
    bonus: int = field(help="how good", low=0, high=9)


class Agent(Sheet):
    """Somebody with luck."""

    luck_points: Annotated[int, Dots(3), Known("luck")] = 1
    skills: tuple[Skill, ...] = ()

    def bonus_of(self, name: str) -> int:
        """The bonus of a skill by its name."""
        return next((one.bonus for one in self.skills if one.name == name), 0)


class Check(NamedTuple):
    """What a check came to, as logs have it."""

    is_good: bool
    result: int
    luck_used: bool = False


def luck_spent(request, outcome):
    """The Luck that an outcome says was spent."""
    return (Effect("luck", -1),) if outcome.luck_used else ()


@game.add_goal("succeed", rolls=("check",))
def succeed(end: Check) -> bool:
    """To be good."""
    return end.is_good


@game.roll(outcome=Check, effects=luck_spent, goal="succeed", title="Check")
async def check_skill(
    me: Agent,
    *,
    skill_name: str = "",
    bonus: Annotated[int, Range(0, 9), From(lambda me, said: me.bonus_of(said.get("skill")))] = 0,
    dl: Annotated[int, Control(lambda asked: asked.field("dl", style="slider", high=20))] = 10,
) -> Check:
    """Two dice and a bonus; a point of Luck throws them again."""
    dice = await roll(2 * D10)
    if me.luck_points and await choose("keep", "luck") == "luck":
        me.pay(luck_points=1)
        tell("Luck turns for {who}.", who=me)
        dice = await roll(2 * D10)
        return Check(dice.sum + bonus >= dl, total(dice, bonus), luck_used=True)
    return Check(dice.sum + bonus >= dl, total(dice, bonus))


@game.roll(order=("paid", "broke"))
async def spend_luck(me: Agent) -> Verdict:
    """A roll whose effect has another name in logs than its field."""
    me.pay(luck_points=1)
    return Verdict("paid" if (await roll(D10)).sum > 5 else "broke")


game.goals["succeed"] = game.goals["succeed"]._replace(rolls=("check_skill",))
add_game(game)
ANN = {"name": "Ann", "skills": [{"name": "Hide", "bonus": 4}]}


def test_an_outcome_of_ones_own_is_kept():
    """Its fields and its effects are those that logs have."""
    request = {"game": "old_ledger_of_tests", "roll": "check_skill", "bonus": 4, "dl": 20}
    begun = rw.roll(request, faces=[3, 2])
    done = rw.roll(begun.choose("luck"), faces=[9, 8])
    assert Check(True, 21, luck_used=True) == done.outcome
    assert (Effect("luck", -1),) == game.effects(done.request, done.outcome)
    assert done == rw.verify(done.to_json())
    text = game.tell(done.request, done)
    assert "Luck (Luck points −1)." in text
    assert "Luck turns for Me." in text
    assert "Total 21: 8 + 9, Bonus +4." in text
    assert 0 < rw.odds(request, "best").p(lambda end: end.is_good) < 1


def test_a_field_is_filled_in_by_a_function():
    """What is picked on the sheet, unless somebody says it."""
    sheet = Agent(**ANN)
    draft = {"roll": "check_skill", "pick": {"skill": "Hide"}}
    assert 4 == request_of(game, draft, sheet, None).bonus
    said = {**draft, "set": {"bonus": 7}}
    assert 7 == request_of(game, said, sheet, None).bonus


def test_a_field_has_a_control_of_its_own():
    """What the function beside it says."""
    form = form_of(game, {"roll": "check_skill", "pick": {"skill": "Hide"}}, Agent(**ANN), None)
    (dl,) = [one for one in form["form"] if one.get("at") == "set.dl"]
    assert ("slider", 20) == (dl["style"], dl["high"])


def test_an_effect_has_the_name_that_logs_know():
    """It changes its field all the same."""
    request = {"game": "old_ledger_of_tests", "roll": "spend_luck"}
    done = rw.roll(request, faces=[9])
    assert (Effect("luck", -1),) == game.effects(done.request, done.outcome)
    assert 0 == game.apply(Agent(), Effect("luck", -1)).luck_points
    assert "Luck points −1" == str(game.card.effect(Effect("luck", -1)))


def test_it_is_sound():
    """All that `rollwright check` looks at, but the words that a form picks by."""
    report = check(game)
    assert [] == [str(one) for one in report.faults]
