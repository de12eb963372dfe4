"""Battlefield conditions, wind and fortifications (PF-4)."""

from rules.core.content import Item
from rules.core.text import _
from rules.pathfinder.catalogue.effects import DV, MORALE, OM, For, Modifier
from rules.pathfinder.catalogue.items import FieldCondition

_ARMY = "army"
_FOG = (Modifier(MORALE, +2, when=For("withdraw")),)

_CONDITIONS = (
    FieldCondition(
        "advantageous-terrain", _("Advantageous terrain"), "PF-4", _("The army that holds it: DV +2."),
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
