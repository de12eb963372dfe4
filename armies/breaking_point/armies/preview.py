"""Preview of the figures an army would have, or of what keeps it from being one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from armies.breaking_point.armies.figure_tables import SheetShown, build_sheet
from core.clean_input import parse_whole
from kingdom.models import Kingdom
from kingdom.realms.figures import get_ruleset
from rules.core.errors import Refusal
from rules.core.text import Said


class Preview(NamedTuple):
    """`unit`: the name of the one that was refused."""

    sheet: SheetShown | None = None
    refusal: Said | None = None
    unit: str = ""


NOTHING_YET = Preview()


def preview_of(kingdom: Kingdom, document: Mapping[str, Any]) -> Preview:
    if not document.get("units"):
        return NOTHING_YET
    law: Any = get_ruleset(kingdom.campaign)
    try:
        return Preview(build_sheet(law.armies.units_of(law.armies.read(document))))
    except Refusal as refusal:
        return Preview(refusal=refusal.message, unit=_named(document, refusal.field))


def _named(document: Mapping[str, Any], pointer: str) -> str:
    parts = pointer.strip("/").split("/")
    place = parse_whole(parts[1]) if len(parts) > 1 and parts[0] == "units" else None
    return str(document["units"][place].get("name", "")) if place is not None else ""
