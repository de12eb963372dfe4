"""Library of ready unit types to raise armies from. A campaign may change and extend it (PF-1.11)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from rules.core.text import Term, _
from rules.pathfinder.spec import AbilityChoice, UnitSpec

# Home terrains of the library's creatures (HX-2).
#
# They help a GM to find who lives in a swamp, for example; no figure depends on them. The rules say nothing of it, so
# this is our own judgement. Units not listed live anywhere: undead, constructs, summoned creatures, and those who
# follow a court.

_TOLD = {
    "human-levy": "plains farmland",
    "human-militia": "plains farmland coast",
    "human-spearmen": "plains farmland coast hills",
    "human-men-at-arms": "plains farmland",
    "human-veterans": "plains farmland",
    "human-archers": "plains farmland forest",
    "human-longbowmen": "farmland hills forest",
    "human-crossbowmen": "farmland coast hills",
    "human-rangers": "moor hills forest swamp",
    "human-light-horse": "plains moor",
    "human-knights": "plains farmland",
    "human-barbarians": "moor hills tundra",
    "human-berserkers": "coast forest tundra",
    "human-monks": "hills mountains",
    "human-skirmishers": "moor hills badlands",
    "human-druids": "moor forest swamp",
    "human-witches": "moor forest swamp",
    "elf-bowmen": "forest",
    "elf-blades": "forest",
    "dwarf-shieldbearers": "hills mountains",
    "dwarf-sappers": "hills mountains",
    "gnome-tricksters": "hills forest",
    "halfling-slingers": "farmland hills",
    "orc-warriors": "hills mountains badlands",
    "orc-raiders": "plains hills badlands",
    "goblin-rabble": "hills forest swamp",
    "goblin-wolf-riders": "plains moor hills",
    "hobgoblin-legion": "hills forest badlands",
    "kobold-trappers": "hills forest mountains",
    "gnoll-pack": "plains desert badlands",
    "lizardfolk-hunters": "jungle swamp",
    "drow-raiders": "hills mountains",
    "ogres": "hills mountains",
    "trolls": "forest mountains swamp",
    "hill-giants": "hills",
    "stone-giants": "hills mountains",
    "frost-giants": "mountains peaks tundra glacier",
    "fire-giants": "mountains badlands",
    "minotaurs": "hills mountains badlands",
    "centaurs": "plains forest",
    "harpies": "coast hills mountains",
    "medusas": "coast desert badlands",
    "griffons": "hills mountains peaks",
    "manticores": "hills swamp badlands",
    "basilisks": "desert badlands",
    "worgs": "moor forest tundra",
    "ankhegs": "plains farmland desert",
    "sea-serpents": "sea",
    "wyverns": "hills forest mountains",
    "young-dragons": "mountains peaks",
    "treants": "forest",
    "dryad-court": "forest",
    "giant-spiders": "forest jungle",
    "wolves": "plains forest tundra",
    "war-elephants": "plains jungle",
    "dire-bears": "forest mountains tundra",
    "air-elementals": "mountains peaks",
    "earth-elementals": "hills mountains badlands",
    "fire-elementals": "desert badlands",
    "water-elementals": "lake sea",
    "locust-swarms": "plains farmland desert",
    "oozes": "swamp",
    "light-horses": "plains farmland",
    "heavy-horses": "plains farmland",
    "ponies": "moor hills",
    "camels": "desert",
}

HOMES: Mapping[str, tuple[str, ...]] = {slug: tuple(terrains.split()) for slug, terrains in _TOLD.items()}
"""Home terrains by unit type, as slugs in the order of the map's palette."""


# Declaration of ready unit types.

FAMILIES: dict[str, Term] = {
    "humanoids": _("Humanoids"),
    "giants": _("Giants"),
    "monsters": _("Monsters"),
    "animals": _("Animals"),
    "mounts": _("Mounts and riding beasts"),
    "undead": _("Undead"),
    "constructs": _("Constructs"),
    "elementals": _("Elementals"),
    "outsiders": _("Outsiders"),
    "other": _("Other units"),
}


@dataclass(frozen=True, slots=True)
class UnitKind:
    """Unit type of the library: slug, translatable name, family, and figures. `homes` are its terrains; empty means
    any.
    """

    slug: str
    name: Term
    family: str
    unit: UnitSpec
    homes: tuple[str, ...] = ()


def ability(slug: str, value: int | None = None, **options: object) -> AbilityChoice:
    return AbilityChoice(slug, value, options)


def kind(
    slug: str,
    name: Term,
    cr: str,
    hit_die: str,
    speed_m: float,
    alignment: str = "N",
    *abilities: AbilityChoice | str,
    family: str = "humanoids",
    creature_type: str = "humanoid",
    level: int = 1,
    ranged: bool = False,
) -> UnitKind:
    """Build a unit type. A bare ability slug is an ability without value or options."""
    chosen = tuple(AbilityChoice(a) if isinstance(a, str) else a for a in abilities)
    unit = UnitSpec(str(name), cr, hit_die, speed_m, creature_type, alignment, level, ranged, chosen)
    return UnitKind(slug, name, family, unit, HOMES.get(slug, ()))


