"""Battlefield conditions, wind and fortifications (PF-4), and marks of an army in battle."""

from rules.core.content import Item
from rules.core.text import _
from rules.pathfinder.catalogue.effects import (
    DAMAGE,
    DV,
    MORALE,
    OM,
    Against,
    Condition,
    Fact,
    For,
    Is,
    Modifier,
    Pairing,
    Situation,
    reads_of,
)
from rules.pathfinder.catalogue.items import FieldCondition, MarkEffect

# Battlefield conditions, wind and fortifications (PF-4).

_ARMY = "army"
_FOG = (Modifier(MORALE, +2, when=For("withdraw")),)

_CONDITIONS = (
    FieldCondition(
        "advantageous-terrain", _("Advantageous terrain"), "PF-4", _("The army that holds this terrain: DV +2."),
        modifiers=(Modifier(DV, +2, terrain=True),), scope=_ARMY,
    ),
    FieldCondition(
        "battlefield-advantage", _("Battlefield advantage"), "PF-4", _("The army that knows the ground: OM and DV +2."),
        modifiers=(Modifier(OM, +2, terrain=True), Modifier(DV, +2, terrain=True)), scope=_ARMY,
    ),
    FieldCondition(
        "darkness", _("Darkness"), "PF-4", _("OM −2, DV −3."),
        modifiers=(Modifier(OM, -2, sense="darkness"), Modifier(DV, -3, sense="darkness")),
    ),
    FieldCondition(
        "dim-light", _("Dim light"), "PF-4", _("OM −1."),
        modifiers=(Modifier(OM, -1, sense="dim-light"),),
    ),
    FieldCondition("bright-light", _("Bright light"), "PF-4", _("Penalty for armies that are sensitive to light.")),
    FieldCondition(
        "fog", _("Fog"), "PF-4", _("Damage halved; +2 on morale checks to withdraw."), modifiers=_FOG, mechanic="fog"
    ),
    FieldCondition(
        "fortification", _("Fortification"), "PF-4", _("The fortified army adds the Defense of the place to its DV."),
        value="defense", scope=_ARMY,
    ),
    FieldCondition("rain", _("Rain"), "PF-4", _("Ranged attacks suffer as in severe wind.")),
    FieldCondition(
        "sandstorm", _("Sandstorm"), "PF-4", _("Like fog, and every army loses 1 hp each phase."), modifiers=_FOG,
        mechanic="fog",
    ),
    FieldCondition("snow", _("Snow"), "PF-4", _("Ranged attacks suffer as in rain; damage is halved.")),
    FieldCondition("wind", _("Wind"), "PF-4.1", _("Hinders ranged attacks, depending on its strength."), value="wind"),
    FieldCondition("on-water", _("On water"), "PF-4", _("The army is on water or on ships."), scope=_ARMY),
    FieldCondition(
        "suits-mobility", _("Ground for mobility"), "PF-4", _("The ground favors armies with mobility.")
    ),
    FieldCondition(
        "heroes", _("Heroes"), "PF-3.12", _("Success of the player characters: OM and DV +4. Failure: −4."),
        value="heroes", scope=_ARMY,
    ),
)  # fmt: skip
CONDITIONS = {condition.slug: condition for condition in _CONDITIONS}

HALVES_DAMAGE = ("fog", "sandstorm", "snow")
IMPOSSIBLE = None

# wind → OM of ordinary shots, and of siege engines and thrown rocks (None: impossible), by increasing force
WINDS: dict[str, tuple[int | None, int | None]] = {
    "light": (0, 0),
    "moderate": (0, 0),
    "strong": (-2, 0),
    "severe": (-4, 0),
    "windstorm": (IMPOSSIBLE, -4),
    "hurricane": (IMPOSSIBLE, -8),
    "tornado": (IMPOSSIBLE, IMPOSSIBLE),
}
WIND_NAMES = {
    "light": _("Light wind"),
    "moderate": _("Moderate wind"),
    "strong": _("Strong wind"),
    "severe": _("Severe wind"),
    "windstorm": _("Windstorm"),
    "hurricane": _("Hurricane"),
    "tornado": _("Tornado"),
}
WIND_ORDER = tuple(WINDS)
AS_SEVERE_WIND = ("rain", "snow")

