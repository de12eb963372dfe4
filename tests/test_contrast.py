"""WCAG 2.2 AA, computed from the style sheets: 4.5:1 for words, 3:1 for the edges of controls and the focus ring."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from kingdom.models.heraldry import COLOURS, METALS

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


PAINTS = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", (CSS / "tokens.css").read_text()))


@pytest.mark.parametrize(("colour", "metal"), [*product(COLOURS, METALS)])
def test_a_charge_stands_out_on_both_halves_of_a_parted_field(colour: str, metal: str) -> None:
    for field, charge in ((colour, metal), (metal, colour)):
        for half in (field, f"{field}-shade"):
            assert contrast(linear(PAINTS[half]), linear(PAINTS[charge])) >= 3


def test_white_on_black_is_21_to_1() -> None:
    assert contrast(linear("#ffffff"), linear("#000000")) == pytest.approx(21)
