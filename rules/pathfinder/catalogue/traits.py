"""Traits that the engine knows by name: permissions, immunities and forms of harm."""

from typing import Final, Literal, get_args

RANGED: Final = "ranged"  # may attack at range
ROCKS: Final = "rocks"  # shoots in the column of siege engines and thrown rocks
ENGINES: Final = "engines"
CASTS: Final = "casts"
BREATH: Final = "breath"
FLIES: Final = "flies"
CLIMBS: Final = "climbs"
BURROWS: Final = "burrows"
EARTH_GLIDES: Final = "earth-glides"
TELEPORTS: Final = "teleports"
AMPHIBIOUS: Final = "amphibious"
ALWAYS_WITHDRAWS: Final = "always-withdraws"
MINDLESS: Final = "mindless"
UNDEAD: Final = "undead"
CONSTRUCT: Final = "construct"
MAGICAL: Final = "magical-attacks"
INCORPOREAL: Final = "incorporeal"
SWARM: Final = "swarm"
HARD_TO_HURT: Final = "hard-to-hurt"  # DV +10 against armies that cannot overcome it
MOUNTED: Final = "mounted"
ANIMALS: Final = "animals"  # unnatural aura works on it
MOBILE: Final = "mobile"
MOBILITY: Final = "mobility"  # mobile where the ground suits it
FAVORED_TERRAIN: Final = "favored-terrain"
EVASION: Final = "evasion"
TRACKS: Final = "tracks"
INSPIRES: Final = "inspires"
INVISIBLE: Final = "invisible"
# Senses.
SEES_IN_DARKNESS: Final = "sees-in-darkness"
SEES_IN_DIM_LIGHT: Final = "sees-in-dim-light"
KEEN_SENSES: Final = "keen-senses"  # halves penalties of darkness, invisibility and weather
BLINDSIGHT: Final = "blindsight"  # ignores penalties of darkness, invisibility and weather
# After-effects of attacks.
BLEEDS: Final = "bleeds"
PARALYSES: Final = "paralyses"
DRAINS: Final = "drains"
SICKENS: Final = "sickens"
FRIGHTENS: Final = "frightens"
UNNATURAL: Final = "unnatural-aura"
GRABS: Final = "grabs"
TRIPS: Final = "trips"
SPAWNS: Final = "spawns"
# Endings, healing and endurance.
PASSES_ROUT: Final = "passes-rout-checks"
HOLDS_THE_LINE: Final = "holds-the-line"
FEROCIOUS: Final = "ferocious"
REGENERATES: Final = "regenerates"
FAST_HEALS: Final = "fast-heals"
RESISTS_POISON: Final = "resists-poison"
CHANNELS_NEGATIVE: Final = "channels-negative"
CHANNELS_POSITIVE: Final = "channels-positive"
MERCIFUL: Final = "merciful"
BREWS: Final = "brews-potions"
CANNIBAL: Final = "cannibal"
TRIAGE: Final = "triage"
# Tactics that the engine asks for.
TAUNTS: Final = "taunts"
WITHDRAWS: Final = "withdraws"
BREAKS_SIEGE: Final = "breaks-siege"
FLANKS: Final = "uses-expert-flankers"
# Travel.
UNARMOURED_PACE: Final = "unarmoured-pace"
LIVES_OFF_THE_LAND: Final = "lives-off-the-land"

type Trait = Literal[
    "ranged", "rocks", "engines", "casts", "breath", "flies", "climbs", "burrows", "earth-glides", "teleports",
    "amphibious", "always-withdraws", "mindless", "undead", "construct", "magical-attacks", "incorporeal", "swarm",
    "hard-to-hurt", "mounted", "animals", "mobile", "mobility", "favored-terrain", "evasion", "tracks", "inspires",
    "invisible", "sees-in-darkness", "sees-in-dim-light", "keen-senses", "blindsight", "bleeds", "paralyses",
    "drains", "sickens", "frightens", "unnatural-aura", "grabs", "trips", "spawns", "passes-rout-checks",
    "holds-the-line", "ferocious", "regenerates", "fast-heals", "resists-poison", "channels-negative",
    "channels-positive", "merciful", "brews-potions", "cannibal", "triage", "taunts", "withdraws", "breaks-siege",
    "uses-expert-flankers", "unarmoured-pace", "lives-off-the-land",
]  # fmt: skip
TRAITS: frozenset[Trait] = frozenset(get_args(Trait.__value__))

FEAR_IMMUNITY = "fear"  # prevents every cause of fear

# traits that act by themselves in a phase; all others act through figures, orders, marks or the field
ACTS: frozenset[Trait] = frozenset(
    {FAST_HEALS, REGENERATES, FEROCIOUS, GRABS, TRIPS, BLEEDS, PARALYSES, DRAINS, SICKENS, FRIGHTENS, UNNATURAL,
     TAUNTS, WITHDRAWS, BREAKS_SIEGE}
)  # fmt: skip
