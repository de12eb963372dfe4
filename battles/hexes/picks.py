"""Picks of a reader on a board: unit, hex, target and layers, with links to what can be picked next."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlencode

from battles.field.field_ui import FieldAsked
from battles.field.look import Look
from battles.field.table import BRUSH
from battles.hexes.choices import Links
from battles.hexes.ground_layer import Land
from battles.play.battle_state import get_law
from battles.setup.page import pick_colour
from core.text import render
from rules.core.text import Said, UnitName, _, say
from rules.hexbattle.board import Board, BoardLegal, Counter, Effect, Picks, Target, picks_of
from rules.hexbattle.choosing import own_way
from rules.hexbattle.law import HexBattles
from rules.hexes.geometry import Hex, label_of, neighbours
from rules.hexes.terrain import LAID, HexTerrain
from rules.law import SETUP, Pending

# Layers that can be shown over a board, at most three at once.

LAYERS_MOST = 3


class Layer(NamedTuple):
    """A layer. `usual`: whether it is on by default."""

    slug: str
    name: Said
    usual: bool = False


OF_EVERY_BOARD = (
    Layer("coordinates", _("Hex names")),
    Layer("heights", _("Heights")),
    Layer("sight", _("Sight from the hex")),
    Layer("zones", _("Zones")),
    Layer("losses", _("Destroyed units")),
)


class LookLink(NamedTuple):
    """A link that changes how the board is shown. `slug`: the view option it selects."""

    slug: str
    name: Said | str
    href: str
    on: bool


# Picks of a reader on a board: unit, hex and target, with links to what can be picked next.

NOTHING_HERE = _("{hex} can’t be chosen now. What you have chosen stays.")
NOTHING = BoardLegal(commands=())
DIRECTION_NAMES = (_("east"), _("northeast"), _("northwest"), _("west"), _("southwest"), _("southeast"))


class UnitRow(NamedTuple):
    """A unit in the list."""

    counter: Counter
    href: str
    picked: bool


class LyingRow(NamedTuple):
    """An effect on a hex or unit, with the link to it."""

    effect: Effect
    href: str
    on: Said | str
    colour: str


class HexCard(NamedTuple):
    """The card of a hex: facts of its terrain, and the units on it."""

    label: str
    terrain: HexTerrain
    height: int
    name: str
    counters: tuple[UnitRow, ...]
    beside: tuple[tuple[Said, str, str], ...]
    """The direction, label and link of each adjacent hex."""
    fallen: tuple[UnitName, ...]
    effects: tuple[LyingRow, ...]
    fallen_about: Said
    """What may still happen to those who fell."""


@dataclass(frozen=True)
class PickedBoard:
    """A board with a reader's picks.

    `asked`: the battle, the viewer and the look. `board`, `land`: from the law. `short`: names of units in links, by
    id.
    """

    asked: FieldAsked
    board: Board
    land: Land
    short: Mapping[str, str]
    known: Sequence[Layer]
    """Layers of the law."""
    in_hand: Collection[str] = ()
    """Look members kept only while the reader paints."""
    doubts: Sequence[Said] = ()
    """Warnings about the map, for the GM during setup."""

    @property
    def live(self) -> bool:
        """Whether anything can be chosen on this board."""
        return self.asked.legal is not None

    @property
    def legal(self) -> BoardLegal:
        return self.asked.legal if isinstance(self.asked.legal, BoardLegal) else NOTHING

    @property
    def look(self) -> Look:
        return self.asked.look

    @cached_property
    def picks(self) -> Picks:
        """The valid part of the picks."""
        return picks_of(self.legal.picked)

    @cached_property
    def counters(self) -> Mapping[str, Counter]:
        return {counter.unit: counter for counter in self.board.counters}

    @cached_property
    def unit(self) -> Counter | None:
        """The unit whose card is shown: the picked one, or one only looked at."""
        return self.counters.get(self.picks.unit) or self.counters.get(self.asked.look.unit)

    @cached_property
    def target(self) -> Target | None:
        wanted = self.picks.target
        found = [one for one in self.legal.targets if wanted and wanted in (one.target, one.at)]
        found = [one for one in found if one.pick in self.picks.more] or found
        return next((one for one in found if one.source in ("", self.picks.to)), found[0] if found else None)

    @cached_property
    def place(self) -> HexCard | None:
        """The hex whose card is shown."""
        at = self.land.at(self.look.hex) if self.look.hex else None
        return self._place(at) if at is not None else None

    @cached_property
    def why_not_here(self) -> Said | None:
        """Why the hex that is looked at can't be chosen, while the reader chooses one; None while they don't."""
        hex_, open_ = self.look.hex, [one.at for one in self.legal.targets if not one.why_not]
        ways = [step.hex for step in self.legal.steps if not step.why_not]
        if not hex_ or hex_ in (*open_, *ways):
            return None
        barred = [one.why_not for one in self.legal.targets if one.at == hex_ and one.why_not]
        if barred:
            return barred[0]
        law, why = get_law(self.asked.battle).battle, None
        if ways and self.picks.unit and isinstance(law, HexBattles):
            why = law.why_not(self.asked.state, self.asked.viewer, (self.picks.unit, hex_))
        return why or (say(NOTHING_HERE, hex=hex_) if open_ or ways else None)

    def _place(self, at: Hex) -> HexCard:
        label = label_of(at)
        slug = self.board.overlays.get(label)
        terrain = LAID[slug] if slug else self.land.map.at(at)
        beside = tuple(
            (name, label_of(one), self.links.of_hex(label_of(one)))
            for name, one in zip(DIRECTION_NAMES, neighbours(at), strict=True)
            if one in self.land.map
        )
        return HexCard(
            label,
            terrain,
            self.land.map.height(at),
            self.land.map.labels.get(at, ""),
            tuple(self._row(counter) for counter in self.board.counters if counter.at == label),
            beside,
            tuple(name for where, name in self.board.losses if where == label),
            tuple(self._lying(effect) for effect in self.board.effects if effect.hex == label),
            self.board.losses_about,
        )

    def _lying(self, effect: Effect) -> LyingRow:
        counter = self.counters.get(effect.unit)
        if counter is None:
            return LyingRow(effect, self.links.of_hex(effect.hex), effect.hex, "")
        return LyingRow(
            effect, self.links.of_unit(counter.unit), counter.tag or counter.name, pick_colour(counter.side)
        )

    @property
    def lying(self) -> list[LyingRow]:
        """Active effects, each once per unit, and once for all the hexes it covers."""
        once = {(effect.slug, effect.unit, effect.left): effect for effect in reversed(self.board.effects)}
        return [self._lying(effect) for effect in reversed(list(once.values()))]

    @property
    def graves(self) -> list[tuple[str, str, tuple[UnitName, ...]]]:
        """Hexes with fallen units that can still be raised, with link and names."""
        if not self.board.losses_about:
            return []
        found: dict[str, list[UnitName]] = {}
        for label, name in self.board.losses:
            found.setdefault(label, []).append(name)
        return [(label, self.links.of_hex(label), tuple(names)) for label, names in found.items()]

    @cached_property
    def kept(self) -> Mapping[str, str]:
        """The query members that every link keeps."""
        eyes = {"as": str(self.look.side)} if self.look.side is not None else {}
        doing = {"do": self.look.doing} if self.look.doing == BRUSH else {}
        rail = {"rail": self.look.rail} if self.look.rail else {}
        return eyes | doing | rail | dict(self.look.kept)

    @cached_property
    def links(self) -> Links:
        query = urlencode(self.kept)
        unit = self.short.get(self.picks.unit, "") if self.picks.unit else ""
        picks, beside = self.picks, {act.slug for act in self.legal.acts if act.beside}
        beside |= {one.pick for one in self.legal.targets if one.adds}
        return Links(
            f"{query}&" if query else "", unit, self.short, picks.to, self.short.get(picks.target, picks.target),
            picks.more, tuple(slug for slug in picks.more if slug in beside),
        )  # fmt: skip

    def _with(self, **kept: str) -> str:
        """The link to this page with some members of the look changed."""
        told = {**self.look.kept, **kept}
        return replace(self.look, kept=told).query() or "?"

    @property
    def clear(self) -> str:
        """The link to this page with nothing picked."""
        return self.look.unpicked.query() or "?"

    @property
    def put_down(self) -> str:
        """The link to this page with nothing picked and without the brush."""
        kept = {name: value for name, value in self.look.kept.items() if name not in self.in_hand}
        return replace(self.look.unpicked, doing="", what="", kept=kept).query() or "?"

    @cached_property
    def side_names(self) -> tuple[str, ...]:
        return tuple(side.name for side in self.asked.summary.sides)

    @property
    def setting_up(self) -> bool:
        return bool(self.asked.summary.status == SETUP)

    @property
    def placing(self) -> bool:
        """Whether a tap on a hex places the picked unit."""
        return any(step.kind == "place" for step in self.legal.steps)

    @property
    def laying(self) -> bool:
        """Whether the reader is laying a path hex by hex."""
        return own_way(self.picks.more) is not None

    @property
    def answering(self) -> bool:
        """Whether hexes on the board answer a question."""
        return any(step.kind == "answer" for step in self.legal.steps)

    def aims_at(self, pending: Sequence[Pending]) -> bool:
        """Whether all the questions can be answered by targets on the board."""
        aims = {one.target for one in self.legal.targets if not one.why_not}
        asked = [{slug for slug, _label in one.options} for one in pending]
        return bool(aims) and all(options and options <= aims for options in asked)

    def tag_of(self, target: Target) -> str:
        """The tag of the target, if its name doesn't contain it; units may share a name."""
        counter = self.counters.get(target.target)
        return "" if counter is None or counter.tag in render(counter.name) else counter.tag

    @cached_property
    def own_sides(self) -> frozenset[int]:
        """The sides where the reader commands anything."""
        viewer = self.asked.viewer
        return frozenset(counter.side for counter in self.board.counters if viewer.commands(counter.army))

    def colour(self, side: int) -> str:
        return pick_colour(side)

    def _row(self, counter: Counter) -> UnitRow:
        picked = self.unit is not None and self.unit.unit == counter.unit
        return UnitRow(counter, self.links.of_unit(counter.unit), picked)


def short_names(units: Sequence[str]) -> dict[str, str]:
    """Names of units in links: the end of the id, or the whole id where ends collide."""
    ends: dict[str, int] = {}
    for unit in units:
        end = unit.rpartition(":")[2]
        ends[end] = ends.get(end, 0) + 1
    return {unit: end if ends[end := unit.rpartition(":")[2]] == 1 else unit for unit in units}


def ids_of(board: Board) -> dict[str, str]:
    """The ids of units by their names in links."""
    short = short_names([counter.unit for counter in board.counters])
    return {end: unit for unit, end in short.items()}
