"""Army UI of mass combat, with its panels, starting armies, and changed rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.db.models import Q
from django.urls import reverse

from armies.arsenal.own_things import PANEL as ARSENAL
from armies.default.ui import DefaultArmyUI
from armies.forces import busy
from armies.forces.slots import KINGDOM_ARMIES, LISTED, kingdom_page, rosters, with_portraits
from armies.onboarding.casts import CampaignCast, blockade_of, place_blockade
from armies.onboarding.starting_armies import Built, Troop
from armies.pathfinder.api.army_api import PathfinderApi
from armies.pathfinder.armies import queries, raise_views, reform_views, views
from armies.pathfinder.armies import views as army_views
from armies.pathfinder.armies.march_services import refuse_rested
from armies.pathfinder.armies.page import ArmyPage
from armies.pathfinder.armies.queries import kingdom_roster, load_rosters
from armies.pathfinder.armies.reform_queries import explain_absent, list_in_reserve
from armies.pathfinder.armies.reform_services import WantedArmy
from armies.pathfinder.armies.resource_services import CACHED, Share, refresh, set_figures
from armies.pathfinder.armies.trade_services import Disposal, buy_resource
from armies.pathfinder.commanders import views as commander_views
from armies.pathfinder.commanders.page import commander_lines, kingdom_stores, offices_of
from armies.pathfinder.forces import tracked_fields
from armies.pathfinder.forces.ability_arsenal import OWN_THINGS, TABLE, keep_in_use
from armies.pathfinder.forces.access import kingdom_armies, list_visible_commanders
from armies.pathfinder.forces.archive_tables import CARRIED, LEFT_OUT
from armies.pathfinder.forces.bulk_orders import DEEDS
from armies.pathfinder.forces.specs import Road, build_army_spec
from armies.pathfinder.forces.table_rows import TABLES
from armies.pathfinder.forces.words import COLUMN_WORDS
from armies.pathfinder.models import FoundryActor, KingdomStock, PathfinderArmy, PathfinderCommander
from armies.pathfinder.models.army import PathfinderArmyQuerySet
from armies.pathfinder.unit_types.queries import choose_drawing, find_slug, load_unit_types
from armies.pathfinder.weeks import week_choices
from armies.pathfinder.weeks.mapping import BOARDS
from armies.pathfinder.weeks.outlook import build_outlook
from armies.pathfinder.weeks.services import forgive_arrears
from armies.pathfinder.weeks.week_choices import feeds_this_week
from armies.pathfinder.weeks.weeks import PathfinderLife, dues_of
from armies.ruleset_ui import Absence, Page, Panel
from core.text import render
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import reads_kingdom, runs_kingdom
from kingdom.approvals.serializers import leave_of
from kingdom.approvals.submission import read_row
from kingdom.campaign.queries import read_towns
from kingdom.chronicle import changes
from kingdom.contributions import Contribution, SlotPanel, link_campaign
from kingdom.models import Campaign, Kingdom, User
from kingdom.realms.figures import get_ruleset
from kingdom.rendering import ListLook, paginate
from rules.aftermath import Muster
from rules.core.breakdown import OnPaper, PaperAid
from rules.core.errors import IllegalCommand, InvalidInput
from rules.core.text import _, say
from rules.pathfinder.catalogue.units import UNITS
from rules.pathfinder.documents import unit_to_json
from rules.pathfinder.ruleset import muster_of
from rules.pathfinder.sheet import STAGES, strategies_on_paper
from rules.pathfinder.spec import ArmySpec
from rules.pathfinder.travel import LAND

# Panels of mass combat for the pages of campaigns and kingdoms.

ROSTER = "armies/pathfinder/forces/panels/roster.html"


def realms(user: User, campaign: Campaign, kingdoms: Sequence[Kingdom]) -> Panel:
    """Rosters of all kingdoms, for the campaign's page."""
    lines = load_rosters(user, campaign, kingdoms)
    return rosters(user, kingdoms, ROSTER, lines)


