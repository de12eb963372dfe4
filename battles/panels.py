"""What battles show on the pages of campaigns and commanders."""

from __future__ import annotations

from armies import histories
from armies.faces import Panel
from armies.models import Commander
from battles.meetings import proposed_battles
from battles.selectors.lists import battles_of_commander, glances
from battles.selectors.pages.workshop import has_workshop
from kingdom import panels
from kingdom.models import Campaign, User
from kingdom.selectors import is_gm

LATEST = 20


def history(user: User, commander: Commander) -> Panel:
    """The battles he led an army in, on his page; the latest ones."""
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
    proposed = list(proposed_battles(user, campaign))
    return ("battles/panels/met.html", {"proposed": proposed}) if proposed else None


def register() -> None:
    panels.register("campaign-actions", workshop, order=1)
    panels.register("campaign-actions", new_battle)
    panels.register("campaign", met, order=-1)
    panels.register("met", met)
    histories.register(history)
