"""Army UI of rulesets whose document is a declared shape, and followers of a ruleset's changes, which update derived
figures (C-5, C-8).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.urls import reverse

from armies.bulk.common_orders import PLAIN_DEEDS
from armies.bulk.many_deeds import ManyDeed
from armies.default import page as default_page
from armies.default.forms import PlainCommanderForm
from armies.default.page import PlainArmyPage
from armies.default.ui import DefaultArmyUI
from armies.documents import reform_views, views
from armies.documents.api import DocumentApi
from armies.documents.commander_services import appoint_commander, update_commander
from armies.documents.commander_table import CommanderTable, DocumentCommanderForm
from armies.documents.drafts import DocumentDraft, lists_of, named_at, only_redrawn
from armies.documents.forms import DocumentForm, offers_of
from armies.documents.reform_services import CombineHosts, DocumentPlan
from armies.documents.rows import DocumentRows
from armies.forces.declared_figures import CorrectionForm
from armies.models import Army, Commander
from armies.reform.plans import standing_at
from armies.ruleset_ui import Page
from armies.tables.army_rows import ArmyTable
from core.api.serializers import title_of
from core.forms.form_fields import said
from core.shapes.forms import CatalogueChoices
from core.shapes.serializers import ApiShapes
from core.text import render
from kingdom.access.permissions import PageRequest
from kingdom.campaign.services import LawFollower
from kingdom.chronicle import changes
from kingdom.chronicle.transaction import Recording
from kingdom.models import Campaign
from kingdom.realms.figures import get_ruleset
from rules.army_law import Measure
from rules.core.errors import Refusal
from rules.core.shapes import DeclaredShape, shape_of
from rules.core.shapes.objects import value_in_words
from rules.core.text import Said
from rules.registry import family_of

# Army UI of rulesets whose document is a declared shape.
#
# A ruleset defines a subclass of `DocumentSheets` with an army's worth and look, and here `ARMIES =
# DocumentArmies("skirmish", Warband)`. Raising, correcting, pages, exports, tables and the API follow from the shape; a
# ruleset overrides what differs.


class DocumentPreview(NamedTuple):
    """Preview of an army (`DocumentArmies.measured`), or the reason why there is none. `unit`: name of the faulty
    entry.
    """

    measure: Any = None
    refusal: Said | None = None
    unit: str = ""


NOTHING_YET = DocumentPreview()


@dataclass(frozen=True, slots=True)
class ShownList:
    """Entries of a list as a table, with the columns that are not empty throughout."""

    label: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


class DocumentArmies(DefaultArmyUI):
    """`cls`: declared class of an army's document. `commander`: that of a commander's, if any, for appointing,
    changing, pages and the API. `api`, `rows`: the ruleset's own instead of the derived ones.
    """

    pages: Mapping[str, Page] = {
        **DefaultArmyUI.pages,
        "army_new": views.army_new,
        "army_preview": views.army_preview,
        "army_edit": views.army_edit,
        "army_correct": views.army_correct,
        "army_reform": reform_views.army_reform,
    }
    form_template = "armies/documents/army_form.html"
    entries_template = "armies/documents/entries.html"
    """Template of the lists of `form`."""
    preview_template = "armies/documents/preview.html"
    """Template of what `preview` returns."""
    document_form: type[DocumentForm] = DocumentForm
    correction_form: Any = CorrectionForm
    many: Sequence[type[ManyDeed]] = (*PLAIN_DEEDS, CombineHosts)
    reform_rule = "C-9"
    """Rule about divided and combined armies. In a ruleset that `reforms`, health follows from the document
    (`Measure.fit`).
    """
    shape: DeclaredShape
    document_rows: DocumentRows

    def __init__(
        self,
        family: str,
        cls: Any,
        *,
        commander: Any = None,
        api: DocumentApi | None = None,
        rows: DocumentRows | None = None,
    ):
        super().__init__(family)
        self.shape, title = shape_of(cls), title_of(family)
        self.commander_shape = shape_of(commander) if commander else None
        self.api = api or DocumentApi(self.shape, ApiShapes(title), title, commander=self.commander_shape)
        self.document_rows = rows or DocumentRows(self.shape)
        self.tables = (ArmyTable(self.document_rows),)
        if self.commander_shape is not None:
            self.commander_form = DocumentCommanderForm
            self.appoint_commander, self.update_commander = appoint_commander, update_commander
            self.tables = (*self.tables, CommanderTable(self.commander_shape))

    # Form.

    def only_redrawn(self, data: Any) -> bool:
        """Whether the pressed button only draws the form again."""
        return only_redrawn(data)

    def picked(self, draft: DocumentDraft, data: Any, law: Any) -> DocumentDraft:
        """The draft with what was chosen from lists of the ruleset's own."""
        return draft

    def fresh(self, name: str, data: Any, law: Any) -> dict[str, Any]:
        """A new entry of this list."""
        return {}

    def form_context(self, form: DocumentForm, data: Any) -> dict[str, Any]:
        """Further context of the form's template."""
        return {}

    def measured(self, law: Any, document: Mapping[str, Any]) -> Any:
        """Figures of an army with this document, for `preview_template`. Raises `Refusal` if it is invalid."""
        return law.armies.measure(law.armies.read(document))

    def preview(self, form: DocumentForm) -> DocumentPreview:
        """Preview of the army in the form."""
        document = form.document()
        if not any(one.entries for one in form.draft.lists.values()):
            return NOTHING_YET
        try:
            return DocumentPreview(self.measured(form.law, document))
        except Refusal as refusal:
            return DocumentPreview(refusal=refusal.message, unit=named_at(document, refusal.field))

    # Commanders.

    def build_commander_form(self, campaign: Campaign, data: Any = None, **more: Any) -> PlainCommanderForm:
        if self.commander_shape is None:
            return super().build_commander_form(campaign, data, **more)
        offers = self.commander_offers(get_ruleset(campaign))
        return DocumentCommanderForm(data, campaign=campaign, offers=offers, **more)

    def commander_offers(self, law: Any) -> CatalogueChoices:
        """Choices of the lists in a commander's form."""
        return offers_of(law.armies)

    def commander_page(self, request: PageRequest, commander: Commander) -> Any:
        plain = default_page.commander_page(request.user, commander)
        if self.commander_shape is None:
            return plain
        law: Any = get_ruleset(commander.campaign).armies
        return plain._replace(facts=facts_of(self.commander_shape, law.commander_of(commander.sheet), law.catalogues))

    # Dividing and combining.

    def get_reform_page(self, army: Any) -> str:
        return reverse("armies:army_reform", args=[army.pk]) if self.reforms else ""

    def find_places(self, armies: Collection[Army]) -> Mapping[UUID, str]:
        """Key of each army's place, by army; equal for armies at the same place."""
        return {army.pk: standing_at(army) for army in armies}

    def follow_reform(self, told: Recording, plan: DocumentPlan, rows: Sequence[Army]) -> None:
        """Hook: changes further data that the ruleset stores about reformed armies. `rows`: the armies formed."""

    # Page.

    def army_page(self, request: PageRequest, army: Army) -> Any:
        return document_page(default_page.army_page(request.user, army), self.shape, get_ruleset(army.campaign))


