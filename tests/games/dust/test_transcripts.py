"""Stored rolls replayed, and live play held against exact odds."""

from collections import Counter
from pathlib import Path

import pytest

import rollwright as rw
from rollwright.engine.sources import SeededSource
from rollwright.errors import BadTranscript
from rollwright.games.dust import ExtendedRoll, Opposing, Plan, Roll, game

STORED = {
    path.stem: path for path in sorted((Path(__file__).parent / "transcripts").glob("*.json"))
}
TOLD = {
    "raider_bluff": (
        "Perception + Intimidation, 5 dice at difficulty 6 (Standard): 9, 9, 6, 2, 2: 3 "
        "successes, net 3, a complete success; doubles: +1 Adrenaline."
    ),
    "botch_with_success": (
        "5 dice at difficulty 6 (Standard): 10, 5, 5, 1, 1: 1 success, less 2 for the 1s, net "
        "-1, a botch: the action fails, and something goes wrong as well: gear, health or "
        "friends may suffer, the referee says how."
    ),
    "damage_capped": (
        "10 dice (2 cut by the cap of 10) at difficulty 6 (Standard), since damage is never "
        "rolled at 8: 10, 10, 7, 7, 7, 7, 6, 5, 4, 1: 7 successes, 1 bought with Adrenaline, "
        "less 1 for the 1, net 7, an overwhelming success; doubles: +1 Adrenaline."
    ),
    "survivors": (
        "6 dice at difficulty 6 (Standard): 9, 9, 7, 6, 1, 1: 4 successes, less 2 for the 1s, "
        "net 2 (the 1s take 6 and 7), a little more than barely a success; doubles: +1 "
        "Adrenaline."
    ),
    "no_dice": (
        "No dice (1 −3) at difficulty 6 (Standard): 0 successes, 1 bought with "
        "Adrenaline, net 1, barely a success."
    ),
    "doubles_asked_open": (
        "4 dice at difficulty 6 (Standard): 7, 7, 3, 1: 2 successes, less 1 for the 1, net 1; "
        "now choose: leave or take."
    ),
    "doubles_asked_left": (
        "4 dice at difficulty 6 (Standard): 7, 7, 3, 1: 2 successes, less 1 for the 1, net 1, "
        "barely a success; doubles, left unused."
    ),
    "grapple": (
        "Ana, 6 dice at difficulty 6 (Standard): 7, 7, 5, 4, 4, 1: 2 successes, 1 bought with "
        "Adrenaline, less 1 for the 1, net 2, doubles; Raider, 5 dice at difficulty 6 "
        "(Standard): 7, 6, 5, 5, 2: 2 successes, net 2; a tie: the table decides; Ana gains 1 "
        "Adrenaline."
    ),
    "footrace_thrown_again": (
        "After 1 tie, the actor, 2 dice at difficulty 6 (Standard): 9, 8: 2 successes, net 2; "
        "the defender, 2 dice at difficulty 6 (Standard): 4, 4: 0 successes, net 0; the actor "
        "wins by 2."
    ),
    "lock": (
        "The lock: 5 dice at difficulty 6 (Standard) a turn, 8 wanted; turn 1: 9, 9, 7, 4, 1: "
        "3 successes, 1 bought with Adrenaline, less 1 for the 1, net 3, doubles; turn 2: 10, "
        "9, 9, 4, 1: 3 successes, 1 bought with Adrenaline, less 1 for the 1, net 3, doubles; "
        "turn 3: 10, 9, 8, 4, 1: 3 successes, 1 bought with Adrenaline, less 1 for the 1, net "
        "3; done: 9 gathered, 8 needed, 1 Adrenaline left."
    ),
    "lock_open": (
        "The lock: 3 dice at difficulty 6 (Standard) a turn, 6 wanted; turn 1: 8, 8, 2: 2 "
        "successes, net 2, doubles; now choose: save or spend 1."
    ),
    "rubble_botched": (
        "2 dice at difficulty 6 (Standard) a turn, 4 wanted; turn 1: 9, 8: 2 successes, net "
        "2; turn 2: 2, 1: 0 successes, less 1 for the 1, net -1, a botch; the botch ends it "
        "at 2 of 4; something goes wrong as well: gear, health or friends may suffer, the "
        "referee says how."
    ),
    "research_endless": (
        "3 dice at difficulty 6 (Standard) a turn, 5 wanted; turn 1: 8, 1, 1: 1 success, less "
        "2 for the 1s, net -1, a botch, which adds nothing; turn 2: 9, 4, 1: 1 success, less 1 "
        "for the 1, net 0; turn 3: 9, 4, 3: 1 success, net 1; turn 4: 10, 9, 4: 2 "
        "successes, net 2; turn 5: 7, 6, 6: 3 successes, net 3; done: 6 gathered, 5 needed; "
        "something goes wrong as well: gear, health or friends may suffer, the referee says how."
    ),
    "day_planned": (
        "Roll 1: 6, 3, 1: 1 success, less 1 for the 1, net 0, failure, not enough; roll 2: 4, "
        "2: 0 successes, 1 bought with Adrenaline, net 1, barely, enough; 1 of 2 made, 0 "
        "Adrenaline left."
    ),
    "day_planned_open": "2 rolls planned; now choose: save or spend 1.",
}


