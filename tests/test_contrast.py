"""WCAG 2.2 AA, computed from the style sheets: 4.5:1 for words, 3:1 for the edges of controls and the focus ring."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

CSS = Path(__file__).resolve().parent.parent / "static" / "css"
THEMES = {"light": 0, "dark": 1}
SURFACES = ("paper", "sheet", "raised")
SIDES = ("one", "two", "three", "four", "five", "six")
WORDS = [
    *product(("ink", "soft", "gold", "good", "bad", "warn", *SIDES), SURFACES),  # text on what it lies on
    *((side, f"{side}-wash") for side in SIDES),  # an army's name and marks on its header
    *(("ink", f"{side}-wash") for side in SIDES),
    *(("soft", f"{side}-wash") for side in SIDES),
    *(("sheet", side) for side in SIDES),  # the chosen step of a strategy track, the glyph of a crest
    *((tone, f"{tone}-wash") for tone in ("good", "bad", "warn")),  # badges
    *(("ink", f"{tone}-wash") for tone in ("good", "bad", "warn")),  # messages
    ("paper", "ink"),  # the primary button
    ("sheet", "soft"),  # the crest of an army that is gone
]
EDGES = [*product(("edge", "gold"), SURFACES), ("bad", "raised"), ("gold", "good-wash"), ("gold", "bad-wash")]
Colour = tuple[float, float, float]


def read_tokens() -> dict[str, tuple[str, str]]:
    text = (CSS / "tokens.css").read_text()
    pairs = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", text)
    return {name: (light, dark) for name, light, dark in pairs}


def linear(colour: str) -> Colour:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return red, green, blue


def luminance(colour: Colour) -> float:
    return 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]


def contrast(one: Colour, other: Colour) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def to_oklab(colour: Colour) -> Colour:
    red, green, blue = colour
    cones = (
        (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3),
        (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3),
        (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3),
    )
    return (
        0.2104542553 * cones[0] + 0.7936177850 * cones[1] - 0.0040720468 * cones[2],
        1.9779984951 * cones[0] - 2.4285922050 * cones[1] + 0.4505937099 * cones[2],
        0.0259040371 * cones[0] + 0.7827717662 * cones[1] - 0.8086757660 * cones[2],
    )


def from_oklab(colour: Colour) -> Colour:
    light, a, b = colour
    cones = (
        (light + 0.3963377774 * a + 0.2158037573 * b) ** 3,
        (light - 0.1055613458 * a - 0.0638541728 * b) ** 3,
        (light - 0.0894841775 * a - 1.2914855480 * b) ** 3,
    )
    return (
        4.0767416621 * cones[0] - 3.3077115913 * cones[1] + 0.2309699292 * cones[2],
        -1.2684380046 * cones[0] + 2.6097574011 * cones[1] - 0.3413193965 * cones[2],
        -0.0041960863 * cones[0] - 0.7034186147 * cones[1] + 1.7076147010 * cones[2],
    )


def mixed(one: Colour, share: float, other: Colour) -> Colour:
    """CSS color-mix(in oklab, one share, other)."""
    first, second = to_oklab(one), to_oklab(other)
    red, green, blue = (a * share + b * (1 - share) for a, b in zip(first, second, strict=True))
    return from_oklab((red, green, blue))


TOKENS = read_tokens()


def colour_of(name: str, theme: str) -> Colour:
    return linear(TOKENS[name][THEMES[theme]])


def test_every_colour_of_the_sheet_is_read() -> None:
    declared = re.findall(r"--([\w-]+): light-dark\(#[0-9a-f]{6},", (CSS / "tokens.css").read_text())
    assert set(declared) == set(TOKENS)
    assert {name for pair in (*WORDS, *EDGES) for name in pair} <= set(TOKENS)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("front", "back"), WORDS)
def test_words_stand_out(front: str, back: str, theme: str) -> None:
    assert contrast(colour_of(front, theme), colour_of(back, theme)) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("front", "back"), EDGES)
def test_edges_of_controls_stand_out(front: str, back: str, theme: str) -> None:
    assert contrast(colour_of(front, theme), colour_of(back, theme)) >= 3


@pytest.mark.parametrize("theme", THEMES)
def test_figures_stand_out_on_every_shade_of_the_strategy_table(theme: str) -> None:
    shades = re.findall(
        r"\.(h\d) \{ background: color-mix\(in oklab, var\(--(\w+)\) (\d+)%, var\(--(\w+)\)\)",
        (CSS / "war.css").read_text(),
    )
    assert [shade for shade, *_ in shades] == ["h0", "h1", "h2", "h3", "h4"]
    for shade, tint, share, ground in shades:
        back = mixed(colour_of(tint, theme), int(share) / 100, colour_of(ground, theme))
        assert contrast(colour_of("ink", theme), back) >= 4.5, shade


def test_white_on_black_is_21_to_1() -> None:
    assert contrast(linear("#ffffff"), linear("#000000")) == pytest.approx(21)
