"""The face of armies of many units that break: what of `PlainArmies` is its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from armies.beginnings.starts import Starts
from armies.breaking_point.api.law import BreakingPointApi
from armies.breaking_point.archived import CARRIED
from armies.breaking_point.files import TABLES
from armies.breaking_point.forms.commander import CommanderForm
from armies.breaking_point.law_changes import keep_in_use, upkeep_amended
from armies.breaking_point.panels import PANELS
from armies.breaking_point.selectors import paper
from armies.breaking_point.selectors.army_page import army_page, commander_page
from armies.breaking_point.services.commanders import appoint_commander, update_commander
from armies.breaking_point.sieges import subjects
from armies.breaking_point.sieges.engaged import engaged
from armies.breaking_point.sieges.holding import held_in, in_sieges, met_in_siege, why_besieging
from armies.breaking_point.starts import BreakingPointStarts
from armies.breaking_point.time.life import LIFE
from armies.breaking_point.views import raising
from armies.faces import LifeFace, Page
from armies.models import Army, Commander
from armies.own import Holding, OwnTables
from armies.plain import PlainArmies
from kingdom.models import Campaign
from kingdom.request_types import PageRequest
from rules.paper import OnPaper, PaperAid

OWN = OwnTables(
    carried=CARRIED,
    subjects=(subjects.register,),
    guards=(keep_in_use,),
    follows=(upkeep_amended,),
    holding=Holding(engaged, why_besieging, held_in, met_in_siege, in_sieges),
)


class BreakingPointArmies(PlainArmies):
    api = BreakingPointApi()
    pages: Mapping[str, Page] = {
        **PlainArmies.pages,
        "army_new": raising.army_new,
        "army_preview": raising.army_preview,
        "army_edit": raising.army_edit,
        "army_correct": raising.army_correct,
    }
    army_template = "armies/breaking_point/army.html"
    commander_template = "armies/breaking_point/commander.html"
    commander_form = CommanderForm
    appoint_commander = staticmethod(appoint_commander)
    update_commander = staticmethod(update_commander)
    panels = (*PlainArmies.panels, *PANELS)
    urls = "armies.breaking_point.urls"
    api_urls = "armies.breaking_point.api.urls"
    life: LifeFace | None = LIFE
    own = OWN
    tables = TABLES
    starts: Starts = BreakingPointStarts()

    def army_page(self, request: PageRequest, army: Army) -> Any:
        return army_page(request.user, army, request.GET.get("against", ""))

    def commander_page(self, request: PageRequest, commander: Commander) -> Any:
        return commander_page(request.user, commander)

    def on_paper(self, army: Army) -> OnPaper:
        return paper.on_paper(army)

    def aids(self, campaign: Campaign) -> Sequence[PaperAid]:
        return paper.AIDS


FACE = BreakingPointArmies("breaking_point")
