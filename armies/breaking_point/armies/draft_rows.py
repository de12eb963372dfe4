"""Draft rows of the builder: its buttons make it grow and shrink on the server.

Buttons: `add` (with `starter`), `copy`, `drop` and `open` (the unit's number), `read` (with `table`), `preview`
and `find` (with `sought`) draw it anew; figures chosen from a list (`…-quality`, `…-worn`) then stand in their field.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, NamedTuple

from django.http import QueryDict

from armies.breaking_point.armies import unit_files
from armies.breaking_point.armies.builder_choices import QUALITY_NUMBERS, looks_on, starter_of, worn
from armies.breaking_point.armies.posted_document import has_fields, list_posted_places, read_posted_units
from armies.models import Army
from core.clean_input import parse_whole
from rules.breaking_point.parse import UNITS_MOST
from rules.breaking_point.reading import Json
from rules.core.errors import demand
from rules.core.text import _

REDRAW = ("add", "copy", "drop", "open", "read", "preview", "find")
HEAD = ("name", "copies", "commander", "revealed", "table", "mark")


class HostDraft(NamedTuple):
    """What stands in the form. `new`: the unit that was just added or asked for, by its number. `spread`: those that
    stood there field by field.
    """

    head: Json
    units: list[Json]
    new: int = -1
    spread: frozenset[int] = frozenset()

    def with_unit(self, place: int, unit: Json) -> HostDraft:
        """Raises `InvalidInput` where there is no room for one more."""
        demand(len(self.units) < UNITS_MOST, _("An army has at most {most} units."), most=UNITS_MOST)
        units = [*self.units[:place], unit, *self.units[place:]]
        return HostDraft(self.head, units, place, frozenset(at + (at >= place) for at in self.spread))

    def without(self, place: int) -> HostDraft:
        units = [unit for at, unit in enumerate(self.units) if at != place]
        spread = frozenset(at - (at > place) for at in self.spread if at != place)
        return HostDraft(self.head, units, spread=spread)


def is_only_redrawn(data: QueryDict) -> bool:
    """Whether what was pressed only draws it anew."""
    return any(button in data for button in REDRAW) or looks_on(data)


def read_draft(data: QueryDict, law: Any) -> HostDraft:
    """What was sent, as it stands in the form."""
    head = {name: data[name] for name in HEAD if name in data}
    places = list_posted_places(data)
    spread = frozenset(at for at, place in enumerate(places) if has_fields(data, place))
    return HostDraft(head, apply_picks(read_posted_units(data), data, law), spread=spread)


def pressed(data: QueryDict, law: Any) -> HostDraft:
    """The same after what the button says that was pressed. Raises `InvalidInput` for a table that cannot be read,
    naming its line.
    """
    draft = read_draft(data, law)
    if "add" in data:
        return draft.with_unit(len(draft.units), starter_of(data.get("starter", ""), law))
    copied, dropped, opened = (_unit_named(draft, data.get(name, "")) for name in ("copy", "drop", "open"))
    if opened is not None:
        return draft._replace(new=opened)
    if copied is not None:
        return draft.with_unit(copied + 1, dict(draft.units[copied]))
    if dropped is not None:
        return draft.without(dropped)
    if "read" in data:
        return HostDraft(
            {**draft.head, "table": ""}, unit_files.check_units(unit_files.read(data.get("table", "")), law)
        )
    return draft


def _unit_named(draft: HostDraft, text: str) -> int | None:
    place = parse_whole(text)
    return place if place is not None and place < len(draft.units) else None


def apply_picks(units: list[Json], data: QueryDict, law: Any) -> list[Json]:
    """What was chosen from a list stands in its field."""
    for place, unit in zip(list_posted_places(data), units, strict=True):
        quality = QUALITY_NUMBERS.get(data.get(f"units-{place}-quality", ""))
        armour = worn(law, data.get(f"units-{place}-worn", ""))
        unit |= {name: number for name, number in (("combat", quality), ("armour", armour)) if number is not None}
    return units


def mark_of(army: Army) -> str:
    """What stands in an army, in short: a form drawn from anything else is out of date."""
    return sha256(json.dumps(army.sheet, sort_keys=True).encode()).hexdigest()[:16]


def draft_from_army(army: Army | None) -> HostDraft:
    """An army as it stands, to be changed; nothing of a new one."""
    return (
        HostDraft({"name": army.name, "mark": mark_of(army)}, [dict(unit) for unit in army.sheet.get("units", ())])
        if army
        else HostDraft({}, [])
    )
