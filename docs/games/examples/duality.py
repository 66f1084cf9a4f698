"""Duality: hope and fear, one die each."""

from typing import Annotated, Literal

from rollwright.game import (
    Boxes,
    ByReferee,
    Die,
    Dots,
    Game,
    HouseRules,
    Pick,
    Pool,
    Range,
    Settings,
    Shared,
    Sheet,
    Situation,
    Slider,
    Trait,
    Verdict,
    choose,
    die,
    roll,
    total,
)

HOPE, FEAR, ADVANTAGE, D8 = die(12, "Hope"), die(12, "Fear"), die(6, "Advantage"), die(8)
game = Game("Duality", theme="#2b2140")


class Hero(Sheet):
    """Somebody with more hope than sense."""

    agility: Annotated[int, Range(-3, 6), Trait] = 0
    strength: Annotated[int, Range(-3, 6), Trait] = 0
    hope: Annotated[int, Dots(6)] = 2
    stress: Annotated[int, Boxes(6)] = 0
    marks: Annotated[int, Boxes(6)] = 0
    major: Annotated[int, Range(1, 40), "damage that is two marks"] = 7
    severe: Annotated[int, Range(1, 40), "damage that is three marks"] = 14
    experiences: tuple[str, ...] = ()


class Table(Shared):
    """What the referee holds against everybody."""

    fear: Annotated[int, Dots(12), ByReferee] = 0


class House(HouseRules):
    """How a table reads the rules."""

    forced: Annotated[
        Literal["both", "higher"],
        Settings({"both": "both dice", "higher": "only the higher one"}),
        "which dice the referee's Fear throws again",
    ] = "both"


@game.add_policy("keep what you rolled, and ask for nothing")
def keep(now: Situation) -> object:
    """The first option of every choice."""
    return now.options[0]


@game.roll(goal="success", order=("critical", "success", "failure"), policy="keep")
async def action(
    me: Hero,
    table: Table,
    house: House,
    *,
    trait: Annotated[str, Trait],
    difficulty: Annotated[int, Slider(5, 30)] = 15,
    using: Annotated[tuple[str, ...], Pick("experiences"), "each costs a Hope and adds 2"] = (),
    helper: Hero | None = None,
    target: Hero | None = None,
    damage: Pool = 1 * D8,
) -> Verdict:
    """Try something that may go wrong."""
    me.pay(hope=len(using))
    help = 0
    if helper and helper.hope and await choose("stay out", "help", by=helper) == "help":
        helper.pay(hope=1)
        help = (await roll(ADVANTAGE, by=helper)).sum
    dice = await roll(HOPE + FEAR)
    for _ in range(min(2, 6 - me.stress)):
        again = await choose("keep", HOPE, FEAR)
        if not isinstance(again, Die):
            break
        me.stress += 1
        dice = dice.replaced(await roll(again))
    if table.fear and await choose("let be", "force", by="referee", against=True) == "force":
        table.pay(fear=1)
        if house.forced == "both":
            dice = await roll(HOPE + FEAR)
        else:
            dice = dice.replaced(await roll(HOPE if dice[HOPE] > dice[FEAR] else FEAR))
    critical, hopeful = dice[HOPE] == dice[FEAR], dice[HOPE] >= dice[FEAR]
    reached = total(dice, **{trait: me[trait]}, using=2 * len(using), help=help)
    success = critical or reached >= difficulty
    if hopeful:
        me.hope += 1
    else:
        table.fear += 1
    hurt = 0
    if success and target:
        hurt = (await roll(damage)).sum
        hurt += critical * sum(max(one.faces) for one in damage.dice)
        target.marks += 1 + (hurt >= target.major) + (hurt >= target.severe)
    word = "critical" if critical else "success" if success else "failure"
    return Verdict(word, "with hope" if hopeful else "with fear", damage=hurt)
