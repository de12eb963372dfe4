"""Setup values of a battle where armies met on the map (PF-4)."""

from __future__ import annotations

from armies.marches.encounters import Encounter
from battles.pathfinder.setup.forms import MOST_SIDES

HIGH = frozenset({"hills", "mountains"})
"""Whoever was there first holds the height: advantageous terrain."""
BROKEN = frozenset({"hills", "mountains", "forest", "jungle", "swamp", "badlands", "glacier"})
"""Where those on foot get on badly and armies with mobility well."""


def setup_at(meeting: Encounter) -> dict[str, str]:
    """The fields of the setup form. In its own land a kingdom knows the field; all of it is for the GM to change."""
    parties = meeting.parties[:MOST_SIDES]
    fields = {"n-sides": str(len(parties))}
    if meeting.terrain.slug in BROKEN:
        fields["suits-mobility"] = "on"
    for number, party in enumerate(parties, 1):
        fields[f"side-{number}"] = party.kingdom.name
        for army in party.armies:
            fields[f"army-{army.pk}"] = str(number)
            if party.home:
                fields[f"battlefield-advantage-{army.pk}"] = "on"
            if party.first and meeting.terrain.slug in HIGH:
                fields[f"advantageous-terrain-{army.pk}"] = "on"
    return fields
