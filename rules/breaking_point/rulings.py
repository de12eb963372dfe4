"""Texts of rule ids: each rule of breaking point in one sentence, and items for states of bodies. Pages link rule ids
to them.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.content import Item, rules_told
from rules.core.text import Term, _


def _items(*told: tuple[str, Term, str, Term]) -> Mapping[str, Item]:
    return {slug: Item(slug, name, rule, summary) for slug, name, rule, summary in told}


STATES = _items(
    ("fresh", _("Fresh"), "BP-4.8", _("No losses yet.")),
    ("engaged", _("Engaged"), "BP-4.8", _("Losses: −1 on combat tests.")),
    ("battered", _("Battered"), "BP-4.8", _("Losses of half the force: −2 on combat tests, power halved.")),
    ("decimated", _("Decimated"), "BP-4.8",
     _("Losses equal the whole force, but it isn’t broken: −5 on combat tests, power halved.")),
    ("annihilated", _("Annihilated"), "BP-4.8", _("Losses of twice the force: nothing is left.")),
    ("routed", _("Routed"), "BP-4.10",
     _("Losses beyond the breaking point: −5 on combat tests, power and defense halved. The group may be pursued.")),
    ("surprised", _("Surprised"), "B-20", _("−5 on combat tests. Defense is halved, or ignored in a fleet.")),
    ("surrounded", _("Surrounded"), "B-37",
     _("Losses have no cap and the group can’t withdraw. If it breaks without rallying, it surrenders.")),
)  # fmt: skip


RULES = rules_told(
    ("BP-1", _("Time"),
     _("The length of a round depends on the number of fighters. It doubles in an assault on a place.")),
    ("BP-2", _("Units"),
     _("Units make up an army: power is the damage it deals, force the damage it takes, and the breaking point "
       "says when it flees.")),
    ("BP-2.1", _("A unit"), _("Troops of one type, quality, main weapon, armor and toughness.")),
    ("BP-2.2", _("Attack power"),
     _("Heads × damage of the main weapon, plus half the damage of a thrown weapon. A charge multiplies the "
       "total.")),
    ("BP-2.3", _("Fire power"),
     _("Heads or pieces × damage × rate of fire × area. Bursts double it; a medium or shorter range halves it.")),
    ("BP-2.4", _("Force"), _("Heads × (toughness + armor).")),
    ("BP-2.5", _("Combat and breaking point"),
     _("The breaking point is 10% of the force, plus 10% per point of combat. Defense equals combat.")),
    ("BP-2.6", _("Accuracy and weight"),
     _("A weapon’s accuracy is a bonus in tests. Armor of 3 or more, or a shield, makes a unit heavy.")),
    ("BP-2.7", _("Army"),
     _("An army has two groups: contact and shooting. A group’s power and force are the sums of its units’; "
       "its combat and breaking point are averages.")),
    ("BP-3", _("Command potential"),
     _("The commander’s MENTAL − 5, plus their own combat and art of war.")),
    ("BP-4", _("Battle"), _("A command test, then rounds of shooting and contact until one side is left.")),
    ("BP-4.1", _("Command test"), _("One die plus command: a side 2 ahead strikes first, a side 5 ahead also "
                                    "surprises the enemy.")),
    ("BP-4.2", _("Withdrawing before battle"), _("Announced before the command test, which has to be won by 2.")),
    ("BP-4.3", _("Order of a round"),
     _("Shots come first, then contact. Shots reach any enemy, but covered shooters only with a range at least "
       "equal to theirs.")),
    ("BP-4.4", _("Combat test"),
     _("One die plus combat against the target’s defense. For shots, against half of it plus the distance.")),
    ("BP-4.5", _("Numbers"), _("At contact the ratio of powers adds 1 (3:2) to 5 (5:1).")),
    ("BP-4.6", _("Success"),
     _("Losses are a tenth of the power, plus a tenth per 2 points of margin. One assault costs at most the "
       "breaking point, unless the target is surrounded or pursued.")),
    ("BP-4.7", _("Failure"), _("At contact the target gets +1 on its next attack for every 2 points the test fell "
                               "short.")),
    ("BP-4.8", _("States"), _("Engaged, battered, decimated, annihilated, by the share of force lost.")),
    ("BP-4.9", _("Contact with shooters"),
     _("Shooters can be attacked at contact once the main body is gone. They shoot first, at half power unless "
       "they have firearms.")),
    ("BP-4.10", _("Rout and pursuit"),
     _("Beyond its breaking point a group flees. One enemy group may pursue it and strike once more.")),
    ("BP-4.11", _("Rally"), _("The commander rolls against 20 minus the army’s combat; success recovers some of "
                              "the losses.")),
    ("BP-4.12", _("After the battle"), _("Losses become dead and wounded. The victor recovers half of theirs.")),
    ("BP-5", _("Ground and weather"), _("Ground and weather can prevent charges, halve power and give cover. All "
                                        "effects add up.")),
    ("BP-6", _("Experience"),
     _("Units gain points in battle. One more point of combat costs its new value.")),
    ("BP-7", _("Reserve"),
     _("A separate part of the army, at least a tenth of its power. Committing it calls for a new command test.")),
    ("BP-8", _("Fortifications"),
     _("A place multiplies the garrison’s force and raises its defense. It falls to assault, siege or terms.")),
    ("BP-9", _("Vehicles and fleets"),
     _("Each unit fights on its own and only shoots. Weapons too weak for the armor don’t count.")),
)  # fmt: skip

# Rulings on points that the document leaves open.
RULINGS = rules_told(
    ("B-1", _("Open die"),
     _("If the first die is a 10, roll again and add; if it’s a 1, roll again and subtract. Keep rolling on "
       "10s, up to five dice. A house rule limits this to a single roll.")),
    ("B-2", _("Exact powers"),
     _("All factors are multiplied exactly and the result is rounded down once. Losses are rounded down again. "
       "Averages are rounded down.")),
    ("B-3", _("Length of a round"),
     _("Proportional to the number of heads on all sides at the start. It sets the time of day; no die is rolled.")),
    ("B-5", _("Groups"),
     _("In the field an army fights as a contact group and a shooting group; in a fleet each unit fights alone. "
       "The leader sorts the units before battle. Artillery always shoots.")),
    ("B-6", _("Charges"),
     _("Where the ground allows it, a charge multiplies power in every attack at contact, and for the Numbers "
       "bonus. It never counts in an assault.")),
    ("B-7", _("Fighting as infantry"),
     _("Where the ground prevents charges the multiplier is 1. The mount’s toughness still counts, except in an "
       "assault, where riders dismount. Elephants can’t charge where cavalry can’t.")),
    ("B-8", _("One attack a round"),
     _("A group with both melee and shooting weapons uses only one kind per round, to attack or to shoot. Units "
       "without that kind add nothing.")),
    ("B-9", _("Secondary weapons"),
     _("The GM may add up to half of a secondary weapon’s damage to the main weapon. Normally nothing is added.")),
    ("B-10", _("Combat without modifiers"),
     _("Accuracy, and the control and attack of machines, count only in combat tests. Defense, breaking point, "
       "rally, sieges, leaderless command and experience use combat without them.")),
    ("B-11", _("Breaking value"),
     _("Force × breaking point, rounded down. A value raised by the GM replaces the formula. Units that never "
       "break fight until annihilated.")),
    ("B-12", _("Armor on the sheet"),
     _("The sheet shows armor as it counts in play. Halving it for ancient and medieval worlds is a campaign option.")),
    ("B-13", _("Mobility"),
     _("From 0 for pieces to 5 for flyers; each machine has its own. A group has the mobility of most of its "
       "heads. The most mobile side gets +2; a side with a more mobile enemy gets −2.")),
    ("B-14", _("Modifiers and command"),
     _("A characteristic’s modifier is its value − 5. In command, rally and terms, “combat” is the commander’s own.")),
    ("B-15", _("Chief of a side"),
     _("A side of several armies rolls once, for its named chief or else its best commander. Without a commander, "
       "it uses the average combat of its troops.")),
    ("B-16", _("Circumstances"),
     _("One number per side, usually −5 to +5, set by the GM before the roll and shown to all. Sides whose scores "
       "are within 1 of each other strike together.")),
    ("B-17", _("Several sides"),
     _("All other sides are enemies, and each side rolls once. A side surprised by one enemy is surprised "
       "against all.")),
    ("B-18", _("Secrets"),
     _("Orders, announced withdrawals, the make-up of a reserve and the enemy’s figures stay secret until "
       "revealed. Dice, scores, losses in percent, states, ground and weather are shown to all.")),
    ("B-19", _("Course of a round"),
     _("Orders, arrivals with a new command test if needed, withdrawals, shots, contact, distances, pursuits, "
       "rallies, end of battle.")),
    ("B-20", _("Initiative and surprise"),
     _("The striking order lasts until the next command test. Surprise lasts one round in a field battle, or until "
       "the next test in a fleet. A house rule makes it last the whole battle.")),
    ("B-21", _("Strike steps"),
     _("Sides strike in order of score, highest first; sides within 1 of the highest strike with it. Blows in the "
       "same step are simultaneous. Groups routed or annihilated don’t strike in later steps.")),
    ("B-22", _("Orders"),
     _("A group attacks or shoots at one enemy group, or holds. An army withdraws or commits its reserve; a "
       "fleet closes or opens the distance. Pursuit, riposte and rally are chosen in advance. A group without an "
       "order holds.")),
    ("B-23", _("Impossible orders"),
     _("An order that has become impossible is lost: no die is rolled and no other target is chosen.")),
    ("B-24", _("Withdrawal before battle"),
     _("A side that leads every enemy by 2 gets away. With less, it fights at −2; if any enemy leads it by 5, it "
       "is routed. If all sides withdraw, no battle is fought.")),
    ("B-25", _("Shooters at contact"),
     _("Shooters are covered while another kind of group on their side still stands. Once attacked, they shoot "
       "only at their first attacker, at short distance and half fire power; firearms shoot at full power.")),
    ("B-26", _("Range and distance"),
     _("Shots reach every enemy group, but covered shooters only with a range at least equal to theirs. Each "
       "battle has one distance: 5 short, 10 medium, 15 long, 20 very long.")),
    ("B-27", _("Defense"),
     _("Halve the defense first and round down once; then add cover, forest, town and walls. Cover from two "
       "sources adds up.")),
    ("B-28", _("Groups without power"),
     _("A group without power makes no test. Losses can exceed the attacker’s power.")),
    ("B-29", _("Numbers"),
     _("Compare a side’s whole contact power against one target with that of the target and of allies attacking "
       "the same attackers. The highest row reached counts. With no power opposing it: +5.")),
    ("B-30", _("Bonus from a failure"),
     _("The target gets this bonus on its next attack at contact against that attacker, this round or the next. A "
       "second failure replaces the first.")),
    ("B-31", _("Shots into a melee"),
     _("A target that was at contact with a group of the shooter’s side last round is in a melee. A miss hits the "
       "first such group.")),
    ("B-32", _("The worst state counts"),
     _("States don’t add up, and a rout replaces them. All other modifiers add up.")),
    ("B-33", _("One assault"),
     _("All losses of a group in one step are added up, then capped once. Losses beyond twice the force don’t count.")),
    ("B-34", _("Broken"),
     _("A group breaks when its losses, in one assault or in total, exceed its breaking value. In a siege, "
       "reaching that value is enough. Beyond it, each further loss breaks the group again.")),
    ("B-35", _("Withdrawing in battle"),
     _("The army’s command and mobility are tested against the command of every side attacking it this round: one "
       "die each, plus the GM’s circumstances. An army that isn’t attacked leaves freely with all it has.")),
    ("B-36", _("How a withdrawal ends"),
     _("2 ahead: the army gets away. 5 ahead: it keeps its guns and baggage too. Tied or 1 ahead: it stays and "
       "fights at −2. Behind: at −4. 5 behind: it is routed. The worst penalty lasts the whole battle.")),
    ("B-37", _("Surrounded"),
     _("A GM ruling on a group for one round: its losses have no cap and it can’t withdraw. If it breaks without "
       "rallying, it surrenders.")),
    ("B-38", _("Rally"),
     _("After the pursuit, each army gets one attempt per round, and each group one per battle. A rallied group "
       "fights on next round; others are gone.")),
    ("B-39", _("Pursuit"),
     _("Each broken group has one pursuer. Pursuit and riposte are simultaneous, and the pursuer can’t attack "
       "next round. Shooting groups can’t pursue.")),
    ("B-40", _("Distance of fleets"),
     _("Each side may close or open the distance by one rank per round. If they disagree, the more mobile side "
       "decides, then the better command. In the field only the GM changes it.")),
    ("B-41", _("GM rulings"),
     _("The GM may change any figure, order, target or result, with a reason, and set the conditions of the field. "
       "The log shows it as a GM ruling.")),
    ("B-42", _("One battlefield"),
     _("All ground types of the field add up and apply to every group. Groups that can’t deploy fight as infantry; "
       "none is left out.")),
    ("B-43", _("Weather"),
     _("Visibility, night, gale, blindness, heat, cold and harsh weather are conditions of the field. Changing "
       "one in battle calls for a new command test.")),
    ("B-44", _("Reserve"),
     _("A reserve arrives whole and acts in the same round. It can be targeted only from the next round on. If it "
       "is the last of its side and wasn’t committed, it withdraws unharmed.")),
    ("B-45", _("End of a battle"),
     _("The last side with groups on the field wins. No groups left, two rounds without an attack, or dusk: a draw.")),
    ("B-46", _("Harsh weather"),
     _("Losses × 1.1, before the cap.")),
    ("B-47", _("Sharing losses"),
     _("A group’s losses are shared in proportion to the force of its units. Toughness and armor turn points into "
       "heads. Reserves that weren’t committed lose nothing.")),
    ("B-48", _("Dead, wounded, prisoners"),
     _("Half of the victor’s losses return at once; the rest are dead. Of other losses half are dead, half "
       "wounded. The wounded of groups that fled, were annihilated or surrendered are prisoners, like all who "
       "surrender.")),
    ("B-49", _("Guns and baggage"),
     _("A routed side loses three quarters of its pieces and half its baggage. After a bad withdrawal or a "
       "surrender it loses all. The victor takes them.")),
    ("B-50", _("Result and experience"),
     _("The shares of force lost decide how decisive a victory is and how many points each side earns. The GM may "
       "change the points. A battle that wasn’t fought earns none.")),
    ("B-51", _("Characters"),
     _(
         "1d3 damage per full 10% the character’s unit lost, minus their armor once. If the group is annihilated "
         "or surrenders, the character is captured, unless the GM decides otherwise."
     )),
    ("B-52", _("Fully held"),
     _("More than half of the garrison has to be there when the test is rolled.")),
    ("B-53", _("Assault"),
     _("The besieger fights as a contact group and a shooting group, the garrison as one group; reserves are "
       "separate. Sappers, towers and ladders count as the GM decides.")),
    ("B-54", _("The garrison’s attack"),
     _("One attack per round: at contact, with the fire power of all its units added, or shots alone.")),
    ("B-55", _("Effect of walls"),
     _("Force factor and bonus apply to the whole garrison until it leaves or breaks. Entrenchments help against "
       "shots only. Losses carry over between siege, assault and sortie. A garrison that withdraws leaves the "
       "place.")),
    ("B-56", _("Broken garrison"),
     _("A garrison that breaks in an assault and isn’t rallied loses the place. If the place is invested it "
       "surrenders, otherwise it flees. A garrison can’t withdraw from an invested place. A sortie is a field "
       "battle without the place.")),
    ("B-57", _("A week of siege"),
     _("Bombardment comes first. The week counts only if the besiegers are at 2:1. Once the place’s time is up, "
       "hunger takes a tenth of the force per tenth of that time. At its breaking value, the garrison surrenders "
       "or makes a sortie.")),
    ("B-58", _("Bombardment"),
     _("The besieger’s pieces shoot once a week, at medium distance, with capped losses. Guns in the place may "
       "answer.")),
    ("B-59", _("Terms"),
     _("Once a week, against the total number of weeks the place can hold. Success: the garrison leaves with its "
       "arms. By 5 or more: it is captured with guns and stores. A garrison that expects no mercy refuses.")),
    ("B-60", _("Lifting a siege"),
     _("The siege is lifted after two weeks in a row below 2:1. The time counted so far is lost; losses stay. A "
       "relief force fights in the field, and the garrison may join in.")),
    ("B-61", _("Wear of places"),
     _("A place doesn’t wear out. Several rings of walls count as several places in a row. A place holds at most "
       "twice its garrison.")),
    ("B-63", _("Machine averages"),
     _("A modifier that isn’t listed doesn’t count in the average. Combat is rounded down.")),
    ("B-64", _("Armor to beat"),
     _("The armor of the most common machine, if machines are more than half of the target’s heads. A weapon "
       "counts only if its damage is at least half that armor.")),
    ("B-65", _("Fleets in battle"),
     _("Each unit fights on its own and only shoots. Rounds, states and routs are the same. Machines in an army "
       "shoot as part of it. Air support can’t be attacked.")),
    ("B-66", _("Crews"),
     _("The crews of surviving machines lose 5, 25, 50 or 100%, depending on the group’s state.")),
    ("B-67", _("Short range"),
     _("Machine fire is halved at short range only, infantry fire at short and medium range. Several munitions use "
       "their average.")),
    ("B-68", _("Machines lost"),
     _("Points lost divided by toughness + armor, rounded down. What the victor recovers is repaired.")),
    ("B-69", _("The week after"),
     _("A quarter of the wounded return if the army neither marched nor fought. An army that fled needs a week "
       "before it can fight. Upkeep is set by the campaign.")),
    ("B-70", _("Cover"),
     _("A shooting group is covered while its side has another kind of group on the field that hasn’t routed. "
       "Two shooting groups don’t cover each other.")),
    ("B-71", _("Cavalry in a siege"),
     _("In a siege cavalry and chariots count as infantry from the first day, for strength, bombardment and "
       "assaults. In a battle in the open field they ride.")),
    ("B-72", _("Share of force lost"),
     _("At most 100%.")),
    ("B-73", _("In a melee"),
     _("Only with a group that stood at the start of the round and hadn’t routed before the shot.")),
    ("B-74", _("Shooters of a garrison"),
     _("All its units with fire power, whatever their group.")),
    ("B-75", _("Broken attacker"),
     _("Attacked shooters don’t shoot if their attacker breaks before their shot: that shot was their attack.")),
    ("B-76", _("Attacks on routed groups"),
     _("A routed group can be attacked in later steps of the same round, and in pursuit.")),
    ("B-77", _("Withdrawal modifiers"),
     _("The army’s own mobility against its pursuers’, and the GM’s circumstances on either side. Its reserve "
       "leaves with it.")),
    ("B-78", _("Redistributed losses"),
     _("Half of the victor’s losses return before they are shared, and so do the victor’s groups that "
       "surrendered. The army’s leader may share a group’s losses among its units differently, but no unit can "
       "lose more than it has. At least half of each unit’s losses are dead.")),
    ("B-79", _("Machines in a group"),
     _("Machine modifiers are rounded down once per group. The average combat of a side leaves its reserve out. "
       "Among equally common machines, the better armor is the armor to beat.")),
    ("B-80", _("Money offered in terms"),
     _("Each 5% of the garrison’s price offered adds 1 to the besieger’s score, up to 4. The money goes to the "
       "garrison’s kingdom, but only if the garrison accepts.")),
    ("B-81", _("No command test"),
     _("The GM may skip the command test of a field battle: nobody has the initiative and all strike in the same "
       "step.")),
    ("B-82", _("Retreats"),
     _("The GM gives a number from −5 to +5, with its reason, for the effect of decoys, terrain and detection on "
       "a side’s withdrawals.")),
    ("B-83", _("Dividing and combining armies"),
     _("Outside battles, sieges and marches, units or part of their heads go from one army to another of the same "
       "kingdom and place, or form a new army. Wounded and guns go with their heads. Both parts of a unit keep its "
       "experience; like units become one. Spoils stay, unless the army is dissolved. Troops that fought this week "
       "only join others that did.")),
)  # fmt: skip
