"""The tables of the law, typed in again from its pages."""

from __future__ import annotations

from fractions import Fraction

LADDER = ["1/8", "1/6", "1/4", "1/3", "1/2"]  # PF-1.1; then 1, 2, 3 …
SIZES = [  # PF-1.2: slug, units, step
    ("fine", 1, -8), ("diminutive", 10, -6), ("tiny", 25, -4), ("small", 50, -2), ("medium", 100, 0),
    ("large", 200, 2), ("huge", 500, 4), ("gargantuan", 1000, 6), ("colossal", 2000, 8),
]  # fmt: skip
PRICE_FACTOR: list[Fraction | int] = [Fraction(1, 8), Fraction(1, 6), Fraction(1, 4), Fraction(1, 2), 1, 2, 4, 10, 20]
DEFEAT = [(0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 1, 1), (2, 2, 2), (3, 2, 2), (4, 2, 2), (4, 2, 3), (4, 3, 3)]
XP = [50, 65, 100, 135, 200, 400, 600]  # PF-1.6: up to CR 2, then each two steps double
HIT_DIE = {"d4": Fraction(5, 2), "d6": Fraction(7, 2), "d8": Fraction(9, 2), "d10": Fraction(11, 2),
           "d12": Fraction(13, 2)}  # fmt: skip
BOON_LEADERSHIP = {"bloodied-but-unbroken": 4, "defensive-tactics": 5, "flexible-tactics": 6, "hit-and-run": 5,
                   "loyalty": 6}  # fmt: skip

BOONS = ["bloodied-but-unbroken", "bonus-tactic", "defensive-tactics", "flexible-tactics", "hit-and-run",
         "hold-the-line", "live-off-the-land", "loyalty", "merciless", "sharpshooter", "triage"]  # fmt: skip

STRATEGIES = ["defensive", "cautious", "standard", "aggressive", "reckless"]
STRATEGY = {"defensive": (-4, 4, -6), "cautious": (-2, 2, -3), "standard": (0, 0, 0), "aggressive": (2, -2, 3),
            "reckless": (4, -4, 6)}  # OM, DV, damage  # fmt: skip
TACTICS = ["standard", "withdraw", "cautious-combat", "cavalry-experts", "defensive-wall", "dirty-fighters",
           "expert-flankers", "false-retreat", "full-defense", "relentless-brutality", "siegebreaker",
           "sniper-support", "spellbreaker", "taunt"]  # fmt: skip
TACTIC = {"cautious-combat": (-2, 0), "defensive-wall": (-2, 2), "expert-flankers": (2, -2), "full-defense": (-4, 4),
          "relentless-brutality": (4, -4)}  # OM, DV against anybody  # fmt: skip

WINDS = ["light", "moderate", "strong", "severe", "windstorm", "hurricane", "tornado"]
WIND_ORDINARY = {"light": 0, "moderate": 0, "strong": -2, "severe": -4, "windstorm": None, "hurricane": None,
                 "tornado": None}  # fmt: skip
WIND_SIEGE = {"light": 0, "moderate": 0, "strong": 0, "severe": 0, "windstorm": -4, "hurricane": -8, "tornado": None}

BLEEDS = ["ability-damage", "bleed", "burn", "discovery", "poison", "rogue-talent"]
PARALYSES = ["paralysis", "petrification", "stunning-fist", "whirlwind", "vortex"]
HARDNESS = ["significant-defense", "damage-reduction", "resistance"]
BREATHS = ["breath-weapon", "bomb"]
TELEPORTS = ["teleportation", "ethereal-travel"]
DIM_SENSES = ["blindsense", "scent", "tremorsense"]
PLUS_ONE_OM = ["pounce", "powerful-charge", "trample"]
DRINKS = [("resource", "healing-potions"), ("ability", "alchemy")]

NATURE_IMMUNITY = {
    "construct": {"disease", "fear", "paralysis", "poison"},
    "undead": {"disease", "fear", "paralysis", "poison"},
    "plant": {"fear", "paralysis", "poison"},
    "divine-health": {"disease"},
    "aura-of-courage": {"fear"},
}
RAGE_TACTICS = {"cautious-combat", "defensive-wall", "expert-flankers", "sniper-support", "withdraw"}
RAGE_STRATEGIES = {"defensive", "cautious"}


def cr_index(cr: str) -> int:
    return LADDER.index(cr) if cr in LADDER else int(cr) + 4


def cr_value(index: int) -> Fraction:
    return Fraction(LADDER[index]) if index < 5 else Fraction(index - 4)


def xp(index: int) -> int:
    return XP[index] if index < 7 else 2 * xp(index - 2)


def size_index(count: int) -> int:
    found = 0
    for index, (_slug, units, _step) in enumerate(SIZES):
        if units <= count:
            found = index
    return found
