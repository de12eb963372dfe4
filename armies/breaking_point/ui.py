"""Ruleset UI of breaking point's armies: what differs from `DefaultArmyUI`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from armies.breaking_point.api.ruleset_api import BreakingPointApi
from armies.breaking_point.archive_tables import CARRIED
from armies.breaking_point.armies import paper
from armies.breaking_point.armies import views as armies_views
from armies.breaking_point.armies.commander_forms import CommanderForm
from armies.breaking_point.armies.commander_services import appoint_commander, update_commander
from armies.breaking_point.armies.page import army_page, commander_page
from armies.breaking_point.ruleset_changes import keep_in_use, upkeep_amended
from armies.breaking_point.sieges import tracked_fields
from armies.breaking_point.sieges.annotations import list_engaged
from armies.breaking_point.sieges.busy import explain_besieging, in_sieges, list_held_armies, list_met_in_siege
from armies.breaking_point.slots import PANELS
from armies.breaking_point.starting_armies import BreakingPointStarts
from armies.breaking_point.table_rows import TABLES
from armies.breaking_point.weeks.weeks import LIFE
from armies.default.ui import DefaultArmyUI
from armies.models import Army, Commander
from armies.onboarding.starting_armies import Starts
from armies.ruleset_models import Holding, RulesetModels
from armies.ruleset_ui import Page, WeeksUI
from kingdom.access.request_types import PageRequest
from kingdom.models import Campaign
from rules.core.paper import OnPaper, PaperAid

OWN = RulesetModels(
    carried=CARRIED,
    subjects=(tracked_fields.register,),
    guards=(keep_in_use,),
    follows=(upkeep_amended,),
    holding=Holding(list_engaged, explain_besieging, list_held_armies, list_met_in_siege, in_sieges),
)


class BreakingPointArmyUI(DefaultArmyUI):
    api = BreakingPointApi()
    pages: Mapping[str, Page] = {
        **DefaultArmyUI.pages,
        "army_new": armies_views.army_new,
        "army_preview": armies_views.army_preview,
        "army_edit": armies_views.army_edit,
        "army_correct": armies_views.army_correct,
    }
    army_template = "armies/breaking_point/armies/army.html"
    commander_template = "armies/breaking_point/armies/commander.html"
    commander_form = CommanderForm
    appoint_commander = staticmethod(appoint_commander)
    update_commander = staticmethod(update_commander)
    panels = (*DefaultArmyUI.panels, *PANELS)
    urls = "armies.breaking_point.urls"
    api_urls = "armies.breaking_point.api.urls"
    life: WeeksUI | None = LIFE
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


UI = BreakingPointArmyUI("breaking_point")
