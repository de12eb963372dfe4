"""SVG of the map as a user sees it: the terrain of `kingdom.map.svg`, with claims, towns, names and armies."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import ngettext

from armies.map.visibility import ArmyOnMap, RealmOnMap, SeenMap, TownOnMap, group_by_hex
from kingdom.map import svg
from kingdom.map.background_queries import Background
from kingdom.map.editor_svg import draw_below
from kingdom.map.svg import Spot, spot
from kingdom.templatetags.heraldry import arms
from kingdom.templatetags.look import symbol_of
from rules.hexes.geometry import Hex, label_of

CROWD = 3  # most armies of one hex that are drawn one by one
LAYERS = ("background", "claims", "names", "armies", "letters", "coordinates")
USUAL = frozenset({"background", "claims", "names", "armies"})


class MapLook(NamedTuple):
    """View options of the map: shown layers and selection. `kept`: query string that every link keeps, "zoom=150&" or
    ""; `march`: further parameters of links to hexes. `overlay` is drawn above the terrain, `marks` above everything,
    `background` below the hexes.
    """

    layers: frozenset[str] = USUAL
    at: Hex | None = None
    army: ArmyOnMap | None = None
    kept: str = ""
    march: str = ""
    overlay: SafeString = SafeString()
    marks: SafeString = SafeString()
    background: Background | None = None

    @property
    def query(self) -> str:
        """Query string kept by links of hexes, with the selected army and its march."""
        march = f"{self.march}&" if self.march else ""
        return f"{self.kept}army={self.army.short}&{march}" if self.army else self.kept


def draw(seen: SeenMap, look: MapLook) -> SafeString:
    """Content of the <svg> element."""
    field, known, held = seen.field, seen.known, {army.at for army in seen.armies}
    parts = [
        f"<defs>{svg.definitions(svg.kinds_on(field, known))}{_shields(seen)}</defs>",
        draw_below(field, look.background),
        f'<g class="hexes" aria-hidden="true">{svg.draw_hexes(field, known, look.query)}</g>',
        '<g class="over">',
        "".join(_line(kind, drawn) for kind, drawn in lines_of(seen).items()),
        "".join(_borders(seen)) if "claims" in look.layers else "",
        svg.edges_named(field.columns, field.rows),
        svg.names_of_hexes(field) if "coordinates" in look.layers else "",
        look.overlay,
        _chosen(look.at),
        "".join(_names(seen)) if "names" in look.layers else "",
        "</g>",
        "".join(_town(town, beside="armies" in look.layers and town.at in held) for town in seen.towns),
        "".join(_counters(seen, look)) if "armies" in look.layers else "",
        "".join(_town_name(town) for town in seen.towns),
        look.marks,
    ]
    return mark_safe("".join(parts))


def lines_of(seen: SeenMap) -> dict[str, str]:
    """SVG paths of the kinds of lines; "" for a kind the map does not have."""
    field, knows = seen.field, seen.eyes.knows
    return {
        "river": svg.rivers(field, knows),
        "road": svg.roads(field, knows),
        "stream": svg.draw_walls(field, "stream", knows),
        "wall": svg.draw_walls(field, "wall", knows),
    }


def _line(kind: str, drawn: str) -> str:
    return f'<path class="{kind}" d="{drawn}"/>' if drawn else ""


def _borders(seen: SeenMap) -> Iterator[str]:
    for realm in seen.claiming:
        yield f'<path class="claim {realm.side}" fill-rule="evenodd" d="{svg.border(realm.hexes)}"/>'


def _chosen(at: Hex | None) -> str:
    if at is None:
        return ""
    x, y = spot(at)
    return f'<path class="chosen" id="here" transform="translate({x} {y})" d="{svg.OUTLINE}"/>'


def _names(seen: SeenMap) -> Iterator[str]:
    for at, text in seen.labels.items():
        x, y = spot(at)
        yield f'<text class="region" x="{x}" y="{y + 6}">{escape(text)}</text>'


# Towns.


def _town(town: TownOnMap, *, beside: bool) -> str:
    """A town. `beside`: whether armies stand in its hex."""
    x, y = spot(town.at)
    left = x - 26 if beside else x - 10
    return (
        f'<g class="place {town.realm.side}"><use href="{static("icons.svg")}#{symbol_of("settlement")}"'
        f' x="{left}" y="{y - 4}" width="20" height="20"/></g>'
    )


def _town_name(town: TownOnMap) -> str:
    """A town's name, above the armies of the hexes around it."""
    x, y = spot(town.at)
    return f'<text class="place place-name" x="{x}" y="{y + 27}">{escape(town.name)}</text>'


