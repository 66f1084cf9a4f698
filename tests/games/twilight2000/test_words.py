"""What happened, in one sentence, for every kind of roll, finished or not."""

import pytest

import rollwright as rw
from rollwright.games.twilight2000 import (
    Attack,
    ClearJam,
    Group,
    House,
    Magazine,
    Opposed,
    Repair,
    Skill,
    game,
)

STAMINA = {"attribute": "A", "skill": "C", "skill_name": "stamina"}
M249 = {"attribute": "A", "skill": "B", "ammo_dice": 6, "weapon": "M249"}
DUEL = Opposed(
    active={"attribute": "B", "skill": "D", "skill_name": "persuasion"}, passive={"attribute": "C"}
)
TEAM = Group(
    members=(
        {"name": "Kasia", "attribute": "A", "skill": "D"},
        {"name": "Diaz", "attribute": "B", "skill": "D"},
    ),
    skill_name="survival",
)


tell = game.tell


def told(request, *entries):
    """The sentence after faces (lists) and choices (anything else)."""
    transcript = rw.roll(request, faces=entries[0]) if entries else rw.api.new_transcript(request)
    for entry in entries[1:]:
        if isinstance(entry, list):
            transcript = rw.roll(transcript, faces=entry)
        else:
            transcript = transcript.choose(entry)
    return tell(request, transcript)


@pytest.mark.parametrize(
    ("request_", "entries", "sentence"),
    [
        (Skill(**STAMINA), [], "D8 + D12 are to be thrown."),
        (
            Skill(**STAMINA),
            [[3, 4]],
            "D8 3 and D12 4 lie there: no success; roller may choose: keep / push.",
        ),
        (
            Skill(**STAMINA),
            [[3, 4], "push", [1, 9]],
            "D8 3 and D12 4 thrown: no success; pushed (D8 1 and D12 9): "
            "1 success, but the D8 shows a 1: 1 damage.",
        ),
        (
            Skill(**STAMINA),
            [[1, 4], "push", [1]],
            "D8 1 and D12 4 thrown: no success; pushed (D12 1): "
            "no success, D8 and D12 show 1s: 2 damage.",
        ),
        (
            Skill(**STAMINA),
            [[3, 4], "push", [7, 10]],
            "D8 3 and D12 4 thrown: no success; pushed (D8 7 and D12 10): "
            "3 successes, no 1 shows, so it costs nothing.",
        ),
        (
            Skill(**STAMINA),
            [[3, 4], "keep"],
            "D8 3 and D12 4 kept: no success, so it fails.",
        ),
        (
            Skill(attribute="B", skill="C", passive=True),
            [[7, 4]],
            "D8 7 and D10 4 thrown: 1 success, which is enough (a passive roll cannot be pushed).",
        ),
        (
            Skill(attribute="B", pushable=False),
            [[4]],
            "D10 4 thrown: no success, so it fails (this roll is never pushed).",
        ),
        (
            Skill(**STAMINA, modifier=5, gear="rope", gear_reliability=1),
            [[3, 4], "push", [1, 9]],
            "Stepped +5 to D12+D12, 3 steps lost since two D12s are the most: D12 3 and D12 4 "
            "thrown: no success; pushed (D12 1 and D12 9): 1 success, but the D12 shows a 1: "
            "rope loses 1 reliability and is broken.",
        ),
        (
            Skill(attribute="D", modifier=-2, skill_name="tech"),
            [[3], "push", [1]],
            "Stepped −2 to D6, 2 steps lost since one D6 is the least: D6 3 thrown: no success; "
            "pushed (D6 1): no success, the D6 shows a 1: 1 stress.",
        ),
    ],
)
def test_skill_rolls_are_told(request_, entries, sentence):
    """Dice, steps, caps, the push, who pays and how much (T2K R13, R15, R17, R41, R43, R45)."""
    assert sentence == told(request_, *entries)


@pytest.mark.parametrize(
    ("fields", "entries", "sentence"),
    [
        (
            {},
            [[5, 10, 6, 6, 6, 4, 3, 2], "keep"],
            "D10 5 and D12 10, ammo 6, 6, 6, 4, 3 and 2 thrown: 2 successes; "
            "a hit for 3 and 3 ammo sixes; 28 rounds fired, 72 left.",
        ),
        (
            {"rounds": 10, "reliability": 2},
            [[5, 3, 6, 6, 6, 4, 1, 1], "push", [1, 2, 2]],
            "D10 5 and D12 3, ammo 6, 6, 6, 4, 1 and 1 thrown: no success; pushed (D10 1 and D12 "
            "2, ammo 2); a miss and 3 ammo sixes: the target can still be suppressed; 1s on 3 "
            "dice: M249 loses 2 reliability, jams and breaks once the attack is resolved; 10 "
            "rounds fired of 23 rolled, the magazine is empty.",
        ),
        (
            {"targets": ({"name": "A", "torso": 2}, {"name": "B"}), "ammo_dice": 2},
            [[5, 10, 6, 6], "keep", "hit B +1", [3, 6]],
            "D10 5 and D12 10, ammo 6 and 6 thrown: 2 successes; a hit and 2 ammo sixes spent on "
            "hit B +1: A torso 3 − 2 armour = 1, B head 3, a critical injury; 13 rounds fired, "
            "87 left.",
        ),
        (
            {"ammo_dice": 0},
            [[5, 3], "keep"],
            "D10 5 and D12 3 thrown: no success; a miss; 1 round fired, 99 left.",
        ),
        (
            {"ammo_dice": 1},
            [[5, 10, 1], "push", [9]],
            "D10 5 and D12 10, ammo 1 thrown: 2 successes; pushed (D10 9); a hit for 4; "
            "a 1 shows: M249 loses 1 reliability; 2 rounds fired, 98 left.",
        ),
    ],
)
def test_attacks_are_told(fields, entries, sentence):
    """Hit, sixes, places, armour, jam, wear and rounds (T2K R26, R30, R31, R33, R69-R72)."""
    assert sentence == told(Attack(**M249 | fields), *entries)


