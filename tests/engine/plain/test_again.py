"""What was compiled once, values that never change, and choices that are made on the way."""

from rollwright import odds
from rollwright.dice import D6, D20, Die
from rollwright.engine.compiled.keys import Keys, copy_value, key_of
from rollwright.engine.odds.count import chain
from rollwright.engine.outcome_keys import outcome_key
from rollwright.games.edge20 import Check, Tier
from rollwright.rules import choose, roll, rule


@rule
async def best_of(times: int) -> int:
    """Keep a d20, or throw another one in its place, so often."""
    shown = (await roll(D20)).sum
    for _ in range(times):
        if await choose("keep", "again", about=shown) == "keep":
            break
        shown = (await roll(D20)).sum
    return shown


def low_again(situation):
    """Throw again what shows 10 or less."""
    return "again" if situation.about <= 10 else "keep"


def test_what_was_counted_before_changes_no_answer():
    """The odds of one more throw are the same, total and all, after a larger count of the rule."""
    fresh = odds(best_of(1), low_again)
    odds(best_of(40), low_again)
    again = odds(best_of(1), low_again)
    assert (fresh, fresh.total) == (again, again.total)


@rule
async def count_down(turns: int, dice: int):
    """So many turns, each a rule of its own that ends in the next."""
    hand = await roll(dice * D6)
    await choose("go on", about=hand.count(6))
    return count_down(turns - 1, dice) if turns > 1 else hand.count(6)


def test_a_chain_is_as_long_as_it_has_rules_whether_they_are_compiled_or_not():
    """Three turns are three rules, with two dice, which are replayed, and with six, which are not.

    Positions inside a compiled rule were counted as rules before.
    """
    for dice in (2, 6):
        assert chain(count_down(3, dice), lambda situation: "go on").length == 3


@rule
async def dither(times: int) -> tuple[int, int]:
    """Choose again and again without a throw between, then throw."""
    turned = 0
    for _ in range(times):
        turned += await choose(0, 1, about=turned)
    return turned, (await roll(6 * D6)).count(6)


def test_choices_in_a_row_are_made_one_after_the_other():
    """Each is decided by what it is about: here by turns until three are counted."""
    found = odds(dither(9), lambda situation: int(situation.about < 3))
    assert {3} == {turned for turned, _ in found.outcomes}


def test_requests_that_are_equal_are_one_and_are_never_copied():
    """A frozen value stands for itself in a key; another value is another key."""
    keys, asked = Keys(), Check(dc=15, effect="2d6")
    assert keys.of(asked) == key_of(Check(dc=15, effect="2d6"))
    assert key_of(asked) != key_of(asked.but(dc=16))
    assert not keys.changes
    assert asked is copy_value(asked, {})


def test_outcomes_with_enumerations_are_told_apart_by_their_kinds():
    """A text that is equal to a member of an enumeration is not that member."""
    assert outcome_key((Tier.SUCCESS, 1)) == outcome_key((Tier("success"), 1))
    assert outcome_key((Tier.SUCCESS, 1)) != outcome_key(("success", 1))
    assert outcome_key((Tier.SUCCESS, 1)) != outcome_key((Tier.SUCCESS, True))


def test_dice_are_found_in_any_hand_by_what_they_are():
    """Two dice of one size and of different names are not the same."""
    edge = Die(20, name="edge")
    assert edge != D20
    assert edge == Die(20, name="edge")
