"""States of bodies, and what each paragraph of the law says, in a sentence: where a rule id leads."""

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
     _("Losses of the whole force and not broken: −5 on combat tests, power halved.")),
    ("annihilated", _("Annihilated"), "BP-4.8", _("Losses of twice the force: nothing is left.")),
    ("routed", _("Routed"), "BP-4.10",
     _("Losses beyond the breaking point: −5 on combat tests, power and defense halved; it may be pursued.")),
    ("surprised", _("Surprised"), "B-20", _("−5 on combat tests; defense halved, in a fleet ignored.")),
    ("surrounded", _("Surrounded"), "B-37",
     _("Losses are not capped, it may not withdraw, and broken it surrenders unless it is rallied.")),
)  # fmt: skip


RULES = rules_told(
    ("BP-1", _("Time"), _("A round lasts in proportion to the fighters; an assault on a place twice as long.")),
    ("BP-2", _("Units"), _("Units make an army: its power hurts, its force withstands, its breaking point says how "
                           "long.")),
    ("BP-2.1", _("A unit"), _("All of one type, quality, main weapon, armour and toughness.")),
    ("BP-2.2", _("Attack power"), _("Heads × damage of the main weapon; half of what is thrown besides; a charge "
                                    "multiplies it.")),
    ("BP-2.3", _("Fire power"),
     _("Heads or pieces × damage × rate of fire × area; bursts double it, a range of medium or less halves it.")),
    ("BP-2.4", _("Force"), _("Heads × (toughness + armour).")),
    ("BP-2.5", _("Combat and breaking point"),
     _("Breaking point: 10 % of the force, and 10 % more for every point of combat; defense is combat.")),
    ("BP-2.6", _("Accuracy and weight"),
     _("A weapon’s accuracy helps in tests; armour of 3 or more, or a shield, makes a unit heavy.")),
    ("BP-2.7", _("Army"), _("Two groups, contact and shooting: sums of power and force, means of combat and breaking "
                            "point.")),
    ("BP-3", _("Command potential"),
     _("The commander’s MENTAL − 5, his own combat and his Art of war.")),
    ("BP-4", _("Battle"), _("A command test, then rounds of shots and contact until one side is left.")),
    ("BP-4.1", _("Command test"), _("One die and command: 2 ahead strikes first, 5 ahead surprises.")),
    ("BP-4.2", _("Withdrawing before battle"), _("Declared at the command test, which must be won by 2.")),
    ("BP-4.3", _("Order of a round"),
     _("Shots, then contact; shots reach any part of the enemy, his covered shooters only with a range as long as "
        "theirs.")),
    ("BP-4.4", _("Combat test"), _("One die and combat against the target’s defense; for shots, half of it and the "
                                   "distance.")),
    ("BP-4.5", _("Numbers"), _("At contact the ratio of powers adds 1 (3 to 2) to 5 (5 to 1).")),
    ("BP-4.6", _("Success"),
     _("Losses: a tenth of the power, and a tenth more for every 2 points of margin; in one assault no more than the "
        "breaking point, unless surrounded or pursued.")),
    ("BP-4.7", _("Failure"), _("At contact the target gains 1 for every 2 points missed on its next attack.")),
    ("BP-4.8", _("States"), _("Engaged, battered, decimated, annihilated: by losses as a share of the force.")),
    ("BP-4.9", _("Contact with shooters"),
     _("Only once the main body is gone; they shoot first, at half power without firearms.")),
    ("BP-4.10", _("Rout and pursuit"),
     _("Beyond its breaking point a body flees, and an enemy body may pursue it and strike it once more.")),
    ("BP-4.11", _("Rally"), _("The commander’s die against 20 less the army’s combat brings back some of the losses.")),
    ("BP-4.12", _("After the battle"), _("Losses become dead and wounded; the victor recovers half of his.")),
    ("BP-5", _("Ground and weather"), _("They bar charges, halve powers and give cover; all adds up.")),
    ("BP-6", _("Experience"),
     _("Battles bring points; one more point of combat costs its new value.")),
    ("BP-7", _("Reserve"), _("An army of its own, a tenth of the power at least; its coming calls a command test.")),
    ("BP-8", _("Fortifications"), _("A place multiplies the garrison’s force and raises its defense; assault, siege "
                                    "and terms take it.")),
    ("BP-9", _("Vehicles and fleets"), _("Every unit fights for itself, by shots; armour shuts out what is too weak.")),
)  # fmt: skip

