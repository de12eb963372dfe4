"""A campaign's own weapons, troops and spells (TF-2.3, 6.3), for the arsenal and for tables."""

from __future__ import annotations

from armies.arsenal.own_things import OwnThings
from armies.arsenal.table_rows import OwnThingTable, TypesTable
from armies.thucidide_fantasy.forms import offers_with_figures
from rules.core.text import _
from rules.thucidide_fantasy.own import (
    KINDS,
    MOST,
    SHAPES,
    SPELLS,
    TROOPS,
    WEAPONS,
    OwnSpell,
    OwnTroop,
    OwnWeapon,
    bearing,
    taken,
)

OWN_THINGS = OwnThings(
    kinds=KINDS,
    shapes=SHAPES,
    names={OwnWeapon: "ThucidideWeapon", OwnTroop: "ThucidideTroop", OwnSpell: "ThucidideSpell"},
    most=MOST,
    taken=taken,
    bearing=bearing,
    offers=offers_with_figures,
    tables={TROOPS: "units", WEAPONS: "weapons", SPELLS: "spells"},
    examples={
        "A shooting weapon": ("weapons", {"name": "Blunderbuss", "shot": 3, "range": 2}),
        "Troops": ("troops", {"name": "Long pikes", "kind": "infantry", "weight": "heavy", "weapon": "pike",
                              "points": 7}),
        "A spell": ("spells", {"name": "Hail", "cost": 2, "on": "enemy", "effect": "shot", "weapon": "sling"}),
    },
)  # fmt: skip

TABLES = (
    OwnThingTable(
        WEAPONS, SHAPES[WEAPONS], "weapons", _("Weapons"),
        _("Each row is a weapon made for this campaign, identified by its slug. Without a slug, one is made from the "
          "name."),
        _("This weapon is already in line {line}."),
        _("Weapons imported from a table: {new} new, {changed} changed."),
    ),
    TypesTable(TROOPS, SHAPES[TROOPS]),
    OwnThingTable(
        SPELLS, SHAPES[SPELLS], "spells", _("Spells"),
        _("Each row is a spell made for this campaign, identified by its slug. Without a slug, one is made "
          "from the name."),
        _("This spell is already in line {line}."),
        _("Spells imported from a table: {new} new, {changed} changed."),
    ),
)  # fmt: skip
