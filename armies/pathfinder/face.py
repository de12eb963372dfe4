"""Mass combat's face: how its armies and commanders are kept, drawn and answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from armies.faces import Page
from armies.own import OwnTables
from armies.pathfinder import subjects
from armies.pathfinder.api.law import PathfinderApi
from armies.pathfinder.archived import CARRIED, LEFT_OUT
from armies.pathfinder.files import TABLES
from armies.pathfinder.law_changes import figures_amended
from armies.pathfinder.marching import Road
from armies.pathfinder.models import KingdomStock, PathfinderArmy, PathfinderCommander
from armies.pathfinder.panels import PANELS
from armies.pathfinder.selectors import paper
from armies.pathfinder.selectors.army_page import ArmyPage
from armies.pathfinder.services.disband import Disposal
from armies.pathfinder.services.marching import refuse_rested
from armies.pathfinder.services.transfer import Share
from armies.pathfinder.spec import army_spec
from armies.pathfinder.starts import PathfinderStarts
from armies.pathfinder.time import choices
from armies.pathfinder.time.life import PathfinderLife
from armies.pathfinder.time.this_week import feeds_this_week
from armies.pathfinder.time.troops import BOARDS
from armies.pathfinder.together import DEEDS
from armies.pathfinder.views import army as army_views
from armies.pathfinder.views import commander as commander_views
from armies.pathfinder.views import disband, march, raising
from armies.plain import PlainArmies
from kingdom.models import Campaign
from kingdom.request_types import PageRequest
from kingdom.selectors import ruleset_of
from rules.paper import OnPaper, PaperAid
from rules.pathfinder.paper import STAGES, strategies_on_paper
from rules.pathfinder.spec import ArmySpec
from rules.pathfinder.travel import LAND
from rules.text import _

OWN = OwnTables(
    carried=CARRIED,
    left_out=LEFT_OUT,
    subjects=(subjects.register, choices.register),
    arguments=(KingdomStock, Disposal, Road, Share),
    follows=(figures_amended,),
    boards=BOARDS,
)


class PathfinderArmies(PlainArmies):
    army = PathfinderArmy
    commander = PathfinderCommander
    pages: Mapping[str, Page] = {
        "army": army_views.army,
        "army_new": raising.army_new,
        "army_preview": raising.army_preview,
        "army_edit": raising.army_edit,
        "army_correct": raising.army_correct,
        "army_remove": raising.army_remove,
        "army_assign": army_views.army_assign,
        "army_place": march.army_place,
        "army_reveal": army_views.army_reveal,
        "army_disband": disband.army_disband,
        "commander": commander_views.commander,
        "commander_new": commander_views.commander_new,
        "commander_edit": commander_views.commander_edit,
        "commander_remove": commander_views.commander_remove,
    }
    army_template = "armies/pathfinder/army.html"
    api = PathfinderApi()
    panels = PANELS
    many = DEEDS
    tables = TABLES
    other_files = (("armies:foundry_in", _("From Foundry")),)
    urls = "armies.pathfinder.urls"
    api_urls = "armies.pathfinder.api.urls"
    life = PathfinderLife()
    own = OWN
    starts = PathfinderStarts()
    stages = STAGES

    def army_page(self, request: PageRequest, army: Any) -> ArmyPage:
        return ArmyPage(request.user, army)

    def traveller(self, army: Any) -> ArmySpec:
        return army_spec(army)

    def bound_to(self, army: Any) -> Sequence[str]:
        """In a week in which it lives off the land its speed is halved, too (PF-2.9, R-81)."""
        return (LAND,) if feeds_this_week(army) else ()

    def set_out(self, army: Any) -> Sequence[str]:
        """Not on a day of rest (PF-7.1); what it had eaten bare lies behind it (PF-2.9)."""
        refuse_rested(army)
        army.foraging = None
        return ("foraging",)

    def on_paper(self, army: Any) -> OnPaper:
        return paper.on_paper(army)

    def aids(self, campaign: Campaign) -> Sequence[PaperAid]:
        return (strategies_on_paper(ruleset_of(campaign)),)


FACE = PathfinderArmies("pathfinder")
