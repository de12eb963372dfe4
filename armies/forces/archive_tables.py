"""Tables of armies, commanders and time steps in a campaign's archive, and their checks."""

from __future__ import annotations

from typing import Any

from armies.forces.declared_figures import columns_added, demand_figures
from armies.models import Army, Commander, Insight, Sighting, TimeStep
from armies.ruleset_ui import get_army_ui
from core.clean_input import clean_text
from kingdom.archive.carried_tables import CarriedTable
from kingdom.archive.import_checks import demand_hex
from kingdom.archive.versions import locate_faults
from kingdom.map.map_state import load_map_state
from kingdom.map.queries import find_hex
from kingdom.models import Campaign, CampaignMap
from kingdom.realms.figures import get_ruleset
from rules.army_figures import ARMY_FIGURES
from rules.core.errors import demand
from rules.core.text import _


def _complete(rows: Any) -> Any:
    return rows.complete()


def _demand_army(army: Army) -> None:
    clean_text(army.name, field="/name", kept=True)
    demand_hex(army.hex)
    with locate_faults("/route"):
        for label in (*army.way.path, *army.way.stops) if army.way else ():
            demand_hex(label, at="")
    assert isinstance(army.marching, bool)
    demand_figures(army, ARMY_FIGURES)
    ui = get_army_ui(army.campaign)
    if ui.army is Army:  # other models are checked by their ruleset
        with locate_faults("/sheet"):
            get_ruleset(army.campaign).armies.read(army.sheet)
        ui.on_paper(army)


def demand_on_map(campaign: Campaign) -> None:
    """Checks that standing armies are on hexes of the campaign's map, if it has one. Raises `InvalidInput`."""
    field = _field_of(campaign)
    rows = Army.objects.filter(campaign=campaign).order_by("pk").values_list("hex", "status")
    for place, (label, status) in enumerate(rows.iterator() if field is not None else ()):
        off = label and status in Army.STANDING and find_hex(field, label) is None
        demand(not off, _("{hex} isn’t on the map."), field=f"/tables/armies/{place}/hex", hex=label)


def _field_of(campaign: Campaign) -> Any:
    """The hexes of the campaign's map. None where there is no map, or where the map's own check will refuse it."""
    drawn = CampaignMap.objects.filter(campaign=campaign).first()
    try:
        return load_map_state(drawn).field if drawn else None
    except Exception:  # an archive may provoke any error
        return None


def _demand_commander(commander: Commander) -> None:
    clean_text(commander.name, field="/name", kept=True)
    sheets: Any = get_ruleset(commander.campaign).armies
    if getattr(sheets, "commander_shape", None) is not None:  # the commander's document is declared
        with locate_faults("/sheet"):
            sheets.read_commander(commander.sheet)


def demand_law(campaign: Campaign) -> None:
    """Checks that every army and commander has its row in the ruleset's own model. Raises `InvalidInput`."""
    ui = get_army_ui(campaign)
    for kind, own, at in ((Army, ui.army, "armies"), (Commander, ui.commander, "commanders")):
        kept: Any = own._default_manager.filter(campaign=campaign).values("pk")
        bare = kind.objects.filter(campaign=campaign).exclude(pk__in=kept).exists()
        demand(not bare, _("Some entries lack the data this campaign’s ruleset needs."), field=f"/tables/{at}")


CARRIED = (
    CarriedTable("commanders", Commander, check=_demand_commander),
    CarriedTable("armies", Army, check=_demand_army, ready=_complete, added=columns_added(ARMY_FIGURES, Army)),
    CarriedTable("insights", Insight),
    CarriedTable("sightings", Sighting, check=lambda seen: demand_hex(seen.hex)),
    CarriedTable("time_steps", TimeStep),
)
