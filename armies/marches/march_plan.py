"""Plan of a march on the map, for one reader: route, days, cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from armies.models import Army
from armies.ruleset_ui import get_army_ui
from kingdom.map.map_state import load_map_state
from kingdom.map.queries import find_hex, find_map, load_eyes
from kingdom.models import Campaign, User
from kingdom.realms.figures import get_ruleset
from rules.core.errors import InvalidInput, Refusal, demand, require
from rules.core.text import _
from rules.hexes.geometry import Hex, hex_at, label_of
from rules.travel import Itinerary, Manner, MarchPace, Overland, itinerary, planned


class Traveller(NamedTuple):
    """An army on the campaign's map, as far as its reader knows the land. `marcher`: the army as its ruleset's `travel`
    reads it. `bound`: manners in which it marches today in any case.
    """

    army: Army
    marcher: Any
    land: Overland
    at: Hex
    manners: Sequence[Manner]
    bound: Sequence[str] = ()

    def manner(self, wanted: Iterable[str] = ()) -> tuple[str, ...]:
        """Manners of a march for which these are ordered."""
        return tuple(dict.fromkeys((*wanted, *self.bound)))

    def pace(self, manner: Iterable[str] = ()) -> MarchPace:
        """Speed by these manners. Raises `InvalidInput` for a manner that the army does not have."""
        wanted = self.manner(manner)
        offered = {one.slug for one in self.manners}
        for slug in wanted:
            demand(
                slug in offered,
                _("{army} can’t march in this way. Choose one of the ways offered."),
                field="/manner",
                army=self.army.name,
            )
        return self.land.law.pace(self.marcher, wanted)

    def along(self, path: Sequence[str], manner: Iterable[str] = ()) -> Itinerary:
        """March over these hexes from where the army stands. Raises `InvalidInput`, `IllegalCommand`."""
        hexes = [_hex(label, f"/path/{place}") for place, label in enumerate(path)]
        demand(hexes, _("Enter a march of at least one hex."), field="/path")
        pace, here = self.pace(manner), int(hexes[0] == self.at)
        entered = hexes[here:]
        try:
            return itinerary(self.land, [self.at, *(entered[-1:] if pace.teleports else entered)], pace)
        except Refusal as refusal:
            raise _in_path(refusal, here, len(hexes) - 1) from refusal

    def to(self, label: str, manner: Iterable[str] = ()) -> Itinerary:
        """March to this hex by the cheapest route. Raises `InvalidInput`, `IllegalCommand`."""
        return planned(self.land, self.at, _hex(label, "/to"), self.pace(manner))

    def reach(self, days: int, manner: Iterable[str] = ()) -> Mapping[Hex, int]:
        """Hexes it can reach within these days, with the days each takes; empty for an army that teleports."""
        pace = self.pace(manner)
        return {} if pace.teleports else self.land.reach(self.at, pace, days)


def load_overland(user: User, campaign: Campaign) -> Overland | None:
    """The campaign's map as this user knows it; None without a map."""
    drawn = find_map(campaign)
    if drawn is None:
        return None
    return Overland(load_map_state(drawn).field, get_ruleset(campaign).travel, load_eyes(user, campaign, drawn).known)


def standing_on(land: Overland, army: Army) -> Traveller | None:
    """The army as a traveller on this map; None where it does not stand on it."""
    at = find_hex(land.field, army.hex)
    if at is None:
        return None
    ui = get_army_ui(army.campaign)
    marcher = ui.traveller(army)
    return Traveller(army, marcher, land, at, land.law.manners(marcher), ui.bound_to(army))


def on_the_map(user: User, army: Army) -> Traveller | None:
    """The army as a traveller; None without a map, or where it does not stand on it."""
    land = load_overland(user, army.campaign)
    return standing_on(land, army) if land else None


def build_traveller(user: User, army: Army, land: Overland | None = None) -> Traveller:
    """The army as a traveller. `land`: saves loading the map. Raises `IllegalCommand` without a map, or where the army
    does not stand on it.
    """
    land = land or load_overland(user, army.campaign)
    require(land, _("This campaign has no map yet. Create one first."))
    assert land is not None
    found = standing_on(land, army)
    require(found, _("{army} isn’t on the map. Place it on a hex first."), army=army.name)
    assert found is not None
    return found


def path_of(found: Itinerary) -> tuple[str, ...]:
    """Labels of the hexes entered."""
    return tuple(label_of(at) for at in found.path[1:])


def _in_path(refusal: Refusal, here: int, last: int) -> Refusal:
    """The refusal with its pointer into the submitted path, which may begin with the army's own hex, or for a teleport
    has only its last hex used.
    """
    of_path, _slash, number = refusal.field.rpartition("/")
    place = last if number == "to" else int(number) + here if of_path == "/path" else None
    return refusal if place is None else type(refusal)(refusal.message, f"/path/{place}")


def _hex(label: object, field: str) -> Hex:
    try:
        return hex_at(label)  # type: ignore[arg-type]  # it refuses what is no text
    except InvalidInput as refusal:
        raise refusal.below(field) from refusal
