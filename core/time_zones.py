"""Time zones in which readers see times. The database and the API use only UTC."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from zoneinfo import TZPATH, ZoneInfo, available_timezones

from rules.core.errors import demand
from rules.core.text import _

DEVICE = "zone"
"""Cookie in which a browser tells its time zone (static/js/warhost.js)."""
REGIONS = (
    "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific",
)  # fmt: skip


@cache
def list_known() -> frozenset[str]:
    """Return all zone names that this machine knows. Old names are included, because some browsers use them."""
    return frozenset(available_timezones())


@cache
def list_offered() -> tuple[str, ...]:
    """Return the zones to choose from: current names of places if this machine lists them, and UTC."""
    places = _places_of_today() & list_known() or list_known()
    return (*sorted(name for name in places if name.startswith(tuple(f"{one}/" for one in REGIONS))), "UTC")


def _places_of_today() -> frozenset[str]:
    """Return the current names from zone.tab: Asia/Kolkata, but not Asia/Calcutta."""
    found = next((path for path in (Path(root, "zone.tab") for root in TZPATH) if path.is_file()), None)
    lines = found.read_text(encoding="utf-8").splitlines() if found else []
    return frozenset(line.split("\t")[2] for line in lines if line.count("\t") > 1 and not line.startswith("#"))


def zone_of(*names: str) -> ZoneInfo | None:
    """Return the first known zone of these names, or None."""
    return next((ZoneInfo(name) for name in names if name in list_known()), None)


def clean_zone(value: object, *, field: str) -> str:
    """Return the name of a known zone, or "". Raises `InvalidInput`."""
    demand(
        isinstance(value, str) and (not value or value in list_known()),
        _("Unknown time zone. Choose one from the list."),
        field=field,
    )
    return str(value)
