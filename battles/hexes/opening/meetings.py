"""Ground of a meeting: the battlefield where armies met on the campaign's map."""

from __future__ import annotations

from armies.marches.encounters import Encounter
from rules.hexbattle.law import HexBattles
from rules.hexes.geometry import hex_at
from rules.hexes.local_map import ground_at, local_map
from rules.hexes.mapfile import HexMap


def ground_of(meeting: Encounter, law: HexBattles | type[HexBattles]) -> HexMap:
    """The same place of the same map always gives the same battlefield, as many rows and as deep zones as the law
    takes. It bears the name of what is there.
    """
    at = hex_at(meeting.hex)
    name = meeting.town or meeting.land.labels.get(at, "") or meeting.hex
    ground = ground_at(meeting.land, at, name=name, town=bool(meeting.town))
    seed = f"{meeting.land.name} {meeting.hex}"
    return local_map(ground, seed, rows=law.generated_rows, zone_rows=law.zone_rows, margin=law.zone_margin)
