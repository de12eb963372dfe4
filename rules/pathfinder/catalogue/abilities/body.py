"""Abilities of the body: senses, movement and resistances (PF-9)."""

from rules.core.text import _
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import (
    DAMAGE,
    DV,
    FOE_DV,
    FOE_OM,
    OM,
    Against,
    Doing,
    Has,
    In,
    Is,
    Modifier,
    Pairing,
    Use,
    Works,
    own_value,
)
from rules.pathfinder.catalogue.items import Ability, AbilityOption

ON_WATER = In("on-water")
BRIGHT = In("bright-light")

AMPHIBIOUS = Ability(
    "amphibious",
    _("Amphibious"),
    "PF-9",
    _("Crosses and fights in water, and ignores moats."),
    traits=(t.AMPHIBIOUS,),
)
AQUATIC = Ability(
    "aquatic",
    _("Aquatic"),
    "PF-9",
    _("OM and DV +1 against armies on water; OM −2 against armies on land unless also amphibious."),
    modifiers=(
        Modifier(OM, +1, when=Against(ON_WATER)),
        Modifier(DV, +1, when=Against(ON_WATER)),
        Modifier(OM, -2, when=Against(~ON_WATER) & ~Has(t.AMPHIBIOUS)),
    ),
)
BLINDSENSE = Ability(
    "blindsense",
    _("Blindsense"),
    "PF-9",
    _("Halves OM and DV penalties from darkness, invisibility and weather."),
    traits=(t.KEEN_SENSES,),
)
SCENT = BLINDSENSE.alias("scent", _("Scent"), _("Halves penalties from darkness, invisibility and weather."))
TREMORSENSE = BLINDSENSE.alias(
    "tremorsense", _("Tremorsense"), _("Feels the ground: halves penalties from darkness, invisibility and weather.")
)
BLINDSIGHT = Ability(
    "blindsight",
    _("Blindsight"),
    "PF-9",
    _("Ignores OM and DV penalties from darkness, invisibility and weather, and sees invisible armies."),
    traits=(t.BLINDSIGHT,),
)
BURROW = Ability(
    "burrow",
    _("Burrow"),
    "PF-9",
    _("Spends a phase digging under one fortification, then ignores its Defense."),
    traits=(t.BURROWS,),
    use=Use(per="phase", target="enemy", mark="burrowing", lasts="phase"),
)
EARTH_GLIDE = Ability(
    "earth-glide",
    _("Earth glide"),
    "PF-9",
    _("Ignores fortifications of earth and stone, and burrows under others."),
    traits=(t.EARTH_GLIDES, t.BURROWS),
    use=Use(per="phase", target="enemy", mark="burrowing", lasts="phase"),
)
CLIMB = Ability(
    "climb",
    _("Climb"),
    "PF-9",
    _("Walls it can climb lose a quarter of their Defense."),
    traits=(t.CLIMBS,),
)
CONSTRUCT = Ability(
    "construct",
    _("Construct"),
    "PF-9",
    _("Immune to disease, fear, paralysis and poison."),
    traits=(t.CONSTRUCT,),
    immune=("disease", "fear", "paralysis", "poison"),
)
DARKVISION = Ability(
    "darkvision",
    _("Darkvision"),
    "PF-9",
    _("No OM or DV penalty in darkness or dim light."),
    traits=(t.SEES_IN_DARKNESS, t.SEES_IN_DIM_LIGHT),
)
FLIGHT = Ability(
    "flight",
    _("Flight"),
    "PF-9",
    _("Ignores walls. In a melee phase in which it doesn’t attack, only flyers can attack it."),
    traits=(t.FLIES,),
)
IMMUNITY = Ability(
    "immunity",
    _("Immunity"),
    "PF-9",
    _("Immune to the chosen enemy abilities."),
    options=(AbilityOption("to", "many"),),
)
MOBILE_HERE = Works(t.MOBILE) | (Works(t.MOBILITY) & In("suits-mobility"))
FOE_NOT_MOBILE = Against(~MOBILE_HERE)