def test_every_stored_roll_has_its_sentence():
    """No transcript lies about untold."""
    assert set(TOLD) == set(STORED)


@pytest.mark.parametrize("name", STORED)
def test_a_stored_roll_replays_to_what_was_written(name):
    """DUST R14, DUST R15, DUST R16: faces and choices lead to the same outcome again."""
    text = STORED[name].read_text("utf-8")
    transcript = rw.verify(text)
    assert transcript == rw.Transcript.from_json(transcript.to_json())
    assert name.endswith("_open") != transcript.is_done


@pytest.mark.parametrize("name", STORED)
def test_a_stored_roll_is_told_as_it_was(name):
    """DUST R12, DUST R13: dice, caps, 1s, grade and Adrenaline in one sentence."""
    transcript = rw.verify(STORED[name].read_text("utf-8"))
    assert TOLD[name] == game.tell(transcript.request, transcript)


def test_a_stored_roll_with_a_wrong_outcome_is_refused():
    """DUST R8: nothing is believed that does not follow from the faces."""
    text = STORED["botch_with_success"].read_text("utf-8")
    with pytest.raises(BadTranscript, match="outcome"):
        rw.verify(text.replace('"net": -1', '"net": 1'))
    with pytest.raises(BadTranscript, match="1 to 10"):
        asked, answers, rest = text.partition('"answers"')
        rw.verify(asked + answers + rest.replace("10,", "11,", 1))


def test_an_open_roll_is_taken_up_again():
    """DUST R20: the stored task goes on with the turn that was left open."""
    transcript = rw.verify(STORED["lock_open"].read_text("utf-8"))
    assert {"save", "spend 1"} == {worth.option for worth in rw.advise(transcript).options}
    went_on = rw.roll(transcript.choose("spend 1"), faces=(9, 8, 7))
    assert (True, 6, 2, 1) == (
        went_on.outcome.done,
        went_on.outcome.total,
        went_on.outcome.turns,
        went_on.outcome.adrenaline,
    )


LIVE = [
    (Roll(pool=5, spend=1), "never", "grade"),
    (Roll(pool=6, house={"doubles_count": "pair"}), "never", "adrenaline_gained"),
    (Opposing(actor={"pool": 4}, defender={"pool": 3}), "never", "margin"),
    (ExtendedRoll(pool=3, target=4, limit=4, adrenaline=1), "always", "turns"),
    (Plan(rolls=({"pool": 2}, {"pool": 3}), adrenaline=1), "reserve:0", "met"),
]


@pytest.mark.parametrize(("request_", "policy", "field"), LIVE, ids=lambda part: str(part)[:12])
def test_live_frequencies_agree_with_exact_odds(request_, policy, field):
    """DUST R6, DUST R16, DUST R15: 1500 seeded rolls, by a chi-square test at one in 10,000."""
    rolls = 1500
    source = SeededSource("dust frequencies")
    seen = Counter(
        getattr(rw.roll(request_, source=source, policy=policy).outcome, field)
        for _ in range(rolls)
    )
    exact = rw.odds(request_, policy).of(field)
    assert set(seen) <= set(exact)
    common = {o: rolls * float(exact.p(o)) for o in exact if rolls * exact.p(o) >= 5}
    rare = rolls - sum(common.values())
    distance = sum((seen[o] - mean) ** 2 / mean for o, mean in common.items())
    if rare > 1:
        others = rolls - sum(seen[o] for o in common)
        distance += (others - rare) ** 2 / rare
    assert distance < chi_square_limit(len(common))


def chi_square_limit(freedom):
    """The value exceeded once in 10,000 times, after Wilson and Hilferty."""
    share = 2 / (9 * freedom)
    return freedom * (1 - share + 3.72 * share**0.5) ** 3
