"""What each rule of the law says, in a sentence: where a rule id beside a figure or a line of the log leads."""

from __future__ import annotations

from collections.abc import Mapping

from rules.content import Item
from rules.text import _

_RULES = (
    Item(
        "PF-1.1",
        _("Challenge rating ladder"),
        "PF-1.1",
        _("Ratings go 1/8, 1/6, 1/4, 1/3, 1/2, 1, 2, 3 and on by ones; size moves an army by steps on it."),
    ),
    Item(
        "PF-1.2",
        _("Army size"),
        "PF-1.2",
        _(
            "The head count gives the size; the size moves the challenge rating, scales prices and sets "
            "what a defeat costs the kingdom."
        ),
    ),
    Item(
        "PF-1.3",
        _("Army challenge rating"),
        "PF-1.3",
        _(
            "The unit’s rating, or the mount’s if it is higher, moved by the steps of the size. Below 1/8 "
            "there is no army."
        ),
    ),
    Item(
        "PF-1.4",
        _("Hit points of an army"),
        "PF-1.4",
        _("Challenge rating times the average of one hit die, rounded down, at least 1."),
    ),
    Item(
        "PF-1.5",
        _("Offense and Defense"),
        "PF-1.5",
        _("OM is the challenge rating rounded down plus modifiers; DV is 10 more."),
    ),
    Item(
        "PF-1.6",
        _("Experience for an army"),
        "PF-1.6",
        _("A beaten army is worth what a creature of its challenge rating is worth."),
    ),
    Item(
        "PF-1.7",
        _("Consumption"),
        "PF-1.7",
        _("Half the challenge rating in BP a week, at least 1, plus what its resources and the week add."),
    ),
    Item(
        "PF-1.8",
        _("Speed"),
        "PF-1.8",
        _("Hexes a day from the unit’s speed; difficult ground halves it, teleportation ignores it."),
    ),
    Item("PF-1.9", _("Morale"), "PF-1.9", _("It runs from −4 to +4 and starts at 0; at −5 the army disbands.")),
    Item(
        "PF-1.10",
        _("Tactics an army knows"),
        "PF-1.10",
        _(
            "At most half its challenge rating; the standard tactic and withdrawal always, and those lent "
            "to it, do not count."
        ),
    ),
    Item(
        "PF-1.11",
        _("One kind of unit"),
        "PF-1.11",
        _("An army has one unit type; a contingent with other figures is an army of its own."),
    ),
    Item("PF-1.12", _("Alignment"), "PF-1.12", _("It matters only to abilities that name it.")),
    Item(
        "PF-2.1",
        _("A commander’s figures"),
        "PF-2.1",
        _("Charisma, soldiering, level, the Leadership feat and his office make him what he is."),
    ),
    Item("PF-2.2", _("Leadership"), "PF-2.2", _("Level plus Charisma modifier, +3 with the Leadership feat.")),
    Item(
        "PF-2.3",
        _("Morale bonus of a commander"),
        "PF-2.3",
        _("His Charisma modifier and a fifth of his ranks as a soldier, on every morale check of his army."),
    ),
    Item(
        "PF-2.4",
        _("Boons a commander knows"),
        "PF-2.4",
        _("One, and one more for every five ranks as a soldier; the boon of his office is extra."),
    ),
    Item(
        "PF-2.5",
        _("An active commander"),
        "PF-2.5",
        _("He helps only while he is with the army: three days a week, and on the field in battle."),
    ),
    Item("PF-2.6", _("Offices"), "PF-2.6", _("An office of the kingdom brings its holder one boon.")),
    Item(
        "PF-2.7",
        _("An army without a commander"),
        "PF-2.7",
        _("Each week morale −1, unless its consumption is paid twice; a soldier may be promoted."),
    ),
    Item(
        "PF-2.8",
        _("Losing a commander"),
        "PF-2.8",
        _(
            "When his army is defeated a d100 says whether he is killed, captured or escapes; for a player "
            "character the GM does."
        ),
    ),
    Item("PF-2.9", _("Boons"), "PF-2.9", _("What an active commander gives his army.")),
    Item(
        "PF-3.1",
        _("Checks of a battle"),
        "PF-3.1",
        _("A d20 and the modifier: OM to attack, morale to hold, a kingdom’s attribute less Unrest for the kingdom."),
    ),
    Item(
        "PF-3.2",
        _("Course of a battle"),
        "PF-3.2",
        _("Perhaps an ambush, then tactics, shooting, and melee until one side is left."),
    ),
    Item(
        "PF-3.3",
        _("Ambush"),
        "PF-3.3",
        _("Hidden armies check against the Defense of their target; beaten, it does nothing in the tactics phase."),
    ),
    Item("PF-3.4", _("Tactics phase"), "PF-3.4", _("The GM sets the field; every army chooses a tactic it may use.")),
    Item(
        "PF-3.5",
        _("Order of a phase"),
        "PF-3.5",
        _(
            "Lingering harm, changes of tactic and strategy, declarations, opposed checks, attacks all at "
            "once, their effects, weather, rout."
        ),
    ),
    Item(
        "PF-3.6",
        _("Attack and damage"),
        "PF-3.6",
        _(
            "A check above the DV deals the difference, with what changes damage. A natural 20 always deals "
            "1; a natural 1 costs the next attack."
        ),
    ),
    Item(
        "PF-3.7",
        _("Strategy track"),
        "PF-3.7",
        _("Five steps from defensive to reckless. One step is free in a melee phase; more need a morale check of 20."),
    ),
    Item(
        "PF-3.8",
        _("Who may attack"),
        "PF-3.8",
        _("At range only those that can shoot; hand to hand everybody who is not kept from it."),
    ),
    Item(
        "PF-3.9",
        _("Rout"),
        "PF-3.9",
        _(
            "An army that lost hit points and has no more than its challenge rating left checks morale "
            "against 15, or flees under a parting shot."
        ),
    ),
    Item(
        "PF-3.10",
        _("Withdrawal"),
        "PF-3.10",
        _(
            "Opposed morale checks against each attacker: beat all and it is gone, beat some and it leaves "
            "late, beat none and it stays."
        ),
    ),
    Item("PF-3.11", _("Tactics"), "PF-3.11", _("How an army fights. Changing takes a morale check of 15.")),
    Item(
        "PF-3.12",
        _("Heroes and the GM’s hand"),
        "PF-3.12",
        _("Heroes who prevail give their army +4, who fail −4; the GM may set any figure himself."),
    ),
    Item(
        "PF-4",
        _("Battlefield conditions"),
        "PF-4",
        _("Ground, light and weather, for the whole field or for some armies, as long as the battle lasts."),
    ),
    Item(
        "PF-4.1",
        _("Wind"),
        "PF-4.1",
        _("It weakens shooting, or makes it impossible; engines and rocks bear more of it."),
    ),
    Item(
        "PF-4.2",
        _("Spells on the field"),
        "PF-4.2",
        _("They change it only if they last an hour and cover a great square."),
    ),
    Item("PF-5", _("Resources"), "PF-5", _("What an army carries: bought once by its size, paid for every week.")),
    Item(
        "PF-5.1",
        _("Who can use a resource"),
        "PF-5.1",
        _("Mindless armies use no engines, animals no potions or weapons; the GM decides the rest."),
    ),
    Item(
        "PF-5.2",
        _("Handing resources on"),
        "PF-5.2",
        _(
            "To an army no larger than the giver, free of charge, for one point of the giver’s morale. A "
            "disbanded army’s are given, stored or sold at half price."
        ),
    ),
    Item("PF-6", _("After the battle"), "PF-6", _("What becomes of the armies, their commanders and their kingdoms.")),
    Item(
        "PF-6.1",
        _("A defeated army"),
        "PF-6.1",
        _("It is gone; its kingdom loses attributes by its size, and its commander’s fate is rolled."),
    ),
    Item(
        "PF-6.2",
        _("A routed army"),
        "PF-6.2",
        _("Morale −1; it starts no battle until its kingdom passes a Loyalty check."),
    ),
    Item(
        "PF-6.3",
        _("A victorious army"),
        "PF-6.3",
        _("A Loyalty check may bring it a tactic and morale +1; another may bring its commander a boon."),
    ),
    Item(
        "PF-6.4",
        _("Experience of the victors"),
        "PF-6.4",
        _("The winners’ player characters earn what each beaten army is worth."),
    ),
    Item(
        "PF-6.5",
        _("What outlasts a battle"),
        "PF-6.5",
        _("Lost hit points, disease and energy drain; everything else ends with it."),
    ),
    Item(
        "PF-6.6",
        _("An even fight"),
        "PF-6.6",
        _("An army is worth its challenge rating: equal ratings are an even fight."),
    ),
    Item("PF-7", _("Time"), "PF-7", _("What days, weeks and months do to armies.")),
    Item(
        "PF-7.1",
        _("Day of rest"),
        "PF-7.1",
        _(
            "An army that neither moves nor fights heals its challenge rating; a Loyalty check a day may "
            "heal as much again."
        ),
    ),
    Item(
        "PF-7.2",
        _("The week’s pay"),
        "PF-7.2",
        _("Consumption is paid from the treasury; unpaid, morale is 2 lower until the arrears are paid."),
    ),
    Item(
        "PF-7.3",
        _("Disease and drain"),
        "PF-7.3",
        _("Illness costs 1 OM and DV more every day until a Stability check cures it; energy drain ends after a day."),
    ),
    Item("PF-7.4", _("The month"), "PF-7.4", _("The kingdom’s own expenses, and the Loyalty checks of routed armies.")),
    Item(
        "PF-7.5",
        _("Healing by the hour"),
        "PF-7.5",
        _("Fast healing returns its full value each hour out of battle, regeneration half of it."),
    ),
    Item(
        "PF-8.1",
        _("What a kingdom is"),
        "PF-8.1",
        _("Economy, Loyalty and Stability, Unrest taken from all three, size, treasury and settlements."),
    ),
    Item(
        "PF-8.2",
        _("Control DC"),
        "PF-8.2",
        _("20, plus size, plus districts, plus what the GM adds; or what he sets."),
    ),
    Item(
        "PF-8.3",
        _("Defense of a settlement"),
        "PF-8.3",
        _("Walls, moats, towers, barracks and castles add up; or the GM sets it."),
    ),
    Item(
        "PF-8.4",
        _("Upkeep phase"),
        "PF-8.4",
        _("Stability check, expenses, and the Unrest that debts and negative attributes bring."),
    ),
    Item(
        "PF-8.5",
        _("Monstrous armies"),
        "PF-8.5",
        _("They are raised only with an alliance or friendship, which the GM confirms."),
    ),
    Item("PF-9", _("Special abilities"), "PF-9", _("What an army can do because most of its units can.")),
    Item(
        "R-3",
        _("Mounted armies"),
        "R-3",
        _("They move at the mount’s speed; hit die and abilities stay the unit’s."),
    ),
    Item(
        "R-7",
        _("A commander known for losing"),
        "R-7",
        _("The −1 enters his army’s checks and never its stored morale; a boon whose leadership is missing sleeps."),
    ),
    Item(
        "R-13",
        _("Fog"),
        "R-13",
        _("It halves the damage of attacks by the attacker’s own fog, not bleeding or sandstorms."),
    ),
    Item(
        "R-14",
        _("Fortifications"),
        "R-14",
        _(
            "One object with parts, shared by the armies inside: siege wear belongs to it, climbers meet "
            "three quarters, fliers and teleporters none."
        ),
    ),
    Item(
        "R-15",
        _("Siege engines at work"),
        "R-15",
        _(
            "Each wears the target’s fortification by 1d4 in melee, before all attacks; a destroyed engine "
            "is lost for good."
        ),
    ),
    Item(
        "R-21",
        _("A target that is gone"),
        "R-21",
        _("Gone before the orders are revealed, it counts as not ordered; gone after, the attack is lost."),
    ),
    Item(
        "R-22",
        _("Used once"),
        "R-22",
        _("What is used once per battle is spent even if it proves useless; one drink a phase."),
    ),
    Item(
        "R-23",
        _("Rage and tactics"),
        "R-23",
        _(
            "Rage replaces barred tactics and strategies by the standard ones at once; a tactic whose need "
            "is gone has no effect."
        ),
    ),
    Item(
        "R-24",
        _("Wild shape and judgment"),
        "R-24",
        _("A shape acts at once and takes spellcasting away; a judgment is chosen each phase, before attacks."),
    ),
    Item(
        "R-25",
        _("Inspire courage"),
        "R-25",
        _("The bards have it always; one ally may be named and keeps it until another is."),
    ),
    Item(
        "R-26",
        _("Effects of an attack"),
        "R-26",
        _(
            "Trip, grab, siege wear and opposing a withdrawal need an attack made this phase; declarations, "
            "potions and healing do not."
        ),
    ),
    Item(
        "R-27",
        _("Declared for the rest of a battle"),
        "R-27",
        _(
            "Style and specialisation follow the blow, shot or melee; a challenge never moves to another "
            "army; smiting needs an evil target."
        ),
    ),
    Item(
        "R-28",
        _("False retreat and dirty fighters"),
        "R-28",
        _(
            "The lure names one enemy, and the next phase’s +6 holds against it alone; the phase of dirty "
            "fighting is declared."
        ),
    ),
    Item(
        "R-29",
        _("Trip and grab"),
        "R-29",
        _(
            "Each army that trips in melee takes 1 from its target’s DV this phase; each that grabs takes 2 "
            "from its morale checks."
        ),
    ),
    Item(
        "R-31",
        _("Withdrawal, closer"),
        "R-31",
        _(
            "All beaten: it leaves at once or shoots from afar. Some beaten: it leaves at the end, and "
            "every opponent may attack. None: it stays."
        ),
    ),
    Item(
        "R-32",
        _("Withdrawals without dice"),
        "R-32",
        _(
            "Armies that always withdraw or that nobody can see need no roll; otherwise a mindless opponent "
            "holds them without one."
        ),
    ),
    Item(
        "R-33",
        _("Taunt"),
        "R-33",
        _("It acts on the declared target; after two successes that army is immune to all taunts."),
    ),
    Item(
        "R-40",
        _("Damage, closer"),
        "R-40",
        _(
            "No difference left: the house minimum. Otherwise the factors, rounded down, at least 1; a "
            "natural 20’s single point is never multiplied."
        ),
    ),
    Item(
        "R-41",
        _("Extra dice"),
        "R-41",
        _("Rolled only when the attack hits and can hurt; one roll for each source."),
    ),
    Item(
        "R-43",
        _("Bleeding"),
        "R-43",
        _("One mark for each damaging melee attack, rolled at the start of the next phase, never multiplied."),
    ),
    Item("R-44", _("Drain and paralysis"), "R-44", _("They add up with every attack that does damage.")),
    Item(
        "R-45",
        _("Fear"),
        "R-45",
        _("An afraid army that fails a check with a fixed DC in the next phase routs without a reroll."),
    ),
    Item(
        "R-52",
        _("Last stand"),
        "R-52",
        _("Ferocity fights one more melee phase at −4; then the fate that had befallen it falls."),
    ),
    Item(
        "R-54",
        _("Spawn"),
        "R-54",
        _("The attack that takes the last hit point may heal the slayer or raise a new army."),
    ),
    Item(
        "R-55",
        _("A captured army"),
        "R-55",
        _("It keeps its hit points and morale and gives no parting shot; its commander is captured with it."),
    ),
    Item(
        "R-56",
        _("Victory, closer"),
        "R-56",
        _("Hit points first, then the checks, each victorious army its own; in a draw nobody wins."),
    ),
    Item(
        "R-69",
        _("Dice that lie"),
        "R-69",
        _("The dice of an aftermath stay as they fell; only an explicit act throws them again."),
    ),
    Item(
        "R-72",
        _("Difficult hexes on a march"),
        "R-72",
        _("A difficult hex takes two of the day’s hexes; what is left is carried into the next day."),
    ),
    Item(
        "R-81",
        _("What is chosen for a week"),
        "R-81",
        _("It holds for the whole week, is shown while it runs and may be changed until it ends."),
    ),
)
INDEX: Mapping[str, Item] = {rule.slug: rule for rule in _RULES}