# Humanoid soldiers, from levies to champions of every people.

FOLK = (
    kind("human-levy", _("Human levy"), "1/3", "d8", 9),
    kind("human-militia", _("Human militia"), "1/2", "d8", 9, "LN"),
    kind("human-spearmen", _("Human spearmen"), "1/2", "d10", 6, "LN", level=2),
    kind("human-men-at-arms", _("Men-at-arms"), "1", "d10", 6, "LN", ability("bravery", 1), level=2),
    kind("human-veterans", _("Veteran foot"), "3", "d10", 6, "LN", ability("bravery", 1), "armor-training", level=4),
    kind("human-archers", _("Human archers"), "1/2", "d10", 9, "N", level=2, ranged=True),
    kind("human-longbowmen", _("Longbowmen"), "1", "d10", 9, "N", level=2, ranged=True),
    kind("human-crossbowmen", _("Crossbowmen"), "1/2", "d8", 9, "LN", level=2, ranged=True),
    kind("human-rangers", _("Border rangers"), "2", "d10", 9, "NG",
         ability("favored-enemy", creature_type="humanoid"), "track", "combat-style", level=3, ranged=True),
    kind("human-light-horse", _("Light horse"), "1", "d10", 15, "N", "mount", level=2),
    kind("human-knights", _("Knights"), "3", "d10", 15, "LG", "mount", "challenge", "order",
         ability("tactician", tactic="cavalry-experts"), level=4),
    kind("human-paladins", _("Paladins"), "4", "d10", 6, "LG", "aura-of-courage", "divine-health", "smite-evil",
         "lay-on-hands", "mercy", level=5),
    kind("human-barbarians", _("Barbarians"), "1", "d12", 12, "CN", "rage", level=2),
    kind("human-berserkers", _("Berserkers"), "3", "d12", 12, "CN", "rage", "ferocity", level=4),
    kind("human-monks", _("Temple monks"), "3", "d8", 12, "LN", "flurry-of-blows", "stunning-fist", "evasion",
         "ki-pool", level=4),
    kind("human-rogues", _("Cutthroats"), "1/2", "d8", 9, "CN", "sneak-attack", level=2),
    kind("human-skirmishers", _("Skirmishers"), "2", "d8", 9, "N", "sneak-attack", "evasion", "trap-sense", level=3,
         ranged=True),
    kind("human-bards", _("War bards"), "1", "d8", 9, "CG", "inspire-courage", ability("spellcasting", 1), level=2),
    kind("human-clerics", _("War priests"), "2", "d8", 6, "LG", "channel-positive-energy",
         ability("spellcasting", 2), level=3),
    kind("human-dark-clerics", _("Priests of dread"), "2", "d8", 6, "NE", "channel-negative-energy",
         ability("spellcasting", 2), level=3),
    kind("human-druids", _("Circle of druids"), "3", "d8", 9, "N", "animal-companion", "wild-shape",
         ability("spellcasting", 2, ranged=True), level=4),
    kind("human-wizards", _("Battle wizards"), "4", "d6", 9, "N", ability("spellcasting", 3, ranged=True), level=5,
         ranged=True),
    kind("human-alchemists", _("Grenadiers"), "2", "d8", 9, "N", "alchemy", "bomb", "brew-potion",
         ability("poison-resistance", 2), level=3, ranged=True),
    kind("human-witches", _("Coven of witches"), "2", "d6", 9, "NE", ability("hex", choice="healing"),
         ability("spellcasting", 2), level=3),
    kind("human-inquisitors", _("Inquisitors"), "3", "d8", 9, "LN", "judgment", "track",
         ability("spellcasting", 2), level=4),
    kind("human-summoners", _("Summoners"), "3", "d8", 9, "N", "eidolon", "shield-ally",
         ability("spellcasting", 2), level=4),
    kind("elf-bowmen", _("Elven bowmen"), "1", "d10", 9, "CG", "low-light-vision", level=2, ranged=True),
    kind("elf-blades", _("Elven blades"), "3", "d10", 9, "CG", "low-light-vision", "weapon-specialization", level=4),
    kind("dwarf-shieldbearers", _("Dwarven shieldbearers"), "1", "d10", 6, "LG", "darkvision", level=2),
    kind("dwarf-sappers", _("Dwarven sappers"), "2", "d10", 6, "LG", "darkvision", "trap-sense", level=3),
    kind("gnome-tricksters", _("Gnome tricksters"), "1/2", "d8", 6, "CG", "low-light-vision", "sneak-attack", level=2),
    kind("halfling-slingers", _("Halfling slingers"), "1/3", "d8", 6, "LG", level=1, ranged=True),
    kind("orc-warriors", _("Orc warriors"), "1/3", "d10", 9, "CE", "ferocity", "darkvision", "light-sensitivity"),
    kind("orc-raiders", _("Orc raiders"), "1", "d12", 9, "CE", "ferocity", "rage", "darkvision", "light-sensitivity",
         level=2),
    kind("goblin-rabble", _("Goblin rabble"), "1/3", "d10", 9, "NE", "darkvision"),
    kind("goblin-wolf-riders", _("Goblin wolf riders"), "1", "d10", 15, "NE", "darkvision", "mount", level=2),
    kind("hobgoblin-legion", _("Hobgoblin legion"), "1/2", "d10", 6, "LE", "darkvision"),
    kind("kobold-trappers", _("Kobold trappers"), "1/4", "d10", 9, "LE", "darkvision", "light-sensitivity"),
    kind("gnoll-pack", _("Gnoll pack"), "1", "d8", 9, "CE", "darkvision", level=2),
    kind("lizardfolk-hunters", _("Lizardfolk hunters"), "1", "d8", 9, "N", "amphibious", level=2),
    kind("drow-raiders", _("Drow raiders"), "1", "d10", 9, "CE", "darkvision", "light-blindness", "poison",
         "spell-resistance", level=2, ranged=True),
)  # fmt: skip


