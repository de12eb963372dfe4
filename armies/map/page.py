"""Page object of the map for one member: what they see, what they selected, and what they can do with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.safestring import SafeString

from armies.map.drawing import LAYERS, USUAL, MapLook, army_rows, draw, lines_of
from armies.map.march_page import Marching, marching, whom_it_meets
from armies.map.visibility import ArmyOnMap, RealmOnMap, SeenMap, TownOnMap, in_order, load_seen_map
from core.text import render
from kingdom.access.queries import is_gm
from kingdom.map import svg as map_svg
from kingdom.map.background_queries import Background, find_background
from kingdom.map.queries import find_hex, find_map
from kingdom.map.services import get_hex
from kingdom.map.tracked_fields import stretches
from kingdom.models import Campaign, User
from rules.core.errors import InvalidInput
from rules.core.text import Said, _, in_percent, say
from rules.hexes.geometry import DIRECTIONS, Hex, label_of
from rules.hexes.terrain import HexTerrain

ZOOMS, USUAL_ZOOM = (50, 75, 100, 150, 200), 100
FIT = 20  # most columns of a map that is fitted to the window
DIRECTION_NAMES = (_("east"), _("northeast"), _("northwest"), _("west"), _("southwest"), _("southeast"))
LAYER_NAMES: Mapping[str, Said] = {
    "background": _("Background"), "claims": _("Borders"), "names": _("Names"), "armies": _("Armies"),
    "letters": _("Terrain letters"), "coordinates": _("Hex names"),
}  # fmt: skip
LINE_NAMES: Mapping[str, Said] = {
    "river": _("River"), "road": _("Road"), "stream": _("Stream"), "wall": _("Wall"),
}  # fmt: skip
INITIALS = _("Army, with the initials of its name")
SIGNS: Mapping[str, Said] = {
    "›": _("army on the march"), "!": _("army not ready"), "?": _("army where it was last seen"),
}  # fmt: skip


class Switch(NamedTuple):
    """A link that changes how the map is shown."""

    name: Said | str
    query: str
    on: bool


class HexBeside(NamedTuple):
    """A hex next to the selected one."""

    direction: Said
    hex: str
    query: str


@dataclass(frozen=True, slots=True)
class HexPicked:
    """The selected hex. `terrain` is None where the reader has never seen it."""

    at: Hex
    terrain: HexTerrain | None
    name: str
    realm: RealmOnMap | None
    towns: tuple[TownOnMap, ...]
    armies: tuple[ArmyOnMap, ...]
    around: tuple[HexBeside, ...]

    @property
    def hex(self) -> str:
        return label_of(self.at)


@dataclass(frozen=True)
class MapPage:
    """The map page. `seen`: None without a map. `zoom`: percent, None to fit the map to the window. `nowhere`: why the
    requested hex is not on the map. `background`: the picture below it, shown or not.
    """

    campaign: Campaign
    gm: bool
    seen: SeenMap | None
    look: MapLook = field(default_factory=MapLook)
    zoom: int | None = None
    picked: HexPicked | None = None
    march: Marching | None = None
    nowhere: Said | None = None
    background: Background | None = None

    @property
    def army(self) -> ArmyOnMap | None:
        return self.look.army

    @cached_property
    def sides(self) -> tuple[int, int]:
        return map_svg.measure_field(self.seen.field) if self.seen else (0, 0)

    @property
    def shown_sides(self) -> tuple[int, int]:
        """Width and height in pixels, where the map is not fitted to the window."""
        wide, high = self.sides
        zoom = self.zoom or USUAL_ZOOM
        return wide * zoom // 100, high * zoom // 100

    @property
    def fits(self) -> bool:
        """Whether the map is fitted to the window: a small map is, unless a zoom is chosen."""
        return self.zoom is None and self.seen is not None and self.seen.field.columns <= FIT

    @property
    def lettered(self) -> bool:
        return "letters" in self.look.layers

    @property
    def title(self) -> str:
        words = _("{map}, day {day}")
        return render(say(words, map=self.seen.drawn.name, day=self.campaign.day)) if self.seen else ""

    @property
    def svg(self) -> SafeString:
        return draw(self.seen, self.look) if self.seen else SafeString()

    @property
    def kinds(self) -> dict[str, str]:
        """Names of the terrain kinds by their ids in the SVG, for scripts."""
        return map_svg.names_of_kinds()

    @property
    def legend(self) -> list[HexTerrain]:
        return map_svg.kinds_on(self.seen.field, self.seen.known) if self.seen else []

    @property
    def signs(self) -> list[tuple[str, Said]]:
        """Marks of armies on the map, for the legend; first the initials of one of them."""
        if not self.seen or "armies" not in self.look.layers or not self.seen.armies:
            return []
        drawn = {army.sign for army in self.seen.armies}
        return [("Abc", INITIALS), *((sign, words) for sign, words in SIGNS.items() if sign in drawn)]

    @property
    def lines(self) -> list[tuple[str, Said]]:
        """Kinds of lines on the map, for the legend."""
        return [(kind, LINE_NAMES[kind]) for kind, drawn in lines_of(self.seen).items() if drawn] if self.seen else []

    @property
    def in_letters(self) -> list[tuple[int, str]]:
        return list(enumerate(map_svg.in_letters(self.seen.field, self.seen.known), 1)) if self.seen else []

    @property
    def armies(self) -> list[ArmyOnMap]:
        return list(self.seen.armies) if self.seen else []

    @property
    def army_rows(self) -> SafeString:
        return army_rows(self.seen, self.look) if self.seen else SafeString()

    @property
    def towns(self) -> list[TownOnMap]:
        return in_order(self.seen.towns) if self.seen else []

    @cached_property
    def realms(self) -> list[tuple[RealmOnMap, str]]:
        """Kingdoms whose claims the reader sees, each with its hexes as ranges."""
        if self.seen is None:
            return []
        return [(realm, _listed(realm.hexes)) for realm in in_order(self.seen.claiming)]

    @property
    def labels(self) -> list[tuple[str, str]]:
        return [(label_of(at), text) for at, text in sorted(self.seen.labels.items())] if self.seen else []

    @property
    def start(self) -> tuple[int, int]:
        """Initial scroll position on a small screen, in tenths from the left and the top."""
        at = self.army.at if self.army else self.picked.at if self.picked else self._own()
        if at is None:
            return 0, 0
        (x, y), (wide, high) = map_svg.spot(at), self.sides
        return max(0, 10 * x // wide - 1), max(0, 10 * y // high - 1)

    def _own(self) -> Hex | None:
        """Hex of an army or town of the reader's own; None for the GM."""
        if self.seen is None or self.gm:
            return None
        things: tuple[ArmyOnMap | TownOnMap, ...] = (*self.seen.armies, *self.seen.towns)
        return next((thing.at for thing in things if thing.realm.own), None)

    @property
    def layers(self) -> list[Switch]:
        """A switch for each layer there is."""
        found = []
        for name in LAYERS if self.background else LAYERS[1:]:
            on = name in self.look.layers
            wanted = self.look.layers ^ {name}
            query = self._query(layers=_layers(wanted))
            found.append(Switch(LAYER_NAMES[name], query, on))
        return found

    @property
    def zooms(self) -> list[Switch]:
        now = None if self.fits else self.zoom or USUAL_ZOOM
        words = [Switch(in_percent(zoom), self._query(zoom=str(zoom)), zoom == now) for zoom in ZOOMS]
        if self.seen and self.seen.field.columns > FIT:
            return words
        return [Switch(_("Whole map"), self._query(zoom=""), self.zoom is None), *words]

    def _query(self, **changed: str) -> str:
        return _asking({**self.shown_so, **self.held, **changed})

    @property
    def shown_so(self) -> dict[str, str]:
        """Query parameters of the look of the map: its layers and zoom."""
        return {"layers": _layers(self.look.layers), "zoom": str(self.zoom or "")}

    @property
    def held(self) -> dict[str, str]:
        """Parameters of the selection and of the march being drawn. A custom route continues from its end, whatever is
        selected.
        """
        army, picked = self.army.short if self.army else "", self.picked.hex if self.picked else ""
        if self.march is None:
            return {"army": army, "hex": picked}
        via, own = ",".join(self.march.via), self.march.own
        manner = ",".join(self.march.manner)
        return {"army": army, "hex": "" if own else picked, "via": via, "own": "1" if own else "", "manner": manner}

    @property
    def unpicked(self) -> str:
        return _asking(self.shown_so)


