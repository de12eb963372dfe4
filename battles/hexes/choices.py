"""SVG layers of a board that depend on the reader's picks: the possible choices, and the chosen ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from battles.hexes.ground_layer import PLATES, hexes_of, percent, spot_of
from battles.setup.page import pick_colour
from core.text import render
from kingdom.map import svg
from kingdom.map.svg import spot
from kingdom.templatetags.glyphs import glyph_address
from rules.hexbattle.board import Act, Board, BoardLegal, Counter, Ring, Step, Target
from rules.hexbattle.choosing import WAY, longer_way


class Links(NamedTuple):
    """Relative links for the choices on a board.

    `kept`: the part of the query that every link keeps. `unit`, `target`: short names of the picked ones.
    """

    kept: str = ""
    unit: str = ""
    names: Mapping[str, str] = {}
    """Short names of units in links, by id."""
    to: str = ""
    target: str = ""
    more: tuple[str, ...] = ()
    """Slugs of other picks."""
    beside: tuple[str, ...] = ()
    """Those of them that stay picked whatever is picked next (`Act.beside`)."""

    def of_unit(self, unit: str) -> str:
        return f"?{self.kept}unit={self.names.get(unit, unit)}"

    def of_step(self, label: str) -> str:
        """The link to a hex, or to the path extended by it if the reader lays one."""
        way = next((slug for slug in self.beside if slug.startswith(WAY)), None)
        if way is None:
            return f"?{self.kept}unit={self.unit}&to={label}{_picks(self.beside)}"
        longer = longer_way(way, label)
        told = _picks(tuple(longer if slug == way else slug for slug in self.beside))
        return f"?{self.kept}unit={self.unit}&to={label}{told}"

    def of_target(self, target: Target) -> str:
        """The link to a target; if several can be picked, it adds or removes this one."""
        if target.adds:
            unit = f"&unit={self.unit}" if self.unit else ""
            told = _picks((*target.along, *self._toggled(target.pick)))
            return f"?{self.kept}{f'{unit}{told}'.removeprefix('&')}"
        at = f"&to={target.source}" if target.source else ""
        unit = f"unit={self.unit}" if self.unit else ""
        picks = _picks((*self.beside, *((target.pick,) if target.pick else ())))
        return f"?{self.kept}{unit}{at}&target={self.names.get(target.target, target.target)}{picks}"

    def of_hex(self, label: str) -> str:
        """The link that only looks at a hex."""
        return f"?{self.looking}hex={label}"

    @property
    def looking(self) -> str:
        """The query of a link that only looks at something: what is picked stays picked."""
        named = (("unit", self.unit), ("to", self.to), ("target", self.target))
        picked = "".join(f"{name}={value}&" for name, value in named if value)
        return f"{self.kept}{picked}{''.join(f'pick={slug}&' for slug in self.more)}"

    def of_act(self, act: Act) -> str:
        """The link to an act; if it combines with the other picks, it adds or removes it."""
        unit = f"&unit={self.unit}" if self.unit else ""
        if not act.beside and not act.along:
            beside = tuple(slug for slug in self.beside if not slug.startswith(WAY))  # it doesn't move
            return f"?{self.kept}{f'{unit}{_picks((*beside, act.slug))}'.removeprefix('&')}"
        told = _picks((*act.along, act.slug) if act.along else self._toggled(act.slug, self.more))
        where = "".join(f"&{name}={value}" for name, value in (("to", self.to), ("target", self.target)) if value)
        return f"?{self.kept}{f'{unit}{where}{told}'.removeprefix('&')}"

    def _toggled(self, slug: str, among: tuple[str, ...] | None = None) -> tuple[str, ...]:
        picked = self.beside if among is None else among
        others = tuple(one for one in picked if one != slug)
        return others if slug in picked else (*others, slug)

    def of_pick(self, slug: str) -> str:
        """The link that selects only this item, without the reader's other picks."""
        return f"?{self.kept}pick={slug}"


def _picks(slugs: Sequence[str]) -> str:
    return "".join(f"&pick={slug}" for slug in slugs)


def choices(legal: BoardLegal, links: Links, rings: Sequence[Ring]) -> str:
    """Rings, the reach as an area, and a link on every hex that can be chosen."""
    reach = hexes_of(step.hex for step in legal.steps if step.kind in NEAR and not step.why_not)
    far = hexes_of(step.hex for step in legal.steps if step.kind == "effort" and not step.why_not)
    layers = list(dict.fromkeys(ring.layer for ring in rings))
    parts = [_ring(ring, layers.index(ring.layer)) for ring in rings]
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
DOTTED = ("place", "answer")  # drawn without a cost


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


# The current choice


def over(board: Board, legal: BoardLegal, links: Links, unit: str, target: Target | None) -> str:
    """The picked unit, its way with costs, a ghost at the end, links over occupied hexes, and targets with chances."""
    picked = next((counter for counter in board.counters if counter.unit == unit), None)
    parts = []
    if picked and picked.at:
        x, y = spot_of(picked.at)
        parts.append(f'<use class="picked" href="#p{picked.side % len(PLATES)}" x="{x}" y="{y}"/>')
    if len(legal.way) > 1:
        parts.append(_way(legal))
        if picked:
            x, y = spot_of(legal.way[-1])
            parts.append(
                f'<g class="ghost {pick_colour(picked.side)}" transform="translate({x} {y})">'
                f'<use class="plate" href="#p{picked.side % len(PLATES)}"/>'
                f'<use class="glyph" href="{glyph_address(picked.glyph)}" x="-13" y="-18" width="26" height="26"/></g>'
            )
    parts += _onto(board, legal, links, picked)
    held = {counter.at for counter in board.counters}
    parts += [
        _target(one, links, on=one is target or (one.adds and one.pick in links.more), bare=one.at not in held)
        for one in _one_each(legal.targets, target)
    ]
    held -= {picked.at if picked else "", *(one.at for one in legal.targets if not one.why_not)}
    parts += [_barred(one, links) for one in legal.targets if one.why_not and one.mark and one.at in held]
    return "".join(parts)


