"""Routes of marching armies, day by day. They are stored with the army, so that its hex follows from the day alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rules.hexes.geometry import label_of
from rules.travel import Itinerary


class Route(NamedTuple):
    """A march; hexes are labels. `path`: all hexes, both ends included. `stops`: the hex on day `since` and after each
    later day. `manner`: slugs. `wear`: health that each day costs, all of it taken at the start.
    """

    since: int
    path: tuple[str, ...]
    stops: tuple[str, ...]
    manner: tuple[str, ...] = ()
    wear: int = 0

    @property
    def until(self) -> int:
        """Day of arrival."""
        return self.since + len(self.stops) - 1

    @property
    def end(self) -> str:
        return self.stops[-1]

    def at(self, day: int) -> str:
        """Hex on this day."""
        return self.stops[max(0, min(day - self.since, len(self.stops) - 1))]

    def ahead(self, day: int) -> tuple[tuple[int, str], ...]:
        """Each later day of the march, and the hex of that day."""
        return tuple((after, self.at(after)) for after in range(max(day, self.since) + 1, self.until + 1))

    def left(self, day: int) -> tuple[str, ...]:
        """Hexes still to enter after this day."""
        at = 0
        for stop in self.stops[1 : max(0, day - self.since) + 1]:
            at = self.path.index(stop, at)
        return self.path[at + 1 :]

    def to_json(self) -> dict[str, Any]:
        return {"since": self.since, "path": [*self.path], "stops": [*self.stops], "manner": [*self.manner],
                "wear": self.wear}  # fmt: skip


def read_route(kept: Mapping[str, Any] | None) -> Route | None:
    """The route stored in `Army.route`."""
    if kept is None:
        return None
    return Route(kept["since"], tuple(kept["path"]), tuple(kept["stops"]), tuple(kept["manner"]), kept["wear"])


def route_along(found: Itinerary, day: int, manner: tuple[str, ...]) -> Route:
    """Route of a march that begins on this day."""
    path, stops = (tuple(label_of(at) for at in hexes) for hexes in (found.path, found.stops))
    return Route(day, path, stops, manner, found.pace.wear.total)
