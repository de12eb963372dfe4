"""Written armies: the API's body of an army in an address, as text and back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from battles.breaking_point.workshop.hypothetical import supposed
from battles.workshop.matchups import read_written
from rules.breaking_point.documents import COMMANDER_FIGURES, unit_to_json
from rules.breaking_point.reading import Json
from rules.breaking_point.spec import General, Host

EXAMPLE: Json = {
    "name": "A hundred swords",
    "units": [{"name": "Swords", "type": "infantry", "strength": 100, "combat": 5, "weapons": ["sword"], "armour": 3}],
}


def host_from_text(text: str, law: Any, army: str) -> Host:
    """The army that is written here as JSON; `army`: its id. Raises `InvalidInput`."""
    return read_host(read_written(text), law, army)


def read_host(data: object, law: Any, army: str) -> Host:
    """Raises `InvalidInput` with pointers."""
    return replace(supposed(law, data, ""), id=army)


def build_body(host: Host, law: Any) -> Json:
    """An army as such a body: what it is today, and who leads it."""
    told: Json = {"name": host.name, "units": [unit_to_json(unit, law.tables) for unit in host.units]}
    if host.commander is not None:
        told["commander"] = _leader(host.commander)
    return told


def _leader(leader: General) -> Json:
    return {"name": leader.name, **{figure: getattr(leader, figure) for figure in COMMANDER_FIGURES}}
