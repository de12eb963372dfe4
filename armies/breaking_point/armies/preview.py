"""Preview of the figures an army would have, or of what keeps it from being one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from armies.breaking_point.armies.figure_tables import SheetShown, build_sheet
from armies.documents.drafts import named_at
from rules.core.errors import Refusal
from rules.core.text import Said


class Preview(NamedTuple):
    """`unit`: the name of the one that was refused."""

    sheet: SheetShown | None = None
    refusal: Said | None = None
    unit: str = ""


NOTHING_YET = Preview()


def preview_of(law: Any, document: Mapping[str, Any]) -> Preview:
    if not document.get("units"):
        return NOTHING_YET
    try:
        return Preview(build_sheet(law.armies.units_of(law.armies.read(document))))
    except Refusal as refusal:
        return Preview(refusal=refusal.message, unit=named_at(document, refusal.field))
