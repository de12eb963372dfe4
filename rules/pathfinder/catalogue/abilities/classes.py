"""Abilities of character classes (PF-9)."""

from rules.core.text import _
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import (
    DRINKING,
    DV,
    MORALE,
    OM,
    SIEGEBREAKER,
    Against,
    Doing,
    For,
    Has,
    Is,
    Marked,
    Modifier,
    Pairing,
    Use,
    acr,
    half_acr,
    own_value,
)
from rules.pathfinder.catalogue.items import Ability, AbilityOption

STAND_FAST = For("rout", "fear")

ALCHEMY = Ability(
    "alchemy",
    _("Alchemy"),
    "PF-9",
    _("Once per battle: heals like healing potions, for free."),
    class_levels="alchemist 1",
    use=Use(heal=lambda s, v: 2 * acr(s, v), drink=True, bars=DRINKING),
)
ANIMAL_COMPANION = Ability(
    "animal-companion",
    _("Animal companion"),
    "PF-9",
    _("OM +1."),
    class_levels="druid 1, ranger 4",
    modifiers=(Modifier(OM, +1),),
    traits=(t.ANIMALS,),
    mechanic="companion",
)
EIDOLON = Ability(
    "eidolon",
    _("Eidolon"),
    "PF-9",
    _("OM +1."),
    class_levels="summoner 1",
    modifiers=(Modifier(OM, +1),),
    mechanic="companion",
)
ARMOR_TRAINING = Ability(
    "armor-training",
    _("Armor training"),
    "PF-9",
    _("Marches as fast in medium armor as without armor."),
    class_levels="fighter 3",
    traits=(t.UNARMOURED_PACE,),
)
AURA_OF_COURAGE = Ability(
    "aura-of-courage",
    _("Aura of courage"),
    "PF-9",
    _("Immune to fear. Always passes rout checks."),
    class_levels="paladin 3",
    traits=(t.PASSES_ROUT,),
    immune=("fear",),
)
BRAVERY = Ability(
    "bravery",
    _("Bravery"),
    "PF-9",
    _("Adds its value to morale checks against fear and rout."),
    class_levels="fighter 2",
    modifiers=(Modifier(MORALE, own_value, when=STAND_FAST),),
    value="required",
)
BREW_POTION = Ability(
    "brew-potion",
    _("Brew potion"),
    "PF-9",
    _("Its kingdom can buy healing potions for any army without the building."),
    class_levels="alchemist 2",
    traits=(t.BREWS,),
)
CHALLENGE = Ability(
    "challenge",
    _("Challenge"),
    "PF-9",
    _("Once per battle, against one enemy until the end: OM +2 against it, DV −1 against all others."),
    class_levels="cavalier 1",
    use=Use(target="enemy", mark="challenge"),
)
COMBAT_STYLE = Ability(
    "combat-style",
    _("Combat style"),
    "PF-9",
    _("Once per battle, until it ends: OM +1 with ranged or with melee attacks."),
    class_levels="ranger 2",
    use=Use(options=("ranged", "melee"), mark="combat-style"),
)
DIVINE_HEALTH = Ability(
    "divine-health",
    _("Divine health"),
    "PF-9",
    _("Immune to disease."),
    class_levels="paladin 3",
    immune=("disease",),
)
EVASION = Ability(
    "evasion",
    _("Evasion"),
    "PF-9",
    _("Attackers halve their Spellcasting OM bonus and their breath damage against it."),
    class_levels="monk 3, rogue 2",
    traits=(t.EVASION,),
)
FAVORED_ENEMY = Ability(
    "favored-enemy",
    _("Favored enemy"),
    "PF-9",
    _("OM +1 against armies of the chosen creature type."),
    class_levels="ranger 1",
    modifiers=(Modifier(OM, +1, when=Is("faces-favored-enemy")),),
    options=(AbilityOption("creature_type", "creature_type"),),
)
FAVORED_TERRAIN = Ability(
    "favored-terrain",
    _("Favored terrain"),
    "PF-9",
    _("Against it, enemy bonuses from advantageous terrain and battlefield advantage are halved."),
    class_levels="ranger 3",
    traits=(t.FAVORED_TERRAIN,),
)
FLURRY_OF_BLOWS = Ability(
    "flurry-of-blows",
    _("Flurry of blows"),
    "PF-9",
    _("OM +1 in the first melee phase, +2 in later ones."),
    class_levels="monk 1",
    modifiers=(
        Modifier(OM, +1, when=Pairing("melee") & Is("first-melee")),
        Modifier(OM, +2, when=Pairing("melee") & ~Is("first-melee")),
    ),
)
HEX = Ability(
    "hex",
    _("Hex"),
    "PF-9",
    _("Healing: once per battle heals half its ACR. Cauldron: works like brew potion."),
    class_levels="witch 1",
    options=(AbilityOption("choice", "choice", ("healing", "cauldron")),),
)
HUNTERS_BOND = Ability(
    "hunters-bond",
    _("Hunter’s bond"),
    "PF-9",
    _("Companions: once per battle OM +1 for itself or an ally. Animal: works like animal companion."),
    class_levels="ranger 4",
    options=(AbilityOption("choice", "choice", ("companions", "animal")),),
)
INSPIRE_COURAGE = Ability(
    "inspire-courage",
    _("Inspire courage"),
    "PF-9",
    _("OM +1, and +2 on morale checks against fear and rout, for itself and one ally."),
    class_levels="bard 1",
    modifiers=(
        Modifier(OM, +1, when=~Marked("sings-for-ally")),
        Modifier(MORALE, +2, when=STAND_FAST & ~Marked("sings-for-ally")),
    ),
    traits=(t.INSPIRES,),
    use=Use(per="phase", target="ally", mark="inspired", on_target=True),
)
JUDGMENT = Ability(
    "judgment",
    _("Judgment"),
    "PF-9",
    _("One choice each phase: damage +1, DV +1, heal half its ACR, or magical attacks."),
    class_levels="inquisitor 1",
    use=Use(
        per="phase",
        options=("damage", "defense", "heal", "magic"),
        mark="judgment",
        lasts="phase",
        needs=~Marked("afraid"),
        needs_text=_("{army} can’t pass judgment while afraid."),
    ),
)
KI_POOL = Ability(
    "ki-pool",
    _("Ki pool"),
    "PF-9",
    _("Its attacks are magical."),
    class_levels="monk 4",
    traits=(t.MAGICAL,),
)
MERCY = Ability(
    "mercy",
    _("Mercy"),
    "PF-9",
    _("After a battle: cures one allied army of disease."),
    class_levels="paladin 3",
    traits=(t.MERCIFUL,),
)
MOUNT = Ability(
    "mount",
    _("Mount"),
    "PF-9",
    _("OM and DV +1; the army counts as mounted."),
    class_levels="cavalier 1",
    modifiers=(Modifier(OM, +1), Modifier(DV, +1)),
    traits=(t.MOUNTED,),
)
ORDER = Ability(
    "order",
    _("Order"),
    "PF-9",
    _("DV +1 against the army it challenged."),
    class_levels="cavalier 1",
    modifiers=(Modifier(DV, +1, when=Is("faces-challenged")),),
)
POISON_RESISTANCE = Ability(
    "poison-resistance",
    _("Poison resistance"),
    "PF-9",
    _("Reduces poison damage by half this ability’s value."),
    class_levels="alchemist 2",
    traits=(t.RESISTS_POISON,),
    value="required",
)
RAGE = Ability(
    "rage",
    _("Rage"),
    "PF-9",
    _("Once per battle, until it ends: OM +2, DV −1, +1 against fear and rout. No cautious fighting."),
    class_levels="barbarian 1",
    use=Use(mark="rage"),
)
SHIELD_ALLY = Ability(
    "shield-ally",
    _("Shield ally"),
    "PF-9",
    _("DV +1."),
    class_levels="summoner 4",
    modifiers=(Modifier(DV, +1),),
)
SMITE_EVIL = Ability(
    "smite-evil",
    _("Smite evil"),
    "PF-9",
    _("In one melee phase per battle: OM +2 against an evil army, +4 if undead or an outsider."),
    class_levels="paladin 1",
    use=Use(
        phase="melee",
        target="enemy",
        mark="smite",
        lasts="phase",
        needs=Against(Is("evil")),
        needs_text=_("{target}: not evil."),
    ),
)
SNEAK_ATTACK = Ability(
    "sneak-attack",
    _("Sneak attack"),
    "PF-9",
    _("OM +1 when ambushing, with expert flankers, and in the phase after a false retreat."),
    class_levels="rogue 1",
    modifiers=(Modifier(OM, +1, when=Doing("ambush") | Has(t.FLANKS) | Marked("lures")),),
)
TACTICIAN = Ability(
    "tactician",
    _("Tactician"),
    "PF-9",
    _("Knows one extra tactic beyond its limit."),
    class_levels="cavalier 1",
    options=(AbilityOption("tactic", "tactic"),),
)
TRACK = Ability(
    "track",
    _("Track"),
    "PF-9",
    _("Adds its ACR against withdrawals and ambushes. Fog reduces its damage by a quarter instead of half."),
    class_levels="inquisitor 2, ranger 1",
    modifiers=(
        Modifier(MORALE, acr, when=For("stop")),
        Modifier(DV, acr, when=Doing("ambush")),
    ),
    traits=(t.TRACKS,),
)
TRAP_SENSE = Ability(
    "trap-sense",
    _("Trap sense"),
    "PF-9",
    _("Adds half its ACR to the second check of the siegebreaker tactic."),
    class_levels="rogue 3",
    modifiers=(Modifier(SIEGEBREAKER, half_acr),),
)
WEAPON_SPECIALIZATION = Ability(
    "weapon-specialization",
    _("Weapon specialization"),
    "PF-9",
    _("Once per battle, until it ends: OM +2 with ranged or with melee attacks."),
    class_levels="fighter 4",
    use=Use(options=("ranged", "melee"), mark="weapon-specialization"),
)
WILD_SHAPES = ("aquatic", "amphibious", "climb", "darkvision", "flight", "low-light-vision", "scent")
WILD_SHAPE = Ability(
    "wild-shape",
    _("Wild shape"),
    "PF-9",
    _("Once per battle: takes one animal ability and loses Spellcasting until it changes back."),
    class_levels="druid 4",
    use=Use(options=WILD_SHAPES),
)

CLASSES = (
    ALCHEMY, ANIMAL_COMPANION, ARMOR_TRAINING, AURA_OF_COURAGE, BRAVERY, BREW_POTION, CHALLENGE, COMBAT_STYLE,
    DIVINE_HEALTH, EIDOLON, EVASION, FAVORED_ENEMY, FAVORED_TERRAIN, FLURRY_OF_BLOWS, HEX, HUNTERS_BOND,
    INSPIRE_COURAGE, JUDGMENT, KI_POOL, MERCY, MOUNT, ORDER, POISON_RESISTANCE, RAGE, SHIELD_ALLY, SMITE_EVIL,
    SNEAK_ATTACK, TACTICIAN, TRACK, TRAP_SENSE, WEAPON_SPECIALIZATION, WILD_SHAPE,
)  # fmt: skip
