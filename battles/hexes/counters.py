"""SVG layer of a board with everything on its hexes, and the small map of a large board."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from html import escape

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from battles.hexes.choices import Links
from battles.hexes.ground_layer import BADGES, PLATES, Land, at_label, hexes_of, spot_of
from battles.setup.page import pick_colour
from core.text import render
from kingdom.map import svg
from kingdom.map.svg import Spot
from kingdom.templatetags.glyphs import glyph_address
from rules.core.text import by_number, say
from rules.hexbattle.board import Badge, Board, Counter, Effect
from rules.hexes.geometry import column_letters

# SVG layer of a board with everything on its hexes: counters, zones, effects, losses, the last action.

TURNS_LEFT = by_number("{count} turn left", "{count} turns left")
BESIDE = 7  # offset of each counter further behind
PILE = 3  # counters drawn per hex
CORNERS: Mapping[str, Spot] = {"nw": (-17, -17), "ne": (17, -17), "se": (17, 13), "sw": (-17, 13)}


def tokens(board: Board, sides: Sequence[str], links: Links | None, layers: Collection[str] = ()) -> str:
    """Everything on the hexes. Without `links` nothing can be clicked."""
    parts = [
        *_zones(board, "zones" in layers),
        *(_overlay(label, slug) for label, slug in board.overlays.items()),
        *(_effect(effect, links) for effect in board.effects if not effect.unit),
        *_losses(board if board.losses_about or "losses" in layers else None, links),
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
    """The counters of a hex: units that can act in front, characters behind; beyond `PILE` only their number."""
    ordered = sorted(pile, key=lambda counter: (not counter.can_act, counter.character))
    shown, more = ordered[:PILE], len(ordered) - PILE
    drawn = [_token(counter, depth, sides, links) for depth, counter in reversed(list(enumerate(shown)))]
    if more > 0:
        x, y = spot_of(label)
        drawn.append(
            f'<g class="pile" transform="translate({x + 17} {y - 17})"><circle r="8"/><text y="4">+{more}</text></g>'
        )
    return "".join(drawn)


def classes_of(counter: Counter) -> str:
    states = (("acted", counter.done and not counter.can_act), ("may", counter.can_act), ("char", counter.character))
    return f"tok {pick_colour(counter.side)}" + "".join(f" {name}" for name, is_so in states if is_so)


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
    """The plate, glyph, foot and badges of a counter, centred on its hex."""
    plate = f'<use class="plate" href="#p{counter.side % len(PLATES)}"/>'
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
    """Stands as dots, or as a number if there are many."""
    if most > 6:
        return f'<rect class="tag" x="-13" y="5.5" width="26" height="14" rx="7"/><text y="16.8">{left}/{most}</text>'
    wide = 8 * most + 4
    dots = "".join(
        f'<rect class="pip{"" if number < left else " gone"}" x="{8 * number - 4 * most + 1}" y="9" width="6"'
        ' height="7" rx="1.5"/>'
        for number in range(most)
    )
    return f'<rect class="tag" x="{-wide // 2}" y="5.5" width="{wide}" height="14" rx="5"/>{dots}'


def _badge(badge: Badge) -> str:
    x, y = CORNERS.get(badge.corner, CORNERS["ne"])
    if badge.mark:
        plate = f'<circle class="b-star" cx="{x}" cy="{y}" r="8"/>'
        return f'{plate}<text class="onbadge" x="{x}" y="{y + 4}">{escape(badge.mark)}</text>'
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
    """The setup zones; a zone whose units are hidden is hatched and labelled."""
    hidden = {one.side: one.label for one in board.hidden}
    for side, labels in enumerate(board.zones):
        hexes = hexes_of(labels)
        if not hexes or not (asked or board.hidden or any(not counter.at for counter in board.counters)):
            continue
        if side in hidden:
            yield f'<path class="enemy-zone" fill-rule="evenodd" d="{svg.border(hexes)}"/>'
        yield f'<path class="zone {pick_colour(side)}" d="{svg.border(hexes)}"/>'
        if side in hidden:
            x, y = svg.middle(hexes)
            words = render(hidden[side])
            half = 4 * len(words) + 14
            yield (
                f'<g class="veil {pick_colour(side)}" transform="translate({x} {y})"><rect x="{-half}" y="-17"'
                f' width="{2 * half}" height="34" rx="17"/><text y="5">{escape(words)}</text></g>'
            )


def _overlay(label: str, slug: str) -> str:
    """Temporary terrain over the painted terrain."""
    x, y = spot_of(label)
    way, drawn = svg.GLYPHS_OF_BATTLE.get(slug, ("", ""))
    glyph = f'<path class="glyph {way}" d="{drawn}"/>' if drawn else ""
    return (
        f'<g class="{svg.PREFIX_OF_BATTLE}-{escape(slug)}" transform="translate({x} {y})">'
        f'<path class="hex" d="{svg.OUTLINE}"/>{glyph}</g>'
    )


def _linked(label: str, links: Links | None) -> tuple[str, str]:
    """The SVG tag and attributes of something on a hex: a link to the hex's card if links are wanted."""
    return ("a", f' href="{escape(links.of_hex(label))}" tabindex="-1"') if links else ("g", ' role="img"')