def test_spending_is_told_while_it_is_open():
    """What lies there, and what the shooter may choose (T2K R23)."""
    sentence = told(
        Attack(**M249, targets=({"name": "A"}, {"name": "B"})), [5, 10, 6, 6, 2, 2, 2, 2], "keep"
    )
    assert "shooter may choose: +2 damage / +1 damage; hit A" in sentence
    assert sentence.endswith("… (8 in all).")


@pytest.mark.parametrize(
    ("request_", "entries", "sentence"),
    [
        (
            DUEL,
            [[6, 4, 7]],
            "D6 6 and D10 4 lie there: 1 success against 1 success (D8 7); "
            "roller may choose: keep / push.",
        ),
        (
            DUEL,
            [[6, 4, 7], "push", [9]],
            "D6 6 and D10 4 thrown: 1 success; pushed (D10 9): 2 against 1 (D8 7): "
            "the active side wins by 1, and no 1 shows, so it costs nothing.",
        ),
        (
            DUEL,
            [[6, 4, 7], "keep"],
            "D6 6 and D10 4 thrown: 1 success, 1 against 1 (D8 7): "
            "the active side does not get through.",
        ),
        (
            DUEL.but(secret=True),
            [[6, 4, 7]],
            "D6 6 and D10 4 lie there: 1 success (a secret roll); referee may choose: keep / push.",
        ),
    ],
)
def test_opposed_rolls_are_told(request_, entries, sentence):
    """Both sides, the margin, and no secret faces (T2K R57, R58, R61)."""
    assert sentence == told(request_, *entries)


def test_group_rolls_are_told():
    """Who rolls, who helps, and whose failure it is (T2K R36, R38)."""
    assert "Group may choose: Kasia / Diaz." == told(TEAM)
    lying = rw.roll(TEAM).choose("Kasia")
    assert "Kasia rolls for all; helpers may choose: 0 / 1." == tell(TEAM, lying)
    lying = lying.choose(1)
    assert "Kasia rolls for all with 1 helper; D8 + D12 are to be thrown." == tell(TEAM, lying)
    lying = rw.roll(lying, faces=[3, 4])
    assert "roller may choose: keep / push" in tell(TEAM, lying)
    assert (
        "Kasia rolls for all with 1 helper: stepped +1 to D8+D12: D8 3 and D12 4 kept: "
        "no success, so it fails, and everybody fails." == tell(TEAM, lying.choose("keep"))
    )


def test_clearing_a_jam_is_told():
    """Every throw, the tries, and what is left of the weapon (T2K R32)."""
    request = ClearJam(attribute="B", skill="C", tries=2)
    assert "D8 + D10 are to be thrown." == told(request)
    assert "D8 3 and D10 4, then D8 2 and D10 7: the jam is cleared after 2 tries." == tell(
        request, rw.roll(request, faces=[3, 4, 2, 7], policy="never")
    )
    worn = rw.roll(request.but(tries=1), faces=[3, 4, 1, 2], policy="if-failed")
    assert "the weapon is still jammed, at 1 reliability after 1 try." in tell(request, worn)


def test_magazines_are_told():
    """How many attacks, and what ended them (T2K R33)."""
    request = Magazine(attribute="B", rounds=2)
    assert "After 2 attacks the last round is fired." == tell(
        request, rw.roll(request, faces=[7, 3], policy="never")
    )
    jammed = rw.roll(request.but(skill="C"), faces=[2, 2, 1, 1], policy="always")
    assert "After 1 attack the weapon is jammed, 2 reliability lost." == tell(request, jammed)
    assert "1 throw so far; roller may choose: keep / push." == told(request, [3])


def test_successes_thrown_again_are_told():
    """D1: a die that showed a success and now a 1 is named (T2K R11)."""
    request = Skill(attribute="A", skill="A", house=House(push_may_reroll_successes=True))
    sentence = told(request, [6, 10], "push and re-roll a D12 with a success", [1])
    assert sentence.endswith("pushed (D12 1): 2 successes, but the D12 shows a 1: 1 damage.")


@pytest.mark.parametrize("roll", game.requests)
def test_every_roll_is_told_at_every_stage(roll):
    """From the first throw to the end there is always a sentence (T2K R2)."""
    requests = {
        "skill": Skill(**STAMINA),
        "attack": Attack(**M249, targets=({"name": "A"}, {"name": "B"})),
        "opposed": DUEL,
        "group": TEAM,
        "clear_jam": ClearJam(attribute="B"),
        "magazine": Magazine(attribute="B", ammo_dice=2, rounds=9),
        "repair": Repair(attribute="B", skill="C"),
    }
    request = requests[roll]
    for seed in range(8):
        done = rw.roll(request, seed=seed, policy="always")
        for place in range(len(done.entries) + 1):
            part = rw.Transcript(done.call, done.entries[:place], request=request)
            sentence = tell(request, part)
            assert sentence.endswith(".")
            assert sentence[0].isupper() or sentence[0].isdigit()
