"""Reads. Whoever may not see an army does not get it."""

from armies.selectors.access import (
    armies_of,
    army_for,
    army_run_by,
    battle_roster,
    commander_for,
    commander_run_by,
    commanders_of,
    commanders_visible_to,
    stores_visible_to,
    visible_to,
    with_figures,
)
from armies.selectors.ahead import DueLine, falls_due
from armies.selectors.army_page import ArmyPage, army_page, candidates_for, receivers_of
from armies.selectors.commander_page import CommanderPage, commander_page
from armies.selectors.due import Due, kingdom_due, weekly_due
from armies.selectors.people import (
    CommanderLine,
    carries,
    commanders_in,
    kingdom_commanders,
    kingdom_stores,
    stores_in,
)
from armies.selectors.roster import RosterLine, kingdom_roster, roster, sheet_of
from armies.selectors.warnings import conditions_of, warnings_of

__all__ = [
    "ArmyPage",
    "CommanderLine",
    "CommanderPage",
    "Due",
    "DueLine",
    "RosterLine",
    "armies_of",
    "army_for",
    "army_page",
    "army_run_by",
    "battle_roster",
    "candidates_for",
    "carries",
    "commander_for",
    "commander_page",
    "commander_run_by",
    "commanders_in",
    "commanders_of",
    "commanders_visible_to",
    "conditions_of",
    "falls_due",
    "kingdom_commanders",
    "kingdom_due",
    "kingdom_roster",
    "kingdom_stores",
    "receivers_of",
    "roster",
    "sheet_of",
    "stores_in",
    "stores_visible_to",
    "visible_to",
    "warnings_of",
    "weekly_due",
    "with_figures",
]
