"""Abilities that affect others, and abilities of survival: lasting wounds, fear, energy, regeneration (PF-9)."""

from dataclasses import replace

from rules.core.text import _
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import Has, OfType, Use, acr
from rules.pathfinder.catalogue.items import Ability

BLEED = Ability(
    "bleed",
    _("Bleed"),
    "PF-9",
    _("An army it damages in melee loses 1d6 hp at the start of the next phase."),
    traits=(t.BLEEDS,),
)
ABILITY_DAMAGE = BLEED.alias(
    "ability-damage",
    _("Ability damage"),
    _("An army it damages in melee weakens: 1d6 hp lost at the start of the next phase."),
)
BURN = BLEED.alias(
    "burn", _("Burn"), _("An army it damages in melee burns: 1d6 hp lost at the start of the next phase.")
)
DISCOVERY = BLEED.alias(
    "discovery",
    _("Discovery"),
    _("An army it damages in melee suffers: 1d6 hp lost at the start of the next phase."),
    class_levels="alchemist 2",
)
POISON = BLEED.alias(
    "poison", _("Poison"), _("An army it damages in melee is poisoned: 1d6 hp lost at the start of the next phase.")
)
ROGUE_TALENT = BLEED.alias(
    "rogue-talent",
    _("Rogue talent"),
    _("An army it damages in melee bleeds: 1d6 hp lost at the start of the next phase."),
    class_levels="rogue 2",
)
BREATH_WEAPON = Ability(
    "breath-weapon",
    _("Breath weapon"),
    "PF-9",
    _("Can attack at range. Deals 1d4 more damage in every phase."),
    traits=(t.RANGED, t.BREATH),
)
BOMB = BREATH_WEAPON.alias(
    "bomb", _("Bombs"), _("Can attack at range. Deals 1d4 more damage in every phase."), class_levels="alchemist 1"
)
CANNIBALIZE = Ability(
    "cannibalize",
    _("Cannibalize"),
    "PF-9",
    _("In a week with a won battle and corpses: Consumption −1 (minimum 0)."),
    traits=(t.CANNIBAL,),
)
CHANNEL_HEAL = Use(per="phase", mark="channels", lasts="phase", heal=acr)
UNDEAD_HEAL = replace(
    CHANNEL_HEAL,
    needs=Has(t.UNDEAD) | OfType("undead"),
    needs_text=_("Only an undead army can heal with negative energy; the extra damage needs no order."),
)
CHANNEL_NEGATIVE_ENERGY = Ability(
    "channel-negative-energy",
    _("Channel negative energy"),
    "PF-9",
    _("1d4 more melee damage to the living. An undead army can heal its ACR instead, with OM reduced by half its ACR."),
    class_levels="cleric 1",
    traits=(t.CHANNELS_NEGATIVE,),
    use=UNDEAD_HEAL,
)
CHANNEL_POSITIVE_ENERGY = Ability(
    "channel-positive-energy",
    _("Channel positive energy"),
    "PF-9",
    _("1d4 more melee damage to undead. It can heal its ACR instead, with OM reduced by half its ACR."),
    class_levels="cleric 1, paladin 4",
    traits=(t.CHANNELS_POSITIVE,),
    use=CHANNEL_HEAL,
)
LAY_ON_HANDS = CHANNEL_POSITIVE_ENERGY.alias(
    "lay-on-hands",
    _("Lay on hands"),
    _("1d4 more melee damage to undead. It can heal its ACR instead, with OM reduced by half its ACR."),
    class_levels="paladin 2",
)
CREATE_SANDSTORM = Ability(
    "create-sandstorm",
    _("Create sandstorm"),
    "PF-9",
    _("Once per battle: raises a sandstorm over the field until the end."),
    use=Use(condition="sandstorm"),
)
CREATE_SPAWN = Ability(
    "create-spawn",
    _("Create spawn"),
    "PF-9",
    _(
        "When it destroys a living army of its size or larger, it regains twice its ACR in hp or creates a "
        "smaller army of its own kind."
    ),
    traits=(t.SPAWNS,),
)
DISEASE = Ability("disease", _("Disease"), "PF-9", _("Armies it damages fall ill."), traits=(t.SICKENS,))
ENERGY_DRAIN = Ability(
    "energy-drain",
    _("Energy drain"),
    "PF-9",
    _("Each time it damages an enemy: OM and DV −1 for that army for 24 hours."),
    traits=(t.DRAINS,),
)
FAST_HEALING = Ability(
    "fast-healing",
    _("Fast healing"),
    "PF-9",
    _("Heals half its value each phase, and its value each hour out of battle."),
    traits=(t.FAST_HEALS,),
    value="required",
)
FEAR = Ability(
    "fear",
    _("Fear"),
    "PF-9",
    _(
        "Armies it damages have to pass a morale check or can’t attack next phase. Another failure while afraid "
        "routs them."
    ),
    traits=(t.FRIGHTENS,),
)
UNNATURAL_AURA = Ability(
    "unnatural-aura",
    _("Unnatural aura"),
    "PF-9",
    _("Frightens animal armies, and armies with animals, that it damages."),
    traits=(t.UNNATURAL,),
)
FEROCITY = Ability(
    "ferocity",
    _("Ferocity"),
    "PF-9",
    _("Once defeated or routed, it acts for one more melee phase with OM and DV −4."),
    traits=(t.FEROCIOUS,),
)
GRAB = Ability(
    "grab",
    _("Grab"),
    "PF-9",
    _("Its target has −2 on morale checks against rout and to withdraw."),
    traits=(t.GRABS,),
)
PARALYSIS = Ability(
    "paralysis",
    _("Paralysis"),
    "PF-9",
    _("Each time it damages an enemy: DV −1 for that army until the battle ends."),
    traits=(t.PARALYSES,),
)
PETRIFICATION = PARALYSIS.alias(
    "petrification", _("Petrification"), _("Each time it damages an enemy: DV −1 for that army until the battle ends.")
)
STUNNING_FIST = PARALYSIS.alias(
    "stunning-fist",
    _("Stunning fist"),
    _("Each time it damages an enemy: DV −1 for that army until the battle ends."),
    class_levels="monk 1",
)
WHIRLWIND = PARALYSIS.alias(
    "whirlwind", _("Whirlwind"), _("Each time it damages an enemy: DV −1 for that army until the battle ends.")
)
VORTEX = PARALYSIS.alias("vortex", _("Vortex"), _("Like paralysis, against armies on water."))
REGENERATION = Ability(
    "regeneration",
    _("Regeneration"),
    "PF-9",
    _("Heals half its value each phase. At 0 hp it is only defeated if an enemy army survives the phase."),
    traits=(t.REGENERATES, t.FAST_HEALS),
    value="required",
    mechanic="regeneration",
)
TRIP = Ability(
    "trip",
    _("Trip"),
    "PF-9",
    _("In each melee phase its target has DV −1 for that phase."),
    traits=(t.TRIPS,),
)

POWERS = (
    ABILITY_DAMAGE, BLEED, BOMB, BREATH_WEAPON, BURN, CANNIBALIZE, CHANNEL_NEGATIVE_ENERGY, CHANNEL_POSITIVE_ENERGY,
    CREATE_SANDSTORM, CREATE_SPAWN, DISCOVERY, DISEASE, ENERGY_DRAIN, FAST_HEALING, FEAR, FEROCITY, GRAB, LAY_ON_HANDS,
    PARALYSIS, PETRIFICATION, POISON, REGENERATION, ROGUE_TALENT, STUNNING_FIST, TRIP, UNNATURAL_AURA, VORTEX,
    WHIRLWIND,
)  # fmt: skip