def document_page(plain: PlainArmyPage, shape: DeclaredShape, law: Any) -> PlainArmyPage:
    """The plain page with the document's contents; unchanged if the ruleset no longer accepts the document."""
    try:
        value = law.armies.value_of(plain.army.sheet)
    except Refusal:
        return plain
    lists, known = lists_of(shape), law.armies.catalogues
    facts = facts_of(shape, value, known)
    shown = tuple(_shown(shape, name, value, known) for name in lists if getattr(value, shape.members[name].name))
    return plain._replace(facts=(*plain.facts, *facts), lists=shown)


def facts_of(shape: DeclaredShape, value: Any, known: Any) -> tuple[tuple[str, str], ...]:
    """Labels and values of a document's members that are not lists; empty ones are left out."""
    lists = lists_of(shape)
    return tuple(
        (str(said(one.label)), render(value_in_words(one, getattr(value, one.name), known)))
        for key, one in shape.members.items()
        if key not in lists and getattr(value, one.name) not in (None, "", ())
    )


def _shown(shape: DeclaredShape, name: str, value: Any, known: Any) -> ShownList:
    entries = getattr(value, shape.members[name].name)
    inner = lists_of(shape)[name]
    told = [
        one for one in inner.members.values()
        if one.needed or any(getattr(entry, one.name) != one.default for entry in entries)
    ]  # fmt: skip
    rows = [[render(value_in_words(one, getattr(entry, one.name), known)) for one in told] for entry in entries]
    return ShownList(str(said(shape.members[name].label)), [str(said(one.label)) for one in told], rows)


# Followers of a ruleset's changes: derived figures of armies with a declared document are updated (C-5, C-8).

CHUNK = 500
RULE = "C-5"


def list_in_chunks(campaign: Campaign, *, changeable: bool = False) -> Iterator[Army]:
    """All armies of the campaign, read in chunks. `changeable`: without the disbanded ones, which nobody can change."""
    rows = Army.objects.filter(campaign=campaign).order_by("pk")
    return (rows.exclude(status=Army.Status.DISBANDED) if changeable else rows).iterator(chunk_size=CHUNK)


def build_measure_follower(family: str) -> LawFollower:
    """Follower for this ruleset family: yields changes of armies whose derived figures differ by the new rules."""

    def follow(campaign: Campaign) -> Iterator[changes.Change]:
        if family_of(campaign.ruleset) != family:
            return
        law = get_ruleset(campaign).armies
        for army in list_in_chunks(campaign):
            try:
                measure = law.measure(army.sheet)
            except Refusal:
                continue
            yield from _amended(army, measure)

    return follow


def _amended(army: Army, measure: Measure) -> Iterator[changes.Change]:
    after: dict[str, Any] = {"upkeep": measure.upkeep}
    if measure.health != army.health_max:
        lost = army.health_max - army.health
        fit = measure.fit if measure.fit is not None else max(min(1, army.health), measure.health - lost)
        after |= {"health_max": measure.health, "health": fit if army.health else 0}
    for name, value in after.items():
        before = getattr(army, name)
        if before != value:
            label = changes.word_of("army", name)
            yield changes.Change("army", str(army.pk), name, before, value, RULE, label, army.name)
