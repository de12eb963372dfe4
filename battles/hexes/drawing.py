"""Drawings of a board: four SVG layers of one view box, joined from short strings, on the grid of `kingdom.map.svg`.

What a terrain, a plate or a badge looks like stands once among the definitions of the ground; a hex, a counter, a
price on a hex is one link with references to them. Reach, rings and zones are one path each, of their outer edges. The
ground is kept by the version of the land. Colours and strokes are in static/css/board.css.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from html import escape
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from battles.hexes.definitions import BADGES, DEFINITIONS
from battles.hexes.land import Land
from battles.setup.page import colour_of
from core.text import render
from kingdom.map import svg
from kingdom.map.svg import HALF, SELF, Spot, spot
from kingdom.templatetags.look import glyph_address
from rules.hexbattle.board import Badge, Board, BoardLegal, Counter, Effect, Ring, Step, Target
from rules.hexes.geometry import Hex, column_letters, hex_at, label_of
from rules.hexes.sight import sees
from rules.hexes.terrain import BY_LETTER

PLATES = 4  # outlines, by side
BESIDE = 5  # how far the one behind stands out
PILE = 3  # counters of one hex that are drawn each
CORNERS: Mapping[str, Spot] = {"nw": (-17, -17), "ne": (17, -17), "se": (17, 13), "sw": (-17, 13)}


@lru_cache(maxsize=4096)
def at_label(label: str) -> Hex:
    return hex_at(label)


@lru_cache(maxsize=4096)
def spot_of(label: str) -> Spot:
    """Where the middle of the hex of this name is drawn."""
    return spot(hex_at(label))


def hexes_of(labels: Iterable[str]) -> frozenset[Hex]:
    return frozenset(at_label(label) for label in labels)


def percent(chance: Fraction) -> str:
    """A chance in hundredths. What is neither certain nor out of the question does not read as if it were."""
    hundredths = round(100 * chance)
    if hundredths in (0, 100) and 0 < chance < 1:
        hundredths = 1 if hundredths == 0 else 99
    return f"{hundredths}\N{NO-BREAK SPACE}%"


# Ground


@lru_cache(maxsize=128)
def ground(land: Land, linked: bool, coordinates: bool, heights: bool) -> str:
    """Everything that lies on the ground, with a link for each hex where it is `linked`."""
    field = land.map
    hexes = svg.hexes(field, None, "") if linked else _hexes_still(land)
    parts = [
        f"<defs>{DEFINITIONS}{svg.definitions(svg.kinds_on(field, None), field.kind)}</defs>",
        f'<g class="hexes" aria-hidden="true">{hexes}</g><g class="over">',
        _line("board-road", _roads(land)),
        _line("river", svg.rivers(field, _everywhere)),
        *(_line(kind, svg.walls(field, kind, _everywhere)) for kind in ("stream", "wall")),
        svg.edges_named(field.columns, field.rows),
        "".join(_labels(land)),
        svg.names_of_hexes(field) if coordinates else "",
        "".join(_heights(land)) if heights else "",
        "</g>",
    ]
    return "".join(parts)


def linked_with(drawn: str, query: str) -> str:
    """The same drawing whose links keep what else is asked for: "zoom=150&" or ""."""
    return drawn.replace(SELF, f"?{escape(query)}{SELF[1:]}") if query else drawn


def _everywhere(_at: Hex) -> bool:
    return True


def _line(kind: str, drawn: str) -> str:
    return f'<path class="{kind}" d="{drawn}"/>' if drawn else ""


def _hexes_still(land: Land) -> str:
    ids = svg.ids_of(land.map.kind)
    rows = []
    for number, row in enumerate(land.map.terrain):
        x, y = spot(Hex(-(number // 2), number))
        cells = "".join(f'<use href="#{ids[letter]}" x="{svg.WIDE * at}"/>' for at, letter in enumerate(row))
        rows.append(f'<g transform="translate({x} {y})">{cells}</g>')
    return "".join(rows)


ROADS = ("road", "bridge")


def _roads(land: Land) -> str:
    """From middle to middle of road hexes that touch, and of every step the map calls a road."""
    on = {at for at in land.map if land.map.at(at).slug in ROADS}
    steps = {(at, one) for at in on for one in land.map.around(at) if one in on and at < one}
    steps |= {(min(step), max(step)) for step in land.map.roads}
    return "".join(f"M{a[0]} {a[1]}L{b[0]} {b[1]}" for a, b in ((spot(one), spot(two)) for one, two in sorted(steps)))


def _labels(land: Land) -> Iterator[str]:
    for at, text in land.map.labels.items():
        x, y = spot(at)
        yield f'<text class="region" x="{x}" y="{y + 24}">{escape(text)}</text>'


def _heights(land: Land) -> Iterator[str]:
    """A line around what is as high or higher, and its number on each hex."""
    high: dict[int, set[Hex]] = defaultdict(set)
    for at in land.map:
        for height in range(1, land.map.height(at) + 1):
            high[height].add(at)
    for height, hexes in sorted(high.items()):
        yield f'<path class="contour" d="{svg.border(frozenset(hexes))}"/>'
        top = sorted(at for at in hexes if land.map.height(at) == height)
        spots = "".join(f'<tspan x="{spot(at)[0] - 16}" y="{spot(at)[1] - 4}">{height}</tspan>' for at in top)
        yield f'<text class="height">{spots}</text>' if spots else ""


@lru_cache(maxsize=32)
def small_picture(land: Land) -> str:
    """The ground as a picture that stands alone, a coloured row for each stretch of one terrain: for the small map."""
    wide, high = svg.sides_of(land.map)
    rows = []
    for number, row in enumerate(land.map.terrain):
        x, y = spot(Hex(-(number // 2), number))
        start = 0
        for place in range(1, len(row) + 1):
            if place < len(row) and row[place] == row[start]:
                continue
            slug = BY_LETTER[land.map.kind][row[start]].slug
            rows.append(
                f'<rect class="{slug}" x="{x - HALF + svg.WIDE * start}" y="{y - 24}"'
                f' width="{svg.WIDE * (place - start)}" height="48"/>'
            )
            start = place
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">'
        f"<style>{PICTURE}</style>{''.join(rows)}</svg>"
    )


PAINT: Mapping[str, tuple[str, str]] = {
    "open": ("#f0e8d1", "#23281f"), "road": ("#d9c492", "#4b4630"), "bridge": ("#a98a55", "#8d7a50"),
    "ford": ("#c3d9dc", "#284453"), "hill": ("#dcc794", "#40381f"), "wood": ("#b4cc90", "#2b4a30"),
    "houses": ("#d3b394", "#57402f"), "thicket": ("#9dbd77", "#244a2c"), "marsh": ("#bccfb9", "#26413f"),
    "rocks": ("#c3baa6", "#45474e"), "sand": ("#ecd595", "#4a4128"), "snow": ("#f7fafa", "#5a656b"),
    "river": ("#9cc0d3", "#1f4262"), "lake": ("#9cc0d3", "#1f4262"), "mountain": ("#b3a892", "#55585f"),
}  # fmt: skip
PICTURE = (
    "".join(f".{slug}{{fill:{light}}}" for slug, (light, _dark) in PAINT.items())
    + "@media(prefers-color-scheme:dark){"
    + "".join(f".{slug}{{fill:{dark}}}" for slug, (_light, dark) in PAINT.items())
    + "}"
)


# What can be chosen


class Links(NamedTuple):
    """Addresses of choices on this page: relative, with what the look keeps. `unit`: short name of the one picked."""

    kept: str = ""
    unit: str = ""
    names: Mapping[str, str] = {}
    """Short names of units in addresses, by id."""

    def of_unit(self, unit: str) -> str:
        return f"?{self.kept}unit={self.names.get(unit, unit)}"

    def of_step(self, label: str) -> str:
        return f"?{self.kept}unit={self.unit}&to={label}"

    def of_target(self, target: Target) -> str:
        at = f"&to={target.source}" if target.source else ""
        unit = f"unit={self.unit}" if self.unit else ""
        return f"?{self.kept}{unit}{at}&target={self.names.get(target.target, target.target)}"

    def of_hex(self, label: str) -> str:
        return f"?{self.kept}{f'unit={self.unit}&' if self.unit else ''}hex={label}"

    def of_act(self, slug: str) -> str:
        return f"?{self.kept}{f'unit={self.unit}&' if self.unit else ''}pick={slug}"


def choices(legal: BoardLegal, links: Links, rings: Sequence[Ring]) -> str:
    """Rings, reach as an area, and a link on every hex that can be chosen."""
    reach = hexes_of(step.hex for step in legal.steps if step.kind in NEAR and not step.why_not)
    far = hexes_of(step.hex for step in legal.steps if step.kind == "effort" and not step.why_not)
    parts = [_ring(ring, number) for number, ring in enumerate(rings)]
    if reach:
        parts.append(f'<path class="reach-fill" fill-rule="evenodd" d="{svg.border(reach)}"/>')
    if far:
        parts.append(f'<path class="far-edge" d="{svg.border(reach | far)}"/>')
    if reach:
        parts.append(f'<path class="reach-edge" d="{svg.border(reach)}"/>')
    parts += [_step(step, links) for step in legal.steps if not step.why_not]
    return "".join(parts)


def _ring(ring: Ring, number: int) -> str:
    hexes = hexes_of(ring.hexes)
    if not hexes:
        return ""
    mark = ""
    if ring.mark:
        x, y = max(map(spot, hexes))
        mark = f'<text class="ring-label" x="{x + 12}" y="{y - 14}">{escape(ring.mark)}</text>'
    return f'<path class="ring ring-{number % 3}" d="{svg.border(hexes)}"/>{mark}'


KINDS = {"reach": "go", "halt": "go halt", "effort": "go far", "place": "go place", "answer": "go answer"}
NEAR = ("reach", "halt", "place", "answer")
DOTTED = ("place", "answer")  # where no cost is told


def _step(step: Step, links: Links) -> str:
    x, y = spot_of(step.hex)
    href = escape(links.of_step(step.hex))
    start = f'<a class="{KINDS.get(step.kind, "go")}" href="{href}" aria-label="'
    if step.kind in DOTTED:
        return f'{start}{step.hex}"><use href="#hx" x="{x}" y="{y}"/><circle cx="{x}" cy="{y}" r="4.5"/></a>'
    octagon = f'<use class="oct" href="#oct" x="{x}" y="{y}"/>' if step.kind == "halt" else ""
    return (
        f'{start}{step.hex}, {step.cost}"><use href="#hx" x="{x}" y="{y}"/>{octagon}'
        f'<text x="{x}" y="{y + 5}">{step.cost}</text></a>'
    )


# Counters


def tokens(board: Board, sides: Sequence[str], links: Links | None, layers: Collection[str] = ()) -> str:
    """What stands and lies on the hexes. Without links nothing can be pressed."""
    parts = [
        *_zones(board, "zones" in layers),
        *(_overlay(label, slug) for label, slug in board.overlays.items()),
        *(_effect(effect) for effect in board.effects),
        *_losses(board if "losses" in layers else None),
        _last(board.last),
    ]
    piles: dict[str, list[Counter]] = defaultdict(list)
    for counter in board.counters:
        if counter.at:
            piles[counter.at].append(counter)
    for label in sorted(piles, key=lambda label: at_label(label)[::-1]):
        parts.append(_pile(label, piles[label], sides, links))
    parts += [_engaged(*pair) for pair in board.engaged]
    return "".join(parts)


def _pile(label: str, pile: list[Counter], sides: Sequence[str], links: Links | None) -> str:
    """The counters of a hex, characters behind; of many the last are a number."""
    ordered = sorted(pile, key=lambda counter: counter.character)
    shown, more = ordered[:PILE], len(ordered) - PILE
    drawn = [
        _token(counter, depth, sides, links) for depth, counter in reversed(list(enumerate(shown)))
    ]
    if more > 0:
        x, y = spot_of(label)
        drawn.append(f'<g class="pile" transform="translate({x + 17} {y - 17})"><circle r="8"/><text y="4">+{more}</text></g>')
    return "".join(drawn)


def classes_of(counter: Counter) -> str:
    states = (("done", counter.done), ("may", counter.can_act), ("char", counter.character))
    pale = "" if counter.can_act or not counter.done else " acted"
    return f"tok {colour_of(counter.side)}{pale}" + "".join(f" {name}" for name, is_so in states[1:] if is_so)


def _token(counter: Counter, depth: int, sides: Sequence[str], links: Links | None) -> str:
    x, y = spot_of(counter.at)
    place = f'transform="translate({x + BESIDE * depth} {y - BESIDE * depth})"'
    inside = counter_parts(counter)
    words = escape(told(counter, sides))
    if links is None:
        return f'<g class="{classes_of(counter)}" {place} role="img" aria-label="{words}">{inside}</g>'
    tab = "" if counter.can_act else ' tabindex="-1"'
    href = escape(links.of_unit(counter.unit))
    return (
        f'<a class="{classes_of(counter)}" href="{href}" {place} aria-label="{words}"'
        f' data-hex="{counter.at}"{tab}>{inside}</a>'
    )


def counter_parts(counter: Counter) -> str:
    """Plate, sign, foot and corners, around the middle of its hex."""
    plate = f'<use class="plate" href="#p{counter.side % PLATES}"/>'
    sign = f'<use class="glyph" href="{glyph_address(counter.glyph)}" x="-12.5" y="-19.5" width="25" height="25"/>'
    return plate + sign + _foot(counter) + "".join(_badge(badge) for badge in counter.badges)


def _foot(counter: Counter) -> str:
    if counter.pips:
        return _pips(*counter.pips)
    if not counter.tag:
        return ""
    half = max(11, 4 * len(counter.tag) + 3)
    stripe = (
        f'<rect class="stripe {escape(counter.stripe)}" x="{-half}" y="17.5" width="{2 * half}" height="4" rx="2"/>'
        if counter.stripe
        else ""
    )
    return (
        f'<rect class="tag" x="{-half}" y="5.5" width="{2 * half}" height="14" rx="7"/>{stripe}'
        f'<text y="16.8">{escape(counter.tag)}</text>'
    )


def _pips(left: int, most: int) -> str:
    """Stands as dots; of many a number."""
    if most > 6:
        return f'<rect class="tag" x="-13" y="5.5" width="26" height="14" rx="7"/><text y="16.8">{left}/{most}</text>'
    wide = 8 * most + 4
    dots = "".join(
        f'<rect class="pip{"" if number < left else " gone"}" x="{8 * number - 4 * most + 1}" y="9" width="6" height="7"'
        ' rx="1.5"/>'
        for number in range(most)
    )
    return f'<rect class="tag" x="{-wide // 2}" y="5.5" width="{wide}" height="14" rx="5"/>{dots}'


def _badge(badge: Badge) -> str:
    x, y = CORNERS.get(badge.corner, CORNERS["ne"])
    if badge.sign in BADGES:
        return f'<use href="#b-{badge.sign}" x="{x}" y="{y}"/>'
    address = glyph_address(badge.sign)
    return (
        f'<circle class="b-sheet" cx="{x}" cy="{y}" r="8"/>'
        f'<use class="b-ink" href="{address}" x="{x - 6}" y="{y - 6}" width="12" height="12"/>'
    )


def told(counter: Counter, sides: Sequence[str]) -> str:
    """A counter in a line: name, side, hex, states."""
    tag = "" if not counter.tag or counter.tag in render(counter.name) else f" {counter.tag}"
    stands = ""
    if counter.pips:
        stands = _("{left} of {most} left").format(left=counter.pips[0], most=counter.pips[1])
    parts = (
        render(counter.name) + tag,
        sides[counter.side] if counter.side < len(sides) else "",
        counter.at or pgettext("a unit", "in reserve"),
        stands,
        *(render(state) for state in counter.states),
        *(render(badge.label) for badge in counter.badges),
        pgettext("a unit", "has acted") if counter.done else "",
    )
    return ", ".join(dict.fromkeys(part for part in parts if part))


def _zones(board: Board, asked: bool) -> Iterator[str]:
    """Where sides set up; over one that does so out of sight a hatching and a word."""
    hidden = {one.side: one.label for one in board.hidden}
    for side, labels in enumerate(board.zones):
        hexes = hexes_of(labels)
        if not hexes or not (asked or board.hidden or any(not counter.at for counter in board.counters)):
            continue
        if side in hidden:
            yield f'<path class="enemy-zone" fill-rule="evenodd" d="{svg.border(hexes)}"/>'
        yield f'<path class="zone {colour_of(side)}" d="{svg.border(hexes)}"/>'
        if side in hidden:
            x, y = svg.middle(hexes)
            words = render(hidden[side])
            half = 4 * len(words) + 14
            yield (
                f'<g class="veil {colour_of(side)}" transform="translate({x} {y})"><rect x="{-half}" y="-17"'
                f' width="{2 * half}" height="34" rx="17"/><text y="5">{escape(words)}</text></g>'
            )


def _overlay(label: str, slug: str) -> str:
    """Terrain of a while over what was painted."""
    x, y = spot_of(label)
    kind = svg.PREFIX_OF_BATTLE
    return (
        f'<g class="{kind}-{escape(slug)} for-now" transform="translate({x} {y})"><path class="hex" d="{svg.OUTLINE}"/>'
        f'<path class="glyph {svg.GLYPHS_OF_BATTLE.get(slug, ("", ""))[0]}" d="{svg.GLYPHS_OF_BATTLE.get(slug, ("", ""))[1]}"/></g>'
    )


def _effect(effect: Effect) -> str:
    x, y = spot_of(effect.hex)
    left = ""
    if effect.left is not None:
        left = f'<g class="turns"><circle cx="15" cy="-15" r="8.5"/><text x="15" y="-11">{effect.left}</text></g>'
    return (
        f'<g class="fx-hex" transform="translate({x} {y})" role="img" aria-label="{escape(render(effect.label))}">'
        f'<use href="#hi"/><use href="{glyph_address(effect.slug)}" x="-11" y="-11" width="22" height="22"/>{left}</g>'
    )


def _losses(board: Board | None) -> Iterator[str]:
    if board is None:
        return
    fallen: dict[str, list[str]] = defaultdict(list)
    for label, name in board.losses:
        fallen[label].append(name)
    for label, names in fallen.items():
        x, y = spot_of(label)
        words = escape(", ".join(names))
        yield (
            f'<g class="grave" transform="translate({x} {y})" role="img" aria-label="{words}"><title>{words}</title>'
            f'<use href="{glyph_address("g-grave")}" x="-22" y="2" width="16" height="16"/></g>'
        )


def _last(last: tuple[str, str] | None) -> str:
    """Where the last act went."""
    if last is None or last[0] == last[1]:
        return ""
    (x, y), (east, south) = spot_of(last[0]), spot_of(last[1])
    return f'<path class="last-act" d="M{x} {y}L{east} {south}"/><circle class="last-end" cx="{east}" cy="{south}" r="23"/>'


def _engaged(one: str, two: str) -> str:
    (x, y), (east, south) = spot_of(one), spot_of(two)
    return f'<use href="#b-locked" x="{(x + east) / 2:g}" y="{(y + south) / 2:g}"/>'


# What was chosen


def over(board: Board, legal: BoardLegal, links: Links, chosen: tuple[str, str, str]) -> str:
    """The unit picked, the way with its running cost, a ghost at its end, targets with their chances."""
    unit, to, target = chosen
    picked = next((counter for counter in board.counters if counter.unit == unit), None)
    parts = []
    if picked and picked.at:
        x, y = spot_of(picked.at)
        parts.append(f'<use class="picked" href="#p{picked.side % PLATES}" x="{x}" y="{y}"/>')
    if len(legal.way) > 1:
        parts.append(_way(legal))
        if picked:
            x, y = spot_of(legal.way[-1])
            parts.append(
                f'<g class="ghost {colour_of(picked.side)}" transform="translate({x} {y})">'
                f'<use class="plate" href="#p{picked.side % PLATES}"/>'
                f'<use class="glyph" href="{glyph_address(picked.glyph)}" x="-13" y="-18" width="26" height="26"/></g>'
            )
    for one in legal.targets:
        if not one.why_not:
            parts.append(_target(one, links, on=one.target == target))
    return "".join(parts)


def _way(legal: BoardLegal) -> str:
    points = "L".join("{} {}".format(*spot_of(label)) for label in legal.way)
    marks = []
    for label, cost in list(zip(legal.way, legal.way_costs, strict=False))[1:-1]:
        x, y = spot_of(label)
        marks.append(f'<g class="step" transform="translate({x} {y})"><circle r="10.5"/><text y="5">{cost}</text></g>')
    return f'<path class="way under" d="M{points}"/><path class="way" d="M{points}"/>{"".join(marks)}'


AROUND = "M-25-12A28 28 0 0 1-12-25M12-25A28 28 0 0 1 25-12M25 12A28 28 0 0 1 12 25M-12 25A28 28 0 0 1-25 12"


def _target(one: Target, links: Links, *, on: bool) -> str:
    """Ringed; chosen it has a whole ring and the blow that comes from where it is struck."""
    x, y = spot_of(one.at)
    mark = " on" if on else ""
    ring = f'<circle class="reticle on" r="25.5"/>' if on else f'<path class="reticle" d="{AROUND}"/>'
    words = [render(one.label) or render(one.name)]
    chance = ""
    if one.chance is not None:
        told = percent(one.chance)
        words.append(f"{told} {render(one.chance_label)}".strip())
        chance = (
            f'<g class="chance{mark}" transform="translate(0 -26)"><rect x="-21" y="-10" width="42" height="19" rx="5"/>'
            f'<text y="4.5">{told}</text></g>'
        )
    blow = _blow(one) if on and one.source else ""
    return (
        f'{blow}<a class="target{mark}" href="{escape(links.of_target(one))}" transform="translate({x} {y})"'
        f' aria-label="{escape(", ".join(words))}" data-hex="{one.at}"{" aria-current=\"true\"" if on else ""}>'
        f'<circle class="hit" r="24"/>{ring}{chance}</a>'
    )


def _blow(one: Target) -> str:
    """An arrow from the hex it comes from to the target, between their counters where they touch."""
    (x, y), (east, south) = spot_of(one.source), spot_of(one.at)
    dx, dy = east - x, south - y
    far = max(1.0, (dx * dx + dy * dy) ** 0.5)
    ux, uy = dx / far, dy / far
    start, end = 21, far - 24
    if end - start < 10:
        start = max(14, end - 12)
    ax, ay, bx, by = x + start * ux, y + start * uy, x + end * ux, y + end * uy
    tip = f"M{bx + 6 * ux:.1f} {by + 6 * uy:.1f}L{bx - 4 * ux - 6 * uy:.1f} {by - 4 * uy + 6 * ux:.1f}L{bx - 4 * ux + 6 * uy:.1f} {by - 4 * uy - 6 * ux:.1f}Z"
    return f'<path class="strike" d="M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}"/><path class="strike-head" d="{tip}"/>'


# Beside the board


@lru_cache(maxsize=256)
def in_sight(land: Land, label: str) -> frozenset[str]:
    """The hexes that are seen from this one over the ground alone."""
    start = at_label(label)
    return frozenset(label_of(at) for at in land.map if at == start or sees(land.map, start, at))


def small_map(board: Board, land: Land, links: Links, picture: str) -> str:
    """The whole map small: its ground a picture with an address of its own, counters as dots, and links to parts."""
    wide, high = svg.sides_of(land.map)
    dots = []
    for counter in board.counters:
        if counter.at:
            x, y = spot_of(counter.at)
            dots.append(f'<circle class="dot {colour_of(counter.side)}{" acted" if counter.done else ""}" cx="{x}" cy="{y}" r="22"/>')
    return (
        f'<image href="{escape(picture)}" width="{wide}" height="{high}"/>{"".join(dots)}{"".join(_parts(land, links))}'
    )


PARTS = 5


def _parts(land: Land, links: Links) -> Iterator[str]:
    """Each part shows the map around its middle."""
    wide, high = svg.sides_of(land.map)
    columns, rows = land.map.columns, land.map.rows
    for down in range(PARTS):
        for across in range(PARTS):
            label = f"{column_letters(columns * (2 * across + 1) // (2 * PARTS))}{rows * (2 * down + 1) // (2 * PARTS) + 1}"
            words = escape(_("The map around {hex}").format(hex=label))
            yield (
                f'<a href="{escape(links.of_hex(label))}" tabindex="-1" aria-label="{words}"><rect class="block"'
                f' x="{wide * across // PARTS}" y="{high * down // PARTS}" width="{wide // PARTS}"'
                f' height="{high // PARTS}"/></a>'
            )


def tenths(land: Land, label: str) -> tuple[int, int]:
    """Where a hex lies, in tenths of the drawing from the left and from the top: where a scrolled map opens."""
    x, y = spot_of(label)
    wide, high = svg.sides_of(land.map)
    return min(9, 10 * x // wide), min(9, 10 * y // high)
