"""`WeeksUI` of breaking point (B-57, B-69)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.http import QueryDict

from armies.breaking_point.models import SiegeArmy, SiegeRow
from armies.breaking_point.sieges.specs import ROLLS
from armies.breaking_point.weeks.forms import SiegeTimeForm
from armies.breaking_point.weeks.services import find_next_week, list_running_sieges, propose
from armies.ruleset_ui import Cited
from armies.weeks.due import DueLine
from armies.weeks.passage import Passage, TimeProposal
from armies.weeks.ruleset_weeks import NoLife
from kingdom.models import Campaign, Kingdom, User
from rules.breaking_point.siege.siege_state import BROKEN, OPEN
from rules.core.errors import InvalidInput
from rules.core.text import Term, _, say


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
            raise InvalidInput(_("This can be chosen when time passes, not for a single week."), f"/choices/{name}")
        return ()

    def due(self, campaign: Campaign, kingdoms: Sequence[Kingdom]) -> Iterator[DueLine]:
        """Next weeks of the sieges these kingdoms are in, and garrisons that have to answer."""
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
    text = say(_("The siege of {place}: another week."), place=row.place.name)
    return DueLine(day, campaign.dates.date(day), kingdom, text, "B-57")


LIFE = BreakingPointLife()
