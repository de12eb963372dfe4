"""Time zones in which readers are told the hour. The database and the API know UTC alone."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from zoneinfo import TZPATH, ZoneInfo, available_timezones

from rules.core.errors import demand
from rules.core.text import _

DEVICE = "zone"
"""The cookie in which a browser says where it is (static/js/warhost.js)."""
REGIONS = (
    "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific",
)  # fmt: skip


@cache
def list_known() -> frozenset[str]:
    """All that this machine knows, by their names; old ones too, which some browsers say."""
    return frozenset(available_timezones())


@cache
def list_offered() -> tuple[str, ...]:
    """Those to choose from: places, each by its name of today where this machine has the list of them, and UTC."""
    places = _places_of_today() & list_known() or list_known()
    return (*sorted(name for name in places if name.startswith(tuple(f"{one}/" for one in REGIONS))), "UTC")


def _places_of_today() -> frozenset[str]:
    """The third column of the list that comes with the zones: Asia/Kolkata, and no Asia/Calcutta beside it."""
    found = next((path for path in (Path(root, "zone.tab") for root in TZPATH) if path.is_file()), None)
    lines = found.read_text(encoding="utf-8").splitlines() if found else []
    return frozenset(line.split("\t")[2] for line in lines if line.count("\t") > 1 and not line.startswith("#"))


def zone_of(*names: str) -> ZoneInfo | None:
    """The first of these that there is."""
    return next((ZoneInfo(name) for name in names if name in list_known()), None)


def clean_zone(value: object, *, field: str) -> str:
    """The name of one, or an empty text. Raises `InvalidInput`."""
    demand(
        isinstance(value, str) and (not value or value in list_known()),
        _("Unknown time zone. Choose one from the list."),
        field=field,
    )
    return str(value)
