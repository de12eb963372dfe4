"""The dead, the made, and the mounts."""

from functools import partial

from rules.core.text import _
from rules.pathfinder.catalogue.units.kinds import ability, kind

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
    made("animated-armour", _("Animated armour"), "2", "d10", 9, "N", "construct", "mindless", "significant-defense",
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
