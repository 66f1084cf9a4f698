"""The book: its lines in our own words, and a switch wherever they can be read in several ways."""

from __future__ import annotations

from typing import Literal

from rollwright.kit import Shows, Value, rulebook_of, switch

LINES = rulebook_of(
    """
    R1 guidance: Throw dice only when something is at stake and the Referee asks for it.
    R2 guidance: First say what the character does; then name skill and attribute, take the dice,
       step them, add ammo dice for a firearm, throw everything together, and count.
    R3 Each of the twelve skills belongs to one of the four attributes.
    R4 Level A is a D12, B a D10, C a D8 and D a D6.
    R5 The base dice are the attribute die and, with a level in the skill, its die.
    R6 A base die that shows 6 to 9 is one success.
    R7 A base die that shows 10 or more is two successes.
    R8 One success on base dice is enough; more count only where a rule uses them.
    R9 guidance: Without a success the attempt fails; the Referee has the last word on what that
       means, and some way forward remains. The roller still has the push.
    R10 Having seen the first result, the roller may push.
    R11 A push throws every die again that shows neither a success nor a 1.
    R12 A roll is pushed once at most.
    R13 After a push each 1 on the base dice, old or new, costs 1 damage for STR and AGL and 1
       stress for INT and EMP.
    R14 The price is paid at once, but falls the roller only once the action is over.
    R15 With a tool, a pushed STR or AGL roll costs the tool's reliability instead.
    R16 Without a push 1s do nothing.
    R17 Passive rolls cannot be pushed.
    R18 Promotion rolls and coolness-under-fire rolls cannot be pushed.
    R19 guidance: What a push looks like is for the story: sweat, focus or strain of heart.
    R20 A shooter adds ammo dice up to the rate of fire, and to one fewer than the rounds left.
    R21 The last round allows no ammo die; without ammo dice one round is fired.
    R22 Ammo sixes never help to hit: only base dice decide that.
    R23 On a hit each ammo six adds 1 damage or buys one more hit.
    R24 Another target must share the hex and be no harder to hit if aimed at.
    R25 One more hit does base damage at its own place; further sixes add 1 each.
    R26 A miss with an ammo six can still suppress the target.
    R27 Each base success after the first adds 1 damage to the primary hit.
    R28 Pushing an attack throws ammo dice again that show neither 6 nor 1.
    R29 After a push each 1 on base or ammo dice costs 1 reliability of the weapon.
    R30 A weapon that breaks does so once the attack is resolved.
    R31 After a push two 1s or more jam the weapon; the attack itself still counts.
    R32 A jammed weapon cannot fire; a slow action and a success with its skill clears it, and
       there may be any number of tries.
    R33 The rounds fired are the ammo dice added up and one more, or all there are.
    R34 Reloading starts the count anew and takes a full magazine or belt off the list.
    R35 A magazine is a quarter of an encumbrance unit, a belt is one unit.
    R36 A shared challenge is rolled once, by whoever is best suited.
    R37 The others may help.
    R38 A failed group roll is everybody's failure, without a try for each.
    R39 guidance: Modifiers come from specialties, difficulty, help, gear and special rules.
    R40 All modifiers are added up, and the sum is applied.
    R41 Each +1 steps one base die up, each -1 steps one down.
    R42 The lower die is stepped up, the higher stepped down.
    R43 Two D12s are the most; further pluses are lost.
    R44 A step down from two D6s takes one die away.
    R45 One D6 is the least; further minuses are lost.
    R46 Without a skill die the first +1 adds a D6.
    R47 Ammo dice are never stepped.
    R48 guidance: The Referee may count in what helps: known or special equipment, a spotter, the
       right tools, fine ingredients, an opponent caught off guard; +1 each is usual.
    R49 guidance: The Referee may count in what hinders: strange or makeshift equipment, weather,
       dark, smoke, poor ingredients, an alert opponent; -1 each is usual.
    R50 guidance: Other rules fix some modifiers: aiming, long range, a weak bargaining position,
       many specialties, gear made for the job.
    R51 Help is declared before the roll.
    R52 guidance: Who helps must be there, be able to, and convince the Referee.
    R53 Each helper is worth +1.
    R54 At most three can help; other modifiers know no such bound.
    R55 In combat a helper gives up the kind of action that is being helped.
    R56 guidance: NPCs help each other too; a crowd of them is best treated as a group.
    R57 The active side needs more successes than the passive side.
    R58 Level successes are a failure of the active side; the margin is the difference.
    R59 Only the active side may push, and may wait for the other roll first.
    R60 The two sides may roll different skills.
    R61 The Referee may roll in secret for a passive player's character.
    R62 guidance: Some actions need gear; good gear can be a positive modifier.
    R63 Gear has a reliability that is worn down like hit points.
    R64 Gear in good condition has reliability 5, poor gear less.
    R65 Pushes and outside force lower reliability.
    R66 At reliability 0 an item is broken and of no use.
    R67 Repairs, with TECH and spare parts, bring reliability back.
    R68 guidance: Damage to vehicles follows rules of its own, which are not part of this.
    R69 Each hit rolls a D6 for where it strikes.
    R70 Armour there, after the weapon's armour modifier, is taken off the damage.
    R71 What is left comes off the target's hit capacity.
    R72 What is left, at the weapon's crit threshold or above, is a critical injury too.
    R73 With no rounds left a weapon cannot be fired.
    """
)

