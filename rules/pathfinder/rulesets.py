"""The two rulesets of this law: the documents', and the amendments of the English original (PF-VAR)."""

from dataclasses import replace

from rules.core.text import _
from rules.pathfinder.catalogue.abilities import ABILITIES
from rules.pathfinder.catalogue.boons import BOONS, OFFICES
from rules.pathfinder.catalogue.effects import For, Is, Modifier, Stat, Use
from rules.pathfinder.catalogue.resources import RESOURCES
from rules.pathfinder.rulebook import VERSION
from rules.pathfinder.ruleset import Ruleset

COMBAT_DE_MASSE = Ruleset("combat-de-masse", _("Mass combat"), VERSION)

_EARLY = For("withdraw") & Is("has-attacked-early")
ULTIMATE_CAMPAIGN = COMBAT_DE_MASSE.amend(
    slug="ultimate-campaign",
    name=_("Mass combat, English original"),
    version=VERSION,
    resources={"improved-weapons": replace(RESOURCES["improved-weapons"], price=5)},
    offices={
        "royal-enforcer": replace(OFFICES["royal-enforcer"], boons=("bonus-tactic", "merciless", "sharpshooter")),
    },
    abilities={
        "evasion": replace(ABILITIES["evasion"], class_levels="monk 2, rogue 2"),
        "brew-potion": replace(ABILITIES["brew-potion"], class_levels="alchemist 1"),
        "inspire-courage": replace(
            ABILITIES["inspire-courage"],
            summary=_("OM +1, and +2 on morale checks against fear and rout, for itself or one ally."),
            use=Use(per="phase", target="ally", mark="inspired", self_mark="sings-for-ally", on_target=True),
        ),
    },
    boons={
        "hit-and-run": replace(
            BOONS["hit-and-run"],
            summary=_(
                "Once it has attacked in a ranged or its first melee phase: +2 to withdraw, +4 from leadership 10."
            ),
            modifiers=(Modifier(Stat.MORALE, +2, when=_EARLY),),
            tier_modifiers=(Modifier(Stat.MORALE, +4, when=_EARLY),),
        ),
    },
)
