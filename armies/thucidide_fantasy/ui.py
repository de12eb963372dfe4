"""Army UI of THUCIDIDE fantasy (`DocumentArmies`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from armies.arsenal.own_things import PANEL as ARSENAL
from armies.default.forms import StatusCorrectionForm
from armies.documents.drafts import DocumentDraft
from armies.documents.forms import DocumentForm
from armies.documents.ui import DocumentArmies
from armies.documents.weeks import LIFE
from armies.models import Army, Commander
from armies.onboarding.starting_armies import Starts
from armies.thucidide_fantasy import paper
from armies.thucidide_fantasy.api import API
from armies.thucidide_fantasy.figure_tables import ContingentShown, build_contingent
from armies.thucidide_fantasy.forms import FRESH, ContingentForm, draft_of, list_starters, offers_with_figures
from armies.thucidide_fantasy.own_things import OWN_THINGS, TABLES
from armies.thucidide_fantasy.page import army_page, commander_page
from armies.thucidide_fantasy.ruleset_changes import keep_in_use, measure_amended
from armies.thucidide_fantasy.starting_armies import ContingentStarts
from core.shapes.forms import CatalogueChoices
from kingdom.access.request_types import PageRequest
from kingdom.contributions import Contribution
from kingdom.models import Campaign
from rules.core.paper import OnPaper, PaperAid
from rules.core.text import Said
from rules.thucidide_fantasy.contingent import ContingentCommander, ContingentSheet
from rules.thucidide_fantasy.samples import SAMPLE_HOSTS


class ContingentArmyUI(DocumentArmies):
    army_template = "armies/thucidide_fantasy/army.html"
    commander_template = "armies/thucidide_fantasy/commander.html"
    entries_template = "armies/thucidide_fantasy/entries.html"
    preview_template = "armies/thucidide_fantasy/preview.html"
    document_form = ContingentForm
    correction_form = StatusCorrectionForm
    life = LIFE
    contribution = Contribution(law_guards=(keep_in_use,), law_followers=(measure_amended,))
    own_things = OWN_THINGS
    panels = (*DocumentArmies.panels, ARSENAL)
    starts: Starts = ContingentStarts()
    stages: Sequence[Said] = paper.STAGES

    def __init__(self) -> None:
        super().__init__("thucidide_fantasy", ContingentSheet, commander=ContingentCommander, api=API)
        self.tables = (*self.tables, *TABLES)

    def picked(self, draft: DocumentDraft, data: Any, law: Any) -> DocumentDraft:
        host = SAMPLE_HOSTS.get(data.get("starter", "")) if "begin" in data else None
        return draft_of(host, draft.head, law) if host else draft

    def fresh(self, name: str, data: Any, law: Any) -> dict[str, Any]:
        return dict(FRESH.get(name, {}))

    def form_context(self, form: DocumentForm, data: Any) -> dict[str, Any]:
        return {"starters": list_starters(), "starter": data.get("starter", "")}

    def measured(self, law: Any, document: Mapping[str, Any]) -> ContingentShown:
        return build_contingent(law, law.armies.value_of(law.armies.read(document)))

    def commander_offers(self, law: Any) -> CatalogueChoices:
        return offers_with_figures(law)

    def army_page(self, request: PageRequest, army: Army) -> Any:
        return army_page(request.user, army)

    def commander_page(self, request: PageRequest, commander: Commander) -> Any:
        return commander_page(request.user, commander)

    def on_paper(self, army: Army) -> OnPaper:
        return paper.on_paper(army)

    def aids(self, campaign: Campaign) -> Sequence[PaperAid]:
        return paper.aids_of(campaign)


UI = ContingentArmyUI()
