"""Every line of the rules in our own words; tests and refusals cite them as `EDGE R24`."""

from __future__ import annotations

from rollwright.kit import Guidance, Line

LINES: dict[str, Line] = {
    "R1": Guidance(
        "Just play it out; dice come in when the GM calls for them, when you mean to hurt or "
        "influence somebody or something that matters, to get past, into or out of something, "
        "or to win knowledge, goods or sway."
    ),
    "R2": Guidance("Pick for each action something that can be done within one round."),
    "R3": Guidance("Pick a target that your action can reach."),
    "R4": Line(
        "Pick the skill that fits and roll a d20 plus its modifier plus whatever bonuses and "
        "penalties hold for now."
    ),
    "R5": Line("Dice for damage or healing are rolled along with the check, if there are any."),
    "R6": Guidance("Say what you try without taking its result for granted."),
    "R7": Guidance("The GM names the bonuses and penalties and says what comes of it."),
    "R8": Line("A success has the effect you wanted."),
    "R9": Line("A failure wastes the action."),
    "R10": Line(
        "Beating the DC by 10 or more is a critical success: what you wanted and a helpful extra."
    ),
    "R11": Line(
        "Missing the DC by 10 or more is a critical failure: the action is wasted, the turn is "
        "over, and something harmful happens."
    ),
    "R12": Line("Every action of a turn is a check of its own, made in the same way."),
    "R13": Line(
        "The second check of a turn is at -5, the third at -10, the fourth at -15, and so on."
    ),
    "R14": Line("A plan of four checks is said to be too much for one round."),
    "R15": Line("A critical failure takes away the actions that were still to come."),
    "R16": Line("With advantage a second d20 is rolled and the higher one counts."),
    "R17": Line("With disadvantage a second d20 is rolled and the lower one counts."),
    "R18": Line("Several advantages are one advantage, several disadvantages one disadvantage."),
    "R19": Line("Advantage and disadvantage take each other away."),
    "R20": Line(
        "A re-roll of the d20 under advantage or disadvantage is of one die only; you say which."
    ),
    "R21": Line("An edge adds a d4 to the d20."),
    "R22": Line("Each further edge makes that die a size larger: d4, d6, d8, d10, at most d12."),
    "R23": Line("The same thing gives at most one edge."),
    "R24": Line(
        "An edge die that shows more than the d20 is the natural roll, and the d20 its bonus."
    ),
    "R25": Line(
        "Which die is the natural one leaves the total alone: a natural 1 takes a 1 on both, a "
        "natural 20 is always the d20."
    ),
    "R26": Line("A lost edge works the other way round: its die is subtracted."),
    "R27": Line("Gained and lost edges take each other away, one for one."),
    "R28": Line("The d12 is the largest die for lost edges as well."),
    "R29": Line(
        "An edge on a DC is half its die as a number: 2, 3, 4, 5 or 6 up for gained, down for lost."
    ),
    "R30": Line("Bonuses and penalties are for d20 rolls or for damage rolls."),
    "R31": Line("Bonuses and penalties are set off against each other."),
    "R32": Line("Bonuses come to at most twice the largest of them."),
    "R33": Line("Penalties come to at most twice the largest of them."),
    "R34": Line("So +1, +1, +1, +2, +2 and +3 are not +10 but +6."),
    "R35": Line("Ten over or ten under the DC is what makes a result critical."),
    "R36": Line("A natural 1 makes the result one tier worse; nothing is below critical failure."),
    "R37": Line(
        "A natural 20 makes the result one tier better; nothing is above critical success."
    ),
    "R38": Line(
        "A critical success takes damage or healing dice at their highest; an attack also does "
        "its critical effect to the main target."
    ),
    "R39": Line("A critical failure puts the weapon or tool in use out of action."),
    "R40": Line("Getting it to work again takes a check against DC 10 + Tier."),
    "R41": Line(
        "Each attempt on the same thing after the first has +5 more; a later jam starts anew."
    ),
}
