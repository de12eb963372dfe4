"""Tactics and the strategy track (PF-3.7, PF-3.11), boons and offices of commanders (PF-2.6, PF-2.9), and resources
that the treasury buys (PF-5).
"""

from rules.core.text import _
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import (
    BLOODIED,
    DAMAGE,
    DRINKING,
    DV,
    FEIGNING,
    MORALE,
    OM,
    Against,
    Doing,
    For,
    Has,
    Is,
    Modifier,
    Pairing,
    Use,
    acr,
    half_acr,
)
from rules.pathfinder.catalogue.items import Boon, Office, Resource, Strategy, Tactic

# Tactics and the strategy track (PF-3.7, PF-3.11).

STRATEGIES = {
    strategy.slug: strategy
    for strategy in (
        Strategy("defensive", _("Defensive"), "PF-3.7", _("DV +4, OM −4, damage −6."),
                 -2, om=-4, dv=+4, damage=-6, careful=True),
        Strategy("cautious", _("Cautious"), "PF-3.7", _("DV +2, OM −2, damage −3."),
                 -1, om=-2, dv=+2, damage=-3, careful=True),
        Strategy("standard", _("Standard"), "PF-3.7", _("No modifiers."), 0),
        Strategy("aggressive", _("Aggressive"), "PF-3.7", _("OM +2, damage +3, DV −2."), 1, om=+2, dv=-2, damage=+3),
        Strategy("reckless", _("Reckless"), "PF-3.7", _("OM +4, damage +6, DV −4."), 2, om=+4, dv=-4, damage=+6),
    )
}  # fmt: skip

STANDARD = Tactic("standard", _("Standard tactic"), "PF-3.11", _("Fights without any special plan."), always_known=True)
WITHDRAW = Tactic(
    "withdraw",
    _("Withdraw"),
    "PF-3.10",
    _("Leaves the field, or keeps the enemy at range, by opposed morale checks. OM and DV −2 in the meantime."),
    traits=(t.WITHDRAWS,),
    always_known=True,
    careful=True,
)
CAUTIOUS_COMBAT = Tactic(
    "cautious-combat",
    _("Cautious combat"),
    "PF-3.11",
    _("OM −2; +2 on morale checks."),
    modifiers=(Modifier(OM, -2), Modifier(MORALE, +2)),
    careful=True,
)
CAVALRY_EXPERTS = Tactic(
    "cavalry-experts",
    _("Cavalry experts"),
    "PF-3.11",
    _("OM +2 against armies without mounts. Requires mounts."),
    modifiers=(Modifier(OM, +2, when=Against(~Has(t.MOUNTED))),),
    needs=Has(t.MOUNTED),
    needs_text=_("it needs mounts"),
)
DEFENSIVE_WALL = Tactic(
    "defensive-wall",
    _("Defensive wall"),
    "PF-3.11",
    _("OM −2, DV +2."),
    modifiers=(Modifier(OM, -2), Modifier(DV, +2)),
    careful=True,
)
DIRTY_FIGHTERS = Tactic(
    "dirty-fighters",
    _("Dirty fighters"),
    "PF-3.11",
    _("OM +6 in one melee phase, which must be announced. No effect afterward."),
    use=Use(phase="melee", mark="dirty", lasts="phase"),
)
EXPERT_FLANKERS = Tactic(
    "expert-flankers",
    _("Expert flankers"),
    "PF-3.11",
    _("OM +2, DV −2."),
    modifiers=(Modifier(OM, +2), Modifier(DV, -2)),
    traits=(t.FLANKS,),
    careful=True,
)
FALSE_RETREAT = Tactic(
    "false-retreat",
    _("False retreat"),
    "PF-3.11",
    _("Once per battle: no attack, then OM and DV +6 in the next phase against the army it lured."),
    use=Use(target="enemy", mark="lures", lasts="next", bars=FEIGNING),
)
FULL_DEFENSE = Tactic(
    "full-defense",
    _("Full defense"),
    "PF-3.11",
    _("DV +4, OM −4."),
    modifiers=(Modifier(OM, -4), Modifier(DV, +4)),
)
RELENTLESS_BRUTALITY = Tactic(
    "relentless-brutality",
    _("Relentless brutality"),
    "PF-3.11",
    _("OM +4, DV −4."),
    modifiers=(Modifier(OM, +4), Modifier(DV, -4)),
)
SIEGEBREAKER_TACTIC = Tactic(
    "siegebreaker",
    _("Siegebreaker"),
    "PF-3.11",
    _("When it damages an army with siege engines, a second offense check destroys one."),
    traits=(t.BREAKS_SIEGE,),
)
SNIPER_SUPPORT = Tactic(
    "sniper-support",
    _("Sniper support"),
    "PF-3.11",
    _("Damage +2 when it damages an army in melee. Requires a ranged attack."),
    modifiers=(Modifier(DAMAGE, +2, when=Pairing("melee")),),
    needs=Has(t.RANGED),
    needs_text=_("it needs a ranged attack"),
    careful=True,
)
SPELLBREAKER = Tactic(
    "spellbreaker",
    _("Spellbreaker"),
    "PF-3.11",
    _("DV +4 against armies with Spellcasting."),
    modifiers=(Modifier(DV, +4, when=Against(Has(t.CASTS))),),
)
TAUNT = Tactic(
    "taunt",
    _("Taunt"),
    "PF-3.11",
    _("Each phase, its target must pass a morale check or suffer OM and DV −2 against it."),
    traits=(t.TAUNTS,),
)