PART_KINDS = {
    "wall": Item("wall", _("wall"), "R-14"),
    "moat": Item("moat", _("moat"), "R-14"),
    "force": Item("force", _("wall of force"), "R-14"),
    "other": Item("other", _("other works"), "R-14"),
}
MATERIALS = {
    "stone": Item("stone", _("stone"), "R-14"),
    "earth": Item("earth", _("earth"), "R-14"),
    "wood": Item("wood", _("wood"), "R-14"),
    "metal": Item("metal", _("metal"), "R-14"),
    "water": Item("water", _("water"), "R-14"),
    "force": Item("force", _("force"), "R-14"),
    "other": Item("other", _("other material"), "R-14"),
}
DEFAULT_DEFENSE = 8


# Marks of an army in battle, for one phase, for the next, or to the end.

STAND_FAST = For("rout", "fear")


def Detail(option: str) -> Condition:
    """The mark being read was declared with this option."""
    return Condition(lambda s: s.mark is not None and s.mark.detail == option, frozenset({Fact.MARKS}))


def _marked_for_foe(s: Situation) -> bool | None:
    return None if s.foe is None or s.mark is None else s.mark.other == s.foe.id


MARK_IS_FOE = Condition(_marked_for_foe, frozenset({Fact.MARKS}))
FOE_IS_EVIL = Against(Is("evil"))
FOE_IS_DAMNED = Against(Is("undead-or-outsider"))


def by_style(value: int) -> tuple[Modifier, ...]:
    return (
        Modifier(OM, value, when=Detail("ranged") & Pairing("shot")),
        Modifier(OM, value, when=Detail("melee") & Pairing("melee")),
    )


def both(value: int, when: Condition | None = None) -> tuple[Modifier, ...]:
    return (Modifier(OM, value, when=when), Modifier(DV, value, when=when))