# What was settled where the document leaves two readings or none.
RULINGS = rules_told(
    ("B-1", _("Open die"),
     _("A first 10 rolls on and adds, a first 1 rolls on and subtracts, as long as tens fall and five faces at "
        "most. A house option keeps to one face.")),
    ("B-2", _("Exact powers"),
     _("All factors are multiplied exactly and the fraction is dropped once; losses drop theirs again. Means are "
        "dropped downward.")),
    ("B-3", _("Length of a round"),
     _("By the heads on all sides at the start, in exact proportion; it tells the hour and costs no die.")),
    ("B-5", _("Bodies"),
     _("In the field an army fights as a contact group and a shooting group, a fleet unit by unit. Whoever leads it "
        "sorts it before the battle; artillery always shoots.")),
    ("B-6", _("A charge"),
     _("The multiplier of a charge holds for every attack at contact and for Numbers, while the ground allows it; "
        "never in an assault.")),
    ("B-7", _("As foot"),
     _("Where the ground bars charges the multiplier is 1; the mount’s toughness stays, but in an assault riders "
        "dismount. Elephants are barred wherever cavalry is.")),
    ("B-8", _("One attack a round"),
     _("A body with both kinds of weapon uses one of its powers, by what it does; a unit without that weapon adds "
        "nothing.")),
    ("B-9", _("Secondary weapons"),
     _("The GM may add half of a secondary weapon’s damage at most to the main one; as a rule nothing is added.")),
    ("B-10", _("Bare combat"),
     _("Accuracy and a machine’s control and attack count in combat tests only. Defense, breaking point, rally, "
        "sieges, command without a commander and experience go by combat without them.")),
    ("B-11", _("Breaking value"),
     _("Force × breaking point, dropped. A share raised by the GM replaces the formula; who never breaks fights on "
        "to annihilation.")),
    ("B-12", _("Armour on the sheet"),
     _("The sheet holds the armour as it counts. Halving it for ancient and medieval worlds is an option of the "
        "campaign.")),
    ("B-13", _("Mobility"),
     _("From 0 for pieces to 5 for flyers, machines by their own: a body has that of most of its heads. A side more "
        "mobile than all enemies gains 2, one less mobile than some enemy loses 2.")),
    ("B-14", _("Modifiers and command"),
     _("The modifier of a characteristic is the characteristic − 5. In command, rally and terms “combat” is the "
        "commander’s own.")),
    ("B-15", _("Chief of a side"),
     _("One commander rolls for a side of several armies: whom it names, else its best. Without any it is the mean "
        "combat of its troops.")),
    ("B-16", _("Circumstances"),
     _("One number a side, set by the GM before the dice and shown, normally −5 to +5. Scores apart by 1 or less "
        "strike together.")),
    ("B-17", _("Several sides"),
     _("Every other side is an enemy and all roll once. Who is surprised by one enemy is surprised against all.")),
    ("B-18", _("What is secret"),
     _("Orders, withdrawals declared, the make-up of a reserve and the enemy’s figures, until they show. Dice, "
        "scores, shares lost, states, ground and weather are open.")),
    ("B-19", _("Course of a round"),
     _("Orders, what appears and a new command test if need be, withdrawals, shots, contact, distances, pursuits, "
        "rallies, and whether it is over.")),
    ("B-20", _("Initiative and surprise"),
     _("The striking order lasts until the next command test. Surprise lasts one round in the field, in a fleet "
        "until the next test; a house option makes it last the whole battle.")),
    ("B-21", _("Steps"),
     _("Sides strike by falling score, whoever is within 1 of a step’s leader with him. Within a step all is "
        "reckoned from its beginning; who is routed or dead strikes no more in later steps.")),
    ("B-22", _("Orders"),
     _("A body attacks or shoots one enemy body, or holds; an army withdraws or commits its reserve; a fleet closes "
        "or opens. Pursuit, riposte and rally are settled beforehand. Nothing said: it holds.")),
    ("B-23", _("Orders that come too late"),
     _("What has become impossible by then is lost without a die; nobody looks for another target.")),
    ("B-24", _("Withdrawal before battle"),
     _("Ahead of every enemy by 2 a side is away; with less it fights at −2, and 5 behind any it is routed at once. "
        "Where all withdraw there is no battle.")),
    ("B-25", _("Shooters at contact"),
     _("Covered while a body of their side stands that does not only shoot. Exposed and attacked, they shoot at their "
        "first assailant only, at short distance and with half their fire power, firearms with all of it.")),
    ("B-26", _("Range and distance"),
     _("Shots reach every enemy body, a covered shooting group only with a range as long as its own. The battle has "
        "one distance: 5 short, 10 medium, 15 long, 20 very long.")),
    ("B-27", _("Defense"),
     _("Halvings first, dropped once; then cover, forest, town and walls. Two covers add.")),
    ("B-28", _("Nothing to strike with"),
     _("Without power there is no test. More than the whole of a power is possible.")),
    ("B-29", _("Numbers"),
     _("The contact power of all of a side that attacks a target, against the target’s and that of others of its "
        "side attacking the attacker. The highest row reached counts; nothing to set against it is +5.")),
    ("B-30", _("What a failure gives"),
     _("It helps the target’s next attack at contact on that attacker, this round or the next, then lapses; a "
        "second failure replaces the first.")),
    ("B-31", _("Shots into a melee"),
     _("A target that was at contact last round with a body of the shooter’s side is in a melee: the first such "
        "body suffers from a miss.")),
    ("B-32", _("The worst state counts"),
     _("States do not add, a rout replaces them; every other modifier adds.")),
    ("B-33", _("One assault"),
     _("All that falls on a body in one step is added, then capped once. Twice the force ends the count.")),
    ("B-34", _("Broken"),
     _("Losses of one assault, or all of them, above the breaking value: reaching it does not break, save in a "
        "siege. A body above it breaks again at its next loss.")),
    ("B-35", _("Withdrawing in battle"),
     _("Command and mobility against the command of every side that attacks the army this round, one die each, the "
        "GM’s circumstances included. Attacked by nobody it leaves freely, with all it has.")),
    ("B-36", _("How a withdrawal ends"),
     _("2 ahead: away, with guns and baggage only by 5. Even or 1 ahead it stays at −2, behind at −4, 5 behind it "
        "is routed. The worst penalty stands for the battle.")),
    ("B-37", _("Surrounded"),
     _("The GM’s word on a body, for a round: its losses have no cap, it may not withdraw, and if it breaks without "
        "rallying it surrenders.")),
    ("B-38", _("Rally"),
     _("One attempt an army and round, one a battle for each body, after the pursuit. Rallied, it fights on next "
        "round; not rallied, it is gone.")),
    ("B-39", _("Pursuit"),
     _("One pursuer for each broken body; pursuit and riposte fall together, and the pursuer makes no attack in the "
        "next round. Shooting groups do not pursue.")),
    ("B-40", _("Distance of fleets"),
     _("Each side may close or open each round, by one rank. Where they differ the more mobile has its way, then "
        "the better command. In the field only the GM moves it.")),
    ("B-41", _("The GM’s word"),
     _("He may change any figure, order, target or result with a reason, and mark what the field is like. It is "
        "recorded as his.")),
    ("B-42", _("One battlefield"),
     _("Its grounds add, and hold for all bodies. Who cannot deploy fights as foot; nobody is shut out.")),
    ("B-43", _("Weather"),
     _("Visibility, night, gale, blindness, heat, cold and harshness are marks on the field. Changing one in battle "
        "is a sharp change and calls a command test.")),
    ("B-44", _("Reserve"),
     _("It comes on whole and acts in that very round; nobody can aim at it before, and it may be attacked from the "
        "next. If nothing else of its side stands and it is not committed, it withdraws unharmed.")),
    ("B-45", _("End of a battle"),
     _("Only one side has bodies left: it wins. None left, two rounds without an attack, or dusk: a draw.")),
    ("B-46", _("Harsh weather"),
     _("Losses × 1.1, before the cap.")),
    ("B-47", _("Who is lost"),
     _("A body’s losses are shared by the force of its units; points make men by toughness and armour. Reserves "
        "that were not committed lose none.")),
    ("B-48", _("Dead, wounded, prisoners"),
     _("Half of the victor’s losses come back at once, who stays out is dead. Of the others’ half are dead, half "
        "wounded; the wounded of bodies that fled, fell or surrendered are prisoners, and so are all who surrender.")),
    ("B-49", _("Guns and baggage"),
     _("In a rout the defeated lose three quarters of their pieces and half the baggage, in a bad withdrawal or a "
        "surrender all. The victor takes them.")),
    ("B-50", _("Result and experience"),
     _("The shares of force lost tell how clear a victory is, and what points each side learns. The GM may move "
        "them; they are kept until they are spent. Of a battle nobody fought nobody learns.")),
    ("B-51", _("Characters"),
     _("1d3 damage for each full 10 % his unit lost, less his armour once. In a body annihilated or surrendered he "
        "is captured, unless the GM says otherwise.")),
    ("B-52", _("Fully held"),
     _("A place is properly held by more than half of its garrison, counted when the test is rolled.")),
    ("B-53", _("Assault"),
     _("The besieger fights with one contact and one shooting body, the garrison as one body, reserves apart. What "
        "the GM grants of sappers, towers and ladders counts.")),
    ("B-54", _("The garrison’s attack"),
     _("One: at contact with the fire power of all its units added, or shots with that alone.")),
    ("B-55", _("What walls give"),
     _("Force factor and bonus hold for the whole garrison until it leaves or breaks; entrenchments help against "
        "shots only. Losses carry over between siege, assault and sortie. Whoever withdraws from an assault has left "
        "the place.")),
    ("B-56", _("A garrison that breaks"),
     _("Broken in an assault and not rallied it loses the place: it surrenders if the place is invested, else it "
        "flees. Nothing leads out of a place that is invested: its garrison cannot withdraw. A sortie is a field "
        "battle without the place.")),
    ("B-57", _("A week of siege"),
     _("Bombardment; without two besiegers’ heads to one the week does not count; once the place’s time is over, "
        "hunger: a tenth of the force each tenth of that time. At the breaking value the garrison surrenders or comes "
        "out.")),
    ("B-58", _("Bombardment"),
     _("One shot a week of the besieger’s pieces, at medium distance and capped; guns in the place may answer.")),
    ("B-59", _("Terms"),
     _("Once a week, against the whole time of the place. Won: the garrison leaves with its arms; by 5: it is taken "
        "with guns and stores. Who expects death refuses.")),
    ("B-60", _("Lifting a siege"),
     _("Without two to one for two weeks running it is lifted: the time counted is lost, the losses stay. Relief "
        "fights in the field, and the garrison may join in.")),
    ("B-61", _("Places last"),
     _("A place does not wear out; several walls are several places in a row. Over twice its garrison nobody "
        "enters.")),
    ("B-63", _("Machines in the mean"),
     _("A modifier that is not given does not count in the mean; combat is dropped down.")),
    ("B-64", _("Armour to beat"),
     _("That of the commonest machine, where machines are more than half of the target’s heads. A weapon counts only "
        "if its damage is at least half of it.")),
    ("B-65", _("Fleets in battle"),
     _("Units fight for themselves and by shots only, in the same rounds, states and routs. Beside an army, "
        "machines shoot as part of it; support from above can be reached by nobody.")),
    ("B-66", _("Crews"),
     _("Of machines that are not destroyed 5, 25, 50 or 100 % of the crew is lost, by the state of the body.")),
    ("B-67", _("Short range"),
     _("Machines’ fire is halved at short range only, infantry’s at medium and short. Several munitions count with "
        "their mean.")),
    ("B-68", _("Machines lost"),
     _("Points divided by toughness + armour, dropped; what the victor recovers is repaired.")),
    ("B-69", _("A week after"),
     _("A quarter of the wounded return if the army neither marched nor fought; who fled needs a week before he "
        "fights again. Upkeep is the campaign’s figure.")),
    ("B-70", _("Cover"),
     _("A shooting group is covered while its side has a body on the field that is no shooting group and has not "
        "routed. Two shooting groups do not cover each other.")),
    ("B-71", _("Cavalry in a siege"),
     _("In a siege cavalry and chariots count as foot from the first day: in its figures, its bombardment and its "
        "assaults. In a battle in the open field they ride.")),
    ("B-72", _("Share of force lost"),
     _("At most 100 %.")),
    ("B-73", _("In a melee"),
     _("With a body that stood when the round began and has not routed before the shot.")),
    ("B-74", _("Shooters of a garrison"),
     _("All its units with fire power, whichever group they stand in.")),
    ("B-75", _("An assailant that breaks"),
     _("Shooters attacked at contact whose assailant has broken before their shot shoot at nobody: that shot was their "
        "attack.")),
    ("B-76", _("Blows at the routed"),
     _("A routed body may be struck in the later steps of its round, and in pursuit.")),
    ("B-77", _("What counts in a withdrawal"),
     _("The army’s own mobility against that of its pursuers, and the GM’s circumstances on either side. Its reserve "
        "goes with it.")),
    ("B-78", _("Redistributed losses"),
     _("Half of the victor’s losses come back before they are shared, and so do bodies of the victor’s that "
        "surrendered. Whoever runs an army may share the points its units have lost in a body otherwise, to no unit "
        "more than it can bear; at least half of each unit’s men out are dead.")),
    ("B-79", _("Machines in a body"),
     _("Modifiers of machines are dropped once for a body. The mean combat of a side on the field leaves its reserve "
        "out. Of equally common machines the better armour is the armour to beat.")),
    ("B-80", _("Money for terms"),
     _("Build Points offered with terms add 1 to the besieger’s score for each 5 % of the garrison’s price, 4 at most. "
        "They are paid to the garrison’s kingdom, only if the terms are taken.")),
    ("B-81", _("No command test"),
     _("The GM may waive the command test of a battle in the field: nobody has the initiative, all strike in the same "
        "step.")),
    ("B-82", _("Retreats"),
     _("What decoys, terrain and detection do to a side’s withdrawals is a number the GM gives, from −5 to +5, told "
        "with its reason.")),
)  # fmt: skip
