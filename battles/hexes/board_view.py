"""View of a board: its drawing, its size and its layers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from battles.hexes import choices, counters, ground_layer
from battles.hexes.ground_layer import Land, spot_of
from battles.hexes.picks import LAYERS_MOST, OF_EVERY_BOARD, Layer, LookLink, PickedBoard
from kingdom.map import svg
from rules.core.text import _, in_percent
from rules.hexbattle.board import Ring
from rules.hexes.geometry import at_place, label_of
from rules.hexes.terrain import HexTerrain

WHOLE = "whole"
ZOOMS = (WHOLE, "70", "100", "150")
FITS = 24  # columns and rows that fit on a page


class ShownBoard(PickedBoard):
    """The picked board with its drawing."""

    @property
    def sides(self) -> tuple[int, int]:
        return svg.measure_field(self.land.map)

    @property
    def viewbox(self) -> str:
        return "0 0 {} {}".format(*self.sides)

    @property
    def zoom(self) -> str:
        asked = self.look.kept.get("zoom", "")
        large = max(self.land.map.columns, self.land.map.rows) > FITS
        return asked if asked in ZOOMS else ("70" if large and self.live else WHOLE)

    @property
    def zoomed(self) -> bool:
        return self.zoom != WHOLE

    @property
    def shown_sides(self) -> tuple[int, int]:
        """The width and height of the drawing in pixels, when it isn't fitted to the window."""
        share = 100 if self.zoom == WHOLE else int(self.zoom)
        return tuple(side * share // 100 for side in self.sides)  # type: ignore[return-value]

    @property
    def zooms(self) -> list[LookLink]:
        names = {WHOLE: _("Whole map")}
        return [
            LookLink(zoom, names.get(zoom, in_percent(zoom)), self._with(zoom=zoom), zoom == self.zoom)
            for zoom in ZOOMS
        ]

    @cached_property
    def layers_known(self) -> tuple[Layer, ...]:
        """The layers that can be switched: those of every board, of the law, and of the rings of the picked unit."""
        own = {layer.slug: layer for layer in (*OF_EVERY_BOARD, *self.known)}
        for ring in self.legal.rings:
            own.setdefault(ring.layer, Layer(ring.layer, ring.label, usual=True))
        return tuple(own.values())

    @cached_property
    def layers(self) -> tuple[str, ...]:
        """The layers switched on, at most three: those asked for, else the default ones."""
        asked = self.look.kept.get("layers")
        if asked is None:
            return tuple(layer.slug for layer in self.layers_known if layer.usual)[:LAYERS_MOST]
        slugs = [layer.slug for layer in self.layers_known]
        return tuple(slug for slug in dict.fromkeys(asked.split(".")) if slug in slugs)[:LAYERS_MOST]

    @property
    def layer_switches(self) -> list[LookLink]:
        """The links that switch layers. Switching on a fourth layer switches off the first."""
        found = []
        for layer in self.layers_known:
            on = layer.slug in self.layers
            others = [slug for slug in self.layers if slug != layer.slug]
            wanted = others if on else [*others, layer.slug][-LAYERS_MOST:]
            found.append(LookLink(layer.slug, layer.name, self._with(layers=".".join(wanted) or "none"), on))
        return found

    @property
    def ground_id(self) -> str:
        """The id of the ground's drawing; equal ids mean equal drawings."""
        flags = "".join(slug[0] for slug in ("coordinates", "heights") if slug in self.layers)
        return f"ground-{self.land.version}{'-' if flags else ''}{flags}{'' if self.live else '-still'}"

    @property
    def ground(self) -> SafeString:
        drawn = ground_layer.ground(self.land, self.live, "coordinates" in self.layers, "heights" in self.layers)
        return mark_safe(ground_layer.linked_with(drawn, self.links.looking) if self.live else drawn)

    @property
    def choices(self) -> SafeString:
        return mark_safe(choices.choices(self.legal, self.links, self.rings))

    @cached_property
    def tokens(self) -> SafeString:
        links = self.links if self.live else None
        return mark_safe(counters.tokens(self.board, self.side_names, links, self.layers))

    @property
    def over(self) -> SafeString:
        unit = self.unit.unit if self.unit else ""
        return mark_safe(choices.over(self.board, self.legal, self.links, unit, self.target))

    @cached_property
    def rings(self) -> tuple[Ring, ...]:
        """The rings of the layers switched on. Sight is computed from the ground if the law has no ring for it."""
        on = tuple(ring for ring in self.legal.rings if ring.layer in self.layers)
        if "sight" not in self.layers or any(ring.layer == "sight" for ring in on):
            return on
        at = self._eyes
        if not at:
            return on
        return (*on, Ring("sight", _("Sight from the hex"), ground_layer.in_sight(self.land, at)))

    @property
    def _eyes(self) -> str:
        """The hex that sight is drawn from; "" for none."""
        if self.place:
            return self.place.label
        return self.picks.to or (self.unit.at if self.unit else "")

    @property
    def start(self) -> tuple[int, int]:
        """Where a scrollable map opens: on the pick, else on the reader's units that can act, else on their zone."""
        at = self.look.hex if self.place else self._eyes
        if not at:
            able = [self.counters[unit].at for unit in self.legal.able if unit in self.counters]
            own = [one.at for one in self.board.counters if one.side in self.own_sides] if self.setting_up else []
            at = next((label for label in (*able, *own) if label), "") or self._amid_zone
        at = at or label_of(at_place(self.land.map.columns // 2, self.land.map.rows // 2))
        return tenths(self.land, at)

    @property
    def _amid_zone(self) -> str:
        """The hex in the middle of the reader's setup zone; "" after setup, and where they have none."""
        own = (zone for side, zone in enumerate(self.board.zones) if side in self.own_sides)
        spots = {label: spot_of(label) for label in sorted(next(own, ()))}
        if not spots:
            return ""
        middle = [sum(found) / len(spots) for found in zip(*spots.values(), strict=True)]
        return min(spots, key=lambda label: math.dist(spots[label], middle))

    @property
    def kinds(self) -> dict[str, str]:
        """The names of the kinds of terrain by their ids in the drawing, for scripts."""
        return svg.names_of_kinds(self.land.map.kind)

    @property
    def legend(self) -> list[HexTerrain]:
        return svg.kinds_on(self.land.map, None)

    @property
    def legend_ids(self) -> Mapping[str, str]:
        return svg.ids_of(self.land.map.kind)

    @property
    def large(self) -> bool:
        """Whether the board has a small map beside it."""
        return max(self.land.map.columns, self.land.map.rows) > FITS

    @property
    def small_map(self) -> SafeString:
        return mark_safe(counters.small_map(self.board, self.land, self.links, self.picture))

    @property
    def picture(self) -> str:
        return reverse("battles:ground", args=[self.asked.battle.pk, self.land.version])


def tenths(land: Land, label: str) -> tuple[int, int]:
    """The position of a hex in tenths of the drawing's width and height, for scrolling."""
    x, y = spot_of(label)
    wide, high = svg.measure_field(land.map)
    return min(9, 10 * x // wide), min(9, 10 * y // high)
