"""Tables of breaking point that a campaign's document carries."""

from __future__ import annotations

from armies.breaking_point.models import FortifiedPlace, SiegeArmy, SiegeRow, Stationed
from armies.breaking_point.sieges.garrison_rules import lies_behind
from armies.breaking_point.sieges.specs import MEMBERS, armies_of, place_of, value_of
from armies.breaking_point.sieges.tracked_fields import in_short
from core.inputs import clean_text
from kingdom.archive.tables import CarriedTable
from rules.core.errors import demand
from rules.core.text import _


def _demand_place(place: FortifiedPlace) -> None:
    clean_text(place.name, field="/name", kept=True)
    place_of(place)
    demand(not lies_behind(place, place.outer), _("A place cannot lie behind itself."), field="/outer")


def _demand_siege(siege: SiegeRow) -> None:
    if siege.running:
        value_of(siege, armies_of([siege]))
    in_short(siege.state)
    demand(all(isinstance(siege.state[name], list) for name in MEMBERS.values()), _("Write a list."), field="/state")


CARRIED = (
    CarriedTable("fortified_places", FortifiedPlace, check=_demand_place),
    CarriedTable("stationed", Stationed),
    CarriedTable("sieges", SiegeRow, check=_demand_siege, ready=lambda rows: rows.select_related("place")),
    CarriedTable("siege_armies", SiegeArmy),
)
