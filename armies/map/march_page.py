"""Page object of marches on the map: the route of the selected army, from the page's address alone.

Parameters: `army` marches to `hex`. `via`: hexes of a custom route in order, connected by cheapest routes, so
neighbouring hexes give it hex by hex. `manner`: how the army marches.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from django.http import QueryDict
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from armies.forces import busy as forces_busy
from armies.forces.access import get_army_for
from armies.map.visibility import ArmyOnMap
from armies.marches.queries import Traveller, on_the_map, path_of
from armies.models import Army
from armies.models.routes import Route
from armies.ruleset_ui import find_row, get_army_ui
from armies.weeks.army_moves import list_travelling
from kingdom.access.permissions import Leave
from kingdom.access.queries import runs_kingdom
from kingdom.approvals.serializers import leave_of
from kingdom.map.svg import OUTLINE, spot
from kingdom.models import User
from rules.core.errors import Refusal
from rules.core.text import Said
from rules.hexes.geometry import Hex, hex_at, label_of
from rules.travel import Itinerary, Manner, itinerary

NEAR = 2  # days of marching within which hexes are shown
MOST_VIA = 60
BELOW = 19  # pixels from a hex's middle to the label below a counter
MANY = 400  # hexes within reach that are drawn one by one


class DaysEnd(NamedTuple):
    day: int
    hex: str


class Met(NamedTuple):
    """An army of another kingdom in the same hex at the end of a day. `sure`: the reader knows its route; otherwise it
    stands there today.
    """

    day: int
    hex: str
    army: str
    sure: bool


class MannerChosen(NamedTuple):
    """A manner of marching to choose, and the query string that toggles it."""

    manner: Manner
    on: bool
    query: str


class Within(NamedTuple):
    """The hexes reached on the same day, each with the query string that leads there."""

    days: int
    hexes: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Marching:
    """Orders that the user may give the army on the map. `found`: the requested march, None without one or if it is
    `refused`. `route`: its present march. `own`: whether a custom route is being drawn. `reform`: address of the page
    that divides and combines it, "" for none.
    """

    army: Army
    may: Leave
    busy: Said | None
    traveller: Traveller
    found: Itinerary | None
    refused: Said | None
    own: bool
    via: tuple[str, ...]
    manner: tuple[str, ...]
    kept: Mapping[str, str]
    met: tuple[Met, ...] = ()
    reform: str = ""

    @property
    def route(self) -> Route | None:
        return self.army.way if self.army.marching else None

    @property
    def ahead(self) -> list[DaysEnd]:
        """The remaining days of its present march."""
        day = self.army.campaign.day
        return [DaysEnd(*stop) for stop in self.route.ahead(day)] if self.route else []

    @property
    def path(self) -> str:
        return ",".join(path_of(self.found)) if self.found else ""

    @property
    def end(self) -> str:
        return label_of(self.found.path[-1]) if self.found else ""

    @property
    def arrives(self) -> int:
        return self.army.campaign.day + (self.found.days if self.found else 0)

    @property
    def stops(self) -> list[DaysEnd]:
        """Hex of the army after each day of the requested march."""
        if self.found is None:
            return []
        day = self.army.campaign.day
        return [DaysEnd(day + number, label_of(at)) for number, at in enumerate(self.found.stops) if number]

    @property
    def manners(self) -> list[MannerChosen]:
        chosen = self.traveller.manner(self.manner)
        return [MannerChosen(one, one.slug in chosen, self._with(one.slug)) for one in self.traveller.manners]

    def _with(self, slug: str) -> str:
        return self.query(manner=",".join(sorted({*self.manner} ^ {slug})))

    @cached_property
    def within(self) -> list[Within]:
        """The hexes it can reach, by days, nearest first."""
        found: dict[int, list[str]] = {}
        for at, days in sorted(self._reach.items(), key=lambda one: (one[1], one[0].r, one[0].q)):
            found.setdefault(days, []).append(label_of(at))
        return [Within(days, [(at, self.query(hex=at)) for at in hexes]) for days, hexes in found.items()]

    @cached_property
    def _reach(self) -> Mapping[Hex, int]:
        return self.traveller.reach(NEAR, self.manner)

    # Addresses.
    def query(self, **changed: str) -> str:
        now = {**self.kept, "via": ",".join(self.via), "own": "1" if self.own else "", "manner": ",".join(self.manner)}
        query = QueryDict(mutable=True)
        query.update({name: value for name, value in {**now, **changed}.items() if value})
        return f"?{query.urlencode(safe=',')}"

    @property
    def begin_own(self) -> str:
        return self.query(own="1", via="", hex="")

    @property
    def step_back(self) -> str:
        return self.query(hex="", via=",".join(self.via[:-1]))

    @property
    def cheapest(self) -> str:
        return self.query(own="", via="", hex=self.via[-1] if self.via else self.kept.get("hex", ""))

    @property
    def links(self) -> str:
        """Query string that the map's links keep."""
        return self.query(hex="", army="", zoom="", layers="").lstrip("?")

    @property
    def address(self) -> str:
        return reverse("armies:army_way", args=[self.army.pk])

    # Drawing.
    @property
    def drawn(self) -> SafeString:
        """SVG above the terrain and below the armies: hexes within reach, and routes."""
        parts = [self._near(), self._line(self._ordered(), "ordered"), self._line(self._asked(), "asked")]
        return format_html('<g class="march">{}{}{}</g>', *parts)

    def marks(self, held: Collection[Hex]) -> SafeString:
        """SVG of the days, each where it ends; below the counters in hexes that are `held` by armies."""
        day, stops = self.army.campaign.day, self.stops if self.found else self.ahead
        marks = format_html_join("", "{}", ((_mark(stop, day, held),) for stop in stops))
        return format_html('<g class="march over">{}</g>', marks)

    def _near(self) -> SafeString:
        near = [at for at, days in self._reach.items() if days == 1]
        if len(near) > MANY:
            return SafeString()
        moved = (spot(at) for at in sorted(near))
        drawn = format_html_join("", '<path class="near" transform="translate({} {})" d="{}"/>',
                                 ((x, y, OUTLINE) for x, y in moved))  # fmt: skip
        return SafeString(drawn)

    def _ordered(self) -> Sequence[Hex]:
        if self.route is None:
            return ()
        path = [hex_at(label) for label in self.route.path]
        return path[path.index(self.traveller.at) :] if self.traveller.at in path else path

    def _asked(self) -> Sequence[Hex]:
        return self.found.path if self.found else ()

    def _line(self, hexes: Sequence[Hex], kind: str) -> SafeString:
        if not hexes:
            return SafeString()
        points = " ".join(f"{x},{y}" for x, y in map(spot, hexes))
        return format_html('<polyline class="way {}" points="{}"/>', kind, points)


