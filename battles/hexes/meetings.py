"""Ground of a meeting: the battlefield where armies met on the campaign's map."""

from __future__ import annotations

from armies.marches.encounters import Encounter
from rules.hexes.geometry import hex_at
from rules.hexes.local_map import ground_at, local_map
from rules.hexes.mapfile import HexMap


def ground_of(meeting: Encounter) -> HexMap:
    """The same place of the same map always gives the same battlefield. It bears the name of what is there."""
    at = hex_at(meeting.hex)
    name = meeting.town or meeting.land.labels.get(at, "") or meeting.hex
    ground = ground_at(meeting.land, at, name=name, town=bool(meeting.town))
    return local_map(ground, f"{meeting.land.name} {meeting.hex}")
