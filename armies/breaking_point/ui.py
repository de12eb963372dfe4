"""Army UI of breaking point: where it differs from `DocumentArmies`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from armies.breaking_point.api.ruleset_api import BreakingPointApi
from armies.breaking_point.armies import paper
from armies.breaking_point.armies.builder_choices import (
    figures_picked,
    list_starter_units,
    looks_on,
    read_query,
    starter_of,
)
from armies.breaking_point.armies.figure_tables import SheetShown, build_sheet
from armies.breaking_point.armies.forms import BuilderForm, CommanderForm, with_units
from armies.breaking_point.armies.page import army_page, commander_page
from armies.breaking_point.armies.services import appoint_commander, update_commander
from armies.breaking_point.forces.archive_tables import CARRIED
from armies.breaking_point.forces.ruleset_changes import keep_in_use, upkeep_amended
from armies.breaking_point.forces.slots import PANELS
from armies.breaking_point.forces.specs import build_host
from armies.breaking_point.forces.starting_armies import BreakingPointStarts
from armies.breaking_point.forces.table_rows import ROWS, TypeTable
from armies.breaking_point.models import FortifiedPlace, SiegeRow, Stationed
from armies.breaking_point.own_things import OWN_THINGS
from armies.breaking_point.sieges import tracked_fields
from armies.breaking_point.sieges.busy import explain_besieging, list_engaged
from armies.breaking_point.sieges.siege_changes import is_wanted_in_siege
from armies.breaking_point.weeks.weeks import LIFE
from armies.default.forms import StatusCorrectionForm
from armies.documents.drafts import DocumentDraft
from armies.documents.forms import DocumentForm
from armies.documents.ui import DocumentArmies
from armies.models import Army, Commander
from armies.onboarding.starting_armies import Starts
from armies.ruleset_ui import Holding, WeeksUI
from kingdom.access.request_types import PageRequest
from kingdom.contributions import Contribution
from kingdom.models import Campaign
from rules.breaking_point.documents import ARMY, HostDocument
from rules.breaking_point.reading import Json
from rules.breaking_point.ruleset import muster_of
from rules.core.paper import OnPaper, PaperAid
from rules.muster import Muster

CONTRIBUTION = Contribution(
    carried_tables=CARRIED,
    tracked_models=tuple(tracked_fields.list_tracked()),
    detachments=tracked_fields.DETACHMENTS,
    restored_by_own_lines=(FortifiedPlace,),
    restore_demands={Stationed: tracked_fields.demand_room, SiegeRow: tracked_fields.demand_over},
    law_guards=(keep_in_use,),
    law_followers=(upkeep_amended,),
)


class BreakingPointArmyUI(DocumentArmies):
    army_template = "armies/breaking_point/armies/army.html"
    entries_template = "armies/breaking_point/armies/parts/units.html"
    preview_template = "armies/breaking_point/armies/parts/preview.html"
    document_form = BuilderForm
    correction_form = StatusCorrectionForm
    commander_template = "armies/breaking_point/armies/commander.html"
    commander_form = CommanderForm
    appoint_commander = staticmethod(appoint_commander)
    update_commander = staticmethod(update_commander)
    panels = (*DocumentArmies.panels, *PANELS)
    urls = "armies.breaking_point.urls"
    api_urls = "armies.breaking_point.api.urls"
    life: WeeksUI | None = LIFE
    contribution = CONTRIBUTION
    holding = Holding(list_engaged, explain_besieging)
    own_things = OWN_THINGS
    musters = True
    starts: Starts = BreakingPointStarts()

    def __init__(self) -> None:
        super().__init__("breaking_point", HostDocument, api=BreakingPointApi(ARMY), rows=ROWS)
        self.tables = (*self.tables, TypeTable())

    def only_redrawn(self, data: Any) -> bool:
        return super().only_redrawn(data) or looks_on(data)

    def picked(self, draft: DocumentDraft, data: Any, law: Any) -> DocumentDraft:
        return with_units(draft, figures_picked(draft.lists["units"].entries, data, law))

    def fresh(self, name: str, data: Any, law: Any) -> Json:
        return starter_of(data.get("starter", ""), law)

    def form_context(self, form: DocumentForm, data: Any) -> dict[str, Any]:
        sought = read_query(data)
        return {"starters": list_starter_units(form.law, sought), "sought": sought, "starter": data.get("starter", "")}

    def measured(self, law: Any, document: Mapping[str, Any]) -> SheetShown:
        return build_sheet(law.armies.units_of(document))

    def army_page(self, request: PageRequest, army: Army) -> Any:
        return army_page(request.user, army, request.GET.get("against", ""))

    def commander_page(self, request: PageRequest, commander: Commander) -> Any:
        return commander_page(request.user, commander)

    def muster(self, army: Army) -> Muster | None:
        """None while a siege waits for a battle with the army, which has to be fought by this ruleset."""
        return None if is_wanted_in_siege(army) else muster_of(build_host(army))

    def on_paper(self, army: Army) -> OnPaper:
        return paper.on_paper(army)

    def aids(self, campaign: Campaign) -> Sequence[PaperAid]:
        return paper.AIDS


UI = BreakingPointArmyUI()
