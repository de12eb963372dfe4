"""Spells, gods and undead of THUCIDIDE fantasy as data (TF-5, TF-6.3, TF-7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.content import SourceMark
from rules.core.text import Term, _
from rules.thucidide_fantasy.spec import (
    CHAIN,
    ELEMENT,
    ENEMY,
    ENEMY_OR_HEX,
    ENEMY_UNDEAD,
    FANATIC,
    FREE_HEX,
    FRIEND,
    GRAVE,
    HEX,
    NEXT,
    NOTHING,
    NOW,
    TWO,
    UNIT,
    UNIT_OR_HEX,
    WHILE,
    BorneTrait,
    DivineResult,
    Spell,
    by_slug,
)

# Spells of THUCIDIDE fantasy as data (TF-6.3, 5.3): cost, target, range, duration and effect.

TRAIT, SPELL_SHOT, BLOWS, HEALING, DICE, FLAGS = "trait", "shot", "blows", "healing", "dice", "flags"
"""Effects that a campaign's own spells may use too: they need only a trait, a weapon or a number of dice."""


def _spell(slug: str, name: Term, cost: int, on: str, summary: Term, lasts: str = NOW, **rest: Any) -> Spell:
    """A spell. Its effect is named by its own slug unless `rest` gives one."""
    told = {"effect": slug, "rule": "TF-6.3", **rest}
    return Spell(slug, name, told.pop("rule"), summary, cost, on, lasts=lasts, mark=SourceMark.RECONSTRUCTION, **told)


