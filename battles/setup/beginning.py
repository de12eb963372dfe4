"""Initial data of the setup form, its address, and the focus after an army was moved."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import QueryDict
from django.utils.translation import gettext as _

from armies.marches.encounters import list_encounters
from armies.models import Army
from battles.setup.page import NewBattle
from battles.setup.seating import Seating, StandingArmies
from battles.setup.seats import ADD, BENCH, SEAT, SeatMove, SideOfArmy, seat_two_kingdoms, write_seats
from core.clean_input import NAME_MAX

PICKED = "picked"
"""Value of `add` in an address that begins a setup."""
ADDRESS_MOST = 4000
"""Most characters of an address."""
UNKEPT = ("csrfmiddlewaretoken", "do", "map", "map-file", "find")
"""Form fields that no address keeps: files, buttons and searches."""


def begin_setup(new: NewBattle, roster: StandingArmies) -> QueryDict:
    """Initial data: the armies of the first encounter on the map, else two kingdoms face to face; with a name."""
    data = QueryDict(mutable=True)
    data[ADD] = PICKED
    if new.own and (meeting := next(iter(list_encounters(new.campaign)), None)):
        for name, value in new.ui.setup_at(meeting).items():
            data.setlist(name, [value] if isinstance(value, str) else [*value])
        data["name"] = _("Battle at %(hex)s") % {"hex": meeting.town or meeting.hex}
        return data
    seats, name = _face_to_face(roster.free)
    data["name"] = name
    return write_seats(data, seats, new.ui.seats)


def _face_to_face(armies: Sequence[Army]) -> tuple[SideOfArmy, str]:
    seats = seat_two_kingdoms(armies)
    names = list(dict.fromkeys(army.kingdom.name for army in armies if str(army.pk) in seats))
    if len(names) < 2:
        return seats, ""
    return seats, (_("%(one)s against %(other)s") % {"one": names[0], "other": names[1]})[:NAME_MAX]


def build_address(path: str, data: QueryDict) -> str:
    """Address that reopens the setup with this data; `path` alone where it would be longer than `ADDRESS_MOST`."""
    kept = data.copy()
    for name in (*UNKEPT, "map-how") if data.get("map") else UNKEPT:
        kept.pop(name, None)
    for name, values in list(kept.lists()):
        kept.setlist(name, [value for value in values if value])
    kept[ADD] = PICKED
    query = kept.urlencode()
    return f"{path}?{query}" if len(query) <= ADDRESS_MOST else path


def find_focus(seating: Seating, move: SeatMove) -> str:
    """Id of the control that gets the focus after an army was moved: the next army on the bench, else its side."""
    if move.kind == BENCH:
        return f"seat-0-{move.whom}"
    if move.kind != SEAT:
        return ""
    waiting = next((seat.id for seat in seating.bench if not seat.why), "")
    return f"seat-{move.side}-{waiting}" if waiting else f"bench-{move.whom}"
