"""Rulings on wing command, one sentence each: list W, and the parts of lists C, D and M on this ruleset."""

from __future__ import annotations

from rules.core.content import SourceMark, items_told
from rules.core.text import Term, _

LOST, RULING = SourceMark.RECONSTRUCTION, SourceMark.RULING


def _ruled(*told: tuple[str, Term, Term]) -> tuple[tuple[str, Term, SourceMark, Term], ...]:
    return tuple((rule, name, RULING, summary) for rule, name, summary in told)


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
     _("A character who keeps a special order is also free in the action phase. No special orders are given there.")),
    ("W-5", _("Wing without a leader"),
     _(
         "Its order can’t be changed. The army leader can give orders to its units, or take it over when leading "
         "no wing."
     )),
    ("W-6", _("Change of command"),
     _("A leader who resigns stays in the wing. A character who takes command leaves their former wing.")),
    ("W-7", _("A spell takes two turns"),
     _("Enemies in high flight count as adjacent to the caster, infiltrating enemies only once seen.")),
    ("W-8", _("Moving closer"),
     _("The cost of the path to the nearest seen enemy is compared before and after the move. Routed enemies count.")),
    ("W-9", _("Characters on troops"),
     _(
         "They attack only in duels or with their own shot. They move with their troop unless they have acted or "
         "stay behind."
     )),
    ("W-10", _("Impossible recoil"),
     _(
         "The next worse result applies on the spot: recoil and shaken becomes a rout, recoil and routed becomes "
         "destruction."
     )),
    ("W-11", _("End of engagement"),
     _("Engagement ends once the units aren’t adjacent. A unit that follows is only engaged if it fights again.")),
    ("W-12", _("Fleeing and rallying"),
     _("Fleeing units pass friends but not enemies. Only seen enemies that aren’t routed prevent a rally.")),
    ("W-13", _("Orders of broken wings"),
     _(
         "The orders can’t be changed. Units with special orders fight on. Units that leave after the battle "
         "aren’t lost."
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
    ("W-18", _("Size of wings"), _("1 to 8 troops of one army, at most 6 armies on a side.")),
    ("W-19", _("Charge in a duel"),
     _("+1 if the character charged, or is on a troop that charged this turn. No bonus for support and leaders.")),
    ("W-20", _("Under hold"),
     _("At most 1 hex, even next to an enemy. The unit can then shoot or fight, but not charge.")),
    ("W-21", _("Rules of the charge"),
     _("A melee after at least two hexes at 1 point each. It happens unless you decline, and tires the unit.")),
    ("W-22", _("Second effort"),
     _("One path with half the move added. It can’t end next to an enemy. A shot can follow, but no melee.")),
    ("W-23", _("Heights"),
     _("Melee is fought at the same height; shots go up and down. A unit that has to land but can’t becomes shaken.")),
    ("W-24", _("Hex of a recoil"),
     _("Away from the attacker, by the rules of movement. A troop never recoils onto another troop.")),
    ("W-25", _("After an attack"),
     _("Recoil or destruction, fate of characters, following, demoralization, broken wings, victory.")),
    ("W-26", _("Nearest troop"),
     _("The friendly troop with the cheapest path, even if routed. Ties go by the reading order of hexes.")),
    ("W-27", _("Who enters dice"),
     _("The acting side. Its player enters all dice of the command, including the defender’s.")),
    ("W-28", _("Aiming a spell"),
     _("A successful spell has to be given a target before anything else. It can’t be declined.")),
    ("W-29", _("Targets of spells"),
     _("Friends include the caster. Hexes have to be free but not in sight. Equal effects don’t add up.")),
    ("W-30", _("Units that have to attack"),
     _("A unit under orders that can reach an enemy without second effort, or shoot at one. It can choose which one.")),
    ("W-31", _("Half a wing"),
     _("Half of the troops it started with. A battle can’t start if all wings of a side have the order to retreat.")),
    ("W-32", _("Reinforcements of a side"),
     _("A new wing, but not a seventh and not in the last two turns. Its units enter over their home edge.")),
    ("W-33", _("Undo by a player"),
     _("Players can undo the last command while nothing has been rolled, revealed or captured since.")),
    ("W-34", _("Two players on a side"), _("Both can command in the same phase, each their own characters.")),
    ("W-35", _("Results entered by the GM"),
     _("Attacks, duels and firebolts wait for the GM’s result. The rules still choose the hex of a recoil.")),
    ("W-36", _("Removing markers"), _("Only wings that still have a unit lose a shaken marker.")),
    ("W-37", _("Choosing the next wing"),
     _("Any player of the side can choose their own wing; the first command counts. The GM can choose any wing.")),
    ("W-38", _("Routed next to an enemy"), _("The unit stays routed, can be attacked and doesn’t fight back.")),
    ("W-39", _("Actions without an order"),
     _(
         "The army leader and autonomous characters don’t use up a special order. Others do, whether they succeed "
         "or not."
     )),
    ("W-41", _("Path of a flight"),
     _("Around adjacent enemies if possible, to the cheapest hex of the home edge.")),
    ("W-42", _("Adjacency"),
     _("All moves except high flight end next to a seen enemy that is neither routed nor in high flight.")),
    ("W-43", _("Recoiling and following"),
     _("A recoil never leaves the map and isn’t a move. Following is a move, into an empty hex the unit could enter.")),
    ("W-44", _("Chaotic troops and characters"),
     _("Chaotic characters don’t have to follow orders. Chaotic troops follow the standing order like others.")),
    ("W-45", _("Orders to high flight"), _("A character who can’t fly can’t give orders to a unit in high flight.")),
    ("W-46", _("Under retreat"),
     _("No shots. Units only fight if still engaged after their move. On the home edge they have to leave the map.")),
    ("W-47", _("Fatigue and infiltration"),
     _("Exhausted is −2 in total. The +1 for infiltration needs a unit that infiltrated until it attacked.")),
    ("W-48", _("Limits of duels"),
     _("Engaged characters can’t fight missile duels. A duel counts as fighting but doesn’t engage.")),
    ("W-49", _("Units that can rally"),
     _("In the action phase only routed units with a special order. Units in high flight can’t recover.")),
    ("W-50", _("Checking for victory"),
     _("After each complete command, after all flights of the rout phase, and at the end.")),
    ("W-51", _("Fleeing off the map"),
     _("A unit that reaches its edge with a point left leaves at once. Enemies never stop a flight.")),
    ("W-52", _("Units that are unseen"),
     _("Only infiltrating units with no enemy within 2 hexes. What one unit sees, its side sees.")),
    ("W-53", _("Routed enemies and spells"), _("Routed enemies count as adjacent to a caster.")),
    ("W-54", _("Carried characters"),
     _(
         "Being carried is the character’s move of the turn. They can still attack. They can only go where they "
         "could stand."
     )),
    ("W-55", _("Ends of phases"),
     _("Giving orders and a wing’s activation only end by command. A freed unit stays free for the turn.")),
    ("W-56", _("Moves of flyers"),
     _(
         "Flyers can end over any hex but only land where they could stand. Landing units don’t have to follow the "
         "order."
     )),
    ("W-57", _("Ready"), _("A side is ready when its units are placed and its orders set.")),
    ("W-58", _("Measuring closer"),
     _(
         "Counted over terrain, ignoring units; by distance only if there is no path. A unit next to an enemy "
         "obeys already."
     )),
    ("W-59", _("Activated characters"),
     _("They can still move, fight and shoot in the action phase, but can’t fight duels.")),
    ("W-60", _("Bound characters"),
     _(
         "Under hold they can’t charge. Under advance they only fight enemies already adjacent. Under retreat only "
         "if engaged."
     )),
    ("W-61", _("Order of units"),
     _("By side and wing; in a wing the troops, then the commander, then the characters.")),
    ("D-1", _("Duels, by the sheet"), _("The sheet gives a duelist a charge marker, so a charge counts in a duel.")),
    ("M-3", _("Meaning of engaged"), _("The document doesn’t define “engaged”: this is our ruling.")),
    ("M-5", _("Orders without a leader"),
     _(
         "A wing that loses its leader keeps its order. A leader can’t cancel a retreat: its units need special "
         "orders."
     )),
    ("M-6", _("Secrets"), _("All statements about secrets are rulings.")),
    ("M-7", _("Profiles and classes of characters"),
     _("That a profile stands for a class, and that choosing a spell activates a character, are rulings.")),
), *(
    ("W-40", _("Balance"), RULING, _("Measured by battles between computer players.")),
    ("W-62", _("Rows behind the zones"), LOST,
     _("Maps made for this ruleset have 18 rows, two behind each zone, so routed units get a turn to rally.")),
    ("M-1", _("Size of a host"), LOST, _("The number of wings and troops in a host is reconstructed.")),
    ("M-2", _("Figures of characters"), LOST, _("Move, melee, shot, range and guard are reconstructed.")),
    ("M-4", _("Effect of a special order"), LOST, _("The document doesn’t say what a freed unit can do: this "
                                                    "is our ruling.")),
    ("C-1", _("An army"), LOST, _("An army is one wing, led by its commander. The GM names the army leader.")),
    ("C-2", _("An army’s document"), LOST,
     _("1 to 8 troops, up to 4 characters, an order and a morale marker, plus the commander.")),
    ("C-4", _("Health"), LOST, _("Troops. From afar their types and approximate number.")),
    ("C-5", _("Upkeep"), LOST, _("A quarter of the points in Build Points a week, at least 1.")),
    ("C-6", _("After the battle"), LOST, _("Destroyed troops are gone. Each troop that fled returns on 4+.")),
    ("C-7", _("A quiet week"), LOST, _("Lost troops don’t return: raise new ones.")),
    ("C-8", _("Points"), LOST, _("The points in the tables are the only price.")),
))  # fmt: skip
