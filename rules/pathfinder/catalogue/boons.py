"""Boons and offices of commanders (PF-2.6, PF-2.9)."""

from rules.core.text import _
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import (
    BLOODIED,
    DV,
    MORALE,
    OM,
    Against,
    Doing,
    For,
    Has,
    Is,
    Modifier,
    Use,
    half_acr,
)
from rules.pathfinder.catalogue.items import Boon, Office

_BOONS = (
    Boon(
        "bloodied-but-unbroken", _("Bloodied but unbroken"), "PF-2.9",
        _("At half its hit points or less: OM +1, or +2 from leadership 10."),
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
        _("+5 on morale checks to change tactics, or +10 from leadership 12."),
        modifiers=(Modifier(MORALE, +5, when=For("tactic")),),
        leadership=6, tier=12, tier_modifiers=(Modifier(MORALE, +10, when=For("tactic")),),
    ),
    Boon(
        "hit-and-run", _("Hit and run"), "PF-2.9",
        _("Once it has attacked: +2 on its morale checks to withdraw, or +4 from leadership 10."),
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
        _("In weeks of use, Consumption and speed are halved."),
        traits=(t.LIVES_OFF_THE_LAND,),
    ),
    Boon(
        "loyalty", _("Loyalty"), "PF-2.9", _("+2 on all morale checks, or +4 from leadership 12."),
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
        _("Once per battle: heals half its ACR at OM −4. Adds the same to each potion without the penalty."),
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
