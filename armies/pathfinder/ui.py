"""Army UI of mass combat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse

from armies.default.ui import DefaultArmyUI
from armies.pathfinder.api.ruleset_api import PathfinderApi
from armies.pathfinder.armies import raise_views, roster, views
from armies.pathfinder.armies import views as army_views
from armies.pathfinder.armies.disband_services import Disposal
from armies.pathfinder.armies.march_services import refuse_rested
from armies.pathfinder.armies.page import ArmyPage
from armies.pathfinder.armies.resource_services import Share
from armies.pathfinder.commanders import views as commander_views
from armies.pathfinder.forces import tracked_fields
from armies.pathfinder.forces.archive_tables import CARRIED, LEFT_OUT
from armies.pathfinder.forces.bulk_orders import DEEDS
from armies.pathfinder.forces.march_pace import Road
from armies.pathfinder.forces.ruleset_changes import figures_amended
from armies.pathfinder.forces.slots import PANELS
from armies.pathfinder.forces.specs import build_army_spec
from armies.pathfinder.forces.starting_armies import PathfinderStarts
from armies.pathfinder.forces.table_rows import TABLES
from armies.pathfinder.models import FoundryActor, KingdomStock, PathfinderArmy, PathfinderCommander
from armies.pathfinder.unit_types.drawings import choose_drawing, find_slug
from armies.pathfinder.unit_types.queries import load_unit_types
from armies.pathfinder.weeks import week_choices
from armies.pathfinder.weeks.mapping import BOARDS
from armies.pathfinder.weeks.week_choices import feeds_this_week
from armies.pathfinder.weeks.weeks import PathfinderLife
from armies.ruleset_ui import Page
from kingdom.access.request_types import PageRequest
from kingdom.approvals.submission import read_row
from kingdom.contributions import Contribution
from kingdom.models import Campaign
from kingdom.realms.figures import get_ruleset
from rules.core.paper import OnPaper, PaperAid
from rules.core.text import _
from rules.muster import Muster
from rules.pathfinder.paper import STAGES, strategies_on_paper
from rules.pathfinder.ruleset import muster_of
from rules.pathfinder.spec import ArmySpec
from rules.pathfinder.travel import LAND

CONTRIBUTION = Contribution(
    carried_tables=CARRIED,
    left_out=LEFT_OUT,
    tracked_models=(*tracked_fields.list_tracked(), week_choices.TRACKED),
    restore_demands={FoundryActor: tracked_fields.demand_actor},
    arguments=dict.fromkeys((KingdomStock, Disposal, Road, Share), read_row),
    law_followers=(figures_amended,),
    kingdom_annotations=BOARDS,
)


class PathfinderArmyUI(DefaultArmyUI):
    army = PathfinderArmy
    commander = PathfinderCommander
    pages: Mapping[str, Page] = {
        "army": army_views.army,
        "army_new": raise_views.army_new,
        "army_preview": raise_views.army_preview,
        "army_edit": raise_views.army_edit,
        "army_correct": raise_views.army_correct,
        "army_remove": raise_views.army_remove,
        "army_assign": army_views.army_assign,
        "army_place": views.army_place,
        "army_reveal": army_views.army_reveal,
        "army_disband": views.army_disband,
        "commander": commander_views.commander,
        "commander_new": commander_views.commander_new,
        "commander_edit": commander_views.commander_edit,
        "commander_remove": commander_views.commander_remove,
    }
    army_template = "armies/pathfinder/armies/army.html"
    api = PathfinderApi()
    panels = PANELS
    many = DEEDS
    tables = TABLES
    other_files = (("armies:foundry_in", _("From Foundry")),)
    urls = "armies.pathfinder.urls"
    api_urls = "armies.pathfinder.api.urls"
    life = PathfinderLife()
    contribution = CONTRIBUTION
    starts = PathfinderStarts()
    stages = STAGES
    musters = True

    def army_page(self, request: PageRequest, army: Any) -> ArmyPage:
        return ArmyPage(request.user, army)

    def list_unit_types(self, campaign: Campaign) -> Mapping[str, str]:
        return {slug: entry.name for slug, entry in load_unit_types(campaign).items()}

    def get_unit_page(self, campaign: Campaign, slug: str) -> str:
        return reverse("armies:unit_types", args=[campaign.pk])

    def find_unit_type(self, army: Any) -> str:
        return find_slug(army.unit["name"])

    def get_drawing(self, army: Any) -> str:
        return choose_drawing(army.unit, mounted=army.mount is not None)

    def muster(self, army: Any) -> Muster:
        return muster_of(get_ruleset(army.campaign), build_army_spec(army))

    def traveller(self, army: Any) -> ArmySpec:
        return build_army_spec(army)

    def bound_to(self, army: Any) -> Sequence[str]:
        """An army that lives off the land this week marches at half speed too (PF-2.9, R-81)."""
        return (LAND,) if feeds_this_week(army) else ()

    def set_out(self, army: Any) -> Sequence[str]:
        """Refuses an army that has rested today (PF-7.1); otherwise it leaves the hex it has foraged (PF-2.9)."""
        refuse_rested(army)
        army.foraging = None
        return ("foraging",)

    def on_paper(self, army: Any) -> OnPaper:
        return roster.on_paper(army)

    def aids(self, campaign: Campaign) -> Sequence[PaperAid]:
        return (strategies_on_paper(get_ruleset(campaign)),)


UI = PathfinderArmyUI("pathfinder")