SPELLS: Mapping[str, Spell] = {spell.slug: spell for spell in (
    _spell("divine-appeal", _("Appeal to the divinity"), 3, NOTHING,
           _("Roll 2D6: the god is angry, doesn’t listen, carries the caster home or intervenes.")),
    _spell("armour", _("Spell of armor"), 1, FRIEND, _("A friendly unit counts as 1 weight class heavier."), NEXT,
           effect=TRAIT, trait="armour"),
    _spell("farewell", _("Farewell"), 3, UNIT, _("A unit goes to the nearest free hex of its base line."), NOW),
    _spell("blessing", _("Blessing"), 2, FRIEND, _("A friendly unit counts as 2 weight classes heavier."), NEXT,
           effect=TRAIT, trait="great-armour"),
    _spell("grove", _("Grove"), 1, UNIT,
           _("A unit looks like woods until it moves or fights: it blocks sight and can’t be targeted."), WHILE),
    _spell("bell", _("Bell of protection"), 1, FRIEND, _("Shots and magic against a friendly unit roll 1 die."), NEXT,
           effect=TRAIT, trait="bell"),
    _spell("counterspell", _("Counterspell"), 1, UNIT_OR_HEX, _("Ends one active spell on a unit or hex.")),
    _spell("elite", _("Elite spell"), 1, FRIEND, _("A friendly unit rolls 1 extra die in combat."), NEXT,
           effect=DICE, dice=1),
    _spell("enthusiasm", _("Enthusiasm"), 1, FRIEND, _("A friendly unit ignores 2 flags."), NEXT, effect=FLAGS, dice=2),
    _spell("shackles", _("Shackles"), 1, HEX,
           _("The hex stops units that enter. Combats into or out of it roll at most 2 dice."), NEXT, dice=2),
    _spell("fanaticism", _("Fanaticism"), 1, FRIEND, _("A friendly unit becomes fanatic."), NEXT,
           effect=TRAIT, trait=FANATIC),
    _spell("magic-arrows", _("Magic arrows"), 2, ENEMY, _("A shot like that of a composite bow: 3 dice."),
           effect=SPELL_SHOT, weapon="composite-bow"),
    _spell("hatred", _("Hatred"), 1, ENEMY, _("An enemy unit becomes fanatic: once activated, it has to attack."), NEXT,
           effect=TRAIT, trait=FANATIC),
    _spell("immunity", _("Immunity"), 1, FRIEND,
           _("A friendly unit ignores hindrance by animals and undead, including magical effects."), NEXT,
           trait="unaffected"),
    _spell("slowness", _("Slowness"), 1, ENEMY, _("An enemy unit moves 1 hex less and rolls 1 fewer die."), NEXT,
           dice=-1),
    _spell("word-of-power", _("Word of power"), 2, ENEMY,
           _("A shot like medium artillery, 3 dice. Advantages count as flags. Can also target characters."),
           effect=SPELL_SHOT, weapon="artillery-medium", character=True, advantages=True),
    _spell("allied-nature", _("Allied nature"), 2, ELEMENT,
           _("Up to 7 adjacent hexes of one terrain: friends pass freely, enemies can’t enter. 2 turns."), TWO),
    _spell("darkness", _("Darkness spell"), 2, HEX,
           _("A hex within 5 hexes: sight and shots only to adjacent hexes, 1 fewer die in combat. 2 turns."), TWO,
           range=5, dice=-1),
    _spell("fear", _("Fear spell"), 1, UNIT, _("2 dice: each flag or advantage counts as a flag that support can’t "
                                               "cancel."),
           effect=BLOWS, dice=2, advantages=True),
    _spell("rain-of-fire", _("Rain of fire"), 3, ENEMY_OR_HEX,
           _("2 shots like heavy rockets, 2 dice each. Can set the hex on fire."),
           effect=SPELL_SHOT, weapon="rockets-heavy", times=2),
    _spell("rebound", _("Rebound"), 3, FRIEND,
           _("Attacks and shots at a friendly unit or character hit the attacker."), NEXT, character=True),
    _spell("repulsion", _("Repulsion"), 1, ENEMY,
           _("An enemy unit has to move away from the caster, or can’t be activated. 2 turns."), TWO),
    _spell("major-healing", _("Major healing"), 1, FRIEND, _("2 dice: each flag or advantage gives back a stand."),
           effect=HEALING, dice=2, advantages=True),
    _spell("minor-healing", _("Minor healing"), 1, FRIEND, _("2 dice: each flag gives back a stand."),
           effect=HEALING, dice=2),
    _spell("total-healing", _("Total healing"), 2, FRIEND, _("4 dice: each flag or advantage gives back a stand."),
           effect=HEALING, dice=4, advantages=True),
    _spell("stop", _("Stop spell"), 1, ENEMY, _("An enemy unit can only move toward its own edge."), NEXT),
    _spell("fire-storm", _("Storm of fire"), 5, ENEMY_OR_HEX,
           _("3 shots like very heavy rockets, 3 dice each. Can set the hex on fire."),
           effect=SPELL_SHOT, weapon="rockets-very-heavy", times=3),
    _spell("terror", _("Terror"), 2, UNIT, _("4 dice: each flag or advantage counts as a flag that support "
                                             "can’t cancel."),
           effect=BLOWS, dice=4, advantages=True),
    _spell("phantom-troop", _("Phantom troop"), 1, FREE_HEX,
           _("An illusion of a unit type in the army, without shots. Disappears on contact or when shot at."), WHILE),
    _spell("vade-retro", _("Vade retro"), 1, ENEMY,
           _("An enemy unit retreats 2 hexes, or as far as it can, without losses."),
           dice=2),
    _spell("speed", _("Speed"), 1, FRIEND, _("A friendly unit moves 1 extra hex and still fights."), NEXT,
           effect=TRAIT, trait="rapid"),
    _spell("volley", _("Volley"), 1, FRIEND,
           _("Enemy spells on a friendly unit or character hit their caster."), NEXT, character=True),
    _spell("animate-dead", _("Animate the dead"), 2, GRAVE,
           _("A unit destroyed on an empty hex within 2 hexes returns as zombies with its weapons."),
           rule="TF-5.3", range=2, number=901),
    _spell("dust-warriors", _("Warriors of dust"), 2, FREE_HEX, _("Skeletons appear on an empty hex within 2 hexes."),
           rule="TF-5.3", range=2, number=902),
    _spell("army-of-the-dead", _("Army of the dead"), 6, CHAIN,
           _("Skeletons appear on each of 4 empty hexes in a chain within 3 hexes."), rule="TF-5.3", number=903),
    _spell("turn", _("Turning"), 2, ENEMY_UNDEAD,
           _(
               "Enemy undead within 3 hexes attack their master or other units of their side. After 2 turns they "
               "turn to dust."
           ), TWO,
           rule="TF-5.3", number=904),
)}  # fmt: skip
"""The spells of the law, a sample; a campaign may add its own. Numbers are those of the annex."""
LONG_FIRE = 2
"""The number of turns a hex set on fire burns."""