def effect_words(effect: Effect) -> str:
    """An effect in a line: its name and the turns left."""
    if effect.left is None:
        return render(effect.label)
    return f"{render(effect.label)}, {render(say(TURNS_LEFT, count=effect.left))}"


def _effect(effect: Effect, links: Links | None) -> str:
    x, y = spot_of(effect.hex)
    tag, link = _linked(effect.hex, links)
    left = ""
    if effect.left is not None:
        left = f'<g class="turns"><circle cx="15" cy="-15" r="8.5"/><text x="15" y="-11">{effect.left}</text></g>'
    drawing = glyph_address(effect.glyph or effect.slug)
    return (
        f'<{tag} class="fx-hex" transform="translate({x} {y})"{link} aria-label="{escape(effect_words(effect))}">'
        f'<use href="#hi"/><use href="{drawing}" x="-11" y="-11" width="22" height="22"/>{left}</{tag}>'
    )


def _losses(board: Board | None, links: Links | None) -> Iterator[str]:
    if board is None:
        return
    fallen: dict[str, list[str]] = defaultdict(list)
    for label, name in board.losses:
        fallen[label].append(render(name))
    for label, names in fallen.items():
        x, y = spot_of(label)
        words = escape(_("Destroyed here: {names}").format(names=", ".join(names)))
        tag, link = _linked(label, links)
        yield (
            f'<{tag} class="grave" transform="translate({x} {y})"{link} aria-label="{words}"><title>{words}</title>'
            f'<use href="{glyph_address("g-grave")}" x="-22" y="2" width="16" height="16"/></{tag}>'
        )


def _last(last: tuple[str, str] | None) -> str:
    """The line of the last action."""
    if last is None or last[0] == last[1]:
        return ""
    (x, y), (east, south) = spot_of(last[0]), spot_of(last[1])
    end = f'<circle class="last-end" cx="{east}" cy="{south}" r="23"/>'
    return f'<path class="last-act" d="M{x} {y}L{east} {south}"/>{end}'


def _engaged(one: str, two: str) -> str:
    (x, y), (east, south) = spot_of(one), spot_of(two)
    return f'<use href="#b-locked" x="{(x + east) / 2:g}" y="{(y + south) / 2:g}"/>'


# Small map of a large board: dots on a picture of its ground, with links to its parts.


def small_map(board: Board, land: Land, links: Links, picture: str) -> str:
    """The small map: a picture of the ground, counters as dots, and links to the parts."""
    wide, high = svg.measure_field(land.map)
    dots = []
    for counter in board.counters:
        if counter.at:
            x, y = spot_of(counter.at)
            acted = " acted" if counter.done else ""
            dots.append(f'<circle class="dot {pick_colour(counter.side)}{acted}" cx="{x}" cy="{y}" r="22"/>')
    return (
        f'<image href="{escape(picture)}" width="{wide}" height="{high}"/>{"".join(dots)}{"".join(_parts(land, links))}'
    )


PARTS = 5


def _parts(land: Land, links: Links) -> Iterator[str]:
    """Links that show the map around the middle of each part."""
    wide, high = svg.measure_field(land.map)
    columns, rows = land.map.columns, land.map.rows
    for down in range(PARTS):
        for across in range(PARTS):
            label = (
                f"{column_letters(columns * (2 * across + 1) // (2 * PARTS))}{rows * (2 * down + 1) // (2 * PARTS) + 1}"
            )
            words = escape(_("The map around {hex}").format(hex=label))
            yield (
                f'<a href="{escape(links.of_hex(label))}" tabindex="-1" aria-label="{words}"><rect class="block"'
                f' x="{wide * across // PARTS}" y="{high * down // PARTS}" width="{wide // PARTS}"'
                f' height="{high // PARTS}"/></a>'
            )
