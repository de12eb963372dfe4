"""Terrain guessed from the names that other tools use, in English and French."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache

from rules.hexes.terrain import BY_SLUG, MapKind

NEAR, NEAR_LEAST = 0.86, 5
"""Likeness of a word with a slip, and the letters it needs."""
KEY_MOST = 100

PHRASES: Mapping[str, str] = {
    "temperate rainforest": "forest", "temperate rain forest": "forest", "foret temperee": "forest",
    "rain forest": "jungle", "foret tropicale": "jungle", "foret pluviale": "jungle", "foret vierge": "jungle",
    "high mountains": "peaks", "haute montagne": "peaks", "hautes montagnes": "peaks",
    "terres desolees": "badlands", "terres arides": "badlands", "broken lands": "badlands",
    "grazing land": "plains", "plan d eau": "lake", "bord de mer": "coast", "sea ice": "glacier",
}  # fmt: skip
"""What a name with these words in a row stands for, whatever else it says."""

WORDS: Mapping[str, tuple[str, ...]] = {
    "glacier": ("glacier", "ice", "icy", "icecap", "glace", "banquise", "calotte"),
    "swamp": ("swamp", "marsh", "marshland", "bog", "fen", "mire", "wetland", "quagmire", "mangrove", "marais",
              "marecage", "tourbiere", "bourbier"),
    "jungle": ("jungle", "rainforest", "tropical", "tropicale", "pluviale"),
    "peaks": ("peak", "summit", "volcano", "pic", "sommet", "cime", "volcan"),
    "mountains": ("mountain", "alp", "alpine", "montagne", "mont", "massif"),
    "forest": ("forest", "wood", "woodland", "tree", "grove", "taiga", "deciduous", "evergreen", "conifer",
               "coniferous", "pine", "foret", "bois", "arbre", "sapin", "bosquet", "sylve"),
    "hills": ("hill", "hilly", "highland", "foothill", "colline", "coteau", "hauteur"),
    "coast": ("coast", "coastline", "shore", "shoreline", "beach", "cote", "littoral", "plage", "rivage"),
    "sea": ("sea", "ocean", "marine", "reef", "shoal", "mer", "recif"),
    "lake": ("lake", "pond", "water", "lac", "etang", "eau"),
    "desert": ("desert", "dune", "sand", "sandy", "sable", "reg", "erg"),
    "badlands": ("badland", "wasteland", "waste", "broken", "rocky", "rock", "barren", "canyon", "mesa", "desolation",
                 "rocheux", "roche", "rocaille", "aride"),
    "tundra": ("tundra", "toundra", "snow", "snowfield", "snowy", "arctic", "neige", "enneige"),
    "moor": ("moor", "moorland", "heath", "heathland", "scrub", "scrubland", "shrub", "shrubland", "brush",
             "lande", "bruyere", "maquis", "garrigue", "friche"),
    "farmland": ("farmland", "farm", "field", "cropland", "crop", "cultivated", "ferme", "champ", "labour", "culture",
                 "bocage", "vignoble"),
    "plains": ("plain", "grass", "grassland", "grassy", "prairie", "savanna", "savannah", "steppe", "meadow", "pasture",
               "plaine", "herbe", "pre", "savane", "paturage"),
}  # fmt: skip
"""Words of each terrain, folded and in the singular. A name with words of several terrains is the first of them."""


def fold_name(name: str) -> str:
    """The name's words for comparison: without accents, case, numbers and folder; "Classic/FlatForest_01" is "flat
    forest".
    """
    apart = re.sub(r"([a-z])([A-Z])", r"\1 \2", name.rpartition("/")[2].replace("œ", "oe"))
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", apart) if not unicodedata.combining(sign))
    return " ".join(re.findall(r"[^\W\d_]+", plain.lower()))[:KEY_MOST]


@cache
def _terrain_by_word() -> Mapping[str, str]:
    own = {fold_name(slug): slug for slug in BY_SLUG[MapKind.CAMPAIGN]}
    return own | {word: slug for slug, words in WORDS.items() for word in words}


def guess_terrain(name: str) -> str:
    """The terrain this name probably stands for, as a slug; "" if it says nothing."""
    folded = fold_name(name)
    phrase = next((slug for words, slug in PHRASES.items() if f" {words} " in f" {folded} "), "")
    if phrase:
        return phrase
    known = _terrain_by_word()
    words = folded.split()
    found = {known[one] for word in words for one in _forms(word) if one in known}
    if not found:
        near = (get_close_matches(word, known, 1, NEAR) for word in words if len(word) >= NEAR_LEAST)
        found = {known[match[0]] for match in near if match}
    return next((slug for slug in WORDS if slug in found), "")


def _forms(word: str) -> tuple[str, ...]:
    """The word, and what may be its singular."""
    return word, word.removesuffix("s").removesuffix("x"), word.removesuffix("es")
