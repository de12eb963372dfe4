"""`WeeksUI` of breaking point, and the outlook of a kingdom for the coming weeks (B-57, B-69)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.http import QueryDict

from armies.breaking_point.forces.specs import ROLLS
from armies.breaking_point.models import SiegeArmy, SiegeRow
from armies.breaking_point.sieges.forms import SiegeTimeForm
from armies.breaking_point.weeks.services import UPKEEP_RULE, find_next_week, list_running_sieges, propose, upkeep_of
from armies.models import Army, rows_of
from armies.ruleset_ui import Cited
from armies.weeks.passage import DueLine, Passage, TimeProposal, upkeep_due
from armies.weeks.queries import WeeksAhead, weeks_ahead_of
from armies.weeks.ruleset_weeks import NoLife
from kingdom.models import Campaign, Kingdom, User
from rules.breaking_point.siege.siege_state import BROKEN, OPEN
from rules.breaking_point.siege.week import returning
from rules.core.errors import InvalidInput
from rules.core.text import Term, _, say

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
        """Upkeep, next weeks of the sieges these kingdoms are in, and garrisons that have to answer."""
        yield from upkeep_due(campaign, kingdoms, upkeep_of(campaign), UPKEEP_RULE)
        of = {kingdom.pk: kingdom for kingdom in kingdoms}
        rows = list_running_sieges(campaign) if of else []
        sides = _sides(rows)
        for row in rows:
            kingdom = next((of[key] for key in sides[row.pk] if key in of), None)
            if kingdom:
                yield _line(campaign, row, kingdom)

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


LIFE = BreakingPointLife()


# Outlook of a kingdom for the coming weeks (B-57, B-69).


class Returning(NamedTuple):
    """An army with wounded: how many it has, and how many return after a week of rest."""

    army: Army
    wounded: int
    back: int


def outlook_of(kingdom: Kingdom) -> WeeksAhead:
    """The outlook, for readers of the kingdom. A constant number of queries."""
    return weeks_ahead_of(kingdom, upkeep_of(kingdom.campaign))


def list_returning(kingdom: Kingdom) -> list[Returning]:
    """The kingdom's armies with wounded."""
    armies = rows_of(Army).filter(kingdom=kingdom, status__in=Army.STANDING).complete()
    return [found for army in armies if (found := _returning(army)).wounded]


def _returning(army: Army) -> Returning:
    counts = [_wounded(unit) for unit in army.sheet.get("units", ())]
    return Returning(army, sum(counts), sum(returning(wounded) for wounded in counts))


def _wounded(unit: Any) -> int:
    return int(unit.get("wounded", 0))
