"""Words the engine knows by name: permissions, immunities and ways of hurting."""

RANGED = "ranged"  # may attack at range
ROCKS = "rocks"  # shoots in the column of siege engines and thrown rocks
ENGINES = "engines"
CASTS = "casts"
BREATH = "breath"
FLIES = "flies"
CLIMBS = "climbs"
BURROWS = "burrows"
EARTH_GLIDES = "earth-glides"
TELEPORTS = "teleports"
AMPHIBIOUS = "amphibious"
ALWAYS_WITHDRAWS = "always-withdraws"
MINDLESS = "mindless"
UNDEAD = "undead"
CONSTRUCT = "construct"
MAGICAL = "magical-attacks"
INCORPOREAL = "incorporeal"
SWARM = "swarm"
HARD_TO_HURT = "hard-to-hurt"  # DV +10 against armies that cannot overcome it
MOUNTED = "mounted"
ANIMALS = "animals"  # unnatural aura works on it
MOBILE = "mobile"
FAVORED_TERRAIN = "favored-terrain"
EVASION = "evasion"
TRACKS = "tracks"
INSPIRES = "inspires"
INVISIBLE = "invisible"
# senses
SEES_IN_DARKNESS = "sees-in-darkness"
SEES_IN_DIM_LIGHT = "sees-in-dim-light"
KEEN_SENSES = "keen-senses"  # halves penalties of darkness, invisibility and weather
BLINDSIGHT = "blindsight"  # ignores them
# what its attacks leave behind
BLEEDS = "bleeds"
PARALYSES = "paralyses"
DRAINS = "drains"
SICKENS = "sickens"
FRIGHTENS = "frightens"
UNNATURAL = "unnatural-aura"
GRABS = "grabs"
TRIPS = "trips"
SPAWNS = "spawns"
# how it ends, heals and holds
PASSES_ROUT = "passes-rout-checks"
HOLDS_THE_LINE = "holds-the-line"
FEROCIOUS = "ferocious"
REGENERATES = "regenerates"
FAST_HEALS = "fast-heals"
RESISTS_POISON = "resists-poison"
CHANNELS_NEGATIVE = "channels-negative"
CHANNELS_POSITIVE = "channels-positive"
MERCIFUL = "merciful"
BREWS = "brews-potions"
CANNIBAL = "cannibal"
TRIAGE = "triage"
# tactics the engine asks about
TAUNTS = "taunts"
WITHDRAWS = "withdraws"
BREAKS_SIEGE = "breaks-siege"
# how it travels
UNARMOURED_PACE = "unarmoured-pace"
LIVES_OFF_THE_LAND = "lives-off-the-land"

FEAR_IMMUNITY = "fear"  # stops every cause of being afraid

# what does something of itself in a phase; every other trait acts through figures, orders, marks or the field
ACTS = frozenset(
    {FAST_HEALS, REGENERATES, FEROCIOUS, GRABS, TRIPS, BLEEDS, PARALYSES, DRAINS, SICKENS, FRIGHTENS, UNNATURAL,
     TAUNTS, WITHDRAWS, BREAKS_SIEGE}
)  # fmt: skip