def _mark(stop: DaysEnd, today: int, held: Collection[Hex]) -> SafeString:
    at = hex_at(stop.hex)
    x, y = spot(at)
    return format_html(
        '<g class="stop" transform="translate({} {})"><circle r="9"/><text y="4">{}</text></g>',
        x, y + (BELOW if at in held else 0), stop.day - today,
    )  # fmt: skip


def marching(user: User, army_id: Any, given: Mapping[str, Any], kept: Mapping[str, str]) -> Marching | None:
    """Marches of a standing army on the map, for users who run it; None for others, and off the map."""
    army = get_army_for(user, army_id, Army)
    if not (army.standing and runs_kingdom(user, army.kingdom)):
        return None
    army = _in_its_law(army)
    try:
        who = on_the_map(user, army)
    except Refusal:  # The ruleset cannot read its sheet; the army's own page says so.
        return None
    if who is None:
        return None
    own, target = bool(given.get("own")), str(given.get("hex", "")).upper()
    via = _labels(given.get("via"))
    if own and target and target != (via[-1] if via else army.hex):
        via = (*via, target)
    manner = tuple(slug for slug in _labels(given.get("manner"), str) if slug in {one.slug for one in who.manners})
    found, refused = _asked(who, via if own else (target,), manner)
    if refused and own:
        via = via[:-1]
    return Marching(
        army,
        leave_of(user, army.campaign)["march"],
        forces_busy.explain_busy(army),
        who,
        found,
        refused,
        own,
        via,
        manner,
        kept,
        reform=_get_reform_page(user, army),
    )


def _get_reform_page(user: User, army: Army) -> str:
    offered = leave_of(user, army.campaign)["raise"].offered
    return get_army_ui(army.campaign).get_reform_page(army) if offered else ""


def whom_it_meets(march: Marching, seen: Iterable[ArmyOnMap]) -> Iterator[Met]:
    """Armies that the requested march meets at the end of each day, among those its reader sees. Armies the reader runs
    are where they will be by then, others where they are now.
    """
    others = [one for one in seen if one.realm.id != march.army.kingdom_id and one.last_seen is None]
    if not (march.stops and others):
        return
    campaign = march.army.campaign
    own = [one.id for one in others if one.realm.own]
    ways = {army.pk: army.way for army in list_travelling(campaign, campaign.day).filter(pk__in=own)} if own else {}
    for stop in march.stops:
        for one in others:
            way = ways.get(one.id)
            if (way.at(stop.day) if way else one.hex) == stop.hex:
                yield Met(stop.day, stop.hex, one.name, one.realm.own)


def _in_its_law(army: Army) -> Army:
    found = find_row(Army, army.campaign, str(army.pk))
    assert isinstance(found, Army)
    found.campaign, found.kingdom = army.campaign, army.kingdom
    return found


def _labels(text: object, change: Any = str.upper) -> tuple[str, ...]:
    return tuple(filter(None, map(change, str(text or "").split(","))))[:MOST_VIA]


def _asked(who: Traveller, points: Sequence[str], manner: Sequence[str]) -> tuple[Itinerary | None, Said | None]:
    """The march over these points, or why it is impossible."""
    points = [label for label in points if label]
    if not points or points == [label_of(who.at)]:
        return None, None
    try:
        if len(points) == 1:
            return who.to(points[0], manner), None
        return itinerary(who.land, list(_over(who, points)), who.pace(manner)), None
    except Refusal as refusal:
        return None, refusal.message


def _over(who: Traveller, points: Sequence[str]) -> Iterator[Hex]:
    yield who.at
    for start, end in pairwise((who.at, *(hex_at(label) for label in points))):
        if start != end:
            yield from who.land.way(start, end)[1:]
