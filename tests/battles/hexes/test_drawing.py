"""Drawings of a board: what stands in them for what a law says."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from battles.hexes import choices, counters, ground_layer
from battles.hexes.choices import Links
from battles.hexes.ground_layer import Land, percent
from battles.hexes.page import slices
from battles.hexes.picks import short_names
from kingdom.map import svg
from kingdom.templatetags.glyphs import glyph_address, glyphs
from rules.core.text import verbatim
from rules.hexbattle.board import Badge, Board, BoardLegal, Counter, Effect, OutOfSight, Piece, Ring, Step
from rules.hexes.terrain import OF_BATTLE
from tests.battles.hexes.sample import FORD, ford

LAND = Land("ford", FORD)
SIDES = ("Crown", "Horde")


def test_every_terrain_of_battles_has_a_drawing_and_a_colour():
    assert {*svg.GLYPHS_OF_BATTLE} == {terrain.slug for terrain in OF_BATTLE}

    sheet = Path("static/css/board.css").read_text()
    assert [terrain.slug for terrain in OF_BATTLE if f".g-{terrain.slug}" not in sheet] == []
    assert {*ground_layer.PAINT} == {terrain.slug for terrain in OF_BATTLE}


def test_the_ground_has_a_link_for_each_hex_and_is_kept():
    drawn = ground_layer.ground(LAND, True, False, False)
    assert len(re.findall(r'<a href="\?hex=\w+" tabindex="-1">', drawn)) == FORD.columns * FORD.rows
    assert ground_layer.ground(Land("ford", FORD), True, False, False) is drawn
    assert "<a " not in ground_layer.ground(LAND, False, False, False)
    assert '?zoom=150&amp;hex=A1"' in ground_layer.linked_with(drawn, "zoom=150&")


def test_reach_is_one_area_with_its_costs_and_halts_are_octagons():
    legal = BoardLegal((), steps=(Step("K12", 1), Step("K11", 2, "halt"), Step("J12", 6, "effort")))
    drawn = choices.choices(legal, Links(unit="R2"), ())
    assert drawn.count('class="reach-edge"') == drawn.count('class="far-edge"') == 1
    assert drawn.count('href="#oct"') == 1
    assert 'href="?unit=R2&amp;to=K12" aria-label="K12, 1"' in drawn
    barred = choices.choices(BoardLegal((), steps=(Step("K12", 1, why_not=verbatim("no")),)), Links(), ())
    assert "K12" not in barred


def test_a_hex_where_somebody_stands_is_reached_by_a_tap_on_them_and_the_second_tap_picks_them():
    board = ford()
    other = next(one for one in board.counters if one.at and one.unit != "one:R2")
    legal = BoardLegal((), steps=(Step(other.at, 2), Step("P14", 1)))
    drawn = choices.over(board, legal, Links(unit="R2"), "one:R2", None)
    assert re.findall(r'class="go onto" href="([^"]*)"', drawn) == [f"?unit=R2&amp;to={other.at}"]
    assert "onto" not in choices.over(board, legal, Links(unit="R2", to=other.at), "one:R2", None)
    barred = BoardLegal((), steps=(Step(other.at, 2, why_not=verbatim("no")),))
    assert "onto" not in choices.over(board, barred, Links(unit="R2"), "one:R2", None)


def test_rings_differ_by_their_dashes():
    ring = Ring("sight", verbatim("sight"), frozenset({"C3"}), "+1")
    drawn = choices.choices(BoardLegal(()), Links(), (ring, ring._replace(layer="leash", mark="")))
    assert re.findall(r'class="ring (ring-\d)"', drawn) == ["ring-0", "ring-1"]
    assert drawn.count("+1") == 1


def test_a_counter_says_who_it_is_where_and_how():
    drawn = counters.tokens(ford(), SIDES, Links())
    assert 'aria-label="Riders R2, Crown, K13"' in drawn
    assert 'aria-label="Levy L4, Horde, O6, shaken, has acted"' in drawn
    assert 'class="tok two acted"' in drawn
    assert 'class="tok one may"' in drawn
    assert '<a class="tok' not in counters.tokens(ford(), SIDES, None)


def test_names_are_escaped():
    wild = Counter("u", "a", 0, "<i>&", "C3", "foot", "<b", states=(verbatim("<s>"),))
    hidden = (OutOfSight(0, verbatim("<u>")),)
    board = Board((wild,), (Effect("C4", "g-fire", verbatim("<q>")),), zones=(frozenset({"C3"}),), hidden=hidden)
    drawn = counters.tokens(board, ("<k>",), Links(), ("losses",))
    assert re.findall(r"<(?:i|b|s|u|q|k)>", drawn) == []


def test_more_than_three_of_a_hex_are_a_number():
    pile = tuple(Counter(f"u{n}", "a", 0, f"Foot {n}", "C3", "foot") for n in range(5))
    drawn = counters.tokens(Board(pile), SIDES, Links())
    assert drawn.count('class="tok one"') == 3
    assert "+2" in drawn


def test_stands_are_pips_and_of_many_a_number():
    few = counters.counter_parts(Counter("u", "a", 0, "Foot", "C3", "foot", pips=(2, 4)))
    assert (few.count('class="pip"'), few.count('class="pip gone"')) == (2, 2)
    assert "7/9" in counters.counter_parts(Counter("u", "a", 0, "Foot", "C3", "foot", pips=(7, 9)))


def with_badge(sign):
    badge = Badge("ne", sign, verbatim(""))
    return counters.counter_parts(Counter("u", "a", 0, "Foot", "C3", "foot", badges=(badge,)))


def test_a_badge_is_one_of_the_boards_or_a_glyph():
    own, other = (with_badge(sign) for sign in ("tired", "g-bell"))
    assert 'href="#b-tired" x="17" y="-17"' in own
    assert "glyphs.svg#g-bell" in other


@pytest.mark.parametrize(
    ("chance", "told"), [((1, 2), "50"), ((1, 1000), "1"), ((999, 1000), "99"), ((0, 1), "0"), ((1, 1), "100")]
)
def test_what_is_not_certain_does_not_read_as_if_it_were(chance, told):
    assert percent(Fraction(*chance)) == f"{told}%"


def test_a_bar_is_as_wide_as_it_is_likely_and_coloured_by_place_or_tone():
    pieces = [Piece("a", verbatim("a"), Fraction(1, 4)), Piece("b", verbatim("b"), Fraction(3, 4))]
    assert [tuple(one) for one in slices(pieces)] == [(0, 250, 1), (250, 750, 5)]
    assert slices([pieces[0]._replace(tone=0, chance=Fraction(1))])[0].tone == 0


def test_units_are_called_by_the_ends_of_their_ids_where_no_other_is():
    assert short_names(["a:1", "a:2", "b:2", "c"]) == {"a:1": "1", "a:2": "a:2", "b:2": "b:2", "c": "c"}


def test_every_glyph_has_an_author_and_unknown_ones_are_a_plain_unit():
    assert glyph_address("riders").endswith("glyphs.svg#riders")
    assert glyph_address("<x>").endswith("glyphs.svg#guard")

    drawn = re.findall(r'<symbol id="([^"]+)"', Path("static/glyphs.svg").read_text())
    assert drawn == [*dict.fromkeys(slug for slug in drawn if slug in glyphs()["glyphs"] or slug in glyphs()["own"])]
    assert {author for _icon, author in glyphs()["glyphs"].values()} == {*glyphs()["authors"]}