INCORPOREAL = Ability(
    "incorporeal",
    _("Incorporeal"),
    "PF-9",
    _(
        "Non-magical attacks don’t hurt it; magical ones deal half damage. Ignores enemy armor, can always "
        "withdraw, mobile on any ground."
    ),
    modifiers=(Modifier(OM, +1, when=FOE_NOT_MOBILE),),
    traits=(t.INCORPOREAL, t.ALWAYS_WITHDRAWS, t.MOBILE),
)
INVISIBILITY = Ability(
    "invisibility",
    _("Invisibility"),
    "PF-9",
    _("Attackers have OM −2 against it, its targets DV −2. Armies that can’t see it can’t stop its withdrawal."),
    modifiers=(Modifier(FOE_OM, -2, sense="invisibility"), Modifier(FOE_DV, -2, sense="invisibility")),
    traits=(t.INVISIBLE,),
)
LIGHT_BLINDNESS = Ability(
    "light-blindness",
    _("Light blindness"),
    "PF-9",
    _("OM and DV −2 in bright light."),
    modifiers=(Modifier(OM, -2, when=BRIGHT), Modifier(DV, -2, when=BRIGHT)),
)
LIGHT_SENSITIVITY = Ability(
    "light-sensitivity",
    _("Light sensitivity"),
    "PF-9",
    _("OM and DV −1 in bright light."),
    modifiers=(Modifier(OM, -1, when=BRIGHT), Modifier(DV, -1, when=BRIGHT)),
)
LOW_LIGHT_VISION = Ability(
    "low-light-vision",
    _("Low-light vision"),
    "PF-9",
    _("No penalty in dim light."),
    traits=(t.SEES_IN_DIM_LIGHT,),
)
MINDLESS = Ability(
    "mindless",
    _("Mindless"),
    "PF-9",
    _("Never fails a morale check. Only uses the standard tactic and strategy."),
    traits=(t.MINDLESS,),
)
MOBILITY = Ability(
    "mobility",
    _("Mobility"),
    "PF-9",
    _("On suitable ground OM +1 against armies without such mobility."),
    modifiers=(Modifier(OM, +1, when=In("suits-mobility") & FOE_NOT_MOBILE & ~Works(t.MOBILE)),),
    traits=(t.MOBILITY,),
)
PLANT = Ability(
    "plant",
    _("Plant"),
    "PF-9",
    _("Immune to fear, paralysis and poison."),
    immune=("fear", "paralysis", "poison"),
)
POUNCE = Ability("pounce", _("Pounce"), "PF-9", _("OM +1."), modifiers=(Modifier(OM, +1),))
POWERFUL_CHARGE = Ability("powerful-charge", _("Powerful charge"), "PF-9", _("OM +1."), modifiers=(Modifier(OM, +1),))
TRAMPLE = Ability("trample", _("Trample"), "PF-9", _("OM +1."), modifiers=(Modifier(OM, +1),))
RAKE = Ability("rake", _("Rake"), "PF-9", _("Damage +1."), modifiers=(Modifier(DAMAGE, +1),))
REND = Ability("rend", _("Rend"), "PF-9", _("Damage +1."), modifiers=(Modifier(DAMAGE, +1),))
ROCK_CATCHING = Ability(
    "rock-catching",
    _("Rock catching"),
    "PF-9",
    _("DV +1 against ranged attacks, +2 against siege engines and thrown rocks."),
    modifiers=(
        Modifier(DV, +1, when=Pairing("shot")),
        Modifier(DV, +1, when=Pairing("shot") & Against(Is("shoots-heavy"))),
    ),
)
ROCK_THROWING = Ability(
    "rock-throwing",
    _("Rock throwing"),
    "PF-9",
    _("Can attack at range, with damage +4 in the ranged phase."),
    modifiers=(Modifier(DAMAGE, +4, when=Pairing("shot") & Doing("attack", "parting")),),
    traits=(t.RANGED, t.ROCKS),
)
SIGNIFICANT_DEFENSE = Ability(
    "significant-defense",
    _("Significant defense"),
    "PF-9",
    _("DV +10 against armies that can’t overcome it."),
    modifiers=(Modifier(DV, +10, when=Against(~Is("overcomes"))),),
    traits=(t.HARD_TO_HURT,),
)
DAMAGE_REDUCTION = SIGNIFICANT_DEFENSE.alias(
    "damage-reduction", _("Damage reduction"), _("DV +10 against armies whose weapons can’t overcome it.")
)
RESISTANCE = SIGNIFICANT_DEFENSE.alias(
    "resistance", _("Resistance"), _("DV +10 against armies whose attacks can’t overcome it.")
)
SPELL_RESISTANCE = Ability(
    "spell-resistance",
    _("Spell resistance"),
    "PF-9",
    _("DV +6 against armies with Spellcasting."),
    modifiers=(Modifier(DV, +6, when=Against(Has(t.CASTS))),),
)
SWARM = Ability(
    "swarm",
    _("Swarm"),
    "PF-9",
    _("Non-magical attacks deal half damage, magical ones 150%. Can always withdraw."),
    traits=(t.SWARM, t.ALWAYS_WITHDRAWS),
)
TELEPORTATION = Ability(
    "teleportation",
    _("Teleportation"),
    "PF-9",
    _("Ignores the Defense of fortifications, can always withdraw and reaches any hex the same day."),
    traits=(t.TELEPORTS, t.ALWAYS_WITHDRAWS),
)
ETHEREAL_TRAVEL = TELEPORTATION.alias(
    "ethereal-travel",
    _("Ethereal travel"),
    _("Ignores the Defense of fortifications, can always withdraw and reaches any hex the same day."),
)
UNDEAD = Ability(
    "undead",
    _("Undead"),
    "PF-9",
    _("Immune to disease, fear, paralysis and poison; DV +2."),
    modifiers=(Modifier(DV, +2),),
    traits=(t.UNDEAD,),
    immune=("disease", "fear", "paralysis", "poison"),
)
SPELLCASTING = Ability(
    "spellcasting",
    _("Spellcasting"),
    "PF-9",
    _("Adds its highest spell level to OM and DV. Attacks at range if an offensive spell has the range."),
    modifiers=(Modifier(OM, own_value), Modifier(DV, own_value)),
    traits=(t.CASTS,),
    value="required",
    options=(AbilityOption("ranged", "flag", required=False),),
)

BODY = (
    AMPHIBIOUS, AQUATIC, BLINDSENSE, BLINDSIGHT, BURROW, CLIMB, CONSTRUCT, DAMAGE_REDUCTION, DARKVISION, EARTH_GLIDE,
    ETHEREAL_TRAVEL, FLIGHT, IMMUNITY, INCORPOREAL, INVISIBILITY, LIGHT_BLINDNESS, LIGHT_SENSITIVITY,
    LOW_LIGHT_VISION, MINDLESS, MOBILITY, PLANT, POUNCE, POWERFUL_CHARGE, RAKE, REND, RESISTANCE, ROCK_CATCHING,
    ROCK_THROWING, SCENT, SIGNIFICANT_DEFENSE, SPELL_RESISTANCE, SPELLCASTING, SWARM, TELEPORTATION, TRAMPLE,
    TREMORSENSE, UNDEAD,
)  # fmt: skip
