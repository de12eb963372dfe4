"""Panels of battles for the pages of campaigns and commanders, and for Help."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple
from uuid import UUID

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from armies.marches.encounters import Encounter, list_encounters
from armies.models import Army, Commander
from armies.ruleset_ui import Panel
from battles import ruleset_ui
from battles.setup.queries import battles_of_commander, glances
from battles.workshop.page import has_workshop
from kingdom.access.army_knowledge import build_knowledge_condition
from kingdom.access.queries import is_gm, run_kingdom_ids
from kingdom.models import Campaign, Knowledge, User
from rules.core.text import Said
from rules.registry import RULESETS

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


def shortcuts(user: User) -> Panel:
    """What the keyboard does on a battle's page, in common and by each family of rulesets."""
    groups = [
        ([law.name for law in RULESETS.values() if law.family == ui.family], ui) for ui in ruleset_ui.list_battle_uis()
    ]
    return "battles/panels/shortcuts.html", {"groups": groups}


# Encounters on the map: for the GM with the way to the setup of their battle, and for those who run an army there.


class ProposedBattle(NamedTuple):
    """`setup`: the address of the setup with both armies and the ground in it, "" for who sets up no battles."""

    meeting: Encounter
    setup: str

    @property
    def ground(self) -> Said:
        return self.meeting.terrain.name


def list_proposed_battles(user: User, campaign: Campaign) -> Iterator[ProposedBattle]:
    """For the GM all of them; for a player those of their own armies with armies they may know at a glance."""
    ui = ruleset_ui.find_battle_ui(campaign)
    if ui is None:
        return
    if is_gm(user, campaign):
        for meeting in list_encounters(campaign):
            yield ProposedBattle(meeting, _address(campaign, meeting, ui))
    elif own := run_kingdom_ids(user, campaign):
        yield from (ProposedBattle(meeting, "") for meeting in _seen(user, campaign, own))


def _seen(user: User, campaign: Campaign, own: Collection[UUID]) -> Iterator[Encounter]:
    """Who stands beside an army of one's own is seen there, if one may know of them at all."""
    found = [one for one in list_encounters(campaign) if any(party.kingdom.pk in own for party in one.parties)]
    if not found:
        return
    there = [army.pk for meeting in found for army in meeting.armies]
    known = Army.objects.filter(build_knowledge_condition(user, Knowledge.GLANCE), pk__in=there)
    seen = set(known.order_by().values_list("pk", flat=True))
    for meeting in found:
        told = [party._replace(armies=[army for army in party.armies if army.pk in seen])
                for party in meeting.parties]  # fmt: skip
        parties = [party for party in told if party.armies]
        if len(parties) > 1:
            yield meeting._replace(parties=parties)


def _address(campaign: Campaign, meeting: Encounter, ui: ruleset_ui.BattleUI) -> str:
    query = QueryDict(mutable=True)
    query["name"], query["add"] = _("Battle at %(hex)s") % {"hex": meeting.hex}, "picked"
    for name, value in ui.setup_at(meeting).items():
        query.setlist(name, [value] if isinstance(value, str) else [*value])
    return f"{reverse('battles:battle_new', args=[campaign.pk])}?{query.urlencode()}"