_FLAK = {"torso": 2, "arms": 2}
_SQUAD = [
    {"name": "A", **_FLAK},
    {"name": "B", **_FLAK},
    {"name": "C", "capacity": 3},
]
_MEDIC = {"attribute": "B", "skill": "C", "skill_name": "medical aid"}
_RIFLE = {"attribute": "B", "skill": "C", "ammo_dice": 3}
_JAMMED = {"attribute": "B", "skill": "C", "tries": 1}


class House(Value):
    """How this table reads the book; the defaults are the readings the docs argue for."""

    push_may_reroll_successes: bool = switch(
        "D1",
        "whether a push may also throw dice again that show successes",
        {
            False: "successes stay on the table, like 1s",
            True: "only 1s must stay; the roller may also pick up successes",
        },
        Shows(
            "chance of two successes on a lone D12, pushed as well as can be",
            "skill",
            {"attribute": "A"},
            lambda outcome: outcome.successes >= 2,
            "best:two-successes",
        ),
    )
    push_with_nothing: bool = switch(
        "D2",
        "whether one may push when no die can be thrown again, and pay for it",
        {
            False: "refused: there is nothing to throw again",
            True: "allowed: the 1s on the table are paid for, and nothing else changes",
        },
        Shows(
            "chance to be hurt by pushing a lone D6 whenever one is asked",
            "skill",
            {"attribute": "D", "skill_name": "stamina"},
            lambda outcome: outcome.damage > 0,
            "eager",
        ),
    )
    jam_rule: Literal["together", "one-kind", "ammo"] = switch(
        "D3",
        "which 1s jam a pushed weapon",
        {
            "together": "two or more 1s on base and ammo dice taken together",
            "one-kind": "two or more 1s on base dice, or two or more on ammo dice",
            "ammo": "two or more 1s, at least one of them on an ammo die",
        },
        Shows(
            "chance that a burst of three ammo dice, always pushed, jams",
            "attack",
            _RIFLE,
            "jammed",
            "always",
        ),
    )
    ammo_plus_one: bool = switch(
        "D4",
        "whether an attack fires one round more than the ammo dice show",
        {
            True: "the sum of the ammo dice and one more",
            False: "the sum of the ammo dice, at least one",
        },
        Shows(
            "rounds fired on average with three ammo dice, never pushed",
            "attack",
            _RIFLE,
            "rounds_rolled",
            "never",
            "rounds",
        ),
    )
    gear_takes_strain: bool = switch(
        "D8",
        "whether a tool also pays for pushed rolls of INT and EMP",
        {
            False: "a push of the mind costs the roller stress, tool or no tool",
            True: "the tool loses reliability whatever the attribute",
        },
        Shows(
            "stress on average of a medic with a kit who pushes if failed",
            "skill",
            {**_MEDIC, "gear_reliability": 5},
            "stress",
            "if-failed",
            "stress",
        ),
    )
    successes_buy_hits: bool = switch(
        "D9",
        "whether base successes after the first may be spent like ammo sixes",
        {
            False: "each adds 1 damage to the primary hit",
            True: "each may also buy or raise an additional hit",
        },
        Shows(
            "damage on average to three targets, two in flak, with one ammo die",
            "attack",
            {"attribute": "A", "skill": "B", "ammo_dice": 1, "targets": _SQUAD},
            "damage_dealt",
            "never",
            "damage",
        ),
    )
    push_jam_clearing: bool = switch(
        "D11",
        "whether the roll to clear a jam may be pushed, at the weapon's cost",
        {
            True: "the weapon is the tool and loses reliability for every 1",
            False: "failed is failed until the next try",
        },
        Shows(
            "chance to clear a jam at the first try, pushing if failed",
            "clear_jam",
            _JAMMED,
            "cleared",
            "if-failed",
        ),
    )
    keep_partial_magazines: bool = switch(
        "D13",
        "whether a part-used magazine is kept when a full one is put in",
        {
            False: "it is gone: only full magazines are carried",
            True: "it is kept, and used when no full one is left",
        },
        Shows(
            "attacks on average from ten rounds and one spare, reloading below five",
            "magazine",
            {
                "attribute": "B",
                "skill": "C",
                "ammo_dice": 1,
                "rounds": 10,
                "magazine_size": 10,
                "spare_magazines": 1,
                "reload_below": 5,
            },
            "attacks",
            "never",
            "attacks",
        ),
    )
    hit_suppresses: bool = switch(
        "D17",
        "whether a target that is hit can be suppressed too",
        {
            False: "suppression is noted for a miss with an ammo six; a hit is left open",
            True: "a hit suppresses as well",
        },
        Shows(
            "chance that the target can be suppressed by three ammo dice, never pushed",
            "attack",
            _RIFLE,
            "can_suppress",
            "never",
        ),
    )
    unskilled_steps: Literal["lower", "added"] = switch(
        "D18",
        "where the pluses after the first go when there is no skill die",
        {
            "lower": "to the lower die, as always",
            "added": "to the added die, and to the attribute die once that is a D12",
        },
        Shows(
            "chance of a success for an unskilled D6 at +3",
            "skill",
            {"attribute": "D", "modifier": 3},
            lambda outcome: outcome.successes > 0,
            "never",
        ),
    )
