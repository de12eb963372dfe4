"""Rules of THUCIDIDE fantasy, a sentence each with its mark: where a rule id leads. Rulings stand in `readings`."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.content import Item, SourceMark
from rules.core.text import Term, _

DOCUMENT, RULING = SourceMark.DOCUMENT, SourceMark.RULING
LOST, SEEN = SourceMark.RECONSTRUCTION, SourceMark.SEEN


def items_told(*told: tuple[str, Term, SourceMark, Term]) -> Mapping[str, Item]:
    """What rules say: id, name, mark, one sentence."""
    return {rule: Item(rule, name, rule, summary, mark=mark) for rule, name, mark, summary in told}


RULES = items_told(
    ("TF-1", _("Base rules"), LOST, _("What the annex presupposes, seen, borrowed or invented.")),
    ("TF-1.1", _("Table"), SEEN,
     _("At least 9 × 12 hexes. One unit in a hex, flying or not, and any number of own characters.")),
    ("TF-1.2", _("Turn"), SEEN,
     _("Each side in turn: command, movement, combats, spells, victory. The side that begins is drawn by lot.")),
    ("TF-1.3", _("Activation"), SEEN,
     _("Up to 9 units: one activation of 3; 10 to 15: one of 4; more: two of 3. Two isolated characters are free.")),
    ("TF-1.4", _("Move"), LOST,
     _("Hexes by kind and weight. Nobody crosses an enemy; light units cross friends. A road gives 1 more.")),
    ("TF-1.5", _("Terrain"), LOST,
     _("Difficult ground stops; shelter takes a die from attackers; bad footing takes one from whoever fights there.")),
    ("TF-1.6", _("The die"), DOCUMENT, _("Six faces: green, blue, red, flag, order letter, advantage.")),
    ("TF-1.7", _("Hits"), LOST,
     _("The heavier the target, the fewer colors hit it. Advantages hit in an assault or with support.")),
    ("TF-1.8", _("Dice"), LOST,
     _("Assault factor for whoever moved into contact, else melee; shot at range; plus experience. At least 1.")),
    ("TF-1.9", _("Stands of a unit"), LOST,
     _("Weak 3, normal 4, solid 5. Losses don’t reduce dice; without stands a unit is destroyed.")),
    ("TF-1.10", _("Flags"), SEEN,
     _("Each flag left is a hex of retreat, two for mounted troops; a hex that can’t be taken costs a stand.")),
    ("TF-1.11", _("Riposte and pursuit"), SEEN,
     _("A supported defender strikes back. Mounted troops may pursue into a hex they emptied and fight once more.")),
    ("TF-1.12", _("Tempers"), LOST, _("Tenacious, fanatic, hesitant, fleeing.")),
    ("TF-1.13", _("Counters"), SEEN,
     _("A side begins with its general’s number and gains one for each order letter. They pay for one order a turn.")),
    ("TF-1.14", _("Weapons"), LOST, _("Dice of weapons. Fire lights flammable ground for 2 turns.")),
    ("TF-1.15", _("Shots"), LOST, _("Need sight and range; not at an adjacent enemy on the same level.")),
    ("TF-1.16", _("Victory"), SEEN,
     _("Whoever first destroys the agreed number of units wins, by default a third, rounded up. 12 turns at most.")),
    ("TF-1.17", _("Physical table"), RULING, _("The GM may report what came of each attack instead of the dice.")),
    ("TF-2", _("Fantastic troops"), DOCUMENT, _("Creatures by natural weapons, kind, speed and traits.")),
    ("TF-2.1", _("Natural weapons"), DOCUMENT, _("Claw, bite, blow and jet, however many limbs there are.")),
    ("TF-2.2", _("Several weapons"), DOCUMENT,
     _("The one with the highest factors counts; more experience stands for the rest.")),
    ("TF-2.3", _("Masses and giants"), DOCUMENT,
     _("Masses are foot, riders or animals; the huge are chariots or elephants.")),
    ("TF-2.4", _("Creatures"), DOCUMENT, _("Goblins on wargs, giant spiders, mammoths, dragons.")),
    ("TF-2.5", _("Flyers"), DOCUMENT,
     _("All at one height, over troops and terrain. They strike the ground; the ground never opens a melee on them.")),
    ("TF-3", _("Traits"), DOCUMENT, _("Inborn, or from an object, which is shown by its name.")),
    ("TF-3.1", _("Traits together"), RULING,
     _("Armor and great armor don’t add; an aura doesn’t touch its bearer; a trait counts once.")),
    ("TF-3.2", _("Hindrance"), LOST, _("In melee with the bearer, a troop of or on animals rolls 1 die less.")),
    ("TF-3.3", _("Inverted armor"), LOST,
     _("In its melee the ladder of hits is read upside down: level = 6 − weight.")),
    ("TF-4", _("Characters"), DOCUMENT, _("Leaders, heroes, casters, bearers of an aura, useful persons.")),
    ("TF-4.1", _("With a unit or alone"), DOCUMENT, _("A character is with a unit, in its hex, or isolated.")),
    ("TF-4.2", _("Hero"), DOCUMENT,
     _("Armor, 1 to 3 melee dice, perhaps a shot, resistance. Moves 1 hex more; leads nobody.")),
    ("TF-4.3", _("Heroes in combat"), DOCUMENT,
     _("A hero adds dice to the unit; heroes on both sides fight each other first.")),
    ("TF-4.4", _("Heroes under attack"), DOCUMENT,
     _("A hero never flees. When the unit is destroyed, hits beyond its stands are rolled again against the hero.")),
    ("TF-4.5", _("Characters who flee"), DOCUMENT,
     _("Casters, leaders and useful persons who are alone flee when attacked; next to an enemy they are captured.")),
    ("TF-4.6", _("Player characters"), DOCUMENT,
     _("By rank and trade a leader, a hero, a caster, or a unit with enough followers.")),
    ("TF-4.7", _("Fate"), DOCUMENT,
     _("1D6 for each stand lost, the highest counts: 6 death or prison, 4–5 a wound, else away.")),
    ("TF-5", _("Undead"), DOCUMENT, _("Called before the battle or by a spell, only with a master.")),
    ("TF-5.1", _("Leash"), DOCUMENT,
     _("Never more than 4 hexes from the master. They ignore flags and hinder all who live.")),
    ("TF-5.2", _("Kinds of undead"), DOCUMENT, _("Skeletons, zombies, skeleton riders, ghouls.")),
    ("TF-5.3", _("Spells of the dead"), DOCUMENT, _("Animate the dead, warriors of dust, army of the dead, turning.")),
    ("TF-6", _("Magic"), DOCUMENT, _("Spells succeed without a roll.")),
    ("TF-6.1", _("Casting"), DOCUMENT,
     _("Announced instead of moving, cast after the combats, not next to an enemy. One spell a turn.")),
    ("TF-6.2", _("Supply"), LOST, _("Six points of cards, or of prices, for each caster.")),
    ("TF-6.3", _("Spells"), LOST,
     _("Target, range, effect and duration of each spell. Within 3 hexes unless it says otherwise.")),
    ("TF-6.4", _("Readings of spells"), RULING,
     _("Healing never revives; the bell leaves each shot one die; magical shots ignore range and height.")),
    ("TF-7", _("Gods"), DOCUMENT, _("2D6: the god is angry, doesn’t listen, carries the caster home or intervenes.")),
    ("TF-8", _("Troops and points"), LOST,
     _("The starter tables. Elite +1 point, guard +2; a hero 3, a caster as many as their points of spells.")),
    ("TF-9", _("Who commands"), RULING, _("Who commands what, which dice fall when, and what is secret.")),
    ("TF-HOUSE", _("House rules"), RULING, _("What a campaign may set of this law.")),
)  # fmt: skip
