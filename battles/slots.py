"""Panels of battles for the pages of campaigns and commanders."""

from __future__ import annotations

from armies.forces import commander_history
from armies.models import Commander
from armies.ruleset_ui import Panel
from battles.play.encounters import list_proposed_battles
from battles.setup.queries import battles_of_commander, glances
from battles.workshop.page import has_workshop
from kingdom import slots as kingdom_slots
from kingdom.access.queries import is_gm
from kingdom.models import Campaign, User

LATEST = 20


def history(user: User, commander: Commander) -> Panel:
    """The battles they led an army in, on their page; the latest ones."""
    found = glances(list(battles_of_commander(user, commander)[:LATEST]), user)
    return ("battles/panels/history.html", {"glances": found}) if found else None


def new_battle(user: User, campaign: Campaign) -> Panel:
    """The button that sets a battle up, for the GM."""
    return ("battles/panels/new_battle.html", {"campaign": campaign}) if is_gm(user, campaign) else None


def workshop(user: User, campaign: Campaign) -> Panel:
    """The way to the odds workshop, where the law has one."""
    return ("battles/panels/workshop.html", {"campaign": campaign}) if has_workshop(campaign) else None


def met(user: User, campaign: Campaign) -> Panel:
    """Armies of several kingdoms in one hex: battles that could be fought."""
    proposed = list(list_proposed_battles(user, campaign))
    return ("battles/panels/met.html", {"proposed": proposed}) if proposed else None


def register() -> None:
    kingdom_slots.register("campaign-actions", workshop, order=1)
    kingdom_slots.register("campaign-actions", new_battle)
    kingdom_slots.register("campaign", met, order=-1)
    kingdom_slots.register("met", met)
    commander_history.register(history)