def kingdom(user: User, kingdom: Kingdom, look: ListLook) -> Panel:
    """Roster of the kingdom, for its page."""
    rows = kingdom_armies(kingdom, look.query).listed()
    lines = partial(kingdom_roster, kingdom)
    return kingdom_page(user, kingdom, look, rows, KINGDOM_ARMIES, lines, roster=ROSTER)


def people(user: User, kingdom: Kingdom, look: ListLook) -> Panel:
    """Commanders and stores, for a page of the kingdom."""
    rows = list_visible_commanders(user).filter(kingdom=kingdom).search(look.query)
    template, lines = "armies/pathfinder/forces/panels/people.html", partial(commander_lines, kingdom)
    stores = kingdom_stores(user, kingdom)
    return with_portraits(kingdom_page(user, kingdom, look, rows, template, lines, stores=stores))


def offices(user: User, kingdom: Kingdom, look: ListLook) -> Panel:
    """Offices and their holders, beside the commanders."""
    return "armies/pathfinder/forces/panels/offices.html", offices_of(kingdom)._asdict()


def outlook(user: User, kingdom: Kingdom, look: ListLook) -> Panel:
    """The treasury in past and coming weeks, and the cost of a defeat."""
    found = build_outlook(kingdom)
    context = {"outlook": found, "page_obj": paginate(found.losses, look.page, LISTED)}
    return "armies/pathfinder/forces/panels/outlook.html", context


def kingdom_actions(user: User, kingdom: Kingdom) -> Panel:
    if not (runs_kingdom(user, kingdom) and leave_of(user, kingdom.campaign)["raise"].offered):
        return None
    return "armies/pathfinder/forces/panels/kingdom_actions.html", {"kingdom": kingdom}


def kingdom_files(user: User, kingdom: Kingdom) -> Panel:
    """Export of the kingdom as a Foundry actor."""
    if not reads_kingdom(user, kingdom):
        return None
    return "armies/pathfinder/forces/panels/kingdom_files.html", {"kingdom": kingdom}


def treasury(user: User, kingdom: Kingdom) -> Panel:
    """Number of weeks that the treasury lasts."""
    if not reads_kingdom(user, kingdom):
        return None
    read_towns(kingdom)
    (due,) = dues_of(kingdom.campaign, [kingdom])
    return "armies/pathfinder/forces/panels/treasury.html", {"due": due}


PANELS = (
    SlotPanel("nav", link_campaign("armies/pathfinder/forces/panels/nav.html")),
    SlotPanel("realms", realms),
    SlotPanel("kingdom", kingdom),
    SlotPanel("people", people),
    SlotPanel("people", offices, 1),
    SlotPanel("outlook", outlook),
    SlotPanel("kingdom-actions", kingdom_actions),
    SlotPanel("kingdom-actions", kingdom_files, 1),
    SlotPanel("treasury", treasury),
)


# Starting armies of mass combat.

HEADS = {
    "foot": ("human-men-at-arms", 200),
    "horse": ("human-knights", 100),
    "bows": ("human-longbowmen", 200),
    "levy": ("human-militia", 500),
    "guard": ("human-veterans", 100),
    "engines": ("human-men-at-arms", 500),
    "horde": ("orc-raiders", 500),
    "beasts": ("ogres", 50),
}
ENGINES = "siege-engines"


class PathfinderStarts:
    templates = True
    casts: Sequence[CampaignCast] = ()

    def troops(self, campaign: Campaign) -> Mapping[str, Troop]:
        return {slug: _troop(unit, count) for slug, (unit, count) in HEADS.items()}

    def leader(self, campaign: Campaign) -> dict[str, Any]:
        return {"level": 6, "charisma_modifier": 2, "soldier_ranks": 5, "character_class": render(_("Fighter"))}

    def arrange(self, by: User, cast: CampaignCast, built: Built) -> None:
        """Notes the places of a blockade's armies, and gives the first besieger siege engines."""
        place_blockade(by, cast, built)
        _within, before = blockade_of(cast, built)
        for army in before[:1]:
            buy_resource(by=by, army=army, resource=ENGINES, waive_building=True)


