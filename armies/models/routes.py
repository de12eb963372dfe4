"""Routes of marching armies, day by day: stored with the army, so that where it stands follows from the day alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rules.hexes.geometry import label_of
from rules.travel import Itinerary


class Route(NamedTuple):
    """Hexes by their names. `path`: with both ends; `stops`: where it stands on day `since` and each day after.

    `manner`: how it marches; `wear`: health that every day of it costs, taken as it set out.
    """

    since: int
    path: tuple[str, ...]
    stops: tuple[str, ...]
    manner: tuple[str, ...] = ()
    wear: int = 0

    @property
    def until(self) -> int:
        """The day it arrives."""
        return self.since + len(self.stops) - 1

    @property
    def end(self) -> str:
        return self.stops[-1]

    def at(self, day: int) -> str:
        """Where it stands on a day."""
        return self.stops[max(0, min(day - self.since, len(self.stops) - 1))]

    def ahead(self, day: int) -> tuple[tuple[int, str], ...]:
        """Each day after this one, and where it stands then."""
        return tuple((after, self.at(after)) for after in range(max(day, self.since) + 1, self.until + 1))

    def left(self, day: int) -> tuple[str, ...]:
        """The hexes it still has to enter after this day."""
        at = 0
        for stop in self.stops[1 : max(0, day - self.since) + 1]:
            at = self.path.index(stop, at)
        return self.path[at + 1 :]

    def to_json(self) -> dict[str, Any]:
        return {"since": self.since, "path": [*self.path], "stops": [*self.stops], "manner": [*self.manner],
                "wear": self.wear}  # fmt: skip


def read_route(kept: Mapping[str, Any] | None) -> Route | None:
    """What `Army.route` says."""
    if kept is None:
        return None
    return Route(kept["since"], tuple(kept["path"]), tuple(kept["stops"]), tuple(kept["manner"]), kept["wear"])


def route_along(found: Itinerary, day: int, manner: tuple[str, ...]) -> Route:
    """The route of who sets out on this march today."""
    path, stops = (tuple(label_of(at) for at in hexes) for hexes in (found.path, found.stops))
    return Route(day, path, stops, manner, found.pace.wear.total)