# Gods and undead: results of a caster's appeal to a god (TF-7), and figures of the undead (TF-5).

DOCUMENT, RULING = SourceMark.DOCUMENT, SourceMark.RULING
LOST, SEEN = SourceMark.RECONSTRUCTION, SourceMark.SEEN


# Undead (TF-5)

LEASH = 4
"""The greatest distance of undead from their master, in hexes."""
TURNED_FOR = 2
"""Turns after which a turned unit crumbles to dust (904)."""


# Gods (TF-7)

APPEALS: Mapping[str, DivineResult] = by_slug(
    DivineResult("angry", _("The god is angry"), "TF-7", _("The caster is paralyzed for 1 turn."), 2, 2, mark=DOCUMENT),
    DivineResult("ignored", _("The god doesn’t listen"), "TF-7", _("Nothing happens."), 3, 7, mark=DOCUMENT),
    DivineResult("carried-home", _("The god carries the caster home"), "TF-7",
                 _("The caster is safe and out of the battle. Their undead vanish."), 8, 10, mark=DOCUMENT),
    DivineResult("intervention", _("The god intervenes"), "TF-7", _("Roll 2D6 again."), 11, 12, mark=DOCUMENT),
)  # fmt: skip
"""Results of 2D6 when a caster appeals to a god."""

INTERVENTIONS: Mapping[str, DivineResult] = by_slug(
    DivineResult("stands-return", _("Stands return"), "TF-7",
                 _("10 friendly stands return. A destroyed unit can return within 3 hexes of the caster."), 2, 3,
                 mark=DOCUMENT),
    DivineResult("reroll", _("A reroll"), "TF-7", _("One die of either side can be rerolled this turn."), 4, 7,
                 mark=DOCUMENT),
    DivineResult("double-flags", _("Fear among the enemy"), "TF-7",
                 _("Enemy flags count double on your next turn."), 8, 8, mark=DOCUMENT),
    DivineResult("no-flags", _("Courage"), "TF-7", _(
        "Your units ignore flags on the enemy’s next turn."
    ), 9, 9, mark=DOCUMENT),
    DivineResult("divine-bell", _("The god’s bell"), "TF-7",
                 _("For 2 turns nothing enters, leaves or harms the caster’s hex."), 10, 10,
                   mark=DOCUMENT),
    DivineResult("copy", _("A copy"), "TF-7",
                 _("A second unit like one of yours appears within 3 hexes of the caster."),
                 11, 11, mark=DOCUMENT),
    DivineResult("servant", _("The god, or a servant"), "TF-7",
                 _("A hero appears: 3 dice, resistance 5, armor, rapid, protected against fire."), 12, 12,
                   mark=DOCUMENT),
)  # fmt: skip
RETURNED_STANDS = 10
SERVANT_DICE, SERVANT_RESISTANCE = 3, 5
SERVANT_TRAITS = (BorneTrait("armour"), BorneTrait("rapid"), BorneTrait("fire-proof"))


def divine(table: Mapping[str, DivineResult], total: int) -> str:
    """The slug of the table row for a total of 2D6."""
    return next(slug for slug, row in table.items() if row.least <= total <= row.most)