TACTICS = {
    tactic.slug: tactic
    for tactic in (
        STANDARD, WITHDRAW, CAUTIOUS_COMBAT, CAVALRY_EXPERTS, DEFENSIVE_WALL, DIRTY_FIGHTERS, EXPERT_FLANKERS,
        FALSE_RETREAT, FULL_DEFENSE, RELENTLESS_BRUTALITY, SIEGEBREAKER_TACTIC, SNIPER_SUPPORT, SPELLBREAKER, TAUNT,
    )
}  # fmt: skip


# Boons and offices of commanders (PF-2.6, PF-2.9).

_BOONS = (
    Boon(
        "bloodied-but-unbroken", _("Bloodied but unbroken"), "PF-2.9",
        _("At half its hit points or less: OM +1, or +2 at leadership 10+."),
        modifiers=(Modifier(OM, +1, when=BLOODIED),),
        leadership=4, tier=10, tier_modifiers=(Modifier(OM, +2, when=BLOODIED),),
    ),
    Boon(
        "bonus-tactic", _("Bonus tactic"), "PF-2.9",
        _("The army can use one chosen tactic. Can be taken again for another tactic."),
        needs_tactic=True,
    ),
    Boon(
        "defensive-tactics", _("Defensive tactics"), "PF-2.9", _("DV +2."),
        modifiers=(Modifier(DV, +2),), leadership=5,
    ),
    Boon(
        "flexible-tactics", _("Flexible tactics"), "PF-2.9",
        _("+5 on morale checks to change tactics, or +10 at leadership 12+."),
        modifiers=(Modifier(MORALE, +5, when=For("tactic")),),
        leadership=6, tier=12, tier_modifiers=(Modifier(MORALE, +10, when=For("tactic")),),
    ),
    Boon(
        "hit-and-run", _("Hit and run"), "PF-2.9",
        _("Once it has attacked: +2 on its morale checks to withdraw, or +4 at leadership 10+."),
        modifiers=(Modifier(MORALE, +2, when=For("withdraw") & Is("has-attacked")),),
        leadership=5, tier=10, tier_modifiers=(Modifier(MORALE, +4, when=For("withdraw") & Is("has-attacked")),),
    ),
    Boon(
        "hold-the-line", _("Hold the line"), "PF-2.9",
        _("Can reroll a failed morale check against rout; the second result counts."),
        traits=(t.HOLDS_THE_LINE,),
    ),
    Boon(
        "live-off-the-land", _("Live off the land"), "PF-2.9",
        _("Consumption and speed are halved in weeks it is used."),
        traits=(t.LIVES_OFF_THE_LAND,),
    ),
    Boon(
        "loyalty", _("Loyalty"), "PF-2.9", _("+2 on all morale checks, or +4 at leadership 12+."),
        modifiers=(Modifier(MORALE, +2),),
        leadership=6, tier=12, tier_modifiers=(Modifier(MORALE, +4),),
    ),
    Boon(
        "merciless", _("Merciless"), "PF-2.9",
        _("+1 to stop a withdrawal, and on attacks against routing or withdrawing armies."),
        modifiers=(
            Modifier(MORALE, +1, when=For("stop")),
            Modifier(OM, +1, when=Doing("parting") | (Doing("attack") & Against(Is("withdrawing")))),
        ),
    ),
    Boon(
        "sharpshooter", _("Sharpshooter"), "PF-2.9",
        _("OM +2 against armies behind fortifications, if the army can attack at range."),
        modifiers=(Modifier(OM, +2, when=Has(t.RANGED) & Against(Is("behind-walls"))),),
    ),
    Boon(
        "triage", _("Triage"), "PF-2.9",
        _("Once per battle: heals half its ACR in hp, at OM −4. Each potion heals that much more, without the "
          "penalty."),
        traits=(t.TRIAGE,),
        use=Use(mark="triage", lasts="phase", heal=half_acr),
    ),
)  # fmt: skip
BOONS = {boon.slug: boon for boon in _BOONS}


