"""Resources that the treasury buys for an army (PF-5)."""

from rules.core.text import _
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import DRINKING, DV, OM, Modifier, Use, acr
from rules.pathfinder.catalogue.items import Resource

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