def _asking(given: Mapping[str, str]) -> str:
    return "?" + urlencode({name: value for name, value in given.items() if value})


def _layers(shown: frozenset[str]) -> str:
    if shown == USUAL:
        return ""
    return ",".join(name for name in LAYERS if name in shown) or "none"


@lru_cache(512)
def _listed(hexes: frozenset[Hex]) -> str:
    return ", ".join(key for key, _run in stretches((at, None) for at in hexes))


def map_page(user: User, campaign: Campaign, given: QueryDict | Mapping[str, Any]) -> MapPage:
    """The page for these parameters. Only what the reader sees can be selected."""
    drawn, gm = find_map(campaign), is_gm(user, campaign)
    if drawn is None:
        return MapPage(campaign, gm, None)
    seen = load_seen_map(user, campaign, drawn)
    army = _army(seen, str(given.get("army", "")))
    asked = str(given.get("hex", "")).strip()
    there = find_hex(seen.field, asked.upper())
    at = there or (army.at if army else None)
    zoom = next((zoom for zoom in ZOOMS if str(zoom) == given.get("zoom")), None)
    layers = _shown(str(given.get("layers", "")))
    kept = {"layers": _layers(layers), "zoom": str(zoom or "")}
    query = "".join(f"{name}={value}&" for name, value in kept.items() if value)
    march = _march(user, army, given, kept)
    if march:
        march = replace(march, met=tuple(whom_it_meets(march, seen.armies)))
    below = find_background(user, campaign, drawn)
    look = MapLook(layers, at, army, query, background=below if "background" in layers else None)
    if march:
        held = {one.at for one in seen.armies} if "armies" in layers else set()
        look = look._replace(march=march.links, overlay=march.drawn, marks=march.marks(held))
    nowhere = _why_nowhere(seen, asked) if asked and there is None and march is None else None
    return MapPage(campaign, gm, seen, look, zoom, _picked(seen, at, look) if at else None, march, nowhere, below)


