"""Page objects of armies and commanders for rulesets that keep everything in the sheet document, and figures that open
to their breakdowns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from armies.adjustments.queries import ArmyAdjustments, list_adjustments
from armies.forces.access import count_shown_armies, get_knowledge, list_first_armies
from armies.forces.busy import Engaged, find_engaged, find_hold
from armies.forces.declared_figures import figures_on_paper, list_shown
from armies.map.visibility import VisibleArmy, build_visible_army
from armies.models import Army, Commander
from armies.ruleset_ui import get_army_ui
from core.text import render
from kingdom.access.queries import get_role, is_gm, runs_kingdom
from kingdom.approvals.serializers import leave_of
from kingdom.campaign.page import get_colour
from kingdom.models import Campaign, Kingdom, Knowledge, User
from kingdom.realms.figures import get_ruleset
from rules.army_law import ARMY_FIGURES
from rules.core.breakdown import Breakdown, OnPaper, PaperFigure
from rules.core.errors import Refusal
from rules.core.text import NO_WORDS, Said
from rules.law import Measure, SheetLaw
from rules.realm import SheetFigure

# Page objects of armies and commanders for rulesets that keep everything in the sheet document.


class RosterEntry(NamedTuple):
    """An army in a list. `visible`: whether the reader may read its sheet; if not, `measure` is None and `glimpse` has
    what they know besides its name.
    """

    army: Army
    measure: Measure | None
    visible: bool
    engaged: Engaged | None
    glimpse: VisibleArmy | None = None


class SheetNumber(NamedTuple):
    entry: SheetFigure
    value: Any


class PlainArmyPage(NamedTuple):
    """Sheet of an army. `open`: whether the reader can give it orders now; `busy`: why it cannot be changed. `facts`:
    labelled values of the document; `lists`: its lists of entries.
    """

    army: Army
    campaign: Campaign
    kingdom: Kingdom
    side: str
    sheets: SheetLaw
    measure: Measure | None
    figures: tuple[SheetNumber, ...]
    runs: bool
    gm: bool
    busy: Said | None
    engaged: Engaged | None
    candidates: tuple[Commander, ...]
    may: Mapping[str, Any]
    facts: Sequence[tuple[str, str]] = ()
    lists: Sequence[Any] = ()

    @property
    def unpaid(self) -> bool:
        """Whether the kingdom has no treasury, for whoever runs it: the army costs nothing."""
        return self.runs and self.kingdom.without_treasury

    @property
    def open(self) -> bool:
        return self.runs and self.army.standing and self.busy is None

    @property
    def reform(self) -> str:
        """Address of the page that divides and combines it, for whoever may; "" for others."""
        offered = self.open and self.may["raise"].offered
        return get_army_ui(self.campaign).get_reform_page(self.army) if offered else ""

    @property
    def adjusting(self) -> ArmyAdjustments:
        return list_adjustments(self.army, adjusts=self.gm and self.open)

    @property
    def meets(self) -> bool:
        """Whether the ruleset has an odds workshop."""
        return get_ruleset(self.campaign).workshop.known


class PlainCommanderPage(NamedTuple):
    """Page of a commander. `facts`: labelled values of their document."""

    commander: Commander
    campaign: Campaign
    kingdom: Kingdom
    side: str
    army: Army | None
    runs: bool
    gm: bool
    facts: Sequence[tuple[str, str]] = ()


def measure_of(army: Army) -> Measure | None:
    """Figures that follow from the sheet; None where the ruleset no longer accepts it."""
    try:
        return get_ruleset(army.campaign).armies.measure(army.sheet)
    except Refusal:
        return None


def on_paper(army: Army) -> OnPaper:
    """The army for print, with the numbers of its sheet."""
    measure, sheets = measure_of(army), get_ruleset(army.campaign).armies
    return OnPaper(
        id=str(army.pk),
        name=army.name,
        health=army.health,
        health_max=army.health_max,
        about=measure.text if measure else NO_WORDS,
        leader=army.commander.name if army.commander else "",
        kingdom=str(army.kingdom_id),
        charge="army",
        measure=sheets.health,
        figures=(
            *(
                PaperFigure(entry.name, army.sheet[slug], plain=True)
                for slug, entry in sheets.entries.items()
                if isinstance(army.sheet.get(slug), int)
            ),
            *figures_on_paper(army, ARMY_FIGURES),
        ),
    )


def army_page(user: User, army: Army) -> PlainArmyPage:
    """The sheet for this user, who may read it."""
    kingdom, sheets = army.kingdom, get_ruleset(army.campaign).armies
    free = Commander.objects.filter(kingdom=kingdom, status=Commander.Status.FREE, army=None)
    runs, hold = runs_kingdom(user, kingdom), find_hold(army)
    return PlainArmyPage(
        army=army,
        campaign=army.campaign,
        kingdom=kingdom,
        side=get_colour(kingdom),
        sheets=sheets,
        measure=measure_of(army),
        figures=tuple(SheetNumber(entry, army.sheet.get(slug)) for slug, entry in sheets.entries.items()),
        runs=runs,
        gm=is_gm(user, army.campaign),
        busy=hold.reason if runs else None,
        engaged=hold.engaged,
        candidates=tuple(free) if runs else (),
        may=leave_of(user, army.campaign),
        facts=[(render(label), render(value)) for label, value in list_shown(army, ARMY_FIGURES)],
    )


def commander_page(user: User, commander: Commander) -> PlainCommanderPage:
    return PlainCommanderPage(
        commander=commander,
        campaign=commander.campaign,
        kingdom=commander.kingdom,
        side=get_colour(commander.kingdom),
        army=getattr(commander, "army", None),
        runs=runs_kingdom(user, commander.kingdom),
        gm=is_gm(user, commander.campaign),
    )


def roster(user: User, campaign: Campaign, kingdoms: Sequence[Kingdom]) -> dict[UUID, list[RosterEntry]]:
    """First armies of each of these kingdoms that the user knows of, standing ones first."""
    lines: dict[UUID, list[RosterEntry]] = defaultdict(list)
    if get_role(user, campaign) is None:
        return lines
    engaged = find_engaged(campaign)
    asked = [kingdom.pk for kingdom in kingdoms], count_shown_armies(len(kingdoms))
    known: Any = list_first_armies(user, *asked).without_whereabouts()
    for army in sorted(known, key=lambda army: not army.standing):
        army.campaign = campaign
        lines[army.kingdom_id].append(_entry(army, engaged.get(army.pk)))
    return lines


def kingdom_roster(kingdom: Kingdom, armies: Iterable[Army]) -> list[RosterEntry]:
    """Roster of these armies of one kingdom, for a reader of its sheets."""
    engaged, found = find_engaged(kingdom.campaign), list(armies)
    for army in found:
        army.campaign = kingdom.campaign
    return [_entry(army, engaged.get(army.pk)) for army in found]


def _entry(army: Army, engaged: Engaged | None) -> RosterEntry:
    if get_knowledge(army) >= Knowledge.ALL:
        return RosterEntry(army, measure_of(army), True, engaged)
    return RosterEntry(
        army, None, False, engaged and engaged.for_enemies(army.campaign), build_visible_army(army, engaged)
    )


# Figures of declared documents with the breakdowns they open to.

NO_LINES = Breakdown()


class OpenedFigure(NamedTuple):
    """A figure on a page. `id`: id of its breakdown, unique on the page. `hint`: a few words below it."""

    id: str
    label: Said
    value: int
    breakdown: Breakdown = NO_LINES
    hint: Said = NO_WORDS
    signed: bool = False

    @property
    def title(self) -> Said:
        return self.label

    @property
    def bare(self) -> bool:
        """Whether the breakdown has at most one line, so that there is nothing to open."""
        return len(self.breakdown.lines) < 2
