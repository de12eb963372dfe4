"""Texts of rule ids: each rule of THUCIDIDE fantasy and each ruling on it in one sentence, with the mark of its source.
Pages link rule ids to them.
"""

from __future__ import annotations

from rules.core.content import SourceMark, items_told
from rules.core.text import Term, _

# Rules of THUCIDIDE fantasy, one sentence each with its source mark, shown for rule ids. Rulings are in `readings`.

DOCUMENT, RULING = SourceMark.DOCUMENT, SourceMark.RULING
LOST, SEEN = SourceMark.RECONSTRUCTION, SourceMark.SEEN


RULES = items_told(
    ("TF-1", _("Base rules"), LOST, _("Rules the annex relies on: observed, borrowed or invented.")),
    ("TF-1.1", _("Table"), SEEN,
     _("At least 9 × 12 hexes. One unit per hex, flying or not, and any number of its side’s characters.")),
    ("TF-1.2", _("Turn"), SEEN,
     _("Each side in turn: command, movement, combats, spells, victory. The first side is drawn at random.")),
    ("TF-1.3", _("Activation"), SEEN,
     _("Up to 9 units: one activation of 3. 10 to 15: one of 4. More: two of 3. Two lone characters are activated "
       "for free.")),
    ("TF-1.4", _("Move"), LOST,
     _("Hexes depend on kind and weight. Units can’t cross enemies; light units can cross friends. A road adds 1.")),
    ("TF-1.5", _("Terrain"), LOST,
     _(
         "Difficult ground stops a move. Shelter takes a die from attackers, bad footing takes one from units "
         "fighting there."
     )),
    ("TF-1.6", _("Die"), DOCUMENT, _("Six faces: green, blue, red, flag, order letter, advantage.")),
    ("TF-1.7", _("Hits"), LOST,
     _("The heavier the target, the fewer colors hit it. Advantages hit in an assault or with support.")),
    ("TF-1.8", _("Dice"), LOST,
     _("Dice: assault factor after moving into contact, otherwise melee factor; shot factor at range; plus "
       "experience. At least 1.")),
    ("TF-1.9", _("Stands of a unit"), LOST,
     _("Weak 3, normal 4, solid 5. Losses don’t reduce dice. A unit without stands is destroyed.")),
    ("TF-1.10", _("Flags"), SEEN,
     _("Each flag means a retreat of 1 hex, or 2 for mounted troops. Each hex the unit can’t retreat costs a stand.")),
    ("TF-1.11", _("Riposte and pursuit"), SEEN,
     _("A supported defender strikes back. Mounted troops can pursue into the vacated hex and fight once more.")),
    ("TF-1.12", _("Tempers"), LOST, _("Tenacious, fanatic, hesitant, fleeing.")),
    ("TF-1.13", _("Counters"), SEEN,
     _(
         "A side starts with its general’s counters and gains one for each order letter. Counters pay for one "
         "order a turn."
     )),
    ("TF-1.14", _("Weapons"), LOST, _("Each weapon has its dice. Fire burns flammable ground for 2 turns.")),
    ("TF-1.15", _("Shots"), LOST, _(
        "Shots need sight and range, and can’t target an adjacent enemy on the same level."
    )),
    ("TF-1.16", _("Victory"), SEEN,
     _("The first side to destroy the agreed number of units wins, by default a third, rounded up. At most 12 turns.")),
    ("TF-1.17", _("Physical table"), RULING, _("The GM can enter the result of each attack instead of dice.")),
    ("TF-2", _("Fantastic troops"), DOCUMENT, _("Creatures, described by natural weapons, kind, speed and traits.")),
    ("TF-2.1", _("Natural weapons"), DOCUMENT, _("Claw, bite, blow and jet, whatever the number of limbs.")),
    ("TF-2.2", _("Several weapons"), DOCUMENT,
     _("The weapon with the highest factors counts. Extra experience represents the others.")),
    ("TF-2.3", _("Masses and giants"), DOCUMENT,
     _("Masses are infantry, riders or animals. Giants count as chariots or elephants.")),
    ("TF-2.4", _("Creatures"), DOCUMENT, _("Goblins on wargs, giant spiders, mammoths, dragons.")),
    ("TF-2.5", _("Flyers"), DOCUMENT,
     _(
         "All flyers are at one height, over troops and terrain. They can attack ground units, which can’t start a "
         "melee with them."
     )),
    ("TF-3", _("Traits"), DOCUMENT, _("Traits are inborn or come from a named object.")),
    ("TF-3.1", _("Traits together"), RULING,
     _("Armor and great armor don’t add up, an aura doesn’t affect its bearer, and a trait counts once.")),
    ("TF-3.2", _("Hindrance"), LOST, _("In melee with the bearer, animal and mounted troops roll 1 fewer die.")),
    ("TF-3.3", _("Inverted armor"), LOST,
     _("In melee with the bearer, the table of hits is reversed: level = 6 − weight.")),
    ("TF-4", _("Characters"), DOCUMENT, _("Leaders, heroes, casters, aura bearers and useful people.")),
    ("TF-4.1", _("With a unit or alone"), DOCUMENT, _("A character is with a unit, in its hex, or alone.")),
    ("TF-4.2", _("Hero"), DOCUMENT,
     _("A hero has armor, 1 to 3 melee dice, sometimes a shot, and resistance. Moves 1 extra hex. Doesn’t lead "
       "troops.")),
    ("TF-4.3", _("Heroes in combat"), DOCUMENT,
     _("A hero adds dice to the unit. Heroes on both sides fight each other first.")),
    ("TF-4.4", _("Heroes under attack"), DOCUMENT,
     _("A hero never flees. When the unit is destroyed, extra hits are rerolled against the hero.")),
    ("TF-4.5", _("Fleeing characters"), DOCUMENT,
     _("Lone casters, leaders and useful people flee when attacked. Next to an enemy they are captured.")),
    ("TF-4.6", _("Player characters"), DOCUMENT,
     _("Player characters are leaders, heroes or casters by rank and profession, or a unit with enough followers.")),
    ("TF-4.7", _("Fate"), DOCUMENT,
     _("1D6 for each stand lost; the highest counts. 6: death or capture, 4–5: a wound, otherwise escape.")),
    ("TF-5", _("Undead"), DOCUMENT, _("Undead are called before the battle or by a spell, and only with a master.")),
    ("TF-5.1", _("Distance from the master"), DOCUMENT,
     _("Undead stay within 4 hexes of their master. They ignore flags and hinder all living troops.")),
    ("TF-5.2", _("Kinds of undead"), DOCUMENT, _("Skeletons, zombies, skeleton riders, ghouls.")),
    ("TF-5.3", _("Spells of the dead"), DOCUMENT, _("Animate the dead, warriors of dust, army of the dead, turning.")),
    ("TF-6", _("Magic"), DOCUMENT, _("Spells succeed without a roll.")),
    ("TF-6.1", _("Casting"), DOCUMENT,
     _("A spell is announced instead of moving and cast after the combats, not next to an enemy. One spell per turn.")),
    ("TF-6.2", _("Supply of spells"), LOST, _("Each caster has six points for cards or spells.")),
    ("TF-6.3", _("Spells"), LOST,
     _("Target, range, effect and duration of each spell. Within 3 hexes unless stated otherwise.")),
    ("TF-6.4", _("Spell rulings"), RULING,
     _("Healing never revives a unit. Shots at a unit with the bell roll only 1 die. Magical shots ignore "
       "range and height.")),
    ("TF-7", _("Gods"), DOCUMENT, _("2D6: the god is angry, doesn’t listen, carries the caster home or intervenes.")),
    ("TF-8", _("Troops and points"), LOST,
     _("The starter tables. Elite +1 point, guard +2, a hero 3, a caster their spell points.")),
    ("TF-9", _("Command and secrets"), RULING,
     _("Sets who commands which units, when dice are rolled and what is secret.")),
    ("TF-HOUSE", _("House rules"), RULING, _("Lists the options a campaign can set.")),
)  # fmt: skip


