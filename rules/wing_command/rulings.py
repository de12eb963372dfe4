"""Texts of rule ids: each rule of wing command and each ruling on it in one sentence, with the mark of its source.
Pages link rule ids to them.
"""

from __future__ import annotations

from rules.core.content import SourceMark, items_told
from rules.core.text import Term, _

# Rules of wing command, one sentence each with its source mark, shown for rule ids. Rulings are in `readings`.

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
    ("WC-2", _("Command distance"), DOCUMENT, _("The cost of the path to a unit. Every full 4 points adds 1.")),
    ("WC-2.1", _("Command path"), DOCUMENT,
     _("Flyers count each hex as 1. To a unit in high flight, each hex costs 2 and no order can reach it.")),
    ("WC-2.2", _("Full steps of 4"), DOCUMENT, _("Every full 4 points of command distance counts once.")),
    ("WC-2.3", _("No path"), RULING, _(
        "Special orders can’t reach the unit. In a command test, the distance counts double."
    )),
    ("WC-3", _("Command test"), DOCUMENT, _(
        "2D6 plus modifiers must not exceed the threshold. 2 always succeeds, 12 always fails."
    )),
    ("WC-3.1", _("Threshold"), DOCUMENT, _("2D6 plus modifiers must not exceed the command ability.")),
    ("WC-3.2", _("Command test modifiers"), DOCUMENT,
     _("The character’s state, and the farthest unit under the standing order.")),
    ("WC-3.3", _("Farthest unit"), DOCUMENT,
     _("Of the units bound by the wing’s standing order, the one with the highest command distance.")),
    ("WC-4", _("Special orders"), DOCUMENT, _("Special orders free a unit from its wing’s standing order for a turn.")),
    ("WC-4.1", _("Characters who can give orders"), DOCUMENT,
     _("A wing leader can order units of the wing, the army leader any unit. Not if routed, chaotic or engaged "
       "alone.")),
    ("WC-4.2", _("Order points"), DOCUMENT, _("Rolled by command ability, one level lower per hindrance.")),
    ("WC-4.3", _("Price of an order"), DOCUMENT, _("1, plus the unit’s state, class and distance.")),
    ("WC-4.4", _("Effect of an order"), LOST, _("The unit acts as its player likes. A routed unit can rally.")),
    ("WC-4.5", _("Units that can’t take orders"), DOCUMENT,
     _("Chaotic troops, and units in high flight unless the character can fly.")),
    ("WC-4.6", _("Orders to characters"), RULING, _("Only the army leader can order characters.")),
    ("WC-5", _("Demoralization"), DOCUMENT, _("A wing tests for each unit it loses. All wings test if the army "
                                              "leader is lost.")),
    ("WC-5.1", _("Causes of demoralization"), DOCUMENT,
     _("A unit of the wing is destroyed or flees off the map. If the army leader is lost, all wings test.")),
    ("WC-5.2", _("Demoralization test"), DOCUMENT, _("+1 for the wing’s leader, +2 for the army leader.")),
    ("WC-5.3", _("Shaken markers"), DOCUMENT, _("A failure lowers the morale marker and shakes the wing.")),
    ("WC-6", _("Command actions"), DOCUMENT, _("Orders, command, resignation, spells: one per turn.")),
    ("WC-7", _("Magic"), DOCUMENT, _("A spell is chosen in one turn and cast in another.")),
    ("WC-7.1", _("Casting grid"), DOCUMENT, _(
        "Roll the aptitude’s limit or less on 2D6. 2 always succeeds, 12 always fails."
    )),
    ("WC-7.2", _("Casting aptitude"), LOST, _("Magic level − difficulty + pentacle.")),
    ("WC-7.3", _("Casting"), RULING, _("The caster rolls first and chooses the target on a success.")),
    ("WC-7.4", _("Spells"), LOST, _("Seven spells from three arts.")),
    ("WC-8", _("Combat"), LOST, _("2D6 + attack − guard and modifiers. The table gives the result.")),
    ("WC-8.1", _("Attack"), LOST, _("The attack total, and the melee and missile columns.")),
    ("WC-8.2", _("Shaken twice"), LOST, _("A shaken unit that is shaken again routs. A routed unit is destroyed.")),
    ("WC-8.3", _("Recoil"), LOST, _("One hex back. If that is impossible, the next worse result applies.")),
    ("WC-8.4", _("Following"), LOST, _("The attacker can enter the hex its target left.")),
    ("WC-8.5", _("Fate"), LOST, _("Characters of a destroyed troop are lost on 4 or less on 2D6.")),
    ("WC-8.6", _("Targets"), LOST, _("Sets who can be the target of melee and shots.")),
    ("WC-8.7", _("Duel"), DOCUMENT, _("Between characters stacked with troops, if one is with a large unit.")),
    ("WC-8.8", _("Duel result"), DOCUMENT, _("The combat table, with effects on the defender only.")),
    ("WC-8.9", _("GM decides combat"), LOST, _("The GM enters results; the tables aren’t used.")),
    ("WC-9", _("Turn"), LOST, _("Initiative, command, action, rout, end.")),
    ("WC-9.1", _("Phases"), LOST, _("Initiative, command, action, rout and end. At most 12 turns.")),
    ("WC-9.2", _("Initiative"), LOST, _("1D6 plus the army leader’s bonus. The higher total goes first.")),
    ("WC-9.3", _("Command phase"), LOST, _("The first side’s characters act until it passes, then the other’s.")),
    ("WC-9.4", _("Action phase"), LOST, _("The sides take turns activating wings. Units follow the standing order "
                                          "of their wing.")),
    ("WC-9.5", _("Movement"), LOST, _("A unit stops when it comes next to an enemy. Charge and second effort tire "
                                      "it.")),
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


