"""Repairs: a TECH roll with spare parts that brings reliability back."""

from collections import defaultdict
from fractions import Fraction

import pytest
from tests.games.twilight2000 import oracle

import rollwright as rw
from rollwright.errors import BadField
from rollwright.games.twilight2000 import Repair, Sheet, game
from rollwright.kit import Effect
from rollwright.kit.forms import form_of

TINKER = Sheet(
    name="Diaz",
    INT="B",
    tech="C",
    spare_parts=2,
    weapons=({"name": "M4", "reliability": 0}, {"name": "AK"}),
    tools=({"name": "radio", "reliability": 1, "max_reliability": 3}, {"name": "kit"}),
)


def restored_by_hand(sides, missing, decide, *, all_of_it=False):
    """(successes, stress, restored) -> chance, from raw faces."""
    found = defaultdict(Fraction)

    def finish(reading, pushed):
        successes, ones = reading[:2]
        back = missing if all_of_it and successes else min(successes, missing)
        return successes, ones if pushed else 0, back

    for outcome, chance in oracle.count(sides, 0, decide, finish).items():
        found[outcome] += chance
    return dict(found)


@pytest.mark.parametrize("policy", oracle.POLICIES)
@pytest.mark.parametrize("reliability", [0, 3, 4])
@pytest.mark.parametrize("restores", ["each", "all"])
def test_repairs_agree_with_raw_faces(policy, reliability, restores):
    """A point for each success, or all at once, and never more than there was (T2K R64, R67)."""
    request = Repair(attribute="A", skill="B", reliability=reliability, restores=restores)
    expected = restored_by_hand(
        [10, 12], 5 - reliability, oracle.POLICIES[policy], all_of_it=restores == "all"
    )
    outcomes = rw.odds(request, policy)
    assert expected == oracle.chances(outcomes.of("successes", "stress", "restored"))
    assert {reliability} == {end.reliability - end.restored for end in outcomes}


def test_a_repair_is_made_with_tech():
    """INT stands behind it, so a push costs stress (T2K R3, R13, R67)."""
    done = rw.roll(Repair(attribute="B", skill="C"), faces=[3, 4]).choose("push").throw([1, 7])
    assert (1, 0, 1) == (done.outcome.stress, done.outcome.damage, done.outcome.restored)
    with pytest.raises(BadField, match="skill_name"):
        Repair(attribute="B", skill_name="recon")


def test_a_broken_rifle_works_again():
    """Two successes bring two points back, a spare part is gone, and it fires (T2K R66, R67)."""
    with pytest.raises(BadField, match="M4 is broken"):
        game.from_sheet(TINKER, "attack", weapon="M4")
    request = game.from_sheet(TINKER, "repair", item="M4")
    assert ("B", "C", 0, 5, 2) == (
        *(request.attribute, request.skill),
        *(request.reliability, request.max_reliability, request.spare_parts),
    )
    done = rw.roll(request, faces=[6, 9])
    sheet = TINKER
    for effect in game.effects(request, done.outcome):
        sheet = game.apply(sheet, effect)
    assert (2, 1) == (sheet.weapon("M4").reliability, sheet.spare_parts)
    assert 2 == game.from_sheet(sheet, "attack", weapon="M4").reliability


def test_a_failed_repair_takes_a_part_too():
    """Nothing comes back, and the part is used up (T2K R67)."""
    request = game.from_sheet(TINKER, "repair", item="radio")
    failed = rw.roll(request, faces=[2, 3]).choose("keep")
    kinds = [effect for effect in game.effects(request, failed.outcome) if not effect.quiet]
    assert [Effect("parts", -1)] == kinds


def test_a_tool_in_use_pays_where_the_table_says_so():
    """The tool that is used wears, and what is repaired gains (T2K R15, R67, D8)."""
    house = game.house(gear_takes_strain=True)
    request = game.from_sheet(TINKER, "repair", item="radio", gear="kit", house=house)
    done = rw.roll(request, faces=[3, 4]).choose("push").throw([1, 7])
    sheet = TINKER
    for effect in game.effects(request, done.outcome):
        sheet = game.apply(sheet, effect)
    assert [2, 4] == [tool.reliability for tool in sheet.tools]


@pytest.mark.parametrize(
    ("sheet", "fields", "why"),
    [
        (TINKER.but(spare_parts=0), {"item": "M4"}, r"no spare part is left.*T2K R67"),
        (TINKER, {"item": "AK"}, r"nothing to repair.*T2K R67.*less than 5"),
        (TINKER, {"item": "tank"}, r"item: there is no 'tank'.*T2K R67"),
        (TINKER.but(incapacitated=True), {"item": "M4"}, r"Diaz is out.*T2K R14"),
        (Sheet(spare_parts=1), {}, r"item: there is no"),
    ],
)
def test_what_cannot_be_repaired_is_refused(sheet, fields, why):
    """Without parts, without wear, without the thing (T2K R67)."""
    with pytest.raises(BadField, match=why):
        game.from_sheet(sheet, "repair", **fields)


def test_a_repair_is_told():
    """What came back, and what the item has now (T2K R67)."""
    request = Repair(attribute="B", skill="C", item="M4", reliability=1)
    lying = rw.roll(request, faces=[3, 4])
    assert "D8 3 and D10 4 lie there: no success; roller may choose: keep / push." == game.tell(
        request, lying
    )
    assert (
        "D8 3 and D10 4 thrown: no success; pushed (D8 1 and D10 10): 2 successes, but the D8 "
        "shows a 1: 1 stress; M4 gains 2 reliability, now 3."
    ) == game.tell(request, lying.choose("push").throw([1, 10]))
    kept = lying.choose("keep")
    assert game.tell(request, kept).endswith("so it fails; M4 stays at 1 reliability.")
    assert game.tell(request, kept, "de").endswith("M4 bleibt bei Zuverlässigkeit 1.")


def test_a_repair_begins_with_what_is_worn():
    """Only worn things are offered, with the parts that are left (T2K R66, R67)."""
    answer = form_of(game, {"roll": "repair"}, TINKER, None)
    picked, parts, *_ = answer["form"]
    assert ["M4", "radio"] == [option["value"] for option in picked["options"]]
    assert ("M4", True) == (picked["value"], answer["can"])
    assert "2 Ersatzteile: Dieser Wurf verbraucht eins." == game.words.say(parts["text"], "de")
    without = form_of(game, {"roll": "repair"}, TINKER.but(spare_parts=0), None)
    assert (False, "bad") == (without["can"], without["form"][1]["tone"])
    assert "kein Ersatzteil ist übrig; möglich: Ersatzteile auf dem Bogen" == game.words.say(
        without["why"], "de"
    )
