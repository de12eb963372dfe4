"""Page object of a board: what one reader sees of a battle on hexes, picked so far, ready to draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from battles.field.look import Look
from battles.hexes import drawing
from battles.hexes.drawing import Links, percent
from battles.hexes.land import Land
from battles.ruleset_ui import FieldAsked
from battles.setup.page import colour_of
from core.text import render
from kingdom.map import svg
from rules.core.text import Said, _, by_number, say
from rules.hexbattle.board import (
    Act,
    Board,
    BoardLegal,
    Cell,
    Counter,
    Picks,
    Piece,
    Ring,
    Step,
    Target,
    picks_of,
)
from rules.hexes.geometry import DIRECTIONS, Hex, label_of
from rules.hexes.terrain import BY_SLUG, HexTerrain
from rules.law import SETUP

WHOLE = "whole"
ZOOMS = (WHOLE, "70", "100", "150")
FITS = 24  # columns and rows that are shown whole
LAYERS_MOST = 3
LISTS = ("able", "own", "enemy", "trouble")
TONES = 5
NOTHING = BoardLegal(commands=())
IN_TROUBLE = ("ne", "se")  # corners of a counter that say so
DIRECTION_NAMES = (_("east"), _("north-east"), _("north-west"), _("west"), _("south-west"), _("south-east"))
TO_ACT = by_number("{count} unit to act", "{count} units to act")


class Layer(NamedTuple):
    """Something that can be laid over the board. `usual`: it is, until somebody takes it away."""

    slug: str
    name: Said
    usual: bool = False


OF_EVERY_BOARD = (
    Layer("coordinates", _("Names of the hexes")),
    Layer("heights", _("Heights")),
    Layer("sight", _("What is seen from the hex")),
    Layer("zones", _("Zones")),
    Layer("losses", _("Where units fell")),
)


class Switch(NamedTuple):
    """A link that changes how the board is shown. `slug` of what it shows."""

    slug: str
    name: Said | str
    href: str
    on: bool


class Slice(NamedTuple):
    """A piece of the bar of outcomes, in thousandths, with its colour."""

    at: int
    wide: int
    tone: int


class Row(NamedTuple):
    """A unit in the list."""

    counter: Counter
    href: str
    picked: bool


class Group(NamedTuple):
    """Units of one wing, or of whatever its law groups them by. `title` is "" for those of none."""

    title: Said | str
    rows: tuple[Row, ...]
    colour: str


class Place(NamedTuple):
    """A hex somebody looks at: facts of its ground, and who stands there."""

    label: str
    terrain: HexTerrain
    height: int
    name: str
    counters: tuple[Row, ...]
    beside: tuple[tuple[Said, str, str], ...]
    """Direction, label and address of each hex beside it."""
    fallen: tuple[str, ...]
    effects: tuple[Said, ...]


@dataclass(frozen=True)
class BoardView:
    """`asked`: of which battle, for whom, looked at how; `board`, `land`: what the law says stands there. `short`: of
    units by id, what addresses call them.
    """

    asked: FieldAsked
    board: Board
    land: Land
    short: Mapping[str, str]
    known: Sequence[Layer]
    """Layers of the law's own."""

    # what is picked

    @property
    def live(self) -> bool:
        """Whether something can be chosen here at all."""
        return self.asked.legal is not None

    @property
    def legal(self) -> BoardLegal:
        return self.asked.legal if isinstance(self.asked.legal, BoardLegal) else NOTHING

    @property
    def look(self) -> Look:
        return self.asked.look

    @cached_property
    def picks(self) -> Picks:
        """What stands of what was picked."""
        return picks_of(self.legal.picked)

    @cached_property
    def counters(self) -> Mapping[str, Counter]:
        return {counter.unit: counter for counter in self.board.counters}

    @cached_property
    def unit(self) -> Counter | None:
        """The unit whose card is shown: the one picked, or one that is only looked at."""
        return self.counters.get(self.picks.unit) or self.counters.get(self.asked.look.unit)

    @cached_property
    def target(self) -> Target | None:
        wanted = self.picks.target
        found = [one for one in self.legal.targets if wanted and wanted in (one.target, one.at)]
        return next((one for one in found if one.source in ("", self.picks.to)), found[0] if found else None)

    @cached_property
    def place(self) -> Place | None:
        """The hex picked for its facts."""
        at = self.land.at(self.look.hex) if self.look.hex else None
        return self._place(at) if at is not None else None

    def _place(self, at: Hex) -> Place:
        label = label_of(at)
        slug = self.board.overlays.get(label)
        terrain = BY_SLUG[self.land.map.kind][slug] if slug else self.land.map.at(at)
        around = (Hex(at.q + east, at.r + south) for east, south in DIRECTIONS)
        beside = tuple(
            (name, label_of(one), self.links.of_hex(label_of(one)))
            for name, one in zip(DIRECTION_NAMES, around, strict=True)
            if one in self.land.map
        )
        return Place(
            label,
            terrain,
            self.land.map.height(at),
            self.land.map.labels.get(at, ""),
            tuple(self._row(counter) for counter in self.board.counters if counter.at == label),
            beside,
            tuple(name for where, name in self.board.losses if where == label),
            tuple(effect.label for effect in self.board.effects if effect.hex == label),
        )

    # addresses

    @cached_property
    def kept(self) -> Mapping[str, str]:
        """What every address keeps."""
        eyes = {"as": str(self.look.side)} if self.look.side is not None else {}
        doing = {"do": self.look.doing} if self.look.doing == BRUSH else {}
        rail = {"rail": self.look.rail} if self.look.rail else {}
        return eyes | doing | rail | dict(self.look.kept)

    @cached_property
    def links(self) -> Links:
        query = urlencode(self.kept)
        unit = self.short.get(self.picks.unit, "") if self.picks.unit else ""
        return Links(f"{query}&" if query else "", unit, self.short)

    def _with(self, **kept: str) -> str:
        """This page with something of the look changed."""
        told = {**self.look.kept, **kept}
        return replace(self.look, kept=told).query() or "?"

    @property
    def clear(self) -> str:
        """With nothing picked."""
        return self.look.unpicked.query() or "?"

    # the drawing

    @property
    def sides(self) -> tuple[int, int]:
        return svg.sides_of(self.land.map)

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
        """In pixels, where it is not fitted to the room there is."""
        share = 100 if self.zoom == WHOLE else int(self.zoom)
        return tuple(side * share // 100 for side in self.sides)  # type: ignore[return-value]

    @property
    def zooms(self) -> list[Switch]:
        names = {WHOLE: _("Whole")}
        return [
            Switch(zoom, names.get(zoom, f"{zoom}\N{NO-BREAK SPACE}%"), self._with(zoom=zoom), zoom == self.zoom)
            for zoom in ZOOMS
        ]

    @cached_property
    def layers_known(self) -> tuple[Layer, ...]:
        """Those that can be switched: of every board, of the law, and of what the unit picked brings along."""
        own = {layer.slug: layer for layer in (*OF_EVERY_BOARD, *self.known)}
        for ring in self.legal.rings:
            own.setdefault(ring.layer, Layer(ring.layer, ring.label, usual=True))
        return tuple(own.values())

    @cached_property
    def layers(self) -> tuple[str, ...]:
        """Those that are on, at most three: as they are asked for, else the usual ones."""
        asked = self.look.kept.get("layers")
        if asked is None:
            return tuple(layer.slug for layer in self.layers_known if layer.usual)[:LAYERS_MOST]
        slugs = [layer.slug for layer in self.layers_known]
        return tuple(slug for slug in dict.fromkeys(asked.split(".")) if slug in slugs)[:LAYERS_MOST]

    @property
    def layer_switches(self) -> list[Switch]:
        """Of a fourth layer the first one goes."""
        found = []
        for layer in self.layers_known:
            on = layer.slug in self.layers
            others = [slug for slug in self.layers if slug != layer.slug]
            wanted = others if on else [*others, layer.slug][-LAYERS_MOST:]
            found.append(Switch(layer.slug, layer.name, self._with(layers=".".join(wanted) or "none"), on))
        return found

    @property
    def ground_id(self) -> str:
        """Names the drawing of the ground: what bears the same name looks the same."""
        flags = "".join(slug[0] for slug in ("coordinates", "heights") if slug in self.layers)
        return f"ground-{self.land.version}{'-' if flags else ''}{flags}{'' if self.live else '-still'}"

    @property
    def ground(self) -> SafeString:
        drawn = drawing.ground(self.land, self.live, "coordinates" in self.layers, "heights" in self.layers)
        return mark_safe(drawing.linked_with(drawn, self.links.kept) if self.live else drawn)

    @property
    def choices(self) -> SafeString:
        return mark_safe(drawing.choices(self.legal, self.links, self.rings))

    @cached_property
    def tokens(self) -> SafeString:
        links = self.links if self.live else None
        return mark_safe(drawing.tokens(self.board, self.side_names, links, self.layers))

    @property
    def over(self) -> SafeString:
        chosen = (self.unit.unit if self.unit else "", self.picks.to, self.target.target if self.target else "")
        return mark_safe(drawing.over(self.board, self.legal, self.links, chosen))

    @cached_property
    def rings(self) -> tuple[Ring, ...]:
        """Those of layers that are on; sight over the ground alone where the law says nothing of it."""
        on = tuple(ring for ring in self.legal.rings if ring.layer in self.layers)
        if "sight" not in self.layers or any(ring.layer == "sight" for ring in on):
            return on
        at = self._eyes
        if not at:
            return on
        return (*on, Ring("sight", _("What is seen from the hex"), drawing.in_sight(self.land, at)))

    @property
    def _eyes(self) -> str:
        """The hex one looks from."""
        if self.place:
            return self.place.label
        return self.picks.to or (self.unit.at if self.unit else "")

    @property
    def start(self) -> tuple[int, int]:
        """Where a map that is scrolled opens: on what is picked, else on the reader's units that can act."""
        at = self.look.hex if self.place else self._eyes
        if not at:
            able = [self.counters[unit].at for unit in self.legal.able if unit in self.counters]
            at = next((label for label in able if label), "")
        at = at or label_of(svg_middle(self.land))
        return drawing.tenths(self.land, at)

    @property
    def kinds(self) -> dict[str, str]:
        """What kinds of ground are called, by their ids in the drawing, for scripts."""
        return svg.names_of_kinds(self.land.map.kind)

    @property
    def legend(self) -> list[HexTerrain]:
        return svg.kinds_on(self.land.map, None)

    @property
    def legend_ids(self) -> Mapping[str, str]:
        return svg.ids_of(self.land.map.kind)

    @property
    def large(self) -> bool:
        """Whether it has a small map beside it."""
        return max(self.land.map.columns, self.land.map.rows) > FITS

    @property
    def small_map(self) -> SafeString:
        return mark_safe(drawing.small_map(self.board, self.land, self.links, self.picture))

    @property
    def picture(self) -> str:
        return reverse("battles:ground", args=[self.asked.battle.pk, self.land.version])

    # words

    @cached_property
    def side_names(self) -> tuple[str, ...]:
        return tuple(side.name for side in self.asked.summary.sides)

    @property
    def setting_up(self) -> bool:
        return bool(self.asked.summary.status == SETUP)

    @property
    def placing(self) -> bool:
        """Whether a tap on a hex places the unit that is picked."""
        return any(step.kind == "place" for step in self.legal.steps)

    @cached_property
    def own_sides(self) -> frozenset[int]:
        """Sides of which the reader commands anything."""
        viewer = self.asked.viewer
        return frozenset(counter.side for counter in self.board.counters if viewer.commands(counter.army))

    def colour(self, side: int) -> str:
        return colour_of(side)

    # the list of units

    def _row(self, counter: Counter) -> Row:
        return Row(counter, self.links.of_unit(counter.unit), self.unit is not None and self.unit.unit == counter.unit)

    @property
    def list(self) -> str:
        asked = self.look.kept.get("list", "")
        if asked in LISTS:
            return asked
        return "able" if self.legal.able else "own" if self.own_sides else "enemy"

    @cached_property
    def lists(self) -> list[tuple[Switch, int]]:
        """What can be listed, with how many units each has."""
        names = {"able": _("To act"), "own": _("Mine"), "enemy": _("Others"), "trouble": _("In trouble")}
        if not self.own_sides:
            names["enemy"] = _("All units")
        found = [(slug, len(self._listed(slug))) for slug in LISTS]
        return [
            (Switch(slug, names[slug], self._with(list=slug, find=""), slug == self.list), count)
            for slug, count in found
            if count or slug == self.list
        ]

    def _listed(self, slug: str) -> list[Counter]:
        able = set(self.legal.able)
        match slug:
            case "able":
                order = {unit: place for place, unit in enumerate(self.legal.able)}
                return sorted((c for c in self.board.counters if c.unit in able), key=lambda c: order[c.unit])
            case "own":
                own = [c for c in self.board.counters if c.side in self.own_sides]
                return sorted(own, key=lambda counter: counter.unit not in able)
            case "enemy":
                return [c for c in self.board.counters if c.side not in self.own_sides]
        return [c for c in self.board.counters if any(badge.corner in IN_TROUBLE for badge in c.badges)]

    @cached_property
    def groups(self) -> list[Group]:
        found = self._sought() if self.find else self._listed(self.list)
        titles = {cell.id: cell.title for cell in self.cells}
        by_group: dict[tuple[str, int], list[Counter]] = {}
        for counter in found:
            by_group.setdefault((counter.group, counter.side), []).append(counter)
        return [
            Group(titles.get(group) or self.side_names[side], tuple(map(self._row, counters)), colour_of(side))
            for (group, side), counters in by_group.items()
        ]

    @property
    def find(self) -> str:
        return self.look.kept.get("find", "")

    def _sought(self) -> list[Counter]:
        """Units whose tag, hex or name begins as what is looked for does."""
        wanted = self.find.casefold().strip()
        exact = [c for c in self.board.counters if wanted in (c.tag.casefold(), c.at.casefold())]
        return exact or [c for c in self.board.counters if wanted in render(c.name).casefold()]

    @property
    def trays(self) -> list[Group]:
        """In setup: the reader's units by group, those that still wait for a place first."""
        by_group: dict[str, list[Counter]] = {}
        for counter in self.board.counters:
            if counter.side in self.own_sides:
                by_group.setdefault(counter.group, []).append(counter)
        titles = {cell.id: cell.title for cell in self.cells}
        return [
            Group(titles.get(group, ""), tuple(map(self._row, counters)), colour_of(counters[0].side))
            for group, counters in by_group.items()
        ]

    @property
    def waiting(self) -> int:
        """How many of the reader's units have no place yet."""
        return sum(not counter.at for counter in self.board.counters if counter.side in self.own_sides)

    @property
    def next(self) -> Row | None:
        return self._beside(1)

    @property
    def previous(self) -> Row | None:
        return self._beside(-1)

    def _beside(self, step: int) -> Row | None:
        """The next of those that can act, around from the one picked."""
        able = [unit for unit in self.legal.able if unit in self.counters]
        if not able:
            return None
        if self.picks.unit not in able:
            return self._row(self.counters[able[0 if step > 0 else -1]])
        if len(able) == 1:
            return None
        return self._row(self.counters[able[(able.index(self.picks.unit) + step) % len(able)]])

    @property
    def able_words(self) -> Said:
        return say(TO_ACT, count=len(self.legal.able))

    # the clock

    @property
    def cells(self) -> tuple[Cell, ...]:
        return self.board.clock.cells if self.board.clock else ()

    def cells_of(self, side: int) -> list[Cell]:
        return [cell for cell in self.cells if cell.side == side]

    @property
    def slim(self) -> bool:
        return len(self.cells) > 8

    # what the unit can do

    @property
    def acts(self) -> tuple[Act, ...]:
        return self.legal.acts

    @property
    def targets(self) -> list[tuple[Target, str, bool]]:
        """With the address that picks it, and whether it is picked."""
        return [(one, self.links.of_target(one), one is self.target) for one in self.legal.targets]

    @property
    def scale(self) -> list[tuple[Said, int]]:
        """What the colours of the bars mean, where all of them say the same."""
        longest = max((one.outcomes for one in self.legal.targets), key=len, default=())
        return [(piece.label, tone_of(piece, number, len(longest))) for number, piece in enumerate(longest)]

    def act_href(self, act: Act) -> str:
        return self.links.of_act(act.slug)

    def act_on(self, act: Act) -> bool:
        return act.slug in self.picks.more

    # tables

    @property
    def in_tables(self) -> bool:
        return self.look.kept.get("tables") == "1"

    @property
    def tables(self) -> str:
        return self._with(tables="" if self.in_tables else "1")

    @property
    def steps(self) -> list[tuple[Step, str, Said]]:
        """Hexes the unit can reach, with address and ground, the cheapest first."""
        steps = sorted(self.legal.steps, key=lambda step: (step.why_not is not None, step.cost))
        return [(step, self.links.of_step(step.hex), self._ground(step.hex)) for step in steps]

    def _ground(self, label: str) -> Said:
        at = self.land.at(label)
        assert at is not None
        return self.land.map.at(at).name

    @property
    def in_letters(self) -> list[tuple[int, str]]:
        return list(enumerate(self.land.map.terrain, 1))

    # for templates

    @property
    def companions(self) -> list[Row]:
        """All that stand in the hex of the unit that is picked, where there are several."""
        if self.unit is None or not self.unit.at:
            return []
        rows = [self._row(counter) for counter in self.board.counters if counter.at == self.unit.at]
        return rows if len(rows) > 1 else []

    def inside(self, counter: Counter) -> SafeString:
        return mark_safe(drawing.counter_parts(counter))

    def drawn_counter(self, counter: Counter) -> SafeString:
        acted = " acted" if counter.done and not counter.can_act else ""
        return mark_safe(
            f'<svg class="mini-tok {colour_of(counter.side)}{acted}" viewBox="-25 -27 50 52" aria-hidden="true">'
            f"{drawing.counter_parts(counter)}</svg>"
        )

    def percent(self, chance: Fraction) -> str:
        return percent(chance)

    def slices(self, pieces: Sequence[Piece]) -> list[Slice]:
        return slices(pieces)

    def told(self, pieces: Sequence[Piece]) -> str:
        return in_words(pieces)

    @property
    def expected(self) -> Said:
        """What the reader does next, in a sentence."""
        if not self.live or not (self.legal.able or self.picks.unit):
            return self.asked.summary.stage.label
        if not self.picks.unit:
            return _("Choose a unit")
        if self.placing:
            return _("Tap a hex with a dot")
        if self.legal.steps and self.legal.targets:
            return _("Tap a hex or an enemy")
        if self.legal.steps:
            return _("Tap a hex")
        return _("Choose an action") if self.legal.targets or self.legal.acts else _("It can do nothing now")

    # for scripts and screen readers

    @property
    def spoken(self) -> str:
        """What was chosen, in a line."""
        if self.legal.confirm:
            return render(self.legal.confirm.title)
        if self.unit:
            return drawing.told(self.unit, self.side_names)
        return self.place.label if self.place else ""


BRUSH = "brush"


def svg_middle(land: Land) -> Hex:
    return Hex(land.map.columns // 2 - (land.map.rows // 2) // 2, land.map.rows // 2)


def slices(pieces: Sequence[Piece]) -> list[Slice]:
    """A bar of outcomes, as wide as they are likely."""
    found, at = [], 0
    for number, piece in enumerate(pieces):
        wide = round(1000 * piece.chance)
        if wide:
            found.append(Slice(at, wide, tone_of(piece, number, len(pieces))))
        at += wide
    return found


def tone_of(piece: Piece, number: int, count: int) -> int:
    if piece.tone is not None:
        return piece.tone
    return 1 + (number * (TONES - 1)) // max(1, count - 1)


def in_words(pieces: Sequence[Piece]) -> str:
    return ", ".join(f"{percent(piece.chance)} {render(piece.label)}" for piece in pieces if piece.chance)


def short_names(units: Sequence[str]) -> dict[str, str]:
    """What addresses call these units: the end of their ids, where no other unit's is the same."""
    ends: dict[str, int] = {}
    for unit in units:
        end = unit.rpartition(":")[2]
        ends[end] = ends.get(end, 0) + 1
    return {unit: end if ends[end := unit.rpartition(":")[2]] == 1 else unit for unit in units}


def ids_of(board: Board) -> dict[str, str]:
    """Units by what addresses call them."""
    short = short_names([counter.unit for counter in board.counters])
    return {end: unit for unit, end in short.items()}