# Armies.


def _shields(seen: SeenMap) -> str:
    """A symbol with the arms of each kingdom that has an army on the map."""
    bearers = {army.realm.id: army.realm for army in seen.armies}
    return "".join(
        f'<symbol id="{_shield(realm)}" viewBox="0 0 100 116">{arms(realm.arms, "onmap")}</symbol>'
        for realm in bearers.values()
    )


def _shield(realm: RealmOnMap) -> str:
    return f"k{str(realm.id)[-8:]}"


def _counters(seen: SeenMap, look: MapLook) -> Iterator[str]:
    towns = {town.at for town in seen.towns}
    for at, armies in group_by_hex(seen.armies).items():
        here = sorted(armies, key=lambda army: look.army is None or army.id != look.army.id)
        for army, (x, y) in zip(here, _around(spot(at), len(here), beside=at in towns), strict=False):
            yield _counter(army, x, y, look)
        if len(here) > CROWD:
            yield _crowd(at, len(here) - CROWD, look)


def _around(middle: Spot, count: int, *, beside: bool) -> list[Spot]:
    """Positions of a hex's armies: one stands above the middle, several in a row. Beside a town they have the right
    half.
    """
    x, y = middle
    across = {1: (0,), 2: (-11, 11)}.get(count, (-15, 0, 15))
    if beside:
        across = {1: (12,), 2: (4, 18)}.get(count, (0, 9, 18))
    return [(x + east, y - 8) for east in across]


def _counter(army: ArmyOnMap, x: int, y: int, look: MapLook) -> str:
    picked = look.army is not None and look.army.id == army.id
    state = " last-seen" if army.last_seen is not None else " broken" if army.broken else ""
    current = ' aria-current="true"' if picked else ""
    return (
        f'<a class="counter {army.realm.side}{state}{" picked" if picked else ""}"{current}'
        f' href="?{escape(look.kept)}army={army.short}" transform="translate({x} {y})">'
        f"<title>{escape(army_label(army))}</title>"
        f'<circle class="halo" r="17"/><use href="#{_shield(army.realm)}" x="-10" y="-14" width="20" height="23"/>'
        f'<text y="16">{escape(_initials(army))}{_sign(army)}</text></a>'
    )


def _crowd(at: Hex, more: int, look: MapLook) -> str:
    x, y = spot(at)
    words = ngettext("{more} more army on {hex}", "{more} more armies on {hex}", more)
    words = escape(words.format(more=more, hex=label_of(at)))
    return (
        f'<a class="crowd" href="?{escape(look.query)}hex={label_of(at)}" transform="translate({x + 20} {y + 12})">'
        f'<title>{words}</title><circle class="halo" r="10"/><text y="4">+{more}</text></a>'
    )


def army_rows(seen: SeenMap, look: MapLook) -> SafeString:
    """Table rows of the armies: name, kingdom, hex, state."""
    names = {realm.id: escape(realm.name) for realm in seen.realms.values()}
    start = f'<tr><td><a href="?{escape(look.kept)}army='
    return mark_safe("".join(
        f"{start}{army.short}\">{escape(army.name)}</a></td><td>{names[army.realm.id]}</td>"
        f"<td>{army.hex}</td><td>{escape(army.state)}</td></tr>"
        for army in seen.armies
    ))  # fmt: skip


def army_label(army: ArmyOnMap) -> str:
    """An army in one line: name, kingdom, hex, state."""
    return ", ".join(filter(None, (army.name, army.realm.name, army.hex, army.state)))


def _initials(army: ArmyOnMap) -> str:
    """Two or three letters of its name."""
    words = [word for word in army.name.split() if word[0].isalnum()] or [army.name]
    return "".join(word[0] for word in words[:3]) if len(words) > 1 else words[0][:2]


def _sign(army: ArmyOnMap) -> str:
    """The sign of its state, set apart from the letters: an “!” reads as an “l” behind them."""
    return f'<tspan dx="2">{army.sign}</tspan>' if army.sign else ""
