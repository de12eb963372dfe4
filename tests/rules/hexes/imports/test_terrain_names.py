"""Terrain guessed from names in English and French."""

from __future__ import annotations

import pytest

from rules.hexes.imports.azgaar import BIOMES, OWN_NAMES
from rules.hexes.imports.terrain_names import PHRASES, WORDS, fold_name, guess_terrain
from rules.hexes.terrain import BY_SLUG, MapKind

GUESSES = {
    # as Worldographer has them
    "Classic/Flat Farmland": "farmland", "Flat Grazing Land": "plains", "Flat Grassland": "plains",
    "Flat Forest Deciduous Heavy": "forest", "Flat Forest Jungle Heavy": "jungle", "Flat Forest Wetlands": "swamp",
    "Flat Desert Sandy": "desert", "Flat Shrubland": "moor", "Flat Snowfields": "tundra", "Flat Steppe": "plains",
    "Hills": "hills", "Hills Grassy": "hills", "Hills Forest Evergreen": "forest", "Mountains": "mountains",
    "Mountain Snowcapped": "mountains", "Mountains Dead Forest": "mountains", "Mountains Glacier": "glacier",
    "Mountain Volcano Dormant": "peaks", "Water Ocean": "sea", "Water Sea": "sea", "Water Reefs": "sea",
    "Underdark Broken Lands": "badlands", "Classic/Water Ocean (ice)": "glacier", "Flat Swamp": "swamp",
    # tiles and images
    "hexForest_01": "forest", "terrain-grass-3": "plains", "SAND02": "desert", "water": "lake", "tree": "forest",
    "RockyHills": "hills", "Beaches": "coast", "mountians": "mountains",
    # French
    "Forêt": "forest", "forêts": "forest", "Collines": "hills", "Montagnes enneigées": "mountains",
    "Haute montagne": "peaks", "Marécage": "swamp", "Marais salants": "swamp", "Plaine": "plains", "Prés": "plains",
    "Champs cultivés": "farmland", "Lande": "moor", "Côte": "coast", "Mer": "sea", "Océan": "sea", "Lac": "lake",
    "Désert": "desert", "Terres désolées": "badlands", "Toundra": "tundra", "Glacier": "glacier",
    "Forêt tropicale": "jungle", "Bois": "forest", "Étang": "lake", "Plan d’eau": "lake",
}  # fmt: skip


@pytest.mark.parametrize(("name", "slug"), GUESSES.items())
def test_a_name_says_its_terrain(name, slug):
    assert guess_terrain(name) == slug


@pytest.mark.parametrize("name", ["", "#17", "hexes #4", "Village", "road", "Blank", "日本", "x" * 5000])
def test_what_says_nothing_is_left_to_choose(name):
    assert guess_terrain(name) == ""


def test_every_biome_of_azgaar_is_understood():
    assert dict(zip(BIOMES, map(guess_terrain, BIOMES), strict=True)) == {
        "Marine": "sea", "Hot desert": "desert", "Cold desert": "desert", "Savanna": "plains", "Grassland": "plains",
        "Tropical seasonal forest": "jungle", "Temperate deciduous forest": "forest", "Tropical rainforest": "jungle",
        "Temperate rainforest": "forest", "Taiga": "forest", "Tundra": "tundra", "Glacier": "glacier",
        "Wetland": "swamp",
    }  # fmt: skip
    assert [guess_terrain(name) for name in OWN_NAMES] == ["hills", "mountains"]


def test_words_are_folded_and_every_terrain_has_some():
    assert WORDS.keys() == BY_SLUG[MapKind.CAMPAIGN].keys()
    words = [word for told in WORDS.values() for word in told]
    assert all(fold_name(word) == word for word in (*words, *PHRASES))
    assert len(set(words)) == len(words), "each says one terrain"
