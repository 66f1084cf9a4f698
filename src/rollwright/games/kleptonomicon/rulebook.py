"""Every line of the rules in our own words, by its number."""

from __future__ import annotations

from rollwright.kit import Guidance, Line

LINES: dict[str, Line] = {
    "R1": Line("A Test is a d10 plus a Modifier; what comes out is the Score."),
    "R2": Guidance(
        "Which Modifier to use is up to the referee or the Ability that calls for the Test; "
        "a Sneaking Score is a Test with the Sneaking Modifier."
    ),
    "R3": Line("A Score is always the end value, when everything has been applied."),
    "R4": Line("A Modifier is a fixed number that is added or taken away."),
    "R5": Line("Dice shorthand before a Modifier, as in 2d12 +3, says which dice to sum."),
    "R6": Line("A named Modifier on the sheet that has no shorthand goes with a d10."),
    "R7": Guidance("Asked for your Score, name the end value and not the die."),
    "R8": Line("A 10 on a d10, which many dice print as 0, is a Critical Roll."),
    "R9": Line("A coin decides whether a Critical Roll is a success (10!) or a failure (0!)."),
    "R10": Line("Without a coin the die is rolled again: odd is a failure, even a success."),
    "R11": Line("A d10ish, with 1 to 9 twice and one 0 and one 10 on twenty sides, needs no coin."),
    "R12": Line(
        "10! is the best Score there is and 0! the worst, whatever the Modifier, and a good or a "
        "bad side effect is due."
    ),
    "R13": Line("Advantages and Disadvantages stay, however often used, till their cause ends."),
    "R14": Line("Each Advantage adds a d10, and the highest die counts."),
    "R15": Line("Each Disadvantage adds a d10, and the lowest die counts."),
    "R16": Line("One Advantage and one Disadvantage cancel each other."),
    "R17": Line("Of what is left after cancelling, three count, so a Test has at most four dice."),
    "R18": Line("Each 10 becomes a 0! or a 10! before the highest or lowest die is picked."),
    "R19": Line("So Advantage can be rid of a 0!, and Disadvantage can lose a 10!."),
    "R20": Line("Ranges include their ends: [..6] is Low, [7..9] is Mixed, [10..] is High."),
    "R21": Line("Where only pass or fail is asked, [7..] passes and [..6] fails."),
    "R22": Line("A Test may have ranges of its own, written in the same brackets."),
    "R23": Line("[0!] and [10!] are for a Critical Failure and a Critical Success."),
    "R24": Line("In a Group Test every player involved makes a Test of their own."),
    "R25": Line("The lowest Score at the end is the Score of the group."),
    "R26": Line("A player with 7 to 9 can give one Advantage to somebody's Test before the end."),
    "R27": Line("A player with 10 or more can give two, to one player or to two."),
    "R28": Line("Nobody has to give."),
    "R29": Line("Nobody can give to themselves."),
    "R30": Line("First all roll, then help is given, then the lowest Score is read."),
    "R31": Line("The group's Score is read against the ranges like any other."),
    "R32": Line("What an Advantage does that comes after the roll is for the table to say."),
    "R33": Line("In a Contest two sides make a Test each, and the higher Score wins."),
    "R34": Line("A coin toss breaks a tie."),
    "R35": Line("[Win] is for the winner of a Contest, by Score or by toss, [Lose] for the loser."),
    "R36": Line("Every range of a Test that holds the Score takes effect; it may be none."),
}
