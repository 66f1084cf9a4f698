"""The lines of the rulebook, each in our own words; tests cite them as `DUST R9`."""

from __future__ import annotations

from rollwright.kit import Guidance, Line

BOTCH = "something goes wrong as well: gear, health or friends may suffer, the referee says how"
ELSEWHERE = "the game's own chapter on Adrenaline may add to this; only the basics are known here"

LINES: dict[str, Line] = {
    "R1": Line("Every die is a ten-sider, and each one is read by itself; nothing is summed."),
    "R2": Line("The pool is an attribute plus an ability, or now and then one stat alone."),
    "R3": Line("Wounds, special traits and circumstances add dice to the pool or take some away."),
    "R4": Line("A pool has at most ten dice as a rule."),
    "R5": Line(
        "A roll has a difficulty from 2 to 10, 6 unless said; damage is always rolled at 6."
    ),
    "R6": Line("A die that reaches the difficulty is one success."),
    "R7": Line("A die that falls short without being a 1 counts for nothing."),
    "R8": Line("Every 1 leaves the roll and takes one success with it."),
    "R9": Line("With more 1s than successes the roll is a botch, reported as a negative number."),
    "R10": Line("If exactly nothing is left, the roll has failed, but it is no botch."),
    "R11": Line("One success left is barely enough, three are complete, five are overwhelming."),
    "R12": Line("After a failure the action has simply not worked."),
    "R13": Guidance(f"After a botch the action has failed, and {BOTCH}."),
    "R14": Line("A standard roll is settled by one throw: an attack, its damage, a jump."),
    "R15": Line("An extended roll gathers successes over several turns: a lock, rubble, research."),
    "R16": Line("In an opposing roll both sides meet one number; the margin measures the effect."),
    "R17": Line("Two successes with the same face are doubles: you may add 1 Adrenaline."),
    "R18": Line("Adrenaline never rises above 10."),
    "R19": Line("A point of Adrenaline spent on a roll is one success without a die."),
    "R20": Line("Spending is declared before the dice are thrown."),
    "R21": Guidance(f"About Adrenaline: {ELSEWHERE}."),
}
