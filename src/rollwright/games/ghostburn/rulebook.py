"""Every line of the rulebook, in our own words."""

from __future__ import annotations

from rollwright.kit import Guidance, Line

LINES: dict[str, Line] = {
    "R1": Line(
        "When the GM calls for a roll it goes in six steps: trick, Difficulty Level, dice, "
        "bonuses, outcome, Luck."
    ),
    "R2": Guidance(
        "Choose the skill and the trick that fits what you try; where no trick does, the GM may "
        "let you improvise one."
    ),
    "R3": Line(
        "The trick says where its Difficulty Level comes from, for example a trait of the "
        "target, and the player should hear it."
    ),
    "R4": Line("Two ten-sided dice are thrown and added."),
    "R5": Line("One ability score is always added, as a rule the skill's own."),
    "R6": Line("The skill bonus, the gear bonus and the aug bonus for the skill are added too."),
    "R7": Line("The sheet keeps the total bonus of every skill ready."),
    "R8": Line(
        "Easy begins at 8, Moderate at 14, Hard at 20, Severe at 26; a result is of the highest "
        "level it reaches."
    ),
    "R9": Line("A level or more above the Difficulty Level is a Cool Success."),
    "R10": Line("The level of the Difficulty Level itself is a Success."),
    "R11": Line("The level right below is a Fade: it works, with a complication."),
    "R12": Line("Two levels or more below is a Glitch: it fails, with a complication."),
    "R13": Line("Each player has one Luck Point for a session."),
    "R14": Line(
        "Once the outcome is known, Luck can add 2 to the result, or 3 with a favored skill, and "
        "the outcome is read again."
    ),
    "R15": Line("Or it can turn a Glitch into a Fade."),
    "R16": Line("Only the new outcome counts; what the old one would have brought does not."),
    "R17": Line("A Luck Point is used once and for one of the two."),
    "R18": Line(
        "A roll has one ability score and at most one skill, one gear, one aug and one luck bonus."
    ),
    "R19": Line("Of several bonuses of one kind for a skill only the highest counts."),
    "R20": Line("The GM may have another ability take the place of the skill's own."),
    "R21": Line(
        "Every trick has a chart of what its four outcomes do, conditions such as Confident "
        "among them."
    ),
}