_MARKS = (
    MarkEffect("afraid", _("Afraid"), "R-45", _("Can’t attack in this phase."), bad=True, by_hand="phase"),
    MarkEffect("barred", _("Natural 1"), "PF-3.6", _("Can’t attack in this phase."), bad=True, by_hand="phase"),
    MarkEffect("drank", _("Drinking a potion"), "PF-5", _("Can’t attack in this phase."), by_hand="phase"),
    MarkEffect("feigns", _("Feigns retreat"), "PF-3.11", _("Can’t attack in this phase."), by_hand="phase"),
    MarkEffect("lures", _("Lured an army"), "R-28", _("OM and DV +6 against the army it lured."),
               modifiers=both(+6, MARK_IS_FOE & Is("uses-false-retreat"))),
    MarkEffect("burrowing", _("Burrowing"), "PF-9", _("Digging: only fights armies that burrow.")),
    MarkEffect("burrowed", _("Under the walls"), "R-14", _("Ignores the Defense of this fortification.")),
    MarkEffect("bleeding", _("Bleeding"), "R-43", _("Loses 1d6 hp at the start of the next phase."),
               bad=True, by_hand="battle", again="each"),
    MarkEffect("drained", _("Energy drain"), "R-44", _("OM and DV −1 for 24 hours."),
               modifiers=both(-1), bad=True, by_hand="battle", outlasts=True, again="more"),
    MarkEffect("paralysed", _("Paralysis"), "R-44", _("DV −1 for the battle."),
               modifiers=(Modifier(DV, -1),), bad=True, by_hand="battle", again="more"),
    MarkEffect("ill", _("Ill"), "PF-7.3", _("Develops the disease after the battle."), bad=True, by_hand="battle",
               outlasts=True),
    MarkEffect("challenge", _("Challenge"), "R-27", _("OM +2 against the challenged army, DV −1 against others."),
               modifiers=(Modifier(OM, +2, when=MARK_IS_FOE), Modifier(DV, -1, when=~MARK_IS_FOE))),
    MarkEffect("combat-style", _("Combat style"), "R-27", _("OM +1 with the chosen attacks."), modifiers=by_style(1)),
    MarkEffect("weapon-specialization", _("Weapon specialization"), "R-27", _("OM +2 with the chosen attacks."),
               modifiers=by_style(2)),
    MarkEffect("companions", _("Hunter’s bond"), "PF-9", _("OM +1."), modifiers=(Modifier(OM, +1),), by_hand="battle"),
    MarkEffect("inspired", _("Inspired"), "R-25", _("OM +1, and +2 against fear and rout."),
               modifiers=(Modifier(OM, +1, when=~Is("inspires-itself")),
                          Modifier(MORALE, +2, when=STAND_FAST & ~Is("inspires-itself"))), by_hand="battle",
               ends_with="giver"),
    MarkEffect("sings-for-ally", _("Inspires an ally"), "R-25", _("Inspires an ally instead of itself."),
               ends_with="bearer"),
    MarkEffect("judgment", _("Judgment"), "R-24", _("Judgment chosen for this phase."),
               modifiers=(Modifier(DV, +1, when=Detail("defense")), Modifier(DAMAGE, +1, when=Detail("damage")))),
    MarkEffect("rage", _("Rage"), "PF-9", _("OM +2, DV −1, +1 against fear and rout."),
               modifiers=(Modifier(OM, +2), Modifier(DV, -1), Modifier(MORALE, +1, when=STAND_FAST)), by_hand="battle"),
    MarkEffect("smite", _("Smite evil"), "R-27", _("OM +2 against evil armies, +4 against undead or outsiders."),
               modifiers=(Modifier(OM, +2, when=FOE_IS_EVIL & Pairing("melee")),
                          Modifier(OM, +2, when=FOE_IS_EVIL & FOE_IS_DAMNED & Pairing("melee"))), by_hand="phase"),
    MarkEffect("dirty", _("Dirty fighting"), "R-28", _("OM +6 in this phase."),
               modifiers=(Modifier(OM, +6, when=Pairing("melee")),), by_hand="phase"),
    MarkEffect("triage", _("Triage"), "PF-2.9", _("OM −4 in this phase."),
               modifiers=(Modifier(OM, -4),), by_hand="phase"),
    MarkEffect("channels", _("Channels energy to heal"), "PF-9", _("OM reduced by half its ACR in this phase."),
               modifiers=(Modifier(OM, lambda s, v: -(s.me.acr // 2)),), by_hand="phase"),
    MarkEffect("shape", _("Wild shape"), "R-24", _("Has taken an animal’s form.")),
    MarkEffect("taunted", _("Taunted"), "PF-3.11", _("OM and DV −2 against the army that taunts it."),
               modifiers=both(-2, MARK_IS_FOE), bad=True),
    MarkEffect("withstood-taunt", _("Resisted a taunt"), "R-33", _("After two successes, taunts no longer work on it."),
               hidden=True, by_hand="battle", again="more"),
    MarkEffect("withdrawing", _("Withdrawing"), "PF-3.10", _("OM and DV −2 in this phase."),
               modifiers=both(-2), bad=True, by_hand="phase"),
    MarkEffect("at-range", _("Keeps its distance"), "R-31", _("Fights this phase at range."), hidden=True),
    MarkEffect("leaving", _("Leaving"), "R-31", _("Leaves the field at the end of the phase."), by_hand="phase"),
    MarkEffect("tripped", _("Tripped"), "R-29", _("DV −1 in this phase."),
               modifiers=(Modifier(DV, -1),), bad=True, by_hand="phase", again="more"),
    MarkEffect("grabbed", _("Grabbed"), "R-29", _("−2 on morale checks against rout and to withdraw."),
               modifiers=(Modifier(MORALE, -2, when=For("rout", "withdraw")),), bad=True, by_hand="phase",
               again="more"),
    MarkEffect("doomed", _("Panicked"), "R-45", _("Failed a check while afraid: routs."), bad=True, by_hand="phase"),
    MarkEffect("last-stand", _("Last stand"), "R-52", _("Fights one more melee phase at OM and DV −4."),
               modifiers=both(-4), bad=True),
    MarkEffect("hovering", _("Hovering"), "R-26", _("Only flyers reach it in melee this phase."), by_hand="phase"),
    MarkEffect("surrendering", _("Surrenders"), "R-88", _("Does nothing, and is captured at the end of the phase."),
               bad=True),
    MarkEffect("surrendered", _("Surrendered"), "R-88", _("Counts as a defeat for its kingdom."), hidden=True,
               outlasts=True),
    MarkEffect("invincible", _("Invincible"), "R-90", _("Attacks by this enemy don’t affect the army."), stays=True),
    MarkEffect("fresh", _("Just arrived"), "PF-3.2", _("Chooses its tactic freely."), hidden=True, by_hand="battle"),
)  # fmt: skip
MARKS = {mark.slug: mark for mark in _MARKS}
MARK_READS = {mark.slug: reads_of(mark.modifiers) for mark in _MARKS}
BARRING = ("afraid", "barred", "drank", "feigns", "surrendering")