def _barred(one: Target, links: Links) -> str:
    """A link over a counter that can't be chosen now: a tap says why, and keeps what is picked."""
    (x, y), words = spot_of(one.at), f"{render(one.name)}, {render(one.why_not or '')}"
    return (
        f'<a class="target" href="{escape(links.of_hex(one.at))}" tabindex="-1" aria-label="{escape(words)}"'
        f' transform="translate({x} {y})" data-hex="{one.at}"><circle class="hit" r="24"/></a>'
    )


def _onto(board: Board, legal: BoardLegal, links: Links, picked: Counter | None) -> Iterator[str]:
    """Links over the counters of hexes that can be entered: a tap goes there, a second one picks the unit there.

    For touch only; the hex below has the same link.
    """
    free = {picked.at if picked else "", links.to, *(target.at for target in legal.targets)}
    taken = {counter.at for counter in board.counters} - free
    for step in legal.steps:
        if step.why_not or step.hex not in taken:
            continue
        x, y = spot_of(step.hex)
        inside = '<circle class="dot" cy="-24" r="4.5"/>'
        if step.kind not in DOTTED:
            inside = (
                f'<g class="cost" transform="translate(0 -26)"><circle r="9.5"/><text y="4.5">{step.cost}</text></g>'
            )
        yield (
            f'<a class="{KINDS.get(step.kind, "go")} onto" href="{escape(links.of_step(step.hex))}" tabindex="-1"'
            f' aria-hidden="true" transform="translate({x} {y})" data-hex="{step.hex}">'
            f'<circle class="hit" r="24"/>{inside}</a>'
        )


def _one_each(targets: Sequence[Target], picked: Target | None) -> list[Target]:
    """One target per unit: the picked way to attack it, else the best one."""
    found: dict[str, Target] = {}
    for one in targets:
        known = found.get(one.target)
        better = known is None or (one.chance or 0) > (known.chance or 0)
        if not one.why_not and (known is None or known is not picked) and (better or one is picked):
            found[one.target] = one
    return list(found.values())


def _way(legal: BoardLegal) -> str:
    points = "L".join("{} {}".format(*spot_of(label)) for label in legal.way)
    marks = []
    for label, cost in list(zip(legal.way, legal.way_costs, strict=False))[1:-1]:
        x, y = spot_of(label)
        marks.append(f'<g class="step" transform="translate({x} {y})"><circle r="10.5"/><text y="5">{cost}</text></g>')
    return f'<path class="way under" d="M{points}"/><path class="way" d="M{points}"/>{"".join(marks)}'


AROUND = "M-25-12A28 28 0 0 1-12-25M12-25A28 28 0 0 1 25-12M25 12A28 28 0 0 1 12 25M-12 25A28 28 0 0 1-25 12"


def _target(one: Target, links: Links, *, on: bool, bare: bool) -> str:
    """A target with its ring. The chosen target has a full ring and an arrow. A bare hex shows a dot until chosen,
    because rings on many hexes would overlap.
    """
    x, y = spot_of(one.at)
    mark = " on" if on else ""
    around = '<circle class="reticle aim" r="4"/>' if bare else f'<path class="reticle" d="{AROUND}"/>'
    ring = '<circle class="reticle on" r="25.5"/>' if on else around
    words = [render(one.label) or render(one.name)]
    chance = ""
    if one.chance is not None:
        told = percent(one.chance)
        words.append(f"{told} {render(one.chance_label)}".strip())
        chance = (
            f'<g class="chance{mark}" transform="translate(0 -26)"><rect x="-21" y="-10" width="42" height="19"'
            f' rx="5"/><text y="4.5">{told}</text></g>'
        )
    elif one.mark:
        chance = (
            f'<g class="price{mark}" transform="translate(15 -19)"><circle r="9.5"/>'
            f'<text y="4.5">{escape(one.mark)}</text></g>'
        )
    blow = _blow(one) if on and one.source else ""
    return (
        f'{blow}<a class="target{mark}" href="{escape(links.of_target(one))}" transform="translate({x} {y})"'
        f' aria-label="{escape(", ".join(words))}" data-hex="{one.at}"{' aria-current="true"' if on else ""}>'
        f'<circle class="hit" r="24"/>{ring}{chance}</a>'
    )


def _blow(one: Target) -> str:
    """The arrow of an attack from its hex to the target, shortened to end between touching counters."""
    (x, y), (east, south) = spot_of(one.source), spot_of(one.at)
    dx, dy = east - x, south - y
    far = max(1.0, (dx * dx + dy * dy) ** 0.5)
    ux, uy = dx / far, dy / far
    start, end = 21, far - 24
    if end - start < 10:
        start = max(14, end - 12)
    (ax, ay), (bx, by) = (x + start * ux, y + start * uy), (x + end * ux, y + end * uy)
    corners = ((bx + 6 * ux, by + 6 * uy), (bx - 4 * ux - 6 * uy, by - 4 * uy + 6 * ux),
               (bx - 4 * ux + 6 * uy, by - 4 * uy - 6 * ux))  # fmt: skip
    tip = "L".join(f"{a:.1f} {b:.1f}" for a, b in corners)
    line = f'<path class="strike" d="M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}"/>'
    return f'{line}<path class="strike-head" d="M{tip}Z"/>'
