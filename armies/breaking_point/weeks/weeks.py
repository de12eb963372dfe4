"""`WeeksUI` of breaking point, and the outlook of a kingdom for the coming weeks (B-57, B-69)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from django.db.models import F, Q
from django.http import QueryDict

from armies.breaking_point.forces.specs import ROLLS, list_army_ids
from armies.breaking_point.models import SiegeArmy, SiegeRow
from armies.breaking_point.sieges.forms import SiegeTimeForm
from armies.breaking_point.weeks.services import (
    RULE,
    UPKEEP_RULE,
    find_next_week,
    list_running_sieges,
    propose,
    upkeep_of,
)
from armies.models import Army, rows_of
from armies.ruleset_ui import Cited
from armies.weeks.passage import DueLine, Passage, TimeProposal, upkeep_due
from armies.weeks.queries import WeeksAhead, weeks_ahead_of
from armies.weeks.ruleset_weeks import MOST_RALLIES, NoLife, load_recent_deeds, rallies_due
from kingdom.models import Campaign, Kingdom, User
from kingdom.models.base import Natural
from rules.breaking_point.siege.siege_state import BROKEN, OPEN
from rules.breaking_point.siege.week import returning
from rules.core.errors import InvalidInput
from rules.core.text import Term, _, by_number, say

# `WeeksUI` of breaking point (B-57, B-69).


class BreakingPointLife(NoLife):
    """Weeks of breaking point: sieges go on, wounded return, and armies are paid if the house rules say so."""

    rules = Cited(time="B-57")
    rolls: Mapping[str, Term] = ROLLS
    choices_template = "armies/breaking_point/sieges/choices.html"
    panel_template = "armies/breaking_point/sieges/due.html"
    choices_doc = "`terms`: sieges in which terms are offered each week."

    def propose(self, passage: Passage) -> TimeProposal:
        return propose(passage)

    def choose(self, campaign: Campaign, choices: Mapping[str, Any]) -> Sequence[Any]:
        for name in choices:
            raise InvalidInput(
                _("You can only choose this when time advances, not for a single week."), f"/choices/{name}"
            )
        return ()

    def due(self, campaign: Campaign, kingdoms: Sequence[Kingdom]) -> Iterator[DueLine]:
        """Upkeep, next weeks of the sieges these kingdoms are in, garrisons that have to answer, and armies that
        recover.
        """
        yield from upkeep_due(campaign, kingdoms, upkeep_of(campaign), UPKEEP_RULE)
        of = {kingdom.pk: kingdom for kingdom in kingdoms}
        rows = list_running_sieges(campaign) if of else []
        sides = _sides(rows)
        for row in rows:
            kingdom = next((of[key] for key in sides[row.pk] if key in of), None)
            if kingdom:
                yield _line(campaign, row, kingdom)
        yield from _recoveries(campaign, of, [one for row in rows for one in list_army_ids(row.state)])

    def offers(self, campaign: Campaign) -> list[SiegeRow]:
        return [row for row in list_running_sieges(campaign) if row.status == OPEN]

    def form(self, campaign: Campaign, offers: list[SiegeRow], data: QueryDict | None = None) -> SiegeTimeForm:
        return SiegeTimeForm(data, campaign=campaign, offers=offers)

    def panel(self, user: User, campaign: Campaign) -> Mapping[str, Any]:
        return {"sieges": list_running_sieges(campaign)}


def _sides(rows: Sequence[SiegeRow]) -> dict[Any, list[Any]]:
    """Ids of the kingdoms in each siege; the holder of the place comes first."""
    found = {row.pk: [row.place.kingdom_id] for row in rows}
    for siege, kingdom in SiegeArmy.objects.filter(siege__in=found).values_list("siege_id", "army__kingdom_id"):
        found[siege].append(kingdom)
    return found


def _line(campaign: Campaign, row: SiegeRow, kingdom: Kingdom) -> DueLine:
    day = find_next_week(row, campaign.day)
    if row.status == BROKEN:
        text = say(_("{place}: the garrison must choose between surrender and sortie."), place=row.place.name)
        return DueLine(campaign.day, campaign.dates.date(campaign.day), kingdom, text, "B-57", bad=True)
    text = say(_("{place}: another week of siege."), place=row.place.name)
    return DueLine(day, campaign.dates.date(day), kingdom, text, "B-57")


RETURNING = by_number(
    "{army}: {back} of {wounded} wounded recovers, if the army rests until then.",
    "{army}: {back} of {wounded} wounded recover, if the army rests until then.",
    by="back",
)


def _recoveries(campaign: Campaign, of: Mapping[Any, Kingdom], besieged: Collection[str]) -> Iterator[DueLine]:
    """Routed armies of these kingdoms that are ready again, and wounded who return, without the besieged."""
    hurt = Q(health__lt=F("health_max")) | Q(status=Army.Status.ROUTED)
    rows = rows_of(Army).filter(hurt, kingdom__in=of, status__in=Army.STANDING).exclude(pk__in=besieged)
    armies = list(rows.complete().order_by(Natural("name"), "id")[:MOST_RALLIES])
    if not armies:
        return
    lately = load_recent_deeds(campaign)
    routed = [army for army in armies if army.status == Army.Status.ROUTED]
    yield from rallies_due(campaign, of.values(), routed, lately, RULE)
    for army in armies:
        wounded = [int(unit.get("wounded", 0)) for unit in army.sheet.get("units", ())]
        day = lately.next_rest(army, campaign)
        if any(wounded) and day is not None:
            text = say(RETURNING, army=army.name, back=sum(map(returning, wounded)), wounded=sum(wounded))
            yield DueLine(day, campaign.dates.date(day), of[army.kingdom_id], text, RULE, army=army.pk)


LIFE = BreakingPointLife()


# Outlook of a kingdom for the coming weeks (B-57, B-69).


def outlook_of(kingdom: Kingdom) -> WeeksAhead:
    """The outlook, for readers of the kingdom. A constant number of queries."""
    return weeks_ahead_of(kingdom, upkeep_of(kingdom.campaign))
