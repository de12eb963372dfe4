"""Army UI of breaking point, where it differs from `DocumentArmies`: with its panels, starting armies, changed rules,
and armies that a siege keeps busy.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse

from armies.arsenal.own_things import PANEL as ARSENAL
from armies.breaking_point.api.serializers import BreakingPointApi
from armies.breaking_point.armies import paper
from armies.breaking_point.armies.builder_choices import (
    figures_picked,
    list_starter_units,
    looks_on,
    read_query,
    starter_document,
    starter_of,
)
from armies.breaking_point.armies.forms import BuilderForm, CommanderForm, with_units
from armies.breaking_point.armies.page import SheetShown, army_page, build_sheet, commander_page
from armies.breaking_point.armies.services import appoint_commander, update_commander
from armies.breaking_point.forces.specs import build_army_host, build_siege, load_armies
from armies.breaking_point.forces.table_rows import ROWS, TypeTable
from armies.breaking_point.forces.words import COLUMN_WORDS
from armies.breaking_point.models import RUNNING, FortifiedPlace, SiegeArmy, SiegeRow, Stationed
from armies.breaking_point.own_things import OWN_THINGS
from armies.breaking_point.sieges import tracked_fields
from armies.breaking_point.sieges.place_services import enter_place, fortify, garrison_reformed
from armies.breaking_point.sieges.queries import list_sieges, places_of_kingdom
from armies.breaking_point.sieges.services import begin_siege
from armies.breaking_point.sieges.siege_changes import is_wanted_in_siege
from armies.breaking_point.sieges.tracked_fields import CARRIED
from armies.breaking_point.weeks.services import UPKEEP_RULE
from armies.breaking_point.weeks.weeks import LIFE, outlook_of
from armies.bulk.common_orders import PLAIN_DEEDS
from armies.default.forms import StatusCorrectionForm
from armies.documents.drafts import DocumentDraft
from armies.documents.forms import DocumentForm
from armies.documents.reform_services import CombineHosts, DocumentPlan
from armies.documents.ui import DocumentArmies
from armies.forces.busy import Engaged
from armies.models import Army, Commander
from armies.onboarding.casts import CampaignCast, blockade_of
from armies.onboarding.starting_armies import Built, Starts, Troop
from armies.ruleset_ui import Holding, Panel, WeeksUI
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import is_gm
from kingdom.chronicle import changes
from kingdom.chronicle.transaction import Recording
from kingdom.contributions import Contribution, SlotPanel, link_campaign
from kingdom.models import Campaign, Kingdom, User
from kingdom.realms.figures import get_ruleset
from kingdom.rendering import ListLook
from rules.aftermath import Muster
from rules.breaking_point.documents import ARMY, HostDocument
from rules.breaking_point.house import Own, named_by, unknown_to
from rules.breaking_point.ruleset import BreakingPoint, muster_of
from rules.breaking_point.siege.siege_state import heads_left, shares_left
from rules.breaking_point.spec import Json
from rules.core.breakdown import OnPaper, PaperAid
from rules.core.errors import IllegalCommand, InvalidInput, Refusal, refuse
from rules.core.text import Said, Term, _, say
from rules.core.viewers import WHOLE
from rules.registry import family_of

# Panels of armies, the arsenal, places and sieges for the pages of campaigns and kingdoms.


def running(user: User, campaign: Campaign) -> Panel:
    """Panel of the campaign's running sieges."""
    rows = list(list_sieges(user).filter(campaign=campaign, status__in=RUNNING))
    return ("armies/breaking_point/sieges/running.html", {"sieges": rows, "campaign": campaign}) if rows else None


def places(user: User, kingdom: Kingdom, look: ListLook) -> Panel:
    """Panel of the kingdom's fortified places."""
    found, gm = places_of_kingdom(user, kingdom), is_gm(user, kingdom.campaign)
    context = {"places": found, "kingdom": kingdom, "gm": gm}
    return ("armies/breaking_point/sieges/places.html", context) if found or gm else None


def outlook(user: User, kingdom: Kingdom, look: ListLook) -> Panel:
    """Panel of the weeks ahead, on a page of the kingdom."""
    return "armies/weeks/outlook.html", {"outlook": outlook_of(kingdom), "upkeep_rule": UPKEEP_RULE}


PANELS = (
    SlotPanel("nav", link_campaign("armies/breaking_point/sieges/nav.html")),
    SlotPanel("campaign", running, 1),
    SlotPanel("kingdom", places, 5),
    ARSENAL,
    SlotPanel("outlook", outlook),
)


