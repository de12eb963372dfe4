"""Army UI of wing command (`DocumentArmies`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from armies.arsenal.own_things import PANEL as ARSENAL
from armies.documents.drafts import DocumentDraft
from armies.documents.forms import DocumentForm
from armies.documents.ui import DocumentArmies
from armies.documents.weeks import LIFE
from armies.models import Army, Commander
from armies.onboarding.starting_armies import Starts
from armies.wing_command import paper
from armies.wing_command.api import API
from armies.wing_command.figure_tables import WingShown, build_wing
from armies.wing_command.forms import FRESH, WingForm, draft_of, find_starter, list_starters
from armies.wing_command.own_things import OWN_THINGS, TABLE
from armies.wing_command.page import army_page, commander_page
from armies.wing_command.ruleset_changes import keep_in_use, measure_amended
from armies.wing_command.starting_armies import WingStarts
from kingdom.access.request_types import PageRequest
from kingdom.contributions import Contribution
from kingdom.models import Campaign
from rules.core.paper import OnPaper, PaperAid
from rules.core.text import Said
from rules.wing_command.wing import WingCommander, WingSheet


class WingArmyUI(DocumentArmies):
    army_template = "armies/wing_command/army.html"
    commander_template = "armies/wing_command/commander.html"
    entries_template = "armies/wing_command/entries.html"
    preview_template = "armies/wing_command/preview.html"
    document_form = WingForm
    contribution = Contribution(law_guards=(keep_in_use,), law_followers=(measure_amended,))
    own_things = OWN_THINGS
    panels = (*DocumentArmies.panels, ARSENAL)
    life = LIFE
    starts: Starts = WingStarts()
    stages: Sequence[Said] = paper.STAGES

    def __init__(self) -> None:
        super().__init__("wing_command", WingSheet, commander=WingCommander, api=API)
        self.tables = (*self.tables, TABLE)

    def picked(self, draft: DocumentDraft, data: Any, law: Any) -> DocumentDraft:
        wing = find_starter(data.get("starter", "")) if "begin" in data else None
        return draft_of(wing, draft.head, law) if wing else draft

    def fresh(self, name: str, data: Any, law: Any) -> dict[str, Any]:
        return dict(FRESH.get(name, {}))

    def form_context(self, form: DocumentForm, data: Any) -> dict[str, Any]:
        return {"starters": list_starters(), "starter": data.get("starter", "")}

    def measured(self, law: Any, document: Mapping[str, Any]) -> WingShown:
        return build_wing(law, law.armies.value_of(document))

    def army_page(self, request: PageRequest, army: Army) -> Any:
        return army_page(request.user, army)

    def commander_page(self, request: PageRequest, commander: Commander) -> Any:
        return commander_page(request.user, commander)

    def on_paper(self, army: Army) -> OnPaper:
        return paper.on_paper(army)

    def aids(self, campaign: Campaign) -> Sequence[PaperAid]:
        return paper.aids_of(campaign)


UI = WingArmyUI()
