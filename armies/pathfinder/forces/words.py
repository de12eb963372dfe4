"""Words of the army pages that belong to no item of the rules: options of abilities, their choices, and headings."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.text import Term, _

OPTIONS: Mapping[str, Term] = {
    "ranged": _("has a ranged offensive spell"),
    "to": _("immune to"),
    "creature_type": _("creature type"),
    "choice": _("choice"),
    "tactic": _("tactic"),
}
CHOICES: Mapping[str, Term] = {
    "healing": _("healing"),
    "cauldron": _("cauldron"),
    "companions": _("companions"),
    "animal": _("animal"),
}


def option_label(slug: str) -> Term:
    return OPTIONS.get(slug, Term(slug.replace("_", " ")))


def choice_label(slug: str) -> Term:
    return CHOICES.get(slug, Term(slug.replace("-", " ")))


COLUMN_WORDS: Mapping[str, tuple[str, ...]] = {
    "unit": ("unit name", "unit type", "troop", "troops", "troop type", "soldier", "soldiers", "creature", "monster",
             "race", "unite", "nom de l unite", "type d unite", "troupe", "troupes", "type de troupe", "soldat",
             "soldats", "monstre"),
    "cr": ("challenge rating", "challenge", "cr of one unit", "unit cr", "fp", "facteur de puissance", "fp d une unite",
           "puissance"),
    "hit_die": ("hd", "hit dice", "hit die", "die", "dv", "de de vie", "des de vie", "type de de de vie"),
    "speed_m": ("speed", "move", "movement", "speed m", "speed in meters", "vitesse", "vd", "vitesse m",
                "vitesse de deplacement", "deplacement", "mouvement"),
    "creature_type": ("type", "creature type", "kind", "type de creature"),
    "alignment": ("al", "align", "alignement", "ali"),
    "level": ("lvl", "levels", "level or hd", "niveau", "niv", "niveaux"),
    "ranged": ("ranged weapons", "archers", "missile", "shoots", "a distance", "armes a distance", "tir", "tireurs"),
    "abilities": ("special abilities", "specials", "special", "powers", "traits", "capacites",
                  "capacites speciales", "pouvoirs", "aptitudes"),
    "count": ("number", "number of units", "units", "size", "quantity", "qty", "heads", "soldiers", "men", "strength",
              "effectif", "effectifs", "nombre", "nombre d unites", "quantite", "taille", "combien"),
    "mount": ("mounts", "horse", "steed", "monture", "montures", "cheval"),
    "mount_cr": ("mount cr", "cr of the mount", "fp de la monture", "fp monture"),
    "mount_speed_m": ("mount speed", "speed of the mount", "vitesse de la monture", "vitesse monture"),
    "mount_type": ("mount type", "type of the mount", "type de monture", "type de la monture"),
    "hp": ("hit points", "hits", "health", "pv", "points de vie", "sante"),
    "morale": ("moral",),
}  # fmt: skip
"""Other headings of the columns of its tables, in English and French, folded (`armies.tables.headings`)."""
