"""Lost land in upkeep where sizes follow the map: the size says how many hexes, here is which (PF-8.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from uuid import UUID

from armies.marches.routes import read_route
from armies.models import Army
from armies.weeks.passage import TimeNote
from kingdom.chronicle.changes import Change
from kingdom.map.map_state import MapState, load_map_state
from kingdom.map.queries import find_hex, get_extent_figure
from kingdom.map.tracked_fields import build_line
from kingdom.models import Campaign, CampaignMap, Settlement
from rules.core.text import Term, _, say
from rules.hexes.borders import Why, first_to_go
from rules.hexes.geometry import Hex, label_of
from rules.pathfinder.weeks import DatedChange

RULE = "PF-8.4"
WHY: Mapping[Why, Term] = {
    Why.FAR_FROM_TOWNS: _(
        "{kingdom}: {hex} is lost: of its hexes without a town or an army the one farthest from its towns."
    ),
    Why.FAR_OUT: _(
        "{kingdom}: {hex} is lost: of its hexes without an army the one farthest from the middle of its land."
    ),
    Why.ALL_HELD: _("{kingdom}: {hex} is lost: an army or a town stands on each hex it still claims."),
}


class LostLand(NamedTuple):
    """What the map loses, and what is said of each hex."""

    changes: tuple[Change, ...] = ()
    notes: tuple[TimeNote, ...] = ()


def land_lost(campaign: Campaign, changes: Iterable[DatedChange]) -> LostLand:
    """The hexes that go with what these changes take from sizes; nothing where people write them for good. Of a map
    that is put away the same hexes go, or they would be back once it lies on the table again.
    """
    sizes = [change for change in changes if (change.kind, change.field) == ("kingdom", "size")]
    follows = CampaignMap.objects.filter(campaign=campaign, sizes=True) if sizes else None
    drawn = follows.first() if follows is not None and get_extent_figure(campaign) == "size" else None
    if drawn is None:
        return LostLand()
    lost: dict[str, set[Hex]] = {change.id: set() for change in sizes}
    found = [one for change in sizes for one in _of(drawn, change, lost[change.id])]
    return LostLand(tuple(change for change, _note in found), tuple(note for _change, note in found))


def _of(drawn: CampaignMap, change: DatedChange, lost: set[Hex]) -> Iterator[tuple[Change, TimeNote]]:
    """Hex after hex until the kingdom has no more than its size says, or where people write that meanwhile, as many as
    it was lessened by. `lost` by earlier months; it grows.
    """
    land, kingdom = load_map_state(drawn), UUID(change.id)
    towns, armies = _towns(land, kingdom), _armies(land, kingdom, change.day)
    assert isinstance(change.before, int)
    assert isinstance(change.after, int)
    left = change.after
    if drawn.put_away:
        left = max(0, len(land.of(kingdom) - lost) - (change.before - change.after))
    while len(own := land.of(kingdom) - lost) > left:
        at, why = first_to_go(own, towns, armies)
        lost.add(at)
        label = label_of(at)
        yield (
            build_line(label, "claim", change.id, None, RULE),
            TimeNote(say(WHY[why], kingdom=change.subject, hex=label), RULE),
        )


def _towns(land: MapState, kingdom: UUID) -> set[Hex]:
    rows = Settlement.objects.filter(kingdom=kingdom).exclude(hex="").values_list("hex", flat=True)
    return {at for label in rows if (at := find_hex(land.field, label))}


def _armies(land: MapState, kingdom: UUID, day: int) -> set[Hex]:
    """Where its armies stand on that day; hidden ones are left out, or the border would tell of them."""
    rows = Army.objects.filter(kingdom=kingdom, hidden=False, status__in=Army.STANDING).exclude(hex="")
    places = {way.at(day) if (way := read_route(route)) else hex for hex, route in rows.values_list("hex", "route")}
    return {at for label in places if (at := find_hex(land.field, label))}
