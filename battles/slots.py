"""Panels of battles for the pages of campaigns and commanders, and for Help."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple
from uuid import UUID

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from armies.marches.queries import Encounter, list_encounters
from armies.models import Army, Commander
from armies.ruleset_ui import Panel
from battles import ruleset_ui
from battles.setup.queries import battles_of_commander, glances
from battles.workshop.page import has_workshop
from kingdom.access.queries import is_gm, run_kingdom_ids
from kingdom.access.redaction import build_knowledge_condition
from kingdom.models import Campaign, Knowledge, User
from rules.core.text import Said
from rules.registry import RULESETS

LATEST = 20


def history(user: User, commander: Commander) -> Panel:
    """Panel of the latest battles in which the commander led an army."""
    found = glances(list(battles_of_commander(user, commander)[:LATEST]), user)
    return ("battles/panels/history.html", {"glances": found}) if found else None


def new_battle(user: User, campaign: Campaign) -> Panel:
    """Button that sets up a battle, for the GM."""
    return ("battles/panels/new_battle.html", {"campaign": campaign}) if is_gm(user, campaign) else None


def workshop(user: User, campaign: Campaign) -> Panel:
    """Link to the odds workshop, where the ruleset has one."""
    return ("battles/panels/workshop.html", {"campaign": campaign}) if has_workshop(campaign) else None


def met(user: User, campaign: Campaign) -> Panel:
    """Panel of the battles proposed where armies of several kingdoms stand in one hex."""
    proposed = list(list_proposed_battles(user, campaign))
    return ("battles/panels/met.html", {"proposed": proposed}) if proposed else None


def shortcuts(user: User) -> Panel:
    """Keyboard shortcuts of the battle page: the common ones, and those of each ruleset family."""
    groups = [
        ([law.name for law in RULESETS.values() if law.family == ui.family], ui) for ui in ruleset_ui.list_battle_uis()
    ]
    return "battles/panels/shortcuts.html", {"groups": groups}


# Battles proposed by encounters on the map. Only the GM gets a link to the setup.


class ProposedBattle(NamedTuple):
    """An encounter. `setup`: address of the setup with its armies and ground filled in; "" for a player."""

    meeting: Encounter
    setup: str

    @property
    def ground(self) -> Said:
        return self.meeting.terrain.name


def list_proposed_battles(user: User, campaign: Campaign) -> Iterator[ProposedBattle]:
    """All encounters for the GM. For a player those of their own armies, with the armies they know at least at a
    glance.
    """
    ui = ruleset_ui.find_battle_ui(campaign)
    if ui is None:
        return
    if is_gm(user, campaign):
        for meeting in list_encounters(campaign):
            yield ProposedBattle(meeting, _address(campaign, meeting, ui))
    elif own := run_kingdom_ids(user, campaign):
        yield from (ProposedBattle(meeting, "") for meeting in _seen(user, campaign, own))


def _seen(user: User, campaign: Campaign, own: Collection[UUID]) -> Iterator[Encounter]:
    """Encounters of the user's armies, without the armies they do not know of."""
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
