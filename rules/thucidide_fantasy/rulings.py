"""Rules of THUCIDIDE fantasy, one sentence each with its source mark, shown for rule ids. Rulings are in `readings`."""

from __future__ import annotations

from rules.core.content import SourceMark, items_told
from rules.core.text import _

DOCUMENT, RULING = SourceMark.DOCUMENT, SourceMark.RULING
LOST, SEEN = SourceMark.RECONSTRUCTION, SourceMark.SEEN


RULES = items_told(
    ("TF-1", _("Base rules"), LOST, _("Rules the annex relies on: observed, borrowed or invented.")),
    ("TF-1.1", _("Table"), SEEN,
     _("At least 9 × 12 hexes. One unit per hex, flying or not, and any number of its side’s characters.")),
    ("TF-1.2", _("Turn"), SEEN,
     _("Each side in turn: command, movement, combats, spells, victory. The first side is drawn at random.")),
    ("TF-1.3", _("Activation"), SEEN,
     _("Up to 9 units: one activation of 3. 10 to 15: one of 4. More: two of 3. Two lone characters are free.")),
    ("TF-1.4", _("Move"), LOST,
     _("Hexes by kind and weight. Units can’t cross enemies; light units can cross friends. A road adds 1.")),
    ("TF-1.5", _("Terrain"), LOST,
     _(
         "Difficult ground stops a move. Shelter takes a die from attackers, bad footing takes one from units "
         "fighting there."
     )),
    ("TF-1.6", _("Die"), DOCUMENT, _("Six faces: green, blue, red, flag, order letter, advantage.")),
    ("TF-1.7", _("Hits"), LOST,
     _("The heavier the target, the fewer colors hit it. Advantages hit in an assault or with support.")),
    ("TF-1.8", _("Dice"), LOST,
     _("Assault factor after moving into contact, otherwise melee; shot at range; plus experience. At least 1.")),
    ("TF-1.9", _("Stands of a unit"), LOST,
     _("Weak 3, normal 4, solid 5. Losses don’t reduce dice. A unit without stands is destroyed.")),
    ("TF-1.10", _("Flags"), SEEN,
     _("Each flag is a hex of retreat, two for mounted troops. A hex that can’t be taken costs a stand.")),
    ("TF-1.11", _("Riposte and pursuit"), SEEN,
     _("A supported defender strikes back. Mounted troops can pursue into the vacated hex and fight once more.")),
    ("TF-1.12", _("Tempers"), LOST, _("Tenacious, fanatic, hesitant, fleeing.")),
    ("TF-1.13", _("Counters"), SEEN,
     _(
         "A side starts with its general’s number and gains one for each order letter. Counters pay for one order "
         "a turn."
     )),
    ("TF-1.14", _("Weapons"), LOST, _("Each weapon has its dice. Fire burns flammable ground for 2 turns.")),
    ("TF-1.15", _("Shots"), LOST, _(
        "Shots need sight and range, and can’t target an adjacent enemy on the same level."
    )),
    ("TF-1.16", _("Victory"), SEEN,
     _("The first side to destroy the agreed number of units wins, by default a third, rounded up. At most 12 turns.")),
    ("TF-1.17", _("Physical table"), RULING, _("The GM can enter the result of each attack instead of dice.")),
    ("TF-2", _("Fantastic troops"), DOCUMENT, _("Creatures by natural weapons, kind, speed and traits.")),
    ("TF-2.1", _("Natural weapons"), DOCUMENT, _("Claw, bite, blow and jet, whatever the number of limbs.")),
    ("TF-2.2", _("Several weapons"), DOCUMENT,
     _("The weapon with the highest factors counts. More experience represents the others.")),
    ("TF-2.3", _("Masses and giants"), DOCUMENT,
     _("Masses are infantry, riders or animals. The huge count as chariots or elephants.")),
    ("TF-2.4", _("Creatures"), DOCUMENT, _("Goblins on wargs, giant spiders, mammoths, dragons.")),
    ("TF-2.5", _("Flyers"), DOCUMENT,
     _(
         "All at one height, over troops and terrain. They can attack the ground; ground units can’t start a melee "
         "with them."
     )),
    ("TF-3", _("Traits"), DOCUMENT, _("Inborn, or from an object shown by name.")),
    ("TF-3.1", _("Traits together"), RULING,
     _("Armor and great armor don’t add up, an aura doesn’t affect its bearer, and a trait counts once.")),
    ("TF-3.2", _("Hindrance"), LOST, _("In melee with the bearer, troops of animals or on mounts roll 1 fewer die.")),
    ("TF-3.3", _("Inverted armor"), LOST,
     _("In melee with it, the table of hits is reversed: level = 6 − weight.")),
    ("TF-4", _("Characters"), DOCUMENT, _("Leaders, heroes, casters, bearers of an aura, useful persons.")),
    ("TF-4.1", _("With a unit or alone"), DOCUMENT, _("A character is with a unit, in its hex, or alone.")),
    ("TF-4.2", _("Hero"), DOCUMENT,
     _("Armor, 1 to 3 melee dice, sometimes a shot, and resistance. Moves 1 extra hex. Doesn’t lead troops.")),
    ("TF-4.3", _("Heroes in combat"), DOCUMENT,
     _("A hero adds dice to the unit. Heroes on both sides fight each other first.")),
    ("TF-4.4", _("Heroes under attack"), DOCUMENT,
     _("A hero never flees. When the unit is destroyed, extra hits are rerolled against the hero.")),
    ("TF-4.5", _("Fleeing characters"), DOCUMENT,
     _("Lone casters, leaders and useful persons flee when attacked. Next to an enemy they are captured.")),
    ("TF-4.6", _("Player characters"), DOCUMENT,
     _("A leader, a hero or a caster, by rank and profession, or a unit with enough followers.")),
    ("TF-4.7", _("Fate"), DOCUMENT,
     _("1D6 for each stand lost; the highest counts. 6: death or capture, 4–5: a wound, otherwise escape.")),
    ("TF-5", _("Undead"), DOCUMENT, _("Called before the battle or by a spell, and only with a master.")),
    ("TF-5.1", _("Distance from the master"), DOCUMENT,
     _("Never more than 4 hexes from the master. They ignore flags and hinder all living troops.")),
    ("TF-5.2", _("Kinds of undead"), DOCUMENT, _("Skeletons, zombies, skeleton riders, ghouls.")),
    ("TF-5.3", _("Spells of the dead"), DOCUMENT, _("Animate the dead, warriors of dust, army of the dead, turning.")),
    ("TF-6", _("Magic"), DOCUMENT, _("Spells succeed without a roll.")),
    ("TF-6.1", _("Casting"), DOCUMENT,
     _("Announced instead of moving, cast after the combats, not next to an enemy. One spell per turn.")),
    ("TF-6.2", _("Supply of spells"), LOST, _("Six points of cards, or of spell prices, per caster.")),
    ("TF-6.3", _("Spells"), LOST,
     _("Target, range, effect and duration of each spell. Within 3 hexes unless stated otherwise.")),
    ("TF-6.4", _("Readings of spells"), RULING,
     _("Healing never revives a unit. Shots at a unit with the bell roll only 1 die. Magical shots ignore "
       "range and height.")),
    ("TF-7", _("Gods"), DOCUMENT, _("2D6: the god is angry, doesn’t listen, carries the caster home or intervenes.")),
    ("TF-8", _("Troops and points"), LOST,
     _("The starter tables. Elite +1 point, guard +2, a hero 3, a caster their spell points.")),
    ("TF-9", _("Who commands"), RULING, _("Sets who commands which units, when dice are rolled and what is secret.")),
    ("TF-HOUSE", _("House rules"), RULING, _("Lists the options a campaign can set.")),
)  # fmt: skip