def _why_nowhere(seen: SeenMap, asked: str) -> Said | None:
    try:
        get_hex(seen.field, asked)
    except InvalidInput as refusal:
        return refusal.message
    return None


def _march(user: User, army: ArmyOnMap | None, given: Mapping[str, Any], kept: Mapping[str, str]) -> Marching | None:
    """Marches of the selected army, if the reader may order them."""
    if army is None or not army.realm.own or army.last_seen is not None:
        return None
    hex_ = str(given.get("hex", "")).upper()
    return marching(user, army.id, given, {**kept, "army": army.short, "hex": hex_})


def _army(seen: SeenMap, asked: str) -> ArmyOnMap | None:
    """The seen army with this id, or with this end of an id."""
    return next((army for army in seen.armies if (asked and str(army.id) == asked) or army.short == asked), None)


def _shown(asked: str) -> frozenset[str]:
    return frozenset(asked.split(",")) & frozenset(LAYERS) if asked else USUAL


def _picked(seen: SeenMap, at: Hex, look: MapLook) -> HexPicked:
    around = zip(DIRECTION_NAMES, (Hex(at.q + q, at.r + r) for q, r in DIRECTIONS), strict=True)
    claimed = seen.land.claims.get(at) if seen.eyes.knows(at) else None
    return HexPicked(
        at=at,
        terrain=seen.field.at(at) if seen.eyes.knows(at) else None,
        name=seen.labels.get(at, ""),
        realm=seen.realms.get(claimed) if claimed else None,
        towns=tuple(town for town in seen.towns if town.at == at),
        armies=tuple(army for army in seen.armies if army.at == at),
        around=tuple(
            HexBeside(name, label_of(one), f"?{look.query}hex={label_of(one)}")
            for name, one in around
            if one in seen.field
        ),
    )