def _troop(slug: str, count: int) -> Troop:
    kind = UNITS[slug]
    name = render(kind.name)
    text = say(_("{count} × {unit}"), count=count, unit=kind.name)
    return Troop(text, {"unit": {**unit_to_json(kind.unit), "name": name}, "count": count})


# Changes of a campaign's rules, applied to the cached figures of armies (PF-HOUSE).

CHUNK = 500
IN_BATTLE = ("consumption", "regrowth")  # a battle keeps the rules of its first day for all other figures
REGROW = ("fast-healing", "regeneration")


def figures_amended(campaign: Campaign) -> Iterator[changes.Change]:
    """Changes of cached figures that differ by the campaign's new rules. Raises `IllegalCommand` that names an army
    they refuse.
    """
    for army in _concerned(campaign).complete().order_by("pk").iterator(chunk_size=CHUNK):
        army.campaign = campaign
        yield from _amended(army)


def _concerned(campaign: Campaign) -> PathfinderArmyQuerySet:
    """Armies that house rules can affect: with resources, or with abilities that regrow hp."""
    regrow = Q()
    for slug in REGROW:
        regrow |= Q(sheet__unit__abilities__contains=[{"ability": slug}])
    carries = PathfinderArmy.objects.filter(campaign=campaign, resources__isnull=False).values("pk")
    return PathfinderArmy.objects.filter(Q(pk__in=carries) | regrow, campaign=campaign)


def _amended(army: PathfinderArmy) -> Iterator[changes.Change]:
    before = {field: getattr(army, field) for field in CACHED}
    try:
        set_figures(army)
    except InvalidInput as refusal:
        if army.status == army.Status.DISBANDED:
            return
        template = _("Under these rules, {army} would no longer be valid: {why}")
        raise IllegalCommand(say(template, army=army.name, why=refusal.message)) from None
    changed = [field for field in CACHED if getattr(army, field) != before[field]]
    if set(changed) - set(IN_BATTLE) and busy.explain_busy(army):
        changed = [field for field in changed if field in IN_BATTLE]
    for field in changed:
        label = changes.word_of("army", field)
        yield changes.Change(
            "army", str(army.pk), field, before[field], getattr(army, field), "PF-HOUSE", label, army.name
        )


# Army UI of mass combat.

CONTRIBUTION = Contribution(
    carried_tables=CARRIED,
    left_out=LEFT_OUT,
    tracked_models=(*tracked_fields.list_tracked(), week_choices.TRACKED),
    restore_demands={FoundryActor: tracked_fields.demand_actor},
    arguments=dict.fromkeys((KingdomStock, Disposal, Road, Share, WantedArmy), read_row),
    law_guards=(keep_in_use,),
    law_followers=(figures_amended,),
    treasury_followers=(forgive_arrears,),
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
        "army_reform": reform_views.army_reform,
        "commander": commander_views.commander,
        "commander_new": commander_views.commander_new,
        "commander_edit": commander_views.commander_edit,
        "commander_remove": commander_views.commander_remove,
    }
    army_template = "armies/pathfinder/armies/army.html"
    api = PathfinderApi()
    panels = (*PANELS, ARSENAL)
    many = DEEDS
    own_things = OWN_THINGS
    tables = (*TABLES, TABLE)
    column_words = COLUMN_WORDS
    other_files = (("armies:foundry_in", _("From Foundry")), ("armies:kanka_in", _("From Kanka")))
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

    absence = Absence(list_in_reserve, explain_absent)
    reforms = True

    def get_reform_page(self, army: Any) -> str:
        """Address of the page that reforms armies; none if a house rule forbids reforms (R-94)."""
        allowed = get_ruleset(army.campaign).house.reform
        return reverse("armies:army_reform", args=[army.pk]) if allowed else ""

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

    def follow_adjustments(self, army: Any, spared: int) -> None:
        """Computes its figures anew; damage is kept when the maximum of hit points changes."""
        refresh(army, spared)

    def on_paper(self, army: Any) -> OnPaper:
        return queries.on_paper(army)

    def aids(self, campaign: Campaign) -> Sequence[PaperAid]:
        return (strategies_on_paper(get_ruleset(campaign)),)


UI = PathfinderArmyUI("pathfinder")