def _office(slug: str, name: str, *boons: str, rule: str = "PF-2.6") -> Office:
    return Office(slug, _(name), rule, _("The holder gets one boon of the office, without its prerequisites."), boons)


OFFICES = {
    office.slug: office
    for office in (
        _office("ruler", _("Ruler"), "bloodied-but-unbroken", "loyalty"),
        _office("consort", _("Consort"), "loyalty"),
        _office("councilor", _("Councilor"), "loyalty"),
        _office("heir", _("Heir"), "loyalty"),
        _office("treasurer", _("Treasurer"), "loyalty"),
        _office("viceroy", _("Viceroy"), "loyalty"),
        _office("general", _("General"), "bonus-tactic", "flexible-tactics", "merciless", "sharpshooter"),
        _office("grand-diplomat", _("Grand diplomat"), "defensive-tactics", "merciless"),
        _office("high-priest", _("High priest"), "hold-the-line", "live-off-the-land", "triage"),
        _office("marshal", _("Marshal"), "live-off-the-land", "hit-and-run", "sharpshooter", "triage"),
        _office("royal-enforcer", _("Royal enforcer"), "bloodied-but-unbroken", "loyalty"),
        _office("spymaster", _("Spymaster"), "hit-and-run", "merciless", "sharpshooter"),
        _office("warden", _("Warden"), "defensive-tactics", "hold-the-line", "loyalty"),
        _office("magister", _("Magister"), "flexible-tactics", "loyalty"),
    )
}


# Resources that the treasury buys for an army (PF-5).

SMITHS = ("foreign-quarter", "military-academy", "smithy")
ENGINEERS = ("academy", "foreign-quarter", "military-academy", "university")
STABLES = ("foreign-quarter", "stable", "stockyard")
HEALERS = ("alchemist", "casters-tower", "cathedral", "herbalist", "magic-shop", "magical-academy", "temple")

_RESOURCES = (
    Resource(
        "ranged-weapons", _("Ranged weapons"), "PF-5", _("The army can attack at range."),
        traits=(t.RANGED,), price=2, consumption=1, unfit=("animal",),
    ),
    Resource(
        "improved-armor", _("Improved armor"), "PF-5", _("DV +1."),
        modifiers=(Modifier(DV, +1),), price=3, consumption=1, buildings=SMITHS,
    ),
    Resource(
        "magic-armor", _("Magic armor"), "PF-5", _("DV +2. Replaces improved armor."),
        modifiers=(Modifier(DV, +2),), price=15, consumption=2, buildings=SMITHS, replaces="improved-armor",
    ),
    Resource(
        "improved-weapons", _("Improved weapons"), "PF-5", _("OM +1."),
        modifiers=(Modifier(OM, +1),), price=3, consumption=1, buildings=SMITHS, unfit=("animal",),
    ),
    Resource(
        "magic-weapons", _("Magic weapons"), "PF-5", _("OM +2 and magical attacks. Replaces improved weapons."),
        modifiers=(Modifier(OM, +2),), traits=(t.MAGICAL,), price=50, consumption=2, buildings=SMITHS,
        replaces="improved-weapons", unfit=("animal",),
    ),
    Resource(
        "siege-engines", _("Siege engines"), "PF-5",
        _("OM +2, whatever their number. In melee each takes 1d4 off the target’s fortification."),
        modifiers=(Modifier(OM, +2),), traits=(t.ENGINES,), price=15, consumption=3, buildings=ENGINEERS,
        scaled=False, several=True, unfit=("animal", "mindless"),
    ),
    Resource(
        "mounts", _("Mounts"), "PF-5", _("OM and DV +2. A mount of higher CR raises the ACR."),
        modifiers=(Modifier(OM, +2), Modifier(DV, +2)), traits=(t.MOUNTED,), price=1, consumption=1, buildings=STABLES,
    ),
    Resource(
        "healing-potions", _("Healing potions"), "PF-5",
        _("At most twice per battle: heals twice its ACR, without attacking in that phase. Consumption +3 that week."),
        price=10, consumption=3, buildings=HEALERS, unfit=("animal",),
        use=Use(times=2, heal=lambda s, v: 2 * acr(s, v), drink=True, bars=DRINKING),
    ),
)  # fmt: skip
RESOURCES = {resource.slug: resource for resource in _RESOURCES}
ARMOUR = ("improved-armor", "magic-armor")
