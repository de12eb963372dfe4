"""Tactics and the strategy track (PF-3.7, PF-3.11)."""

from rules.core.text import _
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import DAMAGE, DV, FEIGNING, MORALE, OM, Against, Has, Modifier, Pairing, Use
from rules.pathfinder.catalogue.items import Strategy, Tactic

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
    _("OM +6 in one announced melee phase of the battle, then no effect."),
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
    _("Each phase its target has to pass a morale check or gets OM and DV −2 against it."),
    traits=(t.TAUNTS,),
)

TACTICS = {
    tactic.slug: tactic
    for tactic in (
        STANDARD, WITHDRAW, CAUTIOUS_COMBAT, CAVALRY_EXPERTS, DEFENSIVE_WALL, DIRTY_FIGHTERS, EXPERT_FLANKERS,
        FALSE_RETREAT, FULL_DEFENSE, RELENTLESS_BRUTALITY, SIEGEBREAKER_TACTIC, SNIPER_SUPPORT, SPELLBREAKER, TAUNT,
    )
}  # fmt: skip
