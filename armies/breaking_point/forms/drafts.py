"""What stands in the builder, as its buttons change it: it grows and shrinks on the server.

Buttons: `add` (with `starter`), `copy` and `drop` (the unit's number), `read` (with `table`), `preview` draw it anew;
figures chosen from a list (`…-quality`, `…-worn`) then stand in their field.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import QueryDict

from armies.breaking_point import unit_files
from armies.breaking_point.forms.offers import QUALITY_NUMBERS, starter_of, worn
from armies.breaking_point.forms.posted import Json, posted_units
from armies.models import Army
from kingdom.inputs import whole_in

REDRAW = ("add", "copy", "drop", "read", "preview")
HEAD = ("name", "commander", "revealed", "table")


class HostDraft(NamedTuple):
    """What stands in the form. `new`: the unit that was just added, by its number."""

    head: Json
    units: list[Json]
    new: int = -1

    def with_unit(self, place: int, unit: Json) -> HostDraft:
        return HostDraft(self.head, [*self.units[:place], unit, *self.units[place:]], place)


def drafted(data: QueryDict, law: Any) -> HostDraft:
    """What was sent, as it stands in the form."""
    head = {name: data[name] for name in HEAD if name in data}
    return HostDraft(head, picked(posted_units(data), data, law))


def pressed(data: QueryDict, law: Any) -> HostDraft:
    """The same after what the button says that was pressed. Raises `InvalidInput` for a table that cannot be read."""
    draft = drafted(data, law)
    if "add" in data:
        return draft.with_unit(len(draft.units), starter_of(data.get("starter", ""), law))
    copied, dropped = (_unit_named(draft, data.get(name, "")) for name in ("copy", "drop"))
    if copied is not None:
        return draft.with_unit(copied + 1, dict(draft.units[copied]))
    if dropped is not None:
        return draft._replace(units=[unit for place, unit in enumerate(draft.units) if place != dropped])
    if "read" in data:
        return HostDraft({**draft.head, "table": ""}, unit_files.read(data.get("table", "")))
    return draft


def _unit_named(draft: HostDraft, text: str) -> int | None:
    place = whole_in(text)
    return place if place is not None and place < len(draft.units) else None


def picked(units: list[Json], data: QueryDict, law: Any) -> list[Json]:
    """What was chosen from a list stands in its field."""
    for place, unit in enumerate(units):
        quality = QUALITY_NUMBERS.get(data.get(f"units-{place}-quality", ""))
        armour = worn(law, data.get(f"units-{place}-worn", ""))
        unit |= {name: number for name, number in (("combat", quality), ("armour", armour)) if number is not None}
    return units


def kept(army: Army | None) -> HostDraft:
    """An army as it stands, to be changed; nothing of a new one."""
    return (
        HostDraft({"name": army.name}, [dict(unit) for unit in army.sheet.get("units", ())])
        if army
        else HostDraft({}, [])
    )
