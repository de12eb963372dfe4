"""Rules and rulings of wing command, a sentence each with its mark: where a rule id leads."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.content import Item, SourceMark
from rules.core.text import Term, _

DOCUMENT, RULING, LOST = SourceMark.DOCUMENT, SourceMark.RULING, SourceMark.RECONSTRUCTION


def _items(*told: tuple[str, Term, SourceMark, Term]) -> Mapping[str, Item]:
    return {rule: Item(rule, name, rule, summary, mark=mark) for rule, name, mark, summary in told}


RULES = _items(
    ("WC-1", _("Host"), LOST, _("A side has 1 to 6 wings and an army leader; a wing has 1 to 8 troops.")),
    ("WC-1.1", _("Wing"), DOCUMENT, _("Troops and characters under one standing order, with a leader and a marker.")),
    ("WC-1.2", _("Morale marker"), RULING, _("From 4 to 12: what 2D6 must not exceed when the wing tests or rallies.")),
    ("WC-1.3", _("Characters"), DOCUMENT, _("Ability, profile, magic and figures of a character.")),
    ("WC-1.4", _("Command ability"), DOCUMENT, _("A to E: order points, and the threshold of command tests.")),
    ("WC-1.5", _("States"), DOCUMENT, _("Fit, shaken, routed; fresh, out of breath, exhausted; and postures.")),
    ("WC-1.6", _("Engaged"), RULING, _("Has fought a melee with an enemy that is still next to it.")),
    ("WC-1.7", _("Activated"), RULING, _("A character does one deed of the command phase a turn.")),
    ("WC-2", _("Command distance"), DOCUMENT, _("The cost of the path to a unit; every full 4 add 1.")),
    ("WC-3", _("Command test"), DOCUMENT, _("2D6 and modifiers, at most the threshold; 2 succeeds, 12 fails.")),
    ("WC-3.2", _("Modifiers of command tests"), DOCUMENT, _("State of the character, and the farthest bound unit.")),
    ("WC-4", _("Special orders"), DOCUMENT, _("They free a unit from its wing’s standing order for a turn.")),
    ("WC-4.2", _("Order points"), DOCUMENT, _("Rolled by the ability, one level less for each hindrance.")),
    ("WC-4.3", _("Price of an order"), DOCUMENT, _("1, and more for the unit’s state, class and distance.")),
    ("WC-4.4", _("Effect of an order"), LOST, _("The unit does as its player likes; a routed one may rally.")),
    ("WC-4.6", _("Orders to characters"), RULING, _("Only the army leader gives them.")),
    ("WC-5", _("Demoralization"), DOCUMENT, _("A wing tests for each unit it loses, every wing for the army leader.")),
    ("WC-5.2", _("Test of demoralization"), RULING, _("+1 for the wing’s leader, +2 for the army leader.")),
    ("WC-5.3", _("Shaken markers"), DOCUMENT, _("A failure lowers the morale marker and shakes the wing.")),
    ("WC-6", _("Deeds of characters"), DOCUMENT, _("Orders, command, resignation, spells: one a turn.")),
    ("WC-7", _("Magic"), DOCUMENT, _("A spell is chosen in one turn and cast in another.")),
    ("WC-7.1", _("Grid of casting"), DOCUMENT, _("2D6, at most the limit of the aptitude; 2 succeeds, 12 fails.")),
    ("WC-7.2", _("Casting aptitude"), LOST, _("Magic level − difficulty + pentacle.")),
    ("WC-7.3", _("Casting"), RULING, _("The caster rolls first and names the target on success.")),
    ("WC-7.4", _("Spells"), LOST, _("Seven spells of three arts.")),
    ("WC-8", _("Combat"), LOST, _("2D6 + attack − guard and modifiers; the table says the result.")),
    ("WC-8.1", _("Attack"), LOST, _("The sum of an attack and the columns of melee and missile.")),
    ("WC-8.2", _("Shaken twice"), LOST, _("A shaken unit shaken again routs; a routed one is destroyed.")),
    ("WC-8.3", _("Recoil"), LOST, _("One hex away; where it is impossible the next worse result applies.")),
    ("WC-8.4", _("Following"), LOST, _("The attacker may enter the hex its target left.")),
    ("WC-8.5", _("Fate"), LOST, _("Characters of a destroyed troop are lost on 4 or less on 2D6.")),
    ("WC-8.6", _("Targets"), LOST, _("Who may be fought and shot at.")),
    ("WC-8.7", _("Duel"), DOCUMENT, _("Between characters on troops, one of them with a large unit.")),
    ("WC-8.8", _("Result of a duel"), DOCUMENT, _("The table of combat, with effect on the defender only.")),
    ("WC-8.9", _("Combat by the GM"), LOST, _("The GM reports results instead of the tables.")),
    ("WC-9", _("Turn"), LOST, _("Initiative, command, action, rout, end.")),
    ("WC-9.2", _("Initiative"), LOST, _("1D6 and the army leader’s bonus; the higher side begins.")),
    ("WC-9.3", _("Command phase"), LOST, _("The first side’s characters act until it passes, then the other’s.")),
    ("WC-9.4", _("Action phase"), LOST, _("Sides alternate wings; bound units obey the standing order.")),
    ("WC-9.5", _("Movement"), LOST, _("Next to an enemy a move ends. Charge and second effort tire.")),
    ("WC-9.6", _("Rout phase"), LOST, _("Routed units flee, then shaken and routed units test to rally.")),
    ("WC-9.7", _("End of the turn"), LOST, _("Fatigue mends, markers and effects end.")),
    ("WC-9.8", _("Broken wings"), LOST, _("Half its troops lost, a wing retreats. All wings out: defeat.")),
    ("WC-9.9", _("Postures"), LOST, _("Infiltrating, flying low, flying high.")),
    ("WC-10", _("Troops and characters"), LOST, _("The starter tables, and what armies of other rulesets become.")),
    ("WC-11", _("Commands and aftermath"), RULING,
     _("Who commands what, and what is secret. An army of another ruleset loses the share of its troops that was "
       "destroyed, and half of the share that fled.")),
    ("C-5", _("Upkeep"), LOST, _("A quarter of the points in Build Points a week, at least 1.")),
    ("C-6", _("After the battle"), LOST, _("Destroyed troops are gone; of those that fled each returns on 4+.")),
)  # fmt: skip
