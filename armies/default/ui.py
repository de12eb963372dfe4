"""Default army UI, for rulesets that keep everything of an army in its sheet document.

`UI = DefaultArmyUI("levies")` is enough. Forms ask for the entries of `rules.law.SheetLaw.entries`; the API calls the
document `sheet`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.urls import reverse

from armies.arsenal.own_things import UNITS_TABLE
from armies.bulk.common_orders import PLAIN_DEEDS
from armies.bulk.many_deeds import ManyDeed
from armies.default import page as selectors
from armies.default import views
from armies.default.api import PlainApi
from armies.default.forms import PlainCommanderForm
from armies.forces.access import kingdom_armies, list_visible_commanders
from armies.forces.services import appoint_commander, update_commander
from armies.forces.slots import KINGDOM_ARMIES, kingdom_page, rosters, with_portraits
from armies.models import Army, Commander
from armies.onboarding.starting_armies import PlainStarts, Starts
from armies.ruleset_ui import PAGES, Absence, Holding, Page, Panel
from armies.tables.army_rows import ArmyTable, PlainCells
from core.text import render
from kingdom.access.permissions import PageRequest
from kingdom.contributions import Contribution, SlotPanel
from kingdom.models import Campaign, Kingdom, User
from kingdom.realms.figures import get_ruleset
from kingdom.rendering import ListLook
from rules.aftermath import Muster
from rules.core.breakdown import OnPaper, PaperAid
from rules.core.text import Said, Term, _

ROSTER = "armies/forces/panels/roster.html"


def realms(user: User, campaign: Campaign, kingdoms: Sequence[Kingdom]) -> Panel:
    """Rosters of all kingdoms, for the campaign's page."""
    lines = selectors.roster(user, campaign, kingdoms)
    return rosters(user, kingdoms, ROSTER, lines, sheets=get_ruleset(campaign).armies)


def kingdom(user: User, kingdom: Kingdom, look: ListLook) -> Panel:
    """Roster of the kingdom, for its page."""
    rows = kingdom_armies(kingdom, look.query, Army).without_whereabouts()
    sheets = get_ruleset(kingdom.campaign).armies
    lines = partial(selectors.kingdom_roster, kingdom)
    return kingdom_page(user, kingdom, look, rows, KINGDOM_ARMIES, lines, roster=ROSTER, sheets=sheets)


def people(user: User, kingdom: Kingdom, look: ListLook) -> Panel:
    """Commanders of the kingdom, for a page of it."""
    rows = list_visible_commanders(user, Commander).filter(kingdom=kingdom).search(look.query)
    return with_portraits(kingdom_page(user, kingdom, look, rows, "armies/forces/panels/people.html", list))


class DefaultArmyUI:
    army: type[Army] = Army
    commander: type[Commander] = Commander
    api: Any = PlainApi()
    life: Any = None
    contribution = Contribution()
    holding: Holding | None = None
    absence: Absence | None = None
    own_things: Any = None
    starts: Starts = PlainStarts()
    pages: Mapping[str, Page] = {name: getattr(views, name) for name in PAGES}
    army_template = "armies/forces/army.html"
    commander_template = "armies/forces/commander.html"
    commander_form: type[PlainCommanderForm] = PlainCommanderForm
    """Class of the commander's form. It is called with the submitted data, and for an existing commander with
    `commander` and `gm`; its cleaned data are the arguments of the services.
    """
    appoint_commander = staticmethod(appoint_commander)
    update_commander = staticmethod(update_commander)
    panels: Sequence[SlotPanel] = (
        SlotPanel("realms", realms),
        SlotPanel("kingdom", kingdom),
        SlotPanel("people", people),
    )
    many: Sequence[type[ManyDeed]] = PLAIN_DEEDS
    tables: Sequence[Any] = (ArmyTable(PlainCells()),)
    column_words: Mapping[str, tuple[str, ...]] = {}
    other_files: Sequence[tuple[str, Term]] = (("armies:kanka_in", _("From Kanka")),)
    urls: str | None = None
    api_urls: str | None = None

    reforms = False
    musters = False
    stages: Sequence[Said] = (_("Round 1"), _("Round 2"), _("Round 3"), _("Round 4"))

    def __init__(self, family: str):
        self.family = family

    def build_commander_form(self, campaign: Campaign, data: Any = None, **more: Any) -> PlainCommanderForm:
        """The commander's form. `more`: for an existing commander `commander` and `gm`."""
        return self.commander_form(data, **more)

    def army_page(self, request: PageRequest, army: Any) -> Any:
        """Context `page` of `army_template`, with at least the attributes of the plain page."""
        return selectors.army_page(request.user, army)

    def commander_page(self, request: PageRequest, commander: Commander) -> Any:
        return selectors.commander_page(request.user, commander)

    def get_reform_page(self, army: Any) -> str:
        return ""

    def muster(self, army: Any) -> Muster | None:
        return None

    def traveller(self, army: Any) -> Any:
        return army.sheet

    def bound_to(self, army: Any) -> Sequence[str]:
        return ()

    def set_out(self, army: Any) -> Sequence[str]:
        return ()

    def follow_adjustments(self, army: Any, spared: int) -> None: ...

    def list_unit_types(self, campaign: Campaign) -> Mapping[str, str]:
        catalogues = get_ruleset(campaign).catalogues
        tables = self.own_things.tables if self.own_things else {}
        kinds = [kind for kind, table in tables.items() if table == UNITS_TABLE]
        return {slug: render(item.name) for kind in kinds for slug, item in catalogues[kind].items.items()}

    def get_unit_page(self, campaign: Campaign, slug: str) -> str:
        return reverse("armies:arsenal", args=[campaign.pk])

    def find_unit_type(self, army: Any) -> str:
        return ""

    def get_drawing(self, army: Any) -> str:
        return "host"

    def on_paper(self, army: Any) -> OnPaper:
        return selectors.on_paper(army)

    def aids(self, campaign: Campaign) -> Sequence[PaperAid]:
        return ()