# Starting armies of breaking point: armies of a few units each.

UNITS: Mapping[str, tuple[Term, tuple[tuple[str, int], ...]]] = {
    "foot": (_("infantry: men-at-arms and pikemen"), (("men-at-arms", 200), ("pikemen", 150))),
    "horse": (_("cavalry: heavy and light"), (("feudal-horse", 60), ("light-horse", 60))),
    "bows": (_("archers with a guard"), (("longbowmen", 200), ("militia", 80))),
    "levy": (_("levies: numerous and inexperienced"), (("militia", 450), ("crossbowmen", 60))),
    "guard": (_("a guard of veterans"), (("lancers", 120), ("crossbowmen", 60))),
    "engines": (_("besiegers with siege engines"), (("men-at-arms", 250), ("sappers", 60), ("catapults", 40))),
    "horde": (_("a horde of orcs"), (("orcs", 400), ("berserkers", 60))),
    "beasts": (_("trolls"), (("trolls", 40),)),
}
KIND, GARRISON = "fort", 150


class BreakingPointStarts:
    templates = True
    casts: Sequence[CampaignCast] = ()

    def troops(self, campaign: Campaign) -> Mapping[str, Troop]:
        return {slug: Troop(name, {"units": _units(units)}) for slug, (name, units) in UNITS.items()}

    def leader(self, campaign: Campaign) -> Json:
        return {"mental": 7, "presence": 7, "combat": 5, "art_of_war": 4}

    def arrange(self, by: User, cast: CampaignCast, built: Built) -> None:
        """Fortifies the blockaded town and begins its siege."""
        within, before = blockade_of(cast, built)
        if cast.blockade is None:
            return
        town = built.towns[cast.blockade.town]
        name = town.name
        place = fortify(by=by, kingdom=town.kingdom, name=name, kind=KIND, garrison=GARRISON, settlement=town)
        for army in within:
            enter_place(by=by, army=army, place=place)
        begin_siege(by=by, place=place, armies=before)


def _units(named: tuple[tuple[str, int], ...]) -> list[dict[str, Any]]:
    return [starter_document(slug, heads) for slug, heads in named]


# Changes of a campaign's rules, applied to armies of units.
#
# Entries that armies use cannot be removed, and upkeep follows the rules (B-69). All other figures are computed when
# they are read.

FAMILY = "breaking_point"
CHUNK = 500


def keep_in_use(campaign: Campaign, law: Any) -> None:
    """Raises `IllegalCommand` that names the first army which would be invalid without the campaign's own entries that
    this ruleset drops or changes.
    """
    if not law.family == family_of(campaign.ruleset) == FAMILY:
        return
    own = get_ruleset(campaign).house.own
    moved = {(kind, slug) for kind in own for slug, thing in own[kind].items() if _other(law, kind, slug, thing)}
    if not moved:
        return
    kept = Army.objects.filter(campaign=campaign).exclude(status=Army.Status.DISBANDED)
    for army in kept.order_by("pk").iterator(chunk_size=CHUNK):
        if any(found in moved for unit in army.sheet.get("units", ()) for found in named_by(unit)):
            _refuse_lost(army, law, own)
            _refuse_changed(army, law)


def _other(law: Any, kind: str, slug: str, thing: Mapping[str, Any]) -> bool:
    return bool(law.house.own.get(kind, {}).get(slug) != thing)


def _refuse_lost(army: Army, law: Any, own: Own) -> None:
    for unit in army.sheet["units"]:
        if (lost := unknown_to(law.tables, unit)) is not None:
            kind, slug = lost
            name = own.get(kind, {}).get(slug, {}).get("name", slug)
            text = _("{thing} is in use by {unit} ({army}). Change that unit first.")
            refuse(text, thing=name, unit=unit.get("name", ""), army=army.name)


def _refuse_changed(army: Army, law: Any) -> None:
    try:
        law.armies.units_of({"units": army.sheet["units"]})
    except InvalidInput as refusal:
        template = _("Under these rules, {army} would no longer be valid: {why}")
        raise IllegalCommand(say(template, army=army.name, why=refusal.message)) from None


def upkeep_amended(campaign: Campaign) -> Iterator[changes.Change]:
    """Changes of upkeep for armies that cost another sum by the campaign's new rules."""
    if family_of(campaign.ruleset) != FAMILY:
        return
    law, label = get_ruleset(campaign).armies, changes.word_of("army", "upkeep")
    for army in Army.objects.filter(campaign=campaign).order_by("pk").iterator(chunk_size=CHUNK):
        try:
            upkeep = law.measure(law.read({"units": army.sheet.get("units")})).upkeep
        except InvalidInput:
            continue
        if upkeep != army.upkeep:
            yield changes.Change("army", str(army.pk), "upkeep", army.upkeep, upkeep, "B-69", label, army.name)