# Giants, beasts and other creatures that fight in hosts.

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


# Undead, constructs and mounts.

undead = partial(kind, family="undead", creature_type="undead")
made = partial(kind, family="constructs", creature_type="construct")
mount = partial(kind, family="mounts", creature_type="animal")

OTHERS = (
    undead("skeletons", _("Skeletons"), "1/3", "d8", 9, "NE", "undead", "mindless", "darkvision"),
    undead("skeletal-champions", _("Skeletal champions"), "2", "d8", 9, "NE", "undead", "damage-reduction", level=3),
    undead("zombies", _("Zombies"), "1/2", "d8", 9, "NE", "undead", "mindless", "darkvision", level=2),
    undead("ghouls", _("Ghouls"), "1", "d8", 9, "CE", "undead", "paralysis", "disease", "cannibalize", level=2),
    undead("shadows", _("Shadows"), "3", "d8", 12, "CE", "undead", "incorporeal", "create-spawn", "ability-damage",
           "flight", level=3),
    undead("wights", _("Wights"), "3", "d8", 9, "LE", "undead", "energy-drain", "create-spawn", level=4),
    undead("wraiths", _("Wraiths"), "5", "d8", 18, "LE", "undead", "incorporeal", "energy-drain", "create-spawn",
           "flight", level=5),
    undead("mummies", _("Mummies"), "5", "d8", 6, "LE", "undead", "fear", "disease", "damage-reduction", level=8),
    undead("vampires", _("Vampires"), "9", "d8", 9, "CE", "undead", "energy-drain", "create-spawn", "climb",
           ability("fast-healing", 5), "damage-reduction", level=8),
    undead("nightmares", _("Nightmare riders"), "5", "d10", 12, "NE", "undead", "unnatural-aura", "mount", level=6),
    made("animated-armour", _("Animated armor"), "2", "d10", 9, "N", "construct", "mindless", "significant-defense",
         level=3),
    made("clay-golems", _("Clay golems"), "10", "d10", 6, "N", "construct", "mindless", "spell-resistance",
         "damage-reduction", level=11),
    made("stone-golems", _("Stone golems"), "11", "d10", 6, "N", "construct", "mindless", "spell-resistance",
         "damage-reduction", level=14),
    made("iron-golems", _("Iron golems"), "13", "d10", 6, "N", "construct", "mindless", "breath-weapon",
         "spell-resistance", "damage-reduction", level=18),
    kind("air-elementals", _("Air elementals"), "5", "d10", 30, "N", "flight", "whirlwind", "damage-reduction",
         family="elementals", creature_type="outsider", level=8),
    kind("earth-elementals", _("Earth elementals"), "5", "d10", 6, "N", "earth-glide", "tremorsense",
         "damage-reduction", family="elementals", creature_type="outsider", level=8),
    kind("fire-elementals", _("Fire elementals"), "5", "d10", 15, "N", "burn", "damage-reduction",
         family="elementals", creature_type="outsider", level=8),
    kind("water-elementals", _("Water elementals"), "5", "d10", 6, "N", "vortex", "aquatic", "amphibious",
         "damage-reduction", family="elementals", creature_type="outsider", level=8),
    kind("locust-swarms", _("Locust swarms"), "3", "d8", 6, "N", "swarm", "mindless", "flight", family="animals",
         creature_type="vermin", level=6),
    kind("oozes", _("Ooze tide"), "4", "d8", 6, "N", "mindless", "blindsight", "grab",
         family="monsters", creature_type="ooze", level=6),
    mount("light-horses", _("Light horses"), "1", "d8", 18, "N", "low-light-vision", "scent", level=2),
    mount("heavy-horses", _("Heavy horses"), "2", "d8", 15, "N", "low-light-vision", "scent", level=4),
    mount("ponies", _("Ponies"), "1/2", "d8", 12, "N", "low-light-vision", "scent", level=2),
    mount("camels", _("Camels"), "1", "d8", 15, "N", "low-light-vision", "scent", level=2),
    mount("riding-dogs", _("Riding dogs"), "1", "d8", 12, "N", "trip", "scent", level=2),
)  # fmt: skip


UNITS: dict[str, UnitKind] = {kind.slug: kind for kind in (*FOLK, *MONSTERS, *OTHERS)}

__all__ = ["FAMILIES", "UNITS", "UnitKind"]
