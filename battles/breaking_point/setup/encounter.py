"""Setup values of a battle where armies met on the map (BP-5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from armies.marches.encounters import Encounter
from battles.default.ui import SIDES, ids_of

GROUNDS: Mapping[str, str] = {
    "forest": "forest", "jungle": "forest", "hills": "rough", "badlands": "very-rough", "mountains": "very-rough",
    "glacier": "very-rough", "swamp": "swamp",
}  # fmt: skip
"""Terrain of travel → ground of battle; any other is open."""


def setup_at(meeting: Encounter) -> dict[str, str | Sequence[str]]:
    """The fields of the setup form; sides bear the names of their kingdoms by themselves."""
    parties = meeting.parties[: len(SIDES)]
    fields: dict[str, str | Sequence[str]] = {
        f"armies-{side}": ids_of(party) for side, party in zip(SIDES, parties, strict=False)
    }
    fields["n-sides"] = str(len(parties))
    if ground := GROUNDS.get(meeting.terrain.slug):
        fields[ground] = "on"
    return fields
