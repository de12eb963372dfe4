"""Tables of breaking point in a campaign's archive."""

from __future__ import annotations

from armies.breaking_point.models import FortifiedPlace, SiegeArmy, SiegeRow, Stationed
from armies.breaking_point.sieges.specs import MEMBERS, build_place, build_siege, lies_behind, load_armies
from armies.breaking_point.sieges.tracked_fields import summarize_siege
from core.clean_input import clean_text
from kingdom.archive.carried_tables import CarriedTable
from rules.core.errors import demand
from rules.core.text import _


def _demand_place(place: FortifiedPlace) -> None:
    clean_text(place.name, field="/name", kept=True)
    build_place(place)
    demand(
        not lies_behind(place, place.outer),
        _("Choose another outer place: this one can’t lie behind itself."),
        field="/outer",
    )


def _demand_siege(siege: SiegeRow) -> None:
    if siege.running:
        build_siege(siege, load_armies([siege]))
    summarize_siege(siege.state)
    demand(all(isinstance(siege.state[name], list) for name in MEMBERS.values()), _("Use a list."), field="/state")


CARRIED = (
    CarriedTable("fortified_places", FortifiedPlace, check=_demand_place),
    CarriedTable("stationed", Stationed),
    CarriedTable("sieges", SiegeRow, check=_demand_siege, ready=lambda rows: rows.select_related("place")),
    CarriedTable("siege_armies", SiegeArmy),
)