# Armies that a siege keeps busy.


def sieges_of(armies: Collection[Army]) -> dict[UUID, SiegeRow]:
    """The siege of each of these armies; armies in no siege are left out."""
    return {seat.army_id: seat.siege for seat in _seats(armies)}


def _seats(armies: Collection[Army]) -> QuerySet[SiegeArmy]:
    """Seats in running sieges, newest first, so that a dict keeps the oldest."""
    seats = SiegeArmy.objects.filter(SiegeArmy.BINDS, army__in=armies)
    return seats.select_related("siege__place").order_by("-pk")


def explain_besieging(armies: Collection[Army]) -> dict[UUID, Said]:
    """Reasons why armies may not be changed while their siege lasts. A battle of the siege releases them."""
    text = _("{army}: held by the siege of {place}. End the siege first.")
    names = {army.pk: army.name for army in armies}
    # An army with a model of its own is of another ruleset, and in no siege.
    found = sieges_of([army for army in armies if type(army) is Army])
    return {key: say(text, army=names[key], place=siege.place.name) for key, siege in found.items()}


# Sieges of armies for lists and sheets, with the force that is left.


def list_engaged(campaign: Campaign) -> dict[UUID, Engaged]:
    """Armies in running sieges, with the percentage of force and the heads that are left. Their sheets keep the state
    before the siege until it is over.
    """
    if get_ruleset(campaign).family != BreakingPoint.family:
        return {}
    rows = list(SiegeRow.objects.filter(campaign=campaign, status__in=RUNNING).select_related("place"))
    armies = load_armies(rows) if rows else {}
    return dict(seat for row in rows for seat in _seats_in_sieges(row, armies))


def _seats_in_sieges(row: SiegeRow, armies: dict[str, Army]) -> Iterator[tuple[UUID, Engaged]]:
    try:
        siege = build_siege(row, armies)
        shares, heads = shares_left(siege), heads_left(siege)
    except Refusal:  # Without a valid sheet losses cannot be computed; the place is known.
        shares, heads = {}, {}
    url = reverse("armies:siege", args=[row.pk])
    for key in row.state["besiegers"] + row.state["inside"]:
        yield UUID(key), Engaged(
            row.place.name, url, shares.get(key, WHOLE), WHOLE, None, share=True, held=SiegeArmy.HELD,
            icon="white-tower", able=heads.get(key),
        )  # fmt: skip


# Army UI of breaking point: where it differs from `DocumentArmies`.

CONTRIBUTION = Contribution(
    carried_tables=CARRIED,
    tracked_models=tuple(tracked_fields.list_tracked()),
    detachments=tracked_fields.DETACHMENTS,
    restored_by_own_lines=(FortifiedPlace,),
    restore_demands={Stationed: tracked_fields.demand_place, SiegeRow: tracked_fields.demand_over},
    undo_followers=(tracked_fields.return_to_place,),
    law_guards=(keep_in_use,),
    law_followers=(upkeep_amended,),
)


class CombineTogether(CombineHosts):
    rule = "B-83"


class BreakingPointArmyUI(DocumentArmies):
    reforms = True
    reform_rule = "B-83"
    many = (*PLAIN_DEEDS, CombineTogether)
    column_words = COLUMN_WORDS
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
        """Muster of the army for a battle under another ruleset. None while a siege waits for a battle with the army,
        which must be fought under this ruleset.
        """
        return None if is_wanted_in_siege(army) else muster_of(build_army_host(army))

    def find_places(self, armies: Collection[Army]) -> Mapping[UUID, str]:
        """Armies in a fortified place stand with those inside it only."""
        inside = dict(Stationed.objects.filter(army__in=armies).values_list("army", "place"))
        return {key: f"{at}|{inside.get(key, '')}" for key, at in super().find_places(armies).items()}

    def follow_reform(self, told: Recording, plan: DocumentPlan, rows: Sequence[Army]) -> None:
        """Stations new armies where those stand that they come from, and dissolved ones nowhere."""
        garrison_reformed(told, plan, rows)

    def on_paper(self, army: Army) -> OnPaper:
        return paper.on_paper(army)

    def aids(self, campaign: Campaign) -> Sequence[PaperAid]:
        return paper.AIDS


UI = BreakingPointArmyUI()
