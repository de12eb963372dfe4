"""Giants, beasts and stranger things that fight in hosts."""

from functools import partial

from rules.core.text import _
from rules.pathfinder.catalogue.units.kinds import ability, kind

giant = partial(kind, family="giants", creature_type="humanoid")
monster = partial(kind, family="monsters", creature_type="magical-beast")
dragon = partial(kind, family="monsters", creature_type="dragon")
outsider = partial(kind, family="outsiders", creature_type="outsider")
animal = partial(kind, family="animals", creature_type="animal")

MONSTERS = (
    giant("ogres", _("Ogres"), "3", "d8", 9, "CE", "darkvision", "low-light-vision", level=4),
    giant("trolls", _("Trolls"), "5", "d8", 9, "CE", ability("regeneration", 5), "rend", "scent", "darkvision",
          level=6),
    giant("hill-giants", _("Hill giants"), "7", "d8", 9, "CE", "rock-throwing", "rock-catching", level=10, ranged=True),
    giant("stone-giants", _("Stone giants"), "8", "d8", 12, "N", "rock-throwing", "rock-catching", "darkvision",
          level=12, ranged=True),
    giant("frost-giants", _("Frost giants"), "9", "d8", 9, "CE", "rock-throwing", "rock-catching",
          ability("immunity", to=["breath-weapon"]), level=14, ranged=True),
    giant("fire-giants", _("Fire giants"), "10", "d8", 9, "LE", "rock-throwing", "rock-catching",
          ability("immunity", to=["burn"]), level=15, ranged=True),
    kind("minotaurs", _("Minotaurs"), "4", "d10", 9, "CE", "powerful-charge", "scent", "darkvision",
         family="monsters", creature_type="monstrous-humanoid", level=6),
    kind("centaurs", _("Centaurs"), "3", "d10", 15, "N", "darkvision", family="monsters",
         creature_type="monstrous-humanoid", level=4, ranged=True),
    kind("harpies", _("Harpies"), "4", "d10", 6, "CE", "flight", "darkvision", family="monsters",
         creature_type="monstrous-humanoid", level=7),
    kind("medusas", _("Medusas"), "7", "d10", 9, "LE", "petrification", "poison", "darkvision", family="monsters",
         creature_type="monstrous-humanoid", level=8, ranged=True),
    monster("griffons", _("Griffons"), "4", "d10", 9, "N", "flight", "pounce", "rake", "scent", level=5),
    monster("manticores", _("Manticores"), "5", "d10", 9, "LE", "flight", "scent", level=6, ranged=True),
    monster("basilisks", _("Basilisks"), "5", "d10", 6, "N", "petrification", "darkvision", level=7),
    monster("worgs", _("Worgs"), "2", "d10", 15, "NE", "trip", "scent", level=4),
    monster("ankhegs", _("Burrowing horrors"), "3", "d10", 9, "N", "burrow", "tremorsense", "grab", level=3),
    monster("sea-serpents", _("Sea serpents"), "12", "d10", 6, "N", "aquatic", "amphibious", "grab", level=14),
    dragon("wyverns", _("Wyverns"), "6", "d12", 6, "N", "flight", "poison", "grab", "scent", level=7),
    dragon("young-dragons", _("Young dragons"), "9", "d12", 12, "CE", "flight", "breath-weapon", "fear", "blindsense",
           "damage-reduction", level=11),
    outsider("imps", _("Imps"), "2", "d10", 6, "LE", "flight", "invisibility", "poison", "damage-reduction", level=3),
    outsider("bearded-devils", _("Bearded devils"), "5", "d10", 12, "LE", "bleed", "disease", "teleportation",
             "damage-reduction", "resistance", level=6),
    outsider("shadow-demons", _("Shadow demons"), "7", "d10", 9, "CE", "incorporeal", "flight", "teleportation",
             "ki-pool", level=7),
    outsider("hound-archons", _("Hound archons"), "4", "d10", 12, "LG", "teleportation", "scent",
             "damage-reduction", level=6),
    kind("treants", _("Treants"), "8", "d8", 9, "NG", "plant", "damage-reduction", family="monsters",
         creature_type="plant", level=12),
    kind("dryad-court", _("Dryad court"), "3", "d6", 9, "CG", ability("spellcasting", 2, ranged=True),
         "damage-reduction", family="monsters", creature_type="fey", level=6),
    kind("giant-spiders", _("Giant spiders"), "1", "d8", 9, "N", "climb", "poison", "tremorsense", "mindless",
         family="animals", creature_type="vermin", level=3),
    animal("wolves", _("War wolves"), "1", "d8", 15, "N", "trip", "scent", "low-light-vision", level=2),
    animal("war-elephants", _("War elephants"), "7", "d8", 12, "N", "trample", "scent", level=11),
    animal("dire-bears", _("Dire bears"), "7", "d8", 12, "N", "grab", "scent", level=10),
)  # fmt: skip