# Rulings on wing command, one sentence each: list W, and the parts of lists C, D and M on this ruleset.

RECONSTRUCTED, RULED = SourceMark.RECONSTRUCTION, SourceMark.RULING


def _ruled(*told: tuple[str, Term, Term]) -> tuple[tuple[str, Term, SourceMark, Term], ...]:
    return tuple((rule, name, RULED, summary) for rule, name, summary in told)


READINGS = items_told(*_ruled(
    ("W-1", _("One army leader"),
     _("Each side has one army leader, who isn’t replaced when lost: no orders across wings, no initiative bonus.")),
    ("W-2", _("One profile"),
     _(
         "A character has exactly one profile. Autonomous characters otherwise count as regular. Chaotic ones "
         "never give orders."
     )),
    ("W-3", _("One morale marker"),
     _(
         "If the GM gives a wing several markers, all drop. Empty wings don’t test, and troops that withdraw cause "
         "no test."
     )),
    ("W-4", _("Keeping special orders"),
     _("A character who keeps a special order is also free in the action phase. No special orders are given in "
       "that phase.")),
    ("W-5", _("Wing without a leader"),
     _(
         "A leaderless wing’s standing order can’t be changed. The army leader can give its units orders, or take "
         "it over if not leading a wing."
     )),
    ("W-6", _("Change of command"),
     _("A leader who resigns stays in the wing. A character who takes command leaves their former wing.")),
    ("W-7", _("A spell takes two turns"),
     _("Enemies in high flight count as adjacent to the caster, infiltrating enemies only once seen.")),
    ("W-8", _("Moving closer"),
     _("The cost of the path to the nearest seen enemy is compared before and after the move. Routed enemies count.")),
    ("W-9", _("Characters on troops"),
     _(
         "Characters on troops attack only in duels or by shooting. They move with their troop unless they have "
         "acted or stay behind."
     )),
    ("W-10", _("Impossible recoil"),
     _(
         "The next worse result applies on the spot: recoil and shaken becomes a rout, recoil and routed becomes "
         "destruction."
     )),
    ("W-11", _("End of engagement"),
     _("Engagement ends once the units aren’t adjacent. A unit that follows is only engaged if it fights again.")),
    ("W-12", _("Fleeing and rallying"),
     _("Fleeing units can pass through friends but not enemies. Only seen enemies that aren’t routed prevent a "
       "rally.")),
    ("W-13", _("Orders of broken wings"),
     _(
         "A broken wing’s orders can’t be changed. Units with special orders fight on. Units that leave after the "
         "battle aren’t lost."
     )),
    ("W-14", _("Unseen units"), _(
        "Unseen units can’t be targeted and don’t support others, but they block their hex."
    )),
    ("W-15", _("Time limit"),
     _("The GM can time each activation. Running out of time has no effect of its own; the GM can pass for the side.")),
    ("W-16", _("Ending an activation"),
     _("You can’t end the activation while a unit with an attack or retreat order can still obey it and hasn’t "
       "acted. Those units are listed.")),
    ("W-17", _("One wing at a time"), _(
        "Only units of the activated wing act, one after another. Other units can’t react."
    )),
    ("W-18", _("Wing size"), _("1 to 8 troops of one army, at most 6 armies on a side.")),
    ("W-19", _("Charge in a duel"),
     _("+1 if the character charged, or is on a troop that charged this turn. No bonus for support and leaders.")),
    ("W-20", _("Hold order"),
     _("At most 1 hex, even next to an enemy. The unit can then shoot or fight, but not charge.")),
    ("W-21", _("Charge rules"),
     _("Melee after a move of at least two hexes at 1 point each. Automatic unless declined, and tires the unit.")),
    ("W-22", _("Second effort"),
     _("Adds half the unit’s move to its path, which can’t end next to an enemy. A shot can follow, but no melee.")),
    ("W-23", _("Heights"),
     _("Melee is fought at the same height; shots go up and down. A unit that has to land but can’t becomes shaken.")),
    ("W-24", _("Recoil hex"),
     _("Away from the attacker, by the rules of movement. A troop never recoils onto another troop.")),
    ("W-25", _("After an attack"),
     _("Recoil or destruction, fate of characters, following, demoralization, broken wings, victory.")),
    ("W-26", _("Nearest troop"),
     _("The friendly troop with the cheapest path, even if routed. Ties go to the first hex in reading order.")),
    ("W-27", _("Who enters dice"),
     _("The acting side. Its player enters all dice of the command, including the defender’s.")),
    ("W-28", _("Aiming a spell"),
     _("After a successful spell, you must choose its target before anything else. You can’t decline.")),
    ("W-29", _("Spell targets"),
     _("Friends include the caster. A target hex must be free but needn’t be in sight. The same effect doesn’t "
       "stack.")),
    ("W-30", _("Units that have to attack"),
     _("A unit under orders that can reach an enemy without second effort, or shoot at one. It can choose which one.")),
    ("W-31", _("Half a wing"),
     _("Half of the troops the wing started with. A battle can’t start if all wings of a side are ordered to "
       "retreat.")),
    ("W-32", _("Reinforcements of a side"),
     _("A new wing, but not a seventh and not in the last two turns. Its units enter from their home edge.")),
    ("W-33", _("Undo by a player"),
     _("Players can undo the last command as long as nothing has been rolled, revealed or captured since.")),
    ("W-34", _("Two players on a side"), _("Both players can command in the same phase, each their own characters.")),
    ("W-35", _("Results entered by the GM"),
     _("Attacks, duels and firebolts wait for the GM’s result. The rules still choose the recoil hex.")),
    ("W-36", _("Removing markers"), _("Only wings that still have a unit lose a shaken marker.")),
    ("W-37", _("Choosing the next wing"),
     _("Any player of the side can choose their own wing; the first command counts. The GM can choose any wing.")),
    ("W-38", _("Routed next to an enemy"), _("The unit stays routed, can be attacked and doesn’t fight back.")),
    ("W-39", _("Actions without an order"),
     _(
         "The army leader and autonomous characters don’t use up a special order. Others do, whether they succeed "
         "or not."
     )),
    ("W-41", _("Path when fleeing"),
     _("Around adjacent enemies if possible, to the home-edge hex that is cheapest to reach.")),
    ("W-42", _("Adjacency"),
     _("All moves except high flight stop next to a seen enemy that is neither routed nor in high flight.")),
    ("W-43", _("Recoiling and following"),
     _("A recoil never leaves the map and isn’t a move. Following is a move, into an empty hex the unit could enter.")),
    ("W-44", _("Chaotic troops and characters"),
     _("Chaotic characters don’t have to follow orders. Chaotic troops follow the standing order like others.")),
    ("W-45", _("Orders to high flyers"), _("A character who can’t fly can’t give orders to a unit in high flight.")),
    ("W-46", _("Retreat order"),
     _("No shots. Units only fight if still engaged after their move. On the home edge they have to leave the map.")),
    ("W-47", _("Fatigue and infiltration"),
     _("Exhausted is −2 in total. The +1 for infiltration requires a unit that was infiltrating until it attacked.")),
    ("W-48", _("Duel limits"),
     _("Engaged characters can’t fight missile duels. A duel counts as fighting but doesn’t engage.")),
    ("W-49", _("Units that can rally"),
     _("In the action phase, only routed units with a special order can rally. Units in high flight can’t recover.")),
    ("W-50", _("Checking for victory"),
     _("After each completed command, once all routed units have fled, and at the end.")),
    ("W-51", _("Fleeing off the map"),
     _("A unit that reaches its home edge with a move point left leaves at once. Enemies never stop a fleeing unit.")),
    ("W-52", _("When units are unseen"),
     _("Only infiltrating units are unseen, if no enemy is within 2 hexes. What one unit sees, its side sees.")),
    ("W-53", _("Routed enemies and spells"), _("Routed enemies count as adjacent to a caster.")),
    ("W-54", _("Carried characters"),
     _(
         "Being carried counts as the character’s move for the turn. They can still attack. They can only go where "
         "they could stand."
     )),
    ("W-55", _("Ending phases"),
     _("Giving orders and activating a wing end only on command. A freed unit stays free for the turn.")),
    ("W-56", _("Flyer moves"),
     _(
         "Flyers can end over any hex but only land where they could stand. Landing units don’t have to follow the "
         "standing order."
     )),
    ("W-57", _("Ready"), _("A side is ready when its units are placed and its orders set.")),
    ("W-58", _("Measuring “closer”"),
     _(
         "Measured over terrain, ignoring units; by distance only if there is no path. A unit next to an enemy "
         "already obeys."
     )),
    ("W-59", _("Activated characters"),
     _("Activated characters can still move, fight and shoot in the action phase, but can’t duel.")),
    ("W-60", _("Bound characters"),
     _(
         "Under a hold order, they can’t charge. Under an advance, they fight only enemies already adjacent; under "
         "a retreat, only if engaged."
     )),
    ("W-61", _("Sequence of units"),
     _("By side and wing; in a wing the troops, then the commander, then the characters.")),
    ("D-1", _("Duels on the sheet"), _("The sheet gives a duelist a charge marker, so a charge counts in a duel.")),
    ("M-3", _("Meaning of “engaged”"), _("The document doesn’t define “engaged”: this is our ruling.")),
    ("M-5", _("Orders without a leader"),
     _(
         "A wing that loses its leader keeps its order. No leader can cancel a retreat: the units need special orders."
     )),
    ("M-6", _("Secrets"), _("All statements about secrets are rulings.")),
    ("M-7", _("Profiles and classes of characters"),
     _("Our rulings: profiles serve as classes, and choosing a spell counts as activation.")),
), *(
    ("W-40", _("Balance"), RULED, _("Measured by battles between computer players.")),
    ("W-62", _("Rows behind the zones"), RECONSTRUCTED,
     _("Maps made for this ruleset have 18 rows, two behind each zone, so routed units get a turn to rally.")),
    ("M-1", _("Size of a host"), RECONSTRUCTED, _("The number of wings and troops in a host is reconstructed.")),
    ("M-2", _("Characters’ figures"), RECONSTRUCTED, _("Move, melee, shot, range and guard are reconstructed.")),
    ("M-4", _("Effect of a special order"), RECONSTRUCTED, _("The document doesn’t say what a freed unit can do: this "
                                                    "is our ruling.")),
    ("C-1", _("An army"), RECONSTRUCTED, _("An army is one wing, led by its commander. The GM names the army leader.")),
    ("C-2", _("An army’s document"), RECONSTRUCTED,
     _("1 to 8 troops, up to 4 characters, an order and a morale marker, plus the commander.")),
    ("C-4", _("Health"), RECONSTRUCTED, _("Counted in troops. From afar, only their types and approximate number.")),
    ("C-5", _("Upkeep"), RECONSTRUCTED, _("In Build Points per week: a quarter of the army’s points, at least 1.")),
    ("C-6", _("After the battle"), RECONSTRUCTED, _("Destroyed troops are gone. Each troop that fled returns on 4+.")),
    ("C-7", _("A quiet week"), RECONSTRUCTED, _("Lost troops don’t return: raise new ones.")),
    ("C-8", _("Points"), RECONSTRUCTED, _("The points in the tables are the only price.")),
    ("C-9", _("Dividing and combining armies"), RECONSTRUCTED,
     _("Outside battles and marches, troops and characters go from one wing to another of the same kingdom and place, "
       "or form a new one with the same order and morale. Each must remain a valid wing. Troops that fought this week "
       "only join others that did.")),
))  # fmt: skip