# Rulings on THUCIDIDE fantasy, one sentence each: list T, and the part of list C on its armies.


def _ruled(*told: tuple[str, Term, Term]) -> tuple[tuple[str, Term, SourceMark, Term], ...]:
    return tuple((rule, name, RULING, summary) for rule, name, summary in told)


READINGS = items_told(*_ruled(
    ("T-1", _("Units that count"),
     _("Units on the table count; characters and phantoms don’t. A character with an activated unit moves with it.")),
    ("T-2", _("Difficult ground"),
     _(
         "Difficult ground stops a unit that enters. A unit that starts there moves normally. Units can’t leave "
         "the table by moving."
     )),
    ("T-3", _("Assault or melee"), _(
        "A unit that started its move next to its target uses melee, even if it takes a step."
    )),
    ("T-4", _("Pursuit"), _(
        "Pursuit is possible once per turn, but not after a riposte that moved or destroyed the victor."
    )),
    ("T-5", _("Retreating together"),
     _("Characters retreat with their unit. On its base line each flag costs a unit a stand.")),
    ("T-6", _("Fanatics"), _("An activated fanatic must end its move closer to the nearest enemy, and attack "
                             "it if possible.")),
    ("T-7", _("Orders"),
     _("An unused forced march is lost. Reconnaissance comes before activations. Counters can be saved.")),
    ("T-8", _("Adjacent flyers"),
     _("A flyer in the next hex counts as adjacent for casting and fleeing. It can carry one infantry unit.")),
    ("T-9", _("Fleeing"), _(
        "The player chooses where characters flee, by default away from enemies. They stop at a friendly unit."
    )),
    ("T-10", _(
        "Distance from the master"
    ), _("The distance to the master is checked after every move, retreat and spell of master or undead.")),
    ("T-11", _("Turned undead"),
     _("Turned undead belong to the other side for those turns and attack if they can. Each grave can be used once.")),
    ("T-12", _("Announced spells"), _(
        "The announcement is void if an enemy is adjacent when the spell is cast. The card is kept."
    )),
    ("T-13", _("Repeated spells"),
     _("Casting the same spell twice on a unit doesn’t add up. Counterspell ends a spell, not its past effects.")),
    ("T-14", _("Hatred"), _("Unless it is activated, the target only ignores flags.")),
    ("T-15", _("Phantoms"),
     _("A phantom moves and is activated like a unit, supports no other unit, and is revealed on contact.")),
    ("T-16", _("Elements"), _("A connected patch of one terrain, at most 7 hexes.")),
    ("T-17", _("Gifts of the gods"), _("Copies and returned stands don’t reduce the number of destroyed units.")),
    ("T-18", _("Self-inflicted losses"),
     _(
         "A unit destroyed by its own side’s spell, turned to dust or gone counts for the enemy, unless it was "
         "summoned."
     )),
    ("T-19", _("Burning hexes"),
     _("Units in a burning hex leave it at once, toward their own edge first. Those that can’t are destroyed.")),
    ("T-20", _("One leader per activation"),
     _("Each activation in a turn needs a different leader. Once all have led, an activation covers one unit.")),
    ("T-21", _("Adjacent flyers"), _("A campaign can decide that adjacent flyers don’t count as adjacent.")),
    ("T-22", _("Affinities"), _(
        "An affinity is a troop type listed with the trait. The bearer’s own type always counts as one."
    )),
    ("T-23", _("Order of a combat"),
     _("Dice, letters, hits, confirmations, losses, flags, retreat, then riposte and pursuit.")),
    ("T-24", _("Hexes toward the base line"),
     _("Of several possible hexes, the unit takes the one with the fewest adjacent enemies. Difficult ground "
       "doesn’t stop a retreat.")),
    ("T-25", _("Hexes of a move"),
     _("Each hex costs 1. Roads and the trait rapid add to both moves, with and without fighting.")),
    ("T-26", _("Guns"), _("Artillery that moved this turn can’t shoot.")),
    ("T-27", _("Heroes first"), _("Heroes on both sides fight first and then add no dice to their units.")),
    ("T-28", _("Hero left in the hex"), _("A hero whose unit is destroyed stays in the hex, alone.")),
    ("T-29", _("Forced moves and attacks"), _("A phase only ends when forced moves and attacks are done.")),
    ("T-30", _("Counters of a side"), _(
        "Counters belong to the side. Without its general, reconnaissance gains none."
    )),
    ("T-31", _("Secrecy of phantoms"), _("To the enemy a phantom looks like any other unit.")),
    ("T-32", _("Rebound and volley"),
     _("A rebound applies the attacker’s own roll to the attacker. A volley turns an enemy’s spell on its caster.")),
    ("T-33", _("Turning"), _("A turned unit attacks at once and in the next two spell phases, then turns to dust.")),
    ("T-34", _("Rerolls"), _("A side with a reroll decides after each roll, before it is applied.")),
    ("T-35", _("Points of casters"),
     _("A caster’s limit is their points, usually 6. Without cards they get a starter set.")),
    ("T-36", _("Duration of spells"),
     _("Until the end of the next spell phase of the caster’s side, or of the one after.")),
    ("T-37", _("Skeleton riders"), _("Heavy cavalry, 4 stands, 2–2, undead, 5 points.")),
    ("T-38", _("Heights"), _("Height alone has no effect in melee. A flyer is above every hill.")),
    ("T-39", _("Hex to flee to"),
     _("A hex in reach. With a friendly unit the character is safe; otherwise an adjacent enemy captures them.")),
    ("T-40", _("Results entered by the GM"), _("Stands, flags, hexes and counters for every roll of a combat.")),
    ("T-41", _("Victory numbers"),
     _("Checked whenever a unit leaves the table. Summoned units and phantoms don’t count.")),
    ("T-42", _("One extra unit"), _("Ten units activate more per turn than nine; the setup warns about it.")),
    ("T-43", _("Balance of forces"), _("Measured by battles between computer players.")),
    ("T-44", _("Troops of animals"), _("Cavalry, camelry, chariots, elephants, and units marked as animals.")),
    ("T-45", _("White troops"), _("An advantage alone hits very light troops, also when shooting.")),
    ("T-46", _("Confirming losses"),
     _("Weight first, then invulnerability, then protection against fire: one die per loss left.")),
    ("T-47", _("Flight by spells"), _("Spells can’t make a unit fly. A character in a flyer’s hex is carried.")),
    ("T-48", _("Adjacent enemy"), _(
        "Only units and heroes count. Other characters don’t threaten, but enemies can’t enter their hexes."
    )),
    ("T-49", _("Counting as fleeing"), _("Threat adds flags. It doesn’t prevent a unit from starting a melee.")),
    ("T-50", _("Limits of flyers"), _("Only the god’s bell and darkness affect flyers, not terrain, walls or fire.")),
    ("T-51", _("Heroes on foot"), _("A lone hero ignores difficult ground.")),
    ("T-52", _("Speed"), _("Rapid and very rapid don’t add up; the better one counts.")),
    ("T-53", _("Flyers crossing"),
     _("Flyers cross anything on the ground. Between flyers the rules of crossing apply.")),
    ("T-54", _("Nearest enemy"), _("Counted over ground the fanatic can enter, ignoring troops in between.")),
    ("T-55", _("Foul touch"), _(
        "Foul touch reverses the table of hits for attacks by ghouls, not for attacks on them."
    )),
    ("T-56", _("Armor against shots"), _("Armor, great armor and blur count against shots and spell shots as well.")),
    ("T-57", _("Unaffected"), _("The unit is immune to hindrance by animals, but not to threat or spells.")),
    ("T-58", _("A hero’s shot"),
     _("A hero’s shot is added to the unit’s within the hero’s own range. Melee dice are never added to a shot.")),
    ("T-59", _("Shelter"), _("Shelter also takes a die from a riposte, and bad footing takes one from shots.")),
    ("T-60", _("Combat in the dark"), _("1 fewer die in combat from or into the hex, even for flyers.")),
    ("T-61", _("Units destroyed twice"), _("A unit returned by a god and destroyed again counts once.")),
    ("T-62", _("Carried casters"), _(
        "A caster who retreated or was carried in their own turn has moved, and can’t cast a spell."
    )),
    ("T-63", _("Flags on the base line"), _("One stand per flag, also for mounted troops.")),
    ("T-65", _("Order letters"),
     _("Order letters count in attacks, shots, ripostes, hero duels and surplus rolls, not in confirmations or "
       "spells.")),
    ("T-66", _("Surplus"), _("Confirmed losses beyond the unit’s stands are rolled against the first hero.")),
    ("T-67", _("On a physical table"), _("There is no surplus, and shots don’t set anything on fire.")),
    ("T-68", _("Heroes in fire"), _("A lone hero in a burning hex loses a stand. All characters leave it.")),
    ("T-69", _("Walls"), _("Walls prevent melee and pursuit on the ground, not shots, support or ripostes.")),
    ("T-70", _("Groves"),
     _("A grove can’t be attacked and doesn’t threaten. It ends when its unit acts or a unit walks into it.")),
    ("T-71", _("Targets of shots"), _("Only units and heroes can be shot at. Other characters are driven off by "
                                      "contact.")),
    ("T-72", _("Several heroes"), _("Heroes are paired in order. Those left over add dice to their units.")),
    ("T-73", _("Hero duels"),
     _("Terrain, support and spells of the hexes count, but not the units’ experience. Flags have no effect.")),
    ("T-74", _("Pursuing"), _("Only the attacker can pursue, and only a target next to the vacated hex.")),
    ("T-75", _("Farewell"), _(
        "The unit goes to the nearest free hex of the base line. Undead stay within 4 hexes of their master."
    )),
    ("T-76", _("Choosing an element"),
     _("Any connected part of an element, with one hex within 3 hexes. Open ground and roads don’t count.")),
    ("T-77", _("Attacks of turned undead"), _("Turned undead walk up to 3 hexes to the nearest hex adjacent to "
                                              "their target.")),
    ("T-78", _("Spells on characters"),
     _("Hostile spells can target heroes, and other characters only when they are alone.")),
    ("T-79", _("Targets of turning"), _("Only enemy undead can be turned.")),
    ("T-80", _("Fire spells"),
     _("On an empty hex the dice only decide whether it burns. A shot at a flyer sets nothing on fire.")),
    ("T-81", _("Weapons of the raised"), _("A raised unit fights as zombies with its old weapons.")),
    ("T-82", _("Copies and servants"), _("They count as real units that aren’t undead.")),
    ("T-83", _("The god’s servant"), _(
        "The servant appears within 3 hexes of the caster. It shoots or flies if its type does."
    )),
    ("T-84", _("One general"),
     _(
         "A side has one general: that of the first army, unless the GM chooses another. Without a general it has "
         "no counters."
     )),
    ("T-85", _("Who goes first"), _("The higher roll goes first. Equal rolls are rerolled.")),
    ("T-86", _("Reconnaissance"), _("The two free characters can still act.")),
    ("T-87", _("Woodsman"), _("The order gives the number of hexes and costs 2 for each.")),
    ("T-89", _("Carrying"),
     _("A flyer picks up an adjacent infantry unit that hasn’t moved and sets it down next to where the flyer "
       "ends its move.")),
    ("T-90", _("Free characters"), _("The two free characters need no leader.")),
    ("T-91", _("No adjacent enemy"), _("Checked when a spell is announced and when it is cast.")),
    ("T-92", _("Undead out of range"),
     _("Beyond 4 hexes, undead can only move closer to their master. At the end of their turn they turn to dust.")),
    ("T-93", _("Counterspell on turning"),
     _("The unit returns to its side, and to its master if in range. Otherwise it turns to dust.")),
    ("T-94", _(
        "Characters with turned undead"
    ), _("Characters with turned undead leave the hex. Those who can’t are captured.")),
    ("T-95", _("Fighting from houses"),
     _("Infantry in houses counts as supported when attacked, not when attacking.")),
    ("T-96", _("Paralyzed characters"), _("A paralyzed character can’t flee, and is captured if attacked.")),
    ("T-97", _("Reinforcements"),
     _("Reinforcements are placed on free hexes of the base line. They count from their side’s next command phase.")),
    ("T-98", _("Choices for spells"),
     _("The player chooses where a god’s returned stands, copies and servants go, and the targets of spells.")),
    ("T-99", _("Riposte against flyers"), _("A ground unit strikes back at a flyer even without support.")),
    ("D-2", _("Flyers, against the annex"),
     _("An adjacent flyer counts as adjacent, although the annex treats it as separated by height.")),
    ("D-3", _("Affinities in the table"), _("The row for hindrance in the table of traits is the rule in play: T-22.")),
    ("D-4", _("One unit per hex"), _(
        "The annex allows one unit, flying or not. Not counting characters is a ruling."
    )),
    ("M-8", _("Fleeing leaders"), _("Counting leaders among those who flee is a ruling.")),
), *(
    ("C-1", _("An army"), LOST, _("An army is one contingent; its commander leads it.")),
    ("C-3", _("An army’s document"), LOST, _("1 to 20 units and up to 8 characters, plus the commander.")),
    ("C-4", _("Health"), LOST, _("Counted in stands. From afar, only troop types and a rough number of stands show.")),
    ("C-5", _("Upkeep"), LOST, _("In Build Points per week: a quarter of the army’s points, at least 1.")),
    ("C-6", _("After the battle"), LOST,
     _("Lost stands stay lost. A destroyed unit keeps one stand if its side won; otherwise it is gone.")),
    ("C-7", _("A quiet week"), LOST, _("Each unit regains a stand.")),
    ("C-8", _("Points"), LOST, _("The points in the tables are the only price.")),
    ("C-9", _("Dividing and combining armies"), LOST,
     _("Outside battles and marches, units and characters go from one contingent to another of the same kingdom and "
       "place, or form a new one. Each must remain a valid contingent. Units that fought this week only join others "
       "that did.")),
))  # fmt: skip
