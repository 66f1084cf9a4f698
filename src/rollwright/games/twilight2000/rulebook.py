"""Every line of the rules, in our own words; guidance is for the people at the table."""

from rollwright.kit import Guidance, Line

LINES: dict[str, Line] = {
    "R1": Guidance("Throw dice only when something is at stake and the Referee asks for it."),
    "R2": Guidance(
        "First say what the character does; then name skill and attribute, take the dice, step "
        "them, add ammo dice for a firearm, throw everything together, and count."
    ),
    "R3": Line("Each of the twelve skills belongs to one of the four attributes."),
    "R4": Line("Level A is a D12, B a D10, C a D8 and D a D6."),
    "R5": Line("The base dice are the attribute die and, with a level in the skill, its die."),
    "R6": Line("A base die that shows 6 to 9 is one success."),
    "R7": Line("A base die that shows 10 or more is two successes."),
    "R8": Line("One success on base dice is enough; more count only where a rule uses them."),
    "R9": Guidance(
        "Without a success the attempt fails; the Referee has the last word on what that means, "
        "and some way forward remains. The roller still has the push."
    ),
    "R10": Line("Having seen the first result, the roller may push."),
    "R11": Line("A push throws every die again that shows neither a success nor a 1."),
    "R12": Line("A roll is pushed once at most."),
    "R13": Line(
        "After a push each 1 on the base dice, old or new, costs 1 damage for STR and AGL and 1 "
        "stress for INT and EMP."
    ),
    "R14": Line("The price is paid at once, but falls the roller only once the action is over."),
    "R15": Line("With a tool, a pushed STR or AGL roll costs the tool's reliability instead."),
    "R16": Line("Without a push 1s do nothing."),
    "R17": Line("Passive rolls cannot be pushed."),
    "R18": Line("Promotion rolls and coolness-under-fire rolls cannot be pushed."),
    "R19": Guidance("What a push looks like is for the story: sweat, focus or strain of heart."),
    "R20": Line(
        "A shooter adds ammo dice up to the rate of fire, and to one fewer than the rounds left."
    ),
    "R21": Line("The last round allows no ammo die; without ammo dice one round is fired."),
    "R22": Line("Ammo sixes never help to hit: only base dice decide that."),
    "R23": Line("On a hit each ammo six adds 1 damage or buys one more hit."),
    "R24": Line("Another target must share the hex and be no harder to hit if aimed at."),
    "R25": Line("One more hit does base damage at its own place; further sixes add 1 each."),
    "R26": Line("A miss with an ammo six can still suppress the target."),
    "R27": Line("Each base success after the first adds 1 damage to the primary hit."),
    "R28": Line("Pushing an attack throws ammo dice again that show neither 6 nor 1."),
    "R29": Line("After a push each 1 on base or ammo dice costs 1 reliability of the weapon."),
    "R30": Line("A weapon that breaks does so once the attack is resolved."),
    "R31": Line("After a push two 1s or more jam the weapon; the attack itself still counts."),
    "R32": Line(
        "A jammed weapon cannot fire; a slow action and a success with its skill clears it, and "
        "there may be any number of tries."
    ),
    "R33": Line("The rounds fired are the ammo dice added up and one more, or all there are."),
    "R34": Line("Reloading starts the count anew and takes a full magazine or belt off the list."),
    "R35": Line("A magazine is a quarter of an encumbrance unit, a belt is one unit."),
    "R36": Line("A shared challenge is rolled once, by whoever is best suited."),
    "R37": Line("The others may help."),
    "R38": Line("A failed group roll is everybody's failure, without a try for each."),
    "R39": Guidance("Modifiers come from specialties, difficulty, help, gear and special rules."),
    "R40": Line("All modifiers are added up, and the sum is applied."),
    "R41": Line("Each +1 steps one base die up, each -1 steps one down."),
    "R42": Line("The lower die is stepped up, the higher stepped down."),
    "R43": Line("Two D12s are the most; further pluses are lost."),
    "R44": Line("A step down from two D6s takes one die away."),
    "R45": Line("One D6 is the least; further minuses are lost."),
    "R46": Line("Without a skill die the first +1 adds a D6."),
    "R47": Line("Ammo dice are never stepped."),
    "R48": Guidance(
        "The Referee may count in what helps: known or special equipment, a spotter, the right "
        "tools, fine ingredients, an opponent caught off guard; +1 each is usual."
    ),
    "R49": Guidance(
        "The Referee may count in what hinders: strange or makeshift equipment, weather, dark, "
        "smoke, poor ingredients, an alert opponent; -1 each is usual."
    ),
    "R50": Guidance(
        "Other rules fix some modifiers: aiming, long range, a weak bargaining position, many "
        "specialties, gear made for the job."
    ),
    "R51": Line("Help is declared before the roll."),
    "R52": Guidance("Who helps must be there, be able to, and convince the Referee."),
    "R53": Line("Each helper is worth +1."),
    "R54": Line("At most three can help; other modifiers know no such bound."),
    "R55": Line("In combat a helper gives up the kind of action that is being helped."),
    "R56": Guidance("NPCs help each other too; a crowd of them is best treated as a group."),
    "R57": Line("The active side needs more successes than the passive side."),
    "R58": Line("Level successes are a failure of the active side; the margin is the difference."),
    "R59": Line("Only the active side may push, and may wait for the other roll first."),
    "R60": Line("The two sides may roll different skills."),
    "R61": Line("The Referee may roll in secret for a passive player's character."),
    "R62": Guidance("Some actions need gear; good gear can be a positive modifier."),
    "R63": Line("Gear has a reliability that is worn down like hit points."),
    "R64": Line("Gear in good condition has reliability 5, poor gear less."),
    "R65": Line("Pushes and outside force lower reliability."),
    "R66": Line("At reliability 0 an item is broken and of no use."),
    "R67": Line("Repairs, with TECH and spare parts, bring reliability back."),
    "R68": Guidance("Damage to vehicles follows rules of its own, which are not part of this."),
    "R69": Line("Each hit rolls a D6 for where it strikes."),
    "R70": Line("Armour there, after the weapon's armour modifier, is taken off the damage."),
    "R71": Line("What is left comes off the target's hit capacity."),
    "R72": Line("What is left, at the weapon's crit threshold or above, is a critical injury too."),
    "R73": Line("With no rounds left a weapon cannot be fired."),
}

TABLE_TALK = ("R1", "R2", "R9", "R19", "R39", "R48", "R49", "R50", "R52", "R56", "R62", "R68")
"""The lines that are guidance, as the game's page lists them."""
