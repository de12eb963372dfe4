"""Rules of wing command, one sentence each with its source mark, shown for rule ids. Rulings are in `readings`."""

from __future__ import annotations

from rules.core.content import SourceMark, items_told
from rules.core.text import _

DOCUMENT, RULING, LOST = SourceMark.DOCUMENT, SourceMark.RULING, SourceMark.RECONSTRUCTION


RULES = items_told(
    ("WC-1", _("Host"), LOST, _("A side has 1 to 6 wings and an army leader; a wing has 1 to 8 troops.")),
    ("WC-1.1", _("Wing"), DOCUMENT, _("Troops and characters under one standing order, with a leader and a marker.")),
    ("WC-1.2", _("Morale marker"), RULING, _(
        "From 4 to 12: the highest 2D6 result at which the wing passes a test or rallies."
    )),
    ("WC-1.3", _("Characters"), LOST,
     _("Ability, profile and magic come from the sheet. Move, melee, shot, range and guard are reconstructed.")),
    ("WC-1.4", _("Command ability"), DOCUMENT, _("A to E: order points, and the threshold of command tests.")),
    ("WC-1.5", _("States"), DOCUMENT, _("Fit, shaken, routed; fresh, out of breath, exhausted; and postures.")),
    ("WC-1.6", _("Engaged in melee"), RULING, _("Fought a melee with an enemy that is still adjacent.")),
    ("WC-1.7", _("Activated"), RULING, _("A character can take one command action per turn.")),
    ("WC-2", _("Command distance"), DOCUMENT, _("The cost of the path to a unit. Each full 4 points add 1.")),
    ("WC-2.1", _("Path of command"), DOCUMENT,
     _("Flyers count each hex as 1. To a unit in high flight each hex costs 2, and no order reaches it.")),
    ("WC-2.2", _("Full tranches"), DOCUMENT, _("Each full 4 points of the command distance count once.")),
    ("WC-2.3", _("No way"), RULING, _(
        "Special orders can’t reach the unit. In a command test twice the distance counts."
    )),
    ("WC-3", _("Command test"), DOCUMENT, _(
        "2D6 and modifiers, at most the threshold. 2 always succeeds, 12 always fails."
    )),
    ("WC-3.1", _("Threshold"), DOCUMENT, _("2D6 and modifiers, at most the ability’s number.")),
    ("WC-3.2", _("Modifiers of command tests"), DOCUMENT, _("State of the character, and the farthest bound unit.")),
    ("WC-3.3", _("Farthest unit"), DOCUMENT,
     _("The unit of the wing with the highest command distance that must follow the standing order.")),
    ("WC-4", _("Special orders"), DOCUMENT, _("They free a unit from its wing’s standing order for a turn.")),
    ("WC-4.1", _("Characters who can give orders"), DOCUMENT,
     _("A wing leader to units of the wing, the army leader to any unit. Not while routed, chaotic or engaged alone.")),
    ("WC-4.2", _("Order points"), DOCUMENT, _("Rolled by command ability, one level lower per hindrance.")),
    ("WC-4.3", _("Price of an order"), DOCUMENT, _("1, plus the unit’s state, class and distance.")),
    ("WC-4.4", _("Effect of an order"), LOST, _("The unit acts as its player likes. A routed unit can rally.")),
    ("WC-4.5", _("Units that can’t take orders"), DOCUMENT,
     _("Chaotic troops, and units in high flight unless the character can fly.")),
    ("WC-4.6", _("Orders to characters"), RULING, _("Only the army leader can give them.")),
    ("WC-5", _("Demoralization"), DOCUMENT, _("A wing tests for each unit it loses, all wings for the army leader.")),
    ("WC-5.1", _("Causes of demoralization"), DOCUMENT,
     _("A unit of the wing is destroyed or flees off the map. For the army leader all wings test.")),
    ("WC-5.2", _("Test of demoralization"), DOCUMENT, _("+1 for the wing’s leader, +2 for the army leader.")),
    ("WC-5.3", _("Shaken markers"), DOCUMENT, _("A failure lowers the morale marker and shakes the wing.")),
    ("WC-6", _("Command actions"), DOCUMENT, _("Orders, command, resignation, spells: one per turn.")),
    ("WC-7", _("Magic"), DOCUMENT, _("A spell is chosen in one turn and cast in another.")),
    ("WC-7.1", _("Grid of casting"), DOCUMENT, _(
        "2D6, at most the limit of the aptitude. 2 always succeeds, 12 always fails."
    )),
    ("WC-7.2", _("Casting aptitude"), LOST, _("Magic level − difficulty + pentacle.")),
    ("WC-7.3", _("Casting"), RULING, _("The caster rolls first and chooses the target on a success.")),
    ("WC-7.4", _("Spells"), LOST, _("Seven spells of three arts.")),
    ("WC-8", _("Combat"), LOST, _("2D6 + attack − guard and modifiers. The table gives the result.")),
    ("WC-8.1", _("Attack"), LOST, _("The sum of an attack and the columns of melee and missile.")),
    ("WC-8.2", _("Shaken twice"), LOST, _("A shaken unit that is shaken again routs. A routed unit is destroyed.")),
    ("WC-8.3", _("Recoil"), LOST, _("One hex back. If that is impossible, the next worse result applies.")),
    ("WC-8.4", _("Following"), LOST, _("The attacker can enter the hex its target left.")),
    ("WC-8.5", _("Fate"), LOST, _("Characters of a destroyed troop are lost on 4 or less on 2D6.")),
    ("WC-8.6", _("Targets"), LOST, _("Sets who can be the target of melee and shots.")),
    ("WC-8.7", _("Duel"), DOCUMENT, _("Between characters on troops, one of them with a large unit.")),
    ("WC-8.8", _("Result of a duel"), DOCUMENT, _("The table of combat, with effect on the defender only.")),
    ("WC-8.9", _("Combat by the GM"), LOST, _("The GM enters results instead of the tables.")),
    ("WC-9", _("Turn"), LOST, _("Initiative, command, action, rout, end.")),
    ("WC-9.1", _("Phases"), LOST, _("Initiative, command, action, rout and end. At most 12 turns.")),
    ("WC-9.2", _("Initiative"), LOST, _("1D6 plus the army leader’s bonus. The higher total goes first.")),
    ("WC-9.3", _("Command phase"), LOST, _("The first side’s characters act until it passes, then the other’s.")),
    ("WC-9.4", _("Action phase"), LOST, _("Sides alternate wings. Units follow the standing order of their wing.")),
    ("WC-9.5", _("Movement"), LOST, _("A move ends next to an enemy. Charge and second effort tire a unit.")),
    ("WC-9.6", _("Rout phase"), LOST, _("Routed units flee, then shaken and routed units test to rally.")),
    ("WC-9.7", _("End of the turn"), LOST, _("Fatigue decreases; markers and effects end.")),
    ("WC-9.8", _("Broken wings"), LOST, _(
        "A wing that has lost half its troops retreats. A side without wings is defeated."
    )),
    ("WC-9.9", _("Postures"), LOST, _("Infiltrating, flying low, flying high.")),
    ("WC-10", _("Troops and characters"), LOST, _(
        "Sets the starter tables and how armies of other rulesets are converted."
    )),
    ("WC-11", _("Commands and aftermath"), RULING,
     _(
         "Sets who commands which units and what is secret. After the battle, an army from another ruleset "
         "loses its destroyed troops and half of those that fled."
     )),
    ("WC-HOUSE", _("House rules"), RULING, _("Lists the options a campaign can set.")),
)  # fmt: skip
